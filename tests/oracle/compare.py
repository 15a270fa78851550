"""Where judge and oracle differ, on the smallest position that still shows it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from alexmagnum.judge import adjudicate
from alexmagnum.orders import Convoy, Support
from tests.oracle.solve import Solution, solve
from tests.oracle.text import write_case, write_order
from tests.strategies import Scenario

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from alexmagnum.orders import MovementOrder, Order
    from alexmagnum.position import Dislodged, Position, Unit


@dataclass(frozen=True, slots=True)
class Difference:
    """A scenario on which the two do not agree, and in what."""

    scenario: Scenario
    solution: Solution
    points: tuple[str, ...]

    def case(self, id_: str) -> str:
        """The scenario as a YAML case that expects what the oracle says."""
        head = [f"# {point}" for point in self.points]
        scenario = self.scenario
        case = write_case(id_, scenario.position, scenario.orders, self.solution, "Oracle: ...")
        return "\n".join([*head, case])


def difference(scenario: Scenario) -> Difference | None:
    """Judge and oracle on one scenario; None if they agree in everything."""
    solution = solve(scenario.position, scenario.orders)
    try:
        outcome = adjudicate(scenario.position, scenario.orders)
    except Exception as error:  # a judge that breaks down is a difference too
        return Difference(scenario, solution, (f"judge: {type(error).__name__}: {error}",))
    said = [(r.power, r.order, r.result) for r in outcome.results]
    points = [
        f"{power}: {write_order(order)}: judge {theirs}, oracle {ours}"
        for power, order, theirs, ours in _pairs(said, list(solution.results))
        if theirs != ours
    ]
    points += _unlike("dislodged", _fates(outcome.dislodged), _fates(solution.dislodged))
    points += [
        f"{d.unit.place}: judge dislodged by {d.by.place}"
        for d in outcome.dislodged
        if d.by not in solution.attackers.get(d.unit, {d.by})
    ]
    points += _unlike("destroyed", _names(outcome.destroyed), _names(solution.destroyed))
    points += _unlike("units after", _names(outcome.units), _names(solution.units))
    return Difference(scenario, solution, tuple(points)) if points else None


def smallest(found: Difference) -> Difference:
    """Leave units and orders out as long as the difference in results does not go away."""
    again = True
    while again:
        again = False
        for scenario in _smaller(found.scenario):
            less = difference(scenario)
            if less is not None:
                found, again = less, True
                break
    return found


def _smaller(scenario: Scenario) -> Iterator[Scenario]:
    position = scenario.position
    for unit in position.units:
        units = tuple(u for u in position.units if u != unit)
        yield _renamed(scenario, replace(position, units=units))
    for listed in scenario.orders.values():
        for order in listed:
            yield Scenario(position, _but(scenario, order.unit))


def _renamed(scenario: Scenario, position: Position) -> Scenario:
    """The same orders on a position with fewer units, under the names that the units have there;
    orders to units that are gone are left out."""
    names = {
        old: position.name(unit)
        for old, unit in scenario.position.names.items()
        if unit in position.units
    }
    orders: dict[str, list[MovementOrder]] = {}
    for power, listed in scenario.orders.items():
        for order in listed:
            if order.unit in names:
                orders.setdefault(power, []).append(_rename(order, names))
    return Scenario(position, orders)


def _rename(order: MovementOrder, names: Mapping[str, str]) -> MovementOrder:
    unit = names[order.unit]
    match order:
        case Support(_, supported, to):
            return Support(unit, names.get(supported, supported), to)
        case Convoy(_, army, to):
            return Convoy(unit, names.get(army, army), to)
    return replace(order, unit=unit)


def _but(scenario: Scenario, name: str) -> dict[str, list[MovementOrder]]:
    """The orders without those to one unit; powers without orders are left out."""
    orders = {p: [o for o in listed if o.unit != name] for p, listed in scenario.orders.items()}
    return {power: listed for power, listed in orders.items() if listed}


Said = tuple[str, "Order", str]


def _pairs(theirs: list[Said], ours: list[Said]) -> list[tuple[str, Order, str, str]]:
    judged = {(power, order): result for power, order, result in theirs}
    return [(p, o, judged.get((p, o), "nothing"), result) for p, o, result in ours]


def _fates(dislodged: tuple[Dislodged, ...]) -> set[str]:
    return {
        f"{d.unit.power} {d.unit} in {d.unit.place} to {', '.join(sorted(d.retreats)) or 'nowhere'}"
        for d in dislodged
    }


def _names(units: tuple[Unit, ...]) -> set[str]:
    return {f"{u.power} {u} in {u.place}" for u in units}


def _unlike(what: str, theirs: set[str], ours: set[str]) -> list[str]:
    if theirs == ours:
        return []
    return [f"{what}: judge alone {sorted(theirs - ours)}, oracle alone {sorted(ours - theirs)}"]
