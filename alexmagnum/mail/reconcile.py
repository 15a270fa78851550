"""Dropping the drafts that are out of date after a phase was processed, undone or corrected."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from alexmagnum.game.letter_grounds import DEADLINE_CHANGED, Circumstances
from alexmagnum.game.open_phase import read_open_phase
from alexmagnum.game.outbox_store import DRAFT, DROPPED, OPENING, REMINDER, RETRACTION, Mailing
from alexmagnum.game.players import read_players
from alexmagnum.game.standby import read_standby
from alexmagnum.game.takeovers import find_power_of_act, find_takeover
from alexmagnum.game.values import Player, Standby
from alexmagnum.mail.letters.composition import plain_address
from alexmagnum.mail.letters.envelope import can_be_written_to
from alexmagnum.mail.notices import renew_deadlines, renew_reminders
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.sent_reports import make_welcome_key

TAKEN_BACK = "letter-taken-back"
"""Why a letter was dropped that returns if the phase it reports is put back."""

OVERTAKEN = "letter-overtaken"
"""Why a letter was dropped whose phase is over, or whose reminder was obeyed."""

MOVED = "letter-moved"
"""Why a letter was dropped whose player has another address now."""

REWRITTEN = frozenset({OPENING, RETRACTION, REMINDER})
"""Occasions of letters that are written anew when the deadline or the orders change."""

OF_THE_PHASE = ("phase", "deadline", "reminder")
"""The kinds of letters that make sense only while their phase is open."""


@dataclass(frozen=True, slots=True)
class Reconciled:
    """The numbers of drafts that were dropped and that came back."""

    dropped: int
    back: int


def reconcile(outbox: Outbox) -> Reconciled:
    """Drop drafts that are out of date, and bring back drafts that are right again.

    An undo drops the reports of the undone phase, and a redo brings them back as they were edited;
    a correction drops the reports of the version before.  A draft to a former address of its player
    is dropped unless somebody has changed it.  So is a letter that has lost what it rests on: its
    phase is over, the orders that it lists have changed, or the mail that it tells of was decided.
    Reminders that stay name what is missing now, and answers the deadline in force.
    """
    state = _GameState(outbox)
    stale: dict[str, list[Mailing]] = defaultdict(list)
    back: list[Mailing] = []
    kept: list[Mailing] = []
    for mailing in outbox.list_letters((DRAFT, DROPPED)):
        why = state.find_fault(mailing)
        if mailing.state == DRAFT and why:
            stale[why].append(mailing)
        elif mailing.state == DRAFT:
            kept.append(mailing)
        elif not why and _was_dropped_by_events(mailing):
            back.append(mailing)
    for why, mailings in stale.items():
        outbox.withdraw(mailings, why)
    outbox.bring_back(back)
    drafts = outbox.list_letters((DRAFT,)) if back else kept
    renew_reminders(outbox, drafts)
    renew_deadlines(outbox, drafts)
    return Reconciled(sum(map(len, stale.values())), len(back))


def find_undelivered_phases(outbox: Outbox) -> frozenset[str]:
    """Return the phases whose reports were dropped before they were sent, and not drafted again."""
    dropped = [
        m
        for m in outbox.list_letters((DROPPED,))
        if m.kind == "report" and _was_dropped_by_events(m)
    ]
    names = outbox.game.phases_of_outcomes()
    return frozenset(names[outcome] for mailing in dropped for outcome in mailing.key.outcomes)


def _was_dropped_by_events(mailing: Mailing) -> bool:
    """Return whether events dropped a letter, and not the game master."""
    return mailing.problem is not None and mailing.problem.code in (TAKEN_BACK, OVERTAKEN, MOVED)


class _GameState:
    """The state that drafts are compared with: open phase, outcomes that count, addresses."""

    def __init__(self, outbox: Outbox) -> None:
        self.outbox, self.game = outbox, outbox.game
        game = outbox.game
        with game.file.reading():
            line, head = game.line(), game.head()
        self.now = Circumstances(game)
        self.open, self.head = str(head.name), int(head.id)
        self.outcomes = {row.id for row in line}
        amended = {row.id for row in line if row.amends}
        phases = [(row.name, row.parent, row.opened) for row in line]
        phases.append((head.name, head.parent, head.opened))
        self.since = {name: "" if parent in amended else at for name, parent, at in phases}
        """When each phase was opened: letters drafted before are about a phase that was undone.
        After a correction the mails for a phase stay, and so do the letters."""

    @cached_property
    def lacking(self) -> Mapping[str, Sequence[str]]:
        """The orders that are still missing in the open phase, by power."""
        return read_open_phase(self.game).lacking

    @cached_property
    def addresses(self) -> Mapping[str, str]:
        """The address of everybody who can be written to, by their power or number of standby."""
        people: tuple[tuple[str, Player | Standby], ...] = (
            *((player.power, player) for player in read_players(self.game)),
            *((f"standby{person.id}", person) for person in read_standby(self.game)),
        )
        return {
            reader: plain_address(person.address)
            for reader, person in people
            if can_be_written_to(person)
        }

    def _is_as_made(self, mailing: Mailing) -> bool:
        return mailing.state != DRAFT or self.outbox.is_as_drafted(mailing)

    def find_fault(self, mailing: Mailing) -> str:
        """Return the code of why a letter must not be sent any more, "" if it may."""
        if self.addresses.get(mailing.reader) != mailing.address and self._is_as_made(mailing):
            return MOVED
        match mailing.kind:
            case "letter":
                return ""
            case "invitation":
                return OVERTAKEN if self._was_taken(mailing) else ""
            case "welcome":
                return self._find_welcome_fault(mailing)
            case "report":
                return "" if self.outcomes.issuperset(mailing.key.outcomes) else TAKEN_BACK
            case "ending":
                return "" if mailing.key.opened == self.head else TAKEN_BACK
            case _:
                return self._find_phase_fault(mailing)

    def _find_phase_fault(self, mailing: Mailing) -> str:
        """Return why a letter about one phase must not be sent any more, "" if it may."""
        since = self.since.get(mailing.phase)
        if since is None or mailing.created < since:
            return TAKEN_BACK
        over = mailing.kind in OF_THE_PHASE and mailing.phase != self.open
        if over or (mailing.kind == "reminder" and mailing.power not in self.lacking):
            return OVERTAKEN
        if mailing.key.occasion in REWRITTEN:
            return ""
        lost = self.now.find_lost_ground(mailing.grounds, mailing.power)
        return "" if lost == DEADLINE_CHANGED and mailing.kind == "receipt" else lost

    def _was_taken(self, invitation: Mailing) -> bool:
        """Return whether somebody has taken over the power that an invitation offers."""
        act = invitation.key.act or 0
        return find_takeover(self.game, find_power_of_act(self.game, act)) > act

    def _find_welcome_fault(self, mailing: Mailing) -> str:
        """Return the code of why a welcome no longer tells how things stand, "" if it does."""
        player = next(one for one in read_players(self.game) if one.power == mailing.power)
        wanted = make_welcome_key(self.game, player)
        return "" if replace(wanted, address=mailing.key.address) == mailing.key else OVERTAKEN
