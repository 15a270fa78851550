"""Whether the rows of a game file that tell of acts fit each other: mails, seals, moves, states."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import pairwise

from alexmagnum.errors import GameError
from alexmagnum.game.file import Row
from alexmagnum.game.seals import is_digest_of
from alexmagnum.game.settings import check_setting
from alexmagnum.game.state import Game
from alexmagnum.game.submissions import AMEND, CLEAR
from alexmagnum.game.values import Finding
from alexmagnum.judge.outcome import REPLACED

UNREADABLE = (ValueError, TypeError, KeyError, AttributeError, IndexError, AssertionError)
"""What reading a column can end in that somebody changed."""

_GROWING = (
    *("journal", "phases", "outcomes", "mail", "submissions", "orders", "resolved", "undo_log"),
    *("messages", "letters", "press"),
)
"""Tables out of which nothing is ever taken: their ids have no gaps."""

# -- all rows -----------------------------------------------------------------------------------


def find_gaps(game: Game) -> Iterator[Finding]:
    """Are rows gone that are never taken away?"""
    for table in _GROWING:
        row = game.file.row(f"SELECT COUNT(*) AS n, MAX(id) AS last FROM {table}") or {}
        if row["n"] != (row["last"] or 0) or (table == "journal" and not row["n"]):
            yield Finding("", table, "verify-gap", {"table": table})


def find_circles(game: Game) -> Iterator[Finding]:
    """Does a phase lead to itself?  Every phase is younger than those that led to it."""
    for row in game.file.rows(
        """SELECT phases.name FROM phases JOIN outcomes ON outcomes.id = phases.parent
           WHERE outcomes.phase >= phases.id"""
    ):
        yield Finding(row["name"], "phases", "verify-circle", {})


def check_settings(game: Game) -> Iterator[Finding]:
    """Can every house rule be set as it is?"""
    for row in game.file.rows("SELECT name, value FROM settings ORDER BY name"):
        try:
            fits = check_setting(row["name"], row["value"]) == row["value"]
        except GameError:
            fits = False
        if not fits:
            data = {"name": str(row["name"]), "value": str(row["value"])}
            yield Finding("", "settings", "verify-setting", data)


# -- mails and seals ----------------------------------------------------------------------------


def check_submissions(game: Game) -> Iterator[Finding]:
    """Does every mail come to the orders that it is said to, and are those sealed?"""
    before: dict[tuple[int, str], Sequence[str]] = {}
    for row in game.file.rows(
        """SELECT submissions.*, phases.name, mail.text, mail.power AS sender
           FROM submissions JOIN phases ON phases.id = submissions.phase
           LEFT JOIN mail ON mail.id = submissions.mail ORDER BY submissions.id"""
    ):
        try:
            orders = list(map(str, json.loads(row["effective"])))
            yield from _sealed(row, orders)
            key = row["phase"], row["power"]
            amends = row["kind"] == AMEND
            kept = () if amends else before.get(key, ())
            if row["kind"] == CLEAR:
                yield from _cleared(game, row, orders, kept)
            else:
                yield from _lines(game, row, orders, kept)
            if not amends:
                before[key] = orders
        except UNREADABLE as error:
            yield report_unreadable(row["name"], "submissions", row["id"], error)


def report_unreadable(phase: str, table: str, key: object, error: Exception) -> Finding:
    """A row that cannot be read any more."""
    data = {"table": table, "id": str(key), "why": str(error) or type(error).__name__}
    return Finding(phase, table, "verify-unreadable", data)


def _sealed(row: Row, orders: Sequence[str]) -> Iterator[Finding]:
    if not is_digest_of(row["digest"], row["salt"], row["name"], row["power"], orders):
        yield _broken(row)


def _broken(row: Row) -> Finding:
    data = {"power": row["power"], "digest": row["digest"]}
    return Finding(row["name"], "seal", "verify-seal", data)


def _cleared(
    game: Game, row: Row, orders: Sequence[str], before: Sequence[str]
) -> Iterator[Finding]:
    """Does nothing count any more once it was withdrawn, and did anything before?"""
    lines = game.file.rows("SELECT 1 FROM orders WHERE submission = ?", row["id"])
    if lines or orders or bool(before) != bool(row["replaces"]):
        data = {"power": row["power"], "number": str(row["number"])}
        yield Finding(row["name"], "orders", "verify-lines", data)


def _lines(game: Game, row: Row, orders: Sequence[str], before: Sequence[str]) -> Iterator[Finding]:
    """Do the lines of a mail stand in it, and come to its orders?"""
    lines = game.file.rows("SELECT * FROM orders WHERE submission = ? ORDER BY id", row["id"])
    data = {"power": row["power"], "number": str(row["number"])}
    if row["mail"] is not None and not (
        row["sender"] == row["power"] and _stands_in(lines, row["text"])
    ):
        yield Finding(row["name"], "mail", "verify-mail", data)
    sent = [line["canonical"] for line in lines if _counts(line)]
    gone = bool(sent) and any(order not in orders for order in before)
    if not _come_to(sent, before, orders) or gone != bool(row["replaces"]):
        yield Finding(row["name"], "orders", "verify-lines", data)


def _stands_in(lines: Sequence[Row], text: str) -> bool:
    """Does every line stand in a text, blanks aside?"""
    whole = "".join(text.split())
    return all("".join(line["text"].split()) in whole for line in lines)


def _counts(line: Row) -> bool:
    """Is a line an order for the phase in which it was sent, and the power's own?"""
    return (
        bool(line["canonical"])
        and not line["ahead"]
        and line["verdict"] != REPLACED
        and line["code"] != "second-hand"
    )


def _come_to(sent: Sequence[str], before: Sequence[str], orders: Sequence[str]) -> bool:
    """Are these the orders after a mail?  They end with those sent, behind some of those before;
    turned about where a house rule prefers the last builds.  A mail without orders changes
    nothing."""
    if not sent:
        return list(orders) == list(before)
    for listed in (list(orders), list(orders)[::-1]):
        kept, new = listed[: -len(sent)], listed[-len(sent) :]
        if new == list(sent) and all(order in before for order in kept):
            return True
    return False


def check_seals(game: Game) -> Iterator[Finding]:
    """Is what an outcome was resolved with what was sent and sealed?"""
    sent = {
        (row["name"], row["power"], row["salt"], row["digest"], row["effective"])
        for row in game.file.rows(
            """SELECT submissions.*, phases.name FROM submissions
               JOIN phases ON phases.id = submissions.phase"""
        )
    }
    for row in game.file.rows(
        """SELECT seals.*, phases.name FROM seals JOIN outcomes ON outcomes.id = seals.outcome
           JOIN phases ON phases.id = outcomes.phase"""
    ):
        key = (row["name"], row["power"], row["salt"], row["digest"], row["orders"])
        nothing = (row["salt"], row["digest"], row["orders"]) == ("", "", "[]")
        if not nothing and key not in sent:
            yield _broken(row)


# -- where the game stands ----------------------------------------------------------------------


def check_undo_log(game: Game) -> Iterator[Finding]:
    """Do the moves that were done, and those that were undone, follow each other; and does the
    game stand between them?"""
    listed = game.file.rows("SELECT * FROM undo_log WHERE state != 'dropped' ORDER BY id")
    done = [row for row in listed if row["state"] == "done"]
    chained = all(a["target"] == b["source"] for a, b in pairwise(listed))
    stands = next((row["source"] for row in listed[len(done) :]), game.head()["id"])
    reached = done[-1]["target"] if done else stands
    if not chained or listed[: len(done)] != done or {stands, reached} != {game.head()["id"]}:
        yield Finding("", "undo_log", "verify-moves", {})


def check_states(game: Game) -> Iterator[Finding]:
    """Is what is said of every phase and outcome true: that it is part of the game as it stands,
    was undone, or has been superseded?"""
    head, line = game.head(), game.line()
    undone = {
        row["target"]
        for row in game.file.rows("SELECT target FROM undo_log WHERE state = 'undone'")
    }
    ahead = [entry for target in undone for entry in game.line_to(target)]
    phases = {
        **dict.fromkeys(undone | {entry["phase"] for entry in ahead}, "undone"),
        **dict.fromkeys((entry["phase"] for entry in line), "closed"),
        head["id"]: "open",
    }
    for row in game.file.rows("SELECT id, name, state FROM phases"):
        if row["state"] != phases.get(row["id"], "superseded"):
            yield Finding(row["name"], "phases", "verify-state", {"state": str(row["state"])})
    outcomes = {
        **dict.fromkeys((entry["id"] for entry in ahead), "undone"),
        **{entry["id"]: "passed" if entry["passed"] else "processed" for entry in line},
    }
    for row in game.file.rows(
        """SELECT outcomes.id, outcomes.state, phases.name FROM outcomes
           JOIN phases ON phases.id = outcomes.phase"""
    ):
        if row["state"] != outcomes.get(row["id"], "superseded"):
            yield Finding(row["name"], "outcomes", "verify-state", {"state": str(row["state"])})
