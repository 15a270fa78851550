"""Turn an SVG into a PNG or a PDF.

Only the fonts of the package are used, so that a picture is the same on every machine.
"""

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
"""Widths in pixels for a mail and for paper."""

WIDEST = 12_000
"""The largest width in pixels; such a picture takes half a gigabyte of memory."""

TELEPHONE = 560
"""The width in pixels of a picture in the page of a letter, read at 360 on a telephone."""

_FEW_COLOURS = 2400
"""Pictures up to this width in pixels get a palette; larger ones are for print."""

_COMPRESSION = 7
"""A fifth of the time of the highest level; the file is a fortieth larger."""

_PAGE = b"""
#set document(title: sys.inputs.title, date: none)
#set page(width: auto, height: auto, margin: 0pt)
#image(bytes(sys.inputs.svg), format: "svg", width: 420mm, alt: sys.inputs.title)
"""


def render_png(svg_text: str, width: int = MAIL, colours: int = 256) -> bytes:
    """Return a picture as a PNG that is ``width`` pixels wide.

    A picture that is not for print has at most so many ``colours``, so that it is small.  The same
    text gives the same bytes.

    Raises:
        BadPicture: ``picture-width``.
    """
    if not 0 < width <= WIDEST:
        raise BadPicture("picture-width", width=str(width), most=str(WIDEST))
    picture = render_layer(svg_text, width, background="white")
    return _with_palette(picture, colours) if width <= _FEW_COLOURS else picture


def render_layer(svg_text: str, width: int, background: str | None = None) -> bytes:
    """Return a picture as a PNG of all colours, transparent where nothing is drawn."""
    from resvg_py import svg_to_bytes

    return svg_to_bytes(
        svg_string=svg_text,
        width=width,
        skip_system_fonts=True,
        font_files=[str(path) for path in font_files()],
        background=background,
        font_family=FAMILY,
        serif_family=FAMILY,
    )


def _with_palette(png: bytes, colours: int) -> bytes:
    """Return a PNG with a few colours.

    It is not dithered, which would speckle the flat tints.  An octree keeps the strong colours of
    small symbols, which a median cut loses in the colours of the land.
    """
    from PIL import Image

    picture = Image.open(BytesIO(png)).convert("RGB")
    few = picture.quantize(colours, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    written = BytesIO()
    few.save(written, "PNG", compress_level=_COMPRESSION)
    return written.getvalue()


def render_pdf(svg_text: str) -> bytes:
    """Return a picture as a PDF of one page, as wide as A3, made of lines and letters.

    Its title is the picture's.  The same text gives the same bytes.

    Raises:
        BadPicture: ``pdf-unavailable``; typst is not installed (the extra ``alexmagnum[pdf]``).
    """
    try:
        import typst
    except ModuleNotFoundError:
        raise BadPicture("pdf-unavailable") from None

    title = re.search("<title[^>]*>(.*?)</title>", svg_text)
    inputs = {"svg": svg_text, "title": unescape(title[1]) if title else ""}
    page = typst.Compiler(_PAGE, font_paths=_fonts(), sys_inputs=inputs).compile(format="pdf")
    assert isinstance(page, bytes)
    return page


@cache
def _fonts() -> Fonts:
    """Return the fonts of the package for typst, read once."""
    from typst import Fonts

    folder = str(font_files()[0].parent)
    return Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[folder])
