"""The parts of a mail: its texts, forwarded mail, and attachments that cannot be read."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from email.message import Message
from email.utils import collapse_rfc2231_value

from alexmagnum.mail.parsing.decoding import clean_text, decode, decode_field, to_one_line
from alexmagnum.mail.parsing.limits import MAX_DEPTH, MAX_PARTS, MAX_TEXT
from alexmagnum.mail.parsing.reading_notes import Note

_TEXT_SUFFIXES = (".txt", ".text", ".md", ".ord")
_SIGNATURE_TYPES = frozenset({
    "application/pgp-signature", "application/pkcs7-signature",
    "application/x-pkcs7-signature", "application/pgp-encrypted",
})  # fmt: skip
"""Parts for programs. Whoever reads the mail never sees them, so no note mentions them."""

_ENCRYPTED_TYPES = frozenset(
    {"multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"}
)


@dataclass(frozen=True, slots=True)
class Body:
    """One text of a mail: plain, HTML, or both if they say the same.

    ``flowed`` and ``delsp`` are the parameters of ``format=flowed`` (RFC 3676).
    """

    plain: str | None = None
    html: str | None = None
    flowed: bool = False
    delsp: bool = False


@dataclass(slots=True)
class Parts:
    """The parts found so far: texts in their order, forwarded mails, and notes.

    ``pictures`` counts pictures inside the text, ``visited`` parts, and ``text_left`` the
    characters still allowed by the limits.
    """

    bodies: list[Body] = field(default_factory=list)
    forwarded: list[Message] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    pictures: int = 0
    visited: int = 0
    text_left: int = MAX_TEXT


def find_parts(message: Message) -> Parts:
    """Return the parts of a mail, up to the limits."""
    parts = Parts()
    _visit(message, parts, 0)
    return parts


def _visit(part: Message, parts: Parts, depth: int) -> None:
    parts.visited += 1
    if parts.visited > MAX_PARTS or depth > MAX_DEPTH:
        parts.notes.append(Note.of("too-many-parts"))
        return
    content_type = part.get_content_type()
    if content_type in _ENCRYPTED_TYPES:
        parts.notes.append(Note.of("encrypted"))
        return
    children = _find_children(part)
    if content_type == "message/rfc822" and children:
        parts.forwarded.append(children[0])
    elif content_type == "multipart/alternative":
        _visit_alternatives(children, parts, depth)
    elif children:
        for child in children:
            if parts.visited <= MAX_PARTS:
                _visit(child, parts, depth + 1)
    elif not part.is_multipart():
        _visit_leaf(part, content_type, parts)


def _find_children(part: Message) -> list[Message]:
    payload = part.get_payload() if part.is_multipart() else ()
    return [child for child in payload if isinstance(child, Message)]


def _visit_alternatives(children: Sequence[Message], parts: Parts, depth: int) -> None:
    """Join texts that say the same into one body; other parts are added as they are."""
    inner = Parts(visited=parts.visited, text_left=parts.text_left)
    for child in children:
        if inner.visited <= MAX_PARTS:
            _visit(child, inner, depth + 1)
    if inner.bodies:
        parts.bodies.append(_join_bodies(inner.bodies))
    parts.forwarded += inner.forwarded
    parts.notes += inner.notes
    parts.pictures += inner.pictures
    parts.visited, parts.text_left = inner.visited, inner.text_left


def _join_bodies(bodies: Sequence[Body]) -> Body:
    plain = [body for body in bodies if body.plain is not None]
    pages = [body.html for body in bodies if body.html is not None]
    return Body(
        plain="\n".join(body.plain or "" for body in plain) if plain else None,
        html="\n".join(pages) if pages else None,
        flowed=any(body.flowed for body in plain),
        delsp=any(body.delsp for body in plain),
    )


def _visit_leaf(part: Message, content_type: str, parts: Parts) -> None:
    """Add a part without parts: a text, or a note that it is ignored."""
    name = _read_filename(part)
    is_attachment = bool(name) or part.get_content_disposition() == "attachment"
    if _is_plain_text(content_type, name):
        if is_attachment:
            parts.notes.append(Note.of("attachment-read", name=name))
        flowed = _read_parameter(part, "format").casefold() == "flowed"
        delsp = _read_parameter(part, "delsp").casefold() == "yes"
        parts.bodies.append(Body(_read_text(part, parts), None, flowed, delsp))
    elif content_type == "text/html" and not is_attachment:
        parts.bodies.append(Body(None, _read_text(part, parts)))
    elif _is_shown_picture(part, content_type):
        parts.pictures += 1
    elif content_type not in _SIGNATURE_TYPES:
        type_ = to_one_line(content_type)
        parts.notes.append(Note.of("attachment-ignored", name=name, type=type_))


def _is_plain_text(content_type: str, name: str) -> bool:
    if content_type == "application/octet-stream":
        return name.casefold().endswith(_TEXT_SUFFIXES)
    return content_type in ("text/plain", "text/markdown")


def _is_shown_picture(part: Message, content_type: str) -> bool:
    """Tell whether a part is a picture inside the text, such as a logo in a signature."""
    is_inline = part.get_content_disposition() != "attachment"
    return content_type.startswith("image/") and is_inline and "content-id" in part


def _read_text(part: Message, parts: Parts) -> str:
    charset = _read_parameter(part, "charset")
    text, guessed = decode(_read_bytes(part), charset)
    if guessed and charset:
        declared = to_one_line(charset)
        parts.notes.append(Note.of("charset-guessed", declared=declared, used=guessed))
    if len(text) > parts.text_left:
        parts.notes.append(Note.of("too-large", limit=str(MAX_TEXT)))
    text = clean_text(text[: parts.text_left])
    parts.text_left = max(0, parts.text_left - len(text))
    if "\ufffd" in text:
        parts.notes.append(Note.of("undecodable"))
    return text


def _read_bytes(part: Message) -> bytes:
    """Return the bytes of a part; where they are broken, those that can be decoded."""
    encoding = str(part.get("content-transfer-encoding", "")).strip().casefold()
    try:
        data = part.get_payload() if encoding == "base64" else part.get_payload(decode=True)
    except (ValueError, TypeError, LookupError):
        return b""
    if isinstance(data, str):
        return _decode_base64(data)
    return data if isinstance(data, bytes) else b""


_NOT_BASE64 = re.compile(r"[^A-Za-z0-9+/]+")


def _decode_base64(text: str) -> bytes:
    """Decode as much as possible; the standard library gives up on a mail that was cut off."""
    digits = _NOT_BASE64.sub("", text)
    whole = len(digits) - (len(digits) % 4 == 1)
    return base64.b64decode(digits[:whole] + "=" * (-whole % 4))


def _read_parameter(part: Message, name: str) -> str:
    """Return a parameter of the content type; "" if it is missing or broken."""
    try:
        return str(collapse_rfc2231_value(part.get_param(name, "") or ""))
    except (ValueError, TypeError, LookupError):
        return ""


def _read_filename(part: Message) -> str:
    """Return the name of an attachment; "" if it has none, "?" if it cannot be read."""
    try:
        return decode_field(part.get_filename("") or "")
    except (ValueError, TypeError, LookupError):
        return "?"
