"""Separation of the writer's own text from quotations, repetitions and signatures.

Each text of a mail passes the filters of :mod:`.quoting`, :mod:`.repeated_text` and
:mod:`.signatures` in turn. Nothing is lost: what they remove is kept as ``removed``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from alexmagnum.mail.parsing.decoding import to_one_line
from alexmagnum.mail.parsing.flowed import unflow
from alexmagnum.mail.parsing.html import BAR, Page, read_page
from alexmagnum.mail.parsing.limits import MAX_LINES
from alexmagnum.mail.parsing.mime import Body
from alexmagnum.mail.parsing.quoted_lines import Line, join_lines, join_removed_lines, split_lines
from alexmagnum.mail.parsing.quoting import Quotation, find_quotation
from alexmagnum.mail.parsing.reading_notes import Note
from alexmagnum.mail.parsing.repeated_text import find_repeated_lines, fold_words
from alexmagnum.mail.parsing.signatures import find_signature_lines
from alexmagnum.mail.parsing.vocabulary import Vocabulary, fold_phrase, load_vocabulary

_MAX_STUB = 300
"""Characters of a plain text that only says that the mail is in HTML."""

_ORDER_CELL = re.compile(
    r"(?:\d+\.? \| )?(?:[afg]|armata|army|esercito|falange|phalanx|flotta|fleet|generale|general"
    r"|(?-i:[A-Z]{3}))\b",
    re.IGNORECASE,
)
"""The beginning of a row that may be an order."""

_SIGN = re.compile(r"[-=\u2010-\u2015>|\u2192]")
"""A sign that parts the words of an order, or the columns of a table."""

_MIN_WORDS = 3
"""Two lines with fewer words may be equal by chance."""


@dataclass(frozen=True, slots=True)
class OwnText:
    """The writer's own text, the text that was removed, and notes on what was odd."""

    text: str = ""
    removed: str = ""
    notes: tuple[Note, ...] = ()

    def append(self, other: OwnText) -> OwnText:
        """Return both, one after the other."""
        return OwnText(
            text="\n\n".join(filter(None, (self.text, other.text))),
            removed="\n\n".join(filter(None, (self.removed, other.removed))),
            notes=(*self.notes, *other.notes),
        )

    def add_note(self, note: Note) -> OwnText:
        """Return the same with one more note."""
        return replace(self, notes=(*self.notes, note))

    def remove_all(self) -> OwnText:
        """Return the same with all text removed, without notes."""
        return OwnText("", "\n\n".join(filter(None, (self.text, self.removed))))


def find_own_text(bodies: Iterable[Body], sent: Sequence[str]) -> OwnText:
    """Return the writer's own text in some bodies, without what repeats texts in ``sent``."""
    words = load_vocabulary()
    result = OwnText()
    for body in bodies:
        result = result.append(_filter_body(body, sent, words))
    return result


def _filter_body(body: Body, sent: Sequence[str], words: Vocabulary) -> OwnText:
    page = read_page(body.html, words) if body.html is not None else None
    lines, notes = _choose_lines(body, page, words)
    is_html_only = any(note.code == "html-only" for note in notes)
    if len(lines) > MAX_LINES:
        lines = lines[:MAX_LINES]
        notes.append(Note.of("too-large", limit=str(MAX_LINES)))
    quotation = find_quotation(lines, words, wrapped=not is_html_only)
    notes += _note_quotation(quotation)
    own = quotation.own
    if page and page.struck:
        notes.append(Note.of("struck-out", text=to_one_line(" / ".join(page.struck))))
    if page and not is_html_only:
        own = _remove(own, _find_lines_quoted_in_page(lines, page, words))
    repeated = find_repeated_lines(lines, own, sent)
    if any(repeated):
        notes.append(Note.of("repeats-sent", lines=str(sum(repeated))))
    own = _remove(own, repeated)
    own = _remove(own, find_signature_lines(lines, own, words))
    return OwnText(join_lines(lines, own).strip("\n"), join_removed_lines(lines, own), tuple(notes))


def _note_quotation(quotation: Quotation) -> list[Note]:
    notes = []
    if quotation.cut:
        notes.append(Note.of("cut-below", text=to_one_line(quotation.cut)))
    if quotation.wrapped_ends:
        notes.append(Note.of("quotation-broken", text=to_one_line(quotation.wrapped_ends)))
    if quotation.forwarded:
        notes.append(Note.of("forwarded"))
    return notes


def _remove(own: Sequence[bool], removed: Sequence[bool]) -> list[bool]:
    return [keep and not remove for keep, remove in zip(own, removed, strict=True)]


def _choose_lines(
    body: Body, page: Page | None, words: Vocabulary
) -> tuple[list[Line], list[Note]]:
    """Return the lines of the plain text, or those of the page if the plain text says nothing."""
    text = body.plain or ""
    if page and _is_stub(text, page, words):
        return page.lines, [Note.of("html-only")]
    if page and _loses_rows(text, page, words):
        return page.lines, [Note.of("html-only")]
    if text.lstrip()[:9].casefold().startswith(("<html", "<!doctype")):
        return read_page(text, words).lines, [Note.of("html-only")]
    return split_lines(unflow(text, delsp=body.delsp) if body.flowed else text), []


def _loses_rows(text: str, page: Page, words: Vocabulary) -> bool:
    """Tell whether a plain text does not show the columns of a table with the writer's orders.

    It has each cell on a line of its own, or nothing but a blank between two.
    """
    own = find_quotation(page.lines, words, wrapped=False).own
    rows = [line.text for line, is_own in zip(page.lines, own, strict=True) if is_own]
    orders = [fold_words(row) for row in rows if BAR in row and _ORDER_CELL.match(row)]
    if not orders:
        return False
    shown = {fold_words(line.text) for line in split_lines(text) if _SIGN.search(line.text)}
    return any(row not in shown for row in orders)


def _is_stub(text: str, page: Page, words: Vocabulary) -> bool:
    """Tell whether a plain text is empty or only says that the mail is in HTML."""
    if not text.strip():
        return any(line.text.strip() for line in page.lines)
    phrase = fold_phrase(text[: _MAX_STUB + 1])
    return len(text.strip()) <= _MAX_STUB and any(
        stub in phrase for stub in words.get("stubs", "phrases")
    )


def _find_lines_quoted_in_page(lines: Sequence[Line], page: Page, words: Vocabulary) -> list[bool]:
    """Tell for each line of a plain text whether its page shows it only as quoted or struck out.

    The HTML of some programs marks quotations that their plain text does not mark.
    """
    page_own = find_quotation(page.lines, words, wrapped=False).own
    shown: set[tuple[str, ...]] = set()
    removed = {fold_words(text) for text in page.struck}
    for line, is_own in zip(page.lines, page_own, strict=True):
        (shown if is_own else removed).add(fold_words(line.text))
    folded_lines = (fold_words(line.text) for line in lines)
    return [
        len(folded) >= _MIN_WORDS and folded not in shown and folded in removed
        for folded in folded_lines
    ]
