"""The pictures that are made with the reports of a phase, and the setting that leaves them out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands import ROOT, GameFolder, run_command

TURN = str(ROOT / "orders" / "turn.yaml")


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> GameFolder:
    """A game with a phase processed as it comes, and the next one without pictures."""
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
    page = (_reports(table, "318-spring") / "public.en.html").read_text("utf-8")

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
