"""A turn or a case as read from a file, and what a run of it showed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from alexmagnum.position import Position


@dataclass(frozen=True, slots=True)
class Turn:
    """A position and the orders for it as written, by power id.

    ``previous`` is the movement turn before a retreat phase that gives one instead of a
    position; its outcome is the position then (``position`` is None).
    """

    position: Position | None
    orders: Mapping[str, tuple[str, ...]]
    previous: Case | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """A turn with an ``id``, the rulings it pins, and the outcome it expects.

    ``expect`` keeps the file's keys; a key that is not there is not checked.
    """

    id: str
    title: str
    turn: Turn
    expect: Mapping[str, Any]
    clauses: tuple[str, ...] = ()
    source: str = ""


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that came out otherwise than expected; ``what`` names the key of ``expect``."""

    what: str
    expected: str
    got: str

    def __str__(self) -> str:
        return f"{self.what}: expected {self.expected}, got {self.got}"


@dataclass(frozen=True, slots=True)
class CaseRun:
    """A case and how it came out: it passed if there is no difference."""

    case: Case
    differences: tuple[Difference, ...] = field(default=())

    @property
    def passed(self) -> bool:
        return not self.differences
