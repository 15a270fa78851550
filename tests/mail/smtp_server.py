"""A real SMTP server on this machine, and games that send letters through it."""

import hashlib
from asyncio import Server
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from alexmagnum.game.desk import Desk
from alexmagnum.game.game import Player
from alexmagnum.game.mail_store import LetterKey, Occasion
from alexmagnum.mail.composition import Letter
from alexmagnum.mail.outbox import Outbox
from tests.game.desks import new_desk

ADDRESS = "game@example.net"
USER, PASSWORD = "game@example.net", "sesame"

PEOPLE = (
    Player("Austria", "Anna Neri", "anna@example.org", "it"),
    Player("England", "Bruno", "bruno@example.org", "en"),
    Player("France", "Zoë Blanc", "zoe@example.org"),
)


@dataclass
class SmtpServer:
    """A server that takes mail (``taken``); ``answers`` to ``RCPT`` or ``DATA`` by command and
    recipient, if not the usual; ``on_data`` is called with each mail before the server answers."""

    taken: list[Envelope] = field(default_factory=list)
    sessions: int = 0
    answers: dict[tuple[str, str], str] = field(default_factory=dict)
    on_data: Callable[[Envelope], None] = lambda envelope: None
    port: int = 0

    @property
    def settings(self) -> Mapping[str, str]:
        """Return the settings of a game that sends through this server."""
        return self.settings_of()

    def settings_of(
        self, user: str = "", scheme: str = "smtp-open", host: str = "127.0.0.1"
    ) -> Mapping[str, str]:
        """Return the settings of a game that logs in by a name, or protects the line."""
        named = f"{user}@" * bool(user)
        return {"transport": "smtp", "smtp_server": f"{scheme}://{named}{host}:{self.port}"}

    @property
    def readers(self) -> list[str]:
        """Return the recipients of the mails, in the order in which the mails came."""
        return [address for envelope in self.taken for address in envelope.rcpt_tos]

    @property
    def messages(self) -> list[EmailMessage]:
        contents = (envelope.original_content for envelope in self.taken)
        return [parse_mail(content or b"") for content in contents]


@dataclass
class _Handler:
    """The handler of the server's commands, an object of its own because every session looks at all
    attributes of its handler, and :attr:`SmtpServer.messages` parses all mails."""

    post: SmtpServer

    async def handle_RCPT(  # noqa: N802 - so the server wants it
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if answer := self.post.answers.get(("RCPT", address)):
            return answer
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(  # noqa: N802 - as above
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        if answer := self.post.answers.get(("DATA", envelope.rcpt_tos[0])):
            return answer
        self.post.taken.append(envelope)
        self.post.on_data(envelope)
        return "250 OK"


def parse_mail(data: bytes) -> EmailMessage:
    """Parse a mail as a mail program does."""
    message = message_from_bytes(data, policy=policy.default)
    assert isinstance(message, EmailMessage)
    return message


class _Door(Controller):
    """A server on any free port."""

    def _trigger_server(self) -> None:
        assert isinstance(self.server, Server)
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()  # type: ignore[no-untyped-call]


_PATIENCE = 60.0
"""Seconds for the server to come up: other tests keep the machine busy, and five are too few."""


@contextmanager
def run_smtp_server(**options: Any) -> Iterator[SmtpServer]:
    """Run a server on a port of its own."""
    post = SmtpServer()
    controller = _Door(
        _Handler(post), hostname="127.0.0.1", port=0, ready_timeout=_PATIENCE, **options
    )
    controller.start()
    post.port = controller.port
    try:
        yield post
    finally:
        controller.stop()


def check_login(
    server: SMTP, session: Session, envelope: Envelope, how: str, data: Any
) -> AuthResult:
    """Accept a login with the right user and password."""
    assert isinstance(data, LoginPassword)
    known = (data.login, data.password) == (USER.encode(), PASSWORD.encode())
    return AuthResult(success=known, handled=False)


def desk_with_address(
    folder: Path, settings: Mapping[str, str] | None = None, **options: Any
) -> Desk:
    """Create a game on the standard map with an address and three players."""
    desk = new_desk(folder, players=options.pop("players", PEOPLE), **options)
    for name, value in {"mail_address": ADDRESS, **(settings or {})}.items():
        desk.set(name, value)
    return desk


def draft_letter(desk: Desk, power: str = "Austria", key: str = "", text: str = "Hello\n") -> int:
    """Draft a letter in the outbox; return its number."""
    return Outbox(desk).draft(note_key(desk, key, power), Letter("Word", text))


def note_key(desk: Desk, name: str = "", power: str = "Austria") -> LetterKey:
    """Return the key of a letter; another name makes it another letter."""
    times = int(hashlib.sha256(name.encode()).hexdigest()[:8], 16)
    return LetterKey(Occasion.WARNING, power, phase=str(desk.head().name), times=times)


def list_letters_to_master(desk: Desk) -> list[EmailMessage]:
    """Return the letters to the game master, oldest first."""
    rows = desk.file.rows("SELECT mail FROM gm_letters ORDER BY id")
    return [parse_mail(bytes(row["mail"])) for row in rows]
