"""The description of a picture: what is drawn and where, in no particular file format.

Lengths are drawing units: the sheet of a map is :data:`SHEET` of them wide.  The looks are the
classes that the template's style sheet knows.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from alexmagnum.draw.palette import Livery

Point = tuple[float, float]
"""Across and down from the upper left corner, in drawing units."""

SHEET = 2400.0
"""The width of the map in drawing units."""


@dataclass(frozen=True, slots=True)
class Box:
    """An upright rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """The width of the box."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """The height of the box."""
        return self.bottom - self.top

    @property
    def middle(self) -> Point:
        """The middle of the box."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def grown(self, by: float) -> Box:
        """Return the box with more room on every side."""
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def meets(self, other: Box) -> bool:
        """Return whether two boxes overlap."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def meets_any(self, others: Iterable[Box]) -> bool:
        """Return whether the box overlaps at least one of several."""
        left, top, right, bottom = self.left, self.top, self.right, self.bottom
        for other in others:
            across = left < other.right and other.left < right
            if across and top < other.bottom and other.top < bottom:
                return True
        return False

    def encloses(self, other: Box) -> bool:
        """Return whether all of another box is in the box."""
        return (
            self.left <= other.left
            and other.right <= self.right
            and self.top <= other.top
            and other.bottom <= self.bottom
        )

    def holds(self, point: Point) -> bool:
        """Return whether a point is in the box."""
        return self.left <= point[0] <= self.right and self.top <= point[1] <= self.bottom


def square(middle: Point, half: float) -> Box:
    """Return the square around a point; ``half`` is half its side."""
    return Box(*middle, *middle).grown(half)


@dataclass(frozen=True, slots=True)
class Shape:
    """A path.  ``d`` is path data, or ``#id`` for a shape among the scene's ``outlines``.

    ``province`` says whose outline it is, where that is of interest; ``fill`` a colour or
    a pattern's ``#id`` where the look does not say it; ``width`` likewise that of the line.
    """

    d: str
    look: str
    province: str = ""
    title: str = ""
    fill: str = ""
    width: float = 0.0


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text, its middle (or start) at a point of the baseline.

    ``angle`` turns it about that point (degrees, clockwise); ``curve`` is path data that the
    baseline follows instead, the text's middle at the middle of the path.  ``province`` is the
    province whose name it is.
    """

    text: str
    at: Point
    size: float
    look: str
    angle: float = 0.0
    curve: str = ""
    province: str = ""


@dataclass(frozen=True, slots=True)
class Token:
    """A unit's symbol.

    ``unit`` is its canonical name; ``letter`` that of its power, ``number`` its place in a sea
    (0: not shown); ``size`` the symbol's height; ``state`` is ``""``, ``"dislodged"`` or
    ``"ghost"``; ``order`` and ``result`` are what is told of it on touch.
    """

    unit: str
    kind: str
    power: str
    letter: str
    at: Point
    size: float
    number: int = 0
    state: str = ""
    title: str = ""
    order: str = ""
    result: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """The drawing of one order: arrows, lines and signs that belong together.

    ``look`` is the kind of order (``move``, ``support``, ``convoy``...), ``to`` the province
    that it is about, where there is one.
    """

    unit: str
    power: str
    look: str
    result: str
    shapes: tuple[Shape | Text, ...]
    title: str = ""
    to: str = ""


Item = Shape | Text | Token | Mark


@dataclass(frozen=True, slots=True)
class Layer:
    """Items drawn one after the other; ``key`` names the layer, ``view`` the picture to which it
    belongs where several are in one."""

    key: str
    items: tuple[Item, ...]
    view: str = ""


@dataclass(frozen=True, slots=True)
class Inset:
    """A part of the map drawn larger: ``window`` is what it shows, ``frame`` where it stands.

    ``ground`` is drawn in the map's own coordinates and enlarged; ``layers`` are in those of the
    sheet, so that symbols and letters keep their size.  ``view`` is as in a layer.
    """

    window: Box
    frame: Box
    ground: tuple[Shape, ...]
    layers: tuple[Layer, ...]
    view: str = ""

    @property
    def scale(self) -> float:
        """The magnification of the inset."""
        return self.frame.width / self.window.width


@dataclass(frozen=True, slots=True)
class Scene:
    """A whole picture.

    ``box`` is all that is seen, the frame included; ``outlines`` are the provinces' path data by
    id, written once and used often; ``liveries`` how the powers look; ``title`` and
    ``description`` are for those who cannot see it.  One that is not ``opaque`` is without paper
    and lies over another.
    """

    box: Box
    title: str
    description: str
    outlines: tuple[tuple[str, str], ...]
    layers: tuple[Layer, ...]
    liveries: tuple[Livery, ...] = ()
    insets: tuple[Inset, ...] = field(default=())
    opaque: bool = True
