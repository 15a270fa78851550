"""Sending the letters of the outbox: each once, whatever is killed in between."""

from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from email.message import EmailMessage

from alexmagnum.errors import GameError
from alexmagnum.files import MOST_BYTES
from alexmagnum.game.copies import find_drafts_sent_before, is_mail_held
from alexmagnum.game.file import OUTBOX, hold_lock
from alexmagnum.game.mail_store import DRAFT, SENDING, SENT, UNCERTAIN, Mailing, Occasion
from alexmagnum.game.settings import lower_ascii
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.mail import composition, transport
from alexmagnum.mail.drafts import update_drafts
from alexmagnum.mail.outbox import DRAFTS, Outbox
from alexmagnum.mail.tray import find_master_codes

# Letters after a copy of the game file was restored: none goes out twice without being asked for.
#
# A letter that went out after the copy was made is drafted again when the same things happen
# again. Where the replaced file told of it, the draft becomes ``uncertain``; where nobody knows,
# letters wait until the game master has looked at them.


def flag_letters_sent_before(outbox: Outbox) -> None:
    """Make drafts uncertain that went out before the restore, as the replaced file tells."""
    if not find_drafts_sent_before(outbox.game):
        return
    with outbox.file.writing("outbox"):
        for mailing, sent in find_drafts_sent_before(outbox.game):
            problem = GameError("letter-went-before", sent=sent)
            outbox.set_state(mailing.id, UNCERTAIN, problem=problem)


def refuse_while_held(outbox: Outbox) -> None:
    """Refuse to send letters that nobody has named, while they wait for the game master's look.

    Raises:
        GameError: ``mail-held``.
    """
    if (waiting := outbox.list_letters((DRAFT,))) and is_mail_held(outbox.game):
        raise GameError("mail-held", count=str(len(waiting)))


# Sending the letters of the outbox: each once, whatever is killed in between.


UNNOTED = "letter-unnoted"
"""The code of a letter that was sent, and the game file could not say so."""

_COPIES = ("Cc", "Bcc", "Resent-To", "Resent-Cc", "Resent-Bcc")


@dataclass(frozen=True, slots=True)
class Delivery:
    """The result of sending one letter: its state afterwards, and what went wrong."""

    mailing: Mailing
    state: str
    problem: GameError | None = None


def send(
    outbox: Outbox, numbers: Collection[int] | None = None, carrier: transport.Carrier | None = None
) -> Iterator[Delivery]:
    """Send the drafts with some numbers, by default all; yield the result of each.

    Drafts that were overtaken by events are dropped first.  What players write to each other goes
    last.  Sending ends at the first letter that shows that no mail can be sent as things are.
    """
    with hold_lock(outbox.folder, "send"):
        _mark_interrupted(outbox)
        # A letter that is drafted only now has been read by nobody.
        if (wanted := numbers) is None:
            wanted = {draft.id for draft in outbox.list_letters((DRAFT,))}
        update_drafts(outbox)
        flag_letters_sent_before(outbox)
        if numbers is None:
            refuse_while_held(outbox)
        wanted = set(wanted) - outbox.kept_aside  # the game master looks at these first
        chosen = [draft for draft in outbox.list_letters((DRAFT,)) if draft.id in wanted]
        chosen.sort(key=lambda draft: draft.kind == Occasion.PRESS.kind)
        if not chosen:
            return
        way = carrier or transport.choose_carrier(outbox.game)
        try:
            for mailing in chosen:
                delivery = _send(outbox, mailing, way)
                yield delivery
                if (
                    delivery.problem is not None
                    and delivery.problem.code in transport.BLOCKING_CODES
                ):
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
    for mailing in outbox.list_letters((SENT,)) if (outbox.folder / OUTBOX).is_dir() else ():
        if mailing.sent < opened:
            with suppress(OSError):
                (outbox.folder / OUTBOX / mailing.file).unlink(missing_ok=True)


def mark_interrupted(outbox: Outbox) -> None:
    """Mark as uncertain the letters whose sender was killed; one that sends now does so itself."""
    if outbox.list_letters((SENDING,)):
        with suppress(GameError), hold_lock(outbox.folder, "send"):
            _mark_interrupted(outbox)


def _mark_interrupted(outbox: Outbox) -> None:
    if outbox.list_letters((SENDING,)):
        with outbox.file.writing("outbox"):
            for mailing in outbox.list_letters((SENDING,)):
                if data := outbox.read(mailing):  # as the game master changed it
                    outbox.set_mail(mailing.id, data)
                outbox.set_state(mailing.id, UNCERTAIN, problem=GameError("mail-interrupted"))


def check_draft(outbox: Outbox, mailing: Mailing) -> EmailMessage:
    """Check a draft as its file now stands, and return the mail that may be sent.

    Sender, date and the address for answers are set anew: the game's address may have changed, and
    a day may have passed.

    Raises:
        GameError: ``draft-gone`` (its file was removed; it is there again),
            ``draft-unreadable``, ``draft-address``, ``draft-copies``, ``draft-for-master`` (it has
            a code of the game master, as a quoted mail does), ``no-address``, ``no-mail-address``.
    """
    if (data := outbox.read(mailing)) is None:
        with outbox.file.writing("send"):
            outbox.write(mailing, outbox.mail(mailing.id))
        raise GameError("draft-gone", file=f"{DRAFTS}/{mailing.file}", number=str(mailing.id))
    message = outbox.complete(mailing, data)
    _check_recipients(outbox, mailing, message)
    if find_master_codes(outbox.game, str(message["Subject"]), composition.read_text(message)):
        raise GameError("draft-for-master", file=f"{DRAFTS}/{mailing.file}")
    unsigned = composition.Letter("", "", message_id=mailing.message_id)
    composition.stamp_message(
        message, composition.sign_letter(outbox.game, unsigned, mailing.key, mailing.phase)
    )
    return message


def _check_recipients(outbox: Outbox, mailing: Mailing, message: EmailMessage) -> None:
    """Check that a letter goes to the player of its power and to nobody else."""
    file = f"{DRAFTS}/{mailing.file}"
    registered = composition.plain_address(
        composition.find_addressee(outbox.game, mailing.key).address
    )
    to = [address.addr_spec for field in message.get_all("To", []) for address in field.addresses]
    if list(map(lower_ascii, to)) != [lower_ascii(registered)]:
        raise GameError(
            "draft-address",
            file=file,
            asked=", ".join(to) or "–",
            power=mailing.reader,
            registered=registered,
        )
    if copies := [name for name in _COPIES if name in message]:
        raise GameError("draft-copies", file=file, field=copies[0])


# -- one letter ------------------------------------------------------------------------------------


def _send(outbox: Outbox, mailing: Mailing, carrier: transport.Carrier) -> Delivery:
    try:
        mailing = outbox.in_state(mailing.id, DRAFT)
        message = check_draft(outbox, mailing)
        if len(data := composition.encode_mail(message)) > MOST_BYTES:
            raise GameError("letter-too-large", number=str(mailing.id), size=str(MOST_BYTES >> 20))
        sender = outbox.game.settings["mail_address"]
        (to,) = (address.addr_spec for address in message["To"].addresses)
        carrier.carry(mailing.file, data, sender, to, lambda: _seal(outbox, mailing))
    except transport.DeliveryUnknown as error:
        with outbox.file.writing("send"):
            outbox.set_mail(mailing.id, data, b"")
            return _record_problem(outbox, mailing, UNCERTAIN, error)
    except GameError as error:
        return _record_problem(outbox, mailing, DRAFT, error)
    try:
        with outbox.game.act("mail-send", mailing.power) as note:
            note.detail |= {"letter": mailing.id, "kind": mailing.kind}
            outbox.set_mail(mailing.id, data, b"")
            outbox.set_state(mailing.id, SENT, sent=outbox.game.stamp())
    except GameError as error:
        why = load_sentences(outbox.game.settings["lang"]).error(error)
        raise GameError(UNNOTED, file=mailing.file, why=why) from None
    return Delivery(mailing, SENT)


def _seal(outbox: Outbox, mailing: Mailing) -> None:
    """Record that a letter is being sent: from here on only the other side knows.

    Its draft stays as it is, so that a letter that is refused can be sent again.

    Raises:
        GameError: ``letter-renewed``, if a command has written it anew while the server was asked.
    """
    with outbox.file.writing("send"):
        if (now := outbox.in_state(mailing.id, DRAFT)) != mailing:
            raise GameError("letter-renewed", number=str(now.id))
        outbox.set_state(now.id, SENDING, attempts=now.attempts + 1)


def _record_problem(outbox: Outbox, mailing: Mailing, state: str, problem: GameError) -> Delivery:
    """Record what went wrong with a letter that is still here, or may be."""
    with outbox.file.writing("send"):
        if (now := outbox.find(mailing.id)).state in (DRAFT, SENDING):
            # One that was never sealed was tried all the same.
            attempts = now.attempts + (now.state == DRAFT)
            outbox.set_state(now.id, state, problem=problem, attempts=attempts)
    return Delivery(mailing, state, problem)
