"""Press from a mail: held for the report or relayed at once, and never to the wrong people."""

from __future__ import annotations

import re
from collections.abc import Collection

from alexmagnum.board.examples import list_examples
from alexmagnum.game.anonymity import find_names_of, hides_names
from alexmagnum.game.outbox_store import PRESS, LetterKey
from alexmagnum.game.players import read_people, read_players
from alexmagnum.game.press import ALL, ANONYMOUS, HELD, MASTER, RELAYED, SIGNED, store_press
from alexmagnum.game.state import Game
from alexmagnum.game.values import Player
from alexmagnum.i18n.folding import fold
from alexmagnum.i18n.sentences import LANGUAGES, Sentences, load_sentences
from alexmagnum.mail.letters.composition import Letter
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.parsing.press_pieces import PressPiece
from alexmagnum.report.names import power_name
from alexmagnum.report.press_section import format_press_heading, format_readers

LONGEST = 20_000
"""Characters of a piece of press."""

_WORD = re.compile(r"\w+")


def take_press(
    game: Game,
    outbox: Outbox,
    power: str,
    piece: PressPiece,
    message: int | None,
    sentences: Sentences,
) -> str:
    """Store a piece of press or relay it, and return the answer to its writer.

    What leaves any doubt of who is to read it goes to nobody.
    """
    settings = game.settings()
    text = _remove_signature(game, power, piece.text)
    betrayed = _find_writer_names(game, power, text, piece)
    fault = _find_fault(settings["press"], settings["press_anonymous"], piece, text)
    if fault or betrayed:
        names = ", ".join(piece.unknown or betrayed)
        examples = list_examples(game.base, power)
        return sentences.format(fault or "press-betrays", names=names, count=LONGEST, **examples)
    manner = ANONYMOUS if piece.anonymous else SIGNED
    readers = _readers(piece)
    relayed = settings["press"] == "relay" and readers != (MASTER,)
    state = RELAYED if relayed else HELD
    number = store_press(game, power, readers, manner, text, state, message)
    named = format_readers(readers, game.base, sentences)
    if readers == (MASTER,):
        return sentences.format("press-master")
    unread = _name_bots_among(game, readers, sentences)
    if not relayed:
        held = sentences.format("press-held", readers=named)
        return f"{held}.{unread}" if unread else held
    left = _relay(game, outbox, power, piece, text, number)
    missed = ", ".join(power_name(game.base, each, sentences) for each in left)
    told = sentences.format("press-relayed", readers=named) + unread
    return f"{told} {sentences.format('press-missed', powers=missed)}" if missed else told


def _name_bots_among(game: Game, readers: Collection[str], sentences: Sentences) -> str:
    """Return a sentence that names the bots among the readers of a piece, "" if there are none."""
    bots = [player.power for player in read_players(game) if player.is_bot]
    powers = ", ".join(power_name(game.base, p, sentences) for p in bots if p in readers)
    return " " + sentences.format("press-bot", powers=powers) if powers else ""


def _find_fault(setting: str, anonymous: str, piece: PressPiece, text: str) -> str:
    """Return the code of why a piece with that text is refused, "" if it is taken."""
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
    if len(text) > LONGEST:
        return "press-long"
    return "" if text.strip() else "press-empty"


def _readers(piece: PressPiece) -> tuple[str, ...]:
    """Return the readers of a piece, as they are stored."""
    master = (MASTER,) if piece.to_master else ()
    return (*((ALL,) if piece.to_all else piece.readers), *master)


def _remove_signature(game: Game, power: str, text: str) -> str:
    """Return a text without a signature: last lines with the name of the writer or the power."""
    names = {power, *(game.base.powers[power].name(lang) for lang in LANGUAGES)}
    writer = _writer(game, power)
    own = writer.name if writer else ""
    known = {fold(word) for name in (own, *names) for word in _WORD.findall(name)}
    lines = text.rstrip().split("\n")
    while lines and known.issuperset(map(fold, _WORD.findall(lines[-1]))):
        lines.pop()
    return "\n".join(lines)


def _find_writer_names(game: Game, power: str, text: str, piece: PressPiece) -> tuple[str, ...]:
    """Return the names and addresses of the writer in a piece that must not show who wrote it.

    Names of others are not looked for: to refuse one would tell the writer who plays.
    """
    hidden = hides_names(game) and (piece.readers or piece.to_all)
    writer = _writer(game, power)
    if writer is None or not (piece.anonymous or hidden):
        return ()
    return find_names_of(game, [writer], text)


def _writer(game: Game, power: str) -> Player | None:
    return next((player for player in read_players(game) if player.power == power), None)


def _relay(
    game: Game, outbox: Outbox, power: str, piece: PressPiece, text: str, number: int
) -> list[str]:
    """Draft a letter to every reader, and return the powers that have no address."""
    wanted = game.base.powers if piece.to_all else piece.readers
    people = {player.power: player for player in read_people(game) if player.address}
    bots = {player.power for player in read_players(game) if player.is_bot}
    left = []
    for reader in wanted:
        if reader == power or reader in bots:
            continue
        if reader in people:
            letter = _letter(game, power, piece, text, people[reader])
            outbox.draft(LetterKey(PRESS, reader, press=number), letter)
        else:
            left.append(reader)
    return left


def _letter(game: Game, power: str, piece: PressPiece, text: str, reader: Player) -> Letter:
    lang = reader.lang or game.settings()["lang"]
    sentences = load_sentences(lang)
    head = format_press_heading(
        "" if piece.anonymous else power, _readers(piece), game.base, sentences
    )
    foot = sentences.format("press-answer")
    return Letter(
        sentences.format("subject-press"), f"{head}\n\n{text.strip()}\n\n-- \n{foot}\n", lang=lang
    )
