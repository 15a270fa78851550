"""One game of a series: from its number to its rows in the tables of results.

A game is a function of its series and its number alone.  It may be played anywhere, any number of
times, and has the same rows, those of ``timings`` excepted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from time import thread_time

from alexmagnum.board.model import Board
from alexmagnum.lab.move_kinds import MoveKinds
from alexmagnum.lab.plan import Series, draw_seed
from alexmagnum.lab.rulings import RULINGS, RulingTally
from alexmagnum.lab.seated_bots import SeatedBots
from alexmagnum.lab.tables import Rows
from alexmagnum.lab.tally import GameTally, find_elimination
from alexmagnum.orders import Order
from alexmagnum.play import PlayedPhase, play_game
from alexmagnum.position import Position


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
        """Return the time since the last call."""
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
        return {
            "games": [self._game_row(self._last)],
            "seats": list(self._seat_rows(self._last)),
            "years": list(self._year_rows()),
            "orders": list(self._order_rows()),
            "provinces": list(self._province_rows()),
            "rules": list(self._rule_rows()),
            "timings": [
                self._row(
                    bot_seconds=self._clock.bots + self._bots.seconds,
                    judge_seconds=self._clock.judge,
                    seconds=thread_time() - self._begun + self._bots.seconds,
                )
            ],
        }

    def _row(self, **columns: object) -> dict[str, object]:
        return {"series": self.match.series.name, "game": self.number, **columns}

    def _game_row(self, last: PlayedPhase) -> dict[str, object]:
        provinces, battles = self.match.board.provinces, self._tally.battles
        return self._row(
            seed=self.seed,
            map=self.match.board.id,
            victory=name_victory(last, self.match.board),
            winners=list(last.ending.winners) if last.ending else [],
            phases=self._tally.phases,
            years=len(self._tally.years()),
            last_phase=str(last.position.phase),
            battles=battles.total(),
            sea_battles=sum(count for p, count in battles.items() if provinces[p].is_sea),
        )

    def _seat_rows(self, last: PlayedPhase) -> Iterator[dict[str, object]]:
        years, tally = self._tally.years(), self._tally
        winners = last.ending.winners if last.ending else ()
        for power, bot in self.seats.items():
            yield self._row(
                power=power,
                bot=bot,
                start=tally.starts.get(power, []),
                share=1 / len(winners) if power in winners else 0.0,
                centres=years[-1].centres[power],
                nobility=years[-1].nobility.get(power),
                eliminated=find_elimination(years, power),
                first_contact=tally.contacts.get(power),
                opening=tally.openings.get(power, ""),
                forfeits=self._bots.forfeits[power],
                fault=self._bots.faults.get(power, ""),
            )

    def _year_rows(self) -> Iterator[dict[str, object]]:
        for number, figures in enumerate(self._tally.years(), 1):
            for power in self.seats:
                yield self._row(
                    power=power,
                    year=figures.year,
                    number=number,
                    centres=figures.centres[power],
                    units=figures.units[power],
                    nobility=figures.nobility.get(power),
                )

    def _order_rows(self) -> Iterator[dict[str, object]]:
        tally = self._tally
        for power, kind in sorted(tally.given):
            if power in self.seats:
                yield self._row(
                    power=power,
                    kind=kind,
                    given=tally.given[power, kind],
                    successful=tally.successful[power, kind],
                )

    def _rule_rows(self) -> Iterator[dict[str, object]]:
        times, years = self._rulings.times, self._tally.years()
        eliminated = sum(find_elimination(years, power) is not None for power in self.seats)
        for ruling in RULINGS:
            yield self._row(ruling=ruling, times=eliminated if ruling == "R35" else times[ruling])

    def _province_rows(self) -> Iterator[dict[str, object]]:
        tally = self._tally
        for province in self.match.board.provinces:
            yield self._row(
                province=province,
                entries=tally.entries[province],
                battles=tally.battles[province],
            )


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
