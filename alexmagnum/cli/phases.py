"""The commands that move a game on or back, end it, set its clock, and report and publish it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from pathlib import Path

import click

from alexmagnum.cli import Command, GameCommand, base, game_options
from alexmagnum.cli.outbox import format_delivery, print_drafted_letters, print_reconciled_letters
from alexmagnum.errors import GameError
from alexmagnum.files import bound_orders, write_whole
from alexmagnum.game.desk import Desk
from alexmagnum.game.game import Amendment, ComingDeadline
from alexmagnum.game.mail_store import SENT, WAITING
from alexmagnum.game.phases import list_processed_phases
from alexmagnum.game.status import mark_folder
from alexmagnum.game.submissions import say_act_is_stored
from alexmagnum.game.undo import ABANDON, CONCEDE, DRAW, SOLO
from alexmagnum.i18n.dates import format_local, parse_deadline
from alexmagnum.i18n.sentences import replace_unprintable
from alexmagnum.mail.drafts import DraftedLetters
from alexmagnum.notation.sections import read_phase
from alexmagnum.report import materials as report_materials
from alexmagnum.report.context import GM, gather_preview
from alexmagnum.report.final_report import CODE as FINAL
from alexmagnum.report.formats import FORMATS, format_report, format_table
from alexmagnum.report.phase_report import tabulate_changes
from alexmagnum.site import site as sites
from alexmagnum.site.frame import EVERYTHING, INDEX
from alexmagnum.workflow import publish as publishing
from alexmagnum.workflow.changes import extend_deadline
from alexmagnum.workflow.situation import find_unread, read_situation

# ``sheet``: pages on which players tap their orders together, of a game or of a turn file.


@click.command(cls=Command, game=True)
@click.argument("powers", nargs=-1, metavar="[POWER]...")
@click.option("--turn", type=base.PATH, metavar="TURN", help="A turn file instead of a game.")
@base.map_option
@click.option(
    "-o", "--out", type=base.PATH, help="Folder, or for one power a file that ends in .html."
)
def sheet(
    call: base.Call,
    powers: tuple[str, ...],
    turn: Path | None,
    map_id: str | None,
    out: Path | None,
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
        with game_options.refusals(call.sentences.lang):
            sheets, phase = report_materials.compose_turn_sheets(
                turn, map_id, powers, call.sentences
            )
            files = _write_sheets(sheets, out or Path(), out)
        sentences = call.sentences
    else:
        with game_options.open_game(call) as opened:
            asked = list(map(opened.parse_power, powers))
            sheets = report_materials.compose_sheets(
                report_materials.Materials(opened.desk), asked, call.lang
            )
            phase = opened.desk.position.phase
            files = _write_sheets(
                sheets, out or publishing.sheets_folder(opened.desk, str(phase)), out
            )
        sentences = opened.sentences
    data = {"phase": str(phase), "sheets": {power: str(path) for power, path in files.items()}}
    lines = [sentences.format("desk-written", path=path) for path in files.values()]
    call.answer(data, lines or [sentences.format("desk-no-sheets")])


def _write_sheets(
    sheets: Sequence[report_materials.OrderSheet], folder: Path, out: Path | None
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


def format_site_changes(call: base.Call, folder: Path, changes: sites.SiteChanges) -> str:
    """Return where a site is and what was written there."""
    counts = {"written": len(changes.written), "removed": len(changes.removed)}
    about = {**counts, "kept": changes.kept, "index": folder / INDEX}
    return call.format("site-published", path=folder, **about)


def print_site_update(call: base.Call, update: sites.SiteUpdate | None) -> None:
    """Print what became of the site after an act, if the game keeps one; to machines a failure."""
    if update is None:
        return
    if update.failure is None:
        call.say([format_site_changes(call, update.folder, update.changes)])
    else:
        call.warn(call.format("site-unpublished", why=call.sentences.error(update.failure)))


def print_consequences(call: game_options.GameCall, letters: DraftedLetters) -> None:
    """Print the letters that a change drafted, and bring the site of the setting up to date."""
    print_drafted_letters(call, letters)
    if call.desk.settings["site_dir"]:
        print_site_update(call, sites.follow_with_site(call.desk))


# ``report``: a report on the screen or in a file, and the game master's own words.
#
# The desk knows everything; what a reader may see is decided by :mod:`alexmagnum.report.context`.


@click.command(cls=GameCommand, reason=True, opened=True)
@click.argument("phase", required=False)
@click.option("--for", "reader", metavar="POWER", help="A power's view, or the game master's (gm).")
@click.option(
    "--format",
    "form",
    type=click.Choice([*FORMATS, report_materials.SVG, report_materials.PNG]),
    default="text",
    help="Default: text; svg and png are the map alone.",
)
@click.option("--version", type=int, help="An older version of a phase that was corrected.")
@click.option("-o", "--out", type=base.PATH, help="Write into a file instead.")
@click.option("--all", "everything", is_flag=True, help="Write all reports into the folder anew.")
@click.option("--before", metavar="TEXT", help="Put words of yours before the results.")
@click.option("--after", metavar="TEXT", help="Put words of yours after the results.")
@click.option(
    "--clear", type=click.Choice(("before", "after")), help="Take the words that are there away."
)
def report(
    call: game_options.GameCall,
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
    if len(words := [(where, text) for where, text in given.items() if text is not None]) > 1:
        raise click.UsageError("Say one thing at a time: --before, --after or --clear.")
    if words:
        _add_words(call, phase, *words[0])
        return
    if everything:
        text = call.format("desk-reports-all", count=len(list_processed_phases(call.desk)))
        call.answer({"reports": list(map(str, publishing.rewrite_reports(call.desk)))}, [text])
        return
    asked = (phase or "").strip()
    recipient = _find_recipient(call, reader)
    composed = report_materials.compose_report(
        call.desk,
        FINAL if asked.lower() == FINAL else read_phase(asked) if asked else "",
        call.sentences,
        recipient,
        "json" if call.as_json else form,
        version=version,
        opened=call.opened,
        reason=call.reason,
    )
    if out is None:
        if isinstance(composed, str) and form == "text" and not call.as_json:
            composed = replace_unprintable(composed)
        click.echo(composed, nl=False)
    else:
        write_whole(out, composed, private=recipient is not None)
        click.echo(call.format("desk-written", path=out))


def _find_recipient(call: game_options.GameCall, reader: str | None) -> str | None:
    if reader is None or reader.lower() == publishing.PUBLIC:
        return None
    return GM if reader.lower() == GM else call.parse_power(reader)


def _add_words(call: game_options.GameCall, phase: str | None, where: str, text: str) -> None:
    """Add words before or after the results of a phase, or for ``clear`` take those away."""
    desk = call.desk
    name = read_phase(phase) if phase else str(desk.phase or report_materials.last_processed(desk))
    if clear := where == "clear":
        where, text = text, ""
    elif text == "-":
        text = game_options.read_raw_text(None, call.sentences.lang)
    if not clear and not text.strip():
        raise GameError("text-empty")
    desk.call += text
    desk.add_text(name, where, text.strip())
    texts, done = desk.texts(name)[where], list_processed_phases(desk, [name])
    with say_act_is_stored(desk):
        materials = report_materials.Materials(desk)
        folders = [publishing.write_reports(materials, each) for each in done]
        letters = publishing.update_letters(desk, materials)
        mark_folder(desk)
    code = "desk-text-cleared" if clear else f"desk-text-{where}"
    lines = [call.format(code, phase=call.name_phase(name), count=len(texts), where=where)]
    lines += [call.format("desk-written", path=folder) for folder in folders]
    call.answer({"phase": name, "where": where, "texts": list(texts)}, lines)
    print_consequences(call, letters)


# The command ``publish``: a game as a static site, or as one page.


@click.command(cls=Command, game=True)
@click.argument("places", nargs=-1, type=base.PATH, metavar="[GAME] DIR")
@click.option(
    "--for", "reader", metavar="POWER", help="What one player may see, press to them too."
)
@click.option("--gm", "for_gm", is_flag=True, help="What the game master may see.")
@click.option(
    "--all", "everything", is_flag=True, help="After the end: picks and press of everybody too."
)
@click.option("--single", type=base.PATH, metavar="FILE", help="One page instead of a folder.")
@click.option("--phase", help="With --single: this phase alone.")
def publish(
    call: base.Call,
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
    with game_options.open_game(call, *game) as opened:
        if everything:
            audience: str | None = EVERYTHING
        else:
            audience = GM if for_gm else _find_recipient(opened, reader)
        if single:
            asked = read_phase(phase) if phase else ""
            size = sites.write_single_page(opened.desk, single, audience, opened.sentences, asked)
            text = opened.format("site-single-written", path=single, size=size // 1000)
            opened.answer({"page": str(single), "bytes": size}, [text])
            return
        changes = sites.write_site(opened.desk, site, audience, opened.sentences)
        data = {
            "site": str(site),
            "written": changes.written,
            "unchanged": changes.kept,
            "removed": changes.removed,
        }
        opened.answer(data, [format_site_changes(opened, site, changes)])


# The command ``end``: close the game, with its final report.


@click.command(cls=GameCommand, reason=True)
@click.option("--draw", is_flag=True, help="A draw among the powers that have a vote.")
@click.option("--among", metavar="POWERS", help="With --draw: only among these (TOL,SEL).")
@click.option("--concede", metavar="POWER", help="The others concede the game to this power.")
@click.option("--solo", metavar="POWER", help="This power wins alone.")
@click.option("--abandon", is_flag=True, help="The game is given up: nobody wins.")
def end(
    call: game_options.GameCall,
    draw: bool,
    among: str | None,
    concede: str | None,
    solo: str | None,
    abandon: bool,
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
    if len(chosen := [kind for kind, value in given.items() if value]) != 1:
        raise GameError("end-how")
    if among and not draw:
        raise GameError("end-among")
    named = base.split_names(among) if among else [(concede or solo or "").strip()]
    ended = call.desk.end(chosen[0], tuple(filter(None, named)), call.reason)
    published = publishing.publish(call.desk, sends=True)
    data = {
        "end": ended.kind,
        **base.pick(ended, "winners", "reason"),
        "report": str(published.final or ""),
        "closing_seal": call.desk.closing_seal,
        **_letters_json(published),
    }
    call.answer(data, [base.style(call.format("desk-ended"), bold=True)])
    _print_published(call, published)


# What an act wrote, drafted and sent, printed by every command that moves the game.


def _print_published(
    call: game_options.GameCall, published: publishing.Published, *, reconciled: bool = False
) -> None:
    """Print what follows from an act; ``reconciled`` counts drafts that were dropped or came back.

    To machines only why the site is not up to date.

    Raises:
        GameError: letters that should go by themselves could not be sent.
    """
    call.say(game_options.open_phase_lines(call))
    if published.final is not None:
        call.say([call.format("desk-final", path=published.final)])
        call.say([call.format("desk-closing-seal", digest=call.desk.closing_seal)])
    print_site_update(call, published.site)
    if reconciled:
        print_reconciled_letters(call, published.letters)
    print_drafted_letters(call, published.letters)
    call.say(format_delivery(call, delivery) for delivery in published.deliveries)
    if published.unsent is not None:
        raise published.unsent


def _letters_json(published: publishing.Published) -> dict[str, object]:
    return {
        "letters": published.letters.drafted,
        "sent": [d.mailing.id for d in published.deliveries if d.state == SENT],
    }


def _folder_lines(call: base.Call, published: publishing.Published) -> list[str]:
    return [call.format("desk-reports", path=folder) for folder in published.reports]


# The commands ``preview``, ``process``, ``undo``, ``redo`` and ``amend``.


@click.command(cls=GameCommand, opened=True)
def preview(call: game_options.GameCall) -> None:
    """Show what processing now would result in; nothing changes.

    Figures alone are shown.  --open prints the report as it would be, with everybody's orders.
    The journal keeps either.

    \b
    Example:
      alexmagnum preview
    """
    done = call.desk.preview()
    if call.opened:
        call.desk.record("preview-opened", phase=done.phase)
        click.echo(base.style(call.format("desk-preview-warning"), "yellow"), err=True)
        form = "json" if call.as_json else "text"
        click.echo(
            format_report(gather_preview(call.desk, done), GM, form, call.sentences, opened=True),
            nl=False,
        )
        return
    results = Counter(entry.result in (*base.FAILED, *base.VOID) for entry in done.outcome.results)
    figures = {
        "phase": done.phase,
        "orders": len(done.outcome.results),
        "succeed": results[False],
        "fail": results[True],
        "dislodged": len(done.outcome.dislodged),
        "next": done.next,
    }
    lines = (
        base.style(call.name_phase(done.phase), bold=True),
        call.format("desk-preview", **figures),
        call.format("desk-preview-hint"),
    )
    call.answer(figures, lines)


@click.command(cls=GameCommand, reason=True)
@click.argument("phase")
@click.option(
    "--allow-missing",
    is_flag=True,
    help="Process although orders are missing: units hold, builds wait, removals follow R32.",
)
@click.option(
    "--anyway",
    is_flag=True,
    help="Although everybody with a vote wants to end the game, or orders may lie in unread mail.",
)
def process(call: game_options.GameCall, phase: str, allow_missing: bool, anyway: bool) -> None:
    """Resolve the open phase, write its reports, open the next, and write its order sheets.

    PHASE has to be named, so that no other is resolved by mistake: 'alexmagnum status' shows it.
    Processing the same phase twice changes nothing the second time.  If all players vote for a draw
    or concede the game, it is not resolved: 'alexmagnum end' ends the game, --anyway plays on.  Nor
    is it while orders may lie in mails that wait, or in a mailbox that was not read to its end.

    \b
    Example:
      alexmagnum process 323-2 --allow-missing
    """
    asked = call.desk.phase_name(read_phase(phase))
    if not anyway and asked == call.desk.head().name:
        _refuse_doubts(call)
    processed, published = publishing.process_phase(
        call.desk, asked, allow_missing=allow_missing, reason=call.reason, anyway=anyway
    )
    due = call.desk.due(call.desk.position) if call.desk.phase is not None else {}
    data = {
        **base.pick(processed, "phase", "version", "unchanged"),
        "reports": str(published.reports[0]),
        **base.pick(processed, "passed", "next"),
        "deadline": call.desk.deadline,
        "due": {power: list(units) for power, units in due.items()},
        **_letters_json(published),
    }
    passed = (call.name_phase(each) for each in processed.passed)
    code = "desk-unchanged" if processed.unchanged else "desk-processed"
    lines = (
        base.style(call.format(code, phase=call.name_phase(processed.phase)), bold=True),
        *_folder_lines(call, published),
        *(call.format("desk-passed", phase=each) for each in passed),
    )
    call.answer(data, lines)
    _print_published(call, published)


def _refuse_doubts(call: game_options.GameCall) -> None:
    """Refuse to resolve the open phase while orders may lie in the mailbox or in a waiting mail."""
    situation = read_situation(call.desk)
    now_ = situation.status  # the option plays on over a vote too
    vote = f"; {game_options.format_agreement(call, now_)}" if now_.agreed else ""
    numbers = ", ".join(str(mail.id) for mail in situation.mails if mail.state == WAITING)
    waiting = GameError("mails-waiting", numbers=numbers + vote)
    if unread := _describe_unread(call):
        more = f"; {call.sentences.error(waiting)}" if numbers else vote
        raise GameError("mailbox-unread", why=unread + more)
    if numbers:
        raise waiting


# -- back and forth ----------------------------------------------------------------------------


@click.command(cls=GameCommand, reason=True)
@click.option("--anyway", is_flag=True, help="Undo although new orders have no effect then.")
def undo(call: game_options.GameCall, anyway: bool) -> None:
    """Take back the last processing or correction; nothing is lost, 'redo' puts it back.

    The orders of the phase stay as they were, with those that came after a correction that is
    taken back.  If these are for a phase that is resolved again then, the command names them and
    refuses, unless you add --anyway; so it does if the mailbox was not read to its end.
    Reports already written stay in their folder.

    \b
    Example:
      alexmagnum undo --reason "Bruno's mail had been overlooked"
    """
    call.desk.undo(call.reason, anyway=anyway, unread=_describe_unread(call))
    _print_reopened(call, publishing.publish(call.desk, opened=True), "desk-undone")


@click.command(cls=GameCommand, reason=True)
@click.option(
    "--anyway", is_flag=True, help="Redo although orders or settings changed since the undo."
)
def redo(call: game_options.GameCall, anyway: bool) -> None:
    """Put back what 'undo' took back last.

    Orders and settings that changed since then would have no effect: the command names them and
    refuses, unless you add --anyway; so it does if the mailbox was not read to its end.

    \b
    Example:
      alexmagnum redo
    """
    call.desk.redo(call.reason, anyway=anyway, unread=_describe_unread(call))
    _print_reopened(call, publishing.publish(call.desk, opened=True), "desk-redone")


def _describe_unread(call: game_options.GameCall) -> str:
    return "; ".join(map(call.sentences.error, find_unread(call.desk)))


def _print_reopened(
    call: game_options.GameCall, published: publishing.Published, code: str
) -> None:
    data = {"phase": str(call.desk.phase or ""), "deadline": call.desk.deadline}
    call.answer(data, [base.style(call.format(code), bold=True)])
    _print_published(call, published, reconciled=True)


# -- amend -------------------------------------------------------------------------------------


@click.command(cls=GameCommand, reason=True)
@click.argument("phase")
@click.argument("power", required=False)
@click.argument("file", required=False, type=base.PATH)
@click.option(
    "--set", "rules", multiple=True, metavar="SWITCH=VALUE", help="Correct a rule switch instead."
)
@click.option("--dry-run", is_flag=True, help="Show what would come out; change nothing.")
def amend(
    call: game_options.GameCall,
    phase: str,
    power: str | None,
    file: Path | None,
    rules: tuple[str, ...],
    dry_run: bool,
) -> None:
    """Correct a power's orders, or a ruling, of a past phase, and play on from there.

    FILE has all the orders of POWER for that phase, corrected; without it, or with '-', standard
    input is read.  Everything after the phase is replayed; the changed results are printed,
    the old version is kept, and the reports are written anew as version 2.  If orders no longer
    fit, the replay stops there: the orders and the phases that are void are named.  The letters
    that tell the players give the reason.

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
        whose, text = call.parse_power(power), game_options.read_text_of(file, call.sentences.lang)
        bound_orders(text, str(file or "-"))
        call.desk.call += text
        amendment = call.desk.amend(name, whose, text, reason=call.reason, dry_run=dry_run)
    else:
        switches = game_options.read_assignments(rules)
        amendment = call.desk.amend_settings(name, switches, call.reason, dry_run=dry_run)
    rewritten = (amendment.phase, *amendment.replayed)
    published = publishing.Published()
    if not dry_run:
        published = publishing.publish(call.desk, rewritten, opened=True)
    lines = _amendment_lines(call, amendment, dry_run=dry_run)
    data = _amendment_json(amendment, published.reports)
    call.answer(data, (*lines, *_folder_lines(call, published)))
    if not dry_run:
        _print_published(call, published)


def _amendment_lines(
    call: game_options.GameCall, amendment: Amendment, *, dry_run: bool
) -> Iterator[str]:
    board = call.desk.board
    name = call.name_phase(amendment.phase)
    code = "desk-would-amend" if dry_run else "desk-amended"
    yield base.style(call.format(code, phase=name, version=amendment.version), bold=True)
    if not amendment.changes:
        yield call.format("no-changes")
    void = {each.phase for each in amendment.void}  # listed below: nothing in them counts any more
    for past in dict.fromkeys(c.phase for c in amendment.changes if c.phase not in void):
        yield call.name_phase(past)
        changes = [change for change in amendment.changes if change.phase == past]
        for line in format_table(tabulate_changes(changes, board, call.sentences)):
            yield f"  {line}"
    for line in _stop_lines(call, amendment):
        yield base.style(line, "yellow")
    if dry_run:
        yield call.format("desk-dry-run")


def _stop_lines(call: game_options.GameCall, amendment: Amendment) -> Iterator[str]:
    """Yield where a replay stops or goes on to, which orders no longer fit, and which phases are
    void."""
    if amendment.stopped_at:
        yield call.format("desk-amend-stopped", phase=call.name_phase(amendment.stopped_at))
    if amendment.went_on_to:
        yield call.format("desk-amend-went-on", phase=call.name_phase(amendment.went_on_to))
    for misfit in amendment.misfits:
        yield "  " + call.format(
            "desk-misfit",
            power=call.name_power(misfit.power),
            order=misfit.order,
            why=call.format(misfit.code, **misfit.data),
        )
    if amendment.void:
        yield call.format("desk-void")
    for void in amendment.void:
        yield f"  {call.name_phase(void.phase)}: {call.name_powers(void.powers) or '–'}"


def _amendment_json(amendment: Amendment, folders: Sequence[Path]) -> dict[str, object]:
    return {
        **base.pick(amendment, "phase", "version", "replayed", "stopped_at", "went_on_to"),
        "misfits": [
            {**misfit._asdict(), "data": dict(misfit.data)} for misfit in amendment.misfits
        ],
        "void": [void._asdict() for void in amendment.void],
        "changes": [change._asdict() for change in amendment.changes],
        "reports": list(map(str, folders)),
    }


# ``deadline``: the clock of the open phase.


@click.command(cls=GameCommand, reason=True)
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
def deadline(call: game_options.GameCall, act: str, when: tuple[str, ...], ahead: int) -> None:
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
            _print_deadlines(call, ahead)
            return
        case "set":
            call.desk.set_deadline(_read_deadline(call, " ".join(when)), call.reason)
        case "extend":
            extend_deadline(call.desk, " ".join(when), call.reason)
        case "pause":
            call.desk.pause(call.reason)
        case _:
            call.desk.resume(call.reason)
    published = publishing.publish(call.desk)  # order sheets name the deadline
    call.answer(_deadline_json(call.desk), [game_options.deadline_line(call)])
    print_drafted_letters(call, published.letters)
    print_site_update(call, published.site)


def _read_deadline(call: game_options.GameCall, text: str) -> datetime | None:
    if text.casefold() in ("none", "nessuna"):
        return None
    found = parse_deadline(text, call.desk.settings["timezone"], call.desk.now())
    game_options.print_deadline_notice(call, found)
    return found.at


def _print_deadlines(call: game_options.GameCall, ahead: int) -> None:
    coming = call.desk.coming_deadlines(ahead) if call.desk.phase is not None else ()
    lines = [game_options.deadline_line(call)]
    if coming:
        table = base.table_lines([_coming_row(call, each) for each in coming])
        lines.append(call.format("desk-deadlines-ahead"))
        lines += [f"  {line.rstrip()}" for line in table]
        lines.append(call.format(f"desk-deadlines-from-{call.desk.settings['next_deadline']}"))
    call.answer({**_deadline_json(call.desk), "ahead": [asdict(each) for each in coming]}, lines)


def _coming_row(call: game_options.GameCall, coming: ComingDeadline) -> tuple[str, ...]:
    zone = call.desk.settings["timezone"]
    note = call.format("desk-deadline-if-dislodged") if coming.if_dislodged else ""
    if coming.latest != coming.deadline and not note:
        latest = format_local(coming.latest, zone, call.sentences)
        note = call.format("desk-deadline-latest", deadline=latest)
    return call.name_phase(coming.phase), format_local(coming.deadline, zone, call.sentences), note


def _deadline_json(desk: Desk) -> dict[str, object]:
    return {"phase": str(desk.phase or ""), "deadline": desk.deadline, "paused": desk.paused}
