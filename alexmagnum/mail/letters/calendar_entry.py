"""The deadline as an entry for a player's calendar."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from icalendar import Alarm, Event

_WARNING = timedelta(hours=-12)


@dataclass(frozen=True, slots=True)
class CalendarEntry:
    """The parts that all versions of an entry share.

    ``uid`` is its name, ``organizer`` the game's address.  Calendars tell by ``now`` which version
    is later.  ``summary`` is its title, in a language.
    """

    uid: str
    organizer: str
    now: datetime
    lang: str
    summary: str


def write_deadline_entry(entry: CalendarEntry, at: datetime, text: str) -> bytes:
    """Return a calendar with one entry at an instant, and an alarm some hours before.

    It replaces an earlier entry of that name.
    """
    event = _event(entry)
    event.add("dtstart", at)
    event.add("description", text)
    event.add("transp", "TRANSPARENT")
    event.add_component(_alarm(entry.summary))
    return _calendar("PUBLISH", event)


def write_cancelled_entry(entry: CalendarEntry) -> bytes:
    """Return a calendar that removes the entry of that name."""
    event = _event(entry)
    event.add("status", "CANCELLED")
    return _calendar("CANCEL", event)


def _event(entry: CalendarEntry) -> Event:
    from icalendar import Event  # most commands of a game write no letter

    event = Event()
    event.add("uid", entry.uid)
    event.add("organizer", f"mailto:{entry.organizer}")
    event.add("sequence", int(entry.now.timestamp()) // 60 % 2**31)
    event.add("dtstamp", entry.now)
    event.add("summary", entry.summary, parameters={"LANGUAGE": entry.lang})
    return event


def _calendar(method: str, event: Event) -> bytes:
    from icalendar import Calendar

    calendar = Calendar()
    calendar.add("prodid", "-//alexmagnum//deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("method", method)
    calendar.add_component(event)
    return bytes(calendar.to_ical())


def _alarm(summary: str) -> Alarm:
    from icalendar import Alarm

    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("description", summary)
    alarm.add("trigger", _WARNING)
    return alarm
