"""Mails for which the open phase waits: doubtful ones, and notices that a letter came back.

Only a doubtful mail of a player of this game about the open phase does.  A mail of a stranger waits
as well if it looks like mail of the game, but the phase is resolved without it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from alexmagnum.game.inbox_store import ASIDE, WAITING, InboxStore, Message
from alexmagnum.game.players import read_players
from alexmagnum.game.state import Game
from alexmagnum.game.stored_orders import CLEAR, MAIL
from alexmagnum.mail.identity import BOUNCED


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


@dataclass(frozen=True, slots=True)
class ReturnedLetter:
    """A notice that a letter could not be delivered, and the powers whose players it was for."""

    message: Message
    addresses: str
    powers: tuple[str, ...]


def find_returned_letters(game: Game, lacking: Collection[str]) -> tuple[ReturnedLetter, ...]:
    """Return the letters of the open phase that did not reach players whose orders are missing."""
    players = [player for player in read_players(game) if player.power in lacking]
    found = []
    for message in InboxStore(game.file).find_all((ASIDE,)):
        addresses = next((w.data["addresses"] for w in message.why if w.code == BOUNCED), "")
        failed = addresses.casefold().split(", ")
        powers = tuple(player.power for player in players if player.writes_from(failed))
        if powers and message.received >= str(game.head().opened):
            found.append(ReturnedLetter(message, addresses, powers))
    return tuple(found)
