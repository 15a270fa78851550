"""The drawing of a map from its file of shapes.

``docs/maps.md`` describes the file; it is projected (Mercator) to drawing units.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from math import degrees, hypot, isfinite, log, radians, tan
from pathlib import Path
from typing import Any

from alexmagnum.board.map_check import read_shapes
from alexmagnum.board.map_file import MOST
from alexmagnum.board.model import Board
from alexmagnum.draw import atlas as atlases
from alexmagnum.draw.scene import SHEET, Point, distance
from alexmagnum.errors import BadMap, Fault
from alexmagnum.files import is_line, read_json

LARGEST = 200.0
"""The largest size of a name's letters, in drawing units."""

LETTERS = 200
"""The most letters of a name, on all its lines."""

THINNEST = 100
"""The most that a map may be high for its width or wide for its height, and that its box may be
larger or smaller than its shapes."""

_LONGEST, _DENSEST = 500, 500
"""The most that all lines of a file may be long together, for the diagonal of the map; the most
lines of a feature that are beside each other."""

_SQUARE = 1.9
"""The width of a map for its height below which it is drawn on a narrower sheet: its symbols take
as much of the picture as those of wide maps."""

COURSES = ("river", "arm", "channel", "crossing", "portage")
"""The kinds of features that lead from one point to another."""


def load_atlas(board: Board) -> atlases.Atlas:
    """Return the drawing of a board; a file of shapes is read once in a process.

    Raises:
        BadFile: the file of shapes cannot be read.
        BadMap: the file holds no shapes that can be drawn, or a province has none
            (``map check`` says more).
    """
    if board.geometry and Path(board.geometry).is_file():
        atlas = _read_file(board.geometry)
        if missing := [id_ for id_ in board.provinces if id_ not in atlas.grounds]:
            faults = tuple(
                Fault(f"provinces.{id_}", "shape-missing", {"province": id_}) for id_ in missing
            )
            raise BadMap("bad-shapes", board.geometry, faults)
        return atlas
    from alexmagnum.draw.layout import schematic_atlas  # loads what lays out graphs

    return schematic_atlas(board)


@cache
def _read_file(path: str) -> atlases.Atlas:
    raw = read_json(Path(path))
    _, faults = read_shapes(raw)
    if faults:
        raise BadMap("bad-shapes", path, faults)
    assert isinstance(raw, dict), "GeoJSON, or there are faults"
    return read_atlas(raw, path)


def read_atlas(raw: Mapping[str, Any], path: str = "") -> atlases.Atlas:
    """Return the atlas of a GeoJSON value in which ``read_shapes`` found no faults.

    Raises:
        BadMap: a value used for drawing alone is not a point, line or number as it should be, or
            the lines are very long.
    """
    with _drawing_fault(path, "shapes.bbox"):
        project = Projection.of(raw)
    grounds: dict[str, atlases.ProvinceDrawing] = {}
    features: list[atlases.Feature] = []
    for i, item in enumerate(raw["features"]):
        with _drawing_fault(path, f"shapes[{i}]"):
            properties = item["properties"]
            lines = tuple(project.ring(line) for line in _lines(item["geometry"]))
            if properties["kind"] == "province":
                grounds[item["id"]] = _ground(item["id"], properties, lines, project)
            else:
                features.append(_feature(properties, lines, project))
                if features[-1].kind in COURSES and min(map(len, lines)) < 2:
                    raise ValueError(item)
    drawn = [*(ground.rings for ground in grounds.values()), *(each.lines for each in features)]
    if _is_dense(drawn, _LONGEST * hypot(project.width, project.height)):
        raise BadMap("bad-shapes", path, (Fault("shapes", "shapes-dense"),))
    with _drawing_fault(path, "names"):
        placed = {str(lang): _placed_names(kept) for lang, kept in raw.get("names", {}).items()}
        if any(kept.names.keys() != grounds.keys() for kept in placed.values()):
            raise ValueError(placed)
    return atlases.Atlas(
        project.height,
        grounds,
        tuple(features),
        flat=project.flat,
        width=project.width,
        placed=placed,
    )


def _is_dense(features: Iterable[Iterable[atlases.Ring]], longest: float) -> bool:
    """Return whether so many lines lie side by side, or are so long, that drawing takes long."""
    for lines in features:
        rows: Counter[int] = Counter()
        for a, b in (side for line in lines for side in pairwise(line)):
            longest -= distance(a, b)
            if longest < 0:
                return True
            rows.update(
                range(
                    int(min(a[1], b[1]) // atlases.CELL), int(max(a[1], b[1]) // atlases.CELL) + 1
                )
            )
        if max(rows.values(), default=0) > _DENSEST:
            return True
    return False


def _placed_names(kept: Mapping[str, Any]) -> atlases.PlacedNames:
    """Return the names of a language, as ``tools/place_names.py`` writes them."""
    names = {
        id_: (atlases.NamePlace((float(x), float(y)), tuple(map(str, lines)), size, angle), bend)
        for id_, ((x, y), lines, size, angle, bend) in kept["names"].items()
    }
    for at, bend in names.values():
        letters = sum(map(len, at.lines))
        if not (0 < at.size <= LARGEST and isfinite(at.angle + bend) and letters <= LETTERS):
            raise ValueError(names)
    fleets = {id_: tuple((float(x), float(y)) for x, y in at) for id_, at in kept["fleets"].items()}
    if any(len(at) > MOST for at in fleets.values()):
        raise ValueError(fleets)
    return atlases.PlacedNames(kept["digest"], names, fleets)


@contextmanager
def _drawing_fault(path: str, where: str) -> Iterator[None]:
    """Turn any error while reading a value into a fault of the file at that place."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError):
        raise BadMap("bad-shapes", path, (Fault(where, "bad-drawing"),)) from None


def _feature(
    properties: Mapping[str, Any], lines: tuple[atlases.Ring, ...], project: Projection
) -> atlases.Feature:
    look = str(properties.get("texture") or properties.get("symbol") or "")
    if properties["kind"] == "impassable" and properties.get("terrain") == "sea":
        look = "sea"
    kind = str(properties["kind"]) if properties.get("main", True) else "arm"
    name = properties.get("name", "")
    names = {str(lang): str(text) for lang, text in name.items()} if isinstance(name, dict) else {}
    first = next(iter(names.values()), "") if names else str(name)
    label = _name_place(properties, (first,), project) if first else None
    if not all(map(is_line, names.values())):
        raise ValueError(names)
    return atlases.Feature(kind, look, lines, first, names, label)


def _ground(
    id_: str, properties: Mapping[str, Any], rings: tuple[atlases.Ring, ...], project: Projection
) -> atlases.ProvinceDrawing:
    city = properties.get("city")
    lines = tuple(map(str, properties.get("label_lines") or [properties.get("name", id_)]))
    name = _name_place(properties, lines, project)
    slots = tuple(project(slot) for slot in properties.get("units", ()))
    box = atlases.bounding_box(point for ring in rings for point in ring)
    coasts = {code: project(at) for code, at in properties.get("coasts", {}).items()}
    if len(coasts) > MOST:
        raise ValueError(coasts)
    return atlases.ProvinceDrawing(
        id_, rings, box, slots or (box.middle,), name, project(city) if city else None, coasts
    )


def _name_place(
    properties: Mapping[str, Any], lines: tuple[str, ...], project: Projection
) -> atlases.NamePlace | None:
    """Return the place that the file gives to a name, None if it gives none."""
    if not (label := properties.get("label")):
        return None
    angle, size = float(properties.get("label_angle", 0.0)), properties.get("label_size", 17)
    if not (isfinite(angle) and 0 < size <= LARGEST and sum(map(len, lines)) <= LETTERS):
        raise ValueError(properties)
    return atlases.NamePlace(project(label), lines, float(size), angle)


def _lines(geometry: Mapping[str, Any]) -> Iterator[Any]:
    """Yield the rings, courses or points of a geometry as lists of points."""
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
    """The way from a file's coordinates to drawing units: Mercator for degrees.

    ``scale`` is the drawing units of a degree of longitude.  A file whose numbers cannot be
    degrees counts as flat; its second coordinate points up.
    """

    west: float
    north: float
    south: float
    scale: float
    flat: bool = False
    width: float = SHEET

    @classmethod
    def of(cls, raw: Mapping[str, Any]) -> Projection:
        """Return the projection that fits the file's ``bbox``, or else its provinces, into the
        width of the sheet, which is less for a map that is high.

        Raises:
            ValueError: the ``bbox`` is empty, upside down, thin, or of another size than the map.
        """
        drawn = _bounds(raw)
        west, south, east, north = raw.get("bbox") or drawn
        flat = not (-180 <= west < east <= 180 and -80 <= south < north <= 80)
        if not (west < east and south < north):
            raise ValueError(raw)
        whole = cls(west, north, south, SHEET / (east - west), flat)
        parts = (drawn[2] - drawn[0]) / (east - west), (drawn[3] - drawn[1]) / (north - south)
        if not all(1 / THINNEST < each < THINNEST for each in (*parts, whole.height / SHEET)):
            raise ValueError(raw)
        wide = min(1.0, (SHEET / whole.height / _SQUARE) ** 0.5)
        return replace(whole, scale=whole.scale * wide, width=SHEET * wide)

    @property
    def height(self) -> float:
        """The height of the map in drawing units."""
        return (self._northing(self.north) - self._northing(self.south)) * self.scale

    def __call__(self, point: Any) -> Point:
        """Return a point of the file in drawing units."""
        x, y = point[0], point[1]
        return (x - self.west) * self.scale, (
            self._northing(self.north) - self._northing(y)
        ) * self.scale

    def ring(self, points: Iterable[Any]) -> atlases.Ring:
        """Return the points of a line of the file in drawing units."""
        return tuple(self(point) for point in points)

    def _northing(self, y: float) -> float:
        """Return how far north a latitude lies, in degrees of longitude at the equator."""
        return y if self.flat else degrees(log(tan(radians(45 + y / 2))))


def _bounds(raw: Mapping[str, Any]) -> tuple[float, float, float, float]:
    """Return the west, south, east and north edge of a file's features."""
    points = [
        point for item in raw["features"] for line in _lines(item["geometry"]) for point in line
    ]
    xs, ys = [point[0] for point in points], [point[1] for point in points]
    return min(xs), min(ys), max(xs), max(ys)
