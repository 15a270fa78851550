"""Which build runs: compiled files are used only if they are those of today's sources."""

from __future__ import annotations

import contextlib
import importlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
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
    format_record,
)
from tests.commands import ROOT, run_command
from tools import compile_modules
from tools.build_wheels import find_python
from tools.compile_modules import list_imported, list_modules, remove_compiled

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
    assert choose_build(package, {}) == COMPILED
    assert choose_build(package, {PURE: "0"}) == choose_build(package, {PURE: ""}) == COMPILED
    assert SourceFinder not in sys.meta_path


def test_a_package_that_was_never_compiled_is_interpreted(package: Path) -> None:
    (package / RECORD).unlink()

    assert choose_build(package, {}) == INTERPRETED


def test_the_user_can_choose_the_sources(package: Path) -> None:
    assert choose_build(package, {PURE: "1"}) == "interpreted: ALEXMAGNUM_PURE is set"
    assert sys.meta_path[0] is SourceFinder


@pytest.mark.parametrize("name", ["judge.py", "board.py"])
def test_a_source_that_changed_after_the_compilation_is_used_and_named(
    package: Path, name: str
) -> None:
    (package / name).write_text("changed")

    assert choose_build(package, {}) == f"interpreted: {name} has changed since it was compiled"
    assert sys.meta_path[0] is SourceFinder


def test_a_source_that_was_deleted_counts_as_changed(package: Path) -> None:
    (package / "board.py").unlink()

    assert choose_build(package, {}) == "interpreted: board.py has changed since it was compiled"


def test_a_time_stamp_alone_is_no_change(package: Path) -> None:
    (package / "judge.py").touch()

    assert choose_build(package, {}) == COMPILED


def test_all_modules_are_interpreted_if_one_has_no_compiled_file(package: Path) -> None:
    (package / ("judge" + SUFFIX)).unlink()

    assert choose_build(package, {}) == "interpreted: judge.py has no compiled file"


def test_all_modules_are_interpreted_if_the_library_of_compiled_code_is_missing(
    package: Path,
) -> None:
    (package.parent / (LIBRARY + SUFFIX)).unlink()

    assert choose_build(package, {}) == f"interpreted: {LIBRARY} is missing"


def test_files_compiled_for_another_python_are_not_used(package: Path) -> None:
    record = package / RECORD
    record.write_text(record.read_text().replace(SUFFIX, ".cpython-399-here.so"))

    assert choose_build(package, {}) == "interpreted: compiled for another Python"


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


def test_the_version_names_the_build() -> None:
    printed = run_command("--version").out

    assert printed == f"alexmagnum {alexmagnum.__version__} ({alexmagnum.__build__})\n"


def test_the_build_that_is_named_is_the_build_that_runs() -> None:
    endings = set()
    for path in list_modules():
        name = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
        endings.add(Path(str(importlib.import_module(name).__file__)).suffix)

    assert endings == ({Path(SUFFIX).suffix} if alexmagnum.__build__ == COMPILED else {".py"})


def test_the_judge_is_compiled_where_this_run_is_to_prove_that_build() -> None:
    if os.environ.get("ALEXMAGNUM_REQUIRE_COMPILED"):
        assert alexmagnum.__build__ == COMPILED
    assert alexmagnum.__build__.startswith((COMPILED, INTERPRETED))


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

    done = subprocess.run(
        [sys.executable, str(script)],
        env={**os.environ, PURE: pure, "PYTHONPATH": str(PACKAGE.parent)},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )

    assert set(done.stdout.split()) == {f"[{pure == '1'}]"}


@needs_compiled
def test_a_changed_source_takes_effect_without_compiling_again(tmp_path: Path) -> None:
    copied = tmp_path / "alexmagnum"
    shutil.copytree(PACKAGE, copied, ignore=shutil.ignore_patterns("__pycache__", "*.ttf"))
    shutil.copy(PACKAGE.parent / (LIBRARY + SUFFIX), tmp_path)
    changed = copied / "orders.py"
    changed.write_text(changed.read_text("utf-8") + "\nprint('the changed source')\n", "utf-8")
    code = "import alexmagnum, alexmagnum.orders; print(alexmagnum.__build__)"

    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, PURE: "0", "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )

    assert done.stdout.splitlines() == [
        "the changed source",
        "interpreted: orders.py has changed since it was compiled",
    ]
