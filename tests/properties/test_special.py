"""What is true of every outcome under the special rules (R8 to R24), tried on drawn scenarios."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from hypothesis import given

from alexmagnum.board.geography import split_location
from alexmagnum.board.model import Board
from alexmagnum.judge import adjudicate
from alexmagnum.judge.outcome import Outcome
from alexmagnum.orders import Move
from alexmagnum.position import Unit
from tests.scenarios import PLAIN, PROFILES, Scenario, scenarios, thoroughly

SPECIAL = tuple(name for name in PROFILES if name not in PLAIN)
HAULED = ("EGI", "FEN", "SIS")
"""From where a fleet is hauled to SUE, and to where from there (R23)."""


def moves(scenario: Scenario) -> Iterator[tuple[Unit, str, str]]:
    """Return the unit, the destination as written and the result of every move that counts."""
    outcome = adjudicate(scenario.position, scenario.orders)
    for entry in outcome.results:
        void = entry.result in ("illegal", "invalid")
        if isinstance(entry.order, Move) and entry.unit and not void:
            yield entry.unit, entry.order.to, entry.result


def ends(scenario: Scenario) -> tuple[Outcome, dict[Unit, str]]:
    """Return the outcome, and by unit that moved the province that its result names."""
    outcome = adjudicate(scenario.position, scenario.orders)
    ended = {}
    for unit, to, result in moves(scenario):
        province = split_location(to)[0]
        if result == "succeeds" and province != unit.province:
            ended[unit] = province
    return outcome, ended


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
    stayed = set(scenario.position.units) - gone - set(ended) - stopped
    borne = {unit.place for unit in scenario.position.units}

    assert stayed <= set(outcome.units)
    for unit, to, result in moves(scenario):
        sea = scenario.position.board.province_of(to).is_sea
        if result == "succeeds" and unit in ended and sea and to in borne:
            assert Unit(unit.power, unit.kind, *_place(to)) in outcome.units


def _place(to: str) -> tuple[str, str, int]:
    return split_location(to)


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
            course = river.course
            if course.index(here) > course.index(there):
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
            others = [u for u in stayed_on_sinai if u in scenario.position.units and u != unit]
            assert not others


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
