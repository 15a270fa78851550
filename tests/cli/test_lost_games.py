"""A game that should be there and is not is an alarm; copies in a second place bring it back."""

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from alexmagnum.files import is_line
from alexmagnum.game import change_log
from alexmagnum.game.change_log import FOLDER as CHANGES
from alexmagnum.game.change_log import ChangeLog, list_logs, read_log
from alexmagnum.game.copies import FOLDER, follow_with_second_place, list_copies
from alexmagnum.game.desk import Desk
from alexmagnum.game.file import FILE, GAMES, OUTBOX
from alexmagnum.game.game import Surroundings
from alexmagnum.game.verify import diagnose
from alexmagnum.mail.composition import parse_mail, read_text
from alexmagnum.workflow.publish import restore
from tests.cli.games_table import GamesTable
from tests.game.desks import Clock, dump, new_desk, open_desk, play, refusal, salts
from tests.mail.smtp_server import run_smtp_server
from tests.sizes import sized

posix = pytest.mark.skipif(sys.platform == "win32", reason="POSIX has it")


@pytest.fixture
def table(tmp_path: Path) -> GamesTable:
    made = GamesTable(tmp_path / "games")
    made.create("alfa", "beta", settings={"gm_address": "gm@example.org"})
    made.run("tick", "--all", str(made.folder))
    return made


def _letters(folder: Path) -> list[str]:
    """Return the letters to the game master that lie in a game's folder."""
    paths = sorted((folder / OUTBOX).glob("gm-*.eml"))
    return [read_text(parse_mail(path.read_bytes())) for path in paths]


def test_a_game_that_keeps_this_user_out_is_no_damaged_one_and_hides_no_other(
    table: GamesTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tests may run as a user whom nothing keeps out."""
    real, stat, beta = os.open, Path.stat, table.folder / "beta"

    def open_(path: Path, *rest: Any, **options: Any) -> Any:
        if path == beta / FILE:
            raise PermissionError(errno.EACCES, "Permission denied")
        return real(path, *rest, **options)

    def stat_(path: Path, **options: Any) -> os.stat_result:
        if path.parent == beta:
            raise PermissionError(errno.EACCES, "Permission denied")
        return stat(path, **options)

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", open_)
        alone = table.run("--game", str(beta), "status", "--lang", "en", status=1)
        patch.setattr(Path, "stat", stat_)
        listed = table.run("games", str(table.folder), "--lang", "en", status=1)
    assert "rights" in alone.stderr
    assert "damaged" not in alone.stderr
    assert "restore" not in alone.stderr
    assert "alfa  Spring 1901" in listed.output


@posix
def test_status_answers_on_a_full_disk(table: GamesTable) -> None:
    import resource
    import signal

    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, limits[1]))
    try:
        table.run("--game", str(table.folder / "alfa"), "status")
        refused = table.run("--game", str(table.folder / "alfa"), "tick", status=1)
        table.run("--game", str(table.folder / "alfa"), "check", "--integrity")  # sound
        resolve = ("process", "1901-spring", "--allow-missing")
        uncopied = table.run("--game", str(table.folder / "alfa"), *resolve, status=1)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, before)
    assert "cannot be written" in refused.stderr
    assert "no copy of the game file could be made" in uncopied.stderr


@pytest.mark.proof  # SQLite waits five seconds
def test_a_file_that_another_command_keeps_for_itself_is_not_damaged(tmp_path: Path) -> None:
    with new_desk(tmp_path / "g") as desk:
        desk.file.connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        desk.submit("France", "A PAR - BUR")
        assert diagnose(tmp_path / "g") is None


@posix
def test_a_command_needs_no_stream_for_errors(table: GamesTable) -> None:
    closed = ("sh", "-c", 'exec "$@" 2>&-', "sh", sys.executable, "-m", "alexmagnum")
    done = subprocess.run([*closed, "--game", table.folder / "alfa", "status"], check=False)
    assert done.returncode == 0


@posix
@pytest.mark.parametrize("name", [b"g\xff", b"two\nlines", b"x" * 230])
def test_a_folder_may_have_any_name(tmp_path: Path, name: bytes) -> None:
    table, folder = GamesTable(tmp_path), tmp_path / os.fsdecode(name)
    addresses = {"gm_address": "gm@example.org", "mail_address": "game@example.org"}
    with new_desk(folder, settings={**addresses, "pictures": "no"}, now=table.clock) as desk:
        assert is_line(desk.name)
    table.clock.pass_by(days=9)
    for command in ("tick", "status", f"export {folder}.json"):
        table.run("--game", str(folder), *command.split(" ", 1))


@pytest.mark.proof
@pytest.mark.parametrize("whole", [True, False])
def test_a_game_that_is_gone_is_an_alarm_until_it_is_back_or_forgotten(
    table: GamesTable, whole: bool
) -> None:
    beta = table.folder / "beta"
    shutil.copytree(beta, table.folder.parent / "kept")
    if whole:
        shutil.rmtree(beta)
    else:
        (beta / FILE).unlink()

    listed = table.run("games", str(table.folder), "--lang", "en", status=1)
    ticked = table.run("tick", "--all", str(table.folder), "--lang", "en", status=1)
    for output in (listed.output, ticked.output):
        assert "beta" in output
        assert "restore --last" in output
        assert ("second place" in output) == whole
        assert "games --forget beta" in output
    (letter,) = _letters(table.folder / "alfa")
    assert "games --forget beta" in " ".join(letter.split())
    table.run("tick", "--all", str(table.folder), status=1)
    assert len(_letters(table.folder / "alfa")) == 1  # one a day

    if whole:
        table.run("games", str(table.folder), "--forget", "beta")
    else:
        table.run("games", str(table.folder), "--forget", "beta", status=1)
        assert "restore --last" in table.run("new", str(beta), "--lang", "en", status=1).output
        table.run("--game", str(beta), "restore", "--last")
        assert dump(beta, "journal") == dump(table.folder.parent / "kept", "journal")
    table.run("games", str(table.folder))
    table.run("tick", "--all", str(table.folder))
    table.run("games", str(table.folder), "--forget", "alfa", status=1)


def test_a_list_of_games_that_is_damaged_misses_none_and_is_written_again(
    table: GamesTable,
) -> None:
    (table.folder / GAMES).write_text("[[", encoding="utf-8")
    table.run("tick", "--all", str(table.folder))
    shutil.rmtree(table.folder / "beta")
    table.run("games", str(table.folder), status=1)


def test_the_game_master_of_a_single_lost_game_gets_a_letter_a_day(tmp_path: Path) -> None:
    table = GamesTable(tmp_path)
    with run_smtp_server() as server:
        way = {"transport": "smtp", "smtp_server": f"smtp-open://127.0.0.1:{server.port}"}
        table.create("alfa", settings={"gm_address": "gm@example.org", **way})
        (tmp_path / "alfa" / FILE).write_bytes(b"\0" * 9000)
        for _ in range(2):
            table.run("--game", str(tmp_path / "alfa"), "tick", status=2)
        assert len(server.taken) == 1
        table.clock.pass_by(hours=24)
        table.run("--game", str(tmp_path / "alfa"), "tick", status=2)
        assert len(server.taken) == 2


# -- the second place ------------------------------------------------------------------------------


def test_a_game_comes_back_from_its_second_place_alone(table: GamesTable, tmp_path: Path) -> None:
    disk, alfa = tmp_path / "disk", table.folder / "alfa"
    disk.mkdir()
    table.run("--game", str(alfa), "settings", "second_place", str(disk))
    table.tick(table.mail("A LVP - YOR\nF LON - NTH", to=table.address("alfa")))
    table.run("--game", str(alfa), "deadline", "pause")
    orders, letters, before = table.orders("alfa"), table.letters("alfa"), dump(alfa, "journal")
    assert orders
    shutil.rmtree(alfa)

    (kept,) = disk.iterdir()
    assert {path.name for path in kept.iterdir()} == {FOLDER, CHANGES}
    assert kept.stat().st_mode & 0o777 == 0o700
    shutil.copytree(kept, alfa)
    table.run("--game", str(alfa), "restore", "--last")
    assert (table.orders("alfa"), table.letters("alfa")) == (orders, letters)
    assert dump(alfa, "journal") == before
    table.run("tick", "--all", str(table.folder))


def test_a_second_place_that_is_not_there_is_an_alarm_and_stops_nothing(
    table: GamesTable, tmp_path: Path
) -> None:
    alfa = table.folder / "alfa"
    away = tmp_path / "not mounted"
    told = table.run("--game", str(alfa), "settings", "second_place", str(away), "--lang", "en")
    assert "second place" in told.output
    assert table.run("tick", "--all", str(table.folder), status=1).output.count(str(away)) == 1
    assert "second_place" in " ".join(_letters(alfa)[0].split())
    assert not away.exists()


# -- the change log --------------------------------------------------------------------------------


def test_a_log_that_cannot_be_used_is_passed_over_and_mail_is_held(tmp_path: Path) -> None:
    with new_desk(tmp_path / "g") as desk:
        play(desk, 2)
        desk.add_text(str(desk.phase), "before", "one")
        desk.add_text(str(desk.phase), "before", "two")
    table, game = GamesTable(tmp_path), str(tmp_path / "g")
    log = list_logs(tmp_path / "g")[0]
    records, is_whole = read_log(log)
    assert is_whole
    for name, damage, held in (
        ("a torn line", lambda data: data + data[:50], False),
        ("noise in the middle", lambda data: data[:-60] + b"noise" + data[-55:], True),
        ("nothing", lambda data: b"", True),
    ):
        folder = shutil.copytree(tmp_path / "g", tmp_path / name)
        (folder / FILE).unlink()
        (folder / CHANGES / log.name).write_bytes(damage(log.read_bytes()))
        assert table.json("--game", str(folder), "restore", "--last")["held"] == held, name
    assert len(records) > 2
    shutil.rmtree(tmp_path / "g" / CHANGES)
    refused = table.run("--game", game, "restore", "--last", "--lang", "en", status=1)
    assert "restore' lists" in refused.output
    nowhere = tmp_path / "nowhere"
    refused = table.run("--game", str(nowhere), "restore", "--last", "--lang", "en", status=2)
    assert "no game in" in refused.output
    assert not nowhere.exists()


def test_the_log_of_another_game_is_not_taken(tmp_path: Path) -> None:
    for name in ("g", "h"):
        with new_desk(tmp_path / name, name=name) as desk:
            play(desk, 2)
    (tmp_path / "g" / FILE).unlink()
    log = list_logs(tmp_path / "h")[0]
    shutil.copy(log, tmp_path / "g" / CHANGES / log.name.replace("00", "77", 1))
    GamesTable(tmp_path).run("--game", str(tmp_path / "g"), "restore", "--last")
    assert dump(tmp_path / "g")["games"][0][1] == "g"


def _write_texts(folder: Path, *texts: str) -> None:
    for text in texts:
        with open_desk(folder) as desk:
            desk.add_text(str(desk.phase), "before", text)


def test_a_file_that_lost_what_was_stored_is_refused_until_it_is_built_again(
    tmp_path: Path,
) -> None:
    folder, table = tmp_path / "g", GamesTable(tmp_path)
    new_desk(folder).close()
    kept = (folder / FILE).read_bytes()
    _write_texts(folder, "one", "two")
    before = dump(folder, "journal")
    (folder / FILE).write_bytes(kept)

    told = table.run("--game", str(folder), "status", "--lang", "en", status=1)
    assert "restore --last" in told.output
    table.run("--game", str(folder), "check", "--integrity", status=1)
    assert table.json("--game", str(folder), "restore", "--last")["held"] is False
    assert dump(folder, "journal") == before


@pytest.mark.parametrize("stored", [True, False])
def test_a_command_that_was_killed_before_it_was_stored_loses_nothing_of_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stored: bool
) -> None:
    """A log that began for it, or its line at the end of one, is not taken for the last word."""
    folder = tmp_path / "g"
    with new_desk(folder) as desk:
        play(desk, 1)

    class Killed(BaseException):
        pass

    def append(log: ChangeLog, *, waits: bool) -> None:
        write(log, waits=waits)
        raise Killed

    write = ChangeLog.append
    monkeypatch.setattr(ChangeLog, "append", append)
    for _ in range(2):
        with open_desk(folder) as desk, pytest.raises(Killed):
            play(desk, 1) if stored else desk.add_text(str(desk.phase), "before", "lost")
    monkeypatch.undo()
    _write_texts(folder, "one", "two")
    before = dump(folder, "journal")
    (folder / FILE).unlink()
    restore(folder, None, Surroundings(Clock(), salts(7)))
    assert dump(folder, "journal") == before


def test_a_log_that_cannot_be_read_keeps_nobody_from_looking(tmp_path: Path) -> None:
    new_desk(tmp_path / "g").close()
    (log,) = list_logs(tmp_path / "g")
    log.unlink()
    log.mkdir()

    GamesTable(tmp_path).run("--game", str(tmp_path / "g"), "status")


def test_what_the_disk_cannot_read_does_not_keep_a_game_from_coming_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "g"
    with new_desk(folder) as desk:
        play(desk, 1)
    _write_texts(folder, "one")
    before = dump(folder, "journal")
    real = os.open

    def copy(command: list[str], **options: Any) -> Any:
        Path(command[-1]).write_bytes(b"what can be read")
        return subprocess.CompletedProcess(command, errno.EIO)

    def open_(path: Path, *rest: Any, **options: Any) -> Any:
        if path == newest:
            raise OSError(errno.EIO, "Input/output error")
        return real(path, *rest, **options)

    monkeypatch.setattr(subprocess, "run", copy)
    newest = Path()
    monkeypatch.setattr(os, "open", open_)
    restore(folder, None, Surroundings(Clock(), salts(7)))
    assert dump(folder, "journal") == before
    newest = list_logs(folder)[0]
    assert restore(folder, None, Surroundings(Clock(), salts(7))).held


@pytest.mark.skipif(sys.platform != "linux", reason="it looks into /proc")
def test_a_full_disk_refuses_the_act_and_leaves_no_half_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "g"
    new_desk(folder).close()
    logs = [(path, path.read_bytes()) for path in list_logs(folder)]
    synced = os.fsync

    def fsync(number: int) -> None:
        if ".log" in str(Path(f"/proc/self/fd/{number}").readlink()):
            raise OSError(errno.ENOSPC, "No space left on device")
        synced(number)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr("alexmagnum.game.file.SYNCHRONOUS", "FULL")
    for _ in range(3):
        assert refusal(lambda: _write_texts(folder, "one")).code == "cannot-write"
    assert refusal(lambda: new_desk(tmp_path / "new")).code == "act-unwritten"
    assert [(path, path.read_bytes()) for path in list_logs(folder)] == logs
    monkeypatch.undo()
    _write_texts(folder, "one")
    assert len(list_logs(folder)) == 1


def test_a_log_that_has_grown_is_followed_by_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No copies are made, with which another begins otherwise."""
    monkeypatch.setattr(change_log, "GROWTH", 200)
    new_desk(tmp_path, settings={"backups": 0}).close()
    for number in range(30):
        _write_texts(tmp_path, str(number))
    assert len(list_logs(tmp_path)) == change_log.KEPT
    before = dump(tmp_path, "journal")
    (tmp_path / FILE).unlink()
    restore(tmp_path, None, Surroundings(Clock(), salts(7)))
    assert dump(tmp_path, "journal") == before


def test_a_second_place_heals_when_what_it_holds_was_damaged(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    with new_desk(tmp_path / "g", settings={"second_place": str(disk)}) as desk:
        play(desk, 1)
        follow_with_second_place(desk)
        (log,) = disk.glob(f"*/{CHANGES}/0002-*.log")
        log.write_bytes(log.read_bytes()[:-500] + bytes(500))
        desk.add_text(str(desk.phase), "before", "one")
        follow_with_second_place(desk)
    assert log.read_bytes() == list_logs(tmp_path / "g")[0].read_bytes()


@pytest.mark.parametrize("move", ["import", "put-back", "put-back-in-phase"])
def test_a_second_place_follows_a_game_that_was_moved(tmp_path: Path, move: str) -> None:
    (disk := tmp_path / "disk").mkdir()
    folder = tmp_path / "g"
    with new_desk(folder, settings={"second_place": str(disk)}) as desk:
        play(desk, 1)
        desk.export(tmp_path / "game.json")
        shutil.copytree(folder, tmp_path / "backup")
        for number in range(5):
            desk.add_text(str(desk.phase), "before", f"{number}")
            if move != "put-back-in-phase":
                play(desk, 1)
        follow_with_second_place(desk)
    folder.rename(tmp_path / "lost")
    if move == "import":
        Desk.import_game(
            tmp_path / "game.json", folder, Surroundings(Clock(), salts(5)), keep=True
        ).close()
    else:
        shutil.copytree(tmp_path / "backup", folder)
    with open_desk(folder) as desk:
        desk.add_text(str(desk.phase), "before", "again")
        follow_with_second_place(desk)
        follow_with_second_place(desk)
        assert [warning.code for warning in desk.warnings] == ["second-place-other"]
    new, old = sorted(disk.iterdir())
    assert (old.name.startswith("older-g-"), bool(list_copies(old))) == (True, True)
    (new / "changes" / "life").write_bytes(b"")  # its disk was full
    with open_desk(folder) as desk:
        follow_with_second_place(desk)
        assert desk.warnings == []
    restore(new, None, Surroundings(Clock(), salts(7)))
    assert dump(new, "journal") == dump(folder, "journal")
    folder.rename(tmp_path / "moved")
    (tmp_path / "lost").rename(folder)
    with open_desk(folder) as desk:  # it is used again
        desk.add_text(str(desk.phase), "before", "back")
        follow_with_second_place(desk)
        assert [one.code for one in desk.warnings] == ["second-place-other"]


def test_a_copy_is_made_on_each_day_with_mail_and_thinned_by_age(table: GamesTable) -> None:
    for _ in range(sized(18, 60)):
        table.clock.pass_by(days=1)
        table.tick(table.mail("dinner?"), status=0)
    days = [copy.at[:10] for copy in list_copies(table.folder / "alfa")]
    assert len(days) == len(set(days))
    assert 10 <= len(days) <= 14
