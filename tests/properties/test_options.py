"""The legal orders offered are just those that the judge takes, tried by brute force.

Every conceivable order is put to the judge; those that it takes are compared by what they mean,
for a meaning is offered in one form only.  What is left out on purpose is said here anew.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from itertools import islice

import pytest
from hypothesis import given

from alexmagnum import orders
from alexmagnum.board import load_board
from alexmagnum.board.tables import UnitNo
from alexmagnum.judge import adjudicate
from alexmagnum.judge.legality import Legality
from alexmagnum.judge.options import legal_orders, legal_orders_of
from alexmagnum.judge.outcome import SUCCEEDS
from alexmagnum.notation import order_in, read_order, write_order
from alexmagnum.play import play_game
from alexmagnum.position import Position
from alexmagnum.units import KINDS
from tests.properties.conceivable import conceivable
from tests.scenarios import SETTINGS, Scenario, scenarios
from tests.sizes import drawn, sampled, sized

few = drawn(9, 100, SETTINGS)


class _Judge:
    """The judge's legality, asked about the orders of one position; orders become meanings."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.board = position.board.tables
        self.units = position.tables
        self.legality = Legality(self.board, self.units)

    def meaning(self, order: orders.Order) -> Hashable:
        """Return what a legal order means that can do something; None for all others."""
        u = self.legality.find_unit(getattr(order, "unit", ""))
        if not self._ordered(u):
            return None
        if isinstance(order, orders.Move):
            return self._move(u, order)
        if isinstance(order, orders.Support):
            return self._support(u, order)
        if isinstance(order, orders.Convoy):
            fault, aim, to = self.legality.check_convoy(u, order)
            return None if fault or not self._ordered(aim) else ("C", u, aim, to)
        return ("H", u)

    def _ordered(self, u: UnitNo) -> bool:
        unit = self.units.units[u]
        return unit.power != "NEU" and not self.position.in_revolt(unit.power)

    def _move(self, u: UnitNo, order: orders.Move) -> Hashable:
        fault, to, _ = self.legality.check_move(u, order)
        if fault:
            return None
        plain = self.legality.check_move(u, orders.Move(order.unit, order.to))[2]
        instead = bool(self.units.army[u]) and plain == 0 and order.via_convoy
        return ("M", u, to, instead, self._named(u, order.to))

    def _named(self, u: UnitNo, to: str) -> int:
        """Return the unit that a destination names, where naming makes a difference; else -1."""
        named = self.legality.find_target(to)
        if named < 0 or self.board.is_sea[self.units.province[named]]:
            return named
        there = self.units.units_in[self.units.province[named]]
        foreign = [v for v in there if self.units.power[v] != self.units.power[u]]
        return named if len(foreign) > 1 else -1

    def _support(self, u: UnitNo, order: orders.Support) -> Hashable:
        fault, aim, to = self.legality.check_support(u, order)
        if fault:
            return None
        if order.to is None:
            return ("S", u, aim)
        if not self._ordered(aim):
            return None
        province, named = self.board.province_of[to], self._named(aim, order.to)
        if named == u or (named < 0 <= self.legality.find_target(order.to)):
            return None
        ways = [] if self.units.army[aim] else self.board.fleet_to[self.units.location[aim]]
        coasts = [way for way in ways if self.board.province_of[way] == province]
        if to not in coasts and to != province:
            return None if not self.units.army[aim] else ("S", u, aim, province, named)
        return ("S", u, aim, to if len(coasts) > 1 else province, named)


@few
@given(scenarios())
def test_in_movement_every_meaning_that_the_judge_takes_is_offered_once(scenario: Scenario) -> None:
    position = scenario.position
    judge = _Judge(position)
    offered = [
        judge.meaning(order) for unit in position.units for order in legal_orders(position, unit)
    ]
    assert None not in offered
    assert len(offered) == len(set(offered))
    assert set(offered) == {judge.meaning(order) for order in conceivable(position)} - {None}


@few
@given(scenarios())
def test_what_is_offered_is_never_called_illegal(scenario: Scenario) -> None:
    """Each order by itself, put to the whole judge."""
    position = scenario.position
    for power in position.board.powers:
        for order in islice(legal_orders_of(position, power), 0, None, 7):
            (result,) = adjudicate(position, {power: [order]}).results
            assert result.result != "illegal", order


@few
@given(scenarios())
def test_what_is_offered_reads_back_in_both_languages(scenario: Scenario) -> None:
    """The texts are canonical, so that a sheet of orders can be mailed."""
    position = scenario.position
    for power in position.board.powers:
        for order in islice(legal_orders_of(position, power), 0, None, 5):
            for lang in ("it", "en"):
                assert read_order(order_in(write_order(order), lang), position, power) == order


# -- the other phases ---------------------------------------------------------------------------


def _positions(seed: int, switches: dict[str, int]) -> Iterator[Position]:
    """Yield some positions of a game: of each kind but movement."""
    found: Counter[str] = Counter()
    for played in islice(play_game(load_board("alexmagnum").with_rules(switches), seed), 60):
        kind = played.position.phase.kind
        found[kind] += 1
        if kind != "movement" and found[kind] <= sized(1, 3):
            yield played.position


def _all_orders(position: Position, power: str) -> Iterator[orders.Order]:
    """Return every order of the phases without moves that can be written about a position."""
    board = position.board
    names = [position.name(unit) for unit in position.orderable]
    for name in names if position.phase.kind in ("retreats", "winter") else ():
        yield from (orders.Disband(name), orders.Remove(name))
        yield from (orders.Retreat(name, to) for to in board.tables.location_names)
    yield orders.Waive()
    yield from (orders.Pick(centre) for centre in board.centres)
    for at in board.tables.location_names:
        province = board.province_of(at)
        if position.owners.get(province.id) == power or province.major:
            yield from (orders.Build(f"{kind} {at}") for kind in KINDS)


def _meanings(position: Position, power: str, given: Iterable[orders.Order]) -> list[Hashable]:
    """Return what each order of a power comes to by itself, of those that come to anything."""
    found: list[Hashable] = []
    for order in given:
        if (outcome := adjudicate(position, {power: [order]})).results[0].result == SUCCEEDS:
            what = getattr(order, "centre", None) or getattr(order, "to", None)
            kind = getattr(order, "unit", "")[:1]  # one army alone would be crowned (R31)
            found.append((type(order), kind, outcome.results[0].unit, what))
    return found


@sampled
@pytest.mark.parametrize("switches", [{}, {"major_city_capacity": 2}][: sized(1, 2)])
def test_in_the_other_phases_every_order_that_succeeds_is_offered_once(
    switches: dict[str, int],
) -> None:
    for position in _positions(11, switches):
        for power in islice(position.board.powers, 0, None, sized(3, 1)):
            offered = _meanings(position, power, legal_orders_of(position, power))
            wanted = _meanings(position, power, _all_orders(position, power))
            if position.phase.kind == "deployment" and len(offered) == 0:
                wanted = []  # waiving where nothing can be placed
            assert len(offered) == len(set(offered))
            assert set(offered) == set(wanted)
