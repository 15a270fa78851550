"""Reasons put into sentences, and chains of reasons: what an order's result rests on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from alexmagnum.i18n.sentences import Sentences, load_sentences
from alexmagnum.judge.outcome import Fate, Outcome, Reason
from alexmagnum.notation import order_in, write_order
from alexmagnum.position import Position, Unit

# Reasons put into sentences, in the languages of the catalogues.


def format_reason(reason: Reason, position: Position, sentences: Sentences) -> str:
    """Return a reason as a sentence; units and provinces are named as in the position."""
    units = [position.name(unit) for unit in reason.units]
    sentence = sentences.format(
        reason.code,
        by=next(iter(units), ""),
        other=units[-1] if units else "",
        units=", ".join(units),
        strength=reason.strength,
        against=reason.against,
        powers=", ".join(position.board.powers[p].name(sentences.lang) for p in reason.powers),
        place=_province_name(reason.place, position, sentences.lang),
        room=reason.room,
    )
    if not reason.stop:
        return sentence
    place = _province_name(reason.stop, position, sentences.lang)
    return sentences.format("stopped-in", place=place, why=sentence)


_DEFEATS = ("bounces", "outmatched", "held-off", "held-off-beside", "loses-head-to-head")
"""The reasons of a move that one more than the strength of the other unit would have helped."""


def format_need(reason: Reason, position: Position, sentences: Sentences) -> str:
    """Return with what strength a move would have beaten the unit that kept it out.

    The figures are those of the reason; for other reasons there is nothing to say.
    """
    if reason.code not in _DEFEATS:
        return ""
    need = reason.against + 1
    by, more = position.name(reason.units[0]), need - reason.strength
    return sentences.format("needed", by=by, strength=need, more=more)


def _province_name(province: str, position: Position, lang: str) -> str:
    return position.board.provinces[province].name(lang) if province else ""


# Explanations as chains: the reason of an order, then the reasons of what it rests on.


class Step(NamedTuple):
    """One link of the chain; ``depth`` 0 is the unit to explain, its causes are one deeper."""

    depth: int
    fate: Fate


class Explanation(tuple[Step, ...]):
    """The steps of one explanation, which print as sentences; ``outcome`` is what they explain."""

    outcome: Outcome

    def __new__(cls, outcome: Outcome, steps: Iterable[Step]) -> Explanation:
        explanation = super().__new__(cls, steps)
        explanation.outcome = outcome
        return explanation

    def __getnewargs__(self) -> tuple[Outcome, tuple[Step, ...]]:
        """Return what a copy or a pickle is made from."""
        return self.outcome, tuple(self)

    def __str__(self) -> str:
        return self.to_text()

    def to_text(self, lang: str = "en") -> str:
        """Return a line for each step in a language, indented by depth: the order, then why.

        Raises:
            ValueError: there are no sentences in that language.
        """
        return "\n".join(_format_steps(self.outcome, self, load_sentences(lang)))


def explain(outcome: Outcome, unit: Unit) -> Explanation:
    """Return the result of a unit with its chain of causes; each unit is explained once.

    ``print`` shows it as sentences; as a value it is a tuple of steps.

    The figures are the resolver's own, so that explanation and result cannot disagree.

    Raises:
        ValueError: the position has no such unit.
    """
    return Explanation(outcome, list_steps(outcome, unit))


def list_steps(outcome: Outcome, unit: Unit) -> list[Step]:
    """Return the steps of :func:`explain`.

    Raises:
        ValueError: the position has no such unit.
    """
    explained: set[Unit] = set()
    steps: list[Step] = []
    left = [(unit, 0)]
    while left:
        current, depth = left.pop()
        if current in explained:
            continue
        explained.add(current)
        fates = outcome.fates(current)
        steps += [Step(depth, fate) for fate in fates]
        causes = [cause for fate in fates for cause in fate.reason.causes]
        left += [(cause, depth + 1) for cause in reversed(causes)]
    return steps


def format_chain(outcome: Outcome, unit: Unit, sentences: Sentences) -> tuple[str, ...]:
    """Return the causes behind a unit's result, indented by depth."""
    return tuple(_format_steps(outcome, list_steps(outcome, unit)[1:], sentences, shift=1))


def format_explanation(outcome: Outcome, unit: Unit, sentences: Sentences) -> list[str]:
    """Return a unit's result and the causes behind it, indented by depth."""
    return list(_format_steps(outcome, list_steps(outcome, unit), sentences))


def _format_steps(
    outcome: Outcome, steps: Iterable[Step], sentences: Sentences, shift: int = 0
) -> Iterator[str]:
    for depth, fate in steps:
        if fate.order is None:
            text = f"{outcome.position.name(fate.unit)} {sentences.format('no-order')}"
        else:
            text = order_in(write_order(fate.order), sentences.lang)
        why = format_reason(fate.reason, outcome.position, sentences)
        yield "  " * max(depth - shift, 0) + f"{text}: {why}"
        need = "" if depth or shift else format_need(fate.reason, outcome.position, sentences)
        if need:
            yield f"  {need}"
