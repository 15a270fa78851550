"""Whether each reason fits what happened: results, orders and strengths that others can count.

    python -m tests.judge.reason_facts --positions 500

judges drawn positions, one by one, as one of many and unit by unit, with explanations, flips and
safety, and prints what does not fit, and a checksum of the results.  No rule of the judge is stated
here, so it holds under other rulings too.
"""

import argparse
import hashlib
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice, product

from alexmagnum.board.geography import split_location
from alexmagnum.judge import adjudicate
from alexmagnum.judge.explanation import explain
from alexmagnum.judge.legality import Legality
from alexmagnum.judge.order_sets import adjudicate_many
from alexmagnum.judge.outcome import Fate, Reason
from alexmagnum.judge.results import MovementOutcome
from alexmagnum.judge.sheet import Row
from alexmagnum.orders import Move, Order, Support
from alexmagnum.position import Position, Unit
from alexmagnum.whatif.flips import Flips
from alexmagnum.whatif.partial_results import PartialResolver, ReadKeys
from alexmagnum.whatif.safety import Survey
from tests.oracle.legality import find
from tests.scenarios import PROFILES, Scenario, seeded

REASONS = {
    "succeeds": "unopposed outmatches follows dislodges dislodges-beside enters enters-past "
    "enters-city rides rides-past hauled destroys destroys-beside",
    "fails": "held-off-beside no-room no-room-exchange target-left other-coast paradox paradox-way "
    "convoy-dislodged not-hauled not-hauled-attacked",
    "fails stopped": "bounces outmatched held-off loses-head-to-head own-unit crowded-out "
    "way-occupied way-oncoming way-ahead way-contested way-contested-opposite way-outmatched "
    "way-outmatched-opposite way-own-dislodged express-no-attack city-held city-full "
    "dislodges-stays destroys-stays",
    "cut": "cut cut-dislodged",
    "given": "given uncut-directed uncut-no-convoy uncut-no-way",
    "stands": "unattacked own-attack beleaguered holds",
    "destroyed": "caught destroyed",
    "available": "carries",
    "disrupted": "paradox-fleet",
    "dislodged disrupted": "dislodged",
}
"""By results: the reasons of an order that counts."""

RESULTS = {code: words.split() for words, codes in REASONS.items() for code in codes.split()}

LOSES = ("dislodged", "destroyed")

NAMELESS = frozenset(("unopposed", "enters", "enters-city", "rides", "hauled", "unattacked"))
"""Reasons that name no unit."""


class Facts:
    """What happened in one phase, by unit, without asking for any reason."""

    def __init__(self, outcome: MovementOutcome) -> None:
        self.outcome = outcome
        position = outcome.position
        self.units = position.units
        self.powers = {unit.power for unit in position.units}
        self.fates = {unit: outcome.fates(unit)[0] for unit in self.units}
        self.lost = {unit for unit in self.units if outcome.attackers(unit)}
        self.base = dict(zip(position.tables.units, position.tables.base_strength, strict=True))
        counts = dict(zip(position.tables.units, position.tables.support_strength, strict=True))
        self.helpers: dict[Unit, dict[Unit, int]] = {unit: {} for unit in self.units}
        for unit, fate in self.fates.items():
            if isinstance(fate.order, Support) and fate.result == "given":
                helped = find(self.units, fate.order.supported)
                assert helped is not None
                self.helpers[helped][unit] = counts[unit]

    def total(self, unit: Unit, without: str = "") -> int:
        """Return base strength and supports given, without those of a power."""
        given = self.helpers[unit].items()
        return self.base[unit] + sum(n for helper, n in given if helper.power != without)

    def goal(self, unit: Unit) -> str:
        """Return the province that a unit was ordered to, or ""."""
        order = self.fates[unit].order
        return split_location(order.to)[0] if isinstance(order, Move) else ""

    def has_left(self, unit: Unit) -> bool:
        """Tell whether a unit went on, wherever to, or was caught."""
        inside, fate = self.goal(unit) == unit.province, self.fates[unit]
        return fate.reason.code == "caught" or (
            not inside and fate.result in ("succeeds", "stopped")
        )


def list_faults(outcome: MovementOutcome) -> Iterator[str]:
    """Yield each reason that does not fit what happened."""
    facts = Facts(outcome)
    for unit in outcome.position.units:
        fates = outcome.fates(unit)
        for fate in fates:
            for fault in _list_faults_of(facts, unit, fate):
                yield f"{unit} {fate.order} {fate.result}: {fault}: {fate.reason}"
        if (unit in facts.lost) != any(fate.reason.code in LOSES for fate in fates):
            # Only a support that is cut may name its dislodger itself.
            yield f"{unit}: dislodged by {outcome.attackers(unit)}, which no reason says"
    for entry, reason in zip(outcome.results, outcome.reasons, strict=True):
        if entry.unit and entry.result != "illegal" and facts.fates[entry.unit].reason != reason:
            yield f"{entry.order}: {reason} is listed, not {facts.fates[entry.unit].reason}"


def _list_faults_of(facts: Facts, unit: Unit, fate: Fate) -> Iterator[str]:
    reason, result = fate.reason, fate.result
    if (code := reason.code) not in RESULTS:
        if result not in ("illegal", "invalid", "fails"):
            yield "no known reason"
        return
    if result not in RESULTS[code]:
        yield "reason of another result"
    if (by := reason.units[0] if reason.units else None) is not None:
        yield from _check_named_unit(facts, unit, reason, by)
    elif code not in NAMELESS and not code.startswith("paradox"):
        yield "no unit is named"
    own = {facts.total(unit, power) for power in ("", *facts.powers)}
    failed = ("bounces", "outmatched", "loses-head-to-head", "held-off", "crowded-out")
    if code.startswith(failed) and reason.strength > reason.against:
        yield "weaker, and yet stronger"
    won = code == "outmatches" or code.startswith(("dislodges", "destroys"))
    if won and not code.endswith("-stays") and reason.strength <= reason.against:
        yield "stronger, and yet weaker"
    if reason.stop and "stopped" not in RESULTS[code]:
        yield "it stops nobody on the way"
    if reason.room and code in ("no-room", "city-full"):
        yield f"there is room for {reason.room}"
    compares = reason.strength >= 0 and isinstance(fate.order, Move) and code not in LOSES
    if compares and reason.strength not in own:
        yield f"its strength is one of {own}"


def _check_named_unit(facts: Facts, unit: Unit, reason: Reason, by: Unit) -> Iterator[str]:
    code = reason.code
    attacks = code in ("holds", "beleaguered") or code.startswith(("cut", "uncut"))
    if attacks and facts.goal(by) != unit.province:
        yield f"{by} does not attack it"
    dislodges = by in facts.outcome.attackers(unit)
    if code.startswith("cut") and (code == "cut-dislodged") != dislodges:
        yield f"{by} does or does not dislodge it"
    contests = code.startswith(("bounces", "outmatche", "way-contested", "way-outmatched"))
    if contests and (not facts.goal(by) or reason.against != facts.total(by)):
        yield f"{by} has strength {facts.total(by)}"
    equal = code == "bounces" or code.startswith("way-contested")
    if equal and reason.strength != reason.against:
        yield "equal strengths differ"
    if code.startswith("way-outmatched") and not reason.strength < reason.against:
        yield "it is not outmatched"
    if code in ("held-off", "held-off-beside", "own-unit") and facts.has_left(by):
        yield f"{by} left"
    if code in ("follows", "target-left") and not facts.has_left(by):
        yield f"{by} did not leave"
    wins = code.startswith(("dislodges", "destroys"))
    if wins and not code.endswith("-stays") and unit not in facts.outcome.attackers(by):
        yield f"{by} is not dislodged by it"
    if code in LOSES and not dislodges:
        yield f"{by} does not dislodge it"
    loser = unit if code in LOSES else by
    if (wins or code in LOSES) and code.startswith("destroy") != (loser in facts.outcome.destroyed):
        yield f"{loser} is dislodged or destroyed, and the reason says otherwise"
    if code == "loses-head-to-head" and not facts.goal(by):
        yield f"{by} does not move"
    if code == "caught" and facts.goal(by) != reason.place:
        yield f"{by} does not attack {reason.place}"
    if code == "convoy-dislodged" and not facts.lost.issuperset(reason.units):
        yield "a fleet is not dislodged"
    on_way = code in ("not-hauled", "way-occupied", "way-oncoming")
    if on_way and any(other.province != reason.place for other in reason.units):
        yield f"not in {reason.place}"
    if code in ("not-hauled", "way-occupied") and any(map(facts.has_left, reason.units)):
        yield "it left"
    if code == "crowded-out":
        strengths = [facts.total(other) for other in reason.units]
        if not 0 < reason.room <= len(strengths) or min(strengths) < reason.strength:
            yield f"strengths {strengths}"


# -- judging drawn positions -----------------------------------------------------------------------


def draw_positions(number: int, profiles: Collection[str]) -> Iterator[Scenario]:
    """Yield so many scenarios, of each profile in turn."""
    return islice((seeded(profile, 28, n) for n in range(number) for profile in profiles), number)


def check_position(
    scenario: Scenario, never: Collection[str], *, search: bool
) -> tuple[str, list[str]]:
    """Return results as text, and what does not fit; with ``search``, of flips and safety too."""
    position, orders = scenario.position, scenario.orders
    outcome = adjudicate(position, orders)
    assert isinstance(outcome, MovementOutcome)
    faults = list(list_faults(outcome))
    faults += [f"never: {reason}" for reason in outcome.reasons if reason.code in never]
    for unit in position.units:
        str(explain(outcome, unit))
    faults += _list_faults_of_other_judges(outcome, orders)
    if search:
        faults += _list_faults_of_flips(position, orders)
        faults += _list_faults_of_safety(position, orders)
    return repr((outcome.results, outcome.dislodged)), faults


def _list_faults_of_other_judges(
    outcome: MovementOutcome, orders: Mapping[str, Sequence[Order]]
) -> Iterator[str]:
    """Yield each result that a what-if finds otherwise, of order sets or of single units."""
    position = outcome.position
    board, tables = position.board.tables, position.tables
    (again,) = adjudicate_many(position, [orders])
    if (again.results, again.units) != (outcome.results, outcome.units):
        yield f"of many: {again.results}, {again.units}"
    legality, keys = Legality(board, tables), ReadKeys(board, tables)
    given = [outcome.fates(unit)[0].order for unit in tables.units]
    rows = [Row(u, given[u], legality) for u in tables.numbers if given[u] is not None]
    for u, unit in zip(tables.numbers, tables.units, strict=True):
        if (alone := PartialResolver(position, rows, keys)).result(u) != outcome.result_of(unit):
            yield f"{unit} judged alone: {alone.result(u)}"
        if alone.is_lost(u) != (unit in {*outcome.destroyed, *(d.unit for d in outcome.dislodged)}):
            yield f"{unit} judged alone: lost is {alone.is_lost(u)}"


def _list_faults_of_flips(
    position: Position, orders: Mapping[str, Sequence[Order]]
) -> Iterator[str]:
    """Yield each change of one order that flips another and is not found, or the other way."""
    unit = position.units[0]
    flips = Flips(position, orders, unit)
    found: dict[tuple[Unit, Order], str] = {}
    for flip in flips.search(_list_powers(position), most=1):
        yield from list_faults(flip.outcome)
        (change,) = flip.changes
        found.update({(change.unit, order): flip.result for order in change.orders})
    trials = flips.trials
    plain: dict[tuple[Unit, Order], str] = {}
    for u, row in enumerate(trials.orders):
        for i, order in enumerate(row[1:] if u != flips.asked else (), 1):
            result = trials.outcome({**flips.given, u: i}).result_by_number(flips.asked)
            if result != flips.result:
                plain[trials.units[u], order] = result
    if found != plain:
        yield f"flips of {unit}: {found} is {plain}"


def _list_faults_of_safety(
    position: Position, orders: Mapping[str, Sequence[Order]]
) -> Iterator[str]:
    """Yield each verdict of a survey that is not the sum of all order sets, judged in turn."""
    powers = _list_powers(position)
    if (survey := Survey(position, orders, powers[0], powers[1:2])).trials.size > 200:
        return
    list(survey.run())
    rows = [[(u, i) for i in range(len(row))] for u, row in enumerate(survey.trials.orders)]
    outcomes = [survey.trials.outcome(dict(each)) for each in product(*filter(None, rows))]
    for verdict in survey.verdicts:
        if isinstance(verdict.subject, Unit):
            plain = Counter(out.result_of(verdict.subject) for out in outcomes)
            found: Counter[str] = Counter()
            for answer, number in verdict.weights.items():
                found[answer.result] += number
            if plain != found:
                yield f"safety of {verdict.subject}: {found} is {plain}"


def _list_powers(position: Position) -> list[str]:
    return sorted({unit.power for unit in position.units} & set(position.board.powers))


def main(argv: list[str] | None = None) -> int:
    """Print what does not fit and the checksum; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.judge.reason_facts", description=__doc__)
    parser.add_argument("--positions", type=int, default=500)
    parser.add_argument("--profile", choices=sorted(PROFILES), help="default: all in turn")
    parser.add_argument("--never", nargs="*", default=[], help="reasons that no order can have")
    options = parser.parse_args(argv)
    digest = hashlib.sha256()
    found = 0
    profiles = [options.profile] if options.profile else PROFILES
    for number, scenario in enumerate(draw_positions(options.positions, profiles)):
        text, faults = check_position(scenario, options.never, search=number % 10 == 0)
        digest.update(text.encode())
        found += len(faults)
        for fault in faults:
            print(f"{number}: {fault}")
    print(digest.hexdigest())
    return int(found > 0)


if __name__ == "__main__":
    sys.exit(main())
