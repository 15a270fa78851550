"""Maps as pictures.

Values travel one way: the map's shapes become an :class:`~alexmagnum.draw.atlas.Atlas`, a
position or an outcome on it becomes a :class:`Scene`, and that is written as SVG, PNG or PDF.
"""

from __future__ import annotations

from alexmagnum.draw.pictures import position_scene
from alexmagnum.draw.raster import pdf, png
from alexmagnum.draw.scene import Scene
from alexmagnum.draw.svg import svg
from alexmagnum.draw.turn import turn_scene

__all__ = ["Scene", "pdf", "png", "position_scene", "svg", "turn_scene"]
