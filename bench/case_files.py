"""The cost of the command ``cases`` on a thousand cases, in processor time of a process of its own.

The cases are those of ``tests/datc`` and ``tests/cases``, and as many of them again as are missing.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[1]
CASES = 1000


def measure(rounds: int) -> list[dict[str, Any]]:
    """Return the median of some runs as a row."""
    with tempfile.TemporaryDirectory() as folder:
        _write_cases(Path(folder))
        seconds = median(_run(Path(folder)) for _ in range(rounds))
    return [{"what": f"{CASES:,} cases", "seconds": round(seconds, 2)}]


def table(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Return the rows as lines of a table."""
    head = f"{'cases':<34}{'seconds':>11}"
    return [head, *("{what:<34}{seconds:>11.2f}".format_map(row) for row in rows)]


def _write_cases(folder: Path) -> None:
    """Write files with the cases into a folder; every id is there once in a file."""
    files = sorted(
        path for name in ("datc", "cases") for path in (ROOT / "tests" / name).glob("*.yaml")
    )
    missing = CASES
    for number in count():
        for path in files:
            data = yaml.safe_load(path.read_text(encoding="utf-8"))
            data["cases"] = data["cases"][:missing]
            missing -= len(data["cases"])
            if data["cases"]:
                text = yaml.safe_dump(data, allow_unicode=True, sort_keys=False)
                (folder / f"{number}-{path.name}").write_text(text, encoding="utf-8")
        if not missing:
            return


def _run(folder: Path) -> float:
    """Return the processor time of the command; all cases have to pass."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "alexmagnum", "cases", str(folder), "--lang", "en"]
    said = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert f"{CASES} of {CASES} cases" in said, said
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
