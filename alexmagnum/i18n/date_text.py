"""Write deadlines and days for people: local time, UTC, and the time that is left."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from alexmagnum.i18n.sentences import Sentences
from alexmagnum.i18n.zones import parse_iso, to_local

_DAY = timedelta(days=1)


def format_instant(
    at: datetime | str, zone: str, sentences: Sentences, now: datetime | None = None
) -> str:
    """Return an instant in words.

    For example ``Sunday 22 November 2026, 23:59 (Europe/Rome) = 22:59 UTC, in 9 h``.  ``now`` adds
    the distance.  UTC gets a date of its own if it differs from the local one.

    Raises:
        GameError: ``deadline-unreadable``, ``unknown-timezone``.
    """
    instant = parse_iso(at) if isinstance(at, str) else at
    here, utc = to_local(instant, zone), instant.astimezone(UTC)
    utc_time = f"{utc:%H:%M}"
    if utc.date() != here.date():
        day = sentences.format("date-short", day=utc.day, month=_month_name(utc, sentences))
        utc_time = f"{day} {utc_time}"
    text = sentences.format(
        "deadline-at",
        weekday=sentences.format(f"weekday-{here.weekday()}"),
        date=_format_date(here, sentences),
        time=f"{here:%H:%M}",
        zone=zone,
        utc=utc_time,
    )
    return f"{text}, {format_distance(instant, now, sentences)}" if now else text


def format_local(at: datetime | str, zone: str, sentences: Sentences) -> str:
    """Return an instant on the clocks of a place: ``Sunday 22 November 2026, 23:59``."""
    here = to_local(parse_iso(at) if isinstance(at, str) else at, zone)
    return sentences.format(
        "deadline-local",
        weekday=sentences.format(f"weekday-{here.weekday()}"),
        date=_format_date(here, sentences),
        time=f"{here:%H:%M}",
    )


def format_distance(at: datetime, now: datetime, sentences: Sentences) -> str:
    """Return the time until an instant, or since it: ``in 9 h``, ``2 days ago``."""
    left = abs(at - now)
    if left < timedelta(minutes=1):
        return sentences.format("distance-now")
    way = "in" if at > now else "ago"
    if left < timedelta(hours=1):
        return sentences.format(f"distance-minutes-{way}", count=int(left / timedelta(minutes=1)))
    if left < 2 * _DAY:
        count = int(left / timedelta(hours=1))
        return sentences.format(
            f"distance-hours-{way}" + ("-one" if count == 1 else ""), count=count
        )
    return sentences.format(f"distance-days-{way}", count=int(left / _DAY))


def format_day(text: str, sentences: Sentences) -> str:
    """Return an ISO date in words: ``22 November 2026``."""
    return _format_date(date.fromisoformat(text), sentences)


def _format_date(day: date, sentences: Sentences) -> str:
    """Return a date in words."""
    return sentences.format("date", day=day.day, month=_month_name(day, sentences), year=day.year)


def _month_name(day: date, sentences: Sentences) -> str:
    """Return the name of a date's month."""
    return sentences.format(f"month-{day.month}")
