"""The counts are those recorded, and right: by another judge, by brute force, and by hand."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations_with_replacement, product
from pathlib import Path

import pytest

from alexmagnum.judge import adjudicate
from alexmagnum.judge.options import legal_orders_of
from alexmagnum.judge.outcome import SUCCEEDS
from alexmagnum.orders import Hold, Order, Waive
from alexmagnum.position import Position
from alexmagnum.whatif.perft import State, choices, joint_sets, perft, state_after
from tests.case_library import read_yaml
from tests.oracle import Solution, solve
from tests.perft import count_figures, load_positions, load_recorded
from tests.properties.conceivable import conceivable_of
from tests.sizes import one_in

POSITIONS = load_positions()


def _movement(most: int) -> dict[str, Position]:
    """Return the movement positions with no more joint order sets than this."""
    return {
        name: position
        for name, position in POSITIONS.items()
        if position.phase.kind == "movement" and joint_sets(choices(position)) <= most
    }


# -- as recorded: whatever changes them was meant to, and is recorded anew ------------------------


@pytest.mark.parametrize("name", POSITIONS)
def test_the_counts_are_those_recorded(name: str) -> None:
    assert count_figures(POSITIONS[name]) == load_recorded()[name]


def test_nothing_is_recorded_of_a_position_that_is_gone() -> None:
    assert load_recorded().keys() == POSITIONS.keys()


def test_every_kind_of_phase_is_counted() -> None:
    kinds = {position.phase.kind for position in POSITIONS.values()}
    assert kinds == {"movement", "retreats", "winter", "picks", "deployment"}


# -- by another judge ---------------------------------------------------------------------------


def _solve_all(position: Position) -> Iterator[Solution]:
    """Return the outcome of each joint order set, by the slow judge."""
    found = choices(position)
    for joint in product(*(choice.orders for choice in found)):
        orders: dict[str, list[Order]] = {}
        for choice, order in zip(found, joint, strict=True):
            orders.setdefault(choice.power, []).append(order)
        yield solve(position, orders)


def _state(solution: Solution) -> State:
    return State(
        frozenset(solution.units),
        frozenset((d.unit, frozenset(d.retreats)) for d in solution.dislodged),
        frozenset(solution.destroyed),
        tuple(solution.nobility.items()),
        (),
    )


@pytest.mark.parametrize("name", one_in(6, _movement(3000)))
def test_the_slow_judge_finds_the_same_outcomes_and_results(name: str) -> None:
    solutions = list(_solve_all(POSITIONS[name]))
    tally = perft(POSITIONS[name])
    assert {_state(solution) for solution in solutions} == tally.states
    assert Counter(word for s in solutions for _, _, word in s.results) == tally.results


# -- by brute force -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", one_in(8, [n for n in _movement(200) if len(POSITIONS[n].units) == 2])
)
def test_no_order_that_can_be_written_comes_to_anything_else(name: str) -> None:
    """Each unit in turn is given every conceivable order, the others their legal ones."""
    position = POSITIONS[name]
    units = {position.name(unit): unit.power for unit in position.units}
    legal: dict[str, Iterable[Order]] = dict.fromkeys(units, ())
    legal |= {position.name(c.unit): c.orders for c in choices(position) if c.unit}
    tried = set()
    for free in units:
        given = {**legal, free: conceivable_of(position, free)}
        for joint in product(*(given[unit] or [Hold(unit)] for unit in units)):
            orders: dict[str, list[Order]] = {}
            for power, order in zip(units.values(), joint, strict=True):
                orders.setdefault(power, []).append(order)
            tried.add(state_after(adjudicate(position, orders)))
    assert tried == perft(position).states


def _list_succeeding_sets(position: Position, power: str, most: int) -> set[tuple[Order, ...]]:
    """Return every set of a power's orders, up to a size, all of which succeed together."""
    orders = [o for o in legal_orders_of(position, power) if not isinstance(o, Waive)]
    tried = (
        given for count in range(most + 1) for given in combinations_with_replacement(orders, count)
    )
    return {
        given
        for given in tried
        if all(e.result == SUCCEEDS for e in adjudicate(position, {power: given}).results)
    }


@pytest.mark.parametrize(
    ("name", "power", "most"),
    [
        ("winter", "Russia", 3),
        ("winter-of-alex-magnum", "TOL", 3),
        ("winter-in-a-city-of-two", "TOL", 4),
        ("deployment", "TOL", 4),
    ],
)
def test_the_sets_of_builds_are_those_that_succeed_as_a_whole(
    name: str, power: str, most: int
) -> None:
    """``most``: one more than can be built, or as many as are due."""
    (choice,) = choices(POSITIONS[name], [power])
    offered = [_without_waives(given) for given in choice.alternatives()]
    assert len(offered) == len(set(offered)) == choice.count
    assert set(offered) == _list_succeeding_sets(POSITIONS[name], power, most)


def _without_waives(given: Iterable[Order]) -> tuple[Order, ...]:
    return tuple(order for order in given if not isinstance(order, Waive))


def test_waives_fill_up_what_a_winter_leaves_unbuilt() -> None:
    """Three are due: a centre for two units, two for one, and one unit stands."""
    (choice,) = choices(POSITIONS["winter-of-alex-magnum"], ["TOL"])
    assert {len(given) for given in choice.alternatives()} == {3}


@pytest.mark.parametrize("name", POSITIONS)
def test_there_are_as_many_alternatives_as_are_count_outcomes(name: str) -> None:
    for choice in choices(POSITIONS[name]):
        listed = list(choice.alternatives())
        assert len(listed) == len(set(listed)) == choice.count


# -- by hand ------------------------------------------------------------------------------------

BY_HAND = read_yaml(Path(__file__).with_name("by_hand.yaml"))
"""Joint order sets and distinct outcomes, with how they were counted."""


@pytest.mark.parametrize("name", BY_HAND)
def test_the_counts_are_those_made_by_hand(name: str) -> None:
    tally = perft(POSITIONS[name])
    assert [tally.sets, len(tally.states)] == BY_HAND[name]


# -- what is counted ----------------------------------------------------------------------------


def test_garrisons_and_revolts_have_nothing_to_decide() -> None:
    """R3, R27."""
    assert {c.power for c in choices(POSITIONS["revolt"])} == {"SEL"}
    assert {c.power for c in choices(POSITIONS["general-and-garrison"])} == {"CAN"}


def test_of_some_powers_alone_the_others_hold() -> None:
    position = POSITIONS["two-armies"]
    tally = perft(position, ["France"])
    assert tally.sets == 8
    assert all(unit in state.units for state in tally.states for unit in position.units[1:])


def test_nobody_with_anything_to_do_is_one_set_with_one_outcome() -> None:
    tally = perft(replace(POSITIONS["winter"], units=(), owners={}))
    assert (tally.sets, len(tally.states)) == (1, 1)


def test_results_and_losses_are_summed_over_all_sets() -> None:
    """One fleet, caught in the one set in which it is hauled and the army comes (R24)."""
    tally = perft(POSITIONS["portage"])
    assert tally.losses["destroyed"] == tally.results["destroyed"] == 1
    assert tally.results.total() == 2 * tally.sets
