"""Lines about a game for the terminal: its phase, its deadline, what is missing, how it ended."""

from __future__ import annotations

import click

from alexmagnum.board.model import Board
from alexmagnum.cli.output import style
from alexmagnum.game.desk import Desk
from alexmagnum.i18n.date_parser import Deadline
from alexmagnum.i18n.date_text import format_instant
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.i18n.zones import parse_iso, to_local
from alexmagnum.position import Position, parse_phase
from alexmagnum.report.names import phase_name, power_name
from alexmagnum.report.required_orders_text import describe_required_orders


def phase_words(phase: str, board: Board, sentences: Sentences) -> str:
    """Return a phase in words, with its name: ``Spring 322 BC, movement (322-spring)``."""
    return f"{phase_name(parse_phase(phase, board.rules.picks), board, sentences)} ({phase})"


def deadline_words(desk: Desk, sentences: Sentences) -> str:
    """Return the deadline of the open phase in local time and UTC, and how far away it is."""
    if desk.paused:
        return sentences.format("clock-stopped")
    if not desk.deadline:
        return sentences.format("no-deadline")
    return format_instant(desk.deadline, desk.settings["timezone"], sentences, desk.game.now())


def local_stamp(desk: Desk, at: str) -> str:
    """Return an instant in the game's local time, short enough for lists."""
    return to_local(parse_iso(at), desk.settings["timezone"]).strftime("%Y-%m-%d %H:%M")


def print_deadline_notice(deadline: Deadline, sentences: Sentences) -> None:
    """Print which of two readings of a deadline was chosen, if there were two."""
    if deadline.notice:
        text = sentences.format(deadline.notice, **deadline.data)
        click.echo(style(text, "yellow"), err=True)


def print_required_orders(position: Position, sentences: Sentences) -> None:
    """Print what each power has to send."""
    for power, text in describe_required_orders(position, sentences):
        click.echo(f"  {power_name(position.board, power, sentences)}: {text}")


def print_open_phase(desk: Desk, sentences: Sentences) -> None:
    """Print which phase is open, its deadline, and what each power has to send for it."""
    if desk.phase is None:
        print_end(desk, sentences)
        return
    name = phase_words(str(desk.phase), desk.board, sentences)
    click.echo(sentences.format("desk-open-phase", phase=name))
    click.echo(sentences.format("desk-deadline", deadline=deadline_words(desk, sentences)))
    print_required_orders(desk.position, sentences)


def print_end(desk: Desk, sentences: Sentences) -> None:
    """Print that the game is over, and who has won it."""
    names = [power_name(desk.board, power, sentences) for power in desk.status().winners]
    click.echo(sentences.format("desk-over"))
    winners = ", ".join(names) or sentences.format("nobody")
    click.echo(sentences.format("desk-winners", powers=winners))
