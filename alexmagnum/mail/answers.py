"""Doing what a mail that is taken asks for, and answering it; telling its player of one that waits.

The answer to a mail with orders is its receipt, with all that was understood and all that was not.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import chain, count, product
from operator import methodcaller
from textwrap import shorten

from alexmagnum.board.model import list_examples
from alexmagnum.errors import AlexMagnumError
from alexmagnum.files import MAX_ORDERS
from alexmagnum.game import mail_store, people, status, submissions
from alexmagnum.game.game import PROSE, UNTAKEN, Game, Player, Press, Receipt, Understood
from alexmagnum.game.mail_store import DROPPED, LetterKey, Message, Occasion, Why, hide_codes
from alexmagnum.game.orders import Mail, read_receipt
from alexmagnum.game.phases import read_processed
from alexmagnum.game.settings import lower_ascii, select_house_rules
from alexmagnum.i18n.dates import format_day, parse_absence
from alexmagnum.i18n.sentences import LANGUAGES, Sentences, fold, load_sentences
from alexmagnum.mail.composition import Attachment, Letter, load_player_sentences
from alexmagnum.mail.outbox import RECENT, Outbox
from alexmagnum.mail.parsing import commands
from alexmagnum.mail.parsing.commands import PERSON, STRAY_END, Command, PressPiece, find_orders
from alexmagnum.mail.parsing.message import FAULTS, IncomingMail, find_subject_words
from alexmagnum.mail.parsing.mime import Note
from alexmagnum.mail.parsing.passages import NOTES_FOR_MASTER, TEXT, Part, Words, find_parts
from alexmagnum.notation import read_orders, write_order
from alexmagnum.notation.names import power_name
from alexmagnum.notation.reader import find_subject
from alexmagnum.notation.sections import EVERYTHING, PHASE, phase_word
from alexmagnum.position import Position
from alexmagnum.report.context import disclose_outcome
from alexmagnum.report.document import quote_lines, wrap_text
from alexmagnum.report.phase_report import format_house_rules, format_press_heading, format_readers
from alexmagnum.report.receipt import ClockReading, ReceiptText, phase_in_words, untaken_lines
from alexmagnum.report.results import format_order_lines
from alexmagnum.report.words import phase_name

# A draft of an answer that gets the sentences of a new deadline, or of other orders.


def reword_answer_text(
    text: str, *, before: ClockReading, now: ClockReading, seal: str, is_old: bool
) -> str:
    """Return the text of an answer with the deadline in force instead of an earlier one.

    ``seal`` is the seal of the orders that the answer may show; if they are ``is_old``, others are
    in force.  The text is in any language: only the sentences of its own are found in it.
    """
    for sentences in map(load_sentences, LANGUAGES):
        seals = sentences.format("desk-digest", digest=seal)
        until = (each.format_change_until(sentences) for each in (before, now))
        old, new = (f"{said}\n{seals}".strip() for said in until)
        text = _replace(text, before.format_deadline(sentences), now.format_deadline(sentences))
        text = _replace(text, old, new)
        if now.runs:
            text = _replace(text, f"{sentences.format('receipt-late')}\n", "")
        if is_old:
            text = _replace(text, seals, f"{seals}\n{sentences.format('answer-overtaken')}")
    return text


def turn_answer_text(text: str, *, sentences: Sentences, is_over: bool) -> str:
    """Return the text of an answer that says first that its phase is over, or no longer does."""
    said = wrap_text(sentences.format("answer-phase-over")) + "\n\n"
    return said + text if is_over else _replace(text, said, "")


def _replace(text: str, old: str, new: str) -> str:
    """Replace a passage however its lines are broken."""
    passage = r"\s+".join(map(re.escape, old.split())) + (r"\s*\n" if old.endswith("\n") else "")
    return re.sub(passage, lambda _: new, text)


# Doing what a mail that is taken asks for, and writing the answer.


LONGEST, MOST_IN_PHASE = 20_000, 200_000
"""Characters of a piece of press, and of all of a player in a phase."""

_LONGEST_QUOTE = 300  # characters of what a player said to the game master that the answer repeats
_PHASES_BACK = 3  # the number of phases of the history that are shown if none is named

_WORD = re.compile(r"\w+")

CLEAR = "clear"
"""The kind of the commands that withdraw orders."""

_LISTING_ORDERS = frozenset({"orders", "status", CLEAR})
"""Commands whose answer tells the player's orders in force, or how many there are."""

_MOST_OF_WORDS = 3  # that may be an order in words: "I disband it"
_MOST_OF_ORDER = 5  # words that may be a bad order: "A PAR BUR", and no "my army in Paris is lost"

_ONLY_ASKING = _LISTING_ORDERS | {"map", "help", "history"}
"""Commands whose answer can be asked for again, if it did not go before its phase was over."""

_MOST_COMMANDS = 20  # commands, and pieces of press, of one mail that are carried out

_NOTED = """attachment-ignored attachment-read between-quoted cut-below encrypted forwarded-ignored
forwarded-own only-quotation quotation-broken repeats-counted repeats-sent
struck-out too-large too-many-parts undecodable unreadable"""
_NOTES_FOR_WRITERS = frozenset(_NOTED.split())
"""The notes on a mail that its answer repeats: they may have cost an order."""

Lines = Iterator[str]


def find_scope(asked: commands.Requests) -> str:
    """Return how much of what was sent before a mail withdraws, "" if nothing."""
    scopes = {command.argument or PHASE for command in asked.commands if command.kind == CLEAR}
    return EVERYTHING if EVERYTHING in scopes else min(scopes, default="")


class MailToAnswer:
    """A mail of a power, and what it asks for.

    ``message`` is how the program reads it; ``read`` are its orders as they were read, None if
    there is nothing like an order in it.
    """

    def __init__(self, outbox: Outbox, row: Message, message: IncomingMail) -> None:
        self.outbox, self.game, self.row, self.message = outbox, outbox.game, row, message
        self.asked = commands.read_requests(message.text, self.game.base)
        if len(self.asked.orders_text) > MAX_ORDERS:
            note = Note.of("too-large", limit=str(MAX_ORDERS))
            self.message = replace(message, notes=(*message.notes, note))
            self.asked = replace(self.asked, orders_text=self.asked.orders_text[:MAX_ORDERS])
        self.power = ""
        self.read: Mail | None = None


class Answer:
    """One answer while it is being written, within the transaction of its mail."""

    def __init__(self, mail: MailToAnswer) -> None:
        self.outbox, self.game, self.power, self.row = mail.outbox, mail.game, mail.power, mail.row
        self.message, self.asked, self.read = mail.message, mail.asked, mail.read
        game, power = mail.game, mail.power
        self.settings, self.over = game.settings, game.head().is_over
        listed = (player for player in people.read_players(game) if player.power == power)
        self.player = next(listed, Player(power, ""))
        self.sentences = load_player_sentences(game, self.player)
        self.examples = list_examples(game.base, power, self.sentences.lang)
        self.attachments: list[Attachment] = []
        self.press_to_master: list[str] = []

    @property
    def position(self) -> Position:
        return self.game.position

    # -- the letter ------------------------------------------------------------------------------

    def write(self) -> Letter:
        """Do everything in its order (withdrawals, orders, other requests, press), and answer.

        A withdrawal in a mail with orders means that these replace what was sent before.
        """
        sections = self._write_sections()
        kinds = {command.kind for command in self.asked.commands}
        lists_orders = self._wants_receipt or not kinds.isdisjoint(_LISTING_ORDERS)
        # Later orders have another answer; what else this one says stands here alone.
        remarks = [*sections[-1], *(line.code for line in self.lines if line.verdict != PROSE)]
        more = bool(self.asked.press or any(remarks))
        basis = ["answered" if (more or kinds - _ONLY_ASKING) and not self.over else "phase"]
        if lists_orders:
            basis += ["deadline", "seal" if more or kinds - _LISTING_ORDERS else "orders"]
        foot = "-- \n" + self.sentences.format("answer-foot")
        return Letter(
            self.sentences.format("subject-receipt" if self._wants_receipt else "subject-answer"),
            "\n\n".join("\n".join(part) for part in (*filter(None, sections), [foot])) + "\n",
            attachments=tuple(self.attachments),
            lang=self.sentences.lang,
            rests_on=tuple(basis),
        )

    def _write_sections(self) -> list[list[str]]:
        """Do everything in its order, and return the lines of each section of the answer."""
        different = {(each.kind, each.argument): each for each in self.asked.commands}
        commands = list(different.values())[:_MOST_COMMANDS]
        cleared = [command for command in commands if command.kind == CLEAR]
        sections = []
        if cleared and self.read is None:
            sections.append(self._answer_command(cleared[0]))
        if self._wants_receipt:
            sections.append([*self._receipt()])
        told = {CLEAR, "orders"} if self._wants_receipt else {CLEAR}
        sections += [self._answer_command(each) for each in commands if each.kind not in told]
        if self.asked.press:
            sections.append(self._press())
        left = len(different) - len(commands)
        sections.append(self._paragraph("commands-left", number=left) if left else [])
        sections += [[*self._list_said()], [*self._notes()]]
        return sections

    @property
    def _wants_receipt(self) -> bool:
        """True if there is anything like an order in the mail, or nothing at all."""
        return self.read is not None or not (self.asked.commands or self.asked.press)

    def _add_title(self, title: str, lines: Iterable[str]) -> list[str]:
        return [self.sentences.format(title).upper(), "", *lines]

    def _paragraph(self, code: str, **data: object) -> list[str]:
        return wrap_text(self.sentences.format(code, **data)).splitlines()

    # -- orders ----------------------------------------------------------------------------------

    def _receipt(self) -> Lines:
        if self.over:
            yield from self._paragraph("desk-over")
        elif self.read is not None:
            receipt = submissions.submit_orders(
                self.game,
                self.power,
                self.asked.orders_text,
                self.row.key,
                "",
                self.row.received,
                self.read,
            )
            yield from ReceiptText(self.game, receipt, self.sentences).lines()
        else:
            yield from self._paragraph("answer-nothing")
            yield from self._paragraph(f"answer-how-{self.position.phase.kind}", **self.examples)
            yield ""
            yield from self._counting_orders()

    # -- what the game master reads --------------------------------------------------------------

    @cached_property
    def lines(self) -> tuple[Understood, ...]:
        """The lines of the mail that are neither commands nor press, as they were understood."""
        text = self.asked.orders_text
        if self.read is not None:
            return self.read.lines
        if self.over:
            lines = filter(str.strip, text.split("\n"))
            return tuple(Understood(line, "", PROSE, "", {}) for line in lines)
        return self._read_lines(text, self.message.name)

    def _read_lines(self, text: str, writer: str = "") -> tuple[Understood, ...]:
        game, power = self.game, self.power
        return submissions.read_mail_for_phase(game, game.head(), power, text, writer=writer).lines

    def _asks_for_more(self, text: str) -> bool:
        """Tell whether a text to the game master may have orders, for now or later, or votes."""
        if self.over:
            return False
        lines = self._read_lines(text)
        bad = (one for one in lines if one.verdict not in (PROSE, UNTAKEN))
        short = (one.text for one in lines if len(one.text.split()) <= _MOST_OF_WORDS)
        if any("?" not in said and self.words.may_be_order(said) for said in short):
            return True
        return bool(commands.find_votes(text, self.game.base)) or any(
            line.order or (line.code != "in-sentence" and len(line.text.split()) <= _MOST_OF_ORDER)
            for line in bad
        )

    @cached_property
    def parts_for_master(self) -> tuple[Part, ...]:
        """What the mail says to the game master; to be asked for when its press was taken."""
        notes = [note for note in self.message.notes if note.code in NOTES_FOR_MASTER]
        said = [Part(TEXT, remark)] if (remark := self._find_remark()) else []
        said += find_parts(self.asked, self.lines, self.press_to_master, notes, self.words)
        return tuple(said)

    @cached_property
    def words(self) -> Words:
        """The words of courtesy and of orders of the writer."""
        names = [self.player.name, self.message.name, self.settings["mail_name"], self.game.name]
        for power, each in self.game.base.powers.items():
            names += [power, *map(each.name, LANGUAGES)]
        own = map(lower_ascii, self.player.addresses)
        writes = methodcaller("writes_from", {*self.message.senders, *own})
        played = filter(writes, people.read_players(self.game))
        powers = {self.power, *(one.power for one in played)}
        others = people.read_games_beside(self.game)
        beside = (position for those, position in others if any(map(writes, those)))
        return Words.of(names, self.position, () if self.over else powers, beside)

    def _find_remark(self) -> str:
        """Return what the subject says to the game master, "" if nothing, or if the text has it."""
        if self.message.kind != PERSON:
            return ""
        letters = map(self.outbox.subject, self.outbox.recent(self.power, RECENT))
        subject = find_subject_words(self.message.subject, [*letters, *self._list_sheets()])
        is_new = subject not in self.message.text
        for vote in commands.find_votes_in_subject(subject, self.game.base):
            subject = subject.replace(vote, people.LEFT_OUT)
        return self.words.show(subject) if is_new and self.words.is_remark(subject) else ""

    def _list_sheets(self) -> Lines:
        """Yield the subjects that order sheets of the last phases give their mails."""
        phases = [row.name for row in self.game.line()][-RECENT:]
        for phase, sentences in product(
            (*phases, str(self.position.phase)), map(load_sentences, LANGUAGES)
        ):
            name = phase_name(phase, self.position.board, sentences)
            yield sentences.format("sheet-subject", game=self.game.name, phase=name)

    def _list_said(self) -> Lines:
        for part in self.parts_for_master:
            if part.kind == TEXT:
                text = shorten(part.text, _LONGEST_QUOTE, placeholder=" …")
                yield from self._paragraph("answer-to-master", text=text)

    def _notes(self) -> Lines:
        for note in self.message.notes:
            if note.code in _NOTES_FOR_WRITERS:
                yield from self._paragraph(f"note-{note.code}", **note.data)
        if self.read is None:  # sentences that may have been meant as orders
            yield from untaken_lines(self.lines, self.position.board, self.sentences)
        if left_out := self._left_out() if self._wants_receipt else []:
            yield from self._paragraph("answer-left-out", orders=", ".join(left_out))

    def _left_out(self) -> list[str]:
        """Return the orders found only in removed parts of the mail that no letter of the game has,
        for units to which the mail gives no order, except those that count."""
        if self.over:
            return []
        about = self.message.unsent, self.position, self.power
        found, lines = find_orders(*about), commands.find_orders_in_sentences(*about)
        later = self.find_later_orders(self.message.unsent)
        votes = dict.fromkeys(commands.find_votes(self.message.unsent, self.game.base))
        if not (found or lines or later or votes):
            return []
        read = "\n".join(line.order for line in self.read.lines) if self.read else ""
        ordered = set(map(find_subject, find_orders(read, self.position, self.power)))
        receipt = self._read_receipt()
        counting = receipt.orders if receipt else ()
        texts = [write_order(order) for order in found if find_subject(order) not in ordered]
        ahead = submissions.read_advance_orders(self.game, self.power).get(self.power, {})
        asked = (command.line for command in self.asked.commands)
        known = {one.upper() for one in (*counting, *chain.from_iterable(ahead.values()), *asked)}
        texts = [text for text in (*texts, *later, *votes) if text.upper() not in known]
        return [*texts, *(line for line in lines if not any(each in line for each in counting))]

    def find_later_orders(self, text: str) -> tuple[str, ...]:
        """Return the orders of a text that are for later phases."""
        if not text or self.over:
            return ()
        return tuple(one.order for one in self._read_lines(text) if one.ahead and one.order)

    def _read_receipt(self) -> Receipt | None:
        return read_receipt(self.game, self.game.head(), self.power)

    def _counting_orders(self, command: Command | None = None) -> Lines:
        receipt = self._read_receipt()
        if self.over:
            yield from self._paragraph("desk-over")
        elif receipt is None:
            yield from self._paragraph("answer-none-sent")
        else:
            yield from ReceiptText(self.game, receipt.shown, self.sentences).lines_now()

    # -- commands --------------------------------------------------------------------------------

    def _answer_command(self, command: Command) -> list[str]:
        """Do one command and return its answer; a refusal is the answer as well."""
        if (write := _WRITERS.get(command.kind)) is None:
            return []
        title = f"answer-{command.kind.removeprefix('no-')}"
        try:
            return self._add_title(title, write(self, command))
        except AlexMagnumError as error:
            is_over = error.code == "game-is-over"  # worded for the game master
            said = self.sentences.format("desk-over") if is_over else self.sentences.error(error)
            return self._add_title(title, wrap_text(said).splitlines())

    def _status(self, command: Command) -> Lines:
        if (now := status.read_status(self.game)).over:
            yield from self._paragraph("desk-over")
            return
        yield from self._paragraph(
            "answer-open", phase=phase_in_words(self.position, now.phase, self.sentences)
        )
        yield from ClockReading.of(self.game).format_deadline(self.sentences).splitlines()
        due = [power for power in now.powers if power.wanted]
        done = sum(not power.is_lacking for power in due)
        yield from self._paragraph("answer-complete", done=done, due=len(due))
        own = next(power for power in now.powers if power.power == self.power)
        yield from self._paragraph("answer-own", given=own.given, wanted=own.wanted)

    def _history(self, command: Command) -> Lines:
        """Return the player's own orders, with results, in the phases that the request names
        (``322``, ``primavera 322``, ``323-1``); by default in the last ones."""
        game, line, named = self.game, self.game.line(), command.argument
        said = fold(named).replace("-", " ").split()
        words = {phase_word(word) for word in said} - {"bc", "ac", "a.c.", "of", "del"}
        wanted = [row.name for row in line if words and words <= {*row.name.split("-")}]
        if not named:
            wanted = [row.name for row in line if not row.passed][-_PHASES_BACK:]
        for name in wanted:
            outcome = disclose_outcome(read_processed(game, name, None).outcome, self.power)
            yield phase_in_words(outcome.position, name, self.sentences)
            for order in format_order_lines(outcome, self.power, self.sentences):
                result = self.sentences.format(f"result-{order.result}")
                text = f"{order.text}: {result}; {order.why}"
                yield from wrap_text(text, "  ", "      ").splitlines()
            yield ""
        if not wanted:
            code = "answer-no-such-phase" if named else "answer-no-history"
            yield from self._paragraph(code, phase=named, **self.examples)

    def _house_rules(self, command: Command) -> Lines:
        for rule in format_house_rules(select_house_rules(self.settings), self.sentences):
            yield from wrap_text(rule, "  - ", "    ").splitlines()

    def _map(self, command: Command) -> Lines:
        from alexmagnum.draw import draw_position, render_svg

        position, name = self.position, self.game.name
        title = phase_name(position.phase, position.board, self.sentences)
        scene = draw_position(position, self.sentences, title=title, subtitle=name)
        file = f"map-{position.phase}.png"
        self.attachments.append(Attachment(file, "image/png", _render(render_svg(scene))))
        yield from self._paragraph("answer-attached", file=file)

    def _help(self, command: Command) -> Lines:
        yield from self.sentences.format("answer-help-text", **self.examples).splitlines()

    def _absence(self, command: Command) -> Lines:
        if not command.argument:
            if (player := self.player).absent_from:
                yield from self._tell_absence(player.absent_from, player.absent_until)
            yield from self._paragraph("answer-absence-how")
            return
        first, last = parse_absence(command.argument, self.settings["timezone"], self.game.now())
        people.set_absence(self.game, self.power, str(first), str(last), "")
        yield from self._tell_absence(str(first), str(last))
        yield from self._paragraph("answer-absent-deadline")

    def _tell_absence(self, first: str, last: str) -> Lines:
        code = "answer-absent" if first != last else "answer-absent-day"
        days = [format_day(day, self.sentences) for day in (first, last)]
        yield from self._paragraph(code, first=days[0], last=days[1])

    def _no_absence(self, command: Command) -> Lines:
        people.set_absence(self.game, self.power, "", "", "")
        yield from self._paragraph("answer-not-absent")

    def _unread_request(self, command: Command) -> Lines:
        yield from self._paragraph("answer-not-read", line=command.line)

    def _stray_end(self, command: Command) -> Lines:
        yield from self._paragraph("answer-no-beginning", line=command.line, **self.examples)

    def _cast_pace_vote(self, command: Command) -> Lines:
        people.cast_vote(self.game, self.power, command.kind)
        yield from self._paragraph(f"answer-noted-{command.kind}")

    def _vote(self, command: Command) -> Lines:
        targets = command.argument.split()
        if command.unknown:
            yield from self._paragraph("answer-unknown", names=", ".join(command.unknown))
            return
        if command.kind == people.CONCEDE and len(targets) != 1:
            yield from self._paragraph("answer-concede-how", **self.examples)
            return
        people.cast_vote(self.game, self.power, command.kind, targets)
        among = self._name_powers(targets) or self.sentences.format("answer-all-left")
        yield from self._paragraph(f"answer-noted-{command.kind}", powers=among)

    def _ask_vote(self, command: Command) -> Lines:
        yield from self._paragraph("answer-vote-unsure", line=command.line)

    def _no_vote(self, command: Command) -> Lines:
        people.withdraw_vote(self.game, self.power, command.kind.removeprefix("no-"))
        yield from self._paragraph("answer-withdrawn")

    def _clear(self, command: Command) -> Lines:
        scope = find_scope(self.asked)
        receipt = submissions.clear_orders(self.game, self.power, "", self.row.received, scope)
        code = "answer-cleared" if receipt.replaces else "answer-none-sent"
        yield from self._paragraph("answer-cleared-all" if scope == EVERYTHING else code)
        if self.read is None:
            yield from ReceiptText(self.game, receipt, self.sentences).lines_now()

    # -- press -----------------------------------------------------------------------------------

    def _press(self) -> list[str]:
        lines: list[str] = []
        pieces, say = self.asked.press[:_MOST_COMMANDS], self.sentences.format
        for piece in pieces:
            said = say("remark", text=piece.line, why=self._take_press(piece))
            lines += wrap_text(said, "  - ", "    ").splitlines()
        if left := len(self.asked.press) - len(pieces):
            lines += ["", *wrap_text(say("press-left", number=left)).splitlines()]
        text = "\n".join(piece.text for piece in pieces)
        if inside := find_orders(text, self.position, self.power):
            told = say("press-orders", orders="; ".join(map(write_order, inside)))
            lines += ["", *wrap_text(told).splitlines()]
        return self._add_title("answer-press", lines)

    def _take_press(self, piece: PressPiece) -> str:
        """Store a piece of press for the report or relay it; return the answer to its writer.

        What leaves any doubt of who is to read it goes to nobody.
        """
        game, say, power = self.game, self.sentences.format, self.power
        text = hide_codes(game, self._remove_signature(piece.text))
        hidden = people.hides_names(game) and (piece.readers or piece.to_all)
        # Names of others are not looked for: to refuse one would tell the writer who plays.
        writers = [self.player] if piece.anonymous or hidden else []
        betrayed = people.find_names_of(game, writers, text)
        if (fault := self._find_fault_of_press(piece, text)) or betrayed:
            names = ", ".join(piece.unknown or betrayed)
            inner = self._find_inner_heading(piece)
            data = {"names": names, "line": inner, "count": LONGEST, "most": MOST_IN_PHASE}
            data |= self.examples
            return say(fault or "press-betrays", **data)
        manner = people.ANONYMOUS if piece.anonymous else people.SIGNED
        master = (people.MASTER,) if piece.to_master else ()
        readers = (*((people.ALL,) if piece.to_all else piece.readers), *master)
        relayed = (self.over or self.settings["press"] == "relay") and readers != (people.MASTER,)
        state = people.RELAYED if relayed else people.HELD
        press = people.store_press(game, power, readers, manner, text, state, self.row.id)
        if master:
            self.press_to_master.append(text)
        if readers == (people.MASTER,):
            return say("press-master")
        named = format_readers(readers, game.base, self.sentences)
        bots = [player.power for player in people.read_players(game) if player.is_bot]
        told = say("press-relayed" if relayed else "press-held", readers=named)
        missed = relay_press(self.outbox, press) if relayed else []
        remarks = {
            "press-bot": self._name_powers(bot for bot in bots if bot in readers),
            "press-missed": self._name_powers(each for each in missed if each not in bots),
        }
        said = [say(code, powers=powers) for code, powers in remarks.items() if powers]
        return " ".join((f"{told.rstrip('.')}.", *said)) if said else told

    def _find_fault_of_press(self, piece: PressPiece, text: str) -> str:
        """Return the code of why a piece with that text is refused, "" if it is taken."""
        to_others = piece.to_all or piece.readers
        is_open = not piece.closed and bool(
            to_others or find_orders(text, self.position, self.power) or self._asks_for_more(text)
        )
        faults = {
            "press-off": self.settings["press"] == "off" and (to_others or not piece.to_master),
            "press-unknown": piece.unknown,
            "press-nobody": not (to_others or piece.to_master),
            # Without its end, orders below it and what is for others would go out as well.
            "press-inner": self._find_inner_heading(piece),
            "press-unclosed": is_open,
            "press-unsigned": piece.anonymous and self.settings["press_anonymous"] == "no",
            "press-long": len(text) > LONGEST,
            "press-full": people.count_written(self.game, self.power) + len(text) > MOST_IN_PHASE,
            "press-empty": not text.strip(),
        }
        return next((code for code, is_so in faults.items() if is_so), "")

    def _find_inner_heading(self, piece: PressPiece) -> str:
        """Return a line in a piece that may begin another one, "" if none does.

        A line that only names another player counts if there are orders of the writer in the piece,
        unless one of that player's follows: then it is a proposal.
        """
        lines, has_orders = piece.text.split("\n"), False
        if piece.addressed and not piece.inner:
            has_orders = bool(find_orders(piece.text, self.position, self.power))
        for at, powers in piece.addressed[:_MOST_COMMANDS] if has_orders else ():
            below = next(filter(str.strip, lines[at + 1 :]), "")
            proposed = read_orders(below, self.position).orders
            if {*powers} != {self.power} and proposed.keys().isdisjoint(powers):
                return lines[at].partition(":")[0].strip()
        return piece.inner

    def _remove_signature(self, text: str) -> str:
        """Return a text without a signature: last lines with the name of writer or power."""
        power = self.game.base.powers[self.power]
        names = (self.player.name, self.power, *map(power.name, LANGUAGES))
        known = {fold(word) for name in names for word in _WORD.findall(name)}
        lines = text.rstrip().split("\n")
        while lines and known.issuperset(map(fold, _WORD.findall(lines[-1]))):
            lines.pop()
        return "\n".join(lines)

    def _name_powers(self, powers: Iterable[str]) -> str:
        return ", ".join(power_name(self.game.base, power, self.sentences) for power in powers)


def relay_press(outbox: Outbox, press: Press) -> list[str]:
    """Draft a letter with press to each of its readers; return those who have no address."""
    game, sender = outbox.game, "" if press.manner == people.ANONYMOUS else press.sender
    reachable = {player.power: player for player in people.read_people(game) if player.address}
    readers = game.base.powers if people.ALL in press.readers else press.readers
    others = [reader for reader in readers if reader not in (press.sender, people.MASTER)]
    text = people.leave_names_out(game, (), (press,)).get(press.text, press.text)
    said = quote_lines(wrap_text(text.strip()))
    for reader in filter(reachable.__contains__, others):
        sentences = load_player_sentences(game, reachable[reader])
        head = format_press_heading(sender, press.readers, game.base, sentences)
        letter = Letter(
            sentences.format("subject-press"),
            f"{head}\n\n{said}\n\n-- \n{sentences.format('press-answer')}\n",
            lang=sentences.lang,
        )
        outbox.draft(LetterKey(Occasion.PRESS, reader, press=press.id), letter)
    return [reader for reader in others if reader not in reachable]


@lru_cache(maxsize=4)
def _render(svg: str) -> bytes:
    """Return the picture of a map, for several players who ask for the same one."""
    from alexmagnum.draw import render_png

    return render_png(svg)


_WRITERS: Mapping[str, Callable[[Answer, Command], Lines]] = {
    "status": Answer._status,
    "orders": Answer._counting_orders,
    "history": Answer._history,
    "map": Answer._map,
    "rules": Answer._house_rules,
    "help": Answer._help,
    "absence": Answer._absence,
    "no-absence": Answer._no_absence,
    "wait": Answer._cast_pace_vote,
    "ready": Answer._cast_pace_vote,
    "draw": Answer._vote,
    "concede": Answer._vote,
    "no-draw": Answer._no_vote,
    "no-concede": Answer._no_vote,
    CLEAR: Answer._clear,
    commands.ASK_DRAW: Answer._ask_vote,
    commands.UNREADABLE: Answer._unread_request,
    STRAY_END: Answer._stray_end,
}


# Notes that tell a player that a mail in their name waits for the game master.
#
# A note says only where the mail is from, or why nothing can be read in it, and carries the code: a
# player who wrote that mail has only to answer.


_UNTOLD = """waits-too-many waits-list waits-stumbled waits-stopped waits-automatic
waits-other-game waits-orders-elsewhere"""
_REASONS_UNTOLD = frozenset(_UNTOLD.split())  # reasons to wait that the player does not hear of

_MOST_NOTES = 3  # that a player gets in a phase: mails in their name may come from anywhere


def find_reachable_player(game: Game, power: str) -> Player | None:
    """Return the player of a power; None if there is no address to write to or from."""
    if not game.settings["mail_address"]:
        return None
    return next((p for p in people.read_players(game) if p.power == power and p.address), None)


def question_key(game: Game, power: str) -> LetterKey:
    """Return the key of the letter that asks a player for which game a mail was meant."""
    return LetterKey(Occasion.WARNING, power, phase=str(game.head().name), times=1)


def tell_that_mail_waits(outbox: Outbox, row: Message, power: str, why: tuple[Why, ...]) -> None:
    """Draft a note to the registered player about a mail that waits, if they are to hear of it.

    A note that says the same is drafted once a phase.
    """
    game, codes = outbox.game, {reason.code for reason in why}
    player = find_reachable_player(game, power)
    if player is None or _REASONS_UNTOLD & codes or game.settings["waiting_note"] == "no":
        return
    sentences, is_question = load_player_sentences(game, player), mail_store.SEVERAL_GAMES in codes
    letter = Letter(
        sentences.format("subject-which-game" if is_question else "subject-waiting"),
        f"{wrap_text(_say_why_mail_waits(game, player, row, why, sentences))}\n",
        lang=sentences.lang,
        about_message=row.id,
    )
    (_ask_which_game if is_question else _warn)(outbox, power, letter)


def _say_why_mail_waits(
    game: Game, player: Player, row: Message, why: tuple[Why, ...], sentences: Sentences
) -> str:
    say, reasons = sentences.format, {reason.code: reason.data for reason in why}
    fault = next((code for code in FAULTS if code in reasons), "")
    if several := reasons.get(mail_store.SEVERAL_GAMES):
        return say("which-game-text", games=several["games"], game=game.name)
    if [*reasons] == ["waits-code-of-past"]:
        phases = reasons["waits-code-of-past"].items()
        named = {name: phase_name(phase, game.base, sentences) for name, phase in phases}
        return say("waiting-old-code-text", **named)
    if fault:
        return say("waiting-unread-text", why=say(fault))
    if [*reasons] == ["waits-half-read"]:
        return say("waiting-long-text")
    # An address that is not this player's may be another player's.
    own = all(player.writes_from([each]) for each in row.sender.split(", "))
    code = "waiting-text-hidden" if people.hides_names(game) and not own else "waiting-text"
    return say(code, sender=row.sender or "?")


def _ask_which_game(outbox: Outbox, power: str, letter: Letter) -> None:
    """Ask a player, once a phase, whether a mail was meant for this game or another.

    The letter carries the code of this game, so that an answer to it says for which one it is.
    """
    key = question_key(outbox.game, power)
    known = outbox.by_key(key)
    if known is not None and known.state == DROPPED and known.problem is not None:
        outbox.set_grounds(known.id, {**known.grounds, "waiting": str(letter.about_message)})
        outbox.bring_back([known])
    else:
        outbox.draft(key, letter)


def _warn(outbox: Outbox, power: str, letter: Letter) -> None:
    """Warn a player that a mail in their name waits.

    Dropped notes do not count among those of the phase: the player has not read them.
    """
    question, notes = question_key(outbox.game, power), 0
    for key in (replace(question, times=times) for times in count()):
        known = outbox.by_key(key) if key != question else None
        if key != question and known is None:
            outbox.draft(key, letter)
            return
        if known is not None and known.state != DROPPED:
            notes += 1
            if notes == _MOST_NOTES or outbox.text(known).split() == letter.text.split():
                return
