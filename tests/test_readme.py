"""The README is true: its commands are the Makefile's, its example runs, its report is printed."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
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
    orders = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "orders").glob("*.txt"))
    command = ["adjudicate", "orders/turn.yaml", *orders, "--lang", "en", "--explain"]
    printed = subprocess.run(
        [sys.executable, "-X", "utf8", "-m", "alexmagnum", *command],
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=60,
        cwd=ROOT,
    ).stdout
    lines = [line[4:] for line in shown.splitlines() if line.strip() and line != "    ..."]

    assert len(lines) > 8
    for line in lines:
        assert line.removesuffix("...") in printed


def test_every_document_named_exists() -> None:
    for name in re.findall(r"\]\(([\w/.]+)\)", README):
        assert (ROOT / name).is_file(), name
