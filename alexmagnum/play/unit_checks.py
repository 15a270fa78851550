"""Who comes and goes: every unit before a phase is accounted for after it.

A check yields what is wrong, in a few words for whoever has to find the fault.
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


def sound(played: PlayedPhase) -> Iterator[str]:
    """The position after the phase can stand: places, kinds of unit, capacity, one general."""
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


def room(played: PlayedPhase) -> Iterator[str]:
    """No province holds more units than it has places, and no two have one number (R8, R26)."""
    provinces = played.position.board.provinces
    for place, count in Counter(u.place for u in played.outcome.units).items():
        if count > 1:
            yield f"{count} units in {place}"
    for province, count in Counter(u.province for u in played.outcome.units).items():
        if count > provinces[province].capacity:
            yield f"{count} units in {province}"


def balance(played: PlayedPhase) -> Iterator[str]:
    """Of every power and kind: units before, those new, and those lost make the units after."""
    outcome, before = played.outcome, played.position
    count = _tally((*before.units, *(d.unit for d in before.dislodged)))
    count.update(_tally(_built(outcome)))
    lost = (
        *outcome.destroyed,
        *(d.unit for d in outcome.dislodged),
        *outcome.disbanded,
        *outcome.removed,
        *_removed(outcome),
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
    return Counter((unit.power, unit.kind) for unit in units)


def _built(outcome: Outcome) -> list[Unit]:
    return [
        entry.unit
        for entry in outcome.results
        if isinstance(entry.order, Build) and entry.result == SUCCEEDS and entry.unit
    ]


def _removed(outcome: Outcome) -> list[Unit]:
    return [
        entry.unit
        for entry in outcome.results
        if isinstance(entry.order, Remove) and entry.result == SUCCEEDS and entry.unit
    ]


def whereabouts(played: PlayedPhase) -> Iterator[str]:
    """After moves every unit is where its result says: who stayed keeps his number (R8)."""
    if played.position.phase.kind != "movement":
        return
    outcome = played.outcome
    gone = {*outcome.destroyed, *(d.unit for d in outcome.dislodged)}
    ends = moved_to(outcome)
    after = set(outcome.units)
    for unit in played.position.units:
        if unit not in gone and unit not in ends and unit not in after:
            yield f"{unit.power} {unit.kind} {unit.place} did not move and is gone"
    expected = Counter((u.power, u.kind, to) for u, to in ends.items() if u not in gone)
    stayed = (u for u in played.position.units if u not in gone and u not in ends)
    expected.update((u.power, u.kind, u.province) for u in stayed)
    expected.subtract((u.power, u.kind, u.province) for u in outcome.units)
    for (power, kind, province), difference in sorted(expected.items()):
        if difference:
            yield f"{difference:+d} {kind} of {power} in {province} unaccounted for"


def moved_to(outcome: Outcome) -> dict[Unit, str]:
    """The units that moved and the provinces they came to; attacks from inside a sea move
    nobody (R11a)."""
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


def garrisons(played: PlayedPhase) -> Iterator[str]:
    """Garrisons never move and never come back (R27)."""
    before = {unit for unit in played.position.units if unit.power == INDEPENDENT}
    for unit in played.outcome.units:
        if unit.power == INDEPENDENT and unit not in before:
            yield f"a garrison in {unit.province} that was not there"


def revolts(played: PlayedPhase) -> Iterator[str]:
    """Units in revolt stand where they are, or are destroyed (R3)."""
    position, outcome = played.position, played.outcome
    powers = [power for power in position.board.powers if position.in_revolt(power)]
    before = set(position.units)
    for unit in outcome.units:
        if unit.power in powers and unit not in before:
            yield f"{unit.kind} {unit.place} of {unit.power}, in revolt, moved or was built"
    for unit in (*outcome.removed, *(d.unit for d in outcome.dislodged)):
        if unit.power in powers:
            yield f"{unit.kind} {unit.place} of {unit.power}, in revolt, retreats or is removed"
