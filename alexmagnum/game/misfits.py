"""Orders of a resolved phase that no longer fit after a correction.

They fit if each can be read in the new position, none has become impossible, and no unit lacks an
order that had one before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from alexmagnum.errors import NotationError
from alexmagnum.game.mail_orders import list_reason_data
from alexmagnum.game.outcome_store import read_sealed_inputs
from alexmagnum.game.records import OutcomeRow
from alexmagnum.game.required_orders import (
    find_missing_after_house_rules,
    find_required_orders,
)
from alexmagnum.game.state import Game
from alexmagnum.game.stored_orders import Inputs, parse_inputs
from alexmagnum.game.values import Misfit
from alexmagnum.judge.checking import IMPOSSIBLE, Check, check_orders
from alexmagnum.notation import read_order, write_order
from alexmagnum.orders import Order
from alexmagnum.position import Position

MISSING = "misfit-missing"
"""The code of what has no order in the new position, and had one before."""

Orders = Mapping[str, Sequence[Order]]


def find_new_demands(position: Position, code: str) -> tuple[Misfit, ...]:
    """Return all that a phase asks for which asked for nothing before, or was not there."""
    return tuple(
        Misfit(power, thing, code, {})
        for power, things in find_required_orders(position).items()
        for thing in things
    )


def find_lost_orders(game: Game, power: str, outcome: int) -> tuple[Misfit, ...]:
    """Return the orders of a power in an outcome that counts no more, as far as they do not fit the
    phase that is open now."""
    (row,) = game.file.select(OutcomeRow, "WHERE outcomes.id = ?", outcome)
    inputs = {p: given for p, given in read_sealed_inputs(game, outcome).items() if p == power}
    now = game.position(game.head().id)
    misfits = find_misfits(game.position(row.phase, row.rules), now, inputs, game.settings())
    return tuple(misfit for misfit in misfits if misfit.code != MISSING)


def find_misfits(
    then: Position, now: Position, inputs: Mapping[str, Inputs], settings: Mapping[str, str]
) -> tuple[Misfit, ...]:
    """Return the orders of a phase that no longer fit, and what lacks an order now.

    ``then`` is the position in which they were given, ``now`` that in which they are to count.
    """
    unread = tuple(_find_unreadable(now, inputs))
    if unread:
        return unread
    old, new = parse_inputs(then, inputs), parse_inputs(now, inputs)
    return (*_find_illegal(then, now, old, new), *_find_missing(then, now, old, new, settings))


def _find_unreadable(now: Position, inputs: Mapping[str, Inputs]) -> Iterator[Misfit]:
    for power, given in inputs.items():
        for text in given.orders:
            try:
                read_order(text, now, power)
            except NotationError as error:
                data = {name: str(value) for name, value in error.data.items()}
                yield Misfit(power, text, error.code, data)


def _find_illegal(then: Position, now: Position, old: Orders, new: Orders) -> Iterator[Misfit]:
    for power in now.board.powers:
        before = {write_order(check.order) for check in _check(then, power, old)}
        for check in _check(now, power, new):
            order = write_order(check.order)
            if order not in before:
                assert check.reason is not None, "an impossible order has a reason"
                data = list_reason_data(now, check.reason)
                yield Misfit(power, order, check.reason.code, data)


def _check(position: Position, power: str, orders: Orders) -> Iterator[Check]:
    """Yield the impossible orders of a power."""
    checks = check_orders(position, {power: orders.get(power, ())})
    return (check for check in checks if check.verdict == IMPOSSIBLE)


def _find_missing(
    then: Position, now: Position, old: Orders, new: Orders, settings: Mapping[str, str]
) -> Iterator[Misfit]:
    before = find_missing_after_house_rules(then, settings, old)
    for power, things in find_missing_after_house_rules(now, settings, new).items():
        missed = before.get(power, ())
        more = [thing for thing in things if thing not in missed]
        more += list(things)[len(missed) :] if not more else []  # builds have no names
        yield from (Misfit(power, thing, MISSING, {}) for thing in more)
