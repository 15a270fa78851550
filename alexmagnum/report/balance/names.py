"""Names in a balance report: powers, provinces, rulings, bots and changes, in its language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from alexmagnum.board.model import Board
from alexmagnum.draw.palette import SPARE, assign_liveries
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.lab.balance_figures import BalanceFigures, SeriesFigures
from alexmagnum.report.chart import NIGHT, PAPER, make_legible
from alexmagnum.report.names import power_name
from alexmagnum.report.numerals import Numerals


@dataclass(frozen=True, slots=True)
class BalanceWords:
    """What a report is put into words with.

    Attributes:
        boards: the boards by series; one whose map is not at hand is missing.
    """

    sentences: Sentences
    boards: Mapping[str, Board]

    @property
    def numerals(self) -> Numerals:
        """The figures of the language."""
        return Numerals(self.sentences.lang)

    def say(self, code: str, **data: object) -> str:
        """Return a sentence of the report."""
        return self.sentences.format(f"balance-{code}", **data)

    def power(self, series: str, power: str) -> str:
        """Return the name of a power; its id if the map is not at hand."""
        board = self.boards.get(series)
        known = board is not None and power in board.powers
        return power_name(board, power, self.sentences) if board is not None and known else power

    def powers(self, series: str, powers: list[str]) -> str:
        """Return the names of some powers in a row."""
        return ", ".join(self.power(series, power) for power in powers)

    def province(self, series: str, province: str) -> str:
        """Return the name of a province; its id if the map is not at hand."""
        board = self.boards.get(series)
        if board is None or province not in board.provinces:
            return province
        return board.provinces[province].name(self.sentences.lang)

    def map_name(self, series: SeriesFigures) -> str:
        """Return the name of the map of a series; its id if the map is not at hand."""
        board = self.boards.get(series.name)
        return board.name(self.sentences.lang) if board is not None else series.map

    def ruling(self, ruling: str) -> str:
        """Return a ruling with its name: ``R13 Cutting``."""
        code = f"balance-ruling-{ruling}"
        if code not in self.sentences.templates:
            return ruling
        return f"{ruling} {self.sentences.format(code)}"

    def way(self, way: str) -> str:
        """Return a way to end in words."""
        return self.say(f"way-{way.replace(' ', '-')}")

    def ground(self, board: Board) -> str:
        """Return the name of a map's shapes in the page; boards of one map share it."""
        maps = list(dict.fromkeys((one.id, one.geometry) for one in self.boards.values()))
        return f"ground-{maps.index((board.id, board.geometry))}"

    def list_grounds(self, series: Sequence[SeriesFigures]) -> Mapping[str, Board]:
        """Return a board for each of the different maps of some series, by its name."""
        known = (self.boards.get(one.name) for one in series)
        return {self.ground(board): board for board in known if board is not None}

    def bots(self, series: SeriesFigures) -> str:
        """Return the bots of a series in a row."""
        return ", ".join(bot.bot for bot in series.bots)

    def change(self, change: Mapping[str, str]) -> str:
        """Return what was changed: ``nobility = 0``."""
        return "; ".join(
            f"{self.say('map')}\N{NO-BREAK SPACE}{value}"
            if key == "map"
            else f"{key}\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}{value}"
            for key, value in change.items()
        )


def list_colors(
    figures: BalanceFigures, boards: Mapping[str, Board]
) -> Mapping[str, tuple[str, str]]:
    """Return the colours of the powers by the name of their variable, for light and dark pages.

    They are those of the maps, made darker or lighter where the page would swallow them.
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
