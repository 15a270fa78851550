"""What a player is told of his own orders in phases that are over."""

from __future__ import annotations

from collections.abc import Iterator

from alexmagnum.game import processing
from alexmagnum.game.sections import phase_word
from alexmagnum.game.state import Game
from alexmagnum.mail.receipts import phase_in_words
from alexmagnum.notation.text import fold
from alexmagnum.report.lines import wrapped
from alexmagnum.report.turn import order_lines
from alexmagnum.report.views import SeasonContext, view
from alexmagnum.report.words import Words

_PHASES_BACK = 3
"""Phases that a history shows if none is named."""


def history_lines(game: Game, power: str, named: str, say: Words) -> Iterator[str]:
    """The orders of a power in the phases that a text names, with what became of them; those of
    the last phases where it is empty."""
    line = game.line()
    wanted = _fitting(named, [row["name"] for row in line])
    if not named:
        wanted = [row["name"] for row in line if not row["passed"]][-_PHASES_BACK:]
    for name in wanted:
        yield from _past(game, power, name, say)
    if not wanted:
        code = "answer-no-such-phase" if named else "answer-no-history"
        yield from wrapped(say.say(code, phase=named)).splitlines()


def _past(game: Game, power: str, name: str, say: Words) -> Iterator[str]:
    done = processing.processed(game, name, None)
    context = SeasonContext(str(game.row["name"]), done.outcome.position, outcome=done.outcome)
    outcome = view(context, power).shown.outcome
    assert outcome is not None, "it was processed"
    yield phase_in_words(outcome.position, name, say)
    for line in order_lines(outcome, power, say):
        result = say.say(f"result-{line.result}")
        yield from wrapped(f"{line.said}: {result}; {line.why}", "  ", "      ").splitlines()
    yield ""


def _fitting(text: str, phases: list[str]) -> list[str]:
    """The phases that a text names: ``322``, ``primavera 322``, ``323-1``."""
    said = fold(text).replace("-", " ").split()
    wanted = {phase_word(word) for word in said} - {"bc", "ac", "a.c.", "of", "del"}
    return [name for name in phases if wanted and wanted <= {*name.split("-")}]
