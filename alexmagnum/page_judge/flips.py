"""What would flip an order, for a page: changes of one unit's order, told as they are found."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from alexmagnum.errors import BadJson
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge.outcome import WANTED
from alexmagnum.notation import write_order
from alexmagnum.orders import Order
from alexmagnum.position import Position, Unit
from alexmagnum.whatif.candidates import given_orders
from alexmagnum.whatif.flip_text import (
    flips_as_data,
    format_change,
    format_result,
    write_in_language,
)
from alexmagnum.whatif.flips import Flip, Flips
from alexmagnum.whatif.nearby import find_nearby_units

_LISTED = 0.5
"""The part of the work after which all orders to try are listed."""

Progress = Callable[[Mapping[str, Any]], None]


def find_flips(
    position: Position,
    orders: Mapping[str, Sequence[Order]],
    unit: Unit,
    sentences: Sentences,
    progress: Progress | None,
) -> dict[str, Any]:
    """Return the changes of one unit's order that give an order another result.

    As ``whatif --flip`` does, changes by other powers are given first; then, if the order fails,
    those by its own power that let it succeed.  ``progress`` is called with the ``part`` that is
    done, and with each change as it is ``found``, ``by`` others or its own power.

    Raises:
        BadJson: the phase is not one of movement.
    """
    if position.phase.kind != "movement":
        raise BadJson("page-flips-movement", "position")
    near = find_nearby_units(position, given_orders(position, orders), unit)
    if progress is not None:
        progress({"part": 0})
    flips = Flips(position, orders, unit, varied=near)
    others = [power for power in position.board.powers if power != unit.power]
    answer = {**_describe_question(flips, sentences), "others": [], "own": None}
    searches: list[tuple[str, Collection[str], Collection[str]]] = [("others", others, ())]
    if flips.result not in WANTED:
        answer["own"] = []
        searches.append(("own", [unit.power], WANTED))
    for number, (by, powers, wanted) in enumerate(searches):
        if progress is not None:
            flips.watch = _Share(progress, number, len(searches)).show
        for flip in flips.search(powers, wanted=wanted, most=1):
            found = _describe_flip(flips, flip, sentences)
            answer[by].append(found)
            if progress is not None:
                progress({"by": by, "found": found})
    return answer


class _Share:
    """Shows the progress of one of several searches as a part of them all."""

    def __init__(self, progress: Progress, number: int, searches: int) -> None:
        self.progress = progress
        self.number = number
        self.searches = searches

    def show(self, part: float) -> None:
        """Show the part of this search that is done."""
        done = (self.number + part) / self.searches
        self.progress({"part": _LISTED + (1 - _LISTED) * done})


def _describe_question(flips: Flips, sentences: Sentences) -> dict[str, Any]:
    """Return the order in question with its result and the reason, in words too."""
    name = flips.position.name(flips.unit)
    text = name if flips.order is None else write_in_language(flips.order, sentences)
    return {
        "unit": name,
        "order": None if flips.order is None else write_order(flips.order),
        "result": flips.result,
        "text": f"{text}: {format_result(flips.outcome, flips.unit, sentences)}",
    }


def _describe_flip(flips: Flips, flip: Flip, sentences: Sentences) -> dict[str, Any]:
    text = format_change(flip.changes[0], flips.position, sentences)
    return {"text": text, **flips_as_data(flips, [flip], sentences)[0]}
