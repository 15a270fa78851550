"""Mail read from files, folders and standard input.  Nothing is changed in any of them."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from email.parser import BytesHeaderParser
from email.policy import compat32
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import BinaryIO, NamedTuple

from alexmagnum.errors import GameError
from alexmagnum.mail.parsing.limits import MAX_BYTES

STDIN = "-"

MOST = MAX_BYTES + 1
"""Bytes of a message that are read: enough to see that it is too large."""

_FROM = b"From "
"""The beginning of each message of an mbox."""

_MAILDIR = ("new", "cur")


class Found(NamedTuple):
    """A message: its bytes, when our own server received it, and the place it was found in.

    ``received`` is in UTC, None if nobody noted it.
    """

    raw: bytes
    received: datetime | None
    origin: str


def read_source(place: str, stdin: BinaryIO) -> Iterator[Found]:
    """Yield the messages of a source.

    A source is a file (``.eml`` or mbox), a Maildir, a folder of ``.eml`` files, or standard input
    (``-``).

    Raises:
        GameError: ``source-missing``, ``source-empty``, ``source-unreadable``.
    """
    if place == STDIN:
        yield from _read_stream(io.BytesIO(stdin.read()), STDIN)
        return
    path = Path(place)
    try:
        if path.is_dir():
            yield from _read_folder(path)
        else:
            with path.open("rb") as stream:
                yield from _read_stream(stream, path.name)
    except FileNotFoundError:
        raise GameError("source-missing", path=place) from None
    except OSError as error:
        raise GameError("source-unreadable", path=place, why=error.strerror or "") from None


def _read_folder(path: Path) -> Iterator[Found]:
    """Yield the messages of a Maildir, or those of a folder of ``.eml`` files."""
    subfolders = [path / name for name in _MAILDIR if (path / name).is_dir()]
    if subfolders:
        yield from _read_maildir(path, subfolders)
        return
    files = [file for file in _list_files(path) if file.suffix.lower() == ".eml"]
    if not files:
        raise GameError("source-empty", path=str(path))
    for file in sorted(files):
        raw = _read_message(file)
        yield Found(raw, received_at(raw), f"{path.name}/{file.name}")


def _read_maildir(path: Path, subfolders: Sequence[Path]) -> Iterator[Found]:
    """Yield the messages of a Maildir, which keeps the time of delivery as that of the file."""
    for file in sorted(file for subfolder in subfolders for file in _list_files(subfolder)):
        delivered = datetime.fromtimestamp(file.stat().st_mtime, UTC)
        raw = _read_message(file)
        yield Found(raw, received_at(raw) or delivered, f"{path.name}/{file.name}")


def _list_files(folder: Path) -> Iterator[Path]:
    return (f for f in folder.iterdir() if f.is_file() and not f.name.startswith("."))


def _read_message(file: Path) -> bytes:
    with file.open("rb") as stream:
        return stream.read(MOST)


def _read_stream(stream: BinaryIO, origin: str) -> Iterator[Found]:
    """Yield one message, or those of an mbox."""
    first = stream.readline(MOST)
    if not first.startswith(_FROM):
        raw = first + stream.read(MOST - len(first))
        if not raw.strip():
            raise GameError("source-empty", path=origin)
        yield Found(raw, received_at(raw), origin)
        return
    separator, lines = first, list[bytes]()
    for line in stream:
        if line.startswith(_FROM) and (not lines or not lines[-1].strip()):
            yield _make_mbox_message(separator, lines, origin)
            separator, lines = line, []
        else:
            lines.append(line)
    yield _make_mbox_message(separator, lines, origin)


def _make_mbox_message(separator: bytes, lines: list[bytes], origin: str) -> Found:
    """Return a message of an mbox; the line before it gives sender and time of delivery."""
    raw = b"".join(lines)[:MOST]
    date = separator.removeprefix(_FROM).strip().partition(b" ")[2]
    return Found(raw, received_at(raw) or _date(date.decode("ascii", "replace")), origin)


# -- when ------------------------------------------------------------------------------------------


def received_at(raw: bytes) -> datetime | None:
    """Return when our own server received a message, None if it did not note it.

    Its note stands above those of other servers.  The sender's own ``Date`` proves nothing.
    """
    fields = BytesHeaderParser(policy=compat32).parsebytes(raw[: 1 << 16]).get_all("Received", [])
    return _date(str(fields[0]).rpartition(";")[2]) if fields else None


def _date(text: str) -> datetime | None:
    """Parse an instant as mail writes it, into UTC; without a zone it is taken for UTC."""
    try:
        at = parsedate_to_datetime(" ".join(text.split()))
        return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
