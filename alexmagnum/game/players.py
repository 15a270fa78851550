"""The players: who plays what, who took over, who is away."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from alexmagnum.errors import GameError
from alexmagnum.game.file import GameFile, Row
from alexmagnum.game.state import Game
from alexmagnum.game.values import Player
from alexmagnum.i18n.sentences import LANGUAGES

_FIELDS = ("name", "address", "lang", "note")
"""What can be set of a player."""


def read_players(game: Game, *, past: bool = False) -> tuple[Player, ...]:
    """Who plays, in the map's order of powers; or who played before."""
    rows = game.file.rows(
        f"""SELECT players.* FROM players JOIN powers ON powers.id = players.power
            WHERE until {"!=" if past else "="} '' ORDER BY powers.place, players.id"""
    )
    return tuple(map(_player, rows))


def _player(row: Row) -> Player:
    return Player(**{name: value for name, value in row.items() if name != "id"})


def enrol_players(file: GameFile, listed: Iterable[Player], at: str) -> None:
    """Put the first players into a new game."""
    for player in listed:
        _insert(file, player, at)


def _insert(file: GameFile, player: Player, at: str) -> None:
    file.insert(
        "players",
        power=player.power,
        name=player.name,
        address=player.address,
        lang=player.lang,
        since=player.since or at,
        until="",
        absent_from=_day(player.absent_from),
        absent_until=_day(player.absent_until),
        note=player.note,
    )


def check_player(player: Player) -> None:
    """Refuse what would break a mail's header, languages that there are not, and absences that
    are no span of days.

    Raises:
        GameError: bad-player, bad-absence.
    """
    for name in ("name", "address"):
        value = getattr(player, name)
        if any(not c.isprintable() for c in value) or (name == "address" and " " in value):
            raise GameError("bad-player", field=name, value=repr(value))
    if not player.name.strip():
        raise GameError("bad-player", field="name", value="''")
    if player.lang not in ("", *LANGUAGES):
        raise GameError("bad-player", field="lang", value=player.lang)
    _check_absence(player.absent_from, player.absent_until)


def set_player(game: Game, power: str, reason: str, changes: dict[str, str]) -> Player:
    """Change what is known of the player of a power; a vacant power gets one.

    Raises:
        GameError: no-such-power, bad-player.
    """
    power = game.power(power)
    for name, value in changes.items():
        if name not in _FIELDS:
            raise GameError("bad-player", field=name, value=value)
    with game.act("player-set", power, reason) as note:
        row = _current(game, power)
        now = _player(row) if row else Player(power, "")
        player = Player(**{**_columns(now), **changes})
        check_player(player)
        if row:
            game.file.update("players", row["id"], **changes)
        else:
            _insert(game.file, player, game.stamp())
        note.detail |= {name: value for name, value in changes.items() if name != "note"}
        return _now(game, power)


def replace_player(
    game: Game, power: str, name: str, address: str, lang: str, reason: str
) -> Player:
    """Somebody else plays a power from now on.

    Raises:
        GameError: no-such-power, bad-player.
    """
    power = game.power(power)
    player = Player(power, name, address, lang)
    check_player(player)
    with game.act("player-replace", power, reason) as note:
        row = _current(game, power)
        if row:
            game.file.update("players", row["id"], until=game.stamp())
        _insert(game.file, player, game.stamp())
        note.detail |= {"before": row["name"] if row else "", "name": name}
        return _now(game, power)


def set_absence(game: Game, power: str, start: str, end: str, reason: str) -> Player:
    """A player is away from one day to another; two empty texts end it.

    Raises:
        GameError: no-such-power, no-player, bad-absence.
    """
    power = game.power(power)
    _check_absence(start, end)
    start, end = _day(start), _day(end)
    with game.act("player-absent", power, reason) as note:
        row = _needed(game, power)
        game.file.update("players", row["id"], absent_from=start, absent_until=end)
        note.detail |= {"from": start, "until": end}
        return _now(game, power)


def _check_absence(start: str, end: str) -> None:
    """Refuse what is neither a span of days nor empty.

    Raises:
        GameError: bad-absence.
    """
    try:
        good = not (start or end) or date.fromisoformat(start) <= date.fromisoformat(end)
    except ValueError:
        good = False
    if not good:
        raise GameError("bad-absence", start=start, end=end)


def _day(text: str) -> str:
    """A day as it is kept, ``2026-11-19``, however it was written."""
    return date.fromisoformat(text).isoformat() if text else ""


def set_note(game: Game, power: str, text: str) -> Player:
    """The game master's note on a player; the journal has no word of it.

    Raises:
        GameError: no-such-power, no-player.
    """
    power = game.power(power)
    with game.act("player-note", power):
        row = _needed(game, power)
        game.file.update("players", row["id"], note=text)
        return _now(game, power)


def _columns(player: Player) -> dict[str, str]:
    return {name: getattr(player, name) for name in Player.__slots__}


def _current(game: Game, power: str) -> Row | None:
    return game.file.row("SELECT * FROM players WHERE power = ? AND until = ''", power)


def _needed(game: Game, power: str) -> Row:
    row = _current(game, power)
    if row is None:
        raise GameError("no-player", power=power)
    return row


def _now(game: Game, power: str) -> Player:
    return _player(_needed(game, power))
