"""The same seed gives the same orders in every process, build and Python."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import networkx
import pytest

from tests.bots.digest import MAPS, YEARS, digest_games, read_digests
from tools.build_wheels import VERSIONS, find_python

FOLDERS = (Path(__file__).parents[2], Path(networkx.__file__).parents[1])
"""Where Python finds this package, and those that it needs; other Pythons find them there too."""


@pytest.mark.parametrize(
    "name",
    [name if name != "search" else pytest.param(name, marks=pytest.mark.proof) for name in YEARS],
)
@pytest.mark.parametrize("board", MAPS)
def test_games_of_bots_are_those_that_were_recorded(board: str, name: str) -> None:
    assert digest_games(board, name) == read_digests()[f"{board} {name}"]


@pytest.mark.proof
@pytest.mark.parametrize("seed", ["1", "77"])
@pytest.mark.parametrize("pure", ["0", "1"])
def test_neither_hash_seeds_nor_the_build_change_a_game(pure: str, seed: str) -> None:
    assert _print_digests(sys.executable, seed, pure) == read_digests()


@pytest.mark.proof
@pytest.mark.parametrize("version", VERSIONS)
def test_every_python_plays_the_same_games(version: str) -> None:
    python, reason = find_python(version)
    if python is None:
        pytest.skip(f"Python {version}: {reason}")

    assert _print_digests(python, "3", "1") == read_digests()


def _print_digests(python: str, seed: str, pure: str) -> dict[str, str]:
    """Return what a process of its own prints, with the packages of this one."""
    done = subprocess.run(
        [python, "-B", "-m", "tests.bots.digest"],
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(map(str, FOLDERS)),
            "PYTHONHASHSEED": seed,
            "ALEXMAGNUM_PURE": pure,
        },
        capture_output=True,
        check=False,
        text=True,
    )
    assert not done.returncode, done.stderr
    digests: dict[str, str] = json.loads(done.stdout)
    return digests
