"""The acts in a game's journal, and the results of each unit."""

from __future__ import annotations

import json

from alexmagnum.game.records import JournalRow, UnitResultRow
from alexmagnum.game.state import Game
from alexmagnum.game.values import Entry
from alexmagnum.i18n.folding import fold


def read_history(
    game: Game, phase: str | None, power: str | None, unit: str | None
) -> tuple[Entry, ...]:
    """Return the journal's entries on a phase and a power, oldest first.

    With a unit, return the results of that unit instead.

    Raises:
        GameError: unknown-phase, no-such-power.
    """
    phase = game.phase_name(phase) if phase else None
    power = game.power(power) if power else None
    if unit:
        return _read_unit_history(game, phase, power, unit)
    rows = game.file.select(
        JournalRow,
        "WHERE (?1 IS NULL OR phase = ?1) AND (?2 IS NULL OR power = ?2) ORDER BY id",
        phase,
        power,
    )
    return tuple(
        Entry(
            id=row.id,
            at=row.at,
            actor=row.actor,
            action=row.action,
            phase=row.phase,
            power=row.power,
            reason=row.reason,
            detail=json.loads(row.detail),
        )
        for row in rows
    )


def _read_unit_history(
    game: Game, phase: str | None, power: str | None, unit: str
) -> tuple[Entry, ...]:
    """Return the results of a unit, in every version of every phase asked for.

    ``F EGE`` is every fleet in that sea, ``F EGE#2`` is one of them.  An undone phase has no
    results: its orders wait again.
    """
    resolved = {outcome.name for outcome in game.line()}
    rows = game.file.select(
        UnitResultRow,
        """WHERE (?1 IS NULL OR phases.name = ?1) AND (?2 IS NULL OR power = ?2)
           ORDER BY resolved.id""",
        phase,
        power,
    )
    return tuple(
        _make_unit_entry(row) for row in rows if row.name in resolved and _is_named(unit, row.unit)
    )


def _is_named(asked: str, unit: str) -> bool:
    """Return whether somebody means this unit, by its whole name or without its number."""
    return _simplify(asked) in (_simplify(unit), _simplify(unit.partition("#")[0]))


def _simplify(unit: str) -> str:
    """Return a unit's name without what people write differently; ``#1`` needs not be said."""
    return fold(unit).replace(" ", "").removesuffix("#1")


def _make_unit_entry(row: UnitResultRow) -> Entry:
    detail = {
        "unit": row.unit,
        "order": row.canonical,
        "result": row.result,
        "code": row.code,
        "strength": row.strength,
        "against": row.against,
        "version": row.version,
        "current": row.state in ("processed", "passed"),
        "it": row.sentence_it,
        "en": row.sentence_en,
    }
    return Entry(
        id=row.id,
        at=row.processed,
        actor="",
        action="resolved",
        phase=row.name,
        power=row.power,
        reason="",
        detail=detail,
    )


def find_last_act(game: Game) -> int:
    """Return the number of the last act in a game's journal, 0 if there is none."""
    row = game.file.find(JournalRow, "ORDER BY id DESC LIMIT 1")
    return row.id if row else 0
