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


def test_an_unknown_power_is_named() -> None:
    done = run_command("bot", str(TURN), "Atlantis", "--lang", "en", status=2)

    assert "Atlantis" in done.err
