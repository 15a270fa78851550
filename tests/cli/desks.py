"""A game master at work: the command in a process of its own, and what it printed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]

PLAIN = ("--set", "pictures=no")
"""For a game whose maps and order sheets no test looks at: they would take most of the time."""


@dataclass(frozen=True)
class Said:
    """What a command printed, and how it ended."""

    arguments: tuple[str, ...]
    status: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        return json.loads(self.out)


def call(
    *arguments: str,
    cwd: Path,
    status: int = 0,
    stdin: str = "",
    environment: Mapping[str, str] | None = None,
) -> Said:
    """Run the command in a folder; it has to end with ``status`` and without a traceback."""
    hidden = ("LANG", "LC_ALL", "LC_MESSAGES", "ALEXMAGNUM_GAME", "NO_COLOR")
    clean = {key: value for key, value in os.environ.items() if key not in hidden}
    path = os.pathsep.join(filter(None, (str(ROOT), clean.get("PYTHONPATH"))))
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-m", "alexmagnum", *arguments],
        capture_output=True,
        encoding="utf-8",
        input=stdin,
        cwd=cwd,
        env={**clean, "PYTHONPATH": path, **(environment or {})},
        timeout=120,
        check=False,
    )
    said = Said(arguments, done.returncode, done.stdout, done.stderr)
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode == status, said
    if status:
        assert 1 <= len(done.stderr.strip().splitlines()) <= 4, said
    return said


@dataclass
class Table:
    """A game in a folder; ``said`` is all that its commands have printed."""

    folder: Path
    said: list[Said] = field(default_factory=list)

    def run(self, *arguments: str, status: int = 0, stdin: str = "") -> Said:
        said = call(*arguments, cwd=self.folder, status=status, stdin=stdin)
        self.said.append(said)
        return said
