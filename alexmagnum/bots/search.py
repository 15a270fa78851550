"""The bot *search*: it plays its order sets on for a year against what the others may order.

Open this for how *search* decides.  Order sets of every power are drawn from *dumb*'s plans,
some steadier than others.  Regret matching over the batch judge says which of them the others will
rather give; then the power's own sets are played on, the better ones more often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random

from alexmagnum.bots.dumb import DumbBot
from alexmagnum.bots.movement_plan import STEADY, MovementPlan
from alexmagnum.bots.outlook import Outlook
from alexmagnum.bots.regret_matching import OrderSet, match_regrets
from alexmagnum.campaign import ending, next_position
from alexmagnum.judge import adjudicate
from alexmagnum.orders import Order
from alexmagnum.position import Position

_STEADINESS = (STEADY, 2.0, 0.7)
"""The steadiness of the plans that order sets are drawn from, in turn."""

_WIN, _LOSS = 30.0, -10.0
"""The worth of a game that ends, in centres."""
_UNIT = 0.1
"""The worth of a unit, in centres."""
_LEADER, _NEAR_VICTORY = 0.3, 10
"""The worth of keeping a rival from each centre above so many."""


class SearchBot:
    """A bot that looks a year ahead in movement phases; in all others it plays as *dumb*.

    ``sets``: how many of its own order sets it considers; ``replies``: how many sets of all others'
    orders each is tried against at most; ``years``: how far each is played on.
    """

    name = "search"

    def __init__(self, sets: int = 24, replies: int = 12, years: int = 1) -> None:
        self._sets, self._replies, self._years = sets, replies, years
        self._dumb = DumbBot()
        self._rollout = DumbBot()

    def orders(self, position: Position, power: str, rng: Random) -> Sequence[Order]:
        """Return a power's orders; see :class:`~alexmagnum.bots.bot.Bot`."""
        if position.phase.kind != "movement" or not _gives_orders(position, power):
            return self._dumb.orders(position, power, rng)
        outlook = self._dumb.look_at(position)
        own = draw_order_sets(outlook, power, rng, self._sets)
        if len(own) == 1:
            return own[0]
        return self._choose(position, power, own, self._draw_replies(outlook, power, rng), rng)

    def _draw_replies(self, outlook: Outlook, power: str, rng: Random) -> list[dict[str, OrderSet]]:
        """Return sets of orders of all other powers: half of *dumb*, half by regret matching."""
        position = outlook.position
        powers = [p for p in position.board.powers if _gives_orders(position, p)]
        drawn = {p: draw_order_sets(outlook, p, rng, self._replies) for p in powers}
        shares = match_regrets(outlook, drawn, rng)
        replies = []
        for i in range(self._replies):
            reply = {}
            for other in powers:
                if other != power:
                    weights = shares[other] if i % 2 else None
                    (reply[other],) = rng.choices(drawn[other], weights)
            replies.append(reply)
        return replies

    def _choose(
        self,
        position: Position,
        power: str,
        own: Sequence[OrderSet],
        replies: Sequence[Mapping[str, OrderSet]],
        rng: Random,
    ) -> OrderSet:
        """Return the order set that does best; those that begin badly are tried less often."""
        totals = [0.0] * len(own)
        left = list(range(len(own)))
        quarter, half = max(1, len(replies) // 6), max(2, len(replies) // 2)
        for first, last, kept in (
            (0, quarter, len(own)),
            (quarter, half, len(own) // 2),
            (half, len(replies), len(own) // 4),
        ):
            left = sorted(left, key=lambda i: -totals[i])[: max(2, kept)]
            for reply in replies[first:last]:
                seed = rng.getrandbits(32)  # the same chances for every set
                for i in left:
                    totals[i] += self._play_on(position, power, {**reply, power: own[i]}, seed)
        return own[max(left, key=lambda i: totals[i])]

    def _play_on(
        self, position: Position, power: str, orders: Mapping[str, Sequence[Order]], seed: int
    ) -> float:
        """Return what some orders are worth to a power after a year of *dumb* for everybody."""
        rng = Random(seed)
        year = position.phase.year
        while True:
            outcome = adjudicate(position, orders)
            following = next_position(outcome)
            if following is None:
                end = ending(outcome)
                return _WIN if end is not None and power in end.winners else _LOSS
            position = following
            years = abs(position.phase.year - year)
            if years >= self._years and position.phase.kind == "movement":
                return _value_position(position, power)
            orders = {
                p: self._rollout.orders(position, p, rng)
                for p in position.board.powers
                if not position.in_revolt(p)
            }


def draw_order_sets(outlook: Outlook, power: str, rng: Random, count: int) -> list[OrderSet]:
    """Return different order sets of a power for a movement phase, at most ``count``."""
    drawn = (
        MovementPlan(outlook, power, rng, _STEADINESS[i % len(_STEADINESS)]).list_orders()
        for i in range(count)
    )
    return list(dict.fromkeys(map(tuple, drawn)))


def _gives_orders(position: Position, power: str) -> bool:
    return bool(position.units_of(power)) and not position.in_revolt(power)


def _value_position(position: Position, power: str) -> float:
    """Return what a position is worth to a power, in centres."""
    centres = Counter(position.owners.values())
    strongest = max((count for p, count in centres.items() if p != power), default=0)
    units = sum(unit.power == power for unit in position.units)
    return centres[power] + _UNIT * units - _LEADER * max(0, strongest - _NEAR_VICTORY)
