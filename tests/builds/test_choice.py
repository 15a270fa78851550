"""Which build runs: compiled files of today's sources, with the same results and reasons."""

import contextlib
import copy
import importlib
import os
import pickle
import shutil
import subprocess
import sys
from collections import UserDict, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from threading import Event
from types import MappingProxyType
from typing import Any

import pytest

import alexmagnum
import alexmagnum as am
from alexmagnum import builds
from alexmagnum.board import load_board
from alexmagnum.notation import read_canonical
from alexmagnum.orders import Move
from alexmagnum.position import Phase, Position, Unit
from alexmagnum.units import names_of
from alexmagnum.whatif.flips import Flips
from tests.commands import ROOT, run_command
from tests.sizes import sampled, sized
from tools import compile_modules
from tools.build_wheels import find_python
from tools.compile_modules import format_record, list_imported, list_modules, remove_compiled

PACKAGE = Path(alexmagnum.__file__).parent
SUFFIX = EXTENSION_SUFFIXES[0]

needs_compiled = pytest.mark.skipif(
    alexmagnum.__build__ != builds.COMPILED and not os.environ.get("ALEXMAGNUM_REQUIRE_COMPILED"),
    reason="the judge is not compiled (make compiled)",
)


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Return a folder that looks like a package with one compiled module, which imports another."""
    package = tmp_path / "alexmagnum"
    package.mkdir()
    for name in ("judge.py", "board.py", "judge" + SUFFIX, f"../{builds.LIBRARY}{SUFFIX}"):
        (package / name).write_text(name)
    (package / builds.RECORD).write_text(format_record(package, SUFFIX, ["judge.py"], ["board.py"]))
    return package


@pytest.fixture(autouse=True)
def _keep_finders() -> Iterator[None]:
    """Take away the finder that a test's choice has put in, and that of this run meanwhile."""
    finders = list(sys.meta_path)
    sys.meta_path[:] = [finder for finder in finders if finder is not builds.SourceFinder]
    yield
    sys.meta_path[:] = finders


def test_compiled_files_of_these_sources_are_used(package: Path) -> None:
    """A time stamp alone is no change."""
    (package / "judge.py").touch()
    assert builds.choose_build(package, {}) == builds.COMPILED
    assert (
        builds.choose_build(package, {builds.PURE: "0"})
        == builds.choose_build(package, {builds.PURE: ""})
        == builds.COMPILED
    )
    assert builds.SourceFinder not in sys.meta_path


def test_the_user_can_choose_the_sources(package: Path) -> None:
    assert builds.choose_build(package, {builds.PURE: "1"}) == "interpreted: ALEXMAGNUM_PURE is set"
    assert sys.meta_path[0] is builds.SourceFinder


def _compile_for_another(record: Path) -> None:
    record.write_text(record.read_text().replace(SUFFIX, ".cpython-399-here.so"))


def _change(source: Path) -> None:
    source.write_text("changed")


CHANGED: list[tuple[Callable[[Path], object], str, str]] = [
    (Path.unlink, builds.RECORD, ""),  # it was never compiled
    (_change, "judge.py", ": judge.py has changed since it was compiled"),
    (_change, "board.py", ": board.py has changed since it was compiled"),
    (Path.unlink, "board.py", ": board.py has changed since it was compiled"),
    (Path.unlink, "judge" + SUFFIX, ": judge.py has no compiled file"),
    (Path.unlink, f"../{builds.LIBRARY}{SUFFIX}", f": {builds.LIBRARY} is missing"),
    (_compile_for_another, builds.RECORD, ": compiled for another Python"),
]
"""What is done to which file of a package, and why all its modules are interpreted then."""


@pytest.mark.parametrize(("change", "name", "why"), CHANGED)
def test_all_modules_are_interpreted_if_one_has_changed_or_a_compiled_file_is_missing(
    package: Path, change: Callable[[Path], object], name: str, why: str
) -> None:
    change(package / name)
    assert builds.choose_build(package, {}) == builds.INTERPRETED + why
    assert sys.meta_path[0] is builds.SourceFinder or not why


def test_removing_leaves_the_sources_and_nothing_compiled(package: Path) -> None:
    remove_compiled(package.parent)
    assert sorted(path.name for path in package.iterdir()) == ["board.py", "judge.py"]
    assert list(package.parent.iterdir()) == [package]


@pytest.mark.parametrize("whole", range(4))
def test_nothing_is_used_of_a_compilation_that_was_interrupted(
    package: Path, whole: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [
        Path(PACKAGE.name, builds.RECORD),
        Path(PACKAGE.name, "judge" + SUFFIX),
        Path(builds.LIBRARY + SUFFIX),
    ]
    copied: list[Path] = []

    def compile_again(target: Path, *_: object) -> list[Path]:
        (target / PACKAGE.name).mkdir()
        for name in names:
            (target / name).write_bytes((package.parent / name).read_bytes())
            (package.parent / name).unlink()
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

    assert (builds.choose_build(package, {}) == builds.COMPILED) == (whole == len(names))


@needs_compiled
def test_compiling_repairs_a_compiled_file_that_is_damaged(tmp_path: Path) -> None:
    for name in (PACKAGE.name, "pyproject.toml", builds.LIBRARY + SUFFIX):
        if (source := ROOT / name).is_dir():
            shutil.copytree(source, tmp_path / name, ignore=shutil.ignore_patterns("*.ttf"))
        else:
            shutil.copy(source, tmp_path)
    assert compile_modules.can_be_loaded(tmp_path)

    (tmp_path / (builds.LIBRARY + SUFFIX)).write_bytes(b"damaged")

    assert not compile_modules.can_be_loaded(tmp_path)


def test_the_finder_of_sources_prefers_them_to_compiled_files(package: Path) -> None:
    spec = builds.SourceFinder.find_spec("alexmagnum.judge", [str(package)])
    assert spec is not None
    assert spec.origin == str(package / "judge.py")
    assert builds.SourceFinder.find_spec("alexmagnum.nothing", [str(package)]) is None
    assert builds.SourceFinder.find_spec("judge", [str(package)]) is None
    assert builds.SourceFinder.find_spec("alexmagnum", None) is None


def test_the_build_that_is_named_is_the_build_that_runs() -> None:
    printed = run_command("--version").out
    endings = set()
    for path in list_modules():
        name = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
        endings.add(Path(str(importlib.import_module(name).__file__)).suffix)
    is_compiled = alexmagnum.__build__ == builds.COMPILED
    assert printed == f"alexmagnum {alexmagnum.__version__} ({alexmagnum.__build__})\n"
    assert endings == ({Path(SUFFIX).suffix} if is_compiled else {".py"})
    assert is_compiled or alexmagnum.__build__.startswith(builds.INTERPRETED)
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
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, builds.PURE: pure, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    ).stdout


@needs_compiled
@pytest.mark.parametrize("pure", ["0", "1"])
def test_worker_processes_run_the_build_of_the_process_that_starts_them(
    pure: str, tmp_path: Path
) -> None:
    script = tmp_path / "workers.py"
    script.write_text(
        "import alexmagnum.position, multiprocessing\n"
        "def build(_): import alexmagnum.position as p; return p.__file__.endswith('.py')\n"
        "if __name__ == '__main__':\n"
        "    for way in multiprocessing.get_all_start_methods():\n"
        "        with multiprocessing.get_context(way).Pool(1) as pool:\n"
        "            print(pool.map(build, [0]))"
    )

    assert set(_run_python([str(script)], PACKAGE.parent, pure).split()) == {f"[{pure == '1'}]"}


@needs_compiled
def test_a_changed_source_takes_effect_without_compiling_again(tmp_path: Path) -> None:
    copied = tmp_path / "alexmagnum"
    shutil.copytree(PACKAGE, copied, ignore=shutil.ignore_patterns("__pycache__", "*.ttf"))
    shutil.copy(PACKAGE.parent / (builds.LIBRARY + SUFFIX), tmp_path)
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
        env={**os.environ, builds.PURE: pure},
        stdout=subprocess.PIPE,
        text=True,
    )


@needs_compiled
@sampled
def test_both_builds_give_the_same_results_and_reasons() -> None:
    """A block that differs is shown whole by ``python -m tests.builds.digest --show BLOCK``."""
    both = [_start_digest(pure, sized(150, 2000)) for pure in ("0", "1")]
    (compiled, *blocks), (interpreted, *same_blocks) = (
        run.communicate(timeout=1200)[0].splitlines() for run in both
    )
    assert [run.returncode for run in both] == [0, 0]
    assert (compiled, interpreted) == (builds.COMPILED, "interpreted: ALEXMAGNUM_PURE is set")
    assert len(blocks) > sized(5, 100)
    assert blocks == same_blocks


# What a program may pass to the library, and when values go, does not depend on the build.


BOARD = am.load_board("standard")
SPRING = am.parse_phase("1901-spring")
UNITS = (am.Unit("Austria", "A", "VIE"), am.Unit("Italy", "A", "VEN"), am.Unit("Italy", "F", "ION"))
OWNERS = {"VIE": "Austria", "VEN": "Italy"}
POSITION = am.Position(BOARD, SPRING, UNITS, OWNERS, {"Italy": ("TRI",)})
ORDERS = {"Austria": (am.Move("A VIE", "TYR"),), "Italy": (am.Move("A VEN", "TYR"),)}

LISTED: dict[str, Callable[[Iterable[Any]], Any]] = {
    "list": list,
    "generator": lambda values: (value for value in values),
    "keys": lambda values: dict.fromkeys(values).keys(),
    "deque": deque,
}
MAPPED: dict[str, Callable[[Any], Any]] = {"proxy": MappingProxyType, "user-dict": UserDict}


@pytest.mark.parametrize("kind", LISTED)
def test_the_parts_of_a_position_and_orders_may_be_listed_in_any_way(kind: str) -> None:
    listed = LISTED[kind]
    lost = am.Dislodged(UNITS[0], UNITS[1], ("TYR",))
    retreats = am.parse_phase("1901-spring-retreats")

    position = am.Position(BOARD, SPRING, listed(UNITS), OWNERS, {"Italy": listed(["TRI"])})
    assert position == POSITION
    assert position.homes == {"Italy": ("TRI",)}
    assert am.Position(BOARD, SPRING, UNITS, OWNERS, {"Italy": listed([])}).homes == {}
    assert am.Position(BOARD, retreats, (), dislodged=listed([lost])).dislodged == (lost,)
    assert am.Dislodged(UNITS[0], UNITS[1], listed(["TYR"])) == lost
    assert names_of(listed(UNITS)) == names_of(UNITS)
    orders = {power: listed(own) for power, own in ORDERS.items()}
    assert am.adjudicate(POSITION, orders) == am.adjudicate(POSITION, ORDERS)


@pytest.mark.parametrize("kind", MAPPED)
def test_the_parts_of_a_position_and_orders_may_be_any_mapping(kind: str) -> None:
    mapped = MAPPED[kind]
    position = am.Position(BOARD, SPRING, UNITS, mapped(OWNERS), mapped({"Italy": ("TRI",)}))
    assert position == POSITION
    assert am.adjudicate(position, mapped(ORDERS)) == am.adjudicate(POSITION, ORDERS)
    assert am.check_orders(position, mapped(ORDERS)) == am.check_orders(POSITION, ORDERS)
    lines = mapped({"Austria": ["A VIE - TYR"]})
    assert read_canonical(lines, position) == {"Austria": ORDERS["Austria"]}


def test_a_list_that_yields_other_orders_than_it_holds_is_taken_as_it_yields() -> None:
    class Filtered(list[am.Move]):
        def __iter__(self) -> Iterator[am.Move]:
            return (order for order in super().__iter__() if order.to == "TYR")

    moves = Filtered([am.Move("A VIE", "BOH"), am.Move("A VIE", "TYR")])
    orders = {"Austria": moves, "Italy": ORDERS["Italy"]}

    assert am.adjudicate(POSITION, orders) == am.adjudicate(POSITION, ORDERS)


@pytest.mark.parametrize("kind", ["list", "deque"])
def test_sequences_of_orders_are_taken_by_checks_and_searches(kind: str) -> None:
    orders = {power: LISTED[kind](own) for power, own in ORDERS.items()}
    assert am.check_orders(POSITION, orders) == am.check_orders(POSITION, ORDERS)
    flips, same = (
        [(f.changes, f.result) for f in Flips(POSITION, given, UNITS[0]).search(["Italy"])]
        for given in (orders, ORDERS)
    )
    assert flips == same
    assert flips


@pytest.mark.parametrize(
    "value",
    [*UNITS, SPRING, POSITION, *ORDERS["Italy"], am.Waive(), am.adjudicate(POSITION, ORDERS)],
    ids=lambda value: type(value).__name__,
)
def test_values_can_be_copied_pickled_and_shown(value: object) -> None:
    for same in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        assert same == value
        assert type(same) is type(value)
    assert type(value).__name__ in repr(value)


def test_classes_have_the_docstrings_of_their_sources() -> None:
    for name in ("Unit", "Position", "Move", "Picks", "Outcome"):
        kind = getattr(am, name)
        module = kind.__module__.split(".", 1)[1].replace(".", "/")
        source = (Path(am.__file__).parent / f"{module}.py").read_text(encoding="utf-8")
        assert kind.__doc__.splitlines()[0] in source
        assert len(kind.__doc__) > 10


def test_threads_judge_at_once() -> None:
    with ThreadPoolExecutor(4) as pool:
        outcomes = list(pool.map(lambda _: am.adjudicate(POSITION, ORDERS), range(50)))
    assert all(outcome == outcomes[0] for outcome in outcomes)
    assert outcomes[0].results == am.adjudicate(POSITION, ORDERS).results


def test_threads_that_share_a_position_find_all_its_units() -> None:
    lands = [province.id for province in BOARD.provinces.values() if not province.is_sea]
    units = [am.Unit("Austria", "A", land) for land in lands]
    shared, found = [am.Position(BOARD, SPRING, units)], set[int]()
    is_over = Event()

    def look() -> None:
        while not is_over.is_set():
            found.add(len(shared[0].tables.by_name))

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(2) as pool:
            looks = [pool.submit(look) for _ in range(2)]
            for _ in range(1500):
                shared[0] = am.Position(BOARD, SPRING, units)
                found.add(len(shared[0].tables.by_name))
            is_over.set()
    finally:
        sys.setswitchinterval(interval)

    for done in looks:
        done.result()
    assert found == {len(units)}


def _lie_deep(depth: int) -> object:
    """Return lists within lists, each with values that nothing else holds."""
    board, deep = load_board("standard"), list[object]()
    for number in range(depth):
        unit = Unit(f"power {number}", "A", "VIE")
        position = Position(board, Phase(number, "spring"), (unit,))
        assert position.tables.units == (unit,)
        deep = [deep, unit, position, Move(f"A VIE {number}", "TYR")]
    return deep


def test_values_that_lie_deep_in_containers_are_freed_without_harm() -> None:
    for _ in range(50):
        deep = _lie_deep(300)
        del deep
    made = [Unit(f"power {number}", "A", "VIE") for number in range(10_000)]
    assert [unit.power for unit in made] == [f"power {number}" for number in range(10_000)]
