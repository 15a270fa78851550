"""What is done without the game master, and what a game waits for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from textwrap import indent
from typing import BinaryIO

from alexmagnum.errors import GameError
from alexmagnum.game.desk import Desk
from alexmagnum.game.inbox_store import InboxStore, Message, subject_prefix
from alexmagnum.game.letters import SENT, GmLetterStore, Mailing
from alexmagnum.game.people import LEFT_OUT, hides_names
from alexmagnum.game.records import Passage
from alexmagnum.i18n.dates import parse_iso, to_local
from alexmagnum.i18n.sentences import Sentences, load_sentences
from alexmagnum.mail.composition import (
    Letter,
    can_be_written_to,
    compose,
    encode_mail,
    make_message_id,
    plain_address,
)
from alexmagnum.mail.drafts import DraftedLetters, is_beginning, reminder_day
from alexmagnum.mail.inbox import Inbox
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.sending import Delivery
from alexmagnum.mail.transport import DeliveryUnknown, choose_carrier, hold_lock
from alexmagnum.mail.tray import answer_address, find_writer
from alexmagnum.report.document import wrap_text
from alexmagnum.workflow.changes import fetch_mail
from alexmagnum.workflow.materials import (
    mend_folder,
    send_automatic,
    update_letters,
    writes_letters,
)
from alexmagnum.workflow.publish import follow_with_site, process_phase
from alexmagnum.workflow.situation import (
    Situation,
    describe_passage,
    describe_phase,
    is_past_deadline,
    list_advice,
    list_other_mails,
    list_waits,
    name_phase,
    name_players,
    read_situation,
)

# Letters to the game master: what the game waits for, once a day for each situation, and what
# players said to them, once an hour.
#
# ``tick`` runs every few minutes, so a letter is written only when its situation has had none
# that day. A letter that cannot be sent is not kept, and the next tick writes another.


_BETWEEN_LETTERS = timedelta(hours=1)
"""The time between two rounds of letters with what players said."""

_SAID = "said"
"""What stands in the place of the situation of a letter with what a player said."""


def is_letter_due(desk: Desk, situation: Situation) -> bool:
    """Tell whether the settings want the game master to be written to about a situation."""
    settings = desk.settings
    if not settings["gm_address"] or settings["gm_letters"] == "no":
        return False
    news = settings["gm_letters"] == "all" and (situation.resolved or situation.other_mails)
    return situation.needs_game_master or bool(news)


def tell_game_master(desk: Desk, situation: Situation) -> bool:
    """Write to the game master about a situation, unless a letter of today says it already.

    Return whether a letter of today says it.
    """
    if not is_letter_due(desk, situation):
        return False
    store = GmLetterStore(desk.file)
    day = to_local(desk.now(), desk.settings["timezone"]).date().isoformat()
    digest = situation.digest(all_news=desk.settings["gm_letters"] == "all")
    letters = store.list_letters()
    if not any((one.day, one.situation) == (day, digest) for one in letters):
        mail, name = _compose(desk, situation), f"gm-{len(letters) + 1:04}.eml"
        _send(desk, mail, name, lambda address: store.add(day, digest, desk.stamp(), address, mail))
    return True


def tell_what_was_said(desk: Desk) -> None:
    """Send the game master what players said to them since the last such letter, an hour ago.

    Each player has a letter of their own, so that an answer to it reaches them; urgent ones go
    first.
    """
    settings, inbox = desk.settings, InboxStore(desk.file)
    new = [passage for passage in inbox.find_passages() if passage.letter is None]
    last = inbox.find_last_told()
    is_early = bool(last) and desk.now() < parse_iso(last) + _BETWEEN_LETTERS
    if not new or is_early or not settings["gm_address"] or settings["gm_letters"] == "no":
        return
    store, day = GmLetterStore(desk.file), desk.stamp()[:10]
    for power in dict.fromkeys(passage.power for passage in new):
        said = [passage for passage in new if passage.power == power]
        mail = _compose_what_was_said(desk, said)

        def add(address: str, mail: bytes = mail, said: Sequence[Passage] = said) -> int:
            number = store.add(day, _SAID, desk.stamp(), address, mail)
            inbox.note_told([passage.message for passage in said], number)
            return number

        _send(desk, mail, f"gm-{len(store.list_letters()) + 1:04}.eml", add)


def _compose_what_was_said(desk: Desk, said: Sequence[Passage]) -> bytes:
    """Write a letter with the words of one player, to which an answer reaches this player.

    In an anonymous game that is through the game: neither sees the other's address.
    """
    sentences, first = load_sentences(desk.lang), said[0]
    writer = find_writer(desk, first)
    can_answer = writer is not None and can_be_written_to(writer)
    hidden = hides_names(desk)
    address = ""
    if can_answer and writer is not None:
        address = answer_address(desk, first) if hidden else plain_address(writer.address)
    numbers = [passage.message for passage in said]
    foot = [sentences.format("gm-letter-answer" + "-hidden" * hidden)] if address else []
    about = {"number": numbers[0], "numbers": " ".join(map(str, numbers))}
    foot.append(sentences.format("gm-letter-commands", **about))
    words = [describe_passage(passage, desk, sentences) for passage in said]
    if LEFT_OUT in str(words):
        foot.append(sentences.format("gm-letter-left-out", **about))
    paragraphs = [
        sentences.format("gm-letter-game", game=desk.name),
        *("\n".join([head, *(indent(part, "  ") for part in parts)]) for head, *parts in words),
        *map(wrap_text, foot),
    ]
    code = "gm-letter-for-you" + "-urgent" * any(passage.urgent for passage in said)
    subject = sentences.format(code, who=name_players([first.power], desk, sentences))
    return _encode(desk, subject, "\n\n".join(paragraphs) + "\n", reply_to=address)


def _send(desk: Desk, mail: bytes, name: str, add: Callable[[str], int]) -> None:
    """Send a letter to the game master; ``add`` stores it when the other side may have it.

    One that may have been sent is never sent again; one that was refused is not kept.
    """
    address, numbers = desk.settings["gm_address"], list[int]()

    def seal() -> None:
        with desk.file.writing("tick"):
            numbers.append(add(address))

    with hold_lock(desk.folder, "send"):
        carrier = choose_carrier(desk.folder, desk.settings)
        try:
            carrier.carry(name, mail, desk.settings["mail_address"] or address, address, seal)
        except DeliveryUnknown:
            raise
        except GameError:
            with desk.file.writing("tick"):
                for number in numbers:
                    desk.file.change("UPDATE passages SET letter = NULL WHERE letter = ?", number)
                    desk.file.delete("gm_letters", "id = ?", number)
            raise
        finally:
            carrier.close()
    with desk.act("gm-letter") as note:
        note.detail["letter"] = numbers[0]
        desk.file.update("gm_letters", numbers[0], state=SENT, sent=desk.stamp())


def _compose(desk: Desk, situation: Situation) -> bytes:
    sentences = load_sentences(desk.lang)
    return _encode(desk, _subject(situation, sentences), _write_text(desk, situation, sentences))


def _encode(desk: Desk, subject: str, text: str, reply_to: str = "") -> bytes:
    settings = desk.settings
    sender = settings["mail_address"] or settings["gm_address"]
    letter = Letter(
        subject=f"{subject_prefix(desk)} {subject}",
        text=text,
        lang=desk.lang,
        reply_to=reply_to,
        to=settings["gm_address"],
        sender_name=settings["mail_name"] or str(desk.name),
        sender=sender,
        message_id=make_message_id("gm", desk.entropy(16), sender.partition("@")[2]),
        date=to_local(desk.now(), settings["timezone"]),
    )
    return encode_mail(compose(letter))


def _subject(situation: Situation, sentences: Sentences) -> str:
    if situation.failures or situation.stuck or situation.returned:
        return sentences.format("gm-letter-failed")
    if situation.is_past or situation.mails:
        return sentences.format("gm-letter-waits")
    return sentences.format("gm-letter-news")


def _write_text(desk: Desk, situation: Situation, sentences: Sentences) -> str:
    failures = [sentences.error(failure) for failure in situation.failures]
    waits = list_waits(situation, desk, sentences)
    parts = [
        [sentences.format("gm-letter-game", game=desk.name)],
        [
            sentences.format("situation-resolved", phase=name_phase(phase, desk, sentences))
            for phase in situation.resolved
        ],
        [describe_phase(situation, desk, sentences)],
        [f"- {line}" for line in (*waits, *failures)],
        [f"- {line}" for line in list_other_mails(situation, desk, sentences)],
        list_advice(situation, sentences),
        [sentences.format("gm-letter-foot")],
    ]
    return "\n".join(
        "".join(f"{wrap_text(line, rest=_indent(line))}\n" for line in part)
        for part in parts
        if part
    )


def _indent(line: str) -> str:
    """Return the indent of the second line of a paragraph: that of an item of a list, or none."""
    return "  " if line.startswith("- ") else ""


# The tick: everything that can be done without the game master, for cron.


@dataclass(frozen=True, slots=True)
class PhaseProcessed:
    """The tick resolved a phase, because its deadline is past."""

    phase: str


Event = Message | PhaseProcessed | Mailing | Delivery
"""A thing a tick did: fetched a message, processed a phase, drafted or sent a letter."""


@dataclass(frozen=True, slots=True)
class CommonFetch:
    """The work done for several games together before the tick of each.

    ``has_fetched``: the mail of the game is here, so that its tick fetches none.
    ``messages`` are the new ones of this game as they were handled.  ``failures`` are those of the
    fetch: while there are any, no phase is resolved, because orders
    may lie in a mailbox that could not be read.  ``news`` are failures that this game's letter
    tells the game master about, those of other games among them.
    """

    has_fetched: bool = False
    messages: tuple[Message, ...] = ()
    failures: tuple[GameError, ...] = ()
    news: tuple[GameError, ...] = ()


_ALONE = CommonFetch()


@dataclass(frozen=True, slots=True)
class Tick:
    """The events of one tick in order, its failures, and what the game waits for afterwards.

    ``processes``: it was asked to resolve the phase.  ``told``: a letter of today tells the game
    master about this situation.
    """

    events: tuple[Event, ...]
    failures: tuple[GameError, ...]
    situation: Situation
    processes: bool = False
    told: bool = False

    @property
    def has_failed(self) -> bool:
        """Tell whether something failed, or an overdue phase is held back."""
        unsent = any(isinstance(e, Delivery) and e.state != SENT for e in self.events)
        return bool(self.failures) or unsent or (self.processes and self.situation.is_stalled)

    @property
    def waits(self) -> bool:
        """Tell whether there is something to say about what the game waits for.

        After the deadline there is as long as the phase is open; before it, doubtful mails and
        letters that did not go or came back are named by the ticks that do something.
        """
        situation = self.situation
        doubts = situation.mails or situation.stuck or situation.returned or situation.bots
        return situation.is_past or bool(self.events and doubts)


def run_tick(
    desk: Desk,
    sources: Sequence[str],
    stdin: BinaryIO,
    *,
    processes: bool = False,
    common: CommonFetch = _ALONE,
) -> Tick:
    """Do what the clock asks for: fetch and answer mail, process, draft letters, send them.

    A step that fails keeps none of the others from being taken.  The phase is resolved only if
    ``processes``, once its deadline is past and nothing asks for the game master.  What the game
    waits for then is in the result, and in a letter to the game master if the settings ask for it.
    ``common`` is what was done before for several games.
    """
    with hold_lock(desk.folder, "tick"):
        turn = _Turn(desk)
        with turn.step():
            if common.has_fetched:
                turn.events += common.messages
            elif sources or desk.settings["imap_server"]:
                fetched = fetch_mail(desk, sources, stdin)
                turn.events += fetched.messages
                turn.failures += fetched.faults
            else:  # what an interrupted fetch left
                turn.events += Inbox(desk).fetch(())
        with turn.step():
            desk.ask_bots()  # those that an interrupted command did not ask
        # Orders may lie in a mailbox that could not be read.
        if processes and not (turn.failures or common.failures):
            with turn.step():
                turn.process()
        if not turn.failures:
            with turn.step():
                mend_folder(desk)
        with turn.step():
            update = follow_with_site(desk)
            if update is not None and update.failure is not None:
                raise update.failure
        if writes_letters(desk):
            with turn.step():
                opening = desk.settings["announcements"] != "no" and is_beginning(desk)
                turn.note(update_letters(desk, opening=opening, day=reminder_day(desk)))
            with turn.step():
                deliveries, unsent = send_automatic(desk)
                turn.events += deliveries
                turn.failures += [unsent] if unsent is not None else []
        return turn.finish(common.news, processes=processes)


@dataclass(slots=True)
class _Turn:
    """A tick while it is at work: what it did, and what failed."""

    desk: Desk
    events: list[Event] = field(default_factory=list)
    failures: list[GameError] = field(default_factory=list)

    @contextmanager
    def step(self) -> Iterator[None]:
        """Note what fails in a step; the next step is taken all the same."""
        try:
            yield
        except GameError as error:
            self.failures.append(error)
        except Exception as error:
            # Whatever is wrong with us or the computer, the game master has to hear of it.
            why = f"{type(error).__name__}: {error}"[:200]
            self.failures.append(GameError("tick-stumbled", why=why))

    def note(self, made: DraftedLetters) -> None:
        box = Outbox(self.desk)
        self.events += [box.find(number) for number in made.drafted]

    def process(self) -> None:
        """Resolve the open phase, if its deadline is past and nothing asks for the game master."""
        desk = self.desk
        if is_past_deadline(desk) and not read_situation(desk).is_held:
            phase = str(desk.phase)
            try:
                _, published = process_phase(desk, phase, reason="tick", sends=False)
            finally:
                if str(desk.phase) != phase:
                    self.events.append(PhaseProcessed(phase))
            self.note(published.letters)

    def finish(self, news: Sequence[GameError], *, processes: bool) -> Tick:
        """Tell the game master what the game waits for, and return what the tick did."""
        resolved = [event.phase for event in self.events if isinstance(event, PhaseProcessed)]
        failures = (*self.failures, *news)
        situation = read_situation(self.desk, failures, resolved, processes=processes)
        known, told = {failure.code for failure in self.failures}, False
        try:
            told = tell_game_master(self.desk, situation)
        except GameError as error:
            if error.code not in known:  # else no other letter could be sent either
                self.failures.append(error)
                known.add(error.code)
        try:
            tell_what_was_said(self.desk)
        except GameError as error:
            if error.code not in known:
                self.failures.append(error)
        return Tick(tuple(self.events), tuple(self.failures), situation, processes, told)
