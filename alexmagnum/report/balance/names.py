"""The names in a balance report in its language: powers, provinces, rulings, bots, changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from alexmagnum.board.model import Board
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.lab.balance_figures import SeriesFigures
from alexmagnum.report.names import power_name
from alexmagnum.report.numerals import Numerals


@dataclass(frozen=True, slots=True)
class BalanceWords:
    """The sentences of a report, and the maps from which it takes names.

    Attributes:
        boards: the boards by series; a map that cannot be found is missing.
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
        """Return the name of a power; its id if its map cannot be found."""
        board = self.boards.get(series)
        known = board is not None and power in board.powers
        return power_name(board, power, self.sentences) if board is not None and known else power

    def powers(self, series: str, powers: list[str]) -> str:
        """Return the names of some powers, with commas between them."""
        return ", ".join(self.power(series, power) for power in powers)

    def province(self, series: str, province: str) -> str:
        """Return the name of a province; its id if its map cannot be found."""
        board = self.boards.get(series)
        if board is None or province not in board.provinces:
            return province
        return board.provinces[province].name(self.sentences.lang)

    def map_name(self, series: SeriesFigures) -> str:
        """Return the name of the map of a series; its id if the map cannot be found."""
        board = self.boards.get(series.name)
        return board.name(self.sentences.lang) if board is not None else series.map

    def title(self, series: SeriesFigures) -> str:
        """Return the title of a series: its name and that of its map."""
        return self.say("series-title", series=series.name, map=self.map_name(series))

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
        """Return the bots of a series, with commas between them."""
        return ", ".join(bot.bot for bot in series.bots)

    def change(self, change: Mapping[str, str]) -> str:
        """Return a change in words: ``nobility = 0``."""
        return "; ".join(
            f"{self.say('map')}\N{NO-BREAK SPACE}{value}"
            if key == "map"
            else f"{key}\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}{value}"
            for key, value in change.items()
        )
