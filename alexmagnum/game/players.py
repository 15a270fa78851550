"""The players: who plays which power, who took over, who is away."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date

from alexmagnum.errors import GameError
from alexmagnum.game.file import GameFile, to_json
from alexmagnum.game.records import PlayerRow, read_texts
from alexmagnum.game.state import Game
from alexmagnum.game.values import Player
from alexmagnum.i18n.sentences import LANGUAGES

_FIELDS = ("name", "address", "other_addresses", "lang", "note")
"""The fields of a player that can be set."""


def read_players(game: Game, *, past: bool = False) -> tuple[Player, ...]:
    """Return who plays, or who played before, in the map's order of powers."""
    rows = game.file.select(
        PlayerRow,
        f"""JOIN powers ON powers.id = players.power
            WHERE until {"!=" if past else "="} '' ORDER BY powers.place, players.id""",
    )
    return tuple(map(_make_player, rows))


def _make_player(row: PlayerRow) -> Player:
    return Player(
        power=row.power,
        name=row.name,
        address=row.address,
        lang=row.lang,
        since=row.since,
        until=row.until,
        absent_from=row.absent_from,
        absent_until=row.absent_until,
        note=row.note,
        other_addresses=read_texts(row.other_addresses),
    )


def enrol_players(file: GameFile, listed: Iterable[Player], at: str) -> None:
    """Store the first players of a new game."""
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
        absent_from=_normalize_day(player.absent_from),
        absent_until=_normalize_day(player.absent_until),
        note=player.note,
        other_addresses=to_json(list(player.other_addresses)),
    )


def check_player(player: Player) -> None:
    """Refuse a name or address that would break a mail's header, an unknown language, and an
    absence that ends before it begins.

    Raises:
        GameError: bad-player, bad-absence.
    """
    check_person(player.name, (player.address, *player.other_addresses), player.lang)
    _check_absence(player.absent_from, player.absent_until)


def check_person(name: str, addresses: Iterable[str], lang: str) -> None:
    """Refuse a name or address that would break a mail's header, and an unknown language.

    Raises:
        GameError: bad-player.
    """
    if not name.strip() or not name.isprintable():
        raise GameError("bad-player", field="name", value=repr(name))
    for address in addresses:
        if not address.isprintable() or " " in address:
            raise GameError("bad-player", field="address", value=repr(address))
    if lang not in ("", *LANGUAGES):
        raise GameError("bad-player", field="lang", value=lang)


def set_player(game: Game, power: str, reason: str, changes: Mapping[str, object]) -> Player:
    """Change fields of the player of a power, and return the player; a vacant power gets one.

    Raises:
        GameError: no-such-power, bad-player.
    """
    power = game.power(power)
    for name, value in changes.items():
        if name not in _FIELDS:
            raise GameError("bad-player", field=name, value=str(value))
    with game.act("player-set", power, reason) as note:
        row = _find_player(game, power)
        known = _make_player(row) if row else Player(power, "")
        player = replace(known, **changes)  # type: ignore[arg-type]
        check_player(player)
        if row:
            stored = {n: to_json(v) if n == "other_addresses" else v for n, v in changes.items()}
            game.file.update("players", row.id, **stored)
        else:
            _insert(game.file, player, game.stamp())
            begun = any(not outcome.passed for outcome in game.line())
            note.detail["begins"] = "later" if begun else "first"
        note.detail |= {name: value for name, value in changes.items() if name != "note"}
        return _make_player(_require_player(game, power))


def replace_player(game: Game, newcomer: Player, reason: str) -> Player:
    """Let somebody else play a power from now on, and return the new player.

    Raises:
        GameError: no-such-power, bad-player.
    """
    power = game.power(newcomer.power)
    player = replace(newcomer, power=power)
    name = player.name
    check_player(player)
    with game.act("player-replace", power, reason) as note:
        row = _find_player(game, power)
        if row:
            game.file.update("players", row.id, until=game.stamp())
        _insert(game.file, player, game.stamp())
        note.detail |= {"before": row.name if row else "", "name": name}
        return _make_player(_require_player(game, power))


def set_absence(game: Game, power: str, start: str, end: str, reason: str) -> Player:
    """Store that a player is away from one day to another; two empty texts end an absence.

    Raises:
        GameError: no-such-power, no-player, bad-absence.
    """
    power = game.power(power)
    _check_absence(start, end)
    start, end = _normalize_day(start), _normalize_day(end)
    with game.act("player-absent", power, reason) as note:
        row = _require_player(game, power)
        game.file.update("players", row.id, absent_from=start, absent_until=end)
        note.detail |= {"from": start, "until": end}
        return _make_player(_require_player(game, power))


def _check_absence(start: str, end: str) -> None:
    """Refuse an absence that is neither empty nor a span of days.

    Raises:
        GameError: bad-absence.
    """
    try:
        good = not (start or end) or date.fromisoformat(start) <= date.fromisoformat(end)
    except ValueError:
        good = False
    if not good:
        raise GameError("bad-absence", start=start, end=end)


def _normalize_day(text: str) -> str:
    """Return a day as it is stored, ``2026-11-19``, however it was written."""
    return date.fromisoformat(text).isoformat() if text else ""


def set_note(game: Game, power: str, text: str) -> Player:
    """Store the game master's note on a player; the journal does not have its words.

    Raises:
        GameError: no-such-power, no-player.
    """
    power = game.power(power)
    with game.act("player-note", power):
        row = _require_player(game, power)
        game.file.update("players", row.id, note=text)
        return _make_player(_require_player(game, power))


def _find_player(game: Game, power: str) -> PlayerRow | None:
    return game.file.find(PlayerRow, "WHERE power = ? AND until = ''", power)


def _require_player(game: Game, power: str) -> PlayerRow:
    row = _find_player(game, power)
    if row is None:
        raise GameError("no-player", power=power)
    return row
