"""Sending the letters of the outbox: each once, whatever is killed in between."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from email.message import EmailMessage
from functools import cached_property

from alexmagnum.errors import GameError
from alexmagnum.game.game import Player, Standby
from alexmagnum.game.letters import (
    DEADLINE,
    DRAFT,
    DROPPED,
    SENDING,
    SENT,
    UNCERTAIN,
    LetterKey,
    Mailing,
)
from alexmagnum.game.orders import read_open_phase
from alexmagnum.game.people import find_power_of_act, find_takeover, read_players, read_standby
from alexmagnum.game.restore import find_drafts_sent_before, is_mail_held
from alexmagnum.mail.composition import (
    Letter,
    can_be_written_to,
    encode_mail,
    find_addressee,
    plain_address,
    sign_letter,
    stamp_message,
)
from alexmagnum.mail.letters import make_welcome_key
from alexmagnum.mail.notices import FOLLOWING, Composing, find_carried_phase, reword_answer
from alexmagnum.mail.outbox import (
    DEADLINE_CHANGED,
    DRAFTS,
    SHOWN_CHANGED,
    Circumstances,
    Outbox,
)
from alexmagnum.mail.transport import (
    BLOCKING_CODES,
    FOLDER,
    Carrier,
    DeliveryUnknown,
    choose_carrier,
    hold_lock,
)

# Dropping the drafts that are out of date after a phase was processed, undone or corrected.


TAKEN_BACK = "letter-taken-back"
"""Why a letter was dropped that returns if the phase it reports is put back."""

OVERTAKEN = "letter-overtaken"
"""Why a letter was dropped whose phase is over, or whose reminder was obeyed."""

MOVED = "letter-moved"
"""Why a letter was dropped whose player has another address now."""

OF_THE_PHASE = ("phase", "deadline", "reminder")
"""The kinds of letters that make sense only while their phase is open."""


@dataclass(frozen=True, slots=True)
class Reconciled:
    """How many drafts were dropped and came back, and those that were composed anew."""

    dropped: int = 0
    back: int = 0
    renewed: tuple[int, ...] = ()


def reconcile(outbox: Outbox) -> Reconciled:
    """Drop drafts that are out of date, and bring back drafts that are right again.

    An undo drops the reports of the undone phase, and a redo brings them back as they were edited;
    a correction drops the reports of the version before.  A draft to a former address of its player
    is dropped unless somebody has changed it.  So is a letter that has lost what it rests on: its
    phase is over, the orders that it lists have changed, or the mail that it tells of was decided.
    Drafts that stay are composed anew where they no longer show the game as it stands, and answers
    name the deadline in force.
    """
    state = _GameState(outbox)
    stale: dict[str, list[Mailing]] = defaultdict(list)
    back: list[Mailing] = []
    kept: list[Mailing] = []
    for mailing in outbox.list_letters((DRAFT, DROPPED)):
        why = state.find_fault(mailing)
        if mailing.state == DRAFT and why:
            stale[why].append(mailing)
        elif mailing.state == DRAFT:
            kept.append(mailing)
        elif not why and _was_dropped_by_events(mailing):
            back.append(mailing)
    for why, mailings in stale.items():
        outbox.withdraw(mailings, why)
    outbox.bring_back(back)
    kept += outbox.store.find_several([mailing.id for mailing in back])
    renewed = _compose_anew(outbox, [one for one in kept if state.now.find_lost_ground(one)])
    return Reconciled(sum(map(len, stale.values())), len(back), renewed)


def _compose_anew(outbox: Outbox, stale: Sequence[Mailing]) -> tuple[int, ...]:
    """Compose drafts anew that do not show the game as it stands; return their numbers.

    What somebody wrote into one of them is kept aside, and if nothing but people and words have
    changed since, the draft stays as it is.
    """
    compose, renewed, letters = Composing(outbox), list[int | None](), dict[LetterKey, Letter]()
    for mailing in stale:
        if mailing.key.occasion not in FOLLOWING:
            reword_answer(outbox, mailing)
        elif compose.can_compose(mailing.key) and (
            outbox.find_lost_ground(mailing) != SHOWN_CHANGED or outbox.is_as_drafted(mailing)
        ):
            letters[mailing.key] = compose(mailing.key)
    # One transaction for all, begun when the pictures are drawn: others wait for it.
    with outbox.file.writing("draft") if letters else nullcontext():
        for key, letter in letters.items():
            renewed.append(outbox.renew(key, letter, phase=find_carried_phase(outbox.game, key)))
    return tuple(number for number in renewed if number)


def find_undelivered_phases(outbox: Outbox) -> frozenset[str]:
    """Return the phases whose reports were dropped before they were sent, and not drafted again."""
    dropped = [
        m
        for m in outbox.list_letters((DROPPED,))
        if m.kind == "report" and _was_dropped_by_events(m)
    ]
    names = outbox.game.phases_of_outcomes()
    return frozenset(names[outcome] for mailing in dropped for outcome in mailing.key.outcomes)


def _was_dropped_by_events(mailing: Mailing) -> bool:
    """Return whether events dropped a letter, and not the game master."""
    return mailing.problem is not None and mailing.problem.code in (TAKEN_BACK, OVERTAKEN, MOVED)


class _GameState:
    """The state that drafts are compared with: open phase, outcomes that count, addresses."""

    def __init__(self, outbox: Outbox) -> None:
        self.outbox, self.game = outbox, outbox.game
        game = outbox.game
        with game.file.reading():
            line, head = game.line(), game.head()
        self.now = Circumstances(game)
        self.open, self.head = str(head.name), int(head.id)
        self.outcomes = {row.id for row in line}
        amended = {row.id for row in line if row.amends}
        phases = [(row.name, row.parent, row.opened) for row in line]
        phases.append((head.name, head.parent, head.opened))
        self.since = {name: "" if parent in amended else at for name, parent, at in phases}
        """When each phase was opened: letters drafted before are about a phase that was undone.
        After a correction the mails for a phase stay, and so do the letters."""

    @cached_property
    def lacking(self) -> Mapping[str, Sequence[str]]:
        """The orders that are still missing in the open phase, by power."""
        return read_open_phase(self.game).lacking

    @cached_property
    def addresses(self) -> Mapping[str, str]:
        """The address of everybody who can be written to, by their power or number of standby."""
        people: tuple[tuple[str, Player | Standby], ...] = (
            *((player.power, player) for player in read_players(self.game)),
            *((f"standby{person.id}", person) for person in read_standby(self.game)),
        )
        return {
            reader: plain_address(person.address)
            for reader, person in people
            if can_be_written_to(person)
        }

    def _is_as_made(self, mailing: Mailing) -> bool:
        return mailing.state != DRAFT or self.outbox.is_as_drafted(mailing)

    def find_fault(self, mailing: Mailing) -> str:
        """Return the code of why a letter must not be sent any more, "" if it may."""
        if self.addresses.get(mailing.reader) != mailing.address and self._is_as_made(mailing):
            return MOVED
        match mailing.kind:
            case "letter":
                return ""
            case "invitation":
                return OVERTAKEN if self._was_taken(mailing) else ""
            case "welcome":
                return self._find_welcome_fault(mailing)
            case "report":
                return "" if self.outcomes.issuperset(mailing.key.outcomes) else TAKEN_BACK
            case "ending":
                return "" if mailing.key.opened == self.head else TAKEN_BACK
            case _:
                return self._find_phase_fault(mailing)

    def _find_phase_fault(self, mailing: Mailing) -> str:
        """Return why a letter about one phase must not be sent any more, "" if it may."""
        since = self.since.get(mailing.phase)
        if since is None or mailing.created < since:
            return TAKEN_BACK
        over = mailing.kind in OF_THE_PHASE and mailing.phase != self.open
        if over or (mailing.kind == "reminder" and mailing.power not in self.lacking):
            return OVERTAKEN
        if mailing.key.occasion in FOLLOWING - {DEADLINE}:
            return ""
        lost = self.now.find_lost_ground(mailing)
        return "" if lost == DEADLINE_CHANGED and mailing.kind == "receipt" else lost

    def _was_taken(self, invitation: Mailing) -> bool:
        """Return whether somebody has taken over the power that an invitation offers."""
        act = invitation.key.act or 0
        return find_takeover(self.game, find_power_of_act(self.game, act)) > act

    def _find_welcome_fault(self, mailing: Mailing) -> str:
        """Return the code of why a welcome no longer tells how things stand, "" if it does."""
        player = next(one for one in read_players(self.game) if one.power == mailing.power)
        wanted = make_welcome_key(self.game, player)
        return "" if replace(wanted, address=mailing.key.address) == mailing.key else OVERTAKEN


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
            outbox.store.set_state(mailing.id, UNCERTAIN, problem=problem)


def refuse_while_held(outbox: Outbox) -> None:
    """Refuse to send letters that nobody has named, while they wait for the game master's look.

    Raises:
        GameError: ``mail-held``.
    """
    waiting = outbox.list_letters((DRAFT,))
    if waiting and is_mail_held(outbox.game):
        raise GameError("mail-held", count=str(len(waiting)))


# Sending the letters of the outbox: each once, whatever is killed in between.


_COPIES = ("Cc", "Bcc", "Resent-To", "Resent-Cc", "Resent-Bcc")


@dataclass(frozen=True, slots=True)
class Delivery:
    """The result of sending one letter: its state afterwards, and what went wrong."""

    mailing: Mailing
    state: str
    problem: GameError | None = None


def send(
    outbox: Outbox, numbers: Collection[int] | None = None, carrier: Carrier | None = None
) -> Iterator[Delivery]:
    """Send the drafts with some numbers, by default all; yield the result of each.

    Drafts that were overtaken by events are dropped first.  Sending ends at the first letter that
    shows that no mail can be sent as things are.

    Raises:
        GameError: ``mail-busy``; ``mail-held``, if no letters are named and they wait after a
            restore; one of :data:`BLOCKING_CODES`, before anything is sent.
    """
    with hold_lock(outbox.folder, "send"):
        mark_interrupted(outbox)
        reconcile(outbox)
        flag_letters_sent_before(outbox)
        if numbers is None:
            refuse_while_held(outbox)
        drafts = outbox.list_letters((DRAFT,))
        chosen = [draft for draft in drafts if numbers is None or draft.id in numbers]
        if not chosen:
            return
        chosen_carrier = carrier or choose_carrier(outbox.folder, outbox.game.settings)
        try:
            for mailing in chosen:
                delivery = _send(outbox, mailing, chosen_carrier)
                yield delivery
                if delivery.problem is not None and delivery.problem.code in BLOCKING_CODES:
                    return
        finally:
            chosen_carrier.close()
            outbox.tidy()
            remove_old_files(outbox)


def remove_old_files(outbox: Outbox) -> None:
    """Remove letters from the folder for another mail program that lie there since earlier phases.

    The game file keeps them.
    """
    opened = outbox.game.head().opened
    for mailing in outbox.list_letters((SENT,)) if (outbox.folder / FOLDER).is_dir() else ():
        if mailing.sent < opened:
            with suppress(OSError):
                (outbox.folder / FOLDER / mailing.file).unlink(missing_ok=True)


def mark_interrupted(outbox: Outbox) -> None:
    """Mark as uncertain the letters whose sender was killed.

    Call this only while holding the lock: otherwise somebody may be sending them.
    """
    if outbox.list_letters((SENDING,)):
        with outbox.file.writing("outbox"):
            for mailing in outbox.list_letters((SENDING,)):
                problem = GameError("mail-interrupted")
                outbox.store.set_state(mailing.id, UNCERTAIN, problem=problem)


def check_draft(outbox: Outbox, mailing: Mailing) -> EmailMessage:
    """Check a draft as its file now stands, and return the mail that may be sent.

    Sender, date and the address for answers are set anew: the game's address may have changed, and
    a day may have passed.

    Raises:
        GameError: ``draft-gone`` (its file was removed; it is there again),
            ``draft-unreadable``, ``draft-address``, ``draft-copies``, ``no-address``,
            ``no-mail-address``.
    """
    data = outbox.read(mailing)
    if data is None:
        with outbox.file.writing("send"):
            outbox.write(mailing, outbox.raw(mailing))
        raise GameError("draft-gone", file=_draft_path(mailing), number=str(mailing.id))
    message = outbox.complete(mailing, data)
    _check_recipients(outbox, mailing, message)
    unsigned = Letter("", "", message_id=mailing.message_id)
    stamp_message(message, sign_letter(outbox.game, unsigned, mailing.key, mailing.phase))
    return message


def _check_recipients(outbox: Outbox, mailing: Mailing, message: EmailMessage) -> None:
    """Check that a letter goes to the player of its power and to nobody else.

    Raises:
        GameError: ``draft-address``, ``draft-copies``, ``no-address``.
    """
    registered = plain_address(find_addressee(outbox.game, mailing.key).address)
    fields = message.get_all("To", [])
    to = [address.addr_spec for field in fields for address in field.addresses]
    if [address.casefold() for address in to] != [registered.casefold()]:
        raise GameError(
            "draft-address",
            file=_draft_path(mailing),
            asked=", ".join(to) or "–",
            power=mailing.reader,
            registered=registered,
        )
    copies = [name for name in _COPIES if name in message]
    if copies:
        raise GameError("draft-copies", file=_draft_path(mailing), field=copies[0])


def _draft_path(mailing: Mailing) -> str:
    return f"{DRAFTS}/{mailing.file}"


# -- one letter ------------------------------------------------------------------------------------


def _send(outbox: Outbox, mailing: Mailing, carrier: Carrier) -> Delivery:
    try:
        message = check_draft(outbox, mailing)
        data = encode_mail(message)
        sender = outbox.game.settings["mail_address"]
        (to,) = (address.addr_spec for address in message["To"].addresses)
        carrier.carry(mailing.file, data, sender, to, lambda: _seal(outbox, mailing, data))
    except DeliveryUnknown as error:
        return _record_problem(outbox, mailing, UNCERTAIN, error)
    except GameError as error:
        return _record_problem(outbox, mailing, DRAFT, error)
    return _record_sent(outbox, mailing)


def _seal(outbox: Outbox, mailing: Mailing, data: bytes) -> None:
    """Record that a letter is being sent: from here on only the other side knows."""
    with outbox.file.writing("send"):
        now = outbox.in_state(mailing.id, DRAFT)
        outbox.store.set_mail(now.id, data, b"")
        outbox.store.set_state(now.id, SENDING, attempts=now.attempts + 1)


def _record_sent(outbox: Outbox, mailing: Mailing) -> Delivery:
    with outbox.game.act("mail-send", mailing.power) as note:
        note.detail |= {"letter": mailing.id, "kind": mailing.kind}
        outbox.store.set_state(mailing.id, SENT, sent=outbox.game.stamp())
    return Delivery(mailing, SENT)


def _record_problem(outbox: Outbox, mailing: Mailing, state: str, problem: GameError) -> Delivery:
    """Record what went wrong with a letter that is still here, or may be."""
    with outbox.file.writing("send"):
        now = outbox.find(mailing.id)
        if now.state in (DRAFT, SENDING):
            # One that was never sealed was tried all the same.
            attempts = now.attempts + (now.state == DRAFT)
            outbox.store.set_state(now.id, state, problem=problem, attempts=attempts)
    return Delivery(mailing, state, problem)
