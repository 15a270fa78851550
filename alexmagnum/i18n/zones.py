"""Instants on the clocks of a place: UTC inside the program, local time for people.

Everything here is pure: ``now`` is handed in.  Datetimes are aware; those that are returned are in
UTC.  Days are counted on the local calendar, so that 23:59 stays 23:59 over a change of the
clocks; hours are counted as they pass.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from alexmagnum.errors import GameError


def check_zone(name: str) -> str:
    """The name of a timezone that exists.

    Raises:
        GameError: ``unknown-timezone``.
    """
    _zone(name)
    return name


def to_local(at: datetime, zone: str) -> datetime:
    """An instant as the clocks of a place show it."""
    return at.astimezone(_zone(zone))


def to_utc(wall: datetime, zone: str) -> datetime:
    """The instant at which the clocks of a place show ``wall`` (naive), in UTC.

    Of an hour that comes twice, the second is taken; one that is left out counts as the
    hour after.
    """
    return wall.replace(tzinfo=_zone(zone), fold=1 if is_repeated(wall, zone) else 0).astimezone(
        UTC
    )


def is_repeated(wall: datetime, zone: str) -> bool:
    """Do the clocks of a place show ``wall`` twice, because summer time ends?"""
    first, second = (wall.replace(tzinfo=_zone(zone), fold=fold) for fold in (0, 1))
    return first.utcoffset() != second.utcoffset() and not is_skipped(wall, zone)


def is_skipped(wall: datetime, zone: str) -> bool:
    """Do the clocks of a place never show ``wall``, because summer time begins?"""
    there = wall.replace(tzinfo=_zone(zone), fold=0)
    return there.astimezone(UTC).astimezone(_zone(zone)).replace(tzinfo=None) != wall


def format_iso(at: datetime) -> str:
    """An instant as it is kept: ``2026-11-22T22:59:00Z``."""
    return at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


def parse_iso(text: str) -> datetime:
    """An instant that was kept; a text without an offset counts as UTC.

    Raises:
        GameError: ``deadline-unreadable``.
    """
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise GameError("deadline-unreadable", text=text) from None
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # absent; absolute or empty; a folder
        raise GameError("unknown-timezone", name=name) from None


def wall_time(at: datetime, zone: str) -> datetime:
    """Return the local time of an instant as a naive datetime."""
    return to_local(at, zone).replace(tzinfo=None)


@dataclass(frozen=True, slots=True)
class Span:
    """A length of time: ``days`` keep the time on the clock, ``rest`` passes as it is."""

    days: int = 0
    rest: timedelta = timedelta()


def extend(at: datetime, span: Span, zone: str) -> datetime:
    """A deadline put off by a span."""
    return to_utc(wall_time(at, zone) + timedelta(days=span.days), zone) + span.rest
