"""Counting the cases of each ruling: rulings without a case, and clauses that are no ruling.

A map file lists the rulings of its rules under ``rulings``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from alexmagnum.board.load import known_maps, load_board
from alexmagnum.board.switches import near
from alexmagnum.cases.model import Case

_DATC_ID = re.compile(r"6\.[A-J]\.\d+")
_DATC_CLAUSE = re.compile(r"DATC 6\.[A-J](\.\d+)?")


@dataclass(frozen=True, slots=True)
class UnknownClause:
    """A clause of a case that is no ruling of any map, so that it was probably mistyped.

    ``near``: the ruling that was probably meant, or an empty text.
    """

    case: Case
    clause: str
    near: str


def clause_coverage(cases: Iterable[Case]) -> dict[str, int]:
    """Count cases by clause: every ruling of their maps, also those without any, then the others.

    A case without a clause whose id is of DATC counts for its section there.
    """
    rulings: dict[str, int] = {}
    counts: Counter[str] = Counter()
    for case in cases:
        rulings |= dict.fromkeys(case.turn.board.rulings, 0)
        counts.update(case.clauses)
        if not case.clauses and _DATC_ID.match(case.id):
            counts[f"DATC {case.id[:3]}"] += 1
    others = sorted(clause for clause in counts if clause not in rulings)
    return {clause: counts[clause] for clause in (*rulings, *others)}


def unknown_clauses(cases: Sequence[Case]) -> tuple[UnknownClause, ...]:
    """Find the clauses that are neither a section of DATC nor a ruling of a map.

    The maps are those of the cases and those of the package.  A case on a map that lists no
    rulings may name its clauses freely; only its sections of DATC are checked.
    """
    boards = [*(case.turn.board for case in cases), *map(load_board, known_maps())]
    rulings = [*dict.fromkeys(ruling for board in boards for ruling in board.rulings)]
    return tuple(
        UnknownClause(case, clause, near(clause, case.turn.board.rulings))
        for case in cases
        for clause in case.clauses
        if case.turn.board.rulings or clause.startswith("DATC")
        if clause not in rulings and not _DATC_CLAUSE.fullmatch(clause)
    )
