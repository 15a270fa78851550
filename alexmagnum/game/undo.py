"""The undo log: processing, amending and ending a game, and taking each back."""

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from difflib import get_close_matches
from types import MappingProxyType

from alexmagnum.board.model import list_examples
from alexmagnum.errors import GameError, NotationError
from alexmagnum.game import game as games
from alexmagnum.game import orders, people, phases
from alexmagnum.game.copies import keep_copy
from alexmagnum.game.deadlines import check_switches
from alexmagnum.game.file import to_json
from alexmagnum.game.game import Amendment, Game, GameEnd, Misfit, Note, Processed, Seal, VoidPhase
from alexmagnum.game.late_orders import settle_late_powers, waits_for_orders
from alexmagnum.game.mail_orders import list_reason_data, read_mail
from alexmagnum.game.mail_store import NEW, WAITING, InboxStore
from alexmagnum.game.records import TAKEN_OVER, Entry, OutcomeRow, PhaseRow, SubmissionRow, UndoRow
from alexmagnum.game.settings import RULES, STANDBY, check_setting, parse_switch
from alexmagnum.game.status import read_end, seal_if_over
from alexmagnum.game.submissions import ask_bots, store_mail
from alexmagnum.judge.checking import IMPOSSIBLE, Check, check_orders
from alexmagnum.notation import read_order, write_order
from alexmagnum.orders import Order
from alexmagnum.position import Position

# The undo log: every processing and amendment, and taking them back or putting them back.
#
# An entry says which phase was open before and after, and which switches changed. Nothing is ever
# removed from the file: undo and redo move the open phase along the log.


Switches = Mapping[str, str | None]
"""Switches of the rules by name; None is a switch as the map has it."""

DONE, UNDONE, DROPPED = "done", "undone", "dropped"
"""The states of an entry: in effect, taken back, or out of reach of redo."""


def push_undo_entry(
    game: Game,
    action: str,
    source: int,
    target: int,
    before: Switches = MappingProxyType({}),
    after: Switches = MappingProxyType({}),
) -> None:
    """Add an entry: the open phase was ``source`` and is now ``target``, and switches changed.

    Entries that were undone can no longer be put back.  A copy of the file is kept first.
    """
    _refuse_unhandled_mails(game)
    keep_copy(game, action)
    game.file.change("UPDATE undo_log SET state = ? WHERE state = ?", DROPPED, UNDONE)
    game.file.insert(
        "undo_log",
        action=action,
        state=DONE,
        source=source,
        target=target,
        rules_before=to_json(dict(before)),
        rules_after=to_json(dict(after)),
    )


def _refuse_unhandled_mails(game: Game) -> None:
    """Refuse to pass over mails that were stored by a fetch that has not come to handle them.

    Raises:
        GameError: mails-unhandled.
    """
    if new := InboxStore(game.file).find_all(NEW):
        raise GameError("mails-unhandled", count=str(len(new)))


def set_switches(game: Game, texts: Switches) -> dict[str, str | None]:
    """Set switches of the rules, and return how they were set before."""
    before = {name: game.settings.get(RULES + name) for name in texts}
    for name, text in texts.items():
        if text is None:
            game.file.delete("settings", "name = ?", RULES + name)
        else:
            game.file.upsert("settings", "name", name=RULES + name, value=text)
    return before


def undo(game: Game, reason: str = "", *, anyway: bool = False, unread: str = "") -> str:
    """Take back the last processing or amendment, and return the phase that is open now.

    Raises:
        GameError: nothing-to-undo; not with ``anyway``: undo-overrides (new orders have no effect),
            mailbox-unread (orders may lie in the mailbox; ``unread`` is why it was not read).
    """
    with game.act("undo", reason=reason) as note:
        if (entry := game.file.find(UndoRow, "WHERE state = ? ORDER BY id DESC", DONE)) is None:
            raise GameError("nothing-to-undo")
        # Orders for the open phase, if this makes it a resolved one again.
        head = game.head()
        resolved = [row.phase for row in game.line_to(entry.source) if row.name == head.name]
        rows = phases.find_later_submissions(game, head.id, resolved[0]) if resolved else ()
        sent = {row.power for row in rows if row.kind in (orders.MAIL, orders.CLEAR)}
        if resolved and unread and not anyway:
            raise GameError("mailbox-unread", why=unread)
        if sent and not anyway:
            raise GameError("undo-overrides", phase=head.name, what=", ".join(sorted(sent)))
        opened = _move(game, entry, UNDONE, note)
    ask_bots(game)
    return opened


def redo(game: Game, reason: str = "", *, anyway: bool = False, unread: str = "") -> str:
    """Put back what was taken back last, and return the phase that is open now, "" if over.

    Raises:
        GameError: nothing-to-redo; redo-overrides (what came since the undo would have
            no effect; not with ``anyway``).
    """
    with game.act("redo", reason=reason) as note:
        if (entry := game.file.find(UndoRow, "WHERE state = ? ORDER BY id", UNDONE)) is None:
            raise GameError("nothing-to-redo")
        if unread and not anyway:  # as of :func:`undo`
            raise GameError("mailbox-unread", why=unread)
        if (overridden := _find_overridden(game)) and not anyway:
            raise GameError("redo-overrides", what=", ".join(overridden))
        opened = _move(game, entry, DONE, note)
    ask_bots(game)
    return opened


def _find_overridden(game: Game) -> list[str]:
    """Return the powers with orders, withdrawals, votes or a new player in the phase that an undo
    opened again, or with a mail for it that waits, and ``set`` if a setting changed."""
    head = game.head()
    rows = game.file.select(
        Entry,
        """WHERE phase = ?1 AND (action IN ('submit', 'clear', 'vote', 'set') OR players = ?2)
             AND id > (SELECT COALESCE(MAX(id), 0) FROM journal
                       WHERE action = 'undo' AND json_extract(detail, '$.open') = ?1)""",
        head.name,
        TAKEN_OVER,
    )
    mails = InboxStore(game.file).find_all(WAITING)
    waiting = {mail.power for mail in mails if mail.power and mail.phase == head.name}
    return sorted({row.power or row.action for row in rows} | waiting)


def _move(game: Game, entry: UndoRow, state: str, note: Note) -> str:
    """Put an entry into a state: open the phase and set the switches that belong to it."""
    is_redo = state == DONE
    _refuse_unhandled_mails(game)
    keep_copy(game, "redo" if is_redo else "undo")
    game.file.update("undo_log", entry.id, state=state)
    game.file.update("games", 1, head=entry.target if is_redo else entry.source)
    if switches := json.loads(entry.rules_after if is_redo else entry.rules_before):
        before = set_switches(game, switches)
        note.detail["switches"] = {
            name: {"before": was, "after": switches[name]} for name, was in before.items()
        }
    head = game.head()
    phases.carry_over_mails(game, head)
    note.detail |= {"what": entry.action, "open": head.name}
    phases.drop_votes(game, head)
    people.restore_stand_ins(game)
    seal_if_over(game, note)
    return head.name


# Orders of a resolved phase that no longer fit after a correction.
#
# They fit if each can be read in the new position, none has become impossible, and no unit lacks
# an order that had one before.


MISSING = "misfit-missing"
"""The code of what has no order in the new position, and had one before."""

Orders = Mapping[str, Sequence[Order]]
_Condition = Callable[[], bool]


def find_new_demands(position: Position, code: str) -> tuple[Misfit, ...]:
    """Return all that a phase asks for which asked for nothing before, or was not there."""
    return tuple(
        Misfit(power, thing, code, {})
        for power, things in orders.find_required_orders(position).items()
        for thing in things
    )


def find_lost_orders(game: Game, power: str) -> tuple[Misfit, ...]:
    """Return the orders that a power had sent for the open phase and that no longer fit, since a
    correction changed the position."""
    earlier = phases.find_earlier_row(game, game.head())
    if (row := orders.find_last_submission(game, earlier, power)) is None:
        return ()
    inputs = {power: Seal(power, orders=row.orders)}
    misfits = find_misfits(game.find_position(earlier), game.position, inputs, game.settings)
    return tuple(misfit for misfit in misfits if misfit.code != MISSING)


def find_misfits(
    then: Position, now: Position, inputs: Mapping[str, Seal], settings: Mapping[str, str]
) -> tuple[Misfit, ...]:
    """Return the orders of a phase that no longer fit, and what lacks an order now.

    ``then`` is the position in which they were given, ``now`` that in which they are to count.
    """
    lost = tuple(_find_unreadable(now, inputs))
    texts = {(misfit.power, misfit.order) for misfit in lost}
    left = {
        power: replace(
            given, orders=tuple(text for text in given.orders if (power, text) not in texts)
        )
        for power, given in inputs.items()
    }
    old, new = orders.parse_inputs(then, inputs), orders.parse_inputs(now, left)
    return (
        *lost,
        *_find_illegal(then, now, old, new),
        *(() if lost else _find_missing(then, now, old, new, settings)),
    )


def _find_unreadable(now: Position, inputs: Mapping[str, Seal]) -> Iterator[Misfit]:
    """Yield the orders that cannot be read now, or that would be those of another kind of unit."""
    for power, given in inputs.items():
        for text in given.orders:
            try:
                order = write_order(read_order(text, now, power))
            except NotationError as error:
                data = {name: str(value) for name, value in error.data.items()}
                yield Misfit(power, text, error.code, data)
            else:
                if order.split()[0] != text.split()[0]:
                    yield Misfit(power, text, "misfit-other-unit", {"order": order})


def _find_illegal(then: Position, now: Position, old: Orders, new: Orders) -> Iterator[Misfit]:
    for power in now.board.powers:
        before = {write_order(check.order) for check in _find_impossible(then, power, old)}
        for check in _find_impossible(now, power, new):
            if (order := write_order(check.order)) not in before:
                assert check.reason is not None, "an impossible order has a reason"
                yield Misfit(power, order, check.reason.code, list_reason_data(now, check.reason))


def _find_impossible(position: Position, power: str, given: Orders) -> list[Check]:
    checks = check_orders(position, {power: given.get(power, ())})
    return [check for check in checks if check.verdict == IMPOSSIBLE]


def _find_missing(
    then: Position, now: Position, old: Orders, new: Orders, settings: Mapping[str, str]
) -> Iterator[Misfit]:
    before = orders.find_missing_after_house_rules(then, settings, old)
    for power, things in orders.find_missing_after_house_rules(now, settings, new).items():
        missed = before.get(power, ())
        more = [thing for thing in things if thing not in missed]
        more += list(things)[len(missed) :] if not more else []  # builds have no names
        yield from (Misfit(power, thing, MISSING, {}) for thing in more)


# Amending a past phase: correct its orders or switches, and replay the phases after it.
#
# A replay goes on as long as the orders that were sent still fit the positions that come out.


@dataclass(frozen=True, slots=True)
class _Correction:
    """A correction: the orders that a phase has now, and the switches that change from it on."""

    outcome: OutcomeRow
    inputs: Mapping[str, Seal]
    switches: Mapping[str, str]

    def rules(self, old: str) -> str:
        """Return the switches of a replayed phase, given those that it had (both as JSON)."""
        new = {name: parse_switch(text) for name, text in self.switches.items()}
        return to_json({**json.loads(old), **new})


class _Rehearsed(Exception):
    """Takes back what a rehearsal did."""


@contextmanager
def _rehearsing(game: Game, command: str) -> Iterator[None]:
    """Do something in the file only to see what comes of it: all is taken back, journal and all."""
    game.rehearsing = True
    try:
        with suppress(_Rehearsed), game.file.writing(command):
            yield
            raise _Rehearsed
    finally:
        game.rehearsing = False


@contextmanager
def _amending(game: Game, *, dry_run: bool, rules: bool = False) -> Iterator[None]:
    """Ask the bots after an amendment, which is only rehearsed in a ``dry_run``."""
    with _rehearsing(game, "amend --dry-run") if dry_run else nullcontext():
        yield
    if not dry_run:
        ask_bots(game, again=rules)


def amend_orders(
    game: Game, phase: str, power: str, text: str, *, reason: str = "", dry_run: bool = False
) -> Amendment:
    """Correct one power's orders in a past phase, and replay everything after it.

    With ``dry_run`` nothing changes: the amendment says what would come out.

    Raises:
        GameError: unknown-phase, not-past, no-such-power, amend-nothing, amend-ended.
    """
    power = game.power(power)
    with _amending(game, dry_run=dry_run), game.act("amend", power, reason) as note:
        outcome = phases.find_current_outcome(game, phase)
        note.phase = outcome.name
        inputs = phases.read_sealed_inputs(game, outcome.id)
        inputs[power] = _store_corrected_orders(game, outcome, power, text)
        ordered = {name: inputs[name] for name in game.base.powers if name in inputs}
        return _amend(game, _Correction(outcome, ordered, {}), note)


def amend_rules(
    game: Game, phase: str, rules: Mapping[str, object], reason: str = "", *, dry_run: bool = False
) -> Amendment:
    """Correct switches of the rules from a past phase on, and replay everything after it.

    With ``dry_run`` nothing changes: the amendment says what would come out.
    """
    named = {name.removeprefix(RULES): value for name, value in rules.items()}
    texts = {name: check_setting(RULES + name, value) for name, value in named.items()}
    if not (switches := {name: parse_switch(text) for name, text in texts.items()}):
        raise GameError("amend-nothing", phase=phase)
    with (
        _amending(game, dry_run=dry_run, rules=True),
        game.act("amend-settings", reason=reason) as note,
    ):
        outcome = phases.find_current_outcome(game, phase)
        note.phase = outcome.name
        note.detail["switches"] = switches
        inputs = phases.read_sealed_inputs(game, outcome.id)
        return _amend(game, _Correction(outcome, inputs, texts), note)


def _store_corrected_orders(game: Game, outcome: OutcomeRow, power: str, text: str) -> Seal:
    position = game.find_position(outcome.phase, outcome.rules)
    mail = store_mail(game, outcome.phase, power, text, orders.AMEND)
    if not (read := read_mail(position, power, text, game.settings)).orders:
        raise GameError("amend-nothing", phase=outcome.name)
    phase = game.phase_row(outcome.phase)
    row = orders.store_submission(game, phase, power, read, orders.AMEND, mail, position=position)
    return Seal(power, row.digest, row.salt, row.orders)


def _amend(game: Game, correction: _Correction, note: Note) -> Amendment:
    """Replay the game from a correction on, open the phase it ends with, and compare."""
    if (end := read_end(game)) is not None and end.is_declared:  # what comes out may not end there
        raise GameError("amend-ended")
    old_head, old_line = game.head(), game.line()
    behind = [row for row in old_line if row.id >= correction.outcome.id]
    if correction.switches:
        rules = correction.rules(correction.outcome.rules)
        check_switches(game, correction.outcome.phase, rules, correction.switches)
    head, amended = _replay(game, correction, behind, old_head)
    before = set_switches(game, correction.switches)
    push_undo_entry(game, "amend", old_head.id, head.id, before=before, after=correction.switches)
    phases.begin_phase(game, head, old_head)
    new_line = [row for row in game.line() if row.id > old_line[-1].id]
    changes = phases.compare_lines(game, behind, new_line)
    note.detail |= {
        "replayed": amended.replayed,
        "stopped_at": amended.stopped_at,
        "changes": len(changes),
    }
    seal_if_over(game, note)
    void = tuple(_list_void_phases(game, behind, amended.replayed))
    return replace(amended, version=new_line[0].version, changes=changes, void=void)


def _replay(
    game: Game, correction: _Correction, behind: Sequence[OutcomeRow], old_head: PhaseRow
) -> tuple[PhaseRow, Amendment]:
    """Resolve the corrected phase again, and those after it while their orders still fit.

    Returns the phase that is open then, and the amendment without its version and changes.
    """
    old = {row.name: row for row in behind}
    phase, replayed = game.phase_row(correction.outcome.phase), [correction.outcome.name]
    inputs = correction.inputs
    while True:
        amended = old[phase.name]
        rules, settings = correction.rules(amended.rules), _find_settings(game, amended)
        phase = phases.resolve_phase(game, phase, inputs, rules, settings, amends=amended.id)
        phase, passed = phases.pass_idle_phases(game, phase, rules, settings)
        replayed += passed
        before = old.get(phase.name)
        end = Amendment(correction.outcome.name, 0, tuple(replayed), "", ())
        if phase.is_over or phase.name == old_head.name:
            return phase, end
        # The replay passed over the phase that was open, or nobody has to retreat in it.
        if {old_head.name, old_head.name.removesuffix("-retreats")} & set(replayed):
            return phase, replace(end, went_on_to=phase.name)
        misfits = _find_misfits(game, phase, before, correction)
        if before is None or misfits:
            return phase, replace(end, stopped_at=phase.name, misfits=misfits)
        inputs = phases.read_sealed_inputs(game, before.id)
        for row in game.file.select(SubmissionRow, "WHERE phase = ? ORDER BY id", before.phase):
            phases.copy_submission(game, row, phase.id)
        replayed.append(phase.name)


def _find_misfits(
    game: Game, phase: PhaseRow, before: OutcomeRow | None, correction: _Correction
) -> tuple[Misfit, ...]:
    """Return what keeps a phase from being replayed; ``before`` is its outcome so far."""
    if before is None:
        return find_new_demands(game.find_position(phase.id), "misfit-new-phase")
    now = game.find_position(phase.id, correction.rules(before.rules))
    if before.passed:
        return find_new_demands(now, "misfit-was-passed")
    then, settings = game.find_position(before.phase, before.rules), _find_settings(game, before)
    return find_misfits(then, now, phases.read_sealed_inputs(game, before.id), settings)


def _find_settings(game: Game, outcome: OutcomeRow) -> Mapping[str, str]:
    """Return the settings with which a phase was processed, before it was ever corrected."""
    rows = {row.id: row for row in game.outcomes()}
    while earlier := outcome.parent if outcome.passed else outcome.amends:
        outcome = rows[earlier]
    later = """WHERE action = 'set' AND id > (
                 SELECT MAX(id) FROM journal WHERE action = 'process' AND phase = ?
                 AND json_extract(detail, '$.version') = ?) ORDER BY id DESC"""
    changes = game.file.select(Entry, later, outcome.name, outcome.version)
    return {**game.settings, **{one.detail["name"]: one.detail["before"] for one in changes}}


def _list_void_phases(
    game: Game, behind: Sequence[OutcomeRow], replayed: Sequence[str]
) -> Iterator[VoidPhase]:
    """Yield the phases that had been resolved and were not replayed, oldest first."""
    for row in behind:
        if row.name not in replayed:
            inputs = phases.read_sealed_inputs(game, row.id)
            powers = tuple(power for power, given in inputs.items() if given.orders)
            if powers or not row.passed:
                yield VoidPhase(row.name, powers)


# Ending a game because the game master declares it.
#
# A game that is over has a row behind its last phase. Where the game master ended it, that row
# has the position of the phase that was open, and a row in ``endings`` says how it ended. The act
# is in the undo log like any processing: ``undo`` opens the phase again with its orders and its
# deadline.


DRAW, CONCEDE, SOLO, ABANDON = games.DECLARED_ENDS


def end_game(game: Game, kind: str, powers: Collection[str] = (), reason: str = "") -> GameEnd:
    """End the game as the game master declares, and seal it; ``undo`` opens it again.

    ``powers``: those that share a draw (none: all that have a vote), or the winner of a concession
    or a solo.

    Raises:
        GameError: game-is-over, no-such-power, end-needs-power, end-power-out.
    """
    with game.act("end", reason=reason) as note:
        head = orders.require_open_phase(game)
        people.check_text_for_names(game, reason)
        winners = _find_winners(game, kind, powers)
        over = phases.create_phase(
            game, game.find_position(head.id), head.parent, rules=game.rules(), over=True
        )
        game.file.update("phases", over.id, deadline="")
        game.file.insert(
            "endings", phase=over.id, kind=kind, powers=to_json(winners), reason=reason
        )
        push_undo_entry(game, "end", head.id, over.id)
        game.file.update("games", 1, head=over.id)
        note.detail |= {"end": kind, "powers": list(winners)}
        seal_if_over(game, note)
        return GameEnd(kind, winners, reason)


def _find_winners(game: Game, kind: str, powers: Collection[str]) -> tuple[str, ...]:
    """Return the powers that win or share the game, in the map's order."""
    named = {game.power(power) for power in powers}
    if kind == ABANDON:
        return ()
    if kind == DRAW and not named:
        named = set(people.list_voters(game))
    if not named:
        raise GameError("end-needs-power", **list_examples(game.base))
    # The eliminated and those in revolt cannot win (R3, R35).
    winners = tuple(power for power in game.base.powers if power in named)
    active = orders.find_active_powers(game.position)
    if out := [power for power in winners if power not in active]:
        raise GameError("end-power-out", powers=", ".join(out), left=", ".join(active))
    return winners


# Processing the open phase: resolve it, store the outcome, open the next one.


def process_phase(
    game: Game,
    phase: str,
    *,
    allow_missing: bool = False,
    reason: str = "",
    anyway: bool = False,
    is_due: _Condition = lambda: True,
) -> Processed:
    """Resolve the open phase, which has to be named, and open the next one.

    The phase that was processed last is returned as it is.  ``is_due`` is asked last of all, when
    no other command can change anything any more.

    Raises:
        GameError: not-the-open-phase, orders-missing, game-is-over, unknown-phase, not-due;
            standby-called if somebody was called, who has time now; draw-agreed or
            concede-agreed if everybody wants to end the game (not with ``anyway``).
    """
    name = game.phase_name(phase)
    is_open = name == game.head().name and (anyway or not people.find_agreement(game))
    if is_open and not (allow_missing or waits_for_orders(game)):
        called = [one.power for one in settle_late_powers(game) if one.choice == STANDBY]
        if called:
            raise GameError("standby-called", phase=name, powers=", ".join(called))
    ask_bots(game)  # an interrupted command may have left some unasked
    if (done := _read_if_done(game, name)) is None:
        try:
            done = _process(game, name, allow_missing, anyway, reason, is_due)
        except GameError as error:
            # Another command may have been quicker.
            done = _read_if_done(game, name) if error.code == "not-the-open-phase" else None
            if done is None:
                raise
    ask_bots(game)
    return done


def _read_if_done(game: Game, name: str) -> Processed | None:
    """Return a phase if it was processed last, or passed over after it."""
    with game.file.reading():
        for outcome in reversed(game.line()):
            if outcome.name == name:
                return phases.make_processed(game, outcome, unchanged=True)
            if not outcome.passed:
                break
    return None


def _process(
    game: Game, name: str, allow_missing: bool, anyway: bool, reason: str, is_due: _Condition
) -> Processed:
    with game.act("process", reason=reason) as note:
        if (head := game.head()).name != name:
            orders.require_open_phase(game)
            near = "".join(get_close_matches(name, [head.name], 1, 0.8))
            raise GameError("not-the-open-phase", asked=name, current=head.name, near=near)
        if not is_due():
            raise GameError("not-due", phase=name)
        if (agreed := people.find_agreement(game)) and not anyway:
            powers, ids = ", ".join(agreed.winners), ",".join(agreed.winners)
            raise GameError(f"{agreed.kind}-agreed", phase=name, powers=powers, ids=ids)
        lacking = orders.find_lacking_orders(game)
        if lacking and not allow_missing and waits_for_orders(game):
            missing = "; ".join(f"{p}: {', '.join(things)}" for p, things in lacking.items())
            raise GameError("orders-missing", phase=name, list=missing)
        outcome, following, passed = _resolve_open_phase(game)
        push_undo_entry(game, "process", head.id, following.id)
        phases.begin_phase(game, following, head)
        people.publish_press(game, name)
        note.detail |= {
            "passed": passed,
            "next": following.name,
            "missing": {power: list(things) for power, things in lacking.items()},
            "version": outcome.version,
            **({"played_on": str(agreed)} if agreed else {}),
        }
        seal_if_over(game, note)
        return phases.make_processed(game, outcome, unchanged=False)


def _resolve_open_phase(game: Game) -> tuple[OutcomeRow, PhaseRow, tuple[str, ...]]:
    """Store the outcome of the open phase; return it, the phase that follows, and the phases in
    between in which nobody had anything to decide."""
    head, rules = game.head(), game.rules()
    inputs = orders.read_inputs(game, head.id)
    following = phases.resolve_phase(game, head, inputs, rules, game.settings)
    outcome = game.outcomes()[-1]
    following, passed = phases.pass_idle_phases(game, following, rules, game.settings)
    return outcome, following, passed


def preview_phase(game: Game) -> Processed:
    """Return what processing now would give, missing orders allowed; the journal says so."""
    with game.act("preview"):
        orders.require_open_phase(game)
        _refuse_unhandled_mails(game)
        with _rehearsing(game, "preview"):
            outcome, _, _ = _resolve_open_phase(game)
            return phases.make_processed(game, outcome, unchanged=False)
