"""Processing is one transaction: killed at any instant, the file is either before or after.

The children are forked and killed with SIGKILL; clock and salts stand still, so that what the file
has to be afterwards is known to the byte.
"""

import os
import shutil
import signal
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from alexmagnum.errors import GameError
from alexmagnum.game.file import FILE
from tests.child_processes import fork, wait
from tests.game.desks import Dump, dump, new_desk, open_desk, submit_random
from tests.mail.killed import KillPoint, kill_before_each_step
from tests.sizes import sampled, sized

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is POSIX")

PHASE = "1901-spring"
KILLS = sized(4, 25)


@pytest.fixture(scope="module")
def waiting_game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a game whose first phase waits to be processed."""
    folder = tmp_path_factory.mktemp("ready")
    with new_desk(folder) as desk:
        submit_random(desk, Random(7))
    return folder


@pytest.fixture(scope="module")
def states(waiting_game: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Dump]:
    """Return the contents of the file before processing and after it."""
    folder = _copy(waiting_game, tmp_path_factory.mktemp("after") / "g")
    before = dump(folder)
    _process(folder)
    return {"before": before, "after": dump(folder)}


def _copy(folder: Path, to: Path) -> Path:
    to.mkdir(parents=True)
    shutil.copy(folder / FILE, to / FILE)
    return to


def _process(folder: Path) -> bool:
    """Process the phase: was there anything to do?"""
    with open_desk(folder) as desk:
        return not desk.process(PHASE, allow_missing=True).unchanged


def _state(folder: Path, states: dict[str, Dump]) -> str:
    found = dump(folder)
    return next((name for name, wanted in states.items() if wanted == found), "neither")


def _check(folder: Path, states: dict[str, Dump]) -> str:
    """Check that the file is as before or as after, and that the next command works."""
    state = _state(folder, states)
    assert state != "neither"
    assert _process(folder) is (state == "before")
    assert _state(folder, states) == "after"
    return state


@sampled
def test_killed_at_any_instant_the_file_is_before_or_after(
    waiting_game: Path, states: dict[str, Dump], tmp_path: Path
) -> None:
    """On a busy machine the act may take longer or shorter than when it was timed."""
    latest = 1.3 * _duration(waiting_game, tmp_path / "timed")
    rng = Random(20261120)
    seen: Counter[str] = Counter()
    for number in range(5 * KILLS):
        if number >= KILLS and seen["before"] and seen["after"]:
            break
        folder = _copy(waiting_game, tmp_path / str(number))
        child = fork(lambda folder=folder: _process(folder))  # type: ignore[misc]
        time.sleep(rng.uniform(0, latest))
        os.kill(child, signal.SIGKILL)
        assert wait(child) in (0, -signal.SIGKILL)
        seen[_check(folder, states)] += 1
        shutil.rmtree(folder)
        if not seen["after"]:
            latest *= 1.1
        elif not seen["before"]:
            latest *= 0.9

    assert seen["before"] > 0
    assert seen["after"] > 0


def _duration(waiting_game: Path, to: Path) -> float:
    """Return the longest time that one of a few children takes for the whole act."""
    longest = 0.0
    for number in range(5):
        folder = _copy(waiting_game, to / str(number))
        start = time.perf_counter()
        assert wait(fork(lambda folder=folder: _process(folder))) == 0  # type: ignore[misc]
        longest = max(longest, time.perf_counter() - start)
    return longest


EVERY = sized(12, 2)


@sampled
def test_killed_before_any_statement_the_file_is_before_or_after(
    waiting_game: Path, states: dict[str, Dump], tmp_path: Path
) -> None:
    """Kill between SQL statements."""
    ready = _copy(waiting_game, tmp_path / "ready")
    found = []
    for folder in kill_before_each_step(_process_until, ready, EVERY, steps=20):
        found.append(_check(folder, states))
        shutil.rmtree(folder)
    acted = found.index("after")  # what follows the act only looks whom to ask for orders
    assert found == ["before"] * acted + ["after"] * (len(found) - acted)
    assert acted >= len(found) * 0.5


def _process_until(folder: Path, kill: KillPoint) -> None:
    """Process, and go on for some steps, so that one kill at least comes after the act."""
    with open_desk(folder) as desk:
        kill.watch(desk)
        desk.process(PHASE, allow_missing=True)
        for _ in range(EVERY):
            kill()


@sampled
def test_killed_while_a_game_is_made_the_folder_can_be_used_again(tmp_path: Path) -> None:
    rng = Random(3)
    seen: Counter[str] = Counter()
    for number in range(sized(3, 15)):
        folder = tmp_path / str(number)
        child = fork(lambda folder=folder: new_desk(folder))  # type: ignore[misc]
        time.sleep(rng.uniform(0, 0.06))
        os.kill(child, signal.SIGKILL)
        assert wait(child) in (0, -signal.SIGKILL)
        seen[_made_anew(folder)] += 1
        with open_desk(folder) as desk:
            assert desk.verify() == ()
            assert str(desk.phase) == PHASE
    assert seen.keys() <= {"made", "game-exists"}
    assert seen["made"] > 0


@sampled
def test_two_commands_at_once_make_one_game(tmp_path: Path) -> None:
    """Tell the second command that there is a game; the first loses nothing."""
    for number in range(sized(1, 8)):
        folder = tmp_path / str(number)

        def make(name: str, folder: Path = folder) -> None:
            (folder / f"{name}-{_made_anew(folder, name)}").touch()

        children = [fork(lambda n=n, make=make: make(n)) for n in ("a", "b", "c")]  # type: ignore[misc]
        assert [wait(child) for child in children] == [0, 0, 0]
        refused = {path.name[0] for path in folder.glob("*-game-exists")}
        assert len(refused) == 2
        with open_desk(folder) as desk:
            assert {desk.name} == {"a", "b", "c"} - refused
            assert desk.verify() == ()


def _made_anew(folder: Path, name: str = "") -> str:
    """Make the game again: ``made``, or why not."""
    try:
        new_desk(folder, name=name).close()
    except GameError as error:
        return error.code
    return "made"


@sampled
def test_two_commands_at_once_process_once(
    waiting_game: Path, states: dict[str, Dump], tmp_path: Path
) -> None:
    """Let the second command wait; it finds the phase resolved and changes nothing."""
    for number in range(sized(1, 6)):
        folder = _copy(waiting_game, tmp_path / str(number))
        children = [fork(lambda folder=folder: _process(folder)) for _ in range(3)]  # type: ignore[misc]
        assert [wait(child) for child in children] == [0, 0, 0]
        assert _state(folder, states) == "after"


@pytest.mark.proof
def test_two_commands_at_once_lose_no_mail(waiting_game: Path, tmp_path: Path) -> None:
    folder = _copy(waiting_game, tmp_path / "g")
    before = len(dump(folder)["mail"])

    def send(power: str) -> None:
        with open_desk(folder) as desk:
            for _ in range(5):
                desk.submit(power, "A PAR H")

    children = [fork(lambda p=p: send(p)) for p in ("France", "Italy", "Turkey")]  # type: ignore[misc]
    assert [wait(child) for child in children] == [0, 0, 0]

    assert len(dump(folder)["mail"]) == before + 15
    with open_desk(folder) as desk:
        assert desk.verify() == ()
