"""The documents are true: README, settings, sheets for players, the walk, library, recipes."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

import alexmagnum
from alexmagnum.board import load_board
from alexmagnum.board.model import SWITCHES
from alexmagnum.cli import COMMANDS, app
from alexmagnum.cli.games import integrity
from alexmagnum.game.settings import SETTINGS
from alexmagnum.mail.parsing.commands import read_requests
from alexmagnum.notation import write_order
from alexmagnum.position import Phase, Position
from tests.cli.games_table import GamesTable
from tests.commands import ORDERS, ROOT, data_of, run_command
from tests.notation.tables import EGYPT, codes, position, read, retreating
from tests.sizes import is_proof, sampled

DOCS = ROOT / "docs"


def _page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def _rows(page: str, after: str) -> list[list[str]]:
    """The cells of the first table behind a heading, without its head."""
    table = re.search(r"(?:^\|.*\n)+", page.partition(f"\n{after}\n")[2], re.MULTILINE)
    assert table, after
    rows = [row.strip("|").split("|") for row in table[0].splitlines()[2:]]
    return [[cell.strip() for cell in row] for row in rows]


def _code(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


# -- settings.md -----------------------------------------------------------------------------------


def test_every_house_rule_is_in_the_reference_with_its_default() -> None:
    assert {
        _code(name)[0]: "".join(_code(default))
        for name, default, *_ in _rows(_page("settings.md"), "## House rules")
    } == {name: setting.default for name, setting in SETTINGS.items()}


@pytest.mark.parametrize("row", _rows(_page("settings.md"), "## House rules"), ids=lambda r: r[0])
def test_what_a_house_rule_may_be_is_true(row: list[str]) -> None:
    setting = SETTINGS[_code(row[0])[0]]

    if setting.words:
        assert set(_code(row[2])) == set(setting.words)
    elif setting.check:
        assert setting.allows(_code(row[2])[0])
    else:
        assert row[2] == f"{setting.low}-{setting.high}"


def test_every_switch_is_in_the_reference_with_its_ruling() -> None:
    rows = _rows(_page("settings.md"), "## The switches of the rules")
    assert {_code(name)[0].removeprefix("rules."): ruling for name, ruling in rows} == {
        name: switch.ruling for name, switch in SWITCHES.items()
    }


# -- the players' sheets ---------------------------------------------------------------------------

SHEETS = {"players.md": "## How to write orders", "players.it.md": "## Come si scrivono gli ordini"}


def _lessons() -> list[tuple[str, str, str]]:
    """Page, canonical order, and what may be written for it."""
    lessons = []
    for page, heading in SHEETS.items():
        for _, canonical, others in _rows(_page(page), heading):
            forms, alike = _code(canonical), _code(others)
            lessons += [(page, form, form) for form in forms]
            pairs = zip(forms, alike, strict=True) if len(forms) == len(alike) else ()
            lessons += [(page, form, text) for form, text in pairs]
            if len(forms) == 1:
                lessons += [(page, forms[0], text) for text in alike[1:]]
    return lessons


def _where(canonical: str) -> Position:
    """A position in which such an order can be given."""
    if canonical.startswith("Pick"):
        return position("alexmagnum", "", "picks")
    if canonical.startswith(("Build", "Remove", "Waive")):
        return replace(EGYPT, phase=Phase(318, "winter"))
    if canonical in ("A MEN - SIW", "Disband A MEN"):
        return retreating("alexmagnum", "TOL: A MEN", "SEL: A TEB")
    if canonical == "G ALE":
        return replace(position("alexmagnum", ""), phase=Phase(323, "deployment", period=6))
    return EGYPT


@pytest.mark.parametrize(("page", "canonical", "text"), _lessons())
def test_what_the_sheet_says_can_be_written(page: str, canonical: str, text: str) -> None:
    where = _where(canonical)
    power = "CAS" if canonical.startswith("F CRE") else "TOL"
    order, meant = read(text, where, power), read(canonical, where, power)
    assert order is not None
    assert order == meant
    assert write_order(order).removeprefix("Build ") == canonical.removeprefix("Build ")
    assert codes(text, where, power) == []


def test_the_sheets_teach_the_same() -> None:
    english, italian = (
        [_code(row[1]) for row in _rows(_page(page), heading)] for page, heading in SHEETS.items()
    )
    rulings = [set(re.findall(r"\bR\d+a?\b", _page(page))) for page in SHEETS]
    assert english == italian
    assert rulings[0] == rulings[1]


@pytest.mark.parametrize("page", SHEETS)
def test_a_sheet_is_two_pages(page: str) -> None:
    """Some 650 words, tables included, go on a page."""
    assert len(_page(page).split()) < 1300


# -- what players ask by mail ----------------------------------------------------------------------

BY_MAIL = {
    "players-mail.md": "## What you can ask",
    "players-mail.it.md": "## Che cosa puoi chiedere",
}


@pytest.mark.parametrize("page", BY_MAIL)
def test_what_the_page_says_can_be_asked(page: str) -> None:
    """Both forms in a row, and those in its last column, are one request."""
    board = load_board("alexmagnum")
    for row in _rows(_page(page), BY_MAIL[page]):
        listed = [text for cell in row for text in _code(cell)]
        kinds = {command.kind for text in listed for command in read_requests(text, board).commands}
        assert len(kinds) == 1, listed
        assert all(read_requests(text, board).commands for text in listed), listed


@pytest.mark.parametrize("page", BY_MAIL)
def test_the_press_of_the_page_is_press(page: str) -> None:
    text = "\n".join(re.findall(r"^    (.*)$", _page(page), re.MULTILINE))
    (piece,) = read_requests(text, load_board("alexmagnum")).press
    assert (piece.readers, piece.closed) == (("TOL", "SEL"), True)


def test_both_pages_ask_for_the_same() -> None:
    english, italian = (
        [set(_code(row[0]) + _code(row[1])) for row in _rows(_page(page), heading)]
        for page, heading in BY_MAIL.items()
    )
    assert english == italian


# -- the game master's walk ------------------------------------------------------------------------


MAILS = {
    "anna.eml": "From: anna@example.net\nSubject: orders\n\nA MEN H\n",
    "bruno.eml": "From: bruno@example.org\nSubject: map\n\nMAP\n",
    "retreat-lis.txt": "F ADR - ION\n",
    "retreat-aut.txt": "F EGE - BIS\n",
    "retreat-cas.txt": "F CRE - LIB\n",
    "corrected.txt": "A UJJ - PAT\nA MAT S A UJJ - PAT\n",
    "note.txt": "Monday is a holiday.\n",
}
"""What the guide supposes to have been saved from mails."""


def _walk() -> list[tuple[list[str], list[str]]]:
    """Return the words of every line that is typed, and the lines shown below it: in ``make proof``
    of the whole guide, in ``make test`` of the season in ten minutes."""
    walk: list[tuple[list[str], list[str]]] = []
    guide = _page("gamemaster.md")
    guide = guide if is_proof() else guide[: guide.index("## The whole year")]
    for line in re.findall(r"^    (\S.*|  .*)$", guide, re.MULTILINE):
        if line.startswith("$ "):
            walk.append((shlex.split(line[2:]), []))
        elif line != "...":
            walk[-1][1].append(line)
    return walk


@sampled
def test_the_walk_can_be_walked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every line that the guide has typed works, one after the other, and prints what is shown
    (``...`` stands for the rest of a line, or for further ones)."""
    shutil.copytree(ROOT / "orders", tmp_path / "orders", ignore=shutil.ignore_patterns("game"))
    for name, text in MAILS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ALEXMAGNUM_GAME", raising=False)
    for (word, *rest), shown in _walk():
        if word == "export":
            monkeypatch.setenv(*rest[0].split("="))
            continue
        assert word == "alexmagnum"
        done = CliRunner().invoke(app, rest)

        assert done.exit_code == 0, (rest, done.output)
        printed = "\n" + done.stdout.replace("\\", "/")
        assert printed.strip(), rest
        for line in shown:
            assert f"\n{line.removesuffix('...')}" in printed, (rest, line, printed)


def _command(words: list[str]) -> click.Command | None:
    """The command or subcommand that some words begin with."""
    command = app.get_command(click.Context(app), words[0])
    if isinstance(command, click.Group) and len(words) > 1:
        return command.get_command(click.Context(command), words[1]) or command
    return command


def test_the_guide_names_options_that_there_are() -> None:
    """In the text between the lines that are typed; an option alone is one of any command."""
    pieces = [span.removeprefix("alexmagnum ").split() for span in _code(_page("gamemaster.md"))]
    named = 0
    for words in filter(None, pieces):
        command = _command(words) if words[0] in COMMANDS else None
        command = integrity if "--integrity" in words else command
        known = {o for param in command.params for o in param.opts} if command else _all_options()
        options = {word.rstrip(",") for word in words if word.startswith("--")}
        named += len(options)
        assert options <= known, words
    assert named > 15


@cache
def _all_options() -> set[str]:
    """Every option of every command and subcommand; ``check --integrity`` is a command too."""
    found = [*(_command([name]) for name in COMMANDS), integrity]
    groups = [group for group in found if isinstance(group, click.Group)]
    found += [command for group in groups for command in group.commands.values()]
    return {option for command in found if command for p in command.params for option in p.opts}


# What commands print for machines is in commands.md.


PRINTED_IN_A_GAME = (
    *("status", "status --people", "preview", "process 323-1 --allow-missing", "history"),
    *("history --people", "verify", "check --integrity", "games ..", "undo", "restore"),
)


def _list_keys(shape: str) -> list[str]:
    """Return the keys of the outermost object in a description such as ``[{"id", "at"}]``."""
    inner = shape.strip("[]")[1:-1]
    while "{" in inner:
        inner = re.sub(r"\{[^{}]*\}", "", inner)
    return re.findall(r'"(\w+)"', inner)


def test_the_keys_that_commands_print_for_machines_are_in_the_page(tmp_path: Path) -> None:
    rows = _rows(_page("commands.md").replace(r"\|", "/"), "## For machines\n")
    shapes = {command: _code(shape)[0] for commands, shape in rows for command in _code(commands)}
    run_command("new", "demo", "--set", "pictures=no", "--player", "TOL=Ann", cwd=tmp_path)
    for command in PRINTED_IN_A_GAME:
        printed = data_of(*command.split(), cwd=tmp_path / "demo")
        one = printed[0] if isinstance(printed, list) else printed
        shape = shapes[command.removesuffix(" 323-1 --allow-missing").removesuffix(" ..")]
        assert list(one) == _list_keys(shape), command
        for rows_of_one in one.values():
            if isinstance(rows_of_one, list) and rows_of_one and isinstance(rows_of_one[0], dict):
                assert set(rows_of_one[0]) <= set(re.findall(r'"(\w+)"', shape)), command


def test_every_document_named_exists() -> None:
    for page in ("gamemaster.md", "settings.md", *SHEETS, *BY_MAIL):
        for name in re.findall(r"\]\(([^)#]+)", _page(page)):
            assert (DOCS / name).resolve().is_file(), (page, name)
    for name in re.findall(r"\]\(([\w/.]+)\)", README):
        assert (ROOT / name).is_file(), name


def test_the_page_on_mail_names_settings_and_commands_that_there_are() -> None:
    page = _page("mail.md")
    named = re.findall(r"alexmagnum settings (\w+)", page)
    assert len(named) > 8
    assert set(named) <= SETTINGS.keys()
    assert set(re.findall(r"^ {4,}alexmagnum (\w+)", page, re.MULTILINE)) <= COMMANDS.keys()


@pytest.mark.parametrize(
    "name", ["reports", "receipts", "reminders", "announcements", "reminder_hours", "smtp_server"]
)
def test_the_page_on_mail_tells_what_a_setting_does(name: str) -> None:
    assert f"`{name}" in _page("mail.md")


# The README: its commands are the Makefile's, its example runs, its report is printed.


README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_two_commands_exist() -> None:
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert {"demo", "test"} <= set(targets)


def test_the_library_example_runs() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.count("fails") >= 2


def test_the_report_shown_is_the_one_printed() -> None:
    shown = README.split("--explain\n\n", 1)[1].split("\n\n- **", 1)[0]
    command = ("adjudicate", "orders/turn.yaml", *ORDERS, "--lang", "en", "--explain")
    printed = run_command(*command).out
    lines = [line[4:] for line in shown.splitlines() if line.strip() and line != "    ..."]
    assert len(lines) > 8
    for line in lines:
        assert line.removesuffix("...") in printed


# The guide to the library runs, one block after another in one session.


def test_every_block_of_the_guide_runs() -> None:
    page = DOCS / "library.md"
    text = page.read_text(encoding="utf-8")
    session: dict[str, Any] = {"__name__": "guide"}
    blocks = list(re.finditer(r"```python\n(.*?)```", text, re.DOTALL))
    for block in blocks:
        line = text.count("\n", 0, block.start(1))
        exec(compile("\n" * line + block[1], str(page), "exec"), session)
    assert len(blocks) == text.count("```python")


# The reference of the library is built from the docstrings, and has every public name.


@pytest.mark.proof
def test_the_reference_has_every_public_name(tmp_path: Path) -> None:
    """By the command of the Makefile, into another folder; every annotation can be evaluated."""
    pytest.importorskip("pdoc", reason="pdoc, of the extra dev, is not installed")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (module,) = re.findall(r"python (-m tools.reference) site$", makefile, re.MULTILINE)
    command = [sys.executable, "-W", "error::UserWarning", *module.split(), str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True, timeout=120, cwd=ROOT)
    page = (tmp_path / "alexmagnum.html").read_text(encoding="utf-8")
    shown = set(re.findall(r'id="([\w.]+)"', page))
    assert set(alexmagnum.__all__) - {"__version__"} <= shown
    assert {"Position.from_text", "Position.to_text", "Outcome.result_of"} <= shown
    assert (tmp_path / "index.html").is_file()


# The recipes for cron, systemd and the Windows Task Scheduler.


RECIPES = ROOT / "docs" / "recipes"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home folder with two games, and the command where the recipes have it."""
    table = GamesTable(tmp_path / "games", lambda: datetime.now(UTC))
    table.create("alfa", "beta", settings={"announcements": "draft"})
    command = tmp_path / "venv" / "bin" / "alexmagnum"
    command.parent.mkdir(parents=True)
    paths = os.pathsep.join(filter(None, (str(ROOT), *sys.path)))
    command.write_text(
        f"#!/bin/sh\nPYTHONPATH='{paths}' exec '{sys.executable}' -m alexmagnum \"$@\"\n"
    )
    command.chmod(0o755)
    return tmp_path


@pytest.mark.parametrize("name", ["crontab", "alexmagnum.service", "alexmagnum.timer"])
def test_the_page_shows_the_files_as_they_are(name: str) -> None:
    lines = (RECIPES / name).read_text(encoding="utf-8").splitlines()
    assert "\n".join(f"    {line}".rstrip() for line in lines) in _page("mail.md")


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="there is no cron here")
def test_the_line_of_cron_runs_in_an_environment_as_empty_as_that_of_cron(home: Path) -> None:
    (line,) = [
        text for text in (RECIPES / "crontab").read_text().splitlines() if text.startswith("*")
    ]
    command = line.split(None, 5)[5]
    assert "%" not in command, "cron takes it for the end of the line"
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        env={"HOME": str(home), "LOGNAME": "anna", "PATH": "/usr/bin:/bin", "SHELL": "/bin/sh"},
        cwd=home,
        capture_output=True,
        check=False,
    )
    log = (home / "games" / "tick.log").read_text(encoding="utf-8")

    assert (done.stdout, done.stderr) == (b"", b"")
    assert done.returncode == 0, log
    assert [line.split("  ", 1)[1].split(":")[:2] for line in log.splitlines()] == [
        [game, " drafted"] for game in ("alfa", "alfa", "beta", "beta")
    ]


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="there is no systemd here")
def test_systemd_finds_no_fault_in_the_units(home: Path) -> None:
    units = home / "units"
    units.mkdir()
    for name in ("alexmagnum.service", "alexmagnum.timer"):
        text = (RECIPES / name).read_text(encoding="utf-8")
        (units / name).write_text(text.replace("%h", str(home)), encoding="utf-8")
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *map(str, sorted(units.iterdir()))],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "SYSTEMD_LOG_LEVEL": "warning"},
    )
    said = [line for line in done.stderr.splitlines() if "alexmagnum" in line]
    assert (done.returncode, said) == (0, [])


def test_the_task_of_windows_runs_the_same_command_every_ten_minutes() -> None:
    space = {"t": "http://schemas.microsoft.com/windows/2004/02/mit/task"}
    task = ET.parse(RECIPES / "alexmagnum-task.xml").getroot()
    assert task.tag == f"{{{space['t']}}}Task"
    assert task.findtext(".//t:Repetition/t:Interval", None, space) == "PT10M"
    assert task.findtext(".//t:MultipleInstancesPolicy", None, space) == "IgnoreNew"
    assert task.findtext(".//t:Exec/t:Arguments", "", space) == "tick --all . --process --quiet"
