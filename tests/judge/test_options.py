"""The legal orders of a unit and of a power, rule by rule, in every kind of phase."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from alexmagnum.board import load_board
from alexmagnum.board.model import Board
from alexmagnum.judge.options import all_legal_orders, legal_orders, legal_orders_of
from alexmagnum.judge.other_phases import list_building_rooms
from alexmagnum.notation import write_order
from alexmagnum.orders import Order
from alexmagnum.position import Dislodged, Phase, Position, Unit

BOARD = load_board("alexmagnum")
STANDARD = load_board("standard")
TWO_PLACES = BOARD.with_rules({"major_city_capacity": 2})


def _unit(text: str) -> Unit:
    """Return a unit from a text such as ``TOL G ALE``, ``SEL F EGE#2`` or ``Russia F STP/NC``."""
    power, kind, place = text.split()
    province, _, number = place.partition("#")
    province, _, coast = province.partition("/")
    return Unit(power, kind, province, coast, int(number or 1))


def _position(*units: str, board: Board = BOARD) -> Position:
    return Position(board, Phase(318, "spring"), tuple(map(_unit, units)))


def _texts(orders: Iterable[Order]) -> set[str]:
    return {write_order(order) for order in orders}


def _options(*units: str, board: Board = BOARD) -> set[str]:
    """Return the legal orders of the first of some units."""
    position = _position(*units, board=board)
    return _texts(legal_orders(position, position.units[0]))


def _moves(options: set[str]) -> set[str]:
    return {text for text in options if text[5:].startswith((" - ", "#")) and " S " not in text}


# -- movement: moves ----------------------------------------------------------------------------


def test_an_army_walks_and_holds() -> None:
    assert _options("TOL A NOC", board=BOARD) == {
        "A NOC H",
        *(f"A NOC - {to.id}" for to in BOARD.provinces.values() if to.id in _beside("NOC")),
    }


def _beside(province: str) -> set[str]:
    ends = [(b.a, b.b) for b in BOARD.borders if b.kind != "fleet" and province in (b.a, b.b)]
    return {end for pair in ends for end in pair} - {province}


def test_a_fleet_may_enter_a_sea_plainly_or_name_any_fleet_of_it() -> None:
    """R9, R11: one's own fleet there as well, for it may leave."""
    options = _options("TOL F CRE", "SEL F EGE#1", "TOL F EGE#3")

    assert {"F CRE - EGE", "F CRE - EGE#1", "F CRE - EGE#3"} <= options
    assert "F CRE - EGE#2" not in options


def test_a_fleet_may_attack_another_of_its_own_sea_by_its_number_alone() -> None:
    """R11a."""
    options = _options("TOL F EGE#1", "SEL F EGE#2")

    assert "F EGE#1 - EGE#2" in options
    assert not {"F EGE#1 - EGE", "F EGE#1 - EGE#1"} & options


def test_an_express_leads_to_every_territory_of_the_river() -> None:
    """R18; from a mouth of one river nothing leads into another."""
    nile = next(river for river in BOARD.rivers if "FOC" in river.course)
    options = _options("TOL F FOC")

    assert {f"F FOC - {to}" for to in nile.course if to != "FOC"} <= options
    assert not {f"F FOC - {to}" for to in ("BAB", "OPI")} & options


def test_a_fleet_is_hauled_over_the_sinai_both_ways() -> None:
    """R23; a fleet of the destination may be named."""
    assert {"F EGI - SUE", "F EGI - SUE#1"} <= _options("TOL F EGI", "SEL F SUE")
    assert {"F SUE - EGI", "F SUE - FEN", "F SUE - SIS"} <= _options("TOL F SUE")


def test_an_army_goes_by_convoy_where_fleets_join_the_shores() -> None:
    assert "A ALE - CRE" in _options("TOL A ALE", "SEL F EGI", "SEL F LIB")
    assert "A ALE - CRE" not in _options("TOL A ALE")


def test_by_convoy_is_offered_beside_walking_and_only_there() -> None:
    """Where the army could not walk, it goes by convoy without saying so."""
    options = _options("England A BEL", "England F NTH", board=STANDARD)

    assert {"A BEL - HOL", "A BEL - HOL via convoy", "A BEL - LON"} <= options
    assert "A BEL - LON via convoy" not in options


def test_a_coast_is_named_only_where_there_is_a_choice() -> None:
    options = _options("France F MAO", board=STANDARD)

    assert {"F MAO - SPA/NC", "F MAO - SPA/SC", "F MAO - POR"} <= options
    assert "F MAO - SPA" not in options
    assert _moves(_options("France A POR", board=STANDARD)) == {"A POR - SPA"}


def test_in_a_city_of_two_a_unit_is_named_where_two_foreign_ones_stand() -> None:
    """R26."""
    one = _options("TOL A NOC", "SEL A ALE", board=TWO_PLACES)
    two = _options("TOL A NOC", "SEL A ALE#1", "SEL A ALE#2", board=TWO_PLACES)

    assert not {text for text in one if "ALE#" in text and " - " in text}
    assert {"A NOC - ALE", "A NOC - ALE#1", "A NOC - ALE#2"} <= two


# -- movement: supports and convoys -------------------------------------------------------------


def test_any_unit_beside_is_supported_to_hold_garrisons_too() -> None:
    """R27."""
    options = _options("TOL A NOC", "SEL G ALE", "NEU A MAM")

    assert "A NOC S G ALE" in options
    assert ("A NOC S A MAM" in options) == ("MAM" in _beside("NOC"))


def test_support_of_an_entry_names_the_sea_alone_or_one_of_its_fleets() -> None:
    """R14: with the sea alone it helps whichever fleet the move names."""
    options = _options("TOL F CRE", "TOL F ICA", "SEL F EGE#1", "LIS F EGE#2")

    assert {f"F CRE S F ICA - {to}" for to in ("EGE", "EGE#1", "EGE#2")} <= options


def test_a_fleet_supports_into_its_own_sea_but_no_attack_on_itself() -> None:
    """R14."""
    options = _options("TOL F EGE#1", "TOL F ICA", "SEL F EGE#2")

    assert {"F EGE#1 S F ICA - EGE", "F EGE#1 S F ICA - EGE#2", "F EGE#1 S F EGE#2"} <= options
    assert "F EGE#1 S F ICA - EGE#1" not in options


def test_an_attack_from_inside_is_supported_from_beside() -> None:
    """R11a."""
    options = _options("TOL F CRE", "TOL F EGE#1", "SEL F EGE#2")

    assert {"F CRE S F EGE#1 - EGE#2", "F CRE S F EGE#1 - EGE", "F CRE S F EGE#1"} <= options
    assert "F CRE S F EGE#1 - EGE#1" not in options


def test_express_and_portage_are_supported_by_who_touches_their_destination() -> None:
    """R14, R19, R23: support is given across a border, never along the way."""
    river = next(river for river in BOARD.rivers if river.course[0] == "FOC").course
    far = _options(f"TOL A {river[-1]}", "TOL F FOC")
    beside = _options(f"TOL A {river[-2]}", "TOL F FOC")

    assert f"A {river[-2]} S F FOC - {river[-1]}" in beside
    assert f"A {river[-1]} S F FOC - {river[-2]}" in far
    assert "F SIM S F EGI - SUE" in _options("TOL F SIM", "TOL F EGI")
    assert not {o for o in _options("TOL F EGI", "TOL F FEN") if "- SUE" in o and " S " in o}


def test_an_army_that_comes_by_convoy_is_supported_but_not_by_its_only_carrier() -> None:
    """DATC 6.D.31."""
    units = ("England A LON", "England F NTH")
    alone = _options(*reversed(units), board=STANDARD)

    assert "A BEL S A LON - HOL" in _options("France A BEL", *units, board=STANDARD)
    assert "F NTH C A LON - HOL" in alone
    assert "F NTH S A LON - HOL" not in alone


def test_support_names_a_coast_where_the_fleet_has_the_choice() -> None:
    """DATC 6.B.9."""
    options = _options("Italy F LYO", "France F MAO", board=STANDARD)

    assert {f"F LYO S F MAO - {to}" for to in ("SPA", "SPA/NC", "SPA/SC")} <= options


def test_a_fleet_at_sea_convoys_armies_of_any_power_where_it_can_be_of_use() -> None:
    options = _options("TOL F EGI", "SEL G ALE", "NEU A CIP")

    assert "F EGI C G ALE - FOC" in options
    assert not {text for text in options if " C A CIP" in text}


def test_a_fleet_on_a_coast_or_in_a_river_convoys_nothing() -> None:
    """R7, R18."""
    assert not {text for text in _options("TOL F FOC", "TOL A ALE") if " C " in text}


def test_a_chain_of_fleets_convoys_to_where_no_fleet_of_it_touches_both_shores() -> None:
    options = _options("England F NTH", "England F NWG", "England A LON", board=STANDARD)

    assert {"F NTH C A LON - NWY", "F NTH C A LON - CLY"} <= options
    assert "F NTH C A LON - CLY" not in _options("England F NTH", "England A LON", board=STANDARD)


def test_garrisons_and_powers_in_revolt_order_nothing() -> None:
    """R3, R27: nor can their moves be supported, or their armies convoyed."""
    units = tuple(map(_unit, ("TOL A ALE", "SEL A NOC", "TOL F EGI", "SEL F LIB")))
    position = Position(BOARD, Phase(318, "spring"), units, nobility={"TOL": 0})
    offered = _texts(legal_orders_of(position, "SEL"))

    assert legal_orders_of(position, "TOL") == ()
    assert "A NOC S A ALE" in offered
    assert not {text for text in offered if " ALE - " in text or " EGI - " in text}
    assert _options("NEU A ALE") == set()


def test_the_result_does_not_depend_on_the_order_of_listing() -> None:
    units = ("TOL F CRE", "TOL A ALE", "SEL F EGE#1", "LIS F EGE#2", "TOL F EGI")

    assert legal_orders_of(_position(*units), "TOL") == legal_orders_of(
        _position(*reversed(units)), "TOL"
    )


def test_all_units_at_once_are_told_the_same_as_each_alone() -> None:
    position = _position("TOL F CRE", "TOL A ALE", "SEL F EGE#1", "NEU A MAM", "TOL F EGI")

    assert all_legal_orders(position) == {u: legal_orders(position, u) for u in position.units}


def test_all_at_once_are_sorted_however_they_are_listed() -> None:
    units = ("TOL F CRE", "TOL A ALE", "SEL F EGE#1")

    assert list(all_legal_orders(_position(*units))) == list(
        all_legal_orders(_position(*reversed(units)))
    )


def test_a_unit_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="A ALE"):
        legal_orders(_position("TOL A NOC"), _unit("TOL A ALE"))


# -- retreats -----------------------------------------------------------------------------------


def _dislodged(
    board: Board, units: Iterable[str], *beaten: tuple[str, str, tuple[str, ...]]
) -> Position:
    return Position(
        board,
        Phase(318, "spring", retreats=True),
        tuple(map(_unit, units)),
        dislodged=tuple(Dislodged(_unit(unit), _unit(by), ways) for unit, by, ways in beaten),
    )


def test_a_dislodged_unit_retreats_where_a_way_is_open_or_disbands() -> None:
    position = _dislodged(BOARD, ["SEL A NOC"], ("TOL A NOC", "SEL A ALE", ("MEN", "FOC")))

    assert _texts(legal_orders_of(position, "TOL")) == {
        "A NOC - MEN",
        "A NOC - FOC",
        "Disband A NOC",
    }
    assert legal_orders_of(position, "SEL") == ()


def test_two_dislodged_from_one_sea_are_told_apart_by_their_numbers() -> None:
    """R8."""
    position = _dislodged(
        BOARD,
        ["SEL F EGE#1", "SEL F EGE#2"],
        ("TOL F EGE#1", "SEL F CRE", ("ICA",)),
        ("TOL F EGE#2", "SEL F ATE", ()),
    )

    assert _texts(legal_orders_of(position, "TOL")) == {
        "F EGE#1 - ICA",
        "Disband F EGE#1",
        "Disband F EGE#2",
    }
    assert _texts(legal_orders(position, position.dislodged[1].unit)) == {"Disband F EGE#2"}


def test_options_of_all_dislodged_units_come_together() -> None:
    beaten = ("TOL A NOC", "SEL A ALE", ("MEN",))
    position = _dislodged(BOARD, ["SEL A NOC"], beaten, ("LIS A CIP", "SEL F CRE", ()))

    assert {unit.power: _texts(o) for unit, o in all_legal_orders(position).items()} == {
        "TOL": {"A NOC - MEN", "Disband A NOC"},
        "LIS": {"Disband A CIP"},
    }


# -- winter -------------------------------------------------------------------------------------


def _winter(board: Board, power: str, centres: str, *units: str, homes: str = "") -> Position:
    return Position(
        board,
        Phase(318, "winter"),
        tuple(map(_unit, units)),
        owners=dict.fromkeys(centres.split(), power),
        homes={power: tuple(homes.split())},
    )


def test_builds_are_offered_in_free_building_centres_the_general_once() -> None:
    """R1, R28: a centre that is no home and no major city builds nothing."""
    position = _winter(BOARD, "TOL", "ALE MEN CIP", homes="MEN")
    with_general = _winter(BOARD, "TOL", "ALE MEN CIP", "TOL G NOC", homes="MEN")
    offered = _texts(legal_orders_of(position, "TOL"))

    assert {"Build A ALE", "Build F ALE", "Build G ALE", "Build A MEN", "Waive"} <= offered
    assert not {text for text in offered if "CIP" in text}
    assert "Build G ALE" not in _texts(legal_orders_of(with_general, "TOL"))


def test_a_fleet_is_built_on_a_coast_that_it_names() -> None:
    offered = _texts(legal_orders_of(_winter(STANDARD, "Russia", "STP MOS"), "Russia"))

    assert {"Build A STP", "Build F STP/NC", "Build F STP/SC"} <= offered
    assert not {"Build F STP", "Build F MOS", "Build G MOS"} & offered


def test_removals_are_offered_where_one_is_due_and_nothing_else() -> None:
    """R32: the unit's own options are its removal."""
    position = _winter(BOARD, "TOL", "MEN", "TOL A NOC", "TOL F EGI")

    assert _texts(legal_orders_of(position, "TOL")) == {"Remove A NOC", "Remove F EGI"}
    assert _texts(legal_orders(position, position.units[1])) == {"Remove F EGI"}


def test_a_city_with_two_free_places_has_room_for_two_builds() -> None:
    """R26."""
    free = _winter(TWO_PLACES, "TOL", "ALE MEN", homes="MEN")
    half = _winter(TWO_PLACES, "TOL", "ALE MEN", "TOL A ALE#2", homes="MEN")

    assert sorted(list_building_rooms(free, "TOL")) == ["ALE", "ALE", "MEN"]
    assert sorted(list_building_rooms(half, "TOL")) == ["ALE", "MEN"]


# -- the Cyprus year ----------------------------------------------------------------------------


def test_picks_are_the_free_starting_centres_within_the_area_of_the_power() -> None:
    """R30: Candragrupta is bound to India; an owned or independent centre is no choice."""
    position = Position(BOARD, Phase(323, "picks", period=1), (), owners={"ALE": "SEL"})
    tolomeo = _texts(legal_orders_of(position, "TOL"))
    candragrupta = _texts(legal_orders_of(position, "CAN"))

    assert "Pick BAB" in tolomeo
    assert "Pick ALE" not in tolomeo
    assert candragrupta < tolomeo
    assert {BOARD.provinces[text[5:]].area for text in candragrupta} == {"india"}


def test_a_deployment_offers_every_unit_that_can_stand_in_a_centre_of_ones_own() -> None:
    """R31."""
    owners = {"ALE": "TOL", "BAB": "SEL"}
    position = Position(BOARD, Phase(323, "deployment", period=6), (), owners=owners)

    assert _texts(legal_orders_of(position, "TOL")) == {
        "Build A ALE",
        "Build F ALE",
        "Build G ALE",
        "Waive",
    }
