"""The board as networkx graphs, for people who explore it and for checks that need paths."""

from __future__ import annotations

from typing import TYPE_CHECKING

import networkx as nx

from alexmagnum.board.model import ARMY, FLEET, Board, split_location

if TYPE_CHECKING:
    from collections.abc import Iterator


def army_graph(board: Board) -> nx.Graph[str]:
    """Provinces an army can stand in, joined where one can walk."""
    graph: nx.Graph[str] = nx.Graph()
    graph.add_nodes_from(p.id for p in board.provinces.values() if not p.is_sea)
    for border in board.borders:
        if border.kind != FLEET:
            graph.add_edge(split_location(border.a)[0], split_location(border.b)[0])
    return graph


def fleet_graph(board: Board) -> nx.Graph[str]:
    """Locations a fleet can stand in (by coast), joined where one can sail in a plain move."""
    graph: nx.Graph[str] = nx.Graph()
    graph.add_nodes_from(_fleet_locations(board))
    graph.add_edges_from((b.a, b.b) for b in board.borders if b.kind != ARMY)
    return graph


def _fleet_locations(board: Board) -> Iterator[str]:
    for province in board.provinces.values():
        if province.coasts:
            yield from (f"{province.id}/{coast}" for coast in province.coasts)
        elif province.is_sea or province.coastal or province.rivers:
            yield province.id
