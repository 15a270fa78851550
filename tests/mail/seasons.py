"""Games from one mailbox, three of them with nineteen people, played as people are.

Everybody writes in a manner of their own: in lower case, in prose, on one line, with any mail
program, above or between what they quote.  Some send half of their orders and the rest later, some
change their minds, some are late, some never write.  They ask the game master, say that they stop,
send press, and have automatic replies.  Both servers fail for a time, and the game master is away
for some; all else that is ever run is the tick of all games, twice a day.
"""

import io
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from random import Random
from unittest.mock import patch

from alexmagnum.bots.random_player import random_orders
from alexmagnum.game.desk import Desk
from alexmagnum.game.game import NewGame, Player, Surroundings
from alexmagnum.game.mail_store import WAITING, InboxStore
from alexmagnum.game.orders import count_given_orders, find_required_orders
from alexmagnum.judge.checking import list_possible_orders
from alexmagnum.mail.inbox import Inbox
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.parsing.message import read_message
from alexmagnum.mail.sending import send
from alexmagnum.mail.tray import answer_passage, find_writer
from alexmagnum.notation import read_orders, write_order
from alexmagnum.orders import Order
from alexmagnum.position import Position
from alexmagnum.workflow.publish import update_letters
from alexmagnum.workflow.tick import GameLine, run_all_ticks
from tests.mail.clients import TOP, WAYS, Way, Writer
from tests.mail.dovecot import PASSWORD, Dovecot
from tests.mail.machine_replies import bounce, of_a_list, out_of_office
from tests.mail.mail_desk import mail
from tests.mail.manners import write_canonical, write_in_lower_case, write_on_one_line, write_prose
from tests.mail.people import Person
from tests.mail.smtp_server import SmtpServer, parse_mail

MAILBOX = "perdicca@example.net"
GM = "arbitro@example.net"
FOLDER = "Seasons"
BEGUN = datetime(2026, 11, 2, 9, tzinfo=UTC)
DAY = timedelta(days=1)
STEP = DAY / 2

SETTINGS = {
    "mail_address": MAILBOX,
    "gm_address": GM,
    "pictures": "no",
    "sandbox": "no",
    "receipts": "send",
    "reports": "send",
    "announcements": "send",
    "reminders": "send",
    "days_movement": "3",
    "days_retreats": "1",
    "days_winter": "1",
    "days_picks": "1",
}


@dataclass(frozen=True)
class Table:
    """A game: its map, its players with their languages, its settings, whether it ``waits`` while
    orders are missing, and the day on which somebody stops (``farewell``, 0 if nobody does)."""

    board: str
    langs: Mapping[str, str]
    settings: Mapping[str, str]
    bot: str = ""
    waits: bool = False
    farewell: int = 0


_SIX = dict(zip(("SEL", "TOL", "LIS", "AUT", "CAS", "CAN"), ("it", "en") * 3, strict=True))
_GREAT = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")

TABLES = {
    "diadochi": Table("alexmagnum", _SIX, {"missing": "wait"}, waits=True, farewell=8),
    "masked": Table(
        "standard",
        dict.fromkeys(_GREAT, "en"),
        {"names": "hidden", "press": "relay", "grace": "24", "missing": "hold"},
        farewell=4,
    ),
    "machine": Table(
        "standard",
        dict.fromkeys(_GREAT[:6], "it"),
        {"grace": "24", "missing": "bot:dumb"},
        bot="Turkey",
    ),
}

QUESTION = {
    "it": "Ho la domanda numero {} per l'arbitro: chi prepara le mappe così belle?",
    "en": "I have question number {} for the game master: who draws these beautiful maps?",
}
"""What people ask; who asks the same again before there was an answer is not told twice."""

NEW = "new."  # with what the address begins of somebody who took over

FAREWELL = {
    "it": "Mi dispiace molto, ma devo abbandonare la partita: non ho più tempo.",
    "en": "I am very sorry, but I have to resign from the game: I have no time any more.",
}


@dataclass(frozen=True)
class Planned:
    """A mail that somebody will send: some orders, words to the game master, or both."""

    game: str
    phase: str
    power: str
    at: datetime
    orders: tuple[Order, ...] = ()
    words: str = ""
    press: str = ""


@dataclass(frozen=True)
class Written:
    """A mail that was sent, and what it is; ``key``: by which its game knows it."""

    key: str
    planned: Planned
    kind: str = "player"


@dataclass
class Seasons:
    """The games while they are played.  By game, phase and power the orders that a player ended
    with (``meant``); every mail ``written``; by game and phase open a day after its deadline, the
    deadline (``overdue``); how many letters the server had taken at each step (``sent``)."""

    home: Path
    imap: Dovecot
    smtp: SmtpServer
    names: Sequence[str] = tuple(TABLES)
    rng: Random = field(default_factory=lambda: Random(19))
    clock: datetime = BEGUN
    writer: Writer = field(default_factory=Writer)
    people: dict[tuple[str, str], Person] = field(default_factory=dict)
    meant: dict[tuple[str, str, str], tuple[Order, ...]] = field(default_factory=dict)
    plans: list[Planned] = field(default_factory=list)
    written: list[Written] = field(default_factory=list)
    returned: set[str] = field(default_factory=set)
    overdue: dict[tuple[str, str], datetime] = field(default_factory=dict)
    sent: list[tuple[datetime, int]] = field(default_factory=list)
    left: set[str] = field(default_factory=set)
    failures: int = 0

    # -- the desks -------------------------------------------------------------------------------

    def create(self) -> None:
        """Create the games, with empty mailboxes, and send everybody the first letter."""
        self.imap.deliver(folder=FOLDER)
        servers = {**self.imap.settings_of(FOLDER), **self.smtp.settings}
        for name in self.names:
            table = TABLES[name]
            for power, lang in table.langs.items():
                address = f"{power.lower()}.{name}@example.org"
                self.people[name, power] = Person(power, f"{power} of {name}", address, lang)
            players = [self._player(name, power) for power in table.langs]
            players += [Player(table.bot, "", bot="dumb")] if table.bot else []
            settings = {**SETTINGS, **table.settings, **servers}
            new = NewGame(table.board, name=name, lang="en", players=players, settings=settings)
            with Desk.create(self.folder / name, new, self._around) as desk:
                update_letters(desk, opening=True)
                list(send(Outbox(desk)))

    @property
    def folder(self) -> Path:
        return self.home / "games"

    @property
    def _around(self) -> Surroundings:
        return Surroundings(lambda: self.clock)

    def desk(self, name: str) -> Desk:
        return Desk.open(self.folder / name, self._around)

    def _player(self, game: str, power: str) -> Player:
        who = self.people[game, power]
        return Player(power, who.name, who.address, who.lang)

    def tick(self, password: str = PASSWORD) -> None:
        """Run the tick of all games, as cron does."""
        with ExitStack() as stack, patch.dict(os.environ, ALEXMAGNUM_IMAP_PASSWORD=password):
            done, failures = run_all_ticks(
                self.folder,
                lambda path: Desk.open(path, self._around),
                (),
                io.BytesIO(),
                stack,
                processes=True,
            )
            self.failures += len(failures) + sum(map(_has_failed, done))
        self.sent.append((self.clock, len(self.smtp.taken)))

    # -- the days --------------------------------------------------------------------------------

    def play(
        self, years: int, away: range, smtp_fails: range, imap_fails: range, days: int = 0
    ) -> None:
        """Play until each game has so many years behind it, or so many days.  The game master does
        what they are told and replaces who stops, but on the days ``away``; on the days
        ``smtp_fails`` the server takes no letter, on the days ``imap_fails`` it lets nobody in."""
        steps = 0
        days = days or 45 * years
        while not all(self.is_over(name, years) for name in self.names):
            if (day := steps // 2) >= days:
                break
            self.clock += STEP
            steps += 1
            self._fail_for(day in smtp_fails)
            self._deliver_due()
            self.tick("wrong" if day in imap_fails else PASSWORD)
            for name in self.names:
                if not self.is_over(name, years):
                    self._look_at(name, day)
            if day not in away:
                self._sit_down()
        self.smtp.answers.clear()
        self._deliver_due()
        self.tick()
        self._sit_down()
        self.tick()

    def is_over(self, name: str, years: int) -> bool:
        """Tell whether a game has ended, or has so many years behind it."""
        with self.desk(name) as desk:
            first = desk.phases()[0].name
            years_gone = abs(int(str(desk.phase)[:4].strip("-")) - int(first[:4].strip("-")))
            return desk.head().is_over or years_gone >= years

    def _fail_for(self, fails: bool) -> None:
        addresses = [who.address for who in self.people.values()]
        no = "451 try again later"
        self.smtp.answers = {("RCPT", to): no for to in addresses} if fails else {}

    # -- what people do --------------------------------------------------------------------------

    def _look_at(self, name: str, day: int) -> None:
        """Let the people of a game see what is open, and plan what they will write."""
        with self.desk(name) as desk:
            phase, deadline = str(desk.phase), datetime.fromisoformat(desk.deadline)
            if self.clock >= deadline + DAY:
                self.overdue.setdefault((name, phase), deadline)
            for power in [p.power for p in desk.status().powers if p.wanted]:
                known = (name, phase, power)
                is_new = power in TABLES[name].langs and known not in self.meant
                if is_new and self._has_letter_of(desk, power):
                    self.plans += self._plan(desk.position, known, deadline)
            if name == "masked" and self.rng.random() < 0.2:
                self._plan_press(desk, phase)
        if day == TABLES[name].farewell and name not in self.left:
            self._plan_farewell(name)

    def _has_letter_of(self, desk: Desk, power: str) -> bool:
        """Tell whether a letter of the open phase has reached a player."""
        letters = Outbox(desk).list_letters(("sent",))
        return any(m.power == power and m.phase == str(desk.phase) for m in letters)

    def _plan(
        self, position: Position, known: tuple[str, str, str], deadline: datetime
    ) -> Iterator[Planned]:
        """Yield what a player will write for a phase, and note what they end with."""
        game, phase, power = known
        orders = self._think_up_orders(position, power)
        question = QUESTION[self.people[game, power].lang].format(len(self.meant))
        left = max(deadline - self.clock, STEP)

        def write(share: float, some: Sequence[Order], words: str = "") -> Planned:
            return Planned(game, phase, power, self.clock + left * share, tuple(some), words)

        early, late = sorted(self.rng.uniform(0.0, 0.8) for _ in range(2))
        manner = self.rng.random()
        self.meant[known] = orders
        if manner < 0.12:
            half = len(orders) // 2
            yield write(early, orders[half:])
            yield write(late + 0.05, orders[:half])
        elif manner < 0.2 and position.phase.kind == "movement":
            yield write(early, self._think_up_orders(position, power))
            yield write(late + 0.05, orders)
        elif manner < 0.3:
            yield write(early, orders, question)
        elif manner < 0.36:
            yield write(early, (), question)
            yield write(late + 0.05, orders)
        elif manner < 0.42:
            yield write(1.0 + 10 / 24 * (DAY / left), orders)
        elif manner < 0.47 and not TABLES[game].waits:
            self.meant[known] = ()
        else:
            yield write(early, orders)

    def _think_up_orders(self, position: Position, power: str) -> tuple[Order, ...]:
        """Return complete and legal orders of a power, as they are when they are read."""
        things = find_required_orders(position).get(power, ())
        while True:
            said = "\n".join(map(write_order, random_orders(position, self.rng).get(power, ())))
            orders = tuple(read_orders(said, position, power).orders.get(power, ()))
            if len(list_possible_orders(position, power, orders)) < len(orders):
                continue  # one that is impossible leaves the order in force that came before it
            if count_given_orders(position, power, things, orders) == len(things):
                return orders

    def _plan_press(self, desk: Desk, phase: str) -> None:
        one, other = self.rng.sample(list(TABLES["masked"].langs), 2)
        press = f"PRESS TO {other}\nShall we march together, {other}?\nENDPRESS"
        if self._has_letter_of(desk, one):
            self.plans.append(Planned("masked", phase, one, self.clock, press=press))

    def _plan_farewell(self, game: str) -> None:
        self.left.add(game)
        power = next(iter(TABLES[game].langs))
        words = FAREWELL[self.people[game, power].lang]
        with self.desk(game) as desk:
            self.plans.append(Planned(game, str(desk.phase), power, self.clock, words=words))

    # -- mails -----------------------------------------------------------------------------------

    def _deliver_due(self) -> None:
        """Deliver what people have written until now."""
        due = sorted((p for p in self.plans if p.at <= self.clock), key=lambda p: p.at)
        self.plans = [p for p in self.plans if p.at > self.clock]
        for planned in due:
            raw = self._write(planned)
            self.imap.deliver(raw, at=planned.at, folder=FOLDER)
            self.written.append(Written(read_message(raw).key, planned))
            if self.rng.random() < 0.1:
                self._deliver_other_mail(planned)

    def _write(self, planned: Planned) -> bytes:
        who = self.people[planned.game, planned.power]
        with self.desk(planned.game) as desk:
            said = self._word(desk.position_before(planned.phase), who, planned.orders)
        text = "\n\n".join(filter(None, (said, planned.press, planned.words)))
        way = self.rng.choice(_ALL_WAYS) if said else ("gmail_web", TOP)
        return self.writer.reply(who, self._last_letter(who), text, planned.at, way)

    def _word(self, position: Position, who: Person, orders: tuple[Order, ...]) -> str:
        """Return orders in some manner in which a person would find them again."""
        said = self.rng.choice(_MANNERS)(position, who.lang, orders)
        read = read_orders(said, position, who.power).orders.get(who.power, ())
        return (
            said
            if sorted(map(str, read)) == sorted(map(str, orders))
            else write_canonical(position, who.lang, orders)
        )

    def _last_letter(self, who: Person) -> EmailMessage:
        return next(
            parse_mail(each.original_content or b"")
            for each in reversed(self.smtp.taken)
            if each.rcpt_tos == [who.address]
        )

    def _deliver_other_mail(self, planned: Planned) -> None:
        """Deliver an automatic reply of the same player, and what else comes: mail of strangers,
        spam in the player's name, mail of a game that is played elsewhere, a copy of a list, and a
        letter that comes back."""
        who = self.people[planned.game, planned.power]
        name = f"away-{len(self.written)}"
        said = f"I am away until Monday ({name})."
        away = out_of_office(self._last_letter(who), name, said, self.clock)
        self.imap.deliver(away, at=self.clock, folder=FOLDER)
        self.written.append(Written(read_message(away).key, planned, "machine"))
        others: tuple[bytes, ...] = (
            mail("A VIE - GAL\nSTATUS", "someone@example.com", MAILBOX),
            mail("Cheap!", "someone@example.com", MAILBOX, X_Spam_Flag="YES"),
            mail("Cheap!", who.address, MAILBOX, X_Spam_Flag="YES"),
            mail(
                "A PAR - BUR", who.address, MAILBOX, Subject="Re: [AM-elsewhere] Report (France-ab)"
            ),
            of_a_list("A VIE - GAL\nSTATUS\n", self.clock),
            bounce(returned := self._last_letter(who), self.clock),
        )
        self.returned.add(str(returned["Message-ID"]))
        for raw in others:
            self.imap.deliver(raw, at=self.clock, folder=FOLDER)

    def find_orders(self, game: str, phase: str, power: str) -> list[str]:
        """Return the keys of a player's mails with orders for a phase."""
        return [
            each.key
            for each in self.written
            if (each.planned.game, each.planned.phase, each.planned.power) == (game, phase, power)
            and each.planned.orders
            and each.kind == "player"
        ]

    # -- the game master -------------------------------------------------------------------------

    def _sit_down(self) -> None:
        """Decide about doubtful mails, answer what players said, and put somebody else in the place
        of who stops."""
        for name in self.names:
            with self.desk(name) as desk:
                outbox = Outbox(desk)
                if doubtful := [row.id for row in InboxStore(desk.file).find_all(WAITING)]:
                    Inbox(desk).reject(doubtful, "I do not know who wrote this")
                for passage in InboxStore(desk.file).find_passages():
                    if find_writer(outbox.game, passage) is not None:
                        answer_passage(outbox, passage.message, "Grazie, thanks!")
                    said = [" ".join(words.split()) for _, words in passage.parts]
                    if not {*said}.isdisjoint(FAREWELL.values()):
                        self._replace(desk, name, passage.power)
                list(send(outbox))

    def _replace(self, desk: Desk, game: str, power: str) -> None:
        old = self.people[game, power]
        new = replace(old, name=f"New {old.name}", address=f"{NEW}{old.address}")
        self.people[game, power] = new
        desk.replace_player(self._player(game, power))
        update_letters(desk)


def _has_failed(line: GameLine) -> bool:
    return line.error is not None or (line.tick is not None and bool(line.tick.failures))


_ALL_WAYS: tuple[Way, ...] = tuple(way for ways in WAYS.values() for way in ways)
_MANNERS: tuple[Callable[[Position, str, tuple[Order, ...]], str], ...] = (
    write_canonical,
    write_in_lower_case,
    write_prose,
    write_on_one_line,
)
