"""Reasons fit what happened; ``rulings/reasons.yaml`` has what they say case by case."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given

from alexmagnum.board import load_board
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.judge import adjudicate
from alexmagnum.judge.explanation import explain, format_reason
from alexmagnum.judge.results import MovementOutcome
from alexmagnum.notation import read_canonical
from alexmagnum.orders import Build, Disband, Move, Retreat
from alexmagnum.position import Position
from tests.case_library import read_yaml
from tests.judge.reason_facts import list_faults
from tests.scenarios import Scenario, scenarios, thoroughly
from tests.sizes import is_proof, one_in, sized
from tests.units import judge_lines, place_units, read_unit

STANDARD = load_board("standard")


@thoroughly
@given(scenarios())
def test_reasons_agree_with_results_and_figures(scenario: Scenario) -> None:
    """And each can be said: its units and places are there."""
    outcome = adjudicate(scenario.position, scenario.orders)
    assert isinstance(outcome, MovementOutcome)
    assert list(list_faults(outcome)) == []
    for reason in outcome.reasons:
        assert format_reason(reason, scenario.position, load_sentences("it"))
    lost = {d.unit for d in outcome.dislodged} | set(outcome.destroyed)
    for unit in scenario.position.units:
        assert explain(outcome, unit)[0].fate.unit == unit
        told = {fate.reason.code for fate in outcome.fates(unit)}
        assert (unit in lost) == bool(told & {"dislodged", "destroyed", "caught"})


def test_outcomes_are_values() -> None:
    position = place_units("Austria A VIE", "Austria A BUD", board=STANDARD)
    orders = read_canonical({"Austria": ["A VIE H", "A BUD - VIE"]}, position)
    one = adjudicate(position, orders)
    assert one == adjudicate(position, orders)
    with pytest.raises(TypeError):
        one.adjust["Austria"] = 1  # type: ignore[index]
    with pytest.raises(ValueError, match="no such unit in this position: A TRI"):
        one.fates(read_unit("Austria A TRI"))


def test_orders_that_cannot_be_are_results_and_no_errors() -> None:
    winter = Position.from_text("standard 1901-winter Austria::VIE")
    retreats = Position.from_text("standard 1901-spring-retreats Austria:AVIE!Italy.ATRI>BOH")
    for position, order in (
        *((winter, Build(text)) for text in ("VIE", "A VIE#x", "Z VIE", "a VIE")),
        *((retreats, order) for order in (Disband("A VIE#x"), Retreat("A VIE", "BOH#x"))),
        (retreats, Move("A VIE", "BOH")),
        (Position.from_text("standard 1901-spring Austria:AVIE"), Move("A VIE", "A TYR")),
    ):
        outcome = adjudicate(position, {"Austria": [order]})
        assert [entry.result for entry in outcome.results] == ["illegal"]


@pytest.mark.parametrize("name", ["F CRE", "A CRE", "CRE", "G CRE", "F CRE#1"])
def test_no_spelling_of_a_unit_gets_past_its_rules(name: str) -> None:
    """A plain entry is one, whatever letter or number stands before the unit's name (R12)."""
    position = place_units("TOL F CRE", "SEL F EGE#1", "SEL F EGE#2", "SEL F EGE#3")
    outcome = adjudicate(position, {"TOL": [Move(name, "EGE")]})
    assert [(e.result, r.code) for e, r in zip(outcome.results, outcome.reasons, strict=True)] == [
        ("fails", "no-room")
    ]


# A ruling that is changed in one place changes results, reasons, flips and safety together.


ROOT = Path(__file__).parents[2]


class Planted(NamedTuple):
    """Another ruling: the lines of the judge that it replaces, once in their file; ``never``:
    reasons that it makes impossible; ``profile``: where to try it, if it changes too few
    positions."""

    name: str
    file: str
    old: str
    new: str
    never: Sequence[str] = ()
    profile: str = ""


PLANTED = [Planted(**row) for row in read_yaml(Path(__file__).with_name("planted.yaml"))]


def copy_judge(folder: Path) -> None:
    """Make a checkout in ``folder`` whose package is a copy, interpreted, of this one."""
    for entry in ROOT.iterdir():
        if entry.name not in ("alexmagnum", ".git", "__pycache__"):
            (folder / entry.name).symlink_to(entry)
    ignore = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
    shutil.copytree(ROOT / "alexmagnum", folder / "alexmagnum", ignore=ignore)


def check_reasons(
    folder: Path, positions: int, profile: str = "", never: Sequence[str] = ()
) -> str:
    """Return the checksum of results that :mod:`tests.judge.reason_facts` prints in a folder."""
    facts = [sys.executable, "-m", "tests.judge.reason_facts", "--positions", str(positions)]
    if profile:
        facts += ["--profile", profile]
    done = subprocess.run(
        [*facts, "--never", *never],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder), "ALEXMAGNUM_PURE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


@pytest.mark.proof
def test_a_reason_that_does_not_fit_is_noticed(tmp_path: Path) -> None:
    copy_judge(tmp_path)
    source = tmp_path / "alexmagnum" / "judge" / "reasons.py"
    text = source.read_text("utf-8")
    asked = '"bounces" if own == against'
    assert asked in text
    source.write_text(text.replace(asked, '"bounces" if own != against'), encoding="utf-8")

    with pytest.raises(AssertionError, match="equal strengths differ"):
        check_reasons(tmp_path, 60)


def test_what_is_planted_stands_for_lines_of_the_judge() -> None:
    folder = ROOT / "alexmagnum" / "judge"
    assert not [
        planted.name
        for planted in PLANTED
        if (folder / planted.file).read_text("utf-8").count(planted.old) != 1
    ], "these rulings stand elsewhere now: plant their changes there"


@pytest.mark.parametrize("planted", one_in(len(PLANTED), PLANTED), ids=lambda planted: planted.name)
def test_reasons_agree_with_results_under_another_ruling(planted: Planted, tmp_path: Path) -> None:
    positions = sized(50, 250)
    copy_judge(tmp_path)
    before = check_reasons(tmp_path, positions, planted.profile)
    source = tmp_path / "alexmagnum" / "judge" / planted.file
    source.write_text(source.read_text("utf-8").replace(planted.old, planted.new), encoding="utf-8")

    after = check_reasons(tmp_path, positions, planted.profile, planted.never)

    assert not is_proof() or after != before, "nothing changed"


@pytest.mark.parametrize(
    ("lines", "helpers"),
    [
        ("Austria A VIE - TRI; Italy A VEN - TRI", ["A BUD"]),
        ("Austria A VIE - TRI; Italy A VEN - TRI; Italy F ADR S A VEN - TRI", ["A BUD", "A SER"]),
        ("Austria A VIE - TRI; Italy A TRI H; Italy A VEN S A TRI", ["A BUD", "F ALB"]),
        ("Austria A VIE - TRI; Italy A TRI - VIE", ["A BUD"]),
    ],
)
def test_just_the_strength_that_is_said_to_have_been_needed_wins(
    lines: str, helpers: list[str]
) -> None:
    order = "A VIE - TRI"
    for count in range(len(helpers) + 1):
        supports = [f"Turkey {helper} S {order}" for helper in helpers[:count]]
        outcome = judge_lines("; ".join([lines, *supports]), STANDARD)
        vienna = next(unit for unit in outcome.position.units if unit.province == "VIE")
        missing = len(helpers) - count
        assert (outcome.fates(vienna)[0].result == "succeeds") is (not missing)
        assert (f": {missing} more\n" in explain(outcome, vienna).to_text()) is bool(missing)
