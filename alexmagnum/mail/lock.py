"""A lock, so that only one command at a time sends or fetches mail of a game, or writes its site.

Sending may take minutes, and the game file is free meanwhile.  The lock is the operating system's,
on an empty file beside the game file: a process that is killed releases it.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from alexmagnum.errors import GameError


@contextmanager
def hold_lock(
    folder: Path, command: str, wait: float = 0.0, busy: str = "mail-busy"
) -> Iterator[None]:
    """Keep other commands of that name out of a game's folder; wait some seconds for one to end.

    Raises:
        GameError: ``busy`` (``holder``) if the other does not end in time, ``cannot-write``.
    """
    path, holder = folder / f"{command}.lock", folder / f"{command}.holder"
    lock = FileLock(path)
    try:
        lock.acquire(timeout=wait)
    except Timeout:
        raise GameError(busy, holder=_read_holder(holder)) from None
    except OSError as error:
        raise GameError("cannot-write", path=str(path), why=error.strerror or "") from None
    try:
        with suppress(OSError):
            word = f"{command}, pid {os.getpid()}, {socket.gethostname()}"
            holder.write_text(word, encoding="utf-8")
        yield
    finally:
        with suppress(OSError):
            holder.unlink()
        lock.release()


def _read_holder(holder: Path) -> str:
    try:
        return holder.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return "?"
