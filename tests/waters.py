"""Small positions on the board of Alex Magnum in which its special rules meet.

Profiles of :mod:`tests.strategies`: seas with several fleets, expresses on the rivers, hauls over
the Sinai, cities with two places, and all of it mixed.  Units are placed first and *plans* laid
for them; names and numbers go into the orders at the end, when it is known who shares a sea.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from alexmagnum.orders import Convoy, Hold, Move, MovementOrder, Support
from alexmagnum.position import Phase, Position, Unit
from tests.strategies import Scenario, atlas

MOST = 11
NEUTRAL = "NEU"
POWERS = ("TOL", "SEL", "LIS", "CAS")


@dataclass(frozen=True, slots=True)
class Go:
    """A move: plainly, at a unit there, or by a number that need not be anybody's."""

    to: str
    at: Unit | None = None
    number: int = 0
    via: bool = False

    @property
    def text(self) -> str:
        number = self.at.number if self.at else self.number
        return f"{self.to}#{number}" if number else self.to


@dataclass(frozen=True, slots=True)
class Back:
    """A support of whatever the other does; ``loose``: with no number; ``number``: another."""

    helped: Unit
    loose: bool = False
    number: int = 0


@dataclass(frozen=True, slots=True)
class Carry:
    """A convoy for an army that goes somewhere."""

    army: Unit


Plan = Go | Back | Carry | None


@dataclass
class Muster:
    """A scenario being drawn: units with their plans (None: hold)."""

    rng: Random
    powers: Sequence[str]
    rules: dict[str, int] = field(default_factory=dict)
    plans: dict[Unit, Plan] = field(default_factory=dict)
    idle: list[Unit] = field(default_factory=list)
    clear: set[str] = field(default_factory=set)  # where those beside a goal do not stand

    def __post_init__(self) -> None:
        self.map = atlas("alexmagnum")
        self.board = self.map.board.with_rules(self.rules)
        self.courses = [river.course for river in self.board.rivers]

    def chance(self, percent: int) -> bool:
        return self.rng.randrange(100) >= 100 - percent  # no is what hypothesis shrinks to

    @property
    def units(self) -> list[Unit]:
        return [*self.plans, *self.idle]

    @property
    def is_full(self) -> bool:
        return len(self.plans) + len(self.idle) >= MOST

    def at(self, province: str) -> list[Unit]:
        return [unit for unit in self.units if unit.province == province]

    def room(self, province: str) -> int:
        return self.board.provinces[province].capacity

    def ways(self, unit: Unit) -> list[str]:
        """The provinces that a unit can enter, without convoy, river or portage."""
        return self.map.ways(unit)

    def put(self, province: str, kind: str = "", power: str = "") -> Unit | None:
        """An idle unit on a free place of a province; None if there is none for its kind."""
        there = self.at(province)
        afloat, ashore = bool(self.map.locations(province)), province in self.map.walk
        if not kind:
            kind = "F" if not ashore or (afloat and self.chance(40)) else "A"
        if self.is_full or not (afloat if kind == "F" else ashore):
            return None
        free = set(range(1, self.room(province) + 1)) - {u.number for u in there}
        if not free:
            return None
        if there and self.board.provinces[province].major:
            power = there[0].power  # a city is one power's (R26)
        number = min(free) if self.chance(75) else self.rng.choice(sorted(free))
        unit = Unit(power or self.rng.choice(self.powers), kind, province, "", number)
        self.idle.append(unit)
        return unit

    def plan(self, unit: Unit | None, plan: Plan) -> Unit | None:
        """Lay a plan for a unit that has none."""
        if unit in self.idle:
            self.idle.remove(unit)
            self.plans[unit] = plan
        return unit

    def beside(self, province: str, power: str = "", without: str = "") -> Unit | None:
        """An idle unit that can move into a province by itself, old or new."""
        old = [u for u in self.idle if province in self.ways(u) and power in ("", u.power)]
        if old and self.chance(40):
            return self.rng.choice(old)
        near = [p for p in self.map.beside(province) if len(self.at(p)) < self.room(p)]
        near = [p for p in near if p != without and p not in self.clear]
        if not near:
            return None
        unit = self.put(self.rng.choice(near), power=power)
        if unit is not None and province not in self.ways(unit):
            self.idle.remove(unit)
            return None
        return unit

    def send(self, province: str, strength: int, at: Unit | None = None, power: str = "") -> None:
        """Somebody moves into a province, plainly or at a unit there, with supports."""
        unit = self.beside(province, power)
        if unit is not None:
            self.plan(unit, self.way_in(unit, province, at))
            self.back(unit, province, strength - 1)

    def way_in(self, unit: Unit, province: str, at: Unit | None = None) -> Go:
        """A move into a province: at that unit, or plainly, seldom by a number of its own."""
        if self.room(province) == 1:
            return Go(province)
        if at is None and self.chance(8):
            return Go(province, number=self.rng.randint(1, 4))
        return Go(province, at)

    def back(self, unit: Unit, province: str, times: int) -> None:
        """Supports for a unit that goes to, or stands in, a province."""
        for _ in range(times):
            helper = self.helper(unit, province)
            if helper is not None and helper != unit:
                number = self.rng.randint(1, 3) if self.chance(4) else 0
                self.plan(helper, Back(unit, self.chance(30), number))

    def helper(self, unit: Unit, province: str) -> Unit | None:
        power = unit.power if self.chance(65) else ""
        inside = [u for u in self.idle if u.province == province and u != unit]
        if inside and self.room(province) > 1 and self.chance(50):
            return self.rng.choice(inside)
        return self.beside(province, power, without=unit.province)

    def finish(self) -> Scenario:
        """Plans for the idle, some generals, and everything put into orders."""
        for _ in range(20):  # a few more where few stand
            if len(self.units) < 4:
                home = self.rng.choice(self.units).province if self.units else "ALE"
                self.put(self.rng.choice(self.map.beside(home)))
        while self.idle:
            unit = self.rng.choice(self.idle)
            self.plan(unit, None if unit.power == NEUTRAL else any_plan(self, unit))
        generals = self._generals()
        position = Position(
            self.board,
            Phase(0, "spring"),
            tuple(generals.get(u, u) for u in self.plans),
            nobility={self.powers[-1]: 0} if self.chance(3) else {},
        )
        listed: dict[str, list[MovementOrder]] = {}
        for unit in self.plans:
            if unit.power != NEUTRAL and not self.chance(3):
                listed.setdefault(unit.power, []).append(self._order(unit, position, generals))
        return Scenario(position, listed)

    def _generals(self) -> dict[Unit, Unit]:
        """An army of some powers becomes the general's (R1)."""
        generals = {}
        for power in self.powers:
            armies = [u for u in self.plans if u.power == power and u.kind == "A"]
            if armies and self.chance(30):
                army = self.rng.choice(armies)
                generals[army] = replace(army, kind="G")
        return generals

    def _order(
        self, unit: Unit, position: Position, generals: Mapping[Unit, Unit]
    ) -> MovementOrder:
        def name(other: Unit) -> str:
            return position.name(generals.get(other, other))

        plan = self.plans[unit]
        match plan:
            case Go():
                return Move(name(unit), plan.text, plan.via)
            case Carry(army):
                goal = self.plans[army]
                to = goal.to if isinstance(goal, Go) else self.rng.choice(self.map.ports)
                return Convoy(name(unit), name(army), to)
            case Back(helped, loose, number):
                goal = self.plans[helped]
                if not isinstance(goal, Go):
                    return Support(name(unit), name(helped))
                to = goal.to if loose else f"{goal.to}#{number}" if number else goal.text
                return Support(name(unit), name(helped), to)
        return Hold(name(unit))


def any_plan(muster: Muster, unit: Unit) -> Plan:
    """A plan that has to do with the others."""
    roll = muster.rng.randrange(100)
    if roll < 8:
        return None
    if roll < 45:
        return _any_support(muster, unit)
    if unit.kind == "F" and roll < 60:
        return _far_plan(muster, unit)
    if unit.province in muster.map.seas and roll < 66:
        armies = [u for u, p in muster.plans.items() if u.kind == "A" and isinstance(p, Go)]
        if armies:
            return Carry(muster.rng.choice(armies))
    return _any_move(muster, unit)


def _any_support(muster: Muster, unit: Unit) -> Plan:
    reach = set(muster.ways(unit))
    if muster.room(unit.province) > 1:
        reach.add(unit.province)
    fitting = []
    for other, plan in muster.plans.items():
        goal = plan.to if isinstance(plan, Go) else other.province
        if goal in reach and other != unit:
            fitting.append(other)
    if not fitting:
        return _any_move(muster, unit)
    return Back(muster.rng.choice(fitting), muster.chance(25))


def _any_move(muster: Muster, unit: Unit) -> Plan:
    """Where others stand or go, or anywhere; now and then at a neighbour in the same sea."""
    mates = [u for u in muster.at(unit.province) if u != unit]
    if mates and muster.chance(30):
        return Go(unit.province, muster.rng.choice(mates))
    ways = muster.ways(unit)
    goals = {p.to for p in muster.plans.values() if isinstance(p, Go)}
    near = [w for w in ways if muster.at(w) or w in goals]
    to = muster.rng.choice(near if near and muster.chance(75) else ways)
    there = muster.at(to)
    return muster.way_in(
        unit, to, muster.rng.choice(there) if there and muster.chance(50) else None
    )


def _far_plan(muster: Muster, unit: Unit) -> Plan:
    """An express or a haul where the fleet stands right for one."""
    for course in muster.courses:
        if unit.province in course:
            to = muster.rng.choice([t for t in course if t != unit.province])
            return muster.way_in(unit, to)
    if unit.province in ("EGI", "FEN", "SIS"):
        return _haul(muster, "SUE")
    if unit.province == "SUE":
        return _haul(muster, muster.rng.choice(["EGI", "FEN", "SIS"]))
    return _any_move(muster, unit)


def _haul(muster: Muster, to: str) -> Go:
    there = muster.at(to)
    at = muster.rng.choice(there) if there and muster.chance(50) else None
    return Go(to, at if muster.room(to) > 1 else None)


# Seas.


def sea(rng: Random) -> Scenario:
    """Fleets that share a sea, and others who want to get in."""
    muster = Muster(rng, POWERS[: rng.randint(2, 4)], {"sea_capacity": rng.choice([3, 3, 3, 2, 4])})
    waters = rng.choice(muster.map.seas)
    fill_sea(muster, waters)
    near = [p for p in muster.map.beside(waters) if p in muster.map.seas]
    if near and muster.chance(40):
        fill_sea(muster, rng.choice(near), muster.chance(30))
    if muster.chance(25):
        gang_up(muster, waters)
    storm_sea(muster, waters)
    if muster.chance(50):
        rout(muster, waters)
    return muster.finish()


def fill_sea(muster: Muster, waters: str, wanting: bool = True) -> None:
    """Fleets in a sea: every place taken, or some; part of them leave or fight each other."""
    rng, room = muster.rng, muster.room(waters)
    size = room if muster.chance(55) and wanting else rng.randint(1, room)
    fleets = [f for f in (muster.put(waters, "F") for _ in range(size)) if f]
    for fleet in fleets:
        others = [f for f in fleets if f != fleet]
        roll = rng.randrange(100)
        if roll < 22:
            muster.plan(fleet, Go(rng.choice(muster.ways(fleet))))
        elif roll < 45 and others:
            muster.plan(fleet, Go(waters, rng.choice(others)))
            muster.back(fleet, waters, rng.choice([0, 1, 1, 2]))
        elif roll < 60:
            muster.plan(fleet, None)
        # the others stay idle: they help, convoy, or do as they like in the end


def gang_up(muster: Muster, waters: str) -> None:
    """A fleet attacked from inside and from outside, each time by more than it has."""
    rng = muster.rng
    there = [u for u in muster.at(waters) if u in muster.idle]
    if len(there) < 2:
        return
    target, other = rng.sample(there, 2)
    if muster.chance(60):
        muster.plan(target, None)
    muster.plan(other, Go(waters, target))
    muster.back(other, waters, rng.choice([1, 1, 2]))
    muster.send(waters, rng.choice([1, 2, 2]), target)


def storm_sea(muster: Muster, waters: str) -> None:
    """Entrants from outside: plain and at fleets, of various strengths, and exchanges."""
    rng = muster.rng
    for _ in range(rng.randint(2, 4)):
        there = muster.at(waters)
        leaving = [u for u in there if isinstance(muster.plans.get(u), Go)]
        if leaving and muster.chance(25):
            exchange(muster, rng.choice(leaving))
        at = rng.choice(there) if there and muster.chance(45) else None
        muster.send(waters, rng.choice([1, 1, 1, 2, 2, 3]), at)


def exchange(muster: Muster, fleet: Unit) -> None:
    """A unit where the fleet goes, that wants to get into its sea."""
    plan = muster.plans[fleet]
    if not isinstance(plan, Go) or plan.to == fleet.province:
        return
    unit = muster.put(plan.to, "F")
    if unit is not None:
        muster.plan(unit, Go(fleet.province, fleet if muster.chance(35) else None))


def rout(muster: Muster, waters: str) -> None:
    """A unit beside a sea is attacked, so that it may have to retreat there."""
    unit = muster.put(muster.rng.choice(muster.map.beside(waters)), "F")
    if unit is not None:
        muster.plan(unit, None)
        others = [p for p in muster.powers if p != unit.power]
        at = unit if muster.room(unit.province) > 1 else None
        muster.send(unit.province, 2, at, muster.rng.choice(others))


# Rivers.


def river(rng: Random) -> Scenario:
    """Expresses, and who stands or goes in their way."""
    muster = Muster(rng, POWERS[: rng.randint(2, 3)])
    course = rng.choice(muster.courses)
    way = either_way(muster, course)
    if muster.chance(40):
        tangle_river(muster, way)
    else:
        for _ in range(rng.choice([1, 1, 2])):
            launch(muster, way)
        if muster.chance(35):
            launch(muster, way[::-1])
    trouble_river(muster, way, rng.randint(1, 3))
    if muster.chance(25):
        land_at(muster, course[0])
    if muster.chance(40) and muster.units:
        target = rng.choice(muster.units)
        muster.send(target.province, rng.randint(1, 2))
    return muster.finish()


def either_way(muster: Muster, course: Sequence[str]) -> Sequence[str]:
    """A course in one of its directions."""
    return course if muster.chance(50) else course[::-1]


def launch(muster: Muster, course: Sequence[str]) -> None:
    """A fleet on an express up the course, perhaps with supports."""
    rng = muster.rng
    start = rng.choice([0, rng.randrange(len(course) - 2)])
    fleet = muster.put(course[start], "F")
    if fleet is not None:
        goal = rng.randrange(start + 2, len(course))
        to = course[goal]
        if muster.chance(70):
            muster.clear |= set(course[start + 1 : goal])
        muster.plan(fleet, muster.way_in(fleet, to))
        muster.back(fleet, to, rng.choice([0, 1, 1, 2]))


def trouble_river(muster: Muster, course: Sequence[str], times: int) -> None:
    """Units on a river that stay, go the same way or the other, and some from beside it."""
    rng = muster.rng
    for _ in range(times):
        at = rng.randrange(len(course))
        roll = rng.randrange(100)
        if roll < 40:
            muster.send(course[at], rng.choice([1, 1, 2, 2, 3]))
            continue
        unit = muster.put(course[at])
        if unit is None or roll < 55:
            continue
        step = at + rng.choice([-1, 1])
        if roll < 62 and unit.kind != "F":
            muster.plan(unit, None)
        elif roll < 90 and 0 <= step < len(course) and course[step] in muster.ways(unit):
            muster.plan(unit, muster.way_in(unit, course[step]))
            muster.back(unit, course[step], rng.choice([0, 0, 1, 2]))
        else:
            away = [w for w in muster.ways(unit) if w not in course]
            if away:
                muster.plan(unit, muster.way_in(unit, rng.choice(away)))


def tangle_river(muster: Muster, course: Sequence[str]) -> None:
    """An express that attacks, where it ends, somebody whose support decides about its way."""
    rng = muster.rng
    start = rng.randrange(len(course) - 2)
    path = course[start + 1 : rng.randrange(start + 3, len(course) + 1)]
    fleet = muster.put(course[start], "F")
    others = [p for p in muster.powers if fleet is None or p != fleet.power]
    keeper = muster.put(path[-1], power=rng.choice(others))
    if keeper is None or fleet is None:
        return
    muster.plan(fleet, Go(path[-1]))
    muster.clear |= set(path)
    near = [p for p in muster.ways(keeper) if p not in path and not muster.at(p)]
    if near and muster.chance(40):  # the keeper helps away who stands in the way
        obstacle = muster.put(path[-2])
        goals = [p for p in near if obstacle and p in muster.ways(obstacle)]
        if obstacle is not None and goals:
            to = rng.choice(goals)
            muster.plan(muster.put(to), None)
            muster.plan(obstacle, muster.way_in(obstacle, to))
            muster.plan(keeper, Back(obstacle))
            return
    rival = muster.beside(path[-2], without=course[start])
    if rival is not None and rival != keeper:
        muster.plan(rival, muster.way_in(rival, path[-2]))
        muster.plan(keeper, Back(rival))
        muster.back(fleet, path[-1], rng.choice([0, 1, 1, 1, 1, 2]))


def land_at(muster: Muster, port: str) -> None:
    """A convoy whose army lands in a province."""
    rng = muster.rng
    seas = [s for s in muster.map.seas if port in muster.map.shores(s)]
    if not seas:
        return
    waters = rng.choice(seas)
    starts = [p for p in muster.map.shores(waters) if p != port and not muster.at(p)]
    army = muster.put(rng.choice(starts), "A") if starts else None
    if army is None:
        return
    muster.plan(army, Go(port, via=muster.chance(30)))
    for _ in range(rng.choice([1, 1, 1, 2])):
        fleet = muster.put(waters, "F", army.power if muster.chance(60) else "")
        if fleet is not None:
            muster.plan(fleet, Carry(army))
            if muster.chance(50):
                muster.send(waters, rng.choice([1, 2, 2]), fleet)


# The Sinai.


def portage(rng: Random) -> Scenario:
    """Hauls both ways, with somebody on the Sinai, raiders, and convoys beside."""
    muster = Muster(rng, POWERS[: rng.randint(2, 3)], {"sea_capacity": rng.choice([3, 3, 2, 1])})
    if muster.chance(20):
        tangle_sinai(muster)
    elif muster.chance(60):
        sinai(muster)
    for _ in range(rng.randint(1, 3)):
        tow(muster)
    if muster.chance(20):
        raid(muster)
    for _ in range(rng.randint(1, 3)):
        trouble_sinai(muster)
    return muster.finish()


def sinai(muster: Muster) -> None:
    """A unit on the Sinai: it stays, leaves, is attacked, or is hauled itself."""
    rng = muster.rng
    unit = muster.put("SIS")
    roll = rng.randrange(100)
    if unit is None or roll < 15:
        return
    if roll < 45:
        muster.plan(unit, muster.way_in(unit, rng.choice(muster.ways(unit))))
    elif roll < 60 and unit.kind == "F":
        muster.plan(unit, _haul(muster, "SUE"))
    else:
        muster.plan(unit, None)
        muster.send("SIS", rng.choice([1, 2, 2]))


def tow(muster: Muster) -> None:
    """A fleet that is hauled, perhaps with supports."""
    rng = muster.rng
    start = rng.choice(["EGI", "FEN", "SUE", "SUE"])
    to = rng.choice(["EGI", "FEN", "SIS"]) if start == "SUE" else "SUE"
    if muster.room(to) > len(muster.at(to)) and to != "SIS" and muster.chance(45):
        fleet = muster.put(to, "F")
        if fleet is not None and muster.chance(40):
            muster.plan(fleet, Go(start) if muster.chance(60) else None)
    hauled = muster.put(start, "F")
    if hauled is not None:
        muster.plan(hauled, _haul(muster, to))
        muster.back(hauled, to, rng.choice([0, 0, 1, 2]))


def tangle_sinai(muster: Muster) -> None:
    """A fleet hauled against one whose support decides whether the Sinai is left."""
    keeper, holder = muster.put("SUE", "F"), muster.put("SIM")
    leaver = muster.put("SIS", "A")
    hauled = muster.put(muster.rng.choice(["EGI", "FEN"]), "F")
    if keeper is not None and leaver is not None and hauled is not None:
        muster.plan(holder, None)
        muster.plan(leaver, Go("SIM"))
        muster.plan(keeper, Back(leaver))
        muster.plan(hauled, Go("SUE", keeper if muster.room("SUE") > 1 else None))


def raid(muster: Muster) -> None:
    """An army ordered to the Sinai, from where it matters or from where it does not."""
    start = muster.rng.choice(["FOC", "SIM", "ISR", "NOC"])
    army = muster.put(start, "A")
    if army is not None:
        muster.plan(army, Go("SIS"))


def trouble_sinai(muster: Muster) -> None:
    """Others who want the same places, and convoys that need the same fleets."""
    rng = muster.rng
    roll = rng.randrange(100)
    if roll < 35:
        waters = rng.choice(["EGI", "FEN", "SUE", "SUE", "ROS"])
        there = muster.at(waters)
        muster.send(
            waters, rng.randint(1, 2), rng.choice(there) if there and muster.chance(55) else None
        )
    elif roll < 50:
        hauled = [u for u, p in muster.plans.items() if isinstance(p, Go) and u.kind == "F"]
        power = rng.choice(hauled).power if hauled and muster.chance(80) else ""
        muster.send("SIS", rng.randint(1, 2), None, power)
    elif roll < 85:
        land_at(muster, rng.choice(["SIS", "ISR", "FOC", "SIM", "TRO", "ALE", "CIP"]))
    else:
        muster.put(rng.choice(["SIS", "SIM", "ISR", "FOC", "TRO", "ROS", "NOC"]))


# Cities.


def city(rng: Random) -> Scenario:
    """A city with two places, one power's units in it, and friends and foes at its gates."""
    muster = Muster(rng, POWERS[: rng.randint(2, 3)], {"major_city_capacity": 2})
    cities = [p.id for p in muster.board.provinces.values() if p.major]
    town = rng.choice(cities)
    owner = rng.choice(muster.powers)
    for _ in range(rng.choice([0, 1, 1, 2, 2, 2])):
        unit = muster.put(town, power=owner)
        roll = rng.randrange(100)
        if unit is not None and roll < 35:
            muster.plan(unit, muster.way_in(unit, rng.choice(muster.ways(unit))))
        elif unit is not None and roll < 65:
            muster.plan(unit, None)
    power = rng.choice(muster.powers)
    for _ in range(rng.randint(2, 4)):
        there = muster.at(town)
        at = rng.choice(there) if there and muster.chance(55) else None
        muster.send(town, rng.choice([1, 1, 2, 2, 3]), at, power if muster.chance(60) else "")
    if muster.chance(30):
        rout_army(muster, town)
    if town == "BAB" and muster.chance(60):
        launch(muster, either_way(muster, muster.courses[1]))
    return muster.finish()


def rout_army(muster: Muster, town: str) -> None:
    """A unit beside a city is attacked, so that it may have to retreat there."""
    unit = muster.put(muster.rng.choice(muster.map.beside(town)))
    if unit is not None:
        muster.plan(unit, None)
        others = [p for p in muster.powers if p != unit.power]
        muster.send(unit.province, 2, None, muster.rng.choice(others))


# Everything.


def medley(rng: Random) -> Scenario:
    """All of it at once, around the Nile and the Sinai or in the Aegean, under varied rules."""
    rules = {"sea_capacity": rng.choice([1, 2, 2, 3, 3, 3, 4])}
    if rng.randrange(4) == 3:
        rules |= {"general_strength": rng.randint(1, 3), "general_support": rng.randint(0, 2)}
    if rng.randrange(5) == 4:
        rules["major_city_capacity"] = 2
    muster = Muster(rng, POWERS[: rng.randint(2, 4)], rules)
    if muster.chance(30):
        waters = rng.choice(["EGE", "ICA", "LIB", "PAN"])
        garrison = muster.put({"EGE": "SPA", "LIB": "CIR"}.get(waters, "CIR"), "A", NEUTRAL)
        fill_sea(muster, waters, muster.chance(60))
        storm_sea(muster, waters)
        land_at(muster, rng.choice(muster.map.shores(waters)))
        if garrison is not None:
            muster.plan(garrison, None)
            muster.send(garrison.province, rng.randint(1, 2))
        return muster.finish()
    nile = muster.courses[0]
    parts: list[Callable[[], None]] = [
        lambda: launch(muster, nile),
        lambda: launch(muster, either_way(muster, nile)),
        lambda: trouble_river(muster, nile, 1),
        lambda: sinai(muster),
        lambda: tow(muster),
        lambda: tow(muster),
        lambda: tangle_river(muster, either_way(muster, nile)),
        lambda: tangle_sinai(muster),
        lambda: raid(muster),
        lambda: trouble_sinai(muster),
        lambda: land_at(muster, rng.choice(["FOC", "SIS", "ISR", "ALE"])),
        lambda: storm_sea(muster, rng.choice(["EGI", "FEN", "SUE"])),
        lambda: fill_sea(muster, rng.choice(["EGI", "FEN", "SUE"]), False),
    ]
    while len(muster.units) < rng.randint(6, MOST):
        rng.choice(parts)()
    return muster.finish()


SPECIAL: Mapping[str, Callable[[Random], Scenario]] = {
    "sea": sea,
    "river": river,
    "portage": portage,
    "city": city,
    "medley": medley,
}
"""The profiles by name."""
