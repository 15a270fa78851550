"""Build the JSON Schemas that come with the package, from the tables that the readers use.

    python -m tools.json_schemas

writes ``alexmagnum/schemas/*.json``.  Run it when a key of a map, turn or case file changes; a test
fails as long as the files and the readers differ.  A schema covers the shape of a file: whether
provinces, borders and units fit together only the program can say.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from alexmagnum.board import map_file as maps
from alexmagnum.board.geography import ARMY, BOTH, FLEET
from alexmagnum.board.model import SWITCHES
from alexmagnum.cases import conversation, engine, json_values
from alexmagnum.cases.files import CASE_KEYS, EXPECTED, FILE_KEYS
from alexmagnum.cases.schema import PHASES
from alexmagnum.files import LONGEST_NAME
from alexmagnum.i18n.sentences import LANGUAGES
from alexmagnum.judge.outcome import RESULTS
from alexmagnum.position import SEASONS
from alexmagnum.units import KINDS

FOLDER = Path(__file__).parent.parent / "alexmagnum" / "schemas"
DIALECT = "https://json-schema.org/draft/2020-12/schema"

Schema = dict[str, Any]

# Python's isprintable() as far as a schema can say it: no control characters, not blank.
TEXT: Schema = {
    "type": "string",
    "pattern": r"^[^\u0000-\u001f\u007f-\u009f]*\S[^\u0000-\u001f\u007f-\u009f]*$",
    "maxLength": LONGEST_NAME,
}
TEXTS: Schema = {"type": "array", "items": TEXT}
TYPES: Mapping[str, Schema] = {
    "text": TEXT,
    "texts": TEXTS,
    "names": {
        "type": "object",
        "minProperties": 1,
        "propertyNames": TEXT,
        "additionalProperties": TEXT,
        "description": 'Names by language: {"en": "...", "it": "..."}',
    },
    "number": {"type": "integer"},
    "flag": {"type": "boolean"},
    "pair": {**TEXTS, "minItems": 2, "maxItems": 2},
    "ends": {"type": "array", "items": {**TEXTS, "minItems": 1}, "minItems": 2, "maxItems": 2},
    "id": {"type": "string", "pattern": f"^{maps.ID.pattern}$"},
    "color": {"type": "string", "pattern": f"^{maps.COLOR.pattern}$"},
    "province-id": {"type": "string", "pattern": f"^{maps.PROVINCE_ID.pattern}$"},
}
"""The schema of each type of a key in a map; lists and objects of entries are made below."""

UNIT: Schema = {
    "type": "string",
    "pattern": r"^\s*[AFGafg] \s*[A-Za-z][A-Za-z0-9]{1,7}(/[A-Za-z]{1,4})?(#[0-9]+)?\s*$",
    "description": "A unit: A MUN, F STP/SC, F EGE#2",
}


def map_schema() -> Schema:
    """Return the schema of a map file."""
    lists: dict[str, Schema] = {
        "powers": {"type": "array", "minItems": 1, "items": _entry(maps.POWER)},
        "provinces": {"type": "array", "minItems": 1, "items": _entry(maps.PROVINCE)},
        "borders": {"type": "array", "items": _border()},
        "rivers": {"type": "array", "items": _river()},
        "portages": {"type": "array", "items": _entry(maps.PORTAGE)},
        "straits": {"type": "array", "items": _entry(maps.STRAIT)},
        "coasts": {
            "type": "object",
            "propertyNames": {"pattern": f"^{maps.CODE.pattern}$"},
            "additionalProperties": _entry(maps.COAST),
        },
        "rules": _rules(),
    }
    schema = _entry(maps.MAP, lists)
    schema["properties"]["format"] = {"const": maps.FORMAT}
    return {"$schema": DIALECT, "title": "Map of alexmagnum", **schema}


def turn_schema() -> Schema:
    """Return the schema of a turn file."""
    return {"$schema": DIALECT, "title": "Turn of alexmagnum", **_case(), "$defs": _definitions()}


def case_file_schema() -> Schema:
    """Return the schema of a case file: a list of cases, or a single case."""
    free: Schema = {key: {} for key in sorted(FILE_KEYS)}
    cases: Schema = {
        "type": "object",
        "required": ["cases"],
        "properties": {
            **free,
            "map": {"$ref": "#/$defs/map"},
            "rules": {"$ref": "#/$defs/rules"},
            "cases": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/case"}},
        },
        "additionalProperties": False,
    }
    single: Schema = {"$ref": "#/$defs/case"}
    return {
        "$schema": DIALECT,
        "title": "Cases of alexmagnum",
        "type": "object",
        "if": {"required": ["cases"]},
        "then": cases,
        "else": single,
        "$defs": {**_definitions(), "case": {**_case(), "required": ["expect"]}},
    }


def order_schema() -> Schema:
    """Return the schema of an order as ``to_json`` writes it."""
    return {"$schema": DIALECT, "title": "Order of alexmagnum", **_json_order()}


def position_schema() -> Schema:
    """Return the schema of a position as ``to_json`` writes it."""
    return {"$schema": DIALECT, "title": "Position of alexmagnum", **_json_position()}


def outcome_schema() -> Schema:
    """Return the schema of an outcome as ``to_json`` writes it."""
    units: Schema = {"type": "array", "items": _json_unit()}
    text: Schema = {"type": "string"}
    texts: Schema = {"type": "array", "items": text}
    number: Schema = {"type": "integer"}
    reason = _object(
        {
            "code": text,
            "units": units,
            "strength": number,
            "against": number,
            "powers": texts,
            "place": text,
        }
    )
    result = _object(
        {
            "power": text,
            "unit": {"anyOf": [_json_unit(), {"type": "null"}]},
            "order": _json_order(),
            "result": {"enum": sorted(RESULTS)},
            "reason": reason,
        },
        json_values.RESULT_KEYS,
    )
    picks = _object({"awards": _named(text), "contested": texts, "void": texts})
    shapes: dict[str, Schema] = {
        "type": {"const": "outcome"},
        "position": _json_position(),
        "results": {"type": "array", "items": result},
        "units": units,
        "dislodged": _json_dislodged(),
        "disbanded": units,
        "destroyed": units,
        "removed": units,
        "adjust": _named(number),
        "nobility": _named(number),
        "picks": {"anyOf": [picks, {"type": "null"}]},
    }
    schema = _object(shapes, json_values.OUTCOME_KEYS)
    return {"$schema": DIALECT, "title": "Outcome of alexmagnum", **schema}


def engine_request_schema() -> Schema:
    """Return the schema of a request to ``alexmagnum engine``."""
    return {
        "$schema": DIALECT,
        "title": "Request to the engine of alexmagnum",
        "type": "object",
        "oneOf": [_request(op) for op in engine.FIELDS],
    }


def engine_answer_schema() -> Schema:
    """Return the schema of an answer of ``alexmagnum engine``."""
    text: Schema = {"type": "string"}
    fault = _object({"where": text, "code": text, "message": text})
    error: Schema = {
        "type": "object",
        "required": ["code", "message"],
        "properties": {
            "code": text,
            "message": text,
            "where": text,
            "suggestions": {"type": "array", "items": text},
            "faults": {"type": "array", "items": fault},
        },
        "additionalProperties": False,
    }
    good = [
        _object({**_answered(), "version": text, "build": text, "protocol": {"type": "integer"}}),
        _object({**_answered(), **_help_answer()}),
        _object({**_answered(), "map": text, "phase": text, "units": _units(), "position": text}),
        {
            "type": "object",
            "required": ["id", "ok"],
            "properties": {**_answered(), **_outcome_parts()},
            "additionalProperties": False,
        },
        _object({**_answered(), "outcomes": {"type": "array", "items": _some(_outcome_parts())}}),
        _object({**_answered(), **_arrays()}),
    ]
    bad = _object({**_answered(ok=False), "error": error})
    return {
        "$schema": DIALECT,
        "title": "Answer of the engine of alexmagnum",
        "type": "object",
        "anyOf": [*good, bad],
    }


SCHEMAS = {
    "map.json": map_schema,
    "turn.json": turn_schema,
    "cases.json": case_file_schema,
    "order.json": order_schema,
    "position.json": position_schema,
    "outcome.json": outcome_schema,
    "engine-request.json": engine_request_schema,
    "engine-answer.json": engine_answer_schema,
}


def schema_text(schema: Schema) -> str:
    """Return a schema as the text of its file."""
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


# -- maps ------------------------------------------------------------------------------------------


def _entry(keys: Mapping[str, maps.Key], made: Mapping[str, Schema] | None = None) -> Schema:
    """Return the schema of an object with these keys; ``made`` has those of some of its values."""
    made = made or {}
    bounds = {"array": "maxItems", "object": "maxProperties"}
    properties = {}
    for name, key in keys.items():
        schema = made[name] if name in made else _value(key)
        bound = bounds.get(schema.get("type", ""))
        properties[name] = {bound: key.most, **schema} if bound else schema
    return {
        "type": "object",
        "required": [name for name, key in keys.items() if key.is_required],
        "properties": properties,
        "additionalProperties": False,
    }


def _value(key: maps.Key) -> Schema:
    return {"enum": list(key.words)} if key.words else TYPES[key.type]


def _border() -> Schema:
    kinds: Schema = {"enum": [ARMY, FLEET, BOTH]}
    return {
        "type": "array",
        "prefixItems": [TEXT, TEXT, kinds],
        "minItems": 3,
        "maxItems": 3,
        "description": 'Two places and who crosses: ["FIN", "STP/SC", "fleet"]',
    }


def _river() -> Schema:
    return _entry(maps.RIVER, {"course": {**TEXTS, "minItems": 2, "uniqueItems": True}})


def _rules() -> Schema:
    """Return the schema of an object of switches."""
    switches: Schema = {
        name: {"enum": list(switch.words)}
        if switch.words
        else {"type": "integer", "minimum": switch.low, "maximum": switch.high}
        for name, switch in SWITCHES.items()
    }
    return {"type": "object", "properties": switches, "additionalProperties": False}


# -- turns and cases -------------------------------------------------------------------------------


def _definitions() -> Schema:
    """Return the pieces that turn and case files share."""
    strings: Schema = {"type": "array", "items": {"type": "string"}}
    return {
        "map": _optional({"type": "string", "description": "Id or path of a map"}),
        "rules": _optional(_rules()),
        "strings": strings,
        "stringsByPower": _by_power(strings),
        "unitsByPower": _by_power({"type": "array", "items": UNIT}),
        "numbersByPower": _by_power({"type": "integer"}),
        "dislodged": _dislodged(),
        "previous": _case(previous=True),
        "expect": _expectation(),
    }


def _optional(schema: Schema) -> Schema:
    """Return a schema that a key without a value passes too."""
    return {"anyOf": [schema, {"type": "null"}]}


def _by_power(schema: Schema) -> Schema:
    return _optional({"type": "object", "additionalProperties": schema})


def _case(*, previous: bool = False) -> Schema:
    """Return the schema of a case or turn; ``previous``: of the movement phase before retreats."""
    free: Schema = {key: {} for key in sorted(CASE_KEYS)}
    phases = ["spring_moves", "autumn_moves"] if previous else list(PHASES)
    number: Schema = {"type": "integer", "minimum": 0}
    properties = {
        **free,
        "map": {"$ref": "#/$defs/map"},
        "rules": {"$ref": "#/$defs/rules"},
        "phase": {"enum": phases},
        "year": _optional(number),
        "period": _optional(number),
        "last_turn": {"type": ["boolean", "null"]},
        "units": {"$ref": "#/$defs/unitsByPower"},
        "orders": {"$ref": "#/$defs/stringsByPower"},
        "centers": {"$ref": "#/$defs/stringsByPower"},
        "homes": {"$ref": "#/$defs/stringsByPower"},
        "nobility": {"$ref": "#/$defs/numbersByPower"},
        "dislodged": {"$ref": "#/$defs/dislodged"},
        "previous": _optional({"$ref": "#/$defs/previous"}),
        "expect": {"$ref": "#/$defs/expect"},
    }
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _dislodged() -> Schema:
    entry: Schema = {
        "type": "object",
        "required": ["power", "unit"],
        "properties": {
            "power": {"type": "string"},
            "unit": UNIT,
            "by": _optional(UNIT),
            "by_power": {"type": "string"},
            "retreats": _optional({"$ref": "#/$defs/strings"}),
        },
        "additionalProperties": False,
    }
    return _optional({"type": "array", "items": entry})


def _expectation() -> Schema:
    """Return the schema of ``expect``."""
    results = _optional({"type": "array", "items": _result()})
    strings: Schema = {"$ref": "#/$defs/strings"}
    by_power: Schema = {"$ref": "#/$defs/stringsByPower"}
    numbers: Schema = {"$ref": "#/$defs/numbersByPower"}
    shapes: dict[str, Schema] = {
        "results": {"anyOf": [results, {"type": "object", "additionalProperties": results}]},
        "dislodged": _lost_units(),
        "disbanded": _lost_units(),
        "destroyed": _lost_units(),
        "units_after": by_power,
        "auto_disbanded": by_power,
        "owners_after": by_power,
        "centers": by_power,
        "adjust": numbers,
        "nobility": numbers,
        "void": _optional(strings),
        "winners": _optional(strings),
        "eliminated": _optional(strings),
        "contested": _optional(strings),
        "awards": _by_power({"type": "string"}),
    }
    properties = {key: shapes[key] for key in EXPECTED}
    return _optional({"type": "object", "properties": properties, "additionalProperties": False})


def _result() -> Schema:
    return {
        "type": "object",
        "required": ["order", "result"],
        "properties": {"order": {"type": "string"}, "result": {"enum": sorted(RESULTS)}},
        "additionalProperties": False,
    }


def _lost_units() -> Schema:
    entry: Schema = {
        "type": "object",
        "required": ["power", "unit"],
        "properties": {
            "power": {"type": "string"},
            "unit": {"type": "string"},
            "by": {"type": "string"},
            "retreats": _optional({"$ref": "#/$defs/strings"}),
        },
        "additionalProperties": False,
    }
    return _optional({"type": "array", "items": entry})


# -- positions, orders and outcomes ----------------------------------------------------------------


def _object(shapes: Mapping[str, Schema], keys: Sequence[str] = ()) -> Schema:
    """Return the schema of an object that has all of these keys and no others."""
    names = list(keys or shapes)
    return {
        "type": "object",
        "required": names,
        "properties": {name: shapes[name] for name in names},
        "additionalProperties": False,
    }


def _named(schema: Schema) -> Schema:
    return {"type": "object", "additionalProperties": schema}


def _json_order() -> Schema:
    """Return the schema of one order of any kind."""
    return {"type": "object", "oneOf": [*map(_json_order_kind, json_values.ORDER_KINDS)]}


def _json_order_kind(word: str) -> Schema:
    shapes: dict[str, Schema] = {"type": {"const": word}}
    for field in fields(json_values.ORDER_KINDS[word]):
        shapes[field.name] = {"type": "boolean" if field.name == "via_convoy" else "string"}
    if word == "support":
        shapes["to"] = {"type": ["string", "null"]}
    return _object(shapes)


def _json_unit() -> Schema:
    text: Schema = {"type": "string"}
    shapes: dict[str, Schema] = {
        "power": text,
        "kind": {"enum": list(KINDS)},
        "province": text,
        "coast": text,
        "number": {"type": "integer"},
    }
    return _object(shapes, json_values.UNIT_KEYS)


def _json_dislodged() -> Schema:
    retreats: Schema = {"type": "array", "items": {"type": "string"}}
    shapes = {"unit": _json_unit(), "by": _json_unit(), "retreats": retreats}
    return {"type": "array", "items": _object(shapes, json_values.DISLODGED_KEYS)}


def _json_position() -> Schema:
    number: Schema = {"type": "integer"}
    text: Schema = {"type": "string"}
    shapes: dict[str, Schema] = {
        "type": {"const": "position"},
        "map": text,
        "rules": _rules(),
        "year": number,
        "season": {"enum": list(SEASONS)},
        "retreats": {"type": "boolean"},
        "period": number,
        "units": {"type": "array", "items": _json_unit()},
        "owners": _named(text),
        "homes": _named({"type": "array", "items": text}),
        "nobility": _named(number),
        "dislodged": _json_dislodged(),
    }
    return _object(shapes, json_values.POSITION_KEYS)


# -- the engine ------------------------------------------------------------------------------------


def _request(op: str) -> Schema:
    """Return the schema of the requests for one operation."""
    orders = _named({"type": "array", "items": {"anyOf": [{"type": "string"}, _json_order()]}})
    parts = (
        [*conversation.PARTS, engine.ARRAYS] if op == "adjudicate_many" else [*conversation.PARTS]
    )
    shapes: dict[str, Schema] = {
        "op": {"const": op},
        "id": {"type": ["string", "integer", "null"]},
        "lang": {"enum": list(LANGUAGES)},
        "position": {"anyOf": [{"type": "string"}, _json_position()]},
        "map": {"type": "string"},
        "rules": _rules(),
        "want": {"type": "array", "items": {"enum": parts}},
        "orders": orders,
        "order_sets": {"type": "array", "items": orders},
    }
    fields_of_op = engine.FIELDS[op]
    needed = [field for field in ("orders", "order_sets") if field in fields_of_op]
    return {
        "type": "object",
        "required": ["op", *needed],
        "properties": {name: shapes[name] for name in (*conversation.COMMON_FIELDS, *fields_of_op)},
        "additionalProperties": False,
    }


def _answered(*, ok: bool = True) -> dict[str, Schema]:
    return {"id": {"type": ["string", "integer", "null"]}, "ok": {"const": ok}}


def _help_answer() -> dict[str, Schema]:
    texts: Schema = {"type": "array", "items": {"type": "string"}}
    return {
        "help": {"type": "string"},
        "fields": _named(texts),
        "want": texts,
        "result_names": texts,
        "maps": texts,
    }


def _units() -> Schema:
    text: Schema = {"type": "string"}
    return {"type": "array", "items": _object({"power": text, "unit": text})}


def _outcome_parts() -> dict[str, Schema]:
    text: Schema = {"type": "string"}
    texts: Schema = {"type": "array", "items": text}
    unit: Schema = {"type": ["string", "null"]}
    result = {"power": text, "unit": unit, "order": text, "result": {"enum": sorted(RESULTS)}}
    dislodged = {"power": text, "unit": text, "by": text, "retreats": texts}
    return {
        "results": {"type": "array", "items": _object(result)},
        "reasons": {"type": "array", "items": _object({"code": text, "text": text})},
        "units": _units(),
        "dislodged": {"type": "array", "items": _object(dislodged)},
        "destroyed": _units(),
        "nobility": _named({"type": "integer"}),
        "outcome": {"type": "object", "description": "An outcome: outcome.json"},
    }


def _some(shapes: Mapping[str, Schema]) -> Schema:
    """Return the schema of an object that may have some of these keys and no others."""
    return {"type": "object", "properties": dict(shapes), "additionalProperties": False}


def _arrays() -> dict[str, Schema]:
    texts: Schema = {"type": "array", "items": {"type": "string"}}
    lines: Schema = {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}}
    return {
        "units": _units(),
        "results": lines,
        "places": lines,
        "result_names": texts,
        "place_names": texts,
    }


def main() -> None:
    """Write every schema to its file."""
    for name, build in SCHEMAS.items():
        (FOLDER / name).write_text(schema_text(build()), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
