"""The base of values that the judge reads and returns, and the hook for notebooks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import FrozenInstanceError, fields
from functools import update_wrapper
from types import MemberDescriptorType
from typing import Any, NoReturn

from alexmagnum.builds import mypyc_attr

# The base of values: what the judge reads and returns, small objects that never change.
#
# Every kind of value is written in the same way, here a shortened
# :class:`alexmagnum.orders.Move`::
#
#     @mypyc_attr(acyclic=True)
#     @dataclass(init=False, eq=False, slots=True)
#     class Move(Value):
#         unit: Final[str]
#         to: Final[str]
#
#         def __init__(self, unit: str, to: str) -> None:
#             self.unit = unit
#             self.to = to
#
#         def content(self) -> tuple[str, str]:
#             return self.unit, self.to
#
#     seal(Move)
#
# ``dataclass`` adds ``repr``, ``replace``, ``asdict`` and ``match``; :class:`Value` compares,
# hashes, copies and pickles; ``mypyc_attr`` is for the compiler
# (:mod:`alexmagnum.builds`). In a compiled file all this is machine code, and ``Final``
# attributes cannot be set from outside. In an interpreted file :func:`seal` keeps them from being
# set.


@mypyc_attr(acyclic=True)
class Value:
    """The base of all kinds of values: two are equal if they are of one kind and content."""

    __slots__ = ()

    def content(self) -> tuple[Any, ...]:
        """Return what ``__init__`` takes, in its order."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(self) is not type(other) or not isinstance(other, Value):
            return NotImplemented
        return self.content() == other.content()

    def __hash__(self) -> int:
        return hash(self.content())

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self.content()


def seal(*kinds: type[Any], converts: bool = False) -> None:
    """Keep the attributes of values from being changed once they are set.

    Compiled classes are left as they are.  ``converts``: ``__init__`` does more than store what it
    is given.
    """
    kind: Any
    for kind in kinds:
        slots = [kind.__dict__[field.name] for field in fields(kind)]
        if slots and isinstance(slots[0], MemberDescriptorType):
            if not converts:
                kind.__init__ = _make_storing_init(kind.__init__, slots)
            kind.__setattr__ = _set_once if converts else _refuse
            kind.__delattr__ = _refuse


def _make_storing_init(init: Any, slots: list[Any]) -> Callable[..., None]:
    """Return an ``__init__`` that stores by the slots' own setters, which pass ``__setattr__`` by:
    values are made by the thousand, and ``object.__setattr__`` takes twice the time."""
    names = [slot.__name__ for slot in slots]
    setters = {f"_set_{slot.__name__}": slot.__set__ for slot in slots}
    lines = [f"def __init__(self, {', '.join(names)}):"]
    lines += [f"    _set_{name}(self, {name})" for name in names]
    exec("\n".join(lines), setters)
    storing: Any = update_wrapper(setters["__init__"], init)
    storing.__defaults__ = init.__defaults__
    return storing  # type: ignore[no-any-return]


def _set_once(value: object, name: str, content: object) -> None:
    if hasattr(value, name):
        _refuse(value, name)
    object.__setattr__(value, name, content)


def _refuse(value: object, name: str, *content: object) -> NoReturn:
    raise FrozenInstanceError(f"a value cannot be changed: {name}")


# The hook by which notebooks show positions and outcomes as pictures.
#
# Positions and outcomes know nothing of drawing. The package registers how to draw them as soon
# as one of its public names is used; without that a notebook shows text.


_drawings: list[Callable[[object], str | None]] = []


def register_drawing(draw: Callable[[object], str | None]) -> None:
    """Set the function that returns the SVG of a value, or None if there is no picture of it."""
    _drawings[:] = [draw]


def draw_svg(value: object) -> str | None:
    """Return the SVG of a value; None if no drawing is registered or the value has no picture."""
    return _drawings[0](value) if _drawings else None
