"""The commands as people call them: real files, exit status and streams."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.commands import ORDERS, ROOT, output_of, run_command


def test_the_sample_turn_is_adjudicated_with_reasons_and_mistakes() -> None:
    text = output_of("adjudicate", "orders/turn.yaml", *ORDERS, "--lang", "en")

    assert "Spring 318 BC" in text
    assert "bounced with A CEL (1 against 1)" in text
    assert "support cut by A DAM" in text
    assert "F CRE (Cassander), dislodged by G ALE: may retreat to" in text
    assert "'Mar Nero' could be several places" in text
    assert "'Allessandria' was read as ALE (Alessandria)" in text


def test_the_language_comes_from_the_option_then_from_the_locale() -> None:
    turn = ("adjudicate", "orders/turn.yaml", "orders/cassandro.txt")

    assert "Primavera 318 a.C." in output_of(*turn, "--lang", "it")
    assert "Primavera 318 a.C." in output_of(*turn, LANG="it_IT.UTF-8")
    assert "Spring 318 BC" in output_of(*turn, LANG="de_DE.UTF-8")
    assert "Spring 318 BC" in output_of(*turn, "--lang", "en", LANG="it_IT.UTF-8")


def test_explain_prints_the_chain_of_causes() -> None:
    text = output_of("adjudicate", "orders/turn.yaml", *ORDERS, "--explain", "--lang", "it")

    chain = text.split("A FRI - SAR")[1]
    assert chain.index("F SAR - EFE: respinta") < chain.index("A CEL - EFE: respinta")


def test_json_has_the_outcome_in_the_words_of_the_case_files() -> None:
    data = json.loads(output_of("adjudicate", "orders/turn.yaml", *ORDERS, "--json"))
    orders = {entry["order"]: entry for entry in data["orders"]}

    assert data["phase"] == "318-spring"
    assert orders["F SAR - EFE"]["result"] == "fails"
    assert orders["F SAR - EFE"]["reason"] == "bounces"
    assert orders["F SAR - EFE"]["strengths"] == {"own": 1, "against": 1, "by": "A CEL"}
    assert {"power": "NEU", "unit": "A SPA"} in data["destroyed"]
    assert [entry["unit"] for entry in data["dislodged"]] == [
        "F CRE",
        "A ASS",
        "F ADR#2",
        "F EGE#3",
    ]
    assert {entry["kind"] for entry in data["refused"]} == {"ambiguous", "impossible"}
    assert "A SPA" in data["units_after"]["CAS"]


def test_orders_come_from_standard_input_too() -> None:
    text = output_of("adjudicate", "orders/turn.yaml", "-", stdin="Cassandro:\nA Epiro - Illiria\n")

    assert "A EPI - ILL" in text


def test_orders_of_nobody_are_refused_with_the_way_out() -> None:
    """Order a unit that does not exist and so has no owner."""
    error = output_of("adjudicate", "orders/turn.yaml", "-", stdin="A Cartagine - Roma\n", status=2)

    assert "name on a line of its own" in error


def test_the_special_rules_show_in_the_sample_turn() -> None:
    """R19, R21 expresses that are stopped, R23 a haul, R24 one that is caught, R12 a full sea."""
    data = json.loads(
        output_of("adjudicate", "orders/turn.yaml", *ORDERS, "--json", "--lang", "en")
    )
    results = {entry["order"]: entry["result"] for entry in data["orders"]}
    text = output_of("adjudicate", "orders/turn.yaml", *ORDERS, "--lang", "en")

    assert results["F FOC - TEB"] == "stopped"
    assert results["F SIS - SUE"] == "succeeds"
    assert results["F FEN#2 - SUE"] == "destroyed"
    assert {"power": "AUT", "unit": "F FEN#2"} in data["destroyed"]
    for ruling in ("R9", "R10", "R11a", "R12", "R19", "R21", "R23", "R24"):
        assert f"{ruling})" in text
    assert "F FEN#2 (Antigonus): caught while it was hauled, destroyed" in text
    assert "F EGE#3 (Antigonus), dislodged by F MAC" in text


def test_check_tells_what_each_order_means_and_what_is_missing() -> None:
    text = output_of("check", "orders/turn.yaml", "orders/tolomeo.txt", "--lang", "it")

    assert "armata (Menfi): muove; destinazione: Alessandria" in text
    assert "l'unità 'A Tebe' non c'è" in text
    assert "1 da rivedere" in text


def test_check_is_strict_when_asked() -> None:
    output_of("check", "orders/turn.yaml", "orders/tolomeo.txt")
    output_of("check", "orders/turn.yaml", "orders/tolomeo.txt", "--strict", status=1)
    output_of("check", "orders/turn.yaml", "orders/candragrupta.txt", "--strict")


def test_check_refuses_misspelt_names_when_exact() -> None:
    text = output_of("check", "orders/turn.yaml", "orders/tolomeo.txt", "--exact", "--lang", "en")

    assert "'Allessandria' is not a place on this map" in text
    assert "ALE (Alessandria)" in text


def test_check_json_names_verdicts() -> None:
    data = json.loads(output_of("check", "orders/turn.yaml", "orders/seleuco.txt", "--json"))
    verdicts = {entry["order"]: entry["verdict"] for entry in data["orders"]}

    assert verdicts["A PER - ECB"] == "impossible"
    assert verdicts["A OPI - BAB"] == "good"


def test_cases_pass_and_are_counted_by_file() -> None:
    text = output_of("cases", "tests/datc", "--lang", "en")

    assert "177 of 177 cases passed" in text
    assert "30 of 30" in text


def test_a_failing_case_is_shown_as_a_difference(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.yaml"
    source = (ROOT / "tests/datc/6a-basic-checks.yaml").read_text(encoding="utf-8")
    wrong.write_text(source.replace("result: fails", "result: succeeds", 1), encoding="utf-8")
    text = output_of("cases", str(wrong), "--lang", "en", status=1)

    assert "England: F" in text or "A APU - VEN" in text
    assert "expected  succeeds" in text
    assert "got       fails" in text
    assert "11 of 12 cases passed" in text


def test_cases_are_chosen_by_word_and_covered_by_clause() -> None:
    text = output_of("cases", "tests/datc", "-k", "6.F.1", "--coverage", "--lang", "en")

    assert "DATC 6.F: 10" in text.replace("DATC 6.F: 11", "DATC 6.F: 10")
    assert "the maps of these cases list no rulings" in text


def test_cases_in_json_for_machines() -> None:
    data = json.loads(
        output_of("cases", "tests/datc/6c-circular-movement.yaml", "--json", "--coverage")
    )

    assert data["passed"] == data["total"] == 9
    assert data["coverage"]["DATC 6.C"] == 9


def test_a_broken_case_file_is_reported_and_the_others_run(tmp_path: Path) -> None:
    (tmp_path / "broken.yaml").write_text("cases: [", encoding="utf-8")
    good = "tests/datc/6c-circular-movement.yaml"
    result = run_command("cases", str(tmp_path / "broken.yaml"), good, "--lang", "en", status=1)

    assert "9 of 9 cases passed" in result.out
    assert "broken.yaml" in result.err


def test_cases_answer_in_json_even_if_nothing_can_be_read(tmp_path: Path) -> None:
    data = json.loads(run_command("cases", "nothing.yaml", "--json", status=2).out)

    assert data["total"] == 0
    assert [(f["file"], f["code"]) for f in data["faults"]] == [("nothing.yaml", "no-file")]


def test_cases_are_read_from_standard_input() -> None:
    text = (ROOT / "tests/datc/6c-circular-movement.yaml").read_text(encoding="utf-8")

    assert "9 of 9 cases passed" in run_command("cases", "-", "--lang", "en", stdin=text).out


def test_cases_are_written_as_a_junit_file(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.yaml"
    source = (ROOT / "tests/datc/6a-basic-checks.yaml").read_text(encoding="utf-8")
    wrong.write_text(source.replace("result: fails", "result: succeeds", 1), encoding="utf-8")
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


def test_coverage_fails_if_a_ruling_has_no_case() -> None:
    text = output_of("cases", "tests/cases/winter.yaml", "--coverage", "--lang", "en", status=1)

    assert "without a case: R1, R2" in text
    assert "every ruling has a case" in output_of(
        "cases", "tests/cases", "--coverage", "--lang", "en"
    )


def test_coverage_fails_if_a_case_names_a_ruling_that_does_not_exist(tmp_path: Path) -> None:
    text = (ROOT / "tests/cases/winter.yaml").read_text(encoding="utf-8")
    (tmp_path / "a.yaml").write_text(text.replace("clause: R32", "clause: R3Z"), encoding="utf-8")
    arguments = ("cases", str(tmp_path), "--coverage")

    assert "R3Z is no ruling of the map. Did you mean R3?" in output_of(
        *arguments, "--lang", "en", status=1
    )
    data = json.loads(output_of(*arguments, "--json", status=1))
    assert {(u["clause"], u["near"]) for u in data["unknown_clauses"]} == {("R3Z", "R3")}


def test_a_word_that_no_case_has_is_said() -> None:
    files = ("cases", "tests/datc/6c-circular-movement.yaml", "-k", "xyzzy", "--lang", "en")
    result = run_command(*files, "--coverage", status=1)

    assert "no case has xyzzy in its id or title" in result.err
    assert "rulings" not in result.out
    assert json.loads(run_command(*files, "--coverage", "--json", status=1).out)["coverage"] == {}


def test_map_show_tells_everything_about_a_province() -> None:
    text = output_of("map", "show", "alexmagnum", "Menfi", "--lang", "it")

    for words in ("MEN", "Memphis", "Nilo", "TEB", "NOC"):
        assert words in text


def test_map_show_lists_the_switches_with_their_rulings() -> None:
    text = output_of("map", "show", "alexmagnum", "--rules")

    assert "sea_capacity" in text
    assert "R8" in text


@pytest.mark.parametrize("name", ["alexmagnum", "standard", "maps/alexmagnum.json"])
def test_the_maps_that_come_along_have_no_faults(name: str) -> None:
    output_of("map", "check", name)


def test_map_check_names_a_fault_and_fails(tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    data = json.loads((ROOT / "maps/standard.json").read_text(encoding="utf-8"))
    data["borders"].append(["ADR", "XYZ", "fleet"])
    path.write_text(json.dumps(data), encoding="utf-8")
    text = output_of("map", "check", str(path), status=1)

    assert "XYZ" in text
    assert "borders" in text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("adjudicate", "nothing.yaml"), "no such file"),
        (("adjudicate", "orders"), "is a folder"),
        (("adjudicate", "README.md"), "README.md"),
        (("cases", "nothing"), "no such file"),
        (("map", "show", "atlantis"), "atlantis"),
        (("map", "show", "alexmagnum", "Atlantide"), "Atlantide"),
        (("adjudicat",), "Did you mean 'adjudicate'?"),
        (("check", "orders/turn.yaml", "nothing.txt"), "no such file"),
    ],
)
def test_wrong_use_is_a_line_on_standard_error(arguments: tuple[str, ...], said: str) -> None:
    error = output_of(*arguments, status=2)

    assert said in error
    assert len(error.strip().splitlines()) <= 4


COMMANDS = (
    ("adjudicate",),
    ("check",),
    ("cases",),
    ("map", "show"),
    ("map", "check"),
    ("map", "draw"),
)


@pytest.mark.parametrize("arguments", [(), *COMMANDS])
def test_every_command_explains_itself_with_an_example(arguments: tuple[str, ...]) -> None:
    text = output_of(*arguments, "--help")

    assert "Usage: alexmagnum" in text
    assert not arguments or "Example:" in text


def _examples() -> list[str]:
    """Return the example lines in the help of every command."""
    lines = []
    for command in COMMANDS:
        text = output_of(*command, "--help")
        lines += [
            line.strip() for line in text.splitlines() if line.strip().startswith("alexmagnum ")
        ]
    return lines


def test_the_examples_in_the_help_run(tmp_path: Path) -> None:
    """Run them in a copy of the folders that they name, because some write pictures."""
    for name in ("orders", "maps", "tests/cases", "tests/datc"):
        shutil.copytree(ROOT / name, tmp_path / name)
    shutil.copy(ROOT / "orders" / "turn.yaml", tmp_path / "turn.yaml")
    examples = _examples()
    assert len(examples) >= 8
    for example in examples:
        words = [word for word in shlex.split(example)[1:] if word != "orders/*.txt"]
        output_of(*words, *(ORDERS if "orders/*.txt" in example else ()), cwd=tmp_path)


def test_no_color_and_pipes_give_plain_text() -> None:
    text = output_of("adjudicate", "orders/turn.yaml", *ORDERS)

    assert "\x1b" not in text


def test_a_terminal_without_our_letters_gets_stand_ins() -> None:
    text = "Cassandro:\nA Epiro → Cartagine\n"
    done = subprocess.run(
        [sys.executable, "-m", "alexmagnum", "adjudicate", "orders/turn.yaml", "-"],
        capture_output=True,
        input=text.encode(),
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"},
        timeout=60,
        check=False,
    )

    assert done.returncode == 0
    assert b"A Epiro ? Cartagine" in done.stdout


def test_standard_input_that_is_no_text_is_refused() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "alexmagnum", "adjudicate", "orders/turn.yaml", "-"],
        capture_output=True,
        input=b"\xff\xfe",
        cwd=ROOT,
        timeout=60,
        check=False,
    )

    assert done.returncode == 2
    assert b"Traceback" not in done.stderr


def test_a_file_named_after_a_power_orders_only_its_units(tmp_path: Path) -> None:
    """Name the file without the accent of Selèuco, and order an army of Tolomeo in it."""
    orders = tmp_path / "seleuco.txt"
    orders.write_text("A MEN - TEB\nA NIS H\n", encoding="utf-8")
    text = output_of("check", "orders/turn.yaml", str(orders), "--lang", "en")

    assert "'A MEN' is another power's unit" in text
    assert "1 good, 1 to look at, 6 units without an order" in text


def test_orders_of_another_phase_are_refused_and_not_lost() -> None:
    text = output_of(
        "check", "orders/turn.yaml", "-", "--lang", "en", stdin="TOL\nBuild A ALE\nWaive\n"
    )

    assert "0 good, 2 to look at" in text
    assert "'Build A ALE' cannot be ordered in this phase" in text


def test_a_second_file_of_a_power_adds_to_the_first(tmp_path: Path) -> None:
    for name, order in (("a", "A MEN - TEB"), ("b", "F EGI H"), ("c", "A MEN - SIW")):
        (tmp_path / f"{name}.txt").write_text(f"TOL\n{order}\n", encoding="utf-8")
    files = [str(tmp_path / f"{name}.txt") for name in "abc"]
    text = output_of("adjudicate", "orders/turn.yaml", *files, "--lang", "en")

    assert "A MEN - SIW" in text
    assert "F EGI#1 H" in text
    assert "A MEN - TEB" not in text


@pytest.mark.parametrize("name", ["turn.yaml", "turn.json"])
def test_a_key_that_stands_twice_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text('{"units": {"Austria": ["A VIE"], "Austria": ["A BUD"]}}', encoding="utf-8")

    assert "Austria" in output_of("adjudicate", str(path), status=2)


def test_a_run_of_no_cases_has_failed() -> None:
    output_of("cases", "tests/datc", "-k", "no such case", status=1)
    output_of("cases", "docs", status=1)


def test_cases_are_matched_by_meaning_too(tmp_path: Path) -> None:
    path = tmp_path / "meaning.yaml"
    path.write_text(
        "{units: {Austria: [A VIE]}, orders: {Austria: [A Vienna to Tyrolia]},"
        " expect: {results: [{order: A VIE - TYR, result: succeeds}]}}",
        encoding="utf-8",
    )

    assert "1 of 1" in output_of("cases", str(path), "--lang", "en")


def test_adjudicate_is_strict_when_asked() -> None:
    output_of("adjudicate", "orders/turn.yaml", *ORDERS, "--strict", status=1)
    output_of("adjudicate", "orders/turn.yaml", "orders/candragrupta.txt", "--strict")


def test_an_impossible_move_is_shown_with_those_that_are_possible() -> None:
    text = output_of("adjudicate", "orders/turn.yaml", *ORDERS, "--lang", "en")
    data = json.loads(output_of("check", "orders/turn.yaml", "orders/seleuco.txt", "--json"))
    (bad,) = [entry for entry in data["orders"] if entry["verdict"] == "impossible"]

    assert "it could go to: SUS, ASP, CRM" in text
    assert bad["suggestions"] == ["A PER - SUS", "A PER - ASP", "A PER - CRM"]
