"""``sheet``: pages on which players tap their orders together, of a game or of a turn file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from alexmagnum.cli.arguments import read_power
from alexmagnum.cli.game_options import (
    PATH,
    game_lang_option,
    game_option,
    json_option,
    opened_desk,
    prose_language,
    refusals,
)
from alexmagnum.cli.output import print_json
from alexmagnum.files import write_whole
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.position import Phase
from alexmagnum.workflow.materials import Materials, Sheet
from alexmagnum.workflow.sheets import compose_sheets, compose_turn_sheets, sheets_folder


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
        sentences = prose_language(lang)
        with refusals(sentences.lang):
            sheets, phase = compose_turn_sheets(turn, map_id, powers, sentences)
            files = _write(sheets, out or Path(), out)
    else:
        with opened_desk(folder, lang) as (desk, sentences):
            asked = [read_power(power, desk.board) for power in powers]
            sheets = compose_sheets(Materials(desk), asked, lang)
            phase = desk.position.phase
            files = _write(sheets, out or sheets_folder(desk, str(phase)), out)
    _print_files(files, phase, sentences, as_json)


def _write(sheets: Sequence[Sheet], folder: Path, out: Path | None) -> Mapping[str, Path]:
    """Write sheets into a folder, or one into the file named by ``--out``; return the files by
    power."""
    if out is not None and out.suffix.lower() in (".html", ".htm"):
        if len(sheets) != 1:
            raise click.UsageError("Several sheets need a folder, not a file.")
        files = {sheets[0].power: out}
    else:
        files = {sheet.power: folder / sheet.file for sheet in sheets}
    for sheet in sheets:
        write_whole(files[sheet.power], sheet.page, private=True)
    return files


def _print_files(
    files: Mapping[str, Path], phase: Phase, sentences: Sentences, as_json: bool
) -> None:
    if as_json:
        listed = {power: str(path) for power, path in files.items()}
        print_json({"phase": str(phase), "sheets": listed})
        return
    for path in files.values():
        click.echo(sentences.format("desk-written", path=path))
    if not files:
        click.echo(sentences.format("desk-no-sheets"))
