"""A plan as values: its series of games, and what follows from a game's number alone.

:mod:`alexmagnum.lab.plan_reader` reads a plan from a file, with all its faults at once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from alexmagnum.board.load import known_maps, load_board
from alexmagnum.board.model import Board
from alexmagnum.frozen import freeze


@dataclass(frozen=True, slots=True)
class Series:
    """Games that differ in nothing but their number.

    ``base``: the series that this one is compared with game by game, "" if there is none.
    ``map``: the id of a map, or the path of a file from the plan's folder.  ``rules``: the switches
    that are set otherwise than by the map.  ``seats``: the bots in the map's sequence of powers;
    if ``rotates``, they move on by one power with every game.  ``years``: the limit of years, 0
    for none.
    """

    name: str
    map: str
    seats: tuple[str, ...]
    rotates: bool
    games: int
    seed: int
    years: int = 0
    base: str = ""
    rules: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", freeze(self.rules))
        object.__setattr__(self, "seats", tuple(self.seats))

    def seat_bots(self, powers: Iterable[str], number: int) -> dict[str, str]:
        """Return the name of the bot of every power in the game of that number, from 1."""
        turn = (number - 1) % len(self.seats) if self.rotates else 0
        seats = (*self.seats[turn:], *self.seats[:turn])
        return dict(zip(powers, seats, strict=True))

    def load_board(self, folder: Path) -> Board:
        """Return the board of the series; a map given by its path is looked for in the folder.

        Raises:
            BadFile, BadMap: the map cannot be used.
        """
        return load_board(locate_map(self.map, folder), self.rules)

    @property
    def decisive(self) -> dict[str, Any]:
        """Everything that decides how a game goes, so that another value gives other games."""
        values = to_json(self)
        del values["name"], values["games"]
        return values


def locate_map(source: str, folder: Path) -> str | Path:
    """Return the id of a map of the package, or the path of a map file, seen from a folder."""
    if source.lower() in known_maps():
        return source
    path = folder / source
    return path if path.is_file() or Path(source).suffix or "/" in source else source


def to_json(series: Series) -> dict[str, Any]:
    """Return a series as it is written to a file."""
    return {**asdict(series), "rules": dict(series.rules), "seats": list(series.seats)}


@dataclass(frozen=True, slots=True)
class Plan:
    """What to play: series of games, each with a name of its own.

    ``turn_seconds``: how long a bot that does not come with the package may take for a turn.
    ``folder``: where maps given by their path are looked for; ``modules``: where users' own bots
    are.  Both are the folder of the plan's file.
    """

    series: tuple[Series, ...]
    turn_seconds: float
    folder: Path
    modules: Path

    @property
    def games(self) -> int:
        """The number of games of all series."""
        return sum(series.games for series in self.series)

    @property
    def bots(self) -> tuple[str, ...]:
        """The names of all bots, each once."""
        return tuple(dict.fromkeys(bot for series in self.series for bot in series.seats))


def draw_seed(seed: int, number: int) -> int:
    """Return the seed of a game from the seed of its series and its number, from 1.

    The name of the series plays no part: a series and its base begin their games alike.

    >>> draw_seed(1, 1) == draw_seed(1, 1), draw_seed(1, 1) == draw_seed(1, 2)
    (True, False)
    """
    digest = hashlib.sha256(f"{seed}/{number}".encode()).digest()
    return int.from_bytes(digest[:8], "big")
