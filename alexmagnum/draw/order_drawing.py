"""What the orders of a phase come to on the map: who goes where and by which way.

Nothing here knows of the sheet: places are provinces and their numbers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from alexmagnum.board.geography import split_location
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge.legality import find_unit
from alexmagnum.judge.outcome import (
    AVAILABLE,
    ILLEGAL,
    INVALID,
    REPLACED,
    STOPPED,
    SUCCEEDS,
    Outcome,
    Reason,
)
from alexmagnum.judge.reason_text import format_reason
from alexmagnum.notation import order_in, write_order
from alexmagnum.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Pick,
    Remove,
    Retreat,
    Support,
)
from alexmagnum.position import PICKS, Position, Unit, names_of

VOID = frozenset({ILLEGAL, INVALID})
"""Results of orders that count for nothing."""

LOST = "lost"
"""The look of what befell a unit that had no order for it."""


@dataclass(frozen=True, slots=True)
class DrawnOrder:
    """An order, or what befell a unit without one, ready to be drawn.

    ``look`` is the kind (``move``, ``support``, ``convoy``, ``hold``, ``retreat``, ``disband``,
    ``build``, ``remove``, ``lost``); ``result`` is ``""`` where nothing is to be told of it.
    ``goal`` is the unit as it stands where its move leads, with number 0 for anywhere in a sea;
    ``aim`` the unit that it supports or convoys.  ``fleets`` carry it, ``course`` are the
    territories of an express, ``over`` the land that it is hauled over, ``stop`` where it was
    stopped.
    """

    unit: Unit
    name: str
    look: str
    result: str
    title: str
    order: str = ""
    goal: Unit | None = None
    aim: Unit | None = None
    fleets: tuple[Unit, ...] = ()
    course: tuple[str, ...] = ()
    over: str = ""
    stop: str = ""


@dataclass(frozen=True, slots=True)
class Flag:
    """A pick: which power set its flag on which centre, and what came of it."""

    power: str
    centre: str
    result: str
    title: str


@dataclass(frozen=True, slots=True)
class _Entry:
    """An order that counts, with its unit; nothing is told of it if there is no reason."""

    power: str
    order: Order
    unit: Unit
    result: str
    reason: Reason | None


def collect_orders(
    outcome: Outcome, sentences: Sentences, orders_of: Collection[str] | None = None
) -> tuple[DrawnOrder, ...]:
    """The orders of a phase in an order that does not depend on their listing.

    ``orders_of``: only those of these powers, as they were written.
    """
    found = _Telling(outcome, sentences, orders_of).all()
    return tuple(sorted(found, key=lambda deed: (deed.unit, deed.look, deed.order)))


class _Telling:
    """The orders of a phase put in relation to each other."""

    def __init__(
        self, outcome: Outcome, sentences: Sentences, orders_of: Collection[str] | None
    ) -> None:
        self.outcome, self.sentences = outcome, sentences
        self.position: Position = outcome.position
        self.board = self.position.board
        self.open = orders_of is not None
        self.standing = self.position.orderable
        self.names = names_of(self.standing)
        self.entries = tuple(self._entries(orders_of))

    def all(self) -> Iterator[DrawnOrder]:
        for entry in self.entries:
            deed = self._deed(entry)
            if deed is not None:
                yield deed
        if not self.open:
            yield from self._losses()

    # -- which orders count ----------------------------------------------------------------------

    def _entries(self, orders_of: Collection[str] | None) -> Iterator[_Entry]:
        """The orders that are shown; of several for one unit the last."""
        last: dict[tuple[str, bool, Unit], _Entry] = {}
        for entry, reason in zip(self.outcome.results, self.outcome.reasons, strict=True):
            if orders_of is not None and entry.power not in orders_of:
                continue
            unit = self._unit_of(entry.power, entry.order, entry.unit)
            if unit is None or (reason.code == REPLACED and not self.open):
                continue
            key = (entry.power, isinstance(entry.order, Build), unit)
            if key in last and last[key].result == SUCCEEDS:
                continue  # the same build or removal again, which comes too late
            told = ("", None) if self.open else (entry.result, reason)
            last[key] = _Entry(entry.power, entry.order, unit, *told)
        yield from last.values()

    def _unit_of(self, power: str, order: Order, taken: Unit | None) -> Unit | None:
        """The unit that an order is for, if it is the power's own; of a build the unit built."""
        match order:
            case Build(name):
                province, coast, _ = split_location(name[2:])
                if province not in self.board.provinces:
                    return None
                plain = Unit(power, name[:1], province, coast if name[:1] == "F" else "")
                return plain if self.open or taken is None else taken
            case Hold(name) | Move(name) | Support(name) | Convoy(name):
                unit = find_unit(self.standing, name)
            case Retreat(name) | Disband(name) | Remove(name):
                theirs = [u for u in self.standing if u.power == power]
                unit = find_unit(theirs, name)
            case _:
                return None
        return unit if unit is not None and unit.power == power else None

    # -- one order -------------------------------------------------------------------------------

    def _deed(self, entry: _Entry) -> DrawnOrder | None:
        look = type(entry.order).__name__.lower()
        name = self.names.get(entry.unit, str(entry.unit))
        deed = DrawnOrder(
            entry.unit, name, look, entry.result, self._title(entry), write_order(entry.order)
        )
        match entry.order:
            case Move(_, to) | Retreat(_, to):
                goal = self._goal(entry.unit, to, entry)
                if goal is None:
                    return None
                return self._on_its_way(replace(deed, goal=goal), entry)
            case Support(_, other, to) | Convoy(_, other, to):
                aim = find_unit(self.standing, other)
                goal = self._goal(aim, to, self._entry_of(aim)) if aim and to else None
                if aim is None or (to and goal is None):
                    return None
                return replace(deed, aim=aim, goal=goal)
            case Build():
                return replace(deed, name=f"{entry.unit}", goal=entry.unit)
            case _:
                return deed

    def _title(self, entry: _Entry) -> str:
        said = order_in(write_order(entry.order), self.sentences.lang)
        if entry.reason is None:
            return said
        whys = [entry.reason]
        if self.position.phase.kind == "movement":
            whys += [fate.reason for fate in self.outcome.fates(entry.unit)[1:]]
        why = "; ".join(format_reason(reason, self.position, self.sentences) for reason in whys)
        return f"{said}: {why}"

    def _entry_of(self, unit: Unit | None) -> _Entry | None:
        return self._by_unit.get(unit) if unit is not None else None

    @cached_property
    def _by_unit(self) -> Mapping[Unit, _Entry]:
        return {entry.unit: entry for entry in self.entries}

    # -- where a move leads ----------------------------------------------------------------------

    def _goal(self, unit: Unit, to: str, entry: _Entry | None) -> Unit | None:
        """The unit as it would stand at its destination; None if there is no such place."""
        province, coast, number = split_location(to)
        if province not in self.board.provinces:
            return None
        arrived = self._arrivals.get(unit)
        if entry is not None and entry.result == SUCCEEDS and arrived is not None:
            return arrived
        if not number:
            number = self._open_place(unit, province)
        return replace(unit, province=province, coast=coast, number=number)

    def _open_place(self, unit: Unit, province: str) -> int:
        """The number of the place for which a move goes that names none.

        That is in a sea the lowest where nobody stands, 0 if there is none (R9); in a city of
        two places that of the foreign unit that it attacks (R26).
        """
        room = self.board.provinces[province].capacity
        if room == 1:
            return 1
        there = {u.number: u for u in self.position.units if u.province == province}
        foreign = [n for n, u in sorted(there.items()) if u.power != unit.power]
        if foreign and not self.board.provinces[province].is_sea:
            return foreign[0]
        won = {u.number for u in self._arrivals.values() if u.province == province}
        free = [n for n in range(1, room + 1) if n not in there and n not in won]
        return free[0] if free else 0

    @cached_property
    def _arrivals(self) -> Mapping[Unit, Unit]:
        """By unit that moved, the unit as it stands after the phase."""
        if self.open:
            return {}
        movers: dict[tuple[str, str, str], list[_Entry]] = defaultdict(list)
        gone: set[Unit] = set()
        for entry in self.entries:
            if entry.result in (SUCCEEDS, STOPPED) and isinstance(entry.order, (Move, Retreat)):
                assert entry.reason is not None, "the result is told with its reason"
                to = entry.reason.stop or split_location(entry.order.to)[0]
                if to != entry.unit.province:  # an attack from inside keeps its place (R11a)
                    movers[entry.unit.power, entry.unit.kind, to].append(entry)
                    gone.add(entry.unit)
        stay = set(self.position.units) - gone
        found: dict[Unit, Unit] = {}
        for (power, kind, to), entries in movers.items():
            new = [
                u for u in self.outcome.units if (u.power, u.kind, u.province) == (power, kind, to)
            ]
            found |= _paired(entries, sorted(u for u in new if u not in stay))
        return found

    # -- by which way ----------------------------------------------------------------------------

    def _on_its_way(self, deed: DrawnOrder, entry: _Entry) -> DrawnOrder:
        """The deed with the fleets that carry it, its river, or the land it is hauled over."""
        if not isinstance(entry.order, Move) or entry.result == ILLEGAL:
            return deed
        assert deed.goal is not None, "a move leads somewhere"
        tables = self.board.tables
        here, to = tables.index[deed.unit.province], tables.index[deed.goal.province]
        if deed.unit.kind != "F":
            return replace(deed, fleets=self._carried(entry, deed.goal.province))
        if tables.fleet_reach[tables.location[deed.unit.location] * tables.n + to]:
            return deed
        if (here, to) in tables.course:
            path = tuple(tables.ids[p] for p in tables.course[here, to].path)
            stop = entry.reason.stop if entry.reason else ""
            return replace(deed, course=(deed.unit.province, *path), stop=stop)
        if (here, to) in tables.haul:
            return replace(deed, over=tables.ids[tables.haul[here, to]])
        return deed

    def _carried(self, army: _Entry, to: str) -> tuple[Unit, ...]:
        """The fleets over which an army goes, the first it boards first; none if it walks."""
        assert isinstance(army.order, Move), "only moves are carried"
        tables = self.board.tables
        carriers = [
            entry
            for entry in self.entries
            if isinstance(entry.order, Convoy)
            and entry.result not in VOID
            and find_unit(self.standing, entry.order.army) == army.unit
            and split_location(entry.order.to)[0] == to
        ]
        start, end = tables.index[army.unit.province], tables.index[to]
        own = any(entry.power == army.power for entry in carriers)
        if tables.army_next[start * tables.n + end] and not (army.order.via_convoy or own):
            return ()
        whole = [entry for entry in carriers if entry.result in (AVAILABLE, "")]
        return self._crossing(whole, start, end) or self._crossing(carriers, start, end)

    def _crossing(self, carriers: list[_Entry], start: int, end: int) -> tuple[Unit, ...]:
        """The shortest way over the seas of some fleets."""
        tables = self.board.tables
        fleets: dict[int, Unit] = {}
        for entry in sorted(carriers, key=lambda e: e.unit, reverse=True):
            fleets[tables.index[entry.unit.province]] = entry.unit
        ways: list[tuple[int, ...]] = [(sea,) for sea in tables.port[start] if sea in fleets]
        seen = {way[0] for way in ways}
        for way in ways:
            if tables.shore[way[-1] * tables.n + end]:
                return tuple(fleets[sea] for sea in way)
            further = [s for s in tables.sea_next[way[-1]] if s in fleets and s not in seen]
            seen.update(further)
            ways += [(*way, sea) for sea in further]
        return ()

    # -- what befell without an order ------------------------------------------------------------

    def _losses(self) -> Iterator[DrawnOrder]:
        """Units that are gone without an order that says so."""
        outcome = self.outcome
        said = {e.unit for e in self.entries if isinstance(e.order, (Disband, Remove))}
        for units, result in (
            (outcome.destroyed, "destroyed"),
            (outcome.disbanded, "disbanded"),
            (outcome.removed, "removed"),
        ):
            for unit in units:
                if unit not in said:
                    name = self.names.get(unit, str(unit))
                    why = format_reason(
                        outcome.fates(unit)[-1].reason, self.position, self.sentences
                    )
                    yield DrawnOrder(unit, name, LOST, result, f"{name}: {why}")


def _paired(entries: list[_Entry], new: list[Unit]) -> dict[Unit, Unit]:
    """Who became which of the new units: who named a place has that, the rest follow in order."""
    found: dict[Unit, Unit] = {}
    left = list(new)
    plain = []
    for entry in sorted(entries, key=lambda e: (e.unit.province, e.unit.number)):
        assert isinstance(entry.order, (Move, Retreat)), "only those arrive"
        number = split_location(entry.order.to)[2]
        named = [u for u in left if number and u.number == number]
        if named and entry.result == SUCCEEDS:
            found[entry.unit] = named[0]
            left.remove(named[0])
        else:
            plain.append(entry.unit)
    return found | dict(zip(plain, left, strict=False))


def collect_flags(
    outcome: Outcome, sentences: Sentences, orders_of: Collection[str] | None = None
) -> tuple[Flag, ...]:
    """The picks of a period, by centre (R30); the awards alone where no more is published."""
    position = outcome.position
    if outcome.picks is None:
        return ()
    found: dict[str, Flag] = {}
    secret = position.phase.season == PICKS and position.board.rules.publish_picks == "own"
    if orders_of is None and secret:
        for power, centre in outcome.picks.awards.items():
            title = order_in(write_order(Pick(centre)), sentences.lang)
            found[power] = Flag(power, centre, SUCCEEDS, title)
    else:
        for entry, reason in zip(outcome.results, outcome.reasons, strict=True):
            order = entry.order
            shown = orders_of is None or entry.power in orders_of
            if not (shown and isinstance(order, Pick) and order.centre in position.board.provinces):
                continue
            title, result = order_in(write_order(order), sentences.lang), ""
            if orders_of is None:
                result = entry.result
                title += f": {format_reason(reason, position, sentences)}"
            if orders_of is not None or reason.code != REPLACED:
                found[entry.power] = Flag(entry.power, order.centre, result, title)
    return tuple(sorted(found.values(), key=lambda flag: (flag.centre, flag.power)))
