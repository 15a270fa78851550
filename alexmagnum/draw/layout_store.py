"""Keep the layout of a map without shapes, so that it is made only once.

It is kept in the game's folder, and without a game in the user's cache folder.  The file may be
deleted at any time, and is never trusted: a layout that does not fit the map, or in
which cells would lie upon each other, is made anew.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import pairwise
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from alexmagnum.draw.bearings import Bearing
from alexmagnum.draw.layout import Layout, lay_out
from alexmagnum.draw.mesh import twice_area
from alexmagnum.draw.planar import Edge, make_edge
from alexmagnum.errors import GameError
from alexmagnum.files import write_whole
from alexmagnum.slow_work import results_folder, show_progress
from alexmagnum.user_cache import read_cached, write_cached

if TYPE_CHECKING:
    import networkx as nx

VERSION = 1
"""Counts up when the same map would get another layout."""


def find_layouts(
    graphs: Sequence[nx.Graph[str]], spare: Sequence[Edge], bearings: Sequence[Bearing]
) -> list[Layout]:
    """Return the layouts of the pieces of a map: those that are kept, or else new ones.

    New ones are kept where the command lets them be kept (:mod:`alexmagnum.slow_work`).
    """
    key = _make_key(graphs, spare, bearings)
    name = f"map-layout-{key[:16]}.json"
    kept = _read(_read_kept(name), key, graphs)
    if kept is not None:
        return kept
    made = list(_lay_out_all(graphs, spare, bearings))
    if made:
        _keep(name, _write(key, made))
    return made


def _find_path(name: str) -> Path | None:
    """Return the path of a file in the game's folder; None if no game is open."""
    folder = results_folder()
    return folder / name if folder and folder.is_dir() else None


def _read_kept(name: str) -> bytes | None:
    """Return what a file holds, in the game's folder or else the user's cache; None if nothing."""
    path = _find_path(name)
    if path is None:
        return read_cached(name)
    try:
        return path.read_bytes()
    except OSError:
        return None


def _keep(name: str, text: str) -> None:
    """Write a file in the game's folder, or else the user's cache.

    It is written as a whole or not at all; a full disk only means no file.
    """
    path = _find_path(name)
    if path is None:
        write_cached(name, text)
        return
    with suppress(GameError):
        write_whole(path, text)


def _lay_out_all(
    graphs: Sequence[nx.Graph[str]], spare: Sequence[Edge], bearings: Sequence[Bearing]
) -> Iterator[Layout]:
    """Yield a new layout of each piece of a map, and show the progress of all."""
    whole = sum(map(len, graphs))
    done = 0
    for graph in graphs:
        show = partial(_show_part_of_piece, done / whole, len(graph) / whole)
        yield lay_out(graph, spare, bearings, show)
        done += len(graph)


def _show_part_of_piece(before: float, share: float, part: float) -> None:
    """Show the progress of all when a part of a piece is done, which is a share of all."""
    show_progress(before + share * part)


def _make_key(
    graphs: Sequence[nx.Graph[str]], spare: Sequence[Edge], bearings: Sequence[Bearing]
) -> str:
    """Return a digest of all that a layout depends on."""
    edges = [sorted(make_edge(a, b) for a, b in graph.edges) for graph in graphs]
    content = repr((VERSION, [list(graph) for graph in graphs], edges, sorted(spare), bearings))
    return hashlib.sha256(content.encode()).hexdigest()


def _write(key: str, layouts: Sequence[Layout]) -> str:
    """Return layouts as the text of a file."""
    pieces = [
        {
            "at": {node: [z.real, z.imag] for node, z in layout.at.items()},
            "around": {node: list(near) for node, near in layout.around.items()},
            "outer": list(layout.outer),
            "crossing": [list(edge) for edge in layout.crossing],
        }
        for layout in layouts
    ]
    return json.dumps({"about": "may be deleted", "key": key, "pieces": pieces})


def _read(content: bytes | None, key: str, graphs: Sequence[nx.Graph[str]]) -> list[Layout] | None:
    """Return the layouts that a file holds; None if there are none that fit the map."""
    if content is None:
        return None
    try:
        raw = json.loads(content.decode("utf-8"))
        if raw["key"] != key:
            return None
        layouts = [_read_layout(piece) for piece in raw["pieces"]]
        pairs = zip(layouts, graphs, strict=True)
        return layouts if all(is_sound(layout, graph) for layout, graph in pairs) else None
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError):
        return None


def _read_layout(raw: Any) -> Layout:
    """Return a layout as it stands in a file."""
    return Layout(
        {str(node): complex(float(x), float(y)) for node, (x, y) in raw["at"].items()},
        {str(node): tuple(map(str, near)) for node, near in raw["around"].items()},
        tuple(map(str, raw["outer"])),
        tuple(make_edge(str(a), str(b)) for a, b in raw["crossing"]),
    )


def is_sound(layout: Layout, graph: nx.Graph[str]) -> bool:
    """Return whether a layout is one of a graph, its triangles all turning the same way."""
    nodes = set(graph)
    return (
        nodes == set(layout.at) == set(layout.around)
        and set(layout.outer) <= nodes
        and all(isfinite(abs(z)) and abs(z) < 2 for z in layout.at.values())
        and all(a in layout.around[b] for a, near in layout.around.items() for b in near)
        and _draws_every_edge(layout, graph)
        and _turns_one_way(layout)
    )


def _draws_every_edge(layout: Layout, graph: nx.Graph[str]) -> bool:
    """Return whether each edge of a graph is either drawn or said to cross others."""
    edges = {make_edge(a, b) for a, b in graph.edges}
    drawn = {make_edge(a, b) for a, near in layout.around.items() for b in near}
    crossing = set(layout.crossing)
    return not crossing & drawn and crossing < edges and edges - crossing <= drawn


def _turns_one_way(layout: Layout) -> bool:
    """Return whether no triangle of a layout is turned over."""
    turns = [
        twice_area(layout.at[node], layout.at[a], layout.at[b])
        for node, near in layout.around.items()
        for a, b in pairwise(near if node in layout.outer else (*near, near[0]))
    ]
    return min(turns) > 0 or max(turns) < 0
