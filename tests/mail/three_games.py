"""Three games that ``tick`` alone plays from one mailbox, full of other mail.

Some people play in two of the games.  In each phase everybody sends orders, some in two mails, some
first without the code, and those who play twice also write without saying for which game.  Between
these mails lie those of strangers, spam in the names of players, private letters, mail of a game
that is played elsewhere, copies of lists, automatic replies and bounces.  Nobody sits at the desk:
all that is ever run is ``tick --all --process``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path
from random import Random

from alexmagnum.bots.random_player import random_orders
from alexmagnum.game.desk import Desk
from alexmagnum.game.game import NewGame, Player
from alexmagnum.mail.outbox import Outbox
from alexmagnum.notation import write_order
from tests.commands import run_command
from tests.game.desks import new_desk
from tests.mail.machine_replies import bounce, of_a_list, out_of_office
from tests.mail.mail_desk import mail

MAILBOX = "perdicca@example.net"
GM = "arbitro@example.net"
NAMES = ("alfa", "beta", "gamma")
POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")

SETTINGS = {
    "mail_address": MAILBOX,
    "gm_address": GM,
    "lang": "en",
    "pictures": "no",
    "second_mail": "merge",
    "receipts": "send",
    "reports": "send",
    "announcements": "send",
    "reminders": "no",
    "missing": "wait",
}


def person(game: str, power: str) -> str:
    """Return the address of the player of a power; two play in the first two games."""
    if game in NAMES[:2] and power in ("England", "Turkey"):
        return f"both-{power.casefold()}@example.org"
    return f"{power.casefold()}-{game}@example.org"


@dataclass
class ThreeGames:
    """The games, their twins in which the same orders are typed in, and the mail between."""

    home: Path
    names: tuple[str, ...] = NAMES
    rng: Random = field(default_factory=lambda: Random(15))
    delivered: int = 0
    meant: dict[str, set[str]] = field(default_factory=dict)
    """The Message-IDs of the mails that are meant for each game."""

    @property
    def folder(self) -> Path:
        return self.home / "games"

    @property
    def mails(self) -> Path:
        """The folder into which the mail is delivered, as into a Maildir."""
        return self.home / "mails"

    def create(self) -> None:
        (self.mails / "new").mkdir(parents=True)
        for name in self.names:
            players = [Player(p, f"{p} of {name}", person(name, p), "en") for p in POWERS]
            new = NewGame("standard", name=name, players=players, settings=SETTINGS)
            Desk.create(self.folder / name, new).close()
            new_desk(self.home / "twins" / name, settings={"second_mail": "merge"}).close()
            self.meant[name] = set()

    def desk(self, name: str) -> Desk:
        return Desk.open(self.folder / name)

    def twin(self, name: str) -> Desk:
        return Desk.open(self.home / "twins" / name)

    def tick(self) -> None:
        run_command(
            "tick", "--all", str(self.folder), str(self.mails), "--process", cwd=self.home, status=0
        )

    # -- a phase ---------------------------------------------------------------------------------

    def play_phase(self, strangers: int) -> None:
        """Let everybody write for the open phases, and let the deadlines pass."""
        now = datetime.now(UTC) - timedelta(minutes=30)
        self.tick()
        first, second = self._write_orders()
        noise = [*self._noise(strangers), *self._private(), *self._machines(now)]
        self._send([*first, *noise], now)
        self.tick()
        self._send([*self._answer_questions(), *second], now + timedelta(minutes=10))
        self.tick()
        for name in self.names:
            with self.desk(name) as desk:
                desk.set_deadline(datetime.now(UTC) - timedelta(minutes=1))
        self.tick()

    def _send(self, raws: list[bytes], at: datetime) -> None:
        """Deliver mails that came at an instant."""
        self.rng.shuffle(raws)
        stamp = f"Received: by mail.example.net; {format_datetime(at)}\r\n".encode()
        for raw in raws:
            (self.mails / "new" / f"{self.delivered:05}.eml").write_bytes(stamp + raw)
            self.delivered += 1

    def _write_orders(self) -> tuple[list[bytes], list[bytes]]:
        """Return the mails with orders that come at once, and those that come later."""
        first, second = list[bytes](), list[bytes]()
        for name in self.names:
            with self.desk(name) as desk, self.twin(name) as twin:
                for power in [p.power for p in desk.status().powers if p.wanted]:
                    texts = self._think_up_orders(twin, power)
                    half = len(texts) // 2
                    first.append(self.reply(desk, power, texts[half:]))
                    second += [self.reply(desk, power, texts[:half])] if half else []
                    if power == "Austria":
                        first.append(first[-1])  # a mail that comes twice
                    if power in ("Germany", "Turkey"):
                        first.append(self.without_code(name, power, texts))
                twin.process(str(twin.phase), allow_missing=True)
        return first, second

    def _think_up_orders(self, twin: Desk, power: str) -> list[str]:
        """Return complete and legal orders of a power, which are typed into the twin as well."""
        while True:
            orders = random_orders(twin.position, self.rng).get(power, [])
            texts = [write_order(order) for order in orders]
            if not twin.submit(power, "\n".join(texts)).missing:
                return texts

    def _answer_questions(self) -> list[bytes]:
        """Return the answers of those who were asked: their orders, with the code.

        Those who play twice meant the first of their games.
        """
        answers = []
        for name in self.names:
            with self.desk(name) as desk:
                for letter in Outbox(desk).list_letters():
                    asked = letter.kind == "note" and letter.phase == str(desk.phase)
                    if asked and (letter.power != "Turkey" or name in ("alfa", "gamma")):
                        receipt = desk.receipt(letter.power)
                        orders = receipt.orders if receipt else ()
                        answers.append(self.reply(desk, letter.power, orders, letter.id))
        return answers

    # -- mails -----------------------------------------------------------------------------------

    def _id(self) -> str:
        return f"<{self.rng.getrandbits(64):016x}@example.org>"

    def last_letter(self, desk: Desk, power: str) -> EmailMessage:
        """Return the last letter to a power that has gone."""
        outbox = Outbox(desk)
        letters = [m for m in outbox.list_letters(("sent",)) if m.power == power]
        return outbox.message(letters[-1].id)

    def reply(self, desk: Desk, power: str, orders: Sequence[str], number: int = 0) -> bytes:
        """Return a player's answer to the last letter, or to the one with a number."""
        outbox = Outbox(desk)
        letter = outbox.message(number) if number else self.last_letter(desk, power)
        fields = {
            "Subject": f"Re: {letter['Subject']}",
            "In_Reply_To": str(letter["Message-ID"]),
            "References": f"{letter['References']} {letter['Message-ID']}",
        }
        text = "\n".join((*orders, "", "Regards,", power))
        to = str(letter["Reply-To"]).partition("<")[2].rstrip(">")
        return self.mail(text, person(desk.name, power), desk.name, to=to, **fields)

    def without_code(self, name: str, power: str, orders: Sequence[str]) -> bytes:
        """Return a new mail in which a player forgets the code, and to say for which game."""
        return self.mail("\n".join(orders), person(name, power), name)

    def mail(self, text: str, sender: str, game: str = "", to: str = MAILBOX, **more: str) -> bytes:
        name = self._id()
        if game:
            self.meant[game].add(name)
        return mail(text, sender, to, Message_ID=name, **more)

    def _noise(self, count: int) -> Iterator[bytes]:
        """Yield mail of strangers, spam, and mail of a game that is played elsewhere."""
        for number in range(count):
            who = f"someone{self.rng.randrange(50)}@example.com"
            player = person("gamma", "France")
            kinds: tuple[tuple[str, str, dict[str, str]], ...] = (
                ("Dear friend,\n\nyou have won.", who, {}),
                ("A VIE - GAL\nSTATUS\nHELP", who, {}),
                ("Cheap!", who, {"X_Spam_Flag": "YES"}),
                ("A PAR - BUR", player, {"X_Spam_Flag": "YES"}),
                ("A PAR - BUR", player, {"Subject": "Re: [AM-elsewhere] Report (France-abcdefgh)"}),
                ("F LON - NTH", who, {"Subject": "Orders for England"}),
            )
            text, sender, fields = kinds[number % len(kinds)]
            yield self.mail(text, sender, **fields)

    def _private(self) -> Iterator[bytes]:
        """Yield letters of players that have nothing to do with a game."""
        for name in self.names:
            power = self.rng.choice(POWERS)
            yield self.mail("Shall we have dinner on Friday? Regards", person(name, power))

    def _machines(self, now: datetime) -> Iterator[bytes]:
        """Yield what machines send: copies of a list, automatic replies, a bounce."""
        yield _renamed(of_a_list("A VIE - GAL\nSTATUS\n", now), self._id())
        for name in self.names:
            with self.desk(name) as desk:
                letter = self.last_letter(desk, "France")
                away = out_of_office(letter, "x", "I am away.\nA PAR - BUR\n", now)
                yield _renamed(away, self._id())
                yield _renamed(bounce(self.last_letter(desk, "Italy"), now), self._id())


def _renamed(raw: bytes, name: str) -> bytes:
    """Return a mail under another Message-ID, so that it counts as another one."""
    lines = raw.split(b"\r\n")
    at = next(i for i, line in enumerate(lines) if line.lower().startswith(b"message-id:"))
    return b"\r\n".join([*lines[:at], f"Message-ID: {name}".encode(), *lines[at + 1 :]])
