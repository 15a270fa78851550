"""The shapes of a map: reading them, and finding which of them touch.

Two shapes touch where their outlines share segments.  Shapes that share their vertices are
matched segment by segment.  The rest is compared as lines, so that neighbours may divide a
common straight border differently, or lie apart by ``SLACK`` of the map's size.  Outlines that
lie further apart do not touch; nothing here looks for overlaps.

Coordinates are in whatever unit the file uses: only ratios count.

Shapely finds the same contacts, but takes six times as long on our map and a third of a second
to load, and the check of a map would need it and NumPy.  So the tests compare with it instead.
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
"""The largest gap between outlines that count as touching, as a part of the map's diagonal."""

SHORTEST = 0.001
"""The shortest common outline that counts as touching, as a part of the map's diagonal."""

_CELLS = 200  # the grid in which neighbours are looked for, cells to the diagonal


@dataclass(frozen=True, slots=True)
class Shape:
    """The outline of one province or impassable sector, with the places of what is drawn in it.

    ``rings``: the outer rings and the holes of all pieces; ``label``: the middle of its name;
    ``units``: the places of unit symbols.
    """

    id: str
    kind: str
    rings: tuple[Ring, ...]
    label: Point | None = None
    units: tuple[Point, ...] = ()

    def holds(self, point: Point) -> bool:
        """Tell whether a point lies inside, counting the crossings of a ray over all rings."""
        x, y = point
        inside = False
        for (x1, y1), (x2, y2) in self.segments():
            if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
                inside = not inside
        return inside

    def segments(self) -> Iterator[Segment]:
        """Yield all segments of the outline."""
        for ring in self.rings:
            yield from pairwise(ring)


def read_shapes(raw: object) -> tuple[dict[str, Shape], tuple[Fault, ...]]:
    """Return the provinces and impassable sectors of a GeoJSON value by id, and their faults.

    Features of other kinds (rivers, cities, relief) are for drawing only and are skipped.
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
            shape = _read_shape(feature, properties)
            if shape is None:
                faults.append(Fault(f"shapes[{i}]", "bad-shape", {"id": str(feature.get("id"))}))
            elif shapes.setdefault(shape.id, shape) is not shape:
                faults.append(Fault(f"shapes[{i}]", "duplicate-id", {"id": shape.id}))
    return shapes, tuple(faults)


def _read_shape(feature: dict[str, Any], properties: dict[str, Any]) -> Shape | None:
    """Return the shape of a feature, or None if its geometry or its points are unusable."""
    rings = _read_rings(feature.get("geometry"))
    label, units = properties.get("label"), properties.get("units", [])
    if not isinstance(feature.get("id"), str) or not rings or not isinstance(units, list):
        return None
    slots = [_read_point(unit) for unit in units]
    if None in slots or (label is not None and _read_point(label) is None):
        return None
    found = tuple(slot for slot in slots if slot is not None)
    return Shape(feature["id"], properties["kind"], rings, _read_point(label), found)


def _read_rings(geometry: object) -> tuple[Ring, ...]:
    """Return all rings of a Polygon or MultiPolygon; none if any part of it is unusable."""
    if not isinstance(geometry, dict):
        return ()
    pieces = geometry.get("coordinates")
    if geometry.get("type") == "Polygon":
        pieces = [pieces]
    elif geometry.get("type") != "MultiPolygon":
        return ()
    if not isinstance(pieces, list) or not all(isinstance(piece, list) for piece in pieces):
        return ()
    rings = [_read_ring(ring) for piece in pieces for ring in piece]
    return tuple(rings) if all(rings) else ()


def _read_ring(raw: object) -> Ring:
    points = [_read_point(item) for item in raw] if isinstance(raw, list) else []
    ring = tuple(point for point in points if point is not None)
    closed = len(ring) == len(points) > 3 and ring[0] == ring[-1]
    return ring if closed else ()


def _read_point(raw: object) -> Point | None:
    if not isinstance(raw, list) or len(raw) < 2:
        return None
    if not all(type(n) in (int, float) and abs(n) < 1e9 and isfinite(n) for n in raw[:2]):
        return None
    return float(raw[0]), float(raw[1])


def find_contacts(shapes: Mapping[str, Shape]) -> dict[tuple[str, str], float]:
    """Return the pairs of shapes that touch (ids in order), with the length they share."""
    size = diagonal(shapes)
    shared: dict[tuple[str, str], float] = defaultdict(float)
    owners = _find_owners(shapes, size * SLACK / 100)
    alone: list[tuple[str, Segment]] = []
    for (a, b), ids in owners.items():
        if len(ids) == 1:
            alone.append((next(iter(ids)), (a, b)))
        for pair in combinations(sorted(ids), 2):
            shared[pair] += hypot(b[0] - a[0], b[1] - a[1])
    for one, two in _list_near_pairs(alone, size / _CELLS):
        length = _shared_length(one[1], two[1], size * SLACK)
        if length:
            shared[min(one[0], two[0]), max(one[0], two[0])] += length
    return {pair: length for pair, length in shared.items() if length > size * SHORTEST}


def diagonal(shapes: Mapping[str, Shape]) -> float:
    """Return the size of the map: the diagonal of the box around all shapes."""
    points = [p for shape in shapes.values() for ring in shape.rings for p in ring]
    if not points:
        return 0.0
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    return hypot(max(xs) - min(xs), max(ys) - min(ys))


def _find_owners(shapes: Mapping[str, Shape], grain: float) -> dict[Segment, set[str]]:
    """Return by segment the shapes whose outline it is on; vertices snap to a grid of ``grain``."""
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


def _list_near_pairs(
    segments: list[tuple[str, Segment]], cell: float
) -> Iterator[tuple[tuple[str, Segment], tuple[str, Segment]]]:
    """Yield each pair of segments of different shapes that come near each other, once."""
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


def _shared_length(one: Segment, two: Segment, slack: float) -> float:
    """Return the length over which two segments run side by side, at most ``slack`` apart."""
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
