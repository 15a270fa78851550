"""``options``: lists of legal orders, counts, refusals and Ctrl-C; ``engine`` as a program."""

import json
import os
import re
import shlex
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from alexmagnum.cases.files import read_turn
from alexmagnum.cli import app
from alexmagnum.judge.options import all_legal_orders
from alexmagnum.notation import write_order
from alexmagnum.whatif.perft import Tally
from tests.commands import ROOT, output_of, run_command
from tests.transcripts import play_transcript, read_transcripts

SAMPLE = "orders/turn.yaml"

SEA = """
map: alexmagnum
year: 318
units: {SEL: [F MIN#1], CAN: [F MIN#2]}
orders: {SEL: [F MIN#1 - BAR]}
"""
WINTER = """
map: alexmagnum
phase: winter_adjustments
year: 318
centers: {TOL: [ALE, MEN], SEL: [BAB]}
units: {TOL: [A NOC], SEL: [A BAB, A OPI, F SUS]}
"""
NOTHING = "map: alexmagnum\nphase: winter_adjustments"
RETREATS = """
phase: retreats
year: 1901
units: {France: [A PAR]}
dislodged:
- {power: Germany, unit: A PAR, by: A BRE, retreats: [PIC, GAS]}
"""


@pytest.fixture
def sea(tmp_path: Path) -> str:
    return _write_turn(tmp_path, SEA)


def _write_turn(folder: Path, text: str) -> str:
    path = folder / "turn.yaml"
    path.write_text(text, encoding="utf-8")
    return str(path)


TRANSCRIPTS = read_transcripts(__file__)
TURNS = {"sea": SEA, "winter": WINTER, "retreats": RETREATS, "nothing": NOTHING}


@pytest.mark.parametrize("sentence", TRANSCRIPTS)
def test_of_options(sentence: str, tmp_path: Path) -> None:
    (tmp_path / "orders").symlink_to(ROOT / "orders")
    for name, text in TURNS.items():
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    run = partial(run_command, cwd=tmp_path, environment={"LANG": "en"})
    play_transcript(run, TRANSCRIPTS[sentence])


def _invoke(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["options", *arguments, "--lang", "en"])


# -- lists --------------------------------------------------------------------------------------


def test_a_power_s_orders_are_listed_unit_by_unit() -> None:
    text = output_of("options", SAMPLE, "--power", "tolomeo", "--lang", "en")
    position = read_turn(ROOT / SAMPLE).position
    assert position is not None
    theirs = {u: orders for u, orders in all_legal_orders(position).items() if u.power == "TOL"}

    for unit, orders in theirs.items():
        assert f"{position.name(unit)} (Ptolemy): legal orders: {len(orders)}\n" in text
        for order in orders:
            assert f"\n  {write_order(order)}\n" in text


# -- refusals and interruption ------------------------------------------------------------------


def test_ctrl_c_leaves_what_is_known(sea: str, monkeypatch: pytest.MonkeyPatch) -> None:
    add = Tally.add

    def interrupted(tally: Tally, outcome: Any) -> None:
        if tally.sets == 30:
            raise KeyboardInterrupt
        add(tally, outcome)

    monkeypatch.setattr(Tally, "add", interrupted)
    text = _invoke(sea, "--outcomes")
    data = _invoke(sea, "--outcomes", "--json")

    assert (text.exit_code, data.exit_code) == (1, 1)
    assert "Stopped. Joint order sets counted so far: 30" in text.stdout
    assert json.loads(data.stdout)["counted"] == 30
    assert 0 < json.loads(data.stdout)["outcomes"] <= 30


# -- the document -------------------------------------------------------------------------------

PAGE = (ROOT / "docs" / "options.md").read_text(encoding="utf-8")
SHOWN = re.findall(r"^    \$ alexmagnum (options .*)\n\n((?:    .*\n)+)", PAGE, re.MULTILINE)


@pytest.mark.parametrize(("command", "lines"), SHOWN, ids=[command for command, _ in SHOWN])
def test_what_the_document_shows_is_what_is_printed(
    command: str, lines: str, tmp_path: Path
) -> None:
    (small,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "small.yaml").write_text(small, encoding="utf-8")
    printed = output_of(
        *(str(tmp_path / part if part == "small.yaml" else part) for part in shlex.split(command))
    ).splitlines()
    shown = [line[4:] for line in lines.splitlines() if line.strip() != "..."]
    assert (len(SHOWN), len(shown) >= 3) == (3, True)
    assert [line for line in shown if line not in printed] == []


# ``engine`` as a program: lines in, lines out, and a quiet end.


POSITION = '{"op": "position", "map": "standard", "id": 1}'
ORDERS = '{"op": "adjudicate", "orders": {"Austria": ["A VIE - TYR"]}, "id": 2}'


def test_help_has_an_example_that_runs() -> None:
    request = '{"op": "position", "map": "standard"}'
    text = run_command("engine", "--help").out
    assert "Example:" in text
    assert f"echo '{request}'" in text
    assert json.loads(run_command("engine", stdin=request).out)["ok"]


def test_each_line_is_answered_whatever_its_end() -> None:
    lines = f"\ufeff{POSITION}\r\n\r\n  \n{ORDERS}\r\nnonsense\n" + ORDERS.replace("2", "3")

    answers = [json.loads(line) for line in run_command("engine", stdin=lines).out.splitlines()]

    assert [(a["id"], a["ok"]) for a in answers] == [(1, True), (2, True), (None, False), (3, True)]


def test_a_line_that_is_too_long_is_refused_and_the_next_one_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("alexmagnum.cases.engine.LONGEST", 100)
    monkeypatch.setattr("alexmagnum.cli.options.LONGEST", 100)
    lines = "x" * 5_000 + f"\r\n{POSITION}\n" + "y" * 5_000

    out = run_command("engine", "--lang", "it", stdin=lines, separate=False).out

    answers = [json.loads(line) for line in out.splitlines()]
    assert [answer["ok"] for answer in answers] == [False, True, False]
    assert answers[0]["error"]["code"] == answers[2]["error"]["code"] == "engine-too-long"
    assert "100 byte" in answers[0]["error"]["message"]


def _start() -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "alexmagnum", "engine"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


def test_a_program_can_wait_for_each_answer() -> None:
    with _start() as engine:
        assert engine.stdin
        assert engine.stdout
        assert engine.stderr
        for line in (POSITION, ORDERS):
            engine.stdin.write(line.encode() + b"\n")
            engine.stdin.flush()
            assert json.loads(engine.stdout.readline())["ok"]
        engine.stdin.close()
        assert (engine.wait(20), engine.stderr.read()) == (0, b"")


def test_the_engine_ends_quietly_when_nobody_reads_its_answers() -> None:
    with _start() as engine:
        assert engine.stdin
        assert engine.stdout
        assert engine.stderr
        engine.stdout.close()
        try:
            engine.stdin.write((POSITION + "\n").encode() * 50)
            engine.stdin.close()
        except BrokenPipeError:
            pass
        assert (engine.wait(20), engine.stderr.read()) == (0, b"")
