"""Why, as a chain: the reason of an order, the reasons of what it rests on, down to facts."""

from __future__ import annotations

from typing import NamedTuple

from alexmagnum.judge.outcome import Fate, Outcome
from alexmagnum.position import Unit


class Step(NamedTuple):
    """One link of the chain; ``depth`` 0 is what was asked about, its causes stand below it."""

    depth: int
    fate: Fate


def explain(outcome: Outcome, unit: Unit) -> tuple[Step, ...]:
    """What became of a unit, and why, cause under cause; each unit is explained once.

    The figures are the resolver's own, so that explanation and result cannot disagree.
    """
    told: set[Unit] = set()
    steps: list[Step] = []
    _tell(outcome, unit, 0, told, steps)
    return tuple(steps)


def _tell(outcome: Outcome, unit: Unit, depth: int, told: set[Unit], steps: list[Step]) -> None:
    told.add(unit)
    for fate in outcome.fates(unit):
        steps.append(Step(depth, fate))
        for cause in fate.reason.causes:
            if cause not in told:
                _tell(outcome, cause, depth + 1, told, steps)
