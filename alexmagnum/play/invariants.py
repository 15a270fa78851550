"""All that must hold after every phase, whatever was ordered.

Open this file to add a check; the checks of single phases are in the files beside it.
"""

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
from alexmagnum.play.broken_invariant import BrokenInvariantError, blame_phase
from alexmagnum.play.random_game import PlayedPhase

Check = Callable[[PlayedPhase], Iterator[str]]

CHECKS: tuple[Check, ...] = (
    unit_checks.check_soundness,
    unit_checks.check_capacity,
    unit_checks.check_balance,
    unit_checks.check_whereabouts,
    unit_checks.check_garrisons,
    unit_checks.check_revolts,
    movement_checks.check_moves,
    movement_checks.check_losses,
    movement_checks.check_retreats,
    power_checks.check_centres,
    power_checks.check_nobility,
    power_checks.check_upkeep,
    power_checks.check_builds,
    power_checks.check_calendar,
)
"""The checks that look at one phase by itself."""


class InvariantChecker:
    """The checks of one game: of every phase by itself, and from phase to phase."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._eliminated_powers: set[str] = set()

    def check(self, played: PlayedPhase) -> None:
        """Check the phase just played; call this for every phase of a game, in order.

        Raises:
            BrokenInvariantError: something is wrong.
        """
        with blame_phase(self.seed, played.position, played.orders):
            every = [check(played) for check in CHECKS]
            found = chain(
                *every,
                self._check_eliminated(played),
                check_listing(played),
                check_notation(played),
            )
            self.refuse(played, tuple(found))

    def refuse(self, played: PlayedPhase, faults: tuple[str, ...]) -> None:
        """Raise the faults of a phase, if there are any.

        Raises:
            BrokenInvariantError: there are faults.
        """
        if faults:
            raise BrokenInvariantError(self.seed, played.position, played.orders, faults)

    def _check_eliminated(self, played: PlayedPhase) -> Iterator[str]:
        """Check that a power once without centres and units stays without (R35)."""
        now = set(eliminated(played.outcome))
        for power in sorted(self._eliminated_powers - now):
            yield f"{power} was eliminated and is back (R35)"
        self._eliminated_powers |= now


def check_listing(played: PlayedPhase) -> Iterator[str]:
    """Check that the outcome does not depend on the order in which powers and units are listed."""
    turned = dict(list(played.orders.items())[::-1])
    mirror = replace(played.position, units=played.position.units[::-1])
    yield from compare_outcomes(
        played.outcome, adjudicate(mirror, turned), "listed the other way round"
    )


def compare_outcomes(one: Outcome, other: Outcome, how: str) -> Iterator[str]:
    """Yield what differs in two outcomes of one phase, whatever they list first."""
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


def check_notation(played: PlayedPhase) -> Iterator[str]:
    """Check that every order reads back as it is written."""
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
