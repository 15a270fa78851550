"""The verdict on the safety of a power: what is safe, what can be lost, and how at the worst."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from alexmagnum.i18n.sentences import Sentences
from alexmagnum.notation import order_in, write_order
from alexmagnum.position import Unit
from alexmagnum.report.shares import format_count, format_count_share
from alexmagnum.report.whatif_text import StyledLine
from alexmagnum.whatif.safety import ENTERED, GOOD, Answer, Count, Survey, Verdict

SAFE, LOST, AT_RISK, UNPROVEN = "safe", "lost", "at_risk", "unproven"
"""The verdicts on a unit or a centre: never lost, always lost, sometimes, or not known."""

_MANY = 10**6
"""From so many joint order sets on only the share of those that lead to a loss is written."""


def judge_safety(verdict: Verdict) -> str:
    """Return what can be said about the loss of a unit or a centre."""
    if not verdict.losses:
        return SAFE if verdict.is_exact else UNPROVEN
    return LOST if verdict.is_exact and len(verdict.losses) == len(verdict.answers) else AT_RISK


def danger_key(verdict: Verdict) -> tuple[bool, Fraction, bool, Fraction]:
    """Return a key that sorts verdicts from the most to the least dangerous."""
    bad = [answer for answer in verdict.answers if answer.result not in GOOD]
    lost, failing = verdict.losses, verdict.count(bad)
    return (
        not lost,
        -_share(verdict, lost),
        not bad,
        -Fraction(failing.hits, failing.of or 1),
    )


def find_worst_loss(verdict: Verdict) -> Answer | None:
    """Return the loss of which the fewest orders are known that lead to it."""
    return min(
        verdict.losses,
        key=lambda answer: (len(verdict.examples.get(answer, ())), answer),
        default=None,
    )


def _share(verdict: Verdict, answers: Sequence[Answer]) -> Fraction:
    """Return the share of joint order sets that lead to some answers, 0 if none was drawn."""
    count = verdict.count(answers)
    return Fraction(count.hits, count.of or 1)


# -- in words --------------------------------------------------------------------------------------


def format_safety_verdict(survey: Survey, sentences: Sentences) -> Iterator[StyledLine]:
    """Yield the lines of the verdict: what is safe, what can be lost, the worst first, the rest."""
    centres = [v for v in survey.verdicts if isinstance(v.subject, str)]
    units = [v for v in survey.verdicts if isinstance(v.subject, Unit)]
    kinds = (("centres", centres), ("units", units))
    for kind, verdicts in kinds:
        yield from _safe_lines(survey, kind, verdicts, sentences)
    for verdict in sorted((*centres, *units), key=danger_key):
        if verdict.losses:
            yield _loss_line(survey, verdict, sentences)
    for kind, verdicts in kinds:
        yield from _unproven_lines(survey, kind, verdicts, sentences)
    if units:
        yield StyledLine("  " + _orders_line(units, sentences))


def _safe_lines(
    survey: Survey, kind: str, verdicts: Sequence[Verdict], sentences: Sentences
) -> Iterator[StyledLine]:
    """Yield a line of what is safe, if anything is."""
    safe = [verdict for verdict in verdicts if judge_safety(verdict) == SAFE]
    if verdicts and len(safe) == len(verdicts):
        yield StyledLine("  " + sentences.format(f"verdict-all-{kind}"))
    elif safe:
        text = sentences.format(f"verdict-safe-{kind}", names=_names(survey, safe))
        yield StyledLine("  " + text)


def _unproven_lines(
    survey: Survey, kind: str, verdicts: Sequence[Verdict], sentences: Sentences
) -> Iterator[StyledLine]:
    """Yield a line of what was not lost but is not proven safe, if there is anything."""
    unproven = [verdict for verdict in verdicts if judge_safety(verdict) == UNPROVEN]
    if unproven:
        drawn = min(verdict.drawn.total() for verdict in unproven)
        code = f"verdict-unproven-{kind}" if drawn else f"verdict-unknown-{kind}"
        names, count = _names(survey, unproven), format_count(drawn, sentences)
        yield StyledLine("  " + sentences.format(code, names=names, drawn=count))


def _loss_line(survey: Survey, verdict: Verdict, sentences: Sentences) -> StyledLine:
    """Return the sentence about a unit or centre that can be lost, and the worst orders."""
    loss = find_worst_loss(verdict)
    assert loss is not None
    kind, name = _loss_kind(survey, loss), _name(survey, verdict)
    if judge_safety(verdict) == LOST:
        text = sentences.format(f"verdict-always-{kind}", name=name)
        return StyledLine(f"  {text}", "dislodged")
    count = verdict.count(verdict.losses)
    can = "" if count.hits else "can-"
    text = sentences.format(f"verdict-{can}{kind}", name=name)
    if count.of:
        text += " " + _format_frequency(count, sentences)
    example = verdict.examples.get(loss, ())
    text = sentences.format("verdict-worst" if example else "verdict-worst-hold", text=text)
    orders = (_join(order_in(write_order(order), sentences.lang)) for order in example)
    return StyledLine(f"  {text}", "dislodged", tuple(orders))


def _format_frequency(count: Count, sentences: Sentences) -> str:
    """Return the share of answers, and what was counted unless the numbers are too long."""
    share = format_count_share(count, sentences)
    if count.exact and count.of >= _MANY:
        return sentences.format("verdict-share", share=share)
    code = "verdict-share-exact" if count.exact else "verdict-share-drawn"
    hits, of = format_count(count.hits, sentences), format_count(count.of, sentences)
    return sentences.format(code, share=share, count=hits, of=of)


def _loss_kind(survey: Survey, loss: Answer) -> str:
    """Return the word for a loss: a centre that is entered falls in the autumn only."""
    if loss.result == ENTERED:
        return "falls" if survey.position.phase.season == "autumn" else "entered"
    return "destroyed" if loss.result == "destroyed" else "dislodged"


def _orders_line(units: Sequence[Verdict], sentences: Sentences) -> str:
    """Return how many orders always succeed, never do, or depend on the others."""
    good = bad = 0
    for verdict in units:
        results = {answer.result in GOOD for answer in verdict.answers}
        good += verdict.is_exact and results == {True}
        bad += verdict.is_exact and results == {False}
    return sentences.format(
        "verdict-orders", all=len(units), good=good, bad=bad, rest=len(units) - good - bad
    )


def _names(survey: Survey, verdicts: Sequence[Verdict]) -> str:
    return ", ".join(_name(survey, verdict) for verdict in verdicts)


def _name(survey: Survey, verdict: Verdict) -> str:
    """Return the id of a centre or the name of a unit, which no line may break."""
    if isinstance(verdict.subject, str):
        return verdict.subject
    return _join(survey.position.name(verdict.subject))


def _join(text: str) -> str:
    """Return a text that no line may break."""
    return text.replace(" ", "\N{NO-BREAK SPACE}")


# -- for machines ----------------------------------------------------------------------------------


def verdict_as_data(survey: Survey) -> dict[str, object]:
    """Return the verdict for a program; ``docs/whatif.md`` has the schema."""
    found: dict[str, object] = {}
    for kind, wanted in (("centres", str), ("units", Unit)):
        verdicts = [v for v in survey.verdicts if isinstance(v.subject, wanted)]
        rows = {
            state: [v for v in sorted(verdicts, key=danger_key) if judge_safety(v) == state]
            for state in (SAFE, LOST, AT_RISK, UNPROVEN)
        }
        found[kind] = {
            state: [_loss_as_data(survey, v) for v in listed]
            if state in (LOST, AT_RISK)
            else [_plain_name(survey, v) for v in listed]
            for state, listed in rows.items()
        }
    return found


def _loss_as_data(survey: Survey, verdict: Verdict) -> dict[str, object]:
    loss = find_worst_loss(verdict)
    assert loss is not None
    count = verdict.count(verdict.losses)
    return {
        "name": _plain_name(survey, verdict),
        "result": loss.result,
        "count": count.hits,
        "of": count.of,
        "exact": count.exact,
        "worst": [write_order(order) for order in verdict.examples.get(loss, ())],
    }


def _plain_name(survey: Survey, verdict: Verdict) -> str:
    subject = verdict.subject
    return subject if isinstance(subject, str) else survey.position.name(subject)
