"""The colours of powers in a balance report, as variables of the page."""

from __future__ import annotations

from collections.abc import Mapping

from alexmagnum.board.model import Board
from alexmagnum.draw.palette import SPARE, assign_liveries
from alexmagnum.lab.balance_figures import BalanceFigures
from alexmagnum.report.chart import NIGHT, PAPER, make_legible


def list_colors(
    figures: BalanceFigures, boards: Mapping[str, Board]
) -> Mapping[str, tuple[str, str]]:
    """Return by variable the colour of a power on light pages and that on dark pages.

    They are those of the maps, made darker or lighter if they are too near to that of the page.
    """
    colors: dict[str, tuple[str, str]] = {}
    for n, series in enumerate(figures.series):
        board = boards.get(series.name)
        liveries = assign_liveries(board) if board is not None else {}
        for i, power in enumerate(series.powers):
            livery = liveries.get(power.power)
            color = livery.color if livery is not None else SPARE[i % len(SPARE)]
            colors[color_name(n, i)] = make_legible(color, PAPER), make_legible(color, NIGHT)
    return colors


def color_name(series: int, power: int) -> str:
    """Return the name of the variable with the colour of a power."""
    return f"p{series}-{power}"
