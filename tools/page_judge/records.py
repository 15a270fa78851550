"""The methods of records: what ``dataclass`` and ``NamedTuple`` write in Python, written out.

The Python of a page has neither.  Open this file to change how a record is made, compared or
hashed there.
"""

from __future__ import annotations

import ast
from typing import NamedTuple

RECORD_BASE = "_Record"
"""The class of the bundle's library from which every record inherits its ``repr``."""


class Field(NamedTuple):
    """One field of a record: its name, and its default as source ("" if it has none).

    ``is_made``: whether the default is made anew for each record.
    """

    name: str
    default: str = ""
    is_made: bool = False


class Traits(NamedTuple):
    """The methods that a record gets beside ``repr``."""

    init: bool = True
    eq: bool = True
    hashes: bool = False
    is_tuple: bool = False


def list_fields(body: list[ast.stmt]) -> list[Field]:
    """Return the fields that a class declares, in their order."""
    return [
        _read_field(node.target.id, node.value)
        for node in body
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and "ClassVar" not in ast.unparse(node.annotation)
    ]


def _read_field(name: str, value: ast.expr | None) -> Field:
    if value is None:
        return Field(name)
    if isinstance(value, ast.Call) and getattr(value.func, "id", "") == "field":
        for keyword in value.keywords:
            if keyword.arg == "default_factory":
                return Field(name, f"{ast.unparse(keyword.value)}()", is_made=True)
            if keyword.arg == "default":
                return Field(name, ast.unparse(keyword.value))
        return Field(name)
    return Field(name, ast.unparse(value))


def write_methods(fields: list[Field], traits: Traits, own: set[str]) -> list[ast.stmt]:
    """Return the statements that a record's class gets; ``own``: the methods that it has."""
    names = [field.name for field in fields]
    lines = [f"_fields = {tuple(names)!r}"]
    if traits.init and "__init__" not in own:
        lines += _write_init(fields, "__post_init__" in own)
    if traits.eq and "__eq__" not in own:
        lines += _write_eq(names)
    if traits.hashes and "__hash__" not in own:
        lines += ["def __hash__(self):", f"    return hash({_tuple_of('self', names)})"]
    if traits.is_tuple:
        lines += _write_tuple_methods(names)
    return ast.parse("\n".join(lines)).body


def _write_init(fields: list[Field], has_post_init: bool) -> list[str]:
    arguments = ["self"]
    body = []
    for field in fields:
        if field.is_made:
            arguments.append(f"{field.name}=None")
            made = f"{field.default} if {field.name} is None else {field.name}"
            body.append(f"    self.{field.name} = {made}")
        else:
            arguments.append(f"{field.name}={field.default}" if field.default else field.name)
            body.append(f"    self.{field.name} = {field.name}")
    if has_post_init:
        body.append("    self.__post_init__()")
    return [f"def __init__({', '.join(arguments)}):", *(body or ["    pass"])]


def _write_eq(names: list[str]) -> list[str]:
    compared = ["self.__class__ is other.__class__"]
    compared += [f"self.{name} == other.{name}" for name in names]
    return [
        "def __eq__(self, other):",
        f"    return self is other or ({' and '.join(compared)})",
        "def __ne__(self, other):",
        "    return not self == other",
    ]


def _write_tuple_methods(names: list[str]) -> list[str]:
    content = _tuple_of("self", names)
    return [
        "def __iter__(self):",
        f"    return iter({content})",
        "def __len__(self):",
        f"    return {len(names)}",
        "def __getitem__(self, at):",
        f"    return {content}[at]",
        "def __lt__(self, other):",
        f"    return {content} < tuple(other)",
        "def _replace(self, **changes):",
        "    return page_replace(self, **changes)",
    ]


def _tuple_of(owner: str, names: list[str]) -> str:
    return "(" + "".join(f"{owner}.{name}, " for name in names) + ")"
