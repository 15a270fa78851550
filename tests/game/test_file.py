"""The game file: made, opened, refused unharmed, and shared by commands."""

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from datetime import datetime
from functools import partial
from pathlib import Path
from random import Random
from stat import S_IMODE
from unittest.mock import Mock

import pytest
from sqlite_utils import Database

from alexmagnum.errors import AlexMagnumError, GameError
from alexmagnum.files import PART, RESTORING, remove_leftovers, write_whole
from alexmagnum.game import copies
from alexmagnum.game.copies import FOLDER, Copy, find_newest_sound_copy, list_copies, read_copy
from alexmagnum.game.desk import Desk
from alexmagnum.game.file import FILE, HOLDER, READ, SUM, GameFile, hold_lock
from alexmagnum.game.records import TABLES, VERSION
from alexmagnum.i18n.sentences import load_sentences
from tests.commands import run_command
from tests.game.desks import NOON, dump, dump_rows, new_desk, open_desk, play, refusal, resolve
from tests.sizes import one_in


def _refusal(folder: Path) -> str:
    """Return the code of the error with which a game is not opened."""
    return refusal(lambda: open_desk(folder)).code


# -- made ------------------------------------------------------------------------------------------


def test_a_new_game_is_a_folder_with_one_file_and_two_folders(tmp_path: Path) -> None:
    with new_desk(tmp_path / "am1") as desk:
        assert desk.name == "am1"
        assert str(desk.phase) == "1901-spring"
    assert {p.name for p in (tmp_path / "am1").iterdir()} == {
        FILE,
        SUM,
        "changes",
        "drafts",
        "reports",
    }


def test_neither_a_game_nor_a_foreign_file_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign" / FILE).write_text("not ours")
    new_desk(tmp_path / "game").close()
    for folder in (tmp_path / "foreign", tmp_path / "game"):
        before = (folder / FILE).read_bytes()
        assert refusal(partial(new_desk, folder, "alexmagnum")).code == "game-exists"
        assert (folder / FILE).read_bytes() == before


def test_an_act_is_on_the_disk_before_it_is_done(tmp_path: Path) -> None:
    """Use a process of its own, because within the suite nothing waits for the disk."""
    new_desk(tmp_path / "game").close()
    script = (
        "import sys; from pathlib import Path; from alexmagnum.game.desk import Desk\n"
        "with Desk.open(Path(sys.argv[1])) as desk:\n"
        "    print(*desk.file.db.execute('PRAGMA synchronous').fetchone())"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "game")]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "2\n", "2 is FULL"


def test_a_new_game_is_checked_before_anything_is_made(tmp_path: Path) -> None:
    for options in (
        {"board": "nowhere"},
        {"settings": {"second_mail": "both"}},
        {"settings": {"rules.picks": "many"}},
        {"lang": "xx"},
    ):
        with pytest.raises(AlexMagnumError):
            new_desk(tmp_path / "new", **options)
    assert not (tmp_path / "new").exists()


def test_a_game_whose_creation_fails_can_be_created_again(tmp_path: Path) -> None:
    with pytest.raises(KeyError):
        new_desk(tmp_path, now=Mock(side_effect=KeyError))
    assert _refusal(tmp_path) == "no-game"
    with new_desk(tmp_path) as desk:
        assert desk.verify() == ()


def test_a_game_that_another_command_creates_meanwhile_is_not_touched(tmp_path: Path) -> None:
    def overtaken() -> datetime:
        if not (tmp_path / FILE).exists():
            new_desk(tmp_path, name="quicker").close()
        return NOON

    assert refusal(lambda: new_desk(tmp_path, now=overtaken)).code == "game-exists"
    with open_desk(tmp_path) as desk:
        assert (desk.name, desk.verify()) == ("quicker", ())
    assert {p.name for p in tmp_path.iterdir()} == {FILE, SUM, "changes", "drafts", "reports"}


def test_a_disk_without_hard_links_takes_a_game_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "link", Mock(side_effect=PermissionError))
    with new_desk(tmp_path, name="first") as desk:
        assert desk.verify() == ()
    assert refusal(partial(new_desk, tmp_path)).code == "game-exists"
    with open_desk(tmp_path) as desk:
        assert desk.name == "first"


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are POSIX")
def test_nobody_else_looks_into_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "g"
    folder.mkdir(mode=0o755)
    with new_desk(folder) as desk:
        desk.submit("France", "A PAR H")
        with hold_lock(folder, "send"), desk.file.writing("x"):
            held = (folder / name for name in ("send.lock", "send.holder", HOLDER))
            assert {path.stat().st_mode & 0o777 for path in held} == {0o600}
        parts = {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {parts.pop(name) for name in ("changes", "drafts", "reports")} == {0o700}
    assert set(parts.values()) == {0o600}


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are POSIX")
def test_a_folder_that_others_may_look_into_is_told_once(tmp_path: Path) -> None:
    new_desk(tmp_path / "g").close()
    (tmp_path / "g").chmod(0o755)
    said = [run_command("status", "--lang", "en", cwd=tmp_path / "g").err for _ in range(2)]
    assert ["chmod 700" in each for each in said] == [True, False]


def test_each_error_of_sqlite_has_its_own_message(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(number: int) -> None:
        error = sqlite3.OperationalError("why")
        error.sqlite_errorcode = number
        with desk.file.guarded():
            raise error

    for number, code in (
        (sqlite3.SQLITE_FULL, "cannot-write"),
        (sqlite3.SQLITE_READONLY_DBMOVED, "cannot-write"),
        (sqlite3.SQLITE_CANTOPEN, "cannot-write"),
        (sqlite3.SQLITE_IOERR_FSYNC, "cannot-write"),
        (sqlite3.SQLITE_PERM, "cannot-write"),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, "game-busy"),
        (sqlite3.SQLITE_LOCKED, "game-busy"),
        (sqlite3.SQLITE_CORRUPT, "game-damaged"),
        (sqlite3.SQLITE_NOTADB, "game-damaged"),
    ):
        assert refusal(partial(fail, number)).code == code
    monkeypatch.setattr("os.access", lambda path, mode: not str(path).endswith("-shm"))
    said = refusal(partial(fail, sqlite3.SQLITE_READONLY))
    assert said.data["path"] == f"{desk.file.path}-shm", "which of the files it is"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such rights")
def test_a_game_that_was_read_only_once_can_be_written_again(desk: Desk) -> None:
    """SQLite gives its own files the rights of the game, and they may stay."""
    wal, folder = desk.folder / "game.db-wal", desk.folder
    wal.chmod(0o400)
    GameFile.open(folder).close()
    assert S_IMODE(wal.stat().st_mode) == S_IMODE((folder / "game.db").stat().st_mode)


def test_a_full_disk_is_not_reported_as_damage(desk: Desk) -> None:
    db = desk.file.db
    pages = db.execute("PRAGMA page_count").fetchone()[0]
    db.execute(f"PRAGMA max_page_count = {pages}")
    assert refusal(lambda: desk.submit("France", "A PAR H\n" * 400)).code == "cannot-write"
    db.execute("PRAGMA max_page_count = 1000000")
    assert desk.receipt("France") is None


def test_errors_of_the_program_itself_are_not_translated(desk: Desk) -> None:
    with pytest.raises(sqlite3.IntegrityError), desk.file.writing("x"):
        desk.file.insert("codes", phase="x", power="Nobody", code="x")
    with pytest.raises(GameError, match="game-damaged"), desk.file.writing("x"):
        desk.file.insert("recipes", name="x")


def test_tables_are_readable_with_plain_sql(tmp_path: Path) -> None:
    new_desk(tmp_path).close()
    db = Database(tmp_path / FILE)
    assert set(TABLES) <= set(db.table_names())
    assert set(db.view_names()) == {"units", "centres", "nobility", "line", "results"}
    assert db.view("units").count == 22
    assert {"F", "STP", "SC", 1} <= set(
        db.execute("SELECT kind, province, coast, number FROM units WHERE coast != ''").fetchone()
    )
    assert db.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    db.close()


def test_a_folder_without_a_game_is_named(tmp_path: Path) -> None:
    assert _refusal(tmp_path) == "no-game"
    assert _refusal(tmp_path / "nowhere") == "no-game"
    (tmp_path / FILE).touch()
    assert _refusal(tmp_path) == "no-game"


def _run_sql(path: Path, *statements: str) -> None:
    db = sqlite3.connect(path, isolation_level=None)
    for statement in (*statements, "PRAGMA journal_mode = DELETE"):
        db.execute(statement)
    db.close()


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (f"PRAGMA user_version = {VERSION + 1}", "game-newer"),
        (f"PRAGMA user_version = {VERSION - 1}", "game-foreign"),
        ("PRAGMA application_id = 7", "game-foreign"),
        (b"orders", "game-foreign"),
        (b"x" * 5000, "game-foreign"),
    ],
)
def test_a_file_of_another_version_or_program_is_refused_unchanged(
    tmp_path: Path, content: str | bytes, code: str
) -> None:
    new_desk(tmp_path).close()
    if isinstance(content, str):
        _run_sql(tmp_path / FILE, content)
    else:
        (tmp_path / FILE).write_bytes(content)
    before = (tmp_path / FILE).read_bytes()
    assert _refusal(tmp_path) == code
    assert (tmp_path / FILE).read_bytes() == before
    assert not (tmp_path / f"{FILE}-wal").exists()


def test_a_newer_version_that_is_still_in_the_log_is_refused_too(desk: Desk) -> None:
    desk.file.db.execute(f"PRAGMA user_version = {VERSION + 1}")
    assert _refusal(desk.folder) == "game-newer"


@pytest.mark.parametrize(
    ("sound", "filler", "codes"),
    [
        (0.02, b"", {"game-damaged", "verify-file"}),
        (0.3, b"", {"game-damaged", "verify-file"}),
        (0.9, b"", {"game-damaged", "verify-file"}),
        (0.02, b"\xff", {"game-damaged"}),
    ],
)
def test_a_file_that_was_cut_off_or_scribbled_over_is_called_damaged(
    tmp_path: Path, sound: float, filler: bytes, codes: set[str]
) -> None:
    new_desk(tmp_path).close()
    whole = (tmp_path / FILE).read_bytes()
    left = whole[: int(len(whole) * sound)]
    (tmp_path / FILE).write_bytes(left + filler * (len(whole) - len(left)))
    try:
        with open_desk(tmp_path) as desk:
            found = desk.verify()[0].code
    except GameError as error:
        found = error.code
    assert found in codes


@pytest.mark.parametrize("text", ["replace(map_text, 'Paris', 'Parigi')", "CAST(x'ff' AS TEXT)"])
def test_a_map_text_changed_by_hand_is_damage(tmp_path: Path, text: str) -> None:
    new_desk(tmp_path).close()
    _run_sql(tmp_path / FILE, f"UPDATE games SET map_text = {text}")
    assert _refusal(tmp_path) == "game-damaged"


def test_a_file_of_a_format_that_sqlite_does_not_know_is_damage(tmp_path: Path) -> None:
    new_desk(tmp_path).close()
    data = bytearray((tmp_path / FILE).read_bytes())
    data[44:48] = b"\xff" * 4
    (tmp_path / FILE).write_bytes(data)

    assert _refusal(tmp_path) == "game-damaged"


def test_a_command_that_waited_too_long_says_which_command_holds_the_file(tmp_path: Path) -> None:
    new_desk(tmp_path).close()
    holder = GameFile.open(tmp_path)
    with holder.writing("process"):
        with open_desk(tmp_path, wait=0.05) as desk:
            assert desk.status().phase == "1901-spring"  # reading goes on meanwhile
            with pytest.raises(GameError, match="game-busy") as caught:
                desk.submit("France", "A PAR H")
        assert "process, pid" in caught.value.data["holder"]
    holder.close()
    assert not (tmp_path / HOLDER).exists()


def test_a_refused_act_leaves_nothing_in_the_file(desk: Desk, tmp_path: Path) -> None:
    before = dump(tmp_path)
    for act in (
        lambda: desk.process("1901-spring"),
        lambda: desk.process("1901-autumn"),
        lambda: desk.submit("Spain", "A MAD H"),
        desk.undo,
        desk.redo,
        lambda: desk.amend("1901-spring", "France", "A PAR H"),
        lambda: desk.set("second_mail", "both"),
        lambda: desk.set("rules.sea_capacity", 0),
        lambda: desk.absent("France", "2026-12-24", "2026-12-01"),
        desk.resume,
        lambda: desk.add_text("1901-spring", "nowhere", "x"),
    ):
        refusal(act)
    assert dump(tmp_path) == before


def test_an_act_inside_another_is_part_of_it(desk: Desk, tmp_path: Path) -> None:
    """Check that nothing of the inner act stays if the outer one fails."""
    before = dump(tmp_path)
    with pytest.raises(KeyError), desk.act("mail", "FRA"):
        _submit_in_vain(desk, "France")
    assert dump(tmp_path) == before
    with desk.act("mail", "FRA"):
        desk.submit("France", "A PAR H")
    assert [entry.action for entry in desk.history()] == ["new", "submit", "mail"]
    assert desk.receipt("France") is not None


def _submit_in_vain(desk: Desk, power: str) -> None:
    desk.submit(power, "nothing")
    raise KeyError


def test_a_failed_part_of_an_act_takes_back_only_itself(desk: Desk, tmp_path: Path) -> None:
    file = desk.file
    with file.writing("whole"):
        desk.submit("France", "A PAR H")
        with pytest.raises(KeyError), file.writing("part"):
            _submit_in_vain(desk, "England")
        desk.submit("Italy", "A ROM H")
    assert desk.receipt("England") is None
    assert desk.receipt("France") is not None
    assert desk.receipt("Italy") is not None
    assert not (tmp_path / HOLDER).exists()


MAPS = Path(__file__).parents[2] / "maps"


def test_a_running_game_gets_the_shapes_that_its_map_did_not_have(tmp_path: Path) -> None:
    """Shapes are for drawing: nothing else changes, and nobody is warned."""
    own = tmp_path / "mine.json"
    raw = json.loads((MAPS / "standard.json").read_text("utf-8"))
    shapes, sectors = raw.pop("geometry"), raw.pop("impassable")
    own.write_text(json.dumps(raw), "utf-8")
    new_desk(tmp_path / "g", str(own)).close()
    (tmp_path / shapes).write_text((MAPS / shapes).read_text("utf-8"), "utf-8")
    own.write_text(json.dumps({**raw, "geometry": shapes, "impassable": sectors}), "utf-8")

    with open_desk(tmp_path / "g") as desk:
        assert desk.warnings == []
        assert Path(desk.board.geometry).resolve() == (tmp_path / shapes).resolve()
        assert desk.verify() == ()


def test_the_game_plays_on_its_own_copy_of_the_map(tmp_path: Path) -> None:
    """Warn of a map that was changed under a running game; its change has no effect."""
    folder, own = tmp_path / "games" / "g", tmp_path / "maps" / "mine.json"
    own.parent.mkdir()
    own.write_text((MAPS / "standard.json").read_text("utf-8"), "utf-8")
    new_desk(folder, str(own)).close()
    assert dump_rows(folder)["games"][0]["map_source"] == "../../maps/mine.json"
    (tmp_path / "g2").mkdir()
    bare = Path(shutil.copy(own, tmp_path / "g2" / "mymap"))  # in the folder, without an ending
    new_desk(bare.parent, str(bare)).close()
    assert dump_rows(bare.parent)["games"][0]["map_source"] == "./mymap"
    open_desk(bare.parent).close()

    for content in (own.read_text("utf-8").replace("Paris", "Lutetia"), "{}"):
        own.write_text(content, "utf-8")
        with open_desk(folder) as desk:
            assert [warning.code for warning in desk.warnings] == ["map-changed"]
            assert desk.board.provinces["PAR"].name("en") == "Paris"
    own.unlink()
    with open_desk(folder) as desk:
        assert desk.warnings == []
        assert desk.verify() == ()


# -- files beside the game ------------------------------------------------------------------------


def test_what_is_written_is_utf8_with_lf_or_bytes_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.txt"
    write_whole(path, "è\nb\n")
    assert path.read_bytes() == "è\nb\n".encode()
    assert list(path.parent.iterdir()) == [path]
    write_whole(path, b"\x89\r\n\n")
    assert path.read_bytes() == b"\x89\r\n\n"


def test_a_failure_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.txt"
    write_whole(path, "before")

    monkeypatch.setattr("os.fsync", Mock(side_effect=OSError(28, "No space left on device")))
    error = refusal(lambda: write_whole(path, "after"))

    assert (error.code, error.data["why"]) == ("cannot-write", "No space left on device")
    assert path.read_text("utf-8") == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_what_a_killed_command_had_begun_goes_when_nobody_can_be_writing_it(tmp_path: Path) -> None:
    old, new = (tmp_path / "sheets" / f".{name}.html.x{PART}" for name in ("a", "b"))
    restored = tmp_path / f"{RESTORING}x"
    for path in (old, new, tmp_path / "sheets" / "mine.part", restored / "game.db"):
        write_whole(path, "half")
    for path in (old, restored):
        os.utime(path, (0, 0))
    remove_leftovers(tmp_path)
    assert not restored.exists()
    assert {path.name for path in new.parent.iterdir()} == {new.name, "mine.part"}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps rights otherwise")
def test_a_private_file_is_its_owner_s_alone(tmp_path: Path) -> None:
    for private, rights in ((True, 0o600), (False, 0o644)):
        write_whole(tmp_path / "a.txt", "secret", private=private)
        assert (tmp_path / "a.txt").stat().st_mode & 0o777 == rights


@pytest.mark.skipif(sys.platform == "win32", reason="it has neither")
def test_a_pipe_or_a_link_in_place_of_a_file_of_the_game_holds_nothing_up(tmp_path: Path) -> None:
    (other := tmp_path / "other.txt").write_text("mine", encoding="utf-8")
    new_desk(tmp_path / "g").close()
    for lay in (os.mkfifo, lambda path: path.symlink_to(other)):
        for name in (SUM, HOLDER, "tick.holder", ".folder", ".call", "tick.failed", READ):
            (tmp_path / "g" / name).unlink(missing_ok=True)
            lay(tmp_path / "g" / name)
        with open_desk(tmp_path / "g") as desk, hold_lock(desk.folder, "tick"):
            desk.set("lang", "it")
        run_command("status", cwd=tmp_path / "g")
    assert other.read_text(encoding="utf-8") == "mine"
    (tmp_path / "g" / FILE).unlink()
    os.mkfifo(tmp_path / "g" / FILE)
    assert refusal(partial(open_desk, tmp_path / "g")).code == "game-foreign"


# -- the page about the file -----------------------------------------------------------------------


PAGE = (Path(__file__).parents[2] / "docs" / "game-file.md").read_text("utf-8")

QUERIES = re.findall(r"```sql\n(.*?)```", PAGE, re.DOTALL)


def test_every_table_is_described() -> None:
    assert {
        name
        for line in PAGE.splitlines()
        if line.startswith("| `")
        for name in re.findall(r"`(\w+)`", line.split("|")[1])
    } == set(TABLES) | {"units", "centres", "nobility"}


@pytest.mark.proof
def test_the_three_queries_give_something(tmp_path: Path) -> None:
    with new_desk(tmp_path, "alexmagnum") as desk:
        play(desk, 16, seed=3)
        desk.undo()
    db = sqlite3.connect(tmp_path / FILE)
    unit = db.execute("SELECT unit FROM results WHERE unit LIKE 'F %' LIMIT 1").fetchone()[0]
    assert len(QUERIES) == 3
    for query in QUERIES:
        assert db.execute(query.replace("F EGE#2", unit)).fetchall(), query
    db.close()


@pytest.mark.proof
def test_the_line_leaves_out_what_was_undone_and_amended(tmp_path: Path) -> None:
    with new_desk(tmp_path) as desk:
        play(desk, 5)
        desk.undo()
        desk.amend("1901-spring", "France", "A PAR H")
        names = [record.name for record in desk.phases()]
    db = sqlite3.connect(tmp_path / FILE)
    assert [row[0] for row in db.execute("SELECT name FROM line")] == names
    versions = db.execute("SELECT DISTINCT phase, version FROM results").fetchall()
    assert ("1901-spring", 2) in versions
    assert ("1901-spring", 1) not in versions
    db.close()


@pytest.mark.parametrize("board", one_in(2, ["standard", "alexmagnum"]))
def test_positions_are_shown_row_by_row(tmp_path: Path, board: str) -> None:
    with new_desk(tmp_path, board) as desk:
        play(desk, 12)
        db = sqlite3.connect(tmp_path / FILE)
        for phase in desk.phase_rows():
            position = desk.find_position(phase.id)
            standing = [(unit, "", "") for unit in position.units]
            off = [(d.unit, str(d.by), ", ".join(d.retreats)) for d in position.dislodged]
            wanted = {
                "units": {
                    (unit.power, unit.kind, unit.province, unit.coast, unit.number, by, retreats)
                    for unit, by, retreats in (*standing, *off)
                },
                "centres": set(position.owners.items()),
                "nobility": set(position.nobility.items()),
            }
            for view, names in {
                "units": "power, kind, province, coast, number, dislodged_by, retreats",
                "centres": "centre, power",
                "nobility": "power, points",
            }.items():
                sql = f"SELECT {names} FROM {view} WHERE phase = ?"
                assert set(db.execute(sql, [phase.id])) == wanted[view]
        db.close()


# Copies of the game file: when they are made, which ones stay, and that they come back whole.


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
    assert copies.choose_kept(made[::-1], last) == kept


@pytest.mark.proof
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
