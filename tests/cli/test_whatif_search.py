"""``whatif --flip`` and ``whatif --against`` as people call them."""

from __future__ import annotations

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

from alexmagnum.cli import app
from alexmagnum.whatif.flips import Flip, Flips
from alexmagnum.whatif.safety import Progress, Survey
from tests.commands import ORDERS, ROOT, output_of
from tests.whatif.mailed import report

TURN = "orders/turn.yaml"
SIEGE = ("--flip", "F MAC - EGE#3", "--lang", "en")
QUICK = ("--cases", "50", "--sample", "100", "--lang", "en")


@pytest.fixture
def mine(tmp_path: Path) -> str:
    path = tmp_path / "mine.txt"
    path.write_text("AUT\nG CIL - CAP\nF COM - DUR\nA ASS H\n", encoding="utf-8")
    return str(path)


def _json(*arguments: str) -> dict[str, Any]:
    data = json.loads(output_of("whatif", *arguments, "--json"))
    assert isinstance(data, dict)
    return data


# -- flips -----------------------------------------------------------------------------------------


def test_each_way_to_flip_an_order_has_its_reasons() -> None:
    text = output_of("whatif", TURN, *ORDERS, *SIEGE)

    assert "F MAC - EGE#3: dislodges F EGE#3 (2 against 1)" in text
    assert "One unit is enough:\n    Lysimachus: F SAR - EGE#1\n" in text
    assert "        F EGE#1 S F MAC - EGE#3: support cut by F SAR\n" in text
    assert "What you would have to change" not in text, "the order does not fail"


def test_only_so_many_ways_are_listed_as_are_asked_for() -> None:
    asked = (TURN, *ORDERS, "--flip", "A ATE", "--lang", "en")
    few = output_of("whatif", *asked, "--most", "2")
    many = output_of("whatif", *asked, "--most", "1000")

    (left,) = re.findall(r"more ways, not listed: (\d+)", few)
    assert "not listed" not in many
    assert len(_json(*asked)["others"]) == int(left) + 2


def test_a_unit_alone_stands_for_its_order_and_its_power_may_be_named() -> None:
    by_order = output_of("whatif", TURN, *ORDERS, "--flip", "A ATE - SPA", "--lang", "en")

    for text in ("A ATE", "Cassandro: A ATE - SPA"):
        assert output_of("whatif", TURN, *ORDERS, "--flip", text, "--lang", "en") == by_order


@pytest.mark.parametrize(
    ("written", "order"),
    [
        ("A Menfi va a Tebe", "A MEN - TEB"),
        ("A MEN sostiene A ISR", "A MEN S A ISR"),
        ("army Memphis moves to Thebes", "A MEN - TEB"),
        ("Menfi", "A MEN H"),
        ("l'armata di Menfi", "A MEN H"),
    ],
)
def test_the_order_is_written_as_in_a_mail(written: str, order: str) -> None:
    """Read the verb, in either language, instead of only the unit."""
    assert _json(TURN, "--flip", written)["order"] == order


@pytest.mark.parametrize("written", ["A MEN atakka TEB", "A MEN S", "A MEN TEB"])
def test_half_an_order_is_no_unit_alone(written: str) -> None:
    output_of("whatif", TURN, "--flip", written, status=2)


@pytest.mark.parametrize("asked", [("--flip", "A MEN"), ("--against", "SEL", *QUICK)])
def test_what_was_not_understood_is_said(asked: tuple[str, ...], tmp_path: Path) -> None:
    """Else a player would be told that an order is safe, and it is one that he never gave."""
    wrong = tmp_path / "tolomeo.txt"
    wrong.write_text("A MEN - Tebbe\nA ISR - XYZ\nG ALE - BAB\n", "utf-8")
    text = output_of("whatif", TURN, str(wrong), *asked, "--lang", "en")

    _, _, said = text.partition("NOT UNDERSTOOD OR NOT POSSIBLE")
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

    assert f"Position from {mail}, line " in output_of("whatif", str(mail), *asked, "--lang", "en")
    assert _json(str(mail), *asked)["found"]["others"] == []


def test_of_a_power_in_revolt_nothing_is_asked_to_be_changed(tmp_path: Path) -> None:
    turn = tmp_path / "turn.yaml"
    turn.write_text(
        "map: alexmagnum\nphase: spring_moves\nyear: 318\nunits: {SEL: [A BAB]}\n"
        "nobility: {SEL: 0}\n",
        encoding="utf-8",
    )
    assert "A BAB: holds" in output_of("whatif", str(turn), "--flip", "A BAB", "--lang", "en")
    assert _json(str(turn), "--flip", "A BAB")["order"] is None


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


def test_an_order_that_was_not_given_is_looked_at_as_if_it_were() -> None:
    text = output_of("whatif", TURN, *ORDERS, "--flip", "A ATR - ASS", "--lang", "en")

    assert "A ATR - ASS: held off by" in text
    assert "not the order given for the unit" in text


def test_that_an_army_goes_by_convoy_need_not_be_said_where_it_cannot_walk() -> None:
    """Ptolemy wrote it with his order; it is the same one without."""
    text = output_of("whatif", TURN, *ORDERS, "--flip", "G ALE - CRE", "--lang", "en")

    assert "not the order given for the unit" not in text


def test_of_a_failed_order_ones_own_changes_are_told_too() -> None:
    data = _json(TURN, *ORDERS, "--flip", "A ATR - ARM", "--lang", "it")

    assert (data["result"], data["others"]) == ("fails", [])
    assert data["own"] == [
        {
            "changes": [{"power": "SEL", "orders": ["A NIS S A ATR - ARM"]}],
            "result": "succeeds",
            "why": "sloggia A ARM (2 a 1)",
            "chain": ["A NIS S A ATR - ARM: appoggio dato"],
        }
    ]


def test_every_flip_that_is_told_is_one(tmp_path: Path) -> None:
    """Add each change to the orders, and ask the command again."""
    found = _json(TURN, *ORDERS, "--flip", "F FEN#2 - SUE")["others"]
    (changes,) = [flip["changes"] for flip in found]
    for order in changes[0]["orders"][:4]:
        changed = tmp_path / "changed.txt"
        changed.write_text(f"Tolomeo\n{order}\n", encoding="utf-8")
        told = _json(TURN, *ORDERS, str(changed))
        (entry,) = [e for e in told["orders"] if str(e["order"]).startswith("F FEN#2")]
        assert entry["result"] == "succeeds"


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("A XYZ - MEN", "XYZ"),
        ("A ARM", "names no unit of a power"),
        ("nonsense", "nonsense"),
    ],
)
def test_what_names_no_unit_of_a_power_is_refused(asked: str, said: str) -> None:
    assert said in output_of("whatif", TURN, "--flip", asked, "--lang", "en", status=2)


# -- safety ----------------------------------------------------------------------------------------


def test_each_order_and_centre_has_its_worst_case(mine: str) -> None:
    text = output_of("whatif", TURN, mine, "--against", "SEL", *QUICK)

    assert "Antigonus against Seleucus" in text
    assert "  G CIL - CAP                        always succeeds\n" in text
    assert "      dislodged if: A OPI - ASS; A NIS S A OPI - ASS\n" in text
    assert re.search(r"ASS \(Assyria\) +entered by others .* %, kept .* % \*", text)


def test_the_verdict_comes_first_and_the_worst_before_the_rest(mine: str) -> None:
    text = output_of("whatif", TURN, mine, "--against", "SEL", *QUICK)
    lines = text.splitlines()

    assert lines[3] == "IN SHORT"
    assert lines[4] == "  Safe centres: EFE, ROD, CEL, CIL, SIR"
    assert re.search(
        r"\n  ASS is entered by others in [\d.]+ % of answers \(\d+ of \d+ drawn\), worst:\n", text
    )
    worst = next(i for i, line in enumerate(lines) if line.startswith("  A ASS H  "))
    assert worst < lines.index("  G CIL - CAP                        always succeeds")


@pytest.mark.parametrize("columns", ["40", "80"])
def test_no_line_breaks_within_an_answer_or_an_order(
    columns: str, mine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    text = output_of("whatif", TURN, mine, "--against", "SEL", *QUICK)
    found = text[: text.index("Units that choose")]

    assert all(len(line) <= int(columns) for line in found.splitlines())
    assert not re.search(r"; *$|; *[AFG]$|\(\d+ \w*$", found, re.MULTILINE)
    assert not re.search(r"( [SC-]|\b[AFG])$", found, re.MULTILINE)
    assert not re.search(r"^ +(%|\*|- )", found, re.MULTILINE)


def test_the_verdict_is_data_for_programs(mine: str) -> None:
    verdict = _json(TURN, mine, "--against", "SEL", "--cases", "20", "--sample", "600")["verdict"]

    assert verdict["centres"]["safe"] == ["EFE", "ROD", "CEL", "CIL", "SIR"]
    (risk,) = verdict["centres"]["at_risk"]
    assert risk["name"] == "ASS"
    assert risk["of"] == 600
    assert risk["exact"] is False
    assert risk["worst"] == ["A OPI - ASS", "A NIS S A OPI - ASS"]
    assert verdict["units"]["at_risk"][0]["name"] == "A ASS"
    assert verdict["units"]["lost"] == []
    assert "G CIL" in verdict["units"]["safe"]


def test_explain_gives_an_example_of_every_result(mine: str) -> None:
    text = output_of("whatif", TURN, mine, "--against", "SEL", "--explain", *QUICK)

    assert "succeeds even if all others hold" in text


def test_all_are_all_others_in_either_language(mine: str) -> None:
    everybody = ["SEL", "TOL", "LIS", "CAS", "CAN"]
    for name in ("all", "tutti"):
        data = _json(TURN, mine, "--against", name, "--cases", "1", "--sample", "10")
        assert sorted(data["against"]) == sorted(everybody)


def test_several_powers_can_be_named_at_once(mine: str) -> None:
    for names in ("SEL,Lisimaco", "SEL, LIS,"):
        data = _json(TURN, mine, "--against", names, "--cases", "1", "--sample", "10")
        assert data["against"] == ["SEL", "LIS"]


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
        worst = entry["answers"][-1]
        if not worst["lost"]:
            continue
        plan = tmp_path / "theirs.txt"
        plan.write_text("Seleuco\n" + "\n".join(worst["example"]) + "\n", encoding="utf-8")
        told = _json(TURN, mine, str(plan))
        assert entry["unit"] in [lost["unit"] for lost in told["dislodged"]]
        tried += 1

    assert tried


def test_who_asks_has_to_be_clear(mine: str) -> None:
    assert "--for" in output_of(
        "whatif", TURN, *ORDERS, "--against", "all", "--lang", "en", status=2
    )
    against_self = ("--against", "AUT", "--lang", "en")
    assert "against itself" in output_of("whatif", TURN, mine, *against_self, status=2)
    two = ("--against", "all", "--for", "AUT", "--for", "TOL", "--lang", "en")
    assert "one --for" in output_of("whatif", TURN, mine, *two, status=2)


def test_one_question_at_a_time(mine: str) -> None:
    both = ("--flip", "A ASS", "--against", "all")
    assert "questions of their own" in output_of("whatif", TURN, mine, *both, status=2)


def test_both_are_about_movement_phases(tmp_path: Path) -> None:
    turn = tmp_path / "winter.yaml"
    turn.write_text(
        "map: standard\nphase: winter_adjustments\nunits: {Austria: [A VIE]}\n", encoding="utf-8"
    )
    for asked in (("--flip", "A VIE"), ("--against", "all", "--for", "Austria")):
        said = output_of("whatif", str(turn), *asked, "--lang", "en", status=2)
        assert "movement phase" in said


def test_an_interrupted_search_tells_what_is_known(
    mine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    whole = Survey.run

    def interrupted(self: Survey, **options: Any) -> Iterator[Progress]:
        for number, progress in enumerate(whole(self, **options)):
            if number == 4:
                raise KeyboardInterrupt
            yield progress

    monkeypatch.setattr(Survey, "run", interrupted)
    done = CliRunner().invoke(app, ["whatif", TURN, mine, "--against", "SEL", *QUICK])

    assert done.exit_code == 1
    assert "always" in done.output
    assert "not examined yet" in done.output
    assert "not worked out to the end" in done.output


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal can be sent to one process")
@pytest.mark.parametrize("jobs", ["1", "2"])
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
