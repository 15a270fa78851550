"""A player that decides by chance, for every phase of the calendar.

The player sees the position and its own orders only, so that it cannot cheat.  It plays well enough
for things to happen: it goes for centres, supports its own attacks, and forgets or miswrites an
order now and then.  Everything is drawn from one generator and nothing depends on the order of a
set: the same generator gives the same orders.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Final

from alexmagnum.bots.random_moves import movement_orders
from alexmagnum.judge.cyprus import list_legal_picks
from alexmagnum.judge.winter import count_adjustments, list_building_rooms, measure_distances
from alexmagnum.orders import Build, Disband, Order, Pick, Remove, Retreat, Waive
from alexmagnum.position import Position

FORGETS: Final = 0.02
"""The chance that an order is forgotten."""
GIVES_UP: Final = 0.06
"""The chance that a unit that could retreat is disbanded, or that a build is waived."""
_STRAYS: Final = 6
"""The steps by which a pick may seem nearer to the power's centres than it is."""
_STEP: Final = 1 << 40
"""The length of a step: strays are whole numbers below some of these."""

Decide = Callable[[Position, str, Random], Sequence[Order]]


def random_orders(position: Position, rng: Random) -> dict[str, list[Order]]:
    """Return orders for every power that has any to give, in the map's sequence of powers.

    Nearly all are legal; powers in revolt order nothing (R3).
    """
    decide = DECISIONS[position.phase.kind]
    orders = {}
    for power in position.board.powers:
        if not position.in_revolt(power):
            orders[power] = list(decide(position, power, rng))
    return {power: listed for power, listed in orders.items() if listed}


# -- the Cyprus year ----------------------------------------------------------------------------


def pick_centres(position: Position, power: str, rng: Random) -> list[Order]:
    """Pick one centre, most often one near those that the power has (R30)."""
    if rng.random() < FORGETS:
        return []
    centres = list(position.board.centres)
    if rng.random() < FORGETS:
        return [Pick(rng.choice(centres))]  # any centre: the pick may be void
    distance = measure_distances(position.board, position.centres_of(power))
    strays = [_STRAYS * int(rng.random() * _STEP) for _ in centres]  # in whole numbers
    ranked = sorted(
        [(distance[c] * _STEP + stray, c) for c, stray in zip(centres, strays, strict=True)]
    )
    centres = [centre for _, centre in ranked]
    return list(list_legal_picks(position, power, map(Pick, centres))[:1])


def deploy(position: Position, power: str, rng: Random) -> list[Order]:
    """Place a unit in most of the power's centres, one of them perhaps the general (R31)."""
    centres = list(position.centres_of(power))
    rng.shuffle(centres)
    placed: list[Order] = []
    has_general = rng.random() < 0.3  # then the first army becomes the general
    for centre in centres:
        if rng.random() < FORGETS:
            continue
        kinds = "AF" if has_general or not position.board.rules.nobility else "GAF"
        order = _new_unit(position, centre, kinds, rng)
        has_general = has_general or order.unit[0] == "G"
        placed.append(order)
    return placed


def _new_unit(position: Position, centre: str, kinds: str, rng: Random) -> Build:
    """Return a unit to be placed in a centre, of any of the kinds that can stand there."""
    province = position.board.provinces[centre]
    if not (province.coastal or province.rivers):
        kinds = kinds.replace("F", "")
    kind = rng.choice(kinds)
    if kind == "F" and province.coasts:
        return Build(f"F {centre}/{rng.choice(province.coasts)}")
    return Build(f"{kind} {centre}")


# -- retreats and winter ------------------------------------------------------------------------


def retreat(position: Position, power: str, rng: Random) -> list[Order]:
    """Retreat with every dislodged unit to a province that is open to it, or disband it."""
    orders: list[Order] = []
    for dislodged in position.dislodged:
        if dislodged.unit.power != power or rng.random() < FORGETS:
            continue
        name = position.name(dislodged.unit)
        if not dislodged.retreats or rng.random() < GIVES_UP:
            orders.append(Disband(name))
        else:
            orders.append(Retreat(name, rng.choice(dislodged.retreats)))
    return orders


def adjust(position: Position, power: str, rng: Random) -> list[Order]:
    """Build where there is room, and remove units if there are too many (R32)."""
    due = count_adjustments(position)[power]
    if due < 0:
        return list(_removals(position, power, -due, rng))
    return list(_builds(position, power, due, rng)) if due else []


def _removals(position: Position, power: str, due: int, rng: Random) -> Iterator[Order]:
    """Remove any units, seldom the general; now and then too few."""
    units = sorted(position.units_of(power))
    rng.shuffle(units)
    units.sort(key=lambda unit: unit.kind == "G" and rng.random() > FORGETS)
    for unit in units[:due]:
        if rng.random() >= FORGETS:
            yield Remove(position.name(unit))


def _builds(position: Position, power: str, due: int, rng: Random) -> Iterator[Order]:
    """Build in the free building centres, most often a general if there is none (R28)."""
    places = list(list_building_rooms(position, power))
    rng.shuffle(places)
    has_general = any(unit.kind == "G" for unit in position.units_of(power))
    generals = bool(position.board.rules.nobility) and not has_general
    for centre in places[:due]:
        if rng.random() < GIVES_UP:
            yield Waive()
            continue
        order = _new_unit(position, centre, "GGGAF" if generals else "AF", rng)
        generals = generals and order.unit[0] != "G"
        yield order


DECISIONS: dict[str, Decide] = {
    "picks": pick_centres,
    "deployment": deploy,
    "movement": movement_orders,
    "retreats": retreat,
    "winter": adjust,
}
"""The function that decides each kind of phase."""
