"""Imports point one way, and the core knows nothing of files, terminals or the web."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import alexmagnum

PACKAGE = Path(alexmagnum.__file__).parent

ROOMS = (
    "errors",
    "board",
    "position",
    "orders",
    "notation",
    "judge",
    "campaign",
    "words",
    "cases",
    "whatif",
    "play",
    "game",
    "draw",
    "report",
    "mail",
    "cli",
)
"""From the bottom up: a room may import those before it."""

WORDS = "report.words"
"""The reader of the catalogues lies among the reports and below them: the game file keeps
sentences, and needs nothing else of theirs."""

CORE = ("errors", "board", "position", "orders", "notation", "judge", "campaign")

EFFECTS = {"click", "sqlite_utils", "sqlite3", "jinja2", "yaml", "random", "time", "datetime"}


def _sources() -> list[tuple[str, Path]]:
    return [
        (_room(".".join(path.relative_to(PACKAGE).with_suffix("").parts)), path)
        for path in sorted(PACKAGE.rglob("*.py"))
        if path.relative_to(PACKAGE).parts[0] not in ("__init__.py", "__main__.py")
    ]


def _room(module: str) -> str:
    """The room of a module of the package, given without the package's own name."""
    return "words" if module.startswith(WORDS) else module.partition(".")[0]


def _imported(path: Path) -> set[str]:
    """Every module named in an import anywhere in a file, those for type checking too."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return names


def test_every_room_has_its_place_in_the_order() -> None:
    assert {room for room, _ in _sources()} == set(ROOMS)


@pytest.mark.parametrize(("room", "path"), _sources(), ids=lambda value: str(value)[-40:])
def test_a_room_imports_only_the_rooms_below_it(room: str, path: Path) -> None:
    allowed = ROOMS[: ROOMS.index(room) + 1]
    prefix = "alexmagnum."
    # "from x import y" is listed as x and as x.y: of the reports' words the longer one tells.
    used = {
        _room(name.removeprefix(prefix))
        for name in _imported(path)
        if name.startswith(prefix) and name.removeprefix(prefix) != "report"
    }

    assert used & set(ROOMS) <= set(allowed)


@pytest.mark.parametrize(
    ("room", "path"), [s for s in _sources() if s[0] in CORE], ids=lambda value: str(value)[-40:]
)
def test_the_core_has_no_clock_no_chance_and_no_terminal(room: str, path: Path) -> None:
    used = {name.split(".")[0] for name in _imported(path)}

    assert not used & EFFECTS


@pytest.mark.parametrize("arguments", [["--help"], ["--version"]])
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    """The command answers without networkx, jinja2, sqlite-utils or a YAML reader."""
    code = (
        "import sys\nfrom alexmagnum.cli import app\n"
        f"try: app({arguments!r}, prog_name='alexmagnum')\nexcept SystemExit: pass\n"
        "heavy = {'networkx', 'jinja2', 'sqlite_utils', 'yaml', 'alexmagnum.judge'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )

    assert done.stderr.strip() == "[]"
    assert "alexmagnum" in done.stdout


def test_one_turn_is_adjudicated_without_networkx_and_sqlite() -> None:
    code = (
        "import sys\nfrom alexmagnum.cli import app\n"
        "try: app(['adjudicate', 'orders/turn.yaml'], prog_name='alexmagnum')\n"
        "except SystemExit: pass\n"
        "print(sorted({'networkx', 'sqlite_utils'} & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        cwd=PACKAGE.parent,
    )

    assert done.stderr.strip() == "[]"
