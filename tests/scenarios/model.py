"""Scenarios: positions with orders, the paths on their boards, and other names of their units."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random

from alexmagnum.board import load_board
from alexmagnum.board.model import Board
from alexmagnum.orders import Convoy, MovementOrder, Support
from alexmagnum.position import Position, Unit
from alexmagnum.units import KINDS

Orders = Mapping[str, Sequence[MovementOrder]]


@dataclass(frozen=True)
class Scenario:
    """A position before a movement phase with the orders of every power."""

    position: Position
    orders: Orders


class BoardPaths:
    """The paths of one board: which provinces units can reach from where."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.walk: dict[str, set[str]] = {}
        self.sail: dict[str, set[str]] = {}
        for border in board.borders:
            for a, b in ((border.a, border.b), (border.b, border.a)):
                if border.kind != "fleet":
                    self.walk.setdefault(a.split("/")[0], set()).add(b.split("/")[0])
                if border.kind != "army":
                    self.sail.setdefault(a, set()).add(b)
        self.seas = [p.id for p in board.provinces.values() if p.is_sea]
        self.lands = sorted(self.walk)
        self.ports = sorted(
            {b.split("/")[0] for sea in self.seas for b in self.sail[sea]} - set(self.seas)
        )

    def shores(self, sea: str) -> list[str]:
        """Return the land provinces beside a sea."""
        return sorted({b.split("/")[0] for b in self.sail[sea]} - set(self.seas))

    def beside(self, province: str) -> list[str]:
        """Return the provinces that touch one, whoever may cross."""
        near = set(self.walk.get(province, ()))
        for location in self.locations(province):
            near |= {b.split("/")[0] for b in self.sail.get(location, ())}
        return sorted(near)

    def locations(self, province: str) -> list[str]:
        """Return where a fleet can stand in a province."""
        places = [f"{province}/{c}" for c in self.board.provinces[province].coasts] or [province]
        return [place for place in places if place in self.sail]

    def ways(self, unit: Unit) -> list[str]:
        """Return the locations a unit can move to without a convoy."""
        return sorted((self.sail if unit.kind == "F" else self.walk).get(unit.location, ()))


@lru_cache
def load_paths(board_id: str) -> BoardPaths:
    """Return the paths on a board of the package."""
    return BoardPaths(load_board(board_id))


VARIED_PERCENT = 4  # the percentage of orders whose unit has another name than the usual one


def vary_names(scenario: Scenario, rng: Random) -> Scenario:
    """Return the same scenario, with a unit named otherwise now and then: its name may lack its
    number or coast, or have a needless number or another letter."""
    position = scenario.position
    orders = {p: [_vary_name(o, position, rng) for o in os] for p, os in scenario.orders.items()}
    return Scenario(position, orders)


def _vary_name(order: MovementOrder, position: Position, rng: Random) -> MovementOrder:
    if rng.randrange(100) < 100 - VARIED_PERCENT:  # what hypothesis shrinks to
        return order
    match order:
        case Support(unit, supported, to) if rng.randrange(2):
            return Support(unit, _other_name(supported, position, rng), to)
        case Convoy(unit, army, to) if rng.randrange(2):
            return Convoy(unit, _other_name(army, position, rng), to)
    return replace(order, unit=_other_name(order.unit, position, rng))


def _other_name(name: str, position: Position, rng: Random) -> str:
    """Return another name of the unit with this one; the same, if no unit has it."""
    unit = position.names.get(name)
    return (
        name if unit is None else rng.choice([n for n in list_names(position, unit) if n != name])
    )


def list_names(position: Position, unit: Unit) -> list[str]:
    """Return every name that means this unit and no other.  A number suffices (R8), and so does the
    province where it is alone (DATC 6.B.10); else the letter, if its kind is there once (R26)."""
    mates = [u for u in position.units if u.province == unit.province and u != unit]
    letters = [unit.kind] if mates else KINDS
    if any(mate.kind == unit.kind for mate in mates):
        letters = []
    plain = [f"{letter} {at}" for letter in letters for at in {unit.location: 0, unit.province: 0}]
    return [*plain, *(f"{letter} {unit.place}" for letter in KINDS)]
