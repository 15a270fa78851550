"""The hook by which notebooks show positions and outcomes as pictures.

Positions and outcomes know nothing of drawing.  The package registers how to draw them as soon as
one of its public names is used; without that a notebook shows text.
"""

from __future__ import annotations

from collections.abc import Callable

_drawings: list[Callable[[object], str | None]] = []


def register_drawing(draw: Callable[[object], str | None]) -> None:
    """Set the function that returns the SVG of a value, or None if there is no picture of it."""
    _drawings[:] = [draw]


def draw_svg(value: object) -> str | None:
    """Return the SVG of a value; None if no drawing is registered or the value has no picture."""
    return _drawings[0](value) if _drawings else None
