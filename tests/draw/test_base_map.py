"""The base map: shapes on the sheet, names that never collide, colours that keep apart."""

import json
from collections import Counter
from dataclasses import replace
from itertools import combinations, pairwise, product
from math import isclose
from pathlib import Path

import numpy as np
import pytest
from daltonlens.simulate import Deficiency, Simulator_Machado2009
from numpy.typing import NDArray

from alexmagnum import load_board
from alexmagnum.board.geography import Border, Province
from alexmagnum.board.model import INDEPENDENT, Board
from alexmagnum.draw import labels, scene
from alexmagnum.draw.atlas import CELL, SMALLEST, FreeSpace, Grid
from alexmagnum.draw.base_map import PARCHMENT, TINT, WATER, BaseMap, make_base_map
from alexmagnum.draw.labels import LabelPlacing, label_texts, place_names
from alexmagnum.draw.map_shapes import Projection, load_atlas, read_atlas
from alexmagnum.errors import BadFile, BadMap
from tests.sizes import one_in
from tools.place_names import MAPS, format_shapes, place_anew

BOARD = load_board("alexmagnum")
ATLAS = load_atlas(BOARD)
RAW = json.loads(Path(BOARD.geometry).read_text(encoding="utf-8"))


def test_the_sheet_is_as_wide_as_promised_and_as_high_as_mercator_makes_it() -> None:
    """Check that a degree of longitude is 36.09 units, on which the map's letter sizes rely."""
    project = Projection.of(RAW)

    assert isclose(project.scale, 36.09, abs_tol=0.01)
    assert project((17.0, 47.2)) == (0.0, 0.0)
    assert isclose(project((83.5, 20.0))[0], scene.SHEET)
    assert isclose(project((83.5, 20.0))[1], ATLAS.height)


def test_mercator_keeps_angles() -> None:
    """Check that a small square on the globe is a square on the sheet, wherever it is."""
    project = Projection.of(RAW)
    for lat, wide in ((22.0, 0.9272), (45.0, 0.7071)):  # cosines of the latitudes
        x1, y1 = project((40.0, lat))
        x2, y2 = project((40.01, lat + 0.01 * wide))

        assert isclose(x2 - x1, y1 - y2, rel_tol=0.01)


RING = [[0, 0], [10, 0], [10, 10], [0, 10], [0, 0]]  # the outline of a square


def _province(ring: list[list[int]] = RING, **properties: object) -> dict[str, object]:
    return {
        "id": "AAA",
        "properties": {"kind": "province", **properties},
        "geometry": {"type": "Polygon", "coordinates": [ring]},
    }


def test_a_map_in_other_numbers_is_drawn_flat() -> None:
    ring = [[0, 0], [1000, 0], [1000, 500], [0, 500], [0, 0]]
    atlas = read_atlas({"features": [_province(ring)]})

    assert atlas.height == scene.SHEET / 2
    assert atlas.grounds["AAA"].slots == ((scene.SHEET / 2, scene.SHEET / 4),)


def test_every_province_has_its_ground_with_slots_for_its_units_in_it() -> None:
    grid = Grid(ATLAS)

    assert set(ATLAS.grounds) == set(BOARD.provinces)
    for province in BOARD.provinces.values():
        slots = ATLAS.grounds[province.id].slots
        assert len(slots) >= (3 if province.is_sea else 1)
        assert {grid.owner_at(slot) for slot in slots} == {province.id}


@pytest.mark.parametrize("near", [(0.0, 1200.0), (2400.0, 0.0), (900.0, 900.0)])
def test_a_free_box_lies_on_no_province_and_on_nothing_placed(near: tuple[float, float]) -> None:
    grid = Grid(ATLAS)
    room = FreeSpace(ATLAS, grid)
    first = room.find_place(240, 160, near)
    assert first is not None
    room.take(first)
    second = room.find_place(240, 160, near)
    assert second is not None

    assert not first.meets(second)
    for box in (first, second):
        assert grid.is_bare(box)

    assert room.find_place(2000, 1000, (0.0, 0.0)) is None  # it fits nowhere


def test_the_grid_agrees_with_the_shapes() -> None:
    """Compare the grid's areas with the polygons', to a hundredth of the larger ones."""
    grid = Grid(ATLAS)
    everywhere = grid.squares(scene.Box(0, 0, scene.SHEET, ATLAS.height))
    for id_ in ("CRM", "EGI", "MNC", "RAY"):
        ((ring),) = ATLAS.grounds[id_].rings
        twice = sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairwise(ring))

        assert isclose(
            grid.count_owned(everywhere, id_) * CELL * CELL, abs(twice) / 2, rel_tol=0.01
        )


def _small_map(tmp_path: Path, drawn: tuple[str, ...]) -> Board:
    """Return a map of three lands in a row; some of them have a shape."""
    shapes = [
        {**_province([[x + 10 * i, y] for x, y in RING]), "type": "Feature", "id": id_}
        for i, id_ in enumerate(drawn)
    ]
    path = tmp_path / "little.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "features": shapes}), "utf-8")
    provinces = {id_: Province(id_, {"en": id_}) for id_ in ("AAA", "BBB", "CCC")}
    borders = (Border("AAA", "BBB", "army"), Border("BBB", "CCC", "army"))
    return Board("little", {"en": "Little"}, provinces, {}, borders, geometry=str(path))


def test_a_province_without_a_shape_is_named_and_a_file_without_shapes_is_refused(
    tmp_path: Path,
) -> None:
    board = _small_map(tmp_path, ("AAA", "CCC"))
    with pytest.raises(BadMap) as caught:
        load_atlas(board)
    assert [fault.where for fault in caught.value.faults] == ["provinces.BBB"]

    path = tmp_path / "other.geojson"
    path.write_text('{"type": "Feature"}', "utf-8")
    with pytest.raises(BadMap) as caught:
        load_atlas(replace(board, geometry=str(path)))
    assert [fault.code for fault in caught.value.faults] == ["not-geojson"]

    other = tmp_path / "parchment.geojson"
    other.write_text("parchment", "utf-8")
    with pytest.raises(BadFile, match="not-json"):
        load_atlas(replace(board, geometry=str(other)))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("label_size", "large"),
        ("label_size", 1e9),
        ("label_size", 0),
        ("label_angle", float("inf")),
        ("city", [1]),
        ("city", "Pella"),
        ("coasts", [1, 2]),
        ("label_lines", 3),
        ("label_lines", ["W" * 150, "W" * 51]),
    ],
)
def test_odd_properties_of_the_drawing_are_refused_by_place(key: str, value: object) -> None:
    shape = _province(RING, label=[5, 5], **{key: value})

    _refuse({"features": [shape]}, "shapes[0]", "bad-drawing")


def test_a_river_of_one_point_and_an_odd_bbox_are_refused() -> None:
    line = {"type": "LineString", "coordinates": [[5, 5]]}
    river = {"properties": {"kind": "river", "name": "Nile"}, "geometry": line}

    land = _province(RING)
    _refuse({"bbox": [0, 0, 10, 10], "features": [river, land]}, "shapes[0]", "bad-drawing")
    huge, high = [-1e300, -1e300, 1e300, 1e300], [0, -1e9, 1, 1e9]
    for bbox in ([0, 0, 0, 0], [0, 0, 1], "all", [5, 5, 1, 1], huge, high):
        _refuse({"bbox": bbox, "features": [land]}, "shapes.bbox")
    _refuse({"features": [_province([[x, y * 1000] for x, y in RING])]}, "shapes.bbox")


def test_lines_that_take_long_to_draw_are_refused() -> None:
    for count, step in ((502, 0), (800, 1 / 80)):  # close together; long
        way = {"type": "LineString", "coordinates": [[i % 2 * 10, i * step] for i in range(count)]}
        river = {"properties": {"kind": "river", "name": "Nile"}, "geometry": way}
        _refuse({"features": [river, _province(RING)]}, "shapes", "shapes-dense")


def test_a_line_to_and_fro_is_simplified_in_few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    steps, measure = Counter[str](), scene._distance_from_segment
    monkeypatch.setattr(
        scene, "_distance_from_segment", lambda *points: steps.update("x") or measure(*points)
    )
    line = [(float(i % 2) * (3000 - i), 0.0) for i in range(1000)]
    assert len(scene.simplify(line, 1.0)) > 100
    assert steps["x"] < 80 * len(line)


def _refuse(shapes: dict[str, object], where: str, code: str = "") -> None:
    """Check that shapes are refused with one fault in a place, of a code if one is named."""
    with pytest.raises(BadMap) as caught:
        read_atlas(shapes, "a.geojson")
    (fault,) = caught.value.faults
    assert fault.where == where
    assert fault.code == code or not code


UNIT = 13.0  # half of a unit's symbol
CITY = 8.0


@pytest.fixture(params=["it", "en"])
def plate(request: pytest.FixtureRequest) -> BaseMap:
    return make_base_map(BOARD, request.param)


def test_no_name_stands_on_another_or_where_a_unit_or_a_city_may(plate: BaseMap) -> None:
    clashes = [
        (one.province, two.province)
        for one, two in combinations(plate.names, 2)
        if any(box.meets_any(two.boxes) for box in one.boxes)
    ]
    covered = [
        (label.province, ground.id)
        for ground in plate.atlas.grounds.values()
        for at, half in [(s, UNIT) for s in ground.slots] + [(ground.city, CITY)]
        for label in plate.names
        if at is not None and scene.square(at, half).meets_any(label.boxes)
    ]

    assert (clashes, covered) == ([], [])


def test_every_province_has_its_name_whole_on_the_sheet_and_large_enough_for_a_mail(
    plate: BaseMap,
) -> None:
    """Allow an id only where a coast is so crowded that no name fits."""
    sheet = plate.atlas.box
    short = {label.province for label in plate.names if label.lines == (label.province,)}

    assert [label.province for label in plate.names] == list(plate.atlas.grounds)
    assert [x.province for x in plate.names if not all(map(sheet.encloses, x.boxes))] == []
    assert min(label.size for label in plate.names) >= SMALLEST
    assert short <= {"ALE", "BIS", "EFE", "NOC", "SUE"}


def test_the_names_of_wide_seas_are_curved(plate: BaseMap) -> None:
    curved = [label for label in plate.names if label.bend]

    assert len(curved) >= 8
    assert all(BOARD.provinces[label.province].is_sea for label in curved)
    assert all(text.curve for label in curved for text in label_texts(label))


def test_a_plate_is_made_once_for_all_boards_of_a_map_in_a_language() -> None:
    italian, english = make_base_map(BOARD, "it"), make_base_map(BOARD, "en")

    assert make_base_map(BOARD.with_rules({"sea_capacity": 2}), "it") is italian
    for plate, name in ((italian, "Menfi"), (english, "Memphis")):
        assert {label.province: label.lines for label in plate.names}["MEN"] == (name,)


# Names that the file of a map keeps.


@pytest.mark.parametrize("name", one_in(2, MAPS))
def test_the_names_that_come_along_are_those_that_are_placed(name: str) -> None:
    """Run ``python -m tools.place_names`` if they differ."""
    board = load_board(name)
    text = Path(board.geometry).read_text("utf-8")
    raw = json.loads(text)

    assert text == format_shapes(raw)
    for lang, kept in raw["names"].items():
        assert kept == json.loads(json.dumps(place_anew(board, lang))), lang


def test_names_are_searched_for_only_if_they_are_of_another_map_or_language(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    atlas = load_atlas(BOARD)
    ground = atlas.grounds["EGE"]
    x, y = ground.rings[0][0]
    moved = replace(ground, rings=(((x + 0.02, y), *ground.rings[0][1:]), *ground.rings[1:]))
    other = LabelPlacing(
        BOARD, replace(atlas, grounds={**atlas.grounds, "EGE": moved}), Grid(atlas), "en"
    )
    same = replace(other, atlas=atlas)
    found = place_names(same)
    anew = place_names(replace(same, atlas=replace(atlas, placed={})))

    assert (found[0], found[1].grounds) == (anew[0], anew[1].grounds)
    with monkeypatch.context() as hurried:  # a hostile map took minutes (a tenth attack)
        hurried.setattr(labels, "_MOST_LOOKS", 0)
        in_haste, _ = place_names(replace(same, atlas=replace(atlas, placed={})))
        assert {label.province for label in in_haste} == {label.province for label in found[0]}
    monkeypatch.setattr(labels, "place_labels", lambda placing: pytest.fail("searched"))
    assert place_names(same) == found
    for another in (other, replace(same, lang="de"), replace(same, board=load_board("standard"))):
        with pytest.raises(pytest.fail.Exception, match="searched"):
            place_names(another)


@pytest.mark.parametrize(
    "names",
    [
        [],
        7,
        {"en": {}},
        {"en": {"digest": "", "names": {"ILL": [[1, 2], ["I"], 17, 0, 0]}, "fleets": {}}},
        {"en": {"digest": "", "names": {"AAA": [[1, 2], ["A"], 1e9, 0, 0]}, "fleets": {}}},
        {"en": {"digest": "", "names": {"AAA": [[1], ["A"], 17, 0, 0]}, "fleets": {}}},
        {"en": {"digest": "", "names": {"AAA": [[1, 2], ["A"], 17, 0, 0]}, "fleets": [1]}},
    ],
)
def test_damaged_names_are_refused(names: object) -> None:
    _refuse({"features": [_province()], "names": names}, "names", "bad-drawing")


SHIPPED = ["alexmagnum", "standard"]

SIGHTS = {
    "normal": None,
    "without red": Deficiency.PROTAN,
    "without green": Deficiency.DEUTAN,
    "without blue": Deficiency.TRITAN,
}

APART = {"alexmagnum": (25.0, 12.0), "standard": (10.0, 4.0)}
"""The least difference of two colours, and of two tints: CIE 1976, where 2.3 is just seen."""


def _simulate_sight(colors: list[str], deficiency: Deficiency | None) -> NDArray[np.float64]:
    """Return the colours as somebody sees them, in CIE L*a*b*: shape (colours, 3)."""
    rgb = np.array([[[int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in colors]], dtype=np.uint8)
    if deficiency is not None:
        rgb = Simulator_Machado2009().simulate_cvd(rgb, deficiency, severity=1.0)
    part = rgb[0] / 255.0
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    to_xyz = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )
    xyz = linear @ to_xyz.T / np.array([0.9505, 1.0, 1.089])
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    lab = [116 * f[:, 1] - 16, 500 * (f[:, 0] - f[:, 1]), 200 * (f[:, 1] - f[:, 2])]
    return np.stack(lab, axis=1)


def _least(colors: list[str], deficiency: Deficiency | None) -> float:
    lab = _simulate_sight(colors, deficiency)
    return min(float(np.linalg.norm(a - b)) for a, b in combinations(lab, 2))


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("name", SHIPPED)
def test_colours_of_powers_tints_of_centres_and_seas_keep_apart_for_every_kind_of_sight(
    name: str, sight: str
) -> None:
    board = load_board(name)
    colors = [scene.assign_liveries(board)[power].color for power in board.powers]
    tints = [scene.mix_colors(color, PARCHMENT[0], TINT) for color in colors]
    shades = make_base_map(board, "en").shades
    seas = {
        (shades[a], shades[b])
        for border in board.borders
        for a, b in [(board.province_of(border.a).id, board.province_of(border.b).id)]
        if board.provinces[a].is_sea and board.provinces[b].is_sea
    }

    assert _least(colors, SIGHTS[sight]) > APART[name][0]
    assert _least(tints, SIGHTS[sight]) > APART[name][1]
    assert seas
    assert min(_least(list(pair), SIGHTS[sight]) for pair in seas) > 4.0
    shores = product(tints, {shade for pair in seas for shade in pair})
    assert min(_least([*pair], None) for pair in shores) > 10.0


def test_the_seas_are_blue() -> None:
    assert all(water[5:7] == max(water[k : k + 2] for k in (1, 3, 5)) for water in WATER)


def test_colours_that_only_differ_in_red_and_green_would_be_found() -> None:
    """Check that the measure can fail: many people cannot tell red and green of one lightness."""
    assert _least(["#B06A2E", "#7F8030"], None) > 25.0
    assert _least(["#B06A2E", "#7F8030"], Deficiency.DEUTAN) < 20.0


def test_without_colour_a_letter_and_a_pattern_tell_each_power() -> None:
    for board in map(load_board, SHIPPED):
        marks = [scene.assign_liveries(board)[power] for power in board.powers]
        assert len({mark.letter for mark in marks}) == len(board.powers)
        assert len({mark.pattern for mark in marks}) == len(board.powers)

    letters = scene.assign_letters(load_board("alexmagnum"))
    assert (letters["CAS"], letters["CAN"]) == ("C", "N")  # the A is that of AUT


def test_the_ink_on_a_colour_is_read_easily() -> None:
    """Require a contrast of 4.5 to 1, as WCAG 2 does of text (level AA)."""
    for color in (*scene.SPARE, "#7F7F7F", "#E1C328"):
        dark, light = sorted((scene.luminance(color), scene.luminance(scene.choose_ink(color))))
        assert (light + 0.05) / (dark + 0.05) >= 4.5, color


def test_the_independents_and_the_legend_have_a_livery_of_their_own() -> None:
    marks = scene.assign_liveries(load_board("alexmagnum"))

    assert marks[INDEPENDENT].color != marks[scene.NOBODY].color
    assert not marks[INDEPENDENT].pattern
