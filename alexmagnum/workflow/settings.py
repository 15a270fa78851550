"""Changing a setting, with the drafts and reports that show what it says."""

from __future__ import annotations

from alexmagnum.game.anonymity import find_hidden_names, hides_names
from alexmagnum.game.desk import Desk
from alexmagnum.game.outbox_store import DRAFT
from alexmagnum.mail.letters.phase_section import DraftedLetters
from alexmagnum.mail.outbox import Outbox
from alexmagnum.report.formats import FORMATS
from alexmagnum.report.phase_context import GM
from alexmagnum.workflow.letters import renew_all_drafts
from alexmagnum.workflow.materials import Materials
from alexmagnum.workflow.reports import processed_phases, write_reports

ABOUT_PEOPLE = frozenset({"names", "names_at_end", "addresses"})
"""Settings that decide what reports and letters say about the players."""

WITH_WORDS_OF_OTHERS = frozenset({"deadline", "letter", "press", "note", "ending"})
"""Kinds of letters with words that somebody wrote to their reader, or with a sender's address."""

NAMES_HIDDEN = "letter-names-hidden"
"""Why a draft was withdrawn that names somebody whose name is hidden now."""

PAGES = frozenset(f".{suffix}" for suffix in FORMATS.values())
"""The endings of the files of reports."""


def change_setting(desk: Desk, name: str, value: object, reason: str = "") -> DraftedLetters:
    """Change a setting; return the drafts that were composed anew.

    Where it decides what players read about each other, drafts that nobody has edited and the
    reports of all phases are written anew.  Reports with hidden names are removed, and letters that
    pass on somebody's words with a name in them are withdrawn.

    Raises:
        GameError: ``unknown-setting``, ``bad-setting``, ``setting-breaks-game``.
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
    made = renew_all_drafts(materials)
    if hides_names(desk.game):
        made.withdrawn += _withdraw_letters_with_names(desk)
    return made


def _withdraw_letters_with_names(desk: Desk) -> list[int]:
    """Withdraw the drafts that pass on words with the name of somebody other than the reader.

    So are notes with any address: one that is not registered may be another player's.
    """
    outbox = Outbox(desk.game)
    texts = {
        mailing: outbox.text(mailing)
        for mailing in outbox.list_letters((DRAFT,))
        if mailing.kind in WITH_WORDS_OF_OTHERS
    }
    named = [
        mailing
        for mailing, text in texts.items()
        if (mailing.kind == "note" and "@" in text)
        or find_hidden_names(desk.game, text, own=(mailing.power,))
    ]
    outbox.withdraw(named, NAMES_HIDDEN)
    return [mailing.id for mailing in named]


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
