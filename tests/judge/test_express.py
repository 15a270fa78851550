"""The express as a railway (R18 to R22a), and hauls that are caught only if there is a haul (R24).

The cases are those of the Trans-Siberian railway of Colonial Diplomacy, played on the Nile: from
its mouth ``FOC`` over ``NOC``, ``MEN`` and ``TEB`` to ``NUB``.
"""

from __future__ import annotations

import pytest

from alexmagnum.board import load_board
from alexmagnum.judge import adjudicate
from alexmagnum.judge.checking import check_orders
from alexmagnum.judge.outcome import Outcome
from alexmagnum.judge.results import MovementOutcome
from alexmagnum.notation import read_canonical
from alexmagnum.orders import Build
from alexmagnum.position import Phase, Position, Unit
from tests.each import check_each

BOARD = load_board("alexmagnum")


def _judge(*lines: str) -> MovementOutcome:
    """Judge lines such as ``TOL F FOC - TEB``: each is a unit with its order."""
    units: list[Unit] = []
    orders: dict[str, list[str]] = {}
    for line in lines:
        power, kind, place, *_ = line.split()
        province, _, number = place.partition("#")
        units.append(Unit(power, kind, province, number=int(number or 1)))
        orders.setdefault(power, []).append(line[4:])
    position = Position(BOARD, Phase(318, "spring"), tuple(units))
    outcome = adjudicate(position, read_canonical(orders, position))
    assert isinstance(outcome, MovementOutcome)
    return outcome


def _first(outcome: Outcome) -> str:
    """Return the result of the first order, why, and where it was stopped."""
    reason = outcome.reasons[0]
    return f"{outcome.results[0].result} {reason.code} {reason.stop}".strip()


def _check(what: str, lines: str, first: str, **others: str) -> None:
    outcome = _judge(*lines.split("; "))
    assert _first(outcome) == first, what
    found = {str(unit).split()[1]: outcome.result_of(unit) for unit in outcome.position.units}
    assert {province: found[province] for province in others} == others, what


EXPRESS = "TOL F FOC - TEB; "
FARTHER = "TOL F FOC - NUB; "

OWN_SIDE = [
    ("holds", EXPRESS + "TOL A MEN H", "succeeds rides-past"),
    ("enters", EXPRESS + "TOL A SIW - MEN", "succeeds rides"),
    ("comes towards it", EXPRESS + "TOL F MEN - NOC", "succeeds rides"),
    ("goes ahead and ends on the way", FARTHER + "TOL F MEN - TEB", "succeeds rides"),
    ("holds off an attack", EXPRESS + "TOL A MEN H; SEL A SIW - MEN", "succeeds rides-past"),
    (
        "is dislodged",
        EXPRESS + "TOL A MEN H; SEL A SIW - MEN; SEL A ALE S A SIW - MEN",
        "stopped way-own-dislodged NOC",
    ),
    ("stays at the destination", EXPRESS + "TOL A TEB H", "stopped express-no-attack MEN"),
    ("wants the destination, too", EXPRESS + "TOL A NUB - TEB", "stopped way-contested MEN"),
    ("is ahead to the destination", EXPRESS + "TOL F MEN - TEB", "stopped way-ahead MEN"),
    ("goes the whole way against it", EXPRESS + "TOL F TEB - FOC", "fails way-contested-opposite"),
]
"""Units of its own power: on the way they do not count."""

OTHERS = [
    ("holds", EXPRESS + "SEL A MEN H", "stopped way-occupied NOC"),
    (
        "is dislodged",
        EXPRESS + "SEL A MEN H; LIS A SIW - MEN; LIS A ALE S A SIW - MEN",
        "stopped way-occupied NOC",
    ),
    ("leaves", EXPRESS + "SEL A MEN - SIW", "succeeds rides"),
    ("enters", EXPRESS + "SEL A SIW - MEN", "stopped way-contested NOC"),
    (
        "enters, and is weaker",
        EXPRESS + "TOL A NUB S F FOC - TEB; SEL A SIW - MEN",
        "succeeds rides",
    ),
    ("comes towards it", EXPRESS + "SEL F MEN - NOC", "fails way-contested"),
    ("goes ahead and ends on the way", FARTHER + "SEL F MEN - TEB", "stopped way-ahead MEN"),
    ("goes the whole way against it", FARTHER + "SEL F TEB - NOC", "fails way-contested-opposite"),
    ("stays at the destination", EXPRESS + "SEL A TEB H", "stopped express-no-attack MEN"),
    (
        "stays at the destination, against any support",
        EXPRESS + "SEL A TEB H; TOL A NUB S F FOC - TEB",
        "stopped express-no-attack MEN",
    ),
]
"""Units of other powers bar it as before."""

STOPS = [
    (
        "behind its own that stays",
        EXPRESS + "SEL A TEB H; TOL A MEN H",
        "stopped express-no-attack NOC",
    ),
    (
        "behind its own that enters",
        EXPRESS + "SEL A TEB H; TOL A SIW - MEN",
        "stopped express-no-attack NOC",
    ),
    (
        "nowhere on the way",
        EXPRESS + "SEL A TEB H; TOL A MEN H; TOL A NOC H",
        "fails express-no-attack",
    ),
]
"""It ends in the last territory before in which no unit remains or ends."""


def test_an_express_takes_no_notice_of_its_own_side_on_the_way() -> None:
    """R19, R21, R21a."""
    check_each(OWN_SIDE, _check)


def test_units_of_other_powers_bar_an_express() -> None:
    """R19, R19a, R21, R21a."""
    check_each(OTHERS, _check)


def test_an_express_stops_where_no_unit_remains_or_ends() -> None:
    """R19; the unit that enters does so, whoever comes by."""
    check_each(STOPS, _check)
    _check(*STOPS[1], SIW="succeeds")


def test_an_express_attacks_nobody_and_yet_keeps_others_out() -> None:
    """R19a, R20, R21a."""
    support = "SEL A TEB S A MEN; SEL A MEN H; LIS A SIW - MEN; LIS A ALE S A SIW - MEN"
    third = "SEL A TEB H; LIS A NUB - TEB; LIS A TRO S A NUB - TEB"
    oncoming = "SEL F NOC - FOC; SEL A ALE S F NOC - FOC"
    _check("cuts no support", FARTHER + support, "stopped way-occupied NOC", SIW="fails")
    _check("lets an attack by", EXPRESS + third, "stopped express-no-attack MEN", NUB="succeeds")
    kept = EXPRESS + third + "; TOL A MEN S F FOC - TEB"
    _check("keeps a third out", kept, "stopped express-no-attack NOC", NUB="fails", TEB="stands")
    _check("is overcome", EXPRESS + oncoming, "fails way-oncoming", NOC="succeeds")
    defended = EXPRESS + oncoming + "; TOL A MEN S F FOC - TEB"
    _check("defends itself with its move", defended, "fails way-oncoming", NOC="fails")


def test_expresses_of_one_power_exchange_where_their_own_unit_stays_between_them() -> None:
    """R21a: nothing is contested there, and circular movement succeeds."""
    lines = "TOL F FOC - MEN; TOL A NOC H; TOL F MEN - FOC"
    _check("exchange", lines, "succeeds follows", MEN="succeeds")
    _check(
        "stopped",
        "TOL F FOC - MEN; TOL F NOC - FOC; SEL A MEN H",
        "stopped express-no-attack NOC",
        NOC="succeeds",
    )


def test_a_fleet_is_caught_only_if_it_is_hauled() -> None:
    """R23, R24: where a unit remains in the Sinai, the attack is on that unit."""
    haul, raid = "TOL F EGI#1 - SUE; ", "SEL A ISR - SIS"
    caught = "destroyed caught"
    _check("free", haul + raid, caught, ISR="succeeds")
    _check("held", haul + raid + "; TOL A SIS H", "fails not-hauled-attacked", SIS="stands")
    fallen = haul + raid + "; LIS A SIS H; SEL A SIM S A ISR - SIS"
    _check("held by one who falls", fallen, caught, ISR="succeeds")
    circle = haul + raid + "; CAN F SIS - EGI#1; SEL F EGI#2 H; SEL F EGI#3 H"
    _check("left for its very place", circle, caught, SIS="succeeds", ISR="succeeds")


def test_what_cannot_dislodge_is_no_part_of_a_knot() -> None:
    """R22a: the example of the ruling."""
    outcome = _judge(
        "CAN F SUE#1 - EGI",
        "CAN F SIS - SUE#1",
        "AUT F SUE#2 - SIS",
        "LIS F EGI#1 - SIS",
        "AUT F EGI#2 - SUE#2",
    )

    by_place = {unit.place: outcome.result_of(unit) for unit in outcome.position.units}
    assert by_place == {
        "SUE#1": "succeeds",
        "SIS#1": "succeeds",
        "SUE#2": "fails",
        "EGI#1": "fails",
        "EGI#2": "fails",
    }


@pytest.mark.parametrize("listed", ["F CRE; F ALE", "F ALE; A CRE; A MEN"])
def test_a_deployment_without_a_general_gets_one(listed: str) -> None:
    """R31: the first army, else the first fleet as the general's army; the check warns of both."""
    owners = dict.fromkeys(("ALE", "CRE", "MEN"), "TOL")
    position = Position(BOARD, Phase(323, "deployment", period=6), (), owners)
    orders = {"TOL": [Build(unit) for unit in listed.split("; ")]}
    outcome = adjudicate(position, orders)

    assert [str(unit) for unit in outcome.units if unit.kind == "G"] == ["G CRE"]
    warned = [check.unit for check in check_orders(position, orders) if check.warnings]
    assert [unit.province for unit in warned if unit is not None] == ["CRE"]
