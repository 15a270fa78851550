"""Bots that fail, each in its own way, as users' bots may; plans name them ``own_bots:NAME``."""

import os
import sys
from collections.abc import Sequence
from random import Random
from typing import Any

from alexmagnum.bots import load_bot
from alexmagnum.orders import Hold, Move, Order
from alexmagnum.position import Position


class Sound:
    """Plays as *random* does."""

    name = "sound"

    def orders(self, position: Position, power: str, rng: Random) -> Sequence[Order]:
        return load_bot("random").orders(position, power, rng)


class Raising(Sound):
    """Raises in every movement phase."""

    def orders(self, position: Position, power: str, rng: Random) -> Any:
        if position.phase.kind == "movement":
            raise RuntimeError("I have no plan")
        return super().orders(position, power, rng)


class Leaving(Sound):
    """Tries to end the program."""

    def orders(self, position: Position, power: str, rng: Random) -> Any:
        sys.exit("enough")


class Interrupting(Sound):
    """Raises what Ctrl-C does."""

    def orders(self, position: Position, power: str, rng: Random) -> Any:
        raise KeyboardInterrupt("enough")


class Silent(Sound):
    """Returns nothing, rather than a list."""

    def orders(self, position: Position, power: str, rng: Random) -> Any:
        return None


class Texting(Sound):
    """Adds to its orders a text, and an order for a province that no map has."""

    def orders(self, position: Position, power: str, rng: Random) -> Any:
        orders = super().orders(position, power, rng)
        if position.phase.kind == "movement":
            return [*orders, "A PAR - BUR", Move("A PAR", "XYZ")]
        return orders


class Meddling(Sound):
    """Orders the units of all others to hold, as well as its own."""

    def orders(self, position: Position, power: str, rng: Random) -> Any:
        if position.phase.kind != "movement":
            return super().orders(position, power, rng)
        return [Hold(position.name(unit)) for unit in position.units]


class Endless(Sound):
    """Never answers in the second year."""

    def orders(self, position: Position, power: str, rng: Random) -> Any:
        while position.phase.year == 1902:
            pass
        return super().orders(position, power, rng)


class Crashing(Sound):
    """Ends its whole process in some games, as a fault in compiled code may."""

    def orders(self, position: Position, power: str, rng: Random) -> Any:
        if position.phase.year == 1902 and rng.random() < 0.1:
            os._exit(1)
        return super().orders(position, power, rng)


def make_counting() -> Any:
    """Return a bot that remembers how often it was asked, and orders nothing at first."""

    class Counting(Sound):
        asked = 0

        def orders(self, position: Position, power: str, rng: Random) -> Any:
            self.asked += 1
            return super().orders(position, power, rng) if self.asked > 1 else []

    return Counting()


not_a_bot = 3
