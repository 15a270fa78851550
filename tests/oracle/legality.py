"""What each order is worth before anything moves: ``illegal``, ``invalid``, or it counts.

The words are those of the case files: *illegal* is impossible on this board whatever else is
ordered, *invalid* is possible but the order it depends on is not there.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from alexmagnum.orders import Convoy, Hold, Move, Order, Support
from tests.oracle.ground import Ground, Place, Stream, ground_of, number_in, place_of, province

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from alexmagnum.position import Position, Unit

ILLEGAL, INVALID, LEGAL = "illegal", "invalid", ""
STEP, EXPRESS, HAUL = "step", "express", "haul"


@dataclass(frozen=True, slots=True)
class March:
    """A legal move: where to, and how.

    ``place``: the place that it goes for, None for plain entry (R9); ``path``: the provinces it
    enters, the destination last (R18); ``stream``: the river and direction if it moves along one
    (R21); ``fleets``: those that carry it, none where the convoy is not there (``valid``);
    ``chased``: a fleet that is lost if it is hauled, by the orders alone (R24).
    """

    unit: Unit
    to: str
    place: Place | None
    way: str = STEP
    path: tuple[str, ...] = ()
    stream: Stream | None = None
    by_convoy: bool = False
    valid: bool = True
    fleets: tuple[Unit, ...] = ()
    chased: bool = False

    @property
    def target(self) -> str:
        return province(self.to)

    @property
    def inside(self) -> bool:
        """Tell whether the move is an attack from inside a sea (R11a)."""
        return self.target == self.unit.province

    @property
    def last_from(self) -> str:
        """Return the province from which the unit makes its last step."""
        return self.path[-2] if len(self.path) > 1 else self.unit.province


@dataclass(frozen=True, slots=True)
class Help:
    """A legal support that finds its match: for whom, and the place against which it is directed
    (R13), None for nobody's."""

    unit: Unit
    helped: Unit
    against: Place | None


def find(units: Sequence[Unit], name: str) -> Unit | None:
    """Return the one of some units that a name means; None if it could be several or none.  No
    matter are a wrong coast (DATC 4.B.5), and a wrong letter where one unit alone is of that
    number, or stands there at all."""
    kind, _, location = name.partition(" ")
    number = number_in(location)
    there = [u for u in units if u.province == province(location) and number in (0, u.number)]
    for fitting in (there, [unit for unit in there if unit.kind == kind]):
        if len(fitting) == 1:
            return fitting[0]
    return None


@dataclass
class Sheet:
    """All orders of a position as they count; ``tags`` has one word to an order; ``defeated``:
    the powers in revolt (R3)."""

    ground: Ground
    units: tuple[Unit, ...]
    defeated: frozenset[str] = frozenset()
    tags: dict[tuple[str, int], str] = field(default_factory=dict)
    marches: dict[Unit, March] = field(default_factory=dict)
    helps: dict[Unit, Help] = field(default_factory=dict)
    ferries: dict[Unit, Unit] = field(default_factory=dict)  # fleet to army, legal and matched

    def find(self, name: str) -> Unit | None:
        """Return the unit that a name means; None if it could be several or none."""
        return find(self.units, name)

    def units_in(self, where: str) -> list[Unit]:
        """Return the units of a province, lowest number first."""
        return sorted((u for u in self.units if u.province == where), key=lambda u: u.number)

    def find_named(self, to: str) -> Unit | None:
        """Return the unit whose number a destination gives, if a unit bears that number (R11)."""
        number = number_in(to)
        return next((u for u in self.units_in(province(to)) if u.number == number), None)

    def aim(self, unit: Unit, to: str) -> Place | None:
        """Return the place for which a move of the unit to ``to`` goes: None for any open one."""
        target = province(to)
        if self.ground.room[target] == 1:
            return target, 1
        if not self.ground.is_city(target):
            named = self.find_named(to)
            return place_of(named) if named else None
        return self._aim_in_city(unit, to)

    def _aim_in_city(self, unit: Unit, to: str) -> Place | None:
        """Return the foreign unit that it names, else the lower number, a general last (R26)."""
        standing = self.units_in(province(to))
        if not any(u.power != unit.power for u in standing):
            return None
        generals_last = sorted(standing, key=lambda u: (u.kind == "G", u.number))
        return place_of(self.find_named(to) or generals_last[0])

    def fleets_at_sea(self, without: Unit | None = None) -> list[str]:
        return [u.province for u in self.units if u.kind == "F" and u != without]

    def could_move(self, unit: Unit, to: str, without: Unit | None = None) -> bool:
        """Tell whether an order could bring a unit there, if need be over any fleets there are."""
        if (target := province(to)) not in self.ground.room or target == unit.province:
            return False
        if self.ground.landings(unit, to):
            return True
        if unit.kind == "F":
            here = unit.province
            return bool(self.ground.course(here, target) or self.ground.hauled_over(here, target))
        return self.ground.carries(self.fleets_at_sea(without), unit.province, target)

    def could_strike(self, unit: Unit, to: str) -> bool:
        """Tell whether ``to`` is the unit's own sea, and another fleet there can be meant (R11a); a
        number that nobody bears says no more than the sea alone (R8)."""
        sea = province(to)
        if sea != unit.province or sea not in self.ground.seas or self.ground.room[sea] == 1:
            return False
        named = self.find_named(to)
        return named != unit if named else len(self.units_in(sea)) > 1


Ordered = dict["tuple[str, int]", "tuple[Unit, Order]"]


def rule(position: Position, orders: Mapping[str, Sequence[Order]]) -> Sheet:
    """Decide of every order whether it counts."""
    sheet = Sheet(ground_of(position.board), position.units, _list_defeated(position))
    ordered: Ordered = {}
    for power, listed in orders.items():
        for number, order in enumerate(listed):
            unit = sheet.find(order.unit) if hasattr(order, "unit") else None
            own = unit is not None and unit.power == power and power not in sheet.defeated
            legal = own and unit is not None and _is_possible(sheet, unit, order)
            sheet.tags[power, number] = LEGAL if legal else ILLEGAL
            if legal and unit is not None:
                ordered[power, number] = (unit, order)
    assert len({unit for unit, _ in ordered.values()}) == len(ordered), "one order to a unit"
    _match_convoys(sheet, ordered)
    _read_moves(sheet, ordered)
    _chase_hauls(sheet)
    _match_supports(sheet, ordered)
    return sheet


def _list_defeated(position: Position) -> frozenset[str]:
    """Return the powers whose points are used up (R3)."""
    if not position.board.rules.nobility:
        return frozenset()
    return frozenset(power for power, points in position.nobility.items() if points <= 0)


def _is_possible(sheet: Sheet, unit: Unit, order: Order) -> bool:
    match order:
        case Hold():
            return True
        case Move(to=to, via_convoy=True):
            return unit.kind != "F" and sheet.ground.carries(
                sheet.fleets_at_sea(), unit.province, province(to)
            )
        case Move(to=to):
            if sheet.could_strike(unit, to):
                return sheet.find_named(to) is not None
            return sheet.could_move(unit, to) and len(sheet.ground.landings(unit, to)) <= 1
        case Support():
            return _is_possible_support(sheet, unit, order)
        case Convoy(army=name, to=to):
            if (army := sheet.find(name)) is None or army.kind == "F" or unit.kind != "F":
                return False
            return unit.province in sheet.ground.seas and sheet.ground.is_useful(
                unit.province, sheet.fleets_at_sea(), army.province, province(to)
            )
    return False


def _is_possible_support(sheet: Sheet, unit: Unit, order: Support) -> bool:
    """Tell whether a support goes across a border, or within a province of several places (R14)."""
    if (helped := sheet.find(order.supported)) is None or helped == unit:
        return False
    if (target := helped.province if order.to is None else province(order.to)) == unit.province:
        if sheet.ground.room[target] == 1:
            return False
    elif target not in sheet.ground.reaches(unit):
        return False
    if order.to is None or sheet.could_strike(helped, order.to):
        return True
    return sheet.could_move(helped, order.to, without=unit)


def _match_convoys(sheet: Sheet, ordered: Ordered) -> None:
    destination = {u: province(o.to) for u, o in ordered.values() if isinstance(o, Move)}
    for key, (unit, order) in ordered.items():
        if isinstance(order, Convoy):
            army = sheet.find(order.army)
            assert army is not None
            if destination.get(army) == province(order.to):
                sheet.ferries[unit] = army
            else:
                sheet.tags[key] = INVALID


def _read_moves(sheet: Sheet, ordered: Ordered) -> None:
    for key, (unit, order) in ordered.items():
        if isinstance(order, Move):
            march = _read_move(sheet, unit, order)
            sheet.marches[unit] = march
            if not march.valid:
                sheet.tags[key] = INVALID


def _read_move(sheet: Sheet, unit: Unit, order: Move) -> March:
    """Read a move; to a neighbour it goes by convoy if its order or its own fleets say so, and then
    never by land (DATC 4.A.3)."""
    ground, here, target = sheet.ground, unit.province, province(order.to)
    place = sheet.aim(unit, order.to)
    if target == here:
        return March(unit, target, place, path=(target,))
    land = ground.landings(unit, order.to)
    fleets = tuple(f for f, army in sheet.ferries.items() if army == unit)
    if land and not order.via_convoy and not any(f.power == unit.power for f in fleets):
        return March(unit, land[0], place, path=(target,), stream=ground.stream(here, target))
    if unit.kind == "F":
        if course := ground.course(here, target):
            return March(unit, target, place, EXPRESS, course, ground.stream(here, target))
        return March(unit, target, place, HAUL, (target,))
    valid = ground.carries([f.province for f in fleets], here, target)
    return March(unit, target, place, STEP, (target,), None, True, valid, fleets if valid else ())


def _chase_hauls(sheet: Sheet) -> None:
    """Mark each fleet whose haul an army of another power beside would catch (R24)."""
    for unit, march in sheet.marches.items():
        if march.way != HAUL:
            continue
        portage = sheet.ground.hauled_over(unit.province, march.target)
        assert portage is not None
        if any(
            m.unit.kind != "F"
            and m.unit.power != unit.power
            and m.unit.province in portage.raiders
            and m.target == portage.over
            and m.valid
            for m in sheet.marches.values()
        ):
            sheet.marches[unit] = replace(march, chased=True)


def _match_supports(sheet: Sheet, ordered: Ordered) -> None:
    for key, (unit, order) in ordered.items():
        if not isinstance(order, Support):
            continue
        helped = sheet.find(order.supported)
        assert helped is not None
        march = sheet.marches.get(helped)
        if order.to is None:
            matched = march is None
        else:
            matched = march is not None and _fits(sheet, order.to, march)
        if matched:
            sheet.helps[unit] = Help(unit, helped, march.place if march else None)
        else:
            sheet.tags[key] = INVALID


def _fits(sheet: Sheet, to: str, march: March) -> bool:
    """Tell whether a support to ``to`` fits a move: the same coast, and the same number if a unit
    bears it (R14); in a city without a foreign unit numbers mean nothing."""
    if march.target != province(to):
        return False
    if march.unit.kind == "F" and "/" in to:
        return march.to == to
    named = sheet.find_named(to) if sheet.ground.room[march.target] > 1 else None
    if named is None or (march.place is None and sheet.ground.is_city(march.target)):
        return True
    return march.place == place_of(named)
