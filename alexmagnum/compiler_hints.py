"""What the judge's files tell mypyc about their classes; nothing of it has an effect when they run.

``@mypyc_attr(acyclic=True)`` promises that no instance of a class can be part of a circle of
references, as is true of values.  The garbage collector then never looks at the instances.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["mypyc_attr"]

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr
else:

    def mypyc_attr(**attributes):
        """Return the class as it is: the compiler has read the attributes."""
        return _return_unchanged


def _return_unchanged(kind: object) -> object:
    return kind
