"""One phase, or a short game, as a single page that holds everything it shows."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import NamedTuple

from markupsafe import Markup

from alexmagnum.draw.shared_ground import SharedGround
from alexmagnum.errors import GameError
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.report.document import Section
from alexmagnum.report.page_scripts import Script
from alexmagnum.site.assets import read_styles, read_template
from alexmagnum.site.figures import plot_centres
from alexmagnum.site.page_frame import FOOT, PageFrame
from alexmagnum.site.phase_pages import (
    ReportedPhase,
    compose_reports,
    lay_map,
    name_views,
    placeholder,
    summarize,
)
from alexmagnum.site.published_game import PublishedGame

LARGEST = 5_000_000
"""Bytes of the largest page that is written: a larger one could not be mailed."""

_SCRIPTS = (
    ("report", "panzoom.js"),
    ("site", "site.js"),
    ("site", "single.js"),
    ("site", "replay.js"),
)


class ArticleFrame(NamedTuple):
    """A phase on the page: its name, its news in a line, its sections."""

    code: str
    name: str
    path: str
    summary: str
    sections: tuple[Section, ...]


def render_single_page(
    game: PublishedGame, sentences: Sentences, phase: str = "", *, pictures: bool = True
) -> str:
    """Return a page with all phases of a game, or with the processed ``phase``.

    Raises:
        GameError: ``site-single-empty``; ``site-single-large``: the page would
            have more than :data:`LARGEST` bytes.
    """
    frame = PageFrame(game, sentences, pictures)
    phases = compose_reports(frame)
    shown = _select(phases, phase)
    maps: Mapping[str, object] = {}
    ground = None
    if pictures:
        ground = SharedGround(shown[0].phase.outcome.position, sentences)
        maps = {one.name: lay_map(frame, one.phase, ground) for one in shown}
    last = shown[-1]
    page = frame.render(
        "single.html.j2",
        "",
        last.report.phase if len(shown) == 1 else sentences.format("site-replay"),
        board=game.board.name(sentences.lang),
        style=Markup(read_styles()),
        script=_script(),
        frames=[_article(frame, one, is_newest=one is phases[-1]) for one in shown],
        curves=plot_centres(game, sentences) if not phase else None,
        labels=name_views(frame),
        drawing=placeholder(frame),
        pictures=pictures,
        ground=_as_json(ground.svg if ground else ""),
        maps=_as_json(maps),
        foot=[section for section in last.report.sections if section.key in FOOT],
    )
    size = len(page.encode())
    if size > LARGEST:
        raise GameError("site-single-large", count=str(len(shown)), size=str(size // 1000))
    return page


def _select(phases: Sequence[ReportedPhase], phase: str) -> Sequence[ReportedPhase]:
    """Return all phases, or the one with a name."""
    if not phases:
        raise GameError("site-single-empty")
    if not phase:
        return phases
    return [one for one in phases if one.name == phase]


def _article(frame: PageFrame, one: ReportedPhase, *, is_newest: bool) -> ArticleFrame:
    """Return a phase for the page; the names of its sections are its own.

    What was due after an earlier phase is left out.
    """
    sections = tuple(
        replace(section, key=f"{section.key}-{one.name}")
        for section in one.report.sections
        if section.key not in FOOT and (is_newest or section.key != "due")
    )
    name = one.report.phase
    return ArticleFrame(one.name, name, f"#{one.name}", summarize(frame, one), sections)


def _as_json(value: object) -> Markup:
    """Return a value as JSON that can stand in a page."""
    return Markup(json.dumps(value, ensure_ascii=False).replace("<", "\\u003c"))


def _script() -> Script:
    """Return the script of the page; pages have no empty lines."""
    lines = "\n".join(read_template(*part) for part in _SCRIPTS).splitlines()
    text = "\n".join(line for line in lines if line.strip())
    digest = b64encode(sha256(text.encode()).digest()).decode("ascii")
    return Script(Markup(text), f"sha256-{digest}")
