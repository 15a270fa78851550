"""The page of a letter: styles at each element, and no larger than webmail shows."""

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
"""Sections that are left out where a page is too long, in this order."""

_LAST_LEFT_OUT = "turn"
"""The position is left out last: an answer to a page quotes nothing else of a report."""


def inline_picture(png: bytes, caption: str = "") -> Inline:
    """Return a picture for a page.  Its name is unique: some programs cache pictures by name."""
    cid = f"{hashlib.sha256(png).hexdigest()[:16]}@alexmagnum"
    return Inline(cid, "image/png", png, caption)


def compose_page(
    opening: Sequence[str],
    sentences: Sentences,
    *,
    title: str,
    season: PhaseReport | None = None,
    picture: Inline | None = None,
) -> str:
    """Return the page of a mail: paragraphs, the map and a report, in HTML that webmail shows.

    The mail's text has all that is left out, and the page says so.
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
            map_caption=picture.caption if picture else "",
            without=without,
        )
        inlined = _inliner().inline(page)
        if len(encodestring(inlined.encode())) < HTML_LIMIT or not spare:
            return inlined
        without.append(spare.pop(0))


@cache
def _inliner() -> CSSInliner:
    return CSSInliner(load_remote_stylesheets=False, keep_at_rules=True)
