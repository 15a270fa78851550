"""The game master's folder: one SQLite file, and the desk that works on it."""

from __future__ import annotations

from alexmagnum.game.desk import Desk

__all__ = ["Desk"]
