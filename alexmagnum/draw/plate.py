"""The map itself, without what stands on it: seas, land, rivers, cities, borders."""

from __future__ import annotations

from alexmagnum.board.model import Board
from alexmagnum.draw.atlas import Atlas
from alexmagnum.draw.paths import path
from alexmagnum.draw.scene import Layer, Shape


def outlines(atlas: Atlas) -> tuple[tuple[str, str], ...]:
    """The path data of every province."""
    return tuple((g.id, path(g.rings, closed=True)) for g in atlas.grounds.values())


def ground_layers(board: Board, atlas: Atlas, lang: str) -> tuple[Layer, ...]:
    """Skeleton: flat land and sea."""
    shapes = []
    for ground in atlas.grounds.values():
        province = board.provinces[ground.id]
        look = "province sea" if province.is_sea else "province land"
        shapes.append(Shape(f"#{ground.id}", look, ground.id, province.name(lang)))
    return (Layer("provinces", tuple(shapes)),)
