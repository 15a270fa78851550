"""The things a game waits for: missing orders, doubtful mails, letters not sent, failures.

Open this for why ``tick`` does not resolve a phase.  The words are in
:mod:`alexmagnum.workflow.situation_text`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from alexmagnum.errors import AlexMagnumError
from alexmagnum.game.desk import Desk
from alexmagnum.game.inbox_store import Message
from alexmagnum.game.outbox_store import DRAFT, UNCERTAIN, Mailing
from alexmagnum.game.values import PowerStatus
from alexmagnum.game.votes import WAIT
from alexmagnum.mail.holding import ReturnedLetter, find_returned_letters, find_waiting_mails
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.schedule import is_past_deadline
from alexmagnum.mail.sending import find_automatic

ORDERS_MISSING = "block-orders-missing"


@dataclass(frozen=True, slots=True)
class Situation:
    """The things a game waits for at one instant.

    ``missing`` are the powers whose orders are incomplete, ``blocks`` the codes of what keeps the
    phase from being processed, ``asking`` the powers that ask to wait.  ``mails`` hold the phase
    back, ``other_mails`` wait as well but hold nothing back.  ``returned`` are
    letters that did not reach players whose orders are missing.  ``stuck`` are letters that were
    refused or may have been sent, ``drafts`` those that the settings leave to the game master.
    ``agreed`` is the end of the game that all who have a vote want (``draw TOL SEL``).
    ``bots`` are the powers whose bots gave no orders, or some that do not count.
    ``processes``: the tick resolves the phase when it can.
    """

    phase: str
    deadline: str
    is_past: bool
    is_over: bool
    missing: tuple[str, ...] = ()
    blocks: tuple[str, ...] = ()
    asking: tuple[str, ...] = ()
    mails: tuple[Message, ...] = ()
    other_mails: tuple[Message, ...] = ()
    returned: tuple[ReturnedLetter, ...] = ()
    stuck: tuple[Mailing, ...] = ()
    drafts: tuple[Mailing, ...] = ()
    failures: tuple[AlexMagnumError, ...] = ()
    resolved: tuple[str, ...] = ()
    agreed: str = ""
    bots: tuple[PowerStatus, ...] = ()
    processes: bool = False

    @property
    def is_held(self) -> bool:
        """Tell whether something keeps the phase from being processed after its deadline."""
        return bool(self.blocks or self.asking or self.mails) and not self.is_over

    @property
    def is_stalled(self) -> bool:
        """Tell whether the deadline is past and something holds the phase back."""
        return self.is_past and self.is_held

    @property
    def needs_game_master(self) -> bool:
        """Tell whether the game needs the game master before it can rightly go on."""
        overdue = self.is_past and (self.is_held or not self.processes)
        waits = self.mails or self.returned or self.stuck or self.drafts or self.bots
        return bool(overdue or self.agreed or waits or self.failures)

    def digest(self, *, all_news: bool) -> str:
        """Return a digest of what the game master has to know; it changes when that changes.

        ``all_news``: resolved phases, and mails that hold nothing back, belong to it too.
        """
        known: list[object] = [
            self.phase,
            self.deadline,
            self.is_past,
            self.missing if self.is_past else (),
            self.blocks if self.is_past else (),
            self.asking if self.is_past else (),
            [message.id for message in self.mails],
            [letter.message.id for letter in self.returned],
            [[mailing.id, mailing.state] for mailing in self.stuck],
            sorted({(mailing.kind, mailing.phase) for mailing in self.drafts}),
            sorted({failure.code for failure in self.failures}),
            self.agreed,
        ]
        if self.bots:
            known.append([[power.power, power.bot, power.bot_fault] for power in self.bots])
        if all_news:
            known += [self.resolved, [message.id for message in self.other_mails]]
        return sha256(json.dumps(known).encode()).hexdigest()[:32]


def read_situation(
    desk: Desk,
    failures: Sequence[AlexMagnumError] = (),
    resolved: Sequence[str] = (),
    *,
    processes: bool = False,
) -> Situation:
    """Return what a game waits for; ``failures`` and ``resolved`` are those of this tick."""
    with desk.reading():
        status = desk.status()
        lacking = tuple(power.power for power in status.powers if power.is_lacking)
        waiting = find_waiting_mails(desk.game, lacking)
        outbox = Outbox(desk.game)
        drafts = outbox.list_letters((DRAFT,))
        automatic = set(find_automatic(outbox))
        return Situation(
            phase=status.phase,
            deadline=status.deadline,
            is_past=not status.over and is_past_deadline(desk.game),
            is_over=status.over,
            missing=lacking,
            blocks=() if status.over else status.blocks,
            asking=tuple(power.power for power in status.powers if power.pace == WAIT),
            mails=waiting.holding,
            other_mails=waiting.others,
            returned=find_returned_letters(desk.game, lacking),
            stuck=tuple(
                mailing
                for mailing in outbox.list_letters((DRAFT, UNCERTAIN))
                if mailing.problem is not None or mailing.state == UNCERTAIN
            ),
            drafts=tuple(
                mailing
                for mailing in drafts
                if mailing.id not in automatic and mailing.problem is None
            ),
            failures=tuple(failures),
            resolved=tuple(resolved),
            agreed=status.agreed,
            bots=tuple(power for power in status.powers if power.bot_fault),
            processes=processes,
        )
