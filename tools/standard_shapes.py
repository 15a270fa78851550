"""Build ``maps/standard.geojson``, the shapes of the standard map.

    npm pack world-atlas@2.0.2 && tar xzf world-atlas-2.0.2.tgz
    python -m tools.standard_shapes package/countries-10m.json

The input is Natural Earth 4.1.0, admin 0 countries at 1:10,000,000, in the public domain, as the
npm package ``world-atlas`` 2.0.2 carries it.  It gives the coasts and the frontiers that have not
moved since 1901; ``tools/standard_map/lines.toml`` has the other borders, drawn by hand.  The
same input always gives the same file; ``python -m tools.place_names`` then puts the names into it.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias
from zlib import crc32

import numpy as np
import shapely
from shapely.geometry import LineString, Point, Polygon, box, mapping
from shapely.geometry.base import BaseGeometry

from alexmagnum.draw.scene import width
from tools.place_names import format_shapes

LINES = Path("tools/standard_map/lines.toml")
BOARD = Path("maps/standard.json")
TARGET = Path("maps/standard.geojson")

Points: TypeAlias = np.ndarray[Any, Any]
Degrees = tuple[float, float]

WIDTH, HEIGHT = 2400.0, 2040.0
"""The size of the sheet in units of the drawing."""

CLIP = box(-27.0, 22.0, 80.0, 74.0)
"""The part of the world that is read, in degrees."""

# -- the projection ------------------------------------------------------------------------------

CENTRE, PARALLELS = (14.0, 50.0), (38.0, 62.0)
SCALE = 3080.0
"""Units of the sheet to an earth's radius."""
ORIGIN = (1170.0, 960.0)
"""The place of the centre on the sheet."""


def project(degrees: Points) -> Points:
    """Return points in degrees as points of the sheet, the second coordinate upwards.

    It is Lambert's conformal conic projection; the far north is pressed together.
    """
    east, north = np.radians(degrees[:, 0] - CENTRE[0]), np.radians(degrees[:, 1])
    low, high = np.radians(PARALLELS)
    cone = np.log(np.cos(low) / np.cos(high)) / np.log(_rise(high) / _rise(low))
    size = np.cos(low) * _rise(low) ** cone / cone
    middle = size / _rise(np.radians(CENTRE[1])) ** cone
    far = size / _rise(north) ** cone
    x = ORIGIN[0] + SCALE * far * np.sin(cone * east)
    y = ORIGIN[1] + SCALE * (middle - far * np.cos(cone * east))
    return (_enlarge(np.column_stack([x, _press(y)])) - WINDOW) * ZOOM


def _rise(north: Any) -> Any:
    return np.tan(np.pi / 4 + north / 2)


PRESS_FROM, PRESS_TO = 1300.0, 0.62


def _press(y: Points) -> Points:
    """Return heights on the sheet, those in the north pressed together."""
    over = np.maximum(y - PRESS_FROM, 0.0)
    soft = 250.0
    # The slope falls from 1 to PRESS_TO over the first units, without a bend.
    return (
        np.minimum(y, PRESS_FROM)
        + PRESS_TO * over
        + (1 - PRESS_TO) * soft * (1 - np.exp(-over / soft))
    )


MIDDLE, GROWTH, REACH = (1110.0, 890.0), 0.26, 1500.0
WINDOW, ZOOM = (-20.0, -1.0), 1.01


def _enlarge(points: Points) -> Points:
    """Return points moved away from the middle of Europe, where provinces are small."""
    away = points - MIDDLE
    far = np.hypot(away[:, 0], away[:, 1])
    near = np.maximum(1.0 - (far / REACH) ** 2, 0.0)
    return MIDDLE + away * (1.0 + GROWTH * near**2)[:, None]


# -- the input -----------------------------------------------------------------------------------


class World:
    """The countries of Natural Earth: their land and the frontiers between them, on the sheet."""

    def __init__(self, path: Path) -> None:
        raw = json.loads(path.read_text("utf-8"))
        scale, move = (np.array(raw["transform"][key]) for key in ("scale", "translate"))
        self.arcs = [np.cumsum(np.array(arc, float), axis=0) * scale + move for arc in raw["arcs"]]
        self.countries = {
            item["properties"]["name"]: item
            for item in raw["objects"]["countries"]["geometries"]
            if item["type"] is not None and item["properties"]["name"] != "Greenland"
        }

    def land(self) -> BaseGeometry:
        """Return all land around Europe."""
        pieces = [
            _sheet(part)
            for item in self.countries.values()
            for part in _pieces(shapely.make_valid(shapely.intersection(self._area(item), CLIP)))
        ]
        return shapely.union_all(pieces, grid_size=0.01)

    def _area(self, item: Mapping[str, Any]) -> BaseGeometry:
        polygons = item["arcs"] if item["type"] == "MultiPolygon" else [item["arcs"]]
        found = []
        for rings in polygons:
            shell, *holes = (self._ring(ring) for ring in rings)
            if len(shell) > 3 and box(*_bounds(shell)).intersects(CLIP):
                holes = [hole for hole in holes if len(hole) > 3]
                found.append(shapely.make_valid(Polygon(shell, holes)))
        return shapely.union_all(found)

    def _ring(self, numbers: Iterable[int]) -> Points:
        arcs = [self.arcs[n] if n >= 0 else self.arcs[~n][::-1] for n in numbers]
        points = np.vstack([arcs[0], *(arc[1:] for arc in arcs[1:])])
        if np.ptp(points[:, 0]) > 180.0:  # it goes on beyond the 180th degree
            points[points[:, 0] < 0.0, 0] += 360.0
        return points

    def frontier(self, names: str) -> list[LineString]:
        """Return the frontier of two countries, ``"Spain-France"``, a little longer than it is."""
        first, second = (self._arcs_of(name) for name in names.split("-"))
        if not first & second:
            raise SystemExit(f"no frontier: {names}")
        lines = shapely.line_merge(
            shapely.union_all([LineString(project(self.arcs[n])) for n in first & second])
        )
        return [_lengthen(line) for line in getattr(lines, "geoms", [lines])]

    def _arcs_of(self, name: str) -> set[int]:
        found: set[int] = set()
        stack = list(self.countries[name]["arcs"])
        while stack:
            item = stack.pop()
            if isinstance(item, list):
                stack += item
            else:
                found.add(item if item >= 0 else ~item)
        return found


def _bounds(points: Points) -> tuple[float, float, float, float]:
    west, south = points.min(axis=0)
    east, north = points.max(axis=0)
    return west, south, east, north


def _sheet(area: BaseGeometry) -> BaseGeometry:
    return shapely.make_valid(shapely.transform(area, project))


def _pieces(area: BaseGeometry) -> list[Polygon]:
    """Return the polygons of a geometry."""
    if isinstance(area, Polygon):
        return [] if area.is_empty else [area]
    return [piece for part in getattr(area, "geoms", ()) for piece in _pieces(part)]


def _lengthen(line: LineString, by: float = 12.0) -> LineString:
    """Return a line that goes on straight at both ends, to meet a coast that was smoothed."""
    points = np.array(line.simplify(1.0).coords)
    first, last = points[0] - points[1], points[-1] - points[-2]
    ends = [points[0] + first / np.hypot(*first) * by], [points[-1] + last / np.hypot(*last) * by]
    return LineString(np.vstack([ends[0], np.array(line.coords), ends[1]]))


# -- the lines drawn by hand ---------------------------------------------------------------------


def read_points(text: str) -> Points:
    """Return the points of ``"east,north east,north"``."""
    return np.array([[float(number) for number in pair.split(",")] for pair in text.split()])


def hand_lines(texts: Mapping[str, str], rough: float) -> Iterator[LineString]:
    """Yield the lines on the sheet, rounded but where several meet, and made a little uneven."""
    meetings = Counter(pair for text in texts.values() for pair in set(text.split()))
    for name, text in texts.items():
        pairs = text.split()
        cuts = [i for i, pair in enumerate(pairs) if meetings[pair] > 1 and 0 < i < len(pairs) - 1]
        for start, end in zip([0, *cuts], [*cuts, len(pairs) - 1], strict=True):
            points = project(read_points(" ".join(pairs[start : end + 1])))
            seed = crc32(f"{name} {start}".encode())
            yield LineString(_roughen(_round(points), rough, seed))


def _round(points: Points, times: int = 3) -> Points:
    """Return a line with its corners cut, by Chaikin's method; its ends stay."""
    for _ in range(times):
        if len(points) < 3:
            return points
        before, after = points[:-1], points[1:]
        cut = np.empty((2 * len(before), 2))
        cut[0::2], cut[1::2] = 0.75 * before + 0.25 * after, 0.25 * before + 0.75 * after
        points = np.vstack([points[:1], cut[1:-1], points[-1:]])
    return points


def _roughen(points: Points, rough: float, seed: int) -> Points:
    """Return a line moved to and fro as frontiers are; its ends stay."""
    line = LineString(points)
    steps = max(2, int(line.length / 3.0))
    even = np.array(
        [line.interpolate(i / steps, normalized=True).coords[0] for i in range(steps + 1)]
    )
    if not rough:
        return even
    random = np.random.default_rng(seed)
    along = np.linspace(0.0, line.length, steps + 1)
    off = np.zeros(steps + 1)
    for wave, size in ((70.0, 1.0), (31.0, 0.6), (14.0, 0.35), (8.0, 0.2)):
        off += size * np.sin(along / wave * 2 * np.pi + random.uniform(0, 2 * np.pi))
    off *= rough * np.clip(np.minimum(along, along[-1] - along) / 25.0, 0.0, 1.0)
    way = np.gradient(even, axis=0)
    way /= np.hypot(way[:, 0], way[:, 1])[:, None]
    return even + np.column_stack([-way[:, 1], way[:, 0]]) * off[:, None]


# -- the areas -----------------------------------------------------------------------------------

FRAME = box(0.0, 0.0, WIDTH, HEIGHT)
SMALLEST_ISLET, SMALLEST_LAKE = 22.0, 60.0
"""The least areas that are drawn."""


@dataclass
class Ground:
    """The sheet divided: the areas by id, the islets in the seas, water within provinces."""

    areas: dict[str, BaseGeometry]
    islets: list[Polygon]
    lakes: list[Polygon]
    seas: set[str]

    def __post_init__(self) -> None:
        self.water = shapely.union_all([self.areas[id_] for id_ in sorted(self.seas)])
        self.taken = shapely.union_all([piece.buffer(3.0) for piece in self.islets + self.lakes])


def smooth_land(world: World, lines: Mapping[str, Any]) -> BaseGeometry:
    """Return the land as it is drawn: fjords and spits that nobody could see are gone."""
    fills = [Polygon(project(read_points(text))).buffer(0.5) for text in lines["fill"].values()]
    cuts = [Polygon(project(read_points(text))) for text in lines["cut"].values()]
    land = shapely.union_all([world.land(), *fills]).difference(shapely.union_all(cuts))
    land = land.buffer(2.6).buffer(-4.2).buffer(1.6)
    return land.simplify(0.9).intersection(FRAME.buffer(40))


def divide(world: World, lines: Mapping[str, Any]) -> Ground:
    """Return the areas into which coasts, frontiers and hand-drawn lines divide the sheet."""
    land = smooth_land(world, lines)
    inland = [line for names in lines["frontiers"] for line in world.frontier(names)]
    inland = [line.simplify(0.8) for line in inland] + list(hand_lines(lines["land"], 2.2))
    at_sea = list(hand_lines(lines["sea"], 0.0))
    coast, shore = land.buffer(0.6), FRAME.difference(land).buffer(0.6)
    net = shapely.union_all(
        [
            shapely.boundary(land),
            shapely.boundary(FRAME),
            *(shapely.intersection(line, coast) for line in inland),
            *(shapely.intersection(line, shore) for line in at_sea),
        ],
        grid_size=0.1,
    )
    faces = [
        face
        for face in _pieces(shapely.polygonize([net]))
        if FRAME.buffer(0.1).contains(face.representative_point())
    ]
    return _name_faces(faces, land, lines["areas"])


def _name_faces(faces: Sequence[Polygon], land: BaseGeometry, areas: Mapping[str, str]) -> Ground:
    """Return the ground made of faces, each joined to the area that it belongs to."""
    is_land = [bool(land.contains(face.representative_point())) for face in faces]
    owner = _owners(faces, areas)
    edges = _edges(faces)
    _join_crumbs(owner, edges, is_land)
    seas = set(owner.values()) - {owner[i] for i in owner if is_land[i]}
    islets = []
    for i, face in enumerate(faces):
        if i not in owner:  # an islet in one sea, or a pool in one province
            longest = max((j for j in edges[i] if j in owner), key=lambda j: edges[i][j])
            owner[i] = owner[longest]
            if is_land[i] and face.area > SMALLEST_ISLET:
                islets.append(face)
    pieces = defaultdict(list)
    for i, face in enumerate(faces):
        pieces[owner[i]].append(face)
    found = {id_: shapely.union_all(parts, grid_size=0.1) for id_, parts in sorted(pieces.items())}
    lakes = [
        face
        for i, face in enumerate(faces)
        if not is_land[i] and owner[i] not in seas and face.area > SMALLEST_LAKE
    ]
    return Ground(found, islets, lakes, seas)


def _join_crumbs(
    owner: dict[int, str], edges: Mapping[int, Mapping[int, float]], is_land: Sequence[bool]
) -> None:
    """Join faces without an owner to the neighbour of their kind with the longest border."""
    moved = True
    while moved:
        moved = False
        for i in sorted(set(edges) - set(owner)):
            score: dict[str, float] = defaultdict(float)
            for j, length in edges[i].items():
                if j in owner and is_land[j] == is_land[i]:
                    score[owner[j]] += length
            if score:
                owner[i], moved = max(score, key=lambda key: (score[key], key)), True


def _owners(faces: Sequence[Polygon], areas: Mapping[str, str]) -> dict[int, str]:
    """Return the id of each face with a point of the list in it."""
    tree = shapely.STRtree(faces)
    owner: dict[int, str] = {}
    for id_, text in areas.items():
        for place, at in zip(text.split(), project(read_points(text)), strict=True):
            hits = tree.query(Point(at), predicate="within")
            for i in hits:
                if owner.setdefault(int(i), id_) != id_:
                    raise SystemExit(f"{id_} and {owner[int(i)]} are one area at {place}")
            if not len(hits):
                raise SystemExit(f"{id_}: {place} is outside the map")
    return owner


def _edges(faces: Sequence[Polygon]) -> dict[int, dict[int, float]]:
    """Return for each face its neighbours and the length of the common border."""
    found: dict[int, dict[int, float]] = defaultdict(dict)
    tree = shapely.STRtree(faces)
    for i, j in tree.query(faces, predicate="intersects").T:
        if i < j:
            long = shapely.intersection(faces[i].boundary, faces[j].boundary).length
            if long > 1e-6:
                found[int(i)][int(j)] = found[int(j)][int(i)] = long
    return found


# -- names, units, centres -----------------------------------------------------------------------

UNIT, CITY, GAP = 20.0, 9.0, 4.0
"""The room that a unit and a centre need about their middle, and between letters and outlines."""

LAND_SIZES, SEA_SIZES = (30, 27, 24, 22, 20, 18), (38, 34, 30, 27, 24, 21, 18)
"""The sizes of letters that are tried, the best first."""


@dataclass
class Places:
    """Where the name, the unit and the centre of a province are drawn."""

    label: Degrees
    lines: tuple[str, ...]
    size: int
    unit: Degrees
    city: Degrees | None


@dataclass(frozen=True)
class Site:
    """An area to be lettered.

    Attributes:
        main: its largest piece, without what must stay visible.
        room: where letters may stand.
        city: its centre, moved inside.
        label: the middle of its name, if it is given.
        unit: the place of its unit, if it is given.
    """

    name: str
    sea: bool
    main: Polygon
    room: BaseGeometry
    city: Point | None
    label: Points | None
    unit: Points | None


def place(site: Site) -> Places:
    """Return good places: the largest name with a unit beside it, clear of outlines."""
    held = site.city.buffer(CITY + UNIT) if site.city else Point()
    spots = np.empty((0, 2)) if site.unit is None else site.unit
    for room in (UNIT, UNIT * 0.75, UNIT * 0.5):
        if not len(spots):
            spots = _grid(site.main.buffer(-room).difference(held), _step(site, 5.0))
    clear = np.minimum(shapely.distance(shapely.points(spots), site.main.boundary), 2.2 * UNIT)
    best: tuple[float, Places] | None = None
    for size in SEA_SIZES if site.sea else LAND_SIZES:
        for lines in _ways(site.name):
            half = _half_box(lines, size, sea=site.sea)
            middles = _label_middles(site, half)
            if not len(middles):
                continue
            apart = _beyond(spots, middles, half)
            score = np.where(apart >= UNIT - 5.0, clear - 0.5 * np.abs(apart - UNIT), -1e9)
            off = shapely.distance(shapely.points(middles), site.main.centroid)
            worth = score.max(axis=1) + 4.0 * size - 0.35 * off - 3.0 * len(lines)
            m = int(worth.argmax())
            if best is None or worth[m] > best[0]:
                unit = tuple(spots[int(score[m].argmax())])
                places = Places(tuple(middles[m]), lines, size, unit, _pair(site.city))
                best = float(worth[m]), places
    if best is None or best[0] < -1e8:
        raise SystemExit(f"no room for the name {site.name}: give it a place in {LINES}")
    return best[1]


def _half_box(lines: Sequence[str], size: int, *, sea: bool) -> Points:
    """Return half the width and half the height of a name."""
    wide = max(width(line, size, "italic" if sea else "semibold") for line in lines)
    wide += 0.6 * max(map(len, lines)) if sea else 0.0
    return np.array([wide / 2 + GAP, len(lines) * size * 0.45 + GAP])


def _pair(point: Point | None) -> Degrees | None:
    return (float(point.x), float(point.y)) if point else None


def _ways(name: str) -> list[tuple[str, ...]]:
    """Return a name on one line and, if it has several words, on two."""
    words = name.split()
    cuts = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words))]
    return [(name,), *cuts]


def _label_middles(site: Site, half: Points) -> Points:
    """Return the middles of boxes of half a size that lie in the room, clear of the centre."""
    if site.label is not None:
        return site.label
    spots = _grid(site.main, _step(site, 9.0))
    boxes = shapely.box(*(spots - half).T, *(spots + half).T)
    shapely.prepare(site.room)
    keep = shapely.contains(site.room, boxes)
    if site.city:
        keep &= shapely.distance(boxes, site.city) > CITY + 2.0
    return np.asarray(spots[keep])


def _beyond(spots: Points, middles: Points, half: Points) -> Points:
    """Return how far each point, by column, lies from a box about each middle, by row."""
    away = np.maximum(np.abs(spots[None, :, :] - middles[:, None, :]) - half, 0.0)
    return np.asarray(np.hypot(away[:, :, 0], away[:, :, 1]))


def _step(site: Site, least: float) -> float:
    """Return the distance of the points that are tried in an area."""
    return max(least, float(np.sqrt(site.main.area)) / 30.0)


def _grid(area: BaseGeometry, step: float) -> Points:
    """Return the points of a grid that lie in an area."""
    if area.is_empty:
        return np.empty((0, 2))
    west, south, east, north = area.bounds
    xs, ys = np.meshgrid(np.arange(west, east, step), np.arange(south, north, step))
    points = np.column_stack([xs.ravel(), ys.ravel()])
    return np.asarray(points[shapely.contains_xy(area, points[:, 0], points[:, 1])])


def _inside(point: Point, area: BaseGeometry) -> Point:
    """Return the point of an area that is nearest to a point."""
    return shapely.shortest_line(area, point).interpolate(0.0)


# -- the file ------------------------------------------------------------------------------------


def build(source: Path, board: Mapping[str, Any]) -> dict[str, Any]:
    """Return the GeoJSON value of the map; ``board`` is the value of ``maps/standard.json``."""
    lines = tomllib.loads(LINES.read_text("utf-8"))
    ground = divide(World(source), lines)
    ids = [entry["id"] for entry in board["provinces"]]
    if missing := sorted({*ids, *lines["impassable"]} ^ ground.areas.keys()):
        raise SystemExit(f"areas without a province, or provinces without an area: {missing}")
    features = [_province(entry, ground, lines) for entry in board["provinces"]]
    features += [_impassable(id_, entry, ground) for id_, entry in lines["impassable"].items()]
    features += [_decoration("islets", i, islet) for i, islet in enumerate(ground.islets, 1)]
    features += [_decoration("lake", i, lake) for i, lake in enumerate(ground.lakes, 1)]
    for id_, texts in lines["channels"].items():
        for i, text in enumerate(texts, 1):
            course = LineString(_round(project(read_points(text))))
            features.append(_decoration("channel", f"{id_}-{i}", course))
    return {
        "type": "FeatureCollection",
        "name": "standard",
        "bbox": [0, 0, int(WIDTH), int(HEIGHT)],
        "licence": "coasts and most frontiers: Natural Earth 4.1.0 (public domain); "
        "everything else made for this project",
        "projection_hint": "Lambert's conformal conic, the middle of Europe enlarged; flat, in "
        "units of a sheet 2400 wide, the second coordinate upwards",
        "features": features,
    }


def _province(entry: Mapping[str, Any], ground: Ground, lines: Mapping[str, Any]) -> dict[str, Any]:
    id_, name = entry["id"], entry["name"]["en"]
    area, sea = ground.areas[id_], entry["terrain"] == "sea"
    taken = ground.taken
    coasts = {
        key.split("/")[1]: _inside(Point(project(read_points(text))[0]), area.buffer(-16.0))
        for key, text in lines["coasts"].items()
        if key.split("/")[0] == id_
    }
    if coasts:
        taken = shapely.union_all([taken, *(at.buffer(18.0) for at in coasts.values())])
    text = lines["cities"].get(id_)
    main = max(_pieces(area), key=lambda piece: piece.area).difference(taken)
    site = Site(
        name=name,
        sea=sea,
        main=max(_pieces(main), key=lambda piece: piece.area),
        room=(area if sea else shapely.union_all([area, ground.water])).difference(taken),
        city=_inside(Point(project(read_points(text))[0]), area.buffer(-CITY - 1.0))
        if text
        else None,
        label=_given(lines["labels"], id_),
        unit=_given(lines["units"], id_),
    )
    found = place(site)
    properties: dict[str, Any] = {
        "kind": "province",
        "name": name,
        "label": found.label,
        "label_lines": found.lines,
        "label_size": found.size,
        "units": [found.unit],
    }
    if found.city:
        properties["city"] = found.city
    if coasts:
        properties["coasts"] = {code: (at.x, at.y) for code, at in coasts.items()}
    return {"type": "Feature", "id": id_, "properties": properties, "geometry": mapping(area)}


def _given(places: Mapping[str, str], id_: str) -> Points | None:
    return project(read_points(places[id_])) if id_ in places else None


def _impassable(id_: str, entry: Mapping[str, Any], ground: Ground) -> dict[str, Any]:
    area = ground.areas[id_]
    middle = max(_pieces(area), key=lambda piece: piece.area)
    at = shapely.maximum_inscribed_circle(middle, 1.0).coords[0]
    properties = {
        "kind": "impassable",
        "name": {"en": entry["en"], "it": entry["it"]},
        "texture": entry["texture"],
        "label": at,
        "label_size": entry["size"],
        "label_angle": entry.get("angle", 0),
    }
    if entry["texture"] == "sea":
        properties["terrain"] = properties.pop("texture")
    return {"type": "Feature", "id": id_, "properties": properties, "geometry": mapping(area)}


def _decoration(kind: str, number: int | str, shape: BaseGeometry) -> dict[str, Any]:
    return {
        "type": "Feature",
        "id": f"{kind}-{number}",
        "properties": {"kind": kind},
        "geometry": mapping(shape),
    }


def _rounded(value: Any) -> Any:
    """Return a value with its numbers as they are written: a tenth of a unit is enough."""
    if isinstance(value, float):
        return int(value) if value == int(value) else round(value, 1)
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    return [_rounded(item) for item in value] if isinstance(value, list | tuple) else value


def text(value: Mapping[str, Any]) -> str:
    """Return the text of the file, one feature to a line."""
    return format_shapes({**value, "features": [_rounded(f) for f in value["features"]]})


def main() -> None:
    """Write the file from the input named on the command line."""
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    board = json.loads(BOARD.read_text("utf-8"))
    written = text(build(Path(sys.argv[1]), board))
    TARGET.write_text(written, "utf-8")
    print(f"{TARGET}: {len(written):,} bytes")


if __name__ == "__main__":
    main()
