"""Reports as they are mailed, and the changes that mail programs make to them."""

import quopri
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from functools import cache

from alexmagnum.cases.schema import canonical
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.mail.composition import compose_page
from alexmagnum.position import Position
from alexmagnum.report.context import filter_context
from alexmagnum.report.formats import FORMATS, render_report
from alexmagnum.report.phase_report import compose_phase_report
from tests.report import phase_contexts


@cache
def open_position(name: str) -> Position | None:
    """Return the position for which a report of :data:`phase_contexts.ALL` asks for orders."""
    context = phase_contexts.ALL[name]()
    return context.position if context.outcome is None else context.following


GOING_ON = tuple(name for name in phase_contexts.ALL if open_position(name) is not None)
"""The reports after which the game goes on: all kinds of phase."""


@cache
def report(name: str, form: str, lang: str = "en") -> str:
    """Return a report in a format; "mail" is the light page in a mail."""
    sentences = load_sentences(lang)
    season = compose_phase_report(filter_context(phase_contexts.ALL[name](), None), sentences)
    if form == "mail":
        return compose_page(["Hello."], sentences, title=season.phase, season=season)
    return render_report(season, form)


FORMS = (*FORMATS, "mail")


def same(position: Position, other: Position) -> bool:
    """Tell whether two positions and their maps are equal."""
    one, two = canonical(position), canonical(other)
    boards = all(
        getattr(one.board, field.name) == getattr(two.board, field.name)
        for field in fields(one.board)
    )
    return boards and replace(one, board=two.board) == two


def _each_line(change: Callable[[str], str]) -> Callable[[str], str]:
    return lambda text: "\n".join(map(change, text.split("\n")))


def _wrapped(text: str, width: int = 60) -> str:
    return "\n".join(
        piece for line in text.split("\n") for piece in textwrap.wrap(line, width) or [""]
    )


def _wrapped_by_quoting(text: str) -> str:
    """Wrap quoted lines as Outlook Express does: the rest of a long line has no quote mark."""
    return _wrapped(_each_line(lambda line: "> " + line)(text))


def _written_between(text: str) -> str:
    """Quote a text and put an answer in the middle of its position."""
    head, key, rest = _each_line(lambda line: "> " + line)(text).rpartition("> centers:")
    return f"{head}\nShould we not take this: [A MEN]?\n\n{key}{rest}"


MANGLERS: Mapping[str, Callable[[str], str]] = {
    "as it is": lambda text: text,
    "quoted": _each_line(lambda line: "> " + line),
    "quoted five times": _each_line(lambda line: ">> > >>" + line),
    "quoted with a bar": _each_line(lambda line: " | " + line),
    "set in": _each_line(lambda line: "        " + line),
    "set in with tabs": _each_line(lambda line: "\t" + line),
    "without what sets in": _each_line(str.strip),
    "windows lines": lambda text: text.replace("\n", "\r\n"),
    "old Macintosh lines": lambda text: text.replace("\n", "\r"),
    "wrapped": _wrapped,
    "wrapped narrowly": lambda text: _wrapped(text, 34),
    "quoted, then wrapped": _wrapped_by_quoting,
    "wrapped, then quoted twice": lambda text: MANGLERS["quoted"](_wrapped_by_quoting(text)),
    "no-break spaces": lambda text: text.replace(" ", "\N{NO-BREAK SPACE}"),
    "double-spaced": lambda text: text.replace("\n", "\n\n"),
    "typographic quotation marks": lambda text: text.replace('"', "”"),
    "dashes for list signs": lambda text: text.replace("  - {", "  – {"),
    "zero-width spaces": lambda text: text.replace(": [", ":\u200b [\u200b"),
    "escaped as Markdown": lambda text: text.replace("_", "\\_").replace("[", "\\["),
    "the source of a mail": lambda text: quopri.encodestring(text.encode()).decode(),
    "all on one line": lambda text: " ".join(text.split()),
    "with text around": lambda text: f"Dear all,\nphase: over! see below.\n{text}\n-- \nAnna",
    "answered in between": _written_between,
}
"""The changes to a plain text by mail programs, by description."""


def as_page(text: str) -> Iterator[tuple[str, str]]:
    """Yield a text as HTML editors write it, each with a description."""
    from html import escape

    lines = [escape(line) for line in text.split("\n")]
    yield "a break to a line", "<div dir=ltr>" + "<br>\n".join(lines) + "</div>"
    yield (
        "a paragraph to a line",
        "".join(f'<p class="MsoNormal">{x or "&nbsp;"}</p>' for x in lines),
    )
    yield "a block to a line", "".join(f"<div>{x or '<br>'}</div>" for x in lines)
    quoted = '<blockquote class="gmail_quote"><pre>' + "\n".join(lines) + "</pre></blockquote>"
    yield "quoted", f'<div>see below</div><div class="gmail_quote">{quoted}</div>'
    hard = [line.replace(" ", "&nbsp;") for line in lines]
    yield "hard blanks", "<html><body>" + "<br>".join(hard) + "</body></html>"
    spans = [f"<span style='font-family:Consolas'>{line}<o:p></o:p></span>" for line in lines]
    yield "spans of Word", "".join(f"<p class=MsoPlainText>{line}</p>" for line in spans)
