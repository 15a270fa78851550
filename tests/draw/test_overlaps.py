"""A turn can be read off its picture: nothing covers another's meaning, in any phase."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from math import cos, pi, sin
from pathlib import Path
from random import Random

import pytest
import shapely
import shapely.affinity
import shapely.ops
from shapely import Point, Polygon, STRtree
from shapely.affinity import rotate, translate
from shapely.geometry.base import BaseGeometry

from alexmagnum import adjudicate, load_board
from alexmagnum.draw import draw_turn
from alexmagnum.draw.atlas import DISC
from alexmagnum.draw.scene import Face, Inset, Item, Layer, Mark, Scene, Shape, Text, Token, width
from alexmagnum.game.desk import Desk
from alexmagnum.judge import Outcome
from alexmagnum.play import play_game
from tests.case_library import read_yaml
from tests.draw.sample_scenes import WORDS, sample_scene
from tests.scenarios import PROFILES
from tests.sizes import is_proof, sampled, sized

FORBIDDEN = (
    ("head", "name"),
    ("burst", "name"),
    ("symbol", "symbol"),
    ("head", "panel"),
    ("burst", "panel"),
    ("symbol", "panel"),
    ("number", "panel"),
)
"""The pairs of kinds that may not overlap at all."""

DATA = read_yaml(Path(__file__).with_name("overlaps.yaml"))
COUNTED = DATA["counted"]
"""The pairs of kinds that overlap as little as possible: they share a budget of area."""

TOUCH = 1.0  # the area in square units up to which two items only touch

KINDS = {"head": "head", "burst": "burst", "place": "number"}  # kinds of shapes in orders


@dataclass(frozen=True, slots=True)
class Footprint:
    """The area of an item; ``about`` is the unit or the province that it belongs to."""

    kind: str
    about: str
    area: BaseGeometry
    view: int = 0


@dataclass(frozen=True, slots=True)
class Overlap:
    """Two items that overlap, and by how much."""

    kinds: tuple[str, str]
    about: tuple[str, str]
    view: int
    area: float


def measure_overlaps(scene: Scene) -> list[Overlap]:
    """Return the overlaps of a picture, the forbidden ones and those that are counted."""
    wanted = {tuple(sorted(pair)) for pair in (*FORBIDDEN, *COUNTED)}
    found: list[Overlap] = []
    by_view: dict[int, list[Footprint]] = defaultdict(list)
    for footprint in list_footprints(scene):
        by_view[footprint.view].append(footprint)
    for view, footprints in by_view.items():
        tree = STRtree([f.area for f in footprints])
        pairs = tree.query([f.area for f in footprints], predicate="intersects")
        for i, k in zip(*pairs, strict=True):
            one, two = footprints[i], footprints[k]
            kinds = (one.kind, two.kind)
            if i == k or kinds not in wanted or (one.kind == two.kind and i > k):
                continue
            if _belong_together(one, two):
                continue
            if one.kind == two.kind and one.area.equals(two.area):
                continue  # rivals for one place share its burst and its number
            if (area := one.area.intersection(two.area).area) > TOUCH:
                found.append(Overlap(kinds, (one.about, two.about), view, area))
    return found


def is_forbidden(overlap: Overlap) -> bool:
    """Return whether a picture may not have an overlap."""
    return overlap.kinds in {tuple(sorted(pair)) for pair in FORBIDDEN}


def _belong_together(one: Footprint, two: Footprint) -> bool:
    """Return whether two items are parts of one thing: a symbol and its own number."""
    return one.about == two.about and {one.kind, two.kind} in (
        {"name"},
        {"symbol", "number"},
        {"head", "burst"},
        {"head", "number"},
        {"burst", "number"},
    )


# -- where symbols stand -------------------------------------------------------------------------


def list_misplaced_symbols(scene: Scene) -> list[str]:
    """Return a sentence for each symbol that does not tell its province: its middle lies in it, and
    a fleet at sea stands nearer to the name of its sea than to that of any other."""
    outlines = {id_: outline_area(d) for id_, d in scene.outlines}
    items = [item for layer in scene.layers for item in layer.items]
    names: dict[str, BaseGeometry] = {}
    for item in items:
        if isinstance(item, Text) and "sea-name" in item.look.split() and item.province:
            names[item.province] = names.get(item.province, Polygon()).union(text_area(item))
    tethered = {
        (item.power, item.to) for item in items if isinstance(item, Mark) and item.look == "tether"
    }
    found = []
    for item in items:
        if not (isinstance(item, Token) and item.unit):
            continue
        province = province_of(item)
        at = Point(item.at)
        if not outlines[province].covers(at) and (item.power, province) not in tethered:
            far = outlines[province].distance(at)
            found.append(f"{item.unit} stands {far:.1f} outside {province}")
        if province in names:
            nearest = min(names, key=lambda id_: names[id_].distance(at))
            if nearest != province:
                far = names[province].distance(at) - names[nearest].distance(at)
                found.append(f"{item.unit} is nearer to the name of {nearest} by {far:.1f}")
    return found


def _list_cut_symbols(scene: Scene) -> Iterator[str]:
    """Yield a sentence for each symbol that an inset's frame cuts."""
    for inset in scene.insets:
        f = inset.frame
        frame = shapely.box(f.left, f.top, f.right, f.bottom)
        for token in (item for layer in inset.layers for item in layer.items):
            if isinstance(token, Token) and not frame.covers(symbol_area(token)):
                yield f"{token.unit} is cut by a frame"


def _count_on_borders(scene: Scene) -> tuple[int, int]:
    """Return how many symbols stand on a border though their province has room, and of how many."""
    outlines = {id_: path_area(d) for id_, d in scene.outlines}
    items = [item for layer in scene.layers for item in layer.items]
    standing = [t for t in items if isinstance(t, Token) and t.unit and t.state != "dislodged"]
    wrong = [
        token
        for token in standing
        if not outlines[province_of(token)].covers(Point(token.at).buffer(DISC - 1.5))
        and not outlines[province_of(token)].buffer(-DISC - 4.0).is_empty
    ]
    return len(wrong), len(standing)


def province_of(token: Token) -> str:
    """Return the province of a symbol, by its unit's name (``F EGE#2``, ``F BYZ/sc``)."""
    return re.split("[#/(]", token.unit.split()[-1])[0]


# -- footprints ----------------------------------------------------------------------------------


def list_footprints(scene: Scene) -> Iterator[Footprint]:
    """Yield the footprints of a picture: those of the sheet, then those of each inset."""
    yield from _panels(scene)
    for layer in scene.layers:
        if layer.key not in ("legend", "scoreboard", "compass", "frame"):
            yield from _layer_footprints(layer, 0)
    for number, inset in enumerate(scene.insets, 1):
        yield from _inset_footprints(inset, number)


def _panels(scene: Scene) -> Iterator[Footprint]:
    """Yield the panels that hide the map: legend, scoreboard, insets."""
    for layer in scene.layers:
        if layer.key in ("legend", "scoreboard"):
            panel = next(i for i in layer.items if isinstance(i, Shape) and i.look == "panel")
            yield Footprint("panel", layer.key, path_area(panel.d))
    for number, inset in enumerate(scene.insets, 1):
        f = inset.frame
        yield Footprint("panel", f"inset {number}", shapely.box(f.left, f.top, f.right, f.bottom))


def _inset_footprints(inset: Inset, number: int) -> Iterator[Footprint]:
    f = inset.frame
    frame = shapely.box(f.left, f.top, f.right, f.bottom)
    for layer in inset.layers:
        for footprint in _layer_footprints(layer, number):
            if not (seen := footprint.area.intersection(frame)).is_empty:
                yield Footprint(footprint.kind, footprint.about, seen, number)


def _layer_footprints(layer: Layer, view: int) -> Iterator[Footprint]:
    for item in layer.items:
        for kind, about, area in _item_areas(item):
            yield Footprint(kind, about, area, view)


def _item_areas(item: Item) -> Iterator[tuple[str, str, BaseGeometry]]:
    """Yield the kind, the owner and the area of everything in an item that has a meaning."""
    if isinstance(item, Token) and item.unit:
        yield "symbol", item.unit, symbol_area(item)
        if item.number:
            (x, y), k = item.at, item.size / 28
            yield "number", item.unit, Point(x + 11.4 * k, y - 8.6 * k).buffer(5.8 * k)
    elif isinstance(item, Text) and "name" in item.look.split():
        yield "name", item.province or item.text, text_area(item)
    elif isinstance(item, Mark):
        for shape in item.shapes:
            looks = shape.look.split()
            if isinstance(shape, Shape) and looks[0] in KINDS and "rim" not in looks:
                yield KINDS[looks[0]], item.unit, path_area(shape.d)


def symbol_area(token: Token) -> BaseGeometry:
    """Return the area of a unit's symbol with its dark edge, without the light halo."""
    area = translate(_symbol_at_origin(token.kind, token.power, token.state), *token.at)
    if token.size == 28.0:
        return area
    return shapely.affinity.scale(area, token.size / 28, token.size / 28, origin=token.at)


@lru_cache(maxsize=64)
def _symbol_at_origin(kind: str, power: str, state: str) -> BaseGeometry:
    edge = 1.5
    if power == "NEU":
        area: BaseGeometry = shapely.box(-8.6, -12.6, 8.6, 12.2).buffer(edge)
    elif kind == "F":
        sail = Polygon([(-8, -14), (8, -14), (9.4, -6.4), (7.4, 0.6), (-7.4, 0.6)])
        hull = Polygon([(-15.4, 0.8), (-9, 6.4), (8.6, 6.4), (14.4, -2.4), (9.6, 13), (-8.6, 13)])
        area = sail.union(hull).buffer(edge)
    elif kind == "G":
        crown = Polygon([(-8.4, -4.6), (-10.4, -13.4), (0, -15.2), (10.4, -13.4), (8.4, -4.6)])
        area = Point(0, 3.4).buffer(9.8).union(crown).buffer(edge)
    else:
        area = Point(0, 1.6).buffer(10.4 + edge)
    return rotate(area, -24 if state == "dislodged" else 0, origin=(0, 0), use_radians=False)


def text_area(text: Text) -> BaseGeometry:
    """Return the area of a name's letters, along its curve if it has one."""
    face: Face = "italic" if "sea-name" in text.look else "semibold"
    spacing = 0.6 if "sea-name" in text.look else 0.0
    long = width(text.text, text.size, face) + spacing * len(text.text)
    (x, y), up, down = text.at, 0.66 * text.size, 0.2 * text.size
    if text.curve:
        return _along_curve(text.curve, long, up, down)
    flat = shapely.box(x - long / 2, y - up, x + long / 2, y + down)
    return rotate(flat, text.angle, origin=(x, y)) if text.angle else flat


def _along_curve(curve: str, long: float, up: float, down: float) -> BaseGeometry:
    """Return the band along the middle of a quadratic curve that a text of a length takes."""
    (a, m, b) = [tuple(map(float, pair.split(","))) for pair in re.split("[MQ ]", curve) if pair]
    points = [
        tuple(
            (1 - t) ** 2 * p + 2 * t * (1 - t) * q + t * t * r
            for p, q, r in zip(a, m, b, strict=True)
        )
        for t in (i / 40 for i in range(41))
    ]
    line = shapely.LineString(points)
    first, last = line.length / 2 - long / 2, line.length / 2 + long / 2
    band = shapely.ops.substring(line, first, last)
    return translate(band, 0, (down - up) / 2).buffer((up + down) / 2, cap_style="flat")


_TOKENS = re.compile(r"[a-zA-Z]|-?(?:\d+\.?\d*|\.\d+)")


@lru_cache(maxsize=4096)
def path_area(d: str) -> BaseGeometry:
    """Return the area that path data of straight lines, or of one circle, encloses."""
    rings = list(_rings(d))
    area: BaseGeometry = Polygon(rings[0])
    for ring in rings[1:]:
        area = area.symmetric_difference(Polygon(ring).buffer(0))
    return area if area.is_valid else area.buffer(0)


@lru_cache(maxsize=512)
def outline_area(d: str) -> BaseGeometry:
    """Return the area of a province's outline, a little larger for the rounding of its points."""
    return path_area(d).buffer(0.5)


def _rings(d: str) -> Iterator[list[tuple[float, float]]]:
    tokens = _TOKENS.findall(d)
    ring: list[tuple[float, float]] = []
    command, x, y, i = "", 0.0, 0.0, 0
    while i < len(tokens):
        if tokens[i].isalpha():
            command = tokens[i]
            i += 1
            if command == "M" and ring:
                yield ring
                ring = []
            if command == "z":
                continue
        if command == "a":
            radius = float(tokens[i])
            yield [
                (x + radius + radius * cos(t * pi / 12), y + radius * sin(t * pi / 12))
                for t in range(24)
            ]
            return
        if command in "hHvV":
            step = float(tokens[i])
            i += 1
            across = command in "hH"
            x = step if command == "H" else x + (step if across else 0.0)
            y = step if command == "V" else y + (0.0 if across else step)
        else:
            dx, dy = float(tokens[i]), float(tokens[i + 1])
            i += 2
            x, y = (dx, dy) if command in "ML" else (x + dx, y + dy)
            command = "l" if command == "M" else command
        ring.append((x, y))
    if len(ring) > 2:
        yield ring


# A turn can be read off its picture: nothing covers another's meaning, in any phase.


BUDGET = 60.0  # the area in square units that the other overlaps of a picture may have on average

CROWDED = ("sea", "battle", "medley", "river", "portage")
"""The profiles of scenarios in which many units stand close to each other."""


def _draw(outcome: Outcome) -> Scene:
    return draw_turn(outcome, WORDS, title="T")


def _list_faults(scene: Scene) -> list[str]:
    covered = [str(overlap) for overlap in measure_overlaps(scene) if is_forbidden(overlap)]
    return [*covered, *list_misplaced_symbols(scene), *_list_cut_symbols(scene)]


def _sample_outcomes(folder: Path) -> Iterator[Outcome]:
    with Desk.open(folder) as desk:
        for phase in desk.phases():
            if phase.state == "processed":
                yield desk.processed(phase.name).outcome


def _random_outcomes(games: int, scenarios: int) -> Iterator[Outcome]:
    """Yield outcomes of random games, and of small positions full of battles."""
    board = load_board("alexmagnum")
    for seed in range(games):
        yield from (phase.outcome for phase in islice(play_game(board, seed), 3 + seed % 7, 60, 7))
    for profile in CROWDED:
        for seed in range(scenarios):
            scenario = PROFILES[profile](Random(seed))
            yield adjudicate(scenario.position, scenario.orders)


def test_nothing_is_covered_in_the_sample_turn() -> None:
    assert _list_faults(sample_scene()) == []


@sampled
def test_nothing_is_covered_in_any_phase_of_the_sample_game(sample_game: Path) -> None:
    outcomes = list(_sample_outcomes(sample_game))
    faults = {
        str(outcome.position.phase): found
        for outcome in outcomes[:: sized(9, 1)]
        if (found := _list_faults(_draw(outcome)))
    }

    assert len(outcomes) == 19
    assert faults == {}


@sampled
def test_nothing_is_covered_in_random_turns() -> None:
    outcomes = list(_random_outcomes(sized(0, 15), sized(1, 16)))
    scenes = [_draw(outcome) for outcome in outcomes]
    area = sum(overlap.area for scene in scenes for overlap in measure_overlaps(scene))

    assert len(outcomes) >= (200 if is_proof() else 5)
    assert [found for scene in scenes if (found := _list_faults(scene))] == []
    assert area / len(scenes) < BUDGET
    wrong, standing = map(sum, zip(*map(_count_on_borders, scenes), strict=True))
    assert wrong <= standing / 100


@pytest.mark.proof
@pytest.mark.parametrize("with_shapes", [True, False])
def test_nothing_is_covered_in_random_turns_of_the_standard_map(
    tmp_path: Path, with_shapes: bool
) -> None:
    plain = tmp_path / "plain.json"
    plain.write_bytes(Path("maps/standard.json").read_bytes())
    board = load_board("standard" if with_shapes else str(plain))
    outcomes = [
        phase.outcome
        for seed in range(10)
        for phase in islice(play_game(board, seed), 2 + seed, 40, 9)
    ]

    assert [found for outcome in outcomes if (found := _list_faults(_draw(outcome)))] == []


@pytest.mark.parametrize(
    ("kind", "look"), [("burst", "burst"), ("head", "head"), ("number", "place")]
)
def test_the_measure_finds_each_kind_of_sign(kind: str, look: str) -> None:
    scene = sample_scene()
    drawn = {
        shape.look.split()[0]
        for layer in scene.layers
        for mark in layer.items
        if isinstance(mark, Mark)
        for shape in mark.shapes
        if isinstance(shape, Shape)
    }

    assert look in drawn
    assert kind in {footprint.kind for footprint in list_footprints(scene)}


def test_a_name_on_a_unit_would_be_found() -> None:
    """Check that the measure can fail."""
    scene = sample_scene()
    tokens = {i.unit: i for layer in scene.layers for i in layer.items if isinstance(i, Token)}
    one = tokens["A SIR"]
    moved = replace(one, at=tokens["F CAR"].at)
    layers = [
        replace(layer, items=tuple(moved if item is one else item for item in layer.items))
        for layer in scene.layers
    ]
    faults = _list_faults(replace(scene, layers=tuple(layers)))

    assert any("symbol" in fault for fault in faults)
    assert any("outside" in fault for fault in faults)
