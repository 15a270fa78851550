"""The layout of a map without shapes is kept beside the game, and never trusted."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from pathlib import Path
from typing import Any

import pytest

from alexmagnum.board.map_file import read_map_text
from alexmagnum.board.model import Board
from alexmagnum.draw import base_map, layout
from alexmagnum.draw.atlas import Atlas
from alexmagnum.draw.layout import lay_out
from alexmagnum.draw.map_shapes import schematic_atlas
from alexmagnum.files import keep_results_in, show_progress_to
from tests.commands import run_command
from tools.random_map import random_map

Json = dict[str, Any]


@pytest.fixture
def board() -> Board:
    return read_map_text(json.dumps(random_map(14, 3)), "random").board


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that grows when a layout is made, by the number of its provinces."""
    counts: list[int] = []

    def counted(graph: Any, *rest: Any) -> Any:
        counts.append(len(graph))
        return lay_out(graph, *rest)

    monkeypatch.setattr(layout, "lay_out", counted)
    return counts


def _forget_drawings() -> None:
    """Forget what the process has drawn, as if another one began."""
    for drawn in (schematic_atlas, base_map._without_names, base_map._with_names):
        drawn.cache_clear()


def _draw(board: Board, folder: Path) -> Atlas:
    schematic_atlas.cache_clear()
    with keep_results_in(folder):
        return schematic_atlas(board)


def test_a_kept_layout_is_used_again_and_gives_the_same_drawing(
    board: Board, made: list[int], tmp_path: Path
) -> None:
    first = _draw(board, tmp_path)

    assert _draw(board, tmp_path) == first
    assert len(made) == 1
    assert [path.name[:11] for path in tmp_path.iterdir()] == ["map-layout-"]


def test_a_deleted_layout_is_made_again(board: Board, made: list[int], tmp_path: Path) -> None:
    first = _draw(board, tmp_path)
    for path in tmp_path.iterdir():
        path.unlink()

    assert _draw(board, tmp_path) == first
    assert len(made) == 2


def _swap_two(raw: Json) -> None:
    at = raw["pieces"][0]["at"]
    a, b = list(at)[:2]
    at[a], at[b] = at[b], at[a]


def _forget_one(raw: Json) -> None:
    del raw["pieces"][0]["at"][next(iter(raw["pieces"][0]["at"]))]


def _drop_border(raw: Json) -> None:
    around = raw["pieces"][0]["around"]
    a = next(iter(around))
    b = around[a].pop()
    around[b].remove(a)


DAMAGES: dict[str, Callable[[Json], None]] = {
    "two points changed places": _swap_two,
    "a point is missing": _forget_one,
    "a border is missing": _drop_border,
    "a point is nowhere": lambda raw: raw["pieces"][0]["at"].update(AAA=[float("nan"), 0.0]),
    "of another map": lambda raw: raw.update(key="0" * 64),
    "no pieces": lambda raw: raw.update(pieces=[]),
    "pieces of another kind": lambda raw: raw.update(pieces=[7]),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_layout_that_does_not_fit_the_map_is_made_again(
    damage: Callable[[Json], None], board: Board, made: list[int], tmp_path: Path
) -> None:
    first = _draw(board, tmp_path)
    (path,) = tmp_path.iterdir()
    raw = json.loads(path.read_text("utf-8"))
    damage(raw)
    path.write_text(json.dumps(raw), "utf-8")

    assert _draw(board, tmp_path) == first
    assert len(made) == 2
    assert _draw(board, tmp_path) == first
    assert len(made) == 2  # the damaged file was replaced


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"[]", b"{}", b'{"key": 1', b"7"])
def test_a_file_that_holds_no_layout_is_replaced(
    content: bytes, board: Board, made: list[int], tmp_path: Path
) -> None:
    first = _draw(board, tmp_path)
    (path,) = tmp_path.iterdir()
    path.write_bytes(content)

    assert _draw(board, tmp_path) == first
    assert len(made) == 2


def test_a_folder_that_cannot_be_written_only_costs_time(
    board: Board, made: list[int], tmp_path: Path
) -> None:
    first = _draw(board, tmp_path / "nowhere")

    assert _draw(board, tmp_path / "nowhere") == first
    assert not (tmp_path / "nowhere").exists()


def test_several_at_once_leave_one_whole_file(board: Board, tmp_path: Path) -> None:
    contexts = [copy_context() for _ in range(4)]
    with keep_results_in(tmp_path), ThreadPoolExecutor(4) as pool:
        contexts = [copy_context() for _ in range(4)]
        drawn = list(pool.map(lambda c: c.run(schematic_atlas.__wrapped__, board), contexts))

    assert all(atlas == drawn[0] for atlas in drawn)
    assert len(list(tmp_path.iterdir())) == 1
    assert _draw(board, tmp_path) == drawn[0]


def test_progress_goes_up_to_the_whole(board: Board, tmp_path: Path) -> None:
    parts: list[float] = []
    with show_progress_to(parts.append):
        _draw(board, tmp_path)

    assert parts == sorted(parts)
    assert parts[-1] == pytest.approx(1.0)


def test_a_game_keeps_its_layout_and_lays_nothing_out_without_a_picture(
    made: list[int], tmp_path: Path
) -> None:
    path, game = tmp_path / "map.json", tmp_path / "game"
    path.write_text(json.dumps(random_map(30, 7)), "utf-8")
    run_command("new", str(game), "--map", str(path), "--player", "AST=Ann <ann@example.org>")
    (kept,) = game.glob("map-layout-*.json")  # the letters of a new game show the map
    kept.unlink()
    made.clear()
    _forget_drawings()
    for quiet in (["status"], ["history"], ["report"], ["preview"]):
        run_command(*quiet, cwd=game)
        assert made == [], quiet

    for _ in range(2):
        run_command("report", "--format", "html", cwd=game)
        assert sum(made) == 30
        assert kept.is_file()
        _forget_drawings()
