"""Everything that a user of the library needs can be imported from ``alexmagnum``."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
import typing
from pathlib import Path

import pytest

import alexmagnum
from alexmagnum import errors, orders


def _public_names() -> list[str]:
    return [name for name in alexmagnum.__all__ if not name.startswith("_")]


@pytest.mark.parametrize("name", _public_names())
def test_a_public_name_can_be_imported_and_is_listed(name: str) -> None:
    assert getattr(alexmagnum, name) is not None
    assert name in dir(alexmagnum)


def test_nothing_is_listed_that_is_not_public() -> None:
    listed = {name for name in dir(alexmagnum) if not name.startswith("__")}

    assert listed == set(_public_names())
    with pytest.raises(AttributeError, match="has no attribute 'annotations_of'"):
        _ = alexmagnum.annotations_of


def test_every_name_that_type_checkers_see_is_public() -> None:
    tree = ast.parse(Path(alexmagnum.__file__).read_text(encoding="utf-8"))
    (block,) = [node for node in tree.body if isinstance(node, ast.If)]
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom)]

    assert [alias.asname for node in imports for alias in node.names] == _public_names()


def test_every_error_and_every_kind_of_order_is_public() -> None:
    kinds = {kind.__name__ for kind in typing.get_args(orders.Order)}
    raised = {
        name
        for name, value in vars(errors).items()
        if inspect.isclass(value) and value.__module__ == errors.__name__ and name[0] != "_"
    }

    assert kinds | raised <= set(_public_names())
    assert all(issubclass(getattr(alexmagnum, name), ValueError) for name in raised - {"Fault"})


@pytest.mark.parametrize("name", _public_names())
def test_every_public_class_and_function_has_a_docstring(name: str) -> None:
    value = getattr(alexmagnum, name)

    if inspect.isclass(value) or inspect.isfunction(value):
        assert (value.__doc__ or "").strip()


def test_importing_the_package_loads_none_of_its_rooms() -> None:
    code = (
        "import sys, alexmagnum\ndir(alexmagnum)\n"
        "print([name for name in sys.modules if name.startswith('alexmagnum.')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )

    assert done.stdout.strip() == "['alexmagnum.builds']"


def _misuses() -> dict[str, tuple[type[Exception], str, typing.Callable[[], object]]]:
    position = alexmagnum.first_position(alexmagnum.load_board("standard"))
    vienna: typing.Any = position.names["A VIE"]
    text: typing.Any = "A VIE H"
    return {
        "write a text": (TypeError, "takes an order", lambda: alexmagnum.write_order(text)),
        "write a unit": (TypeError, "takes an order", lambda: alexmagnum.write_order(vienna)),
        "JSON of a unit": (TypeError, "not Unit", lambda: alexmagnum.to_json(vienna)),
        "orders of an unknown power": (
            ValueError,
            "no such power on this map: Austira",
            lambda: alexmagnum.read_order(text, position, "Austira"),
        ),
        "lines of an unknown power": (
            ValueError,
            "no such power on this map: Austira",
            lambda: alexmagnum.read_orders("", position, "Austira"),
        ),
        "unit of an unknown power": (
            ValueError,
            "no such power on this map: Austira",
            lambda: alexmagnum.read_unit("A VIE", position, "Austira"),
        ),
        "an unknown language": (
            ValueError,
            "'fr', only in en, it",
            lambda: alexmagnum.load_sentences("fr"),
        ),
        "an unknown phase": (
            ValueError,
            "'1901' is no phase",
            lambda: alexmagnum.parse_phase("1901"),
        ),
    }


MISUSES = _misuses()


@pytest.mark.parametrize("misuse", MISUSES)
def test_a_call_with_something_else_says_what_is_wrong(misuse: str) -> None:
    kind, words, call = MISUSES[misuse]

    with pytest.raises(kind, match=words):
        call()
