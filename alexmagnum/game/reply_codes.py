"""The code by which an answer is known: secret, one to each power and phase.

Every mail that goes out carries it in its subject and in the address to answer to, so that a plain
reply brings it back.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable
from typing import NamedTuple

from alexmagnum.game.state import Game
from alexmagnum.i18n.folding import fold

_BYTES = 5
"""Of chance in a code: forty bits, eight letters."""

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_READABLE = bytes.maketrans(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", _ALPHABET.encode())
"""From the usual letters of base 32 to some that are not taken for each other."""

_TOKEN = re.compile(rf"(?<![0-9a-z])[{_ALPHABET}]{{8}}(?![0-9a-z])")


class Code(NamedTuple):
    """Whose code it is, and of which phase."""

    power: str
    phase: str


def find_or_make_code(game: Game, power: str, phase: str) -> str:
    """The code of a power in a phase, made when it is first wanted."""
    found = _kept(game, power, phase)
    if found:
        return found
    with game.file.writing("code"):
        # Another command may have been quicker.
        return _kept(game, power, phase) or _made(game, power, phase)


def _kept(game: Game, power: str, phase: str) -> str:
    row = game.file.row("SELECT code FROM codes WHERE power = ? AND phase = ?", power, phase)
    return str(row["code"]) if row else ""


def _made(game: Game, power: str, phase: str) -> str:
    while True:
        code = base64.b32encode(game.entropy(_BYTES)).translate(_READABLE).decode("ascii")
        if not find_code(game, code):
            game.file.insert("codes", power=power, phase=phase, code=code)
            return code


def find_code(game: Game, code: str) -> Code | None:
    """Whose a code is; None if it is nobody's."""
    row = game.file.row("SELECT power, phase FROM codes WHERE code = ?", code.casefold())
    return Code(row["power"], row["phase"]) if row else None


def find_codes(game: Game, texts: Iterable[str]) -> tuple[Code, ...]:
    """The codes of the game that stand in some texts (a subject, addresses), each once."""
    tokens = dict.fromkeys(token for text in texts for token in _TOKEN.findall(text.casefold()))
    found = (find_code(game, token) for token in tokens)
    return tuple(dict.fromkeys(code for code in found if code))


# -- where they stand ------------------------------------------------------------------------------


def game_slug(game: Game) -> str:
    """The game's name as it stands in subjects and addresses: ``perdicca``."""
    plain = re.sub(r"[^a-z0-9]+", "-", fold(str(game.row["name"]))).strip("-")
    return plain[:24].strip("-") or "game"


def subject_prefix(game: Game) -> str:
    """What the subject of every mail of the game begins with: ``[AM-perdicca]``."""
    return f"[AM-{game_slug(game)}]"


def subject_tag(game: Game, power: str, phase: str) -> str:
    """What the subject of a power's mail ends with: ``(TOL-7h2k9mqx)``."""
    return f"({power}-{find_or_make_code(game, power, phase)})"


def reply_address(game: Game, power: str, phase: str) -> str:
    """The address to answer to, with the code behind a ``+``; "" where the game has none."""
    user, at, host = game.settings()["mail_address"].partition("@")
    return f"{user}+{game_slug(game)}-{find_or_make_code(game, power, phase)}@{host}" if at else ""
