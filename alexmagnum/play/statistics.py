"""Figures of a game: what happened in each phase, and what each power had after each year."""

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
    """The figures of one phase: ``units`` on the board after it, ``orders`` given, and results.

    ``failed`` counts moves that failed, ``stopped`` expresses that ended short, ``removed`` also
    the units that civil disorder removed.
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
    """Count the orders, units and results of a phase."""
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
    """The centres, units and nobility of every power at the end of a year.

    ``nobility`` is empty on a map without nobility.
    """

    year: int
    centres: Mapping[str, int]
    units: Mapping[str, int]
    nobility: Mapping[str, int]


def count_years(game: Iterable[PlayedPhase]) -> tuple[YearFigures, ...]:
    """Return the figures of the years of a game that were played, in order."""
    last = {played.position.phase.year: played for played in game}
    return tuple(_count_year(year, played) for year, played in last.items())


def _count_year(year: int, played: PlayedPhase) -> YearFigures:
    powers = played.position.board.powers
    owned = Counter(owners_after(played.outcome).values())
    units = Counter(unit.power for unit in played.outcome.units)
    return YearFigures(
        year,
        {power: owned[power] for power in powers},
        {power: units[power] for power in powers},
        dict(played.outcome.nobility),
    )
