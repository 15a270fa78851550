"""Write a scene as SVG, with a template."""

from __future__ import annotations

from functools import cache
from typing import Any

from jinja2 import Environment

from alexmagnum.draw.fonts import font_faces_css
from alexmagnum.draw.palette import Livery
from alexmagnum.draw.scene import Box, Item, Scene
from alexmagnum.templates import make_environment


def render_svg(scene: Scene, *, prefix: str = "", embed_fonts: bool = True) -> str:
    """Return a picture as SVG text that ends with a line end.

    ``prefix`` precedes every id, so that several pictures fit one page.  ``embed_fonts`` puts the
    fonts into the file; a page that already has them does not need that.  The same scene gives the
    same text.
    """
    fonts = font_faces_css() if embed_fonts else ""
    text = _template().render(scene=scene, prefix=prefix, fonts=fonts)
    return "\n".join(line for line in text.splitlines() if line.strip()) + "\n"


def render_symbol(kind: str, livery: Livery, state: str = "") -> str:
    """Return the symbol of a unit as SVG elements around the origin.

    They refer to the parts that every picture defines.  ``state`` is as in a token.
    """
    symbols = _environment().get_template("symbols.svg.j2").module
    drawn = symbols.symbol("", kind, livery.color, livery.ink, livery.letter, 0, state)  # type: ignore[attr-defined]
    return str(drawn)


def _template() -> Any:
    """Return the template of a picture."""
    return _environment().get_template("map.svg.j2")


@cache
def _environment() -> Environment:
    """Return the templates of pictures."""
    return make_environment("alexmagnum.draw", n=decimal, kind=kind, viewbox=viewbox)


def decimal(value: float) -> str:
    """Return a length with one decimal at most.

    >>> decimal(12.0), decimal(-0.04), decimal(3.26)
    ('12', '0', '3.3')
    """
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def kind(item: Item) -> str:
    """Return the kind of an item for the template: ``shape``, ``text``, ``token``, ``mark``."""
    return type(item).__name__.lower()


def viewbox(box: Box) -> str:
    """Return a box as the ``viewBox`` of an SVG."""
    return " ".join(map(decimal, (box.left, box.top, box.width, box.height)))
