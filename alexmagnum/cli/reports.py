"""``report`` and ``text``: a report on the screen or in a file, and the game master's own words.

The desk knows everything; what a reader may see is decided by :mod:`alexmagnum.report.views`.
"""

from __future__ import annotations

from pathlib import Path

import click

from alexmagnum.cli.game_options import (
    PATH,
    as_written,
    desk_command,
    json_option,
    phase_id,
    phase_words,
    power_id,
    reason_option,
)
from alexmagnum.cli.letter_lines import tell_made
from alexmagnum.cli.output import print_json
from alexmagnum.errors import GameError
from alexmagnum.files import write_whole
from alexmagnum.game.desk import Desk
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.mail.letters.phase_section import Made
from alexmagnum.report.formats import FORMATS, format_report
from alexmagnum.report.phase_context import GM, PhaseContext, gather_open_phase, gather_past_phase
from alexmagnum.workflow.letters import write_report_letters
from alexmagnum.workflow.reports import PUBLIC, write_reports


@click.command()
@click.argument("phase", required=False)
@click.option("--for", "reader", metavar="POWER", help="A power's view, or the game master's (gm).")
@click.option(
    "--format",
    "form",
    type=click.Choice([*FORMATS]),
    default="text",
    help="Default: text.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("--version", type=int, help="An older version of a phase that was corrected.")
@click.option("-o", "--out", type=PATH, help="Write into a file instead.")
@click.option("--open", "opened", is_flag=True, help="With orders that wait (journaled).")
@reason_option
@desk_command
def report(
    desk: Desk,
    sentences: Sentences,
    phase: str | None,
    reader: str | None,
    form: str,
    as_json: bool,
    version: int | None,
    out: Path | None,
    opened: bool,
    reason: str,
) -> None:
    """Print the report of a phase; without PHASE that of the last one processed.

    Of the open phase it says what is due by when, and keeps the orders closed: --open together
    with --for shows those of that power (of all with --for gm), and the journal keeps that
    they were opened.

    \b
    Example:
      alexmagnum report 323-1 --for TOL --format html -o tolomeo.html
    """
    recipient = _recipient(reader, desk)
    context = _context(desk, phase, version, recipient if opened else None, reason)
    form = "json" if as_json else form
    pictures = desk.settings["pictures"] == "yes"
    text = format_report(context, recipient, form, sentences, opened=opened, pictures=pictures)
    if out is None:
        click.echo(text, nl=False)
    else:
        write_whole(out, text, private=recipient is not None)
        click.echo(sentences.format("desk-written", path=out))


def _recipient(reader: str | None, desk: Desk) -> str | None:
    if reader is None or reader.lower() == PUBLIC:
        return None
    return GM if reader.lower() == GM else power_id(reader, desk.board)


def _context(
    desk: Desk, phase: str | None, version: int | None, opened_for: str | None, reason: str
) -> PhaseContext:
    name = phase_id(phase) if phase else last_processed(desk)
    if version is not None or desk.phase is None or name != str(desk.phase):
        return gather_past_phase(desk, name, version)
    return gather_open_phase(desk, opened_for, reason=reason)


def last_processed(desk: Desk) -> str:
    """The last phase that was processed; the open one where none was."""
    done = [record.name for record in desk.phases() if record.state == "processed"]
    return done[-1] if done else str(desk.phase)


@click.command()
@click.argument("where", type=click.Choice(["before", "after"]))
@click.argument("words_", metavar="[TEXT]", required=False)
@click.option("--phase", help="Whose report (default: that of the open phase).")
@click.option("--clear", is_flag=True, help="Take the words that are there away instead.")
@json_option
@desk_command
def text(
    desk: Desk,
    sentences: Sentences,
    where: str,
    words_: str | None,
    phase: str | None,
    clear: bool,
    as_json: bool,
) -> None:
    """Put your own words into a report: commentary before the results, or notes after them.

    TEXT is what to say; without it, or with '-', it is read from standard input.  An empty line
    parts paragraphs.  Several texts follow each other.  The words come out with the results; if
    the phase is processed already, its reports are written anew.

    \b
    Example:
      alexmagnum text before "The fleets meet off Rhodes, and nobody blinks."
    """
    name = phase_id(phase) if phase else str(desk.phase or last_processed(desk))
    desk.add_text(name, where, "" if clear else _said(words_, sentences))
    texts = desk.texts(name)[where]
    folder = write_reports(desk, name) if _is_processed(desk, name) else None
    letters = write_report_letters(desk, name, renew=True) if folder else Made()
    if as_json:
        print_json({"phase": name, "where": where, "texts": list(texts)})
        return
    code = "desk-text-cleared" if clear else f"desk-text-{where}"
    about = phase_words(name, desk.board, sentences)
    click.echo(sentences.format(code, phase=about, count=len(texts), where=where))
    if folder:
        click.echo(sentences.format("desk-written", path=folder))
    tell_made(desk, letters, sentences)


def _said(given: str | None, sentences: Sentences) -> str:
    """The words given, or read from standard input.

    Raises:
        GameError: ``text-empty``.
    """
    said = given if given and given != "-" else as_written(None, sentences.lang)
    if not said.strip():
        raise GameError("text-empty")
    return said.strip()


def _is_processed(desk: Desk, phase: str) -> bool:
    return any(r.name == phase and r.state == "processed" for r in desk.phases())
