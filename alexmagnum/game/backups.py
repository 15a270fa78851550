"""Copies of the game file: one before every processing, kept by number and by game year.

Open this for where the copies lie and which ones are kept.  A copy is made by SQLite's online
backup inside the act, when nothing can refuse it any more, and shows the file as it was before.
"""

from __future__ import annotations

import os
import re
import tempfile
import zlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from alexmagnum.errors import GameError
from alexmagnum.files import PRIVATE
from alexmagnum.game.file import DAMAGE
from alexmagnum.game.game import Game
from alexmagnum.game.records import OVER

FOLDER = "backups"

ROOM = 200_000_000
"""The bytes that all copies may take together before those of earlier years go, oldest first."""

_NAME = re.compile(
    r"(?P<number>\d{4,})-(?P<at>\d{8}T\d{6}Z)-(?P<action>[a-z]+(?:-[a-z]+)*)"
    r"-(?P<phase>\d+-[0-9a-z-]+)-(?P<crc>[0-9a-f]{8})\.db"
)
_TORN = ".copy-"
"""The beginning of the names of copies that are just being made, or were interrupted."""


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
            data = self.path.read_bytes()
        except OSError:
            return None
        return data if _checksum(data) == self.crc else None


def list_copies(folder: Path) -> tuple[Copy, ...]:
    """Return the copies of a game's folder, the newest first."""
    found = []
    for path in (folder / FOLDER).glob("*.db"):
        match = _NAME.fullmatch(path.name)
        if match:
            at = re.sub(r"(....)(..)(..T..)(..)(..Z)", r"\1-\2-\3:\4:\5", match["at"])
            found.append(
                Copy(
                    path=path,
                    number=int(match["number"]),
                    at=at,
                    action=match["action"],
                    phase=match["phase"],
                    crc=match["crc"],
                    size=path.stat().st_size,
                )
            )
    return tuple(sorted(found, key=lambda copy: -copy.number))


def read_copy(folder: Path, number: int) -> tuple[Copy, bytes]:
    """Return a copy by its number, with its bytes.

    Raises:
        GameError: ``no-backup``, ``backup-damaged``.
    """
    copy = next((copy for copy in list_copies(folder) if copy.number == number), None)
    if copy is None:
        raise GameError("no-backup", number=str(number))
    data = copy.read()
    if data is None:
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
    last = int(game.settings["backups"])
    if not last or game.rehearsing:
        return
    folder = game.file.folder / FOLDER
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        for torn in folder.glob(f"{_TORN}*"):
            torn.unlink(missing_ok=True)
        _make_copy(game, action)
        copies = list_copies(game.file.folder)
        kept = choose_kept(copies, last)
        for copy in copies:
            if copy.number not in kept:
                copy.path.unlink(missing_ok=True)
    except (OSError, *DAMAGE) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise GameError("backup-failed", path=str(folder), why=why) from None


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


def choose_kept(copies: Sequence[Copy], last: int) -> frozenset[int]:
    """Return the numbers of the copies that stay: the ``last`` ones, and the newest of each year
    while there is room for all.

    ``copies`` has the newest first.
    """
    kept = {copy.number for copy in copies[:last]}
    room = ROOM - sum(copy.size for copy in copies[:last])
    newest = {copy.year: copy for copy in reversed(copies)}
    for copy in reversed(newest.values()):
        room -= copy.size if copy.number not in kept else 0
        if room >= 0:
            kept.add(copy.number)
    return frozenset(kept)
