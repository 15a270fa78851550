"""Verification: the whole game resolved again from its stored inputs, compared byte by byte."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from alexmagnum.game import consistency
from alexmagnum.game.closing_seal import check_closing_seal
from alexmagnum.game.consistency import UNREADABLE, report_unreadable
from alexmagnum.game.outcome_store import digest_outcome, replay_outcome
from alexmagnum.game.records import OutcomeRow, PositionRow, ResultRow
from alexmagnum.game.required_orders import is_idle
from alexmagnum.game.resolution import find_next_position
from alexmagnum.game.result_rows import list_results
from alexmagnum.game.state import Game, digest, position_json
from alexmagnum.game.values import Finding
from alexmagnum.judge.outcome import Outcome

SENTENCE = "verify-sentence"
"""The code of a result that differs in its words alone, as those of another version may."""

DIFFERENT_BOT = "verify-bot"
"""The code of orders that a bot would not give now, as one of another version may not."""

SENTENCES = ("sentence_it", "sentence_en")


def verify_game(game: Game) -> tuple[Finding, ...]:
    """Return everything in which the file differs from the game resolved again, in every version.

    ``docs/game-file.md`` lists what is compared.
    """
    return tuple(_findings(game))


def _findings(game: Game) -> Iterator[Finding]:
    yield from (Finding("", "file", "verify-file", {"why": why}) for why in _check_soundness(game))
    yield from check_consistency(game)
    for outcome in game.outcomes():
        yield from _check_outcome(game, outcome)


def check_consistency(game: Game) -> Iterator[Finding]:
    """Yield where rows contradict each other: digests, seals, submissions, letters, states.

    No phase is resolved again; :func:`verify_game` does that too.
    """
    circles = tuple(consistency.find_circles(game))
    yield from circles
    yield from consistency.find_gaps(game)
    yield from consistency.check_settings(game)
    for position in game.file.select(PositionRow):
        yield from _check_digest(position)
        yield from _check_tables(game, position)
    yield from consistency.check_submissions(game)
    yield from consistency.check_seals(game)
    yield from consistency.check_letters(game)
    if not circles:  # else there is no end to where the game comes from
        yield from consistency.check_undo_log(game)
        yield from consistency.check_states(game)
        yield from check_closing_seal(game)


def _check_soundness(game: Game) -> Iterator[str]:
    """Return what SQLite itself finds wrong with the file."""
    for row in game.file.rows("PRAGMA integrity_check"):
        if row["integrity_check"] != "ok":
            yield str(row["integrity_check"])
    for row in game.file.rows("PRAGMA foreign_key_check"):
        yield f"{row['table']} {row['rowid']}"


def _check_digest(row: PositionRow) -> Iterator[Finding]:
    if digest(row.data) != row.digest:
        yield Finding(row.name, "position", "verify-position-digest", {})


_TABLES = {
    "units": """SELECT power, kind, province, coast, number, dislodged_by, retreats FROM units
                WHERE phase = ?""",
    "centres": "SELECT centre, power FROM centres WHERE phase = ?",
    "nobility": "SELECT power, points FROM nobility WHERE phase = ?",
}


def _check_tables(game: Game, row: PositionRow) -> Iterator[Finding]:
    """Compare the tables for people who read the file with the position."""
    try:
        position = game.read_position(row.data, row.rules or game.rules())
    except UNREADABLE as error:
        yield Finding(row.name, "position", "verify-position", {"why": str(error)})
        return
    standing = [(unit, "", "") for unit in position.units]
    off = [(d.unit, str(d.by), ", ".join(d.retreats)) for d in position.dislodged]
    wanted: dict[str, set[tuple[object, ...]]] = {
        "units": {
            (unit.power, unit.kind, unit.province, unit.coast, unit.number, by, retreats)
            for unit, by, retreats in (*standing, *off)
        },
        "centres": set(position.owners.items()),
        "nobility": set(position.nobility.items()),
    }
    for table, sql in _TABLES.items():
        found = {tuple(entry.values()) for entry in game.file.rows(sql, row.phase)}
        if found != wanted[table]:
            yield Finding(row.name, table, "verify-table", {"table": table})


def _check_outcome(game: Game, row: OutcomeRow) -> Iterator[Finding]:
    """Resolve one phase again from its stored position and orders, and compare."""
    try:
        outcome = replay_outcome(game, row)
        idle = is_idle(outcome.position, {**game.settings(), "single_retreat": "auto"})
    except UNREADABLE as error:
        yield Finding(row.name, "orders", "verify-orders", {"why": str(error)})
        return
    if digest_outcome(outcome) != row.digest:
        yield Finding(row.name, "outcome", "verify-outcome", {"version": str(row.version)})
    if row.passed and not idle:
        yield Finding(row.name, "outcome", "verify-passed", {"version": str(row.version)})
    yield from _check_results(game, row, outcome)
    try:
        yield from _check_next(game, row, outcome)
    except UNREADABLE as error:
        yield report_unreadable(row.name, "outcomes", row.id, error)


def _check_results(game: Game, row: OutcomeRow, outcome: Outcome) -> Iterator[Finding]:
    """Compare the stored results with those that come out now."""
    rows = game.file.select(ResultRow, "WHERE outcome = ? ORDER BY id", row.id)
    kept, now = [asdict(result) for result in rows], list_results(outcome)
    if len(kept) != len(now):
        yield Finding(row.name, "results", "verify-results", {"version": str(row.version)})
        return
    for before, after in zip(kept, now, strict=True):
        data = {"order": before["canonical"] or before["unit"], "power": before["power"]}
        if any(before[name] != after[name] for name in before if name not in SENTENCES):
            yield Finding(row.name, "result", "verify-result", data)
        elif before != after:
            yield Finding(row.name, "result", SENTENCE, data)


def _check_next(game: Game, row: OutcomeRow, outcome: Outcome) -> Iterator[Finding]:
    """Compare the stored position that followed with the one that follows now."""
    position, _ = find_next_position(outcome)
    text = position_json(position)
    for after in game.file.select(PositionRow, "WHERE phases.parent = ?", row.id):
        if after.data != text:
            yield Finding(row.name, "next", "verify-next", {"next": after.name or "—"})
