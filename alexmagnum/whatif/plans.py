"""Plans for the same position, side by side: what differs in the orders, and what comes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from alexmagnum.board.model import INDEPENDENT
from alexmagnum.campaign import centres_change, owners_after
from alexmagnum.judge import adjudicate
from alexmagnum.judge.outcome import Outcome, Reason
from alexmagnum.notation import write_order
from alexmagnum.orders import Order, Pick, Remove
from alexmagnum.position import Position, Unit, names_of

Orders = Mapping[str, Sequence[Order]]


@dataclass(frozen=True, slots=True)
class Side:
    """What one plan has for a unit, and what it comes to.

    ``order`` is canonical, "" if there is none; ``results`` are the words of the case files, two
    where a unit whose order came to something was dislodged as well; ``reasons`` stand beside them.
    Both are empty where a plan has nothing of the kind at all (a build, a removal).
    """

    order: str
    results: tuple[str, ...] = ()
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """A unit of a power (in winter: a build, or a unit to remove; else: a pick), and each plan."""

    power: str
    unit: str
    sides: tuple[Side, ...]

    @property
    def differs_in_order(self) -> bool:
        """Whether the plans order otherwise."""
        return len({side.order for side in self.sides}) > 1

    @property
    def differs(self) -> bool:
        """Whether the plans order otherwise, or the same comes to something else."""
        return self.differs_in_order or len({side.results for side in self.sides}) > 1


@dataclass(frozen=True)
class Comparison:
    """Plans by name over one position, each with its outcome."""

    position: Position
    outcomes: Mapping[str, Outcome]

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """Everything that takes an order, power by power, whether or not the plans differ in it."""
        powers = (*self.position.board.powers, INDEPENDENT)
        return tuple(row for power in powers for row in self._rows(power))

    @property
    def differences(self) -> tuple[Row, ...]:
        """The rows in which the plans differ: in the order first, then in what comes of it."""
        found = [row for row in self.rows if row.differs]
        return tuple(sorted(found, key=lambda row: not row.differs_in_order))

    def dislodged(self, plan: str) -> tuple[Unit, ...]:
        """The units that a plan leaves dislodged or lost, whoever's they are."""
        outcome = self.outcomes[plan]
        lost = (*outcome.destroyed, *outcome.disbanded, *outcome.removed)
        return (*(dislodged.unit for dislodged in outcome.dislodged), *lost)

    def units(self, plan: str, power: str) -> tuple[str, ...]:
        """The names of a power's units on the board after a plan."""
        outcome = self.outcomes[plan]
        names = names_of(outcome.units)
        return tuple(sorted(names[unit] for unit in outcome.units if unit.power == power))

    def centres(self, plan: str) -> Mapping[str, str]:
        """Centre to power where a plan changes who has it.

        After an autumn and a pick that is who owns it (R29, R30); in other phases of movement who
        stands in it and will own it if nothing moves there until then.
        """
        outcome, before = self.outcomes[plan], self.position.owners
        now = dict(owners_after(outcome))
        if not centres_change(outcome) and self.position.phase.kind in ("movement", "retreats"):
            board = self.position.board
            standing = {u.province: u.power for u in outcome.units if u.power != INDEPENDENT}
            now |= {p: power for p, power in standing.items() if board.provinces[p].centre}
        return {centre: power for centre, power in now.items() if before.get(centre) != power}

    # -- rows --------------------------------------------------------------------------------------

    def _rows(self, power: str) -> Iterator[Row]:
        if self.position.phase.kind in ("movement", "retreats"):
            for unit in self.position.units_of(power):
                sides = tuple(_fate(outcome, unit) for outcome in self.outcomes.values())
                yield Row(power, self.position.name(unit), sides)
            return
        listed = [dict(_listed(outcome, power)) for outcome in self.outcomes.values()]
        for key in dict.fromkeys(key for sides in listed for key in sides):
            sides = tuple(found.get(key, Side("")) for found in listed)
            yield Row(power, key, sides)


def compare(position: Position, plans: Mapping[str, Orders]) -> Comparison:
    """Adjudicate plans for the same position; each maps a power's id to its orders.

    >>> from alexmagnum import Phase, Unit, load_board, read_order
    >>> vienna = Unit("Austria", "A", "VIE")
    >>> position = Position(load_board("standard"), Phase(1901, "spring"), (vienna,))
    >>> plans = {
    ...     name: {"Austria": [read_order(text, position)]}
    ...     for name, text in {"A": "A VIE - TYR", "B": "A VIE - BUD"}.items()
    ... }
    >>> [[side.order for side in row.sides] for row in compare(position, plans).differences]
    [['A VIE - TYR', 'A VIE - BUD']]
    """
    outcomes = {name: adjudicate(position, orders) for name, orders in plans.items()}
    return Comparison(position, outcomes)


def _fate(outcome: Outcome, unit: Unit) -> Side:
    fates = outcome.fates(unit)
    order = fates[0].order
    return Side(
        write_order(order) if order is not None else "",
        tuple(fate.result for fate in fates),
        tuple(fate.reason for fate in fates),
    )


def _listed(outcome: Outcome, power: str) -> Iterator[tuple[str, Side]]:
    """A power's orders where not every unit has one: a pick is one thing, each build is one, the
    second of the same kind apart; a removal goes by its unit, ordered or not."""
    seen: Counter[str] = Counter()
    for entry, reason in zip(outcome.results, outcome.reasons, strict=True):
        if entry.power != power:
            continue
        text = write_order(entry.order)
        about = text
        if isinstance(entry.order, Remove) and entry.unit is not None:
            about = outcome.position.name(entry.unit)
        seen[about] += 1
        key = about + (f" ({seen[about]})" if seen[about] > 1 else "")
        if isinstance(entry.order, Pick):
            key = ""
        yield key, Side(text, (entry.result,), (reason,))
    for unit in outcome.removed:
        if unit.power == power:
            name = outcome.position.name(unit)
            yield name, Side("", ("removed",), (Reason("civil-disorder"),))
