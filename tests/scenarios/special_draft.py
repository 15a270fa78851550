"""A scenario on the board of Alex Magnum in the making.

Units are placed first and *plans* laid for them; names and numbers go into the orders at the
end, when it is known who shares a sea.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from alexmagnum.board.model import INDEPENDENT
from alexmagnum.orders import Convoy, Hold, Move, MovementOrder, Support
from alexmagnum.position import Phase, Position, Unit
from tests.scenarios.model import Scenario, load_paths

MOST = 11
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
class SpecialDraft:
    """A scenario being drawn: units with their plans (None: hold)."""

    rng: Random
    powers: Sequence[str]
    rules: dict[str, int | str] = field(default_factory=dict)
    plans: dict[Unit, Plan] = field(default_factory=dict)
    idle: list[Unit] = field(default_factory=list)
    clear: set[str] = field(default_factory=set)  # where those beside a goal do not stand

    def __post_init__(self) -> None:
        self.map = load_paths("alexmagnum")
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
        """Return the provinces that a unit can enter, without convoy, river or portage."""
        return self.map.ways(unit)

    def put(self, province: str, kind: str = "", power: str = "") -> Unit | None:
        """Add an idle unit on a free place of a province; None if there is none for its kind."""
        there = self.at(province)
        afloat, ashore = bool(self.map.locations(province)), province in self.map.walk
        if not kind:
            kind = "F" if not ashore or (afloat and self.chance(40)) else "A"
        if self.is_full or not (afloat if kind == "F" else ashore):
            return None
        if not (free := set(range(1, self.room(province) + 1)) - {u.number for u in there}):
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
        """Return an idle unit that can move into a province by itself, old or new."""
        old = [u for u in self.idle if province in self.ways(u) and power in ("", u.power)]
        if old and self.chance(40):
            return self.rng.choice(old)
        near = [p for p in self.map.beside(province) if len(self.at(p)) < self.room(p)]
        if not (near := [p for p in near if p != without and p not in self.clear]):
            return None
        unit = self.put(self.rng.choice(near), power=power)
        if unit is not None and province not in self.ways(unit):
            self.idle.remove(unit)
            return None
        return unit

    def send(self, province: str, strength: int, at: Unit | None = None, power: str = "") -> None:
        """Return somebody moves into a province, plainly or at a unit there, with supports."""
        if (unit := self.beside(province, power)) is not None:
            self.plan(unit, self.way_in(unit, province, at))
            self.back(unit, province, strength - 1)

    def way_in(self, unit: Unit, province: str, at: Unit | None = None) -> Go:
        """Return a move into a province: at that unit, or plainly, or seldom by another number."""
        if self.room(province) == 1:
            return Go(province)
        if at is None and self.chance(8):
            return Go(province, number=self.rng.randint(1, 4))
        return Go(province, at)

    def back(self, unit: Unit, province: str, times: int) -> None:
        """Add supports for a unit that goes to, or stands in, a province."""
        for _ in range(times):
            if (helper := self.helper(unit, province)) is not None and helper != unit:
                number = self.rng.randint(1, 3) if self.chance(4) else 0
                self.plan(helper, Back(unit, self.chance(30), number))

    def helper(self, unit: Unit, province: str) -> Unit | None:
        power = unit.power if self.chance(65) else ""
        inside = [u for u in self.idle if u.province == province and u != unit]
        if inside and self.room(province) > 1 and self.chance(50):
            return self.rng.choice(inside)
        return self.beside(province, power, without=unit.province)

    def finish(self) -> Scenario:
        """Plan for idle units, make some generals, and write all orders."""
        for _ in range(20):  # a few more where few stand
            if len(self.units) < 4:
                home = self.rng.choice(self.units).province if self.units else "ALE"
                self.put(self.rng.choice(self.map.beside(home)))
        while self.idle:
            unit = self.rng.choice(self.idle)
            self.plan(unit, None if unit.power == INDEPENDENT else any_plan(self, unit))
        generals = self._generals()
        position = Position(
            self.board,
            Phase(0, "spring"),
            tuple(generals.get(u, u) for u in self.plans),
            nobility={self.powers[-1]: 0} if self.chance(3) else {},
        )
        listed: dict[str, list[MovementOrder]] = {}
        for unit in self.plans:
            if unit.power != INDEPENDENT and not self.chance(3):
                listed.setdefault(unit.power, []).append(self._order(unit, position, generals))
        return Scenario(position, listed)

    def _generals(self) -> dict[Unit, Unit]:
        """Return an army of some powers becomes the general's (R1)."""
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


def any_plan(draft: SpecialDraft, unit: Unit) -> Plan:
    """Return a plan that has to do with the others."""
    if (roll := draft.rng.randrange(100)) < 8:
        return None
    if roll < 45:
        return _any_support(draft, unit)
    if unit.kind == "F" and roll < 60:
        return _far_plan(draft, unit)
    if unit.province in draft.map.seas and roll < 66:
        armies = [u for u, p in draft.plans.items() if u.kind == "A" and isinstance(p, Go)]
        if armies:
            return Carry(draft.rng.choice(armies))
    return _any_move(draft, unit)


def _any_support(draft: SpecialDraft, unit: Unit) -> Plan:
    reach = set(draft.ways(unit))
    if draft.room(unit.province) > 1:
        reach.add(unit.province)
    fitting = []
    for other, plan in draft.plans.items():
        if (plan.to if isinstance(plan, Go) else other.province) in reach and other != unit:
            fitting.append(other)
    if not fitting:
        return _any_move(draft, unit)
    return Back(draft.rng.choice(fitting), draft.chance(25))


def _any_move(draft: SpecialDraft, unit: Unit) -> Plan:
    """Return where others stand or go, or anywhere; now and then at a neighbour in the same sea."""
    if (mates := [u for u in draft.at(unit.province) if u != unit]) and draft.chance(30):
        return Go(unit.province, draft.rng.choice(mates))
    ways = draft.ways(unit)
    goals = {p.to for p in draft.plans.values() if isinstance(p, Go)}
    near = [w for w in ways if draft.at(w) or w in goals]
    to = draft.rng.choice(near if near and draft.chance(75) else ways)
    there = draft.at(to)
    return draft.way_in(unit, to, draft.rng.choice(there) if there and draft.chance(50) else None)


def _far_plan(draft: SpecialDraft, unit: Unit) -> Plan:
    """Return an express or a haul where the fleet stands right for one."""
    for course in draft.courses:
        if unit.province in course:
            return draft.way_in(unit, draft.rng.choice([t for t in course if t != unit.province]))
    if unit.province in ("EGI", "FEN", "SIS"):
        return plan_haul(draft, "SUE")
    if unit.province == "SUE":
        return plan_haul(draft, draft.rng.choice(["EGI", "FEN", "SIS"]))
    return _any_move(draft, unit)


def plan_haul(draft: SpecialDraft, to: str) -> Go:
    there = draft.at(to)
    at = draft.rng.choice(there) if there and draft.chance(50) else None
    return Go(to, at if draft.room(to) > 1 else None)
