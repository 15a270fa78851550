"""Corrections of a past phase, and everything after it played again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from alexmagnum.board.switches import switch_faults
from alexmagnum.errors import BadPosition, GameError, NotationError
from alexmagnum.game.differences import compare_lines
from alexmagnum.game.file import Row, to_json
from alexmagnum.game.mail_orders import find_illegal_orders, read_mail
from alexmagnum.game.phases import (
    pass_idle_phases,
    read_sealed_inputs,
    record_outcome,
    resolve,
    set_head,
    start_clock,
    update_states,
)
from alexmagnum.game.required_orders import find_missing_after_house_rules
from alexmagnum.game.settings import RULES, check_setting, parse_switch
from alexmagnum.game.state import OVER, Game, Note
from alexmagnum.game.submissions import (
    AMEND,
    Inputs,
    apply_advance_orders,
    carry_over_mails,
    copy_submissions,
    parse_inputs,
    store_mail,
    store_submission,
)
from alexmagnum.game.values import Amendment


@dataclass(frozen=True, slots=True)
class _Correction:
    """What is corrected: the orders of a phase, the switches from it on, or both."""

    at: Row
    inputs: Mapping[str, Inputs]
    texts: Mapping[str, str]

    def rules(self, old: str) -> str:
        """The switches of a replayed phase, out of those that it had."""
        new = {name: parse_switch(text) for name, text in self.texts.items()}
        return to_json({**json.loads(old), **new})


def amend_orders(game: Game, phase: str, power: str, text: str, reason: str) -> Amendment:
    """Correct the orders of one power in a past phase.

    Raises:
        GameError: unknown-phase, not-past, no-such-power, amend-nothing.
    """
    power = game.power(power)
    with game.act("amend", power, reason) as note:
        outcome = find_current_outcome(game, phase)
        note.phase = outcome["name"]
        inputs = {**read_sealed_inputs(game, outcome["id"])}
        inputs[power] = _corrected(game, outcome, power, text)
        ordered = {name: inputs[name] for name in game.base.powers if name in inputs}
        return _replay(game, _Correction(outcome, ordered, {}), note)


def amend_rules(game: Game, phase: str, rules: Mapping[str, object], reason: str) -> Amendment:
    """Correct switches of the rules from a past phase on.

    Raises:
        GameError: unknown-phase, not-past, unknown-setting, bad-setting, amend-nothing.
    """
    named = {name.removeprefix(RULES): value for name, value in rules.items()}
    kept = {name: check_setting(RULES + name, value) for name, value in named.items()}
    switches = {name: parse_switch(text) for name, text in kept.items()}
    if not switches or any(switch_faults(switches)):
        raise GameError("amend-nothing", phase=phase)
    with game.act("amend-settings", reason=reason) as note:
        outcome = find_current_outcome(game, phase)
        note.phase = outcome["name"]
        note.detail["switches"] = switches
        inputs = read_sealed_inputs(game, outcome["id"])
        return _replay(game, _Correction(outcome, inputs, kept), note)


def find_current_outcome(game: Game, asked: str) -> Row:
    """The outcome of a phase that has been processed.

    Raises:
        GameError: unknown-phase, not-past.
    """
    name = game.phase_name(asked)
    for outcome in game.line():
        if outcome["name"] == name:
            return outcome
    raise GameError("not-past", asked=name, current=game.head()["name"])


def _corrected(game: Game, outcome: Row, power: str, text: str) -> Inputs:
    """A power's corrected orders, kept and sealed like a mail."""
    position = game.position(outcome["phase"], outcome["rules"])
    mail = store_mail(game, outcome["phase"], power, text, AMEND)
    read = read_mail(position, power, text, game.settings())
    if not read.orders:
        raise GameError("amend-nothing", phase=outcome["name"])
    phase = game.phase_row(outcome["phase"])
    receipt, salt = store_submission(game, phase, power, read, AMEND, mail, position=position)
    return Inputs(receipt.orders, salt, receipt.digest)


# -- playing again --------------------------------------------------------------------------------


def _replay(game: Game, correction: _Correction, note: Note) -> Amendment:
    """Play everything from a correction on again, on a line of its own, as far as the orders
    that were sent still fit."""
    old_head, old_line = game.head(), game.line()
    behind = [row for row in old_line if row["id"] >= correction.at["id"]]
    _check_rules(game, correction)
    head, replayed, stopped = _run(game, correction, behind, old_head)
    before = set_switches(game, correction.texts)
    push_undo_entry(game, "amend", old_head["id"], head["id"], before, correction.texts)
    _open(game, head, behind, old_head)
    new_line = [row for row in game.line() if row["id"] > old_line[-1]["id"]]
    changes = compare_lines(game, behind, new_line)
    note.detail |= {"replayed": replayed, "stopped_at": stopped, "changes": len(changes)}
    version = new_line[0]["version"]
    return Amendment(correction.at["name"], version, tuple(replayed), stopped, changes)


def _check_rules(game: Game, correction: _Correction) -> None:
    """Refuse switches under which the position could not stand.

    Raises:
        GameError: setting-breaks-position.
    """
    try:
        game.position(correction.at["phase"], correction.rules(correction.at["rules"]))
    except BadPosition as error:
        raise GameError("setting-breaks-position", why=str(error.faults[0])) from None


def _run(
    game: Game, correction: _Correction, behind: Sequence[Row], old_head: Row
) -> tuple[Row, list[str], str]:
    """Resolve the corrected phase and those after it: the phase then open, the names of those
    replayed, and the one from which orders are wanted anew."""
    old = {row["name"]: row for row in behind}
    phase, replayed, stopped = game.phase_row(correction.at["phase"]), [], ""
    inputs: Mapping[str, Inputs] | None = correction.inputs
    while inputs is not None:
        amended = old[phase["name"]]
        rules = correction.rules(amended["rules"])
        resolved = resolve(game.position(phase["id"], rules), inputs, game.settings())
        replayed.append(phase["name"])
        phase = record_outcome(game, phase, resolved, rules=rules, amends=amended["id"])
        phase, passed = pass_idle_phases(game, phase, rules)
        replayed += passed
        if phase["kind"] == OVER:
            break
        before = old.get(phase["name"])
        inputs = _still_fitting(game, phase, before, correction)
        if inputs is not None and before is not None:
            copy_submissions(game, before["phase"], phase["id"])
        elif phase["name"] != old_head["name"]:
            stopped = phase["name"]
    return phase, replayed, stopped


def _still_fitting(
    game: Game, phase: Row, before: Row | None, correction: _Correction
) -> Mapping[str, Inputs] | None:
    """The orders that a phase was resolved with before, if they fit the position that it now has:
    all can be read, no more of them are impossible, and no more are missing."""
    if before is None or before["passed"]:
        return None
    settings = game.settings()
    inputs = read_sealed_inputs(game, before["id"])
    then = game.position(before["phase"], before["rules"])
    now = game.position(phase["id"], correction.rules(before["rules"]))
    try:
        old, new = parse_inputs(then, inputs), parse_inputs(now, inputs)
    except NotationError:
        return None
    for power in game.base.powers:
        was, comes = old.get(power, ()), new.get(power, ())
        if not find_illegal_orders(now, power, comes) <= find_illegal_orders(then, power, was):
            return None
    if not _covers(
        find_missing_after_house_rules(then, settings, old),
        find_missing_after_house_rules(now, settings, new),
    ):
        return None
    return inputs


def _covers(before: Mapping[str, Sequence[str]], now: Mapping[str, Sequence[str]]) -> bool:
    """Is nothing missing now that was not missing before?"""
    return all(
        set(things) <= set(before.get(power, ())) and len(things) <= len(before.get(power, ()))
        for power, things in now.items()
    )


def set_switches(game: Game, texts: Mapping[str, str | None]) -> dict[str, str | None]:
    """Set some switches of the rules, None for as the map has them: how they were set before."""
    settings = {
        row["name"]: row["value"] for row in game.file.rows("SELECT name, value FROM settings")
    }
    for name, text in texts.items():
        game.file.db.execute("DELETE FROM settings WHERE name = ?", [RULES + name])
        if text is not None:
            game.file.insert("settings", name=RULES + name, value=text)
    return {name: settings.get(RULES + name) for name in texts}


_NONE: Mapping[str, str | None] = MappingProxyType({})


def push_undo_entry(
    game: Game,
    action: str,
    source: int,
    target: int,
    before: Mapping[str, str | None] = _NONE,
    after: Mapping[str, str | None] = _NONE,
) -> None:
    """Put a move of the head onto those that can be undone, with the switches that it changed;
    what was undone before is out of reach from now on."""
    game.file.db.execute("UPDATE undo_log SET state = 'dropped' WHERE state = 'undone'")
    game.file.insert(
        "undo_log",
        action=action,
        state="done",
        source=source,
        target=target,
        rules_before=to_json(dict(before)),
        rules_after=to_json(dict(after)),
    )


def _open(game: Game, head: Row, behind: Sequence[Row], old_head: Row) -> None:
    """Open the phase that a replay ended with: the mails for it stay, as far as they fit, and the
    deadline too where the phase is the same."""
    set_head(game, head)
    if head["name"] == old_head["name"]:
        game.file.update(
            "phases",
            head["id"],
            deadline=old_head["deadline"],
            seconds_left=old_head["seconds_left"],
        )
        if head["kind"] != OVER:
            carry_over_mails(game, old_head["id"], head)
        return
    start_clock(game, head, old_head)
    before = next((row for row in behind if row["name"] == head["name"]), None)
    if before is not None:
        carry_over_mails(game, before["phase"], head)
    elif head["kind"] != OVER:
        apply_advance_orders(game, head)


# -- taking back ----------------------------------------------------------------------------------


def undo(game: Game, reason: str) -> str:
    """Take back the last move: the name of the phase that is open then.

    Raises:
        GameError: nothing-to-undo.
    """
    return _turn(game, "undo", reason)


def redo(game: Game, reason: str, *, anyway: bool = False) -> str:
    """Put back the move that was taken back last.

    What came in or was set since the undo would have no effect: then only ``anyway``.

    Raises:
        GameError: nothing-to-redo, redo-overrides.
    """
    since = game.file.rows(
        """SELECT DISTINCT action, power FROM journal
           WHERE action IN ('submit', 'set')
             AND id > (SELECT COALESCE(MAX(id), 0) FROM journal WHERE action = 'undo')"""
    )
    waiting = game.file.row("SELECT * FROM undo_log WHERE state = 'undone'")
    if since and waiting is not None and not anyway:
        what = ", ".join(sorted({row["power"] or row["action"] for row in since}))
        raise GameError("redo-overrides", what=what)
    return _turn(game, "redo", reason)


_TURNS = {
    "undo": ("SELECT * FROM undo_log WHERE state = 'done' ORDER BY id DESC", "undone", "source"),
    "redo": ("SELECT * FROM undo_log WHERE state = 'undone' ORDER BY id", "done", "target"),
}


def _turn(game: Game, action: str, reason: str) -> str:
    find, state, end = _TURNS[action]
    with game.act(action, reason=reason) as note:
        move = game.file.row(find)
        if move is None:
            raise GameError(f"nothing-to-{action}")
        game.file.update("undo_log", move["id"], state=state)
        game.file.update("games", 1, head=move[end])
        switches = json.loads(move["rules_before" if action == "undo" else "rules_after"])
        if switches:
            note.detail["switches"] = {
                name: {"before": was, "after": switches[name]}
                for name, was in set_switches(game, switches).items()
            }
        update_states(game)
        head = game.head()
        note.detail |= {"what": move["action"], "open": head["name"]}
        return str(head["name"])
