"""The texts of a message as one: what is its writer's own, and what is not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from alexmagnum.mail.parsing.decoding import one_line
from alexmagnum.mail.parsing.flowed import unflow
from alexmagnum.mail.parsing.html import Page, page_lines
from alexmagnum.mail.parsing.limits import MAX_LINES
from alexmagnum.mail.parsing.lines import Line, left_out, plain_lines, written
from alexmagnum.mail.parsing.mime import Body
from alexmagnum.mail.parsing.notes import Note
from alexmagnum.mail.parsing.quoting import unquoted
from alexmagnum.mail.parsing.repeats import repeated, spelt
from alexmagnum.mail.parsing.signatures import signed
from alexmagnum.mail.parsing.vocabulary import Vocabulary, plain, vocabulary

_STUB = 300
"""Characters that a plain text has at most which only says that there is a page."""

_TELLING = 3
"""Words from which on two equal lines are taken for the same."""


@dataclass(frozen=True, slots=True)
class Contents:
    """A text, what was taken out of it, and what was odd."""

    text: str = ""
    removed: str = ""
    notes: tuple[Note, ...] = ()

    def joined(self, other: Contents) -> Contents:
        return Contents(
            "\n\n".join(filter(None, (self.text, other.text))),
            "\n\n".join(filter(None, (self.removed, other.removed))),
            (*self.notes, *other.notes),
        )

    def noted(self, note: Note) -> Contents:
        return replace(self, notes=(*self.notes, note))

    def dropped(self) -> Contents:
        """The same with all of it taken out."""
        return Contents("", "\n\n".join(filter(None, (self.text, self.removed))))


def contents(bodies: Iterable[Body], sent: Sequence[str]) -> Contents:
    """What some texts come to, without what repeats texts that were ``sent``."""
    words = vocabulary()
    read = Contents()
    for body in bodies:
        read = read.joined(_one(body, sent, words))
    return read


def _one(body: Body, sent: Sequence[str], words: Vocabulary) -> Contents:
    page = page_lines(body.page, words) if body.page is not None else None
    lines, notes = _lines(body, page, words)
    from_page = any(note.code == "html-only" for note in notes)
    if len(lines) > MAX_LINES:
        lines = lines[:MAX_LINES]
        notes.append(Note.of("too-large", limit=str(MAX_LINES)))
    found = unquoted(lines, words, broken=not from_page)
    own = found.own
    if found.cut:
        notes.append(Note.of("cut-below", text=one_line(found.cut)))
    if found.orphans:
        notes.append(Note.of("quotation-broken", text=one_line(found.orphans)))
    if found.forwarded:
        notes.append(Note.of("forwarded"))
    if page:
        if page.struck:
            notes.append(Note.of("struck-out", text=one_line(" / ".join(page.struck))))
        if not from_page:
            _drop(own, _told_otherwise(lines, page, words))
    again = repeated(lines, own, sent)
    if any(again):
        notes.append(Note.of("repeats-sent", lines=str(sum(again))))
    _drop(own, again)
    _drop(own, signed(lines, own, words))
    return Contents(written(lines, own).strip("\n"), left_out(lines, own), tuple(notes))


def _drop(own: list[bool], gone: Sequence[bool]) -> None:
    own[:] = [keep and not leave for keep, leave in zip(own, gone, strict=True)]


def _lines(body: Body, page: Page | None, words: Vocabulary) -> tuple[list[Line], list[Note]]:
    """The plain text's lines, or the page's where there is no plain text to speak of."""
    text = body.plain or ""
    if page and _is_stub(text, page, words):
        return page.lines, [Note.of("html-only")]
    if text.lstrip()[:9].casefold().startswith(("<html", "<!doctype")):
        return page_lines(text, words).lines, [Note.of("html-only")]
    return plain_lines(unflow(text, delsp=body.delsp) if body.flowed else text), []


def _is_stub(text: str, page: Page, words: Vocabulary) -> bool:
    """Does a plain text say nothing, or only that the page says it?"""
    if not text.strip():
        return any(line.text.strip() for line in page.lines)
    spelling = plain(text[: _STUB + 1])
    return len(text.strip()) <= _STUB and any(
        phrase in spelling for phrase in words.of("stubs", "phrases")
    )


def _told_otherwise(lines: Sequence[Line], page: Page, words: Vocabulary) -> list[bool]:
    """The lines of a plain text that its page shows as quoted or struck out only.

    The page marks by its elements what the plain text of some programs does not mark at all.
    """
    kept = unquoted(page.lines, words, broken=False).own
    shown = {spelt(line.text) for line, own in zip(page.lines, kept, strict=True) if own}
    quoted = {spelt(line.text) for line, own in zip(page.lines, kept, strict=True) if not own}
    struck = {spelt(text) for text in page.struck}
    return [
        len(said) >= _TELLING and said not in shown and (said in quoted or said in struck)
        for said in (spelt(line.text) for line in lines)
    ]
