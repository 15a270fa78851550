"""The fields of a letter: sender, recipient, the code to answer with, and the thread."""

from __future__ import annotations

from dataclasses import replace

from alexmagnum.errors import GameError
from alexmagnum.game import reply_codes
from alexmagnum.game.inbox_store import InboxStore
from alexmagnum.game.outbox_store import LetterKey
from alexmagnum.game.players import read_players
from alexmagnum.game.state import Game
from alexmagnum.game.values import Player
from alexmagnum.i18n import zones
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.mail.letters.composition import Letter, make_message_id, plain_address
from alexmagnum.position import parse_phase
from alexmagnum.report.names import phase_name


def address_letter(game: Game, letter: Letter, key: LetterKey, phase: str) -> Letter:
    """Return a letter to the player of a power, with the code of a phase and all other fields.

    All letters to a player refer to one name, which no mail has, so that mail programs show them
    as one thread in whatever order they come.

    Raises:
        GameError: ``no-mail-address``, ``no-address``, ``mail-field``.
    """
    power = key.power
    written = sign_letter(game, letter, power, phase, key.answers)
    player = find_addressee(game, power)
    host = written.sender.partition("@")[2]
    thread = make_message_id(
        f"{game.info.created} {reply_codes.game_slug(game)} {power}", b"", host
    )
    answered = _message_id(game, key.answers)
    lang = letter.lang or player.lang or game.settings()["lang"]
    about = f"{letter.subject}, {phase_words(game, letter.about or phase, lang)}"
    prefix, tag = reply_codes.subject_prefix(game), reply_codes.subject_tag(game, power, phase)
    return replace(
        written,
        subject=f"{prefix} {about} {tag}",
        lang=lang,
        to_name=player.name,
        to=plain_address(player.address),
        message_id=make_message_id(str(key), game.entropy(16), host),
        in_reply_to=answered or thread,
        references=tuple(filter(None, (thread, answered))),
    )


def sign_letter(game: Game, letter: Letter, power: str, phase: str, answers: int | None) -> Letter:
    """Return a letter with the present sender and date, and the address for a power's answers.

    Raises:
        GameError: ``no-mail-address``.
    """
    settings = game.settings()
    if not settings["mail_address"]:
        raise GameError("no-mail-address")
    return replace(
        letter,
        sender_name=settings["mail_name"] or str(game.info.name),
        sender=settings["mail_address"],
        reply_to=reply_codes.reply_address(game, power, phase),
        date=zones.to_local(game.now(), settings["timezone"]),
        auto_submitted="auto-generated" if answers is None else "auto-replied",
    )


def find_addressee(game: Game, power: str) -> Player:
    """Return the player of a power, who has to have an address.

    Raises:
        GameError: ``no-address``.
    """
    for player in read_players(game):
        if player.power == power and player.address:
            return player
    raise GameError("no-address", power=power)


def letter_address(player: Player) -> str:
    """Return the address that letters to a player carry, as registered if no mail can carry it."""
    return plain_address(player.address) if can_be_written_to(player) else player.address


def can_be_written_to(player: Player) -> bool:
    """Return whether a player has an address that every mail program takes."""
    try:
        return bool(player.address and plain_address(player.address))
    except GameError:
        return False


def phase_words(game: Game, phase: str, lang: str) -> str:
    """Return a phase in words: ``Spring 322 BC, movement``."""
    return phase_name(parse_phase(phase, game.base.rules.picks), game.base, load_sentences(lang))


def _message_id(game: Game, message: int | None) -> str:
    """Return the Message-ID of a message that came in, "" if no mail could carry it."""
    key = InboxStore(game.file).key_of(message)
    plain = key.isascii() and key.isprintable() and " " not in key
    return key if plain and key.startswith("<") and key.endswith(">") and "@" in key else ""
