"""Build a compiled wheel for each CPython of this machine: ``make wheels``.

    python -m tools.build_wheels [3.12 ...]     # all of 3.11 to 3.14 without arguments

Each wheel is tried with its Python.  A Python that is missing is named and left out.  Wheels for
macOS and Windows, and those that suit every Linux, are made by cibuildwheel (``pyproject.toml``).
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from tools.compile_modules import ROOT

VERSIONS = ("3.11", "3.12", "3.13", "3.14")

SAY_VERSION = """
import sys, sysconfig, pathlib
if sys.implementation.name != "cpython" or sysconfig.get_config_var("Py_GIL_DISABLED"):
    raise SystemExit("not the usual CPython")
if not pathlib.Path(sysconfig.get_path("include"), "Python.h").exists():
    raise SystemExit("its headers are missing")
print("%d.%d" % sys.version_info[:2])
"""

TRY_WHEEL = """
import pickle
import alexmagnum as am
import alexmagnum.judge.movement as movement
from alexmagnum.orders import Move, Support
assert am.__build__ == "compiled", am.__build__
assert not movement.__file__.endswith(".py"), movement.__file__
assert Move("A MEN", "TEB") == Move("A MEN", "TEB", False)
own = am.Unit("Austria", "A", "BOH"), am.Unit("Austria", "A", "TYR")
units = *own, am.Unit("Germany", "A", "MUN")
position = am.Position(am.load_board("standard"), am.Phase(1901, "spring"), units)
orders = {"Austria": [Move("A BOH", "MUN"), Support("A TYR", "A BOH", "MUN")]}
for _ in range(1000):
    outcome = am.adjudicate(position, orders)
    assert [result for _, _, _, result in outcome.results] == ["succeeds", "given"], outcome.results
    assert [(d.unit.province, len(d.retreats)) for d in outcome.dislodged] == [("MUN", 5)]
    assert [unit.province for unit in outcome.units] == ["TYR", "MUN"]
    assert [reason.code for reason in outcome.reasons] == ["dislodges", "given"], outcome.reasons
assert pickle.loads(pickle.dumps(outcome)) == outcome
"""


def find_python(version: str) -> tuple[str | None, str]:
    """Return the path of a Python that can build wheels, or None; and why there is none."""
    reason = "not found"
    for candidate in _list_candidates(version):
        said = _run([candidate, "-c", SAY_VERSION])
        if said.returncode == 0 and said.stdout.strip() == version:
            return candidate, ""
        if said.returncode == 1 and said.stderr.count("\n") == 1:  # a word of SAY_VERSION's own
            reason = f"{candidate}: {said.stderr.strip()}"
    return None, reason


def _list_candidates(version: str) -> Iterator[str]:
    """Yield the paths at which a Python of a version may be."""
    if sys.version_info[:2] == tuple(int(part) for part in version.split(".")):
        yield sys.executable
    if named := shutil.which(f"python{version}"):
        yield named
    for path in sorted(_pyenv_folder().glob(f"versions/{version}.*/bin/python"), reverse=True):
        yield str(path)
    for helper in (["uv", "python", "find", "--offline", version], ["py", f"-{version}", "-0p"]):
        if shutil.which(helper[0]) and (found := _run(helper)).returncode == 0:
            yield from (line.split()[-1] for line in found.stdout.splitlines() if line.strip())


def _pyenv_folder() -> Path:
    return Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    except (OSError, subprocess.TimeoutExpired) as error:
        return subprocess.CompletedProcess(command, 127, "", str(error))


def build_wheel(python: str, folder: Path) -> Path:
    """Build a compiled wheel with a Python and try it; return its path.

    Raises:
        subprocess.CalledProcessError: it cannot be built, or does not work.
    """
    with tempfile.TemporaryDirectory() as name:
        pip = [sys.executable, "-m", "pip", "--python", python, "wheel", "--quiet", "--no-deps"]
        subprocess.run(
            [*pip, "--wheel-dir", name, str(ROOT)],
            check=True,
            env={**os.environ, "ALEXMAGNUM_COMPILE": "1"},
        )
        (built,) = Path(name).glob("*.whl")
        unpacked = Path(name) / "unpacked"
        with zipfile.ZipFile(built) as wheel:
            wheel.extractall(unpacked)
        environment = {**os.environ, "PYTHONPATH": str(unpacked), "ALEXMAGNUM_PURE": "0"}
        subprocess.run([python, "-c", TRY_WHEEL], check=True, env=environment, cwd=name)
        folder.mkdir(exist_ok=True)
        return Path(shutil.move(built, folder / built.name))


def main(argv: list[str] | None = None) -> int:
    """Build the wheels; 1 if one fails or none is built."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.build_wheels",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("versions", nargs="*", metavar="VERSION", default=VERSIONS)
    parser.add_argument("--into", type=Path, default=ROOT / "dist", help="folder of the wheels")
    options = parser.parse_args(argv)
    built, failed = 0, 0
    for version in options.versions:
        python, reason = find_python(version)
        if python is None:
            print(f"CPython {version}: left out ({reason})", flush=True)
            continue
        try:
            print(f"CPython {version}: {build_wheel(python, options.into)}", flush=True)
            built += 1
        except subprocess.CalledProcessError as error:
            print(f"CPython {version}: failed: {error}", file=sys.stderr)
            failed += 1
    return int(failed > 0 or not built)


if __name__ == "__main__":
    raise SystemExit(main())
