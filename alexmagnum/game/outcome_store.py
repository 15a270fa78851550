"""Outcomes in the file: writing one down with its seals and results, and reading it again.

Open this for what is stored of a phase that was resolved, and for how it is worked out again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from alexmagnum.campaign import ending, owners_after
from alexmagnum.game.file import to_json
from alexmagnum.game.phase_store import create_phase
from alexmagnum.game.records import OutcomeRow, PhaseRow, SealRow, read_texts
from alexmagnum.game.result_rows import list_results
from alexmagnum.game.state import Game, digest
from alexmagnum.game.stored_orders import Inputs, parse_inputs
from alexmagnum.judge import adjudicate
from alexmagnum.judge.outcome import Outcome
from alexmagnum.notation import write_order
from alexmagnum.position import names_of

if TYPE_CHECKING:
    from alexmagnum.game.resolution import Resolved


def record_outcome(
    game: Game,
    phase: PhaseRow,
    resolved: Resolved,
    *,
    rules: str,
    amends: int | None = None,
    passed: bool = False,
) -> PhaseRow:
    """Store the outcome of a phase, and return the phase that follows, stored as well.

    ``amends`` is the outcome whose place it takes; ``passed``: nobody had anything to decide.
    """
    key = game.file.insert(
        "outcomes",
        phase=phase.id,
        version=_count_versions(game, phase.name) + 1,
        state="processed",
        passed=int(passed),
        processed=game.stamp(),
        rules=rules,
        amends=amends,
        digest=digest_outcome(resolved.outcome),
    )
    results = list_results(resolved.outcome)
    game.file.insert_all("seals", _list_seals(key, resolved))
    game.file.insert_all("resolved", [{"outcome": key, **row} for row in results])
    game.remember_outcome(key, resolved.outcome)
    return create_phase(
        game,
        resolved.next,
        key,
        rules=rules,
        over=resolved.over,
        previous_deadline=phase.deadline,
    )


def _count_versions(game: Game, name: str) -> int:
    return game.file.count(
        """SELECT COUNT(*) FROM outcomes JOIN phases ON phases.id = outcomes.phase
           WHERE phases.name = ?""",
        name,
    )


def _list_seals(outcome: int, resolved: Resolved) -> Iterator[dict[str, object]]:
    for power in dict.fromkeys((*resolved.inputs, *resolved.added)):
        inputs = resolved.inputs.get(power, Inputs())
        yield {
            "outcome": outcome,
            "power": power,
            "salt": inputs.salt,
            "digest": inputs.digest,
            "orders": to_json(inputs.orders),
            "added": to_json([write_order(order) for order in resolved.added.get(power, ())]),
        }


def digest_outcome(outcome: Outcome) -> str:
    """Return the digest that an outcome has again when it is worked out again."""
    picks, end = outcome.picks, ending(outcome)
    contents = {
        "results": [[e.power, write_order(e.order), e.result] for e in outcome.results],
        "reasons": [[r.code, r.strength, r.against] for r in outcome.reasons],
        "units": sorted(f"{u.power} {n}" for u, n in names_of(outcome.units).items()),
        "dislodged": sorted(
            [d.unit.power, str(d.unit), d.unit.place, str(d.by), *d.retreats]
            for d in outcome.dislodged
        ),
        "lost": sorted(
            [kind, unit.power, str(unit), unit.place]
            for kind, units in (
                ("destroyed", outcome.destroyed),
                ("disbanded", outcome.disbanded),
                ("removed", outcome.removed),
            )
            for unit in units
        ),
        "nobility": dict(outcome.nobility),
        "owners": dict(owners_after(outcome)),
        "picks": [dict(picks.awards), list(picks.contested), list(picks.void)] if picks else None,
        "winners": list(end.winners) if end else None,
    }
    return digest(to_json(contents))


# -- reading --------------------------------------------------------------------------------------


def read_seals(game: Game, outcome: int) -> dict[str, SealRow]:
    """Return the seals of an outcome, by power in the map's order."""
    rows = {row.power: row for row in game.file.select(SealRow, "WHERE seals.outcome = ?", outcome)}
    return {power: rows[power] for power in game.base.powers if power in rows}


def read_sealed_inputs(game: Game, outcome: int) -> dict[str, Inputs]:
    """Return the sealed orders of an outcome, by power, without those that house rules added."""
    return {
        power: Inputs(read_texts(row.orders), row.salt, row.digest)
        for power, row in read_seals(game, outcome).items()
    }


def read_counted_orders(game: Game, outcome: int) -> Mapping[str, tuple[str, ...]]:
    """Return every order that counted in an outcome, by power, those of house rules included."""
    return {
        power: (*json.loads(row.orders), *json.loads(row.added))
        for power, row in read_seals(game, outcome).items()
    }


def find_outcome_of(game: Game, row: OutcomeRow) -> Outcome:
    """Return the outcome of a phase; it is adjudicated only if it is not known yet."""
    known = game.find_outcome_value(row.id)
    if known is None:
        known = replay_outcome(game, row)
        game.remember_outcome(row.id, known)
    return known


def replay_outcome(game: Game, row: OutcomeRow) -> Outcome:
    """Adjudicate a phase again, from its stored position and orders."""
    position = game.position(row.phase, row.rules)
    orders = {power: Inputs(texts) for power, texts in read_counted_orders(game, row.id).items()}
    return adjudicate(position, parse_inputs(position, orders))
