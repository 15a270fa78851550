"""The drawing of a map, ready for the sheet: outlines, rivers, cities, places for names and units.

It is read from the map's file of shapes (``docs/maps.md``) and projected (Mercator) to drawing
units; a map without shapes gets a schematic one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from math import degrees, isfinite, log, radians, tan
from pathlib import Path
from typing import Any

from alexmagnum.board.geometry import read_shapes
from alexmagnum.board.load import read_json
from alexmagnum.board.model import Board
from alexmagnum.draw.scene import SHEET, Box, Point
from alexmagnum.errors import BadMap, Fault

Ring = tuple[Point, ...]

LARGEST = 200.0
"""The largest letter of a name, in drawing units."""

COURSES = ("river", "arm", "channel", "crossing", "portage")
"""The kinds of features that lead from one point to another."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a name stands: its middle, its lines, its size, and how it is turned (degrees)."""

    at: Point
    lines: tuple[str, ...]
    size: float
    angle: float = 0.0


@dataclass(frozen=True, slots=True)
class Ground:
    """A province on the sheet.

    ``box`` is around it; ``slots`` are the places for units, in a sea one to each number;
    ``coasts`` those of fleets on one of several coasts; ``city`` the place of its centre.
    """

    id: str
    rings: tuple[Ring, ...]
    box: Box
    slots: tuple[Point, ...]
    name: Spot | None = None
    city: Point | None = None
    coasts: Mapping[str, Point] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Feature:
    """Something drawn that is no province: ``kind`` as in the file, ``look`` its texture or
    symbol; ``lines`` are rings, courses or single points."""

    kind: str
    look: str
    lines: tuple[Ring, ...]
    name: str = ""


@dataclass(frozen=True, slots=True)
class Atlas:
    """All that is drawn of a map whatever stands on it.

    ``links`` are the borders that have to be drawn as lines, on a map without shapes; a ``flat``
    map is no part of the globe.
    """

    height: float
    grounds: Mapping[str, Ground]
    features: tuple[Feature, ...] = ()
    links: tuple[tuple[Point, Point, str], ...] = ()
    flat: bool = False

    @property
    def box(self) -> Box:
        return Box(0.0, 0.0, SHEET, self.height)

    def of(self, *kinds: str) -> Iterator[Feature]:
        """The features of some kinds, in the file's order."""
        return (feature for feature in self.features if feature.kind in kinds)

    def cut(self, box: Box) -> Atlas:
        """What of it meets a box: provinces as a whole, other features line by line."""
        grounds = {id_: g for id_, g in self.grounds.items() if g.box.meets(box)}
        features = [
            replace(feature, lines=lines)
            for feature in self.features
            if (lines := tuple(line for line in feature.lines if around(line).meets(box)))
        ]
        return replace(self, grounds=grounds, features=tuple(features))


def around(points: Iterable[Point]) -> Box:
    """The smallest box that holds the points."""
    xs, ys = zip(*points, strict=True)
    return Box(min(xs), min(ys), max(xs), max(ys))


def atlas_of(board: Board) -> Atlas:
    """The drawing of a board; a file of shapes is read once.

    Raises:
        BadFile: the file of shapes cannot be read.
        BadMap: it holds no shapes that can be drawn, or a province has none (``map check`` says
            more).
    """
    if board.geometry and Path(board.geometry).is_file():
        atlas = _read(board.geometry)
        missing = [id_ for id_ in board.provinces if id_ not in atlas.grounds]
        if missing:
            faults = tuple(
                Fault(f"provinces.{id_}", "shape-missing", {"province": id_}) for id_ in missing
            )
            raise BadMap("bad-shapes", board.geometry, faults)
        return atlas
    from alexmagnum.draw.schematic import schematic_atlas

    return schematic_atlas(board)


@cache
def _read(path: str) -> Atlas:
    raw = read_json(Path(path))
    _, faults = read_shapes(raw)
    if faults:
        raise BadMap("bad-shapes", path, faults)
    assert isinstance(raw, dict), "GeoJSON, or there are faults"
    return read_atlas(raw, path)


def read_atlas(raw: Mapping[str, Any], path: str = "") -> Atlas:
    """An atlas from a GeoJSON value whose shapes are known to be whole.

    Raises:
        BadMap: what is for drawing alone is no point, line or number where one is wanted.
    """
    with _faulty(path, "shapes.bbox"):
        project = Projection.of(raw)
    grounds: dict[str, Ground] = {}
    features: list[Feature] = []
    for i, item in enumerate(raw["features"]):
        with _faulty(path, f"shapes[{i}]"):
            properties = item["properties"]
            lines = tuple(project.ring(line) for line in _lines(item["geometry"]))
            if properties["kind"] == "province":
                grounds[item["id"]] = _ground(item["id"], properties, lines, project)
            else:
                features.append(_feature(properties, lines))
                if features[-1].kind in COURSES and min(map(len, lines)) < 2:
                    raise ValueError(item)
    return Atlas(project.height, grounds, tuple(features), flat=project.flat)


@contextmanager
def _faulty(path: str, where: str) -> Iterator[None]:
    """What is no drawing is a fault of the file at that place, whatever is wrong with it."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError):
        raise BadMap("bad-shapes", path, (Fault(where, "bad-drawing"),)) from None


def _feature(properties: Mapping[str, Any], lines: tuple[Ring, ...]) -> Feature:
    look = str(properties.get("texture") or properties.get("symbol") or "")
    if properties["kind"] == "impassable" and properties.get("terrain") == "sea":
        look = "sea"
    kind = str(properties["kind"]) if properties.get("main", True) else "arm"
    return Feature(kind, look, lines, str(properties.get("name", "")))


def _ground(
    id_: str, properties: Mapping[str, Any], rings: tuple[Ring, ...], project: Projection
) -> Ground:
    label, city = properties.get("label"), properties.get("city")
    name = None
    if label:
        lines = tuple(map(str, properties.get("label_lines") or [properties.get("name", id_)]))
        angle, size = float(properties.get("label_angle", 0.0)), properties.get("label_size", 17)
        if not (isfinite(angle) and 0 < size <= LARGEST):
            raise ValueError(properties)
        name = Spot(project(label), lines, float(size), angle)
    slots = tuple(project(slot) for slot in properties.get("units", ()))
    box = around(point for ring in rings for point in ring)
    coasts = {code: project(at) for code, at in properties.get("coasts", {}).items()}
    return Ground(
        id_, rings, box, slots or (box.middle,), name, project(city) if city else None, coasts
    )


def _lines(geometry: Mapping[str, Any]) -> Iterator[Any]:
    """The rings, courses or points of a geometry as lists of points."""
    coordinates = geometry["coordinates"]
    match geometry["type"]:
        case "Polygon" | "MultiLineString":
            yield from coordinates
        case "MultiPolygon":
            yield from (ring for piece in coordinates for ring in piece)
        case "Point":
            yield [coordinates]
        case "MultiPoint":
            yield from ([point] for point in coordinates)
        case _:
            yield coordinates


@dataclass(frozen=True, slots=True)
class Projection:
    """Mercator for longitudes and latitudes; ``scale`` is units to a degree of longitude.

    A file whose numbers cannot be degrees is taken to be drawn flat, its second coordinate
    upwards.
    """

    west: float
    north: float
    south: float
    scale: float
    flat: bool = False

    @classmethod
    def of(cls, raw: Mapping[str, Any]) -> Projection:
        """What fits the file's ``bbox``, or its provinces, into the sheet's width."""
        west, south, east, north = raw.get("bbox") or _bounds(raw)
        flat = not (-180 <= west < east <= 180 and -80 <= south < north <= 80)
        if not (west < east and south < north):
            raise ValueError(raw)
        return cls(west, north, south, SHEET / (east - west), flat)

    @property
    def height(self) -> float:
        return (self._up(self.north) - self._up(self.south)) * self.scale

    def __call__(self, point: Any) -> Point:
        x, y = point[0], point[1]
        return (x - self.west) * self.scale, (self._up(self.north) - self._up(y)) * self.scale

    def ring(self, points: Iterable[Any]) -> Ring:
        return tuple(self(point) for point in points)

    def _up(self, y: float) -> float:
        if self.flat:
            return y
        return degrees(log(tan(radians(45 + y / 2))))


def _bounds(raw: Mapping[str, Any]) -> tuple[float, float, float, float]:
    points = [
        point for item in raw["features"] for line in _lines(item["geometry"]) for point in line
    ]
    xs, ys = [point[0] for point in points], [point[1] for point in points]
    return min(xs), min(ys), max(xs), max(ys)
