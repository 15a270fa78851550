"""Boards, positions, orders and outcomes are values: they cannot change, and compare by content."""

import copy
import json
import pickle
import subprocess
import sys
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import networkx
import pytest

from alexmagnum.board import Board, load_board
from alexmagnum.board.map_file import find_map
from alexmagnum.campaign import first_position, next_position
from alexmagnum.judge import Outcome, adjudicate
from alexmagnum.orders import Move, Order
from alexmagnum.play import play_game
from alexmagnum.position import Dislodged, Phase, Position, Unit
from alexmagnum.units import UnitTables
from tests.scenarios import PROFILES, seeded
from tests.sizes import one_in

MAPS = ("standard", "alexmagnum")


def _own_map(folder: Path) -> Board:
    """Return a board that does not come with the package."""
    data = json.loads(find_map("standard").read_text(encoding="utf-8"))
    path = folder / "mine.json"
    path.write_text(json.dumps({**data, "id": "mine"}), encoding="utf-8")
    return load_board(path)


def _outcomes() -> list[Outcome]:
    """Return an outcome of each kind of phase, on both maps."""
    kinds: dict[tuple[str, str], Outcome] = {}
    for name in MAPS:
        for played in play_game(load_board(name), 5, years=4):
            kinds.setdefault((name, played.outcome.position.phase.kind), played.outcome)
    assert {kind for _, kind in kinds} == {"picks", "deployment", "movement", "retreats", "winter"}
    return list(kinds.values())


OUTCOMES = _outcomes()


@pytest.mark.parametrize("name", MAPS)
def test_two_loads_of_a_map_are_equal(name: str) -> None:
    one, other = load_board(name), load_board(name)
    assert one is not other
    assert (one, hash(one), one.digest) == (other, hash(other), other.digest)
    assert first_position(one) == first_position(other)
    assert {first_position(one): "found"}[first_position(other)] == "found"


@pytest.mark.parametrize("outcome", OUTCOMES, ids=lambda o: str(o.position.phase))
def test_a_position_is_the_same_however_it_is_listed(outcome: Outcome) -> None:
    one = outcome.position
    other = replace(
        one,
        units=one.units[::-1],
        dislodged=one.dislodged[::-1],
        homes={power: one.homes[power][::-1] for power in reversed(list(one.homes))},
        owners=dict(reversed(list(one.owners.items()))),
    )

    assert (other, hash(other), other.to_text()) == (one, hash(one), one.to_text())
    orders: dict[str, list[Order]] = {}
    for entry in outcome.results:
        orders.setdefault(entry.power, []).append(entry.order)
    assert adjudicate(other, orders) == outcome
    for change in (
        {"units": (*one.units[1:], Unit("NEU", "A", "XYZ"))},
        {"units": one.units * 2 or (Unit("NEU", "A", "XYZ"),)},
        {"homes": {**one.homes, "TOL": ("XYZ",)}},
        {"owners": {**one.owners, "XYZ": "TOL"}},
        {"nobility": {**one.nobility, "TOL": 99}},
        {"phase": Phase(1, "winter")},
        {"board": one.board.with_rules({"victory_centres": 3})},
    ):
        assert replace(one, **change) != one
    assert one != "a position"


@pytest.mark.parametrize("outcome", OUTCOMES, ids=lambda o: str(o.position.phase))
def test_an_order_listed_twice_is_replaced_whether_it_is_the_same_object_or_an_equal_one(
    outcome: Outcome,
) -> None:
    twice: dict[str, list[Order]] = {}
    for entry in outcome.results:
        twice.setdefault(entry.power, []).extend([entry.order, entry.order])
    equal = {power: [replace(order) for order in listed] for power, listed in twice.items()}

    one, other = (adjudicate(outcome.position, orders) for orders in (twice, equal))

    assert one == other
    assert one.reasons == other.reasons
    if outcome.position.phase.kind in ("movement", "retreats", "picks"):
        assert all(reason.code == "replaced" for reason in one.reasons[::2])
        assert one.results[1::2] == outcome.results


def test_boards_with_other_rules_or_another_map_differ() -> None:
    board = load_board("alexmagnum")
    assert board != board.with_rules({"sea_capacity": 2})
    assert board.with_rules({"sea_capacity": 2}) == board.with_rules({"sea_capacity": 2})
    assert board.with_rules({"sea_capacity": 2}).with_rules({"sea_capacity": 3}) == board
    assert board != load_board("standard")
    assert board != replace(board, borders=board.borders[1:])


def test_nothing_in_a_position_can_be_changed() -> None:
    owners, homes = {"VIE": "Austria"}, {"Austria": ("VIE",)}
    position = Position(load_board("standard"), Phase(1901, "spring"), (), owners, homes)
    owners["VIE"] = "Italy"

    assert position.owners["VIE"] == "Austria"
    for mapping in (position.owners, position.homes, position.nobility, position.board.provinces):
        held: Any = mapping
        for method, arguments in (
            ("__setitem__", ("VIE", "Italy")),
            ("__delitem__", ("VIE",)),
            ("update", ({"VIE": "Italy"},)),
            ("setdefault", ("x", "y")),
            ("pop", ("VIE", None)),
            ("popitem", ()),
            ("clear", ()),
        ):
            with pytest.raises(TypeError, match="cannot be changed"):
                getattr(held, method)(*arguments)
    names: Any = position.board.provinces["VIE"].names
    with pytest.raises(TypeError):
        names["en"] = "Wien"
    with pytest.raises(AttributeError):
        position.units = ()  # type: ignore[misc]


@pytest.mark.parametrize("outcome", OUTCOMES, ids=lambda o: str(o.position.phase))
def test_nothing_in_an_outcome_can_be_changed(outcome: Outcome) -> None:
    with pytest.raises(AttributeError):
        outcome.position = outcome.position  # type: ignore[misc]
    for mapping in (outcome.adjust, outcome.nobility):
        held: Any = mapping
        with pytest.raises(TypeError):
            held["TOL"] = 3


def _list_parts(value: object, found: dict[int, object]) -> dict[int, object]:
    """Collect a value and all that can be reached from it by public names, keys and items."""
    if id(value) in found or isinstance(value, (str, int, bytes, float, type(None), type)):
        return found
    found[id(value)] = value
    inner: list[object] = []
    if isinstance(value, Mapping):
        inner += [*value.keys(), *value.values()]
    elif isinstance(value, Iterable):
        inner += value
    if type(value).__module__.startswith("alexmagnum"):
        names = [name for name in dir(value) if name[0] != "_"]
        inner += [part for name in names if not callable(part := getattr(value, name))]
    for part in inner:
        _list_parts(part, found)
    return found


CHANGES = {
    list: ("append", 1),
    dict: ("update", {"VIE": 1}),
    set: ("add", 1),
    networkx.Graph: ("add_node", "VIE"),
}
"""By kind of container that can be changed, a method that does so."""


@pytest.mark.parametrize("outcome", one_in(4, OUTCOMES), ids=lambda o: str(o.position.phase))
def test_nothing_that_can_be_reached_can_be_changed(outcome: Outcome) -> None:
    board = outcome.position.board
    assert board.army_graph
    assert board.fleet_graph
    parts = _list_parts(outcome, {})

    assert id(board.provinces) in parts
    # What the judge looks up for itself: plain dictionaries are twice as fast as locked ones.
    parts.pop(id(board.tables.posts))
    parts.pop(id(outcome.position.tables.by_name), None)
    for part in parts.values():
        for kind, (method, argument) in CHANGES.items():
            if isinstance(part, kind):
                with pytest.raises((TypeError, networkx.NetworkXError)):
                    getattr(part, method)(argument)
        if type(part).__module__.startswith("alexmagnum") and not isinstance(part, UnitTables):
            for name in [name for name in dir(part) if name[0] != "_"]:
                with pytest.raises((AttributeError, TypeError)):
                    setattr(part, name, 1)
                with pytest.raises((AttributeError, TypeError)):
                    delattr(part, name)


@pytest.mark.parametrize("outcome", OUTCOMES, ids=lambda o: str(o.position.phase))
def test_outcomes_and_positions_survive_pickle_and_copies(outcome: Outcome) -> None:
    for value in (outcome.position, outcome):
        for other in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
            assert other == value
            assert hash(other) == hash(value)
    again = pickle.loads(pickle.dumps(outcome))
    assert (again.reasons, again.units, again.dislodged) == (
        outcome.reasons,
        outcome.units,
        outcome.dislodged,
    )


@pytest.mark.parametrize("profile", PROFILES)
def test_scenarios_survive_pickle(profile: str) -> None:
    for number in range(10):
        scenario = seeded(profile, 11, number)
        outcome = adjudicate(scenario.position, scenario.orders)
        again = pickle.loads(pickle.dumps(outcome))
        assert (again, again.reasons, hash(again)) == (outcome, outcome.reasons, hash(outcome))


def test_a_position_is_small_in_a_pickle() -> None:
    vienna, rome = Unit("Austria", "A", "VIE"), Unit("Italy", "A", "ROM")
    position = Position(load_board("standard"), Phase(1901, "spring"), (vienna, rome))
    assert len(pickle.dumps(position)) < 1500
    assert len(pickle.dumps(adjudicate(position, {"Italy": [Move("A ROM", "VEN")]}))) < 2000


def test_a_map_of_somebodys_own_travels_whole(tmp_path: Path) -> None:
    board = _own_map(tmp_path)
    position = first_position(board)

    again = pickle.loads(pickle.dumps(position))

    assert again == position
    assert again.board.with_rules({"victory_centres": 3}) == board.with_rules(
        {"victory_centres": 3}
    )


def test_another_process_reads_a_pickle(tmp_path: Path) -> None:
    outcome = OUTCOMES[0]
    path = tmp_path / "outcome.pickle"
    path.write_bytes(pickle.dumps((outcome, first_position(_own_map(tmp_path)))))
    program = (
        "import pickle, sys; outcome, position = pickle.load(open(sys.argv[1], 'rb')); "
        "print(outcome.position.phase, position.board)"
    )

    printed = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True
    )

    assert printed.stdout.strip() == f"{outcome.position.phase} Board('mine')"


def test_a_pickle_of_a_map_that_has_changed_is_refused() -> None:
    position = first_position(load_board("standard"))
    stored = pickle.dumps(position).replace(position.board.digest.encode(), b"0" * 64)

    with pytest.raises(pickle.UnpicklingError, match="has changed"):
        pickle.loads(stored)


@pytest.mark.proof
def test_threads_share_a_position() -> None:
    scenarios = [seeded("medley", 3, number) for number in range(40)]
    alone = [adjudicate(s.position, s.orders) for s in scenarios]

    with ThreadPoolExecutor(8) as pool:
        together = list(
            pool.map(
                lambda s: adjudicate(s.position, s.orders), [s for s in scenarios for _ in "ab"]
            )
        )

    assert together == [outcome for outcome in alone for _ in "ab"]


def test_units_dislodged_and_orders_are_keys() -> None:
    unit = Unit("Austria", "A", "VIE")
    values = [unit, Dislodged(unit, unit, ("BOH",)), Move("A VIE", "BOH"), Phase(1901, "spring")]
    assert len({*values, *copy.deepcopy(values), *pickle.loads(pickle.dumps(values))}) == len(
        values
    )


def test_the_next_position_of_equal_outcomes_is_equal() -> None:
    first = first_position(load_board("standard"))
    again = first_position(load_board("standard"))
    assert next_position(adjudicate(first, {})) == next_position(adjudicate(again, {}))
