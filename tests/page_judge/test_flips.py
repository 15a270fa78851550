"""What a page says would flip an order is what the command says of changes of one unit."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from alexmagnum.board.model import Board
from alexmagnum.cases.json_values import to_json
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.judge.outcome import WANTED
from alexmagnum.notation import write_order
from alexmagnum.orders import Order
from alexmagnum.page_judge import PageJudge, find_flips
from alexmagnum.position import Position, Unit
from alexmagnum.whatif.flips import Flips, flips_as_data
from tests.page_judge.judges import Request, ask_both, needs_node
from tests.scenarios import PROFILES, seeded
from tests.sizes import sized
from tools.pictures import sample_turn

Asked = tuple[Position, Mapping[str, Sequence[Order]], Unit]


def list_asked() -> Iterator[Asked]:
    """Yield orders of the sample turn, and of drawn positions of every kind."""
    position, orders = sample_turn()
    units = [unit for unit in position.units if unit.power in position.board.powers]
    for unit in units[:: sized(12, 3)]:
        yield position, orders, unit
    for profile in PROFILES:
        for number in range(sized(1, 20)):
            scenario = seeded(profile, 23, number)
            units = [
                u for u in scenario.position.units if u.power in scenario.position.board.powers
            ]
            if units:
                yield scenario.position, scenario.orders, units[number % len(units)]


def find_by_command(asked: Asked, lang: str) -> dict[str, Any]:
    """Return what ``whatif --flip --json`` says of changes of one unit."""
    position, orders, unit = asked
    sentences = load_sentences(lang)
    flips = Flips(position, orders, unit)
    others = [power for power in position.board.powers if power != unit.power]
    found = list(flips.search(others, most=1))
    own = None
    if flips.result not in WANTED:
        own = flips_as_data(flips, flips.search([unit.power], wanted=WANTED, most=1), sentences)
    return {"others": flips_as_data(flips, found, sentences), "own": own, "result": flips.result}


def without_text(found: list[dict[str, Any]] | None) -> list[dict[str, Any]] | None:
    return found and [{key: flip[key] for key in flip if key != "text"} for flip in found]


def test_a_page_finds_the_flips_of_the_command() -> None:
    count = 0
    for number, asked in enumerate(list_asked()):
        lang = ("en", "it")[number % 2]
        answer = find_flips(*asked, load_sentences(lang), None)
        found = {by: without_text(answer[by]) for by in ("others", "own")}
        assert {**found, "result": answer["result"]} == find_by_command(asked, lang)
        count += len(answer["others"]) + len(answer["own"] or ())
    assert count > 8


def test_progress_tells_each_change_as_it_is_found() -> None:
    position, orders = sample_turn()
    unit = position.names["A SIW"]
    told: list[Mapping[str, Any]] = []
    answer = find_flips(position, orders, unit, load_sentences("en"), told.append)
    parts = [entry["part"] for entry in told if "part" in entry]
    assert parts == sorted(parts)
    assert 0 <= parts[0] < 0.1
    assert 0.8 < parts[-1] < 1
    for by in ("others", "own"):
        assert [entry["found"] for entry in told if entry.get("by") == by] == answer[by]


def test_flips_are_about_moves() -> None:
    request = {
        "op": "flips",
        "position": "standard 1901-winter Austria:AVIE:VIE,BUD",
        "orders": {},
        "unit": "A VIE",
    }
    answer = PageJudge().reply(request)
    assert not answer["ok"]
    assert answer["error"]["code"] == "page-flips-movement"


@pytest.mark.parametrize("lang", ["en", "it"])
def test_a_change_is_worded_as_by_the_command(lang: str) -> None:
    position, orders = sample_turn()
    answer = find_flips(position, orders, position.names["F MAC"], load_sentences(lang), None)
    texts = [flip["text"] for flip in answer["others"]]
    name, same = {
        "en": ("Lysimachus", "(or F SAR S F EGE#3 - EGE#1, with the same result)"),
        "it": ("Lisimaco", "(o F SAR S F EGE#3 - EGE#1: fa lo stesso)"),
    }[lang]
    assert f"{name}: F SAR S F EGE#3 - EGE {same}" in texts


@needs_node
def test_the_bundle_finds_the_same_flips(tmp_path: Path) -> None:
    listed = sorted(list_asked(), key=lambda asked: _board_key(asked[0].board))
    step = sized(4, 1)
    requests: list[tuple[Board, str, Request]] = [
        (position.board, f"{position.name(unit)} of {number}", _ask(position, orders, unit))
        for number, (position, orders, unit) in enumerate(listed)
    ][::step]
    ask_both(requests, tmp_path)


def _board_key(board: Board) -> str:
    return f"{board.id} {board.digest}"


def _ask(position: Position, orders: Mapping[str, Sequence[Order]], unit: Unit) -> Request:
    given = {power: [write_order(order) for order in listed] for power, listed in orders.items()}
    data = json.loads(json.dumps(to_json(position)))
    return {"op": "flips", "position": data, "orders": given, "unit": position.name(unit)}
