"""Retreat phases and winters drawn at random, with orders of which many are wrong."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from alexmagnum.board import load_board, split_location
from alexmagnum.board.model import Board
from alexmagnum.orders import Build, Disband, Hold, Order, Remove, Retreat, Waive
from alexmagnum.position import Dislodged, Phase, Position, Unit

MAPS = ("alexmagnum", "alexmagnum", "standard")


@dataclass(frozen=True, slots=True)
class PhaseScenario:
    """A position before a retreat phase or a winter with the orders of every power."""

    position: Position
    orders: Mapping[str, Sequence[Order]]


def draw_retreats(rng: Random) -> PhaseScenario:
    """Draw dislodged units close together, and orders that send several to one place."""
    board = _draw_board(rng)
    near = _near(board, rng.choice(list(board.provinces)))
    standing = _draw_units(rng, board, near, rng.randint(0, 6))
    fallen = _draw_units(rng, board, near, rng.randint(2, 8))
    led = {unit.power for unit in standing if unit.kind == "G"}  # a power has one general
    fallen = tuple(replace(u, kind="A") if u.kind == "G" and u.power in led else u for u in fallen)
    dislodged = tuple(
        Dislodged(u, _attacker(rng, u, fallen), _ways(rng, board, u, standing)) for u in fallen
    )
    position = Position(
        board,
        Phase(0, rng.choice(["spring", "autumn"]), retreats=True),
        standing,
        nobility=_draw_nobility(rng, board),
        dislodged=dislodged,
    )
    orders: dict[str, list[Order]] = {}
    ways = Counter(split_location(way)[0] for entry in dislodged for way in entry.retreats)
    wanted = ways.most_common(1)[0][0] if ways else ""
    for entry in dislodged:
        for _ in range(rng.choice([0, 1, 1, 1, 1, 2])):
            power = entry.unit.power if rng.random() < 0.95 else rng.choice(list(board.powers))
            orders.setdefault(power, []).append(_retreat_order(rng, entry, position, wanted))
    return PhaseScenario(position, orders)


def draw_winter(rng: Random) -> PhaseScenario:
    """Draw owners and units at random: some powers build, some remove, some are in revolt."""
    board = _draw_board(rng)
    powers = rng.sample(list(board.powers), rng.randint(1, 4))
    owners = {c: rng.choice(powers) for c in board.centres if rng.random() < rng.choice([0.1, 0.3])}
    places = [*owners, *rng.sample(list(board.provinces), 8)]
    units = _draw_units(rng, board, places, rng.randint(0, 20), powers)
    homes = {
        power: tuple(
            centre
            for centre, owner in owners.items()
            if owner == power
            and board.provinces[centre].centre not in ("independent", "fixed")
            and rng.random() < 0.6
        )
        for power in powers
    }
    position = Position(board, Phase(0, "winter"), units, owners, homes, _draw_nobility(rng, board))
    orders: dict[str, list[Order]] = {
        power: [_winter_order(rng, power, position) for _ in range(rng.randint(0, 5))]
        for power in rng.sample(powers, len(powers))
    }
    return PhaseScenario(position, orders)


def _draw_board(rng: Random) -> Board:
    rules = {
        "sea_capacity": rng.choice([3, 3, 2]),
        "major_city_capacity": rng.choice([1, 2]),
        "major_city_upkeep": rng.choice([1, 2, 2]),
        "nobility": rng.choice([10, 10, 1, 0]),
    }
    name = rng.choice(MAPS)
    return load_board(name).with_rules(rules if name == "alexmagnum" else {})


def _draw_nobility(rng: Random, board: Board) -> dict[str, int]:
    most = board.rules.nobility
    return {p: rng.randint(0, most) for p in board.powers if most and rng.random() < 0.3}


def _near(board: Board, middle: str) -> list[str]:
    """Return the provinces within two steps of one."""
    tables = board.tables
    first = {tables.index[middle], *tables.near[tables.index[middle]]}
    return sorted(tables.ids[q] for p in first for q in {p, *tables.near[p]})


def _draw_units(
    rng: Random, board: Board, places: list[str], count: int, powers: list[str] | None = None
) -> tuple[Unit, ...]:
    """Return units that can stand together where they do."""
    units: list[Unit] = []
    for _ in range(count):
        power = rng.choice(powers or list(board.powers)[:3])
        kind = rng.choice("AAFFG" if board.rules.nobility else "AF")
        unit = _draw_unit(rng, board, power, kind, rng.choice(places))
        if not Position(board, Phase(0, "spring"), (*units, unit)).problems():
            units.append(unit)
    return tuple(units)


def _draw_unit(rng: Random, board: Board, power: str, kind: str, place: str) -> Unit:
    province = board.provinces[place]
    coast = rng.choice(province.coasts) if kind == "F" and province.coasts else ""
    return Unit(power, kind, place, coast, rng.randint(1, province.capacity))


def _attacker(rng: Random, unit: Unit, others: tuple[Unit, ...]) -> Unit:
    return rng.choice([other for other in others if other != unit] or [unit])


def _ways(rng: Random, board: Board, unit: Unit, standing: tuple[Unit, ...]) -> tuple[str, ...]:
    """Return some of the places to which a unit could retreat with what stands there."""
    steps = (
        board.fleet_graph[unit.location] if unit.kind == "F" else board.army_graph[unit.province]
    )
    there = [other.province for other in standing]
    return tuple(
        way
        for way in sorted(steps)
        if there.count(split_location(way)[0]) < board.province_of(way).capacity
        and rng.random() < 0.7
    )


def _retreat_order(rng: Random, entry: Dislodged, position: Position, wanted: str) -> Order:
    """Return an order for a dislodged unit, often to where others want to go as well."""
    name = position.name(entry.unit)
    roll = rng.random()
    ways = [way for way in entry.retreats if split_location(way)[0] == wanted]
    if roll < 0.8 and ways:
        return Retreat(name, ways[0])
    if roll < 0.8 and entry.retreats:
        to = rng.choice(entry.retreats)
        return Retreat(name, to if rng.random() < 0.8 else split_location(to)[0])
    if roll < 0.9:
        return Disband(name)
    if roll < 0.95:
        return Retreat(name, rng.choice(list(position.board.provinces)))
    return Hold(name)


def _winter_order(rng: Random, power: str, position: Position) -> Order:
    board = position.board
    roll = rng.random()
    own = [unit for unit in position.units if unit.power == power]
    if roll < 0.5:
        centres = position.centres_of(power)
        centres = tuple(c for c in centres if board.provinces[c].coasts) or centres
        at = rng.choice(centres) if centres and rng.random() < 0.9 else rng.choice(board.centres)
        coasts = board.provinces[at].coasts
        coast = f"/{rng.choice(coasts)}" if coasts and rng.random() < 0.7 else ""
        return Build(f"{rng.choice('AAFFG')} {at}{coast}")
    if roll < 0.9:
        units = own if own and rng.random() < 0.9 else list(position.units)
        return Remove(position.name(rng.choice(units))) if units else Waive()
    return Waive() if roll < 0.97 else Hold(f"A {rng.choice(board.centres)}")
