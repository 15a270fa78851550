"""A game by mail without a server, and mails as its players send them.

Open this first when you test the inbox or the letters.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path
from typing import Any

from alexmagnum.game.desk import Desk
from alexmagnum.game.game import Player
from alexmagnum.game.mail_store import Message, reply_address, subject_tag
from alexmagnum.game.verify import check_submissions
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.mail.inbox import Inbox
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.transport import Found
from alexmagnum.report.context import PhaseContext
from alexmagnum.report.materials import Enclosed, FinalFiles, Materials
from tests.game.desks import Clock, new_desk

GAME = "game@example.org"
ANNA, BRUNO = "anna@example.org", "bruno@example.com"

PLAYERS = (
    Player("France", "Anna Neri", ANNA, "it"),
    Player("Italy", "Bruno Bianchi", BRUNO, "en"),
    Player("Turkey", "Carla"),
)


def mail_desk(folder: Path, **options: Any) -> Desk:
    """Create a game on the standard map with three players; the third has no address."""
    settings = {"mail_address": GAME} | options.pop("settings", {})
    options.setdefault("now", Clock())
    return new_desk(folder, players=PLAYERS, settings=settings, name="prova", **options)


def mail(text: str, sender: str = ANNA, to: str = GAME, **fields: str) -> bytes:
    """Return a mail; further fields are given by name, with ``_`` for ``-``."""
    message = EmailMessage(policy=SMTP.clone(cte_type="8bit"))
    given: Mapping[str, str] = {
        "From": sender,
        "To": to,
        "Subject": "Ordini",
        "Date": "Fri, 20 Nov 2026 10:00:00 +0000",
    } | {name.replace("_", "-"): value for name, value in fields.items()}
    for name, value in given.items():
        if value:
            message[name] = value
    message.set_content(text)
    return message.as_bytes()


def reply(desk: Desk, power: str, text: str, phase: str = "", **fields: str) -> bytes:
    """Return a plain reply to a mail of the game, sent to the address with the code."""
    phase = phase or str(desk.head().name)
    defaults = {
        "sender": ANNA if power == "France" else BRUNO,
        "to": reply_address(desk, power, phase),
        "Subject": f"Re: [AM-prova] Report {subject_tag(desk, power, phase)}",
    }
    return mail(text, **{**defaults, **fields})


def fetch(desk: Desk, *raws: bytes, at: datetime | None = None) -> list[Message]:
    """Let the inbox fetch some mails, received now or at an instant; return what it did.

    Whatever they say, what is stored agrees with them: else no export can be imported.
    """
    fetched = list(Inbox(desk).fetch([Found(raw, at, f"{i}.eml") for i, raw in enumerate(raws)]))
    assert list(check_submissions(desk)) == []
    return fetched


class PlainMaterials:
    """Materials of the game as it stands whenever a letter is composed, with other pictures."""

    def __init__(self, desk: Desk, enclose: Callable[..., Enclosed]) -> None:
        self.desk, self.enclose = desk, enclose

    @property
    def open(self) -> PhaseContext:
        return Materials(self.desk).open

    def find_context(self, phase: str) -> PhaseContext:
        return Materials(self.desk).find_context(phase)

    def final(self, sentences: Sentences) -> FinalFiles:
        return Materials(self.desk).final(sentences)


def composing_outbox(
    desk: Desk, enclose: Callable[..., Enclosed] = lambda *view: Enclosed()
) -> Outbox:
    """Return an outbox whose letters have the pictures and sheets that ``enclose`` gives them."""
    return Outbox(desk, PlainMaterials(desk, enclose))


def answers(desk: Desk) -> list[tuple[str, str]]:
    """Return the kind and the text of every letter in the outbox."""
    outbox = Inbox(desk).outbox
    return [(letter.kind, outbox.text(letter)) for letter in outbox.list_letters()]


def at(hour: int, minute: int = 0) -> datetime:
    """Return an instant of the day that the tests' clock shows."""
    return datetime(2026, 11, 20, hour, minute, tzinfo=UTC)
