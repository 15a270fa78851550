"""Players who answer the mails they receive, each with mail programs of their own."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from email.message import EmailMessage

from alexmagnum.mail.composition import read_text
from tests.mail.clients import BETWEEN, BOTTOM, NEW, PROGRAMS, TOP, Letter
from tests.mail.people import Person

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
        return PROGRAMS[client](Letter(who, number, place, said, old, answered, at))

    def fresh(self, who: Person, said: str, at: datetime) -> bytes:
        """Return a mail that answers no other."""
        return PROGRAMS["gmail_web"](Letter(who, next(self._numbers), NEW, said, at=at))
