"""The time and size of each picture of the sample turn."""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable
from time import perf_counter

from alexmagnum.board.map_file import read_map_text
from alexmagnum.draw import Scene, draw_turn, render_pdf, render_png, render_svg
from alexmagnum.draw.base_map import make_base_map
from alexmagnum.draw.layout import schematic_atlas
from alexmagnum.draw.scene import MAIL, PRINT
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.judge import adjudicate
from tools.pictures import sample_turn
from tools.random_map import random_map

LANG = "en"

WITHOUT_SHAPES = ((80, 1, 0), (215, 1, 0), (215, 3, 12), (300, 1, 20))
"""Provinces, pieces and tunnels of the random maps without shapes."""


def measure_pictures(rounds: int) -> dict[str, tuple[float, int]]:
    """Return the median seconds and the bytes of each picture of the sample turn.

    The board, the orders and the base map, which is drawn once in a process, are ready before the
    clock starts.  The phase is adjudicated again for every picture, outside its time.
    """
    position, orders = sample_turn()
    start = perf_counter()
    make_base_map(position.board, LANG)
    figures = {"the map itself, once": (perf_counter() - start, 0)}

    for count, pieces, tunnels in WITHOUT_SHAPES:
        made = json.dumps(random_map(count, 1, pieces=pieces, tunnels=tunnels))
        board = read_map_text(made, "random").board
        start = perf_counter()
        schematic_atlas(board)
        name = f"layout of {count} provinces without shapes, {tunnels} tunnels"
        figures[name] = (perf_counter() - start, 0)

    def scene() -> Scene:
        return draw_turn(outcome, load_sentences(LANG), title="Alex Magnum", subtitle="318")

    pictures: dict[str, Callable[[], str | bytes]] = {
        "SVG": lambda: render_svg(scene()),
        f"PNG, {MAIL} pixels wide": lambda: render_png(
            render_svg(scene(), embed_fonts=False), MAIL
        ),
        f"PNG, {PRINT} pixels wide": lambda: render_png(
            render_svg(scene(), embed_fonts=False), PRINT
        ),
        "PDF": lambda: render_pdf(render_svg(scene(), embed_fonts=False)),
    }
    for name, draw in pictures.items():
        seconds = []
        for _ in range(rounds + 1):
            outcome = adjudicate(position, orders)
            start = perf_counter()
            drawn = draw()
            seconds.append(perf_counter() - start)
        size = len(drawn.encode() if isinstance(drawn, str) else drawn)
        figures[name] = statistics.median(seconds[1:]), size  # the first is a warm-up
    return figures
