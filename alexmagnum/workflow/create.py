"""Making games: a new one, or one taken over where a turn file stands."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from alexmagnum.board.lint import load_sound_board
from alexmagnum.board.model import Board
from alexmagnum.cases.case_files import read_turn
from alexmagnum.cases.resolution import resolve_turn
from alexmagnum.cases.schema_reader import read_file
from alexmagnum.errors import BadFile
from alexmagnum.game.desk import Desk, utc_now
from alexmagnum.game.settings import SETTINGS
from alexmagnum.game.state import Entropy, Now
from alexmagnum.game.values import NewGame
from alexmagnum.i18n.date_parser import Deadline, parse_deadline
from alexmagnum.position import Position
from alexmagnum.workflow.materials import Materials
from alexmagnum.workflow.sheets import write_sheets

DEFAULT_MAP = "alexmagnum"


@dataclass(frozen=True, slots=True)
class Start:
    """Where a new game begins: the map by id or path, its board, and the position if a running
    game is taken over."""

    source: str
    board: Board
    position: Position | None = None


def find_start(map_id: str | None = None, turn: Path | None = None) -> Start:
    """Return where a game on a map begins, or one that goes on from a turn file.

    Raises:
        BadFile, BadMap, BadPosition: the files cannot be used; ``year-missing`` if the turn file
            does not tell its year.
    """
    if turn is None:
        source = map_id or DEFAULT_MAP
        return Start(source, load_sound_board(source))
    read = read_turn(turn, map_id)
    position = read.position if read.position is not None else resolve_turn(read).position
    if not position.phase.year:
        raise BadFile(str(turn), "year-missing", "year")
    return Start(map_id or _map_of(turn), position.board, position)


def _map_of(path: Path) -> str:
    """Return the map that a turn file names, with its folder if it is a file next to it."""
    data = read_file(path)
    named = str(data.get("map") or "standard") if isinstance(data, dict) else ""
    beside = path.parent / named
    return str(beside) if beside.is_file() else named or DEFAULT_MAP


def read_first_deadline(text: str, settings: Mapping[str, object], now: Now = utc_now) -> Deadline:
    """Return the deadline that somebody wrote for a game with some settings.

    Raises:
        GameError: ``deadline-unreadable``, ``deadline-past`` and their like.
    """
    zone = str(settings.get("timezone", SETTINGS["timezone"].default))
    return parse_deadline(text, zone, now())


def create_game(
    folder: Path,
    new: NewGame,
    deadline: Deadline | None = None,
    *,
    now: Now = utc_now,
    entropy: Entropy = secrets.token_bytes,
    actor: str = "gm",
) -> Desk:
    """Make the folder of a new game with its file and the first order sheets; return its desk.

    ``deadline`` is the first deadline, None for the one that follows from the settings.

    Raises:
        GameError: ``game-exists``, ``no-folder``, ``no-such-power``, ``bad-player``,
            ``two-players``, ``unknown-setting``, ``bad-setting``.
    """
    desk = Desk.create(folder, new, now=now, entropy=entropy, actor=actor)
    try:
        if deadline is not None:
            desk.set_deadline(deadline.at)
        write_sheets(Materials(desk))
    except BaseException:
        desk.close()
        raise
    return desk
