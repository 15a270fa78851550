"""Run the commands of ``alexmagnum`` in a folder and look at what they print.

A command is called inside this process, which takes a twentieth of the time that a new one needs;
``pytest --separate-processes`` starts a process, as people do, for each command that has an option
that no run of it had before, whatever its value.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import chdir
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

from click.testing import CliRunner

from alexmagnum.cli import main

ROOT = Path(__file__).parents[1]

ORDERS = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "orders").glob("*.txt"))
"""The files with the orders of the sample turn, as they are named from :data:`ROOT`."""

NO_PICTURES = ("--set", "pictures=no")
"""Options of ``new`` for a game whose maps and order sheets no test looks at: drawing takes most
of the time."""

HIDDEN_VARIABLES = ("LANG", "LC_ALL", "LC_MESSAGES", "ALEXMAGNUM_GAME", "NO_COLOR")
"""Variables of the person who runs the tests that would change what a command prints."""

SEPARATE_PROCESSES = "ALEXMAGNUM_TEST_SEPARATE_PROCESSES"
"""The variable behind ``--separate-processes``: a folder in which workers note what was run."""


_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*")
"""A word of a command, such as ``adjudicate``; some values look like one."""


@dataclass(frozen=True)
class Printed:
    """What a command printed, and its exit status."""

    arguments: tuple[str, ...]
    status: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """The output of ``--json``."""
        return json.loads(self.out)


def run_command(
    *arguments: str,
    cwd: Path = ROOT,
    status: int | None = 0,
    stdin: str | bytes = "",
    environment: Mapping[str, str] | None = None,
    separate: bool | None = None,
) -> Printed:
    """Run a command in a folder and return what it printed.

    It has to end with ``status``, or may end as it likes with None; when it does not end with 0, it
    has to say why, on standard error in four lines at most, without a traceback.  ``separate``
    starts a process of its own, or with False never does, as where a test replaces a function.
    """
    variables = dict.fromkeys(HIDDEN_VARIABLES) | dict(environment or {})
    data = stdin.encode() if isinstance(stdin, str) else stdin
    if separate is None:
        separate = SEPARATE_PROCESSES in os.environ and _is_first_of_its_kind(arguments)
    if separate:
        printed = _run_in_new_process(arguments, cwd, data, variables)
    else:
        printed = _run_in_this_process(arguments, cwd, data, variables)
    assert "Traceback" not in printed.err, printed.err
    assert status is None or printed.status == status, printed
    if printed.status:
        assert printed.out or printed.err, printed
        assert len(printed.err.strip().splitlines()) <= 4, printed
    return printed


def _is_first_of_its_kind(arguments: tuple[str, ...]) -> bool:
    """Tell whether a command or one of its options was not run before by any worker, and note it;
    values do not matter: what can differ in a new process is what is imported and how it ends."""
    command = " ".join([word for word in arguments if _WORD.fullmatch(word)][:2])
    options = {word.partition("=")[0] for word in arguments if word.startswith("-")}
    return sum(_is_noted_now(f"{command} {option}") for option in ("", *options)) > 0


def _is_noted_now(kind: str) -> bool:
    """Note a kind of command; tell whether it was not noted before."""
    try:
        (Path(os.environ[SEPARATE_PROCESSES]) / kind).mkdir()
    except FileExistsError:
        return False
    return True


def list_loaded(
    packages: Iterable[str], command: Sequence[str], environment: Mapping[str, str] | None = None
) -> list[str]:
    """Return which of some packages and modules a command loads, in a process of its own."""
    code = (
        "import sys\nfrom alexmagnum.cli import app\n"
        f"try: app({list(command)!r}, prog_name='alexmagnum')\nexcept SystemExit: pass\n"
        f"loaded = [name for name in {tuple(packages)!r}\n"
        "    if any(f'{module}.'.startswith(f'{name}.') for module in sys.modules)]\n"
        "print(*loaded, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        cwd=ROOT,
        env={**os.environ, **(environment or {})},
    )
    assert done.stdout
    return done.stderr.split()


def output_of(
    *arguments: str, status: int = 0, stdin: str = "", cwd: Path = ROOT, **environment: str
) -> str:
    """Run a command; return its output, or the text of its error if it fails with 2."""
    printed = run_command(*arguments, cwd=cwd, status=status, stdin=stdin, environment=environment)
    return printed.err if status == 2 else printed.out


def data_of(*arguments: str, status: int = 0, stdin: str = "", cwd: Path = ROOT) -> Any:
    """Run a command with ``--json``; return what it printed."""
    return run_command(*arguments, "--json", status=status, stdin=stdin, cwd=cwd).data


def _run_in_this_process(
    arguments: tuple[str, ...], cwd: Path, stdin: bytes, variables: Mapping[str, str | None]
) -> Printed:
    status = 0
    with (
        chdir(cwd),
        patch.object(sys, "argv", ["alexmagnum", *arguments]),
        CliRunner().isolation(stdin, variables) as (out, err, _),
    ):
        try:
            main()
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else int(end.code is not None)
        sys.stdout.flush()
        sys.stderr.flush()
        return Printed(arguments, status, _text(out.getvalue()), _text(err.getvalue()))


def _run_in_new_process(
    arguments: tuple[str, ...], cwd: Path, stdin: bytes, variables: Mapping[str, str | None]
) -> Printed:
    environment = {**os.environ, **variables}
    path = os.pathsep.join(filter(None, (str(ROOT), environment.get("PYTHONPATH"))))
    environment["PYTHONPATH"] = path
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-m", "alexmagnum", *arguments],
        capture_output=True,
        input=stdin,
        cwd=cwd,
        env={name: value for name, value in environment.items() if value is not None},
        timeout=120,
        check=False,
    )
    return Printed(arguments, done.returncode, _text(done.stdout), _text(done.stderr))


def _text(data: bytes) -> str:
    return data.decode("utf-8").replace("\r\n", "\n")


@dataclass
class GameFolder:
    """A game in a folder, and everything its commands have printed so far."""

    folder: Path
    printed: list[Printed] = field(default_factory=list)

    def run(self, *arguments: str, status: int = 0, stdin: str | bytes = "") -> Printed:
        """Run a command on the game."""
        printed = run_command(*arguments, cwd=self.folder, status=status, stdin=stdin)
        self.printed.append(printed)
        return printed
