"""A page made fit for mail programs: styles at each element, no larger than webmail shows."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from quopri import encodestring

from css_inline import CSSInliner

from alexmagnum.i18n.sentences import Sentences
from alexmagnum.mail.letters.composition import HTML_LIMIT, Inline
from alexmagnum.report.document import PhaseReport
from alexmagnum.report.mail_page import render_mail_page

_FIRST_LEFT_OUT = ("seals", "house", "players", "centres")
"""Parts that are left out where a page is too long, the first first."""

_LAST_LEFT_OUT = "turn"
"""The position: in an answer written on a page, the page is all that is quoted of a report."""


def inline_picture(png: bytes) -> Inline:
    """A picture for a page.  It has a name of its own: some programs keep pictures by name."""
    return Inline(f"{hashlib.sha256(png).hexdigest()[:16]}@alexmagnum", "image/png", png)


def compose_page(
    opening: Sequence[str],
    sentences: Sentences,
    *,
    title: str,
    season: PhaseReport | None = None,
    picture: Inline | None = None,
) -> str:
    """The page of a mail: paragraphs, the map, a report; as much of it as webmail shows.

    Whatever is left out stands in the mail's text, and the page says so.
    """
    keys = [section.key for section in season.sections] if season else []
    order = dict.fromkeys((*_FIRST_LEFT_OUT, *reversed(keys)))
    order.pop(_LAST_LEFT_OUT, None)
    spare = [key for key in (*order, _LAST_LEFT_OUT) if key in keys]
    without: list[str] = []
    while True:
        page = render_mail_page(
            opening,
            sentences,
            title=title,
            report=season,
            map_cid=picture.cid if picture else "",
            without=without,
        )
        inlined = _inliner().inline(page)
        if len(encodestring(inlined.encode())) < HTML_LIMIT or not spare:
            return inlined
        without.append(spare.pop(0))


@cache
def _inliner() -> CSSInliner:
    return CSSInliner(load_remote_stylesheets=False)
