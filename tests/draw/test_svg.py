"""The picture as it is written: well formed, whole, and always the same."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from alexmagnum.board import load_board
from alexmagnum.cases.files import read_turn
from alexmagnum.draw import draw_position, render_svg
from alexmagnum.draw.scene import Scene, Token, decimal
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.position import Dislodged, Phase, Position, Unit

ROOT = Path(__file__).parents[2]
SPACE = {"svg": "http://www.w3.org/2000/svg"}


def _position() -> Position:
    position = read_turn(ROOT / "orders" / "turn.yaml", None).position
    assert position is not None
    return position


@pytest.fixture(scope="module")
def scene() -> Scene:
    return draw_position(_position(), load_sentences("it"), title="A & <B>", subtitle="Primavera")


@pytest.fixture(scope="module")
def text(scene: Scene) -> str:
    return render_svg(scene)


def test_it_is_well_formed_and_ends_with_a_line_end(text: str) -> None:
    ElementTree.fromstring(text)

    assert text.endswith("</svg>\n")


def test_the_same_scene_gives_the_same_text(text: str) -> None:
    again = draw_position(_position(), load_sentences("it"), title="A & <B>", subtitle="Primavera")

    assert render_svg(again) == text


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
    used = re.findall(r'(?:href="#|url\(#)([^")]+)', text)

    assert len(ids) == len(set(ids))
    assert all(id_.startswith(prefix) for id_ in ids)
    assert set(used) <= set(ids)


def test_what_a_title_says_is_said_to_those_who_cannot_see_it(text: str) -> None:
    root = ElementTree.fromstring(text)
    title = root.find("svg:title", SPACE)
    assert title is not None

    assert title.text == "Mappa di A & <B>. Primavera"
    assert root.get("role") == "img"
    assert str(title.get("id")) in str(root.get("aria-labelledby"))


def test_every_unit_stands_on_it_once(text: str) -> None:
    """Count only units of the position: those of the legend have no name."""
    names = [name for name in re.findall(r'data-unit="([^"]*)"', text) if name]

    assert sorted(names) == sorted(_position().names)


def test_every_province_can_be_touched_and_says_its_name(text: str) -> None:
    found = re.findall(r'data-province="(\w+)"><title>([^<]+)</title>', text)

    assert {id_ for id_, _ in found} == set(_position().board.provinces)
    assert ("MEN", "Menfi (MEN)") in found


def test_nothing_is_fetched_from_anywhere(text: str) -> None:
    outside = re.findall(r"(?:https?:)?//[\w.]+[^\s\"<]*", re.sub(r"base64,[^)]+", "", text))

    assert set(outside) == {"http://www.w3.org/2000/svg"}


def test_the_letters_are_in_it_unless_a_page_has_them(scene: Scene, text: str) -> None:
    assert "font/woff2;base64" in text
    assert "font/woff2;base64" not in render_svg(scene, embed_fonts=False)


@pytest.mark.parametrize(
    ("value", "said"), [(1.0, "1"), (-0.01, "0"), (2.25, "2.2"), (-3.5, "-3.5")]
)
def test_lengths_are_short(value: float, said: str) -> None:
    assert decimal(value) == said
