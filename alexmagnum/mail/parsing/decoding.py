"""From bytes to text that can be trusted to be text: charsets, header fields, stray characters."""

from __future__ import annotations

import binascii
import codecs
import re
import unicodedata
from email.errors import HeaderParseError
from email.header import decode_header
from functools import lru_cache
from typing import NamedTuple

from alexmagnum.mail.parsing.limits import MAX_HEADER, MAX_NAME


class Decoded(NamedTuple):
    """Text, and the charset that was taken for it where it is not the one declared ("")."""

    text: str
    guessed: str = ""


_KNOWN = re.compile(
    r"utf-?(8|16|32|7)([-_][lb]e)?|(iso-?)?8859-\d+|iso8859-\d+|cp\d+|mac-?\w+|koi8-[rut]"
    r"|gb2312|gbk|gb18030|big5\w*|euc_\w+|shift_jis\w*|iso2022_\w+|tis-620|hz"
)
"""The names, as Python writes them, of what is a charset and not some other codec."""

_SAID_LOOSELY = frozenset({"ascii", "iso8859-1", "latin-1"})
"""Charsets under whose name anything is sent: what is right for them is right for Windows-1252."""

_ALIASES = {"utf8mb4": "utf-8", "unicode-1-1-utf-7": "utf-7", "x-gbk": "gbk", "ansi": "cp1252"}


def decode(data: bytes, declared: str) -> Decoded:
    """The text of some bytes, whatever charset is declared for them.

    ``declared`` may be wrong, unknown or "".  Latin-1 and ASCII are read as Windows-1252, which
    has the dashes and quotation marks that are really sent under those names.
    """
    name = _charset(declared)
    if name in _SAID_LOOSELY or not name:
        return _guess(data, declared if name else declared or "-")
    try:
        return Decoded(data.decode(name))
    except (UnicodeError, ValueError):
        return _guess(data, declared)


@lru_cache(maxsize=256)
def _charset(declared: str) -> str:
    """Python's name of a charset; "" if it is none that mail is written in."""
    spelt = re.sub(r"[^a-z0-9_-]", "", declared.casefold())[:40]
    try:
        name = codecs.lookup(_ALIASES.get(spelt, spelt)).name
    except (LookupError, ValueError):
        return ""
    return name if name in _SAID_LOOSELY or _KNOWN.fullmatch(name) else ""


def _guess(data: bytes, declared: str) -> Decoded:
    """UTF-8 where the bytes are valid as such, else Windows-1252."""
    if data.isascii() and b"\x1b" not in data:
        known = not declared or _charset(declared)
        return Decoded(data.decode("ascii"), "" if known or declared == "-" else "us-ascii")
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
        loose = _charset(declared) in _SAID_LOOSELY
        return Decoded(text, "" if loose else "windows-1252")


# -- header fields ---------------------------------------------------------------------------------


def field(value: str) -> str:
    """A header field as people read it: unfolded, encoded words decoded, on one line.

    ``value`` is as the standard parser leaves it, with surrogates for bytes that are not ASCII.
    """
    value = re.sub(r"[\r\n]+[ \t]*", " ", value[:MAX_HEADER])
    if not value.isascii():
        value = decode(value.encode("utf-8", "surrogateescape"), "").text
    try:
        pieces = decode_header(value) if "=?" in value else [(value, None)]
    except (HeaderParseError, binascii.Error, ValueError):
        pieces = [(value, None)]
    return one_line("".join(_piece(piece, charset) for piece, charset in pieces))


def _piece(piece: str | bytes, charset: str | None) -> str:
    """A piece of a field; what is not encoded comes as text, or escaped by the library."""
    if isinstance(piece, str):
        return piece
    return decode(piece, charset).text if charset else piece.decode("raw-unicode-escape", "replace")


def one_line(text: str, longest: int = MAX_NAME) -> str:
    """A text that can be printed on a terminal: one line, nothing in it that steers.

    >>> one_line("Re:\\x1b[2J  ordini\\u202e\\r\\nBcc: x")
    'Re:[2J ordini Bcc: x'
    """
    kept = re.sub(r"\s+", " ", text)
    if not (kept.isascii() and kept.isprintable()):
        kept = "".join(c for c in kept if unicodedata.category(c) not in _STEERING)
    return " ".join(kept.split())[:longest].rstrip()


_STEERING = frozenset({"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"})

# -- texts -----------------------------------------------------------------------------------------

_BREAKS = re.compile(r"\r\n?|[\x0b\x0c\u2028\u2029]")
_C1 = re.compile(r"[\x80-\x9f]")
_BLANKS = re.compile(r"[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_UNSEEN = re.compile(
    r"[\x00-\x08\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    r"\ufe00-\ufe0f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f\ud800-\udfff]"
)
_WINGDINGS = re.compile("[\uf0e0\uf0e8\uf0f0]")
_ARROW_LETTER = re.compile(r"(?:(?<=\b[A-Z]{3})|(?<=#\d)|(?<=\))) *[àè] *(?=[A-Z]{3}\b)")


def clean(text: str) -> str:
    """A text of plain lines: ``\\n`` between them, plain blanks, no character that is not seen.

    Outlook's arrow, a letter of a symbol font, becomes an arrow where it cannot be a word:
    between two ids in capitals, ``MEN à TEB``.
    """
    text = _BREAKS.sub("\n", _C1.sub(_windows, text))
    text = _BLANKS.sub(" ", text).replace("\t", " ")
    text = _WINGDINGS.sub("→", _UNSEEN.sub("", text))
    return _ARROW_LETTER.sub(" → ", text)


def _windows(found: re.Match[str]) -> str:
    """A control character as what it is in Windows-1252: ``\\x96`` is a dash."""
    return bytes([ord(found[0])]).decode("cp1252", "replace")
