"""A game as it is in its file: the map it is played on, where it stands, and the journal."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

from alexmagnum.board.load import find_map, read_text
from alexmagnum.board.model import Board
from alexmagnum.board.schema import read_map
from alexmagnum.cases.schema_reader import find_power
from alexmagnum.cases.schema_writer import position_data, read_position
from alexmagnum.errors import AlexMagnumError, BadFile, GameError
from alexmagnum.game.file import GameFile, Row, to_json
from alexmagnum.game.settings import default_settings, read_switches
from alexmagnum.i18n import zones
from alexmagnum.position import Phase, Position, parse_phase

Now = Callable[[], datetime]
Entropy = Callable[[int], bytes]

OVER = "over"
"""The kind of the row that stands behind the last phase: the position at the end of the game."""

_BACK, _FAR = timedelta(minutes=1), timedelta(days=400)
"""How far a clock may go back, or a game sleep, before that is worth a word."""


@dataclass
class Note:
    """The journal entry of an act while it is going on."""

    phase: str = ""
    power: str = ""
    reason: str = ""
    detail: dict[str, object] = field(default_factory=dict)


class Game:
    """What all parts of the desk work on."""

    def __init__(self, file: GameFile, now: Now, entropy: Entropy, actor: str) -> None:
        self.file = file
        self.now = now
        self.entropy = entropy
        self.actor = actor
        self.warnings: list[GameError] = []
        self._boards: dict[str, Board] = {}
        self._positions: dict[tuple[int, str], Position] = {}
        with file.guarded():
            self.row: Row = file.row("SELECT * FROM games") or {}
        if not self.row:
            raise GameError("game-damaged", path=file.path, why="games")
        self.base = self._own_map()
        self._compare_map()

    # -- the map ---------------------------------------------------------------------------------

    def _own_map(self) -> Board:
        """The map out of the game's own copy."""
        if digest(self.row["map_text"]) != self.row["map_digest"]:
            raise GameError("game-damaged", path=self.file.path, why="map")
        board = read_map(json.loads(self.row["map_text"])).board
        return replace(board, geometry=_shapes_beside(self._map_source(), board.geometry))

    def _map_source(self) -> str:
        """The map's id, or where its file is: that is kept as seen from the game's folder."""
        source = str(self.row["map_source"])
        return str(self.file.folder / source) if Path(source).suffix else source

    def _compare_map(self) -> None:
        """Say so if the map's own file is not any more what the game plays on."""
        source = self.row["map_source"]
        try:
            changed = digest(read_text(find_map(self._map_source()))) != self.row["map_digest"]
        except BadFile:
            return  # gone, or on another machine: the game has its copy
        if changed:
            self.warnings.append(GameError("map-changed", map=source))

    def board(self, rules: str) -> Board:
        """The map under some switches, given as the JSON under which they are kept."""
        if rules not in self._boards:
            self._boards[rules] = self.base.with_rules(json.loads(rules))
        return self._boards[rules]

    # -- settings --------------------------------------------------------------------------------

    def settings(self) -> dict[str, str]:
        """Every house rule, and the switches of the rules that are set."""
        kept = self.file.pairs("SELECT name, value FROM settings ORDER BY name")
        return default_settings() | kept

    def rules(self) -> str:
        """The switches in force now, as they are kept."""
        return to_json(read_switches(self.settings()))

    # -- phases ----------------------------------------------------------------------------------

    def head(self) -> Row:
        """The row of the open phase, or of the end of the game."""
        row = self.file.row("SELECT * FROM phases WHERE id = (SELECT head FROM games)")
        assert row is not None, "every game has a head"
        return row

    def phase_row(self, key: int) -> Row:
        row = self.file.row("SELECT * FROM phases WHERE id = ?", key)
        assert row is not None, "phases refer to each other by id"
        return row

    def position(self, phase: int, rules: str | None = None) -> Position:
        """The position before a phase, on the map under some switches (those in force now)."""
        key = phase, self.rules() if rules is None else rules
        if key not in self._positions:
            row = self.file.row("SELECT data FROM positions WHERE phase = ?", phase)
            assert row is not None, "every phase has a position"
            self._positions[key] = self.read_position(row["data"], key[1])
        return self._positions[key]

    def read_position(self, data: str, rules: str) -> Position:
        """A position as it is kept."""
        return read_position(json.loads(data), self.board(rules), self.file.path)

    def line(self) -> list[Row]:
        """The outcomes that led to where the game stands, oldest first, with their phases."""
        return self.line_to(self.head()["id"])

    def line_to(self, phase: int) -> list[Row]:
        """The outcomes that led to a phase."""
        return self.file.rows(
            """WITH RECURSIVE back(outcome, depth) AS (
                   SELECT parent, 0 FROM phases WHERE id = ?
                   UNION ALL
                   SELECT phases.parent, depth + 1 FROM back
                   JOIN outcomes ON outcomes.id = back.outcome
                   JOIN phases ON phases.id = outcomes.phase
               )
               SELECT outcomes.*, phases.name, phases.kind, phases.year, phases.season,
                   phases.deadline, phases.opened, phases.parent
               FROM back
               JOIN outcomes ON outcomes.id = back.outcome
               JOIN phases ON phases.id = outcomes.phase
               ORDER BY depth DESC""",
            phase,
        )

    def phase_name(self, asked: str) -> str:
        """The canonical name of a phase that somebody wrote.

        Raises:
            GameError: unknown-phase.
        """
        try:
            return str(parse_phase(asked, self.base.rules.picks))
        except ValueError:
            raise GameError("unknown-phase", asked=asked, current=self.head()["name"]) from None

    def power(self, asked: str) -> str:
        """The id of a power that somebody named.

        Raises:
            GameError: no-such-power.
        """
        return parse_power(self.base, asked)

    # -- acts ------------------------------------------------------------------------------------

    @contextmanager
    def act(self, action: str, power: str = "", reason: str = "") -> Iterator[Note]:
        """One act of the game master: a transaction with its entry in the journal."""
        try:
            with self.file.writing(action):
                note = Note(self.head()["name"], power, reason)
                self._check_clock(note)
                yield note
                self._enter(action, note)
        except BaseException:
            # The rows that were taken back may come again, with other positions.
            self._positions.clear()
            raise

    def enter_first(self) -> None:
        """The first entry of the journal, in the transaction that makes the game."""
        self._enter("new", Note(self.head()["name"]))

    def _enter(self, action: str, note: Note) -> None:
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

    def stamp(self) -> str:
        """The present as it is kept."""
        return zones.format_iso(self.now())

    def _check_clock(self, note: Note) -> None:
        """Say so if the clock went back since the last act, or far ahead."""
        last = self.file.row("SELECT at FROM journal ORDER BY id DESC LIMIT 1")
        if last is None:
            return
        passed = self.now() - zones.parse_iso(last["at"])
        if not -_BACK <= passed <= _FAR:
            data = {"last": last["at"], "now": self.stamp()}
            note.detail["clock_jump"] = data
            self.warnings.append(GameError("clock-jump", **data))


def parse_power(board: Board, asked: str) -> str:
    """The id of a power that somebody named by id, name or alias.

    Raises:
        GameError: no-such-power.
    """
    power = find_power(board, asked)
    if power not in board.powers:
        raise GameError("no-such-power", text=asked, powers=", ".join(board.powers))
    return power


def digest(text: str) -> str:
    """What a text is compared by."""
    return sha256(text.encode()).hexdigest()


def position_json(position: Position) -> str:
    """A position as it is kept."""
    return to_json(position_data(position))


def phase_columns(phase: Phase) -> dict[str, Any]:
    """What a phase's row says of it."""
    return {"name": str(phase), "kind": phase.kind, "year": phase.year, "season": phase.season}


def write_switches(rules: Mapping[str, object]) -> str:
    """Switches as they are kept."""
    return to_json(dict(rules))


def _shapes_beside(source: str, name: str) -> str:
    """The path of the map's shapes, if its own file is still where it was."""
    try:
        path = find_map(source).parent / name
    except AlexMagnumError:
        return ""
    return str(path) if name and path.is_file() else ""
