"""The units and places that a line of a report names, so that a page can show them on the map."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from alexmagnum.board.model import Board
from alexmagnum.game.required_orders import find_required_orders
from alexmagnum.judge.winter import list_building_places
from alexmagnum.position import Position

AFTER = "after"
"""The picture of the position after a phase."""


class Mention(NamedTuple):
    """The subject of a line, by the names that pictures of maps use.

    Attributes:
        power: the power whose units are meant; "" for none.
        units: the names of the units; without units and places, all units of the power are meant.
        places: the provinces that are pointed at.
        picture: :data:`AFTER` if the units are those of the position after the phase.
    """

    power: str = ""
    units: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    picture: str = ""

    @property
    def can_be_shown(self) -> bool:
        """Tell whether there is something on the map to point at."""
        return bool(self.power or self.places)


def name_provinces(board: Board, locations: Iterable[str]) -> tuple[str, ...]:
    """Return the provinces of some locations, which may name coasts, each once."""
    return tuple(dict.fromkeys(board.province_of(location).id for location in locations))


def mention_required_orders(position: Position, power: str) -> Mention:
    """Return what the orders that a power owes are about."""
    board, things = position.board, find_required_orders(position)[power]
    match position.phase.kind:
        case "movement":
            return Mention(power, tuple(things))
        case "retreats":
            owed = [d for d in position.dislodged if d.unit.power == power and d.retreats]
            open_places = [place for dislodged in owed for place in dislodged.retreats]
            return Mention(power, tuple(things), name_provinces(board, open_places))
        case "winter" if "Build" in things:
            return Mention(
                power, places=name_provinces(board, list_building_places(position, power))
            )
        case "deployment":
            return Mention(power, places=name_provinces(board, things))
        case "picks":
            return Mention()
        case _:
            return Mention(power)
