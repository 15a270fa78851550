"""Maps as pictures.

Values travel one way: the map's shapes become an :class:`~alexmagnum.draw.atlas.Atlas`, a
position or an outcome on it becomes a :class:`Scene`, and that is written as SVG, PNG or PDF.
"""

from __future__ import annotations

from alexmagnum.draw.position_picture import draw_position
from alexmagnum.draw.raster import render_pdf, render_png
from alexmagnum.draw.scene import Scene
from alexmagnum.draw.svg import render_svg
from alexmagnum.draw.turn_picture import draw_turn

__all__ = ["Scene", "draw_position", "draw_turn", "render_pdf", "render_png", "render_svg"]
