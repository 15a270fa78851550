"""Changing a setting, with the drafts and reports that show what it says."""

from __future__ import annotations

from alexmagnum.game.anonymity import hides_names
from alexmagnum.game.desk import Desk
from alexmagnum.mail.letters.phase_section import DraftedLetters
from alexmagnum.report.formats import FORMATS
from alexmagnum.report.phase_context import GM
from alexmagnum.workflow.letters import renew_all_drafts
from alexmagnum.workflow.materials import Materials
from alexmagnum.workflow.reports import processed_phases, write_reports

ABOUT_PEOPLE = frozenset({"names", "names_at_end", "addresses"})
"""Settings that decide what reports and letters say about the players."""

PAGES = frozenset(f".{suffix}" for suffix in FORMATS.values())
"""The endings of the files of reports."""


def change_setting(desk: Desk, name: str, value: object, reason: str = "") -> DraftedLetters:
    """Change a setting; return the drafts that were composed anew.

    Where it decides what players read about each other, drafts that nobody has edited and the
    reports of all phases are written anew.  Reports with hidden names are removed.

    Raises:
        GameError: ``unknown-setting``, ``bad-setting``, ``setting-breaks-position``.
    """
    before = desk.settings.get(name)
    desk.set(name, value, reason)
    if name not in ABOUT_PEOPLE or desk.settings[name] == before:
        return DraftedLetters()
    materials = Materials(desk)
    for phase in processed_phases(desk):
        write_reports(materials, phase)
    if hides_names(desk.game):
        _remove_pages_with_names(desk)
    return renew_all_drafts(materials)


def _remove_pages_with_names(desk: Desk) -> None:
    """Remove the reports for players that still name somebody.

    These are of versions that were corrected, or in the language of somebody who has left;
    ``report`` prints them again, without names.
    """
    people = (*desk.players, *desk.past_players)
    names = {name for person in people for name in (person.name, *person.addresses)}
    for path in (desk.folder / "reports").glob("*/*"):
        is_page = path.suffix in PAGES and not path.name.startswith(f"{GM}.")
        if is_page and any(name in path.read_text(encoding="utf-8") for name in names):
            path.unlink()
