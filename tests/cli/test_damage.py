"""A game file damaged in many ways: noticed or harmless, never a traceback, and a copy restores."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from pathlib import Path
from random import Random
from unittest.mock import Mock

import pytest

from alexmagnum.cli import app
from alexmagnum.game.change_log import FOLDER as CHANGES
from alexmagnum.game.copies import FOLDER, list_copies
from alexmagnum.game.file import FILE, SUM, note_checksum
from alexmagnum.game.records import TABLES
from tests.commands import Printed, run_command
from tests.game.desks import add_mail, change_by_hand, dump, dump_rows, new_desk, play
from tests.sizes import one_in, sampled, sized

PAGE = 4096

COMMANDS = (
    ("status",),
    ("history", "--json"),
    ("report", "--for", "gm"),
    ("outbox", "list", "--all"),
    ("inbox", "list"),
    ("verify",),
    ("process", "1902-spring", "--allow-missing"),
)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a closed game with mails, letters, results and copies."""
    folder = tmp_path_factory.mktemp("whole") / "g"
    with new_desk(folder, settings={"pictures": "no"}) as desk:
        play(desk, 2)
        with desk.file.writing("mail"):
            add_mail(desk.file)
        desk.set_player("France", name="Anna", address="anna@example.org")
        desk.add_text(str(desk.phase), "before", "The fleets meet.")
        play(desk, 1)
        desk.note("France", "by phone")
    return folder


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    """Return a copy of the game for one test."""
    shutil.copytree(whole, tmp_path / "g")
    return tmp_path / "g"


# -- ways to damage a file -------------------------------------------------------------------------


def _edits(change: Callable[[bytearray, Random], object]) -> Callable[[Path, Random], None]:
    """Return the way to damage the file of a game by such a change of its bytes."""

    @wraps(change)
    def way(folder: Path, rng: Random) -> None:
        data = bytearray((folder / FILE).read_bytes())
        change(data, rng)
        (folder / FILE).write_bytes(bytes(data))

    return way


@_edits
def flip_bits(data: bytearray, rng: Random) -> None:
    for _ in range(rng.choice((1, 1, 1, 5, 100))):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


@_edits
def cut_off(data: bytearray, rng: Random) -> None:
    del data[rng.randrange(len(data)) :]


@_edits
def zero_pages(data: bytearray, rng: Random) -> None:
    for _ in range(rng.choice((1, 1, 3, 20))):
        at = PAGE * rng.randrange(len(data) // PAGE)
        data[at : at + PAGE] = bytes(PAGE)


@_edits
def swap_pages(data: bytearray, rng: Random) -> None:
    a, b = (PAGE * rng.randrange(len(data) // PAGE) for _ in range(2))
    data[a : a + PAGE], data[b : b + PAGE] = data[b : b + PAGE], data[a : a + PAGE]


@_edits
def scribble_over_header(data: bytearray, rng: Random) -> None:
    at = rng.randrange(100)
    data[at : at + 4] = rng.randbytes(4)


@_edits
def write_text_over_it(data: bytearray, rng: Random) -> None:
    data[:] = b"Dear diary, today the disk was full. " * rng.choice((1, 10, 5000))


@_edits
def empty_it(data: bytearray, rng: Random) -> None:
    data[:] = b"" if rng.random() < 0.5 else bytes(PAGE * 50)


def remove_it(folder: Path, rng: Random) -> None:
    (folder / FILE).unlink()


@_edits
def append_garbage(data: bytearray, rng: Random) -> None:
    data.extend(rng.randbytes(rng.choice((1, PAGE, 3 * PAGE))))


@_edits
def scramble_a_page(data: bytearray, rng: Random) -> None:
    at = PAGE * rng.randrange(len(data) // PAGE) + rng.randrange(PAGE // 2)
    data[at : at + 200] = rng.randbytes(200)


@_edits
def _spoil_all_but_the_header(data: bytearray, rng: Random) -> None:
    data[PAGE:] = b"\xff" * (len(data) - PAGE)


def scramble_a_cell(folder: Path, rng: Random) -> None:
    """Put another text in a column, which no check of SQLite notices."""
    db = sqlite3.connect(folder / FILE)
    table = rng.choice([t for t in TABLES if db.execute(f"SELECT 1 FROM {t}").fetchone()])
    if columns := [row[1] for row in db.execute(f"PRAGMA table_info({table})") if not row[5]]:
        column = rng.choice(columns)
        value = rng.choice(("", "\ufffd{", "no such thing", 7, -1, b"\xff\xfe", "[]", "null"))
        db.execute("PRAGMA ignore_check_constraints = ON")
        row = f"(SELECT rowid FROM {table} ORDER BY random() LIMIT 1)"
        with suppress(sqlite3.IntegrityError):
            db.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = {row}", [value])
    db.commit()
    db.close()


WAYS = (
    flip_bits,
    cut_off,
    zero_pages,
    swap_pages,
    scribble_over_header,
    write_text_over_it,
    empty_it,
    remove_it,
    append_garbage,
    scramble_a_page,
    scramble_a_cell,
)


# -- what must hold --------------------------------------------------------------------------------


def _attempt(folder: Path, *arguments: str) -> Printed:
    """Run a command, which may end as it likes, but not with a traceback."""
    return run_command(*arguments, cwd=folder, status=None)


def _is_noticed(folder: Path) -> bool:
    """Tell whether a command that only looks, or the check, says that something is wrong."""
    looked = _attempt(folder, "status")
    checked = _attempt(folder, "check", "--integrity")
    if looked.status == 2 and "restore" not in looked.err:
        raise AssertionError(looked)
    return bool(looked.err) or checked.status != 0


def _is_harmless(folder: Path, original: object) -> bool:
    try:
        return dump(folder) == original
    except sqlite3.Error:
        return False


@sampled
@pytest.mark.parametrize("way", one_in(4, WAYS), ids=lambda way: way.__name__)
def test_damage_is_noticed_or_harmless_and_a_copy_restores(
    way: Callable[[Path, Random], None], whole: Path, tmp_path: Path
) -> None:
    original = dump(whole)
    for seed in range(sized(1, 12)):
        folder = tmp_path / str(seed)
        shutil.copytree(whole, folder)
        way(folder, Random(f"{way.__name__} {seed}"))
        assert _is_noticed(folder) or _is_harmless(folder, original), seed
        for command in COMMANDS if seed % 2 == 0 else COMMANDS[-1:]:
            _attempt(folder, *command)
        _check_restoring(folder)
        shutil.rmtree(folder)


def _check_restoring(folder: Path) -> None:
    restored = run_command("restore", str(list_copies(folder)[0].number), "--json", cwd=folder).data
    assert (folder / FOLDER / Path(restored["aside"]).name).is_dir()
    assert run_command("status", cwd=folder).err == ""
    run_command("check", "--integrity", cwd=folder)


@sampled
def test_a_log_that_was_deleted_or_damaged_is_noticed_or_harmless(
    whole: Path, tmp_path: Path
) -> None:
    """Kill a command after its act, so that the act is only in the log."""
    folder = tmp_path / "live"
    shutil.copytree(whole, folder)
    db = sqlite3.connect(folder / FILE)
    db.execute("PRAGMA wal_autocheckpoint = 0")
    db.execute("UPDATE players SET note = 'in the log'")
    db.commit()
    rng = Random(7)
    for number in range(sized(1, 20)):
        killed = tmp_path / str(number)
        shutil.copytree(folder, killed, ignore=shutil.ignore_patterns("*-shm"))
        log = killed / f"{FILE}-wal"
        if number % 2:
            data = bytearray(log.read_bytes())
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
            log.write_bytes(bytes(data))
        else:
            log.unlink()
        _attempt(killed, "status")
        note = dump_rows(killed)["players"][0]["note"]
        assert note in ("in the log", "by phone") or _is_noticed(killed)
        run_command("check", "--integrity", cwd=killed)
        _check_restoring(killed)
    db.close()


# -- messages --------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["status", "verify", "history", "outbox list", "tick"])
def test_the_message_of_any_command_offers_the_newest_good_copy(command: str, folder: Path) -> None:
    newest, second = list_copies(folder)[:2]
    newest.path.write_bytes(b"damaged too")
    _spoil_all_but_the_header(folder, Random(0))

    shown = run_command(*command.split(), "--lang", "en", cwd=folder, status=2)
    assert "is damaged" in shown.err
    assert f"alexmagnum restore {second.number}" in shown.err
    assert second.path.name in shown.err
    run_command("restore", str(newest.number), cwd=folder, status=1)
    run_command("restore", str(second.number), cwd=folder)
    run_command(*command.split(), "--lang", "en", cwd=folder)


def test_among_several_games_the_damaged_one_has_its_offer(folder: Path, tmp_path: Path) -> None:
    _spoil_all_but_the_header(folder, Random(0))
    command = f"--game {folder} restore {list_copies(folder)[0].number}"

    assert command in run_command("games", str(tmp_path), "--lang", "en", status=1).out
    assert command in run_command("tick", "--all", str(tmp_path), "--lang", "en", status=1).err
    run_command(*command.split())
    run_command("games", str(tmp_path))


def test_a_damaged_game_without_copies_says_so(folder: Path) -> None:
    shutil.rmtree(folder / FOLDER)
    _spoil_all_but_the_header(folder, Random(0))
    assert "restore --last" in run_command("status", "--lang", "en", cwd=folder, status=2).err
    shutil.rmtree(folder / CHANGES)
    assert "no copy" in run_command("status", "--lang", "en", cwd=folder, status=2).err


def test_a_file_changed_by_hand_is_used_with_a_warning_until_it_is_accepted(folder: Path) -> None:
    change_by_hand(folder, "UPDATE players SET name = 'Annalisa'")
    copies = list_copies(folder)
    for command in ("status", "settings", "deadline pause", "status"):
        assert "warning" in run_command(*command.split(), "--lang", "en", cwd=folder).err
    refused = run_command("process", "1902-spring", "--allow-missing", cwd=folder, status=1)
    assert f"alexmagnum restore {copies[0].number}" in refused.err
    assert list_copies(folder) == copies
    assert "changed it by hand" in _attempt(folder, "check", "--integrity", "--lang", "en").out
    run_command("check", "--integrity", "--accept", cwd=folder)
    assert run_command("status", cwd=folder).err == ""
    run_command("process", "1902-spring", "--allow-missing", cwd=folder)


def test_a_checksum_that_is_older_or_gone_says_nothing(folder: Path) -> None:
    old = (folder / SUM).read_bytes()
    run_command("deadline", "pause", cwd=folder)
    for content in (old, b"", b"[]", b"{", None):
        (folder / SUM).unlink()
        if content is not None:
            (folder / SUM).write_bytes(content)
        assert run_command("status", cwd=folder).err == ""
        run_command("check", "--integrity", cwd=folder)
        (folder / SUM).touch()


def test_an_error_of_the_program_itself_is_not_called_damage(
    whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("alexmagnum.game.desk.Desk.status", Mock(side_effect=KeyError("ours")))
    with pytest.raises(KeyError, match="ours"):
        app(["--game", str(whole), "status"], standalone_mode=False)


def test_a_file_of_a_newer_version_is_not_taken_for_damage(folder: Path) -> None:
    change_by_hand(folder, "PRAGMA user_version = 999")
    damaged = run_command("status", "--lang", "en", cwd=folder, status=2).err
    assert "alexmagnum restore" in damaged  # nobody left it like this
    note_checksum(folder)
    newer = run_command("status", "--lang", "en", cwd=folder, status=2).err
    assert "Update the program first" in newer
    assert "restore" not in newer
