"""Build the shelf of examples of the sandbox from the rulebook and the DATC cases.

    python -m tools.build_examples

writes ``alexmagnum/report/templates/examples.json``: by map the position with which its sandbox
opens, and the examples, each with its group, its title and the text of its table.  A test fails as
long as the file and its sources differ.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from alexmagnum.board import load_board
from alexmagnum.campaign import first_position
from alexmagnum.cases.files import Case
from alexmagnum.cli.turns import read_turn_orders
from alexmagnum.errors import AlexMagnumError
from alexmagnum.notation import read_order, write_order
from alexmagnum.orders import Order
from alexmagnum.position import Position
from alexmagnum.report.sheet import SharedTable, write_table_text
from tests.case_library import cases_in
from tests.test_rulebook import AN_ORDER, EXAMPLES, Example
from tools.pictures import sample_turn

FILE = Path(__file__).parents[1] / "alexmagnum" / "report" / "templates" / "examples.json"

_FIRST_MOVES = {
    "Austria": "A VIE - GAL; A BUD - SER; F TRI - ALB",
    "England": "F LON - NTH; F EDI - NWG; A LVP - YOR",
    "France": "A PAR - BUR; A MAR - SPA; F BRE - MAO",
    "Germany": "A MUN - BUR; A BER - KIE; F KIE - DEN",
    "Italy": "A VEN - TRI; A ROM - APU; F NAP - ION",
    "Russia": "A WAR - GAL; A MOS - UKR; F SEV - BLA; F STP/SC - BOT",
    "Turkey": "A CON - BUL; A SMY - CON; F ANK - BLA",
}
"""Usual first moves on the standard map, some of which bounce."""


def build_examples() -> str:
    """Return the content of the file."""
    datc = [_describe_case(case) for case in cases_in("datc")]
    rules = [text for example in EXAMPLES if (text := _describe_example(example))]
    shelves = {
        "alexmagnum": {"opening": _write_table(*sample_turn()), "examples": rules},
        "standard": {"opening": _write_first_moves(), "examples": datc},
    }
    return json.dumps(shelves, ensure_ascii=False, indent=0) + "\n"


def _describe_case(case: Case) -> list[str]:
    read = read_turn_orders(case.turn)
    phase = replace(read.position.phase, year=read.position.phase.year or 1901)
    position = replace(read.position, phase=phase)
    return ["datc", f"{case.id} {case.title}", _write_table(position, read.orders)]


def _describe_example(example: Example) -> list[str]:
    """Return an example of the rulebook, empty for one that is no phase of movement."""
    orders: dict[str, list[Order]] = {}
    try:
        position = example.position
        for line in example.lines:
            if AN_ORDER.fullmatch(line.text) and " " in line.text[2:]:
                orders.setdefault(line.power, []).append(
                    read_order(line.text, position, line.power)
                )
    except AlexMagnumError:
        return []
    title = f"{example.ruling}: {example.lines[0].text}".removeprefix(": ")
    return ["rules", title, _write_table(position, orders)]


def _write_first_moves() -> str:
    start = first_position(load_board("standard"))
    orders = {
        power: [read_order(text, start, power) for text in texts.split("; ")]
        for power, texts in _FIRST_MOVES.items()
    }
    return _write_table(start, orders)


def _write_table(position: Position, orders: Mapping[str, Iterable[Order]]) -> str:
    written = {power: tuple(map(write_order, listed)) for power, listed in orders.items()}
    return write_table_text(SharedTable(position.to_text(), written))


if __name__ == "__main__":
    FILE.write_text(build_examples(), encoding="utf-8")
    print(f"Written: {FILE}")
