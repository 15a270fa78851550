"""The commands as people call them: real files, exit status and streams."""

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.commands import ORDERS, ROOT, Printed, data_of, output_of, run_command
from tests.transcripts import play_transcript, read_transcripts

SAMPLE = ("adjudicate", "orders/turn.yaml", *ORDERS)
CIRCLES = "tests/datc/6c-circular-movement.yaml"

TRANSCRIPTS = read_transcripts(__file__)


@pytest.mark.parametrize("sentence", TRANSCRIPTS)
def test_of_commands(sentence: str) -> None:
    def run(*words: str, status: int, stdin: str) -> Printed:
        spelt = (part for word in words for part in (SAMPLE[1:] if word == "SAMPLE" else [word]))
        printed = run_command(*spelt, status=status, stdin=stdin, environment={"LANG": "en"})
        assert "\x1b" not in printed.out, "a pipe gets plain text"
        return printed

    play_transcript(run, TRANSCRIPTS[sentence])


def test_cases_are_read_from_standard_input() -> None:
    text = (ROOT / CIRCLES).read_text(encoding="utf-8")
    assert "9 of 9 cases passed" in output_of("cases", "-", stdin=text, LANG="en")


def test_the_language_comes_from_the_option_then_from_the_locale() -> None:
    turn = ("adjudicate", "orders/turn.yaml", "orders/cassandro.txt")
    assert "Primavera 318 a.C." in output_of(*turn, "--lang", "it")
    assert "Primavera 318 a.C." in output_of(*turn, LANG="it_IT.UTF-8")
    assert "Spring 318 BC" in output_of(*turn, LANG="de_DE.UTF-8")
    assert "Spring 318 BC" in output_of(*turn, "--lang", "en", LANG="it_IT.UTF-8")


def test_json_has_the_outcome_in_the_words_of_the_case_files() -> None:
    """Also of R19, R19a expresses that are stopped, R23 a haul, R24 one caught, R12 a full sea."""
    data = data_of(*SAMPLE)
    orders = {entry["order"]: entry for entry in data["orders"]}
    results = {order: entry["result"] for order, entry in orders.items()}
    text = output_of(*SAMPLE, "--lang", "en")

    assert data["phase"] == "318-spring"
    assert results["F SAR - EFE"] == "fails"
    assert orders["F SAR - EFE"]["reason"] == "bounces"
    assert orders["F SAR - EFE"]["strengths"] == {"own": 1, "against": 1, "by": "A CEL"}
    assert {"power": "NEU", "unit": "A SPA"} in data["destroyed"]
    assert [entry["unit"] for entry in data["dislodged"]] == ["F CRE", "F ADR#2", "F EGE#3"]
    assert {entry["kind"] for entry in data["refused"]} == {"ambiguous", "impossible"}
    assert "A SPA" in data["units_after"]["CAS"]
    assert results["F FOC - TEB"] == "stopped"
    assert results["F SIS - SUE"] == "succeeds"
    assert results["F FEN#2 - SUE"] == "destroyed"
    assert {"power": "AUT", "unit": "F FEN#2"} in data["destroyed"]
    for ruling in ("R9", "R10", "R11a", "R12", "R19", "R19a", "R23", "R24"):
        assert f"{ruling})" in text
    assert "F FEN#2 (Antigonus): caught while it was hauled, destroyed" in text
    assert "F EGE#3 (Antigonus), dislodged by F MAC" in text


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """Write a case file in which one case expects something else."""
    path = tmp_path / "wrong.yaml"
    source = (ROOT / "tests/datc/6a-basic-checks.yaml").read_text(encoding="utf-8")
    path.write_text(source.replace("result: fails", "result: succeeds", 1), encoding="utf-8")
    return path


def test_a_failing_case_is_shown_as_a_difference(wrong: Path) -> None:
    text = output_of("cases", str(wrong), "--lang", "en", status=1)
    assert "England: F" in text or "A APU - VEN" in text
    assert "expected  succeeds" in text
    assert "got       fails" in text
    assert "11 of 12 cases passed" in text


def test_a_broken_case_file_is_reported_and_the_others_run(tmp_path: Path) -> None:
    (tmp_path / "broken.yaml").write_text("cases: [", encoding="utf-8")
    result = run_command("cases", str(tmp_path / "broken.yaml"), CIRCLES, "--lang", "en", status=1)
    assert "9 of 9 cases passed" in result.out
    assert "broken.yaml" in result.err


def test_cases_are_written_as_a_junit_file(wrong: Path, tmp_path: Path) -> None:
    (tmp_path / "broken.yaml").write_text("cases: [", encoding="utf-8")
    report = tmp_path / "results.xml"
    output_of("cases", str(tmp_path), "--junit", str(report), status=1)

    suites = ElementTree.parse(report).getroot().findall("testsuite")

    assert [(s.get("tests"), s.get("failures"), s.get("errors")) for s in suites] == [
        ("12", "1", "0"),
        ("1", "0", "1"),
    ]
    assert len(suites[0].findall("testcase")) == 12
    assert "expected succeeds, got fails" in str(suites[0].findall(".//failure")[0].text)


def test_coverage_fails_if_a_case_names_a_ruling_that_does_not_exist(tmp_path: Path) -> None:
    text = (ROOT / "tests/cases/winter.yaml").read_text(encoding="utf-8")
    (tmp_path / "a.yaml").write_text(text.replace("clause: R32", "clause: R3Z"), encoding="utf-8")
    arguments = ("cases", str(tmp_path), "--coverage")
    assert "R3Z is no ruling of the map. Did you mean R3?" in output_of(
        *arguments, "--lang", "en", status=1
    )
    data = data_of(*arguments, status=1)
    assert {(u["clause"], u["near"]) for u in data["unknown_clauses"]} == {("R3Z", "R3")}


def test_map_check_names_a_fault_and_fails(tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    data = json.loads((ROOT / "maps/standard.json").read_text(encoding="utf-8"))
    data["borders"].append(["ADR", "XYZ", "fleet"])
    path.write_text(json.dumps(data), encoding="utf-8")
    text = output_of("map", "check", str(path), status=1)
    assert "XYZ" in text
    assert "borders" in text


def _adjudicate_bytes(data: bytes, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "alexmagnum", "adjudicate", "orders/turn.yaml", "-"],
        capture_output=True,
        input=data,
        cwd=ROOT,
        env={**os.environ, **environment},
        timeout=60,
        check=False,
    )


def test_a_terminal_without_our_letters_gets_stand_ins_and_no_text_is_refused() -> None:
    text = "Cassandro:\nA Epiro → Cartagine\n".encode()
    done = _adjudicate_bytes(text, PYTHONIOENCODING="cp1252", PYTHONUTF8="0")
    assert done.returncode == 0
    assert b"A Epiro ? Cartagine" in done.stdout

    done = _adjudicate_bytes(b"\xff\xfe")
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr


def test_a_file_named_after_a_power_orders_only_its_units(tmp_path: Path) -> None:
    """Name the file without the accent of Selèuco, and order an army of Tolomeo in it."""
    orders = tmp_path / "seleuco.txt"
    orders.write_text("A MEN - TEB\nA NIS H\n", encoding="utf-8")
    text = output_of("check", "orders/turn.yaml", str(orders), "--lang", "en")
    assert "'A MEN' is another power's unit" in text
    assert "1 good, 1 to look at, 6 units without an order" in text


def test_a_second_file_of_a_power_adds_to_the_first(tmp_path: Path) -> None:
    for name, order in (("a", "A MEN - TEB"), ("b", "F EGI H"), ("c", "A MEN - SIW")):
        (tmp_path / f"{name}.txt").write_text(f"TOL\n{order}\n", encoding="utf-8")
    files = [str(tmp_path / f"{name}.txt") for name in "abc"]
    text = output_of("adjudicate", "orders/turn.yaml", *files, "--lang", "en")
    assert "A MEN - SIW" in text
    assert "F EGI#1 H" in text
    assert "A MEN - TEB" not in text


@pytest.mark.parametrize("command", ["adjudicate", "check"])
def test_more_orders_than_anybody_writes_are_refused(tmp_path: Path, command: str) -> None:
    orders = tmp_path / "tolomeo.txt"
    orders.write_text("TOL\n" + "A " * 4_000, encoding="utf-8")
    assert "8000" in output_of(command, "orders/turn.yaml", str(orders), status=2)


@pytest.mark.parametrize("name", ["turn.yaml", "turn.json"])
def test_a_key_that_stands_twice_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text('{"units": {"Austria": ["A VIE"], "Austria": ["A BUD"]}}', encoding="utf-8")
    assert "Austria" in output_of("adjudicate", str(path), status=2)


def test_cases_are_matched_by_meaning_too(tmp_path: Path) -> None:
    path = tmp_path / "meaning.yaml"
    path.write_text(
        "{units: {Austria: [A VIE]}, orders: {Austria: [A Vienna to Tyrolia]},"
        " expect: {results: [{order: A VIE - TYR, result: succeeds}]}}",
        encoding="utf-8",
    )
    assert "1 of 1" in output_of("cases", str(path), "--lang", "en")
