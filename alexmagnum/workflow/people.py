"""Letters of the game master, and the standby list: invite people, and let one take over."""

from __future__ import annotations

from collections.abc import Sequence

from alexmagnum.errors import GameError
from alexmagnum.game.desk import Desk
from alexmagnum.game.inbox_store import WAITING
from alexmagnum.game.standby import find_standby, read_standby, remove_standby
from alexmagnum.game.values import Player, Standby
from alexmagnum.mail.inbox import Inbox
from alexmagnum.mail.letters.phase_section import DraftedLetters
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.standby_mail import STANDBY_REASONS
from alexmagnum.mail.written_letters import Readers, Words, draft_invitations, draft_written_letters
from alexmagnum.workflow.materials import Materials
from alexmagnum.workflow.players import ChangedPlayer, replace_player


def write_letters(desk: Desk, words: Words, readers: Readers, reason: str = "") -> DraftedLetters:
    """Draft a letter of the game master to each of some readers.

    Raises:
        GameError: ``letter-empty``, ``letter-to-nobody``, ``names-are-hidden``,
            ``no-mail-address``.
    """
    return draft_written_letters(Outbox(desk.game), words, readers, reason)


def all_players(desk: Desk) -> tuple[str, ...]:
    """Return the powers that a person plays."""
    return tuple(player.power for player in desk.players if not player.is_bot)


def all_standby(desk: Desk) -> tuple[int, ...]:
    """Return the numbers of everybody on the standby list."""
    with desk.reading():
        return tuple(person.id for person in read_standby(desk.game))


def invite_standby(
    desk: Desk, power: str, numbers: Sequence[int] = (), reason: str = ""
) -> DraftedLetters:
    """Draft invitations to take over a power, to everybody on the standby list or to some.

    Raises:
        GameError: ``game-is-over``, ``standby-empty``, ``no-standby``, ``no-mail-address``.
    """
    if desk.phase is None:
        raise GameError("game-is-over")
    for number in numbers:
        find_standby(desk.game, number)
    materials = Materials(desk)
    invited = numbers or all_standby(desk)
    outbox = Outbox(desk.game)
    return draft_invitations(outbox, power, invited, materials.open(), materials.enclose, reason)


def replace_by_standby(desk: Desk, power: str, number: int, reason: str = "") -> ChangedPlayer:
    """Let somebody on the standby list play a power from now on; they leave the list.

    Raises:
        GameError: ``no-standby``, ``bad-player``.
    """
    with desk.game.file.writing("player"):
        person = remove_standby(desk.game, number, reason, power=power)
        newcomer = Player(
            power,
            person.name,
            person.address,
            lang=person.lang,
            other_addresses=person.other_addresses,
        )
        changed = replace_player(desk, newcomer, reason)
        _settle_mails(desk, person)
        return changed


def _settle_mails(desk: Desk, person: Standby) -> None:
    """Put away the mails of somebody who was on the standby list and plays now."""
    inbox = Inbox(desk.game)
    addresses = {address.casefold() for address in person.addresses}
    numbers = [
        message.id
        for message in inbox.list_messages(WAITING)
        if not STANDBY_REASONS.isdisjoint(why.code for why in message.why)
        and addresses.intersection(message.sender.casefold().split(", "))
    ]
    if numbers:
        inbox.reject(numbers, "standby")
