"""Reading the orders that players sent: which ones count, and the receipts they were given.

Open this to learn what a power has in the file.  Taking orders is in
:mod:`alexmagnum.game.submissions`; nothing here needs the judge.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from alexmagnum.errors import GameError
from alexmagnum.game.records import (
    MailRow,
    OrderRow,
    OutcomeRow,
    PhaseRow,
    SubmissionRow,
    read_texts,
)
from alexmagnum.game.state import Game
from alexmagnum.game.values import Receipt, Understood
from alexmagnum.notation import read_order
from alexmagnum.orders import Order
from alexmagnum.position import Position

MAIL, AHEAD, AMEND, CLEAR, BOT = "mail", "ahead", "amend", "clear", "bot"
"""The kinds of submission: a mail for the phase, orders sent before it, a correction after it,
a withdrawal of what was sent, and the orders of a bot."""

BOT_SOURCE = "bot:"
"""The beginning of the source of a bot's orders; the name of the bot follows."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """One power's orders in a phase with their seal; ``salt`` is "" if the power sent nothing."""

    orders: tuple[str, ...] = ()
    salt: str = ""
    digest: str = ""


def require_open_phase(game: Game) -> PhaseRow:
    """Return the phase for which orders are taken.

    Raises:
        GameError: game-is-over.
    """
    phase = game.head()
    if phase.is_over:
        raise GameError("game-is-over")
    return phase


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


def read_canonical_orders(
    position: Position, power: str, texts: Iterable[str]
) -> tuple[Order, ...]:
    """Return orders from their canonical notation.

    Raises:
        NotationError: one of them cannot be read in this position.
    """
    return tuple(read_order(text, position, power) for text in texts)


# -- receipts -------------------------------------------------------------------------------------


def read_receipt(game: Game, phase: PhaseRow, power: str) -> Receipt | None:
    """Return the last receipt of a power in a phase, None if it sent nothing."""
    row = find_last_submission(game, phase.id, power)
    return _make_receipts(game, phase.name, {power: row})[power] if row else None


def read_receipts(game: Game, phase: PhaseRow) -> dict[str, Receipt]:
    """Return the last receipt of every power in a phase, in the map's order of powers."""
    return _make_receipts(game, phase.name, find_last_submissions(game, phase.id))


def read_sealed_receipts(game: Game, outcome: OutcomeRow) -> dict[str, Receipt]:
    """Return the receipts of the orders that an outcome was resolved with, found by their salts."""
    rows = game.file.select(
        SubmissionRow,
        """JOIN seals ON seals.power = submissions.power AND seals.salt = submissions.salt
           WHERE seals.outcome = ? ORDER BY submissions.id""",
        outcome.id,
    )
    return _make_receipts(game, outcome.name, {row.power: row for row in rows})


def _make_receipts(game: Game, phase: str, last: Mapping[str, SubmissionRow]) -> dict[str, Receipt]:
    """Return the receipts of one submission of each power, in the map's order of powers."""
    lines = read_all_lines(game, [row.id for row in last.values()])
    return {
        power: _make_receipt(game, phase, last[power], lines[last[power].id])
        for power in game.base.powers
        if power in last
    }


def _find_earlier(game: Game, row: SubmissionRow) -> SubmissionRow | None:
    """Return the submission that counted before another one."""
    if row.number == 1 or row.kind == AMEND:
        return None
    return game.file.find(
        SubmissionRow,
        f"""WHERE phase = ? AND power = ? AND id < ? AND kind != '{AMEND}'
            ORDER BY id DESC LIMIT 1""",
        row.phase,
        row.power,
        row.id,
    )


def find_bot_submission(game: Game, row: SubmissionRow | None) -> SubmissionRow | None:
    """Return the submission in which a bot gave the orders of another one, None if a person did.

    It is an earlier one if a mail of the player, with no order for the phase, left them in force.
    """
    while row is not None and row.kind == MAIL and not row.fresh:
        earlier = _find_earlier(game, row)
        row = earlier if earlier is not None and earlier.orders == row.orders else None
    return row if row is not None and row.kind == BOT else None


def read_bot_name(game: Game, row: SubmissionRow | None) -> str:
    """Return the name of the bot that gave the orders of a submission, "" if a person did."""
    by_bot = find_bot_submission(game, row)
    given = game.file.find(MailRow, "WHERE id = ?", by_bot.mail) if by_bot else None
    return given.source.removeprefix(BOT_SOURCE) if given else ""


def _make_receipt(
    game: Game, phase: str, row: SubmissionRow, lines: tuple[Understood, ...]
) -> Receipt:
    earlier = _find_earlier(game, row)
    return Receipt(
        power=row.power,
        phase=phase,
        number=row.number,
        received=row.received,
        lines=lines,
        orders=row.orders,
        missing=read_texts(row.missing),
        digest=row.digest,
        replaces=bool(row.replaces),
        earlier=earlier.orders if earlier else (),
        fresh=row.fresh,
        bot=read_bot_name(game, row),
        earlier_bot=read_bot_name(game, earlier),
    )


def read_lines(game: Game, submission: int) -> tuple[Understood, ...]:
    """Return the lines of a submission as they were understood."""
    return read_all_lines(game, [submission])[submission]


def read_all_lines(game: Game, submissions: Sequence[int]) -> Mapping[int, tuple[Understood, ...]]:
    """Return the lines of some submissions as they were understood, by submission."""
    if not submissions:
        return {}
    marks = ", ".join("?" * len(submissions))
    rows = game.file.select(OrderRow, f"WHERE submission IN ({marks}) ORDER BY id", *submissions)
    lines: dict[int, list[Understood]] = {submission: [] for submission in submissions}
    for row in rows:
        understood = Understood(
            text=row.text,
            order=row.canonical,
            verdict=row.verdict,
            code=row.code,
            data=json.loads(row.data),
            ahead=row.ahead,
        )
        lines[row.submission].append(understood)
    return {submission: tuple(found) for submission, found in lines.items()}
