"""The calendar: how a game begins, what comes after a phase, and how it ends."""

from __future__ import annotations

from alexmagnum.campaign.calendar import (
    centres_change,
    coming_phases,
    eliminated,
    ending,
    first_position,
    homes_after,
    newly_eliminated,
    next_position,
    owners_after,
    position_after,
    retreat_position,
)
from alexmagnum.judge.victory import Ending

__all__ = [
    "Ending",
    "centres_change",
    "coming_phases",
    "eliminated",
    "ending",
    "first_position",
    "homes_after",
    "newly_eliminated",
    "next_position",
    "owners_after",
    "position_after",
    "retreat_position",
]
