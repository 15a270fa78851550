"""Ending a game: seal it, write its final report, and tell every player."""

from __future__ import annotations

from dataclasses import dataclass

from alexmagnum.game.declared_ends import Declaration
from alexmagnum.game.desk import Desk
from alexmagnum.game.values import GameEnd
from alexmagnum.workflow.publish import Published, publish


@dataclass(frozen=True, slots=True)
class EndedGame:
    """A game that the game master ended, and what was published of it."""

    end: GameEnd
    published: Published


def end_game(desk: Desk, declared: Declaration, reason: str = "") -> EndedGame:
    """End the game as the game master declares, and publish the final report.

    ``undo_phase`` opens the game again and tells the players.

    Raises:
        GameError: ``game-is-over``, ``no-such-power``, ``end-needs-power``, ``end-power-out``;
            ``reports-unwritten`` if the game was ended and its files could not be written.
    """
    end = desk.end(declared, reason)
    return EndedGame(end, publish(desk, sends=True))
