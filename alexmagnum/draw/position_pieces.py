"""The numbers and symbols from which a page draws any position on a map that it holds.

Open this file for what ``templates/position_drawing.js`` of the reports knows of a map: it draws
units, dislodged units and the tints of owned centres, as :mod:`alexmagnum.draw.position_picture`
does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from alexmagnum.board.model import INDEPENDENT, Board
from alexmagnum.draw.base_map import TINT, make_base_map
from alexmagnum.draw.palette import NOBODY, Livery, assign_liveries
from alexmagnum.draw.svg import render_symbol
from alexmagnum.draw.symbols import APART, SIZE

_IN_POWERS_COLORS = Livery("", "{color}", "{ink}", "", "{letter}")
"""A livery that stands for any: the page fills in the colours and the letter of a power."""


def lay_out_pieces(board: Board, lang: str) -> Mapping[str, Any]:
    """Return everything from which positions on a board are drawn, ready for JSON.

    ``slots``: the places of units by province; ``coasts``: those of fleets by location; ``shades``:
    the colour of each land province that nobody owns; ``tint``: the share of the owner's colour;
    ``liveries``: colour, ink and letter by power; ``symbols``: the symbol by kind of unit, ``N``
    for a garrison, and by state, with ``{color}``, ``{ink}`` and ``{letter}`` to be filled in;
    ``size``, ``apart``: the height of a symbol, and the least distance of two.
    """
    base = make_base_map(board, lang)
    grounds = base.atlas.grounds.values()
    return {
        "slots": {ground.id: [_round(slot) for slot in ground.slots] for ground in grounds},
        "coasts": {
            f"{ground.id}/{coast}": _round(at)
            for ground in grounds
            for coast, at in ground.coasts.items()
        },
        "shades": {
            province: shade
            for province, shade in base.shades.items()
            if not board.provinces[province].is_sea
        },
        "tint": TINT,
        "independent": INDEPENDENT,
        "liveries": {
            power: [livery.color, livery.ink, livery.letter]
            for power, livery in assign_liveries(board).items()
            if power != NOBODY
        },
        "symbols": {
            state: {kind: render_symbol(kind, _IN_POWERS_COLORS, state) for kind in "AFGN"}
            for state in ("", "dislodged", "ghost")
        },
        "size": SIZE,
        "apart": APART,
    }


def _round(point: tuple[float, float]) -> list[float]:
    """Return a point in tenths of a drawing unit."""
    return [round(point[0], 1), round(point[1], 1)]
