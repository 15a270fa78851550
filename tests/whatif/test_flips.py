"""What would flip an order: every flip is one, and on small positions none is missed."""

from collections.abc import Iterator, Mapping
from itertools import combinations, product
from random import Random
from typing import Any

import pytest
from hypothesis import given

from alexmagnum.board import load_board
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.judge import adjudicate
from alexmagnum.judge.explanation import explain
from alexmagnum.notation import read_orders, write_order
from alexmagnum.orders import MovementOrder
from alexmagnum.play import play_game
from alexmagnum.position import Phase, Position, Unit
from alexmagnum.report import whatif as reports
from alexmagnum.report.whatif import format_orders_to_paste, format_plans, group_valid_orders
from alexmagnum.whatif import Comparison, compare
from alexmagnum.whatif.flips import Flip, Flips
from alexmagnum.whatif.search import movement_orders
from tests.report import phase_contexts
from tests.scenarios import CHANCE, Scenario, fully, lowered, scenarios
from tests.sizes import sized
from tests.units import read_lines, read_unit
from tests.whatif.test_safety import read_standard

FEW = sized(1500, 4000)  # up to so many pairs of changes are tried by brute force

Changed = frozenset[tuple[Unit, MovementOrder]]


class BruteForce:
    """All changes of one or two orders, each adjudicated in full."""

    def __init__(self, flips: Flips) -> None:
        self.flips = flips
        self.position = flips.position
        self.units = flips.trials.units
        self.current = {
            unit: row[0] for unit, row in zip(self.units, flips.trials.orders, strict=True) if row
        }
        self.legal = movement_orders(self.position)

    def result(self, changed: Mapping[Unit, MovementOrder]) -> str:
        orders: dict[str, list[MovementOrder]] = {}
        for unit, order in {**self.current, **changed}.items():
            orders.setdefault(unit.power, []).append(order)
        return adjudicate(self.position, orders).fates(self.flips.unit)[0].result

    def others(self, unit: Unit) -> list[MovementOrder]:
        return [o for o in self.legal[unit] if o != self.current[unit]]

    def one(self, powers: set[str]) -> dict[Changed, str]:
        found = {}
        for unit in self._units(powers):
            for order in self.others(unit):
                if (result := self.result({unit: order})) != self.flips.result:
                    found[frozenset({(unit, order)})] = result
        return found

    def two(self, powers: set[str], alone: dict[Changed, str]) -> dict[Changed, str]:
        found = {}
        for unit, other in combinations(self._units(powers), 2):
            for pair in product(self.others(unit), self.others(other)):
                changed = dict(zip((unit, other), pair, strict=True))
                if any(frozenset({change}) in alone for change in changed.items()):
                    continue
                if (result := self.result(changed)) != self.flips.result:
                    found[frozenset(changed.items())] = result
        return found

    def _units(self, powers: set[str]) -> list[Unit]:
        return [
            u
            for u in self.units
            if u.power in powers and u != self.flips.unit and u in self.current
        ]

    def pairs(self, powers: set[str]) -> int:
        sizes = [len(self.others(unit)) for unit in self._units(powers)]
        return sum(a * b for a, b in combinations(sizes, 2))


def spread(found: list[Flip]) -> dict[Changed, str]:
    """Return the flips with all equivalent orders written out."""
    return {
        frozenset(zip((c.unit for c in flip.changes), orders, strict=True)): flip.result
        for flip in found
        for orders in product(*(change.orders for change in flip.changes))
    }


def draw_question(scenario: Scenario, rng: Random) -> tuple[Flips, set[str]] | None:
    """Draw a unit with an order, and the powers that may change theirs."""
    position = scenario.position
    if not (units := [u for u in position.tables.units if u.power in position.board.powers]):
        return None
    unit = rng.choice(units)
    flips = Flips(position, scenario.orders, unit)
    if rng.random() < 0.2:
        return flips, {unit.power}
    return flips, set(position.board.powers) - {unit.power}


@fully
@given(scenarios(chance=CHANCE), CHANCE)
def test_the_flips_are_all_there_are(scenario: Scenario, rng: Random) -> None:
    """Expect the smallest flips: two units only where neither change is enough alone."""
    if (drawn := draw_question(scenario, rng)) is None:
        return
    flips, powers = drawn
    if (force := BruteForce(flips)).pairs(powers) > lowered(FEW, rng):
        assert spread(list(flips.search(powers, most=1))) == force.one(powers)
        return
    alone = force.one(powers)
    assert spread(list(flips.search(powers))) == {**alone, **force.two(powers, alone)}


@fully
@given(scenarios(chance=CHANCE), CHANCE)
def test_the_outcome_of_a_flip_is_its_result_with_a_reason(scenario: Scenario, rng: Random) -> None:
    if (drawn := draw_question(scenario, rng)) is None:
        return
    flips, powers = drawn
    for flip in flips.search(powers, most=1):
        assert explain(flip.outcome, flips.unit)[0].fate.result == flip.result


def lines(found: Iterator[Flip]) -> set[tuple[str, ...]]:
    return {tuple(write_order(c.orders[0]) for c in flip.changes) for flip in found}


def ask(unit: str, lines: str, **more: Any) -> Flips:
    """Return the search for what would flip the order of a unit, in lines on the standard map."""
    return Flips(*read_standard(lines, **more), read_unit(unit))


def test_a_cut_and_a_defence_flip_an_attack() -> None:
    flips = ask(
        "Austria A VIE",
        "Austria A VIE - GAL; Austria A BUD S A VIE - GAL; Italy A GAL H; Italy A SER H",
    )

    assert flips.result == "succeeds"
    found = lines(flips.search(["Italy"], most=1))
    assert ("A SER - BUD",) in found
    assert all("BUD" in change for (change,) in found)


def test_ones_own_support_makes_a_failed_attack_succeed() -> None:
    flips = ask("Austria A VIE", "Austria A VIE - GAL; Austria A BUD H; Italy A GAL H")

    assert lines(flips.search(["Austria"], wanted=["succeeds"])) == {("A BUD S A VIE - GAL",)}


def test_two_changes_are_needed_where_one_does_not_do() -> None:
    flips = ask("Austria A VIE", "Austria A VIE H; Italy A TYR H; Italy A BOH H")

    assert lines(flips.search(["Italy"])) == {
        ("A BOH - VIE", "A TYR S A BOH - VIE"),
        ("A BOH S A TYR - VIE", "A TYR - VIE"),
    }


def test_beside_another_change_more_orders_come_to_the_same() -> None:
    """Found by drawn positions: with F ISR gone to SIS, all that F SIS can do does; but its support
    would do alone."""
    position, orders = read_lines(
        "TOL F NUB - MEN; TOL F NOC S F NUB - MEN; SEL F SIS - FEN; TOL F ISR - FEN;"
        "LIS F CIP - FEN; TOL F ISS - FEN",
        load_board("alexmagnum").with_rules({"sea_capacity": 2}),
    )
    flips = Flips(position, orders, read_unit("LIS F CIP"))
    others = {"TOL", "SEL"}
    force = BruteForce(flips)
    alone = force.one(others)

    assert spread(list(flips.search(others))) == {**alone, **force.two(others, alone)}


def test_a_unit_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="A BUD"):
        ask("Austria A BUD", "Austria A VIE H")


# Plans side by side: what differs, and what each comes to.


STANDARD = load_board("standard")
VIENNA, BUDAPEST = Unit("Austria", "A", "VIE"), Unit("Austria", "A", "BUD")
GALICIA = Unit("Russia", "A", "GAL")


def _position(season: str = "spring") -> Position:
    owners = {"VIE": "Austria", "BUD": "Austria"}
    return Position(STANDARD, Phase(1901, season), (VIENNA, BUDAPEST, GALICIA), owners)


def _compared(position: Position, *texts: str) -> Comparison:
    plans = {f"{i}.txt": read_orders(text, position).orders for i, text in enumerate(texts)}
    return compare(position, plans)


def _printed(comparison: Comparison, width: int = 80, lang: str = "en") -> str:
    return "\n".join(format_plans(comparison, load_sentences(lang), width=width))


def test_only_what_differs_is_a_difference_orders_first() -> None:
    both = "Russia: A GAL - VIE\n"
    compared = _compared(
        _position(), f"{both}Austria: A VIE H\nA BUD H", f"{both}Austria: A VIE - TYR\nA BUD H"
    )
    told = [(row.unit, row.differs_in_order) for row in compared.differences]

    assert told == [("A VIE", True), ("A GAL", False)]


def test_a_unit_without_an_order_and_one_that_is_ordered_to_hold_differ_in_the_order() -> None:
    (row,) = _compared(_position(), "Austria: A VIE H", "Austria: A BUD H").differences[:1]

    assert [side.order for side in row.sides] == ["A VIE H", ""]
    assert [side.results for side in row.sides] == [("stands",), ("stands",)]


def test_plans_that_are_alike_come_to_the_same() -> None:
    compared = _compared(_position(), "Austria: A VIE H", "Austria: A VIE H")

    assert compared.differences == ()
    assert "The plans have the same result." in _printed(compared)


def test_who_is_dislodged_is_told_of_each_plan() -> None:
    attack = "Austria: A VIE - GAL\nA BUD S A VIE - GAL"
    compared = _compared(_position(), attack, "Austria: A VIE H")

    assert compared.dislodged("0.txt") == (GALICIA,)
    assert compared.dislodged("1.txt") == ()
    assert "A GAL (Russia)" in _printed(compared)


def test_in_autumn_centres_change_hands_in_spring_they_are_entered() -> None:
    texts = "Russia: A GAL - VIE\nAustria: A VIE - TYR", "Russia: A GAL - VIE"
    spring, autumn = (_compared(_position(season), *texts) for season in ("spring", "autumn"))

    for compared in (spring, autumn):
        assert compared.centres("0.txt") == {"VIE": "Russia"}
        assert compared.centres("1.txt") == {}
    assert "CENTRES ENTERED" in _printed(spring)
    assert "CENTRES THAT CHANGE HANDS" in _printed(autumn)


def test_the_units_after_are_named_where_they_are_not_in_every_plan() -> None:
    compared = _compared(_position(), "Austria: A VIE - TYR", "Austria: A VIE - BOH")
    line = next(x for x in _printed(compared).splitlines() if x.startswith("Austria   "))

    assert line.split() == ["Austria", "2:", "…", "A", "TYR", "2:", "…", "A", "BOH"]


def test_more_than_two_plans_stand_side_by_side() -> None:
    plans = [f"Austria: A VIE - {to}" for to in ("TYR", "BOH", "TRI")]

    assert "0.txt" in _printed(_compared(_position(), *plans))
    assert len(_compared(_position(), *plans).differences[0].sides) == 3


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("width", [80, 100, 160])
@pytest.mark.parametrize("name", phase_contexts.ALL)
def test_no_line_is_wider_than_the_terminal(name: str, width: int, lang: str) -> None:
    context = phase_contexts.ALL[name]()
    outcome = context.outcome or adjudicate(context.position, {})
    compared = compare(
        context.position, {"orders.txt": group_valid_orders(outcome), "none.txt": {}}
    )

    assert max(map(len, _printed(compared, width, lang).splitlines())) <= width


def test_two_equal_builds_are_two_and_a_pick_is_one() -> None:
    waives = _compared(phase_contexts.winter().position, "SEL: Waive\nWaive", "SEL: Waive")
    picks = _compared(phase_contexts.picks().position, "SEL: Pick BAB", "SEL: Pick SUS")

    assert [row.unit for row in waives.rows if row.power == "SEL"] == ["Waive", "Waive (2)"]
    assert [[s.order for s in row.sides] for row in picks.rows if row.power == "SEL"] == [
        ["Pick BAB", "Pick SUS"]
    ]


def test_a_removal_stands_in_one_row_ordered_or_not() -> None:
    without = Position(STANDARD, Phase(1901, "winter"), (VIENNA, BUDAPEST), {"VIE": "Austria"})
    compared = _compared(without, "Austria: Remove A BUD", "Austria: Remove A VIE", "")

    assert {row.unit: [(s.order, s.results) for s in row.sides] for row in compared.rows} == {
        "A BUD": [("Remove A BUD", ("succeeds",)), ("", ()), ("", ("removed",))],
        "A VIE": [("", ()), ("Remove A VIE", ("succeeds",)), ("", ())],
    }


# -- what is assumed, what is pasted ---------------------------------------------------------------


def _assumed(position: Position, text: str) -> list[str]:
    outcome = adjudicate(position, read_orders(text, position).orders)
    return list(reports.describe_assumptions(outcome, load_sentences("en")))


def test_units_without_an_order_are_named_of_powers_that_ordered_something() -> None:
    assert _assumed(_position(), "Austria: A VIE H") == [
        "Austria: no order, so they hold: A BUD",
        "No orders for Russia: all their units hold",
    ]


def test_a_unit_whose_order_is_void_holds_as_well() -> None:
    assert _assumed(_position(), "Russia: A GAL - PAR\nAustria: A VIE H\nA BUD H") == [
        "No orders for Russia: all their units hold"
    ]


OTHERS: Mapping[str, tuple[str, str]] = {
    "retreats": ("CAS: F CRE - LIB", "their dislodged units are disbanded"),
    "winter": ("SEL: Waive", "removals follow the civil disorder rule"),
    "picks": ("SEL: Pick BAB", "they get nothing in this period"),
    "deployment": ("SEL: Build A BAB", "they place nothing"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_every_kind_of_phase_says_what_is_assumed(name: str) -> None:
    text, wanted = OTHERS[name]

    assert wanted in _assumed(phase_contexts.ALL[name]().position, text)[-1]


def test_removals_that_are_not_ordered_are_named() -> None:
    position = _position("winter")
    without = Position(STANDARD, position.phase, position.units, {"BUD": "Austria"})

    assert "No orders for Austria, Russia" in _assumed(without, "")[-1]
    three = (*position.units, Unit("Austria", "A", "TYR"))
    two = Position(STANDARD, position.phase, three, {"BUD": "Austria"})
    assert _assumed(two, "Austria: Remove A VIE")[0] == (
        "Austria: removed by the civil disorder rule: A TYR"
    )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_pasted_is_read_as_the_orders_that_count(lang: str) -> None:
    for map_id in ("alexmagnum", "standard"):
        for played in play_game(load_board(map_id), 5, years=2):
            text = "\n".join(format_orders_to_paste(played.outcome, load_sentences(lang)))
            again = adjudicate(played.position, read_orders(text, played.position).orders)

            assert group_valid_orders(again).keys() == group_valid_orders(played.outcome).keys()
            assert set(again.units) == set(played.outcome.units)
