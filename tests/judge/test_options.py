"""What may be ordered: legal orders, the check, picks and builds; rule by rule in ``rulings/``."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alexmagnum.board import load_board
from alexmagnum.judge import adjudicate
from alexmagnum.judge.checking import check_orders, list_reachable
from alexmagnum.judge.options import all_legal_orders, legal_orders, legal_orders_of
from alexmagnum.judge.other_phases import find_free_place, list_building_places
from alexmagnum.notation import read_canonical, write_order
from alexmagnum.orders import Move, Order, Pick, Support
from tests.units import place_units, read_unit

BOARD = load_board("alexmagnum")


def test_an_army_walks_and_holds() -> None:
    ends = [(b.a, b.b) for b in BOARD.borders if b.kind != "fleet" and "NOC" in (b.a, b.b)]
    beside = {end for pair in ends for end in pair} - {"NOC"}
    position = place_units("TOL A NOC")
    options = {write_order(order) for order in legal_orders(position, position.units[0])}
    assert options == {"A NOC H", *(f"A NOC - {to}" for to in beside)}


def test_all_orders_are_those_of_each_unit_however_the_units_are_listed() -> None:
    units = ("TOL F CRE", "TOL A ALE", "SEL F EGE#1", "NEU A MAM", "LIS F EGE#2", "TOL F EGI")
    position, turned = place_units(*units), place_units(*reversed(units))
    assert all_legal_orders(position) == {u: legal_orders(position, u) for u in position.units}
    assert list(all_legal_orders(position).items()) == list(all_legal_orders(turned).items())
    assert legal_orders_of(position, "TOL") == legal_orders_of(turned, "TOL")


def test_a_unit_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="A ALE"):
        legal_orders(place_units("TOL A NOC"), read_unit("TOL A ALE"))


def test_picks_of_candragrupta_are_bound_to_india() -> None:
    """R30."""
    position = place_units(phase="323-1", owners={"ALE": "SEL"})
    tolomeo, candragrupta = (
        {write_order(order) for order in legal_orders_of(position, power)}
        for power in ("TOL", "CAN")
    )
    assert candragrupta < tolomeo
    assert {BOARD.provinces[text[5:]].area for text in candragrupta} == {"india"}


# -- the check -----------------------------------------------------------------------------------


def test_a_number_that_nobody_bears_is_pointed_out() -> None:
    """R8: read as plain entry, and in a support as naming the sea alone."""
    position = place_units("TOL F CRE", "TOL F ATE", "SEL F EGE#1")
    orders: dict[str, list[Order]] = {
        "TOL": [Move("F CRE", "EGE#3"), Support("F ATE", "F CRE", "EGE#3")]
    }
    assert [[w.code for w in check.warnings] for check in check_orders(position, orders)] == [
        ["warn-no-such-number"],
        ["warn-support-no-number"],
    ]


def test_what_a_unit_could_do_instead_includes_rides_and_hauls() -> None:
    """R18, R23; and nothing for a power in revolt (R3)."""
    position = place_units("TOL F EGI", "TOL F BAB")
    sea, river = position.units
    assert "SUE" in list_reachable(position, sea)
    assert {"TAP", "COM", "EUF"} <= set(list_reachable(position, river))
    assert list_reachable(replace(position, nobility={"TOL": 0}), sea) == ()


def test_what_others_order_changes_no_check() -> None:
    """A check leaks nothing: it is the same whatever the other powers wrote."""
    full_sea = ("SEL F EGE#1", "LIS F EGE#2", "CAS F EGE#3")
    position = place_units("TOL F FEN", "TOL F CRE", "SEL G ISR", *full_sea)
    own = {"TOL": ["F FEN - SUE", "F CRE - EGE"]}
    others = {"SEL": ["G ISR - SIS", "F EGE#1 - CRE"], "CAS": ["F EGE#3 - ATE"]}
    alone = check_orders(position, read_canonical(own, position))
    among = check_orders(position, read_canonical({**own, **others}, position))
    assert alone == tuple(check for check in among if check.power == "TOL")


# -- picks and builds ----------------------------------------------------------------------------


PICKS = st.dictionaries(
    st.sampled_from([*BOARD.powers]),
    st.lists(
        st.sampled_from(["ALE", "BAB", "TAX", "LAH", "CIR", "FOC", "EGE"]).map(Pick), max_size=2
    ),
)


@given(PICKS, st.randoms(use_true_random=False))
def test_the_order_of_listing_does_not_matter(
    orders: Mapping[str, Sequence[Order]], shuffler: Random
) -> None:
    """Nor does who is listed first; the awards are those named just once by a valid pick."""
    listed = list(orders.items())
    shuffler.shuffle(listed)
    position = place_units(phase="323-1", owners={"LAH": "CAN"})
    one, other = adjudicate(position, orders), adjudicate(position, dict(listed))
    assert one.picks is not None
    assert one.picks == other.picks

    awarded, void = one.picks.awards, set(one.picks.void)
    assert len(set(awarded.values())) == len(awarded)
    assert not set(awarded) & void
    assert not set(awarded.values()) & set(one.picks.contested)
    for power in set(BOARD.powers) - void - set(awarded):
        last = orders[power][-1]
        assert isinstance(last, Pick)
        assert last.centre in one.picks.contested


def test_a_city_has_room_for_units_of_its_own_power() -> None:
    """R26, R28: beside one's own units only; R3: a power in revolt has no room at all."""
    board = BOARD.with_rules({"major_city_capacity": 2})
    owners = dict.fromkeys(("ALE", "BAB", "ATE", "MEN"), "TOL")
    units = ("TOL A ALE#2", "SEL A BAB")
    position = place_units(*units, board=board, phase="318-winter", owners=owners)
    assert set(list_building_places(position, "TOL")) == {"ALE", "ATE"}
    assert find_free_place(position, "ALE", "TOL") == 1
    assert find_free_place(position, "ALE", "TOL", (read_unit("TOL A ALE"),)) == 0
    assert find_free_place(position, "BAB", "TOL") == 0
    assert list_building_places(position, "NEU") == ()
    for phase in ("323-6", "318-spring-retreats"):
        revolt = place_units(phase=phase, owners={"ALE": "SEL"}, nobility={"SEL": 0})
        assert list_building_places(revolt, "SEL") == ()
