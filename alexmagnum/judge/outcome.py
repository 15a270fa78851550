"""What the judge answers: results, the reasons for them, and who stands where.

The results are the words of the case files.  A *reason* is a code with its figures and the
units it rests on; it is put into a sentence by the report, in the reader's language.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from alexmagnum.orders import Order
from alexmagnum.position import Dislodged, Position, Unit

STANDS, DISLODGED = "stands", "dislodged"
SUCCEEDS, FAILS = "succeeds", "fails"
STOPPED, DESTROYED = "stopped", "destroyed"
GIVEN, CUT = "given", "cut"
AVAILABLE, DISRUPTED = "available", "disrupted"
ILLEGAL, INVALID = "illegal", "invalid"

RESULTS = frozenset(
    {
        *(STANDS, DISLODGED, SUCCEEDS, FAILS, STOPPED, DESTROYED),
        *(GIVEN, CUT, AVAILABLE, DISRUPTED, ILLEGAL, INVALID),
    }
)
"""Every word that an order can come to."""

REPLACED = "replaced"
"""Reason of an order that a later one for the same unit replaces."""


class Reason(NamedTuple):
    """Why an order came out as it did.

    ``code`` names the sentence; ``units`` are the units that sentence names (``by`` first);
    ``strength`` and ``against`` are the two figures compared, -1 where there are none.
    ``causes`` are units whose own orders the reason rests on, for the chain of causes;
    ``powers`` the powers that the sentence names (R30); ``place`` the province that it names;
    ``stop`` is where an express was stopped, "" for all others (R19); ``room`` how many open
    places there were for a plain entry, -1 for all others (R10).
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


class OrderOutcome(NamedTuple):
    """The fate of one order, as it was listed.  ``unit`` is None if it named no unit."""

    power: str
    order: Order
    unit: Unit | None
    result: str


class Fate(NamedTuple):
    """What became of one unit, and why; ``order`` is None if it had none (it held).

    A unit has a second fate where its order's does not say that it was dislodged.
    """

    unit: Unit
    order: Order | None
    result: str
    reason: Reason


@dataclass(frozen=True, slots=True)
class Picks:
    """What a period of picks comes to (R30).

    ``awards`` maps a power to the centre that it alone named; ``contested`` are the centres
    named by several, in the map's order; ``void`` the powers whose pick yields nothing because
    it is void or missing.
    """

    awards: Mapping[str, str]
    contested: tuple[str, ...]
    void: tuple[str, ...]


class Outcome(Protocol):
    """What a phase comes to.

    ``results`` follow the listing, power by power, and ``reasons`` stand beside them.
    ``units`` are the units on the board after the phase.  ``dislodged`` are those that have to
    retreat (lost at once where nothing is open to them); ``disbanded`` the dislodged that a
    retreat phase lost; ``destroyed`` units removed without a retreat (garrisons, R27; hauled
    fleets, R24; revolting units, R3); ``adjust`` the builds due by power, removals if negative;
    ``removed`` the units that civil disorder took (R32); ``nobility`` the points after the
    phase, empty on a board without; ``picks`` what a period of picks came to, None elsewhere.
    ``attackers`` are all that dislodged a unit: in a sea there may be several (R11a).
    """

    @property
    def position(self) -> Position: ...
    @property
    def results(self) -> tuple[OrderOutcome, ...]: ...
    @property
    def reasons(self) -> tuple[Reason, ...]: ...
    @property
    def units(self) -> tuple[Unit, ...]: ...
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


@dataclass(frozen=True)
class PhaseOutcome:
    """The outcome of any phase but movement, worked out at once; see :class:`Outcome`."""

    position: Position
    results: tuple[OrderOutcome, ...]
    reasons: tuple[Reason, ...]
    units: tuple[Unit, ...]
    dislodged: tuple[Dislodged, ...] = ()
    disbanded: tuple[Unit, ...] = ()
    destroyed: tuple[Unit, ...] = ()
    adjust: Mapping[str, int] = field(default_factory=dict)
    removed: tuple[Unit, ...] = ()
    nobility: Mapping[str, int] = field(default_factory=dict)
    picks: Picks | None = None

    def fates(self, unit: Unit) -> tuple[Fate, ...]:
        """What became of a unit and why; its last order counts."""
        return (self._fate(unit),)

    def attackers(self, unit: Unit) -> tuple[Unit, ...]:
        """Who dislodged a unit: nobody does, but in a movement phase."""
        return ()

    def _fate(self, unit: Unit) -> Fate:
        for entry, reason in zip(reversed(self.results), reversed(self.reasons), strict=True):
            if entry.unit == unit and reason.code != REPLACED:
                return Fate(unit, entry.order, entry.result, reason)
        if unit in self.removed:
            return Fate(unit, None, "removed", Reason("civil-disorder"))
        if unit in self.disbanded:
            return Fate(unit, None, "disbanded", Reason("no-retreat-order"))
        return Fate(unit, None, STANDS, Reason("unattacked"))


def nobility_after(position: Position, lost: tuple[Unit, ...]) -> Mapping[str, int]:
    """The points of every power once the ``lost`` units are destroyed (R2); never below 0."""
    if not position.board.rules.nobility:
        return {}
    points = {power: position.points_of(power) for power in position.board.powers}
    for unit in lost:
        if unit.kind == "G":
            points[unit.power] = max(points[unit.power] - 1, 0)
    return points
