"""Explanations as chains: the reason of an order, then the reasons of what it rests on."""

from __future__ import annotations

from typing import NamedTuple

from alexmagnum.judge.outcome import Fate, Outcome
from alexmagnum.position import Unit


class Step(NamedTuple):
    """One link of the chain; ``depth`` 0 is the unit to explain, its causes are one deeper."""

    depth: int
    fate: Fate


def explain(outcome: Outcome, unit: Unit) -> tuple[Step, ...]:
    """Return the result of a unit with its chain of causes; each unit is explained once.

    The figures are the resolver's own, so that explanation and result cannot disagree.
    """
    explained: set[Unit] = set()
    steps: list[Step] = []
    left = [(unit, 0)]
    while left:
        current, depth = left.pop()
        if current in explained:
            continue
        explained.add(current)
        fates = outcome.fates(current)
        steps += [Step(depth, fate) for fate in fates]
        causes = [cause for fate in fates for cause in fate.reason.causes]
        left += [(cause, depth + 1) for cause in reversed(causes)]
    return tuple(steps)
