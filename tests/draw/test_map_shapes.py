"""The shapes of a map on the sheet."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from math import isclose
from pathlib import Path

import pytest

from alexmagnum import load_board
from alexmagnum.board.geography import Border, Province
from alexmagnum.board.model import Board
from alexmagnum.draw.grid import CELL, FreeSpace, Grid
from alexmagnum.draw.map_shapes import Projection, load_atlas, read_atlas
from alexmagnum.draw.scene import SHEET, Box
from alexmagnum.errors import BadFile, BadMap

BOARD = load_board("alexmagnum")
ATLAS = load_atlas(BOARD)
RAW = json.loads(Path(BOARD.geometry).read_text(encoding="utf-8"))


def test_every_province_has_its_ground() -> None:
    assert set(ATLAS.grounds) == set(BOARD.provinces)


def test_the_sheet_is_as_wide_as_promised_and_as_high_as_mercator_makes_it() -> None:
    """Check that a degree of longitude is 36.09 units, on which the map's letter sizes rely."""
    project = Projection.of(RAW)

    assert isclose(project.scale, 36.09, abs_tol=0.01)
    assert project((17.0, 47.2)) == (0.0, 0.0)
    assert isclose(project((83.5, 20.0))[0], SHEET)
    assert isclose(project((83.5, 20.0))[1], ATLAS.height)


def test_mercator_keeps_angles() -> None:
    """Check that a small square on the globe is a square on the sheet, wherever it is."""
    project = Projection.of(RAW)
    for lat, wide in ((22.0, 0.9272), (45.0, 0.7071)):  # cosines of the latitudes
        x1, y1 = project((40.0, lat))
        x2, y2 = project((40.01, lat + 0.01 * wide))

        assert isclose(x2 - x1, y1 - y2, rel_tol=0.01)


def test_a_map_in_other_numbers_is_drawn_flat() -> None:
    ring = [[0, 0], [1000, 0], [1000, 500], [0, 500], [0, 0]]
    province = {
        "id": "AAA",
        "properties": {"kind": "province"},
        "geometry": {"type": "Polygon", "coordinates": [ring]},
    }
    atlas = read_atlas({"features": [province]})

    assert atlas.height == SHEET / 2
    assert atlas.grounds["AAA"].slots == ((SHEET / 2, SHEET / 4),)


def test_slots_of_units_lie_in_their_province() -> None:
    grid = Grid(ATLAS)
    outside = [
        ground.id
        for ground in ATLAS.grounds.values()
        for slot in ground.slots
        if grid.owner_at(slot) != ground.id
    ]

    assert outside == []


def test_a_sea_has_a_slot_to_each_fleet() -> None:
    for province in BOARD.provinces.values():
        assert len(ATLAS.grounds[province.id].slots) >= (3 if province.is_sea else 1)


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


def test_what_does_not_fit_anywhere_has_no_place() -> None:
    assert FreeSpace(ATLAS, Grid(ATLAS)).find_place(2000, 1000, (0.0, 0.0)) is None


def test_the_grid_agrees_with_the_shapes() -> None:
    """Compare the grid's areas with the polygons', to a hundredth of the larger ones."""
    grid = Grid(ATLAS)
    everywhere = grid.squares(Box(0, 0, SHEET, ATLAS.height))
    for id_ in ("CRM", "EGI", "MNC", "RAY"):
        ((ring),) = ATLAS.grounds[id_].rings
        twice = sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairwise(ring))

        assert isclose(
            grid.count_owned(everywhere, id_) * CELL * CELL, abs(twice) / 2, rel_tol=0.01
        )


def _small_map(tmp_path: Path, drawn: tuple[str, ...]) -> Board:
    """Return a map of three lands in a row; some of them have a shape."""
    square = [[0, 0], [10, 0], [10, 10], [0, 10], [0, 0]]
    shapes = [
        {
            "type": "Feature",
            "id": id_,
            "properties": {"kind": "province"},
            "geometry": {"type": "Polygon", "coordinates": [[[x + 10 * i, y] for x, y in square]]},
        }
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


def test_a_file_that_is_no_json_is_refused(tmp_path: Path) -> None:
    board = _small_map(tmp_path, ("AAA", "BBB", "CCC"))
    Path(board.geometry).write_text("parchment", "utf-8")

    with pytest.raises(BadFile, match="not-json"):
        load_atlas(board)


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
    ],
)
def test_odd_properties_of_the_drawing_are_refused_by_place(key: str, value: object) -> None:
    ring = [[0, 0], [10, 0], [10, 10], [0, 10], [0, 0]]
    province = {
        "id": "AAA",
        "properties": {"kind": "province", "label": [5, 5], key: value},
        "geometry": {"type": "Polygon", "coordinates": [ring]},
    }
    with pytest.raises(BadMap) as caught:
        read_atlas({"features": [province]}, "a.geojson")

    assert [(f.where, f.code) for f in caught.value.faults] == [("shapes[0]", "bad-drawing")]


def test_a_river_of_one_point_is_refused() -> None:
    line = {"type": "LineString", "coordinates": [[5, 5]]}
    river = {"properties": {"kind": "river", "name": "Nile"}, "geometry": line}
    with pytest.raises(BadMap) as caught:
        read_atlas({"bbox": [0, 0, 10, 10], "features": [river]}, "a.geojson")

    assert [(f.where, f.code) for f in caught.value.faults] == [("shapes[0]", "bad-drawing")]


@pytest.mark.parametrize("bbox", [[0, 0, 0, 0], [0, 0, 1], "all", [5, 5, 1, 1]])
def test_an_odd_bbox_is_refused(bbox: object) -> None:
    with pytest.raises(BadMap) as caught:
        read_atlas({"bbox": bbox, "features": []})

    assert [fault.where for fault in caught.value.faults] == ["shapes.bbox"]
