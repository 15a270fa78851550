"""The judge that runs in a page: its requests, and the bundle that a page takes along.

``docs/page-judge.md`` explains the bundle, how it is built, and what a page may ask.
"""

from __future__ import annotations

from functools import cache
from importlib import resources


@cache
def load_bundle() -> str:
    """Return the bundle: plain letters and signs, which a page takes along as they are.

    It holds all code of the judge and nothing of a game.
    """
    return resources.files(__name__).joinpath("bundle.txt").read_text(encoding="ascii")
