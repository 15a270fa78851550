"""A message taken apart: its texts, what it forwards, and what nobody can read in it."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from email.message import Message
from email.utils import collapse_rfc2231_value

from alexmagnum.mail.parsing.decoding import clean, decode, one_line
from alexmagnum.mail.parsing.decoding import field as decoded_field
from alexmagnum.mail.parsing.limits import MAX_DEPTH, MAX_PARTS, MAX_TEXT
from alexmagnum.mail.parsing.notes import Note

_TEXTUAL = (".txt", ".text", ".md", ".ord")
_SEALED = frozenset({"application/pgp-signature", "application/pkcs7-signature",
                     "application/x-pkcs7-signature", "application/pgp-encrypted"})  # fmt: skip
"""Parts that say nothing to anybody who reads the letter."""


@dataclass(frozen=True, slots=True)
class Body:
    """A text of a message, as plain text, as a page, or as both, which then say the same."""

    plain: str | None = None
    page: str | None = None
    flowed: bool = False
    delsp: bool = False


@dataclass(slots=True)
class Parts:
    """What was found: texts in their order, forwarded messages, and what is odd."""

    bodies: list[Body] = field(default_factory=list)
    forwarded: list[Message] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    seen: int = 0
    left: int = MAX_TEXT


def take_apart(message: Message) -> Parts:
    """The parts of a message that matter, down to the limits."""
    found = Parts()
    _walk(message, found, 0)
    return found


def _walk(part: Message, found: Parts, depth: int) -> None:
    found.seen += 1
    if found.seen > MAX_PARTS or depth > MAX_DEPTH:
        found.notes.append(Note.of("too-many-parts"))
        return
    kind = part.get_content_type()
    children = _children(part)
    if kind == "message/rfc822" and children:
        found.forwarded.append(children[0])
    elif kind == "multipart/alternative":
        _alternative(children, found, depth)
    elif children:
        for child in children:
            if found.seen <= MAX_PARTS:
                _walk(child, found, depth + 1)
    elif not part.is_multipart():
        _leaf(part, kind, found)


def _children(part: Message) -> list[Message]:
    payload = part.get_payload() if part.is_multipart() else ()
    return [child for child in payload if isinstance(child, Message)]


def _alternative(children: Sequence[Message], found: Parts, depth: int) -> None:
    """Texts that say the same become one body; the rest is kept as it is."""
    inner = Parts(seen=found.seen, left=found.left)
    for child in children:
        if inner.seen <= MAX_PARTS:
            _walk(child, inner, depth + 1)
    plain = [body for body in inner.bodies if body.plain is not None]
    pages = [body.page for body in inner.bodies if body.page is not None]
    if plain or pages:
        found.bodies.append(
            Body(
                "\n".join(body.plain or "" for body in plain) if plain else None,
                "\n".join(pages) if pages else None,
                any(body.flowed for body in plain),
                any(body.delsp for body in plain),
            )
        )
    found.forwarded += inner.forwarded
    found.notes += inner.notes
    found.seen, found.left = inner.seen, inner.left


def _leaf(part: Message, kind: str, found: Parts) -> None:
    """A part without parts: a text, or something that is left aside and said."""
    name = _name(part)
    attached = bool(name) or part.get_content_disposition() == "attachment"
    textual = kind == "text/markdown" or (
        kind == "application/octet-stream" and name.casefold().endswith(_TEXTUAL)
    )
    if kind == "text/plain" or textual:
        if attached:
            found.notes.append(Note.of("attachment-read", name=name))
        flowed = _parameter(part, "format").casefold() == "flowed"
        delsp = _parameter(part, "delsp").casefold() == "yes"
        found.bodies.append(Body(_text(part, found), None, flowed, delsp))
    elif kind == "text/html" and not attached:
        found.bodies.append(Body(None, _text(part, found)))
    elif kind not in _SEALED and not _is_decoration(part, kind):
        found.notes.append(Note.of("attachment-ignored", name=name, type=one_line(kind)))


def _is_decoration(part: Message, kind: str) -> bool:
    """Is it a picture that the text shows, and no attachment of its own?"""
    inline = part.get_content_disposition() != "attachment"
    return kind.startswith("image/") and inline and "content-id" in part


def _text(part: Message, found: Parts) -> str:
    charset = _parameter(part, "charset")
    text, guessed = decode(_octets(part), charset)
    if guessed and charset:
        found.notes.append(Note.of("charset-guessed", declared=one_line(charset), used=guessed))
    if len(text) > found.left:
        found.notes.append(Note.of("too-large", limit=str(MAX_TEXT)))
    text = clean(text[: found.left])
    found.left = max(0, found.left - len(text))
    if "\ufffd" in text:
        found.notes.append(Note.of("undecodable"))
    return text


def _octets(part: Message) -> bytes:
    """The bytes of a part, as far as they can be made out."""
    encoding = str(part.get("content-transfer-encoding", "")).strip().casefold()
    try:
        data = part.get_payload() if encoding == "base64" else part.get_payload(decode=True)
    except (ValueError, TypeError, LookupError):
        return b""
    if isinstance(data, str):
        return _from_base64(data)
    return data if isinstance(data, bytes) else b""


_NO_DIGIT = re.compile(r"[^A-Za-z0-9+/]+")


def _from_base64(text: str) -> bytes:
    """What can be decoded: the standard library gives up where a message is torn off."""
    digits = _NO_DIGIT.sub("", text)
    whole = len(digits) - (len(digits) % 4 == 1)
    return base64.b64decode(digits[:whole] + "=" * (-whole % 4))


def _parameter(part: Message, name: str) -> str:
    """A parameter of the content type; "" where it is missing or mangled."""
    try:
        return str(collapse_rfc2231_value(part.get_param(name, "") or ""))
    except (ValueError, TypeError, LookupError):
        return ""


def _name(part: Message) -> str:
    """The name of an attachment, as it can be shown."""
    try:
        return decoded_field(part.get_filename("") or "")
    except (ValueError, TypeError, LookupError):
        return "?"
