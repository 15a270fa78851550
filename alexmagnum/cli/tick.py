"""``tick``: everything that can be done without the game master, for cron."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import click

from alexmagnum.cli.game_options import desk_command, json_option, phase_words
from alexmagnum.cli.inbox import told
from alexmagnum.cli.letter_lines import label, told_delivery
from alexmagnum.cli.output import print_json, style
from alexmagnum.errors import GameError
from alexmagnum.game.desk import Desk
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.mail.fetch import Fetching
from alexmagnum.mail.identity import WAITING
from alexmagnum.mail.inbox import NEW, Inbox
from alexmagnum.mail.lock import alone
from alexmagnum.mail.notices import draft_reminders
from alexmagnum.mail.outbox import SENT, Outbox
from alexmagnum.mail.parsing.decoding import to_one_line
from alexmagnum.mail.reconcile import reconcile
from alexmagnum.mail.schedule import is_beginning, is_past_deadline, reminder_day, unreported
from alexmagnum.workflow.letters import (
    send_by_itself,
    write_deadline_letters,
    write_letters_told_otherwise,
    write_opening_letters,
    write_report_letters,
    writes_letters,
)
from alexmagnum.workflow.receipts import write_new_receipts
from alexmagnum.workflow.reports import write_reports
from alexmagnum.workflow.sheets import write_sheets


@dataclass(slots=True)
class _Round:
    """One tick: what was done, a line each, and whether something failed."""

    desk: Desk
    sentences: Sentences
    done: list[dict[str, object]] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    failures: list[GameError] = field(default_factory=list)

    def do(self, step: Callable[[], None]) -> None:
        """Take a step; one that fails keeps none of the others from being taken."""
        try:
            step()
        except GameError as error:
            self.failures.append(error)

    def did(self, what: str, line: str, **data: object) -> None:
        self.done.append({"what": what, **data})
        self.lines.append(line)


@click.command()
@click.argument("sources", metavar="[SOURCE]...", nargs=-1)
@click.option(
    "--process", "processes", is_flag=True, help="Resolve the phase once its deadline is past."
)
@json_option
@desk_command
def tick(
    desk: Desk, sentences: Sentences, sources: tuple[str, ...], processes: bool, as_json: bool
) -> None:
    """Do what can be done without you: fetch, answer, remind, announce; for cron.

    Mail is fetched as 'inbox fetch' does, from each SOURCE or from the game's mailbox, if it has
    one.  What goes out is drafted, and sent if the settings receipts, reminders, announcements and
    reports say so.  A phase is resolved only with --process, once its deadline is past, and only if
    nothing is missing, no mail waits for you, and no player asks to wait.  A line is printed for
    each thing done, and nothing if there was nothing to do.

    \b
    Example:
      alexmagnum tick --process
    """
    with alone(desk.folder, "tick"):
        turn = _Round(desk, sentences)
        for step in _steps(turn, sources, processes):
            turn.do(step)
    if as_json:
        print_json(turn.done)
    else:
        for line in turn.lines:
            click.echo(line)
    for failure in turn.failures:
        click.echo(style(sentences.error(failure), "red"), err=True)
    if turn.failures or any(thing.get("failed") for thing in turn.done):
        raise SystemExit(1)


def _steps(turn: _Round, sources: Sequence[str], processes: bool) -> Iterator[Callable[[], None]]:
    """What a tick does, in this order."""
    if sources or turn.desk.settings["imap_host"]:
        yield lambda: _fetch(turn, sources)
    if processes and not turn.failures:  # orders may lie in a mailbox that could not be read
        yield lambda: _process(turn)
    if writes_letters(turn.desk):
        yield lambda: _draft(turn)
        yield lambda: _send(turn)


def _fetch(turn: _Round, sources: Sequence[str]) -> None:
    """Take in what mail there is, and answer it."""
    fetching = Fetching(Inbox(turn.desk.game), sys.stdin.buffer)
    for message in fetching.fetch(sources):
        line = turn.sentences.format(
            "tick-fetched",
            number=message.id,
            sender=to_one_line(message.sender) or "?",
            state=turn.sentences.format(f"inbox-state-{message.state}"),
        )
        lines = [line, *(f"  {told(why, turn.desk, turn.sentences)}" for why in message.why)]
        text = "\n".join(lines)
        turn.did("fetched", text, id=message.id, state=message.state, power=message.power)
    turn.failures += fetching.faults


def _process(turn: _Round) -> None:
    """Resolve the phase, once its deadline is past and nothing stands in the way."""
    desk = turn.desk
    if not is_past_deadline(desk.game) or _is_held_up(desk):
        return
    done = desk.process(str(desk.phase), reason="tick")
    phase = phase_words(done.phase, desk.board, turn.sentences)
    turn.did("processed", turn.sentences.format("tick-processed", phase=phase), phase=done.phase)
    write_reports(desk, done.phase)
    write_new_receipts(desk)
    write_sheets(desk)


def _is_held_up(desk: Desk) -> bool:
    """Does anything ask for the game master: orders missing, a mail that waits, a player who asks
    to wait?"""
    status = desk.status()
    asked = any(power.pace == "wait" for power in status.powers)
    return bool(status.blocks) or asked or bool(Inbox(desk.game).listed(WAITING, NEW))


def _draft(turn: _Round) -> None:
    """Make the letters that the clock asks for."""
    desk, box = turn.desk, Outbox(turn.desk.game)
    reconcile(box)
    made = write_letters_told_otherwise(desk)
    made.add(write_report_letters(desk, *unreported(box)))
    announces = desk.settings["announcements"] != "no"
    if announces and is_beginning(box):
        made.add(write_opening_letters(desk))
    made.add(write_deadline_letters(desk))
    if day := reminder_day(desk.game):
        made.add(draft_reminders(box, day))
    for number in made.drafted:
        mailing = box.find(number)
        line = turn.sentences.format("tick-drafted", letter=label(mailing, turn.sentences))
        turn.did("drafted", line, id=number, kind=mailing.kind, power=mailing.power)


def _send(turn: _Round) -> None:
    """Send what may go by itself."""
    for delivery in send_by_itself(turn.desk):
        mailing = delivery.mailing
        turn.did(
            "sent" if delivery.state == SENT else "kept",
            told_delivery(delivery, turn.desk, turn.sentences),
            id=mailing.id,
            kind=mailing.kind,
            power=mailing.power,
            failed=delivery.state != SENT,
        )
