"""The map: provinces, borders by kind, rivers, portages, powers, and the rules' switches."""

from alexmagnum.board.load import known_maps, load_board
from alexmagnum.board.model import (
    Board,
    Border,
    Coast,
    Portage,
    Power,
    Province,
    River,
    Rules,
    Strait,
    split_location,
)

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
