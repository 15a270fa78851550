"""One mail composed of its parts: fields, text and HTML, and drafts read again.

A letter is composed for any mail program: UTF-8 as quoted-printable, nothing but ASCII in the
fields, no line longer than the standards allow.
"""

import hashlib
import re
from binascii import a2b_qp, b2a_qp
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from email.errors import HeaderParseError
from email.header import Header
from email.headerregistry import Address, HeaderRegistry
from email.message import EmailMessage, MIMEPart
from email.parser import BytesParser
from email.policy import EmailPolicy
from functools import cache, lru_cache
from html import escape
from quopri import encodestring
from typing import Any, NamedTuple

from css_inline import CSSInliner

from alexmagnum.errors import GameError
from alexmagnum.game import mail_store
from alexmagnum.game.game import Game, Player, Standby
from alexmagnum.game.people import find_standby, hides_names, read_players
from alexmagnum.game.settings import to_ascii_address
from alexmagnum.i18n.dates import to_local
from alexmagnum.i18n.sentences import Sentences, load_sentences
from alexmagnum.mail.parsing.commands import LOOP_HEADER
from alexmagnum.report.document import PhaseReport
from alexmagnum.report.formats import render_mail_page
from alexmagnum.report.words import phase_name

HTML_LIMIT = 100_000
"""Bytes of a page, as encoded, that webmail shows."""

QUOTED, EIGHT_BIT = "quoted-printable", "8bit"
"""The encodings of texts in a mail that is sent, and in a draft."""

_SHORT = 2000  # longer fields are parsed each time: only hostile mail has many of them


class _Fields(HeaderRegistry):
    """Parses equal fields once: the library parses a content type each time it is asked for it."""

    def __call__(self, name: str, value: Any) -> Any:
        if isinstance(value, str) and len(value) < _SHORT:
            return _parse_field(name, str(value))
        return super().__call__(name, value)


@lru_cache(maxsize=2048)
def _parse_field(name: str, value: str) -> Any:
    return _LIBRARY(name, value)


_LIBRARY = HeaderRegistry()


class _Policy(EmailPolicy):
    """Writes a subject so that programs show it as it was written: the library's own folding begins
    a long one with an empty line, and doubles blanks beside letters with accents."""

    def fold(self, name: str, value: Any) -> str:
        if name.lower() != "subject":
            return str(super().fold(name, value))
        text = " ".join(str(self.header_fetch_parse(name, value)).split())
        if not self.utf8:
            charset = "us-ascii" if text.isascii() else "utf-8"
            text = Header(text, charset, _LINE, header_name=name).encode(linesep=self.linesep)
        return f"{name}: {text}{self.linesep}"

    def fold_binary(self, name: str, value: Any) -> bytes:
        return self.fold(name, value).encode("utf-8" if self.utf8 else "ascii", "surrogateescape")


_LINE = 76  # columns of a line of a subject

_SENT = _Policy(linesep="\r\n", cte_type="7bit", header_factory=_Fields())
DRAFT_POLICY = _SENT.clone(
    linesep="\n", utf8=True, cte_type="8bit", max_line_length=0, refold_source="all"
)
"""Writes the fields and texts of a draft in UTF-8, as people read them."""

_SPECIALS = re.compile(r'[][()<>@,;:\\".]+')
_IDENTIFIER = re.compile(r"<[!-;=?-~]+@[!-;=?-~]+>")
_TYPE = re.compile(r"[a-z]+/[a-z0-9.+-]+")
_CID = re.compile(r"[A-Za-z0-9.-]+@[A-Za-z0-9.-]+")
_FILE = re.compile(r"[A-Za-z0-9._-]+")


class Attachment(NamedTuple):
    """A file that goes with a letter: ``name`` and ``type`` are ASCII (``map.png``,
    ``image/png``)."""

    name: str
    type: str
    data: bytes


class Inline(NamedTuple):
    """A picture in the page, which shows it by the name ``cid:<cid>``, with a line below it."""

    cid: str
    type: str
    data: bytes
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Letter:
    """The parts of a mail to one person.

    ``text`` says everything; ``html`` is the same as a page, "" for none.  ``about`` is the phase
    that the subject names, "" for the phase whose code it carries.  ``auto_submitted`` is
    ``auto-generated``, or ``auto-replied`` for an answer.  The envelope fills in the fields after
    it: the phase whose code it carries, sender, recipient, name, and which mail this follows.
    ``rests_on`` names what it rests on besides the grounds of its occasion; ``about_message`` is a
    mail that waits, of which it tells.
    """

    subject: str
    text: str
    html: str = ""
    inline: tuple[Inline, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    about: str = ""
    lang: str = ""
    auto_submitted: str = "auto-generated"
    phase: str = ""
    to_name: str = ""
    to: str = ""
    sender_name: str = ""
    sender: str = ""
    reply_to: str = ""
    message_id: str = ""
    in_reply_to: str = ""
    references: tuple[str, ...] = ()
    date: datetime | None = None
    rests_on: tuple[str, ...] = ()
    about_message: int | None = None


def make_message_id(key: str, salt: bytes, host: str) -> str:
    """Return the Message-ID for a key and a salt; it reveals neither of them."""
    return f"<{hashlib.sha256(salt + key.encode()).hexdigest()[:32]}@{host}>"


# -- composing -------------------------------------------------------------------------------------


def compose(letter: Letter, encoding: str = QUOTED) -> EmailMessage:
    """Return the mail of a letter, with its texts encoded for sending or for a draft."""
    message = EmailMessage(policy=_SENT)
    stamp_message(message, letter)
    message["To"] = make_mailbox("To", letter.to_name, letter.to)
    message["Subject"] = _one_line("Subject", letter.subject)
    if letter.in_reply_to:
        message["In-Reply-To"] = _check_text("In-Reply-To", _IDENTIFIER, letter.in_reply_to)
    if letter.references:
        names = (_check_text("References", _IDENTIFIER, name) for name in letter.references)
        message["References"] = " ".join(names)
    if letter.lang:
        message["Content-Language"] = _one_line("Content-Language", letter.lang)
    message["MIME-Version"] = "1.0"
    message.set_content(normalize_lines(letter.text), cte=encoding)
    if letter.html:
        message.add_alternative(normalize_lines(letter.html), subtype="html", cte=encoding)
    _tidy(message)
    attach_files(message, letter.inline, letter.attachments)
    return message


def stamp_message(message: EmailMessage, letter: Letter) -> None:
    """Set sender, date, Message-ID and address for answers of a mail, whatever stood there."""
    stamps: dict[str, Address | datetime | str | None] = {
        "From": make_mailbox("From", letter.sender_name, letter.sender),
        "Reply-To": letter.reply_to
        and make_mailbox("Reply-To", letter.sender_name, letter.reply_to),
        "Date": letter.date,
        "Message-ID": letter.message_id
        and _check_text("Message-ID", _IDENTIFIER, letter.message_id),
        "Auto-Submitted": _one_line("Auto-Submitted", letter.auto_submitted),
        "X-Auto-Response-Suppress": "OOF, AutoReply",
        LOOP_HEADER: _one_line(LOOP_HEADER, letter.sender),
    }
    for name, value in stamps.items():
        if value:
            del message[name]
            message[name] = value


def attach_files(
    message: EmailMessage, inline: Sequence[Inline], attachments: Sequence[Attachment]
) -> None:
    """Put pictures into the page of a mail, and files beside its text.

    A mail without a page gets no pictures.
    """
    if (page := message.get_body(("html",)) if inline else None) is not None:
        assert isinstance(page, MIMEPart)
        for cid, kind, data, _ in inline:
            page.add_related(
                data, *_kind(kind), cid=f"<{_check_text('cid', _CID, cid)}>", disposition="inline"
            )
        page.set_param("type", "text/html")
    for name, kind, data in attachments:
        params = {"charset": "utf-8"} if kind.startswith("text/") else {}
        message.add_attachment(
            data, *_kind(kind), filename=_check_text("filename", _FILE, name), params=params
        )
        if kind == "text/html":
            _encode_page(list(message.iter_attachments())[-1], data)
    if page is not None or attachments:
        _tidy(message)


def _encode_page(part: EmailMessage, data: bytes) -> None:
    """Write a page as quoted-printable: order sheets are the largest part of a mail."""
    if (text := b"" if b"\r" in data else b2a_qp(data)) and a2b_qp(text) == data:
        part.replace_header("Content-Transfer-Encoding", "quoted-printable")
        part.set_payload(text.decode("ascii"))


def _tidy(message: EmailMessage) -> None:
    """Set the boundaries of parts, so that the same letter is always the same mail."""
    salt = hashlib.sha256(f"{message['Message-ID'] or ''} {read_text(message)}".encode())
    for number, part in enumerate(message.walk()):
        if number:
            del part["MIME-Version"]
        if part.is_multipart():
            part.set_boundary(f"=_{number}_{salt.hexdigest()[:32]}")


def _kind(kind: str) -> Sequence[str]:
    return _check_text("Content-Type", _TYPE, kind).split("/")


def normalize_lines(text: str) -> str:
    """Return a text whose lines all end with LF, the last one too."""
    return "\n".join(text.replace("\r\n", "\n").replace("\r", "\n").split("\n")).rstrip("\n") + "\n"


def make_mailbox(field: str, name: str, address: str) -> Address:
    """Return a name with an address.

    Marks that mean something in an address are left out of the name: some programs, and some
    versions of Python, take them for addresses when the name is encoded.
    """
    shown = " ".join(_SPECIALS.sub(" ", _one_line(field, name)).split())
    return Address(display_name=shown, addr_spec=plain_address(address, field))


def plain_address(address: str, field: str = "To") -> str:
    """Return an address as every mail can carry it: its domain in ASCII.

    Raises:
        GameError: ``mail-field``.
    """
    if plain := to_ascii_address(_one_line(field, address)):
        return plain
    raise GameError("mail-field", field=field, value=ascii(address)[:80])


def _one_line(field: str, text: str) -> str:
    """Check that a text is fit for a field: one line, and nothing that a program obeys."""
    if not text.isprintable():
        raise GameError("mail-field", field=field, value=ascii(text)[:80])
    return text


def _check_text(field: str, pattern: re.Pattern[str], text: str) -> str:
    if not pattern.fullmatch(text):
        raise GameError("mail-field", field=field, value=ascii(text)[:80])
    return text


# -- as bytes ------------------------------------------------------------------------------------


def encode_mail(message: EmailMessage) -> bytes:
    """Return a mail as it is sent: ASCII alone, lines ended by CR LF."""
    return message.as_bytes(policy=_SENT)


def parse_mail(data: bytes) -> EmailMessage:
    """Parse a mail, or as much of it as there is."""
    message = BytesParser(policy=_SENT).parsebytes(data)
    assert isinstance(message, EmailMessage)
    return message


def read_text(message: EmailMessage) -> str:
    """Return the plain text of a mail with plain line ends, "" if it has none."""
    body = message.get_body(("plain",))
    return str(body.get_content()).replace("\r\n", "\n") if body is not None else ""


# The fields of a letter: sender, recipient, the code to answer with, and the thread.


def address_letter(game: Game, letter: Letter, key: mail_store.LetterKey) -> Letter:
    """Return a letter to its reader with all fields; to a player with the code of a phase.

    All letters to a reader refer to one name, which no mail has, so that mail programs show them
    as one thread in whatever order they come.
    """
    reader, phase = find_addressee(game, key), find_carried_phase(game, key)
    written = sign_letter(game, letter, key, phase)
    host = written.sender.partition("@")[2]
    thread = make_message_id(
        f"{game.info.created} {mail_store.game_slug(game)} {key.reader}", b"", host
    )
    answered = _message_id(game, key.answers, reader)
    lang = letter.lang or reader.lang or game.settings["lang"]
    named = letter.about or phase or find_last_phase(game)  # a game that is over has no open phase
    about = phase_name(named, game.base, load_sentences(lang))
    prefix = mail_store.subject_prefix(game)
    tag = f" {mail_store.subject_tag(game, key.power, phase)}" if key.power else ""
    return replace(
        written,
        phase=phase,
        subject=f"{prefix} {letter.subject}, {about}{tag}",
        lang=lang,
        to_name=reader.name,
        to=plain_address(reader.address),
        message_id=make_message_id(str(key), game.entropy(16), host),
        in_reply_to=answered or thread,
        references=tuple(filter(None, (thread, answered))),
    )


def find_last_phase(game: Game) -> str:
    """Return the phase that was resolved last; the first one where none was."""
    line = game.line()
    return line[-1].name if line else str(game.position.phase)


def find_carried_phase(game: Game, key: mail_store.LetterKey) -> str:
    """Return the phase whose code a letter carries: the open one, or that of which it tells."""
    if key.occasion == mail_store.Occasion.ENDING:
        return find_last_phase(game)
    if key.occasion == mail_store.Occasion.REPORT and game.head().is_over:
        return game.phases_of_outcomes()[key.outcomes[0]]
    return str(game.head().name)


def sign_letter(game: Game, letter: Letter, key: mail_store.LetterKey, phase: str) -> Letter:
    """Return a letter with the present sender and date, and the address for a player's answers.

    Whoever plays no power answers to the game's own address.

    Raises:
        GameError: ``no-mail-address``.
    """
    if not (settings := game.settings)["mail_address"]:
        raise GameError("no-mail-address")
    return replace(
        letter,
        sender_name=settings["mail_name"] or str(game.name),
        sender=settings["mail_address"],
        reply_to=mail_store.reply_address(game, key.power, phase) if key.power else "",
        date=to_local(game.now(), settings["timezone"]),
        auto_submitted="auto-generated" if key.answers is None else "auto-replied",
    )


def find_addressee(game: Game, key: mail_store.LetterKey) -> Player | Standby:
    """Return who gets a letter: the player of a power, who has to have an address, or somebody on
    the standby list.

    Raises:
        GameError: ``no-address``, ``no-standby``.
    """
    if key.standby is not None:
        return find_standby(game, key.standby)
    for player in read_players(game):
        if player.power == key.power and player.address:
            return player
    raise GameError("no-address", power=key.power)


def letter_address(player: Player | Standby) -> str:
    """Return the address that letters to a player carry, as registered if no mail can carry it."""
    return to_ascii_address(player.address) or player.address


def can_be_written_to(player: Player | Standby) -> bool:
    """Return whether a player has an address that every mail program takes."""
    return bool(to_ascii_address(player.address))


def load_player_sentences(game: Game, player: Player | Standby) -> Sentences:
    """Return the sentences in the language of a player, or of somebody on the standby list."""
    return load_sentences(player.lang or game.settings["lang"])


def _message_id(game: Game, message: int | None, reader: Player | Standby) -> str:
    """Return the Message-ID of a message that came in; "" if no mail could carry it, or if names
    are hidden and somebody else wrote it: it would tell the reader who it was."""
    if message is None:
        return ""
    row = mail_store.InboxStore(game.file).find(message)
    if hides_names(game) and not row.is_from(reader.addresses):
        return ""
    key = row.key
    plain = key.isascii() and key.isprintable() and " " not in key
    return key if plain and key.startswith("<") and key.endswith(">") and "@" in key else ""


# The page of a letter: styles at each element, and no larger than webmail shows.


def inline_picture(png: bytes, caption: str = "") -> Inline:
    """Return a picture for a page.  Its name is unique: some programs cache pictures by name."""
    return Inline(f"{hashlib.sha256(png).hexdigest()[:16]}@alexmagnum", "image/png", png, caption)


def compose_page(
    opening: Sequence[str],
    sentences: Sentences,
    *,
    title: str,
    season: PhaseReport | None = None,
    picture: Inline | None = None,
    news: Collection[str] = (),
) -> str:
    """Return the page of a mail: paragraphs, the map and a report, in HTML that webmail shows.

    The mail's text has all that is left out, and the page says so.
    """
    keys = [section.key for section in season.sections] if season else []
    order = dict.fromkeys(("seals", "house", "players", "centres", *reversed(keys)))
    order.pop("turn", None)  # the last: an answer to a page quotes nothing else of a report
    spare, without = [key for key in (*order, "turn") if key in keys], list[str]()
    while True:
        page = render_mail_page(
            opening,
            sentences,
            title=title,
            report=season,
            map_cid=picture.cid if picture else "",
            map_caption=picture.caption if picture else "",
            news=news,
            without=without,
        )
        inlined = _load_inliner().inline(page)
        if len(encodestring(inlined.encode())) < HTML_LIMIT or not spare:
            return inlined
        without.append(spare.pop(0))


@cache
def _load_inliner() -> CSSInliner:
    return CSSInliner(load_remote_stylesheets=False, keep_at_rules=True)


# Drafts: files with the fields, the text and the page of a letter. The map, the order sheet and the
# calendar entry are put in when it is sent. What people made of a draft is read strictly.


_MADE = "X-Draft-Made"
"""The field with digests of the text and the page as they were composed, which tell a draft's
versions apart.  It is not sent.  A mail program that writes a draft anew drops it, and writes the
text and the page alike."""

_FILES = "X-Draft-Files"
"""The field with the names of the files that are put in when the letter is sent.  It is not sent.
Whoever takes a name out takes the file out; a draft that lost the field keeps all files."""

_BOM = b"\xef\xbb\xbf"

_PAGE = """<!DOCTYPE html>
<html><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body style="margin: 0 12px; background: #fffdf8; color: #1f1b16;">
{words}
{pictures}<pre style="font-size: 14px; white-space: pre-wrap; overflow-wrap: break-word;">
{report}</pre>
</body></html>
"""

RULE = "=" * 70
"""The line between the words to the player and the report.  It must not look like that of a
signature: some mail programs hide what follows one."""


# -- writing ---------------------------------------------------------------------------------------


def write_draft(letter: Letter) -> bytes:
    """Return a letter as a draft, without its pictures and files."""
    message = compose(replace(letter, inline=(), attachments=()), EIGHT_BIT)
    if letter.attachments:
        message[_FILES] = ", ".join(file.name for file in letter.attachments)
    return _with_digests(message)


def enclose_files(letter: Letter) -> bytes:
    """Return a mail with the pictures and files of a letter and no words, kept beside its draft."""
    return encode_mail(compose(replace(letter, text="", html="<p></p>" if letter.inline else "")))


def _read_files(enclosed: bytes) -> tuple[list[Inline], dict[str, Attachment]]:
    inline, files = [], dict[str, Attachment]()
    for part in parse_mail(enclosed).walk():
        if not isinstance((data := part.get_payload(decode=True)), bytes):
            continue
        if part["Content-Transfer-Encoding"] == QUOTED:
            data = data.replace(b"\r\n", b"\n")
        if part["Content-ID"]:
            cid = str(part["Content-ID"]).strip("<>")
            inline.append(Inline(cid, part.get_content_type(), data))
        elif name := part.get_filename():
            files[name] = Attachment(name, part.get_content_type(), data)
    return inline, files


def rewrite_as_draft(message: EmailMessage) -> bytes:
    """Return a mail as a draft with all that is in it: UTF-8, lines ended by LF."""
    copy = parse_mail(encode_mail(message))
    del copy[_MADE]
    _recode(copy, EIGHT_BIT)
    return _with_digests(copy)


def is_draft(data: bytes) -> bool:
    """Return whether a mail is written as a draft, and not as it is sent."""
    return not data.isascii() or f"\n{_MADE}: ".encode() in data


def _with_digests(message: EmailMessage) -> bytes:
    message[_MADE] = " ".join(_digests(message))
    return message.as_bytes(policy=DRAFT_POLICY)


def _digests(message: EmailMessage) -> list[str]:
    """Return a digest of the words of the text, and one of the page if there is one."""
    bodies = (message.get_body((kind,)) for kind in ("plain", "html"))
    texts = (" ".join(str(body.get_content()).split()) for body in bodies if body is not None)
    return [hashlib.sha256(text.encode()).hexdigest()[:16] for text in texts]


def mark_version(data: bytes, version: str) -> bytes:
    """Return a draft whose text was changed by the program, with another digest of its text."""
    field = f"{_MADE}: ".encode()
    return re.sub(rb"^%s\S+" % field, field + version.encode(), data, count=1, flags=re.MULTILINE)


def read_version(data: bytes) -> str:
    """Return the digests that tell which version a draft is of, "" where a mail program has
    dropped them."""
    return str(parse_mail(data.removeprefix(_BOM))[_MADE] or "")


# -- reading ---------------------------------------------------------------------------------------


def read_draft(data: bytes, enclosed: bytes = b"") -> EmailMessage:
    """Return the mail of a draft as its file now stands, with its files, ready to be sent.

    ``enclosed`` is the mail of :func:`enclose_files`.
    Where the text was changed and the page was not, a new page shows the text.

    Raises:
        GameError: ``draft-unreadable`` (``why``), if it is no mail any more: broken parts, texts
            that are not UTF-8, a file that the letter does not have.
    """
    message = parse_mail(data.removeprefix(_BOM))
    made = str(message[_MADE] or "").split()
    named = message[_FILES]
    del message[_MADE], message[_FILES]
    try:
        defects = _defects(message)
        _decode_fields(message)
        _recode(message, QUOTED)
        again = parse_mail(encode_mail(message))
    except (UnicodeError, LookupError, ValueError, TypeError, HeaderParseError) as error:
        raise GameError("draft-unreadable", why=str(error)) from None
    defects += _defects(again)
    if defects:
        raise GameError("draft-unreadable", why=defects[0])
    if _digests(again)[1:] == made[1:] and _digests(again)[:1] != made[:1]:
        _show_text(again)
    inline, files = _read_files(enclosed)
    attach_files(again, inline, _select_files(files, named))
    return again


def _select_files(files: Mapping[str, Attachment], named: str | None) -> list[Attachment]:
    """Return the files that a draft names, all of them if it has lost the field."""
    if named is None:
        return list(files.values())
    names = dict.fromkeys(filter(None, (name.strip() for name in str(named).split(","))))
    for name in names:
        if name not in files:
            raise GameError("draft-unreadable", why=f"{_FILES}: {name}")
    return [files[name] for name in names]


def _defects(message: EmailMessage) -> list[str]:
    """Return what keeps a draft from being a mail: broken parts, no text, no subject or several."""
    found = [type(d).__name__ for part in message.walk() for d in part.defects]
    if message.get_body(("plain",)) is None:
        found.append("text/plain")
    if len(message.get_all("Subject", [])) != 1:
        found.append("Subject")
    return found


def _show_text(message: EmailMessage) -> None:
    """Replace the page by one that shows the text and the pictures it had; words above the report
    are read as Markdown, and the report keeps its lines."""
    from markdown_it import MarkdownIt  # few drafts are changed by hand

    if (page := message.get_body(("html",))) is None:
        return
    names = re.findall(r"cid:[^\s\"'>]+", str(page.get_content()))
    shown = "".join(f'<p><img src="{name}" alt="" style="width: 100%;"></p>\n' for name in names)
    said, _, report = read_text(message).partition(RULE)
    words = MarkdownIt("commonmark", {"html": False}).enable("table").render(said)
    html = _PAGE.format(words=words, report=escape(report), pictures=shown)
    MIMEPart.set_content(page, html, subtype="html", cte=QUOTED)


def _decode_fields(message: EmailMessage) -> None:
    fields = [(name, str(value)) for name, value in message.raw_items()]
    if all(value.isascii() for _, value in fields):
        return
    for name, value in fields:
        if not value.isascii():
            text = value.encode("ascii", "surrogateescape").decode("utf-8")
            message.replace_header(name, re.sub(r"\r?\n", "", text))


def _recode(message: EmailMessage, encoding: str) -> None:
    for part in message.walk():
        if part.get_content_maintype() == "text" and not part.is_attachment():
            data = part.get_payload(decode=True)
            assert isinstance(data, bytes)
            text = data.decode(part.get_content_charset("utf-8")).replace("\r\n", "\n")
            assert isinstance(part, MIMEPart)
            # A part is a message to the parser, and would get a version of its own.
            MIMEPart.set_content(part, text, subtype=part.get_content_subtype(), cte=encoding)
