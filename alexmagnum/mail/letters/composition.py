"""One mail composed of its parts, by way of :class:`email.message.EmailMessage` alone.

Open this for the parts and fields of a mail.  A letter is composed for any mail program: UTF-8 as
quoted-printable, nothing but ASCII in the fields, no line longer than the standards allow.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.errors import HeaderParseError
from email.header import Header
from email.headerregistry import Address, HeaderRegistry
from email.message import EmailMessage, MIMEPart
from email.parser import BytesParser
from email.policy import EmailPolicy
from functools import lru_cache
from typing import Any, NamedTuple

from alexmagnum.errors import GameError
from alexmagnum.game.attachments import encode_page
from alexmagnum.mail.parsing.classify import LOOP_HEADER

HTML_LIMIT = 100_000
"""Bytes of a page, as encoded, that webmail shows."""

QUOTED, EIGHT_BIT = "quoted-printable", "8bit"
"""The encodings of texts in a mail that is sent, and in a draft."""


_SHORT = 2000
"""Longer fields are parsed each time: only hostile mail has many of them."""


class _Fields(HeaderRegistry):
    """Parses equal fields once: the library parses a content type each time it is asked for it."""

    def __call__(self, name: str, value: Any) -> Any:
        if isinstance(value, str) and len(value) < _SHORT:
            return _parse_field(name, str(value))
        return super().__call__(name, value)


@lru_cache(maxsize=2048)
def _parse_field(name: str, value: str) -> Any:
    """Return a field of a mail; nothing changes it afterwards."""
    return _LIBRARY(name, value)


_LIBRARY = HeaderRegistry()


class _Policy(EmailPolicy):
    """Writes a subject so that programs show it as it was written.

    The library's own folding begins a long one with an empty line, and doubles blanks beside
    letters with accents.
    """

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


_LINE = 76
"""Columns of a line of a subject."""

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
    it: sender, recipient, name, and which mail this follows.  ``lists_orders``: it lists the orders
    in force; ``about_message`` is a mail that waits, of which it tells.
    """

    subject: str
    text: str
    html: str = ""
    inline: tuple[Inline, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    about: str = ""
    lang: str = ""
    auto_submitted: str = "auto-generated"
    to_name: str = ""
    to: str = ""
    sender_name: str = ""
    sender: str = ""
    reply_to: str = ""
    message_id: str = ""
    in_reply_to: str = ""
    references: tuple[str, ...] = ()
    date: datetime | None = None
    lists_orders: bool = False
    about_message: int | None = None


def make_message_id(key: str, salt: bytes, host: str) -> str:
    """Return the Message-ID for a key and a salt; it reveals neither of them."""
    digest = hashlib.sha256(salt + key.encode()).hexdigest()[:32]
    return f"<{digest}@{host}>"


# -- composing -------------------------------------------------------------------------------------


def compose(letter: Letter, encoding: str = QUOTED) -> EmailMessage:
    """Return the mail of a letter, its texts encoded to be sent or (:data:`EIGHT_BIT`) as a draft.

    Raises:
        GameError: ``mail-field``, if a field could not stand in a mail as it is (``field``,
            ``value``): a line break, a control character, no address.
    """
    message = EmailMessage(policy=_SENT)
    stamp_message(message, letter)
    message["To"] = _mailbox("To", letter.to_name, letter.to)
    message["Subject"] = _one_line("Subject", letter.subject)
    for name, value in _threading(letter):
        message[name] = value
    if letter.lang:
        message["Content-Language"] = _one_line("Content-Language", letter.lang)
    message["MIME-Version"] = "1.0"
    _fill(message, letter, encoding)
    return message


def stamp_message(message: EmailMessage, letter: Letter) -> None:
    """Set sender, date, Message-ID and address for answers of a mail, whatever stood there.

    Raises:
        GameError: ``mail-field``.
    """
    for name, value in _stamps(letter):
        del message[name]
        message[name] = value


def _stamps(letter: Letter) -> Iterator[tuple[str, Address | datetime | str]]:
    yield "From", _mailbox("From", letter.sender_name, letter.sender)
    if letter.reply_to:
        yield "Reply-To", _mailbox("Reply-To", letter.sender_name, letter.reply_to)
    if letter.date is not None:
        yield "Date", letter.date
    if letter.message_id:
        yield "Message-ID", _identifier("Message-ID", letter.message_id)
    yield "Auto-Submitted", _one_line("Auto-Submitted", letter.auto_submitted)
    yield "X-Auto-Response-Suppress", "OOF, AutoReply"
    yield LOOP_HEADER, _one_line(LOOP_HEADER, letter.sender)


def _threading(letter: Letter) -> Iterator[tuple[str, str]]:
    """Yield the fields that name the mails before this one."""
    if letter.in_reply_to:
        yield "In-Reply-To", _identifier("In-Reply-To", letter.in_reply_to)
    if letter.references:
        yield "References", " ".join(_identifier("References", name) for name in letter.references)


def _fill(message: EmailMessage, letter: Letter, encoding: str) -> None:
    """Put the text, the page, the pictures and the files in."""
    message.set_content(normalize_lines(letter.text), cte=encoding)
    if letter.html:
        message.add_alternative(normalize_lines(letter.html), subtype="html", cte=encoding)
    _tidy(message)
    attach_files(message, letter.inline, letter.attachments)


def attach_files(
    message: EmailMessage, inline: Sequence[Inline], attachments: Sequence[Attachment]
) -> None:
    """Put pictures into the page of a mail, and files beside its text.

    A mail without a page gets no pictures.

    Raises:
        GameError: ``mail-field``.
    """
    page = message.get_body(("html",)) if inline else None
    if page is not None:
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
    text = encode_page(data)
    if text:
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


def _mailbox(field: str, name: str, address: str) -> Address:
    """Return a name with an address.

    Marks that mean something in an address are left out of the name: some programs, and some
    versions of Python, take them for addresses when the name is encoded.
    """
    shown = " ".join(_SPECIALS.sub(" ", _one_line(field, name)).split())
    return Address(display_name=shown, addr_spec=plain_address(address, field))


@lru_cache(maxsize=256)
def plain_address(address: str, field: str = "To") -> str:
    """Return an address as every mail can carry it: its domain in ASCII.

    Raises:
        GameError: ``mail-field``.
    """
    local, at, domain = _one_line(field, address).rpartition("@")
    try:
        plain = local + at + domain.encode("idna").decode("ascii")
        good = Address(addr_spec=plain).addr_spec == plain and plain.isascii() and " " not in plain
    except (ValueError, IndexError, HeaderParseError):
        good = False
    if not good:
        raise GameError("mail-field", field=field, value=ascii(address)[:80])
    return plain


def _one_line(field: str, text: str) -> str:
    """Check that a text is fit for a field: one line, and nothing that a program obeys.

    Raises:
        GameError: ``mail-field``.
    """
    if not text.isprintable():
        raise GameError("mail-field", field=field, value=ascii(text)[:80])
    return text


def _identifier(field: str, text: str) -> str:
    return _check_text(field, _IDENTIFIER, text)


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
