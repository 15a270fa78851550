"""The numbers from which a page draws orders of any position on a map.

Open this file for what the scripts of a table (``table_map.js``) know of a map.  The canvas of an
order sheet, :mod:`alexmagnum.draw.order_canvas`, is that of one position and one power's orders.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from alexmagnum.board.model import Board
from alexmagnum.board.tables import BoardTables
from alexmagnum.draw.base_map import make_base_map
from alexmagnum.draw.lens import Lens
from alexmagnum.draw.order_canvas import LENGTHS
from alexmagnum.draw.order_layer import SheetLayout, round_point
from alexmagnum.position import Phase, Position


def lay_out_board(board: Board, lang: str) -> Mapping[str, Any]:
    """Return everything around which orders on a map are drawn, ready for JSON.

    ``rivers``, ``courses``, ``portages``, ``hauls``, ``seas``: the ways beyond a border;
    ``names``, ``cities``, ``sheet``: what lines avoid; ``flags``: the pole of a pick, by centre.
    Units and their places are in the pieces of :mod:`alexmagnum.draw.position_pieces`.
    """
    base = make_base_map(board, lang)
    names = [box for label in base.names for box in label.boxes]
    lens = Lens(base.atlas.box, base.atlas.box)
    layout = SheetLayout(Position(board, Phase(1, "spring"), ()), base, lens, names)
    sheet = layout.field.sheet
    boxes = ((b.left, b.top, b.right, b.bottom) for b in layout.names)
    cities = (lens(ground.city) for ground in base.atlas.grounds.values() if ground.city)
    return {
        "lengths": LENGTHS,
        "sheet": [sheet.left, sheet.top, sheet.right, sheet.bottom],
        "names": [round(value, 1) for box in boxes for value in box],
        "cities": [value for point in cities for value in round_point(point)],
        "seas": _list_seas(board.tables),
        "flags": _place_flags(board, layout),
        **_list_ways(board, layout),
    }


def _list_seas(tables: BoardTables) -> Mapping[str, Any]:
    """Return the seas, each with the next seas and its shores."""
    seas = [sea for sea in range(tables.n) if tables.sea_next[sea] or _shores(tables, sea)]
    return {
        tables.ids[sea]: [
            [tables.ids[other] for other in tables.sea_next[sea]],
            _shores(tables, sea),
        ]
        for sea in seas
    }


def _shores(tables: BoardTables, sea: int) -> list[str]:
    """Return the provinces at which a fleet in a sea can land an army."""
    return [tables.ids[land] for land in range(tables.n) if tables.shore[sea * tables.n + land]]


def _list_ways(board: Board, layout: SheetLayout) -> Mapping[str, Any]:
    """Return the expresses and hauls of the map, with the lines that they follow."""
    tables = board.tables
    courses: dict[str, Any] = {}
    hauls: dict[str, str] = {}
    rivers: dict[str, Any] = {}
    portages: dict[str, Any] = {}
    for (start, end), course in tables.course.items():
        if not _is_neighbour(tables, start, end):
            path = [tables.ids[province] for province in course.path]
            courses[f"{tables.ids[start]} {tables.ids[end]}"] = [course.river, path]
            line = layout.river((tables.ids[start], *path))
            rivers[str(course.river)] = line
    for (start, end), over in tables.haul.items():
        if not _is_neighbour(tables, start, end):
            name = hauls[f"{tables.ids[start]} {tables.ids[end]}"] = tables.ids[over]
            portages[name] = layout.portage(name)
    return {"courses": courses, "hauls": hauls, "rivers": rivers, "portages": portages}


def _is_neighbour(tables: BoardTables, start: int, end: int) -> bool:
    """Return whether a fleet goes from one province to another across a border."""
    starts = (at for name, at in tables.location.items() if name.split("/")[0] == tables.ids[start])
    return any(tables.fleet_reach[at * tables.n + end] for at in starts)


def _place_flags(board: Board, layout: SheetLayout) -> Mapping[str, Any]:
    """Return where the flag of a pick stands, by centre; none on a map without picks."""
    from alexmagnum.draw.turn_picture import place_flag

    centres = (p.id for p in board.provinces.values() if p.centre == "start")
    return {centre: round_point(place_flag(centre, layout)) for centre in centres}
