"""What-if in words: what would flip an order, and how safe one's orders are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from alexmagnum.judge.results import MovementOutcome
from alexmagnum.notation import order_in, write_order
from alexmagnum.orders import Order
from alexmagnum.position import Position, Unit
from alexmagnum.report.blocks import power_name
from alexmagnum.report.turn import TITLE, chain_lines, phase_name
from alexmagnum.report.words import Words
from alexmagnum.whatif.flips import Change, Flip, Flips
from alexmagnum.whatif.safety import Answer, Survey, Verdict

SAME_SHOWN = 3
"""How many orders that do the same are named with a change."""

_UNSEEN = 3
"""What was not met in n draws has, with a certainty of 95 %, a share of less than 3/n."""

HARDLY = 0.0005
"""A share below this, or so near to all, is not rounded to none or to all."""


class Said(NamedTuple):
    """A line and what it is marked as: a result, ``TITLE``, or ""."""

    line: str
    mark: str = ""


def _title(position: Position, words: Words) -> Said:
    board = position.board
    return Said(f"{board.name(words.lang)} — {phase_name(position.phase, board, words)}", TITLE)


# -- flips ----------------------------------------------------------------------------------------


def asked_line(flips: Flips, words: Words) -> Iterator[Said]:
    """The order asked about, as it comes out now and why."""
    yield _title(flips.position, words)
    unit = flips.unit
    name = flips.position.name(unit) if flips.order is None else _written(flips.order, words)
    yield Said(f"{name}: {_reason(flips.outcome, unit, words)}", flips.result)
    yield from (Said(f"  {line}") for line in chain_lines(flips.outcome, unit, words))


def flip_lines(
    flips: Flips, found: Sequence[Flip], title: str, words: Words, *, most: int, whole: bool
) -> Iterator[Said]:
    """Flips below a title (its code), ``most`` of them, those of one unit first; ``whole``: all
    were looked for."""
    yield Said("")
    yield Said(words.say(title), TITLE)
    if whole and not found:
        yield Said("  " + words.say("flip-none"))
    count = 0
    for flip in found[:most]:
        if len(flip.changes) != count:
            count = len(flip.changes)
            yield Said("  " + words.say("flip-one" if count == 1 else "flip-two"))
        for change in flip.changes:
            yield Said("    " + _change(change, flips.position, words))
        line = _reason(flip.outcome, flips.unit, words)
        yield Said(f"      {line}", flip.result)
        yield from (Said(f"        {x}") for x in chain_lines(flip.outcome, flips.unit, words))
    if len(found) > most:
        yield Said("  " + words.say("flip-more", count=len(found) - most))
    if not whole:
        yield Said("  " + words.say("flip-stopped"))


def _change(change: Change, position: Position, words: Words) -> str:
    first, *others = (_written(order, words) for order in change.orders)
    text = f"{power_name(position.board, change.unit.power, words)}: {first}"
    if not others:
        return text
    shown = "; ".join(others[:SAME_SHOWN])
    if len(others) > SAME_SHOWN:
        return f"{text} {words.say('flip-same-many', orders=shown, count=len(others) - SAME_SHOWN)}"
    return f"{text} {words.say('flip-same', orders=shown)}"


def _reason(outcome: MovementOutcome, unit: Unit, words: Words) -> str:
    fate = outcome.fates(unit)[0]
    return words.reason(fate.reason, outcome.position)


def _written(order: Order, words: Words) -> str:
    return order_in(write_order(order), words.lang)


# -- safety ---------------------------------------------------------------------------------------


def survey_lines(survey: Survey, words: Words, *, every: bool = False) -> Iterator[Said]:
    """What is known of all orders and centres of who asks; ``every``: an example for each answer,
    not for the worst alone."""
    yield from _survey_title(survey, words)
    units = [v for v in survey.verdicts if isinstance(v.subject, Unit)]
    centres = [v for v in survey.verdicts if isinstance(v.subject, str)]
    for title, verdicts in (("safety-orders", units), ("safety-centres", centres)):
        if verdicts:
            yield Said("")
            yield Said(words.say(title), TITLE)
        for verdict in verdicts:
            yield from _verdict_lines(survey, verdict, words, every)
    yield Said("")
    yield from (Said(line) for line in _footnotes(survey, words))


def _survey_title(survey: Survey, words: Words) -> Iterator[Said]:
    board = survey.position.board
    yield _title(survey.position, words)
    against = ", ".join(power_name(board, power, words) for power in survey.against)
    yield Said(
        words.say("safety-title", power=power_name(board, survey.asking, words), against=against)
    )
    sizes = [len(row) for row in survey.trials.orders if len(row) > 1]
    yield Said(
        words.say(
            "safety-size",
            units=len(sizes),
            orders=sum(sizes),
            sets=big_figure(survey.trials.size, words),
        )
    )


def _verdict_lines(survey: Survey, verdict: Verdict, words: Words, every: bool) -> Iterator[Said]:
    worst = verdict.worst
    shares = ", ".join(_share(verdict, answer, words) for answer in verdict.answers)
    if worst is None:
        shares = words.say("safety-unknown")
    star = "" if verdict.is_exact else " *"
    mark = worst.result if worst and worst.badness > (False, False) else ""
    yield Said(f"  {_subject(survey, verdict, words):<34} {shares}{star}", mark)
    for answer in reversed(verdict.answers):
        example = verdict.examples.get(answer, ())
        if not (every or (answer is worst and answer.badness > (False, False))):
            continue
        if len(verdict.answers) == 1 and not example:
            continue
        told = "; ".join(_written(order, words) for order in example)
        code = "safety-if" if example else "safety-if-none"
        yield Said("      " + words.say(code, result=_result(answer, words), orders=told))
        if isinstance(verdict.subject, Unit):
            outcome = survey.brought_about(example)
            fate = outcome.fates(verdict.subject)[-1]
            yield Said(f"        {words.reason(fate.reason, survey.position)}")


def _subject(survey: Survey, verdict: Verdict, words: Words) -> str:
    board = survey.position.board
    if isinstance(verdict.subject, str):
        return f"{verdict.subject} ({board.provinces[verdict.subject].name(words.lang)})"
    if verdict.order is None:
        return f"{survey.position.name(verdict.subject)} {words.say('no-order')}"
    return _written(verdict.order, words)


def _share(verdict: Verdict, answer: Answer, words: Words) -> str:
    result = _result(answer, words)
    if verdict.is_exact:
        if len(verdict.answers) == 1:
            return words.say("safety-always", result=result)
        return f"{result} {percent(verdict.least(answer), words)}"
    drawn, count = verdict.drawn.total(), verdict.drawn[answer]
    if not drawn:
        least = verdict.least(answer)
        code = "safety-possible" if least < HARDLY else "safety-at-least"
        return words.say(code, result=result, share=percent(least, words))
    unseen = min(_UNSEEN / drawn, 1)
    if not count:
        return f"{result} <{_decimal(100 * unseen, words)}"
    if count < drawn:
        return f"{result} {percent(count / drawn, words)}"
    if len(verdict.answers) == 1:
        return words.say("safety-all-drawn", result=result)
    return f"{result} >{_decimal(100 * (1 - unseen), words)}"


def _result(answer: Answer, words: Words) -> str:
    result = words.say(f"result-{answer.result}")
    if answer.lost and answer.result not in ("dislodged", "destroyed", "entered"):
        return words.say("safety-and-lost", result=result)
    return result


def percent(share: float, words: Words) -> str:
    """A share as a figure: never rounded to none or to all unless it is."""
    if 0 < share < HARDLY:
        return "<" + _decimal(0.1, words)
    if 1 - HARDLY < share < 1:
        return ">" + _decimal(99.9, words)
    return _decimal(100 * share, words)


def _decimal(figure: float, words: Words) -> str:
    text = f"{figure:.1f}".removesuffix(".0")
    return (text.replace(".", ",") if words.lang == "it" else text) + "\N{NO-BREAK SPACE}%"


def big_figure(number: int, words: Words) -> str:
    """A number that may be too long to read: in groups of three, or as a power of ten."""
    if number >= 10**9:
        digits = str(number)
        return f"{_decimal(int(digits[:2]) / 10, words)[:-2]}·10^{len(digits) - 1}"
    return f"{number:,}".replace(",", "." if words.lang == "it" else ",")


def _footnotes(survey: Survey, words: Words) -> Iterator[str]:
    cases = sum(verdict.cases for verdict in survey.verdicts)
    yield words.say("safety-counted", cases=big_figure(cases, words))
    left = [verdict for verdict in survey.verdicts if not verdict.is_exact]
    drawn = max((verdict.drawn.total() for verdict in left), default=0)
    if drawn:
        yield words.say("safety-drawn", count=big_figure(drawn, words))
    elif left:
        yield words.say("safety-cut-short")
    yield words.say("safety-how")


# -- for machines ---------------------------------------------------------------------------------


def flips_json(flips: Flips, found: Iterable[Flip], words: Words) -> list[dict[str, object]]:
    """Flips for a program."""
    return [
        {
            "changes": [
                {"power": c.unit.power, "orders": [write_order(o) for o in c.orders]}
                for c in flip.changes
            ],
            "result": flip.result,
            "why": _reason(flip.outcome, flips.unit, words),
            "chain": list(chain_lines(flip.outcome, flips.unit, words)),
        }
        for flip in found
    ]


def survey_json(survey: Survey) -> dict[str, object]:
    """A survey for a program; ``docs/whatif.md`` has the schema."""
    return {
        "phase": str(survey.position.phase),
        "power": survey.asking,
        "against": list(survey.against),
        "varied": {
            survey.position.name(unit): [write_order(o) for o in survey.trials.orders[u]]
            for unit, u in ((unit, survey.numbers[unit]) for unit in survey.varied)
        },
        "joint_order_sets": survey.trials.size,
        "orders": [
            {
                "unit": survey.position.name(v.subject),
                "order": write_order(v.order) if v.order else None,
                **_verdict_json(v),
            }
            for v in survey.verdicts
            if isinstance(v.subject, Unit)
        ],
        "centres": [
            {"centre": v.subject, **_verdict_json(v)}
            for v in survey.verdicts
            if isinstance(v.subject, str)
        ],
    }


def _verdict_json(verdict: Verdict) -> dict[str, object]:
    return {
        "exact": verdict.is_exact,
        "cases": verdict.cases,
        "drawn": verdict.drawn.total(),
        "answers": [
            {
                "result": answer.result,
                "lost": answer.lost,
                "share": verdict.share(answer),
                "at_least": verdict.least(answer),
                "example": [write_order(o) for o in verdict.examples.get(answer, ())],
            }
            for answer in verdict.answers
        ],
    }
