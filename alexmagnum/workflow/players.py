"""Changing who plays, with the letters that follow."""

from __future__ import annotations

from dataclasses import dataclass

from alexmagnum.game.desk import Desk
from alexmagnum.game.values import Player
from alexmagnum.mail.letters.phase_section import DraftedLetters
from alexmagnum.workflow.letters import draft_readdressed_letters
from alexmagnum.workflow.materials import Materials


@dataclass(frozen=True, slots=True)
class ChangedPlayer:
    """A player after a change, and the letters drafted anew for them."""

    player: Player
    letters: DraftedLetters


def set_player(
    desk: Desk, power: str, reason: str = "", *, name: str = "", address: str = "", lang: str = ""
) -> ChangedPlayer:
    """Set or correct the name, address or language of a power's player; what is "" stays.

    Raises:
        GameError: ``bad-player``, or the power has no player yet and no name is given.
    """
    given = {"name": name, "address": address, "lang": lang}
    changes = {field: value for field, value in given.items() if value}
    return _with_letters(desk, desk.set_player(power, reason, **changes))


def replace_player(
    desk: Desk, power: str, name: str, address: str = "", lang: str = "", reason: str = ""
) -> ChangedPlayer:
    """Let somebody else play a power from now on.

    Raises:
        GameError: ``bad-player``.
    """
    return _with_letters(desk, desk.replace_player(power, name, address, lang, reason))


def _with_letters(desk: Desk, player: Player) -> ChangedPlayer:
    return ChangedPlayer(player, draft_readdressed_letters(Materials(desk)))
