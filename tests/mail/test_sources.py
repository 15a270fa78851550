"""Mail is found wherever it lies, whole, with the time of its receipt; nothing is changed there."""

from __future__ import annotations

import io
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from alexmagnum.errors import GameError
from alexmagnum.mail.transport import MOST, Found, read_source, received_at

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)

OWN = b"Received: from a by mx.example.org with ESMTPS id 7;\n\tFri, 20 Nov 2026 13:00:00 +0100\n"
OTHER = b"Received: by a; Thu, 19 Nov 2026 09:00:00 +0000\n"
PLAIN = b"From: anna@example.org\nDate: Mon, 01 Jan 2001 00:00:00 +0000\n\nA MEN - TEB\n"


def _read(place: object, stdin: bytes = b"") -> list[Found]:
    return list(read_source(str(place), io.BytesIO(stdin)))


def _refused(place: object, stdin: bytes = b"") -> str:
    with pytest.raises(GameError) as caught:
        _read(place, stdin)
    return caught.value.code


def test_a_saved_mail_is_taken_byte_for_byte(tmp_path: Path) -> None:
    raw = b"From: a@b\r\n\r\n\xff\x00 end without a line"
    (tmp_path / "one.eml").write_bytes(raw)

    assert _read(tmp_path / "one.eml") == [Found(raw, None, "one.eml")]


def test_the_time_of_receipt_is_that_of_the_last_server() -> None:
    """Ignore the times of earlier servers and the sender's own date."""
    assert received_at(OWN + OTHER + PLAIN) == NOON
    assert received_at(PLAIN) is None


@pytest.mark.parametrize(
    "field", [b"Received: nonsense\n", b"Received: by x; the other day\n", b"Received:\n"]
)
def test_an_unreadable_time_of_receipt_is_none(field: bytes) -> None:
    assert received_at(field + PLAIN) is None


def test_a_folder_gives_its_eml_files_in_order(tmp_path: Path) -> None:
    for name in ("b.eml", "a.EML", "notes.txt", ".hidden.eml"):
        (tmp_path / name).write_bytes(name.encode())
    (tmp_path / "sub.eml").mkdir()

    assert [found.raw for found in _read(tmp_path)] == [b"a.EML", b"b.eml"]


def test_a_maildir_gives_new_and_read_mail_with_its_time_of_delivery(tmp_path: Path) -> None:
    for name in ("new", "cur", "tmp"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.1:2,S".replace(":", "_")).write_bytes(PLAIN)
        os.utime(tmp_path / name / f"{name}.1_2,S", (NOON.timestamp(), NOON.timestamp()))
    before = sorted(tmp_path.rglob("*"))
    found = _read(tmp_path)

    assert [(each.raw, each.received) for each in found] == [(PLAIN, NOON)] * 2
    assert sorted(tmp_path.rglob("*")) == before


def test_an_empty_maildir_has_no_mail(tmp_path: Path) -> None:
    for name in ("new", "cur", "tmp"):
        (tmp_path / name).mkdir()

    assert _read(tmp_path) == []


MBOX = (
    b"From anna@example.org Fri Nov 20 12:00:00 2026\n" + PLAIN + b"\n"
    b"From bruno@example.org Fri Nov 20 12:00:00 2026\n"
    b"From: bruno@example.org\n\nA word\nFrom Tyre to Gaza\nB\n"
)


@pytest.mark.parametrize("by_stdin", [False, True])
def test_an_mbox_gives_every_message_with_its_time_of_delivery(
    tmp_path: Path, by_stdin: bool
) -> None:
    """A line that begins with "From " inside a paragraph begins no message."""
    (tmp_path / "inbox").write_bytes(MBOX)
    found = _read("-", MBOX) if by_stdin else _read(tmp_path / "inbox")

    assert [each.received for each in found] == [NOON, NOON]
    assert found[0].raw.startswith(b"From: anna")
    assert found[1].raw.endswith(b"From Tyre to Gaza\nB\n")


def test_standard_input_is_one_message() -> None:
    assert _read("-", PLAIN) == [Found(PLAIN, None, "-")]


def test_of_a_huge_message_no_more_is_taken_than_shows_that_it_is(tmp_path: Path) -> None:
    (tmp_path / "huge.eml").write_bytes(PLAIN + b"x" * MOST)

    assert len(_read(tmp_path / "huge.eml")[0].raw) == MOST


def test_what_is_no_source_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.eml").touch()
    (tmp_path / "folder").mkdir()

    assert _refused(tmp_path / "nowhere") == "source-missing"
    assert _refused(tmp_path / "empty.eml") == "source-empty"
    assert _refused(tmp_path / "folder") == "source-empty"
    assert _refused("-") == "source-empty"
