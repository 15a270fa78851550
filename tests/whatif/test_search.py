"""The searches leave out only what cannot matter: compared with the judge on every order set."""

from collections import Counter
from collections.abc import Iterator
from itertools import product
from math import prod
from random import Random
from typing import Any

import pytest
from hypothesis import given

import alexmagnum
from alexmagnum.board.model import INDEPENDENT
from alexmagnum.builds import COMPILED
from alexmagnum.cases.files import Case, resolve_turn
from alexmagnum.judge.outcome import Outcome
from alexmagnum.judge.results import MovementOutcome
from alexmagnum.judge.sheet import Sheet
from alexmagnum.orders import MovementOrder
from alexmagnum.position import Position
from alexmagnum.whatif.flips import CURRENT, Flips
from alexmagnum.whatif.partial_results import EVERYTHING, PartialResolver
from alexmagnum.whatif.search import Question, Touches, Trials, given_orders, movement_orders
from tests.case_library import cases_in
from tests.scenarios import CHANCE, PROFILES, SETTINGS, Scenario, fully, lowered, scenarios, seeded
from tests.sizes import drawn, one_in, sized
from tests.units import read_lines

# -- order sets of a position ----------------------------------------------------------------------


def all_orders(scenario: Scenario, rng: Random) -> tuple[Trials, dict[int, int]]:
    """Return all legal orders of every unit, and the orders of the scenario or some by chance."""
    position = scenario.position
    legal = movement_orders(position)
    units = position.tables.units
    rows = [legal[unit] if position.takes_orders(unit) else () for unit in units]
    given_ = given_orders(position, scenario.orders) if rng.random() < 0.5 else {}
    chosen = {}
    for u, row in enumerate(rows):
        if row:
            order = given_.get(units[u])
            chosen[u] = row.index(order) if order in row else rng.randrange(len(row))
    return Trials(position, rows), chosen


def widen_orders(scenario: Scenario, rng: Random, most: int) -> Trials:
    """Return the orders of a scenario, with further legal orders: ``most`` sets of them at most."""
    position = scenario.position
    orders: dict[str, MovementOrder] = {}
    for listed in scenario.orders.values():
        orders.update({order.unit: order for order in listed})
    legal = movement_orders(position)
    rows: list[list[MovementOrder]] = []
    for unit in position.tables.units:
        given_ = orders.get(position.name(unit))
        rows.append([given_] if given_ else list(legal[unit][:1]))
    for u in rng.sample(range(len(rows)), len(rows)):
        more = [o for o in legal[position.tables.units[u]] if o not in rows[u]]
        rng.shuffle(more)
        room = most // max(1, prod(len(row) or 1 for row in rows)) - 1
        rows[u] += more[: max(0, min(room, rng.randint(1, 4)))]
    return Trials(position, rows)


# -- pruning by influence --------------------------------------------------------------------------

SOME = 10  # where few order sets are tried, so many questions are asked
MOST = sized(100, 250)  # how many joint order sets a test tries

Answer = tuple[object, ...]


def answer(trials: Trials, outcome: Outcome, question: Question) -> Answer:
    """Return the answer of an outcome to a question: results and losses of units, occupiers."""
    units = [trials.units[u] for u in question.units]
    lost = {d.unit for d in outcome.dislodged} | set(outcome.destroyed)
    fates = [(outcome.fates(unit)[0].result, unit in lost) for unit in units]
    ids = [trials.position.board.tables.ids[p] for p in question.provinces]
    powers = trials.position.tables.power
    own = {unit.power for u, unit in enumerate(trials.units) if powers[u] == question.power}
    there = [any(u.province == at and u.power not in own for u in outcome.units) for at in ids]
    return (*fates, *there)


def questions(trials: Trials) -> Iterator[Question]:
    """Return a question for every unit of a power and for every occupied province."""
    for u, unit in enumerate(trials.units):
        if unit.power != INDEPENDENT:
            yield Question(units=(u,))
    tables = trials.position.tables
    for province in sorted(set(tables.province)):
        for power in sorted(set(tables.power)):
            yield Question(provinces=(province,), power=power)


@fully
@given(scenarios(chance=CHANCE), CHANCE)
def test_the_cases_have_the_answers_of_all_order_sets(scenario: Scenario, rng: Random) -> None:
    most = lowered(MOST, rng)
    trials = widen_orders(scenario, rng, most)
    sets = product(*(row or [-1] for row in trials.everything))
    outcomes = [trials.outcome({u: i for u, i in enumerate(c) if i >= 0}) for c in sets]
    asked = list(questions(trials))
    if most < MOST:
        asked = rng.sample(asked, min(len(asked), SOME))

    for question in asked:
        pruned: Counter[Answer] = Counter()
        for family in trials.families(question):
            for group, weight in zip(family.groups, family.weights, strict=True):
                case = trials.case_of(question, family, group, weight)
                pruned[answer(trials, trials.outcome(case.chosen), question)] += weight
        assert pruned == Counter(answer(trials, outcome, question) for outcome in outcomes)


MOVEMENT = [
    case
    for case in (*cases_in("cases"), *cases_in("datc"))
    if case.turn.position is not None and case.turn.position.phase.kind == "movement"
]
assert len(MOVEMENT) > 200


@pytest.mark.parametrize("case", one_in(4, MOVEMENT), ids=lambda case: case.id)
def test_every_order_has_its_result_also_from_the_orders_that_can_matter(case: Case) -> None:
    resolution = resolve_turn(case.turn)
    outcome = resolution.outcome
    assert isinstance(outcome, MovementOutcome)
    tables = outcome.position.tables
    for u, unit in zip(tables.numbers, tables.units, strict=True):
        flips = Flips(outcome.position, resolution.orders, unit)
        told = [(fate.result, fate.reason) for fate in outcome.fates(unit)]
        assert flips.result == told[0][0]
        assert [(fate.result, fate.reason) for fate in flips.outcome.fates(unit)] == told
        given_ = {v: CURRENT for v, row in enumerate(flips.trials.orders) if row}
        near = flips.trials.case(Question(units=(u,)), given_)
        assert flips.trials.outcome(near.chosen).result_by_number(u) == told[0][0]


# -- results of single units -----------------------------------------------------------------------

ENTRIES = {"entry_faults", "entry_unit", "has_bad_entry", "listed"}
NOT_COMPARED = {"board", "numbers", "orders", "units", *ENTRIES}
KIND: Any = Sheet
TABLES = set(getattr(KIND, "__slots__", ()) or KIND.__mypyc_attrs__) - NOT_COMPARED


def compare_results(trials: Trials, chosen: dict[int, int]) -> None:
    """Compare every single result, each judged alone, with that of the whole phase."""
    outcome = trials.outcome(chosen)
    tables = trials.position.tables
    lost = {d.unit for d in outcome.dislodged} | set(outcome.destroyed)
    for u, unit in zip(tables.numbers, tables.units, strict=True):
        assert trials.results(chosen).result(u) == outcome.result_by_number(u)
        assert trials.results(chosen).is_lost(u) == (unit in lost)
    whole = trials.results(chosen)
    whole.decide_all()
    index = trials.position.board.tables.index
    after = [(index[unit.province], unit.power) for unit in outcome.units]
    for province in {*tables.province, *(at for at, _ in after)}:
        for name, power in trials.position.board.tables.power.items():
            foreign = any(at == province and other != name for at, other in after)
            assert whole.is_entered(province, power) == foreign
            assert trials.results(chosen).is_entered(province, power) == foreign


@drawn(36, 1000, SETTINGS)
@given(scenarios(chance=CHANCE), CHANCE)
def test_a_sheet_of_checked_orders_is_that_of_its_orders_and_has_their_results(
    scenario: Scenario, rng: Random
) -> None:
    trials, chosen = all_orders(scenario, rng)
    chosen = dict(rng.sample(sorted(chosen.items()), rng.randint(0, len(chosen))))

    sheet = Sheet(trials.position, {}, [trials.acts[u][i] for u, i in sorted(chosen.items())])
    whole = Sheet(trials.position, list_by_power(trials.position, sheet))

    for name in TABLES:
        assert getattr(sheet, name) == getattr(whole, name)
    compare_results(trials, chosen)


def list_by_power(position: Position, sheet: Sheet) -> dict[str, list[Any]]:
    listed: dict[str, list[Any]] = {}
    for unit, order in zip(position.tables.units, sheet.orders, strict=True):
        if order is not None:
            listed.setdefault(unit.power, []).append(order)
    return listed


def express_in_a_paradox() -> tuple[Trials, dict[int, int]]:
    """Return the knot of R22a in which an army decides where the first of two expresses stops."""
    position, orders = read_lines(
        "SEL F MAL - GAN; SEL A LAH - TAX; SEL A GAN S A LAH - TAX;"
        "LIS F RAY - GAN; LIS A PRP S F RAY - GAN"
    )
    given_ = given_orders(position, orders)
    units = position.tables.units
    trials = Trials(position, [[given_[u]] if u in given_ else [] for u in units])
    return trials, {u: 0 for u, unit in enumerate(units) if unit in given_}


def test_an_express_that_a_paradox_breaks_does_not_count_for_others() -> None:
    """Found by drawn positions: the army in LAH was said to fail against an express that its own
    success makes a paradox."""
    trials, chosen = express_in_a_paradox()

    compare_results(trials, chosen)
    provinces = [unit.province for unit in trials.position.tables.units]
    asked = trials.position.tables.numbers[provinces.index("LAH")]
    assert trials.read_result(chosen, asked) == ("succeeds", EVERYTHING)  # the whole was judged


# -- a change that touches nothing read leaves the answer as it was --------------------------------

SETS = 4  # how many sets with other orders are judged for each unit


def check_changes(scenario: Scenario, rng: Random) -> Iterator[int]:
    """Judge sets with changes that touch nothing read; yield how many such changes there are."""
    trials, chosen = all_orders(scenario, rng)
    touches = Touches(trials)
    for asked in trials.position.tables.numbers:
        result, read = trials.read_result(chosen, asked)
        free = [
            (u, i)
            for u, now in chosen.items()
            for i in range(len(trials.orders[u]))
            if u != asked and not touches.of_change(u, now, i) & read
        ]
        yield len(free)
        for _ in range(SETS if free else 0):
            changed = dict(rng.choice(free) for _ in range(rng.randint(1, 4)))
            assert trials.outcome({**chosen, **changed}).result_by_number(asked) == result


@drawn(18, 500, SETTINGS)
@given(scenarios(chance=CHANCE), CHANCE)
def test_a_change_that_touches_nothing_read_leaves_the_result(
    scenario: Scenario, rng: Random
) -> None:
    list(check_changes(scenario, rng))


def test_most_changes_touch_nothing_that_was_read() -> None:
    """Else the test above would prove nothing."""
    for profile in PROFILES:
        found = [
            n for k in range(sized(2, 6)) for n in check_changes(seeded(profile, 2, k), Random(k))
        ]
        assert sum(found) > 10 * len(found)


class ReadList(list[Any]):
    """A list that notes which of its entries are read."""

    def __init__(self, entries: Any, seen: set[int]) -> None:
        super().__init__(entries)
        self.seen = seen

    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, int):
            self.seen.add(i)
        return super().__getitem__(i)


@pytest.mark.skipif(alexmagnum.__build__ == COMPILED, reason="compiled code reads past such lists")
def test_what_is_read_of_the_tables_is_in_the_log() -> None:
    """The rows, supports and attacks that the judge really looks up, by lists that tell of it."""
    looked_up = 0
    for profile in PROFILES:
        for number in range(sized(3, 50)):
            trials, chosen = all_orders(seeded(profile, 3, number), Random(number))
            for asked in trials.position.tables.numbers:
                looked_up += check_log(trials.results(chosen), asked)
    assert looked_up > 500


def check_log(resolver: PartialResolver, asked: Any) -> int:
    """Compare the log of a unit's result with the entries really read; return how many."""
    rows, help_, attacks = set[int](), set[int](), set[int]()
    for name, seen in {
        "action": rows,
        "to_place": rows,
        "by_convoy": rows,
        "goal": rows,
        "supporters": help_,
        "attackers": attacks,
        "contenders": attacks,
    }.items():
        setattr(resolver, name, ReadList(getattr(resolver, name), seen))
    resolver.result(asked)
    if resolver.whole:
        return 0
    keys = resolver.keys
    assert {u for u in rows if u >= 0} <= resolver.read
    assert {keys.help + u for u in help_} <= resolver.read
    assert {keys.attacks + place for place in attacks} <= resolver.read
    return len(rows) + len(help_) + len(attacks)
