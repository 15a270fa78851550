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
    left = [(unit, 0)]
    while left:
        asked, depth = left.pop()
        if asked in told:
            continue
        told.add(asked)
        fates = outcome.fates(asked)
        steps += [Step(depth, fate) for fate in fates]
        causes = [cause for fate in fates for cause in fate.reason.causes]
        left += [(cause, depth + 1) for cause in reversed(causes)]
    return tuple(steps)
