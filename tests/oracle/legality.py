"""What each order is worth before anything moves: ``illegal``, ``invalid``, or it counts.

The words are those of the case files: *illegal* is impossible on this board whatever else is
ordered, *invalid* is possible but the order it depends on is not there.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from alexmagnum.orders import Convoy, Hold, Move, Order, Support
from tests.oracle.ground import Ground, ground_of, province

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from alexmagnum.position import Position, Unit

ILLEGAL, INVALID, LEGAL = "illegal", "invalid", ""


@dataclass(frozen=True, slots=True)
class March:
    """A legal move: where to, and over which fleets if by convoy (none where invalid)."""

    unit: Unit
    to: str
    by_convoy: bool = False
    valid: bool = True
    fleets: tuple[Unit, ...] = ()

    @property
    def target(self) -> str:
        return province(self.to)


@dataclass(frozen=True, slots=True)
class Help:
    """A legal support that finds its match: for whom, and whether for a move; ``into`` is the
    province that it is directed to."""

    unit: Unit
    helped: Unit
    into: str
    moving: bool


@dataclass
class Sheet:
    """All orders of a position as they count; ``tags`` has one word to an order."""

    ground: Ground
    units: tuple[Unit, ...]
    tags: dict[tuple[str, int], str] = field(default_factory=dict)
    marches: dict[Unit, March] = field(default_factory=dict)
    helps: dict[Unit, Help] = field(default_factory=dict)
    ferries: dict[Unit, Unit] = field(default_factory=dict)  # fleet to army, legal and matched

    def find(self, name: str) -> Unit | None:
        """The unit of a name; a wrong coast is no matter (DATC 4.B.5)."""
        kind, _, location = name.partition(" ")
        for unit in self.units:
            if unit.kind == kind and unit.province == province(location):
                return unit
        return None

    def fleets_at_sea(self, without: Unit | None = None) -> list[str]:
        return [u.province for u in self.units if u.kind == "F" and u != without]

    def could_move(self, unit: Unit, to: str, without: Unit | None = None) -> bool:
        """Whether some order could bring a unit there, if need be over whatever fleets exist."""
        if self.ground.landings(unit, to):
            return True
        return unit.kind != "F" and self.ground.carries(
            self.fleets_at_sea(without), unit.province, province(to)
        )


Ordered = dict["tuple[str, int]", "tuple[Unit, Order]"]


def rule(position: Position, orders: Mapping[str, Sequence[Order]]) -> Sheet:
    """Decide of every order whether it counts."""
    sheet = Sheet(ground_of(position.board), position.units)
    ordered: Ordered = {}
    for power, listed in orders.items():
        for number, order in enumerate(listed):
            unit = sheet.find(order.unit) if hasattr(order, "unit") else None
            own = unit is not None and unit.power == power
            legal = own and unit is not None and _is_possible(sheet, unit, order)
            sheet.tags[power, number] = LEGAL if legal else ILLEGAL
            if legal and unit is not None:
                ordered[power, number] = (unit, order)
    assert len({unit for unit, _ in ordered.values()}) == len(ordered), "one order to a unit"
    _match_convoys(sheet, ordered)
    _read_moves(sheet, ordered)
    _match_supports(sheet, ordered)
    return sheet


def _is_possible(sheet: Sheet, unit: Unit, order: Order) -> bool:
    match order:
        case Hold():
            return True
        case Move(to=to, via_convoy=True):
            return unit.kind != "F" and sheet.ground.carries(
                sheet.fleets_at_sea(), unit.province, province(to)
            )
        case Move(to=to):
            return sheet.could_move(unit, to) and len(sheet.ground.landings(unit, to)) <= 1
        case Support(supported=name, to=to):
            helped = sheet.find(name)
            if helped is None or helped == unit:
                return False
            target = helped.province if to is None else province(to)
            if target not in sheet.ground.reaches(unit) or target == unit.province:
                return False
            return to is None or sheet.could_move(helped, to, without=unit)
        case Convoy(army=name, to=to):
            army = sheet.find(name)
            if army is None or army.kind == "F" or unit.kind != "F":
                return False
            return unit.province in sheet.ground.seas and sheet.ground.is_useful(
                unit.province, sheet.fleets_at_sea(), army.province, province(to)
            )
    return False


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
    """A neighbour goes by convoy if its order says so or a fleet of its own power shows it
    (DATC 4.A.3), and then never by land."""
    ground = sheet.ground
    for key, (unit, order) in ordered.items():
        if not isinstance(order, Move):
            continue
        land = ground.landings(unit, order.to)
        fleets = tuple(f for f, army in sheet.ferries.items() if army == unit)
        own = any(f.power == unit.power for f in fleets)
        if land and not order.via_convoy and not own:
            sheet.marches[unit] = March(unit, land[0])
            continue
        target = province(order.to)
        valid = ground.carries([f.province for f in fleets], unit.province, target)
        sheet.marches[unit] = March(unit, target, True, valid, fleets if valid else ())
        if not valid:
            sheet.tags[key] = INVALID


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
            matched = march is not None and march.target == province(order.to)
            if march is not None and helped.kind == "F" and "/" in order.to:
                matched = march.to == order.to
        if matched:
            into = helped.province if order.to is None else province(order.to)
            sheet.helps[unit] = Help(unit, helped, into, order.to is not None)
        else:
            sheet.tags[key] = INVALID
