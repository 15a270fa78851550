"""``alexmagnum engine`` as a program: lines in, lines out, and a quiet end."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from tests.commands import ROOT, run_command

POSITION = '{"op": "position", "map": "standard", "id": 1}'
ORDERS = '{"op": "adjudicate", "orders": {"Austria": ["A VIE - TYR"]}, "id": 2}'


def test_help_has_an_example_that_runs() -> None:
    text = run_command("engine", "--help").out

    assert "Example:" in text
    assert """echo '{"op": "position", "map": "standard"}'""" in text
    assert json.loads(run_command("engine", stdin='{"op": "position", "map": "standard"}').out)[
        "ok"
    ]


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
