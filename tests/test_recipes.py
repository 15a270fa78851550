"""The recipes for cron, systemd and the Windows Task Scheduler."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.cli.games_table import GamesTable
from tests.commands import ROOT

RECIPES = ROOT / "docs" / "recipes"
PAGE = (ROOT / "docs" / "mail.md").read_text(encoding="utf-8")
ARGUMENTS = "--process --quiet"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home folder with two games, the passwords, and the command where the recipes have it."""
    table = GamesTable(tmp_path / "games", lambda: datetime.now(UTC))
    table.create("alfa", "beta", settings={"announcements": "draft"})
    (tmp_path / ".alexmagnum").write_text("export ALEXMAGNUM_IMAP_PASSWORD='sesame'\n")
    (tmp_path / ".alexmagnum.env").write_text("ALEXMAGNUM_IMAP_PASSWORD=sesame\n")
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

    assert "\n".join(f"    {line}".rstrip() for line in lines) in PAGE


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="there is no cron here")
def test_the_line_of_cron_runs_in_an_environment_as_empty_as_that_of_cron(home: Path) -> None:
    (line,) = [
        text for text in (RECIPES / "crontab").read_text().splitlines() if text.startswith("*")
    ]
    command = line.split(None, 5)[5]
    assert "%" not in command, "cron takes it for the end of the line"
    environment = {
        "HOME": str(home),
        "LOGNAME": "anna",
        "PATH": "/usr/bin:/bin",
        "SHELL": "/bin/sh",
    }
    done = subprocess.run(
        ["/bin/sh", "-c", command], env=environment, cwd=home, capture_output=True, check=False
    )
    log = (home / "games" / "tick.log").read_text(encoding="utf-8")

    assert (done.stdout, done.stderr) == (b"", b"")
    assert done.returncode == 0, log
    assert [line.split(":")[:2] for line in log.splitlines()] == [
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
    said = task.findtext(".//t:Exec/t:Arguments", "", space)
    assert re.fullmatch(rf"tick --all \S+ {ARGUMENTS}", said)
