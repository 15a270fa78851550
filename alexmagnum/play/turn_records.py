"""Writing the phases of a game as turn files, reading them back, and comparing the two."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from alexmagnum.cases.case_files import read_turn
from alexmagnum.cases.resolution import Resolution, resolve_turn
from alexmagnum.cases.schema_writer import turn_text
from alexmagnum.play.invariants import compare_outcomes
from alexmagnum.play.random_game import PlayedPhase
from alexmagnum.position import Position


def write_turn(path: Path, played: PlayedPhase, map_name: str = "") -> None:
    """Write the position before a phase and its orders as a turn file.

    ``map_name`` is the name of the map in the file; by default it is the id of the board.
    """
    text = turn_text(played.position, played.orders, map_name=map_name)
    path.write_text(text, encoding="utf-8", newline="\n")


def replay_turn(path: Path) -> Resolution:
    """Read a turn file and adjudicate it."""
    return resolve_turn(read_turn(path))


def find_differences(read: Resolution, played: PlayedPhase) -> Iterator[str]:
    """Yield how a turn file differs from the phase that was written to it."""
    for name, wrote, got in _comparable(played.position, read.position):
        if wrote != got:
            yield f"{name} read back otherwise from the turn file"
    if read.orders != {power: list(orders) for power, orders in played.orders.items()}:
        yield "the orders read back otherwise from the turn file"
    yield from compare_outcomes(played.outcome, read.outcome, "adjudicated from the turn file")


def _comparable(wrote: Position, read: Position) -> Iterator[tuple[str, object, object]]:
    """Yield what two positions must have in common, however it is listed."""
    yield "the map", wrote.board.id, read.board.id
    yield "the rules", wrote.board.rules, read.board.rules
    yield "the phase", wrote.phase, read.phase
    yield "the units", set(wrote.units), set(read.units)
    yield "the owners", dict(wrote.owners), dict(read.owners)
    yield "the homes", _homes(wrote), _homes(read)
    yield "the nobility", _points(wrote), _points(read)
    yield "the dislodged", set(wrote.dislodged), set(read.dislodged)


def _homes(position: Position) -> dict[str, set[str]]:
    return {power: set(homes) for power, homes in position.homes.items() if homes}


def _points(position: Position) -> dict[str, int]:
    start = position.board.rules.nobility
    return {power: position.nobility.get(power, start) for power in position.board.powers}
