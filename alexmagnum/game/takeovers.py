"""Players who took over a power, bots included, and the phases that were over by then.

The journal tells: its entries have an order even where two have the same instant.
"""

from __future__ import annotations

import json

from alexmagnum.game.records import JournalRow
from alexmagnum.game.state import Game


def find_takeover(game: Game, power: str) -> int:
    """Return the entry of the journal by which the player of a power took it over, 0 for a player
    who has had it since the game began."""
    # One query for all powers: it is remembered, and letters ask for every power.
    rows = game.file.select(
        JournalRow, "WHERE action IN ('player-replace', 'player-set') ORDER BY id DESC"
    )
    for row in rows:
        if row.power != power:
            continue
        if row.action == "player-replace":
            return row.id
        if json.loads(row.detail).get("begins") == "later":
            return row.id
    return 0


def took_over_after(game: Game, power: str, phase: str) -> bool:
    """Return whether the player of a power took it over when a phase had been resolved already."""
    takeover = find_takeover(game, power)
    if not takeover:
        return False
    resolved = game.file.find(
        JournalRow,
        "WHERE phase = ? AND action IN ('process', 'redo') ORDER BY id DESC LIMIT 1",
        phase,
    )
    return resolved is not None and resolved.id < takeover


def find_last_change_of_players(game: Game) -> str:
    """Return when the name of a player or who orders for a power changed last, "" if never.

    The orders of a player end what a bot stood in for, too.
    """
    row = game.file.find(
        JournalRow,
        """WHERE action IN ('player-set', 'player-replace', 'player-bot', 'player-back')
           OR (action IN ('submit', 'clear') AND detail LIKE '%"back_from"%')
           ORDER BY id DESC LIMIT 1""",
    )
    return row.at if row else ""


def find_power_of_act(game: Game, act: int) -> str:
    """Return the power that an entry of the journal is about, "" for none."""
    row = game.file.find(JournalRow, "WHERE id = ?", act)
    return row.power if row else ""
