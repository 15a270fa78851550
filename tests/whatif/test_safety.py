"""How safe one's orders are, against the plain judge over every joint order set."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice, product
from math import prod
from random import Random
from typing import Any

import pytest
from hypothesis import given

from alexmagnum.board.geography import split_location
from alexmagnum.board.map_file import load_board
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.judge import adjudicate
from alexmagnum.judge.outcome import Outcome
from alexmagnum.notation import write_order
from alexmagnum.orders import Convoy, Move, MovementOrder, Order
from alexmagnum.position import Position, Unit
from alexmagnum.report import whatif as reports
from alexmagnum.report.whatif import format_share, judge_safety, wrap_styled_line
from alexmagnum.whatif import safety
from alexmagnum.whatif.safety import ENTERED, KEPT, Answer, Count, Goal, PlanSearch, Verdict
from alexmagnum.whatif.search import movement_orders, sensible_orders
from tests.scenarios import CHANCE, PROFILES, Scenario, fully, lowered, scenarios, seeded
from tests.scenarios.plain import draw_mixed
from tests.sizes import sampled, sized
from tests.units import place_units, read_lines

FEW = 1500  # up to so many joint order sets are tried by brute force


def plain_answer(survey: safety.Survey, subject: safety.Subject, outcome: Outcome) -> Answer:
    if isinstance(subject, Unit):
        lost = subject in {d.unit for d in outcome.dislodged} or subject in outcome.destroyed
        return Answer(outcome.fates(subject)[0].result, lost)
    lost = any(u.province == subject and u.power != survey.asking for u in outcome.units)
    return Answer(ENTERED if lost else KEPT, lost)


def by_brute_force(survey: safety.Survey) -> list[Counter[Answer]]:
    """Return all answers to each question, over all possible orders of every unit."""
    answers: list[Counter[Answer]] = [Counter() for _ in survey.verdicts]
    units = survey.position.tables.units
    for listed in list_joint_sets(dict(zip(units, survey.trials.orders, strict=True))):
        outcome = adjudicate(survey.position, listed)
        for counted, verdict in zip(answers, survey.verdicts, strict=True):
            counted[plain_answer(survey, verdict.subject, outcome)] += 1
    return answers


def list_joint_sets(
    rows: Mapping[Unit, Sequence[MovementOrder]],
) -> Iterator[dict[str, list[MovementOrder]]]:
    """Yield all joint order sets of some units, by power; a unit without orders has none."""
    for orders in product(*(row or (None,) for row in rows.values())):
        listed: dict[str, list[MovementOrder]] = {}
        for unit, order in zip(rows, orders, strict=True):
            if order is not None:
                listed.setdefault(unit.power, []).append(order)
        yield listed


def draw_sides(position: Position, rng: Random) -> tuple[str, list[str]]:
    """Return a power that asks, and one or two others."""
    powers = sorted({unit.power for unit in position.units} & set(position.board.powers))
    asking = rng.choice(powers)
    others = [power for power in powers if power != asking]
    return asking, rng.sample(others, min(len(others), rng.randint(1, 2)))


def small_survey(scenario: Scenario, rng: Random) -> safety.Survey | None:
    """Return a survey of a scenario for one of its powers; None if that has too many order sets."""
    survey = safety.Survey(scenario.position, scenario.orders, *draw_sides(scenario.position, rng))
    return survey if survey.trials.size <= lowered(FEW, rng) else None


def survey_lines(lines: str, against: str = "Italy", **more: Any) -> safety.Survey:
    """Return the survey of who comes first in lines on the standard map, in autumn."""
    position, orders = read_standard(lines, **more)
    return safety.Survey(position, orders, lines.split(maxsplit=1)[0], [against])


def read_standard(lines: str, **more: Any) -> tuple[Position, Mapping[str, tuple[Order, ...]]]:
    """Return the position and the orders of lines on the standard map, in autumn."""
    return read_lines(lines, load_board("standard"), phase="1901-autumn", **more)


def verdict_on(survey: safety.Survey, subject: str) -> Verdict:
    for verdict in survey.verdicts:
        if subject in (verdict.subject, str(verdict.subject)):
            return verdict
    raise AssertionError(subject)


@fully
@given(scenarios(chance=CHANCE), CHANCE)
def test_every_share_is_that_of_brute_force(scenario: Scenario, rng: Random) -> None:
    if (survey := small_survey(scenario, rng)) is None:
        return
    list(survey.run())

    assert [verdict.weights for verdict in survey.verdicts] == by_brute_force(survey)


@fully
@given(scenarios(chance=CHANCE), CHANCE)
def test_every_example_brings_its_answer_about(scenario: Scenario, rng: Random) -> None:
    if (survey := small_survey(scenario, rng)) is not None:
        check_examples(survey)


def test_an_attack_that_cuts_a_support_is_in_the_example() -> None:
    """Found among random positions: the attack on A SIL was left out, because A SIL is cut."""
    survey = small_survey(draw_mixed(Random(626)), Random(549))

    assert survey is not None
    check_examples(survey)


def check_examples(survey: safety.Survey) -> None:
    """Adjudicate each example with the own and the fixed orders; all other units hold."""
    list(survey.run())
    for verdict in survey.verdicts:
        for answer, example in verdict.examples.items():
            orders: dict[str, list[MovementOrder]] = {}
            for unit, order in survey.given.items():
                if unit.power not in survey.against:
                    orders.setdefault(unit.power, []).append(order)
            for order in example:
                orders.setdefault(survey.position.names[order.unit].power, []).append(order)
            outcome = adjudicate(survey.position, orders)
            assert plain_answer(survey, verdict.subject, outcome) == answer


@fully
@given(scenarios(chance=CHANCE), CHANCE)
def test_what_is_planned_or_drawn_is_possible(scenario: Scenario, rng: Random) -> None:
    """Cut short after one case, every question falls back on plans, then on drawing."""
    if (survey := small_survey(scenario, rng)) is None:
        return
    possible = by_brute_force(survey)
    list(survey.run(most_cases=1, sample=40, seed=3))

    for verdict, answers in zip(survey.verdicts, possible, strict=True):
        assert set(verdict.answers) <= set(answers)
        assert verdict.is_exact or verdict.drawn.total() == 40


@sampled
def test_plans_for_the_worst_hardly_ever_miss_it() -> None:
    """Against all joint order sets, on drawn positions of every kind."""
    found: Counter[bool] = Counter()
    for profile in PROFILES:
        for number in range(sized(6, 40)):
            scenario = seeded(profile, 5, number)
            if (whole := small_survey(scenario, Random(number))) is None:
                continue
            planned = safety.Survey(whole.position, scenario.orders, whole.asking, whole.against)
            list(whole.run())
            list(planned.run(most_cases=1, sample=0))
            for all_, some in zip(whole.verdicts, planned.verdicts, strict=True):
                assert all_.worst is not None
                assert some.worst is not None
                if all_.worst.badness != all_.answers[0].badness:
                    found[some.worst.badness == all_.worst.badness] += 1

    assert found.total() > sized(15, 100)
    assert found[True] > 0.97 * found.total()


def test_an_example_has_no_order_that_it_can_do_without() -> None:
    survey = survey_lines("Austria A VIE H; Italy A TYR; Italy A BOH; Italy A GAL")
    list(survey.run(most_cases=1, sample=0))

    verdict = verdict_on(survey, "A VIE")
    assert verdict.worst == Answer("dislodged", True)
    assert len(verdict.examples[verdict.worst]) == 2


def test_an_attack_that_needs_a_support_is_the_worst_case() -> None:
    survey = survey_lines("Austria A VIE H; Italy A TYR; Italy A BOH", owners={"VIE": "Austria"})
    list(survey.run())

    verdict = verdict_on(survey, "A VIE")
    assert verdict.worst == Answer("dislodged", True)
    assert {write_order(order) for order in verdict.examples[verdict.worst]} in (
        {"A TYR - VIE", "A BOH S A TYR - VIE"},
        {"A BOH - VIE", "A TYR S A BOH - VIE"},
    )
    # Two of all the orders of two armies dislodge it.
    rows = [len(row) for row in survey.trials.orders if len(row) > 1]
    assert verdict.share(Answer("dislodged", True)) == 2 / (rows[0] * rows[1])
    assert verdict_on(survey, "VIE").weights[Answer(ENTERED, True)] == 2


def test_who_is_not_among_the_powers_against_does_as_ordered() -> None:
    survey = survey_lines("Austria A VIE H; Italy A TYR; Germany A BOH S A TYR - VIE")
    list(survey.run())

    assert [unit.power for unit in survey.varied] == ["Italy"]
    assert verdict_on(survey, "A VIE").weights[Answer("dislodged", True)] == 1


def test_sensible_orders_never_help_who_asks() -> None:
    position, _ = read_standard("Austria A VIE; Italy A TYR; Italy F ADR")
    rows = sensible_orders(position, {}, "Austria", ["Italy"])

    written = {write_order(order) for row in rows for order in row}
    assert "A TYR - VIE" in written
    assert not [line for line in written if "A VIE" in line]


def test_an_army_that_can_walk_may_be_carried_past_who_asks() -> None:
    """Expect a swap by convoy; on foot the two would meet head to head (DATC 6.G)."""
    survey = survey_lines(
        "Austria A TRI - VEN; Italy A VEN; Italy F ADR", owners={"TRI": "Austria"}
    )
    list(survey.run())

    examples = verdict_on(survey, "A TRI").examples.values()
    swap = {"A VEN - TRI via convoy", "F ADR C A VEN - TRI"}
    assert swap <= {write_order(order) for row in survey.trials.orders for order in row}
    assert any({write_order(order) for order in example} <= swap for example in examples)


def test_a_convoy_may_name_the_army_by_a_number_that_nobody_needs() -> None:
    position, _ = read_standard("Austria F ADR; Italy A VEN")
    orders = {"Austria": [Convoy("F ADR", "A VEN#1", "ALB")]}
    survey = safety.Survey(position, orders, "Austria", ["Italy"])
    list(survey.run())

    assert Answer("available", False) in verdict_on(survey, "F ADR").answers


def test_nobody_asks_for_a_convoy_that_no_fleet_may_be_ordered_to_make() -> None:
    """Give the fleet in the Adriatic another order, by a power whose orders are fixed."""
    survey = survey_lines("Austria A TRI; Italy A VEN; Turkey F ADR H")
    written = [write_order(order) for row in survey.trials.orders for order in row]

    assert "A VEN - TRI" in written
    assert not [line for line in written if "via convoy" in line]


def test_who_is_ordered_what_cannot_be_may_be_helped_to_hold() -> None:
    """Treat an illegal order as none: Italy's support keeps the army in Tyrolia in its place."""
    survey = survey_lines(
        "Austria A TRI - TYR; Austria A VIE S A TRI - TYR; Germany A TYR - LON; Italy A VEN"
    )
    list(survey.run())

    assert verdict_on(survey, "A TRI").examples[Answer("fails", False)]


def test_an_order_of_a_power_in_revolt_does_nothing() -> None:
    """Expect no cut: the attack of a power in revolt is no attack (R3)."""
    lines = "TOL A MEN - ALE; TOL A NOC S A MEN - ALE; SEL A ALE; LIS A FOC - NOC"
    survey = safety.Survey(*read_lines(lines, nobility={"LIS": 0}), "TOL", ["SEL"])
    list(survey.run())

    assert [verdict.weights for verdict in survey.verdicts] == by_brute_force(survey)
    assert verdict_on(survey, "A MEN").worst == Answer("succeeds", False)


def test_who_asks_while_in_revolt_holds_in_every_question() -> None:
    """The unit asked about first leaves the other's move out, which then comes back (R3)."""
    lines = "TOL A SAR H; TOL A MEN - FOC; SEL A ALE; SEL A NOC"
    survey = safety.Survey(*read_lines(lines, nobility={"TOL": 0}), "TOL", ["SEL"])
    list(survey.run())

    assert [verdict.weights for verdict in survey.verdicts] == by_brute_force(survey)
    assert verdict_on(survey, "A MEN").order is not None
    assert Answer("stands", False) in verdict_on(survey, "A MEN").weights


def test_the_same_seed_draws_the_same_sets_however_they_are_shared_out() -> None:
    lines = "Austria A VIE H; Italy A TYR; Italy A BOH; Italy A BUD; Italy A GAL"

    def count_drawn(seed: int) -> list[Counter[Answer]]:
        survey = survey_lines(lines)
        list(survey.run(most_cases=3, sample=600, seed=seed))
        return [verdict.drawn for verdict in survey.verdicts]

    assert count_drawn(1) == count_drawn(1)
    assert count_drawn(1) != count_drawn(2)


def test_a_survey_that_is_stopped_keeps_what_it_knows() -> None:
    survey = survey_lines("Austria A VIE H; Austria A GRE; Italy A TYR")
    list(islice(survey.run(), 1))

    assert [verdict.is_exact for verdict in survey.verdicts] == [True, False]


def test_only_powers_can_be_asked_about() -> None:
    position, _ = read_standard("Austria A VIE")
    with pytest.raises(ValueError, match="Itly"):
        safety.Survey(position, {}, "Austria", ["Itly"])
    with pytest.raises(ValueError, match="Ostria"):
        safety.Survey(position, {}, "Ostria", ["Italy"])


def test_only_movement_can_be_surveyed() -> None:
    winter = place_units("Austria A VIE", board=load_board("standard"), phase="1901-winter")
    with pytest.raises(ValueError, match="Austria"):
        safety.Survey(winter, {}, "Austria", ["Italy"])


# -- whether one can be sure of a province ---------------------------------------------------------


def list_sets(search: PlanSearch, *, own: bool) -> Iterator[dict[str, list[MovementOrder]]]:
    """Return the plans of the power that asks, or all that the others may order."""
    rows = dict(zip(search.trials.units, search.trials.orders, strict=True))
    own_power = search.asking
    return list_joint_sets({u: row for u, row in rows.items() if (u.power == own_power) == own})


def is_sure(search: PlanSearch, plan: dict[str, list[MovementOrder]]) -> bool:
    """Tell whether a plan reaches the goal in every answer, by the plain judge."""
    for answer in list_sets(search, own=False):
        outcome = adjudicate(search.position, {**answer, **plan})
        there = {(unit.province, unit.power == search.asking) for unit in outcome.units}
        if any((place, True) not in there for place in search.goal.take):
            return False
        if any((place, False) in there for place in search.goal.hold):
            return False
    return True


def small_search(scenario: Scenario, rng: Random) -> PlanSearch | None:
    """Return a search of a scenario for one of its powers; None if that has too many order sets."""
    position = scenario.position
    sides = draw_sides(position, rng)
    moves = [o for row in movement_orders(position).values() for o in row if isinstance(o, Move)]
    near = {split_location(move.to)[0] for move in moves}
    places = rng.sample(sorted(near | {unit.province for unit in position.units}), 2)
    takes = rng.randint(0, 2)
    goal = Goal(tuple(places[:takes]), tuple(places[takes:][: rng.randint(not takes, 1)]))
    search = PlanSearch(position, scenario.orders, *sides, goal)
    size = prod(len(row) or 1 for row in search.trials.orders)
    return search if size <= lowered(FEW, rng) else None


@fully
@given(scenarios(chance=CHANCE), CHANCE)
def test_it_finds_a_sure_plan_if_and_only_if_there_is_one(scenario: Scenario, rng: Random) -> None:
    if (search := small_search(scenario, rng)) is None:
        return
    list(search.run(most_cases=10**9))

    if search.sure:
        assert is_sure(search, {search.asking: search.survey.list_own()})
    else:
        assert search.sure is False
        assert not any(is_sure(search, plan) for plan in list_sets(search, own=True))


@pytest.mark.parametrize(
    ("lines", "goal", "sure", "plan"),
    [
        # Two against one that only one can help.
        ("Austria A VIE; Austria A BUD; Italy A TRI", Goal(take=("TRI",)), True, "S A"),
        ("Austria A VIE; Austria A BUD; Italy A TRI; Italy A VEN", Goal(take=("TRI",)), False, ""),
        # Whoever meets a rival there keeps the place, and does not enter it.
        ("Austria A VIE; Italy A VEN", Goal(hold=("TYR",)), True, "A VIE - TYR"),
        ("Austria A VIE; Italy A VEN", Goal(take=("TYR",)), False, ""),
        ("Austria A VIE; Italy A ROM", Goal(("VIE",), ("BUD",)), True, "A VIE H"),
    ],
)
def test_a_plan_is_sure_if_no_answer_spoils_it(
    lines: str, goal: Goal, sure: bool, plan: str
) -> None:
    search = PlanSearch(*read_standard(lines), "Austria", ["Italy"], goal)
    list(search.run())

    assert search.sure is sure
    (verdict,) = search.survey.verdicts
    assert [answer.result for answer in verdict.losses] == ([] if sure else ["missed"])
    assert any(plan in write_order(order) for order in search.survey.list_own())


def test_with_too_few_cases_nothing_is_said_that_is_not_so() -> None:
    """Neither sure nor that none is: the plan that nothing spoils is as good as its sample."""
    lines = "Austria A VIE; Austria A BUD; Austria A TRI; Italy A TYR; Italy A BOH; Italy A GAL"
    search = PlanSearch(*read_standard(lines), "Austria", ["Italy"], Goal(take=("VIE",)))
    list(search.run(most_cases=1, sample=10))

    assert search.sure is None
    assert search.survey.verdicts[0].drawn.total() == 10


# -- counts and verdicts ---------------------------------------------------------------------------


def _counted(weights: dict[Answer, int], total: int, choices: int) -> Verdict:
    """Return a verdict in which every joint order set was tried, or those of some weights."""
    verdict = Verdict("ROM", None, total, choices=choices)
    verdict.weights.update(weights)
    return verdict


KEPT_ROM, LOST_ROM = Answer("kept", False), Answer("entered", True)


def test_a_count_of_all_answers_leaves_out_units_that_do_not_matter() -> None:
    verdict = _counted({KEPT_ROM: 700, LOST_ROM: 100}, total=800, choices=8)

    assert verdict.count([LOST_ROM]) == (1, 8, True)
    assert judge_safety(verdict) == "at_risk"


def test_a_sample_is_never_taken_for_all_answers() -> None:
    verdict = _counted({KEPT_ROM: 3}, total=10**20, choices=8)
    verdict.drawn[KEPT_ROM] = 2000

    assert verdict.count([LOST_ROM]) == (0, 2000, False)
    assert judge_safety(verdict) == "unproven"


def test_an_order_without_effect_in_all_answers_of_a_sample_never_succeeds() -> None:
    """However many ways there are to dislodge the army meanwhile."""
    survey = survey_lines("Austria A VIE - TRI; Italy A TYR; Italy A BOH; Italy A TRI")
    never = Verdict("ROM", None, 10**20)
    never.drawn[Answer("invalid", False)] = never.drawn[Answer("illegal", True)] = 9
    assert never.is_good is False
    never.drawn[Answer("succeeds", False)] = 1
    assert never.is_good is None
    assert verdict_on(survey, "A VIE").is_good is None  # not worked out yet


@pytest.mark.parametrize(
    ("weights", "said"), [({KEPT_ROM: 1}, "safe"), ({LOST_ROM: 1}, "lost"), ({}, "unproven")]
)
def test_only_what_was_tried_in_all_answers_is_safe_or_lost(
    weights: dict[Answer, int], said: str
) -> None:
    assert judge_safety(_counted(weights, total=1, choices=1)) == said


SHARES = {
    Fraction(0): "0 %",
    Fraction(1, 10**30): "<0.1 %",
    Fraction(1, 2000): "<0.1 %",
    Fraction(1, 1000): "0.1 %",
    Fraction(1999, 2000): ">99.9 %",
    1 - Fraction(1, 10**30): ">99.9 %",
    Fraction(1): "100 %",
}
COUNTS = {
    Count(1, 8, True): "12.5 %",
    Count(0, 8, True): "0 %",
    Count(8, 8, True): "100 %",
    Count(0, 2000, False): "<0.2 %",
    Count(2000, 2000, False): ">99.8 %",
    Count(0, 2, False): "<100 %",
    Count(61, 2000, False): "3.0 %",
    Count(60, 2000, False): "3 %",
}


def test_a_share_is_never_rounded_to_none_or_all_and_one_of_a_sample_is_what_is_certain() -> None:
    words = load_sentences("en")
    shares = {share: format_share(share, words) for share in SHARES}
    counts = {count: reports.format_count_share(count, words) for count in COUNTS}

    assert {share: text.replace("\xa0", " ") for share, text in shares.items()} == SHARES
    assert {count: text.replace("\xa0", " ") for count, text in counts.items()} == COUNTS


def test_an_answer_stands_beside_its_text_or_below_it_or_has_a_line_for_each_order() -> None:
    line = reports.StyledLine("  lost, worst:", parts=("A\xa0X\xa0-\xa0Y", "F\xa0V\xa0-\xa0W"))

    assert wrap_styled_line(line, 40) == ["  lost, worst: A X - Y; F V - W"]
    assert wrap_styled_line(line, 24) == ["  lost, worst:", "      A X - Y; F V - W"]
    assert wrap_styled_line(line, 20) == ["  lost, worst:", "      A X - Y", "      F V - W"]
    assert wrap_styled_line(line, 12) == ["  lost,", "      worst:", "    A X - Y", "    F V - W"]
