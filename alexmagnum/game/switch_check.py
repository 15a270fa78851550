"""The check that a game can go on with other switches of the rules, from one of its phases."""

from __future__ import annotations

from collections.abc import Mapping

from alexmagnum.board.soundness import calendar_faults, start_faults
from alexmagnum.campaign import first_position
from alexmagnum.cases.schema_writer import canonical
from alexmagnum.errors import BadPosition, BadSwitches
from alexmagnum.game.settings import RULES
from alexmagnum.game.state import Game


def check_switches(game: Game, phase: int, rules: str, changed: Mapping[str, str]) -> None:
    """Refuse changed switches with which the game could not be played from a phase on.

    Where the phase is the start of its map, no power may have won there. Later, and in a game
    taken over, the game master may end the game by fewer centres.

    Raises:
        BadSwitches: setting-breaks-game: the units could not stand where they do, the years would
            never reach the last one, or the game would be won before it begins.
    """
    names = ", ".join(f"{RULES}{name} = {value}" for name, value in changed.items())
    try:
        position = game.position(phase, rules)
    except BadPosition as error:
        raise BadSwitches("setting-breaks-game", names, error.faults) from None
    board = position.board
    at_start = position == canonical(first_position(board))
    faults = tuple(start_faults(board) if at_start else calendar_faults(board))
    if faults:
        raise BadSwitches("setting-breaks-game", names, faults)
