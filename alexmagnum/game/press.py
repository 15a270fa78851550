"""Press: what players write to each other through the game."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence

from alexmagnum.errors import GameError
from alexmagnum.game.file import Row, to_json
from alexmagnum.game.state import Game
from alexmagnum.game.values import Press

HELD, RELAYED, PUBLISHED, DROPPED = "held", "relayed", "published", "dropped"
SIGNED, ANONYMOUS = "signed", "anonymous"
ALL, MASTER = "all", "gm"
"""Readers who are no power."""


def store_press(
    game: Game,
    power: str,
    readers: Sequence[str],
    manner: str,
    text: str,
    state: str,
    message: int | None,
) -> int:
    """Keep what a power wrote in the open phase; a transaction is open: its number."""
    return game.file.insert(
        "press",
        phase=game.head()["name"],
        sender=power,
        readers=to_json(list(readers)),
        manner=manner,
        text=text,
        message=message,
        state=state,
        written=game.stamp(),
    )


def read_press(
    game: Game, phase: str | None = None, states: Collection[str] = ()
) -> tuple[Press, ...]:
    """What was written in a phase (in all of them), oldest first; in some states, or any."""
    rows = game.file.rows("SELECT * FROM press WHERE (?1 IS NULL OR phase = ?1) ORDER BY id", phase)
    return tuple(_press(row) for row in rows if not states or row["state"] in states)


def _press(row: Row) -> Press:
    return Press(
        row["id"],
        row["phase"],
        row["sender"],
        tuple(json.loads(row["readers"])),
        row["manner"],
        row["text"],
        row["state"],
        row["written"],
    )


def publish_press(game: Game, phase: str) -> None:
    """What was held for a phase stands in its report from now on."""
    game.file.db.execute(
        "UPDATE press SET state = ? WHERE phase = ? AND state = ?", [PUBLISHED, phase, HELD]
    )


def drop_press(game: Game, number: int, reason: str) -> Press:
    """Keep a piece out of the report.

    Raises:
        GameError: no-press.
    """
    with game.act("press-drop", reason=reason) as note:
        found = [piece for piece in read_press(game, states=(HELD,)) if piece.id == number]
        if not found:
            raise GameError("no-press", number=str(number))
        note.power, note.phase = found[0].sender, found[0].phase
        note.detail["press"] = number
        game.file.update("press", number, state=DROPPED)
    return found[0]
