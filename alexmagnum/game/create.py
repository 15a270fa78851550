"""Creating a game: everything is checked first, then written in one transaction."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from pathlib import Path

from alexmagnum.board.load import find_map, load_board, read_text
from alexmagnum.board.model import Board
from alexmagnum.board.soundness import start_faults
from alexmagnum.campaign import first_position
from alexmagnum.cases.schema_writer import canonical, position_data, read_position
from alexmagnum.errors import BadMap, GameError
from alexmagnum.game.file import GameFile
from alexmagnum.game.phase_store import create_phase
from alexmagnum.game.players import check_bot, check_player, enrol_players, make_secret
from alexmagnum.game.settings import RULES, check_setting, default_settings, read_switches
from alexmagnum.game.state import Entropy, Game, Now, digest, parse_power
from alexmagnum.game.timeline import begin_phase
from alexmagnum.game.values import NewGame, Player
from alexmagnum.i18n import zones
from alexmagnum.position import Position


def create_game(folder: Path, new: NewGame, now: Now, entropy: Entropy, actor: str) -> Game:
    """Create a game in a folder, and return it.

    Raises:
        GameError: game-exists, no-such-power, bad-player, bad-absence, two-players,
            unknown-setting, bad-setting, other-map, start-without-year, no-folder, cannot-write,
            game-busy.
        BadFile, BadMap, BadPosition: the map, or the position to start with, cannot be used.
    """
    base = load_board(new.board_source)
    settings = _choose_settings(new, base)
    board = base.with_rules(read_switches(settings))
    faults = tuple(start_faults(board)) if not new.start else ()
    if faults:
        raise BadMap("bad-map", new.board_source, faults)
    position = _make_first_position(board, new.start)
    players = _check_players(base, new.players)
    file = GameFile.create(folder)
    try:
        with file.begin():
            at = zones.format_iso(now())
            _write_game(file, new, base, settings, at)
            enrol_players(file, players, at)
            if any(player.bot for player in players):
                make_secret(file, entropy)
            game = Game(file, now, entropy, actor)
            phase = create_phase(game, position, None)
            begin_phase(game, phase, None)
            game.write_first_entry()
    except BaseException:
        file.close()
        raise
    return game


def _choose_settings(new: NewGame, base: Board) -> dict[str, str]:
    """Return every setting of a new game.

    Raises:
        GameError: unknown-setting, bad-setting.
    """
    chosen = {name: check_setting(name, value) for name, value in new.settings.items()}
    lang = check_setting("lang", new.settings.get("lang", new.lang))
    switches = _find_switches(new.start, base) if new.start else {}
    return switches | default_settings() | chosen | {"lang": lang}


def _check_players(board: Board, players: Iterable[Player]) -> list[Player]:
    """Return the players with the ids of their powers.

    Raises:
        GameError: no-such-power, bad-player, bad-absence, two-players.
    """
    listed = [_check_player(board, player) for player in players]
    twice = [power for power, n in Counter(p.power for p in listed).items() if n > 1]
    if twice:
        raise GameError("two-players", power=", ".join(twice))
    return listed


def _check_player(board: Board, player: Player) -> Player:
    power = parse_power(board, player.power)
    if player.bot:
        check_bot(player.bot)
    else:
        check_player(player)
    return replace(player, power=power)


def _find_switches(start: Position, base: Board) -> dict[str, str]:
    """Return the switches of the first position that differ from the map's."""
    own, there = asdict(base.rules), asdict(start.board.rules)
    return {RULES + key: str(value) for key, value in there.items() if value != own[key]}


def _make_first_position(board: Board, start: Position | None) -> Position:
    """Return the position to begin with, on this board.

    Raises:
        GameError: other-map, start-without-year.
    """
    if start is None:
        return canonical(first_position(board))
    if start.board.id != board.id:
        raise GameError("other-map", map=board.id, other=start.board.id)
    if not start.phase.year:
        raise GameError("start-without-year")
    return read_position(position_data(start), board)


def _make_relative(folder: Path, path: Path) -> str:
    """Return the path of a map relative to the game's folder: no other path of the machine is
    stored."""
    try:
        return Path(os.path.relpath(path.resolve(), folder.resolve())).as_posix()
    except ValueError:  # on another drive
        return path.name


def _write_game(
    file: GameFile, new: NewGame, base: Board, settings: Mapping[str, str], at: str
) -> None:
    """Write the game's own row, its settings and its powers."""
    source = new.board_source
    path = find_map(source)
    text = read_text(path)
    file.insert(
        "games",
        id=1,
        name=new.name or file.folder.resolve().name,
        map=base.id,
        map_source=_make_relative(file.folder, path) if Path(source).suffix else source,
        map_digest=digest(text),
        map_text=text,
        created=at,
    )
    file.insert_all("settings", [{"name": key, "value": value} for key, value in settings.items()])
    file.insert_all(
        "powers",
        [
            {
                "id": power.id,
                "place": place,
                "name_it": power.name("it"),
                "name_en": power.name("en"),
                "color": power.color,
            }
            for place, power in enumerate(base.powers.values())
        ],
    )
