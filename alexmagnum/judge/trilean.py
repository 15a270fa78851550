"""Yes, no, or not yet known: the values of a decision while a turn is being worked out."""

from __future__ import annotations

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
