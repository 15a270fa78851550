"""Copies of the game file: when they are made, which ones stay, and that they come back whole."""

from __future__ import annotations

import shutil
import sqlite3
import sys
from pathlib import Path
from random import Random

import pytest

from alexmagnum.errors import GameError
from alexmagnum.game import copies
from alexmagnum.game.copies import (
    FOLDER,
    Copy,
    choose_kept,
    find_newest_sound_copy,
    list_copies,
    read_copy,
)
from alexmagnum.game.desk import Desk
from alexmagnum.game.file import FILE, SUM
from alexmagnum.i18n.sentences import load_sentences
from tests.game.desks import dump, new_desk, open_desk, play, refusal, resolve


def content(data: bytes, folder: Path) -> object:
    folder.mkdir()
    (folder / FILE).write_bytes(data)
    return dump(folder)


def test_a_copy_shows_the_file_as_it_was_before_each_act(tmp_path: Path) -> None:
    folder = tmp_path / "g"
    before: list[object] = []
    with new_desk(folder) as desk:
        for refused in (lambda: desk.process("1901-spring"), desk.undo, desk.redo):
            refusal(refused)
        assert list_copies(folder) == ()
        for act in (
            lambda: resolve(desk),
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


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are POSIX")
def test_nobody_else_reads_a_copy(desk: Desk, tmp_path: Path) -> None:
    resolve(desk)

    assert (tmp_path / FOLDER).stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / FOLDER).iterdir()} == {0o600}


def test_a_copy_that_cannot_be_made_stops_the_act_and_says_what_to_do(
    desk: Desk, tmp_path: Path
) -> None:
    (tmp_path / FOLDER).write_text("in the way")
    before = dump(tmp_path)
    error = refusal(lambda: resolve(desk))
    assert dump(tmp_path) == before
    assert error.code == "backup-failed"
    assert "settings backups 0" in load_sentences("en").error(error)
    desk.set("backups", 0)
    resolve(desk)


def test_what_an_interrupted_copy_left_is_removed(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / FOLDER).mkdir()
    torn = tmp_path / FOLDER / ".copy-abc"
    torn.write_bytes(b"half")
    resolve(desk)

    assert not torn.exists()
    assert len(list_copies(tmp_path)) == 1


@pytest.mark.parametrize(
    ("last", "room", "kept"),
    [(2, 99, {2, 4, 5, 6}), (10, 99, {1, 2, 3, 4, 5, 6}), (2, 3, {4, 5, 6}), (2, 1, {5, 6})],
)
def test_the_last_ones_stay_and_the_newest_of_each_year_while_there_is_room(
    monkeypatch: pytest.MonkeyPatch, last: int, room: int, kept: set[int]
) -> None:
    monkeypatch.setattr(copies, "ROOM", room)
    phases = ("323-1", "323-2", "322-spring", "322-winter", "321-spring", "321-autumn")
    made = [
        Copy(Path(f"{number}.db"), number, f"202{number}-01-01", "process", phase, "", size=1)
        for number, phase in enumerate(phases, 1)
    ]
    assert choose_kept(made[::-1], last) == kept


def test_every_copy_that_stays_comes_back_byte_for_byte(tmp_path: Path) -> None:
    made: dict[int, bytes] = {}
    with new_desk(tmp_path, settings={"backups": 3}) as desk:
        for _ in range(9):
            play(desk, 1)
            newest = list_copies(tmp_path)[0]
            made[newest.number] = newest.path.read_bytes()

    copies = list_copies(tmp_path)
    assert len({copy.year for copy in copies}) > 2
    assert {9, 8, 7} < {copy.number for copy in copies} < set(made)
    for copy in copies:
        assert copy.read() == made[copy.number]


def test_a_damaged_copy_is_passed_over(tmp_path: Path) -> None:
    with new_desk(tmp_path) as desk:
        play(desk, 3)
    newest, second, _ = list_copies(tmp_path)
    data = bytearray(newest.path.read_bytes())
    data[Random(1).randrange(len(data))] ^= 4
    newest.path.write_bytes(bytes(data))

    assert find_newest_sound_copy(tmp_path) == second
    assert refusal(lambda: read_copy(tmp_path, newest.number)).code == "backup-damaged"
    assert refusal(lambda: read_copy(tmp_path, 77)).code == "no-backup"


def test_a_file_that_sqlite_finds_damaged_is_not_processed(tmp_path: Path) -> None:
    with new_desk(tmp_path) as desk:
        play(desk, 2)
    copies = list_copies(tmp_path)
    db = sqlite3.connect(tmp_path / FILE)
    sql = "SELECT rootpage FROM sqlite_master WHERE name = 'resolved_unit'"
    (root,) = db.execute(sql).fetchone()
    db.close()
    data = bytearray((tmp_path / FILE).read_bytes())
    data[(root - 1) * 4096 : root * 4096] = bytes(4096)
    (tmp_path / FILE).write_bytes(bytes(data))
    (tmp_path / SUM).unlink()

    with open_desk(tmp_path) as desk, pytest.raises(GameError, match="game-damaged"):
        resolve(desk)
    assert list_copies(tmp_path) == copies


def test_copies_of_a_folder_that_was_moved_are_found(tmp_path: Path) -> None:
    with new_desk(tmp_path / "g") as desk:
        play(desk, 1)
    shutil.move(tmp_path / "g", tmp_path / "h")

    assert find_newest_sound_copy(tmp_path / "h") is not None
