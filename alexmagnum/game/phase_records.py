"""Phases that were processed, read from the file: outcomes, versions, and their differences.

Open this for the rule that an undone phase has no outcome: its orders wait again, and nobody reads
what they once led to.
"""

from __future__ import annotations

from alexmagnum.errors import GameError
from alexmagnum.game.differences import compare_outcomes
from alexmagnum.game.outcome_store import find_outcome_of, read_counted_orders, read_seals
from alexmagnum.game.records import OutcomeRow, PhaseRow, read_texts
from alexmagnum.game.state import Game
from alexmagnum.game.values import Change, PhaseRecord, Processed, Seal
from alexmagnum.position import Position


def read_processed(
    game: Game, asked: str, version: int | None, *, unchanged: bool = False
) -> Processed:
    """Return a phase as it was resolved, in a version, or in the one that stands now.

    Raises:
        GameError: unknown-phase, not-past, unknown-version.
    """
    return make_processed(game, find_outcome(game, asked, version), unchanged=unchanged)


def make_processed(game: Game, row: OutcomeRow, *, unchanged: bool) -> Processed:
    """Return an outcome with all that belongs to it."""
    passed, following = _find_following(game, row)
    return Processed(
        phase=row.name,
        version=row.version,
        outcome=find_outcome_of(game, row),
        orders=read_counted_orders(game, row.id),
        passed=passed,
        next=following.name,
        seals=_read_public_seals(game, row.id),
        unchanged=unchanged,
        after=game.position(following.id, row.rules),
        settings=game.settings(),
    )


def _find_following(game: Game, row: OutcomeRow) -> tuple[tuple[str, ...], PhaseRow]:
    """Return the phases passed over after an outcome, and the phase that was open then."""
    passed: list[str] = []
    outcome: OutcomeRow | None = row
    while True:
        assert outcome is not None, "the loop ends where nothing was passed over"
        phase = _find_phase_after(game, outcome)
        assert phase is not None, "every outcome leads to a phase"
        outcome = next((o for o in game.outcomes() if o.phase == phase.id and o.passed), None)
        if outcome is None:
            return tuple(passed), phase
        passed.append(phase.name)


def _find_phase_after(game: Game, outcome: OutcomeRow) -> PhaseRow | None:
    """Return the phase that an outcome led to; if the game was ended there, the row of its end."""
    head = game.head()
    if head.parent == outcome.id:
        return head
    return next((phase for phase in game.phases() if phase.parent == outcome.id), None)


def _read_public_seals(game: Game, outcome: int) -> tuple[Seal, ...]:
    """Return the seals of the powers that sent orders."""
    return tuple(
        Seal(power, row.digest, row.salt, read_texts(row.orders))
        for power, row in read_seals(game, outcome).items()
        if row.salt
    )


def find_outcome(game: Game, asked: str, version: int | None) -> OutcomeRow:
    """Return the outcome of a phase, in a version, or in the one that stands now.

    An undone phase has no outcome.

    Raises:
        GameError: unknown-phase, not-past, unknown-version.
    """
    current = find_current_outcome(game, asked)
    if version is None:
        return current
    for row in _list_outcomes(game, current.name):
        if row.version == version:
            return row
    raise GameError("unknown-version", phase=current.name, version=str(version))


def find_current_outcome(game: Game, asked: str) -> OutcomeRow:
    """Return the outcome of a processed phase that stands now.

    Raises:
        GameError: unknown-phase, not-past.
    """
    name = game.phase_name(asked)
    for outcome in game.line():
        if outcome.name == name:
            return outcome
    raise GameError("not-past", asked=name, current=game.head().name)


def _list_outcomes(game: Game, name: str) -> tuple[OutcomeRow, ...]:
    """Return the outcomes of a phase in all versions, oldest first."""
    return tuple(row for row in game.outcomes() if row.name == name)


def find_position_before(game: Game, asked: str, version: int | None) -> Position:
    """Return the position before a phase: the open one, or one that was processed.

    Raises:
        GameError: unknown-phase, not-past, unknown-version.
    """
    head = game.head()
    if version is None and head.name == game.phase_name(asked):
        return game.position(head.id)
    row = find_outcome(game, asked, version)
    return game.position(row.phase, row.rules)


# -- lists ----------------------------------------------------------------------------------------


def list_phases(game: Game) -> tuple[PhaseRecord, ...]:
    """Return the phases of the game as it stands, the open one last."""
    line = tuple(map(_make_record, game.line()))
    head = game.head()
    return line if head.is_over else (*line, _make_open_record(game, head))


def list_versions(game: Game, asked: str) -> tuple[PhaseRecord, ...]:
    """Return all versions of a phase, the open one last.

    Raises:
        GameError: unknown-phase.
    """
    name = game.phase_name(asked)
    listed = tuple(map(_make_record, _list_outcomes(game, name)))
    head = game.head()
    return (*listed, _make_open_record(game, head)) if head.name == name else listed


def _make_record(row: OutcomeRow) -> PhaseRecord:
    return PhaseRecord(
        id=row.id,
        name=row.name,
        version=row.version,
        state=row.state,
        deadline=row.deadline,
        opened=row.opened,
        processed=row.processed,
    )


def _make_open_record(game: Game, head: PhaseRow) -> PhaseRecord:
    return PhaseRecord(
        id=head.id,
        name=head.name,
        version=len(_list_outcomes(game, head.name)) + 1,
        state="open",
        deadline=head.deadline,
        opened=head.opened,
        processed="",
    )


def list_differences(
    game: Game, asked: str, version: int | None, *, since: int | None = None
) -> tuple[Change, ...]:
    """Return how a version of a phase differs from the version ``since``.

    Without ``since`` it is compared with the version whose place it took, otherwise with the one
    before it.

    Raises:
        GameError: unknown-phase, not-past, unknown-version.
    """
    row = find_outcome(game, asked, version)
    if since is not None:
        old = find_outcome(game, asked, since)
    else:
        earlier = [other for other in _list_outcomes(game, row.name) if other.id < row.id]
        replaced = [other for other in earlier if other.id == row.amends]
        if not earlier:
            return ()
        old = (replaced or earlier)[-1]
    return tuple(compare_outcomes(game, row.name, old, row))
