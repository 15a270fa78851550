"""Writing a file whole, or leaving the old one as it was."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from alexmagnum.errors import GameError

PRIVATE, SHARED = 0o600, 0o644
"""The rights of a file with secrets, and of one that others may read; Windows has neither."""


def write_whole(path: Path, content: str | bytes, *, private: bool = False) -> None:
    """Write a file as a whole, a text in UTF-8, and wait until it is on the disk.

    A command that is killed, or a power cut, leaves the file as it was.  Only its owner can read a
    ``private`` file.

    Raises:
        GameError: cannot-write.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(content.encode() if isinstance(content, str) else content)
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
