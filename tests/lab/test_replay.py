"""Games of the lab become games that all commands open."""

from __future__ import annotations

from pathlib import Path

import polars
import pytest

from alexmagnum.lab.run import read_table
from tests.commands import run_command
from tests.lab.plans import SMALL, make_plan, play_all_here


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of eight small games, in which a bot now and then orders nonsense."""
    folder = tmp_path_factory.mktemp("lab")
    text = SMALL.replace('"dumb"', '{ Italy = "own_bots:Texting", others = "dumb" }')
    play_all_here(make_plan(text, folder), folder / "out")
    return folder / "out"


def _replay(results: Path, series: str, game: str, folder: str, status: int = 0) -> str:
    words = (folder, "--replay", "out", series, game)
    said = run_command("new", *words, cwd=results.parent, status=status)
    return said.out + said.err


def test_a_game_is_played_again_as_its_rows_say_and_opens_as_a_game(results: Path) -> None:
    said = _replay(results, "easy", "3", "game")
    status = run_command("status", "--game", "game", "--json", cwd=results.parent).data
    seats = read_table(results, "seats").filter(series="easy", game=3)

    assert "game" in said
    years = read_table(results, "years").filter(series="easy", game=3, number=2)
    figures = run_command("history", "--game", "game", cwd=results.parent).out
    assert "1902-autumn" in figures
    assert status["game"] == "easy 3"
    assert years.get_column("centres").sum() == seats.get_column("centres").sum()
    assert run_command("verify", "--game", "game", cwd=results.parent).status == 0
    run_command("settings", "pictures", "no", "--game", "game", cwd=results.parent)
    published = run_command("publish", "game", "site", "--gm", cwd=results.parent).out
    assert "site/index.html" in published
    rules = run_command("settings", "rules.victory_centres", "--game", "game", cwd=results.parent)
    assert "5" in rules.out


def test_what_is_not_there_is_named(results: Path) -> None:
    assert "Did you mean easy?" in _replay(results, "easi", "1", "x", status=2)
    assert "1 to 4" in _replay(results, "easy", "5", "x", status=2)
    assert not (results.parent / "x").exists()


def test_a_game_that_goes_otherwise_than_its_rows_say_is_refused(results: Path) -> None:
    seats = polars.read_parquet(results / "seats.parquet")
    other = seats.with_columns(centres=polars.col("centres") + 1)
    try:
        other.write_parquet(results / "seats.parquet")
        said = _replay(results, "standard", "1", "x", status=1)
    finally:
        seats.write_parquet(results / "seats.parquet")

    assert "plays it otherwise than the results say" in said
    assert not (results.parent / "x").exists()
