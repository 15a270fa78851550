"""A dictionary that cannot change, so that what holds it is a value: hashable, and safe to share.

It is written out here because the judge's files run in a page as well, where no library is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class FrozenDict(dict[K, V]):
    """A dictionary whose entries stay as they are; hashable if its values are.

    >>> FrozenDict({"VIE": "Austria"})["VIE"]
    'Austria'
    """

    __slots__ = ("_hash",)

    _hash: int

    def __hash__(self) -> int:  # type: ignore[override]
        try:
            return self._hash
        except AttributeError:
            self._hash = hash(frozenset(self.items()))
            return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenDict, (dict(self),)

    def __copy__(self) -> FrozenDict[K, V]:
        return self

    def __deepcopy__(self, memo: object) -> FrozenDict[K, V]:
        return self

    def _refuse(self, *args: object, **kwargs: object) -> NoReturn:
        raise TypeError("this mapping cannot be changed; make another one")

    __setitem__ = __delitem__ = __ior__ = _refuse
    update = setdefault = pop = popitem = clear = _refuse


def freeze(mapping: Mapping[K, V]) -> FrozenDict[K, V]:
    """Return a mapping that cannot change, with the same entries: itself if it cannot already."""
    return mapping if isinstance(mapping, FrozenDict) else FrozenDict(mapping)
