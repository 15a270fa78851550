"""The bot *dumb*: greedy for near centres, with supports, in every kind of phase."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Final

from alexmagnum.board.geography import Province, split_location
from alexmagnum.bots.map_weights import SCALE, weigh_map
from alexmagnum.bots.movement_plan import MovementPlan
from alexmagnum.bots.outlook import Outlook
from alexmagnum.bots.picks import PickDraft
from alexmagnum.judge.winter import count_adjustments, list_building_rooms
from alexmagnum.orders import Build, Disband, Order, Remove, Retreat, Waive
from alexmagnum.position import Position

_DEFENCE: Final = 10 * SCALE
"""The worth of a new unit for each strength that rivals can bring to its place."""


class DumbBot:
    """DumbBot's scheme for every kind of phase; fast enough for thousands of games.

    Its figures for the last position asked about are kept.
    """

    name = "dumb"

    def __init__(self) -> None:
        self._outlook: Outlook | None = None
        self._draft: PickDraft | None = None

    def orders(self, position: Position, power: str, rng: Random) -> Sequence[Order]:
        """Return a power's orders; see :class:`~alexmagnum.bots.bot.Bot`."""
        if position.in_revolt(power):
            return []
        kind = position.phase.kind
        if kind == "picks":
            return self._draft_picks(position).pick(power, rng)
        outlook = self.look_at(position)
        if kind == "movement":
            return MovementPlan(outlook, power, rng).list_orders()
        if kind == "retreats":
            return retreat(outlook, power)
        if kind == "deployment":
            return deploy(outlook, power)
        return adjust(outlook, power)

    def look_at(self, position: Position) -> Outlook:
        """Return what all powers see in a position; the last one is kept."""
        known = self._outlook
        if known is None or known.position is not position:
            known = self._outlook = Outlook(position, weigh_map(position.board))
        return known

    def _draft_picks(self, position: Position) -> PickDraft:
        """Return what all powers want to pick in a position; the last one is kept."""
        known = self._draft
        if known is None or known.position is not position:
            known = self._draft = PickDraft(position, weigh_map(position.board))
        return known


# -- new units, retreats and winter ---------------------------------------------------------------


def deploy(outlook: Outlook, power: str) -> list[Order]:
    """Place a unit in every free centre of the power, a general in the best (R31)."""
    position = outlook.position
    due = count_adjustments(position)[power]
    occupied = {unit.province for unit in position.units}
    free = [centre for centre in position.centres_of(power) if centre not in occupied]
    return _place_units(outlook, power, free, due)


def retreat(outlook: Outlook, power: str) -> list[Order]:
    """Retreat with each unit to the best place open to it, each to another one."""
    position = outlook.position
    orders: list[Order] = []
    taken: set[str] = set()
    dislodged = [d for d in position.dislodged if d.unit.power == power]
    for lost in sorted(dislodged, key=lambda d: (d.unit.kind != "G", len(d.retreats), d.unit)):
        name = position.name(lost.unit)
        ways = [to for to in lost.retreats if split_location(to)[0] not in taken]
        if not ways:
            orders.append(Disband(name))
            continue
        node = outlook.weights.node
        best = max(ways, key=lambda to: (outlook.value(node(lost.unit.kind, to), power), to))
        taken.add(split_location(best)[0])
        orders.append(Retreat(name, best))
    return orders


def adjust(outlook: Outlook, power: str) -> list[Order]:
    """Build where new units are worth most, remove those that are worth least (R32)."""
    position = outlook.position
    due = count_adjustments(position)[power]
    if due < 0:
        units = sorted(
            position.units_of(power),
            key=lambda u: (
                u.kind == "G",
                outlook.value(outlook.weights.node(u.kind, u.location), power),
                u,
            ),
        )
        return [Remove(position.name(unit)) for unit in units[:-due]]
    builds = _place_units(outlook, power, list_building_rooms(position, power), due)
    return [*builds, *(Waive() for _ in range(due - len(builds)))]


def _place_units(outlook: Outlook, power: str, rooms: Iterable[str], most: int) -> list[Order]:
    """Return builds in the best of some centres; the first is a general if the power has none."""
    position = outlook.position
    has_general = any(unit.kind == "G" for unit in position.units if unit.power == power)
    kinds = "G" if position.board.rules.nobility and not has_general else "AF"
    left = list(rooms)
    builds: list[Order] = []
    while left and len(builds) < most:
        _, text, centre = max(
            (_value_new_unit(outlook, power, text), text, centre)
            for centre in left
            for text in _list_new_units(position.board.provinces[centre], kinds)
        )
        builds.append(Build(text))
        left.remove(centre)
        kinds = "AF"
    return builds


def _list_new_units(province: Province, kinds: str) -> list[str]:
    """Return the units that can be placed in a centre; only a general if one is wanted."""
    if "G" in kinds:
        return [f"G {province.id}"]
    texts = [f"A {province.id}"]
    if province.coastal or province.rivers:
        texts += [f"F {province.id}/{coast}" for coast in province.coasts] or [f"F {province.id}"]
    return texts


def _value_new_unit(outlook: Outlook, power: str, text: str) -> int:
    """Return what it is worth to place a unit, more where rivals are near."""
    kind, location = text.split()
    weights = outlook.weights
    node = weights.node(kind, location)
    defence = _DEFENCE * outlook.threat(weights.province_of[node], power)
    return outlook.value(node, power) + defence
