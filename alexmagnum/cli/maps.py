"""The command ``map``: describe a map, draw it, or check it for faults."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from alexmagnum.board import load_board
from alexmagnum.board.describe import Description, describe, rules_table
from alexmagnum.campaign import first_position
from alexmagnum.cli.crops import CropRequest, crop_options, front_option
from alexmagnum.cli.output import lang_option, print_json, style
from alexmagnum.cli.pictures import (
    orders_of_option,
    picture_option,
    position_picture,
    turn_picture,
    write_picture,
)
from alexmagnum.errors import BadFile
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.notation import find_province

if TYPE_CHECKING:
    from alexmagnum.board.geography import Province
    from alexmagnum.board.model import Board
    from alexmagnum.draw import Scene
    from alexmagnum.orders import Order
    from alexmagnum.position import Position

_SEVERITY_COLORS = {"error": "red", "warning": "yellow"}


class _MapCommands(click.Group):
    """The commands of ``map``; the one that opens games is imported when it is needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), "animate"])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name == "animate":
            from alexmagnum.cli.animate import animate

            return animate
        return super().get_command(ctx, cmd_name)


@click.group("map", cls=_MapCommands)
def map() -> None:  # noqa: A001 - the command's name
    """Describe a map, draw pictures of it, or check it for faults.

    \b
    Example:
      alexmagnum map show alexmagnum Menfi
      alexmagnum map draw alexmagnum orders/turn.yaml -o turn.png
    """


@map.command()
@click.argument("name", metavar="MAP")
@click.argument("province", required=False)
@click.option("--rules", is_flag=True, help="The switches of the map's rules, with their rulings.")
@click.option("--json", "as_json", is_flag=True, help="For machines.")
@lang_option
def show(name: str, province: str | None, rules: bool, as_json: bool, sentences: Sentences) -> None:
    """Describe a map, one of its provinces, or its rules.

    MAP is a map's id or the path of a file; PROVINCE an id, a name in any language of the map,
    or an alias.

    \b
    Example:
      alexmagnum map show alexmagnum "Golfo di Suez" --lang it
      alexmagnum map show alexmagnum --rules
    """
    if rules and province:
        raise click.UsageError("--rules is about the whole map: leave the province out.")
    board = load_board(name)
    if rules:
        table = rules_table(board)
        lines = [f"{r.switch:<20} {r.value!s:>6}  {r.ruling:<4} ({r.standard})" for r in table]
        _print_answer(
            [asdict(line) for line in table], [sentences.format("rules-header"), *lines], as_json
        )
    elif province:
        about = describe(board, find_province(province, board))
        _print_answer(asdict(about), list(_province_lines(board, about, sentences)), as_json)
    else:
        _print_answer(_map_json(board), list(_map_lines(board, sentences)), as_json)


@map.command()
@click.argument("name", metavar="MAP")
@click.option("--json", "as_json", is_flag=True, help="For machines.")
@lang_option
def check(name: str, as_json: bool, sentences: Sentences) -> None:
    """Check a map and its shapes for faults; exit with 1 if there are errors.

    MAP is the path of a map file, or a map's id.  Errors must be fixed before anybody plays on the
    map; warnings are worth a look.  docs/maps.md explains how to fix each.

    \b
    Example:
      alexmagnum map check maps/alexmagnum.json
    """
    from alexmagnum.board.lint import lint

    faults = lint(name)
    errors = sum(fault.severity == "error" for fault in faults)
    lines = [
        style(f"{sentences.format(f.severity)} ", _SEVERITY_COLORS[f.severity])
        + f"{f.where}: {sentences.format(f.code, **f.data)}"
        for f in faults
    ]
    summary = sentences.format(
        "map-faults", path=name, errors=errors, warnings=len(faults) - errors
    )
    data = [
        {"severity": f.severity, "where": f.where, "code": f.code, "data": dict(f.data)}
        for f in faults
    ]
    _print_answer(
        data, [*lines, summary if faults else sentences.format("map-good", path=name)], as_json
    )
    if errors:
        sys.exit(1)


@map.command()
@click.argument("name", metavar="MAP")
@click.argument("turn", metavar="[TURN]", required=False, type=click.Path(path_type=Path))
@click.argument("orders", nargs=-1, type=click.Path(path_type=Path))
@picture_option("-o", "--out", required=True)
@crop_options
@front_option
@click.option(
    "--width",
    type=int,
    metavar="PIXELS",
    help="Width of a .png (default: 1600; 1080 for a part of the map).",
)
@click.option(
    "--title",
    default="",
    callback=lambda ctx, param, title: _clean_title(title),
    help="Title above the legend (default: the map's name).",
)
@orders_of_option
@lang_option
def draw(
    name: str,
    turn: Path | None,
    out: Path,
    width: int | None,
    title: str,
    sentences: Sentences,
    **options: Any,
) -> None:
    """Draw a map with the starting position, or with the position or orders of a turn file.

    MAP is a map's id or the path of a file; TURN a turn file (YAML or JSON).  Orders in
    it, or in ORDERS, texts as players write them, are resolved and drawn as arrows; without orders
    only the position is drawn.  A map without shapes is drawn from its borders.

    --around, --for and --region draw a part of the map larger, with names, arrows and
    legend placed for it.  An order that leads out of it ends at a tag with the name of the place.
    The narrower the picture, the larger are its names and units: with --width 720 it can be
    read on a telephone.

    \b
    Example:
      alexmagnum map draw alexmagnum -o board.pdf
      alexmagnum map draw alexmagnum turn.yaml orders/*.txt -o turn.png --width 4800
      alexmagnum map draw alexmagnum turn.yaml -o aegean.png --around EGE,ICA
      alexmagnum map draw alexmagnum turn.yaml -o front.png --for LIS --width 720
      alexmagnum map draw alexmagnum -o greece.svg --region Grecia
      alexmagnum map draw alexmagnum turn.yaml -o tolomeo.svg --orders-of TOL
    """
    orders_of: tuple[str, ...] = options["orders_of"]
    if orders_of and turn is None:
        raise click.UsageError("--orders-of draws orders: name the turn file that has them.")
    part = CropRequest.of(options, width)
    if turn is None:
        position = first_position(load_board(name))
        scene = position_picture(position, sentences, title=title, part=part)
    else:
        read = _read_turn(name, turn, options["orders"], sentences)
        scene = _turn_scene(read, title, orders_of, part, sentences)
    write_picture(out, scene, width, private=bool(orders_of))
    click.echo(sentences.format("desk-written", path=out))


def _clean_title(text: str) -> str:
    """Return a title without line ends, control characters and broken letters.

    No picture can show them.
    """
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _read_turn(
    name: str, path: Path, files: tuple[Path, ...], sentences: Sentences
) -> tuple[Position, Mapping[str, Sequence[Order]]]:
    """Return the position and the orders of a turn file and of files of orders.

    Lines that are no orders are named on the standard error.

    Raises:
        BadFile: the turn file is for another map.
    """
    from alexmagnum.cases.case_files import read_turn
    from alexmagnum.cases.resolution import resolve_turn
    from alexmagnum.cli.turn_files import read_turn_orders
    from alexmagnum.report.turn_report import list_mistakes

    board, read = load_board(name), read_turn(path, name)
    turn = resolve_turn(read)
    other = turn.position.board.id
    if other != board.id:
        raise BadFile(str(path), "turn-of-other-map", map=board.id, other=other)
    if not files:
        return turn.position, turn.orders
    position, lines, orders = read_turn_orders(read, files)
    for mistake in list_mistakes(lines, board, sentences):
        click.echo(f"{mistake.power}: {mistake.text}\n    {mistake.why}", err=True)
    return position, orders


def _turn_scene(
    read: tuple[Position, Mapping[str, Sequence[Order]]],
    title: str,
    orders_of: tuple[str, ...],
    part: CropRequest | None,
    sentences: Sentences,
) -> Scene:
    """Return the picture of a turn; of its position alone if it has no orders."""
    position, orders = read
    if not (any(orders.values()) or orders_of):
        return position_picture(position, sentences, title=title, part=part)
    return turn_picture(position, orders, sentences, title=title, orders_of=orders_of, part=part)


def _print_answer(data: object, lines: list[str], as_json: bool) -> None:
    if as_json:
        print_json(data)
    else:
        click.echo("\n".join(lines))


def _map_lines(board: Board, sentences: Sentences) -> Iterator[str]:
    provinces = board.provinces.values()
    seas = sum(p.is_sea for p in provinces)
    yield style(board.name(sentences.lang), bold=True)
    yield sentences.format(
        "map-counts",
        provinces=len(board.provinces),
        seas=seas,
        centres=len(board.centres),
        borders=len(board.borders),
        powers=len(board.powers),
    )
    for river in board.rivers:
        yield f"  {river.name(sentences.lang)}: {' - '.join(river.course)}"
    regions: dict[str, list[str]] = {}
    for province in provinces:
        mark = "*" if province.major else "+" if province.centre else ""
        regions.setdefault(province.region, []).append(
            f"{province.id}{mark} {province.name(sentences.lang)}"
        )
    for region, listed in regions.items():
        yield ("\n" + style(region, bold=True)) if region else ""
        yield "  " + ", ".join(listed)
    yield "\n" + sentences.format("map-legend")


def _map_json(board: Board) -> dict[str, object]:
    return {
        "id": board.id,
        "names": dict(board.names),
        "powers": {power.id: dict(power.names) for power in board.powers.values()},
        "provinces": {p.id: dict(p.names) for p in board.provinces.values()},
        "centres": list(board.centres),
        "rules": {line.switch: line.value for line in rules_table(board)},
    }


def _province_lines(board: Board, about: Description, sentences: Sentences) -> Iterator[str]:
    province = about.province
    yield from _name_and_kind_lines(province, sentences)
    if province.centre:
        yield _row("map-centre", sentences.format(f"centre-{province.centre}"), sentences)
    if about.home_of:
        yield _row("map-home", board.powers[about.home_of].name(sentences.lang), sentences)
    if province.capacity > 1:
        yield _row("map-capacity", str(province.capacity), sentences)
    yield from _neighbour_lines(board, about, sentences)
    yield from _waterway_lines(about, sentences)
    if province.area or province.region:
        yield _row(
            "map-region", ", ".join(filter(None, (province.region, province.area))), sentences
        )
    if not province.attested:
        yield sentences.format("map-not-attested")


def _name_and_kind_lines(province: Province, sentences: Sentences) -> Iterator[str]:
    yield style(f"{province.id}  {province.name(sentences.lang)}", bold=True)
    others = [name for lang, name in province.names.items() if lang != sentences.lang]
    yield _row("map-names", ", ".join(dict.fromkeys([*others, *province.aliases])), sentences)
    kinds = [province.terrain]
    if province.coastal and not province.is_sea:
        kinds.append("coastal")
    if province.major:
        kinds.append("major")
    names = ", ".join(sentences.format(f"terrain-{kind}") for kind in kinds if kind)
    yield _row("map-kind", names, sentences)


def _neighbour_lines(board: Board, about: Description, sentences: Sentences) -> Iterator[str]:
    if about.armies:
        yield _row("map-armies", _location_names(board, about.armies, sentences), sentences)
    for location, reached in about.fleets.items():
        if reached:
            coast = f" {location}" if len(about.fleets) > 1 else ""
            yield _row("map-fleets", _location_names(board, reached, sentences), sentences, coast)
    if about.seas and not about.province.is_sea:
        yield _row("map-seas", _location_names(board, about.seas, sentences), sentences)
    if about.shores:
        yield _row("map-shores", _location_names(board, about.shores, sentences), sentences)


def _waterway_lines(about: Description, sentences: Sentences) -> Iterator[str]:
    for river in about.rivers:
        way = " - ".join(filter(None, (river.downstream, about.province.id, river.upstream)))
        name = river.names.get(sentences.lang, river.river)
        place = sentences.format("map-on-river", river=name, place=river.place, length=river.length)
        yield _row("map-river", f"{place}: {way}", sentences)
    for portage in about.portages:
        name = portage.names.get(sentences.lang, portage.portage)
        role = sentences.format(f"portage-{portage.role}", reaches=", ".join(portage.reaches))
        yield _row("map-portage", f"{name}: {role}", sentences)
    for strait in about.straits:
        yield _row("map-strait", f"{strait.to} ({strait.over})", sentences)


def _row(code: str, text: str, sentences: Sentences, more: str = "") -> str:
    return f"  {sentences.format(code) + more:<16} {text}"


def _location_names(board: Board, locations: tuple[str, ...], sentences: Sentences) -> str:
    return ", ".join(f"{at} {board.province_of(at).name(sentences.lang)}" for at in locations)
