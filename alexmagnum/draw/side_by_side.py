"""Several pictures of one map side by side, with what differs between them lit."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from alexmagnum.draw.paths import circle_path
from alexmagnum.draw.scene import Layer, Mark, Point, Scene, Shape, Token
from alexmagnum.draw.svg import decimal, render_svg

_GAP = 24.0
_COLUMNS = 2
_HALO = 21.0  # the radius of the light around a unit


def light_up(scene: Scene, units: Collection[str]) -> Scene:
    """Return a picture in which some units have a light around them and other orders are dim."""
    insets = tuple(replace(i, layers=_light_layers(i.layers, units)) for i in scene.insets)
    return replace(scene, layers=_light_layers(scene.layers, units), insets=insets)


def light(at: Point, radius: float) -> Shape:
    """Return the light around a unit."""
    return Shape(circle_path(at, radius), "light")


def _light_layers(layers: Sequence[Layer], units: Collection[str]) -> tuple[Layer, ...]:
    """Return layers with lights below the orders and dim orders of other units."""
    lights = tuple(
        light(item.at, _HALO)
        for layer in layers
        for item in layer.items
        if isinstance(item, Token) and item.unit in units
    )
    found: list[Layer] = []
    for layer in layers:
        if layer.key == "orders":
            found.append(Layer("lights", lights))
        items = tuple(
            replace(item, look=f"{item.look} dim")
            if isinstance(item, Mark) and item.unit not in units
            else item
            for item in layer.items
        )
        found.append(replace(layer, items=items))
    return tuple(found)


def render_side_by_side(scenes: Sequence[Scene], *, embed_fonts: bool = True) -> str:
    """Return pictures in rows of two as one SVG; each has its own title."""
    columns = min(_COLUMNS, len(scenes))
    wide = max(scene.box.width for scene in scenes)
    parts: list[str] = []
    top = 0.0
    for first in range(0, len(scenes), columns):
        row = scenes[first : first + columns]
        for k, scene in enumerate(row):
            drawn = render_svg(
                scene, prefix=f"p{first + k}-", embed_fonts=embed_fonts and not parts
            )
            at = f'x="{decimal(k * (wide + _GAP))}" y="{decimal(top)}"'
            size = f'width="{decimal(scene.box.width)}" height="{decimal(scene.box.height)}"'
            parts.append(drawn.replace("<svg ", f"<svg {at} {size} ", 1))
        top += max(scene.box.height for scene in row) + _GAP
    whole = f"0 0 {decimal(columns * (wide + _GAP) - _GAP)} {decimal(top - _GAP)}"
    paper = '<rect width="100%" height="100%" fill="#eadfc0"/>'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{whole}">'
    return f"{head}\n{paper}\n{''.join(parts)}</svg>\n"
