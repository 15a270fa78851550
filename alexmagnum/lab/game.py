"""One game of a series: played, counted, and written as rows of the tables of results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from time import thread_time
from typing import Any

import polars

from alexmagnum.board.model import INDEPENDENT, Board
from alexmagnum.judge.outcome import (
    FAILS,
    GIVEN,
    ILLEGAL,
    INVALID,
    STOPPED,
    SUCCEEDS,
    WANTED,
    OrderOutcome,
    Outcome,
    Reason,
)
from alexmagnum.judge.results import MovementOutcome
from alexmagnum.lab.bots import SeatedBots
from alexmagnum.lab.plan import Series, draw_seed
from alexmagnum.notation import write_order
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
    Waive,
)
from alexmagnum.play import PlayedPhase, YearFigures, count_years, play_game
from alexmagnum.position import Position, Unit

Kind = tuple[str, str]
"""The kind of a move, and the province that it goes to."""


class MoveKinds:
    """The kinds of moves on one board; those that were asked for are kept.

    ``move``; ``move by convoy``, if the order says so; ``attack``: on a fleet that it names (R11);
    ``express``: along a river, further than to a neighbour (R18); ``haul``: over a portage (R23).
    """

    def __init__(self, board: Board) -> None:
        self._board = board
        self._known: dict[tuple[str, str, bool], Kind] = {}

    def find(self, order: Move) -> Kind:
        """Return the kind of a move and its province."""
        key = order.unit, order.to, order.via_convoy
        kind = self._known.get(key)
        if kind is None:
            kind = self._known[key] = self._work_out(order)
        return kind

    def _work_out(self, order: Move) -> Kind:
        tables = self._board.tables
        start = self._board.province_of(order.unit[2:])
        goal = self._board.province_of(order.to)
        ends = tables.index[start.id], tables.index[goal.id]
        if order.unit[0] == "F" and ends in tables.haul:
            return "haul", goal.id
        if order.unit[0] == "F" and ends in tables.course and len(tables.course[ends].path) > 1:
            return "express", goal.id
        if "#" in order.to:
            return "attack", goal.id
        return "move by convoy" if order.via_convoy else "move", goal.id


# The counts of one game, phase by phase: orders, provinces, contacts and years.


_KINDS: Mapping[type, str] = {
    Hold: "hold",
    Convoy: "convoy",
    Retreat: "retreat",
    Disband: "disband",
    Build: "build",
    Remove: "remove",
    Waive: "waive",
    Pick: "pick",
}
"""The kinds of order by class; moves and supports are of several kinds."""

_FAILURES = (FAILS, STOPPED)


class GameTally:
    """The counts of one game; :meth:`add` takes its phases in order.

    Attributes:
        given: the number of orders by power and kind.
        successful: the number of successful orders by power and kind.
        entries: the number of entries by province.
        battles: the number of battles by province.
        openings: by power, the orders of its first movement phase as a text.
        starts: by power, its centres in that phase.
        contacts: by power, the year of its first contact.
        phases: the number of phases.
    """

    def __init__(self, board: Board, kinds: MoveKinds) -> None:
        self.given: Counter[tuple[str, str]] = Counter()
        self.successful: Counter[tuple[str, str]] = Counter()
        self.entries: Counter[str] = Counter()
        self.battles: Counter[str] = Counter()
        self.openings: dict[str, str] = {}
        self.starts: dict[str, list[str]] = {}
        self.contacts: dict[str, int] = {}
        self.phases = 0
        self._board = board
        self._ends: dict[int, PlayedPhase] = {}
        self._years: tuple[YearFigures, ...] = ()
        self._kinds = kinds

    def add(self, played: PlayedPhase) -> None:
        """Count a phase."""
        outcome = played.outcome
        phase = outcome.position.phase
        self.phases += 1
        self._ends[phase.year] = played
        if phase.kind == "movement":
            if not self.starts:
                self.openings = _write_openings(played.orders)
                self.starts = _list_centres(outcome.position)
            self._add_movement(outcome)
        else:
            self._add_others(outcome)
        if len(self.contacts) < len(self._board.powers):
            self._find_contacts(outcome.units, phase.year)

    def years(self) -> tuple[YearFigures, ...]:
        """Return the figures of the years that were played; call this when the game is over."""
        if len(self._years) < len(self._ends):
            self._years = count_years(self._ends.values())
        return self._years

    # -- orders and provinces --------------------------------------------------------------------

    def _add_movement(self, outcome: Outcome) -> None:
        standing = _list_powers(outcome.position.units)
        movers: dict[str, set[str]] = {}
        failed: list[tuple[str, str]] = []
        given, successful = self.given, self.successful
        for power, order, unit, result in outcome.results:
            if isinstance(order, Move) and unit is not None:
                kind, goal = self._kinds.find(order)
                if result not in (ILLEGAL, INVALID):
                    movers.setdefault(goal, set()).add(power)
                if result == SUCCEEDS:
                    self.entries[goal] += 1
                elif result in _FAILURES:
                    failed.append((power, goal))
            else:
                kind = name_kind(order)
            given[power, kind] += 1
            successful[power, kind] += result in WANTED
        fought = {
            goal
            for power, goal in failed
            if movers[goal] - {power} or standing.get(goal, set()) - {power}
        }
        fought |= {dislodged.unit.province for dislodged in outcome.dislodged}
        fought |= {unit.province for unit in outcome.destroyed}
        self.battles.update(fought)

    def _add_others(self, outcome: Outcome) -> None:
        for power, order, _, result in outcome.results:
            kind = name_kind(order)
            self.given[power, kind] += 1
            self.successful[power, kind] += result in WANTED
            if isinstance(order, Retreat) and result == SUCCEEDS:
                self.entries[self._board.province_of(order.to).id] += 1

    # -- contacts --------------------------------------------------------------------------------

    def _find_contacts(self, units: Sequence[Unit], year: int) -> None:
        tables = self._board.tables
        by_province: dict[int, set[str]] = {}
        for unit in units:
            if unit.power != INDEPENDENT:
                by_province.setdefault(tables.index[unit.province], set()).add(unit.power)
        for province, powers in by_province.items():
            near = set(powers)
            for other in tables.near[province]:
                near |= by_province.get(other, set())
            if len(near) > 1:
                for power in powers:
                    self.contacts.setdefault(power, year)


def name_kind(order: Order) -> str:
    """Return the kind of an order, by which the table of orders counts."""
    if isinstance(order, Support):
        return "support hold" if order.to is None else "support move"
    return _KINDS.get(type(order), "move")


def _list_powers(units: Sequence[Unit]) -> dict[str, set[str]]:
    standing: dict[str, set[str]] = {}
    for unit in units:
        standing.setdefault(unit.province, set()).add(unit.power)
    return standing


def _write_openings(orders: Mapping[str, Sequence[Order]]) -> dict[str, str]:
    return {power: ", ".join(sorted(map(write_order, o))) for power, o in orders.items()}


def _list_centres(position: Position) -> dict[str, list[str]]:
    return {power: sorted(position.centres_of(power)) for power in position.board.powers}


def find_elimination(years: Sequence[YearFigures], power: str) -> int | None:
    """Return the year at the end of which a power had neither centre nor unit; None if it had.

    >>> find_elimination([YearFigures(1901, {"X": 0}, {"X": 0}, {})], "X")
    1901
    """
    for figures in years:
        if not figures.centres[power] and not figures.units[power]:
            return figures.year
    return None


# How often each ruling decided something in a game, read off the results and their reasons.


RULINGS = (
    *("R1", "R2", "R3", "R8", "R9", "R10", "R11", "R11a", "R12", "R13", "R15", "R16", "R17"),
    *("R18", "R19", "R21", "R21a", "R22a", "R23", "R24", "R25", "R26", "R27", "R28"),
    *("R30", "R32", "R33", "R34", "R35"),
)
"""The rulings that are counted, each in every game."""

_BY_REASON: Mapping[str, str] = {
    "enters-past": "R10",
    "crowded-out": "R10",
    "dislodges-beside": "R11a",
    "held-off-beside": "R11a",
    "target-left": "R11a",
    "no-room": "R12",
    "no-room-exchange": "R15",
    "rides": "R18",
    "way-occupied": "R19",
    "way-contested": "R19",
    "way-outmatched": "R19",
    "way-ahead": "R21",
    "way-oncoming": "R21a",
    "way-contested-opposite": "R21a",
    "way-outmatched-opposite": "R21a",
    "paradox-way": "R22a",
    "hauled": "R23",
    "not-hauled": "R23",
    "caught": "R24",
    "enters-city": "R26",
    "dislodges-stays": "R26",
    "city-held": "R26",
    "city-full": "R26",
    "pick-contested": "R30",
}
"""The ruling that a reason comes from, where it is one alone."""

_FIGHTS = frozenset({"dislodges", "dislodges-beside", "outmatches", "enters-past", "holds"})
"""The reasons of a unit that prevailed, with its strength and that of its strongest rival."""


class RulingTally:
    """Counts of one game by ruling; :meth:`add` takes its phases in order."""

    def __init__(self, board: Board, kinds: MoveKinds) -> None:
        self.times: Counter[str] = Counter()
        self._board = board
        self._seas = {p.id for p in board.provinces.values() if p.is_sea and p.capacity > 1}
        self._places = {p.id for p in board.provinces.values() if p.capacity > 1}
        self._kinds = kinds
        self._general = board.rules.general_strength - 1

    def add(self, played: PlayedPhase) -> None:
        """Count a phase."""
        outcome, times = played.outcome, self.times
        kind = outcome.position.phase.kind
        if kind == "movement":
            self._add_movement(outcome)
        elif kind == "retreats":
            times["R17"] += sum(
                entry.result == SUCCEEDS
                and isinstance(entry.order, Retreat)
                and entry.order.to in self._seas
                for entry in outcome.results
            )
        elif kind == "winter":
            self._add_winter(outcome)
        elif kind == "picks":
            times["R30"] += sum(reason.code == "pick-contested" for reason in outcome.reasons)
        self._add_nobility(outcome)
        ending = played.ending if played.after is None else None
        if ending is not None and ending.winners:
            times["R33" if ending.by_centres else "R34"] += 1

    # -- movement --------------------------------------------------------------------------------

    def _add_movement(self, outcome: Outcome) -> None:
        position = outcome.position
        fleets = Counter(u.province for u in position.units if u.province in self._seas)
        entries: dict[str, set[str]] = {}
        results = outcome.results
        wanted = self._list_special(position, results)
        for number, reason in zip(wanted, _explain(outcome, wanted), strict=True):
            entry = results[number]
            if isinstance(entry.order, Move):
                self._add_move(entry, reason, fleets, entries)
            elif reason.code == "holds":
                self._add_general(entry.unit, reason)
        if self._seas:
            self._add_seas(outcome, fleets, entries)
        self.times["R27"] += sum(unit.power == INDEPENDENT for unit in outcome.destroyed)

    def _list_special(self, position: Position, results: Sequence[OrderOutcome]) -> list[int]:
        """Return the numbers of the orders of which a special rule may have decided something.

        Only of these the reasons are worked out, which takes longer than all the rest here.
        """
        places = self._places | {u.province for u in position.units if u.power == INDEPENDENT}
        numbers = []
        for number, (_, order, unit, result) in enumerate(results):
            if unit is None or result in (ILLEGAL, INVALID):
                continue
            if isinstance(order, Move):
                kind, goal = self._kinds.find(order)
                if goal in places or unit.kind == "G" or kind in ("express", "haul"):
                    numbers.append(number)
            elif unit.kind == "G":
                numbers.append(number)
        return numbers

    def _add_move(
        self,
        entry: OrderOutcome,
        reason: Reason,
        fleets: Mapping[str, int],
        entries: dict[str, set[str]],
    ) -> None:
        """Count one move; ``entries`` collects the powers with plain entries, by sea."""
        code, times, order = reason.code, self.times, entry.order
        if not isinstance(order, Move):
            return
        ruling = _BY_REASON.get(code)
        if ruling is not None:
            times[ruling] += 1
        elif entry.result == STOPPED:
            times["R19"] += 1
        if entry.result == SUCCEEDS and code in _FIGHTS:
            self._add_general(entry.unit, reason)
        if code == "held-off" and any(unit.power == INDEPENDENT for unit in reason.units):
            times["R27"] += 1
        sea, _, number = order.to.partition("#")
        if sea in self._seas:
            if not number:
                entries.setdefault(sea, set()).add(entry.power)
                times["R9"] += entry.result == SUCCEEDS and bool(fleets.get(sea))
            elif ruling != "R11a":
                times["R11"] += 1

    def _add_general(self, unit: Unit | None, reason: Reason) -> None:
        """Count a general that prevailed, and would not have with the strength of another unit."""
        if unit is not None and unit.kind == "G" and reason.against >= 0:
            without = reason.strength - self._general
            is_short = (
                without < reason.against if reason.code == "holds" else without <= reason.against
            )
            self.times["R1"] += is_short and self._general > 0

    def _add_seas(
        self, outcome: Outcome, fleets: Mapping[str, int], entries: Mapping[str, set[str]]
    ) -> None:
        """Count seas that several fleets share, and what they do there."""
        times = self.times
        shared = Counter(u.province for u in outcome.units if u.province in self._seas)
        times["R8"] += sum(count > 1 for count in shared.values())
        for entry in outcome.results:
            unit = entry.unit
            if unit is None or unit.province not in fleets:
                continue
            if isinstance(entry.order, Support) and entry.result == GIVEN:
                times["R13"] += bool(entries.get(unit.province, set()) - {entry.power})
            elif isinstance(entry.order, Convoy) and entry.result == "available":
                times["R16"] += fleets[unit.province] > 1

    # -- winter and nobility ---------------------------------------------------------------------

    def _add_winter(self, outcome: Outcome) -> None:
        times, position, board = self.times, outcome.position, self._board
        times["R32"] += len(outcome.removed)
        units = Counter(unit.power for unit in outcome.units)
        centres = Counter(position.owners.values())
        times["R25"] += sum(units[power] > centres[power] > 0 for power in board.powers)
        for entry in outcome.results:
            if isinstance(entry.order, Build) and entry.result == SUCCEEDS and entry.unit:
                province = entry.unit.province
                homes = (*board.powers[entry.power].homes, *position.homes.get(entry.power, ()))
                times["R28"] += board.provinces[province].major and province not in homes

    def _add_nobility(self, outcome: Outcome) -> None:
        for power, points in outcome.nobility.items():
            lost = outcome.position.points_of(power) - points
            if lost > 0:
                self.times["R2"] += lost
                self.times["R3"] += not points


def _explain(outcome: Outcome, numbers: list[int]) -> tuple[Reason, ...]:
    assert isinstance(outcome, MovementOutcome)
    return outcome.explain_orders(numbers)


# The tables of results: what columns each has, and how they are sorted.


Rows = list[dict[str, Any]]
"""The rows of one table, each by column name."""

_GAME = {"series": polars.String, "game": polars.Int32}

TABLES: Mapping[str, Mapping[str, Any]] = {
    "games": {
        **_GAME,
        "seed": polars.UInt64,
        "map": polars.String,
        "victory": polars.String,  # "centres", "nobility", or "" if the limit of years ended it
        "winners": polars.List(polars.String),
        "phases": polars.Int32,
        "years": polars.Int32,
        "last_phase": polars.String,
        "battles": polars.Int32,
        "sea_battles": polars.Int32,
    },
    "seats": {
        **_GAME,
        "power": polars.String,
        "bot": polars.String,
        "start": polars.List(polars.String),  # its centres before the first spring, sorted
        "share": polars.Float64,
        "centres": polars.Int32,
        "nobility": polars.Int32,
        "eliminated": polars.Int32,
        "first_contact": polars.Int32,
        "opening": polars.String,
        "forfeits": polars.Int32,
        "fault": polars.String,
    },
    "years": {
        **_GAME,
        "power": polars.String,
        "year": polars.Int32,
        "number": polars.Int32,
        "centres": polars.Int32,
        "units": polars.Int32,
        "nobility": polars.Int32,
    },
    "orders": {
        **_GAME,
        "power": polars.String,
        "kind": polars.String,
        "given": polars.Int32,
        "successful": polars.Int32,
    },
    "provinces": {
        **_GAME,
        "province": polars.String,
        "entries": polars.Int32,
        "battles": polars.Int32,
    },
    "rules": {
        **_GAME,
        "ruling": polars.String,
        "times": polars.Int32,
    },
    "timings": {
        **_GAME,
        "bot_seconds": polars.Float64,
        "judge_seconds": polars.Float64,
        "seconds": polars.Float64,
    },
}
"""The tables by name, with the type of every column.

All but ``timings`` follow from the plan alone: they are the same byte for byte on any number of
processes.  ``timings`` is in processor time, and differs from run to run.
"""


def make_frame(table: str, rows: Rows) -> polars.DataFrame:
    """Return the rows of a table with its types, in the order in which they are given."""
    return polars.DataFrame(rows, schema=dict(TABLES[table]), orient="row", strict=True)


# One game of a series: from its number to its rows in the tables of results.


@dataclass(frozen=True, slots=True)
class Match:
    """A series with all that its games need: it travels to wherever they are played."""

    series: Series
    board: Board
    turn_seconds: float


@dataclass(slots=True)
class _Clock:
    """Processor time of bots and judge; ``mark``: when the one before last handed over."""

    bots: float = 0.0
    judge: float = 0.0
    mark: float = 0.0

    def lap(self) -> float:
        now = thread_time()
        passed, self.mark = now - self.mark, now
        return passed


class GameRecord:
    """A game while it is played: its bots, its counts and its times."""

    def __init__(self, match: Match, number: int) -> None:
        series = match.series
        self.match = match
        self.number = number
        self.seed = draw_seed(series.seed, number)
        self.seats = series.seat_bots(match.board.powers, number)
        self._bots = SeatedBots(self.seats, self.seed, match.turn_seconds)
        kinds = MoveKinds(match.board)
        self._tally = GameTally(match.board, kinds)
        self._rulings = RulingTally(match.board, kinds)
        self._clock = _Clock()
        self._begun = thread_time()
        self._last: PlayedPhase | None = None

    def play(self) -> Iterator[PlayedPhase]:
        """Play the game and yield its phases, each after it is counted."""
        self._clock.lap()
        phases = play_game(
            self.match.board,
            self.seed,
            years=self.match.series.years,
            give_orders=self._give_orders,
        )
        try:
            for played in phases:
                self._clock.judge += self._clock.lap()
                self._count(played)
                yield played
                self._clock.lap()
        finally:
            self._bots.close()

    def _give_orders(self, position: Position, rng: Random) -> dict[str, Sequence[Order]]:
        self._clock.lap()
        orders = self._bots.give_orders(position, rng)
        self._clock.bots += self._clock.lap()
        return orders

    def _count(self, played: PlayedPhase) -> None:
        self._last = played
        self._bots.note_illegal(played.outcome)
        self._tally.add(played)
        self._rulings.add(played)

    # -- its rows --------------------------------------------------------------------------------

    def rows(self) -> dict[str, Rows]:
        """Return the rows of a game that is over, by table.

        Raises:
            ValueError: nothing was played.
        """
        if self._last is None:
            raise ValueError("nothing was played")
        tally, times, years = self._tally, self._rulings.times, self._tally.years()
        times["R35"] = sum(find_elimination(years, power) is not None for power in self.seats)
        seconds: dict[str, object] = {
            "bot_seconds": self._clock.bots + self._bots.seconds,
            "judge_seconds": self._clock.judge,
            "seconds": thread_time() - self._begun + self._bots.seconds,
        }
        found: dict[str, Iterable[dict[str, object]]] = {
            "games": [self._game_row(self._last)],
            "seats": self._seat_rows(self._last),
            "years": (
                {
                    "power": power,
                    "year": figures.year,
                    "number": number,
                    "centres": figures.centres[power],
                    "units": figures.units[power],
                    "nobility": figures.nobility.get(power),
                }
                for number, figures in enumerate(years, 1)
                for power in self.seats
            ),
            "orders": (
                {
                    "power": power,
                    "kind": kind,
                    "given": tally.given[power, kind],
                    "successful": tally.successful[power, kind],
                }
                for power, kind in sorted(tally.given)
                if power in self.seats
            ),
            "provinces": (
                {"province": p, "entries": tally.entries[p], "battles": tally.battles[p]}
                for p in self.match.board.provinces
            ),
            "rules": ({"ruling": ruling, "times": times[ruling]} for ruling in RULINGS),
            "timings": [seconds],
        }
        of_game = {"series": self.match.series.name, "game": self.number}
        return {table: [{**of_game, **row} for row in rows] for table, rows in found.items()}

    def _game_row(self, last: PlayedPhase) -> dict[str, object]:
        provinces, battles = self.match.board.provinces, self._tally.battles
        return {
            "seed": self.seed,
            "map": self.match.board.id,
            "victory": name_victory(last, self.match.board),
            "winners": list(last.ending.winners) if last.ending else [],
            "phases": self._tally.phases,
            "years": len(self._tally.years()),
            "last_phase": str(last.position.phase),
            "battles": battles.total(),
            "sea_battles": sum(count for p, count in battles.items() if provinces[p].is_sea),
        }

    def _seat_rows(self, last: PlayedPhase) -> Iterator[dict[str, object]]:
        years, tally = self._tally.years(), self._tally
        winners = last.ending.winners if last.ending else ()
        for power, bot in self.seats.items():
            yield {
                "power": power,
                "bot": bot,
                "start": tally.starts.get(power, []),
                "share": 1 / len(winners) if power in winners else 0.0,
                "centres": years[-1].centres[power],
                "nobility": years[-1].nobility.get(power),
                "eliminated": find_elimination(years, power),
                "first_contact": tally.contacts.get(power),
                "opening": tally.openings.get(power, ""),
                "forfeits": self._bots.forfeits[power],
                "fault": self._bots.faults.get(power, ""),
            }


def name_victory(last: PlayedPhase, board: Board) -> str:
    """Return how a game ended with its last phase.

    By ``centres`` (R33), by ``nobility`` in the last year (R34), or in the ``last year`` on a map
    without nobility, where the most centres decide; "" if a limit of years ended it.
    """
    if last.ending is None:
        return ""
    if last.ending.by_centres:
        return "centres"
    return "nobility" if board.rules.nobility else "last year"


def play_match_game(match: Match, number: int) -> dict[str, Rows]:
    """Play a game of a series, and return its rows by table."""
    record = GameRecord(match, number)
    for _ in record.play():
        pass
    return record.rows()
