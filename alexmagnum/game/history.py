"""What was done, and what became of each unit."""

from __future__ import annotations

import json

from alexmagnum.game.file import Row
from alexmagnum.game.state import Game
from alexmagnum.game.values import Entry
from alexmagnum.i18n.folding import fold


def read_history(
    game: Game, phase: str | None, power: str | None, unit: str | None
) -> tuple[Entry, ...]:
    """The entries of the journal that fit, oldest first; with a unit, what became of it."""
    phase = game.phase_name(phase) if phase else None
    power = game.power(power) if power else None
    if unit:
        return _resolved(game, phase, power, unit)
    rows = game.file.rows(
        """SELECT * FROM journal WHERE (?1 IS NULL OR phase = ?1) AND (?2 IS NULL OR power = ?2)
           ORDER BY id""",
        phase,
        power,
    )
    return tuple(_entry(row) for row in rows)


def _entry(row: Row) -> Entry:
    return Entry(
        row["id"],
        row["at"],
        row["actor"],
        row["action"],
        row["phase"],
        row["power"],
        row["reason"],
        json.loads(row["detail"]),
    )


def _resolved(game: Game, phase: str | None, power: str | None, unit: str) -> tuple[Entry, ...]:
    """What a unit came to, in every version of every phase that fits.

    ``F EGE`` means every fleet there, ``F EGE#2`` that one.  Of a phase that was taken back
    nothing is told: its orders wait again.
    """
    resolved = {outcome["name"] for outcome in game.line()}
    rows = game.file.rows(
        """SELECT resolved.*, outcomes.version, outcomes.state, outcomes.processed, phases.name
           FROM resolved
           JOIN outcomes ON outcomes.id = resolved.outcome
           JOIN phases ON phases.id = outcomes.phase
           WHERE (?1 IS NULL OR phases.name = ?1) AND (?2 IS NULL OR power = ?2)
           ORDER BY resolved.id""",
        phase,
        power,
    )
    wanted = _plain(unit)
    fitting = [
        row
        for row in rows
        if row["name"] in resolved and wanted in (_plain(row["unit"]), _sea(row["unit"]))
    ]
    return tuple(_told(row) for row in fitting)


def _plain(unit: str) -> str:
    """A unit's name without what people write differently; the first place needs no number."""
    return fold(unit).replace(" ", "").removesuffix("#1")


def _sea(unit: str) -> str:
    return _plain(unit.partition("#")[0])


def _told(row: Row) -> Entry:
    detail = {
        "unit": row["unit"],
        "order": row["canonical"],
        "result": row["result"],
        "code": row["code"],
        "strength": row["strength"],
        "against": row["against"],
        "version": row["version"],
        "current": row["state"] in ("processed", "passed"),
        "it": row["sentence_it"],
        "en": row["sentence_en"],
    }
    return Entry(row["id"], row["processed"], "", "resolved", row["name"], row["power"], "", detail)
