"""Processing the open phase and publishing the results."""

from __future__ import annotations

from dataclasses import dataclass

from alexmagnum.game.desk import Desk
from alexmagnum.game.values import Processed
from alexmagnum.workflow.letters import phases_to_report
from alexmagnum.workflow.publish import Published, publish
from alexmagnum.workflow.reports import unwritten_phases


@dataclass(frozen=True, slots=True)
class ProcessedPhase:
    """A phase that was processed, and what was published of it."""

    processed: Processed
    published: Published


def process_phase(
    desk: Desk,
    phase: str,
    *,
    allow_missing: bool = False,
    reason: str = "",
    sends: bool = True,
    anyway: bool = False,
) -> ProcessedPhase:
    """Resolve the open phase, which has to be named, open the next, and publish: reports, order
    sheets, receipts and letters.

    Processing the phase that was processed last again changes nothing, but publishes again; and
    whatever an act before left unwritten, because it was interrupted, is written too.

    With ``anyway`` the game plays on although everybody with a vote wants to end it.

    Raises:
        GameError: ``unknown-phase``, ``not-the-open-phase``, ``game-is-over``, ``orders-missing``,
            ``draw-agreed``, ``concede-agreed``;
            ``reports-unwritten`` if the phase was resolved and its files could not be written.
    """
    done = desk.process(phase, allow_missing=allow_missing, reason=reason, anyway=anyway)
    phases, to_report = [done.phase], [done.phase]
    if done.unchanged:
        phases += [other for other in unwritten_phases(desk) if other != done.phase]
        to_report = list(phases_to_report(desk, done.phase, ()))
    return ProcessedPhase(
        done, publish(desk, phases, to_report=to_report, opened=True, sends=sends)
    )
