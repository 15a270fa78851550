"""``sheet``: pages on which players tap their orders together, of a game or of a turn file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from alexmagnum.cases.case_files import read_turn
from alexmagnum.cases.resolution import resolve_turn
from alexmagnum.cli.game_options import (
    PATH,
    game_lang_option,
    game_option,
    json_option,
    opened_desk,
    power_id,
    prose_language,
    refusals,
)
from alexmagnum.cli.output import print_json
from alexmagnum.errors import GameError
from alexmagnum.files import write_whole
from alexmagnum.game.required_orders import find_required_orders
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.position import Phase
from alexmagnum.report.order_sheet import SheetHeading, render_order_sheet
from alexmagnum.workflow.sheets import sheets_folder, sheets_of

Pages = Mapping[str, tuple[str, str]]
"""By power, the name of the file and the page."""


@click.command()
@click.argument("powers", nargs=-1, metavar="[POWER]...")
@click.option("--turn", type=PATH, metavar="TURN", help="A turn file instead of a game.")
@click.option("--map", "map_id", metavar="ID", help="Map, if the turn file names none.")
@click.option("-o", "--out", type=PATH, help="Folder, or for one power a file that ends in .html.")
@game_option
@json_option
@game_lang_option
def sheet(
    powers: tuple[str, ...],
    turn: Path | None,
    map_id: str | None,
    out: Path | None,
    folder: Path | None,
    as_json: bool,
    lang: str | None,
) -> None:
    """Write order sheets for the open phase, or for that of a turn file.

    A sheet is a page that a player opens offline: he taps his units on the map and what they do,
    only what is legal is offered, and the text of his orders comes out, to be copied or mailed.
    Nothing secret is in it.  Without POWER there is one for each power that owes anything, in
    its player's language; --lang sets another.  They go into sheets/PHASE of the game, those of a
    turn file into the folder stood in.

    \b
    Example:
      alexmagnum sheet TOL --out tolomeo.html
    """
    if turn is not None:
        sentences = prose_language(lang)
        with refusals(sentences.lang):
            pages, phase = _of_turn(turn, map_id, powers, sentences)
            files = _write(pages, out or Path(), out)
    else:
        with opened_desk(folder, lang) as (desk, sentences):
            if desk.phase is None:
                raise GameError("game-is-over")
            asked = [power_id(power, desk.board) for power in powers]
            pages, phase = sheets_of(desk, asked, lang), desk.phase
            files = _write(pages, out or sheets_folder(desk, str(phase)), out)
    _tell(files, phase, sentences, as_json)


def _of_turn(
    path: Path, map_id: str | None, powers: Sequence[str], sentences: Sentences
) -> tuple[Pages, Phase]:
    """The pages for a turn file; the orders in it are left aside."""
    turn = read_turn(path, map_id)
    position = turn.position if turn.position is not None else resolve_turn(turn).position
    board = position.board
    asked = [power_id(power, board) for power in powers] or list(find_required_orders(position))
    occasion = SheetHeading(board.name(sentences.lang))
    pages = {
        power: (
            f"{power}.{sentences.lang}.html",
            render_order_sheet(position, power, sentences, occasion),
        )
        for power in asked
    }
    return pages, position.phase


def _write(pages: Pages, folder: Path, asked: Path | None) -> Mapping[str, Path]:
    """Write the pages into a folder, or into the one file that was asked for."""
    if asked is not None and asked.suffix.lower() in (".html", ".htm"):
        if len(pages) != 1:
            raise click.UsageError("Several sheets need a folder, not a file.")
        files = dict.fromkeys(pages, asked)
    else:
        files = {power: folder / name for power, (name, _) in pages.items()}
    for power, (_, page) in pages.items():
        write_whole(files[power], page, private=True)
    return files


def _tell(files: Mapping[str, Path], phase: Phase, sentences: Sentences, as_json: bool) -> None:
    if as_json:
        listed = {power: str(path) for power, path in files.items()}
        print_json({"phase": str(phase), "sheets": listed})
        return
    for path in files.values():
        click.echo(sentences.format("desk-written", path=path))
    if not files:
        click.echo(sentences.format("desk-no-sheets"))
