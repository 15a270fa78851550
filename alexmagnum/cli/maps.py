"""``map``: show a map, or check one that somebody draws."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from alexmagnum.board import load_board
from alexmagnum.board.describe import Description, describe, rules_table
from alexmagnum.cli.common import lang_option, print_json, style
from alexmagnum.notation import find_province
from alexmagnum.report.words import Words

if TYPE_CHECKING:
    from alexmagnum.board.model import Board

_KIND = {"error": "red", "warning": "yellow"}


@click.group("map")
def map() -> None:  # noqa: A001 - the command's name
    """Show a map, or check one that you draw.

    \b
    Example:
      alexmagnum map show alexmagnum Menfi
    """


@map.command()
@click.argument("name", metavar="MAP")
@click.argument("province", required=False)
@click.option("--rules", is_flag=True, help="The switches of the rules, with their rulings.")
@click.option("--json", "as_json", is_flag=True, help="For machines.")
@lang_option
def show(name: str, province: str | None, rules: bool, as_json: bool, say: Words) -> None:
    """Tell about a map, one of its provinces, or its rules.

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
        _answer([asdict(line) for line in table], [say.say("rules-header"), *lines], as_json)
    elif province:
        about = describe(board, find_province(province, board))
        _answer(asdict(about), list(_about_province(board, about, say)), as_json)
    else:
        _answer(_map_json(board), list(_about_map(board, say)), as_json)


@map.command()
@click.argument("name", metavar="MAP")
@click.option("--json", "as_json", is_flag=True, help="For machines.")
@lang_option
def check(name: str, as_json: bool, say: Words) -> None:
    """Look for faults in a map and its shapes; exit with 1 if there are errors.

    MAP is the path of a map file, or a map's id.  Errors have to be mended before anybody plays
    on the map; warnings are things to look at.  docs/maps.md tells what to do about each.

    \b
    Example:
      alexmagnum map check maps/alexmagnum.json
    """
    from alexmagnum.board.lint import lint

    faults = lint(name)
    errors = sum(fault.severity == "error" for fault in faults)
    lines = [
        style(f"{say.say(f.severity)} ", _KIND[f.severity])
        + f"{f.where}: {say.say(f.code, **f.data)}"
        for f in faults
    ]
    summary = say.say("map-faults", path=name, errors=errors, warnings=len(faults) - errors)
    data = [
        {"severity": f.severity, "where": f.where, "code": f.code, "data": dict(f.data)}
        for f in faults
    ]
    _answer(data, [*lines, summary if faults else say.say("map-good", path=name)], as_json)
    if errors:
        sys.exit(1)


def _answer(data: object, lines: list[str], as_json: bool) -> None:
    if as_json:
        print_json(data)
    else:
        click.echo("\n".join(lines))


def _about_map(board: Board, say: Words) -> Iterator[str]:
    provinces = board.provinces.values()
    seas = sum(p.is_sea for p in provinces)
    yield style(board.name(say.lang), bold=True)
    yield say.say(
        "map-counts",
        provinces=len(board.provinces),
        seas=seas,
        centres=len(board.centres),
        borders=len(board.borders),
        powers=len(board.powers),
    )
    for river in board.rivers:
        yield f"  {river.name(say.lang)}: {' - '.join(river.course)}"
    regions: dict[str, list[str]] = {}
    for province in provinces:
        mark = "*" if province.major else "+" if province.centre else ""
        regions.setdefault(province.region, []).append(
            f"{province.id}{mark} {province.name(say.lang)}"
        )
    for region, listed in regions.items():
        yield ("\n" + style(region, bold=True)) if region else ""
        yield "  " + ", ".join(listed)
    yield "\n" + say.say("map-legend")


def _map_json(board: Board) -> dict[str, object]:
    return {
        "id": board.id,
        "names": dict(board.names),
        "powers": {power.id: dict(power.names) for power in board.powers.values()},
        "provinces": {p.id: dict(p.names) for p in board.provinces.values()},
        "centres": list(board.centres),
        "rules": {line.switch: line.value for line in rules_table(board)},
    }


def _about_province(board: Board, about: Description, say: Words) -> Iterator[str]:
    province = about.province
    others = [name for lang, name in province.names.items() if lang != say.lang]
    yield style(f"{province.id}  {province.name(say.lang)}", bold=True)
    yield _row("map-names", ", ".join(dict.fromkeys([*others, *province.aliases])), say)
    coastal = "coastal" if province.coastal and not province.is_sea else ""
    kinds = (province.terrain, coastal, "major" if province.major else "")
    yield _row("map-kind", ", ".join(say.say(f"terrain-{kind}") for kind in kinds if kind), say)
    if province.centre:
        yield _row("map-centre", say.say(f"centre-{province.centre}"), say)
    if about.home_of:
        yield _row("map-home", board.powers[about.home_of].name(say.lang), say)
    if province.capacity > 1:
        yield _row("map-capacity", str(province.capacity), say)
    yield from _neighbours(board, about, say)
    yield from _waterways(about, say)
    if province.area or province.region:
        yield _row("map-region", ", ".join(filter(None, (province.region, province.area))), say)
    if not province.attested:
        yield say.say("map-not-attested")


def _neighbours(board: Board, about: Description, say: Words) -> Iterator[str]:
    if about.armies:
        yield _row("map-armies", _named(board, about.armies, say), say)
    for location, reached in about.fleets.items():
        if reached:
            coast = f" {location}" if len(about.fleets) > 1 else ""
            yield _row("map-fleets", _named(board, reached, say), say, coast)
    if about.seas and not about.province.is_sea:
        yield _row("map-seas", _named(board, about.seas, say), say)
    if about.shores:
        yield _row("map-shores", _named(board, about.shores, say), say)


def _waterways(about: Description, say: Words) -> Iterator[str]:
    for river in about.rivers:
        way = " - ".join(filter(None, (river.downstream, about.province.id, river.upstream)))
        name = river.names.get(say.lang, river.river)
        place = say.say("map-on-river", river=name, place=river.place, length=river.length)
        yield _row("map-river", f"{place}: {way}", say)
    for portage in about.portages:
        name = portage.names.get(say.lang, portage.portage)
        role = say.say(f"portage-{portage.role}", reaches=", ".join(portage.reaches))
        yield _row("map-portage", f"{name}: {role}", say)
    for strait in about.straits:
        yield _row("map-strait", f"{strait.to} ({strait.over})", say)


def _row(code: str, text: str, say: Words, more: str = "") -> str:
    return f"  {say.say(code) + more:<16} {text}"


def _named(board: Board, locations: tuple[str, ...], say: Words) -> str:
    return ", ".join(f"{at} {board.province_of(at).name(say.lang)}" for at in locations)
