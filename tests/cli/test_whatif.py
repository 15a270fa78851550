"""``whatif`` as people call it: a mail and some orders, one plan or two, flips and safety."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from alexmagnum.board import load_board
from alexmagnum.board.map_file import maps_folder
from alexmagnum.campaign import first_position
from alexmagnum.cli import app
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.report.phase_report import format_turn_file
from alexmagnum.whatif.flips import Flip, Flips
from alexmagnum.whatif.safety import PlanSearch, Progress, Survey
from tests.case_library import read_yaml
from tests.commands import ORDERS, ROOT, Printed, data_of, output_of, run_command
from tests.sizes import one_in
from tests.transcripts import play_transcript, read_transcripts
from tests.whatif.mailed import MANGLERS, open_position, report

TURN = "orders/turn.yaml"


@pytest.fixture
def mail(tmp_path: Path) -> Path:
    """Write a report of spring 318 BC that asks for orders, quoted in an answer, as text."""
    path = tmp_path / "mail.txt"
    path.write_text(MANGLERS["quoted, then wrapped"](report("waiting", "text")), encoding="utf-8")
    return path


@pytest.fixture
def plans(tmp_path: Path) -> tuple[Path, Path]:
    careful, bold = tmp_path / "careful.txt", tmp_path / "bold.txt"
    careful.write_text("TOL\nA MEN H\nA ISR H\n", encoding="utf-8")
    bold.write_text("TOL\nA MEN - TEB\nA ISR - DAM\n", encoding="utf-8")
    return careful, bold


def _json(*arguments: str) -> Any:
    return data_of("whatif", *arguments)


def _said(*arguments: str, status: int = 0, stdin: str = "", columns: str = "80") -> str:
    options = () if "--lang" in arguments else ("--lang", "en")
    return output_of("whatif", *arguments, *options, status=status, stdin=stdin, COLUMNS=columns)


TRANSCRIPTS = read_transcripts(__file__)
FILES = read_yaml(Path(__file__).with_name("whatif_files.yaml"))
"""The files of the transcripts, besides the mail and the plans."""


@pytest.mark.usefixtures("mail", "plans")
@pytest.mark.parametrize("sentence", TRANSCRIPTS)
def test_of_whatif(sentence: str, tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    files = {"TURN": [str(ROOT / TURN)], "ORDERS": [str(ROOT / path) for path in ORDERS]}

    def run(*words: str, status: int, stdin: str) -> Printed:
        words = tuple(part for word in words for part in files.get(word, [word]))
        return run_command(
            *words, cwd=tmp_path, status=status, stdin=stdin, environment={"LANG": "en"}
        )

    play_transcript(run, TRANSCRIPTS[sentence])


def test_it_agrees_with_adjudicate() -> None:
    told = _json("orders/turn.yaml", *ORDERS)
    resolved = data_of("adjudicate", "orders/turn.yaml", *ORDERS)
    assert {key: told[key] for key in resolved} == resolved


def test_a_mail_says_which_turn_it_is_and_where_it_was_found(mail: Path) -> None:
    text, line = _said(str(mail)), _line_of_position(mail)
    assert f"Position from {mail}, line {line}" in text
    assert "Spring 318 BC, movement" in text
    assert _json(str(mail))["found"] == {"line": line, "others": []}
    assert "found" not in _json(TURN)

    text = output_of("whatif", "-", stdin=mail.read_text(encoding="utf-8"), LANG="it_IT.UTF-8")
    assert "Primavera 318 a.C." in text


def _line_of_position(mail: Path) -> int:
    lines = mail.read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if "map: alexmagnum" in line)


def test_the_orders_to_paste_may_be_those_of_one_power(mail: Path) -> None:
    text = _said(str(mail), *ORDERS, "--for", "Cassandro", "--lang", "it")
    pasted = text.partition("PRONTI DA INCOLLARE")[2].split("\n\n")
    assert [part.splitlines()[0] for part in pasted if part.strip()] == ["Cassandro"]
    assert "XYZ" in _said(str(mail), "--for", "XYZ", status=2)


@pytest.mark.parametrize("words", [("check",), ("adjudicate",), ("options",), ("map", "draw")])
def test_every_command_that_takes_a_turn_file_takes_a_mail(
    words: tuple[str, ...], mail: Path, tmp_path: Path
) -> None:
    more = {"map": ("alexmagnum", str(mail), "-o", str(tmp_path / "map.svg"))}
    run_command(*words, *more.get(words[0], (str(mail),)))


def test_a_position_is_asked_for_by_its_phase(mail: Path) -> None:
    both = format_turn_file(open_position("sample"), load_sentences("en"))  # type: ignore[arg-type]
    text = mail.read_text(encoding="utf-8") + both
    newest = _said("-", stdin=text)
    assert "Spring 318 BC, retreats" in newest
    assert "ignored (--phase chooses one of them): 318-spring\n" in newest
    assert "Spring 318 BC, movement" in _said("-", "--phase", "318-spring", stdin=text)


def test_a_picture_is_drawn(mail: Path, tmp_path: Path) -> None:
    picture = tmp_path / "turn.svg"
    _said(str(mail), *ORDERS, "--map-out", str(picture))
    assert picture.read_text(encoding="utf-8").startswith("<svg")


def test_compared_plans_are_drawn_side_by_side_with_the_differences_lit(tmp_path: Path) -> None:
    turn = tmp_path / "turn.yaml"
    turn.write_text(
        "map: standard\nphase: spring_moves\nyear: 1901\nunits: {Turkey: [A CON, F ANK]}\n"
        "orders: {Turkey: [F ANK - BLA]}\n",
        encoding="utf-8",
    )
    plans = [tmp_path / f"{name}.txt" for name in ("careful", "bold")]
    for path, order in zip(plans, ("A CON H", "A CON - BUL"), strict=True):
        path.write_text(f"Turkey\n{order}\nF ANK - BLA\n", encoding="utf-8")
    picture = tmp_path / "two.svg"
    _said(str(turn), "--compare", *map(str, plans), "--map-out", str(picture))
    drawn = picture.read_text(encoding="utf-8")

    assert drawn.count("<svg ") == 3
    assert "CAREFUL.TXT" in drawn
    assert "BOLD.TXT" in drawn
    assert drawn.count('class="light"') == 2 + 2  # a unit in each plan, a row of each legend
    assert len(re.findall(r'class="order move dim [^"]*" data-unit="F ANK"', drawn)) == 2
    assert not re.search(r'class="order \w+ dim [^"]*" data-unit="A CON"', drawn)


# -- plans -----------------------------------------------------------------------------------------


def test_two_plans_stand_side_by_side_at_80_columns(mail: Path, plans: tuple[Path, Path]) -> None:
    lines = _said(str(mail), "--compare", *map(str, plans), columns="80").splitlines()
    assert any(line.split() == ["careful.txt", "bold.txt"] for line in lines)
    told = "A ISR H A ISR - DAM"
    assert any(line.split() == ["A", "ISR", *told.split()] for line in lines)
    assert all(len(line) <= 80 for line in lines if "Position from" not in line)


def test_a_plan_takes_the_place_of_all_orders_of_its_power(
    mail: Path, plans: tuple[Path, Path]
) -> None:
    data = _json(str(mail), *ORDERS, "--compare", *map(str, plans))
    careful = data["plans"]["careful.txt"]["orders"]
    ptolemy = [entry["order"] for entry in careful if entry["power"] == "TOL"]
    memphis = next(row for row in data["differences"] if row["unit"] == "A MEN")
    assert ptolemy == ["A MEN H", "A ISR H"]
    assert {entry["power"] for entry in careful} > {"SEL", "CAS"}
    assert memphis["plans"]["bold.txt"]["order"] == "A MEN - TEB"
    assert memphis["plans"]["bold.txt"]["results"] == ["succeeds"]


def test_plans_of_one_name_are_told_apart_by_their_paths(mail: Path, tmp_path: Path) -> None:
    files = []
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        path = tmp_path / folder / "tolomeo.txt"
        path.write_text("A MEN H\n", encoding="utf-8")
        files.append(str(path))
    assert list(_json(str(mail), "--compare", *files)["plans"]) == files


# -- what is no position ---------------------------------------------------------------------------


def test_a_position_on_the_tables_own_map_wants_the_map(tmp_path: Path) -> None:
    """Copied into a file it is a turn file, and no less in want of it."""
    turn = tmp_path / "turn.yaml"
    own = tmp_path / "own.json"
    standard = (maps_folder() / "standard.json").read_text(encoding="utf-8")
    own.write_text(standard.replace('"Vienna"', '"Vindobona"'), encoding="utf-8")
    turn.write_text(
        format_turn_file(first_position(load_board(own)), load_sentences("en")), encoding="utf-8"
    )
    assert "--map" in _said(str(turn), status=2)
    assert "1901" in _said(str(turn), "--map", str(own))


# ``whatif --flip`` and ``whatif --against``.


QUICK = ("--cases", "50", "--sample", "100")


@pytest.fixture
def mine(tmp_path: Path) -> str:
    path = tmp_path / "mine.txt"
    path.write_text(FILES["mine.txt"], encoding="utf-8")
    return str(path)


# -- flips -----------------------------------------------------------------------------------------


@pytest.mark.proof
def test_only_so_many_ways_are_listed_as_are_asked_for() -> None:
    asked = (TURN, *ORDERS, "--flip", "A ATE", "--lang", "en")

    (left,) = re.findall(r"more ways, not listed: (\d+)", _said(*asked, "--most", "2"))
    assert "not listed" not in _said(*asked, "--most", "1000")
    assert len(_json(*asked)["others"]) == int(left) + 2


@pytest.mark.proof
def test_a_unit_alone_stands_for_its_order_and_its_power_may_be_named() -> None:
    by_order = _said(TURN, *ORDERS, "--flip", "A ATE - SPA")

    for text in ("A ATE", "Cassandro: A ATE - SPA"):
        assert _said(TURN, *ORDERS, "--flip", text) == by_order


@pytest.mark.parametrize("asked", [("--flip", "A MEN"), ("--against", "SEL", *QUICK)])
def test_what_was_not_understood_is_said(asked: tuple[str, ...], tmp_path: Path) -> None:
    """Else a player would be told that an order is safe, and it is one that he never gave."""
    wrong = tmp_path / "tolomeo.txt"
    wrong.write_text("A MEN - Tebbe\nA ISR - XYZ\nG ALE - BAB\n", "utf-8")

    _, _, said = _said(TURN, str(wrong), *asked).partition("NOT UNDERSTOOD OR NOT POSSIBLE")
    assert "Ptolemy: A ISR - XYZ\n      'XYZ' is not a place on this map" in said
    assert "Ptolemy: G ALE - BAB\n      void: this unit cannot cross" in said
    assert "READ WITH A GUESS" in said
    data = _json(TURN, str(wrong), *asked)
    assert [entry["line"] for entry in data["refused"]] == ["A ISR - XYZ"]
    assert [entry["order"] for entry in data["illegal"]] == ["G ALE - BAB"]


@pytest.mark.parametrize("asked", [("--flip", "A MEN"), ("--against", "SEL", "--for", "TOL")])
def test_where_the_position_was_found_is_said(asked: tuple[str, ...], tmp_path: Path) -> None:
    mail = tmp_path / "mail.txt"
    mail.write_text(report("waiting", "text"), encoding="utf-8")
    assert f"Position from {mail}, line " in _said(str(mail), *asked)
    assert _json(str(mail), *asked)["found"]["others"] == []


def test_an_interrupted_search_for_flips_does_not_say_that_there_are_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(ROOT)

    def interrupted(self: Flips, *_: Any, **__: Any) -> Iterator[Flip]:
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(Flips, "search", interrupted)
    asked = ["whatif", TURN, *ORDERS, "--flip", "A ATR - ARM", "--lang", "en"]
    done = CliRunner().invoke(app, asked)
    told = CliRunner().invoke(app, [*asked, "--json"])

    assert (done.exit_code, told.exit_code) == (1, 1)
    assert "No change" not in done.output
    assert "stopped before the end" in done.output
    assert json.loads(told.stdout)["finished"] is False


@pytest.mark.proof
def test_every_flip_that_is_told_is_one(tmp_path: Path) -> None:
    """Add each change to the orders, and ask the command again."""
    found = _json(TURN, *ORDERS, "--flip", "F FEN#2 - SUE")["others"]
    assert {flip["result"] for flip in found} == {"succeeds", "fails"}  # no haul, no catch (R24)
    for flip in found:
        changed = tmp_path / "changed.txt"
        lines = [f"{change['power']}\n{change['orders'][0]}\n" for change in flip["changes"]]
        changed.write_text("\n".join(lines), encoding="utf-8")
        told = _json(TURN, *ORDERS, str(changed))
        (entry,) = [e for e in told["orders"] if str(e["order"]).startswith("F FEN#2")]
        assert entry["result"] == flip["result"]


# -- safety ----------------------------------------------------------------------------------------


def test_each_order_and_centre_has_its_worst_case_and_the_verdict_comes_first(mine: str) -> None:
    text = _said(TURN, mine, "--against", "SEL", *QUICK)
    lines = text.splitlines()

    assert "Antigonus against Seleucus" in text
    assert "  G CIL - CAP                        always succeeds\n" in text
    assert "      dislodged if: A OPI - ASS; A NIS S A OPI - ASS\n" in text
    assert re.search(r"ASS \(Assyria\) +entered by others .* %, kept .* % \*", text)
    assert lines[0].startswith("How safe are ")
    assert lines[lines.index("IN SHORT") + 1] == "  Safe centres: EFE, ROD, CEL, CIL, SIR"
    assert re.search(
        r"\n  ASS is entered by others in [\d.]+ % of answers \(\d+ of \d+ drawn\), worst:\n", text
    )
    worst = next(i for i, line in enumerate(lines) if line.startswith("  A ASS H  "))
    assert worst < lines.index("  G CIL - CAP                        always succeeds")
    explained = _said(TURN, mine, "--against", "SEL", "--explain", *QUICK)
    assert "succeeds even if all others hold" in explained


@pytest.mark.parametrize("columns", ["40", "80"])
def test_no_line_breaks_within_an_answer_or_an_order(columns: str, mine: str) -> None:
    text = _said(TURN, mine, "--against", "SEL", *QUICK, columns=columns)
    found = text[text.index("IN SHORT") : text.index("Units that choose")]
    assert all(len(line) <= int(columns) for line in found.splitlines())
    assert not re.search(r"; *$|; *[AFG]$|\(\d+ \w*$", found, re.MULTILINE)
    assert not re.search(r"( [SC-]|\b[AFG])$", found, re.MULTILINE)
    assert not re.search(r"^ +(%|\*|- )", found, re.MULTILINE)


def test_the_verdict_is_data_for_programs(mine: str) -> None:
    verdict = _json(TURN, mine, "--against", "SEL", "--cases", "20", "--sample", "600")["verdict"]
    assert verdict["centres"]["safe"] == ["EFE", "ROD", "CEL", "CIL", "SIR"]
    (risk,) = verdict["centres"]["at_risk"]
    assert (risk["name"], risk["of"]) == ("ASS", 600)
    assert risk["exact"] is False
    assert risk["worst"] == ["A OPI - ASS", "A NIS S A OPI - ASS"]
    assert verdict["units"]["at_risk"][0]["name"] == "A ASS"
    assert verdict["units"]["lost"] == []
    assert "G CIL" in verdict["units"]["safe"]


@pytest.mark.proof
def test_all_are_all_others_in_either_language_and_several_can_be_named(mine: str) -> None:
    everybody = ["CAN", "CAS", "LIS", "SEL", "TOL"]
    for names, powers in (
        ("all", everybody),
        ("tutti", everybody),
        ("SEL,Lisimaco", ["LIS", "SEL"]),
        ("SEL, LIS,", ["LIS", "SEL"]),
    ):
        data = _json(TURN, mine, "--against", names, "--cases", "1", "--sample", "10")
        assert sorted(data["against"]) == powers


@pytest.mark.proof
def test_the_same_seed_draws_the_same_with_any_number_of_workers(mine: str) -> None:
    asked = (TURN, mine, "--against", "SEL", "--cases", "20", "--sample", "600", "--seed")
    one = _json(*asked, "7")
    assert one == _json(*asked, "7", "--jobs", "2")
    assert one != _json(*asked, "8")
    assert one["finished"] is True


def test_the_examples_of_the_worst_bring_it_about(mine: str, tmp_path: Path) -> None:
    data = _json(TURN, mine, "--against", "SEL", "--cases", "200", "--sample", "200")
    tried = 0
    for entry in data["orders"]:
        if not (worst := entry["answers"][-1])["lost"]:
            continue
        plan = tmp_path / "theirs.txt"
        plan.write_text("Seleuco\n" + "\n".join(worst["example"]) + "\n", encoding="utf-8")
        assert entry["unit"] in [lost["unit"] for lost in _json(TURN, mine, str(plan))["dislodged"]]
        tried += 1
    assert tried


def test_an_interrupted_search_tells_what_is_known(
    mine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    whole = Survey.run

    def interrupted(self: Survey, **options: Any) -> Iterator[Progress]:
        for number, progress in enumerate(whole(self, **options)):
            if number == 4 or self.goal:
                raise KeyboardInterrupt
            yield progress

    monkeypatch.setattr(Survey, "run", interrupted)
    done = CliRunner().invoke(app, ["whatif", TURN, mine, "--against", "SEL", *QUICK])

    assert done.exit_code == 1
    assert "always" in done.output
    assert "not examined yet" in done.output
    assert "not worked out to the end" in done.output

    monkeypatch.setattr(PlanSearch, "run", lambda self, **options: interrupted(self.survey))
    done = CliRunner().invoke(app, ["whatif", TURN, mine, "--take", "CAP", "--lang", "en"])
    assert "Not known" in done.output
    assert "G CIL - CAP" in done.output


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal can be sent to one process")
@pytest.mark.parametrize("jobs", one_in(2, ["1", "2"]))
def test_ctrl_c_stops_it_and_its_workers(mine: str, jobs: str) -> None:
    """Asked far too much, and interrupted while it works."""
    asked = ["whatif", TURN, mine, "--against", "all", "--cases", "100000000", "--jobs", jobs]
    command = [sys.executable, "-c", _ALOUD, *asked]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "at work\n"
        os.kill(process.pid, signal.SIGINT)
        out, errors = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "Traceback" not in errors
    assert "G CIL - CAP" in out


_ALOUD = """
import signal, sys, threading
signal.signal(signal.SIGINT, signal.default_int_handler)
from alexmagnum.cli import app
from alexmagnum.whatif.safety import Survey
whole = Survey.run
def aloud(self, **options):
    print("at work", file=sys.stderr, flush=True)
    yield from whole(self, **options)
Survey.run = aloud
if __name__ == "__main__":
    app(prog_name="alexmagnum")
"""
"""The command, which says when it begins its work."""
