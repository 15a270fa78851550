"""The game master's folder: one SQLite file, and the desk that works on it.

The desk is imported when somebody first asks for it, because some rules of this room, such as the
required orders, are used where there is no game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from alexmagnum.game.game import NewGame

if TYPE_CHECKING:
    from alexmagnum.game.desk import Desk as Desk

__all__ = ["Desk", "NewGame"]


def __getattr__(name: str) -> object:
    if name != "Desk":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from alexmagnum.game.desk import Desk

    return Desk
