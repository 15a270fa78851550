"""What is true of every outcome of a movement phase, tried on drawn scenarios.

Most are true of ``PLAIN`` scenarios only: where units share a province, their numbers go by the
id of the power (R8).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from random import Random
from typing import NamedTuple

from hypothesis import assume, given
from hypothesis import strategies as st

from alexmagnum.board.geography import split_location
from alexmagnum.board.model import INDEPENDENT, Board
from alexmagnum.judge import adjudicate
from alexmagnum.judge.outcome import Outcome, Reason
from alexmagnum.orders import Convoy, Hold, Move, MovementOrder, Order, Support
from alexmagnum.position import Position, Unit
from tests.oracle.legality import find
from tests.scenarios import PLAIN, PROFILES, Orders, Scenario, scenarios, thoroughly
from tests.scenarios.model import load_paths

shuffles = st.randoms(use_true_random=False)
VOID = ("illegal", "invalid")


class Fates(NamedTuple):
    """An outcome without the order in which anything is listed."""

    results: frozenset[tuple[str, Order, str, Reason | None]]
    dislodged: frozenset[tuple[Unit, Unit, frozenset[str]]]
    destroyed: frozenset[Unit]
    attackers: frozenset[tuple[Unit, tuple[Unit, ...]]]
    units: frozenset[Unit]

    def without_reasons(self) -> Fates:
        """Return the same fates without their reasons."""
        results = frozenset((power, order, word, None) for power, order, word, _ in self.results)
        return self._replace(results=results)


def fates(position: Position, orders: Orders) -> Fates:
    """Return the judge's outcome of a position, ready to be compared."""
    outcome = adjudicate(position, orders)
    return Fates(
        frozenset(
            (entry.power, entry.order, entry.result, reason)
            for entry, reason in zip(outcome.results, outcome.reasons, strict=True)
        ),
        frozenset((d.unit, d.by, frozenset(d.retreats)) for d in outcome.dislodged),
        frozenset(outcome.destroyed),
        frozenset((unit, outcome.attackers(unit)) for unit in position.units),
        frozenset(outcome.units),
    )


def verdicts(scenario: Scenario) -> list[tuple[Unit, MovementOrder, str]]:
    """Return the unit, the order and the result of every order."""
    return [
        (r.unit, r.order, r.result)
        for r in adjudicate(scenario.position, scenario.orders).results
        if isinstance(r.order, MovementOrder) and r.unit is not None
    ]


def without(orders: Orders, gone: Order) -> Orders:
    """Return the orders without one of them."""
    return {power: [o for o in listed if o != gone] for power, listed in orders.items()}


def assert_idle(scenario: Scenario, idle: list[MovementOrder]) -> None:
    """Check that leaving out one of these orders changes no other result but for reasons."""
    before = fates(scenario.position, scenario.orders).without_reasons()
    for order in idle:
        others = frozenset(r for r in before.results if r[1] != order)
        after = fates(scenario.position, without(scenario.orders, order)).without_reasons()
        assert after == before._replace(results=others)


@thoroughly
@given(scenarios(), shuffles)
def test_listing_does_not_matter(scenario: Scenario, rng: Random) -> None:
    """Units, powers and orders may be listed in any order."""
    position, orders = scenario.position, scenario.orders
    units = rng.sample(position.units, len(position.units))
    powers = rng.sample(sorted(orders), len(orders))
    shuffled = {power: rng.sample(list(orders[power]), len(orders[power])) for power in powers}
    assert fates(replace(position, units=tuple(units)), shuffled) == fates(position, orders)


@thoroughly
@given(scenarios(*PLAIN), shuffles)
def test_powers_are_only_names(scenario: Scenario, rng: Random) -> None:
    """Powers that trade names trade fates, and nothing else changes."""
    position, orders = scenario.position, scenario.orders
    powers = sorted(position.board.powers)
    new = dict(zip(powers, rng.sample(powers, len(powers)), strict=True)) | {
        INDEPENDENT: INDEPENDENT
    }

    def renamed(unit: Unit) -> Unit:
        return replace(unit, power=new[unit.power])

    def told(reason: Reason | None) -> Reason | None:
        return reason and reason._replace(
            units=tuple(map(renamed, reason.units)), causes=tuple(map(renamed, reason.causes))
        )

    before = fates(position, orders)
    after = fates(
        replace(position, units=tuple(map(renamed, position.units))),
        {new[power]: listed for power, listed in orders.items()},
    )
    assert after.results == {
        (new[p], order, word, told(why)) for p, order, word, why in before.results
    }
    assert after.dislodged == {(renamed(u), renamed(by), to) for u, by, to in before.dislodged}
    assert after.destroyed == {renamed(unit) for unit in before.destroyed}
    assert after.attackers == {(renamed(u), tuple(map(renamed, by))) for u, by in before.attackers}
    assert after.units == {renamed(unit) for unit in before.units}


@thoroughly
@given(scenarios(*PLAIN))
def test_units_are_conserved(scenario: Scenario) -> None:
    """Every unit stands where it stood or where it was sent, or was dislodged or destroyed."""
    outcome = adjudicate(scenario.position, scenario.orders)
    moved = {
        r.unit: r.order.to.partition("/")[0]
        for r in outcome.results
        if isinstance(r.order, Move) and r.unit and r.result == "succeeds"
    }
    gone = {d.unit for d in outcome.dislodged} | set(outcome.destroyed)
    stay = [u for u in scenario.position.units if u not in gone]
    assert gone <= set(scenario.position.units)
    assert not gone & set(moved)
    assert sorted((u.power, u.kind, u.province) for u in outcome.units) == sorted(
        (u.power, u.kind, moved.get(u, u.province)) for u in stay
    )


@thoroughly
@given(scenarios(*PLAIN))
def test_no_province_holds_two_units(scenario: Scenario) -> None:
    """Provinces of one place keep one unit, and fleets stand on coasts that exist."""
    outcome = adjudicate(scenario.position, scenario.orders)
    provinces = [unit.province for unit in outcome.units]
    assert len(provinces) == len(set(provinces))
    assert not replace(scenario.position, units=outcome.units).problems()


@thoroughly
@given(scenarios(*PLAIN))
def test_only_winners_dislodge_and_never_their_own(scenario: Scenario) -> None:
    """Whoever dislodges a unit moved into its province, from elsewhere, for another power."""
    outcome = adjudicate(scenario.position, scenario.orders)
    arrived = {
        (r.unit, r.order.to.partition("/")[0])
        for r in outcome.results
        if isinstance(r.order, Move) and r.result == "succeeds"
    }
    for dislodged in outcome.dislodged:
        assert (dislodged.by, dislodged.unit.province) in arrived
        assert dislodged.by.power != dislodged.unit.power


@thoroughly
@given(scenarios(*PLAIN))
def test_results_fit_the_dislodgements(scenario: Scenario) -> None:
    """A dislodged unit did not stand, move, support or convoy; one that is not, did not fall."""
    outcome = adjudicate(scenario.position, scenario.orders)
    gone = {d.unit for d in outcome.dislodged} | set(outcome.destroyed)
    failed = {Hold: "dislodged", Move: "fails", Support: "cut", Convoy: "disrupted"}
    for unit, order, result in verdicts(scenario):
        if unit in gone:
            assert result in (failed[type(order)], *VOID)
        else:
            assert result != "dislodged"


@thoroughly
@given(scenarios(*PLAIN))
def test_retreats_are_open(scenario: Scenario) -> None:
    """A retreat goes over a border to an empty province, and not to where a land attack began."""
    outcome = adjudicate(scenario.position, scenario.orders)
    held = {unit.province for unit in outcome.units}
    ways = load_paths(scenario.position.board.id).ways
    for dislodged in outcome.dislodged:
        to = {place.partition("/")[0] for place in dislodged.retreats}
        assert set(dislodged.retreats) <= set(ways(dislodged.unit))
        assert not to & held
        by_land = any(
            way.partition("/")[0] == dislodged.unit.province for way in ways(dislodged.by)
        )
        convoys = [o for listed in scenario.orders.values() for o in listed]
        if by_land and not any(isinstance(o, Convoy) or "via" in repr(o) for o in convoys):
            assert dislodged.by.province not in to


@thoroughly
@given(scenarios("convoy", "circular"))
def test_an_army_fails_for_want_of_a_convoy_only_if_that_broke(scenario: Scenario) -> None:
    """With all its fleets at hand and nobody in the way, a convoyed army arrives."""
    judged = verdicts(scenario)
    moves = [(u, o) for u, o, r in judged if isinstance(o, Move) and r not in VOID]
    targets = [o.to.partition("/")[0] for _, o in moves]
    held = {unit.province for unit in scenario.position.units}
    for unit, order, result in judged:
        if not isinstance(order, Move) or unit.kind == "F" or result in VOID:
            continue
        words = {
            r
            for _, o, r in judged
            if isinstance(o, Convoy) and o.to == order.to
            if find(scenario.position.units, o.army) == unit
        }
        target = order.to.partition("/")[0]
        if words - set(VOID) == {"available"} and targets.count(target) == 1 and target not in held:
            assert result == "succeeds"


@thoroughly
@given(scenarios())
def test_void_supports_and_convoys_count_for_nothing(scenario: Scenario) -> None:
    """Without an illegal or invalid support or convoy order everything else stays the same."""
    assert_idle(
        scenario, [o for _, o, r in verdicts(scenario) if r in VOID and not isinstance(o, Move)]
    )


@thoroughly
@given(scenarios("mixed", "strength"))
def test_cut_supports_count_for_nothing(scenario: Scenario) -> None:
    """Without a cut support everything else stays the same, where nobody convoys: in a knot of
    convoys even a support that ends up cut decides whether there is a paradox."""
    judged = verdicts(scenario)
    assume(not any(isinstance(order, Convoy) for _, order, _ in judged))
    assert_idle(scenario, [o for _, o, r in judged if isinstance(o, Support) and r == "cut"])


@thoroughly
@given(scenarios(), shuffles)
def test_a_far_away_unit_changes_nothing(scenario: Scenario, rng: Random) -> None:
    """An army that holds where nobody is near and no order leads changes nothing for others."""
    position, orders = scenario.position, scenario.orders
    beside = load_paths(position.board.id).beside
    near = {unit.province for unit in position.units}
    for _ in range(2):
        near |= {q for p in near for q in beside(p)}
    text = repr(orders)
    free = [p for p in load_paths(position.board.id).lands if p not in near and p not in text]
    assume(free)
    hermit = Unit(rng.choice(sorted(position.board.powers)), "A", rng.choice(free))
    before = fates(position, orders)
    assert fates(replace(position, units=(*position.units, hermit)), orders) == before._replace(
        units=before.units | {hermit}, attackers=before.attackers | {(hermit, ())}
    )


# What is true of every outcome under the special rules (R8 to R24), tried on drawn scenarios.


SPECIAL = tuple(name for name in PROFILES if name not in PLAIN)
HAULED = ("EGI", "FEN", "SIS")
"""From where a fleet is hauled to SUE, and to where from there (R23)."""


def moves(scenario: Scenario) -> Iterator[tuple[Unit, str, str]]:
    """Return the unit, the destination as written and the result of every move that counts."""
    for entry in adjudicate(scenario.position, scenario.orders).results:
        void = entry.result in ("illegal", "invalid")
        if isinstance(entry.order, Move) and entry.unit and not void:
            yield entry.unit, entry.order.to, entry.result


def ends(scenario: Scenario) -> tuple[Outcome, dict[Unit, str]]:
    """Return the outcome, and by unit that moved the province that its result names."""
    ended = {}
    for unit, to, result in moves(scenario):
        province = split_location(to)[0]
        if result == "succeeds" and province != unit.province:
            ended[unit] = province
    return adjudicate(scenario.position, scenario.orders), ended


@thoroughly
@given(scenarios(*SPECIAL))
def test_never_more_than_the_capacity_and_every_number_once(scenario: Scenario) -> None:
    """R8: as many units as places, each with a number of its own; R26: of one power."""
    outcome = adjudicate(scenario.position, scenario.orders)
    assert not replace(scenario.position, units=outcome.units).problems()
    assert len({unit.place for unit in outcome.units}) == len(outcome.units)


@thoroughly
@given(scenarios(*SPECIAL))
def test_numbers_are_kept_by_who_stays_and_won_by_who_names(scenario: Scenario) -> None:
    """R8: a unit that stays keeps its number, one that wins a place takes that of the place."""
    outcome, ended = ends(scenario)
    gone = {d.unit for d in outcome.dislodged} | set(outcome.destroyed)
    stopped = {unit for unit, _, result in moves(scenario) if result == "stopped"}
    borne = {unit.place for unit in scenario.position.units}
    assert set(scenario.position.units) - gone - set(ended) - stopped <= set(outcome.units)
    for unit, to, result in moves(scenario):
        sea = scenario.position.board.province_of(to).is_sea
        if result == "succeeds" and unit in ended and sea and to in borne:
            assert Unit(unit.power, unit.kind, *split_location(to)) in outcome.units


@thoroughly
@given(scenarios("river", "medley"))
def test_an_express_ends_on_its_own_course(scenario: Scenario) -> None:
    """R18, R19: at its destination, or stopped on the way before it, or where it began."""
    outcome, ended = ends(scenario)
    stopped: dict[Unit, str] = {}
    for entry, reason in zip(outcome.results, outcome.reasons, strict=True):
        if entry.result == "stopped":
            assert entry.unit is not None
            assert isinstance(entry.order, Move)
            way = _way(scenario.position.board, entry.unit, entry.order)
            assert way[:-1].count(reason.stop) == 1
            stopped[entry.unit] = reason.stop
    gone = {d.unit for d in outcome.dislodged} | set(outcome.destroyed)
    stayed = set(scenario.position.units) - gone - set(ended) - set(stopped)
    new = _fleets((unit, unit.province) for unit in outcome.units)
    new.subtract(_fleets((unit, unit.province) for unit in stayed))
    new.subtract(_fleets(ended.items()))
    assert new == _fleets(stopped.items())


def _way(board: Board, unit: Unit, order: Move) -> tuple[str, ...]:
    """Return the provinces that an express enters; none if no river joins the two."""
    here, there = unit.province, split_location(order.to)[0]
    for river in board.rivers:
        if here in river.course and there in river.course:
            if (course := river.course).index(here) > course.index(there):
                course = course[::-1]
            return course[course.index(here) + 1 : course.index(there) + 1]
    return ()


def _fleets(where: Iterable[tuple[Unit, str]]) -> Counter[tuple[str, str]]:
    """Return how many fleets each power has in each province."""
    return Counter((unit.power, province) for unit, province in where if unit.kind == "F")


@thoroughly
@given(scenarios("portage", "medley"))
def test_the_gulf_and_the_red_sea_are_reached_over_the_sinai_alone(scenario: Scenario) -> None:
    """R23: whoever comes to Golfo di Suez or Mar Rosso was hauled, or was beyond the Sinai."""
    beyond = {"SUE", "ROS", "SIM", "TRO", "NAB"}
    outcome, ended = ends(scenario)
    stayed_on_sinai = [u for u in outcome.units if u.province == "SIS" and u not in ended]
    for unit, to in ended.items():
        if unit.kind == "F" and to in ("SUE", "ROS") and unit.province not in beyond:
            assert (to, unit.province in HAULED) == ("SUE", True)
            assert not [u for u in stayed_on_sinai if u in scenario.position.units and u != unit]


@thoroughly
@given(scenarios(*SPECIAL))
def test_every_unit_is_accounted_for(scenario: Scenario) -> None:
    """Moved, stayed, dislodged or destroyed: each unit exactly once, and none from nowhere."""
    outcome, ended = ends(scenario)
    gone = [d.unit for d in outcome.dislodged] + list(outcome.destroyed)
    stopped = [unit for unit, _, result in moves(scenario) if result == "stopped"]
    before = scenario.position.units
    assert len(set(gone)) == len(gone)
    assert set(gone) <= set(before)
    assert not set(gone) & (set(ended) | set(stopped))
    assert len(outcome.units) == len(before) - len(gone)
    left = [unit for unit in before if unit not in gone]
    assert _bodies(outcome.units) == _bodies(tuple(left))
    assert Counter(
        (u.power, ended.get(u, u.province)) for u in left if u not in stopped
    ) <= Counter((u.power, u.province) for u in outcome.units)


def _bodies(units: tuple[Unit, ...]) -> Counter[tuple[str, str]]:
    return Counter((unit.power, unit.kind) for unit in units)


@thoroughly
@given(scenarios(*SPECIAL))
def test_results_fit_what_happened(scenario: Scenario) -> None:
    """Destroyed on the haul means gone without a retreat; who is dislodged did not get away."""
    outcome, ended = ends(scenario)
    dislodged = {d.unit for d in outcome.dislodged}
    for entry in outcome.results:
        if entry.result == "destroyed":
            assert entry.unit in outcome.destroyed
        if entry.result in ("stopped", "destroyed"):
            assert entry.unit not in dislodged
        if entry.result in ("stands", "given", "available"):
            assert entry.unit not in dislodged
    for fallen in outcome.dislodged:
        by = outcome.attackers(fallen.unit)
        assert fallen.by in by
        assert all(attacker.power != fallen.unit.power for attacker in by)
        assert fallen.unit not in ended


@thoroughly
@given(scenarios(*SPECIAL))
def test_a_retreat_leads_over_a_border_to_where_there_is_room(scenario: Scenario) -> None:
    """R17: never within the sea, over the portage, along an express, or to an attacker's sector."""
    outcome = adjudicate(scenario.position, scenario.orders)
    board = scenario.position.board
    standing = Counter(unit.province for unit in outcome.units)
    for dislodged in outcome.dislodged:
        unit = dislodged.unit
        graph = board.fleet_graph if unit.kind == "F" else board.army_graph
        assert set(dislodged.retreats) <= set(graph[unit.location])
        for way in dislodged.retreats:
            province = board.province_of(way)
            assert standing[province.id] < province.capacity
            assert province.id != unit.province
