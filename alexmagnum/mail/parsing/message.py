"""From the bytes of a message to what a person wrote in it now."""

from __future__ import annotations

import email.policy
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from email.message import Message
from email.parser import BytesParser
from hashlib import sha256

from alexmagnum.mail.parsing.addresses import addresses, mailboxes
from alexmagnum.mail.parsing.classify import PERSON, sort
from alexmagnum.mail.parsing.contents import Contents, contents
from alexmagnum.mail.parsing.decoding import one_line
from alexmagnum.mail.parsing.headers import Headers
from alexmagnum.mail.parsing.limits import MAX_BYTES, MAX_LETTER, head_alone, is_tangled
from alexmagnum.mail.parsing.mime import Parts, take_apart
from alexmagnum.mail.parsing.notes import Note
from alexmagnum.mail.parsing.vocabulary import vocabulary

_TO = ("to", "cc", "delivered-to", "x-original-to", "envelope-to", "x-envelope-to")
_MOST_FORWARDED = 5
_ADDRESS = re.compile(r"[^\s@<>()\[\],;:\"']+@[^\s@<>()\[\],;:\"']+")


@dataclass(frozen=True, slots=True)
class Incoming:
    """A message as read.

    ``key``: its Message-ID, else "digest:" and the SHA-256 of sender, date and text;
    ``senders``: the addresses of all From fields, in lower case; ``to``: those of all fields that
    say where it went; ``kind``: "person", "auto-reply", "bounce", "list", "own" or "loop";
    ``bounced``: the addresses that failed for good; ``text``: what the person wrote now;
    ``removed``: what was taken for quotation or signature; ``notes``: what was odd.
    Names and the subject are one line without anything that steers a terminal.
    """

    key: str
    message_id: str = ""
    references: tuple[str, ...] = ()
    senders: tuple[str, ...] = ()
    reply_to: str = ""
    name: str = ""
    to: tuple[str, ...] = ()
    subject: str = ""
    date: datetime | None = None
    kind: str = PERSON
    bounced: tuple[str, ...] = ()
    text: str = ""
    removed: str = ""
    notes: tuple[Note, ...] = ()

    @property
    def codes(self) -> frozenset[str]:
        """The codes of the notes."""
        return frozenset(note.code for note in self.notes)


def read_message(raw: bytes, *, own: Collection[str] = (), sent: Sequence[str] = ()) -> Incoming:
    """Read a message; nothing is raised, whatever the bytes.

    ``own``: the addresses of the game, without tags; ``sent``: texts lately sent to this player:
    blocks that repeat them are quotation however they are marked.
    """
    try:
        return read_unguarded(raw, own, sent)
    except Exception:  # one message made to break a reader must not stop those behind it
        digest = sha256(raw).hexdigest()
        return Incoming(f"digest:{digest}", notes=(Note.of("unreadable"),))


def read_head(raw: bytes) -> Incoming:
    """Under what a message is kept: its key, senders and subject; nothing is raised."""
    try:
        headers = Headers(_parser().parsebytes(head_alone(_whole(raw))))
        message_id = _message_id(headers)
        if not message_id:
            return read_message(raw)
        senders = addresses(headers.all("from"))
        return Incoming(message_id, message_id, senders=senders, subject=headers.get("subject"))
    except Exception:  # as above
        return read_message(raw)


def read_unguarded(raw: bytes, own: Collection[str], sent: Sequence[str]) -> Incoming:
    """The same without the last guard, so that tests see what it would hide."""
    message, notes = parsed(raw)
    headers = Headers(message)
    found = sort(message, headers, own, vocabulary())
    parts = take_apart(message)
    senders = addresses(headers.all("from"))
    read = _read(parts, senders, sent)
    notes += [*_sender_notes(headers), *parts.notes, *read.notes]
    if found.delayed:
        notes.append(Note.of("delivery-delayed", addresses=", ".join(found.delayed)))
    if found.guessed:
        notes.append(Note.of("looks-automatic"))
    message_id = _message_id(headers)
    if not message_id:
        notes.append(Note.of("no-message-id"))
    return Incoming(
        key=message_id or _digest(headers, read),
        message_id=message_id,
        references=headers.ids("references", "in-reply-to"),
        senders=senders,
        reply_to=next(iter(addresses(headers.all("reply-to"))), ""),
        name=next((one_line(box.name) for box in mailboxes(headers.get("from"))), ""),
        to=addresses(text for name in _TO for text in headers.all(name)),
        subject=headers.get("subject"),
        date=headers.date(),
        kind=found.kind,
        bounced=found.bounced,
        text=read.text,
        removed=read.removed,
        notes=tuple(_unique(notes)),
    )


def _message_id(headers: Headers) -> str:
    return next(iter(headers.ids("message-id")), "")


def _unique(notes: Sequence[Note]) -> list[Note]:
    """Each note once."""
    seen: list[Note] = []
    for note in notes:
        if note not in seen:
            seen.append(note)
    return seen


def parsed(raw: bytes) -> tuple[Message, list[Note]]:
    """The message, or only its head where its body is not worth taking apart."""
    notes = []
    if len(raw) > MAX_BYTES:
        notes.append(Note.of("too-large", limit=str(MAX_BYTES)))
    raw, parser = _whole(raw), _parser()
    try:
        if not is_tangled(raw):
            return parser.parsebytes(raw), notes
    except RecursionError:
        pass
    notes.append(Note.of("too-many-parts"))
    return parser.parsebytes(head_alone(raw)), notes


def _whole(raw: bytes) -> bytes:
    """The bytes of a message up to the limit, from its first field on."""
    return raw[:MAX_BYTES].removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")


def _parser() -> BytesParser[Message]:
    return BytesParser(policy=email.policy.compat32)


def _read(parts: Parts, senders: Sequence[str], sent: Sequence[str]) -> Contents:
    """The texts of a message as one.

    What is forwarded never counts, with one exception: somebody who writes nothing and attaches
    an earlier mail of his own sends that.
    """
    read = contents(parts.bodies, sent)
    for message in parts.forwarded[:_MOST_FORWARDED]:
        headers = Headers(message)
        inner = contents(take_apart(message).bodies, sent)
        data = {"sender": headers.get("from"), "subject": headers.get("subject")}
        resent = bool(set(addresses(headers.all("from"))) & set(senders))
        if resent and not read.text and inner.text:
            read = inner.joined(read).noted(Note("forwarded-own", data))
        else:
            read = read.joined(inner.dropped()).noted(Note("forwarded-ignored", data))
    if len(read.text) > MAX_LETTER:
        kept = read.text[:MAX_LETTER]
        read = replace(read, text=kept.rpartition("\n")[0] or kept)
        read = read.noted(Note.of("too-large", limit=str(MAX_LETTER)))
    if not read.text and re.search(r"\w", read.removed):
        read = read.noted(Note.of("only-quotation"))
    return read


def _sender_notes(headers: Headers) -> list[Note]:
    """What is odd about who the message is from."""
    boxes = [box for text in headers.all("from") for box in mailboxes(text)]
    notes = []
    if not boxes:
        notes.append(Note.of("from-missing"))
    if len(boxes) > 1 or headers.count("from") > 1:
        notes.append(Note.of("from-several"))
    for box in boxes[:3]:
        if not box.address:
            notes.append(Note.of("from-malformed", text=one_line(box.name)))
        elif set(map(str.casefold, _ADDRESS.findall(box.name))) - {box.address}:
            notes.append(Note.of("address-in-name", text=one_line(box.name)))
    return notes


def _digest(headers: Headers, read: Contents) -> str:
    """A key for a message without an id: the same mail from two folders has the same."""
    body = " ".join(f"{read.text} {read.removed}".split())
    parts = (headers.get("from"), headers.get("date"), body)
    return f"digest:{sha256(chr(10).join(parts).encode('utf-8', 'replace')).hexdigest()}"
