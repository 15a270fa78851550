"""Lay out a report as text, HTML, Markdown or JSON, from its document alone."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from alexmagnum.draw.fonts import font_faces_css
from alexmagnum.i18n.sentences import Sentences, load_sentences
from alexmagnum.report.document import Body, Cell, Code, Items, Orders, PhaseReport, Prose, Table
from alexmagnum.report.document_templates import load_document_templates
from alexmagnum.report.map_pictures import MapPictures, PageMap
from alexmagnum.report.markdown import fence_text
from alexmagnum.report.page_scripts import Script, load_script
from alexmagnum.report.phase_context import PhaseContext
from alexmagnum.report.phase_report import compose_phase_report
from alexmagnum.report.views import filter_context
from alexmagnum.report.wrapping import wrap_text

if TYPE_CHECKING:
    from jinja2 import Environment

FORMATS = {"text": "txt", "html": "html", "md": "md", "json": "json"}
"""The ending of the files of each format."""

WIDEST = 100
"""The widest table in the text format; the rows of a wider one are written below each other."""


def format_report(
    context: PhaseContext,
    recipient: str | None,
    form: str,
    sentences: Sentences,
    *,
    opened: bool = False,
    pictures: bool = True,
) -> str:
    """Return the report of a phase for one reader in one format.

    ``opened`` is that of :func:`alexmagnum.report.views.filter_context`.  With ``pictures`` a page
    contains the map.

    Raises:
        KeyError: there is no such format, or the recipient is not a power.
    """
    seen = filter_context(context, recipient, opened=opened)
    page_map = MapPictures().page(seen, sentences) if form == "html" and pictures else None
    return render_report(compose_phase_report(seen, sentences), form, page_map)


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
    seen = filter_context(context, recipient, opened=opened)
    report = compose_phase_report(seen, sentences)
    page_map = maps.page(seen, sentences) if maps and "html" in forms else None
    return {form: render_report(report, form, page_map) for form in forms}


def render_report(report: PhaseReport, form: str, page_map: PageMap | None = None) -> str:
    """Return a report in a format of :data:`FORMATS`; it ends with a line end.

    A page contains the map, if there is one.

    Raises:
        KeyError: there is no such format.
    """
    ending = FORMATS[form]
    if form == "json":
        return json.dumps(report_as_data(report), ensure_ascii=False, indent=2) + "\n"
    template = _templates(form).get_template(f"phase_report.{ending}.j2")
    sentence = load_sentences(report.lang).format
    assets = _page_assets() if form == "html" else {}
    return (
        template.render(report=report, sentence=sentence, page_map=page_map, **assets).strip("\n")
        + "\n"
    )


@cache
def _page_assets() -> Mapping[str, str | Script]:
    """Return the fonts of a page and its script."""
    return {
        "fonts": Markup(font_faces_css()),
        "script": load_script("panzoom.js", "page.js"),
    }


def _templates(form: str) -> Environment:
    """Return the templates of a format."""
    return load_document_templates(
        escape=form == "html", fence=fence_text, table_lines=format_table, wrap=wrap_text
    )


# -- plain text ---------------------------------------------------------------------------------


def format_table(table: Table) -> list[str]:
    """Return a table as lines, each column as wide as necessary, or else its rows one by one."""
    rows = [[column.label for column in table.columns]]
    rows += [[cell.text for cell in row] for row in table.rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    numbers = [column.number for column in table.columns]
    if sum(widths) + 2 * len(widths) > WIDEST:
        return [line for row in table.rows for line in _row_lines(table, row)]
    return [_pad_row(row, widths, numbers) for row in rows]


def _row_lines(table: Table, row: Sequence[Cell]) -> Iterator[str]:
    """Yield a row as lines: its heading, then each cell that is not empty, behind its column."""
    yield row[0].text
    for column, cell in list(zip(table.columns, row, strict=True))[1:]:
        if cell.text:
            yield from wrap_text(f"{column.label}: {cell.text}", "  ", "    ").splitlines()


def _pad_row(cells: list[str], widths: list[int], numbers: list[bool]) -> str:
    """Return a row with its cells padded to some widths, figures to the right."""
    padded = [
        cell.rjust(width) if number else cell.ljust(width)
        for cell, width, number in zip(cells, widths, numbers, strict=True)
    ]
    return "  ".join(padded).rstrip()


# -- for machines -------------------------------------------------------------------------------


def report_as_data(report: PhaseReport) -> Mapping[str, object]:
    """Return a report for programs: the head, the facts by key, then the sections by key.

    Powers, centres and phases are ids, instants are ISO texts; sentences are in the language of the
    report.
    """
    return {
        "game": report.game,
        "map": report.title,
        "phase": report.code,
        "phase_name": report.phase,
        "version": report.version,
        "lang": report.lang,
        "recipient": report.recipient,
        **{fact.key: fact.value for fact in report.facts if fact.key in ("next", "deadline")},
        "sections": {
            section.key: _section_data(section.title, section.note, section.body)
            for section in report.sections
        },
    }


def _section_data(title: str, note: str, body: Body) -> Mapping[str, object]:
    """Return a section for programs."""
    noted = {"note": note} if note else {}
    return {"title": title, **noted, "content": _body_data(body)}


def _body_data(body: Body) -> Any:
    """Return the content of a section for programs."""
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
                    **({"bot": group.bot} if group.bot else {}),
                    "orders": [
                        {"order": line.order, "result": line.result, "why": line.why}
                        for line in group.lines
                    ],
                    "units": list(group.after),
                }
                for group in groups
            ]
