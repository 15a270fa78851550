"""The outbox: letters are drafted first, and each is sent once.

A letter is a row in the game file and, while it is a draft, a file in the folder ``drafts``.  The
game master may read and change that file until the letter is sent: what is sent is the file.

    draft --> sending --> sent
      |  ^        |
      |  +--------+------> uncertain        dropped

The game file says ``sending`` before a server can have a mail.  A letter found in that state, with
nobody at work, was interrupted: it becomes ``uncertain``, and the game master decides.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import replace
from email.message import EmailMessage
from functools import cached_property
from hashlib import sha256
from itertools import chain, count
from pathlib import Path

from alexmagnum.errors import GameError
from alexmagnum.files import write_whole
from alexmagnum.game.deadlines import read_clock, read_texts
from alexmagnum.game.game import Game
from alexmagnum.game.inbox_store import (
    WAITING,
    InboxStore,
    find_or_make_codes,
    remove_subject_tag,
)
from alexmagnum.game.letters import (
    ANSWER,
    DEADLINE,
    DRAFT,
    DROPPED,
    INVITATION,
    OPENING,
    RECEIPT,
    REMINDER,
    REPORT,
    RETRACTION,
    SENDING,
    SENT,
    UNCERTAIN,
    WARNING,
    WELCOME,
    Grounds,
    LetterKey,
    Mailing,
    NewLetter,
    OutboxStore,
)
from alexmagnum.game.orders import find_last_submissions
from alexmagnum.game.people import find_last_change_of_players
from alexmagnum.mail.composition import (
    Letter,
    address_letter,
    enclose_files,
    is_draft,
    normalize_lines,
    parse_mail,
    read_draft,
    read_text,
    reword_draft,
    rewrite_as_draft,
    write_draft,
)

DRAFTS, WITHDRAWN = "drafts", "withdrawn"

_FILE = re.compile(r"\d{4,}-[a-z]+-\w+\.eml")
"""The names of drafts; other files in the folder are not ours."""

_TORN = re.compile(rf"\.{_FILE.pattern}\.\w+")
"""The name of a draft that a program was killed while writing."""

_HEAD = 100_000
"""Bytes of a letter in which its plain text stands."""


# What letters rest on.


_SHOWING = frozenset({REPORT, OPENING, RETRACTION, WELCOME, INVITATION})
"""Occasions of letters with a report of a phase in them, so with the names of the players."""

_OF_THE_PHASE = _SHOWING | {ANSWER, RECEIPT, WARNING, DEADLINE, REMINDER}
"""Occasions of letters about the open phase: a report says what is due in it."""

_WITH_ORDERS = frozenset({RECEIPT, REMINDER, WELCOME})
"""Occasions of letters that list orders in force; an answer does if it is asked to."""

DEADLINE_CHANGED, SHOWN_CHANGED = "letter-deadline-changed", "letter-shown-changed"

_LOST: Mapping[str, str] = {
    "phase": "letter-overtaken",
    "waiting": "letter-mail-decided",
    "orders": "letter-orders-changed",
    "deadline": DEADLINE_CHANGED,
    "shown": SHOWN_CHANGED,
}
"""Why a letter no longer holds, by the first ground that it has lost."""


class Circumstances:
    """The present state of everything that letters rest on; each thing is read once.

    The grounds of a letter are the open phase, a mail that waits, the orders in force (their seal),
    the deadline, and the people and words of the game master that it shows.
    """

    def __init__(self, game: Game) -> None:
        self._game = game

    def find_grounds(
        self, key: LetterKey, *, lists_orders: bool = False, waiting: int | None = None
    ) -> Grounds:
        """Return what a letter that is composed now rests on."""
        lists_orders = lists_orders or key.occasion in _WITH_ORDERS
        names_deadline = lists_orders or key.occasion in _SHOWING or key.occasion == DEADLINE
        rests_on = {
            "phase": key.occasion in _OF_THE_PHASE,
            "orders": lists_orders,
            "deadline": names_deadline,
            "shown": key.occasion in _SHOWING,
        }
        told = {} if waiting is None else {"waiting": str(waiting)}
        return told | {name: self._read(name, key) for name, rests in rests_on.items() if rests}

    def find_lost_ground(self, mailing: Mailing) -> str:
        """Return the code of why a letter no longer holds, "" if it does."""
        for name, code in _LOST.items():
            was = mailing.grounds.get(name)
            if was is not None and self._read(name, mailing.key, was) != was:
                return code
        return ""

    def _read(self, name: str, key: LetterKey, was: str = "") -> str:
        """Return what a ground of a letter is now."""
        match name:
            case "phase":
                return self._phase
            case "waiting":
                waits = InboxStore(self._game.file).find(int(was)).state == WAITING
                return was if waits else ""
            case "orders":
                return self._seals.get(key.power, "")
            case "deadline":
                return self._clock
            case _:
                return f"{self._people}{self._read_words(key)}"

    @cached_property
    def _phase(self) -> str:
        return "over" if self._game.head().is_over else str(self._game.head().name)

    @cached_property
    def _clock(self) -> str:
        return read_clock(self._game)

    @cached_property
    def _seals(self) -> Mapping[str, str]:
        rows = find_last_submissions(self._game, int(self._game.head().id))
        return {power: row.digest for power, row in rows.items()}

    @cached_property
    def _people(self) -> str:
        settings = self._game.settings
        shown = (settings[name] for name in ABOUT_PEOPLE)
        return " ".join((str(find_last_change_of_players(self._game)), *shown))

    def _read_words(self, key: LetterKey) -> str:
        """Return a digest of the game master's words on the phase that a report is about."""
        if key.occasion != REPORT:
            return ""
        words = [read_texts(self._game, self._phases[outcome]) for outcome in key.outcomes]
        return f" {sha256(repr(words).encode()).hexdigest()[:16]}"

    @cached_property
    def _phases(self) -> Mapping[int, str]:
        return self._game.phases_of_outcomes()


ABOUT_PEOPLE = ("names", "names_at_end", "addresses")
"""Settings that decide what reports and letters say about the players."""

Compose = Callable[[LetterKey], Letter]
"""Composes a letter as the game stands now, from what it is about."""


class Outbox:
    """The letters of a game.

    ``start_composing`` returns what composes those letters that show reports and pictures; without
    it drafts of them are left as they are.
    """

    def __init__(
        self, game: Game, start_composing: Callable[[Outbox], Compose] | None = None
    ) -> None:
        self.start_composing = start_composing
        self.game = game
        self.file = game.file
        self.folder = game.file.folder
        self.store = OutboxStore(game.file)
        self._texts: dict[str, str] = {}

    # -- drafts ----------------------------------------------------------------------------------

    def draft(self, key: LetterKey, letter: Letter, *, phase: str = "") -> int:
        """Draft a letter and return its number; a letter that has this key already stays as it is.

        ``phase`` is the phase whose code the letter carries, by default the open one.  A greater
        transaction may contain this one; the file is written last, and overwritten if its number
        comes again.

        Raises:
            GameError: ``no-mail-address``, ``no-address``, ``mail-field``, ``cannot-write``.
        """
        return self.draft_all({key: letter}, phase=phase)[0]

    def draft_all(self, letters: Mapping[LetterKey, Letter], *, phase: str = "") -> list[int]:
        """Draft letters in one transaction and return their numbers; see :meth:`draft`."""
        with self.file.writing("draft"):
            known = self.store.find_by_keys(letters)
            new = {key: letter for key, letter in letters.items() if key not in known}
            drafted = self._draft_new(new, phase or str(self.game.head().name)) if new else {}
            return [(known.get(key) or drafted[key]).id for key in letters]

    def _draft_new(
        self, letters: Mapping[LetterKey, Letter], phase: str
    ) -> Mapping[LetterKey, Mailing]:
        """Draft letters that were not drafted yet, and return them by their keys."""
        find_or_make_codes(self.game, [key.power for key in letters if key.power], phase)
        new = []
        for key, letter in letters.items():
            ready = address_letter(self.game, letter, key, phase)
            new.append(
                NewLetter(
                    key=key,
                    phase=phase,
                    address=ready.to,
                    message_id=ready.message_id,
                    created=self.game.stamp(),
                    mail=write_draft(ready),
                    files=enclose_files(ready),
                    grounds=self._find_grounds(key, ready),
                )
            )
        added = self.store.add(new)
        for mailing, made, letter in zip(added, new, letters.values(), strict=True):
            self.write(mailing, made.mail)
            self._texts[made.message_id] = normalize_lines(letter.text)
        return dict(zip(letters, added, strict=True))

    def _find_grounds(self, key: LetterKey, letter: Letter) -> Grounds:
        return Circumstances(self.game).find_grounds(
            key, lists_orders=letter.lists_orders, waiting=letter.about_message
        )

    def renew(self, key: LetterKey, letter: Letter, *, phase: str = "") -> int | None:
        """Compose a draft anew and return its number; None if it was sent.

        A draft that somebody has changed is composed anew only if it no longer holds; its file is
        kept in the folder :data:`WITHDRAWN`.  ``phase`` is the phase whose code it carries from now
        on, by default the one before.
        """
        with self.file.writing("draft"):
            known = self.store.find_by_key(key)
            if known is None or known.state != DRAFT:
                return None
            lost = self.find_lost_ground(known)
            if lost not in ("", SHOWN_CHANGED):
                self._note_rewriting(known, lost)
            elif not self.is_as_drafted(known):
                return None
            phase = phase or known.phase
            ready = address_letter(self.game, letter, key, phase)
            data = write_draft(replace(ready, message_id=known.message_id))
            self.store.set_mail(known.id, data, enclose_files(ready))
            self._set_basis(known, self._find_grounds(key, letter), phase)
            self.write(known, data)
            return known.id

    def reword(self, mailing: Mailing, reword: Callable[[str], str], grounds: Grounds) -> None:
        """Change sentences of a draft, and in the file that the game master may have changed.

        ``grounds`` is what it rests on then.  The reason why it was out of date is journaled.
        """
        with self.file.writing("draft"):
            with self.game.act("mail-rewrite", mailing.power) as note:
                lost = self.find_lost_ground(mailing)
                note.detail |= {"letters": [mailing.id], "why": lost}
            file = self.read(mailing)
            self.store.set_mail(mailing.id, reword_draft(self.raw(mailing), reword))
            self._set_basis(mailing, grounds, mailing.phase)
            if file is not None:
                self.write(mailing, reword_draft(file, reword))

    def _set_basis(self, mailing: Mailing, grounds: Grounds, phase: str) -> None:
        """Note that a draft is of this instant, and what it rests on."""
        self.store.set_basis(mailing.id, self.game.stamp(), grounds, phase)
        self._texts.pop(mailing.message_id, None)

    def is_as_drafted(self, mailing: Mailing) -> bool:
        """Return whether nobody has changed the file of a draft."""
        return not self._find_edited([mailing])

    def _find_edited(self, drafts: Collection[Mailing]) -> set[int]:
        """Return the numbers of drafts whose files are not as they were composed."""
        composed = self.store.digests([mailing.id for mailing in drafts])
        return {
            mailing.id
            for mailing in drafts
            if (data := self.read(mailing)) is None
            or sha256(data).hexdigest() != composed[mailing.id]
        }

    def find_lost_ground(self, mailing: Mailing) -> str:
        """Return the code of why a letter no longer holds, "" if it does."""
        return Circumstances(self.game).find_lost_ground(mailing)

    # -- looking ---------------------------------------------------------------------------------

    def by_key(self, key: LetterKey) -> Mailing | None:
        """Return the letter with a key, None if it was never drafted."""
        return self.store.find_by_key(key)

    def by_keys(self, keys: Collection[LetterKey]) -> Mapping[LetterKey, Mailing]:
        """Return the letters with some keys; keys of letters never drafted are left out."""
        return self.store.find_by_keys(keys)

    def list_letters(self, states: Collection[str] = ()) -> tuple[Mailing, ...]:
        """Return the letters, or those in some states, oldest first."""
        return self.store.find_all(states)

    def find(self, number: int) -> Mailing:
        """Return a letter by its number.

        Raises:
            GameError: ``no-letter``.
        """
        return self.store.find(number)

    def message(self, number: int) -> EmailMessage:
        """Return a letter as it was sent, or as its draft now stands, with its files.

        Raises:
            GameError: ``no-letter``, ``draft-unreadable``.
        """
        mailing = self.find(number)
        data = self.read(mailing) if mailing.state == DRAFT else None
        return self.complete(mailing, self.raw(mailing) if data is None else data)

    def complete(self, mailing: Mailing, data: bytes) -> EmailMessage:
        """Return the mail of a letter's file, with the files that are put in when it is sent.

        Raises:
            GameError: ``draft-unreadable``.
        """
        return read_draft(data, self.store.files(mailing.id))

    def raw(self, mailing: Mailing) -> bytes:
        """Return a letter byte for byte: as it was sent, or its draft as it was composed."""
        return self.store.mail(mailing.id)

    def sent_texts(self, power: str, count: int = 5) -> tuple[str, ...]:
        """Return the plain texts of the last letters to a power, the last first.

        These are what the player may quote.  Receipts are many, so the last letters of other kinds
        come in any case.
        """
        return tuple(self.text(mailing) for mailing in self.store.recent(power, count))

    def text(self, mailing: Mailing) -> str:
        """Return the plain text of a letter; it is kept, because every mail asks for it again."""
        if mailing.message_id not in self._texts:
            head = self.store.head(mailing.id, _HEAD)
            self._texts[mailing.message_id] = read_text(parse_mail(head))
        return self._texts[mailing.message_id]

    def subject(self, mailing: Mailing) -> str:
        """Return the subject of a letter as its draft now stands, without its player's code."""
        data = self.read(mailing) if mailing.state == DRAFT else None
        head = self.store.head(mailing.id, _HEAD) if data is None else data
        return remove_subject_tag(str(parse_mail(head)["Subject"] or ""))

    def list_withdrawn_files(self) -> tuple[Path, ...]:
        """Return the files of changed drafts that were withdrawn or composed anew."""
        return tuple(sorted((self.folder / DRAFTS / WITHDRAWN).glob("*.eml")))

    # -- files of drafts -------------------------------------------------------------------------

    def path(self, mailing: Mailing) -> Path:
        """Return where a letter's draft is."""
        return self.folder / DRAFTS / mailing.file

    def write(self, mailing: Mailing, data: bytes) -> None:
        """Write a draft; another file under its number was never finished and is removed."""
        path = self.path(mailing)
        for left in self._paths_by_number[_number(path)] - {path}:
            left.unlink(missing_ok=True)
        write_whole(path, data, private=True)
        self._paths_by_number[_number(path)] = {path}

    @cached_property
    def _paths_by_number(self) -> defaultdict[str, set[Path]]:
        """The drafts in the folder by the number in their names."""
        found = defaultdict(set)
        for path in (self.folder / DRAFTS).glob("*.eml"):
            found[_number(path)].add(path)
        return found

    def read(self, mailing: Mailing) -> bytes | None:
        """Return a draft as its file now stands; None if somebody removed the file."""
        try:
            return self.path(mailing).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise GameError("draft-unreadable", why=error.strerror or "") from None

    def tidy(self) -> None:
        """Remove the files of letters that are no drafts any more, or never were.

        The game file is held meanwhile, so that no file is removed that is just being written.
        """
        if self._left_over():
            with self.file.writing("outbox"):
                for path in self._left_over():
                    with suppress(OSError):
                        path.unlink(missing_ok=True)

    def _left_over(self) -> list[Path]:
        waiting = {mailing.file for mailing in self.list_letters((DRAFT, SENDING))}
        return [
            path
            for path in (self.folder / DRAFTS).glob("*.eml*")
            if _TORN.fullmatch(path.name)
            or (_FILE.fullmatch(path.name) and path.name not in waiting)
        ]

    # -- by hand ---------------------------------------------------------------------------------

    def drop(self, number: int, reason: str = "") -> Mailing:
        """Give up a letter that was not sent.

        Raises:
            GameError: ``no-letter``, ``letter-is-<state>``.
        """
        return self._settle(number, "mail-drop", DROPPED, reason)

    def mark_sent(self, number: int, reason: str = "") -> Mailing:
        """Mark a letter as sent, because the game master knows that it was, or sent it by hand.

        Raises:
            GameError: ``no-letter``, ``letter-is-<state>``.
        """
        return self._settle(number, "mail-mark-sent", SENT, reason)

    def _settle(self, number: int, action: str, state: str, reason: str) -> Mailing:
        """Keep the file of a letter as it now stands, and let the letter be a draft no more."""
        with self.game.act(action, reason=reason) as note:
            mailing = self.in_state(number, DRAFT, UNCERTAIN)
            note.power = mailing.power
            note.detail |= {"letter": number, "kind": mailing.kind}
            self._store_file(mailing)
            sent = self.game.stamp() if state == SENT else None
            self.store.set_state(number, state, sent=sent)
        self.tidy()
        return self.find(number)

    def put_back(self, number: int, reason: str = "") -> Mailing:
        """Make a letter a draft again that was sent, may have been sent, or was dropped.

        Raises:
            GameError: ``no-letter``, ``letter-is-<state>``.
        """
        with self.game.act("mail-again", reason=reason) as note:
            mailing = self.in_state(number, SENT, UNCERTAIN, DROPPED)
            note.power = mailing.power
            note.detail |= {"letter": number, "kind": mailing.kind, "was": mailing.state}
            self._restore(mailing)
            self.store.set_grounds(number, {})  # the game master answers for it
        return self.find(number)

    def in_state(self, number: int, *states: str) -> Mailing:
        """Return a letter that has to be in one of some states.

        Raises:
            GameError: ``no-letter``, ``letter-is-<state>``.
        """
        mailing = self.find(number)
        if mailing.state not in states:
            raise GameError(f"letter-is-{mailing.state}", number=str(number))
        return mailing

    def _store_file(self, mailing: Mailing) -> None:
        """Keep the file of a draft as it now stands, whatever was made of it."""
        data = self.read(mailing) if mailing.state == DRAFT else None
        if data is not None:
            self.store.set_mail(mailing.id, data)

    def _restore(self, mailing: Mailing) -> None:
        """Make a letter a draft again, as it was when it was sent or dropped."""
        data = self.raw(mailing)
        if not is_draft(data):
            data = rewrite_as_draft(parse_mail(data))
            self.store.set_mail(mailing.id, data)
        self.store.set_state(mailing.id, DRAFT, sent="")
        self.write(mailing, data)

    # -- by what happens in the game -------------------------------------------------------------

    def withdraw(self, mailings: Collection[Mailing], code: str) -> None:
        """Drop drafts that have been overtaken by events, and enter that in the journal.

        The file of a draft that somebody has changed is kept in the folder :data:`WITHDRAWN`.
        """
        now = self.store.find_several([mailing.id for mailing in mailings])
        drafts = [mailing for mailing in now if mailing.state == DRAFT]
        if drafts:
            powers = {mailing.power for mailing in drafts}
            power = powers.pop() if len(powers) == 1 else ""
            with self.game.act("mail-withdraw", power) as note:
                note.detail |= {"letters": [mailing.id for mailing in drafts], "why": code}
                numbers = self._find_edited(drafts)
                edited = [mailing for mailing in drafts if mailing.id in numbers]
                kept = [name for mailing in edited if (name := self._keep_file(mailing))]
                if kept:
                    note.detail["kept"] = kept
                for mailing in edited:
                    self._store_file(mailing)
                for mailing in drafts:
                    self.store.set_state(mailing.id, DROPPED, problem=GameError(code))
            self.tidy()

    def _note_rewriting(self, mailing: Mailing, why: str) -> None:
        """Enter in the journal that a draft is composed anew; keep its file if it was changed."""
        with self.game.act("mail-rewrite", mailing.power) as note:
            note.detail |= {"letters": [mailing.id], "why": why}
            kept = "" if self.is_as_drafted(mailing) else self._keep_file(mailing)
            if kept:
                note.detail["kept"] = [kept]

    def _keep_file(self, mailing: Mailing) -> str:
        """Copy the file of a draft to the folder :data:`WITHDRAWN`; return its path in the game's
        folder, "" if there is no file."""
        data = self.read(mailing)
        if data is None:
            return ""
        folder = self.folder / DRAFTS / WITHDRAWN
        taken = {path.name for path in folder.glob("*.eml")}
        marks = chain([""], (f"-{number}" for number in count(2)))
        names = (f"{mailing.file.removesuffix('.eml')}{mark}.eml" for mark in marks)
        name = next(name for name in names if name not in taken)
        write_whole(folder / name, data, private=True)
        return f"{DRAFTS}/{WITHDRAWN}/{name}"

    def bring_back(self, mailings: Collection[Mailing]) -> None:
        """Make letters drafts again that were withdrawn."""
        if mailings:
            with self.file.writing("outbox"):
                for mailing in mailings:
                    self._restore(mailing)


def _number(path: Path) -> str:
    return path.name.partition("-")[0]
