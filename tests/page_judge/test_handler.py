"""The requests of a page, answered in Python, in Node and in three browser engines."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from alexmagnum.page_judge import PageJudge, load_bundle, read_board, write_board
from tests.case_library import read_yaml
from tests.page_judge.engines import open_pages
from tests.page_judge.judges import (
    Request,
    ask_node,
    ask_python,
    known_boards,
    needs_node,
    write_page,
)
from tests.sizes import one_in

STOP = Path(__file__).with_name("stop.js")

_ASKED = read_yaml(Path(__file__).with_name("conversation.yaml"))
START, WINTER = _ASKED["start"], _ASKED["winter"]
BOUNCE = {"Austria": ["A VIE - TYR"], "Italy": ["A VEN - TYR"]}

CONVERSATION: list[Request] = [
    *(
        {"op": "adjudicate", "position": at, "orders": {power: [order]}, "want": want, "lang": lang}
        for at, power, orders in (
            (START, "Italy", _ASKED["bad moves"]),
            (WINTER, "Austria", _ASKED["bad builds"]),
        )
        for order in orders
        for want, lang in ((["results", "reasons"], "en"), (["fates"], "it"))
    ),
    *_ASKED["conversation"],
]


def ask(*requests: Request) -> dict[str, Any]:
    judge = PageJudge()
    answers = [judge.reply(request) for request in requests]
    assert answers[-1]["ok"], answers[-1]
    return answers[-1]


def test_every_unit_has_a_fate_also_without_an_order() -> None:
    answer = ask({"op": "adjudicate", "position": START, "orders": BOUNCE, "want": ["fates"]})
    assert [(fate["unit"], fate["order"], fate["result"]) for fate in answer["fates"]] == [
        ("A VIE", "A VIE - TYR", "fails"),
        ("A VEN", "A VEN - TYR", "fails"),
        ("F ADR", None, "stands"),
    ]


def test_a_page_goes_on_to_the_next_phase_or_the_ending_of_a_game_that_is_won() -> None:
    answer = ask({"op": "next_phase", "position": START, "orders": {"Austria": ["A VIE - TYR"]}})
    assert answer["phase"] == "1901-autumn"
    assert answer["ending"] is None
    assert answer["position"] == "standard 1901-autumn Austria:ATYR:VIE Italy:FADR,AVEN:VEN"

    switched = START.replace("standard", "standard[victory_centres=1]", 1)
    autumn = switched.replace("spring", "autumn").replace("AVEN,FADR:VEN", "AVEN,FADR")
    answer = ask({"op": "next_phase", "position": autumn, "orders": {"Italy": ["A VEN - TYR"]}})
    assert answer["ending"] == {"winners": ["Austria"], "by_centres": True}
    assert answer["position"] is None


def test_options_list_orders_without_a_unit_by_themselves() -> None:
    options = ask({"op": "options", "position": WINTER})["options"]
    assert "Build A VIE" in options["Austria"][""]
    assert options["Italy"]["A VEN"] == ["Remove A VEN"]


def test_the_check_warns_and_suggests_as_the_command_does() -> None:
    full = "alexmagnum 318-spring SEL:FEGI,FEGI#2,FEGI#3: TOL:AMEN,FPAN:"
    orders = {"TOL": ["F PAN - EGI", "A MEN S F PAN - EGI"]}
    checks = ask({"op": "check", "position": full, "orders": orders, "lang": "en"})["checks"]
    entry, support = checks["TOL"]
    assert (entry["verdict"], entry["text"]) == ("good", "")
    assert [text.partition(":")[0] for text in entry["warnings"]] == ["Egyptian Sea is full"]
    assert entry["suggestions"] == [f"F PAN - EGI#{number}" for number in (1, 2, 3)]
    assert (support["verdict"], support["warnings"]) == ("impossible", [])
    assert support["text"]


def test_a_board_comes_back_from_its_data_with_the_same_tables() -> None:
    for board in known_boards():
        again = read_board(write_board(board))
        assert again.provinces == board.provinces
        assert again.rules == board.rules
        assert again.tables.posts == board.tables.posts
        assert again.tables.fleet_next == board.tables.fleet_next


@needs_node
def test_the_bundle_answers_as_python_does(tmp_path: Path) -> None:
    """Node ends when its last answer is read, however long that is."""
    long: Request = {"op": "position", "position": START, "id": "x" * 150_000}
    asked = [*CONVERSATION, long]
    answers = ask_node(asked, tmp_path)
    for request, mine, theirs in zip(asked, answers, ask_python(asked), strict=True):
        assert mine == theirs, request
    assert answers[-1]["id"] == long["id"]


@pytest.mark.parametrize("engine", one_in(3, ["chromium", "firefox", "webkit"]))
def test_a_page_in_each_engine_answers_as_python_does(engine: str, tmp_path: Path) -> None:
    page = tmp_path / "judge.html"
    write_page(page, known_boards()[0], CONVERSATION)
    (result,) = open_pages(engine, page)
    assert "answers" in result, result
    for request, mine, theirs in zip(
        CONVERSATION, result["answers"], ask_python(CONVERSATION), strict=True
    ):
        assert mine == theirs, request


DEFECTS: Mapping[str, tuple[str, str, str]] = {
    "half a bundle": ("broken", load_bundle()[: len(load_bundle()) // 2], ""),
    "signs that changed": ("broken", load_bundle().replace("a", "b"), ""),
    "no bundle": ("broken", "?", ""),
    "no WebAssembly": ("unsupported", "", "delete globalThis.WebAssembly;"),
    "no workers": ("unsupported", "", "globalThis.Worker = undefined;"),
}
"""By what is wrong with a page: the reason that it is told, its bundle, and a script before."""


def test_a_page_is_told_why_its_judge_cannot_run(tmp_path: Path) -> None:
    pages = []
    for number, (_, bundle, before) in enumerate(DEFECTS.values()):
        pages.append(tmp_path / f"{number}.html")
        write_page(pages[-1], known_boards()[0], CONVERSATION, bundle, before)
    results = open_pages("chromium", *pages)
    told = {name: result.get("failed") for name, result in zip(DEFECTS, results, strict=True)}
    assert told == {name: reason for name, (reason, _, _) in DEFECTS.items()}


def test_a_request_that_is_stopped_is_refused_and_the_next_one_answered(tmp_path: Path) -> None:
    page = tmp_path / "stop.html"
    write_page(page, known_boards()[0], [], ask=STOP.read_text(encoding="utf-8"))
    (result,) = open_pages("chromium", page)
    stopped = "Error: stopped"
    assert result == {"stopped": stopped, "first": stopped, "phase": "1901-spring"}
