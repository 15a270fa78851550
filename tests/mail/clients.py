"""How mail programs write an answer: the parts, the line above the quotation, the marks.

``clients.yaml`` has a row for each program.  Modelled on what these programs send; what matters
for reading is kept, the bulk of their styles is not.  :class:`Writer` writes the mails of players
who each have programs of their own.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from email.message import EmailMessage
from email.utils import format_datetime
from html import escape
from pathlib import Path

from alexmagnum.mail.composition import read_text
from tests.case_library import read_yaml
from tests.mail.mime import message, multi, page, quoted, text, word, wrapped
from tests.mail.people import GAME, GM, Person

SENT = datetime(2026, 11, 20, 18, 12, 13, tzinfo=timezone(timedelta(hours=1)))
SUBJECT = {
    "it": "[AM-perdicca] Resoconto, autunno 319 a.C. ({power}-k7q2)",
    "en": "[AM-perdicca] Report, autumn 319 BC ({power}-k7q2)",
}
RE = {"it": "R: ", "en": "RE: "}
NEW, TOP, BOTTOM, BETWEEN = "new", "top", "bottom", "between"


@dataclass(frozen=True, slots=True)
class Letter:
    """What a player wrote with a program, and where: above, below or between what is quoted.  It
    answers the report of the autumn or the mail ``answered``; a new one (:data:`NEW`) answers none,
    and brings no code."""

    who: Person
    number: int
    place: str = TOP
    said: str = ""
    old: str = ""
    answered: EmailMessage | None = None
    at: datetime | None = None

    @property
    def own(self) -> str:
        return self.said or self.who.said

    @property
    def quoted(self) -> str:
        return self.old or self.who.old

    @property
    def it(self) -> bool:
        return self.who.lang == "it"

    @property
    def tag(self) -> str:
        """Return a number for boundaries and ids; the same text always gives the same number."""
        return f"{self.number * 7919 + 104_729:010x}"

    def fields(self, *more: tuple[str, str], re: str = "Re: ") -> list[tuple[str, str]]:
        """Return the header fields that all programs write, as a mail server delivers them."""
        when = format_datetime(self.at or SENT + timedelta(hours=3, minutes=self.number))
        host = self.who.address.partition("@")[2]
        thread = []
        if self.place == NEW:
            to, subject = GAME, "Ordini / orders"
        elif self.answered is None:
            to = f"{GM} <perdicca+{self.who.power.lower()}-k7q2@example.net>"
            subject = re + SUBJECT[self.who.lang].format(power=self.who.power)
            name = "<report-319-autumn.k7q2@example.net>"
            thread = [("In-Reply-To", name), ("References", name)]
        else:
            mail = self.answered
            to, name, subject = (str(mail[f]) for f in ("Reply-To", "Message-ID", "Subject"))
            subject = word(subject if subject.startswith(re) else re + subject)
            thread = [("In-Reply-To", name), ("References", f"{mail['References']} {name}")]
        return [
            ("Return-Path", f"<{self.who.address}>"),
            ("Delivered-To", GAME),
            ("Received", f"from mx.{host} by mail.example.net with ESMTPS; {when}"),
            ("From", f"{self.who.name} <{self.who.address}>"),
            ("To", to),
            ("Subject", subject),
            ("Date", when),
            ("Message-ID", f"<{self.tag}.{self.number}@{host}>"),
            *thread,
            *more,
        ]

    def arranged(self, head: str, said: Callable[[str], str], old: Callable[[str], str]) -> str:
        """Put the pieces in order, the writer's own and the quoted ones, below the ``head``."""
        if self.place == NEW:
            return said(self.own)
        if self.place == TOP:
            return f"{said(self.own)}\n\n{head}\n{old(self.quoted)}"
        if self.place == BOTTOM:
            return f"{head}\n{old(self.quoted)}\n\n{said(self.own)}"
        mine, theirs = self.own.split("\n"), self.quoted.split("\n")
        half, rest = len(mine) // 2, len(theirs) // 2
        pieces = [head, old("\n".join(theirs[:rest])), "", said("\n".join(mine[:half])), ""]
        pieces += [old("\n".join(theirs[rest:])), "", said("\n".join(mine[half:]))]
        return "\n".join(pieces)


Change = Callable[[str], str]
Words = str | tuple[str, str]
"""A text, or one in Italian and one in English."""


def _break_marked(lines: str) -> str:
    """Mark lines as Outlook Express does: their ends stand on lines without a mark."""
    return "\n".join(wrapped(f"> {line}") for line in lines.split("\n"))


def _flow(lines: str) -> str:
    rows = wrapped(lines).split("\n")
    whole = set(lines.split("\n"))
    ends = [row in whole or any(w.endswith(row) for w in whole) for row in rows]
    return "\n".join(row + ("" if end else " ") for row, end in zip(rows, ends, strict=True))


CHANGES: dict[str, Change] = {
    "same": lambda lines: lines,
    "after_a_blank": lambda lines: f" {lines}",
    "quoted": quoted,
    "marked_flush": lambda lines: quoted(lines, ">"),
    "marked_and_broken": _break_marked,
    "wrapped": wrapped,
    "wrapped_and_marked": lambda lines: quoted(wrapped(lines)),
    "flowed": _flow,
    "flowed_and_marked": lambda lines: quoted(_flow(lines)),
}
"""What programs do with the lines of a plain text."""

DIVS = ("<div>{}</div>", "<div><br></div>")


@dataclass(frozen=True, slots=True)
class Program:
    """A mail program: how it puts together what its user writes and what is quoted.

    Its row in ``clients.yaml`` has what differs from these.

    ``above`` stands above the quotation; ``advert`` is the program's own line.  ``plain`` is the
    head in the plain text, None if there is none, where ``said`` and ``old`` are written so;
    ``page`` is the head in the page, None if there is none, with elements for each line, ``around``
    the quotation and ``whole`` around all.
    """

    name: str
    above: Words
    advert: Words = ""
    plain: str | None = "{above}"
    said: str = "same"
    old: str = "quoted"
    end: str = "\n"
    page: str | None = None
    lines: tuple[str, str] = DIVS
    old_lines: tuple[str, str] = DIVS
    before: str = ""
    around: str = "{}"
    whole: Words = "<html><body>{}</body></html>"
    charset: str = "utf-8"
    really: str = ""
    encoding: str = "quoted-printable"
    more: str = ""
    field: tuple[str, str] | None = None
    re: bool = False

    def __call__(self, letter: Letter) -> bytes:
        """Return a letter as the program writes it."""

        def fill(form: Words, **words: str) -> str:
            filled = form if isinstance(form, str) else form[not letter.it]
            for key, value in words.items():
                filled = filled.replace(f"{{{key}}}", value)
            return filled

        day = (
            ("ven", "nov", "venerdì", "novembre")
            if letter.it
            else ("Fri", "Nov", "Friday", "November")
        )
        above = fill(
            self.above,
            **dict(zip(("short", "month", "day", "long"), day, strict=True)),
            name=GM,
            address=GAME,
            writer=letter.who.name,
            own=letter.who.address,
            subject=SUBJECT[letter.who.lang].format(power=letter.who.power),
        )
        advert = fill(self.advert)
        parts = []
        if self.plain is not None:
            head = fill(self.plain, above=above, advert=advert, marked=quoted(above))
            plain = letter.arranged(head, CHANGES[self.said], CHANGES[self.old])
            plain += fill(self.end, writer=letter.who.name)
            parts.append(text(plain, "plain", *self._coding, really=self.really, more=self.more))
        if self.page is not None:
            rows = above.strip().split("\n")
            labels = (row.strip().partition(": ") for row in rows)
            head = fill(
                self.page,
                advert=advert,
                above=escape(above),
                bare=escape(above.strip()),
                rows="<br>".join(map(escape, rows)),
                labels="<br>".join(f"<b>{escape(a)}:</b> {escape(b)}" for a, _, b in labels),
                bold="<br>".join(f"<b>{escape(row.strip())}</b>" for row in rows),
                divs="".join(f"<div>{escape(row)} </div>" for row in rows),
            )
            html = letter.arranged(
                head,
                lambda said: self.before + page(said, *self.lines),
                lambda old: self.around.replace("{}", page(old, *self.old_lines)),
            )
            closed = "" if letter.place == NEW else "</div>"
            html = fill(self.whole, close=closed).replace("{}", html)
            parts.append(text(html, "html", *self._coding, really=self.really))
        both = multi("alternative", *parts, boundary=f"000000000000{letter.tag}")
        re = RE[letter.who.lang] if self.re else "Re: "
        fields = letter.fields(*([self.field] if self.field else ()), re=re)
        return message(fields, both if len(parts) == 2 else parts[0])

    @property
    def _coding(self) -> tuple[str, str]:
        return self.charset, self.encoding


DATA = read_yaml(Path(__file__).with_suffix(".yaml"))
PROGRAMS = {
    name: Program(name, **row)
    for group in ("marked", "unmarked", "foreign")
    for name, row in DATA[group].items()
}


Way = tuple[str, str]
"""A program, and where its user writes."""

WAYS: dict[str, tuple[Way, ...]] = {
    "SEL": (("outlook_desktop", TOP), ("outlook_web", TOP), ("yahoo", TOP)),
    "TOL": (("thunderbird", BOTTOM), ("roundcube", BETWEEN), ("libero", TOP)),
    "LIS": (("gmail_web", BOTTOM), ("gmail_app", TOP), ("mutt", BOTTOM)),
    "AUT": (("libero", BETWEEN), ("virgilio", TOP), ("outlook_express", TOP)),
    "CAS": (("iphone_html", TOP), ("tim", TOP), ("iphone", TOP)),
    "CAN": (("protonmail", TOP), ("zimbra", TOP), ("apple_mail", BOTTOM)),
}
"""What they write with, one after the other: some send a page alone (iPhone, TIM), some mark
nothing of what they quote (Outlook, Yahoo, Virgilio, Zimbra)."""


class Writer:
    """Writes the mails of all players, each with a number of its own."""

    def __init__(self) -> None:
        self._numbers: Iterator[int] = iter(range(1, 10_000))
        self._turns: dict[str, int] = {}

    def reply(
        self, who: Person, answered: EmailMessage, said: str, at: datetime, way: Way | None = None
    ) -> bytes:
        """Return an answer with the whole mail quoted, written with the player's next program."""
        turn = self._turns.get(who.power, 0)
        if way is None:
            self._turns[who.power] = turn + 1
        ways = WAYS.get(who.power, (("gmail_web", TOP),))
        client, place = way or ways[turn % len(ways)]
        old = read_text(answered).rstrip()
        said = said.rstrip()
        return PROGRAMS[client](Letter(who, next(self._numbers), place, said, old, answered, at))

    def fresh(self, who: Person, said: str, at: datetime) -> bytes:
        """Return a mail that answers no other."""
        return PROGRAMS["gmail_web"](Letter(who, next(self._numbers), NEW, said, at=at))
