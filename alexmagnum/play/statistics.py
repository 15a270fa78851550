"""A game in figures: what each phase came to, and what each power had at the end of each year."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from alexmagnum.campaign import owners_after
from alexmagnum.judge.outcome import FAILS, STOPPED, SUCCEEDS
from alexmagnum.orders import Build, Move, Remove, Retreat
from alexmagnum.play.random_game import PlayedPhase


@dataclass(frozen=True, slots=True)
class PhaseFigures:
    """One phase in figures: ``units`` on the board after it, ``orders`` that were given, and
    of these or of the units how many did what.

    ``failed`` counts moves that came to nothing, ``stopped`` expresses that ended short,
    ``removed`` also those that civil disorder took.
    """

    phase: str
    units: int
    orders: int
    moved: int
    failed: int
    stopped: int
    dislodged: int
    destroyed: int
    retreated: int
    disbanded: int
    built: int
    removed: int
    awarded: int
    contested: int


def count_phase(played: PlayedPhase) -> PhaseFigures:
    """The figures of a phase."""
    outcome = played.outcome
    count = Counter((type(entry.order), entry.result) for entry in outcome.results)
    picks = outcome.picks
    return PhaseFigures(
        phase=str(played.position.phase),
        units=len(outcome.units),
        orders=len(outcome.results),
        moved=count[Move, SUCCEEDS],
        failed=count[Move, FAILS],
        stopped=count[Move, STOPPED],
        dislodged=len(outcome.dislodged),
        destroyed=len(outcome.destroyed),
        retreated=count[Retreat, SUCCEEDS],
        disbanded=len(outcome.disbanded),
        built=count[Build, SUCCEEDS],
        removed=count[Remove, SUCCEEDS] + len(outcome.removed),
        awarded=len(picks.awards) if picks else 0,
        contested=len(picks.contested) if picks else 0,
    )


@dataclass(frozen=True, slots=True)
class YearFigures:
    """What every power had at the end of a year, by power; ``nobility`` is empty on a map
    without."""

    year: int
    centres: Mapping[str, int]
    units: Mapping[str, int]
    nobility: Mapping[str, int]


def count_years(game: Iterable[PlayedPhase]) -> tuple[YearFigures, ...]:
    """The years of a game as far as it was played, in order."""
    last = {played.position.phase.year: played for played in game}
    return tuple(_year(year, played) for year, played in last.items())


def _year(year: int, played: PlayedPhase) -> YearFigures:
    powers = played.position.board.powers
    owned = Counter(owners_after(played.outcome).values())
    units = Counter(unit.power for unit in played.outcome.units)
    return YearFigures(
        year,
        {power: owned[power] for power in powers},
        {power: units[power] for power in powers},
        dict(played.outcome.nobility),
    )
