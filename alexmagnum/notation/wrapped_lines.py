"""Orders that a mail program broke in two because the line was long."""

from __future__ import annotations

from collections.abc import Sequence

from alexmagnum.notation.model import Line

WRAPPED_FROM = 60
"""Characters from which on a line may have been broken: no program breaks shorter ones."""


def may_go_on(line: str, following: str) -> bool:
    """Was there no more room on a line for the first word of the next one?"""
    first = following.split(maxsplit=1)
    return bool(first) and len(line.rstrip()) + len(first[0]) >= WRAPPED_FROM


def is_one_order(apart: Sequence[Line], below: Sequence[Line], joined: Sequence[Line]) -> bool:
    """Do two lines make an order only together?

    ``apart`` is what the upper one comes to by itself, ``below`` the lower one, ``joined`` both
    as one.  The joined one must make use of the lower one: an order that leaves its end aside is
    read as well without it.  Where the upper one is an order by itself the lower one must be
    none; where it is a piece of one, the lower one may look like one: ``A MEN supports the army
    of`` and ``Thebes to Nubia``.
    """
    last = joined[-1]
    if len(apart) != len(joined) or last.order is None or last.order == apart[-1].order:
        return False
    if any(notice.code == "ignored" for notice in last.notices):
        return False
    return apart[-1].error is not None or all(line.order is None for line in below)
