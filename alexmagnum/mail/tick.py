"""What the clock asks for: when it is time to remind, to announce, to process."""

from __future__ import annotations

from datetime import timedelta

from alexmagnum.game import clock
from alexmagnum.game.deadlines import deadline, seconds_left
from alexmagnum.game.people import players
from alexmagnum.game.processing import phases
from alexmagnum.game.state import OVER, Game
from alexmagnum.mail.asked import mark
from alexmagnum.mail.envelope import can_be_written_to
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.standing import report_key


def reminder_day(game: Game) -> str:
    """The day on which reminders for the deadline fall due, "" as long as it is too early or when
    it is too late: with it, a deadline has one reminder however often one asks."""
    settings = game.settings()
    at = deadline(game)
    if settings["reminders"] == "no" or not at:
        return ""
    start = clock.from_iso(at) - timedelta(hours=int(settings["reminder_hours"]))
    if not start <= game.now() < clock.from_iso(at):
        return ""
    return clock.local(start, settings["timezone"]).date().isoformat()


def is_past_deadline(game: Game) -> bool:
    """Has the deadline of the open phase gone by?"""
    at = deadline(game)
    stands = seconds_left(game) is not None
    return bool(at) and not stands and clock.from_iso(at) <= game.now()


def unreported(outbox: Outbox) -> str:
    """The phase processed last, if there is anybody for whom no report of it was made; else ""."""
    game = outbox.game
    done = [record for record in phases(game) if record.state == "processed"]
    readers = [player for player in players(game) if can_be_written_to(player)]
    if not done or not readers:
        return ""
    outcome = next(row["id"] for row in reversed(game.line()) if row["name"] == done[-1].name)
    keys = (report_key(outcome, player.power, mark(player)) for player in readers)
    return done[-1].name if any(outbox.by_key(key) is None for key in keys) else ""


def is_beginning(game: Game) -> bool:
    """Is the first phase open, of which no report tells?"""
    return game.head()["kind"] != OVER and not any(not row["passed"] for row in game.line())
