"""Reply codes: the secret code of a power in a phase, by which its answers are recognised.

Every mail that goes out carries the code in its subject and in its reply address, so that a plain
reply brings it back.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from alexmagnum.game.records import CodeRow
from alexmagnum.game.state import Game
from alexmagnum.i18n.folding import fold

_BYTES = 5
"""Random bytes in a code: forty bits, eight letters."""

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_READABLE = bytes.maketrans(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", _ALPHABET.encode())
"""Translates base 32 to letters that nobody mistakes for each other."""

_TOKEN = re.compile(rf"(?<![0-9a-z])[{_ALPHABET}]{{8}}(?![0-9a-z])")
_SUBJECT_TAG = re.compile(rf" \([^()\s]+-[{_ALPHABET}]{{8}}\)\s*$")


class Code(NamedTuple):
    """The power and the phase that a code belongs to."""

    power: str
    phase: str


def find_or_make_code(game: Game, power: str, phase: str) -> str:
    """Return the code of a power in a phase; it is made the first time somebody asks."""
    return find_or_make_codes(game, [power], phase)[power]


def find_or_make_codes(game: Game, powers: Collection[str], phase: str) -> Mapping[str, str]:
    """Return the codes of some powers in a phase; those that are missing are made."""
    known = _read_codes(game, phase)
    if known.keys() >= set(powers):
        return known
    with game.file.writing("code"):
        known = _read_codes(game, phase)  # another command may have been quicker
        missing = [power for power in powers if power not in known]
        return {**known, **{power: _make_code(game, power, phase) for power in missing}}


def _read_codes(game: Game, phase: str) -> dict[str, str]:
    """Return the codes of a phase by power."""
    return {row.power: row.code for row in game.file.select(CodeRow, "WHERE phase = ?", phase)}


def _make_code(game: Game, power: str, phase: str) -> str:
    while True:
        code = base64.b32encode(game.entropy(_BYTES)).translate(_READABLE).decode("ascii")
        added = game.file.change(
            "codes",
            "INSERT INTO codes (power, phase, code) VALUES (?, ?, ?) ON CONFLICT (code) DO NOTHING",
            power,
            phase,
            code,
        )
        if added.rowcount:
            return code


def find_code(game: Game, code: str) -> Code | None:
    """Return the power and the phase of a code, None if there is no such code."""
    row = game.file.find(CodeRow, "WHERE code = ?", code.casefold())
    return Code(row.power, row.phase) if row else None


def list_codes(game: Game) -> frozenset[str]:
    """Return all codes of a game; no two games have one in common, unless one is a copy."""
    return frozenset(row.code for row in game.file.select(CodeRow))


def is_code(text: str) -> bool:
    """Tell whether a text has the form of a code."""
    return _TOKEN.fullmatch(text) is not None


def find_codes(game: Game, texts: Iterable[str]) -> tuple[Code, ...]:
    """Return the game's codes in some texts (a subject, addresses), each once."""
    tokens = dict.fromkeys(token for text in texts for token in _TOKEN.findall(text.casefold()))
    found = (find_code(game, token) for token in tokens)
    return tuple(dict.fromkeys(code for code in found if code))


# -- codes in subjects and addresses --------------------------------------------------------------


def game_slug(game: Game) -> str:
    """Return the game's name as it stands in subjects and addresses: ``perdicca``."""
    plain = re.sub(r"[^a-z0-9]+", "-", fold(game.info.name)).strip("-")
    return plain[:24].strip("-") or "game"


def subject_prefix(game: Game) -> str:
    """Return the beginning of the subject of every mail of the game: ``[AM-perdicca]``."""
    return f"[AM-{game_slug(game)}]"


def subject_tag(game: Game, power: str, phase: str) -> str:
    """Return the end of the subject of a power's mail: ``(TOL-7h2k9mqx)``."""
    return f"({power}-{find_or_make_code(game, power, phase)})"


def remove_subject_tag(subject: str) -> str:
    """Return a subject without the code at its end.

    >>> remove_subject_tag("[AM-perdicca] Orders (TOL-7h2k9mqx)")
    '[AM-perdicca] Orders'
    """
    return _SUBJECT_TAG.sub("", subject)


def reply_address(game: Game, power: str, phase: str) -> str:
    """Return the reply address, with the code after a ``+``; "" if the game has no address."""
    user, at, host = game.settings()["mail_address"].partition("@")
    return f"{user}+{game_slug(game)}-{find_or_make_code(game, power, phase)}@{host}" if at else ""
