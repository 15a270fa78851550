"""Processing the open phase, and what was processed, read out of the file again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from alexmagnum.errors import GameError
from alexmagnum.game.amend import find_current_outcome, push_undo_entry
from alexmagnum.game.differences import compare_outcomes
from alexmagnum.game.file import Row
from alexmagnum.game.phases import (
    Resolved,
    begin_phase,
    find_next_position,
    pass_idle_phases,
    read_counted_orders,
    read_open_phase,
    record_outcome,
    replay_outcome,
    resolve_idle_phases,
)
from alexmagnum.game.press import publish_press
from alexmagnum.game.state import OVER, Game
from alexmagnum.game.values import Change, PhaseRecord, Processed, Seal
from alexmagnum.position import Position


def process_phase(game: Game, asked: str, *, allow_missing: bool, reason: str) -> Processed:
    """Resolve the open phase, which has to be named, and open the next one.

    The phase that was processed last is given back as it is.

    Raises:
        GameError: unknown-phase, not-the-open-phase, game-is-over, orders-missing.
    """
    name = game.phase_name(asked)
    done = _if_done(game, name)
    if done is not None:
        return done
    try:
        return _process(game, name, allow_missing, reason)
    except GameError as error:
        # Another command may have been quicker.
        done = _if_done(game, name) if error.code == "not-the-open-phase" else None
        if done is None:
            raise
        return done


def _if_done(game: Game, name: str) -> Processed | None:
    """The phase, if it is the one that was processed last."""
    with game.file.reading():
        return read_processed(game, name, None, unchanged=True) if _is_done(game, name) else None


def _process(game: Game, name: str, allow_missing: bool, reason: str) -> Processed:
    with game.act("process", reason=reason) as note:
        head = game.head()
        if head["name"] != name:
            raise _wrong(game, name)
        phase = read_open_phase(game)
        left = phase.lacking
        if left and not allow_missing and phase.settings["missing"] == "wait":
            raise GameError("orders-missing", phase=name, list=_listed(left))
        rules = game.rules()
        after = record_outcome(game, head, phase.resolve(), rules=rules)
        outcome = after["parent"]
        after, passed = pass_idle_phases(game, after, rules)
        push_undo_entry(game, "process", head["id"], after["id"])
        begin_phase(game, after, head)
        publish_press(game, name)
        note.detail |= {"passed": passed, "next": after["name"], "missing": _named(left)}
        row = next(row for row in game.line() if row["id"] == outcome)
        note.detail["version"] = row["version"]
        return _processed(game, row, unchanged=False)


def _is_done(game: Game, name: str) -> bool:
    """Is this the phase that was processed last, those passed over aside?"""
    for outcome in reversed(game.line()):
        if outcome["name"] == name:
            return True
        if not outcome["passed"]:
            return False
    return False


def _wrong(game: Game, name: str) -> GameError:
    head = game.head()
    if head["kind"] == OVER:
        return GameError("game-is-over")
    near = get_close_matches(name, [head["name"]], 1, 0.8)
    return GameError(
        "not-the-open-phase", asked=name, current=head["name"], near=next(iter(near), "")
    )


def _listed(left: Mapping[str, Sequence[str]]) -> str:
    return "; ".join(f"{power}: {', '.join(things)}" for power, things in left.items())


def _named(left: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    return {power: list(things) for power, things in left.items()}


def preview_phase(game: Game, reason: str = "") -> Processed:
    """What processing now would give, missing orders allowed.

    Raises:
        GameError: game-is-over.
    """
    with game.act("preview", reason=reason):
        head = game.head()
        phase = read_open_phase(game)
        resolved = phase.resolve()
        passed, after = _ahead(resolved, phase.settings)
        version = len(list_versions(game, head["name"]))
        seals = [Seal(p, i.digest, i.salt, i.orders) for p, i in resolved.inputs.items()]
        return Processed(
            head["name"],
            version,
            resolved.outcome,
            resolved.orders,
            passed,
            after,
            tuple(seals),
            unchanged=False,
        )


def _ahead(resolved: Resolved, settings: Mapping[str, str]) -> tuple[tuple[str, ...], str]:
    """The phases that would be passed over after an outcome, and the one that would be open; ""
    if the game would be over."""
    passed: list[str] = []
    position, over = find_next_position(resolved.outcome)
    for idle in () if over else resolve_idle_phases(position, settings):
        passed.append(str(idle.outcome.position.phase))
        position, over = find_next_position(idle.outcome)
    return tuple(passed), "" if over else str(position.phase)


# -- what was processed ---------------------------------------------------------------------------


def read_processed(
    game: Game, asked: str, version: int | None, *, unchanged: bool = False
) -> Processed:
    """A phase as it was resolved: as it now stands, or in another version.

    Raises:
        GameError: unknown-phase, not-past, unknown-version.
    """
    return _processed(game, find_outcome(game, asked, version), unchanged=unchanged)


def find_outcome(game: Game, asked: str, version: int | None) -> Row:
    """The outcome of a phase; of one that was taken back there is none, in no version: its orders
    wait again.

    Raises:
        GameError: unknown-phase, not-past, unknown-version.
    """
    now = find_current_outcome(game, asked)
    if version is None:
        return now
    name = game.phase_name(asked)
    found = [row for row in _outcomes(game, name) if row["version"] == version]
    if not found:
        raise GameError("unknown-version", phase=name, version=str(version))
    return found[0]


def _outcomes(game: Game, name: str) -> list[Row]:
    return game.file.rows(
        """SELECT outcomes.*, phases.name, phases.kind, phases.deadline, phases.opened
           FROM outcomes JOIN phases ON phases.id = outcomes.phase
           WHERE phases.name = ? ORDER BY outcomes.id""",
        name,
    )


def _processed(game: Game, row: Row, *, unchanged: bool) -> Processed:
    passed, after = _behind(game, row)
    return Processed(
        row["name"],
        row["version"],
        replay_outcome(game, row),
        read_counted_orders(game, row["id"]),
        passed,
        after,
        _seals(game, row["id"]),
        unchanged,
    )


def _behind(game: Game, row: Row) -> tuple[tuple[str, ...], str]:
    """The phases passed over after an outcome, and the one that was open then."""
    passed: list[str] = []
    phase = game.file.row("SELECT * FROM phases WHERE parent = ?", row["id"])
    while phase is not None:
        outcome = game.file.row(
            "SELECT * FROM outcomes WHERE phase = ? AND passed = 1", phase["id"]
        )
        if outcome is None:
            return tuple(passed), str(phase["name"])
        passed.append(phase["name"])
        phase = game.file.row("SELECT * FROM phases WHERE parent = ?", outcome["id"])
    return tuple(passed), ""


def _seals(game: Game, outcome: int) -> tuple[Seal, ...]:
    rows = {
        row["power"]: row
        for row in game.file.rows("SELECT * FROM seals WHERE outcome = ? AND salt != ''", outcome)
    }
    return tuple(
        Seal(power, row["digest"], row["salt"], tuple(json.loads(row["orders"])))
        for power in game.base.powers
        if (row := rows.get(power)) is not None
    )


def find_position_before(game: Game, asked: str, version: int | None) -> Position:
    """The position before a phase: the open one, or one that was processed.

    Raises:
        GameError: unknown-phase, not-past, unknown-version.
    """
    head = game.head()
    if version is None and head["name"] == game.phase_name(asked):
        return game.position(head["id"])
    row = find_outcome(game, asked, version)
    return game.position(row["phase"], row["rules"])


# -- records --------------------------------------------------------------------------------------


def list_phases(game: Game) -> tuple[PhaseRecord, ...]:
    """The phases of the game as it stands, the open one last."""
    line = [_record(row) for row in game.line()]
    head = game.head()
    return tuple(line) if head["kind"] == OVER else (*line, _open_record(game, head))


def list_versions(game: Game, asked: str) -> tuple[PhaseRecord, ...]:
    """All versions of a phase, the open one last.

    Raises:
        GameError: unknown-phase.
    """
    name = game.phase_name(asked)
    listed = [_record(row) for row in _outcomes(game, name)]
    head = game.head()
    return (*listed, _open_record(game, head)) if head["name"] == name else tuple(listed)


def _record(row: Row) -> PhaseRecord:
    return PhaseRecord(
        row["id"],
        row["name"],
        row["version"],
        row["state"],
        row["deadline"],
        row["opened"],
        row["processed"],
    )


def _open_record(game: Game, head: Row) -> PhaseRecord:
    version = len(_outcomes(game, head["name"])) + 1
    return PhaseRecord(
        head["id"], head["name"], version, "open", head["deadline"], head["opened"], ""
    )


def list_differences(
    game: Game, asked: str, version: int | None, *, since: int | None = None
) -> tuple[Change, ...]:
    """How a version of a phase differs from the version ``since``; else from the one that it took
    the place of, or that came before it.

    Raises:
        GameError: unknown-phase, not-past, unknown-version.
    """
    row = find_outcome(game, asked, version)
    if since is not None:
        return tuple(compare_outcomes(game, row["name"], find_outcome(game, asked, since), row))
    earlier = [other for other in _outcomes(game, row["name"]) if other["id"] < row["id"]]
    if not earlier:
        return ()
    replaced = [other for other in earlier if other["id"] == row["amends"]]
    old = (replaced or earlier)[-1]
    return tuple(compare_outcomes(game, row["name"], old, row))
