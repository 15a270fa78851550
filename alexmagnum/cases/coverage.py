"""Counting the cases of each ruling, to show which rulings have none."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from alexmagnum.cases.model import Case

RULINGS = tuple(
    [f"R{n}" for n in range(1, 12)]
    + ["R11a"]
    + [f"R{n}" for n in range(12, 22)]
    + ["R21a", "R22", "R22a"]
    + [f"R{n}" for n in range(23, 36)]
)
"""The numbered rulings of the rules of Alex Magnum."""

_DATC = re.compile(r"6\.[A-J]\.\d+")


def clause_coverage(cases: Iterable[Case]) -> dict[str, int]:
    """Count cases by ruling, also those without any, and then by DATC section."""
    counts: Counter[str] = Counter()
    for case in cases:
        counts.update(case.clauses)
        if not case.clauses and _DATC.match(case.id):
            counts[f"DATC {case.id[:3]}"] += 1
    sections = sorted(clause for clause in counts if clause not in RULINGS)
    return {clause: counts[clause] for clause in (*RULINGS, *sections)}
