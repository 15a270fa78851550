"""Checks of powers: centres, nobility, upkeep and builds; and of the calendar.

Each check takes a played phase and yields what is wrong, in a few words for a developer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from alexmagnum.board.model import INDEPENDENT
from alexmagnum.campaign import owners_after
from alexmagnum.judge.outcome import SUCCEEDS
from alexmagnum.orders import Build, Pick
from alexmagnum.play.random_game import PlayedPhase
from alexmagnum.position import AUTUMN, DEPLOYMENT, PICKS, SPRING, WINTER, Position, Unit


def check_centres(played: PlayedPhase) -> Iterator[str]:
    """Check that centres change hands only by an uncontested pick (R30) or after an autumn (R29).

    After an autumn the power that stands in a centre owns it.
    """
    owners = owners_after(played.outcome)
    wanted = dict(played.position.owners)
    if played.position.phase.season == PICKS:
        wanted |= _find_awards(played)
    elif is_year_end(played):
        wanted |= _find_occupants(played)
    for centre in sorted({*owners, *wanted}):
        if owners.get(centre) != wanted.get(centre):
            yield f"{centre} is {owners.get(centre)}'s, not {wanted.get(centre)}'s (R29, R30)"
    if played.after is not None and dict(played.after.owners) != owners:
        yield "the next position has other owners"


def is_year_end(played: PlayedPhase) -> bool:
    """Return whether this is the end of an autumn, with its retreats over."""
    open_retreats = any(d.retreats for d in played.outcome.dislodged)
    return played.position.phase.season == AUTUMN and not open_retreats


def _find_awards(played: PlayedPhase) -> Mapping[str, str]:
    """Return the centres that a single power named with a legal pick, and the power."""
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


def _find_occupants(played: PlayedPhase) -> Mapping[str, str]:
    """Return the centres in which units stand that can own them, and their power."""
    after = played.outcome.nobility
    noble = played.position.board.rules.nobility
    return {
        unit.province: unit.power
        for unit in played.outcome.units
        if played.position.board.provinces[unit.province].centre
        and unit.power != INDEPENDENT
        and not (noble and after[unit.power] <= 0)
    }


def check_nobility(played: PlayedPhase) -> Iterator[str]:
    """Check that a power loses a point for each general lost, down to 0, and gains none (R2)."""
    start = played.position.board.rules.nobility
    outcome = played.outcome
    generals = Counter(unit.power for unit in _lost_units(played) if unit.kind == "G")
    for power in played.position.board.powers if start else ():
        before = played.position.nobility.get(power, start)
        if outcome.nobility[power] != max(before - generals[power], 0):
            points = f"{before} to {outcome.nobility[power]}"
            yield f"{power}: nobility from {points}, generals lost: {generals[power]}"


def _lost_units(played: PlayedPhase) -> list[Unit]:
    """Return the dislodged units that cannot retreat, or could and are disbanded."""
    retreats = {d.unit: d.retreats for d in played.position.dislodged}
    lost = [d.unit for d in played.outcome.dislodged if not d.retreats]
    return lost + [unit for unit in played.outcome.disbanded if retreats.get(unit)]


def check_upkeep(played: PlayedPhase) -> Iterator[str]:
    """Check that no power has more units than its centres keep (R25, R31, R32).

    This holds after a winter and after the deployment.
    """
    position = played.position
    if position.phase.kind not in ("winter", "deployment"):
        return
    units = Counter(unit.power for unit in played.outcome.units)
    keep = _count_upkeep(position)
    for power in position.board.powers:
        if units[power] > keep[power] and not position.in_revolt(power):
            yield f"{power} has {units[power]} units and keeps {keep[power]}"


def _count_upkeep(position: Position) -> Counter[str]:
    """Count how many units the centres of each power keep."""
    keep: Counter[str] = Counter()
    for centre, power in position.owners.items():
        major = position.board.provinces[centre].major
        keep[power] += position.board.rules.major_city_upkeep if major else 1
    return keep


def check_builds(played: PlayedPhase) -> Iterator[str]:
    """Check that new units stand in building centres of their power that had room (R28, R31)."""
    for entry in played.outcome.results:
        if isinstance(entry.order, Build) and entry.result == SUCCEEDS and entry.unit:
            yield from _check_build(played.position, entry.unit)


def _check_build(position: Position, unit: Unit) -> Iterator[str]:
    """Check the place of one new unit."""
    at = position.board.provinces[unit.province]
    homes = (*position.board.powers[unit.power].homes, *position.homes.get(unit.power, ()))
    there = [other for other in position.units if other.province == at.id]
    if position.owners.get(at.id) != unit.power:
        yield f"{unit} built in a centre of another power"
    elif at.id not in homes and not at.major:
        yield f"{unit} built in no building centre (R28)"
    if len(there) >= at.capacity or any(other.power != unit.power for other in there):
        yield f"{unit} built where there was no room"


def check_calendar(played: PlayedPhase) -> Iterator[str]:
    """Check that the next phase is the calendar's, and that the game ends when it is won."""
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
        yield from _check_missed_winner(played.after, enough)


def _check_missed_winner(position: Position, enough: int) -> Iterator[str]:
    """Check that play did not go on although a single power has enough centres (R33)."""
    count = {
        power: len(position.centres_of(power))
        for power in position.board.powers
        if not position.in_revolt(power)
    }
    rich = [power for power, owned in count.items() if owned >= enough]
    if len(rich) == 1:
        yield f"{rich[0]} has {count[rich[0]]} centres and has not won (R33)"
