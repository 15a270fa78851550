"""Updating the letters of a game after an act, and sending them.

:func:`update_letters` drafts what the players should be told and have no draft of, drops what no
longer holds, and composes anew what shows an earlier state of the game; nothing is sent.  A game
without an address of its own writes no letters.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress

from alexmagnum.errors import GameError
from alexmagnum.game.desk import Desk
from alexmagnum.game.letters import DRAFT, SENT, find_automatic
from alexmagnum.mail.drafts import DraftedLetters, update_drafts
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.sending import (
    Delivery,
    check_draft,
    flag_letters_sent_before,
    mark_interrupted,
    refuse_while_held,
    send,
)
from alexmagnum.mail.transport import hold_lock
from alexmagnum.workflow.materials import Materials


def update_letters(
    desk: Desk, materials: Materials | None = None, *, opening: bool = False, day: str = ""
) -> DraftedLetters:
    """Bring the drafts in line with the game; ``opening`` and ``day`` are those of
    :func:`alexmagnum.mail.drafts.update_drafts`."""
    outbox = (materials or Materials(desk)).outbox()
    return update_drafts(outbox, opening=opening, day=day)


def open_outbox(desk: Desk) -> Outbox:
    """Return the outbox after letters that were interrupted are marked, and drafts updated."""
    box = Outbox(desk, lambda box: Materials(desk).composer(box).compose)
    # If another command is sending now, it marks them itself.
    with suppress(GameError), hold_lock(box.folder, "send"):
        mark_interrupted(box)
    update_drafts(box)
    flag_letters_sent_before(box)
    box.tidy()
    return box


def send_letters(
    box: Outbox, numbers: Collection[int] = (), again: Sequence[int] = (), reason: str = ""
) -> Iterator[Delivery]:
    """Send all drafts, or those with some numbers, each once; yield each result.

    Letters named in ``again`` have gone, or may have, and are sent once more.
    """
    chosen = _find_numbers(box, numbers, again)
    for number in again:
        box.put_back(number, reason)
    yield from send(box, chosen)


def preview_sending(
    box: Outbox, numbers: Collection[int] = (), again: Sequence[int] = ()
) -> Iterator[Delivery]:
    """Yield the results that :func:`send_letters` would probably have; send nothing."""
    chosen = _find_numbers(box, numbers, again)
    for mailing in box.list_letters():
        if chosen is not None and mailing.id not in chosen:
            continue
        if mailing.state == DRAFT:
            try:
                check_draft(box, mailing)
            except GameError as error:
                yield Delivery(mailing, DRAFT, error)
                continue
        elif mailing.id not in again:
            continue
        yield Delivery(mailing, SENT)


def _find_numbers(box: Outbox, numbers: Collection[int], again: Sequence[int]) -> set[int] | None:
    for number in (*numbers, *again):
        box.find(number)
    return {*numbers, *again} or None


def send_automatic(desk: Desk) -> tuple[tuple[Delivery, ...], GameError | None]:
    """Send the drafts that the settings let go by themselves; return the results, and the error
    if none could be sent."""
    deliveries, unsent = list[Delivery](), None
    outbox = Materials(desk).outbox()
    try:
        if numbers := find_automatic(outbox, desk.settings):
            refuse_while_held(outbox)
            deliveries.extend(send(outbox, numbers))
    except GameError as error:
        unsent = error
    return tuple(deliveries), unsent
