"""One game of a series: played by its bots, counted, and written as rows of the tables."""

import ctypes
import hashlib
import re
import tomllib
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from queue import Empty, SimpleQueue
from random import Random
from threading import Thread
from time import thread_time
from typing import Any

import polars

from alexmagnum.board.model import INDEPENDENT, Board
from alexmagnum.bots import Bot
from alexmagnum.errors import BadOrders
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.judge import outcome as outcomes
from alexmagnum.judge.explanation import format_reason
from alexmagnum.judge.other_phases import count_adjustments
from alexmagnum.judge.results import MovementOutcome
from alexmagnum.judge.validation import list_orders
from alexmagnum.lab.plan import Series, draw_seed, is_own, make_bot
from alexmagnum.notation import write_order
from alexmagnum.orders import Build, Convoy, Move, Order, Retreat, Support
from alexmagnum.play import PlayedPhase, YearFigures, count_years, play_game
from alexmagnum.position import Position, Unit

# A limit of time for a call that may never return, as those of users' own bots.


class NoAnswerError(Exception):
    """A call took longer than its limit, or ended as if the whole program were to end."""


class TimeLimit:
    """Calls functions, each in a thread of its own, and leaves those behind that take too long.

    Such a call is stopped as soon as it runs Python code.  One that sleeps, or waits for the
    network, is left alone until it wakes.  ``used``: the processor time of all calls that returned.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.used = 0.0

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return what a function returns, or raise what it raises.

        Raises:
            NoAnswerError: it took longer than the limit, or raised what would end this process,
                such as KeyboardInterrupt.
        """
        answers: SimpleQueue[tuple[Any, BaseException | None, float]] = SimpleQueue()

        def answer() -> None:
            result, raised, begun = None, None, thread_time()
            try:
                result = function(*arguments)
            # Broad on purpose: whatever ended this thread would look like no answer.
            except BaseException as error:
                raised = error
            answers.put((result, raised, thread_time() - begun))

        thread = Thread(target=answer, name="time limit", daemon=True)
        thread.start()
        try:
            result, error, used = answers.get(timeout=self.seconds)
        except Empty:
            stopped = ctypes.py_object(SystemExit)  # it ends a thread without a word
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), stopped)
            raise NoAnswerError(f"no answer within {self.seconds:g} seconds") from None
        self.used += used
        if error is None:
            return result
        if isinstance(error, (Exception, SystemExit)):
            raise error
        raise NoAnswerError(f"{type(error).__name__}: {error}")


# The bots of one game: asked for orders phase by phase, and caught when they fail.


_LONGEST = 200  # the length of a fault's text
_ADDRESS = re.compile(r"0x[0-9a-fA-F]{6,}")  # where Python keeps a value: another text in every run


class SeatedBots:
    """The bots of one game by power.

    ``forfeits`` counts by power the orders that did not count, ``faults`` has the first fault of
    each in words.  ``seed``: that of the game.
    """

    def __init__(self, seats: Mapping[str, str], seed: int, turn_seconds: float) -> None:
        self.forfeits: Counter[str] = Counter()
        self.faults: dict[str, str] = {}
        self._seed = seed
        self._limit = TimeLimit(turn_seconds)
        self._bots: dict[str, Bot] = {
            power: make_bot(name) if is_own(name) else _keep_bot(name)
            for power, name in seats.items()
        }
        self._own = {power for power, name in seats.items() if is_own(name)}

    @property
    def seconds(self) -> float:
        """The processor time that users' own bots have used."""
        return self._limit.used

    def give_orders(self, position: Position, rng: Random) -> dict[str, Sequence[Order]]:
        """Return the orders of all powers that have any to give in a phase.

        Each power draws from a generator of its own for each phase: what one bot draws changes
        nothing for the others, nor for later phases.
        """
        asked = {power: self._ask(position, power) for power in list_askable(position)}
        return {power: listed for power, listed in asked.items() if listed}

    def note_illegal(self, outcome: outcomes.Outcome) -> None:
        """Count the orders of a phase that the judge found illegal."""
        for number, entry in enumerate(outcome.results):
            if entry.result == outcomes.ILLEGAL and entry.power in self._bots:
                self.forfeits[entry.power] += 1
                if entry.power not in self.faults:
                    reason = outcome.reasons[number]
                    why = format_reason(reason, outcome.position, load_sentences("en"))
                    self._blame(entry.power, outcome.position, f"{write_order(entry.order)}: {why}")

    def _ask(self, position: Position, power: str) -> Sequence[Order]:
        bot, rng = self._bots[power], draw_generator(self._seed, position, power)
        try:
            if power in self._own:
                answer: Any = self._limit.call(bot.orders, position, power, rng)
            else:
                answer = bot.orders(position, power, rng)
        except NoAnswerError as error:
            return self._forfeit(power, position, str(error))
        # Broad on purpose: a bot may fail in any way, and the game goes on.
        except (Exception, SystemExit) as error:
            return self._forfeit(power, position, f"{type(error).__name__}: {error}")
        return self._keep_orders(position, power, answer)

    def _keep_orders(self, position: Position, power: str, answer: Any) -> Sequence[Order]:
        try:
            kept: Sequence[Order] = list_orders(position, {power: answer})[power]
            return kept
        except BadOrders as error:
            if not isinstance(answer, (list, tuple)):
                kind = type(answer).__name__
                return self._forfeit(power, position, f"the answer is no list but {kind}")
            first = error.faults[0]
            text = load_sentences("en").format(first.code, **first.data)
            kept = [entry for entry in answer if _is_order(position, power, entry)]
            self._forfeit(power, position, text, len(answer) - len(kept))
            return kept
        # A list of a class of its own can do anything.
        except Exception as error:
            return self._forfeit(power, position, f"{type(error).__name__}: {error}")

    def _forfeit(
        self, power: str, position: Position, text: str, orders: int = 1
    ) -> Sequence[Order]:
        self.forfeits[power] += orders
        self._blame(power, position, text)
        return ()

    def _blame(self, power: str, position: Position, text: str) -> None:
        line = " ".join(_ADDRESS.sub("0x...", text).split())
        self.faults.setdefault(power, f"{position.phase}: {line}"[:_LONGEST])


def _is_order(position: Position, power: str, entry: Any) -> bool:
    try:
        list_orders(position, {power: [entry]})
    except BadOrders:
        return False
    return True


@cache
def _keep_bot(name: str) -> Bot:
    return make_bot(name)


def list_askable(position: Position) -> list[str]:
    """Return the powers that have orders to give in a phase."""
    powers = [power for power in position.board.powers if not position.in_revolt(power)]
    if (kind := position.phase.kind) == "movement":
        acting = {unit.power for unit in position.units}
    elif kind == "retreats":
        acting = {dislodged.unit.power for dislodged in position.dislodged}
    elif kind == "winter":
        acting = {power for power, due in count_adjustments(position).items() if due}
    else:
        return powers
    return [power for power in powers if power in acting]


def draw_generator(seed: int, position: Position, power: str) -> Random:
    """Return the random numbers of a power for a phase of a game."""
    text = f"{seed}/{position.phase}/{power}".encode()
    return Random(int.from_bytes(hashlib.sha256(text).digest()[:8], "big"))


# The kinds of moves on a board.


Kind = tuple[str, str]
"""The kind of a move, and the province that it goes to."""


def find_kind(board: Board, order: Move) -> Kind:
    """Return the kind of a move and its province.

    ``move``; ``move by convoy``, if the order says so; ``attack``: on a fleet that it names (R11);
    ``express``: along a river, further than to a neighbour (R18); ``haul``: over a portage (R23).
    """
    tables, goal = board.tables, board.province_of(order.to)
    ends = tables.index[board.province_of(order.unit[2:]).id], tables.index[goal.id]
    if order.unit[0] == "F" and ends in tables.haul:
        return "haul", goal.id
    if order.unit[0] == "F" and ends in tables.course and len(tables.course[ends].path) > 1:
        return "express", goal.id
    if "#" in order.to:
        return "attack", goal.id
    return "move by convoy" if order.via_convoy else "move", goal.id


# The counts of one game, phase by phase: orders, provinces, contacts and years.


_FAILURES = (outcomes.FAILS, outcomes.STOPPED)


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

    def __init__(self, board: Board) -> None:
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

    def add(self, played: PlayedPhase) -> None:
        """Count a phase."""
        outcome = played.outcome
        phase = outcome.position.phase
        self.phases += 1
        self._ends[phase.year] = played
        if phase.kind == "movement":
            if not self.starts:
                self.openings = {
                    power: ", ".join(sorted(map(write_order, listed)))
                    for power, listed in played.orders.items()
                }
                position = outcome.position
                self.starts = {p: sorted(position.centres_of(p)) for p in self._board.powers}
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

    def _add_movement(self, outcome: outcomes.Outcome) -> None:
        standing: dict[str, set[str]] = {}
        for stander in outcome.position.units:
            standing.setdefault(stander.province, set()).add(stander.power)
        movers: dict[str, set[str]] = {}
        failed: list[tuple[str, str]] = []
        given, successful = self.given, self.successful
        for power, order, unit, result in outcome.results:
            if isinstance(order, Move) and unit is not None:
                kind, goal = find_kind(self._board, order)
                if result not in (outcomes.ILLEGAL, outcomes.INVALID):
                    movers.setdefault(goal, set()).add(power)
                if result == outcomes.SUCCEEDS:
                    self.entries[goal] += 1
                elif result in _FAILURES:
                    failed.append((power, goal))
            else:
                kind = name_kind(order)
            given[power, kind] += 1
            successful[power, kind] += result in outcomes.WANTED
        fought = {
            goal
            for power, goal in failed
            if movers[goal] - {power} or standing.get(goal, set()) - {power}
        }
        fought |= {dislodged.unit.province for dislodged in outcome.dislodged}
        fought |= {unit.province for unit in outcome.destroyed}
        self.battles.update(fought)

    def _add_others(self, outcome: outcomes.Outcome) -> None:
        for power, order, _, result in outcome.results:
            kind = name_kind(order)
            self.given[power, kind] += 1
            self.successful[power, kind] += result in outcomes.WANTED
            if isinstance(order, Retreat) and result == outcomes.SUCCEEDS:
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
    """Return the kind of an order, by which the table of orders counts; moves are of several."""
    if isinstance(order, Support):
        return "support hold" if order.to is None else "support move"
    return "move" if isinstance(order, Move) else type(order).__name__.lower()


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


def _read_data(name: str) -> dict[str, Any]:
    return tomllib.loads(resources.files("alexmagnum.lab").joinpath(name).read_text("utf-8"))


RULINGS = (
    *("R1", "R2", "R3", "R8", "R9", "R10", "R11", "R11a", "R12", "R13", "R15", "R16", "R17"),
    *("R18", "R19", "R21", "R21a", "R22a", "R23", "R24", "R25", "R26", "R27", "R28"),
    *("R30", "R32", "R33", "R34", "R35"),
)
"""The rulings that are counted, each in every game."""

_BY_REASON = {
    reason: ruling for ruling, codes in _read_data("rulings.toml").items() for reason in codes
}
"""The ruling that a reason comes from, where it is one alone."""

_WON = ("dislodges", "dislodges-beside", "destroys", "destroys-beside", "outmatches")
_FIGHTS = frozenset({*_WON, "enters-past", "holds"})
"""The reasons of a unit that prevailed, with its strength and that of its strongest rival."""


class RulingTally:
    """Counts of one game by ruling; :meth:`add` takes its phases in order."""

    def __init__(self, board: Board) -> None:
        self.times: Counter[str] = Counter()
        self._board = board
        self._seas = {p.id for p in board.provinces.values() if p.is_sea and p.capacity > 1}
        self._places = {p.id for p in board.provinces.values() if p.capacity > 1}
        self._general = board.rules.general_strength - 1

    def add(self, played: PlayedPhase) -> None:
        """Count a phase."""
        outcome, times = played.outcome, self.times
        if (kind := outcome.position.phase.kind) == "movement":
            self._add_movement(outcome)
        elif kind == "retreats":
            times["R17"] += sum(
                entry.result == outcomes.SUCCEEDS
                and isinstance(entry.order, Retreat)
                and entry.order.to in self._seas
                for entry in outcome.results
            )
        elif kind == "winter":
            self._add_winter(outcome)
        elif kind == "picks":
            times["R30"] += sum(reason.code == "pick-contested" for reason in outcome.reasons)
        for power, points in outcome.nobility.items():
            if (lost := outcome.position.points_of(power) - points) > 0:
                times["R2"] += lost
                times["R3"] += not points
        ending = played.ending if played.after is None else None
        if ending is not None and ending.winners:
            times["R33" if ending.by_centres else "R34"] += 1

    # -- movement --------------------------------------------------------------------------------

    def _add_movement(self, outcome: outcomes.Outcome) -> None:
        position = outcome.position
        fleets = Counter(u.province for u in position.units if u.province in self._seas)
        entries: dict[str, set[str]] = {}
        results = outcome.results
        wanted = self._list_special(position, results)
        assert isinstance(outcome, MovementOutcome)
        for number, reason in zip(wanted, outcome.explain_orders(wanted), strict=True):
            if isinstance((entry := results[number]).order, Move):
                self._add_move(entry, reason, fleets, entries)
            elif reason.code == "holds":
                self._add_general(entry.unit, reason)
        if self._seas:
            self._add_seas(outcome, fleets, entries)
        self.times["R27"] += sum(unit.power == INDEPENDENT for unit in outcome.destroyed)

    def _list_special(
        self, position: Position, results: Sequence[outcomes.OrderOutcome]
    ) -> list[int]:
        """Return the numbers of the orders of which a special rule may have decided something."""
        places = self._places | {u.province for u in position.units if u.power == INDEPENDENT}
        numbers = []  # of these alone the reasons are worked out, which takes longest
        for number, (_, order, unit, result) in enumerate(results):
            if unit is None or result in (outcomes.ILLEGAL, outcomes.INVALID):
                continue
            if isinstance(order, Move):
                kind, goal = find_kind(self._board, order)
                if goal in places or unit.kind == "G" or kind in ("express", "haul"):
                    numbers.append(number)
            elif unit.kind == "G":
                numbers.append(number)
        return numbers

    def _add_move(
        self,
        entry: outcomes.OrderOutcome,
        reason: outcomes.Reason,
        fleets: Mapping[str, int],
        entries: dict[str, set[str]],
    ) -> None:
        """Count one move; ``entries`` collects the powers with plain entries, by sea."""
        code, times, order = reason.code, self.times, entry.order
        if not isinstance(order, Move):
            return
        if (ruling := _BY_REASON.get(code)) is not None:
            times[ruling] += 1
        elif entry.result == outcomes.STOPPED:
            times["R19"] += 1
        if entry.result == outcomes.SUCCEEDS and code in _FIGHTS:
            self._add_general(entry.unit, reason)
        if code == "held-off" and any(unit.power == INDEPENDENT for unit in reason.units):
            times["R27"] += 1
        sea, _, number = order.to.partition("#")
        if sea in self._seas:
            if not number:
                entries.setdefault(sea, set()).add(entry.power)
                times["R9"] += entry.result == outcomes.SUCCEEDS and bool(fleets.get(sea))
            elif ruling != "R11a":
                times["R11"] += 1

    def _add_general(self, unit: Unit | None, reason: outcomes.Reason) -> None:
        """Count a general that prevailed, and would not have with the strength of another unit."""
        if unit is not None and unit.kind == "G" and reason.against >= 0:
            without = reason.strength - self._general
            is_short = (
                without < reason.against if reason.code == "holds" else without <= reason.against
            )
            self.times["R1"] += is_short and self._general > 0

    def _add_seas(
        self, outcome: outcomes.Outcome, fleets: Mapping[str, int], entries: Mapping[str, set[str]]
    ) -> None:
        """Count seas that several fleets share, and what they do there."""
        times = self.times
        shared = Counter(u.province for u in outcome.units if u.province in self._seas)
        times["R8"] += sum(count > 1 for count in shared.values())
        for entry in outcome.results:
            if (unit := entry.unit) is None or unit.province not in fleets:
                continue
            if isinstance(entry.order, Support) and entry.result == outcomes.GIVEN:
                times["R13"] += bool(entries.get(unit.province, set()) - {entry.power})
            elif isinstance(entry.order, Convoy) and entry.result == "available":
                times["R16"] += fleets[unit.province] > 1

    # -- winter and nobility ---------------------------------------------------------------------

    def _add_winter(self, outcome: outcomes.Outcome) -> None:
        times, position, board = self.times, outcome.position, self._board
        times["R32"] += len(outcome.removed)
        units = Counter(unit.power for unit in outcome.units)
        centres = Counter(position.owners.values())
        times["R25"] += sum(units[power] > centres[power] > 0 for power in board.powers)
        for entry in outcome.results:
            if isinstance(entry.order, Build) and entry.result == outcomes.SUCCEEDS and entry.unit:
                province = entry.unit.province
                homes = (*board.powers[entry.power].homes, *position.homes.get(entry.power, ()))
                times["R28"] += board.provinces[province].major and province not in homes


# The tables of results: what columns each has, and how they are sorted.


Rows = list[dict[str, Any]]
"""The rows of one table, each by column name."""


def _read_tables() -> Mapping[str, Mapping[str, Any]]:
    """Return the tables of ``tables.toml``, each with the type of every column."""
    common, *others = _read_data("tables.toml").items()
    types: dict[str, Any] = vars(polars) | {"Texts": polars.List(polars.String)}
    return {
        table: {column: types[name] for column, name in {**common[1], **columns}.items()}
        for table, columns in others
    }


TABLES = _read_tables()
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


class GameRecord:
    """A game while it is played: its bots, its counts and its times."""

    def __init__(self, match: Match, number: int) -> None:
        series = match.series
        self.match = match
        self.number = number
        self.seed = draw_seed(series.seed, number)
        self.seats = series.seat_bots(match.board.powers, number)
        self._bots = SeatedBots(self.seats, self.seed, match.turn_seconds)
        self._tally = GameTally(match.board)
        self._rulings = RulingTally(match.board)
        self._begun = self._mark = thread_time()
        self._bot_seconds = self._judge_seconds = 0.0
        self._last: PlayedPhase | None = None

    def play(self) -> Iterator[PlayedPhase]:
        """Play the game and yield its phases, each after it is counted."""
        self._lap()
        for played in play_game(
            self.match.board,
            self.seed,
            years=self.match.series.years,
            give_orders=self._give_orders,
        ):
            self._judge_seconds += self._lap()
            self._last = played
            self._bots.note_illegal(played.outcome)
            self._tally.add(played)
            self._rulings.add(played)
            yield played
            self._lap()

    def _lap(self) -> float:
        """Return the processor time since this was last called."""
        before, self._mark = self._mark, thread_time()
        return self._mark - before

    def _give_orders(self, position: Position, rng: Random) -> dict[str, Sequence[Order]]:
        self._lap()
        orders = self._bots.give_orders(position, rng)
        self._bot_seconds += self._lap()
        return orders

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
            "bot_seconds": self._bot_seconds + self._bots.seconds,
            "judge_seconds": self._judge_seconds,
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
    deque(record.play(), maxlen=0)
    return record.rows()
