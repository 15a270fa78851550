"""The deadline as an entry for a player's calendar."""

from __future__ import annotations

from datetime import datetime, timedelta

from icalendar import Alarm, Calendar, Event

_WARNING = timedelta(hours=-12)


def deadline_entry(
    *, name: str, host: str, at: datetime, now: datetime, lang: str, summary: str, text: str
) -> bytes:
    """A calendar with one entry: the instant ``at``, with a warning some hours before.

    ``name`` is that of the phase within the game; a later entry of the same name takes the place
    of the one before: ``now`` tells which is later.
    """
    event = Event()
    event.add("uid", f"{name}@{host}")
    event.add("sequence", int(now.timestamp()) // 60 % 2**31)
    event.add("dtstamp", now)
    event.add("dtstart", at)
    event.add("summary", summary, parameters={"LANGUAGE": lang})
    event.add("description", text)
    event.add("transp", "TRANSPARENT")
    event.add_component(_alarm(summary))
    calendar = Calendar()
    calendar.add("prodid", "-//alexmagnum//deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add_component(event)
    return bytes(calendar.to_ical())


def _alarm(summary: str) -> Alarm:
    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("description", summary)
    alarm.add("trigger", _WARNING)
    return alarm
