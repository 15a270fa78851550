"""``sandbox``: a page on which anybody sets up, orders and judges any position, offline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from alexmagnum.board import load_board
from alexmagnum.board.load import known_maps
from alexmagnum.board.model import Board
from alexmagnum.campaign import first_position
from alexmagnum.cli.output import lang_option
from alexmagnum.errors import AlexMagnumError, BadFile
from alexmagnum.files import write_whole
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.notation import read_order
from alexmagnum.orders import Order
from alexmagnum.position import Position
from alexmagnum.report.position_link import (
    SharedTable,
    find_fragment,
    read_fragment,
    read_table_text,
)
from alexmagnum.report.sandbox_page import SandboxTable, render_sandbox


@click.command()
@click.argument("maps", nargs=-1, metavar="[MAP]...")
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), required=True, help="The file (.html)."
)
@click.option(
    "--from",
    "start",
    metavar="POSITION",
    help="Open with this: a turn file, a saved report, the text of a position, or a link.",
)
@lang_option
def sandbox(maps: tuple[str, ...], out: Path, start: str | None, sentences: Sentences) -> None:
    """Write a page to play on: any position set up by taps, ordered, judged, shared by a link.

    MAP is a map's id or the path of a file; the page lets people choose among several.  Without
    MAP the page has the maps that come with the package, or that of the position in --from.  The
    page is one file that needs no network; what people do on it stays on their device.

    \b
    Example:
      alexmagnum sandbox -o sandbox.html
      alexmagnum sandbox standard -o standard.html --lang it
      alexmagnum sandbox maps/my-map.json -o mine.html
      alexmagnum sandbox --from orders/turn.yaml -o turn.html
      alexmagnum sandbox --from "standard 1901-spring Austria:AVIE Italy:AVEN" -o alps.html
    """
    if out.suffix.lower() not in (".html", ".htm"):
        raise click.UsageError(f"--out names a file that ends in .html, not {out.name}")
    boards = {board.id: board for board in map(load_board, maps)}
    opened = _read_start(start, boards, maps) if start else None
    tables = _list_tables(boards, opened)
    write_whole(out, render_sandbox(tables, sentences))
    click.echo(sentences.format("desk-written", path=out))


def _list_tables(
    boards: Mapping[str, Board], opened: SandboxTable | None
) -> tuple[SandboxTable, ...]:
    """Return the tables of a page; the one that was asked for comes first."""
    if not boards and opened is None:
        boards = {name: load_board(name) for name in known_maps()}
    others = [
        SandboxTable(first_position(board))
        for board in boards.values()
        if opened is None or board.id != opened.position.board.id
    ]
    return (opened, *others) if opened is not None else tuple(others)


def _read_start(start: str, boards: Mapping[str, Board], maps: Sequence[str]) -> SandboxTable:
    """Return the position, and the orders if there are any, of ``--from``.

    Raises:
        AlexMagnumError: it is none, or on a map that was not asked for.
    """
    fragment = find_fragment(start)
    if fragment:
        return _read_shared(read_fragment(fragment), boards, "--from")
    path = Path(start)
    if _is_file(path):
        from alexmagnum.cli.turn_files import read_any_turn, read_turn_orders  # loads the cases

        read = read_turn_orders(read_any_turn(path, maps[0] if len(maps) == 1 else None).turn)
        _check_map(read.position.board.id, boards, str(path))
        return SandboxTable(read.position, read.orders)
    if len(start.split()) < 2:
        raise BadFile(start, "start-no-position")
    try:
        shared = read_table_text(start)
    except AlexMagnumError:
        shared = SharedTable(start, {})  # its own error says more
    return _read_shared(shared, boards, "--from")


def _is_file(path: Path) -> bool:
    """Tell whether a text is the path of a file; a long text is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _read_shared(shared: SharedTable, boards: Mapping[str, Board], source: str) -> SandboxTable:
    """Return the position and the orders of a text or a link."""
    map_id = shared.position.split("[")[0].split(" ")[0]
    _check_map(map_id, boards, source)
    position = Position.from_text(shared.position, boards.get(map_id))
    return SandboxTable(position, _read_listed(shared.orders, position))


def _read_listed(
    listed: Mapping[str, Sequence[str]], position: Position
) -> Mapping[str, Sequence[Order]]:
    """Return the orders of a link.

    Raises:
        AlexMagnumError: a power or an order is not possible on the map of the position.
    """
    for power in listed:
        position.units_of(power)  # refuses a word that names no power
    return {
        power: [read_order(text, position, power) for text in texts]
        for power, texts in listed.items()
    }


def _check_map(map_id: str, boards: Mapping[str, Board], source: str) -> None:
    """Refuse a position on a map that is not among those asked for, if any were."""
    if boards and map_id not in boards:
        raise BadFile(source, "start-other-map", other=map_id, maps=", ".join(boards))
