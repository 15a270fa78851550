"""Orders that do not come in time: the ledger of who sent theirs, and what becomes of late powers.

Open this for until when the game waits, for which powers, and what it does about them then.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from alexmagnum.game import orders
from alexmagnum.game.deadlines import extend_deadline
from alexmagnum.game.game import RETURN, Game, Player, in_one_view
from alexmagnum.game.orders import BOT_SOURCE
from alexmagnum.game.people import enrol_bot, list_free_standby, read_players, seat_standby
from alexmagnum.game.records import Entry, OutcomeRow, SubmissionRow
from alexmagnum.game.settings import DISORDER, GO_ON, STANDBY, WAIT, parse_misses
from alexmagnum.i18n.dates import format_iso, parse_iso

# The ledger of the people: which phases they owed orders for, and what came of that.
#
# A phase is counted once, as it was first resolved: a correction changes nothing about who had sent
# what. Phases that were undone are not counted.


IN_TIME, LATE, PARTIAL, MISSED = "in-time", "late", "partial", "missed"
"""The ways a phase can end for a power: all orders by the deadline, some after it, some missing,
or none at all (NMR)."""

BY_BOT = "bot"
"""A bot gave the orders in their place."""

OVERDUE = "overdue"
"""The state of the open phase for who still owes orders after its deadline."""


@dataclass(frozen=True, slots=True)
class OwedPhase:
    """A phase for which somebody owed orders; ``complete`` is when the last of them came, "" if
    they never were complete."""

    phase: str
    state: str
    deadline: str
    complete: str


@dataclass(frozen=True, slots=True)
class Account:
    """The orders that one person owed and sent for a power, while they played it."""

    player: Player
    phases: tuple[OwedPhase, ...]

    def count(self, *states: str) -> int:
        """Return the number of phases, or of those in some states."""
        return sum(not states or owed.state in states for owed in self.phases)

    @property
    def owed(self) -> int:
        """The number of phases that were resolved."""
        return self.count(IN_TIME, LATE, PARTIAL, MISSED, BY_BOT)


@in_one_view
def read_ledger(game: Game) -> tuple[Account, ...]:
    """Return an account for each person who plays or played, in the map's order of powers."""
    people = sorted(
        (p for p in (*read_players(game, past=True), *read_players(game)) if not p.is_bot),
        key=lambda player: list(game.base.powers).index(player.power),
    )
    owed: dict[Player, list[OwedPhase]] = {player: [] for player in people}
    outcomes = {outcome.id: outcome for outcome in game.outcomes()}
    for row in game.line():
        if not row.passed:
            first = row
            while first.amends is not None:
                first = outcomes[first.amends]
            for power, phase in _list_owed(game, first):
                if (player := _find_responsible(people, power, first)) is not None:
                    owed[player].append(phase)
    for power, phase in _list_overdue(game):
        for player in people:
            if player.power == power and not player.until:
                owed[player].append(phase)
    return tuple(Account(player, tuple(phases)) for player, phases in owed.items())


def _find_responsible(people: Sequence[Player], power: str, row: OutcomeRow) -> Player | None:
    """Return who played a power when its orders were due: at the deadline, or when the phase was
    resolved, if that was sooner."""
    due = min(row.deadline or row.processed, row.processed)
    present = [p for p in people if p.power == power and p.since <= due]
    return next((p for p in present if not p.until or due < p.until), None)


def _list_owed(game: Game, row: OutcomeRow) -> Iterator[tuple[str, OwedPhase]]:
    """Yield what came of a resolved phase for each power that owed orders."""
    position = game.find_position(row.phase, row.rules)
    nothing: Mapping[str, tuple[()]] = dict.fromkeys(game.base.powers, ())
    owing = orders.find_missing_after_house_rules(position, game.settings, nothing)
    rows = game.file.select(
        SubmissionRow, "WHERE phase = ? AND kind != ? ORDER BY id", row.phase, orders.AMEND
    )
    acts = game.file.select(Entry, "WHERE action = ? AND phase = ?", LATE_ACT, row.name)
    settled = {act.power for act in acts}
    for power in orders.find_required_orders(position):
        if power in owing:
            sent = [each for each in rows if each.power == power]
            if power in settled:  # a bot that stood in for late orders is no excuse
                sent = [each for each in sent if each.kind != orders.BOT]
            complete = ""
            for each in sent:
                complete = "" if json.loads(each.missing) else complete or each.received
            if sent and orders.find_bot_submission(game, sent[-1]) is not None:
                state = BY_BOT
            elif complete:
                state = LATE if row.deadline and complete > row.deadline else IN_TIME
            else:
                state = PARTIAL if sent and sent[-1].orders else MISSED
            yield power, OwedPhase(row.name, state, row.deadline, complete)


def _list_overdue(game: Game) -> Iterator[tuple[str, OwedPhase]]:
    """Yield the powers whose orders are missing in the open phase after its deadline."""
    if (head := game.head()).is_over or not head.deadline or game.stamp() <= head.deadline:
        return
    for power in orders.find_lacking_orders(game):
        yield power, OwedPhase(head.name, OVERDUE, head.deadline, "")


# Late powers: until when the game waits for them, and what it does then.


LATE_ACT = "late"
"""The act in the journal by which the game did something about a power whose orders were late."""

NEWCOMERS_TIME = timedelta(days=2)
"""The time that somebody has who takes over a power whose orders were late."""

MASTERS_TIME = timedelta(hours=12)
"""The time that the game master has for a phase that is due, before the players hear of it."""


@dataclass(frozen=True, slots=True)
class LatePower:
    """A power whose orders are missing in the open phase, and what becomes of it.

    ``choice`` is what the game does when its time is over: ``wait``, ``hold``, ``standby``,
    ``disorder``, or ``bot:`` and the name of a bot; ``until`` is when, "" for whenever the phase is
    resolved, as where it waits for another power.  ``miss`` counts the phases without any order of
    its player, this one included, ``most`` after how many of them the last thing happens; both are
    0 if the game counts none, or some orders have come.
    """

    power: str
    choice: str
    miss: int = 0
    most: int = 0
    until: str = ""


def find_late_time(game: Game) -> str:
    """Return until when the game waits for late orders, "" while no deadline runs."""
    if not game.deadline or game.paused:
        return ""
    return format_iso(parse_iso(game.deadline) + timedelta(hours=int(game.settings["grace"])))


def is_late_time_over(game: Game) -> bool:
    """Tell whether the game waits no longer: never while the clock is stopped, and without a
    deadline whenever the game master resolves the phase."""
    return not game.paused and find_late_time(game) <= game.stamp()


def waits_for_master(game: Game) -> bool:
    """Tell whether nothing but the game master has kept the open phase from being resolved for half
    a day: it was due by then, and all orders that the game waits for had come."""
    due = game.deadline
    if not due or game.paused or game.head().is_over or not _is_masters_time_over(game, due):
        return False  # told without reading who is late
    late = list_late_powers(game)
    if any(one.choice == WAIT for one in late):
        return False
    due = find_late_time(game) if late else due
    came = (row.received for row in orders.find_last_submissions(game, game.head().id).values())
    return _is_masters_time_over(game, max((due, *came)))


def _is_masters_time_over(game: Game, since: str) -> bool:
    return parse_iso(since) + MASTERS_TIME <= game.now()


def list_late_powers(game: Game) -> tuple[LatePower, ...]:
    """Return the powers whose orders are missing, with what the game has chosen for each.

    Who has sent some orders is not replaced: units without one hold.  A power that nobody plays
    gets no bot, and with a deadline there is a standby for as many powers as people on the list
    are free.
    """
    if not (lacking := {} if game.head().is_over else orders.find_lacking_orders(game)):
        return ()
    steps = parse_misses(game.settings["misses"])
    now_playing = (one for one in (read_ledger(game) if steps else ()) if not one.player.until)
    misses = {account.player.power: account.count(MISSED) for account in now_playing}
    usual, last = game.settings["missing"], orders.find_last_submissions(game, game.head().id)
    players = {player.power: player for player in read_players(game)}
    standby = len(list_free_standby(game)) if game.deadline else 0  # newcomers get time
    found = []
    for power in lacking:
        if power in players and players[power].has_bot_in(game.head().name):
            continue  # it is about to be asked
        has_sent = power in last and bool(last[power].orders)
        miss = misses.get(power, 0) + 1 if steps and power in players and not has_sent else 0
        choice = next((steps[n] for n in sorted(steps, reverse=True) if n <= miss), usual)
        if choice == STANDBY and standby and not has_sent:
            standby -= 1
        elif choice == STANDBY:
            choice = GO_ON if has_sent else WAIT if usual == STANDBY else usual
        if power not in players and choice not in (WAIT, STANDBY):
            choice = GO_ON
        found.append(LatePower(power, choice, miss, max(steps) if miss else 0))
    waits = any(one.choice == WAIT for one in found)
    until = find_late_time(game)
    return tuple(
        one if waits and one.choice != STANDBY else replace(one, until=until) for one in found
    )


def waits_for_orders(game: Game) -> bool:
    """Tell whether missing orders keep the open phase from being resolved.

    Where units simply hold, and nobody was given more time, the game master need not wait for the
    deadline.
    """
    choices = {one.choice for one in list_late_powers(game)}
    is_open = not choices or (choices == {GO_ON} and game.settings["grace"] == "0")
    return WAIT in choices or not (is_open or is_late_time_over(game))


def settle_late_powers(game: Game) -> tuple[LatePower, ...]:
    """Do what the game has chosen for late powers, once their time is over; return the powers.

    A bot gives the orders that are missing in this phase; in civil disorder nobody waits for any
    until the player sends some; somebody on the standby list takes over, and has time until a new
    deadline.  The journal has an entry for each power.  Where units hold there is nothing to do,
    and while the game waits for another power nothing but the standby list helps.
    """
    with game.file.writing(LATE_ACT):
        late = list_late_powers(game) if is_late_time_over(game) else ()
        waits = any(one.choice == WAIT for one in late)
        settled = tuple(
            one
            for one in late
            if one.choice == STANDBY or not (waits or one.choice in (WAIT, GO_ON))
        )
        for one in settled:
            with game.act(LATE_ACT, one.power) as note:
                note.detail |= {"choice": one.choice, "miss": one.miss, "most": one.most}
            if one.choice == STANDBY:
                seat_standby(game, one.power, list_free_standby(game)[0].id)
            elif one.choice == DISORDER:
                enrol_bot(game, one.power, DISORDER, RETURN)
            else:
                enrol_bot(game, one.power, one.choice.removeprefix(BOT_SOURCE), game.head().name)
        if any(one.choice == STANDBY for one in settled):
            extend_deadline(game, game.now() + NEWCOMERS_TIME)
    return settled
