"""Fetching mail and answering it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from alexmagnum.errors import GameError
from alexmagnum.game.desk import Desk
from alexmagnum.game.inbox_store import Message
from alexmagnum.mail.fetch import Fetching
from alexmagnum.mail.inbox import Inbox
from alexmagnum.mail.reconcile import reconcile


@dataclass(frozen=True, slots=True)
class FetchedMail:
    """One fetch: the new messages as they were handled, how many messages were ``seen``, and what
    sources refused."""

    messages: tuple[Message, ...]
    seen: int
    faults: tuple[GameError, ...]


def fetch_mail(
    desk: Desk,
    sources: Sequence[str],
    stdin: BinaryIO,
    *,
    whole: bool = False,
    on_message: Callable[[int], object] = lambda number: None,
) -> FetchedMail:
    """Fetch mail from some sources, or from the game's mailbox if there are none; take what is
    sure and draft the answers.

    A source that refuses stops none of the others.  ``whole`` looks through all of the mailbox.
    ``on_message`` is called after every new message with how many there have been.
    """
    fetching = Fetching(Inbox(desk.game), stdin)
    messages = []
    for message in fetching.fetch(sources, whole=whole):
        messages.append(message)
        on_message(len(messages))
    if messages and desk.settings["mail_address"]:
        reconcile(fetching.inbox.outbox)
    return FetchedMail(tuple(messages), fetching.found, tuple(fetching.faults))
