"""The drawing of a map before anything stands on it, as values in drawing units.

An :class:`Atlas` holds the outlines of the provinces, rivers, cities and the places of names and
units.  :mod:`~alexmagnum.draw.map_shapes` makes one from a file of shapes, and
:mod:`~alexmagnum.draw.schematic` from a board's borders alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from alexmagnum.draw.scene import SHEET, Box, Point

SMALLEST = 14.5
"""The smallest letter: legible in a picture in a mail, which is two thirds of the sheet."""

Ring = tuple[Point, ...]
"""The outline of an area, or the course of a line, as its points."""


@dataclass(frozen=True, slots=True)
class NamePlace:
    """The place of a province's name: its middle, lines, size of letters and angle (degrees)."""

    at: Point
    lines: tuple[str, ...]
    size: float
    angle: float = 0.0


@dataclass(frozen=True, slots=True)
class ProvinceDrawing:
    """A province on the sheet.

    Attributes:
        box: the smallest box around its rings.
        slots: the places for units; a sea has one for each number.
        coasts: the places for fleets, by coast, in a province with several coasts.
        city: the place of its supply centre.
    """

    id: str
    rings: tuple[Ring, ...]
    box: Box
    slots: tuple[Point, ...]
    name: NamePlace | None = None
    city: Point | None = None
    coasts: Mapping[str, Point] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Feature:
    """Something on the map besides provinces, such as a river or a mountain.

    Attributes:
        kind: the kind of feature, as in the file of shapes.
        look: its texture or symbol.
        lines: its rings, courses or single points.
        name: its name; the first language of the map's file, if there are several.
        names: its name by language, if it is lettered on the map.
        label: the place of the lettering.
        boxes: the bounding box of each of the lines.
    """

    kind: str
    look: str
    lines: tuple[Ring, ...]
    name: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    label: NamePlace | None = None
    boxes: tuple[Box, ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "boxes", tuple(map(bounding_box, self.lines)))

    def lines_near(self, box: Box) -> tuple[Ring, ...]:
        """Return the lines whose bounding boxes meet a box."""
        lines = zip(self.lines, self.boxes, strict=True)
        return tuple(line for line, around in lines if around.meets(box))


@dataclass(frozen=True, slots=True)
class Atlas:
    """A map without units and owners, ready to be drawn.

    Attributes:
        links: the borders to be drawn as lines, with their kind; only schematic maps have any.
        flat: True for a map whose coordinates are not degrees on the globe.
        width: the width of the sheet; a part of a map may have a narrower one.
        beyond: where the provinces lie that a part of a map leaves out, in its coordinates.
        least_letter: the size of the smallest letters of a name.
    """

    height: float
    grounds: Mapping[str, ProvinceDrawing]
    features: tuple[Feature, ...] = ()
    links: tuple[tuple[Point, Point, str], ...] = ()
    flat: bool = False
    width: float = SHEET
    beyond: Mapping[str, Point] = field(default_factory=dict)
    least_letter: float = SMALLEST

    @property
    def box(self) -> Box:
        """The whole sheet."""
        return Box(0.0, 0.0, self.width, self.height)

    @property
    def is_part(self) -> bool:
        """Tell whether this is a part of a map, which has other provinces around it."""
        return bool(self.beyond)

    def of(self, *kinds: str) -> Iterator[Feature]:
        """Yield the features of some kinds, in the file's order."""
        return (feature for feature in self.features if feature.kind in kinds)

    def cut(self, box: Box) -> Atlas:
        """Return the part that meets a box: whole provinces, other features line by line."""
        grounds = {id_: g for id_, g in self.grounds.items() if g.box.meets(box)}
        features = [
            replace(feature, lines=lines)
            for feature in self.features
            if (lines := feature.lines_near(box))
        ]
        return replace(self, grounds=grounds, features=tuple(features))


def bounding_box(points: Iterable[Point]) -> Box:
    """Return the smallest box that holds the points."""
    xs, ys = zip(*points, strict=True)
    return Box(min(xs), min(ys), max(xs), max(ys))
