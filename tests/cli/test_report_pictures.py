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


def test_the_map_of_a_phase_lies_beside_its_reports(table: GameFolder) -> None:
    folder = _reports(table, "318-spring")

    assert (folder / "map.svg").read_text("utf-8").startswith("<svg")
    assert (folder / "map.png").read_bytes().startswith(b"\x89PNG")


def test_the_map_is_in_the_pages(table: GameFolder) -> None:
    page = (_reports(table, "318-spring") / "public.it.html").read_text("utf-8")

    assert page.count('class="am-map"') == 1


def test_without_pictures_the_reports_are_written_alone(table: GameFolder) -> None:
    folder = next(f for f in (table.folder / "reports").iterdir() if f.name != "318-spring")

    assert not list(folder.glob("map.*"))
    assert 'class="am-map"' not in (folder / "public.en.html").read_text("utf-8")
    assert len(list(folder.glob("public.*"))) == 8


def test_without_pictures_no_order_sheets_are_written(table: GameFolder) -> None:
    phase = table.run("status", "--json").data["phase"]

    assert phase
    assert not (table.folder / "sheets" / phase).exists()


def test_the_large_files_lie_with_the_phase_processed_last(tmp_path: Path) -> None:
    """Earlier phases keep the map as PNG and the page in the game's language, the rest is made on
    demand; so are order sheets of phases that are closed."""
    run_command("new", "game", "--from", TURN, "--lang", "it", "--player", "TOL=Ann", cwd=tmp_path)
    table = GameFolder(tmp_path / "game")
    table.run("player", "set", "TOL", "--speaks", "en")
    following = table.run("process", "318-spring", "--allow-missing", "--json").data["next"]
    first = _reports(table, "318-spring")
    svg, page = (first / "map.svg").read_text("utf-8"), (first / "public.en.html").read_bytes()
    (table.folder / "sheets" / following / "notes.txt").write_text("my own", "utf-8")
    table.run("process", following, "--allow-missing")

    assert {path.name for path in first.iterdir()} >= {"map.png", "public.it.html"}
    assert not {"map.svg", "public.en.html"} & {path.name for path in first.iterdir()}
    table.run("report", "318-spring", "--format", "svg", "-o", str(tmp_path / "map.svg"))
    english = ("--lang", "en", "-o", str(tmp_path / "page.html"))
    table.run("report", "318-spring", "--format", "html", *english)
    assert (tmp_path / "map.svg").read_text("utf-8") == svg
    assert (tmp_path / "page.html").read_bytes() == page
    sheets = {path.name: len(list(path.iterdir())) for path in (table.folder / "sheets").iterdir()}
    assert sheets.pop(following) == 1, "what the game master put there stays"
    assert list(sheets) == [table.run("status", "--json").data["phase"]]

    table.run("undo")
    assert (first / "map.svg").read_text("utf-8") == svg, "it is the last phase again"
    assert (first / "public.en.html").read_bytes() == page
    table.run("redo")
    assert not {"map.svg", "public.en.html"} & {path.name for path in first.iterdir()}
    assert (_reports(table, following) / "map.svg").exists()
