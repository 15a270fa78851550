"""A report laid out: text, HTML, Markdown or JSON, from the document alone."""

from __future__ import annotations

import hashlib
import json
import re
from base64 import b64encode
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from alexmagnum.draw.fonts import font_faces_css
from alexmagnum.i18n.sentences import Sentences, load_sentences
from alexmagnum.report.chart import draw_chart
from alexmagnum.report.document import Body, Cell, Code, Items, Orders, PhaseReport, Prose, Table
from alexmagnum.report.map_pictures import MapPictures, PageMap
from alexmagnum.report.phase_context import PhaseContext
from alexmagnum.report.phase_report import compose_phase_report
from alexmagnum.report.views import filter_context
from alexmagnum.report.wrapping import join_unit_names, wrap_text

FORMATS = {"text": "txt", "html": "html", "md": "md", "json": "json"}
"""Every format with the ending of its files."""

WIDEST = 100
"""Columns of a table in the text format; one that needs more is written row below row."""


def format_report(
    context: PhaseContext,
    recipient: str | None,
    form: str,
    sentences: Sentences,
    *,
    opened: bool = False,
    pictures: bool = True,
) -> str:
    """The report of a phase for one reader in one format; see :func:`report.views.filter_context`.

    ``pictures``: a page has the map in it.

    Raises:
        KeyError: there is no such format, or the recipient is no power.
    """
    shown = filter_context(context, recipient, opened=opened)
    page_map = MapPictures().page(shown, sentences) if form == "html" and pictures else None
    return render_report(compose_phase_report(shown, sentences), form, page_map)


def format_report_in_all(
    context: PhaseContext,
    recipient: str | None,
    sentences: Sentences,
    maps: MapPictures | None,
    *,
    opened: bool = False,
    forms: Collection[str] = tuple(FORMATS),
) -> Mapping[str, str]:
    """Return the report for one reader by format, in all ``forms``; it is put into words once.

    ``maps`` draws the map of the page, and keeps it for the readers that follow; without it the
    page has no map.
    """
    shown = filter_context(context, recipient, opened=opened)
    season = compose_phase_report(shown, sentences)
    page_map = maps.page(shown, sentences) if maps and "html" in forms else None
    return {form: render_report(season, form, page_map) for form in forms}


def render_report(season: PhaseReport, form: str, page_map: PageMap | None = None) -> str:
    """A report in a format of :data:`FORMATS`; a page has the picture in it.  It ends with a line
    end.

    Raises:
        KeyError: there is no such format.
    """
    ending = FORMATS[form]
    if form == "json":
        return json.dumps(report_as_data(season), ensure_ascii=False, indent=2) + "\n"
    template = _templates(form).get_template(f"season.{ending}.j2")
    sentence = load_sentences(season.lang).format
    looks = _page_looks() if form == "html" else {}
    return (
        template.render(season=season, sentence=sentence, page_map=page_map, **looks).strip("\n")
        + "\n"
    )


@cache
def _page_looks() -> Mapping[str, str]:
    """The letters of a page and its script; ``digest`` lets that one run, and no other."""
    loader = _templates("html").loader
    assert loader is not None
    script = loader.get_source(_templates("html"), "page.js")[0]
    digest = b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
    return {
        "fonts": Markup(font_faces_css()),
        "script": Markup(script),
        "digest": f"sha256-{digest}",
    }


@cache
def _templates(form: str) -> Environment:
    """The templates; only a page escapes by itself, Markdown does it text by text."""
    environment = Environment(
        loader=PackageLoader("alexmagnum.report"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=form == "html",
    )
    environment.filters.update(
        kind=body_kind,
        wrapped=wrap_text,
        columns=format_table,
        md=escape_markdown,
        fenced=fence_text,
        kept=join_unit_names,
    )
    environment.filters["drawn"] = draw_chart
    return environment


def body_kind(body: Body) -> str:
    """The kind of a body, for the templates: ``prose``, ``items``, ``table``..."""
    return type(body).__name__.lower()


# -- plain text ---------------------------------------------------------------------------------


def format_table(table: Table) -> list[str]:
    """A table as lines with its heads, each column as wide as it has to be; or row below row."""
    rows = [[column.label for column in table.columns]]
    rows += [[cell.text for cell in row] for row in table.rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    numbers = [column.number for column in table.columns]
    if sum(widths) + 2 * len(widths) > WIDEST:
        return [line for row in table.rows for line in _stacked(table, row)]
    return [_row(row, widths, numbers) for row in rows]


def _stacked(table: Table, row: Sequence[Cell]) -> Iterator[str]:
    """A row as lines: its heading, then each cell that says something behind its column's."""
    yield row[0].text
    for column, cell in list(zip(table.columns, row, strict=True))[1:]:
        if cell.text:
            yield from wrap_text(f"{column.label}: {cell.text}", "  ", "    ").splitlines()


def _row(cells: list[str], widths: list[int], numbers: list[bool]) -> str:
    padded = [
        cell.rjust(width) if number else cell.ljust(width)
        for cell, width, number in zip(cells, widths, numbers, strict=True)
    ]
    return "  ".join(padded).rstrip()


# -- Markdown -----------------------------------------------------------------------------------

_MARKED = re.compile(r"([\\`*_\[\]|~])")
_AT_START = re.compile(r"^(\s*)([#+=>-]|\d+(?=[.)]))", re.MULTILINE)


def escape_markdown(text: str) -> str:
    """A text in which nothing is taken for a mark of Markdown or a tag of HTML."""
    safe = _MARKED.sub(r"\\\1", text.replace("&", "&amp;").replace("<", "&lt;"))
    return _AT_START.sub(_escaped_start, safe)


def _escaped_start(match: re.Match[str]) -> str:
    """A number keeps its digits: what makes a list of it is the dot behind."""
    blank, mark = match.groups()
    return f"{blank}{mark}\\" if mark.isdigit() else f"{blank}\\{mark}"


def fence_text(text: str) -> str:
    """A text between fences longer than any in it."""
    longest = max(map(len, re.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}yaml\n{text.rstrip()}\n{fence}"


# -- for machines -------------------------------------------------------------------------------


def report_as_data(season: PhaseReport) -> Mapping[str, object]:
    """The report as data: the head, the facts by key, then the parts by key.

    Powers, centres, phases and instants stand as their ids and ISO texts; sentences in the
    report's language.
    """
    return {
        "game": season.game,
        "map": season.title,
        "phase": season.code,
        "phase_name": season.phase,
        "version": season.version,
        "lang": season.lang,
        "recipient": season.recipient,
        **{fact.key: fact.value for fact in season.facts if fact.key in ("next", "deadline")},
        "sections": {
            section.key: _section_data(section.title, section.note, section.body)
            for section in season.sections
        },
    }


def _section_data(title: str, note: str, body: Body) -> Mapping[str, object]:
    noted = {"note": note} if note else {}
    return {"title": title, **noted, "content": _body_data(body)}


def _body_data(body: Body) -> Any:
    match body:
        case Prose(texts) | Items(texts):
            return list(texts)
        case Code(text):
            return text
        case Table(columns, rows):
            return [
                {
                    column.key: cell.text if cell.value is None else cell.value
                    for column, cell in zip(columns, row, strict=True)
                }
                for row in rows
            ]
        case Orders(groups):
            return [
                {
                    "power": group.power,
                    "name": group.name,
                    "orders": [
                        {"order": line.order, "result": line.result, "why": line.why}
                        for line in group.lines
                    ],
                    "units": list(group.after),
                }
                for group in groups
            ]
