"""Everything that a user of the library needs can be imported from ``alexmagnum``."""

import ast
import inspect
import subprocess
import sys
import typing
from pathlib import Path

import pytest

import alexmagnum
from alexmagnum import errors, orders
from tests.each import check_each


def _public_names() -> list[str]:
    return [name for name in alexmagnum.__all__ if not name.startswith("_")]


def _check_public(name: str) -> None:
    value = getattr(alexmagnum, name)
    assert value is not None
    assert name in dir(alexmagnum)
    if inspect.isclass(value) or inspect.isfunction(value):
        assert (value.__doc__ or "").strip()


def test_a_public_name_can_be_imported_is_listed_and_documented() -> None:
    check_each([(name,) for name in _public_names()], _check_public)


def test_nothing_is_listed_that_is_not_public() -> None:
    assert {name for name in dir(alexmagnum) if not name.startswith("__")} == set(_public_names())
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


def test_importing_the_package_loads_none_of_its_rooms() -> None:
    code = (
        "import sys, alexmagnum\ndir(alexmagnum)\n"
        "print([name for name in sys.modules if name.startswith('alexmagnum.')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "['alexmagnum.builds']"


def test_a_call_with_something_else_says_what_is_wrong() -> None:
    position = alexmagnum.first_position(alexmagnum.load_board("standard"))
    vienna: typing.Any = position.names["A VIE"]
    text: typing.Any = "A VIE H"

    def check(kind: type[Exception], words: str, call: typing.Callable[..., object]) -> None:
        with pytest.raises(kind, match=words):
            call()

    austira = "no such power on this map: Austira"
    misuses: tuple[tuple[type[Exception], str, typing.Callable[[], object]], ...] = (
        (TypeError, "takes an order", lambda: alexmagnum.write_order(text)),
        (TypeError, "takes an order", lambda: alexmagnum.write_order(vienna)),
        (TypeError, "not Unit", lambda: alexmagnum.to_json(vienna)),
        (ValueError, austira, lambda: alexmagnum.read_order(text, position, "Austira")),
        (ValueError, austira, lambda: alexmagnum.read_orders("", position, "Austira")),
        (ValueError, austira, lambda: alexmagnum.read_unit("A VIE", position, "Austira")),
        (ValueError, "'fr', only in en, it", lambda: alexmagnum.load_sentences("fr")),
        (ValueError, "'1901' is no phase", lambda: alexmagnum.parse_phase("1901")),
    )
    check_each(misuses, check)
