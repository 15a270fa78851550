"""Every phase of the calendar from the command line: picks, deployment, winter, the end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commands import output_of

PICKS = """
map: alexmagnum
phase: picks
period: 2
centers: {CAN: [LAH], LIS: [TRA]}
orders:
  TOL: [Alessandria]
  SEL: [Scelgo Babilonia]
  CAS: [Pick BAB]
  CAN: [Pick ATE]
"""

DEPLOYMENT = """
map: alexmagnum
phase: deployment
centers: {CAN: [LAH], TOL: [ALE, CEL]}
orders:
  TOL: [A Alessandria, Build F CEL]
  CAN: [G LAH]
"""

LAST_AUTUMN = """
map: alexmagnum
phase: autumn_moves
year: 301
nobility: {SEL: 1, LIS: 9}
centers: {TOL: [MEN], SEL: [TEB], LIS: [TRA]}
units: {SEL: [G NUB], TOL: [G TEB, A TRO]}
orders: {TOL: [A TRO S G TEB - NUB, G TEB - NUB]}
"""


def _turn(folder: Path, text: str, **rules: object) -> str:
    path = folder / "turn.yaml"
    path.write_text(text + f"rules: {json.dumps(rules)}\n", encoding="utf-8")
    return str(path)


def test_all_picks_are_reported(tmp_path: Path) -> None:
    """R30: who named what, who got what, what stays free."""
    text = output_of("adjudicate", _turn(tmp_path, PICKS), "--lang", "en")

    assert "Cyprus year 323 BC, period 2 of picks" in text
    assert "Pick ALE                           awarded" in text
    assert "Pick BAB                           nothing: named by Cassander as well" in text
    assert text.count("nothing: named by") == 2
    assert "void: outside the area in which this power picks" in text
    assert "(no order)                         nothing: no pick" in text
    assert "BAB (Babylon): named by several, still to be picked" in text


def test_only_the_awards_are_reported_where_the_map_says_so(tmp_path: Path) -> None:
    """R30: ``publish_picks: own`` keeps contested and void picks out of the report."""
    text = output_of("adjudicate", _turn(tmp_path, PICKS, publish_picks="own"), "--lang", "it")

    assert "Tolomeo: ALE (Alessandria)" in text
    assert "BAB" not in text
    assert "ATE" not in text
    assert "Pick" not in text


def test_picks_in_json(tmp_path: Path) -> None:
    data = json.loads(output_of("adjudicate", _turn(tmp_path, PICKS), "--json"))

    assert data["phase"] == "323-2"
    assert data["awards"] == {"TOL": "ALE"}
    assert data["contested"] == ["BAB"]
    assert data["void"] == ["LIS", "AUT", "CAN"]
    assert data["owners_after"] == {"CAN": ["LAH"], "LIS": ["TRA"], "TOL": ["ALE"]}
    assert [entry["result"] for entry in data["orders"]] == [
        "succeeds",
        "fails",
        "fails",
        "illegal",
    ]


def test_picks_are_checked_one_power_at_a_time(tmp_path: Path) -> None:
    data = json.loads(output_of("check", _turn(tmp_path, PICKS), "--json"))

    assert [(entry["power"], entry["verdict"]) for entry in data["orders"]] == [
        ("TOL", "good"),
        ("SEL", "good"),
        ("CAS", "good"),
        ("CAN", "impossible"),
    ]
    assert data["orders"][3]["reason"] == "pick-outside"


def test_a_deployment_names_the_general(tmp_path: Path) -> None:
    """R31"""
    turn = _turn(tmp_path, DEPLOYMENT)
    text = output_of("adjudicate", turn, "--lang", "en")
    data = json.loads(output_of("adjudicate", turn, "--json"))

    assert "placed, as the general: no other was named" in text
    assert "Build F CEL                        void: a fleet cannot stand there" in text
    assert data["phase"] == "323-6"
    assert data["units_after"] == {"TOL": ["G ALE"], "CAN": ["G LAH"]}
    assert data["eliminated"] == ["SEL", "LIS", "AUT", "CAS"]


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "the last year is over: Ptolemy wins (nobility: 10; centres: 1)"),
        ("it", "l'ultimo anno è finito: Tolomeo vince (nobiltà: 10; centri: 1)"),
    ],
)
def test_the_end_of_the_game_is_told(tmp_path: Path, lang: str, said: str) -> None:
    """R34, and R2, R3: the last point of nobility."""
    text = output_of("adjudicate", _turn(tmp_path, LAST_AUTUMN), "--lang", lang)

    assert said in text
    assert "0 (-1)" in text


def test_the_end_of_the_game_in_json(tmp_path: Path) -> None:
    data = json.loads(output_of("adjudicate", _turn(tmp_path, LAST_AUTUMN), "--json"))
    on = json.loads(output_of("adjudicate", _turn(tmp_path, LAST_AUTUMN, last_year=300), "--json"))
    won = json.loads(
        output_of("adjudicate", _turn(tmp_path, LAST_AUTUMN, victory_centres=1), "--json")
    )

    assert (data["game_over"], data["winners"]) == (True, ["TOL"])
    assert (on["game_over"], on["winners"]) == (False, [])
    assert won["winners"] == ["TOL"]
    assert data["nobility"]["SEL"] == 0
    assert data["eliminated"] == ["AUT", "CAS", "CAN"]
