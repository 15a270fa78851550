"""Write a scene as SVG, with a template."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import chain, groupby
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from alexmagnum.draw.fonts import font_faces_css
from alexmagnum.draw.palette import Livery
from alexmagnum.draw.scene import Box, Item, Scene, Shape

if TYPE_CHECKING:
    from jinja2 import Environment

LARGE = 120
"""The length from which path data is written once and referred to: a reference is shorter,
but takes the program that shows it a little longer."""


def render_svg(
    scene: Scene,
    *,
    prefix: str = "",
    embed_fonts: bool = True,
    known: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Return a picture as SVG text that ends with a line end.

    ``prefix`` precedes every id, so that several pictures fit one page.  ``embed_fonts`` puts the
    fonts into the file; a page that already has them does not need that.  ``known`` are ids by
    path data of shapes that the page already holds.  The same scene gives the same text.
    """
    fonts = font_faces_css() if embed_fonts else ""
    repeated = {} if known else number_repeated(scene)
    text = _template().render(
        scene=scene, prefix=prefix, fonts=fonts, repeated=repeated, shared={**repeated, **known}
    )
    return "\n".join(line for line in text.splitlines() if line.strip()) + "\n"


def render_symbol(kind: str, livery: Livery, state: str = "") -> str:
    """Return the symbol of a unit as SVG elements around the origin.

    They refer to the parts that every picture defines.  ``state`` is as in a token.
    """
    symbols = _environment().get_template("symbols.svg.j2").module
    drawn = symbols.symbol("", kind, livery.color, livery.ink, livery.letter, 0, state)  # type: ignore[attr-defined]
    return str(drawn)


def number_repeated(scene: Scene) -> dict[str, str]:
    """Return an id for the path data of each large shape that the scene draws more than once.

    A coast has several bands of light water, an impassable sector its colour and its hatching: the
    file holds their outline once.
    """
    items = chain(
        chain.from_iterable(layer.items for layer in scene.layers),
        chain.from_iterable(inset.ground for inset in scene.insets),
    )
    counts = Counter(item.d for item in items if isinstance(item, Shape) and len(item.d) >= LARGE)
    repeated = (d for d, count in counts.items() if count > 1)
    return {d: f"shape-{number}" for number, d in enumerate(repeated, 1)}


def group_runs(items: Sequence[Item]) -> list[tuple[str, tuple[Item, ...]]]:
    """Return items in runs: of shapes that differ in nothing but their path, with their look.

    The look of a single item or of other items is empty: each of them is drawn by itself.
    """
    runs = []
    for look, run in groupby(items, _plain_look):
        several = tuple(run)
        runs.append((look if len(several) > 1 else "", several))
    return runs


def _plain_look(item: Item) -> str:
    """Return the look of a relief symbol; empty for all else."""
    if isinstance(item, Shape) and item.look.startswith("relief "):
        return item.look
    return ""


def _template() -> Any:
    """Return the template of a picture."""
    return _environment().get_template("map.svg.j2")


@cache
def _environment() -> Environment:
    """Return the templates of pictures."""
    from alexmagnum.templates import make_environment  # loads Jinja

    return make_environment(
        "alexmagnum.draw", n=decimal, kind=kind, viewbox=viewbox, runs=group_runs
    )


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
