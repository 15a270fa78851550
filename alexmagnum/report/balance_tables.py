"""The names and tables of a balance report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from alexmagnum.board.model import Board
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.lab.balance_figures import (
    BalanceFigures,
    BotFigures,
    BotRating,
    Calibration,
    PowerFigures,
    RuleEffect,
    SeriesFigures,
)
from alexmagnum.lab.statistics import Estimate
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
        if self.lang == "it":
            return text.translate(str.maketrans(",.", ".,"))
        return text

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

    def span(self, estimate: Estimate, factor: float = 1, digits: int = 1) -> str:
        """Return an interval: ``12.1–18.4``; a dash if there is none."""
        if estimate.low is None or estimate.high is None:
            return NONE
        low, high = (self.number(factor * end, digits) for end in (estimate.low, estimate.high))
        return f"{low} … {high}" if "−" in low + high else f"{low}–{high}"

    def share(self, estimate: Estimate) -> str:
        """Return a share with its interval: ``16.0 % (12.1–18.4)``."""
        span = self.span(estimate, 100)
        return self.percent(estimate.value) + ("" if span == NONE else f" ({span})")

    def mean(self, estimate: Estimate, digits: int = 1) -> str:
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


CERTAIN = 0.05
"""The adjusted p-value below which a difference is significant."""


TEXT_COLUMNS = frozenset({"opening", "fault"})
"""The columns of texts, apart from the first of each table; all others hold figures."""


def make_table(words: BalanceWords, columns: str, rows: Iterable[Sequence[str]]) -> Table:
    """Return a table with the named columns: the first and :data:`TEXT_COLUMNS` hold texts."""
    first, *rest = columns.split()
    heads = (
        Column(first, words.say(f"column-{first}")),
        *(
            Column(name, words.say(f"column-{name}"), number=name not in TEXT_COLUMNS)
            for name in rest
        ),
    )
    return _fill_table(heads, rows)


def _fill_table(heads: tuple[Column, ...], rows: Iterable[Sequence[str]]) -> Table:
    return Table(heads, tuple(tuple(Cell(text) for text in row) for row in rows))


def _make_power_table(
    words: BalanceWords,
    first: str,
    series: str,
    powers: Iterable[str],
    others: str,
    rows: Iterable[Sequence[str]],
) -> Table:
    """Return a table with a column for each power of a series.

    The column named ``first`` stands before the powers, those named in ``others`` after them.
    """
    heads = (
        Column(first, words.say(f"column-{first}")),
        *(Column(power, words.power(series, power), number=True) for power in powers),
        *(Column(name, words.say(f"column-{name}"), number=True) for name in others.split()),
    )
    return _fill_table(heads, rows)


def _list_share_cells(share: Estimate, words: BalanceWords) -> tuple[str, str]:
    return words.numerals.percent(share.value), words.numerals.span(share, 100)


def order_by_share(series: SeriesFigures) -> list[PowerFigures]:
    """Return the powers of a series by their share of the victories, then of the centres.

    If hardly any game had a winner, the centres alone decide.
    """
    if series.few_decided:
        return sorted(series.powers, key=lambda p: -p.centre_share.value)
    return sorted(series.powers, key=lambda p: (-p.victories.value, -p.centre_share.value))


def tabulate_victories(series: SeriesFigures, words: BalanceWords) -> Table:
    """Return the victories and centres of every power."""
    numerals = words.numerals
    return make_table(
        words,
        "power victories interval alone shared p centre-share interval centres",
        (
            (
                words.power(series.name, power.power),
                *_list_share_cells(power.victories, words),
                str(power.alone),
                str(power.shared),
                NONE if power.p_value is None else format_p(words, power.p_value),
                *_list_share_cells(power.centre_share, words),
                numerals.number(power.centres.value),
            )
            for power in order_by_share(series)
        ),
    )


def format_p(words: BalanceWords, p_value: float) -> str:
    """Return a p-value without its letter."""
    return words.numerals.chance(p_value).removeprefix("p ").removeprefix("= ")


def tabulate_ways(series: SeriesFigures, words: BalanceWords) -> Table:
    """Return the ways in which the games ended."""
    return make_table(
        words,
        "way games share interval",
        (
            (
                words.way(way.way),
                str(way.games),
                *_list_share_cells(way.share, words),
            )
            for way in series.ways
        ),
    )


def tabulate_lives(series: SeriesFigures, words: BalanceWords) -> Table:
    """Return elimination, first contact and nobility of every power."""
    numerals = words.numerals
    with_nobility = any(power.nobility for power in series.powers)
    return make_table(
        words,
        "power eliminated interval eliminated-year contact no-contact"
        + (" nobility" if with_nobility else ""),
        (
            (
                words.power(series.name, power.power),
                *_list_share_cells(power.eliminated, words),
                NONE
                if power.eliminated_year is None
                else numerals.number(power.eliminated_year, 0),
                numerals.mean(power.contact) if power.contact.games else NONE,
                str(power.no_contact),
                *((numerals.mean(power.nobility),) if power.nobility else ()),
            )
            for power in series.powers
        ),
    )


def tabulate_years(series: SeriesFigures, words: BalanceWords) -> Table:
    """Return the mean of the centres by year."""
    return _make_power_table(
        words,
        "year",
        series.name,
        [curve.power for curve in series.curves],
        "games",
        (
            (
                str(mean.year),
                *(words.numerals.mean(curve.centres[i].centres) for curve in series.curves),
                str(mean.centres.games),
            )
            for i, mean in enumerate(series.curves[0].centres)
        ),
    )


def tabulate_openings(series: SeriesFigures, words: BalanceWords) -> Table:
    """Return the variety of every power's openings, and the commonest of them."""
    numerals = words.numerals
    return make_table(
        words,
        "power bits different common-share opening",
        (
            (
                words.power(series.name, opening.power),
                numerals.number(opening.bits, 2),
                str(opening.different),
                numerals.percent(opening.commonest[0].share) if opening.commonest else NONE,
                opening.commonest[0].orders if opening.commonest else NONE,
            )
            for opening in series.openings
        ),
    )


def tabulate_more_openings(series: SeriesFigures, words: BalanceWords) -> Table:
    """Return the commonest openings of every power."""
    return make_table(
        words,
        "power games share opening",
        (
            (
                words.power(series.name, opening.power),
                str(one.games),
                words.numerals.percent(one.share),
                one.orders,
            )
            for opening in series.openings
            for one in opening.commonest
        ),
    )


def tabulate_starts(series: SeriesFigures, words: BalanceWords) -> Table:
    """Return the shares of the powers that began with each centre, the best first."""
    return make_table(
        words,
        "centre games powers victories interval centre-share interval",
        (
            (
                words.province(series.name, start.centre),
                words.numerals.number(start.seats, 0),
                str(len(start.powers)),
                *_list_share_cells(start.victories, words),
                *_list_share_cells(start.centre_share, words),
            )
            for start in series.starts
        ),
    )


def tabulate_rulings(series: SeriesFigures, words: BalanceWords) -> Table:
    """Return the number of times that each ruling decided something."""
    return make_table(
        words,
        "ruling times interval in-games",
        (
            (
                words.ruling(ruling.ruling),
                words.numerals.number(ruling.times.value, 2),
                words.numerals.span(ruling.times, 1, 2),
                words.numerals.percent(ruling.games.value),
            )
            for ruling in series.rulings
            if ruling.times.value
        ),
    )


def tabulate_orders(series: SeriesFigures, words: BalanceWords) -> Table:
    """Return the number of orders of each kind, and the share of successful ones."""
    return make_table(
        words,
        "kind given successful interval",
        (
            (
                words.say(f"order-{order.kind.replace(' ', '-')}"),
                words.numerals.number(order.given.value),
                *_list_share_cells(order.successful, words),
            )
            for order in series.orders
        ),
    )


def tabulate_provinces(series: SeriesFigures, words: BalanceWords) -> Table:
    """Return the use of all provinces, the least used first."""
    return make_table(
        words,
        "province entries in-games battles",
        (
            (
                words.province(series.name, province.province),
                words.numerals.number(province.entries, 2),
                words.numerals.percent(province.used),
                words.numerals.number(province.battles, 2),
            )
            for province in sorted(series.provinces, key=lambda p: (p.entries, p.province))
        ),
    )


def tabulate_bots(bots: Sequence[BotFigures], words: BalanceWords) -> Table:
    """Return the strength of the bots of a series."""
    return make_table(
        words,
        "bot seats victories interval centre-share",
        (
            (
                bot.bot,
                str(bot.seats),
                *_list_share_cells(bot.victories, words),
                words.numerals.percent(bot.centre_share.value),
            )
            for bot in bots
        ),
    )


def tabulate_ratings(ratings: Sequence[BotRating], words: BalanceWords) -> Table:
    """Return the ratings of the bots on one map."""
    return make_table(
        words,
        "bot rating deviation games",
        (
            (
                rating.bot,
                words.numerals.number(rating.mean),
                words.numerals.number(rating.deviation),
                str(rating.games),
            )
            for rating in ratings
        ),
    )


def tabulate_forfeits(series: SeriesFigures, words: BalanceWords) -> Table:
    """Return the bots that forfeited orders."""
    return make_table(
        words,
        "bot forfeits games fault",
        (
            (bot.bot, str(bot.forfeits), str(bot.fault_games), bot.fault or NONE)
            for bot in series.bots
            if bot.forfeits
        ),
    )


# -- what each rule does ------------------------------------------------------------------------


def tabulate_effects(effects: Sequence[RuleEffect], words: BalanceWords) -> Table:
    """Return the effect of each change on the victories of every power, in points."""
    first = effects[0]
    powers = [power.power for power in first.powers]
    return _make_power_table(
        words,
        "change",
        first.series,
        powers,
        "p spread-change years-change pairs",
        (_list_effect_cells(effect, powers, words) for effect in effects),
    )


def _list_effect_cells(
    effect: RuleEffect, powers: Sequence[str], words: BalanceWords
) -> Sequence[str]:
    """Return the cells of one change; ``powers`` are those of the table's columns."""
    by_power = {power.power: power for power in effect.powers}
    before, after = (
        words.numerals.number(100 * spread) for spread in (effect.base_spread, effect.spread)
    )
    return (
        words.change(effect.change) or effect.series,
        *(
            format_effect(words, by_power[power].victories, 100, by_power[power].p_value)
            if power in by_power
            else NONE
            for power in powers
        ),
        NONE if effect.p_value is None else format_p(words, effect.p_value),
        f"{before} → {after}",
        format_effect(words, effect.years, 1, effect.years_p),
        str(effect.pairs),
    )


def format_effect(words: BalanceWords, estimate: Estimate, factor: float, p_value: float) -> str:
    """Return a difference with half its interval; a star marks a significant one."""
    text = words.numerals.signed(factor * estimate.value)
    if estimate.high is not None:
        text += f" ±{words.numerals.number(factor * (estimate.high - estimate.value))}"
    return f"{text} *" if p_value < CERTAIN else text


def tabulate_changed(figures: BalanceFigures, base: str, words: BalanceWords) -> Table:
    """Return the shares of every power in a series and in all series compared with it."""
    group = [s for s in figures.series if base in (s.name, s.base)]
    powers = [power.power for power in group[0].powers]
    return _make_power_table(
        words,
        "series",
        group[0].name,
        powers,
        "spread years games",
        (_list_series_cells(series, powers, words) for series in group),
    )


def _list_series_cells(
    series: SeriesFigures, powers: Sequence[str], words: BalanceWords
) -> Sequence[str]:
    """Return the cells of one series; ``powers`` are those of the table's columns."""
    shares = {power.power: power.victories for power in series.powers}
    return (
        series.name,
        *(words.numerals.share(shares[power]) if power in shares else NONE for power in powers),
        words.numerals.number(100 * series.spread),
        words.numerals.mean(series.length.years),
        str(series.games),
    )


# -- calibration --------------------------------------------------------------------------------


def tabulate_calibration(calibrations: Sequence[Calibration], words: BalanceWords) -> Table:
    """Return the agreement of a series' ranking with the ranking of every source."""
    numerals = words.numerals
    return make_table(
        words,
        "source measure people-games decided spearman interval kendall interval agreement",
        (
            (
                name_source(found, words),
                words.say(f"measure-{found.measure}"),
                numerals.number(found.source.games, 0),
                numerals.number(found.source.decided, 0) if found.source.decided else NONE,
                numerals.number(found.spearman.value, 2),
                numerals.span(found.spearman, 1, 2),
                numerals.number(found.kendall.value, 2),
                numerals.span(found.kendall, 1, 2),
                numerals.percent(found.chance),
            )
            for found in calibrations
        ),
    )


def name_source(calibration: Calibration, words: BalanceWords) -> str:
    """Return the title of a source."""
    return calibration.source.title.get(words.sentences.lang) or words.say("pooled")


def tabulate_people(
    series: SeriesFigures, calibrations: Sequence[Calibration], words: BalanceWords
) -> Table:
    """Return the shares of every power in the series, next to those in games of people."""
    numerals = words.numerals
    sources = [c.source for c in calibrations]
    heads = (
        Column("power", words.say("column-power")),
        Column("lab", words.say("column-lab"), number=True),
        Column("centres", words.say("column-centre-share"), number=True),
        *(
            Column(source.source, name_source(found, words), number=True)
            for source, found in zip(sources, calibrations, strict=True)
        ),
    )
    rows = []
    for power in order_by_share(series):
        cells = [
            words.power(series.name, power.power),
            numerals.share(power.victories),
            numerals.share(power.centre_share),
        ]
        for source in sources:
            if source.wins:
                share = source.wins[power.power] / sum(source.wins.values())
                cells.append(f"{numerals.percent(share)} ({source.wins[power.power]})")
            else:
                rank = source.ranks[power.power]
                cells.append(words.say("rank", rank=numerals.number(rank, 1 if rank % 1 else 0)))
        rows.append(cells)
    return _fill_table(heads, rows)
