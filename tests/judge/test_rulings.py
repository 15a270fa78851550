"""Rulings one by one, as written in ``rulings/``: what a case file cannot say.

A row has units and their orders in spring (``TOL F FOC - TEB; TOL A MEN``, the second without an
order), or the line of a ``position`` and orders for it, and what should come of them.
"""

from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest

from alexmagnum.board import load_board
from alexmagnum.judge import adjudicate
from alexmagnum.judge.checking import Check, check_orders
from alexmagnum.judge.explanation import explain
from alexmagnum.judge.options import all_legal_orders, legal_orders, legal_orders_of
from alexmagnum.judge.other_phases import list_building_rooms
from alexmagnum.judge.outcome import Outcome, Reason
from alexmagnum.notation import write_order
from alexmagnum.orders import Build, Disband, Hold, Order, Pick, Remove, Retreat, Waive
from alexmagnum.position import Position, Unit
from tests.case_library import read_yaml
from tests.each import check_each
from tests.units import read_lines

FOLDER = Path(__file__).parent / "rulings"

Orders = Mapping[str, Sequence[Order]]
Row = Mapping[str, Any]

GIVEN = {"is", "map", "rules", "position", "orders", "nobility", "asks"}
WANTED = {
    *("judged", "explained", "left", "picks"),  # of the outcome
    *("checked", "rooms", "exactly", "offers", "withholds"),  # of the orders that may be given
}

KINDS: dict[str, Callable[[str], Order]] = {
    "Build": Build,
    "Disband": Disband,
    "Pick": Pick,
    "Remove": Remove,
}


def _read_row(row: Row) -> tuple[Position, Orders]:
    lines = row.get("orders", "")
    if "position" not in row:
        board = load_board(row.get("map", "alexmagnum")).with_rules(row.get("rules", {}))
        return read_lines(lines, board, nobility=row.get("nobility", {}))
    orders: dict[str, list[Order]] = {}
    for power, _, order in (line.partition(" ") for line in filter(None, lines.split("; "))):
        orders.setdefault(power, []).append(_read_order(order))
    return Position.from_text(row["position"]), orders


def _read_order(text: str) -> Order:
    """Return an order of another phase than movement, with its names as they are written."""
    kind, _, name = text.partition(" ")
    if kind in KINDS:
        return KINDS[kind](name)
    if kind == "Waive":
        return Waive()
    unit, _, to = text.partition(" - ")
    return Retreat(unit, to) if to else Hold(unit.removesuffix(" H"))


# -- the words of the rows -------------------------------------------------------------------------


def _name(unit: Unit) -> str:
    return f"{unit} #{unit.number}".replace(" #1", "").replace(" #", "#")


def _list_units(units: Sequence[Unit]) -> str:
    return " and ".join(f"{unit.power} {unit.kind} {unit.province}" for unit in units)


def _tell(result: str, reason: Reason) -> list[str]:
    """Return what a row may say of a result, from the result alone to all figures of its reason."""
    return [
        result,
        f"{result} {reason.code} {reason.stop}".strip(),
        f"{reason.strength} to {reason.against}",
        "by " + " and ".join(map(str, reason.units)),
        "with " + " and ".join(reason.powers),
    ]


def _tell_check(check: Check) -> str:
    parts = [f"{warning.code} {_list_units(warning.units)}" for warning in check.warnings]
    if check.reason and check.verdict != "good":
        parts.insert(0, f"{check.verdict} {check.reason.code}")
    parts += [f"try {write_order(order)}" for order in check.suggestions]
    return ", ".join(part.strip() for part in parts) or check.verdict


# -- what the rows check ---------------------------------------------------------------------------


def _check_judged(wanted: Any, outcome: Outcome) -> None:
    """Check results by unit, or those of all orders as they are listed."""
    if isinstance(wanted, list):
        found = zip(outcome.results, outcome.reasons, strict=True)
        for (entry, reason), text in zip(found, wanted, strict=True):
            _check_told(text, _tell(entry.result, reason))
        return
    for name, text in wanted.items():
        fates = outcome.fates(outcome.position.names[name])
        parts = text.split(", then ")
        assert len(parts) <= len(fates)
        told = [phrase for fate in fates for phrase in _tell(fate.result, fate.reason)]
        for part in parts:
            _check_told(part, told)


def _check_told(text: str, told: list[str]) -> None:
    assert set(text.split(", ")) <= set(told), f"{told} for {text!r}"


def _check_explained(wanted: Mapping[str, str], outcome: Outcome) -> None:
    names = outcome.position.names
    found = {
        name: ", ".join(str(step.fate.unit) for step in explain(outcome, names[name]))
        for name in wanted
    }
    assert found == wanted, found


def _list_options(position: Position, name: str) -> list[str]:
    """Return the legal orders of a unit or of a power, as text."""
    if name in position.board.powers:
        return [write_order(order) for order in legal_orders_of(position, name)]
    unit = next(unit for unit in position.orderable if position.name(unit) == name)
    return [write_order(order) for order in legal_orders(position, unit)]


def _check_row(row: Row) -> None:
    assert row.keys() & WANTED
    assert row.keys() <= GIVEN | WANTED
    position, orders = _read_row(row)
    if "judged" in row:
        _check_judged(row["judged"], adjudicate(position, orders))
    if "explained" in row:
        _check_explained(row["explained"], adjudicate(position, orders))
    if "left" in row:
        found = sorted(map(_name, adjudicate(position, orders).units))
        assert found == sorted(row["left"]), found
    if "picks" in row:
        picks = adjudicate(position, orders).picks
        for key, value in row["picks"].items():
            found = getattr(picks, key)
            assert (list(found) if isinstance(value, list) else found) == value, found
    if "checked" in row:
        checks = check_orders(position, orders)
        told = {f"{c.power} {write_order(c.order)}": _tell_check(c) for c in checks}
        assert told == row["checked"], told
    for power, rooms in row.get("rooms", {}).items():
        assert sorted(list_building_rooms(position, power)) == rooms
    for name, options in row.get("exactly", {}).items():
        assert sorted(_list_options(position, name)) == sorted(options)
        if position.phase.kind in ("movement", "retreats"):
            alone = {unit: legal_orders(position, unit) for unit in position.orderable}
            assert all_legal_orders(position) == alone
    if "offers" in row or "withholds" in row:
        found = _list_options(position, row.get("asks") or position.name(position.units[0]))
        assert set(row.get("offers", ())) <= set(found)
        for pattern in row.get("withholds", ()):
            assert not [text for text in found if fnmatchcase(text, pattern)], pattern


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.yaml")), ids=lambda path: path.stem)
def test_every_row_holds(path: Path) -> None:
    rows = {row["is"]: row for row in read_yaml(path)}
    assert len(rows) == len(read_yaml(path)), "a row is there twice"
    check_each([(name,) for name in rows], lambda name: _check_row(rows[name]))
