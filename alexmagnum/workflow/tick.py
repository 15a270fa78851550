"""What is done without the game master, in one game or in all games of a folder.

A folder of games has a game in each of its subfolders.  Games that read the same mailbox have it
fetched once, and each mail goes to its game.  A game that is broken, or locked by another command,
stops none of the others.  A copy of a game would answer the same mail: it is left alone.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

from alexmagnum.errors import AlexMagnumError, GameError
from alexmagnum.files import read_own, write_whole
from alexmagnum.game.copies import follow_with_second_place, rebuild_file
from alexmagnum.game.deadlines import is_past_deadline
from alexmagnum.game.desk import Desk
from alexmagnum.game.file import GAMES, hold_lock, is_game_folder
from alexmagnum.game.game import Player
from alexmagnum.game.late_orders import find_late_time
from alexmagnum.game.mail_store import SENT, Mailing, Message
from alexmagnum.game.people import read_players
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.mail.drafts import is_beginning, reminder_day
from alexmagnum.mail.inbox import Inbox
from alexmagnum.mail.outbox import Outbox
from alexmagnum.mail.sending import Delivery
from alexmagnum.mail.shared_mailbox import SharedMailbox, settle_mails_of_several_games
from alexmagnum.mail.transport import Account, DeliveryUnknown, NotSent, read_account
from alexmagnum.position import Position
from alexmagnum.site.site import follow_with_site
from alexmagnum.workflow import publish
from alexmagnum.workflow import situation as situations
from alexmagnum.workflow.changes import fetch_mail
from alexmagnum.workflow.master import answer_game_master, tell_game_master, tell_what_was_said

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

    ``processes``: it was asked to resolve the phase.  ``began`` is when it began to read the
    mailbox.  ``told``: a letter of today tells the game master about this situation.
    """

    desk: Desk
    processes: bool = False
    began: str = ""
    events: list[Event] = field(default_factory=list)
    failures: list[GameError] = field(default_factory=list)
    situation: situations.Situation = field(init=False)
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
        self.events += map(Outbox(self.desk).find, numbers)

    def process(self, *, leaves_mailbox: bool) -> None:
        """Resolve the open phase, if its deadline is past and nothing asks for the game master.

        Raises:
            GameError: ``mailbox-left``, where orders may lie in a mailbox that is not read.
        """
        desk = self.desk
        situation = situations.read_situation(desk)
        waits = situation.waits_only_for_orders
        if not situation.is_past or (situation.is_held and not waits) or self.came_due_since():
            return
        if leaves_mailbox:
            raise GameError("mailbox-left")
        desk.settle_late_powers()
        if not waits and is_past_deadline(desk):  # else somebody took a power over, and has time
            phase = str(desk.phase)
            try:
                _, published = publish.process_phase(
                    desk, phase, reason="tick", sends=False, is_due=self._is_due
                )
            except GameError as error:
                if error.code != "not-due":  # the deadline was moved while receipts were sent
                    raise
                return
            finally:
                if str(desk.phase) != phase:
                    self.events.append(PhaseProcessed(phase))
            self.events += published.deliveries
            self.failures += filter(None, [published.unsent])
            self.note_drafts(published.letters.drafted)

    def _is_due(self) -> bool:
        situation = situations.read_situation(self.desk)
        return situation.is_past and not (situation.is_held or self.came_due_since())

    def came_due_since(self) -> bool:
        """Tell whether a time was over only after this tick began to read the mailbox, in which
        something may have come in time: the next tick reads that first."""
        times = (self.desk.deadline, find_late_time(self.desk))
        return any(self.began < time <= self.desk.stamp() for time in times)

    def finish(self, news: Sequence[GameError]) -> None:
        """Tell the game master what the game waits for."""
        resolved = [event.phase for event in self.events if isinstance(event, PhaseProcessed)]
        self.situation = situations.read_situation(
            self.desk, (*self.failures, *news), resolved, processes=self.processes
        )
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
    began: str = "",
    fetched: Sequence[Message] | None = None,
    unread: Sequence[GameError] = (),
    news: Sequence[GameError] = (),
) -> Tick:
    """Do what the clock asks for: fetch and answer mail, process, draft letters, send them.

    A step that fails keeps none of the others from being taken.  The phase is resolved only if
    ``processes``, once its deadline is past and nothing asks for the game master.  What the game
    waits for then is in the result, and in a letter to the game master if the settings ask for it.

    A tick of several games has ``fetched`` the mail of this one already, and ``began`` to do so
    at an instant.  ``unread`` is why the fetch failed for it, if it did.  ``news`` are failures
    that its letter tells the game master about, those of other games among them.
    """
    with hold_lock(desk.folder, "tick"), desk.acting_as("tick"):
        tick = Tick(desk, processes, began if fetched is not None else desk.stamp())
        if (jump := desk.find_clock_jump()) is not None:
            tick.failures.append(jump)  # deadlines may be those of another year
        has_mailbox = bool(desk.settings["imap_server"])
        with tick.step():
            if fetched is not None:
                tick.events += fetched
                if not sources:
                    situations.note_reading(desk, tick.began, unread)
            elif sources or has_mailbox:
                mail = fetch_mail(desk, sources, stdin)
                tick.events += mail.new
                tick.failures += mail.faults
            else:  # what an interrupted fetch left
                tick.events += Inbox(desk).fetch(())
        situations.note_failures(desk, ())  # an answer names only what fails now
        with tick.step():
            phase = str(desk.phase)
            answer_game_master(desk)
            if str(desk.phase) != phase:
                tick.events.append(PhaseProcessed(phase))
        with tick.step():
            desk.ask_bots()  # those that an interrupted command did not ask
        # Orders may lie in a mailbox that could not be read; an answer that did not go is no order.
        failed = [one for one in tick.failures if not isinstance(one, NotSent | DeliveryUnknown)]
        if processes and not (failed or unread):
            with tick.step():
                tick.process(leaves_mailbox=bool(sources) and has_mailbox)
        if not tick.failures:
            with tick.step():
                tick.note_drafts(publish.mend_folder(desk))
        with tick.step():
            if (update := follow_with_site(desk)) is not None and update.failure is not None:
                raise update.failure
        if publish.writes_letters(desk):
            with tick.step():
                opening = desk.settings["announcements"] != "no" and is_beginning(desk)
                is_unread = not sources and situations.find_unread(desk)
                day = "" if tick.came_due_since() or is_unread else reminder_day(desk)
                tick.note_drafts(publish.update_letters(desk, opening=opening, day=day).drafted)
            with tick.step():
                deliveries, unsent = publish.send_automatic(desk)
                tick.events += deliveries
                tick.failures += [unsent] if unsent is not None else []
        with tick.step():
            follow_with_second_place(desk)
        tick.finish(news)
        situations.note_failures(desk, [*dict.fromkeys((*tick.failures, *unread))])
        return tick


# Several games in one folder: what each waits for, and a tick of all of them.


OpenDesk = Callable[[Path], Desk]

TICK_ALL = "tick-all"
"""The lock of a tick of all games, whose file tells when there was the last one."""

_PASSING = frozenset({"mail-busy", "game-busy"})
"""Errors of a game that another command works on: the next tick finds it free."""

_TOLD = "lost.told"  # has the day on which the game master was last told that a game is lost


def tell_of_loss(folder: Path, error: AlexMagnumError, open_desk: OpenDesk) -> None:
    """Tell the game master once a day that a game cannot be opened, as its change log knows them.

    Nothing is told if that cannot be read, or no letter can go.
    """
    with TemporaryDirectory() as place, suppress(Exception):  # whatever is wrong with it
        if rebuild_file(folder, Path(place) / "game") is None:
            return
        with open_desk(Path(place) / "game") as desk:
            mark, day = folder / _TOLD, desk.stamp()[:10]
            if not mark.is_file() or read_own(mark) != day.encode():
                tell_game_master(desk, situations.read_situation(desk, (_as_game_error(error),)))
                write_whole(mark, day, private=True)


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game of a folder: its desk with what it waits for or its tick, or why there is none."""

    folder: Path
    desk: Desk | None = None
    situation: situations.Situation | None = None
    tick: Tick | None = None
    error: AlexMagnumError | None = None


def find_game_folders(folder: Path) -> tuple[Path, ...]:
    """Return the folders of the games in a folder, those that are gone too; one that is a game
    itself has no other.

    Raises:
        GameError: ``no-games``.
    """
    if is_game_folder(folder := folder.resolve()):
        return (folder,)
    if not (found := _list_subfolders(folder)):
        raise GameError("no-games", path=str(folder))
    return found


def is_folder_of_games(folder: Path) -> bool:
    """Tell whether a folder is no game, and has games in it."""
    return not is_game_folder(folder) and bool(_list_subfolders(folder))


def _list_subfolders(folder: Path) -> tuple[Path, ...]:
    """Return the subfolders with a game: no hidden ones, and no second link to the same one; and
    where games are missing."""
    paths = []
    with suppress(OSError):
        for path in folder.glob("[!.]*"):
            with suppress(OSError):  # a folder that keeps this user out
                if is_game_folder(path):
                    paths.append(path)
    listed = {path.resolve(): path for path in sorted(paths, reverse=True)}
    listed |= {path: path for path in listed if path in paths}
    gone = (folder / name for name in _read_known(folder) if folder / name not in paths)
    return tuple(sorted((*listed.values(), *gone)))


def _read_known(folder: Path) -> dict[str, str]:
    with suppress(OSError, ValueError, TypeError):  # none yet, or damaged
        known = json.loads(read_own(folder / GAMES))
        marks = known if isinstance(known, dict) else {}  # earlier versions wrote names alone
        return {str(name): str(marks.get(name, "")) for name in known}
    return {}


def _note_known(folder: Path, known: Mapping[str, str]) -> None:
    if known != _read_known(folder):
        data = json.dumps(known, indent=0, sort_keys=True)
        write_whole(folder / GAMES, data + "\n", private=True)


def forget_game(folder: Path, name: str) -> None:
    """Miss a game no longer, because it was removed or moved on purpose.

    Raises:
        GameError: ``game-not-missing``.
    """
    if name not in (known := _read_known(folder)) or is_game_folder(folder / name):
        raise GameError("game-not-missing", name=name, path=str(folder))
    _note_known(folder, {other: mark for other, mark in known.items() if other != name})


def list_games(folder: Path, open_desk: OpenDesk) -> Iterator[GameLine]:
    """Yield every game of a folder at a glance; its desk is open until the next one."""
    for path in find_game_folders(folder):
        try:
            with open_desk(path) as desk:
                yield GameLine(path, desk, situations.read_situation(desk))
        except Exception as error:  # whatever is wrong with a game, the others are listed
            yield GameLine(path, error=_as_error(error, path))


def _as_error(error: Exception, path: Path) -> AlexMagnumError:
    """Return an error that can be put into words; there should be a game."""
    if isinstance(error, GameError) and error.code == "no-game":
        return GameError("game-gone", path=str(path), name=path.name)
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
    desks: dict[Path, Desk] = {}
    errors: dict[Path, AlexMagnumError] = {}
    positions: dict[Path, tuple[Sequence[Player], Position]] = {}
    for path in paths:
        try:
            desk = stack.enter_context(open_desk(path))
            desk.file.check_pages()  # the mail of all games is compared with its rows
            load_sentences(desk.lang)  # and with its settings
            positions[path] = read_players(desk), desk.position
            desks[path] = desk
        except Exception as error:  # whatever is wrong with a game, the others go on
            errors[path] = _as_error(error, path)
    is_complete, known = not errors, _read_known(folder)
    marks = {path: desk.mark for path, desk in desks.items()}
    # A game that cannot be opened now is no less the one that others are copies of.
    marks |= {path: known.get(path.name, "") for path in errors if is_game_folder(path)}
    copies = _find_copies(marks, known)
    for path in copies:
        desks.pop(path, None)
    errors = {**copies, **errors}
    if not is_game_folder(folder):
        here = {path.name: marks.get(path, "") for path in paths if path not in copies}
        _note_known(folder, known | here)
    named, sending = {path.name: desk for path, desk in desks.items()}, dict[str, float]()
    for path, desk in desks.items():
        desk.sending = sending
        # Who opened a file again and closed it would give up SQLite's locks on it.
        desk.beside = [about for other, about in positions.items() if other != path]
    began = {name: desk.stamp() for name, desk in named.items()}
    fetch = _Fetch(folder, named, is_complete=is_complete)
    fetch.run(sources, stdin)
    messages = {name: fetch.handle(name) for name in named}
    try:
        settle_mails_of_several_games(named)
    except Exception as error:  # it reads them all: one that cannot be read stops no tick
        fetch.failures.append(_as_game_error(_as_error(error, folder)))
    lasting = [error for error in errors.values() if error.code not in _PASSING]
    news = [*fetch.failures, *map(_as_game_error, lasting)]
    done, told = [], set[str]()
    for path in paths:
        if path not in desks:
            done.append(GameLine(path, error=errors[path]))
            continue
        try:
            tick = run_tick(
                desks[path],
                sources,
                stdin,
                processes=processes,
                began=began[path.name],
                fetched=messages[path.name],
                unread=fetch.failed.get(path.name, ()),
                news=() if desks[path].settings["gm_address"] in told else news,
            )
        except Exception as error:  # as above
            done.append(GameLine(path, desks[path], error=_as_error(error, path)))
            continue
        done.append(GameLine(path, desks[path], tick=tick))
        if tick.told:
            told.add(desks[path].settings["gm_address"])  # one letter about all failures is enough
    for path, lost in errors.items():
        if lost in news and not told:
            tell_of_loss(path, lost, open_desk)
    return done, fetch.failures


def _as_game_error(error: AlexMagnumError) -> GameError:
    """Return an error of another game as one that the game master can be told about."""
    return error if isinstance(error, GameError) else GameError("game-unread", why=str(error))


def _find_copies(marks: Mapping[Path, str], known: Collection[str]) -> dict[Path, GameError]:
    """Return the games that are copies of others: those that came into the folder when the other
    was ``known``, or all of them if that does not tell which is the copy."""
    groups: dict[str, list[Path]] = defaultdict(list)
    for path in sorted(marks):
        groups[marks[path] or str(path)].append(path)
    copies: dict[Path, GameError] = {}
    for group in groups.values():
        names = [path.name for path in group]
        before = [name for name in names if name in known]
        code = "game-copied" if len(before) == 1 else "game-copied-in-doubt"
        original = ", ".join(before if len(before) == 1 else names)
        for path in group if len(group) > 1 else ():
            if [path.name] != before:
                copies[path] = GameError(code, path=str(path), original=original)
    return copies


class _Fetch:
    """The fetch for all games: by folder, what failed and whose mail is stored.  A mailbox of a
    single game is left to the tick of that game."""

    def __init__(self, folder: Path, desks: Mapping[str, Desk], *, is_complete: bool) -> None:
        self.folder = folder
        self.desks = desks
        self.is_complete = is_complete
        self.failures: list[GameError] = []
        self.failed: dict[str, tuple[GameError, ...]] = {}
        self.fetched: set[str] = set()

    def run(self, sources: Sequence[str], stdin: BinaryIO) -> None:
        """Fetch from the sources, or from every mailbox that several games share."""
        for places, desks in [(sources, self.desks)] if sources else self._list_shared():
            shared = SharedMailbox(self.folder, desks, is_complete=self.is_complete)
            for desk in desks.values() if not sources else ():
                situations.begin_reading(desk)
            for place in places:
                try:
                    shared.read(place, stdin)
                except GameError as error:
                    self._fail(error, desks)
            self.fetched |= desks.keys()
            for name, unstored in shared.failures.items():
                self._fail(unstored, (name,))

    def _list_shared(self) -> Iterator[tuple[Sequence[str | Account], Mapping[str, Desk]]]:
        """Yield the mailboxes that several games read, each with these games."""
        groups: dict[Account, dict[str, Desk]] = {}
        for name, desk in self.desks.items():
            if desk.settings["imap_server"]:
                with suppress(GameError):  # its own tick says so
                    groups.setdefault(read_account(desk.settings), {})[name] = desk
        for account, desks in groups.items():
            if len(desks) > 1 or not self.is_complete:
                yield [account], desks

    def _fail(self, error: GameError, names: Iterable[str]) -> None:
        self.failures.append(error)
        self.failed |= {name: (*self.failed.get(name, ()), error) for name in names}

    def handle(self, name: str) -> tuple[Message, ...] | None:
        """Handle the mail that was stored for a game, and return it; None if none was fetched."""
        if name not in self.fetched:
            return None
        handled = list[Message]()
        try:
            handled.extend(Inbox(self.desks[name]).fetch(()))
        except Exception as error:  # whatever is wrong with a game, the others get their mail
            self._fail(_as_game_error(_as_error(error, self.folder / name)), (name,))
        return tuple(handled)
