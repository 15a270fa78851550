"""Odd positions of every kind of phase, drawn from a seed: what no game comes to, but anybody may
set up.

Any number of units of anybody, none included, wherever units can stand; full seas, generals or
none, garrisons without a centre, powers in revolt, centres without an owner, and in retreats units
with many ways open or none.
"""

import json
from collections.abc import Iterator, Sequence
from functools import cache
from random import Random

from alexmagnum import position as positions
from alexmagnum.board import Board, load_board
from alexmagnum.board.map_file import read_map_text
from alexmagnum.board.model import INDEPENDENT
from tests.board.little import LITTLE
from tools.random_map import random_map


@cache
def list_boards() -> tuple[Board, ...]:
    """Return maps of many kinds: shipped ones, some with other rules, small and random ones."""
    alexmagnum = load_board("alexmagnum")
    little = {key: value for key, value in LITTLE.items() if key != "geometry"}
    return (
        alexmagnum,
        load_board("standard"),
        alexmagnum.with_rules({"major_city_capacity": 2, "sea_capacity": 5, "nobility": 1}),
        alexmagnum.with_rules({"sea_capacity": 1, "picks": 0, "general_strength": 4}),
        read_map_text(json.dumps(little), "little").board,
        read_map_text(json.dumps(random_map(60, 5)), "random").board,
    )


def draw_position(board: Board, rng: Random) -> positions.Position:
    """Return a possible position before any kind of phase."""
    phase = rng.choice(_list_phases(board))
    at_sea = phase.season in (positions.SPRING, positions.AUTUMN, positions.WINTER)
    units = _draw_units(board, rng) if at_sea or rng.random() < 0.2 else []
    owners = ["", *board.powers] if rng.random() < 0.7 else [rng.choice(list(board.powers))]
    owned = {centre: rng.choice(owners) for centre in board.centres}
    lost = [u for u in units if u.power != INDEPENDENT and rng.random() < 0.3]
    most = board.rules.nobility
    position = positions.Position(
        board,
        phase,
        [u for u in units if not phase.retreats or u not in lost],
        {centre: power for centre, power in owned.items() if power},
        {},
        {power: rng.choice((0, 1, most)) for power in board.powers if most and rng.random() < 0.5},
    )
    if phase.retreats:
        position = _dislodge(position, lost, rng)
    assert position.problems() == ()
    return position


def _list_phases(board: Board) -> list[positions.Phase]:
    year = board.rules.last_year or board.rules.first_year
    phases = [
        positions.Phase(year, season, r)
        for season in (positions.SPRING, positions.AUTUMN)
        for r in (False, True)
    ]
    phases.append(positions.Phase(year, positions.WINTER))
    if board.rules.picks:
        phases.append(positions.Phase(year, positions.PICKS, period=2))
        phases.append(positions.Phase(year, positions.DEPLOYMENT, period=board.rules.picks + 1))
    return phases


def _draw_units(board: Board, rng: Random) -> list[positions.Unit]:
    """Return units in different places; the places of a city are of one power."""
    posts = list(board.tables.posts)
    rng.shuffle(posts)
    powers = [*rng.sample(list(board.powers), rng.randint(1, len(board.powers))), INDEPENDENT]
    units: list[positions.Unit] = []
    taken: set[tuple[str, int]] = set()
    holder: dict[str, str] = {}
    generals: set[str] = set() if board.rules.nobility else {*powers}
    for kind, province, coast, number in posts[: rng.choice((0, 3, 30, 150, len(posts)))]:
        power = rng.choice(powers)
        if not board.provinces[province].is_sea:
            power = holder.setdefault(province, power)
        is_allowed = kind == "A" or power != INDEPENDENT
        if kind == "G":
            is_allowed = is_allowed and power not in generals
        if kind != "F" and coast:
            is_allowed = False
        if is_allowed and (province, number) not in taken:
            units.append(positions.Unit(power, kind, province, coast, number))
            taken.add((province, number))
            generals.update({power} if kind == "G" else ())
    return units


def _dislodge(
    position: positions.Position, lost: Sequence[positions.Unit], rng: Random
) -> positions.Position:
    """Return a position with units that have to retreat, some of them nowhere."""
    return positions.Position(
        position.board,
        position.phase,
        position.units,
        position.owners,
        position.homes,
        position.nobility,
        [
            positions.Dislodged(
                unit, rng.choice([unit, *position.units]), tuple(_draw_ways(position, unit, rng))
            )
            for unit in lost
            if rng.random() < 0.7
        ],
    )


def _draw_ways(position: positions.Position, unit: positions.Unit, rng: Random) -> Iterator[str]:
    """Yield some of the ways open to a dislodged unit: over borders, to where there is room."""
    tables = position.board.tables
    here = tables.location[unit.location]
    for to in tables.army_to[here] if unit.kind != "F" else tables.fleet_to[here]:
        province = tables.province_of[to]
        there = [position.tables.units[u] for u in position.tables.units_in[province]]
        is_own = all(other.power == unit.power for other in there)  # else a city is closed (R26)
        has_room = len(there) < tables.capacity[province] and (is_own or tables.is_sea[province])
        if has_room and rng.random() < 0.6:
            yield tables.location_names[to]
