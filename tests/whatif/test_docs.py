"""The pages for players are true: what is typed works, and prints what is shown."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from alexmagnum.cli import app
from tests.whatif.mailed import report

ROOT = Path(__file__).parents[2]
PAGES = {"whatif.md": ("mine.txt", "guesses.txt"), "whatif.it.md": ("miei.txt", "supposti.txt")}


def _page(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PAGES)
def test_what_is_shown_is_printed(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = re.findall(r"^    (.*)$", _page(name), re.MULTILINE)
    start = next(i for i, line in enumerate(lines) if line.startswith("$ "))
    end = max(i for i, line in enumerate(lines) if line == "...")
    for file, text in zip(PAGES[name], lines[end + 1 : end + 3], strict=True):
        (tmp_path / file).write_text(text, encoding="utf-8")
    (tmp_path / "orders").mkdir()
    turn = (ROOT / "orders" / "turn.yaml").read_text(encoding="utf-8")
    (tmp_path / "orders" / "turn.yaml").write_text(turn, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, shlex.split(lines[start][2:])[1:])

    assert done.exit_code == 0, done.output
    for line in lines[start + 1 : end]:
        assert line == "..." or f"\n{line}\n" in f"\n{done.output}", line


def test_the_library_example_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", _page("whatif.md"), re.DOTALL)
    (tmp_path / "report.eml").write_text(report("waiting", "text"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    exec(code, {})

    assert (
        "A MEN [('A MEN - TEB', ('succeeds',)), ('A MEN H', ('stands',))]"
        in capsys.readouterr().out
    )


@pytest.mark.parametrize("name", PAGES)
def test_every_document_named_exists(name: str) -> None:
    for path in re.findall(r"\]\(([^)#]+)", _page(name)):
        assert (ROOT / "docs" / path).is_file(), path


def test_both_pages_have_the_same_options() -> None:
    english, italian = (set(re.findall(r"--[a-z-]+", _page(name))) for name in PAGES)

    assert english == italian
