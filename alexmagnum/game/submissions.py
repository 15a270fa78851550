"""Mails into the file, and the orders that count out of it."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from alexmagnum.errors import GameError
from alexmagnum.game.file import Row, to_json
from alexmagnum.game.mail_orders import Mail, fitting, read_canonical_orders, read_mail
from alexmagnum.game.required_orders import find_missing_after_house_rules
from alexmagnum.game.seals import digest_orders, make_salt
from alexmagnum.game.state import OVER, Game
from alexmagnum.game.values import Receipt, Understood
from alexmagnum.notation import write_order
from alexmagnum.orders import Order
from alexmagnum.position import WINTER, Position

MAIL, AHEAD, AMEND, CLEAR = "mail", "ahead", "amend", "clear"
"""The kinds of submission: a mail for the phase, orders sent before it, a correction after it,
and what had been sent withdrawn."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """What one power's orders are in a phase: as sealed, with their seal.  ``salt`` is "" for a
    power that sent nothing."""

    orders: tuple[str, ...] = ()
    salt: str = ""
    digest: str = ""


class Kept(NamedTuple):
    """A mail that was kept: its receipt, and the salt of the seal."""

    receipt: Receipt
    salt: str


# -- taking mail ----------------------------------------------------------------------------------


def submit_orders(
    game: Game,
    power: str,
    text: str,
    source: str,
    reason: str,
    received: str = "",
    read: Mail | None = None,
) -> Receipt:
    """Take a mail for the open phase; ``received`` now, if it is not said; ``read`` if it was
    read already.

    Raises:
        GameError: no-such-power, game-is-over.
    """
    power = game.power(power)
    with game.act("submit", power, reason) as note:
        phase = require_open_phase(game)
        read = read or read_mail_for_phase(game, phase, power, text)
        mail = store_mail(game, phase["id"], power, text, source, received)
        receipt = store_submission(game, phase, power, read, MAIL, mail, received=received).receipt
        note.detail |= {
            "number": receipt.number,
            "orders": len(receipt.orders),
            "missing": len(receipt.missing),
            "digest": receipt.digest,
            "source": source,
        }
    return receipt


def require_open_phase(game: Game) -> Row:
    """The phase for which orders are taken.

    Raises:
        GameError: game-is-over.
    """
    phase = game.head()
    if phase["kind"] == OVER:
        raise GameError("game-is-over")
    return phase


def clear_orders(game: Game, power: str, reason: str, received: str = "") -> Receipt:
    """Withdraw what a power sent for the open phase; what it sent ahead for later ones stays.

    Raises:
        GameError: no-such-power, game-is-over.
    """
    power = game.power(power)
    with game.act("clear", power, reason) as note:
        receipt = _withdraw(game, require_open_phase(game), power, received)
        note.detail |= {"number": receipt.number, "digest": receipt.digest}
    return receipt


def _withdraw(game: Game, phase: Row, power: str, received: str) -> Receipt:
    """Keep that a power has no orders any more, sealed like orders."""
    replaces = bool(read_effective_orders(game, phase["id"], power))
    read = Mail((), (), replaces=replaces)
    return store_submission(game, phase, power, read, CLEAR, received=received).receipt


def store_mail(
    game: Game, phase: int, power: str, text: str, source: str, received: str = ""
) -> int:
    """Keep a mail as it came, before anything is read: its id."""
    at = received or game.stamp()
    return game.file.insert("mail", phase=phase, power=power, source=source, received=at, text=text)


def read_mail_for_phase(game: Game, phase: Row, power: str, text: str) -> Mail:
    """What a mail for a phase would come to; nothing is kept."""
    before = read_effective_orders(game, phase["id"], power)
    return read_mail(game.position(phase["id"]), power, text, game.settings(), before)


def store_submission(
    game: Game,
    phase: Row,
    power: str,
    read: Mail,
    kind: str,
    mail: int | None = None,
    *,
    received: str = "",
    position: Position | None = None,
) -> Kept:
    """Keep a mail that was read, sealed; ``position`` if it is not read under the switches in
    force now, ``received`` if it did not come just now."""
    orders = tuple(write_order(order) for order in read.orders)
    salt = make_salt(game.entropy)
    position = game.position(phase["id"]) if position is None else position
    still = find_missing_after_house_rules(position, game.settings(), {power: read.orders}).get(
        power, ()
    )
    receipt = Receipt(
        power,
        phase["name"],
        _count(game, phase["id"], power) + 1,
        received or game.stamp(),
        read.lines,
        orders,
        still,
        digest_orders(salt, phase["name"], power, orders),
        read.replaces,
    )
    _store(game, phase["id"], receipt, kind, mail, salt)
    return Kept(receipt, salt)


def _count(game: Game, phase: int, power: str) -> int:
    row = game.file.row(
        "SELECT COUNT(*) AS n FROM submissions WHERE phase = ? AND power = ?", phase, power
    )
    return int(row["n"]) if row else 0


def _store(
    game: Game, phase: int, receipt: Receipt, kind: str, mail: int | None, salt: str
) -> None:
    key = game.file.insert(
        "submissions",
        phase=phase,
        power=receipt.power,
        number=receipt.number,
        kind=kind,
        mail=mail,
        received=receipt.received,
        effective=to_json(receipt.orders),
        missing=to_json(receipt.missing),
        replaces=int(receipt.replaces),
        salt=salt,
        digest=receipt.digest,
    )
    game.file.insert_all(
        "orders",
        [
            {
                "submission": key,
                "text": line.text,
                "canonical": line.order,
                "verdict": line.verdict,
                "code": line.code,
                "data": to_json(dict(line.data)),
                "ahead": line.ahead,
            }
            for line in receipt.lines
        ],
    )


# -- what counts ----------------------------------------------------------------------------------


def read_inputs(game: Game, phase: int) -> dict[str, Inputs]:
    """The orders that count in an open phase, by power in the map's order."""
    last = find_last_submissions(game, phase)
    return {power: _inputs(last[power]) for power in game.base.powers if power in last}


def _inputs(row: Row) -> Inputs:
    return Inputs(tuple(json.loads(row["effective"])), row["salt"], row["digest"])


def find_last_submissions(game: Game, phase: int) -> dict[str, Row]:
    """The last submission of each power in a phase, amendments aside."""
    rows = game.file.rows(
        f"""SELECT * FROM submissions WHERE id IN (
                SELECT MAX(id) FROM submissions WHERE phase = ? AND kind != '{AMEND}'
                GROUP BY power
            ) ORDER BY id""",
        phase,
    )
    return {row["power"]: row for row in rows}


def find_last_submission(game: Game, phase: int, power: str) -> Row | None:
    """The last submission of one power in a phase, amendments aside."""
    return game.file.row(
        f"""SELECT * FROM submissions WHERE phase = ? AND power = ? AND kind != '{AMEND}'
            ORDER BY id DESC LIMIT 1""",
        phase,
        power,
    )


def read_effective_orders(game: Game, phase: int, power: str) -> tuple[Order, ...]:
    """The orders of one power that count so far in an open phase."""
    row = find_last_submission(game, phase, power)
    found = _inputs(row) if row else Inputs()
    return read_canonical_orders(game.position(phase), power, found.orders)


def parse_inputs(position: Position, found: Mapping[str, Inputs]) -> dict[str, tuple[Order, ...]]:
    """The orders of all powers, read.

    Raises:
        NotationError: an order cannot be read in this position.
    """
    return {
        power: read_canonical_orders(position, power, each.orders) for power, each in found.items()
    }


# -- receipts -------------------------------------------------------------------------------------


def read_receipt(game: Game, phase: Row, power: str) -> Receipt | None:
    """The last receipt of a power in a phase, None if it sent nothing."""
    row = find_last_submission(game, phase["id"], power)
    return _receipt(game, phase["name"], row) if row else None


def read_sealed_receipts(game: Game, outcome: Row) -> dict[str, Receipt]:
    """The receipts of the orders that an outcome was resolved with, found by their salts."""
    rows = game.file.rows(
        """SELECT submissions.* FROM seals
           JOIN submissions ON submissions.power = seals.power AND submissions.salt = seals.salt
           WHERE seals.outcome = ? ORDER BY submissions.id""",
        outcome["id"],
    )
    found = {row["power"]: row for row in rows}
    return {
        power: _receipt(game, outcome["name"], found[power])
        for power in game.base.powers
        if power in found
    }


def _receipt(game: Game, phase: str, row: Row) -> Receipt:
    return Receipt(
        row["power"],
        phase,
        row["number"],
        row["received"],
        read_lines(game, row["id"]),
        tuple(json.loads(row["effective"])),
        tuple(json.loads(row["missing"])),
        row["digest"],
        bool(row["replaces"]),
    )


def read_lines(game: Game, submission: int) -> tuple[Understood, ...]:
    """The lines of a submission as they were understood."""
    rows = game.file.rows("SELECT * FROM orders WHERE submission = ? ORDER BY id", submission)
    return tuple(
        Understood(
            row["text"],
            row["canonical"],
            row["verdict"],
            row["code"],
            json.loads(row["data"]),
            row["ahead"],
        )
        for row in rows
    )


# -- orders sent ahead ----------------------------------------------------------------------------


def find_advance_orders(game: Game, phase: int, kind: str) -> dict[str, tuple[str, ...]]:
    """The orders for a kind of phase to come that stand now, by power, sent up to a phase.

    Those for retreats were sent with the moves before them, those for a winter in its year; the
    last mail with such a heading counts, a correction with one after all of its phase.
    """
    sources = _sources(game, phase, kind)
    rows = game.file.rows(
        f"""SELECT DISTINCT submissions.id, power, phase, kind, salt FROM submissions
            JOIN orders ON orders.submission = submissions.id
            WHERE orders.ahead = ? AND kind IN ('{MAIL}', '{AMEND}')
                AND phase IN ({", ".join(map(str, sources))})
            ORDER BY submissions.id""",
        kind,
    )
    rows.sort(key=lambda row: sources.index(row["phase"]))
    valid = _valid_corrections(game, phase)
    sent = {row["power"]: row["id"] for row in rows if row["kind"] == MAIL or row["salt"] in valid}
    kept = {
        power: tuple(
            line.order
            for line in read_lines(game, sent[power])
            if line.ahead == kind and line.verdict == "good"
        )
        for power in game.base.powers
        if power in sent
    }
    return {power: orders for power, orders in kept.items() if orders}


def _sources(game: Game, phase: int, kind: str) -> list[int]:
    """The ids of the phases whose mails may hold orders ahead for a kind, oldest first."""
    row = game.phase_row(phase)
    before = game.line_to(phase)
    if kind == WINTER:
        keys = [entry["phase"] for entry in before if entry["year"] == row["year"]]
    else:
        keys = [entry["phase"] for entry in before[-1:] if row["kind"] == "retreats"]
    return [*keys, phase]


def _valid_corrections(game: Game, phase: int) -> set[str]:
    """The salts of the corrections that led to a phase, not of those taken back."""
    outcomes = ", ".join(str(entry["id"]) for entry in game.line_to(phase))
    rows = game.file.rows(
        f"""WITH RECURSIVE lineage(id) AS (
                SELECT id FROM outcomes WHERE id IN ({outcomes})
                UNION
                SELECT outcomes.amends FROM lineage JOIN outcomes ON outcomes.id = lineage.id
                WHERE outcomes.amends IS NOT NULL
            )
            SELECT salt FROM seals WHERE outcome IN (SELECT id FROM lineage)"""
    )
    return {row["salt"] for row in rows}


def apply_advance_orders(game: Game, phase: Row, but: Collection[str] = ()) -> None:
    """Give a phase that has just opened the orders that were sent ahead for it and fit, those of
    some powers aside."""
    if phase["kind"] not in ("retreats", "winter"):
        return
    settings = game.settings()
    if settings["ahead"] == "no":
        return
    position = game.position(phase["id"])
    for power, texts in find_advance_orders(game, phase["id"], phase["kind"]).items():
        if power in but:
            continue
        read = fitting(position, power, texts, settings)
        if read.orders:
            store_submission(game, phase, power, read, AHEAD)


def carry_over_mails(game: Game, old: int, new: Row) -> None:
    """Take the mails of a phase for another row of it, whose position may differ.

    Where the position is the same, receipts stay what they were, unless other orders have been
    sent ahead meanwhile; else the mails are read anew, behind what was sent ahead.
    """
    same = game.file.row("SELECT data FROM positions WHERE phase = ?", old) == game.file.row(
        "SELECT data FROM positions WHERE phase = ?", new["id"]
    )
    rows = game.file.rows(
        f"SELECT * FROM submissions WHERE phase = ? AND kind != '{AMEND}' ORDER BY id", old
    )
    alike = _sent_alike(game, old, new) if same else frozenset()
    apply_advance_orders(game, new, alike)
    for row in rows:
        if row["power"] in alike:
            _copy(game, row, new["id"])
        elif row["kind"] == MAIL:
            _take_again(game, new, row)
        elif row["kind"] == CLEAR:
            _withdraw(game, new, row["power"], row["received"])


def _sent_alike(game: Game, old: int, new: Row) -> frozenset[str]:
    """The powers whose orders sent ahead for a phase are the same in another row of it."""
    was, comes = (find_advance_orders(game, phase, new["kind"]) for phase in (old, new["id"]))
    return frozenset(p for p in game.base.powers if was.get(p) == comes.get(p))


def _take_again(game: Game, phase: Row, row: Row) -> None:
    """Read the mail of a submission once more; it came when it came."""
    mail = game.file.row("SELECT text, received FROM mail WHERE id = ?", row["mail"])
    if mail is not None:
        read = read_mail_for_phase(game, phase, row["power"], mail["text"])
        store_submission(
            game, phase, row["power"], read, MAIL, row["mail"], received=mail["received"]
        )


def copy_submissions(game: Game, old: int, new: int) -> None:
    """Take all that was sent for a phase for another row of it, which is resolved like the old."""
    for row in game.file.rows("SELECT * FROM submissions WHERE phase = ? ORDER BY id", old):
        _copy(game, row, new)


def _copy(game: Game, row: Row, phase: int) -> None:
    lines: Sequence[Row] = game.file.rows(
        "SELECT * FROM orders WHERE submission = ? ORDER BY id", row["id"]
    )
    key = game.file.insert("submissions", **{**row, "id": None, "phase": phase})
    game.file.insert_all("orders", [{**line, "id": None, "submission": key} for line in lines])


# -- opening --------------------------------------------------------------------------------------


def open_orders(game: Game, power: str | None, reason: str) -> dict[str, tuple[str, ...]]:
    """The orders that count now, of one power or all: opened, so it is journaled.

    Raises:
        GameError: no-such-power.
    """
    only = game.power(power) if power else ""
    with game.act("open-orders", only, reason):
        found = read_inputs(game, game.head()["id"])
        return {name: each.orders for name, each in found.items() if only in ("", name)}


def open_advance_orders(
    game: Game, power: str | None, reason: str
) -> dict[str, dict[str, tuple[str, ...]]]:
    """The orders sent ahead, of one power or all: opened, so it is journaled.

    Raises:
        GameError: no-such-power.
    """
    only = game.power(power) if power else ""
    with game.act("open-ahead", only, reason):
        return read_advance_orders(game, only)


def read_advance_orders(game: Game, only: str = "") -> dict[str, dict[str, tuple[str, ...]]]:
    """The orders sent ahead for phases that are still to come, by power and kind of phase."""
    head = game.head()
    kinds = {"movement": ("retreats", WINTER), "retreats": (WINTER,)}.get(head["kind"], ())
    kept: dict[str, dict[str, tuple[str, ...]]] = {}
    for kind in kinds:
        for name, orders in find_advance_orders(game, head["id"], kind).items():
            if only in ("", name):
                kept.setdefault(name, {})[kind] = orders
    return kept
