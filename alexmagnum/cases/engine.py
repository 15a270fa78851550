"""The judge as a line protocol: a JSON request in, a JSON answer out (``docs/engine.md``).

It answers every line, whatever is wrong with it; :mod:`alexmagnum.cli.options` reads and writes the
lines.  :mod:`alexmagnum.cases.conversation` has the requests; here are those with many sets of
orders.  The shapes are published as ``engine-request.json`` and ``engine-answer.json`` in
``alexmagnum/schemas``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Final, NoReturn

from alexmagnum.builds import pause_collection
from alexmagnum.cases import conversation
from alexmagnum.cases.json_values import JsonValue, list_units
from alexmagnum.errors import AlexMagnumError, BadJson, BadOrders, Fault
from alexmagnum.files import DuplicateKeyError, refuse_duplicates
from alexmagnum.judge import resolve_phase
from alexmagnum.judge.batch import Batch, list_set
from alexmagnum.judge.order_sets import adjudicate_many
from alexmagnum.judge.outcome import RESULT_NAMES, Outcome
from alexmagnum.position import Position

LONGEST: Final = 32_000_000
"""The most bytes of a request."""
ARRAYS: Final = "arrays"
"""In place of parts of each outcome, one table of numbers for all."""
_KEPT: Final = frozenset(("results", "units", "dislodged"))
"""The parts that an outcome of a batch keeps; ``dislodged`` if no unit is."""
FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    **conversation.SHARED_FIELDS,
    "adjudicate_many": ("order_sets", "want", *conversation.POSITION_FIELDS),
}
"""By operation, the fields that a request may have beside the common ones."""


class Engine(conversation.Conversation):
    """One conversation by lines of text."""

    fields: ClassVar[Mapping[str, tuple[str, ...]]] = FIELDS

    def __init__(self, lang: str = "en") -> None:
        super().__init__(lang)
        self._batch: tuple[conversation.PositionInUse, Batch] | None = None

    def answer(self, line: bytes | None) -> str:
        """Return the answer to a request, one line without its end; None is a line too long."""
        try:
            answer = self.reply(_parse(line))
        except AlexMagnumError as error:
            answer = self.refuse({}, error)
        return json.dumps(answer, allow_nan=False)

    def carry_out(
        self, request: Mapping[str, Any], current: conversation.PositionInUse | None
    ) -> dict[str, Any]:
        """Carry out a request and return the fields of its answer."""
        if request["op"] == "adjudicate_many" and current is not None:
            return self._adjudicate_many(request, current)
        return super().carry_out(request, current)

    def help(self, lang: str) -> dict[str, Any]:
        """Return what the engine can do."""
        return {
            **super().help(lang),
            "want": [*conversation.PARTS, ARRAYS],
            "result_names": list(RESULT_NAMES),
        }

    def _adjudicate_many(
        self, request: Mapping[str, Any], current: conversation.PositionInUse
    ) -> dict[str, Any]:
        wanted = conversation.read_wanted(request, (*conversation.PARTS, ARRAYS))
        sets = conversation.field_of(request, "order_sets").each(
            lambda entry: conversation.read_set(entry, current)
        )
        try:
            if ARRAYS in wanted:
                return self._list_arrays(sets, current)
            outcomes = _resolve_sets(current.position, sets, wanted)
        except BadOrders as error:
            faults = (
                Fault(fault.where.replace(".orders.", ".", 1), fault.code, fault.data)
                for fault in error.faults
            )
            raise BadOrders(error.name, tuple(faults)) from None
        return {"outcomes": [self.describe(outcome, wanted, request) for outcome in outcomes]}

    def _list_arrays(
        self, sets: Iterable[conversation.OrderSet], current: conversation.PositionInUse
    ) -> dict[str, Any]:
        # What goes wrong in the middle of a set must not stay in the memory of the batch.
        known, self._batch = self._batch, None
        batch = known[1] if known and known[0] is current else Batch(current.position)
        results: list[list[int]] = []
        places: list[list[int]] = []
        with pause_collection():
            for number, orders in enumerate(sets):
                batch.judge(orders, number)
                results.append(list(batch.results))
                places.append(list(batch.places))
        self._batch = current, batch
        empty: list[list[int]] = [[] for _ in batch.units]
        return {
            "units": list_units(batch.units),
            "results": [list(line) for line in zip(*results, strict=True)] or empty,
            "places": [list(line) for line in zip(*places, strict=True)] or empty,
            "result_names": list(RESULT_NAMES),
            "place_names": list(batch.place_names),
        }


def _resolve_sets(
    position: Position, sets: Sequence[conversation.OrderSet], wanted: Sequence[str]
) -> Sequence[Outcome]:
    if _KEPT.issuperset(wanted):
        return adjudicate_many(position, sets)
    with pause_collection():
        return [
            resolve_phase(position, list_set(position, number, orders))
            for number, orders in enumerate(sets)
        ]


def _parse(line: bytes | None) -> dict[str, Any]:
    if line is None:
        raise BadJson("engine-too-long", "", most=str(LONGEST))
    try:
        text = line.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadJson("engine-not-utf8", "", byte=str(error.start + 1)) from None
    try:
        data = json.loads(
            text, parse_constant=_refuse_constant, object_pairs_hook=refuse_duplicates
        )
    except RecursionError:
        raise BadJson("engine-too-deep", "") from None
    except DuplicateKeyError as error:
        raise BadJson("json-double-key", "", key=str(error)[:80]) from None
    except ValueError as error:
        raise BadJson("json-unreadable", "", why=str(error)[:200]) from None
    return JsonValue(data, "").of(dict)


def _refuse_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number of JSON")
