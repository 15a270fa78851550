"""The map of a page: drawn once for all readers who may see the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from alexmagnum.campaign import position_after
from alexmagnum.draw import Scene, draw_position, draw_turn, render_svg
from alexmagnum.draw.combined_scene import combine_scenes
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge.outcome import Outcome
from alexmagnum.position import Position
from alexmagnum.report.names import phase_name
from alexmagnum.report.views import View

Drawn = Outcome | Position
"""What a map shows: what became of a phase, or before that its position."""

LABELS = {"orders": "map-orders", "after": "map-after", "position": "map-position"}
"""What a view of the map is called, by the view."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A map as SVG without its letters, which the page has; ``views`` are the labels of what it
    shows, by the ``data-view`` that its parts bear."""

    svg: str
    views: Mapping[str, str]


@dataclass(slots=True)
class Studio:
    """Draws the maps of pages, and keeps them for the next reader of the same.

    What is kept belongs to one language and one outcome, or one position: a reader from whom
    something is held back (R30) has an outcome of his own, and so a picture of his own.
    """

    _kept: dict[tuple[str, int], tuple[Drawn, Mapping[str, Scene], Picture]] = field(
        default_factory=dict
    )

    def picture(self, view: View, sentences: Sentences) -> Picture:
        """The map that a reader may see: the orders of the phase and what they left; before it
        is processed, the position."""
        _, _, picture = self._of(view, sentences)
        return picture

    def alone(self, view: View, sentences: Sentences) -> str:
        """The map as an SVG that stands alone: the orders, or the position before the phase is
        processed."""
        _, scenes, _ = self._of(view, sentences)
        return render_svg(next(iter(scenes.values())))

    def _of(self, view: View, sentences: Sentences) -> tuple[Drawn, Mapping[str, Scene], Picture]:
        drawn = view.shown.outcome or view.shown.position
        key = (sentences.lang, id(drawn))
        if key not in self._kept:
            scenes = _scenes(drawn, sentences)
            labels = {view: sentences.format(LABELS[view]) for view in scenes}
            text = render_svg(combine_scenes(scenes), prefix="map-", embed_fonts=False)
            self._kept[key] = drawn, scenes, Picture(text, labels)
        return self._kept[key]


def _scenes(drawn: Drawn, sentences: Sentences) -> Mapping[str, Scene]:
    """The pictures by view: ``orders`` and ``after``, or ``position`` alone."""
    position = drawn if isinstance(drawn, Position) else drawn.position
    board = position.board
    title, phase = board.name(sentences.lang), phase_name(position.phase, board, sentences)
    if isinstance(drawn, Position):
        return {"position": draw_position(drawn, sentences, title=title, subtitle=phase)}
    after, label = position_after(drawn), sentences.format(LABELS["after"])
    return {
        "orders": draw_turn(drawn, sentences, title=title, subtitle=phase),
        "after": draw_position(after, sentences, title=label, subtitle=phase),
    }
