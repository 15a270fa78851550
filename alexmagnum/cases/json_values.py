"""Positions, orders and outcomes as JSON, both ways.

The shapes are published as JSON Schemas: ``position.json``, ``order.json`` and ``outcome.json`` in
``alexmagnum/schemas``, built by ``tools/json_schemas.py``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, fields
from typing import Any, TypeVar, get_args

from alexmagnum.board.map_file import known_maps, load_board
from alexmagnum.board.model import Board, near, switch_faults
from alexmagnum.errors import BadJson, BadPosition
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge import adjudicate
from alexmagnum.judge.explanation import format_reason
from alexmagnum.judge.outcome import Outcome, PhaseOutcome
from alexmagnum.judge.results import MovementOutcome
from alexmagnum.notation import write_order
from alexmagnum.orders import Order
from alexmagnum.position import SEASONS, Dislodged, Phase, Position, Unit, own_switches
from alexmagnum.units import KINDS, names_of

T = TypeVar("T")

ORDER_KINDS: Mapping[str, type] = {kind.__name__.lower(): kind for kind in get_args(Order)}
"""The kinds of order by the word in their key ``type``."""

POSITION_KEYS = (
    "type",
    "map",
    "rules",
    "year",
    "season",
    "retreats",
    "period",
    "units",
    "owners",
    "homes",
    "nobility",
    "dislodged",
)
OUTCOME_KEYS = (
    "type",
    "position",
    "results",
    "units",
    "dislodged",
    "disbanded",
    "destroyed",
    "removed",
    "adjust",
    "nobility",
    "picks",
)
RESULT_KEYS = ("power", "unit", "order", "result", "reason")
REASON_KEYS = ("code", "units", "strength", "against", "powers", "place")
UNIT_KEYS = ("power", "kind", "province", "coast", "number")
DISLODGED_KEYS = ("unit", "by", "retreats")


# -- writing ---------------------------------------------------------------------------------------


def to_json(value: Position | Order | Outcome) -> dict[str, Any]:
    """Return a position, an order or an outcome as data that :func:`json.dumps` takes.

    Equal positions are written alike, however their units, owners and points are listed.

    >>> from alexmagnum.orders import Move
    >>> to_json(Move("A MEN", "TEB"))
    {'type': 'move', 'unit': 'A MEN', 'to': 'TEB', 'via_convoy': False}

    Raises:
        TypeError: the value is of another type; units are written with their position.
    """
    if isinstance(value, Position):
        return _position_data(value)
    if isinstance(value, Order):
        return {"type": type(value).__name__.lower(), **write_value(value)}
    if isinstance(value, MovementOutcome | PhaseOutcome):
        return _outcome_data(value)
    raise TypeError(f"to_json takes a position, an order or an outcome, not {value!r}")


def write_value(value: Any) -> Any:
    """Return a small value of the judge as data: its fields by name, and lists for tuples."""
    if isinstance(value, tuple):
        return [write_value(entry) for entry in value]
    if isinstance(value, Mapping):
        return dict(value)
    if value is None or isinstance(value, (str, int, bool)):  # bool is no int in a page
        return value
    return {field.name: write_value(getattr(value, field.name)) for field in fields(value)}


def _position_data(position: Position) -> dict[str, Any]:
    board, phase = position.board, position.phase
    own = own_switches(board)
    rules = {name: value for name, value in asdict(board.rules).items() if own.get(name) != value}
    return {
        "type": "position",
        "map": board.id,
        "rules": rules,
        "year": phase.year,
        "season": phase.season,
        "retreats": phase.retreats,
        "period": phase.period,
        "units": _units_data(position.units),
        "owners": dict(sorted(position.owners.items())),
        "homes": {power: sorted(homes) for power, homes in sorted(position.homes.items())},
        "nobility": dict(sorted(position.nobility.items())),
        "dislodged": _dislodged_data(position.dislodged),
    }


def _outcome_data(outcome: Outcome) -> dict[str, Any]:
    entries = list_results(outcome, asdict, to_json)
    return {
        "type": "outcome",
        "position": _position_data(outcome.position),
        "results": [
            {**entry, "reason": {key: write_value(getattr(reason, key)) for key in REASON_KEYS}}
            for entry, reason in zip(entries, outcome.reasons, strict=True)
        ],
        "units": _units_data(outcome.units),
        "dislodged": _dislodged_data(outcome.dislodged),
        "disbanded": _units_data(outcome.disbanded),
        "destroyed": _units_data(outcome.destroyed),
        "removed": _units_data(outcome.removed),
        "adjust": dict(outcome.adjust),
        "nobility": dict(outcome.nobility),
        "picks": write_value(outcome.picks),
    }


def _units_data(units: Iterable[Unit]) -> list[dict[str, Any]]:
    return [asdict(unit) for unit in sorted(units)]


def _dislodged_data(dislodged: Iterable[Dislodged]) -> list[dict[str, Any]]:
    return [write_value(d) for d in sorted(dislodged, key=lambda d: d.unit)]


# -- in the words of case files --------------------------------------------------------------------


def list_results(
    outcome: Outcome, unit: Callable[[Unit], Any], order: Callable[[Order], Any]
) -> list[dict[str, Any]]:
    """Return the entry of each order; ``unit`` and ``order`` say how these are written.

    Every form in which an outcome is written has these keys, or more.
    """
    return [
        {
            "power": entry.power,
            "unit": entry.unit and unit(entry.unit),
            "order": order(entry.order),
            "result": entry.result,
        }
        for entry in outcome.results
    ]


def list_reasoned_results(outcome: Outcome, sentences: Sentences) -> list[dict[str, Any]]:
    """Return the entry of each order in words, with the code of its reason and a sentence."""
    return [
        {**entry, "reason": reason.code, "why": format_reason(reason, outcome.position, sentences)}
        for entry, reason in zip(write_part(outcome, "results"), outcome.reasons, strict=True)
    ]


def write_part(outcome: Outcome, part: str) -> Any:
    """Return one part of an outcome, with units by their names and orders as texts."""
    name = outcome.position.name
    match part:
        case "results":
            return list_results(outcome, name, write_order)
        case "units":
            return list_units(outcome.units)
        case "dislodged":
            return [
                {
                    "power": d.unit.power,
                    "unit": name(d.unit),
                    "by": name(d.by),
                    "retreats": list(d.retreats),
                }
                for d in outcome.dislodged
            ]
        case "adjust" | "nobility":
            return dict(getattr(outcome, part))
        case "outcome":
            return to_json(outcome)
    return name_units(getattr(outcome, part), outcome.position)


def name_units(units: Iterable[Unit], position: Position) -> list[dict[str, str]]:
    """Return units of a position, each with its power and its name there."""
    return [{"power": unit.power, "unit": position.name(unit)} for unit in units]


def list_units(units: Iterable[Unit]) -> list[dict[str, str]]:
    """Return units that stand on a board together, each with its power and its name."""
    return [{"power": unit.power, "unit": name} for unit, name in names_of(units).items()]


# -- reading ---------------------------------------------------------------------------------------


def from_json(data: Any, board: Board | None = None) -> Position | Order | Outcome:
    """Return the position, order or outcome of data that :func:`to_json` made, or of its text.

    An outcome is adjudicated anew.  ``board``: needed for a map that does not come with the
    package.

    >>> from_json('{"type": "hold", "unit": "A MEN"}')
    Hold(unit='A MEN')

    Raises:
        BadJson: with the key at fault; also if the outcome is not that of its orders.
        BadPosition: the position is impossible, with every fault.
    """
    if isinstance(data, (str, bytes)):
        try:
            data = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise BadJson("json-unreadable", "", why=str(error)) from None
    return read_value(JsonValue(data, ""), board)


def read_value(value: JsonValue, board: Board | None = None) -> Position | Order | Outcome:
    """Return the position, order or outcome of a value; faults are named by their place in it."""
    if (kind := value.mapping().key("type").of(str)) == "position":
        return _read_position(value, board)
    return _read_outcome(value, board) if kind == "outcome" else _read_order(value)


_KINDS_OF_JSON = {str: "text", int: "number", bool: "true or false", list: "list", dict: "object"}


class JsonValue:
    """One value in data of JSON, with its place for messages."""

    def __init__(self, data: Any, where: str) -> None:
        self.data = data
        self.where = where

    def of(self, kind: type[T]) -> T:
        """Return the value, which must be of a type; true and false are no numbers."""
        if type(self.data) is not kind:
            raise BadJson("json-bad-type", self.where, expected=_KINDS_OF_JSON[kind])
        return self.data

    def mapping(self, known: Iterable[str] | None = None) -> JsonValue:
        """Check that the value is an object with exactly the known keys, if they are given."""
        data = self.of(dict)
        if known is not None:
            for key in data:
                if key not in known:
                    raise BadJson("json-unknown-key", self.where, key=str(key))
            for key in known:
                self.key(key)
        return self

    def key(self, key: str) -> JsonValue:
        if key not in self.data:
            raise BadJson("json-missing-key", self.where, key=key)
        return JsonValue(self.data[key], f"{self.where}.{key}" if self.where else key)

    def entries(self) -> list[JsonValue]:
        return [JsonValue(entry, f"{self.where}[{i}]") for i, entry in enumerate(self.of(list))]

    def each(self, read: Callable[[JsonValue], T]) -> tuple[T, ...]:
        return tuple([read(entry) for entry in self.entries()])

    def by_name(self, read: Callable[[JsonValue], T]) -> dict[str, T]:
        return {str(name): read(self.key(name)) for name in self.of(dict)}


def _texts(value: JsonValue) -> tuple[str, ...]:
    return value.each(lambda entry: entry.of(str))


def _read_order(value: JsonValue) -> Order:
    word = value.key("type").of(str)
    if (kind := ORDER_KINDS.get(word)) is None:
        known = ("position", "outcome", *ORDER_KINDS)
        raise BadJson(
            "json-unknown-type", value.key("type").where, word=word, near=near(word, known)
        )
    names = [field.name for field in fields(kind)]
    value.mapping(["type", *names])
    arguments: dict[str, Any] = {}
    for name in names:
        entry = value.key(name)
        if name == "via_convoy":
            arguments[name] = entry.of(bool)
        elif kind.__name__ == "Support" and name == "to" and entry.data is None:
            arguments[name] = None
        else:
            arguments[name] = entry.of(str)
    order: Order = kind(**arguments)
    return order


def _read_position(value: JsonValue, board: Board | None) -> Position:
    value.mapping(POSITION_KEYS)
    board = _read_board(value, board)
    position = Position(
        board,
        Phase(
            value.key("year").of(int),
            value.key("season").of(str),
            value.key("retreats").of(bool),
            value.key("period").of(int),
        ),
        value.key("units").each(_read_unit),
        value.key("owners").by_name(lambda owner: owner.of(str)),
        value.key("homes").by_name(_texts),
        value.key("nobility").by_name(lambda points: points.of(int)),
        value.key("dislodged").each(_read_dislodged),
    )
    season = value.key("season")
    if position.phase.season not in SEASONS:
        raise BadJson("json-bad-word", season.where, word=season.data, known=", ".join(SEASONS))
    if problems := position.problems():
        raise BadPosition("bad-position", str(position.phase), problems)
    return position


def _read_board(value: JsonValue, board: Board | None) -> Board:
    map_id = value.key("map").of(str)
    if board is None:
        if map_id not in known_maps():
            where = value.key("map").where
            raise BadJson("json-map", where, map=map_id, near=near(map_id, known_maps()))
        board = load_board(map_id)
    elif board.id != map_id:
        raise BadJson("json-other-map", value.key("map").where, map=map_id, board=board.id)
    rules = value.key("rules")
    switches = rules.of(dict)
    if faults := list(switch_faults(switches, rules.where)):
        raise BadJson("json-switch", faults[0].where, fault=str(faults[0]))
    return board.with_rules({**own_switches(board), **switches})


def _read_unit(value: JsonValue) -> Unit:
    value.mapping(UNIT_KEYS)
    if (kind := value.key("kind")).of(str) not in KINDS:
        raise BadJson("json-bad-word", kind.where, word=kind.data, known=", ".join(KINDS))
    power, _, province, coast = (value.key(key).of(str) for key in UNIT_KEYS[:-1])
    return Unit(power, kind.data, province, coast, value.key("number").of(int))


def _read_dislodged(value: JsonValue) -> Dislodged:
    value.mapping(DISLODGED_KEYS)
    return Dislodged(
        _read_unit(value.key("unit")), _read_unit(value.key("by")), _texts(value.key("retreats"))
    )


def _read_outcome(value: JsonValue, board: Board | None) -> Outcome:
    value.mapping(OUTCOME_KEYS)
    position = _read_position(value.key("position").mapping(), board)
    orders: dict[str, list[Order]] = {}

    def read_result(entry: JsonValue) -> None:
        entry.mapping(RESULT_KEYS)
        order = _read_order(entry.key("order").mapping())
        orders.setdefault(entry.key("power").of(str), []).append(order)

    value.key("results").each(read_result)
    outcome = adjudicate(position, orders)
    written = _outcome_data(outcome)
    for key in OUTCOME_KEYS:
        if key != "position" and _comparable(written[key]) != _comparable(value.data[key]):
            raise BadJson("json-other-outcome", value.key(key).where)
    return outcome


def _comparable(part: Any) -> Any:
    """Return a part as it is compared: in any order, without reasons, whose codes may change."""
    if isinstance(part, list):
        return sorted(
            json.dumps({k: v for k, v in entry.items() if k != "reason"}, sort_keys=True)
            if isinstance(entry, dict)
            else json.dumps(entry)
            for entry in part
        )
    return part
