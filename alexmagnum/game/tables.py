"""The tables of a game file as sqlite-utils shows them, for what changes tables.

Few commands do, and loading the library takes longer than most commands: it is loaded here, when it
is needed.
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite_utils import Database

_NEEDLESS = ("numpy", "pandas")
"""Modules that sqlite-utils loads where they are installed.  No game needs them, and NumPy alone
takes longer than the command ``status``."""


def show_tables(connection: sqlite3.Connection) -> Database:
    """Return a connection as sqlite-utils shows it."""
    with hide_modules(*_NEEDLESS):
        from sqlite_utils import Database

        return Database(connection)


@contextmanager
def hide_modules(*names: str) -> Iterator[None]:
    """Let imports within the block find some modules not installed, unless they are loaded."""
    hidden = [name for name in names if name not in sys.modules]
    for name in hidden:
        sys.modules[name] = None  # type: ignore[assignment]  # what the import system looks for
    try:
        yield
    finally:
        for name in hidden:
            del sys.modules[name]
