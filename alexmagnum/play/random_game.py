"""Playing whole games phase by phase, with the random player or others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from alexmagnum.board.model import Board
from alexmagnum.bots.random_player import random_orders
from alexmagnum.campaign import Ending, ending, first_position, next_position
from alexmagnum.judge import Outcome, adjudicate
from alexmagnum.orders import Order
from alexmagnum.play.broken_invariant import blame_phase
from alexmagnum.position import Position

LONG_ENOUGH = 20
"""The years that are played on a map without a last year (R34)."""


@dataclass(frozen=True, slots=True)
class PlayedPhase:
    """A phase that was played: its orders by power, its outcome, and the next position.

    ``after`` is the position before the next phase, None if the game is over.
    """

    orders: Mapping[str, Sequence[Order]]
    outcome: Outcome
    after: Position | None

    @property
    def position(self) -> Position:
        """The position before the phase."""
        return self.outcome.position

    @property
    def ending(self) -> Ending | None:
        """The ending of the game with this phase; None if the game goes on."""
        return ending(self.outcome)


GiveOrders = Callable[[Position, Random], Mapping[str, Sequence[Order]]]
"""Returns the orders of all powers for a phase, drawn from a generator."""


def play_game(
    board: Board, seed: int, *, years: int = 0, give_orders: GiveOrders = random_orders
) -> Iterator[PlayedPhase]:
    """Play a game from its first phase on; the seed alone decides what happens.

    The game lasts until it is over (R33, R34) or ``years`` are played; with 0 the map decides, and
    on a map without a last year 20 years are played.

    Raises:
        BrokenInvariantError: a phase could not be resolved.
    """
    rng = Random(seed)
    if not years and not board.rules.last_year:
        years = LONG_ENOUGH
    position: Position | None = first_position(board)
    first = board.rules.first_year
    while position is not None and not 0 < years <= abs(position.phase.year - first):
        orders = give_orders(position, rng)
        with blame_phase(seed, position, orders):
            outcome = adjudicate(position, orders)
            played = PlayedPhase(orders, outcome, next_position(outcome))
        yield played
        position = played.after
