"""Shares and counts in words: never rounded to what they are not."""

from __future__ import annotations

from fractions import Fraction

from alexmagnum.i18n.sentences import Sentences


def format_share(share: Fraction, sentences: Sentences) -> str:
    """Return a share in per cent; only 0 and 1 themselves are written as 0 and 100.

    >>> from alexmagnum.i18n.sentences import load_sentences
    >>> say = load_sentences("en")
    >>> [format_share(Fraction(n, 10**6), say).replace("\\xa0", " ") for n in (1, 5_000, 999_999)]
    ['<0.1 %', '0.5 %', '>99.9 %']
    """
    tenths = round(share * 1000)
    if tenths == 0 < share:
        return "<" + format_tenths(1, sentences)
    if tenths == 1000 and share < 1:
        return ">" + format_tenths(999, sentences)
    return format_tenths(tenths, sentences)


def format_tenths(tenths: int, sentences: Sentences) -> str:
    """Return tenths of a per cent as a percentage."""
    return write_decimal(f"{tenths / 10:.1f}", sentences) + "\N{NO-BREAK SPACE}%"


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
