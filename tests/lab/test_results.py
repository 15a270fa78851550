"""The folder of results: what may not be mixed in it, and games played again from it."""

import json
import os
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import polars
import pytest
from distributed import Client, LocalCluster
from distributed.security import Security

from alexmagnum.cli import variants
from alexmagnum.cli.whatif import share_work
from alexmagnum.errors import AlexMagnumError
from alexmagnum.lab import run as runs
from alexmagnum.lab.parquet import check_table
from alexmagnum.lab.plan import Plan, identify
from tests.commands import ROOT, Printed, list_loaded, run_command
from tests.lab.plans import SMALL, make_plan, play_all_here, play_here, read_tables
from tests.sizes import one_in


def _open(path: Path, plan: Plan, **identity: Any) -> AbstractContextManager[runs.ResultFolder]:
    """Open a folder of results for a plan, by this process or by one of another identity."""
    own = identify(plan.bots, str(plan.modules))._replace(**identity)
    return runs.open_results(path, plan, own)


def _refuse(path: Path, plan: Plan, **identity: Any) -> AlexMagnumError:
    """Return the error with which a folder refuses a plan."""
    with pytest.raises(AlexMagnumError) as raised, _open(path, plan, **identity):
        pass
    return raised.value


def _refusal(folder: Path, text: str, **identity: Any) -> str:
    error = _refuse(folder / "out", make_plan(text, folder), **identity)
    return error.code + ": " + error.data.get("what", "")


def test_games_of_any_batches_come_to_the_same_tables(tmp_path: Path) -> None:
    plan = make_plan(SMALL, tmp_path)
    play_all_here(plan, tmp_path / "whole")

    with _open(tmp_path / "parts", plan) as results:
        play_here(results, plan, "easy", (4, 2))
        play_here(results, plan, "standard", (3,))
        results.merge()
    with _open(tmp_path / "parts", plan) as results:
        assert results.list_missing() == {"standard": [1, 2, 4], "easy": [1, 3]}
        play_here(results, plan, "standard", (1, 2, 4))
        play_here(results, plan, "easy", (1, 3))
        assert runs.read_table(tmp_path / "parts", "games").height == 8
        results.merge()

    assert read_tables(tmp_path / "parts") == read_tables(tmp_path / "whole")


def test_a_merge_that_was_killed_counts_nothing_twice(tmp_path: Path) -> None:
    """The parts go only when all tables have them, so that some tables may have them already."""
    plan = make_plan(SMALL, tmp_path)
    out = tmp_path / "out"
    with _open(out, plan) as results:
        play_here(results, plan, "standard", (1, 2, 3, 4))
        shutil.copytree(out / "parts", tmp_path / "kept")
        results.merge()
        whole = read_tables(out)
        (out / "games.parquet").unlink()
        shutil.copytree(tmp_path / "kept", out / "parts")
        results.merge()
    assert read_tables(out) == whole


def test_a_folder_with_something_else_in_it_or_in_use_is_refused(tmp_path: Path) -> None:
    plan = make_plan(SMALL, tmp_path)
    (tmp_path / "out").mkdir()
    letter = tmp_path / "out" / "letter.txt"
    letter.write_text("mine", encoding="utf-8")

    error = _refuse(letter / "out", plan)
    assert (error.code, error.data["path"]) == ("no-folder", str(letter / "out"))
    assert _refusal(tmp_path, SMALL) == "lab-folder-used: "
    assert list((tmp_path / "out").iterdir()) == [letter]

    letter.unlink()
    (tmp_path / "out" / "parts").symlink_to(tmp_path)  # what is written would go elsewhere
    (tmp_path / "out" / "run.json").write_text("{}", "utf-8")
    assert _refusal(tmp_path, SMALL) == "lab-folder-used: "
    for path in (tmp_path / "out").iterdir():
        path.unlink()
    (tmp_path / "out").chmod(0o777)  # a link came in later, from another user (a tenth attack)
    assert os.name != "posix" or _refusal(tmp_path, SMALL) == "lab-folder-open: "
    (tmp_path / "out").chmod(0o755)
    with _open(tmp_path / "out", plan):
        assert _refusal(tmp_path, SMALL) == "lab-folder-busy: "


def test_more_games_and_more_series_of_the_same_plan_go_on(tmp_path: Path) -> None:
    play_all_here(make_plan(SMALL.partition("[series.easy]")[0], tmp_path), tmp_path / "out")
    more = make_plan(SMALL.replace("games = 4", "games = 6"), tmp_path)

    with _open(tmp_path / "out", more) as results:
        assert results.list_missing() == {"standard": [5, 6], "easy": [*range(1, 7)]}


def test_another_plan_or_other_code_is_refused_in_the_same_folder(tmp_path: Path) -> None:
    play_all_here(make_plan(SMALL, tmp_path), tmp_path / "out")

    for old, new, refusal in (
        ("seed = 7", "seed = 8", "lab-other-plan: seed"),
        ("years = 2", "years = 3", "lab-other-plan: years"),
        ("games = 4", "games = 3", "lab-other-plan: games"),
        ("dumb", "random", "lab-other-plan: seats"),
        ("s = 5", "s = 6", "lab-other-plan: rules"),
        ("easy", "other", "lab-series-gone: "),
    ):
        assert _refusal(tmp_path, SMALL.replace(old, new)) == refusal
    assert _refusal(tmp_path, SMALL, code="another").startswith("lab-other-code: alexmagnum")


def test_a_map_file_is_kept_with_the_results_and_may_not_change(tmp_path: Path) -> None:
    shutil.copy(Path("maps/standard.json"), tmp_path / "mine.json")
    shutil.copy(Path("maps/standard.geojson"), tmp_path)
    text = SMALL.replace('"standard"\n', '"mine.json"\n', 1)
    play_all_here(make_plan(text, tmp_path), tmp_path / "out")
    run = runs.read_run(tmp_path / "out")
    board = run.plan.series[0].load_board(tmp_path / "out")

    assert board.digest == run.boards["standard"]
    assert Path(board.geometry).is_relative_to(tmp_path / "out")

    mine = tmp_path / "mine.json"
    mine.write_text(mine.read_text("utf-8").replace('"Bohemia"', '"Boemia"'), "utf-8")
    assert _refusal(tmp_path, text) == "lab-other-plan: map"


def test_a_changed_bot_of_the_user_is_refused(tmp_path: Path) -> None:
    plan = make_plan(SMALL.replace('"dumb"', '"own_bots:Sound"'), tmp_path)
    with _open(tmp_path / "out", plan):
        pass

    error = _refuse(tmp_path / "out", plan, bots={"own_bots:Sound": "other"})
    assert error.data["what"] == "own_bots:Sound"


def test_anew_deletes_what_was_played_and_nothing_else(tmp_path: Path) -> None:
    play_all_here(make_plan(SMALL, tmp_path), tmp_path / "out")
    (tmp_path / "out" / "report.html").write_text("mine", encoding="utf-8")
    other = make_plan(SMALL.replace("seed = 7", "seed = 8"), tmp_path)

    own = identify(other.bots, str(tmp_path))
    with runs.open_results(tmp_path / "out", other, own, anew=True) as results:
        assert results.list_missing() == {"standard": [1, 2, 3, 4], "easy": [1, 2, 3, 4]}

    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        *(".lock", "run.json", "report.html")
    }


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of eight small games, in which a bot now and then orders nonsense."""
    folder = tmp_path_factory.mktemp("lab")
    text = SMALL.replace('"dumb"', '{ Italy = "own_bots:Texting", others = "dumb" }')
    play_all_here(make_plan(text, folder), folder / "out")
    return folder / "out"


def _replay(results: Path, series: str, game: str, folder: str, status: int = 0) -> str:
    words = (folder, "--replay", "out", series, game, "--own-bots", ".")
    said = run_command("new", *words, cwd=results.parent, status=status)
    return said.out + said.err


def test_a_game_is_played_again_as_its_rows_say_and_opens_as_a_game(results: Path) -> None:
    said = _replay(results, "easy", "3", "game")
    status = run_command("status", "--game", "game", "--json", cwd=results.parent).data
    seats = runs.read_table(results, "seats").filter(series="easy", game=3)

    assert "game" in said
    years = runs.read_table(results, "years").filter(series="easy", game=3, number=2)
    assert "1902-autumn" in run_command("history", "--game", "game", cwd=results.parent).out
    assert status["game"] == "easy 3"
    assert years.get_column("centres").sum() == seats.get_column("centres").sum()
    assert run_command("verify", "--game", "game", cwd=results.parent).status == 0
    run_command("settings", "pictures", "no", "--game", "game", cwd=results.parent)
    published = run_command("publish", "game", "site", "--gm", cwd=results.parent).out
    assert "site/index.html" in published
    rules = run_command("settings", "rules.victory_centres", "--game", "game", cwd=results.parent)
    assert "5" in rules.out


def test_results_run_no_program_that_the_user_does_not_name(results: Path, tmp_path: Path) -> None:
    """The file of the run may say what it likes, and lie beside the program."""
    words = ("new", "x", "--replay", "out", "easy", "3")
    said = run_command(*words, cwd=results.parent, status=2)
    assert "--own-bots" in said.err
    shutil.copytree(results, tmp_path / "out")
    run = tmp_path / "out" / "run.json"
    run.write_text(run.read_text("utf-8").replace("own_bots:Texting", "os:abort"), "utf-8")
    said = run_command(*words, "--own-bots", str(results.parent), cwd=tmp_path, status=2)
    assert "os:abort" in said.err
    for data in ("{", "[]", '{"format": 1}', '{"format": 1, "series": [{"series": {"x": 1}}]}'):
        run.write_text(data, "utf-8")
        assert "no results" in run_command(*words, cwd=tmp_path, status=2).err


@pytest.mark.parametrize(("table", "column"), [("years", "number"), ("rules", "ruling")])
def test_a_report_on_damaged_results_is_refused_in_a_sentence(
    results: Path, tmp_path: Path, table: str, column: str
) -> None:
    path = shutil.copytree(results, tmp_path / "out") / f"{table}.parquet"
    damage = polars.lit(None, polars.String).alias(column)
    polars.read_parquet(path).with_columns(damage).write_parquet(path)
    said = run_command("lab", "report", "out", "-o", "x.html", cwd=tmp_path, status=1)
    assert "damaged" in said.err


def test_what_is_not_there_is_named(results: Path) -> None:
    assert "Did you mean easy?" in _replay(results, "easi", "1", "x", status=2)
    assert "1 to 4" in _replay(results, "easy", "5", "x", status=2)
    assert not (results.parent / "x").exists()
    elsewhere = ("new", "x", "--replay", str(results.parent), "a", "1")
    assert "there are no results" in run_command(*elsewhere, cwd=results.parent, status=2).err


def test_a_game_that_goes_otherwise_than_its_rows_say_is_refused(results: Path) -> None:
    seats = polars.read_parquet(results / "seats.parquet")
    other = seats.with_columns(centres=polars.col("centres") + 1)
    try:
        other.write_parquet(results / "seats.parquet")
        said = _replay(results, "standard", "1", "x", status=1)
    finally:
        seats.write_parquet(results / "seats.parquet")
    assert "plays it otherwise than the results say" in said
    assert not (results.parent / "x").exists()


# -- tables that somebody else made ----------------------------------------------------------------


def _pack(frame: polars.DataFrame) -> bytes:
    stream = BytesIO()
    frame.write_parquet(stream)
    return stream.getvalue()


def _refuse_table(data: bytes) -> Iterator[str]:
    try:
        check_table(data, "t")
    except AlexMagnumError as error:
        yield error.code


@pytest.mark.parametrize(
    "values", one_in(2, [polars.zeros(10_000_000, polars.Int64, eager=True), ["x" * 140_000_000]])
)
def test_a_table_that_unpacks_to_far_more_than_it_has_is_not_opened(values: Any) -> None:
    assert [*_refuse_table(_pack(polars.DataFrame({"a": values})))] == ["lab-table-large"]


def test_a_damaged_table_is_refused_or_measured() -> None:
    """Also where a header lies about sizes: nothing is unpacked to find out."""
    frame = polars.DataFrame(
        {"series": ["a", "b"] * 500, "game": range(1000), "won": [True] * 1000}
    )
    whole, rng = _pack(frame), Random(7)
    found = set[str]()
    for _ in range(3000):
        data = bytearray(whole)
        for _ in range(rng.randrange(1, 4)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        found |= {*_refuse_table(bytes(data[: rng.choice([len(data), rng.randrange(len(data))])]))}
    assert [*_refuse_table(whole)] == []
    assert "lab-table-damaged" in found <= {"lab-table-damaged", "lab-table-large"}


# Runs on Dask: the same tables on any number of processes, whatever is killed meanwhile.


LONG = SMALL.replace("games = 4", "games = 20")  # they take two processes some seconds

WITH_FAULTS = SMALL.replace('"dumb"', '{ Italy = "own_bots:Raising", others = "dumb" }')


def _write_plan(folder: Path, text: str) -> Plan:
    (folder / "plan.toml").write_text(text, encoding="utf-8")
    return make_plan(text, folder)  # copies the bots


def _write_and_play(folder: Path, text: str) -> Plan:
    """Write a plan, and play its games in this process into the folder ``whole``."""
    plan = _write_plan(folder, text)
    play_all_here(plan, folder / "whole")
    return plan


def _run(folder: Path, *options: str, status: int = 0) -> Printed:
    run = ("lab", "run", "plan.toml", "-o", "out", *options)
    return run_command(*run, cwd=folder, status=status)


@pytest.mark.proof
def test_an_interrupted_run_goes_on_and_comes_to_the_tables_of_one_process(tmp_path: Path) -> None:
    """Some games are there as parts; two workers play the others, with a bot that raises."""
    plan = _write_and_play(tmp_path, WITH_FAULTS)
    with runs.open_results(tmp_path / "out", plan, identify(plan.bots, str(tmp_path))) as results:
        play_here(results, plan, "easy", (1, 3))

    said = _run(tmp_path, "--workers", "2", "--json").data

    assert (said["games"], said["played_now"], said["failed"]) == (8, 6, [])
    assert {(f["series"], f["bot"]) for f in said["forfeits"]} == {
        ("standard", "own_bots:Raising"),
        ("easy", "own_bots:Raising"),
    }
    assert read_tables(tmp_path / "out") == read_tables(tmp_path / "whole")
    assert not list((tmp_path / "out").glob("parts"))

    again = _run(tmp_path, "--workers", "2", "--json").data
    assert (again["games"], again["played_now"]) == (8, 0)


# -- without the extra -----------------------------------------------------------------------------


def test_without_its_libraries_the_command_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _write_plan(tmp_path, SMALL)
    monkeypatch.setattr(variants, "find_spec", lambda name: None)

    for command in (
        ["lab", "run", "plan.toml", "-o", "new"],
        ["new", "new", "--replay", "out", "standard", "1"],
    ):
        assert "pip install 'alexmagnum[lab]'" in run_command(*command, cwd=tmp_path, status=2).err
    assert not (tmp_path / "new").exists()


_OF_THE_LAB = (*variants.LIBRARIES, "alexmagnum.lab")


@pytest.mark.parametrize(
    "command",
    [
        ["--help"],
        ["lab", "--help"],
        ["lab", "run", "--help"],
        ["bot", "orders/turn.yaml", "TOL", "--level", "dumb"],
    ],
)
def test_help_and_the_advice_of_a_bot_load_none_of_the_libraries_of_the_lab(
    command: list[str],
) -> None:
    assert list_loaded(_OF_THE_LAB, command) == []


# -- killed runs, killed workers, clusters ---------------------------------------------------------


_RUN = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler);"
    "from alexmagnum.cli import main; main()"
)
"""Runs the command; a shell without job control lets its children ignore Ctrl-C."""


def _start_run(folder: Path, *options: str) -> subprocess.Popen[str]:
    """Start a run of ``plan.toml`` as a process of its own, in a session of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", _RUN, "lab", "run", "plan.toml", "-o", "out", *options],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def _wait_for_games(folder: Path, count: int) -> None:
    """Wait until a run has stored so many games."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        begun = (folder / "out" / "run.json").exists()
        if begun and runs.read_table(folder / "out", "games").height >= count:
            return
        time.sleep(0.05)
    raise AssertionError("the run plays no games")


def _list_processes(session: int, words: str = "") -> list[int]:
    """Return the processes of a session with words in their arguments: the command, its workers
    and their helpers."""
    listed = subprocess.run(
        ["ps", "-o", "pid=,args=", "-s", str(session)], capture_output=True, text=True, check=False
    )
    lines = [line.split(None, 1) for line in listed.stdout.splitlines()]
    return [int(pid) for pid, arguments in lines if words in arguments]


def test_nobody_else_on_this_machine_gets_into_the_cluster(tmp_path: Path) -> None:
    """Every port of its processes asks for a certificate that only they have."""
    stranger = Security.temporary().get_connection_args("client")["ssl_context"]
    nobody = ssl.create_default_context()
    for context in (stranger, nobody):
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE  # the cluster has to refuse them, not they the cluster
    with runs.open_cluster(1, "") as client:
        for address in (client.scheduler_info()["address"], *client.scheduler_info()["workers"]):
            assert address.startswith("tls://")
            assert _hear(address, client.security.get_connection_args("client")["ssl_context"])
            assert [_hear(address, context) for context in (stranger, nobody)] == [b"", b""]
            assert _hear(address, None)[:1] in (b"", TLS_ALERT)


def test_no_process_takes_modules_from_where_others_may_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another user ran code in a run of the lab by way of /tmp, and of a share (a ninth attack)."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "dask-scratch-space").mkdir()
    (tmp_path / "multiprocessing.py").write_text("open('run', 'w')\n", encoding="utf-8")
    with runs.open_cluster(1, "") as client, share_work(2) as share:
        paths = {*sys.path, *next(iter(client.run(lambda: sys.path).values()))}
        assert share is not None
        assert list(share(abs, [(-1,)])) == [1]
    assert not [path for path in paths if path.startswith(str(tmp_path / "dask-scratch-space"))]
    assert not (tmp_path / "run").exists()
    assert not list((tmp_path / "dask-scratch-space").iterdir())


TLS_ALERT = b"\x15"  # the first byte of a refusal


def _hear(address: str, context: ssl.SSLContext | None) -> bytes:
    """Return what a port says to somebody who connects; b"" if it hangs up."""
    host, _, port = address.partition("://")[2].rpartition(":")
    with socket.create_connection((host, int(port)), timeout=60) as line:
        try:
            with context.wrap_socket(line) if context else line as channel:
                channel.sendall(bytes(64))
                return channel.recv(64)
        except (ssl.SSLError, ConnectionError):
            return b""


@pytest.mark.proof
def test_a_cluster_with_tls_is_used_with_its_credentials(tmp_path: Path) -> None:
    _write_and_play(tmp_path, WITH_FAULTS)
    given = Security.temporary()
    for kind, name in runs.CREDENTIALS.items():
        (tmp_path / name).write_text(getattr(given, kind), encoding="utf-8")
    with LocalCluster(n_workers=1, host="127.0.0.1", security=given, dashboard_address=None) as one:
        address = one.scheduler_address
        assert "dask scheduler" in _run(tmp_path, "--scheduler", address, status=1).err
        said = _run(tmp_path, "--scheduler", address, "--tls", ".", "--json")
    assert said.data["played_now"] == 8


@pytest.mark.proof
@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="no signals can be blocked")
def test_no_process_of_a_run_gets_ctrl_c_but_the_command(tmp_path: Path) -> None:
    """A worker that was just starting when Ctrl-C came showed where it was (a run of the suite)."""
    with runs.open_cluster(2, "") as client:
        first = client.run(_list_blocked_signals)
        client.restart()
        again = client.run(_list_blocked_signals)

    for blocked in (*first.values(), *again.values()):
        assert signal.SIGINT in blocked
    assert signal.SIGINT not in _list_blocked_signals()


def _list_blocked_signals() -> set[int]:
    return set(signal.pthread_sigmask(signal.SIG_BLOCK, []))


@pytest.mark.proof
@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_a_run_that_is_killed_goes_on_where_it_was(tmp_path: Path, sign: signal.Signals) -> None:
    _write_and_play(tmp_path, LONG)
    run = _start_run(tmp_path, "--workers", "2")
    _wait_for_games(tmp_path, 10)

    if sign == signal.SIGINT:  # Ctrl-C goes to all processes of the terminal
        os.killpg(run.pid, sign)
    else:
        run.send_signal(sign)
    said = run.communicate(timeout=60)[1]
    if sign == signal.SIGINT:
        assert run.returncode == 130
        assert said.startswith("Interrupted.")
        assert "Traceback" not in said

    deadline = time.monotonic() + 30
    while _list_processes(run.pid) and time.monotonic() < deadline:
        time.sleep(0.2)
    assert _list_processes(run.pid) == []
    before = runs.read_table(tmp_path / "out", "games").height
    assert before >= 10

    again = _run(tmp_path, "--workers", "2", "--json").data
    assert (again["games"], again["played_now"]) == (40, 40 - before)
    assert read_tables(tmp_path / "out") == read_tables(tmp_path / "whole")


@pytest.mark.proof
def test_the_games_of_a_killed_worker_are_played_again(tmp_path: Path) -> None:
    _write_and_play(tmp_path, LONG)
    run = _start_run(tmp_path, "--workers", "2")
    _wait_for_games(tmp_path, 10)

    (worker, *_) = _list_processes(run.pid, "multiprocessing.spawn")
    os.kill(worker, signal.SIGKILL)

    assert run.wait(timeout=120) == 0
    assert read_tables(tmp_path / "out") == read_tables(tmp_path / "whole")


@pytest.mark.proof
def test_a_game_that_ends_its_worker_costs_that_game_alone(tmp_path: Path) -> None:
    text = (
        SMALL.partition("[series.easy]")[0]
        .replace("games = 4", "games = 6")
        .replace('"dumb"', '{ Italy = "own_bots:Crashing", others = "dumb" }')
    )
    _write_plan(tmp_path, text)

    said = _run(tmp_path, "--workers", "2", "--json", status=1).data

    assert said["games"] == 5
    assert said["failed"] == [
        {"series": "standard", "game": 5, "why": "it ended its worker every time"}
    ]


@contextmanager
def _cluster(folder: Path, *packages: Path) -> Iterator[str]:
    """Start a scheduler, and a worker for each folder that it imports the package from."""
    script = "from distributed.cli.dask_{0} import main; main(prog_name='dask')"
    own = [sys.executable, "-c"]
    scheduler_file = folder / "scheduler.json"
    started = [
        subprocess.Popen(
            [
                *(*own, script.format("scheduler"), "--host", "127.0.0.1", "--port", "0"),
                *("--no-dashboard", "--scheduler-file", str(scheduler_file)),
            ],
            cwd=folder,
            stderr=subprocess.DEVNULL,
        )
    ]
    try:
        deadline = time.monotonic() + 60
        while not scheduler_file.exists() and time.monotonic() < deadline:
            time.sleep(0.1)
        port = json.loads(scheduler_file.read_text("utf-8"))["address"].rpartition(":")[2]
        address = f"tcp://127.0.0.1:{port}"
        started += [
            subprocess.Popen(
                [*own, script.format("worker"), address, "--nthreads", "1", "--no-dashboard"],
                cwd=folder,
                env={**os.environ, "PYTHONPATH": str(package)},
                stderr=subprocess.DEVNULL,
            )
            for package in packages
        ]
        with Client(address, timeout=60) as client:  # a run waits for its first worker 10 s alone
            client.wait_for_workers(len(packages), timeout=60)
        yield address
    finally:
        for process in reversed(started):
            process.terminate()
        for process in started:
            process.wait(timeout=60)


@pytest.mark.proof
def test_two_workers_of_a_cluster_come_to_the_same_tables(tmp_path: Path) -> None:
    """A scheduler and two workers, each a process of its own, over TCP."""
    _write_and_play(tmp_path, WITH_FAULTS)
    with _cluster(tmp_path, ROOT, ROOT) as address:
        said = _run(tmp_path, "--scheduler", address, "--json")
    assert said.data["played_now"] == 8
    assert read_tables(tmp_path / "out") == read_tables(tmp_path / "whole")


@pytest.mark.proof
def test_a_worker_with_other_code_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    _write_plan(tmp_path, SMALL)
    other = tmp_path / "other"
    shutil.copytree(
        ROOT / "alexmagnum", other / "alexmagnum", ignore=shutil.ignore_patterns("__pycache__")
    )
    shutil.copytree(ROOT / "maps", other / "maps")
    with (other / "alexmagnum" / "judge" / "other_phases.py").open("a", encoding="utf-8") as file:
        file.write("# another rule\n")

    with _cluster(tmp_path, other) as address:
        said = _run(tmp_path, "--scheduler", address, status=1)

    assert "install the same version everywhere" in said.err
    assert runs.read_table(tmp_path / "out", "games").is_empty()


@pytest.mark.proof
def test_a_scheduler_that_is_not_there_is_named(tmp_path: Path) -> None:
    _write_plan(tmp_path, SMALL)
    address = "tcp://127.0.0.1:9"

    said = _run(tmp_path, "--scheduler", address, status=1)

    assert address in said.err
    assert "dask scheduler" in said.err


def test_processes_that_do_not_start_are_said_in_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**_: object) -> None:
        raise RuntimeError("Nanny failed to start.") from OSError("no memory")

    _write_plan(tmp_path, SMALL)
    monkeypatch.setattr("alexmagnum.lab.run.LocalCluster", fail)

    said = _run(tmp_path, status=1)

    assert "did not start (no memory)" in said.err
    assert len(said.err.splitlines()) == 1
