"""Mails that hold the open phase back until the game master has decided on them.

Only a doubtful mail of a player of this game about the open phase does.  A mail of a stranger waits
as well if it looks like mail of the game, but the phase is resolved without it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from alexmagnum.game.inbox_store import WAITING, InboxStore, Message
from alexmagnum.game.state import Game
from alexmagnum.game.stored_orders import CLEAR, MAIL


@dataclass(frozen=True, slots=True)
class WaitingMails:
    """The mails that wait for the game master: those that hold the phase back, and the others."""

    holding: tuple[Message, ...]
    others: tuple[Message, ...]


def find_waiting_mails(game: Game, lacking: Collection[str]) -> WaitingMails:
    """Return the mails that wait; ``lacking`` are the powers whose orders are incomplete."""
    waiting = InboxStore(game.file).find_all((WAITING,))
    holding = tuple(message for message in waiting if _is_holding(game, message, lacking))
    return WaitingMails(holding, tuple(m for m in waiting if m not in holding))


def _is_holding(game: Game, message: Message, lacking: Collection[str]) -> bool:
    """Tell whether a mail that waits may change the orders for the open phase.

    A player who has since sent a mail that was taken has settled the doubt.  A mail that answers a
    letter of an earlier phase matters only while orders of its power are missing.
    """
    head = game.head()
    if not message.power or message.phase != head.name or head.is_over:
        return False
    if any(why.code == "waits-code-of-past" for why in message.why):
        return message.power in lacking
    last = InboxStore(game.file).last_submitted(int(head.id), message.power, (MAIL, CLEAR))
    return last <= message.received
