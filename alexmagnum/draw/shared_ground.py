"""The ground of a map apart from what changes: many pictures of a map share one drawing of it.

Seas, coasts, relief and borders are most of a picture, and the same in every phase of a game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from alexmagnum.draw.position_picture import draw_position
from alexmagnum.draw.scene import Layer, Scene
from alexmagnum.draw.svg import number_repeated, render_svg
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.position import Position

PREFIX = "map-"
"""The prefix of every id of the ground and of the drawings over it."""

_FIXED = ("frame", "seas", "coast", "wild", "water", "borders", "cities", "compass")
"""The layers that no unit, order or owner changes."""


@dataclass(frozen=True, slots=True)
class Overlay:
    """A picture without the ground: its SVG, in which the layers ``shared`` are empty."""

    svg: str
    shared: tuple[str, ...]


class SharedGround:
    """The ground of a map, and the pictures over it.

    Attributes:
        svg: the ground alone, with the outlines of the provinces, as SVG text.
    """

    def __init__(self, position: Position, sentences: Sentences) -> None:
        bare = Position(position.board, position.phase, ())
        scene = draw_position(bare, sentences, title=position.board.name(sentences.lang))
        self._layers: Mapping[str, Layer] = {
            layer.key: layer for layer in scene.layers if layer.key in _FIXED and layer.items
        }
        ground = replace(scene, layers=tuple(self._layers.values()), insets=())
        self._shapes = number_repeated(ground)
        self.svg = render_svg(ground, prefix=PREFIX, embed_fonts=False)

    def lay(self, scene: Scene) -> Overlay:
        """Return a picture of the same map without what the ground has of it."""
        shared = {layer.key for layer in scene.layers if self._has(layer)}
        layers = tuple(
            replace(layer, items=()) if layer.key in shared else layer for layer in scene.layers
        )
        rest = replace(scene, layers=layers, outlines=())
        svg = render_svg(rest, prefix=PREFIX, embed_fonts=False, known=self._shapes)
        return Overlay(svg, tuple(key for key in self._layers if key in shared))

    def _has(self, layer: Layer) -> bool:
        """Return whether the ground has a layer exactly as a picture does."""
        return not layer.view and self._layers.get(layer.key) == layer
