"""Names never collide: neither with each other nor with units or cities, in any language."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from alexmagnum import load_board
from alexmagnum.draw import labels
from alexmagnum.draw.atlas import SMALLEST
from alexmagnum.draw.base_map import BaseMap, make_base_map
from alexmagnum.draw.grid import Grid
from alexmagnum.draw.labels import LabelPlacing, label_texts, place_names
from alexmagnum.draw.map_shapes import load_atlas, read_atlas
from alexmagnum.draw.scene import square
from alexmagnum.errors import BadMap
from tools.place_names import MAPS, format_shapes, place_anew

BOARD = load_board("alexmagnum")
UNIT = 13.0  # half of a unit's symbol
CITY = 8.0


@pytest.fixture(params=["it", "en"])
def plate(request: pytest.FixtureRequest) -> BaseMap:
    return make_base_map(BOARD, request.param)


def test_every_province_has_a_name(plate: BaseMap) -> None:
    assert [label.province for label in plate.names] == list(plate.atlas.grounds)


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
        if at is not None and square(at, half).meets_any(label.boxes)
    ]

    assert clashes == []
    assert covered == []


def test_names_are_whole_on_the_sheet_and_large_enough_for_a_mail(plate: BaseMap) -> None:
    sheet = plate.atlas.box

    assert [x.province for x in plate.names if not all(map(sheet.encloses, x.boxes))] == []
    assert min(label.size for label in plate.names) >= SMALLEST


def test_few_names_are_cut_to_their_id(plate: BaseMap) -> None:
    """Allow an id only where a coast is so crowded that no name fits."""
    short = {label.province for label in plate.names if label.lines == (label.province,)}

    assert short <= {"ALE", "BIS", "EFE", "NOC", "SUE"}


@pytest.mark.parametrize(("lang", "line"), [("it", "Menfi"), ("en", "Memphis")])
def test_names_are_in_the_language_asked_for(lang: str, line: str) -> None:
    names = {label.province: label.lines for label in make_base_map(BOARD, lang).names}

    assert names["MEN"] == (line,)


def test_the_names_of_wide_seas_are_curved(plate: BaseMap) -> None:
    curved = [label for label in plate.names if label.bend]

    assert len(curved) >= 8
    assert all(BOARD.provinces[label.province].is_sea for label in curved)
    assert all(text.curve for label in curved for text in label_texts(label))


def test_a_plate_is_made_once_for_all_boards_of_a_map() -> None:
    other = BOARD.with_rules({"sea_capacity": 2})

    assert make_base_map(other, "it") is make_base_map(BOARD, "it")


# Names that the file of a map keeps.


@pytest.mark.parametrize("name", MAPS)
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
    ring = [[0, 0], [10, 0], [10, 10], [0, 10], [0, 0]]
    province = {
        "id": "AAA",
        "properties": {"kind": "province"},
        "geometry": {"type": "Polygon", "coordinates": [ring]},
    }
    with pytest.raises(BadMap) as caught:
        read_atlas({"features": [province], "names": names}, "a.geojson")

    assert [(f.where, f.code) for f in caught.value.faults] == [("names", "bad-drawing")]
