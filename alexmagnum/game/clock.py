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
from itertools import pairwise
from types import MappingProxyType

from alexmagnum.errors import GameError
from alexmagnum.i18n.date_parser import END_OF_DAY, Absence, parse_weekday
from alexmagnum.i18n.folding import fold
from alexmagnum.i18n.zones import check_zone, is_skipped, to_utc, wall_time

NOTICE = timedelta(hours=23)
"""The least time that a computed deadline leaves the players, on the clocks of the game's place.

It is an hour less than a day, so that a phase of one day that is processed a few minutes after its
deadline does not lose a day.
"""

ON_TIME = timedelta(hours=12)
"""The time after a deadline in which a phase still counts as processed on time."""

FARTHEST_AHEAD = timedelta(weeks=4)
"""The longest way ahead of deadlines that are counted from each other, if phases are done early."""

FROM_NOW, FROM_DEADLINE = "now", "deadline"
"""From where the next deadline is counted: the values of the setting ``next_deadline``."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A weekly time for deadlines, local: ``weekday`` 0 is Monday."""

    weekday: int
    at: time


@dataclass(frozen=True, slots=True)
class Timing:
    """The rules by which deadlines follow: ``days`` by the kind of phase, or weekly ``slots``.

    ``base`` says from where they are counted: :data:`FROM_NOW` or :data:`FROM_DEADLINE`.
    """

    zone: str = "Europe/Rome"
    days: Mapping[str, int] = field(
        default_factory=lambda: MappingProxyType(
            {"picks": 3, "deployment": 3, "movement": 7, "retreats": 2, "winter": 3}
        )
    )
    slots: tuple[Slot, ...] = ()
    base: str = FROM_NOW

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
        base = str(settings.get("next_deadline", default.base))
        return cls(zone, days, parse_slots(str(settings.get("slots", ""))), base)


_DAYS = {
    "picks": "days_picks",
    "deployment": "days_picks",  # the sixth period of the Cyprus year
    "movement": "days_movement",
    "retreats": "days_retreats",
    "winter": "days_winter",
}


# -- the next deadline -------------------------------------------------------------------------


def next_deadline(
    in_force: datetime | None,
    kind: str,
    timing: Timing,
    now: datetime,
    absences: Iterable[Absence] = (),
    usual: time | None = None,
) -> datetime:
    """Return the deadline of a phase that opens now.

    ``in_force`` is the deadline of the phase before, None if it had none: days are counted from it
    or from now, as ``timing`` says, and always from now if there is none.  The deadline falls on
    the ``usual`` time of day, by default that of the deadline in force, or on a weekly slot.  It
    leaves the players :data:`NOTICE`, and moves to after the absences that it falls into.
    """
    base = in_force if timing.base == FROM_DEADLINE else None
    if base and base > now + _find_limit(timing):
        return base  # early processing does not push the calendar further ahead
    earliest = to_utc(wall_time(now, timing.zone) + NOTICE, timing.zone)
    if timing.slots:
        at = _next_slot(max(base or earliest, earliest), timing)
    else:
        is_on_time = in_force is not None and in_force <= now < in_force + ON_TIME
        start = base or (in_force if is_on_time and in_force else now)
        at_time = usual or (wall_time(in_force, timing.zone).time() if in_force else END_OF_DAY)
        at = _count_days(start, timing.days[kind], at_time, earliest, timing.zone)
    return _move_after_absences(at, timing, tuple(absences))


def _count_days(
    start: datetime, days: int, at_time: time, earliest: datetime, zone: str
) -> datetime:
    """Return a time of day some days after a start, on a later day if that is too early."""
    day = wall_time(start, zone).date() + timedelta(days=days)
    day = max(day, wall_time(earliest, zone).date())
    while (at := to_utc(datetime.combine(day, at_time), zone)) < earliest:
        day += timedelta(days=1)
    return at


def _find_limit(timing: Timing) -> timedelta:
    """Return how far ahead a deadline may be and still push the next one further."""
    return max(FARTHEST_AHEAD, timedelta(days=2 * max(timing.days.values())))


def find_usual_time(deadlines: Iterable[datetime], zone: str) -> time | None:
    """Return the usual time of day of some deadlines, the last one first; None if there are none.

    That is the time of the last one.  A time that the clocks skipped on that day, because summer
    time began, is taken from the deadline before it.
    """
    walls = [wall_time(at, zone) for at in deadlines]
    for last, before in pairwise(walls):
        if not is_skipped(datetime.combine(last, before.time()), zone):
            return last.time()
    return walls[-1].time() if walls else None


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
