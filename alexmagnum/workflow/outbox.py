"""Opening the outbox, sending its letters, and drafting reminders."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress

from alexmagnum.errors import GameError
from alexmagnum.game.desk import Desk
from alexmagnum.game.outbox_store import DRAFT, SENT
from alexmagnum.i18n.zones import to_local
from alexmagnum.mail.letters.phase_section import DraftedLetters
from alexmagnum.mail.lock import hold_lock
from alexmagnum.mail.notices import draft_reminders
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.reconcile import reconcile
from alexmagnum.mail.restored import flag_letters_sent_before, refuse_while_held
from alexmagnum.mail.sending import Delivery, check_draft, find_automatic, mark_interrupted, send
from alexmagnum.workflow.letters import draft_welcome_letters
from alexmagnum.workflow.materials import Materials


def open_outbox(desk: Desk) -> Outbox:
    """Return the outbox after letters that were interrupted are marked, overtaken ones are
    dropped, and those who took over a power are welcomed."""
    box = Outbox(desk.game)
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
    outbox = Outbox(desk.game)
    numbers = find_automatic(outbox)
    try:
        if numbers:
            refuse_while_held(outbox)
            deliveries.extend(send(outbox, numbers))
    except GameError as error:
        return tuple(deliveries), error
    return tuple(deliveries), None


def draft_todays_reminders(desk: Desk, box: Outbox) -> DraftedLetters:
    """Draft a reminder to every player whose orders are missing, once a day."""
    today = to_local(desk.game.now(), desk.settings["timezone"]).date().isoformat()
    return draft_reminders(box, today)
