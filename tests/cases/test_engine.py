"""The engine: every request gets the right answer, and every line gets some answer."""

import json
import re
from importlib import resources
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import alexmagnum as am
from alexmagnum.cases.conversation import PARTS
from alexmagnum.cases.engine import FIELDS, Engine
from tests.case_library import read_yaml
from tests.scenarios import SETTINGS, Scenario, scenarios
from tests.sizes import drawn

BAD_LINES = Path(__file__).parents[1] / "data" / "bad_requests.yaml"
PAGE = Path(__file__).parents[2] / "docs" / "engine.md"
FIRST = {"op": "position", "map": "standard"}


def _schema(name: str) -> Draft202012Validator:
    text = resources.files("alexmagnum").joinpath("schemas", name).read_text(encoding="utf-8")
    return Draft202012Validator(json.loads(text))


REQUESTS, ANSWERS = _schema("engine-request.json"), _schema("engine-answer.json")


def _ask(engine: Engine, request: Any) -> dict[str, Any]:
    """Send a request that fits its schema; return an answer that fits its own."""
    REQUESTS.validate(request)
    return _send(engine, json.dumps(request).encode())


def _send(engine: Engine, line: bytes | None) -> dict[str, Any]:
    text = engine.answer(line)
    assert "\n" not in text
    answer: dict[str, Any] = json.loads(text)
    ANSWERS.validate(answer)
    return answer


def _started() -> Engine:
    engine = Engine()
    assert _ask(engine, FIRST)["ok"]
    return engine


def _refused(line: bytes | None) -> dict[str, Any]:
    """Return the error for a line; the engine goes on as before."""
    engine = _started()
    answer = _send(engine, line)
    assert not answer["ok"]
    assert _ask(engine, {"op": "adjudicate", "orders": {"Austria": ["A VIE H"]}})["ok"]
    error: dict[str, Any] = answer["error"]
    assert error["message"]
    return error


def test_the_conversations_of_the_guide_are_as_printed() -> None:
    engine = Engine()
    pairs = [
        pair
        for block in re.findall(r"```\n(> .*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
        for pair in re.findall(r"^> (.*)\n(.*)$", block, re.MULTILINE)
    ]
    assert len(pairs) == 10
    for request, printed in pairs:
        answer = engine.answer(request.encode())
        start, _, rest = printed.partition("...")
        assert answer.replace(am.__build__, "interpreted").startswith(start), request
        assert rest in ("", "]}"), "only a list of names may be cut short"


@drawn(4, 150, SETTINGS)
@given(scenarios())
def test_answers_are_the_outcomes_of_the_library(scenario: Scenario) -> None:
    position, engine = scenario.position, Engine()
    by_text = {power: list(map(am.write_order, o)) for power, o in scenario.orders.items()}
    by_object = {power: list(map(am.to_json, o)) for power, o in scenario.orders.items()}
    outcome = am.adjudicate(position, scenario.orders)
    arrays = am.adjudicate_many(position, [scenario.orders, {}], as_arrays=True)

    one = _send_orders(engine, am.to_json(position), by_object)
    both = {"op": "adjudicate_many", "order_sets": [by_object, {}]}
    many = _ask(engine, {**both, "want": ["outcome", "units"]})
    table = _ask(engine, {**both, "want": ["arrays"]})
    read = _ask(engine, {"op": "adjudicate", "orders": by_text, "want": ["units"]})

    assert one["outcome"] == many["outcomes"][0]["outcome"] == am.to_json(outcome)
    assert [entry["result"] for entry in one["results"]] == [e.result for e in outcome.results]
    assert table["results"] == arrays.results.tolist()
    assert table["places"] == arrays.places.tolist()
    assert not read["ok"] or read["units"] == one["units"]


@pytest.mark.parametrize("part", PARTS)
def test_a_batch_answers_for_each_part_as_single_requests_do(part: str) -> None:
    """It also names the set at fault, whatever is wanted."""
    engine = Engine()
    where = "standard 1901-spring Austria:AVIE,ABOH Italy:ATYR"
    _ask(engine, {"op": "position", "position": where})
    sets: list[dict[str, list[str]]] = [
        {"Austria": ["A VIE - TYR", "A BOH S A VIE - TYR"]},
        {"Italy": ["A TYR - BOH"], "Austria": ["A VIE H", "A VIE - BUD"]},
        {},
    ]

    alone = [_ask(engine, {"op": "adjudicate", "orders": o, "want": [part]})[part] for o in sets]
    many = _ask(engine, {"op": "adjudicate_many", "order_sets": sets, "want": [part]})

    assert [outcome[part] for outcome in many["outcomes"]] == alone
    bad = {"op": "adjudicate_many", "order_sets": [{}, {"Nobody": []}], "want": [part]}
    assert _ask(engine, bad)["error"]["faults"][0]["where"] == "order_sets[1].Nobody"


def _send_orders(engine: Engine, position: Any, orders: Any) -> dict[str, Any]:
    parts = ["outcome", "results", "units", "reasons", "dislodged", "destroyed", "nobility"]
    request = {"op": "adjudicate", "position": position, "orders": orders, "want": parts}
    if position["map"] not in am.known_maps():
        pytest.skip("a map of its own")
    answer = _ask(engine, request)
    assert answer["ok"], answer
    return answer


def test_other_phases_are_adjudicated_as_well() -> None:
    engine = Engine()
    position = "standard 1901-autumn-retreats Austria:AVIE!Italy.ATYR>BOH+GAL"

    orders = {"Austria": ["A VIE - BOH"]}
    answer = _ask(engine, {"op": "adjudicate", "position": position, "orders": orders})
    winter = _ask(
        engine,
        {
            "op": "adjudicate",
            "position": "standard 1901-winter Austria:AVIE:VIE,BUD",
            "orders": {"austria": ["Build A BUD"]},
            "want": ["results", "units"],
        },
    )

    assert [entry["result"] for entry in answer["results"]] == ["succeeds"]
    assert {"power": "Austria", "unit": "A BUD"} in winter["units"]


def test_map_and_switches_may_be_chosen() -> None:
    answer = _ask(Engine(), {"op": "position", "map": "alexmagnum", "rules": {"sea_capacity": 2}})

    assert answer["position"].startswith("alexmagnum[sea_capacity=2] 323-1")


@pytest.mark.parametrize("identity", ["a", "è\ud800", 7, -(10**30), None])
def test_the_id_of_a_request_is_in_its_answer(identity: object) -> None:
    for op in ("version", "position"):
        assert _send(Engine(), json.dumps({"op": op, "id": identity}).encode())["id"] == identity


def test_help_lists_the_fields_of_every_operation_in_the_language_of_its_request() -> None:
    answer = _ask(Engine("en"), {"op": "help", "lang": "it"})
    assert {op: set(fields) for op, fields in answer["fields"].items()} == {
        op: {"op", "id", "lang", *fields} for op, fields in FIELDS.items()
    }
    assert "Ogni riga" in answer["help"]
    assert "Each line" in _ask(Engine("it"), {"op": "help", "lang": "en"})["help"]


def test_a_refused_request_with_a_position_leaves_the_earlier_one() -> None:
    engine = _started()
    orders = {"Austria": ["A VIE - TYR"]}

    many = {"op": "adjudicate_many", "map": "alexmagnum", "order_sets": [orders]}
    assert not _ask(engine, {"op": "adjudicate", "map": "alexmagnum", "orders": orders})["ok"]
    assert not _ask(engine, many)["ok"]
    assert _ask(engine, {"op": "adjudicate", "orders": orders})["ok"]
    assert _ask(engine, {"op": "position", "map": "alexmagnum"})["ok"]
    assert not _ask(engine, {"op": "adjudicate", "orders": orders})["ok"]


def test_a_batch_that_broke_off_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = _started()
    request = {
        "op": "adjudicate_many",
        "order_sets": [{}, {"Austria": ["A VIE - TYR"]}],
        "want": ["arrays"],
    }
    right = _ask(_started(), request)
    with monkeypatch.context() as broken:
        broken.setattr("alexmagnum.judge.batch.decide_everything", Mock(side_effect=RecursionError))
        _ask(engine, request)
    assert _ask(engine, request) == right


def test_a_page_documents_every_field_and_part() -> None:
    text = PAGE.read_text(encoding="utf-8")
    answer = _ask(Engine(), {"op": "help"})

    for word in (*answer["want"], *(f for fields in answer["fields"].values() for f in fields)):
        assert f"`{word}`" in text, word


BAD_REQUESTS = [
    *((line.encode(), code) for line, code in read_yaml(BAD_LINES)),
    (b"\xff{}", "engine-not-utf8"),
    (b"1" * 5000, "json-unreadable"),
    (b"[" * 100_000, "engine-too-deep"),
    (b'{"op":' * 100_000, "engine-too-deep"),
    (None, "engine-too-long"),
]


@pytest.mark.parametrize(("line", "code"), BAD_REQUESTS)
def test_a_bad_request_gets_a_code_and_a_sentence(line: bytes | None, code: str | None) -> None:
    error = _refused(line)
    assert error["code"] != "engine-internal"
    assert code in (None, error["code"])


def test_a_request_for_the_position_returns_the_one_that_was_sent_before() -> None:
    assert _send(_started(), b'{"op": "position"}')["ok"]


def test_a_bad_set_of_many_is_named() -> None:
    sets = [{}, {"Austria": ["A VIE H", "A VIX - TYR"]}]
    objects = [{}, {"Austria": [{"type": "hold", "unit": "A XXX"}]}]

    text = _refused(json.dumps({"op": "adjudicate_many", "order_sets": sets}).encode())
    value = _refused(json.dumps({"op": "adjudicate_many", "order_sets": objects}).encode())

    assert text["where"] == "order_sets[1].Austria[1]"
    assert [fault["where"] for fault in value["faults"]] == ["order_sets[1].Austria[0].unit"]


def test_orders_before_a_position_are_refused_in_the_language_asked_for() -> None:
    answer = _ask(Engine(), {"op": "adjudicate", "orders": {}, "lang": "it"})
    assert answer["error"]["code"] == "engine-no-position"
    assert "posizione" in answer["error"]["message"]


_LONG_CONVERSATION = _started()

_WORDS = st.sampled_from(
    [
        *FIELDS,
        *("op", "id", "orders", "order_sets", "want", "position", "map", "rules", "lang"),
        *("Austria", "type", "hold", "unit", "standard", "results", "arrays"),
        *("A VIE - TYR", "A VIE", "standard 1901-spring Italy:AVEN"),
    ]
)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | _WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_WORDS, inner, max_size=4),
    max_leaves=12,
)


@drawn(27, 1000)
@given(
    st.fixed_dictionaries(
        {"op": st.sampled_from([*FIELDS])},
        optional=dict.fromkeys(("id", "orders", "order_sets", "want", "position", "map"), _JSON),
    )
    | _JSON
)
def test_no_request_ends_the_engine(request: Any) -> None:
    answer = _send(_LONG_CONVERSATION, json.dumps(request).encode())
    assert answer["ok"] or answer["error"]["code"] != "engine-internal", answer
    assert REQUESTS.is_valid(request) or not answer["ok"] or not isinstance(request, dict)


@drawn(18, 1500)
@given(st.binary(max_size=40))
def test_no_bytes_end_the_engine(line: bytes) -> None:
    assert not _send(_LONG_CONVERSATION, line)["ok"]
