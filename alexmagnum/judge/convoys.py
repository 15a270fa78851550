"""Convoys: which shores fleets join, and which fleets could be needed to carry an army.

Open this file for what a fleet at sea is good for.  Routes are never listed: everything here is a
search over the seas that have a fleet.  All functions take and return numbers of the board's
tables.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from alexmagnum.board.numbers import ProvinceNo
from alexmagnum.board.tables import BoardTables

Links = dict[ProvinceNo, list[ProvinceNo]]
"""By sea or shore, those beside it over which an army could be carried on."""


def can_cross(
    board: BoardTables, seas: set[ProvinceNo], start: ProvinceNo, end: ProvinceNo
) -> bool:
    """Tell whether an army can get from one land province to another over fleets in these seas."""
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


def label_waters(board: BoardTables, seas: Collection[ProvinceNo]) -> dict[ProvinceNo, ProvinceNo]:
    """Return for every sea one sea that stands for all those joined with it."""
    label: dict[ProvinceNo, ProvinceNo] = {}
    for first in seas:
        if first in label:
            continue
        label[first] = first
        todo = [first]
        while todo:
            for other in board.sea_next[todo.pop()]:
                if other in seas and other not in label:
                    label[other] = first
                    todo.append(other)
    return label


def share_water(
    board: BoardTables,
    label: Mapping[ProvinceNo, ProvinceNo],
    start: ProvinceNo,
    end: ProvinceNo,
) -> bool:
    """Tell whether two land provinces lie on the same water, as :func:`label_waters` labels it."""
    waters = {label[sea] for sea in board.port[start] if sea in label}
    return any(label[sea] in waters for sea in board.port[end] if sea in label)


def find_useful_seas(
    board: BoardTables, seas: Collection[ProvinceNo], start: ProvinceNo, end: ProvinceNo
) -> set[ProvinceNo]:
    """Return the seas whose fleets could be needed to carry an army from ``start`` to ``end``.

    A fleet could be needed if a route over ``seas`` that needs each of its fleets passes its sea;
    any other convoy order is void (DATC 6.F.12, 6.G.7, 6.G.19).  Such a route has no short cut:
    its seas touch only the next, and each shore touches only one of them.

    The water between the shores falls into parts that hang together by one sea each (the blocks
    of a graph and its articulation points).  Every route passes the same parts in the same
    sequence, so each part is looked at by itself, and a chain of seas needs no search at all.
    """
    direct = {sea for sea in board.port[start] if sea in seas and board.shore[sea * board.n + end]}
    useful = set(direct)
    links = _link(board, seas, direct, start, end)
    for part, entry, way_out in _list_parts(links, board.n, start, end):
        useful |= _search_part(links, part, entry, way_out)
    useful.discard(start)
    useful.discard(end)
    return useful


def _link(
    board: BoardTables,
    seas: Collection[ProvinceNo],
    direct: set[ProvinceNo],
    start: ProvinceNo,
    end: ProvinceNo,
) -> Links:
    """Return the seas and both shores with their neighbours, without what only short cuts use.

    A sea that touches both shores (``direct``) is a route alone and on no other one.  No route
    passes two seas that touch the same shore, so they are not linked with each other.
    """
    links: Links = {start: [], end: []}
    near = {sea for sea in board.port[start] if sea in seas}
    far = {sea for sea in board.port[end] if sea in seas}
    for sea in seas:
        if sea in direct:
            continue
        beside = [other for other in board.sea_next[sea] if other in seas and other not in direct]
        if sea in near:
            beside = [other for other in beside if other not in near]
            beside.append(start)
            links[start].append(sea)
        elif sea in far:
            beside = [other for other in beside if other not in far]
            beside.append(end)
            links[end].append(sea)
        links[sea] = beside
    return links


def _list_parts(
    links: Links, n: int, start: ProvinceNo, end: ProvinceNo
) -> list[tuple[list[ProvinceNo], ProvinceNo, ProvinceNo]]:
    """Return the parts that every route passes, each with its first and last sea or shore.

    ``n``: more than any number of a province.  The parts come from the end to the start, and are
    none if the shores are not joined.  One walk over the links finds them (Hopcroft and Tarjan):
    ``low`` is the earliest sea that can be reached from a sea or from any that the walk came to
    from there.
    """
    parts: list[tuple[list[ProvinceNo], ProvinceNo, ProvinceNo]] = []
    visit, low = [0] * n, [0] * n
    visit[start] = low[start] = visits = 1
    goal = end
    way, turns, waiting = [start], [0], [start]
    while goal != start and way:
        sea, turn = way[-1], turns[-1]
        if turn < len(links[sea]):
            turns[-1] += 1
            other = links[sea][turn]
            if visit[other]:
                low[sea] = min(low[sea], visit[other])
            else:
                visits += 1
                visit[other] = low[other] = visits
                way.append(other)
                turns.append(0)
                waiting.append(other)
            continue
        way.pop()
        turns.pop()
        if way:
            before = way[-1]
            low[before] = min(low[before], low[sea])
            if low[sea] >= visit[before]:
                part = _take_part(waiting, sea)
                if goal in part:
                    parts.append(([before, *part], before, goal))
                    goal = before
    return parts if goal == start else []


def _take_part(waiting: list[ProvinceNo], first: ProvinceNo) -> list[ProvinceNo]:
    """Take the seas of one part off those that wait for theirs: all since ``first``."""
    part = [waiting.pop()]
    while part[-1] != first:
        part.append(waiting.pop())
    return part


# -- one part --------------------------------------------------------------------------------------

_GLANCE: Final = 200
"""Steps of a search after which seas that lie behind two neighbouring ones are left out."""
_PATIENCE: Final = 2000
"""Steps after which a route without a short cut is taken to exist.

In theory the search could take for ever; on real boards a glance is enough.
"""


def _search_part(
    links: Links, part: list[ProvinceNo], start: ProvinceNo, end: ProvinceNo
) -> set[ProvinceNo]:
    """Return the seas of one part that are on a route without a short cut from start to end.

    A shortest route has none.  For a sea that is on no shortest one, the rest of the part is
    searched, and a route that is found settles all its seas.
    """
    if len(part) == 2 or end in links[start]:
        return {start, end}
    members = set(part)
    inner: Links = {sea: [other for other in links[sea] if other in members] for sea in part}
    from_start, from_end = _measure(inner, [start], ()), _measure(inner, [end], ())
    shortest = from_start[end]
    useful = {sea for sea in part if from_start[sea] + from_end[sea] == shortest}
    if len(useful) == len(part):
        return useful
    for sea, beside in inner.items():  # routes pass unsettled seas first, to settle many at once
        doubtful = [other for other in beside if other not in useful]
        inner[sea] = doubtful + [other for other in beside if other in useful]
    is_trimmed = False
    for sea in part:
        if sea in useful or sea not in inner:
            continue
        route = _guess_route(inner, sea, start, end) or _guess_route(inner, sea, end, start)
        if not route:
            route, steps = _grow_route(inner, sea, start, end, _GLANCE)
            if steps > _GLANCE:
                if not is_trimmed:
                    is_trimmed = True
                    inner = _drop_pockets(inner, start, end)
                route, _ = _grow_route(inner, sea, start, end, _PATIENCE)
        useful.update(route)
    return useful


def _measure(
    links: Links, starts: Sequence[ProvinceNo], closed: Sequence[ProvinceNo]
) -> dict[ProvinceNo, int]:
    """Return how many steps each sea is from the nearest start, by ways past no closed sea."""
    steps = dict.fromkeys(starts, 0)
    todo = list(starts)
    for sea in todo:  # it grows meanwhile
        for other in links[sea]:
            if other not in steps and other not in closed:
                steps[other] = steps[sea] + 1
                todo.append(other)
    return steps


def _find_way(
    links: Links, start: ProvinceNo, end: ProvinceNo, closed: set[ProvinceNo]
) -> list[ProvinceNo]:
    """Return a shortest way that enters no closed sea, without its start; empty if none."""
    came_from = {start: start}
    todo = [start]
    for sea in todo:  # it grows meanwhile
        if sea == end:
            break
        for other in links[sea]:
            if other not in came_from and other not in closed:
                came_from[other] = sea
                todo.append(other)
    way: list[ProvinceNo] = []
    if end in came_from:
        sea = end
        while sea != start:
            way.append(sea)
            sea = came_from[sea]
    return way


def _surround(links: Links, seas: Iterable[ProvinceNo]) -> set[ProvinceNo]:
    """Return these seas and all that touch them."""
    around: set[ProvinceNo] = set()
    for sea in seas:
        around.add(sea)
        around.update(links[sea])
    return around


def _guess_route(
    links: Links, sea: ProvinceNo, first: ProvinceNo, second: ProvinceNo
) -> list[ProvinceNo]:
    """Return a route past ``sea`` whose way to ``first`` is a shortest one; empty if there is none.

    The two ways from the sea do not touch each other, and none of them has a short cut.
    """
    closed = _surround(links, [second])
    closed.discard(sea)
    one = _find_way(links, sea, first, closed)
    if not one:
        return []
    closed = _surround(links, one)
    closed.discard(sea)
    other = _find_way(links, sea, second, closed)
    return [*one, sea, *other] if other else []


def _grow_route(
    links: Links, sea: ProvinceNo, start: ProvinceNo, end: ProvinceNo, patience: int
) -> tuple[list[ProvinceNo], int]:
    """Return a route past ``sea`` that is grown towards ``start``, and the steps that took.

    The route is empty if there is none, and the sea alone if patience ended.  A way grows as long
    as it can still get to ``start`` and leaves one from the sea to ``end`` that does not touch it.
    """
    steps = 0
    if sea not in links:
        return [], steps
    shut = _surround(links, [end])
    grown = [[sea]]
    while grown:
        way = grown.pop()
        closed = shut | _surround(links, way[:-1]) | {sea}
        for tip in links[way[-1]]:
            if tip in closed:
                continue
            steps += 1
            if steps > patience:
                return [sea], steps
            longer = [*way, tip]
            touched = _surround(links, longer[1:])
            touched.discard(sea)
            rest = _find_way(links, sea, end, touched)
            if not rest:
                continue
            if tip == start:
                return [*longer, *rest], steps
            behind = (closed | _surround(links, way)) - {tip}
            if _find_way(links, tip, start, behind):
                grown.append(longer)
    return [], steps


def _drop_pockets(links: Links, start: ProvinceNo, end: ProvinceNo) -> Links:
    """Return the links without the seas that lie behind two that touch each other.

    No route leads there and back: it would pass both, and so have a short cut.
    """
    useless: set[ProvinceNo] = set()
    for a in links:
        for b in links[a]:
            if a < b and a not in useless and b not in useless:
                shores = [shore for shore in (start, end) if shore not in (a, b)]
                reached = _measure(links, shores, (a, b))
                useless.update(sea for sea in links if sea not in reached and sea not in (a, b))
    return {
        sea: [other for other in beside if other not in useless]
        for sea, beside in links.items()
        if sea not in useless
    }
