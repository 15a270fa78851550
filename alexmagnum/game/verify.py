"""The whole game played again from its stored inputs, and compared byte by byte."""

from __future__ import annotations

from collections.abc import Iterator

from alexmagnum.game import consistency
from alexmagnum.game.consistency import UNREADABLE, report_unreadable
from alexmagnum.game.file import Row
from alexmagnum.game.phases import digest_outcome, find_next_position, list_results, replay_outcome
from alexmagnum.game.required_orders import is_idle
from alexmagnum.game.state import Game, digest, position_json
from alexmagnum.game.values import Finding
from alexmagnum.judge.outcome import Outcome

SENTENCE = "verify-sentence"
"""The code where a result is the same, and only its words are others: those of another version of
this program may be."""

SENTENCES = ("sentence_it", "sentence_en")


def verify_game(game: Game) -> tuple[Finding, ...]:
    """Everything that comes out otherwise than the file says: of the game as it stands, and of
    every version that was undone or amended.

    What is compared is listed in ``docs/game-file.md``.
    """
    return tuple(_findings(game))


def _findings(game: Game) -> Iterator[Finding]:
    yield from (Finding("", "file", "verify-file", {"why": why}) for why in _sound(game))
    circles = tuple(consistency.find_circles(game))
    yield from circles
    yield from consistency.find_gaps(game)
    yield from consistency.check_settings(game)
    for row in game.file.rows(
        """SELECT phases.name, positions.*, (
               SELECT rules FROM outcomes WHERE outcomes.phase = positions.phase LIMIT 1
           ) AS rules
           FROM positions JOIN phases ON phases.id = positions.phase"""
    ):
        yield from _position(row)
        yield from _tables(game, row)
    for row in game.file.rows(
        """SELECT outcomes.*, phases.name, phases.kind FROM outcomes
           JOIN phases ON phases.id = outcomes.phase ORDER BY outcomes.id"""
    ):
        yield from _outcome(game, row)
    yield from consistency.check_submissions(game)
    yield from consistency.check_seals(game)
    if not circles:  # else there is no end to where the game comes from
        yield from consistency.check_undo_log(game)
        yield from consistency.check_states(game)


def _sound(game: Game) -> Iterator[str]:
    """What SQLite itself says of the file."""
    for row in game.file.rows("PRAGMA integrity_check"):
        if row["integrity_check"] != "ok":
            yield str(row["integrity_check"])
    for row in game.file.rows("PRAGMA foreign_key_check"):
        yield f"{row['table']} {row['rowid']}"


def _position(row: Row) -> Iterator[Finding]:
    if digest(row["data"]) != row["digest"]:
        yield Finding(row["name"], "position", "verify-position-digest", {})


_LISTED = {
    "units": """SELECT power, kind, province, coast, number, dislodged_by, retreats FROM units
                WHERE phase = ?""",
    "centres": "SELECT centre, power FROM centres WHERE phase = ?",
    "nobility": "SELECT power, points FROM nobility WHERE phase = ?",
}


def _tables(game: Game, row: Row) -> Iterator[Finding]:
    """Do the tables for reading say what the position says?"""
    try:
        position = game.read_position(row["data"], row["rules"] or game.rules())
    except UNREADABLE as error:
        yield Finding(row["name"], "position", "verify-position", {"why": str(error)})
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
    for table, sql in _LISTED.items():
        found = {tuple(entry.values()) for entry in game.file.rows(sql, row["phase"])}
        if found != wanted[table]:
            yield Finding(row["name"], table, "verify-table", {"table": table})


def _outcome(game: Game, row: Row) -> Iterator[Finding]:
    """One phase, resolved again from the position and the orders that are kept."""
    try:
        outcome = replay_outcome(game, row)
        idle = is_idle(outcome.position, {**game.settings(), "single_retreat": "auto"})
    except UNREADABLE as error:
        yield Finding(row["name"], "orders", "verify-orders", {"why": str(error)})
        return
    if digest_outcome(outcome) != row["digest"]:
        yield Finding(row["name"], "outcome", "verify-outcome", {"version": str(row["version"])})
    if row["passed"] and not idle:
        yield Finding(row["name"], "outcome", "verify-passed", {"version": str(row["version"])})
    yield from _told(game, row, outcome)
    try:
        yield from _next(game, row, outcome)
    except UNREADABLE as error:
        yield report_unreadable(row["name"], "outcomes", row["id"], error)


def _told(game: Game, row: Row, outcome: Outcome) -> Iterator[Finding]:
    """Does every order still come to what was told of it?"""
    kept = game.file.rows(
        """SELECT power, unit, canonical, result, code, strength, against, sentence_it, sentence_en
           FROM resolved WHERE outcome = ? ORDER BY id""",
        row["id"],
    )
    now = list_results(outcome)
    if len(kept) != len(now):
        yield Finding(row["name"], "results", "verify-results", {"version": str(row["version"])})
        return
    for before, after in zip(kept, now, strict=True):
        data = {"order": before["canonical"] or before["unit"], "power": before["power"]}
        if any(before[name] != after[name] for name in before if name not in SENTENCES):
            yield Finding(row["name"], "result", "verify-result", data)
        elif before != after:
            yield Finding(row["name"], "result", SENTENCE, data)


def _next(game: Game, row: Row, outcome: Outcome) -> Iterator[Finding]:
    """Does the position that followed follow?"""
    position, _ = find_next_position(outcome)
    text = position_json(position)
    for after in game.file.rows(
        """SELECT positions.data, phases.name FROM phases
           JOIN positions ON positions.phase = phases.id WHERE phases.parent = ?""",
        row["id"],
    ):
        if after["data"] != text:
            yield Finding(row["name"], "next", "verify-next", {"next": after["name"] or "—"})
