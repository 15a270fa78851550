"""From the outcome of a phase to the position before the next one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from alexmagnum.board.model import INDEPENDENT, Rules
from alexmagnum.judge.outcome import Outcome
from alexmagnum.position import AUTUMN, SPRING, WINTER, Phase, Position


def next_position(outcome: Outcome) -> Position:
    """The position before the phase that follows; retreats are passed over if none is open."""
    retreats = any(d.retreats for d in outcome.dislodged)
    position = outcome.position
    return _after(outcome, _next_phase(position.phase, retreats, position.board.rules))


def retreat_position(outcome: Outcome) -> Position:
    """The position before the retreats of a movement phase, whether or not one is open."""
    return _after(outcome, replace(outcome.position.phase, retreats=True))


def _after(outcome: Outcome, phase: Phase) -> Position:
    position = outcome.position
    return Position(
        position.board,
        phase,
        outcome.units,
        owners_after(outcome),
        position.homes,
        outcome.nobility,
        outcome.dislodged if phase.retreats else (),
    )


def owners_after(outcome: Outcome) -> Mapping[str, str]:
    """Who owns each centre after the phase: it changes once an autumn's retreats are over (R29)."""
    position = outcome.position
    owners = dict(position.owners)
    open_retreats = any(d.retreats for d in outcome.dislodged)
    if position.phase.season == AUTUMN and not open_retreats:
        centres = set(position.board.centres)
        for unit in outcome.units:
            if unit.province in centres and unit.power != INDEPENDENT:
                owners[unit.province] = unit.power
    return owners


def _next_phase(phase: Phase, retreats: bool, rules: Rules) -> Phase:
    if retreats:
        return replace(phase, retreats=True)
    if phase.season == SPRING:
        return Phase(phase.year, AUTUMN)
    if phase.season == AUTUMN:
        return Phase(phase.year, WINTER)
    # Years BC count down: such a map ends in a lower year than it starts.
    step = -1 if 0 < rules.last_year < rules.first_year else 1
    return Phase(phase.year + step, SPRING)
