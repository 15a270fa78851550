"""Our own judge as engines of the benchmark: from orders, and from text."""

from __future__ import annotations

from alexmagnum.board.load import load_board
from alexmagnum.judge import Outcome, adjudicate
from alexmagnum.orders import Order
from alexmagnum.position import Phase, Position, Unit
from bench.positions import Lines, Sample, Settled

Orders = dict[str, tuple[Order, ...]]
PHASE = Phase(1905, "spring")


class AlexMagnum:
    """``adjudicate`` on order values, with results, dislodgements and retreats, and units read.

    Those three are worked out when they are first asked for, so the timed call asks.
    """

    name = "alexmagnum adjudicate"

    def __init__(self) -> None:
        self.board = load_board("standard")
        _ = self.board.tables

    def prepare(self, sample: Sample) -> tuple[Position, Orders]:
        return self.position(sample), {p: tuple(orders) for p, orders in sample.orders.items()}

    def position(self, sample: Sample) -> Position:
        """A new position, so that no run finds what another has worked out."""
        return Position(self.board, PHASE, units_of(sample))

    def run(self, job: tuple[Position, Orders]) -> Outcome:
        return answered(adjudicate(*job))

    def settled(self, outcome: Outcome) -> Settled:
        units = {str(unit): unit.power for unit in outcome.units}
        dislodged = {str(d.unit): (d.unit.power, d.retreats) for d in outcome.dislodged}
        return Settled(units, dislodged)

    def resolve(self, sample: Sample) -> Settled:
        """All in one, for playing on."""
        return self.settled(self.run(AlexMagnum.prepare(self, sample)))


class AlexMagnumWithPosition(AlexMagnum):
    """The same with the position made inside the timed call."""

    name = "alexmagnum, position made inside"

    def prepare(self, sample: Sample) -> tuple[tuple[Unit, ...], Orders]:  # type: ignore[override]
        return units_of(sample), super().prepare(sample)[1]

    def run(self, job: tuple[tuple[Unit, ...], Orders]) -> Outcome:  # type: ignore[override]
        units, orders = job
        return answered(adjudicate(Position(self.board, PHASE, units), orders))


class AlexMagnumText(AlexMagnum):
    """From lines of text to the outcome."""

    name = "alexmagnum read + adjudicate"

    def __init__(self) -> None:
        from alexmagnum.notation import read_canonical

        super().__init__()
        self.read = read_canonical

    def prepare(self, sample: Sample) -> tuple[Position, Lines]:  # type: ignore[override]
        return self.position(sample), sample.lines

    def run(self, job: tuple[Position, Lines]) -> Outcome:  # type: ignore[override]
        position, lines = job
        return answered(adjudicate(position, self.read(lines, position)))


def answered(outcome: Outcome) -> Outcome:
    """The outcome with everything worked out that the peers work out."""
    _ = outcome.results, outcome.dislodged, outcome.units
    return outcome


def units_of(sample: Sample) -> tuple[Unit, ...]:
    """The units of a sample as values."""
    units = []
    for name, power in sample.units.items():
        province, _, coast = name[2:].partition("/")
        units.append(Unit(power, name[0], province, coast))
    return tuple(units)
