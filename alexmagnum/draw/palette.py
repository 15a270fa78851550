"""Colours, patterns and letters that distinguish the powers, in colour and in black and white."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from alexmagnum.board.model import INDEPENDENT, Board

SPARE = ("#E1C328", "#0C4DE0", "#D9240B", "#262626", "#1DBF7D", "#903C98", "#FFFFFF", "#B0713A")
"""Colours for powers that have none on the map."""

NOBODY = ""

PATTERNS = ("dots", "rising", "falling", "cross", "level", "upright", "rings", "grid")
"""The pattern of each power, so that tints differ in black and white too."""


@dataclass(frozen=True, slots=True)
class Livery:
    """The looks of a power: its colour, the colour of ink upon it, its pattern and its letter."""

    power: str
    color: str
    ink: str
    pattern: str
    letter: str


def assign_liveries(board: Board) -> Mapping[str, Livery]:
    """Return the liveries by id: of every power, the independents, and nobody (in the legend)."""
    letters = assign_letters(board)
    found = {
        power.id: Livery(
            power.id,
            color := power.color or SPARE[i % len(SPARE)],
            choose_ink(color),
            PATTERNS[i % len(PATTERNS)],
            letters[power.id],
        )
        for i, power in enumerate(board.powers.values())
    }
    return {
        **found,
        INDEPENDENT: Livery(INDEPENDENT, "#FFFDF5", "#000000", "", ""),
        NOBODY: Livery(NOBODY, "#8A7A5C", "#FFFFFF", "", ""),
    }


def assign_letters(board: Board) -> Mapping[str, str]:
    """Return a letter for each power: the first of its id that no power before it has."""
    taken: dict[str, str] = {}
    for power in board.powers:
        free = (c for c in power.upper() if c.isalnum() and c not in taken.values())
        taken[power] = next(free, power[:1].upper())
    return taken


def choose_ink(color: str) -> str:
    """Return black or white, whichever contrasts more with a colour (by WCAG's luminance)."""
    light = luminance(color)
    return "#FFFFFF" if 1.05 / (light + 0.05) > (light + 0.05) / 0.05 else "#000000"


def luminance(color: str) -> float:
    """Return the luminance of a colour ``#RRGGBB``, from 0 to 1 (WCAG 2)."""
    parts = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def mix_colors(color: str, ground: str, share: float) -> str:
    """Return a mixture of two colours as ``#RRGGBB``; ``share`` is the part of the first."""
    parts = [
        round(int(color[i : i + 2], 16) * share + int(ground[i : i + 2], 16) * (1 - share))
        for i in (1, 3, 5)
    ]
    return "#" + "".join(f"{part:02x}" for part in parts)
