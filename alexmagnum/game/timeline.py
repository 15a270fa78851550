"""The line of phases: which one is open, what state each is in, and how the next one begins.

Open this for what happens between an outcome and the moment players can send orders again.
"""

from __future__ import annotations

from alexmagnum.game import clock
from alexmagnum.game.advance_orders import apply_advance_orders
from alexmagnum.game.coming_deadlines import find_next_deadline
from alexmagnum.game.outcome_store import record_outcome
from alexmagnum.game.records import PhaseRow, UndoRow
from alexmagnum.game.reopening import carry_over_mails
from alexmagnum.game.resolution import resolve_idle_phases
from alexmagnum.game.state import Game
from alexmagnum.i18n import zones


def pass_idle_phases(game: Game, phase: PhaseRow, rules: str) -> tuple[PhaseRow, tuple[str, ...]]:
    """Resolve the phases in which nobody has anything to decide.

    Returns the first phase in which somebody has, and the names of those passed over.
    """
    passed: list[str] = []
    if phase.is_over:
        return phase, ()
    for resolved in resolve_idle_phases(game.position(phase.id, rules), game.settings()):
        passed.append(phase.name)
        phase = record_outcome(game, phase, resolved, rules=rules, passed=True)
    return phase, tuple(passed)


def begin_phase(
    game: Game, phase: PhaseRow, previous: PhaseRow | None, earlier: int | None = None
) -> None:
    """Open a phase for the players: set its deadline, and apply the orders that wait for it.

    ``previous`` is the phase that was open before; ``earlier`` is another row of the same phase,
    whose mails are carried over where they still fit.
    """
    set_head(game, phase.id)
    start_clock(game, phase, previous)
    if earlier is None:
        apply_advance_orders(game, phase)
    else:
        carry_over_mails(game, earlier, phase)


def find_earlier_row(game: Game, phase: PhaseRow) -> int | None:
    """Return the last other row of a phase for which mails came, None if there is none."""
    row = game.file.find(
        PhaseRow,
        """WHERE name = ? AND id != ? AND id IN (SELECT phase FROM submissions)
           ORDER BY id DESC""",
        phase.name,
        phase.id,
    )
    return row.id if row else None


# -- the open phase and the state of the others ---------------------------------------------------


def set_head(game: Game, phase: int) -> None:
    """Make a phase the open one, and update the state of all others."""
    game.file.update("games", 1, head=phase)
    phases, outcomes = find_states(game)
    for row in game.phases():
        state = phases.get(row.id, "superseded")
        if state != row.state:
            game.file.update("phases", row.id, state=state)
    for outcome in game.outcomes():
        state = outcomes.get(outcome.id, "superseded")
        if state != outcome.state:
            game.file.update("outcomes", outcome.id, state=state)


def find_states(game: Game) -> tuple[dict[int, str], dict[int, str]]:
    """Return the state of phases and of outcomes by number; those left out are superseded."""
    line = game.line()
    undone = [row.target for row in game.file.select(UndoRow, "WHERE state = 'undone'")]
    ahead = [entry for target in undone for entry in game.line_to(target)]
    phases = {
        **dict.fromkeys(undone, "undone"),
        **dict.fromkeys((entry.phase for entry in ahead), "undone"),
        **dict.fromkeys((entry.phase for entry in line), "closed"),
        game.head().id: "open",
    }
    outcomes = {
        **dict.fromkeys((entry.id for entry in ahead), "undone"),
        **{entry.id: "passed" if entry.passed else "processed" for entry in line},
    }
    return phases, outcomes


# -- the clock ------------------------------------------------------------------------------------


def start_clock(game: Game, phase: PhaseRow, previous: PhaseRow | None) -> None:
    """Give a phase that has just opened its deadline, or the time it has while the clock stands.

    A phase that was open before keeps its deadline.
    """
    if phase.is_over:
        game.file.update("phases", phase.id, deadline="")
        return
    if previous and previous.name == phase.name:
        game.file.update(
            "phases", phase.id, deadline=previous.deadline, seconds_left=previous.seconds_left
        )
        return
    at = find_next_deadline(game, phase, previous)
    if previous and previous.seconds_left is not None:
        left = int(clock.remaining(at, game.now()).total_seconds())
        game.file.update("phases", phase.id, deadline="", seconds_left=left)
    else:
        game.file.update("phases", phase.id, deadline=zones.format_iso(at))
