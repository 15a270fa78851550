"""What stands in an order sheet, and what does not."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest

from alexmagnum.board import load_board
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.position import Phase, Position, Unit
from alexmagnum.report.formats import draw_position_map
from alexmagnum.report.sheet import SheetHeading, render_order_sheet

BOARD = load_board("alexmagnum")
POSITION = Position(
    BOARD,
    Phase(318, "spring"),
    (Unit("TOL", "F", "CRE"), Unit("TOL", "A", "MEN"), Unit("SEL", "F", "EGE")),
)
OCCASION = SheetHeading("Cyprus", "referee@example.org")


def _sheet(
    occasion: SheetHeading = OCCASION, lang: str = "en", position: Position = POSITION
) -> str:
    sentences = load_sentences(lang)
    drawn = draw_position_map(position, sentences, occasion.game)
    return render_order_sheet(position, "TOL", sentences, occasion, drawn)


def _data(page: str) -> Any:
    match = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert match
    return json.loads(match[1])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_speaks_the_players_language(lang: str) -> None:
    page = _sheet(lang=lang)

    assert f'<html lang="{lang}">' in page
    assert load_sentences(lang).format("sheet-title") in page
    assert _data(page)["subjects"][0]["label"] in page


def test_the_policy_lets_the_one_script_run_and_nothing_else() -> None:
    page = _sheet()
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    digest = b64encode(sha256(script.encode()).digest()).decode()

    assert f"script-src 'sha256-{digest}'" in page
    assert "default-src 'none'" in page
    assert "unsafe-eval" not in page
    assert page.count("<script") == 2


def test_the_page_asks_for_nothing() -> None:
    """No address in it but names of formats, and no event handler in a tag."""
    page = _sheet()

    assert set(re.findall(r"https?://[^\s\"'<>]+", page)) <= {"http://www.w3.org/2000/svg"}
    assert not re.search(r"<[^>]+\s(on\w+|src)=", page)


def test_the_only_address_is_the_game_masters() -> None:
    assert set(re.findall(r"[\w.]+@[\w.]+\.\w+", _sheet())) == {"referee@example.org"}
    assert not re.search(r"[\w.]+@[\w.]+\.\w+", _sheet(SheetHeading("Cyprus")))


def test_a_name_can_break_nothing() -> None:
    """Whatever the game is called, it is text."""
    name = "</script><script>alert(1)</script> & \"x\" '%'"
    page = _sheet(SheetHeading(name))

    assert page.count("<script") == 2
    assert "alert(1)</script>" not in page
    assert name in _data(page)["subject"]


def test_units_and_provinces_are_marked_on_the_map() -> None:
    page = _sheet()

    assert 'data-unit="F CRE" data-power="TOL"' in page
    assert 'data-province="MEN"' in page


def test_the_deadline_is_there_if_one_is_told() -> None:
    assert "Deadline" not in _sheet()
    assert "<dt>Deadline</dt><dd>Sunday</dd>" in _sheet(replace(OCCASION, deadline="Sunday"))


def test_the_same_position_gives_the_same_bytes() -> None:
    turned = replace(POSITION, units=POSITION.units[::-1])

    assert _sheet() == _sheet()
    assert _data(_sheet()) == _data(_sheet(position=turned))


def test_a_power_with_nothing_to_order_has_no_script() -> None:
    page = render_order_sheet(POSITION, "CAN", load_sentences("en"), OCCASION, "<svg/>")

    assert "You have nothing to order in this phase." in page
    assert "<script" not in page
