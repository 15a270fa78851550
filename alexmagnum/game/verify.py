"""Verification: the game resolved again from its inputs, and checks of its file and journal."""

import json
import re
import sqlite3
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path

from alexmagnum.errors import AlexMagnumError, GameError
from alexmagnum.game import file as game_file
from alexmagnum.game import records
from alexmagnum.game.game import Finding, Game, digest, in_one_view, position_json
from alexmagnum.game.mail_store import OutboxStore
from alexmagnum.game.orders import AMEND, CLEAR, digest_orders, is_idle
from alexmagnum.game.phases import digest_outcome, find_next_position, list_results, replay_outcome
from alexmagnum.game.settings import check_setting
from alexmagnum.game.status import check_closing_seal
from alexmagnum.judge.outcome import REPLACED, Outcome

# Cross-checks of the tables, next to resolving every phase again.


UNREADABLE = (ValueError, TypeError, KeyError, AttributeError, IndexError, AssertionError)
"""Errors that reading a column may raise after somebody changed it."""

_GROWING = (
    "journal",
    "phases",
    "outcomes",
    "mail",
    "submissions",
    "orders",
    "resolved",
    "undo_log",
    "messages",
    "letters",
    "press",
    "standby",
)
"""Tables from which nothing is ever removed: their ids have no gaps."""


def find_gaps(game: Game) -> Iterator[Finding]:
    """Find tables from which rows are gone that are never removed.

    After a restore the numbers of letters that only the replaced file had stay unused, so letters
    are counted from there on.
    """
    used = OutboxStore(game.file).last_before_restores()
    for table in _GROWING:
        if table == "letters" and used:
            later = game.file.count(f"SELECT COUNT(*) FROM letters WHERE id > {used}")
            last = game.file.count("SELECT MAX(id) FROM letters")
            if later and later != last - used:
                yield Finding("", table, "verify-gap", {"table": table})
            continue
        count = game.file.count(f"SELECT COUNT(*) FROM {table}")
        last = game.file.count(f"SELECT MAX(id) FROM {table}")
        if count != last or (table == "journal" and not count):
            yield Finding("", table, "verify-gap", {"table": table})


def find_circles(game: Game) -> Iterator[Finding]:
    """Find phases that lead to themselves: every phase is younger than those that led to it."""
    for row in game.file.select(
        records.PhaseRow,
        "JOIN outcomes ON outcomes.id = phases.parent WHERE outcomes.phase >= phases.id",
    ):
        yield Finding(row.name, "phases", "verify-circle", {})


def check_settings(game: Game) -> Iterator[Finding]:
    """Find house rules with a value that they cannot have."""
    for name, value in game.settings.items():
        try:
            is_allowed = check_setting(name, value) == value
        except GameError:
            is_allowed = False
        if not is_allowed:
            data = {"name": str(name), "value": str(value)}
            yield Finding("", "settings", "verify-setting", data)


def check_submissions(game: Game) -> Iterator[Finding]:
    """Find submissions whose mail, lines, orders and seal do not agree."""
    names = _name_phases(game)
    mails = {mail.id: mail for mail in game.file.select(records.MailRow)}
    before: dict[tuple[int, str], Sequence[str]] = {}
    for row in game.file.select(records.SubmissionRow, "ORDER BY id"):
        name = names.get(row.phase, "")
        number = {"power": row.power, "number": str(row.number)}
        try:
            orders = list(map(str, json.loads(row.effective)))
            if row.digest != digest_orders(row.salt, name, row.power, orders):
                yield _report_seal(name, row)
            key = row.phase, row.power
            amends = row.kind == AMEND
            so_far = () if amends else before.get(key, ())
            lines = game.file.select(records.OrderRow, "WHERE submission = ? ORDER BY id", row.id)
            if row.mail is not None and not _is_from_mail(row, lines, mails.get(row.mail)):
                yield Finding(name, "mail", "verify-mail", number)
            if row.kind == CLEAR:
                # Nothing counts after a withdrawal, and something did before.
                agrees = not (lines or orders) and bool(so_far) == bool(row.replaces)
            else:
                agrees = _do_lines_agree(row, lines, orders, so_far)
            if not agrees:
                yield Finding(name, "orders", "verify-lines", number)
            if not amends:
                before[key] = orders
        except UNREADABLE as error:
            yield report_unreadable(name, "submissions", row.id, error)


def _name_phases(game: Game) -> dict[int, str]:
    return {phase.id: phase.name for phase in game.phase_rows()}


def report_unreadable(phase: str, table: str, key: object, error: Exception) -> Finding:
    """Return the finding for a row that can no longer be read."""
    data = {"table": table, "id": str(key), "why": str(error) or type(error).__name__}
    return Finding(phase, table, "verify-unreadable", data)


def _report_seal(phase: str, row: records.SubmissionRow | records.SealRow) -> Finding:
    return Finding(phase, "seal", "verify-seal", {"power": row.power, "digest": row.digest})


_WORD = re.compile(r"[^\W\d_]+|\d+")  # or a number: orders may begin behind an ordinal


def _is_from_mail(
    row: records.SubmissionRow, lines: Sequence[records.OrderRow], mail: records.MailRow | None
) -> bool:
    """Return whether each word of a submission's orders is in the text of its mail.

    A sentence may be broken over lines, and have parts between that are not shown; one without an
    order decides nothing.
    """
    if mail is None or mail.power != row.power:
        return False
    words = set(_WORD.findall(mail.text))
    return all(words.issuperset(_WORD.findall(line.text)) for line in lines if line.canonical)


def _do_lines_agree(
    row: records.SubmissionRow,
    lines: Sequence[records.OrderRow],
    orders: Sequence[str],
    before: Sequence[str],
) -> bool:
    """Return whether the lines of a submission add up to its orders.

    Each order was sent or in force before, and all that was sent is in force but what is void.
    """
    sent = [
        line.canonical
        for line in lines
        if line.canonical
        and not line.ahead
        and line.verdict != REPLACED
        and line.code != "second-hand"
    ]
    replaces = any(order not in orders for order in before)
    void = {line.canonical for line in lines if line.verdict == "impossible"}
    known = {*sent, *(() if row.fresh else before)}
    counting = (order for order in sent if order not in void)
    agrees = known.issuperset(orders) and set(orders).issuperset(counting)
    return agrees and replaces == bool(row.replaces)


def check_seals(game: Game) -> Iterator[Finding]:
    """Find seals of outcomes that no submission has."""
    names = _name_phases(game)
    sent = {
        (names.get(row.phase), row.power, row.salt, row.digest, row.effective)
        for row in game.file.select(records.SubmissionRow)
    }
    for row in game.file.select(records.SealRow):
        is_empty = (row.salt, row.digest, row.orders) == ("", "", "[]")
        if not is_empty and (row.name, row.power, row.salt, row.digest, row.orders) not in sent:
            yield _report_seal(row.name, row)


def check_undo_log(game: Game) -> Iterator[Finding]:
    """Check that the entries of the undo log follow each other, the done ones before the undone,
    and that the current phase is between the last done and the first undone entry."""
    entries = game.file.select(records.UndoRow, "WHERE state != 'dropped' ORDER BY id")
    done = tuple(entry for entry in entries if entry.state == "done")
    undone = entries[len(done) :]
    head = game.head().id
    is_chain = all(a.target == b.source for a, b in pairwise(entries))
    first_undone = undone[0].source if undone else head
    last_done = done[-1].target if done else first_undone
    if not is_chain or entries[: len(done)] != done or {first_undone, last_done} != {head}:
        yield Finding("", "undo_log", "verify-moves", {})


def check_letters(game: Game) -> Iterator[Finding]:
    """Check that each letter, with its files, is byte for byte what its digest says."""
    store = OutboxStore(game.file)
    for mailing in store.list_letters():
        if not store.is_intact(mailing):
            yield Finding(mailing.phase, "letters", "verify-letter", {"number": str(mailing.id)})


# Verification: the whole game resolved again from its stored inputs, compared byte by byte.


SENTENCE = "verify-sentence"
"""The code of a result that differs in its words alone, as those of another version may."""

SENTENCES = ("sentence_it", "sentence_en")


@in_one_view
def verify_game(game: Game) -> tuple[Finding, ...]:
    """Resolve every phase again from its stored inputs, and return the differences.

    ``docs/game-file.md`` lists what is compared.
    """
    return (
        *_check_pages(game.file.connection),
        *check_consistency(game),
        *(found for outcome in game.outcomes() for found in _check_outcome(game, outcome)),
    )


def check_consistency(game: Game) -> Iterator[Finding]:
    """Yield where rows contradict each other: digests, seals, submissions, letters, states.

    No phase is resolved again; :func:`verify_game` does that too.
    """
    circles = tuple(find_circles(game))
    yield from circles
    yield from find_gaps(game)
    yield from check_settings(game)
    for position in game.file.select(records.PositionRow):
        if digest(position.data) != position.digest:
            yield Finding(position.name, "position", "verify-position-digest", {})
        try:
            game.read_position(position.data, position.rules or game.rules())
        except UNREADABLE as error:
            yield Finding(position.name, "position", "verify-position", {"why": str(error)})
    yield from check_submissions(game)
    yield from check_seals(game)
    yield from check_letters(game)
    if not circles:  # else there is no end to where the game comes from
        yield from check_undo_log(game)
        yield from check_closing_seal(game)


def _check_pages(db: sqlite3.Connection) -> Iterator[Finding]:
    """Yield what SQLite itself finds wrong with a file."""
    for (fault,) in db.execute(f"PRAGMA integrity_check({_TOLD})"):
        if fault != "ok":
            yield _fault(fault)
    for table, row, *_ in db.execute("PRAGMA foreign_key_check").fetchmany(_TOLD):
        yield _fault(f"{table} {row}")


def _check_outcome(game: Game, row: records.OutcomeRow) -> Iterator[Finding]:
    """Resolve one phase again from its stored position and orders, and compare."""
    try:
        outcome = replay_outcome(game, row)
        idle = is_idle(outcome.position, {**game.settings, "single_retreat": "auto"})
    except UNREADABLE as error:
        yield Finding(row.name, "orders", "verify-orders", {"why": str(error)})
        return
    if row.passed and not idle:
        yield Finding(row.name, "outcome", "verify-passed", {"version": str(row.version)})
    yield from _check_results(game, row, outcome)
    try:
        yield from _check_next(game, row, outcome)
    except UNREADABLE as error:
        yield report_unreadable(row.name, "outcomes", row.id, error)


def _check_results(game: Game, row: records.OutcomeRow, outcome: Outcome) -> Iterator[Finding]:
    rows = game.file.select(records.ResultRow, "WHERE outcome = ? ORDER BY id", row.id)
    kept, now = (
        sorted(each, key=_find_place) for each in (map(asdict, rows), list_results(outcome))
    )
    if len(kept) != len(now):
        yield Finding(row.name, "results", "verify-results", {"version": str(row.version)})
        return
    for before, after in zip(kept, now, strict=True):
        data = {"order": before["canonical"] or before["unit"], "power": before["power"]}
        changed = [name for name in after if before[name] != after[name]]
        if any(name not in SENTENCES for name in changed):
            yield Finding(row.name, "result", "verify-result", data)
        elif changed:
            yield Finding(row.name, "result", SENTENCE, data)


def _find_place(result: Mapping[str, object]) -> tuple[str, ...]:
    """Return where a result stands: first those of orders, in their sequence, then those of units
    without one, whose sequence means nothing."""
    return () if result["canonical"] else (str(result["power"]), str(result["unit"]))


def _check_next(game: Game, row: records.OutcomeRow, outcome: Outcome) -> Iterator[Finding]:
    """Compare the stored digest and the position that followed with those of now."""
    position, _ = find_next_position(outcome)
    if digest_outcome(outcome, position) != row.digest:
        yield Finding(row.name, "outcome", "verify-outcome", {"version": str(row.version)})
    text = position_json(position)
    for after in game.file.select(records.PositionRow, "WHERE phases.parent = ?", row.id):
        if after.data != text:
            yield Finding(row.name, "next", "verify-next", {"next": after.name or "—"})


# Checks of a game file: what SQLite finds, the checksum, and rows that contradict each other.


SYMPTOMS = (
    *UNREADABLE,
    sqlite3.Error,
    zlib.error,
    struct.error,
    ArithmeticError,
    RecursionError,
    MemoryError,
)
"""Errors that a damaged file may lead to anywhere.  Where the file is sound they are mistakes of
the program."""

_TOLD = 20  # the highest number of SQLite's faults that are listed


def find_faults(folder: Path) -> Iterator[Finding]:
    """Yield what is wrong with a game file as a file: its header, its pages, its references, and
    whether it was changed since the last command.

    The file need not be one that can be opened.
    """
    try:
        game_file.check_header(folder / game_file.FILE)
        # A file that waits for its log is opened as always; SQLite brings it up to date.
        with closing(game_file.connect(folder, game_file.WAIT)) as db:
            db.text_factory = lambda raw: raw.decode("utf-8", "replace")
            yield from _check_pages(db)
    except (GameError, *game_file.DAMAGE) as error:
        found = error if isinstance(error, GameError) else game_file.translate(error, folder)
        if found is None:
            yield _fault(str(error))
        elif found.code == "cannot-write":  # a disk that is full or for reading only
            raise found from None
        elif found.code != "game-busy":  # a command keeps others out where the disk is full
            yield Finding("", "file", found.code, dict(found.data))
        return
    if game_file.compare_checksum(folder) is False:
        yield Finding("", "file", "verify-changed", {"file": game_file.FILE})


def _fault(why: str) -> Finding:
    return Finding("", "file", "verify-file", {"why": " ".join(why.split())[:100]})


def find_inconsistencies(game: Game) -> Iterator[Finding]:
    """Yield where rows of the file contradict each other, and what cannot be read."""
    try:
        yield from check_consistency(game)
    except GameError as error:
        yield Finding("", "file", error.code, dict(error.data))
    except AlexMagnumError as error:
        yield _fault(str(error))
    except SYMPTOMS as error:
        yield _fault(f"{type(error).__name__}: {error}")


def diagnose(folder: Path) -> GameError | None:
    """Return the damage of a game file as an error, None if it is sound."""
    try:
        fault = next(find_faults(folder), None)
    except GameError as error:
        return error
    if fault is None:
        return None
    if fault.code.startswith(("game-", "no-")):
        return GameError(fault.code, **fault.data)
    why = fault.data.get("why", "changed")
    return GameError("game-damaged", path=str(folder / game_file.FILE), why=why)
