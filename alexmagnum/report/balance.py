"""The balance report as a document, with its verdict, laid out as a page or as Markdown."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import ceil

from markupsafe import Markup, escape

from alexmagnum.board.model import Board
from alexmagnum.draw.scene import font_faces_css
from alexmagnum.i18n.sentences import Sentences, load_sentences
from alexmagnum.lab import balance_figures
from alexmagnum.lab.balance_figures import BalanceFigures, Estimate, PowerFigures, SeriesFigures
from alexmagnum.report import balance_plots as plots
from alexmagnum.report import balance_tables
from alexmagnum.report.balance_tables import CERTAIN, BalanceWords, SeriesTables, name_source
from alexmagnum.report.document import Items, Prose, Table, escape_cell
from alexmagnum.report.formats import load_document_templates


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture of a page, which Markdown leaves out, with its title and caption.

    Attributes:
        draw: draws the picture as an SVG element without a title.
        description: the contents of the picture in words, for people who do not see it.
        caption: the text below the picture.
        legend: pairs of a style class and its meaning.
        wide: the picture takes the whole width of the page.
    """

    key: str
    title: str
    description: str
    caption: str
    draw: Callable[[], str]
    legend: tuple[tuple[str, str], ...] = ()
    wide: bool = False


@dataclass(frozen=True, slots=True)
class Folded:
    """A table under a line of text; the page shows it when the reader opens that line."""

    title: str
    table: Table


BalanceBlock = Prose | Items | Table | Figure | Folded


@dataclass(frozen=True, slots=True)
class BalanceSection:
    """A section of the report; ``level`` is the level of its heading, 2 or 3."""

    key: str
    title: str
    blocks: tuple[BalanceBlock, ...]
    level: int = 2


@dataclass(frozen=True, slots=True)
class BalanceReport:
    """A whole report.

    Attributes:
        facts: the labels and values at the head of the report.
        colors: by the name of a colour variable of the page, its colour in the light and in the
            dark appearance.
        outlines: the shapes of provinces, of which all maps of the page are made.
    """

    title: str
    subtitle: str
    lang: str
    facts: tuple[tuple[str, str], ...]
    sections: tuple[BalanceSection, ...]
    colors: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    outlines: tuple[str, ...] = ()


# The verdict of a balance report in words: the findings of a sample, and their limits.


def give_verdict(
    series: SeriesFigures, calibrations: Sequence[balance_figures.Calibration], words: BalanceWords
) -> Iterator[str]:
    """Yield the sentences of the verdict on one series, with the calibrations of that series."""
    yield words.say(
        "sample",
        games=words.numerals.number(series.games, 0),
        bots=words.bots(series),
        powers=len(series.powers),
        par=words.numerals.percent(1 / len(series.powers)),
    )
    if series.planned is not None and series.games < series.planned:
        yield words.say("half", games=series.games, planned=series.planned)
    if series.games == 1:
        yield words.say("one-game")
        return
    if series.fixed_bots:
        yield words.say("fixed-bots")
    if len(series.bots) > 1:
        won = "; ".join(f"{bot.bot} {words.numerals.share(bot.victories)}" for bot in series.bots)
        yield words.say("bots-won", listed=won)
    yield from (
        _compare_centres(series, words) if series.few_decided else _compare_victories(series, words)
    )
    for found in calibrations[:1]:
        yield words.say(
            "agreement",
            source=name_source(found, words),
            correlation=words.numerals.number(found.spearman.value, 2),
            interval=words.numerals.span(found.spearman, 1, 2),
            chance=words.numerals.percent(found.chance, 0),
        )


def _compare_victories(series: SeriesFigures, words: BalanceWords) -> Iterator[str]:
    if series.decided < series.games:
        yield words.say(
            "undecided", games=series.games - series.decided, par=words.numerals.percent(series.par)
        )
    yield from _test_equality(series, words)
    yield from _sort_powers(series, words)
    yield from _size_up(series, words)


def _compare_centres(series: SeriesFigures, words: BalanceWords) -> Iterator[str]:
    if series.decided == series.games:
        yield words.say("few-games", games=series.games)
    elif series.decided:
        yield words.say("few-winners", decided=series.decided, games=series.games)
    else:
        yield words.say("no-winner")
    groups: dict[str, list[str]] = {}
    for power in sorted(series.powers, key=lambda p: -p.centre_share.value):
        side = "above" if power.centre_share.value > 1 / len(series.powers) else "below"
        groups.setdefault(side if power.centre_p < CERTAIN else "level", []).append(
            f"{words.power(series.name, power.power)} {words.numerals.share(power.centre_share)}"
        )
    for key in ("above", "below", "level"):
        if key in groups:
            yield words.say(f"centres-{key}", powers="; ".join(groups[key]))
    if series.decided < series.games:
        yield words.say("more-years")
    enough = ceil(balance_figures.FEW * len(series.powers))
    if series.games < enough:
        yield words.say("more-games", games=enough)


def _test_equality(series: SeriesFigures, words: BalanceWords) -> Iterator[str]:
    if (test := series.equality) is None:
        yield words.say("all-shared")
        return
    proven = test.p_value < CERTAIN
    yield words.say(
        "uneven" if proven else "not-uneven",
        chance=words.numerals.chance(test.p_value),
        detectable=words.numerals.number(100 * series.sample.detectable),
    )
    if proven and series.spread:
        yield words.say("spread", points=words.numerals.number(100 * series.spread))


def _sort_powers(series: SeriesFigures, words: BalanceWords) -> Iterator[str]:
    groups: dict[str, list[PowerFigures]] = {}
    for power in balance_tables.order_by_share(series):
        groups.setdefault(place_power(power, series.par), []).append(power)
    for key in ("above", "below", "perhaps-above", "perhaps-below"):
        if key in groups:
            yield words.say(key, powers=_list_shares(series, groups[key], words))
    if len(level := groups.get("level", [])) == len(series.powers):
        yield words.say("all-level", powers=_list_shares(series, level, words))
    elif level:
        yield words.say("level", powers=_list_shares(series, level, words))


def place_power(power: PowerFigures, par: float) -> str:
    """Return ``above``, ``below``, ``level``, or ``perhaps-...`` if only the interval shows it.

    Among several intervals, one easily leaves out par by chance, so that alone is no proof.
    """
    side = "above" if power.victories.value > par else "below"
    if power.p_value is not None and power.p_value < CERTAIN:
        return side
    return f"perhaps-{side}" if power.victories.excludes(par) else "level"


def _list_shares(series: SeriesFigures, powers: list[PowerFigures], words: BalanceWords) -> str:
    return "; ".join(
        f"{words.power(series.name, power.power)} {words.numerals.share(power.victories)}"
        for power in powers
    )


def _size_up(series: SeriesFigures, words: BalanceWords) -> Iterator[str]:
    sample, numerals = series.sample, words.numerals
    yield words.say(
        "margin",
        margin=numerals.number(100 * sample.margin),
        games=numerals.number(sample.point_games, 0),
    )
    if sample.nearest and sample.nearest_games is not None:
        one, other = (words.power(series.name, power) for power in sample.nearest)
        yield words.say(
            "nearest" if sample.nearest_games > series.games else "nearest-told",
            one=one,
            other=other,
            points=numerals.number(100 * sample.nearest_difference),
            games=numerals.number(round_off(sample.nearest_games), 0),
        )


def round_off(games: int) -> int:
    """Return a number of games rounded to two digits, as precise as an estimate is.

    >>> round_off(533324), round_off(87)
    (530000, 87)
    """
    return round(games, 2 - len(str(games)))


def judge_effect(effect: balance_figures.RuleEffect, words: BalanceWords) -> str:
    """Return a sentence on the effect of a change."""
    change = words.change(effect.change) or effect.series
    parts = [
        words.say(
            "effect-power",
            power=words.power(effect.series, power.power),
            points=words.numerals.signed(100 * power.victories.value),
            interval=words.numerals.span(power.victories, 100),
        )
        for power in effect.powers
        if power.p_value < CERTAIN
    ]
    if effect.years_p < CERTAIN:
        parts.append(
            words.say(
                "effect-years",
                years=words.numerals.signed(effect.years.value),
                interval=words.numerals.span(effect.years),
            )
        )
    if parts:
        return words.say("effect", change=change, parts="; ".join(parts))
    if effect.same == effect.pairs > 1:
        # Differences that are all 0 have no variance, but the next game may differ.
        _, reach = balance_figures.wilson_interval(0, effect.pairs)
        points = words.numerals.number(100 * reach)
        return words.say("effect-same", change=change, pairs=effect.pairs, points=points)
    ends = [
        abs(end)
        for power in effect.powers
        for end in (power.victories.low, power.victories.high)
        if end is not None
    ]
    if effect.p_value is None or max(ends) >= 1:  # no share can change by more than all
        return words.say("effect-unknown", change=change)
    return words.say(
        "effect-some" if effect.p_value < CERTAIN else "effect-none",
        change=change,
        chance=words.numerals.chance(effect.p_value),
        points=words.numerals.number(100 * max(ends)),
    )


# Compose a balance report from its figures: sections with words, tables and plots.


LEAST_USED = 12
"""The number of provinces in the list of the least used ones."""


def compose_balance_report(
    figures: BalanceFigures, boards: Mapping[str, Board], sentences: Sentences
) -> BalanceReport:
    """Return the report on some series.

    ``boards`` holds the board of each series by the name of the series.  If a map cannot be found,
    its series has no board, and the report calls the powers by their ids.
    """
    words = BalanceWords(sentences, boards)
    names = {series.name for series in figures.series}
    main = [series for series in figures.series if series.base not in names]
    return BalanceReport(
        title=words.say("title"),
        subtitle=", ".join(dict.fromkeys(map(words.map_name, main))),
        lang=sentences.lang,
        facts=tuple(_list_facts(figures, words)),
        sections=(
            *_compose_verdicts(main, figures, words),
            *(
                section
                for number, series in enumerate(figures.series)
                if series in main
                for section in (
                    *_SeriesSections(series, number, words).list_all(),
                    *_compose_effects(series, figures, words),
                )
            ),
            *_compose_strength(figures, words),
            *_compose_calibration(figures, words),
            BalanceSection(
                "limits",
                words.say("limits-title"),
                (Prose((words.say("limits"), words.say("intervals"))),),
            ),
        ),
        colors=plots.list_colors(figures, boards),
        outlines=tuple(
            plots.draw_outlines(board, ground) for ground, board in words.list_grounds(main).items()
        ),
    )


def _list_facts(figures: BalanceFigures, words: BalanceWords) -> Iterator[tuple[str, str]]:
    games = sum(series.games for series in figures.series)
    bots = dict.fromkeys(bot.bot for series in figures.series for bot in series.bots)
    yield words.say("fact-games"), words.numerals.number(games, 0)
    yield words.say("fact-series"), str(len(figures.series))
    yield words.say("fact-bots"), ", ".join(bots)


def _key(series: SeriesFigures, part: str = "about") -> str:
    """Return the id of a part of a series in the page, unlike the ids of all other sections."""
    return f"series-{series.name}-{part}"


# -- the verdict --------------------------------------------------------------------------------


def _compose_verdicts(
    main: list[SeriesFigures], figures: BalanceFigures, words: BalanceWords
) -> Iterator[BalanceSection]:
    yield BalanceSection("verdict", words.say("verdict-title"), (Prose((words.say("tactical"),)),))
    for series in main:
        own = [c for c in figures.calibrations if c.series == series.name]
        verdict = Items(tuple(give_verdict(series, own, words)))
        yield BalanceSection(_key(series, "verdict"), words.title(series), (verdict,), level=3)
    if figures.unplayed:
        text = Prose((words.say("unplayed", series=", ".join(figures.unplayed)),))
        yield BalanceSection("unplayed", words.say("unplayed-title"), (text,), level=3)
    if figures.effects:
        verdict = Items(tuple(judge_effect(effect, words) for effect in figures.effects))
        yield BalanceSection("verdict-changes", words.say("changes-title"), (verdict,), level=3)


# -- one series ---------------------------------------------------------------------------------


class _SeriesSections:
    """Writes the sections on one series; ``number`` is its place among all series, from 0."""

    def __init__(self, series: SeriesFigures, number: int, words: BalanceWords) -> None:
        self.series = series
        self.number = number
        self.words = words
        self.say = words.say
        self.numerals = words.numerals
        self.tables = SeriesTables(series, words)

    def list_all(self) -> Iterator[BalanceSection]:
        series, say, tables = self.series, self.say, self.tables
        games = self.numerals.number(series.games, 0)
        texts = [say("series-about", games=games, bots=self.words.bots(series))]
        rules = "; ".join(f"{key} = {value}" for key, value in series.rules.items())
        texts += [say("series-rules", rules=rules)] if rules else []
        yield BalanceSection(_key(series), self.words.title(series), (Prose(tuple(texts)),))
        parts: Mapping[str, Iterable[BalanceBlock]] = {
            "victories": (*self._plot_shares(), tables.victories()),
            "endings": (self._plot_endings(), tables.ways()),
            "years": self._show_years(),
            "starts": self._show_starts(),
            "openings": (
                Prose((say("openings-about"),)),
                tables.openings(),
                Folded(say("openings-more"), tables.more_openings()),
            ),
            "map": self._show_map(),
            "fights": self._show_fights(),
            "orders": (tables.orders(),),
            "forfeits": (tables.forfeits(),) if any(bot.forfeits for bot in series.bots) else (),
        }
        for key, found in parts.items():
            if blocks := tuple(found):
                yield BalanceSection(_key(series, key), say(f"{key}-title"), blocks, level=3)

    def _plot_shares(self) -> Iterator[Figure]:
        powers, series = self.series.powers, self.series
        if not series.few_decided:
            yield self._plot_share("victories-plot", [p.victories for p in powers], series.par)
        yield self._plot_share(
            "centre-share-plot", [p.centre_share for p in powers], 1 / len(powers)
        )

    def _plot_share(self, plot: str, shares: Sequence[Estimate], par: float) -> Figure:
        rows = [
            (self.tables.power(power.power), share, plots.color_name(self.number, i))
            for i, (power, share) in enumerate(zip(self.series.powers, shares, strict=True))
        ]
        rows.sort(key=lambda row: -row[1].value)
        return _plot_against_par(_key(self.series, plot), plot, rows, par, self.words)

    def _plot_endings(self) -> Figure:
        length, numerals = self.series.length, self.numerals
        ways = ("centres", "nobility", "last year", "shared", "limit")  # the order of their colours
        stacks = [plots.Stack(self.words.way(way), length.ended.get(way, {})) for way in ways]
        key = _key(self.series, "endings-plot")
        about = self.say(
            "plot-endings",
            median=numerals.number(length.median, 1 if length.median % 1 else 0),
            shortest=length.shortest,
            longest=length.longest,
            mean=numerals.mean(length.years),
            phases=numerals.mean(length.phases),
        )
        plot = partial(plots.plot_stacks, key, stacks)
        return Figure(key, self.say("endings-plot"), about, about, plot)

    def _show_years(self) -> Iterator[BalanceBlock]:
        curves, numerals = self.series.curves, self.numerals
        paths = [
            plots.Path2D(
                self.tables.power(curve.power),
                plots.color_name(self.number, i),
                tuple(float(mean.year) for mean in curve.centres),
                tuple(mean.centres.value for mean in curve.centres),
                tuple(_end(mean.centres, mean.centres.low) for mean in curve.centres),
                tuple(_end(mean.centres, mean.centres.high) for mean in curve.centres),
                numerals.number(curve.centres[-1].centres.value),
            )
            for i, curve in enumerate(curves)
        ]
        about = self.say("plot-years", year=curves[0].centres[-1].year, listed=_list_ends(paths))
        key = _key(self.series, "years-plot")
        plot = partial(plots.plot_paths, key, paths, lambda x: numerals.number(x, 0))
        title, caption = self.say("years-plot"), self.say("years-caption")
        yield Figure(key, title, about, caption, plot)
        if any(curve.survival for curve in curves):
            paths = [self._trace_survival(i, curve) for i, curve in enumerate(curves)]
            about = self.say("plot-survival", listed=_list_ends(paths))
            key = _key(self.series, "survival-plot")
            plot = partial(plots.plot_paths, key, paths, numerals.whole_percent)
            title, caption = self.say("survival-plot"), self.say("survival-caption")
            yield Figure(key, title, about, caption, plot)
        yield self.tables.lives()
        yield Folded(self.say("years-more"), self.tables.years())

    def _trace_survival(self, i: int, curve: balance_figures.PowerCurves) -> plots.Path2D:
        years, alive, low, high = [0.0], [100.0], [100.0], [100.0]
        for step in curve.survival:
            years += [float(step.year)] * 2
            alive += [alive[-1], 100 * step.alive]
            low += [low[-1], 100 * step.low]
            high += [high[-1], 100 * step.high]
        return plots.Path2D(
            self.tables.power(curve.power),
            plots.color_name(self.number, i),
            (*years, float(self.series.length.longest)),
            (*alive, alive[-1]),
            (*low, low[-1]),
            (*high, high[-1]),
            self.numerals.percent(alive[-1] / 100, 0),
        )

    def _show_starts(self) -> Iterator[BalanceBlock]:
        series = self.series
        if any(len(start.powers) > 1 or start.seats < series.games for start in series.starts):
            yield Prose((self.say("starts-about"),))
            yield self.tables.starts()

    def _show_map(self) -> Iterator[BalanceBlock]:
        series, say, words = self.series, self.say, self.words
        board = words.boards.get(series.name)
        never = [p.province for p in series.provinces if not p.entries]
        used = sorted(
            (p for p in series.provinces if p.entries), key=lambda p: (p.entries, p.province)
        )
        names = ", ".join(sorted(map(self.tables.province, never)))
        about = say("never-used", count=len(never), provinces=names) if never else say("all-used")
        if board is not None:
            shades = list(plots.list_shades(series.provinces, words))
            yield Figure(
                _key(series, "map-plot"),
                say("map-plot"),
                say("plot-map", shades="; ".join(text for _, text in shades)),
                "",
                partial(
                    plots.draw_use, board, words.ground(board), series.provinces, series.name, words
                ),
                legend=tuple((f"u{shade}", text) for shade, text in shades),
                wide=True,
            )
        uses = "; ".join(
            f"{self.tables.province(p.province)} {self.numerals.number(p.entries, 2)}"
            for p in used[:LEAST_USED]
        )
        yield Prose((about, say("least-used", provinces=uses)))
        yield Folded(say("map-more"), self.tables.provinces())

    def _show_fights(self) -> Iterator[BalanceBlock]:
        battles, numerals = self.series.battles, self.numerals
        about = self.say(
            "battles",
            battles=numerals.mean(battles.battles),
            sea=numerals.mean(battles.at_sea),
            share=numerals.share(battles.sea_share),
        )
        yield Prose((about, self.say("rulings-about")))
        yield self.tables.rulings()
        unused = [self.words.ruling(r.ruling) for r in self.series.rulings if not r.times.value]
        if unused:
            yield Prose((self.say("rulings-never", rulings=", ".join(unused)),))


def _list_ends(paths: Iterable[plots.Path2D]) -> str:
    return "; ".join(f"{path.name} {path.last}" for path in paths)


def _plot_against_par(
    key: str, title: str, rows: Sequence[tuple[str, Estimate, str]], par: float, words: BalanceWords
) -> Figure:
    """Return a plot of shares with intervals and par; a row is a name, its share and its colour."""
    listed = "; ".join(f"{name} {words.numerals.share(share)}" for name, share, _ in rows)
    ranges = [
        plots.Range(name, 100 * s.value, 100 * _end(s, s.low), 100 * _end(s, s.high), color)
        for name, s, color in rows
    ]
    percent = words.numerals.percent(par)
    return Figure(
        key,
        words.say(title),
        words.say("plot-shares", listed=listed, par=percent),
        words.say("par-line", par=percent),
        partial(plots.plot_ranges, key, ranges, 100 * par, words.numerals.whole_percent),
    )


def _end(estimate: Estimate, end: float | None) -> float:
    return estimate.value if end is None else end


# -- several series ------------------------------------------------------------


def _compose_effects(
    series: SeriesFigures, figures: BalanceFigures, words: BalanceWords
) -> Iterator[BalanceSection]:
    if effects := [effect for effect in figures.effects if effect.base == series.name]:
        yield BalanceSection(
            _key(series, "effects"),
            words.say("effects-title", series=series.name),
            (
                Prose((words.say("effects-about"), words.say("effects-many"))),
                balance_tables.tabulate_effects(effects, words),
                Folded(
                    words.say("effects-more"),
                    balance_tables.tabulate_changed(figures, series.name, words),
                ),
            ),
        )


def _compose_strength(figures: BalanceFigures, words: BalanceWords) -> Iterator[BalanceSection]:
    if not (mixed := [series for series in figures.series if len(series.bots) > 1]):
        return
    yield BalanceSection(
        "strength", words.say("strength-title"), (Prose((words.say("strength-about"),)),)
    )
    for series in mixed:
        rows = [(bot.bot, bot.victories, "mark") for bot in series.bots]
        figure = _plot_against_par(
            _key(series, "strength-plot"), "strength-plot", rows, series.par, words
        )
        blocks = (figure, SeriesTables(series, words).bots())
        yield BalanceSection(_key(series, "strength"), words.title(series), blocks, level=3)
    for map_id in dict.fromkeys(rating.map for rating in figures.ratings):
        ratings = [rating for rating in figures.ratings if rating.map == map_id]
        yield BalanceSection(
            f"ratings-{map_id}",
            words.say("ratings-title", map=map_id),
            (Prose((words.say("ratings-about"),)), balance_tables.tabulate_ratings(ratings, words)),
            level=3,
        )


def _compose_calibration(figures: BalanceFigures, words: BalanceWords) -> Iterator[BalanceSection]:
    if not figures.calibrations:
        return
    yield BalanceSection(
        "calibration", words.say("calibration-title"), (Prose((words.say("calibration-about"),)),)
    )
    for series in figures.series:
        if not (found := [c for c in figures.calibrations if c.series == series.name]):
            continue
        once = [c for c in found if c.measure == found[0].measure]
        lang = words.sentences.lang
        sources = tuple(
            f"{name_source(c, words)}. {c.source.note.get(lang, '')} {c.source.where}"
            for c in once
            if c.source.title
        )
        blocks = (
            balance_tables.tabulate_calibration(found, words),
            SeriesTables(series, words).people(once),
            Prose((words.say("sources"),)),
            Items(sources),
        )
        yield BalanceSection(_key(series, "calibration"), words.title(series), blocks, level=3)


# Lay out a balance report as a page or as Markdown.


BALANCE_FORMATS: Mapping[str, str] = {
    ".html": "balance.html.j2",
    ".htm": "balance.html.j2",
    ".md": "balance.md.j2",
}
"""The template for each ending of a report's file."""


def render_balance_report(report: BalanceReport, suffix: str) -> str:
    """Return a report as the text of a file, with a line end at its end.

    ``suffix`` is one of the endings in :data:`BALANCE_FORMATS`.

    Raises:
        KeyError: no format has this ending.
    """
    template = BALANCE_FORMATS[suffix]
    is_page = template.endswith(".html.j2")
    templates = load_document_templates(
        escape=is_page,
        cell=escape_cell,
        figures=lambda blocks: [block for block in blocks if isinstance(block, Figure)],
        intervals=mark_intervals,
        picture=add_description,
    )
    text = templates.get_template(template).render(
        report=report,
        sentence=load_sentences(report.lang).format,
        fonts=Markup(font_faces_css()) if is_page else "",
    )
    if is_page:
        text = "\n".join(line for line in text.splitlines() if line.strip())
    return text.strip("\n") + "\n"


_INTERVAL = re.compile(
    r"(\(?[−+]?\d(?:[\d.,]*\d)?(?:–| … )[−+]?\d(?:[\d.,]*\d)?\)?|p [=<] \d(?:[.,]\d+)?)"
)
"""An interval of figures, with its brackets if it has them; or a p-value."""


def mark_intervals(text: str) -> Markup:
    """Return HTML that marks intervals and p-values, for the page to keep each on one line.

    >>> mark_intervals("mean 19.2 (18.8–19.7).")
    Markup('mean 19.2 <span class="interval">(18.8–19.7)</span>.')
    """
    marked = Markup('<span class="interval">{}</span>')
    parts = _INTERVAL.split(text)  # the odd ones are intervals
    return Markup().join(marked.format(part) if i % 2 else part for i, part in enumerate(parts))


def add_description(figure: Figure) -> Markup:
    """Return the SVG element of a figure with its title and description."""
    head, rest = figure.draw().split(">", 1)
    key = escape(figure.key)
    return Markup(
        f'{head} role="img" aria-labelledby="{key}-title {key}-description">'
        f'<title id="{key}-title">{escape(figure.title)}</title>'
        f'<desc id="{key}-description">{escape(figure.description)}</desc>'
        f'<g aria-hidden="true">{rest.replace("</svg>", "</g></svg>")}'
    )
