"""A game as its file has it: map, settings, phase, journal; the values that the desk returns.

Every function of this room takes a :class:`Game`.  What it knows of a map, a position or an outcome
it keeps, since none of them ever changes: a map is parsed once for each game that is opened, a
position once, and a phase is adjudicated once.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import wraps
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar

from alexmagnum.board.map_file import find_map, read_map_text
from alexmagnum.board.model import Board
from alexmagnum.cases.schema import position_data, read_position
from alexmagnum.errors import AlexMagnumError, GameError
from alexmagnum.files import is_file, read_text, write_whole
from alexmagnum.game.file import GameFile, to_json
from alexmagnum.game.records import Entry, GameRow, OutcomeRow, PhaseRow, PositionRow, Record
from alexmagnum.game.settings import default_settings, lower_ascii, read_switches
from alexmagnum.i18n.dates import format_iso, parse_iso, to_local
from alexmagnum.notation.names import power_names
from alexmagnum.position import Phase, Position, parse_phase

if TYPE_CHECKING:
    from alexmagnum.bots import Bot
    from alexmagnum.judge.outcome import Outcome


class Surroundings(NamedTuple):
    """The clock, chance, and who is at the desk: all that a game has from the world."""

    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    entropy: Callable[[int], bytes] = secrets.token_bytes
    actor: str = "gm"


REAL_WORLD = Surroundings()

_BACK, _FAR = timedelta(minutes=1), timedelta(days=90)
"""The time that a clock may go back, or a game sleep behind its deadline, before the game master is
warned; without a deadline it may sleep."""

_JUMP = "clock_jump"  # in an entry of the journal: a jump of the clock since the entry before

COUNTS_TWICE = (
    "undo",
    "redo",
    "amend",
    "amend-settings",
    "deadline-extend",
    "player-replace",
    "letter-write",
    "text",
)
"""The acts that would count once more if an interrupted command was given again."""

CALL = ".call"
"""The file of a command that does such an act, until it has ended: the number of the last act
before it."""

CLOCK_ACTS = ("deadline-set", "deadline-extend", "pause", "resume")
"""The acts that change a deadline, besides opening a phase."""

_LINE = """JOIN (
       WITH RECURSIVE back(outcome, depth) AS (
           SELECT parent, 0 FROM phases WHERE id = ?
           UNION ALL
           SELECT phases.parent, depth + 1 FROM back
           JOIN outcomes ON outcomes.id = back.outcome
           JOIN phases ON phases.id = outcomes.phase
           WHERE depth < 10000  -- a damaged file may lead in a circle
       )
       SELECT * FROM back
   ) AS back ON outcomes.id = back.outcome
   ORDER BY depth DESC"""


@dataclass
class Note:
    """The journal entry of an act that is going on; the act adds what there is to say.

    ``players`` says whether the act changed who orders for a power: ``changed``, ``taken-over``.
    """

    phase: str = ""
    power: str = ""
    reason: str = ""
    players: str = ""
    detail: dict[str, object] = field(default_factory=dict)


@dataclass
class Known:
    """Values of rows that never change: positions by phase and switches, outcomes that were
    adjudicated, and reply codes by phase and power."""

    positions: dict[tuple[int, str], Position] = field(default_factory=dict)
    outcomes: dict[int, Outcome] = field(default_factory=dict)
    codes: dict[str, dict[str, str]] = field(default_factory=dict)


class Game:
    """An open game.  ``warnings`` are errors to be shown that stop nothing; while it is
    ``rehearsing``, everything is taken back afterwards."""

    def __init__(self, file: GameFile, around: Surroundings) -> None:
        self.file = file
        self.now, self.entropy, self.actor = around
        self.warnings: list[GameError] = []
        """Errors that stop nothing (``map-changed``, ``clock-jump``), to be shown."""
        self.rehearsing = False
        self.call = self.unfinished = ""
        """The words of this command, and the digest of those of a command that was interrupted."""
        self.bots: dict[str, Bot] = {}
        """The bots that were asked, by name: what they know of the map they keep."""
        self.beside: list[tuple[Sequence[Player], Position]] | None = None
        """The players and the position of each other game in the folder, once they were read."""
        self.sending: dict[str, float] = {}
        """The seconds that this command has given to mail servers, by their places."""
        self._boards: dict[str, Board] = {}
        self.known = Known()
        """What is known by number since the game was opened, or since rows were taken back: other
        rows get those numbers."""
        file.on_rollback = self._forget
        self._settings: tuple[list[tuple[str, str]], Mapping[str, str]] = ([], default_settings())
        with file.guarded():
            row = file.find(GameRow)
        if row is None:
            raise GameError("game-damaged", path=file.path, why="games")
        self.info = row
        self.base = self._read_map()
        if (jump := self.find_clock_jump()) is not None:
            self.warnings.append(jump)
        if file.doubted:
            self.warnings.append(GameError("game-doubtful", path=file.path))

    def close(self) -> None:
        self.file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def reading(self) -> AbstractContextManager[None]:
        """Open a view of the file at one instant, whatever other commands do meanwhile."""
        return self.file.reading()

    @property
    def folder(self) -> Path:
        return self.file.folder

    @property
    def name(self) -> str:
        return self.info.name

    @property
    def mark(self) -> str:
        """A text that the game has in common with its copies alone, and that tells no secret."""
        about = f"{self.info.secret}\n{self.info.name}\n{self.info.created}\n"
        return sha256(about.encode()).hexdigest()[:16]

    # -- the map ---------------------------------------------------------------------------------

    def _read_map(self) -> Board:
        """Return the copy of the map that the game plays on, with the shapes of the map's own file.

        It is a warning if that file has become another map; other shapes make no other map.  The
        file may be gone, or on another machine.
        """
        info = self.info
        source = info.map_source  # the map's id, or a path relative to the folder
        is_path = "/" in source or bool(Path(source).suffix)
        if digest(info.map_text) != info.map_digest or not (is_path or source == info.map):
            raise GameError("game-damaged", path=self.file.path, why="map")
        source = str(self.folder / source) if is_path else source
        path, text = None, info.map_text
        with suppress(AlexMagnumError):
            path = find_map(source)
            text = read_text(path)
        board = read_map_text(info.map_text, str(path or source)).board
        now = board
        if text != info.map_text:
            try:
                now = read_map_text(text, str(path)).board
                is_same = _remove_drawing(now) == _remove_drawing(board)
            except AlexMagnumError:
                is_same = False
            if not is_same:
                self.warnings.append(GameError("map-changed", map=info.map_source))
        shapes = board.geometry
        if now.provinces.keys() == board.provinces.keys():
            shapes = shapes or now.geometry
        drawn = path is not None and bool(shapes) and is_file(path.parent / shapes)
        return replace(board, geometry=str(path.parent / shapes) if path and drawn else "")

    def _board_under(self, rules: str) -> Board:
        """Return the map under some switches, given as the JSON in which they are stored."""
        if rules not in self._boards:
            self._boards[rules] = self.base.with_rules(json.loads(rules))
        return self._boards[rules]

    @property
    def board(self) -> Board:
        """Return the map, under the switches in force now."""
        return self._board_under(self.rules())

    # -- settings --------------------------------------------------------------------------------

    @property
    def settings(self) -> Mapping[str, str]:
        """Return every house rule, and the switches that are set (``rules.<switch>``)."""
        with self.file.guarded():
            rows = self.file.connection.execute("SELECT name, value FROM settings").fetchall()
        if rows != self._settings[0]:
            self._settings = rows, default_settings() | dict(rows)
        return self._settings[1]

    @property
    def lang(self) -> str:
        return self.settings["lang"]

    def rules(self) -> str:
        """Return the switches in force now, as they are stored."""
        return to_json(read_switches(self.settings))

    # -- phases ----------------------------------------------------------------------------------

    def head(self) -> PhaseRow:
        """Return the open phase, or the row behind the last one if the game is over."""
        row = self.file.find(PhaseRow, "WHERE id = (SELECT head FROM games)")
        assert row is not None, "every game has a head"
        return row

    def phase_row(self, key: int) -> PhaseRow:
        """Return the phase with a number."""
        return next(row for row in self.phase_rows() if row.id == key)

    def phase_rows(self) -> tuple[PhaseRow, ...]:
        """Return the phases, oldest first: those that are over, the open one, and undone ones."""
        return self.file.select(PhaseRow, "ORDER BY id")

    @property
    def phase(self) -> Phase | None:
        """Return the open phase, None if the game is over."""
        head = self.head()
        return None if head.is_over else self.find_position(head.id).phase

    @property
    def deadline(self) -> str:
        """Return the deadline of the open phase, "" if there is none or the clock stands."""
        return self.head().deadline

    @property
    def paused(self) -> bool:
        """Tell whether the clock of the open phase stands."""
        return self.head().seconds_left is not None

    @property
    def position(self) -> Position:
        """Return the position before the open phase; the last one if the game is over."""
        return self.find_position(self.head().id)

    def find_position(self, phase: int, rules: str | None = None) -> Position:
        """Return the position before a phase, under some switches (those in force now)."""
        key, positions = (phase, self.rules() if rules is None else rules), self.known.positions
        if key not in positions:
            row = self.file.find(PositionRow, "WHERE positions.phase = ?", phase)
            assert row is not None, "every phase has a position"
            positions[key] = self.read_position(row.data, key[1])
        return positions[key]

    def read_position(self, data: str, rules: str) -> Position:
        """Return a position from the text in which it is stored."""
        return read_position(json.loads(data), self._board_under(rules), self.file.path)

    def _forget(self) -> None:
        self.known = Known()

    def line(self) -> tuple[OutcomeRow, ...]:
        """Return the outcomes that led to the open phase, oldest first."""
        return self.line_to(self.head().id)

    def line_to(self, phase: int) -> tuple[OutcomeRow, ...]:
        """Return the outcomes that led to a phase, oldest first."""
        return self.file.select(OutcomeRow, _LINE, phase)

    def outcomes(self) -> tuple[OutcomeRow, ...]:
        """Return the outcomes of all phases in all versions, oldest first."""
        return self.file.select(OutcomeRow, "ORDER BY outcomes.id")

    def phases_of_outcomes(self) -> Mapping[int, str]:
        """Return the name of the phase of every outcome."""
        return {row.id: row.name for row in self.outcomes()}

    def phase_name(self, asked: str) -> str:
        """Return the canonical name of a phase that somebody wrote.

        Raises:
            GameError: unknown-phase.
        """
        try:
            return str(parse_phase(asked, self.base.rules.picks))
        except ValueError:
            raise GameError("unknown-phase", asked=asked, current=self.head().name) from None

    def power(self, asked: str) -> str:
        """Return the id of a power that somebody named."""
        return parse_power(self.base, asked)

    # -- acts ------------------------------------------------------------------------------------

    @contextmanager
    def act(
        self, action: str, power: str = "", reason: str = "", players: str = ""
    ) -> Iterator[Note]:
        """Open an act of the game master: a transaction with its entry in the journal."""
        with self.file.writing(action):
            note = Note(self.head().name, power, reason, players)
            self._check_clock(note)
            if self.call and action in COUNTS_TWICE and not self.rehearsing:
                note.detail["call"] = digest(self.call)
                if note.detail["call"] == self.unfinished:
                    raise GameError("act-done-before")
                write_whole(self.file.folder / CALL, str(self.last_act()), private=True)
            yield note
            self.file.insert(
                "journal",
                at=self.stamp(),
                actor=self.actor,
                action=action,
                phase=note.phase,
                power=note.power,
                reason=note.reason,
                players=note.players,
                detail=to_json(note.detail),
            )

    @contextmanager
    def acting_as(self, actor: str) -> Iterator[None]:
        """Let the journal name somebody else as the one who acts, in no act of a command's own."""
        before, self.actor, self.call = (self.actor, self.call), actor, ""
        try:
            yield
        finally:
            self.actor, self.call = before

    def last_act(self) -> int:
        """Return the number of the journal's last entry, 0 if there is none."""
        return self.file.count("SELECT MAX(id) FROM journal")

    def find_last_act(self, *actions: str, phase: str = "") -> Entry | None:
        """Return the journal's last entry about some acts, in a phase or in any."""
        marks = ", ".join("?" * len(actions))
        rest = f"WHERE action IN ({marks}) AND ? IN ('', phase) ORDER BY id DESC LIMIT 1"
        return self.file.find(Entry, rest, *actions, phase)

    def stamp(self) -> str:
        """Return the present as it is stored."""
        return format_iso(self.now())

    def today(self) -> str:
        """Return the present day at the game's place: ``2026-12-24``."""
        return to_local(self.now(), self.settings["timezone"]).date().isoformat()

    def _check_clock(self, note: Note) -> None:
        """Note in the journal that the clock jumped since the last act, and warn."""
        if (jump := self._compare_clock()) is not None:
            note.detail[_JUMP] = dict(jump.data)
            if not any(warning.code == jump.code for warning in self.warnings):
                self.warnings.append(jump)

    def _compare_clock(self) -> GameError | None:
        """Return a warning if the clock went back since the last act, or far ahead."""
        if (last := self.file.find(Entry, "ORDER BY id DESC LIMIT 1")) is None:
            return None
        is_far = self.deadline and self.now() > parse_iso(max(last.at, self.deadline)) + _FAR
        has_jumped = is_far or self.now() < parse_iso(last.at) - _BACK
        return GameError("clock-jump", last=last.at, now=self.stamp()) if has_jumped else None

    def find_clock_jump(self) -> GameError | None:
        """Return a jump of the clock since the game master last looked at the deadline, if any.

        They did when they set it, or resolved a phase.
        """
        looked = ("process", *CLOCK_ACTS)
        where = f"WHERE json_extract(detail, '$.{_JUMP}.now') NOTNULL OR action IN {looked}"
        last = self.file.find(Entry, f"{where} ORDER BY id DESC LIMIT 1")
        jump = self._compare_clock()
        if last is not None and last.action not in looked:
            jump = GameError("clock-jump", **last.detail[_JUMP])
        return jump if jump is not None and self.deadline else None


_Reader = TypeVar("_Reader", bound=Callable[..., Any])


def in_one_view(reader: _Reader) -> _Reader:
    """Let a function read a game as it is at one instant, whatever other commands do meanwhile."""

    @wraps(reader)
    def read(game: Game, *args: Any, **options: Any) -> Any:
        with game.reading():
            return reader(game, *args, **options)

    return read  # type: ignore[return-value]


def parse_power(board: Board, asked: str) -> str:
    """Return the id of a power that somebody named by id, name, alias or abbreviation.

    Raises:
        GameError: no-such-power; several-powers, if it could be more than one.
    """
    if len(found := power_names(board).find(asked)) > 1:
        raise GameError("several-powers", text=asked, powers=", ".join(found))
    if not found:
        raise GameError("no-such-power", text=asked, powers=", ".join(board.powers))
    return found[0]


def digest(text: str) -> str:
    """Return the digest by which texts are compared."""
    return sha256(text.encode()).hexdigest()


def position_json(position: Position) -> str:
    """Return a position as it is stored."""
    return to_json(position_data(position))


def _remove_drawing(board: Board) -> Board:
    """Return a map without what only its pictures show."""
    return replace(board, geometry="", impassable=())


# The values that the desk returns: frozen, and not yet put into words.
#
# Powers, phases, units and orders are named as the notation names them (``TOL``, ``318-autumn``,
# ``F EGE#2``, ``A MEN - TEB``); instants are ISO texts in UTC, "" where there is none; codes name
# sentences of the catalogues.


RETURN = "return"
"""How long a bot stands in for a player: until they send orders themselves."""

SOME_BOT = "?"
"""The name of a bot for readers who must not know who plays."""


@dataclass(frozen=True, slots=True)
class Player(Record, source="players", json="other_addresses"):
    """A person or a bot that plays a power; ``until`` is set once somebody else took over.

    Letters go to ``address``; mails are taken from the ``other_addresses`` as well.
    ``absent_from`` and ``absent_until`` are days (``2026-12-24``), ``note`` is the game master's.
    ``bot`` is the name of the bot that gives the orders, "" if a person does.  ``stand_in`` is ""
    if the bot is the player, who has no name and no address then; else the bot stands in for the
    person until they send orders (:data:`RETURN`), or in the phase of that name alone.
    """

    power: str
    name: str
    address: str = ""
    lang: str = ""
    since: str = ""
    until: str = ""
    absent_from: str = ""
    absent_until: str = ""
    note: str = ""
    other_addresses: tuple[str, ...] = ()
    bot: str = ""
    stand_in: str = ""

    @property
    def is_bot(self) -> bool:
        """Tell whether a bot is the player, and no person."""
        return bool(self.bot) and not self.stand_in

    def has_bot_in(self, phase: str) -> bool:
        """Tell whether a bot gives the orders in a phase that is open or yet to come."""
        return bool(self.bot) and self.stand_in in ("", RETURN, phase)

    @property
    def addresses(self) -> tuple[str, ...]:
        """Return every address from which the player writes, the preferred one first."""
        return tuple(filter(None, (self.address, *self.other_addresses)))

    def writes_from(self, addresses: Collection[str]) -> bool:
        """Return whether one of some addresses, in lower case, is the player's."""
        return any(lower_ascii(address) in addresses for address in self.addresses)


@dataclass(frozen=True, slots=True)
class Standby(Record, source="standby", json="other_addresses"):
    """A person who is ready to take over a power, or was: ``until`` is set once they are off the
    list, and ``power`` if they took one over."""

    id: int
    name: str
    address: str
    other_addresses: tuple[str, ...] = ()
    lang: str = ""
    since: str = ""
    until: str = ""
    power: str = ""
    note: str = ""

    @property
    def addresses(self) -> tuple[str, ...]:
        """Return every address from which the person writes, the preferred one first."""
        return (self.address, *self.other_addresses)


DOUBTFUL, PROSE, UNTAKEN = "doubtful", "prose", "untaken"

BOT_FAILED, BOT_NONSENSE = "bot-failed", "bot-nonsense"
"""The codes of what a bot gave in place of orders: an error, or what is no order of its power."""

NEEDS_A_LOOK = frozenset({DOUBTFUL, "impossible", "unreadable", "ambiguous"})
"""The verdicts on lines for which a game master should look at a mail."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """The contents of a game to be created.

    ``board_source`` is the map by id or path.  The game begins with the position ``start``, or as
    its map says.  ``welcome`` are words for the first letter to each player.
    """

    board_source: str
    name: str = ""
    lang: str = "it"
    players: Sequence[Player] = ()
    start: Position | None = None
    settings: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))
    welcome: str = ""


class Understood(NamedTuple):
    """A line of a mail, as it was understood.

    ``order`` is in canonical notation, "" if the line is none; ``verdict`` is good, doubtful (it
    counts, but look at it), impossible, unreadable, ambiguous, replaced, prose, or untaken (prose
    that names a unit or a place, so that it may have been meant as an order); ``code`` and
    ``data`` say why; ``ahead`` is the kind of later phase that an advance order is for, retreats
    or winter.
    """

    text: str
    order: str
    verdict: str
    code: str
    data: Mapping[str, str]
    ahead: str = ""


@dataclass(frozen=True, slots=True)
class Receipt:
    """The receipt of a mail with orders.

    ``number`` counts the power's mails for the phase; ``orders`` are those that now count,
    ``missing`` what has no order yet; ``replaces``: orders that counted before count no more;
    ``digest`` seals ``orders``; ``earlier`` are the orders that counted before the mail.
    ``fresh``: the mail withdrew everything sent before (``phase`` or ``all``), "" if it adds.
    ``bot`` is the name of the bot that gave the orders, "" if a person did, and ``earlier_bot`` of
    the one that gave those before.  ``is_of_former``: the power went to another player since.
    """

    power: str
    phase: str
    number: int
    received: str
    lines: tuple[Understood, ...]
    orders: tuple[str, ...]
    missing: tuple[str, ...]
    digest: str
    replaces: bool
    earlier: tuple[str, ...] = ()
    fresh: str = ""
    bot: str = ""
    earlier_bot: str = ""
    is_of_former: bool = False

    @property
    def shown(self) -> Receipt:
        """The receipt as the player reads it: without the lines that a former one wrote."""
        return replace(self, lines=()) if self.is_of_former else self


@dataclass(frozen=True, slots=True)
class ComingDeadline:
    """The deadline that a phase will have if every phase until then is resolved at its deadline.

    ``deadline`` is without any retreats before it, ``latest`` with all retreats.
    ``if_dislodged`` says that the phase is played only if a unit is dislodged.
    """

    phase: str
    kind: str
    deadline: str
    latest: str
    if_dislodged: bool


@dataclass(frozen=True, slots=True)
class PhaseRecord:
    """A phase in the file.  ``state`` is open, processed, passed (nobody had anything to decide),
    superseded (an amendment took its place) or undone (``redo`` puts it back)."""

    id: int
    name: str
    version: int
    state: str
    deadline: str
    opened: str
    processed: str


@dataclass(frozen=True, slots=True)
class PowerStatus:
    """The progress of a power: it has sent ``given`` of ``wanted`` orders.  ``doubtful`` counts the
    lines that need a look; ``state`` is playing, revolt or eliminated; ``pace`` wait, ready, or ""
    if the player has said neither.  ``bot`` is the bot that gave the orders in force, or else plays
    the power; where it gave them (``bot_has_ordered``), nothing is waited for.
    ``bot_fault`` is the code of what went wrong with them, ``bot_error`` the error of the bot."""

    power: str
    player: str
    given: int
    wanted: int
    doubtful: int
    submissions: int
    last: str
    absent: bool
    state: str
    pace: str = ""
    bot: str = ""
    bot_has_ordered: bool = False
    bot_fault: str = ""
    bot_error: str = ""

    @property
    def is_lacking(self) -> bool:
        """Tell whether orders of a person are missing."""
        return self.given < self.wanted and not self.bot_has_ordered


@dataclass(frozen=True, slots=True)
class Status:
    """The desk at a glance: counts and no orders.  ``phase`` and ``kind`` are "" if the game
    is over; ``blocks`` are the codes of what prevents processing; ``tally``
    counts the votes for each end of the game (``draw``, ``concede TOL``), ``voters`` are the powers
    that have a vote, and ``agreed`` is the end that all of them want (``draw TOL SEL``), "" if
    there is none; ``end`` is how the game ended."""

    game: str
    phase: str
    kind: str
    deadline: str
    paused: bool
    powers: tuple[PowerStatus, ...]
    blocks: tuple[str, ...]
    winners: tuple[str, ...]
    over: bool
    tally: Mapping[str, int] = field(default_factory=dict)
    voters: tuple[str, ...] = ()
    agreed: str = ""
    end: GameEnd | None = None

    @property
    def missing(self) -> tuple[str, ...]:
        """The powers of people whose orders are incomplete."""
        return tuple(power.power for power in self.powers if power.is_lacking)

    @property
    def asking(self) -> tuple[str, ...]:
        """The powers that ask to wait."""
        return tuple(power.power for power in self.powers if power.pace == "wait")

    @property
    def bots(self) -> tuple[PowerStatus, ...]:
        """The powers whose bots gave no orders, or some that do not count."""
        return tuple(power for power in self.powers if power.bot_fault)


DECLARED_ENDS = ("draw", "concede", "solo", "abandon")
"""The ends of a game that the game master declares."""


@dataclass(frozen=True, slots=True)
class GameEnd(Record, source="endings", json="winners", winners="powers"):
    """The end of a game.

    ``kind``: ``centres`` (R33), ``nobility`` (R34), or what the game master declared: ``draw``,
    ``concede``, ``solo``, ``abandon``.  ``reason`` is what the game master said about it.
    """

    kind: str
    winners: tuple[str, ...]
    reason: str = ""

    def __str__(self) -> str:
        return " ".join((self.kind, *self.winners))

    @property
    def is_declared(self) -> bool:
        """Tell whether the game master ended the game, and not the rules."""
        return self.kind in DECLARED_ENDS


@dataclass(frozen=True, slots=True)
class Seal:
    """The orders of a power in a phase, with the salt and the digest of its receipt; these are ""
    if the power sent nothing."""

    power: str
    digest: str = ""
    salt: str = ""
    orders: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Processed:
    """A phase that was resolved.

    ``orders`` are those that counted, by power.  ``passed`` are the phases after it in which nobody
    had anything to decide; ``next`` is the phase that was open then ("" if the game was over), and
    ``after`` the position before it, or the last one.  ``settings`` are the house rules in force
    when this was read.  ``unchanged``: it had been processed before, and nothing was done now.
    """

    phase: str
    version: int
    outcome: Outcome
    orders: Mapping[str, tuple[str, ...]]
    passed: tuple[str, ...]
    next: str
    seals: tuple[Seal, ...]
    unchanged: bool
    after: Position
    settings: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Press(Record, source="press", json="readers"):
    """A message from a player to others: ``readers`` are powers, ``all``, ``gm``; ``manner`` is
    signed or anonymous; ``state`` held (for the report of its phase), published (in it), relayed
    (at once) or dropped.  ``sender`` is "" for a reader who must not know."""

    id: int
    phase: str
    sender: str
    readers: tuple[str, ...]
    manner: str
    text: str
    state: str
    written: str


class Change(NamedTuple):
    """One difference between two versions; ``what`` is unit, result, owner, nobility, dislodged
    or winner, ``before`` and ``after`` are "" where there was or is nothing."""

    phase: str
    what: str
    subject: str
    before: str
    after: str


class Misfit(NamedTuple):
    """An order that no longer fits after a correction, or a thing that lacks an order now.

    ``order`` is the order in canonical notation, or the unit or the thing; ``code`` and ``data``
    say why.
    """

    power: str
    order: str
    code: str
    data: Mapping[str, str]


class VoidPhase(NamedTuple):
    """A phase whose outcome no longer counts, and the powers whose orders it was resolved with."""

    phase: str
    powers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Amendment:
    """A past phase that was corrected: the phases that were replayed, and everything that changed.

    ``stopped_at`` is the phase from which orders have to be sent again because the old ones no
    longer fit, "" if there is none; ``misfits`` are those orders.  ``went_on_to`` is the phase that
    opens behind the one that was open, where nobody has anything to decide in that one now, ""
    otherwise.  ``void`` are the phases that had been resolved and were not replayed.
    """

    phase: str
    version: int
    replayed: tuple[str, ...]
    stopped_at: str
    changes: tuple[Change, ...]
    misfits: tuple[Misfit, ...] = ()
    void: tuple[VoidPhase, ...] = ()
    went_on_to: str = ""


class Finding(NamedTuple):
    """A difference that ``verify`` found between the file and the game resolved again."""

    phase: str
    what: str
    code: str
    data: Mapping[str, str]
