"""The legal orders of a unit and of a power, rule by rule, in every kind of phase."""

from __future__ import annotations

import re
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


# -- movement ------------------------------------------------------------------------------------

OFFERED = """
R9, R11: a sea is entered plainly or by any fleet of it, one's own too, for it may leave
    TOL F CRE, SEL F EGE#1, TOL F EGE#3: F CRE - EGE, F CRE - EGE#1,
      F CRE - EGE#3; not F CRE - EGE#2
R11a: another fleet of one's own sea is attacked by its number alone
    TOL F EGE#1, SEL F EGE#2: F EGE#1 - EGE#2; not F EGE#1 - EGE, F EGE#1 - EGE#1
R18: an express leads to every territory of the river, and to no other river
    TOL F FOC: F FOC - NOC, F FOC - MEN, F FOC - TEB, F FOC - NUB; not F FOC - BAB, F FOC - OPI
R23: a fleet is hauled over the Sinai; a fleet of the destination may be named
    TOL F EGI, SEL F SUE: F EGI - SUE, F EGI - SUE#1
R23: and back
    TOL F SUE: F SUE - EGI, F SUE - FEN, F SUE - SIS
an army goes by convoy where fleets join the shores
    TOL A ALE, SEL F EGI, SEL F LIB: A ALE - CRE
and nowhere else
    TOL A ALE: not A ALE - CRE
by convoy is offered beside walking; where the army cannot walk it need not be said
    standard England A BEL, England F NTH: A BEL - HOL, A BEL - HOL via convoy,
      A BEL - LON; not A BEL - LON via convoy
a coast is named only where there is a choice
    standard France F MAO: F MAO - SPA/NC, F MAO - SPA/SC, F MAO - POR; not F MAO - SPA
an army names no coast
    standard France A POR: A POR - SPA; not A POR - SPA/NC
R26: one foreign unit in a city is not named
    cities TOL A NOC, SEL A ALE: A NOC - ALE; not A NOC - ALE#1, A NOC - ALE#2
R26: each of two is
    cities TOL A NOC, SEL A ALE#1, SEL A ALE#2: A NOC - ALE, A NOC - ALE#1, A NOC - ALE#2
any unit beside is supported to hold
    TOL A NOC, SEL G ALE: A NOC S G ALE
R27: garrisons too
    TOL A NOC, NEU A ALE: A NOC S A ALE
R14: support of an entry names the sea alone, for any fleet, or one of its fleets
    TOL F CRE, TOL F ICA, SEL F EGE#1, LIS F EGE#2: F CRE S F ICA - EGE, F CRE S F ICA - EGE#1,
      F CRE S F ICA - EGE#2
R14: a fleet supports into its own sea, but no attack on itself
    TOL F EGE#1, TOL F ICA, SEL F EGE#2: F EGE#1 S F ICA - EGE, F EGE#1 S F ICA - EGE#2,
      F EGE#1 S F EGE#2; not F EGE#1 S F ICA - EGE#1
R11a: an attack from inside is supported from beside
    TOL F CRE, TOL F EGE#1, SEL F EGE#2: F CRE S F EGE#1 - EGE#2, F CRE S F EGE#1 - EGE,
      F CRE S F EGE#1; not F CRE S F EGE#1 - EGE#1
R14, R19: an express is supported across a border
    TOL A TEB, TOL F FOC: A TEB S F FOC - NUB
also from behind its destination
    TOL A NUB, TOL F FOC: A NUB S F FOC - TEB
R23: a haul likewise
    TOL F SIM, TOL F EGI: F SIM S F EGI - SUE
R23: never along the way
    TOL F EGI, TOL F FEN: not F EGI S F FEN - SUE
DATC 6.D.31: an army that comes by convoy is supported
    standard France A BEL, England A LON, England F NTH: A BEL S A LON - HOL
DATC 6.D.31: but not by its only carrier
    standard England F NTH, England A LON: F NTH C A LON - HOL; not F NTH S A LON - HOL
DATC 6.B.9: support names a coast where the fleet has the choice
    standard Italy F LYO, France F MAO: F LYO S F MAO - SPA, F LYO S F MAO - SPA/NC,
      F LYO S F MAO - SPA/SC
a fleet convoys armies of any power
    TOL F EGI, SEL G ALE: F EGI C G ALE - FOC
a chain convoys to where no fleet of it touches both shores
    standard England F NTH, England F NWG, England A LON: F NTH C A LON - NWY,
      F NTH C A LON - CLY
none else
    standard England F NTH, England A LON: not F NTH C A LON - CLY
"""
"""By ruling: the map if it is another, units of which the first is asked; what it is offered, and
what not."""


def _read_rows() -> list[tuple[str, str]]:
    """Return each ruling with its row in one line."""
    rows = re.findall(r"^(\S.*)\n((?: +.*\n)+)", OFFERED, re.MULTILINE)
    return [(name, " ".join(row.split())) for name, row in rows]


@pytest.mark.parametrize(("ruling", "row"), _read_rows())
def test_orders_are_offered_by_the_rulings(ruling: str, row: str) -> None:
    units, texts = row.split(": ")
    boards = {"standard": STANDARD, "cities": TWO_PLACES}
    word, _, rest = units.partition(" ")
    board, units = (boards[word], rest) if word in boards else (BOARD, units)
    offered, _, refused = texts.removeprefix("; ").partition("not ")

    options = _options(*units.split(", "), board=board)

    assert set(filter(None, offered.rstrip("; ").split(", "))) <= options, ruling
    assert not set(refused.split(", ")) & options, ruling


def test_an_army_walks_and_holds() -> None:
    ends = [(b.a, b.b) for b in BOARD.borders if b.kind != "fleet" and "NOC" in (b.a, b.b)]
    beside = {end for pair in ends for end in pair} - {"NOC"}

    assert _options("TOL A NOC") == {"A NOC H", *(f"A NOC - {to}" for to in beside)}


def test_neither_garrisons_are_convoyed_nor_does_a_fleet_on_a_coast_or_in_a_river_convoy() -> None:
    """R7, R18, R27."""
    at_sea = _options("TOL F EGI", "SEL G ALE", "NEU A CIP")
    on_coast = _options("TOL F FOC", "TOL A ALE")

    assert not {text for text in at_sea if " C A CIP" in text}
    assert not {text for text in on_coast if " C " in text}


def test_garrisons_and_powers_in_revolt_order_nothing() -> None:
    """R3, R27: nor can their moves be supported, or their armies convoyed."""
    units = tuple(map(_unit, ("TOL A ALE", "SEL A NOC", "TOL F EGI", "SEL F LIB")))
    position = Position(BOARD, Phase(318, "spring"), units, nobility={"TOL": 0})
    offered = _texts(legal_orders_of(position, "SEL"))

    assert legal_orders_of(position, "TOL") == ()
    assert "A NOC S A ALE" in offered
    assert not {text for text in offered if " ALE - " in text or " EGI - " in text}
    assert _options("NEU A ALE") == set()


def test_all_orders_are_those_of_each_unit_however_the_units_are_listed() -> None:
    units = ("TOL F CRE", "TOL A ALE", "SEL F EGE#1", "NEU A MAM", "LIS F EGE#2", "TOL F EGI")
    position, turned = _position(*units), _position(*reversed(units))

    assert all_legal_orders(position) == {u: legal_orders(position, u) for u in position.units}
    assert list(all_legal_orders(position).items()) == list(all_legal_orders(turned).items())
    assert legal_orders_of(position, "TOL") == legal_orders_of(turned, "TOL")


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
