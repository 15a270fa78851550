"""The players' pages of the documents as parts of a site: how to write orders, mail, the rules."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from alexmagnum.board.model import Board
from alexmagnum.site.page_frame import Link

if TYPE_CHECKING:
    from markdown_it.token import Token

_HERE = Path(__file__).resolve().parent
_FOLDERS = (_HERE / "texts", _HERE.parents[1] / "docs")
"""Where the documents are: in the installed package, or in a checkout."""

_LONE_LINK = re.compile(r"(?<=\.)\s\[[^\]]*\]\(([\w.-]+\.md)\)\.")

_GENERAL = ("players-mail",)
_OF_ALEX_MAGNUM = ("players", "players-mail", "rules")


class RuleText(NamedTuple):
    """A document for players: where its page lies, its title, its text as HTML."""

    path: str
    title: str
    html: str


def load_rule_texts(board: Board, lang: str) -> tuple[RuleText, ...]:
    """Return the documents that fit a map, in a language.

    The rules and the players' sheet are those of Alex Magnum; other maps get how to play by mail.
    """
    names = _OF_ALEX_MAGNUM if board.id == "alexmagnum" else _GENERAL
    return tuple(_load(name, names, lang) for name in names)


@cache
def _load(name: str, names: tuple[str, ...], lang: str) -> RuleText:
    """Return a document; links to documents that the site does not have become plain text."""
    from markdown_it import MarkdownIt

    suffix = _suffix(lang)
    pages = {
        f"{other}{suffix}.md": Link(f"text-{other}.html", _title(other, lang)) for other in names
    }
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = reader.parse(_drop_lone_links(_read(name, lang), pages))
    _number_headings(tokens)
    for token in tokens:
        if token.children:
            token.children = list(_adapt_links(token.children, pages))
    html = str(reader.renderer.render(tokens, reader.options, {}))
    return RuleText(f"text-{name}.html", _title(name, lang), _make_accessible(html))


def _suffix(lang: str) -> str:
    return "" if lang == "en" else f".{lang}"


def _read(name: str, lang: str) -> str:
    file = f"{name}{_suffix(lang)}.md"
    path = next(path for folder in _FOLDERS if (path := folder / file).exists())
    return path.read_text(encoding="utf-8")


def _title(name: str, lang: str) -> str:
    """Return the title of a document: its first line."""
    return _read(name, lang).partition("\n")[0].lstrip("# ")


def _drop_lone_links(source: str, pages: Mapping[str, Link]) -> str:
    """Leave out sentences that are only a link to a document that the site does not have."""
    return _LONE_LINK.sub(lambda found: found[0] if found[1] in pages else "", source)


def _make_accessible(html: str) -> str:
    """Let the keyboard scroll what is too wide, and leave out headings that say nothing."""
    for plain, better in (
        ("<table>", '<div class="wide" tabindex="0"><table>'),
        ("</table>", "</table></div>"),
        ("<th></th>", "<td></td>"),
        ("<pre>", '<pre tabindex="0">'),
    ):
        html = html.replace(plain, better)
    return html


def _number_headings(tokens: list[Token]) -> None:
    """Give every heading the id that links name, as GitHub makes it."""
    for heading, inline in pairwise(tokens):
        if heading.type == "heading_open":
            words = re.sub(r"[^\w\s-]", "", inline.content.lower()).strip()
            heading.attrSet("id", re.sub(r"\s", "-", words))


def _adapt_links(tokens: list[Token], pages: Mapping[str, Link]) -> Iterator[Token]:
    """Yield the parts of a line without pictures; links lead to pages of the site, or nowhere.

    A link that shows the name of a file shows the title of its page.
    """
    kept = True
    for token in tokens:
        if token.type == "image":
            continue
        if token.type == "link_open":
            target, _, part = str(token.attrGet("href")).partition("#")
            kept = target in pages or not target
            page = pages.get(target, Link("", ""))
            token.attrSet("href", page.path + (f"#{part}" if part else ""))
        if token.type in ("link_open", "link_close") and not kept:
            kept = token.type == "link_close"
            continue
        if token.content in pages:
            token.content = pages[token.content].label
        yield token
