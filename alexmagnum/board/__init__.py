"""The map: provinces, borders by kind, rivers, portages, powers, and the rules' switches."""

from alexmagnum.board.geography import (
    Border,
    Coast,
    Portage,
    Province,
    River,
    Strait,
    split_location,
)
from alexmagnum.board.map_file import known_maps, load_board
from alexmagnum.board.model import Board, Power, Rules

__all__ = [
    "Board",
    "Border",
    "Coast",
    "Portage",
    "Power",
    "Province",
    "River",
    "Rules",
    "Strait",
    "known_maps",
    "load_board",
    "split_location",
]
