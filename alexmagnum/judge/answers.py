"""Answers that are yes, no or unknown, and how they combine.

Open this file for what :mod:`alexmagnum.judge.movement` says as long as something is undecided.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NewType

Answer = NewType("Answer", int)
"""``NO``, ``YES`` or ``UNKNOWN``; ``NO`` alone is false."""

NO: Final = Answer(0)
YES: Final = Answer(1)
UNKNOWN: Final = Answer(2)


def both(a: Answer, b: Answer) -> Answer:
    """Return NO if either is, else UNKNOWN if either is, else YES."""
    if NO in (a, b):
        return NO
    return UNKNOWN if UNKNOWN in (a, b) else YES


def either(a: Answer, b: Answer) -> Answer:
    """Return YES if either is, else UNKNOWN if either is, else NO."""
    if YES in (a, b):
        return YES
    return UNKNOWN if UNKNOWN in (a, b) else NO


def negation(a: Answer) -> Answer:
    """Return YES for NO and NO for YES."""
    if a == UNKNOWN:
        return UNKNOWN
    return NO if a == YES else YES


def choose(condition: Answer, if_yes: Answer, if_no: Answer) -> Answer:
    """Return the answer for the condition; if that is unknown, the answer that both cases share."""
    if condition == YES or if_yes == if_no:
        return if_yes
    return if_no if condition == NO else UNKNOWN


def count(answers: Iterable[Answer]) -> tuple[int, int]:
    """Return how many answers are YES at least, and how many at most."""
    listed = list(answers)
    return listed.count(YES), len(listed) - listed.count(NO)


def exceeds(least: int, most: int, low: int, high: int) -> Answer:
    """Tell whether an attack strength overcomes what resists it, which a tie does not."""
    if least > high:
        return YES
    return UNKNOWN if most > low else NO
