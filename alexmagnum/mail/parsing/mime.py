"""From the bytes of a mail to its parts: header fields, addresses, charsets, limits."""

from __future__ import annotations

import base64
import binascii
import codecs
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from email.parser import BytesHeaderParser
from email.policy import compat32
from email.utils import collapse_rfc2231_value, parsedate_to_datetime
from functools import cache, cached_property, lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

from alexmagnum.board.model import Board
from alexmagnum.game.settings import ANY_ADDRESS, lower_ascii
from alexmagnum.i18n.sentences import fold, load_tables
from alexmagnum.notation.names import distance, power_names

# Addresses in the header fields of a mail: its sender and its recipients.
#
# Text that only looks like an address is kept as a name, so that a note can show it. Mailboxes are
# told apart before names are decoded, as mail servers do: an encoded word is never an address.


_ADDRESS_IN_BRACKETS = re.compile(
    r"(?P<name>(?:\"(?:[^\"\\]|\\.)*+\"|\([^()]*+\)|[^<>\"()])*+)"
    r"<\s*+(?P<address>[^<>\s]*+)\s*+>\s*+(?:\([^()]*\))?"
)
_ADDRESS_WITH_COMMENT = re.compile(r"(?P<address>[^\s<>(),;\"]+)\s*(?:\((?P<name>[^()]*)\))?")
_LIST_ITEM = re.compile(r"(?:\"(?:[^\"\\]|\\.?)*+(?:\"|\Z)|<[^<>]*+>|\([^()]*+\)|[^,;])++")
_MAX_MAILBOXES = 200


class Mailbox(NamedTuple):
    """One person in an address field; ``address`` is in lower case, or "" if it is not valid."""

    name: str
    address: str


def parse_mailboxes(field: str) -> list[Mailbox]:
    """Return the mailboxes in an address field as it came, with their names decoded.

    >>> parse_mailboxes('"Rossi, Mario" <M.Rossi@Example.org>')
    [Mailbox(name='Rossi, Mario', address='m.rossi@example.org')]
    >>> parse_mailboxes("Mario Rossi m@example.org")
    [Mailbox(name='Mario Rossi m@example.org', address='')]
    """
    items = (match[0].strip() for match in _LIST_ITEM.finditer(_unfold(field)))
    return [_parse_mailbox(item) for item in islice(filter(None, items), _MAX_MAILBOXES)]


def _parse_mailbox(text: str) -> Mailbox:
    match = _ADDRESS_IN_BRACKETS.fullmatch(text) or _ADDRESS_WITH_COMMENT.fullmatch(text)
    address = match["address"] if match else ""
    if match is None or not (ANY_ADDRESS.fullmatch(address) and address.isprintable()):
        return Mailbox(decode_field(text), "")
    name = decode_field(match["name"] or "").strip('"').replace('\\"', '"').strip()
    return Mailbox(name, lower_ascii(address))


def find_addresses(fields: Iterable[str]) -> tuple[str, ...]:
    """Return the valid addresses in some fields as they came, each once."""
    addresses = (mailbox.address for field in fields for mailbox in parse_mailboxes(field))
    return tuple(dict.fromkeys(filter(None, addresses)))


def remove_tag(address: str) -> str:
    """Return an address without its tag: ``gm+am-k7@example.org`` becomes ``gm@example.org``."""
    user, at, host = address.partition("@")
    return user.partition("+")[0] + at + host


# Limits on how much of a mail is read: enough for any letter, too little to block the reader. With
# these a mail is read and taken within 2 s and 64 MiB, whatever is in it.


MAX_BYTES = 8 << 20
"""Bytes of a mail; the rest is ignored. The text of a mail comes before its pictures."""

MAX_HEADER = 8_000
"""Characters of one header field of a mail."""

_MAX_PART_FIELD = 2_000
"""Bytes of a header field of a part; the standard library's parameters take quadratic time."""

_MAX_FIELDS = 1_000  # in one head
_MAX_HEAD = 256 << 10  # bytes of all its fields together

_MAX_ENCODED = 768 << 10  # bytes of all parts that are text, together, as they came

MAX_TEXT = 400_000
"""Characters of all parts that are text, together."""

MAX_LETTER = 50_000
"""Characters of the writer's own text."""

MAX_LINES = MAX_LINE = 10_000
"""Lines of one text, quotations included, and characters of a line."""

MAX_PARTS = 100
MAX_DEPTH = 12
_MAX_MARKS = 1_000  # lines looked at because they may be boundaries between parts

MAX_NAME = 300
"""Characters of a subject or a name."""


# Splitting of a mail into its parts.
#
# The standard library reads only heads, one at a time and cut to the limits: of whole mails it
# compares each line with every open boundary, and keeps each line of each part.


_HEAD = re.compile(rb"(?:(?:From |[!-9;-~]*+[\t ]*:|[\t ])[^\n]*+(?:\n|\Z))*+")
_FIELD = re.compile(rb"[^\n]*+\n?(?:[\t ][^\n]*+\n?)*+")
_FROM = re.compile(rb"from[\t ]*+:", re.IGNORECASE)
_BLANK_BEFORE_COLON = re.compile(rb"^([!-9;-~]++)[\t ]++(?=:)")
_END_OF_MARK = re.compile(rb"(--)?[\t ]*+(?:\n|\Z)")


def unify_lines(raw: bytes) -> bytes:
    """Return a mail with plain line ends; a CR alone ends no field, as mail servers have it."""
    head, end, body = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    head = head.replace(b"\r", b" " if b"\n" in head else b"\n")
    return head + end + body.replace(b"\r", b"\n")


class MailSplitter:
    """Splits a mail into its parts, and notes what is beyond the limits."""

    def __init__(self, raw: bytes) -> None:
        self.notes = [Note.of("too-large", limit=str(MAX_BYTES))] if len(raw) > MAX_BYTES else []
        raw = raw[:MAX_BYTES].removeprefix(codecs.BOM_UTF8).lstrip(b"\r\n")
        self._raw = unify_lines(raw)
        self._parts, self._marks, self._text = MAX_PARTS, _MAX_MARKS, _MAX_ENCODED

    def read_head(self) -> Message:
        """Return the header fields of the mail."""
        return self._parse_head(0, len(self._raw), MAX_HEADER)[0]

    def split(self) -> Message:
        """Return the mail as a tree of parts; those that nobody reads are empty."""
        return self._split(0, len(self._raw), 0, "text/plain")

    def _parse_head(self, start: int, end: int, longest: int) -> tuple[Message, int]:
        """Return the header fields that begin at a place, and where their body begins."""
        head = _HEAD.match(self._raw, start, end)
        assert head is not None, "it may be empty"
        fields = [field[0] for field in islice(_FIELD.finditer(head[0][:_MAX_HEAD]), _MAX_FIELDS)]
        long = (field for field in fields if len(field) > longest)
        if sum(map(len, fields)) < len(head[0]) or any(map(_FROM.match, long)):
            self.notes.append(Note.of("too-large", limit=str(_MAX_HEAD)))  # who wrote it is unsure
        begun = (_BLANK_BEFORE_COLON.sub(rb"\1", field[:longest]) for field in fields)
        # The library takes a line without a colon for the end of the head.
        cut = b"".join(field.rstrip(b"\n") + b"\n" for field in begun if b":" in field)
        body = head.end() + self._raw.startswith(b"\n", head.end())
        return _HEAD_PARSER.parsebytes(cut), min(body, end)

    def _split(self, start: int, end: int, depth: int, default: str) -> Message:
        self._parts -= 1
        message, body = self._parse_head(start, end, _MAX_PART_FIELD if depth else MAX_HEADER)
        message.set_default_type(default)
        kind, inner = message.get_content_type(), list[Message | str]()
        if kind == "message/delivery-status":
            status = self._take_text(body, end)
            inner = [_HEAD_PARSER.parsebytes(block) for block in status.split(b"\n\n")[:MAX_PARTS]]
        elif kind.startswith("message/"):
            inner = self._split_each([(body, end)], depth, "text/plain")
        elif kind.startswith("multipart/"):
            default = "message/rfc822" if kind == "multipart/digest" else "text/plain"
            inner = self._split_each(self._find_parts(message, body, end), depth, default)
        if inner:
            message.set_payload(inner)
        else:
            text = self._take_text(body, end) if is_text(message) else b""
            message.set_payload(text.decode("ascii", "surrogateescape"))
        return message

    def _split_each(
        self, places: Iterable[tuple[int, int]], depth: int, default: str
    ) -> list[Message | str]:
        inner = list[Message | str]()
        for start, end in places:
            if depth == MAX_DEPTH or not self._parts:
                self.notes.append(Note.of("too-many-parts"))
                return inner or [Message()]
            inner.append(self._split(start, end, depth + 1, default))
        return inner

    def _find_parts(self, message: Message, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield where the parts within a part begin and end."""
        boundary = (message.get_boundary() or "").encode("utf-8", "replace")
        mark, begin = b"\n--" + boundary, -1
        at = self._raw.find(mark, start - 1, end) if boundary else -1
        while at >= 0:
            self._marks -= 1
            if not self._marks:
                self.notes.append(Note.of("too-many-parts"))
                break
            if (tail := _END_OF_MARK.match(self._raw, at + len(mark), end)) is None:
                at = self._raw.find(mark, at + 1, end)
                continue
            if begin >= 0:
                yield begin, max(begin, at)
            begin = -1 if tail[1] else tail.end()
            at = self._raw.find(mark, tail.end() - 1, end) if begin >= 0 else -1
        if begin >= 0:
            yield begin, end

    def _take_text(self, start: int, end: int) -> bytes:
        """Return the bytes of a text, up to what is left of the limit."""
        if end - start > self._text:
            self.notes.append(Note.of("too-large", limit=str(_MAX_ENCODED)))
        text = self._raw[start : min(end, start + self._text)]
        self._text -= len(text)
        return text


_HEAD_PARSER = BytesHeaderParser(policy=compat32)


# Decoding of bytes and header fields into text: charsets, encoded words, unwanted characters.


class Decoded(NamedTuple):
    """A text; ``guessed`` is the charset used in place of the declared one, "" if that one was."""

    text: str
    guessed: str = ""


_CHARSET_CODEC = re.compile(
    r"utf-?(8|16|32|7)([-_][lb]e)?|(iso-?)?8859-\d+|iso8859-\d+|cp\d+|mac-?\w+|koi8-[rut]"
    r"|gb2312|gbk|gb18030|big5\w*|euc_\w+|shift_jis\w*|iso2022_\w+|tis-620|hz"
)
"""Python's names of codecs that are charsets. Others, such as ``zlib``, are refused."""

_LOOSE_CHARSETS = frozenset({"ascii", "iso8859-1", "latin-1"})
"""Programs declare these for any text. Windows-1252 contains them and reads the rest as well."""

_ALIASES = {"utf8mb4": "utf-8", "unicode-1-1-utf-7": "utf-7", "x-gbk": "gbk", "ansi": "cp1252"}


def decode(data: bytes, declared: str) -> Decoded:
    """Decode bytes with the declared charset, which may be wrong, unknown or "".

    Latin-1 and ASCII are read as Windows-1252, because programs that declare them send its dashes
    and quotation marks.
    """
    is_marked = not declared and data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    codec = "utf-16" if is_marked else _find_codec(declared)
    if codec in _LOOSE_CHARSETS or not codec:
        return _guess(data, declared if codec else declared or "-")
    try:
        return Decoded(data.decode(codec))
    except (UnicodeError, ValueError):
        return _guess(data, declared)


@lru_cache(maxsize=256)
def _find_codec(declared: str) -> str:
    """Return Python's name of a charset; "" if no mail is written in it."""
    spelling = re.sub(r"[^a-z0-9_-]", "", declared.casefold())[:40]
    try:
        codec = codecs.lookup(_ALIASES.get(spelling, spelling)).name
    except (LookupError, ValueError):
        return ""
    return codec if codec in _LOOSE_CHARSETS or _CHARSET_CODEC.fullmatch(codec) else ""


def _guess(data: bytes, declared: str) -> Decoded:
    """Decode as UTF-8 if the bytes are valid UTF-8, else as Windows-1252."""
    if data.isascii() and b"\x1b" not in data:
        is_known = not declared or _find_codec(declared)
        return Decoded(data.decode("ascii"), "" if is_known or declared == "-" else "us-ascii")
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        is_loose = _find_codec(declared) in _LOOSE_CHARSETS
        return Decoded(data.decode("cp1252", "replace"), "" if is_loose else "windows-1252")


# -- header fields ---------------------------------------------------------------------------------


def decode_field(value: str) -> str:
    """Return a header field as people read it: unfolded, decoded, on one line.

    ``value`` comes from the standard parser, with surrogates for bytes that are not ASCII.
    """
    value = _unfold(value)
    try:
        pieces = decode_header(value) if "=?" in value else [(value, None)]
    except (HeaderParseError, binascii.Error, ValueError):
        pieces = [(value, None)]
    return to_one_line("".join(_decode_piece(piece, charset) for piece, charset in pieces))


def _unfold(value: str) -> str:
    if (value := re.sub(r"[\r\n]+[ \t]*", " ", value[:MAX_HEADER])).isascii():
        return value
    return decode(value.encode("utf-8", "surrogateescape"), "").text


def _decode_piece(piece: str | bytes, charset: str | None) -> str:
    """Decode a piece of a field; pieces without a charset are text or escaped by the library."""
    if isinstance(piece, str):
        return piece
    return decode(piece, charset).text if charset else piece.decode("raw-unicode-escape", "replace")


def to_one_line(text: str, longest: int = MAX_NAME) -> str:
    """Return a text on one line, without characters that control a terminal.

    >>> to_one_line("Re:\\x1b[2J  ordini\\u202e\\r\\nBcc: x")
    'Re: ordini Bcc: x'
    """
    line = re.sub(r"\s+", " ", remove_escapes(text))
    if not (line.isascii() and line.isprintable()):
        line = "".join(c for c in line if unicodedata.category(c) not in _CONTROL_CATEGORIES)
    return " ".join(line.split())[:longest].rstrip()


_CONTROL_CATEGORIES = frozenset({"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"})

# -- texts -----------------------------------------------------------------------------------------

_LINE_BREAKS = re.compile(r"\r\n?|[\x0b\x0c\u2028\u2029]")
_C1_CONTROLS = re.compile(r"[\x80-\x9f]")
_BLANKS = re.compile(r"[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_INVISIBLE = re.compile(
    r"[\x00-\x08\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    r"\ufe00-\ufe0f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f\ud800-\udfff]"
)
_ESCAPES = re.compile(
    r"""
    \x1b\[ [0-?]{0,32} [ -/]{0,4} [@-~]           # colours, movements of the cursor
    | \x9b [0-9;?]{1,32} [ -/]{0,4} [@-~]          # the same with one character for the first two
    | \x1b[\]PX^_] [^\x07\x1b\n]{0,400} (?:\x07|\x1b\\)  # a title, a link
    | \x1b[ -/]{0,4} [0-Z\\^-~]                    # character sets, saving the cursor
    | (?:\^\[|\\e|\\033|\\x1b) \[ [0-9;?]{0,32} [A-Za-z]  # written out
    | \[ [0-9]{1,3} (?:;[0-9]{1,3}){0,8} m          # a colour that has lost its first character
    | [^\n\x08]\x08                               # a letter that is struck over
    """,
    re.VERBOSE,
)
"""Control sequences of terminals, which people copy into a mail with the text around them."""

_WINGDINGS_ARROWS = re.compile("[\uf0e0\uf0e8\uf0f0]")
_ARROW_LETTER = re.compile(r"(?:(?<=\b[A-Z]{3})|(?<=#\d)|(?<=\))) *[àè] *(?=[A-Z]{3}\b)")


def remove_escapes(text: str) -> str:
    """Return a text without the sequences that steer a terminal.

    >>> remove_escapes("\\x1b[1;31mA MEN\\x1b[0m - TEB")
    'A MEN - TEB'
    """
    return _ESCAPES.sub("", text)


def clean_text(text: str) -> str:
    """Return a text with ``\\n`` between lines, plain blanks and no invisible characters.

    Outlook's arrow is a letter of a symbol font. It becomes an arrow where it cannot be a word:
    between two ids in capitals, as in ``MEN à TEB``.
    """
    plain = remove_escapes(text)
    text = _C1_CONTROLS.sub(lambda c: bytes([ord(c[0])]).decode("cp1252", "replace"), plain)
    text = _LINE_BREAKS.sub("\n", text)
    text = _BLANKS.sub(" ", text).replace("\t", " ")
    text = _WINGDINGS_ARROWS.sub("→", _INVISIBLE.sub("", text))
    return _ARROW_LETTER.sub(" → ", text)


# The header fields of a mail, decoded on access.


_MESSAGE_ID = re.compile(r"<[!-;=?-~]{1,900}>")


def find_message_ids(text: str) -> tuple[str, ...]:
    """Return the message ids in a text, each once."""
    return tuple(dict.fromkeys(_MESSAGE_ID.findall(text)))


class Headers:
    """The header fields of one mail by name, in the order they came; case does not matter.

    The standard library's newer header objects are not used: they raise on some malformed fields.
    """

    def __init__(self, message: Message) -> None:
        self._fields: dict[str, list[str]] = {}
        for name, value in message.raw_items():
            self._fields.setdefault(name.casefold(), []).append(str(value))

    def raw(self, *names: str) -> list[str]:
        """Return all fields of some names as they came."""
        return [value for name in names for value in self._fields.get(name.casefold(), ())]

    def all(self, name: str) -> list[str]:
        """Return all fields of a name, decoded."""
        return [decode_field(value) for value in self.raw(name)]

    def get(self, name: str) -> str:
        """Return the first field of a name, decoded; "" if there is none."""
        return next(iter(self.all(name)), "")

    def count(self, name: str) -> int:
        """Return how many fields of a name there are."""
        return len(self.raw(name))

    def ids(self, *names: str) -> tuple[str, ...]:
        """Return the message ids in the fields of some names, each once."""
        found = (find_message_ids(value) for value in self.raw(*names))
        return tuple(dict.fromkeys(chain.from_iterable(found)))

    def date(self) -> datetime | None:
        """Return the date that the writer's program set, in UTC; None if it is not a date."""
        try:
            date = parsedate_to_datetime(self.get("date"))
            return date.replace(tzinfo=date.tzinfo or UTC).astimezone(UTC)
        except (ValueError, TypeError, OverflowError, IndexError, AttributeError):
            return None


# Notes on what was odd about a mail, for its receipt and for the game master.


class Note(NamedTuple):
    """The code of a sentence, ``note-<code>``, and the data that it needs."""

    code: str
    data: Mapping[str, str]

    @classmethod
    def of(cls, code: str, **data: str) -> Note:
        """Return a note with the data given by keyword."""
        return cls(code, data)


# The parts of a mail: its texts, forwarded mail, and attachments that cannot be read.


_TEXT_SUFFIXES = (".txt", ".text", ".md", ".ord")
_PLAIN_TYPES = frozenset({"text/plain", "text/markdown", "application/octet-stream"})
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

    ``flowed`` and ``delsp`` are the parameters of ``format=flowed`` (RFC 3676); ``is_file``: it is
    attached.
    """

    plain: str | None = None
    html: str | None = None
    flowed: bool = False
    delsp: bool = False
    is_file: bool = False


@dataclass(slots=True)
class Parts:
    """The parts found so far: texts in their order, forwarded mails, and notes.

    ``pictures`` counts pictures inside the text, and ``text_left`` the characters still allowed.
    """

    bodies: list[Body] = field(default_factory=list)
    forwarded: list[Message] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    pictures: int = 0
    text_left: int = MAX_TEXT


def find_parts(message: Message) -> Parts:
    """Return the parts of a mail."""
    parts = Parts()
    _visit(message, parts)
    return parts


def _visit(part: Message, parts: Parts) -> None:
    if (content_type := part.get_content_type()) in _ENCRYPTED_TYPES:
        parts.notes.append(Note.of("encrypted"))
        return
    payload = part.get_payload() if part.is_multipart() else ()
    children = [child for child in payload if isinstance(child, Message)]
    before = len(parts.bodies)
    if content_type == "message/rfc822" and children:
        parts.forwarded.append(children[0])
    elif not part.is_multipart():
        _visit_leaf(part, content_type, parts)
    else:
        for child in children:
            _visit(child, parts)
        if content_type == "multipart/alternative" and len(parts.bodies) > before:
            # Texts that say the same are one body.
            parts.bodies[before:] = [_join_bodies(parts.bodies[before:])]


def _join_bodies(bodies: Sequence[Body]) -> Body:
    plain = [body for body in bodies if body.plain is not None]
    pages = [body.html for body in bodies if body.html is not None]
    return Body(
        plain="\n".join(body.plain or "" for body in plain) if plain else None,
        html="\n".join(pages) if pages else None,
        flowed=any(body.flowed for body in plain),
        delsp=any(body.delsp for body in plain),
    )


def is_text(part: Message) -> bool:
    """Tell whether a part without parts in it is one of those that are read."""
    if (content_type := part.get_content_type()) == "application/octet-stream":
        return _read_filename(part).casefold().endswith(_TEXT_SUFFIXES)
    return content_type.startswith("text/")


def _visit_leaf(part: Message, content_type: str, parts: Parts) -> None:
    name = _read_filename(part)
    is_marked = part.get_content_disposition() == "attachment"
    is_attachment = bool(name) or is_marked
    if content_type in _PLAIN_TYPES and is_text(part):
        if is_attachment:
            parts.notes.append(Note.of("attachment-read", name=name))
        flowed = _read_parameter(part, "format").casefold() == "flowed"
        delsp = _read_parameter(part, "delsp").casefold() == "yes"
        parts.bodies.append(Body(_read_text(part, parts), None, flowed, delsp, is_attachment))
    elif content_type == "text/html" and not is_attachment:
        parts.bodies.append(Body(None, _read_text(part, parts)))
    elif content_type.startswith("image/") and not is_marked and "content-id" in part:
        parts.pictures += 1  # inside the text, such as a logo in a signature
    elif content_type not in _SIGNATURE_TYPES:
        parts.notes.append(Note.of("attachment-ignored", name=name, type=to_one_line(content_type)))


def _read_text(part: Message, parts: Parts) -> str:
    charset = _read_parameter(part, "charset")
    text, guessed = decode(_read_bytes(part), charset)
    if guessed and charset:
        parts.notes.append(Note.of("charset-guessed", declared=to_one_line(charset), used=guessed))
    if len(text) > parts.text_left:
        parts.notes.append(Note.of("too-large", limit=str(MAX_TEXT)))
    text = clean_text(text[: parts.text_left])
    parts.text_left = max(0, parts.text_left - len(text))
    if "\ufffd" in text:
        parts.notes.append(Note.of("undecodable"))
    return text


def _read_bytes(part: Message) -> bytes:
    """Return the bytes of a part; where they are broken, those that can be decoded."""
    field = str(part.get("content-transfer-encoding", ""))
    encoding = re.split(r"[;(]", field)[0].strip().casefold()  # "base64;", "base64 (x)"
    try:
        data = part.get_payload() if encoding == "base64" else part.get_payload(decode=True)
    except (ValueError, TypeError, LookupError):
        return b""
    if isinstance(data, str):
        # The standard library gives up on a mail that was cut off.
        digits = _NOT_BASE64.sub("", data)
        whole = len(digits) - (len(digits) % 4 == 1)
        return base64.b64decode(digits[:whole] + "=" * (-whole % 4))
    return data if isinstance(data, bytes) else b""


_NOT_BASE64 = re.compile(r"[^A-Za-z0-9+/]+")


def _read_parameter(part: Message, name: str) -> str:
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


# Words that people and their mail programs use, from one table per language in ``words/``.
#
# To add a language, add a file: no code knows which languages exist. A section that a file lacks
# is empty.


Phrases = frozenset[str]
"""Phrases as :func:`fold_phrase` returns them."""

_APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼ`´", "'"))


def fold_phrase(text: str) -> str:
    """Return a text as phrases are compared: folded, single blanks, straight apostrophes.

    >>> fold_phrase("  Réponse  automatique")
    'reponse automatique'
    """
    return " ".join(fold(text.translate(_APOSTROPHES)).split())


def is_near_phrase(text: str, phrases: Collection[str], max_slips: int) -> bool:
    """Tell whether a text is one of the phrases, or one with at most ``max_slips`` wrong letters.

    A short text must agree exactly: less than four letters to a slip may be another word.
    """
    if text in phrases or len(text) < 4 * max_slips:
        return text in phrases
    near = (phrase for phrase in phrases if abs(len(phrase) - len(text)) <= max_slips)
    return any(distance(text, phrase, max_slips) <= max_slips for phrase in near)


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Phrases of all languages by section and key, and the marks of mail programs in HTML."""

    phrases: Mapping[tuple[str, str], Phrases]
    clients: Mapping[str, Phrases]

    @classmethod
    def load(cls, tables: Iterable[Path | Traversable], clients: Path | Traversable) -> Vocabulary:
        """Read word tables, one per language, into one vocabulary."""
        merged: dict[tuple[str, str], set[str]] = {}
        *words, marks = load_tables([*tables, clients])
        for table in words:
            for section, keys in table.items():
                if isinstance(keys, dict):
                    for key, spellings in keys.items():
                        merged.setdefault((section, key), set()).update(map(fold_phrase, spellings))
        return cls(
            phrases={key: frozenset(spellings) for key, spellings in merged.items()},
            clients={name: frozenset(map(str.casefold, listed)) for name, listed in marks.items()},
        )

    def get(self, section: str, key: str) -> Phrases:
        """Return the phrases of a key in a section; empty if no language has it."""
        return self.phrases.get((section, key), frozenset())

    @cached_property
    def kinds(self) -> Mapping[str, str]:
        """The kind of each command by its phrases."""
        kinds = self.keys("commands")
        return {phrase: kind for kind in kinds for phrase in self.get("commands", kind)}

    def keys(self, section: str) -> tuple[str, ...]:
        """Return the keys of a section, sorted by name."""
        return tuple(sorted(key for found, key in self.phrases if found == section))


def find_word_tables() -> tuple[Traversable, ...]:
    """Return the word tables of the package, one per language."""
    folder = resources.files("alexmagnum.mail.parsing").joinpath("words")
    return tuple(sorted((p for p in folder.iterdir() if p.name.endswith(".toml")), key=str))


@cache
def load_vocabulary() -> Vocabulary:
    """Return the vocabulary of the package; it is loaded once."""
    return Vocabulary.load(
        find_word_tables(), resources.files("alexmagnum.mail.parsing").joinpath("clients.toml")
    )


# Recipients of press and powers in a vote: powers by id, name or alias in any language.


_MAX_WORDS = 3  # words of a name
_SHORTEST_MISSPELT = 6  # letters of the shortest misspelt name


class Recipients(NamedTuple):
    """The recipients that a heading names.

    ``powers`` are ids in the order written, each once; ``everybody`` and ``master`` say whether
    all players and the game master are meant; ``anonymous``: the writer's name stays secret;
    ``unknown`` are words that leave a doubt of who is meant: they name nobody, or only nearly a
    power, or everybody beside powers (``all but ROM``).
    """

    powers: tuple[str, ...] = ()
    everybody: bool = False
    master: bool = False
    anonymous: bool = False
    unknown: tuple[str, ...] = ()

    @property
    def is_known(self) -> bool:
        """True if the heading names anybody."""
        return bool(self.powers or self.everybody or self.master)


def read_recipients(listed: Sequence[str], board: Board, vocabulary: Vocabulary) -> Recipients:
    """Return the recipients that some folded words name, which may have a comma behind them.

    A word before a name is part of it, or an article or the like: ``against ROM`` is not to Rome.
    In a list such a word may be a name: ``eng, fra``.
    """
    names, words = power_names(board), [word.rstrip(",") for word in listed]
    powers: dict[str, None] = {}
    keys: dict[str, str] = {}
    unknown: list[str] = []
    at = 0
    while at < len(words):
        for length in range(min(_MAX_WORDS, len(words) - at), 0, -1):
            phrase = " ".join(words[at : at + length])
            key, spelt = _find_key(phrase, vocabulary), phrase.rstrip("'")
            named = names.exact.get(spelt) or names.find_beginning(spelt)
            is_item = length == 1 and _is_item(listed, at, vocabulary)
            is_listed = bool(powers) and len(phrase) > 2
            is_name = not key or is_listed or _is_name_rather(words, at, vocabulary)
            power = named if is_item or (is_name and len(phrase) > 1) else ""
            if power or key:
                break
        if power:
            powers[power] = None
        elif key:
            keys[key] = phrase
            is_id = named and not at and len(words) > 1 and {*map(len, words)} == {len(phrase)}
            unknown += [phrase] if (key != "links" and phrase in names.exact) or is_id else []
        else:
            unknown.append(phrase)
            powers |= dict.fromkeys(names.find(phrase, fuzzy=len(phrase) >= _SHORTEST_MISSPELT))
        at += length
    if powers and "all" in keys:
        unknown.append(keys["all"])
    return Recipients(
        powers=tuple(powers),
        everybody="all" in keys,
        master="master" in keys,
        anonymous="anonymous" in keys,
        unknown=tuple(unknown),
    )


def _is_name_rather(words: Sequence[str], at: int, vocabulary: Vocabulary) -> bool:
    """Return whether a word before names stands where a name is: ``concede to fra``."""
    is_last = all(_find_key(word, vocabulary) == "links" for word in words[at + 1 : at + 2])
    led = vocabulary.get("press", "to") | vocabulary.get("press", "among")
    is_name = is_last or not led.isdisjoint(words[at - 1 : at])
    return _find_key(words[at], vocabulary) == "links" and is_name


def _is_item(listed: Sequence[str], at: int, vocabulary: Vocabulary) -> bool:
    """Return whether a word stands alone between commas, or before the first or behind the last."""
    before = listed[at - 1] if at else ","
    begins = before.endswith(",") or bool(_find_key(before, vocabulary))
    is_link = before.endswith(",") or _find_key(listed[at], vocabulary) == "links"
    return begins and (listed[at].endswith(",") or (is_link and 0 < at == len(listed) - 1))


def _find_key(phrase: str, vocabulary: Vocabulary) -> str:
    """Return the key of a phrase among the words of press headings; "" if it is none of them."""
    if phrase.endswith("'"):  # an article: "all'arbitro"
        return "links" if phrase[:-1] in vocabulary.get("press", "links") else ""
    for key in ("all", "master", "anonymous", "signed", "links"):
        if phrase in vocabulary.get("press", key):
            return key
    return ""


# The lines of a mail, each with its depth of quotation.


SIGNATURE = "-- "
"""The line above a signature; the blank is part of it."""

_PREFIX = re.compile(r" {0,3}((?:(?:>|&gt;) ?)++)")

_MARK = re.compile(r">|&gt;")


class Line(NamedTuple):
    """A line of text; ``depth`` is the number of quotation marks that were taken off it.

    ``signature``: the writer's mail program marked it as part of a signature.
    """

    text: str
    depth: int = 0
    signature: bool = False


def split_lines(text: str) -> list[Line]:
    """Return the lines of a plain text; the ``>`` before a line give its depth.

    >>> split_lines("A MEN H\\n> > A TEB H")
    [Line(text='A MEN H', depth=0, signature=False), Line(text='A TEB H', depth=2, signature=False)]
    """
    lines = []
    for raw in text.split("\n"):
        marks = _PREFIX.match(raw)
        depth = len(_MARK.findall(marks[1])) if marks else 0
        text = raw[marks.end() if marks else 0 :]
        lines.append(Line(text if text == SIGNATURE else text.rstrip(), depth))
    return lines


def join_lines(lines: list[Line], own: list[bool]) -> str:
    """Return the writer's ``own`` lines as one text; one blank line stands for what lay between."""
    texts: list[str] = []
    for line, keep in zip(lines, own, strict=True):
        if (text := line.text if keep else "").strip() or (texts and texts[-1]):
            texts.append(text if text.strip() else "")
    return "\n".join(texts).rstrip()


def join_removed_lines(lines: list[Line], own: list[bool]) -> str:
    """Return all other lines as one text, with ``>`` as deep as they were quoted."""
    removed = [line for line, keep in zip(lines, own, strict=True) if not keep]
    return "\n".join("> " * line.depth + line.text for line in removed).strip("\n")


# Joining of lines in mail with ``format=flowed`` (RFC 3676), which programs break and mark.


def unflow(text: str, *, delsp: bool) -> str:
    """Join the lines that the mail program broke.

    A line that ends in a blank continues in the next one of the same quoting depth; with ``delsp``
    that blank is no part of the text.

    >>> unflow("A MEN \\n- TEB\\n> old \\n> line\\nnew", delsp=False)
    'A MEN - TEB\\n> old line\\nnew'
    """
    lines: list[str] = []
    depth_before, continues = -1, False
    for raw in text.split("\n"):
        unmarked = raw.lstrip(">")
        depth = len(raw) - len(unmarked)
        line = unmarked.removeprefix(" ")  # the blank protects it
        is_signature = line == SIGNATURE
        if continues and depth == depth_before and not is_signature:
            lines[-1] += line
        else:
            lines.append(f"{'>' * depth} {line}" if depth else line)
        if (continues := line.endswith(" ") and not is_signature) and delsp:
            lines[-1] = lines[-1][:-1]
        depth_before = depth
    return "\n".join(lines)
