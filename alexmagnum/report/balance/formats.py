"""Lays out a balance report as a page or as Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from alexmagnum.draw.fonts import font_faces_css
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.report.balance.document import BalanceReport, Block, Figure
from alexmagnum.report.formats import body_kind, escape_markdown
from alexmagnum.report.wrapping import join_names_and_figures

if TYPE_CHECKING:
    from jinja2 import Environment

BALANCE_FORMATS: Mapping[str, str] = {
    ".html": "balance.html.j2",
    ".htm": "balance.html.j2",
    ".md": "balance.md.j2",
}
"""The template of a report by the ending of its file."""


def render_balance_report(report: BalanceReport, suffix: str) -> str:
    """Return a report in the format of a file that ends so; it ends with a line end.

    Raises:
        KeyError: there is no such format.
    """
    template = BALANCE_FORMATS[suffix]
    is_page = template.endswith(".html.j2")
    text = (
        _templates(is_page)
        .get_template(template)
        .render(
            report=report,
            sentence=load_sentences(report.lang).format,
            fonts=Markup(font_faces_css()) if is_page else "",
        )
    )
    if is_page:
        text = "\n".join(line for line in text.splitlines() if line.strip())
    return text.strip("\n") + "\n"


@cache
def _templates(is_page: bool) -> Environment:
    """Return the templates; those of pages escape every text by themselves."""
    from alexmagnum.templates import make_environment  # loads Jinja

    return make_environment(
        "alexmagnum.report.balance",
        "alexmagnum.report",
        escape=is_page,
        cell=escape_cell,
        drawn=list_figures,
        kind=body_kind,
        md=escape_markdown,
        picture=_name_picture,
        unbroken=join_names_and_figures,
    )


def escape_cell(text: str) -> str:
    """Return a text for a cell of Markdown: a cell begins no line, so figures keep their points.

    >>> escape_cell("22.5 %"), escape_cell("a|b")
    ('22.5 %', 'a\\\\|b')
    """
    return escape_markdown(f"x{text}")[1:]


def list_figures(blocks: tuple[Block, ...]) -> list[Figure]:
    """Return the figures among the blocks of a section."""
    return [block for block in blocks if isinstance(block, Figure)]


def _name_picture(figure: Figure) -> Markup:
    """Return the SVG element of a figure with its title and description."""
    head, rest = figure.svg.split(">", 1)
    key = escape(figure.key)
    return Markup(
        f'{head} role="img" aria-labelledby="{key}-title {key}-description">'
        f'<title id="{key}-title">{escape(figure.title)}</title>'
        f'<desc id="{key}-description">{escape(figure.description)}</desc>{rest}'
    )
