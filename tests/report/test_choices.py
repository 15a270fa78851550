"""The choices of an order sheet lead to every legal order, and to nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice

import pytest
from hypothesis import given

from alexmagnum.board import load_board
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.judge.options import legal_orders_of
from alexmagnum.notation import describe_order, order_in, write_order
from alexmagnum.orders import Waive
from alexmagnum.play import play_game
from alexmagnum.position import Phase, Position, Unit
from alexmagnum.report.sheet import Choice, count_orders_due, list_subjects
from tests.scenarios import SETTINGS, Scenario, scenarios
from tests.sizes import drawn

BOARD = load_board("alexmagnum")
TWO_PLACES = BOARD.with_rules({"major_city_capacity": 2})
ENGLISH = load_sentences("en")


def leaves(choices: Iterable[Choice]) -> Iterator[Choice]:
    """Yield the choices that are orders."""
    for choice in choices:
        if choice.order:
            yield choice
        yield from leaves(choice.then)


def _levels(choices: tuple[Choice, ...]) -> Iterator[tuple[Choice, ...]]:
    """Yield the choices of every level."""
    yield choices
    for choice in choices:
        if choice.then:
            yield from _levels(choice.then)


def _texts(position: Position, power: str, lang: str) -> dict[str, str]:
    """Return every legal order in a language, with its meaning."""
    return {
        order_in(write_order(order), lang): describe_order(order, position.board, lang)
        for order in legal_orders_of(position, power)
    }


def _agrees(position: Position, power: str, lang: str) -> None:
    offered = [
        leaf
        for s in list_subjects(position, power, load_sentences(lang))
        for leaf in leaves(s.then)
    ]

    assert {leaf.order: leaf.meaning for leaf in offered} == _texts(position, power, lang)


@drawn(15, 60, SETTINGS)
@given(scenarios())
def test_in_movement_the_choices_end_in_the_legal_orders(scenario: Scenario) -> None:
    for power in scenario.position.board.powers:
        _agrees(scenario.position, power, "it")


@drawn(15, 60, SETTINGS)
@given(scenarios())
def test_choices_that_stand_beside_each_other_differ_in_name(scenario: Scenario) -> None:
    """So that a player, and a reader of the screen, can tell them apart."""
    for power in scenario.position.board.powers:
        for subject in list_subjects(scenario.position, power, ENGLISH):
            for level in _levels(subject.then):
                assert max(Counter(choice.label for choice in level).values(), default=1) == 1


@pytest.mark.parametrize("lang", ["it", "en"])
def test_in_every_kind_of_phase_the_choices_end_in_the_legal_orders(lang: str) -> None:
    kinds = set()
    for played in islice(play_game(TWO_PLACES, 6), 1, 50, 4):
        kinds.add(played.position.phase.kind)
        for power in TWO_PLACES.powers:
            _agrees(played.position, power, lang)

    assert kinds == {"picks", "deployment", "movement", "retreats", "winter"}


def _of(position: Position, subject: str) -> dict[str, Choice]:
    """Return the first choices of one unit of Tolomeo, by name."""
    (found,) = [s for s in list_subjects(position, "TOL", ENGLISH) if s.id == subject]
    return {choice.label: choice for choice in found.then}


AEGEAN = Position(
    BOARD,
    Phase(318, "spring"),
    (Unit("TOL", "F", "CRE"), Unit("SEL", "F", "EGE"), Unit("TOL", "F", "EGE", number=3)),
)


def test_a_sea_with_fleets_asks_whether_one_is_named() -> None:
    """R9, R11."""
    (aegean,) = [to for to in _of(AEGEAN, "F CRE")["Moves"].then if to.at == "EGE"]

    assert {choice.label: choice.order for choice in aegean.then} == {
        "naming nobody": "F CRE - EGE",
        "against F EGE#1 Aegean Sea (Seleucus)": "F CRE - EGE#1",
        "against F EGE#3 Aegean Sea": "F CRE - EGE#3",
    }


def test_an_empty_sea_is_entered_at_once() -> None:
    assert [to.order for to in _of(AEGEAN, "F CRE")["Moves"].then if to.at == "LIB"] == [
        "F CRE - LIB"
    ]


def test_ones_own_units_come_first_among_those_to_be_supported() -> None:
    assert [whom.unit for whom in _of(AEGEAN, "F CRE")["Supports"].then] == ["F EGE#3", "F EGE#1"]


def test_an_army_that_can_walk_and_sail_is_asked_which() -> None:
    board = load_board("standard")
    units = (Unit("England", "A", "BEL"), Unit("England", "F", "NTH"))
    position = Position(board, Phase(1901, "spring"), units)
    (army, _) = list_subjects(position, "England", load_sentences("it"))
    (holland,) = [to for to in army.then[0].then if to.at == "HOL"]

    assert {choice.label: choice.order for choice in holland.then} == {
        "via terra": "A BEL - HOL",
        "con trasporto": "A BEL - HOL con trasporto",
    }


def test_a_winter_offers_a_city_of_two_places_twice_and_each_waiver() -> None:
    """R26, R32."""
    position = Position(TWO_PLACES, Phase(318, "winter"), (), owners={"ALE": "TOL"})
    offered = list_subjects(position, "TOL", ENGLISH)

    assert [s.label for s in offered] == [
        "Alexandria",
        "Alexandria",
        "Waive a build",
        "Waive a build",
    ]
    assert len({s.id for s in offered}) == 4
    assert count_orders_due(position, "TOL") == 2


def test_a_general_is_marked_as_one_of_a_kind() -> None:
    """R1."""
    position = Position(BOARD, Phase(318, "winter"), (), owners={"ALE": "TOL"})
    alexandria = list_subjects(position, "TOL", ENGLISH)[0]

    assert [choice.order for choice in alexandria.then if choice.once] == ["Build G ALE"]


def test_nothing_is_offered_where_nothing_is_due() -> None:
    position = Position(BOARD, Phase(318, "winter"), (Unit("TOL", "A", "MEN"),), {"MEN": "TOL"})

    assert list_subjects(position, "TOL", ENGLISH) == ()
    assert Waive() not in legal_orders_of(position, "TOL")
