"""The bundle says what Python says: results, reasons in both languages, and what comes next.

Every DATC case, every case file, scenarios of the oracle's generators, deep chains and rings, and
legal orders.  ``make test`` runs a part, ``make proof`` all of it.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import pytest

from alexmagnum.board.geography import split_location
from alexmagnum.board.map_file import load_board
from alexmagnum.board.model import Board
from alexmagnum.campaign import first_position, next_position
from alexmagnum.cases.conversation import PARTS
from alexmagnum.cases.files import Turn, resolve_turn
from alexmagnum.cases.json_values import to_json
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.judge import adjudicate
from alexmagnum.judge.outcome import WANTED
from alexmagnum.notation import read_orders, write_order
from alexmagnum.orders import Move, Order
from alexmagnum.page_judge import FATES, PageJudge, find_flips
from alexmagnum.position import Phase, Position, Unit
from alexmagnum.whatif.flips import Flips, flips_as_data
from tests.builds.digest import list_cases
from tests.case_library import cases_in, read_yaml
from tests.page_judge.judges import Request, ask_both, needs_node
from tests.scenarios import PROFILES, seeded
from tests.sizes import is_proof, sized
from tools.demo import read_story
from tools.pictures import sample_turn

MORE = 3  # of one phase in so many more is asked than its outcome

Orders = Mapping[str, Sequence[Order]]
T = TypeVar("T")


class Turned(NamedTuple):
    """One phase to compare: a name for messages, the position, and its orders."""

    name: str
    position: Position
    orders: Orders


def list_requests(turned: Turned, number: int) -> list[Request]:
    """Return the requests of a phase: its outcome, and of some what else a page may ask.

    The languages take turns; ``make proof`` asks for sentences in both.
    """
    orders = {power: [to_json(o) for o in listed] for power, listed in turned.orders.items()}
    lang = ("en", "it")[number % 2]
    judged: list[Request] = [
        {
            "op": "adjudicate",
            "position": to_json(turned.position),
            "orders": orders,
            "want": [*PARTS, FATES],
            "lang": lang,
        }
    ]
    if is_proof():
        other = ("it", "en")[number % 2]
        judged.append({"op": "adjudicate", "orders": orders, "want": [FATES], "lang": other})
    if number % MORE:
        return judged
    asked: list[Request] = [
        *judged,
        {"op": "next_phase", "orders": orders},
        {"op": "check", "orders": orders, "lang": lang},
        {"op": "write_orders", "orders": orders, "lang": lang},
    ]
    if number % (2 * MORE) == 0:
        asked.append({"op": "options"})
    if units := turned.position.orderable:
        name = turned.position.name(units[number % len(units)])
        asked.append({"op": "explain", "orders": orders, "unit": name, "lang": lang})
    return asked


def check_equal(phases: Iterable[Turned], folder: Path) -> int:
    """Compare the judge in Node with that of Python; return the number of phases."""
    listed = sorted(phases, key=lambda turned: board_key(turned.position.board))
    asked: list[tuple[Board, str, Request]] = []
    for number, turned in enumerate(listed):
        board = turned.position.board
        asked += ((board, turned.name, request) for request in list_requests(turned, number))
    ask_both(asked, folder)
    return len(listed)


def board_key(board: Board) -> str:
    return f"{board.id} {board.digest}"


def resolve_all(folder: str) -> Iterator[Turned]:
    """Yield the phases of all cases of a folder, with the phases before them."""
    for case in cases_in(folder):
        yield from _resolve(case.id, case.turn)


def _resolve(name: str, turn: Turn) -> Iterator[Turned]:
    if turn.previous is not None:
        yield from _resolve(f"{name} before", turn.previous.turn)
    resolution = resolve_turn(turn)
    yield Turned(name, resolution.position, resolution.orders)


def take(phases: Iterable[T], every: int) -> list[T]:
    """Return one phase in so many; in ``make proof`` all."""
    return list(phases)[:: sized(every, 1)]


def list_phases() -> Iterator[Turned]:
    """Yield phases of case files, of the oracle's generators, of chains and of the sample game."""
    yield from take(resolve_all("datc"), 16)
    yield from take(resolve_all("cases"), 40)
    for profile in PROFILES:
        for number in range(sized(1, 60)):  # of 11 profiles
            scenario = seeded(profile, 19, number)
            yield Turned(f"{profile} {number}", scenario.position, scenario.orders)
    yield from take(draw_chains(), 8)
    for number, (position, orders) in enumerate(take(list_cases(sized(20, 60)), 10)):
        yield Turned(f"sample {number}", position, orders)


@needs_node
def test_phases_of_every_kind_have_the_same_outcome(tmp_path: Path) -> None:
    assert check_equal(list_phases(), tmp_path) > 30


def draw_chains() -> Iterator[Turned]:
    """Yield long lines and rings of moves, each unit into the place of the next.

    The judge decides a move by that of the unit in its way, as deep as it may go.
    """
    for map_id in ("standard", "alexmagnum"):
        board = load_board(map_id)
        for kind, graph in (("A", board.army_graph), ("F", board.fleet_graph)):
            neighbours = {str(node): sorted(map(str, graph[node])) for node in sorted(graph)}
            for is_ring in (False, True):
                path = find_path(neighbours, is_ring)
                for powers in (1, len(board.powers)):
                    for backwards in (False, True):
                        name = f"{map_id} {kind} {len(path)} {is_ring} {powers} {backwards}"
                        yield Turned(name, *_line_up(board, kind, path, is_ring, powers, backwards))


def find_path(neighbours: Mapping[str, list[str]], is_ring: bool) -> list[str]:
    """Return a long way through places of different provinces; a ring comes back to its start."""
    best: list[str] = []
    for start in neighbours:
        path, seen = [start], {start.split("/")[0]}
        while True:
            if not (ways := [w for w in neighbours[path[-1]] if w.split("/")[0] not in seen]):
                break
            path.append(min(ways, key=lambda w: _count_free(neighbours, w, seen)))
            seen.add(path[-1].split("/")[0])
        while is_ring and len(path) > 2 and path[0] not in neighbours[path[-1]]:
            path.pop()
        best = max(best, path, key=len)
    return best


def _count_free(neighbours: Mapping[str, list[str]], place: str, seen: set[str]) -> int:
    return sum(other.split("/")[0] not in seen for other in neighbours[place])


def _line_up(
    board: Board, kind: str, path: list[str], is_ring: bool, powers: int, backwards: bool
) -> tuple[Position, dict[str, list[Order]]]:
    names = list(board.powers)[:powers]
    units = [
        Unit(names[i % powers], kind, *split_location(place)[:2]) for i, place in enumerate(path)
    ]
    phase = Phase(board.rules.first_year - 1 if board.years_bc else 1901, "spring")
    position = Position(board, phase, tuple(units))
    steps = list(zip(units, path[1:] + ([path[0]] if is_ring else []), strict=False))
    orders: dict[str, list[Order]] = {}
    for unit, to in reversed(steps) if backwards else steps:
        orders.setdefault(unit.power, []).append(Move(position.name(unit), to))
    return position, orders


@needs_node
def test_mails_of_the_sample_game_are_read_alike(tmp_path: Path) -> None:
    asked: list[tuple[Board, str, Request]] = []
    story = read_story()
    position: Position | None = first_position(load_board(story.map))
    for number, turn in enumerate(story.turns[: sized(2, 999)]):
        assert position is not None
        orders: dict[str, Sequence[Order]] = {}
        for place, mail in enumerate(turn.mails):
            text = mail.path.read_text("utf-8")
            if place % sized(5, 3) == 0:
                request = _reading(position, text, number) | {"power": mail.power}
                asked.append((position.board, mail.path.name, request))
            if not mail.refused:
                read = read_orders(text, position, mail.power).orders
                orders[mail.power] = read.get(mail.power, ())
        position = next_position(adjudicate(position, orders))
    ask_both(asked, tmp_path)
    assert len(asked) > 3


@needs_node
@pytest.mark.proof
def test_texts_of_the_cases_are_read_alike_in_phases_of_both_maps(tmp_path: Path) -> None:
    texts = {
        text
        for folder in ("notation", "mail")
        for path in Path("tests", folder).glob("*.yaml")
        for text in _list_texts(read_yaml(path))
    }
    asked: list[tuple[Board, str, Request]] = []
    for number, (position, power) in enumerate(_phases()):
        for text in sorted(texts)[number::60]:
            request = _reading(position, text, number) | {"power": power}
            asked.append((position.board, text, request))
    ask_both(asked, tmp_path)
    assert len(asked) > 100


def _phases() -> Iterator[tuple[Position, str]]:
    """Yield three positions of each map, with a power that has orders to send."""
    for name, power, text in (("standard", "Italy", "A VEN - TYR"), ("alexmagnum", "TOL", "")):
        position: Position | None = first_position(load_board(name))
        for _ in range(3):
            assert position is not None
            yield position, power
            orders = read_orders(text, position, power).orders
            position = next_position(adjudicate(position, orders))


def _list_texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield from [value] * (" " in value)
    elif isinstance(value, list | dict):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _list_texts(each)


def _reading(position: Position, text: str, number: int) -> Request:
    data, lang = to_json(position), ("en", "it")[number % 2]
    return {"op": "read_orders", "position": data, "text": text, "lang": lang}


DATA = read_yaml(Path(__file__).with_name("equality.yaml"))
MISREAD = DATA["misread"]
"""Texts with accents, signs, tables, misspelt names, quotations and characters of all sizes."""


@needs_node
def test_texts_that_are_hard_to_read_are_read_alike(tmp_path: Path) -> None:
    board = load_board("alexmagnum")
    start = first_position(board)
    asked: list[tuple[Board, str, Request]] = []
    phases = [start, *(replace(start, phase=Phase(322, name)) for name in ("spring", "winter"))]
    for position in phases:
        for number, text in enumerate(take(MISREAD, 4)):
            for power in ({"power": "TOL"}, {}):
                asked.append((board, f"text {number}", _reading(position, text, number) | power))
    ask_both(asked, tmp_path)


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
            position = scenario.position
            if units := [unit for unit in position.units if unit.power in position.board.powers]:
                yield position, scenario.orders, units[number % len(units)]


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
    winter = "standard 1901-winter Austria:AVIE:VIE,BUD"
    answer = PageJudge().reply({"op": "flips", "position": winter, "orders": {}, "unit": "A VIE"})
    assert not answer["ok"]
    assert answer["error"]["code"] == "page-flips-movement"


def test_a_change_is_worded_as_by_the_command() -> None:
    position, orders = sample_turn()
    order = "F SAR S F EGE#3 - EGE"
    for lang, text in (
        ("en", f"Lysimachus: {order} (or {order}#1, with the same result)"),
        ("it", f"Lisimaco: {order} (o {order}#1: fa lo stesso)"),
    ):
        answer = find_flips(position, orders, position.names["F MAC"], load_sentences(lang), None)
        assert text in [flip["text"] for flip in answer["others"]]


@needs_node
def test_the_bundle_finds_the_same_flips(tmp_path: Path) -> None:
    listed = sorted(list_asked(), key=lambda asked: board_key(asked[0].board))
    requests = [
        (position.board, f"{position.name(unit)} of {number}", _ask(position, orders, unit))
        for number, (position, orders, unit) in enumerate(listed)
    ]
    ask_both(requests[:: sized(8, 3)], tmp_path)


def _ask(position: Position, orders: Mapping[str, Sequence[Order]], unit: Unit) -> Request:
    given = {power: [write_order(order) for order in listed] for power, listed in orders.items()}
    data = json.loads(json.dumps(to_json(position)))
    return {"op": "flips", "position": data, "orders": given, "unit": position.name(unit)}


@needs_node
def test_the_bundle_finds_the_same_plans(tmp_path: Path) -> None:
    """Ask about goals that can be worked out exactly: samples differ from Python's own."""
    position, orders = sample_turn()
    given = {power: [write_order(order) for order in listed] for power, listed in orders.items()}
    common = {"op": "survey", "position": position.to_text(), "orders": given, "against": ["SEL"]}
    questions: dict[str, Request] = {
        "sure": {"power": "AUT", "take": ["CAP"], "hold": ["SIR"]},
        "no plan": {"power": "LIS", "take": ["BAB"]},
        "how safe": {"power": "CAN"},
    }
    asked = [(position.board, name, {**common, **asked}) for name, asked in questions.items()]
    ask_both(asked[: sized(1, 3)], tmp_path)
