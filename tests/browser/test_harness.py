"""The harness sees what a page does wrong, and tells pictures apart."""

from __future__ import annotations

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


def test_a_page_by_itself_has_no_faults(tabs: Tabs, tmp_path: Path) -> None:
    dot = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>"

    assert _faults(tabs, tmp_path / "p.html", f'<img alt="" src="{dot}">') == []


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("<script>console.error('ouch')</script>", "console: ouch"),
        ("<script>throw new Error('ouch')</script>", "exception: ouch"),
        ('<img alt="" src="http://127.0.0.1:9/x.png">', "request: http://127.0.0.1:9/x.png"),
    ],
)
def test_what_a_page_does_wrong_is_seen(tabs: Tabs, tmp_path: Path, body: str, fault: str) -> None:
    assert fault in _faults(tabs, tmp_path / "p.html", body)


def test_a_file_beside_the_page_is_a_request_too(tabs: Tabs, tmp_path: Path) -> None:
    (tmp_path / "x.css").write_text("", encoding="utf-8")
    body = '<link rel="stylesheet" href="x.css">'

    assert _faults(tabs, tmp_path / "p.html", body)[0].endswith("/x.css")


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


def test_pictures_that_differ_by_a_shade_are_alike() -> None:
    assert difference(_picture(40), _picture(40, shade=20)) == 0


def test_pictures_in_which_something_moved_differ() -> None:
    assert difference(_picture(40), _picture(60)) > SHARE


def test_pictures_of_two_sizes_differ() -> None:
    assert difference(_picture(40), _picture(40).crop((0, 0, 400, 199))) == 1
