"""The desk at a glance: counts of what came in, and no orders.

The judge is imported only for a game that is over, so that ``status`` answers at once.
"""

from __future__ import annotations

from alexmagnum.game import votes
from alexmagnum.game.deadlines import read_deadline, read_seconds_left
from alexmagnum.game.ending import read_end
from alexmagnum.game.open_phase import OpenPhase, read_open_phase
from alexmagnum.game.players import read_players
from alexmagnum.game.records import SubmissionRow
from alexmagnum.game.required_orders import (
    count_given_orders,
    find_active_powers,
    find_required_orders,
)
from alexmagnum.game.state import Game
from alexmagnum.game.stored_orders import (
    find_bot_submission,
    find_last_submissions,
    read_all_lines,
    read_bot_name,
    read_lines,
)
from alexmagnum.game.values import (
    BOT_FAILED,
    BOT_NONSENSE,
    DOUBTFUL,
    NEEDS_A_LOOK,
    Player,
    PowerStatus,
    Status,
)
from alexmagnum.i18n import zones
from alexmagnum.position import PICKS, Position

_COUNTS_NOT = NEEDS_A_LOOK - {DOUBTFUL}
"""The verdicts on lines that are no order, or none that counts."""


def read_status(game: Game) -> Status:
    """Return the state of the open phase."""
    head = game.head()
    over = head.is_over
    phase = None if over else read_open_phase(game)
    end, agreed = read_end(game), votes.find_agreement(game)
    return Status(
        game.info.name,
        head.name,
        "" if over else head.kind,
        read_deadline(game),
        read_seconds_left(game) is not None,
        tuple(_list_powers(game, head.id, phase) if phase else _list_final_powers(game)),
        _find_blocks(phase, agreed) if phase else ("game-is-over",),
        end.winners if end else (),
        over,
        {} if over else votes.count_votes(game, head.name),
        () if over else votes.list_voters(game),
        str(agreed or ""),
        end,
    )


def _list_powers(game: Game, key: int, phase: OpenPhase) -> list[PowerStatus]:
    position, settings, counted = phase.position, phase.settings, phase.counted
    last = find_last_submissions(game, key)
    lines = read_all_lines(game, [row.id for row in last.values()])
    owed = find_required_orders(position)
    who = {player.power: player for player in read_players(game)}
    paces = votes.read_paces(game, str(position.phase))
    listed = []
    for power in game.base.powers:
        row, player = last.get(power), who.get(power)
        understood = lines[row.id] if row else ()
        bot = read_bot_name(game, row)
        wanting = _COUNTS_NOT if bot else NEEDS_A_LOOK  # a bot means what it orders
        doubtful = [line for line in understood if line.verdict in wanting]
        things = owed.get(power, ())
        listed.append(
            PowerStatus(
                power,
                player.name if player else "",
                count_given_orders(position, power, things, counted.get(power, ()))
                if things
                else 0,
                len(things),
                len(doubtful),
                row.number if row else 0,
                row.received if row else "",
                player is not None and _is_away(game, player, settings["timezone"]),
                find_power_state(position, power),
                paces.get(power, ""),
                bot or (player.bot if player else ""),
                bool(bot),
                *(_find_bot_fault(game, row) if bot else ()),
            )
        )
    return listed


def _find_bot_fault(game: Game, row: SubmissionRow | None) -> tuple[str, str]:
    """Return the code of what is wrong with the orders of a bot, and its error; no order is in
    it."""
    given = find_bot_submission(game, row)
    lines = read_lines(game, given.id) if given else ()
    doubtful = [line for line in lines if line.verdict in _COUNTS_NOT]
    for line in doubtful:
        if line.code == BOT_FAILED:
            return BOT_FAILED, line.text
    return (BOT_NONSENSE if doubtful else ""), ""


def _list_final_powers(game: Game) -> list[PowerStatus]:
    position = game.position(game.head().id)
    who = {player.power: player for player in read_players(game)}
    nobody = Player("", "")
    return [
        PowerStatus(
            power=p,
            player=who.get(p, nobody).name,
            given=0,
            wanted=0,
            doubtful=0,
            submissions=0,
            last="",
            absent=False,
            state=find_power_state(position, p),
            bot=who.get(p, nobody).bot,
        )
        for p in game.base.powers
    ]


def find_power_state(position: Position, power: str) -> str:
    """Return whether a power plays, is in revolt (R3) or eliminated (R35)."""
    if power in find_active_powers(position):
        return "playing"
    revolts = position.in_revolt(power) and position.phase.season != PICKS
    return "revolt" if revolts and _holds_anything(position, power) else "eliminated"


def _holds_anything(position: Position, power: str) -> bool:
    units = (*position.units, *(d.unit for d in position.dislodged))
    return power in position.owners.values() or any(unit.power == power for unit in units)


def _is_away(game: Game, player: Player, zone: str) -> bool:
    today = zones.to_local(game.now(), zone).date().isoformat()
    return bool(player.absent_from) and player.absent_from <= today <= player.absent_until


def _find_blocks(phase: OpenPhase, agreed: votes.Agreement | None) -> tuple[str, ...]:
    """Return the codes of what keeps the phase from being processed."""
    waits = phase.settings["missing"] == "wait" and phase.lacking
    blocks = ("block-orders-missing",) if waits else ()
    return (*blocks, f"block-{agreed.error}") if agreed else blocks
