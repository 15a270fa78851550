"""Counting the cases of each ruling, to show which rulings have none.

A map file lists the rulings of its rules under ``rulings``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from alexmagnum.cases.model import Case

_DATC = re.compile(r"6\.[A-J]\.\d+")


def clause_coverage(cases: Iterable[Case]) -> dict[str, int]:
    """Count cases by clause: every ruling of their maps, also those without any, then the others.

    A case without a clause whose id is of DATC counts for its section there.
    """
    rulings: dict[str, int] = {}
    counts: Counter[str] = Counter()
    for case in cases:
        rulings |= dict.fromkeys(case.turn.board.rulings, 0)
        counts.update(case.clauses)
        if not case.clauses and _DATC.match(case.id):
            counts[f"DATC {case.id[:3]}"] += 1
    others = sorted(clause for clause in counts if clause not in rulings)
    return {clause: counts[clause] for clause in (*rulings, *others)}
