"""Reading what people type as arguments: powers, phases, players, settings, files."""

from __future__ import annotations

import codecs
import re
import sys
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import NamedTuple

import click

from alexmagnum.board.examples import list_examples
from alexmagnum.board.load import read_text
from alexmagnum.board.model import Board
from alexmagnum.errors import BadFile, GameError
from alexmagnum.game.mail_sections import phase_word
from alexmagnum.game.state import parse_power
from alexmagnum.game.values import Player
from alexmagnum.i18n.folding import fold
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.mail.parsing.decoding import clean_text

_BETWEEN = re.compile(r"[<>,;\s]+")
"""The characters between the addresses of a person."""


def read_power(text: str, board: Board) -> str:
    """Return the id of a power by id, name, alias or abbreviation.

    Raises:
        GameError: ``no-such-power``.
    """
    return parse_power(board, text)


def read_assignments(pairs: Iterable[str]) -> dict[str, object]:
    """Return the values by name of texts such as ``NAME=VALUE``.

    Raises:
        GameError: ``setting-unreadable``.
    """
    values: dict[str, object] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise GameError("setting-unreadable", text=pair)
        values[name.strip()] = value.strip()
    return values


def read_phase(text: str) -> str:
    """Return the name of a phase as the desk writes it, from English or Italian in any case."""
    plain = re.sub(r"[\s_]+", "-", fold(text).strip())
    return "-".join(phase_word(word) for word in plain.split("-"))


class Person(NamedTuple):
    """A person as somebody writes them: ``Anna Neri <anna@example.org>, <a.neri@example.com>``.

    ``address`` is the first one, "" if there is none.
    """

    name: str
    address: str
    other_addresses: tuple[str, ...]


def read_person(text: str) -> Person:
    """Return the name and the addresses of ``Anna <anna@example.org>, <a.neri@example.com>``.

    Raises:
        GameError: ``person-unreadable``.
    """
    name, _, rest = text.partition("<")
    addresses = tuple(dict.fromkeys(filter(None, _BETWEEN.split(rest))))
    is_closed = text.count("<") == text.count(">") and ">" not in name
    if not name.strip() or not is_closed or "\n" in text or (rest and not addresses):
        raise GameError("person-unreadable", text=text)
    if len(addresses) > 1 and not all("@" in address for address in addresses):
        raise GameError("person-unreadable", text=text)
    return Person(name.strip(), addresses[0] if addresses else "", addresses[1:])


def read_player(text: str, board: Board) -> Player:
    """Return the player of ``TOL=Anna Neri <anna@example.org>``.

    Raises:
        GameError: ``player-unreadable``, ``person-unreadable``, ``no-such-power``.
    """
    power, equals, who = text.partition("=")
    if not equals:
        raise GameError("player-unreadable", text=text, **list_examples(board))
    name, address, others = read_person(who)
    return Player(read_power(power, board), name, address, other_addresses=others)


def read_bots(texts: Iterable[str], board: Board, played: Collection[str] = ()) -> dict[str, str]:
    """Return bots by power from texts such as ``LIS=dumb``; a bot alone is for all other powers.

    Raises:
        GameError: ``bot-unreadable``, ``no-such-power``, ``two-players`` (also for ``played``
            powers).
        AlexMagnumError: ``no-such-bot``.
    """
    from alexmagnum.bots import load_bot  # bots need the judge

    bots: dict[str, str] = {}
    others = ""
    for text in texts:
        power, equals, bot = (part.strip() for part in text.rpartition("="))
        if not bot or (others and not equals) or bool(power) != bool(equals):
            raise GameError("bot-unreadable", text=text, example=f"{next(iter(board.powers))}=dumb")
        load_bot(bot)
        if not equals:
            others = bot
            continue
        whose = read_power(power, board)
        if whose in played or whose in bots:
            raise GameError("two-players", power=whose)
        bots[whose] = bot
    free = [power for power in board.powers if others and power not in (*played, *bots)]
    return {**bots, **dict.fromkeys(free, others)}


def read_text_of(path: Path | None, lang: str) -> str:
    """Return the text of a file, or of standard input for ``-`` or None, safe for a terminal.

    Somebody else may have written it, so control characters are taken out, as in mail.

    Raises:
        BadFile: the file cannot be read.
    """
    return clean_text(read_raw_text(path, lang))


def read_raw_text(path: Path | None, lang: str) -> str:
    """Return the text of a file, or of standard input, as it stands there.

    Mail programs save mail in other encodings: a text that is not UTF-8 is read as UTF-16 if it
    begins with that mark, else as Windows-1252, and a line on standard error says so.

    Raises:
        BadFile: the file cannot be read.
    """
    if path is not None and str(path) != "-":
        try:
            return read_text(path)
        except BadFile as error:
            if error.code != "not-utf8":
                raise
            data = path.read_bytes()
    else:
        if sys.stdin.isatty():
            click.echo(load_sentences(lang).format("desk-type"), err=True)
        data = sys.stdin.buffer.read()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        encoding = "utf-16" if wide else "cp1252"
        click.echo(load_sentences(lang).format("desk-encoding", encoding=encoding), err=True)
        return data.decode(encoding, errors="replace")
