"""Plans of lab runs: series of games from a TOML file, their bots, and the digest of the code."""

import hashlib
import importlib
import platform
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, cast

import alexmagnum
from alexmagnum.board.map_check import load_sound_board
from alexmagnum.board.map_file import load_board, locate_map, start_faults
from alexmagnum.board.model import Board, near, show, switch_faults
from alexmagnum.bots import BOTS, Bot, load_bot
from alexmagnum.errors import AlexMagnumError, BadFile, BadMap, BadPlan, Fault
from alexmagnum.files import read_text
from alexmagnum.frozen import freeze
from alexmagnum.notation.names import find_power


@dataclass(frozen=True, slots=True)
class Series:
    """Games that differ in nothing but their number.

    ``base``: the series that this one is compared with game by game, "" if there is none.
    ``map``: the id of a map, or the path of a file from the plan's folder.  ``rules``: the switches
    that are set otherwise than by the map.  ``seats``: the bots in the map's sequence of powers;
    if ``rotates``, they move on by one power with every game.  ``years``: the limit of years, 0
    for none.
    """

    name: str
    map: str
    seats: tuple[str, ...]
    rotates: bool
    games: int
    seed: int
    years: int = 0
    base: str = ""
    rules: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", freeze(self.rules))
        object.__setattr__(self, "seats", tuple(self.seats))

    def seat_bots(self, powers: Iterable[str], number: int) -> dict[str, str]:
        """Return the name of the bot of every power in the game of that number, from 1."""
        turn = (number - 1) % len(self.seats) if self.rotates else 0
        return dict(zip(powers, (*self.seats[turn:], *self.seats[:turn]), strict=True))

    def load_board(self, folder: Path) -> Board:
        """Return the board of the series; a map given by its path is looked for in the folder."""
        return load_board(locate_map(self.map, folder), self.rules)

    @property
    def decisive(self) -> dict[str, Any]:
        """Everything that decides how a game goes, so that another value gives other games."""
        values = series_as_data(self)
        del values["name"], values["games"]
        return values


def series_as_data(series: Series) -> dict[str, Any]:
    """Return a series as it is written to a file."""
    return {**asdict(series), "rules": dict(series.rules), "seats": list(series.seats)}


@dataclass(frozen=True, slots=True)
class Plan:
    """What to play: series of games, each with a name of its own.

    ``turn_seconds``: how long a bot that does not come with the package may take for a turn.
    ``folder``: where maps given by their path are looked for; ``modules``: where users' own bots
    are.  Both are the folder of the plan's file.
    """

    series: tuple[Series, ...]
    turn_seconds: float
    folder: Path
    modules: Path

    @property
    def games(self) -> int:
        """The number of games of all series."""
        return sum(series.games for series in self.series)

    @property
    def bots(self) -> tuple[str, ...]:
        """The names of all bots, each once."""
        return tuple(dict.fromkeys(bot for series in self.series for bot in series.seats))


def draw_seed(seed: int, number: int) -> int:
    """Return the seed of a game from the seed of its series and its number, from 1.

    The name of the series plays no part: a series and its base begin their games alike.

    >>> draw_seed(1, 1) == draw_seed(1, 1), draw_seed(1, 1) == draw_seed(1, 2)
    (True, False)
    """
    return int.from_bytes(hashlib.sha256(f"{seed}/{number}".encode()).digest()[:8], "big")


# Reading a plan from a TOML file: every fault at once, each with its place in the file.


TURN_SECONDS = 60.0
"""How long a user's own bot may take for a turn, unless the plan says otherwise."""

MOST_SECONDS = 86_400
"""The longest that a plan may allow for a turn: a day."""

DEFAULTS = ("map", "rules", "seats", "games", "seed", "years")
"""Keys that stand in a series, or before all series for those that do not have them."""
PLAN_KEYS = (*DEFAULTS, "turn_seconds", "series")
PAIRED_KEYS = ("base", "map", "rules", "games")
"""The keys of a series that is compared with another: all else is as in its base."""

OTHERS = "others"
"""The key of the powers that are not named among the seats."""

_OWN = re.compile(r"[A-Za-z_][\w.]{0,99}:[A-Za-z_]\w{0,99}")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_MOST = {"games": 10_000_000, "seed": 2**63 - 1, "years": 9999}
_MOST_BYTES = 1 << 17  # the time to read TOML grows with the square of a long key
_LEAST = {"games": 1, "seed": 0, "years": 0}


def read_plan(path: Path) -> Plan:
    """Read a plan and load its maps.  Users' own bots are programs, and none is run."""
    return parse_plan(read_text(path, _MOST_BYTES), str(path), path.parent)


def parse_plan(text: str, name: str, folder: Path) -> Plan:
    """Read the text of a plan; ``name`` says in errors which file it is from.

    Raises:
        BadFile: it is not TOML.
        BadPlan: with everything that is wrong with it.
    """
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also a number of thousands of digits
        raise BadFile(name, "lab-not-toml", why=str(error)) from None
    reader = _PlanReader(folder)
    plan = reader.read(data)
    if reader.faults:
        raise BadPlan(name, tuple(reader.faults))
    return plan


@dataclass(slots=True)
class _PlanReader:
    """Reads one plan with its ``boards`` by map, collecting each fault once: the defaults are read
    for every series.  ``bots``: the fault of each of the package, or None."""

    folder: Path
    faults: list[Fault] = field(default_factory=list)
    boards: dict[str, Board | None] = field(default_factory=dict)
    bots: dict[str, AlexMagnumError | None] = field(default_factory=dict)

    def blame(self, where: str, code: str, **data: str) -> None:
        self.note([Fault(where, code, data)])

    def note(self, faults: Iterable[Fault]) -> None:
        self.faults += [fault for fault in faults if fault not in self.faults]

    def read(self, data: Mapping[str, Any]) -> Plan:
        """Return the plan; it is good for nothing if there are faults."""
        self._check_keys(data, PLAN_KEYS, "")
        seconds = self._read_seconds(data.get("turn_seconds", TURN_SECONDS))
        if not isinstance((tables := data.get("series", {})), dict) or not tables:
            self.blame("series", "lab-no-series")
            return Plan((), seconds, self.folder, self.folder)
        defaults = {key: data[key] for key in DEFAULTS if key in data}
        read = {name: self._read_series(name, tables[name], defaults) for name in tables}
        found = {name: series for name, series in read.items() if series is not None}
        for name, table in tables.items():
            if isinstance(table, dict) and "base" in table:
                paired = self._read_paired(name, table, found, tables)
                if paired is not None:
                    found[name] = paired
        in_order = tuple(found[name] for name in tables if name in found)
        return Plan(in_order, seconds, self.folder, self.folder)

    def _read_seconds(self, seconds: Any) -> float:
        is_number = isinstance(seconds, (int, float)) and not isinstance(seconds, bool)
        if is_number and 0 < seconds <= MOST_SECONDS:
            return float(seconds)
        self.blame("turn_seconds", "lab-not-seconds", found=show(seconds), high=str(MOST_SECONDS))
        return TURN_SECONDS

    def _check_keys(self, table: Mapping[str, Any], known: tuple[str, ...], where: str) -> None:
        for key in table:
            if key not in known:
                place = f"{where}.{key}" if where else key
                self.blame(place, "lab-unknown-key", known=", ".join(known), near=near(key, known))

    # -- one series ------------------------------------------------------------------------------

    def _read_series(self, name: str, table: object, defaults: Mapping[str, Any]) -> Series | None:
        where = f"series.{name}"
        if not _NAME.fullmatch(name):
            self.blame(where, "lab-series-name")
        if not isinstance(table, dict):
            self.blame(where, "lab-not-table", found=show(table))
            return None
        if "base" in table:
            return None
        self._check_keys(table, DEFAULTS, where)
        places = {key: f"{where}.{key}" if key in table else key for key in DEFAULTS}
        values = {**defaults, **table}
        source = self._read_map(values.get("map", "alexmagnum"), places["map"])
        rules = self._read_rules(values.get("rules", {}), places["rules"])
        board = self.boards.get(source)
        seats, rotates = self._read_seats(values, where, places["seats"], board)
        self._check_start(board, rules, places["rules"])
        return Series(
            name=name,
            map=source,
            seats=seats,
            rotates=rotates,
            games=self._read_count(values, "games", places, where),
            seed=self._read_count(values, "seed", places, where),
            years=self._read_count(values, "years", places, where) if "years" in values else 0,
            rules=rules,
        )

    def _read_count(
        self, values: Mapping[str, Any], key: str, places: Mapping[str, str], where: str
    ) -> int:
        if key not in values:
            self.blame(f"{where}.{key}", "lab-missing-key", key=key)
            return _LEAST[key]
        value = values[key]
        if type(value) is not int or not _LEAST[key] <= value <= _MOST[key]:
            low, high = str(_LEAST[key]), str(_MOST[key])
            self.blame(places[key], "lab-not-count", found=show(value), low=low, high=high)
            return _LEAST[key]
        return value

    def _read_map(self, source: object, where: str) -> str:
        """Return the map as it is named, loaded into ``boards``; None there if it is no good."""
        if not isinstance(source, str):
            self.blame(where, "lab-not-text", found=show(source))
            return ""
        if source in self.boards:
            return source
        self.boards[source] = None
        try:
            self.boards[source] = load_sound_board(locate_map(source, self.folder))
        except BadMap as error:
            self.note(replace(f, where=f"{where} ({source}) {f.where}") for f in error.faults)
        except BadFile as error:
            self.note([Fault(where, error.code, error.data)])
        return source

    def _read_rules(self, rules: object, where: str) -> dict[str, Any]:
        if not isinstance(rules, dict):
            self.blame(where, "lab-not-table", found=show(rules))
            return {}
        faults = tuple(switch_faults(rules, where))
        self.note(faults)
        return {} if faults else rules

    def _check_start(self, board: Board | None, rules: Mapping[str, Any], where: str) -> None:
        if board is not None:
            found = start_faults(board.with_rules(rules))
            self.note(replace(fault, where=f"{where} {fault.where}") for fault in found)

    # -- the seats -------------------------------------------------------------------------------

    def _read_seats(
        self, values: Mapping[str, Any], series: str, where: str, board: Board | None
    ) -> tuple[tuple[str, ...], bool]:
        if "seats" not in values:
            self.blame(f"{series}.seats", "lab-missing-key", key="seats")
            return (), False
        if isinstance((seats := values["seats"]), str):
            self._check_bot(seats, where)
            return (seats,) * (len(board.powers) if board else 1), False
        if isinstance(seats, list):
            return self._read_rotation(seats, where, board), True
        if isinstance(seats, dict):
            return self._read_fixed_seats(seats, where, board), False
        self.blame(where, "lab-bad-seats", found=show(seats))
        return (), False

    def _check_bot(self, name: object, where: str) -> str:
        """Return the name of a bot that can be made; "" if it cannot."""
        if not isinstance(name, str):
            self.blame(where, "lab-not-text", found=show(name))
            return ""
        if is_own(name):
            if not _OWN.fullmatch(name):
                self.blame(where, "lab-bot-unusable", bot=name, why="it is not module:object")
            return name
        if name not in self.bots:
            try:
                make_bot(name)
                self.bots[name] = None
            except AlexMagnumError as error:
                self.bots[name] = error
        if (wrong := self.bots[name]) is None:
            return name
        self.note([Fault(where, wrong.code, wrong.data)])
        return ""

    def _read_rotation(self, seats: list[Any], where: str, board: Board | None) -> tuple[str, ...]:
        if board is not None and len(seats) != len(board.powers):
            count, powers = str(len(seats)), str(len(board.powers))
            self.blame(where, "lab-seat-count", found=count, powers=powers)
        return tuple(self._check_bot(bot, f"{where}[{i}]") for i, bot in enumerate(seats))

    def _read_fixed_seats(
        self, seats: Mapping[str, Any], where: str, board: Board | None
    ) -> tuple[str, ...]:
        """Return the bots of a table by power; ``others`` names that of all other powers."""
        by_power: dict[str, str] = {}
        for key, bot in seats.items():
            here = f"{where}.{key}"
            name = self._check_bot(bot, here)
            power = key if key == OTHERS or board is None else find_power(board, key)
            if board is not None and power != OTHERS and power not in board.powers:
                known = [name for p in board.powers.values() for name in (p.id, p.name("en"))]
                listed = ", ".join(board.powers)
                self.blame(here, "lab-no-seat", power=key, known=listed, near=near(key, known))
            elif power in by_power:
                self.blame(here, "lab-seat-twice", power=power)
            by_power[power] = name
        if board is None:
            return ()
        unseated = [power for power in board.powers if power not in by_power]
        if unseated and OTHERS not in by_power:
            self.blame(where, "lab-seat-missing", powers=", ".join(unseated))
        return tuple(by_power.get(power, by_power.get(OTHERS, "")) for power in board.powers)

    # -- series that are compared with another ---------------------------------------------------

    def _read_paired(
        self,
        name: str,
        table: Mapping[str, Any],
        found: Mapping[str, Series],
        tables: Mapping[str, Any],
    ) -> Series | None:
        """Return a series that differs from its base by one switch or by the map."""
        where = f"series.{name}"
        self._check_keys(table, PAIRED_KEYS, where)
        named = table["base"]
        base = found.get(named) if isinstance(named, str) else None
        rules = self._read_rules(table.get("rules", {}), f"{where}.rules")
        places = {"games": f"{where}.games"}
        if base is None or base.base:
            self._blame_base(name, named, tables)
            if "map" in table:
                self._read_map(table["map"], f"{where}.map")
            if "games" in table:
                self._read_count(table, "games", places, where)
            return None  # its other keys have been checked, too
        source = self._read_map(table.get("map", base.map), f"{where}.map")
        series = replace(
            base,
            name=name,
            base=base.name,
            map=source,
            rules={**base.rules, **rules},
            games=self._read_count({"games": base.games, **table}, "games", places, where),
        )
        self._check_start(self.boards.get(source), series.rules, f"{where}.rules")
        board, other = self.boards.get(source), self.boards.get(base.map)
        if board is not None and other is not None:
            self._check_difference(series, base, board, other)
        return series

    def _blame_base(self, name: str, named: object, tables: Mapping[str, Any]) -> None:
        where = f"series.{name}.base"
        if named == name:
            self.blame(where, "lab-base-itself")
            return
        table = tables.get(named) if isinstance(named, str) else None
        if isinstance(table, dict) and "base" not in table:
            return  # its own faults are listed already
        code = "lab-base-of-base" if isinstance(table, dict) else "lab-no-base"
        bases = tuple(n for n, t in tables.items() if isinstance(t, dict) and "base" not in t)
        found, known = show(named).strip('"'), ", ".join(bases)
        self.blame(where, code, found=found, known=known, near="" if table else near(named, bases))

    def _check_difference(self, series: Series, base: Series, board: Board, other: Board) -> None:
        where = f"series.{series.name}"
        if tuple(board.powers) != tuple(other.powers):
            self.blame(f"{where}.map", "lab-other-powers", map=series.map, base=base.name)
            return
        own, theirs = (b.rules.changed(s.rules) for b, s in ((board, series), (other, base)))
        if series.map != base.map:
            different = ["map", *(switch for switch in series.rules if switch not in base.rules)]
        else:
            different = [s for s in series.rules if getattr(own, s) != getattr(theirs, s)]
        if len(different) != 1:
            code = "lab-same-as-base" if not different else "lab-differs-more"
            self.blame(where, code, base=base.name, what=", ".join(different))


# The bots that a plan names: those of the package, and users' own, as ``module:object``.


def is_own(name: str) -> bool:
    """Tell whether a name is that of a user's own bot: ``module:object``."""
    return ":" in name


def make_bot(name: str) -> Bot:
    """Return a new bot.

    The object of a user's own bot is called if it is a class or a function; it is taken as it is
    if it has ``orders`` already.

    Raises:
        AlexMagnumError: ``lab-no-bot``, ``lab-bot-unusable``, with the reason.
    """
    if not is_own(name):
        if name not in BOTS:
            data = {"bot": name, "known": ", ".join(BOTS), "near": near(name, tuple(BOTS))}
            raise AlexMagnumError("lab-no-bot", **data)
        return load_bot(name)
    module, _, attribute = name.partition(":")
    try:
        made = getattr(importlib.import_module(module), attribute)
        if isinstance(made, type) or not hasattr(made, "orders"):
            made = made()
    except Exception as error:  # a user's module may fail in any way
        reason = f"{type(error).__name__}: {error}"
        raise AlexMagnumError("lab-bot-unusable", bot=name, why=reason) from error
    if not callable(getattr(made, "orders", None)):
        raise AlexMagnumError("lab-bot-unusable", bot=name, why="it has no method orders")
    return cast(Bot, made)


def digest_bot(name: str) -> str:
    """Return a digest of the file of a user's own bot; "" for a bot of the package."""
    if not is_own(name):
        return ""
    make_bot(name)
    source = getattr(sys.modules[name.partition(":")[0]], "__file__", None)
    return hashlib.sha256(Path(source).read_bytes()).hexdigest() if source else ""


@contextmanager
def modules_in(folder: Path) -> Iterator[None]:
    """Let modules of a folder be imported, after all others, if the folder is there."""
    if (path := str(folder)) in sys.path or not folder.is_dir():
        yield
        return
    sys.path.append(path)
    try:
        yield
    finally:
        sys.path.remove(path)


# What a process plays with: the version, and a digest of all code that decides games.
#
# Results of other code are never mixed: games played with other rules or bots are other games.


_DECIDING = (
    *("board", "bots", "judge", "notation", "whatif"),
    *("campaign.py", "frozen.py", "orders.py", "play.py", "position.py", "units.py"),
    *("values.py", "lab/game.py", "lab/plan.py", "lab/rulings.toml", "lab/tables.toml"),
)
"""The rooms and files that decide how games go, and what is counted of them."""


class Identity(NamedTuple):
    """A process that plays: ``code`` is the digest of what decides, ``bots`` those by name."""

    version: str
    python: str
    code: str
    build: str
    bots: dict[str, str]


def identify(bots: Iterable[str], modules: str) -> Identity:
    """Return what this process would play with; ``modules``: where bots may lie."""
    with modules_in(Path(modules)):
        digests = {name: digest_bot(name) for name in bots}
    return Identity(
        alexmagnum.__version__,
        ".".join(platform.python_version_tuple()[:2]),
        digest_code(),
        alexmagnum.__build__,
        digests,
    )


@cache
def digest_code() -> str:
    """Return the digest of the sources that decide games, as they were at the first call."""
    whole = hashlib.sha256()
    root = Path(alexmagnum.__file__).parent
    for path in _list_sources(root):
        whole.update(path.relative_to(root).as_posix().encode() + b"\0")
        whole.update(path.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return whole.hexdigest()


def _list_sources(root: Path) -> Iterator[Path]:
    for name in _DECIDING:
        path = root / name
        yield from sorted(path.rglob("*.py")) if path.is_dir() else (path,)
