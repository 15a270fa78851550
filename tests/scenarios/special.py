"""Profiles of Alex Magnum: seas, the portage, rivers, cities, and all of it at once."""

from collections.abc import Callable, Sequence
from random import Random

from alexmagnum.board.model import INDEPENDENT
from alexmagnum.position import Unit
from tests.scenarios.model import Scenario
from tests.scenarios.special_draft import MOST, POWERS, Back, Carry, Go, SpecialDraft, plan_haul

# -- fleets that share a sea, and convoys over it --------------------------------------------------


def draw_sea(rng: Random) -> Scenario:
    """Draw fleets that share a sea, and others who want to get in."""
    draft = SpecialDraft(
        rng, POWERS[: rng.randint(2, 4)], {"sea_capacity": rng.choice([3, 3, 3, 2, 4])}
    )
    waters = rng.choice(draft.map.seas)
    fill_sea(draft, waters)
    if (near := near_seas(draft, waters)) and draft.chance(40):
        fill_sea(draft, rng.choice(near), draft.chance(30))
    if draft.chance(25):
        add_double_attack(draft, waters)
    add_sea_entrants(draft, waters)
    if draft.chance(50):
        add_retreat(draft, waters)
    return draft.finish()


def draw_battle(rng: Random) -> Scenario:
    """Draw fleets of full seas that attack each other head-to-head, and units that may retreat."""
    draft = SpecialDraft(rng, POWERS[: rng.randint(2, 4)], {"sea_capacity": rng.choice([3, 2, 2])})
    waters = rng.choice([s for s in draft.map.seas if near_seas(draft, s)])
    others = rng.choice(near_seas(draft, waters))
    add_battle(draft, waters, others)
    if draft.chance(40):
        add_battle(draft, waters, others)
    for sea in (waters, others):
        while draft.chance(80) and draft.put(sea, "F"):
            pass
    if draft.chance(50):
        there = draft.at(waters)
        draft.send(waters, rng.choice([1, 1, 2]), rng.choice(there) if draft.chance(60) else None)
    add_retreat(draft, rng.choice([waters, others]))
    return draft.finish()


def near_seas(draft: SpecialDraft, waters: str) -> list[str]:
    """Return the seas that touch a sea."""
    return [p for p in draft.map.beside(waters) if p in draft.map.seas]


def add_battle(draft: SpecialDraft, waters: str, others: str) -> None:
    """Add two fleets of neighbouring seas that attack each other, one of them with supports."""
    first, second = draft.put(waters, "F"), draft.put(others, "F")
    if first is None or second is None:
        return
    draft.plan(first, Go(others, second))
    draft.plan(second, Go(waters, first if draft.chance(85) else None))
    draft.back(first, others, draft.rng.choice([0, 1, 2, 2]))
    draft.back(second, waters, draft.rng.choice([0, 0, 1, 2]))


def fill_sea(draft: SpecialDraft, waters: str, wanting: bool = True) -> None:
    """Add fleets in a sea: every place taken, or some; part of them leave or fight each other."""
    rng, room = draft.rng, draft.room(waters)
    size = room if draft.chance(55) and wanting else rng.randint(1, room)
    fleets = [f for f in (draft.put(waters, "F") for _ in range(size)) if f]
    for fleet in fleets:
        others = [f for f in fleets if f != fleet]
        if (roll := rng.randrange(100)) < 22:
            draft.plan(fleet, Go(rng.choice(draft.ways(fleet))))
        elif roll < 45 and others:
            draft.plan(fleet, Go(waters, rng.choice(others)))
            draft.back(fleet, waters, rng.choice([0, 1, 1, 2]))
        elif roll < 60:
            draft.plan(fleet, None)
        # the others stay idle: they help, convoy, or do as they like in the end


def add_double_attack(draft: SpecialDraft, waters: str) -> None:
    """Add a fleet attacked from inside and from outside, each time by more than it has."""
    rng = draft.rng
    there = [u for u in draft.at(waters) if u in draft.idle]
    if len(there) < 2:
        return
    target, other = rng.sample(there, 2)
    if draft.chance(60):
        draft.plan(target, None)
    draft.plan(other, Go(waters, target))
    draft.back(other, waters, rng.choice([1, 1, 2]))
    draft.send(waters, rng.choice([1, 2, 2]), target)


def add_sea_entrants(draft: SpecialDraft, waters: str) -> None:
    """Add entrants from outside: plain and at fleets, of various strengths, and exchanges."""
    rng = draft.rng
    for _ in range(rng.randint(2, 4)):
        there = draft.at(waters)
        leaving = [u for u in there if isinstance(draft.plans.get(u), Go)]
        if leaving and draft.chance(25):
            add_exchange(draft, rng.choice(leaving))
        at = rng.choice(there) if there and draft.chance(45) else None
        draft.send(waters, rng.choice([1, 1, 1, 2, 2, 3]), at)


def add_exchange(draft: SpecialDraft, fleet: Unit) -> None:
    """Add a unit where the fleet goes, that wants to get into its sea."""
    plan = draft.plans[fleet]
    if not isinstance(plan, Go) or plan.to == fleet.province:
        return
    if (unit := draft.put(plan.to, "F")) is not None:
        draft.plan(unit, Go(fleet.province, fleet if draft.chance(35) else None))


def add_retreat(draft: SpecialDraft, waters: str) -> None:
    """Add a unit beside a sea is attacked, so that it may have to retreat there."""
    if (unit := draft.put(draft.rng.choice(draft.map.beside(waters)), "F")) is not None:
        draft.plan(unit, None)
        others = [p for p in draft.powers if p != unit.power]
        at = unit if draft.room(unit.province) > 1 else None
        draft.send(unit.province, 2, at, draft.rng.choice(others))


def add_convoy(draft: SpecialDraft, port: str) -> None:
    """Add a convoy whose army lands in a province."""
    rng = draft.rng
    if not (seas := [s for s in draft.map.seas if port in draft.map.shores(s)]):
        return
    waters = rng.choice(seas)
    starts = [p for p in draft.map.shores(waters) if p != port and not draft.at(p)]
    if (army := draft.put(rng.choice(starts), "A") if starts else None) is None:
        return
    draft.plan(army, Go(port, via=draft.chance(30)))
    for _ in range(rng.choice([1, 1, 1, 2])):
        if (fleet := draft.put(waters, "F", army.power if draft.chance(60) else "")) is not None:
            draft.plan(fleet, Carry(army))
            if draft.chance(50):
                draft.send(waters, rng.choice([1, 2, 2]), fleet)


# -- hauls over the Sinai, and raiders -------------------------------------------------------------


def draw_portage(rng: Random) -> Scenario:
    """Draw hauls both ways, with somebody on the Sinai, raiders, and convoys beside."""
    draft = SpecialDraft(
        rng, POWERS[: rng.randint(2, 3)], {"sea_capacity": rng.choice([3, 3, 2, 1])}
    )
    if draft.chance(20):
        add_sinai_paradox(draft)
    elif draft.chance(60):
        add_sinai_unit(draft)
    for _ in range(rng.randint(1, 3)):
        add_haul(draft)
    if draft.chance(20):
        add_raider(draft)
    for _ in range(rng.randint(1, 3)):
        add_sinai_conflicts(draft)
    return draft.finish()


def draw_circle(rng: Random) -> Scenario:
    """Draw units that move in a circle over the Sinai, and others who want the same places."""
    draft = SpecialDraft(rng, POWERS[: rng.randint(2, 3)], {"sea_capacity": rng.choice([3, 2, 2])})
    hauled = draft.put("SUE", "F")
    sea = rng.choice(["EGI", "FEN"])
    if draft.chance(50):  # the unit on the Sinai takes the place of the hauled fleet
        leaver = draft.put("SIS", "F")
        draft.plan(leaver, Go("SUE", hauled))
        draft.plan(hauled, Go(sea))
    else:  # three fleets, each hauled or moving to the place of the next
        leaver, last = draft.put("SIS", "F"), draft.put(sea, "F")
        draft.plan(hauled, Go(sea, last))
        draft.plan(last, Go("SIS"))
        draft.plan(leaver, Go("SUE", hauled))
    for fleet, to in ((hauled, sea), (leaver, "SUE")):
        if fleet is not None:
            draft.back(fleet, to, rng.choice([0, 0, 1]))
    for _ in range(rng.randint(1, 3)):
        add_circle_rival(draft, sea)
    if draft.chance(40):
        add_sinai_conflicts(draft)
    return draft.finish()


def add_circle_rival(draft: SpecialDraft, sea: str) -> None:
    """Add a unit that wants a place of the circle, or is hauled beside it."""
    rng = draft.rng
    if (roll := rng.randrange(100)) < 30:
        draft.send("SIS", rng.choice([1, 1, 2]))
    elif roll < 40:
        if helpers := [u for u, p in draft.plans.items() if isinstance(p, Back)]:
            helper = rng.choice(helpers)
            draft.send(helper.province, 1, helper)
    elif roll < 60:
        fleet = draft.put("SUE", "F")
        draft.plan(fleet, Go("SIS") if draft.chance(70) else plan_haul(draft, sea))
    elif roll < 80:
        there = draft.at("SUE")
        fleet = draft.put(rng.choice(["EGI", "FEN"]), "F")
        draft.plan(fleet, Go("SUE", rng.choice(there) if there else None))
    else:
        there = draft.at(sea)
        draft.send(sea, rng.randint(1, 2), rng.choice(there) if there else None)


def add_sinai_unit(draft: SpecialDraft) -> None:
    """Add a unit on the Sinai: it stays, leaves, is attacked, or is hauled itself."""
    rng = draft.rng
    unit = draft.put("SIS")
    roll = rng.randrange(100)
    if unit is None or roll < 15:
        return
    if roll < 45:
        draft.plan(unit, draft.way_in(unit, rng.choice(draft.ways(unit))))
    elif roll < 60 and unit.kind == "F":
        draft.plan(unit, plan_haul(draft, "SUE"))
    else:
        draft.plan(unit, None)
        draft.send("SIS", rng.choice([1, 2, 2]))


def add_haul(draft: SpecialDraft) -> None:
    """Add a fleet that is hauled, perhaps with supports."""
    rng = draft.rng
    start = rng.choice(["EGI", "FEN", "SUE", "SUE"])
    to = rng.choice(["EGI", "FEN", "SIS"]) if start == "SUE" else "SUE"
    if draft.room(to) > len(draft.at(to)) and to != "SIS" and draft.chance(45):
        fleet = draft.put(to, "F")
        if fleet is not None and draft.chance(40):
            draft.plan(fleet, Go(start) if draft.chance(60) else None)
    if (hauled := draft.put(start, "F")) is not None:
        draft.plan(hauled, plan_haul(draft, to))
        draft.back(hauled, to, rng.choice([0, 0, 1, 2]))


def add_sinai_paradox(draft: SpecialDraft) -> None:
    """Add a fleet hauled against one whose support decides whether the Sinai is left."""
    keeper, holder = draft.put("SUE", "F"), draft.put("SIM")
    leaver = draft.put("SIS", "A")
    hauled = draft.put(draft.rng.choice(["EGI", "FEN"]), "F")
    if keeper is not None and leaver is not None and hauled is not None:
        draft.plan(holder, None)
        draft.plan(leaver, Go("SIM"))
        draft.plan(keeper, Back(leaver))
        draft.plan(hauled, Go("SUE", keeper if draft.room("SUE") > 1 else None))


def add_raider(draft: SpecialDraft) -> None:
    """Add an army ordered to the Sinai, from where it matters or from where it does not."""
    if (army := draft.put(draft.rng.choice(["FOC", "SIM", "ISR", "NOC"]), "A")) is not None:
        draft.plan(army, Go("SIS"))


def add_sinai_conflicts(draft: SpecialDraft) -> None:
    """Add others who want the same places, and convoys that need the same fleets."""
    rng = draft.rng
    if (roll := rng.randrange(100)) < 35:
        waters = rng.choice(["EGI", "FEN", "SUE", "SUE", "ROS"])
        there = draft.at(waters)
        draft.send(
            waters, rng.randint(1, 2), rng.choice(there) if there and draft.chance(55) else None
        )
    elif roll < 50:
        hauled = [u for u, p in draft.plans.items() if isinstance(p, Go) and u.kind == "F"]
        power = rng.choice(hauled).power if hauled and draft.chance(80) else ""
        draft.send("SIS", rng.randint(1, 2), None, power)
    elif roll < 85:
        add_convoy(draft, rng.choice(["SIS", "ISR", "FOC", "SIM", "TRO", "ALE", "CIP"]))
    else:
        draft.put(rng.choice(["SIS", "SIM", "ISR", "FOC", "TRO", "ROS", "NOC"]))


# -- expresses on the rivers -----------------------------------------------------------------------


def draw_river(rng: Random) -> Scenario:
    """Draw expresses, and who stands or goes in their way."""
    rules: dict[str, int | str] = {"express": rng.choice(["railway", "railway", "attack"])}
    draft = SpecialDraft(rng, POWERS[: rng.randint(2, 3)], rules)
    course = rng.choice(draft.courses)
    way = choose_direction(draft, course)
    if draft.chance(40):
        add_river_paradox(draft, way)
    else:
        for _ in range(rng.choice([1, 1, 2])):
            add_express(draft, way)
        if draft.chance(35):
            add_express(draft, way[::-1])
    add_river_conflicts(draft, way, rng.randint(1, 3))
    if draft.chance(25):
        add_convoy(draft, course[0])
    if draft.chance(40) and draft.units:
        draft.send(rng.choice(draft.units).province, rng.randint(1, 2))
    return draft.finish()


def choose_direction(draft: SpecialDraft, course: Sequence[str]) -> Sequence[str]:
    """Return a course in one of its directions."""
    return course if draft.chance(50) else course[::-1]


def add_express(draft: SpecialDraft, course: Sequence[str]) -> None:
    """Add a fleet on an express up the course, perhaps with supports."""
    rng = draft.rng
    start = rng.choice([0, rng.randrange(len(course) - 2)])
    if (fleet := draft.put(course[start], "F")) is not None:
        goal = rng.randrange(start + 2, len(course))
        to = course[goal]
        if draft.chance(70):
            draft.clear |= set(course[start + 1 : goal])
        draft.plan(fleet, draft.way_in(fleet, to))
        draft.back(fleet, to, rng.choice([0, 1, 1, 2]))


def add_river_conflicts(draft: SpecialDraft, course: Sequence[str], times: int) -> None:
    """Add units on a river that stay, go the same way or the other, and some from beside it."""
    rng = draft.rng
    for _ in range(times):
        at = rng.randrange(len(course))
        if (roll := rng.randrange(100)) < 40:
            draft.send(course[at], rng.choice([1, 1, 2, 2, 3]))
            continue
        if (unit := draft.put(course[at])) is None or roll < 55:
            continue
        step = at + rng.choice([-1, 1])
        if roll < 62 and unit.kind != "F":
            draft.plan(unit, None)
        elif roll < 90 and 0 <= step < len(course) and course[step] in draft.ways(unit):
            draft.plan(unit, draft.way_in(unit, course[step]))
            draft.back(unit, course[step], rng.choice([0, 0, 1, 2]))
        elif away := [w for w in draft.ways(unit) if w not in course]:
            draft.plan(unit, draft.way_in(unit, rng.choice(away)))


def add_river_paradox(draft: SpecialDraft, course: Sequence[str]) -> None:
    """Add an express that attacks, where it ends, somebody whose support decides about its way."""
    rng = draft.rng
    start = rng.randrange(len(course) - 2)
    path = course[start + 1 : rng.randrange(start + 3, len(course) + 1)]
    fleet = draft.put(course[start], "F")
    others = [p for p in draft.powers if fleet is None or p != fleet.power]
    if (keeper := draft.put(path[-1], power=rng.choice(others))) is None or fleet is None:
        return
    draft.plan(fleet, Go(path[-1]))
    draft.clear |= set(path)
    near = [p for p in draft.ways(keeper) if p not in path and not draft.at(p)]
    if near and draft.chance(40):  # the keeper helps away who stands in the way
        obstacle = draft.put(path[-2])
        goals = [p for p in near if obstacle and p in draft.ways(obstacle)]
        if obstacle is not None and goals:
            to = rng.choice(goals)
            draft.plan(draft.put(to), None)
            draft.plan(obstacle, draft.way_in(obstacle, to))
            draft.plan(keeper, Back(obstacle))
            return
    if (rival := draft.beside(path[-2], without=course[start])) is not None and rival != keeper:
        draft.plan(rival, draft.way_in(rival, path[-2]))
        draft.plan(keeper, Back(rival))
        draft.back(fleet, path[-1], rng.choice([0, 1, 1, 1, 1, 2]))


# -- cities ----------------------------------------------------------------------------------------


def draw_city(rng: Random) -> Scenario:
    """Draw a city with two places, one power's units in it, and friends and foes at its gates."""
    draft = SpecialDraft(rng, POWERS[: rng.randint(2, 3)], {"major_city_capacity": 2})
    town = rng.choice([p.id for p in draft.board.provinces.values() if p.major])
    owner = rng.choice(draft.powers)
    for _ in range(rng.choice([0, 1, 1, 2, 2, 2])):
        unit = draft.put(town, power=owner)
        roll = rng.randrange(100)
        if unit is not None and roll < 35:
            draft.plan(unit, draft.way_in(unit, rng.choice(draft.ways(unit))))
        elif unit is not None and roll < 65:
            draft.plan(unit, None)
    power = rng.choice(draft.powers)
    for _ in range(rng.randint(2, 4)):
        there = draft.at(town)
        at = rng.choice(there) if there and draft.chance(55) else None
        draft.send(town, rng.choice([1, 1, 2, 2, 3]), at, power if draft.chance(60) else "")
    if draft.chance(30):
        add_army_retreat(draft, town)
    if town == "BAB" and draft.chance(60):
        add_express(draft, choose_direction(draft, draft.courses[1]))
    return draft.finish()


def add_army_retreat(draft: SpecialDraft, town: str) -> None:
    """Add a unit beside a city is attacked, so that it may have to retreat there."""
    if (unit := draft.put(draft.rng.choice(draft.map.beside(town)))) is not None:
        draft.plan(unit, None)
        others = [p for p in draft.powers if p != unit.power]
        draft.send(unit.province, 2, None, draft.rng.choice(others))


# -- all special rules at once ---------------------------------------------------------------------


def draw_medley(rng: Random) -> Scenario:
    """Draw all special rules at once, around the Nile and the Sinai or in the Aegean."""
    rules: dict[str, int | str] = {"sea_capacity": rng.choice([1, 2, 2, 3, 3, 3, 4])}
    if rng.randrange(4) == 3:
        rules |= {"general_strength": rng.randint(1, 3), "general_support": rng.randint(0, 2)}
    if rng.randrange(5) == 4:
        rules["major_city_capacity"] = 2
    if rng.randrange(4) == 3:
        rules["express"] = "attack"
    if (draft := SpecialDraft(rng, POWERS[: rng.randint(2, 4)], rules)).chance(30):
        waters = rng.choice(["EGE", "ICA", "LIB", "PAN"])
        garrison = draft.put({"EGE": "SPA", "LIB": "CIR"}.get(waters, "CIR"), "A", INDEPENDENT)
        fill_sea(draft, waters, draft.chance(60))
        add_sea_entrants(draft, waters)
        add_convoy(draft, rng.choice(draft.map.shores(waters)))
        if garrison is not None:
            draft.plan(garrison, None)
            draft.send(garrison.province, rng.randint(1, 2))
        return draft.finish()
    nile = draft.courses[0]
    parts: list[Callable[[], None]] = [
        lambda: add_express(draft, nile),
        lambda: add_express(draft, choose_direction(draft, nile)),
        lambda: add_river_conflicts(draft, nile, 1),
        lambda: add_sinai_unit(draft),
        lambda: add_haul(draft),
        lambda: add_haul(draft),
        lambda: add_river_paradox(draft, choose_direction(draft, nile)),
        lambda: add_sinai_paradox(draft),
        lambda: add_raider(draft),
        lambda: add_sinai_conflicts(draft),
        lambda: add_convoy(draft, rng.choice(["FOC", "SIS", "ISR", "ALE"])),
        lambda: add_sea_entrants(draft, rng.choice(["EGI", "FEN", "SUE"])),
        lambda: fill_sea(draft, rng.choice(["EGI", "FEN", "SUE"]), False),
    ]
    while len(draft.units) < rng.randint(6, MOST):
        rng.choice(parts)()
    return draft.finish()
