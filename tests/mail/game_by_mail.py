"""Games by mail with real servers: who plays, what they write, and a period with incidents.

The players get nothing but what arrives at the server, and answer it.  The game master takes each
step by a command.  The letters are those of the sample game.
"""

from collections.abc import Iterable, Mapping, Sequence
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
from tests.mail.clients import Writer
from tests.mail.dovecot import PASSWORD, Dovecot
from tests.mail.people import GAME, GM, Person
from tests.mail.smtp_server import SmtpServer, parse_mail
from tests.sample_turn import NAMES

SAMPLE = Path(__file__).parents[2] / "orders" / "game"

DATA = read_yaml(Path(__file__).with_suffix(".yaml"))
PEOPLE = tuple(Person(**person) for person in DATA["people"])
CYPRUS = tuple(f"323-{period}" for period in range(1, 7))

MEANT: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    phase: {power: tuple(orders) for power, orders in meant.items()}
    for phase, meant in DATA["meant"].items()
}
"""The orders that count, by phase and power, as a person understands the letters."""


def letters(phase: str, power: str) -> list[str]:
    """Return what the player of a power writes in a phase, one text for each letter."""
    files = sorted((SAMPLE / phase).glob(f"*-{NAMES[power]}.txt"))
    return [file.read_text(encoding="utf-8") for file in files]


SECRETS = {"ALEXMAGNUM_IMAP_PASSWORD": PASSWORD}


@dataclass
class MailboxGame:
    """A game that is played by mail, from a folder: its mailbox (``imap``), the server that sends
    its mails (``smtp``), and what its commands have ``printed``."""

    folder: Path
    imap: Dovecot
    smtp: SmtpServer
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
        done = run_command(*arguments, cwd=self.folder, status=status, environment=SECRETS)
        self.printed.append(done.out + done.err)
        return done.out

    def let_pass(self, hours: float) -> None:
        """Set the deadline so many hours from now, or ago: no mail server's clock can be moved."""
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

EVE = "eve@example.com"  # a stranger who plays no power and writes as if they did


@dataclass
class Played:
    """A game while it is played; ``named`` has the keys of messages that matter to a test."""

    mailbox: MailboxGame
    writer: Writer = field(default_factory=Writer)
    named: dict[str, str] = field(default_factory=dict)

    # -- writing ---------------------------------------------------------------------------------

    def last(self, power: str, back: int = 1) -> EmailMessage:
        """Return the last mail to the player of a power, or an earlier one."""
        return self.mailbox.last_mail(WHO[power].address, back)

    def write(
        self, power: str, said: str, name: str = "", *, sender: str = "", copies: int = 1
    ) -> None:
        """Let a player answer their last mail; ``name`` is for the tests."""
        who = replace(WHO[power], address=sender) if sender else WHO[power]
        self.arrive(*[self.writer.reply(who, self.last(power), said, _now())] * copies, name=name)

    def arrive(self, *raws: bytes, name: str = "") -> None:
        """Deliver mail into the mailbox."""
        self.mailbox.imap.deliver(*raws, at=_now())
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


def _now() -> datetime:
    return datetime.now(UTC)


# -- the first period ------------------------------------------------------------------------------


def play_first_period(game: Played) -> None:
    """Play the first pick: a mail comes in a player's name, one in a stranger's, and one twice; the
    player answers the note about the forgery."""
    phase = CYPRUS[0]
    game.mailbox.run("outbox", "remind", "--all")
    game.mailbox.run("outbox", "send")
    game.write_all(phase, but=("TOL", "SEL"))
    (text,) = letters(phase, "SEL")
    game.write("SEL", text, "doubled", copies=2)
    now = _now()
    game.arrive(game.writer.fresh(WHO["TOL"], "Scelgo Menfi\nBruno", now), name="forged")
    stranger = Person("TOL", WHO["TOL"].name, EVE, "it")
    game.arrive(game.writer.fresh(stranger, "Scelgo Tebe\nSTATO\nORDINI", now), name="stranger")
    game.fetch()
    game.write("TOL", letters(phase, "TOL")[0], "answer to the note")
    game.fetch()
    game.mailbox.run("inbox", "reject", game.number("forged"), game.number("stranger"))
    game.mailbox.run("process", phase, "--allow-missing")  # void picks
    game.mailbox.run("outbox", "send")
