"""The answer to HISTORY: a player's own orders in past phases."""

from __future__ import annotations

from collections.abc import Iterator

from alexmagnum.board.examples import list_examples
from alexmagnum.game.mail_sections import phase_word
from alexmagnum.game.phase_records import read_processed
from alexmagnum.game.state import Game
from alexmagnum.i18n.folding import fold
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.mail.letters.receipts import phase_in_words
from alexmagnum.report.phase_context import PhaseContext
from alexmagnum.report.turn_report import format_order_lines
from alexmagnum.report.views import filter_context
from alexmagnum.report.wrapping import wrap_text

_PHASES_BACK = 3
"""The number of phases shown if none is named."""


def format_order_history(game: Game, power: str, named: str, sentences: Sentences) -> Iterator[str]:
    """Return the orders of a power, with results, in the phases that a text names.

    An empty text stands for the last phases.
    """
    line = game.line()
    wanted = _find_phases(named, [row.name for row in line])
    if not named:
        wanted = [row.name for row in line if not row.passed][-_PHASES_BACK:]
    for name in wanted:
        yield from _format_phase(game, power, name, sentences)
    if not wanted:
        code = "answer-no-such-phase" if named else "answer-no-history"
        examples = list_examples(game.base, power)
        yield from wrap_text(sentences.format(code, phase=named, **examples)).splitlines()


def _format_phase(game: Game, power: str, name: str, sentences: Sentences) -> Iterator[str]:
    done = read_processed(game, name, None)
    context = PhaseContext(game.info.name, done.outcome.position, outcome=done.outcome)
    outcome = filter_context(context, power).content.outcome
    assert outcome is not None, "it was processed"
    yield phase_in_words(outcome.position, name, sentences)
    for line in format_order_lines(outcome, power, sentences):
        result = sentences.format(f"result-{line.result}")
        yield from wrap_text(f"{line.text}: {result}; {line.why}", "  ", "      ").splitlines()
    yield ""


def _find_phases(text: str, phases: list[str]) -> list[str]:
    """Return the phases that a text names: ``322``, ``primavera 322``, ``323-1``."""
    said = fold(text).replace("-", " ").split()
    wanted = {phase_word(word) for word in said} - {"bc", "ac", "a.c.", "of", "del"}
    return [name for name in phases if wanted and wanted <= {*name.split("-")}]
