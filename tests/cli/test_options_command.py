"""``options``: lists of legal orders, counts, refusals and Ctrl-C; ``engine`` as a program."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from alexmagnum.cases.files import read_turn
from alexmagnum.cli import app
from alexmagnum.judge.options import all_legal_orders
from alexmagnum.notation import order_in, write_order
from alexmagnum.whatif.perft import Tally
from tests.commands import ROOT, data_of, output_of, run_command

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


def _invoke(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["options", *arguments, "--lang", "en"])


def _options_json(*arguments: str) -> Any:
    return data_of("options", *arguments)


# -- lists --------------------------------------------------------------------------------------


@pytest.mark.parametrize("unit", ["A MEN", "men", "Menfi", "armata Memphis"])
def test_a_unit_is_named_as_people_write_it(unit: str) -> None:
    lines = output_of("options", SAMPLE, unit, "--lang", "en").splitlines()

    assert lines[0] == "A MEN (Ptolemy): legal orders: 24"
    assert lines[1] == "  A MEN H"
    assert len(lines) == 25


@pytest.mark.parametrize("unit", ["EGE#2", "F Egeo 2", "F EGE(LIS)"])
def test_one_fleet_among_several_is_listed(unit: str) -> None:
    assert "  F EGE#2 - EGE#3" in output_of("options", SAMPLE, unit).splitlines()


def test_of_several_fleets_that_of_the_power_is_meant() -> None:
    text = output_of("options", SAMPLE, "F EGE", "--power", "Lysimachus", "--lang", "en")
    assert text.startswith("F EGE#2 (Lysimachus)")


def test_a_misspelt_unit_is_read_with_a_notice_on_standard_error() -> None:
    result = _invoke(str(ROOT / SAMPLE), "Memfi")

    assert "'Memfi' was read as MEN (Menfi)" in result.stderr
    assert "A MEN H" in result.stdout


def test_a_garrison_has_nothing_to_order() -> None:
    """R27."""
    text = output_of("options", SAMPLE, "A SPA", "--lang", "en")

    assert text == "A SPA (Independents): nothing to order in this phase\n"


def test_a_power_s_orders_are_listed_unit_by_unit() -> None:
    text = output_of("options", SAMPLE, "--power", "tolomeo", "--lang", "en")
    position = read_turn(ROOT / SAMPLE).position
    assert position is not None
    theirs = {u: orders for u, orders in all_legal_orders(position).items() if u.power == "TOL"}

    for unit, orders in theirs.items():
        assert f"{position.name(unit)} (Ptolemy): legal orders: {len(orders)}\n" in text
        for order in orders:
            assert f"\n  {write_order(order)}\n" in text


def test_a_list_for_machines_tells_whose_each_order_is_and_of_which_kind() -> None:
    data = data_of("options", SAMPLE, "men")

    assert data["phase"] == "318-spring"
    assert data["orders"][0] == {
        "power": "TOL",
        "unit": "A MEN",
        "kind": "hold",
        "order": "A MEN H",
    }
    assert {entry["kind"] for entry in data["orders"]} == {"hold", "move", "support"}


def test_builds_belong_to_no_unit(tmp_path: Path) -> None:
    data = data_of("options", _write_turn(tmp_path, WINTER), "--power", "TOL")

    assert {entry["unit"] for entry in data["orders"]} == {None}
    assert {entry["kind"] for entry in data["orders"]} == {"build", "waive"}


def test_the_orders_of_a_dislodged_unit_are_its_retreats(tmp_path: Path) -> None:
    """Another unit stands where it stood."""
    turn = _write_turn(tmp_path, RETREATS)
    lines = output_of("options", turn, "A PAR", "--lang", "en").splitlines()
    assert lines[1:] == ["  A PAR - PIC", "  A PAR - GAS", "  Disband A PAR"]
    lines = output_of("options", turn, "--power", "Germany", "--lang", "it").splitlines()
    assert lines[-1].strip() == order_in("Disband A PAR", "it")


# -- counts -------------------------------------------------------------------------------------


def test_the_counts_of_a_position_are_a_row_to_each_unit() -> None:
    rows = output_of("options", SAMPLE, "--lang", "en").splitlines()
    (men,) = (row.split() for row in rows if row.startswith("  A MEN"))

    assert men == ["A", "MEN", "1", "4", "19", "-", "24"]
    assert rows[-1] == "Legal orders: 5 152; joint order sets: 2.3 x 10^95"


def test_in_winter_a_row_to_each_power_with_its_order_sets(tmp_path: Path) -> None:
    rows = output_of("options", _write_turn(tmp_path, WINTER), "--lang", "en").splitlines()

    assert [row.split() for row in rows[3:5]] == [
        ["Seleucus", "-", "3", "-", "3", "3"],
        ["Ptolemy", "3", "-", "1", "4", "4"],
    ]


def test_nobody_with_anything_to_do_is_said(tmp_path: Path) -> None:
    text = output_of("options", _write_turn(tmp_path, "map: alexmagnum\nphase: winter_adjustments"))

    assert "Nobody has anything to order in this phase." in text


def test_outcomes_are_counted_whatever_orders_the_file_has(sea: str) -> None:
    data = _options_json(sea, "--outcomes")
    assert (data["sets"], data["counted"], data["outcomes"]) == (100, 100, 14)
    assert data["results"]["succeeds"] > 0
    assert data["choices"][0]["alternatives"] == 10

    text = output_of("options", sea, "--outcomes", "--lang", "it")
    assert "Esiti diversi: 14" in text
    assert "insiemi di ordini di tutti: 100" in text

    alone = _options_json(sea, "--outcomes", "--power", "SEL")
    assert (alone["sets"], alone["outcomes"]) == (10, 4), "the others hold"
    assert "outcomes" not in _options_json(sea)


# -- refusals and interruption ------------------------------------------------------------------


def test_more_sets_than_the_limit_are_not_begun_with_and_the_refusal_says_how_many(
    sea: str,
) -> None:
    assert isinstance(_invoke(sea, "--outcomes", "--limit", "99").exception, ValueError)
    assert output_of("options", sea, "--outcomes", "--limit", "99", status=1) == ""
    assert _options_json(sea, "--outcomes", "--limit", "100")["counted"] == 100

    refused = run_command("options", SAMPLE, "--outcomes", "--lang", "en", status=1).err
    assert "There are 2.3 x 10^95 joint order sets, and the limit is 100 000" in refused
    assert "--limit" in refused
    assert "--power" in refused


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


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("men", "--outcomes"), "UNIT goes with one --power"),
        (("men", "--power", "TOL", "--power", "SEL"), "UNIT goes with one --power"),
        (("A NUB", "--power", "TOL"), "A MEN"),
        (("--power", "Zorg"), "Zorg"),
    ],
)
def test_what_cannot_be_listed_is_refused(arguments: tuple[str, ...], said: str) -> None:
    assert said in output_of("options", SAMPLE, *arguments, status=2)


# -- the document -------------------------------------------------------------------------------

PAGE = (ROOT / "docs" / "options.md").read_text(encoding="utf-8")
SHOWN = re.findall(r"^    \$ alexmagnum (options .*)\n\n((?:    .*\n)+)", PAGE, re.MULTILINE)


@pytest.mark.parametrize(("command", "lines"), SHOWN, ids=[command for command, _ in SHOWN])
def test_what_the_document_shows_is_what_is_printed(
    command: str, lines: str, tmp_path: Path
) -> None:
    (small,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "small.yaml").write_text(small, encoding="utf-8")
    arguments = [
        str(tmp_path / part if part == "small.yaml" else part) for part in shlex.split(command)
    ]
    printed = output_of(*arguments).splitlines()
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

    assert [(answer["id"], answer["ok"]) for answer in answers] == [
        (1, True),
        (2, True),
        (None, False),
        (3, True),
    ]


def test_a_line_that_is_too_long_is_refused_and_the_next_one_answered() -> None:
    lines = "x" * 5_000 + f"\r\n{POSITION}\n" + "y" * 5_000

    out = run_command("engine", "--longest", "100", "--lang", "it", stdin=lines).out

    answers = [json.loads(line) for line in out.splitlines()]
    assert [answer["ok"] for answer in answers] == [False, True, False]
    assert answers[0]["error"]["code"] == answers[2]["error"]["code"] == "engine-too-long"
    assert "100 byte" in answers[0]["error"]["message"]


def _start() -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        [sys.executable, "-m", "alexmagnum", "engine"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env=environment,
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
        assert engine.wait(20) == 0
        assert engine.stderr.read() == b""


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
        assert engine.wait(20) == 0
        assert engine.stderr.read() == b""
