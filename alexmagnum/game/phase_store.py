"""The row of a phase with its position, stored when the phase begins.

Open this for the tables that repeat a position row by row, for people who read the file.
"""

from __future__ import annotations

from alexmagnum.game.records import OVER, PhaseRow
from alexmagnum.game.state import Game, digest, position_json
from alexmagnum.position import Position


def create_phase(
    game: Game,
    position: Position,
    parent: int | None,
    *,
    rules: str | None = None,
    over: bool = False,
    previous_deadline: str = "",
) -> PhaseRow:
    """Store a phase with its position, and return it.

    ``rules`` are the switches of the position's board, if that board is one of the game's own: then
    nobody has to read the position back.  The previous deadline stands in for the phase's own until
    its clock is started.
    """
    phase = position.phase
    key = game.file.insert(
        "phases",
        parent=parent,
        name="" if over else str(phase),
        kind=OVER if over else phase.kind,
        year=phase.year,
        season=phase.season,
        state="open",
        opened=game.stamp(),
        deadline=previous_deadline,
    )
    text = position_json(position)
    game.file.insert("positions", phase=key, data=text, digest=digest(text))
    _list_position(game, key, position)
    if rules is not None:
        game.remember_position(key, rules, position)
    return game.phase_row(key)


def _list_position(game: Game, phase: int, position: Position) -> None:
    """Store the position once more in tables, for people who read the file."""
    standing = [(unit, "", "") for unit in position.units]
    dislodged = [(d.unit, str(d.by), ", ".join(d.retreats)) for d in position.dislodged]
    game.file.insert_all(
        "units",
        [
            {
                "phase": phase,
                "power": unit.power,
                "kind": unit.kind,
                "province": unit.province,
                "coast": unit.coast,
                "number": unit.number,
                "dislodged_by": by,
                "retreats": retreats,
            }
            for unit, by, retreats in standing + dislodged
        ],
    )
    game.file.insert_all(
        "centres",
        [
            {"phase": phase, "centre": centre, "power": position.owners[centre]}
            for centre in position.board.centres
            if centre in position.owners
        ],
    )
    game.file.insert_all(
        "nobility",
        [
            {"phase": phase, "power": power, "points": points}
            for power, points in position.nobility.items()
        ],
    )
