"""Yes, no, or not yet known: the values of a decision while a turn is being worked out."""

from __future__ import annotations

from collections.abc import Iterable

NO, YES, UNKNOWN = 0, 1, 2


def both(a: int, b: int) -> int:
    """NO if either is, UNKNOWN if either is, else YES."""
    if NO in (a, b):
        return NO
    return UNKNOWN if UNKNOWN in (a, b) else YES


def either(a: int, b: int) -> int:
    """YES if either is, UNKNOWN if either is, else NO."""
    if YES in (a, b):
        return YES
    return UNKNOWN if UNKNOWN in (a, b) else NO


def negation(a: int) -> int:
    """YES for NO, NO for YES."""
    return a if a == UNKNOWN else YES - a


def weigh(condition: int, if_yes: int, if_no: int) -> int:
    """The one or the other; while the condition is unknown what both agree on, if they do."""
    if condition == YES or if_yes == if_no:
        return if_yes
    return if_no if condition == NO else UNKNOWN


def count(values: Iterable[int]) -> tuple[int, int]:
    """How many are YES at the least, and at the most."""
    listed = list(values)
    return listed.count(YES), len(listed) - listed.count(NO)
