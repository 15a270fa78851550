"""When Python searches for garbage: not in work that only makes what is kept to its end."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def pause_collection() -> Iterator[None]:
    """Keep Python from searching for reference cycles while the context lasts.

    Judging and drawing leave hardly any, and looking through thousands of values again and again
    takes from a twentieth (drawing) to half of the time (judging).
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
