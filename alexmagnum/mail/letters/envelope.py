"""The fields of a letter: sender, recipient, the code to answer with, and the thread."""

from __future__ import annotations

from dataclasses import replace

from alexmagnum.errors import GameError
from alexmagnum.game import reply_codes
from alexmagnum.game.anonymity import hides_names
from alexmagnum.game.inbox_store import InboxStore
from alexmagnum.game.outbox_store import LetterKey
from alexmagnum.game.players import read_players
from alexmagnum.game.standby import find_standby
from alexmagnum.game.state import Game
from alexmagnum.game.values import Player, Standby
from alexmagnum.i18n import zones
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.mail.letters.composition import Letter, make_message_id, plain_address
from alexmagnum.position import parse_phase
from alexmagnum.report.names import phase_name


def address_letter(game: Game, letter: Letter, key: LetterKey, phase: str) -> Letter:
    """Return a letter to its reader with all fields; to a player with the code of a phase.

    All letters to a reader refer to one name, which no mail has, so that mail programs show them
    as one thread in whatever order they come.

    Raises:
        GameError: ``no-mail-address``, ``no-address``, ``mail-field``.
    """
    written = sign_letter(game, letter, key, phase)
    reader = find_addressee(game, key)
    host = written.sender.partition("@")[2]
    thread = make_message_id(
        f"{game.info.created} {reply_codes.game_slug(game)} {key.reader}", b"", host
    )
    answered = _message_id(game, key.answers, reader)
    lang = letter.lang or reader.lang or game.settings()["lang"]
    about = f"{letter.subject}, {phase_words(game, letter.about or phase, lang)}"
    prefix = reply_codes.subject_prefix(game)
    tag = f" {reply_codes.subject_tag(game, key.power, phase)}" if key.power else ""
    return replace(
        written,
        subject=f"{prefix} {about}{tag}",
        lang=lang,
        to_name=reader.name,
        to=plain_address(reader.address),
        message_id=make_message_id(str(key), game.entropy(16), host),
        in_reply_to=answered or thread,
        references=tuple(filter(None, (thread, answered))),
    )


def sign_letter(game: Game, letter: Letter, key: LetterKey, phase: str) -> Letter:
    """Return a letter with the present sender and date, and the address for a player's answers.

    Whoever plays no power answers to the game's own address.

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
        reply_to=reply_codes.reply_address(game, key.power, phase) if key.power else "",
        date=zones.to_local(game.now(), settings["timezone"]),
        auto_submitted="auto-generated" if key.answers is None else "auto-replied",
    )


def find_addressee(game: Game, key: LetterKey) -> Player | Standby:
    """Return who gets a letter: the player of a power, who has to have an address, or somebody on
    the standby list.

    Raises:
        GameError: ``no-address``, ``no-standby``.
    """
    if key.standby is not None:
        return find_standby(game, key.standby)
    for player in read_players(game):
        if player.power == key.power and player.address:
            return player
    raise GameError("no-address", power=key.power)


def letter_address(player: Player | Standby) -> str:
    """Return the address that letters to a player carry, as registered if no mail can carry it."""
    return plain_address(player.address) if can_be_written_to(player) else player.address


def can_be_written_to(player: Player | Standby) -> bool:
    """Return whether a player has an address that every mail program takes."""
    try:
        return bool(player.address and plain_address(player.address))
    except GameError:
        return False


def phase_words(game: Game, phase: str, lang: str) -> str:
    """Return a phase in words: ``Spring 322 BC, movement``."""
    return phase_name(parse_phase(phase, game.base.rules.picks), game.base, load_sentences(lang))


def _message_id(game: Game, message: int | None, reader: Player | Standby) -> str:
    """Return the Message-ID of a message that came in, "" if no mail could carry it.

    That of a mail that somebody else wrote would tell the reader who it was, if names are hidden.
    """
    store = InboxStore(game.file)
    key = store.key_of(message)
    if not key or message is None:
        return ""
    if hides_names(game) and not store.find(message).is_from(reader.addresses):
        return ""
    plain = key.isascii() and key.isprintable() and " " not in key
    return key if plain and key.startswith("<") and key.endswith(">") and "@" in key else ""
