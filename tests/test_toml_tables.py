"""Parsed tables are kept in the user's cache, and damage of what is kept only costs time."""

from __future__ import annotations

import hashlib
import json
import tomllib
from pathlib import Path

import pytest

from alexmagnum.slow_work import share_results
from alexmagnum.toml_tables import load_tables

TEXTS = ('greeting = "Ciao, {name}"\n', '[words]\nmove = ["va", "muove"]\n')


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Two tables, and a cache folder of their own."""
    monkeypatch.setenv("ALEXMAGNUM_CACHE", str(tmp_path / "cache"))
    for number, text in enumerate(TEXTS):
        (tmp_path / f"{number}.toml").write_text(text, encoding="utf-8")
    return sorted(tmp_path.glob("*.toml"))


def _load_in_command(files: list[Path]) -> list[dict[str, object]]:
    with share_results():
        return load_tables(files)


def test_tables_are_parsed_once(files: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    expected = [tomllib.loads(text) for text in TEXTS]
    assert _load_in_command(files) == expected
    monkeypatch.setattr(tomllib, "loads", None)  # nothing is parsed any more
    assert _load_in_command(files) == expected


def test_outside_commands_nothing_is_kept(files: list[Path], tmp_path: Path) -> None:
    assert load_tables(files) == [tomllib.loads(text) for text in TEXTS]
    assert not (tmp_path / "cache").exists()


def test_a_changed_table_is_parsed_anew(files: list[Path]) -> None:
    _load_in_command(files)
    files[0].write_text('greeting = "Salve"\n', encoding="utf-8")
    assert _load_in_command(files)[0] == {"greeting": "Salve"}


def _sign(content: bytes) -> bytes:
    return hashlib.sha256(content).digest() + content


@pytest.mark.parametrize(
    "kept",
    [b"", b"short", b"x" * 200, _sign(b"{"), _sign(b"7"), _sign(b"[7, 8]"), _sign(b"[{}]")],
)
def test_damage_of_what_is_kept_only_costs_time(
    kept: bytes, files: list[Path], tmp_path: Path
) -> None:
    expected = _load_in_command(files)
    (file,) = (tmp_path / "cache").iterdir()
    file.write_bytes(kept)
    assert _load_in_command(files) == expected
    assert json.loads(file.read_bytes()[32:]) == expected
