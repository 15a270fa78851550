"""Copies of the game file: when they are made, which ones stay, and that they come back whole."""

from __future__ import annotations

import shutil
import sqlite3
import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alexmagnum.errors import GameError
from alexmagnum.game import backups
from alexmagnum.game.backups import (
    FOLDER,
    Copy,
    choose_kept,
    find_newest_sound_copy,
    list_copies,
    read_copies,
    read_copy,
)
from alexmagnum.game.checksum import SUM
from alexmagnum.game.folder import FILE
from alexmagnum.game.page_deltas import PAGE, Delta, compare_copies
from alexmagnum.i18n.sentences import load_sentences
from tests.game.desks import dump, new_desk, open_desk, play
from tests.sizes import drawn


def content(data: bytes, folder: Path) -> object:
    folder.mkdir()
    (folder / FILE).write_bytes(data)
    return dump(folder)


def test_a_copy_shows_the_file_as_it_was_before_each_act(tmp_path: Path) -> None:
    folder = tmp_path / "g"
    before: list[object] = []
    with new_desk(folder) as desk:
        for act in (
            lambda: desk.process("1901-spring", allow_missing=True),
            lambda: desk.amend("1901-spring", "France", "A PAR - BUR"),
            desk.undo,
            desk.redo,
        ):
            before.append(dump(folder))
            act()

    copies = list_copies(folder)[::-1]
    assert [(copy.number, copy.action) for copy in copies] == [
        (1, "process"),
        (2, "amend"),
        (3, "undo"),
        (4, "redo"),
    ]
    found = [content(read_copy(folder, copy.number)[1], tmp_path / copy.crc) for copy in copies]
    assert found == before


def test_an_act_that_is_refused_makes_no_copy(tmp_path: Path) -> None:
    with new_desk(tmp_path) as desk:
        for act in (lambda: desk.process("1901-spring"), desk.undo, desk.redo):
            with pytest.raises(GameError):
                act()

    assert list_copies(tmp_path) == ()


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are POSIX")
def test_nobody_else_reads_a_copy(tmp_path: Path) -> None:
    with new_desk(tmp_path) as desk:
        desk.process("1901-spring", allow_missing=True)

    assert (tmp_path / FOLDER).stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / FOLDER).iterdir()} == {0o600}


def test_a_copy_that_cannot_be_made_stops_the_act_and_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / FOLDER).write_text("in the way")
    with new_desk(tmp_path) as desk:
        before = dump(tmp_path)
        with pytest.raises(GameError, match="backup-failed") as caught:
            desk.process("1901-spring", allow_missing=True)
        assert dump(tmp_path) == before
        assert "settings backups 0" in load_sentences("en").error(caught.value)
        desk.set("backups", 0)
        desk.process("1901-spring", allow_missing=True)


def test_what_an_interrupted_copy_left_is_removed(tmp_path: Path) -> None:
    (tmp_path / FOLDER).mkdir()
    torn = tmp_path / FOLDER / ".copy-abc"
    torn.write_bytes(b"half")
    with new_desk(tmp_path) as desk:
        desk.process("1901-spring", allow_missing=True)

    assert not torn.exists()
    assert len(list_copies(tmp_path)) == 1


def _copies(phases: list[str]) -> list[Copy]:
    return [
        Copy(Path(f"{number}.db"), number, "", "process", phase, "")
        for number, phase in enumerate(phases, 1)
    ][::-1]


def test_the_last_ones_stay_and_the_newest_of_each_year() -> None:
    phases = ["323-1", "323-2", "322-spring", "322-winter", "321-spring", "321-autumn"]

    assert choose_kept(_copies(phases), 2) == {2, 4, 5, 6}
    assert choose_kept(_copies(phases), 10) == {1, 2, 3, 4, 5, 6}


@pytest.mark.parametrize("room", [48_000_000, 1_000_000, 0])
def test_every_copy_that_stays_comes_back_byte_for_byte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    """Check whole files and deltas."""
    monkeypatch.setattr(backups, "WHOLE_BYTES", room)
    made: dict[int, bytes] = {}
    with new_desk(tmp_path, settings={"backups": 3}) as desk:
        for _ in range(9):
            play(desk, 1)
            newest = list_copies(tmp_path)[0]
            made[newest.number] = newest.path.read_bytes()

    found = {copy.number: data for copy, data in read_copies(tmp_path)}
    years = {copy.year for copy in list_copies(tmp_path)}
    assert len(years) > 2
    assert {9, 8, 7} < set(found)
    assert found == {number: made[number] for number in found}
    forms = {copy.is_whole for copy in list_copies(tmp_path)}
    assert forms == ({True} if room > 10_000_000 else {True, False})
    assert list_copies(tmp_path)[0].is_whole


def test_a_damaged_copy_is_passed_over(tmp_path: Path) -> None:
    with new_desk(tmp_path) as desk:
        play(desk, 3)
    newest, second, _ = list_copies(tmp_path)
    data = bytearray(newest.path.read_bytes())
    data[Random(1).randrange(len(data))] ^= 4
    newest.path.write_bytes(bytes(data))

    assert find_newest_sound_copy(tmp_path) == second
    with pytest.raises(GameError, match="backup-damaged"):
        read_copy(tmp_path, newest.number)
    with pytest.raises(GameError, match="no-backup"):
        read_copy(tmp_path, 77)


def test_a_file_that_sqlite_finds_damaged_is_not_processed(tmp_path: Path) -> None:
    with new_desk(tmp_path) as desk:
        play(desk, 2)
    copies = list_copies(tmp_path)
    db = sqlite3.connect(tmp_path / FILE)
    db.execute("PRAGMA writable_schema = ON")
    db.execute("DELETE FROM sqlite_master WHERE name = 'units_phase'")  # an index without a root
    db.commit()
    db.close()
    (tmp_path / SUM).unlink()

    with open_desk(tmp_path) as desk, pytest.raises(GameError, match="game-damaged"):
        desk.process(str(desk.phase), allow_missing=True)
    assert list_copies(tmp_path) == copies


_FILES = st.binary(max_size=6 * PAGE)


@drawn(60, 2000)
@given(_FILES, _FILES, _FILES)
def test_a_delta_gives_back_any_file(oldest: bytes, older: bytes, newest: bytes) -> None:
    first, second = compare_copies(oldest, older), compare_copies(older, newest)

    assert Delta.decode(first.encode()).apply(older) == oldest
    assert Delta.decode(first.rebase(second).encode()).apply(newest) == oldest


@drawn(60, 2000)
@given(st.binary(max_size=300), st.integers(0, 300), st.binary(min_size=1, max_size=3))
def test_a_damaged_delta_is_refused_or_gives_something_else(
    file: bytes, at: int, scribble: bytes
) -> None:
    data = bytearray(compare_copies(file, b"").encode())
    data[at : at + len(scribble)] = scribble
    try:
        Delta.decode(bytes(data)).apply(b"")
    except (ValueError, MemoryError):
        return


def test_copies_of_a_folder_that_was_moved_are_found(tmp_path: Path) -> None:
    with new_desk(tmp_path / "g") as desk:
        play(desk, 1)
    shutil.move(tmp_path / "g", tmp_path / "h")

    assert find_newest_sound_copy(tmp_path / "h") is not None
