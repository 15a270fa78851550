"""Maps as pictures.

Values travel one way: the map's shapes become an :class:`~alexmagnum.draw.atlas.Atlas`, a
position or an outcome on it becomes a :class:`Scene`, and that is written as SVG, PNG or PDF.
Everything named here is imported when it is first used, so that a report without a map loads no
drawing.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from alexmagnum.builds import make_importer, read_public_names

if TYPE_CHECKING:
    from alexmagnum.draw.canvas import lay_out_board as lay_out_board
    from alexmagnum.draw.canvas import lay_out_canvas as lay_out_canvas
    from alexmagnum.draw.canvas import lay_out_pieces as lay_out_pieces
    from alexmagnum.draw.pictures import draw_turn as draw_turn
    from alexmagnum.draw.positions import draw_position as draw_position
    from alexmagnum.draw.scene import Scene as Scene
    from alexmagnum.draw.scene import assign_liveries as assign_liveries
    from alexmagnum.draw.scene import render_pdf as render_pdf
    from alexmagnum.draw.scene import render_png as render_png
    from alexmagnum.draw.scene import render_svg as render_svg
    from alexmagnum.draw.scene import render_symbol as render_symbol

_HOME = read_public_names(Path(__file__))

__all__ = list(_HOME)

__getattr__ = make_importer(__name__, _HOME)
