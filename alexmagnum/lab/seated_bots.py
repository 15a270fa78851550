"""The bots of one game: asked for orders phase by phase, and caught when they fail.

A bot that raises, takes too long or answers nonsense forfeits its orders: its units hold, or fall
under civil disorder, and the game goes on.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from random import Random
from typing import Any

from alexmagnum.bots import Bot
from alexmagnum.errors import BadOrders
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.judge.outcome import ILLEGAL, Outcome
from alexmagnum.judge.reason_text import format_reason
from alexmagnum.judge.validation import list_orders
from alexmagnum.judge.winter import count_adjustments
from alexmagnum.lab.bot_loading import is_own, make_bot
from alexmagnum.lab.time_limit import NoAnswerError, TimeLimit
from alexmagnum.notation import write_order
from alexmagnum.orders import Order
from alexmagnum.position import Position

_LONGEST = 200
"""The length of a fault's text."""

_ADDRESS = re.compile(r"0x[0-9a-fA-F]{6,}")
"""Where Python keeps a value: another text in every run."""


class SeatedBots:
    """The bots of one game by power.

    ``forfeits`` counts by power the orders that did not count, ``faults`` has the first fault of
    each in words.  ``seed``: that of the game.
    """

    def __init__(self, seats: Mapping[str, str], seed: int, turn_seconds: float) -> None:
        self.forfeits: Counter[str] = Counter()
        self.faults: dict[str, str] = {}
        self._seed = seed
        self._limit = TimeLimit(turn_seconds)
        self._bots: dict[str, Bot] = {
            power: make_bot(name) if is_own(name) else _keep_bot(name)
            for power, name in seats.items()
        }
        self._own = {power for power, name in seats.items() if is_own(name)}

    @property
    def seconds(self) -> float:
        """The processor time that users' own bots have used."""
        return self._limit.used

    def close(self) -> None:
        """End the thread of users' own bots."""
        self._limit.close()

    def give_orders(self, position: Position, rng: Random) -> dict[str, Sequence[Order]]:
        """Return the orders of all powers that have any to give in a phase.

        Each power draws from a generator of its own for each phase: what one bot draws changes
        nothing for the others, nor for later phases.
        """
        orders: dict[str, Sequence[Order]] = {}
        for power in list_askable(position):
            listed = self._ask(position, power)
            if listed:
                orders[power] = listed
        return orders

    def note_illegal(self, outcome: Outcome) -> None:
        """Count the orders of a phase that the judge found illegal."""
        for number, entry in enumerate(outcome.results):
            if entry.result == ILLEGAL and entry.power in self._bots:
                self.forfeits[entry.power] += 1
                if entry.power not in self.faults:
                    reason = outcome.reasons[number]
                    why = format_reason(reason, outcome.position, load_sentences("en"))
                    self._blame(entry.power, outcome.position, f"{write_order(entry.order)}: {why}")

    def _ask(self, position: Position, power: str) -> Sequence[Order]:
        """Return what a bot answers, as far as it can count."""
        bot, rng = self._bots[power], draw_generator(self._seed, position, power)
        try:
            if power in self._own:
                answer: Any = self._limit.call(bot.orders, position, power, rng)
            else:
                answer = bot.orders(position, power, rng)
        except NoAnswerError as error:
            return self._forfeit(power, position, str(error))
        # Broad on purpose: a bot may fail in any way, and the game goes on.
        except (Exception, SystemExit) as error:
            return self._forfeit(power, position, f"{type(error).__name__}: {error}")
        return self._keep_orders(position, power, answer)

    def _keep_orders(self, position: Position, power: str, answer: Any) -> Sequence[Order]:
        """Return the entries of an answer that are orders of this map."""
        try:
            kept: Sequence[Order] = list_orders(position, {power: answer})[power]
            return kept
        except BadOrders as error:
            if not isinstance(answer, (list, tuple)):
                kind = type(answer).__name__
                return self._forfeit(power, position, f"the answer is no list but {kind}")
            first = error.faults[0]
            text = load_sentences("en").format(first.code, **first.data)
            kept = [entry for entry in answer if _is_order(position, power, entry)]
            self._forfeit(power, position, text, len(answer) - len(kept))
            return kept
        # A list of a class of its own can do anything.
        except Exception as error:
            return self._forfeit(power, position, f"{type(error).__name__}: {error}")

    def _forfeit(
        self, power: str, position: Position, text: str, orders: int = 1
    ) -> Sequence[Order]:
        """Count orders that are lost, remember why, and return no orders."""
        self.forfeits[power] += orders
        self._blame(power, position, text)
        return ()

    def _blame(self, power: str, position: Position, text: str) -> None:
        line = " ".join(_ADDRESS.sub("0x...", text).split())
        self.faults.setdefault(power, f"{position.phase}: {line}"[:_LONGEST])


def _is_order(position: Position, power: str, entry: Any) -> bool:
    """Tell whether an entry of an answer is an order that the judge can read."""
    try:
        list_orders(position, {power: [entry]})
    except BadOrders:
        return False
    return True


@cache
def _keep_bot(name: str) -> Bot:
    """Return a bot of the package; one serves all games of a process, and keeps its figures."""
    return make_bot(name)


def list_askable(position: Position) -> list[str]:
    """Return the powers that have orders to give in a phase."""
    powers = [power for power in position.board.powers if not position.in_revolt(power)]
    kind = position.phase.kind
    if kind == "movement":
        acting = {unit.power for unit in position.units}
    elif kind == "retreats":
        acting = {dislodged.unit.power for dislodged in position.dislodged}
    elif kind == "winter":
        acting = {power for power, due in count_adjustments(position).items() if due}
    else:
        return powers
    return [power for power in powers if power in acting]


def draw_generator(seed: int, position: Position, power: str) -> Random:
    """Return the random numbers of a power for a phase of a game."""
    text = f"{seed}/{position.phase}/{power}".encode()
    return Random(int.from_bytes(hashlib.sha256(text).digest()[:8], "big"))
