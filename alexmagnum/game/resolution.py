"""Resolving a phase: its outcome with what house rules add, and the position that follows.

Nothing here writes to the file; :mod:`alexmagnum.game.outcome_store` does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from alexmagnum.campaign import homes_after, next_position, owners_after
from alexmagnum.game.open_phase import OpenPhase
from alexmagnum.game.required_orders import find_automatic_orders, is_idle, join_orders
from alexmagnum.game.state import order_as_stored
from alexmagnum.game.stored_orders import Inputs, parse_inputs
from alexmagnum.judge import adjudicate
from alexmagnum.judge.outcome import Outcome
from alexmagnum.notation import write_order
from alexmagnum.orders import Order
from alexmagnum.position import Position


@dataclass(frozen=True, slots=True)
class Resolved:
    """A phase that was adjudicated and is not stored yet: ``inputs`` are the sealed orders by
    power, ``added`` the orders of house rules, ``next`` the position that follows (the last one
    where the game is ``over``)."""

    outcome: Outcome
    inputs: Mapping[str, Inputs]
    added: Mapping[str, tuple[Order, ...]]
    next: Position
    over: bool

    @property
    def orders(self) -> dict[str, tuple[str, ...]]:
        """Return every order that counted, by power."""
        return {
            power: (
                *self.inputs.get(power, Inputs()).orders,
                *map(write_order, self.added.get(power, ())),
            )
            for power in dict.fromkeys((*self.inputs, *self.added))
        }


def resolve_open_phase(phase: OpenPhase) -> Resolved:
    """Adjudicate the open phase with the orders that count now."""
    return _resolve(phase.position, phase.counted, phase.inputs, phase.added)


def resolve(
    position: Position, inputs: Mapping[str, Inputs], settings: Mapping[str, str]
) -> Resolved:
    """Adjudicate a phase with the orders of all powers and what the house rules add.

    Raises:
        NotationError: an order cannot be read in this position.
    """
    orders = parse_inputs(position, inputs)
    added = find_automatic_orders(position, settings, orders)
    return _resolve(position, join_orders(orders, added), inputs, added)


def _resolve(
    position: Position,
    counted: Mapping[str, tuple[Order, ...]],
    inputs: Mapping[str, Inputs],
    added: Mapping[str, tuple[Order, ...]],
) -> Resolved:
    outcome = adjudicate(position, counted)
    after, over = find_next_position(outcome)
    return Resolved(outcome, inputs, added, after, over)


def find_next_position(outcome: Outcome) -> tuple[Position, bool]:
    """Return the position before the next phase, as it is stored, and whether the game is over.

    At the end of the game the position is the last one.
    """
    after = next_position(outcome)
    if after is not None:
        return order_as_stored(after), False
    last = Position(
        outcome.position.board,
        outcome.position.phase,
        outcome.units,
        owners_after(outcome),
        homes_after(outcome),
        outcome.nobility,
        (),
    )
    return order_as_stored(last), True


def resolve_idle_phases(position: Position, settings: Mapping[str, str]) -> Iterator[Resolved]:
    """Resolve the phases from a position on in which nobody has anything to decide."""
    over = False
    while not over and is_idle(position, settings):
        resolved = resolve(position, {}, settings)
        yield resolved
        position, over = resolved.next, resolved.over
