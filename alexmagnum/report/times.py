"""Deadlines in words: on the clocks of the game's place, in UTC, and how long it is until then."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from alexmagnum.game.clock import from_iso, local
from alexmagnum.report.words import Words

_DAY = timedelta(days=1)


def when(at: datetime | str, zone: str, words: Words, now: datetime | None = None) -> str:
    """An instant: ``Sunday 22 November 2026, 23:59 (Europe/Rome) = 22:59 UTC, in 9 h``.

    ``now`` adds the distance.  UTC has its date where it is another than the local one.

    Raises:
        GameError: ``deadline-unreadable``, ``unknown-timezone``.
    """
    instant = from_iso(at) if isinstance(at, str) else at
    here, utc = local(instant, zone), instant.astimezone(UTC)
    text = words.say(
        "deadline-at",
        weekday=words.say(f"weekday-{here.weekday()}"),
        date=_date(here, words),
        time=f"{here:%H:%M}",
        zone=zone,
        utc=f"{utc:%H:%M}"
        if utc.date() == here.date()
        else f"{words.say('date-short', day=utc.day, month=_month(utc, words))} {utc:%H:%M}",
    )
    return f"{text}, {distance(instant, now, words)}" if now else text


def distance(at: datetime, now: datetime, words: Words) -> str:
    """How long it is until an instant, or since it: ``in 9 h``, ``2 days ago``."""
    left = abs(at - now)
    if left < timedelta(minutes=1):
        return words.say("distance-now")
    way = "in" if at > now else "ago"
    if left < timedelta(hours=1):
        return words.say(f"distance-minutes-{way}", count=int(left / timedelta(minutes=1)))
    if left < 2 * _DAY:
        count = int(left / timedelta(hours=1))
        return words.say(f"distance-hours-{way}" + ("-one" if count == 1 else ""), count=count)
    return words.say(f"distance-days-{way}", count=int(left / _DAY))


def day(text: str, words: Words) -> str:
    """A day as it is kept, ``2026-11-22``, in words: ``22 November 2026``."""
    return _date(date.fromisoformat(text), words)


def _date(day: date, words: Words) -> str:
    return words.say("date", day=day.day, month=_month(day, words), year=day.year)


def _month(day: date, words: Words) -> str:
    return words.say(f"month-{day.month}")
