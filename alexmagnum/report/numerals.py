"""Figures as people of a language write them: shares, points, means and intervals."""

from __future__ import annotations

from dataclasses import dataclass

from alexmagnum.lab.intervals import Estimate

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
