"""The outcome of a phase: results, the reasons for them, and the units afterwards.

The results are the words of the case files.  A *reason* is a code with its figures and the
units it rests on; a report puts it into a sentence in the reader's language.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol

from alexmagnum.builds import mypyc_attr
from alexmagnum.frozen import FrozenDict, freeze
from alexmagnum.orders import Order
from alexmagnum.position import Dislodged, Position, Unit
from alexmagnum.values import Value, draw_svg, seal

STANDS: Final = "stands"
DISLODGED: Final = "dislodged"
SUCCEEDS: Final = "succeeds"
FAILS: Final = "fails"
STOPPED: Final = "stopped"
DESTROYED: Final = "destroyed"
GIVEN: Final = "given"
CUT: Final = "cut"
AVAILABLE: Final = "available"
DISRUPTED: Final = "disrupted"
ILLEGAL: Final = "illegal"
INVALID: Final = "invalid"

RESULT_NAMES: Final = (
    STANDS,
    DISLODGED,
    SUCCEEDS,
    FAILS,
    STOPPED,
    DESTROYED,
    GIVEN,
    CUT,
    AVAILABLE,
    DISRUPTED,
    ILLEGAL,
    INVALID,
)
"""The results by their code in arrays: 0 is ``stands``, 11 is ``invalid``."""

RESULTS = frozenset(RESULT_NAMES)
"""Every result that an order can have."""

WANTED = frozenset({SUCCEEDS, GIVEN, AVAILABLE, STANDS})
"""The results that the power of an order wants."""

_NO_POINTS: Final[FrozenDict[str, int]] = FrozenDict()

REPLACED: Final = "replaced"
"""The reason of an order that a later order for the same unit replaces."""


class Reason(NamedTuple):
    """The reason for the result of one order.

    ``code`` names the sentence.  The sentence names ``units`` (``by`` first), ``powers`` (R30)
    and ``place``, a province.  It compares ``strength`` and ``against``, which are -1 where there
    is nothing to compare.  ``causes``: units on whose own orders the reason rests, for the chain
    of causes; ``stop``: where an express was stopped, "" for all others (R19); ``room``: how many
    open places there were for a plain entry, -1 for all others (R10).
    """

    code: str
    units: tuple[Unit, ...] = ()
    strength: int = -1
    against: int = -1
    causes: tuple[Unit, ...] = ()
    powers: tuple[str, ...] = ()
    place: str = ""
    stop: str = ""
    room: int = -1


@mypyc_attr(acyclic=True)
@dataclass(init=False, eq=False, slots=True)
class OrderOutcome(Value):
    """The result of one order as listed; ``unit`` is None if the order named no unit.

    It can be unpacked: ``for power, order, unit, result in outcome.results``.
    """

    power: Final[str]
    order: Final[Order]
    unit: Final[Unit | None]
    result: Final[str]

    def __init__(self, power: str, order: Order, unit: Unit | None, result: str) -> None:
        self.power = power
        self.order = order
        self.unit = unit
        self.result = result

    def content(self) -> tuple[str, Order, Unit | None, str]:
        return self.power, self.order, self.unit, self.result

    def __iter__(self) -> Iterator[Any]:
        return iter(self.content())


seal(OrderOutcome)


class Fate(NamedTuple):
    """The result of one unit, and why; ``order`` is None if it had none and held.

    A unit has a second fate if the first does not say that it was dislodged.
    """

    unit: Unit
    order: Order | None
    result: str
    reason: Reason


@dataclass(init=False, eq=False, slots=True)
class Picks(Value):
    """The outcome of one period of picks (R30).

    ``awards`` maps a power to the centre that it alone named; ``contested``: the centres named by
    several powers, in the map's order; ``void``: the powers that get nothing because their pick
    is void or missing.
    """

    awards: Final[Mapping[str, str]]
    contested: Final[tuple[str, ...]]
    void: Final[tuple[str, ...]]

    def __init__(
        self, awards: Mapping[str, str], contested: tuple[str, ...], void: tuple[str, ...]
    ) -> None:
        self.awards = freeze(awards)
        self.contested = contested
        self.void = void

    def content(self) -> tuple[Any, ...]:
        return self.awards, self.contested, self.void


seal(Picks, converts=True)


class Outcome(Protocol):
    """The outcome of one phase.

    ``results`` follow the orders as listed, power by power, and ``reasons`` follow the results.
    ``units``: the units on the board after the phase; ``dislodged``: those that have to retreat,
    or are lost at once if nothing is open to them; ``disbanded``: the dislodged units that a
    retreat phase lost; ``destroyed``: units removed without a retreat (garrisons, R27; hauled
    fleets, R24; units in revolt, R3); ``removed``: the units that civil disorder took (R32).
    ``adjust``: the builds due by power, removals if negative; ``nobility``: the points after the
    phase, empty on a board without nobility; ``picks``: the outcome of a period of picks, None
    in other phases.  ``attackers`` gives all units that dislodged a unit: in a sea there may be
    several (R11a).
    """

    @property
    def position(self) -> Position: ...
    @property
    def results(self) -> tuple[OrderOutcome, ...]: ...
    @property
    def reasons(self) -> tuple[Reason, ...]: ...
    @property
    def units(self) -> tuple[Unit, ...]: ...
    def result_of(self, subject: Unit | Order, power: str = "") -> str:
        """Return the result of a unit or of an order.

        For a unit it is the result of the order that counts; a unit without an order holds.  For
        an order it is the result in ``results``, of the last one if it is listed several times;
        ``power`` says whose order is meant where several powers gave the same.

        Raises:
            ValueError: the position has no such unit, or no such order was listed.
        """

    def fates(self, unit: Unit) -> tuple[Fate, ...]: ...
    def attackers(self, unit: Unit) -> tuple[Unit, ...]: ...
    @property
    def dislodged(self) -> tuple[Dislodged, ...]: ...
    @property
    def disbanded(self) -> tuple[Unit, ...]: ...
    @property
    def destroyed(self) -> tuple[Unit, ...]: ...
    @property
    def adjust(self) -> Mapping[str, int]: ...
    @property
    def removed(self) -> tuple[Unit, ...]: ...
    @property
    def nobility(self) -> Mapping[str, int]: ...
    @property
    def picks(self) -> Picks | None: ...


@dataclass(init=False, eq=False, slots=True)
class PhaseOutcome(Value):
    """The outcome of one phase other than movement, worked out at once; see :class:`Outcome`.

    Units are not compared: they follow from the position and the results, but their sequence is
    that of the position, which does not matter.
    """

    position: Final[Position]
    results: Final[tuple[OrderOutcome, ...]]
    reasons: Final[tuple[Reason, ...]]
    units: Final[tuple[Unit, ...]]
    dislodged: Final[tuple[Dislodged, ...]]
    disbanded: Final[tuple[Unit, ...]]
    destroyed: Final[tuple[Unit, ...]]
    adjust: Final[Mapping[str, int]]
    removed: Final[tuple[Unit, ...]]
    nobility: Final[Mapping[str, int]]
    picks: Final[Picks | None]

    def __init__(
        self,
        position: Position,
        results: tuple[OrderOutcome, ...],
        reasons: tuple[Reason, ...],
        units: tuple[Unit, ...],
        dislodged: tuple[Dislodged, ...] = (),
        disbanded: tuple[Unit, ...] = (),
        destroyed: tuple[Unit, ...] = (),
        adjust: Mapping[str, int] = _NO_POINTS,
        removed: tuple[Unit, ...] = (),
        nobility: Mapping[str, int] = _NO_POINTS,
        picks: Picks | None = None,
    ) -> None:
        self.position = position
        self.results = results
        self.reasons = reasons
        self.units = units
        self.dislodged = dislodged
        self.disbanded = disbanded
        self.destroyed = destroyed
        self.adjust = freeze(adjust)
        self.removed = removed
        self.nobility = freeze(nobility)
        self.picks = picks

    def content(self) -> tuple[Any, ...]:
        return (
            self.position,
            self.results,
            self.reasons,
            self.units,
            self.dislodged,
            self.disbanded,
            self.destroyed,
            self.adjust,
            self.removed,
            self.nobility,
            self.picks,
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PhaseOutcome) and self._compared() == other._compared()

    def __hash__(self) -> int:
        return hash(self._compared())

    def _compared(self) -> tuple[Any, ...]:
        return self.position, self.results, self.reasons, self.adjust, self.nobility, self.picks

    def result_of(self, subject: Unit | Order, power: str = "") -> str:
        """Return the result of a unit or of an order; see :meth:`Outcome.result_of`."""
        if not isinstance(subject, Unit):
            return find_order_result(self.results, subject, power)
        return self._fate(subject).result

    def fates(self, unit: Unit) -> tuple[Fate, ...]:
        """Return the reason for the result of a unit; its last order counts.

        Raises:
            ValueError: there is no such unit, neither in the position nor built by an order.
        """
        return (self._fate(unit),)

    def attackers(self, unit: Unit) -> tuple[Unit, ...]:
        """Return no units: only movement phases dislodge units."""
        return ()

    def _repr_svg_(self) -> str | None:
        return draw_svg(self)

    def _fate(self, unit: Unit) -> Fate:
        for entry, reason in zip(reversed(self.results), reversed(self.reasons), strict=True):
            if entry.unit == unit and reason.code != REPLACED:
                return Fate(unit, entry.order, entry.result, reason)
        if unit in self.removed:
            return Fate(unit, None, "removed", Reason("civil-disorder"))
        if unit in self.disbanded:
            return Fate(unit, None, "disbanded", Reason("no-retreat-order"))
        if unit not in self.position.units and unit not in self.position.orderable:
            raise ValueError(f"there is no such unit in this position: {unit}")
        return Fate(unit, None, STANDS, Reason("unattacked"))


seal(PhaseOutcome, converts=True)


def find_order_result(results: Sequence[OrderOutcome], order: Order, power: str) -> str:
    """Return the result of an order as listed, of the last one if there are several.

    Raises:
        ValueError: the power (any, if it is "") has not listed this order.
    """
    for entry in reversed(results):
        if entry.order == order and power in ("", entry.power):
            return entry.result
    raise ValueError(f"there is no such order in this outcome: {order}")


def nobility_after(position: Position, lost: tuple[Unit, ...]) -> Mapping[str, int]:
    """Return the points of every power after the ``lost`` units are destroyed (R2); at least 0."""
    if not position.board.rules.nobility:
        return FrozenDict()
    points = {power: position.points_of(power) for power in position.board.powers}
    for unit in lost:
        if unit.kind == "G":
            points[unit.power] = max(points[unit.power] - 1, 0)
    return freeze(points)
