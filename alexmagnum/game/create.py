"""Creating a game, and carrying a whole game elsewhere as one JSON file."""

import json
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path
from types import NoneType
from typing import Any, TypeVar

from alexmagnum import files
from alexmagnum.board.map_file import find_map, load_board, maps_folder, start_faults
from alexmagnum.board.model import Board
from alexmagnum.campaign import first_position
from alexmagnum.cases.schema import canonical, position_data, read_position
from alexmagnum.errors import AlexMagnumError, BadMap, GameError
from alexmagnum.game import game as games
from alexmagnum.game import people
from alexmagnum.game import settings as house_rules
from alexmagnum.game.change_log import pack, unpack
from alexmagnum.game.deadlines import add_welcome, change_setting
from alexmagnum.game.file import GameFile, check_version
from alexmagnum.game.mail_store import Message, Occasion
from alexmagnum.game.phases import begin_phase, create_phase
from alexmagnum.game.records import TABLES, VERSION, Entry, VoteRow
from alexmagnum.game.status import MARK
from alexmagnum.game.submissions import ask_bots, say_act_is_stored
from alexmagnum.game.verify import SENTENCE, SYMPTOMS, find_circles, verify_game
from alexmagnum.i18n.dates import FARTHEST, format_iso, parse_iso
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.position import Position, parse_phase

_Game = TypeVar("_Game", bound=games.Game)

_SECRET = 32  # bytes of the secret that reply codes and the chance of bots come from

# Creating a game: everything is checked first, then written in one transaction.


def create_game(
    kind: type[_Game], folder: Path, new: games.NewGame, around: games.Surroundings
) -> _Game:
    base = load_board(new.board_source)
    chosen = {name: house_rules.check_setting(name, value) for name, value in new.settings.items()}
    lang = house_rules.check_setting("lang", new.settings.get("lang", new.lang))
    switches = _find_switches(new.start, base) if new.start else {}
    settings = switches | house_rules.default_settings() | chosen | {"lang": lang}
    board = base.with_rules(house_rules.read_switches(settings))
    if faults := tuple(start_faults(board)) if not new.start else ():
        raise BadMap("bad-map", new.board_source, faults)
    position = _make_first_position(board, new.start)
    players = [_check_player(base, player) for player in new.players]
    if twice := [power for power, n in Counter(p.power for p in players).items() if n > 1]:
        raise GameError("two-players", power=", ".join(twice))
    file = GameFile.build(folder)
    with closing(file.connection):
        with file.writing("new"):
            at = format_iso(around.now())
            _write_game(file, new, base, settings, at, around.entropy(_SECRET).hex())
            for player in players:
                people.insert_player(file, player, at)
            game = kind(file, around)
            begin_phase(game, create_phase(game, position, None), None)
            with game.act("new"):
                if new.welcome:
                    add_welcome(game, new.welcome)
        ask_bots(game)
        return kind(file.move(), around)


def _check_player(board: Board, player: games.Player) -> games.Player:
    power = games.parse_power(board, player.power)
    if player.bot:
        people.check_bot(player.bot)
    else:
        people.check_player(player)
    return replace(player, power=power)


def _find_switches(start: Position, base: Board) -> dict[str, str]:
    """Return the switches of the first position that differ from the map's."""
    own, there = asdict(base.rules), asdict(start.board.rules)
    return {
        house_rules.RULES + key: str(value) for key, value in there.items() if value != own[key]
    }


def _make_first_position(board: Board, start: Position | None) -> Position:
    if start is None:
        return canonical(first_position(board))
    if start.board.id != board.id:
        raise GameError("other-map", map=board.id, other=start.board.id)
    if not start.phase.year:
        raise GameError("start-without-year")
    return read_position(position_data(start), board)


def _name_source(folder: Path, asked: str, base: Board, path: Path) -> str:
    """Return where the map is from: the id of one that is shipped, else a path with a slash or an
    ending, relative to the game's folder: no other path of the machine is stored.
    """
    if path.parent == maps_folder() and not Path(asked).suffix:
        return base.id
    try:
        found = Path(os.path.relpath(path.resolve(), folder.resolve())).as_posix()
    except ValueError:  # on another drive
        found = path.name
    return found if "/" in found or Path(found).suffix else f"./{found}"


def _write_game(
    file: GameFile,
    new: games.NewGame,
    base: Board,
    settings: Mapping[str, str],
    at: str,
    secret: str,
) -> None:
    source = new.board_source
    path = find_map(source)
    text, name = files.read_text(path), new.name or file.folder.resolve().name
    file.insert(
        "games",
        id=1,
        name="".join(c if c.isprintable() else "-" for c in name)[: files.LONGEST_NAME],
        map=base.id,
        map_source=_name_source(file.folder, source, base, path),
        map_digest=games.digest(text),
        map_text=text,
        created=at,
        secret=secret,
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


# Export of a whole game as one JSON file, and import: the rows are the same, byte for byte.


FORMAT = "alexmagnum-game"


def export_game(file: GameFile, path: Path) -> None:
    """Write every table; the file is there whole or as it was, and only its owner can read it."""
    with file.reading():
        tables = {name: file.rows(f"SELECT * FROM {name} ORDER BY rowid") for name in TABLES}
    data = {"format": FORMAT, "version": VERSION, "tables": tables}
    text = json.dumps(data, ensure_ascii=False, indent=1, default=pack)
    files.write_whole(path, text + "\n", private=True)


_WORDS = ("text", "map_text", "note", "reason", "origin", "source")
"""The columns with words of people or names of files; the texts of all others are one line each."""

_JSON = frozenset(
    """
    rules data effective missing orders added rules_before rules_after powers error grounds parts
    detail other_addresses why readers
    """.split()  # noqa: SIM905 (sixteen quoted words would be as many lines)
)
"""The columns with JSON, wherever they have a text."""

_CONTROL = re.compile("[\x00-\x1f]")
_FAR_YEAR = re.compile(r"(?!19[7-9]\d|[2-8]\d{3})\d{4}-\d\d-\d\dT[\d:]+Z")
"""An instant that no computer's clock shows, however wrong: not within the years 1970 to 8999."""


def import_game(
    kind: type[_Game], path: Path, folder: Path, around: games.Surroundings, *, keep: bool
) -> _Game:
    """Return the game of an export, made in a new folder; it must verify.

    With ``keep`` the file is the game master's own: what comes out differently is a warning, and
    settings that go outside the game are not reset, each with a warning.
    """
    data: Any = files.read_json(path, files.MOST_OF_GAME)
    version = data.get("version") if isinstance(data, dict) else None
    if (
        type(version) is not int
        or version < 1
        or data.get("format") != FORMAT
        or not isinstance(data.get("tables"), dict)
    ):
        raise GameError("not-an-export", path=str(path))
    check_version(version, path)
    file = GameFile.build(folder)
    with closing(file.connection):
        try:
            with file.writing("new"):
                _fill(file, data["tables"])
                game = kind(file, around)
                _check_texts(game)
                differs = _verify_import(game, path, keep=keep)
                reset = differs if keep else tuple(_reset_settings(game))
        except (AlexMagnumError, *SYMPTOMS) as error:
            # A fault of the export itself.  Rows that refer to none are found at the end.
            if isinstance(error, GameError) and error.code != "game-damaged":
                raise
            raise GameError("not-an-export", path=str(path)) from None
        game = kind(file.move(), around)
    game.warnings += reset
    with say_act_is_stored(game):
        files.write_whole(folder / MARK, "", private=True)  # its reports are not written yet
    return game


def _check_texts(game: games.Game) -> None:
    """Refuse names that nobody could have entered, and values that no reader of rows takes."""
    for power in game.file.rows("SELECT id, name_it, name_en, color FROM powers ORDER BY place"):
        known = game.board.powers[power["id"]]
        if tuple(power.values()) != (known.id, known.name("it"), known.name("en"), known.color):
            raise ValueError("a power that the map has not")
    for person in game.file.rows(
        """SELECT name, address, other_addresses, lang, bot, absent_from, absent_until FROM players
           UNION ALL SELECT name, address, other_addresses, lang, '', '', '' FROM standby"""
    ):
        if person["bot"]:
            people.check_bot(person["bot"])
        people.read_absence(person["absent_from"], person["absent_until"])
        addresses = (person["address"], *json.loads(person["other_addresses"]))
        people.check_person(person["name"] or "bot", addresses, person["lang"])
    for phase in game.phase_rows():
        parse_phase(phase.name or "323-1")
        parse_iso(phase.deadline or phase.opened)
        if not 0 <= (phase.seconds_left or 0) <= FARTHEST.total_seconds():
            raise ValueError("a clock that stands for years")
    house_rules.check_line(game.name)
    bytes.fromhex(game.info.secret)
    parse_iso(game.info.created)
    for kind in (Entry, VoteRow, games.GameEnd, games.Player, games.Standby, games.Press):
        game.file.select(kind)
    for row in game.file.rows("SELECT DISTINCT occasion FROM letters"):
        Occasion(row["occasion"])
    sentences = load_sentences("en")
    for message in game.file.select(Message):
        for why in message.why:
            sentences.format(why.code, **why.data)


def _reset_settings(game: games.Game) -> Iterator[GameError]:
    """Reset what goes outside the game, with a warning for each setting, and what its author knows:
    the secret of its codes, and the names of letters, which count as codes."""
    if not game.head().is_over:  # else a seal rests on them
        game.file.update("games", 1, secret=game.entropy(_SECRET).hex())
        game.file.change("UPDATE letters SET message_id = '<' || hex(randomblob(16)) || '@import>'")
        if game.file.change("DELETE FROM codes").rowcount:
            yield GameError("import-codes")
    for name, value in game.settings.items():
        setting = house_rules.SETTINGS.get(name)
        reaches_out = setting is not None and (setting.outside or "://" in value)
        if setting is not None and reaches_out and value != setting.default:
            change_setting(game, name, setting.default, "import")
            yield GameError("import-reset", name=name, value=value, now=setting.default or '""')
    source = game.info.map_source
    here = f"./{Path(source).name}"
    if source not in (game.info.map, here):
        game.file.update("games", 1, map_source=here)
        yield GameError("import-reset", name="map_source", value=source, now=here)


_OTHER_RESULTS = {f"verify-{what}" for what in ("mail", "lines", "result", "results", "outcome")}
"""Codes of what an older version of the program may have read or resolved otherwise."""


def _verify_import(game: games.Game, path: Path, *, keep: bool) -> tuple[GameError, ...]:
    """Return what comes out differently, if it is to be kept; refuse what is no sound game.

    Sentences may differ, because another version of the program words them differently.
    """
    if any(find_circles(game)):
        raise ValueError("a phase that leads to itself")
    game.find_position(game.head().id)
    if not (found := [finding for finding in verify_game(game) if finding.code != SENTENCE]):
        return ()
    data = {"count": str(len(found)), "phase": found[0].phase or "—", "what": found[0].what}
    differs = GameError("export-differs", path=str(path), **data)
    if not (keep and _OTHER_RESULTS.issuperset(finding.code for finding in found)):
        raise differs
    return (differs,)


def _fill(file: GameFile, tables: dict[str, Any]) -> None:
    """Put the rows in their tables; references go both ways, so SQLite checks them at the end."""
    file.connection.execute("PRAGMA defer_foreign_keys = ON")
    for name in TABLES:
        columns = file.db.table(name).columns_dict
        for row in tables.get(name, []):
            if not columns.keys() >= row.keys():
                raise ValueError("columns that the table has not")
            values = {column: unpack(value) for column, value in row.items()}
            if any(type(value) not in (columns[key], NoneType) for key, value in values.items()):
                raise ValueError("a value of another kind")
            for key in _JSON & values.keys():
                if isinstance(text := values[key], str) and text:
                    files.parse_json(text, key)
            lines = [value for column, value in values.items() if column not in _WORDS]
            if any(isinstance(line, str) and _CONTROL.search(line) for line in lines):
                raise ValueError("a line with control characters")
            if any(isinstance(line, str) and _FAR_YEAR.fullmatch(line) for line in lines):
                raise ValueError("an instant in another age")
            file.insert(name, **values)
