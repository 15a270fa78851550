"""The inbox: every message is stored as it came, then handled, once.

Storing and handling are two transactions.  A program that is killed between them leaves a message
``new``, and the next fetch handles it; a program killed during the second leaves nothing of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, timedelta

from alexmagnum.errors import GameError
from alexmagnum.game import players, submissions
from alexmagnum.game.anonymity import leave_writer_out
from alexmagnum.game.inbox_store import (
    ASIDE,
    NEW,
    REJECTED,
    TAKEN,
    WAITING,
    InboxStore,
    Message,
    Why,
)
from alexmagnum.game.mail_orders import Mail
from alexmagnum.game.outbox_store import ANSWER, LetterKey
from alexmagnum.game.records import OVER
from alexmagnum.game.state import Game
from alexmagnum.game.stored_orders import CLEAR, MAIL
from alexmagnum.game.values import DOUBTFUL, PROSE, UNTAKEN
from alexmagnum.i18n import zones
from alexmagnum.mail.answers import Answering, Letterhead, find_scope
from alexmagnum.mail.game_signs import SEVERAL_GAMES, find_game_signs
from alexmagnum.mail.identity import HALF_READ, Verdict, judge_message
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.parsing.classify import LIST
from alexmagnum.mail.parsing.commands import Requests, read_requests
from alexmagnum.mail.parsing.message import IncomingMail, read_head, read_message
from alexmagnum.mail.parsing.readability import ONLY_QUOTATION, find_fault
from alexmagnum.mail.parsing.removed_orders import find_removed_orders
from alexmagnum.mail.reconcile import reconcile
from alexmagnum.mail.standby_mail import STANDBY_REASONS
from alexmagnum.mail.transport.mailbox_files import Found
from alexmagnum.mail.waiting_notes import find_reachable_player, tell_that_mail_waits

_LATE = timedelta(days=14)
"""A mailbox is read from this long before its last message: some arrive out of order."""

_FILE_ERRORS = frozenset({"game-busy", "cannot-write", "game-damaged"})
"""Errors of the game file, for which no message is at fault."""


def _reasons_to_look(
    row: Message, message: IncomingMail, asked: Requests, read: Mail | None
) -> Iterator[Why]:
    """Return what the game master should look at in a mail that is taken."""
    if any(piece.to_master for piece in asked.press):
        yield Why.of("taken-press")
    if message.text and not (read or asked.commands or asked.press):
        yield Why.of("taken-nothing", number=str(row.id))


class Inbox:
    """The messages of a game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.file = game.file
        self.store = InboxStore(game.file)
        self.outbox = Outbox(game)
        self._answering = Answering(game, self.outbox)

    # -- what there is ---------------------------------------------------------------------------

    def list_messages(self, *states: str) -> tuple[Message, ...]:
        """Return the messages, or those in some states, in the order in which they came."""
        return self.store.find_all(states)

    def find(self, number: int) -> Message:
        """Return a message by its number.

        Raises:
            GameError: ``no-message``.
        """
        return self.store.find(number)

    def read(self, number: int) -> IncomingMail:
        """Return a message as the program reads it.

        Raises:
            GameError: ``no-message``.
        """
        return self._parse_mail(self.raw(self.find(number).id), self.find(number).power)

    def raw(self, number: int) -> bytes:
        """Return a message byte for byte."""
        return self.store.raw(number)

    def knows(self, key: str) -> bool:
        """Return whether a message with that key is here already."""
        return self.store.has_key(key)

    def claims(self, key: str) -> bool:
        """Return whether a message is here as one of a player: it was not only left aside."""
        row = self.store.find_by_key(key)
        return row is not None and (row.state == NEW or (row.state != ASIDE and bool(row.power)))

    def since(self) -> date:
        """Return the day from which a mailbox has to be read.

        That is not before the game, nor long before the last message that was read in it; a fetch
        that broke off goes on from there.
        """
        at = self.store.last_received("imap:")
        begun = zones.parse_iso(self.game.info.created) - timedelta(days=1)
        last = zones.parse_iso(at) - _LATE if at else begun
        return max(begun, last).date()

    # -- fetching --------------------------------------------------------------------------------

    def fetch(self, found: Iterable[Found]) -> Iterator[Message]:
        """Store messages, then handle all new ones; yield each as it is afterwards.

        Messages that an interrupted fetch has left are handled too.  A message that is here already
        is skipped.
        """
        for each in found:
            self.keep(each)
        for message in self.list_messages(NEW):
            yield self.handle(message.id)

    def keep(self, found: Found, *doubts: Why) -> int | None:
        """Store a message as it came and return its number, None if it is here already.

        With ``doubts`` it waits for the game master, if it is not left aside.
        """
        message = read_head(found.raw)
        now = self.game.now().astimezone(UTC)
        received = min(found.received or now, now)
        with self.file.writing("fetch"):
            if self.knows(message.key):
                return None
            return self.store.add(
                message.key,
                found.raw,
                origin=found.origin,
                received=zones.format_iso(received),
                fetched=zones.format_iso(now),
                sender=", ".join(message.senders),
                subject=message.subject,
                why=doubts,
            )

    def _parse_mail(self, raw: bytes, *powers: str) -> IncomingMail:
        """Read a message; texts that were sent to some powers lately count as quotation."""
        own = filter(None, (self.game.settings()["mail_address"],))
        sent = [text for power in powers if power for text in self.outbox.sent_texts(power)]
        return read_message(raw, own=tuple(own), sent=sent)

    # -- handling --------------------------------------------------------------------------------

    def handle(self, number: int) -> Message:
        """Decide on a new message, do what it asks for if it is taken, and return it.

        A message on which the program fails waits, so that those behind it come through.
        """
        try:
            self._handle_in_transaction(number)
        except Exception as error:
            # Whatever is wrong with us, a message must not be lost, nor keep others out.
            if isinstance(error, GameError) and error.code in _FILE_ERRORS:
                raise
            why = Why.of("waits-stumbled", why=f"{type(error).__name__}: {error}"[:200])
            with self.file.writing("fetch"):
                power = next(self._powers_of(self.find(number).sender), "")
                self._set(number, Verdict(WAITING, power, (why,)))
                if power:
                    self.store.set_phase(number, str(self.game.head().name))
        return self.find(number)

    def _handle_in_transaction(self, number: int) -> None:
        with self.file.writing("fetch"):
            row = self.find(number)
            if row.state != NEW:
                return  # another command was quicker
            raw = self.raw(number)
            message = self._parse_mail(raw, *self._powers_of(row.sender))
            verdict = judge_message(self.game, message, raw, zones.parse_iso(row.received))
            if row.why and verdict.state != ASIDE:
                verdict = verdict.doubted(*row.why)
            fault = self._find_fault(verdict, message)
            if fault:
                verdict = verdict.doubted(Why.of(fault))
                self._set_aside(row, message, verdict)
                self.store.set_phase(number, str(self.game.head().name))
            elif verdict.state == TAKEN:
                verdict = self._take_unless_overtaken(row, message, verdict)
            else:
                verdict = self._hold_if_ordering(message, verdict)
                verdict = self._ignore_if_private(message, verdict)
                self._set_aside(row, message, verdict)
                if verdict.state == WAITING and self._is_about_open_phase(row, message, verdict):
                    self.store.set_phase(number, str(self.game.head().name))
            self._set(number, verdict)

    def _hold_if_ordering(self, message: IncomingMail, verdict: Verdict) -> Verdict:
        """Return the verdict; a mail that only looks automatic waits if there are orders in it."""
        if verdict.state == ASIDE and verdict.power and "looks-automatic" in message.codes:
            read = self._read_orders(
                verdict.power, read_requests(message.text, self.game.base), message.name
            )
            if read and any(line.order for line in read.lines):
                return replace(verdict, state=WAITING, why=(Why.of("waits-automatic"),))
        return verdict

    def _find_fault(self, verdict: Verdict, message: IncomingMail) -> str:
        """Return why nothing can be read in a mail that would be taken; "" if something can.

        Orders that stand only in quoted text are answered: the answer says why they do not count.
        """
        fault = find_fault(message) if verdict.state == TAKEN else ""
        if fault != ONLY_QUOTATION or self.game.head().kind == OVER:
            return fault
        position = self.game.position(self.game.head().id)
        return "" if find_removed_orders(message.removed, position, verdict.power) else fault

    def _ignore_if_private(self, message: IncomingMail, verdict: Verdict) -> Verdict:
        """Return the verdict; a doubtful mail that has nothing to do with the game is left aside.

        It does not name the game, and nothing in it is like an order, a command or press.
        """
        signs = find_game_signs(self.game, message)
        is_standby = not STANDBY_REASONS.isdisjoint(why.code for why in verdict.why)
        if verdict.state != WAITING or signs.names_game or is_standby:
            return verdict
        if signs.powers and (message.codes & HALF_READ or not message.text):
            return verdict
        asked = read_requests(message.text, self.game.base)
        powers = (verdict.power,) if verdict.power else tuple(self.game.base.powers)
        if asked.commands or asked.press or any(self._read_orders(p, asked) for p in powers):
            return verdict
        code = "aside-private" if signs.powers else "aside-stranger"
        return Verdict(ASIDE, verdict.power, (Why.of(code),))

    def _is_about_open_phase(self, row: Message, message: IncomingMail, verdict: Verdict) -> bool:
        """Tell whether a doubtful mail may be a player's mail for the open phase.

        It has orders, or withdraws them.  A mail that answers a letter of another phase has to have
        come since the phase was opened.
        """
        if not verdict.power:
            return False
        codes = {why.code for why in verdict.why}
        if "waits-code-of-past" in codes and row.received < str(self.game.head().opened):
            return False
        if message.codes & HALF_READ:
            return True
        asked = read_requests(message.text, self.game.base)
        if any(command.kind == "clear" for command in asked.commands):
            return True
        read = self._read_orders(verdict.power, asked)
        if read is not None and SEVERAL_GAMES in codes:
            # Orders that fit only another game do not count here.
            return any(line.order and line.verdict in ("good", DOUBTFUL) for line in read.lines)
        return read is not None

    def _powers_of(self, sender: str) -> Iterator[str]:
        """Return the powers whose players have the address that a message is from."""
        addresses = sender.casefold().split(", ")
        for player in players.read_players(self.game):
            if player.writes_from(addresses):
                yield player.power

    def _set(self, number: int, verdict: Verdict) -> None:
        self.store.set_verdict(number, verdict.state, verdict.power, verdict.why)

    def _set_aside(self, row: Message, message: IncomingMail, verdict: Verdict) -> None:
        """Let a message wait, or leave it aside; tell the registered player if it waits."""
        if verdict.state == ASIDE:
            return
        with self.game.act("mail-wait", verdict.power) as note:
            note.detail |= {"message": row.id, "why": [why.code for why in verdict.why]}
        if message.kind != LIST:
            tell_that_mail_waits(self.outbox, row, verdict.power, verdict.why)

    def _tell_of_mail_still_waiting(self, powers: Collection[str]) -> None:
        """Tell players of the mails that wait for the open phase, if a note about another mail was
        withdrawn before it was sent."""
        reconcile(self.outbox)
        phase = str(self.game.head().name)
        for row in self.list_messages(WAITING):
            if row.phase == phase and row.power in powers:
                tell_that_mail_waits(self.outbox, row, row.power, row.why)

    # -- taking ----------------------------------------------------------------------------------

    def _take_unless_overtaken(
        self, row: Message, message: IncomingMail, verdict: Verdict
    ) -> Verdict:
        """Take a mail; if orders came that were sent after it, it waits instead."""
        asked = read_requests(message.text, self.game.base)
        read = self._read_orders(verdict.power, asked, message.name)
        clears = bool(find_scope(asked))
        last = self._last_sent(verdict.power)
        if (read is not None or clears) and last > row.received:
            doubted = verdict.doubted(Why.of("waits-overtaken", at=last))
            self._set_aside(row, message, doubted)
            self.store.set_phase(row.id, str(self.game.head().name))
            return doubted
        self._take(row, message, verdict.power, asked, read)
        return replace(verdict, why=tuple(_reasons_to_look(row, message, asked, read)))

    def _read_orders(self, power: str, asked: Requests, writer: str = "") -> Mail | None:
        """Return the orders of a mail as read; None if there is nothing like an order in it."""
        head = self.game.head()
        if head.kind == OVER or not asked.orders_text.strip():
            return None
        read = submissions.read_mail_for_phase(
            self.game, head, power, asked.orders_text, find_scope(asked), writer=writer
        )
        return read if any(line.verdict not in (PROSE, UNTAKEN) for line in read.lines) else None

    def _last_sent(self, power: str) -> str:
        """Return when the last mail came that counts for the open phase, "" if none did."""
        return self.store.last_submitted(int(self.game.head().id), power, (MAIL, CLEAR))

    def _take(
        self, row: Message, message: IncomingMail, power: str, asked: Requests, read: Mail | None
    ) -> None:
        """Do what a mail asks for, and draft the answer."""
        with self.game.act("mail", power) as note:
            # Not what is asked for: votes are secret.
            note.detail["message"] = row.id
            head = Letterhead(power, row.received, row.id, row.key)
            before = self.store.last_mail()
            letter = self._answering.answer(head, message, asked, read)
            mail = self.store.last_mail()
            phase = str(self.game.head().name)
            self.store.set_orders(row.id, phase, mail if mail != before else None)
            fault = self._find_fault(Verdict(TAKEN, power), message)
            if not fault and find_reachable_player(self.game, power):
                self.outbox.draft(LetterKey(ANSWER, power, answers=row.id), letter)

    # -- by hand ---------------------------------------------------------------------------------

    def accept(self, number: int, power: str = "", reason: str = "") -> Message:
        """Take a message that waits, for its own power or another.

        Raises:
            GameError: ``no-message``, ``message-taken``, ``accept-whose``, no-such-power.
        """
        asked_for = self.game.power(power) if power else ""
        with self.game.act("mail-accept", reason=reason) as note:
            row = self._find_undecided(number)
            whose = asked_for or row.power
            if not whose:
                raise GameError("accept-whose", number=str(number))
            note.power = whose
            note.detail["message"] = number
            message = self._parse_mail(self.raw(number), whose)
            player = find_reachable_player(self.game, whose)
            if player is None or not row.is_from(player.addresses):
                message = self._leave_writer_out(message, whose, row.sender)
            asked = read_requests(message.text, self.game.base)
            self._take(row, message, whose, asked, self._read_orders(whose, asked, message.name))
            self._set(number, Verdict(TAKEN, whose, row.why))
        self._tell_of_mail_still_waiting({row.power, whose})
        return self.find(number)

    def _leave_writer_out(self, message: IncomingMail, power: str, sender: str) -> IncomingMail:
        """Return a mail as the player may read it in whose name somebody else wrote it."""
        text = leave_writer_out(self.game, message.text, power, message.name, sender)
        return replace(message, text=text)

    def reject(self, numbers: Sequence[int], reason: str = "") -> tuple[Message, ...]:
        """Reject messages that wait; no player hears of it.

        Raises:
            GameError: ``no-message``, ``message-taken``.
        """
        with self.game.act("mail-reject", reason=reason) as note:
            for number in numbers:
                self._find_undecided(number)
                self.store.set_state(number, REJECTED)
            note.detail["messages"] = list(numbers)
        rejected = tuple(self.find(number) for number in numbers)
        self._tell_of_mail_still_waiting({message.power for message in rejected})
        return rejected

    def _find_undecided(self, number: int) -> Message:
        row = self.find(number)
        if row.state == TAKEN:
            raise GameError("message-taken", number=str(number))
        return row
