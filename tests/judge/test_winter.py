"""Winter and retreats where a city has two places (R26), and where nobility runs out (R3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from alexmagnum.board import load_board
from alexmagnum.judge import adjudicate
from alexmagnum.judge.other_phases import find_free_place, list_building_places
from alexmagnum.orders import Build, Disband, Order, Remove, Retreat
from alexmagnum.position import Dislodged, Phase, Position, Unit

BOARD = load_board("alexmagnum")
TWO_PLACES = BOARD.with_rules({"major_city_capacity": 2})


def _retreats(
    units: tuple[Unit, ...], dislodged: tuple[Unit, ...], orders: Mapping[str, Sequence[Order]]
) -> dict[str, list[str]]:
    """Return by power the places of the units left when all may retreat to Alessandria."""
    by = Unit("LIS", "A", "NOC")
    position = Position(
        TWO_PLACES,
        Phase(318, "spring", retreats=True),
        units,
        dislodged=tuple(Dislodged(unit, by, ("ALE",)) for unit in dislodged),
    )
    left: dict[str, list[str]] = {}
    for unit in adjudicate(position, orders).units:
        left.setdefault(unit.power, []).append(unit.place)
    return left


MEN, MAM, FOC = (Unit("TOL", "A", place) for place in ("MEN", "MAM", "FOC"))


def test_two_units_of_one_power_retreat_into_a_city_with_two_places() -> None:
    orders = {"TOL": [Retreat("A MEN", "ALE"), Retreat("A MAM", "ALE")]}

    assert _retreats((), (MEN, MAM), orders) == {"TOL": ["ALE#1", "ALE#2"]}


def test_a_unit_retreats_beside_one_of_its_power_if_there_is_room() -> None:
    orders = {"TOL": [Retreat("A MEN", "ALE"), Retreat("A MAM", "ALE")]}
    here = Unit("TOL", "A", "ALE")

    assert _retreats((here,), (MEN,), orders) == {"TOL": ["ALE#1", "ALE#2"]}
    assert _retreats((here,), (MEN, MAM), orders) == {"TOL": ["ALE#1"]}


def test_retreats_of_two_powers_into_one_city_all_fail() -> None:
    other = Unit("SEL", "A", "MAM")
    orders = {"TOL": [Retreat("A MEN", "ALE")], "SEL": [Retreat("A MAM", "ALE")]}

    assert _retreats((), (MEN, other), orders) == {}


def test_two_dislodged_from_one_city_are_told_apart() -> None:
    """By number, or by the letter of the unit where that will do."""
    army, fleet = Unit("TOL", "A", "BAB"), Unit("TOL", "F", "BAB", number=2)
    by = Unit("LIS", "A", "OPI")
    position = Position(
        TWO_PLACES,
        Phase(318, "spring", retreats=True),
        (),
        dislodged=(Dislodged(army, by, ("DUR",)), Dislodged(fleet, by, ("DUR",))),
    )
    for order, left in (
        (Disband("A BAB"), ["F DUR"]),
        (Disband("F BAB"), ["A DUR"]),
        (Disband("A BAB#2"), ["A DUR"]),
    ):
        orders: list[Order] = [Retreat("A BAB#1", "DUR"), Retreat("F BAB#2", "DUR"), order]

        assert [str(u) for u in adjudicate(position, {"TOL": orders}).units] == left


def test_a_removal_names_its_unit_by_letter_or_number() -> None:
    army, fleet = Unit("TOL", "A", "ALE"), Unit("TOL", "F", "ALE", number=2)
    position = Position(TWO_PLACES, Phase(318, "winter"), (army, fleet), {"MEN": "TOL"})
    for name, left in (("A ALE", fleet), ("F ALE", army), ("A ALE#2", army)):
        assert adjudicate(position, {"TOL": [Remove(name)]}).units == (left,)


def test_two_of_a_kind_need_their_number() -> None:
    units = (Unit("TOL", "A", "ALE"), Unit("TOL", "A", "ALE", number=2))
    position = Position(TWO_PLACES, Phase(318, "winter"), units, {"MEN": "TOL"})
    outcome = adjudicate(position, {"TOL": [Remove("A ALE")]})

    assert [entry.result for entry in outcome.results] == ["illegal"]


def test_a_city_has_room_for_units_of_its_own_power() -> None:
    """R26, R28: beside one's own units only."""
    units = (Unit("TOL", "A", "ALE", number=2), Unit("SEL", "A", "BAB"))
    owners = {"ALE": "TOL", "BAB": "TOL", "ATE": "TOL", "MEN": "TOL"}
    position = Position(TWO_PLACES, Phase(318, "winter"), units, owners)
    built = (Unit("TOL", "A", "ALE"),)

    assert set(list_building_places(position, "TOL")) == {"ALE", "ATE"}
    assert find_free_place(position, "ALE", "TOL") == 1
    assert find_free_place(position, "ALE", "TOL", built) == 0
    assert find_free_place(position, "BAB", "TOL") == 0
    assert list_building_places(position, "NEU") == ()


def test_nobility_never_falls_below_0() -> None:
    """R3: the general of a power in revolt is lost without a further charge."""
    position = Position(
        BOARD,
        Phase(318, "spring", retreats=True),
        (),
        nobility={"SEL": 0, "LIS": 1},
        dislodged=tuple(
            Dislodged(Unit(power, "G", at), Unit("TOL", "A", "MEN"), ("NUB",))
            for power, at in (("SEL", "TEB"), ("LIS", "TRO"))
        ),
    )
    outcome = adjudicate(position, {"SEL": [Retreat("G TEB", "NUB")]})

    assert outcome.units == ()
    assert (outcome.nobility["SEL"], outcome.nobility["LIS"]) == (0, 0)
    assert [reason.code for reason in outcome.reasons] == ["in-revolt"]


def test_a_power_in_revolt_has_no_building_place() -> None:
    """R3, R32: nothing is due either way."""
    position = Position(BOARD, Phase(318, "winter"), (), {"ALE": "SEL"}, nobility={"SEL": 0})
    outcome = adjudicate(position, {"SEL": [Build("A ALE")]})

    assert list_building_places(position, "SEL") == ()
    assert outcome.adjust["SEL"] == 0
    assert outcome.units == ()
