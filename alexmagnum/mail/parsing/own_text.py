"""Separation of the writer's own text from quotations, repetitions and signatures."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, compress, groupby
from operator import not_
from typing import NamedTuple

from alexmagnum.mail.parsing import mime
from alexmagnum.mail.parsing.html import BAR, Page, read_page
from alexmagnum.notation.words import tokens

# Detection of quotations: which lines of a letter are somebody's earlier mail.
#
# There are three independent nets: quotation marks and quoted elements, the lines that mail
# programs write above a quotation, and texts that were sent to the writer
# (:func:`find_repeated_lines`).


_LABEL = re.compile(r"[\W_]*([^\W\d_][^:]{0,24}?)[\s*]*:(?!//)")
_RULE = re.compile(r"[-_*=~#\u2013\u2014\s]{5,}")
_NUMBER = re.compile(r"\d+")
_FINAL_COLON = re.compile(r":[\s*>]*$")
_DASHES = "-_*=\u2013\u2014"
_WRAP_COLUMNS = range(65, 82)  # columns at which mail programs wrap lines

_MAX_ATTRIBUTION = 400
_MAX_SEPARATOR = 160
_MAX_ATTRIBUTION_LINES = 4
_MAX_FIELD_LINES = 24
_MAX_UNLABELLED = 3  # lines without a label in one header field


class Quotation(NamedTuple):
    """The result for one letter: ``own`` tells for each line whether it is the writer's own.

    ``cut``: a line that looks like the head of a quotation, and below which everything was dropped
    although nothing is marked; ``forwarded``: something is forwarded; ``wrapped_ends``: ends of
    quoted lines that were wrapped.
    """

    own: list[bool]
    cut: str = ""
    forwarded: bool = False
    wrapped_ends: str = ""


def find_quotation(
    lines: list[mime.Line], words: mime.Vocabulary, whole: Collection[tuple[str, ...]] | None = ()
) -> Quotation:
    """Find the quotations in a letter.

    ``whole`` are the folded words of lines that may be quoted: one that was not wrapped; None where
    nothing is wrapped, as in a page.
    """
    finder = _QuotationFinder(lines, words)
    at = 0
    while at < len(lines):
        if finder.own[at]:
            at = finder.drop_quotation_at(at)
        at += 1
    wrapped_ends = finder.drop_wrapped_ends(whole) if whole is not None else ""
    return Quotation(finder.own, finder.cut, finder.forwarded, wrapped_ends)


class _QuotationFinder:
    """Finds the heads of quotations in one letter, and drops what they stand above."""

    def __init__(self, lines: list[mime.Line], words: mime.Vocabulary) -> None:
        self.lines = lines
        self.words = words
        self.own = [line.depth == 0 for line in lines]
        self.folded = [mime.fold_phrase(line.text) if not line.depth else "" for line in lines]
        labels = {s: key for key in words.keys("headers") for s in words.get("headers", key)}
        begins = map(_LABEL.match, self.folded)
        self.fields = [labels.get(match[1].strip(), "") if match else "" for match in begins]
        self.next_text_from = _index_next_text(lines)
        self.first_text = 0
        self.cut = ""
        self.forwarded = False
        self._final_verb = _compile_any(words.get("attribution", "verbs_last"), r"\b({})\W*$")
        self._inner_verb = _compile_any(words.get("attribution", "verbs_inside"), r"\b({})\b")

    def drop_quotation_at(self, at: int) -> int:
        """Drop the quotation whose head begins or ends at a line, if there is one.

        Return the last line that was looked at.
        """
        if self._is_separator(at):
            forwarded = self.words.get("separators", "forwarded")
            self.forwarded |= any(phrase in self.folded[at] for phrase in forwarded)
            end, _ = self._find_header_block(self._find_next_text(at))
            return self._drop_header_block(at, max(end, at))
        end, fields = self._find_header_block(at)
        if "from" in fields and ("sent" in fields or len(fields) >= 3):
            return self._drop_header_block(self._include_rule_above(at), end)
        if (start := self._find_attribution(at)) < 0:
            return at
        if not self._has_quotes_below(at) and self._find_next_text(at) < len(self.lines):
            self.cut = self.cut or " ".join(line.text for line in self.lines[start : at + 1])
        return self._drop_below(start, at)

    def _drop_header_block(self, start: int, end: int) -> int:
        """Drop a block of header fields and the quotation below it.  Programs that write one seldom
        mark the lines below, and marked lines may be a quotation within it: marks are believed only
        if the writer cannot have answered above the block."""
        if not self._has_text_above(start):
            return self._drop_below(start, end)
        self.own[start:] = [False] * (len(self.own) - start)
        return len(self.own) - 1

    def _drop_below(self, start: int, end: int) -> int:
        """Drop a head and, unless the lines below it are marked, everything below it."""
        stop = end + 1 if self._has_quotes_below(end) else len(self.own)
        self.own[start:stop] = [False] * (stop - start)
        return stop - 1

    # -- what stands above a quotation ---------------------------------------------------------

    def _is_separator(self, at: int) -> bool:
        """Recognize ``-----Messaggio originale-----`` and ``Begin forwarded message:``."""
        text = self.folded[at]
        if text.endswith(":") and text.strip(" :*_") in self.words.get("separators", "with_colon"):
            return True
        bare = text.strip(" >|")
        if len(bare) > _MAX_SEPARATOR or not (bare[:1] and bare[0] in _DASHES):
            return False
        inner = bare.strip(f"{_DASHES} .:")
        is_closed = bare.rstrip(" .:")[-1] in _DASHES
        return any(
            inner.startswith(phrase) and (is_closed or inner == phrase)
            for phrase in self.words.get("separators", "dashed")
        )

    def _find_header_block(self, at: int) -> tuple[int, set[str]]:
        """Return the last line of a block ``Da: ... Inviato: ... A: ... Oggetto: ...`` that begins
        at a line, and the keys of its fields. A field may continue on lines without a label."""
        fields: set[str] = set()
        end, unlabelled = at - 1, 0
        for i in range(at, min(at + _MAX_FIELD_LINES, len(self.lines))):
            if field := self.fields[i]:
                fields.add(field)
                end, unlabelled = i, 0
            elif not fields or not self.folded[i] or unlabelled == _MAX_UNLABELLED:
                break
            else:
                unlabelled += 1
        return end, fields

    def _include_rule_above(self, at: int) -> int:
        """Return the line of the rule above a header block; the block's own if there is none."""
        above = at - 1
        while above >= 0 and not self.folded[above] and not self.lines[above].depth:
            above -= 1
        if above >= 0 and len(self.folded[above]) >= 5 and _RULE.fullmatch(self.folded[above]):
            return above
        return at

    # -- attributions --------------------------------------------------------------------------

    def _find_attribution(self, at: int) -> int:
        """Return the first line of an attribution that ends at a line; -1 if none does.  Before
        unmarked lines it must name a time or an address, without a colon both in full, so that a
        player who only tells what another wrote is not cut off."""
        if not _FINAL_COLON.search(self.folded[at]):
            text = self.folded[at]
            is_dated = self._final_verb.search(text) and len(_NUMBER.findall(text)) >= 4
            return at if is_dated and self._has_first_word(text) else -1
        has_quotes = self._has_quotes_below(at)
        text, first = "", -1
        for start in range(at, max(at - _MAX_ATTRIBUTION_LINES, -1), -1):
            if not self.folded[start] or self.lines[start].depth:
                break
            if len(text := f"{self.folded[start]} {text}".strip()) > _MAX_ATTRIBUTION:
                break
            if not self._is_attribution(text, has_quotes):
                continue
            if self._has_first_word(text):
                return start
            first = start if first < 0 else first
        return first

    def _is_attribution(self, text: str, has_quotes: bool) -> bool:
        numbers, has_address = len(_NUMBER.findall(text)), "@" in text
        if has_address and numbers >= 4:
            return True  # a time and an address are enough in any language
        if self._has_verb(text.rstrip(" :*>")):
            return has_quotes or has_address or numbers >= 2
        return has_quotes and (numbers >= 4 or (has_address and numbers > 0))

    def _has_verb(self, text: str) -> bool:
        if self._final_verb.search(text) or self._inner_verb.search(text):
            return True
        names_last = self.words.get("attribution", "names_last")
        return any(text.startswith(f"{phrase} ") for phrase in names_last)

    def _has_first_word(self, text: str) -> bool:
        return text.partition(" ")[0].rstrip(",.") in self.words.get("attribution", "starts")

    # -- lines around --------------------------------------------------------------------------

    def _find_next_text(self, at: int) -> int:
        return self.next_text_from[at + 1] if at < len(self.lines) else at + 1

    def _has_text_above(self, at: int) -> bool:
        """Tell whether the writer has written anything above a line; lines that were passed over do
        not count later either: no line becomes the writer's again."""
        while self.first_text < at and not (
            self.own[self.first_text] and self.lines[self.first_text].text.strip()
        ):
            self.first_text += 1
        return self.first_text < at

    def _has_quotes_below(self, at: int) -> bool:
        below = self._find_next_text(at)
        return below < len(self.lines) and self.lines[below].depth > 0

    def drop_wrapped_ends(self, whole: Collection[tuple[str, ...]]) -> str:
        """Drop the ends of quoted lines that a program wrapped without marking them.

        Such a line stands between two quoted lines, and its first word had no room on the upper
        one, which is not whole. Return the lines that were dropped.
        """
        dropped = []
        for i in range(1, len(self.own) - 1):
            line, before, after = self.lines[i], self.lines[i - 1], self.lines[i + 1]
            if not (self.own[i] and line.text.strip() and before.depth and after.depth):
                continue
            width = len(before.text) + 2 * before.depth
            has_no_room = width + 1 + len(line.text.split()[0]) in _WRAP_COLUMNS
            if has_no_room and width < _WRAP_COLUMNS.stop and _fold_words(before.text) not in whole:
                self.own[i] = False
                dropped.append(line.text)
        return " / ".join(dropped)


def _index_next_text(lines: list[mime.Line]) -> list[int]:
    """Return for each line the first one from there that is not blank; else the end."""
    index = [len(lines)] * (len(lines) + 1)
    for at in range(len(lines) - 1, -1, -1):
        index[at] = at if lines[at].text.strip() else index[at + 1]
    return index


def _compile_any(phrases: frozenset[str], pattern: str) -> re.Pattern[str]:
    choices = "|".join(sorted(map(re.escape, phrases), key=len, reverse=True))
    return re.compile(pattern.format(choices or "(?!)"))


# Detection of lines that repeat, word for word, what was sent to the writer.
#
# This net needs no marks: even if a mail program quotes without them, or writers answer between
# the lines of an unmarked quotation, an old order does not count.
#
# What repeats a letter is a block of it: orders together with the prose around them, in the order
# in which they were sent. Orders that stand alone are the writer's, who may well order the same
# again, and so is text that a letter cites, in quotation marks or as their press, because they
# wrote it first; but a line of press that has its mark is a quotation, and so is press of others.


_GRAM = 5  # words in a row that have to agree before a repetition is looked at
_MOST_PLACES = 50  # places of a letter at which the same words, or the same line, are looked for
_MIN_PROSE = 5  # words of prose that a repeated block needs: more than a heading above orders has

_MAX_CACHED_LINE = 200  # characters; longer lines seldom come again, and are not cached

_QUOTATION_MARKS = re.compile(r"([„“«”»])")
_PRESS = re.compile(r"\s*\|(?!.*\|\s*$)")  # the mark of a line of press, not of a row of a table
_LOST_LETTER = re.compile(r"\w\?")  # where some programs had a letter with an accent
_ACCENTED = re.compile(r"[^\W\x00-\x7f]")  # such a letter; quotation marks are none

_ORDER_WORD = re.compile(r"\w{1,3}|\d+|build|remove|disband|waive|convoy|pick")
_DESCRIPTION = re.compile(r"[^\W\d_]+ \(")
"""The beginning of an order in words, as a receipt has it below each order."""


class _Words(NamedTuple):
    """The folded words of some lines: of each its line, and whether it is prose: neither part of an
    order in canonical form nor of one in words."""

    words: tuple[str, ...]
    lines: tuple[int, ...]
    prose: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class _SentText:
    """A text that was sent: its words, which of them are cited, where every ``_GRAM`` words in a
    row stand, and where every line, by the numbers of the lines that are not blank; which of these
    begin with what is cited, and the words of the lines of press."""

    words: _Words
    cited: tuple[bool, ...]
    grams: Mapping[tuple[str, ...], tuple[int, ...]]
    lines: Mapping[tuple[str, ...], frozenset[int]]
    cited_lines: frozenset[int]
    press: frozenset[tuple[str, ...]]


class Repetition(NamedTuple):
    """For each line of a letter, whether it repeats a sent text with the lines around it, and
    whether it is an order that stands in one, but not so."""

    repeats: list[bool]
    is_known_order: list[bool]


def find_repetition(
    lines: Sequence[mime.Line],
    chosen: Sequence[bool],
    sent: Sequence[str],
    said: tuple[str, ...] = (),
) -> Repetition:
    """Tell which of some chosen lines repeat texts that were sent to the writer of a letter.

    ``said`` is press of the writer, which these texts may have.
    """
    repeats, known = [False] * len(lines), [False] * len(lines)
    letter = _split_words(
        [line.text if keep else "" for line, keep in zip(lines, chosen, strict=True)]
    )
    spans = _group_lines(letter)
    if any(_LOST_LETTER.search(line.text) for line in lines):
        sent = [*sent, *(_ACCENTED.sub("?", text) for text in sent)]
    for text in sent if letter.words else ():
        source = _prepare(text, said)
        for line in _find_covered_lines(letter, source, spans):
            repeats[line] = True
        for line in _find_enclosed_lines(letter, source, spans):
            repeats[line] = True
        for line, span in spans.items():
            words = _words_at(letter, span)
            repeats[line] |= words in source.press and bool(_PRESS.match(lines[line].text))
            known[line] |= words in source.lines and not _has_prose(letter, span)
    return Repetition(repeats, _remove(known, repeats))


def _group_lines(found: _Words) -> dict[int, range]:
    """Return the words of each line that has some, as a range."""
    spans: dict[int, range] = {}
    for at, line in enumerate(found.lines):
        spans[line] = range(spans[line].start if line in spans else at, at + 1)
    return spans


def _words_at(found: _Words, span: range) -> tuple[str, ...]:
    return found.words[span.start : span.stop]


def _has_prose(found: _Words, span: range) -> bool:
    return any(found.prose[span.start : span.stop])


def _find_covered_lines(
    letter: _Words, source: _SentText, spans: Mapping[int, range]
) -> Iterator[int]:
    """Yield the lines that lie wholly in blocks of a sent text."""
    covered = [False] * len(letter.words)
    reached = 0  # the end in the sent text of the blocks so far
    for start, end, place in sorted(_find_blocks(letter, source), key=lambda block: block[2]):
        cited = source.cited[place : place + end - start]
        prose = [
            is_prose and not is_cited
            for is_prose, is_cited in zip(letter.prose[start:end], cited, strict=True)
        ]
        if sum(prose) >= _MIN_PROSE:
            # Orders that two blocks share at their join stand once in the sent text: the other
            # copy is the writer's. Two quotations of a letter share prose as well.
            shared = max(0, min(reached - place, len(prose)))
            repeated = start if any(prose[:shared]) else start + shared
            covered[repeated:end] = [True] * (end - repeated)
            reached = max(reached, place + len(prose))
    for line, span in spans.items():
        if all(covered[span.start : span.stop]):
            yield line


def _find_blocks(letter: _Words, source: _SentText) -> Iterator[tuple[int, int, int]]:
    """Yield the longest stretches of words that stand in a sent text in the same order, with
    nothing between them: where each begins and ends, and where it begins in that text."""
    at, last = 0, len(letter.words) - _GRAM
    while at <= last:
        start, places = at, set(source.grams.get(letter.words[at : at + _GRAM], ()))
        here = places
        while here:
            places, at = here, at + 1
            following = source.grams.get(letter.words[at : at + _GRAM], ())
            here = {place + 1 for place in places}.intersection(following)
        if at == start:
            at += 1
        else:
            yield start, at - 1 + _GRAM, min(places) - (at - 1 - start)


def _find_enclosed_lines(
    letter: _Words, source: _SentText, spans: Mapping[int, range]
) -> Iterator[int]:
    """Yield the lines of a sent text between which the writer answered: each stands beside its
    neighbour in that text, but for lines that it has not; one with only an order stands between
    two, in a row of neighbours that ends in prose on both sides."""
    found = [
        (line, source.lines[words] - source.cited_lines, _has_prose(letter, span))
        for line, span in spans.items()
        if (words := _words_at(letter, span)) in source.lines
    ]
    for (line, places, has_prose), above, below in zip(
        found, _follow_neighbours(found, 1), _follow_neighbours(found[::-1], -1)[::-1], strict=True
    ):
        if (above or below) if has_prose else not places.isdisjoint(above & below):
            yield line


def _follow_neighbours(
    found: Sequence[tuple[int, frozenset[int], bool]], step: int
) -> list[frozenset[int]]:
    """Return for each line those of its places to which neighbours lead from prose."""
    reached, before = [], frozenset[int]()
    for _, places, has_prose in found:
        here = places & {place + step for place in before}
        reached.append(here)
        if here or has_prose:  # the writer's own order may stand between two neighbours
            before = places if has_prose else here
    return reached


def _fold_words(text: str) -> tuple[str, ...]:
    return tuple(word for word, _ in _split_line(text))


def _split_line(text: str) -> Sequence[tuple[str, bool]]:
    """Return the folded words and numbers of a line, each with whether it is prose."""
    return _split_cached(text) if len(text) < _MAX_CACHED_LINE else _split_uncached(text)


def _split_uncached(text: str) -> Sequence[tuple[str, bool]]:
    describes = _DESCRIPTION.match(text.strip(" \t>|*")) is not None
    return tuple(
        (token.text, not (describes or _ORDER_WORD.fullmatch(token.text)))
        for token in tokens(text)
        if token.kind in ("word", "number")
    )


_split_cached = lru_cache(maxsize=10_000)(_split_uncached)


def _split_words(texts: Sequence[str]) -> _Words:
    found = [
        (word, i, is_prose)
        for i, text in enumerate(texts)
        if text
        for word, is_prose in _split_line(text)
    ]
    if not found:
        return _Words((), (), ())
    words, lines, prose = zip(*found, strict=True)
    return _Words(words, lines, prose)


@lru_cache(maxsize=256)
def _prepare(text: str, said: tuple[str, ...] = ()) -> _SentText:
    words = _split_words(text.split("\n"))
    grams: dict[tuple[str, ...], list[int]] = {}
    for at in range(len(words.words) - _GRAM + 1):
        if len(places := grams.setdefault(words.words[at : at + _GRAM], [])) < _MOST_PLACES:
            places.append(at)
    cited, spans = tuple(_find_cited_words(text, said)), _group_lines(words).values()
    lines: dict[tuple[str, ...], set[int]] = {}
    for number, span in enumerate(spans):
        if len(numbers := lines.setdefault(_words_at(words, span), set())) < _MOST_PLACES:
            numbers.add(number)
    return _SentText(
        words,
        cited,
        {gram: tuple(places) for gram, places in grams.items()},
        {line: frozenset(numbers) for line, numbers in lines.items()},
        frozenset(number for number, span in enumerate(spans) if cited[span.start]),
        frozenset(_fold_words(line) for line in text.split("\n") if _PRESS.match(line)),
    )


def _find_cited_words(text: str, said: Sequence[str]) -> Iterator[bool]:
    """Tell for each word whether it is cited: it stands in press that is among what the reader
    said, or in a paragraph between its first quotation mark and its last."""
    own_press = [f" {' '.join(_fold_words(piece))} " for piece in said]
    for is_press, lines in groupby(text.split("\n"), lambda line: bool(_PRESS.match(line))):
        if is_press:
            words = tuple(chain.from_iterable(map(_fold_words, lines)))
            yield from [any(f" {' '.join(words)} " in piece for piece in own_press)] * len(words)
            continue
        for _, paragraph in groupby(lines, lambda line: bool(line.strip())):
            pieces = list(chain.from_iterable(map(_QUOTATION_MARKS.split, paragraph)))
            marks = [at for at, piece in enumerate(pieces) if _QUOTATION_MARKS.fullmatch(piece)]
            for at, piece in enumerate(pieces):
                if at not in marks:
                    yield from [bool(marks) and marks[0] < at < marks[-1]] * len(_split_line(piece))


# Detection of signatures, adverts and disclaimers below a letter.


_LOOSE_SIGNATURE = re.compile(r"(?:--|[\u2014\u2013]) ?")
"""``--`` without its blank, or one long dash. People also separate paragraphs with it."""

_ORDER_LIKE = re.compile(r"\W*[afg]\b|.*\w ?[-\u2013\u2014>\u2192]+ ?\w", re.IGNORECASE)
_PGP_TEXT = re.compile(r"-----BEGIN PGP SIGNED MESSAGE-----")
_PGP_FIELD = re.compile(r"(?:Hash|Charset): .*")
_PGP_SIGNATURE = re.compile(r"-----BEGIN PGP SIGNATURE-----")
_MAX_PROGRAM_LINE = 150  # characters of a line that a mail program adds below a letter


def find_signature_lines(
    lines: Sequence[mime.Line], own: Sequence[bool], words: mime.Vocabulary
) -> list[bool]:
    """Tell for each line whether it is one of the writer's own lines and part of a signature.

    ``-- `` starts a signature, which ends at the next quotation, because some people answer below
    it, or at the end of press, which may be signed. ``--`` without its blank starts one only if no
    line below it looks like an order. A line such as ``Inviato da iPhone`` is removed alone,
    because people write on below it.
    """
    removed = [False] * len(lines)
    starts, in_signature = _find_starts_of_signatures(lines, own), False
    program_lines = tuple(words.get("signatures", "lines"))
    disclaimers = tuple(words.get("signatures", "cuts"))
    press_ends = words.get("press", "end")
    for i, line in enumerate(lines):
        phrase = mime.fold_phrase(line.text).strip(" *_-[(")
        if not own[i] or phrase.strip(" .*_-])") in press_ends:
            in_signature = False
            continue
        in_signature = in_signature or phrase.startswith(disclaimers) or starts[i]
        is_program_line = len(phrase) <= _MAX_PROGRAM_LINE and phrase.startswith(program_lines)
        removed[i] = in_signature or is_program_line or line.signature or _is_pgp_head(lines, i)
    return removed


def _find_starts_of_signatures(lines: Sequence[mime.Line], own: Sequence[bool]) -> list[bool]:
    starts = [False] * len(lines)
    has_order_below = False  # before the next quotation
    for i in reversed(range(len(lines))):
        text = lines[i].text
        is_loose = not has_order_below and bool(_LOOSE_SIGNATURE.fullmatch(text))
        starts[i] = text == mime.SIGNATURE or is_loose or bool(_PGP_SIGNATURE.match(text))
        has_order_below = own[i] and (has_order_below or bool(_ORDER_LIKE.match(text)))
    return starts


def _is_pgp_head(lines: Sequence[mime.Line], at: int) -> bool:
    if _PGP_TEXT.match(lines[at].text):
        return True
    return bool(at and _PGP_FIELD.fullmatch(lines[at].text) and _PGP_TEXT.match(lines[at - 1].text))


# Separation of the writer's own text from quotations, repetitions and signatures.
#
# Each text of a mail passes these filters in turn. Nothing is lost: what they remove is kept as
# ``removed``.


_MAX_STUB = 300  # characters of a plain text that only says that the mail is in HTML

_ORDER_CELL = re.compile(
    r"(?:\d+\.? \| )?(?:[afg]|armata|army|esercito|falange|phalanx|flotta|fleet|generale|general"
    r"|(?-i:[A-Z]{3}))\b",
    re.IGNORECASE,
)
"""The beginning of a row that may be an order."""

_SIGN = re.compile(r"[-=\u2010-\u2015>|\u2192]")
"""A sign that parts the words of an order, or the columns of a table."""

_STRUCK = re.compile(r"(?<![\w~])~~(?=[^\s~])((?:(?!~~|\n\s*\n)(?s:.))+)(?<=\S)~~(?!~)")
"""Text that Markdown shows as struck out: within a paragraph, with no blank inside the marks."""

_MIN_WORDS = 3  # two lines with fewer words may be equal by chance


@dataclass(frozen=True, slots=True)
class OwnText:
    """The writer's own text, the text that was removed, what of that repeats no letter that was
    sent to them, and notes on what was odd."""

    text: str = ""
    removed: str = ""
    unsent: str = ""
    notes: tuple[mime.Note, ...] = ()

    def append(self, other: OwnText) -> OwnText:
        """Return both, one after the other."""
        return OwnText(
            text="\n\n".join(filter(None, (self.text, other.text))),
            removed="\n\n".join(filter(None, (self.removed, other.removed))),
            unsent="\n\n".join(filter(None, (self.unsent, other.unsent))),
            notes=(*self.notes, *other.notes),
        )

    def add_note(self, note: mime.Note) -> OwnText:
        """Return the same with one more note."""
        return replace(self, notes=(*self.notes, note))

    def remove_all(self) -> OwnText:
        """Return the same with all text removed, without notes."""
        removed, unsent = (
            "\n\n".join(filter(None, (self.text, text))) for text in (self.removed, self.unsent)
        )
        return OwnText("", removed, unsent)


def find_own_text(
    bodies: Iterable[mime.Body], sent: Sequence[str], said: tuple[str, ...] = ()
) -> OwnText:
    """Return the writer's own text in some bodies, without what repeats texts in ``sent``, except
    their press in these, which is in ``said`` too."""
    result = OwnText()
    for body in bodies:
        result = result.append(_filter_body(body, sent, said, mime.load_vocabulary()))
    return result


def _filter_body(
    body: mime.Body, sent: Sequence[str], said: tuple[str, ...], words: mime.Vocabulary
) -> OwnText:
    plain = (body.plain or "").split()
    if body.is_file and any(plain == text.split() for text in sent):  # a letter's file comes back
        return OwnText(removed=body.plain or "")
    page = read_page(body.html, words) if body.html is not None else None
    page_own = find_quotation(page.lines, words, None).own if page else []
    lines, notes = _choose_lines(body, page, page_own, words)
    is_html_only = any(note.code == "html-only" for note in notes)
    if len(lines) > mime.MAX_LINES or any(len(line.text) > mime.MAX_LINE for line in lines):
        lines = [line._replace(text=line.text[: mime.MAX_LINE]) for line in lines[: mime.MAX_LINES]]
        notes.append(mime.Note.of("too-large", limit=str(mime.MAX_LINES)))
    letters = [_prepare(text, said) for text in sent]
    whole = frozenset[tuple[str, ...]]().union(*(one.lines for one in letters))
    quotation = find_quotation(lines, words, None if is_html_only else whole)
    own = quotation.own
    for code, text in (("cut-below", quotation.cut), ("quotation-broken", quotation.wrapped_ends)):
        if text:
            notes.append(mime.Note.of(code, text=mime.to_one_line(text)))
    if quotation.forwarded:
        notes.append(mime.Note.of("forwarded"))
    more = ""
    if page and not is_html_only:
        own = _remove(own, _find_lines_quoted_in_page(lines, page, page_own))
        more = _find_lines_of_page_alone(lines, page, page_own)
    lines, marked_as_struck = _strike(lines, own)
    if struck := [*(page.struck if page else ()), *marked_as_struck]:
        notes.append(mime.Note.of("struck-out", text=mime.to_one_line(" / ".join(struck))))
    if any((unmarked := find_repetition(lines, own, sent, said)).repeats):
        notes.append(mime.Note.of("repeats-sent", lines=str(sum(unmarked.repeats))))
        if any(unmarked.is_known_order):
            counting = [line.text for line in compress(lines, unmarked.is_known_order)]
            notes.append(
                mime.Note.of("repeats-counted", text=mime.to_one_line(" / ".join(counting)))
            )
    own = _remove(own, unmarked.repeats)
    own = _remove(own, find_signature_lines(lines, own, words))
    marked = find_repetition(lines, [not keep for keep in own], sent, said)
    unsent = _remove([not keep for keep in own], marked.repeats)
    if between := list(_find_lines_between(lines, unsent, marked.repeats, letters, words)):
        notes.append(mime.Note.of("between-quoted", text=mime.to_one_line(" / ".join(between))))
    result = OwnText(
        mime.join_lines(lines, own).strip("\n"),
        mime.join_removed_lines(lines, own),
        mime.join_removed_lines(lines, [not keep for keep in unsent]),
        tuple(notes),
    )
    return result.append(OwnText(removed=more, unsent=more))


def _find_lines_between(
    lines: Sequence[mime.Line],
    unsent: Sequence[bool],
    repeats: Sequence[bool],
    letters: Sequence[_SentText],
    words: mime.Vocabulary,
) -> Iterator[str]:
    """Yield sentences that no letter has, between the unmarked lines of a letter or below it: some
    programs (Outlook) mark none of the lines that they quote."""
    first = next(compress(range(len(lines)), repeats), len(lines))
    below = lines[first:]
    stated = [compress(one.words.words, map(not_, one.cited)) for one in letters]
    known = [f" {' '.join(own)} " for own in stated]
    is_letter = find_quotation([*below], words, None).own  # not what that quotes in turn
    for line, is_unsent, is_own in zip(below, unsent[first:], is_letter, strict=True):
        said = _fold_words(line.text)
        is_sentence = len(said) >= _MIN_WORDS and not line.depth and not line.signature
        is_prose = is_sentence and any(is_prose for _, is_prose in _split_line(line.text))
        if is_unsent and is_own and is_prose:
            phrase, is_line = f" {' '.join(said)} ", any(said in one.lines for one in letters)
            if not is_line and not any(phrase in text for text in known):
                yield line.text.strip()


def _strike(lines: Sequence[mime.Line], own: Sequence[bool]) -> tuple[list[mime.Line], list[str]]:
    """Return the lines without the text that their writer struck out with ``~~``, and this text."""
    text = "\n".join(line.text if keep else "" for line, keep in zip(lines, own, strict=True))
    kept = _STRUCK.sub(lambda found: "\n" * found[0].count("\n"), text).split("\n")
    rows = zip(lines, own, kept, strict=True)
    left = [line._replace(text=rest) if is_own else line for line, is_own, rest in rows]
    return left, _STRUCK.findall(text)


def _remove(own: Sequence[bool], removed: Sequence[bool]) -> list[bool]:
    return [keep and not remove for keep, remove in zip(own, removed, strict=True)]


def _choose_lines(
    body: mime.Body, page: Page | None, page_own: Sequence[bool], words: mime.Vocabulary
) -> tuple[list[mime.Line], list[mime.Note]]:
    """Return the lines of the plain text, or those of the page if the plain text says nothing."""
    text = body.plain or ""
    if page and (_is_stub(text, page, words) or _loses_rows(text, page, page_own)):
        return page.lines, [mime.Note.of("html-only")]
    if text.lstrip()[:9].casefold().startswith(("<html", "<!doctype")):
        return read_page(text, words).lines, [mime.Note.of("html-only")]
    return mime.split_lines(mime.unflow(text, delsp=body.delsp) if body.flowed else text), []


def _loses_rows(text: str, page: Page, page_own: Sequence[bool]) -> bool:
    """Tell whether a plain text does not show the columns of a table with the writer's orders: each
    cell is on a line of its own, or only a blank stands between two."""
    rows = [line.text for line in compress(page.lines, page_own)]
    if not (orders := [_fold_words(row) for row in rows if BAR in row and _ORDER_CELL.match(row)]):
        return False
    shown = {_fold_words(line.text) for line in mime.split_lines(text) if _SIGN.search(line.text)}
    return any(row not in shown for row in orders)


def _is_stub(text: str, page: Page, words: mime.Vocabulary) -> bool:
    """Tell whether a plain text is empty or only says that the mail is in HTML."""
    if not text.strip():
        return any(line.text.strip() for line in page.lines)
    phrase = mime.fold_phrase(text[: _MAX_STUB + 1])
    return len(text.strip()) <= _MAX_STUB and any(
        stub in phrase for stub in words.get("stubs", "phrases")
    )


def _find_lines_of_page_alone(
    lines: Sequence[mime.Line], page: Page, page_own: Sequence[bool]
) -> str:
    """Return the lines that a page shows, and its plain text, which was cut or made badly, not."""
    folded = [_fold_words(line.text) for line in lines]
    shown, known = f" {' '.join(chain.from_iterable(folded))} ", frozenset(folded)
    found = []
    for line in compress(page.lines, page_own):
        row = _fold_words(line.text)
        if len(row) >= _MIN_WORDS and row not in known and f" {' '.join(row)} " not in shown:
            found.append(line.text)
    return "\n".join(found[:_MOST_PLACES])


def _find_lines_quoted_in_page(
    lines: Sequence[mime.Line], page: Page, page_own: Sequence[bool]
) -> list[bool]:
    """Tell for each line of a plain text whether its page, which may mark more than the plain text,
    shows it only as quoted or struck out."""
    shown, quoted = (
        [_fold_words(line.text) for line in compress(page.lines, chosen)]
        for chosen in (page_own, [not is_own for is_own in page_own])
    )
    removed = {*quoted, *map(_fold_words, page.struck)}
    shown_words = f" {' '.join(chain.from_iterable(shown))} "  # a program may break lines anew
    return [
        len(folded) >= _MIN_WORDS
        and folded in removed
        and f" {' '.join(folded)} " not in shown_words
        for folded in (_fold_words(line.text) for line in lines)
    ]
