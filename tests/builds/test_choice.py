"""Which build runs: compiled files of today's sources, with the same results and reasons."""

from __future__ import annotations

import contextlib
import importlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

import alexmagnum
from alexmagnum.builds import (
    COMPILED,
    INTERPRETED,
    LIBRARY,
    PURE,
    RECORD,
    SourceFinder,
    choose_build,
)
from tests.commands import ROOT, run_command
from tests.sizes import sampled, sized
from tools import compile_modules
from tools.build_wheels import find_python
from tools.compile_modules import format_record, list_imported, list_modules, remove_compiled

PACKAGE = Path(alexmagnum.__file__).parent
SUFFIX = EXTENSION_SUFFIXES[0]

needs_compiled = pytest.mark.skipif(
    alexmagnum.__build__ != COMPILED and not os.environ.get("ALEXMAGNUM_REQUIRE_COMPILED"),
    reason="the judge is not compiled (make compiled)",
)


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Return a folder that looks like a package with one compiled module, which imports another."""
    package = tmp_path / "alexmagnum"
    package.mkdir()
    for name in ("judge.py", "board.py", "judge" + SUFFIX, f"../{LIBRARY}{SUFFIX}"):
        (package / name).write_text(name)
    record = format_record(package, SUFFIX, ["judge.py"], ["board.py"])
    (package / RECORD).write_text(record)
    return package


@pytest.fixture(autouse=True)
def _keep_finders() -> Iterator[None]:
    """Take away the finder that a test's choice has put in, and that of this run meanwhile."""
    finders = list(sys.meta_path)
    sys.meta_path[:] = [finder for finder in finders if finder is not SourceFinder]
    yield
    sys.meta_path[:] = finders


def test_compiled_files_of_these_sources_are_used(package: Path) -> None:
    """A time stamp alone is no change."""
    (package / "judge.py").touch()

    assert choose_build(package, {}) == COMPILED
    assert choose_build(package, {PURE: "0"}) == choose_build(package, {PURE: ""}) == COMPILED
    assert SourceFinder not in sys.meta_path


def test_the_user_can_choose_the_sources(package: Path) -> None:
    assert choose_build(package, {PURE: "1"}) == "interpreted: ALEXMAGNUM_PURE is set"
    assert sys.meta_path[0] is SourceFinder


def _compile_for_another(record: Path) -> None:
    record.write_text(record.read_text().replace(SUFFIX, ".cpython-399-here.so"))


def _change(source: Path) -> None:
    source.write_text("changed")


CHANGED: list[tuple[Callable[[Path], object], str, str]] = [
    (Path.unlink, RECORD, ""),  # it was never compiled
    (_change, "judge.py", ": judge.py has changed since it was compiled"),
    (_change, "board.py", ": board.py has changed since it was compiled"),
    (Path.unlink, "board.py", ": board.py has changed since it was compiled"),
    (Path.unlink, "judge" + SUFFIX, ": judge.py has no compiled file"),
    (Path.unlink, f"../{LIBRARY}{SUFFIX}", f": {LIBRARY} is missing"),
    (_compile_for_another, RECORD, ": compiled for another Python"),
]
"""What is done to which file of a package, and why all its modules are interpreted then."""


@pytest.mark.parametrize(("change", "name", "why"), CHANGED)
def test_all_modules_are_interpreted_if_one_has_changed_or_a_compiled_file_is_missing(
    package: Path, change: Callable[[Path], object], name: str, why: str
) -> None:
    change(package / name)

    assert choose_build(package, {}) == INTERPRETED + why
    assert sys.meta_path[0] is SourceFinder or not why


def test_removing_leaves_the_sources_and_nothing_compiled(package: Path) -> None:
    remove_compiled(package.parent)

    assert sorted(path.name for path in package.iterdir()) == ["board.py", "judge.py"]
    assert list(package.parent.iterdir()) == [package]


@pytest.mark.parametrize("whole", range(4))
def test_nothing_is_used_of_a_compilation_that_was_interrupted(
    package: Path, whole: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [
        Path(PACKAGE.name, RECORD),
        Path(PACKAGE.name, "judge" + SUFFIX),
        Path(LIBRARY + SUFFIX),
    ]
    copied: list[Path] = []

    def compile_again(target: Path, *_: object) -> list[Path]:
        (target / PACKAGE.name).mkdir()
        for name in names:
            shutil.move(package.parent / name, target / name)
        return names

    def copy_half(source: Path, target: Path) -> None:
        text = source.read_text()
        target.write_text(text if len(copied) < whole else text[:3])
        if len(copied) == whole:
            raise KeyboardInterrupt
        copied.append(target)

    monkeypatch.setattr(compile_modules, "compile_into", compile_again)
    monkeypatch.setattr(shutil, "copyfile", copy_half)
    with contextlib.suppress(KeyboardInterrupt):
        compile_modules.compile_in_place(package.parent)

    assert (choose_build(package, {}) == COMPILED) == (whole == len(names))


@needs_compiled
def test_compiling_repairs_a_compiled_file_that_is_damaged(tmp_path: Path) -> None:
    for name in (PACKAGE.name, "pyproject.toml", LIBRARY + SUFFIX):
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tmp_path / name, ignore=shutil.ignore_patterns("*.ttf"))
        else:
            shutil.copy(source, tmp_path)
    assert compile_modules.can_be_loaded(tmp_path)

    (tmp_path / (LIBRARY + SUFFIX)).write_bytes(b"damaged")

    assert not compile_modules.can_be_loaded(tmp_path)


def test_the_finder_of_sources_prefers_them_to_compiled_files(package: Path) -> None:
    spec = SourceFinder.find_spec("alexmagnum.judge", [str(package)])

    assert spec is not None
    assert spec.origin == str(package / "judge.py")
    assert SourceFinder.find_spec("alexmagnum.nothing", [str(package)]) is None
    assert SourceFinder.find_spec("judge", [str(package)]) is None
    assert SourceFinder.find_spec("alexmagnum", None) is None


def test_the_build_that_is_named_is_the_build_that_runs() -> None:
    printed = run_command("--version").out
    endings = set()
    for path in list_modules():
        name = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
        endings.add(Path(str(importlib.import_module(name).__file__)).suffix)
    is_compiled = alexmagnum.__build__ == COMPILED

    assert printed == f"alexmagnum {alexmagnum.__version__} ({alexmagnum.__build__})\n"
    assert endings == ({Path(SUFFIX).suffix} if is_compiled else {".py"})
    assert is_compiled or alexmagnum.__build__.startswith(INTERPRETED)
    assert is_compiled or not os.environ.get("ALEXMAGNUM_REQUIRE_COMPILED")


def test_the_list_of_modules_to_compile_names_existing_files() -> None:
    listed = {path.as_posix() for path in list_modules()}

    assert {"alexmagnum/position.py", "alexmagnum/judge/movement.py"} <= listed
    assert all((ROOT / path).is_file() for path in listed)
    assert Path("alexmagnum/board/model.py") in list_imported(list_modules())


def test_a_python_that_is_missing_is_no_error() -> None:
    assert find_python("3.99") == (None, "not found")
    assert find_python("{}.{}".format(*sys.version_info))[1] in (
        "",
        f"{sys.executable}: its headers are missing",
    )


def _run_python(arguments: list[str], folder: Path, pure: str = "0") -> str:
    """Return what a process prints that finds the package in a folder."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, PURE: pure, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return done.stdout


@needs_compiled
@pytest.mark.parametrize("pure", ["0", "1"])
def test_worker_processes_run_the_build_of_the_process_that_starts_them(
    pure: str, tmp_path: Path
) -> None:
    code = (
        "import alexmagnum.position, multiprocessing\n"
        "def build(_): import alexmagnum.position as p; return p.__file__.endswith('.py')\n"
        "if __name__ == '__main__':\n"
        "    for way in multiprocessing.get_all_start_methods():\n"
        "        with multiprocessing.get_context(way).Pool(1) as pool:\n"
        "            print(pool.map(build, [0]))"
    )
    script = tmp_path / "workers.py"
    script.write_text(code)

    printed = _run_python([str(script)], PACKAGE.parent, pure)
    assert set(printed.split()) == {f"[{pure == '1'}]"}


@needs_compiled
def test_a_changed_source_takes_effect_without_compiling_again(tmp_path: Path) -> None:
    copied = tmp_path / "alexmagnum"
    shutil.copytree(PACKAGE, copied, ignore=shutil.ignore_patterns("__pycache__", "*.ttf"))
    shutil.copy(PACKAGE.parent / (LIBRARY + SUFFIX), tmp_path)
    changed = copied / "orders.py"
    changed.write_text(changed.read_text("utf-8") + "\nprint('the changed source')\n", "utf-8")
    code = "import alexmagnum, alexmagnum.orders; print(alexmagnum.__build__)"

    assert _run_python(["-c", code], tmp_path).splitlines() == [
        "the changed source",
        "interpreted: orders.py has changed since it was compiled",
    ]


def _start_digest(pure: str, phases: int) -> subprocess.Popen[str]:
    """Start the digest in a process of its own, with one build."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.builds.digest", "--phases", str(phases)],
        cwd=ROOT,
        env={**os.environ, PURE: pure},
        stdout=subprocess.PIPE,
        text=True,
    )


@needs_compiled
@sampled
def test_both_builds_give_the_same_results_and_reasons() -> None:
    """A block that differs is shown whole by ``python -m tests.builds.digest --show BLOCK``."""
    both = [_start_digest(pure, sized(300, 4000)) for pure in ("0", "1")]
    (compiled, *blocks), (interpreted, *same_blocks) = (
        run.communicate(timeout=1200)[0].splitlines() for run in both
    )

    assert [run.returncode for run in both] == [0, 0]
    assert (compiled, interpreted) == (COMPILED, "interpreted: ALEXMAGNUM_PURE is set")
    assert len(blocks) > sized(10, 200)
    assert blocks == same_blocks
