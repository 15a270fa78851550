"""Fetching mail from several sources: a source that fails does not stop the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import BinaryIO

from alexmagnum.errors import GameError
from alexmagnum.game.inbox_store import Message
from alexmagnum.mail.inbox import Inbox
from alexmagnum.mail.transport.imap import read_account, read_mailbox
from alexmagnum.mail.transport.mailbox_files import Found, read_source

_FIRST_DAY = date(1990, 1, 1)
"""A day before any mail of a game."""


class Fetching:
    """One fetch: ``found`` counts the messages seen, ``faults`` are the errors of sources."""

    def __init__(self, inbox: Inbox, stdin: BinaryIO) -> None:
        self.inbox = inbox
        self.stdin = stdin
        self.found = 0
        self.faults: list[GameError] = []

    def fetch(self, places: Sequence[str] = (), *, whole: bool = False) -> Iterator[Message]:
        """Store and handle what is new in some places; yield each message as it is afterwards.

        Without places the game's mailbox is read, with ``whole`` all of it, not only what may have
        come since the last fetch.
        """
        yield from self.inbox.fetch(self._all(places, whole))

    def _all(self, places: Sequence[str], whole: bool) -> Iterator[Found]:
        for source in [self._place(p) for p in places] or [self._mailbox(whole)]:
            try:
                for found in source:
                    self.found += 1
                    yield found
            except GameError as error:
                self.faults.append(error)

    def _place(self, place: str) -> Iterator[Found]:
        return read_source(place, self.stdin)

    def _mailbox(self, whole: bool) -> Iterator[Found]:
        since = _FIRST_DAY if whole else self.inbox.since()
        account = read_account(self.inbox.game.settings())
        yield from read_mailbox(account, since, self.inbox.knows)
