"""Press out of a mail: held for the report, or relayed at once; never to the wrong people."""

from __future__ import annotations

from alexmagnum.game.letters import ALL, ANONYMOUS, HELD, MASTER, RELAYED, SIGNED, keep_press
from alexmagnum.game.people import players
from alexmagnum.game.state import Game
from alexmagnum.game.values import Player
from alexmagnum.mail.composing import Letter
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.requests import PressPiece
from alexmagnum.notation.text import fold
from alexmagnum.report.blocks import power_name
from alexmagnum.report.gazette import press_head, reader_names
from alexmagnum.report.words import Words, words

LONGEST = 20_000
"""Characters of a piece of press."""


def take_press(
    game: Game, outbox: Outbox, power: str, piece: PressPiece, message: int | None, say: Words
) -> str:
    """Keep a piece of press, or send it on: what its writer is told.

    What leaves any doubt of who is to read it goes to nobody.
    """
    settings = game.settings()
    fault = _fault(settings["press"], settings["press_anonymous"], piece)
    if fault:
        return say.say(fault, names=", ".join(piece.unknown), count=LONGEST)
    manner = ANONYMOUS if piece.anonymous else SIGNED
    text = _unsigned(game, power, piece.text) if piece.anonymous else piece.text
    readers = _readers(piece)
    relayed = settings["press"] == "relay" and readers != (MASTER,)
    state = RELAYED if relayed else HELD
    number = keep_press(game, power, readers, manner, text, state, message)
    named = reader_names(readers, game.base, say)
    if readers == (MASTER,):
        return say.say("press-master")
    if not relayed:
        return say.say("press-held", readers=named)
    left = _relay(game, outbox, power, piece, text, number)
    missed = ", ".join(power_name(game.base, each, say) for each in left)
    told = say.say("press-relayed", readers=named)
    return f"{told} {say.say('press-missed', powers=missed)}" if missed else told


def _fault(setting: str, anonymous: str, piece: PressPiece) -> str:
    """Why a piece is not taken, as a code; "" if it is."""
    if setting == "off":
        return "press-off"
    if piece.unknown:
        return "press-unknown"
    if not (piece.readers or piece.to_all or piece.to_master):
        return "press-nobody"
    if not piece.closed:
        return "press-unclosed"
    if piece.anonymous and anonymous == "no":
        return "press-unsigned"
    if len(piece.text) > LONGEST:
        return "press-long"
    return "" if piece.text.strip() else "press-empty"


def _readers(piece: PressPiece) -> tuple[str, ...]:
    """Who reads it, as it is kept."""
    master = (MASTER,) if piece.to_master else ()
    return (*((ALL,) if piece.to_all else piece.readers), *master)


def _unsigned(game: Game, power: str, text: str) -> str:
    """A text without its last lines as long as they are the writer's name."""
    player = next((p for p in players(game) if p.power == power), Player(power, ""))
    names = {player.name, *player.name.split(), power}
    names |= {game.base.powers[power].name(lang) for lang in ("en", "it")}
    folded = {fold(name).strip() for name in names if name}
    lines = text.rstrip().split("\n")
    while lines and fold(lines[-1]).strip(" .,-–—") in {*folded, ""}:
        lines.pop()
    return "\n".join(lines)


def _relay(
    game: Game, outbox: Outbox, power: str, piece: PressPiece, text: str, number: int
) -> list[str]:
    """Make a letter to every reader: the powers that have no address."""
    wanted = game.base.powers if piece.to_all else piece.readers
    people = {player.power: player for player in players(game) if player.address}
    left = []
    for reader in wanted:
        if reader == power:
            continue
        if reader in people:
            letter = _letter(game, power, piece, text, people[reader])
            outbox.draft("press", f"press:{number}:{reader}", reader, letter)
        else:
            left.append(reader)
    return left


def _letter(game: Game, power: str, piece: PressPiece, text: str, reader: Player) -> Letter:
    lang = reader.lang or game.settings()["lang"]
    say = words(lang)
    head = press_head("" if piece.anonymous else power, _readers(piece), game.base, say)
    foot = say.say("press-answer")
    return Letter(say.say("subject-press"), f"{head}\n\n{text.strip()}\n\n-- \n{foot}\n", lang=lang)
