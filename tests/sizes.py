"""How much a test draws: a slice in ``make test``, everything in ``make proof``.

A test that takes long is marked ``@pytest.mark.proof`` as a whole.  One that is worth running
small as well is marked :data:`sampled` (or, with Hypothesis, :func:`drawn`), and takes its numbers
from :func:`sized`.  In the places of :data:`SLICED` ``make test`` runs one test of so many.
"""

import os
from collections.abc import Callable, Iterable
from typing import Any, TypeVar
from zlib import crc32

import pytest
from hypothesis import settings

Test = TypeVar("Test", bound=Callable[..., Any])

PROOF = "ALEXMAGNUM_PROOF"  # the variable that ``pytest -m proof`` sets for its workers


SLICED = {
    "tests/browser/": 4,
    "tests/game/test_transfer.py": 3,
    "tests/lab/": 2,
    "tests/mail/test_hostile_mail.py": 3,
    "tests/mail/test_killed.py": 3,
    "tests/mail/test_leaks.py": 4,
    "tests/mail/test_sources.py": 3,
    "tests/page_judge/": 4,
    "tests/play/": 3,
    "tests/report/test_balance_report.py": 3,
    "tests/site/": 3,
    "tests/whatif/test_position_finder.py": 4,
    "tests/cli/": 4,
    "tests/draw/": 2,
    "tests/game/": 3,
    "tests/mail/": 4,
    "tests/report/": 2,
}
"""Where tests take long: ``make test`` runs one of so many, by the first that fits."""


def is_left_to_proof(node: str) -> bool:
    """Tell whether ``make test`` leaves a test out, the same one on every machine."""
    every = next((share for place, share in SLICED.items() if node.startswith(place)), 1)
    return crc32(node.encode()) % every > 0


def is_proof() -> bool:
    """Tell whether this run is ``make proof``."""
    return bool(os.environ.get(PROOF))


def sized(in_test: int, in_proof: int) -> int:
    """Return how many of something a test tries in this run."""
    return in_proof if is_proof() else in_test


def sampled(test: Test) -> Test:
    """Run a test in both: small in ``make test``, whole in ``make proof``."""
    return pytest.mark.proof(test) if is_proof() else test


def one_in(every: int, values: Iterable[object]) -> list[Any]:
    """Return parameters: ``make test`` tries one in so many of them, ``make proof`` the others."""
    return [
        pytest.param(value, marks=pytest.mark.proof if number % every else ())
        for number, value in enumerate(values)
    ]


def drawn(in_test: int, in_proof: int, base: settings | None = None) -> Callable[[Test], Test]:
    """Let Hypothesis draw so many examples in ``make test``, and in ``make proof``."""
    sizes = settings(base, max_examples=sized(in_test, in_proof), deadline=None)

    def decorate(test: Test) -> Test:
        return sampled(sizes(test))

    return decorate
