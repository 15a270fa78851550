"""What powers have: centres, nobility, upkeep, and the course of the calendar.

A check yields what is wrong, in a few words for whoever has to find the fault.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from alexmagnum.board.model import INDEPENDENT
from alexmagnum.campaign import owners_after
from alexmagnum.judge.outcome import SUCCEEDS
from alexmagnum.orders import Build, Pick
from alexmagnum.play.random_game import PlayedPhase
from alexmagnum.position import AUTUMN, DEPLOYMENT, PICKS, SPRING, WINTER, Position


def centres(played: PlayedPhase) -> Iterator[str]:
    """Centres change hands by a pick that nobody else made (R30), and at the end of an autumn to
    who stands in them (R29); at no other time."""
    owners = owners_after(played.outcome)
    wanted = dict(played.position.owners)
    if played.position.phase.season == PICKS:
        wanted |= _awarded(played)
    elif is_year_end(played):
        wanted |= _taken(played)
    for centre in sorted({*owners, *wanted}):
        if owners.get(centre) != wanted.get(centre):
            yield f"{centre} is {owners.get(centre)}'s, not {wanted.get(centre)}'s (R29, R30)"
    if played.after is not None and dict(played.after.owners) != owners:
        yield "the next position has other owners"


def is_year_end(played: PlayedPhase) -> bool:
    """Is this the end of an autumn, its retreats over?"""
    open_retreats = any(d.retreats for d in played.outcome.dislodged)
    return played.position.phase.season == AUTUMN and not open_retreats


def _awarded(played: PlayedPhase) -> Mapping[str, str]:
    """The centres that one power alone named with a legal pick."""
    named = {
        power: order.centre
        for power, orders in played.orders.items()
        for order in orders
        if isinstance(order, Pick) and _may_be_picked(played.position, order.centre)
    }
    for entry, reason in zip(played.outcome.results, played.outcome.reasons, strict=True):
        if reason.code == "pick-outside":
            named.pop(entry.power, None)
    times = Counter(named.values())
    return {centre: power for power, centre in named.items() if times[centre] == 1}


def _may_be_picked(position: Position, centre: str) -> bool:
    province = position.board.provinces[centre]
    return province.centre == "start" and centre not in position.owners


def _taken(played: PlayedPhase) -> Mapping[str, str]:
    after = played.outcome.nobility
    noble = played.position.board.rules.nobility
    return {
        unit.province: unit.power
        for unit in played.outcome.units
        if played.position.board.provinces[unit.province].centre
        and unit.power != INDEPENDENT
        and not (noble and after[unit.power] <= 0)
    }


def nobility(played: PlayedPhase) -> Iterator[str]:
    """Points go down by one for each general lost, never below 0, never up (R2)."""
    start = played.position.board.rules.nobility
    outcome = played.outcome
    ways = {d.unit: d.retreats for d in played.position.dislodged}
    lost = [d.unit for d in outcome.dislodged if not d.retreats]
    lost += [unit for unit in outcome.disbanded if ways.get(unit)]
    generals = Counter(unit.power for unit in lost if unit.kind == "G")
    for power in played.position.board.powers if start else ():
        before = played.position.nobility.get(power, start)
        if outcome.nobility[power] != max(before - generals[power], 0):
            points = f"{before} to {outcome.nobility[power]}"
            yield f"{power}: nobility from {points}, generals lost: {generals[power]}"


def upkeep(played: PlayedPhase) -> Iterator[str]:
    """After a winter, and after the deployment, nobody has more units than his centres keep
    (R25, R31, R32)."""
    position = played.position
    if position.phase.kind not in ("winter", "deployment"):
        return
    units = Counter(unit.power for unit in played.outcome.units)
    keep = _kept(position)
    for power in position.board.powers:
        if units[power] > keep[power] and not position.in_revolt(power):
            yield f"{power} has {units[power]} units and keeps {keep[power]}"


def _kept(position: Position) -> Counter[str]:
    """How many units the centres of each power keep."""
    keep: Counter[str] = Counter()
    for centre, power in position.owners.items():
        major = position.board.provinces[centre].major
        keep[power] += position.board.rules.major_city_upkeep if major else 1
    return keep


def builds(played: PlayedPhase) -> Iterator[str]:
    """New units stand in building centres of their power that had room (R28, R31)."""
    position = played.position
    for entry in played.outcome.results:
        if not isinstance(entry.order, Build) or entry.result != SUCCEEDS or not entry.unit:
            continue
        unit = entry.unit
        at = position.board.provinces[unit.province]
        homes = (*position.board.powers[unit.power].homes, *position.homes.get(unit.power, ()))
        there = [other for other in position.units if other.province == at.id]
        if position.owners.get(at.id) != unit.power:
            yield f"{unit} built in a centre of another power"
        elif at.id not in homes and not at.major:
            yield f"{unit} built in no building centre (R28)"
        if len(there) >= at.capacity or any(other.power != unit.power for other in there):
            yield f"{unit} built where there was no room"


def calendar(played: PlayedPhase) -> Iterator[str]:
    """What comes next is what the calendar says, and the game ends when it is won."""
    if played.after is None:
        if played.ending is None:
            yield "no next phase, and the game is not over"
        return
    if played.ending is not None:
        yield "the game is over, and goes on"
    before, after = played.position.phase, played.after.phase
    if after.retreats != any(d.retreats for d in played.outcome.dislodged):
        yield f"{after} follows, whatever the open retreats"
    years = abs(after.year - before.year)
    if years != int(before.season in (WINTER, DEPLOYMENT)) or (years and after.season != SPRING):
        yield f"{after} follows {before}"
    enough = played.position.board.rules.victory_centres
    if is_year_end(played):
        yield from _unnoticed_winner(played.after, enough)


def _unnoticed_winner(position: Position, enough: int) -> Iterator[str]:
    """One power alone has centres enough, and play went on (R33)."""
    count = {
        power: len(position.centres_of(power))
        for power in position.board.powers
        if not position.in_revolt(power)
    }
    rich = [power for power, owned in count.items() if owned >= enough]
    if len(rich) == 1:
        yield f"{rich[0]} has {count[rich[0]]} centres and has not won (R33)"
