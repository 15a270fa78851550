"""The shapes of a map: reading them, and which of them touch.

Two shapes touch where their outlines share segments.  Shapes that share their vertices (an
exact coverage) are matched segment by segment; what is left over is compared as lines, so that
neighbours may also divide a common straight border differently or lie apart by ``SLACK`` of
the map's size.  Outlines drawn apart by more than that are taken not to touch; nothing here
looks for overlaps.

Coordinates are whatever the file uses (lon/lat or anything else): only ratios count.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import floor, hypot, isfinite
from typing import Any

from alexmagnum.errors import Fault

Point = tuple[float, float]
Ring = tuple[Point, ...]
Segment = tuple[Point, Point]

SLACK = 0.0005
"""How far apart outlines may lie that are meant to touch, as a part of the map's diagonal."""

SHORTEST = 0.001
"""The shortest common outline that counts as touching, as a part of the map's diagonal."""

_CELLS = 200  # the grid in which neighbours are looked for, cells to the diagonal


@dataclass(frozen=True, slots=True)
class Shape:
    """The outline of a province or of an impassable sector, with the places for its drawing.

    ``rings`` holds the outer rings and the holes of all pieces; ``label`` is the middle of its
    name, ``units`` the places for unit symbols.
    """

    id: str
    kind: str
    rings: tuple[Ring, ...]
    label: Point | None = None
    units: tuple[Point, ...] = ()

    def holds(self, point: Point) -> bool:
        """Whether the point lies inside (crossings of a ray, counted over all rings)."""
        x, y = point
        inside = False
        for (x1, y1), (x2, y2) in self.segments():
            if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
                inside = not inside
        return inside

    def segments(self) -> Iterator[Segment]:
        """All segments of the outline."""
        for ring in self.rings:
            yield from pairwise(ring)


def read_shapes(raw: object) -> tuple[dict[str, Shape], tuple[Fault, ...]]:
    """The province and impassable features of a GeoJSON value by id, and what is wrong there.

    Features of other kinds (rivers, cities, relief) are for drawing only and are passed over.
    """
    features = raw.get("features") if isinstance(raw, dict) else None
    if not isinstance(features, list):
        return {}, (Fault("shapes", "not-geojson"),)
    shapes: dict[str, Shape] = {}
    faults: list[Fault] = []
    for i, feature in enumerate(features):
        properties = feature.get("properties") if isinstance(feature, dict) else None
        if not isinstance(properties, dict):
            faults.append(Fault(f"shapes[{i}]", "not-feature"))
        elif properties.get("kind") in ("province", "impassable"):
            shape = _shape(feature, properties)
            if shape is None:
                faults.append(Fault(f"shapes[{i}]", "bad-shape", {"id": str(feature.get("id"))}))
            elif shapes.setdefault(shape.id, shape) is not shape:
                faults.append(Fault(f"shapes[{i}]", "duplicate-id", {"id": shape.id}))
    return shapes, tuple(faults)


def _shape(feature: dict[str, Any], properties: dict[str, Any]) -> Shape | None:
    """The shape of a feature, or None where its geometry or its points are unusable."""
    rings = _rings(feature.get("geometry"))
    label, units = properties.get("label"), properties.get("units", [])
    if not isinstance(feature.get("id"), str) or not rings or not isinstance(units, list):
        return None
    slots = [_point(unit) for unit in units]
    if None in slots or (label is not None and _point(label) is None):
        return None
    found = tuple(slot for slot in slots if slot is not None)
    return Shape(feature["id"], properties["kind"], rings, _point(label), found)


def _rings(geometry: object) -> tuple[Ring, ...]:
    """All rings of a Polygon or MultiPolygon; empty where any of it is unusable."""
    if not isinstance(geometry, dict):
        return ()
    pieces = geometry.get("coordinates")
    if geometry.get("type") == "Polygon":
        pieces = [pieces]
    elif geometry.get("type") != "MultiPolygon":
        return ()
    if not isinstance(pieces, list) or not all(isinstance(piece, list) for piece in pieces):
        return ()
    rings = [_ring(ring) for piece in pieces for ring in piece]
    return tuple(rings) if all(rings) else ()


def _ring(raw: object) -> Ring:
    points = [_point(item) for item in raw] if isinstance(raw, list) else []
    ring = tuple(point for point in points if point is not None)
    closed = len(ring) == len(points) > 3 and ring[0] == ring[-1]
    return ring if closed else ()


def _point(raw: object) -> Point | None:
    if not isinstance(raw, list) or len(raw) < 2:
        return None
    if not all(type(n) in (int, float) and abs(n) < 1e9 and isfinite(n) for n in raw[:2]):
        return None
    return float(raw[0]), float(raw[1])


def contacts(shapes: Mapping[str, Shape]) -> dict[tuple[str, str], float]:
    """Pairs of shapes that touch (ids in order), with the length of their common outline."""
    size = diagonal(shapes)
    shared: dict[tuple[str, str], float] = defaultdict(float)
    owners = _owners(shapes, size * SLACK / 100)
    alone: list[tuple[str, Segment]] = []
    for (a, b), ids in owners.items():
        if len(ids) == 1:
            alone.append((next(iter(ids)), (a, b)))
        for pair in combinations(sorted(ids), 2):
            shared[pair] += hypot(b[0] - a[0], b[1] - a[1])
    for one, two in _neighbours(alone, size / _CELLS):
        length = _common(one[1], two[1], size * SLACK)
        if length:
            shared[min(one[0], two[0]), max(one[0], two[0])] += length
    return {pair: length for pair, length in shared.items() if length > size * SHORTEST}


def diagonal(shapes: Mapping[str, Shape]) -> float:
    """The size of the map: the diagonal of the box around all shapes."""
    points = [p for shape in shapes.values() for ring in shape.rings for p in ring]
    if not points:
        return 0.0
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    return hypot(max(xs) - min(xs), max(ys) - min(ys))


def _owners(shapes: Mapping[str, Shape], grain: float) -> dict[Segment, set[str]]:
    """The shapes on whose outline each segment is; vertices are put on a grid of ``grain``."""
    grain = grain or 1.0
    snapped: dict[Point, Point] = {}
    owners: dict[Segment, set[str]] = defaultdict(set)
    for shape in shapes.values():
        for ring in shape.rings:
            line = []
            for p in ring:
                key = (float(round(p[0] / grain)), float(round(p[1] / grain)))
                line.append(snapped.setdefault(key, p))
            for a, b in pairwise(line):
                if a != b:
                    owners[(a, b) if a < b else (b, a)].add(shape.id)
    return owners


def _neighbours(
    segments: list[tuple[str, Segment]], cell: float
) -> Iterator[tuple[tuple[str, Segment], tuple[str, Segment]]]:
    """Pairs of segments of different shapes that come near each other, each pair once."""
    if not cell:
        return
    grid: dict[tuple[int, int], list[int]] = defaultdict(list)
    seen: set[tuple[int, int]] = set()
    for i, (owner, ((x1, y1), (x2, y2))) in enumerate(segments):
        for cx in range(floor(min(x1, x2) / cell - 0.2), floor(max(x1, x2) / cell + 0.2) + 1):
            for cy in range(floor(min(y1, y2) / cell - 0.2), floor(max(y1, y2) / cell + 0.2) + 1):
                for j in grid[cx, cy]:
                    if segments[j][0] != owner and (j, i) not in seen:
                        seen.add((j, i))
                        yield segments[j], segments[i]
                grid[cx, cy].append(i)


def _common(one: Segment, two: Segment, slack: float) -> float:
    """The length over which two segments run side by side no further apart than ``slack``."""
    if hypot(one[1][0] - one[0][0], one[1][1] - one[0][1]) < hypot(
        two[1][0] - two[0][0], two[1][1] - two[0][1]
    ):
        one, two = two, one
    (x1, y1), (x2, y2) = one
    length = hypot(x2 - x1, y2 - y1)
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    along = []
    for x, y in two:
        if abs((x - x1) * uy - (y - y1) * ux) > slack:
            return 0.0
        along.append((x - x1) * ux + (y - y1) * uy)
    return max(0.0, min(length, max(along)) - max(0.0, min(along)))
