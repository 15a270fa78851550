"""The judge that runs in a page: its requests, and the bundle that a page takes along.

``docs/page-judge.md`` explains the bundle, how it is built, and what a page may ask.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import fields
from functools import cache
from importlib import resources
from typing import Any, ClassVar, Final

from alexmagnum.board.geography import Border, Coast, Portage, Province, River, Strait
from alexmagnum.board.model import Board, Power, Rules
from alexmagnum.campaign import eliminated, ending, next_position, position_after
from alexmagnum.cases import conversation
from alexmagnum.cases.json_values import JsonValue, to_json
from alexmagnum.errors import BadJson
from alexmagnum.i18n.sentences import Sentences, load_sentences
from alexmagnum.judge import adjudicate
from alexmagnum.judge.checking import check_orders
from alexmagnum.judge.explanation import format_need, format_reason, list_steps
from alexmagnum.judge.options import all_legal_orders, legal_orders_of
from alexmagnum.judge.other_phases import count_adjustments
from alexmagnum.judge.outcome import WANTED, Fate, Outcome
from alexmagnum.notation import describe_order, order_in, read_orders, read_unit, write_order
from alexmagnum.notation.names import find_province, localize_labels
from alexmagnum.notation.words import Line
from alexmagnum.orders import Order
from alexmagnum.position import Position, Unit, own_switches
from alexmagnum.whatif.flips import (
    Flip,
    Flips,
    flips_as_data,
    format_change,
    format_result,
    write_in_language,
)
from alexmagnum.whatif.safety import Goal, PlanSearch, Survey, plan_as_data, verdicts_as_data


@cache
def load_bundle() -> str:
    """Return the bundle: plain letters and signs, which a page takes along as they are.

    It holds all code of the judge and nothing of a game.
    """
    return resources.files(__name__).joinpath("bundle.txt").read_text(encoding="ascii")


# A board as plain data, which a page takes along, and the board of such data.
#
# Unlike a map file it is checked already, and has every field as the judge reads it.


_KINDS: Mapping[str, type] = {
    "provinces": Province,
    "powers": Power,
    "borders": Border,
    "rivers": River,
    "portages": Portage,
    "straits": Strait,
    "coasts": Coast,
}
"""By field of the board, the kind of the values that it lists."""

_BY_ID = ("provinces", "powers")


def write_board(board: Board) -> dict[str, Any]:
    """Return a board as data of JSON.

    ``own_switches`` in it: the switches that this map of the package has by itself, empty for any
    other map; texts of positions name those that differ.
    """
    data: dict[str, Any] = {"own_switches": dict(own_switches(board))}
    for name in (field.name for field in fields(Board)):
        value = getattr(board, name)
        if name in _KINDS:
            listed = value.values() if isinstance(value, Mapping) else value
            data[name] = [_write_value(entry) for entry in listed]
        else:
            data[name] = _write_value(value) if name == "rules" else _write_part(value)
    data["geometry"] = ""  # the path of a file on the machine where the page was made
    return data


def _write_value(value: Any) -> list[Any]:
    """Return the content of a value, field by field."""
    return [_write_part(getattr(value, field.name)) for field in fields(value)]


def _write_part(part: Any) -> Any:
    if isinstance(part, tuple):
        return [_write_part(entry) for entry in part]
    return dict(part) if isinstance(part, Mapping) else part


def read_board(data: Mapping[str, Any]) -> Board:
    """Return the board of data that :func:`write_board` made.

    Raises:
        KeyError, TypeError: the data is of another kind.
    """
    parts: dict[str, Any] = {}
    for field in fields(Board):
        value = data[field.name]
        if field.name in _KINDS:
            kind = _KINDS[field.name]
            values = [kind(*map(_read_part, entry)) for entry in value]
            parts[field.name] = _list_values(field.name, values)
        elif field.name == "rules":
            parts[field.name] = Rules(*value)
        else:
            parts[field.name] = _read_part(value)
    return Board(**parts)


def _list_values(name: str, values: list[Any]) -> Any:
    if name in _BY_ID:
        return {value.id: value for value in values}
    return {value.code: value for value in values} if name == "coasts" else tuple(values)


def _read_part(part: Any) -> Any:
    if isinstance(part, list):
        return tuple([_read_part(entry) for entry in part])
    return part


# What would flip an order, for a page: changes of one unit's order, told as they are found.


Progress = Callable[[Mapping[str, Any]], None]


def find_flips(
    position: Position,
    orders: Mapping[str, Sequence[Order]],
    unit: Unit,
    sentences: Sentences,
    progress: Progress | None,
) -> dict[str, Any]:
    """Return the changes of one unit's order that give an order another result.

    As ``whatif --flip`` does, changes by other powers are given first; then, if the order fails,
    those by its own power that let it succeed.  ``progress`` is called with the ``part`` that is
    done, and with each change as it is ``found``, ``by`` others or its own power.

    Raises:
        BadJson: the phase is not one of movement.
    """
    if position.phase.kind != "movement":
        raise BadJson("page-flips-movement", "position")
    flips = Flips(position, orders, unit)
    others = [power for power in position.board.powers if power != unit.power]
    answer = {**_describe_question(flips, sentences), "others": [], "own": None}
    searches: list[tuple[str, Collection[str], Collection[str]]] = [("others", others, ())]
    if flips.result not in WANTED:
        answer["own"] = []
        searches.append(("own", [unit.power], WANTED))
    for number, (by, powers, wanted) in enumerate(searches):
        if progress is not None:
            flips.watch = _watch(progress, number, len(searches))
        for flip in flips.search(powers, wanted=wanted, most=1):
            found = _describe_flip(flips, flip, sentences)
            answer[by].append(found)
            if progress is not None:
                progress({"by": by, "found": found})
    return answer


def _watch(progress: Progress, number: int, searches: int) -> Callable[[float], None]:
    """Return what shows the progress of one of several searches as a part of them all."""
    return lambda part: progress({"part": (number + part) / searches})


def _describe_question(flips: Flips, sentences: Sentences) -> dict[str, Any]:
    """Return the order in question with its result and the reason, in words too."""
    name = flips.position.name(flips.unit)
    text = name if flips.order is None else write_in_language(flips.order, sentences)
    return {
        "unit": name,
        "order": None if flips.order is None else write_order(flips.order),
        "result": flips.result,
        "text": f"{text}: {format_result(flips.outcome, flips.unit, sentences)}",
    }


def _describe_flip(flips: Flips, flip: Flip, sentences: Sentences) -> dict[str, Any]:
    text = format_change(flip.changes[0], flips.position, sentences)
    return {"text": text, **flips_as_data(flips, [flip], sentences)[0]}


# The requests that a page asks of its judge (``docs/page-judge.md``).
#
# The same file answers in a page, in Node and in Python, so that all of it can be tested without
# a browser. Requests that the engine knows too are those of :mod:`alexmagnum.cases.conversation`.


FATES: Final = "fates"
"""The part of an outcome with the result of every unit, also of those without an order."""

_MOST_CASES: Final = 150
_SAMPLE: Final = 200
"""The cases and the drawn sets of a page: fewer than the command has, which is much faster."""

FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    **conversation.SHARED_FIELDS,
    "check": ("orders", *conversation.POSITION_FIELDS),
    "next_phase": ("orders", *conversation.POSITION_FIELDS),
    "options": ("power", *conversation.POSITION_FIELDS),
    "read_orders": ("text", "power", *conversation.POSITION_FIELDS),
    "write_orders": ("orders", *conversation.POSITION_FIELDS),
    "explain": ("orders", "unit", *conversation.POSITION_FIELDS),
    "flips": ("orders", "unit", *conversation.POSITION_FIELDS),
    "survey": ("orders", "power", "against", "take", "hold", *conversation.POSITION_FIELDS),
}
"""By operation, the fields that a request may have beside the common ones."""


class PageJudge(conversation.Conversation):
    """One conversation of a page with its judge.

    ``progress`` is called with what is known before the answer to a request that takes long.
    """

    fields: ClassVar[Mapping[str, tuple[str, ...]]] = FIELDS
    progress: Progress | None = None

    def carry_out(
        self, request: Mapping[str, Any], current: conversation.PositionInUse | None
    ) -> dict[str, Any]:
        """Carry out a request and return the fields of its answer."""
        op = request["op"]
        if op in conversation.SHARED_FIELDS and op != "position":
            return super().carry_out(request, current)
        if current is None:
            raise BadJson("engine-no-position", "")
        lang = request.get("lang", self.lang)
        if op == "position":
            return _describe(current.position)
        if op == "options":
            return _list_options(request, current.position)
        if op == "read_orders":
            return _read_text(request, current.position, load_sentences(lang))
        orders = conversation.read_set(conversation.field_of(request, "orders"), current)
        if op == "flips":
            unit = _read_unit(request, current.position)
            return find_flips(current.position, orders, unit, load_sentences(lang), self.progress)
        if op == "survey":
            return self.survey(request, current.position, orders, load_sentences(lang))
        if op == "check":
            return {"checks": _check(orders, current.position, load_sentences(lang))}
        if op == "write_orders":
            return {"orders": _write_orders(orders, current.position, lang)}
        outcome = adjudicate(current.position, orders)
        if op == "next_phase":
            return _go_on(outcome)
        return {"steps": _explain(request, outcome, load_sentences(lang))}

    def survey(
        self,
        request: Mapping[str, Any],
        position: Position,
        orders: Mapping[str, Sequence[Order]],
        sentences: Sentences,
    ) -> dict[str, Any]:
        """Return how safe the orders of a power are, or the best plan for what it wants."""
        if position.phase.kind != "movement":
            raise BadJson("page-flips-movement", "position")
        board, asks = position.board, {"take": [], "hold": [], **request}
        take, hold = (
            conversation.field_of(asks, part).each(lambda each: find_province(each.of(str), board))
            for part in ("take", "hold")
        )
        goal = Goal(take, hold)
        power = _check_power(conversation.field_of(request, "power"), position)
        against = conversation.field_of(request, "against").each(
            lambda each: _check_power(each, position)
        )
        sides = position, orders, power, against
        asked = PlanSearch(*sides, goal) if any(goal) else Survey(*sides)
        for reached in asked.run(most_cases=_MOST_CASES, sample=_SAMPLE):
            if self.progress is not None:
                self.progress({"part": reached.part})
        if isinstance(asked, PlanSearch):
            return plan_as_data(asked, sentences)
        return verdicts_as_data(asked)

    def adjudicate(
        self, request: Mapping[str, Any], current: conversation.PositionInUse
    ) -> dict[str, Any]:
        """Return the wanted parts of the outcome of orders."""
        wanted = conversation.read_wanted(request, (*conversation.PARTS, FATES))
        orders = conversation.read_set(conversation.field_of(request, "orders"), current)
        outcome = adjudicate(current.position, orders)
        parts = self.describe(outcome, wanted, request)
        if FATES in wanted:
            sentences = load_sentences(request.get("lang", self.lang))
            parts[FATES] = [
                _describe_fate(fate, outcome.position, sentences)
                for unit in sorted(_list_judged(outcome.position))
                for fate in outcome.fates(unit)
            ]
        return parts


def _describe(position: Position) -> dict[str, Any]:
    """Return a position as text, as an object, and what its phase asks for."""
    board = position.board
    described = conversation.describe_position(position)
    described["json"] = to_json(position)
    described["kind"] = position.phase.kind
    described["centres"] = {power: list(position.centres_of(power)) for power in board.powers}
    described["nobility"] = {power: position.points_of(power) for power in board.powers}
    if position.phase.kind in ("winter", "deployment"):
        described["adjust"] = dict(count_adjustments(position))
    return described


# -- outcomes --------------------------------------------------------------------------------------


def _list_judged(position: Position) -> tuple[Unit, ...]:
    """Return the units that an outcome has a result of: in retreats those on the board too."""
    if position.phase.kind == "movement":
        return position.units
    return (*position.units, *(d.unit for d in position.dislodged))


def _describe_fate(fate: Fate, position: Position, sentences: Sentences) -> dict[str, Any]:
    reason = fate.reason
    return {
        "power": fate.unit.power,
        "unit": position.name(fate.unit),
        "order": None if fate.order is None else write_order(fate.order),
        "result": fate.result,
        "code": reason.code,
        "text": format_reason(reason, position, sentences),
        "causes": [position.name(unit) for unit in reason.causes],
    }


def _explain(
    request: Mapping[str, Any], outcome: Outcome, sentences: Sentences
) -> list[dict[str, Any]]:
    """Return the result of a unit with its chain of causes, each with its depth."""
    position = outcome.position
    steps = list_steps(outcome, _read_unit(request, position))
    described = [{"depth": d, **_describe_fate(fate, position, sentences)} for d, fate in steps]
    described[0]["need"] = format_need(steps[0].fate.reason, position, sentences)
    return described


def _read_unit(request: Mapping[str, Any], position: Position) -> Unit:
    text = conversation.field_of(request, "unit").of(str)
    return position.names.get(text) or read_unit(text, position)[0]


def _go_on(outcome: Outcome) -> dict[str, Any]:
    """Return the position before the next phase, or how the game ends with this one."""
    found = ending(outcome)
    if found is not None:
        described = _describe(position_after(outcome)) | {"position": None}
        end = {"winners": list(found.winners), "by_centres": found.by_centres}
        return {"ending": end, "eliminated": list(eliminated(outcome)), **described}
    position = next_position(outcome)
    assert position is not None
    return {"ending": None, "eliminated": list(eliminated(outcome)), **_describe(position)}


# -- orders ----------------------------------------------------------------------------------------


def _list_options(request: Mapping[str, Any], position: Position) -> dict[str, Any]:
    """Return every legal order in canonical notation: by power, and in each by unit.

    Orders that belong to no unit, such as builds, are under "".
    """
    asked = _read_power(request, position)
    powers = list(position.board.powers) if asked is None else [asked]
    listed: dict[str, dict[str, list[str]]] = {power: {} for power in powers}
    if position.phase.kind == "movement" and asked is None:
        for unit, orders in all_legal_orders(position).items():
            if orders and unit.power in listed:
                listed[unit.power][position.name(unit)] = [write_order(o) for o in orders]
        return {"options": listed}
    for power in powers:
        for order in legal_orders_of(position, power):
            name = getattr(order, "unit", "")
            key = name if name in position.names else ""
            listed[power].setdefault(key, []).append(write_order(order))
    return {"options": listed}


def _read_power(request: Mapping[str, Any], position: Position) -> str | None:
    if request.get("power") is None:
        return None
    return _check_power(conversation.field_of(request, "power"), position)


def _check_power(value: JsonValue, position: Position) -> str:
    power: str = value.data
    if power not in position.board.powers:
        known = ", ".join(position.board.powers)
        raise BadJson("json-bad-word", value.where, word=str(power)[:80], known=known)
    return power


def _read_text(
    request: Mapping[str, Any], position: Position, sentences: Sentences
) -> dict[str, Any]:
    """Return the orders of a text as people write it, and what each line was read as."""
    text = conversation.field_of(request, "text").of(str)
    board, reading = position.board, read_orders(text, position, _read_power(request, position))
    return {
        "orders": {
            owner: [write_order(order) for order in orders]
            for owner, orders in reading.orders.items()
        },
        "lines": [
            _describe_line(line, board, sentences) for line in reading.lines if not line.prose
        ],
    }


def _describe_line(line: Line, board: Board, sentences: Sentences) -> dict[str, Any]:
    described: dict[str, Any] = {"number": line.number, "text": line.text, "power": line.power}
    described["order"] = None if line.order is None else write_order(line.order)
    described["replaced"] = line.replaced
    described["notices"] = [
        localize_labels(sentences.format(notice.code, **notice.data), board, sentences.lang)
        for notice in line.notices
        if notice.code != "whose-unit"  # people paste everybody's orders: the map shows whose it is
    ]
    if line.error is not None:
        described["error"] = {
            "code": line.error.code,
            "message": sentences.error(line.error),
            "suggestions": sentences.suggestions(line.error),
        }
    return described


def _check(
    orders: Mapping[str, list[Order]], position: Position, sentences: Sentences
) -> dict[str, list[dict[str, Any]]]:
    """Return what the check of orders says of each one, with what may have been meant instead."""
    checks: dict[str, list[dict[str, Any]]] = {power: [] for power in orders}
    for check in check_orders(position, orders):
        reason = check.reason
        checks[check.power].append(
            {
                "order": write_order(check.order),
                "verdict": check.verdict,
                "text": "" if reason is None else format_reason(reason, position, sentences),
                "warnings": [format_reason(each, position, sentences) for each in check.warnings],
                "suggestions": [write_order(each) for each in check.suggestions],
            }
        )
    return checks


def _write_orders(
    orders: Mapping[str, list[Order]], position: Position, lang: str
) -> dict[str, list[dict[str, str]]]:
    """Return orders in canonical notation, in the words of a language, and as sentences."""
    return {
        power: [
            {
                "order": write_order(order),
                "text": order_in(write_order(order), lang),
                "sentence": describe_order(order, position.board, lang),
            }
            for order in listed
        ]
        for power, listed in orders.items()
    }
