"""When the next deadline is: counted on the calendar of the game's place, stored in UTC.

Everything here is pure: ``now`` is a parameter.  Datetimes are aware; those returned are in UTC, to
the minute or second as they came.  Days are counted on the local calendar, so that a
deadline at 23:59 stays at 23:59 over a change of the clocks; hours are counted as they pass.
What a game master writes is read by :mod:`alexmagnum.i18n.date_parser`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from types import MappingProxyType

from alexmagnum.errors import GameError
from alexmagnum.i18n.date_parser import Absence, parse_weekday
from alexmagnum.i18n.folding import fold
from alexmagnum.i18n.zones import check_zone, to_utc, wall_time

NOTICE = timedelta(hours=24)
"""The least time that a computed deadline leaves the players, however late it is computed."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A weekly time for deadlines, local: ``weekday`` 0 is Monday."""

    weekday: int
    at: time


@dataclass(frozen=True, slots=True)
class Timing:
    """How deadlines follow: after ``days`` by the kind of phase, or in weekly ``slots``."""

    zone: str = "Europe/Rome"
    days: Mapping[str, int] = field(
        default_factory=lambda: MappingProxyType(
            {"picks": 3, "deployment": 3, "movement": 7, "retreats": 2, "winter": 3}
        )
    )
    slots: tuple[Slot, ...] = ()

    @classmethod
    def of(cls, settings: Mapping[str, object]) -> Timing:
        """Return the timing in some settings; settings that are missing have their defaults.

        Raises:
            GameError: ``slots-unreadable``, ``unknown-timezone``.
        """
        default = cls()
        days = {
            kind: int(str(settings.get(_DAYS[kind], usual))) for kind, usual in default.days.items()
        }
        zone = check_zone(str(settings.get("timezone", default.zone)))
        return cls(zone, days, parse_slots(str(settings.get("slots", ""))))


_DAYS = {
    "picks": "days_picks",
    "deployment": "days_picks",  # the sixth period of the Cyprus year
    "movement": "days_movement",
    "retreats": "days_retreats",
    "winter": "days_winter",
}


# -- the next deadline -------------------------------------------------------------------------


def next_deadline(
    previous: datetime | None,
    kind: str,
    timing: Timing,
    now: datetime,
    absences: Iterable[Absence] = (),
) -> datetime:
    """Return the deadline of a phase that opens now.

    Counted from the *scheduled* deadline before it, whenever that phase was really processed, so
    that deadlines do not drift; always later than that one, however it was extended; and never
    sooner than :data:`NOTICE` from now.  ``previous`` is None for the first phase of a game: then
    days are counted from today, to the end of the day.  A deadline that falls into an
    absence moves to after it.
    """
    if timing.slots:
        found = _next_slot(max(filter(None, (previous, now + NOTICE))), timing)
        return _move_after_absences(found, timing, tuple(absences))
    wall = _first_wall(now, timing.zone) if previous is None else wall_time(previous, timing.zone)
    wall += timedelta(days=timing.days[kind])
    earliest = max(previous + timedelta(minutes=1), now + NOTICE) if previous else now + NOTICE
    if to_utc(wall, timing.zone) < earliest:
        wall += timedelta(days=(wall_time(earliest, timing.zone).date() - wall.date()).days)
    while to_utc(wall, timing.zone) < earliest:
        wall += timedelta(days=1)
    return _move_after_absences(to_utc(wall, timing.zone), timing, tuple(absences))


def _first_wall(now: datetime, zone: str) -> datetime:
    return datetime.combine(wall_time(now, zone).date(), time(23, 59))


def _next_slot(after: datetime, timing: Timing) -> datetime:
    """Return the first slot after an instant."""
    today = wall_time(after, timing.zone).date()
    coming = (
        to_utc(datetime.combine(day, slot.at), timing.zone)
        for day in (today + timedelta(days=ahead) for ahead in range(9))
        for slot in timing.slots
        if slot.weekday == day.weekday()
    )
    return min(at for at in coming if at > after)


def _move_after_absences(at: datetime, timing: Timing, absences: tuple[Absence, ...]) -> datetime:
    """Return a deadline, moved to after the absences that it falls into."""
    while away := [last for first, last in absences if first <= _date(at, timing.zone) <= last]:
        wall = datetime.combine(max(away), wall_time(at, timing.zone).time())
        if timing.slots:
            at = _next_slot(to_utc(datetime.combine(max(away), time.max), timing.zone), timing)
        else:
            at = to_utc(wall + timedelta(days=1), timing.zone)
    return at


def _date(at: datetime, zone: str) -> date:
    return wall_time(at, zone).date()


# -- changing it -------------------------------------------------------------------------------


def remaining(deadline: datetime, now: datetime) -> timedelta:
    """Return the time left until a deadline, zero after it."""
    return max(deadline - now, timedelta())


def compute_resumed_deadline(left: timedelta, now: datetime) -> datetime:
    """Return the deadline of a clock that runs on now, to the nearest minute."""
    at = (now + left).astimezone(UTC) + timedelta(seconds=30)
    return at.replace(second=0, microsecond=0)


# -- weekly slots ------------------------------------------------------------------------------

_SLOT = re.compile(r"([^\W\d_]+)\s*(?:at|ore|h|alle)?\s*(\d{1,2})(?:[:.](\d{2}))?", re.UNICODE)


def parse_slots(text: str) -> tuple[Slot, ...]:
    """Read weekly times: ``mon 19:00, thu 19:00`` or ``lun 19.00; gio 19``; "" is none.

    >>> parse_slots("gio 19")
    (Slot(weekday=3, at=datetime.time(19, 0)),)

    Raises:
        GameError: ``slots-unreadable`` with the part at fault.
    """
    parts = [part.strip() for part in re.split(r"[,;]", text) if part.strip()]
    return tuple(sorted({_parse_slot(part) for part in parts}, key=lambda s: (s.weekday, s.at)))


def _parse_slot(text: str) -> Slot:
    match = _SLOT.fullmatch(fold(text))
    weekday = parse_weekday(match[1]) if match else None
    if match is None or weekday is None or int(match[2]) > 23 or int(match[3] or 0) > 59:
        raise GameError("slots-unreadable", text=text)
    return Slot(weekday, time(int(match[2]), int(match[3] or 0)))
