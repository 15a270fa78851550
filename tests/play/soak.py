"""One game of the soak: played to its end, every phase checked, written down and read back."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from alexmagnum import play
from alexmagnum.board import load_board
from alexmagnum.board.model import Board

KINDS: tuple[tuple[str, Mapping[str, int]], ...] = (
    ("alexmagnum", {}),
    ("alexmagnum", {"nobility": 1}),  # a lost general is a revolt (R3)
    ("alexmagnum", {"major_city_capacity": 2}),  # R26
    ("alexmagnum", {"sea_capacity": 1, "general_strength": 1}),
    ("standard", {}),
)
"""The maps and switches that the games take in turn."""


@dataclass(frozen=True, slots=True)
class Result:
    """How one game went: phases played, seconds, how it ended, and the fault that ended it, with
    the turn file of its phase (``turn``)."""

    seed: int
    kind: str
    phases: int
    seconds: float
    ending: str
    fault: str = ""
    turn: str = ""


@cache
def board_of(kind: int) -> Board:
    """The board of a kind of game."""
    map_id, switches = KINDS[kind]
    return load_board(map_id).with_rules(switches)


def run_game(seed: int, kind: int | None = None) -> Result:
    """Play one game; its kind follows from the seed unless it is given."""
    kind = seed % len(KINDS) if kind is None else kind
    watch, phases, start, ending = play.InvariantChecker(seed), 0, perf_counter(), "left"
    with TemporaryDirectory() as folder:
        path = Path(folder, "turn.yaml")
        try:
            for played in play.play_game(board_of(kind), seed):
                phases += 1
                play.write_turn(path, played)
                watch.check(played)
                watch.refuse(played, tuple(play.find_differences(play.replay_turn(path), played)))
                if played.ending:
                    ending = "centres" if played.ending.by_centres else "nobility"
        except play.BrokenInvariantError as error:
            seconds = perf_counter() - start
            return Result(seed, _name(kind), phases, seconds, "", str(error), error.turn)
    return Result(seed, _name(kind), phases, perf_counter() - start, ending)


def _name(kind: int) -> str:
    map_id, switches = KINDS[kind]
    return " ".join([map_id, *(f"{name}={value}" for name, value in switches.items())])
