"""The counts are those recorded, and right: by another judge, by brute force, and by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations_with_replacement, product

import pytest

from alexmagnum.judge import adjudicate
from alexmagnum.judge.options import legal_orders_of
from alexmagnum.judge.outcome import SUCCEEDS
from alexmagnum.orders import Hold, Order, Waive
from alexmagnum.position import Position
from alexmagnum.whatif.perft import State, choices, joint_sets, perft, state_after
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

BY_HAND = {
    # PAR: 1 hold, 4 moves, 1 support of BUR to hold, 2 of its moves to PIC and GAS: 8. BUR: 1 hold,
    # 7 moves, 1 support of PAR to hold, 2 to PIC and GAS: 11. 8 x 11 = 88 sets.
    # PAR ends in 5 places, BUR in 8: 40 pairs, of which 5 leave both where they were besides the
    # one in which neither moves: both to PIC, both to GAS, PAR at BUR that stays or attacks it, and
    # BUR at PAR that stays.
    "two-armies": (88, 40 - 5),
    # Each: 1 hold, 3 moves (SUR, BAR, MAB), 1 attack on the other, 1 support of it to hold, 4 of
    # its moves (those three, and its attack, by the sea's name alone): 10. 10 x 10 = 100 sets.
    # An attack of strength 1 dislodges nobody. Each ends in 4 places; both in SUR or both in BAR
    # bounce, and leave them where they were; the sea MAB takes both (R9). 16 - 2 = 14.
    "sea-of-two": (100, 14),
    # The fleet in FOI: 1 hold, 4 moves (GED, RAY, SUR, MAB), 3 expresses (MAL, TAX, GAN), 1 support
    # of the army to RAY: 9. The army in MAL: 1 hold, 3 moves (LAH, TAX, RAY), 2 supports of the
    # fleet (RAY, TAX): 6. 9 x 6 = 54 sets.
    # The fleet in FOI, GED, SUR, MAB: the army in any of 4 places, 16. The fleet to RAY: the army
    # in MAL, LAH, TAX, 3 more (both to RAY bounce). To MAL: the army gone to LAH or TAX, 2 more; if
    # it stays the fleet stops in RAY (R19), if it comes to RAY both stay (R21a). To TAX and to GAN:
    # the army gone to LAH, 1 more each; behind the army on its way to TAX it stops in MAL (R21).
    "express": (54, 16 + 3 + 2 + 1 + 1),
    # The fleet in SIS: 1 hold, 4 moves (ISR, FOC, EGI, FEN), 1 haul to SUE, 1 support of the army
    # to ISR: 7. The army in SIM: 1 hold, 3 moves (ISR, NAB, SIS), 1 support of the fleet to hold, 1
    # to ISR: 6. 7 x 6 = 42 sets.
    # The fleet in SIS: the army in SIM, NAB, ISR, 3. To ISR: in SIM, NAB, SIS, 3 more (both to ISR
    # bounce). To FOC, EGI, FEN: in any of 4 places, 12. To SUE: in SIM, NAB, ISR, 3; and on its way
    # to SIS it destroys the fleet and gets in, 1 (R24).
    "portage": (42, 3 + 3 + 12 + 3 + 1),
    # 2 ways, 1 way, 2 ways, or disband: 3 x 2 x 3 = 18 sets.
    # Both to GAS (the other one's 2 choices) and both to BUR (3 choices) are lost as if they had
    # disbanded, which counts once: 18 - 2 - 3 = 13.
    "retreats": (18, 13),
    # R17: 1 way, 2 ways, 2 ways, or disband: 2 x 3 x 3 = 18 sets.
    # All three to ADR are lost, and so are both to ETO (the first one's 2 choices): 18 - 1 - 2 =
    # 15.
    "retreats-into-a-sea": (18, 15),
    # TOL, 3 due, builds A, F, G or nothing in ALE and MEN, the general once: 3 x 3 + 2 x 3 = 15.
    # SEL removes one of 3 units. All differ: 45.
    "winter-of-alex-magnum": (15 * 3, 45),
    # R30: five powers name one of two centres or none: 3 to the fifth.
    # Each centre goes to one of the five or to nobody, the two not to the same: 6 x 6 - 5.
    "picks": (3**5, 31),
    # R31: TOL places A, F, G or nothing in 3 centres, the general once: 27 + 3 x 9 = 54 sets; SEL
    # 4.
    # Without a general the first army is one, or among fleets alone the first: so TOL has a general
    # (3 centres, A, F or nothing in the others: 27) or no unit at all, SEL a general or nothing.
    "deployment": (54 * 4, (27 + 1) * 2),
}
"""Joint order sets and distinct outcomes, with how they were counted."""


@pytest.mark.parametrize("name", BY_HAND)
def test_the_counts_are_those_made_by_hand(name: str) -> None:
    tally = perft(POSITIONS[name])

    assert (tally.sets, len(tally.states)) == BY_HAND[name]


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
    position = replace(POSITIONS["winter"], units=(), owners={})
    tally = perft(position)

    assert (tally.sets, len(tally.states)) == (1, 1)


def test_results_and_losses_are_summed_over_all_sets() -> None:
    """One fleet, caught in the one set in which it is hauled and the army comes (R24)."""
    tally = perft(POSITIONS["portage"])

    assert tally.losses["destroyed"] == tally.results["destroyed"] == 1
    assert tally.results.total() == 2 * tally.sets
