"""The verdict on the safety of a power: what is safe, what can be lost, and how at the worst."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from alexmagnum.i18n.sentences import Sentences
from alexmagnum.notation import order_in, write_order
from alexmagnum.position import Unit
from alexmagnum.report.shares import format_count, format_share
from alexmagnum.whatif.safety import ENTERED, GOOD, Answer, Count, Survey, Verdict

SAFE, LOST, AT_RISK, UNPROVEN = "safe", "lost", "at_risk", "unproven"
"""What can be said of a unit or a centre: never lost, always lost, sometimes, or not known."""


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


def format_safety_verdict(survey: Survey, sentences: Sentences) -> Iterator[tuple[str, str]]:
    """Yield the lines of the verdict, each with the result by which it is coloured."""
    centres = [v for v in survey.verdicts if isinstance(v.subject, str)]
    units = [v for v in survey.verdicts if isinstance(v.subject, Unit)]
    for kind, verdicts in (("centres", centres), ("units", units)):
        yield from _safe_lines(survey, kind, verdicts, sentences)
    for verdict in (*sorted(centres, key=danger_key), *sorted(units, key=danger_key)):
        if verdict.losses:
            yield _loss_line(survey, verdict, sentences), "dislodged"
    if units:
        yield _orders_line(units, sentences), ""


def _safe_lines(
    survey: Survey, kind: str, verdicts: Sequence[Verdict], sentences: Sentences
) -> Iterator[tuple[str, str]]:
    """Yield a line of what is safe, and one of what was not lost but is not proven safe."""
    found = {state: [v for v in verdicts if judge_safety(v) == state] for state in (SAFE, UNPROVEN)}
    if verdicts and len(found[SAFE]) == len(verdicts):
        yield sentences.format(f"verdict-all-{kind}"), ""
    elif found[SAFE]:
        names = _names(survey, found[SAFE])
        yield sentences.format(f"verdict-safe-{kind}", names=names), ""
    if found[UNPROVEN]:
        drawn = min(v.drawn.total() for v in found[UNPROVEN])
        names = _names(survey, found[UNPROVEN])
        code = f"verdict-unproven-{kind}" if drawn else f"verdict-unknown-{kind}"
        yield sentences.format(code, names=names, tried=format_count(drawn, sentences)), ""


def _loss_line(survey: Survey, verdict: Verdict, sentences: Sentences) -> str:
    """Return the sentence about a unit or centre that can be lost."""
    loss = find_worst_loss(verdict)
    assert loss is not None
    kind, name = _loss_kind(survey, loss), _name(survey, verdict)
    if judge_safety(verdict) == LOST:
        return sentences.format(f"verdict-always-{kind}", name=name)
    count = verdict.count(verdict.losses)
    can = "" if count.hits else "can-"
    text = sentences.format(f"verdict-{can}{kind}", name=name)
    if how_often := _format_frequency(count, sentences):
        text += " " + _join(how_often)
    example = verdict.examples.get(loss, ())
    if not example:
        return sentences.format("verdict-worst-hold", text=text)
    orders = "; ".join(_join(order_in(write_order(o), sentences.lang)) for o in example)
    return sentences.format("verdict-worst", text=text, orders=orders)


def _format_frequency(count: Count, sentences: Sentences) -> str:
    """Return how often something happened; a sample is told from the count of all answers."""
    if not count.of:
        return ""
    share = format_share(Fraction(count.hits, count.of), sentences)
    hits, of = format_count(count.hits, sentences), format_count(count.of, sentences)
    if count.exact:
        return sentences.format("verdict-in-exact", count=hits, of=of, share=share)
    if count.hits == count.of:
        return sentences.format("verdict-in-all-tried", of=of)
    if count.hits:
        return sentences.format("verdict-in-tried", count=hits, of=of, share=share)
    return sentences.format("verdict-in-possible", of=of)


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
