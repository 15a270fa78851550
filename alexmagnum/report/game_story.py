"""All that the final report tells of a game that is over, gathered from the desk.

What everybody may see of a phase is decided by :mod:`alexmagnum.report.views`, as in every report:
the orders of the phase that was open when the game master ended the game stay closed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from alexmagnum.board.model import Board
from alexmagnum.campaign import owners_after
from alexmagnum.errors import GameError
from alexmagnum.game.desk import Desk
from alexmagnum.game.values import GameEnd, Player
from alexmagnum.judge.outcome import Outcome
from alexmagnum.position import (
    AUTUMN,
    DEPLOYMENT,
    PICKS,
    WINTER,
    Position,
    Unit,
    list_fallen,
)
from alexmagnum.report.centre_counts import CentreCount
from alexmagnum.report.phase_context import PhaseContext, gather_past_phase
from alexmagnum.report.views import View, filter_context


@dataclass(frozen=True, slots=True)
class GameStory:
    """The whole game as everybody may know it once it is over.

    Attributes:
        end: how the game ended.
        position: the position at the end.
        stopped: the phase that was open when the game master ended the game, "" if none was.
        phases: what everybody may see of each phase that was resolved, oldest first.
        last: all that everybody may see of the last phase processed; None if there is none.
        closing_seal: the digest of the game file at its end.
    """

    game: str
    end: GameEnd
    position: Position
    stopped: str
    phases: tuple[View, ...]
    last: View | None
    closing_seal: str

    @property
    def players(self) -> tuple[Player, ...]:
        """The players as everybody may know them."""
        return self.last.content.players if self.last else ()

    @property
    def centre_counts(self) -> tuple[CentreCount, ...]:
        """The centres of the powers over the years."""
        return self.last.content.centre_counts if self.last else ()

    @property
    def outcomes(self) -> Iterator[Outcome]:
        """The outcomes of the phases, as everybody may see them."""
        for view in self.phases:
            assert view.content.outcome is not None, "every phase of the story was resolved"
            yield view.content.outcome


def gather_story(desk: Desk) -> GameStory:
    """Gather the story of a game that is over.

    Raises:
        GameError: ``game-goes-on``.
    """
    with desk.reading():
        end = desk.status().end
        if end is None:
            raise GameError("game-goes-on")
        records = desk.phases()
        processed = [record.name for record in records if record.state == "processed"]
        return GameStory(
            game=desk.name,
            end=end,
            position=desk.position,
            stopped=str(desk.position.phase) if end.is_declared else "",
            phases=tuple(_view_phase(desk, record.name) for record in records),
            last=_view_last(desk, processed),
            closing_seal=desk.closing_seal,
        )


def _view_last(desk: Desk, processed: Sequence[str]) -> View | None:
    """Return all that everybody may see of the last phase processed, None if there is none."""
    if not processed:
        return None
    return filter_context(gather_past_phase(desk, processed[-1]), None)


def _view_phase(desk: Desk, name: str) -> View:
    """Return what everybody may see of a phase: its outcome and its seals."""
    done = desk.processed(name)
    context = PhaseContext(
        game=desk.name, position=done.outcome.position, outcome=done.outcome, seals=done.seals
    )
    return filter_context(context, None)


# -- what the phases add up to --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class UnitChanges:
    """The units that one phase gave or took: ``built`` or placed, ``removed`` in a winter, and
    ``lost`` (destroyed, or without a retreat)."""

    built: tuple[Unit, ...]
    removed: tuple[Unit, ...]
    lost: tuple[Unit, ...]


def find_unit_changes(outcome: Outcome) -> UnitChanges:
    """Return the units that a phase gave or took."""
    position = outcome.position
    if position.phase.season in (WINTER, DEPLOYMENT):
        before, after = set(position.units), set(outcome.units)
        return UnitChanges(tuple(sorted(after - before)), tuple(sorted(before - after)), ())
    stranded: list[Unit] = []
    if not any(dislodged.retreats for dislodged in outcome.dislodged):
        stranded = [dislodged.unit for dislodged in outcome.dislodged]
    return UnitChanges((), (), (*outcome.destroyed, *outcome.disbanded, *stranded))


@dataclass(frozen=True, slots=True)
class Holding:
    """A stretch of years in which a power owned a centre; ``until`` is 0 if it still does."""

    power: str
    since: int
    until: int = 0


def list_holdings(board: Board, outcomes: Iterable[Outcome]) -> dict[str, tuple[Holding, ...]]:
    """Return who owned each centre one after the other; centres that nobody ever had are left out.

    The first year of a centre that a power had from the beginning is the first of the game.
    """
    spans: dict[str, list[Holding]] = {}
    for outcome in outcomes:
        year = outcome.position.phase.year
        for owners in (outcome.position.owners, owners_after(outcome)):
            for centre, owner in owners.items():
                _note_owner(spans.setdefault(centre, []), owner, year)
    return {centre: tuple(spans[centre]) for centre in board.centres if centre in spans}


def _note_owner(spans: list[Holding], owner: str, year: int) -> None:
    """Note that a power owns a centre in a year; the power before it owned it until then."""
    if spans and spans[-1].power == owner:
        return
    if spans:
        spans[-1] = replace(spans[-1], until=year)
    spans.append(Holding(owner, year))


def count_nobility(story: GameStory) -> list[tuple[Position, dict[str, int]]]:
    """Return the nobility of every power after the last phase of each year."""
    years: dict[int, tuple[Position, dict[str, int]]] = {}
    for outcome in story.outcomes:
        if outcome.nobility:
            position = outcome.position
            years[position.phase.year] = (position, dict(outcome.nobility))
    return list(years.values())


def list_eliminations(story: GameStory) -> dict[str, int]:
    """Return the year in which each eliminated power lost its last centre and unit."""
    gone: dict[str, int] = {}
    positions = [o.position for o in story.outcomes if o.position.phase.season != PICKS]
    for position in (*positions, story.position):
        for power in list_fallen(position) if position.phase.season != PICKS else ():
            gone.setdefault(power, position.phase.year)
    return gone


def is_year_end(count: CentreCount, picks: int) -> bool:
    """Return whether centres were counted at the end of a year, or at the beginning of the game."""
    after = count.after
    return after is None or after.season == AUTUMN or after.period == picks
