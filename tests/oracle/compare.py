"""Where judge and oracle differ, on the smallest position that still shows it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import yaml

from alexmagnum.cases.schema import turn_text, unit_text
from alexmagnum.judge import adjudicate
from alexmagnum.notation import write_order
from alexmagnum.orders import Convoy, Support
from tests.oracle.legality import find
from tests.oracle.solve import Solution, solve
from tests.scenarios import Scenario

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from alexmagnum.judge.outcome import OrderOutcome
    from alexmagnum.orders import MovementOrder, Order
    from alexmagnum.position import Dislodged, Position, Unit


@dataclass(frozen=True, slots=True)
class Difference:
    """A scenario on which the two do not agree, and in what."""

    scenario: Scenario
    solution: Solution
    points: tuple[str, ...]

    def case(self, id_: str) -> str:
        """Return the scenario as a case for a case file, which expects what the oracle says."""
        found = self.solution
        turn = yaml.safe_load(turn_text(self.scenario.position, self.scenario.orders))
        results: dict[str, list[dict[str, str]]] = {}
        for power, order, result in found.results:
            results.setdefault(power, []).append({"order": write_order(order), "result": result})
        units: dict[str, list[str]] = {}
        for unit in sorted(found.units):
            units.setdefault(unit.power, []).append(unit_text(unit))
        expect = {
            "results": results,
            "dislodged": [
                {
                    "power": d.unit.power,
                    "unit": unit_text(d.unit),
                    "by": unit_text(d.by),
                    "retreats": list(d.retreats),
                }
                for d in found.dislodged
            ],
            "destroyed": [{"power": u.power, "unit": unit_text(u)} for u in found.destroyed],
            "units_after": units,
        }
        case = {"id": id_, "title": "Oracle: ...", **turn, "expect": expect}
        head = [f"# {point}" for point in self.points]
        written = yaml.safe_dump([case], sort_keys=False, default_flow_style=None, width=100)
        return "\n".join([*head, written])


def difference(scenario: Scenario) -> Difference | None:
    """Judge and oracle on one scenario; None if they agree in everything."""
    position = scenario.position
    solution = solve(position, scenario.orders)
    try:
        outcome = adjudicate(position, scenario.orders)
    except Exception as error:  # a judge that breaks down is a difference too
        return Difference(scenario, solution, (f"judge: {type(error).__name__}: {error}",))
    points = _list_unlike_results(outcome.results, solution.results)
    points += _list_differences("dislodged", _fates(outcome.dislodged), _fates(solution.dislodged))
    for unit in position.units:
        theirs, ours = outcome.attackers(unit), solution.attackers.get(unit, ())
        points += _list_differences(f"attackers of {unit.place}", _names(theirs), _names(ours))
    points += [
        f"{d.unit.place}: judge dislodged by {d.by.place}, none of its attackers"
        for d in outcome.dislodged
        if d.by not in outcome.attackers(d.unit)
    ]
    points += _list_differences("destroyed", _names(outcome.destroyed), _names(solution.destroyed))
    points += _list_differences("units after", _names(outcome.units), _names(solution.units))
    points += _list_differences("nobility", _points(outcome.nobility), _points(solution.nobility))
    return Difference(scenario, solution, tuple(points)) if points else None


def smallest(found: Difference) -> Difference:
    """Leave units and orders out as long as the difference in results stays."""
    again = True
    while again:
        again = False
        for scenario in _smaller(found.scenario):
            if (less := difference(scenario)) is not None:
                found, again = less, True
                break
    return found


def _smaller(scenario: Scenario) -> Iterator[Scenario]:
    position = scenario.position
    for unit in position.units:
        units = tuple(u for u in position.units if u != unit)
        yield _rename_orders(scenario, replace(position, units=units))
    for listed in scenario.orders.values():
        for order in listed:
            yield Scenario(position, _without_unit(scenario, order.unit))


def _rename_orders(scenario: Scenario, position: Position) -> Scenario:
    """Return the same orders on a position with fewer units, under the units' names there; orders
    to units that are gone are left out."""
    orders: dict[str, list[MovementOrder]] = {}
    for power, listed in scenario.orders.items():
        for order in listed:
            if find(scenario.position.units, order.unit) in position.units:
                orders.setdefault(power, []).append(_rename(order, scenario.position, position))
    return Scenario(position, orders)


def _rename(order: MovementOrder, old: Position, new: Position) -> MovementOrder:
    unit = _rename_unit(order.unit, old, new)
    match order:
        case Support(_, supported, to):
            return Support(unit, _rename_unit(supported, old, new), to)
        case Convoy(_, army, to):
            return Convoy(unit, _rename_unit(army, old, new), to)
    return replace(order, unit=unit)


def _rename_unit(name: str, old: Position, new: Position) -> str:
    """Return the name of the same unit in the new position; a name that is not the canonical one
    stays as it is, if it still means that unit."""
    if (unit := find(old.units, name)) is None or unit not in new.units:
        return name
    loose = name not in old.names and find(new.units, name) == unit
    return name if loose else new.name(unit)


def _without_unit(scenario: Scenario, name: str) -> dict[str, list[MovementOrder]]:
    """Return the orders without those to one unit; powers without orders are left out."""
    orders = {p: [o for o in listed if o.unit != name] for p, listed in scenario.orders.items()}
    return {power: listed for power, listed in orders.items() if listed}


def _list_unlike_results(
    theirs: Sequence[OrderOutcome], ours: Sequence[tuple[str, Order, str]]
) -> list[str]:
    """Return the orders whose results differ, compared as they are listed."""
    said = [(entry.power, entry.order, entry.result) for entry in theirs]
    if [entry[:2] for entry in said] != [entry[:2] for entry in ours]:
        return [f"listed otherwise: judge {said}, oracle {list(ours)}"]
    return [
        f"{power}: {write_order(order)}: judge {word}, oracle {right}"
        for (power, order, word), (_, _, right) in zip(said, ours, strict=True)
        if word != right
    ]


def _fates(dislodged: Iterable[Dislodged]) -> Counter[str]:
    return Counter(
        f"{d.unit.power} {d.unit} in {d.unit.place} to {', '.join(sorted(d.retreats)) or 'nowhere'}"
        for d in dislodged
    )


def _names(units: Iterable[Unit]) -> Counter[str]:
    return Counter(f"{u.power} {u} in {u.place}" for u in units)


def _points(nobility: Mapping[str, int]) -> Counter[str]:
    return Counter(f"{power} {points}" for power, points in nobility.items())


def _list_differences(what: str, theirs: Counter[str], ours: Counter[str]) -> list[str]:
    """Return what the judge and the oracle have apart from each other, as messages."""
    if theirs == ours:
        return []
    more, less = (sorted(some.elements()) for some in (theirs - ours, ours - theirs))
    return [f"{what}: judge alone {more}, oracle alone {less}"]
