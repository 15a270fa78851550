"""Players who answer the mails they receive, each with mail programs of their own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from email.message import EmailMessage
from email.utils import format_datetime

from alexmagnum.mail.composition import read_text
from tests.mail.clients import BETWEEN, BOTTOM, NEW, PROGRAMS, SENT, TOP, Letter
from tests.mail.mime import word
from tests.mail.people import GAME, Person

Way = tuple[str, str]
"""A program, and where its user writes."""

WAYS: dict[str, tuple[Way, ...]] = {
    "SEL": (("outlook_desktop", TOP), ("outlook_web", TOP), ("yahoo", TOP)),
    "TOL": (("thunderbird", BOTTOM), ("roundcube", BETWEEN), ("libero", TOP)),
    "LIS": (("gmail_web", BOTTOM), ("gmail_app", TOP), ("mutt", BOTTOM)),
    "AUT": (("libero", BETWEEN), ("virgilio", TOP), ("outlook_express", TOP)),
    "CAS": (("iphone_html", TOP), ("tim", TOP), ("iphone", TOP)),
    "CAN": (("protonmail", TOP), ("zimbra", TOP), ("apple_mail", BOTTOM)),
}
"""What they write with, one after the other: some send a page alone (iPhone, TIM), some mark
nothing of what they quote (Outlook, Yahoo, Virgilio, Zimbra)."""


@dataclass(frozen=True, slots=True)
class Reply(Letter):
    """An answer to a mail; its fields are taken from that mail, as mail programs do."""

    answered: EmailMessage = field(default_factory=EmailMessage)
    at: datetime = SENT

    def fields(self, *more: tuple[str, str]) -> list[tuple[str, str]]:
        when, host = format_datetime(self.at), self.who.address.partition("@")[2]
        to, name = str(self.answered["Reply-To"]), str(self.answered["Message-ID"])
        subject = str(self.answered["Subject"])
        return [
            ("Return-Path", f"<{self.who.address}>"),
            ("Delivered-To", GAME),
            ("Received", f"from mx.{host} by mail.example.net with ESMTPS; {when}"),
            ("From", f"{self.who.name} <{self.who.address}>"),
            ("To", to),
            ("Subject", word(subject if subject.startswith(self.re) else self.re + subject)),
            ("Date", when),
            ("Message-ID", f"<{self.tag}.{self.number}@{host}>"),
            ("In-Reply-To", name),
            ("References", f"{self.answered['References']} {name}"),
            *more,
        ]


@dataclass(frozen=True, slots=True)
class Fresh(Letter):
    """A mail that answers no other: it brings no code."""

    at: datetime = SENT

    def fields(self, *more: tuple[str, str]) -> list[tuple[str, str]]:
        when, host = format_datetime(self.at), self.who.address.partition("@")[2]
        return [
            ("Return-Path", f"<{self.who.address}>"),
            ("Received", f"from mx.{host} by mail.example.net with ESMTPS; {when}"),
            ("From", f"{self.who.name} <{self.who.address}>"),
            ("To", GAME),
            ("Subject", "Ordini / orders"),
            ("Date", when),
            ("Message-ID", f"<{self.tag}.{self.number}@{host}>"),
            *more,
        ]


class Writer:
    """Writes the mails of all players, each with a number of its own."""

    def __init__(self) -> None:
        self._numbers: Iterator[int] = iter(range(1, 10_000))
        self._turns: dict[str, int] = {}

    def reply(
        self, who: Person, answered: EmailMessage, said: str, at: datetime, way: Way | None = None
    ) -> bytes:
        """Return an answer with the whole mail quoted, written with the player's next program."""
        turn = self._turns.get(who.power, 0)
        if way is None:
            self._turns[who.power] = turn + 1
        ways = WAYS.get(who.power, (("gmail_web", TOP),))
        client, place = way or ways[turn % len(ways)]
        old = read_text(answered).rstrip()
        number = next(self._numbers)
        said = said.rstrip()
        return PROGRAMS[client](Reply(who, number, place, said, old, answered=answered, at=at))

    def fresh(self, who: Person, said: str, at: datetime) -> bytes:
        """Return a mail that answers no other."""
        return PROGRAMS["gmail_web"](Fresh(who, next(self._numbers), NEW, said, at=at))
