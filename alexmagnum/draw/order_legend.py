"""The rows of the legend for orders and results: those of the marks that a picture uses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from alexmagnum.draw import order_signs
from alexmagnum.draw.legend import Sign
from alexmagnum.draw.order_drawing import LOST, VOID
from alexmagnum.draw.palette import NOBODY
from alexmagnum.draw.scene import Item, Mark, Point, Shape, Token
from alexmagnum.draw.side_by_side import light
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge.outcome import STOPPED

_Drawing = Callable[[Point], Sequence[Item]]


def list_used_signs(
    items: Iterable[Item], sentences: Sentences, *, results: bool, lit: bool = False
) -> tuple[Sign, ...]:
    """Return a row for each kind of mark among some items, in the legend's order.

    ``results`` says whether the picture shows results; a full arrow means only a move otherwise.
    ``lit``: units that differ from another picture have a light around them.
    """
    used = {key for item in items for key in _find_keys(item)}
    if not results and "success" in used:
        used = used - {"success"} | {"move"}
    if lit:
        used |= {"lit"}
    return tuple(
        Sign(draw, sentences.format(f"sign-{key}"))
        for key, draw in _DRAWINGS.items()
        if key in used
    )


def _find_keys(item: Item) -> Iterator[str]:
    """Yield the kinds of marks that an item shows."""
    if isinstance(item, Token):
        if item.state == "dislodged":
            yield "dislodged"
        if item.number:
            yield "fleet-number"
    elif isinstance(item, Mark):
        for shape in item.shapes:
            if isinstance(shape, Shape):
                yield from _find_shape_keys(item, shape.look)


def _find_shape_keys(mark: Mark, look: str) -> Iterator[str]:
    """Yield the kinds of marks that a shape of an order stands for."""
    if look == "cross":
        yield _CROSSES.get(mark.look, "caught")
    elif look == "burst":
        yield "stopped" if mark.result == STOPPED else "failure"
    elif look == "cross small" or (look == "nothing" and mark.result in VOID):
        yield "void"
    elif look == "nothing":
        yield "stopped" if mark.look == "move" else "unordered"
    elif look == "line dashed" and mark.look == "support":
        yield "support"
    elif look in _LOOKS:
        yield _LOOKS[look]


_CROSSES: Mapping[str, str] = {
    LOST: "destroyed",
    "disband": "removed",
    "remove": "removed",
    "convoy": "disrupted",
    "pick": "contested",
}
"""The meaning of a red cross, by the kind of order."""

_LOOKS: Mapping[str, str] = {
    "head": "success",
    "slash": "cut",
    "wave": "convoy",
    "line rollers": "haul",
    "line wide rollers": "haul",
    "line bar": "hold",
    "line bar stood": "stood",
    "place": "number",
    "plus-disc": "built",
    "cloth": "picked",
    "tether": "tether",
}
"""The kinds of marks by the look of a shape that only they have."""


def _line(at: Point) -> tuple[Point, Point]:
    """Return a line for a row of the legend."""
    return (at[0] - 15.0, at[1]), (at[0] + 13.0, at[1])


def _draw_failure(at: Point) -> Sequence[Item]:
    """Return a short arrow that bounces."""
    start, (x, y) = _line(at)
    return *order_signs.arrow((start, (x - 7.0, y)), good=False), order_signs.burst((x, y))


def _draw_stopped(at: Point) -> Sequence[Item]:
    """Return a burst with the rest of a way that was not made."""
    x, y = at
    rest = f"M{x - 1:.1f},{y:.1f}h16"
    return Shape(rest, "casing thin"), Shape(rest, "nothing"), order_signs.burst((x - 8.0, y))


def _draw_unordered(at: Point) -> Sequence[Item]:
    """Return the dotted line of a move that somebody helped and nobody ordered."""
    d = f"M{at[0] - 15:.1f},{at[1]:.1f}h28"
    return Shape(d, "casing thin"), Shape(d, "nothing")


def _draw_caught(at: Point) -> Sequence[Item]:
    """Return a cross on the line of a haul."""
    line = tuple(order_signs.arrow(_line(at), good=False))
    return *line, *order_signs.cross((at[0] - 4.0, at[1]), 6.0)


def _draw_disrupted(at: Point) -> Sequence[Item]:
    """Return the waves of a convoy with a cross on them."""
    x, y = at
    return *order_signs.waves((x, y - 19.0)), *order_signs.cross((x, y), 5.0)


def _draw_contested(at: Point) -> Sequence[Item]:
    """Return a flag that is crossed out."""
    return *order_signs.pennon(at), *order_signs.strike((at[0] - 11.0, at[1] + 26.0))


_DRAWINGS: Mapping[str, _Drawing] = {
    "move": lambda at: tuple(order_signs.arrow(_line(at), good=True)),
    "success": lambda at: tuple(order_signs.arrow(_line(at), good=True)),
    "failure": _draw_failure,
    "support": lambda at: tuple(order_signs.dashes(_line(at))),
    "cut": lambda at: tuple(order_signs.dashes(_line(at), cut=True)),
    "convoy": lambda at: tuple(order_signs.waves((at[0], at[1] - 19.0))),
    "disrupted": _draw_disrupted,
    "hold": lambda at: tuple(order_signs.ground_bar((at[0], at[1] - 16.0))),
    "stood": lambda at: tuple(order_signs.double_bar((at[0], at[1] - 19.0))),
    "haul": lambda at: tuple(order_signs.arrow(_line(at), good=True, look="rollers")),
    "stopped": _draw_stopped,
    "caught": _draw_caught,
    "unordered": _draw_unordered,
    "void": lambda at: tuple(order_signs.void_line(_line(at))),
    "dislodged": lambda at: (Token("", "A", NOBODY, "", at, 19.0, state="dislodged"),),
    "destroyed": lambda at: (
        Token("", "A", NOBODY, "", at, 19.0),
        *order_signs.frame_cross(at, 0.68),
    ),
    "fleet-number": lambda at: (Token("", "F", NOBODY, "", at, 19.0, number=2),),
    "number": lambda at: tuple(order_signs.place_number(at, 2)),
    "tether": lambda at: tuple(order_signs.tether((at[0] - 13.0, at[1]), (at[0] + 11.0, at[1]))),
    "built": lambda at: tuple(order_signs.plus(at)),
    "removed": lambda at: (
        Token("", "A", NOBODY, "", at, 19.0),
        *order_signs.frame_cross(at, 0.68),
    ),
    "picked": lambda at: tuple(order_signs.pennon(at)),
    "contested": _draw_contested,
    "lit": lambda at: (light(at, 10.0), Token("", "A", NOBODY, "", at, 15.0)),
}
"""The drawing of the row of each kind of mark, in the legend's order."""
