"""Counts of legal orders and outcomes, recorded as an oracle against unintended changes.

``positions.yaml`` has the positions, ``counts.json`` the figures, which

    python -m tests.perft --record

writes anew: look at the difference before it is kept.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from alexmagnum.cases.files import resolve_turn, turn_of
from alexmagnum.position import Position
from alexmagnum.whatif.perft import Choice, choices, joint_sets, perft
from tests.case_library import read_yaml

COUNTS = Path(__file__).with_name("counts.json")
LIMIT = 20_000  # joint order sets up to which outcomes are counted

Figures = Mapping[str, Any]


def load_positions() -> dict[str, Position]:
    """Return the positions by their ids."""
    path = Path(__file__).with_name("positions.yaml")
    turns = {turn["id"]: turn_of(turn, str(path)) for turn in read_yaml(path)["positions"]}
    return {id_: resolve_turn(turn).position for id_, turn in turns.items()}


def load_recorded() -> dict[str, Figures]:
    """Return the figures kept for each position."""
    found: dict[str, Figures] = json.loads(COUNTS.read_text(encoding="utf-8"))
    return found


def count_figures(position: Position) -> Figures:
    """Count orders by kind and joint order sets; in a small position also their outcomes."""
    found = choices(position)
    counted: dict[str, Any] = {
        "orders": {_name_choice(choice, position): _format_kinds(choice) for choice in found},
        "sets": joint_sets(found),
    }
    if counted["sets"] <= LIMIT:
        tally = perft(position)
        counted["outcomes"] = len(tally.states)
        counted["results"] = dict(sorted(tally.results.items()))
        counted["losses"] = {kind: count for kind, count in sorted(tally.losses.items()) if count}
    return counted


def _name_choice(choice: Choice, position: Position) -> str:
    return f"{choice.power} {position.name(choice.unit)}" if choice.unit else choice.power


def _format_kinds(choice: Choice) -> str:
    return ", ".join(f"{kind} {count}" for kind, count in sorted(choice.kinds.items()))
