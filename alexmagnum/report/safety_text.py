"""The safety of orders in words and as data: a verdict, then all orders and centres."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import floor

from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge.reason_text import format_reason
from alexmagnum.notation import write_order
from alexmagnum.position import Unit
from alexmagnum.report.names import power_name
from alexmagnum.report.safety_verdict import danger_key, format_safety_verdict, verdict_as_data
from alexmagnum.report.shares import format_count, format_count_share, format_tenths
from alexmagnum.report.turn_report import TITLE
from alexmagnum.report.whatif_text import StyledLine, format_title
from alexmagnum.whatif.flip_text import write_in_language
from alexmagnum.whatif.safety import Answer, Example, Survey, Verdict


def format_survey(
    survey: Survey, sentences: Sentences, *, every: bool = False
) -> Iterator[StyledLine]:
    """Yield what a survey found about all orders and centres of the asking power.

    With ``every`` each answer has an example, not only the worst.
    """
    yield from _survey_title(survey, sentences)
    yield StyledLine("")
    yield StyledLine(sentences.format("safety-verdict"), TITLE)
    yield from format_safety_verdict(survey, sentences)
    units = [v for v in survey.verdicts if isinstance(v.subject, Unit)]
    centres = [v for v in survey.verdicts if isinstance(v.subject, str)]
    for title, verdicts in (("safety-orders", units), ("safety-centres", centres)):
        if verdicts:
            yield StyledLine("")
            yield StyledLine(sentences.format(title), TITLE)
        for verdict in sorted(verdicts, key=danger_key):
            yield from _verdict_lines(survey, verdict, sentences, every)
    yield StyledLine("")
    yield from (StyledLine(line) for line in _footnotes(survey, sentences))


def _survey_title(survey: Survey, sentences: Sentences) -> Iterator[StyledLine]:
    board = survey.position.board
    yield format_title(survey.position, sentences)
    against = ", ".join(power_name(board, power, sentences) for power in survey.against)
    yield StyledLine(
        sentences.format(
            "safety-title", power=power_name(board, survey.asking, sentences), against=against
        )
    )


def _verdict_lines(
    survey: Survey, verdict: Verdict, sentences: Sentences, every: bool
) -> Iterator[StyledLine]:
    worst = verdict.worst
    is_bad = worst is not None and worst.badness > (False, False)
    shares = [_share(verdict, answer, sentences) for answer in reversed(verdict.answers)]
    if worst is None:
        shares = [_unbroken(sentences.format("safety-unknown"))]
    if not verdict.is_exact:
        shares[-1] += "\N{NO-BREAK SPACE}*"
    mark = worst.result if worst is not None and is_bad else ""
    subject = _unbroken(_subject(survey, verdict, sentences))
    yield StyledLine(f"  {subject:<34}", mark, tuple(shares), ", ")
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
    listed = tuple(_unbroken(write_in_language(order, sentences)) for order in example)
    code = "safety-if" if example else "safety-if-none"
    text = sentences.format(code, result=_result(answer, sentences))
    yield StyledLine(f"      {text}", "", listed)
    if isinstance(subject, Unit):
        fate = survey.adjudicate_example(example).fates(subject)[-1]
        yield StyledLine(f"        {format_reason(fate.reason, survey.position, sentences)}")


def _subject(survey: Survey, verdict: Verdict, sentences: Sentences) -> str:
    board = survey.position.board
    if isinstance(verdict.subject, str):
        return f"{verdict.subject} ({board.provinces[verdict.subject].name(sentences.lang)})"
    if verdict.order is None:
        return f"{survey.position.name(verdict.subject)} {sentences.format('no-order')}"
    return write_in_language(verdict.order, sentences)


def _share(verdict: Verdict, answer: Answer, sentences: Sentences) -> str:
    """Return an answer with its share, as words that no line breaks."""
    return _unbroken(_format_answer(verdict, answer, sentences))


def _format_answer(verdict: Verdict, answer: Answer, sentences: Sentences) -> str:
    result = _result(answer, sentences)
    if verdict.is_exact and len(verdict.answers) == 1:
        return sentences.format("safety-always", result=result)
    count = verdict.count([answer])
    if count.of:
        return f"{result} {format_count_share(count, sentences)}"
    tenths = floor(1000 * Fraction(verdict.weights[answer], verdict.total))
    code = "safety-at-least" if tenths else "safety-possible"
    return sentences.format(code, result=result, share=format_tenths(tenths, sentences))


def _unbroken(text: str) -> str:
    """Return a text that no line may break."""
    return text.replace(" ", "\N{NO-BREAK SPACE}")


def _result(answer: Answer, sentences: Sentences) -> str:
    result = sentences.format(f"result-{answer.result}")
    if answer.lost and answer.result not in ("dislodged", "destroyed", "entered"):
        return sentences.format("safety-and-lost", result=result)
    return result


def _footnotes(survey: Survey, sentences: Sentences) -> Iterator[str]:
    sizes = [len(row) for row in survey.trials.orders if len(row) > 1]
    sets = format_count(survey.trials.size, sentences)
    yield sentences.format("safety-size", units=len(sizes), orders=sum(sizes), sets=sets)
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
        "verdict": verdict_as_data(survey),
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
