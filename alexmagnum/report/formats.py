"""Laying out a document as text, HTML, Markdown or JSON, with maps drawn once for all readers."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from markupsafe import Markup

from alexmagnum import draw
from alexmagnum.campaign import position_after
from alexmagnum.draw.map_shapes import load_atlas
from alexmagnum.draw.scene import font_faces_css
from alexmagnum.errors import BadPicture
from alexmagnum.i18n.sentences import Sentences, load_sentences
from alexmagnum.judge.outcome import Outcome
from alexmagnum.position import Position
from alexmagnum.report import document
from alexmagnum.report.context import PhaseContext, View, filter_context
from alexmagnum.report.phase_report import compose_phase_report
from alexmagnum.report.words import phase_name

if TYPE_CHECKING:
    from jinja2 import Environment

    from alexmagnum.draw.animation import Frame


@cache
def load_document_templates(
    *packages: str, escape: bool = True, **filters: Callable[..., Any]
) -> Environment:
    """Return the templates of reports, and before them those of other packages.

    ``escape`` is that of :func:`alexmagnum.files.make_environment`: pages escape every text by
    themselves; in Markdown the filter ``md`` does it.  ``filters`` are added to the common ones.
    """
    from alexmagnum.files import make_environment

    return make_environment(
        *packages,
        "alexmagnum.report",
        escape=escape,
        as_chart=document.draw_chart,
        kind=lambda block: type(block).__name__.lower(),  # prose, items, table...
        md=document.escape_markdown,
        quote=document.quote_lines,
        unbroken=document.join_names_and_figures,
        **filters,
    )


# The HTML of a mail: a report without scripts, drawings and whatever mail programs remove.


def render_mail_page(
    opening: Sequence[str],
    sentences: Sentences,
    *,
    title: str,
    report: document.PhaseReport | None = None,
    map_cid: str = "",
    map_caption: str = "",
    without: Collection[str] = (),
    news: Collection[str] = (),
) -> str:
    """Return the HTML of a mail: opening paragraphs, those among the ``news`` in bold, the map and
    a report.

    ``map_cid`` is the content id of the map among the parts of the mail, ``map_caption`` the line
    below it.  ``without`` lists the
    keys of the sections to leave out; a note at the end names them.  The styles are in the head;
    they have to be inlined, because mail programs drop the head.  Those for dark screens stay there
    for the programs that keep it.
    """
    template = load_document_templates().get_template("mail.html.j2")
    return template.render(
        lang=sentences.lang,
        sentence=sentences.format,
        title=title,
        opening=opening,
        news=news,
        report=report,
        map=map_cid,
        map_label=map_caption or sentences.format("page-map"),
        map_caption=map_caption,
        without=without,
        without_titles=[s.title for s in report.sections if s.key in without] if report else [],
    )


# Maps for reports, letters and order sheets, each drawn once for everybody who may see it.


Shown = Outcome | Position
"""A map shows the outcome of a phase or, before the phase is processed, its position."""

LABELS = {"orders": "map-orders", "after": "map-after", "position": "map-position"}
"""The sentence with the name of each picture of a page."""

Drawing = TypeVar("Drawing")


@dataclass(frozen=True, slots=True)
class PageMap:
    """The map of a page: one SVG that shows one of several pictures.

    Attributes:
        svg: the drawing without its letters, which the page has.
        labels: the name of each picture, by the ``data-view`` of its parts.
    """

    svg: str
    labels: Mapping[str, str]


class MapPictures:
    """Draws maps and keeps them, so that the same picture is never drawn twice.

    Keep one for as long as maps of the same phases are needed: for a command that writes reports,
    order sheets and letters, for instance.  Drawings are shared by content: an outcome that was
    worked out again has the same pictures, and a reader who may not see everything (R30) has
    an outcome, and so pictures, of their own.
    """

    def __init__(self) -> None:
        self._scenes: _Drawings[Mapping[str, draw.Scene]] = _Drawings()
        self._pages: _Drawings[PageMap] = _Drawings()
        self._svgs: _Drawings[str] = _Drawings()
        self._fronts: _Drawings[bytes] = _Drawings()
        self._pngs: dict[str, bytes] = {}

    def page(self, view: View, sentences: Sentences) -> PageMap:
        """Return the map of a report page: the orders of the phase and the position after them or,
        before the phase is processed, its position."""
        return self._pages.get(_subject(view), sentences, lambda: self._draw_page(view, sentences))

    def svg(self, view: View, sentences: Sentences) -> str:
        """Return the map of a report as an SVG file, letters included: the orders or, before the
        phase is processed, the position."""

        def make() -> str:
            return draw.render_svg(next(iter(self._draw_scenes(view, sentences).values())))

        return self._svgs.get(_subject(view), sentences, make)

    def png(self, view: View, sentences: Sentences) -> bytes:
        """Return the map of a report as a PNG: the same picture as :meth:`svg`."""
        if (drawing := self.svg(view, sentences)) not in self._pngs:
            self._pngs[drawing] = draw.render_png(drawing)
        return self._pngs[drawing]

    def front_png(self, view: View, sentences: Sentences, power: str) -> bytes:
        """Return the front of a power as a PNG that can be read on a telephone: the same picture as
        :meth:`png`, of a part of the map; empty if that would be most of it."""
        subject = _subject(view)
        return self._fronts.get(
            subject, sentences, lambda: _render_front(subject, sentences, power), power
        )

    def position_svg(self, position: Position, sentences: Sentences, title: str) -> str:
        """Return a position below a title as an SVG file: the map of an order sheet."""
        return self._svgs.get(
            position, sentences, lambda: draw_position_map(position, sentences, title), title
        )

    def _draw_page(self, view: View, sentences: Sentences) -> PageMap:
        from alexmagnum.draw.canvas import combine_scenes  # loads what draws

        scenes = self._draw_scenes(view, sentences)
        drawing = draw.render_svg(combine_scenes(scenes), prefix="map-", embed_fonts=False)
        return PageMap(drawing, {name: sentences.format(LABELS[name]) for name in scenes})

    def _draw_scenes(self, view: View, sentences: Sentences) -> Mapping[str, draw.Scene]:
        subject = _subject(view)
        return self._scenes.get(subject, sentences, lambda: draw_page_scenes(subject, sentences))


class _Drawings(Generic[Drawing]):
    """Drawings by what they show, their language and their title, in a list: outcomes have no
    hash."""

    def __init__(self) -> None:
        self._kept: list[tuple[tuple[str, str], Shown, Drawing]] = []

    def get(
        self, subject: Shown, sentences: Sentences, make: Callable[[], Drawing], title: str = ""
    ) -> Drawing:
        """Return the drawing of a subject, drawn now if it is not there yet."""
        key = sentences.lang, title
        for known, shown, drawing in self._kept:
            if known == key and (shown is subject or shown == subject):
                return drawing
        drawing = make()
        self._kept.append((key, subject, drawing))
        return drawing


def draw_position_map(position: Position, sentences: Sentences, title: str) -> str:
    """Draw a position below a title and the name of its phase, as an SVG file."""
    phase = phase_name(position.phase, position.board, sentences)
    return draw.render_svg(draw.draw_position(position, sentences, title=title, subtitle=phase))


def _render_front(subject: Shown, sentences: Sentences, power: str) -> bytes:
    """Return the part of the map with a power's units as a PNG; empty if it is most of the map."""
    from alexmagnum.draw.pictures import find_front  # loads what draws
    from alexmagnum.draw.scene import TELEPHONE

    known = (
        (subject,) if isinstance(subject, Position) else (subject.position, position_after(subject))
    )
    if (crop := find_front(known, power)) is None:
        return b""
    board, crop = known[0].board, replace(crop, legend=False)
    title, phase = board.name(sentences.lang), phase_name(known[0].phase, board, sentences)
    if isinstance(subject, Position):
        scene = draw.draw_position(subject, sentences, title=title, subtitle=phase, crop=crop)
    else:
        scene = draw.draw_turn(subject, sentences, title=title, subtitle=phase, crop=crop)
    return draw.render_png(draw.render_svg(scene, embed_fonts=False), TELEPHONE, 64)


def _subject(view: View) -> Shown:
    return view.content.outcome or view.content.position


def draw_page_scenes(subject: Shown, sentences: Sentences) -> Mapping[str, draw.Scene]:
    """Draw the pictures of a page by name: ``orders`` and ``after``, or ``position`` alone."""
    position = subject if isinstance(subject, Position) else subject.position
    board = position.board
    title, phase = board.name(sentences.lang), phase_name(position.phase, board, sentences)
    if isinstance(subject, Position):
        return {"position": draw.draw_position(subject, sentences, title=title, subtitle=phase)}
    after, label = position_after(subject), sentences.format(LABELS["after"])
    return {
        "orders": draw.draw_turn(subject, sentences, title=title, subtitle=phase),
        "after": draw.draw_position(after, sentences, title=label, subtitle=phase),
    }


# The frames of an animation: a picture of every phase, and of the position at the end.


def select_phases(outcomes: Iterable[Outcome], first: str, last: str) -> Sequence[Outcome]:
    """Return the outcomes from one phase to another, both included; "" for the end of the game.

    Raises:
        BadPicture: no-frames, frame-unknown, frames-backwards.
    """
    if not (found := list(outcomes)):
        raise BadPicture("no-frames")
    names = [str(outcome.position.phase) for outcome in found]
    for name in filter(None, (first, last)):
        if name not in names:
            raise BadPicture("frame-unknown", asked=name, first=names[0], last=names[-1])
    start = names.index(first) if first else 0
    end = names.index(last) if last else len(names) - 1
    if start > end:
        raise BadPicture("frames-backwards", first=first, last=last)
    return found[start : end + 1]


def draw_frames(outcomes: Sequence[Outcome], title: str, sentences: Sentences) -> Iterator[Frame]:
    """Yield a frame with the orders of each phase, and one with the position at the end."""
    from alexmagnum.draw.animation import Frame, make_frame_crop

    board = outcomes[0].position.board
    crop = make_frame_crop(load_atlas(board).box)
    for outcome in outcomes:
        phase = outcome.position.phase
        name = phase_name(phase, board, sentences)
        scene = draw.draw_turn(outcome, sentences, title=title, subtitle=name, crop=crop)
        yield Frame(str(phase), name, scene)
    after, label = position_after(outcomes[-1]), sentences.format(LABELS["after"])
    scene = draw.draw_position(after, sentences, title=title, subtitle=name, crop=crop)
    yield Frame(str(phase), f"{label}: {name}", scene)


# Lay out a report as text, HTML, Markdown or JSON, from its document alone.


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

    ``opened`` is that of :func:`alexmagnum.report.context.filter_context`.  With ``pictures`` a
    page contains the map.
    """
    maps = MapPictures() if pictures else None
    texts = format_report_in_all(context, recipient, sentences, maps, opened=opened, forms=[form])
    return texts[form]


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


def render_report(report: document.PhaseReport, form: str, page_map: PageMap | None = None) -> str:
    """Return a report in a format of :data:`FORMATS`; it ends with a line end.

    A page contains the map, if there is one.

    Raises:
        KeyError: there is no such format.
    """
    ending = FORMATS[form]
    if form == "json":
        return json.dumps(report_as_data(report), ensure_ascii=False, indent=2) + "\n"
    is_page = form == "html"
    templates = load_document_templates(
        escape=is_page, fence=document.fence_text, table_lines=format_table, wrap=document.wrap_text
    )
    text = templates.get_template(f"phase_report.{ending}.j2").render(
        report=report,
        sentence=load_sentences(report.lang).format,
        page_map=page_map,
        fonts=Markup(font_faces_css()) if is_page else "",
        script=document.load_script("panzoom.js", "map_news.js", "page.js") if is_page else None,
    )
    return text.strip("\n") + "\n"


# -- plain text ---------------------------------------------------------------------------------


def format_table(table: document.Table) -> list[str]:
    """Return a table as lines, each column as wide as necessary, or else its rows one by one."""
    rows = [[column.label for column in table.columns]]
    rows += [[cell.text for cell in row] for row in table.rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    numbers = [column.number for column in table.columns]
    if sum(widths) + 2 * len(widths) > WIDEST:
        return [line for row in table.rows for line in _row_lines(table, row)]
    lines = []
    for row in rows:
        cells = zip(row, widths, numbers, strict=True)
        padded = (text.rjust(w) if number else text.ljust(w) for text, w, number in cells)
        lines.append("  ".join(padded).rstrip())
    return lines


def _row_lines(table: document.Table, row: Sequence[document.Cell]) -> Iterator[str]:
    yield row[0].text
    for column, cell in list(zip(table.columns, row, strict=True))[1:]:
        if cell.text:
            yield from document.wrap_text(f"{column.label}: {cell.text}", "  ", "    ").splitlines()


# -- for machines -------------------------------------------------------------------------------


def report_as_data(report: document.PhaseReport) -> Mapping[str, object]:
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
            section.key: {
                "title": section.title,
                **({"note": section.note} if section.note else {}),
                "content": _body_data(section.body),
            }
            for section in report.sections
        },
    }


def _body_data(body: document.Body) -> Any:
    match body:
        case document.Prose(texts) | document.Items(texts):
            return list(texts)
        case document.Quotations(quotations):
            return [text for each in quotations for text in (each.heading, *each.paragraphs)]
        case document.Code(text):
            return text
        case document.Table(columns, rows):
            return [
                {
                    column.key: cell.text if cell.value is None else cell.value
                    for column, cell in zip(columns, row, strict=True)
                }
                for row in rows
            ]
        case document.Orders(groups):
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
