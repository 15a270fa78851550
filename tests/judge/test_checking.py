"""What the order check warns of: legal, but probably not meant; from one's own orders alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from alexmagnum.board import load_board
from alexmagnum.judge.checking import Check, check_orders, list_reachable
from alexmagnum.notation import read_canonical, write_order
from alexmagnum.orders import Move, Order, Support
from alexmagnum.position import Dislodged, Phase, Position, Unit

BOARD = load_board("alexmagnum")
ATTACKING = BOARD.with_rules({"express": "attack"})
FULL_SEA = ("SEL F EGE#1", "LIS F EGE#2", "CAS F EGE#3")


def _position(*units: str) -> Position:
    """Return a position from texts such as ``TOL G ALE`` or ``SEL F EGE#2``."""
    made = []
    for text in units:
        power, kind, place = text.split()
        province, _, number = place.partition("#")
        made.append(Unit(power, kind, province, number=int(number or 1)))
    return Position(BOARD, Phase(318, "spring"), tuple(made))


def _check(position: Position, *lines: str) -> list[Check]:
    """Return the checks of the orders of Tolomeo."""
    return list(check_orders(position, read_canonical({"TOL": list(lines)}, position)))


def _warned(check: Check) -> dict[str, list[str]]:
    """Return by code the units that a warning names."""
    return {w.code: [f"{u.power} {u.kind} {u.province}" for u in w.units] for w in check.warnings}


def test_a_plain_entry_into_a_full_sea_is_offered_the_named_forms() -> None:
    """R12: the check offers the attack on each fleet of it."""
    (check,) = _check(_position("TOL F CRE", *FULL_SEA), "F CRE - EGE")

    assert check.verdict == "good"
    assert list(_warned(check)) == ["warn-full-sea"]
    assert [write_order(order) for order in check.suggestions] == [
        "F CRE - EGE#1",
        "F CRE - EGE#2",
        "F CRE - EGE#3",
    ]


@pytest.mark.parametrize(
    ("units", "lines"),
    [
        (["TOL F CRE", *FULL_SEA[:2]], ["F CRE - EGE"]),
        (["TOL F CRE", *FULL_SEA], ["F CRE - EGE#2"]),
        (["TOL F CRE", *FULL_SEA[:2], "TOL F EGE#3"], ["F CRE - EGE", "F EGE#3 - ATE"]),
    ],
)
def test_no_warning_where_there_is_room_or_one_is_made(units: list[str], lines: list[str]) -> None:
    """A place is free, a fleet is named, or one's own fleet is ordered out."""
    assert [check.warnings for check in _check(_position(*units), *lines)] == [()] * len(lines)


def test_ones_own_fleet_that_comes_the_other_way_makes_no_room() -> None:
    """R15: the entrant cannot use the place of a fleet ordered to where it comes from."""
    position = _position("TOL F CRE", *FULL_SEA[:2], "TOL F EGE#3")
    entry, _ = _check(position, "F CRE - EGE", "F EGE#3 - CRE")

    assert list(_warned(entry)) == ["warn-full-sea"]
    assert [write_order(order) for order in entry.suggestions] == ["F CRE - EGE#1", "F CRE - EGE#2"]


def test_a_place_that_ones_own_attack_names_is_no_room() -> None:
    """R9: a place that anybody names is not open."""
    position = _position("TOL F CRE", "TOL F ICA", *FULL_SEA[:2], "TOL F EGE#3")
    entry, *_ = _check(position, "F CRE - EGE", "F ICA - EGE#3", "F EGE#3 - ATE")

    assert list(_warned(entry)) == ["warn-full-sea"]


def test_a_number_that_nobody_bears_is_pointed_out() -> None:
    """R8: read as plain entry, and in a support as naming the sea alone."""
    position = _position("TOL F CRE", "TOL F ATE", "SEL F EGE#1")
    orders: dict[str, list[Order]] = {
        "TOL": [Move("F CRE", "EGE#3"), Support("F ATE", "F CRE", "EGE#3")]
    }

    assert [list(_warned(check)) for check in check_orders(position, orders)] == [
        ["warn-no-such-number"],
        ["warn-support-no-number"],
    ]


def test_a_support_that_names_the_sea_alone_may_help_another_move_than_meant() -> None:
    """R14: only where the supported move is not known, and more than one is possible."""
    position = _position("TOL F ATE", "TOL F TES", "LIS F CRE", "SEL F EGE#1")
    (foreign,) = _check(position, "F ATE S F CRE - EGE")
    own, _ = _check(position, "F TES S F ATE - EGE", "F ATE - EGE#1")
    (exact,) = _check(position, "F ATE S F CRE - EGE#1")
    (empty,) = _check(_position("TOL F ATE", "LIS F CRE"), "F ATE S F CRE - EGE")

    assert _warned(foreign) == {"warn-support-of-sea": ["LIS F CRE"]}
    assert (own.warnings, exact.warnings, empty.warnings) == ((), (), ())


def test_an_express_is_warned_of_units_on_its_way_that_one_does_not_order_away() -> None:
    """R19, R19a: not of its own on the way; of those at its destination if it attacks nobody."""
    position = _position("TOL F FOC", "TOL A NOC", "SEL A MEN", "LIS A TEB")
    attacking = replace(position, board=ATTACKING)
    (held,) = _check(position, "F FOC - TEB")
    express, _ = _check(attacking, "F FOC - TEB", "A NOC - ALE")
    (barred,) = _check(attacking, "F FOC - TEB")

    assert _warned(held) == {
        "warn-way-occupied": ["SEL A MEN"],
        "warn-express-attack": ["LIS A TEB"],
    }
    assert _warned(express) == {"warn-way-occupied": ["SEL A MEN"]}
    assert _warned(barred) == {"warn-way-occupied": ["TOL A NOC", "SEL A MEN"]}


@pytest.mark.parametrize(
    ("other", "order", "warned"),
    [
        ("A MEN", "A MEN - NOC", True),  # comes towards it (R21a)
        ("A MEN", "A MEN - TEB", True),  # ahead, and ends where the express goes (R21)
        ("A TEB", "A TEB - NUB", False),  # ahead, and goes on
        ("A SIW", "A SIW - MEN", True),  # as strong, into the way (R19)
        ("A SIW", "A SIW - MAM", False),
    ],
)
def test_an_express_is_warned_of_ones_own_moves_into_its_way(
    other: str, order: str, warned: bool
) -> None:
    """What bars it by one's own orders alone; on the railway, who ends at its destination."""
    position = _position("TOL F FOC", f"TOL {other}")
    railway, _ = _check(position, "F FOC - TEB", order)
    express, _ = _check(replace(position, board=ATTACKING), "F FOC - TEB", order)

    assert ("warn-way-own" in _warned(railway)) == (order == "A MEN - TEB")
    assert ("warn-way-own" in _warned(express)) == warned


def test_a_power_in_revolt_raids_nobody() -> None:
    """R3: it gives no orders."""
    position = replace(_position("TOL F FEN", "SEL G ISR"), nobility={"SEL": 0})
    (hauled,) = _check(position, "F FEN - SUE")

    assert hauled.warnings == ()


def test_what_a_unit_could_do_instead_includes_rides_and_hauls() -> None:
    """R18, R23; and nothing for a power in revolt (R3)."""
    position = _position("TOL F EGI", "TOL F BAB")
    revolt = replace(position, nobility={"TOL": 0})
    sea, river = position.units

    assert "SUE" in list_reachable(position, sea)
    assert {"TAP", "COM", "EUF"} <= set(list_reachable(position, river))
    assert list_reachable(revolt, sea) == ()


def test_a_haul_is_warned_of_raiders_and_of_who_stands_in_the_way() -> None:
    """R23, R24: foreign armies beside it; neither fleets nor one's own armies nor garrisons."""
    position = _position(
        "TOL F FEN", "TOL A SIS", "SEL G ISR", "LIS A NOC", "CAS F FOC", "TOL A SIM"
    )
    hauled, _ = _check(position, "F FEN - SUE", "A SIS H")
    alone, _ = _check(position, "F FEN - SUE", "A SIS - FOC")

    raiders = ["SEL G ISR", "LIS A NOC"]
    assert _warned(hauled) == {"warn-haul-occupied": ["TOL A SIS"], "warn-haul-raiders": raiders}
    assert _warned(alone) == {"warn-haul-raiders": raiders}


def test_a_convoy_off_its_route_and_a_support_of_a_unit_ordered_elsewhere_are_found() -> None:
    """The first can never carry, the second is against one's own order."""
    position = _position("TOL A ALE", "TOL F EGI", "TOL F ADR", "TOL A MEN", "TOL A TEB")
    checks = _check(
        position,
        "A ALE - CRE via convoy",
        "F EGI C A ALE - CRE",
        "F ADR C A ALE - CRE",
        "A MEN - NOC",
        "A TEB S A MEN",
    )

    assert [(c.verdict, c.reason.code if c.reason else "") for c in checks] == [
        ("good", ""),
        ("good", ""),
        ("impossible", "off-route"),
        ("good", ""),
        ("doubtful", "support-mover"),
    ]


def test_what_others_order_changes_no_check() -> None:
    """A check leaks nothing: it is the same whatever the other powers wrote."""
    position = _position("TOL F FEN", "TOL F CRE", "SEL G ISR", *FULL_SEA)
    own = {"TOL": ["F FEN - SUE", "F CRE - EGE"]}
    others = {"SEL": ["G ISR - SIS", "F EGE#1 - CRE"], "CAS": ["F EGE#3 - ATE"]}
    alone = check_orders(position, read_canonical(own, position))
    among = check_orders(position, read_canonical({**own, **others}, position))

    assert alone == tuple(check for check in among if check.power == "TOL")


# -- a power's own units in each other's way ------------------------------------------------------


@pytest.mark.parametrize(
    ("units", "lines", "warned"),
    [
        pytest.param(
            ["TOL A ALE", "TOL A NOC"],
            ["A ALE - MEN", "A NOC - MEN"],
            [{"warn-own-rival": ["TOL A NOC"]}, {"warn-own-rival": ["TOL A ALE"]}],
            id="two units with the same goal",
        ),
        pytest.param(
            ["TOL A ALE", "TOL A MEN"],
            ["A ALE - MEN"],
            [{"warn-own-stays": ["TOL A MEN"]}],
            id="a unit without an order stays",
        ),
        pytest.param(
            ["TOL A ALE", "TOL A MEN"],
            ["A ALE - MEN", "A MEN - TEB"],
            [{}, {}],
            id="the unit at the goal moves on",
        ),
        pytest.param(
            ["TOL A ALE", "TOL A MEN"],
            ["A ALE - MEN", "A MEN - ALE"],
            [{"warn-own-swap": ["TOL A MEN"]}, {"warn-own-swap": ["TOL A ALE"]}],
            id="two units that change places",
        ),
        pytest.param(
            ["TOL F CRE", "TOL F ATE", *FULL_SEA[:2]],
            ["F CRE - EGE", "F ATE - EGE"],
            [{"warn-own-room": ["TOL F ATE"]}, {"warn-own-room": ["TOL F CRE"]}],
            id="two fleets for the last place in a sea",
        ),
        pytest.param(
            ["TOL F CRE", "TOL F ATE", FULL_SEA[0]],
            ["F CRE - EGE", "F ATE - EGE"],
            [{}, {}],
            id="two fleets for two places in a sea",
        ),
        pytest.param(
            ["TOL F CRE", "TOL F ATE", *FULL_SEA[:2]],
            ["F CRE - EGE#1", "F ATE - EGE#1"],
            [{"warn-own-rival": ["TOL F ATE"]}, {"warn-own-rival": ["TOL F CRE"]}],
            id="two fleets against the same fleet",
        ),
    ],
)
def test_own_units_that_keep_each_other_out(
    units: list[str], lines: list[str], warned: list[dict[str, list[str]]]
) -> None:
    assert [_warned(check) for check in _check(_position(*units), *lines)] == warned


def test_own_units_that_retreat_to_the_same_place() -> None:
    """Both are disbanded (R17); the check knows that from their own orders."""
    driven = [
        Dislodged(Unit("TOL", "A", at), Unit("SEL", "A", at), ("SIW",)) for at in ("MEN", "ALE")
    ]
    standing = (Unit("SEL", "A", "MEN"), Unit("SEL", "A", "ALE"))
    phase = Phase(318, "spring", retreats=True)
    position = Position(BOARD, phase, standing, dislodged=tuple(driven))

    both = _check(position, "A MEN - SIW", "A ALE - SIW")
    assert [_warned(check) for check in both] == [
        {"warn-own-retreat": ["TOL A ALE"]},
        {"warn-own-retreat": ["TOL A MEN"]},
    ]
    assert [_warned(check) for check in _check(position, "A MEN - SIW", "Disband A ALE")] == [
        {},
        {},
    ]
