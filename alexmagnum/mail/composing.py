"""One mail out of its parts: by way of :class:`email.message.EmailMessage` alone.

A letter is composed for any mail program: UTF-8 as quoted-printable, nothing but ASCII in the
fields, no line longer than the standards allow.  As a draft it is written so that people can read
and change it; what they made of it is read again strictly.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.errors import HeaderParseError
from email.header import Header
from email.headerregistry import Address
from email.message import EmailMessage, MIMEPart
from email.parser import BytesParser
from email.policy import EmailPolicy
from functools import lru_cache
from typing import Any, NamedTuple

from alexmagnum.errors import GameError

HTML_LIMIT = 100_000
"""Bytes of a page in a mail, as encoded: webmail shows no more of it."""

QUOTED, EIGHT_BIT = "quoted-printable", "8bit"
"""How texts are encoded: in what is sent, and in a draft."""


class _Policy(EmailPolicy):
    """Writes a subject so that it is read as it was written.

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
"""How long the lines of a subject are at most."""

_SENT = _Policy(linesep="\r\n", cte_type="7bit")
_DRAFT = _Policy(utf8=True, cte_type="8bit", max_line_length=0, refold_source="all")

_BOM = b"\xef\xbb\xbf"
_SPECIALS = re.compile(r'[][()<>@,;:\\".]+')
_IDENTIFIER = re.compile(r"<[!-;=?-~]+@[!-;=?-~]+>")
_TYPE = re.compile(r"[a-z]+/[a-z0-9.+-]+")
_CID = re.compile(r"[A-Za-z0-9.-]+")
_FILE = re.compile(r"[A-Za-z0-9._-]+")


class Attachment(NamedTuple):
    """A file that goes with a letter: ``name`` and ``type`` are ASCII (``map.png``,
    ``image/png``)."""

    name: str
    type: str
    data: bytes


class Inline(NamedTuple):
    """A picture within the page, which names it as ``cid:<cid>``."""

    cid: str
    type: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Letter:
    """The parts of a mail to one person.

    ``text`` says everything; ``html`` is the same as a page, "" for none.  ``auto_submitted`` is
    ``auto-generated``, or ``auto-replied`` for an answer.  ``about`` is the phase that the subject
    names, "" for that whose code it carries.  The fields below ``lang`` are filled in by the
    outbox: who writes to whom, under which name, and which mail this follows.
    """

    subject: str
    text: str
    html: str = ""
    inline: tuple[Inline, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    auto_submitted: str = "auto-generated"
    about: str = ""
    lang: str = ""
    to_name: str = ""
    to: str = ""
    sender_name: str = ""
    sender: str = ""
    reply_to: str = ""
    message_id: str = ""
    in_reply_to: str = ""
    references: tuple[str, ...] = ()
    date: datetime | None = None


def message_id(key: str, salt: bytes, host: str) -> str:
    """The name of a mail: the same for the same key and salt, and telling nothing of either."""
    digest = hashlib.sha256(salt + key.encode()).hexdigest()[:32]
    return f"<{digest}@{host}>"


# -- composing -------------------------------------------------------------------------------------


def compose(letter: Letter, encoding: str = QUOTED) -> EmailMessage:
    """The mail of a letter, its texts encoded for the wire or (:data:`EIGHT_BIT`) for a draft.

    Raises:
        GameError: ``mail-field``, if a field could not stand in a mail as it is (``field``,
            ``value``): a line break, a control character, no address.
    """
    message = EmailMessage(policy=_SENT)
    message["From"] = _mailbox("From", letter.sender_name, letter.sender)
    message["To"] = _mailbox("To", letter.to_name, letter.to)
    message["Subject"] = _one_line("Subject", letter.subject)
    if letter.reply_to:
        message["Reply-To"] = _mailbox("Reply-To", letter.sender_name, letter.reply_to)
    if letter.date is not None:
        message["Date"] = letter.date
    for name, value in _threading(letter):
        message[name] = value
    message["Auto-Submitted"] = _one_line("Auto-Submitted", letter.auto_submitted)
    message["X-Auto-Response-Suppress"] = "OOF, AutoReply"
    if letter.lang:
        message["Content-Language"] = _one_line("Content-Language", letter.lang)
    message["MIME-Version"] = "1.0"
    _fill(message, letter, encoding)
    return message


def _threading(letter: Letter) -> Iterator[tuple[str, str]]:
    """What a mail is called, and which mails it follows."""
    for name, value in (("Message-ID", letter.message_id), ("In-Reply-To", letter.in_reply_to)):
        if value:
            yield name, _identifier(name, value)
    if letter.references:
        yield "References", " ".join(_identifier("References", name) for name in letter.references)


def _fill(message: EmailMessage, letter: Letter, encoding: str) -> None:
    """Put the texts, the pictures and the files in."""
    message.set_content(plain_form(letter.text), cte=encoding)
    if letter.html:
        message.add_alternative(plain_form(letter.html), subtype="html", cte=encoding)
        page = list(message.iter_parts())[-1]
        assert isinstance(page, MIMEPart)
        for cid, kind, data in letter.inline:
            page.add_related(
                data, *_kind(kind), cid=f"<{_fits('cid', _CID, cid)}>", disposition="inline"
            )
        if letter.inline:
            page.set_param("type", "text/html")
    for name, kind, data in letter.attachments:
        params = {"charset": "utf-8"} if kind.startswith("text/") else {}
        message.add_attachment(
            data, *_kind(kind), filename=_fits("filename", _FILE, name), params=params
        )
    _tidy(message, letter)


def _tidy(message: EmailMessage, letter: Letter) -> None:
    """Let the same letter always be the same mail: bounds of parts are made up by chance else."""
    salt = hashlib.sha256(f"{letter.message_id} {letter.text}".encode()).hexdigest()[:32]
    for number, part in enumerate(message.walk()):
        if number:
            del part["MIME-Version"]
        if part.is_multipart():
            part.set_boundary(f"=_{number}_{salt}")


def _kind(kind: str) -> Sequence[str]:
    return _fits("Content-Type", _TYPE, kind).split("/")


def plain_form(text: str) -> str:
    """A text with plain line ends, the last one closed."""
    return "\n".join(text.replace("\r\n", "\n").replace("\r", "\n").split("\n")).rstrip("\n") + "\n"


def _mailbox(field: str, name: str, address: str) -> Address:
    """A name with an address.

    Marks that mean something in an address are left out of the name: some programs, and some
    versions of Python, take them for addresses when the name is encoded.
    """
    shown = " ".join(_SPECIALS.sub(" ", _one_line(field, name)).split())
    return Address(display_name=shown, addr_spec=plain_address(address, field))


@lru_cache(maxsize=256)
def plain_address(address: str, field: str = "To") -> str:
    """An address as it can stand in every mail: its domain in ASCII.

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
    """A text that is fit for a field: one line, and nothing that a terminal or a program obeys.

    Raises:
        GameError: ``mail-field``.
    """
    if not text.isprintable():
        raise GameError("mail-field", field=field, value=ascii(text)[:80])
    return text


def _identifier(field: str, text: str) -> str:
    return _fits(field, _IDENTIFIER, text)


def _fits(field: str, pattern: re.Pattern[str], text: str) -> str:
    if not pattern.fullmatch(text):
        raise GameError("mail-field", field=field, value=ascii(text)[:80])
    return text


# -- as bytes ------------------------------------------------------------------------------------


def sent_form(message: EmailMessage) -> bytes:
    """A mail as it goes out: ASCII alone, lines ended by CR LF."""
    return message.as_bytes(policy=_SENT)


def as_draft(letter: Letter) -> bytes:
    """A letter as a draft.

    Raises:
        GameError: ``mail-field``.
    """
    return compose(letter, EIGHT_BIT).as_bytes(policy=_DRAFT)


def draft_form(message: EmailMessage) -> bytes:
    """A mail as a draft: texts and fields as people read them, in UTF-8, lines ended by LF."""
    copy = parsed(sent_form(message))
    _recode(copy, EIGHT_BIT)
    return copy.as_bytes(policy=_DRAFT)


def read_draft(data: bytes) -> EmailMessage:
    """A draft as it now stands in its file, ready to be sent.

    Raises:
        GameError: ``draft-unreadable`` (``why``), if it is no mail any more: broken parts, texts
            that are not UTF-8.
    """
    message = parsed(data.removeprefix(_BOM))
    try:
        _plain_fields(message)
        _recode(message, QUOTED)
        again = parsed(sent_form(message))
    except (UnicodeError, LookupError, ValueError, TypeError, HeaderParseError) as error:
        raise GameError("draft-unreadable", why=str(error)) from None
    defects = [type(d).__name__ for part in again.walk() for d in part.defects]
    if defects or again.get_body(("plain",)) is None:
        raise GameError("draft-unreadable", why=next(iter(defects), "text/plain"))
    return again


def text_of(message: EmailMessage) -> str:
    """The plain text of a mail with plain line ends, "" if it has none."""
    body = message.get_body(("plain",))
    return str(body.get_content()).replace("\r\n", "\n") if body is not None else ""


def parsed(data: bytes) -> EmailMessage:
    """A mail of bytes, or as much of it as there is."""
    message = BytesParser(policy=_SENT).parsebytes(data)
    assert isinstance(message, EmailMessage)
    return message


def _plain_fields(message: EmailMessage) -> None:
    """Encode the fields that somebody wrote as they are read: in UTF-8."""
    fields = [(name, str(value)) for name, value in message.raw_items()]
    if all(value.isascii() for _, value in fields):
        return
    for name, value in fields:
        if not value.isascii():
            text = value.encode("ascii", "surrogateescape").decode("utf-8")
            message.replace_header(name, re.sub(r"\r?\n", "", text))


def _recode(message: EmailMessage, encoding: str) -> None:
    """Encode every text of a mail otherwise; files stay as they are."""
    for part in message.walk():
        if part.get_content_maintype() == "text" and not part.is_attachment():
            charset = part.get_content_charset("utf-8")
            data = part.get_payload(decode=True)
            assert isinstance(data, bytes)
            text = data.decode(charset).replace("\r\n", "\n")
            assert isinstance(part, MIMEPart)
            # A part is a message to the parser, and would get a version of its own.
            MIMEPart.set_content(part, text, subtype=part.get_content_subtype(), cte=encoding)
