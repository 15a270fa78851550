"""A board's borders as networkx graphs, for people who explore a map and for checks of paths.

They are frozen, because a board is a value; networkx lets you change a copy, ``graph.copy()``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import networkx as nx

from alexmagnum.board.geography import ARMY, FLEET, Border, Province, split_location

if TYPE_CHECKING:
    from collections.abc import Iterable


def build_army_graph(provinces: Iterable[Province], borders: Iterable[Border]) -> nx.Graph[str]:
    """Return the provinces in which an army can stand, joined where an army can walk."""
    graph: nx.Graph[str] = nx.Graph()
    graph.add_nodes_from(province.id for province in provinces if not province.is_sea)
    for border in borders:
        if border.kind != FLEET:
            graph.add_edge(split_location(border.a)[0], split_location(border.b)[0])
    nx.freeze(graph)
    return graph


def build_fleet_graph(provinces: Iterable[Province], borders: Iterable[Border]) -> nx.Graph[str]:
    """Return the locations in which a fleet can stand, joined where it can sail in a plain move."""
    graph: nx.Graph[str] = nx.Graph()
    for province in provinces:
        if province.coasts:
            graph.add_nodes_from(f"{province.id}/{coast}" for coast in province.coasts)
        elif province.is_sea or province.coastal or province.rivers:
            graph.add_node(province.id)
    graph.add_edges_from((border.a, border.b) for border in borders if border.kind != ARMY)
    nx.freeze(graph)
    return graph
