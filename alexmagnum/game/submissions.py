"""Taking the orders that players send for the open phase: storing, sealing and withdrawing them.

A submission is what one mail amounted to: its lines as understood, the orders that count from then
on, and their seal.  Reading them back is in :mod:`alexmagnum.game.stored_orders`, orders for a
later phase are in :mod:`alexmagnum.game.advance_orders`.
"""

from __future__ import annotations

from typing import NamedTuple

from alexmagnum.game.file import to_json
from alexmagnum.game.fresh_start import PHASE
from alexmagnum.game.mail_orders import Mail, read_mail
from alexmagnum.game.players import end_stand_in, read_players
from alexmagnum.game.records import PhaseRow
from alexmagnum.game.required_orders import find_missing_after_house_rules
from alexmagnum.game.seals import digest_orders, make_salt
from alexmagnum.game.state import Game
from alexmagnum.game.stored_orders import (
    AMEND,
    CLEAR,
    MAIL,
    find_bot_submission,
    find_last_submission,
    read_bot_name,
    read_effective_orders,
    read_inputs,
    require_open_phase,
)
from alexmagnum.game.values import Receipt
from alexmagnum.notation import write_order
from alexmagnum.position import Position


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
            **(_end_stand_in(game, power) if _has_orders_of_player(receipt) else {}),
        }
    return receipt


def _has_orders_of_player(receipt: Receipt) -> bool:
    """Tell whether a mail left a power with orders of its player, or with none on purpose."""
    return bool(receipt.fresh or (receipt.orders and not receipt.bot))


def _end_stand_in(game: Game, power: str) -> dict[str, str]:
    """Note that a player orders again for whom a bot stood in, and return that for the journal."""
    bot = end_stand_in(game, power)
    return {"back_from": bot} if bot else {}


def clear_orders(
    game: Game, power: str, reason: str, received: str = "", scope: str = PHASE
) -> Receipt:
    """Withdraw what a power sent for the open phase.

    Its advance orders for later phases stay, unless ``scope`` is ``all``.

    Raises:
        GameError: no-such-power, game-is-over.
    """
    power = game.power(power)
    with game.act("clear", power, reason) as note:
        receipt = store_withdrawal(game, require_open_phase(game), power, received, scope)
        note.detail |= {
            "number": receipt.number,
            "digest": receipt.digest,
            **_end_stand_in(game, power),
        }
    return receipt


def store_withdrawal(
    game: Game, phase: PhaseRow, power: str, received: str, scope: str = PHASE
) -> Receipt:
    """Store that a power has no orders any more, sealed like orders."""
    replaces = bool(read_effective_orders(game, phase.id, power))
    read = Mail((), (), replaces=replaces, fresh=scope)
    return store_submission(game, phase, power, read, CLEAR, received=received).receipt


def store_mail(
    game: Game, phase: int, power: str, text: str, source: str, received: str = ""
) -> int:
    """Store a mail as it came, before anything in it is read, and return its id."""
    at = received or game.stamp()
    return game.file.insert("mail", phase=phase, power=power, source=source, received=at, text=text)


def read_mail_for_phase(
    game: Game, phase: PhaseRow, power: str, text: str, fresh: str = "", *, writer: str = ""
) -> Mail:
    """Return what a mail for a phase amounts to; nothing is stored.

    ``fresh``: it replaces what was sent before, whatever its text says; so does a mail with orders
    for the phase if a bot gave the orders before.  ``writer`` is the name that the mail itself
    gives its writer.
    """
    before = read_effective_orders(game, phase.id, power)
    names = [player.name for player in read_players(game) if player.power == power]
    writers = [name for name in (*names, writer) if name]
    position, settings = game.position(phase.id), game.settings()
    if not fresh and _has_bot_ordered(game, phase, power):
        read = read_mail(position, power, text, settings, before, PHASE, writers=writers)
        if read.orders:
            return read
    return read_mail(position, power, text, settings, before, fresh, writers=writers)


def _has_bot_ordered(game: Game, phase: PhaseRow, power: str) -> bool:
    """Tell whether the orders in force are those of a bot."""
    row = find_last_submission(game, phase.id, power)
    return find_bot_submission(game, row) is not None


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
    earlier = None if kind == AMEND else find_last_submission(game, phase.id, power)
    earlier_bot = read_bot_name(game, earlier)
    leaves_orders = kind == MAIL and not read.fresh and earlier and earlier.orders == orders
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
        earlier=earlier.orders if earlier else (),
        fresh=read.fresh,
        bot=earlier_bot if leaves_orders else "",
        earlier_bot=earlier_bot,
    )
    _insert_submission(game, phase.id, receipt, kind, mail, salt=salt, fresh=read.fresh)
    return StoredSubmission(receipt, salt)


def _count_submissions(game: Game, phase: int, power: str) -> int:
    return game.file.count(
        "SELECT COUNT(*) FROM submissions WHERE phase = ? AND power = ?", phase, power
    )


def _insert_submission(
    game: Game, phase: int, receipt: Receipt, kind: str, mail: int | None, *, salt: str, fresh: str
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
        fresh=fresh,
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


# -- opening orders ------------------------------------------------------------------------------


def open_orders(game: Game, power: str | None, reason: str) -> dict[str, tuple[str, ...]]:
    """Return the orders that count now, of one power or all, and enter that in the journal.

    Raises:
        GameError: no-such-power.
    """
    only = game.power(power) if power else ""
    with game.act("open-orders", only, reason):
        inputs = read_inputs(game, game.head().id)
        return {name: each.orders for name, each in inputs.items() if only in ("", name)}
