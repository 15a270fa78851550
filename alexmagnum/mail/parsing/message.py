"""Reading of a whole mail, from its bytes to the text that its writer wrote now."""

import codecs
import json
import quopri
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from email.message import Message
from hashlib import sha256

from alexmagnum.game.settings import lower_ascii
from alexmagnum.mail.parsing import commands, mime
from alexmagnum.mail.parsing.html import read_page
from alexmagnum.mail.parsing.own_text import OwnText, find_own_text
from alexmagnum.position import Position

# Reading of a whole mail, from its bytes to the text that its writer wrote now.
#
# :func:`read_message` is the entrance of this package.


_RECIPIENT_FIELDS = ("to", "cc", "delivered-to", "x-original-to", "envelope-to", "x-envelope-to")
_KEPT_FIELD = "X-Alexmagnum-Kept"
_SHORTENED = re.compile(rf"{_KEPT_FIELD}: (digest:\w+)\n".encode(), re.ASCII)
_MAX_FORWARDED = 5
_PGP_BLOCK = re.compile(
    r"^-----BEGIN PGP MESSAGE-----$.*?(?:^-----END PGP MESSAGE-----$|\Z)", re.MULTILINE | re.DOTALL
)
_ADDRESS = re.compile(r"[^\s@<>()\[\],;:\"']+@[^\s@<>()\[\],;:\"']+")


@dataclass(frozen=True, slots=True)
class IncomingMail:
    """A mail as read.

    ``digest``: "digest:" and the SHA-256 of sender, date and text, by which its contents are known;
    ``key``: its Message-ID, else this digest;
    ``senders``: the addresses in all From fields, in lower case; ``to``: the addresses in all
    fields that say where it went; ``references``: the Message-IDs of what it answers or brings
    back; ``kind``: one of the kinds in :mod:`.classify`; ``bounced``:
    addresses that failed for good; ``text``: what the writer wrote now; ``removed``: quotations and
    signatures; ``unsent``: what of these repeats no letter sent to the writer; ``notes``: what was
    odd. Names and the subject are one line without control characters.
    """

    key: str
    digest: str = ""
    message_id: str = ""
    references: tuple[str, ...] = ()
    senders: tuple[str, ...] = ()
    reply_to: str = ""
    name: str = ""
    to: tuple[str, ...] = ()
    subject: str = ""
    date: datetime | None = None
    kind: str = commands.PERSON
    bounced: tuple[str, ...] = ()
    text: str = ""
    removed: str = ""
    unsent: str = ""
    notes: tuple[mime.Note, ...] = ()

    @property
    def codes(self) -> frozenset[str]:
        """The codes of the notes."""
        return frozenset(note.code for note in self.notes)


def read_message(
    raw: bytes, *, own: Collection[str] = (), sent: Sequence[str] = (), said: tuple[str, ...] = ()
) -> IncomingMail:
    """Read a mail. Never raises, whatever the bytes.

    ``own`` are the addresses of the game, without tags. ``sent`` are texts lately sent to this
    player: blocks that repeat them count as quotation, with or without marks, but not the player's
    press in them, ``said``.
    """
    try:
        return read_unguarded(raw, own, sent, said)
    except Exception:  # a mail made to break the reader must not stop those after it
        digest = f"digest:{sha256(raw).hexdigest()}"
        return IncomingMail(digest, digest, notes=(mime.Note.of("unreadable"),))


def read_head(raw: bytes) -> IncomingMail:
    """Read only the addresses, the subject and the identity of a mail; never raises.

    Its digest is that of its bytes.
    """
    digest = f"digest:{sha256(raw).hexdigest()}"
    try:
        headers = mime.Headers(mime.MailSplitter(raw).read_head())
        message_id = next(iter(headers.ids("message-id")), "")
        return IncomingMail(
            key=message_id or digest,
            digest=digest,
            message_id=message_id,
            references=headers.ids("references", "in-reply-to"),
            senders=mime.find_addresses(headers.raw("from")),
            to=mime.find_addresses(headers.raw(*_RECIPIENT_FIELDS)),
            subject=headers.get("subject"),
        )
    except Exception:  # as above
        return IncomingMail(digest, digest)


def unmark_mail(raw: bytes) -> bytes:
    """Return a mail that came in such that it does not look like one that was shortened here."""
    return b"\n" + raw if raw.startswith(_KEPT_FIELD.encode()) else raw


def shorten_mail(raw: bytes, message: IncomingMail, size: int) -> bytes:
    """Return the beginning of a mail, below a field that tells what all of it was when read."""
    return f"{_KEPT_FIELD}: {message.digest}\n".encode() + raw[:size]


def read_unguarded(
    raw: bytes, own: Collection[str], sent: Sequence[str], said: tuple[str, ...] = ()
) -> IncomingMail:
    """Read a mail, and raise on a fault of the reader, so that tests find it."""
    splitter = mime.MailSplitter(raw)
    message, notes = splitter.split(), splitter.notes
    headers = mime.Headers(message)
    classification = commands.classify(message, headers, own, mime.load_vocabulary())
    parts = mime.find_parts(message)
    senders = mime.find_addresses(headers.raw("from"))
    own_text = _join_texts(parts, senders, sent, said)
    mailboxes = [box for field in headers.raw("from") for box in mime.parse_mailboxes(field)]
    notes += [*_note_senders(headers, mailboxes), *parts.notes, *own_text.notes]
    if classification.delayed:
        notes.append(mime.Note.of("delivery-delayed", addresses=", ".join(classification.delayed)))
    if parts.pictures and not own_text.text:
        notes.append(mime.Note.of("only-picture"))
    if not (message_id := next(iter(headers.ids("message-id")), "")):
        notes.append(mime.Note.of("no-message-id"))
    if shortened := _SHORTENED.match(raw):
        notes.append(mime.Note.of("too-large", limit=str(len(raw))))
    digest = shortened[1].decode() if shortened else _digest(headers, own_text)
    return IncomingMail(
        key=message_id or digest,
        digest=digest,
        message_id=message_id,
        references=mime.find_message_ids(raw.decode("latin-1"))
        if classification.kind == commands.BOUNCE
        else headers.ids("references", "in-reply-to"),
        senders=senders,
        reply_to=next(iter(mime.find_addresses(headers.raw("reply-to"))), ""),
        name=next((mailbox.name for mailbox in mailboxes), ""),
        to=mime.find_addresses(headers.raw(*_RECIPIENT_FIELDS)),
        subject=headers.get("subject"),
        date=headers.date(),
        kind=classification.kind,
        bounced=classification.bounced,
        text=own_text.text,
        removed=own_text.removed,
        unsent=own_text.unsent,
        # A note has a mapping and cannot be hashed.
        notes=tuple(note for at, note in enumerate(notes) if note not in notes[:at]),
    )


def _join_texts(
    parts: mime.Parts, senders: Sequence[str], sent: Sequence[str], said: tuple[str, ...]
) -> OwnText:
    """Return the texts of a mail as one, without forwarded mail; but writers who attach an earlier
    mail of their own, and write nothing else, send that mail again."""
    result = find_own_text(parts.bodies, sent, said)
    for message in parts.forwarded[:_MAX_FORWARDED]:
        headers = mime.Headers(message)
        inner = find_own_text(mime.find_parts(message).bodies, sent, said)
        data = {"sender": headers.get("from"), "subject": headers.get("subject")}
        is_from_same = bool(set(mime.find_addresses(headers.raw("from"))) & set(senders))
        if is_from_same and not result.text and inner.text:
            result = inner.append(result).add_note(mime.Note("forwarded-own", data))
        else:
            result = result.append(inner.remove_all()).add_note(
                mime.Note("forwarded-ignored", data)
            )
    text, encrypted = _PGP_BLOCK.subn("", result.text)
    if encrypted:
        result = replace(result, text=text.strip("\n")).add_note(mime.Note.of("encrypted"))
    if len(result.text) > mime.MAX_LETTER:
        start = result.text[: mime.MAX_LETTER]
        result = replace(result, text=start.rpartition("\n")[0] or start)
        result = result.add_note(mime.Note.of("too-large", limit=str(mime.MAX_LETTER)))
    if not result.text and re.search(r"\w", result.removed):
        result = result.add_note(mime.Note.of("only-quotation"))
    return result


def _note_senders(headers: mime.Headers, mailboxes: Sequence[mime.Mailbox]) -> list[mime.Note]:
    """Return notes on odd senders: none, several, not an address, another address as a name."""
    notes = []
    if not mailboxes:
        notes.append(mime.Note.of("from-missing"))
    if len(mailboxes) > 1 or headers.count("from") > 1:
        notes.append(mime.Note.of("from-several"))
    for mailbox in mailboxes[:3]:
        if not mailbox.address:
            notes.append(mime.Note.of("from-malformed", text=mailbox.name))
        elif set(map(lower_ascii, _ADDRESS.findall(mailbox.name))) - {mailbox.address}:
            notes.append(mime.Note.of("address-in-name", text=mailbox.name))
    return notes


def _digest(headers: mime.Headers, own_text: OwnText) -> str:
    body = " ".join(f"{own_text.text} {own_text.removed}".split())
    # Whoever sends an old mail again from its folder means it now.
    again = headers.raw("resent-date", "resent-message-id")
    parts = (*map(headers.get, ("from", "date", "subject")), body, *again)
    return f"digest:{sha256(chr(10).join(parts).encode('utf-8', 'replace')).hexdigest()}"


# Orders and words in the subject. Some people write nothing else.


_SUBJECT_HEAD = re.compile(r"\s*(?:[^\W\d_]{1,4}\s*(?:\[\d+\])?:\s*)*(?:\[AM-[^\]]*\])?\s*", re.I)
"""``Re:``, ``R:``, ``AW:``, ``I:``, and the name of the game."""

_REPLY = re.compile(r"(?:\s*(?:re?|aw|antw|sv|vs|rif|re[fs]|fwd?|i|wg|tr)\s*(?:\[\d+\])?:)+", re.I)

_SUBJECT_TAGS = re.compile(r"\[AM-[^\]]*\]|\([^()\s]+-[0-9a-z]{8}\)", re.I)


def add_subject(mail: IncomingMail, position: Position, power: str) -> IncomingMail:
    """Return a mail with its subject above its text, if that has orders of a power, or votes.

    That of an answer, and one with other words, counts only where nothing else was written: it may
    be an old one. Else it is among the text that is left out, which the answer shows.
    """
    head = _SUBJECT_HEAD.match(mail.subject)
    said = _SUBJECT_TAGS.sub(" ", mail.subject[head.end() if head else 0 :]).strip()
    is_plain = bool(commands.find_orders(said, position, power))
    votes = commands.find_votes_in_subject(said, position.board)  # "Draw: yes" seems an answer
    votes = votes or commands.find_votes(_SUBJECT_TAGS.sub(" ", mail.subject), position.board)
    others = (*commands.find_orders_in_sentences(said, position, power), *votes)
    if (said in mail.text and not votes) or not (is_plain or others):
        return mail
    if mail.text and ((head and head[0].strip()) or not is_plain):
        return replace(mail, unsent="\n".join((said, *votes, mail.unsent)).strip())
    said = re.sub("|".join(map(re.escape, {*votes} - {said})), "", said)  # it would be shown
    unsent = "\n".join((*votes, mail.unsent)).strip()
    return replace(mail, text=f"{said}\n\n{mail.text}".strip(), unsent=unsent)


def find_subject_words(subject: str, letters: Iterable[str]) -> str:
    """Return what a writer has put into the subject: not the subjects of ``letters`` that they may
    answer, nor that of an answer to something else."""
    said = _SUBJECT_TAGS.sub(" ", subject)
    head = _REPLY.match(said)
    words = said[head.end() if head else 0 :].split()
    answered = (_SUBJECT_TAGS.sub(" ", letter).split() for letter in letters)
    count = max((len(each) for each in answered if each == words[: len(each)]), default=0)
    is_answer = bool(head) or "[AM-" in subject
    return " ".join(words[count:]).strip(" -\u2013\u2014:,") if count or not is_answer else ""


# Mails in which nothing can be read, and why.


ONLY_QUOTATION, EMPTY = "waits-quotation", "waits-empty"
_REASONS = {
    "encrypted": "waits-encrypted",
    "forwarded-ignored": "waits-forwarded",
    "forwarded": "waits-forwarded",
    "undecodable": "waits-undecodable",
    "attachment-ignored": "waits-only-files",
    "only-picture": "waits-only-picture",
    "only-quotation": ONLY_QUOTATION,
}
"""The notes that say why a mail has no text, the weightiest first."""

FAULTS = tuple(dict.fromkeys((*_REASONS.values(), EMPTY)))
"""Why a mail waits in which nothing can be read: codes of sentences."""

_LEAST_READABLE = 0.7  # the share of a text's characters that have to be readable


def find_fault(mail: IncomingMail) -> str:
    """Return why nothing in a mail can be read, one of the codes above; "" if something can."""
    if shown := "".join(mail.text.split()):
        lost = shown.count("\ufffd")
        return "waits-undecodable" if lost > (1 - _LEAST_READABLE) * len(shown) else ""
    reason = next((reason for code, reason in _REASONS.items() if code in mail.codes), EMPTY)
    if reason == "waits-only-files":  # attached pictures are told from other files
        types = [note.data["type"] for note in mail.notes if note.code == "attachment-ignored"]
        is_picture = all(type_.startswith("image/") for type_ in types)
        return "waits-only-picture" if is_picture else reason
    return reason


# Reading of mail that somebody saved to a file: as a message, as HTML, or as some text of it.
#
# Nothing is taken out here: quotations and forwarded mail stay, marked with ``>`` as deep as they
# stand.


_MAX_SAVED = 20
_FIELD = rb"[A-Za-z][A-Za-z0-9-]*:[^\r\n]*\r?\n(?:[ \t][^\r\n]*\r?\n)*"
_MESSAGE = re.compile(
    rb"\s*(?:From [^\r\n]*\r?\n)?(?=(?:%b)*?"
    rb"(?:from|received|return-path|delivered-to|message-id|mime-version|content-type):)"
    rb"(?:%b){2,}(?:\r?\n|\Z)" % (_FIELD, _FIELD),
    re.IGNORECASE,
)
# Where any sign of equality stands for itself, one at the end of a line does too.
_QUOTED_PRINTABLE = re.compile(r"(?s)=3D|\A(?!.*=(?![0-9A-F]{2}|\r?\n)).*=\r?\n")
_HTML_START = re.compile(r"\s*<(?:!doctype|html|head|body|meta|\?xml|!--)", re.IGNORECASE)
_HTML_TAG = re.compile(r"</(?:body|div|pre|p|table|blockquote|span)>|<br ?/?>", re.IGNORECASE)


def read_saved_texts(raw: bytes) -> tuple[str, ...]:
    """Return the texts in a saved file: of a message every part, as plain text and from HTML.

    Never raises, whatever the bytes.
    """
    if _MESSAGE.match(raw.removeprefix(codecs.BOM_UTF8)):
        return tuple(_read_message_texts(mime.MailSplitter(raw).split(), _MAX_SAVED))
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):  # some programs on Windows
        text = raw.decode("utf-16", "replace")
    else:
        text = mime.decode(raw.removeprefix(codecs.BOM_UTF8), "").text
    if _HTML_START.match(text):
        return (_read_html(text),)
    if text.lstrip().startswith("{"):
        return (text, *_read_json_texts(text))
    if _QUOTED_PRINTABLE.search(text):  # the source of a mail without its head
        text = mime.decode(quopri.decodestring(text.encode()), "").text
    return (mime.clean_text(text), *((_read_html(text),) if _HTML_TAG.search(text) else ()))


def _read_json_texts(text: str) -> Iterator[str]:
    try:
        left = [json.loads(text)]
    except (ValueError, RecursionError):
        return
    while left:
        if isinstance((value := left.pop()), str):
            yield value
        elif isinstance(value, (list, dict)):
            left += reversed(list(value.values() if isinstance(value, dict) else value))


def _read_message_texts(message: Message, max_forwarded: int) -> Iterator[str]:
    parts = mime.find_parts(message)
    for body in parts.bodies:
        if body.plain is not None:
            yield mime.unflow(body.plain, delsp=body.delsp) if body.flowed else body.plain
        if body.html is not None:
            yield _read_html(body.html)
    for inner in parts.forwarded[:max_forwarded]:
        for text in _read_message_texts(inner, max_forwarded // 2):
            yield "\n".join(f"> {line}" for line in text.split("\n"))


def _read_html(source: str) -> str:
    lines = read_page(source, mime.load_vocabulary()).lines
    return "\n".join("> " * line.depth + line.text for line in lines)
