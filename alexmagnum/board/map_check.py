"""The check for people who draw maps: likely slips in borders, names and shapes."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, product
from math import floor, hypot, isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from alexmagnum.board.geography import ARMY, FLEET, ISLAND, Province, split_location
from alexmagnum.board.map_file import find_map, load_board, maps_folder, read_map_file
from alexmagnum.board.model import Board
from alexmagnum.errors import BadMap, Fault, fault
from alexmagnum.files import read_json

if TYPE_CHECKING:
    import networkx as nx

    from alexmagnum.board.geography import Border, Names, Portage
    from alexmagnum.board.model import Power


# Findings about names that a player, or the program when it reads orders, could confuse.


WORDS = frozenset(
    """
    a f g h s c r t tr army armata falange phalanx fleet flotta general generale
    hold holds stand xxx mantiene tiene ferma difende to in via
    supports support app appoggia supporta sostiene convoys convoy convoglia trasporta
    disband scioglie elimina sbanda build costruisce remove rimuove waive rinuncia
    pick sceglie scelgo neu
    """.split()  # noqa: SIM905 (fifty quoted words would be harder to read)
)
"""Words of the notation, which no province may have for a name.

``tra`` is not among them: as a word it stands between two units, where no province can."""


_SHORTEST_NAME = 5
"""The letters of a name that is compared with others; shorter ones are mostly near some other."""

_PIECE = 16  # letters of the piece of a name within which letters are left out


def fold(text: str) -> str:
    """Return a name as it is compared: without case, accents and punctuation.

    >>> fold("Selèuco"), fold("Foci dell'Indo")
    ('seleuco', 'foci dell indo')
    """
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return re.sub(r"[\W_]+", " ", plain.casefold()).strip()


def name_faults(board: Board) -> Iterator[Fault]:
    """Yield all findings about the names of provinces and powers."""
    owners: dict[str, list[str]] = defaultdict(list)
    for province in board.provinces.values():
        for name in _folded_names(province):
            if province.id not in owners[name]:
                owners[name].append(province.id)
    yield from _find_same(board, owners)
    yield from _find_near(board, owners)
    yield from _find_reserved(board, owners)
    yield from _check_power_names(board)
    yield from _find_untranslated(board)


def _folded_names(thing: Province | Power) -> set[str]:
    return {fold(text) for text in (thing.id, *thing.names.values(), *thing.aliases)}


def _find_same(board: Board, owners: dict[str, list[str]]) -> Iterator[Fault]:
    ids = {fold(pid): pid for pid in board.provinces}
    for name, (first, *others) in owners.items():
        for other in others:
            if (owner := ids.get(name)) in (first, other):
                bearer = other if owner == first else first
                data = {"name": name, "province": bearer, "other": str(owner)}
                yield Fault(f"provinces.{bearer}", "name-is-id", data)
            else:
                data = {"name": name, "province": other, "other": first}
                yield Fault(f"provinces.{other}", "same-name", data)


def _find_near(board: Board, owners: dict[str, list[str]]) -> Iterator[Fault]:
    """Yield names of different provinces that are one letter apart and five letters or longer.

    Two aliases may be near each other: they are written on no map.  Names one letter apart are
    alike without that letter; each is compared with a few of those that are.  A letter is left
    out only where all but the letters around it are those of a name that is no alias.
    """
    proper = {fold(text) for p in board.provinces.values() for text in p.names.values()}
    by_length: dict[int, list[str]] = defaultdict(list)
    for name in sorted(owners):
        by_length[len(name)].append(name)
    found: set[tuple[str, str]] = set()
    for length, names in by_length.items():
        drawn = [name for name in proper if len(name) in (length - 1, length)]
        for i in range(length if length >= _SHORTEST_NAME else 0):
            alike: dict[str, dict[tuple[bool, str], str]] = defaultdict(dict)
            if i % _PIECE == 0:
                around = {name[:i] + name[len(name) - length + i + _PIECE :] for name in drawn}
                near = [name for name in names if name[:i] + name[i + _PIECE :] in around]
            for name in near:
                rest, kind = name[:i] + name[i + 1 :], (name in proper, owners[name][0])
                others = [rest] if length > _SHORTEST_NAME and rest in owners else []
                for other in (*others, *alike[rest].values()):
                    if set(owners[name]).isdisjoint(owners[other]) and proper & {name, other}:
                        found.add((min(name, other), max(name, other)))
                if sum(kind[0] == is_proper for is_proper, _ in alike[rest]) < 2:
                    alike[rest].setdefault(kind, name)
    for a, b in sorted(found):
        one, two = owners[a][0], owners[b][0]
        data = {"name": b, "province": two, "like": a, "other": one}
        yield Fault(f"provinces.{two}", "near-name", data, "warning")


def _find_reserved(board: Board, owners: dict[str, list[str]]) -> Iterator[Fault]:
    """Yield provinces named like a word of the notation or, as a warning only, like a power: where
    an order may name a power, no province can be."""
    powers = {name: power for power in board.powers.values() for name in _folded_names(power)}
    for name, provinces in owners.items():
        for province in provinces:
            where, data = f"provinces.{province}", {"name": name, "province": province}
            if name in WORDS:
                yield Fault(where, "name-is-word", data)
            elif name in powers:
                yield fault(where, "name-is-power", "warning", **data, power=powers[name].id)


def _check_power_names(board: Board) -> Iterator[Fault]:
    owner: dict[str, str] = {}
    for power in board.powers.values():
        for name in sorted(_folded_names(power)):
            if (other := owner.setdefault(name, power.id)) != power.id:
                data = {"name": name, "power": power.id, "other": other}
                yield Fault(f"powers.{power.id}", "same-power-name", data)


def _find_untranslated(board: Board) -> Iterator[Fault]:
    named: list[tuple[str, Names]] = [
        *((f"powers.{p.id}", p.names) for p in board.powers.values()),
        *((f"provinces.{p.id}", p.names) for p in board.provinces.values()),
        *((f"rivers.{r.id}", r.names) for r in board.rivers),
        *((f"portages.{p.id}", p.names) for p in board.portages),
        *((f"coasts.{c.code}", c.names) for c in board.coasts.values()),
    ]
    for where, names in named:
        for language in board.names:
            if language not in names:
                yield fault(f"{where}.name", "language-missing", "warning", language=language)


# The shapes of a map: reading them, and finding which of them touch.
#
# Two shapes touch where their outlines share segments. Shapes that share their vertices are
# matched segment by segment. The rest is compared as lines, so that neighbours may divide a
# common straight border differently, or lie apart by ``SLACK`` of the map's size. Nothing here
# looks for overlaps. Coordinates are in whatever unit the file uses: only ratios count.
#
# Shapely finds the same contacts, but takes six times as long on our map and a third of a second
# to load, and the check of a map would need it and NumPy. So the tests compare with it instead.


Point = tuple[float, float]
Ring = tuple[Point, ...]
Segment = tuple[Point, Point]

SLACK = 0.0005
"""The largest gap between outlines that count as touching, as a part of the map's diagonal."""

SHORTEST = 0.001
"""The shortest common outline that counts as touching, as a part of the map's diagonal."""

_CELLS = 200  # the grid in which neighbours are looked for, cells to the diagonal

_MOST_FEATURES, _MOST_POINTS, _MOST_SLOTS = 3_000, 100_000, 10
"""The most features of a file, the most points of all of them, and the most places of units of one:
no province holds more than nine."""

_MOST_STEPS, _MOST_OWNERS = 2_000_000, 8
"""The most times that pieces of outlines are looked at beside others, on one map; the most shapes
with one piece that are compared with each other: they are two unless shapes cover others."""


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
    if len(features) > _MOST_FEATURES:
        return {}, (fault("shapes", "too-many", most=str(_MOST_FEATURES)),)
    shapes: dict[str, Shape] = {}
    faults: list[Fault] = []
    points = 0
    for i, feature in enumerate(features):
        points += _count_points(feature)
        if points > _MOST_POINTS:
            return {}, (fault(f"shapes[{i}]", "too-many-points", most=str(_MOST_POINTS)),)
        properties = feature.get("properties") if isinstance(feature, dict) else None
        if not isinstance(properties, dict):
            faults.append(Fault(f"shapes[{i}]", "not-feature"))
        elif isinstance(units := properties.get("units"), list) and len(units) > _MOST_SLOTS:
            faults.append(fault(f"shapes[{i}].units", "too-many", most=str(_MOST_SLOTS)))
        elif properties.get("kind") in ("province", "impassable"):
            if (shape := _read_shape(feature, properties)) is None:
                faults.append(Fault(f"shapes[{i}]", "bad-shape", {"id": str(feature.get("id"))}))
            elif shapes.setdefault(shape.id, shape) is not shape:
                faults.append(Fault(f"shapes[{i}]", "duplicate-id", {"id": shape.id}))
    return shapes, tuple(faults)


def _count_points(value: object) -> int:
    """Return how many points and other lists of numbers are in a value."""
    if isinstance(value, dict):
        value = [*value.values()]
    if not isinstance(value, list):
        return 0
    return sum(map(_count_points, value)) or 1


def _read_shape(feature: dict[str, Any], properties: dict[str, Any]) -> Shape | None:
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
    return ring if len(ring) == len(points) > 3 and ring[0] == ring[-1] else ()


def _read_point(raw: object) -> Point | None:
    if not isinstance(raw, list) or len(raw) < 2:
        return None
    if not all(type(n) in (int, float) and abs(n) < 1e9 and isfinite(n) for n in raw[:2]):
        return None
    return float(raw[0]), float(raw[1])


def find_contacts(shapes: Mapping[str, Shape]) -> dict[tuple[str, str], float]:
    """Return the pairs of shapes that touch (ids in order), with the length they share.

    Raises:
        BadMap: ``shapes-dense``: very many outlines lie beside each other.
    """
    size = diagonal(shapes)
    shared: dict[tuple[str, str], float] = defaultdict(float)
    alone: list[tuple[str, Segment]] = []
    for (a, b), ids in _find_owners(shapes, size * SLACK / 100).items():
        if len(ids) == 1:
            alone.append((next(iter(ids)), (a, b)))
        for pair in combinations(sorted(ids)[:_MOST_OWNERS], 2):
            shared[pair] += hypot(b[0] - a[0], b[1] - a[1])
    for one, two in _list_near_points(alone, size / _CELLS):
        if length := _shared_length(one[1], two[1], size * SLACK):
            shared[min(one[0], two[0]), max(one[0], two[0])] += length
    return {pair: length for pair, length in shared.items() if length > size * SHORTEST}


def diagonal(shapes: Mapping[str, Shape]) -> float:
    """Return the size of the map: the diagonal of the box around all shapes."""
    if not (points := [p for shape in shapes.values() for ring in shape.rings for p in ring]):
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


def _list_near_points(
    segments: list[tuple[str, Segment]], cell: float
) -> Iterator[tuple[tuple[str, Segment], tuple[str, Segment]]]:
    """Yield each pair of segments of different shapes that come near each other, once."""
    if not cell:
        return
    grid: dict[tuple[int, int], list[int]] = defaultdict(list)
    corners: list[tuple[int, int]] = []
    steps = 0
    for i, (owner, ((x1, y1), (x2, y2))) in enumerate(segments):
        first, last = floor(min(x1, x2) / cell - 0.2), floor(max(x1, x2) / cell + 0.2)
        low, high = floor(min(y1, y2) / cell - 0.2), floor(max(y1, y2) / cell + 0.2)
        corners.append((first, low))
        for at in product(range(first, last + 1), range(low, high + 1)):
            steps += 1 + len(grid[at])
            if steps > _MOST_STEPS:
                raise BadMap("bad-shapes", "", (Fault("shapes", "shapes-dense"),))
            for j in grid[at]:
                # Of all cells that both are in, one is the first.
                if segments[j][0] != owner and at == (
                    max(first, corners[j][0]),
                    max(low, corners[j][1]),
                ):
                    yield segments[j], segments[i]
            grid[at].append(i)


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


# Findings about the shapes of a map: does the drawing show the map that is played?


Pair = tuple[str, str]


def shape_faults(board: Board, shapes: Mapping[str, Shape]) -> Iterator[Fault]:
    """Yield everything in which the shapes and the map differ."""
    for province in board.provinces.values():
        if province.id in shapes:
            yield from _check_slots(province, shapes[province.id])
        else:
            yield fault(f"provinces.{province.id}", "shape-missing", province=province.id)
    for sector in board.impassable:
        if sector not in shapes:
            yield fault("impassable", "shape-missing", "warning", province=sector)
    for shape in shapes.values():
        known: Mapping[str, object] | tuple[str, ...] = (
            board.provinces if shape.kind == "province" else board.impassable
        )
        if shape.id not in known:
            yield fault(f"shapes.{shape.id}", "shape-unknown", id=shape.id)
    yield from _check_contacts(board, shapes)


def _check_slots(province: Province, shape: Shape) -> Iterator[Fault]:
    where = f"shapes.{province.id}"
    if len(shape.units) != province.capacity:
        data = {"given": str(len(shape.units)), "right": str(province.capacity)}
        # Points to spare do no harm: the rules may give fewer places than are drawn.
        severity = "error" if len(shape.units) < province.capacity else "warning"
        yield fault(f"{where}.units", "slot-count", severity, province=province.id, **data)
    for i, slot in enumerate(shape.units):
        if not shape.holds(slot):
            yield fault(f"{where}.units[{i}]", "slot-outside", province=province.id)
    if shape.label is None:
        yield fault(where, "label-missing", "warning", province=province.id)
    elif not shape.holds(shape.label):
        yield fault(f"{where}.label", "label-outside", "warning", province=province.id)


def _check_contacts(board: Board, shapes: Mapping[str, Shape]) -> Iterator[Fault]:
    """Yield contacts without a border, borders without a contact, portages that touch nothing."""
    touch = set(find_contacts({i: s for i, s in shapes.items() if s.kind == "province"}))
    drawn = {pair for pair in touch if board.provinces.keys() >= {*pair}}
    across = {_pair(*strait.between) for strait in board.straits}
    hauled = {_pair(portage.over, end) for portage, end in list_portage_ends(board)}
    bordering = border_pairs(board)
    for a, b in sorted(drawn - bordering.keys() - across - hauled):
        yield fault(f"shapes.{a}", "touch-without-border", "warning", a=a, b=b)
    for (a, b), i in bordering.items():
        if (a, b) not in touch | across and a in shapes and b in shapes:
            yield fault(f"borders[{i}]", "border-without-touch", "warning", a=a, b=b)
    for portage, end in list_portage_ends(board):
        pair = _pair(portage.over, end)
        if pair not in touch | bordering.keys() and shapes.keys() >= {*pair}:
            data = {"province": end, "over": portage.over}
            yield Fault(f"portages.{portage.id}.ends", "portage-end-apart", data)


def list_portage_ends(board: Board) -> list[tuple[Portage, str]]:
    """Return every portage with each of its ends."""
    return [
        (portage, end) for portage in board.portages for end in (*portage.ends[0], *portage.ends[1])
    ]


def border_pairs(board: Board) -> dict[Pair, int]:
    """Return the pairs of provinces with a border of any kind, and the number of that border."""
    ends = [(split_location(b.a)[0], split_location(b.b)[0]) for b in board.borders]
    return {_pair(a, b): i for i, (a, b) in enumerate(ends)}


def _pair(a: str, b: str) -> Pair:
    return (a, b) if a < b else (b, a)


# The whole check: loading refuses what cannot be played, this also finds what can be played but
# was probably not meant. Mend errors before anybody plays on the map; look at warnings.


def load_sound_board(id_or_path: str | Path) -> Board:
    """Load a map to play on; one that does not come with the package is checked as a whole.

    Raises:
        BadFile: there is no such map, or it cannot be read.
        BadMap: it has errors: those that :func:`check_map` returns.
    """
    path = find_map(id_or_path)
    if path.parent != maps_folder():
        errors = tuple(fault for fault in check_map(path) if fault.severity == "error")
        if errors:
            raise BadMap("bad-map", str(id_or_path), errors)
    return load_board(id_or_path)


def check_map(id_or_path: str | Path) -> tuple[Fault, ...]:
    """Return all findings about a map and its shapes, errors first; none for a flawless map.

    If loading already finds errors, nothing else is checked: it would only repeat them.
    """
    path = find_map(id_or_path)
    board, faults = read_map_file(path)
    if not any(fault.severity == "error" for fault in faults):
        faults += (*_check_map(board), *_check_drawing(board, read_json(path), path))
    return tuple(sorted(faults, key=lambda fault: fault.severity != "error"))


def _check_map(board: Board) -> Iterator[Fault]:
    yield from name_faults(board)
    borders: dict[str, list[Border]] = defaultdict(list)
    for border in board.borders:
        for id_ in {split_location(end)[0] for end in (border.a, border.b)}:
            borders[id_].append(border)
    for province in board.provinces.values():
        yield from _check_province(board, province, borders[province.id])
    yield from _check_coasts(board)
    yield from _check_fleet_borders(board)
    yield from _check_army_borders(board)
    yield from _check_rivers(board)
    for portage in board.portages:
        for raider in portage.raiders:
            if not board.army_graph.has_edge(raider, portage.over):
                data = {"province": raider, "over": portage.over}
                yield Fault(f"portages.{portage.id}.raiders", "raider-apart", data)
    yield from _check_centres(board)
    yield from _check_powers(board)


def _check_drawing(board: Board, raw: object, path: Path) -> Iterator[Fault]:
    named = raw.get("geometry") if isinstance(raw, dict) else None
    if board.geometry:
        shapes, faults = read_shapes(read_json(Path(board.geometry)))
        yield from faults
        try:
            yield from shape_faults(board, shapes)
        except BadMap as error:
            yield from error.faults
        return
    if named:
        yield fault("geometry", "shapes-file-missing", "warning", file=str(named))
    pairs = border_pairs(board)  # without shapes only borders can tell what touches
    for portage, end in list_portage_ends(board):
        if tuple(sorted((portage.over, end))) not in pairs:
            data = {"province": end, "over": portage.over}
            yield Fault(f"portages.{portage.id}.ends", "portage-end-apart", data, "warning")


def _check_province(board: Board, province: Province, borders: Sequence[Border]) -> Iterator[Fault]:
    where = f"provinces.{province.id}"
    data = {"province": province.id}
    if not borders:
        yield Fault(where, "no-borders", data)
    if province.terrain == ISLAND and not province.coastal:
        yield Fault(f"{where}.coastal", "island-not-coastal", data)
    if province.terrain == ISLAND and any(border.kind != FLEET for border in borders):
        yield Fault(where, "army-border-on-island", data)
    ends = {end for b in borders if b.kind != ARMY for end in (b.a, b.b)}
    at_sea = any(board.province_of(end).is_sea for end in ends)
    if borders and not province.is_sea and province.coastal != at_sea:
        code = "sea-border-inland" if at_sea else "coastal-without-sea"
        yield Fault(f"{where}.coastal", code, data)


def _check_coasts(board: Board) -> Iterator[Fault]:
    """Yield coasts without a sea, and coast codes that no province uses."""
    used = {coast for province in board.provinces.values() for coast in province.coasts}
    for code in board.coasts:
        if code not in used:
            yield fault(f"coasts.{code}", "coast-unused", "warning", coast=code)
    for province in board.provinces.values():
        for coast in province.coasts:
            location = f"{province.id}/{coast}"
            if not _seas_beside(board, location):
                where = f"provinces.{province.id}.coasts"
                yield fault(where, "coast-without-sea", location=location)


def _seas_beside(board: Board, location: str) -> set[str]:
    return {there for there in board.fleet_graph[location] if board.province_of(there).is_sea}


def _check_fleet_borders(board: Board) -> Iterator[Fault]:
    """Yield fleet borders between land locations without a common sea or river."""
    exempt = {frozenset(step) for river in board.rivers for step in pairwise(river.course)}
    exempt |= {frozenset(strait.between) for strait in board.straits}
    for i, border in enumerate(board.borders):
        ends = (border.a, border.b)
        if border.kind == ARMY or any(board.province_of(end).is_sea for end in ends):
            continue
        if frozenset(ends) not in exempt and not _seas_beside(board, ends[0]) & _seas_beside(
            board, ends[1]
        ):
            data = {"a": border.a, "b": border.b}
            yield Fault(f"borders[{i}]", "fleet-border-without-sea", data, "warning")


def _check_army_borders(board: Board) -> Iterator[Fault]:
    """Yield coastal provinces between which fleets can pass and armies cannot."""
    walked = [b for b in board.borders if b.kind != FLEET]
    by_land = {frozenset(split_location(end)[0] for end in (b.a, b.b)) for b in walked}
    for i, border in enumerate(board.borders):
        provinces = [board.province_of(end) for end in (border.a, border.b)]
        if border.kind != FLEET or any(p.is_sea or p.terrain == ISLAND for p in provinces):
            continue
        if (ids := frozenset(province.id for province in provinces)) not in by_land:
            by_land.add(ids)  # two coasts are one finding
            yield fault(f"borders[{i}]", "army-border-missing", "warning", a=border.a, b=border.b)


def _check_rivers(board: Board) -> Iterator[Fault]:
    """Check that a fleet reaches the sea from the mouth only, and keeps to the course (R18)."""
    steps = {frozenset(step) for river in board.rivers for step in pairwise(river.course)}
    for river in board.rivers:
        if not _seas_beside(board, river.mouth):
            data = {"river": river.id, "province": river.mouth}
            yield Fault(f"rivers.{river.id}.mouth", "mouth-without-sea", data)
        for inland in river.course[1:]:
            for there in sorted(board.fleet_graph[inland]):
                if frozenset((inland, there)) not in steps:
                    data = {"river": river.id, "province": inland, "other": there}
                    yield Fault(f"rivers.{river.id}.course", "river-side-door", data, "warning")


def _check_centres(board: Board) -> Iterator[Fault]:
    """Check that each centre can be reached from another, by an army with convoys or a fleet."""
    import networkx as nx

    centres = set(board.centres)
    walks: nx.Graph[str] = nx.Graph(board.army_graph)
    for border in board.borders:
        a, b = board.province_of(border.a), board.province_of(border.b)
        if a.is_sea or b.is_sea:
            walks.add_edge(a.id, b.id)
    sails: nx.Graph[str] = nx.Graph(board.fleet_graph)
    for portage in board.portages:  # a fleet can be hauled (R23)
        sails.add_edges_from(product(*portage.ends))
    fleets = [{split_location(at)[0] for at in part} for part in nx.connected_components(sails)]
    travel = [*nx.connected_components(walks), *fleets]
    for centre in board.centres:
        if len(centres) > 1 and not any(centre in c and len(centres & c) > 1 for c in travel):
            yield fault(f"provinces.{centre}.centre", "centre-unreachable", province=centre)
    if (needed := board.rules.victory_centres) > len(centres):
        data = {"needed": str(needed), "centres": str(len(centres))}
        yield Fault("rules.victory_centres", "victory-unreachable", data)


def _check_powers(board: Board) -> Iterator[Fault]:
    """Check that a map with a Cyprus year has centres to pick (R30), any other map homes."""
    pickable = any(p.centre == "start" for p in board.provinces.values())
    if board.rules.picks and not pickable:
        yield fault("rules.picks", "nothing-to-pick", "warning")
    if pickable and not board.rules.picks:
        yield fault("rules.picks", "never-picked", "warning")
    for power in board.powers.values():
        if not power.homes and not board.rules.picks:
            data = {"power": power.id}
            yield Fault(f"powers.{power.id}.start_centres", "power-without-homes", data, "warning")
