"""The commands ``preview``, ``process``, ``undo``, ``redo`` and ``amend``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from alexmagnum.cli.arguments import read_assignments, read_phase, read_power, read_text_of
from alexmagnum.cli.ending import print_final_report
from alexmagnum.cli.game_lines import phase_words, print_open_phase
from alexmagnum.cli.game_options import PATH, desk_command, json_option, reason_option
from alexmagnum.cli.letter_lines import (
    format_delivery,
    print_drafted_letters,
    print_reconciled_letters,
)
from alexmagnum.cli.output import print_json, style
from alexmagnum.cli.site_lines import print_site_failure, print_site_update
from alexmagnum.errors import GameError
from alexmagnum.game.desk import Desk
from alexmagnum.game.outbox_store import SENT
from alexmagnum.game.values import Amendment, Change, Processed
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.report.changes_table import tabulate_changes
from alexmagnum.report.formats import format_report, format_table
from alexmagnum.report.names import power_name
from alexmagnum.report.phase_context import GM, gather_preview
from alexmagnum.workflow.correct import (
    Correction,
    amend_orders,
    amend_rules,
    redo_phase,
    rehearse_orders,
    rehearse_rules,
    undo_phase,
)
from alexmagnum.workflow.process import ProcessedPhase, process_phase
from alexmagnum.workflow.publish import Published

FAILED = ("fails", "cut", "dislodged", "disrupted", "stopped", "destroyed", "illegal", "invalid")


@click.command()
@click.option("--open", "opened", is_flag=True, help="The whole report (journaled).")
@json_option
@desk_command
def preview(desk: Desk, sentences: Sentences, opened: bool, as_json: bool) -> None:
    """Show what processing now would result in; nothing changes.

    Figures alone are shown.  --open prints the report as it would be, with everybody's orders.
    The journal keeps either.

    \b
    Example:
      alexmagnum preview
    """
    done = desk.preview()
    if opened:
        desk.record("preview-opened", phase=done.phase)
        click.echo(style(sentences.format("desk-preview-warning"), "yellow"), err=True)
        form = "json" if as_json else "text"
        click.echo(
            format_report(gather_preview(desk, done), GM, form, sentences, opened=True), nl=False
        )
        return
    figures = _count_results(done)
    if as_json:
        print_json(figures)
        return
    click.echo(style(phase_words(done.phase, desk.board, sentences), bold=True))
    click.echo(sentences.format("desk-preview", **figures))
    click.echo(sentences.format("desk-preview-hint"))


def _count_results(done: Processed) -> dict[str, object]:
    """Return how many orders succeed and fail, without naming them."""
    results = Counter(entry.result in FAILED for entry in done.outcome.results)
    return {
        "phase": done.phase,
        "orders": len(done.outcome.results),
        "succeed": results[False],
        "fail": results[True],
        "dislodged": len(done.outcome.dislodged),
        "next": done.next,
    }


@click.command()
@click.argument("phase")
@click.option(
    "--allow-missing",
    is_flag=True,
    help="Process although orders are missing: units hold, builds wait, removals follow R32.",
)
@click.option(
    "--anyway", is_flag=True, help="Play on although everybody with a vote wants to end the game."
)
@json_option
@reason_option
@desk_command
def process(
    desk: Desk,
    sentences: Sentences,
    phase: str,
    allow_missing: bool,
    anyway: bool,
    as_json: bool,
    reason: str,
) -> None:
    """Resolve the open phase, write its reports, open the next, and write its order sheets.

    PHASE has to be named, so that no other is resolved by mistake: 'alexmagnum status' shows it.
    Processing the same phase twice changes nothing the second time.  If all players vote for a draw
    or concede the game, it is not resolved: 'alexmagnum end' ends the game, --anyway plays on.

    \b
    Example:
      alexmagnum process 323-2 --allow-missing
    """
    done = process_phase(
        desk, read_phase(phase), allow_missing=allow_missing, reason=reason, anyway=anyway
    )
    if as_json:
        print_json(_processed_json(done, desk))
        print_site_failure(done.published.site, sentences)
    else:
        _print_processed(done, desk, sentences)
    if done.published.unsent is not None:
        raise done.published.unsent


def _processed_json(done: ProcessedPhase, desk: Desk) -> dict[str, object]:
    processed, published = done.processed, done.published
    due = desk.due(desk.position) if desk.phase is not None else {}
    return {
        "phase": processed.phase,
        "version": processed.version,
        "unchanged": processed.unchanged,
        "reports": str(published.reports[0]),
        "passed": list(processed.passed),
        "next": processed.next,
        "deadline": desk.deadline,
        "due": {power: list(units) for power, units in due.items()},
        "letters": published.letters.drafted,
        "sent": [d.mailing.id for d in published.deliveries if d.state == SENT],
    }


def _print_processed(done: ProcessedPhase, desk: Desk, sentences: Sentences) -> None:
    processed, published = done.processed, done.published
    code = "desk-unchanged" if processed.unchanged else "desk-processed"
    name = phase_words(processed.phase, desk.board, sentences)
    click.echo(style(sentences.format(code, phase=name), bold=True))
    for folder in published.reports:
        click.echo(sentences.format("desk-reports", path=folder))
    for passed in processed.passed:
        name = phase_words(passed, desk.board, sentences)
        click.echo(sentences.format("desk-passed", phase=name))
    print_open_phase(desk, sentences)
    print_final_report(desk, published, sentences)
    print_site_update(published.site, sentences)
    print_drafted_letters(desk, published.letters, sentences)
    for delivery in published.deliveries:
        click.echo(format_delivery(delivery, desk, sentences))


# -- back and forth ----------------------------------------------------------------------------


@click.command()
@json_option
@reason_option
@desk_command
def undo(desk: Desk, sentences: Sentences, as_json: bool, reason: str) -> None:
    """Take back the last processing or correction; nothing is lost, 'redo' puts it back.

    The orders of the phase stay as they were.  Reports already written stay in their folder.

    \b
    Example:
      alexmagnum undo --reason "Bruno's mail had been overlooked"
    """
    _print_reopened(desk, undo_phase(desk, reason), "desk-undone", sentences, as_json)


@click.command()
@json_option
@click.option(
    "--anyway", is_flag=True, help="Redo although orders or settings changed since the undo."
)
@reason_option
@desk_command
def redo(desk: Desk, sentences: Sentences, as_json: bool, reason: str, anyway: bool) -> None:
    """Put back what 'undo' took back last.

    Orders and settings that changed since then would have no effect: the command names them and
    refuses, unless you add --anyway.

    \b
    Example:
      alexmagnum redo
    """
    published = redo_phase(desk, reason, anyway=anyway)
    _print_reopened(desk, published, "desk-redone", sentences, as_json)


def _print_reopened(
    desk: Desk, published: Published, code: str, sentences: Sentences, as_json: bool
) -> None:
    """Print the open phase after an undo or redo, and the letters that it changed."""
    if as_json:
        print_json({"phase": str(desk.phase or ""), "deadline": desk.deadline})
        print_site_failure(published.site, sentences)
        return
    click.echo(style(sentences.format(code), bold=True))
    print_open_phase(desk, sentences)
    print_final_report(desk, published, sentences)
    print_site_update(published.site, sentences)
    print_reconciled_letters(published.reconciled, sentences)
    print_drafted_letters(desk, published.letters, sentences)


# -- amend -------------------------------------------------------------------------------------


@click.command()
@click.argument("phase")
@click.argument("power", required=False)
@click.argument("file", required=False, type=PATH)
@click.option(
    "--set", "rules", multiple=True, metavar="SWITCH=VALUE", help="Correct a rule switch instead."
)
@click.option("--dry-run", is_flag=True, help="Show what would come out; change nothing.")
@json_option
@reason_option
@desk_command
def amend(
    desk: Desk,
    sentences: Sentences,
    phase: str,
    power: str | None,
    file: Path | None,
    rules: tuple[str, ...],
    dry_run: bool,
    as_json: bool,
    reason: str,
) -> None:
    """Correct a power's orders, or a ruling, of a past phase, and play on from there.

    FILE has all the orders of POWER for that phase, corrected; without it, or with '-', standard
    input is read.  Everything after the phase is replayed; the changed results are printed,
    the old version is kept, and the reports are written anew as version 2.  If orders no longer
    fit, the replay stops there: the orders and the phases that are void are named.

    \b
    Example:
      alexmagnum amend 323-1 TOL corrected.txt --dry-run
      alexmagnum amend 323-1 TOL corrected.txt --reason "I misread Anna's mail"
      alexmagnum amend 323-1 --set publish_picks=own --reason "as agreed"
    """
    asked = _AskedCorrection(read_phase(phase), power, file, rules, sentences.lang)
    if dry_run:
        amendment = asked.rehearse(desk)
        if as_json:
            print_json(_amendment_json(amendment, ()))
        else:
            _print_amendment(desk, amendment, sentences, dry_run=True)
        return
    correction = asked.carry_out(desk, reason)
    amendment, published = correction.amendment, correction.published
    if as_json:
        print_json(_amendment_json(amendment, published.reports))
        print_site_failure(published.site, sentences)
        return
    _print_amendment(desk, amendment, sentences)
    for folder in published.reports:
        click.echo(sentences.format("desk-reports", path=folder))
    print_open_phase(desk, sentences)
    print_final_report(desk, published, sentences)
    print_site_update(published.site, sentences)
    print_drafted_letters(desk, published.letters, sentences)


@dataclass(frozen=True, slots=True)
class _AskedCorrection:
    """The correction that the command line asks for: of a power's orders, or of switches.

    Raises:
        GameError: ``amend-what``, if it asks for both or neither.
    """

    phase: str
    power: str | None
    file: Path | None
    rules: tuple[str, ...]
    lang: str

    def __post_init__(self) -> None:
        if bool(self.power) == bool(self.rules):
            raise GameError("amend-what")

    def rehearse(self, desk: Desk) -> Amendment:
        """Return what the correction would change."""
        if self.power:
            whose, text = self._orders(desk)
            return rehearse_orders(desk, self.phase, whose, text)
        return rehearse_rules(desk, self.phase, read_assignments(self.rules))

    def carry_out(self, desk: Desk, reason: str) -> Correction:
        """Correct the phase."""
        if self.power:
            whose, text = self._orders(desk)
            return amend_orders(desk, self.phase, whose, text, reason)
        return amend_rules(desk, self.phase, read_assignments(self.rules), reason)

    def _orders(self, desk: Desk) -> tuple[str, str]:
        return read_power(self.power or "", desk.board), read_text_of(self.file, self.lang)


def _print_amendment(
    desk: Desk, amendment: Amendment, sentences: Sentences, *, dry_run: bool = False
) -> None:
    board = desk.board
    name = phase_words(amendment.phase, board, sentences)
    code = "desk-would-amend" if dry_run else "desk-amended"
    click.echo(style(sentences.format(code, phase=name, version=amendment.version), bold=True))
    if not amendment.changes:
        click.echo(sentences.format("no-changes"))
    void = {each.phase for each in amendment.void}  # listed below: nothing in them counts any more
    for past in dict.fromkeys(c.phase for c in amendment.changes if c.phase not in void):
        click.echo(phase_words(past, board, sentences))
        print_changes([c for c in amendment.changes if c.phase == past], desk, sentences)
    for line in _stop_lines(desk, amendment, sentences):
        click.echo(style(line, "yellow"))
    if dry_run:
        click.echo(sentences.format("desk-dry-run"))


def _stop_lines(desk: Desk, amendment: Amendment, sentences: Sentences) -> Iterator[str]:
    """Yield where a replay stops or goes on to, which orders no longer fit, and which phases are
    void."""
    board = desk.board
    if amendment.stopped_at:
        stopped = phase_words(amendment.stopped_at, board, sentences)
        yield sentences.format("desk-amend-stopped", phase=stopped)
    if amendment.went_on_to:
        opens = phase_words(amendment.went_on_to, board, sentences)
        yield sentences.format("desk-amend-went-on", phase=opens)
    for misfit in amendment.misfits:
        yield "  " + sentences.format(
            "desk-misfit",
            power=power_name(board, misfit.power, sentences),
            order=misfit.order,
            why=sentences.format(misfit.code, **misfit.data),
        )
    if amendment.void:
        yield sentences.format("desk-void")
    for void in amendment.void:
        powers = ", ".join(power_name(board, power, sentences) for power in void.powers)
        yield f"  {phase_words(void.phase, board, sentences)}: {powers or '–'}"


def print_changes(changes: Sequence[Change], desk: Desk, sentences: Sentences) -> None:
    """Print the changed results as a table."""
    for line in format_table(tabulate_changes(changes, desk.board, sentences)):
        click.echo(f"  {line}")


def _amendment_json(amendment: Amendment, folders: Sequence[Path]) -> dict[str, object]:
    return {
        "phase": amendment.phase,
        "version": amendment.version,
        "replayed": list(amendment.replayed),
        "stopped_at": amendment.stopped_at,
        "went_on_to": amendment.went_on_to,
        "misfits": [
            {**misfit._asdict(), "data": dict(misfit.data)} for misfit in amendment.misfits
        ],
        "void": [void._asdict() for void in amendment.void],
        "changes": [change._asdict() for change in amendment.changes],
        "reports": list(map(str, folders)),
    }
