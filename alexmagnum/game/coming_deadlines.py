"""The deadlines that come: of the phase that opens next, and of those that follow it.

Open this for where the calendar of a game gets its facts from: the deadline in force, the usual
time of day, the absences.  :mod:`alexmagnum.game.clock` does the counting.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from itertools import islice

from alexmagnum.errors import GameError
from alexmagnum.game import clock
from alexmagnum.game.records import JournalRow, PhaseRow, PlayerRow
from alexmagnum.game.required_orders import find_active_powers, find_required_orders
from alexmagnum.game.state import Game
from alexmagnum.game.values import RETURN, ComingDeadline
from alexmagnum.i18n import zones
from alexmagnum.i18n.date_parser import END_OF_DAY, Absence

# -- the next one ----------------------------------------------------------------------------------


def find_next_deadline(game: Game, phase: PhaseRow, previous: PhaseRow | None) -> datetime:
    """Return the deadline of a phase that opens now; ``previous`` is the phase before it."""
    timing = clock.Timing.of(game.settings())
    return clock.next_deadline(
        _find_deadline_in_force(game, previous),
        phase.kind,
        timing,
        game.now(),
        _find_absences(game, tuple(find_required_orders(game.position(phase.id)))),
        _find_usual_time(game, previous, timing.zone),
    )


def _find_deadline_in_force(game: Game, phase: PhaseRow | None) -> datetime | None:
    """Return the deadline of a phase; while the clock stands, the one it would have now.

    For a phase without a deadline it is that of the last phase that had one.
    """
    if phase is None:
        return None
    if phase.seconds_left is not None:
        return clock.compute_resumed_deadline(timedelta(seconds=phase.seconds_left), game.now())
    listed = (phase.deadline, *(row.deadline for row in reversed(game.line())))
    return next((zones.parse_iso(at) for at in listed if at), None)


def _find_usual_time(game: Game, phase: PhaseRow | None, zone: str) -> time | None:
    """Return the time of day at which deadlines usually fall, None if there was none yet.

    It is that of the last deadline.  A pause puts a deadline off to any hour: after it, the usual
    time is that of the deadline before the pause.
    """
    if phase is None:
        return None
    last = _find_deadline_before_pause(game) or phase.deadline
    past = [row.deadline for row in reversed(game.line())]
    listed = [last, *(at for at in past if at < last or not last)]
    return clock.find_usual_time((zones.parse_iso(at) for at in listed if at), zone)


def _find_deadline_before_pause(game: Game) -> str:
    """Return the deadline before the first pause since a deadline was last set, "" for none."""
    set_at = "SELECT MAX(id) FROM journal WHERE action IN ('deadline-set', 'deadline-extend')"
    row = game.file.find(
        JournalRow,
        f"WHERE action = 'pause' AND id > (SELECT COALESCE(({set_at}), 0)) ORDER BY id",
    )
    return str(json.loads(row.detail).get("before", "")) if row else ""


def _find_absences(game: Game, powers: Sequence[str]) -> list[Absence]:
    """Return the absences of the players of some powers, who have to send orders.

    Nobody waits for a player for whom a bot stands in until they are back.
    """
    rows = game.file.select(
        PlayerRow, f"WHERE until = '' AND absent_from != '' AND stand_in != '{RETURN}'"
    )
    return [
        (date.fromisoformat(row.absent_from), date.fromisoformat(row.absent_until))
        for row in rows
        if row.power in powers
    ]


# -- those that follow -----------------------------------------------------------------------------


def list_coming_deadlines(game: Game, count: int) -> tuple[ComingDeadline, ...]:
    """Return the deadlines of the next phases after the open one, assuming that each phase is
    resolved at its deadline, or now if that is past.

    Every player is assumed to owe orders.  Retreats are listed where they may come.

    Raises:
        GameError: game-is-over.
    """
    head = game.head()
    if head.is_over:
        raise GameError("game-is-over")
    return tuple(islice(_project(game, head), count))


def _project(game: Game, head: PhaseRow) -> Iterator[ComingDeadline]:
    from alexmagnum.campaign import coming_phases

    position = game.position(head.id)
    timing = clock.Timing.of(game.settings())
    absences = _find_absences(game, find_active_powers(position))
    in_force = _find_deadline_in_force(game, head)
    usual = _find_usual_time(game, head, timing.zone) or (None if in_force else END_OF_DAY)

    def follow(at: datetime, kind: str) -> datetime:
        return clock.next_deadline(at, kind, timing, max(at, game.now()), absences, usual)

    earliest = latest = in_force or game.now()
    for phase in coming_phases(position.phase, position.board):
        at, latest = follow(earliest, phase.kind), follow(latest, phase.kind)
        yield ComingDeadline(
            phase=str(phase),
            kind=phase.kind,
            deadline=zones.format_iso(at),
            latest=zones.format_iso(latest),
            if_dislodged=phase.retreats,
        )
        if not phase.retreats:
            earliest = at
