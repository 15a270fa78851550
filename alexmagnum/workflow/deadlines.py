"""Changing the deadline of the open phase, with the letters that tell the players.

The reason of a change is in the letters, so that in an anonymous game it may name nobody.
"""

from __future__ import annotations

from datetime import datetime

from alexmagnum.errors import GameError
from alexmagnum.game.anonymity import check_text_for_names
from alexmagnum.game.desk import Desk
from alexmagnum.game.stored_orders import require_open_phase
from alexmagnum.i18n.date_parser import parse_extension
from alexmagnum.i18n.zones import parse_iso
from alexmagnum.mail.letters.phase_section import DraftedLetters
from alexmagnum.workflow.letters import draft_deadline_letters
from alexmagnum.workflow.materials import Materials


def set_deadline(desk: Desk, at: datetime | None, reason: str = "") -> DraftedLetters:
    """Set the deadline, or take it away with None; return the letters drafted.

    Raises:
        GameError: ``game-is-over``, ``deadline-past``, ``names-are-hidden``.
    """
    check_text_for_names(desk.game, reason)
    desk.set_deadline(at, reason)
    return draft_deadline_letters(Materials(desk))


def extend_deadline(desk: Desk, span: str, reason: str = "") -> DraftedLetters:
    """Put the deadline off by a span such as ``2 days``; return the letters drafted.

    Raises:
        GameError: ``game-is-over``, ``deadline-none`` if no deadline runs, ``span-unreadable``.
    """
    require_open_phase(desk.game)
    if not desk.deadline or desk.paused:
        raise GameError("deadline-none")
    check_text_for_names(desk.game, reason)
    zone, now = desk.settings["timezone"], desk.game.now()
    desk.extend(parse_extension(span, parse_iso(desk.deadline), zone, now), reason)
    return draft_deadline_letters(Materials(desk))


def pause_clock(desk: Desk, reason: str = "") -> DraftedLetters:
    """Stop the clock and keep the time that is left; return the letters drafted.

    Raises:
        GameError: ``deadline-none``, or the clock has stopped already.
    """
    check_text_for_names(desk.game, reason)
    desk.pause(reason)
    return draft_deadline_letters(Materials(desk))


def resume_clock(desk: Desk, reason: str = "") -> DraftedLetters:
    """Let the clock run on with the time that was left; return the letters drafted.

    Raises:
        GameError: the clock has not been stopped.
    """
    check_text_for_names(desk.game, reason)
    desk.resume(reason)
    return draft_deadline_letters(Materials(desk))
