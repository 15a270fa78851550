"""The HTML of a mail: a report without scripts, drawings and whatever mail programs remove."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from alexmagnum.i18n.sentences import Sentences
from alexmagnum.report.document import PhaseReport
from alexmagnum.report.document_templates import load_document_templates


def render_mail_page(
    opening: Sequence[str],
    sentences: Sentences,
    *,
    title: str,
    report: PhaseReport | None = None,
    map_cid: str = "",
    map_caption: str = "",
    without: Collection[str] = (),
) -> str:
    """Return the HTML of a mail: opening paragraphs, the map and a report.

    ``map_cid`` is the content id of the map among the parts of the mail, ``map_caption`` the line
    below it.  ``without`` lists the
    keys of the sections to leave out; a note at the end names them.  The styles are in the head;
    they have to be inlined, because mail programs drop the head.  Those for dark screens stay there
    for the programs that keep it.
    """
    left_out = [s.title for s in report.sections if s.key in without] if report else []
    template = load_document_templates().get_template("mail.html.j2")
    return template.render(
        lang=sentences.lang,
        sentence=sentences.format,
        title=title,
        opening=opening,
        report=report,
        map=map_cid,
        map_label=map_caption or sentences.format("page-map"),
        map_caption=map_caption,
        without=without,
        without_titles=left_out,
    )
