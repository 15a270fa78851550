"""The open phase: its position, the orders that count now, and what is still missing.

Open this to see on what a phase waits.  Nothing here adjudicates it;
:mod:`alexmagnum.game.resolution` does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from alexmagnum.game.required_orders import (
    find_automatic_orders,
    find_missing_orders,
    join_orders,
)
from alexmagnum.game.state import Game
from alexmagnum.game.stored_orders import (
    Inputs,
    find_bot_submission,
    find_last_submissions,
    parse_inputs,
    read_inputs,
    require_open_phase,
)
from alexmagnum.orders import Order
from alexmagnum.position import Position


@dataclass(frozen=True, slots=True)
class OpenPhase:
    """The open phase with what was sent for it: ``orders`` as read, ``added`` by house rules,
    ``lacking`` what is still missing by power; nothing is where a bot has given orders."""

    position: Position
    settings: Mapping[str, str]
    inputs: Mapping[str, Inputs]
    orders: Mapping[str, tuple[Order, ...]]
    added: Mapping[str, tuple[Order, ...]]
    lacking: Mapping[str, tuple[str, ...]]

    @property
    def counted(self) -> dict[str, tuple[Order, ...]]:
        """Return every order that would count now, by power."""
        return join_orders(self.orders, self.added)


def read_open_phase(game: Game) -> OpenPhase:
    """Return the open phase as it is now.

    Raises:
        GameError: game-is-over.
    """
    head = require_open_phase(game)
    position, settings = game.position(head.id), game.settings()
    inputs = read_inputs(game, head.id)
    orders = parse_inputs(position, inputs)
    added = find_automatic_orders(position, settings, orders)
    answered = {
        power
        for power, row in find_last_submissions(game, head.id).items()
        if find_bot_submission(game, row) is not None
    }
    lacking = {
        power: things
        for power, things in find_missing_orders(position, join_orders(orders, added)).items()
        if power not in answered
    }
    return OpenPhase(position, settings, inputs, orders, added, lacking)
