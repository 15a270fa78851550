"""Cut a part out of a map, as a map of its own: names, units and arrows are placed for it.

A :class:`Crop` says which part and how large; :func:`cut_atlas` makes the drawing of it.
:mod:`~alexmagnum.draw.crop_windows` chooses a part for a player or some provinces.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from alexmagnum.draw.atlas import Atlas, Feature, NamePlace, ProvinceDrawing, Ring, bounding_box
from alexmagnum.draw.grid import Grid
from alexmagnum.draw.lens import Lens
from alexmagnum.draw.paths import cut_rings, distance, mean_point
from alexmagnum.draw.scene import Box, Point
from alexmagnum.draw.symbols import APART, RADIUS

LEAST_LETTER = 19.0
"""The smallest letter of a name: legible where the part is as wide as a telephone."""

_LETTERS = (21.0, 28.0)
"""The least and the greatest size of a name, before it has to be made smaller."""

_AROUND = 26.0
"""The width of what is drawn around the sheet, so that no border of a shape shows at its edge."""

_ROOM = RADIUS + 4.0
"""The distance from the edge of the sheet and from borders that a unit's symbol keeps."""

_CLOSED = frozenset({"impassable", "islets", "lake"})
"""The kinds of features that are areas."""


@dataclass(frozen=True, slots=True)
class Crop:
    """A part of a map: the window of the map that is drawn, and the width it is drawn in.

    ``insets``: crowded places are drawn again, larger.  ``steady``: legend and scoreboard stand in
    the same place on every picture, however many rows the legend has.
    """

    window: Box
    width: float
    insets: bool = True
    steady: bool = False

    @property
    def lens(self) -> Lens:
        """The way from the map to the sheet of the part."""
        height = self.window.height * self.width / self.window.width
        return Lens(self.window, Box(0.0, 0.0, self.width, height))


def cut_atlas(atlas: Atlas, crop: Crop) -> tuple[Atlas, Grid]:
    """Return a part of a map as an atlas of its own, with its grid.

    A unit whose place would lie outside the sheet stands in the part of its province that is
    visible.  Provinces without room for one are in ``beyond``; what is visible of them is drawn.
    """
    lens = crop.lens
    area = crop.window.grown(_AROUND / lens.scale)
    near = atlas.cut(area)
    grounds = {}
    for ground in near.grounds.values():
        rings = tuple(map(lens.line, _cut_closed(ground.rings, area)))
        if rings:
            grounds[ground.id] = _move_ground(ground, rings, lens)
    part = Atlas(
        lens.frame.height,
        grounds,
        tuple(_move_feature(feature, lens, area) for feature in near.features),
        tuple((lens(a), lens(b), kind) for a, b, kind in atlas.links),
        atlas.flat,
        crop.width,
        {id_: lens(mean_point(ground.slots)) for id_, ground in atlas.grounds.items()},
        LEAST_LETTER,
    )
    grid = Grid(part)
    fitted = {id_: _fit_ground(ground, grid, part.box) for id_, ground in grounds.items()}
    beyond = {id_: at for id_, at in part.beyond.items() if fitted.get(id_) is None}
    whole = {id_: fitted[id_] or ground for id_, ground in grounds.items()}
    return replace(part, grounds=whole, beyond=beyond), grid


def _cut_closed(rings: Iterable[Ring], area: Box) -> Iterator[Ring]:
    """Yield the parts of some rings around a box, each ending where it begins."""
    for part in cut_rings(rings, area):
        yield part if part[0] == part[-1] else (*part, part[0])


def _move_ground(ground: ProvinceDrawing, rings: tuple[Ring, ...], lens: Lens) -> ProvinceDrawing:
    """Return a province on the sheet of the part."""
    name = ground.name
    if name is not None:
        least, most = _LETTERS
        size = min(max(name.size * lens.scale**0.5, least), most)
        name = replace(name, at=lens(name.at), size=size)
    return ProvinceDrawing(
        ground.id,
        rings,
        _overlap(bounding_box(point for ring in rings for point in ring), lens.frame),
        lens.line(ground.slots),
        name,
        lens(ground.city) if ground.city else None,
        {coast: lens(at) for coast, at in ground.coasts.items()},
    )


def _overlap(a: Box, b: Box) -> Box:
    """Return the common part of two boxes, with no negative width or height."""
    left, top = max(a.left, b.left), max(a.top, b.top)
    return Box(left, top, max(min(a.right, b.right), left), max(min(a.bottom, b.bottom), top))


def _move_feature(feature: Feature, lens: Lens, area: Box) -> Feature:
    """Return a feature on the sheet of the part; areas are cut around it."""
    lines: Iterable[Ring] = feature.lines
    if feature.kind in _CLOSED:
        lines = _cut_closed(feature.lines, area)
    label = feature.label and replace(feature.label, at=lens(feature.label.at))
    return replace(feature, lines=tuple(map(lens.line, lines)), label=label)


# -- places on the sheet ---------------------------------------------------------------------------


def _fit_ground(ground: ProvinceDrawing, grid: Grid, sheet: Box) -> ProvinceDrawing | None:
    """Return a province with its units and its name on the sheet; None if they have no room."""
    inner = sheet.grown(-_ROOM)
    slots_fit = all(map(inner.holds, (*ground.slots, *ground.coasts.values())))
    if slots_fit and (ground.name is None or inner.holds(ground.name.at)):
        return ground
    free = list(_free_points(ground, grid, inner))
    if not free:
        return ground if slots_fit else None
    slots: list[Point] = [slot for slot in ground.slots if inner.holds(slot)]
    for slot in ground.slots[len(slots) :]:
        slots.append(_choose_place(slot, free, slots))
    coasts = {
        coast: at if inner.holds(at) else _choose_place(at, free, ())
        for coast, at in ground.coasts.items()
    }
    if not all(map(inner.holds, ground.slots)):
        ground = replace(ground, slots=tuple(slots))
    return replace(ground, coasts=coasts, name=_fit_name(ground, free, inner))


def _free_points(ground: ProvinceDrawing, grid: Grid, inner: Box) -> Iterator[Point]:
    """Yield the points of a province at which a unit's symbol has room on the sheet."""
    for x, y in grid.list_middles(ground.id, inner):
        around = ((x - 12, y), (x + 12, y), (x, y - 12), (x, y + 12))
        if all(grid.owner_at(point) == ground.id for point in around):
            yield x, y


def _choose_place(slot: Point, free: Sequence[Point], taken: Sequence[Point]) -> Point:
    """Return the free place that is nearest to a slot and not too near to those taken."""

    def cost(point: Point) -> tuple[float, float]:
        crowd = sum(max(0.0, APART + 6.0 - distance(point, other)) for other in taken)
        return crowd, distance(point, slot)

    return min(free, key=cost)


def _fit_name(ground: ProvinceDrawing, free: Sequence[Point], inner: Box) -> NamePlace | None:
    """Return the place of a province's name, moved into its visible part if it lies outside."""
    if ground.name is None or inner.holds(ground.name.at):
        return ground.name
    middle = mean_point(free)
    at = min(free, key=lambda point: distance(point, middle))
    return replace(ground.name, at=at, angle=0.0)
