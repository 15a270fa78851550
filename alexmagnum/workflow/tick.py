"""What is done without the game master, in one game or in all games of a folder, and the letters
that tell them what a game waits for.

A folder of games has a game in each of its subfolders.  Games that read the same mailbox have it
fetched once, and each mail goes to its game.  A game that is broken, or locked by another command,
stops none of the others.  A copy of a game would answer the same mail: it is left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from textwrap import indent
from typing import BinaryIO, TypeVar

from alexmagnum.errors import AlexMagnumError, GameError
from alexmagnum.game.deadlines import is_past_deadline
from alexmagnum.game.desk import Desk
from alexmagnum.game.file import FILE, Row
from alexmagnum.game.mail_store import (
    SENDING,
    SENT,
    InboxStore,
    Mailing,
    Message,
    list_codes,
    subject_prefix,
)
from alexmagnum.game.people import LEFT_OUT, hides_names
from alexmagnum.game.records import GmLetterRow, Passage
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
from alexmagnum.mail.drafts import is_beginning, reminder_day
from alexmagnum.mail.inbox import Inbox
from alexmagnum.mail.outbox import Outbox
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
from alexmagnum.mail.tray import answer_address, find_writer
from alexmagnum.report.document import wrap_text
from alexmagnum.report.words import phase_name
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
    list_advice,
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
        mail, address = _compose(desk, situation), settings["gm_address"]
        row = {"day": day, "situation": digest, "address": address, "mail": mail}
        _send(desk, f"gm-{len(letters) + 1:04}.eml", row)
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
        count = len(desk.file.select(GmLetterRow))
        row = {"day": desk.stamp()[:10], "situation": _SAID, "mail": mail}
        _send(desk, f"gm-{count + 1:04}.eml", {**row, "address": settings["gm_address"]}, numbers)


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


def _send(desk: Desk, name: str, row: Row, said: Sequence[int] = ()) -> None:
    """Send a letter to the game master, and store it when the other side may have it.

    ``said`` are the mails whose words it tells.

    One that may have been sent is never sent again; one that was refused is not kept.
    """
    numbers, inbox = list[int](), InboxStore(desk.file)

    def seal() -> None:
        with desk.file.writing("tick"):
            created = desk.stamp()
            numbers.append(desk.file.insert("gm_letters", **row, created=created, state=SENDING))
            inbox.note_told(said, numbers[-1])

    with hold_lock(desk.folder, "send"):
        carrier = choose_carrier(desk.folder, desk.settings)
        sender = desk.settings["mail_address"] or row["address"]
        try:
            carrier.carry(name, row["mail"], sender, row["address"], seal)
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
            sentences.format("situation-resolved", phase=phase_name(phase, desk.board, sentences))
            for phase in situation.resolved
        ],
        [describe_phase(situation, desk, sentences)],
        [f"- {line}" for line in (*waits, *failures)],
        [f"- {line}" for line in list_other_mails(situation, desk, sentences)],
        list_advice(situation, sentences),
        [sentences.format("gm-letter-foot")],
    ]
    return "\n".join(
        "".join(f"{wrap_text(line, rest='  ' * line.startswith('- '))}\n" for line in part)
        for part in parts
        if part
    )


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
    with hold_lock(desk.folder, "tick"):
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
        tick.finish(news)
        return tick


# Several games in one folder: what each waits for, and a tick of all of them.


OpenDesk = Callable[[Path], Desk]

_Place = TypeVar("_Place", str, Account)

_PASSING = frozenset({"mail-busy", "game-busy"})
"""Errors of a game that another command works on: the next tick finds it free."""


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game of a folder: its desk with what it waits for or its tick, or why there is none."""

    folder: Path
    desk: Desk | None = None
    situation: Situation | None = None
    tick: Tick | None = None
    error: AlexMagnumError | None = None


def find_game_folders(folder: Path) -> tuple[Path, ...]:
    """Return the folders of the games in a folder; one that is a game itself has no other.

    Raises:
        GameError: ``no-games``.
    """
    folder = folder.resolve()
    if (folder / FILE).is_file():
        return (folder,)
    found = _list_subfolders(folder)
    if not found:
        raise GameError("no-games", path=str(folder))
    return found


def is_folder_of_games(folder: Path) -> bool:
    """Tell whether a folder is no game, and has games in it."""
    return not (folder / FILE).exists() and bool(_list_subfolders(folder))


def _list_subfolders(folder: Path) -> tuple[Path, ...]:
    """Return the subfolders with a game: no hidden ones, and no second link to the same one."""
    try:
        paths = [path.parent for path in folder.glob(f"[!.]*/{FILE}") if path.is_file()]
    except OSError:
        return ()
    listed = {path.resolve(): path for path in sorted(paths, reverse=True)}
    listed |= {path: path for path in listed if path in paths}
    return tuple(sorted(listed.values()))


def list_games(folder: Path, open_desk: OpenDesk) -> Iterator[GameLine]:
    """Yield every game of a folder at a glance; its desk is open until the next one."""
    for path in find_game_folders(folder):
        try:
            with open_desk(path) as desk:
                yield GameLine(path, desk, read_situation(desk))
        except (AlexMagnumError, OSError) as error:
            yield GameLine(path, error=_as_error(error, path))


def _as_error(error: Exception, path: Path) -> AlexMagnumError:
    """Return an error that can be put into words."""
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
    stack.enter_context(hold_lock(folder, "tick-all"))
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
