"""The ledger of the people: which phases they owed orders for, and what came of that.

A phase is counted once, as it was first resolved: a correction changes nothing about who had sent
what.  Phases that were undone are not counted.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from alexmagnum.game.open_phase import read_open_phase
from alexmagnum.game.players import read_players
from alexmagnum.game.records import OutcomeRow, SubmissionRow
from alexmagnum.game.required_orders import (
    find_missing_after_house_rules,
    find_required_orders,
)
from alexmagnum.game.state import Game
from alexmagnum.game.stored_orders import AMEND, find_bot_submission
from alexmagnum.game.values import Player

IN_TIME, LATE, PARTIAL, MISSED = "in-time", "late", "partial", "missed"
"""The ways a phase can end for a power: all orders by the deadline, some after it, some missing,
or none at all (NMR)."""

BY_BOT = "bot"
"""A bot gave the orders in their place."""

OVERDUE = "overdue"
"""The state of the open phase for who still owes orders after its deadline."""


@dataclass(frozen=True, slots=True)
class OwedPhase:
    """A phase for which somebody owed orders; ``complete`` is when the last of them came, "" if
    they never were complete."""

    phase: str
    state: str
    deadline: str
    complete: str


@dataclass(frozen=True, slots=True)
class Account:
    """The orders that one person owed and sent for a power, while they played it."""

    player: Player
    phases: tuple[OwedPhase, ...]

    def count(self, *states: str) -> int:
        """Return the number of phases, or of those in some states."""
        return sum(not states or owed.state in states for owed in self.phases)

    @property
    def owed(self) -> int:
        """The number of phases that were resolved."""
        return self.count(IN_TIME, LATE, PARTIAL, MISSED, BY_BOT)


def read_ledger(game: Game) -> tuple[Account, ...]:
    """Return an account for each person who plays or played, in the map's order of powers."""
    people = sorted(
        (p for p in (*read_players(game, past=True), *read_players(game)) if not p.is_bot),
        key=lambda player: list(game.base.powers).index(player.power),
    )
    owed: dict[Player, list[OwedPhase]] = {player: [] for player in people}
    for row in game.line():
        if not row.passed:
            first = _find_first_outcome(game, row)
            for power, phase in _list_owed(game, first):
                player = _find_responsible(people, power, first)
                if player is not None:
                    owed[player].append(phase)
    for power, phase in _list_overdue(game):
        for player in people:
            if player.power == power and not player.until:
                owed[player].append(phase)
    return tuple(Account(player, tuple(phases)) for player, phases in owed.items())


def _find_first_outcome(game: Game, row: OutcomeRow) -> OutcomeRow:
    """Return the outcome with which a phase was first resolved, before it was corrected."""
    by_number = {outcome.id: outcome for outcome in game.outcomes()}
    while row.amends is not None:
        row = by_number[row.amends]
    return row


def _find_responsible(people: Sequence[Player], power: str, row: OutcomeRow) -> Player | None:
    """Return who played a power when its orders were due: at the deadline, or when the phase was
    resolved, if that was sooner."""
    due = min(row.deadline or row.processed, row.processed)
    present = [p for p in people if p.power == power and p.since <= due]
    return next((p for p in present if not p.until or due < p.until), None)


def _list_owed(game: Game, row: OutcomeRow) -> Iterator[tuple[str, OwedPhase]]:
    """Yield what came of a resolved phase for each power that owed orders."""
    position = game.position(row.phase, row.rules)
    nothing: Mapping[str, tuple[()]] = dict.fromkeys(game.base.powers, ())
    owing = find_missing_after_house_rules(position, game.settings(), nothing)
    rows = game.file.select(
        SubmissionRow, "WHERE phase = ? AND kind != ? ORDER BY id", row.phase, AMEND
    )
    for power in find_required_orders(position):
        if power in owing:
            sent = [each for each in rows if each.power == power]
            complete = _find_completion(sent)
            state = _find_state(sent, complete, row.deadline)
            if sent and find_bot_submission(game, sent[-1]) is not None:
                state = BY_BOT
            yield power, OwedPhase(row.name, state, row.deadline, complete)


def _find_completion(sent: Sequence[SubmissionRow]) -> str:
    """Return when the orders that count became complete, "" if they are not."""
    complete = ""
    for row in sent:
        complete = "" if json.loads(row.missing) else complete or row.received
    return complete


def _find_state(sent: Sequence[SubmissionRow], complete: str, deadline: str) -> str:
    if complete:
        return LATE if deadline and complete > deadline else IN_TIME
    return PARTIAL if sent and sent[-1].orders else MISSED


def _list_overdue(game: Game) -> Iterator[tuple[str, OwedPhase]]:
    """Yield the powers whose orders are missing in the open phase after its deadline."""
    head = game.head()
    if head.is_over or not head.deadline or game.stamp() <= head.deadline:
        return
    for power in read_open_phase(game).lacking:
        yield power, OwedPhase(head.name, OVERDUE, head.deadline, "")
