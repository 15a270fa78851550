"""The letters that acts call for, and sending them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress

from alexmagnum.errors import GameError
from alexmagnum.game.desk import Desk
from alexmagnum.game.letters import DRAFT, DROPPED, SENT, find_automatic
from alexmagnum.game.phases import list_processed_phases
from alexmagnum.game.status import has_been_over
from alexmagnum.i18n.dates import to_local
from alexmagnum.mail.letters import (
    DraftedLetters,
    SentReports,
    find_ending_keys,
    find_reopening_keys,
)
from alexmagnum.mail.notices import (
    draft_deadline,
    draft_letters,
    draft_opening,
    draft_reminders,
    draft_reports,
    draft_retractions,
    draft_welcomes,
    find_outdated_phases,
    find_unreported_phases,
)
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.sending import (
    Delivery,
    check_draft,
    find_undelivered_phases,
    flag_letters_sent_before,
    mark_interrupted,
    reconcile,
    refuse_while_held,
    send,
)
from alexmagnum.mail.transport import hold_lock
from alexmagnum.workflow.materials import Materials, writes_letters

# The letters that acts call for: reports, corrections, openings, deadlines.
#
# :func:`update_letters` drafts what the players should be told and have no draft of, drops what no
# longer holds, and composes anew what shows an earlier state of the game; nothing is sent.  A game
# without an address of its own writes no letters.


def update_letters(materials: Materials, to_report: Iterable[str] = ()) -> DraftedLetters:
    """Bring the drafts in line with the game, and draft what follows from its present state.

    ``to_report`` are phases whose report every player gets.  Players who received a report that has
    changed since get it as it is now or, where its phase was undone, what is open again; all hear
    of the end of the game, and that it goes on after all.

    Raises:
        GameError: ``cannot-write``.
    """
    desk = materials.desk
    if not writes_letters(desk):
        return DraftedLetters()
    outbox = materials.outbox()
    made = DraftedLetters(renewed=list(reconcile(outbox).renewed))
    sent = SentReports(outbox)
    for phase in dict.fromkeys((*to_report, *find_outdated_phases(outbox, sent))):
        made.add(draft_reports(outbox, phase, sent))
    if desk.phase is not None:
        made.add(draft_retractions(outbox, sent))
    if has_been_over(desk):
        keys = find_ending_keys if desk.phase is None else find_reopening_keys
        made.add(draft_letters(outbox, keys(outbox)))
    return made


def draft_missing_reports(materials: Materials) -> DraftedLetters:
    """Draft the report of the last processed phase for every player who has not got one."""
    return update_letters(materials, find_unreported_phases(materials.outbox()))


def update_letters_after_player_change(materials: Materials) -> DraftedLetters:
    """Draft anew, after a player has changed, what waited for them at another address."""
    desk, outbox = materials.desk, materials.outbox()
    if not writes_letters(desk):
        return DraftedLetters()
    waiting = outbox.list_letters((DRAFT,))
    made = update_letters(materials)
    made.add(draft_welcome_letters(materials))
    now = outbox.store.find_several([mailing.id for mailing in waiting])
    lost = {mailing.kind for mailing in now if mailing.state == DROPPED}
    if "report" in lost:
        made.add(draft_missing_reports(materials))
    if "phase" in lost and desk.phase is not None:
        made.add(draft_opening_letters(materials))
    return made


def draft_opening_letters(materials: Materials) -> DraftedLetters:
    """Draft for every player what the open phase asks for."""
    outbox = materials.outbox()
    reconcile(outbox)
    made = draft_welcome_letters(materials)
    made.add(draft_opening(outbox))
    return made


def draft_welcome_letters(materials: Materials) -> DraftedLetters:
    """Draft a welcome for every player who took over a power and has no letter yet."""
    desk = materials.desk
    if not writes_letters(desk) or desk.phase is None:
        return DraftedLetters()
    return draft_welcomes(materials.outbox())


def draft_deadline_letters(materials: Materials) -> DraftedLetters:
    """Draft letters about a deadline that has changed, if the settings ask for them.

    Reports that are still drafts are composed anew instead: the deadline is in them.
    """
    made = update_letters(materials)
    desk = materials.desk
    if writes_letters(desk) and desk.settings["announcements"] != "no":
        made.add(draft_deadline(materials.outbox()))
    return made


def phases_to_report(desk: Desk, amended: str, changed: Iterable[str]) -> Sequence[str]:
    """Return the phases whose reports go out after a correction.

    They are the amended phase, those that came out differently, and those whose reports were
    withdrawn before they had gone.
    """
    outbox = Outbox(desk)
    reconcile(outbox)
    return list_processed_phases(desk, {amended, *changed, *find_undelivered_phases(outbox)})


# Opening the outbox, sending its letters, and drafting reminders.


def open_outbox(desk: Desk) -> Outbox:
    """Return the outbox after letters that were interrupted are marked, overtaken ones are
    dropped or written anew, and those who took over a power are welcomed."""
    box = Outbox(desk, lambda box: Materials(desk).composer(box).compose)
    # If another command is sending now, it marks them itself.
    with suppress(GameError), hold_lock(box.folder, "send"):
        mark_interrupted(box)
    reconcile(box)
    draft_welcome_letters(Materials(desk))
    flag_letters_sent_before(box)
    box.tidy()
    return box


def send_letters(
    box: Outbox, numbers: Collection[int] = (), again: Sequence[int] = (), reason: str = ""
) -> Iterator[Delivery]:
    """Send all drafts, or those with some numbers, each once; yield each result.

    Letters named in ``again`` have gone, or may have, and are sent once more.

    Raises:
        GameError: ``no-letter``, ``mail-busy``, or no mail can be sent as things are.
    """
    chosen = _find_numbers(box, numbers, again)
    for number in again:
        box.put_back(number, reason)
    yield from send(box, chosen)


def preview_sending(
    box: Outbox, numbers: Collection[int] = (), again: Sequence[int] = ()
) -> Iterator[Delivery]:
    """Yield the results that :func:`send_letters` would probably have; send nothing.

    Raises:
        GameError: ``no-letter``.
    """
    chosen = _find_numbers(box, numbers, again)
    for mailing in box.list_letters():
        asked = chosen is None or mailing.id in chosen
        if not asked or not (mailing.state == DRAFT or mailing.id in again):
            continue
        try:
            if mailing.state == DRAFT:
                check_draft(box, mailing)
            yield Delivery(mailing, SENT)
        except GameError as error:
            yield Delivery(mailing, DRAFT, error)


def _find_numbers(box: Outbox, numbers: Collection[int], again: Sequence[int]) -> set[int] | None:
    """Return the numbers asked for, all of which have to exist; None for every draft."""
    for number in (*numbers, *again):
        box.find(number)
    return {*numbers, *again} or None


def send_automatic(desk: Desk) -> tuple[tuple[Delivery, ...], GameError | None]:
    """Send the drafts that the settings let go by themselves; return the results, and the error
    if none could be sent."""
    deliveries: list[Delivery] = []
    outbox = Materials(desk).outbox()
    numbers = find_automatic(outbox.store, desk.settings)
    try:
        if numbers:
            refuse_while_held(outbox)
            deliveries.extend(send(outbox, numbers))
    except GameError as error:
        return tuple(deliveries), error
    return tuple(deliveries), None


def draft_todays_reminders(desk: Desk, box: Outbox) -> DraftedLetters:
    """Draft a reminder to every player whose orders are missing, once a day."""
    today = to_local(desk.now(), desk.settings["timezone"]).date().isoformat()
    return draft_reminders(box, today)
