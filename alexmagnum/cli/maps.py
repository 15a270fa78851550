"""The commands ``map`` and ``sandbox``: a map described, drawn, animated or checked."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from alexmagnum.board import load_board
from alexmagnum.board.describe import Description, describe, rules_table
from alexmagnum.board.map_file import known_maps
from alexmagnum.board.model import Board
from alexmagnum.campaign import first_position
from alexmagnum.cli import Command, Group
from alexmagnum.cli import pictures as cli_pictures
from alexmagnum.cli.base import PATH, Call, ProgressBar, style
from alexmagnum.cli.game_options import open_game
from alexmagnum.errors import AlexMagnumError, BadFile, BadPicture
from alexmagnum.files import is_file, write_whole
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.notation import find_province, read_order
from alexmagnum.notation.sections import read_phase
from alexmagnum.orders import Order
from alexmagnum.position import Position
from alexmagnum.report import sandbox as sandboxes
from alexmagnum.report.sheet import SharedTable, find_fragment, read_fragment, read_table_text

if TYPE_CHECKING:
    from alexmagnum.judge.outcome import Outcome


# The command ``map``: describe a map, draw it, or check it for faults.


@click.group("map", cls=Group)
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
def show(call: Call, name: str, province: str | None, rules: bool) -> None:
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
        call.answer([asdict(line) for line in table], [call.format("rules-header"), *lines])
    elif province:
        about = describe(board, find_province(province, board))
        call.answer(asdict(about), _province_lines(board, about, call.sentences))
    else:
        call.answer(_map_json(board), _map_lines(board, call.sentences))


@map.command()
@click.argument("name", metavar="MAP")
def check(call: Call, name: str) -> None:
    """Check a map and its shapes for faults; exit with 1 if there are errors.

    MAP is the path of a map file, or a map's id.  Errors must be fixed before anybody plays on the
    map; warnings are worth a look.  docs/maps.md explains how to fix each.

    \b
    Example:
      alexmagnum map check maps/alexmagnum.json
    """
    from alexmagnum.board.map_check import check_map

    faults = check_map(name)
    errors = sum(fault.severity == "error" for fault in faults)
    lines = [
        style(f"{call.format(f.severity)} ", "red" if f.severity == "error" else "yellow")
        + f"{f.where}: {call.format(f.code, **f.data)}"
        for f in faults
    ]
    counts = {"errors": errors, "warnings": len(faults) - errors}
    code = "map-faults" if faults else "map-good"
    data = [
        {"severity": f.severity, "where": f.where, "code": f.code, "data": dict(f.data)}
        for f in faults
    ]
    call.answer(data, [*lines, call.format(code, path=name, **counts)])
    if errors:
        sys.exit(1)


@map.command(json=False)
@click.argument("name", metavar="MAP")
@click.argument("turn", metavar="[TURN]", required=False, type=PATH)
@click.argument("orders", nargs=-1, type=PATH)
@cli_pictures.picture_option("-o", "--out", required=True)
@cli_pictures.crop_options
@cli_pictures.front_option
@click.option(
    "--width",
    type=int,
    metavar="PIXELS",
    help="Width of a .png (default: 1600; 1080 for a part of the map).",
)
@click.option(
    "--title",
    default="",
    # No picture can show line ends, control characters and broken letters.
    callback=lambda ctx, param, title: " ".join(
        "".join(letter if letter.isprintable() else " " for letter in title).split()
    ),
    help="Title above the legend (default: the map's name).",
)
@cli_pictures.orders_of_option
def draw(
    call: Call,
    name: str,
    turn: Path | None,
    out: Path,
    width: int | None,
    title: str,
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
    part = cli_pictures.CropRequest.of(options, width)
    orders: Mapping[str, Sequence[Order]] = {}
    if turn is None:
        position = first_position(load_board(name))
    else:
        position, orders = _read_turn(name, turn, options["orders"], call.sentences)
    if any(orders.values()) or orders_of:
        scene = cli_pictures.turn_picture(
            position, orders, call.sentences, title=title, orders_of=orders_of, part=part
        )
    else:
        scene = cli_pictures.position_picture(position, call.sentences, title=title, part=part)
    cli_pictures.write_picture(out, scene, width, private=bool(orders_of))
    click.echo(call.format("desk-written", path=out))


def _read_turn(
    name: str, path: Path, files: tuple[Path, ...], sentences: Sentences
) -> tuple[Position, Mapping[str, Sequence[Order]]]:
    """Return a turn file's position and all orders; name lines that are none on standard error."""
    from alexmagnum.cases.files import resolve_turn
    from alexmagnum.cli.turns import read_any_turn, read_turn_orders
    from alexmagnum.report.results import list_mistakes

    board, read = load_board(name), read_any_turn(path, name).turn
    turn = resolve_turn(read)
    if (other := turn.position.board.id) != board.id:
        raise BadFile(str(path), "turn-of-other-map", map=board.id, other=other)
    if not files:
        return turn.position, turn.orders
    position, lines, orders = read_turn_orders(read, files)
    for mistake in list_mistakes(lines, board, sentences):
        click.echo(f"{mistake.power}: {mistake.text}\n    {mistake.why}", err=True)
    return position, orders


def _map_lines(board: Board, sentences: Sentences) -> Iterator[str]:
    provinces = board.provinces.values()
    yield style(board.name(sentences.lang), bold=True)
    yield sentences.format(
        "map-counts",
        provinces=len(board.provinces),
        seas=sum(p.is_sea for p in provinces),
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
    yield style(f"{province.id}  {province.name(sentences.lang)}", bold=True)
    others = [name for lang, name in province.names.items() if lang != sentences.lang]
    yield _row("map-names", ", ".join(dict.fromkeys([*others, *province.aliases])), sentences)
    kinds = [
        province.terrain,
        "coastal" if province.coastal and not province.is_sea else "",
        "major" if province.major else "",
    ]
    names = ", ".join(sentences.format(f"terrain-{kind}") for kind in kinds if kind)
    yield _row("map-kind", names, sentences)
    if province.centre:
        yield _row("map-centre", sentences.format(f"centre-{province.centre}"), sentences)
    if about.home_of:
        yield _row("map-home", board.powers[about.home_of].name(sentences.lang), sentences)
    if province.capacity > 1:
        yield _row("map-capacity", str(province.capacity), sentences)
    yield from _neighbour_lines(board, about, sentences)
    yield from _waterway_lines(about, sentences)
    if province.area or province.region:
        places = ", ".join(filter(None, (province.region, province.area)))
        yield _row("map-region", places, sentences)
    if not province.attested:
        yield sentences.format("map-not-attested")


def _neighbour_lines(board: Board, about: Description, sentences: Sentences) -> Iterator[str]:
    fleets = [
        ("map-fleets", reached, f" {location}" if len(about.fleets) > 1 else "")
        for location, reached in about.fleets.items()
    ]
    for code, places, coast in (
        ("map-armies", about.armies, ""),
        *fleets,
        ("map-seas", () if about.province.is_sea else about.seas, ""),
        ("map-shores", about.shores, ""),
    ):
        if places:
            names = [f"{at} {board.province_of(at).name(sentences.lang)}" for at in places]
            yield _row(code, ", ".join(names), sentences, coast)


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


# The command ``map animate``: a game as an animated picture.


_Step = TypeVar("_Step")


@map.command(json=False)
@click.argument("game", type=PATH)
@click.option(
    "-o",
    "--out",
    required=True,
    type=PATH,
    metavar="FILE",
    help="Where the animation goes: a file that ends in .webp or .gif.",
)
@click.option("--from", "first", default="", metavar="PHASE", help="The first phase to show.")
@click.option("--to", "last", default="", metavar="PHASE", help="The last phase to show.")
@click.option(
    "--seconds",
    type=click.FloatRange(0.1, 60),
    default=1.5,
    show_default=True,
    help="How long each phase stays.",
)
@click.option(
    "--width",
    type=click.IntRange(200, 2400),
    default=1000,
    show_default=True,
    help="Width in pixels, if 4 MB are enough for it.",
)
def animate(
    call: Call, game: Path, out: Path, first: str, last: str, seconds: float, width: int
) -> None:
    """Play a game as an animated picture: a frame for each phase, with its orders and results.

    GAME is the folder of a game, or one of turn files, such as 'play --out' writes.  Only what
    everybody may see is shown, and nothing of the open phase.  The file has at most 4 MB, so that
    it can be mailed: a long game is drawn smaller.

    \b
    Example:
      alexmagnum map animate my-game -o game.webp
      alexmagnum map animate my-game -o war.gif --from 320-spring --to 318-winter --seconds 2
    """
    from alexmagnum.draw.animation import GIF, WEBP, join_frames, render_frames
    from alexmagnum.report.formats import draw_frames, select_phases

    if out.suffix.lower() not in (WEBP, GIF):
        raise BadPicture("animation-ending", path=str(out), known=f"{WEBP}, {GIF}")
    title, outcomes, sentences = _read_game(call, game)
    chosen = select_phases(
        outcomes, read_phase(first) if first else "", read_phase(last) if last else ""
    )
    bar = ProgressBar("progress-frames", sentences)
    count = len(chosen) + 1
    # A quarter of the work is done when the frames are drawn, nine tenths when they are pixels.
    frames = list(_shown(bar, 0.0, 0.25, draw_frames(chosen, title, sentences), count))
    pictures = list(_shown(bar, 0.25, 0.9, render_frames(frames, width), count))
    data = join_frames(pictures, out.suffix.lower(), seconds)
    bar.show(1.0)
    write_whole(out, data)
    about = {"frames": len(frames), "kilobytes": len(data) // 1000}
    click.echo(sentences.format("animation-written", path=out, **about))


def _read_game(call: Call, folder: Path) -> tuple[str, Sequence[Outcome], Sentences]:
    from alexmagnum.cases.files import read_turn, resolve_turn
    from alexmagnum.game.phases import list_processed_phases
    from alexmagnum.judge import adjudicate
    from alexmagnum.report.context import disclose_outcome

    if (files := sorted(folder.glob("*.yaml"))) and not (folder / "game.db").exists():
        turns = [resolve_turn(read_turn(file)) for file in files]
        title = turns[0].position.board.name(call.sentences.lang)
        return title, [adjudicate(turn.position, turn.orders) for turn in turns], call.sentences
    with open_game(call, folder) as opened:
        desk = opened.desk
        done = [desk.processed(phase).outcome for phase in list_processed_phases(desk)]
        return desk.name, [disclose_outcome(each, None) for each in done], opened.sentences


def _shown(
    bar: ProgressBar, first: float, last: float, steps: Iterable[_Step], count: int
) -> Iterator[_Step]:
    for i, step in enumerate(steps, 1):
        bar.show(first + (last - first) * i / count)
        yield step


# ``sandbox``: a page on which anybody sets up, orders and judges any position, offline.


@click.command(cls=Command, json=False)
@click.argument("maps", nargs=-1, metavar="[MAP]...")
@click.option("-o", "--out", type=PATH, required=True, help="The file (.html).")
@click.option(
    "--from",
    "start",
    metavar="POSITION",
    help="Open with this: a turn file, a saved report, the text of a position, or a link.",
)
@click.option("--learn", is_flag=True, help="Instead, lessons for newcomers, in both languages.")
def sandbox(
    call: Call, maps: tuple[str, ...], out: Path, start: str | None, *, learn: bool
) -> None:
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
      alexmagnum sandbox --learn -o learn.html
    """
    if out.suffix.lower() not in (".html", ".htm"):
        raise click.UsageError(f"--out names a file that ends in .html, not {out.name}")
    if learn:
        if maps or start:
            raise click.UsageError("--learn has its own map and positions")
        for name, page in sandboxes.render_lesson_pages(out.name, call.sentences):
            write_whole(out.with_name(name), page)
            click.echo(call.format("desk-written", path=out.with_name(name)))
        return
    boards = {board.id: board for board in [load_board(name) for name in maps]}
    opened = [_read_start(start, boards, maps)] if start else []
    if not boards and not opened:
        boards = {name: load_board(name) for name in known_maps()}
    shown = {table.position.board.id for table in opened}
    others = [sandboxes.example_table(b) for b in boards.values() if b.id not in shown]
    write_whole(out, sandboxes.render_sandbox((*opened, *others), call.sentences))
    click.echo(call.format("desk-written", path=out))


def _read_start(
    start: str, boards: Mapping[str, Board], maps: Sequence[str]
) -> sandboxes.SandboxTable:
    """Return the position, and the orders if there are any, of ``--from``."""
    if fragment := find_fragment(start):
        return _read_shared(read_fragment(fragment), boards)
    if is_file(path := Path(start)):
        from alexmagnum.cli.turns import read_any_turn, read_turn_orders  # loads the cases

        read = read_turn_orders(read_any_turn(path, maps[0] if len(maps) == 1 else None).turn)
        _check_map(read.position.board.id, boards, str(path))
        return sandboxes.SandboxTable(read.position, read.orders)
    if len(start.split()) < 2:
        raise BadFile(start, "start-no-position")
    try:
        shared = read_table_text(start)
    except AlexMagnumError:
        shared = SharedTable(start, {})  # its own error says more
    return _read_shared(shared, boards)


def _read_shared(shared: SharedTable, boards: Mapping[str, Board]) -> sandboxes.SandboxTable:
    map_id = shared.position.split("[")[0].split(" ")[0]
    _check_map(map_id, boards, "--from")
    position = Position.from_text(shared.position, boards.get(map_id))
    for power in shared.orders:
        position.units_of(power)  # refuses a word that names no power
    orders = {
        power: [read_order(text, position, power) for text in texts]
        for power, texts in shared.orders.items()
    }
    return sandboxes.SandboxTable(position, orders)


def _check_map(map_id: str, boards: Mapping[str, Board], source: str) -> None:
    """Refuse a position on a map that is not among those asked for, if any were."""
    if boards and map_id not in boards:
        raise BadFile(source, "start-other-map", other=map_id, maps=", ".join(boards))
