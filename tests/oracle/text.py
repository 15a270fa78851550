"""Canonical order texts and cases, read and written without the notation of the product."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from alexmagnum.board import load_board, split_location
from alexmagnum.orders import Convoy, Hold, Move, Order, Support
from alexmagnum.position import Phase, Position, Unit
from alexmagnum.units import names_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from alexmagnum.board.model import Board
    from tests.oracle.solve import Solution


def read_units(power: str, texts: Iterable[str], taken: set[tuple[str, int]]) -> list[Unit]:
    """Read units of a power; those without a number get the lowest that is not ``taken``.

    >>> read_units("TOL", ["F EGE#2", "F EGE"], set())[1].place
    'EGE#1'
    """
    units = []
    for text in texts:
        kind, location = text.split()
        province, coast, number = split_location(location)
        while not number or (province, number) in taken:
            number += 1
        taken.add((province, number))
        units.append(Unit(power, kind, province, coast, number))
    return units


def read_order(text: str) -> Order:
    """Read one order in canonical spelling.

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
    """Write a movement order in canonical spelling; the mirror of :func:`read_order`."""
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
    """Read the position and the orders of a movement case."""
    taken: set[tuple[str, int]] = set()
    units = [u for p, texts in case["units"].items() for u in read_units(p, texts, taken)]
    orders = {p: [read_order(text) for text in texts] for p, texts in case["orders"].items()}
    board = board.with_rules(case.get("rules", {}))
    nobility = case.get("nobility", {})
    return Position(board, Phase(0, "spring"), tuple(units), nobility=nobility), orders


def write_case(
    id_: str,
    position: Position,
    orders: Mapping[str, Sequence[Order]],
    solution: Solution,
    title: str,
) -> str:
    """Write a case as YAML, ready to be pasted, that expects what the oracle found."""
    lines = [f"- id: {id_}", f'  title: "{title}"', *_setting(position)]
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
    names = exact_names(position.units)
    lines.append("    dislodged:" + ("" if solution.dislodged else " []"))
    lines += [
        f"    - {{power: {d.unit.power}, unit: {names[d.unit]}, by: {names[d.by]},"
        f" retreats: [{', '.join(d.retreats)}]}}"
        for d in sorted(solution.dislodged, key=lambda d: d.unit)
    ]
    if solution.destroyed:
        lines.append("    destroyed:")
        lines += [
            f"    - {{power: {u.power}, unit: {names[u]}}}" for u in sorted(solution.destroyed)
        ]
    return "\n".join([*lines, "    units_after:", *_by_power(solution.units, 6)])


def _setting(position: Position) -> list[str]:
    """Return the lines for map, rules and nobility that differ from those of a plain case."""
    board, lines = position.board, []
    if board.id != "standard":
        lines.append(f"  map: {board.id}")
    usual = asdict(load_board(board.id).rules)
    changed = {name: v for name, v in asdict(board.rules).items() if v != usual[name]}
    for key, values in (("rules", changed), ("nobility", position.nobility)):
        if values:
            lines.append(f"  {key}: {{{', '.join(f'{name}: {v}' for name, v in values.items())}}}")
    return lines


def exact_names(units: Iterable[Unit]) -> dict[Unit, str]:
    """Return names for a case file: even a lone fleet shows its number, if that is not 1."""
    return {
        unit: f"{unit.kind} {unit.place}" if unit.number > 1 else name
        for unit, name in names_of(units).items()
    }


def _by_power(units: Iterable[Unit], indent: int) -> list[str]:
    powers: dict[str, list[str]] = {}
    names = exact_names(units)
    for unit in sorted(names):
        powers.setdefault(unit.power, []).append(names[unit])
    return [f"{' ' * indent}{power}: [{', '.join(texts)}]" for power, texts in powers.items()]
