"""A game played by mail with the commands, a real mailbox, and a real server that sends."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import make_msgid
from pathlib import Path

from alexmagnum.game import Desk
from tests.commands import NO_PICTURES, run_command
from tests.mail.dovecot import PASSWORD, Dovecot
from tests.mail.people import GAME, GM, Person
from tests.mail.smtp_server import SmtpServer, parse_mail

SECRETS = {"ALEXMAGNUM_IMAP_PASSWORD": PASSWORD}


@dataclass
class MailboxGame:
    """A game that is played by mail, from a folder.

    ``imap`` is the game's mailbox, ``smtp`` the server that sends its mails; ``printed`` has what
    its commands have printed.  ``separate``: each command is a process of its own.
    """

    folder: Path
    imap: Dovecot
    smtp: SmtpServer
    separate: bool = True
    printed: list[str] = field(default_factory=list)

    def create(self, people: Iterable[Person]) -> None:
        """Create the game, with its servers and players; its mailbox is empty."""
        self.imap.clear()
        listed = tuple(people)
        settings = {**self.imap.settings, **self.smtp.settings}
        settings |= {"mail_address": GAME, "mail_name": GM}
        about = ("--name", "Perdicca", "--lang", "it", *NO_PICTURES)
        players = [f"--player={who.power}={who.name} <{who.address}>" for who in listed]
        values = [f"--set={name}={value}" for name, value in settings.items()]
        done = run_command(
            "new", self.folder.name, *about, *players, *values, cwd=self.folder.parent
        )
        self.printed.append(done.out)
        with self.desk() as desk:
            for who in listed:
                desk.set_player(who.power, lang=who.lang)

    def run(self, *arguments: str, status: int = 0) -> str:
        """Run a command on the game, which has to end with ``status``; return what it printed."""
        done = run_command(
            *arguments,
            cwd=self.folder,
            status=status,
            environment=SECRETS,
            separate=self.separate,
        )
        self.printed.append(done.out + done.err)
        return done.out

    def let_pass(self, hours: float) -> None:
        """Set the deadline so many hours from now; less than 0: it has passed.

        The clock of the mail server cannot be put forward.
        """
        with self.desk() as desk:
            desk.set_deadline(datetime.now(UTC) + timedelta(hours=hours))

    def desk(self) -> Desk:
        return Desk.open(self.folder)

    def last_mail(self, address: str, back: int = 1) -> EmailMessage:
        """Return the mail that the server accepted last for a reader, or an earlier one."""
        return self.mails_to(address)[-back]

    def mails_to(self, address: str, since: int = 0) -> list[EmailMessage]:
        """Return what the server accepted for a reader, but for the first ``since`` mails."""
        taken = [each for each in self.smtp.taken[since:] if each.rcpt_tos == [address]]
        return [parse_mail(each.original_content or b"") for each in taken]


def answer(mail: EmailMessage, sender: str, text: str, page: str = "", **fields: str) -> bytes:
    """Return a plain answer to a mail; further fields are given by name, with ``_`` for ``-``."""
    message = EmailMessage(policy=SMTP.clone(cte_type="8bit"))
    message["From"], message["To"] = sender, mail["Reply-To"] or mail["From"]
    message["Subject"] = f"Re: {mail['Subject']}"
    message["Message-ID"] = make_msgid(domain="example.net")
    message["In-Reply-To"] = message["References"] = mail["Message-ID"]
    for name, value in fields.items():
        message[name.replace("_", "-")] = value
    message.set_content(text)
    if page:
        message.add_alternative(page, subtype="html")
    return message.as_bytes()
