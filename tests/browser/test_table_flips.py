"""What would flip an order, asked of the judge of a page in a real browser."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from alexmagnum.campaign import first_position
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.page_judge.handler import find_flips
from alexmagnum.report.sandbox import SandboxTable, render_sandbox
from alexmagnum.report.sheet import make_fragment
from tests.browser.chromium import Visitor
from tests.sizes import one_in
from tools.pictures import sample_turn

PHONE = (390, 844)
LONG = 30_000
"""Milliseconds for a search on a computer that is busy with other tests."""


@cache
def _text(lang: str) -> str:
    position, _ = sample_turn()
    table = SandboxTable(first_position(position.board))
    return render_sandbox([table], load_sentences(lang))


def _open(visitor: Visitor, folder: Path, lang: str, unit: str) -> Page:
    """Open the sample turn with all orders on a telephone, and choose a unit from the list."""
    path = folder / "table.html"
    path.write_text(_text(lang), encoding="utf-8")
    fragment = make_fragment(*sample_turn())
    page = visitor.open(path, size=PHONE, touch=True, fragment=fragment)
    expect(page.locator("#table-orders .why").first).to_be_visible(timeout=LONG)
    name = page.locator(f"#table-orders .subject[data-subject$=' {unit} 0']")
    name.scroll_into_view_if_needed()
    name.tap()
    return page


def _asked(unit: str, lang: str) -> dict[str, Any]:
    position, orders = sample_turn()
    return find_flips(position, orders, position.names[unit], load_sentences(lang), None)


@pytest.mark.parametrize("asked", one_in(2, ["A SIW en", "F MAC it", "A UJJ en"]))
def test_a_page_lists_the_changes_that_flip_an_order(
    visitor: Visitor, tmp_path: Path, asked: str
) -> None:
    unit, lang = asked[:-3], asked[-2:]
    sentences = load_sentences(lang)
    page = _open(visitor, tmp_path, lang, unit)
    page.locator(".flips .ask").tap()
    expect(page.locator(".flips p")).to_contain_text("whatif --flip", timeout=LONG)

    answer = _asked(unit, lang)
    found = [*answer["others"], *(answer["own"] or ())]
    assert page.locator(".flips .change").all_inner_texts() == [flip["text"] for flip in found]
    assert page.locator(".flips .change + .fate").all_inner_texts() == [f["why"] for f in found]
    none = page.get_by_text(sentences.format("table-flip-none"), exact=True)
    empty = (not answer["others"]) + (answer["own"] == [])
    assert none.count() == empty
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]


CLICK = "names => names.forEach((name) => document.querySelector(name).click())"
"""Clicks on several elements before anything else can happen in a page."""


def test_orders_of_others_are_listed_after_a_search_that_was_stopped_before_it_began(
    visitor: Visitor, tmp_path: Path
) -> None:
    page = _open(visitor, tmp_path, "en", "F PAN")
    page.evaluate(CLICK, [".flips .ask", ".flips .stop"])
    expect(page.locator(".flips p")).to_have_text(load_sentences("en").format("flip-stopped"))
    expect(page.locator(".flips .ask")).to_be_visible()
    for unit in ("A ASS", "A UJJ", "A NIS"):
        page.locator(f"#table-orders .subject[data-subject$=' {unit} 0']").tap()
        expect(page.locator("#choices button").nth(2)).to_be_visible(timeout=LONG)


def test_playing_on_ends_a_search(visitor: Visitor, tmp_path: Path) -> None:
    page = _open(visitor, tmp_path, "it", "F PAN")
    before = page.locator("#phase").inner_text()
    page.evaluate(CLICK, [".flips .ask", "#on"])
    expect(page.locator("#phase")).not_to_have_text(before, timeout=LONG)
    page.locator("#back").tap()
    page.locator("#table-orders .subject[data-subject$=' F PAN 0']").tap()
    expect(page.locator(".flips p")).to_have_text(load_sentences("it").format("flip-stopped"))


def test_a_search_shows_its_progress_and_can_be_stopped_and_begun_again(
    visitor: Visitor, tmp_path: Path
) -> None:
    page = _open(visitor, tmp_path, "en", "F PAN")
    page.locator(".flips .ask").tap()
    bar = page.locator(".flips progress")
    expect(bar).to_be_visible()
    page.locator(".flips .stop").tap()
    expect(page.locator(".flips p")).to_have_text(
        load_sentences("en").format("flip-stopped"), timeout=LONG
    )
    expect(bar).to_have_count(0)

    page.locator(".flips .ask").tap()
    shown: list[float] = []
    while bar.count():
        shown.append(page.evaluate("(document.querySelector('.flips progress') || {}).value || 0"))
        page.wait_for_timeout(20)
    assert max(shown) > 0.05
    expect(page.locator(".flips p")).to_contain_text("whatif --flip", timeout=LONG)
    assert page.locator(".flips .change").count() == len(_asked("F PAN", "en")["others"]) + len(
        _asked("F PAN", "en")["own"]
    )
