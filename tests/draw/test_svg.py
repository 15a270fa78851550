"""Pictures as they are written, together, in parts and in notebooks: whole, and always the same."""

import copy
import pickle
import re
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alexmagnum import adjudicate, explain, first_position, read_order
from alexmagnum.board import load_board
from alexmagnum.cases.files import read_turn
from alexmagnum.draw import draw_position, render_svg
from alexmagnum.draw.canvas import combine_scenes
from alexmagnum.draw.scene import Box, Inset, Layer, Point, Scene, Text, Token, cut_ring, decimal
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.position import Dislodged, Phase, Position, Unit
from tests.sizes import drawn

ROOT = Path(__file__).parents[2]
SPACE = {"svg": "http://www.w3.org/2000/svg"}


def _position() -> Position:
    position = read_turn(ROOT / "orders" / "turn.yaml", None).position
    assert position is not None
    return position


def draw() -> Scene:
    return draw_position(_position(), load_sentences("it"), title="A & <B>", subtitle="Primavera")


@pytest.fixture(scope="module")
def scene() -> Scene:
    return draw()


@pytest.fixture(scope="module")
def text(scene: Scene) -> str:
    return render_svg(scene)


def test_it_is_well_formed_always_the_same_and_fetches_nothing(scene: Scene, text: str) -> None:
    """Only units of the position have a name, those of the legend have none."""
    root = ElementTree.fromstring(text)
    assert text.endswith("</svg>\n")
    assert render_svg(draw()) == text
    outside = re.findall(r"(?:https?:)?//[\w.]+[^\s\"<]*", re.sub(r"base64,[^)]+", "", text))
    assert set(outside) == {"http://www.w3.org/2000/svg"}
    assert "font/woff2;base64" in text
    assert "font/woff2;base64" not in render_svg(scene, embed_fonts=False)  # for a page with them

    title = root.find("svg:title", SPACE)
    assert title is not None
    assert title.text == "Mappa di A & <B>. Primavera"
    assert root.get("role") == "img"
    assert str(title.get("id")) in str(root.get("aria-labelledby"))
    names = [name for name in re.findall(r'data-unit="([^"]*)"', text) if name]
    assert sorted(names) == sorted(_position().names)
    provinces = re.findall(r'data-province="(\w+)"><title>([^<]+)</title>', text)
    assert {id_ for id_, _ in provinces} == set(_position().board.provinces)
    assert ("MEN", "Menfi (MEN)") in provinces


def test_dislodged_units_stand_beside_who_took_their_place() -> None:
    """Check that of two units with one name the one that must retreat looks so."""
    position = Position(
        load_board("alexmagnum"),
        Phase(318, "spring", retreats=True),
        (Unit("SEL", "A", "MEN"),),
        dislodged=(Dislodged(Unit("TOL", "A", "MEN"), Unit("SEL", "A", "TEB"), ("SIW",)),),
    )
    scene = draw_position(position, load_sentences("en"), title="T")
    (units,) = (layer for layer in scene.layers if layer.key == "units")
    tokens = [item for item in units.items if isinstance(item, Token)]

    assert {t.power: (t.unit, t.state) for t in tokens} == {
        "SEL": ("A MEN", ""),
        "TOL": ("A MEN", "dislodged"),
    }
    assert len({t.at for t in tokens}) == 2


@pytest.mark.parametrize("prefix", ["", "m1-"])
def test_ids_are_unique_and_nothing_refers_to_what_is_not_there(scene: Scene, prefix: str) -> None:
    text = render_svg(scene, prefix=prefix, embed_fonts=False)
    ids = re.findall(r'\bid="([^"]+)"', text)

    assert len(ids) == len(set(ids))
    assert all(id_.startswith(prefix) for id_ in ids)
    assert set(re.findall(r'(?:href="#|url\(#)([^")]+)', text)) <= set(ids)


def test_lengths_are_short() -> None:
    assert [decimal(value) for value in (1.0, -0.01, 2.25, -3.5)] == ["1", "0", "2.2", "-3.5"]


# Several pictures of one map in one.


SHEET = Box(0, 0, 100, 50)


def _layer(key: str, text: str) -> Layer:
    return Layer(key, (Text(text, (0, 0), 10, "name"),))


def _scene(*layers: Layer, bottom: float = 50) -> Scene:
    return Scene(replace(SHEET, bottom=bottom), "title", "what is seen", (), layers)


NAMES = _layer("names", "Menfi")


def _layers(scene: Scene) -> list[tuple[str, str]]:
    return [(layer.key, layer.view) for layer in scene.layers]


def test_what_is_the_same_is_drawn_once_and_what_differs_for_each_in_its_place() -> None:
    units = {view: _scene(_layer("units", view), NAMES) for view in ("orders", "after")}
    arrows = {"orders": _scene(_layer("arrows", "a"), NAMES), "after": _scene(NAMES)}
    same = {"orders": _scene(NAMES), "after": _scene(NAMES)}

    assert _layers(combine_scenes(same)) == [("names", "")]
    drawn = [("units", "orders"), ("units", "after"), ("names", "")]
    assert _layers(combine_scenes(units)) == drawn
    assert _layers(combine_scenes(arrows)) == [("arrows", "orders"), ("names", "")]


def test_the_sheet_holds_all_of_them_and_insets_belong_to_their_picture() -> None:
    both = combine_scenes({"orders": _scene(NAMES), "after": _scene(NAMES, bottom=70)})
    with_inset = replace(_scene(NAMES), insets=(Inset(SHEET, SHEET, (), ()),))
    insets = combine_scenes({"orders": with_inset, "after": with_inset}).insets

    assert both.box.bottom == 70
    assert [inset.view for inset in insets] == ["orders", "after"]


# Areas that are cut for an inset look the same inside it.


BOX = Box(-10, -10, 10, 10)

points = st.tuples(st.integers(-40, 40), st.integers(-40, 40))


def holds(ring: tuple[Point, ...], at: Point) -> bool:
    """Return whether a point lies in a ring: its sides are crossed an odd number of times."""
    x, y = at
    crossed = 0
    for (x1, y1), (x2, y2) in pairwise((*ring, *ring[:1])):
        if (y1 > y) != (y2 > y):
            crossed += x1 + (y - y1) * (x2 - x1) / (y2 - y1) < x
    return crossed % 2 == 1


def _near(a: Point, b: Point, share: float) -> bool:
    return BOX.holds((a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share))


@drawn(27, 1500)
@given(st.lists(points, min_size=3, max_size=12))
def test_a_cut_area_is_the_same_inside_the_box_and_its_sides_stay_whole(
    outline: list[Point],
) -> None:
    ring = tuple(outline)
    cut = cut_ring(ring, BOX)

    middles = [(x + 0.37, y + 0.41) for x in range(-10, 10, 2) for y in range(-10, 10, 2)]
    assert [holds(cut, at) for at in middles] == [holds(ring, at) for at in middles]
    sides = set(pairwise((*ring, ring[0])))
    crossing = {(a, b) for a, b in sides if any(_near(a, b, i / 50) for i in range(51))}
    assert crossing <= set(pairwise((*cut, *cut[:1])))


def test_an_area_around_the_box_leaves_the_box_and_one_far_from_it_nothing() -> None:
    ring = [(-90, -90), (90, -90), (90, 90), (-90, 90)]

    assert set(cut_ring(ring, BOX)) == {(-10, -10), (10, -10), (10, 10), (-10, 10)}
    assert cut_ring([(20, 20), (30, 20), (30, 30)], BOX) == ()


POSITION = first_position(load_board("standard"))
ORDERS = {"Austria": ["A VIE - TYR"], "Italy": ["A VEN - TYR", "A ROM S A VEN - TYR"]}
OUTCOME = adjudicate(
    POSITION,
    {power: [read_order(line, POSITION, power) for line in ls] for power, ls in ORDERS.items()},
)


def test_a_notebook_shows_pictures_without_an_id_in_common() -> None:
    """An impossible position has none."""
    shown = [POSITION._repr_svg_() or "", OUTCOME._repr_svg_() or ""]  # type: ignore[attr-defined]
    ids = [set(re.findall(r' id="([^"]+)"', svg)) for svg in shown]

    assert all(svg.startswith("<svg") for svg in shown)
    assert ids[0]
    assert not ids[0] & ids[1]
    assert replace(POSITION, units=(Unit("Italy", "A", "XYZ"),))._repr_svg_() is None


def test_drawing_is_loaded_with_the_first_picture() -> None:
    code = (
        "import sys, alexmagnum\n"
        "position = alexmagnum.first_position(alexmagnum.load_board('standard'))\n"
        "print('alexmagnum.draw' in sys.modules)\n"
        "print(position._repr_svg_()[:4], 'alexmagnum.draw' in sys.modules)"
    )

    assert subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    ).stdout.split() == ["False", "<svg", "True"]


def test_an_explanation_prints_as_sentences() -> None:
    explanation = explain(OUTCOME, POSITION.names["A VEN"])

    assert str(explanation).startswith("A VEN - TYR: ")
    assert str(explanation).count("\n  ") >= len(explanation) - 1
    assert explanation.to_text("it") != str(explanation)
    assert "no order" in str(explain(OUTCOME, POSITION.names["A PAR"]))
    for other in (copy.copy(explanation), pickle.loads(pickle.dumps(explanation))):
        assert other == explanation
        assert str(other) == str(explanation)
