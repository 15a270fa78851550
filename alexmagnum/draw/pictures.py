"""Whole pictures: a position."""

from __future__ import annotations

from collections.abc import Iterable

from alexmagnum.draw.atlas import Atlas, atlas_of
from alexmagnum.draw.palette import liveries
from alexmagnum.draw.plate import ground_layers, outlines
from alexmagnum.draw.scene import Layer, Scene, Token
from alexmagnum.draw.seats import seats
from alexmagnum.position import Position, Unit, names_of
from alexmagnum.report.words import Words

SIZE = 26.0
"""The height of a unit's symbol in drawing units."""


def position_scene(position: Position, words: Words, *, title: str, subtitle: str = "") -> Scene:
    """The units where they stand, provinces tinted by owner, and the scoreboard."""
    board = position.board
    atlas = atlas_of(board)
    return Scene(
        atlas.box.grown(44),
        title,
        subtitle,
        outlines(atlas),
        (
            *ground_layers(board, atlas, words.lang),
            Layer("units", tuple(tokens(position.units, position, atlas))),
        ),
        tuple((power, livery.color) for power, livery in liveries(board).items()),
    )


def tokens(units: Iterable[Unit], position: Position, atlas: Atlas) -> Iterable[Token]:
    """The symbols of some units."""
    standing = tuple(units)
    marks, names = liveries(position.board), names_of(standing)
    for unit, at in seats(standing, atlas, SIZE).items():
        name = names[unit]
        number = unit.number if "#" in name else 0
        yield Token(
            name, unit.kind, unit.power, marks[unit.power].letter, at, SIZE, number, title=name
        )
