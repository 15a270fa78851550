"""A game master who plays by mail: his commands, a real mailbox, and a real server that sends."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path

from click.testing import CliRunner

from alexmagnum.cli import app
from alexmagnum.game import Desk
from tests.cli.desks import PLAIN, call
from tests.mail.dovecot import PASSWORD, Dovecot
from tests.mail.people import GAME, GM, Person
from tests.mail.smtp_server import Post, parsed

SECRETS = {"ALEXMAGNUM_IMAP_PASSWORD": PASSWORD}


@dataclass
class Table:
    """``said`` is what his commands printed.

    ``installed``: each command is a process of its own; else it is called in this one, which is
    faster.
    """

    folder: Path
    imap: Dovecot
    post: Post
    installed: bool = True
    said: list[str] = field(default_factory=list)

    def found(self, people: Iterable[Person]) -> None:
        """Begin the game."""
        listed = tuple(people)
        settings = {**self.imap.settings, **self.post.settings}
        settings |= {"mail_address": GAME, "mail_name": GM}
        players = [f"--player={who.power}={who.name} <{who.address}>" for who in listed]
        done = call(
            *("new", self.folder.name, "--name", "Perdicca", "--lang", "it", *PLAIN, *players),
            *(f"--set={name}={value}" for name, value in settings.items()),
            cwd=self.folder.parent,
        )
        self.said.append(done.out)
        with self.desk() as desk:
            for who in listed:
                desk.set_player(who.power, lang=who.lang)

    def run(self, *arguments: str, status: int = 0) -> str:
        """What a command printed; it has to end with ``status``."""
        if self.installed:
            done = call(*arguments, cwd=self.folder, status=status, environment=SECRETS)
            self.said.append(done.out + done.err)
            return done.out
        run = CliRunner(env=SECRETS).invoke(app, ["--game", str(self.folder), *arguments])
        assert run.exit_code == status, (arguments, run.output, run.exception)
        self.said.append(run.output)
        return run.stdout

    def let_pass(self, hours: float) -> None:
        """As if it were so many hours to the deadline, or so many after it if they are less
        than none: the clock of the mail server cannot be put forward."""
        with self.desk() as desk:
            desk.set_deadline(datetime.now(UTC) + timedelta(hours=hours))

    def desk(self) -> Desk:
        return Desk.open(self.folder)

    def last_mail(self, address: str, back: int = 1) -> EmailMessage:
        """What the server took for somebody last, or before that."""
        taken = [each for each in self.post.taken if each.rcpt_tos == [address]]
        return parsed(taken[-back].original_content or b"")
