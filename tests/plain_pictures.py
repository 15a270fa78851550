"""Pictures that take a thousandth of the time, for the tests that do not look at them.

A quarter of the time of the tests of commands and mails went into PNGs of maps that no test looks
at.  A PNG is therefore one colour, which depends on the drawing: as large as the real one, the same
for the same drawing, another for another.  Tests of what pictures look like use the fixture
``real_pictures``; ``tests/draw`` and ``tests/browser`` always have real ones, and so have programs
that tests start.  Maps and order sheets are drawn once for all games of a process.
"""

import re
from functools import lru_cache, wraps
from hashlib import sha256
from io import BytesIO
from typing import Any

from PIL import Image

from alexmagnum.draw import canvas, scene
from alexmagnum.report import formats

render_real_png = lru_cache(maxsize=64)(scene.render_png)
"""Render a picture as people get it; once for each drawing, because most tests begin alike."""

_VIEW_BOX = re.compile(r'viewBox="[-\d.]+ [-\d.]+ ([\d.]+) ([\d.]+)"')

_wanted: list[str] = []
"""A reason for each test that is running and looks at pictures."""


def use_plain_pictures() -> None:
    """Let the package draw plain pictures, unless a test asks for real ones."""
    scene.render_png = _render_png
    canvas.lay_out_canvas = lru_cache(maxsize=64)(  # type: ignore[assignment]
        canvas.lay_out_canvas
    )
    formats.MapPictures.__init__ = _share_drawings  # type: ignore[method-assign]


def want_real_pictures(reason: str) -> None:
    """Draw real pictures until :func:`want_plain_pictures` is called."""
    _wanted.append(reason)


def want_plain_pictures() -> None:
    """Draw plain pictures again."""
    _wanted.clear()


class _Recent(formats._Drawings[Any]):
    """The last drawings that tests asked for."""

    def get(self, *asked: Any, **options: Any) -> Any:
        found = super().get(*asked, **options)
        del self._kept[:-64]
        return found


_SHARED = {name: _Recent() for name in ("_scenes", "_pages", "_svgs")}
_begin_alone = formats.MapPictures.__init__


def _share_drawings(self: formats.MapPictures) -> None:
    """Begin with the drawings of other games, unless a test looks at pictures."""
    _begin_alone(self)
    if not _wanted:
        vars(self).update(_SHARED)


@wraps(scene.render_png)
def _render_png(svg_text: str, width: int = scene.MAIL, colours: int = 256) -> bytes:
    """Render a picture as a PNG: a plain one where plain pictures are wanted."""
    if _wanted or not 0 < width <= scene.WIDEST:
        return render_real_png(svg_text, width, colours)
    return _render_plain_png(svg_text, width, colours)


@lru_cache(maxsize=64)
def _render_plain_png(svg_text: str, width: int, colours: int) -> bytes:
    """Return a PNG of one colour."""
    box = _VIEW_BOX.search(svg_text)
    height = round(width * float(box[2]) / float(box[1])) if box else width
    picture = Image.new("P", (width, max(height, 1)))
    picture.putpalette(sha256(f"{colours} {svg_text}".encode()).digest()[:24])
    written = BytesIO()
    picture.save(written, "PNG", compress_level=1)
    return written.getvalue()
