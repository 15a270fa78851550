"""The end of a game: by the rules (R33, R34), or because the game master declared it.

Nothing here imports the judge unless the rules ended the game, so that ``status`` answers at once.
"""

from __future__ import annotations

from alexmagnum.game.records import OVER, EndingRow, read_texts
from alexmagnum.game.state import Game
from alexmagnum.game.values import GameEnd


def read_end(game: Game) -> GameEnd | None:
    """Return how the game ended, None if it goes on."""
    head = game.head()
    if not head.is_over:
        return None
    row = game.file.find(EndingRow, "WHERE phase = ?", head.id)
    if row is not None:
        return GameEnd(row.kind, read_texts(row.powers), row.reason)
    # Imported late: only a game that the rules ended needs the judge.
    from alexmagnum.campaign import ending
    from alexmagnum.game.outcome_store import find_outcome_of

    line = game.line()
    end = ending(find_outcome_of(game, line[-1])) if line else None
    if end is None:
        return None
    return GameEnd("centres" if end.by_centres else "nobility", end.winners)


def has_been_over(game: Game) -> bool:
    """Return whether the game is over, or was until an undo opened it again."""
    return any(phase.kind == OVER for phase in game.phases())
