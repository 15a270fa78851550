"""A command is killed after its act: the next one, whichever it is, puts the folder right."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from alexmagnum.game import Desk
from alexmagnum.workflow import publish
from tests.commands import run_command
from tests.mail.kill_points import is_killed

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is POSIX")

SPRING, AUTUMN = "1901-spring", "1901-autumn"


def _kill_after_act(folder: Path, act: Callable[[Desk], object]) -> None:
    """Do an act in a child process that is killed before it publishes anything."""

    def work() -> None:
        publish.publish = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)  # type: ignore[assignment]
        with Desk.open(folder) as desk:
            act(desk)

    assert is_killed(work)


def _list_files(folder: Path) -> dict[str, bytes]:
    """Return the sheets and reports in a game's folder, by path."""
    found = (path for place in ("sheets", "reports") for path in (folder / place).rglob("*.*"))
    return {str(path.relative_to(folder)): path.read_bytes() for path in found if path.is_file()}


def _run(folder: Path, *arguments: str) -> str:
    return run_command("--game", str(folder), *arguments, cwd=folder.parent).out


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """Make a game in autumn 1901."""
    run_command("new", "g", "--map", "standard", "--lang", "en", cwd=tmp_path)
    _run(tmp_path / "g", "process", SPRING, "--allow-missing")
    return tmp_path / "g"


@pytest.mark.parametrize("command", ["status", "history"])
def test_an_undo_that_was_killed_leaves_no_old_sheets(game: Path, command: str) -> None:
    _run(game, "process", AUTUMN, "--allow-missing")
    _kill_after_act(game, publish.undo_phase)
    left = {path.name for path in (game / "sheets").iterdir()}
    _run(game, command)
    mended = _list_files(game)
    _run(game, "redo")
    _run(game, "undo")

    assert left != {AUTUMN}
    assert {path.name for path in (game / "sheets").iterdir()} == {AUTUMN}
    assert (game / "reports" / SPRING / "public.en.html").exists()
    assert mended.keys() == _list_files(game).keys()


def test_what_a_processing_that_was_killed_left_unwritten_is_written(game: Path) -> None:
    before = _list_files(game)
    _kill_after_act(game, lambda desk: publish.process_phase(desk, AUTUMN, allow_missing=True))
    assert _list_files(game) == before
    _run(game, "status")
    mended = _list_files(game)
    _run(game, "process", AUTUMN, "--allow-missing")

    assert f"reports/{AUTUMN}/public.en.html" in mended
    assert mended == _list_files(game)


def test_a_final_report_does_not_outlive_an_undo_that_was_killed(game: Path) -> None:
    _run(game, "end", "--abandon")
    assert (game / "reports" / "final").is_dir()
    _kill_after_act(game, publish.undo_phase)
    _run(game, "status")

    assert not (game / "reports" / "final").exists()
    assert {path.name for path in (game / "sheets").iterdir()} == {AUTUMN}
