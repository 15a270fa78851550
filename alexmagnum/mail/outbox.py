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
from alexmagnum.game.letter_grounds import Circumstances
from alexmagnum.game.outbox_store import (
    DRAFT,
    DROPPED,
    SENDING,
    SENT,
    UNCERTAIN,
    Grounds,
    LetterKey,
    Mailing,
    NewLetter,
    OutboxStore,
)
from alexmagnum.game.reply_codes import find_or_make_codes, remove_subject_tag
from alexmagnum.game.state import Game
from alexmagnum.mail.letters.composition import Letter, normalize_lines, parse_mail, read_text
from alexmagnum.mail.letters.drafts import (
    is_draft,
    list_enclosed_files,
    read_draft,
    reword_draft,
    rewrite_as_draft,
    write_draft,
)
from alexmagnum.mail.letters.envelope import address_letter

DRAFTS, WITHDRAWN = "drafts", "withdrawn"

_FILE = re.compile(r"\d{4,}-[a-z]+-\w+\.eml")
"""The names of drafts; other files in the folder are not ours."""

_TORN = re.compile(rf"\.{_FILE.pattern}\.\w+")
"""The name of a draft that a program was killed while writing."""

_HEAD = 100_000
"""Bytes of a letter's source in which its plain text stands."""


class Outbox:
    """The letters of a game."""

    def __init__(self, game: Game) -> None:
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
        now = Circumstances(self.game)
        find_or_make_codes(self.game, [key.power for key in letters if key.power], phase)
        new = [
            self._make_letter(key, address_letter(self.game, letter, key, phase), phase, now)
            for key, letter in letters.items()
        ]
        added = self.store.add(new)
        for mailing, made, letter in zip(added, new, letters.values(), strict=True):
            self.write(mailing, made.mail)
            self._texts[made.message_id] = normalize_lines(letter.text)
        return {mailing.key: mailing for mailing in added}

    def _make_letter(
        self, key: LetterKey, ready: Letter, phase: str, now: Circumstances
    ) -> NewLetter:
        """Return a letter that has all its fields as it is stored."""
        return NewLetter(
            key=key,
            phase=phase,
            address=ready.to,
            message_id=ready.message_id,
            created=self.game.stamp(),
            mail=write_draft(ready),
            files=list_enclosed_files(ready),
            grounds=_find_grounds(now, key, ready),
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
            if lost:
                self._note_rewriting(known, lost)
            elif not self.is_as_drafted(known):
                return None
            if phase and phase != known.phase:
                self.store.set_phase(known.id, phase)
                known = self.store.find(known.id)
            ready = address_letter(self.game, letter, key, known.phase)
            ready = replace(ready, message_id=known.message_id)
            data = write_draft(ready)
            self.store.set_mail(known.id, data, list_enclosed_files(ready))
            self.store.set_created(known.id, self.game.stamp())
            now = Circumstances(self.game)
            self.store.set_grounds(known.id, _find_grounds(now, key, letter))
            self.write(known, data)
            self._texts.pop(known.message_id, None)
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
            self.store.set_created(mailing.id, self.game.stamp())
            self.store.set_grounds(mailing.id, grounds)
            if file is not None:
                self.write(mailing, reword_draft(file, reword))
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
        return Circumstances(self.game).find_lost_ground(mailing.grounds, mailing.power)

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
        return read_draft(data, self.store.files(mailing.id, waiting=True))

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
            head = self.store.source(mailing.id)[:_HEAD]
            self._texts[mailing.message_id] = read_text(parse_mail(head))
        return self._texts[mailing.message_id]

    def subject(self, mailing: Mailing) -> str:
        """Return the subject of a letter as its draft now stands, without its player's code."""
        data = self.read(mailing) if mailing.state == DRAFT else None
        head = (self.store.source(mailing.id) if data is None else data)[:_HEAD]
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
        with self.game.act("mail-drop", reason=reason) as note:
            mailing = self.in_state(number, DRAFT, UNCERTAIN)
            note.power = mailing.power
            note.detail |= {"letter": number, "kind": mailing.kind}
            self._store_file(mailing)
            self.store.set_state(mailing.id, DROPPED)
        self.tidy()
        return self.find(number)

    def mark_sent(self, number: int, reason: str = "") -> Mailing:
        """Mark a letter as sent, because the game master knows that it was, or sent it by hand.

        Raises:
            GameError: ``no-letter``, ``letter-is-<state>``.
        """
        with self.game.act("mail-mark-sent", reason=reason) as note:
            mailing = self.in_state(number, DRAFT, UNCERTAIN)
            note.power = mailing.power
            note.detail |= {"letter": number, "kind": mailing.kind}
            self._store_file(mailing)
            self.store.set_state(number, SENT, sent=self.game.stamp())
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
            self.store.set_grounds(number, Grounds())  # the game master answers for it
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
            with self.game.act("mail-withdraw", _find_single_power(drafts)) as note:
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


def _find_grounds(now: Circumstances, key: LetterKey, letter: Letter) -> Grounds:
    return now.find_grounds(key, lists_orders=letter.lists_orders, waiting=letter.about_message)


def _find_single_power(mailings: Collection[Mailing]) -> str:
    """Return the power of some letters, "" if they go to several."""
    powers = {mailing.power for mailing in mailings}
    return powers.pop() if len(powers) == 1 else ""


def _number(path: Path) -> str:
    """Return the number in the name of a draft."""
    return path.name.partition("-")[0]
