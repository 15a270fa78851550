"""The game as one audience of a site may see it, gathered from the desk.

Pages are made from a :class:`PublishedGame` alone: what it does not hold is on no page.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from alexmagnum.board.model import Board
from alexmagnum.errors import GameError
from alexmagnum.game.desk import Desk
from alexmagnum.game.values import GameEnd, PhaseRecord
from alexmagnum.judge.outcome import Outcome
from alexmagnum.position import Position
from alexmagnum.report.phase_context import (
    PhaseContext,
    gather_open_phase,
    gather_past_phase,
)
from alexmagnum.report.views import View, disclose_context, filter_context

EVERYTHING = "everything"
"""The audience that sees a game without its secrets, once it is over."""


@dataclass(frozen=True, slots=True)
class PublishedPhase:
    """A processed phase: what the audience sees of it, and when it was processed (ISO, UTC)."""

    name: str
    processed: str
    view: View

    @property
    def outcome(self) -> Outcome:
        """The outcome as the audience sees it."""
        assert self.view.content.outcome is not None, "the phase was processed"
        return self.view.content.outcome


@dataclass(frozen=True, slots=True)
class PublishedGame:
    """A game as one audience sees it.

    Attributes:
        key: the same for all sites of the game, and for no other game.
        audience: a power, ``gm``, :data:`EVERYTHING`, or None for everybody.
        position: the position now, or at the end.
        opened: what the audience sees of the open phase; None if the game is over.
        end: how the game ended, None if it goes on.
    """

    key: str
    name: str
    audience: str | None
    position: Position
    phases: tuple[PublishedPhase, ...]
    opened: View | None
    end: GameEnd | None

    @property
    def board(self) -> Board:
        """The map of the game."""
        return self.position.board

    @property
    def outcomes(self) -> Iterator[Outcome]:
        """The outcomes of the phases, oldest first."""
        return (phase.outcome for phase in self.phases)

    @property
    def newest(self) -> View:
        """The latest view: of the open phase, or of the last one if the game is over."""
        return self.opened or self.phases[-1].view


def gather_game(desk: Desk, audience: str | None) -> PublishedGame:
    """Gather what an audience may see of a game: a power, ``gm``, :data:`EVERYTHING` or everybody.

    Orders that wait are not opened, for nobody.

    Raises:
        GameError: ``site-before-the-end``: :data:`EVERYTHING` of a game that goes on;
            ``site-empty``: the game was ended before its first phase was processed.
    """
    with desk.reading():
        end = desk.status().end
        if audience == EVERYTHING and end is None:
            raise GameError("site-before-the-end")
        if not has_pages(desk):
            raise GameError("site-empty")
        phases = tuple(
            PublishedPhase(
                record.name,
                record.processed,
                _view(gather_past_phase(desk, record.name), audience),
            )
            for record in processed_records(desk)
        )
        return PublishedGame(
            key=find_game_key(desk),
            name=desk.name,
            audience=audience,
            position=desk.position,
            phases=phases,
            opened=gather_newest(desk, audience) if desk.phase is not None else None,
            end=end,
        )


def has_pages(desk: Desk) -> bool:
    """Return whether there is anything to publish: a phase is open, or one was processed."""
    return desk.phase is not None or bool(processed_records(desk))


def gather_newest(desk: Desk, audience: str | None) -> View:
    """Return what an audience sees of the open phase, or of the last one if the game is over."""
    if desk.phase is not None:
        return _view(gather_open_phase(desk), audience)
    return _view(gather_past_phase(desk, processed_records(desk)[-1].name), audience)


def find_game_key(desk: Desk) -> str:
    """Return what tells the game from every other."""
    begun = next((record.opened for record in desk.phases()), "")
    return f"{desk.board.id} {desk.name} {begun}"


def processed_records(desk: Desk) -> list[PhaseRecord]:
    """Return the processed phases, oldest first."""
    return [record for record in desk.phases() if record.state == "processed"]


def _view(context: PhaseContext, audience: str | None) -> View:
    """Return what an audience may see of a phase."""
    if audience == EVERYTHING:
        return disclose_context(context)
    return filter_context(context, audience)
