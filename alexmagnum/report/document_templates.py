"""The templates that lay out documents as pages, mails and Markdown, with their common filters."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from alexmagnum.report.chart import draw_chart
from alexmagnum.report.markdown import escape_markdown
from alexmagnum.report.wrapping import join_names_and_figures

if TYPE_CHECKING:
    from jinja2 import Environment


@cache
def load_document_templates(
    *packages: str, escape: bool = True, **filters: Callable[..., Any]
) -> Environment:
    """Return the templates of reports, and before them those of other packages.

    ``escape`` is that of :func:`alexmagnum.templates.make_environment`: pages escape every text by
    themselves; in Markdown the filter ``md`` does it.  ``filters`` are added to the common ones.
    """
    from alexmagnum.templates import make_environment  # loads Jinja

    return make_environment(
        *packages,
        "alexmagnum.report",
        escape=escape,
        as_chart=draw_chart,
        kind=name_block_kind,
        md=escape_markdown,
        unbroken=join_names_and_figures,
        **filters,
    )


def name_block_kind(block: object) -> str:
    """Return the kind of a part of a document: ``prose``, ``items``, ``table``..."""
    return type(block).__name__.lower()
