"""Cities that touch each other, which the shipped map has none of (R26)."""

from __future__ import annotations

import json
from pathlib import Path

from alexmagnum.board import load_board
from alexmagnum.board.map_file import maps_folder
from alexmagnum.judge import adjudicate
from alexmagnum.notation import read_canonical
from alexmagnum.position import Phase, Position, Unit

CITIES = ("ILL", "EPI", "MAC")
"""Three provinces that touch each other."""


def test_attacks_that_chase_each_other_round_three_cities_end(tmp_path: Path) -> None:
    """Whether an attack beats its target can rest on itself; nobody is stronger, so all fail."""
    raw = json.loads((maps_folder() / "alexmagnum.json").read_text(encoding="utf-8"))
    raw["rules"]["major_city_capacity"] = 2
    for province in raw["provinces"]:
        if province["id"] in CITIES:
            province |= {"centre": "start", "major": True}
    (tmp_path / "three.json").write_text(
        json.dumps({k: v for k, v in raw.items() if k != "geometry"}), encoding="utf-8"
    )
    board = load_board(str(tmp_path / "three.json"))
    powers = dict(zip(CITIES, ("TOL", "SEL", "LIS"), strict=True))
    units = tuple(Unit(p, "A", city, number=n) for city, p in powers.items() for n in (1, 2))
    position = Position(board, Phase(318, "spring"), units)
    orders = {
        "TOL": ["A ILL#1 - EPI#2", "A ILL#2 - MAC#2"],
        "SEL": ["A EPI#1 - MAC#1", "A EPI#2 - ILL#1"],
        "LIS": ["A MAC#1 - EPI#1", "A MAC#2 - ILL#2"],
    }
    outcome = adjudicate(position, read_canonical(orders, position))

    assert {entry.result for entry in outcome.results} == {"fails"}
    assert set(outcome.units) == set(units)
