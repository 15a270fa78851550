"""What must hold after every phase, whatever was ordered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain

from alexmagnum.campaign import eliminated
from alexmagnum.errors import NotationError
from alexmagnum.judge import Outcome, adjudicate
from alexmagnum.notation import read_order, write_order
from alexmagnum.orders import Order
from alexmagnum.play import movement_checks, power_checks, unit_checks
from alexmagnum.play.broken_invariant import BrokenInvariantError, blaming
from alexmagnum.play.random_game import PlayedPhase

Check = Callable[[PlayedPhase], Iterator[str]]

CHECKS: tuple[Check, ...] = (
    unit_checks.sound,
    unit_checks.room,
    unit_checks.balance,
    unit_checks.whereabouts,
    unit_checks.garrisons,
    unit_checks.revolts,
    movement_checks.passages,
    movement_checks.losses,
    movement_checks.retreats,
    power_checks.centres,
    power_checks.nobility,
    power_checks.upkeep,
    power_checks.builds,
    power_checks.calendar,
)
"""Everything that can be said of one phase by itself."""


class InvariantChecker:
    """Watches one game: every phase by itself, and what holds from phase to phase."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._out: set[str] = set()

    def check(self, played: PlayedPhase) -> None:
        """Look at the phase just played; call it for every phase of a game, in order.

        Raises:
            BrokenInvariantError: something is wrong.
        """
        with blaming(self.seed, played.position, played.orders):
            every = [check(played) for check in CHECKS]
            found = chain(*every, self._eliminated(played), listing(played), notation(played))
            self.refuse(played, tuple(found))

    def refuse(self, played: PlayedPhase, faults: tuple[str, ...]) -> None:
        """Raise what is wrong with a phase, if anything is.

        Raises:
            BrokenInvariantError: there are faults.
        """
        if faults:
            raise BrokenInvariantError(self.seed, played.position, played.orders, faults)

    def _eliminated(self, played: PlayedPhase) -> Iterator[str]:
        """Who has neither centre nor unit is out for good (R35)."""
        now = set(eliminated(played.outcome))
        for power in sorted(self._out - now):
            yield f"{power} was eliminated and is back (R35)"
        self._out |= now


def listing(played: PlayedPhase) -> Iterator[str]:
    """The outcome does not depend on the order in which powers and units are listed."""
    turned = dict(list(played.orders.items())[::-1])
    mirror = replace(played.position, units=played.position.units[::-1])
    yield from unlike(played.outcome, adjudicate(mirror, turned), "listed the other way round")


def unlike(one: Outcome, other: Outcome, how: str) -> Iterator[str]:
    """What two outcomes of one phase do not have in common, whatever they list first."""
    for name, this, that in (
        ("units", set(one.units), set(other.units)),
        ("dislodged", set(one.dislodged), set(other.dislodged)),
        ("destroyed", set(one.destroyed), set(other.destroyed)),
        ("disbanded", set(one.disbanded), set(other.disbanded)),
        ("removed", set(one.removed), set(other.removed)),
        ("nobility", dict(one.nobility), dict(other.nobility)),
        ("results", _results(one), _results(other)),
    ):
        if this != that:
            yield f"other {name} if {how}"


def _results(outcome: Outcome) -> Counter[tuple[str, Order, str]]:
    return Counter((entry.power, entry.order, entry.result) for entry in outcome.results)


def notation(played: PlayedPhase) -> Iterator[str]:
    """Every order reads back as it is written."""
    for power, orders in played.orders.items():
        for order in orders:
            text = write_order(order)
            try:
                read = read_order(text, played.position, power)
            except NotationError as error:
                yield f"{power} '{text}' cannot be read: {error}"
                continue
            if read != order:
                yield f"{power} '{text}' reads as '{write_order(read)}'"
