"""Orders that players send for the open phase: storing them, and reading which ones count.

A submission is what one mail amounted to: its lines as understood, the orders that count from then
on, and their seal.  Orders for a later phase are in :mod:`alexmagnum.game.advance_orders`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from alexmagnum.errors import GameError
from alexmagnum.game.file import to_json
from alexmagnum.game.mail_orders import Mail, read_canonical_orders, read_mail
from alexmagnum.game.records import OrderRow, OutcomeRow, PhaseRow, SubmissionRow, read_texts
from alexmagnum.game.required_orders import find_missing_after_house_rules
from alexmagnum.game.seals import digest_orders, make_salt
from alexmagnum.game.state import Game
from alexmagnum.game.values import Receipt, Understood
from alexmagnum.notation import write_order
from alexmagnum.orders import Order
from alexmagnum.position import Position

MAIL, AHEAD, AMEND, CLEAR = "mail", "ahead", "amend", "clear"
"""The kinds of submission: a mail for the phase, orders sent before it, a correction after it, and
a withdrawal of what was sent."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """One power's orders in a phase with their seal; ``salt`` is "" if the power sent nothing."""

    orders: tuple[str, ...] = ()
    salt: str = ""
    digest: str = ""


class StoredSubmission(NamedTuple):
    """A submission that was stored: its receipt, and the salt of its seal."""

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
    """Take a mail for the open phase, and return its receipt.

    ``received`` is now unless it is given; ``read`` is the mail if the caller has read it already.

    Raises:
        GameError: no-such-power, game-is-over.
    """
    power = game.power(power)
    with game.act("submit", power, reason) as note:
        phase = require_open_phase(game)
        read = read or read_mail_for_phase(game, phase, power, text)
        mail = store_mail(game, phase.id, power, text, source, received)
        receipt = store_submission(game, phase, power, read, MAIL, mail, received=received).receipt
        note.detail |= {
            "number": receipt.number,
            "orders": len(receipt.orders),
            "missing": len(receipt.missing),
            "digest": receipt.digest,
            "source": source,
        }
    return receipt


def require_open_phase(game: Game) -> PhaseRow:
    """Return the phase for which orders are taken.

    Raises:
        GameError: game-is-over.
    """
    phase = game.head()
    if phase.is_over:
        raise GameError("game-is-over")
    return phase


def clear_orders(game: Game, power: str, reason: str, received: str = "") -> Receipt:
    """Withdraw what a power sent for the open phase; its advance orders for later ones stay.

    Raises:
        GameError: no-such-power, game-is-over.
    """
    power = game.power(power)
    with game.act("clear", power, reason) as note:
        receipt = store_withdrawal(game, require_open_phase(game), power, received)
        note.detail |= {"number": receipt.number, "digest": receipt.digest}
    return receipt


def store_withdrawal(game: Game, phase: PhaseRow, power: str, received: str) -> Receipt:
    """Store that a power has no orders any more, sealed like orders."""
    replaces = bool(read_effective_orders(game, phase.id, power))
    read = Mail((), (), replaces=replaces)
    return store_submission(game, phase, power, read, CLEAR, received=received).receipt


def store_mail(
    game: Game, phase: int, power: str, text: str, source: str, received: str = ""
) -> int:
    """Store a mail as it came, before anything in it is read, and return its id."""
    at = received or game.stamp()
    return game.file.insert("mail", phase=phase, power=power, source=source, received=at, text=text)


def read_mail_for_phase(game: Game, phase: PhaseRow, power: str, text: str) -> Mail:
    """Return what a mail for a phase amounts to; nothing is stored."""
    before = read_effective_orders(game, phase.id, power)
    return read_mail(game.position(phase.id), power, text, game.settings(), before)


def store_submission(
    game: Game,
    phase: PhaseRow,
    power: str,
    read: Mail,
    kind: str,
    mail: int | None = None,
    *,
    received: str = "",
    position: Position | None = None,
) -> StoredSubmission:
    """Store and seal what a mail amounted to.

    ``received`` is now unless it is given.  ``position`` is given where the mail is not read under
    the switches now in force.
    """
    position = game.position(phase.id) if position is None else position
    missing = find_missing_after_house_rules(position, game.settings(), {power: read.orders})
    orders = tuple(write_order(order) for order in read.orders)
    salt = make_salt(game.entropy)
    receipt = Receipt(
        power=power,
        phase=phase.name,
        number=_count_submissions(game, phase.id, power) + 1,
        received=received or game.stamp(),
        lines=read.lines,
        orders=orders,
        missing=missing.get(power, ()),
        digest=digest_orders(salt, phase.name, power, orders),
        replaces=read.replaces,
    )
    _insert_submission(game, phase.id, receipt, kind, mail, salt)
    return StoredSubmission(receipt, salt)


def _count_submissions(game: Game, phase: int, power: str) -> int:
    return game.file.count(
        "SELECT COUNT(*) FROM submissions WHERE phase = ? AND power = ?", phase, power
    )


def _insert_submission(
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
    """Return the orders that count in an open phase, by power in the map's order."""
    last = find_last_submissions(game, phase)
    return {power: _inputs(last[power]) for power in game.base.powers if power in last}


def _inputs(row: SubmissionRow) -> Inputs:
    return Inputs(row.orders, row.salt, row.digest)


def find_last_submissions(game: Game, phase: int) -> dict[str, SubmissionRow]:
    """Return the last submission of each power in a phase, without amendments."""
    rows = game.file.select(
        SubmissionRow,
        f"""WHERE id IN (
                SELECT MAX(id) FROM submissions WHERE phase = ? AND kind != '{AMEND}'
                GROUP BY power
            ) ORDER BY id""",
        phase,
    )
    return {row.power: row for row in rows}


def find_last_submission(game: Game, phase: int, power: str) -> SubmissionRow | None:
    """Return the last submission of one power in a phase, without amendments."""
    return game.file.find(
        SubmissionRow,
        f"WHERE phase = ? AND power = ? AND kind != '{AMEND}' ORDER BY id DESC LIMIT 1",
        phase,
        power,
    )


def read_effective_orders(game: Game, phase: int, power: str) -> tuple[Order, ...]:
    """Return the orders of one power that count so far in an open phase."""
    row = find_last_submission(game, phase, power)
    return read_canonical_orders(game.position(phase), power, row.orders if row else ())


def parse_inputs(position: Position, inputs: Mapping[str, Inputs]) -> dict[str, tuple[Order, ...]]:
    """Return the orders of all powers, read in a position.

    Raises:
        NotationError: an order cannot be read in this position.
    """
    return {
        power: read_canonical_orders(position, power, each.orders) for power, each in inputs.items()
    }


def open_orders(game: Game, power: str | None, reason: str) -> dict[str, tuple[str, ...]]:
    """Return the orders that count now, of one power or all, and enter that in the journal.

    Raises:
        GameError: no-such-power.
    """
    only = game.power(power) if power else ""
    with game.act("open-orders", only, reason):
        inputs = read_inputs(game, game.head().id)
        return {name: each.orders for name, each in inputs.items() if only in ("", name)}


# -- receipts -------------------------------------------------------------------------------------


def read_receipt(game: Game, phase: PhaseRow, power: str) -> Receipt | None:
    """Return the last receipt of a power in a phase, None if it sent nothing."""
    row = find_last_submission(game, phase.id, power)
    return _make_receipt(game, phase.name, row) if row else None


def read_sealed_receipts(game: Game, outcome: OutcomeRow) -> dict[str, Receipt]:
    """Return the receipts of the orders that an outcome was resolved with, found by their salts."""
    rows = game.file.select(
        SubmissionRow,
        """JOIN seals ON seals.power = submissions.power AND seals.salt = submissions.salt
           WHERE seals.outcome = ? ORDER BY submissions.id""",
        outcome.id,
    )
    last = {row.power: row for row in rows}
    return {
        power: _make_receipt(game, outcome.name, last[power])
        for power in game.base.powers
        if power in last
    }


def _make_receipt(game: Game, phase: str, row: SubmissionRow) -> Receipt:
    return Receipt(
        power=row.power,
        phase=phase,
        number=row.number,
        received=row.received,
        lines=read_lines(game, row.id),
        orders=row.orders,
        missing=read_texts(row.missing),
        digest=row.digest,
        replaces=bool(row.replaces),
    )


def read_lines(game: Game, submission: int) -> tuple[Understood, ...]:
    """Return the lines of a submission as they were understood."""
    rows = game.file.select(OrderRow, "WHERE submission = ? ORDER BY id", submission)
    return tuple(
        Understood(
            text=row.text,
            order=row.canonical,
            verdict=row.verdict,
            code=row.code,
            data=json.loads(row.data),
            ahead=row.ahead,
        )
        for row in rows
    )
