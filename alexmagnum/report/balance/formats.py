"""Lay out a balance report as a page or as Markdown."""

from __future__ import annotations

import re
from collections.abc import Mapping

from markupsafe import Markup, escape

from alexmagnum.draw.fonts import font_faces_css
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.report.balance.document import BalanceReport, Block, Figure
from alexmagnum.report.document_templates import load_document_templates
from alexmagnum.report.markdown import escape_cell

BALANCE_FORMATS: Mapping[str, str] = {
    ".html": "balance.html.j2",
    ".htm": "balance.html.j2",
    ".md": "balance.md.j2",
}
"""The template for each ending of a report's file."""


def render_balance_report(report: BalanceReport, suffix: str) -> str:
    """Return a report as the text of a file, with a line end at its end.

    ``suffix`` is one of the endings in :data:`BALANCE_FORMATS`.

    Raises:
        KeyError: no format has this ending.
    """
    template = BALANCE_FORMATS[suffix]
    is_page = template.endswith(".html.j2")
    templates = load_document_templates(
        "alexmagnum.report.balance",
        escape=is_page,
        cell=escape_cell,
        figures=list_figures,
        intervals=mark_intervals,
        picture=add_description,
    )
    text = templates.get_template(template).render(
        report=report,
        sentence=load_sentences(report.lang).format,
        fonts=Markup(font_faces_css()) if is_page else "",
    )
    if is_page:
        text = "\n".join(line for line in text.splitlines() if line.strip())
    return text.strip("\n") + "\n"


_INTERVAL = re.compile(
    r"(\(?[−+]?\d(?:[\d.,]*\d)?(?:–| … )[−+]?\d(?:[\d.,]*\d)?\)?|p [=<] \d(?:[.,]\d+)?)"
)
"""An interval of figures, with its brackets if it has them; or a p-value."""


def mark_intervals(text: str) -> Markup:
    """Return HTML that marks intervals and p-values, for the page to keep each on one line.

    >>> mark_intervals("mean 19.2 (18.8–19.7).")
    Markup('mean 19.2 <span class="interval">(18.8–19.7)</span>.')
    """
    marked = Markup('<span class="interval">{}</span>')
    parts = _INTERVAL.split(text)  # the odd ones are intervals
    return Markup().join(marked.format(part) if i % 2 else part for i, part in enumerate(parts))


def list_figures(blocks: tuple[Block, ...]) -> list[Figure]:
    """Return the figures among the blocks of a section."""
    return [block for block in blocks if isinstance(block, Figure)]


def add_description(figure: Figure) -> Markup:
    """Return the SVG element of a figure with its title and description."""
    head, rest = figure.svg.split(">", 1)
    key = escape(figure.key)
    return Markup(
        f'{head} role="img" aria-labelledby="{key}-title {key}-description">'
        f'<title id="{key}-title">{escape(figure.title)}</title>'
        f'<desc id="{key}-description">{escape(figure.description)}</desc>{rest}'
    )
