"""Running cases: adjudicating them and comparing the outcome with the expected one."""

from __future__ import annotations

from alexmagnum.cases.comparison import differences
from alexmagnum.cases.model import Case, CaseRun, Difference
from alexmagnum.cases.resolution import resolve_turn
from alexmagnum.errors import AlexMagnumError

__all__ = ["resolve_turn", "run_case"]


def run_case(case: Case) -> CaseRun:
    """Run a case, and the phase before it if it has one, and compare with what they expect."""
    found: list[Difference] = []
    try:
        if case.turn.previous is not None:
            before = run_case(case.turn.previous)
            found += [
                Difference(f"previous {d.what}", d.expected, d.got) for d in before.differences
            ]
        found += differences(case.expect, resolve_turn(case.turn))
    except AlexMagnumError as error:
        found.append(Difference("adjudication", "an outcome", str(error)))
    return CaseRun(case, tuple(found))
