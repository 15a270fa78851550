"""The script of a game played by mail: a Cyprus year and two seasons, with every incident.

The players get nothing but what arrives at the server, and answer it.  The game master takes each
step by a command: in the proof each command of the first period is a process of its own, in the
rest it is called inside this one, which is faster; the seasons are played with ``tick``.

Most letters are from the sample game.  Antigonus and Ptolemy write different ones here, so that a
fleet has to retreat in the spring; these letters and the orders are in ``game_by_mail.yaml``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import make_msgid
from pathlib import Path

from alexmagnum.game.desk import Desk
from alexmagnum.mail.parsing.message import read_message
from tests.case_library import read_yaml
from tests.commands import NO_PICTURES, run_command
from tests.mail.clients import BETWEEN, BOTTOM, TOP, Way, Writer
from tests.mail.dovecot import PASSWORD, Dovecot
from tests.mail.machine_replies import bounce, marked_as_bulk, of_a_list, out_of_office
from tests.mail.mime import quoted
from tests.mail.people import GAME, GM, Person
from tests.mail.smtp_server import SmtpServer, parse_mail
from tests.sample_turn import NAMES

SAMPLE = Path(__file__).parents[2] / "orders" / "game"

DATA = read_yaml(Path(__file__).with_suffix(".yaml"))
PEOPLE = tuple(Person(**person) for person in DATA["people"])
CYPRUS = tuple(f"323-{period}" for period in range(1, 7))
SEASONS = ("322-spring", "322-spring-retreats", "322-autumn", "322-autumn-retreats")
PHASES = (*CYPRUS, *SEASONS)

MEANT: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    phase: {power: tuple(orders) for power, orders in meant.items()}
    for phase, meant in DATA["meant"].items()
}
"""The orders that count, by phase and power, as a person understands the letters."""


def letters(phase: str, power: str) -> list[str]:
    """Return what the player of a power writes in a phase, one text for each letter."""
    if power in DATA["letters"].get(phase, {}):
        return [DATA["letters"][phase][power]]
    files = sorted((SAMPLE / phase).glob(f"*-{NAMES[power]}.txt"))
    return [file.read_text(encoding="utf-8") for file in files]


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


WHO: Mapping[str, Person] = {person.power: person for person in PEOPLE}

EVE = "eve@example.com"
"""A stranger who plays no power and writes as if they did."""

AT_WORK = "m.okafor@work.example.com"
"""An address from which a player writes once; the game does not know it."""

ALLIANCE = "Tolomeo non deve avere Creta. Ci state?"
WHISPER = "The Aegean is wide enough for both of us."


@dataclass
class Played:
    """A game while it is played.

    ``named`` has the keys of messages that matter to a test; ``open`` and ``closed`` have how many
    mails the game had sent when a phase was opened, and just before it was processed.
    """

    mailbox: MailboxGame
    writer: Writer = field(default_factory=Writer)
    named: dict[str, str] = field(default_factory=dict)
    open: dict[str, int] = field(default_factory=dict)
    closed: dict[str, int] = field(default_factory=dict)

    # -- writing ---------------------------------------------------------------------------------

    def last(self, power: str, back: int = 1) -> EmailMessage:
        """Return the last mail to the player of a power, or an earlier one."""
        return self.mailbox.last_mail(WHO[power].address, back)

    def write(
        self,
        power: str,
        said: str,
        name: str = "",
        *,
        answered: EmailMessage | None = None,
        way: Way | None = None,
        sender: str = "",
        copies: int = 1,
    ) -> None:
        """Let a player answer their last mail, or another; ``name`` is for the tests."""
        who = replace(WHO[power], address=sender) if sender else WHO[power]
        mail = self.writer.reply(who, answered or self.last(power), said, _now(), way)
        self.arrive(*[mail] * copies, name=name)

    def arrive(self, *raws: bytes, name: str = "", at: datetime | None = None) -> None:
        """Deliver mail into the mailbox."""
        self.mailbox.imap.deliver(*raws, at=at or _now())
        if name:
            self.named[name] = read_message(raws[0]).key

    def write_all(self, phase: str, but: Sequence[str] = ()) -> None:
        """Let everybody who owes orders in a phase send their letters."""
        for power in MEANT[phase]:
            if power not in but:
                for text in letters(phase, power):
                    self.write(power, text)

    # -- the game master -------------------------------------------------------------------------

    def fetch(self) -> None:
        """Fetch the mail and send the answers."""
        self.mailbox.run("inbox", "fetch")
        self.mailbox.run("outbox", "send")

    def number(self, name: str) -> str:
        """Return the number of a message in the inbox."""
        with self.mailbox.desk() as desk:
            row = desk.file.row("SELECT id FROM messages WHERE key = ?", self.named[name])
        assert row is not None, name
        return str(row["id"])

    def begin(self, phase: str) -> None:
        self.open[phase] = len(self.mailbox.smtp.taken)

    def resolve(self, phase: str) -> None:
        self.closed[phase] = len(self.mailbox.smtp.taken)
        self.mailbox.run("process", phase, "--allow-missing")  # void picks and second generals
        self.mailbox.run("outbox", "send")


def _now() -> datetime:
    return datetime.now(UTC)


# -- the conference --------------------------------------------------------------------------------


def play_conference(game: Played, phases: int = len(CYPRUS)) -> None:
    """Play from the first pick to the deployment, or so many phases of it."""
    game.mailbox.run("outbox", "remind", "--all")
    game.mailbox.run("outbox", "send")
    for phase, incidents in zip(CYPRUS[:phases], _CONFERENCE[:phases], strict=True):
        game.mailbox.separate &= phase == CYPRUS[0]
        game.begin(phase)
        incidents(game, phase)
        game.resolve(phase)


def _send_forgeries(game: Played, phase: str) -> None:
    """Send a mail in a player's name and one in a stranger's, and deliver a mail twice.

    The player answers the note about the forgery.
    """
    game.write_all(phase, but=("TOL", "SEL"))
    (text,) = letters(phase, "SEL")
    game.write("SEL", text, "doubled", copies=2)
    now = _now()
    forged = game.writer.fresh(WHO["TOL"], "Scelgo Menfi\nBruno", now)
    game.arrive(forged, name="forged")
    stranger = Person("TOL", WHO["TOL"].name, EVE, "it")
    game.arrive(game.writer.fresh(stranger, "Scelgo Tebe\nSTATO\nORDINI", now), name="stranger")
    game.fetch()
    game.write("TOL", letters(phase, "TOL")[0], "answer to the note")
    game.fetch()
    game.mailbox.run("inbox", "reject", game.number("forged"), game.number("stranger"))


def _send_quotations(game: Played, phase: str) -> None:
    """Send a mail in another player's name, quoted orders, and a mail from another address."""
    game.write_all(phase, but=("SEL",))
    game.fetch()
    said = letters(phase, "SEL")[0]
    game.write("SEL", said, "from work", sender=AT_WORK, way=("gmail_web", TOP))
    mail = game.writer.reply(WHO["CAN"], game.last("LIS"), "Pick Lahore", _now())
    game.arrive(mail, name="by another player")
    game.write(
        "AUT", quoted("Scelgo RODI\nScelgo TIRO"), "quoted alone", way=("thunderbird", BOTTOM)
    )
    game.fetch()
    game.mailbox.run("inbox", "accept", game.number("from work"), "--reason", "she called")
    game.mailbox.run("inbox", "reject", game.number("by another player"))
    game.mailbox.run("outbox", "send")


def _send_requests(game: Played, phase: str) -> None:
    """Send mails that ask for the status, the help, the orders and the history."""
    game.write_all(phase)
    game.write("LIS", "STATUS\nHELP\n\nThanks, Sven", "asks for status", way=("mutt", TOP))
    game.fetch()
    game.write("TOL", "ORDINI\nSTORIA\n", "asks for orders", way=("thunderbird", BETWEEN))
    game.fetch()


def _send_machine_mails(game: Played, phase: str) -> None:
    """Send a bounce, absence notices, and mails of a list and of the game itself.

    Two players answer mails of the phase before, one of them by mistake.
    """
    now = _now()
    game.write_all(phase, but=("TOL",))
    game.arrive(bounce(game.last("LIS"), now), name="bounce")
    away = "I am away. My last mail said:\nPick RAG\n"
    game.arrive(out_of_office(game.last("CAN"), "away", away, now), name="away")
    game.arrive(marked_as_bulk(game.last("SEL"), "bulk", away, now), name="marked as bulk")
    game.arrive(of_a_list("Pick Lahore\nSTATUS\n", now), name="list")
    game.arrive(game.last("AUT").as_bytes(), name="own")
    game.write("TOL", letters(phase, "TOL")[0], "of the phase before", answered=game.last("TOL", 2))
    game.fetch()
    game.mailbox.run("inbox", "accept", game.number("of the phase before"))
    game.mailbox.run("inbox", "reject", game.number("marked as bulk"))
    game.mailbox.run("outbox", "send")


def _press(game: Played, phase: str) -> None:
    """Press to all is held for the report; the map is asked for."""
    game.write_all(phase, but=("AUT",))
    press = f"STAMPA A TUTTI\n{ALLIANCE}\nFINE STAMPA\n"
    game.write("AUT", f"{press}\n{letters(phase, 'AUT')[0]}", "press to all")
    game.write("CAS", "MAPPA\n", "asks for the map")
    game.fetch()


def _remind_players(game: Played, phase: str) -> None:
    """Remind the players whose units have no orders; deliver a mail for the phase before."""
    game.write_all(phase, but=("CAN",))
    game.write("CAN", "Pick Lahore\n", "after the phase", answered=game.last("CAN", 2))
    game.fetch()
    game.mailbox.run("inbox", "reject", game.number("after the phase"))
    game.mailbox.run("outbox", "remind")
    game.mailbox.run("outbox", "send")
    game.write("CAN", letters(phase, "CAN")[0])
    game.fetch()


_CONFERENCE: tuple[Callable[[Played, str], None], ...] = (
    _send_forgeries,
    _send_quotations,
    _send_requests,
    _send_machine_mails,
    _press,
    _remind_players,
)


# -- the seasons -----------------------------------------------------------------------------------


def play_seasons(game: Played) -> None:
    """Play two seasons and their retreats with ``tick``."""
    mailbox = game.mailbox
    for name in ("receipts", "reports", "reminders"):
        mailbox.run("settings", name, "send")
    mailbox.run("settings", "announcements", "no")
    mailbox.run("settings", "press", "relay")
    for phase, incidents in zip(SEASONS, _SEASONS, strict=True):
        game.begin(phase)
        incidents(game, phase)
        mailbox.let_pass(-1)
        game.closed[phase] = len(mailbox.smtp.taken)
        mailbox.run("tick", "--process")


def _wait(game: Played, phase: str) -> None:
    """Press is relayed; one is reminded before the deadline, and writes after it; one asks to
    wait, and then no more."""
    mailbox = game.mailbox
    game.write_all(phase, but=("CAS",))
    game.write("LIS", f"PRESS TO CAS\n{WHISPER}\nENDPRESS\nWAIT\n", "press to one")
    mailbox.run("tick")
    mailbox.let_pass(10)
    mailbox.run("tick")
    mailbox.let_pass(-1)
    game.write("CAS", letters(phase, "CAS")[0], "after the deadline")
    mailbox.run("tick", "--process", status=1)
    game.write("LIS", "READY\n", "ready")


def _retreat(game: Played, phase: str) -> None:
    game.write_all(phase)
    game.mailbox.run("tick")


def _deliver_out_of_order(game: Played, phase: str) -> None:
    """Deliver a mail after one that was written later."""
    mailbox = game.mailbox
    game.write_all(phase)
    earlier = _now() - timedelta(hours=1)
    mailbox.run("tick")
    mail = game.writer.reply(WHO["AUT"], game.last("AUT"), "G TIR - ISR", earlier)
    game.arrive(mail, name="overtaken", at=earlier)
    mailbox.run("tick")
    mailbox.run("inbox", "reject", game.number("overtaken"))


_SEASONS: tuple[Callable[[Played, str], None], ...] = (
    _wait,
    _retreat,
    _deliver_out_of_order,
    _retreat,
)


# -- the same without mail -------------------------------------------------------------------------


def play_by_hand(desk: Desk) -> None:
    """Play the same phases with the orders typed in."""
    for phase, meant in MEANT.items():
        for power, orders in meant.items():
            desk.submit(power, "\n".join(orders))
        desk.process(phase, allow_missing=True)
