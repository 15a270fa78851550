"""The commands that move a game on or back, end it, or set its clock."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import datetime
from pathlib import Path

import click

from alexmagnum.cli import Command
from alexmagnum.cli.base import (
    PATH,
    print_answer,
    style,
    table_lines,
)
from alexmagnum.cli.game_options import (
    deadline_line,
    open_phase_lines,
    phase_words,
    print_deadline_notice,
    read_assignments,
    read_phase,
    read_text_of,
)
from alexmagnum.cli.outbox import format_delivery, print_drafted_letters, print_reconciled_letters
from alexmagnum.cli.reports import bring_site_up_to_date, print_site_failure, print_site_update
from alexmagnum.errors import GameError
from alexmagnum.game.desk import Desk
from alexmagnum.game.game import Amendment, ComingDeadline, parse_power
from alexmagnum.game.letters import SENT
from alexmagnum.game.undo import ABANDON, CONCEDE, DRAW, SOLO, Declaration
from alexmagnum.i18n.dates import format_local, parse_deadline
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.notation.names import power_name
from alexmagnum.report.context import GM, gather_preview
from alexmagnum.report.formats import format_report, format_table
from alexmagnum.report.phase_report import tabulate_changes
from alexmagnum.workflow.changes import extend_deadline
from alexmagnum.workflow.materials import Materials, complete_folder, update_letters
from alexmagnum.workflow.publish import Published, process_phase, publish

# The command ``end``: close the game, with its final report.


FAILED = ("fails", "cut", "dislodged", "disrupted", "stopped", "destroyed", "illegal", "invalid")
"""The results that ``preview`` counts as failures."""


@click.command(cls=Command)
@click.option("--draw", is_flag=True, help="A draw among the powers that have a vote.")
@click.option("--among", metavar="POWERS", help="With --draw: only among these (TOL,SEL).")
@click.option("--concede", metavar="POWER", help="The others concede the game to this power.")
@click.option("--solo", metavar="POWER", help="This power wins alone.")
@click.option("--abandon", is_flag=True, help="The game is given up: nobody wins.")
def end(
    desk: Desk,
    sentences: Sentences,
    draw: bool,
    among: str | None,
    concede: str | None,
    solo: str | None,
    abandon: bool,
    as_json: bool,
    reason: str,
) -> None:
    """End the game: seal it, write its final report, and draft a mail with it to every player.

    Say how it ends with one of --draw, --concede, --solo and --abandon; the reason is in the report
    and in the mails.  After that no orders, votes, deadlines or phases are taken; orders that wait
    stay closed.  The digest of the whole game file goes into the journal, and 'alexmagnum verify'
    checks it.  'alexmagnum undo' opens the game again, and tells the players so.

    A game that is won, or whose last year is over, is closed in the same way by itself.

    \b
    Example:
      alexmagnum end --draw --reason "all six voted for it"
      alexmagnum end --concede TOL
    """
    given = {DRAW: draw, CONCEDE: concede, SOLO: solo, ABANDON: abandon}
    chosen = [kind for kind, value in given.items() if value]
    if len(chosen) != 1:
        raise GameError("end-how")
    if among and not draw:
        raise GameError("end-among")
    named = among.replace(";", ",").split(",") if among else [concede or solo or ""]
    powers = tuple(filter(None, (name.strip() for name in named)))
    ended = desk.end(Declaration(chosen[0], powers), reason)
    published = publish(desk, sends=True)
    data = {
        "end": ended.kind,
        "winners": list(ended.winners),
        "reason": ended.reason,
        "report": str(published.final or ""),
        "closing_seal": desk.closing_seal,
        **_letters_json(published),
    }
    print_answer(as_json, data, [style(sentences.format("desk-ended"), bold=True)])
    _print_published(desk, published, sentences, as_json)


# What an act wrote, drafted and sent, printed by every command that moves the game.


def _print_published(
    desk: Desk,
    published: Published,
    sentences: Sentences,
    as_json: bool,
    *,
    reconciled: bool = False,
) -> None:
    """Print what follows from an act; ``reconciled`` counts drafts that were dropped or came back.

    With ``as_json`` only why the site is not up to date.

    Raises:
        GameError: letters that should go by themselves could not be sent.
    """
    if as_json:
        print_site_failure(published.site, sentences)
    else:
        click.echo("\n".join(open_phase_lines(desk, sentences)))
        if published.final is not None:
            click.echo(sentences.format("desk-final", path=published.final))
            click.echo(sentences.format("desk-closing-seal", digest=desk.closing_seal))
        print_site_update(published.site, sentences)
        if reconciled:
            print_reconciled_letters(published.letters, sentences)
        print_drafted_letters(desk, published.letters, sentences)
        for delivery in published.deliveries:
            click.echo(format_delivery(delivery, desk, sentences))
    if published.unsent is not None:
        raise published.unsent


def _letters_json(published: Published) -> dict[str, object]:
    return {
        "letters": published.letters.drafted,
        "sent": [d.mailing.id for d in published.deliveries if d.state == SENT],
    }


def _folder_lines(published: Published, sentences: Sentences) -> list[str]:
    return [sentences.format("desk-reports", path=folder) for folder in published.reports]


# The commands ``preview``, ``process``, ``undo``, ``redo`` and ``amend``.


@click.command(cls=Command)
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
    results = Counter(entry.result in FAILED for entry in done.outcome.results)
    figures = {
        "phase": done.phase,
        "orders": len(done.outcome.results),
        "succeed": results[False],
        "fail": results[True],
        "dislodged": len(done.outcome.dislodged),
        "next": done.next,
    }
    lines = (
        style(phase_words(done.phase, desk.board, sentences), bold=True),
        sentences.format("desk-preview", **figures),
        sentences.format("desk-preview-hint"),
    )
    print_answer(as_json, figures, lines)


@click.command(cls=Command)
@click.argument("phase")
@click.option(
    "--allow-missing",
    is_flag=True,
    help="Process although orders are missing: units hold, builds wait, removals follow R32.",
)
@click.option(
    "--anyway", is_flag=True, help="Play on although everybody with a vote wants to end the game."
)
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
    processed, published = process_phase(
        desk, read_phase(phase), allow_missing=allow_missing, reason=reason, anyway=anyway
    )
    due = desk.due(desk.position) if desk.phase is not None else {}
    data = {
        "phase": processed.phase,
        "version": processed.version,
        "unchanged": processed.unchanged,
        "reports": str(published.reports[0]),
        "passed": list(processed.passed),
        "next": processed.next,
        "deadline": desk.deadline,
        "due": {power: list(units) for power, units in due.items()},
        **_letters_json(published),
    }
    name = phase_words(processed.phase, desk.board, sentences)
    passed = (phase_words(each, desk.board, sentences) for each in processed.passed)
    code = "desk-unchanged" if processed.unchanged else "desk-processed"
    lines = (
        style(sentences.format(code, phase=name), bold=True),
        *_folder_lines(published, sentences),
        *(sentences.format("desk-passed", phase=each) for each in passed),
    )
    print_answer(as_json, data, lines)
    _print_published(desk, published, sentences, as_json)


# -- back and forth ----------------------------------------------------------------------------


@click.command(cls=Command)
def undo(desk: Desk, sentences: Sentences, as_json: bool, reason: str) -> None:
    """Take back the last processing or correction; nothing is lost, 'redo' puts it back.

    The orders of the phase stay as they were.  Reports already written stay in their folder.

    \b
    Example:
      alexmagnum undo --reason "Bruno's mail had been overlooked"
    """
    desk.undo(reason)
    _print_reopened(desk, publish(desk), "desk-undone", sentences, as_json)


@click.command(cls=Command)
@click.option(
    "--anyway", is_flag=True, help="Redo although orders or settings changed since the undo."
)
def redo(desk: Desk, sentences: Sentences, as_json: bool, reason: str, anyway: bool) -> None:
    """Put back what 'undo' took back last.

    Orders and settings that changed since then would have no effect: the command names them and
    refuses, unless you add --anyway.

    \b
    Example:
      alexmagnum redo
    """
    desk.redo(reason, anyway=anyway)
    _print_reopened(desk, publish(desk), "desk-redone", sentences, as_json)


def _print_reopened(
    desk: Desk, published: Published, code: str, sentences: Sentences, as_json: bool
) -> None:
    data = {"phase": str(desk.phase or ""), "deadline": desk.deadline}
    print_answer(as_json, data, [style(sentences.format(code), bold=True)])
    _print_published(desk, published, sentences, as_json, reconciled=True)


# -- amend -------------------------------------------------------------------------------------


@click.command(cls=Command)
@click.argument("phase")
@click.argument("power", required=False)
@click.argument("file", required=False, type=PATH)
@click.option(
    "--set", "rules", multiple=True, metavar="SWITCH=VALUE", help="Correct a rule switch instead."
)
@click.option("--dry-run", is_flag=True, help="Show what would come out; change nothing.")
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
    if bool(power) == bool(rules):
        raise GameError("amend-what")
    name = read_phase(phase)
    if power:
        whose, text = parse_power(desk.board, power), read_text_of(file, sentences.lang)
        amendment = desk.amend(name, whose, text, reason=reason, dry_run=dry_run)
    else:
        switches = read_assignments(rules)
        amendment = desk.amend_settings(name, switches, reason, dry_run=dry_run)
    rewritten = (amendment.phase, *amendment.replayed)
    published = Published() if dry_run else publish(desk, rewritten)
    lines = _amendment_lines(desk, amendment, sentences, dry_run=dry_run)
    data = _amendment_json(amendment, published.reports)
    print_answer(as_json, data, (*lines, *_folder_lines(published, sentences)))
    if not dry_run:
        _print_published(desk, published, sentences, as_json)


def _amendment_lines(
    desk: Desk, amendment: Amendment, sentences: Sentences, *, dry_run: bool
) -> Iterator[str]:
    board = desk.board
    name = phase_words(amendment.phase, board, sentences)
    code = "desk-would-amend" if dry_run else "desk-amended"
    yield style(sentences.format(code, phase=name, version=amendment.version), bold=True)
    if not amendment.changes:
        yield sentences.format("no-changes")
    void = {each.phase for each in amendment.void}  # listed below: nothing in them counts any more
    for past in dict.fromkeys(c.phase for c in amendment.changes if c.phase not in void):
        yield phase_words(past, board, sentences)
        changes = [change for change in amendment.changes if change.phase == past]
        for line in format_table(tabulate_changes(changes, board, sentences)):
            yield f"  {line}"
    for line in _stop_lines(desk, amendment, sentences):
        yield style(line, "yellow")
    if dry_run:
        yield sentences.format("desk-dry-run")


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


# ``deadline``: the clock of the open phase.


@click.command(cls=Command)
@click.argument(
    "act", type=click.Choice(("show", "set", "extend", "pause", "resume")), default="show"
)
@click.argument("when", metavar="[WHEN]", nargs=-1)
@click.option(
    "--ahead",
    type=click.IntRange(0, 100),
    default=0,
    metavar="N",
    help="With show: also the deadlines of the next N phases.",
)
def deadline(
    desk: Desk,
    sentences: Sentences,
    act: str,
    when: tuple[str, ...],
    ahead: int,
    as_json: bool,
    reason: str,
) -> None:
    """Show, set, put off or stop the deadline of the open phase.

    'set' takes a time as people write it: '22/11 ore 23:59', 'sunday 20:00', '+48h', '2026-11-22
    23:59', read on the clocks of the game's place (settings timezone); 'none' takes the deadline
    away.  'extend' puts it off by some time: '2 days', '48h', '1 settimana'.  'pause' stops the
    clock and keeps the time that is left; 'resume' lets it run on.

    With --ahead the deadlines that come are listed, if each phase is resolved at its deadline and
    every player owes orders.  Retreats are listed because they may come; the phases behind them
    are counted as if nobody retreated, and beside it as if there were retreats each time.

    \b
    Example:
      alexmagnum deadline show --ahead 5
      alexmagnum deadline set sunday 20:00 --reason "all agreed"
      alexmagnum deadline extend 2 days --reason "Bruno's computer broke"
      alexmagnum deadline pause --reason "summer holidays"
      alexmagnum deadline resume
    """
    if bool(when) != (act in ("set", "extend")) or (ahead and act != "show"):
        raise click.UsageError("Say set WHEN, extend SPAN, pause or resume; or show, with --ahead.")
    match act:
        case "show":
            _print_deadlines(desk, sentences, ahead, as_json)
            return
        case "set":
            at = _read_deadline(" ".join(when), desk, sentences)
            desk.set_deadline(at, reason)
        case "extend":
            extend_deadline(desk, " ".join(when), reason)
        case "pause":
            desk.pause(reason)
        case _:
            desk.resume(reason)
    materials = Materials(desk)
    complete_folder(materials)  # order sheets name the deadline
    letters = update_letters(desk, materials)
    print_answer(as_json, _deadline_json(desk), [deadline_line(desk, sentences)])
    if not as_json:
        print_drafted_letters(desk, letters, sentences)
    bring_site_up_to_date(desk, sentences, as_json=as_json)


def _read_deadline(text: str, desk: Desk, sentences: Sentences) -> datetime | None:
    if text.casefold() in ("none", "nessuna"):
        return None
    found = parse_deadline(text, desk.settings["timezone"], desk.now())
    print_deadline_notice(found, sentences)
    return found.at


def _print_deadlines(desk: Desk, sentences: Sentences, ahead: int, as_json: bool) -> None:
    coming = desk.coming_deadlines(ahead) if desk.phase is not None else ()
    lines = [deadline_line(desk, sentences)]
    if coming:
        table = table_lines([_coming_row(each, desk, sentences) for each in coming])
        lines.append(sentences.format("desk-deadlines-ahead"))
        lines += [f"  {line.rstrip()}" for line in table]
        lines.append(sentences.format(f"desk-deadlines-from-{desk.settings['next_deadline']}"))
    data = {**_deadline_json(desk), "ahead": [asdict(each) for each in coming]}
    print_answer(as_json, data, lines)


def _coming_row(coming: ComingDeadline, desk: Desk, sentences: Sentences) -> tuple[str, ...]:
    zone = desk.settings["timezone"]
    note = sentences.format("desk-deadline-if-dislodged") if coming.if_dislodged else ""
    if coming.latest != coming.deadline and not note:
        latest = format_local(coming.latest, zone, sentences)
        note = sentences.format("desk-deadline-latest", deadline=latest)
    name = phase_words(coming.phase, desk.board, sentences)
    return name, format_local(coming.deadline, zone, sentences), note


def _deadline_json(desk: Desk) -> dict[str, object]:
    return {"phase": str(desk.phase or ""), "deadline": desk.deadline, "paused": desk.paused}
