"""Requests to the judge and its answers, as data of JSON (``docs/engine.md``).

Open this file for what a request may ask.  A conversation remembers the position of the last
request that gave one, and answers every request, whatever is wrong with it.
:mod:`alexmagnum.cases.engine` reads and writes lines of text, :mod:`alexmagnum.page_judge`
answers the scripts of a page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from alexmagnum import __build__, __version__
from alexmagnum.board.map_file import known_maps, load_board
from alexmagnum.board.model import INDEPENDENT, Board, near
from alexmagnum.campaign import first_position
from alexmagnum.cases import json_values
from alexmagnum.errors import AlexMagnumError, BadJson, BadOrders, Fault, NotationError
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.judge import adjudicate
from alexmagnum.judge.outcome import Outcome
from alexmagnum.notation import NotationSettings, read_order
from alexmagnum.notation.names import find_power
from alexmagnum.notation.writer import CanonicalReader
from alexmagnum.orders import Order
from alexmagnum.position import Position

PROTOCOL: Final = 1
"""The version of the protocol; it rises when a field changes its meaning."""
STRICT: Final = NotationSettings(fuzzy="refuse")
"""A program that misspells a name has a bug: nothing is guessed."""
MOST_TEXTS: Final = 200_000
"""So many texts of orders are kept with what they mean."""

COMMON_FIELDS: Final = ("op", "id", "lang")
POSITION_FIELDS: Final = ("position", "map", "rules")
SHARED_FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "position": POSITION_FIELDS,
    "adjudicate": ("orders", "want", *POSITION_FIELDS),
    "help": (),
    "version": (),
}
"""By operation, the fields that a request may have beside the common ones."""

PARTS: Final = ("results", "reasons", "units", "dislodged", "destroyed", "nobility", "outcome")
"""The parts of an outcome that a request may want."""

OrderSet = dict[str, list[Order]]


class Misread(Exception):
    """An order text of a request that cannot be read, and where it is."""

    def __init__(self, where: str, error: AlexMagnumError) -> None:
        super().__init__(where)
        self.where = where
        self.error = error


class PositionInUse:
    """A position, and what was worked out for it."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.texts: dict[tuple[str, str], Order] = {}
        self.canonical = CanonicalReader(position) if position.phase.kind == "movement" else None


class Conversation:
    """One conversation, which remembers the position of the last good request that gave one.

    ``fields``: by operation, the fields that a request may have beside the common ones;
    ``board``: the map that positions are of; without it, those of the package are known.
    """

    fields: ClassVar[Mapping[str, tuple[str, ...]]] = SHARED_FIELDS

    def __init__(self, lang: str = "en", board: Board | None = None) -> None:
        self.lang = lang
        self.board = board
        self.current: PositionInUse | None = None

    def reply(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to a request."""
        try:
            check_common(request, self.fields)
            current = self.current
            if any(field in request for field in POSITION_FIELDS):
                current = PositionInUse(_read_position(request, self.board))
            answer = {"id": request.get("id"), "ok": True, **self.carry_out(request, current)}
            self.current = current
            return answer
        except Misread as error:
            return self.refuse(request, error.error, error.where)
        except AlexMagnumError as error:
            return self.refuse(request, error)
        except RecursionError:
            return self.refuse(request, BadJson("engine-too-deep", ""))
        except Exception as error:  # whatever it is, the next request is answered
            why = f"{type(error).__name__}: {error}"
            return self.refuse(request, BadJson("engine-internal", "", why=why[:200]))

    def refuse(
        self, request: Mapping[str, Any], error: AlexMagnumError, where: str = ""
    ) -> dict[str, Any]:
        """Return the answer that says what is wrong with a request."""
        given, lang = request.get("id"), request.get("lang")
        sentences = load_sentences(lang if lang in LANGUAGES else self.lang)
        data: dict[str, Any] = {"code": error.code, "message": sentences.error(error)}
        where = where or getattr(error, "where", "")
        if where:
            data["where"] = where
        if isinstance(error, NotationError) and error.suggestions:
            data["suggestions"] = sentences.suggestions(error)
        faults: Sequence[Fault] = getattr(error, "faults", ())
        if faults:
            data["faults"] = [
                {
                    "where": fault.where,
                    "code": fault.code,
                    "message": sentences.format(fault.code, **fault.data),
                }
                for fault in faults
            ]
        return {"id": given if _is_id(given) else None, "ok": False, "error": data}

    def carry_out(
        self, request: Mapping[str, Any], current: PositionInUse | None
    ) -> dict[str, Any]:
        """Carry out a request and return the fields of its answer."""
        if (op := request["op"]) == "version":
            return {"version": __version__, "build": __build__, "protocol": PROTOCOL}
        if op == "help":
            return self.help(request.get("lang", self.lang))
        if current is None:
            raise BadJson("engine-no-position", "")
        if op == "position":
            return describe_position(current.position)
        return self.adjudicate(request, current)

    def help(self, lang: str) -> dict[str, Any]:
        return {
            "help": load_sentences(lang).format("engine-help"),
            "fields": {op: [*COMMON_FIELDS, *fields] for op, fields in self.fields.items()},
            "want": list(PARTS),
            "maps": list(known_maps()),
        }

    # -- outcomes --------------------------------------------------------------------------------

    def adjudicate(self, request: Mapping[str, Any], current: PositionInUse) -> dict[str, Any]:
        wanted = read_wanted(request, PARTS)
        orders = read_set(field_of(request, "orders"), current)
        return self.describe(adjudicate(current.position, orders), wanted, request)

    def describe(
        self, outcome: Outcome, wanted: Sequence[str], request: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return the wanted parts of an outcome."""
        parts: dict[str, Any] = {}
        for part in PARTS:
            if part == "reasons" and part in wanted:
                sentences = load_sentences(request.get("lang", self.lang))
                entries = json_values.list_reasoned_results(outcome, sentences)
                parts[part] = [{"code": one["reason"], "text": one["why"]} for one in entries]
            elif part in wanted:
                parts[part] = json_values.write_part(outcome, part)
        return parts


# -- the position and its orders -------------------------------------------------------------------


def read_set(value: json_values.JsonValue, current: PositionInUse) -> OrderSet:
    """Return the orders of a request by power."""
    listed: OrderSet = {}
    for name in value.of(dict):
        power = _find_power(current.position, name, value.where)
        orders = [_read_order(entry, power, current) for entry in value.key(name).entries()]
        listed.setdefault(power, []).extend(orders)
    return listed


def _read_order(value: json_values.JsonValue, power: str, current: PositionInUse) -> Order:
    if isinstance((text := value.data), str):
        return current.texts.get((power, text)) or _read_text(text, power, value.where, current)
    order = json_values.read_value(value)
    if not isinstance(order, Order):
        raise BadJson("engine-not-an-order", value.where)
    return order


def _read_text(text: str, power: str, where: str, current: PositionInUse) -> Order:
    order = current.canonical.read(text, power) if current.canonical is not None else None
    if order is None:
        try:
            owner = None if power == INDEPENDENT else power
            order = read_order(text, current.position, owner, settings=STRICT)
        except NotationError as error:
            raise Misread(where, error) from None
    if len(current.texts) > MOST_TEXTS:
        current.texts.clear()
    current.texts[power, text] = order
    return order


# -- reading a request -----------------------------------------------------------------------------


def check_common(request: Mapping[str, Any], fields: Mapping[str, tuple[str, ...]]) -> None:
    """Check operation, id and language, and that there are no other fields than the known."""
    if not _is_id(request.get("id")):
        raise BadJson("json-bad-type", "id", expected="text or whole number")
    if (lang := request.get("lang", "en")) not in LANGUAGES:
        raise BadJson("json-bad-word", "lang", word=str(lang)[:80], known=", ".join(LANGUAGES))
    if (op := field_of(request, "op").of(str)) not in fields:
        raise BadJson("json-bad-word", "op", word=op[:80], known=", ".join(fields))
    for field in request:
        if field not in COMMON_FIELDS and field not in fields[op]:
            raise BadJson("json-unknown-key", "", key=field[:80])


def _is_id(value: object) -> bool:
    return value is None or type(value) is str or type(value) is int


def field_of(request: Mapping[str, Any], field: str) -> json_values.JsonValue:
    return json_values.JsonValue(request, "").key(field)


def read_wanted(request: Mapping[str, Any], known: Sequence[str]) -> list[str]:
    wanted = json_values.JsonValue(request.get("want", ["results"]), "want").of(list)
    for i, word in enumerate(wanted):
        if word not in known:
            raise BadJson(
                "json-bad-word", f"want[{i}]", word=str(word)[:80], known=", ".join(known)
            )
    return wanted


def _read_position(request: Mapping[str, Any], known: Board | None) -> Position:
    board = _read_board(request, known)
    if "position" not in request:
        if board is None:
            raise BadJson("json-missing-key", "", key="map")
        return first_position(board)
    given = field_of(request, "position")
    if isinstance(given.data, str):
        return Position.from_text(given.data, board)
    value = json_values.read_value(given, board)
    if not isinstance(value, Position):
        raise BadJson("engine-not-a-position", "position")
    return value


def _read_board(request: Mapping[str, Any], known: Board | None) -> Board | None:
    """Return the map that a request names, with its switches; ``known`` if it names none."""
    rules = json_values.JsonValue(request.get("rules", {}), "rules").of(dict)
    if "map" in request:
        name = field_of(request, "map").of(str)
        if known is not None and name == known.id:
            return known.with_rules(rules)
        return load_board(name, rules)
    if rules:
        raise BadJson("json-missing-key", "", key="map")
    return known


def _find_power(position: Position, name: str, where: str) -> str:
    if name in (board := position.board).powers or name == INDEPENDENT:
        return name
    if not (power := find_power(board, name)):
        data = {"power": name[:80], "near": near(name, board.powers)}
        fault = Fault(f"{where}.{name[:80]}", "orders-of-nobody", data)
        raise BadOrders(str(position.phase), (fault,))
    return power


# -- writing an answer -----------------------------------------------------------------------------


def describe_position(position: Position) -> dict[str, Any]:
    return {
        "map": position.board.id,
        "phase": str(position.phase),
        "units": json_values.list_units(position.orderable),
        "position": position.to_text(),
    }
