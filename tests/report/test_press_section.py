"""Press in a report: for its readers alone, with the results, named only if it is signed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from alexmagnum.game.game import Press
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.report.context import GM, PhaseContext
from alexmagnum.report.formats import format_report
from tests.report import phase_contexts

TEXT = "The zqtextqz of it.\n\nAnd more."
READERS = (("SEL",), ("all",), ("gm",), ("SEL", "gm"))


def _context(
    readers: tuple[str, ...], manner: str = "signed", state: str = "published"
) -> PhaseContext:
    context = phase_contexts.sample_turn()
    phase = str(context.position.phase)
    piece = Press(1, phase, "TOL", readers, manner, TEXT, state, "2026-11-20T12:00:00Z")
    return replace(context, press=(piece,))


def _renderings(context: PhaseContext, recipient: str | None) -> list[str]:
    return [
        text
        for lang in LANGUAGES
        for text in phase_contexts.all_formats(context, recipient, lang).values()
    ]


def _seen(context: PhaseContext, recipient: str | None) -> bool:
    found = {"zqtextqz" in text for text in _renderings(context, recipient)}
    assert len(found) == 1, "in all formats or in none"
    return found.pop()


@pytest.mark.parametrize("readers", READERS)
@pytest.mark.parametrize("recipient", ["TOL", "SEL", "LIS", None, GM])
def test_press_is_for_its_readers_its_writer_and_the_game_master(
    readers: tuple[str, ...], recipient: str | None
) -> None:
    may = recipient in ("TOL", GM) or "all" in readers or recipient in readers

    assert _seen(_context(readers), recipient) == may


@pytest.mark.parametrize("recipient", ["TOL", "SEL", None])
def test_it_comes_out_with_the_results(recipient: str | None) -> None:
    assert not _seen(replace(_context(("all",)), outcome=None), recipient)
    assert _seen(replace(_context(("all",)), outcome=None), GM)


def test_what_was_relayed_is_not_told_again() -> None:
    context = _context(("SEL",), state="relayed")

    assert not _seen(context, "SEL")
    assert _seen(context, "TOL")


def _names_author(context: PhaseContext, recipient: str | None) -> bool:
    """Tell whether a rendering says that Ptolemy wrote the press."""
    return "Ptolemy to everybody:" in format_report(
        context, recipient, "text", load_sentences("en")
    )


def test_who_did_not_sign_is_named_to_himself_and_the_game_master_alone() -> None:
    context = _context(("all",), "anonymous")
    named = {recipient: _names_author(context, recipient) for recipient in ("TOL", "SEL", None, GM)}

    assert named == {"TOL": True, "SEL": False, None: False, GM: True}
    assert "Somebody to everybody:" in format_report(context, "SEL", "text", load_sentences("en"))


def test_who_signed_is_named_to_all() -> None:
    assert all(
        _names_author(_context(("all",)), recipient) for recipient in ("TOL", "SEL", None, GM)
    )


def test_a_page_escapes_it() -> None:
    context = _context(("all",))
    piece = replace(context.press[0], text="<script>x</script>")

    assert "<script>x" not in format_report(
        replace(context, press=(piece,)), None, "html", load_sentences("en")
    )
