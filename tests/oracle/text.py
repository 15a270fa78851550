"""Canonical order texts and cases, read and written without the notation of the product."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from alexmagnum.orders import Convoy, Hold, Move, Order, Support
from alexmagnum.position import Phase, Position, Unit

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from alexmagnum.board.model import Board
    from tests.oracle.solve import Solution


def read_unit(power: str, text: str) -> Unit:
    """``"F STP/SC"`` as a unit of a power."""
    kind, location = text.split()
    province, _, coast = location.partition("/")
    return Unit(power, kind, province, coast)


def read_order(text: str) -> Order:
    """One order, canonical spelling only.

    >>> read_order("F NTH C A LON - BEL")
    Convoy(unit='F NTH', army='A LON', to='BEL')
    """
    words = text.removesuffix(" via convoy").split()
    unit, rest = " ".join(words[:2]), words[2:]
    match rest:
        case ["H"]:
            return Hold(unit)
        case ["-", to]:
            return Move(unit, to, text.endswith(" via convoy"))
        case ["S", kind, place]:
            return Support(unit, f"{kind} {place}")
        case ["S", kind, place, "-", to]:
            return Support(unit, f"{kind} {place}", to)
        case ["C", kind, place, "-", to]:
            return Convoy(unit, f"{kind} {place}", to)
    raise ValueError(text)


def write_order(order: Order) -> str:
    """The canonical spelling of a movement order; the mirror of :func:`read_order`."""
    match order:
        case Hold(unit):
            return f"{unit} H"
        case Move(unit, to, via):
            return f"{unit} - {to}" + (" via convoy" if via else "")
        case Support(unit, supported, None):
            return f"{unit} S {supported}"
        case Support(unit, supported, to):
            return f"{unit} S {supported} - {to}"
        case Convoy(unit, army, to):
            return f"{unit} C {army} - {to}"
    raise ValueError(order)


def read_case(board: Board, case: Mapping[str, Any]) -> tuple[Position, dict[str, list[Order]]]:
    """The position and the orders of a movement case."""
    units = tuple(read_unit(p, text) for p, texts in case["units"].items() for text in texts)
    orders = {p: [read_order(text) for text in texts] for p, texts in case["orders"].items()}
    return Position(board, Phase(0, "spring"), units), orders


def write_case(
    id_: str,
    position: Position,
    orders: Mapping[str, Sequence[Order]],
    solution: Solution,
    title: str,
) -> str:
    """A case as YAML, ready to be pasted; what it expects is what the oracle found."""
    lines = [f"- id: {id_}", f'  title: "{title}"']
    if position.board.id != "standard":
        lines.append(f"  map: {position.board.id}")
    lines += ["  phase: spring_moves", "  units:", *_by_power(position.units, 4), "  orders:"]
    for power, listed in orders.items():
        lines += [f"    {power}:", *(f"    - {write_order(order)}" for order in listed)]
    lines += ["  expect:", "    results:"]
    previous = None
    for power, order, result in solution.results:
        if power != previous:
            lines.append(f"      {power}:")
        lines.append(f"      - {{order: {write_order(order)}, result: {result}}}")
        previous = power
    lines.append("    dislodged:" + ("" if solution.dislodged else " []"))
    lines += [
        f"    - {{power: {d.unit.power}, unit: {d.unit}, by: {d.by},"
        f" retreats: [{', '.join(d.retreats)}]}}"
        for d in sorted(solution.dislodged, key=lambda d: d.unit)
    ]
    if solution.destroyed:
        lines.append("    destroyed:")
        lines += [f"    - {{power: {u.power}, unit: {u}}}" for u in sorted(solution.destroyed)]
    return "\n".join([*lines, "    units_after:", *_by_power(solution.units, 6)])


def _by_power(units: Iterable[Unit], indent: int) -> list[str]:
    powers: dict[str, list[str]] = {}
    for unit in sorted(units):
        powers.setdefault(unit.power, []).append(str(unit))
    return [f"{' ' * indent}{power}: [{', '.join(names)}]" for power, names in powers.items()]
