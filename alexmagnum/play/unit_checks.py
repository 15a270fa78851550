"""Checks of units: every unit before a phase is accounted for after it.

Each check takes a played phase and yields what is wrong, in a few words for a developer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from alexmagnum.board.model import INDEPENDENT
from alexmagnum.campaign import owners_after
from alexmagnum.judge.outcome import STOPPED, SUCCEEDS, Outcome
from alexmagnum.orders import Build, Move, Remove
from alexmagnum.play.random_game import PlayedPhase
from alexmagnum.position import Unit


def check_soundness(played: PlayedPhase) -> Iterator[str]:
    """Check that the position after the phase can stand: places, kinds of unit, capacity."""
    outcome = played.outcome
    bare = replace(
        outcome.position,
        units=outcome.units,
        owners=owners_after(outcome),
        nobility=outcome.nobility,
        dislodged=outcome.dislodged,
    )
    for position in (bare, *([played.after] if played.after else [])):
        for fault in position.problems():
            yield f"{position.phase}: {fault}"


def check_capacity(played: PlayedPhase) -> Iterator[str]:
    """Check that no province holds too many units and no two have one number (R8, R26)."""
    provinces = played.position.board.provinces
    for place, count in Counter(u.place for u in played.outcome.units).items():
        if count > 1:
            yield f"{count} units in {place}"
    for province, count in Counter(u.province for u in played.outcome.units).items():
        if count > provinces[province].capacity:
            yield f"{count} units in {province}"


def check_balance(played: PlayedPhase) -> Iterator[str]:
    """Check that the units before, plus those built, minus those lost, are the units after.

    They are counted by power and kind.
    """
    outcome, before = played.outcome, played.position
    count = _tally((*before.units, *(d.unit for d in before.dislodged)))
    count.update(_tally(_units_of_orders(outcome, Build)))
    lost = (
        *outcome.destroyed,
        *(d.unit for d in outcome.dislodged),
        *outcome.disbanded,
        *outcome.removed,
        *_units_of_orders(outcome, Remove),
    )
    count.subtract(_tally(lost))
    count.subtract(_tally(outcome.units))
    for (power, kind), difference in sorted(count.items()):
        if difference:
            yield f"{difference:+d} {kind} of {power} unaccounted for"
    for unit, times in Counter(lost).items():
        if times > 1:
            yield f"{unit} of {unit.power} lost {times} times"


def _tally(units: Iterable[Unit]) -> Counter[tuple[str, str]]:
    """Count units by power and kind."""
    return Counter((unit.power, unit.kind) for unit in units)


def _units_of_orders(outcome: Outcome, kind: type[Build] | type[Remove]) -> list[Unit]:
    """Return the units that successful builds or removals are about."""
    return [
        entry.unit
        for entry in outcome.results
        if isinstance(entry.order, kind) and entry.result == SUCCEEDS and entry.unit
    ]


def check_whereabouts(played: PlayedPhase) -> Iterator[str]:
    """Check that every unit is where its result says; one that stayed keeps its number (R8)."""
    if played.position.phase.kind != "movement":
        return
    outcome = played.outcome
    gone = {*outcome.destroyed, *(d.unit for d in outcome.dislodged)}
    left = [unit for unit in played.position.units if unit not in gone]
    ends = find_destinations(outcome)
    after = set(outcome.units)
    for unit in left:
        if unit not in ends and unit not in after:
            yield f"{unit.power} {unit.kind} {unit.place} did not move and is gone"
    expected = Counter((u.power, u.kind, ends.get(u, u.province)) for u in left)
    expected.subtract((u.power, u.kind, u.province) for u in outcome.units)
    for (power, kind, province), difference in sorted(expected.items()):
        if difference:
            yield f"{difference:+d} {kind} of {power} in {province} unaccounted for"


def find_destinations(outcome: Outcome) -> dict[Unit, str]:
    """Return the units that moved and the provinces that they reached.

    Attacks from inside a sea move nobody (R11a).
    """
    ends: dict[Unit, str] = {}
    for entry, reason in zip(outcome.results, outcome.reasons, strict=True):
        if entry.unit is None or not isinstance(entry.order, Move):
            continue
        if entry.result == STOPPED:
            ends[entry.unit] = reason.stop
        elif entry.result == SUCCEEDS:
            to = outcome.position.board.province_of(entry.order.to).id
            if to != entry.unit.province:
                ends[entry.unit] = to
    return ends


def check_garrisons(played: PlayedPhase) -> Iterator[str]:
    """Check that garrisons never move and never come back (R27)."""
    before = {unit for unit in played.position.units if unit.power == INDEPENDENT}
    for unit in played.outcome.units:
        if unit.power == INDEPENDENT and unit not in before:
            yield f"a garrison in {unit.province} that was not there"


def check_revolts(played: PlayedPhase) -> Iterator[str]:
    """Check that units in revolt stand where they are, or are destroyed (R3)."""
    position, outcome = played.position, played.outcome
    powers = [power for power in position.board.powers if position.in_revolt(power)]
    before = set(position.units)
    for unit in outcome.units:
        if unit.power in powers and unit not in before:
            yield f"{unit.kind} {unit.place} of {unit.power}, in revolt, moved or was built"
    for unit in (*outcome.removed, *(d.unit for d in outcome.dislodged)):
        if unit.power in powers:
            yield f"{unit.kind} {unit.place} of {unit.power}, in revolt, retreats or is removed"
