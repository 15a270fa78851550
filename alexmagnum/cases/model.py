"""Turns and cases as they are read from files, and the result of running a case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from alexmagnum.board.model import Board
from alexmagnum.position import Position


@dataclass(frozen=True, slots=True)
class Turn:
    """A position and the orders for it as written, by power id.

    A retreat phase may have the movement phase before it, ``previous``, instead of a position: then
    ``position`` is None, and the outcome of ``previous`` is the position.
    """

    position: Position | None
    orders: Mapping[str, tuple[str, ...]]
    previous: Case | None = None

    @property
    def board(self) -> Board:
        """The board on which the turn is played."""
        if self.position is not None:
            return self.position.board
        assert self.previous is not None, "a turn has a position or a previous phase"
        return self.previous.turn.board


@dataclass(frozen=True, slots=True)
class Case:
    """A turn with an ``id``, the rulings it pins, and the outcome it expects.

    ``expect`` has the keys of the file; what has no key is not checked.
    """

    id: str
    title: str
    turn: Turn
    expect: Mapping[str, Any]
    clauses: tuple[str, ...] = ()
    source: str = ""


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference from the expected outcome; ``what`` names the key of ``expect``."""

    what: str
    expected: str
    got: str

    def __str__(self) -> str:
        return f"{self.what}: expected {self.expected}, got {self.got}"


@dataclass(frozen=True, slots=True)
class CaseRun:
    """A case that was run, with all differences from the expected outcome."""

    case: Case
    differences: tuple[Difference, ...] = field(default=())

    @property
    def passed(self) -> bool:
        """True if there is no difference."""
        return not self.differences
