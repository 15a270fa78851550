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


@pytest.mark.parametrize("seen", one_in(3, [(PHONE, "light"), (DESK, "light"), (PHONE, "dark")]))
def test_the_final_report_can_be_read_by_everybody(
    visitor: Visitor, final_page: Path, seen: tuple[tuple[int, int], Scheme]
) -> None:
    """Nothing sticks out, a phase is opened by its name, and the chart has a line to each power."""
    size, scheme = seen
    shown = visitor.open(final_page, size=size, scheme=scheme)
    assert shown.evaluate("document.documentElement.scrollWidth") == size[0]
    assert shown.evaluate(WIDE) == []
    assert shown.locator(".chart polyline").count() == 6
    assert shown.locator("section.centre-years tbody tr").count() > 2
    orders = shown.locator("section.orders-322-spring table.orders").first
    assert not orders.is_visible()
    shown.locator("summary", has_text="Primavera 322").click()
    assert orders.is_visible()
    assert list_violations(shown) == []


def test_all_phases_are_printed(visitor: Visitor, final_page: Path) -> None:
    shown = visitor.open(final_page, size=(PRINTED, 1000))
    shown.emulate_media(media="print")
    assert shown.locator("section.orders-322-spring table.orders").first.is_visible()
