"""What is promised has a test; what is installed has hashes and notices."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.commands import ROOT
from tests.fuzz import TARGETS

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
INSTALLED = ("arrays", "compile", "lab", "pdf")
"""The extras that users install; the others are for development."""


def test_each_promise_names_a_test_that_there_is() -> None:
    text = (ROOT / "docs" / "security.md").read_text("utf-8")
    promises = text.partition("## What each boundary promises")[2].partition("## What is not")[0]
    rows = [line for line in promises.splitlines() if line.startswith("| ") and "---" not in line]
    kept = [row for row in rows if not row.startswith("| promise |")]
    assert [row for row in kept if "`tests/" not in row] == []
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", promises)
    assert len(kept) <= len(named) == promises.count("`tests/")
    assert [
        test
        for file, test in named
        if not re.search(rf"^def {test}\(", (ROOT / file).read_text("utf-8"), re.MULTILINE)
    ] == []


def test_the_constraints_have_every_library_with_its_hashes() -> None:
    """``make constraints`` writes the file anew."""
    project = PROJECT["project"]
    extras = project["optional-dependencies"]
    wanted = [*PROJECT["build-system"]["requires"], *project["dependencies"]]
    wanted += [library for extra in INSTALLED for library in extras[extra]]
    text = (ROOT / "constraints.txt").read_text("utf-8")
    blocks = re.findall(
        r"^([a-z0-9-]+)==\S+.*\\\n((?:    --hash=sha256:[0-9a-f]{64}.*\n)+)", text, re.M
    )
    named = {name for name, _ in blocks}
    names = {re.split(r"[<>=; ]", each)[0].lower().replace(".", "-") for each in wanted}
    assert names - {name.replace("_", "-") for name in named} == set()
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert len(lines) == sum(1 + hashes.count("\n") for _, hashes in blocks)
    assert "://" not in text


def test_the_notices_have_what_the_package_contains() -> None:
    notices = (ROOT / "NOTICES.md").read_text("utf-8")
    runtime = json.loads((ROOT / "tools" / "page_judge" / "runtime.json").read_text("utf-8"))
    fonts = (ROOT / "alexmagnum" / "draw" / "fonts" / "OFL.txt").read_text("utf-8")
    assert "NOTICES.md" in PROJECT["project"]["license-files"]
    assert fonts.strip() in notices
    assert f"MicroPython {runtime['runtime']['version']}" in notices
    assert runtime["runtime"]["package"] in notices


# A slice of what ``make fuzz`` tries: damaged files, each within a budget of time and memory.


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
