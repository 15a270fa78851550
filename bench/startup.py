"""The commands whose start-up is measured."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.positions import Sample

TURN = Path(__file__).parent.parent / "orders" / "turn.yaml"
"""The sample turn on the alexmagnum map; its orders are in the text files in the same folder."""


@contextmanager
def list_commands(sample: Sample) -> Iterator[dict[str, list[str]]]:
    """Yield the commands by label; the first is the bare interpreter, the base for the others."""
    command = str(Path(sys.executable).with_name("alexmagnum"))
    with tempfile.TemporaryDirectory() as folder:
        turn = Path(folder, "turn.json")
        turn.write_text(json.dumps(turn_of(sample)), "utf-8")
        commands = {
            "python -c pass": [sys.executable, "-c", "pass"],
            "alexmagnum --version": [command, "--version"],
            "alexmagnum --help": [command, "--help"],
            "adjudicate, standard game": [command, "adjudicate", str(turn)],
        }
        if TURN.exists():
            orders = map(str, sorted(TURN.parent.glob("*.txt")))
            commands["adjudicate, sample turn"] = [command, "adjudicate", str(TURN), *orders]
        yield commands


def turn_of(sample: Sample) -> dict[str, object]:
    """Return a sample as the data of a turn file."""
    units: dict[str, list[str]] = {}
    for unit, power in sample.units.items():
        units.setdefault(power, []).append(unit)
    return {"map": "standard", "phase": "spring_moves", "units": units, "orders": sample.lines}
