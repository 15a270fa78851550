"""The calendar: what comes after a phase, and where everything stands then."""

from __future__ import annotations

from alexmagnum.campaign.calendar import next_position, owners_after, retreat_position

__all__ = ["next_position", "owners_after", "retreat_position"]
