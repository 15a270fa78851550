"""The game master's mail: letters that tell them what a game waits for and what players said, and
the commands with which they answer.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial
from textwrap import indent

from alexmagnum.board.model import list_examples
from alexmagnum.errors import AlexMagnumError, GameError
from alexmagnum.game import mail_store, people
from alexmagnum.game.deadlines import read_clock
from alexmagnum.game.desk import Desk
from alexmagnum.game.file import hold_lock
from alexmagnum.game.game import Player, digest
from alexmagnum.game.records import GmLetterRow, Passage
from alexmagnum.i18n.dates import format_instant, format_iso, parse_iso, to_local
from alexmagnum.i18n.sentences import Sentences, load_sentences
from alexmagnum.mail import composition, tray
from alexmagnum.mail.inbox import Inbox, format_why
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.parsing.commands import CONFIRM, REPLY, MasterCommand, read_master_commands
from alexmagnum.mail.parsing.message import read_message
from alexmagnum.mail.parsing.mime import fold_phrase, load_vocabulary, to_one_line
from alexmagnum.mail.parsing.passages import TEXT, Words
from alexmagnum.mail.sending import Delivery
from alexmagnum.mail.transport import DeliveryUnknown, NotSent, choose_carrier
from alexmagnum.notation.names import power_name
from alexmagnum.notation.sections import read_phase
from alexmagnum.report.document import wrap_text
from alexmagnum.report.words import format_clock, phase_name
from alexmagnum.workflow import situation as situations
from alexmagnum.workflow.changes import extend_deadline, read_extension
from alexmagnum.workflow.publish import open_outbox, process_phase, remind, send_letters

# Letters to the game master: what the game waits for, once a day for each situation, and what
# players said to them, once an hour.
#
# ``tick`` runs every few minutes, so a letter is written only when its situation has had none
# that day. A letter that cannot be sent is not kept, and the next tick writes another.


_BETWEEN_LETTERS = timedelta(hours=1)  # between two rounds of letters with what players said
_SAID = "said"  # stands for the situation in the row of a letter with words of a player
_Note = Callable[[int | None], None]


def tell_game_master(desk: Desk, situation: situations.Situation) -> bool:
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
    told = (desk.today(), situation.digest(all_news=settings["gm_letters"] == "all"))
    if not any((one.day, one.situation) == told for one in desk.file.select(GmLetterRow)):
        _send(desk, told[1], [_compose(desk, situation)])
    return True


def tell_what_was_said(desk: Desk) -> None:
    """Send the game master what players said to them since the last such letter, an hour ago.

    Each player has a letter of their own, so that an answer to it reaches them; urgent ones go
    first.
    """
    settings, inbox = desk.settings, mail_store.InboxStore(desk.file)
    mark = partial(load_sentences(desk.lang).format, "gm-letter-refused")
    new = [passage for passage in inbox.find_passages() if passage.letter is None]
    last = inbox.find_last_told()
    is_early = bool(last) and timedelta() <= desk.now() - parse_iso(last) < _BETWEEN_LETTERS
    if not new or is_early or not settings["gm_address"] or settings["gm_letters"] == "no":
        return
    whose = {one.message: (one.power, tray.find_writer(desk, one)) for one in new}
    for power, writer in dict.fromkeys(whose.values()):
        said = [passage for passage in new if whose[passage.message] == (power, writer)]
        marked = [replace(one, parts=((TEXT, mark(number=one.message)),)) for one in said]
        mails = [_compose_what_was_said(desk, each, writer) for each in (said, marked)]
        _send(desk, _SAID, mails, partial(inbox.note_told, [one.message for one in said]))


def _compose_what_was_said(desk: Desk, said: Sequence[Passage], writer: Player | None) -> bytes:
    """Write a letter with the words of one player, None for a former one.  The game passes the
    answer on to them: neither sees the other's address."""
    sentences, first = load_sentences(desk.lang), said[0]
    can_answer = writer is not None and composition.can_be_written_to(writer)
    hidden = people.hides_names(desk)
    address = ""
    if can_answer and writer is not None:
        own = composition.plain_address(writer.address)
        address = tray.answer_address(desk, first) if hidden else own
    numbers = [passage.message for passage in said]
    how = "gm-letter-answer-hidden" if hidden else "gm-letter-answer"
    foot = [sentences.format(how)] if address else []
    about = {"number": numbers[0], "numbers": " ".join(map(str, numbers))}
    code = "gm-letter-former" if writer is None else "gm-letter-commands"
    foot.append(sentences.format(code, **about))
    words = [situations.describe_passage(passage, desk, sentences) for passage in said]
    if people.LEFT_OUT in str(words):
        foot.append(sentences.format("gm-letter-left-out", **about))
    paragraphs = [
        sentences.format("gm-letter-game", game=desk.name),
        *("\n".join([head, *(indent(part, "  ") for part in parts)]) for head, *parts in words),
        *map(wrap_text, foot),
    ]
    is_urgent = any(passage.urgent for passage in said)
    code = "gm-letter-for-you-urgent" if is_urgent else "gm-letter-for-you"
    subject = sentences.format(code, who=situations.name_writer(first, desk, sentences))
    return _encode(desk, subject, "\n\n".join(paragraphs) + "\n", reply_to=address)


def _send(desk: Desk, situation: str, mails: Sequence[bytes], note: _Note = lambda _: None) -> None:
    """Send a letter to the game master, and store it when the other side may have it.

    ``situation``: the digest of the situation, or the word that stands for it.  ``note`` is called
    with the number of the letter then, and with None if it was refused.  If the server refuses the
    first of ``mails`` for good, the next goes in its place.

    One that may have been sent is never sent again; one that was refused is not kept.
    """
    numbers = list[int]()
    address, count = desk.settings["gm_address"], len(desk.file.select(GmLetterRow))
    row = {"day": desk.today(), "situation": situation, "address": address, "mail": mails[0]}

    def seal() -> None:
        with desk.file.writing("tick"):
            created = desk.stamp()
            numbers.append(
                desk.file.insert("gm_letters", **row, created=created, state=mail_store.SENDING)
            )
            note(numbers[-1])

    with hold_lock(desk.folder, "send"):
        carrier = choose_carrier(desk)
        sender = desk.settings["mail_address"] or address
        try:
            carrier.carry(f"gm-{count + 1:04}.eml", mails[0], sender, address, seal)
        except DeliveryUnknown:
            raise
        except GameError as error:
            with desk.file.writing("tick"):
                note(None)
                for number in numbers:
                    desk.file.delete("gm_letters", "id = ?", number)
            if len(mails) == 1 or error.code != "mail-refused":
                raise
            numbers.clear()
        finally:
            carrier.close()
    if not numbers:
        _send(desk, situation, mails[1:], note)
        return
    with desk.act("gm-letter") as entry:
        entry.detail["letter"] = numbers[0]
        desk.file.update("gm_letters", numbers[0], state=mail_store.SENT, sent=desk.stamp())


def _compose(desk: Desk, situation: situations.Situation) -> bytes:
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
        tag, reply_to = tray.find_master_code(desk, letter)
        subject = f"{subject} {tag}"
    mail = composition.Letter(
        subject=f"{mail_store.subject_prefix(desk)} {subject}",
        text=text,
        lang=desk.lang,
        reply_to=reply_to,
        in_reply_to=in_reply_to,
        to=settings["gm_address"],
        sender_name=settings["mail_name"] or str(desk.name),
        sender=sender,
        message_id=composition.make_message_id("gm", desk.entropy(16), sender.partition("@")[2]),
        date=to_local(desk.now(), settings["timezone"]),
    )
    return composition.encode_mail(composition.compose(mail))


def _subject(situation: situations.Situation, sentences: Sentences) -> str:
    if situation.failures or situation.stuck or situation.returned:
        return sentences.format("gm-letter-failed")
    if situation.is_past or situation.mails:
        return sentences.format("gm-letter-waits")
    return sentences.format("gm-letter-news")


def _write_text(desk: Desk, situation: situations.Situation, sentences: Sentences) -> str:
    failures = [sentences.error(failure) for failure in situation.failures]
    foot = "master-foot" if desk.settings["mail_address"] else "gm-letter-foot"
    mails, code = situation.other_mails, "situation-other-mail"
    parts = [
        [sentences.format("gm-letter-game", game=desk.name)],
        [
            sentences.format("situation-resolved", phase=phase_name(phase, desk.board, sentences))
            for phase in situation.resolved
        ],
        [situations.describe_phase(situation, desk, sentences)],
        [f"- {line}" for line in (*situations.list_waits(situation, desk, sentences), *failures)],
        [f"- {line}" for line in situations.list_mails(mails, code, desk, sentences)],
        situations.list_advice(situation, sentences),
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


_ANSWER = "answer-"  # begins the names of the letters that answer a mail, before its number
_MOST_SENT = 20  # the number of letters that a mail of the game master may quote without marks


def answer_game_master(desk: Desk) -> None:
    """Do what the mails of the game master ask for, and answer each."""
    store = mail_store.InboxStore(desk.file)
    codes = (mail_store.COMMANDS, mail_store.BEGUN)
    mails = [
        row for row in store.find_all(mail_store.ASIDE) if row.why and row.why[0].code in codes
    ]
    for row in mails:
        if [why.code for why in row.why] == [mail_store.COMMANDS]:
            with desk.file.writing("tick"):
                store.update(row.id, [mail_store.Why.of(mail_store.BEGUN)])
            with desk.acting_as(f"gm, mail {row.id}"):
                told = _MasterMail(desk, row).answer()
            with desk.file.writing("tick"):
                store.update(row.id, [told])
    for row in (store.find(mail.id) for mail in mails):
        if row.why[0].code == mail_store.BEGUN:
            _send_answer(desk, row, row.why[0])


def _send_answer(desk: Desk, row: mail_store.Message, begun: mail_store.Why) -> None:
    """Send the answer to a mail of the game master; it counts as answered when it may have gone."""
    store, sentences = mail_store.InboxStore(desk.file), load_sentences(desk.lang)
    text = begun.data.get("text") or wrap_text(sentences.format("master-interrupted"))
    text += f"\n\n{_write_text(desk, situations.read_situation(desk), sentences)}"
    thread = read_message(store.raw(row.id)).message_id
    subject, letter = sentences.format("master-answer"), f"{_ANSWER}{row.id}"
    mail = _encode(desk, subject, text, letter=letter, in_reply_to=thread)
    done = mail_store.Why.of(mail_store.ANSWERED, asked=begun.data.get("asked", ""))
    try:
        _send(desk, _ANSWER, [mail], lambda one: store.update(row.id, [done if one else begun]))
    except GameError as error:
        if error.code != "mail-refused":
            raise
        with desk.file.writing("tick"):
            store.update(row.id, [done])  # it would be refused again
        raise NotSent("answer-refused", **error.data) from None


_Act = tuple[str, Callable[[], object]]
"""The sentence that tells of an act before it is confirmed, and the function that does it."""


class _MasterMail:
    """A mail of the game master: its commands, and the names of the letters whose codes it has."""

    def __init__(self, desk: Desk, row: mail_store.Message) -> None:
        self.desk, self.row, self.can_be_done = desk, row, False
        self.sentences = load_sentences(desk.lang)
        self.say = self.sentences.format
        sql = "SELECT mail FROM gm_letters WHERE created < ? ORDER BY id DESC LIMIT ?"
        sent = [
            composition.read_text(composition.parse_mail(bytes(letter["mail"])))
            for letter in desk.file.rows(sql, row.fetched, _MOST_SENT)
        ]
        message = read_message(mail_store.InboxStore(desk.file).raw(row.id), sent=sent)
        self.codes = tray.find_master_codes(desk, message.subject, *message.to)
        # What it says goes to players: a quotation that was not recognised has codes.
        self.text = mail_store.hide_codes(desk, message.text)
        words = Words.of((message.name, desk.settings["mail_name"], desk.name), desk.position, ())
        read = read_master_commands(self.text)
        self.commands = [each for each in read if each.kind in (*_ACTS, *_DONE_AT_ONCE)]
        others = [each.line for each in read if each not in self.commands]
        self.unread = [line for line in others if not words.is_courtesy(line)]

    def list_answered(self) -> list[mail_store.Message]:
        """Return the earlier mails of the game master whose answers this one answers."""
        store = mail_store.InboxStore(self.desk.file)
        names = [code.removeprefix(_ANSWER) for code in self.codes if code.startswith(_ANSWER)]
        return [store.find(int(name)) for name in names]

    def answer(self) -> mail_store.Why:
        """Do the commands, or tell what they would do; return the answer, and the digest of what
        was asked.

        A mail without a command that only says again what it answers is of a program, which would
        go on for ever: it gets no answer.
        """
        answered = () if self.commands else self.list_answered()
        if any(_MasterMail(self.desk, row).text == self.text for row in answered):
            return mail_store.Why.of("aside-auto-reply")
        parts = [self._do(each) for each in self.commands if each.kind in _DONE_AT_ONCE]
        told = self.tell()
        parts += [*told, *([self.say("master-confirm")] if self.can_be_done else [])]
        if self.unread or not self.commands:
            lines = "; ".join(f"«{to_one_line(line, 60)}»" for line in self.unread[:5]) or "–"
            parts += [self.say("master-unread", lines=lines), self._help()]
        texts = [part.strip("\n") if "\n" in part else wrap_text(part) for part in parts]
        asked = digest("\n".join(told)) if self.can_be_done else ""
        return mail_store.Why.of(mail_store.BEGUN, text="\n\n".join(texts), asked=asked)

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
        return self.say("master-help", phase=self.desk.head().name, **list_examples(self.desk.base))

    def _reply(self, command: MasterCommand) -> str:
        number, text = [*command.argument.split(maxsplit=1), "", ""][:2]
        if (passage := tray.find_passage(self.desk, _read_number(number))).done:
            raise GameError("master-replied", number=number)
        if not tray.answer_passage(Outbox(self.desk), passage.message, text).drafted:
            raise GameError("no-address", power=passage.power)
        return self.say("master-reply", text=to_one_line(text))

    def _confirm(self, command: MasterCommand) -> str:
        """Do the acts of an earlier mail, if they would still do what was told of them."""
        for row in self.list_answered():
            if asked := row.why[0].data.get("asked"):
                with self.desk.file.writing("tick"):  # the code counts once
                    mail_store.InboxStore(self.desk.file).update(
                        row.id, [mail_store.Why.of(mail_store.ANSWERED)]
                    )
                mail = _MasterMail(self.desk, row)
                if digest("\n".join(told := mail.tell())) == asked:
                    return " ".join(mail.tell(is_confirmed=True))
                return " ".join([self.say("master-changed"), *told])
        raise GameError("master-nothing-to-confirm")

    # -- told first, and done when they are confirmed --------------------------------------------

    def _process(self, command: MasterCommand) -> _Act:
        desk, name = self.desk, self.desk.phase_name(read_phase(command.argument))
        if name != desk.head().name:
            raise GameError("not-the-open-phase", asked=name, current=desk.head().name)
        # This names whose orders are missing, and leaves out what the clock would do about them.
        situation = replace(situations.read_situation(desk), is_past=True, late=())
        holds = [*situations.list_holds(situation, desk, self.sentences)]
        if situations.find_unread(desk):  # words of a server may change
            holds.append(self.say("master-mailbox-unread"))
        told = self.say(
            "master-process",
            phase=phase_name(name, desk.board, self.sentences),
            deadline=format_clock(read_clock(desk), desk.settings["timezone"], self.sentences),
            holds="; ".join(holds) or self.say("master-nothing-missing"),
        )
        do = partial(process_phase, allow_missing=True, anyway=True, sends=False)
        return told, partial(do, desk, name, reason=command.reason)

    def _remind(self, command: MasterCommand) -> _Act:
        who = situations.name_players(self.desk.status().missing, self.desk, self.sentences)
        said = self.say("master-remind", who=who) if who else self.say("outbox-nobody-missing")
        return said, partial(_remind_at_once, self.desk)

    def _extend(self, command: MasterCommand) -> _Act:
        desk, zone, reason = self.desk, self.desk.settings["timezone"], command.reason
        people.check_text_for_names(desk, reason)
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
        if doubt := box.find_late_doubt(row, power):
            told = f"{told} ({format_why(doubt, self.desk, self.sentences)})"
        return told, partial(box.accept, number, power, command.reason)

    def _replace(self, command: MasterCommand) -> _Act:
        desk, (named, _, who) = self.desk, command.argument.partition(" ")
        power, (word, _, number) = desk.power(named), who.partition(" ")
        before = situations.name_players([power], desk, self.sentences)
        if fold_phrase(word) in load_vocabulary().get("behind", "standby"):
            person = people.find_standby(desk, _read_number(number))
            do = partial(people.seat_standby, desk, power, person.id, command.reason)
            return self.say("master-replace", before=before, who=person.name), do
        name, address, others = people.read_person(who)
        newcomer = Player(power, name, address, other_addresses=others)
        told = self.say("master-replace", before=before, who=f"{name} <{address}>")
        return told, partial(desk.replace_player, newcomer, command.reason)


def _remind_at_once(desk: Desk) -> list[Delivery]:
    """Draft reminders and send them: whoever asks by mail has no other way to send them."""
    numbers = remind(desk).drafted
    return list(send_letters(open_outbox(desk), numbers)) if numbers else []


def _read_number(text: str) -> int:
    if not (number := text.strip(":,.")).isdecimal():
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
