"""A board's borders as graphs: as much of them as the judge asks for."""

from page_library import _dict

from alexmagnum.board.geography import FLEET, split_location


class _Graph:
    def __init__(self):
        self.beside = _dict()

    def __contains__(self, node):
        return node in self.beside

    def neighbors(self, node):
        return iter(self.beside[node])


def build_army_graph(provinces, borders):
    graph = _Graph()
    for province in provinces:
        if not province.is_sea:
            graph.beside[province.id] = _dict()
    for border in borders:
        if border.kind != FLEET:
            a, b = split_location(border.a)[0], split_location(border.b)[0]
            graph.beside[a][b] = True
            graph.beside[b][a] = True
    return graph
