"""Maps as pictures.

Values travel one way: the map's shapes become an :class:`~alexmagnum.draw.atlas.Atlas`, a
position or an outcome on it becomes a :class:`Scene`, and that is written as SVG, PNG or PDF.
Everything named here is imported when it is first used, so that a report without a map loads no
drawing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from alexmagnum.draw.board_canvas import lay_out_board as lay_out_board
    from alexmagnum.draw.order_canvas import lay_out_canvas as lay_out_canvas
    from alexmagnum.draw.palette import assign_liveries as assign_liveries
    from alexmagnum.draw.position_picture import draw_position as draw_position
    from alexmagnum.draw.position_pieces import lay_out_pieces as lay_out_pieces
    from alexmagnum.draw.raster import render_pdf as render_pdf
    from alexmagnum.draw.raster import render_png as render_png
    from alexmagnum.draw.scene import Scene as Scene
    from alexmagnum.draw.svg import render_svg as render_svg
    from alexmagnum.draw.svg import render_symbol as render_symbol
    from alexmagnum.draw.turn_picture import draw_turn as draw_turn

_HOME = {
    "Scene": "scene",
    "assign_liveries": "palette",
    "draw_position": "position_picture",
    "draw_turn": "turn_picture",
    "lay_out_board": "board_canvas",
    "lay_out_canvas": "order_canvas",
    "lay_out_pieces": "position_pieces",
    "render_pdf": "raster",
    "render_png": "raster",
    "render_svg": "svg",
    "render_symbol": "svg",
}

__all__ = list(_HOME)


def __getattr__(name: str) -> object:
    """Import a public name from its module on first use."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
