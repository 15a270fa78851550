"""Convert between UTC, which the program uses, and local time, which people use.

Everything here is pure: callers pass ``now``.  Datetimes are aware, and those returned are in UTC,
unless a function says otherwise.  Days are counted on the local calendar, so that 23:59 stays
23:59 when summer time begins or ends; hours are counted as they pass.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from alexmagnum.errors import GameError


def check_zone(name: str) -> str:
    """Return the name of a timezone if it exists.

    Raises:
        GameError: ``unknown-timezone``.
    """
    _zone(name)
    return name


def to_local(at: datetime, zone: str) -> datetime:
    """Return an instant in local time."""
    return at.astimezone(_zone(zone))


def to_utc(wall: datetime, zone: str) -> datetime:
    """Return the instant at which local clocks show ``wall`` (naive).

    An hour that comes twice means the second; an hour that is skipped counts as the hour after.
    """
    return wall.replace(tzinfo=_zone(zone), fold=1 if is_repeated(wall, zone) else 0).astimezone(
        UTC
    )


def is_repeated(wall: datetime, zone: str) -> bool:
    """Return whether local clocks show ``wall`` twice, because summer time ends."""
    first, second = (wall.replace(tzinfo=_zone(zone), fold=fold) for fold in (0, 1))
    return first.utcoffset() != second.utcoffset() and not is_skipped(wall, zone)


def is_skipped(wall: datetime, zone: str) -> bool:
    """Return whether local clocks never show ``wall``, because summer time begins."""
    there = wall.replace(tzinfo=_zone(zone), fold=0)
    return there.astimezone(UTC).astimezone(_zone(zone)).replace(tzinfo=None) != wall


def format_iso(at: datetime) -> str:
    """Return an instant as the game file keeps it: ``2026-11-22T22:59:00Z``."""
    return at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


def parse_iso(text: str) -> datetime:
    """Read an instant of the game file; a text without an offset counts as UTC.

    Raises:
        GameError: ``deadline-unreadable``.
    """
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise GameError("deadline-unreadable", text=text) from None
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)


def _zone(name: str) -> ZoneInfo:
    """Return a timezone by its name.

    Raises:
        GameError: ``unknown-timezone``.
    """
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # absent; absolute or empty; a folder
        raise GameError("unknown-timezone", name=name) from None


def wall_time(at: datetime, zone: str) -> datetime:
    """Return the local time of an instant as a naive datetime."""
    return to_local(at, zone).replace(tzinfo=None)


@dataclass(frozen=True, slots=True)
class Span:
    """A length of time: ``days`` on the local calendar, then ``rest`` as it passes."""

    days: int = 0
    rest: timedelta = timedelta()


def extend(at: datetime, span: Span, zone: str) -> datetime:
    """Return a deadline put off by a span."""
    return to_utc(wall_time(at, zone) + timedelta(days=span.days), zone) + span.rest
