"""The random player plays whole games, sensibly, and the same ones from the same seed."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from alexmagnum.board import load_board
from alexmagnum.board.map_file import maps_folder
from alexmagnum.bots.random_player import random_orders
from alexmagnum.campaign import first_position
from alexmagnum.cli import app
from alexmagnum.cli.base import print_error
from alexmagnum.judge.outcome import ILLEGAL, INVALID
from alexmagnum.play import BrokenInvariantError, PlayedPhase, count_phase, count_years, play_game
from alexmagnum.position import Phase, Position, Unit
from tests.each import cells
from tests.play.soak import KINDS, run_game

BOARD = load_board("alexmagnum")


GAMES = [
    pytest.param(12 + n, 60 if n == 0 else 30, marks=pytest.mark.proof if n else ())
    for n in range(5)
]
"""Seeds, and how many phases a game has at the least: some are won by centres early."""


@pytest.mark.parametrize(("seed", "least"), GAMES)
@pytest.mark.parametrize("kind", range(len(KINDS)), ids=[str(kind) for kind in KINDS])
def test_a_whole_game_keeps_every_invariant(kind: int, seed: int, least: int) -> None:
    """Every phase is checked, written as a turn file, and read back to the same."""
    result = run_game(seed, kind)
    assert result.fault == ""
    assert result.phases > least
    assert result.ending in ("centres", "nobility", "left")


def test_the_same_seed_is_the_same_game() -> None:
    one, same, other = (
        [count_phase(played) for played in play_game(BOARD, seed, years=4)] for seed in (5, 5, 6)
    )
    assert one == same
    assert one != other


def test_a_game_goes_from_the_first_picks_to_its_end() -> None:
    game = list(play_game(BOARD, 1))
    phases = [str(played.position.phase) for played in game]
    assert phases[:7] == ["323-1", "323-2", "323-3", "323-4", "323-5", "323-6", "322-spring"]
    assert game[-1].after is None
    assert game[-1].ending is not None
    assert all(played.ending is None for played in game[:-1])


def test_years_limit_a_game() -> None:
    game = list(play_game(BOARD, 1, years=2))
    assert str(game[-1].position.phase) == "322-winter"
    assert [year.year for year in count_years(game)] == [323, 322]


def test_a_map_without_a_last_year_is_left_after_twenty() -> None:
    """Seed 0: nobody gets eighteen centres before."""
    *_, last = play_game(load_board("standard"), 0)
    assert str(last.position.phase) == "1920-winter"
    assert last.ending is None


def _games(count: int) -> list[PlayedPhase]:
    return [played for seed in range(count) for played in play_game(BOARD, seed)]


def test_orders_are_nearly_all_legal() -> None:
    results = Counter(e.result for played in _games(3) for e in played.outcome.results)
    assert results[ILLEGAL] + results[INVALID] < 0.08 * results.total()


@pytest.mark.proof
def test_every_special_rule_occurs() -> None:
    """A few games come to the reasons that only this variant has, and to the old ones."""
    game = _games(16)
    assert {reason.code for played in game for reason in played.outcome.reasons} >= set(
        cells("""
pick-awarded|pick-contested|deploys|deploys-general|enters|enters-past|crowded-out
dislodges-beside|target-left|rides|way-occupied|way-contested|way-oncoming|hauled|not-hauled
carries|given|cut|dislodges|bounces|loses-head-to-head|follows|retreats|disbands|builds
removes|waived
""")
    )
    assert any(played.outcome.destroyed for played in game)
    assert any(played.outcome.removed for played in game)


def test_a_power_in_revolt_orders_nothing() -> None:
    """R3"""
    units = (Unit("TOL", "A", "MEN"), Unit("SEL", "A", "BAB"))
    position = Position(BOARD, Phase(318, "spring"), units, nobility={"TOL": 0})

    for seed in range(5):
        assert set(random_orders(position, Random(seed))) <= {"SEL"}


def test_a_decision_changes_no_position_and_draws_from_one_generator_alone() -> None:
    position = first_position(BOARD)
    rng = Random(3)
    first, second = random_orders(position, rng), random_orders(position, rng)
    assert first == random_orders(first_position(BOARD), Random(3))
    assert first != second
    assert position == first_position(BOARD)


def test_figures_count_the_results_of_a_phase() -> None:
    played = next(play_game(BOARD, 7))
    counted = count_phase(played)
    assert counted["phase"] == "323-1"
    assert counted["awarded"] == len(played.outcome.picks.awards if played.outcome.picks else ())
    assert counted["moved"] == counted["dislodged"] == counted["built"] == 0


# ``alexmagnum play``: what it prints and writes, and that anybody gets the same from it.


ROOT = Path(__file__).parents[2]


def run(*arguments: str, hash_seed: str = "0") -> str:
    """What the real command prints, in a process of its own."""
    return subprocess.run(
        [sys.executable, "-X", "utf8", "-m", "alexmagnum", *arguments],
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=120,
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
    ).stdout


def test_every_phase_is_a_line_and_every_year_a_row() -> None:
    text = run("play", "--seed", "7", "--years", "2", "--lang", "en")
    assert text.startswith("Alex Magnum, played at random: seed 7\n")
    assert "  Cyprus year 323 BC, period 5 of picks" in text
    assert "  Winter 322 BC, builds and removals" in text
    assert "CENTRES/NOBILITY BY YEAR" in text
    assert "\n   322 " in text
    assert text.endswith("the game is not over\n")


def test_a_game_to_the_end_names_the_winner_in_italian() -> None:
    text = run("play", "--seed", "17", "--lang", "it")
    assert "Primavera 301 a.C., movimenti" in text
    assert text.splitlines()[-1].startswith("l'ultimo anno è finito: ")
    assert " vince " in text


def test_json_has_the_figures_of_every_phase_and_year() -> None:
    data = json.loads(run("play", "--seed", "7", "--map", "standard", "--years", "1", "--json"))
    assert (data["map"], data["seed"]) == ("standard", 7)
    assert data["phases"][0]["phase"] == "1901-spring"
    assert data["phases"][0]["orders"] == 22
    assert data["years"][0]["year"] == 1901
    assert data["years"][0]["nobility"] == {}
    assert (data["game_over"], data["winners"]) == (False, [])


def test_the_same_seed_gives_the_same_bytes_in_any_process(tmp_path: Path) -> None:
    said = [
        run("play", "--seed", "3", "--years", "4", "--out", str(tmp_path / n), hash_seed=n)
        for n in ("1", "2")
    ]
    one, other = (
        {path.name: path.read_bytes() for path in (tmp_path / n).iterdir()} for n in ("1", "2")
    )
    assert said[0] == said[1]
    assert one == other
    assert "001-323-1.yaml" in one
    assert len(one) > 20


def test_adjudicating_the_turn_files_gives_the_reports(tmp_path: Path) -> None:
    runner = CliRunner()
    folder = tmp_path / "game"
    done = runner.invoke(
        app, ["play", "--seed", "5", "--years", "6", "--out", str(folder), "--lang", "it"]
    )
    turns = sorted(folder.glob("*.yaml"))
    assert done.exit_code == 0
    assert len(turns) > 20
    assert any("retreats" in turn.name for turn in turns)
    for turn in turns:
        report = runner.invoke(app, ["adjudicate", str(turn), "--lang", "it"]).output
        assert report == turn.with_suffix(".txt").read_text(encoding="utf-8")


def test_a_map_of_ones_own_goes_along(tmp_path: Path) -> None:
    own = tmp_path / "mine.json"
    own.write_bytes((maps_folder() / "standard.json").read_bytes())
    folder = tmp_path / "game"
    runner = CliRunner()
    played = ["play", "--seed", "1", "--years", "1", "--map", str(own), "--out", str(folder)]
    assert runner.invoke(app, played).exit_code == 0
    own.unlink()

    (first, *_) = sorted(folder.glob("*.yaml"))
    assert (folder / "mine.json").is_file()
    assert runner.invoke(app, ["adjudicate", str(first)]).exit_code == 0


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "alexmagnum", "play", "--seed", "1", "--out", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        cwd=ROOT,
    )
    assert done.returncode == 2
    assert str(tmp_path) in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_fault_is_told_with_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("alexmagnum.campaign.owners_after", lambda _: {"ALE": "SEL"})
    folder = tmp_path / "game"
    done = CliRunner().invoke(app, ["play", "--seed", "4", "--out", str(folder)])
    assert isinstance(done.exception, BrokenInvariantError)
    assert print_error(done.exception, "it") == 1
    assert "phase: picks" in (folder / "fault.yaml").read_text(encoding="utf-8")


def test_the_document_shows_what_is_printed_and_names_every_key() -> None:
    document = (ROOT / "docs" / "play.md").read_text(encoding="utf-8")
    shown = document.split("--lang en\n\n", 1)[1].split("\n\nThe seed decides", 1)[0]
    printed = run("play", "--seed", "17", "--lang", "en").splitlines()
    data = json.loads(run("play", "--seed", "7", "--years", "1", "--json"))

    for line in shown.splitlines():
        assert line[4:] in printed or line.strip() in ("", "...")
    for key in (*data, *data["phases"][0], *data["years"][0]):
        assert f"`{key}`" in document
