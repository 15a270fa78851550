"""Choose the places of fleets at sea so that each tells its sea.

The map's file gives the places.  One that lies nearer to the name of another sea, outside its own
sea or on a name moves to the nearest place that is better.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from alexmagnum.board.model import Board
from alexmagnum.draw.atlas import Atlas, ProvinceDrawing
from alexmagnum.draw.grid import Grid
from alexmagnum.draw.label_costs import CLEARLY, distance_from_boxes
from alexmagnum.draw.labels import Label
from alexmagnum.draw.paths import distance
from alexmagnum.draw.scene import Box, Point, square
from alexmagnum.draw.symbols import APART

_HALF = 15.0
"""Half the side of the room that a fleet needs."""

FARTHEST = 160.0
"""The greatest distance that a place is moved."""


def move_fleet_places(board: Board, atlas: Atlas, grid: Grid, labels: Sequence[Label]) -> Atlas:
    """Return an atlas in which the fleets of every sea stand nearest to the name of that sea."""
    names = {label.province: label.boxes for label in labels if label.sea and label.boxes}
    taken = [box for label in labels for box in label.boxes]
    grounds = dict(atlas.grounds)
    for id_, ground in atlas.grounds.items():
        if board.provinces[id_].is_sea and id_ in names:
            work = _Places(ground, grid, names, taken, grounds)
            grounds[id_] = replace(ground, slots=work.choose())
    return replace(atlas, grounds=grounds)


class _Places:
    """The places of one sea while they are chosen."""

    def __init__(
        self,
        ground: ProvinceDrawing,
        grid: Grid,
        names: Mapping[str, tuple[Box, ...]],
        taken: Sequence[Box],
        grounds: Mapping[str, ProvinceDrawing],
    ) -> None:
        self.ground, self.grid = ground, grid
        near = ground.box.grown(150.0)
        self.own = names[ground.id]
        self.others = [box for id_, boxes in names.items() if id_ != ground.id for box in boxes]
        self.taken = [box for box in taken if box.meets(near)]
        self.foreign = [
            slot
            for other in grounds.values()
            if other.id != ground.id
            for slot in other.slots
            if near.holds(slot)
        ]

    def choose(self) -> tuple[Point, ...]:
        """Return the places; those that are good as they are stay."""
        good = [self.fault(slot) == 0 for slot in self.ground.slots]
        chosen = [slot if ok else None for slot, ok in zip(self.ground.slots, good, strict=True)]
        inside = list(self.grid.list_middles(self.ground.id, self.ground.box))
        for i, slot in enumerate(self.ground.slots):
            if chosen[i] is None:
                fixed = [place for place in chosen if place is not None]
                near = [at for at in inside if distance(at, slot) < FARTHEST]
                chosen[i] = min([slot, *near], key=partial(self.cost, slot=slot, fixed=fixed))
        return tuple(place for place in chosen if place is not None)

    def fault(self, at: Point) -> float:
        """Return how much nearer a place is to another sea's name, or more if it lies outside."""
        if not self.grid.holds(self.ground.id, at):
            return 200.0
        if not self.others:
            return 0.0
        own, other = distance_from_boxes(at, self.own), distance_from_boxes(at, self.others)
        return max(0.0, own + CLEARLY - other)

    def cost(self, at: Point, slot: Point, fixed: Sequence[Point]) -> float:
        """Return the cost of a place instead of another."""
        fault = self.fault(at)
        room = square(at, _HALF)
        crowd = _count_crowd(at, fixed, APART + 14.0)
        crowd += _count_crowd(at, self.foreign, APART + 6.0)
        squares = self.grid.squares(room)
        abroad = squares.area - self.grid.count_owned(squares, self.ground.id)
        covered = sum(box.meets(room) for box in self.taken)
        return (
            (60.0 + fault if fault else 0.0)
            + 5.0 * crowd
            + 3.0 * abroad
            + 90.0 * covered
            + 0.3 * distance(at, slot)
        )


def _count_crowd(at: Point, others: Sequence[Point], apart: float) -> float:
    """Return by how much some places are nearer to a point than they should be, together."""
    x, y = at
    near = [place for place in others if abs(place[0] - x) < apart and abs(place[1] - y) < apart]
    return sum(max(0.0, apart - distance(at, place)) for place in near)
