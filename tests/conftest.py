"""Options of the suite, and games that are built once a run and copied by the tests.

The suite draws the same examples every time; ``HYPOTHESIS_PROFILE=explore`` draws new ones.
"""

import gc
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from hypothesis import HealthCheck, settings

from tests import plain_pictures
from tests.commands import SEPARATE_PROCESSES
from tests.sample_game import resolve_sample
from tests.sizes import is_left_to_proof, is_proof

# How long examples take to draw depends on what else the machine does.
PATIENT: dict[str, Any] = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("suite", derandomize=True, **PATIENT)
settings.register_profile("explore", max_examples=1000, **PATIENT)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))


ROOM = 4 << 30
"""Bytes of memory that have to be free for the folders of tests; only those of failed ones stay."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--separate-processes",
        action="store_true",
        help="start a process, as people do, for each command with an option that none had before",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Tell modules (and xdist's workers) about the run before they are imported."""
    if config.option.markexpr == "proof":
        os.environ["ALEXMAGNUM_PROOF"] = "1"
    if config.option.separate_processes and SEPARATE_PROCESSES not in os.environ:
        os.environ[SEPARATE_PROCESSES] = noted = tempfile.mkdtemp()  # for the workers too
        config.add_cleanup(lambda: shutil.rmtree(noted))
    _stop_waiting_for_the_disk()
    if not is_proof():
        _keep_folders_in_memory()
    plain_pictures.use_plain_pictures()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave to ``make proof`` what ``make test`` runs a slice of."""
    for item in items:
        if is_left_to_proof(item.nodeid):
            item.add_marker(pytest.mark.proof)


def pytest_collection_finish() -> None:
    """Search for garbage rarely, and not in what was imported: it took a twentieth of the time."""
    gc.freeze()
    gc.set_threshold(50_000)


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Let ``--last-failed`` pass where nothing had failed: what failed is in another run."""
    if session.config.option.lf and exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
        session.exitstatus = pytest.ExitCode.OK


def _stop_waiting_for_the_disk() -> None:
    """Leave it to the system when it writes, which took a third of the time of many tests: only a
    power cut could show the difference.  Programs that tests start wait as for people."""
    from alexmagnum.game import file

    file.SYNCHRONOUS = "OFF"
    os.fsync = lambda fd: None


def _keep_folders_in_memory() -> None:
    """Make the folders of the tests in memory where the system has room for them there: SQLite
    makes a file for every transaction, on a disk a tenth of the time of all tests."""
    if os.access((memory := Path("/dev/shm")), os.W_OK) and shutil.disk_usage(memory).free > ROOM:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(memory))


def _has_real_pictures(item: pytest.Item) -> bool:
    """Tell whether all tests of a file look at pictures."""
    return item.path.parent.name in ("draw", "browser")


def pytest_runtest_setup(item: pytest.Item) -> None:
    if _has_real_pictures(item):
        plain_pictures.want_real_pictures(item.nodeid)


def pytest_runtest_teardown() -> None:
    plain_pictures.want_plain_pictures()


@pytest.fixture
def real_pictures() -> None:
    """Let a test look at pictures; others get plain ones, see :mod:`tests.plain_pictures`."""
    plain_pictures.want_real_pictures("a test asks for them")


@pytest.fixture
def forget_pictures(real_pictures: None) -> Callable[[], None]:
    """Return a function after which every picture is rendered anew, as people get it."""
    forget = plain_pictures.render_real_png.cache_clear
    forget()
    return forget


Build = Callable[[Path], object]


@pytest.fixture(scope="session")
def built_once(
    tmp_path_factory: pytest.TempPathFactory, worker_id: str
) -> Callable[[str, Build], Path]:
    """Return a function that gives the folder of a name, built by whichever worker needs it first.
    All workers of a run share it: a test that writes to it makes a copy."""
    base = tmp_path_factory.getbasetemp()
    shared = (base if worker_id == "master" else base.parent) / "built-once"
    shared.mkdir(exist_ok=True)

    def build(name: str, work: Build) -> Path:
        folder = shared / name
        with FileLock(shared / f"{name}.lock"):
            if not folder.exists():
                unfinished = shared / f"{name}.unfinished"
                shutil.rmtree(unfinished, ignore_errors=True)
                unfinished.mkdir()
                work(unfinished)
                unfinished.rename(folder)
        return folder

    return build


@pytest.fixture
def copied(
    built_once: Callable[[str, Build], Path], tmp_path: Path
) -> Callable[[str, Build], Path]:
    """Return a function that builds the folder of a name once a run, and copies it for the test."""

    def copy(name: str, work: Build) -> Path:
        shutil.copytree(built_once(name, work), tmp_path, dirs_exist_ok=True)
        return tmp_path

    return copy


@pytest.fixture(scope="session")
def sample_game(built_once: Callable[[str, Build], Path]) -> Path:
    """Return the folder of the sample game, resolved to its last phase."""
    return built_once("sample-game", lambda folder: resolve_sample(folder / "game")) / "game"
