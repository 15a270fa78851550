"""SVG as PNG and PDF: the size asked for, our own letters, the same bytes every time."""

from __future__ import annotations

import re
import subprocess
import sys
import zlib
from collections.abc import Callable
from io import BytesIO
from itertools import pairwise

import pytest
from PIL import Image

from alexmagnum import load_board
from alexmagnum.campaign import first_position
from alexmagnum.draw import draw_position, render_svg
from alexmagnum.draw.scene import MAIL, PRINT, WIDEST, assign_liveries, render_pdf, render_png
from alexmagnum.errors import BadPicture
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences


def _drawing(inside: str) -> str:
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100">'
        f'<rect width="200" height="100" fill="#f3e6c4"/>{inside}</svg>\n'
    )


def _lettered(family: str, text: str = "Menfi") -> str:
    style = f"font-family:{family};font-size:40px"
    return _drawing(f'<text x="10" y="60" style="{style}">{text}</text>')


PLAIN = _drawing('<circle cx="50" cy="50" r="30" fill="#a02020"/>')
GARAMOND = _lettered("'EB Garamond'")


def _image(data: bytes) -> Image.Image:
    return Image.open(BytesIO(data))


@pytest.mark.parametrize("width", [1, 400, MAIL, PRINT])
def test_a_picture_is_as_wide_as_asked_and_keeps_its_proportions(width: int) -> None:
    picture = _image(render_png(PLAIN, width))

    assert picture.format == "PNG"
    assert picture.width == width
    assert abs(picture.height - width / 2) <= 1


def test_the_same_text_gives_the_same_bytes(forget_pictures: Callable[[], None]) -> None:
    picture = render_png(GARAMOND, 400)
    forget_pictures()
    assert render_png(GARAMOND, 400) == picture
    assert render_pdf(GARAMOND) == render_pdf(GARAMOND)


def test_another_process_gives_the_same_bytes() -> None:
    code = (
        "import sys, zlib\nfrom alexmagnum.draw.scene import render_pdf, render_png\n"
        "text = sys.stdin.buffer.read().decode()\n"
        "print(zlib.crc32(render_png(text, 400)), zlib.crc32(render_pdf(text)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=GARAMOND.encode(),
        capture_output=True,
        check=True,
        timeout=60,
    )

    assert done.stdout.split() == [
        str(zlib.crc32(made)).encode() for made in (render_png(GARAMOND, 400), render_pdf(GARAMOND))
    ]


def test_flat_tints_come_out_exactly() -> None:
    picture = _image(render_png(PLAIN, 200)).convert("RGB")

    assert picture.getpixel((190, 10)) == (0xF3, 0xE6, 0xC4)
    assert picture.getpixel((50, 50)) == (0xA0, 0x20, 0x20)


def test_a_picture_for_mail_has_a_palette_and_one_for_print_every_colour() -> None:
    assert _image(render_png(PLAIN, MAIL)).mode == "P"
    assert _image(render_png(PLAIN, PRINT)).mode == "RGBA"


@pytest.mark.parametrize("family", ["'DejaVu Sans'", "'Nobody Has This'", "serif"])
def test_no_letters_but_ours_are_drawn(family: str) -> None:
    """Whatever the drawing asks for, and whatever the machine has."""
    assert render_png(_lettered(family), 400) == render_png(GARAMOND, 400)


def test_letters_are_drawn() -> None:
    texts = ["", "Menfi", "Mḗnphē"]
    pictures = [render_png(_lettered("'EB Garamond'", text), 400) for text in texts]

    assert all(a != b for a, b in pairwise(pictures))


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("width", [0, -5, WIDEST + 1, 10**9])
def test_an_impossible_width_is_refused(width: int, lang: str) -> None:
    with pytest.raises(BadPicture) as refused:
        render_png(PLAIN, width)

    said = load_sentences(lang).error(refused.value)
    assert str(width) in said
    assert str(WIDEST) in said


def test_a_pdf_is_one_page_as_wide_as_a3() -> None:
    (page,) = re.findall(rb"/MediaBox\[([\d. ]+)\]", render_pdf(PLAIN))

    assert [float(side) for side in page.split()] == pytest.approx([0, 0, 1190.55, 595.28], abs=0.1)


def test_a_pdf_has_letters_of_our_fonts_and_no_pixels() -> None:
    written = render_pdf(GARAMOND)

    assert b"+EBGaramond-Regular" in written
    assert b"/Subtype/Image" not in written


def test_a_pdf_has_the_title_of_the_picture_and_no_date() -> None:
    written = render_pdf(_drawing('<title id="t">War &amp; Peace</title>'))

    assert b"/Title(War & Peace)" in written
    assert b"CreationDate" not in written


def test_nothing_heavy_is_imported_before_a_picture_is_made() -> None:
    code = (
        "import sys, alexmagnum.draw.scene\n"
        "print(sorted({'PIL', 'typst', 'resvg_py'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, timeout=60)

    assert done.stdout.strip() == b"[]"


def test_a_small_picture_keeps_the_strong_colours_of_its_symbols() -> None:
    """Check against a palette made for the wide pale land, which would turn the symbols grey."""
    board = load_board("standard")
    scene = draw_position(first_position(board), load_sentences("en"), title="Diplomacy")
    picture = Image.open(BytesIO(render_png(render_svg(scene, embed_fonts=False)))).convert("RGB")
    wide, high = picture.size
    drawn = {picture.getpixel((x, y)) for x in range(0, wide, 2) for y in range(0, high, 2)}

    for livery in assign_liveries(board).values():
        if livery.power not in board.powers:
            continue
        wanted = [int(livery.color[i : i + 2], 16) for i in (1, 3, 5)]
        nearest = min(
            max(abs(a - b) for a, b in zip(color, wanted, strict=True))
            for color in drawn
            if isinstance(color, tuple)
        )
        assert nearest <= 16, livery.power


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_pdf_without_typst_is_refused_with_what_to_install(
    lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(BadPicture) as refused:
        render_pdf(PLAIN)

    said = load_sentences(lang).error(refused.value)
    assert "pip install 'alexmagnum[pdf]'" in said
    assert ".svg" in said
    assert ".png" in said
