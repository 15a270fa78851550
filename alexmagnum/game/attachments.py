"""Files that go with letters: each is kept once, however many letters it goes with.

Open this for how a map or an order sheet is stored, and for how a mail is taken apart into its own
text and the files in it.  A file is a row of ``attachments`` and a list of ``pieces``; order sheets
share most of their pieces with each other, because a page is cut where its large parts begin.
"""

from __future__ import annotations

import base64
import json
import re
import sqlite3
import zlib
from binascii import a2b_qp, b2a_qp
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from email.message import EmailMessage
from email.parser import BytesHeaderParser
from email.policy import default
from hashlib import sha256
from itertools import chain

_LEAST = 256
"""The least number of bytes of a piece; smaller ones stay with the piece before."""

_CUT = re.compile(
    rb'(?=<(?:style|script|svg|defs)\b)|(?=<g class="layer")|(?<=</defs>)|(?<=</style>)'
)
"""Where the large parts of an order sheet begin and end: fonts, layers of the map, choices."""


# -- files by content ------------------------------------------------------------------------------


def store_attachments(connection: sqlite3.Connection, files: Sequence[EnclosedFile]) -> list[int]:
    """Store files, unless they are stored already, and return their ids; a transaction is open.

    All of them are looked up together: one query for the files, and one for the pieces of new ones.
    """
    digests = [sha256(file.data).hexdigest() for file in files]
    known = _find_ids(connection, "attachments", digests)
    new = {digest: file for digest, file in zip(digests, files, strict=True) if digest not in known}
    pieces = _store_pieces(connection, new)
    for digest, file in new.items():
        known[digest] = _store_attachment(connection, digest, file, pieces[digest])
    return [known[digest] for digest in digests]


def _store_pieces(
    connection: sqlite3.Connection, files: Mapping[str, EnclosedFile]
) -> Mapping[str, Sequence[int]]:
    """Store the pieces of files, unless they are stored already; return their ids by file."""
    cut = {
        name: [(sha256(piece).hexdigest(), piece) for piece in _split_page(file.type, file.data)]
        for name, file in files.items()
    }
    known = _find_ids(
        connection, "pieces", [digest for pieces in cut.values() for digest, _ in pieces]
    )
    for digest, piece in chain.from_iterable(cut.values()):
        if digest not in known:
            known[digest] = _store_piece(connection, digest, piece)
    return {name: [known[digest] for digest, _ in pieces] for name, pieces in cut.items()}


def _store_attachment(
    connection: sqlite3.Connection, digest: str, file: EnclosedFile, pieces: Sequence[int]
) -> int:
    sql = "INSERT INTO attachments (sha256, type, size) VALUES (?, ?, ?)"
    number = _insert(connection, sql, digest, file.type, len(file.data))
    for place, piece in enumerate(pieces):
        sql = "INSERT INTO attachment_pieces (attachment, place, piece) VALUES (?, ?, ?)"
        _insert(connection, sql, number, place, piece)
    return number


def _find_ids(connection: sqlite3.Connection, table: str, digests: Sequence[str]) -> dict[str, int]:
    """Return the ids of the rows with some digests, by digest, in one query."""
    if not digests:
        return {}
    listed = connection.execute(
        f"SELECT sha256, id FROM {table} WHERE sha256 IN (SELECT value FROM json_each(?))",
        [json.dumps(digests)],
    )
    return {digest: int(number) for digest, number in listed}


def _split_page(kind: str, data: bytes) -> Iterator[bytes]:
    """Cut a page where its large parts begin; leave other files whole."""
    at = 0
    for cut in _CUT.finditer(data) if kind == "text/html" else ():
        if cut.start() - at >= _LEAST:
            yield data[at : cut.start()]
            at = cut.start()
    yield data[at:]


def _store_piece(connection: sqlite3.Connection, digest: str, data: bytes) -> int:
    small = compress(data)
    compressed = len(small) < len(data)
    return _insert(
        connection,
        "INSERT INTO pieces (sha256, compressed, data) VALUES (?, ?, ?)",
        digest,
        int(compressed),
        small if compressed else data,
    )


def _insert(connection: sqlite3.Connection, sql: str, *values: object) -> int:
    return int(connection.execute(sql, list(values)).lastrowid or 0)


def load_attachment(connection: sqlite3.Connection, number: int) -> bytes:
    """Return the bytes of a stored file."""
    rows = connection.execute(
        """SELECT compressed, data FROM attachment_pieces
           JOIN pieces ON pieces.id = attachment_pieces.piece
           WHERE attachment = ? ORDER BY place""",
        [number],
    )
    return b"".join(decompress(data) if compressed else bytes(data) for compressed, data in rows)


def compress(data: bytes) -> bytes:
    """Return bytes as they are kept."""
    return zlib.compress(data, 9)


def decompress(data: bytes) -> bytes:
    """Return bytes that were compressed."""
    return zlib.decompress(data)


# -- mails and the files in them -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EnclosedFile:
    """A file that goes with one letter.

    ``cid`` is the name by which the letter's page shows it, "" for a file that is attached.  ``at``
    is the offset in the letter's source at which its base64 text stands; None for a file that is
    put into the letter when it is sent.
    """

    name: str
    type: str
    data: bytes
    cid: str = ""
    at: int | None = None
    line_end: bytes = b""


_BLOCK = re.compile(rb"(?:[A-Za-z0-9+/]{76}(\r?\n))(?:[A-Za-z0-9+/]{76}\1){7,}[A-Za-z0-9+/=]*\1?")
"""Base64 as mails hold it, of eight lines or more."""

_QUOTED_HEAD = re.compile(
    rb"(?P<end>\r?\n)--(?P<boundary>[^\r\n]{1,70})(?P=end)"
    rb"(?:[^\r\n]+(?P=end))*?(?i:Content-Transfer-Encoding: quoted-printable)(?P=end)"
    rb"(?:[^\r\n]+(?P=end))*(?P=end)"
)
"""The fields of a part of a mail in quoted-printable, with the boundary before them."""

_LONG = 4096
"""The least length of a part in quoted-printable that is taken out of a mail."""

_HEAD = 4096
"""Bytes before a block in which the header of its part stands."""


def take_apart(mail: bytes) -> tuple[bytes, tuple[EnclosedFile, ...]]:
    """Separate a mail into its source and the files in it.

    Only what :func:`put_together` gives back byte for byte is taken out; the rest stays.
    """
    source, files, done, size = [], [], 0, 0
    for start, end, line_end in _find_blocks(mail):
        file = _file_in(mail, start, end, line_end) if start >= done else None
        if file is None:
            continue
        source.append(mail[done:start])
        size += start - done
        files.append(EnclosedFile(file.name, file.type, file.data, file.cid, size, line_end))
        done = end
    return b"".join((*source, mail[done:])), tuple(files)


def _find_blocks(mail: bytes) -> list[tuple[int, int, bytes]]:
    """Return where files may stand in a mail: start, end and line end of each, in sequence."""
    blocks = [(block.start(), block.end(), block[1]) for block in _BLOCK.finditer(mail)]
    for head in _QUOTED_HEAD.finditer(mail):
        line_end = head["end"]
        end = mail.find(line_end + b"--" + head["boundary"], head.end())
        if end - head.end() > _LONG:
            blocks.append((head.end(), end, line_end))
    return sorted(blocks)


def _file_in(mail: bytes, start: int, end: int, line_end: bytes) -> EnclosedFile | None:
    """Return the file of a block; None if the block is no part of a mail of its own."""
    before = mail[max(0, start - _HEAD) : start]
    if not before.endswith(line_end * 2):
        return None
    head = _read_head(before, line_end)
    quoted = _is_quoted(head)
    block = mail[start:end]
    try:
        data = a2b_qp(block.replace(line_end, b"\n")) if quoted else base64.b64decode(block)
    except ValueError:
        return None
    if _encode(data, line_end, quoted=quoted) != block:
        return None
    cid = str(head.get("Content-ID", "")).strip().strip("<>")
    return EnclosedFile(head.get_filename() or "", head.get_content_type(), data, cid)


def _read_head(before: bytes, line_end: bytes) -> EmailMessage:
    """Return the fields of the part of a mail that begins after these bytes."""
    lines = before.removesuffix(line_end * 2).rpartition(line_end * 2)[2].split(line_end)
    start = next((n + 1 for n, line in enumerate(lines) if line.startswith(b"--")), 0)
    head = BytesHeaderParser(policy=default).parsebytes(b"\n".join(lines[start:]))
    assert isinstance(head, EmailMessage)
    return head


def _is_quoted(head: EmailMessage) -> bool:
    return _encoding_of(head) == "quoted-printable"


def _encoding_of(head: EmailMessage) -> str:
    return str(head.get("Content-Transfer-Encoding", "")).strip().lower()


def put_together(source: bytes, files: Sequence[EnclosedFile]) -> bytes:
    """Return the mail whose source and files these are."""
    parts, done = [], 0
    for file in sorted((file for file in files if file.at is not None), key=lambda f: f.at or 0):
        assert file.at is not None, "the others are put in when the letter is sent"
        before = source[done : file.at]
        head = _read_head(before[-_HEAD:], file.line_end)
        parts += [before, _encode(file.data, file.line_end, quoted=_is_quoted(head))]
        done = file.at
    return b"".join((*parts, source[done:]))


def _encode(data: bytes, line_end: bytes, *, quoted: bool) -> bytes:
    text = encode_page(data) if quoted else base64.encodebytes(data)
    return text.replace(b"\n", line_end)


def encode_page(data: bytes) -> bytes:
    """Return a page as quoted-printable text with LF: a mail of it is a quarter smaller.

    Empty if the page would not come out as it is.
    """
    text = b"" if b"\r" in data else b2a_qp(data)
    return text if a2b_qp(text) == data else b""


# -- the mail of a letter --------------------------------------------------------------------------

_LINE_ENDS = {"": b"", "LF": b"\n", "CRLF": b"\r\n"}


def store_mail(
    connection: sqlite3.Connection, letter: int, mail: bytes, waiting: Sequence[EnclosedFile]
) -> None:
    """Store the mail of a letter, with the files that are put in when it is sent."""
    store_mails(connection, {letter: (mail, waiting)})


def store_mails(
    connection: sqlite3.Connection, mails: Mapping[int, tuple[bytes, Sequence[EnclosedFile]]]
) -> None:
    """Store the mails of letters, each with the files that are put in when it is sent."""
    enclosed: list[tuple[int, int, EnclosedFile]] = []
    for letter, (mail, waiting) in mails.items():
        source, found = take_apart(mail)
        connection.execute(
            "UPDATE letters SET source = ?, size = ?, sha256 = ? WHERE id = ?",
            [compress(source), len(mail), sha256(mail).hexdigest(), letter],
        )
        connection.execute("DELETE FROM letter_attachments WHERE letter = ?", [letter])
        enclosed += [(letter, place, file) for place, file in enumerate((*waiting, *found))]
    numbers = store_attachments(connection, [file for _, _, file in enclosed])
    names = {end: name for name, end in _LINE_ENDS.items()}
    for (letter, place, file), number in zip(enclosed, numbers, strict=True):
        connection.execute(
            """INSERT INTO letter_attachments (letter, place, name, cid, attachment, at, line_end)
               VALUES (?, ?, ?, ?, ?, ?, ?)""",
            [letter, place, file.name, file.cid, number, file.at, names[file.line_end]],
        )


def load_source(connection: sqlite3.Connection, letter: int) -> bytes:
    """Return the mail of a letter without the files in it."""
    row = connection.execute("SELECT source FROM letters WHERE id = ?", [letter]).fetchone()
    return decompress(row[0])


def load_files(
    connection: sqlite3.Connection, letter: int, *, waiting: bool = False
) -> tuple[EnclosedFile, ...]:
    """Return the files of a letter; ``waiting``: only those that are put in when it is sent."""
    rows = connection.execute(
        """SELECT name, type, attachment, cid, at, line_end FROM letter_attachments
           JOIN attachments ON attachments.id = attachment
           WHERE letter = ? ORDER BY place""",
        [letter],
    ).fetchall()
    return tuple(
        EnclosedFile(name, kind, load_attachment(connection, number), cid, at, _LINE_ENDS[line_end])
        for name, kind, number, cid, at, line_end in rows
        if at is None or not waiting
    )
