"""The verdict of a balance report in words: the findings of a sample, and their limits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil

from alexmagnum.lab.balance_figures import Calibration, PowerFigures, RuleEffect, SeriesFigures
from alexmagnum.lab.equality import FEW
from alexmagnum.lab.intervals import wilson_interval
from alexmagnum.report.balance.names import BalanceWords
from alexmagnum.report.balance.tables import CERTAIN, name_source, order_by_share


def give_verdict(
    series: SeriesFigures, calibrations: Sequence[Calibration], words: BalanceWords
) -> Iterator[str]:
    """Yield the sentences of the verdict on one series, with the calibrations of that series."""
    yield _name_sample(series, words)
    if series.planned is not None and series.games < series.planned:
        yield words.say("half", games=series.games, planned=series.planned)
    if series.games == 1:
        yield words.say("one-game")
        return
    if series.fixed_bots:
        yield words.say("fixed-bots")
    if len(series.bots) > 1:
        yield from _name_bots(series, words)
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
    """Yield the sentences on the victories."""
    if series.decided < series.games:
        yield words.say(
            "undecided",
            games=series.games - series.decided,
            par=words.numerals.percent(series.par),
        )
    yield from _test_equality(series, words)
    yield from _sort_powers(series, words)
    yield from _size_up(series, words)


def _name_sample(series: SeriesFigures, words: BalanceWords) -> str:
    """Return the sentence on the size of the sample, its bots and par."""
    return words.say(
        "sample",
        games=words.numerals.number(series.games, 0),
        bots=words.bots(series),
        powers=len(series.powers),
        par=words.numerals.percent(1 / len(series.powers)),
    )


def _compare_centres(series: SeriesFigures, words: BalanceWords) -> Iterator[str]:
    """Yield the sentences on the centres, for a series in which hardly any game had a winner."""
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
    enough = ceil(FEW * len(series.powers))
    if series.games < enough:
        yield words.say("more-games", games=enough)


def _name_bots(series: SeriesFigures, words: BalanceWords) -> Iterator[str]:
    """Yield the sentence on the victories of each bot for each of its seats."""
    listed = "; ".join(f"{bot.bot} {words.numerals.share(bot.victories)}" for bot in series.bots)
    yield words.say("bots-won", listed=listed)


def _test_equality(series: SeriesFigures, words: BalanceWords) -> Iterator[str]:
    """Yield the sentences on the test whether all powers win equally often."""
    test = series.equality
    if test is None:
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
    """Yield the sentences on the powers above par, below par and not told apart from it."""
    groups: dict[str, list[PowerFigures]] = {}
    for power in order_by_share(series):
        groups.setdefault(place_power(power, series.par), []).append(power)
    for key in ("above", "below", "perhaps-above", "perhaps-below"):
        if key in groups:
            yield words.say(key, powers=_list_shares(series, groups[key], words))
    level = groups.get("level", [])
    if len(level) == len(series.powers):
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
    """Return the names of some powers with their shares of the victories."""
    return "; ".join(
        f"{words.power(series.name, power.power)} {words.numerals.share(power.victories)}"
        for power in powers
    )


def _size_up(series: SeriesFigures, words: BalanceWords) -> Iterator[str]:
    """Yield the precision of the sample, and the size of a sample that would show more."""
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


def judge_effect(effect: RuleEffect, words: BalanceWords) -> str:
    """Return a sentence on the effect of a change."""
    change = words.change(effect.change) or effect.series
    shown = [power for power in effect.powers if power.p_value < CERTAIN]
    parts = [
        words.say(
            "effect-power",
            power=words.power(effect.series, power.power),
            points=words.numerals.signed(100 * power.victories.value),
            interval=words.numerals.span(power.victories, 100),
        )
        for power in shown
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
        _, reach = wilson_interval(0, effect.pairs)
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
    some = effect.p_value < CERTAIN
    return words.say(
        "effect-some" if some else "effect-none",
        change=change,
        chance=words.numerals.chance(effect.p_value),
        points=words.numerals.number(100 * max(ends)),
    )
