"""Convoys as reachability over the seas that have a fleet; routes are never listed.

All functions take and give numbers of the board's tables.
"""

from __future__ import annotations

from alexmagnum.board.tables import BoardTables


def joined(board: BoardTables, seas: set[int], start: int, end: int) -> bool:
    """Can an army get from land province ``start`` to ``end`` over fleets in just these seas?"""
    n = board.n
    shore = board.shore
    todo = [sea for sea in board.port[start] if sea in seas]
    seen = set(todo)
    while todo:
        sea = todo.pop()
        if shore[sea * n + end]:
            return True
        for other in board.sea_next[sea]:
            if other in seas and other not in seen:
                seen.add(other)
                todo.append(other)
    return False


def useful(board: BoardTables, seas: set[int], sea: int, start: int, end: int) -> bool:
    """Could a fleet in ``sea`` help to carry an army from ``start`` to ``end``?

    It could if the sea lies on a route over ``seas`` that visits no sea twice and passes no sea
    that touches either shore, but to embark or to land; any other convoy order is void (DATC
    6.F.12, 6.G.7, 6.G.19).  Such a route is a flow of two from ``sea``: one to each shore, with
    no sea in common.
    """
    flow = _lay_ways(board, seas, sea, start, end)
    return _push(flow, 2 * sea + 1) and _push(flow, 2 * sea + 1)


_START, _END, _SINK = -1, -2, -3


def _lay_ways(
    board: BoardTables, seas: set[int], sea: int, start: int, end: int
) -> dict[int, set[int]]:
    """The directed ways from ``sea``, each used once: sea ``q`` is entered at ``2 * q`` and left
    at ``2 * q + 1``; a sea that touches a shore leads nowhere else."""
    n = board.n
    shore = board.shore
    ways: dict[int, set[int]] = {_START: {_SINK}, _END: {_SINK}, _SINK: set()}
    for q in seas:
        embarks, lands = shore[q * n + start], shore[q * n + end]
        if embarks and lands and q != sea:
            continue
        ways[2 * q] = {2 * q + 1}
        onward = {2 * other for other in board.sea_next[q] if other in seas and other != sea}
        shores = {_START} if embarks else set()
        if lands:
            shores.add(_END)
        ways[2 * q + 1] = shores | onward if q == sea else shores or onward
    return ways


def _push(ways: dict[int, set[int]], source: int) -> bool:
    """Push one unit of flow to the sink and turn round the ways it took; False if none is left."""
    came_from: dict[int, int] = {source: source}
    todo = [source]
    while todo:
        node = todo.pop()
        if node == _SINK:
            while node != source:
                last = came_from[node]
                ways[last].remove(node)
                ways[node].add(last)
                node = last
            return True
        for onward in ways.get(node, ()):
            if onward not in came_from:
                came_from[onward] = node
                todo.append(onward)
    return False
