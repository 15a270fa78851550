"""The desk at a glance: counts, and no orders."""

from __future__ import annotations

from alexmagnum.campaign import ending
from alexmagnum.game import votes
from alexmagnum.game.deadlines import deadline, seconds_left
from alexmagnum.game.mail_orders import NEEDS_A_LOOK
from alexmagnum.game.phases import OpenPhase, again, open_now
from alexmagnum.game.players import players
from alexmagnum.game.required_orders import due, given, playing
from alexmagnum.game.state import OVER, Game
from alexmagnum.game.submissions import last_submissions, lines_of
from alexmagnum.game.values import Player, PowerStatus, Status
from alexmagnum.i18n import zones
from alexmagnum.position import PICKS, Position


def status(game: Game) -> Status:
    """The state of the open phase."""
    head = game.head()
    over = head["kind"] == OVER
    phase = None if over else open_now(game)
    return Status(
        game.row["name"],
        head["name"],
        "" if over else head["kind"],
        deadline(game),
        seconds_left(game) is not None,
        tuple(_powers(game, head["id"], phase) if phase else _final(game)),
        _blocks(phase) if phase else ("game-is-over",),
        _winners(game) if over else (),
        over,
        {} if over else votes.tally(game, head["name"]),
    )


def _powers(game: Game, key: int, phase: OpenPhase) -> list[PowerStatus]:
    position, settings, counted = phase.position, phase.settings, phase.counted
    last = last_submissions(game, key)
    owed = due(position)
    who = {player.power: player for player in players(game)}
    paces = votes.paces(game, str(position.phase))
    listed = []
    for power in game.base.powers:
        row = last.get(power)
        lines = lines_of(game, row["id"]) if row else ()
        things = owed.get(power, ())
        listed.append(
            PowerStatus(
                power,
                who[power].name if power in who else "",
                given(position, power, things, counted.get(power, ())) if things else 0,
                len(things),
                sum(line.verdict in NEEDS_A_LOOK for line in lines),
                row["number"] if row else 0,
                row["received"] if row else "",
                power in who and _is_away(game, who[power], settings["timezone"]),
                state_of(position, power),
                paces.get(power, ""),
            )
        )
    return listed


def _final(game: Game) -> list[PowerStatus]:
    position = game.position(game.head()["id"])
    who = {player.power: player.name for player in players(game)}
    return [
        PowerStatus(p, who.get(p, ""), 0, 0, 0, 0, "", False, state_of(position, p))
        for p in game.base.powers
    ]


def state_of(position: Position, power: str) -> str:
    """Whether a power plays, is in revolt (R3) or eliminated (R35)."""
    if power in playing(position):
        return "playing"
    revolts = position.in_revolt(power) and position.phase.season != PICKS
    return "revolt" if revolts and _holds_anything(position, power) else "eliminated"


def _holds_anything(position: Position, power: str) -> bool:
    units = (*position.units, *(d.unit for d in position.dislodged))
    return power in position.owners.values() or any(unit.power == power for unit in units)


def _is_away(game: Game, player: Player, zone: str) -> bool:
    today = zones.to_local(game.now(), zone).date().isoformat()
    return bool(player.absent_from) and player.absent_from <= today <= player.absent_until


def _blocks(phase: OpenPhase) -> tuple[str, ...]:
    """What keeps the phase from being processed."""
    waits = phase.settings["missing"] == "wait" and phase.lacking
    return ("block-orders-missing",) if waits else ()


def _winners(game: Game) -> tuple[str, ...]:
    line = game.line()
    end = ending(again(game, line[-1])) if line else None
    return end.winners if end else ()
