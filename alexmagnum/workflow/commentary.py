"""The game master's own words in a report."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from alexmagnum.game.desk import Desk
from alexmagnum.mail.letters.phase_section import DraftedLetters
from alexmagnum.workflow.letters import draft_report_letters
from alexmagnum.workflow.materials import Materials
from alexmagnum.workflow.reports import processed_phases, write_reports


@dataclass(frozen=True, slots=True)
class Commentary:
    """The words in the report of a phase after a change.

    If the phase is processed already, ``reports`` is the folder of its reports, written anew, and
    ``letters`` are the drafts composed anew.
    """

    texts: tuple[str, ...]
    reports: Path | None = None
    letters: DraftedLetters = field(default_factory=DraftedLetters)


def add_commentary(desk: Desk, phase: str, where: str, text: str) -> Commentary:
    """Add words ``before`` or ``after`` the results of a phase; "" takes away those that are
    there.

    Raises:
        GameError: ``unknown-phase``, ``cannot-write``.
    """
    desk.add_text(phase, where, text)
    texts = tuple(desk.texts(phase)[where])
    if not processed_phases(desk, [phase]):
        return Commentary(texts)
    materials = Materials(desk)
    folder = write_reports(materials, phase)
    return Commentary(texts, folder, draft_report_letters(materials, [phase], renew=True))
