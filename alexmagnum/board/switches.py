"""The switches of the rules: the values that each may have, and the ruling it belongs to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from alexmagnum.errors import Fault


@dataclass(frozen=True, slots=True)
class Switch:
    """One field of :class:`~alexmagnum.board.model.Rules`: its ruling and its allowed values.

    A number lies between ``low`` and ``high``, both included; with ``words`` it is one of them.
    """

    ruling: str
    low: int = 0
    high: int = 0
    words: tuple[str, ...] = ()

    def allows(self, value: object) -> bool:
        """Tell whether the switch can be set to ``value``."""
        if self.words:
            return isinstance(value, str) and value in self.words
        return type(value) is int and self.low <= value <= self.high

    @property
    def allowed(self) -> str:
        """The allowed values as a text for a message: ``1-9`` or ``all, own``."""
        return ", ".join(self.words) or f"{self.low}-{self.high}"


SWITCHES: Mapping[str, Switch] = {
    "first_year": Switch("§7", 1, 9999),
    "last_year": Switch("R34", 0, 9999),
    "picks": Switch("R30", 0, 8),
    "publish_picks": Switch("R30", words=("all", "own")),
    "sea_capacity": Switch("R8", 1, 9),
    "general_strength": Switch("R1", 1, 9),
    "general_support": Switch("R1", 0, 9),
    "nobility": Switch("R2", 0, 99),
    "major_city_upkeep": Switch("R25", 1, 9),
    "major_city_capacity": Switch("R26", 1, 2),
    "victory_centres": Switch("R33", 1, 999),
}
"""Every switch, in the order of :class:`~alexmagnum.board.model.Rules`."""


def switch_faults(values: Mapping[Any, Any], where: str = "rules") -> Iterator[Fault]:
    """Yield the faults of switches that a map, a case or a game master sets."""
    for name, value in values.items():
        switch = SWITCHES.get(name) if isinstance(name, str) else None
        shown = show(name).strip('"')
        here = f"{where}.{shown}"
        if switch is None:
            yield Fault(here, "unknown-rule", {"rule": shown, "near": near(name, SWITCHES)})
        elif not switch.allows(value):
            data = {"rule": name, "value": show(value), "allowed": switch.allowed}
            yield Fault(here, "bad-rule-value", data)


def near(word: object, known: Mapping[str, Any] | tuple[str, ...] | list[str]) -> str:
    """Return the known word that was probably meant, or an empty text."""
    from difflib import get_close_matches

    lower = {name.casefold(): name for name in known}
    found = get_close_matches(str(word).casefold(), lower, n=1, cutoff=0.6)
    return lower[found[0]] if found else ""


def show(value: object) -> str:
    """Return a short text of a JSON value for a message; it is always printable."""
    if isinstance(value, list | dict):
        return ("[]" if isinstance(value, list) else "{}") if not value else type(value).__name__
    text = str(value).lower() if isinstance(value, bool) or value is None else str(value)
    text = "".join(c if c.isprintable() else "?" for c in text[:40])
    return f'"{text}"' if isinstance(value, str) else text
