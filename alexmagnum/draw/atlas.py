"""The drawing of a map before anything stands on it, as values in drawing units; its symbols."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import cos, pi, sin

from alexmagnum.draw.scene import SHEET, Box, Livery, Point, Token, distance, square
from alexmagnum.position import Unit

# The drawing of a map before anything stands on it, as values in drawing units.
#
# An :class:`Atlas` holds the outlines of the provinces, rivers, cities and the places of names
# and units. :mod:`~alexmagnum.draw.map_shapes` makes one from a file of shapes, and
# :mod:`~alexmagnum.draw.map_shapes` from a board's borders alone.


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
class PlacedNames:
    """The places of all names of a map in one language, which its file keeps.

    Attributes:
        digest: that of the map for which they were placed.
        names: the place of each province's name, and the height of its arc to its length.
        fleets: the places of fleets in the seas where they are others than the map's.
    """

    digest: str
    names: Mapping[str, tuple[NamePlace, float]]
    fleets: Mapping[str, tuple[Point, ...]]


@dataclass(frozen=True, slots=True)
class Atlas:
    """A map without units and owners, ready to be drawn.

    Attributes:
        links: the borders to be drawn as lines, with their kind; only schematic maps have any.
        flat: True for a map whose coordinates are not degrees on the globe.
        width: the width of the sheet; a part of a map may have a narrower one.
        beyond: where the provinces lie that a part of a map leaves out, in its coordinates.
        least_letter: the size of the smallest letters of a name.
        placed: the names that the map's file keeps, by language.
    """

    height: float
    grounds: Mapping[str, ProvinceDrawing]
    features: tuple[Feature, ...] = ()
    links: tuple[tuple[Point, Point, str], ...] = ()
    flat: bool = False
    width: float = SHEET
    beyond: Mapping[str, Point] = field(default_factory=dict)
    least_letter: float = SMALLEST
    placed: Mapping[str, PlacedNames] = field(default_factory=dict)

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


# The symbols of units, placed so that none covers another.


SIZE = 28.0
"""The height of a unit's symbol in drawing units."""

RADIUS = 14.0
"""The radius of the circle around a symbol that lines avoid."""

APART = 36.0
"""The least distance between the middles of two symbols: no two cover each other, from any side."""

_BESIDE = APART + 2.0
"""The distance of a dislodged unit, whose symbol is tilted, from the unit in its place."""


def unit_token(
    unit: Unit,
    name: str,
    livery: Livery,
    at: Point,
    *,
    state: str = "",
    about: tuple[str, str, str] | None = None,
) -> Token:
    """Return the symbol of a unit; ``about`` are the title, the order and the result."""
    number = unit.number if "#" in name else 0
    title, order, result = about or (name, "", "")
    return Token(
        name, unit.kind, unit.power, livery.letter, at, SIZE, number, state, title, order, result
    )


def find_place_beside(
    at: Point,
    taken: Sequence[Point],
    slots: Sequence[Point],
    names: Sequence[Box],
    is_own: Callable[[Point], bool],
) -> Point:
    """Return the best place for a symbol next to another.

    It avoids other symbols, names and the slots of units to which the unit may retreat, and stays
    in its own province if that has room.
    """

    def cost(place: Point) -> float:
        crowd = sum(max(0.0, _BESIDE - distance(place, other)) for other in taken)
        box = square(place, RADIUS - 2)
        crowd += sum(max(0.0, APART + 8.0 - distance(place, slot)) for slot in slots if slot != at)
        crowd += sum(7.5 for name in names if box.meets(name))
        return crowd * 2 + (0.0 if is_own(place) else 90.0)

    turns = [0.25 * pi + k * pi / 6 for k in range(12)]
    around = [
        (at[0] + far * cos(t), at[1] + far * sin(t))
        for far in (_BESIDE, _BESIDE * 1.3, _BESIDE * 1.7)
        for t in turns
    ]
    return min(around, key=cost)


# The way from the map to a frame that shows a part of it larger.


@dataclass(frozen=True, slots=True)
class Lens:
    """The way from the map's coordinates into a frame that shows a window of the map larger."""

    window: Box
    frame: Box

    @property
    def scale(self) -> float:
        """The magnification of the window."""
        return self.frame.width / self.window.width

    def __call__(self, point: Point) -> Point:
        """Return a point of the map in the frame."""
        k = self.scale
        return (
            self.frame.left + (point[0] - self.window.left) * k,
            self.frame.top + (point[1] - self.window.top) * k,
        )

    def inverse(self, point: Point) -> Point:
        """Return the point of the map that a point of the frame shows."""
        k = self.scale
        return (
            self.window.left + (point[0] - self.frame.left) / k,
            self.window.top + (point[1] - self.frame.top) / k,
        )

    def line(self, points: Iterable[Point]) -> tuple[Point, ...]:
        """Return a line of the map in the frame."""
        return tuple(map(self, points))

    def box(self, box: Box) -> Box:
        """Return a box of the map in the frame."""
        return Box(*self((box.left, box.top)), *self((box.right, box.bottom)))
