"""Copies of the game file: one before every processing, kept by number and by game year.

Open this for where the copies lie, which ones are kept, and whether one is sound.  A copy is made
inside the act, when nothing can refuse it any more, and shows the file as it was before.

The newest copies are SQLite files that any tool can open.  Older ones of a large game keep only
the pages in which they differ from the next newer copy (:mod:`alexmagnum.game.page_deltas`), so
that a game of many years does not fill the disk.  The checksum in a copy's name is that of the
whole file, and tells whether it is sound.
"""

from __future__ import annotations

import os
import re
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from alexmagnum.errors import GameError
from alexmagnum.files import PRIVATE, write_whole
from alexmagnum.game.folder import DAMAGE
from alexmagnum.game.page_deltas import Delta, compare_copies
from alexmagnum.game.records import OVER
from alexmagnum.game.state import Game

FOLDER = "backups"

WHOLE_BYTES = 48_000_000
"""The bytes of copies kept as whole files, the newest ones first; at least one is."""

_WHOLE, _DELTA = ".db", ".delta"
_NAME = re.compile(
    r"(?P<number>\d{4,})-(?P<at>\d{8}T\d{6}Z)-(?P<action>[a-z]+(?:-[a-z]+)*)"
    r"-(?P<phase>\d+-[0-9a-z-]+)-(?P<crc>[0-9a-f]{8})(?P<form>\.db|\.delta)"
)
_TORN = ".copy-"
"""The beginning of the names of copies that are just being made, or were interrupted."""


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy of a game file: made at an instant before an act, while a phase was open.

    The ``phase`` of a game that was over is the last one with ``-over`` behind it.
    """

    path: Path
    number: int
    at: str
    action: str
    phase: str
    crc: str

    @property
    def year(self) -> str:
        """The game year of its phase."""
        return self.phase.partition("-")[0]

    @property
    def is_whole(self) -> bool:
        """Tell whether it is a whole file, and no delta."""
        return self.path.suffix == _WHOLE


def list_copies(folder: Path) -> tuple[Copy, ...]:
    """Return the copies of a game's folder, the newest first."""
    found = []
    for path in (folder / FOLDER).glob("*.d*"):
        match = _NAME.fullmatch(path.name)
        if match:
            at = f"{match['at'][:4]}-{match['at'][4:6]}-{match['at'][6:8]}T"
            at += f"{match['at'][9:11]}:{match['at'][11:13]}:{match['at'][13:]}"
            found.append(
                Copy(path, int(match["number"]), at, match["action"], match["phase"], match["crc"])
            )
    # Killed between writing a delta and removing the whole file, a copy is there twice.
    found.sort(key=lambda copy: (-copy.number, not copy.is_whole))
    return tuple(
        copy
        for place, copy in enumerate(found)
        if not place or found[place - 1].number != copy.number
    )


# -- reading copies --------------------------------------------------------------------------------


def read_copies(folder: Path) -> Iterator[tuple[Copy, bytes | None]]:
    """Yield the copies, the newest first, each with its bytes; None for one that is not sound."""
    newer = b""
    for copy in list_copies(folder):
        data = _read_copy(copy, newer)
        sound = data is not None and _checksum(data) == copy.crc
        newer = data if data is not None else b""
        yield copy, data if sound else None


def _read_copy(copy: Copy, newer: bytes) -> bytes | None:
    """Return the bytes of a copy, None if it cannot be read."""
    try:
        data = copy.path.read_bytes()
        return data if copy.is_whole else Delta.decode(data).apply(newer)
    except (OSError, ValueError, MemoryError):
        return None


def read_copy(folder: Path, number: int) -> tuple[Copy, bytes]:
    """Return a copy by its number, with its bytes.

    Raises:
        GameError: ``no-backup``, ``backup-damaged``.
    """
    for copy, data in read_copies(folder):
        if copy.number == number:
            if data is None:
                raise GameError("backup-damaged", number=str(number), file=copy.path.name)
            return copy, data
    raise GameError("no-backup", number=str(number))


def find_newest_sound_copy(folder: Path) -> Copy | None:
    """Return the newest copy that can be restored, None if there is none."""
    return next((copy for copy, data in read_copies(folder) if data is not None), None)


def _checksum(data: bytes) -> str:
    return f"{zlib.crc32(data):08x}"


# -- making one ------------------------------------------------------------------------------------


def keep_copy(game: Game, action: str) -> None:
    """Make a copy of the file as it was before the act that is going on, and remove old copies.

    The copy is there whole or not at all.  Nothing is processed in a file that may be damaged, and
    no copy of it pushes out a good one.

    Raises:
        GameError: ``backup-failed``, ``game-damaged``, ``game-untrusted``; then the act is taken
            back.
    """
    if game.file.doubted:
        raise GameError("game-untrusted", path=game.file.path)
    kept = int(game.settings()["backups"])
    if not kept or game.rehearsing:
        return
    folder = game.file.folder
    try:
        (folder / FOLDER).mkdir(mode=0o700, exist_ok=True)
        _remove_torn(folder)
        _make_copy(game, action)
        _thin_out(folder, kept)
    except (OSError, *DAMAGE) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise GameError("backup-failed", path=str(folder / FOLDER), why=why) from None


def _remove_torn(folder: Path) -> None:
    for path in (folder / FOLDER).glob(f"{_TORN}*"):
        path.unlink(missing_ok=True)


def _make_copy(game: Game, action: str) -> None:
    folder, copies = game.file.folder, list_copies(game.file.folder)
    number = copies[0].number + 1 if copies else 1
    handle, name = tempfile.mkstemp(prefix=_TORN, dir=folder / FOLDER)
    os.close(handle)
    torn = Path(name)
    try:
        game.file.back_up(torn)
        torn.chmod(PRIVATE)
        with torn.open("rb+") as stream:
            checksum = _checksum(stream.read())
            os.fsync(stream.fileno())
        at = re.sub(r"[:-]", "", game.stamp())
        word = f"{number:04}-{at}-{action}-{_name_phase(game)}-{checksum}{_WHOLE}"
        torn.replace(folder / FOLDER / word)
    except BaseException:
        with suppress(OSError):
            torn.unlink()
        raise


def _name_phase(game: Game) -> str:
    """Return the open phase as the name of a copy has it; once the game is over, the last one."""
    head = game.head()
    return f"{game.position(head.id).phase}-{OVER}" if head.is_over else head.name


# -- which ones stay -------------------------------------------------------------------------------


def choose_kept(copies: Sequence[Copy], last: int) -> frozenset[int]:
    """Return the numbers of the copies that stay: the ``last`` ones, and the newest of each year.

    ``copies`` has the newest first.
    """
    by_year = {copy.year: copy.number for copy in reversed(copies)}
    return frozenset({copy.number for copy in copies[:last]} | set(by_year.values()))


def _thin_out(folder: Path, last: int) -> None:
    """Remove the copies that do not stay, and shrink those that need not be whole files."""
    copies = list_copies(folder)
    kept = choose_kept(copies, last)
    _shrink(folder, copies)
    below: Copy | None = None
    for copy in reversed(list_copies(folder)):
        if copy.number in kept:
            below = copy
        else:
            if below is not None and not below.is_whole:
                _rebase(below, copy)
            copy.path.unlink(missing_ok=True)


def _shrink(folder: Path, copies: Sequence[Copy]) -> None:
    """Make deltas of whole files that are beyond the room for those."""
    room = WHOLE_BYTES
    for newer, copy in zip((None, *copies), copies, strict=False):
        room -= copy.path.stat().st_size if copy.is_whole else 0
        if newer is not None and copy.is_whole and room < 0:
            content = next((data for one, data in read_copies(folder) if one == newer), None)
            if content is None:
                continue  # a damaged copy is nothing to build on
            delta = compare_copies(copy.path.read_bytes(), content)
            write_whole(copy.path.with_suffix(_DELTA), delta.encode(), private=True)
            copy.path.unlink()


def _rebase(older: Copy, removed: Copy) -> None:
    """Make a delta independent of the newer copy, which is removed."""
    try:
        delta = Delta.decode(older.path.read_bytes())
        data = removed.path.read_bytes()
        if not removed.is_whole:
            rebased = delta.rebase(Delta.decode(data)).encode()
            write_whole(older.path, rebased, private=True)
            return
        write_whole(older.path.with_suffix(_WHOLE), delta.apply(data), private=True)
        older.path.unlink()
    except (OSError, ValueError):
        return  # a copy that is damaged stays as it is
