"""``report`` and ``text``: a report on the screen or in a file, and the game master's own words.

The desk knows everything; what a reader may see is decided by :mod:`alexmagnum.report.views`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from alexmagnum.cli.arguments import read_phase, read_power, read_raw_text
from alexmagnum.cli.game_lines import phase_words
from alexmagnum.cli.game_options import PATH, desk_command, json_option, reason_option
from alexmagnum.cli.letter_lines import print_drafted_letters
from alexmagnum.cli.output import print_json
from alexmagnum.cli.site_lines import bring_site_up_to_date
from alexmagnum.errors import GameError
from alexmagnum.files import write_whole
from alexmagnum.game.desk import Desk
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.report.final_report import CODE as FINAL
from alexmagnum.report.formats import FORMATS
from alexmagnum.report.phase_context import GM
from alexmagnum.workflow.commentary import add_commentary
from alexmagnum.workflow.publish import rewrite_reports
from alexmagnum.workflow.reports import (
    PUBLIC,
    SVG,
    ReportRequest,
    compose_report,
    last_processed,
    processed_phases,
)


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """The arguments and options of ``report``, named as click has them."""

    phase: str | None
    reader: str | None
    form: str
    as_json: bool
    version: int | None
    out: Path | None
    opened: bool
    everything: bool
    reason: str

    def make_request(self, desk: Desk) -> ReportRequest:
        """Return the report that the options ask for.

        Raises:
            GameError: ``unknown-phase``, ``no-such-power``.
        """
        return ReportRequest(
            phase=self._read_phase(),
            recipient=_find_recipient(self.reader, desk),
            form="json" if self.as_json else self.form,
            version=self.version,
            opened=self.opened,
            reason=self.reason,
        )

    def _read_phase(self) -> str:
        """Return the phase asked for, "" for the last one, or the mark of the final report."""
        asked = (self.phase or "").strip()
        if asked.lower() == FINAL:
            return FINAL
        return read_phase(asked) if asked else ""


@click.command()
@click.argument("phase", required=False)
@click.option("--for", "reader", metavar="POWER", help="A power's view, or the game master's (gm).")
@click.option(
    "--format",
    "form",
    type=click.Choice([*FORMATS, SVG]),
    default="text",
    help="Default: text; svg is the map alone.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("--version", type=int, help="An older version of a phase that was corrected.")
@click.option("-o", "--out", type=PATH, help="Write into a file instead.")
@click.option("--open", "opened", is_flag=True, help="With orders that wait (journaled).")
@click.option("--all", "everything", is_flag=True, help="Write all reports into the folder anew.")
@reason_option
@desk_command
def report(desk: Desk, sentences: Sentences, **arguments: Any) -> None:
    """Print the report of a phase; without PHASE that of the last one processed.

    Of the open phase it says what is due by when, and keeps the orders closed: --open together
    with --for shows those of that power (of all with --for gm), and the journal keeps that
    they were opened.

    Once the game is over, 'report final' prints the whole story of the game.

    The page (html) of a player lies in no folder: it is made here, and for their letters.

    --all writes the reports of every phase anew into the folder reports, in all formats and for
    every reader, and the order sheets: after an import, or if files were lost.

    \b
    Example:
      alexmagnum report 323-1 --for TOL --format html -o tolomeo.html
      alexmagnum report --all
    """
    options = ReportOptions(**arguments)
    if options.everything:
        _rewrite_reports(desk, sentences, options.as_json)
        return
    request = options.make_request(desk)
    text = compose_report(desk, request, sentences)
    if options.out is None:
        click.echo(text, nl=False)
    else:
        write_whole(options.out, text, private=request.recipient is not None)
        click.echo(sentences.format("desk-written", path=options.out))


def _rewrite_reports(desk: Desk, sentences: Sentences, as_json: bool) -> None:
    folders = list(rewrite_reports(desk))
    if as_json:
        print_json({"reports": [str(folder) for folder in folders]})
    else:
        click.echo(sentences.format("desk-reports-all", count=len(processed_phases(desk))))


def _find_recipient(reader: str | None, desk: Desk) -> str | None:
    """Return the reader as views have it: a power, the game master, or None for everybody."""
    if reader is None or reader.lower() == PUBLIC:
        return None
    return GM if reader.lower() == GM else read_power(reader, desk.board)


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
    name = read_phase(phase) if phase else str(desk.phase or last_processed(desk))
    added = add_commentary(desk, name, where, "" if clear else _given_words(words_, sentences))
    if as_json:
        print_json({"phase": name, "where": where, "texts": list(added.texts)})
        bring_site_up_to_date(desk, sentences, as_json=True)
        return
    code = "desk-text-cleared" if clear else f"desk-text-{where}"
    about = phase_words(name, desk.board, sentences)
    click.echo(sentences.format(code, phase=about, count=len(added.texts), where=where))
    if added.reports:
        click.echo(sentences.format("desk-written", path=added.reports))
    print_drafted_letters(desk, added.letters, sentences)
    bring_site_up_to_date(desk, sentences)


def _given_words(given: str | None, sentences: Sentences) -> str:
    """Return the words given, or read from standard input.

    Raises:
        GameError: ``text-empty``.
    """
    words = given if given and given != "-" else read_raw_text(None, sentences.lang)
    if not words.strip():
        raise GameError("text-empty")
    return words.strip()
