"""The check for people who draw maps: everything that loading checks, and likely slips.

Loading refuses what cannot be played.  This check also finds what can be played but was probably
not meant.  Findings are :class:`~alexmagnum.errors.Fault` values.  Mend errors before anybody
plays on the map; look at warnings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from alexmagnum.board.geography import ARMY, FLEET, ISLAND, Border, Province, split_location
from alexmagnum.board.geometry import read_shapes
from alexmagnum.board.lint_names import name_faults
from alexmagnum.board.lint_shapes import border_pairs, list_portage_ends, shape_faults
from alexmagnum.board.load import check_map, find_map, load_board, maps_folder, read_json
from alexmagnum.board.model import Board
from alexmagnum.errors import BadMap, Fault

if TYPE_CHECKING:
    import networkx as nx


def load_sound_board(id_or_path: str | Path) -> Board:
    """Load a map to play on; one that does not come with the package is checked as a whole.

    Raises:
        BadFile: there is no such map, or it cannot be read.
        BadMap: it has errors: those that :func:`lint` returns.
    """
    path = find_map(id_or_path)
    if path.parent != maps_folder():
        errors = tuple(fault for fault in lint(path) if fault.severity == "error")
        if errors:
            raise BadMap("bad-map", str(id_or_path), errors)
    return load_board(id_or_path)


def lint(id_or_path: str | Path) -> tuple[Fault, ...]:
    """Return all findings about a map and its shapes, errors first; none for a flawless map.

    If loading already finds errors, nothing else is checked: it would only repeat them.

    Raises:
        BadFile: the map, or its file of shapes, cannot be read or is not JSON.
    """
    path = find_map(id_or_path)
    board, faults = check_map(path)
    if not any(fault.severity == "error" for fault in faults):
        faults += (*_check_map(board), *_check_drawing(board, read_json(path), path))
    return tuple(sorted(faults, key=lambda fault: fault.severity != "error"))


def _check_map(board: Board) -> Iterator[Fault]:
    yield from name_faults(board)
    for province in board.provinces.values():
        yield from _check_province(board, province)
    yield from _check_coasts(board)
    yield from _check_fleet_borders(board)
    yield from _check_army_borders(board)
    yield from _check_rivers(board)
    yield from _check_raiders(board)
    yield from _check_centres(board)
    yield from _check_powers(board)


def _check_drawing(board: Board, raw: object, path: Path) -> Iterator[Fault]:
    """Yield the findings about the shapes, if the map has any."""
    named = raw.get("geometry") if isinstance(raw, dict) else None
    if board.geometry:
        shapes, faults = read_shapes(read_json(Path(board.geometry)))
        yield from faults
        yield from shape_faults(board, shapes)
        return
    if named:
        yield Fault("geometry", "shapes-file-missing", {"file": str(named)}, "warning")
    pairs = border_pairs(board)  # without shapes only borders can tell what touches
    for portage, end in list_portage_ends(board):
        if tuple(sorted((portage.over, end))) not in pairs:
            data = {"province": end, "over": portage.over}
            yield Fault(f"portages.{portage.id}.ends", "portage-end-apart", data, "warning")


def _check_province(board: Board, province: Province) -> Iterator[Fault]:
    """Compare the coasts and the borders of one province."""
    where = f"provinces.{province.id}"
    data = {"province": province.id}
    borders = [
        b for b in board.borders if province.id in (split_location(b.a)[0], split_location(b.b)[0])
    ]
    if not borders:
        yield Fault(where, "no-borders", data)
    if province.terrain == ISLAND:
        yield from _check_island(province, borders)
    if borders and not province.is_sea:
        yield from _check_shore(board, province, borders)


def _check_island(province: Province, borders: Iterable[Border]) -> Iterator[Fault]:
    where = f"provinces.{province.id}"
    data = {"province": province.id}
    if not province.coastal:
        yield Fault(f"{where}.coastal", "island-not-coastal", data)
    if any(border.kind != FLEET for border in borders):
        yield Fault(where, "army-border-on-island", data)


def _check_shore(board: Board, province: Province, borders: Iterable[Border]) -> Iterator[Fault]:
    where = f"provinces.{province.id}"
    data = {"province": province.id}
    ends = {end for b in borders if b.kind != ARMY for end in (b.a, b.b)}
    at_sea = any(board.province_of(end).is_sea for end in ends)
    if province.coastal and not at_sea:
        yield Fault(f"{where}.coastal", "coastal-without-sea", data)
    if at_sea and not province.coastal:
        yield Fault(f"{where}.coastal", "sea-border-inland", data)


def _check_coasts(board: Board) -> Iterator[Fault]:
    """Yield coasts without a sea, and coast codes that no province uses."""
    used = {coast for province in board.provinces.values() for coast in province.coasts}
    for code in board.coasts:
        if code not in used:
            yield Fault(f"coasts.{code}", "coast-unused", {"coast": code}, "warning")
    for province in board.provinces.values():
        for coast in province.coasts:
            location = f"{province.id}/{coast}"
            if not _seas_beside(board, location):
                where = f"provinces.{province.id}.coasts"
                yield Fault(where, "coast-without-sea", {"location": location})


def _seas_beside(board: Board, location: str) -> set[str]:
    """Return the seas beside a location."""
    return {there for there in board.fleet_graph[location] if board.province_of(there).is_sea}


def _check_fleet_borders(board: Board) -> Iterator[Fault]:
    """Yield fleet borders between land locations without a common sea or river."""
    exempt = {frozenset(step) for river in board.rivers for step in pairwise(river.course)}
    exempt |= {frozenset(strait.between) for strait in board.straits}
    for i, border in enumerate(board.borders):
        ends = (border.a, border.b)
        if border.kind == ARMY or any(board.province_of(end).is_sea for end in ends):
            continue
        if frozenset(ends) not in exempt and not _seas_beside(board, ends[0]) & _seas_beside(
            board, ends[1]
        ):
            data = {"a": border.a, "b": border.b}
            yield Fault(f"borders[{i}]", "fleet-border-without-sea", data, "warning")


def _check_army_borders(board: Board) -> Iterator[Fault]:
    """Yield coastal provinces between which fleets can pass and armies cannot."""
    by_land = {frozenset(map(_province_id, (b.a, b.b))) for b in board.borders if b.kind != FLEET}
    for i, border in enumerate(board.borders):
        provinces = [board.province_of(end) for end in (border.a, border.b)]
        if border.kind != FLEET or any(p.is_sea or p.terrain == ISLAND for p in provinces):
            continue
        ids = frozenset(province.id for province in provinces)
        if ids not in by_land:
            by_land.add(ids)  # two coasts are one finding
            data = {"a": border.a, "b": border.b}
            yield Fault(f"borders[{i}]", "army-border-missing", data, "warning")


def _province_id(location: str) -> str:
    return split_location(location)[0]


def _check_rivers(board: Board) -> Iterator[Fault]:
    """Check that a fleet reaches the sea from the mouth only, and keeps to the course (R18)."""
    steps = {frozenset(step) for river in board.rivers for step in pairwise(river.course)}
    for river in board.rivers:
        if not _seas_beside(board, river.mouth):
            data = {"river": river.id, "province": river.mouth}
            yield Fault(f"rivers.{river.id}.mouth", "mouth-without-sea", data)
        for inland in river.course[1:]:
            for there in sorted(board.fleet_graph[inland]):
                if frozenset((inland, there)) not in steps:
                    data = {"river": river.id, "province": inland, "other": there}
                    yield Fault(f"rivers.{river.id}.course", "river-side-door", data, "warning")


def _check_raiders(board: Board) -> Iterator[Fault]:
    for portage in board.portages:
        for raider in portage.raiders:
            if not board.army_graph.has_edge(raider, portage.over):
                data = {"province": raider, "over": portage.over}
                yield Fault(f"portages.{portage.id}.raiders", "raider-apart", data)


def _check_centres(board: Board) -> Iterator[Fault]:
    """Check that each centre can be reached from another, by an army with convoys or a fleet."""
    import networkx as nx

    centres = set(board.centres)
    travel = [*nx.connected_components(_build_army_travel(board)), *_list_fleet_travel(board)]
    for centre in board.centres:
        if len(centres) > 1 and not any(centre in c and len(centres & c) > 1 for c in travel):
            data = {"province": centre}
            yield Fault(f"provinces.{centre}.centre", "centre-unreachable", data)
    needed = board.rules.victory_centres
    if needed > len(centres):
        data = {"needed": str(needed), "centres": str(len(centres))}
        yield Fault("rules.victory_centres", "victory-unreachable", data)


def _build_army_travel(board: Board) -> nx.Graph[str]:
    """Return where armies can go by walking and by convoy."""
    import networkx as nx

    graph: nx.Graph[str] = nx.Graph(board.army_graph)
    for border in board.borders:
        a, b = board.province_of(border.a), board.province_of(border.b)
        if a.is_sea or b.is_sea:
            graph.add_edge(a.id, b.id)
    return graph


def _list_fleet_travel(board: Board) -> Iterator[set[str]]:
    """Yield sets of provinces between which a fleet can sail or be hauled (R23)."""
    import networkx as nx

    graph: nx.Graph[str] = nx.Graph(board.fleet_graph)
    for portage in board.portages:
        graph.add_edges_from((a, b) for a in portage.ends[0] for b in portage.ends[1])
    for part in nx.connected_components(graph):
        yield {split_location(location)[0] for location in part}


def _check_powers(board: Board) -> Iterator[Fault]:
    """Check that a map with a Cyprus year has centres to pick (R30), any other map homes."""
    pickable = any(p.centre == "start" for p in board.provinces.values())
    if board.rules.picks and not pickable:
        yield Fault("rules.picks", "nothing-to-pick", {}, "warning")
    if pickable and not board.rules.picks:
        yield Fault("rules.picks", "never-picked", {}, "warning")
    for power in board.powers.values():
        if not power.homes and not board.rules.picks:
            data = {"power": power.id}
            yield Fault(f"powers.{power.id}.start_centres", "power-without-homes", data, "warning")
