"""``deadline``: the clock of the open phase."""

from __future__ import annotations

from dataclasses import asdict

import click

from alexmagnum.cli.game_lines import deadline_words, phase_words, print_deadline_notice
from alexmagnum.cli.game_options import desk_command, json_option, told_reason_option
from alexmagnum.cli.letter_lines import print_drafted_letters
from alexmagnum.cli.output import print_json, table_lines
from alexmagnum.cli.site_lines import bring_site_up_to_date
from alexmagnum.game.desk import Desk
from alexmagnum.game.values import ComingDeadline
from alexmagnum.i18n.date_parser import parse_deadline
from alexmagnum.i18n.date_text import format_local
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.mail.letters.phase_section import DraftedLetters
from alexmagnum.workflow import deadlines as workflow


@click.group()
def deadline() -> None:
    """Show, set, put off, stop the deadline of the open phase.

    A time is written as people write it: '22/11 ore 23:59', 'sunday 20:00', '+48h', '2026-11-22
    23:59'; it is read on the clocks of the game's place (settings timezone).

    \b
    Example:
      alexmagnum deadline set sunday 20:00
    """


@deadline.command("show")
@click.option(
    "--ahead",
    type=click.IntRange(0, 100),
    default=0,
    metavar="N",
    help="Also the deadlines of the next N phases.",
)
@json_option
@desk_command
def show_deadline(desk: Desk, sentences: Sentences, ahead: int, as_json: bool) -> None:
    """Show the deadline of the open phase, and with --ahead those that come.

    They come so if each phase is resolved at its deadline and every player owes orders.  Retreats
    are listed because they may come; the phases behind them are counted as if nobody retreated,
    and beside it as if there were retreats each time.

    \b
    Example:
      alexmagnum deadline show --ahead 5
    """
    coming = desk.coming_deadlines(ahead) if desk.phase is not None else ()
    if as_json:
        print_json({**_deadline_json(desk), "ahead": [asdict(each) for each in coming]})
        return
    click.echo(sentences.format("desk-deadline", deadline=deadline_words(desk, sentences)))
    if coming:
        click.echo(sentences.format("desk-deadlines-ahead"))
        for line in table_lines([_coming_row(each, desk, sentences) for each in coming]):
            click.echo(f"  {line.rstrip()}")
        click.echo(sentences.format(f"desk-deadlines-from-{desk.settings['next_deadline']}"))


def _coming_row(coming: ComingDeadline, desk: Desk, sentences: Sentences) -> tuple[str, ...]:
    zone = desk.settings["timezone"]
    note = sentences.format("desk-deadline-if-dislodged") if coming.if_dislodged else ""
    if coming.latest != coming.deadline and not note:
        latest = format_local(coming.latest, zone, sentences)
        note = sentences.format("desk-deadline-latest", deadline=latest)
    name = phase_words(coming.phase, desk.board, sentences)
    return name, format_local(coming.deadline, zone, sentences), note


@deadline.command("set")
@click.argument("when", metavar="WHEN", nargs=-1, required=True)
@json_option
@told_reason_option
@desk_command
def set_deadline(
    desk: Desk, sentences: Sentences, when: tuple[str, ...], as_json: bool, reason: str
) -> None:
    """Set the deadline; 'none' takes it away.

    \b
    Example:
      alexmagnum deadline set sunday 20:00 --reason "all agreed"
    """
    text = " ".join(when)
    if text.casefold() in ("none", "nessuna"):
        at = None
    else:
        found = parse_deadline(text, desk.settings["timezone"], desk.game.now())
        print_deadline_notice(found, sentences)
        at = found.at
    _print_deadline(desk, workflow.set_deadline(desk, at, reason), sentences, as_json)


@deadline.command()
@click.argument("span", metavar="SPAN", nargs=-1, required=True)
@json_option
@told_reason_option
@desk_command
def extend(
    desk: Desk, sentences: Sentences, span: tuple[str, ...], as_json: bool, reason: str
) -> None:
    """Put the deadline off by some time: '2 days', '48h', '1 settimana'.

    \b
    Example:
      alexmagnum deadline extend 2 days --reason "Bruno's computer broke"
    """
    letters = workflow.extend_deadline(desk, " ".join(span), reason)
    _print_deadline(desk, letters, sentences, as_json)


@deadline.command()
@json_option
@told_reason_option
@desk_command
def pause(desk: Desk, sentences: Sentences, as_json: bool, reason: str) -> None:
    """Stop the clock; the time that is left is kept.

    \b
    Example:
      alexmagnum deadline pause --reason "summer holidays"
    """
    _print_deadline(desk, workflow.pause_clock(desk, reason), sentences, as_json)


@deadline.command()
@json_option
@told_reason_option
@desk_command
def resume(desk: Desk, sentences: Sentences, as_json: bool, reason: str) -> None:
    """Let the clock run on, with the time that was left.

    \b
    Example:
      alexmagnum deadline resume
    """
    _print_deadline(desk, workflow.resume_clock(desk, reason), sentences, as_json)


def _print_deadline(
    desk: Desk, letters: DraftedLetters, sentences: Sentences, as_json: bool
) -> None:
    if as_json:
        print_json(_deadline_json(desk))
        bring_site_up_to_date(desk, sentences, as_json=True)
        return
    click.echo(sentences.format("desk-deadline", deadline=deadline_words(desk, sentences)))
    print_drafted_letters(desk, letters, sentences)
    bring_site_up_to_date(desk, sentences)


def _deadline_json(desk: Desk) -> dict[str, object]:
    return {"phase": str(desk.phase or ""), "deadline": desk.deadline, "paused": desk.paused}
