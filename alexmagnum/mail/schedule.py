"""Actions that are due by the clock: reminders, announcements, processing, reports."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from alexmagnum.game.deadlines import read_deadline, read_seconds_left
from alexmagnum.game.phase_records import list_phases
from alexmagnum.game.players import read_players
from alexmagnum.game.records import OVER
from alexmagnum.game.state import Game
from alexmagnum.i18n import zones
from alexmagnum.mail.letters.envelope import can_be_written_to
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.sent_reports import PhaseReports, SentReports


def reminder_day(game: Game) -> str:
    """Return the day on which reminders for the deadline are due, "" if it is too early or late.

    The day is part of a reminder's key, so that a deadline has one however often this is called.
    """
    settings = game.settings()
    at = read_deadline(game)
    if settings["reminders"] == "no" or not at:
        return ""
    start = zones.parse_iso(at) - timedelta(hours=int(settings["reminder_hours"]))
    if not start <= game.now() < zones.parse_iso(at):
        return ""
    return zones.to_local(start, settings["timezone"]).date().isoformat()


def is_past_deadline(game: Game) -> bool:
    """Return whether the deadline of the open phase is past."""
    at = read_deadline(game)
    stands = read_seconds_left(game) is not None
    return bool(at) and not stands and zones.parse_iso(at) <= game.now()


def find_unreported_phases(outbox: Outbox) -> list[str]:
    """Return the phase processed last, if a player has no report of it drafted."""
    return _lacking_a_report(outbox, SentReports(outbox), _list_processed_phases(outbox)[-1:])


def find_outdated_phases(outbox: Outbox, sent: SentReports) -> list[str]:
    """Return the phases whose outcome differs from the last report that a player received."""
    return _lacking_a_report(
        outbox, sent, [name for name in _list_processed_phases(outbox) if name in sent.phases]
    )


def _list_processed_phases(outbox: Outbox) -> list[str]:
    return [record.name for record in list_phases(outbox.game) if record.state == "processed"]


def _lacking_a_report(outbox: Outbox, sent: SentReports, names: Sequence[str]) -> list[str]:
    """Return the phases whose report has to be drafted for some player."""
    readers = [player for player in read_players(outbox.game) if can_be_written_to(player)]
    keys = {name: map(PhaseReports(outbox, name, sent).key, readers) for name in names}
    return [name for name in names if any(key and not outbox.by_key(key) for key in keys[name])]


def is_beginning(outbox: Outbox) -> bool:
    """Return whether the first phase is open, about which nobody received a report."""
    head, line = outbox.game.head(), outbox.game.line()
    first = head.kind != OVER and all(row.passed for row in line)
    return first and str(head.name) not in SentReports(outbox).phases
