"""``history --people``: who sent their orders in time, late, in part or not at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import click

from alexmagnum.cli.game_lines import local_stamp
from alexmagnum.cli.output import print_json, style
from alexmagnum.game.desk import Desk
from alexmagnum.game.ledger import (
    BY_BOT,
    IN_TIME,
    LATE,
    MISSED,
    OVERDUE,
    PARTIAL,
    Account,
    OwedPhase,
)
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.report.names import power_name

_SETTINGS = ("missing", "reminders", "reminder_hours")
"""The settings that decide what becomes of orders that do not come in time."""


def print_ledger(
    accounts: Sequence[Account], desk: Desk, sentences: Sentences, as_json: bool
) -> None:
    """Print an account for each person, and what the settings do about late and missing orders."""
    settings = desk.settings
    if as_json:
        print_json(
            {
                "people": [_account_json(account) for account in accounts],
                "settings": {name: settings[name] for name in _SETTINGS},
            }
        )
        return
    for account in accounts:
        for line in _account_lines(account, desk, sentences):
            click.echo(line)
    if not accounts:
        click.echo(sentences.format("ledger-nobody"))
    click.echo()
    for line in describe_consequences(settings, sentences):
        click.echo(line)


def describe_consequences(settings: Mapping[str, str], sentences: Sentences) -> Iterator[str]:
    """Yield what the settings do about orders that come late or not at all, in words."""
    yield sentences.format(f"ledger-missing-{settings['missing']}")
    yield sentences.format("ledger-late-counts")
    hours = settings["reminder_hours"]
    yield sentences.format(f"ledger-reminders-{settings['reminders']}", hours=hours)
    yield sentences.format("ledger-replace")


def _account_lines(account: Account, desk: Desk, sentences: Sentences) -> Iterator[str]:
    player = account.player
    name = f"{power_name(desk.board, player.power, sentences)}: {player.name}"
    if player.until:
        name += f" ({sentences.format('desk-until', day=player.until[:10])})"
    figures = {
        "owed": account.owed,
        "sent": account.count(IN_TIME),
        "late": account.count(LATE),
        "partial": account.count(PARTIAL),
        "missed": account.count(MISSED),
    }
    line = f"{name}. {sentences.format('ledger-figures', **figures)}"
    if by_bot := account.count(BY_BOT):
        line += " " + sentences.format("ledger-by-bot", count=by_bot)
    yield style(line, "red" if account.count(MISSED, OVERDUE) else None)
    for owed in account.phases:
        if owed.state != IN_TIME:
            yield f"  {_describe_phase(owed, desk, sentences)}"


def _describe_phase(owed: OwedPhase, desk: Desk, sentences: Sentences) -> str:
    return sentences.format(
        f"ledger-{owed.state}",
        phase=owed.phase,
        deadline=local_stamp(desk, owed.deadline) if owed.deadline else "–",
        at=local_stamp(desk, owed.complete) if owed.complete else "–",
    )


def _account_json(account: Account) -> dict[str, object]:
    player = account.player
    return {
        "power": player.power,
        "player": player.name,
        "since": player.since,
        "until": player.until,
        "owed": account.owed,
        "in_time": account.count(IN_TIME),
        "late": account.count(LATE),
        "partial": account.count(PARTIAL),
        "missed": account.count(MISSED),
        "by_bot": account.count(BY_BOT),
        "overdue": bool(account.count(OVERDUE)),
        "phases": [
            {
                "phase": owed.phase,
                "state": owed.state,
                "deadline": owed.deadline,
                "complete": owed.complete,
            }
            for owed in account.phases
        ],
    }
