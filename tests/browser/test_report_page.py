"""The report as a page: it tells of orders on the map, prints, and can be read by everybody."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page

from tests.browser.chromium import Scheme, Visitor
from tests.browser.conftest import Pictured
from tests.browser.pages import page
from tests.report import phase_contexts
from tests.sizes import one_in

PHONE, DESK = (390, 844), (1280, 900)

A4 = (595, 842)
"""Points across and down."""

PRINTED = 688
"""CSS pixels across between the margins of an upright page."""

WIDE = """() => [...document.querySelectorAll("body *")]
    .filter((e) => !e.closest("svg, .hidden, .skip") && e.checkVisibility())
    .filter((e) => e.getBoundingClientRect().right > innerWidth + 1
        || (e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX !== "visible"))
    .map((e) => `${e.tagName} ${e.className} ${e.textContent.slice(0, 40)}`)"""
"""Everything that sticks out of a page, or is cut off in it."""


def _unit(shown: Page, name: str) -> Locator:
    """Return a unit on the map, in the view that is shown; an inset may show it a second time."""
    return shown.locator(f'svg.am-map .unit[data-unit="{name}"]:visible').first


def _line(shown: Page, order: str) -> Locator:
    return shown.locator("tr[data-unit]", has_text=order)


def _highlighted(shown: Page) -> set[str]:
    """Return the units that are highlighted on the map."""
    units: list[str] = shown.locator("svg.am-map.telling .told-of").evaluate_all(
        "parts => parts.map((part) => part.dataset.unit)"
    )
    return set(units)


@pytest.mark.parametrize("name", one_in(3, sorted(phase_contexts.ALL)))
def test_every_kind_of_report_opens_without_an_error_or_a_request(
    visitor: Visitor, tmp_path: Path, name: str
) -> None:
    shown = visitor.open(page(tmp_path, name))

    assert shown.locator("svg.am-map").is_visible()
    assert shown.locator("h1").count() == 1


# -- pointing -------------------------------------------------------------------------------------


def test_pointing_at_a_unit_shows_its_order_and_its_result(
    visitor: Visitor, tmp_path: Path
) -> None:
    shown = visitor.open(page(tmp_path, "sample"))
    _unit(shown, "A CEL").hover()

    assert shown.locator(".tip").is_visible()
    assert "Antigonus: A CEL - EFE: " in shown.locator(".tip").inner_text()


def test_the_unit_pointed_at_stands_out_with_its_arrow_and_its_line(
    visitor: Visitor, tmp_path: Path
) -> None:
    shown = visitor.open(page(tmp_path, "sample"))
    _unit(shown, "A CEL").hover()

    assert _highlighted(shown) == {"A CEL"}
    assert shown.locator("svg.am-map .order.told-of").count() > 0
    assert shown.locator("tr.told-of").inner_text().startswith("A CEL - EFE")


def test_where_an_order_goes_is_outlined_and_the_rest_fades(
    visitor: Visitor, tmp_path: Path
) -> None:
    shown = visitor.open(page(tmp_path, "sample"))
    ephesus = shown.locator('svg.am-map .province[data-province="EFE"]:visible').first
    _unit(shown, "A CEL").hover()
    aimed = shown.locator("svg.am-map .aimed").first

    assert aimed.get_attribute("href") == ephesus.get_attribute("href")
    assert float(_unit(shown, "A MEN").evaluate("u => getComputedStyle(u).opacity")) < 0.5


def test_pointing_elsewhere_ends_it(visitor: Visitor, tmp_path: Path) -> None:
    shown = visitor.open(page(tmp_path, "sample"))
    _unit(shown, "A CEL").hover()
    shown.locator("h1").hover()

    assert _highlighted(shown) == set()
    assert not shown.locator(".tip").is_visible()
    assert shown.locator(".aimed").count() == 0


def test_pointing_at_a_province_shows_its_name(visitor: Visitor, tmp_path: Path) -> None:
    shown = visitor.open(page(tmp_path, "sample", lang="it"))
    shown.locator('svg.am-map .province[data-province="MAS"]').first.hover()

    assert shown.locator(".tip").inner_text() == "Massageti (MAS)"


def test_pointing_at_a_line_of_the_results_shows_its_arrow(
    visitor: Visitor, tmp_path: Path
) -> None:
    shown = visitor.open(page(tmp_path, "sample"))
    _line(shown, "A CEL - EFE").hover()

    assert _highlighted(shown) == {"A CEL"}


def test_the_keyboard_reaches_the_lines_and_leads_to_the_map(
    visitor: Visitor, tmp_path: Path
) -> None:
    shown = visitor.open(page(tmp_path, "sample"))
    _line(shown, "A CEL - EFE").locator("a").focus()
    assert _highlighted(shown) == {"A CEL"}

    shown.keyboard.press("Enter")
    shown.locator("svg.am-map").scroll_into_view_if_needed()
    assert "Antigonus: A CEL - EFE" in shown.locator(".told").inner_text()
    assert _highlighted(shown) == {"A CEL"}

    shown.keyboard.press("Escape")
    assert _highlighted(shown) == set()


def test_a_finger_near_a_unit_means_it(visitor: Visitor, tmp_path: Path) -> None:
    """Check a touch near a unit: on a telephone a unit is some 4 pixels wide."""
    shown = visitor.open(page(tmp_path, "sample"), size=PHONE, touch=True)
    box = _unit(shown, "A PER").bounding_box()
    assert box is not None
    shown.touchscreen.tap(box["x"] + box["width"] / 2 + 5, box["y"] + box["height"] / 2 + 5)

    assert "Seleucus: A PER" in shown.locator(".told").inner_text()
    assert _highlighted(shown) == {"A PER"}


# -- the views ------------------------------------------------------------------------------------


def test_the_position_after_is_another_view_of_the_same_map(
    visitor: Visitor, tmp_path: Path
) -> None:
    shown = visitor.open(page(tmp_path, "sample"))
    assert shown.locator("svg.am-map .order:visible").count() > 20

    shown.get_by_label("Position after").click()
    assert shown.locator("svg.am-map .order:visible").count() == 0
    assert _unit(shown, "A SIS").count() == 1
    assert shown.locator('svg.am-map .unit[data-unit="A NOC"]:visible').count() == 0


def test_the_map_can_be_enlarged(visitor: Visitor, tmp_path: Path) -> None:
    shown = visitor.open(page(tmp_path, "sample"), size=PHONE, touch=True)
    before = _unit(shown, "A PER").bounding_box()
    for _ in range(2):
        shown.get_by_role("button", name="Enlarge the map").tap()
    shown.wait_for_function("document.querySelector('.map.enlarged')")
    after = _unit(shown, "A PER").bounding_box()

    assert before is not None
    assert after is not None
    assert after["width"] > 2 * before["width"]
    assert shown.evaluate("document.documentElement.scrollWidth") == PHONE[0]


def test_without_scripts_the_browser_tells_the_orders_and_the_views_change(
    visitor: Visitor, tmp_path: Path
) -> None:
    path = page(tmp_path, "sample")
    path.write_text(re.sub("<script>.*?</script>", "", path.read_text("utf-8"), flags=re.DOTALL))
    shown = visitor.open(path)
    shown.get_by_label("Position after").click()

    assert "A SIS" in (_unit(shown, "A SIS").locator("title").text_content() or "")


# -- reading --------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [PHONE, DESK])
def test_nothing_sticks_out(visitor: Visitor, tmp_path: Path, size: tuple[int, int]) -> None:
    shown = visitor.open(page(tmp_path, "sample"), size=size, touch=size == PHONE)

    assert shown.evaluate("document.documentElement.scrollWidth") == size[0]


@pytest.mark.parametrize("scheme", one_in(2, ["light", "dark"]))
@pytest.mark.parametrize("size", [PHONE, DESK])
def test_axe_finds_nothing(
    visitor: Visitor, tmp_path: Path, size: tuple[int, int], scheme: Scheme
) -> None:
    """Check the rules of WCAG 2.2 A and AA, with contrast, and the best practices."""
    shown = visitor.open(page(tmp_path, "sample"), size=size, scheme=scheme)
    shown.locator("summary").click()
    found = Axe().run(shown)

    assert found.violations_count == 0, found.generate_report()


def test_the_first_stop_of_the_keyboard_is_the_way_past_the_map(
    visitor: Visitor, tmp_path: Path
) -> None:
    shown = visitor.open(page(tmp_path, "sample"))
    shown.keyboard.press("Tab")
    skip = shown.locator(":focus")

    assert skip.inner_text() == "Skip to the report"
    assert shown.locator(str(skip.get_attribute("href"))).count() == 1


# -- printing -------------------------------------------------------------------------------------


def test_it_prints_on_a4(visitor: Visitor, tmp_path: Path) -> None:
    """Upright pages, and one across for the map."""
    shown = visitor.open(page(tmp_path, "sample"))
    printed = shown.pdf(prefer_css_page_size=True, print_background=True)
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", printed)
    sizes = [(round(float(across)), round(float(down))) for across, down in boxes]

    assert sizes.count((A4[1], A4[0])) == 1
    assert set(sizes) == {A4, (A4[1], A4[0])}
    assert len(sizes) <= 6


def test_nothing_is_cut_off_in_print(visitor: Visitor, tmp_path: Path) -> None:
    shown = visitor.open(page(tmp_path, "sample"), size=(PRINTED, 1000))
    shown.emulate_media(media="print")

    assert shown.evaluate(WIDE) == []


# -- looks ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "size", "scheme"),
    [("sample", PHONE, "light"), ("sample", DESK, "light"), ("sample", DESK, "dark")],
)
def test_it_looks_as_approved(
    visitor: Visitor,
    tmp_path: Path,
    pictured: Pictured,
    name: str,
    size: tuple[int, int],
    scheme: Scheme,
) -> None:
    shown = visitor.open(page(tmp_path, name), size=size, scheme=scheme, touch=size == PHONE)
    seen = shown.screenshot(full_page=True, scale="css")

    pictured(seen, f"report-{size[0]}-{scheme}")


def test_an_order_that_is_pointed_at_looks_as_approved(
    visitor: Visitor, tmp_path: Path, pictured: Pictured
) -> None:
    shown = visitor.open(page(tmp_path, "sample"))
    _unit(shown, "A CEL").hover()

    pictured(shown.screenshot(scale="css"), "report-pointed")
