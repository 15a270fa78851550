"""Convoys are reachability: what a fleet is good for, and that size costs nothing much."""

import inspect
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from alexmagnum.board import load_board
from alexmagnum.board.geography import Border, Province
from alexmagnum.board.map_file import maps_folder
from alexmagnum.board.model import Board
from alexmagnum.board.tables import BoardTables, ProvinceNo
from alexmagnum.judge import adjudicate
from alexmagnum.judge.legality import can_cross, find_useful_seas
from alexmagnum.notation import read_canonical
from alexmagnum.orders import Convoy, Move, Order, Support
from alexmagnum.position import Phase, Position, Unit
from bench.growth import FAMILIES, Task, column, crowded_seas, rings_of_three, river
from tests.sizes import one_in, sampled, sized

STANDARD = load_board("standard")


def _numbers(*names: str) -> set[ProvinceNo]:
    return {STANDARD.tables.index[name] for name in names}


def test_fleets_join_two_shores_over_any_number_of_seas() -> None:
    index = STANDARD.tables.index
    chain = _numbers("ENG", "MAO", "WES", "TYS")
    assert can_cross(STANDARD.tables, chain, index["LON"], index["NAP"])
    assert not can_cross(STANDARD.tables, chain - _numbers("WES"), index["LON"], index["NAP"])


USEFUL = (
    # DATC 6.F.12: a sea that hangs on by one other sea is no help
    ("LON BEL", "ENG IRI NAO MAO", {"ENG": True, "IRI": False}),
    # DATC 6.G.19: nor is a detour past a sea that serves both shores
    ("MAR SPA", "LYO WES", {"LYO": True, "WES": False}),
    # DATC 6.G.6: a longer way that keeps off both shores counts
    ("LVP EDI", "IRI ENG NTH NAO NWG", {"ENG": True}),
    # MAO reaches both shores only through the Channel: its two ways may not share another sea
    ("LON WAL", "ENG MAO", {"MAO": False}),
    # Lyon and the Western Mediterranean touch: a detour between them is no help
    ("MAR GAS", "LYO TYS WES MAO", {"WES": True, "TYS": False}),
)
"""By the two shores: seas with a fleet, and whether some of them are useful."""


def test_a_fleet_is_useful_where_a_route_without_a_short_cut_needs_it() -> None:
    index = STANDARD.tables.index
    for shores, seas, wanted in USEFUL:
        start, end = (index[name] for name in shores.split())
        useful = find_useful_seas(STANDARD.tables, _numbers(*seas.split()), start, end)
        assert {sea: index[sea] in useful for sea in wanted} == wanted, shores


def _sea_board(seas: Iterable[str], ways: Iterable[tuple[str, str]]) -> Board:
    """Return a board of two lands, AAA and ZZZ, and seas, with these borders."""
    provinces = {
        "AAA": Province("AAA", {"en": "Start"}, coastal=True),
        "ZZZ": Province("ZZZ", {"en": "End"}, coastal=True),
        **{sea: Province(sea, {"en": f"Sea {sea}"}, terrain="sea") for sea in seas},
    }
    borders = tuple(Border(a, b, "fleet") for a, b in ways)
    return Board("seas", {"en": "Seas"}, provinces, dict(STANDARD.powers), borders)


def _find_useful(board: Board) -> set[str]:
    """Return the seas that are useful between AAA and ZZZ if all have a fleet."""
    tables = board.tables
    seas = {number for name, number in tables.index.items() if tables.is_sea[number]}
    useful = find_useful_seas(tables, seas, tables.index["AAA"], tables.index["ZZZ"])
    return {tables.ids[sea] for sea in useful}


def _draw_sea_board(rng: Random) -> Board:
    """Return two lands, and up to fourteen seas of which any may touch."""
    seas = [f"S{i:02}" for i in range(rng.randint(2, 14))]
    density = rng.choice((0.15, 0.25, 0.35, 0.5))
    ways = [(a, b) for a in seas for b in seas if a < b and rng.random() < density]
    ways += [(land, sea) for land in ("AAA", "ZZZ") for sea in seas if rng.random() < 0.2]
    return _sea_board(seas, ways)


@sampled
def test_useful_fleets_are_those_on_a_route_without_a_short_cut() -> None:
    """Compare one search for all fleets with one search for each, on seas joined at random."""
    for seed in range(sized(300, 8_000)):
        rng = Random(seed)
        tables = _draw_sea_board(rng).tables
        start, end = tables.index["AAA"], tables.index["ZZZ"]
        seas = {sea for sea in tables.index.values() if tables.is_sea[sea] and rng.random() < 0.9}

        useful = find_useful_seas(tables, seas, start, end)

        assert useful == find_useful_seas_slowly(tables, seas, start, end), seed
        assert useful == find_useful_seas(tables, seas, end, start), seed
        assert can_cross(tables, seas, start, end) == bool(useful), seed


def test_on_a_board_of_hundreds_of_seas_the_search_for_useful_fleets_ends() -> None:
    """Seas that the search does not reach count as useful, even a bay (a ninth attack)."""
    rng, seas = Random(0), [f"S{i:03}" for i in range(250)]
    ways = [(a, b) for a in seas for b in seas if a < b and rng.random() < 0.03]
    ways += [(land, sea) for land in ("AAA", "ZZZ") for sea in seas if rng.random() < 0.02]
    assert "T" in _find_useful(_sea_board([*seas, "T"], [*ways, ("S000", "T")]))


@pytest.mark.parametrize("board_id", ["standard", "alexmagnum"])
def test_on_real_maps_useful_fleets_are_those_on_a_route_without_a_short_cut(board_id: str) -> None:
    tables = load_board(board_id).tables
    ports = [land for land in tables.index.values() if tables.port[land]]
    for seed in range(150):
        rng = Random(seed)
        start, end = rng.sample(ports, 2)
        seas = {sea for sea in tables.index.values() if tables.is_sea[sea] and rng.random() < 0.6}

        useful = find_useful_seas(tables, seas, start, end)

        assert useful == find_useful_seas_slowly(tables, seas, start, end), seed


def test_a_wide_bay_behind_two_seas_that_touch_is_no_help() -> None:
    """Every way into the bay and out of it passes both P0 and P1, which touch each other."""
    size = 4
    bay = [f"B{i}{j}" for i in range(size) for j in range(size)]
    ways = [(a, b) for a in bay for b in bay if a < b and _are_beside(a, b)]
    ways += [("P0", "P1"), ("P0", "B00"), ("P0", "B01"), ("P1", "B02"), ("P1", "B03")]
    ring = ["W0", "P0", "P1", "E0", "S0", "S1"]
    ways += [("W0", "P0"), ("P1", "E0"), ("E0", "S0"), ("S0", "S1"), ("S1", "W0")]
    ways += [("AAA", "W0"), ("ZZZ", "E0")]
    assert _find_useful(_sea_board([*bay, *ring], ways)) == set(ring)


def _are_beside(a: str, b: str) -> bool:
    """Tell whether two seas of the bay touch; their names end in a row and a column."""
    return abs(int(a[1]) - int(b[1])) + abs(int(a[2]) - int(b[2])) == 1


@pytest.mark.proof
def test_on_a_wide_sea_a_fleet_helps_wherever_a_route_can_get_past_it() -> None:
    """Twelve rows of twelve: every fleet helps between two opposite corners."""
    seas = [f"S{i:02}{j:02}" for i in range(12) for j in range(12)]
    ways = [(f"S{i:02}{j:02}", f"S{i + 1:02}{j:02}") for i in range(11) for j in range(12)]
    ways += [(f"S{i:02}{j:02}", f"S{i:02}{j + 1:02}") for i in range(12) for j in range(11)]
    ways += [("AAA", "S0000"), ("ZZZ", "S1111")]
    assert _find_useful(_sea_board(seas, ways)) == set(seas)


def _chain_board(length: int) -> Board:
    """Return two lands, and between them a chain of seas."""
    seas = [f"S{i:03}" for i in range(length)]
    return _sea_board(seas, pairwise(["AAA", *seas, "ZZZ"]))


@pytest.mark.parametrize("length", [40, 700])
def test_a_convoy_through_any_number_of_fleets_arrives(length: int) -> None:
    """The judge calls no function deeper for a longer chain: pages have little room for that."""
    board = _chain_board(length)
    seas = [p.id for p in board.provinces.values() if p.is_sea]
    units = (Unit("Italy", "A", "AAA"), *(Unit("Italy", "F", sea) for sea in seas))
    orders: list[Order] = [
        Move("A AAA", "ZZZ"),
        *(Convoy(f"F {sea}", "A AAA", "ZZZ") for sea in seas),
    ]

    outcome = adjudicate(Position(board, Phase(1901, "spring"), units), {"Italy": orders})

    assert {entry.result for entry in outcome.results} == {"succeeds", "available"}
    assert Unit("Italy", "A", "ZZZ") in outcome.units


def test_a_fleet_supports_a_convoyed_army_only_if_the_other_fleets_can_carry_it() -> None:
    """DATC 6.D.31: of two fleets in a row none can support what it would have to carry."""
    units = (Unit("Italy", "A", "AAA"), Unit("Italy", "F", "S000"), Unit("Italy", "F", "S001"))
    support = Support("F S001", "A AAA", "ZZZ")
    position = Position(_chain_board(2), Phase(1901, "spring"), units)

    outcome = adjudicate(position, {"Italy": [Move("A AAA", "ZZZ", via_convoy=True), support]})

    assert outcome.result_of(support) == "illegal"


def test_a_column_of_any_length_follows_its_head() -> None:
    """Seven hundred armies in a row, each ordered to where the next one stands."""
    names = [f"P{i:03}" for i in range(701)]
    provinces = {name: Province(name, {"en": f"Place {name}"}) for name in names}
    borders = tuple(Border(a, b, "army") for a, b in pairwise(names))
    board = Board("row", {"en": "Row"}, provinces, dict(STANDARD.powers), borders)
    units = tuple(Unit("Italy", "A", name) for name in names[:-1])
    orders: list[Order] = [Move(f"A {a}", b) for a, b in pairwise(names)]

    outcome = adjudicate(Position(board, Phase(1901, "spring"), units), {"Italy": orders})

    assert {entry.result for entry in outcome.results} == {"succeeds"}


# -- useful fleets straight from the definition, one search for each: slow, to compare with -------


def find_useful_seas_slowly(
    board: BoardTables, seas: set[ProvinceNo], start: ProvinceNo, end: ProvinceNo
) -> set[ProvinceNo]:
    """Return the seas that are on a route without a short cut."""
    return {sea for sea in seas if _Route(board, seas, sea, start, end).can_grow(sea, start)}


class _Route:
    """A route without a short cut, grown from one of its seas to one shore and then the other."""

    def __init__(
        self,
        board: BoardTables,
        seas: set[ProvinceNo],
        sea: ProvinceNo,
        start: ProvinceNo,
        end: ProvinceNo,
    ) -> None:
        self.board = board
        self.seas = seas
        self.sea = sea
        self.start = start
        self.end = end
        self.passed = [sea]

    def can_grow(self, tip: ProvinceNo, goal: ProvinceNo) -> bool:
        """Grow this arm from ``tip`` to the shore ``goal``, then the other arm, if possible."""
        if self._touches(tip, goal):
            return goal == self.end or self.can_grow(self.sea, self.end)
        for sea in self._extensions(tip, goal):
            self.passed.append(sea)
            if self.can_grow(sea, goal):
                return True
            self.passed.pop()
        return False

    def _extensions(self, tip: ProvinceNo, goal: ProvinceNo) -> Iterator[ProvinceNo]:
        """Yield the seas behind ``tip`` that leave the route without a short cut."""
        for sea in self.board.sea_next[tip]:
            neighbours = self.board.sea_next[sea]
            if (
                sea in self.seas
                and sea not in self.passed
                and not self._touches(sea, self.start if goal == self.end else self.end)
                and not any(passed in neighbours for passed in self.passed if passed != tip)
            ):
                yield sea

    def _touches(self, sea: ProvinceNo, land: ProvinceNo) -> bool:
        return bool(self.board.shore[sea * self.board.n + land])


# Units that rest on each other, by hundreds or in circles: right, and without a deep stack.


UNITS = 300
ON_RIVERS = 120  # the tables of a longer river take a second to make


@contextmanager
def _little_stack(frames: int = 700) -> Iterator[None]:
    """Leave room for so many calls, as in an interpreter with a small stack."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + frames)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


def _count_results(task: Task) -> Counter[str]:
    with _little_stack():
        outcome = adjudicate(task.position(), task.orders)
        _ = outcome.reasons, outcome.units, outcome.dislodged
        return Counter(entry.result for entry in outcome.results)


@pytest.mark.parametrize("family", one_in(5, FAMILIES.values()))
def test_three_hundred_units_need_no_deep_stack(family: Callable[[int], Task]) -> None:
    size = ON_RIVERS if family is river else UNITS

    results = _count_results(family(size))

    assert results.total() >= size - 3
    assert not results["illegal"]


@pytest.mark.parametrize("family", [column, rings_of_three, river])
def test_units_behind_each_other_all_follow(family: Callable[[int], Task]) -> None:
    size = ON_RIVERS if family is river else UNITS
    assert _count_results(family(size)) == {"succeeds": size}


def test_all_of_a_column_stay_if_its_head_bounces() -> None:
    task = column(UNITS)
    last = task.units[-1]
    moves = [order for order in task.orders[last.power] if order.unit != str(last)]  # type: ignore[union-attr]

    results = _count_results(task._replace(orders={**task.orders, last.power: moves}))

    assert results == {"fails": UNITS - 1}


def test_crowded_seas_follow_each_other_into_the_empty_last_one() -> None:
    assert _count_results(crowded_seas(UNITS)) == {"succeeds": UNITS}


CITIES = ("ILL", "EPI", "MAC")
"""Three provinces that touch each other, which cities of the shipped map do not (R26)."""


def test_attacks_that_chase_each_other_round_three_cities_end(tmp_path: Path) -> None:
    """Whether an attack beats its target can rest on itself; nobody is stronger, so all fail."""
    raw = json.loads((maps_folder() / "alexmagnum.json").read_text(encoding="utf-8"))
    raw["rules"]["major_city_capacity"] = 2
    for province in raw["provinces"]:
        if province["id"] in CITIES:
            province |= {"centre": "start", "major": True}
    (tmp_path / "three.json").write_text(
        json.dumps({k: v for k, v in raw.items() if k != "geometry"}), encoding="utf-8"
    )
    powers = dict(zip(CITIES, ("TOL", "SEL", "LIS"), strict=True))
    units = tuple(Unit(p, "A", city, number=n) for city, p in powers.items() for n in (1, 2))
    position = Position(load_board(str(tmp_path / "three.json")), Phase(318, "spring"), units)
    orders = {
        "TOL": ["A ILL#1 - EPI#2", "A ILL#2 - MAC#2"],
        "SEL": ["A EPI#1 - MAC#1", "A EPI#2 - ILL#1"],
        "LIS": ["A MAC#1 - EPI#1", "A MAC#2 - ILL#2"],
    }
    outcome = adjudicate(position, read_canonical(orders, position))

    assert {entry.result for entry in outcome.results} == {"fails"}
    assert set(outcome.units) == set(units)
