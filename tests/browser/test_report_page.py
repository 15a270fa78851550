"""The report as a page: it tells of orders on the map, prints, and can be read by everybody."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page

from alexmagnum.board.model import Board
from alexmagnum.game.undo import DRAW
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.position import Phase
from alexmagnum.report.context import CentreCount, PhaseContext
from alexmagnum.report.formats import format_report
from alexmagnum.report.materials import Materials
from tests.browser.chromium import Scheme, Visitor, box_of, check_map, list_violations, pinch, swipe
from tests.browser.conftest import Pictured
from tests.game.desks import new_desk, play
from tests.report import phase_contexts
from tests.sizes import one_in

PHONE, TABLET, DESK, LYING = (390, 844), (768, 1024), (1280, 900), (844, 390)
"""A telephone, a tablet and a desk, and a telephone that lies on its side."""

A4 = (595, 842)  # points across and down
PRINTED = 688  # CSS pixels across between the margins of an upright page

WIDE = """() => [...document.querySelectorAll("body *")]
    .filter((e) => !e.closest("svg, .hidden, .skip") && e.checkVisibility())
    .filter((e) => e.getBoundingClientRect().right > innerWidth + 1
        || (e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX !== "visible"))
    .map((e) => `${e.tagName} ${e.className} ${e.textContent.slice(0, 40)}`)"""
"""Everything that sticks out of a page, or is cut off in it."""


Opening = Callable[..., Page]


@pytest.fixture
def opened(visitor: Visitor, tmp_path: Path) -> Opening:
    """Open the report of a kind of phase, by default of the sample turn."""

    def open_report(
        name: str = "sample", reader: str | None = None, lang: str = "en", **options: Any
    ) -> Page:
        return visitor.open(write_page(tmp_path, name, reader, lang), **options)

    return open_report


def _unit(shown: Page, name: str) -> Locator:
    """Return a unit on the map, in the view that is shown; an inset may show it a second time."""
    return shown.locator(f'svg.am-map .unit[data-unit="{name}"]:visible').first


def _line(shown: Page, order: str) -> Locator:
    return shown.locator(f'tr.line[data-told*=": {order}: "]')


def _highlighted(shown: Page) -> set[str]:
    units: list[str] = shown.locator("svg.am-map.telling .told-of").evaluate_all(
        "parts => parts.map((part) => part.dataset.unit)"
    )
    return set(units)


@pytest.mark.parametrize("name", one_in(3, sorted(phase_contexts.ALL)))
def test_every_kind_of_report_opens_without_an_error_or_a_request(
    opened: Opening, name: str
) -> None:
    shown = opened(name)

    assert shown.locator("svg.am-map").is_visible()
    assert shown.locator("h1").count() == 1


# -- pointing -------------------------------------------------------------------------------------


def test_a_unit_pointed_at_stands_out_with_its_order_until_the_pointer_leaves(
    opened: Opening, pictured: Pictured
) -> None:
    """Its order and result are told, its arrow and its line stand out, where it goes is outlined,
    and the rest fades."""
    shown = opened()
    shown.locator("[data-zoom=whole]").click()
    ephesus = shown.locator('svg.am-map .province[data-province="EFE"]:visible').first
    _unit(shown, "A CEL").hover()
    aimed = shown.locator("svg.am-map .aimed").first

    assert shown.locator(".tip").is_visible()
    assert "Antigonus: A CEL - EFE: " in shown.locator(".tip").inner_text()
    assert _highlighted(shown) == {"A CEL"}
    assert shown.locator("svg.am-map .order.told-of").count() > 0
    assert shown.locator("tr.told-of").inner_text().startswith("A CEL - EFE")
    assert aimed.get_attribute("href") == ephesus.get_attribute("href")
    assert float(_unit(shown, "A MEN").evaluate("u => getComputedStyle(u).opacity")) < 0.5
    pictured(shown.screenshot(scale="css"), "report-pointed")

    shown.locator("h1").hover()
    assert _highlighted(shown) == set()
    assert not shown.locator(".tip").is_visible()
    assert shown.locator(".aimed").count() == 0
    shown.locator('svg.am-map .province[data-province="SOG"]').first.hover()
    assert shown.locator(".tip").inner_text() == "Sogdiana (SOG)"


def test_a_line_of_the_results_leads_to_the_map_by_pointer_and_keyboard(opened: Opening) -> None:
    shown = opened()
    shown.keyboard.press("Tab")
    skip = shown.locator(":focus")
    assert skip.inner_text() == "Skip to the report"
    assert shown.locator(str(skip.get_attribute("href"))).count() == 1

    _line(shown, "A CEL - EFE").hover()
    assert _highlighted(shown) == {"A CEL"}
    shown.mouse.move(0, 0)  # where no unit comes below it when the page is scrolled

    link = _line(shown, "A CEL - EFE").locator("a")
    link.focus()
    assert _highlighted(shown) == {"A CEL"}
    for key, pressed in (("Enter", "true"), (" ", "false"), (" ", "true")):
        shown.keyboard.press(key)
        assert link.get_attribute("aria-pressed") == pressed
    shown.keyboard.press("Tab")
    shown.locator("svg.am-map").scroll_into_view_if_needed()
    assert "Antigonus: A CEL - EFE" in _told(shown)
    assert shown.locator(".told").get_attribute("aria-live") == "polite"
    assert _highlighted(shown) == {"A CEL"}

    shown.keyboard.press("Escape")
    assert _highlighted(shown) == set()


def test_a_finger_near_a_unit_means_it(opened: Opening) -> None:
    """Check a touch near a unit: on a telephone a unit is some 4 pixels wide."""
    shown = opened(size=PHONE, touch=True)
    shown.locator("[data-zoom=whole]").tap()
    shown.locator(".map:not(.enlarged)").wait_for()
    box = box_of(_unit(shown, "A PER"))
    shown.touchscreen.tap(box["x"] + box["width"] / 2 + 5, box["y"] + box["height"] / 2 + 5)

    assert "Seleucus: A PER" in shown.locator(".told").inner_text()
    assert _highlighted(shown) == {"A PER"}


# -- choosing ------------------------------------------------------------------------------------


_IN_SIGHT = """() => {
  const box = document.querySelector(".map").getBoundingClientRect();
  return box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth;
}"""

_ON_THE_MAP = """name => {
  const frame = document.querySelector(".map").getBoundingClientRect();
  return [...document.querySelectorAll(".am-map .unit.told-of")]
    .filter((unit) => !unit.closest(".inset") && unit.dataset.unit === name)
    .map((unit) => unit.getBoundingClientRect())
    .filter((box) => box.left >= frame.left && box.right <= frame.right
      && box.top >= frame.top && box.bottom <= frame.bottom).map((box) => box.width);
}"""

_UNCOVERED = """line => {
  const box = line.getBoundingClientRect();
  return line.contains(document.elementFromPoint(box.left + 20, box.top + box.height / 2));
}"""


def _width_on_the_map(shown: Page, unit: str, least: float = 1) -> float:
    """Return how wide a highlighted unit is, once all of it is inside the frame of the map and it
    is wide enough."""
    for _ in range(1200):
        widths: list[float] = shown.evaluate(_ON_THE_MAP, unit)
        if widths and widths[0] >= least:
            return widths[0]
        shown.wait_for_timeout(50)
    return 0


def _told(shown: Page) -> str:
    return shown.locator(".told").inner_text()


def _choose(shown: Page, order: str) -> Locator:
    line = _line(shown, order)
    line.scroll_into_view_if_needed()
    line.click()
    return line


@pytest.mark.parametrize("size", one_in(2, [PHONE, TABLET, DESK, LYING]))
def test_a_line_that_is_tapped_is_seen_on_a_map_in_sight(
    opened: Opening, size: tuple[int, int]
) -> None:
    """Check the first and the last line of the orders, wherever the page is scrolled to."""
    shown = opened(size=size, touch=size != DESK)
    for order, unit in (("A UJJ - PAT", "A UJJ"), ("G BAB - DUR", "G BAB")):
        line = _line(shown, order)
        line.scroll_into_view_if_needed()
        (line.click if size == DESK else line.tap)()

        assert shown.evaluate(_IN_SIGHT)
        assert line.evaluate(_UNCOVERED)
        assert _width_on_the_map(shown, unit, 16) >= 16
        assert unit in _told(shown)


def test_a_result_that_is_chosen_lights_its_causes(opened: Opening) -> None:
    """Who dislodges and who carries them; victim and supporter; who bounces; the rest fades."""
    shown = opened()
    lit = """() => [...document.querySelectorAll(".am-map .unit.cause")]
      .filter((unit) => !unit.closest(".inset") && getComputedStyle(unit).opacity === "1")
      .map((unit) => unit.dataset.unit)"""
    for order, causes in {
        "F CRE H": {"G ALE", "F EGI#1"},
        "F ADR#1 - ADR#2": {"F ADR#2", "F ILL"},
        "A CEL - EFE": {"F SAR"},
    }.items():
        _choose(shown, order)
        assert set(shown.evaluate(lit)) == causes, order
    assert shown.locator("tr.cause").count() == 1


@pytest.mark.proof
def test_what_is_chosen_stays_while_the_pointer_wanders_and_the_map_is_moved(
    opened: Opening,
) -> None:
    shown = opened()
    _choose(shown, "A CEL - EFE")
    told = _told(shown)
    _line(shown, "A DAM - ISR").hover()
    shown.locator('svg.am-map .province[data-province="CIL"]').first.hover()
    assert _highlighted(shown) == {"A CEL"}
    assert _told(shown) == told
    assert not shown.locator(".tip").is_visible()

    shown.get_by_role("button", name="Enlarge the map").click()
    shown.mouse.move(900, 300)
    shown.mouse.down()
    shown.mouse.move(960, 340, steps=4)
    shown.mouse.up()
    assert shown.locator("svg.am-map .order:visible").count() > 20
    shown.get_by_label("Position after").click()
    assert shown.locator("svg.am-map .order:visible").count() == 0
    assert _unit(shown, "A SIS").count() == 1
    assert shown.locator('svg.am-map .unit[data-unit="A NOC"]:visible').count() == 0
    shown.get_by_label("Orders", exact=True).click()
    assert _highlighted(shown) == {"A CEL"}
    assert "A CEL - EFE" in _told(shown)


@pytest.mark.proof
def test_what_is_chosen_is_released(opened: Opening) -> None:
    """By Escape, a click elsewhere, on the line again or on land; then lines point again."""
    shown = opened()
    ways: dict[str, Callable[[], None]] = {
        "Escape": lambda: shown.keyboard.press("Escape"),
        "elsewhere": shown.locator("section.orders h2").click,
        "again": _line(shown, "A CEL - EFE").click,
        "land": shown.locator('svg.am-map .province[data-province="CIL"]').first.click,
    }
    for name, release in ways.items():
        _choose(shown, "A CEL - EFE")
        release()

        assert _highlighted(shown) == set(), name
        assert _told(shown) == "", name
        shown.locator("h2").first.hover()
        _line(shown, "A DAM - ISR").hover()
        assert _highlighted(shown) == {"A DAM"}, name


def _drawn_view(shown: Page) -> str:
    """Return the part of the map that is shown, once it has been drawn and the page waits."""
    shown.wait_for_timeout(450)
    return shown.locator("svg.am-map").get_attribute("viewBox") or ""


@pytest.mark.proof
def test_the_map_goes_back_to_the_view_of_the_reader(opened: Opening) -> None:
    """Check a line that is chosen and released, then one that the pointer passes, on a wide desk
    with an enlarged map; a view that the reader moves is theirs and stays."""
    shown = opened(size=(1920, 1080))
    for _ in range(3):
        shown.get_by_role("button", name="Enlarge the map").click()
    enlarged = _drawn_view(shown)
    for order in ("A UJJ - PAT", "G ALE - CRE via convoy"):
        _choose(shown, order)
        assert _drawn_view(shown) != enlarged
    shown.keyboard.press("Escape")
    assert _drawn_view(shown) == enlarged

    _line(shown, "F ION S A ATE - SPA").hover()
    assert _drawn_view(shown) != enlarged
    assert _width_on_the_map(shown, "F ION") > 0
    shown.locator("section.orders h2").hover()
    assert _drawn_view(shown) == enlarged

    _choose(shown, "F ION S A ATE - SPA")
    shown.get_by_role("button", name="Make the map smaller").click()
    moved = _drawn_view(shown)
    shown.keyboard.press("Escape")
    assert _drawn_view(shown) == moved


@pytest.mark.proof
def test_the_news_are_lines_of_the_map(opened: Opening) -> None:
    """Check a dislodged fleet with its ways out, and builds that are due in the position after."""
    shown = opened("sample", "CAS", size=PHONE, touch=True)
    own = shown.locator("section.dislodged .own")
    assert own.inner_text().startswith("F\xa0CRE (Cassander)")
    own.tap()
    assert _highlighted(shown) == {"F CRE"}
    assert shown.locator("svg.am-map .aimed").count() >= 4

    shown = opened("autumn", "TOL", "it", size=PHONE, touch=True)
    shown.locator("section.due .line").first.tap()
    assert shown.get_by_label("Posizione dopo").is_checked()
    assert shown.locator('svg.am-map .aimed[href$="ALE"]').count() > 0


def test_buttons_and_fingers_enlarge_and_move_the_map_and_scroll_the_page(opened: Opening) -> None:
    shown = opened(size=PHONE, touch=True)
    box = box_of(shown.locator(".map"))
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    shown.locator("[data-zoom=whole]").tap()
    shown.locator(".map:not(.enlarged)").wait_for()
    before = box_of(_unit(shown, "A PER"))
    for _ in range(2):
        shown.get_by_role("button", name="Enlarge the map").tap()
    shown.locator(".map.enlarged").wait_for()
    assert box_of(_unit(shown, "A PER"))["width"] > 2 * before["width"]
    assert shown.evaluate("document.documentElement.scrollWidth") == PHONE[0]

    shown.locator("[data-zoom=whole]").tap()
    shown.locator(".map:not(.enlarged)").wait_for()
    pinch(shown, middle, apart=60, to=240)
    shown.locator(".map.enlarged").wait_for()
    assert box_of(_unit(shown, "A PER"))["width"] > 3 * before["width"]

    swipe(shown, middle, (middle[0], middle[1] - 60))
    assert shown.evaluate("scrollY") == 0
    assert shown.evaluate("visualViewport.scale") == 1
    swipe(shown, (200, 800), (200, 500))
    assert shown.evaluate("scrollY") > 100
    assert shown.evaluate(_IN_SIGHT)


@pytest.mark.proof
def test_without_scripts_the_page_is_text_with_a_picture(visitor: Visitor, tmp_path: Path) -> None:
    path = write_page(tmp_path, "sample")
    path.write_text(re.sub("<script>.*?</script>", "", path.read_text("utf-8"), flags=re.DOTALL))
    shown = visitor.open(path, size=PHONE)
    shown.get_by_label("Position after").click()

    assert "A SIS" in (_unit(shown, "A SIS").locator("title").text_content() or "")
    assert not shown.locator(".zoom").is_visible()
    assert not shown.locator(".hint").is_visible()
    assert shown.locator(".maps").evaluate("maps => getComputedStyle(maps).position") == "static"
    assert "bounced with" in _line(shown, "A CEL - EFE").inner_text()
    shown.locator("summary", has_text="ready to copy").click()
    assert shown.locator("section.turn pre").is_visible()

    for width, height in (DESK, LYING):
        shown.set_viewport_size({"width": width, "height": height})
        _line(shown, "A CEL - EFE").scroll_into_view_if_needed()
        assert shown.evaluate(_IN_SIGHT)
        assert not shown.locator(".hint").is_visible()


# -- reading --------------------------------------------------------------------------------------


@pytest.mark.parametrize("sizes", one_in(2, [[DESK], [(360, 640), PHONE, TABLET, LYING]]))
def test_nothing_sticks_out(opened: Opening, sizes: list[tuple[int, int]]) -> None:
    """Check a desk, then touch screens."""
    shown = opened(size=sizes[0], touch=sizes != [DESK])
    for width, height in sizes:
        shown.set_viewport_size({"width": width, "height": height})

        assert shown.evaluate("document.documentElement.scrollWidth") == width
        check_map(shown)
        buttons, views = box_of(shown.locator(".zoom")), box_of(shown.locator(".views"))
        assert views["x"] + views["width"] < buttons["x"]


@pytest.mark.parametrize("scheme", one_in(2, ["light", "dark"]))
@pytest.mark.parametrize("size", one_in(3, [PHONE, TABLET, DESK]))
def test_axe_finds_nothing(opened: Opening, size: tuple[int, int], scheme: Scheme) -> None:
    """Check the rules of WCAG 2.2 A and AA, with contrast, and the best practices."""
    shown = opened(size=size, scheme=scheme)
    for summary in shown.locator("summary").all():
        summary.click()
    _choose(shown, "A CEL - EFE")
    assert list_violations(shown) == []


def test_a_hundred_lines_of_house_rules_are_folded_away(visitor: Visitor, tmp_path: Path) -> None:
    """And printed."""
    context = replace(phase_contexts.ALL["standard"](), lists_house_rules=True)
    path = tmp_path / "first.html"
    path.write_text(format_report(context, None, "html", load_sentences("en"), pictures=False))
    shown = visitor.open(path, size=PHONE, touch=True)
    heights = "lines => lines.map(line => line.getBoundingClientRect().height)"
    assert min(shown.locator("summary").evaluate_all(heights)) >= 40
    rules = shown.locator("section.house li").first
    assert not rules.is_visible()
    shown.locator("summary", has_text="House rules").click()
    assert rules.is_visible()

    shown.locator("summary", has_text="House rules").click()
    shown.emulate_media(media="print")
    assert rules.is_visible()


# -- printing -------------------------------------------------------------------------------------


@pytest.mark.proof
def test_it_prints_on_a4_with_nothing_cut_off(opened: Opening) -> None:
    """Upright pages, and one across for the map; painting it would take most of the time."""
    shown = opened(size=(PRINTED, 1000))
    shown.emulate_media(media="print")
    assert shown.evaluate(WIDE) == []
    shown.locator("svg.am-map").evaluate("map => map.replaceChildren()")
    printed = shown.pdf(prefer_css_page_size=True, print_background=True)
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", printed)
    sizes = [(round(float(across)), round(float(down))) for across, down in boxes]

    assert sizes.count((A4[1], A4[0])) == 1
    assert set(sizes) == {A4, (A4[1], A4[0])}
    assert len(sizes) <= 6


# -- looks ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", one_in(3, [PHONE, TABLET, DESK]))
def test_it_looks_as_approved(opened: Opening, pictured: Pictured, size: tuple[int, int]) -> None:
    """Check the whole page in light, and what is seen first in dark."""
    shown = opened(size=size, touch=size != DESK)
    light = shown.screenshot(full_page=True, scale="css")
    shown.emulate_media(color_scheme="dark")
    dark = shown.screenshot(scale="css")

    pictured(light, f"report-{size[0]}-light")
    pictured(dark, f"report-{size[0]}-dark")


@pytest.mark.parametrize("name", one_in(3, ["phone", "lying", "desk"]))
def test_a_line_that_is_chosen_looks_as_approved(
    opened: Opening, pictured: Pictured, name: str
) -> None:
    size = {"phone": PHONE, "lying": LYING, "desk": DESK}[name]
    shown = opened("sample", "CAS", size=size, touch=size != DESK)
    line = shown.locator("section.dislodged .own")
    (line.click if size == DESK else line.tap)()
    shown.locator(".map.enlarged").wait_for()

    pictured(shown.screenshot(scale="css"), f"report-chosen-{name}")


def write_page(folder: Path, name: str, reader: str | None = None, lang: str = "en") -> Path:
    """Write the page of one of the kinds of phase for a reader; return its path."""
    path = folder / f"{name}.html"
    path.write_text(_page_text(name, reader, lang), encoding="utf-8", newline="\n")
    return path


@cache
def _page_text(name: str, reader: str | None, lang: str) -> str:
    """Return the text of a page; maps are drawn once for all tests that open it."""
    context = phase_contexts.ALL[name]()
    if name == "sample":
        context = with_history(context)
    return format_report(context, reader, "html", load_sentences(lang))


def with_history(context: PhaseContext) -> PhaseContext:
    """Return the context with the centres of some years behind it."""
    return replace(context, centre_counts=tuple(_tallies(context.position.board)))


def _tallies(board: Board) -> list[CentreCount]:
    counts = {
        None: (0, 0, 0, 0, 0, 1),
        Phase(323, "picks", period=3): (3, 3, 2, 2, 3, 4),
        Phase(323, "picks", period=5): (5, 4, 4, 4, 4, 5),
        Phase(322, "autumn"): (5, 5, 5, 6, 6, 8),
        Phase(321, "autumn"): (7, 6, 5, 7, 4, 10),
        Phase(320, "autumn"): (8, 6, 5, 7, 5, 11),
        Phase(319, "autumn"): (7, 8, 4, 7, 4, 13),
    }
    return [
        CentreCount(phase, dict(zip(board.powers, c, strict=True))) for phase, c in counts.items()
    ]


@pytest.fixture(scope="module")
def final_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the page of a game of some years, in Italian, without its map."""
    folder = tmp_path_factory.mktemp("final")
    with new_desk(folder / "g", "alexmagnum", settings={"pictures": "no"}) as desk:
        play(desk, 14, seed=3)
        desk.end(DRAW, reason="siamo tutti d'accordo")
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
