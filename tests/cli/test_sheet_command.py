"""``sheet``, and the sheets that are written when a phase opens."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from alexmagnum.page_judge import load_bundle
from tests.commands import ROOT, GameFolder, run_command

POWERS = ("SEL", "TOL", "LIS", "AUT", "CAS", "CAN")
TURN = str(ROOT / "orders" / "turn.yaml")


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> GameFolder:
    """Make a game from the sample turn; Anna of Tolomeo speaks English."""
    home = tmp_path_factory.mktemp("sheets")
    run_command(
        "new",
        "game",
        "--from",
        TURN,
        "--lang",
        "it",
        "--player",
        "TOL=Anna <anna@example.org>",
        "--player",
        "SEL=Bruno <bruno@example.org>",
        cwd=home,
    )
    table = GameFolder(home / "game")
    table.run("player", "set", "TOL", "--speaks", "en")
    return table


def _names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_a_new_game_has_the_sheets_of_its_first_phase(table: GameFolder) -> None:
    assert len(_names(table.folder / "sheets" / "318-spring")) == 6


def test_a_sheet_is_in_its_players_language(table: GameFolder) -> None:
    data = table.run("sheet", "TOL", "SEL", "--json").data

    assert data["phase"] == "318-spring"
    assert [Path(path).name for path in data["sheets"].values()] == ["TOL.en.html", "SEL.it.html"]


def test_processing_writes_the_sheets_of_those_who_owe_something(table: GameFolder) -> None:
    """After spring, that is who has to retreat; with no word of anybody's orders."""
    table.run("submit", "TOL", stdin="F FOC - TEB\nA MEN - SIW\n")
    table.run("submit", "LIS", stdin="F ICA#1 - CRE\n")
    done = table.run("process", "318-spring", "--allow-missing", "--json").data
    owing = set(done["due"])

    names = _names(table.folder / "sheets" / done["next"])
    assert {name[:3] for name in names} == owing


def test_no_orders_and_no_addresses_of_players_are_in_a_sheet(tmp_path: Path) -> None:
    """Check that pending orders change no byte of it."""
    anna = ("--player", "TOL=Anna <anna@example.org>")
    run_command("new", "g", "--from", TURN, "--lang", "it", *anna, cwd=tmp_path)
    table = GameFolder(tmp_path / "g")
    before = table.folder / "sheets" / "318-spring" / "TOL.it.html"
    page = before.read_bytes()
    table.run("submit", "TOL", stdin="F FOC - TEB\n")
    table.run("submit", "SEL", stdin="A OPI - NIS\n")
    table.run("sheet", "TOL")

    assert before.read_bytes() == page
    words = page.replace(load_bundle().encode(), b"")  # signs that mean nothing
    assert words != page
    assert not re.search(rb"[\w.]+@[\w.]+\.\w+", words)


def test_a_sheet_is_written_into_the_file_asked_for(table: GameFolder) -> None:
    table.run("sheet", "TOL", "--lang", "it", "-o", "deep/tolomeo.html")

    text = (table.folder / "deep" / "tolomeo.html").read_text("utf-8")
    assert text.startswith('<!DOCTYPE html>\n<html lang="it">')


def test_a_turn_file_is_enough(tmp_path: Path) -> None:
    """Without a game; its orders are left aside."""
    run_command("sheet", "--turn", TURN, "--lang", "it", "--out", "out", cwd=tmp_path)
    run_command("sheet", "--turn", TURN, "tolomeo", "--lang", "en", "-o", "t.html", cwd=tmp_path)

    assert _names(tmp_path / "out") == {f"{power}.it.html" for power in POWERS}
    assert '<html lang="en">' in (tmp_path / "t.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("sheet", "--turn", TURN, "XYZ"), "XYZ"),
        (("sheet", "--turn", "missing.yaml", "TOL"), "missing.yaml"),
        (("sheet", "--turn", TURN, "TOL", "SEL", "-o", "t.html"), "folder"),
        (("sheet", "TOL"), "alexmagnum new"),
    ],
)
def test_what_cannot_be_is_said_in_a_line(
    tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    assert said in run_command(*arguments, cwd=tmp_path, status=2).err
