"""What is done without the game master, in one game or in all games of a folder, the letters that
tell them what a game waits for, and the commands that they send by mail.

A folder of games has a game in each of its subfolders.  Games that read the same mailbox have it
fetched once, and each mail goes to its game.  A game that is broken, or locked by another command,
stops none of the others.  A copy of a game would answer the same mail: it is left alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import indent
from typing import BinaryIO, TypeVar

from alexmagnum.errors import AlexMagnumError, GameError
from alexmagnum.files import write_whole
from alexmagnum.game.copies import follow_with_second_place, rebuild_file
from alexmagnum.game.deadlines import is_past_deadline, read_clock
from alexmagnum.game.desk import Desk
from alexmagnum.game.file import is_game_folder
from alexmagnum.game.game import Player
from alexmagnum.game.mail_sections import read_phase
from alexmagnum.game.mail_store import (
    ASIDE,
    SENDING,
    SENT,
    InboxStore,
    Mailing,
    Message,
    Why,
    list_codes,
    subject_prefix,
)
from alexmagnum.game.people import (
    LEFT_OUT,
    check_text_for_names,
    find_standby,
    hides_names,
    read_person,
)
from alexmagnum.game.records import GmLetterRow, Passage
from alexmagnum.i18n.dates import format_instant, format_iso, parse_iso, to_local
from alexmagnum.i18n.sentences import Sentences, load_sentences
from alexmagnum.mail.composition import (
    Letter,
    can_be_written_to,
    compose,
    encode_mail,
    make_message_id,
    parse_mail,
    plain_address,
    read_text,
)
from alexmagnum.mail.drafts import is_beginning, reminder_day
from alexmagnum.mail.inbox import COMMANDS, Inbox
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.parsing.commands import CONFIRM, REPLY, MasterCommand, read_master_commands
from alexmagnum.mail.parsing.message import read_message
from alexmagnum.mail.parsing.mime import fold_phrase, load_vocabulary, to_one_line
from alexmagnum.mail.parsing.passages import Words
from alexmagnum.mail.sending import Delivery
from alexmagnum.mail.shared_mailbox import SharedMailbox, settle_mails_of_several_games
from alexmagnum.mail.transport import (
    Account,
    DeliveryUnknown,
    choose_carrier,
    hold_lock,
    read_account,
    read_source,
)
from alexmagnum.mail.tray import (
    answer_address,
    answer_passage,
    find_master_codes,
    find_passage,
    find_writer,
    master_address,
    master_tag,
)
from alexmagnum.notation.names import power_name
from alexmagnum.report.document import wrap_text
from alexmagnum.report.words import format_clock, phase_name
from alexmagnum.workflow.changes import (
    extend_deadline,
    fetch_mail,
    read_extension,
    replace_by_standby,
)
from alexmagnum.workflow.materials import (
    mend_folder,
    open_outbox,
    remind,
    send_automatic,
    send_letters,
    update_letters,
    writes_letters,
)
from alexmagnum.workflow.publish import follow_with_site, process_phase
from alexmagnum.workflow.situation import (
    Situation,
    describe_passage,
    describe_phase,
    list_advice,
    list_holds,
    list_other_mails,
    list_waits,
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
"""Stands for the situation in the row of a letter with words of a player."""


def tell_game_master(desk: Desk, situation: Situation) -> bool:
    """Write to the game master about a situation, if the settings want it, unless a letter of today
    says it already.

    Return whether a letter of today says it.
    """
    settings = desk.settings
    news = settings["gm_letters"] == "all" and (situation.resolved or situation.other_mails)
    if not settings["gm_address"] or settings["gm_letters"] == "no":
        return False
    if not (situation.needs_game_master or news):
        return False
    day = to_local(desk.now(), settings["timezone"]).date().isoformat()
    digest = situation.digest(all_news=settings["gm_letters"] == "all")
    letters = desk.file.select(GmLetterRow)
    if not any((one.day, one.situation) == (day, digest) for one in letters):
        _send(desk, digest, _compose(desk, situation))
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
    for power in dict.fromkeys(passage.power for passage in new):
        said = [passage for passage in new if passage.power == power]
        mail, numbers = _compose_what_was_said(desk, said), [one.message for one in said]
        _send(desk, _SAID, mail, numbers)


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
    how = "gm-letter-answer-hidden" if hidden else "gm-letter-answer"
    foot = [sentences.format(how)] if address else []
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
    is_urgent = any(passage.urgent for passage in said)
    code = "gm-letter-for-you-urgent" if is_urgent else "gm-letter-for-you"
    subject = sentences.format(code, who=name_players([first.power], desk, sentences))
    return _encode(desk, subject, "\n\n".join(paragraphs) + "\n", reply_to=address)


def _send(desk: Desk, situation: str, mail: bytes, said: Sequence[int] = ()) -> None:
    """Send a letter to the game master, and store it when the other side may have it.

    ``situation`` is what it tells of, ``said`` are the mails whose words it tells.

    One that may have been sent is never sent again; one that was refused is not kept.
    """
    numbers, inbox = list[int](), InboxStore(desk.file)
    day = to_local(desk.now(), desk.settings["timezone"]).date().isoformat()
    address, count = desk.settings["gm_address"], len(desk.file.select(GmLetterRow))
    row = {"day": day, "situation": situation, "address": address, "mail": mail}

    def seal() -> None:
        with desk.file.writing("tick"):
            created = desk.stamp()
            numbers.append(desk.file.insert("gm_letters", **row, created=created, state=SENDING))
            inbox.note_told(said, numbers[-1])

    with hold_lock(desk.folder, "send"):
        carrier = choose_carrier(desk.folder, desk.settings)
        sender = desk.settings["mail_address"] or address
        try:
            carrier.carry(f"gm-{count + 1:04}.eml", mail, sender, address, seal)
        except DeliveryUnknown:
            raise
        except GameError:
            with desk.file.writing("tick"):
                inbox.note_told(said, None)
                for number in numbers:
                    desk.file.delete("gm_letters", "id = ?", number)
            raise
        finally:
            carrier.close()
    with desk.act("gm-letter") as note:
        note.detail["letter"] = numbers[0]
        desk.file.update("gm_letters", numbers[0], state=SENT, sent=desk.stamp())


def _compose(desk: Desk, situation: Situation) -> bytes:
    sentences = load_sentences(desk.lang)
    letter, text = len(desk.file.select(GmLetterRow)) + 1, _write_text(desk, situation, sentences)
    return _encode(desk, _subject(situation, sentences), text, letter=f"letter-{letter}")


def _encode(
    desk: Desk, subject: str, text: str, reply_to: str = "", letter: str = "", in_reply_to: str = ""
) -> bytes:
    """Return the mail of a letter; with the name of a letter it has the code of that name."""
    settings = desk.settings
    sender = settings["mail_address"] or settings["gm_address"]
    if letter and settings["mail_address"]:
        subject = f"{subject} {master_tag(desk, letter)}"
        reply_to = master_address(desk, letter)
    mail = Letter(
        subject=f"{subject_prefix(desk)} {subject}",
        text=text,
        lang=desk.lang,
        reply_to=reply_to,
        in_reply_to=in_reply_to,
        to=settings["gm_address"],
        sender_name=settings["mail_name"] or str(desk.name),
        sender=sender,
        message_id=make_message_id("gm", desk.entropy(16), sender.partition("@")[2]),
        date=to_local(desk.now(), settings["timezone"]),
    )
    return encode_mail(compose(mail))


def _subject(situation: Situation, sentences: Sentences) -> str:
    if situation.failures or situation.stuck or situation.returned:
        return sentences.format("gm-letter-failed")
    if situation.is_past or situation.mails:
        return sentences.format("gm-letter-waits")
    return sentences.format("gm-letter-news")


def _write_text(desk: Desk, situation: Situation, sentences: Sentences) -> str:
    failures = [sentences.error(failure) for failure in situation.failures]
    waits = list_waits(situation, desk, sentences)
    foot = "master-foot" if desk.settings["mail_address"] else "gm-letter-foot"
    parts = [
        [sentences.format("gm-letter-game", game=desk.name)],
        [
            sentences.format("situation-resolved", phase=phase_name(phase, desk.board, sentences))
            for phase in situation.resolved
        ],
        [describe_phase(situation, desk, sentences)],
        [f"- {line}" for line in (*waits, *failures)],
        [f"- {line}" for line in list_other_mails(situation, desk, sentences)],
        list_advice(situation, sentences),
        [sentences.format(foot, phase=desk.head().name)],
    ]
    return "\n".join(
        "".join(f"{wrap_text(line, rest='  ' * line.startswith('- '))}\n" for line in part)
        for part in parts
        if part
    )


# Commands of the game master by mail: see docs/mail.md, "From a telephone".
#
# What changes the game is first only told; it is done when the game master answers with the code of
# that answer, which is used once, and only while the same would be told.  A mail is begun at most
# once: its reason says so before anything is done, and keeps the answer until this has gone.


_BEGUN, _ANSWERED = "aside-commands-begun", "aside-commands-done"
_ANSWER = "answer-"
"""Begins the names of the letters that answer a mail, before its number."""

_MOST_SENT = 20
"""The number of letters that a mail of the game master may quote without marks."""


def answer_game_master(desk: Desk) -> None:
    """Do what the mails of the game master ask for, and answer each."""
    store, sentences = InboxStore(desk.file), load_sentences(desk.lang)
    for row in store.find_all(ASIDE):
        if [why.code for why in row.why] == [COMMANDS]:
            with desk.file.writing("tick"):
                store.update(row.id, [Why.of(_BEGUN)])
            with desk.acting_as(f"gm, mail {row.id}"):
                told = _MasterMail(desk, row).answer()
            with desk.file.writing("tick"):
                store.update(row.id, [Why.of(_BEGUN, **told)])
    for row in store.find_all(ASIDE):
        why = next(iter(row.why), Why.of(""))
        if why.code == _BEGUN:
            text = why.data.get("text") or wrap_text(sentences.format("master-interrupted"))
            text += f"\n\n{_write_text(desk, read_situation(desk), sentences)}"
            thread = read_message(store.raw(row.id)).message_id
            subject, letter = sentences.format("master-answer"), f"{_ANSWER}{row.id}"
            mail = _encode(desk, subject, text, letter=letter, in_reply_to=thread)
            _send(desk, _ANSWER, mail)
            with desk.file.writing("tick"):
                store.update(row.id, [Why.of(_ANSWERED, asked=why.data.get("asked", ""))])


_Act = tuple[str, Callable[[], object]]
"""What is told of an act before it is confirmed, and how it is done."""


class _MasterMail:
    """A mail of the game master: its commands, and the names of the letters whose codes it has."""

    def __init__(self, desk: Desk, row: Message) -> None:
        self.desk, self.row, self.can_be_done = desk, row, False
        self.sentences = load_sentences(desk.lang)
        self.say = self.sentences.format
        sql = "SELECT mail FROM gm_letters WHERE created < ? ORDER BY id DESC LIMIT ?"
        letters = desk.file.rows(sql, row.fetched, _MOST_SENT)
        sent = [read_text(parse_mail(bytes(letter["mail"]))) for letter in letters]
        message = read_message(InboxStore(desk.file).raw(row.id), sent=sent)
        self.codes = find_master_codes(desk, message)
        words = Words.of((message.name, desk.settings["mail_name"], desk.name), desk.position)
        read = read_master_commands(message.text)
        self.commands = [each for each in read if each.kind in (*_ACTS, *_DONE_AT_ONCE)]
        others = [each.line for each in read if each not in self.commands]
        self.unread = [line for line in others if not words.is_courtesy(line)]

    def answer(self) -> dict[str, str]:
        """Do the commands, or tell what they would do; return the answer, and the digest of what
        was asked."""
        parts = [self._do(each) for each in self.commands if each.kind in _DONE_AT_ONCE]
        told = self.tell()
        parts += [*told, *([self.say("master-confirm")] if self.can_be_done else [])]
        if self.unread or not self.commands:
            lines = "; ".join(f"«{to_one_line(line, 60)}»" for line in self.unread[:5]) or "–"
            parts += [self.say("master-unread", lines=lines), self._help()]
        texts = [part.strip("\n") if "\n" in part else wrap_text(part) for part in parts]
        asked = _digest(told) if self.can_be_done else ""
        return {"text": "\n\n".join(texts), "asked": asked}

    def tell(self, *, is_confirmed: bool = False) -> list[str]:
        """Return what each act in the mail would do now, or why it cannot; do it if confirmed."""
        acts = [command for command in self.commands if command.kind in _ACTS]
        return [self._do(act, is_confirmed=is_confirmed) for act in acts]

    def _do(self, command: MasterCommand, *, is_confirmed: bool = False) -> str:
        kind = command.kind
        try:
            if kind in _ACTS:
                said, do = _ACTS[kind](self, command)
                self.can_be_done = True
                if is_confirmed:
                    do()
                    said = self.say("master-done")
            else:
                said = _DONE_AT_ONCE[kind](self, command)
        except AlexMagnumError as error:
            said = self.sentences.error(error)
        return self.say("master-line", line=to_one_line(command.line), said=said)

    # -- done at once ----------------------------------------------------------------------------

    def _status(self, command: MasterCommand) -> str:
        due = [power for power in self.desk.status().powers if power.wanted]
        done = sum(not power.is_lacking for power in due)
        return self.say("answer-complete", done=done, due=len(due))

    def _help(self, command: MasterCommand | None = None) -> str:
        return self.say("master-help", phase=self.desk.head().name)

    def _reply(self, command: MasterCommand) -> str:
        number, text = [*command.argument.split(maxsplit=1), "", ""][:2]
        passage = find_passage(self.desk, _read_number(number))
        if passage.done:
            raise GameError("master-replied", number=number)
        if not answer_passage(Outbox(self.desk), passage.message, text).drafted:
            raise GameError("no-address", power=passage.power)
        return self.say("master-reply", text=to_one_line(text))

    def _confirm(self, command: MasterCommand) -> str:
        """Do the acts of an earlier mail, if they would still do what was told of them."""
        store = InboxStore(self.desk.file)
        names = [code.removeprefix(_ANSWER) for code in self.codes if code.startswith(_ANSWER)]
        for row in (store.find(int(name)) for name in names):
            if asked := row.why[0].data.get("asked"):
                with self.desk.file.writing("tick"):  # the code counts once
                    store.update(row.id, [Why.of(_ANSWERED)])
                mail = _MasterMail(self.desk, row)
                told = mail.tell()
                if _digest(told) == asked:
                    return " ".join(mail.tell(is_confirmed=True))
                return " ".join([self.say("master-changed"), *told])
        raise GameError("master-nothing-to-confirm")

    # -- told first, and done when they are confirmed --------------------------------------------

    def _process(self, command: MasterCommand) -> _Act:
        desk, name = self.desk, self.desk.phase_name(read_phase(command.argument))
        if name != desk.head().name:
            raise GameError("not-the-open-phase", asked=name, current=desk.head().name)
        situation = replace(read_situation(desk), is_past=True)  # names whose orders are missing
        holds = list_holds(situation, desk, self.sentences)
        told = self.say(
            "master-process",
            phase=phase_name(name, desk.board, self.sentences),
            deadline=format_clock(read_clock(desk), desk.settings["timezone"], self.sentences),
            holds="; ".join(holds) or self.say("master-nothing-missing"),
        )
        options = {"allow_missing": True, "anyway": True, "sends": False}
        return told, partial(process_phase, desk, name, reason=command.reason, **options)

    def _remind(self, command: MasterCommand) -> _Act:
        who = name_players(self.desk.status().missing, self.desk, self.sentences)
        said = self.say("master-remind", who=who) if who else self.say("outbox-nobody-missing")
        return said, partial(_remind_at_once, self.desk)

    def _extend(self, command: MasterCommand) -> _Act:
        desk, zone, reason = self.desk, self.desk.settings["timezone"], command.reason
        check_text_for_names(desk, reason)
        at = read_extension(desk, command.argument)
        before, now = (
            format_instant(each, zone, self.sentences) for each in (desk.deadline, format_iso(at))
        )
        told = self.say("master-extend", before=before, at=now, reason=reason or "–")
        return told, partial(extend_deadline, desk, command.argument, reason)

    def _accept(self, command: MasterCommand) -> _Act:
        numbers, _, named = command.argument.partition(" ")
        box, number = Inbox(self.desk), _read_number(numbers)
        power = self.desk.power(named) if named else ""
        row = box.find_acceptable(number, power)
        whose = power_name(self.desk.board, power or row.power, self.sentences)
        told = self.say("master-accept", number=number, sender=row.sender or "?", power=whose)
        return told, partial(box.accept, number, power, command.reason)

    def _replace(self, command: MasterCommand) -> _Act:
        desk, (named, _, who) = self.desk, command.argument.partition(" ")
        power, (word, _, number) = desk.power(named), who.partition(" ")
        before = name_players([power], desk, self.sentences)
        if fold_phrase(word) in load_vocabulary().get("behind", "standby"):
            person = find_standby(desk, _read_number(number))
            do = partial(replace_by_standby, desk, power, person.id, command.reason)
            return self.say("master-replace", before=before, who=person.name), do
        name, address, others = read_person(who)
        newcomer = Player(power, name, address, other_addresses=others)
        told = self.say("master-replace", before=before, who=f"{name} <{address}>")
        return told, partial(desk.replace_player, newcomer, command.reason)


def _remind_at_once(desk: Desk) -> list[Delivery]:
    """Draft reminders and send them: whoever asks by mail has no other way to send them."""
    numbers = remind(desk).drafted
    return list(send_letters(open_outbox(desk), numbers)) if numbers else []


def _digest(told: Sequence[str]) -> str:
    return sha256("\n".join(told).encode()).hexdigest()[:32]


def _read_number(text: str) -> int:
    number = text.strip(":,.")
    if not number.isdecimal():
        raise GameError("no-message", number=number or "?")
    return int(number)


_DONE_AT_ONCE: Mapping[str, Callable[[_MasterMail, MasterCommand], str]] = {
    "status": _MasterMail._status,
    "help": _MasterMail._help,
    REPLY: _MasterMail._reply,
    CONFIRM: _MasterMail._confirm,
}
_ACTS: Mapping[str, Callable[[_MasterMail, MasterCommand], _Act]] = {
    "process": _MasterMail._process,
    "remind": _MasterMail._remind,
    "extend": _MasterMail._extend,
    "accept": _MasterMail._accept,
    "replace": _MasterMail._replace,
}


# The tick: everything that can be done without the game master, for cron.


@dataclass(frozen=True, slots=True)
class PhaseProcessed:
    """The tick resolved a phase, because its deadline is past."""

    phase: str


Event = Message | PhaseProcessed | Mailing | Delivery
"""A thing a tick did: fetched a message, processed a phase, drafted or sent a letter."""


@dataclass(slots=True)
class Tick:
    """A tick of a game: its events in order, its failures, and what the game waits for afterwards.

    ``processes``: it was asked to resolve the phase.  ``told``: a letter of today tells the game
    master about this situation.
    """

    desk: Desk
    processes: bool = False
    events: list[Event] = field(default_factory=list)
    failures: list[GameError] = field(default_factory=list)
    situation: Situation = field(init=False)
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
        doubts = situation.mails or situation.stuck or situation.returned or situation.status.bots
        return situation.is_past or bool(self.events and doubts)

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

    def note_drafts(self, numbers: Iterable[int]) -> None:
        box = Outbox(self.desk)
        self.events += map(box.find, numbers)

    def process(self) -> None:
        """Resolve the open phase, if its deadline is past and nothing asks for the game master."""
        desk = self.desk
        if not is_past_deadline(desk) or read_situation(desk).is_held:
            return
        desk.settle_late_powers()
        if is_past_deadline(desk):  # nobody has just taken over a power, with time of their own
            phase = str(desk.phase)
            try:
                _, published = process_phase(desk, phase, reason="tick", sends=False)
            finally:
                if str(desk.phase) != phase:
                    self.events.append(PhaseProcessed(phase))
            self.events += published.deliveries
            self.failures += filter(None, [published.unsent])
            self.note_drafts(published.letters.drafted)

    def finish(self, news: Sequence[GameError]) -> None:
        """Tell the game master what the game waits for."""
        resolved = [event.phase for event in self.events if isinstance(event, PhaseProcessed)]
        failures = (*self.failures, *news)
        self.situation = read_situation(self.desk, failures, resolved, processes=self.processes)
        known = {failure.code for failure in self.failures}
        try:
            tell_what_was_said(self.desk)
            self.told = tell_game_master(self.desk, self.situation)
        except GameError as error:
            if error.code not in known:  # else no other letter could be sent either
                self.failures.append(error)


def run_tick(
    desk: Desk,
    sources: Sequence[str],
    stdin: BinaryIO,
    *,
    processes: bool = False,
    fetched: Sequence[Message] | None = None,
    is_unread: bool = False,
    news: Sequence[GameError] = (),
) -> Tick:
    """Do what the clock asks for: fetch and answer mail, process, draft letters, send them.

    A step that fails keeps none of the others from being taken.  The phase is resolved only if
    ``processes``, once its deadline is past and nothing asks for the game master.  What the game
    waits for then is in the result, and in a letter to the game master if the settings ask for it.

    A tick of several games has ``fetched`` the mail of this one already.  ``is_unread``: the fetch
    failed for it.  ``news`` are failures that its letter tells the game master about, those of
    other games among them.
    """
    with hold_lock(desk.folder, "tick"), desk.acting_as("tick"):
        tick = Tick(desk, processes)
        with tick.step():
            if fetched is not None:
                tick.events += fetched
            elif sources or desk.settings["imap_server"]:
                mail = fetch_mail(desk, sources, stdin)
                tick.events += mail.messages
                tick.failures += mail.faults
            else:  # what an interrupted fetch left
                tick.events += Inbox(desk).fetch(())
        with tick.step():
            phase = str(desk.phase)
            answer_game_master(desk)
            if str(desk.phase) != phase:
                tick.events.append(PhaseProcessed(phase))
        with tick.step():
            desk.ask_bots()  # those that an interrupted command did not ask
        # Orders may lie in a mailbox that could not be read.
        if processes and not (tick.failures or is_unread):
            with tick.step():
                tick.process()
        if not tick.failures:
            with tick.step():
                mend_folder(desk)
        with tick.step():
            update = follow_with_site(desk)
            if update is not None and update.failure is not None:
                raise update.failure
        if writes_letters(desk):
            with tick.step():
                opening = desk.settings["announcements"] != "no" and is_beginning(desk)
                made = update_letters(desk, opening=opening, day=reminder_day(desk))
                tick.note_drafts(made.drafted)
            with tick.step():
                deliveries, unsent = send_automatic(desk)
                tick.events += deliveries
                tick.failures += [unsent] if unsent is not None else []
        with tick.step():
            follow_with_second_place(desk)
        tick.finish(news)
        return tick


# Several games in one folder: what each waits for, and a tick of all of them.


OpenDesk = Callable[[Path], Desk]

_Place = TypeVar("_Place", str, Account)

TICK_ALL = "tick-all"
"""The lock of a tick of all games, whose file tells when there was the last one."""

_PASSING = frozenset({"mail-busy", "game-busy"})
"""Errors of a game that another command works on: the next tick finds it free."""


_TOLD = "lost.told"
"""The file with the day on which the game master was last told that a game is lost."""


def tell_of_loss(folder: Path, error: AlexMagnumError, open_desk: OpenDesk) -> None:
    """Tell the game master once a day that a game cannot be opened, as its change log knows them.

    Nothing is told if that cannot be read, or no letter can go.
    """
    with TemporaryDirectory() as place, suppress(AlexMagnumError, OSError):
        if rebuild_file(folder, Path(place) / "game") is None:
            return
        with open_desk(Path(place) / "game") as desk:
            mark, day = folder / _TOLD, desk.stamp()[:10]
            if not mark.is_file() or mark.read_text(encoding="ascii") != day:
                tell_game_master(desk, read_situation(desk, (_as_game_error(error),)))
                write_whole(mark, day, private=True)


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game of a folder: its desk with what it waits for or its tick, or why there is none."""

    folder: Path
    desk: Desk | None = None
    situation: Situation | None = None
    tick: Tick | None = None
    error: AlexMagnumError | None = None


KNOWN = "games.json"
"""The file with the names of the games that a folder has had; a game that is gone is missed."""


def find_game_folders(folder: Path) -> tuple[Path, ...]:
    """Return the folders of the games in a folder, those that are gone too; one that is a game
    itself has no other.

    Raises:
        GameError: ``no-games``.
    """
    folder = folder.resolve()
    if is_game_folder(folder):
        return (folder,)
    found = _list_subfolders(folder)
    if not found:
        raise GameError("no-games", path=str(folder))
    return found


def is_folder_of_games(folder: Path) -> bool:
    """Tell whether a folder is no game, and has games in it."""
    return not is_game_folder(folder) and bool(_list_subfolders(folder))


def _list_subfolders(folder: Path) -> tuple[Path, ...]:
    """Return the subfolders with a game: no hidden ones, and no second link to the same one; and
    where games are missing."""
    try:
        paths = [path for path in folder.glob("[!.]*") if is_game_folder(path)]
    except OSError:
        return ()
    listed = {path.resolve(): path for path in sorted(paths, reverse=True)}
    listed |= {path: path for path in listed if path in paths}
    gone = (folder / name for name in _read_known(folder) if folder / name not in paths)
    return tuple(sorted((*listed.values(), *gone)))


def _read_known(folder: Path) -> frozenset[str]:
    with suppress(OSError, ValueError, TypeError):  # none yet, or damaged
        return frozenset(map(str, json.loads((folder / KNOWN).read_text(encoding="utf-8"))))
    return frozenset()


def _note_known(folder: Path, names: frozenset[str]) -> None:
    if names != _read_known(folder):
        write_whole(folder / KNOWN, json.dumps(sorted(names), indent=0) + "\n", private=True)


def forget_game(folder: Path, name: str) -> None:
    """Miss a game no longer, because it was removed or moved on purpose.

    Raises:
        GameError: ``game-not-missing``.
    """
    known = _read_known(folder)
    if name not in known or is_game_folder(folder / name):
        raise GameError("game-not-missing", name=name, path=str(folder))
    _note_known(folder, known - {name})


def list_games(folder: Path, open_desk: OpenDesk) -> Iterator[GameLine]:
    """Yield every game of a folder at a glance; its desk is open until the next one."""
    for path in find_game_folders(folder):
        try:
            with open_desk(path) as desk:
                yield GameLine(path, desk, read_situation(desk))
        except (AlexMagnumError, OSError) as error:
            yield GameLine(path, error=_as_error(error, path))


def _as_error(error: Exception, path: Path) -> AlexMagnumError:
    """Return an error that can be put into words; there should be a game."""
    if isinstance(error, GameError) and error.code == "no-game":
        return GameError("game-missing", path=str(path), name=path.name)
    if isinstance(error, AlexMagnumError):
        return error
    return GameError("game-unusable", path=str(path), why=f"{type(error).__name__}: {error}"[:200])


# -- a tick of all ---------------------------------------------------------------------------------


def run_all_ticks(
    folder: Path,
    open_desk: OpenDesk,
    sources: Sequence[str],
    stdin: BinaryIO,
    stack: ExitStack,
    *,
    processes: bool = False,
) -> tuple[list[GameLine], list[GameError]]:
    """Fetch the mail of all games of a folder, each mailbox once, and run the tick of each game;
    return the games, and what failed for all of them together.

    ``sources`` are read in place of the mailboxes.  The desks stay open until ``stack`` is closed.
    """
    paths = find_game_folders(folder)
    stack.enter_context(hold_lock(folder, TICK_ALL))
    if not is_game_folder(folder):
        _note_known(folder, _read_known(folder) | {path.name for path in paths})
    desks: dict[Path, Desk] = {}
    errors: dict[Path, AlexMagnumError] = {}
    for path in paths:
        try:
            desks[path] = stack.enter_context(open_desk(path))
        except Exception as error:  # whatever is wrong with a game, the others go on
            errors[path] = _as_error(error, path)
    is_complete = not errors
    for path, copied in _find_copies(desks).items():
        del desks[path]
        errors[path] = copied
    named = {path.name: desk for path, desk in desks.items()}
    fetch = _Fetch(folder, named, is_complete=is_complete)
    fetch.run(sources, stdin)
    messages = {name: fetch.handle(name) for name in named}
    settle_mails_of_several_games(named)
    lasting = [error for error in errors.values() if error.code not in _PASSING]
    news = [*fetch.failures, *map(_as_game_error, lasting)]
    done = []
    for path in paths:
        if path not in desks:
            done.append(GameLine(path, error=errors[path]))
            continue
        try:
            tick = run_tick(
                desks[path],
                (),
                stdin,
                processes=processes,
                fetched=messages[path.name],
                is_unread=path.name in fetch.failed,
                news=news,
            )
        except Exception as error:  # as above
            done.append(GameLine(path, desks[path], error=_as_error(error, path)))
            continue
        done.append(GameLine(path, desks[path], tick=tick))
        if tick.told:
            news = []  # one letter about the failures of all is enough
    for path, lost in errors.items():
        if lost in news:
            tell_of_loss(path, lost, open_desk)
    return done, fetch.failures


def _as_game_error(error: AlexMagnumError) -> GameError:
    """Return an error of another game as one that the game master can be told about."""
    return error if isinstance(error, GameError) else GameError("game-unread", why=str(error))


def _find_copies(desks: Mapping[Path, Desk]) -> dict[Path, GameError]:
    """Return the games that are copies of others: the one with the longest journal is no copy."""
    copies: dict[Path, GameError] = {}
    originals: dict[str, Path] = {}
    for path in sorted(desks, key=lambda path: (-desks[path].last_act(), path)):
        codes = list_codes(desks[path])
        original = next((originals[code] for code in codes if code in originals), None)
        if original is None:
            originals |= dict.fromkeys(codes, path)
        else:
            copies[path] = GameError("game-copied", path=str(path), original=original.name)
    return copies


class _Fetch:
    """The fetch for all games, by the names of their folders.

    ``failures`` is what failed, ``failed`` the games for which something did, and ``fetched`` those
    whose mail is stored.  A mailbox of a single game is left to the tick of that game.
    """

    def __init__(self, folder: Path, desks: Mapping[str, Desk], *, is_complete: bool) -> None:
        self.folder = folder
        self.desks = desks
        self.is_complete = is_complete
        self.failures: list[GameError] = []
        self.failed: set[str] = set()
        self.fetched: set[str] = set()

    def run(self, sources: Sequence[str], stdin: BinaryIO) -> None:
        """Fetch from the sources, or from every mailbox that several games share."""
        if sources:
            self._fill(self.desks, sources, lambda box, at: box.give_all(read_source(at, stdin)))
            return
        for account, desks in self._group_by_mailbox().items():
            if len(desks) > 1 or not self.is_complete:
                self._fill(desks, [account], SharedMailbox.fetch)

    def _group_by_mailbox(self) -> Mapping[Account, dict[str, Desk]]:
        """Return the games that read each mailbox."""
        groups: dict[Account, dict[str, Desk]] = {}
        for name, desk in self.desks.items():
            if desk.settings["imap_server"]:
                with suppress(GameError):  # its own tick says so
                    groups.setdefault(read_account(desk.settings), {})[name] = desk
        return groups

    def _fill(
        self,
        desks: Mapping[str, Desk],
        places: Iterable[_Place],
        read: Callable[[SharedMailbox, _Place], None],
    ) -> None:
        """Give some games their mails from places that they share."""
        shared = SharedMailbox(self.folder, desks, is_complete=self.is_complete)
        for place in places:
            try:
                read(shared, place)
            except GameError as error:
                self._fail(error, desks)
        self.fetched |= set(shared.games)
        for name, unstored in shared.failures.items():
            self._fail(unstored, (name,))

    def _fail(self, error: GameError, names: Iterable[str]) -> None:
        self.failures.append(error)
        self.failed.update(names)

    def handle(self, name: str) -> tuple[Message, ...] | None:
        """Handle the mail that was stored for a game, and return it; None if none was fetched."""
        if name not in self.fetched:
            return None
        handled = list[Message]()
        try:
            handled.extend(Inbox(self.desks[name]).fetch(()))
        except GameError as error:
            self._fail(error, (name,))
        return tuple(handled)
