"""The commands ``report``, ``sheet`` and ``publish``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from alexmagnum.cli import Command, GameCommand
from alexmagnum.cli.base import (
    PATH,
    Call,
    map_option,
)
from alexmagnum.cli.game_options import (
    GameCall,
    open_game,
    read_phase,
    read_raw_text,
    refusals,
)
from alexmagnum.cli.outbox import print_drafted_letters
from alexmagnum.errors import GameError
from alexmagnum.files import write_whole
from alexmagnum.game.phases import list_processed_phases
from alexmagnum.mail.drafts import DraftedLetters
from alexmagnum.report.context import GM
from alexmagnum.report.final_report import CODE as FINAL
from alexmagnum.report.formats import FORMATS
from alexmagnum.site.frame import EVERYTHING, INDEX
from alexmagnum.workflow.materials import (
    PNG,
    PUBLIC,
    SVG,
    Materials,
    OrderSheet,
    ReportRequest,
    compose_report,
    compose_sheets,
    compose_turn_sheets,
    last_processed,
    sheets_folder,
    update_letters,
    write_reports,
)
from alexmagnum.workflow.publish import (
    rewrite_reports,
    write_single_page,
    write_site,
)

if TYPE_CHECKING:
    from alexmagnum.site.site import SiteChanges
    from alexmagnum.workflow.publish import SiteUpdate


# ``sheet``: pages on which players tap their orders together, of a game or of a turn file.


@click.command(cls=Command, game=True)
@click.argument("powers", nargs=-1, metavar="[POWER]...")
@click.option("--turn", type=PATH, metavar="TURN", help="A turn file instead of a game.")
@map_option
@click.option("-o", "--out", type=PATH, help="Folder, or for one power a file that ends in .html.")
def sheet(
    call: Call, powers: tuple[str, ...], turn: Path | None, map_id: str | None, out: Path | None
) -> None:
    """Write order sheets for the open phase, or for that of a turn file.

    A sheet is a page that a player opens offline: they tap their units on the map and what they do,
    only what is legal is offered, and the text of the orders comes out, to be copied or mailed.
    Nothing secret is in it.  Without POWER there is one for each power that owes anything, in
    its player's language; --lang sets another.  They go into sheets/PHASE of the game, those of a
    turn file into the folder stood in.

    \b
    Example:
      alexmagnum sheet TOL --out tolomeo.html
    """
    if turn is not None:
        with refusals(call.sentences.lang):
            sheets, phase = compose_turn_sheets(turn, map_id, powers, call.sentences)
            files = _write_sheets(sheets, out or Path(), out)
        sentences = call.sentences
    else:
        with open_game(call) as opened:
            asked = list(map(opened.parse_power, powers))
            sheets = compose_sheets(Materials(opened.desk), asked, call.lang)
            phase = opened.desk.position.phase
            files = _write_sheets(sheets, out or sheets_folder(opened.desk, str(phase)), out)
        sentences = opened.sentences
    data = {"phase": str(phase), "sheets": {power: str(path) for power, path in files.items()}}
    lines = [sentences.format("desk-written", path=path) for path in files.values()]
    call.answer(data, lines or [sentences.format("desk-no-sheets")])


def _write_sheets(
    sheets: Sequence[OrderSheet], folder: Path, out: Path | None
) -> Mapping[str, Path]:
    """Write sheets into a folder, or one into the file ``out``; return the files by power."""
    if out is not None and out.suffix.lower() in (".html", ".htm"):
        if len(sheets) != 1:
            raise click.UsageError("Several sheets need a folder, not a file.")
        files = {sheets[0].power: out}
    else:
        files = {sheet.power: folder / sheet.file for sheet in sheets}
    for sheet in sheets:
        write_whole(files[sheet.power], sheet.page, private=True)
    return files


# Lines that commands print about the site of a game.


def format_site_changes(call: Call, folder: Path, changes: SiteChanges) -> str:
    """Return where a site is and what was written there."""
    counts = {"written": len(changes.written), "removed": len(changes.removed)}
    about = {**counts, "kept": changes.kept, "index": folder / INDEX}
    return call.format("site-published", path=folder, **about)


def print_site_update(call: Call, update: SiteUpdate | None) -> None:
    """Print what became of the site after an act, if the game keeps one; to machines a failure."""
    if update is None:
        return
    if update.failure is None:
        call.say([format_site_changes(call, update.folder, update.changes)])
    else:
        call.warn(call.format("site-unpublished", why=call.sentences.error(update.failure)))


def print_consequences(call: GameCall, letters: DraftedLetters) -> None:
    """Print the letters that a change drafted, and bring the site of the setting up to date."""
    print_drafted_letters(call, letters)
    if call.desk.settings["site_dir"]:
        from alexmagnum.workflow.publish import follow_with_site  # loads everything that draws

        print_site_update(call, follow_with_site(call.desk))


# ``report``: a report on the screen or in a file, and the game master's own words.
#
# The desk knows everything; what a reader may see is decided by :mod:`alexmagnum.report.context`.


@click.command(cls=GameCommand, reason=True, opened=True)
@click.argument("phase", required=False)
@click.option("--for", "reader", metavar="POWER", help="A power's view, or the game master's (gm).")
@click.option(
    "--format",
    "form",
    type=click.Choice([*FORMATS, SVG, PNG]),
    default="text",
    help="Default: text; svg and png are the map alone.",
)
@click.option("--version", type=int, help="An older version of a phase that was corrected.")
@click.option("-o", "--out", type=PATH, help="Write into a file instead.")
@click.option("--all", "everything", is_flag=True, help="Write all reports into the folder anew.")
@click.option("--before", metavar="TEXT", help="Put words of yours before the results.")
@click.option("--after", metavar="TEXT", help="Put words of yours after the results.")
@click.option(
    "--clear", type=click.Choice(("before", "after")), help="Take the words that are there away."
)
def report(
    call: GameCall,
    phase: str | None,
    reader: str | None,
    form: str,
    version: int | None,
    out: Path | None,
    everything: bool,
    before: str | None,
    after: str | None,
    clear: str | None,
) -> None:
    """Print the report of a phase; without PHASE that of the last one processed.

    Of the open phase it says what is due by when, and keeps the orders closed: --open together
    with --for shows those of that power (of all with --for gm), and the journal keeps that
    they were opened.

    Once the game is over, 'report final' prints the whole story of the game.

    What everybody may see lies in the folder reports, as page and text in the game's language.
    Every other reader, language and format is made here.  --all writes the reports of every phase
    anew, and the order sheets: after an import, or if files were lost.

    --before and --after put your own words into a report: commentary, or notes, without PHASE of
    the open phase.  TEXT '-' is read from standard input; an empty line parts paragraphs.  Several
    texts follow each other, and --clear takes them away.  If the phase is processed already, its
    reports are written anew.

    \b
    Example:
      alexmagnum report 323-1 --for TOL --format html -o tolomeo.html
      alexmagnum report --all
      alexmagnum report --before "The fleets meet off Rhodes, and nobody blinks."
    """
    given = {"before": before, "after": after, "clear": clear}
    words = [(where, text) for where, text in given.items() if text is not None]
    if len(words) > 1:
        raise click.UsageError("Say one thing at a time: --before, --after or --clear.")
    if words:
        _add_words(call, phase, *words[0])
        return
    if everything:
        data = {"reports": list(map(str, rewrite_reports(call.desk)))}
        text = call.format("desk-reports-all", count=len(list_processed_phases(call.desk)))
        call.answer(data, [text])
        return
    asked = (phase or "").strip()
    is_final = asked.lower() == FINAL
    request = ReportRequest(
        phase=FINAL if is_final else read_phase(asked) if asked else "",
        recipient=_find_recipient(call, reader),
        form="json" if call.as_json else form,
        version=version,
        opened=call.opened,
        reason=call.reason,
    )
    composed = compose_report(call.desk, request, call.sentences)
    if out is None:
        click.echo(composed, nl=False)
    else:
        write_whole(out, composed, private=request.recipient is not None)
        click.echo(call.format("desk-written", path=out))


def _find_recipient(call: GameCall, reader: str | None) -> str | None:
    if reader is None or reader.lower() == PUBLIC:
        return None
    return GM if reader.lower() == GM else call.parse_power(reader)


def _add_words(call: GameCall, phase: str | None, where: str, text: str) -> None:
    """Add words before or after the results of a phase, or for ``clear`` take those away."""
    desk = call.desk
    name = read_phase(phase) if phase else str(desk.phase or last_processed(desk))
    clear = where == "clear"
    if clear:
        where, text = text, ""
    elif text == "-":
        text = read_raw_text(None, call.sentences.lang)
    if not clear and not text.strip():
        raise GameError("text-empty")
    desk.add_text(name, where, text.strip())
    texts, materials = desk.texts(name)[where], Materials(desk)
    folders = [write_reports(materials, done) for done in list_processed_phases(desk, [name])]
    letters = update_letters(desk, materials)
    code = "desk-text-cleared" if clear else f"desk-text-{where}"
    lines = [call.format(code, phase=call.name_phase(name), count=len(texts), where=where)]
    lines += [call.format("desk-written", path=folder) for folder in folders]
    call.answer({"phase": name, "where": where, "texts": list(texts)}, lines)
    print_consequences(call, letters)


# The command ``publish``: a game as a static site, or as one page.


@click.command(cls=Command, game=True)
@click.argument("places", nargs=-1, type=PATH, metavar="[GAME] DIR")
@click.option(
    "--for", "reader", metavar="POWER", help="What one player may see, press to them too."
)
@click.option("--gm", "for_gm", is_flag=True, help="What the game master may see.")
@click.option(
    "--all", "everything", is_flag=True, help="After the end: picks and press of everybody too."
)
@click.option("--single", type=PATH, metavar="FILE", help="One page instead of a folder.")
@click.option("--phase", help="With --single: this phase alone.")
def publish(
    call: Call,
    places: tuple[Path, ...],
    reader: str | None,
    for_gm: bool,
    everything: bool,
    single: Path | None,
    phase: str | None,
) -> None:
    """Publish the game as a static site in the folder DIR.

    The pages open from the disk, without a network, and can be put on any host as they are.
    Without more they have what everybody may see, and nothing of orders that wait.  GAME is the
    game's folder; it may also be given by --game, or be the folder you stand in.

    Publish into the same folder again after each phase: only what changed is written, and what
    'undo' took back is removed.  Files that the site did not write are left alone.  With the
    setting site_dir this happens by itself.

    --single writes a short game, or one phase of any game, as one page that can be mailed.

    \b
    Example:
      alexmagnum publish site
      alexmagnum publish my-game my-game-site --for TOL
      alexmagnum publish --single cyprus.html --phase 323-1
    """
    if not single and not 1 <= len(places) <= 2:
        raise click.UsageError("Name the folder of the site: alexmagnum publish [GAME] DIR")
    if single and len(places) > 1:
        raise click.UsageError("With --single name at most the game: publish [GAME] --single FILE")
    if phase and not single:
        raise click.UsageError("--phase belongs to --single; a site has every phase")
    if (reader is not None) + for_gm + everything > 1:
        raise click.UsageError("--for, --gm and --all exclude each other")
    *game, site = places if single is None else (*places, single)
    with open_game(call, *game) as opened:
        if everything:
            audience: str | None = EVERYTHING
        else:
            audience = GM if for_gm else _find_recipient(opened, reader)
        if single:
            asked = read_phase(phase) if phase else ""
            size = write_single_page(opened.desk, single, audience, opened.sentences, asked)
            text = opened.format("site-single-written", path=single, size=size // 1000)
            opened.answer({"page": str(single), "bytes": size}, [text])
            return
        changes = write_site(opened.desk, site, audience, opened.sentences)
        data = {
            "site": str(site),
            "written": changes.written,
            "unchanged": changes.kept,
            "removed": changes.removed,
        }
        opened.answer(data, [format_site_changes(opened, site, changes)])
