"""``alexmagnum play``: what it prints and writes, and that anybody gets the same from it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from alexmagnum.board.map_file import maps_folder
from alexmagnum.cli import app
from alexmagnum.cli.base import print_error
from alexmagnum.play import BrokenInvariantError

ROOT = Path(__file__).parents[2]


def run(*arguments: str, hash_seed: str = "0") -> str:
    """What the real command prints, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-m", "alexmagnum", *arguments],
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=120,
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
    )
    return done.stdout


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


def test_a_fault_is_told_with_its_turn_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("alexmagnum.play.owners_after", lambda _: {"ALE": "SEL"})
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
