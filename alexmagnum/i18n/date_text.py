"""Deadlines in words: on the clocks of the game's place, in UTC, and how long it is until then."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from alexmagnum.i18n.sentences import Sentences
from alexmagnum.i18n.zones import parse_iso, to_local

_DAY = timedelta(days=1)


def format_instant(
    at: datetime | str, zone: str, sentences: Sentences, now: datetime | None = None
) -> str:
    """An instant: ``Sunday 22 November 2026, 23:59 (Europe/Rome) = 22:59 UTC, in 9 h``.

    ``now`` adds the distance.  UTC has its date where it is another than the local one.

    Raises:
        GameError: ``deadline-unreadable``, ``unknown-timezone``.
    """
    instant = parse_iso(at) if isinstance(at, str) else at
    here, utc = to_local(instant, zone), instant.astimezone(UTC)
    utc_time = f"{utc:%H:%M}"
    if utc.date() != here.date():
        day = sentences.format("date-short", day=utc.day, month=_month(utc, sentences))
        utc_time = f"{day} {utc_time}"
    text = sentences.format(
        "deadline-at",
        weekday=sentences.format(f"weekday-{here.weekday()}"),
        date=_date(here, sentences),
        time=f"{here:%H:%M}",
        zone=zone,
        utc=utc_time,
    )
    return f"{text}, {format_distance(instant, now, sentences)}" if now else text


def format_distance(at: datetime, now: datetime, sentences: Sentences) -> str:
    """How long it is until an instant, or since it: ``in 9 h``, ``2 days ago``."""
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
    """A day as it is kept, ``2026-11-22``, in words: ``22 November 2026``."""
    return _date(date.fromisoformat(text), sentences)


def _date(day: date, sentences: Sentences) -> str:
    return sentences.format("date", day=day.day, month=_month(day, sentences), year=day.year)


def _month(day: date, sentences: Sentences) -> str:
    return sentences.format(f"month-{day.month}")
