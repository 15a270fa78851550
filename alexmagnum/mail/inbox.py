"""The inbox: mail fetched, its sender identified, and what happens to it decided."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from email.message import Message as Fields
from functools import cache, cached_property, partial
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

from alexmagnum.board.model import list_examples
from alexmagnum.errors import GameError
from alexmagnum.files import open_own
from alexmagnum.game import mail_store, people, submissions
from alexmagnum.game.copies import keep_daily_copy
from alexmagnum.game.file import hold_lock
from alexmagnum.game.game import DOUBTFUL, PROSE, UNTAKEN, Game
from alexmagnum.game.orders import Mail
from alexmagnum.game.records import CodeRow
from alexmagnum.game.settings import lower_ascii
from alexmagnum.i18n.dates import format_iso, parse_iso, to_local
from alexmagnum.i18n.sentences import Sentences, load_sentences
from alexmagnum.mail import answers, transport, tray
from alexmagnum.mail.drafts import update_drafts
from alexmagnum.mail.outbox import RECENT, Outbox
from alexmagnum.mail.parsing import commands
from alexmagnum.mail.parsing import message as parsed
from alexmagnum.mail.parsing.mime import MAX_HEADER, remove_tag, to_one_line
from alexmagnum.mail.parsing.passages import AUTOMATIC, TEXT, Part
from alexmagnum.notation import read_orders
from alexmagnum.notation.names import power_name

# The signs by which a mail belongs to a game: a code, a tag, its thread, its sender.
#
# Every letter of a game has its tag in the subject (``[AM-perdicca]``) and in the address for
# answers (``gm+perdicca-7h2k9mqx@example.org``).


_SUBJECT_TAG = re.compile(r"\[AM-([a-z0-9-]+)\]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class GameSigns:
    """The signs in a mail for one game.

    ``slug`` is the game's tag, ``tagged`` if the mail has it; ``codes`` are the game's codes in the
    mail; ``other_tag`` is a tag of another game, "" if there is none; ``coded``: it has a code, of
    whichever game; ``answers`` are the letters of the game that it answers or brings back;
    ``powers`` are those whose players have the address that it is from.
    """

    slug: str
    codes: tuple[CodeRow, ...]
    tagged: bool
    other_tag: str
    coded: bool
    answers: tuple[mail_store.Mailing, ...]
    powers: tuple[str, ...]

    @property
    def names_game(self) -> bool:
        """Tell whether the mail itself names the game, whoever sent it."""
        return bool(self.codes or self.answers) or self.tagged

    @property
    def names_other(self) -> bool:
        """Tell whether the mail answers another game, whose tag and code it has, and not this one.

        A tag alone may be a slip.
        """
        return bool(self.other_tag) and self.coded and not self.names_game


def find_game_signs(game: Game, message: parsed.IncomingMail) -> GameSigns:
    """Return the signs in a mail for a game."""
    own = mail_store.game_slug(game)
    coded = tuple(_find_tags_of_address(message, game.settings["mail_address"]))
    tags = (*map(str.casefold, _SUBJECT_TAG.findall(message.subject)), *coded)
    return GameSigns(
        slug=own,
        codes=mail_store.find_codes(game, (message.subject, *message.to)),
        tagged=own in tags,
        other_tag=next((tag for tag in tags if tag != own), ""),
        coded=bool(coded) or mail_store.remove_subject_tag(message.subject) != message.subject,
        answers=mail_store.OutboxStore(game.file).find_letters_with(message.references),
        powers=find_powers_at(game, message.senders),
    )


def find_powers_at(game: Game, addresses: Iterable[str]) -> tuple[str, ...]:
    """Return the powers whose players have one of some addresses."""
    folded = set(map(lower_ascii, addresses))
    return tuple(player.power for player in people.read_players(game) if player.writes_from(folded))


def _find_tags_of_address(message: parsed.IncomingMail, address: str) -> Iterator[str]:
    for to in message.to:
        name, _, code = to.partition("@")[0].partition("+")[2].rpartition("-")
        if name and mail_store.is_code(code) and remove_tag(to) == lower_ascii(address):
            yield name


_SPAM_FIELDS = ("X-Spam-Flag", "X-Spam-Status", "X-Spam", "X-Spam-Result")


# Reasons in words: why a mail waits, or was set aside.


def format_why(why: mail_store.Why, game: Game, sentences: Sentences) -> str:
    """Return a reason in words, with names of powers and times in the game's time zone."""
    if "at" in (data := {name: to_one_line(str(value)) for name, value in why.data.items()}):
        local = to_local(parse_iso(data["at"]), game.settings["timezone"])
        data["at"] = local.strftime("%Y-%m-%d %H:%M")
    if "powers" in data:
        named = [power_name(game.base, power, sentences) for power in data["powers"].split(", ")]
        data["powers"] = ", ".join(named)
    return sentences.format(why.code, **data)


# Mails of people on the standby list: each waits for the game master, who alone decides.


def find_standby_reason(game: Game, message: parsed.IncomingMail) -> mail_store.Why | None:
    """Return why a mail of somebody on the standby list, or the answer to an invitation from any
    address, waits; None for any other mail."""
    letters = mail_store.OutboxStore(game.file).find_letters_with(message.references)
    invited = {letter.key.standby for letter in letters}
    listed = [one for one in people.read_standby(game) if one.id in invited]
    listed += people.find_standby_at(game, message.senders)
    if not listed:
        return None
    person = listed[0]
    powers = ", ".join(find_invited_powers(game, person.id))
    code, more = ("waits-invited", {"powers": powers}) if powers else ("waits-standby", {})
    return mail_store.Why.of(code, number=str(person.id), name=person.name, **more)


def find_invited_powers(game: Game, number: int) -> tuple[str, ...]:
    """Return the powers that somebody on the standby list was invited to take over."""
    acts = [
        mailing.key.act or 0
        for mailing in mail_store.OutboxStore(game.file).list_letters(
            (mail_store.SENDING, mail_store.SENT, mail_store.UNCERTAIN)
        )
        if mailing.key.occasion == mail_store.Occasion.INVITATION and mailing.key.standby == number
    ]
    return tuple(dict.fromkeys(people.find_power_of_act(game, act) for act in acts))


# The author of a mail, and the decision whether that is certain enough to take it.
#
# A mail is taken if it comes from the registered address of a player *and* brings the code of the
# open phase (or answers a mail that did). On any doubt it waits for the game master, with the
# reasons.


HALF_READ = frozenset({"too-large", "too-many-parts", "unreadable"})
"""Notes on a mail that was not read as a whole: its end may say otherwise."""

_PIECE = re.compile(r'"(?P<quoted>(?:[^"\\]|\\.)*+)(?P<end>"?)|[()]|[^"()]++')
_WORD = re.compile(r"[\w.@-]*")
_RESULT = re.compile(r"\b(dmarc|dkim|spf)(?:\s*/\s*\d+)?\s*=\s*(\w+)([^;]*)")
_DOMAIN = re.compile(r"(?<!\S)header\.(?:d|i|from)\s*=\s*(?:[^\s@]*@)?([\w.-]+)")


def _remove_comments(field: str) -> str:
    """Return a header field without comments, which may be nested, and without quoted text but for
    single words."""
    pieces, opened = list[str](), list[int]()
    for piece in _PIECE.finditer(field):
        if piece[0] == ")" and opened:
            pieces[opened.pop() :] = [" "]
        elif piece["end"]:
            pieces.append(piece["quoted"] if _WORD.fullmatch(piece["quoted"]) else "")
        else:
            if piece[0] == "(":
                opened.append(len(pieces))
            pieces.append(piece[0])
    return "".join(pieces)


def _read_verdicts(fields: Fields, host: str) -> Iterator[tuple[str, str]]:
    """Yield methods and results of our own mail server, whose fields stand above those of others.

    A signature counts if its domain fits the sender's host; that of another proves nothing, and
    a policy of another speaks of another mail.  Comments and quoted text may be the sender's words.
    """
    own = None
    for name, value in fields.items():
        if name.casefold() == "received" and own is not None:
            return
        if name.casefold() != "authentication-results":
            continue
        told = _remove_comments(str(value)[:MAX_HEADER].casefold())
        server = " ".join(told.partition(";")[0].split()[:1])
        own, domain = own or server, server.partition(".")[2]
        is_sibling = own != server  # some servers name each of their checks
        if is_sibling and ("." not in domain or domain != own.partition(".")[2]):
            return
        for method, result, more in _RESULT.findall(told):
            domains = _DOMAIN.findall(more)
            fits = method == "dmarc" and not domains
            for domain in domains:
                fits |= f".{host}".endswith(f".{domain}") or f".{domain}".endswith(f".{host}")
            counts = fits or method == "spf" or (method == "dkim" and result != "pass")
            if not (is_sibling and result == "pass"):  # anybody may name a sibling
                yield method, result if counts else "other"


_KEPT_BACK = frozenset({"waits-too-many", mail_store.ORDERS_ELSEWHERE, mail_store.ORDERS_PARTLY})
"""Why a mail waits whose words are not told."""


class MailInHand(answers.MailToAnswer):
    """A message while it is decided on and taken, within one transaction.

    ``state`` is what was decided: new, taken, waiting or aside; ``why`` gives the reasons.
    ``phase`` is the open phase if the message is, or may be, a player's mail for it, else "".
    """

    def __init__(
        self, outbox: Outbox, row: mail_store.Message, message: parsed.IncomingMail
    ) -> None:
        super().__init__(outbox, row, message)
        self.store, self.head = mail_store.InboxStore(outbox.game.file), self.game.head()
        self.signs = find_game_signs(self.game, message)
        self.for_master = tray.find_master_codes(self.game, message.subject, *message.to)
        self.codes = [c for c in self.signs.codes if not c.phase.startswith(tray.FOR_MASTER)]
        self.state, self.why, self.phase = mail_store.NEW, tuple[mail_store.Why, ...](), ""
        self.is_guessed, is_known = False, bool(self.signs.powers or self.codes)
        self.standby = None if is_known else find_standby_reason(self.game, message)

    @cached_property
    def fields(self) -> Fields:
        return transport.read_fields(self.store.raw(self.row.id))

    def decide(self) -> None:
        """Decide on the message, and do what it asks for if it is taken.

        Doubts that were stored with it make it wait, if it is not left aside.
        """
        if self.for_master and tray.is_from_master(self.game, self.message):
            doubts = tuple(self._doubts_of_mail())
            done = tuple(w for w in self.row.why if w.code.startswith(mail_store.COMMANDS))
            self.state = mail_store.WAITING if doubts else mail_store.ASIDE
            self.why = doubts or done or (mail_store.Why.of(mail_store.COMMANDS),)
            return
        self.power, is_answer = self._find_author(), self.signs.names_game or self.signs.answers
        if self.row.received < self.game.info.created <= self.row.fetched and not is_answer:
            self._set_aside(mail_store.Why.of("aside-before-game"))
            return
        reason = self._find_reason_to_ignore()
        if reason is not None and not (self._is_of_player and self._has_requests):
            self._set_aside(reason)
        else:
            self._judge_author(reason)
        if self.row.why and self.state != mail_store.ASIDE:
            self._wait(*self.row.why)
        if self.state == mail_store.TAKEN:
            self.phase = self.head.name
            self.read = self.read_orders(self.power, self.message.name)
            if (doubt := self._find_last_doubt()) is None:
                self.take()
            else:
                self._wait(doubt)
            return
        if self.state == mail_store.WAITING and self._may_be_for_open_phase():
            self.phase = self.head.name
        failed = find_powers_at(self.game, self.message.bounced)
        self._bring_back_letters()
        if self.state == mail_store.ASIDE and failed:
            self.power = _find_only(failed)
        elif self._is_of_player and _KEPT_BACK.isdisjoint(w.code for w in self.why + self.row.why):
            self.keep_words()

    def _bring_back_letters(self) -> None:
        """Make letters that pass words on drafts again if they came back: they go once their
        reader has another address."""
        for letter in self._list_returned():
            passes_on = letter.key.occasion in mail_store.PASSING_WORDS_ON
            if passes_on and letter.state == mail_store.SENT:
                self.outbox.bring_back([letter])
                problem = GameError("mail-came-back", address=letter.address)
                self.outbox.set_state(letter.id, mail_store.DRAFT, problem=problem)

    def _list_returned(self) -> list[mail_store.Mailing]:
        """Return the letters that a notice brings back from the addresses they went to."""
        failed = self.message.bounced
        return [one for one in self.signs.answers if lower_ascii(one.address) in failed]

    def _wait(self, *why: mail_store.Why) -> None:
        """Let the message wait for further reasons."""
        self.state, self.why = mail_store.WAITING, (*self.why, *why)

    def _set_aside(self, why: mail_store.Why) -> None:
        self.state, self.why = mail_store.ASIDE, (why,)

    def pass_on(self, answered: int) -> None:
        """Pass the message, of the game master, on to the player whose words it answers.

        On a doubt it waits.
        """
        doubts = (*self.row.why, *self._doubts_of_mail())
        if doubts:
            self._wait(*doubts)
            return
        try:
            power = tray.pass_on(self.outbox, answered, self.message).power
            self._set_aside(mail_store.Why.of("aside-answer", powers=power))
        except GameError as error:
            sentences = load_sentences(self.game.settings["lang"])
            self._wait(mail_store.Why.of("waits-answer", why=sentences.error(error)))

    # -- whether it is left aside ----------------------------------------------------------------
    #
    # Of what a player may have written nothing is left aside in silence, whatever the reason: it
    # waits if it asks for anything, and else its words go into the tray.

    @property
    def _is_of_player(self) -> bool:
        """Tell whether a player may have written the message for this game.

        It has their address or code, answers no other game, and is no letter of the game itself.
        """
        message, signs = self.message, self.signs
        is_to_player = bool(self.outbox.find_letters_with([message.message_id]))
        is_to_master = bool(self.for_master) and commands.LOOP_HEADER in self.fields
        is_own = message.kind in (commands.OWN, commands.OWN_PERSON)
        is_letter = is_own and (is_to_player or is_to_master)
        # A notice that a letter came back has the code of this letter.
        is_notice = message.bounced or "delivery-delayed" in message.codes
        is_known = bool(signs.powers or (self.codes and not is_notice))
        return is_known and not (is_letter or signs.names_other)

    def keep_words(self, *, is_left_out: bool = False) -> None:
        """Put into the tray what a player says in a message that is not taken."""
        sure = self.power  # of one that waits, nobody may be
        self.power = sure or [*self.signs.powers, *(code.power for code in self.codes)][0]
        answer = answers.Answer(self)
        parts = answer.parts_for_master
        if self.message.kind == commands.AUTO_REPLY:  # "Sono assente fino al 30/11" is no command
            said = (answer.words.show(each.line) for each in answer.asked.commands)
            every = dict.fromkeys((*(part.text for part in parts), *said))
            parts = tuple(Part(AUTOMATIC, text) for text in every)
        parts = (Part(TEXT, people.LEFT_OUT),) if parts and is_left_out else parts
        tray.store_parts(self.game, self.row.id, self.power, parts, is_sure=False)
        self.power = self.power if self.state == mail_store.ASIDE else sure

    def _find_reason_to_ignore(self) -> mail_store.Why | None:
        """Return why the message is none of the game's business, None if it may be.

        No person wrote it to the game, it answers another game, a spam filter has marked it, the
        game master wrote it, or it does not name the game and asks for nothing.
        """
        signs, message = self.signs, self.message
        if message.kind == commands.BOUNCE:
            notes, failed = message.notes, message.bounced
            late = next((note.data for note in notes if note.code == "delivery-delayed"), None)
            if late and not failed:
                return mail_store.Why("aside-delayed", late)
            whose = find_powers_at(self.game, failed)
            is_sure = self._list_returned() or any(code.power in whose for code in signs.codes)
            code = mail_store.BOUNCED if is_sure else mail_store.BOUNCED_PERHAPS
            return mail_store.Why.of(code, addresses=", ".join(failed) or "?")
        if message.kind != commands.PERSON and not self.standby:
            return mail_store.Why.of(f"aside-{message.kind}")
        if signs.names_other:
            return mail_store.Why.of("aside-other-game", tag=signs.other_tag)
        # Any server on the way may have marked it.
        marks = (str(self.fields.get(name, "")).strip().casefold() for name in _SPAM_FIELDS)
        is_marked = any(mark.startswith(("yes", "true", "spam")) for mark in marks)
        if is_marked and not (signs.names_game or self.standby):
            return mail_store.Why.of("aside-spam")
        if tray.is_from_master(self.game, message) and not (signs.powers or signs.codes):
            return mail_store.Why.of("aside-gm")
        if signs.names_game or self.standby:
            return None
        is_unread = bool(message.codes & HALF_READ) or not message.text
        needs_no_sign = is_unread or self.game.settings["code_needed"] == "no"
        if self._has_requests or (signs.powers and needs_no_sign):
            return None
        return mail_store.Why.of("aside-private" if signs.powers else "aside-stranger")

    # -- its author ------------------------------------------------------------------------------

    def _judge_author(self, reason: mail_store.Why | None) -> None:
        """Judge whose message it is; a reason to ignore it is a doubt if it is a player's."""
        if self.standby is not None:
            self._wait(self.standby)
            return
        message = self.message
        known = {"aside-list": "waits-list", "aside-spam": "waits-spam"}
        doubts = [mail_store.Why.of(known.get(reason.code, "waits-automatic"))] if reason else []
        doubts += [*self._doubts_of_sender(), *self._doubts_of_code(), *self._doubts_of_mail()]
        usual = (*message.senders, "", lower_ascii(self.game.settings["mail_address"]))
        if doubts and remove_tag(message.reply_to) not in map(remove_tag, usual):
            # By itself it is no doubt: the answer goes to the registered address.
            doubts.append(mail_store.Why.of("waits-reply-to", address=message.reply_to))
        self.state, self.why = mail_store.WAITING if doubts else mail_store.TAKEN, tuple(doubts)

    def _find_author(self) -> str:
        """Return the power whose player wrote the message, "" if none is known.

        Of several with one address it is the one that its code or thread names, else that with the
        most orders in it: this is a doubt.
        """
        powers = self.signs.powers
        coded = {code.power for code in self.codes if not powers or code.power in powers}
        answered = {letter.power for letter in self.signs.answers if letter.power in powers}
        if (power := _find_only(powers) or _find_only(coded) or _find_only(answered)) or not powers:
            return power
        self.is_guessed = True
        orders = read_orders(self.asked.orders_text, self.game.position).orders
        return max(powers, key=lambda one: len(orders.get(one, ())))

    def _doubts_of_sender(self) -> Iterator[mail_store.Why]:
        message, signs = self.message, self.signs
        if signs.other_tag and not signs.names_game:
            yield mail_store.Why.of("waits-other-game", tag=signs.other_tag)
        if not message.senders:
            yield mail_store.Why.of("waits-no-sender")
        elif len(message.senders) > 1 or "from-several" in message.codes:
            yield mail_store.Why.of("waits-several-senders", addresses=", ".join(message.senders))
        elif not signs.powers:
            yield self._doubt_stranger(message.senders[0])
        elif self.is_guessed:
            yield mail_store.Why.of("waits-several-powers", powers=", ".join(signs.powers))
        if self.for_master:
            yield mail_store.Why.of("waits-code-of-master")
        if "address-in-name" in message.codes:
            yield mail_store.Why.of("waits-address-in-name", name=message.name)

    def _doubt_stranger(self, address: str) -> mail_store.Why:
        """Return the doubt about a mail from an address of no player: it may be of somebody who is
        back, whose power a bot plays."""
        game = self.game
        bots = {player.power for player in people.read_players(game) if player.is_bot}
        for past in reversed(people.read_players(game, past=True) if bots else ()):
            if past.power in bots and past.writes_from({address}):
                data = {"address": address, "powers": past.power, "id": past.power}
                if people.find_person_before(game, past.power).writes_from({address}):
                    return mail_store.Why.of("waits-before-bot", **data)
                return mail_store.Why.of(
                    "waits-before-others", **data, name=past.name, own=past.address
                )
        code = "waits-other-address" if self.signs.codes else "waits-unknown-address"
        return mail_store.Why.of(code, address=address)

    def _doubts_of_code(self) -> Iterator[mail_store.Why]:
        power, codes = self.power, self.codes
        if not power:
            return
        if foreign := [code.power for code in codes if code.power != power]:
            yield mail_store.Why.of("waits-code-of-other", powers=", ".join(dict.fromkeys(foreign)))
        # The name of a letter that a mail answers is no code: who begins a mail to another player
        # by answering one of ours gives it away.
        played = (one for one in people.read_players(self.game) if one.power == power)
        since = min((one.since for one in played), default="")
        mine = (one for one in self.signs.answers if one.power == power and one.created >= since)
        answered = [letter.phase for letter in mine]
        coded = [code.phase for code in codes if code.power == power]
        coded = [phase for phase in coded if not phase.startswith(tray.FOR_ANSWERS)]
        needs_code = self.game.settings["code_needed"] == "yes"
        own = coded if needs_code else [*coded, *answered]
        if self.head.name in own or (own and self.head.is_over):  # then any code tells who it is
            return
        # "" is the phase of a letter about an end undone since.
        named = coded if self.head.name in answered else (*coded, *answered)
        past = [phase for phase in named if phase not in ("", self.head.name)]
        if past and not self.head.is_over:
            yield mail_store.Why.of("waits-code-of-past", asked=past[-1], current=self.head.name)
        elif not foreign and needs_code:
            yield mail_store.Why.of("waits-no-code")
        elif not foreign and _is_before_phase(self.game, self.row):
            yield mail_store.Why.of("waits-before-phase", current=self.head.name)
        elif not foreign and self.row.received < since <= self.row.fetched:
            yield mail_store.Why.of("waits-former")

    def _doubts_of_mail(self) -> Iterator[mail_store.Why]:
        if self.message.codes & HALF_READ:
            yield mail_store.Why.of("waits-half-read")
        # Several senders are a doubt already.
        host = "".join(self.message.senders[:1]).rpartition("@")[2]
        told = dict.fromkeys(_read_verdicts(self.fields, host))
        good = ("dkim", "pass") in told or ("dmarc", "pass") in told
        is_forged = ("dmarc", "fail") in told or ("dmarc", "other") in told
        is_unsure = ("spf", "fail") in told or ("dmarc", "permerror") in told
        if is_forged or (is_unsure and not good):
            said = ", ".join(f"{method}={result}" for method, result in told)
            yield mail_store.Why.of("waits-forged", results=said)
        # Too many mails stop two programs that answer each other; much press is many letters.
        at = self.row.received
        begin = format_iso(parse_iso(at) - timedelta(hours=1))
        taken = self.store.count_taken(self.power, begin, at, people.RELAYED) if self.power else 0
        if taken >= int(self.game.settings["mails_an_hour"]):
            yield mail_store.Why.of("waits-too-many", count=str(taken))

    # -- what is in it ---------------------------------------------------------------------------

    def read_orders(self, power: str, writer: str = "") -> Mail | None:
        """Return the orders of the mail as read; None if there is nothing like an order in it."""
        text = self.asked.orders_text
        if self.head.is_over or not text.strip():
            return None
        read = submissions.read_mail_for_phase(
            self.game, self.head, power, text, answers.find_scope(self.asked), writer=writer
        )
        return read if any(line.verdict not in (PROSE, UNTAKEN) for line in read.lines) else None

    def _find_last_doubt(self) -> mail_store.Why | None:
        """Return why the mail waits although its sender is certain: nothing in it can be read, or
        it has orders and others came that were sent after it."""
        if fault := self._find_fault():
            return mail_store.Why.of(fault)
        if self.read is None and not answers.find_scope(self.asked):
            return None
        return self.store.find_overtaking(self.head.id, self.row, self.power)

    def _find_fault(self) -> str:
        """Return why nothing can be read in the mail if it is taken; "" if something can.

        Orders that stand only in quoted text are answered: the answer says why they do not count.
        So are words that stand in the subject alone.
        """
        fault = parsed.find_fault(self.message)
        if fault not in (parsed.EMPTY, parsed.ONLY_QUOTATION) or self.head.is_over:
            return fault
        found = commands.find_orders(self.message.removed, self.game.position, self.power)
        return "" if found or answers.Answer(self).parts_for_master else fault

    @cached_property
    def _has_requests(self) -> bool:
        """True if there is a command, press or anything like an order in the mail, of any power if
        none is known; of a player, also if it names units or places, was read in part, has nothing
        to read, or has orders in a quotation that no letter of the game has.

        What strangers send is read once, not once for each power.
        """
        if self.asked.commands or self.asked.press:
            return True
        if self.head.is_over and not self.power:
            return False
        if self.power:
            is_cut = bool(self.message.codes & HALF_READ)
            answer = answers.Answer(self)
            if is_cut or any(line.verdict != PROSE for line in answer.lines):
                return True
            is_written = self.message.kind in (commands.PERSON, commands.LIST)
            is_empty = is_written and bool(self._find_fault())
            quoted = self.message.unsent, self.game.position, self.power
            later = answer.find_later_orders(self.message.unsent)
            return is_empty or bool(later or commands.find_orders(*quoted))
        read = read_orders(self.asked.orders_text, self.game.position).lines
        return any(line.order or line.error or line.rest for line in read)

    def _may_be_for_open_phase(self) -> bool:
        """Tell whether a doubtful mail may be a player's mail for the open phase.

        It has orders, or withdraws them.  A mail that answers a letter of another phase has to have
        come since the phase was opened.
        """
        codes = {why.code for why in self.why}
        is_past = "waits-code-of-past" in codes and self.row.received < self.head.opened
        is_past |= "waits-before-phase" in codes
        if not self.power or is_past:
            return False
        if self.message.codes & HALF_READ or answers.find_scope(self.asked):
            return True
        read = self.read_orders(self.power)
        if read is not None and codes & {mail_store.SEVERAL_GAMES, "waits-other-game"}:
            # Orders that fit only another game do not count here.
            return any(line.order and line.verdict in ("good", DOUBTFUL) for line in read.lines)
        return read is not None

    # -- taking ----------------------------------------------------------------------------------

    def take(self) -> None:
        """Do what the mail asks for, and draft the answer."""
        with self.game.act("mail", self.power) as note:
            # Not what is asked for: votes are secret.
            note.detail["message"] = self.row.id
            before = self.store.find_last_mail()
            answer = answers.Answer(self)
            letter = answer.write()
            tray.store_parts(self.game, self.row.id, self.power, answer.parts_for_master)
            mail = self.store.find_last_mail()
            own = mail if mail != before else None
            self.store.update(self.row.id, phase=self.head.name, mail=own)
            if not self._find_fault() and answers.find_reachable_player(self.game, self.power):
                key = mail_store.LetterKey(
                    mail_store.Occasion.ANSWER, self.power, answers=self.row.id
                )
                self.outbox.draft(key, letter)


def _is_before_phase(game: Game, row: mail_store.Message) -> bool:
    """Tell whether a message came before the open phase was opened, unless it is the first."""
    head = game.head()
    return row.received < head.opened and bool(game.line()) and not head.is_over


def _find_only(powers: Collection[str]) -> str:
    """Return the one power of some, "" if there is none or several."""
    return next(iter(powers)) if len(powers) == 1 else ""


# The inbox: every message is stored as it came, then handled, once.
#
# Storing and handling are two transactions, and before a message is handled it is marked in a
# third. A program that is killed leaves a message ``new``, and the next fetch handles it.


_LATE = timedelta(days=14)  # so long before its last message a mailbox is read again
_FIRST_DAY = date(1990, 1, 1)  # a day before any mail of a game
_KEPT = timedelta(days=60)  # the time for which the beginning of a stranger's message is kept

_BEGINNING = 16 << 10  # the bytes that are kept of a stranger's message,
_MOST_OF_UNPROVEN = 256 << 10  # and of one from a known address without a code
_MOST_OF_STRANGERS = 16 << 20  # the bytes that are kept of all such messages together
_MOST_ANSWERED = 5  # letters of those that a mail answers count among what it may quote
_MOST_OF_PLAYER = 32 << 20  # once those of a power have so many, no long one is kept whole

_TRIED, _MOST_TRIES = mail_store.Why.of("waits-stopped"), 2
"""A mark on a message that is being handled, and the marks with which it is not handled again."""

_FILE_ERRORS = ("game-busy", "cannot-write", "game-damaged")  # for which no message is at fault

_READING = ".reading-"  # begins names of files that count how often reading of a mail began


def read_new(raw: bytes, folder: Path) -> tuple[parsed.IncomingMail, int]:
    """Read a mail that is not stored, and return with it how often the program was stopped on it.

    At the third time only its head is read.  The folder has a file for the mail until it was read.
    """
    counter = folder / f"{_READING}{sha256(raw).hexdigest()}"
    if (counter.stat().st_size if counter.exists() else 0) >= _MOST_TRIES:
        return parsed.read_head(raw), _MOST_TRIES
    # A folder that cannot be written is named when the mail is stored.
    with suppress(OSError), open_own(counter, "ab") as stream:
        stream.write(b".")
    message = parsed.read_message(raw)
    with suppress(OSError):
        counter.unlink(missing_ok=True)
    return message, 0


class Inbox:
    """The messages of a game.

    A fetch from several sources counts the messages that it has ``seen``, and notes those that are
    ``new`` and the ``faults`` of sources: one that fails does not stop the others.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.file = game.file
        self.store = mail_store.InboxStore(game.file)
        self.outbox = Outbox(game)
        self.seen, self.new = 0, list[mail_store.Message]()
        self.faults: list[GameError] = []

    def read(self, row: mail_store.Message) -> parsed.IncomingMail:
        """Return a message as the program reads it."""
        return self._parse_mail(self.store.raw(row.id), None, row.power)

    def since(self) -> date:
        """Return the day from which a mailbox has to be read.

        That is not before the game, nor long before the last message that was read in it; a fetch
        that broke off goes on from there.
        """
        at = self.store.find_last(transport.IMAP, "received")
        begun = parse_iso(self.game.info.created) - timedelta(days=1)
        last = parse_iso(at) - _LATE if at else begun
        now = self.game.now()
        # A wrong clock noted a day that is still to come, or the author of an export did.
        return max((day for day in (begun, last) if day <= now), default=now - _LATE).date()

    # -- fetching --------------------------------------------------------------------------------

    def fetch_from(
        self, places: Sequence[str], stdin: BinaryIO, *, whole: bool = False
    ) -> Iterator[mail_store.Message]:
        """Store and handle what is new in some places; yield each message as it is afterwards.

        Without places the game's mailbox is read, with ``whole`` all of it, not only what may have
        come since the last fetch.
        """
        sources = [transport.read_source(place, stdin) for place in places]
        yield from self.fetch(self._read_all(sources or [self._read_mailbox(whole)]))

    def _read_all(self, sources: Iterable[Iterator[transport.Found]]) -> Iterator[transport.Found]:
        for source in sources:
            try:
                for found in source:
                    self.seen += 1
                    yield found
            except GameError as error:
                self.faults.append(error)

    def _read_mailbox(self, whole: bool) -> Iterator[transport.Found]:
        last = cache(self.store.find_last)  # asked once: places rise as a mailbox is read

        def is_known(name: str, place: str) -> bool:
            # A mailbox that was put back gives its places again, to other mails.
            if (name or not place) and self.store.find_by_key(name) is None:
                return False
            is_passed = not whole and last(place[: place.rfind(".") + 1]) >= place
            is_there = is_passed or place in origins or bool(last(transport.BEHIND + place))
            return is_there or not place

        origins = {row.origin for row in self.store.find_all()} if whole else ()
        since = _FIRST_DAY if whole else self.since()
        yield from transport.read_mailbox(
            transport.read_account(self.game.settings), since, is_known, last
        )

    def fetch(self, found: Iterable[transport.Found]) -> Iterator[mail_store.Message]:
        """Store messages, then handle all new ones; yield each as it is afterwards.

        Messages that an interrupted fetch has left are handled too.  A message that is here already
        is skipped.
        """
        for each in found:
            self.keep(each)
        for message in self.store.find_all(mail_store.NEW):
            with hold_lock(self.file.folder, "read", 60.0):  # no other command marks it meanwhile
                handled = self.handle(message.id)
            yield handled

    def keep(self, found: transport.Found, *doubts: mail_store.Why) -> int | None:
        """Store a message and return its number, None if it is here already.

        With ``doubts`` it waits for the game master, if it is not left aside.  So does a message
        with the Message-ID of another one whose contents are not the same.
        """
        found = found._replace(raw=parsed.unmark_mail(found.raw))
        known = self.store.find_by_key(parsed.read_head(found.raw).key)
        if known and self.store.raw(known.id) == found.raw:
            self._note_place(known, found)
            return None
        message, tries = read_new(found.raw, self.file.folder)
        key = message.key
        if known:
            if read_new(self.store.raw(known.id), self.file.folder)[0].digest == message.digest:
                self._note_place(known, found)
                return None
            key = f"{key} {message.digest}"
            doubts = (*doubts, mail_store.Why.of(mail_store.SAME_ID, number=str(known.id)))
        now = self.game.now().astimezone(UTC)
        with self.file.writing("fetch"):
            if copy := self.store.find_by_key(key):
                self._note_place(copy, found)
                return None
            keep_daily_copy(self.game)
            return self.store.add(
                key=key,
                raw=self._shorten(found.raw, message, now),
                origin=found.origin,
                received=format_iso(min(found.received or now, now)),
                fetched=format_iso(now),
                sender=", ".join(message.senders),
                subject=message.subject,
                why=(*doubts, *[_TRIED] * tries),
            )

    def _note_place(self, row: mail_store.Message, found: transport.Found) -> None:
        """Note where another copy of a message lies, so that it is not fetched each time."""
        if found.origin.startswith(transport.IMAP):
            with self.file.writing("fetch"):
                self.store.update(row.id, origin=found.origin)

    def _shorten(self, raw: bytes, message: parsed.IncomingMail, now: datetime) -> bytes:
        """Return what is kept of a message: all, or the beginning of one that nothing proves.

        An address proves nothing: anybody can write it; a code of the open phase does, as long as
        there is room.  Old beginnings of strangers go, unless the closing seal rests on them;
        without room, less is kept of known addresses, else none.
        """
        signs, head = find_game_signs(self.game, message), self.game.head()
        of_now = (code for code in signs.codes if code.phase == head.name or head.is_over)
        proven = {code.power for code in of_now if code.power in signs.powers}
        if any(self.store.size_of_mail(power) <= _MOST_OF_PLAYER for power in proven):
            return raw
        until = format_iso(now - _KEPT)
        for number in () if head.is_over else self.store.find_old_strangers(until):
            old = self.store.raw(number)
            self.store.update(number, raw=parsed.shorten_mail(old, parsed.read_message(old), 0))
        is_master = message.senders == (lower_ascii(self.game.settings["gm_address"]),)
        is_known = bool(signs.powers or signs.codes or signs.answers or is_master)
        is_known = is_known or find_standby_reason(self.game, message) is not None
        room = _MOST_OF_UNPROVEN if is_known else _BEGINNING
        if not proven and self.store.size_of_unproven() > _MOST_OF_STRANGERS:
            room = _BEGINNING if is_known else 0
        return raw if len(raw) <= room else parsed.shorten_mail(raw, message, room)

    def _parse_mail(self, raw: bytes, signs: GameSigns | None, *powers: str) -> parsed.IncomingMail:
        """Read a message; texts that were sent to some powers lately count as quotation, and so
        does the letter that it answers, as its ``signs`` tell (None: they are looked for)."""
        own = filter(None, (self.game.settings["mail_address"],))
        signs = signs or find_game_signs(self.game, parsed.read_head(raw))
        letters = [one for power in powers if power for one in self.outbox.recent(power, RECENT)]
        letters += [letter for letter in signs.answers if letter.power in powers][-_MOST_ANSWERED:]
        sent = [*map(self.outbox.text, letters)]
        said = tuple(text for power in powers for text in people.read_last_press(self.game, power))
        read = partial(parsed.read_message, raw, own=tuple(own), said=said)
        message = read(sent=sent)
        if "attachment-read" in message.codes:  # some programs bring a letter's files back
            files = (file for one in letters for file in self.outbox.attached_texts(one))
            message = read(sent=[*sent, *files])
        for power in () if self.game.head().is_over else filter(None, powers):
            message = parsed.add_subject(message, self.game.position, power)
        return message

    # -- handling --------------------------------------------------------------------------------

    def handle(self, number: int) -> mail_store.Message:
        """Decide on a new message, do what it asks for if it is taken, and return it.

        A message on which the program fails waits, so that those behind it come through; so does
        one on which it was stopped, at the second time.
        """
        row = self.store.find(number)
        doubts = tuple(why for why in row.why if why != _TRIED)
        if row.state != mail_store.NEW:  # another command was quicker
            return row
        if len(row.why) - len(doubts) == _MOST_TRIES:
            return self._let_wait(number, _TRIED)
        try:
            with self.file.writing("fetch"):
                self.store.update(number, (*row.why, _TRIED))
            raw = self.store.raw(number)
            signs = find_game_signs(self.game, parsed.read_head(raw))
            powers = signs.powers or {code.power for code in signs.codes}
            message = self._parse_mail(raw, signs, *powers)
            with self.file.writing("fetch"), self.game.acting_as(f"mail {number}"):
                if (current := self.store.find(number)).state == mail_store.NEW:
                    self._handle(replace(current, why=doubts), message)
        except Exception as error:
            # Whatever is wrong with us, a message must not be lost, nor keep others out.
            if isinstance(error, GameError) and error.code in _FILE_ERRORS:
                with suppress(GameError), self.file.writing("fetch"):
                    self.store.update(number, row.why)
                raise
            why = mail_store.Why.of("waits-stumbled", why=f"{type(error).__name__}: {error}"[:200])
            return self._let_wait(number, why)
        return self.store.find(number)

    def _let_wait(self, number: int, why: mail_store.Why) -> mail_store.Message:
        with self.file.writing("fetch"):
            power = next(iter(self._find_powers_of(self.store.find(number))), "")
            phase = self.game.head().name if power else ""
            self.store.update(number, (why,), state=mail_store.WAITING, power=power, phase=phase)
        return self.store.find(number)

    def _find_powers_of(self, row: mail_store.Message) -> tuple[str, ...]:
        return find_powers_at(self.game, row.sender.split(", "))

    def _handle(self, row: mail_store.Message, message: parsed.IncomingMail) -> None:
        mail = MailInHand(self.outbox, row, message)
        if (answered := tray.find_answered(self.game, message)) is None:
            mail.decide()
        else:
            mail.pass_on(answered)
        if mail.state == mail_store.WAITING:
            with self.game.act("mail-wait", mail.power) as note:
                note.detail |= {"message": row.id, "why": [why.code for why in mail.why]}
            answers.tell_that_mail_waits(self.outbox, row, mail.power, mail.why)
        decided = {"state": mail.state, "power": mail.power, "phase": mail.phase}
        self.store.update(row.id, mail.why, **decided)

    def _tell_of_mail_still_waiting(self, powers: Collection[str]) -> None:
        """Tell players of the mails that wait for the open phase, if a note about another mail was
        withdrawn before it was sent."""
        with submissions.say_act_is_stored(self.game):
            update_drafts(self.outbox)
            phase = self.game.head().name
            for row in self.store.find_all(mail_store.WAITING):
                if row.phase == phase and row.power in powers:
                    answers.tell_that_mail_waits(self.outbox, row, row.power, row.why)

    # -- by hand ---------------------------------------------------------------------------------

    def accept(self, number: int, power: str = "", reason: str = "") -> mail_store.Message:
        """Take a message that waits, for its own power or another."""
        asked_for = self.game.power(power) if power else ""
        with self.game.act("mail-accept", reason=reason) as note:
            row = self.find_acceptable(number, asked_for)
            whose = asked_for or row.power
            note.power = whose
            note.detail["message"] = number
            message = self._parse_mail(self.store.raw(number), None, whose)
            player = answers.find_reachable_player(self.game, whose)
            if self._is_of_former(row, whose):
                message = self._keep_orders(row, message, whose)
            elif player is None or not row.is_from(player.addresses):
                # The player may read it in whose name somebody else wrote it.
                text = people.leave_writer_out(
                    self.game, message.text, whose, message.name, row.sender
                )
                message = replace(message, text=text)
            mail = MailInHand(self.outbox, row, message)
            mail.power, mail.read = whose, mail.read_orders(whose, message.name)
            mail.take()
            self.store.update(number, row.why, state=mail_store.TAKEN, power=whose)
        self._tell_of_mail_still_waiting({row.power, whose})
        return self.store.find(number)

    def keep_words(self, row: mail_store.Message, *, is_left_out: bool) -> None:
        """Put into the tray what a message says whose game was not known before, or a mark for it
        if it may have orders for another game."""
        message = self._parse_mail(self.store.raw(row.id), None, row.power)
        with self.file.writing("fetch"):
            MailInHand(self.outbox, row, message).keep_words(is_left_out=is_left_out)

    def find_late_doubt(self, row: mail_store.Message, power: str = "") -> mail_store.Why | None:
        """Return why the orders in a message that was not taken may not be meant for the open phase
        as it stands, or not by the present player; None if nothing says so."""
        head, whose = self.game.head(), power or row.power
        if self._is_of_former(row, whose):
            return mail_store.Why.of("waits-former")
        if _is_before_phase(self.game, row):
            return mail_store.Why.of("waits-before-phase", current=head.name)
        return self.store.find_overtaking(head.id, row, whose)

    def _is_of_former(self, row: mail_store.Message, power: str) -> bool:
        """Tell whether a message comes from whoever had a power before its player."""
        game, senders = self.game, row.sender.split(", ")
        if power in self._find_powers_of(row) or not people.find_takeover(game, power):
            return False
        if people.is_of_former_player(game, power, row.received, row.id * (power == row.power)):
            return True
        signs = find_game_signs(game, parsed.read_head(self.store.raw(row.id)))
        if f"({power}-" in row.subject and not signs.codes:  # the code of a takeover ago
            return True
        since = next((p.since for p in people.read_players(game) if p.power == power), "z")
        old = [m for m in self.outbox.list_letters() if m.power == power and m.created < since]
        past = [p for p in people.read_players(game, past=True) if p.power == power]
        is_known = any(lower_ascii(m.address) in senders or m in signs.answers for m in old)
        return is_known or any(p.writes_from(senders) for p in past)

    def _keep_orders(
        self, row: mail_store.Message, message: parsed.IncomingMail, power: str
    ) -> parsed.IncomingMail:
        """Return a mail of a former player with its orders alone: the present one reads the answer,
        and neither asked nor said what else stands in it."""
        read = MailInHand(self.outbox, row, message).read_orders(power)
        orders = [one.order for one in read.lines if one.order and not one.ahead] if read else []
        return replace(message, text="\n".join(orders), subject="", removed="", unsent="", notes=())

    def reject(self, numbers: Sequence[int], reason: str = "") -> tuple[mail_store.Message, ...]:
        """Reject messages that wait; no player hears of it."""
        self.store.reject(self.game, numbers, reason)
        rejected = tuple(self.store.find(number) for number in numbers)
        self._tell_of_mail_still_waiting({message.power for message in rejected})
        return rejected

    def find_acceptable(self, number: int, power: str = "") -> mail_store.Message:
        """Return a message that can be accepted: undecided, and of a power that is known."""
        row = self.store.find_undecided(number)
        if not (power or row.power):
            raise GameError("accept-whose", number=str(number), **list_examples(self.game.base))
        return row
