"""The names and tables of a balance report."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from alexmagnum.board.model import Board
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.lab import balance_figures as measures
from alexmagnum.notation.names import power_name
from alexmagnum.report.document import Cell, Column, Table

# Figures as people of a language write them: shares, points, means and intervals.


NONE = "–"
"""The sign in the place of a figure that does not exist."""


@dataclass(frozen=True, slots=True)
class Numerals:
    """Writes figures in a language.

    >>> Numerals("it").number(1234.56), Numerals("en").signed(-2.04), Numerals("en").signed(0.3)
    ('1.234,6', '−2.0', '+0.3')
    """

    lang: str

    def number(self, value: float, digits: int = 1) -> str:
        """Return a number with some digits after the point, thousands apart."""
        text = f"{value:,.{digits}f}".replace("-", "−")
        if float(f"{value:.{digits}f}") == 0:
            text = text.removeprefix("−")
        return text.translate(str.maketrans(",.", ".,")) if self.lang == "it" else text

    def signed(self, value: float, digits: int = 1) -> str:
        """Return a number with its sign; 0 has none."""
        text = self.number(value, digits)
        return text if text.startswith("−") or not text.strip("0,.") else f"+{text}"

    def percent(self, share: float, digits: int = 1) -> str:
        """Return a share as a percentage."""
        return f"{self.number(100 * share, digits)}\N{NO-BREAK SPACE}%"

    def whole_percent(self, percentage: float) -> str:
        """Return a percentage without decimals: ``17 %`` for 16.7."""
        return self.percent(percentage / 100, 0)

    def span(self, estimate: measures.Estimate, factor: float = 1, digits: int = 1) -> str:
        """Return an interval: ``12.1–18.4``; a dash if there is none."""
        if estimate.low is None or estimate.high is None:
            return NONE
        low, high = (self.number(factor * end, digits) for end in (estimate.low, estimate.high))
        return f"{low} … {high}" if "−" in low + high else f"{low}–{high}"

    def share(self, estimate: measures.Estimate) -> str:
        """Return a share with its interval: ``16.0 % (12.1–18.4)``."""
        span = self.span(estimate, 100)
        return self.percent(estimate.value) + ("" if span == NONE else f" ({span})")

    def mean(self, estimate: measures.Estimate, digits: int = 1) -> str:
        """Return a mean with its interval: ``5.2 (4.9–5.5)``."""
        span = self.span(estimate, 1, digits)
        return self.number(estimate.value, digits) + ("" if span == NONE else f" ({span})")

    def chance(self, p_value: float) -> str:
        """Return a p-value: ``p = 0.04``, or ``p < 0.001``."""
        if p_value < 0.001:
            return f"p < {self.number(0.001, 3)}"
        return f"p = {self.number(p_value, 3 if p_value < 0.1 else 2)}"


# The names in a balance report in its language: powers, provinces, rulings, bots, changes.


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
        if (board := self.boards.get(series)) is None or power not in board.powers:
            return power
        return power_name(board, power, self.sentences)

    def province(self, series: str, province: str) -> str:
        """Return the name of a province; its id if its map cannot be found."""
        if (board := self.boards.get(series)) is None or province not in board.provinces:
            return province
        return board.provinces[province].name(self.sentences.lang)

    def map_name(self, series: measures.SeriesFigures) -> str:
        """Return the name of the map of a series; its id if the map cannot be found."""
        board = self.boards.get(series.name)
        return board.name(self.sentences.lang) if board is not None else series.map

    def title(self, series: measures.SeriesFigures) -> str:
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

    def list_grounds(self, series: Sequence[measures.SeriesFigures]) -> Mapping[str, Board]:
        """Return a board for each of the different maps of some series, by its name."""
        known = (self.boards.get(one.name) for one in series)
        return {self.ground(board): board for board in known if board is not None}

    def bots(self, series: measures.SeriesFigures) -> str:
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


CERTAIN = 0.05
"""The adjusted p-value below which a difference is significant."""


def make_table(words: BalanceWords, columns: str, rows: Iterable[Sequence[str]]) -> Table:
    """Return a table with the named columns; all but the first hold figures, unless they are the
    texts of openings or faults."""
    heads = [
        Column(name, words.say(f"column-{name}"), number=i > 0 and name not in ("opening", "fault"))
        for i, name in enumerate(columns.split())
    ]
    return _fill_table(heads, rows)


def _fill_table(heads: Iterable[Column], rows: Iterable[Sequence[str]]) -> Table:
    return Table(tuple(heads), tuple(tuple(Cell(text) for text in row) for row in rows))


def _make_power_table(
    words: BalanceWords,
    series: str,
    powers: Iterable[str],
    columns: str,
    rows: Iterable[Sequence[str]],
) -> Table:
    """Return a table whose first column is followed by one for each power of a series."""
    first, *others = make_table(words, columns, ()).columns
    named = (Column(power, words.power(series, power), number=True) for power in powers)
    return _fill_table((first, *named, *others), rows)


def order_by_share(series: measures.SeriesFigures) -> list[measures.PowerFigures]:
    """Return the powers of a series by their share of the victories, then of the centres; by the
    centres alone if hardly any game had a winner."""
    if series.few_decided:
        return sorted(series.powers, key=lambda p: -p.centre_share.value)
    return sorted(series.powers, key=lambda p: (-p.victories.value, -p.centre_share.value))


def format_p(words: BalanceWords, p_value: float | None) -> str:
    """Return a p-value without its letter; a dash if there is none."""
    if p_value is None:
        return NONE
    return words.numerals.chance(p_value).removeprefix("p ").removeprefix("= ")


class SeriesTables:
    """The tables about one series."""

    def __init__(self, series: measures.SeriesFigures, words: BalanceWords) -> None:
        self.series = series
        self.words = words
        self.numerals = words.numerals

    def power(self, power: str) -> str:
        """Return the name of a power."""
        return self.words.power(self.series.name, power)

    def province(self, province: str) -> str:
        """Return the name of a province."""
        return self.words.province(self.series.name, province)

    def _share(self, share: measures.Estimate) -> tuple[str, str]:
        return self.numerals.percent(share.value), self.numerals.span(share, 100)

    def victories(self) -> Table:
        """Return the victories and centres of every power."""
        columns = "power victories interval alone shared p centre-share interval centres"
        rows = (
            (
                self.power(power.power),
                *self._share(power.victories),
                str(power.alone),
                str(power.shared),
                format_p(self.words, power.p_value),
                *self._share(power.centre_share),
                self.numerals.number(power.centres.value),
            )
            for power in order_by_share(self.series)
        )
        return make_table(self.words, columns, rows)

    def ways(self) -> Table:
        """Return the ways in which the games ended."""
        rows = (
            (self.words.way(way.way), str(way.games), *self._share(way.share))
            for way in self.series.ways
        )
        return make_table(self.words, "way games share interval", rows)

    def lives(self) -> Table:
        """Return elimination, first contact and nobility of every power."""
        numerals, powers = self.numerals, self.series.powers
        columns = "power eliminated interval eliminated-year contact no-contact"
        if any(power.nobility for power in powers):
            columns += " nobility"
        rows = []
        for power in powers:
            year = power.eliminated_year
            row = (
                self.power(power.power),
                *self._share(power.eliminated),
                NONE if year is None else numerals.number(year, 0),
                numerals.mean(power.contact) if power.contact.games else NONE,
                str(power.no_contact),
            )
            rows.append((*row, numerals.mean(power.nobility)) if power.nobility else row)
        return make_table(self.words, columns, rows)

    def years(self) -> Table:
        """Return the mean of the centres by year."""
        curves, mean = self.series.curves, self.numerals.mean
        rows = (
            (
                str(first.year),
                *(mean(curve.centres[i].centres) for curve in curves),
                str(first.centres.games),
            )
            for i, first in enumerate(curves[0].centres)
        )
        powers = [curve.power for curve in curves]
        return _make_power_table(self.words, self.series.name, powers, "year games", rows)

    def openings(self) -> Table:
        """Return the variety of every power's openings, and the commonest of them."""
        rows = []
        for opening in self.series.openings:
            common = opening.commonest[0] if opening.commonest else None
            row = (
                self.power(opening.power),
                self.numerals.number(opening.bits, 2),
                str(opening.different),
                self.numerals.percent(common.share) if common else NONE,
                common.orders if common else NONE,
            )
            rows.append(row)
        return make_table(self.words, "power bits different common-share opening", rows)

    def more_openings(self) -> Table:
        """Return the commonest openings of every power."""
        percent = self.numerals.percent
        rows = (
            (self.power(opening.power), str(one.games), percent(one.share), one.orders)
            for opening in self.series.openings
            for one in opening.commonest
        )
        return make_table(self.words, "power games share opening", rows)

    def starts(self) -> Table:
        """Return the shares of the powers that began with each centre, the best first."""
        rows = (
            (
                self.province(start.centre),
                self.numerals.number(start.seats, 0),
                str(len(start.powers)),
                *self._share(start.victories),
                *self._share(start.centre_share),
            )
            for start in self.series.starts
        )
        columns = "centre games powers victories interval centre-share interval"
        return make_table(self.words, columns, rows)

    def rulings(self) -> Table:
        """Return the number of times that each ruling decided something."""
        rows = (
            (
                self.words.ruling(ruling.ruling),
                self.numerals.number(ruling.times.value, 2),
                self.numerals.span(ruling.times, 1, 2),
                self.numerals.percent(ruling.games.value),
            )
            for ruling in self.series.rulings
            if ruling.times.value
        )
        return make_table(self.words, "ruling times interval in-games", rows)

    def orders(self) -> Table:
        """Return the number of orders of each kind, and the share of successful ones."""
        rows = (
            (
                self.words.say(f"order-{order.kind.replace(' ', '-')}"),
                self.numerals.number(order.given.value),
                *self._share(order.successful),
            )
            for order in self.series.orders
        )
        return make_table(self.words, "kind given successful interval", rows)

    def provinces(self) -> Table:
        """Return the use of all provinces, the least used first."""
        rows = (
            (
                self.province(province.province),
                self.numerals.number(province.entries, 2),
                self.numerals.percent(province.used),
                self.numerals.number(province.battles, 2),
            )
            for province in sorted(self.series.provinces, key=lambda p: (p.entries, p.province))
        )
        return make_table(self.words, "province entries in-games battles", rows)

    def bots(self) -> Table:
        """Return the strength of the bots."""
        rows = (
            (
                bot.bot,
                str(bot.seats),
                *self._share(bot.victories),
                self.numerals.percent(bot.centre_share.value),
            )
            for bot in self.series.bots
        )
        return make_table(self.words, "bot seats victories interval centre-share", rows)

    def forfeits(self) -> Table:
        """Return the bots that forfeited orders."""
        rows = (
            (bot.bot, str(bot.forfeits), str(bot.fault_games), bot.fault or NONE)
            for bot in self.series.bots
            if bot.forfeits
        )
        return make_table(self.words, "bot forfeits games fault", rows)

    def people(self, calibrations: Sequence[measures.Calibration]) -> Table:
        """Return the shares of every power, next to those in games of people."""
        numerals, words = self.numerals, self.words
        heads = (
            Column("power", words.say("column-power")),
            Column("lab", words.say("column-lab"), number=True),
            Column("centres", words.say("column-centre-share"), number=True),
            *(Column(c.source.source, name_source(c, words), number=True) for c in calibrations),
        )
        rows = []
        for power in order_by_share(self.series):
            row = [self.power(power.power)]
            row += map(numerals.share, (power.victories, power.centre_share))
            for source in (c.source for c in calibrations):
                if source.wins:
                    share = source.wins[power.power] / sum(source.wins.values())
                    row.append(f"{numerals.percent(share)} ({source.wins[power.power]})")
                else:
                    rank = source.ranks[power.power]
                    row.append(words.say("rank", rank=numerals.number(rank, 1 if rank % 1 else 0)))
            rows.append(row)
        return _fill_table(heads, rows)


def tabulate_ratings(ratings: Sequence[measures.BotRating], words: BalanceWords) -> Table:
    """Return the ratings of the bots on one map."""
    number = words.numerals.number
    rows = ((r.bot, number(r.mean), number(r.deviation), str(r.games)) for r in ratings)
    return make_table(words, "bot rating deviation games", rows)


# -- what each rule does ------------------------------------------------------------------------


def tabulate_effects(effects: Sequence[measures.RuleEffect], words: BalanceWords) -> Table:
    """Return the effect of each change on the victories of every power, in points."""
    powers = [power.power for power in effects[0].powers]
    rows = []
    for effect in effects:
        found = {p.power: format_effect(words, p.victories, 100, p.p_value) for p in effect.powers}
        spreads = (effect.base_spread, effect.spread)
        row = (
            words.change(effect.change) or effect.series,
            *(found.get(power, NONE) for power in powers),
            format_p(words, effect.p_value),
            " → ".join(words.numerals.number(100 * spread) for spread in spreads),
            format_effect(words, effect.years, 1, effect.years_p),
            str(effect.pairs),
        )
        rows.append(row)
    columns = "change p spread-change years-change pairs"
    return _make_power_table(words, effects[0].series, powers, columns, rows)


def format_effect(
    words: BalanceWords, estimate: measures.Estimate, factor: float, p_value: float
) -> str:
    """Return a difference with half its interval; a star marks a significant one."""
    text = words.numerals.signed(factor * estimate.value)
    if estimate.high is not None:
        text += f" ±{words.numerals.number(factor * (estimate.high - estimate.value))}"
    return f"{text} *" if p_value < CERTAIN else text


def tabulate_changed(figures: measures.BalanceFigures, base: str, words: BalanceWords) -> Table:
    """Return the shares of every power in a series and in all series compared with it."""
    group = [s for s in figures.series if base in (s.name, s.base)]
    powers = [power.power for power in group[0].powers]
    rows = []
    for series in group:
        shares = {p.power: words.numerals.share(p.victories) for p in series.powers}
        row = (
            series.name,
            *(shares.get(power, NONE) for power in powers),
            words.numerals.number(100 * series.spread),
            words.numerals.mean(series.length.years),
            str(series.games),
        )
        rows.append(row)
    return _make_power_table(words, group[0].name, powers, "series spread years games", rows)


# -- calibration --------------------------------------------------------------------------------


def tabulate_calibration(
    calibrations: Sequence[measures.Calibration], words: BalanceWords
) -> Table:
    """Return the agreement of a series' ranking with the ranking of every source."""
    numerals = words.numerals
    columns = "source measure people-games decided spearman interval kendall interval agreement"
    rows = []
    for found in calibrations:
        decided = found.source.decided
        row = [
            name_source(found, words),
            words.say(f"measure-{found.measure}"),
            numerals.number(found.source.games, 0),
            numerals.number(decided, 0) if decided else NONE,
        ]
        for correlation in (found.spearman, found.kendall):
            row += [numerals.number(correlation.value, 2), numerals.span(correlation, 1, 2)]
        rows.append([*row, numerals.percent(found.chance)])
    return make_table(words, columns, rows)


def name_source(calibration: measures.Calibration, words: BalanceWords) -> str:
    """Return the title of a source."""
    return calibration.source.title.get(words.sentences.lang) or words.say("pooled")
