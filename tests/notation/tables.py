"""Positions for tests of the notation, and helpers that read orders in them."""

from collections.abc import Mapping
from functools import cache

from alexmagnum.board import load_board
from alexmagnum.board.geography import split_location
from alexmagnum.board.model import Board
from alexmagnum.notation import Line, read_orders, write_order
from alexmagnum.orders import Order
from alexmagnum.position import Dislodged, Phase, Position, Unit
from tests.each import cells, check_each


@cache
def board(map_id: str) -> Board:
    return load_board(map_id)


def units(text: str) -> tuple[Unit, ...]:
    """Return units from ``"TOL: G ALE, F EGE#2; CAS: F EGE#1"``."""
    made = []
    for group in filter(None, text.split(";")):
        power, _, listed = group.partition(":")
        for name in listed.split(","):
            kind, at = name.split()
            province, coast, number = split_location(at)
            made.append(Unit(power.strip(), kind, province, coast, number or 1))
    return tuple(made)


def position(map_id: str, text: str, season: str = "spring", **more: object) -> Position:
    return Position(board(map_id), Phase(318, season), units(text), **more)  # type: ignore[arg-type]


def retreating(map_id: str, text: str, by: str) -> Position:
    """Return a retreat phase in which one unit dislodged all of these units."""
    attacker = units(by)[0]
    dislodged = tuple(Dislodged(unit, attacker, ()) for unit in units(text))
    return Position(
        board(map_id), Phase(318, "spring", retreats=True), (attacker,), dislodged=dislodged
    )


def line(text: str, where: Position, power: str | None = None) -> Line:
    """Read a text of one line and return its line."""
    (only,) = read_orders(text, where, power).lines
    return only


def read(text: str, where: Position, power: str | None = None) -> Order | None:
    """Return the order of a text of one line; raise its error if it has one."""
    if (only := line(text, where, power)).error is not None:
        raise only.error
    return only.order


def check_read(table: Mapping[str, str], where: Position, power: str | None = None) -> None:
    """Check that each text of a table is read as the order above it, which is canonical."""

    def check(canonical: str, text: str) -> None:
        order = read(text, where, power)
        assert order is not None
        assert write_order(order) == canonical

    check_each([(c, text) for c, texts in table.items() for text in cells(texts)], check)


def written(text: str, where: Position, power: str = "TOL") -> list[str]:
    """Return the orders of a text that count, in canonical notation."""
    return [write_order(order) for order in read_orders(text, where, power).orders.get(power, ())]


def errors(text: str, where: Position, power: str = "TOL") -> list[str]:
    """Return the codes of the refusals in a text, of which no order counts."""
    reading = read_orders(text, where, power)
    assert reading.orders == {}
    return [line.error.code for line in reading.lines if line.error]


def codes(text: str, where: Position, power: str | None = None) -> list[str]:
    """Return the codes of the notices about an order."""
    only = line(text, where, power)
    assert only.order is not None, only
    return [notice.code for notice in only.notices]


ITALY = position(
    "standard",
    "Italy: A VEN, A ROM, F NAP, A NAF, F TYS; France: F MAR, A BUR, F MAO, A PIC;"
    "Austria: A TRI, A BOH; Turkey: A CON, A BUL, A ARM, F BLA; Russia: F STP/SC",
)
"""The standard map in spring."""

EGYPT = position(
    "alexmagnum",
    "TOL: G ALE, A MEN, A TEB, F EGI, F EGE#2, F FOC; SEL: A PER, A ECB, G BAB, A ARM, F SUS;"
    "CAS: F EGE#1, F CRE, A TRA, F ION; LIS: F EGE#3, A BIS; AUT: A SIR, A DAM, A SIS",
)
"""The map of Alex Magnum in spring, three fleets in the Aegean."""
