"""Maps for reports, letters and order sheets, each drawn once for everybody who may see it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from alexmagnum import draw
from alexmagnum.campaign import position_after
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge.outcome import Outcome
from alexmagnum.position import Position
from alexmagnum.report.names import phase_name
from alexmagnum.report.views import View

if TYPE_CHECKING:
    from alexmagnum.draw.png_process import PngQueue, PngRequest

Subject = Outcome | Position
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
        self._fronts: _Drawings[PngRequest | None] = _Drawings()
        self._pngs: dict[str, PngRequest] = {}
        self._made_queue: PngQueue | None = None

    @property
    def _queue(self) -> PngQueue:
        """The PNGs that were asked for."""
        if self._made_queue is None:
            from alexmagnum.draw.png_process import PngQueue  # loads what draws

            self._made_queue = PngQueue()
        return self._made_queue

    def close(self) -> None:
        """End what makes PNGs ahead; pictures can still be had."""
        if self._made_queue is not None:
            self._made_queue.close()

    def page(self, view: View, sentences: Sentences) -> PageMap:
        """Return the map of a report page.

        It shows the orders of the phase and the position after them or, before the phase is
        processed, its position.
        """
        return self._pages.get(_subject(view), sentences, lambda: self._draw_page(view, sentences))

    def svg(self, view: View, sentences: Sentences) -> str:
        """Return the map of a report as an SVG file, letters included.

        It shows the orders or, before the phase is processed, the position.
        """
        return self._svgs.get(_subject(view), sentences, lambda: self._draw_svg(view, sentences))

    def png(self, view: View, sentences: Sentences) -> bytes:
        """Return the map of a report as a PNG: the same picture as :meth:`svg`."""
        return self._queue.get(self.start_png(view, sentences))

    def start_png(self, view: View, sentences: Sentences) -> PngRequest:
        """Have the map of a report made as a PNG while other work goes on."""
        drawing = self.svg(view, sentences)
        if drawing not in self._pngs:
            self._pngs[drawing] = self._queue.add(drawing)
        return self._pngs[drawing]

    def front_png(self, view: View, sentences: Sentences, power: str) -> bytes:
        """Return the front of a power as a PNG that can be read on a telephone.

        It is the same picture as :meth:`png`, of a part of the map; empty if that would be most of
        the map.
        """
        request = self.start_front(view, sentences, power)
        return self._queue.get(request) if request else b""

    def start_front(self, view: View, sentences: Sentences, power: str) -> PngRequest | None:
        """Have the front of a power made as a PNG while other work goes on; None if there is
        none."""
        subject = _subject(view)
        return self._fronts.get(
            subject, sentences, lambda: self._request_front(subject, sentences, power), power
        )

    def _request_front(
        self, subject: Subject, sentences: Sentences, power: str
    ) -> PngRequest | None:
        from alexmagnum.draw.raster import TELEPHONE  # loads what draws

        drawing = _draw_front(subject, sentences, power)
        return self._queue.add(drawing, TELEPHONE, 64) if drawing else None

    def position_svg(self, position: Position, sentences: Sentences, title: str) -> str:
        """Return a position below a title as an SVG file: the map of an order sheet."""
        return self._svgs.get(
            position, sentences, lambda: draw_position_map(position, sentences, title), title
        )

    def _draw_page(self, view: View, sentences: Sentences) -> PageMap:
        from alexmagnum.draw.combined_scene import combine_scenes  # loads what draws

        scenes = self._draw_scenes(view, sentences)
        labels = {name: sentences.format(LABELS[name]) for name in scenes}
        drawing = draw.render_svg(combine_scenes(scenes), prefix="map-", embed_fonts=False)
        return PageMap(drawing, labels)

    def _draw_svg(self, view: View, sentences: Sentences) -> str:
        return draw.render_svg(next(iter(self._draw_scenes(view, sentences).values())))

    def _draw_scenes(self, view: View, sentences: Sentences) -> Mapping[str, draw.Scene]:
        subject = _subject(view)
        return self._scenes.get(subject, sentences, lambda: draw_page_scenes(subject, sentences))


class _Drawings(Generic[Drawing]):
    """Drawings by what they show, their language and their title.

    Outcomes are equal by content but have no hash, so the few that there are stand in a list.
    """

    def __init__(self) -> None:
        self._kept: list[tuple[tuple[str, str], Subject, Drawing]] = []

    def get(
        self, subject: Subject, sentences: Sentences, make: Callable[[], Drawing], title: str = ""
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


def _draw_front(subject: Subject, sentences: Sentences, power: str) -> str:
    """Draw the part of the map with a power's units as SVG; empty if that is most of the map."""
    from alexmagnum.draw.crop_windows import find_front  # loads what draws

    known = (
        (subject,) if isinstance(subject, Position) else (subject.position, position_after(subject))
    )
    crop = find_front(known, power)
    if crop is None:
        return ""
    board = known[0].board
    title, phase = board.name(sentences.lang), phase_name(known[0].phase, board, sentences)
    if isinstance(subject, Position):
        scene = draw.draw_position(subject, sentences, title=title, subtitle=phase, crop=crop)
    else:
        scene = draw.draw_turn(subject, sentences, title=title, subtitle=phase, crop=crop)
    return draw.render_svg(scene, embed_fonts=False)


def _subject(view: View) -> Subject:
    """Return what the map of a view shows."""
    return view.content.outcome or view.content.position


def draw_page_scenes(subject: Subject, sentences: Sentences) -> Mapping[str, draw.Scene]:
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
