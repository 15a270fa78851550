"""Votes: what players ask for in a phase, which is to wait, to go on, or to end the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from alexmagnum.errors import GameError
from alexmagnum.game.players import read_players
from alexmagnum.game.records import VoteRow
from alexmagnum.game.required_orders import find_active_powers
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


# -- the end of the game ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Agreement:
    """An end of the game that everybody with a vote wants: a draw among ``powers``, or a concession
    to the one power in ``powers``."""

    kind: str
    powers: tuple[str, ...]

    @property
    def error(self) -> str:
        """The code of the refusal to play on without a decision."""
        return f"{self.kind}-agreed"

    def __str__(self) -> str:
        return " ".join((self.kind, *self.powers))


def list_voters(game: Game) -> tuple[str, ...]:
    """Return the powers that have a vote on the end of the game, in the map's order.

    A power has one while it gives orders (it is neither eliminated nor in revolt) and a person
    plays it; a bot agrees with whatever the people want.  In a game without any player every power
    that gives orders has one.
    """
    active = find_active_powers(game.position(game.head().id))
    played = read_players(game)
    people = {player.power for player in played if not player.is_bot}
    return tuple(power for power in active if power in people) if played else active


def count_votes(game: Game, phase: str) -> Mapping[str, int]:
    """Return how many of the voters are for each end of the game; who they are stays secret."""
    return dict(Counter(str(vote) for vote in _read_end_votes(game, phase)))


def find_agreement(game: Game) -> Agreement | None:
    """Return the end of the game that all voters of the open phase agree on, None if there is none.

    A draw is agreed on if every voter wants it among the same powers; a vote that names none means
    all voters.  A game is conceded if every voter but the power itself concedes to it.
    """
    head = game.head()
    votes = () if head.is_over else _read_end_votes(game, head.name)
    if not votes:
        return None
    voters = list_voters(game)
    draws = [vote.powers or voters for vote in votes if vote.kind == DRAW]
    if len(draws) == len(voters) and len(set(draws)) == 1:
        return Agreement(DRAW, draws[0])
    for power in game.base.powers:
        if _is_conceded_to(power, voters, votes):
            return Agreement(CONCEDE, (power,))
    return None


def _is_conceded_to(power: str, voters: Sequence[str], votes: Sequence[_EndVote]) -> bool:
    """Tell whether every voter but a power concedes to that power."""
    conceding = {v.power for v in votes if v.kind == CONCEDE and v.powers == (power,)}
    others = set(voters) - {power}
    return bool(others) and others <= conceding


@dataclass(frozen=True, slots=True)
class _EndVote:
    """A voter's vote on the end of the game."""

    power: str
    kind: str
    powers: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join((self.kind, *self.powers))


def _read_end_votes(game: Game, phase: str) -> tuple[_EndVote, ...]:
    """Return the votes of voters on the end of the game."""
    rows = game.file.select(VoteRow, "WHERE phase = ? ORDER BY vote", phase)
    voters = list_voters(game) if rows else ()
    split = [(row.power, *row.vote.split()) for row in rows if row.power in voters]
    return tuple(
        _EndVote(power, kind, tuple(powers))
        for power, kind, *powers in split
        if kind in (DRAW, CONCEDE)
    )
