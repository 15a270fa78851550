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
from html import escape
from typing import Any, NamedTuple

from alexmagnum.errors import GameError
from alexmagnum.mail.parsing.classify import LOOP_HEADER

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
_CID = re.compile(r"[A-Za-z0-9.-]+@[A-Za-z0-9.-]+")
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

    ``text`` says everything; ``html`` is the same as a page, "" for none.  ``about`` is the phase
    that the subject names, "" for that whose code it carries.  The fields below ``lang`` are filled
    in by the outbox: who writes to whom, under which name, and which mail this follows.
    ``auto_submitted`` is ``auto-generated``, or ``auto-replied`` for an answer.
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
    stamp(message, letter)
    message["To"] = _mailbox("To", letter.to_name, letter.to)
    message["Subject"] = _one_line("Subject", letter.subject)
    for name, value in _threading(letter):
        message[name] = value
    if letter.lang:
        message["Content-Language"] = _one_line("Content-Language", letter.lang)
    message["MIME-Version"] = "1.0"
    _fill(message, letter, encoding)
    return message


def stamp(message: EmailMessage, letter: Letter) -> None:
    """Put on a mail who writes it and when, what it is called and where an answer goes, in the
    place of whatever stood there.

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
    """Which mails a mail follows."""
    if letter.in_reply_to:
        yield "In-Reply-To", _identifier("In-Reply-To", letter.in_reply_to)
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
    return _marked(compose(letter, EIGHT_BIT))


def draft_form(message: EmailMessage) -> bytes:
    """A mail as a draft: texts and fields as people read them, in UTF-8, lines ended by LF."""
    copy = parsed(sent_form(message))
    del copy[_MADE]
    _recode(copy, EIGHT_BIT)
    return _marked(copy)


def is_draft(data: bytes) -> bool:
    """Is a mail written as a draft, whatever became of it, and not as it goes out?"""
    return not data.isascii() or f"\n{_MADE}: ".encode() in data


def _marked(message: EmailMessage) -> bytes:
    """A draft with the words that it was composed of."""
    message[_MADE] = " ".join(_digests(message))
    return message.as_bytes(policy=_DRAFT)


def read_draft(data: bytes) -> EmailMessage:
    """A draft as it now stands in its file, ready to be sent.

    Where its text was changed and its page was not, the page becomes one that shows the text.

    Raises:
        GameError: ``draft-unreadable`` (``why``), if it is no mail any more: broken parts, texts
            that are not UTF-8.
    """
    message = parsed(data.removeprefix(_BOM))
    made = str(message[_MADE] or "").split()
    del message[_MADE]
    try:
        defects = _defects(message)
        _plain_fields(message)
        _recode(message, QUOTED)
        again = parsed(sent_form(message))
    except (UnicodeError, LookupError, ValueError, TypeError, HeaderParseError) as error:
        raise GameError("draft-unreadable", why=str(error)) from None
    defects += _defects(again)
    if defects:
        raise GameError("draft-unreadable", why=defects[0])
    if _digests(again)[1:] == made[1:] and _digests(again)[:1] != made[:1]:
        _show_text(again)
    return again


def _defects(message: EmailMessage) -> list[str]:
    """What keeps a draft from being a mail: broken parts, no text, no subject or several."""
    found = [type(d).__name__ for part in message.walk() for d in part.defects]
    if message.get_body(("plain",)) is None:
        found.append("text/plain")
    if len(message.get_all("Subject", [])) != 1:
        found.append("Subject")
    return found


# -- a text changed by hand ------------------------------------------------------------------------

_MADE = "X-Draft-Made"
"""The field of a draft that keeps which words its text and its page were composed of.  It does not
leave; a program that writes a draft anew takes it away, and writes the text and the page alike."""

_PAGE = """<!DOCTYPE html>
<html><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body style="margin: 0 12px; background: #fffdf8; color: #1f1b16;">
<pre style="font-size: 14px; white-space: pre-wrap; overflow-wrap: break-word;">{text}</pre>
{pictures}</body></html>
"""


def _digests(message: EmailMessage) -> list[str]:
    """The words of the text and of the page, if there is one, each as a digest."""
    bodies = (message.get_body((kind,)) for kind in ("plain", "html"))
    texts = (" ".join(str(body.get_content()).split()) for body in bodies if body is not None)
    return [hashlib.sha256(text.encode()).hexdigest()[:16] for text in texts]


def _show_text(message: EmailMessage) -> None:
    """Let the page say what the text says, word for word, with the pictures that it had."""
    page = message.get_body(("html",))
    if page is None:
        return
    names = re.findall(r"cid:[^\s\"'>]+", str(page.get_content()))
    shown = "".join(f'<p><img src="{name}" alt="" style="width: 100%;"></p>\n' for name in names)
    html = _PAGE.format(text=escape(text_of(message)), pictures=shown)
    MIMEPart.set_content(page, html, subtype="html", cte=QUOTED)


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
