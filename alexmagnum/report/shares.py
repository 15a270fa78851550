"""Shares and counts in words: never rounded to what they are not."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from alexmagnum.i18n.sentences import Sentences
from alexmagnum.whatif.safety import Count

_UNSEEN = 3
"""A thing not met in n draws has, with a certainty of 95 %, a share of less than 3/n."""


def format_share(share: Fraction, sentences: Sentences) -> str:
    """Return a share in per cent; only 0 and 1 themselves are written as 0 and 100.

    >>> from alexmagnum.i18n.sentences import load_sentences
    >>> say = load_sentences("en")
    >>> [format_share(Fraction(n, 10**6), say).replace("\\xa0", " ") for n in (1, 5_000, 999_999)]
    ['<0.1 %', '0.5 %', '>99.9 %']

    A whole number of per cent is exact; a rounded one keeps its decimal.

    >>> [format_share(Fraction(n, 10_000), say).replace("\\xa0", " ") for n in (300, 301)]
    ['3 %', '3.0 %']
    """
    tenths = round(share * 1000)
    if tenths == 0 < share:
        return "<" + format_tenths(1, sentences)
    if tenths == 1000 and share < 1:
        return ">" + format_tenths(999, sentences)
    return format_tenths(tenths, sentences, rounded=tenths != share * 1000)


def format_count_share(count: Count, sentences: Sentences) -> str:
    """Return the share of a count in per cent; of a sample, what is certain to 95 %.

    A thing met in none of n draws has, with a certainty of 95 %, a share of less than 3/n.
    """
    if count.exact or 0 < count.hits < count.of:
        return format_share(Fraction(count.hits, count.of), sentences)
    unseen = min(ceil(Fraction(1000 * _UNSEEN, count.of)), 1000)
    if count.hits:
        return ">" + format_tenths(1000 - unseen, sentences)
    return "<" + format_tenths(unseen, sentences)


def format_tenths(tenths: int, sentences: Sentences, *, rounded: bool = False) -> str:
    """Return tenths of a per cent as a percentage; a rounded one always has its decimal."""
    figure = f"{tenths / 10:.1f}"
    if rounded and sentences.lang == "it":
        figure = figure.replace(".", ",")
    elif not rounded:
        figure = write_decimal(figure, sentences)
    return figure + "\N{NO-BREAK SPACE}%"


def write_decimal(figure: str, sentences: Sentences) -> str:
    """Return a figure with one decimal at most, as a language writes it."""
    text = figure.removesuffix(".0")
    return text.replace(".", ",") if sentences.lang == "it" else text


def format_count(number: int, sentences: Sentences) -> str:
    """Return a number in groups of three digits, or as a power of ten if it is long."""
    if number >= 10**9:
        digits = str(number)
        figure = write_decimal(f"{int(digits[:2]) / 10:.1f}", sentences)
        return f"{figure}·10^{len(digits) - 1}"
    return f"{number:,}".replace(",", "." if sentences.lang == "it" else ",")
