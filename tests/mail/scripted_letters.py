"""The letters of six players for a Cyprus year and two seasons, and the orders they mean.

Most letters are from the sample game.  Antigonus and Ptolemy write different ones here, so that a
fleet has to retreat in the spring; these letters and the orders are in ``scripted_letters.yaml``.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tests.case_library import read_yaml
from tests.mail.people import Person
from tests.sample_turn import NAMES

SAMPLE = Path(__file__).parents[2] / "orders" / "game"

DATA = read_yaml(Path(__file__).with_suffix(".yaml"))
PEOPLE = tuple(Person(**person) for person in DATA["people"])
CYPRUS = tuple(f"323-{period}" for period in range(1, 7))
SEASONS = ("322-spring", "322-spring-retreats", "322-autumn", "322-autumn-retreats")
PHASES = (*CYPRUS, *SEASONS)

MEANT: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    phase: {power: tuple(orders) for power, orders in meant.items()}
    for phase, meant in DATA["meant"].items()
}
"""The orders that count, by phase and power, as a person understands the letters."""


def letters(phase: str, power: str) -> list[str]:
    """Return what the player of a power writes in a phase, one text for each letter."""
    if power in DATA["letters"].get(phase, {}):
        return [DATA["letters"][phase][power]]
    files = sorted((SAMPLE / phase).glob(f"*-{NAMES[power]}.txt"))
    return [file.read_text(encoding="utf-8") for file in files]
