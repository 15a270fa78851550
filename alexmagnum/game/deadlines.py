"""The deadline of the open phase: set it, extend it, stop the clock, resume it."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from alexmagnum.errors import GameError
from alexmagnum.game import clock
from alexmagnum.game.records import OVER, JournalRow
from alexmagnum.game.state import Game
from alexmagnum.game.stored_orders import require_open_phase
from alexmagnum.i18n import zones


def set_deadline(game: Game, at: datetime | None, reason: str) -> str:
    """Set the deadline of the open phase, None for no deadline, and return it.

    A clock that was stopped runs on.

    Raises:
        GameError: game-is-over.
    """
    with game.act("deadline-set", reason=reason) as note:
        head = require_open_phase(game).id
        text = zones.format_iso(at) if at else ""
        game.file.update("phases", head, deadline=text, seconds_left=None)
        note.detail["deadline"] = text
        return text


def extend_deadline(game: Game, at: datetime, reason: str) -> str:
    """Put the deadline off, and return it.

    Raises:
        GameError: deadline-earlier, if it would come sooner; game-paused, game-is-over.
    """
    with game.act("deadline-extend", reason=reason) as note:
        head = require_open_phase(game).id
        if read_seconds_left(game) is not None:
            raise GameError("game-paused")
        before, text = read_deadline(game), zones.format_iso(at)
        if before and at < zones.parse_iso(before):
            raise GameError("deadline-earlier", deadline=before, asked=text)
        game.file.update("phases", head, deadline=text)
        note.detail |= {"before": before, "deadline": text}
        return text


def pause_clock(game: Game, reason: str) -> None:
    """Stop the clock, and store the time that is left.

    Raises:
        GameError: game-paused, if it stands already; deadline-none, game-is-over.
    """
    with game.act("pause", reason=reason) as note:
        head = require_open_phase(game).id
        if read_seconds_left(game) is not None:
            raise GameError("game-paused")
        before = read_deadline(game)
        if not before:
            raise GameError("deadline-none")
        left = int(clock.remaining(zones.parse_iso(before), game.now()).total_seconds())
        game.file.update("phases", head, deadline="", seconds_left=left)
        note.detail |= {"before": before, "seconds_left": left}


def resume_clock(game: Game, reason: str) -> str:
    """Let the clock run on, and return the new deadline.

    Raises:
        GameError: game-running, game-is-over.
    """
    with game.act("resume", reason=reason) as note:
        head = require_open_phase(game).id
        left = read_seconds_left(game)
        if left is None:
            raise GameError("game-running")
        text = zones.format_iso(clock.compute_resumed_deadline(timedelta(seconds=left), game.now()))
        game.file.update("phases", head, deadline=text, seconds_left=None)
        note.detail["deadline"] = text
        return text


_CLOCK = ("deadline-set", "deadline-extend", "pause", "resume")
"""The acts that change a deadline, besides opening a phase."""


class ClockChange(NamedTuple):
    """A change of the open phase's deadline: its number in the journal, its time and reason."""

    id: int
    at: str
    reason: str


def find_clock_change(game: Game) -> ClockChange | None:
    """Return the last change of the open phase's deadline, None if there was none."""
    head = game.head()
    if head.kind == OVER:
        return None
    marks = ", ".join("?" * len(_CLOCK))
    rest = f"WHERE phase = ? AND action IN ({marks}) ORDER BY id DESC LIMIT 1"
    row = game.file.find(JournalRow, rest, str(head.name), *_CLOCK)
    return ClockChange(row.id, row.at, row.reason) if row else None


def read_deadline(game: Game) -> str:
    """Return the deadline of the open phase, "" if there is none or the clock stands."""
    return game.head().deadline


def read_seconds_left(game: Game) -> int | None:
    """Return the seconds that were left when the clock was stopped, None while it runs."""
    return game.head().seconds_left
