"""``alexmagnum bot``: what a bot would order, and why."""

from __future__ import annotations

import re
from pathlib import Path

from tests.commands import run_command

TURN = Path(__file__).parents[2] / "orders" / "turn.yaml"


def test_each_order_comes_with_the_centre_that_it_is_for() -> None:
    text = run_command("bot", str(TURN), "Ptolemy", "--level", "dumb", "--lang", "en").out

    assert text.startswith("Orders of the bot dumb for Ptolemy, Spring 318 BC, movement\n")
    assert len(text.splitlines()) == 11
    assert re.search("A NOC - MEN +to keep Memphis; Cassander can be there with strength 1\n", text)


def test_json_has_the_orders_and_the_reasons() -> None:
    data = run_command("bot", str(TURN), "CAN", "--level", "dumb", "--seed", "2", "--json").data

    assert (data["phase"], data["power"], data["bot"]) == ("318-spring", "CAN", "dumb")
    assert {entry["order"].split()[1] for entry in data["orders"]} >= {"LAH", "UJJ", "TAX"}
    assert set(data["orders"][0]) == {"order", "aim", "owner", "rival", "strength"}


def test_italian_reads_as_italian() -> None:
    text = run_command("bot", str(TURN), "CAN", "--level", "dumb", "--lang", "it").out

    assert text.startswith("Ordini del bot dumb per Candragrupta, Primavera 318 a.C., movimenti\n")
    assert "per tenere" in text or "(indipendente)" in text


def test_a_removed_unit_is_for_nothing_and_a_garrison_goes_nowhere(tmp_path: Path) -> None:
    turn = tmp_path / "winter.yaml"
    turn.write_text(
        "{map: alexmagnum, year: 320, phase: winter_adjustments, centers: {TOL: [ALE, MEN]},"
        " units: {TOL: [A SIW, F EGI, F FEN, G TEB, A ALE, A MEN], NEU: [A CIR]}}"
    )
    removed = run_command("bot", str(turn), "TOL", "--level", "dumb", "--lang", "en").out
    attacks = run_command("bot", str(TURN), "CAN", "--level", "dumb", "--lang", "it").out

    assert re.search(r"Remove . [A-Z#0-9]+ +it could have (gone for|kept) ", removed)
    assert "  for " not in removed
    assert re.search(r"A UJJ - PAT +per .*; ci restano gli indipendenti con forza 1\n", attacks)


def test_an_unknown_power_is_named() -> None:
    done = run_command("bot", str(TURN), "Atlantis", "--lang", "en", status=2)

    assert "Atlantis" in done.err
