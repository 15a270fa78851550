"""The pictures that are made with the reports of a phase, and the setting that leaves them out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands import ROOT, GameFolder, run_command

TURN = str(ROOT / "orders" / "turn.yaml")


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> GameFolder:
    """Make a game with one phase processed with pictures, and the next one without."""
    home = tmp_path_factory.mktemp("pictures")
    run_command("new", "game", "--from", TURN, "--lang", "it", cwd=home)
    table = GameFolder(home / "game")
    following = table.run("process", "318-spring", "--allow-missing", "--json").data["next"]
    table.run("settings", "pictures", "no")
    table.run("process", following, "--allow-missing")
    return table


def _reports(table: GameFolder, phase: str) -> Path:
    return table.folder / "reports" / phase


def test_two_files_of_a_phase_lie_in_its_folder(table: GameFolder) -> None:
    names = {path.name for path in _reports(table, "318-spring").iterdir()}

    assert names == {"public.it.html", "public.it.txt"}


def test_the_map_of_a_phase_is_drawn_on_demand(table: GameFolder, tmp_path: Path) -> None:
    for form in ("svg", "png"):
        path = tmp_path / f"map.{form}"
        table.run("report", "318-spring", "--format", form, "-o", str(path))

    assert (tmp_path / "map.svg").read_text("utf-8").startswith("<svg")
    assert (tmp_path / "map.png").read_bytes().startswith(b"\x89PNG")


def test_the_map_is_in_the_pages(table: GameFolder) -> None:
    page = (_reports(table, "318-spring") / "public.it.html").read_text("utf-8")

    assert page.count('class="am-map"') == 1


def test_without_pictures_the_reports_are_written_alone(table: GameFolder) -> None:
    folder = next(f for f in (table.folder / "reports").iterdir() if f.name != "318-spring")

    assert 'class="am-map"' not in (folder / "public.it.html").read_text("utf-8")


def test_without_pictures_no_order_sheets_are_written(table: GameFolder) -> None:
    phase = table.run("status", "--json").data["phase"]

    assert phase
    assert not (table.folder / "sheets" / phase).exists()


def test_the_order_sheets_of_a_closed_phase_go_and_other_files_stay(tmp_path: Path) -> None:
    run_command("new", "game", "--from", TURN, "--lang", "it", "--player", "TOL=Ann", cwd=tmp_path)
    table = GameFolder(tmp_path / "game")
    following = table.run("process", "318-spring", "--allow-missing", "--json").data["next"]
    (table.folder / "sheets" / following / "notes.txt").write_text("my own", "utf-8")
    table.run("process", following, "--allow-missing")

    sheets = {path.name: len(list(path.iterdir())) for path in (table.folder / "sheets").iterdir()}
    assert sheets.pop(following) == 1, "what the game master put there stays"
    assert list(sheets) == [table.run("status", "--json").data["phase"]]
