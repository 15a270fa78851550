"""Sending what lies in the outbox: each letter once, whatever is killed in between."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from email.message import EmailMessage

from alexmagnum.errors import GameError
from alexmagnum.game.outbox_store import DRAFT, SENDING, SENT, UNCERTAIN, Mailing
from alexmagnum.mail.letters.composition import Letter, encode_mail, plain_address, stamp_message
from alexmagnum.mail.letters.envelope import find_addressee, sign_letter
from alexmagnum.mail.lock import hold_lock
from alexmagnum.mail.outbox import DRAFTS, Outbox
from alexmagnum.mail.reconcile import reconcile
from alexmagnum.mail.transport.carriers import choose_carrier
from alexmagnum.mail.transport.delivery import BLOCKING_CODES, Carrier, DeliveryUnknown
from alexmagnum.mail.transport.outbox_folder import FOLDER

SENT_BY_ITSELF: Mapping[str, str] = {
    "report": "reports",
    "phase": "announcements",
    "deadline": "announcements",
    "reminder": "reminders",
}
"""The setting that lets letters of a kind be sent without being asked for; ``receipts`` for those
not named."""

_COPIES = ("Cc", "Bcc", "Resent-To", "Resent-Cc", "Resent-Bcc")


@dataclass(frozen=True, slots=True)
class Delivery:
    """What became of a letter that was to be sent: its state afterwards, and what went wrong."""

    mailing: Mailing
    state: str
    problem: GameError | None = None


def send(
    outbox: Outbox, numbers: Collection[int] | None = None, carrier: Carrier | None = None
) -> Iterator[Delivery]:
    """Send drafts, all if none are named, one after the other; what became of each.

    Letters overtaken by events are no drafts any more.  It ends at the first that shows that no
    mail can be sent as things are.

    Raises:
        GameError: ``mail-busy``; one of :data:`NO_WAY`, before anything is sent.
    """
    with hold_lock(outbox.folder, "send"):
        mark_interrupted(outbox)
        reconcile(outbox)
        drafts = outbox.listed((DRAFT,))
        chosen = [draft for draft in drafts if numbers is None or draft.id in numbers]
        if not chosen:
            return
        way = carrier or choose_carrier(outbox.folder, outbox.game.settings())
        try:
            for mailing in chosen:
                delivery = _send(outbox, mailing, way)
                yield delivery
                if delivery.problem is not None and delivery.problem.code in BLOCKING_CODES:
                    return
        finally:
            way.close()
            outbox.tidy()
            remove_old_files(outbox)


def remove_old_files(outbox: Outbox) -> None:
    """Remove letters from the folder for another mail program that lie there since earlier phases.

    The game file keeps them.
    """
    opened = outbox.game.head().opened
    for mailing in outbox.listed((SENT,)) if (outbox.folder / FOLDER).is_dir() else ():
        if mailing.sent < opened:
            with suppress(OSError):
                (outbox.folder / FOLDER / mailing.file).unlink(missing_ok=True)


def mark_interrupted(outbox: Outbox) -> None:
    """Whoever was sending is dead: nobody knows what became of those letters.

    To be called by who is :func:`alone`.
    """
    if outbox.listed((SENDING,)):
        with outbox.file.writing("outbox"):
            for mailing in outbox.listed((SENDING,)):
                problem = GameError("mail-interrupted")
                outbox.store.set_state(mailing.id, UNCERTAIN, problem=problem)


def find_automatic(outbox: Outbox) -> tuple[int, ...]:
    """The drafts that the settings let go without being asked for, but for those that the other
    side has refused."""
    settings = outbox.game.settings()
    return tuple(
        mailing.id
        for mailing in outbox.listed((DRAFT,))
        if settings[SENT_BY_ITSELF.get(mailing.kind, "receipts")] == "send"
        and (mailing.problem is None or mailing.problem.code != "mail-refused")
    )


def check_draft(outbox: Outbox, mailing: Mailing) -> EmailMessage:
    """A draft as it now stands, if it may go.  Who writes it, when, and where an answer goes is
    put on anew: the game's address may be another by now, and a day may have passed.

    Raises:
        GameError: ``draft-gone`` (its file was taken away; it is there again),
            ``draft-unreadable``, ``draft-address``, ``draft-copies``, ``no-address``,
            ``no-mail-address``.
    """
    data = outbox.read(mailing)
    if data is None:
        with outbox.file.writing("send"):
            outbox.write(mailing, outbox.raw(mailing))
        raise GameError("draft-gone", file=_named(mailing), number=str(mailing.id))
    message = outbox.complete(mailing, data)
    _check_readers(outbox, mailing, message)
    unsigned = Letter("", "", message_id=mailing.message_id)
    whose = (mailing.power, mailing.phase, mailing.answers)
    stamp_message(message, sign_letter(outbox.game, unsigned, *whose))
    return message


def _check_readers(outbox: Outbox, mailing: Mailing, message: EmailMessage) -> None:
    """A letter goes to the player of its power, and to nobody else."""
    registered = plain_address(find_addressee(outbox.game, mailing.power).address)
    fields = message.get_all("To", [])
    to = [address.addr_spec for field in fields for address in field.addresses]
    if [address.casefold() for address in to] != [registered.casefold()]:
        raise GameError(
            "draft-address",
            file=_named(mailing),
            asked=", ".join(to) or "–",
            power=mailing.power,
            registered=registered,
        )
    copies = [name for name in _COPIES if name in message]
    if copies:
        raise GameError("draft-copies", file=_named(mailing), field=copies[0])


def _named(mailing: Mailing) -> str:
    return f"{DRAFTS}/{mailing.file}"


# -- one letter ------------------------------------------------------------------------------------


def _send(outbox: Outbox, mailing: Mailing, way: Carrier) -> Delivery:
    try:
        message = check_draft(outbox, mailing)
        data = encode_mail(message)
        sender = outbox.game.settings()["mail_address"]
        (to,) = (address.addr_spec for address in message["To"].addresses)
        way.carry(mailing.file, data, sender, to, lambda: _seal(outbox, mailing, data))
    except DeliveryUnknown as error:
        return _kept(outbox, mailing, UNCERTAIN, error)
    except GameError as error:
        return _kept(outbox, mailing, DRAFT, error)
    return _gone(outbox, mailing)


def _seal(outbox: Outbox, mailing: Mailing, data: bytes) -> None:
    """From here on nobody but the other side knows."""
    with outbox.file.writing("send"):
        now = outbox.in_state(mailing.id, DRAFT)
        outbox.store.set_mail(now.id, data, ())
        outbox.store.set_state(now.id, SENDING, attempts=now.attempts + 1)


def _gone(outbox: Outbox, mailing: Mailing) -> Delivery:
    with outbox.game.act("mail-send", mailing.power) as note:
        note.detail |= {"letter": mailing.id, "kind": mailing.kind}
        outbox.store.set_state(mailing.id, SENT, sent=outbox.game.stamp())
    return Delivery(mailing, SENT)


def _kept(outbox: Outbox, mailing: Mailing, state: str, problem: GameError) -> Delivery:
    """Keep what went wrong with a letter that is still here, or may be."""
    with outbox.file.writing("send"):
        now = outbox.find(mailing.id)
        if now.state in (DRAFT, SENDING):
            # One that was never sealed was tried all the same.
            attempts = now.attempts + (now.state == DRAFT)
            outbox.store.set_state(now.id, state, problem=problem, attempts=attempts)
    return Delivery(mailing, state, problem)
