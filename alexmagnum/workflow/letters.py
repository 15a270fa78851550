"""The letters that acts call for: reports, corrections, openings, deadlines.

Each function drafts what is not drafted yet and drops what no longer holds; none sends anything.
A game without an address of its own writes no letters.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from alexmagnum.game.deadlines import find_clock_change
from alexmagnum.game.desk import Desk
from alexmagnum.game.ending import has_been_over
from alexmagnum.game.outbox_store import (
    DRAFT,
    DROPPED,
    INVITATION,
    OPENING,
    REPORT,
    RETRACTION,
    WELCOME,
    Mailing,
)
from alexmagnum.game.takeovers import find_last_change_of_players
from alexmagnum.mail.ending_letters import draft_ending, draft_reopening
from alexmagnum.mail.letters.phase_section import DraftedLetters
from alexmagnum.mail.notices import draft_deadline
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.reconcile import find_undelivered_phases, reconcile
from alexmagnum.mail.report_letters import (
    draft_opening,
    draft_reports,
    draft_retractions,
    draft_welcomes,
)
from alexmagnum.mail.schedule import find_outdated_phases, find_unreported_phases
from alexmagnum.mail.sent_reports import SentReports
from alexmagnum.mail.written_letters import renew_invitations
from alexmagnum.workflow.materials import Materials, writes_letters
from alexmagnum.workflow.reports import processed_phases

NAMING_PLAYERS = frozenset({REPORT, OPENING, RETRACTION, WELCOME, INVITATION})
"""Occasions of letters that list who plays each power."""


def draft_report_letters(
    materials: Materials, phases: Iterable[str], *, renew: bool = False
) -> DraftedLetters:
    """Draft the reports of processed phases for every player who has not got them.

    ``renew``: draft none, but compose anew the drafts that nobody has edited.

    Raises:
        GameError: ``cannot-write``.
    """
    desk = materials.desk
    if not writes_letters(desk):
        return DraftedLetters()
    outbox = Outbox(desk.game)
    reconcile(outbox)
    return _draft_reports(materials, outbox, phases, SentReports(outbox), renew=renew)


def _draft_reports(
    materials: Materials,
    outbox: Outbox,
    phases: Iterable[str],
    sent: SentReports,
    *,
    renew: bool = False,
) -> DraftedLetters:
    """Draft the reports of phases from an outbox in which no draft is out of date."""
    made = DraftedLetters()
    for phase in phases:
        context = materials.find_context(phase)
        made.add(draft_reports(outbox, context, materials.enclose, sent, renew=renew))
    return made


def draft_letters_after_act(
    materials: Materials, outbox: Outbox, to_report: Iterable[str], *, opened: bool
) -> DraftedLetters:
    """Draft the letters that follow an act: reports, corrections, and those about the end.

    ``to_report`` are the phases of which every player gets a letter, ``opened`` tells that the act
    opened a new phase.  The outbox was reconciled after the act.

    Raises:
        GameError: ``cannot-write``.
    """
    desk = materials.desk
    if not writes_letters(desk):
        return DraftedLetters()
    sent = SentReports(outbox)
    made = _draft_reports(materials, outbox, to_report, sent)
    made.add(_draft_corrections(materials, outbox, sent))
    made.add(draft_ending_letters(materials, renew=desk.phase is None or not opened))
    return made


def rewrite_stale_drafts(materials: Materials) -> DraftedLetters:
    """Drop the drafts that no longer hold, and compose anew those that are still wanted.

    A report says what is due now and who plays, so it is composed anew once another phase is open,
    or the deadline or a player has changed; so are the letters on what the open phase asks for.
    """
    made, desk = DraftedLetters(), materials.desk
    if not writes_letters(desk):
        return made
    outbox = Outbox(desk.game)
    reconcile(outbox)
    drafts = outbox.list_letters((DRAFT,))
    changed = find_last_change_of_players(desk.game) if drafts else ""
    stale = [
        one
        for one in drafts
        if outbox.find_lost_ground(one) or _names_former_players(outbox, one, changed)
    ]
    names = outbox.game.phases_of_outcomes() if stale else {}
    reported = {names[n] for one in stale if one.kind == "report" for n in one.key.outcomes}
    made.add(draft_report_letters(materials, processed_phases(desk, reported), renew=True))
    occasions = {one.key.occasion for one in stale}
    if WELCOME in occasions:
        made.add(draft_welcomes(outbox, materials.open, materials.enclose, renew=True))
    if OPENING in occasions:
        made.add(draft_opening(outbox, materials.open(), materials.enclose, renew=True))
    if RETRACTION in occasions:
        made.add(_renew_retractions(materials, outbox))
    if INVITATION in occasions:
        made.add(renew_invitations(outbox, materials.open, materials.enclose, changed))
    return made


def _names_former_players(outbox: Outbox, draft: Mailing, changed: str) -> bool:
    """Return whether a draft names the players as they were before the instant ``changed``.

    A draft that somebody has edited stays as it is: it was read, and says what they want.
    """
    names = draft.key.occasion in NAMING_PLAYERS
    return names and draft.created <= changed and outbox.is_as_drafted(draft)


def draft_corrections(materials: Materials) -> DraftedLetters:
    """Draft corrections for players who already received a report that has changed since.

    They get the report as it now is or, where the phase was undone, what is open again.
    """
    desk = materials.desk
    if not writes_letters(desk):
        return DraftedLetters()
    outbox = Outbox(desk.game)
    reconcile(outbox)
    return _draft_corrections(materials, outbox, SentReports(outbox))


def _draft_corrections(materials: Materials, outbox: Outbox, sent: SentReports) -> DraftedLetters:
    """Draft corrections from an outbox in which no draft is out of date."""
    made = _draft_reports(materials, outbox, find_outdated_phases(outbox, sent), sent)
    if materials.desk.phase is not None:
        made.add(draft_retractions(outbox, materials.open, materials.enclose, sent))
    return made


def _renew_retractions(materials: Materials, outbox: Outbox) -> DraftedLetters:
    """Compose anew the drafts that take reports back."""
    sent = SentReports(outbox)
    return draft_retractions(outbox, materials.open, materials.enclose, sent, renew=True)


def draft_ending_letters(materials: Materials, *, renew: bool = False) -> DraftedLetters:
    """Draft for every player that the game is over, with the final report; or, for those who were
    told so before, that the game goes on.

    With ``renew`` reports that are still drafts are composed anew: what is open then is in them.
    """
    made, desk = DraftedLetters(), materials.desk
    if not writes_letters(desk) or not has_been_over(desk.game):
        return made
    outbox = Outbox(desk.game)
    if renew:
        made.add(draft_report_letters(materials, processed_phases(desk)[-1:], renew=True))
    if desk.phase is not None:
        made.add(draft_reopening(outbox))
        return made
    made.add(draft_ending(outbox, materials.final))
    return made


def draft_missing_reports(materials: Materials) -> DraftedLetters:
    """Draft the report of the last processed phase for every player who has not got one."""
    return draft_report_letters(materials, find_unreported_phases(Outbox(materials.desk.game)))


def update_letters_after_player_change(materials: Materials) -> DraftedLetters:
    """Draft anew, after a player has changed, what waited for them at another address.

    The drafts of the others that name the players are composed anew.
    """
    made, desk = DraftedLetters(), materials.desk
    if not writes_letters(desk):
        return made
    outbox = Outbox(desk.game)
    waiting = outbox.list_letters((DRAFT,))
    made.add(rewrite_stale_drafts(materials))
    made.add(draft_welcome_letters(materials))
    lost = {mailing.kind for mailing in waiting if outbox.find(mailing.id).state == DROPPED}
    if "report" in lost:
        made.add(draft_missing_reports(materials))
    if "phase" in lost and desk.phase is not None:
        made.add(draft_opening_letters(materials))
    if "ending" in lost:
        made.add(draft_ending_letters(materials))
    return made


def draft_opening_letters(materials: Materials) -> DraftedLetters:
    """Draft for every player what the open phase asks for."""
    outbox = Outbox(materials.desk.game)
    reconcile(outbox)
    made = draft_welcome_letters(materials)
    made.add(draft_opening(outbox, materials.open(), materials.enclose))
    return made


def draft_welcome_letters(materials: Materials) -> DraftedLetters:
    """Draft a welcome for every player who took over a power and has no letter yet.

    Invitations that were drafted before the open phase are composed anew.
    """
    desk = materials.desk
    if not writes_letters(desk) or desk.phase is None:
        return DraftedLetters()
    outbox, opened = Outbox(desk.game), desk.game.head().opened
    made = draft_welcomes(outbox, materials.open, materials.enclose)
    made.add(renew_invitations(outbox, materials.open, materials.enclose, opened))
    return made


def draft_deadline_letters(materials: Materials) -> DraftedLetters:
    """Draft letters about a deadline that has changed, if the settings ask for them.

    Reports that are still drafts are composed anew instead: the deadline is in them.
    """
    made, desk = DraftedLetters(), materials.desk
    if not writes_letters(desk):
        return made
    outbox = Outbox(desk.game)
    reconcile(outbox)
    changed = find_clock_change(desk.game)
    if changed is not None:
        made.add(_renew_drafts(materials, outbox, changed.at))
    if desk.settings["announcements"] != "no":
        made.add(draft_deadline(outbox))
    return made


def renew_all_drafts(materials: Materials) -> DraftedLetters:
    """Compose anew every draft that nobody has edited: what all of them say has changed."""
    made, desk = DraftedLetters(), materials.desk
    if not writes_letters(desk):
        return made
    outbox = Outbox(desk.game)
    reconcile(outbox)
    drafted = {outcome for m in outbox.list_letters((DRAFT,)) for outcome in m.key.outcomes}
    names = outbox.game.phases_of_outcomes()
    phases = processed_phases(desk, {names[outcome] for outcome in drafted})
    made.add(draft_report_letters(materials, phases, renew=True))
    if desk.phase is not None:
        made.add(_renew_drafts(materials, outbox, desk.game.stamp()))
    return made


def _renew_drafts(materials: Materials, outbox: Outbox, at: str) -> DraftedLetters:
    """Compose anew the drafts that tell the deadline as it was before an instant."""
    made = DraftedLetters()
    kinds = {mailing.kind for mailing in outbox.list_letters((DRAFT,)) if mailing.created <= at}
    if "report" in kinds:
        last = processed_phases(materials.desk)[-1:]
        made.add(draft_report_letters(materials, last, renew=True))
    if "invitation" in kinds:
        made.add(renew_invitations(outbox, materials.open, materials.enclose, at))
    if "welcome" in kinds:
        made.add(draft_welcomes(outbox, materials.open, materials.enclose, renew=True))
    if "phase" in kinds:
        made.add(draft_opening(outbox, materials.open(), materials.enclose, renew=True))
        made.add(_renew_retractions(materials, outbox))
    return made


def phases_to_report(desk: Desk, amended: str, changed: Iterable[str]) -> Sequence[str]:
    """Return the phases whose reports go out after a correction.

    They are the amended phase, those that came out differently, and those whose reports were
    withdrawn before they had gone.
    """
    outbox = Outbox(desk.game)
    reconcile(outbox)
    return processed_phases(desk, {amended, *changed, *find_undelivered_phases(outbox)})
