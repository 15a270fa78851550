"""Engines of the benchmark for our own judge: from orders, and from text."""

from __future__ import annotations

from alexmagnum.board.map_file import load_board
from alexmagnum.judge import Outcome, adjudicate
from alexmagnum.orders import Order
from alexmagnum.position import Phase, Position, Unit
from bench.positions import Lines, PhaseResult, Sample

Orders = dict[str, tuple[Order, ...]]
PHASE = Phase(1905, "spring")


class AlexMagnum:
    """``adjudicate`` on order values, including results, dislodgements with retreats, and units.

    The outcome computes those three on first access, so the timed call accesses them.
    """

    name = "alexmagnum adjudicate"

    def __init__(self) -> None:
        self.board = load_board("standard")
        _ = self.board.tables

    def prepare(self, sample: Sample) -> tuple[Position, Orders]:
        return self.position(sample), {p: tuple(orders) for p, orders in sample.orders.items()}

    def position(self, sample: Sample) -> Position:
        """Return a new position, so that no run uses values cached by another."""
        return Position(self.board, PHASE, units_of(sample))

    def run(self, job: tuple[Position, Orders]) -> Outcome:
        return compute_all(adjudicate(*job))

    def phase_result(self, outcome: Outcome) -> PhaseResult:
        units = {str(unit): unit.power for unit in outcome.units}
        dislodged = {str(d.unit): (d.unit.power, d.retreats) for d in outcome.dislodged}
        return PhaseResult(units, dislodged)

    def resolve(self, sample: Sample) -> PhaseResult:
        """Adjudicate a sample and return its result, to play a game on."""
        return self.phase_result(self.run(AlexMagnum.prepare(self, sample)))


class AlexMagnumWithTables(AlexMagnum):
    """The same engine with the position's tables laid out before, as for many sets of orders."""

    name = "alexmagnum, position's tables ready"

    def prepare(self, sample: Sample) -> tuple[Position, Orders]:
        job = super().prepare(sample)
        assert job[0].fits_board, "checked once for all sets of orders, which lays out the tables"
        return job


class AlexMagnumWithPosition(AlexMagnum):
    """The same engine with the position built inside the timed call."""

    name = "alexmagnum, position made inside"

    def prepare(self, sample: Sample) -> tuple[tuple[Unit, ...], Orders]:  # type: ignore[override]
        return units_of(sample), super().prepare(sample)[1]

    def run(self, job: tuple[tuple[Unit, ...], Orders]) -> Outcome:  # type: ignore[override]
        units, orders = job
        return compute_all(adjudicate(Position(self.board, PHASE, units), orders))


class AlexMagnumText(AlexMagnum):
    """The engine that reads lines of text and adjudicates them."""

    name = "alexmagnum read + adjudicate"

    def __init__(self) -> None:
        from alexmagnum.notation import read_canonical

        super().__init__()
        self.read = read_canonical

    def prepare(self, sample: Sample) -> tuple[Position, Lines]:  # type: ignore[override]
        return self.position(sample), sample.lines

    def run(self, job: tuple[Position, Lines]) -> Outcome:  # type: ignore[override]
        position, lines = job
        return compute_all(adjudicate(position, self.read(lines, position)))


ENGINES: tuple[type[AlexMagnum], ...] = (
    AlexMagnum,
    AlexMagnumWithTables,
    AlexMagnumWithPosition,
    AlexMagnumText,
)
"""All engines for our own judge."""


def compute_all(outcome: Outcome) -> Outcome:
    """Compute everything of the outcome that the peers compute, and return the outcome."""
    _ = outcome.results, outcome.dislodged, outcome.units
    return outcome


def units_of(sample: Sample) -> tuple[Unit, ...]:
    """Return the units of a sample as values."""
    units = []
    for name, power in sample.units.items():
        province, _, coast = name[2:].partition("/")
        units.append(Unit(power, name[0], province, coast))
    return tuple(units)
