"""The answers of ``whatif`` searches in words: flips of an order, and the safety of orders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge.reason_text import format_reason
from alexmagnum.judge.results import MovementOutcome
from alexmagnum.notation import order_in, write_order
from alexmagnum.orders import Order
from alexmagnum.position import Position, Unit
from alexmagnum.report.names import phase_name, power_name
from alexmagnum.report.turn_report import TITLE, format_chain
from alexmagnum.whatif.flips import Change, Flip, Flips
from alexmagnum.whatif.safety import Answer, Example, Survey, Verdict

SAME_SHOWN = 3
"""The number of orders that do the same and are named with a change."""

_UNSEEN = 3
"""A thing not met in n draws has, with a certainty of 95 %, a share of less than 3/n."""

HARDLY = 0.0005
"""A share below this, or so near to all, is not rounded to none or to all."""


class StyledLine(NamedTuple):
    """A line and what it is marked as: a result, ``TITLE``, or ""."""

    line: str
    mark: str = ""


def _title(position: Position, sentences: Sentences) -> StyledLine:
    board = position.board
    return StyledLine(
        f"{board.name(sentences.lang)} — {phase_name(position.phase, board, sentences)}", TITLE
    )


# -- flips ----------------------------------------------------------------------------------------


def format_question(flips: Flips, sentences: Sentences) -> Iterator[StyledLine]:
    """Yield the order in question, with its present result and the reasons."""
    yield _title(flips.position, sentences)
    unit = flips.unit
    name = (
        flips.position.name(unit)
        if flips.order is None
        else _write_in_language(flips.order, sentences)
    )
    yield StyledLine(f"{name}: {_reason(flips.outcome, unit, sentences)}", flips.result)
    yield from (StyledLine(f"  {line}") for line in format_chain(flips.outcome, unit, sentences))


def format_flips(
    flips: Flips, found: Sequence[Flip], title: str, sentences: Sentences, *, most: int, whole: bool
) -> Iterator[StyledLine]:
    """Flips below a title (its code), ``most`` of them, those of one unit first; ``whole``: all
    were looked for."""
    yield StyledLine("")
    yield StyledLine(sentences.format(title), TITLE)
    if whole and not found:
        yield StyledLine("  " + sentences.format("flip-none"))
    count = 0
    for flip in found[:most]:
        if len(flip.changes) != count:
            count = len(flip.changes)
            yield StyledLine("  " + sentences.format("flip-one" if count == 1 else "flip-two"))
        for change in flip.changes:
            yield StyledLine("    " + _change(change, flips.position, sentences))
        line = _reason(flip.outcome, flips.unit, sentences)
        yield StyledLine(f"      {line}", flip.result)
        yield from (
            StyledLine(f"        {x}") for x in format_chain(flip.outcome, flips.unit, sentences)
        )
    if len(found) > most:
        yield StyledLine("  " + sentences.format("flip-more", count=len(found) - most))
    if not whole:
        yield StyledLine("  " + sentences.format("flip-stopped"))


def _change(change: Change, position: Position, sentences: Sentences) -> str:
    first, *others = (_write_in_language(order, sentences) for order in change.orders)
    text = f"{power_name(position.board, change.unit.power, sentences)}: {first}"
    if not others:
        return text
    shown = "; ".join(others[:SAME_SHOWN])
    if len(others) > SAME_SHOWN:
        more = len(others) - SAME_SHOWN
        return f"{text} {sentences.format('flip-same-many', orders=shown, count=more)}"
    return f"{text} {sentences.format('flip-same', orders=shown)}"


def _reason(outcome: MovementOutcome, unit: Unit, sentences: Sentences) -> str:
    fate = outcome.fates(unit)[0]
    return format_reason(fate.reason, outcome.position, sentences)


def _write_in_language(order: Order, sentences: Sentences) -> str:
    return order_in(write_order(order), sentences.lang)


# -- safety ---------------------------------------------------------------------------------------


def format_survey(
    survey: Survey, sentences: Sentences, *, every: bool = False
) -> Iterator[StyledLine]:
    """Yield what a survey found about all orders and centres of the asking power.

    With ``every`` each answer has an example, not only the worst.
    """
    yield from _survey_title(survey, sentences)
    units = [v for v in survey.verdicts if isinstance(v.subject, Unit)]
    centres = [v for v in survey.verdicts if isinstance(v.subject, str)]
    for title, verdicts in (("safety-orders", units), ("safety-centres", centres)):
        if verdicts:
            yield StyledLine("")
            yield StyledLine(sentences.format(title), TITLE)
        for verdict in verdicts:
            yield from _verdict_lines(survey, verdict, sentences, every)
    yield StyledLine("")
    yield from (StyledLine(line) for line in _footnotes(survey, sentences))


def _survey_title(survey: Survey, sentences: Sentences) -> Iterator[StyledLine]:
    board = survey.position.board
    yield _title(survey.position, sentences)
    against = ", ".join(power_name(board, power, sentences) for power in survey.against)
    yield StyledLine(
        sentences.format(
            "safety-title", power=power_name(board, survey.asking, sentences), against=against
        )
    )
    sizes = [len(row) for row in survey.trials.orders if len(row) > 1]
    yield StyledLine(
        sentences.format(
            "safety-size",
            units=len(sizes),
            orders=sum(sizes),
            sets=format_count(survey.trials.size, sentences),
        )
    )


def _verdict_lines(
    survey: Survey, verdict: Verdict, sentences: Sentences, every: bool
) -> Iterator[StyledLine]:
    worst = verdict.worst
    is_bad = worst is not None and worst.badness > (False, False)
    shares = ", ".join(_share(verdict, answer, sentences) for answer in verdict.answers)
    if worst is None:
        shares = sentences.format("safety-unknown")
    star = "" if verdict.is_exact else " *"
    mark = worst.result if worst is not None and is_bad else ""
    yield StyledLine(f"  {_subject(survey, verdict, sentences):<34} {shares}{star}", mark)
    for answer in reversed(verdict.answers):
        example = verdict.examples.get(answer, ())
        is_wanted = every or (answer is worst and is_bad)
        if is_wanted and (example or len(verdict.answers) > 1):
            yield from _example_lines(survey, verdict.subject, answer, example, sentences)


def _example_lines(
    survey: Survey,
    subject: Unit | str,
    answer: Answer,
    example: Example,
    sentences: Sentences,
) -> Iterator[StyledLine]:
    """Yield the orders that bring an answer about, and the reason for a unit's result."""
    listed = "; ".join(_write_in_language(order, sentences) for order in example)
    code = "safety-if" if example else "safety-if-none"
    text = sentences.format(code, result=_result(answer, sentences), orders=listed)
    yield StyledLine(f"      {text}")
    if isinstance(subject, Unit):
        fate = survey.adjudicate_example(example).fates(subject)[-1]
        yield StyledLine(f"        {format_reason(fate.reason, survey.position, sentences)}")


def _subject(survey: Survey, verdict: Verdict, sentences: Sentences) -> str:
    board = survey.position.board
    if isinstance(verdict.subject, str):
        return f"{verdict.subject} ({board.provinces[verdict.subject].name(sentences.lang)})"
    if verdict.order is None:
        return f"{survey.position.name(verdict.subject)} {sentences.format('no-order')}"
    return _write_in_language(verdict.order, sentences)


def _share(verdict: Verdict, answer: Answer, sentences: Sentences) -> str:
    result = _result(answer, sentences)
    if verdict.is_exact:
        if len(verdict.answers) == 1:
            return sentences.format("safety-always", result=result)
        return f"{result} {format_share(verdict.least(answer), sentences)}"
    drawn, count = verdict.drawn.total(), verdict.drawn[answer]
    if not drawn:
        least = verdict.least(answer)
        code = "safety-possible" if least < HARDLY else "safety-at-least"
        return sentences.format(code, result=result, share=format_share(least, sentences))
    unseen = min(_UNSEEN / drawn, 1)
    if not count:
        return f"{result} <{_decimal(100 * unseen, sentences)}"
    if count < drawn:
        return f"{result} {format_share(count / drawn, sentences)}"
    if len(verdict.answers) == 1:
        return sentences.format("safety-all-drawn", result=result)
    return f"{result} >{_decimal(100 * (1 - unseen), sentences)}"


def _result(answer: Answer, sentences: Sentences) -> str:
    result = sentences.format(f"result-{answer.result}")
    if answer.lost and answer.result not in ("dislodged", "destroyed", "entered"):
        return sentences.format("safety-and-lost", result=result)
    return result


def format_share(share: float, sentences: Sentences) -> str:
    """Return a share in per cent; only 0 and 1 themselves are rounded to 0 and 100."""
    if 0 < share < HARDLY:
        return "<" + _decimal(0.1, sentences)
    if 1 - HARDLY < share < 1:
        return ">" + _decimal(99.9, sentences)
    return _decimal(100 * share, sentences)


def _decimal(figure: float, sentences: Sentences) -> str:
    text = f"{figure:.1f}".removesuffix(".0")
    return (text.replace(".", ",") if sentences.lang == "it" else text) + "\N{NO-BREAK SPACE}%"


def format_count(number: int, sentences: Sentences) -> str:
    """Return a number in groups of three digits, or as a power of ten if it is long."""
    if number >= 10**9:
        digits = str(number)
        return f"{_decimal(int(digits[:2]) / 10, sentences)[:-2]}·10^{len(digits) - 1}"
    return f"{number:,}".replace(",", "." if sentences.lang == "it" else ",")


def _footnotes(survey: Survey, sentences: Sentences) -> Iterator[str]:
    cases = sum(verdict.cases for verdict in survey.verdicts)
    yield sentences.format("safety-counted", cases=format_count(cases, sentences))
    left = [verdict for verdict in survey.verdicts if not verdict.is_exact]
    drawn = max((verdict.drawn.total() for verdict in left), default=0)
    if drawn:
        yield sentences.format("safety-drawn", count=format_count(drawn, sentences))
    elif left:
        yield sentences.format("safety-cut-short")
    yield sentences.format("safety-how")


# -- for machines ---------------------------------------------------------------------------------


def flips_as_data(
    flips: Flips, found: Iterable[Flip], sentences: Sentences
) -> list[dict[str, object]]:
    """Flips for a program."""
    return [
        {
            "changes": [
                {"power": c.unit.power, "orders": [write_order(o) for o in c.orders]}
                for c in flip.changes
            ],
            "result": flip.result,
            "why": _reason(flip.outcome, flips.unit, sentences),
            "chain": list(format_chain(flip.outcome, flips.unit, sentences)),
        }
        for flip in found
    ]


def survey_as_data(survey: Survey) -> dict[str, object]:
    """Return a survey for a program; ``docs/whatif.md`` has the schema."""
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
