"""Reading of HTML into lines, in one pass and in time that grows only with the size of the page.

Mail contains HTML that no browser would accept, and some that is made to keep a parser busy: tree
parsers, and the standard library's, take minutes for some pages of a few hundred kilobytes. No tree
is needed here, only which elements are open.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from alexmagnum.game.settings import lower_ascii
from alexmagnum.mail.parsing.mime import MAX_LINES, Line, Vocabulary, clean_text, split_lines

_TAG = re.compile(
    r"<(?P<end>/?)(?P<name>[a-z][a-z0-9:_-]{0,40})"
    r"(?P<attributes>(?:[^<>\"']|\"[^\"]{0,4000}\"|'[^']{0,4000}')*+)>",
    re.IGNORECASE,
)
_ATTRIBUTE = re.compile(
    r"(class|id|style|type|face|hidden)\b(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+)))?",
    re.IGNORECASE,
)
_BLOCK_NAMES = """address article aside blockquote body center dd div dl dt fieldset figure footer
form h1 h2 h3 h4 h5 h6 header html li main nav ol p pre section table tbody tfoot thead tr ul"""
_VOID_NAMES = "area base br col embed hr img input link meta source track wbr"
_HIDDEN_NAMES = "head object noscript script select style svg template textarea title"
_BLOCKS = frozenset(_BLOCK_NAMES.split())
_VOID = frozenset(_VOID_NAMES.split())
_HIDDEN_ELEMENTS = frozenset(_HIDDEN_NAMES.split())
_RAW = frozenset({"script", "style", "title", "textarea"})
"""Elements whose content is no HTML, up to their end tag."""

_CLOSED_BY_NEXT = frozenset({"dd", "dt", "li", "p", "td", "th", "tr"})
_STRUCK = frozenset({"del", "s", "strike"})
_STRUCK_STYLE = re.compile("text-decoration(?:-line)?:[^;]*line-through")

BAR = " | "
"""Between the cells of a row on one line."""

_LONGEST_CELL = 60  # the most characters of a cell of data; longer cells hold sentences
_MOST_CELLS = 8  # the most cells with text of a row of data

_HIDDEN_STYLE = re.compile(
    r"display:none|visibility:hidden|mso-hide:all|(?:font-size|opacity|max-height):0(?:px|pt|em|%)?(?:;|!|$)"
)
_INDENT_STYLE = re.compile(r"border:(?:none|0)|border-width:0")
_LONG_NUMBER = re.compile(r"&(?=#[0-9]{20})")
"""The beginning of a number that is no character's, and may be too long for Python."""

_WINGDINGS = str.maketrans("àèð", "→→→")
"""Outlook turns a typed arrow into one of these letters in the font Wingdings."""


class _State(NamedTuple):
    """The way the text inside an element is read."""

    quoted: bool = False
    hidden: bool = False
    struck: bool = False
    signature: bool = False
    preformatted: bool = False
    wingdings: bool = False

    def needs_line_break(self, other: _State) -> bool:
        return self[:4] != other[:4]


class _Row:
    """A row of a table while it is read: the lines of each cell, and what forbids one line."""

    def __init__(self, start: int) -> None:
        self.starts = [start]
        self.has_table = False

    def cells(self, lines: Sequence[Line]) -> list[list[Line]]:
        """Return the lines of each cell; ``lines`` are all lines of the page so far."""
        ends = [*self.starts[1:], len(lines)]
        cells = [lines[start:end] for start, end in zip(self.starts, ends, strict=True)]
        return [[line for line in cell if line.text.strip()] for cell in cells]


class Page(NamedTuple):
    """The lines of a page, and the texts that are struck out in it."""

    lines: list[Line]
    struck: tuple[str, ...]


def read_page(source: str, words: Vocabulary) -> Page:
    """Return the lines that a page shows; lines of quoted elements are one deeper."""
    reader = _PageReader(words)
    for event in _split_tags(source):
        if isinstance(event, str):
            reader.add_text(event)
        elif event["end"]:
            reader.close_element(event["name"].casefold())
        else:
            reader.open_element(event["name"].casefold(), event["attributes"])
    return reader.finish()


def _split_tags(source: str) -> Iterator[str | re.Match[str]]:
    """Yield tags and the texts between them, without comments and without raw elements' text."""
    lowered = lower_ascii(source)  # letter for letter: positions stay the same
    start = at = 0
    while (at := source.find("<", at)) >= 0:
        if (tag := _TAG.match(source, at)) is None and not source.startswith(("<!", "<?"), at):
            at += 1  # somebody typed this sign
            continue
        yield source[start:at]
        if tag is not None:
            yield tag
        if (end := _find_end(lowered, at, tag)) < 0:
            return
        start = at = end
    yield source[start:]


def _find_end(lowered: str, at: int, tag: re.Match[str] | None) -> int:
    """Return where text goes on after a tag or comment at a place; -1 if it never ends."""
    if tag is None:
        close = "-->" if lowered.startswith("<!--", at) else ">"
        end = lowered.find(close, at)
        return end + len(close) if end >= 0 else -1
    name = tag["name"].casefold()
    return tag.end() if tag["end"] or name not in _RAW else lowered.find(f"</{name}", tag.end())


class _PageReader:
    """Collects lines while elements open and close."""

    def __init__(self, words: Vocabulary) -> None:
        self.client_marks = words.clients
        self.stack: list[tuple[str, _State]] = [("", _State())]
        self.open_counts: Counter[str] = Counter()
        self.below_cut = False
        self.lines: list[Line] = []
        self.pieces: list[str] = []
        self.rows: list[_Row | None] = []
        self.struck: list[str] = []

    # -- events --------------------------------------------------------------------------------

    def add_text(self, text: str) -> None:
        if (state := self.stack[-1][1]).hidden or not text:
            return
        text = _unescape(text)
        if state.wingdings:
            text = text.translate(_WINGDINGS)
        if state.struck:
            self.struck.append(text)
        elif state.preformatted:
            first, *others = text.split("\n")
            self._add_piece(first)
            for line in others:
                self.break_line()
                self._add_piece(line)
        else:
            self._add_piece(re.sub(r"[ \t\r\n\f]+", " ", text))

    def _add_piece(self, text: str) -> None:
        """Add a piece of a line, whose first one is not blank."""
        if self.pieces or text.strip():
            self.pieces.append(text)

    def open_element(self, name: str, source: str) -> None:
        if name == "br":
            self.break_line()
            return
        if name in _BLOCKS or name == "hr":
            self.end_line()
        self._open_table_part(name)
        if name in _CLOSED_BY_NEXT and self.stack[-1][0] == name:
            self.close_element(name)
        attributes = {  # that matter; one without a value has ""
            found[1].casefold(): _unescape(found[2] or found[3] or found[4] or "")
            for found in _ATTRIBUTE.finditer(source)
        }
        if (state := self._find_state(name, attributes)).needs_line_break(self.stack[-1][1]):
            self._end_line_at_border(state)
        if name not in _VOID and not source.rstrip().endswith("/"):
            self.stack.append((name, state))
            self.open_counts[name] += 1

    def close_element(self, name: str) -> None:
        """End an element, and those inside it that were left open."""
        if name in _BLOCKS:
            self.end_line()
        self._close_table_part(name)
        if not self.open_counts[name]:
            return
        while True:
            closed, state = self.stack[-1]
            if state.needs_line_break(self.stack[-2][1]):
                self._end_line_at_border(state)
            self.stack.pop()
            self.open_counts[closed] -= 1
            if closed == name:
                return

    # -- tables ----------------------------------------------------------------------------------

    def _open_table_part(self, name: str) -> None:
        if name == "table":
            if self.rows and self.rows[-1]:
                self.rows[-1].has_table = True
            self.rows.append(None)
        elif name == "tr":
            self._end_row()
            self._begin_row()
        elif name in ("td", "th") and not self.rows:
            self._add_piece(" ")
        elif name in ("td", "th"):
            self.end_line()
            if row := self.rows[-1]:
                row.starts.append(len(self.lines))
            else:
                self._begin_row()

    def _close_table_part(self, name: str) -> None:
        if name == "tr":
            self._end_row()
        elif name == "table" and self.rows:
            self._end_row()
            self.rows.pop()

    def _begin_row(self) -> None:
        if self.rows:
            self.rows[-1] = _Row(len(self.lines))

    def _end_row(self) -> None:
        """Put the cells of a row on one line, unless a cell has several lines or a table."""
        if (row := self.rows[-1] if self.rows else None) is None:
            return
        self.end_line()
        self.rows[-1] = None
        if row.has_table:
            return  # its lines, which may be many, are not looked at again for each table around it
        cells = row.cells(self.lines)
        filled = [cell[0] for cell in cells if cell]
        if len(filled) < 2 or any(len(cell) > 1 for cell in cells):
            return
        if len({line[1:] for line in filled}) > 1:
            return  # some are quoted, or a signature
        texts = [line.text for line in filled]
        self.lines[row.starts[0] :] = [filled[0]._replace(text=join_cells(texts))]

    # -- lines ---------------------------------------------------------------------------------

    def _end_line_at_border(self, state: _State) -> None:
        if state.quoted or state.signature:
            self.end_line()

    def end_line(self) -> None:
        if self.pieces:
            self.break_line()

    def break_line(self) -> None:
        """End the line, blank or not; hidden elements end no line.

        One line more than are read is kept, so that a reader sees that there were more.
        """
        if (state := self.stack[-1][1]).hidden:
            return
        pieces, self.pieces = self.pieces, []
        if len(self.lines) > MAX_LINES:
            return
        line = split_lines(clean_text("".join(pieces)).replace("\n", " ").strip())[0]
        depth = line.depth + (state.quoted or self.below_cut)
        self.lines.append(Line(line.text, depth, state.signature))

    def finish(self) -> Page:
        self.end_line()
        while self.rows:
            self._end_row()
            self.rows.pop()
        struck = (clean_text(text).strip() for text in self.struck)
        return Page(self.lines, tuple(filter(None, struck)))

    # -- what elements mean --------------------------------------------------------------------

    def _find_state(self, name: str, attributes: Mapping[str, str]) -> _State:
        """Return how text in a new element is read; marks of mail programs may end a line."""
        outer = self.stack[-1][1]
        style = re.sub(r"\s", "", attributes.get("style", "")).casefold()
        marks = f"{attributes.get('class', '')} {attributes.get('id', '')}".casefold().split()
        # Editors make indented text with a button.
        is_indent = bool(_INDENT_STYLE.search(style)) and not {"class", "type"} & attributes.keys()
        if self._has_mark("cuts", marks):
            self.end_line()
            self.below_cut = True
        return _State(
            quoted=outer.quoted
            or (name == "blockquote" and not is_indent)
            or self._has_mark("quotes", marks),
            hidden=outer.hidden or _is_hidden(name, style, attributes),
            struck=outer.struck or name in _STRUCK or bool(_STRUCK_STYLE.search(style)),
            signature=outer.signature or self._has_mark("signatures", marks),
            preformatted=outer.preformatted or name == "pre" or "white-space:pre" in style,
            wingdings=_has_wingdings(outer, style, attributes),
        )

    def _has_mark(self, kind: str, marks: list[str]) -> bool:
        return any(name.endswith(mark) for name in marks for mark in self.client_marks[kind])


def join_cells(texts: Sequence[str]) -> str:
    """Return the cells of a row on one line, with a bar between them if they are short.

    >>> join_cells(["A MEN", "TEB"]), join_cells(["From:", "Anna"])
    ('A MEN | TEB', 'From: Anna')
    """
    is_data = all(len(text) <= _LONGEST_CELL and not text.endswith(":") for text in texts)
    return (BAR if is_data and len(texts) <= _MOST_CELLS else " ").join(texts)


def _unescape(text: str) -> str:
    return html.unescape(_LONG_NUMBER.sub("&amp;", text))


def _is_hidden(name: str, style: str, attributes: Mapping[str, str]) -> bool:
    if name in _HIDDEN_ELEMENTS or "hidden" in attributes:
        return True
    return bool(style and _HIDDEN_STYLE.search(style))


def _has_wingdings(outer: _State, style: str, attributes: Mapping[str, str]) -> bool:
    font = style if "font-family" in style else attributes.get("face", "").casefold()
    return "wingdings" in font or (outer.wingdings and not font)
