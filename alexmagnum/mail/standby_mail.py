"""Mails of people on the standby list: each waits for the game master, who alone decides."""

from __future__ import annotations

from alexmagnum.game.inbox_store import Why
from alexmagnum.game.outbox_store import INVITATION, SENDING, SENT, UNCERTAIN, OutboxStore
from alexmagnum.game.standby import find_standby_at
from alexmagnum.game.state import Game
from alexmagnum.game.takeovers import find_power_of_act
from alexmagnum.mail.parsing.message import IncomingMail

STANDBY_REASONS = frozenset({"waits-standby", "waits-invited"})
"""Reasons to wait of a mail from the standby list."""


def find_standby_reason(game: Game, message: IncomingMail) -> Why | None:
    """Return why a mail of somebody on the standby list waits; None for a mail of anybody else."""
    people = find_standby_at(game, [address.casefold() for address in message.senders])
    if not people:
        return None
    person = people[0]
    powers = ", ".join(find_invited_powers(game, person.id))
    about = {"number": str(person.id), "name": person.name}
    return (
        Why.of("waits-invited", **about, powers=powers)
        if powers
        else Why.of("waits-standby", **about)
    )


def find_invited_powers(game: Game, number: int) -> tuple[str, ...]:
    """Return the powers that somebody on the standby list was invited to take over."""
    sent = OutboxStore(game.file).find_all((SENDING, SENT, UNCERTAIN))
    acts = [
        mailing.key.act or 0
        for mailing in sent
        if mailing.key.occasion == INVITATION and mailing.key.standby == number
    ]
    return tuple(dict.fromkeys(find_power_of_act(game, act) for act in acts))
