"""The inbox: mail fetched, its sender identified, and what happens to it decided."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from email.parser import BytesHeaderParser
from email.policy import compat32
from itertools import count
from typing import BinaryIO

from alexmagnum.errors import GameError
from alexmagnum.game import submissions
from alexmagnum.game.game import DOUBTFUL, PROSE, UNTAKEN, Game, Player
from alexmagnum.game.inbox_store import (
    ASIDE,
    BOUNCED,
    NEW,
    REJECTED,
    TAKEN,
    WAITING,
    Code,
    InboxStore,
    Message,
    Why,
    find_codes,
    game_slug,
    is_code,
)
from alexmagnum.game.letters import (
    ANSWER,
    DROPPED,
    INVITATION,
    SENDING,
    SENT,
    UNCERTAIN,
    WARNING,
    LetterKey,
    OutboxStore,
)
from alexmagnum.game.mail_orders import Mail
from alexmagnum.game.orders import CLEAR, MAIL
from alexmagnum.game.people import (
    find_person_before,
    find_power_of_act,
    find_standby_at,
    hides_names,
    leave_writer_out,
    read_players,
)
from alexmagnum.game.records import OVER
from alexmagnum.i18n.dates import format_iso, parse_iso, to_local
from alexmagnum.i18n.sentences import Sentences, load_sentences
from alexmagnum.mail.answers import Answering, Letterhead, find_scope, last_phase
from alexmagnum.mail.composition import Letter
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.parsing.commands import (
    BOUNCE,
    LIST,
    PERSON,
    Requests,
    find_removed_orders,
    read_requests,
)
from alexmagnum.mail.parsing.message import (
    FAULTS,
    ONLY_QUOTATION,
    IncomingMail,
    find_fault,
    read_head,
    read_message,
)
from alexmagnum.mail.parsing.mime import remove_tag, to_one_line
from alexmagnum.mail.sending import reconcile
from alexmagnum.mail.transport import Found, read_account, read_mailbox, read_source
from alexmagnum.notation.names import power_name
from alexmagnum.report.document import wrap_text

# The signs by which a mail belongs to a game: a code, a tag, its thread, its sender.
#
# Every letter of a game has its tag in the subject (``[AM-perdicca]``) and in the address for
# answers (``gm+perdicca-7h2k9mqx@example.org``).


_SUBJECT_TAG = re.compile(r"\[AM-([a-z0-9-]+)\]", re.IGNORECASE)


SEVERAL_GAMES = "waits-several-games"
"""Why a mail waits that could be meant for several games."""


def question_key(game: Game, power: str) -> LetterKey:
    """Return the key of the letter that asks a player for which game a mail was meant."""
    return LetterKey(WARNING, power, phase=str(game.head().name), times=1)


@dataclass(frozen=True, slots=True)
class GameSigns:
    """The signs in a mail for one game.

    ``codes`` are the game's codes in it; ``tagged``: it has the game's tag; ``other_tag`` is a tag
    of another game, "" if there is none; ``answers``: it answers a letter of the game; ``powers``
    are those whose players have the address that it is from.
    """

    codes: tuple[Code, ...]
    tagged: bool
    other_tag: str
    answers: bool
    powers: tuple[str, ...]

    @property
    def names_game(self) -> bool:
        """Tell whether the mail itself names the game, whoever sent it."""
        return bool(self.codes) or self.tagged or self.answers

    @property
    def names_other(self) -> bool:
        """Tell whether the mail names another game and not this one."""
        return bool(self.other_tag) and not self.names_game


def find_game_signs(game: Game, message: IncomingMail) -> GameSigns:
    """Return the signs in a mail for a game."""
    own = game_slug(game)
    tags = tuple(_find_tags(message, game.settings["mail_address"]))
    return GameSigns(
        codes=find_codes(game, (message.subject, *message.to)),
        tagged=own in tags,
        other_tag=next((tag for tag in tags if tag != own), ""),
        answers=OutboxStore(game.file).is_referred_to(message.references),
        powers=find_powers_at(game, message),
    )


def _find_tags(message: IncomingMail, address: str) -> Iterator[str]:
    yield from (tag.casefold() for tag in _SUBJECT_TAG.findall(message.subject))
    for to in message.to:
        tag = to.partition("@")[0].partition("+")[2]
        name, _, code = tag.rpartition("-")
        if name and is_code(code) and remove_tag(to) == address.casefold():
            yield name


def find_powers_at(game: Game, message: IncomingMail) -> tuple[str, ...]:
    """Return the powers whose players have the address that a message is from."""
    senders = {address.casefold() for address in message.senders}
    return tuple(player.power for player in read_players(game) if player.writes_from(senders))


def find_reason_to_ignore(
    game: Game, message: IncomingMail, signs: GameSigns, raw: bytes
) -> Why | None:
    """Return why a person's mail is none of the game's business, None if it may be.

    It names another game, or a spam filter has marked it, or the game master wrote it.
    """
    if signs.names_other:
        return Why.of("aside-other-game", tag=signs.other_tag)
    if is_marked_as_spam(raw) and not signs.names_game:
        return Why.of("aside-spam")
    address = game.settings["gm_address"].casefold()
    is_from_master = bool(address) and message.senders == (address,)
    if is_from_master and not signs.powers and not signs.codes:
        return Why.of("aside-gm")
    return None


_SPAM_FIELDS = ("X-Spam-Flag", "X-Spam-Status", "X-Spam", "X-Spam-Result")


def is_marked_as_spam(raw: bytes) -> bool:
    """Tell whether a spam filter on the way has marked a mail as spam."""
    fields = BytesHeaderParser(policy=compat32).parsebytes(raw[: 1 << 16])
    marks = (str(fields.get(name, "")).strip().casefold() for name in _SPAM_FIELDS)
    return any(mark.startswith(("yes", "true", "spam")) for mark in marks)


# Notes that tell a player that a mail in their name waits for the game master.
#
# A note says only where the mail is from, or why nothing can be read in it, and carries the code: a
# player who wrote that mail has only to answer.


_REASONS_UNTOLD = frozenset({"waits-too-many", "waits-list", "waits-stumbled", "waits-automatic"})
"""Reasons to wait that the player does not hear of."""

_MOST_NOTES = 3
"""The most notes a player gets in a phase: mails in their name may come from many addresses."""


def find_reachable_player(game: Game, power: str) -> Player | None:
    """Return the player of a power; None if there is no address to write to or from."""
    if not game.settings["mail_address"]:
        return None
    return next((p for p in read_players(game) if p.power == power and p.address), None)


def tell_that_mail_waits(outbox: Outbox, row: Message, power: str, why: tuple[Why, ...]) -> None:
    """Draft a note to the registered player about a mail that waits, if they are to hear of it.

    A note that says the same is drafted once a phase.
    """
    codes = {reason.code for reason in why}
    player = find_reachable_player(outbox.game, power)
    silent = _REASONS_UNTOLD & codes or outbox.game.settings["waiting_note"] == "no"
    if silent or player is None:
        return
    games = [reason.data["games"] for reason in why if reason.code == SEVERAL_GAMES]
    if games:
        _ask_which_game(outbox, player, row, games[0])
    else:
        _warn(outbox, player, row, next((code for code in FAULTS if code in codes), ""))


def _ask_which_game(outbox: Outbox, player: Player, row: Message, games: str) -> None:
    """Ask a player, once a phase, whether a mail was meant for this game or another.

    The letter carries the code of this game, so that an answer to it says for which one it is.
    """
    sentences = _load_sentences(outbox, player)
    said = sentences.format("which-game-text", games=games, game=outbox.game.name)
    letter = _compose(outbox, sentences, "subject-which-game", said)
    key = question_key(outbox.game, player.power)
    known = outbox.by_key(key)
    if known is not None and known.state == DROPPED and known.problem is not None:
        outbox.store.set_grounds(known.id, {**known.grounds, "waiting": str(row.id)})
        outbox.bring_back([known])
    else:
        outbox.draft(key, replace(letter, about_message=row.id))


def _warn(outbox: Outbox, player: Player, row: Message, fault: str) -> None:
    """Warn a player that a mail in their name waits; ``fault``: why it cannot be read."""
    sentences = _load_sentences(outbox, player)
    if fault:
        said = sentences.format("waiting-unread-text", why=sentences.format(fault))
    else:
        # An address that is not this player's may be another player's.
        own = all(player.writes_from([each]) for each in row.sender.casefold().split(", "))
        secret = hides_names(outbox.game) and not own
        code = "waiting-text-hidden" if secret else "waiting-text"
        said = sentences.format(code, sender=row.sender or "?")
    letter = _compose(outbox, sentences, "subject-waiting", said)
    key = _find_free_key(outbox, player.power, letter.text)
    if key is not None:
        outbox.draft(key, replace(letter, about_message=row.id))


def _find_free_key(outbox: Outbox, power: str, text: str) -> LetterKey | None:
    """Return the key for a further note in the open phase, None if the player needs none.

    Dropped notes do not count: the player has not read them.
    """
    first, notes = LetterKey(WARNING, power, phase=str(outbox.game.head().name)), 0
    for key in (replace(first, times=times) for times in count()):
        if key == question_key(outbox.game, power):
            continue
        known = outbox.by_key(key)
        if known is None:
            return key
        if known.state != DROPPED:
            notes += 1
            if notes == _MOST_NOTES or outbox.text(known).split() == text.split():
                return None
    return None


def _compose(outbox: Outbox, sentences: Sentences, subject: str, said: str) -> Letter:
    return Letter(
        sentences.format(subject),
        f"{wrap_text(said)}\n",
        about=last_phase(outbox.game),
        lang=sentences.lang,
    )


def _load_sentences(outbox: Outbox, player: Player) -> Sentences:
    return load_sentences(player.lang or outbox.game.settings["lang"])


# Reasons in words: why a mail waits, or was set aside.


def format_why(why: Why, game: Game, sentences: Sentences) -> str:
    """Return a reason in words, with names of powers and times in the game's time zone."""
    data = {name: to_one_line(str(value)) for name, value in why.data.items()}
    if "at" in data:
        local = to_local(parse_iso(data["at"]), game.settings["timezone"])
        data["at"] = local.strftime("%Y-%m-%d %H:%M")
    if "powers" in data:
        named = [power_name(game.base, power, sentences) for power in data["powers"].split(", ")]
        data["powers"] = ", ".join(named)
    return sentences.format(why.code, **data)


# Mails of people on the standby list: each waits for the game master, who alone decides.


STANDBY_REASONS = frozenset({"waits-standby", "waits-invited"})
"""Reasons to wait of a mail from the standby list."""


def find_standby_reason(game: Game, message: IncomingMail) -> Why | None:
    """Return why a mail of somebody on the standby list waits; None for a mail of anybody else."""
    people = find_standby_at(game, [address.casefold() for address in message.senders])
    if not people:
        return None
    person = people[0]
    powers = ", ".join(find_invited_powers(game, person.id))
    about = {"number": str(person.id), "name": person.name}
    return (
        Why.of("waits-invited", **about, powers=powers)
        if powers
        else Why.of("waits-standby", **about)
    )


def find_invited_powers(game: Game, number: int) -> tuple[str, ...]:
    """Return the powers that somebody on the standby list was invited to take over."""
    sent = OutboxStore(game.file).find_all((SENDING, SENT, UNCERTAIN))
    acts = [
        mailing.key.act or 0
        for mailing in sent
        if mailing.key.occasion == INVITATION and mailing.key.standby == number
    ]
    return tuple(dict.fromkeys(find_power_of_act(game, act) for act in acts))


# The author of a mail, and the decision whether that is certain enough to take it.
#
# A mail is taken if it comes from the registered address of a player *and* brings the code of the
# open phase (or answers a mail that did). On any doubt it waits for the game master, with the
# reasons.


@dataclass(frozen=True, slots=True)
class Verdict:
    """The decision about a message: ``state`` is taken, waiting or aside.

    ``power`` is the power whose player seems to have written it, "" if nothing says so.
    """

    state: str
    power: str = ""
    why: tuple[Why, ...] = ()

    def doubted(self, *why: Why) -> Verdict:
        """Return the same verdict, but the message waits for further reasons."""
        return replace(self, state=WAITING, why=(*self.why, *why))


def judge_message(game: Game, message: IncomingMail, raw: bytes, received: datetime) -> Verdict:
    """Return the verdict on a message that came in at a time."""
    if message.kind == BOUNCE:
        return _judge_bounce(game, message)
    signs = find_game_signs(game, message)
    powers, codes = signs.powers, signs.codes
    if message.kind != PERSON and not (message.kind == LIST and powers):
        return Verdict(
            ASIDE, powers[0] if len(powers) == 1 else "", (Why.of(f"aside-{message.kind}"),)
        )
    ignored = find_reason_to_ignore(game, message, signs, raw)
    if ignored is not None:
        return Verdict(ASIDE, why=(ignored,))
    standby = None if powers or codes else find_standby_reason(game, message)
    if standby is not None:
        return Verdict(WAITING, why=(standby,))
    power = _power(powers, codes)
    doubts = [
        *_doubts_of_sender(game, message, powers, power, codes),
        *_doubts_of_code(game, message, power, codes),
        *_doubts_of_form(message),
        *_doubts_of_server(raw),
        *_doubts_of_number(game, power, received),
    ]
    if doubts:  # by itself it is no doubt: the answer goes to the registered address
        doubts += _doubts_of_reply_to(game, message)
    return Verdict(WAITING if doubts else TAKEN, power, tuple(doubts))


def _judge_bounce(game: Game, message: IncomingMail) -> Verdict:
    """Return the verdict on a notice that a mail could not be delivered, to some address."""
    failed = {address.casefold() for address in message.bounced}
    powers = [player.power for player in read_players(game) if player.writes_from(failed)]
    late = next((note.data for note in message.notes if note.code == "delivery-delayed"), None)
    if late and not failed:
        return Verdict(ASIDE, why=(Why("aside-delayed", late),))
    why = Why.of(BOUNCED, addresses=", ".join(message.bounced) or "?")
    return Verdict(ASIDE, powers[0] if len(powers) == 1 else "", (why,))


def _power(powers: tuple[str, ...], codes: tuple[Code, ...]) -> str:
    if len(powers) == 1:
        return powers[0]
    named = {code.power for code in codes if not powers or code.power in powers}
    return named.pop() if len(named) == 1 else ""


# -- doubts ----------------------------------------------------------------------------------------


def _doubts_of_sender(
    game: Game, message: IncomingMail, powers: tuple[str, ...], power: str, codes: tuple[Code, ...]
) -> Iterator[Why]:
    if message.kind == LIST:
        yield Why.of("waits-list")
    if not message.senders:
        yield Why.of("waits-no-sender")
    elif len(message.senders) > 1 or "from-several" in message.codes:
        yield Why.of("waits-several-senders", addresses=", ".join(message.senders))
    elif not powers:
        yield _doubt_stranger(game, message.senders[0], has_code=bool(codes))
    elif not power:
        yield Why.of("waits-several-powers", powers=", ".join(powers))
    if "address-in-name" in message.codes:
        yield Why.of("waits-address-in-name", name=message.name)


def _doubt_stranger(game: Game, address: str, *, has_code: bool) -> Why:
    """Return the doubt about a mail from an address of no player: it may be of somebody who is
    back, whose power a bot plays."""
    bots = {player.power for player in read_players(game) if player.is_bot}
    for past in reversed(read_players(game, past=True) if bots else ()):
        if past.power in bots and past.writes_from({address.casefold()}):
            data = {"address": address, "powers": past.power, "id": past.power}
            if find_person_before(game, past.power).writes_from({address.casefold()}):
                return Why.of("waits-before-bot", **data)
            return Why.of("waits-before-others", **data, name=past.name, own=past.address)
    code = "waits-other-address" if has_code else "waits-unknown-address"
    return Why.of(code, address=address)


def _doubts_of_reply_to(game: Game, message: IncomingMail) -> Iterator[Why]:
    """Return the doubt about a mail that asks for answers to another address."""
    known = (*message.senders, "", game.settings["mail_address"].casefold())
    if remove_tag(message.reply_to) not in map(remove_tag, known):
        yield Why.of("waits-reply-to", address=message.reply_to)


def _doubts_of_code(
    game: Game, message: IncomingMail, power: str, codes: tuple[Code, ...]
) -> Iterator[Why]:
    if not power:
        return
    foreign = [code.power for code in codes if code.power != power]
    if foreign:
        yield Why.of("waits-code-of-other", powers=", ".join(dict.fromkeys(foreign)))
    head = game.head()
    now = Code(power, str(head.name))
    own = [
        *(code for code in codes if code.power == power),
        *_find_answered_codes(game, message, power),
    ]
    if now in own or (own and head.is_over):  # once the game is over any code tells who it is
        return
    if own:
        yield Why.of("waits-code-of-past", asked=own[-1].phase, current=now.phase)
    elif not foreign and game.settings["code_needed"] == "yes":
        yield Why.of("waits-no-code")


def _find_answered_codes(game: Game, message: IncomingMail, power: str) -> list[Code]:
    """Return the codes of the mails that a message answers.

    Mails to the power have names that nobody can guess.
    """
    phases = OutboxStore(game.file).phases_referred_to(power, message.references)
    return [Code(power, phase) for phase in phases]


HALF_READ = frozenset({"too-large", "too-many-parts", "unreadable"})
"""Notes on a mail that was not read as a whole."""


def _doubts_of_form(message: IncomingMail) -> Iterator[Why]:
    """Return the doubt about a mail that was not read as a whole: its end may say otherwise."""
    if message.codes & HALF_READ:
        yield Why.of("waits-half-read")


_RESULT = re.compile(r"\b(dmarc|dkim|spf)\s*=\s*(\w+)")


def _doubts_of_server(raw: bytes) -> Iterator[Why]:
    """Return the doubt that our own mail server notes about the sender, on top of other fields.

    It is a hint in one direction only: a pass proves nothing, because anybody can write one.
    """
    fields = BytesHeaderParser(policy=compat32).parsebytes(raw[: 1 << 16])
    told = str(fields.get("Authentication-Results", ""))
    results: dict[str, set[str]] = {}
    for method, result in _RESULT.findall(told.casefold()):
        results.setdefault(method, set()).add(result)
    good = "pass" in results.get("dkim", ()) or "pass" in results.get("dmarc", ())
    if "fail" in results.get("dmarc", ()) or ("fail" in results.get("spf", ()) and not good):
        said = ", ".join(f"{method}={'/'.join(sorted(found))}" for method, found in results.items())
        yield Why.of("waits-forged", results=said)


def _doubts_of_number(game: Game, power: str, received: datetime) -> Iterator[Why]:
    """Return the doubt about too many mails: it stops two programs that answer each other."""
    most = int(game.settings["mails_an_hour"])
    begin = format_iso(received - timedelta(hours=1))
    count = InboxStore(game.file).count_taken(power, begin, format_iso(received)) if power else 0
    if power and count >= most:
        yield Why.of("waits-too-many", count=str(count))


# The inbox: every message is stored as it came, then handled, once.
#
# Storing and handling are two transactions. A program that is killed between them leaves a
# message ``new``, and the next fetch handles it; a program killed during the second leaves
# nothing of it.


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
        """Return a message by its number."""
        return self.store.find(number)

    def read(self, number: int) -> IncomingMail:
        """Return a message as the program reads it."""
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
        begun = parse_iso(self.game.info.created) - timedelta(days=1)
        last = parse_iso(at) - _LATE if at else begun
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
                received=format_iso(received),
                fetched=format_iso(now),
                sender=", ".join(message.senders),
                subject=message.subject,
                why=doubts,
            )

    def _parse_mail(self, raw: bytes, *powers: str) -> IncomingMail:
        """Read a message; texts that were sent to some powers lately count as quotation."""
        own = filter(None, (self.game.settings["mail_address"],))
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
            verdict = judge_message(self.game, message, raw, parse_iso(row.received))
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
        position = self.game.position
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
        addresses = sender.casefold().split(", ")
        for player in read_players(self.game):
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
        """Take a message that waits, for its own power or another."""
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
        """Reject messages that wait; no player hears of it."""
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


# Fetching mail from several sources: a source that fails does not stop the others.


_FIRST_DAY = date(1990, 1, 1)
"""A day before any mail of a game."""


class Fetching:
    """One fetch: ``found`` counts the messages seen, ``faults`` are the errors of sources."""

    def __init__(self, inbox: Inbox, stdin: BinaryIO) -> None:
        self.inbox = inbox
        self.stdin = stdin
        self.found = 0
        self.faults: list[GameError] = []

    def fetch(self, places: Sequence[str] = (), *, whole: bool = False) -> Iterator[Message]:
        """Store and handle what is new in some places; yield each message as it is afterwards.

        Without places the game's mailbox is read, with ``whole`` all of it, not only what may have
        come since the last fetch.
        """
        yield from self.inbox.fetch(self._all(places, whole))

    def _all(self, places: Sequence[str], whole: bool) -> Iterator[Found]:
        for source in [self._place(p) for p in places] or [self._mailbox(whole)]:
            try:
                for found in source:
                    self.found += 1
                    yield found
            except GameError as error:
                self.faults.append(error)

    def _place(self, place: str) -> Iterator[Found]:
        return read_source(place, self.stdin)

    def _mailbox(self, whole: bool) -> Iterator[Found]:
        since = _FIRST_DAY if whole else self.inbox.since()
        account = read_account(self.inbox.game.settings)
        yield from read_mailbox(account, since, self.inbox.knows)
