"""Tables of small cases, and one test for hundreds of them, which names every case that fails.

Each test costs the run 1.5 thousandths of a second before it checks anything: it is
collected by every worker and reported three times.  Where the check itself takes less, cases share
a test.
"""

from collections.abc import Callable, Iterable
from typing import Any


def cells(table: str) -> list[str]:
    """Return the texts of a table: ``|`` stands between them, and between lines."""
    return [cell for row in table.strip("\n").split("\n") for cell in row.split("|")]


def check_each(cases: Iterable[tuple[Any, ...]], check: Callable[..., None]) -> None:
    """Call a check with the values of every case; then fail with all cases that failed, and why."""
    failed = []
    for case in cases:
        try:
            check(*case)
        except Exception as error:  # whatever a check raises is why its case failed
            failed.append(f"{', '.join(map(str, case))}: {type(error).__name__}: {error}")
    assert not failed, f"{len(failed)} failed:\n" + "\n".join(failed)


def check_results(function: Callable[..., object], cases: Iterable[tuple[Any, ...]]) -> None:
    """Check that a function returns the last value of every case when it is given the others."""

    def check(*case: Any) -> None:
        *given, wanted = case
        found = function(*given)
        assert found == wanted, f"{found!r}"

    check_each(cases, check)
