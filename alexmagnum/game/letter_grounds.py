"""The grounds of a letter: the open phase, orders in force, a mail that waits, the deadline.

The grounds are stored with every draft, in columns of ``letters``.  Open this for why a draft is
withdrawn or written anew before it is sent; the outcomes that a report tells are in
``letter_outcomes``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from alexmagnum.game.deadlines import read_deadline, read_seconds_left
from alexmagnum.game.inbox_store import WAITING, InboxStore
from alexmagnum.game.outbox_store import (
    ANSWER,
    DEADLINE,
    OPENING,
    RECEIPT,
    REMINDER,
    REPORT,
    RETRACTION,
    WARNING,
    WELCOME,
    Grounds,
    LetterKey,
)
from alexmagnum.game.state import Game
from alexmagnum.game.stored_orders import find_last_submissions

_OF_THE_PHASE = frozenset(
    {ANSWER, RECEIPT, WARNING, DEADLINE, REMINDER, OPENING, RETRACTION, WELCOME, REPORT}
)
"""Occasions of letters about the open phase: a report says what is due in it."""

_WITH_ORDERS = frozenset({RECEIPT, REMINDER, WELCOME})
"""Occasions of letters that list orders in force; an answer does if it is asked to."""

_WITH_DEADLINE = frozenset({DEADLINE, OPENING, RETRACTION, REPORT})
"""Occasions of letters that name the deadline; letters that list orders in force do as well."""

STOPPED = "stopped"
"""The deadline of a phase whose clock is stopped."""

PHASE_OVER = "letter-overtaken"
ORDERS_CHANGED = "letter-orders-changed"
MAIL_DECIDED = "letter-mail-decided"
DEADLINE_CHANGED = "letter-deadline-changed"
"""Why a letter no longer holds, by the ground that it has lost."""


def read_clock(game: Game) -> str:
    """Return the deadline of the open phase, "" if there is none, or :data:`STOPPED`."""
    return STOPPED if read_seconds_left(game) is not None else read_deadline(game)


class Circumstances:
    """The present state of everything that letters may rest on; each thing is read once."""

    def __init__(self, game: Game) -> None:
        self._game = game

    @cached_property
    def phase(self) -> str:
        """The open phase."""
        return str(self._game.head().name)

    @cached_property
    def clock(self) -> str:
        """The deadline, "" if there is none, or :data:`STOPPED`."""
        return read_clock(self._game)

    @cached_property
    def _seals(self) -> Mapping[str, str]:
        rows = find_last_submissions(self._game, int(self._game.head().id))
        return {power: row.digest for power, row in rows.items()}

    def find_grounds(
        self, key: LetterKey, *, lists_orders: bool = False, waiting: int | None = None
    ) -> Grounds:
        """Return what a letter that is drafted now rests on."""
        about_phase = key.occasion in _OF_THE_PHASE
        lists_orders = lists_orders or key.occasion in _WITH_ORDERS
        names_deadline = lists_orders or key.occasion in _WITH_DEADLINE
        return Grounds(
            phase=self.phase if about_phase else None,
            orders=self._seals.get(key.power, "") if lists_orders else None,
            waiting=waiting,
            deadline=self.clock if names_deadline else None,
        )

    def find_lost_ground(self, grounds: Grounds, power: str) -> str:
        """Return the code of why a letter to a power no longer holds, "" if it does."""
        if grounds.phase is not None and grounds.phase != self.phase:
            return PHASE_OVER
        if grounds.waiting is not None and not self._waits(grounds.waiting):
            return MAIL_DECIDED
        if grounds.orders is not None and grounds.orders != self._seals.get(power, ""):
            return ORDERS_CHANGED
        if grounds.deadline is not None and grounds.deadline != self.clock:
            return DEADLINE_CHANGED
        return ""

    def _waits(self, message: int) -> bool:
        return InboxStore(self._game.file).find(message).state == WAITING
