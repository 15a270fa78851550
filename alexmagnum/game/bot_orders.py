"""Asking the bots that play powers for their orders, and storing what they answer.

Open this for when a bot is asked, what it sees, and where its chance comes from.  A bot sees the
position alone.  Its orders are read, stored and sealed as those of a mail are.  It is asked outside
of transactions, because it may think for a second: whatever interrupts it, the game stands, and
the next command asks again.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING

from alexmagnum.game.fresh_start import PHASE
from alexmagnum.game.open_phase import read_open_phase
from alexmagnum.game.players import read_players
from alexmagnum.game.records import GameRow, MailRow, PhaseRow, SubmissionRow
from alexmagnum.game.required_orders import find_required_orders
from alexmagnum.game.state import Game
from alexmagnum.game.stored_orders import (
    BOT,
    BOT_SOURCE,
    find_bot_submission,
    find_last_submissions,
    read_bot_name,
    read_effective_orders,
)
from alexmagnum.game.submissions import store_mail, store_submission
from alexmagnum.game.values import BOT_FAILED, BOT_NONSENSE, Finding, Player, Understood
from alexmagnum.position import Position
from alexmagnum.slow_work import tell_who_thinks

if TYPE_CHECKING:
    from alexmagnum.game.mail_orders import Mail

_LONGEST = 200
"""The letters of a bot's error that are kept."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """The answer of a bot: its orders in canonical notation, and what it gave in their place."""

    texts: tuple[str, ...] = ()
    faults: tuple[Understood, ...] = ()

    @property
    def text(self) -> str:
        """The answer as it is stored, a line for each order."""
        return "\n".join((*self.texts, *(fault.text for fault in self.faults)))


def ask_bots(game: Game, *, again: bool = False) -> tuple[str, ...]:
    """Let bots give the orders that are missing in the open phase, and return their powers.

    Orders that somebody sent for the phase stay if none is missing.  Those of another bot than the
    one that plays now are replaced; with ``again`` those of every bot are.
    """
    with game.file.reading():
        head = game.head()
        asked = _find_bots_to_ask(game, head, again=again)
        position = game.position(head.id) if asked else None
        secret = _read_secret(game) if asked else ""
    if position is None:
        return ()
    answers = [(player, _think(game, position, player, secret)) for player in asked]
    return tuple(
        player.power
        for player, answer in answers
        if _store_answer(game, (head, position), player, answer, again=again)
    )


def _find_bots_to_ask(game: Game, head: PhaseRow, *, again: bool) -> list[Player]:
    """Return the players whose bots have to give orders in the open phase."""
    bots = [player for player in read_players(game) if player.has_bot_in(head.name)]
    if not bots or head.is_over:
        return []
    owing, lacking = find_required_orders(game.position(head.id)), read_open_phase(game).lacking
    last = find_last_submissions(game, head.id)
    asked = []
    for player in bots:
        row = last.get(player.power)
        by_bot = find_bot_submission(game, row) is not None
        differs = by_bot and (again or read_bot_name(game, row) != player.bot)
        if player.power in owing and (differs or (not by_bot and player.power in lacking)):
            asked.append(player)
    return asked


def _read_secret(game: Game) -> str:
    """Return the secret of the game, which is made when its first bot begins to play."""
    row = game.file.find(GameRow)
    return row.secret if row else ""


def derive_seed(secret: str, phase: str, power: str, bot: str) -> int:
    """Return the seed of a bot's chance in a phase.

    It is always the same in a game, and nobody finds it who does not know the secret of the game.

    >>> phases = ("322-spring", "322-autumn")
    >>> spring, autumn = (derive_seed("00", phase, "TOL", "dumb") for phase in phases)
    >>> spring == autumn
    False
    """
    text = f"{phase}\n{power}\n{bot}\n".encode()
    return int.from_bytes(hmac.digest(bytes.fromhex(secret), text, "sha256")[:8])


def _think(game: Game, position: Position, player: Player, secret: str) -> _Answer:
    """Return what a bot answers; whatever it raises is a fault of its own."""
    from alexmagnum.bots import load_bot

    phase, power, bot = str(position.phase), player.power, player.bot
    rng = Random(derive_seed(secret, phase, power, bot))
    try:
        if bot not in game.bots:
            game.bots[bot] = load_bot(bot)
        with tell_who_thinks(bot, power):
            given = list(game.bots[bot].orders(position, power, rng))
    except Exception as error:  # broad: whatever a bot raises, the game goes on without it
        why = " ".join(f"{type(error).__name__}: {error}".split())[:_LONGEST]
        fault = Understood(why, "", "unreadable", BOT_FAILED, {"bot": bot, "why": why})
        return _Answer(faults=(fault,))
    return _write_orders(given, bot)


def _write_orders(given: Sequence[object], bot: str) -> _Answer:
    """Return orders in canonical notation, apart from what is no order at all."""
    from alexmagnum.notation import write_order

    texts, faults = [], []
    for order in given:
        try:
            texts.append(write_order(order))  # type: ignore[arg-type]
        except Exception:  # broad: the answer can be any object
            text = " ".join(repr(order).split())[:_LONGEST]
            data = {"bot": bot}
            faults.append(Understood(text, "", "unreadable", BOT_NONSENSE, data))
    return _Answer(tuple(texts), tuple(faults))


def _store_answer(
    game: Game, asked: tuple[PhaseRow, Position], player: Player, answer: _Answer, *, again: bool
) -> bool:
    """Store the orders of a bot with their seal; tell whether they were still wanted."""
    head, position = asked
    with game.file.writing("bot-orders"):
        if game.head().id != head.id or player not in _find_bots_to_ask(game, head, again=again):
            return False  # another command was quicker
        with game.act("bot-orders", player.power) as note:
            read = _read_answer(game, head, position, player.power, answer)
            source = BOT_SOURCE + player.bot
            mail = store_mail(game, head.id, player.power, answer.text, source)
            receipt = store_submission(game, head, player.power, read, BOT, mail).receipt
            note.detail |= {
                "bot": player.bot,
                "number": receipt.number,
                "orders": len(receipt.orders),
                "missing": len(receipt.missing),
                "digest": receipt.digest,
                **_describe_faults(answer),
            }
    return True


def _read_answer(
    game: Game, head: PhaseRow, position: Position, power: str, answer: _Answer
) -> Mail:
    """Return what the orders of a bot amount to, read as a mail that replaces what was sent."""
    from alexmagnum.game.mail_orders import read_mail

    before = read_effective_orders(game, head.id, power)
    text = "\n".join(answer.texts)
    read = read_mail(position, power, text, game.settings(), before, PHASE if before else "")
    return replace(read, lines=(*read.lines, *answer.faults))


def _describe_faults(answer: _Answer) -> dict[str, str]:
    """Return what went wrong, for the journal, which has no orders."""
    if not answer.faults:
        return {}
    first = answer.faults[0]
    return {"fault": first.text if first.code == BOT_FAILED else first.code}


def check_bots(game: Game) -> Iterator[Finding]:
    """Ask the bots again for every phase that stands, and find where they order otherwise now."""
    from alexmagnum.game.verify import DIFFERENT_BOT  # loads the judge

    secret = _read_secret(game)
    for outcome in game.line():
        rows = game.file.select(
            SubmissionRow,
            """JOIN seals ON seals.power = submissions.power AND seals.salt = submissions.salt
               WHERE seals.outcome = ? ORDER BY submissions.id""",
            outcome.id,
        )
        for power, sealed in {row.power: row for row in rows}.items():
            row = find_bot_submission(game, sealed)
            if row is None:
                continue
            given = game.file.find(MailRow, "WHERE id = ?", row.mail)
            player = Player(power, "", bot=read_bot_name(game, row))
            position = game.position(outcome.phase, outcome.rules)
            answer = _think(game, position, player, secret)
            if given is None or answer.text != given.text:
                data = {"power": power, "bot": player.bot}
                yield Finding(outcome.name, "bot", DIFFERENT_BOT, data)
