"""The harness sees what a page does wrong, and tells pictures apart."""

from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from tests.browser.chromium import Tabs, Visitor
from tests.browser.pictures import SHARE, difference

PAGE = '<!DOCTYPE html><html lang="en"><title>t</title><body>{}</body></html>'


def _faults(tabs: Tabs, path: Path, body: str) -> list[str]:
    path.write_text(PAGE.format(body), encoding="utf-8")
    guest = Visitor(tabs)
    guest.open(path)
    guest.leave()
    return guest.faults


DOT = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>"


@pytest.mark.parametrize(
    ("body", "faults"),
    [
        (f'<img alt="" src="{DOT}">', []),
        ("<script>console.error('ouch')</script>", ["console: ouch"]),
        ("<script>throw new Error('ouch')</script>", ["exception: ouch"]),
        ('<img alt="" src="http://127.0.0.1:9/x.png">', ["request: http://127.0.0.1:9/x.png"]),
        ('<link rel="stylesheet" href="x.css">', ["request: FOLDER/x.css"]),  # beside the page
    ],
)
def test_what_a_page_does_wrong_is_seen(
    tabs: Tabs, tmp_path: Path, body: str, faults: list[str]
) -> None:
    (tmp_path / "x.css").write_text("", encoding="utf-8")
    found = _faults(tabs, tmp_path / "p.html", body)

    expected = [fault.replace("FOLDER", tmp_path.as_uri()) for fault in faults]
    assert set(expected) <= set(found)
    assert bool(expected) == bool(found)


def test_a_page_opens_as_asked(visitor: Visitor, tmp_path: Path) -> None:
    path = tmp_path / "p.html"
    path.write_text(PAGE.format(""), encoding="utf-8")
    page = visitor.open(path, size=(390, 844), scheme="dark", touch=True)

    assert page.viewport_size == {"width": 390, "height": 844}
    assert page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    assert page.evaluate("navigator.maxTouchPoints") > 0


def test_a_page_finds_nothing_of_the_page_before(tabs: Tabs, tmp_path: Path) -> None:
    path = tmp_path / "p.html"
    path.write_text(PAGE.format("<p>text</p>"), encoding="utf-8")
    for _ in range(2):
        guest = Visitor(tabs)
        page = guest.open(path)
        assert page.evaluate("localStorage.length") == 0
        assert not page.evaluate("matchMedia('print').matches")
        assert page.evaluate("scrollX + scrollY") == 0
        page.evaluate("localStorage.setItem('orders', 'A MEN H')")
        page.emulate_media(media="print")
        guest.leave()


def _picture(word_at: int, shade: int = 0) -> Image.Image:
    picture = Image.new("RGB", (400, 200), "white")
    ImageDraw.Draw(picture).rectangle((word_at, 20, word_at + 40, 40), fill=(shade, shade, shade))
    return picture


def test_pictures_differ_in_which_something_moved_but_not_by_a_shade() -> None:
    assert difference(_picture(40), _picture(40, shade=20)) == 0
    assert difference(_picture(40), _picture(60)) > SHARE
    assert difference(_picture(40), _picture(40).crop((0, 0, 400, 199))) == 1
