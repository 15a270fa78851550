"""Amending a past phase: correct its orders or switches, and replay the phases after it.

Open this for the question how far a replay goes: as long as the orders that were sent still fit the
positions that come out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from alexmagnum.board.switches import switch_faults
from alexmagnum.errors import GameError
from alexmagnum.game.closing_seal import seal_if_over
from alexmagnum.game.differences import compare_lines
from alexmagnum.game.ending import read_end
from alexmagnum.game.file import to_json
from alexmagnum.game.mail_orders import read_mail
from alexmagnum.game.misfits import find_misfits, find_new_demands
from alexmagnum.game.outcome_store import read_sealed_inputs, record_outcome
from alexmagnum.game.phase_records import find_current_outcome
from alexmagnum.game.records import OutcomeRow, PhaseRow
from alexmagnum.game.reopening import copy_submissions
from alexmagnum.game.resolution import resolve
from alexmagnum.game.settings import RULES, check_setting, parse_switch
from alexmagnum.game.state import Game, Note
from alexmagnum.game.stored_orders import AMEND, Inputs
from alexmagnum.game.submissions import store_mail, store_submission
from alexmagnum.game.switch_check import check_switches
from alexmagnum.game.timeline import begin_phase, pass_idle_phases
from alexmagnum.game.undo_log import push_undo_entry, set_switches
from alexmagnum.game.values import Amendment, Misfit, VoidPhase


@dataclass(frozen=True, slots=True)
class _Correction:
    """A correction: the orders that a phase has now, and the switches that change from it on."""

    outcome: OutcomeRow
    inputs: Mapping[str, Inputs]
    switches: Mapping[str, str]

    def rules(self, old: str) -> str:
        """Return the switches of a replayed phase, given those that it had (both as JSON)."""
        new = {name: parse_switch(text) for name, text in self.switches.items()}
        return to_json({**json.loads(old), **new})


@dataclass(frozen=True, slots=True)
class _Replay:
    """The end of a replay: the phase that is open then, the names of the phases replayed, and
    the phase from which orders have to be sent anew ("" if none), because of some misfits, and the
    phase that it went on to behind the one that was open ("" if it did not)."""

    head: PhaseRow
    replayed: tuple[str, ...]
    stopped_at: str = ""
    misfits: tuple[Misfit, ...] = ()
    went_on_to: str = ""


class _Rehearsed(Exception):
    """Takes back what a rehearsal did."""


def rehearse(game: Game, amend: Callable[[], Amendment]) -> Amendment:
    """Return what an amendment would change, and change nothing: not even the journal.

    No copy of the file is made either.

    Raises:
        GameError: whatever the amendment raises.
    """
    done: list[Amendment] = []
    game.rehearsing = True
    try:
        with suppress(_Rehearsed), game.file.writing("amend --dry-run"):
            done.append(amend())
            raise _Rehearsed
    finally:
        game.rehearsing = False
    return done[0]


def amend_orders(game: Game, phase: str, power: str, text: str, reason: str) -> Amendment:
    """Correct the orders of one power in a past phase, and replay the game from there.

    Raises:
        GameError: unknown-phase, not-past, no-such-power, amend-nothing.
    """
    power = game.power(power)
    with game.act("amend", power, reason) as note:
        outcome = find_current_outcome(game, phase)
        note.phase = outcome.name
        inputs = read_sealed_inputs(game, outcome.id)
        inputs[power] = _store_corrected_orders(game, outcome, power, text)
        ordered = {name: inputs[name] for name in game.base.powers if name in inputs}
        return _amend(game, _Correction(outcome, ordered, {}), note)


def amend_rules(game: Game, phase: str, rules: Mapping[str, object], reason: str) -> Amendment:
    """Correct switches of the rules from a past phase on, and replay the game from there.

    Raises:
        GameError: unknown-phase, not-past, unknown-setting, bad-setting, amend-nothing.
        BadSwitches: with these switches the game could not be played.
    """
    named = {name.removeprefix(RULES): value for name, value in rules.items()}
    texts = {name: check_setting(RULES + name, value) for name, value in named.items()}
    switches = {name: parse_switch(text) for name, text in texts.items()}
    if not switches or any(switch_faults(switches)):
        raise GameError("amend-nothing", phase=phase)
    with game.act("amend-settings", reason=reason) as note:
        outcome = find_current_outcome(game, phase)
        note.phase = outcome.name
        note.detail["switches"] = switches
        inputs = read_sealed_inputs(game, outcome.id)
        return _amend(game, _Correction(outcome, inputs, texts), note)


def _store_corrected_orders(game: Game, outcome: OutcomeRow, power: str, text: str) -> Inputs:
    """Store a power's corrected orders, sealed like a mail, and return them."""
    position = game.position(outcome.phase, outcome.rules)
    mail = store_mail(game, outcome.phase, power, text, AMEND)
    read = read_mail(position, power, text, game.settings())
    if not read.orders:
        raise GameError("amend-nothing", phase=outcome.name)
    phase = game.phase_row(outcome.phase)
    stored = store_submission(game, phase, power, read, AMEND, mail, position=position)
    return Inputs(stored.receipt.orders, stored.salt, stored.receipt.digest)


def _amend(game: Game, correction: _Correction, note: Note) -> Amendment:
    """Replay the game from a correction on, open the phase it ends with, and compare."""
    _check_not_ended(game)
    old_head, old_line = game.head(), game.line()
    behind = [row for row in old_line if row.id >= correction.outcome.id]
    if correction.switches:
        outcome = correction.outcome
        rules = correction.rules(outcome.rules)
        check_switches(game, outcome.phase, rules, correction.switches)
    replay = _replay(game, correction, behind, old_head)
    before = set_switches(game, correction.switches)
    push_undo_entry(
        game, "amend", old_head.id, replay.head.id, before=before, after=correction.switches
    )
    earlier = {row.name: row.phase for row in behind} | {old_head.name: old_head.id}
    begin_phase(game, replay.head, old_head, earlier.get(replay.head.name))
    new_line = [row for row in game.line() if row.id > old_line[-1].id]
    changes = compare_lines(game, behind, new_line)
    note.detail |= {
        "replayed": replay.replayed,
        "stopped_at": replay.stopped_at,
        "changes": len(changes),
    }
    seal_if_over(game, note)
    return Amendment(
        phase=correction.outcome.name,
        version=new_line[0].version,
        replayed=replay.replayed,
        stopped_at=replay.stopped_at,
        changes=changes,
        misfits=replay.misfits,
        void=tuple(_list_void_phases(game, behind, replay.replayed)),
        went_on_to=replay.went_on_to,
    )


def _check_not_ended(game: Game) -> None:
    """Refuse to correct a game that the game master ended: what comes out may not end there.

    Raises:
        GameError: amend-ended.
    """
    end = read_end(game)
    if end is not None and end.is_declared:
        raise GameError("amend-ended")


def _replay(
    game: Game, correction: _Correction, behind: Sequence[OutcomeRow], old_head: PhaseRow
) -> _Replay:
    """Resolve the corrected phase again, and those after it while their orders still fit."""
    old = {row.name: row for row in behind}
    phase, replayed = game.phase_row(correction.outcome.phase), [correction.outcome.name]
    inputs = correction.inputs
    while True:
        amended = old[phase.name]
        rules = correction.rules(amended.rules)
        resolved = resolve(game.position(phase.id, rules), inputs, game.settings())
        phase = record_outcome(game, phase, resolved, rules=rules, amends=amended.id)
        phase, passed = pass_idle_phases(game, phase, rules)
        replayed += passed
        before = old.get(phase.name)
        if phase.is_over or phase.name == old_head.name:
            return _Replay(phase, tuple(replayed))
        if _is_left_behind(old_head.name, replayed):
            return _Replay(phase, tuple(replayed), went_on_to=phase.name)
        misfits = _find_misfits(game, phase, before, correction)
        if before is None or misfits:
            return _Replay(phase, tuple(replayed), phase.name, misfits)
        inputs = read_sealed_inputs(game, before.id)
        copy_submissions(game, before.phase, phase.id)
        replayed.append(phase.name)


def _is_left_behind(name: str, replayed: Sequence[str]) -> bool:
    """Return whether a replay went past a phase: it passed it over, or nobody has to retreat."""
    return name in replayed or name.removesuffix("-retreats") in replayed


def _find_misfits(
    game: Game, phase: PhaseRow, before: OutcomeRow | None, correction: _Correction
) -> tuple[Misfit, ...]:
    """Return what keeps a phase from being replayed; ``before`` is its outcome so far."""
    if before is None:
        return find_new_demands(game.position(phase.id), "misfit-new-phase")
    now = game.position(phase.id, correction.rules(before.rules))
    if before.passed:
        return find_new_demands(now, "misfit-was-passed")
    then = game.position(before.phase, before.rules)
    return find_misfits(then, now, read_sealed_inputs(game, before.id), game.settings())


def _list_void_phases(
    game: Game, behind: Sequence[OutcomeRow], replayed: Sequence[str]
) -> Iterator[VoidPhase]:
    """Yield the phases that had been resolved and were not replayed, oldest first."""
    for row in behind:
        if row.name not in replayed:
            inputs = read_sealed_inputs(game, row.id)
            powers = tuple(power for power, given in inputs.items() if given.orders)
            if powers or not row.passed:
                yield VoidPhase(row.name, powers)
