"""Phases of any size that are hard in one way each, and how the judge's time grows with them.

Each *family* makes a board, its units and their orders for a number of units: a long convoy, a
wide sea to convoy over, columns and rings of moves, chains of supports that depend on each other,
crowded seas, fleets behind each other on a river.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from time import process_time
from typing import Any, NamedTuple

from alexmagnum.board import load_board
from alexmagnum.board.geography import Border, Province, River
from alexmagnum.board.model import Board
from alexmagnum.judge import adjudicate
from alexmagnum.orders import Convoy, Hold, Move, Order, Support
from alexmagnum.position import Phase, Position, Unit
from bench.engines import compute_all

SIZES = (20, 40, 80, 160, 300)
PHASE = Phase(1901, "spring")
POWERS = ("Austria", "Italy")


class Task(NamedTuple):
    """A board with units and the orders of their powers."""

    board: Board
    units: tuple[Unit, ...]
    orders: dict[str, list[Order]]

    def position(self) -> Position:
        """Return a new position, so that nothing is found that was worked out before."""
        return Position(self.board, PHASE, self.units)


def make_board(
    provinces: Iterable[Province], ways: Iterable[tuple[str, str]], rivers: tuple[River, ...] = ()
) -> Board:
    """Return a board on which every border may be crossed by all that can stand on both sides."""
    by_id = {province.id: province for province in provinces}
    powers = dict(load_board("standard").powers)
    borders = tuple(Border(a, b, _kind(by_id[a], by_id[b])) for a, b in ways)
    return Board("growth", {"en": "Growth"}, by_id, powers, borders, rivers=rivers)


def _kind(a: Province, b: Province) -> str:
    if a.is_sea or b.is_sea:
        return "fleet"
    return "both" if a.rivers and b.rivers else "army"


def _row(letter: str, length: int) -> list[str]:
    return [f"{letter}{i:03}" for i in range(length)]


def _land(name: str, *, coastal: bool = False) -> Province:
    return Province(name, {"en": name}, coastal=coastal)


def _sea(name: str, capacity: int = 1) -> Province:
    return Province(name, {"en": name}, terrain="sea", capacity=capacity)


def _by_turns(names: Iterable[str], kind: str = "A") -> tuple[Unit, ...]:
    """Return units of two powers by turns."""
    return tuple(Unit(POWERS[i % 2], kind, name) for i, name in enumerate(names))


def _orders(units: Iterable[Unit], orders: Iterable[Order]) -> dict[str, list[Order]]:
    """Return the orders by power; they follow the units."""
    by_power: dict[str, list[Order]] = {power: [] for power in POWERS}
    for unit, order in zip(units, orders, strict=True):
        by_power[unit.power].append(order)
    return by_power


def _convoy(seas: list[str], ways: Iterable[tuple[str, str]]) -> Task:
    """Return an army that all fleets convoy from AAA to ZZZ."""
    shores = [_land("AAA", coastal=True), _land("ZZZ", coastal=True)]
    board = make_board([*shores, *map(_sea, seas)], ways)
    units = (Unit("Italy", "A", "AAA"), *(Unit("Italy", "F", sea) for sea in seas))
    convoys = [Convoy(f"F {sea}", "A AAA", "ZZZ") for sea in seas]
    return Task(board, units, {"Italy": [Move("A AAA", "ZZZ"), *convoys]})


def convoy_chain(size: int) -> Task:
    """Return a convoy over a chain of seas."""
    seas = _row("S", size)
    return _convoy(seas, pairwise(["AAA", *seas, "ZZZ"]))


def two_convoy_chains(size: int) -> Task:
    """Return a convoy over two chains of seas, one twice as long as the other."""
    short, long = _row("S", size // 3), _row("T", size - size // 3)
    ways = [*pairwise(["AAA", *short, "ZZZ"]), *pairwise(["AAA", *long, "ZZZ"])]
    return _convoy([*short, *long], ways)


def double_convoy_chain(size: int) -> Task:
    """Return a convoy over two chains of seas that touch everywhere; one joins the shores."""
    near, far = _row("S", size // 2), _row("T", size // 2)
    ways = [*pairwise(["AAA", *near, "ZZZ"]), *pairwise(far), *zip(near, far, strict=True)]
    return _convoy([*near, *far], ways)


def column(size: int) -> Task:
    """Return armies in a row, each ordered to where the next one stands."""
    names = _row("P", size + 1)
    units = _by_turns(names[:-1])
    moves = [Move(f"A {a}", b) for a, b in pairwise(names)]
    return Task(make_board(map(_land, names), pairwise(names)), units, _orders(units, moves))


def ring(size: int) -> Task:
    """Return armies that all move round in one ring."""
    names = _row("P", size)
    ways = list(pairwise([*names, names[0]]))
    units = _by_turns(names)
    moves = [Move(f"A {a}", b) for a, b in ways]
    return Task(make_board(map(_land, names), ways), units, _orders(units, moves))


def rings_of_three(size: int) -> Task:
    """Return armies that move round in rings of three."""
    names = _row("P", size - size % 3)
    starts = range(0, len(names), 3)
    ways = [way for i in starts for way in pairwise([*names[i : i + 3], names[i]])]
    units = _by_turns(names)
    moves = [Move(f"A {a}", b) for a, b in ways]
    return Task(make_board(map(_land, names), ways), units, _orders(units, moves))


def support_chain(size: int) -> Task:
    """Return armies each of which supports the next one to hold."""
    names = _row("P", size)
    units = _by_turns(names)
    supports = [Support(f"A {a}", f"A {b}") for a, b in pairwise(names)]
    orders = _orders(units, [*supports, Hold(f"A {names[-1]}")])
    return Task(make_board(map(_land, names), pairwise(names)), units, orders)


def dislodgement_chain(size: int) -> Task:
    """Return supports that only a dislodgement cuts, each resting on the next one.

    ``S`` supports ``A`` against ``X``, which attacks ``S`` without support.
    """
    units: list[Unit] = []
    orders: list[Order] = []
    ways: list[tuple[str, str]] = []
    for i in range(size // 3):
        s, a, x = (f"{letter}{i:03}" for letter in "SAX")
        own, other = POWERS[i % 2], POWERS[1 - i % 2]
        units += [Unit(own, "A", s), Unit(own, "A", a), Unit(other, "A", x)]
        orders += [Support(f"A {s}", f"A {a}", x), Move(f"A {a}", x), Move(f"A {x}", s)]
        ways += [(a, x), (s, x)]
        if i:
            ways.append((s, f"X{i - 1:03}"))
    names = [unit.province for unit in units]
    return Task(make_board(map(_land, names), ways), tuple(units), _orders(units, orders))


def crowded_seas(size: int) -> Task:
    """Return three fleets in each sea of a chain, all ordered to the next sea."""
    seas = _row("S", size // 3 + 1)
    named = [(sea, following, n) for sea, following in pairwise(seas) for n in (1, 2, 3)]
    units = tuple(Unit(POWERS[n % 2], "F", sea, number=n) for sea, _, n in named)
    moves = [Move(f"F {sea}#{n}", following) for sea, following, n in named]
    board = make_board([_sea(sea, 3) for sea in seas], pairwise(seas))
    return Task(board, units, _orders(units, moves))


def river(size: int) -> Task:
    """Return fleets behind each other on a river, each by express two territories on."""
    names = _row("R", size + 2)
    provinces = [Province(name, {"en": name}, rivers=("r",)) for name in names]
    board = make_board(provinces, pairwise(names), (River("r", {"en": "River"}, tuple(names)),))
    units = _by_turns(names[:-2], "F")
    moves = [Move(f"F {a}", b) for a, b in zip(names, names[2:], strict=False)]
    return Task(board, units, _orders(units, moves))


FAMILIES: Mapping[str, Callable[[int], Task]] = {
    "a convoy over a chain of fleets": convoy_chain,
    "a convoy over two chains of fleets": two_convoy_chains,
    "a convoy over a double chain": double_convoy_chain,
    "a column of moves": column,
    "one ring of moves": ring,
    "rings of three moves": rings_of_three,
    "a chain of supports": support_chain,
    "a chain of dislodgements": dislodgement_chain,
    "crowded seas": crowded_seas,
    "expresses on one river": river,
}


def measure(rounds: int) -> list[dict[str, Any]]:
    """Return the milliseconds of processor time by number of units, for every family."""
    return [
        {
            "family": name,
            "milliseconds": {size: round(_time(family(size), rounds), 2) for size in SIZES},
        }
        for name, family in FAMILIES.items()
    ]


def _time(task: Task, rounds: int) -> float:
    """Return the least milliseconds of ``adjudicate``, with results, units and retreats."""
    _ = task.board.tables
    best = float("inf")
    for _ in range(rounds):
        position = task.position()
        start = process_time()
        compute_all(adjudicate(position, task.orders))
        best = min(best, process_time() - start)
    return best * 1000


def table(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the lines of a table of the rows."""
    heading = f"{'milliseconds, by number of units':<38}" + "".join(f"{n:>9}" for n in SIZES)
    return [heading] + [
        f"{row['family']:<38}" + "".join(f"{row['milliseconds'][n]:>9.2f}" for n in SIZES)
        for row in rows
    ]
