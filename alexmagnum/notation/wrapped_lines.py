"""Joining orders that a mail program broke over two lines because the line was long."""

from __future__ import annotations

from collections.abc import Sequence

from alexmagnum.notation.model import Line
from alexmagnum.orders import Pick

WRAPPED_FROM = 60
"""Characters from which on a line may have been broken; no mail program breaks shorter ones."""


def may_go_on(line: str, following: str) -> bool:
    """Return whether a line had no room left for the first word of the next line."""
    first = following.split(maxsplit=1)
    return bool(first) and len(line.rstrip()) + len(first[0]) >= WRAPPED_FROM


def is_one_order(apart: Sequence[Line], below: Sequence[Line], joined: Sequence[Line]) -> bool:
    """Return whether two lines make an order only together.

    ``apart`` is the upper line read by itself, ``below`` the lower line, ``joined`` both as one
    line.  The joined order has to use the lower line: an order that leaves its end aside is read
    as well without it.  If the upper line is an order by itself, the lower line must not be one;
    if the upper line is a part of an order, the lower one may look like an order: ``A MEN supports
    the army of`` and ``Thebes to Nubia``.
    """
    last = joined[-1]
    if len(apart) != len(joined) or last.order is None or last.order == apart[-1].order:
        return False
    if any(notice.code == "ignored" for notice in last.notices):
        return False
    return apart[-1].error is not None or all(line.order is None for line in below)


def is_one_pick(apart: Sequence[Line], joined: Sequence[Line]) -> bool:
    """Return whether two lines make a pick with a verb only together: ``scelgo``, ``Babilonia``."""

    def has_pick(lines: Sequence[Line]) -> bool:
        return any(isinstance(line.order, Pick) and not line.bare for line in lines)

    return has_pick(joined) and not any(line.order or line.error for line in apart)
