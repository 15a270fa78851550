"""Whole games of a random player, repeatable by a seed, and checks of what must hold in them.

>>> from alexmagnum.board import load_board
>>> from alexmagnum.play import play_game
>>> board = load_board("standard")
>>> one, other = ([p.orders for p in play_game(board, 7, years=1)] for _ in range(2))
>>> one == other
True
"""

from __future__ import annotations

from alexmagnum.bots.random_player import random_orders
from alexmagnum.play.broken_invariant import BrokenInvariantError
from alexmagnum.play.invariants import InvariantChecker
from alexmagnum.play.random_game import PlayedPhase, play_game

__all__ = ["BrokenInvariantError", "InvariantChecker", "PlayedPhase", "play_game", "random_orders"]
