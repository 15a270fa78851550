"""Counting for testers: legal orders, the joint order sets they make, and distinct outcomes.

Chess programs call it *perft*: figures that a change of the rules' code must not move.  A
*joint order set* gives one alternative to every :class:`Choice` of a phase:

- movement: every unit that takes orders gets one of its legal orders (no order is a hold);
- retreats: every dislodged unit gets one of its retreats, or disbands (as it does without order);
- winter: every power that owes removals makes just as many; every power with builds makes any
  set of them that fits, and waives the rest;
- picks: every power names one centre that it may pick, or none;
- deployment: every power places any set of units that fits, in the map's sequence of centres.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, product
from math import comb, prod
from typing import NamedTuple

from alexmagnum.board.geography import split_location
from alexmagnum.judge import Outcome, resolve_phase
from alexmagnum.judge.options import all_legal_orders, legal_orders_of
from alexmagnum.judge.other_phases import count_adjustments, list_building_rooms
from alexmagnum.orders import Build, Order, Remove, Waive
from alexmagnum.position import Position, Unit

Orders = tuple[Order, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One decision: the order of a unit, or (``unit`` is None) all orders of a power.

    ``orders`` are the legal orders to choose from; ``count`` is the number of alternatives, which
    ``alternatives`` yields one after the other.
    """

    power: str
    unit: Unit | None
    orders: Orders
    count: int
    alternatives: Callable[[], Iterator[Orders]]

    @property
    def kinds(self) -> Counter[str]:
        """The number of legal orders of each kind: ``hold``, ``move``, ``support`` ..."""
        return Counter(map(kind_of, self.orders))


def kind_of(order: Order) -> str:
    """Return the kind of an order as a word: ``hold``, ``move``, ``support``, ``build`` ..."""
    return type(order).__name__.lower()


def choices(position: Position, powers: Collection[str] = ()) -> tuple[Choice, ...]:
    """Return the decisions of the open phase, by power in the map's sequence.

    With ``powers``, only the decisions of these.  Garrisons (R27), powers in revolt (R3) and powers
    without builds or removals have nothing to decide.
    """
    asked = [power for power in position.board.powers if not powers or power in powers]
    if position.phase.kind in ("movement", "retreats"):
        return tuple(_by_unit(position, asked))
    listed = ((power, legal_orders_of(position, power)) for power in asked)
    found = (_BY_POWER[position.phase.kind](position, power, orders) for power, orders in listed)
    return tuple(choice for choice in found if choice.orders)


def joint_sets(choices: Iterable[Choice]) -> int:
    """Return how many joint order sets some choices make; 1 if there is nothing to decide."""
    return prod(choice.count for choice in choices)


def joint_outcomes(position: Position, choices: Sequence[Choice]) -> Iterator[Outcome]:
    """Adjudicate every joint order set of some choices; units without a choice get no order."""
    powers = [choice.power for choice in choices]
    for joint in product(*(choice.alternatives() for choice in choices)):
        orders: dict[str, list[Order]] = {power: [] for power in powers}
        for power, given in zip(powers, joint, strict=True):
            orders[power] += given
        yield resolve_phase(position, orders)


class State(NamedTuple):
    """The state that a phase leaves behind; outcomes are distinct if their states differ.

    - ``units``: the units on the board, with coasts and numbers;
    - ``dislodged``: the units that have to retreat, and where they can go;
    - ``destroyed``: the units lost without a retreat;
    - ``nobility``: points by power;
    - ``awards``: the centres won by picks.

    Orders, reasons, and the unit that dislodged another make no difference.
    """

    units: frozenset[Unit]
    dislodged: frozenset[tuple[Unit, frozenset[str]]]
    destroyed: frozenset[Unit]
    nobility: tuple[tuple[str, int], ...]
    awards: tuple[tuple[str, str], ...]


def state_after(outcome: Outcome) -> State:
    """Return the state after an outcome."""
    return State(
        frozenset(outcome.units),
        frozenset((d.unit, frozenset(d.retreats)) for d in outcome.dislodged),
        frozenset(outcome.destroyed),
        tuple(outcome.nobility.items()),
        tuple(sorted(outcome.picks.awards.items())) if outcome.picks else (),
    )


class Tally:
    """A running count of joint order sets and their outcomes.

    - ``sets``: the number of sets counted;
    - ``states``: the distinct states after them;
    - ``results``: how often each result was that of an order;
    - ``losses``: how many units were dislodged, destroyed, disbanded and removed, over all sets.
    """

    def __init__(self) -> None:
        self.sets = 0
        self.states: set[State] = set()
        self.results: Counter[str] = Counter()
        self.losses: Counter[str] = Counter()

    def add(self, outcome: Outcome) -> None:
        """Count one more set by its outcome."""
        self.sets += 1
        self.states.add(state_after(outcome))
        self.results.update(entry.result for entry in outcome.results)
        self.losses["dislodged"] += len(outcome.dislodged)
        self.losses["destroyed"] += len(outcome.destroyed)
        self.losses["disbanded"] += len(outcome.disbanded)
        self.losses["removed"] += len(outcome.removed)


def perft(position: Position, powers: Collection[str] = ()) -> Tally:
    """Count all joint order sets of a position, or of some powers while the others do nothing.

    This may take very long: :func:`joint_sets` tells beforehand how many sets there are.
    """
    tally = Tally()
    for outcome in joint_outcomes(position, choices(position, powers)):
        tally.add(outcome)
    return tally


# -- the choices of each kind of phase -----------------------------------------------------------


def _one_of(power: str, unit: Unit | None, orders: Orders, *, may_pass: bool = False) -> Choice:
    """Return the choice of one order; with ``may_pass``, also of none."""
    ways: tuple[Orders, ...] = (*([()] if may_pass else []), *((order,) for order in orders))
    return Choice(power, unit, orders, len(ways), lambda: iter(ways))


def _by_unit(position: Position, powers: Sequence[str]) -> Iterator[Choice]:
    options = all_legal_orders(position)
    for power in powers:
        for unit, orders in options.items():
            if unit.power == power and orders:
                yield _one_of(power, unit, orders)


def _pick(position: Position, power: str, orders: Orders) -> Choice:
    return _one_of(power, None, orders, may_pass=True)


def _winter(position: Position, power: str, orders: Orders) -> Choice:
    due = count_adjustments(position).get(power, 0)
    if due >= 0:
        rooms = Counter(list_building_rooms(position, power))
        return _placing(power, orders, rooms, due, fill=Waive())
    removals = [order for order in orders if isinstance(order, Remove)]
    return Choice(
        power, None, orders, comb(len(removals), -due), lambda: combinations(removals, -due)
    )


def _deployment(position: Position, power: str, orders: Orders) -> Choice:
    rooms = Counter(position.centres_of(power))
    return _placing(power, orders, rooms, count_adjustments(position).get(power, 0))


def _placing(
    power: str, orders: Orders, rooms: Counter[str], due: int, fill: Order | None = None
) -> Choice:
    """Return the choices of up to ``due`` new units; ``fill`` stands for each one not placed."""
    by_centre: dict[str, list[Build]] = defaultdict(list)
    for order in orders:
        if isinstance(order, Build):
            by_centre[split_location(order.unit[2:])[0]].append(order)
    fillings = [list(_fillings(found, rooms[centre])) for centre, found in by_centre.items()]

    def alternatives() -> Iterator[Orders]:
        for placed in _placements(fillings, due):
            yield (*placed, *([fill] * (due - len(placed)) if fill else []))

    return Choice(power, None, orders, _count_placements(fillings, due), alternatives)


Filling = tuple[Build, ...]


def _fillings(builds: Sequence[Build], room: int) -> Iterator[Filling]:
    """Yield what can be placed in one centre: nothing, or as many units as it takes."""
    for count in range(room + 1):
        for filling in combinations_with_replacement(builds, count):
            if _generals(filling) <= 1:
                yield filling


def _placements(
    fillings: Sequence[Sequence[Filling]], due: int, generals: int = 1
) -> Iterator[Filling]:
    """Yield all sets of one filling for each centre, within the units due and generals allowed."""
    if not fillings:
        yield ()
        return
    for filling in fillings[0]:
        left, lords = due - len(filling), generals - _generals(filling)
        if left >= 0 and lords >= 0:
            for rest in _placements(fillings[1:], left, lords):
                yield (*filling, *rest)


def _count_placements(fillings: Sequence[Sequence[Filling]], due: int) -> int:
    """Count the :func:`_placements` without listing them."""
    ways = Counter({(due, 1): 1})
    for centre in fillings:
        after: Counter[tuple[int, int]] = Counter()
        for (left, lords), count in ways.items():
            for filling in centre:
                after[left - len(filling), lords - _generals(filling)] += count
        ways = Counter({key: count for key, count in after.items() if min(key) >= 0})
    return ways.total()


def _generals(filling: Filling) -> int:
    return sum(build.unit.startswith("G ") for build in filling)


_BY_POWER: Mapping[str, Callable[[Position, str, Orders], Choice]] = {
    "picks": _pick,
    "winter": _winter,
    "deployment": _deployment,
}
