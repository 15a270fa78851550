"""Profiles of the standard game's movement rules, with generals and garrisons.

Positions of about four to nine units on a connected patch of a board, with one order to most of
them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random

from alexmagnum.board.model import INDEPENDENT
from alexmagnum.orders import Convoy, Hold, Move, MovementOrder, Support
from alexmagnum.position import Phase, Position, Unit
from tests.scenarios.model import BoardPaths, Scenario, load_paths


@dataclass
class Draft:
    """A scenario being drawn: places taken, and orders given, by unit name."""

    rng: Random
    map: BoardPaths
    powers: Sequence[str]
    on_foot: bool = False  # armies only
    units: dict[str, Unit] = field(default_factory=dict)  # by province
    orders: dict[Unit, MovementOrder] = field(default_factory=dict)

    def chance(self, percent: int) -> bool:
        return self.rng.randrange(100) >= 100 - percent  # no is what hypothesis shrinks to

    def power(self) -> str:
        return self.rng.choice(self.powers)

    def put(self, province: str, kind: str = "", power: str = "") -> Unit | None:
        """Add a unit on a province, of a kind that can stand there; None if that is taken."""
        if province in self.units:
            return None
        spots = self.map.locations(province)
        if not kind:
            afloat = province not in self.map.walk or (spots and self.chance(35))
            kind = "F" if afloat and not self.on_foot else "A"
        if (kind == "F" and not spots) or (kind != "F" and province not in self.map.walk):
            return None
        spot = self.rng.choice(spots) if kind == "F" else province
        unit = Unit(power or self.power(), kind, province, spot.partition("/")[2])
        self.units[province] = unit
        return unit

    def put_beside(self, province: str, power: str = "") -> Unit | None:
        """Add a unit that can move into a province by itself."""
        if not (free := [p for p in self.map.beside(province) if p not in self.units]):
            return None
        unit = self.put(self.rng.choice(free), power=power)
        if unit is not None and not self.ways_into(unit, province):
            del self.units[unit.province]
            return None
        return unit

    def ways_into(self, unit: Unit, province: str) -> list[str]:
        return [way for way in self.map.ways(unit) if way.split("/")[0] == province]

    def attack(self, province: str, strength: int = 1, power: str = "") -> Unit | None:
        """Return a new unit that moves into a province, with new supporters."""
        if (unit := self.put_beside(province, power)) is None:
            return None
        self.orders[unit] = Move(str(unit), self.rng.choice(self.ways_into(unit, province)))
        for _ in range(strength - 1):
            helper = self.put_beside(province, unit.power if self.chance(60) else "")
            if helper is not None:
                self.orders[helper] = self.help(helper, unit)
        return unit

    def help(self, helper: Unit, unit: Unit) -> MovementOrder:
        """Return a support that fits the unit's order."""
        order = self.orders.get(unit)
        return Support(str(helper), str(unit), order.to if isinstance(order, Move) else None)

    def idle(self) -> list[Unit]:
        return [u for u in self.units.values() if u not in self.orders and u.power != INDEPENDENT]

    def finish(self) -> Scenario:
        """Return orders for the idle, a little noise, and everything under its power."""
        for unit in self.idle():
            if not self.chance(5):
                self.orders[unit] = any_order(self, unit)
        listed: dict[str, list[MovementOrder]] = {}
        for unit, order in self.orders.items():
            listed.setdefault(unit.power, []).append(order)
        position = Position(self.map.board, Phase(0, "spring"), tuple(self.units.values()))
        return Scenario(position, listed)


def any_order(draft: Draft, unit: Unit) -> MovementOrder:
    """Return an order that has to do with the others: mostly moves and supports that fit."""
    roll, name = draft.rng.randrange(100), str(unit)
    ways = draft.map.ways(unit)
    if roll < 4 or not ways:
        return Hold(name)
    near = [w for w in ways if w.split("/")[0] in draft.units]
    if roll < 45:
        return Move(name, draft.rng.choice(near if near and draft.chance(65) else ways))
    if roll < 85:
        return _support(draft, unit) or Move(name, draft.rng.choice(ways))
    if roll < 92:
        return _loose_support(draft, unit)
    if roll < 97:
        return _convoy_order(draft, unit)
    return Move(name, draft.rng.choice(sorted(draft.map.board.provinces)))


def _support(draft: Draft, unit: Unit) -> MovementOrder | None:
    """Return a support of something that was ordered (or of a unit that stands) within reach."""
    reach = {w.split("/")[0] for w in draft.map.ways(unit)}
    fitting: list[MovementOrder] = []
    for other in draft.units.values():
        order = draft.orders.get(other)
        if other == unit:
            continue
        if isinstance(order, Move) and order.to.split("/")[0] in reach:
            fitting += [Support(str(unit), str(other), order.to)] * 3
        elif not isinstance(order, Move) and other.province in reach:
            fitting.append(Support(str(unit), str(other)))
    return draft.rng.choice(fitting) if fitting else None


def _loose_support(draft: Draft, unit: Unit) -> MovementOrder:
    """Return a support that may fit nothing, or be impossible, or leave the coast out."""
    other = draft.rng.choice(list(draft.units.values()))
    ways = draft.map.ways(other)
    if draft.chance(40) or not ways:
        return Support(str(unit), str(other))
    to = draft.rng.choice(ways)
    return Support(str(unit), str(other), to.split("/")[0] if draft.chance(30) else to)


def _convoy_order(draft: Draft, unit: Unit) -> MovementOrder:
    """Return an order to or by a convoy that may not be there."""
    if unit.kind != "F":
        to = draft.rng.choice(draft.map.ports)
        return Move(str(unit), to, draft.chance(50))
    if not (armies := [u for u in draft.units.values() if u.kind != "F"]):
        return Hold(str(unit))
    army = draft.rng.choice(armies)
    order = draft.orders.get(army)
    to = order.to if isinstance(order, Move) and draft.chance(70) else ""
    return Convoy(str(unit), str(army), to or draft.rng.choice(draft.map.ports))


def draw_mixed(rng: Random) -> Scenario:
    """Draw units of a few powers crowded together anywhere on the standard board."""
    draft = Draft(
        rng, load_paths("standard"), ("Austria", "England", "France")[: rng.randint(2, 3)]
    )
    draft.put(rng.choice(sorted(draft.map.board.provinces)))
    _add_crowd(draft, rng.randint(4, 8))
    _add_attacks(draft, 10)
    return draft.finish()


def _add_crowd(draft: Draft, size: int) -> None:
    """Add more units beside those that stand, up to a size."""
    for _ in range(4 * size):
        if len(draft.units) >= size:
            return
        draft.put(draft.rng.choice(draft.map.beside(draft.rng.choice(list(draft.units)))))


def _add_attacks(draft: Draft, size: int) -> None:
    """Add supported attacks on some of the units, up to a size."""
    while len(draft.units) < size and draft.chance(60):
        draft.attack(draft.rng.choice(list(draft.units)), draft.rng.randint(1, 3))


def draw_convoy(rng: Random) -> Scenario:
    """Draw one to three convoys whose landings meddle with the attacks on each other's fleets."""
    draft = Draft(
        rng, load_paths("standard"), ("Austria", "England", "France")[: rng.randint(2, 3)]
    )
    routes = [r for r in (_lay_route(draft) for _ in range(rng.randint(1, 3))) if r]
    for turn, (_, landing) in enumerate(routes, start=1):
        _add_meddler(draft, landing, routes[turn % len(routes) if draft.chance(70) else 0][0])
    while len(draft.units) < 9 and draft.chance(50):
        seas, landing = rng.choice(routes) if routes else ([], rng.choice(draft.map.ports))
        if draft.attack(rng.choice([*seas, landing]), rng.randint(1, 2)) is None:
            break
    return draft.finish()


def _lay_route(draft: Draft) -> tuple[list[str], str] | None:
    """Return fleets in one or two seas, and an army that they carry; (seas, landing)."""
    rng = draft.rng
    used = [p for p in draft.units if p in draft.map.seas]
    near = [q for p in used for q in draft.map.beside(p) if q in draft.map.seas and q not in used]
    first = rng.choice(near if near and draft.chance(85) else draft.map.seas)
    seas = [first]
    beyond = [q for q in draft.map.beside(first) if q in draft.map.seas and q not in draft.units]
    if beyond and draft.chance(30):
        seas.append(rng.choice(beyond))
    fleets = [f for f in (draft.put(sea, "F") for sea in seas) if f]
    starts = [p for p in draft.map.shores(seas[0]) if p not in draft.units]
    if len(fleets) < len(seas) or not starts:
        return None
    army = draft.put(rng.choice(starts), "A")
    landing = rng.choice(draft.map.shores(seas[-1]))
    if army is None or landing == army.province:
        return None
    draft.orders[army] = Move(str(army), landing, draft.chance(25))
    for fleet in fleets:
        if draft.chance(93):
            draft.orders[fleet] = Convoy(str(fleet), str(army), landing)
    return seas, landing


def _add_meddler(draft: Draft, landing: str, seas: list[str]) -> None:
    """Add a unit at the landing whose support decides, if it is not cut, about a convoying fleet:
    the second strength of an attack on it, or its defence against a supported attack."""
    sea = draft.rng.choice([s for s in seas if s in draft.map.beside(landing)] or seas)
    fleet = draft.units[sea]
    others = [p for p in draft.powers if p != fleet.power]
    keeper = draft.put(landing, "F" if draft.chance(85) else "A", draft.rng.choice(draft.powers))
    if keeper is None or not draft.ways_into(keeper, sea):
        draft.attack(sea, draft.rng.randint(1, 2))
        return
    joins = draft.chance(50)
    attacker = draft.attack(sea, 1 if joins else 2, draft.rng.choice(others))
    if (helped := attacker if joins else fleet) is not None and draft.chance(93):
        draft.orders[keeper] = draft.help(keeper, helped)


def draw_circular(rng: Random) -> Scenario:
    """Draw units that follow each other in a ring, some legs by convoy, and some that disturb."""
    draft = Draft(
        rng, load_paths("standard"), ("Austria", "England", "France")[: rng.randint(1, 3)]
    )
    ring = _draw_ring(draft)
    for here, there in zip(ring, [*ring[1:], ring[0]], strict=True):
        unit = draft.put(here, "A" if here in draft.map.walk and draft.chance(50) else "")
        if unit is None:
            continue
        ways = draft.ways_into(unit, there)
        by_sea = [s for s in draft.map.beside(here) if there in draft.map.beside(s)]
        by_sea = [s for s in by_sea if s in draft.map.seas and s not in draft.units]
        if unit.kind == "A" and by_sea and draft.chance(35 if ways else 90):
            if (fleet := draft.put(rng.choice(by_sea), "F")) is not None:
                draft.orders[fleet] = Convoy(str(fleet), str(unit), there)
            draft.orders[unit] = Move(str(unit), there, draft.chance(60))
        elif ways:
            draft.orders[unit] = Move(str(unit), rng.choice(ways))
    while len(draft.units) < 9 and draft.chance(55):
        if draft.chance(50):
            draft.attack(rng.choice(list(draft.units)), rng.randint(1, 2))
        else:
            draft.put_beside(rng.choice(ring))
    return draft.finish()


def _draw_ring(draft: Draft) -> list[str]:
    """Draw two to five provinces, each beside the next and the last beside the first."""
    rng, beside = draft.rng, draft.map.beside
    ring = [rng.choice(sorted(draft.map.board.provinces))]
    for _ in range(12):
        close = len(ring) > 1 and ring[0] in beside(ring[-1])
        if (close and (len(ring) > 2 or draft.chance(20)) and draft.chance(60)) or len(ring) == 5:
            break
        if not (steps := [p for p in beside(ring[-1]) if p not in ring]):
            break
        homeward = [p for p in steps if ring[0] in beside(p)]
        ring.append(rng.choice(homeward if homeward and len(ring) > 1 else steps))
    return ring


def draw_strength(rng: Random) -> Scenario:
    """Draw armies, generals of base strength 2 (R1) and independent garrisons (R27) on land."""
    powers = ("SEL", "TOL", "LIS")[: rng.randint(2, 3)]
    draft = Draft(rng, load_paths("alexmagnum"), powers, on_foot=True)
    centres = draft.map.board.provinces
    garrisons = [p for p in draft.map.lands if centres[p].centre == "independent"]
    if draft.chance(50):
        draft.put(rng.choice(garrisons), "A", INDEPENDENT)
    else:
        draft.put(rng.choice(draft.map.lands))
    _add_crowd(draft, rng.randint(4, 7))
    _add_attacks(draft, 9)
    for power in powers:
        if (theirs := [u for u in draft.units.values() if u.power == power]) and draft.chance(60):
            _promote(draft, rng.choice(theirs))
    scenario = draft.finish()
    if draft.chance(25):
        return scenario
    rules = {"general_strength": rng.randint(1, 3), "general_support": rng.randint(0, 2)}
    board = scenario.position.board.with_rules(rules)
    return replace(scenario, position=replace(scenario.position, board=board))


def _promote(draft: Draft, army: Unit) -> None:
    """Turn an army into the general's, in its own order and in those that name it."""
    general = Unit(army.power, "G", army.province)
    draft.units[army.province] = general
    orders = {general if unit == army else unit: order for unit, order in draft.orders.items()}
    for unit, order in orders.items():
        orders[unit] = replace(order, unit=str(unit))
        if isinstance(order, Support) and order.supported == str(army):
            orders[unit] = Support(str(unit), str(general), order.to)
    draft.orders = orders
