"""Press: messages that players send each other through the game."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from alexmagnum.errors import GameError
from alexmagnum.game.file import to_json
from alexmagnum.game.records import PressRow, read_texts
from alexmagnum.game.state import Game
from alexmagnum.game.values import Press

HELD, RELAYED, PUBLISHED, DROPPED = "held", "relayed", "published", "dropped"
SIGNED, ANONYMOUS = "signed", "anonymous"
ALL, MASTER = "all", "gm"
"""Readers who are not a power: all players, and the game master."""


def store_press(
    game: Game,
    power: str,
    readers: Sequence[str],
    manner: str,
    text: str,
    state: str,
    message: int | None,
) -> int:
    """Store what a power wrote in the open phase, in an open transaction; return its number."""
    return game.file.insert(
        "press",
        phase=game.head().name,
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
    """Return what was written in a phase or in all, oldest first, in some states or in any."""
    rows = game.file.select(PressRow, "WHERE (?1 IS NULL OR phase = ?1) ORDER BY id", phase)
    return tuple(_make_press(row) for row in rows if not states or row.state in states)


def _make_press(row: PressRow) -> Press:
    return Press(
        id=row.id,
        phase=row.phase,
        sender=row.sender,
        readers=read_texts(row.readers),
        manner=row.manner,
        text=row.text,
        state=row.state,
        written=row.written,
    )


def publish_press(game: Game, phase: str) -> None:
    """Publish in the report of a phase what was held for it."""
    game.file.change(
        "press",
        "UPDATE press SET state = ? WHERE phase = ? AND state = ?",
        PUBLISHED,
        phase,
        HELD,
    )


def drop_press(game: Game, number: int, reason: str) -> Press:
    """Keep a message out of the report, and return it.

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
