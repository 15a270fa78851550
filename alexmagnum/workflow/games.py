"""Several games in one folder: what each waits for, and a tick of all of them.

A folder of games has a game in each of its subfolders.  Games that read the same mailbox have it
fetched once, and each mail goes to its game.  A game that is broken, or locked by another command,
stops none of the others.  A copy of a game would answer the same mail: it is left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TypeVar

from alexmagnum.errors import AlexMagnumError, GameError
from alexmagnum.game.desk import Desk
from alexmagnum.game.file import FILE
from alexmagnum.game.mail_store import Message, list_codes
from alexmagnum.mail.inbox import Inbox
from alexmagnum.mail.shared_mailbox import SharedMailbox, settle_mails_of_several_games
from alexmagnum.mail.transport import Account, hold_lock, read_account, read_source
from alexmagnum.workflow.situation import Situation, read_situation
from alexmagnum.workflow.tick import CommonFetch, Tick, run_tick

OpenDesk = Callable[[Path], Desk]

_Place = TypeVar("_Place", str, Account)

_PASSING = frozenset({"mail-busy", "game-busy"})
"""Errors of a game that another command works on: the next tick finds it free."""


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game of a folder: its desk and what it waits for, or why it cannot be opened."""

    folder: Path
    desk: Desk | None = None
    situation: Situation | None = None
    error: AlexMagnumError | None = None


@dataclass(frozen=True, slots=True)
class GameTick:
    """The tick of one game of a folder, or why there was none."""

    folder: Path
    desk: Desk | None = None
    tick: Tick | None = None
    error: AlexMagnumError | None = None


@dataclass(frozen=True, slots=True)
class AllTicks:
    """The ticks of the games of a folder, and what failed for all of them together."""

    games: tuple[GameTick, ...]
    failures: tuple[GameError, ...]

    @property
    def has_failed(self) -> bool:
        """Tell whether anything failed, or an overdue phase is held back."""
        return bool(self.failures) or any(
            game.tick is None or game.tick.has_failed for game in self.games
        )


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
) -> AllTicks:
    """Fetch the mail of all games of a folder, each mailbox once, and run the tick of each game.

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
    fetch = _Fetch(folder, is_complete=not errors)
    for path, copied in _find_copies(desks).items():
        del desks[path]
        errors[path] = copied
    named = {path.name: desk for path, desk in desks.items()}
    fetch.run(named, sources, stdin)
    messages = {path: fetch.handle(desk) for path, desk in desks.items()}
    settle_mails_of_several_games(named)
    lasting = [error for error in errors.values() if error.code not in _PASSING]
    news = [*fetch.failures, *map(_as_game_error, lasting)]
    done = []
    for path in paths:
        if path not in desks:
            done.append(GameTick(path, error=errors[path]))
            continue
        common = fetch.of_game(path.name, messages[path], news)
        try:
            tick = run_tick(desks[path], (), stdin, processes=processes, common=common)
        except Exception as error:  # as above
            done.append(GameTick(path, desks[path], error=_as_error(error, path)))
            continue
        done.append(GameTick(path, desks[path], tick))
        if tick.told:
            news = []  # one letter about the failures of all is enough
    return AllTicks(tuple(done), tuple(fetch.failures))


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
    """The fetch for all games: what failed, and for which games mail was fetched.

    A mailbox of a single game is left to the tick of that game.
    """

    def __init__(self, folder: Path, *, is_complete: bool) -> None:
        self.folder = folder
        self.is_complete = is_complete
        self.failures: list[GameError] = []
        self._failed: dict[str, GameError] = {}
        self._fetched: set[str] = set()

    def run(self, desks: Mapping[str, Desk], sources: Sequence[str], stdin: BinaryIO) -> None:
        """Fetch from the sources, or from every mailbox that several games share."""
        if sources:
            self._fill(desks, sources, lambda box, at: box.give_all(read_source(at, stdin)))
            return
        for account, names in _group_by_mailbox(desks).items():
            if len(names) > 1 or not self.is_complete:
                shared = {name: desks[name] for name in names}
                self._fill(shared, [account], SharedMailbox.fetch)

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
                self.fail(error, desks)
        self._fetched |= set(shared.games)
        for name, unstored in shared.failures.items():
            self.fail(unstored, (name,))

    def fail(self, error: GameError, names: Iterable[str]) -> None:
        """Note what failed for some games."""
        self.failures.append(error)
        self._failed |= dict.fromkeys(names, error)

    def handle(self, desk: Desk) -> tuple[Message, ...]:
        """Handle the mail that was stored for a game, and return it."""
        handled, name = list[Message](), desk.folder.name
        if name in self._fetched:
            try:
                handled.extend(Inbox(desk).fetch(()))
            except GameError as error:
                self.fail(error, (name,))
        return tuple(handled)

    def of_game(
        self, name: str, messages: tuple[Message, ...], news: Sequence[GameError]
    ) -> CommonFetch:
        """Return what the tick of a game has to know."""
        failed = (self._failed[name],) if name in self._failed else ()
        return CommonFetch(name in self._fetched, messages, failed, tuple(news))


def _group_by_mailbox(desks: Mapping[str, Desk]) -> dict[Account, list[str]]:
    """Return the games that read each mailbox."""
    groups: dict[Account, list[str]] = {}
    for name, desk in desks.items():
        if desk.settings["imap_server"]:
            with suppress(GameError):  # its own tick says so
                groups.setdefault(read_account(desk.settings), []).append(name)
    return groups
