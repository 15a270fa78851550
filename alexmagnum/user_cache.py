"""The user's cache folder: results that any game may use again.  It may be deleted at any time.

A file there is read only if it is the user's own and nobody else may write to it.  Whoever reads it
checks what it says.  A folder that cannot be written to, or is deleted meanwhile, costs time only.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from alexmagnum.errors import GameError
from alexmagnum.files import write_whole
from alexmagnum.slow_work import are_results_shared

VARIABLE = "ALEXMAGNUM_CACHE"
"""The environment variable with another folder for the cache; \"no\" or nothing for none."""

_LARGEST = 4_000_000
"""The bytes of the largest file that is read."""

_MOST = 256
"""The number of files of a kind that are kept; the oldest are deleted."""


def find_cache_folder() -> Path | None:
    """Return the user's cache folder; None if the user or the program wants none.

    It need not exist.
    """
    if not are_results_shared():
        return None
    chosen = os.environ.get(VARIABLE)
    if chosen is not None:
        return None if chosen.strip().lower() in ("", "no") else Path(chosen)
    import platformdirs  # loaded only by what uses the cache

    return platformdirs.user_cache_path("alexmagnum", appauthor=False)


def read_cached(name: str) -> bytes | None:
    """Return what a file of the cache holds; None if there is none that is the user's own."""
    folder = find_cache_folder()
    if folder is None:
        return None
    try:
        if not (_is_own(folder.lstat(), stat.S_ISDIR) and _is_own((folder / name).lstat())):
            return None
        with (folder / name).open("rb") as file:
            content = file.read(_LARGEST + 1)
    except (OSError, ValueError):
        return None
    return content if len(content) <= _LARGEST else None


def write_cached(name: str, content: str | bytes) -> None:
    """Write a file of the cache, as a whole or not at all; delete old ones of its kind.

    The kind is the part of the name before its last hyphen.
    """
    folder = find_cache_folder()
    if folder is None:
        return
    with suppress(GameError, OSError, ValueError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if _is_own(folder.lstat(), stat.S_ISDIR):
            write_whole(folder / name, content, private=True)
            kind = name.rpartition("-")[0]
            _delete_old(path for path in folder.iterdir() if path.name.startswith(f"{kind}-"))


def _delete_old(files: Iterable[Path]) -> None:
    """Delete the oldest of some files if there are too many."""
    for path in sorted(files, key=lambda path: path.lstat().st_mtime)[:-_MOST]:
        path.unlink(missing_ok=True)


def _is_own(found: os.stat_result, is_kind: Callable[[int], bool] = stat.S_ISREG) -> bool:
    """Return whether a file or folder is the user's own, and nobody else may write to it.

    Windows keeps the user's folders from others by itself.
    """
    if not is_kind(found.st_mode):
        return False
    if not hasattr(os, "geteuid"):
        return True
    return found.st_uid == os.geteuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
