"""The final report as a page: on a telephone and on a desk, read by everybody, and printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from alexmagnum.game.undo import DRAW, Declaration
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.workflow.materials import Materials
from tests.browser.chromium import Scheme, Visitor, list_violations
from tests.browser.test_report_page import DESK, PHONE, PRINTED, WIDE
from tests.game.desks import new_desk, play
from tests.sizes import one_in


@pytest.fixture(scope="module")
def final_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the page of a game of some years, in Italian, without its map."""
    folder = tmp_path_factory.mktemp("final")
    with new_desk(folder / "g", "alexmagnum", settings={"pictures": "no"}) as desk:
        play(desk, 14, seed=3)
        desk.end(Declaration(DRAW), "siamo tutti d'accordo")
        final = Materials(desk).final(load_sentences("it"))
    path = folder / "final.html"
    path.write_text(final.render("html"), encoding="utf-8", newline="\n")
    return path


@pytest.mark.parametrize("size", one_in(2, [PHONE, DESK]))
def test_nothing_sticks_out_of_the_final_report(
    visitor: Visitor, final_page: Path, size: tuple[int, int]
) -> None:
    shown = visitor.open(final_page, size=size)
    assert shown.evaluate("document.documentElement.scrollWidth") == size[0]
    assert shown.evaluate(WIDE) == []


def test_a_phase_is_opened_by_its_name(visitor: Visitor, final_page: Path) -> None:
    shown = visitor.open(final_page, size=PHONE)
    orders = shown.locator("section.orders-322-spring table.orders").first
    assert not orders.is_visible()
    shown.locator("summary", has_text="Primavera 322").click()
    assert orders.is_visible()


def test_the_chart_of_the_whole_game_is_on_the_page(visitor: Visitor, final_page: Path) -> None:
    shown = visitor.open(final_page)
    assert shown.locator(".chart polyline").count() == 6
    assert shown.locator("section.centre-years tbody tr").count() > 2


def test_all_phases_are_printed(visitor: Visitor, final_page: Path) -> None:
    shown = visitor.open(final_page, size=(PRINTED, 1000))
    shown.emulate_media(media="print")
    assert shown.locator("section.orders-322-spring table.orders").first.is_visible()


@pytest.mark.parametrize("scheme", one_in(2, ["light", "dark"]))
def test_the_final_report_can_be_read_by_everybody(
    visitor: Visitor, final_page: Path, scheme: Scheme
) -> None:
    shown = visitor.open(final_page, size=PHONE, scheme=scheme)
    shown.locator("summary", has_text="Primavera 322").click()
    assert list_violations(shown) == []
