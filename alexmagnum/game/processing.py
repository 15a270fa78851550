"""Processing the open phase: resolve it, store the outcome, open the next one.

Open this for the order of the steps in one processing, which is one transaction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from alexmagnum.errors import GameError
from alexmagnum.game.closing_seal import seal_if_over
from alexmagnum.game.open_phase import read_open_phase
from alexmagnum.game.outcome_store import record_outcome
from alexmagnum.game.phase_records import list_versions, make_processed, read_processed
from alexmagnum.game.press import publish_press
from alexmagnum.game.records import PhaseRow
from alexmagnum.game.resolution import Resolved, resolve_idle_phases, resolve_open_phase
from alexmagnum.game.state import Game
from alexmagnum.game.timeline import begin_phase, find_earlier_row, pass_idle_phases
from alexmagnum.game.undo_log import push_undo_entry
from alexmagnum.game.values import Processed, Seal
from alexmagnum.game.votes import find_agreement
from alexmagnum.position import Position


def process_phase(
    game: Game, asked: str, *, allow_missing: bool, reason: str, anyway: bool = False
) -> Processed:
    """Resolve the open phase, which has to be named, and open the next one.

    The phase that was processed last is returned as it is.  With ``anyway`` the game plays on
    although everybody with a vote wants to end it.

    Raises:
        GameError: unknown-phase, not-the-open-phase, game-is-over, draw-agreed, concede-agreed,
            orders-missing.
    """
    name = game.phase_name(asked)
    done = _read_if_done(game, name)
    if done is not None:
        return done
    try:
        return _process(game, name, allow_missing, anyway, reason)
    except GameError as error:
        # Another command may have been quicker.
        done = _read_if_done(game, name) if error.code == "not-the-open-phase" else None
        if done is None:
            raise
        return done


def _read_if_done(game: Game, name: str) -> Processed | None:
    """Return the phase if it is the one that was processed last."""
    with game.file.reading():
        return read_processed(game, name, None, unchanged=True) if _is_done(game, name) else None


def _is_done(game: Game, name: str) -> bool:
    """Return whether this phase was processed last, or passed over after it."""
    for outcome in reversed(game.line()):
        if outcome.name == name:
            return True
        if not outcome.passed:
            return False
    return False


def _process(game: Game, name: str, allow_missing: bool, anyway: bool, reason: str) -> Processed:
    with game.act("process", reason=reason) as note:
        head = game.head()
        if head.name != name:
            raise _refuse(name, head)
        agreed = find_agreement(game)
        if agreed and not anyway:
            powers, ids = ", ".join(agreed.powers), ",".join(agreed.powers)
            raise GameError(agreed.error, phase=name, powers=powers, ids=ids)
        phase = read_open_phase(game)
        if phase.lacking and not allow_missing and phase.settings["missing"] == "wait":
            missing = _format_missing(phase.lacking)
            raise GameError("orders-missing", phase=name, list=missing)
        rules = game.rules()
        following = record_outcome(game, head, resolve_open_phase(phase), rules=rules)
        following, passed = pass_idle_phases(game, following, rules)
        push_undo_entry(game, "process", head.id, following.id)
        begin_phase(game, following, head, find_earlier_row(game, following))
        publish_press(game, name)
        outcome = next(row for row in reversed(game.line()) if row.phase == head.id)
        note.detail |= {
            "passed": passed,
            "next": following.name,
            "missing": {power: list(things) for power, things in phase.lacking.items()},
            "version": outcome.version,
            **({"played_on": str(agreed)} if agreed else {}),
        }
        seal_if_over(game, note)
        return make_processed(game, outcome, unchanged=False)


def _refuse(name: str, head: PhaseRow) -> GameError:
    """Return the error for a phase that is not the open one."""
    if head.is_over:
        return GameError("game-is-over")
    near = get_close_matches(name, [head.name], 1, 0.8)
    return GameError("not-the-open-phase", asked=name, current=head.name, near="".join(near))


def _format_missing(missing: Mapping[str, Sequence[str]]) -> str:
    return "; ".join(f"{power}: {', '.join(things)}" for power, things in missing.items())


def preview_phase(game: Game, reason: str = "") -> Processed:
    """Return what processing now would give, with missing orders allowed.

    Raises:
        GameError: game-is-over.
    """
    with game.act("preview", reason=reason):
        head = game.head()
        phase = read_open_phase(game)
        resolved = resolve_open_phase(phase)
        passed, after, over = _look_ahead(resolved, phase.settings)
        return Processed(
            phase=head.name,
            version=len(list_versions(game, head.name)),
            outcome=resolved.outcome,
            orders=resolved.orders,
            passed=passed,
            next="" if over else str(after.phase),
            seals=tuple(
                Seal(power, each.digest, each.salt, each.orders)
                for power, each in resolved.inputs.items()
            ),
            unchanged=False,
            after=after,
            settings=phase.settings,
        )


def _look_ahead(
    resolved: Resolved, settings: Mapping[str, str]
) -> tuple[tuple[str, ...], Position, bool]:
    """Return the phases that would be passed over, the position then, and whether it is the last
    one of the game."""
    passed: list[str] = []
    last = resolved
    for idle in () if resolved.over else resolve_idle_phases(resolved.next, settings):
        passed.append(str(idle.outcome.position.phase))
        last = idle
    return tuple(passed), last.next, last.over
