"""Whole games of a random player or of bots, repeatable by a seed, and checks of what must hold.

>>> from alexmagnum.board import load_board
>>> board = load_board("standard")
>>> one, other = ([p.orders for p in play_game(board, 7, years=1)] for _ in range(2))
>>> one == other
True
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from alexmagnum import campaign
from alexmagnum.board.geography import split_location
from alexmagnum.board.model import INDEPENDENT, Board
from alexmagnum.board.tables import ProvinceNo
from alexmagnum.bots import Bot
from alexmagnum.bots.random_player import random_orders
from alexmagnum.cases.files import Resolution, read_turn, resolve_turn
from alexmagnum.cases.schema import turn_text
from alexmagnum.errors import AlexMagnumError, NotationError
from alexmagnum.judge import Outcome, adjudicate
from alexmagnum.judge import outcome as outcomes
from alexmagnum.judge.legality import can_cross
from alexmagnum.notation import read_order, write_order
from alexmagnum.orders import Build, Convoy, Move, Order, Pick, Remove, Retreat
from alexmagnum.position import AUTUMN, DEPLOYMENT, PICKS, SPRING, WINTER, Dislodged, Position, Unit


class BrokenInvariantError(AlexMagnumError):
    """A phase had a result that is impossible: the program is wrong, not the player.

    ``seed``, ``position`` and ``orders`` repeat the phase; ``broken`` lists what is wrong.
    """

    def __init__(
        self,
        seed: int,
        position: Position,
        orders: Mapping[str, Sequence[Order]],
        faults: tuple[str, ...],
    ) -> None:
        super().__init__(
            "invariant-broken", seed=str(seed), phase=str(position.phase), what="; ".join(faults)
        )
        self.seed = seed
        self.position = position
        self.orders = orders
        self.broken = faults

    @property
    def turn(self) -> str:
        """The phase as the text of a turn file, to be adjudicated again."""
        return turn_text(self.position, self.orders)


@contextmanager
def blame_phase(
    seed: int, position: Position, orders: Mapping[str, Sequence[Order]]
) -> Iterator[None]:
    """Turn any error raised meanwhile into a :class:`BrokenInvariantError` that names the phase."""
    try:
        yield
    except BrokenInvariantError:
        raise
    # Broad on purpose: any error of the judge is a finding, reported with its seed and turn.
    except Exception as error:
        fault = f"{type(error).__name__}: {error}"
        raise BrokenInvariantError(seed, position, orders, (fault,)) from error


# Playing whole games phase by phase, with the random player or others.


@dataclass(frozen=True, slots=True)
class PlayedPhase:
    """A phase that was played: its orders by power, its outcome, and the next position.

    ``after`` is the position before the next phase, None if the game is over.
    """

    orders: Mapping[str, Sequence[Order]]
    outcome: Outcome
    after: Position | None

    @property
    def position(self) -> Position:
        """The position before the phase."""
        return self.outcome.position

    @property
    def ending(self) -> campaign.Ending | None:
        """The ending of the game with this phase; None if the game goes on."""
        return campaign.ending(self.outcome)


GiveOrders = Callable[[Position, Random], Mapping[str, Sequence[Order]]]
"""Returns the orders of all powers for a phase, drawn from a generator."""


def play_game(
    board: Board, seed: int, *, years: int = 0, give_orders: GiveOrders = random_orders
) -> Iterator[PlayedPhase]:
    """Play a game from its first phase on; the seed alone decides what happens.

    The game lasts until it is over (R33, R34) or ``years`` are played; with 0 the map decides, and
    on a map without a last year 20 years are played.
    """
    rng = Random(seed)
    if not years and not board.rules.last_year:
        years = 20
    position: Position | None = campaign.first_position(board)
    first = board.rules.first_year
    while position is not None and not 0 < years <= abs(position.phase.year - first):
        orders = give_orders(position, rng)
        with blame_phase(seed, position, orders):
            outcome = adjudicate(position, orders)
            played = PlayedPhase(orders, outcome, campaign.next_position(outcome))
        yield played
        position = played.after


def let_bots_play(bots: Mapping[str, Bot]) -> GiveOrders:
    """Return how bots order for their powers; the random player does for all others."""
    if not bots:
        return random_orders

    def give_orders(position: Position, rng: Random) -> Mapping[str, Sequence[Order]]:
        others = [power for power in position.board.powers if power not in bots]
        given = random_orders(position, rng) if others else dict[str, Sequence[Order]]()
        return {
            power: bots[power].orders(position, power, rng) if power in bots else given[power]
            for power in position.board.powers
            if power in bots or power in given
        }

    return give_orders


# Checks of powers: centres, nobility, upkeep and builds; and of the calendar.
#
# Each check takes a played phase and yields what is wrong, in a few words for a developer.


def check_centres(played: PlayedPhase) -> Iterator[str]:
    """Check that centres change hands only by an uncontested pick (R30) or after an autumn (R29).

    After an autumn the power that stands in a centre owns it.
    """
    owners = campaign.owners_after(played.outcome)
    wanted = dict(played.position.owners)
    if played.position.phase.season == PICKS:
        wanted |= _find_awards(played)
    elif _is_year_end(played):
        nobility = played.outcome.nobility
        wanted |= {
            unit.province: unit.power
            for unit in played.outcome.units
            if played.position.board.provinces[unit.province].centre
            and unit.power != INDEPENDENT
            and not (played.position.board.rules.nobility and nobility[unit.power] <= 0)
        }
    for centre in sorted({*owners, *wanted}):
        if owners.get(centre) != wanted.get(centre):
            yield f"{centre} is {owners.get(centre)}'s, not {wanted.get(centre)}'s (R29, R30)"
    if played.after is not None and dict(played.after.owners) != owners:
        yield "the next position has other owners"


def _is_year_end(played: PlayedPhase) -> bool:
    """Return whether this is the end of an autumn, with its retreats over."""
    open_retreats = any(d.retreats for d in played.outcome.dislodged)
    return played.position.phase.season == AUTUMN and not open_retreats


def _find_awards(played: PlayedPhase) -> Mapping[str, str]:
    """Return the centres that a single power named with a legal pick, and the power."""
    position = played.position
    named = {
        power: order.centre
        for power, orders in played.orders.items()
        for order in orders
        if isinstance(order, Pick)
        and position.board.provinces[order.centre].centre == "start"
        and order.centre not in position.owners
    }
    for entry, reason in zip(played.outcome.results, played.outcome.reasons, strict=True):
        if reason.code == "pick-outside":
            named.pop(entry.power, None)
    times = Counter(named.values())
    return {centre: power for power, centre in named.items() if times[centre] == 1}


def check_nobility(played: PlayedPhase) -> Iterator[str]:
    """Check that a power loses a point for each general lost, down to 0, and gains none (R2)."""
    start = played.position.board.rules.nobility
    outcome = played.outcome
    retreats = {d.unit: d.retreats for d in played.position.dislodged}
    lost = [d.unit for d in outcome.dislodged if not d.retreats]
    lost += [unit for unit in outcome.disbanded if retreats.get(unit)]
    generals = Counter(unit.power for unit in lost if unit.kind == "G")
    for power in played.position.board.powers if start else ():
        before = played.position.nobility.get(power, start)
        if outcome.nobility[power] != max(before - generals[power], 0):
            points = f"{before} to {outcome.nobility[power]}"
            yield f"{power}: nobility from {points}, generals lost: {generals[power]}"


def check_upkeep(played: PlayedPhase) -> Iterator[str]:
    """Check after winter and deployment that centres keep all units of a power (R25, R31, R32)."""
    position = played.position
    if position.phase.kind not in ("winter", "deployment"):
        return
    units = Counter(unit.power for unit in played.outcome.units)
    keep: Counter[str] = Counter()
    for centre, power in position.owners.items():
        major = position.board.provinces[centre].major
        keep[power] += position.board.rules.major_city_upkeep if major else 1
    for power in position.board.powers:
        if units[power] > keep[power] and not position.in_revolt(power):
            yield f"{power} has {units[power]} units and keeps {keep[power]}"


def check_builds(played: PlayedPhase) -> Iterator[str]:
    """Check that new units stand in building centres of their power that had room (R28, R31)."""
    position = played.position
    for unit in _units_of_orders(played.outcome, Build):
        at = position.board.provinces[unit.province]
        homes = (*position.board.powers[unit.power].homes, *position.homes.get(unit.power, ()))
        there = [other for other in position.units if other.province == at.id]
        if position.owners.get(at.id) != unit.power:
            yield f"{unit} built in a centre of another power"
        elif at.id not in homes and not at.major:
            yield f"{unit} built in no building centre (R28)"
        if len(there) >= at.capacity or any(other.power != unit.power for other in there):
            yield f"{unit} built where there was no room"


def check_calendar(played: PlayedPhase) -> Iterator[str]:
    """Check that the next phase is the calendar's, and that the game ends when it is won."""
    if played.after is None:
        if played.ending is None:
            yield "no next phase, and the game is not over"
        return
    if played.ending is not None:
        yield "the game is over, and goes on"
    before, after = played.position.phase, played.after.phase
    if after.retreats != any(d.retreats for d in played.outcome.dislodged):
        yield f"{after} follows, whatever the open retreats"
    years = abs(after.year - before.year)
    if years != int(before.season in (WINTER, DEPLOYMENT)) or (years and after.season != SPRING):
        yield f"{after} follows {before}"
    if _is_year_end(played):
        position = played.after
        count = {
            power: len(position.centres_of(power))
            for power in position.board.powers
            if not position.in_revolt(power)
        }
        enough = position.board.rules.victory_centres
        rich = [power for power, owned in count.items() if owned >= enough]
        if len(rich) == 1:
            yield f"{rich[0]} has {count[rich[0]]} centres and has not won (R33)"


# Figures of a game: what happened in each phase, and what each power had after each year.


def count_phase(played: PlayedPhase) -> dict[str, Any]:
    """Return the figures of a phase: ``units`` after it, ``orders`` given, and results.

    ``failed`` counts moves that failed, ``stopped`` expresses that ended short, ``removed`` also
    the units that civil disorder removed.
    """
    outcome = played.outcome
    count = Counter((type(entry.order), entry.result) for entry in outcome.results)
    picks = outcome.picks
    return {
        "phase": str(played.position.phase),
        "units": len(outcome.units),
        "orders": len(outcome.results),
        "moved": count[Move, outcomes.SUCCEEDS],
        "failed": count[Move, outcomes.FAILS],
        "stopped": count[Move, outcomes.STOPPED],
        "dislodged": len(outcome.dislodged),
        "destroyed": len(outcome.destroyed),
        "retreated": count[Retreat, outcomes.SUCCEEDS],
        "disbanded": len(outcome.disbanded),
        "built": count[Build, outcomes.SUCCEEDS],
        "removed": count[Remove, outcomes.SUCCEEDS] + len(outcome.removed),
        "awarded": len(picks.awards) if picks else 0,
        "contested": len(picks.contested) if picks else 0,
    }


@dataclass(frozen=True, slots=True)
class YearFigures:
    """Centres, units and nobility (empty on a map without) of every power at the end of a year."""

    year: int
    centres: Mapping[str, int]
    units: Mapping[str, int]
    nobility: Mapping[str, int]


def count_years(game: Iterable[PlayedPhase]) -> tuple[YearFigures, ...]:
    """Return the figures of the years of a game that were played, in order."""
    last = {played.position.phase.year: played for played in game}
    figures = []
    for year, played in last.items():
        powers = played.position.board.powers
        owned = Counter(campaign.owners_after(played.outcome).values())
        units = Counter(unit.power for unit in played.outcome.units)
        figures.append(
            YearFigures(
                year,
                {power: owned[power] for power in powers},
                {power: units[power] for power in powers},
                dict(played.outcome.nobility),
            )
        )
    return tuple(figures)


# Checks of units: every unit before a phase is accounted for after it.


def check_positions(played: PlayedPhase) -> Iterator[str]:
    """Check that the position after the phase can stand: places, kinds of unit, capacity."""
    outcome = played.outcome
    bare = replace(
        outcome.position,
        units=outcome.units,
        owners=campaign.owners_after(outcome),
        nobility=outcome.nobility,
        dislodged=outcome.dislodged,
    )
    for position in filter(None, (bare, played.after)):
        for fault in position.problems():
            yield f"{position.phase}: {fault}"


def check_capacity(played: PlayedPhase) -> Iterator[str]:
    """Check that no province holds too many units and no two have one number (R8, R26)."""
    provinces = played.position.board.provinces
    for place, count in Counter(u.place for u in played.outcome.units).items():
        if count > 1:
            yield f"{count} units in {place}"
    for province, count in Counter(u.province for u in played.outcome.units).items():
        if count > provinces[province].capacity:
            yield f"{count} units in {province}"


def check_balance(played: PlayedPhase) -> Iterator[str]:
    """Check, by power and kind, that units before plus built minus lost are the units after."""
    outcome, before = played.outcome, played.position
    count = _tally((*before.units, *(d.unit for d in before.dislodged)))
    count.update(_tally(_units_of_orders(outcome, Build)))
    lost = (
        *outcome.destroyed,
        *(d.unit for d in outcome.dislodged),
        *outcome.disbanded,
        *outcome.removed,
        *_units_of_orders(outcome, Remove),
    )
    count.subtract(_tally(lost))
    count.subtract(_tally(outcome.units))
    for (power, kind), difference in sorted(count.items()):
        if difference:
            yield f"{difference:+d} {kind} of {power} unaccounted for"
    for unit, times in Counter(lost).items():
        if times > 1:
            yield f"{unit} of {unit.power} lost {times} times"


def _tally(units: Iterable[Unit]) -> Counter[tuple[str, str]]:
    return Counter((unit.power, unit.kind) for unit in units)


def _units_of_orders(outcome: Outcome, kind: type[Build] | type[Remove]) -> list[Unit]:
    return [
        entry.unit
        for entry in outcome.results
        if isinstance(entry.order, kind) and entry.result == outcomes.SUCCEEDS and entry.unit
    ]


def check_whereabouts(played: PlayedPhase) -> Iterator[str]:
    """Check that every unit is where its result says; one that stayed keeps its number (R8)."""
    if played.position.phase.kind != "movement":
        return
    outcome = played.outcome
    gone = {*outcome.destroyed, *(d.unit for d in outcome.dislodged)}
    left = [unit for unit in played.position.units if unit not in gone]
    ends = find_destinations(outcome)
    after = set(outcome.units)
    for unit in left:
        if unit not in ends and unit not in after:
            yield f"{unit.power} {unit.kind} {unit.place} did not move and is gone"
    expected = Counter((u.power, u.kind, ends.get(u, u.province)) for u in left)
    expected.subtract((u.power, u.kind, u.province) for u in outcome.units)
    for (power, kind, province), difference in sorted(expected.items()):
        if difference:
            yield f"{difference:+d} {kind} of {power} in {province} unaccounted for"


def find_destinations(outcome: Outcome) -> dict[Unit, str]:
    """Return the units that moved, and where to; attacks inside a sea move nobody (R11a)."""
    ends: dict[Unit, str] = {}
    for entry, reason in zip(outcome.results, outcome.reasons, strict=True):
        if entry.unit is None or not isinstance(entry.order, Move):
            continue
        if entry.result == outcomes.STOPPED:
            ends[entry.unit] = reason.stop
        elif entry.result == outcomes.SUCCEEDS:
            to = outcome.position.board.province_of(entry.order.to).id
            if to != entry.unit.province:
                ends[entry.unit] = to
    return ends


def check_garrisons(played: PlayedPhase) -> Iterator[str]:
    """Check that garrisons never move and never come back (R27)."""
    before = {unit for unit in played.position.units if unit.power == INDEPENDENT}
    for unit in played.outcome.units:
        if unit.power == INDEPENDENT and unit not in before:
            yield f"a garrison in {unit.province} that was not there"


def check_revolts(played: PlayedPhase) -> Iterator[str]:
    """Check that units in revolt stand where they are, or are destroyed (R3)."""
    position, outcome = played.position, played.outcome
    powers = [power for power in position.board.powers if position.in_revolt(power)]
    before = set(position.units)
    for unit in outcome.units:
        if unit.power in powers and unit not in before:
            yield f"{unit.kind} {unit.place} of {unit.power}, in revolt, moved or was built"
    for unit in (*outcome.removed, *(d.unit for d in outcome.dislodged)):
        if unit.power in powers:
            yield f"{unit.kind} {unit.place} of {unit.power}, in revolt, retreats or is removed"


# Checks of moves: borders, convoys, rivers, the portage, losses and retreats.


def check_moves(played: PlayedPhase) -> Iterator[str]:
    """Check that every move that was made had a way, and that nothing barred it."""
    if played.position.phase.kind == "movement":
        moves = _MoveChecker(played)
        for entry in played.outcome.results:
            if entry.unit is not None and isinstance(entry.order, Move):
                for fault in moves.faults(entry.unit, entry.order, entry.result):
                    yield f"{entry.power} {entry.order.unit} - {entry.order.to}: {fault}"


class _MoveChecker:
    """The map of one phase and the units that stayed, to check its moves against."""

    def __init__(self, played: PlayedPhase) -> None:
        self.outcome = played.outcome
        self.board = played.position.board
        self.tables = self.board.tables
        self.ends = find_destinations(played.outcome)
        gone = {*self.outcome.destroyed, *(d.unit for d in self.outcome.dislodged)}
        self.remaining: dict[ProvinceNo, set[str]] = {}  # the powers of units that stayed
        for unit in played.position.units:
            if unit not in gone and unit not in self.ends:
                self.remaining.setdefault(self.tables.index[unit.province], set()).add(unit.power)

    def faults(self, unit: Unit, order: Move, result: str) -> Iterator[str]:
        here, to = self.tables.index[unit.province], self._province(order.to)
        if result == outcomes.DESTROYED:
            if unit.kind != "F" or not self._is_raided(unit, here, to):
                yield "destroyed, and no haul was raided (R24)"
        elif result == outcomes.STOPPED:
            yield from self._check_stop(unit, here, to)
        elif result == outcomes.SUCCEEDS and unit.kind != "F":
            if to not in self.tables.army_to[here] and not self._is_carried(unit, to):
                yield "no border and no convoy"
        elif result == outcomes.SUCCEEDS and here == to:
            if not self.board.provinces[unit.province].is_sea:
                yield "a move to where it stands"
        elif result == outcomes.SUCCEEDS:
            beside = self.tables.fleet_to[self.tables.location[unit.location]]
            if to not in {self.tables.province_of[location] for location in beside}:
                yield from self._check_ride(unit, here, to)

    def _province(self, to: str) -> ProvinceNo:
        return self.tables.index[split_location(to)[0]]

    def _is_carried(self, army: Unit, to: ProvinceNo) -> bool:
        """Return whether fleets that were not dislodged carried the army all the way (R16)."""
        seas = {
            self.tables.index[entry.unit.province]
            for entry in self.outcome.results
            if entry.unit
            and isinstance(entry.order, Convoy)
            and entry.result == outcomes.AVAILABLE
            and split_location(entry.order.army[2:])[0] == army.province
            and self._province(entry.order.to) == to
        }
        return can_cross(self.tables, seas, self.tables.index[army.province], to)

    def _check_stop(self, unit: Unit, here: ProvinceNo, to: ProvinceNo) -> Iterator[str]:
        """Check that a move that stopped is an express, stopped on its way (R19)."""
        course = self.tables.course.get((here, to))
        if unit.kind != "F" or course is None:
            yield "stopped, and no express"
        elif self.tables.index[self.ends[unit]] not in course.path[:-1]:
            yield f"stopped in {self.ends[unit]}, off its way (R19)"
        else:
            yield from self._find_barriers(unit, here, self.tables.index[self.ends[unit]])

    def _check_ride(self, unit: Unit, here: ProvinceNo, to: ProvinceNo) -> Iterator[str]:
        """Check that an express passed no unit that stayed (R19), and a haul free land (R23)."""
        over = self.tables.haul.get((here, to))
        if (here, to) in self.tables.course:
            yield from self._find_barriers(unit, here, to)
        elif over is None:
            yield "no border, river or portage"
        elif over != here and over in self.remaining:
            yield "hauled over land that was not free (R23)"
        elif self._is_raided(unit, here, to):
            yield "hauled past a raider (R24)"

    def _find_barriers(self, unit: Unit, here: ProvinceNo, end: ProvinceNo) -> Iterator[str]:
        """Yield the provinces on the way of an express in which a unit stayed that bars it."""
        passed = {unit.power} if self.board.rules.express == "railway" else set()
        for province in self.tables.course[here, end].path:
            barring = self.remaining.get(province, set())
            if province != end:
                barring = barring - passed
            crowd = self.board.provinces[self.tables.ids[province]].capacity > 1
            if barring and not (crowd and province == end):
                yield f"went through {self.tables.ids[province]}, where somebody stayed (R19)"

    def _is_raided(self, fleet: Unit, here: ProvinceNo, to: ProvinceNo) -> bool:
        """Return whether a foreign army beside the haul was ordered onto it (R24)."""
        over = self.tables.haul.get((here, to))
        return over is not None and any(
            entry.unit is not None
            and isinstance(entry.order, Move)
            and entry.result not in (outcomes.ILLEGAL, outcomes.INVALID)
            and entry.unit.kind != "F"
            and entry.unit.power not in (fleet.power, INDEPENDENT)
            and self._province(entry.order.to) == over
            and self.tables.index[entry.unit.province] in self.tables.raiders[over]
            for entry in self.outcome.results
        )


def check_losses(played: PlayedPhase) -> Iterator[str]:
    """Check that only garrisons (R27), units in revolt (R3), raided hauls (R24) get no retreat."""
    position, outcome = played.position, played.outcome
    caught = {entry.unit for entry in outcome.results if entry.result == outcomes.DESTROYED}
    for unit in outcome.destroyed:
        if unit.power != INDEPENDENT and not position.in_revolt(unit.power) and unit not in caught:
            yield f"{unit.power} {unit.kind} {unit.place} destroyed for no reason"
    for dislodged in outcome.dislodged:
        if dislodged.unit.power == INDEPENDENT:
            yield f"the garrison of {dislodged.unit.province} is to retreat (R27)"


def check_retreats(played: PlayedPhase) -> Iterator[str]:
    """Check that retreats are open to free provinces from which no attacker came (R17).

    Retreats that were made must lead to one that was open.
    """
    outcome = played.outcome
    for dislodged in outcome.dislodged:
        unit = dislodged.unit
        for fault in _check_open_retreats(outcome, dislodged):
            yield f"{unit.power} {unit.kind} {unit.place}: {fault}"
    open_before = {d.unit: d.retreats for d in played.position.dislodged}
    for entry in outcome.results:
        if isinstance(entry.order, Retreat) and entry.result == outcomes.SUCCEEDS and entry.unit:
            provinces = {split_location(way)[0] for way in open_before[entry.unit]}
            if split_location(entry.order.to)[0] not in provinces:
                yield f"{entry.power} {entry.order.unit} retreated to {entry.order.to}, not open"


def _check_open_retreats(outcome: Outcome, dislodged: Dislodged) -> Iterator[str]:
    attackers = outcome.attackers(dislodged.unit)
    if not attackers or dislodged.by not in attackers:
        yield "dislodged by nobody"
    closed = {by.province for by in attackers if _came_by_land(outcome, by)}
    for way in dislodged.retreats:
        province = outcome.position.board.province_of(way)
        there = [unit for unit in outcome.units if unit.province == province.id]
        if province.id in closed:
            yield f"may retreat to {way}, where an attacker came from (R17)"
        if len(there) >= province.capacity:
            yield f"may retreat to {way}, which is full (R17)"
        if not province.is_sea and any(unit.power != dislodged.unit.power for unit in there):
            yield f"may retreat to {way}, where another power stands (R26)"


def _came_by_land(outcome: Outcome, attacker: Unit) -> bool:
    """Return whether an attacker crossed a border: convoys, expresses and hauls close nothing where
    they began."""
    tables = outcome.position.board.tables
    here = tables.index[attacker.province]
    for entry in outcome.results:
        if entry.unit == attacker and isinstance(entry.order, Move):
            to = tables.index[split_location(entry.order.to)[0]]
            convoyed = entry.order.via_convoy or any(
                isinstance(other.order, Convoy) and other.order.army[2:] == attacker.location
                for other in outcome.results
            )
            course = tables.course.get((here, to))
            if (here, to) in tables.haul:
                return True
            return not convoyed and (course is None or len(course.path) == 1)
    return False


# All that must hold after every phase, whatever was ordered.


Check = Callable[[PlayedPhase], Iterator[str]]

CHECKS: tuple[Check, ...] = (
    check_positions,
    check_capacity,
    check_balance,
    check_whereabouts,
    check_garrisons,
    check_revolts,
    check_moves,
    check_losses,
    check_retreats,
    check_centres,
    check_nobility,
    check_upkeep,
    check_builds,
    check_calendar,
)
"""The checks that look at one phase by itself."""


class InvariantChecker:
    """The checks of one game: of every phase by itself, and from phase to phase."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._eliminated_powers: set[str] = set()

    def check(self, played: PlayedPhase) -> None:
        """Check the phase just played; call this for every phase of a game, in order."""
        with blame_phase(self.seed, played.position, played.orders):
            every = (*CHECKS, self._check_eliminated, check_listing, check_notation)
            self.refuse(played, tuple(fault for check in every for fault in check(played)))

    def refuse(self, played: PlayedPhase, faults: tuple[str, ...]) -> None:
        """Raise the faults of a phase, if there are any."""
        if faults:
            raise BrokenInvariantError(self.seed, played.position, played.orders, faults)

    def _check_eliminated(self, played: PlayedPhase) -> Iterator[str]:
        """Check that a power once without centres and units stays without (R35)."""
        now = set(campaign.eliminated(played.outcome))
        for power in sorted(self._eliminated_powers - now):
            yield f"{power} was eliminated and is back (R35)"
        self._eliminated_powers |= now


def check_listing(played: PlayedPhase) -> Iterator[str]:
    """Check that the outcome does not depend on the order in which powers and units are listed."""
    turned = dict(list(played.orders.items())[::-1])
    other = adjudicate(replace(played.position, units=played.position.units[::-1]), turned)
    yield from _compare_outcomes(played.outcome, other, "listed the other way round")


def _compare_outcomes(one: Outcome, other: Outcome, how: str) -> Iterator[str]:
    """Yield what differs in two outcomes of one phase, whatever they list first."""

    def results(outcome: Outcome) -> Counter[tuple[str, Order, str]]:
        return Counter((entry.power, entry.order, entry.result) for entry in outcome.results)

    for name in ("units", "dislodged", "destroyed", "disbanded", "removed"):
        if set(getattr(one, name)) != set(getattr(other, name)):
            yield f"other {name} if {how}"
    if dict(one.nobility) != dict(other.nobility):
        yield f"other nobility if {how}"
    if results(one) != results(other):
        yield f"other results if {how}"


def check_notation(played: PlayedPhase) -> Iterator[str]:
    """Check that every order reads back as it is written."""
    for power, orders in played.orders.items():
        for order in orders:
            text = write_order(order)
            try:
                read = read_order(text, played.position, power)
            except NotationError as error:
                yield f"{power} '{text}' cannot be read: {error}"
                continue
            if read != order:
                yield f"{power} '{text}' reads as '{write_order(read)}'"


# Writing the phases of a game as turn files, reading them back, and comparing the two.


def write_turn(path: Path, played: PlayedPhase, map_name: str = "") -> None:
    """Write the position before a phase and its orders as a turn file.

    ``map_name`` is the name of the map in the file; by default it is the id of the board.
    """
    text = turn_text(played.position, played.orders, map_name=map_name)
    path.write_text(text, encoding="utf-8", newline="\n")


def replay_turn(path: Path) -> Resolution:
    """Read a turn file and adjudicate it."""
    return resolve_turn(read_turn(path))


def find_differences(read: Resolution, played: PlayedPhase) -> Iterator[str]:
    """Yield how a turn file differs from the phase that was written to it."""
    wrote, got = _comparable(played.position), _comparable(read.position)
    for name, value in wrote.items():
        if value != got[name]:
            yield f"{name} read back otherwise from the turn file"
    if read.orders != {power: list(orders) for power, orders in played.orders.items()}:
        yield "the orders read back otherwise from the turn file"
    yield from _compare_outcomes(played.outcome, read.outcome, "adjudicated from the turn file")


def _comparable(position: Position) -> dict[str, object]:
    board = position.board
    start = board.rules.nobility
    return {
        "the map": board.id,
        "the rules": board.rules,
        "the phase": position.phase,
        "the units": set(position.units),
        "the owners": dict(position.owners),
        "the homes": {power: set(homes) for power, homes in position.homes.items() if homes},
        "the nobility": {power: position.nobility.get(power, start) for power in board.powers},
        "the dislodged": set(position.dislodged),
    }
