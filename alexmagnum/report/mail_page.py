"""The page of a mail: a report without scripts, drawings and whatever mail programs take away."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from alexmagnum.i18n.sentences import Sentences
from alexmagnum.report.document import PhaseReport
from alexmagnum.report.formats import body_kind
from alexmagnum.report.wrapping import join_unit_names


def render_mail_page(
    opening: Sequence[str],
    sentences: Sentences,
    *,
    title: str,
    season: PhaseReport | None = None,
    map_cid: str = "",
    without: Collection[str] = (),
) -> str:
    """The page of a mail: some paragraphs, the map that it carries as ``cid:<map_cid>``, a report.

    ``without``: the keys of the report's parts that are left out, which is said.  Styles stand in
    the head; mail programs want them at each element.
    """
    left_out = [s.title for s in season.sections if s.key in without] if season else []
    template = _environment().get_template("mail.html.j2")
    return template.render(
        lang=sentences.lang,
        sentence=sentences.format,
        title=title,
        opening=opening,
        season=season,
        map=map_cid,
        map_label=sentences.format("page-map"),
        without=without,
        without_titles=left_out,
    )


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("alexmagnum.report"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=True,
    )
    environment.filters.update(kind=body_kind, kept=join_unit_names)
    return environment
