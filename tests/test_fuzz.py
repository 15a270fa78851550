"""A slice of what ``make fuzz`` tries: damaged files, each within a budget of time and memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import ROOT
from tests.fuzz import TARGETS

SLOW = ("mail", "import", "import-values", "backup")


@pytest.mark.proof
@pytest.mark.skipif(sys.platform != "linux", reason="the budget of memory is that of Linux")
@pytest.mark.parametrize("name", TARGETS)
def test_no_damaged_file_breaks_a_reader_or_costs_much(name: str) -> None:
    count = "200" if name in SLOW else "700"
    command = [sys.executable, "-m", "tests.fuzz", name, "--slice", count]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_make_fuzz_tries_every_reader() -> None:
    makefile = (Path(ROOT) / "Makefile").read_text("utf-8")
    listed = next(line for line in makefile.splitlines() if line.startswith("FUZZED"))
    assert listed.split()[2:] == list(TARGETS)
