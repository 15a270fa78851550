"""Draw positions and outcomes for notebooks, with a title of their own."""

from __future__ import annotations

from hashlib import sha256

from alexmagnum.draw.position_picture import draw_position
from alexmagnum.draw.svg import render_svg
from alexmagnum.draw.turn_picture import draw_turn
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.judge.outcome import Outcome
from alexmagnum.position import Position


def draw_for_notebook(value: Position | Outcome) -> str | None:
    """Return the SVG of a position or an outcome; None if the position is impossible.

    The ids in it differ from those of other pictures, so that several fit one notebook.
    """
    sentences = load_sentences("en")
    position = value if isinstance(value, Position) else value.position
    if position.problems():
        return None
    title, subtitle = position.board.name("en"), str(position.phase)
    if isinstance(value, Position):
        scene = draw_position(value, sentences, title=title, subtitle=subtitle)
    else:
        scene = draw_turn(value, sentences, title=title, subtitle=subtitle)
    prefix = sha256(repr(scene).encode()).hexdigest()[:8]
    return render_svg(scene, prefix=f"am{prefix}-")
