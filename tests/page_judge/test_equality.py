"""The bundle says what Python says: results, reasons in both languages, and what comes next.

Every DATC case, every case file, scenarios of the oracle's generators, deep chains and rings, and
legal orders.  ``make test`` runs a part, ``make proof`` all of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, TypeVar

from alexmagnum.board.geography import split_location
from alexmagnum.board.map_file import load_board
from alexmagnum.board.model import Board
from alexmagnum.campaign import first_position, next_position
from alexmagnum.cases.conversation import PARTS
from alexmagnum.cases.files import Turn
from alexmagnum.cases.json_values import to_json
from alexmagnum.cases.runner import resolve_turn
from alexmagnum.judge import adjudicate
from alexmagnum.notation import read_orders
from alexmagnum.orders import Move, Order
from alexmagnum.page_judge import FATES
from alexmagnum.position import Phase, Position, Unit
from tests.builds.digest import list_cases
from tests.case_library import cases_in
from tests.page_judge.judges import Request, ask_both, needs_node
from tests.scenarios import PROFILES, seeded
from tests.sizes import is_proof, sized
from tools.demo import read_story

MORE = 3
"""Of one phase in so many more is asked than its outcome."""

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
        {"op": "write_orders", "orders": orders, "lang": lang},
    ]
    if number % (2 * MORE) == 0:
        asked.append({"op": "options"})
    units = turned.position.orderable
    if units:
        name = turned.position.name(units[number % len(units)])
        asked.append({"op": "explain", "orders": orders, "unit": name, "lang": lang})
    return asked


def check_equal(phases: Iterable[Turned], folder: Path) -> int:
    """Compare the judge in Node with that of Python; return the number of phases."""
    listed = sorted(phases, key=lambda turned: _board_key(turned.position.board))
    asked: list[tuple[Board, str, Request]] = []
    for number, turned in enumerate(listed):
        board = turned.position.board
        asked += ((board, turned.name, request) for request in list_requests(turned, number))
    ask_both(asked, folder)
    return len(listed)


def _board_key(board: Board) -> str:
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
        for number in range(sized(1, 182)):  # 11 profiles: 2,002 scenarios
            scenario = seeded(profile, 19, number)
            yield Turned(f"{profile} {number}", scenario.position, scenario.orders)
    yield from take(draw_chains(), 8)
    for number, (position, orders) in enumerate(take(list_cases(sized(20, 60)), 5)):
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
            ways = [w for w in neighbours[path[-1]] if w.split("/")[0] not in seen]
            if not ways:
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
    goals = path[1:] + ([path[0]] if is_ring else [])
    steps = list(zip(units, goals, strict=False))
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
            if place % sized(3, 1) == 0:
                request = _reading(position, text, number) | {"power": mail.power}
                asked.append((position.board, mail.path.name, request))
            if not mail.refused:
                read = read_orders(text, position, mail.power).orders
                orders[mail.power] = read.get(mail.power, ())
        position = next_position(adjudicate(position, orders))
    ask_both(asked, tmp_path)
    assert len(asked) > 3


def _reading(position: Position, text: str, number: int) -> Request:
    data, lang = to_json(position), ("en", "it")[number % 2]
    return {"op": "read_orders", "position": data, "text": text, "lang": lang}


MISREAD = (
    "TOL:\nA Menfi → Tebe; l'armata di Aléssandria appoggia Menfi in Tebe 🙂\nF EGI C A ALE - CRE",
    "Ordini per Seleuco:\n- A Babilona - Susa\n- esercito (Susa) tiene\n> A SUS - BAB",
    "A SUS H\nanzi no, A SUS S A BAB\nbye",
    "| unit | order |\n|---|---|\n| A MEN | TEB |\nAll others hold",
    "Build A MEN, F TEB\nwaive\nPick ALE\nDisband A MEN",
    "“A MEN – TEB”\tA ALE S MEN–TEB\x96x ﬁn ẞ Ω 𝔄",
    "",
    "MEN - TEB?\nIf Seleucus moves, A MEN H\nAMEN-TEB // comment\nF TIR#2 - CIP #3",
)
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
