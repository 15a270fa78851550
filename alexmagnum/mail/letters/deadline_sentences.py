"""The sentences of answers that name the deadline, and how a draft gets those of a new deadline.

Open this for what a receipt or the answer to STATUS says about the deadline, and if a draft still
names an old one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from alexmagnum.game.letter_grounds import STOPPED
from alexmagnum.i18n.date_text import format_instant
from alexmagnum.i18n.sentences import LANGUAGES, Sentences, load_sentences
from alexmagnum.i18n.zones import parse_iso
from alexmagnum.report.wrapping import wrap_text


@dataclass(frozen=True, slots=True)
class ClockReading:
    """A deadline as it was at an instant.

    ``clock`` is the deadline, "" if there is none, or :data:`STOPPED`; ``zone`` is where the game
    master lives.
    """

    clock: str
    at: datetime
    zone: str

    @property
    def runs(self) -> bool:
        """Tell whether there is a deadline that is still to come."""
        return self.clock not in ("", STOPPED) and parse_iso(self.clock) > self.at

    def format_change_until(self, sentences: Sentences) -> str:
        """Return until when orders can be changed, "" if there is no such deadline."""
        if not self.runs:
            return ""
        at = format_instant(self.clock, self.zone, sentences)
        return wrap_text(sentences.format("desk-change-until", deadline=at))

    def format_deadline(self, sentences: Sentences) -> str:
        """Return the deadline and how far away it is."""
        if self.clock == STOPPED:
            said = sentences.format("clock-stopped")
        elif self.clock:
            said = format_instant(self.clock, self.zone, sentences, self.at)
        else:
            said = sentences.format("no-deadline")
        return wrap_text(sentences.format("desk-deadline", deadline=said))


def reword_deadline(text: str, *, before: ClockReading, now: ClockReading, seal: str) -> str:
    """Return the text of an answer with the deadline in force instead of an earlier one.

    ``seal`` is the seal of the orders in force, which the answer may show.  The text is in any
    language: only the sentences of its own are found in it.
    """
    for lang in LANGUAGES:
        text = _reword(text, before, now, seal, load_sentences(lang))
    return text


def _reword(
    text: str, before: ClockReading, now: ClockReading, seal: str, sentences: Sentences
) -> str:
    text = _replace(text, before.format_deadline(sentences), now.format_deadline(sentences))
    sealed = sentences.format("desk-digest", digest=seal)
    old, new = (
        "\n".join(filter(None, (reading.format_change_until(sentences), sealed)))
        for reading in (before, now)
    )
    text = _replace(text, old, new)
    if now.runs:
        text = _replace(text, f"{sentences.format('receipt-late')}\n", "")
    return text


def _replace(text: str, old: str, new: str) -> str:
    """Replace a passage however its lines are broken; CRLF stays CRLF."""
    ends = r"\s*\n" if old.endswith("\n") else ""
    passage = r"\s+".join(map(re.escape, old.split())) + ends
    lines = new.replace("\n", "\r\n") if "\r\n" in text else new
    return re.sub(passage, lambda _: lines, text)
