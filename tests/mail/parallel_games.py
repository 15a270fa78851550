"""The sample game by mail, played several times with other secrets.

In each phase the people of the sample game write what they wrote, from their own addresses, and
then ask for everything there is to ask for.  A *world* is one game of several: it differs from the
real one in what some of the people write.  Chance and clock are the same in every world, so that
the letters to everybody else must be the same, byte for byte.
"""

import hashlib
import shutil
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formataddr
from pathlib import Path
from random import Random

from alexmagnum.bots.random_player import random_orders
from alexmagnum.game.desk import Desk
from alexmagnum.game.file import OUTBOX
from alexmagnum.game.game import NewGame, Player, Receipt, Surroundings
from alexmagnum.game.mail_store import DRAFT, reply_address, subject_tag
from alexmagnum.game.orders import count_given_orders, find_required_orders, read_canonical_orders
from alexmagnum.i18n.dates import parse_iso
from alexmagnum.mail.composition import rewrite_as_draft
from alexmagnum.mail.inbox import Inbox
from alexmagnum.mail.outbox import DRAFTS, Outbox
from alexmagnum.mail.sending import send
from alexmagnum.mail.transport import Found
from alexmagnum.notation import write_order
from alexmagnum.orders import Order
from alexmagnum.position import Position
from alexmagnum.workflow.publish import update_letters
from tools.demo import Story, Turn

GAME = "arbitro@example.net"
EVE = "eve@example.com"

ASKED = "STATO\nORDINI\nSTORIA\nAIUTO\nASSENZA"
"""What everybody asks for in a mail of its own, before the phase is resolved and after."""

RELAYED = ("323-2", "322-autumn")
"""Phases in which press is relayed at once; in the others it is held for the report."""

AT_ONCE = ("323-1", "323-3", "322-spring", "322-winter", "321-autumn", "320-spring")
"""The phases whose letters go out as soon as they are made; in the others they lie there as drafts,
and are composed anew when the deadline changes."""

Letters = Mapping[str, Mapping[str, bytes]]
"""Letters as they are in their files, by power and name of the file."""


@dataclass(frozen=True, slots=True)
class Written:
    """A mail that somebody sends.

    ``phase`` is the phase whose code it brings, ``sender`` the address if it is not the registered
    one; ``orders`` tells whether it has orders.
    """

    at: datetime
    power: str
    text: str
    phase: str
    sender: str = ""
    orders: bool = True


Retold = Callable[[Written, Receipt | None, Position], Written]
"""What somebody wrote in another world, in place of a mail; with the receipt that the real one
had, and the position before the phase."""


# -- chance and time -------------------------------------------------------------------------------


@dataclass
class Clockwork:
    """A clock that the test sets, and random bytes that depend on its instant alone."""

    at: datetime
    drawn: int = field(default=0, init=False)

    def now(self) -> datetime:
        return self.at

    def set(self, at: datetime) -> None:
        self.at, self.drawn = at, 0

    def chance(self, count: int) -> bytes:
        """Return so many bytes (up to 32)."""
        self.drawn += 1
        return hashlib.sha256(f"{self.at} {self.drawn}".encode()).digest()[:count]


# -- the game --------------------------------------------------------------------------------------


def begin(story: Story, folder: Path, **settings: str) -> None:
    """Create the sample game in a folder, to be played by mail."""
    clock = Clockwork(story.begun)
    by_mail = {"mail_address": GAME, "mail_name": "L'arbitro", "pictures": "no"}
    new = NewGame(
        story.map,
        name=story.name,
        lang=story.lang,
        players=[Player(p.power, p.name, p.address, p.lang) for p in story.players],
        settings={**story.settings, **by_mail, **settings},
    )
    Desk.create(folder, new, Surroundings(clock.now, clock.chance)).close()


@dataclass
class Round:
    """One phase in one world: the letters drafted until it was processed, and older drafts
    (``before``), the same letters as they were ``sent``, and the reports of the phase
    (``after``)."""

    folder: Path
    turn: Turn
    receipts: list[Receipt | None] = field(default_factory=list)
    before: Letters = field(default_factory=dict)
    sent: Letters = field(default_factory=dict)
    after: Letters = field(default_factory=dict)

    def play(self, mails: Sequence[Written], *, resolve: bool = True) -> None:
        """Play the phase with these mails, oldest first."""
        self.clock = Clockwork(mails[0].at)
        with Desk.open(self.folder, Surroundings(self.clock.now, self.clock.chance)) as self.desk:
            self.desk.set("press", "relay" if self.turn.phase in RELAYED else "held")
            if self.turn.phase == "323-1":
                update_letters(self.desk, opening=True)
            if self.turn.phase in AT_ONCE:
                list(send(Outbox(self.desk)))
            for mail in mails:
                self._deliver(mail)
            self._announce()
            self.before = _merge_letters(_drafts(self.desk), _files(self.folder / OUTBOX))
            if resolve:
                self._resolve()

    def _deliver(self, mail: Written) -> None:
        """Do what happened before a mail came in, then deliver the mail."""
        turn, box = self.turn, self.desk
        for at, act in (
            (turn.newcomer.at if turn.newcomer else None, self._newcomer),
            (turn.extended[0] if turn.extended else None, self._extend),
        ):
            if at is not None and self.clock.at < at <= mail.at:
                self.clock.set(at)
                act()
        self.clock.set(mail.at)
        (message,) = Inbox(box).fetch([Found(self.raw(mail), mail.at, "test")])
        self.receipts.append(box.receipt(mail.power))
        expected = "waiting" if mail.sender or mail.phase != turn.phase else "taken"
        assert message.state == expected, (mail, message.why)

    def raw(self, mail: Written) -> bytes:
        """Return the bytes of a mail: a plain reply to the last letter of the game."""
        game = self.desk
        player = next(p for p in self.desk.players if p.power == mail.power)
        message = EmailMessage(policy=SMTP)
        message["From"] = formataddr((player.name, mail.sender or player.address), "utf-8")
        message["To"] = reply_address(game, mail.power, mail.phase)
        message["Subject"] = f"Re: [AM-game] Report {subject_tag(game, mail.power, mail.phase)}"
        message["Date"] = mail.at
        message["Message-ID"] = f"<{mail.at.timestamp():.0f}.{mail.power}@example.org>"
        message.set_content(mail.text)
        return message.as_bytes()

    def _newcomer(self) -> None:
        person = self.turn.newcomer
        assert person is not None
        self.desk.replace_player(Player(person.power, person.name, person.address, person.lang))

    def _extend(self) -> None:
        """Extend the deadline; reports that were not sent yet are composed again."""
        self.desk.extend(parse_iso(self.desk.deadline) + timedelta(days=2))
        update_letters(self.desk)

    def _announce(self) -> None:
        """Draft every letter that can be sent while orders wait: a new deadline and reminders."""
        self.clock.set(self.turn.processed - timedelta(hours=2))
        self.desk.extend(parse_iso(self.desk.deadline) + timedelta(hours=1))
        update_letters(self.desk)
        update_letters(self.desk, day=str(self.clock.at.date()))

    def _resolve(self) -> None:
        """Send the drafts, process the phase, and draft its reports."""
        list(send(Outbox(self.desk)))
        self.sent = _files(self.folder / OUTBOX)
        shutil.rmtree(self.folder / OUTBOX)
        self.clock.set(self.turn.processed)
        for where, words in (("before", self.turn.before), ("after", self.turn.after)):
            if words:
                self.desk.add_text(self.turn.phase, where, words)
        self.desk.process(self.turn.phase, allow_missing=self.turn.missing)
        self.clock.set(self.turn.processed + timedelta(minutes=1))
        update_letters(self.desk)
        self.after = _drafts(self.desk)


def _drafts(desk: Desk) -> Letters:
    """Return the drafts by power, each with the files that are attached when it is sent."""
    box, found = Outbox(desk), dict[str, dict[str, bytes]]()
    for mailing in box.list_letters((DRAFT,)):
        name = f"{DRAFTS}/{mailing.file}"
        found.setdefault(mailing.power, {})[name] = rewrite_as_draft(box.message(mailing.id))
    return found


def _files(folder: Path) -> Letters:
    """Return the letters in a folder by power, which is the end of their names."""
    found: dict[str, dict[str, bytes]] = {}
    for path in sorted(folder.glob("*.eml")):
        power = path.stem.rpartition("-")[2]
        found.setdefault(power, {})[f"{folder.name}/{path.name}"] = path.read_bytes()
    return found


def _merge_letters(some: Letters, more: Letters) -> Letters:
    return {power: {**some.get(power, {}), **more.get(power, {})} for power in {**some, **more}}


# -- what is written in the real world -------------------------------------------------------------


def script(turn: Turn, late: Sequence[Written], powers: Sequence[str]) -> list[Written]:
    """List the mails that come in during a phase, oldest first: those of the sample game, every
    request of every player, and a stranger's in every name; ``late`` came after a phase."""
    mails = [
        Written(mail.at, mail.power, mail.path.read_text(encoding="utf-8"), turn.phase)
        for mail in turn.mails
        if not mail.refused
    ]
    for number, power in enumerate(powers):
        at = turn.processed - timedelta(hours=4) + timedelta(minutes=number)
        text = f"{ASKED}\n\n{_press(power, powers, '')}"
        mails.append(Written(at, power, text, turn.phase, orders=False))
        at += timedelta(minutes=20)
        mails.append(Written(at, power, "A MEN - ALE\nScelgo Tiro\n", turn.phase, EVE))
    return sorted((*mails, *late), key=lambda mail: mail.at)


def late_mails(turn: Turn) -> list[Written]:
    """Return the mails of a phase that came after its end: they carry its code."""
    return [
        Written(mail.at, mail.power, mail.path.read_text(encoding="utf-8"), turn.phase)
        for mail in turn.mails
        if mail.refused
    ]


def _press(power: str, powers: Sequence[str], secret: str, partners: Collection[str] = ()) -> str:
    """Press to all, and a letter to each other power; ``secret`` is what those to partners say."""
    pieces = [f"STAMPA A TUTTI\n{power} greets everybody.\nFINE STAMPA"]
    for reader in powers:
        if reader != power:
            word = secret if reader in partners else "in the real world"
            pieces.append(f"STAMPA A {reader}\n{power} to {reader}, {word}\nFINE STAMPA")
    return "\n\n".join(pieces)


# -- what is written in another --------------------------------------------------------------------


def other_orders(mail: Written, receipt: Receipt | None, position: Position) -> str:
    """Other orders than those of a mail, as complete as they are; with another letter around
    them, a line that cannot be read, and orders ahead."""
    if receipt is None:  # it came too late, and waits
        return "F EGE - CRE\n"
    wrote = read_canonical_orders(position, mail.power, receipt.orders)
    for seed in range(200):
        orders = random_orders(position, Random(f"{mail.at} {seed}")).get(mail.power, [])
        texts = [write_order(order) for order in orders]
        alike = _is_full(position, mail.power, orders) == _is_full(position, mail.power, wrote)
        if alike and set(texts) != set(receipt.orders):
            return _around(texts, position)
    raise AssertionError(f"there are no other orders for {mail.power}")


def _is_full(position: Position, power: str, orders: Sequence[Order]) -> bool:
    """Tell whether all orders of a power are in; everybody may know how many powers these are."""
    things = find_required_orders(position).get(power, ())
    return count_given_orders(position, power, things, orders) == len(things)


def same_orders(mail: Written, receipt: Receipt | None, position: Position) -> str:
    """Return another mail with the same orders as a mail."""
    return _around(receipt.orders if receipt else ("F EGE - CRE",), position)


def _around(orders: Sequence[str], position: Position) -> str:
    body = "\n".join(orders)
    ahead = "Inverno:\nWaive\n" if position.phase.kind == "movement" else ""
    return f"Altro mondo, altra lettera.\n\n{body}\n\nA MEN va verso Atlantide\n\n{ahead}"


def make_retelling(
    some: Collection[str], powers: Sequence[str], orders: Callable[..., str]
) -> Retold:
    """Rewrite a phase's mails for another world, where some powers send the orders in ``orders``;
    the stranger who writes in every player's name is in it too."""

    def retell(mail: Written, receipt: Receipt | None, position: Position) -> Written:
        if mail.sender:
            return replace(mail, text="STATO\nF EGE - CRE\nScelgo Babilonia\n")
        if mail.power not in some:
            return mail
        if not mail.orders:
            votes = "VOTO PATTA\nATTENDI\nCONCEDO A SEL\nASSENZA 20/12/2026 - 22/12/2026\nMAPPE"
            press = _press(mail.power, powers, f"a plot of {', '.join(some)}", some)
            return replace(mail, text=f"{votes}\n\n{press}")
        return replace(mail, text=orders(mail, receipt, position))

    return retell
