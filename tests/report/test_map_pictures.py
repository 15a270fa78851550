"""The map of a page: what it shows whom, and how often it is drawn."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.report.context import GM, filter_context
from alexmagnum.report.formats import MapPictures
from tests.report import phase_contexts
from tests.report.test_phase_report_secrecy import OWN_PICKS

EN = load_sentences("en")


def _units(svg: str, look: str) -> set[str]:
    return set(re.findall(rf'<g class="{look}[^>]* data-unit="([^"]+)"', svg))


def test_readers_of_the_same_share_a_picture() -> None:
    maps = MapPictures()
    first, second = (
        maps.page(filter_context(phase_contexts.sample_turn(), p), EN) for p in (None, "TOL")
    )

    assert first is second


def test_each_language_has_its_picture() -> None:
    maps, shown = MapPictures(), filter_context(phase_contexts.sample_turn(), None)

    assert "Thessaly" in maps.page(shown, EN).svg
    assert "Tessaglia" in maps.page(shown, load_sentences("it")).svg


def test_who_sees_less_has_a_picture_of_his_own() -> None:
    maps, context = MapPictures(), phase_contexts.picks(OWN_PICKS)
    everybody, ptolemy, master = (
        maps.page(filter_context(context, reader), EN) for reader in (None, "TOL", GM)
    )

    assert everybody is not ptolemy
    assert everybody is not master


@pytest.mark.parametrize("reader", [None, "TOL", "LIS"])
def test_of_unpublished_picks_the_awards_alone_are_drawn(reader: str | None) -> None:
    """R30, ``publish_picks: own``: Ptolemy and Lysimachus both named Alexandria."""
    drawn = MapPictures().page(filter_context(phase_contexts.picks(OWN_PICKS), reader), EN).svg
    picks = re.findall(r'<g class="order pick[^>]* data-power="(\w+)"[^>]* data-to="(\w+)"', drawn)

    assert sorted(picks) == [("AUT", "CEL"), ("SEL", "BAB")]


def test_before_a_phase_is_processed_there_is_the_position_alone() -> None:
    page = MapPictures().page(filter_context(phase_contexts.open_turn(), "TOL"), EN)

    assert list(page.labels) == ["position"]
    assert _units(page.svg, "order") == set()
    assert "A MEN" in _units(page.svg, "unit")


def test_after_it_there_are_the_orders_and_what_they_left() -> None:
    page = MapPictures().page(filter_context(phase_contexts.sample_turn(), None), EN)

    assert list(page.labels) == ["orders", "after"]
    assert "A NOC" in _units(page.svg, "order")
    assert {"A NOC", "A SIS"} <= _units(page.svg, "unit")


def test_the_map_that_stands_alone_has_its_letters_and_the_one_of_a_page_has_not() -> None:
    shown = filter_context(phase_contexts.sample_turn(), None)

    assert "@font-face" in MapPictures().svg(shown, EN)
    assert "@font-face" not in MapPictures().page(shown, EN).svg


def test_an_outcome_worked_out_again_has_the_same_pictures(
    forget_pictures: Callable[[], None],
) -> None:
    maps = MapPictures()
    first, second = (
        filter_context(phase_contexts.sample_turn.__wrapped__(), None) for _ in range(2)
    )

    assert first.content.outcome is not second.content.outcome
    assert maps.page(first, EN) is maps.page(second, EN)
    assert maps.svg(first, EN) is maps.svg(second, EN)
    picture = maps.png(first, EN)
    forget_pictures()
    assert maps.png(second, EN) is picture


def test_order_sheets_share_a_map_below_each_title() -> None:
    maps, position = MapPictures(), phase_contexts.open_turn().position
    first, second = (maps.position_svg(position, EN, "Diadochi") for _ in range(2))

    assert first is second
    assert "Diadochi" in first
    assert maps.position_svg(position, EN, "Epigoni") != first
