"""Winter (R32), retreats (R17) and the Cyprus year (R30, R31)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from alexmagnum.board.geography import split_location
from alexmagnum.board.model import Board
from alexmagnum.judge.legality import find_unit
from alexmagnum.judge.outcome import (
    FAILS,
    ILLEGAL,
    REPLACED,
    SUCCEEDS,
    OrderOutcome,
    PhaseOutcome,
    Picks,
    Reason,
    nobility_after,
)
from alexmagnum.orders import Build, Disband, Order, Pick, Remove, Retreat, Waive
from alexmagnum.position import Dislodged, Position, Unit
from alexmagnum.units import KINDS

# The winter: builds, removals, and the civil disorder rule for removals not ordered (R32).


def resolve_winter(position: Position, orders: Mapping[str, Sequence[Order]]) -> PhaseOutcome:
    """Build and remove (DATC 6.I, 6.J); a power's first legal orders count (4.D.4, 4.D.6)."""
    results: list[OrderOutcome] = []
    reasons: list[Reason] = []
    built: list[Unit] = []
    gone: list[Unit] = []
    removed: list[Unit] = []
    adjust = count_adjustments(position)
    for power in dict.fromkeys([*orders, *position.board.powers]):
        winter = _Adjustment(position, power, adjust.get(power, 0))
        for order in orders.get(power, ()):
            unit, result, reason = winter.carry_out(order)
            results.append(OrderOutcome(power, order, unit, result))
            reasons.append(reason)
        built += winter.built
        gone += winter.removed
        removed += winter.list_civil_disorder()
    left = [unit for unit in position.units if unit not in gone and unit not in removed]
    return PhaseOutcome(
        position,
        tuple(results),
        tuple(reasons),
        units=(*left, *built),
        adjust=adjust,
        removed=tuple(removed),
        nobility=nobility_after(position, ()),
    )


def count_adjustments(position: Position) -> Mapping[str, int]:
    """Return the builds due by power, removals if negative, as if every place were free.

    A major city counts for ``major_city_upkeep`` units (R25).  A power in revolt neither builds
    nor removes (R3).
    """
    board = position.board
    due = dict.fromkeys(board.powers, 0)
    for centre, power in position.owners.items():
        due[power] += board.rules.major_city_upkeep if board.provinces[centre].major else 1
    for unit in position.units:
        if unit.power in due:
            due[unit.power] -= 1
    return {power: 0 if position.in_revolt(power) else count for power, count in due.items()}


def list_legal_adjustments(
    position: Position, power: str, orders: Iterable[Order]
) -> tuple[Order, ...]:
    """Return the winter orders that succeed if the power gives each of them alone."""
    winter = _Adjustment(position, power, count_adjustments(position).get(power, 0))
    return tuple(order for order in orders if winter.judge(order)[1] == SUCCEEDS)


def list_building_places(position: Position, power: str) -> tuple[str, ...]:
    """Return the centres where a power may build now (R28).

    It owns them, they are building centres or major cities, and they have a free place.
    """
    board = position.board
    if power not in board.powers or position.in_revolt(power):
        return ()
    homes = {*board.powers[power].homes, *position.homes.get(power, ())}
    return tuple(
        centre
        for centre in position.centres_of(power)
        if (centre in homes or board.provinces[centre].major)
        and find_free_place(position, centre, power)
    )


def find_free_place(position: Position, centre: str, power: str, built: Sequence[Unit] = ()) -> int:
    """Return the lowest free place of a centre for one more unit of a power, 0 if there is none.

    ``built``: units that were built this winter, beyond those of the position.  A city with two
    places is open while only the power's own units are in it (R26).
    """
    there = [unit for unit in (*position.units, *built) if unit.province == centre]
    if any(unit.power != power for unit in there):
        return 0
    taken = {unit.number for unit in there}
    capacity = position.board.provinces[centre].capacity
    return next((n for n in range(1, capacity + 1) if n not in taken), 0)


def list_building_rooms(position: Position, power: str) -> tuple[str, ...]:
    """Return the building places of a power now, each as often as it has room.

    A city with two free places comes twice (R26).
    """
    rooms: list[str] = []
    for centre in list_building_places(position, power):
        built: list[Unit] = []
        while number := find_free_place(position, centre, power, built):
            built.append(Unit(power, "A", centre, number=number))
            rooms.append(centre)
    return tuple(rooms)


def placement_fault(board: Board, kind: str, at: str) -> str:
    """Return why a new unit of a kind cannot stand at a location, or "" if it can."""
    province, coast, _ = split_location(at)
    place = board.provinces[province]
    if kind not in KINDS:
        return "build-what"
    if kind == "G" and not board.rules.nobility:
        return "no-generals"
    if kind != "F":
        return ""
    if not (place.coastal or place.rivers):
        return "build-fleet-inland"
    if coast not in (place.coasts or ("",)):
        return "build-coast" if coast else "coast-needed"
    return ""


class _Adjustment:
    """One power's winter: how many units it may still build, or must still remove if negative
    (``due``), and what it has ``built`` and ``removed`` so far."""

    def __init__(self, position: Position, power: str, due: int) -> None:
        self.position = position
        self.power = power
        self.due = due
        self.places = list_building_places(position, power)
        self.built: list[Unit] = []
        self.removed: list[Unit] = []

    def carry_out(self, order: Order) -> tuple[Unit | None, str, Reason]:
        """Carry out one order; return the unit it is about, its result, and why."""
        unit, result, reason = self.judge(order)
        if result == SUCCEEDS:
            self.due += 1 if isinstance(order, Remove) else -1
            if unit is not None:
                (self.removed if isinstance(order, Remove) else self.built).append(unit)
        return unit, result, reason

    def judge(self, order: Order) -> tuple[Unit | None, str, Reason]:
        """Return the same for one more order, without carrying it out."""
        if self.position.in_revolt(self.power):
            return None, ILLEGAL, Reason("in-revolt")
        if isinstance(order, Build):
            return self._judge_build(order)
        if isinstance(order, Remove):
            return self._judge_removal(order)
        if isinstance(order, Waive):
            if self.due <= 0:
                return None, ILLEGAL, Reason("no-build-due")
            return None, SUCCEEDS, Reason("waived")
        return None, ILLEGAL, Reason("wrong-phase")

    def _judge_build(self, order: Build) -> tuple[Unit | None, str, Reason]:
        kind, at = order.unit[:1], order.unit[2:]
        province, coast, _ = split_location(at)
        if fault := self._build_fault(kind, province, at):
            return None, FAILS if fault == "coast-needed" else ILLEGAL, Reason(fault)
        number = find_free_place(self.position, province, self.power, self.built)
        unit = Unit(self.power, kind, province, coast if kind == "F" else "", number)
        return unit, SUCCEEDS, Reason("builds")

    def _build_fault(self, kind: str, province: str, at: str) -> str:
        if self.due <= 0:
            return "no-build-due"
        if self.position.owners.get(province) != self.power:
            return "build-not-owned"
        if not find_free_place(self.position, province, self.power, self.built):
            return "build-occupied"
        if province not in self.places:
            return "build-not-home"
        fault = placement_fault(self.position.board, kind, at)
        if not fault and kind == "G" and any(u.kind == "G" for u in self._own_units()):
            return "second-general"
        return fault

    def _own_units(self) -> Iterable[Unit]:
        mine = (u for u in self.position.units if u.power == self.power)
        return (*(u for u in mine if u not in self.removed), *self.built)

    def _judge_removal(self, order: Remove) -> tuple[Unit | None, str, Reason]:
        if (unit := find_unit(self._own_units(), order.unit)) is None:
            return None, ILLEGAL, Reason("no-unit")
        if self.due >= 0:
            return unit, ILLEGAL, Reason("no-removal-due")
        return unit, SUCCEEDS, Reason("removes")

    def list_civil_disorder(self) -> list[Unit]:
        """Return the units that civil disorder removes (DATC 4.D.8, R32).

        The farthest go first, then fleets before armies, then by English name; the general goes
        last of all.
        """
        if self.due >= 0:
            return []
        position = self.position
        distance = measure_distances(position.board, position.centres_of(self.power))
        name = {p.id: p.name("en") for p in position.board.provinces.values()}

        def sort_key(unit: Unit) -> tuple[bool, int, bool, str, int]:
            far = distance[unit.province]
            return unit.kind == "G", -far, unit.kind != "F", name[unit.province], unit.number

        return sorted(self._own_units(), key=sort_key)[: -self.due]


def measure_distances(board: Board, centres: Iterable[str]) -> dict[str, int]:
    """Return how many steps each province is away from the nearest of these centres.

    A step may cross any border, whoever else may cross it.  Without a centre all distances are 0;
    a province out of reach counts as farthest.
    """
    tables = board.tables
    start = [tables.index[centre] for centre in centres]
    far = 0 if not start else tables.n
    distance = [far] * tables.n
    for province in start:
        distance[province] = 0
    ring = start
    while ring:
        step = distance[ring[0]] + 1
        ring = list({q for p in ring for q in tables.near[p] if distance[q] > step})
        for province in ring:
            distance[province] = step
    return dict(zip(tables.ids, distance, strict=True))


# The retreat phase: dislodged units go where the map and the last turn leave a way open.


def resolve_retreats(position: Position, orders: Mapping[str, Sequence[Order]]) -> PhaseOutcome:
    """Retreat or lose every dislodged unit (DATC 6.H).

    Units that retreat to one province are all lost if it has no places for all of them (R17), or
    if a city is wanted by several powers (R26).  Also lost are units without a legal order, and
    every unit of a power in revolt (R3).
    """
    phase = _Retreats(position, orders)
    disbanded = tuple(d.unit for d in position.dislodged if d.unit not in phase.safe)
    # A general with no way open was lost, and charged for, when it was dislodged (R2).
    lost = tuple(d.unit for d in position.dislodged if d.unit in disbanded and d.retreats)
    results, reasons = phase.list_results()
    return PhaseOutcome(
        position,
        results,
        reasons,
        units=(*position.units, *_place_units(position, phase.safe)),
        disbanded=disbanded,
        nobility=nobility_after(position, lost),
    )


def list_legal_retreats(
    position: Position, power: str, orders: Iterable[Order]
) -> tuple[Order, ...]:
    """Return the retreats and disbands that succeed if the power gives each of them alone."""
    alone = ((order, _Retreats(position, {power: [order]})) for order in orders)
    return tuple(order for order, one in alone if one.list_results()[0][0].result == SUCCEEDS)


def find_open_retreat(dislodged: Dislodged, to: str) -> str:
    """Return the open location that a retreat order means, or "" if there is none.

    The coast may be left out if only one is open; for an army it means nothing.
    """
    if to in dislodged.retreats:
        return to
    province, coast, _ = split_location(to)
    if coast and dislodged.unit.kind == "F":
        return ""
    fitting = [way for way in dislodged.retreats if split_location(way)[0] == province]
    return fitting[0] if len(fitting) == 1 else ""


class _Retreats:
    """The orders of one retreat phase, matched to the dislodged units.

    ``counts``: by unit, the order that counts; ``number``: by unit, which of its power's orders
    that is; ``goals``: where each unit with a legal retreat order goes; ``full``: provinces that
    cannot take all who retreat there; ``safe``: the goals that are reached.
    """

    def __init__(self, position: Position, orders: Mapping[str, Sequence[Order]]) -> None:
        self.position = position
        self.orders = orders
        self.counts: dict[Unit, Order] = {}
        self.number: dict[Unit, int] = {}
        for power, listed in orders.items():
            for number, order in enumerate(listed):
                if dislodged := self._find_dislodged(power, order):
                    self.counts[dislodged.unit] = order
                    self.number[dislodged.unit] = number
        self.goals: Mapping[Unit, str] = dict(self._list_goals())
        self.full = _find_overfull(position, self.goals)
        self.safe: Mapping[Unit, str] = {
            unit: to for unit, to in self.goals.items() if split_location(to)[0] not in self.full
        }

    def _find_dislodged(self, power: str, order: Order) -> Dislodged | None:
        """Return the power's dislodged unit that an order is for; None if there is not just one."""
        if not isinstance(order, (Retreat, Disband)):
            return None
        theirs = {d.unit: d for d in self.position.dislodged if d.unit.power == power}
        unit = find_unit(theirs, order.unit)
        return theirs[unit] if unit else None

    def _list_goals(self) -> Iterator[tuple[Unit, str]]:
        """Yield each unit that has a legal retreat order, and where it goes."""
        for dislodged in self.position.dislodged:
            order = self.counts.get(dislodged.unit)
            if isinstance(order, Retreat) and not self.position.in_revolt(dislodged.unit.power):
                to = find_open_retreat(dislodged, order.to)
                if to and not self._is_full(dislodged.unit, to):
                    yield dislodged.unit, to

    def _is_full(self, unit: Unit, to: str) -> bool:
        """Tell whether the units that stand there leave no place, whoever else retreats."""
        province = self.position.board.province_of(to)
        there = [other for other in self.position.units if other.province == province.id]
        foreign = not province.is_sea and any(other.power != unit.power for other in there)
        return foreign or len(there) >= province.capacity

    # -- results ---------------------------------------------------------------------------------

    def list_results(self) -> tuple[tuple[OrderOutcome, ...], tuple[Reason, ...]]:
        """Return the result and the reason of every order, as listed."""
        results, reasons = [], []
        for power, listed in self.orders.items():
            for number, order in enumerate(listed):
                dislodged = self._find_dislodged(power, order)
                result, reason = self._judge(order, number, dislodged)
                unit = dislodged.unit if dislodged else None
                results.append(OrderOutcome(power, order, unit, result))
                reasons.append(reason)
        return tuple(results), tuple(reasons)

    def _judge(self, order: Order, number: int, dislodged: Dislodged | None) -> tuple[str, Reason]:
        if not isinstance(order, (Retreat, Disband)):
            return ILLEGAL, Reason("wrong-phase")
        if dislodged is None:
            return ILLEGAL, Reason("not-dislodged")
        if self.position.in_revolt(dislodged.unit.power):
            return ILLEGAL, Reason("in-revolt")
        if self.number[dislodged.unit] != number:
            return ILLEGAL, Reason(REPLACED)
        if isinstance(order, Disband):
            return SUCCEEDS, Reason("disbands")
        return self._judge_retreat(order, dislodged)

    def _judge_retreat(self, order: Retreat, dislodged: Dislodged) -> tuple[str, Reason]:
        unit = dislodged.unit
        if unit not in self.goals:
            if find_open_retreat(dislodged, order.to):
                return ILLEGAL, Reason("retreat-full")
            return ILLEGAL, Reason("retreat-closed", (dislodged.by,))
        province = split_location(self.goals[unit])[0]
        if province in self.full:
            others = (u for u, to in self.goals.items() if split_location(to)[0] == province)
            return FAILS, Reason("retreat-clash", tuple(u for u in others if u != unit))
        return SUCCEEDS, Reason("retreats")


def _find_overfull(position: Position, goals: Mapping[Unit, str]) -> frozenset[str]:
    """Return the provinces that cannot take all units that retreat there: they have fewer places
    than units (R17), or are cities wanted by several powers (R26)."""
    there: dict[str, list[str]] = defaultdict(list)
    for unit, to in goals.items():
        there[split_location(to)[0]].append(unit.power)
    for unit in position.units:
        if unit.province in there:
            there[unit.province].append(unit.power)
    full = set()
    for province, powers in there.items():
        at = position.board.provinces[province]
        mixed = not at.is_sea and len(set(powers)) > 1
        if mixed or len(powers) > at.capacity:
            full.add(province)
    return frozenset(full)


def _place_units(position: Position, safe: Mapping[Unit, str]) -> list[Unit]:
    """Return the retreated units in their new places: the lowest free numbers, by power id (R8)."""
    taken = {(unit.province, unit.number) for unit in position.units}
    arrived = []
    for unit in sorted(safe, key=lambda u: (u.power, u.province, u.number)):
        province, coast, _ = split_location(safe[unit])
        capacity = position.board.provinces[province].capacity
        number = next(n for n in range(1, capacity + 1) if (province, n) not in taken)
        taken.add((province, number))
        arrived.append(Unit(unit.power, unit.kind, province, coast, number))
    return arrived


# The Cyprus year: five periods of secret picks (R30), then the deployment (R31).

PICKABLE = "start"
"""The kind of centre that may be picked (R30)."""


def resolve_picks(position: Position, orders: Mapping[str, Sequence[Order]]) -> PhaseOutcome:
    """Resolve one period of picks (R30): a centre goes to the power that alone names it."""
    last = {
        power: number
        for power, listed in orders.items()
        for number, order in enumerate(listed)
        if isinstance(order, Pick)
    }
    pickers = _find_pickers(position, orders, last)
    results, reasons = [], []
    for power, listed in orders.items():
        for number, order in enumerate(listed):
            result, reason = _judge_pick(position, power, order, number == last.get(power), pickers)
            results.append(OrderOutcome(power, order, None, result))
            reasons.append(reason)
    return PhaseOutcome(
        position,
        tuple(results),
        tuple(reasons),
        position.units,
        nobility=nobility_after(position, ()),
        picks=_award(position.board, pickers),
    )


def list_legal_picks(position: Position, power: str, picks: Iterable[Pick]) -> tuple[Pick, ...]:
    """Return the picks that are not void, so that each succeeds if nobody else wants it."""
    if power not in position.board.powers:
        return ()
    return tuple(pick for pick in picks if not _pick_fault(position, power, pick))


def _find_pickers(
    position: Position, orders: Mapping[str, Sequence[Order]], last: Mapping[str, int]
) -> dict[str, tuple[str, ...]]:
    """Return by centre the powers whose ``last`` pick validly names it, in the map's order; a void
    pick contests nothing."""
    pickers: dict[str, tuple[str, ...]] = {}
    for power in position.board.powers:
        pick = orders[power][last[power]] if power in last else None
        if isinstance(pick, Pick) and not _pick_fault(position, power, pick):
            pickers[pick.centre] = (*pickers.get(pick.centre, ()), power)
    return pickers


def _award(board: Board, pickers: Mapping[str, tuple[str, ...]]) -> Picks:
    valid = {power for powers in pickers.values() for power in powers}
    return Picks(
        awards={powers[0]: centre for centre, powers in pickers.items() if len(powers) == 1},
        contested=tuple(c for c in board.centres if len(pickers.get(c, ())) > 1),
        void=tuple(power for power in board.powers if power not in valid),
    )


def _judge_pick(
    position: Position,
    power: str,
    order: Order,
    counts: bool,
    pickers: Mapping[str, tuple[str, ...]],
) -> tuple[str, Reason]:
    if not isinstance(order, Pick):
        return ILLEGAL, Reason("wrong-phase")
    if power not in position.board.powers:
        return ILLEGAL, Reason("garrison-holds")
    if not counts:
        return ILLEGAL, Reason(REPLACED)
    if fault := _pick_fault(position, power, order):
        return ILLEGAL, Reason(fault)
    if others := tuple(other for other in pickers[order.centre] if other != power):
        return FAILS, Reason("pick-contested", powers=others)
    return SUCCEEDS, Reason("pick-awarded")


def _pick_fault(position: Position, power: str, pick: Pick) -> str:
    """Return why a pick is void (R30), or "" if it is not."""
    province = position.board.provinces.get(pick.centre)
    if position.in_revolt(power):
        return "in-revolt"
    if province is None or province.centre != PICKABLE:
        return "pick-not-pickable"
    if province.id in position.owners:
        return "pick-owned"
    area = _own_area(position.board, power)
    return "pick-outside" if area and province.area != area else ""


def _own_area(board: Board, power: str) -> str:
    """Return the area of a centre that a power starts with, where alone it may pick, if any: so
    Candragrupta, which starts with Lahore, picks in India; the others pick anywhere."""
    areas = (board.provinces[home].area for home in board.powers[power].homes)
    return next(filter(None, areas), "")


# -- deployment (R31) ---------------------------------------------------------------------------

DEPLOYS_GENERAL: Final = "deploys-general"
DEPLOYS_GENERAL_FOR_FLEET: Final = "deploys-general-for-fleet"
"""The reasons of the unit that is placed as the general though its order does not say so."""

Placed = tuple[Unit | None, str, Reason]
"""The outcome of one order of the deployment: the unit placed, the result, and why."""


def resolve_deployment(position: Position, orders: Mapping[str, Sequence[Order]]) -> PhaseOutcome:
    """Place the first units (R31); what is not ordered is not placed."""
    results: list[OrderOutcome] = []
    reasons: list[Reason] = []
    units = list(position.units)
    room = count_adjustments(position)
    for power, listed in orders.items():
        deployment = _Deployment(position, power, listed, room.get(power, 0))
        placed = deployment.make_general([deployment.carry_out(order) for order in listed])
        for order, (unit, result, reason) in zip(listed, placed, strict=True):
            results.append(OrderOutcome(power, order, unit, result))
            reasons.append(reason)
        units += [unit for unit, _, _ in placed if unit is not None]
    return PhaseOutcome(
        position,
        tuple(results),
        tuple(reasons),
        tuple(units),
        nobility=nobility_after(position, ()),
    )


def list_legal_placements(
    position: Position, power: str, orders: Iterable[Order]
) -> tuple[Order, ...]:
    """Return the orders of the deployment that succeed if the power gives each of them alone."""
    room = count_adjustments(position).get(power, 0)
    alone = ((order, _Deployment(position, power, [order], room)) for order in orders)
    return tuple(order for order, one in alone if one.carry_out(order)[1] == SUCCEEDS)


class _Deployment:
    """One power's deployment: how many units it may place (``room``), what it has ``placed``, and
    by centre how many of the legal orders are ``left``, since the last one counts."""

    def __init__(self, position: Position, power: str, listed: Sequence[Order], room: int) -> None:
        self.position = position
        self.power = power
        self.room = room
        self.placed: list[Unit] = []
        builds = (order for order in listed if isinstance(order, Build))
        self.left = Counter(_centre_of(order) for order in builds if not self._fault(order))

    def carry_out(self, order: Order) -> Placed:
        """Carry out the next order of the list; return its outcome."""
        if self.position.in_revolt(self.power):
            return None, ILLEGAL, Reason("in-revolt")
        if isinstance(order, Build):
            return self._place(order)
        if isinstance(order, Waive):
            return None, SUCCEEDS, Reason("waived")
        return None, ILLEGAL, Reason("wrong-phase")

    def _place(self, order: Build) -> Placed:
        if fault := self._fault(order):
            return None, FAILS if fault == "coast-needed" else ILLEGAL, Reason(fault)
        kind, at = order.unit[:1], order.unit[2:]
        province, coast, _ = split_location(at)
        self.left[province] -= 1
        if self.left[province]:
            return None, ILLEGAL, Reason(REPLACED)
        if len(self.placed) >= self.room:
            return None, ILLEGAL, Reason("deploy-too-many")
        if kind == "G" and self._has_general():
            return None, ILLEGAL, Reason("second-general")
        unit = Unit(self.power, kind, province, coast if kind == "F" else "")
        self.placed.append(unit)
        return unit, SUCCEEDS, Reason("deploys")

    def _fault(self, order: Build) -> str:
        """Return why a unit cannot be placed, whatever else is ordered, or "" if it can."""
        position, centre = self.position, _centre_of(order)
        if position.owners.get(centre) != self.power:
            return "build-not-owned"
        if any(unit.province == centre for unit in position.units):
            return "build-occupied"
        return placement_fault(position.board, order.unit[:1], order.unit[2:])

    def _has_general(self) -> bool:
        units = (*self.position.units, *self.placed)
        return any(unit.kind == "G" and unit.power == self.power for unit in units)

    def make_general(self, placed: Sequence[Placed]) -> Sequence[Placed]:
        """Make the first army placed the general, or the first fleet, if no general was ordered."""
        if not self.position.board.rules.nobility or self._has_general() or not self.placed:
            return placed
        first = next((unit for unit in self.placed if unit.kind == "A"), self.placed[0])
        code = DEPLOYS_GENERAL if first.kind == "A" else DEPLOYS_GENERAL_FOR_FLEET
        general = replace(first, kind="G", coast=""), SUCCEEDS, Reason(code)
        return [general if entry[0] == first else entry for entry in placed]


def _centre_of(order: Build) -> str:
    """Return the province in which a unit is to be placed."""
    return split_location(order.unit[2:])[0]
