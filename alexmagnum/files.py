"""Writing a file whole, or leaving the old one as it was."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from alexmagnum.errors import GameError

PRIVATE, SHARED = 0o600, 0o644
"""The rights of a file with secrets, and of one that others may read; Windows has neither."""

_DATABASE = b"SQLite format 3\x00"
"""The beginning of a game's file."""


def write_whole(path: Path, content: str | bytes, *, private: bool = False) -> None:
    """Write a file as a whole, a text in UTF-8, and wait until it is on the disk.

    A command that is killed, or a power cut, leaves the file as it was.  Only its owner can read a
    ``private`` file.

    Raises:
        GameError: ``cannot-write``; ``is-a-database``: the file is that of a game, which only
            another such file may replace.
    """
    data = content.encode() if isinstance(content, str) else content
    try:
        if not data.startswith(_DATABASE):
            _refuse_database(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            Path(name).chmod(PRIVATE if private else SHARED)
            Path(name).replace(path)
        except BaseException:
            with suppress(OSError):
                Path(name).unlink()
            raise
    except OSError as error:
        raise GameError("cannot-write", path=str(path), why=error.strerror or "") from None


def _refuse_database(path: Path) -> None:
    """Refuse to write over the file of a game, which somebody may name by mistake."""
    if not path.is_file():
        return
    with path.open("rb") as stream:
        if stream.read(len(_DATABASE)) == _DATABASE:
            raise GameError("is-a-database", path=str(path))
