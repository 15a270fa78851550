"""Which drafts still tell the truth, after a phase was processed, taken back or corrected."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from alexmagnum.game.outbox_store import DRAFT, DROPPED, Mailing
from alexmagnum.game.players import read_players
from alexmagnum.game.resolution import read_open_phase
from alexmagnum.mail.letters.composition import plain_address
from alexmagnum.mail.letters.envelope import can_be_written_to
from alexmagnum.mail.notices import renew_reminders
from alexmagnum.mail.outbox import Outbox

TAKEN_BACK = "letter-taken-back"
"""Why a letter was dropped that comes back if what it tells is put back."""

OVERTAKEN = "letter-overtaken"
"""Why one was dropped whose phase is over, or that reminds of what has come."""

MOVED = "letter-moved"
"""Why one was dropped that was to another address than its player has now."""

OF_THE_PHASE = ("phase", "deadline", "reminder")
"""The kinds of letters that mean something as long as their phase is open."""


@dataclass(frozen=True, slots=True)
class Reconciled:
    """How many drafts were dropped, and how many came back."""

    dropped: int
    back: int


def reconcile(outbox: Outbox) -> Reconciled:
    """Drop the drafts that were overtaken by events, and bring those back that hold again.

    An undo drops what tells of the phase taken back, and a redo brings it back, as it was
    edited; a correction drops the reports of the version before.  A draft to an address that its
    player had before is dropped, unless somebody has changed it.  Reminders that stay are told what
    is missing now.
    """
    standing = _Standing(outbox)
    stale: dict[str, list[Mailing]] = defaultdict(list)
    back: list[Mailing] = []
    for mailing in outbox.listed((DRAFT, DROPPED)):
        why = standing.fault(mailing)
        if mailing.state == DRAFT and why:
            stale[why].append(mailing)
        elif mailing.state == DROPPED and not why and _dropped_by_us(mailing):
            back.append(mailing)
    for why, mailings in stale.items():
        outbox.withdraw(mailings, why)
    outbox.bring_back(back)
    renew_reminders(outbox)
    return Reconciled(sum(map(len, stale.values())), len(back))


def find_undelivered_phases(outbox: Outbox) -> frozenset[str]:
    """The phases whose reports were taken back before they had gone, and were not made again."""
    dropped = [m for m in outbox.listed((DROPPED,)) if m.kind == "report" and _dropped_by_us(m)]
    names = outbox.store.phases_of_outcomes()
    return frozenset(names[outcome] for mailing in dropped for outcome in mailing.key.outcomes)


def _dropped_by_us(mailing: Mailing) -> bool:
    """Was it events that dropped the letter, and not the game master?"""
    return mailing.problem is not None and mailing.problem.code in (TAKEN_BACK, OVERTAKEN, MOVED)


class _Standing:
    """Where the game stands."""

    def __init__(self, outbox: Outbox) -> None:
        self.outbox, self.game = outbox, outbox.game
        game = outbox.game
        with game.file.reading():
            line, head = game.line(), game.head()
        self.open = str(head.name)
        self.outcomes = {row.id for row in line}
        amended = {row.id for row in line if row.amends}
        phases = [(row.name, row.parent, row.opened) for row in line]
        phases.append((head.name, head.parent, head.opened))
        self.since = {name: "" if parent in amended else at for name, parent, at in phases}
        """When each phase was opened: what was written before that is of one that was taken back.
        After a correction the mails for a phase stay, and so do the letters."""

    @cached_property
    def lacking(self) -> Mapping[str, Sequence[str]]:
        """What is still missing of the open phase, by power."""
        return read_open_phase(self.game).lacking

    @cached_property
    def addresses(self) -> Mapping[str, str]:
        """The address of every player who can be written to."""
        found = (player for player in read_players(self.game) if can_be_written_to(player))
        return {player.power: plain_address(player.address) for player in found}

    def _is_as_made(self, mailing: Mailing) -> bool:
        return mailing.state != DRAFT or self.outbox.is_as_drafted(mailing)

    def fault(self, mailing: Mailing) -> str:
        """Why a letter should not go any more, "" if it may."""
        if self.addresses.get(mailing.power) != mailing.address and self._is_as_made(mailing):
            return MOVED
        if mailing.kind == "report":
            return "" if self.outcomes.issuperset(mailing.key.outcomes) else TAKEN_BACK
        since = self.since.get(mailing.phase)
        if since is None or mailing.created < since:
            return TAKEN_BACK
        over = mailing.kind in OF_THE_PHASE and mailing.phase != self.open
        if over or (mailing.kind == "reminder" and mailing.power not in self.lacking):
            return OVERTAKEN
        return ""
