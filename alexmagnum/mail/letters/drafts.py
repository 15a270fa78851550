"""Letters as drafts: files that the game master reads and changes before they are sent.

Open this for how a draft looks.  It holds the fields, the text and the page of a letter.  The map,
the order sheet and the calendar entry are not in it: the field ``X-Draft-Files`` names them, and
they are put in when the letter is sent.  What people made of a draft is read strictly.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from email.errors import HeaderParseError
from email.message import EmailMessage, MIMEPart
from html import escape

from alexmagnum.errors import GameError
from alexmagnum.game.attachments import EnclosedFile
from alexmagnum.mail.letters.composition import (
    DRAFT_POLICY,
    EIGHT_BIT,
    QUOTED,
    Attachment,
    Inline,
    Letter,
    attach_files,
    compose,
    encode_mail,
    parse_mail,
    read_text,
)

_MADE = "X-Draft-Made"
"""The field with digests of the text and the page as they were composed.  It is not sent.  A mail
program that writes a draft anew drops it, and writes the text and the page alike."""

_FILES = "X-Draft-Files"
"""The field with the names of the files that are put in when the letter is sent.  It is not sent.
Whoever takes a name out takes the file out; a draft that lost the field keeps all files."""

_BOM = b"\xef\xbb\xbf"

_PAGE = """<!DOCTYPE html>
<html><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body style="margin: 0 12px; background: #fffdf8; color: #1f1b16;">
<pre style="font-size: 14px; white-space: pre-wrap; overflow-wrap: break-word;">{text}</pre>
{pictures}</body></html>
"""


# -- writing ---------------------------------------------------------------------------------------


def write_draft(letter: Letter) -> bytes:
    """Return a letter as a draft, without its pictures and files.

    Raises:
        GameError: ``mail-field``.
    """
    message = compose(replace(letter, inline=(), attachments=()), EIGHT_BIT)
    if letter.attachments:
        message[_FILES] = ", ".join(file.name for file in letter.attachments)
    return _with_digests(message)


def list_enclosed_files(letter: Letter) -> tuple[EnclosedFile, ...]:
    """Return the pictures and files of a letter, to be kept beside its draft."""
    return (
        *(EnclosedFile("", one.type, one.data, cid=one.cid) for one in letter.inline),
        *(EnclosedFile(one.name, one.type, one.data) for one in letter.attachments),
    )


def rewrite_as_draft(message: EmailMessage) -> bytes:
    """Return a mail as a draft with all that is in it: UTF-8, lines ended by LF."""
    copy = parse_mail(encode_mail(message))
    del copy[_MADE]
    _recode(copy, EIGHT_BIT)
    return _with_digests(copy)


def reword_draft(data: bytes, reword: Callable[[str], str]) -> bytes:
    """Return a draft without a page whose text was changed by ``reword``.

    A file that is no UTF-8 stays as it is.
    """
    try:
        return reword(data.decode()).encode()
    except UnicodeDecodeError:
        return data


def is_draft(data: bytes) -> bool:
    """Return whether a mail is written as a draft, and not as it is sent."""
    return not data.isascii() or f"\n{_MADE}: ".encode() in data


def _with_digests(message: EmailMessage) -> bytes:
    """Return a draft with digests of its text and its page."""
    message[_MADE] = " ".join(_digests(message))
    return message.as_bytes(policy=DRAFT_POLICY)


def _digests(message: EmailMessage) -> list[str]:
    """Return a digest of the words of the text, and one of the page if there is one."""
    bodies = (message.get_body((kind,)) for kind in ("plain", "html"))
    texts = (" ".join(str(body.get_content()).split()) for body in bodies if body is not None)
    return [hashlib.sha256(text.encode()).hexdigest()[:16] for text in texts]


# -- reading ---------------------------------------------------------------------------------------


def read_draft(data: bytes, files: Sequence[EnclosedFile] = ()) -> EmailMessage:
    """Return the mail of a draft as its file now stands, with its files, ready to be sent.

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
    inline = [Inline(file.cid, file.type, file.data) for file in files if file.cid]
    attach_files(again, inline, _select_files(files, named))
    return again


def _select_files(files: Sequence[EnclosedFile], named: str | None) -> list[Attachment]:
    """Return the files that a draft names, all of them if it has lost the field.

    Raises:
        GameError: ``draft-unreadable``.
    """
    known = {file.name: file for file in files if not file.cid}
    names = list(known) if named is None else list(_names(str(named)))
    unknown = [name for name in names if name not in known]
    if unknown:
        raise GameError("draft-unreadable", why=f"{_FILES}: {unknown[0]}")
    return [Attachment(name, known[name].type, known[name].data) for name in names]


def _names(field: str) -> Iterator[str]:
    """Return the names in a field, each once."""
    yield from dict.fromkeys(filter(None, (name.strip() for name in field.split(","))))


def _defects(message: EmailMessage) -> list[str]:
    """Return what keeps a draft from being a mail: broken parts, no text, no subject or several."""
    found = [type(d).__name__ for part in message.walk() for d in part.defects]
    if message.get_body(("plain",)) is None:
        found.append("text/plain")
    if len(message.get_all("Subject", [])) != 1:
        found.append("Subject")
    return found


def _show_text(message: EmailMessage) -> None:
    """Replace the page by one that shows the text, word for word, and the pictures it had."""
    page = message.get_body(("html",))
    if page is None:
        return
    names = re.findall(r"cid:[^\s\"'>]+", str(page.get_content()))
    shown = "".join(f'<p><img src="{name}" alt="" style="width: 100%;"></p>\n' for name in names)
    html = _PAGE.format(text=escape(read_text(message)), pictures=shown)
    MIMEPart.set_content(page, html, subtype="html", cte=QUOTED)


def _decode_fields(message: EmailMessage) -> None:
    """Decode the fields that somebody wrote in UTF-8, as people read them."""
    fields = [(name, str(value)) for name, value in message.raw_items()]
    if all(value.isascii() for _, value in fields):
        return
    for name, value in fields:
        if not value.isascii():
            text = value.encode("ascii", "surrogateescape").decode("utf-8")
            message.replace_header(name, re.sub(r"\r?\n", "", text))


def _recode(message: EmailMessage, encoding: str) -> None:
    """Encode the texts of a mail in another way; files stay as they are."""
    for part in message.walk():
        if part.get_content_maintype() == "text" and not part.is_attachment():
            charset = part.get_content_charset("utf-8")
            data = part.get_payload(decode=True)
            assert isinstance(data, bytes)
            text = data.decode(charset).replace("\r\n", "\n")
            assert isinstance(part, MIMEPart)
            # A part is a message to the parser, and would get a version of its own.
            MIMEPart.set_content(part, text, subtype=part.get_content_subtype(), cte=encoding)
