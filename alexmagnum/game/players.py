"""The players: who plays which power, who took over, who is away."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import date

from alexmagnum.errors import GameError
from alexmagnum.game.file import GameFile, to_json
from alexmagnum.game.records import GameRow, PlayerRow, read_texts
from alexmagnum.game.state import Game
from alexmagnum.game.values import Player
from alexmagnum.i18n.sentences import LANGUAGES

_FIELDS = ("name", "address", "other_addresses", "lang", "note")
"""The fields of a player that can be set."""


def read_people(game: Game) -> tuple[Player, ...]:
    """Return the people who play, without bots, in the map's order of powers."""
    return tuple(player for player in read_players(game) if not player.is_bot)


def read_players(game: Game, *, past: bool = False) -> tuple[Player, ...]:
    """Return who plays, or who played before, in the map's order of powers.

    A bot that stood in for a phase that is not open is left out.
    """
    rows = game.file.select(
        PlayerRow,
        f"""JOIN powers ON powers.id = players.power
            WHERE until {"!=" if past else "="} '' ORDER BY powers.place, players.id""",
    )
    phase = game.head().name
    return tuple(_forget_old_stand_in(player, phase) for player in map(_make_player, rows))


def _forget_old_stand_in(player: Player, phase: str) -> Player:
    """Return a player without the bot that stood in for another phase than the open one."""
    if not player.bot or player.has_bot_in(phase):
        return player
    return replace(player, bot="", stand_in="")


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
        bot=row.bot,
        stand_in=row.stand_in,
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
        bot=player.bot,
        stand_in=player.stand_in,
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
        GameError: no-such-power, bad-player, bot-plays.
    """
    power = game.power(power)
    for name, value in changes.items():
        if name not in _FIELDS:
            raise GameError("bad-player", field=name, value=str(value))
    with game.act("player-set", power, reason) as note:
        row = _find_player(game, power)
        known = _make_player(row) if row else Player(power, "")
        if known.is_bot:
            raise GameError("bot-plays", power=power, bot=known.bot)
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
        GameError: no-such-power, no-player, bot-plays, bad-absence.
    """
    power = game.power(power)
    _check_absence(start, end)
    start, end = _normalize_day(start), _normalize_day(end)
    with game.act("player-absent", power, reason) as note:
        row = _require_person(game, power)
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


# -- bots ------------------------------------------------------------------------------------------

SECRET = 32
"""Bytes of the secret that the chance of bots comes from."""


def enrol_bot(game: Game, power: str, bot: str, stand_in: str = "", reason: str = "") -> Player:
    """Let a bot play a power from now on, or stand in for its player; return the player.

    ``stand_in`` is that of :class:`alexmagnum.game.values.Player`.

    Raises:
        GameError: no-such-power, game-is-over; no-player, bot-plays: there is no person to stand
            in for.
        AlexMagnumError: no-such-bot.
    """
    check_bot(bot)
    power = game.power(power)
    with game.act("player-bot", power, reason) as note:
        if game.head().is_over:
            raise GameError("game-is-over")
        row = _find_player(game, power)
        note.detail |= {"bot": bot, "stand_in": stand_in, "before": _describe_row(row)}
        make_secret(game.file, game.entropy)
        if stand_in:
            person = _require_person(game, power)
            game.file.update("players", person.id, bot=bot, stand_in=stand_in)
        elif row and _make_player(row).is_bot:
            game.file.update("players", row.id, bot=bot)
        else:
            if row:
                game.file.update("players", row.id, until=game.stamp())
            _insert(game.file, Player(power, "", bot=bot), game.stamp())
        return _make_player(_require_player(game, power))


def check_bot(name: str) -> None:
    """Refuse a bot that there is not.

    Raises:
        AlexMagnumError: no-such-bot.
    """
    from alexmagnum.bots import load_bot  # bots need the judge

    load_bot(name)


def _describe_row(row: PlayerRow | None) -> str:
    """Return who played a power, for the journal."""
    return (row.name or row.bot) if row else ""


def make_secret(file: GameFile, entropy: Callable[[int], bytes]) -> None:
    """Make the secret of a game, unless it has one."""
    row = file.find(GameRow)
    if row is not None and not row.secret:
        file.update("games", 1, secret=entropy(SECRET).hex())


def withdraw_bot(game: Game, power: str, reason: str = "") -> Player:
    """End what a bot plays for a power, so that its person plays again; return the player.

    Where the bot is the player, that is whoever played the power last.

    Raises:
        GameError: no-such-power, no-bot, nobody-before-bot.
    """
    power = game.power(power)
    row = _find_player(game, power)
    player = _make_player(row) if row else Player(power, "")
    if not player.bot:
        raise GameError("no-bot", power=power)
    if player.is_bot:
        return replace_player(game, find_person_before(game, power), reason)
    with game.act("player-back", power, reason) as note:
        note.detail["bot"] = end_stand_in(game, power)
    return _make_player(_require_player(game, power))


def find_person_before(game: Game, power: str) -> Player:
    """Return the last person who played a power, as somebody who begins to play it now.

    Raises:
        GameError: nobody-before-bot.
    """
    people = [p for p in read_players(game, past=True) if p.power == power and not p.is_bot]
    if not people:
        raise GameError("nobody-before-bot", power=power)
    last = people[-1]
    return Player(
        power,
        last.name,
        last.address,
        last.lang,
        note=last.note,
        other_addresses=last.other_addresses,
    )


def end_stand_in(game: Game, power: str) -> str:
    """Note that no bot stands in for the player of a power any more; return the one that did."""
    row = _find_player(game, power)
    if row is None or not (row.bot and row.stand_in):
        return ""
    game.file.update("players", row.id, bot="", stand_in="")
    return row.bot


def _require_person(game: Game, power: str) -> PlayerRow:
    """Return the row of the person who plays a power.

    Raises:
        GameError: no-player, bot-plays.
    """
    row = _require_player(game, power)
    if _make_player(row).is_bot:
        raise GameError("bot-plays", power=power, bot=row.bot)
    return row


def _find_player(game: Game, power: str) -> PlayerRow | None:
    return game.file.find(PlayerRow, "WHERE power = ? AND until = ''", power)


def _require_player(game: Game, power: str) -> PlayerRow:
    row = _find_player(game, power)
    if row is None:
        raise GameError("no-player", power=power)
    return row
