"""Decoding of bytes and header fields into text: charsets, encoded words, unwanted characters."""

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
    codec = _find_codec(declared)
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
        text = data.decode("cp1252", "replace")
        is_loose = _find_codec(declared) in _LOOSE_CHARSETS
        return Decoded(text, "" if is_loose else "windows-1252")


# -- header fields ---------------------------------------------------------------------------------


def decode_field(value: str) -> str:
    """Return a header field as people read it: unfolded, decoded, on one line.

    ``value`` comes from the standard parser, with surrogates for bytes that are not ASCII.
    """
    value = re.sub(r"[\r\n]+[ \t]*", " ", value[:MAX_HEADER])
    if not value.isascii():
        value = decode(value.encode("utf-8", "surrogateescape"), "").text
    try:
        pieces = decode_header(value) if "=?" in value else [(value, None)]
    except (HeaderParseError, binascii.Error, ValueError):
        pieces = [(value, None)]
    return to_one_line("".join(_decode_piece(piece, charset) for piece, charset in pieces))


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
    text = _C1_CONTROLS.sub(_read_as_windows_1252, remove_escapes(text))
    text = _LINE_BREAKS.sub("\n", text)
    text = _BLANKS.sub(" ", text).replace("\t", " ")
    text = _WINGDINGS_ARROWS.sub("→", _INVISIBLE.sub("", text))
    return _ARROW_LETTER.sub(" → ", text)


def _read_as_windows_1252(control: re.Match[str]) -> str:
    """Return what a control character is in Windows-1252: ``\\x96`` is a dash."""
    return bytes([ord(control[0])]).decode("cp1252", "replace")
