"""Orders and letters as people write them: every shape, doubts, corrections, and picks (R30)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from alexmagnum.notation import NotationSettings, read_orders, write_order
from alexmagnum.orders import Pick
from alexmagnum.position import Phase
from tests.case_library import read_yaml
from tests.each import cells, check_each
from tests.notation.tables import (
    EGYPT,
    ITALY,
    check_read,
    position,
    retreating,
    written,
)

WINTER = replace(ITALY, phase=Phase(1901, "winter"), owners={"NAP": "Italy", "ROM": "Italy"})
PICKS = position("alexmagnum", "", "picks")
BABYLON = {"TOL": (Pick("BAB"),)}
OWNERS = dict.fromkeys(("ALE", "MEN", "TEB", "SAR", "TIR", "BAB", "SUS"), "TOL")
POSITIONS = {
    "italy": ITALY,
    "egypt": EGYPT,
    "retreats": retreating("standard", "Austria: A TRI, F ALB", "Italy: A VEN"),
    "winter": WINTER,
    "egypt winter": replace(EGYPT, phase=Phase(318, "winter")),
    "picks": PICKS,
    "bare deployment": position("alexmagnum", "", "deployment"),
    "deployment": position("alexmagnum", "", "deployment", owners={"ALE": "TOL"}),
    "owned deployment": position("alexmagnum", "", "deployment", owners=OWNERS),
    "owned winter": replace(
        position("alexmagnum", "TOL: F EGI", owners=OWNERS), phase=Phase(318, "winter")
    ),
    "one retreat": retreating("alexmagnum", "TOL: A MEN", "SEL: A TEB"),
}
SHAPES = read_yaml(Path(__file__).with_name("shapes.yaml"))
LETTERS = read_yaml(Path(__file__).with_name("letters.yaml"))


@pytest.mark.parametrize("entry", SHAPES, ids=lambda entry: entry["what"])
def test_every_shape_is_its_canonical_order(entry: dict[str, Any]) -> None:
    tables = {
        order: texts if isinstance(texts, str) else "".join(texts)
        for order, texts in entry["orders"].items()
    }
    check_read(tables, POSITIONS[entry["where"]], entry["power"])


@pytest.mark.parametrize("entry", LETTERS, ids=lambda entry: entry["what"])
def test_a_letter_is_read_as_it_is_meant(entry: dict[str, Any]) -> None:
    texts = entry["texts"]

    def check(text: str) -> None:
        reading = read_orders(text, POSITIONS[entry["where"]], "TOL")
        orders = {power: [*map(write_order, listed)] for power, listed in reading.orders.items()}
        meant = {entry.get("power", "TOL"): entry["orders"]} if entry.get("orders") else {}
        assert orders == meant
        errors = [line.error for line in reading.lines if line.error]
        codes = [error.code for error in errors]
        assert codes == entry.get("errors", codes)
        assert "every_error" not in entry or {*codes} == {entry["every_error"]}
        assert all(error.kind == entry.get("kind", error.kind) for error in errors)
        if "suggestions" in entry:
            assert all(error.suggestions == (*entry["suggestions"],) for error in errors)
        assert not (entry.get("quiet") and errors)

    listed = cells(texts) if isinstance(texts, str) else texts
    around = (entry.get("before", ""), entry.get("after", ""))
    check_each([(text.join(around),) for text in listed], check)


def test_lines_that_are_joined_keep_their_numbers() -> None:
    """The order stands on the first of them, and the other one is empty."""
    order = "La flotta nel Mare Egiziano trasporta il generale di Alessandria a\nCreta"
    lines = read_orders(f"{order}\nA TEB H", EGYPT, "TOL").lines

    assert [(line.number, line.prose) for line in lines] == [(1, False), (2, True), (3, False)]


def test_a_lone_misspelt_centre_is_answered_with_the_pick_to_write() -> None:
    (line,) = read_orders("Babilnia", PICKS, "TOL").lines

    assert line.error is not None
    assert (line.error.code, line.error.suggestions) == ("needs-verb", ("Pick BAB",))


def test_a_misspelt_centre_behind_a_verb_is_read_with_a_notice() -> None:
    (line,) = read_orders("voglio Babilnia", PICKS, "TOL").lines

    assert line.order == Pick("BAB")
    assert [notice.code for notice in line.notices] == ["misspelt"]
    exact = NotationSettings(fuzzy="refuse")
    assert read_orders("voglio Babilnia", PICKS, "TOL", settings=exact).orders == {}


@pytest.mark.parametrize("void", ["Scelgo Siwa", "SPA", "Scelgo Menfi"])
def test_a_void_pick_does_not_stand_against_one_that_is_not(void: str) -> None:
    """Siwa is no centre, Sparta an independent one, and Menfi is somebody's."""
    where = position("alexmagnum", "", "picks", owners={"MEN": "SEL"})

    for text in (f"Scelgo Babilonia\n{void}", f"{void}\nScelgo Babilonia"):
        assert read_orders(text, where, "TOL").orders == BABYLON


REST = cells("""
All others hold|the rest H|Tutti gli altri tengono.|Il resto ferma
- tutte le altre unità restano ferme|e le altre tengono|Everything else holds!
""")


def test_the_rest_may_be_ordered_to_hold() -> None:
    """Wherever it stands; a later order for one of them counts."""
    texts = [text for said in REST for text in (f"A Ven - Tri\n{said}", f"{said}\nA Ven - Tri")]
    texts += ["A Ven - Tri, tutte le altre ferme.", "A Ven - Tri and everything else holds"]
    for text in texts:
        found = sorted(written(text, ITALY, "Italy"))
        assert found == ["A NAF H", "A ROM H", "A VEN - TRI", "F NAP H", "F TYS H"], text


def test_the_rest_is_ordered_once() -> None:
    """However often it is said, and with nobody left of whom to say it."""
    reading = read_orders(
        "All others hold\nA Ven - Tri\n" + "All others hold\n" * 3, ITALY, "Italy"
    )

    assert len(reading.orders["Italy"]) == 5
    assert [line.number for line in reading.lines if line.prose] == [3, 4, 5]


def test_a_condition_for_the_rest_or_a_word_about_everything_is_no_order() -> None:
    conditions = "Se mi attacchi, tutte ferme\nSe vieni tu, A Ven - Tri, tutte le altre ferme"
    for said in (conditions, "All is well", "Tutto tranquillo", "All hold on to hope here"):
        assert read_orders(said, ITALY, "Italy").orders == {}


def test_orders_may_be_joined_by_and() -> None:
    """A bare unit takes the verb before it."""
    text = "A Ven - Tri e A Rom - Apu, and F Nap H"
    assert written(text, ITALY, "Italy") == ["A VEN - TRI", "A ROM - APU", "F NAP H"]
    for text in ("Costruisce A Rom e F Nap", "Build A ROM, F NAP", "Costruisco: A Rom and F Nap"):
        assert written(text, WINTER, "Italy") == ["Build A ROM", "Build F NAP"]
