"""Findings about the shapes of a map: does the drawing show the map that is played?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from typing import TYPE_CHECKING

from alexmagnum.board.geography import split_location
from alexmagnum.board.geometry import find_contacts
from alexmagnum.errors import Fault

if TYPE_CHECKING:
    from alexmagnum.board.geography import Portage, Province
    from alexmagnum.board.geometry import Shape
    from alexmagnum.board.model import Board

Pair = tuple[str, str]


def shape_faults(board: Board, shapes: Mapping[str, Shape]) -> Iterator[Fault]:
    """Yield everything in which the shapes and the map differ."""
    for province in board.provinces.values():
        if province.id in shapes:
            yield from _check_slots(province, shapes[province.id])
        else:
            yield Fault(f"provinces.{province.id}", "shape-missing", {"province": province.id})
    for sector in board.impassable:
        if sector not in shapes:
            yield Fault("impassable", "shape-missing", {"province": sector}, "warning")
    for shape in shapes.values():
        known: Mapping[str, object] | tuple[str, ...] = (
            board.provinces if shape.kind == "province" else board.impassable
        )
        if shape.id not in known:
            yield Fault(f"shapes.{shape.id}", "shape-unknown", {"id": shape.id})
    yield from _check_contacts(board, shapes)


def _check_slots(province: Province, shape: Shape) -> Iterator[Fault]:
    where = f"shapes.{province.id}"
    if len(shape.units) != province.capacity:
        data = {"given": str(len(shape.units)), "right": str(province.capacity)}
        # Points to spare do no harm: the rules may give fewer places than are drawn.
        severity = "error" if len(shape.units) < province.capacity else "warning"
        yield Fault(f"{where}.units", "slot-count", {"province": province.id, **data}, severity)
    for i, slot in enumerate(shape.units):
        if not shape.holds(slot):
            yield Fault(f"{where}.units[{i}]", "slot-outside", {"province": province.id})
    if shape.label is None:
        yield Fault(where, "label-missing", {"province": province.id}, "warning")
    elif not shape.holds(shape.label):
        yield Fault(f"{where}.label", "label-outside", {"province": province.id}, "warning")


def _check_contacts(board: Board, shapes: Mapping[str, Shape]) -> Iterator[Fault]:
    """Yield contacts without a border, borders without a contact, portages that touch nothing."""
    touch = set(find_contacts({i: s for i, s in shapes.items() if s.kind == "province"}))
    drawn = {pair for pair in touch if board.provinces.keys() >= {*pair}}
    across = {_pair(*strait.between) for strait in board.straits}
    hauled = {_pair(portage.over, end) for portage, end in list_portage_ends(board)}
    bordering = border_pairs(board)
    for a, b in sorted(drawn - bordering.keys() - across - hauled):
        yield Fault(f"shapes.{a}", "touch-without-border", {"a": a, "b": b}, "warning")
    for (a, b), i in bordering.items():
        if (a, b) not in touch | across and a in shapes and b in shapes:
            yield Fault(f"borders[{i}]", "border-without-touch", {"a": a, "b": b}, "warning")
    near = touch | bordering.keys()
    yield from _check_portages(board, shapes.keys(), near)


def _check_portages(board: Board, drawn: Set[str], near: Set[Pair]) -> Iterator[Fault]:
    """Check that the land of a portage touches, or has a border with, each of its ends."""
    for portage, end in list_portage_ends(board):
        pair = _pair(portage.over, end)
        if pair not in near and drawn >= {*pair}:
            data = {"province": end, "over": portage.over}
            yield Fault(f"portages.{portage.id}.ends", "portage-end-apart", data)


def list_portage_ends(board: Board) -> list[tuple[Portage, str]]:
    """Return every portage with each of its ends."""
    return [
        (portage, end) for portage in board.portages for end in (*portage.ends[0], *portage.ends[1])
    ]


def border_pairs(board: Board) -> dict[Pair, int]:
    """Return the pairs of provinces with a border of any kind, and the number of that border."""
    ends = [(split_location(b.a)[0], split_location(b.b)[0]) for b in board.borders]
    return {_pair(a, b): i for i, (a, b) in enumerate(ends)}


def _pair(a: str, b: str) -> Pair:
    return (a, b) if a < b else (b, a)
