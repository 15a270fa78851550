"""Cross-checks of the journal tables: submissions, seals, the undo log, and the states of phases.

``verify`` runs them next to resolving every phase again; each check returns findings.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from alexmagnum.errors import GameError
from alexmagnum.game.outbox_store import OutboxStore
from alexmagnum.game.records import (
    OrderRow,
    PhaseRow,
    SealRow,
    SettingRow,
    SubmissionCheckRow,
    UndoRow,
)
from alexmagnum.game.seals import is_digest_of
from alexmagnum.game.settings import check_setting
from alexmagnum.game.state import Game
from alexmagnum.game.stored_orders import AMEND, CLEAR
from alexmagnum.game.timeline import find_states
from alexmagnum.game.values import Finding
from alexmagnum.judge.outcome import REPLACED

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

# -- all rows -----------------------------------------------------------------------------------


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
        PhaseRow, "JOIN outcomes ON outcomes.id = phases.parent WHERE outcomes.phase >= phases.id"
    ):
        yield Finding(row.name, "phases", "verify-circle", {})


def check_settings(game: Game) -> Iterator[Finding]:
    """Find house rules with a value that they cannot have."""
    for row in game.file.select(SettingRow, "ORDER BY name"):
        try:
            is_allowed = check_setting(row.name, row.value) == row.value
        except GameError:
            is_allowed = False
        if not is_allowed:
            data = {"name": str(row.name), "value": str(row.value)}
            yield Finding("", "settings", "verify-setting", data)


# -- mails and seals ----------------------------------------------------------------------------


def check_submissions(game: Game) -> Iterator[Finding]:
    """Find submissions whose mail, lines, orders and seal do not agree."""
    before: dict[tuple[int, str], Sequence[str]] = {}
    for row in game.file.select(SubmissionCheckRow, "ORDER BY submissions.id"):
        try:
            orders = list(map(str, json.loads(row.effective)))
            if not is_digest_of(row.digest, row.salt, row.name, row.power, orders):
                yield _report_seal(row)
            key = row.phase, row.power
            amends = row.kind == AMEND
            so_far = () if amends else before.get(key, ())
            check = _check_withdrawal if row.kind == CLEAR else _check_lines
            yield from check(game, row, orders, so_far)
            if not amends:
                before[key] = orders
        except UNREADABLE as error:
            yield report_unreadable(row.name, "submissions", row.id, error)


def report_unreadable(phase: str, table: str, key: object, error: Exception) -> Finding:
    """Return the finding for a row that can no longer be read."""
    data = {"table": table, "id": str(key), "why": str(error) or type(error).__name__}
    return Finding(phase, table, "verify-unreadable", data)


def _report_seal(row: SubmissionCheckRow | SealRow) -> Finding:
    data = {"power": row.power, "digest": row.digest}
    return Finding(row.name, "seal", "verify-seal", data)


def _report_lines(row: SubmissionCheckRow, what: str, code: str) -> Finding:
    return Finding(row.name, what, code, {"power": row.power, "number": str(row.number)})


def _read_order_rows(game: Game, submission: int) -> tuple[OrderRow, ...]:
    return game.file.select(OrderRow, "WHERE submission = ? ORDER BY id", submission)


def _check_withdrawal(
    game: Game, row: SubmissionCheckRow, orders: Sequence[str], before: Sequence[str]
) -> Iterator[Finding]:
    """Check that nothing counts after a withdrawal, and that something did before."""
    lines = _read_order_rows(game, row.id)
    if lines or orders or bool(before) != bool(row.replaces):
        yield _report_lines(row, "orders", "verify-lines")


def _check_lines(
    game: Game, row: SubmissionCheckRow, orders: Sequence[str], before: Sequence[str]
) -> Iterator[Finding]:
    """Check that the lines of a mail are in its text, and add up to its orders."""
    lines = _read_order_rows(game, row.id)
    if row.mail is not None and not (
        row.sender == row.power and _is_in_text(lines, row.text or "")
    ):
        yield _report_lines(row, "mail", "verify-mail")
    sent = [line.canonical for line in lines if _is_counted(line)]
    replaces = any(order not in orders for order in before)
    void = {line.canonical for line in lines if line.verdict == "impossible"}
    earlier = () if row.fresh else before
    if not _adds_up(sent, void, earlier, orders) or replaces != bool(row.replaces):
        yield _report_lines(row, "orders", "verify-lines")


def _is_in_text(lines: Sequence[OrderRow], text: str) -> bool:
    """Return whether every line is in a text, blanks ignored."""
    whole = "".join(text.split())
    return all("".join(line.text.split()) in whole for line in lines)


def _is_counted(line: OrderRow) -> bool:
    """Return whether a line is the power's own order for the phase in which it was sent."""
    return (
        bool(line.canonical)
        and not line.ahead
        and line.verdict != REPLACED
        and line.code != "second-hand"
    )


def _adds_up(
    sent: Sequence[str], void: Collection[str], before: Sequence[str], orders: Sequence[str]
) -> bool:
    """Return whether these are the orders after a mail.

    They end with those sent, after some of those before; or the other way round where a house rule
    prefers the last builds.  Of those sent, a ``void`` one may leave an earlier one in force.  A
    mail without orders changes nothing.
    """
    rest = list(orders)
    if all(order in void and order not in rest for order in sent):
        return rest == list(before)
    for listed in (list(sent), list(sent)[::-1]):
        counting = [order for order in listed if order not in void or order in rest]
        cut = len(rest) - len(counting)
        if rest[cut:] == counting and all(order in before for order in rest[:cut]):
            return True
        if rest[: len(counting)] == counting and all(order in before for order in rest[cut:]):
            return True
    return False


def check_seals(game: Game) -> Iterator[Finding]:
    """Find seals of outcomes that no submission has."""
    sent = {
        (row.name, row.power, row.salt, row.digest, row.effective)
        for row in game.file.select(SubmissionCheckRow)
    }
    for row in game.file.select(SealRow):
        is_empty = (row.salt, row.digest, row.orders) == ("", "", "[]")
        if not is_empty and (row.name, row.power, row.salt, row.digest, row.orders) not in sent:
            yield _report_seal(row)


# -- where the game stands ----------------------------------------------------------------------


def check_undo_log(game: Game) -> Iterator[Finding]:
    """Check that the entries of the undo log follow each other, the done ones before the undone,
    and that the current phase is between the last done and the first undone entry."""
    entries = game.file.select(UndoRow, "WHERE state != 'dropped' ORDER BY id")
    done = tuple(entry for entry in entries if entry.state == "done")
    undone = entries[len(done) :]
    head = game.head().id
    is_chain = all(a.target == b.source for a, b in pairwise(entries))
    first_undone = undone[0].source if undone else head
    last_done = done[-1].target if done else first_undone
    if not is_chain or entries[: len(done)] != done or {first_undone, last_done} != {head}:
        yield Finding("", "undo_log", "verify-moves", {})


def check_states(game: Game) -> Iterator[Finding]:
    """Find phases and outcomes whose state is not what the undo log and the open phase make it."""
    phases, outcomes = find_states(game)
    for phase in game.phases():
        if phase.state != phases.get(phase.id, "superseded"):
            yield Finding(phase.name, "phases", "verify-state", {"state": str(phase.state)})
    for outcome in game.outcomes():
        if outcome.state != outcomes.get(outcome.id, "superseded"):
            yield Finding(outcome.name, "outcomes", "verify-state", {"state": str(outcome.state)})


# -- letters --------------------------------------------------------------------------------------


def check_letters(game: Game) -> Iterator[Finding]:
    """Check that each letter, with its files, is byte for byte what its digest says."""
    store = OutboxStore(game.file)
    for mailing in store.find_all():
        if not store.is_intact(mailing.id):
            data = {"number": str(mailing.id)}
            yield Finding(mailing.phase, "letters", "verify-letter", data)
