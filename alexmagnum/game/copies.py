"""Copies of the game file: one before every processing and one for each day with mail, and putting
one back.

Open this for where the copies lie, which ones are kept, how they come to a second place, and what a
restored game learns from its change log and from the file that it replaced.  A copy is made by
SQLite's online backup inside the act, when nothing can refuse it any more, and shows the file as it
was before.
"""

import errno
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import date, datetime
from itertools import count
from pathlib import Path
from typing import IO, Any

from alexmagnum.errors import GameError
from alexmagnum.files import PART, PRIVATE, RESTORING, open_own, read_own, write_whole
from alexmagnum.game import change_log, mail_store
from alexmagnum.game import file as game_file
from alexmagnum.game.change_log import FOLDER as CHANGES
from alexmagnum.game.change_log import is_behind, list_logs, prune_logs, read_log, read_number
from alexmagnum.game.game import Game, Surroundings
from alexmagnum.game.people import VOTING
from alexmagnum.game.records import LOG_TABLE, OVER, TABLES, VERSION, Entry
from alexmagnum.i18n.sentences import LANGUAGES

FOLDER = game_file.BACKUPS

MAIL = "mail"
"""The action of the copies that are made because mail came."""

ROOM = 200_000_000
"""The bytes that all copies may take together before those of earlier years go, oldest first."""

_NAME = re.compile(
    r"(?P<number>\d{4,})-(?P<at>\d{8}T\d{6}Z)-(?P<action>[a-z]+(?:-[a-z]+)*)"
    r"-(?P<phase>\d+-[0-9a-z-]+)-(?P<crc>[0-9a-f]{8})\.db"
)
_TAIL = 4096  # the bytes at the end of a file by which it is known as the beginning of a longer one

_LIFE = "life"
"""The file that names the folder in which a game goes on; what is imported gets another."""

_TORN = ".copy-"  # begins the names of copies that are just being made, or were interrupted


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy of a game file: made at an instant before an act, while a phase was open.

    The ``phase`` of a game that was over is the last one with ``-over`` behind it; ``size`` is in
    bytes, ``crc`` the checksum of the whole file.
    """

    path: Path
    number: int
    at: str
    action: str
    phase: str
    crc: str
    size: int

    @property
    def year(self) -> str:
        """The game year of its phase."""
        return self.phase.partition("-")[0]

    def read(self) -> bytes | None:
        """Return the bytes of the copy, None if it is damaged."""
        try:
            data = read_own(self.path)
        except OSError:
            return None
        return data if _checksum(data) == self.crc else None


def list_copies(folder: Path) -> tuple[Copy, ...]:
    """Return the copies of a game's folder, the newest first."""
    found = []
    for path in (folder / FOLDER).glob("*.db"):
        if match := _NAME.fullmatch(path.name):
            at = re.sub(r"(....)(..)(..T..)(..)(..Z)", r"\1-\2-\3:\4:\5", match["at"])
            number, size = int(match["number"]), path.stat().st_size
            action, phase, crc = match.group("action", "phase", "crc")
            found.append(Copy(path, number, at, action, phase, crc, size))
    return tuple(sorted(found, key=lambda copy: -copy.number))


def read_copy(folder: Path, number: int) -> tuple[Copy, bytes]:
    """Return a copy by its number, with its bytes.

    Raises:
        GameError: ``no-backup``, ``backup-damaged``.
    """
    copy = next((copy for copy in list_copies(folder) if copy.number == number), None)
    if copy is None:
        raise GameError("no-backup", number=str(number))
    if (data := copy.read()) is None:
        raise GameError("backup-damaged", number=str(number), file=copy.path.name)
    return copy, data


def find_newest_sound_copy(folder: Path) -> Copy | None:
    """Return the newest copy that can be restored, None if there is none."""
    return next((copy for copy in list_copies(folder) if copy.read() is not None), None)


def keep_copy(game: Game, action: str) -> None:
    """Make a copy of the file as it was before the act that is going on, and remove old copies.

    The copy is there whole or not at all.  Nothing is processed in a file that may be damaged, and
    no copy of it pushes out a good one.

    Raises:
        GameError: backup-failed, game-untrusted.
    """
    if game.file.doubted:
        raise GameError("game-untrusted", path=game.file.path)
    if not (last := int(game.settings["backups"])) or game.rehearsing:
        return
    folder = game.file.folder / FOLDER
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        for torn in folder.glob(f"{_TORN}*"):
            torn.unlink(missing_ok=True)
        _make_copy(game, action)
        _thin_copies(game.folder, last)
        game.file.delete(LOG_TABLE, "1")  # a new change log begins, so that none grows for ever
    except (OSError, *game_file.DAMAGE) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise GameError("backup-failed", path=str(folder), why=why) from None


def keep_daily_copy(game: Game) -> None:
    """Make a copy before the first mail of a day is stored, unless one was made that day."""
    newest = next(iter(list_copies(game.folder)), None)
    if not (newest and newest.at[:10] == game.stamp()[:10]) and not game.file.doubted:
        keep_copy(game, MAIL)


def _make_copy(game: Game, action: str) -> None:
    copies = list_copies(game.file.folder)
    number = copies[0].number + 1 if copies else 1
    handle, name = tempfile.mkstemp(prefix=_TORN, dir=game.file.folder / FOLDER)
    os.close(handle)
    torn = Path(name)
    try:
        game.file.back_up(torn)
        torn.chmod(PRIVATE)
        with torn.open("rb+") as stream:
            checksum = _checksum(stream.read())
            os.fsync(stream.fileno())
        at = re.sub(r"[:-]", "", game.stamp())
        head = game.head()
        phase = f"{game.position.phase}-{OVER}" if head.is_over else head.name
        torn.replace(torn.with_name(f"{number:04}-{at}-{action}-{phase}-{checksum}.db"))
    except BaseException:
        with suppress(OSError):
            torn.unlink()
        raise


def _checksum(data: bytes) -> str:
    return f"{zlib.crc32(data):08x}"


def _thin_copies(folder: Path, last: int) -> None:
    copies = list_copies(folder)
    kept = choose_kept(copies, last)
    for copy in copies:
        if copy.number not in kept:
            copy.path.unlink(missing_ok=True)


def choose_kept(copies: Sequence[Copy], last: int) -> frozenset[int]:
    """Return the numbers of the copies that stay: the ``last`` ones before acts, and while there is
    room for all, the newest of each day of a week, of each week of a month and of each game year.

    ``copies`` has the newest first.
    """
    kept = {copy.number for copy in [one for one in copies if one.action != MAIL][:last]}
    room = ROOM - sum(copy.size for copy in copies if copy.number in kept)
    newest: dict[str, Copy] = {}
    for copy in copies:
        newest.setdefault(copy.year, copy)
        newest.setdefault(_name_span(copy, copies[0]), copy)
    for copy in dict.fromkeys(newest.values()):
        room -= copy.size if copy.number not in kept else 0
        if room >= 0:
            kept.add(copy.number)
    return frozenset(kept)


def _name_span(copy: Copy, newest: Copy) -> str:
    """Return the span of time that keeps one copy: a day, a week, or the game year."""
    day, last = (date.fromisoformat(one.at[:10]) for one in (copy, newest))
    age = (last - day).days
    return f"{day}" if age < 7 else f"{day:%G-W%V}" if age < 35 else copy.year


def follow_with_second_place(game: Game) -> None:
    """Bring the copies and change logs in the second place up to date, if the settings name one.

    What lies there of the game as it went on elsewhere, before it was imported or put back from an
    older backup, is kept in a folder beside: its numbers may be higher.

    Raises:
        GameError: ``second-place-failed``.
    """
    place = Path(game.settings["second_place"]).expanduser()
    if not game.settings["second_place"]:
        return
    target = place / f"{game.folder.resolve().name}-{re.sub('[:Z]', '', game.info.created)}"
    try:
        place.resolve(strict=True)  # a disk that is not there is not made
        life = game.folder / CHANGES / _LIFE
        if _is_other_life(game.folder, target):
            life.unlink(missing_ok=True)  # from here on the folder has a life of its own
            until = re.sub("[:Z]", "", game.stamp())
            names = (f"older-{target.name}-until-{until}{f'-{n}' if n else ''}" for n in count())
            aside = next(path for path in map(target.with_name, names) if not path.exists())
            target.rename(aside)
            game.warnings.append(GameError("second-place-other", path=str(aside)))
        target.mkdir(mode=0o700, exist_ok=True)
        if not life.exists():
            write_whole(life, game.entropy(8).hex(), private=True)
        copies = (copy.path for copy in list_copies(game.folder))
        for path in (life, *copies, *list_logs(game.folder)):
            _continue_file(path, target / path.parent.name / path.name)
        _thin_copies(target, int(game.settings["backups"]))
        prune_logs(target)
    except OSError as error:
        why = error.strerror or str(error)
        raise GameError("second-place-failed", path=str(target), why=why) from None


def _is_other_life(folder: Path, target: Path) -> bool:
    """Return whether a second place is of another folder of the game, has logs that the game would
    have if it were the same, or a sound one that the game's own does not continue."""
    lives = (place / CHANGES / _LIFE for place in (folder, target))
    own, there = (read_own(life) if life.exists() else b"" for life in lives)
    if not own.startswith(there):  # a beginning, or nothing, was left by a full disk
        return True
    known = {log.name: log for log in list_logs(folder)}
    found = {log.name: log for log in list_logs(target)}
    first = min(map(read_number, known.values()), default=0)
    both = found.keys() & known.keys()
    newer = any(read_number(found[name]) >= first for name in found.keys() - both)
    parted = (found[name] for name in both if not _is_continued(found[name], known[name]))
    return bool(known) and (newer or any(read_log(log)[1] for log in parted))


def _is_continued(target: Path, source: Path) -> bool:
    with open_own(target) as old, open_own(source) as new:
        return _pass_by(old, new)


def _pass_by(old: IO[bytes], new: IO[bytes]) -> bool:
    """Read past what an old file has in a new one; tell whether the old one's end is there."""
    new.seek(old.seek(max(0, old.seek(0, os.SEEK_END) - _TAIL)))
    end = old.read()
    return new.read(len(end)) == end


def _continue_file(source: Path, target: Path) -> None:
    """Add to a file what the source has beyond it; write all of it if the two end differently."""
    target.parent.mkdir(mode=0o700, exist_ok=True)
    with open_own(source) as new, open_own(target, "ab+") as old:
        target.chmod(PRIVATE)
        if not _pass_by(old, new):
            old.truncate(0)
            new.seek(0)
        shutil.copyfileobj(new, old)


# Putting a copy in the place of the game file, without losing anything and without sending twice.
#
# The file that was there is kept aside whole. If it is lost or damaged, it is built again from its
# change log, with everything that came after the copy. A sound file is replaced because the game
# master wants to go back: the restored game learns from it which letters have gone since the copy
# was made, and gets the messages that came since. Letters of which nobody knows become
# ``uncertain``: the game master decides about them.

CHECKED = "restore-checked"
"""The act in the journal: the game master has looked at the letters after a restore."""

_FILES = (game_file.FILE, f"{game_file.FILE}-wal", f"{game_file.FILE}-shm", game_file.SUM)

_COPY = """
import shutil, sys
try:
    open(sys.argv[2], "ab").close()  # it is there, whatever can be read
    shutil.copy2(*sys.argv[1:])
except OSError as error:
    sys.exit(error.errno or 1)
"""

_LETTER_FOLDERS = ("drafts", game_file.OUTBOX)
_LETTER_FILE = re.compile(r"(\d{4,})-[a-z]+-\w+\.eml")
"""Where letters lie as files, and how such a file is named: its number comes first."""

_GONE = (mail_store.SENT, mail_store.SENDING, mail_store.UNCERTAIN)


@dataclass(frozen=True, slots=True)
class LetterSince:
    """A letter that went since the copy, or may have; ``answers`` is the key of its mail."""

    occasion: str
    power: str
    phase: str
    address: str
    sent: str
    answers: str = ""
    day: str = ""


@dataclass(frozen=True, slots=True)
class Salvage:
    """What the replaced file knows that the copy does not.

    ``complete``: the file was sound, so that this is all.  ``states`` are those of its letters by
    Message-ID, with when and where they went, ``last_letter`` is the number of its last one.
    ``acts`` are the entries of its journal after the copy.
    """

    complete: bool = False
    last_letter: int = 0
    states: Mapping[str, tuple[str, str, str]] = field(default_factory=dict)
    letters: tuple[LetterSince, ...] = ()
    messages: tuple[dict[str, Any], ...] = ()
    acts: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Restored:
    """A restored game: where the file lies that was replaced, and what was learnt from that.

    ``copy`` is None if the file was built again from its change log.  ``sent`` and ``uncertain``
    count the letters whose state was corrected.  ``is_over``: the restored game is over.
    """

    copy: Copy | None
    aside: Path
    salvage: Salvage
    sent: int
    uncertain: int
    is_over: bool

    @property
    def messages(self) -> int:
        """The number of messages that were taken over."""
        return len(self.salvage.messages)

    @property
    def held(self) -> bool:
        """Tell whether no letter goes by itself until the game master has looked."""
        return not self.salvage.complete


def restore_copy(
    folder: Path, number: int | None, around: Surroundings, reason: str = ""
) -> Restored:
    """Put a copy in the place of the game file, which is kept aside.

    If that file is lost or damaged, or ``number`` is None, it is built again as the last act left
    it, if its change log is whole.  The restored file is made ready beside the other one, so that
    whatever is interrupted, both are there.

    Raises:
        GameError: ``no-backup``, ``backup-damaged``, ``no-change-log``, ``cannot-write``.
    """
    chosen = read_copy(folder, number) if number is not None else None
    try:
        with (
            _hold(folder) as hold,
            ExitStack() as begun,
            tempfile.TemporaryDirectory(prefix=RESTORING, dir=folder) as name,
        ):
            aside = _set_aside(folder, around.now(), begun)
            ready, old, rebuilt = (Path(name) / each for each in ("ready", "old", "rebuilt"))
            is_whole = rebuild_file(folder, rebuilt)
            is_sound = _take_file(aside, old, rebuilt if is_whole else None)
            if chosen is not None and (is_sound or not is_whole):
                copy, data = chosen
                write_whole(ready / game_file.FILE, data, private=True)
                latest = (old if is_sound else rebuilt) / game_file.FILE
                salvage = _salvage(latest, ready / game_file.FILE, complete=is_sound)
            elif is_whole is not None:
                copy, salvage = None, Salvage(complete=is_whole)
                rebuilt.rename(ready)
            else:
                raise GameError("no-change-log", path=str(folder))
            last = max(salvage.last_letter, _find_last_letter_file(folder))
            salvage = replace(salvage, last_letter=last)
            for newest in list_logs(folder)[:1]:  # the log of the restored file comes after it
                (ready / CHANGES).mkdir()
                (ready / CHANGES / newest.name).touch()
            with closing(game_file.GameFile.open(ready)) as file:
                restored = _make_ready(Game(file, around), copy, aside, salvage, reason)
            (folder / game_file.READ).unlink(missing_ok=True)
            (logs := folder / CHANGES).mkdir(mode=0o700, exist_ok=True)
            made = [log.replace(logs / f".{log.name}{PART}") for log in list_logs(ready)[:1]]
            is_filled = is_sound and _fill(hold, ready / game_file.FILE)
            begun.pop_all()  # the replaced file is kept
            if not is_filled:
                if os.name == "nt":  # where no open file can be replaced
                    hold.close()
                _swap(folder, ready)
            for log in made:
                log.replace(logs / log.name[1 : -len(PART)])
            prune_logs(folder)
    except (OSError, sqlite3.Error) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise GameError("cannot-write", path=str(folder), why=why) from None
    game_file.note_checksum(folder)
    return restored


def _take_file(aside: Path, into: Path, rebuilt: Path | None) -> bool:
    """Copy the file that was set aside, with its log; return whether nothing is wrong with it.

    Where no checksum tells, its rows are compared with those of the file as it was ``rebuilt``.
    """
    into.mkdir()
    for path in (aside / game_file.FILE, aside / f"{game_file.FILE}-wal"):
        if path.is_file():
            shutil.copyfile(path, into / path.name)
    is_as_left = game_file.compare_checksum(aside)
    if is_as_left is False or not (into / game_file.FILE).is_file():
        return False
    with _passing_over_damage(), closing(sqlite3.connect(into / game_file.FILE)) as db:
        found = db.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if is_behind(db, aside.parent.parent):
            return False
        is_known = is_as_left or rebuilt is None or _read_rows(into) == _read_rows(rebuilt)
        return bool(found == "ok" and is_known)
    return False


@contextmanager
def _passing_over_damage() -> Iterator[None]:
    """Leave the block at an error of a damaged file; one of a full disk is raised on."""
    try:
        yield
    except (KeyError, ValueError, TypeError, OSError, *game_file.DAMAGE) as error:
        if isinstance(error, GameError) or game_file.is_disk_full(error):
            raise


def _read_rows(folder: Path) -> list[object]:
    with closing(sqlite3.connect(folder / game_file.FILE)) as db:
        return [db.execute(f"SELECT rowid, * FROM {name}").fetchall() for name in TABLES]


def rebuild_file(folder: Path, into: Path) -> bool | None:
    """Build the file of a game again from its change logs, as the only one in a folder.

    Return whether it is as the last act left it, None if no log can be used.  Logs of another game
    are passed over, if there is a copy to compare with.
    """
    newest, is_whole = find_newest_sound_copy(folder), True
    for path in list_logs(folder):
        shutil.rmtree(into, ignore_errors=True)
        with _passing_over_damage():
            records, is_read = read_log(path)
            if records and records[0]["whole"] and records[0]["version"] == VERSION:
                file = game_file.GameFile.build(into)
                with closing(file.connection):
                    change_log.apply_records(file.connection, records)
                    write_whole(into / game_file.FILE, file.connection.serialize(), private=True)
                if newest is None or _identify(newest.path) == _identify(into / game_file.FILE):
                    return is_whole and is_read
                continue
        is_whole = False
    shutil.rmtree(into, ignore_errors=True)
    return None


def _identify(path: Path) -> object:
    """Return what no two games have in common."""
    with closing(sqlite3.connect(path)) as db:
        return db.execute("SELECT name, created FROM games").fetchone()


@contextmanager
def _hold(folder: Path) -> Iterator[sqlite3.Connection]:
    """Keep other commands from writing; a file that SQLite cannot open keeps nobody out."""
    place = folder / game_file.FILE if (folder / game_file.FILE).is_file() else ":memory:"
    with closing(sqlite3.connect(place, timeout=game_file.WAIT, isolation_level=None)) as db:
        try:
            db.execute("BEGIN IMMEDIATE")
        except game_file.DAMAGE as error:
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF
            if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise GameError("game-busy", holder=game_file.read_holder(folder)) from None
        yield db


def _set_aside(folder: Path, now: datetime, begun: ExitStack) -> Path:
    """Copy the file with its logs into a folder of its own, as they are, and return the folder,
    which ``begun`` removes."""
    (folder / FOLDER).mkdir(mode=0o700, exist_ok=True)
    prefix = f"{game_file.ASIDE}-{now:%Y%m%dT%H%M%SZ}-"
    aside = Path(tempfile.mkdtemp(prefix=prefix, dir=folder / FOLDER))
    begun.callback(shutil.rmtree, aside, ignore_errors=True)
    for name in _FILES:
        if (folder / name).is_file():
            _copy_elsewhere(folder / name, aside / name)
            (aside / name).chmod(PRIVATE)
    return aside


def _copy_elsewhere(source: Path, target: Path) -> None:
    """Copy a file in a process of its own: who opens and closes a file of SQLite that it has locked
    lets everybody else write to it.  What the disk cannot read is left out."""
    command = (sys.executable, "-I", "-S", "-c", _COPY, str(source), str(target))
    code = subprocess.run(command, check=False, stdin=subprocess.DEVNULL).returncode
    if code not in (0, errno.EIO):
        raise OSError(code, os.strerror(code), str(target))


def _find_last_letter_file(folder: Path) -> int:
    """Return the highest number among the letters that lie in the game's folder as files."""
    paths = (path for name in _LETTER_FOLDERS for path in (folder / name).glob("*.eml"))
    matches = (_LETTER_FILE.fullmatch(path.name) for path in paths)
    return max((int(match[1]) for match in matches if match), default=0)


def _fill(db: sqlite3.Connection, ready: Path) -> bool:
    """Give a sound file the rows of the restored one, in the transaction that keeps others out;
    return whether their tables are the same.

    A file that others have open stays where it is: one that took its place would share its logs.
    """
    with closing(sqlite3.connect(ready)) as new:
        sql = "SELECT name, sql FROM sqlite_master ORDER BY name"
        if new.execute(sql).fetchall() != db.execute(sql).fetchall():
            return False
        for name in (*TABLES, LOG_TABLE):
            rows = new.execute(f"SELECT rowid AS rowid, * FROM {name}")
            db.execute(f"DELETE FROM {name}")
            change_log.insert_rows(db, name, [column[0] for column in rows.description], rows)
    db.execute("COMMIT")
    return True


def _swap(folder: Path, ready: Path) -> None:
    """Put the restored file in the place of the damaged one that was set aside.

    Its logs go first: they would be taken for those of the restored file.
    """
    (ready / game_file.FILE).chmod(PRIVATE)
    for name in _FILES[:0:-1]:  # the replaced file's; who opens it then is late
        (folder / name).unlink(missing_ok=True)
    (ready / game_file.FILE).replace(folder / game_file.FILE)


# -- the restored file -----------------------------------------------------------------------------


def _make_ready(
    game: Game, copy: Copy | None, aside: Path, salvage: Salvage, reason: str
) -> Restored:
    """Write into a copy what the other file knows."""
    with game.act(mail_store.RESTORE, reason=reason) as note:
        sent, uncertain = _correct_letters(game, salvage)
        inbox = mail_store.InboxStore(game.file)
        for message in salvage.messages:
            why = (mail_store.Why(*pair) for pair in json.loads(message["why"]))
            inbox.add(**message | {"why": [one for one in why if one.code in mail_store.LASTING]})
        note.detail |= {
            "copy": copy.path.name if copy else "",
            "aside": f"{FOLDER}/{aside.name}",
            "complete": salvage.complete,
            mail_store.LAST_LETTER: salvage.last_letter,
            "letters": list(map(asdict, salvage.letters)),
            "messages": len(salvage.messages),
            "acts": len(salvage.acts),
        }
        return Restored(copy, aside, salvage, sent, uncertain, game.head().is_over)


def _correct_letters(game: Game, salvage: Salvage) -> tuple[int, int]:
    """Set the state of drafts that have gone since, and where a letter went that went again; return
    how many drafts went, and how many may have.

    Where the other file could not be read, every draft may have gone.
    """
    store, sent, uncertain = mail_store.OutboxStore(game.file), 0, 0
    for mailing in store.list_letters((mail_store.DRAFT, mail_store.SENDING, mail_store.SENT)):
        state, at, address = salvage.states.get(mailing.message_id, ("", "", ""))
        if state == mail_store.SENT:
            store.set_state(mailing.id, mail_store.SENT, sent=at)
            store.set_grounds(mailing.id, mailing.grounds, address=address)
            sent += mailing.state != mail_store.SENT
        elif mailing.state == mail_store.SENT:
            continue
        elif state in _GONE or not (state or salvage.complete):
            store.set_state(mailing.id, mail_store.UNCERTAIN, problem=GameError("letter-restored"))
            uncertain += 1
    return sent, uncertain


# -- what the other file still tells ---------------------------------------------------------------


def _salvage(latest: Path, copy: Path, *, complete: bool) -> Salvage:
    """Return what a later file knows, nothing if there is none; ``complete``: it knows all."""
    if not latest.is_file():
        return Salvage()
    with _passing_over_damage(), closing(sqlite3.connect(copy)) as db:
        db.row_factory = sqlite3.Row
        db.execute("ATTACH ? AS old", [os.fsencode(latest)])
        known = _compare(db)
        return replace(known, complete=known.complete and complete)
    return Salvage()


def _compare(db: sqlite3.Connection) -> Salvage:
    """Return what the attached ``old`` file has that the copy lacks.

    Restores behind the copy that nobody has looked at knew of letters too.
    """

    def read(sql: str, *values: object) -> tuple[dict[str, Any], ...]:
        return tuple(map(dict, db.execute(sql, values)))

    states = read("SELECT id, message_id, state, sent, address FROM old.letters")
    letters = read(
        f"""SELECT occasion, old.letters.power, old.letters.phase, address, day,
                iif(sent = '', created, sent) AS sent, ifnull(key, '') AS answers
            FROM old.letters LEFT JOIN old.press ON old.press.id = old.letters.press
                LEFT JOIN old.messages ON old.messages.id = ifnull(answers, message)
            WHERE old.letters.state IN {_GONE}
                AND message_id NOT IN (SELECT message_id FROM main.letters)
            ORDER BY old.letters.id"""
    )
    journal = "FROM old.journal WHERE id > (SELECT ifnull(MAX(id), 0) FROM main.journal)"
    restores = read(
        f"""SELECT detail {journal} AND action = ?
            AND id > (SELECT ifnull(MAX(id), 0) FROM old.journal WHERE action = ?)""",
        mail_store.RESTORE,
        CHECKED,
    )
    before = [json.loads(row["detail"]) for row in restores]
    since = [letter for detail in before for letter in detail["letters"]]
    numbers = [
        *(row["id"] for row in states),
        *(detail[mail_store.LAST_LETTER] for detail in before),
    ]
    return Salvage(
        complete=all(detail["complete"] for detail in before),
        last_letter=max(numbers, default=0),
        states={row["message_id"]: (row["state"], row["sent"], row["address"]) for row in states},
        letters=tuple(LetterSince(**letter) for letter in (*since, *letters)),
        messages=read(
            """SELECT key, raw, origin, received, fetched, sender, subject, why FROM old.messages
               WHERE key NOT IN (SELECT key FROM main.messages) ORDER BY id"""
        ),
        acts=read(f"SELECT at, action, phase, power {journal} AND action NOT IN {VOTING}"),
    )


# -- afterwards ------------------------------------------------------------------------------------


def is_mail_held(game: Game) -> bool:
    """Return whether letters wait for the game master's look after a restore.

    That is so where the replaced file could not tell which letters had gone.
    """
    return any(not row.detail["complete"] for row in _find_restores(game))


def _find_restores(game: Game) -> tuple[Entry, ...]:
    """Return the restores since the game master last looked at the letters."""
    looked = "SELECT COALESCE(MAX(id), 0) FROM journal WHERE action = ?"
    return game.file.select(
        Entry, f"WHERE action = ? AND id > ({looked}) ORDER BY id", mail_store.RESTORE, CHECKED
    )


def release_mail(game: Game, reason: str = "") -> bool:
    """Let letters go by themselves again, after the game master has looked at them; return whether
    any were held."""
    if held := is_mail_held(game):
        with game.act(CHECKED, reason=reason):
            pass
    return held


def find_drafts_sent_before(game: Game) -> tuple[tuple[mail_store.Mailing, str], ...]:
    """Return the drafts written since a restore that went out before it, with when they went.

    They are recognised by what they are about: a letter of the same kind, about the same phase, to
    the same player.
    """
    rows = _find_restores(game)
    if not (gone := [LetterSince(**letter) for row in rows for letter in row.detail["letters"]]):
        return ()
    found: list[tuple[mail_store.Mailing, str]] = []
    for mailing in mail_store.OutboxStore(game.file).list_letters():
        match = next((one for one in gone if _is_same(game, mailing, one)), None)
        if match is None or mailing.created < rows[0].at:
            continue
        gone.remove(match)
        if mailing.state == mail_store.DRAFT and not mailing.attempts and mailing.problem is None:
            found.append((mailing, match.sent))
    return tuple(found)


def _is_same(game: Game, mailing: mail_store.Mailing, gone: LetterSince) -> bool:
    key, mail = mailing.key, "SELECT message FROM press WHERE id = ?"
    sql = f"SELECT key FROM messages WHERE id = ifnull(?, ({mail}))"
    answers = game.file.text(sql, key.answers, key.press)
    # The same mail may be answered, and its press passed on, in another phase.
    phase = gone.phase if answers else mailing.phase
    return gone == LetterSince(
        key.occasion, mailing.power, phase, mailing.address, gone.sent, answers, key.day
    )


def find_language(folder: Path) -> str:
    """Return the language of a game whose file may be damaged, "" if nothing tells it."""
    for path in (folder / game_file.FILE, *(copy.path for copy in list_copies(folder))):
        place = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
        with suppress(*game_file.DAMAGE), closing(sqlite3.connect(place, uri=True)) as db:
            row = db.execute("SELECT value FROM settings WHERE name = 'lang'").fetchone()
            if row and row[0] in LANGUAGES:
                return str(row[0])
    return ""
