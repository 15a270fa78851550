"""The first page: the map now, what is due and when, the standings, every phase."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from alexmagnum.report.document import Fact, Prose, Section
from alexmagnum.report.ending_text import format_end
from alexmagnum.report.map_pictures import MapPictures, PageMap
from alexmagnum.report.names import year_name
from alexmagnum.report.phase_context import PhaseContext
from alexmagnum.report.phase_report import compose_phase_report
from alexmagnum.report.views import View, filter_context
from alexmagnum.site.figures import count_units, plot_centres
from alexmagnum.site.page_frame import (
    INDEX,
    LinkedCell,
    LinkedColumn,
    LinkedTable,
    PageFrame,
    power_path,
    short_phase_name,
)
from alexmagnum.site.phase_pages import ReportedPhase, link_position, list_news


class PhaseLink(NamedTuple):
    """A phase in a list: its page, its name, what is to be said of it."""

    path: str
    name: str
    lines: tuple[str, ...] = ()


class Year(NamedTuple):
    """A year with its phases."""

    name: str
    phases: tuple[PhaseLink, ...]


_SHOWN = ("due", "house-changed")
"""The sections of the open phase that the first page begins with."""


def render_first_page(frame: PageFrame, phases: Sequence[ReportedPhase]) -> str:
    """Return the first page of a site."""
    game = frame.game
    view = game.opened or _last_position(frame)
    report = compose_phase_report(view, frame.sentences)
    sections = [s for s in report.sections if game.opened and s.key in _SHOWN]
    if game.end is not None:
        sections = [_end_section(frame)]
    heading = report.phase if game.opened else frame.sentences.format("site-over")
    return frame.render(
        "index.html.j2",
        INDEX,
        heading,
        report=report,
        heading=heading,
        sandbox=link_position(frame, game.position) if game.opened else "",
        page_map=_draw(frame, view),
        facts=[fact for fact in report.facts if game.opened and fact.key != "recipient"]
        or _last_facts(frame, phases),
        sections=sections,
        standings=tabulate_powers(frame),
        curves=plot_centres(game, frame.sentences),
        latest=_latest(frame, phases),
        years=list_years(frame, phases),
        foot=[s for s in report.sections if s.key == "players"],
    )


def _last_position(frame: PageFrame) -> View:
    """Return a view of the position at the end of the game."""
    content = frame.game.newest.content
    context = PhaseContext(
        game=frame.game.name,
        position=frame.game.position,
        players=content.players,
        centre_counts=content.centre_counts,
    )
    return filter_context(context, None)


def _draw(frame: PageFrame, view: View) -> PageMap | None:
    return MapPictures().page(view, frame.sentences) if frame.pictures else None


def _last_facts(frame: PageFrame, phases: Sequence[ReportedPhase]) -> list[Fact]:
    """Return from when to when a game was played that is over."""
    if not phases:
        return []
    words = frame.sentences
    text = words.format("final-from-to", first=phases[0].report.phase, last=phases[-1].report.phase)
    return [Fact("played", words.format("final-played"), text, None)]


def _end_section(frame: PageFrame) -> Section:
    """Return how the game ended."""
    end = frame.game.end
    assert end is not None, "the game is over"
    lines = [format_end(end, frame.game.position, frame.sentences)]
    if end.reason:
        lines.append(frame.sentences.format("final-reason", reason=end.reason))
    return Section("end", frame.sentences.format("section-end"), Prose(tuple(lines)))


def tabulate_powers(frame: PageFrame) -> LinkedTable:
    """Return the powers with their centres, units and nobility now; each leads to its story."""
    position, board, words = frame.game.position, frame.game.board, frame.sentences
    columns = [
        LinkedColumn(words.format("column-power")),
        LinkedColumn(words.format("column-centres"), number=True),
        LinkedColumn(words.format("column-units"), number=True),
    ]
    if board.rules.nobility:
        columns.append(LinkedColumn(words.format("column-nobility"), number=True))
    rows = []
    for power in board.powers:
        figures = [len(position.centres_of(power)), count_units(position, power)]
        figures += [position.points_of(power)] if board.rules.nobility else []
        name = LinkedCell(frame.power(power), power_path(power), power)
        rows.append((name, *(LinkedCell(str(figure)) for figure in figures)))
    return LinkedTable(words.format("section-standings"), tuple(columns), tuple(rows))


def _latest(frame: PageFrame, phases: Sequence[ReportedPhase]) -> PhaseLink | None:
    """Return the news of the last phase, None before the first one is processed."""
    if not phases:
        return None
    last = phases[-1]
    return PhaseLink(last.path, last.report.phase, tuple(list_news(frame, last)))


def list_years(frame: PageFrame, phases: Sequence[ReportedPhase]) -> list[Year]:
    """Return the years with links to their phases, newest first."""
    return list(_years(frame, phases))[::-1]


def _years(frame: PageFrame, phases: Sequence[ReportedPhase]) -> Iterator[Year]:
    def year_of(shown: ReportedPhase) -> str:
        phase = shown.phase.outcome.position.phase
        return year_name(phase, frame.game.board, frame.sentences)

    for name, group in groupby(phases, year_of):
        links = [
            PhaseLink(
                shown.path,
                short_phase_name(shown.phase.outcome.position.phase, frame.sentences),
            )
            for shown in group
        ]
        yield Year(name, tuple(links))
