"""Changing who plays, with the letters that follow."""

from __future__ import annotations

from dataclasses import dataclass

from alexmagnum.game.desk import Desk
from alexmagnum.game.values import Player
from alexmagnum.mail.letters.phase_section import DraftedLetters
from alexmagnum.workflow.letters import update_letters_after_player_change
from alexmagnum.workflow.materials import Materials


@dataclass(frozen=True, slots=True)
class ChangedPlayer:
    """A player after a change, and the letters drafted anew for them."""

    player: Player
    letters: DraftedLetters


def set_player(desk: Desk, who: Player, reason: str = "") -> ChangedPlayer:
    """Set or correct the name, addresses or language of a power's player; what is empty stays.

    A new address takes the place of every address before.

    Raises:
        GameError: ``bad-player``, or the power has no player yet and no name is given.
    """
    given = {"name": who.name, "address": who.address, "lang": who.lang}
    changes: dict[str, object] = {field: value for field, value in given.items() if value}
    if who.address:
        changes["other_addresses"] = who.other_addresses
    return _with_letters(desk, desk.set_player(who.power, reason, **changes))


def replace_player(desk: Desk, newcomer: Player, reason: str = "") -> ChangedPlayer:
    """Let somebody else play a power from now on.

    Raises:
        GameError: ``bad-player``.
    """
    player = desk.replace_player(
        newcomer.power,
        newcomer.name,
        newcomer.address,
        newcomer.lang,
        reason,
        newcomer.other_addresses,
    )
    return _with_letters(desk, player)


def play_by_bot(
    desk: Desk, power: str, bot: str, *, stand_in: str = "", reason: str = ""
) -> ChangedPlayer:
    """Let a bot play a power from now on, or stand in for its player; it orders at once.

    ``stand_in`` is that of :meth:`alexmagnum.game.desk.Desk.play_by_bot`.

    Raises:
        GameError: ``game-is-over``; ``no-player``, ``bot-plays``: nobody to stand in for.
        AlexMagnumError: ``no-such-bot``.
    """
    return _with_letters(desk, desk.play_by_bot(power, bot, stand_in=stand_in, reason=reason))


def withdraw_bot(desk: Desk, power: str, reason: str = "") -> ChangedPlayer:
    """End what a bot plays for a power, so that its person plays again.

    Raises:
        GameError: ``no-bot``, ``nobody-before-bot``.
    """
    return _with_letters(desk, desk.withdraw_bot(power, reason))


def _with_letters(desk: Desk, player: Player) -> ChangedPlayer:
    return ChangedPlayer(player, update_letters_after_player_change(Materials(desk)))
