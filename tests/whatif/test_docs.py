"""The commands on the pages for players work and print what the pages show."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from click.testing import CliRunner

from alexmagnum.cli import app
from tests.whatif.mailed import report

ROOT = Path(__file__).parents[2]
PAGES = {"whatif.md": ("mine.txt", "guesses.txt"), "whatif.it.md": ("miei.txt", "supposti.txt")}


def _page(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def _blocks(name: str) -> list[str]:
    """Return the indented blocks of a page."""
    found = re.findall(r"^(?: {4}.*\n|\n(?= {4}))+", _page(name), re.MULTILINE)
    return [dedent(block).strip() for block in found]


def _examples() -> Iterator[Any]:
    """Yield the examples of both pages; ``make test`` runs every third one of the English page."""
    for name in PAGES:
        for number, block in enumerate(b for b in _blocks(name) if b.startswith("$ ")):
            marks = pytest.mark.proof if ".it." in name or number % 3 else ()
            yield pytest.param(name, block, id=block.splitlines()[0][2:], marks=marks)


def _pieces(shown: str) -> list[str]:
    return [piece.strip("\n") for piece in re.split(r"^\.\.\.$", shown, flags=re.MULTILINE)]


@pytest.mark.parametrize(("name", "example"), _examples())
def test_what_is_shown_is_printed(
    name: str, example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for file, text in zip(PAGES[name], _example_files(name), strict=True):
        (tmp_path / file).write_text(text, encoding="utf-8")
    shutil.copytree(ROOT / "orders", tmp_path / "orders")
    monkeypatch.chdir(tmp_path)
    command, _, shown = example.partition("\n")
    done = CliRunner().invoke(app, _words(command))

    assert done.exit_code == 0, done.output
    at = 0
    for piece in _pieces(shown):
        at = done.output.find(piece, at)
        assert at >= 0, f"{piece}\n\nis not in\n\n{done.output}"


def _example_files(name: str) -> list[str]:
    """Return the files that the first example names: the next indented block."""
    blocks = _blocks(name)
    first = next(i for i, block in enumerate(blocks) if block.startswith("$ "))
    return blocks[first + 1 : first + 3]


def _words(command: str) -> list[str]:
    """Return the arguments of a command as the shell splits them."""
    return [
        str(path)
        for word in shlex.split(command)[2:]
        for path in (sorted(Path().glob(word)) if "*" in word else [word])
    ]


def test_there_are_three_examples_of_the_sample_turn() -> None:
    for name in PAGES:
        asked = {block.splitlines()[0] for block in _blocks(name) if "--flip" in block}
        for order in ("F MAC - EGE#3", "F FEN#2 - SUE", "G CIL - CAP"):
            assert any(order in line for line in asked)


def test_the_library_examples_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    codes = re.findall(r"```python\n(.*?)```", _page("whatif.md"), re.DOTALL)
    (tmp_path / "report.eml").write_text(report("waiting", "text"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for code in codes:
        exec(code, names)
    said = capsys.readouterr().out

    assert "A MEN [('A MEN - TEB', ('succeeds',)), ('A MEN H', ('stands',))]" in said
    assert "\nA MEN [('succeeds', " in said


@pytest.mark.parametrize("name", PAGES)
def test_every_document_named_exists(name: str) -> None:
    for path in re.findall(r"\]\(([^)#]+)", _page(name)):
        assert (ROOT / "docs" / path).exists(), path


def test_both_pages_have_the_same_options() -> None:
    english, italian = (set(re.findall(r"--[a-z-]+", _page(name))) for name in PAGES)

    assert english - italian <= {"--lang"}
    assert italian <= english
