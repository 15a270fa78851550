"""The same seed gives the same orders in every process, build and Python."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.bots.digest import MAPS, YEARS, digest_games, read_digests


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
    done = subprocess.run(
        [sys.executable, "-m", "tests.bots.digest"],
        env={**os.environ, "PYTHONHASHSEED": seed, "ALEXMAGNUM_PURE": pure},
        capture_output=True,
        check=True,
    )

    assert json.loads(done.stdout) == read_digests()
