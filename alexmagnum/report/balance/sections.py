"""Compose a balance report from its figures: sections with words, tables and plots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from alexmagnum.board.model import Board
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.lab.balance_figures import (
    BalanceFigures,
    Calibration,
    PowerFigures,
    SeriesFigures,
)
from alexmagnum.lab.intervals import Estimate
from alexmagnum.report.balance.colors import color_name, list_colors
from alexmagnum.report.balance.document import (
    BalanceReport,
    BalanceSection,
    Block,
    Figure,
    Folded,
)
from alexmagnum.report.balance.names import BalanceWords
from alexmagnum.report.balance.plots import (
    Path2D,
    Range,
    Stack,
    plot_paths,
    plot_ranges,
    plot_stacks,
)
from alexmagnum.report.balance.province_map import draw_outlines, draw_use, list_shades
from alexmagnum.report.balance.tables import (
    name_source,
    tabulate_bots,
    tabulate_calibration,
    tabulate_changed,
    tabulate_effects,
    tabulate_forfeits,
    tabulate_lives,
    tabulate_more_openings,
    tabulate_openings,
    tabulate_orders,
    tabulate_people,
    tabulate_provinces,
    tabulate_ratings,
    tabulate_rulings,
    tabulate_starts,
    tabulate_victories,
    tabulate_ways,
    tabulate_years,
)
from alexmagnum.report.balance.verdict import give_verdict, judge_effect
from alexmagnum.report.document import Items, Prose

WAYS = ("centres", "nobility", "last year", "shared", "limit")
"""The ways in which a game can end, in the order of their colours."""

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
    main = [series for series in figures.series if not _is_compared(series, figures)]
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
                    *_compose_series(series, number, words),
                    *_compose_effects(series, figures, words),
                )
            ),
            *_compose_strength(figures, words),
            *_compose_calibration(figures, words),
            BalanceSection("limits", words.say("limits-title"), (Prose(_limits(words)),)),
        ),
        colors=list_colors(figures, boards),
        outlines=tuple(
            draw_outlines(board, ground) for ground, board in words.list_grounds(main).items()
        ),
    )


def _is_compared(series: SeriesFigures, figures: BalanceFigures) -> bool:
    """Is the base of a series in the report, so that the two are compared?"""
    return any(series.base == other.name for other in figures.series)


def _list_facts(figures: BalanceFigures, words: BalanceWords) -> Iterator[tuple[str, str]]:
    """Yield the names and values of the facts at the head of the report."""
    games = sum(series.games for series in figures.series)
    bots = dict.fromkeys(bot.bot for series in figures.series for bot in series.bots)
    yield words.say("fact-games"), words.numerals.number(games, 0)
    yield words.say("fact-series"), str(len(figures.series))
    yield words.say("fact-bots"), ", ".join(bots)


def _limits(words: BalanceWords) -> tuple[str, ...]:
    """Return the paragraphs on what bots can show, and on how the intervals are made."""
    return words.say("limits"), words.say("intervals")


def _key(series: SeriesFigures, part: str = "about") -> str:
    """Return the id of a part of a series in the page, unlike the ids of all other sections."""
    return f"series-{series.name}-{part}"


# -- the verdict --------------------------------------------------------------------------------


def _compose_verdicts(
    main: list[SeriesFigures], figures: BalanceFigures, words: BalanceWords
) -> Iterator[BalanceSection]:
    """Yield the verdict on every series, then the verdicts on the changes."""
    yield BalanceSection("verdict", words.say("verdict-title"), (Prose((words.say("tactical"),)),))
    for series in main:
        own = [c for c in figures.calibrations if c.series == series.name]
        verdict = Items(tuple(give_verdict(series, own, words)))
        yield BalanceSection(_key(series, "verdict"), words.title(series), (verdict,), level=3)
    if figures.unplayed:
        listed = ", ".join(figures.unplayed)
        yield BalanceSection(
            "unplayed",
            words.say("unplayed-title"),
            (Prose((words.say("unplayed", series=listed),)),),
            level=3,
        )
    if figures.effects:
        verdicts = tuple(judge_effect(effect, words) for effect in figures.effects)
        yield BalanceSection(
            "verdict-changes", words.say("changes-title"), (Items(verdicts),), level=3
        )


# -- one series ---------------------------------------------------------------------------------


def _compose_series(
    series: SeriesFigures, number: int, words: BalanceWords
) -> Iterator[BalanceSection]:
    """Yield the sections on one series; ``number`` is its place among all series, from 0."""
    about = words.say(
        "series-about", games=words.numerals.number(series.games, 0), bots=words.bots(series)
    )
    rules = "; ".join(f"{key} = {value}" for key, value in series.rules.items())
    texts = (about, words.say("series-rules", rules=rules)) if rules else (about,)
    yield BalanceSection(_key(series), words.title(series), (Prose(texts),))
    parts: dict[str, tuple[Block, ...]] = {
        "victories": (*_plot_shares(series, number, words), tabulate_victories(series, words)),
        "endings": (_plot_endings(series, words), tabulate_ways(series, words)),
        "years": tuple(_show_years(series, number, words)),
        "starts": tuple(_show_starts(series, words)),
        "openings": (
            Prose((words.say("openings-about"),)),
            tabulate_openings(series, words),
            Folded(words.say("openings-more"), tabulate_more_openings(series, words)),
        ),
        "map": tuple(_show_map(series, words)),
        "fights": tuple(_show_fights(series, words)),
        "orders": (tabulate_orders(series, words),),
        "forfeits": (
            (tabulate_forfeits(series, words),) if any(bot.forfeits for bot in series.bots) else ()
        ),
    }
    for key, blocks in parts.items():
        if blocks:
            yield BalanceSection(_key(series, key), words.say(f"{key}-title"), blocks, level=3)


def _plot_shares(series: SeriesFigures, number: int, words: BalanceWords) -> Iterator[Figure]:
    """Yield the shares of the victories and of the centres with their intervals."""
    if not series.few_decided:
        yield _plot_share(series, number, "victories", series.par, words)
    yield _plot_share(series, number, "centre-share", 1 / len(series.powers), words)


def _plot_share(
    series: SeriesFigures, number: int, kind: str, par: float, words: BalanceWords
) -> Figure:
    """Return the plot of every power's victories or share of the centres, the largest first."""

    def share(power: PowerFigures) -> Estimate:
        return power.victories if kind == "victories" else power.centre_share

    rows = [
        (words.power(series.name, power.power), share(power), color_name(number, i))
        for i, power in enumerate(series.powers)
    ]
    rows.sort(key=lambda row: -row[1].value)
    return _plot_against_par(_key(series, f"{kind}-plot"), f"{kind}-plot", rows, par, words)


def _plot_against_par(
    key: str,
    title: str,
    rows: Sequence[tuple[str, Estimate, str]],
    par: float,
    words: BalanceWords,
) -> Figure:
    """Return a plot of shares with their intervals and par.

    A row has a name, its share, and the name of its colour.
    """
    listed = "; ".join(f"{name} {words.numerals.share(share)}" for name, share, _ in rows)
    ranges = [
        Range(
            name,
            100 * share.value,
            100 * _end(share, share.low),
            100 * _end(share, share.high),
            color,
        )
        for name, share, color in rows
    ]
    return Figure(
        key,
        words.say(title),
        words.say("plot-shares", listed=listed, par=words.numerals.percent(par)),
        words.say("par-line", par=words.numerals.percent(par)),
        plot_ranges(key, ranges, 100 * par, words.numerals.whole_percent),
    )


def _end(estimate: Estimate, end: float | None) -> float:
    """Return an end of an interval; the value itself if there is no interval."""
    return estimate.value if end is None else end


def _plot_endings(series: SeriesFigures, words: BalanceWords) -> Figure:
    """Return the plot of the games by their last year and their way to end."""
    length = series.length
    stacks = [Stack(words.way(way), length.ended.get(way, {})) for way in WAYS]
    key = _key(series, "endings-plot")
    about = words.say(
        "plot-endings",
        median=words.numerals.number(length.median, 1 if length.median % 1 else 0),
        shortest=length.shortest,
        longest=length.longest,
        mean=words.numerals.mean(length.years),
        phases=words.numerals.mean(length.phases),
    )
    return Figure(key, words.say("endings-plot"), about, about, plot_stacks(key, stacks))


def _show_years(series: SeriesFigures, number: int, words: BalanceWords) -> Iterator[Block]:
    """Yield the powers over the years: centres, survival, first contact."""
    yield _plot_years(series, number, words)
    if any(curve.survival for curve in series.curves):
        yield _plot_survival(series, number, words)
    yield tabulate_lives(series, words)
    yield Folded(words.say("years-more"), tabulate_years(series, words))


def _plot_years(series: SeriesFigures, number: int, words: BalanceWords) -> Figure:
    """Return the plot of every power's centres over the years."""
    paths = [
        Path2D(
            words.power(series.name, curve.power),
            color_name(number, i),
            tuple(float(mean.year) for mean in curve.centres),
            tuple(mean.centres.value for mean in curve.centres),
            tuple(_end(mean.centres, mean.centres.low) for mean in curve.centres),
            tuple(_end(mean.centres, mean.centres.high) for mean in curve.centres),
            words.numerals.number(curve.centres[-1].centres.value),
        )
        for i, curve in enumerate(series.curves)
    ]
    key = _key(series, "years-plot")
    ends = "; ".join(f"{path.name} {path.last}" for path in paths)
    return Figure(
        key,
        words.say("years-plot"),
        words.say("plot-years", year=series.curves[0].centres[-1].year, listed=ends),
        words.say("years-caption"),
        plot_paths(key, paths, lambda x: words.numerals.number(x, 0)),
    )


def _plot_survival(series: SeriesFigures, number: int, words: BalanceWords) -> Figure:
    """Return the plot of every power's chance to be still in the game, over the years."""
    paths = []
    longest = float(series.length.longest)
    for i, curve in enumerate(series.curves):
        years, alive, low, high = [0.0], [100.0], [100.0], [100.0]
        for step in curve.survival:
            years += [float(step.year)] * 2
            alive += [alive[-1], 100 * step.alive]
            low += [low[-1], 100 * step.low]
            high += [high[-1], 100 * step.high]
        paths.append(
            Path2D(
                words.power(series.name, curve.power),
                color_name(number, i),
                (*years, longest),
                (*alive, alive[-1]),
                (*low, low[-1]),
                (*high, high[-1]),
                words.numerals.percent(alive[-1] / 100, 0),
            )
        )
    key = _key(series, "survival-plot")
    ends = "; ".join(f"{path.name} {path.last}" for path in paths)
    return Figure(
        key,
        words.say("survival-plot"),
        words.say("plot-survival", listed=ends),
        words.say("survival-caption"),
        plot_paths(key, paths, words.numerals.whole_percent),
    )


def _show_starts(series: SeriesFigures, words: BalanceWords) -> Iterator[Block]:
    """Yield the starting centres, if powers did not always begin with the same ones."""
    if any(len(start.powers) > 1 or start.seats < series.games for start in series.starts):
        yield Prose((words.say("starts-about"),))
        yield tabulate_starts(series, words)


def _show_map(series: SeriesFigures, words: BalanceWords) -> Iterator[Block]:
    """Yield the use of the provinces: the map, if it was found, and the least used provinces."""
    board = words.boards.get(series.name)
    never = [p.province for p in series.provinces if not p.entries]
    least = sorted(
        (p for p in series.provinces if p.entries), key=lambda p: (p.entries, p.province)
    )[:LEAST_USED]
    texts = []
    if never:
        names = ", ".join(sorted(words.province(series.name, province) for province in never))
        texts.append(words.say("never-used", count=len(never), provinces=names))
    else:
        texts.append(words.say("all-used"))
    if board is not None:
        shades = "; ".join(text for _, text in list_shades(series.provinces, words))
        yield Figure(
            _key(series, "map-plot"),
            words.say("map-plot"),
            words.say("plot-map", shades=shades),
            "",
            draw_use(board, words.ground(board), series.provinces, series.name, words),
            legend=tuple(
                (f"u{shade}", text) for shade, text in list_shades(series.provinces, words)
            ),
            wide=True,
        )
    uses = "; ".join(
        f"{words.province(series.name, p.province)} {words.numerals.number(p.entries, 2)}"
        for p in least
    )
    texts.append(words.say("least-used", provinces=uses))
    yield Prose(tuple(texts))
    yield Folded(words.say("map-more"), tabulate_provinces(series, words))


def _show_fights(series: SeriesFigures, words: BalanceWords) -> Iterator[Block]:
    """Yield the battles and how often each ruling decided something."""
    battles = series.battles
    yield Prose(
        (
            words.say(
                "battles",
                battles=words.numerals.mean(battles.battles),
                sea=words.numerals.mean(battles.at_sea),
                share=words.numerals.share(battles.sea_share),
            ),
            words.say("rulings-about"),
        )
    )
    yield tabulate_rulings(series, words)
    unused = [words.ruling(ruling.ruling) for ruling in series.rulings if not ruling.times.value]
    if unused:
        yield Prose((words.say("rulings-never", rulings=", ".join(unused)),))


# -- several series ------------------------------------------------------------


def _compose_effects(
    series: SeriesFigures, figures: BalanceFigures, words: BalanceWords
) -> Iterator[BalanceSection]:
    """Yield the tables of the effects of the rules, if other series are compared with this one."""
    effects = [effect for effect in figures.effects if effect.base == series.name]
    if effects:
        yield BalanceSection(
            _key(series, "effects"),
            words.say("effects-title", series=series.name),
            (
                Prose((words.say("effects-about"), words.say("effects-many"))),
                tabulate_effects(effects, words),
                Folded(words.say("effects-more"), tabulate_changed(figures, series.name, words)),
            ),
        )


def _compose_strength(figures: BalanceFigures, words: BalanceWords) -> Iterator[BalanceSection]:
    """Yield the strength of the bots in the series in which several kinds of bots met."""
    mixed = [series for series in figures.series if len(series.bots) > 1]
    if not mixed:
        return
    yield BalanceSection(
        "strength", words.say("strength-title"), (Prose((words.say("strength-about"),)),)
    )
    for series in mixed:
        rows = [(bot.bot, bot.victories, "mark") for bot in series.bots]
        figure = _plot_against_par(
            _key(series, "strength-plot"), "strength-plot", rows, series.par, words
        )
        blocks = (figure, tabulate_bots(series.bots, words))
        yield BalanceSection(_key(series, "strength"), words.title(series), blocks, level=3)
    for map_id in dict.fromkeys(rating.map for rating in figures.ratings):
        ratings = [rating for rating in figures.ratings if rating.map == map_id]
        yield BalanceSection(
            f"ratings-{map_id}",
            words.say("ratings-title", map=map_id),
            (Prose((words.say("ratings-about"),)), tabulate_ratings(ratings, words)),
            level=3,
        )


def _compose_calibration(figures: BalanceFigures, words: BalanceWords) -> Iterator[BalanceSection]:
    """Yield the agreement of the rankings of the series with those from games of people."""
    if not figures.calibrations:
        return
    yield BalanceSection(
        "calibration", words.say("calibration-title"), (Prose((words.say("calibration-about"),)),)
    )
    for series in figures.series:
        found = [c for c in figures.calibrations if c.series == series.name]
        if not found:
            continue
        once = [c for c in found if c.measure == found[0].measure]
        sources = tuple(_cite_source(c, words) for c in once if c.source.title)
        blocks = (
            tabulate_calibration(found, words),
            tabulate_people(series, once, words),
            Prose((words.say("sources"),)),
            Items(sources),
        )
        yield BalanceSection(_key(series, "calibration"), words.title(series), blocks, level=3)


def _cite_source(calibration: Calibration, words: BalanceWords) -> str:
    """Return a source with its note and its address."""
    source = calibration.source
    note = source.note.get(words.sentences.lang, "")
    return f"{name_source(calibration, words)}. {note} {source.where}"
