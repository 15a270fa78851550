"""The judge: the outcome of a phase, as a pure function of its position and orders."""

from __future__ import annotations

import copyreg
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from alexmagnum.judge import other_phases
from alexmagnum.judge.knots import decide_everything
from alexmagnum.judge.outcome import OrderOutcome, Outcome, PhaseOutcome, Reason
from alexmagnum.judge.results import MovementOutcome, list_given_orders, resolve_movement
from alexmagnum.judge.validation import lay_out_orders, list_orders, refuse_bad_position
from alexmagnum.orders import Order
from alexmagnum.position import Position

__all__ = ["OrderOutcome", "Outcome", "Reason", "adjudicate", "resolve_movement", "resolve_phase"]

_OTHER_PHASES: Mapping[str, Callable[[Position, Mapping[str, Sequence[Order]]], PhaseOutcome]] = {
    "picks": other_phases.resolve_picks,
    "deployment": other_phases.resolve_deployment,
    "retreats": other_phases.resolve_retreats,
    "winter": other_phases.resolve_winter,
}
"""By kind of phase, the rules that resolve it; all kinds but ``movement``."""


def adjudicate(position: Position, orders: Mapping[str, Iterable[Order]]) -> Outcome:
    """Resolve the phase of ``position``: movement, retreats, winter, picks or deployment.

    ``orders`` maps a power's id to its orders in the order written: a list, a tuple, or any other
    iterable.  A unit without an order holds; in retreats it is lost.  In winter, builds without an
    order are waived and removals follow civil disorder.  Orders against the rules of the game raise
    no error: their result says so.

    Raises:
        BadPosition: a unit or an owner is not of the map, a unit cannot stand where it does, or two
            units hold one place.
        BadOrders: an unknown power or province, a text in place of an order, or no list of orders.
    """
    refuse_bad_position(position)
    if position.phase.kind == "movement":
        return MovementOutcome(position, decide_everything(lay_out_orders(position, orders)))
    return resolve_phase(position, list_orders(position, orders))


def resolve_phase(position: Position, orders: Mapping[str, Sequence[Order]]) -> Outcome:
    """Resolve a phase as :func:`adjudicate` does, for callers whose input is sound already."""
    if (resolve := _OTHER_PHASES.get(position.phase.kind)) is not None:
        return resolve(position, orders)
    return resolve_movement(position, orders)


def _reduce_outcome(outcome: MovementOutcome) -> tuple[Any, ...]:
    """Tell pickle how to make an outcome again: from its position and orders."""
    return resolve_movement, (outcome.position, list_given_orders(outcome))


copyreg.pickle(MovementOutcome, _reduce_outcome)
