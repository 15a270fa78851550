"""A ruling that is changed in one place changes results, reasons, flips and safety together."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.case_library import read_yaml
from tests.sizes import is_proof, one_in, sized

ROOT = Path(__file__).parents[2]


class Planted(NamedTuple):
    """Another ruling: the lines of the judge that it replaces, once in their file.

    ``never``: reasons that no order can have under it; ``profile``: the positions on which it is
    tried, if it changes too few of the others.
    """

    name: str
    file: str
    old: str
    new: str
    never: Sequence[str] = ()
    profile: str = ""


PLANTED = [Planted(**row) for row in read_yaml(Path(__file__).with_name("planted.yaml"))]


def copy_judge(folder: Path) -> None:
    """Make a checkout in ``folder`` whose package is a copy, interpreted, of this one."""
    for entry in ROOT.iterdir():
        if entry.name not in ("alexmagnum", ".git", "__pycache__"):
            (folder / entry.name).symlink_to(entry)
    ignore = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
    shutil.copytree(ROOT / "alexmagnum", folder / "alexmagnum", ignore=ignore)


def check_reasons(
    folder: Path, positions: int, profile: str = "", never: Sequence[str] = ()
) -> str:
    """Return the checksum of results that :mod:`tests.judge.reason_facts` prints in a folder."""
    facts = [sys.executable, "-m", "tests.judge.reason_facts", "--positions", str(positions)]
    if profile:
        facts += ["--profile", profile]
    done = subprocess.run(
        [*facts, "--never", *never],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder), "ALEXMAGNUM_PURE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def test_a_reason_that_does_not_fit_is_noticed(tmp_path: Path) -> None:
    copy_judge(tmp_path)
    source = tmp_path / "alexmagnum" / "judge" / "reasons.py"
    text = source.read_text("utf-8")
    asked = '"bounces" if own == against'
    assert asked in text
    source.write_text(text.replace(asked, '"bounces" if own != against'), encoding="utf-8")

    with pytest.raises(AssertionError, match="equal strengths differ"):
        check_reasons(tmp_path, 60)


@pytest.mark.parametrize("planted", one_in(len(PLANTED), PLANTED), ids=lambda planted: planted.name)
def test_reasons_agree_with_results_under_another_ruling(planted: Planted, tmp_path: Path) -> None:
    positions = sized(120, 500)
    copy_judge(tmp_path)
    before = check_reasons(tmp_path, positions, planted.profile)
    source = tmp_path / "alexmagnum" / "judge" / planted.file
    text = source.read_text("utf-8")
    assert text.count(planted.old) == 1, "the ruling stands elsewhere now: plant the change there"
    source.write_text(text.replace(planted.old, planted.new), encoding="utf-8")

    after = check_reasons(tmp_path, positions, planted.profile, planted.never)

    assert not is_proof() or after != before, "nothing changed"
