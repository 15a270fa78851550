"""The reference of the library is built from the docstrings, and has every public name."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import alexmagnum

ROOT = Path(__file__).parents[1]


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
