"""A game as its file has it: its map, its settings, where it stands, and the journal of acts.

:class:`Game` is what every other module of this room works on.  What it knows of a map, a position
or an outcome it keeps, since none of them ever changes: a map is parsed once for each game that is
opened, a position once, and a phase is adjudicated once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from alexmagnum.board.load import find_map, read_map_text, read_text
from alexmagnum.board.map_reader import Draft
from alexmagnum.board.model import Board
from alexmagnum.cases.schema_writer import position_data, read_position
from alexmagnum.errors import AlexMagnumError, BadFile, GameError
from alexmagnum.game.file import GameFile, to_json
from alexmagnum.game.records import (
    GameRow,
    JournalRow,
    OutcomeRow,
    PhaseRow,
    PositionRow,
    SettingRow,
    list_columns,
)
from alexmagnum.game.settings import default_settings, read_switches
from alexmagnum.i18n import zones
from alexmagnum.notation.power_names import power_names
from alexmagnum.position import Position, parse_phase

if TYPE_CHECKING:
    from alexmagnum.bots import Bot
    from alexmagnum.judge.outcome import Outcome

Now = Callable[[], datetime]
Entropy = Callable[[int], bytes]

_BACK, _FAR = timedelta(minutes=1), timedelta(days=400)
"""The time that a clock may go back, or a game sleep, before the game master is warned."""

_LINE = f"""WITH RECURSIVE back(outcome, depth) AS (
       SELECT parent, 0 FROM phases WHERE id = ?
       UNION ALL
       SELECT phases.parent, depth + 1 FROM back
       JOIN outcomes ON outcomes.id = back.outcome
       JOIN phases ON phases.id = outcomes.phase
       WHERE depth < 10000  -- a damaged file may lead in a circle
   )
   SELECT {list_columns(OutcomeRow)}
   FROM back
   JOIN outcomes ON outcomes.id = back.outcome
   JOIN phases ON phases.id = outcomes.phase
   ORDER BY depth DESC"""


@dataclass
class Note:
    """The journal entry of an act that is going on; the act adds what there is to say."""

    phase: str = ""
    power: str = ""
    reason: str = ""
    detail: dict[str, object] = field(default_factory=dict)


class Game:
    """An open game.  ``warnings`` are errors to be shown that stop nothing; while it is
    ``rehearsing``, everything is taken back afterwards."""

    def __init__(self, file: GameFile, now: Now, entropy: Entropy, actor: str) -> None:
        self.file = file
        self.now = now
        self.entropy = entropy
        self.actor = actor
        self.warnings: list[GameError] = []
        self.rehearsing = False
        self.bots: dict[str, Bot] = {}
        """The bots that were asked, by name: what they know of the map they keep."""
        self._boards: dict[str, Board] = {}
        self._positions: dict[tuple[int, str], Position] = {}
        self._outcomes: dict[int, Outcome] = {}
        self._rollbacks = file.rollbacks
        self._settings: tuple[tuple[SettingRow, ...], Mapping[str, str]] = ((), {})
        with file.guarded():
            row = file.find(GameRow)
        if row is None:
            raise GameError("game-damaged", path=file.path, why="games")
        self.info = row
        self.base = self._read_own_map()
        self._compare_map()
        if file.doubted:
            self.warnings.append(GameError("game-doubtful", path=file.path))

    # -- the map ---------------------------------------------------------------------------------

    def _read_own_map(self) -> Board:
        """Return the map from the game's own copy."""
        if digest(self.info.map_text) != self.info.map_digest:
            raise GameError("game-damaged", path=self.file.path, why="map")
        board = read_map_text(self.info.map_text, _name_map_file(self._map_source())).board
        shapes = board.geometry or self._find_new_shapes(board)
        return replace(board, geometry=_find_shapes(self._map_source(), shapes))

    def _find_new_shapes(self, board: Board) -> str:
        """Return the name of the shapes that the map has got since the game began, "" if none."""
        try:
            now = self._read_map_file().board
        except AlexMagnumError:
            return ""
        return now.geometry if now.provinces.keys() == board.provinces.keys() else ""

    def _read_map_file(self) -> Draft:
        """Return the map as its own file has it now.

        Raises:
            AlexMagnumError: the file is gone or unusable.
        """
        text = read_text(find_map(self._map_source()))
        return read_map_text(text, _name_map_file(self._map_source()))

    def _map_source(self) -> str:
        """Return the map's id, or the path of its file, which is stored relative to the folder."""
        source = self.info.map_source
        return str(self.file.folder / source) if Path(source).suffix else source

    def _compare_map(self) -> None:
        """Warn if the map's own file differs from the copy that the game plays on.

        Shapes are for drawing: a map that only got some, or others, is the same map.
        """
        try:
            text = read_text(find_map(self._map_source()))
        except BadFile:
            return  # gone, or on another machine: the game has its copy
        if digest(text) != self.info.map_digest and not self._is_same_ground():
            self.warnings.append(GameError("map-changed", map=self.info.map_source))

    def _is_same_ground(self) -> bool:
        """Tell whether the map's own file differs from the game's copy in its drawing at most."""
        try:
            now = self._read_map_file().board
        except AlexMagnumError:
            return False
        return _remove_drawing(now) == _remove_drawing(self.base)

    def board(self, rules: str) -> Board:
        """Return the map under some switches, given as the JSON in which they are stored."""
        if rules not in self._boards:
            self._boards[rules] = self.base.with_rules(json.loads(rules))
        return self._boards[rules]

    # -- settings --------------------------------------------------------------------------------

    def settings(self) -> Mapping[str, str]:
        """Return every house rule, and the switches of the rules that are set."""
        rows = self.file.select(SettingRow, "ORDER BY name")
        if rows is not self._settings[0]:
            self._settings = rows, default_settings() | {row.name: row.value for row in rows}
        return self._settings[1]

    def rules(self) -> str:
        """Return the switches in force now, as they are stored."""
        return to_json(read_switches(self.settings()))

    # -- phases ----------------------------------------------------------------------------------

    def head(self) -> PhaseRow:
        """Return the open phase, or the row behind the last one if the game is over."""
        row = self.file.find(PhaseRow, "WHERE id = (SELECT head FROM games)")
        assert row is not None, "every game has a head"
        return row

    def phase_row(self, key: int) -> PhaseRow:
        """Return the phase with a number."""
        return next(row for row in self.phases() if row.id == key)

    def phases(self) -> tuple[PhaseRow, ...]:
        """Return the phases, oldest first: those that are over, the open one, and undone ones."""
        return self.file.select(PhaseRow, "ORDER BY id")

    def position(self, phase: int, rules: str | None = None) -> Position:
        """Return the position before a phase, under some switches (those in force now)."""
        self._drop_undone_values()
        key = phase, self.rules() if rules is None else rules
        if key not in self._positions:
            row = self.file.find(PositionRow, "WHERE positions.phase = ?", phase)
            assert row is not None, "every phase has a position"
            self._positions[key] = self.read_position(row.data, key[1])
        return self._positions[key]

    def read_position(self, data: str, rules: str) -> Position:
        """Return a position from the text in which it is stored."""
        return read_position(json.loads(data), self.board(rules), self.file.path)

    def remember_position(self, phase: int, rules: str, position: Position) -> None:
        """Keep the position that was just stored, so that nobody reads it back."""
        self._drop_undone_values()
        self._positions[phase, rules] = position

    def find_outcome_value(self, outcome: int) -> Outcome | None:
        """Return an outcome that was adjudicated since the game was opened, by its number."""
        self._drop_undone_values()
        return self._outcomes.get(outcome)

    def remember_outcome(self, key: int, outcome: Outcome) -> None:
        """Keep an outcome, so that nobody adjudicates the phase again."""
        self._drop_undone_values()
        self._outcomes[key] = outcome

    def _drop_undone_values(self) -> None:
        """Drop what is known by number once rows were taken back: other rows get those numbers."""
        if self._rollbacks != self.file.rollbacks:
            self._rollbacks = self.file.rollbacks
            self._positions.clear()
            self._outcomes.clear()

    def line(self) -> tuple[OutcomeRow, ...]:
        """Return the outcomes that led to the open phase, oldest first."""
        return self.line_to(self.head().id)

    def line_to(self, phase: int) -> tuple[OutcomeRow, ...]:
        """Return the outcomes that led to a phase, oldest first."""
        return self.file.query(OutcomeRow, _LINE, phase)

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
        """Return the id of a power that somebody named.

        Raises:
            GameError: no-such-power.
        """
        return parse_power(self.base, asked)

    # -- acts ------------------------------------------------------------------------------------

    @contextmanager
    def act(self, action: str, power: str = "", reason: str = "") -> Iterator[Note]:
        """Open an act of the game master: a transaction with its entry in the journal."""
        with self.file.writing(action):
            note = Note(self.head().name, power, reason)
            self._check_clock(note)
            yield note
            self._write_entry(action, note)

    def write_first_entry(self) -> None:
        """Write the first entry of the journal, in the transaction that makes the game."""
        self._write_entry("new", Note(self.head().name))

    def _write_entry(self, action: str, note: Note) -> None:
        self.file.insert(
            "journal",
            at=self.stamp(),
            actor=self.actor,
            action=action,
            phase=note.phase,
            power=note.power,
            reason=note.reason,
            detail=to_json(note.detail),
        )

    def last_act(self) -> int:
        """Return the number of the journal's last entry."""
        return self.file.count("SELECT MAX(id) FROM journal")

    def stamp(self) -> str:
        """Return the present as it is stored."""
        return zones.format_iso(self.now())

    def _check_clock(self, note: Note) -> None:
        """Warn if the clock went back since the last act, or far ahead."""
        last = self.file.find(JournalRow, "ORDER BY id DESC LIMIT 1")
        if last is None:
            return
        passed = self.now() - zones.parse_iso(last.at)
        if not -_BACK <= passed <= _FAR:
            data = {"last": last.at, "now": self.stamp()}
            note.detail["clock_jump"] = data
            self.warnings.append(GameError("clock-jump", **data))


def parse_power(board: Board, asked: str) -> str:
    """Return the id of a power that somebody named by id, name, alias or abbreviation.

    Raises:
        GameError: no-such-power; several-powers, if it could be more than one.
    """
    found = power_names(board).find(asked)
    if len(found) > 1:
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


def order_as_stored(position: Position) -> Position:
    """Return a position with everything listed in the order in which the file has it."""
    return read_position(json.loads(position_json(position)), position.board)


def write_switches(rules: Mapping[str, object]) -> str:
    """Return switches of the rules as they are stored."""
    return to_json(dict(rules))


def _name_map_file(source: str) -> str:
    """Return the path of the map's own file, or its id or path as given where there is none."""
    try:
        return str(find_map(source))
    except AlexMagnumError:
        return source


def _remove_drawing(board: Board) -> Board:
    """Return a map without what only its pictures show."""
    return replace(board, geometry="", impassable=())


def _find_shapes(source: str, name: str) -> str:
    """Return the path of the map's shapes, "" if its own file is not where it was."""
    try:
        path = find_map(source).parent / name
    except AlexMagnumError:
        return ""
    return str(path) if name and path.is_file() else ""
