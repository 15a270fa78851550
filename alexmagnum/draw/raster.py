"""SVG as PNG and as PDF, with the fonts of the package and no others: the same on every machine."""

from __future__ import annotations

import re
from functools import cache
from html import unescape
from io import BytesIO
from typing import TYPE_CHECKING

from alexmagnum.draw.fonts import FAMILY, font_files
from alexmagnum.errors import BadPicture

if TYPE_CHECKING:
    from typst import Fonts

MAIL, PRINT = 1600, 4800
"""Widths in pixels: one that a mail can carry, and one for paper."""

WIDEST = 12_000
"""The widest picture that is drawn, in pixels; it takes half a gigabyte of memory."""

_FEW_COLOURS = 2400
"""Up to this width in pixels a picture gets a palette; a larger one is for print."""

_PAGE = b"""
#set document(title: sys.inputs.title, date: none)
#set page(width: auto, height: auto, margin: 0pt)
#image(bytes(sys.inputs.svg), format: "svg", width: 420mm, alt: sys.inputs.title)
"""


def render_png(svg_text: str, width: int = MAIL) -> bytes:
    """A picture in pixels, ``width`` of them wide; the same text gives the same bytes.

    A picture that is not for print has 256 colours at most, so that it is small.

    Raises:
        BadPicture: picture-width.
    """
    from resvg_py import svg_to_bytes

    if not 0 < width <= WIDEST:
        raise BadPicture("picture-width", width=str(width), most=str(WIDEST))
    drawn = svg_to_bytes(
        svg_string=svg_text,
        width=width,
        skip_system_fonts=True,
        font_files=[str(path) for path in font_files()],
        background="white",
        font_family=FAMILY,
        serif_family=FAMILY,
    )
    return _with_palette(drawn) if width <= _FEW_COLOURS else drawn


def _with_palette(drawn: bytes) -> bytes:
    """The same picture with 256 colours; not dithered, which would speckle its flat tints.

    An octree keeps the strong colours of small symbols, which a median cut drowns in the land.
    """
    from PIL import Image

    picture = Image.open(BytesIO(drawn)).convert("RGB")
    few = picture.quantize(256, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    written = BytesIO()
    few.save(written, "PNG", optimize=True)
    return written.getvalue()


def render_pdf(svg_text: str) -> bytes:
    """A picture as a PDF of one page, as wide as A3; lines and letters stay such.

    Its title is that of the picture.  The same text gives the same bytes.
    """
    import typst

    title = re.search("<title[^>]*>(.*?)</title>", svg_text)
    inputs = {"svg": svg_text, "title": unescape(title[1]) if title else ""}
    page = typst.Compiler(_PAGE, font_paths=_fonts(), sys_inputs=inputs).compile(format="pdf")
    assert isinstance(page, bytes)
    return page


@cache
def _fonts() -> Fonts:
    from typst import Fonts

    folder = str(font_files()[0].parent)
    return Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[folder])
