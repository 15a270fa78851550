"""Pan and zoom of a map: mouse, wheel, fingers and keys, and what is left to the page."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest
from playwright.sync_api import Page

from alexmagnum.report.document import load_script
from tests.browser.chromium import Visitor
from tests.browser.fingers import pinch, swipe

HTML = """<!DOCTYPE html><html lang="en"><meta name="viewport" content="width=device-width">
<title>t</title><style>body {{ margin: 0; height: 3000px }} .frame {{ position: relative }}
#frame {{ width: 300px; height: 200px; margin-top: 50px }} {css}</style>
<div class="frame"><div id="frame" tabindex="0"><svg viewBox="10 20 600 400">
<rect x="10" y="20" width="600" height="400" fill="#dde"/>
<rect id="near" x="300" y="200" width="20" height="20"/>
<rect id="far" x="30" y="380" width="20" height="20"/></svg></div>
<div hidden><button data-zoom="in">+</button><button data-zoom="out">-</button>
<button data-zoom="whole">0</button></div></div>
<script>{script}
window.view = panZoom(document.getElementById("frame"), document.querySelector("svg"));
window.clicks = 0;
document.querySelector("svg").addEventListener("click", () => {{ clicks += 1; }});
</script>"""
"""A map of 600 by 400 in a frame of half its size, 50 pixels below the top of a long page."""

TEMPLATES = files("alexmagnum.report") / "templates"
WHOLE = [10, 20, 600, 400]
MIDDLE = (150, 150)

Opening = Callable[..., Page]


@pytest.fixture
def opened(visitor: Visitor, tmp_path: Path) -> Opening:
    """Opens the map, for a mouse or for fingers."""

    def open_map(*, touch: bool = False) -> Page:
        path = tmp_path / "map.html"
        css = (TEMPLATES / "panzoom.css").read_text("utf-8")
        path.write_text(HTML.format(css=css, script=load_script("panzoom.js").text))
        return visitor.open(path, size=(390, 600), touch=touch)

    return open_map


def _box(shown: Page) -> list[float]:
    """Return the part of the map that is shown: left, top, width, height."""
    shown.wait_for_function("view.settled")
    box = shown.locator("svg").get_attribute("viewBox")
    return [float(value) for value in str(box).split()]


def _scrolled(shown: Page) -> float:
    found: float = shown.evaluate("scrollY")
    return found


def _contains(box: list[float], x: float, y: float) -> bool:
    return box[0] <= x <= box[0] + box[2] and box[1] <= y <= box[1] + box[3]


# -- the mouse --------------------------------------------------------------------------------


def test_the_wheel_enlarges_around_the_pointer(opened: Opening) -> None:
    shown = opened()
    assert _box(shown) == WHOLE
    shown.mouse.move(225, 100)
    shown.mouse.move(75, 200)  # the middle of the lower left quarter
    shown.mouse.wheel(0, -250)

    left, top, width, height = _box(shown)
    assert width == pytest.approx(300, abs=1)
    assert (75 * width / 300 + left, 150 * height / 200 + top) == pytest.approx((160, 320), abs=1)
    assert _scrolled(shown) == 0


def test_the_wheel_leaves_to_the_page_what_is_not_meant_for_the_map(opened: Opening) -> None:
    """A scroll of a whole map, or one that began elsewhere: the map comes under a pointer that
    has not moved."""
    shown = opened()
    shown.mouse.move(150, 100)
    shown.mouse.move(*MIDDLE)
    shown.mouse.wheel(0, 100)
    shown.wait_for_function("scrollY === 100")
    assert _box(shown) == WHOLE

    shown.evaluate("scrollTo(0, 250)")
    shown.mouse.move(150, 90)
    for left in (150, 50):
        shown.mouse.wheel(0, -100)
        shown.wait_for_function(f"scrollY === {left}")
    assert _box(shown) == WHOLE


def test_a_drag_moves_an_enlarged_map_as_far_as_it_goes_and_is_no_click(opened: Opening) -> None:
    shown = opened()
    shown.get_by_text("+", exact=True).click()
    before = _box(shown)
    shown.mouse.move(*MIDDLE)
    shown.mouse.down()
    shown.mouse.move(120, 140)
    shown.mouse.move(90, 130)
    shown.mouse.up()
    after = _box(shown)

    assert after[0] - before[0] == pytest.approx(60 * before[2] / 300, abs=1)
    assert after[1] - before[1] == pytest.approx(20 * before[3] / 200, abs=1)
    assert shown.evaluate("clicks") == 0
    shown.mouse.click(*MIDDLE)
    assert shown.evaluate("clicks") == 1

    shown.mouse.down()
    shown.mouse.move(1000, 1000, steps=3)
    shown.mouse.up()
    assert _box(shown)[:2] == WHOLE[:2]  # nothing outside the map is shown


# -- fingers ----------------------------------------------------------------------------------


def test_two_fingers_enlarge_the_map_and_not_the_page(opened: Opening) -> None:
    shown = opened(touch=True)
    pinch(shown, MIDDLE, apart=60, to=180)

    assert _box(shown)[2] == pytest.approx(200, rel=0.1)
    assert shown.evaluate("visualViewport.scale") == 1
    assert _scrolled(shown) == 0
    pinch(shown, MIDDLE, apart=200, to=20)
    assert _box(shown) == WHOLE


def test_a_finger_moves_an_enlarged_map_scrolls_a_whole_one_and_taps(opened: Opening) -> None:
    shown = opened(touch=True)
    pinch(shown, MIDDLE, apart=60, to=180)
    shown.touchscreen.tap(*MIDDLE)
    assert shown.evaluate("clicks") == 1
    before = _box(shown)
    swipe(shown, MIDDLE, (150, 90))
    assert _box(shown)[1] > before[1] + 20
    assert _scrolled(shown) == 0

    pinch(shown, MIDDLE, apart=200, to=20)
    swipe(shown, MIDDLE, (150, 70))
    assert _scrolled(shown) > 40
    assert _box(shown) == WHOLE


# -- buttons and keys -------------------------------------------------------------------------


def test_buttons_enlarge_and_show_the_whole(opened: Opening) -> None:
    shown = opened()
    out = shown.get_by_text("-", exact=True)
    assert out.get_attribute("aria-disabled") == "true"
    for _ in range(2):
        shown.get_by_text("+", exact=True).click()
    assert _box(shown)[2] == pytest.approx(600 / 2.25, abs=1)
    assert out.get_attribute("aria-disabled") == "false"

    out.click()
    assert _box(shown)[2] == pytest.approx(400, abs=1)
    shown.get_by_text("0", exact=True).click()
    assert _box(shown) == WHOLE


def test_keys_move_and_enlarge_while_the_map_has_the_focus(opened: Opening) -> None:
    shown = opened()
    shown.locator("#frame").focus()
    shown.keyboard.press("ArrowDown")
    shown.wait_for_function("scrollY === 40")  # nothing more to see on the map: the page's key
    shown.evaluate("scrollTo(0, 0)")
    shown.keyboard.press("+")
    before = _box(shown)
    shown.keyboard.press("ArrowDown")

    assert _box(shown)[1] > before[1]
    assert _scrolled(shown) == 0
    shown.keyboard.press("0")
    assert _box(shown) == WHOLE


# -- what scripts ask for ---------------------------------------------------------------------


def test_a_box_is_fitted_and_one_in_sight_is_left_alone(opened: Opening) -> None:
    shown = opened()
    shown.evaluate("view.fit(view.boxOf([near]), {most: 4})")
    near = _box(shown)
    assert near[2] == pytest.approx(150, abs=1)
    assert _contains(near, 310, 210)

    shown.evaluate("view.bring(view.boxOf([near]))")
    assert _box(shown) == near
    shown.evaluate("view.bring(view.boxOf([far]))")
    far = _box(shown)
    assert far[2] == pytest.approx(150, abs=1)
    assert _contains(far, 40, 390)
    shown.evaluate("view.bring(view.boxOf([far, near]))")
    both = _box(shown)
    assert _contains(both, 40, 390)
    assert _contains(both, 310, 210)


def test_paper_shows_the_whole_map(opened: Opening) -> None:
    shown = opened()
    shown.get_by_text("+", exact=True).click()
    enlarged = _box(shown)
    left = "document.querySelector('svg').viewBox.baseVal.x"
    shown.emulate_media(media="print")
    shown.wait_for_function(f"{left} === 10")
    assert _box(shown) == WHOLE

    shown.emulate_media(media="screen")
    shown.wait_for_function(f"{left} > 10")
    assert _box(shown) == enlarged
