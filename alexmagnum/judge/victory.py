"""Victory by centres (R33) and victory at the end of the last year (R34).

Every function takes a position after an autumn's change of ownership.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from alexmagnum.position import Position
from alexmagnum.values import Value, seal


@dataclass(init=False, eq=False, slots=True)
class Ending(Value):
    """The end of one game: its winner, or several that share the win, or nobody (R34).

    ``by_centres``: whether it is a victory by centres (R33) or the end of the last year (R34).
    """

    winners: Final[tuple[str, ...]]
    by_centres: Final[bool]

    def __init__(self, winners: tuple[str, ...], by_centres: bool) -> None:
        self.winners = winners
        self.by_centres = by_centres

    def content(self) -> tuple[tuple[str, ...], bool]:
        return self.winners, self.by_centres


seal(Ending)


def find_ending(position: Position, *, last: bool) -> Ending | None:
    """Return how the game ends with this autumn, None if it goes on.

    ``last``: whether this was the last autumn of the game.
    """
    winner = _winner_by_centres(position)
    if winner:
        return Ending((winner,), by_centres=True)
    return Ending(_winners_by_nobility(position), by_centres=False) if last else None


def _winner_by_centres(position: Position) -> str:
    """Return the power that has enough centres, "" if none has or the best are equal (R33)."""
    enough = position.board.rules.victory_centres
    scores = {
        power: (len(position.centres_of(power)), position.points_of(power))
        for power in position.board.powers
        if not position.in_revolt(power) and len(position.centres_of(power)) >= enough
    }
    best = _best(scores)
    return best[0] if len(best) == 1 else ""


def _winners_by_nobility(position: Position) -> tuple[str, ...]:
    """Return the noblest powers that still own a centre; equals are told apart by centres (R34)."""
    scores = {
        power: (position.points_of(power), len(position.centres_of(power)))
        for power in position.board.powers
        if not position.in_revolt(power) and position.centres_of(power)
    }
    return _best(scores)


def _best(scores: Mapping[str, tuple[int, int]]) -> tuple[str, ...]:
    """Return the powers with the highest score; the first of its two figures counts first."""
    top = max(scores.values(), default=None)
    return tuple(power for power, score in scores.items() if score == top)
