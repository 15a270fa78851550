"""The checksum of a game file, by which a change is noticed that no command made.

SQLite notices torn pages, but not a flipped bit in a name or an order.  The last command that wrote
leaves the checksum of the file beside it.  It counts while the change counter in the file's header
is the one that was noted, and no write-ahead log waits: otherwise another command wrote since.
"""

from __future__ import annotations

import json
import os
import zlib
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from alexmagnum.files import PRIVATE
from alexmagnum.game.folder import FILE

SUM = "game.sum"

_COUNTER_AT, _COUNTER_END = 24, 28
_PIECE = 1 << 20


@dataclass(frozen=True, slots=True)
class _Sum:
    """A checksum, of the file with a change counter.  ``doubted``: the file differed from an
    earlier one before the last command wrote into it."""

    counter: int
    crc: str
    doubted: bool = False


def has_checksum(folder: Path) -> bool:
    """Return whether a checksum of the file as it is was noted, and no log has the last word."""
    noted = _read_sum(folder)
    try:
        return noted is not None and _read_counter(folder) == noted.counter
    except OSError:
        return False


def is_as_left(folder: Path) -> bool:
    """Return whether the file is as the last command left it, or nothing is known about that."""
    noted = _read_sum(folder)
    if noted is None or noted.doubted:
        return noted is None
    found = _compute(folder, noted.counter)
    return found is None or found == noted


def note_checksum(folder: Path, *, doubted: bool = False) -> None:
    """Note the checksum of a file; it has no effect while a connection is open."""
    with suppress(OSError):
        found = _compute(folder)
        if found is None:
            return
        place, torn = folder / SUM, folder / f".{SUM}.{os.getpid()}"
        handle = os.open(torn, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, PRIVATE)
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            json.dump(asdict(_Sum(found.counter, found.crc, doubted)), stream)
        torn.replace(place)


def _read_sum(folder: Path) -> _Sum | None:
    try:
        data = json.loads((folder / SUM).read_text("utf-8"))
        return _Sum(int(data["counter"]), str(data["crc"]), bool(data["doubted"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _compute(folder: Path, counter: int | None = None) -> _Sum | None:
    """Return the checksum of a file, None if it cannot be told or has another ``counter``."""
    crc = 0
    try:
        before = _read_counter(folder)
        if before is None or counter not in (None, before):
            return None
        with (folder / FILE).open("rb") as stream:
            while piece := stream.read(_PIECE):
                crc = zlib.crc32(piece, crc)
        if _read_counter(folder) != before:
            return None
    except OSError:
        return None
    return _Sum(before, f"{crc:08x}")


def _read_counter(folder: Path) -> int | None:
    """Return the change counter in a file's header, None while a write-ahead log has the last
    word."""
    log = folder / f"{FILE}-wal"
    if log.exists() and log.stat().st_size:
        return None
    with (folder / FILE).open("rb") as stream:
        header = stream.read(_COUNTER_END)
    return int.from_bytes(header[_COUNTER_AT:], "big")
