"""A file that is written is there whole, or as it was before."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from alexmagnum.errors import GameError
from alexmagnum.files import write_whole


def test_what_is_written_is_utf8_with_lf(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.txt"
    write_whole(path, "è\nb\n")

    assert path.read_bytes() == "è\nb\n".encode()
    assert list(path.parent.iterdir()) == [path]


def test_bytes_are_written_as_they_are(tmp_path: Path) -> None:
    write_whole(tmp_path / "a.png", b"\x89\r\n\n")

    assert (tmp_path / "a.png").read_bytes() == b"\x89\r\n\n"


def test_a_failure_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.txt"
    write_whole(path, "before")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(GameError) as caught:
        write_whole(path, "after")

    assert (caught.value.code, caught.value.data["why"]) == (
        "cannot-write",
        "No space left on device",
    )
    assert path.read_text("utf-8") == "before"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps rights otherwise")
def test_a_private_file_is_its_owner_s_alone(tmp_path: Path) -> None:
    for private, rights in ((True, 0o600), (False, 0o644)):
        write_whole(tmp_path / "a.txt", "secret", private=private)
        assert (tmp_path / "a.txt").stat().st_mode & 0o777 == rights
