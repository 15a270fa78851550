"""``whatif`` as people call it: a mail and some orders, one plan or two."""

from __future__ import annotations

import json
import re
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
from tests.commands import ORDERS, output_of
from tests.whatif.mailed import MANGLERS, open_position, report


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


def _json(*arguments: str) -> dict[str, object]:
    data = json.loads(output_of("whatif", *arguments, "--json"))
    assert isinstance(data, dict)
    return data


def test_it_agrees_with_adjudicate() -> None:
    told = _json("orders/turn.yaml", *ORDERS)
    resolved = json.loads(output_of("adjudicate", "orders/turn.yaml", *ORDERS, "--json"))

    assert {key: told[key] for key in resolved} == resolved


def test_a_mail_says_which_turn_it_is_and_where_it_was_found(mail: Path) -> None:
    text = output_of("whatif", str(mail), "--lang", "en")

    assert f"Position from {mail}, line " in text
    assert "Spring 318 BC, movement" in text


def test_a_mail_comes_from_standard_input_too(mail: Path) -> None:
    text = output_of("whatif", "-", stdin=mail.read_text(encoding="utf-8"), LANG="it_IT.UTF-8")

    assert "Primavera 318 a.C." in text


def test_reasons_what_is_assumed_and_the_orders_to_paste_are_printed(
    mail: Path, plans: tuple[Path, Path]
) -> None:
    text = output_of("whatif", str(mail), str(plans[1]), "--lang", "en")
    results, _, rest = text.partition("ASSUMED")

    assert "held off by A DAM (1 against 1)" in results
    assert "(no order)" not in results
    assert "Ptolemy: no order, so they hold: G ALE, F EGI#1" in rest
    assert "No orders for Seleucus, Lysimachus" in rest
    assert rest.endswith("Ptolemy\nA MEN - TEB\nA ISR - DAM\n")


def test_explain_prints_the_chain_of_causes(mail: Path) -> None:
    text = output_of("whatif", str(mail), *ORDERS, "--explain", "--lang", "en")

    assert "      A CEL - EFE: bounced with F SAR" in text


def test_the_orders_to_paste_may_be_those_of_one_power(mail: Path) -> None:
    text = output_of("whatif", str(mail), *ORDERS, "--for", "Cassandro", "--lang", "it")
    pasted = text.partition("PRONTI DA INCOLLARE")[2].split("\n\n")

    assert [part.splitlines()[0] for part in pasted if part.strip()] == ["Cassandro"]
    assert "XYZ" in output_of("whatif", str(mail), "--for", "XYZ", status=2)


def test_a_position_is_asked_for_by_its_phase(mail: Path) -> None:
    both = format_turn_file(open_position("sample"), load_sentences("en"))  # type: ignore[arg-type]
    text = mail.read_text(encoding="utf-8") + both
    newest = output_of("whatif", "-", "--lang", "en", stdin=text)

    assert "Spring 318 BC, retreats" in newest
    assert "ignored (--phase chooses one of them): 318-spring\n" in newest
    assert "Spring 318 BC, movement" in output_of(
        "whatif", "-", "--phase", "318-spring", "--lang", "en", stdin=text
    )


def test_json_tells_where_the_position_was_found(mail: Path) -> None:
    text = mail.read_text(encoding="utf-8")
    line = next(i for i, x in enumerate(text.splitlines(), 1) if "map: alexmagnum" in x)

    assert _json(str(mail))["found"] == {"line": line, "others": []}
    assert "found" not in _json("orders/turn.yaml")


def test_a_picture_is_drawn(mail: Path, tmp_path: Path) -> None:
    picture = tmp_path / "turn.svg"
    output_of("whatif", str(mail), *ORDERS, "--map-out", str(picture))

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
    output_of("whatif", str(turn), "--compare", *map(str, plans), "--map-out", str(picture))
    drawn = picture.read_text(encoding="utf-8")

    assert drawn.count("<svg ") == 3
    assert "CAREFUL.TXT" in drawn
    assert "BOLD.TXT" in drawn
    assert drawn.count('class="light"') == 2 + 2  # a unit in each plan, a row of each legend
    assert len(re.findall(r'class="order move dim [^"]*" data-unit="F ANK"', drawn)) == 2
    assert not re.search(r'class="order \w+ dim [^"]*" data-unit="A CON"', drawn)


def test_ones_own_picks_are_no_secret_where_the_others_are(tmp_path: Path) -> None:
    """R30 hides picks from other players; here all are the reader's own guesses."""
    turn, picks = tmp_path / "turn.yaml", tmp_path / "picks.txt"
    turn.write_text(
        "map: alexmagnum\nrules: {publish_picks: own}\nphase: picks\nyear: 323\nperiod: 2\n"
        "units: {}\n",
        encoding="utf-8",
    )
    picks.write_text("TOL: ALE\n\nSEL: pick XYZ\n", encoding="utf-8")
    text = output_of("whatif", str(turn), str(picks), "--lang", "en")

    assert "Pick ALE                           awarded" in text
    assert "Seleucus: pick XYZ\n      'XYZ' is not a place" in text
    assert "Pick ALE" not in output_of("adjudicate", str(turn), str(picks), "--lang", "en")


# -- plans -----------------------------------------------------------------------------------------


def test_two_plans_stand_side_by_side_at_80_columns(mail: Path, plans: tuple[Path, Path]) -> None:
    text = output_of(
        "whatif", str(mail), "--compare", *map(str, plans), "--lang", "en", COLUMNS="80"
    )
    lines = text.splitlines()

    assert any(line.split() == ["careful.txt", "bold.txt"] for line in lines)
    told = "A ISR H A ISR - DAM"
    assert any(line.split() == ["A", "ISR", *told.split()] for line in lines)
    assert all(len(line) <= 80 for line in lines if "Position from" not in line)


def test_a_plan_takes_the_place_of_all_orders_of_its_power(
    mail: Path, plans: tuple[Path, Path]
) -> None:
    data = _json(str(mail), *ORDERS, "--compare", *map(str, plans))
    careful = data["plans"]["careful.txt"]["orders"]  # type: ignore[index]
    ptolemy = [entry["order"] for entry in careful if entry["power"] == "TOL"]

    assert ptolemy == ["A MEN H", "A ISR H"]
    assert {entry["power"] for entry in careful} > {"SEL", "CAS"}


def test_json_of_plans_has_what_differs(mail: Path, plans: tuple[Path, Path]) -> None:
    data = _json(str(mail), "--compare", *map(str, plans))
    differences: Any = data["differences"]
    memphis = next(row for row in differences if row["unit"] == "A MEN")

    assert memphis["plans"]["bold.txt"]["order"] == "A MEN - TEB"
    assert memphis["plans"]["bold.txt"]["results"] == ["succeeds"]


def test_plans_of_one_name_are_told_apart_by_their_paths(mail: Path, tmp_path: Path) -> None:
    files = []
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        path = tmp_path / folder / "tolomeo.txt"
        path.write_text("A MEN H\n", encoding="utf-8")
        files.append(str(path))

    assert list(_json(str(mail), "--compare", *files)["plans"]) == files  # type: ignore[call-overload]


def test_what_cannot_be_read_in_a_plan_is_said_with_its_name(
    mail: Path, plans: tuple[Path, Path]
) -> None:
    plans[0].write_text("TOL\nA Menfi va nel Mar Nero\nG ALE - BAB\n", encoding="utf-8")
    text = output_of("whatif", str(mail), "--compare", *map(str, plans), "--lang", "en")

    assert "  careful.txt, Ptolemy: A Menfi va nel Mar Nero" in text
    assert "  careful.txt, Ptolemy: G ALE - BAB\n      void: this unit cannot cross" in text


def test_options_of_one_plan_are_refused_with_several(mail: Path, plans: tuple[Path, Path]) -> None:
    error = output_of("whatif", str(mail), "--compare", *map(str, plans), "--explain", status=2)

    assert "--compare" in error


# -- what is no position ---------------------------------------------------------------------------


def test_a_text_without_a_position_is_refused_in_a_line_or_two(tmp_path: Path) -> None:
    path = tmp_path / "mail.txt"
    path.write_text("Hello\n", encoding="utf-8")

    assert len(output_of("whatif", str(path), status=2).splitlines()) <= 2
    assert "it contains no position" in output_of("whatif", str(path), "--lang", "en", status=2)
    assert "no-such-file" in output_of("whatif", "no-such-file.eml", status=2)


def test_a_turn_file_that_is_no_yaml_is_refused_as_one(tmp_path: Path) -> None:
    path = tmp_path / "turn.yaml"
    path.write_text("fase: [spring\n", encoding="utf-8")

    assert "not YAML" in output_of("whatif", str(path), "--lang", "en", status=2)


def test_a_key_of_a_turn_file_that_is_unknown_is_named(tmp_path: Path) -> None:
    path = tmp_path / "turn.yaml"
    path.write_text("phase: spring_moves\nunitz: {}\n", encoding="utf-8")

    assert "'unitz'" in output_of("whatif", str(path), "--lang", "en", status=2)


def test_a_position_on_the_tables_own_map_wants_the_map(tmp_path: Path) -> None:
    """Copied into a file it is a turn file, and no less in want of it."""
    turn = tmp_path / "turn.yaml"
    own = tmp_path / "own.json"
    standard = (maps_folder() / "standard.json").read_text(encoding="utf-8")
    own.write_text(standard.replace('"Vienna"', '"Vindobona"'), encoding="utf-8")
    turn.write_text(
        format_turn_file(first_position(load_board(own)), load_sentences("en")), encoding="utf-8"
    )

    assert "--map" in output_of("whatif", str(turn), status=2)
    assert "1901" in output_of("whatif", str(turn), "--map", str(own))


def test_help_has_examples() -> None:
    text = CliRunner().invoke(app, ["whatif", "--help"]).output

    assert "alexmagnum whatif report.eml mine.txt" in text
