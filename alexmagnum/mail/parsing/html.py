"""From a page of HTML to lines, in one pass and in time that grows with the page alone.

Mail brings pages that no browser would like and some that are made to keep a parser busy.
Parsers that build a tree, and the standard library's, take minutes for some pages of a few
hundred kilobytes; here no tree is needed, only which elements are open.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from alexmagnum.mail.parsing.decoding import clean
from alexmagnum.mail.parsing.lines import Line, plain_lines
from alexmagnum.mail.parsing.vocabulary import Vocabulary

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
_UNREAD_NAMES = "head object noscript script select style svg template textarea title"
_BLOCKS, _VOID, _UNREAD = (
    frozenset(names.split()) for names in (_BLOCK_NAMES, _VOID_NAMES, _UNREAD_NAMES)
)
_RAW = frozenset({"script", "style", "title", "textarea"})
_CLOSED_BY_NEXT = frozenset({"dd", "dt", "li", "p", "td", "th", "tr"})
_STRUCK = frozenset({"del", "s", "strike"})

_HIDDEN = re.compile(
    r"display:none|visibility:hidden|mso-hide:all|(?:font-size|opacity|max-height):0(?:px|pt|em|%)?(?:;|!|$)"
)
_INDENTED = re.compile(r"border:(?:none|0)|border-width:0")
_SYMBOLS = str.maketrans("àèð", "→→→")
"""What the letters are in Wingdings, which Outlook sets for an arrow that was typed."""


class _State(NamedTuple):
    """What holds for the text inside an element."""

    quoted: bool = False
    hidden: bool = False
    struck: bool = False
    signature: bool = False
    pre: bool = False
    symbols: bool = False


class Page(NamedTuple):
    """The lines of a page, and what is struck out in it."""

    lines: list[Line]
    struck: tuple[str, ...]


def page_lines(source: str, words: Vocabulary) -> Page:
    """The lines that a page shows; those of quoted elements are one deeper."""
    reader = _Reader(words)
    for event in _events(source):
        if isinstance(event, str):
            reader.text(event)
        elif event["end"]:
            reader.close(event["name"].casefold())
        else:
            reader.open(event["name"].casefold(), event["attributes"])
    return reader.page()


def _events(source: str) -> Iterator[str | re.Match[str]]:
    """The tags and the texts between them; comments and unread elements are passed over."""
    lowered = source.lower() if source.isascii() else _lowered(source)
    start = at = 0
    while (at := source.find("<", at)) >= 0:
        tag = _TAG.match(source, at)
        if tag is None and not source.startswith(("<!", "<?"), at):
            at += 1  # a sign that somebody typed
            continue
        yield source[start:at]
        if tag is None:
            close = "-->" if source.startswith("<!--", at) else ">"
        else:
            yield tag
            at = tag.end()
            name = tag["name"].casefold()
            close = "" if tag["end"] or name not in _RAW else f"</{name}"
        if close:
            end = lowered.find(close, at)
            if end < 0:
                return
            at = end if tag else end + len(close)
        start = at
    yield source[start:]


def _lowered(source: str) -> str:
    """Lower case, letter for letter, so that positions stay."""
    return "".join(c.lower() if c.isascii() else c for c in source)


class _Reader:
    """Collects lines while elements open and close."""

    def __init__(self, words: Vocabulary) -> None:
        self.marks = words.clients
        self.stack: list[tuple[str, _State]] = [("", _State())]
        self.opened: Counter[str] = Counter()
        self.below = False
        self.lines: list[Line] = []
        self.pieces: list[str] = []
        self.struck: list[str] = []

    # -- events --------------------------------------------------------------------------------

    def text(self, text: str) -> None:
        state = self.stack[-1][1]
        if state.hidden or not text:
            return
        text = html.unescape(text)
        if state.symbols:
            text = text.translate(_SYMBOLS)
        if state.struck:
            self.struck.append(text)
        elif state.pre:
            head, *rest = text.split("\n")
            self.pieces.append(head)
            for line in rest:
                self.break_line()
                self.pieces.append(line)
        else:
            self.pieces.append(re.sub(r"[ \t\r\n\f]+", " ", text))

    def open(self, name: str, source: str) -> None:
        if name == "br":
            self.break_line()
            return
        if name in _BLOCKS or name == "hr":
            self.end_line()
        elif name in ("td", "th"):
            self.pieces.append(" ")
        if name in _CLOSED_BY_NEXT and self.stack[-1][0] == name:
            self.close(name)
        attributes = _attributes(source) if source.strip(" /") else {}
        state = self._state(name, attributes)
        if state[:4] != self.stack[-1][1][:4]:
            self._turn(state)
        if name not in _VOID and not source.rstrip().endswith("/"):
            self.stack.append((name, state))
            self.opened[name] += 1

    def close(self, name: str) -> None:
        if name in _BLOCKS:
            self.end_line()
        if not self.opened[name]:
            return
        while True:
            closed, state = self.stack[-1]
            if state[:4] != self.stack[-2][1][:4]:
                self._turn(state)
            self.stack.pop()
            self.opened[closed] -= 1
            if closed == name:
                return

    # -- lines ---------------------------------------------------------------------------------

    def _turn(self, state: _State) -> None:
        """End the line where a quotation or a signature begins or ends."""
        if state.quoted or state.signature:
            self.end_line()

    def end_line(self) -> None:
        """End the line if there is one."""
        if "".join(self.pieces).strip():
            self.break_line()

    def break_line(self) -> None:
        """End the line, blank or not; nothing hidden ends one."""
        state = self.stack[-1][1]
        if state.hidden:
            return
        text = clean("".join(self.pieces)).replace("\n", " ").strip()
        self.pieces.clear()
        line = plain_lines(text)[0]
        depth = line.depth + (state.quoted or self.below)
        self.lines.append(Line(line.text, depth, state.signature))

    def page(self) -> Page:
        self.end_line()
        return Page(self.lines, tuple(filter(None, (clean(t).strip() for t in self.struck))))

    # -- what elements mean --------------------------------------------------------------------

    def _state(self, name: str, attributes: Mapping[str, str]) -> _State:
        before = self.stack[-1][1]
        style = re.sub(r"\s", "", attributes.get("style", "")).casefold()
        names = f"{attributes.get('class', '')} {attributes.get('id', '')}".casefold().split()
        if self._marked("cuts", names):
            self.end_line()
            self.below = True
        quote = name == "blockquote" and not _is_indent(style, attributes)
        font = style if "font-family" in style else attributes.get("face", "").casefold()
        return _State(
            before.quoted or quote or self._marked("quotes", names),
            before.hidden
            or name in _UNREAD
            or "hidden" in attributes
            or bool(style and _HIDDEN.search(style)),
            before.struck or name in _STRUCK or "text-decoration:line-through" in style,
            before.signature or self._marked("signatures", names),
            before.pre or name == "pre" or "white-space:pre" in style,
            "wingdings" in font or (before.symbols and not font),
        )

    def _marked(self, kind: str, names: list[str]) -> bool:
        return any(name.endswith(mark) for name in names for mark in self.marks[kind])


def _attributes(source: str) -> dict[str, str]:
    """The attributes that matter; an attribute without a value has ""."""
    return {
        match[1].casefold(): html.unescape(match[2] or match[3] or match[4] or "")
        for match in _ATTRIBUTE.finditer(source)
    }


def _is_indent(style: str, attributes: Mapping[str, str]) -> bool:
    """Is a ``blockquote`` no more than text set in, as editors do it at a button?"""
    return bool(_INDENTED.search(style)) and not {"class", "type"} & attributes.keys()
