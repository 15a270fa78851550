"""A folder with several games that share a mailbox, and the commands on it."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from alexmagnum.cli import app
from alexmagnum.game.desk import Desk
from alexmagnum.game.game import Player, Surroundings
from alexmagnum.game.mail_store import Message, reply_address, subject_tag
from alexmagnum.mail.inbox import Inbox
from tests.game.desks import Clock, new_desk, salts
from tests.mail.mail_desk import mail

MAILBOX = "desk@example.net"
BRUNO = "bruno@example.org"  # the player of England in both games

SETTINGS = {
    "mail_address": MAILBOX,
    "lang": "en",
    "pictures": "no",
    "announcements": "no",
    "receipts": "send",
    "reports": "send",
    "missing": "hold",
}


@dataclass
class GamesTable:
    """Games in a folder: ``alfa`` and ``beta``, with a player of their own each and one of both."""

    folder: Path
    clock: Any = field(default_factory=Clock)
    numbers: Iterator[int] = field(default_factory=lambda: iter(range(1000)))
    chance: Callable[[int], bytes] = field(default_factory=salts)
    """One source for all games: no two have the same codes."""

    def create(self, *names: str, settings: Mapping[str, str] | None = None) -> None:
        for name in names:
            players = (
                Player("Austria", "Anna", f"anna-{name}@example.org", "en"),
                Player("England", "Bruno", BRUNO, "en"),
            )
            about = {**SETTINGS, **(settings or {})}
            new_desk(
                self.folder / name, players=players, settings=about, name=name, now=self.clock
            ).close()

    def run(self, *arguments: str, status: int = 0) -> Result:
        around = Surroundings(self.clock, self.chance)
        done = CliRunner(env={"NO_COLOR": "1"}).invoke(app, arguments, obj=around)
        assert done.exit_code == status, (arguments, done.output, done.exception)
        return done

    def tick(self, *raws: bytes, status: int = 0, options: tuple[str, ...] = ()) -> Result:
        """Run the tick of all games on some mails."""
        paths = []
        for raw in raws:
            paths.append(self.folder.parent / f"{next(self.numbers):04}.eml")
            paths[-1].write_bytes(raw)
        all_of_them = ("tick", "--all", str(self.folder), *map(str, paths), *options)
        return self.run(*all_of_them, status=status)

    def json(self, *arguments: str, status: int = 0) -> Any:
        return json.loads(self.run(*arguments, "--json", status=status).stdout)

    def desk(self, name: str) -> Desk:
        return Desk.open(self.folder / name, Surroundings(self.clock, self.chance))

    def address(self, name: str, power: str = "England") -> str:
        """Return the address for a power's answers in the open phase of a game."""
        with self.desk(name) as desk:
            return reply_address(desk, power, str(desk.head().name))

    def tag(self, name: str, power: str = "England") -> str:
        """Return the end of the subject of a power's letters, with the code."""
        with self.desk(name) as desk:
            return subject_tag(desk, power, str(desk.head().name))

    def orders(self, name: str, power: str = "England") -> tuple[str, ...]:
        with self.desk(name) as desk:
            receipt = desk.receipt(power)
        return receipt.orders if receipt else ()

    def messages(self, name: str) -> tuple[Message, ...]:
        with self.desk(name) as desk:
            return Inbox(desk).store.find_all()

    def states(self, name: str) -> list[str]:
        return [message.state for message in self.messages(name)]

    def letters(self, name: str) -> list[tuple[str, str, str]]:
        """Return the kind, power and text of every letter of a game."""
        with self.desk(name) as desk:
            outbox = Inbox(desk).outbox
            return [(each.kind, each.power, outbox.text(each)) for each in outbox.list_letters()]

    def question(self, name: str) -> str:
        """Return the Message-ID of the letter in which a game asks which game a mail is for."""
        with self.desk(name) as desk:
            listed = Inbox(desk).outbox.list_letters()
        (found,) = [each.message_id for each in listed if each.kind == "note"]
        return found

    def mail(self, text: str, sender: str = BRUNO, to: str = MAILBOX, **fields: str) -> bytes:
        return mail(text, sender, to, **{"Message_ID": f"<{next(self.numbers)}@x.org>", **fields})
