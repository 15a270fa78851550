"""Going back and correcting: undo, redo, and amending a past phase."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from alexmagnum.game.desk import Desk
from alexmagnum.game.values import Amendment
from alexmagnum.workflow.letters import phases_to_report
from alexmagnum.workflow.publish import Published, publish
from alexmagnum.workflow.reports import find_incomplete_last


@dataclass(frozen=True, slots=True)
class Correction:
    """A past phase that was amended, and what was published anew."""

    amendment: Amendment
    published: Published


def undo_phase(desk: Desk, reason: str = "") -> Published:
    """Take back the last processing or correction, and tell whoever received its report.

    Raises:
        GameError: there is nothing to undo.
    """
    desk.undo(reason)
    return publish(desk, _last_to_complete(desk))


def redo_phase(desk: Desk, reason: str = "", *, anyway: bool = False) -> Published:
    """Put back what was undone last, and tell whoever was told otherwise.

    Raises:
        GameError: there is nothing to redo, or orders or settings came since and it is not to be
            done ``anyway``.
    """
    desk.redo(reason, anyway=anyway)
    return publish(desk, _last_to_complete(desk))


def amend_orders(desk: Desk, phase: str, power: str, text: str, reason: str = "") -> Correction:
    """Correct all orders of a power in a past phase, replay the game from there, and publish.

    Raises:
        GameError: ``unknown-phase``, ``not-past``, or the orders cannot be read.
    """
    return _publish(desk, desk.amend(phase, power, text, reason=reason))


def amend_rules(
    desk: Desk, phase: str, rules: Mapping[str, object], reason: str = ""
) -> Correction:
    """Correct switches of the rules from a past phase on, replay the game, and publish.

    Raises:
        GameError: ``unknown-phase``, ``not-past``, ``unknown-setting``, ``bad-setting``.
    """
    return _publish(desk, desk.amend_settings(phase, rules, reason))


def _last_to_complete(desk: Desk) -> tuple[str, ...]:
    """Return the phase that is the last one now, if files of the last phase have to be written."""
    last = find_incomplete_last(desk)
    return (last,) if last else ()


def rehearse_orders(desk: Desk, phase: str, power: str, text: str) -> Amendment:
    """Return what correcting a power's orders would change; nothing changes.

    Raises:
        GameError: as :func:`amend_orders`.
    """
    return desk.amend(phase, power, text, dry_run=True)


def rehearse_rules(desk: Desk, phase: str, rules: Mapping[str, object]) -> Amendment:
    """Return what correcting switches of the rules would change; nothing changes.

    Raises:
        GameError: as :func:`amend_rules`.
    """
    return desk.amend_settings(phase, rules, dry_run=True)


def _publish(desk: Desk, amendment: Amendment) -> Correction:
    changed = dict.fromkeys(change.phase for change in amendment.changes)
    to_report = phases_to_report(desk, amendment.phase, changed)
    rewritten = dict.fromkeys((amendment.phase, *amendment.replayed))
    return Correction(amendment, publish(desk, rewritten, to_report=to_report))
