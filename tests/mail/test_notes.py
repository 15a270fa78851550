"""Every note on a mail has a sentence that its data fills."""

from __future__ import annotations

import pytest

from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.mail.answers import _NOTES_FOR_WRITERS
from alexmagnum.mail.parsing.mime import CODES


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_note_has_a_sentence(lang: str) -> None:
    sentences = load_sentences(lang).templates

    assert {code.removeprefix("note-") for code in sentences if code.startswith("note-")} == CODES


def test_what_players_are_told_are_notes() -> None:
    assert _NOTES_FOR_WRITERS < CODES
