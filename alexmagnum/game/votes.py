"""Votes: what players ask for in a phase, which is to wait, to go on, or to end the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from alexmagnum.errors import GameError
from alexmagnum.game.records import VoteRow
from alexmagnum.game.state import Game

WAIT, READY, DRAW, CONCEDE = "wait", "ready", "draw", "concede"

_REPLACED = {WAIT: (WAIT, READY), READY: (WAIT, READY), DRAW: (DRAW,), CONCEDE: (CONCEDE,)}
"""The votes that each kind of vote replaces."""


def cast_vote(game: Game, power: str, kind: str, targets: Iterable[str] = ()) -> None:
    """Store a vote in the open phase; the journal says that there was one, not which.

    ``targets`` are the powers that share a draw, or the powers that the game is conceded to.

    Raises:
        GameError: no-such-power, game-is-over.
    """
    power, named = game.power(power), [game.power(target) for target in targets]
    with game.act("vote", power):
        head = game.head()
        if head.is_over:
            raise GameError("game-is-over")
        for other in _REPLACED[kind]:
            _remove(game, power, other)
        text = " ".join((kind, *(p for p in game.base.powers if p in named)))
        game.file.insert("votes", phase=head.name, power=power, vote=text, at=game.stamp())


def withdraw_vote(game: Game, power: str, kind: str) -> None:
    """Withdraw a vote in the open phase.

    Raises:
        GameError: no-such-power.
    """
    power = game.power(power)
    with game.act("vote", power):
        _remove(game, power, kind)


def _remove(game: Game, power: str, kind: str) -> None:
    game.file.delete(
        "votes",
        "phase = ? AND power = ? AND (vote = ? OR vote LIKE ?)",
        game.head().name,
        power,
        kind,
        f"{kind} %",
    )


def read_paces(game: Game, phase: str) -> Mapping[str, str]:
    """Return who asks to wait and who is ready, by power."""
    rows = game.file.select(VoteRow, "WHERE phase = ? ORDER BY vote", phase)
    return {row.power: row.vote for row in rows if row.vote in (WAIT, READY)}


def count_votes(game: Game, phase: str) -> Mapping[str, int]:
    """Return how many are for each end of the game; who they are stays secret."""
    rows = game.file.select(VoteRow, "WHERE phase = ? ORDER BY vote", phase)
    return dict(Counter(row.vote for row in rows if row.vote not in (WAIT, READY)))
