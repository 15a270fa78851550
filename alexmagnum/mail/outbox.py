"""The outbox: letters are drafted first, and each is sent once.

A letter is a row in the game file and, while it is a draft, a file in the folder ``drafts``.  The
game master may read and change that file until the letter is sent: what is sent is the file.

    draft --> sending --> sent
      |  ^        |
      |  +--------+------> uncertain        dropped

The game file says ``sending`` before a server can have a mail.  A letter found in that state, with
nobody at work, was interrupted: it becomes ``uncertain``, and the game master decides.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from email.message import EmailMessage
from functools import cached_property
from hashlib import sha256
from itertools import chain, count
from pathlib import Path

from alexmagnum.errors import GameError
from alexmagnum.files import MOST_BYTES, PART, read_own, write_whole
from alexmagnum.game import late_orders, mail_store
from alexmagnum.game.deadlines import read_clock, read_texts
from alexmagnum.game.game import Game, Note, Player
from alexmagnum.game.mail_store import DRAFT, DROPPED, SENT, UNCERTAIN, LetterKey, Mailing, Occasion
from alexmagnum.game.orders import find_lacking_orders, find_last_submissions
from alexmagnum.game.people import find_last_change_of_players
from alexmagnum.game.records import PhaseRow
from alexmagnum.game.settings import select_house_rules
from alexmagnum.game.status import ABOUT_PEOPLE
from alexmagnum.mail import composition
from alexmagnum.mail.letters import LetterMaterials

DRAFTS, WITHDRAWN = "drafts", "withdrawn"

_FILE = re.compile(r"\d{4,}-[a-z]+-\w+\.eml")  # a draft; other files in the folder are not ours

_TORN = re.compile(rf"\.{_FILE.pattern}\.\w+{re.escape(PART)}")
"""The name of a draft that a program was killed while writing."""

_HEAD = 100_000  # bytes of a letter in which its plain text stands


# What letters rest on.


SUPERSEDED = "letter-superseded"
"""Why a draft was dropped that a later one replaces."""

MOVED = "letter-moved"
"""Why a letter was dropped, or got another address, whose player has another address now."""

DEADLINE_CHANGED, SHOWN_CHANGED = "letter-deadline-changed", "letter-shown-changed"
ORDERS_OVERTAKEN, PHASE_TURNED = "letter-orders-overtaken", "letter-phase-turned"

EDITED = "edited"
"""Among the grounds of a draft: its words are somebody's own."""

FORMER, OUTDATED, EARLIER = "former", "outdated", "earlier"
"""Among the grounds of a draft that was written anew: words that only an older version has, the
versions that no longer hold, and those that do, though they show other people and words."""

_SPAN = 6  # how many words that are
_TIME = re.compile(r"\d:\d\d")

RECENT = 5
"""How many of the last letters of each sort a mail of their reader may quote."""

OPEN, OVER = "open", "over"
"""Among the grounds of an answer: its phase is open, or the answer says that it is over."""

_LOST: Mapping[str, str] = {
    "phase": "letter-overtaken",
    "waiting": "letter-mail-decided",
    "orders": "letter-orders-changed",
    "seal": ORDERS_OVERTAKEN,
    "deadline": DEADLINE_CHANGED,
    "shown": SHOWN_CHANGED,
    "owed": SHOWN_CHANGED,
    "late": "letter-late-changed",
    "rules": "letter-rules-changed",
}
"""Why a letter no longer holds, by the first ground that it has lost."""


class Circumstances:
    """The present state of everything that letters rest on; each thing is read once.

    The grounds of a letter are the open phase (``answered`` if the letter says whether that is
    over), a mail that waits, the orders in force (their seal; it is kept as ``seal`` if
    the letter holds without them), the deadline, the house rules, what its reader still owes, and
    the people and words of the game master that it shows.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self._words: dict[str, str] = {}

    def find_grounds(self, key: LetterKey, letter: composition.Letter) -> mail_store.Grounds:
        """Return what a letter that is composed now rests on."""
        names = {*key.occasion.grounds, *letter.rests_on}
        waiting = letter.about_message
        told = {"row": str(self.head.id)}  # of the phase, which may be undone and opened again
        told |= {} if waiting is None else {"waiting": str(waiting)}
        return told | {name: self._read(name, key) for name in sorted(names)}

    def find_lost_ground(self, mailing: Mailing) -> str:
        """Return the code of why a letter no longer holds, "" if it does."""
        for name, code in _LOST.items():
            was = mailing.grounds.get(name)
            if was is not None and self._read(name, mailing.key, was) != was:
                return code
        # An older program noted fewer, or none.
        occasion = mailing.key.occasion
        is_known = mailing.grounds.keys() >= {*occasion.grounds}
        return "" if is_known or occasion not in mail_store.FOLLOWING else SHOWN_CHANGED

    def _read(self, name: str, key: LetterKey, was: str = "") -> str:
        match name:
            case "phase":
                return "over" if self.head.is_over else str(self.head.name)
            case "answered":
                return was or OPEN
            case "waiting":
                waits = (
                    mail_store.InboxStore(self.game.file).find(int(was)).state == mail_store.WAITING
                )
                return was if waits else ""
            case "orders" | "seal":
                return self._seals.get(key.power, "")
            case "deadline":
                return self._clock
            case "owed":
                return ", ".join(self.lacking.get(key.power, ()))
            case "late":
                return self._late_rules
            case "rules":
                return self._house_rules
            case _:
                words = (self._read_words(self._phases[outcome]) for outcome in key.outcomes)
                return " ".join((self._people, *(words if key.occasion == Occasion.REPORT else ())))

    @cached_property
    def head(self) -> PhaseRow:
        return self.game.head()

    @cached_property
    def lacking(self) -> Mapping[str, Sequence[str]]:
        """The orders that are still missing in the open phase, by power."""
        return {} if self.head.is_over else find_lacking_orders(self.game)

    @cached_property
    def late(self) -> tuple[late_orders.LatePower, ...]:
        """The powers whose orders are missing, with what becomes of them; not those of bots."""
        return late_orders.list_late_powers(self.game)

    @cached_property
    def _mailbox(self) -> str:
        """A digest of the game's address and secret, of which addresses and codes are made."""
        parts = (self.game.settings["mail_address"], self.game.info.secret)
        return sha256(repr(parts).encode()).hexdigest()[:8]

    @cached_property
    def _late_rules(self) -> str:
        rules = [self._mailbox, *(self.game.settings[name] for name in ("grace", "late_notice"))]
        waits = late_orders.is_late_time_over(self.game), late_orders.waits_for_master(self.game)
        return sha256(repr((self.late, waits, rules)).encode()).hexdigest()[:16]

    @cached_property
    def _house_rules(self) -> str:
        rules = sorted(select_house_rules(self.game.settings).items())
        return sha256(repr(rules).encode()).hexdigest()[:16]

    @cached_property
    def _clock(self) -> str:
        return read_clock(self.game)

    @cached_property
    def _seals(self) -> Mapping[str, str]:
        rows = find_last_submissions(self.game, int(self.head.id))
        return {power: row.digest for power, row in rows.items()}

    @cached_property
    def _people(self) -> str:
        shown = map(self.game.settings.__getitem__, ABOUT_PEOPLE)
        return " ".join((str(find_last_change_of_players(self.game)), *shown, self._mailbox))

    def _read_words(self, phase: str) -> str:
        if phase not in self._words:
            texts = repr(read_texts(self.game, phase)).encode()
            self._words[phase] = sha256(texts).hexdigest()[:16]
        return self._words[phase]

    @cached_property
    def _phases(self) -> Mapping[int, str]:
        return self.game.phases_of_outcomes()


class Outbox(mail_store.OutboxStore):
    """The letters of a game.

    Without ``materials`` drafts that show reports and pictures are left as they are.
    """

    def __init__(self, game: Game, materials: LetterMaterials | None = None) -> None:
        super().__init__(game.file)
        self.materials = materials
        self.game = game
        self.folder = game.file.folder
        self._texts: dict[str, str] = {}
        self.kept_aside = set[int]()  # numbers of letters whose words this command has set aside

    # -- drafts ----------------------------------------------------------------------------------

    def draft(self, key: LetterKey, letter: composition.Letter) -> int:
        """Draft a letter and return its number; a letter that has this key already stays as it is.

        A greater transaction may contain this one; the file is written last, and overwritten if its
        number comes again.
        """
        return self.draft_all({key: letter})[0]

    def draft_all(self, letters: Mapping[LetterKey, composition.Letter]) -> list[int]:
        """Draft letters in one transaction and return their numbers; see :meth:`draft`."""
        with self.file.writing("draft"):
            numbers = {key: mailing.id for key, mailing in self.by_keys(letters).items()}
            new = {key: letter for key, letter in letters.items() if key not in numbers}
            now, mails = Circumstances(self.game), dict[int, bytes]()
            for key, letter in new.items():
                ready = composition.address_letter(self.game, letter, key)
                mail = composition.write_draft(ready)
                number = self.add(
                    key,
                    mail,
                    composition.enclose_files(ready),
                    phase=ready.phase,
                    address=ready.to,
                    message_id=ready.message_id,
                    created=self.game.stamp(),
                    grounds=now.find_grounds(key, letter),
                )
                mails[number], numbers[key] = mail, number
                self._texts[ready.message_id] = composition.normalize_lines(letter.text)
            for mailing in self.find_several(mails) if mails else ():
                self.write(mailing, mails[mailing.id])
            return [numbers[key] for key in letters]

    def renew(self, key: LetterKey, letter: composition.Letter) -> int | None:
        """Compose a draft anew and return its number; None if it was sent.

        A draft that somebody has changed is composed anew only if it no longer holds; its file is
        kept in the folder :data:`WITHDRAWN`.  Else it gets new files alone, and None is returned.
        """
        with self.file.writing("draft"):
            known, now = self.by_key(key), Circumstances(self.game)
            if known is None or known.state != DRAFT:
                return None
            if (lost := now.find_lost_ground(known)) not in ("", SHOWN_CHANGED):
                with self.game.act("mail-rewrite", known.power) as note:
                    note.detail |= {"letters": [known.id], "why": lost}
                    self._keep_edited([known], note)
            ready = replace(
                composition.address_letter(self.game, letter, key), message_id=known.message_id
            )
            if lost in ("", SHOWN_CHANGED) and not self.is_as_drafted(known):
                # Its words are somebody's own, its sheet has the address of the game and a code.
                self.set_mail(known.id, self.mail(known.id), composition.enclose_files(ready))
                self.set_grounds(known.id, {**now.find_grounds(key, letter), EDITED: "yes"})
                return None
            data, grounds = composition.write_draft(ready), now.find_grounds(key, letter)
            grounds = self._note_former(known, (self.mail(known.id), data), grounds, lost)
            self.set_mail(known.id, data, composition.enclose_files(ready))
            self._set_basis(known, grounds, ready.phase)
            self.write(known, data)
            return known.id

    def reword(
        self,
        mailing: Mailing,
        reword: Callable[[str], str],
        grounds: mail_store.Grounds,
        created: str,
        *,
        why: str,
    ) -> None:
        """Change sentences of a draft, and in the file that the game master may have changed.

        ``grounds`` is what it rests on then, ``created`` the instant of the deadline in it, and
        ``why`` the code of why it was out of date.
        """
        with self.file.writing("draft"):
            if self.find(mailing.id).state != DRAFT:  # another command has sent it meanwhile
                return
            with self.game.act("mail-rewrite", mailing.power) as note:
                note.detail |= {"letters": [mailing.id], "why": why}
            file = self.read(mailing)
            old = self.mail(mailing.id)
            data = _reword(old, reword)
            version = sha256(data).hexdigest()[:16]
            grounds = self._note_former(mailing, (old, data), grounds, why)
            self.set_mail(mailing.id, composition.mark_version(data, version))
            self.set_grounds(mailing.id, grounds, created=created)
            self._texts.pop(mailing.message_id, None)
            if file is not None:
                self.write(mailing, composition.mark_version(_reword(file, reword), version))

    def readdress(self, mailing: Mailing, reader: Player) -> None:
        """Address a draft, which nobody has changed, to another address of its reader."""
        with self.file.writing("draft"):
            if self.find(mailing.id).state != DRAFT:  # another command was quicker
                return
            with self.game.act("mail-rewrite", mailing.power) as note:
                note.detail |= {"letters": [mailing.id], "why": MOVED}
            message = composition.parse_mail(self.mail(mailing.id))
            del message["To"]
            message["To"] = composition.make_mailbox("To", reader.name, reader.address)
            data, address = composition.rewrite_as_draft(message), message["To"].addresses[0]
            self.set_mail(mailing.id, data)
            self.set_grounds(mailing.id, mailing.grounds, address=address.addr_spec)
            self.set_state(mailing.id, DRAFT, attempts=0)
            self.write(mailing, data)

    def _note_former(
        self, mailing: Mailing, mails: tuple[bytes, bytes], grounds: mail_store.Grounds, lost: str
    ) -> mail_store.Grounds:
        """Return the grounds of a draft that is written anew, from its old and new ``mails``.

        They note the versions that no longer hold, and a few words of each that the new one has
        not; in a draft that somebody has changed, words with a time of the day.  An earlier version
        that shows other people and words holds until another ground is lost.
        """
        was = mailing.grounds
        holding = ", ".join(filter(None, (was.get(EARLIER), composition.read_version(mails[0]))))
        outdated, words = was.get(OUTDATED, ""), was.get(FORMER, "")
        if lost == SHOWN_CHANGED:
            return {**grounds, OUTDATED: outdated, EARLIER: holding, FORMER: words}
        before, after = (
            composition.read_text(composition.parse_mail(data)).split() for data in mails
        )
        spans = [" ".join(before[at : at + _SPAN]) for at in range(len(before) - _SPAN + 1)]
        now, is_own = " ".join(after), self.is_as_drafted(mailing)
        ends = [at for at, span in enumerate(spans) if span not in now]  # with the first other word
        begun = (spans[min(at + _SPAN - 1, len(spans) - 1)] for at in ends)  # from that one on
        lost_words = (
            span
            for span in (*begun, *(spans[at] for at in ends))
            if span not in now and (is_own or _TIME.search(span))
        )
        known = [span for span in words.splitlines() if span not in now]
        former = "\n".join(dict.fromkeys([*known, next(lost_words, "")])).strip()
        return {**grounds, OUTDATED: f"{outdated}, {holding}".strip(", "), FORMER: former}

    def _set_basis(self, mailing: Mailing, grounds: mail_store.Grounds, phase: str) -> None:
        """Note that a draft is of this instant, and what it rests on."""
        self.set_grounds(mailing.id, grounds, created=self.game.stamp(), phase=phase)
        self._texts.pop(mailing.message_id, None)

    def is_as_drafted(self, mailing: Mailing) -> bool:
        """Return whether nobody has changed the file of a draft."""
        now, data = self.find(mailing.id), self.read(mailing)
        return data is not None and EDITED not in now.grounds and _is_stored(now, data)

    def store_edits(self) -> None:
        """Store drafts that somebody has changed, so that copies and exports have their words; not
        one that is too large, or no mail that can be read, as while an editor writes it.

        One that an editor opened before its draft was written anew is kept aside.
        """
        for mailing in self.list_letters((DRAFT,)):
            with suppress(GameError):
                if (data := self.read(mailing)) is None or _is_stored(mailing, data):
                    continue
                text = composition.read_text(self.complete(mailing, data))
                if self._is_of_older_version(mailing, data, text):
                    self._write_over(mailing, "letter-of-other-version")
                elif text.strip() and len(data) <= MOST_BYTES:
                    with self.file.writing("draft"):
                        self.set_mail(mailing.id, data)
                        self.set_grounds(mailing.id, {**mailing.grounds, EDITED: "yes"})

    def _is_of_older_version(self, mailing: Mailing, data: bytes, text: str) -> bool:
        """Tell whether a file was made from an older version of its draft; one of a mail program
        does not name the version, and is known by words that the present one has not."""
        if not (version := composition.read_version(data)):
            words = " ".join(text.split())
            return any(former in words for former in mailing.grounds.get(FORMER, "").splitlines())
        is_outdated = version in mailing.grounds.get(OUTDATED, "").split(", ")
        return is_outdated and version != composition.read_version(self.mail(mailing.id))

    def write_stored(self, *, anew: bool) -> None:
        """Write the drafts that have no file as they are stored, and with ``anew`` those that have
        another one, which is kept in the folder :data:`WITHDRAWN`."""
        for mailing in self.list_letters((DRAFT,)):
            data = self.read(mailing)
            if data is not None and not _is_stored(mailing, data) and anew:
                self._write_over(mailing, "letter-of-other-file")
            elif data is None:
                self.write(mailing, self.mail(mailing.id))

    def _write_over(self, mailing: Mailing, why: str) -> None:
        """Write a draft as it is stored in the place of another file, which is kept aside."""
        with self.file.writing("draft"), self.game.act("mail-rewrite", mailing.power) as note:
            note.detail |= {"letters": [mailing.id], "why": why}
            self._keep_edited([mailing], note)
            self.write(mailing, self.mail(mailing.id))

    # -- looking ---------------------------------------------------------------------------------

    def message(self, number: int) -> EmailMessage:
        """Return a letter as it was sent, or as its draft now stands, with its files."""
        mailing = self.find(number)
        data = self.read(mailing) if mailing.state == DRAFT else None
        return self.complete(mailing, self.mail(number) if data is None else data)

    def complete(self, mailing: Mailing, data: bytes) -> EmailMessage:
        """Return the mail of a letter's file, with the files that are put in when it is sent."""
        return composition.read_draft(data, self.files(mailing.id))

    def attached_texts(self, mailing: Mailing) -> Iterator[str]:
        """Yield the texts of the plain text files that a letter has."""
        for part in self.message(mailing.id).iter_attachments():
            if part.get_content_type() == "text/plain":
                yield str(part.get_content())

    def text(self, mailing: Mailing) -> str:
        """Return the plain text of a letter; it is kept, because every mail asks for it again."""
        if mailing.message_id not in self._texts:
            self._texts[mailing.message_id] = composition.read_text(
                composition.parse_mail(self.head(mailing.id, _HEAD))
            )
        return self._texts[mailing.message_id]

    def subject(self, mailing: Mailing) -> str:
        """Return the subject of a letter as its draft now stands, without its player's code."""
        data = self.read(mailing) if mailing.state == DRAFT else None
        head = self.head(mailing.id, _HEAD) if data is None else data
        return mail_store.remove_subject_tag(str(composition.parse_mail(head)["Subject"] or ""))

    # -- files of drafts -------------------------------------------------------------------------

    def path(self, mailing: Mailing) -> Path:
        """Return where a letter's draft is."""
        return self.folder / DRAFTS / mailing.file

    def write(self, mailing: Mailing, data: bytes) -> None:
        """Write a draft; another file under its number was never finished and is removed."""
        path = self.path(mailing)
        for left in path.parent.glob(f"{mailing.id:04}-*.eml"):
            if left != path:
                left.unlink(missing_ok=True)
        write_whole(path, data, private=True)

    def read(self, mailing: Mailing) -> bytes | None:
        """Return a draft as its file now stands; None if somebody removed the file."""
        try:
            return read_own(self.path(mailing))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise GameError("draft-unreadable", why=error.strerror or "") from None

    def tidy(self) -> None:
        """Remove the files of letters that are no drafts any more, or never were.

        The game file is held meanwhile, so that no file is removed that is just being written.
        Within a greater transaction, which may fail, nothing is removed yet.  What cannot be
        removed now stays until the next time.
        """
        if not self.file.connection.in_transaction and self._left_over():
            with suppress(GameError), self.file.writing("outbox"):
                for path in self._left_over():
                    with suppress(OSError):
                        path.unlink(missing_ok=True)

    def _left_over(self) -> list[Path]:
        waiting = {mailing.file for mailing in self.list_letters((DRAFT, mail_store.SENDING))}
        return [
            path
            for path in (self.folder / DRAFTS).glob("*.eml*")
            if _TORN.fullmatch(path.name)
            or (_FILE.fullmatch(path.name) and path.name not in waiting)
        ]

    # -- by hand ---------------------------------------------------------------------------------

    def drop(self, number: int, reason: str = "") -> Mailing:
        """Give up a letter that was not sent."""
        return self._settle(number, "mail-drop", DROPPED, reason)

    def mark_sent(self, number: int, reason: str = "") -> Mailing:
        """Mark a letter as sent, because the game master knows that it was, or sent it by hand."""
        return self._settle(number, "mail-mark-sent", SENT, reason)

    def _settle(self, number: int, action: str, state: str, reason: str) -> Mailing:
        """Keep the file of a letter as it now stands, and let the letter be a draft no more."""
        with self.game.act(action, reason=reason) as note:
            mailing = self.in_state(number, DRAFT, UNCERTAIN)
            note.power = mailing.power
            note.detail |= {"letter": number, "kind": mailing.kind}
            if (data := self.read(mailing) if mailing.state == DRAFT else None) is not None:
                self.set_mail(number, data)
            self.set_state(number, state, sent=self.game.stamp() if state == SENT else None)
        self.tidy()
        return self.find(number)

    def put_back(self, number: int, reason: str = "") -> Mailing:
        """Make a letter a draft again that was sent, may have been sent, or was dropped."""
        with self.game.act("mail-again", reason=reason) as note:
            mailing = self.in_state(number, SENT, UNCERTAIN, DROPPED)
            note.power = mailing.power
            note.detail |= {"letter": number, "kind": mailing.kind, "was": mailing.state}
            self.bring_back([mailing])
            self.set_grounds(number, {})  # the game master answers for it
        return self.find(number)

    def in_state(self, number: int, *states: str) -> Mailing:
        """Return a letter that has to be in one of some states.

        Raises:
            GameError: ``no-letter``, ``letter-is-<state>``.
        """
        if (mailing := self.find(number)).state not in states:
            raise GameError(f"letter-is-{mailing.state}", number=str(number))
        return mailing

    # -- by what happens in the game -------------------------------------------------------------

    def withdraw(self, mailings: Collection[Mailing], code: str) -> None:
        """Drop drafts that have been overtaken by events, and enter that in the journal.

        The file of a draft that somebody has changed is kept in the folder :data:`WITHDRAWN`.
        """
        # Another command may have sent some meanwhile.
        with self.file.writing("outbox") if mailings else nullcontext():
            now = self.find_several([mailing.id for mailing in mailings]) if mailings else ()
            if not (drafts := [mailing for mailing in now if mailing.state == DRAFT]):
                return
            powers = {mailing.power for mailing in drafts}
            with self.game.act("mail-withdraw", powers.pop() if len(powers) == 1 else "") as note:
                note.detail |= {"letters": [mailing.id for mailing in drafts], "why": code}
                for mailing, data in self._keep_edited(drafts, note):
                    self.set_mail(mailing.id, data)
                for mailing in drafts:
                    self.set_state(mailing.id, DROPPED, problem=GameError(code))
        self.tidy()

    def _keep_edited(self, drafts: Iterable[Mailing], note: Note) -> list[tuple[Mailing, bytes]]:
        """Copy the files that somebody has changed to the folder :data:`WITHDRAWN`; return them.

        ``note`` gets their paths in the game's folder.
        """
        folder, edited, kept = self.folder / DRAFTS / WITHDRAWN, [], list[str]()
        for mailing in drafts:
            data = self.read(mailing)
            if data is None or (EDITED not in mailing.grounds and _is_stored(mailing, data)):
                continue
            stem = mailing.file.removesuffix(".eml")
            names = chain([f"{stem}.eml"], (f"{stem}-{number}.eml" for number in count(2)))
            name = next(name for name in names if not (folder / name).exists())
            write_whole(folder / name, data, private=True)
            kept.append(f"{DRAFTS}/{WITHDRAWN}/{name}")
            self.kept_aside.add(mailing.id)
            edited.append((mailing, data))
        if kept:
            note.detail["kept"] = kept
            self.game.warnings.append(GameError("drafts-kept-aside", files=", ".join(kept)))
        return edited

    def bring_back(self, mailings: Collection[Mailing]) -> None:
        """Make letters drafts again, as they were when they were sent or dropped."""
        with self.file.writing("outbox") if mailings else nullcontext():
            for mailing in mailings:
                if self.find(mailing.id).state != mailing.state:  # another command was first
                    continue
                data = self.mail(mailing.id)
                if not composition.is_draft(data):
                    data = composition.rewrite_as_draft(composition.parse_mail(data))
                    self.set_mail(mailing.id, data)
                self.set_state(mailing.id, DRAFT, sent="")
                self.write(mailing, data)


def _is_stored(mailing: Mailing, data: bytes) -> bool:
    return sha256(data).hexdigest() == mailing.sha256


def _reword(data: bytes, reword: Callable[[str], str]) -> bytes:
    """Return a draft with other words; a file without a text that can be read stays as it is.

    A text that somebody's mail program has encoded, or doubled as a page, becomes plain.
    """
    try:
        message = composition.parse_mail(data)
        coding = str(message["Content-Transfer-Encoding"] or "7bit").lower()
        is_plain = not message.is_multipart() and coding in ("7bit", composition.EIGHT_BIT)
        if is_plain and message.get_content_charset("us-ascii") in ("us-ascii", "utf-8"):
            line = "\r\n" if b"\r\n" in data else "\n"
            head, blank, text = data.decode().partition(line * 2)
            lines = reword(text.replace("\r\n", "\n")).replace("\n", line)
            return f"{head}{blank}{lines}".encode()
        text = reword(composition.read_text(message))
        for kind in ("html", "plain") if text else ():
            if (body := message.get_body((kind,))) is not None:
                body.set_content(text)
        return message.as_bytes(policy=composition.DRAFT_POLICY) if text else data
    except (ValueError, LookupError):
        return data
