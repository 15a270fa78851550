"""The changes that flip an order, in words and as data for programs and pages."""

from __future__ import annotations

from collections.abc import Iterable

from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge.explanation import format_chain
from alexmagnum.judge.reason_text import format_reason
from alexmagnum.judge.results import MovementOutcome
from alexmagnum.notation import order_in, write_order
from alexmagnum.notation.power_names import power_name
from alexmagnum.orders import Order
from alexmagnum.position import Position, Unit
from alexmagnum.whatif.flips import Change, Flip, Flips

SAME_SHOWN = 3
"""The number of orders that do the same and are named with a change."""


def format_change(change: Change, position: Position, sentences: Sentences) -> str:
    first, *others = (write_in_language(order, sentences) for order in change.orders)
    text = f"{power_name(position.board, change.unit.power, sentences)}: {first}"
    if not others:
        return text
    shown = "; ".join(others[:SAME_SHOWN])
    if len(others) > SAME_SHOWN:
        more = len(others) - SAME_SHOWN
        return f"{text} {sentences.format('flip-same-many', orders=shown, count=more)}"
    return f"{text} {sentences.format('flip-same', orders=shown)}"


def format_result(outcome: MovementOutcome, unit: Unit, sentences: Sentences) -> str:
    fate = outcome.fates(unit)[0]
    return format_reason(fate.reason, outcome.position, sentences)


def write_in_language(order: Order, sentences: Sentences) -> str:
    return order_in(write_order(order), sentences.lang)


def flips_as_data(
    flips: Flips, found: Iterable[Flip], sentences: Sentences
) -> list[dict[str, object]]:
    """Flips for a program."""
    return [
        {
            "changes": [
                {"power": c.unit.power, "orders": [write_order(o) for o in c.orders]}
                for c in flip.changes
            ],
            "result": flip.result,
            "why": format_result(flip.outcome, flips.unit, sentences),
            "chain": list(format_chain(flip.outcome, flips.unit, sentences)),
        }
        for flip in found
    ]
