"""Deadlines and settings of a game that is being played, and changes of the rules' switches."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice, pairwise

from alexmagnum.board.map_file import calendar_faults, start_faults
from alexmagnum.cases.schema import canonical
from alexmagnum.errors import BadPosition, BadSwitches, GameError
from alexmagnum.game import settings as house_rules
from alexmagnum.game.file import to_json
from alexmagnum.game.game import CLOCK_ACTS, RETURN, ComingDeadline, Game, Note, Player, in_one_view
from alexmagnum.game.orders import find_active_powers, find_required_orders, require_open_phase
from alexmagnum.game.people import check_text_for_names
from alexmagnum.game.records import Entry, PhaseRow, TextRow
from alexmagnum.i18n import dates

# The deadline of the open phase: set it, extend it, stop the clock, resume it.


@contextmanager
def _change_clock(game: Game, action: str, reason: str) -> Iterator[tuple[Note, PhaseRow]]:
    """Begin an act that changes the deadline; return its note and the open phase.

    The reason is in the letters, so that in an anonymous game it may name nobody.
    """
    check_text_for_names(game, reason)
    with game.act(action, reason=reason) as note:
        yield note, require_open_phase(game)


def set_deadline(game: Game, at: datetime | None, reason: str = "") -> str:
    """Set the deadline of the open phase, None for no deadline, and return it.

    A clock that was stopped runs on.
    """
    with _change_clock(game, "deadline-set", reason) as (note, head):
        text = dates.format_iso(at) if at else ""
        game.file.update("phases", head.id, deadline=text, seconds_left=None)
        note.detail["deadline"] = text
        return text


def extend_deadline(game: Game, at: datetime, reason: str = "") -> str:
    """Put the deadline off, and return it.

    Raises:
        GameError: deadline-earlier, game-paused.
    """
    with _change_clock(game, "deadline-extend", reason) as (note, head):
        if game.paused:
            raise GameError("game-paused")
        before, text = head.deadline, dates.format_iso(at)
        if before and at < dates.parse_iso(before):
            raise GameError("deadline-earlier", deadline=before, asked=text)
        game.file.update("phases", head.id, deadline=text)
        note.detail |= {"before": before, "deadline": text}
        return text


def pause_clock(game: Game, reason: str = "") -> None:
    """Stop the clock, and store the time that is left.

    Raises:
        GameError: game-paused, deadline-none.
    """
    with _change_clock(game, "pause", reason) as (note, head):
        if game.paused:
            raise GameError("game-paused")
        if not head.deadline:
            raise GameError("deadline-none")
        left = int(remaining(dates.parse_iso(head.deadline), game.now()).total_seconds())
        game.file.update("phases", head.id, deadline="", seconds_left=left)
        note.detail |= {"before": head.deadline, "seconds_left": left}


def resume_clock(game: Game, reason: str = "") -> str:
    """Let the clock run on, and return the new deadline.

    Raises:
        GameError: game-running.
    """
    with _change_clock(game, "resume", reason) as (note, head):
        if head.seconds_left is None:
            raise GameError("game-running")
        left = timedelta(seconds=head.seconds_left)
        text = dates.format_iso(compute_resumed_deadline(left, game.now()))
        game.file.update("phases", head.id, deadline=text, seconds_left=None)
        note.detail["deadline"] = text
        return text


def find_clock_change(game: Game) -> Entry | None:
    """Return the last change of the open phase's deadline, None if there was none."""
    head = game.head()
    return None if head.is_over else game.find_last_act(*CLOCK_ACTS, phase=head.name)


def is_undone(game: Game) -> bool:
    """Tell whether an undo or redo opened the phase, or a correction less than a day before its
    deadline, and nobody has changed the deadline since."""
    last = game.find_last_act("process", "undo", "redo", "amend", "amend-settings", *CLOCK_ACTS)
    if last is not None and last.action.startswith("amend"):
        return game.deadline < dates.format_iso(dates.parse_iso(last.at) + NOTICE)
    return last is not None and last.action in ("undo", "redo")


STOPPED = "stopped"
"""The deadline of a phase whose clock is stopped."""


def read_clock(game: Game) -> str:
    """Return the deadline of the open phase, "" if there is none, or :data:`STOPPED`."""
    return STOPPED if game.paused else game.deadline


def is_past_deadline(game: Game) -> bool:
    """Return whether the deadline of the open phase is past."""
    return bool(game.deadline) and not game.paused and dates.parse_iso(game.deadline) <= game.now()


# When the next deadline is: counted on the calendar of the game's place, stored in UTC.
#
# Everything here is pure: ``now`` is a parameter. Datetimes are aware; those returned are in UTC,
# to the minute or second as they came. Days are counted on the local calendar, so that a deadline
# at 23:59 stays at 23:59 over a change of the clocks; hours are counted as they pass. What a game
# master writes is read by :mod:`alexmagnum.i18n.dates`.


NOTICE = timedelta(hours=23)
"""The least time that a computed deadline leaves the players, on the clocks of the game's place.

It is an hour less than a day, so that a phase of one day that is processed a few minutes after its
deadline does not lose a day.
"""

ON_TIME = timedelta(hours=12)
"""The time after a deadline in which a phase still counts as processed on time."""

FARTHEST_AHEAD = timedelta(weeks=4)
"""The longest way ahead of deadlines that are counted from each other, if phases are done early."""

_DAYS = {
    "picks": "days_picks",
    "deployment": "days_picks",  # the sixth period of the Cyprus year
    "movement": "days_movement",
    "retreats": "days_retreats",
    "winter": "days_winter",
}
"""The setting that says how many days a kind of phase has."""


def next_deadline(
    in_force: datetime | None,
    kind: str,
    settings: Mapping[str, str],
    now: datetime,
    absences: Iterable[dates.Absence] = (),
    usual: time | None = None,
) -> datetime:
    """Return the deadline of a phase that opens now.

    ``in_force`` is the deadline of the phase before, None if it had none: days are counted from it
    or from now, as the settings say, and always from now if there is none.  The deadline falls on
    the ``usual`` time of day, by default that of the deadline in force, or on a weekly slot.  It
    leaves the players :data:`NOTICE`, and moves to after the absences that it falls into.
    """
    zone, slots = settings["timezone"], house_rules.parse_slots(settings["slots"])
    days = {kind: int(settings[name]) for kind, name in _DAYS.items()}
    base = in_force if settings["next_deadline"] == house_rules.FROM_DEADLINE else None
    if base and base > now + max(FARTHEST_AHEAD, timedelta(days=2 * max(days.values()))):
        return base  # early processing does not push the calendar further ahead
    earliest = dates.to_utc(dates.wall_time(now, zone) + NOTICE, zone)
    if slots:
        at = _next_slot(max(base or earliest, earliest), slots, zone)
    else:
        is_on_time = in_force is not None and in_force <= now < in_force + ON_TIME
        start = base or (in_force if is_on_time and in_force else now)
        at_time = usual or (
            dates.wall_time(in_force, zone).time() if in_force else dates.END_OF_DAY
        )
        at = _count_days(start, days[kind], at_time, earliest, zone)
    return _move_after_absences(at, slots, zone, tuple(absences))


def _count_days(
    start: datetime, days: int, at_time: time, earliest: datetime, zone: str
) -> datetime:
    """Return a time of day some days after a start, on a later day if that is too early."""
    day = dates.wall_time(start, zone).date() + timedelta(days=days)
    day = max(day, dates.wall_time(earliest, zone).date())
    while (at := dates.to_utc(datetime.combine(day, at_time), zone)) < earliest:
        day += timedelta(days=1)
    return at


def find_usual_time(deadlines: Iterable[datetime], zone: str) -> time | None:
    """Return the usual time of day of some deadlines, the last one first; None if there are none.

    That is the time of the last one.  A time that the clocks skipped on that day, because summer
    time began, is taken from the deadline before it.
    """
    walls = [dates.wall_time(at, zone) for at in deadlines]
    for last, before in pairwise(walls):
        if not dates.is_skipped(datetime.combine(last, before.time()), zone):
            return last.time()
    return walls[-1].time() if walls else None


def _next_slot(after: datetime, slots: Sequence[house_rules.Slot], zone: str) -> datetime:
    today = dates.wall_time(after, zone).date()
    coming = (
        dates.to_utc(datetime.combine(day, slot.at), zone)
        for day in (today + timedelta(days=ahead) for ahead in range(9))
        for slot in slots
        if slot.weekday == day.weekday()
    )
    return min(at for at in coming if at > after)


def _move_after_absences(
    at: datetime, slots: Sequence[house_rules.Slot], zone: str, absences: Sequence[dates.Absence]
) -> datetime:
    while True:
        now = dates.wall_time(at, zone)
        if not (away := [last for first, last in absences if first <= now.date() <= last]):
            return at
        if slots:
            at = _next_slot(dates.to_utc(datetime.combine(max(away), time.max), zone), slots, zone)
        else:
            at = dates.to_utc(datetime.combine(max(away), now.time()) + timedelta(days=1), zone)


def remaining(deadline: datetime, now: datetime) -> timedelta:
    """Return the time left until a deadline, zero after it."""
    return max(deadline - now, timedelta())


def compute_resumed_deadline(left: timedelta, now: datetime) -> datetime:
    """Return the deadline of a clock that runs on now, to the nearest minute."""
    return ((now + left).astimezone(UTC) + timedelta(seconds=30)).replace(second=0, microsecond=0)


# The deadlines that come: of the phase that opens next, and of those that follow it.


def start_clock(game: Game, phase: PhaseRow, previous: PhaseRow | None) -> None:
    """Give a phase that has just opened its deadline, or the time it has while the clock stands.

    A phase that was open before keeps its deadline.
    """
    if phase.is_over:
        game.file.update("phases", phase.id, deadline="")
        return
    if previous and previous.name == phase.name:
        game.file.update(
            "phases", phase.id, deadline=previous.deadline, seconds_left=previous.seconds_left
        )
        return
    at = next_deadline(
        _find_deadline_in_force(game, previous),
        phase.kind,
        game.settings,
        game.now(),
        _find_absences(game, tuple(find_required_orders(game.find_position(phase.id)))),
        _read_usual_time(game, previous),
    )
    if previous and previous.seconds_left is not None:
        left = int(remaining(at, game.now()).total_seconds())
        game.file.update("phases", phase.id, deadline="", seconds_left=left)
    else:
        game.file.update("phases", phase.id, deadline=dates.format_iso(at))


def _find_deadline_in_force(game: Game, phase: PhaseRow | None) -> datetime | None:
    """Return the deadline of a phase; while the clock stands, the one it would have now.

    For a phase without a deadline it is that of the last phase that had one.
    """
    if phase is None:
        return None
    if phase.seconds_left is not None:
        return compute_resumed_deadline(timedelta(seconds=phase.seconds_left), game.now())
    listed = (phase.deadline, *(row.deadline for row in reversed(game.line())))
    return next((dates.parse_iso(at) for at in listed if at), None)


def _read_usual_time(game: Game, phase: PhaseRow | None) -> time | None:
    """Return the time of day at which deadlines usually fall, None if there was none yet.

    It is that of the last deadline.  A pause puts a deadline off to any hour: after it, the usual
    time is that of the deadline before the pause.
    """
    if phase is None:
        return None
    last = _find_deadline_before_pause(game) or phase.deadline
    past = [row.deadline for row in reversed(game.line())]
    listed = [last, *(at for at in past if at < last or not last)]
    return find_usual_time((dates.parse_iso(at) for at in listed if at), game.settings["timezone"])


def _find_deadline_before_pause(game: Game) -> str:
    """Return the deadline before the first pause since a deadline was last set, "" for none."""
    set_at = "SELECT MAX(id) FROM journal WHERE action IN ('deadline-set', 'deadline-extend')"
    row = game.file.find(
        Entry, f"WHERE action = 'pause' AND id > (SELECT COALESCE(({set_at}), 0)) ORDER BY id"
    )
    return str(row.detail.get("before", "")) if row else ""


def _find_absences(game: Game, powers: Sequence[str]) -> list[dates.Absence]:
    """Return the absences of the players of some powers, who have to send orders.

    Nobody waits for a player for whom a bot stands in until they are back.
    """
    return [
        (date.fromisoformat(row.absent_from), date.fromisoformat(row.absent_until))
        for row in game.file.select(
            Player, f"WHERE until = '' AND absent_from != '' AND stand_in != '{RETURN}'"
        )
        if row.power in powers
    ]


@in_one_view
def list_coming_deadlines(game: Game, count: int) -> tuple[ComingDeadline, ...]:
    """Return the deadlines of the next phases after the open one, assuming that each phase is
    resolved at its deadline, or now if that is past.

    Every player is assumed to owe orders.  Retreats are listed where they may come.
    """
    from alexmagnum.campaign import coming_phases  # loads the judge

    head = require_open_phase(game)
    position = game.position
    absences = _find_absences(game, find_active_powers(position))
    in_force = _find_deadline_in_force(game, head)
    usual = _read_usual_time(game, head) or (None if in_force else dates.END_OF_DAY)

    def follow(at: datetime, kind: str) -> datetime:
        return next_deadline(at, kind, game.settings, max(at, game.now()), absences, usual)

    earliest = latest = in_force or game.now()
    coming = []
    for phase in islice(coming_phases(position.phase, position.board), count):
        at, latest = follow(earliest, phase.kind), follow(latest, phase.kind)
        coming.append(
            ComingDeadline(
                phase=str(phase),
                kind=phase.kind,
                deadline=dates.format_iso(at),
                latest=dates.format_iso(latest),
                if_dislodged=phase.retreats,
            )
        )
        if not phase.retreats:
            earliest = at
    return tuple(coming)


# Changing a setting, and the game master's own words in reports.


WORDED = "text"
"""The act in the journal that puts such words into a report, or takes them out."""

PLACES = ("before", "after")
"""The places for those words in a report: above the results, or below them."""


def change_setting(game: Game, name: str, value: object, reason: str = "") -> None:
    """Set a house rule or a switch of the rules, from the open phase on."""
    text = house_rules.check_setting(name, value)
    with game.act("set", reason=reason) as note:
        settings = game.settings
        if name.startswith(house_rules.RULES):
            require_open_phase(game)
            rules = to_json(house_rules.read_switches({**settings, name: text}))
            check_switches(
                game, game.head().id, rules, {name.removeprefix(house_rules.RULES): text}
            )
        note.detail |= {"name": name, "before": settings.get(name, ""), "value": text}
        game.file.upsert("settings", "name", name=name, value=text)


@in_one_view
def read_setting_changes(game: Game, phase: str) -> Mapping[str, tuple[str, str]]:
    """Return the settings that changed while a phase was open: by name, the old and the new value.

    In the first phase only changes after the first mail count: before it the game is set up.
    """
    since = 0
    first = game.file.find(PhaseRow, "ORDER BY phases.id LIMIT 1")
    if first is not None and phase == first.name:
        mail = game.file.find(Entry, "WHERE action = ? ORDER BY id LIMIT 1", "mail-send")
        if mail is None:
            return {}
        since = mail.id
    changes: dict[str, tuple[str, str]] = {}
    for row in game.file.select(Entry, "WHERE action = ? AND phase = ? ORDER BY id", "set", phase):
        if row.id > since:
            change = row.detail
            before, _ = changes.get(change["name"], (change["before"], ""))
            changes[change["name"]] = before, change["value"]
    return {name: change for name, change in changes.items() if change[0] != change[1]}


def add_text(game: Game, phase: str, where: str, text: str) -> None:
    """Add the game master's words to the report of a phase; an empty text removes them.

    Raises:
        GameError: not-past, bad-place.
    """
    name = game.phase_name(phase)
    if name not in {game.head().name, *(row.name for row in game.line())}:
        raise GameError("not-past", asked=name, current=game.head().name)
    if where not in PLACES:
        raise GameError("bad-place", where=where, allowed=", ".join(PLACES))
    check_text_for_names(game, text)
    with game.act(WORDED) as note:
        note.phase = name
        note.detail |= {"where": where, "length": len(text)}
        if text.strip():
            game.file.insert("texts", phase=name, place=where, text=text, written=game.stamp())
        else:
            game.file.delete("texts", "phase = ? AND place = ?", name, where)


@in_one_view
def read_texts(game: Game, phase: str) -> Mapping[str, tuple[str, ...]]:
    """Return the game master's words for a phase, by place."""
    rows = game.file.select(TextRow, "WHERE phase = ? ORDER BY id", game.phase_name(phase))
    return {place: tuple(row.text for row in rows if row.place == place) for place in PLACES}


WELCOME = "welcome"
"""The place of the words for the first letter to each player, which belong to no phase."""


def add_welcome(game: Game, text: str) -> None:
    """Keep the game master's words for the first letter to each player.

    Raises:
        GameError: ``names-are-hidden``.
    """
    check_text_for_names(game, text)
    game.file.insert("texts", phase="", place=WELCOME, text=text, written=game.stamp())


def read_welcome(game: Game) -> str:
    """Return the game master's words for the first letter to each player, "" for none."""
    return game.file.text("SELECT text FROM texts WHERE place = ?", WELCOME)


# The check that a game can go on with other switches of the rules, from one of its phases.


def check_switches(game: Game, phase: int, rules: str, changed: Mapping[str, str]) -> None:
    """Refuse changed switches with which the game could not be played from a phase on.

    Where the phase is the start of its map, no power may have won there. Later, and in a game
    taken over, the game master may end the game by fewer centres.

    Raises:
        BadSwitches: setting-breaks-game: the units could not stand where they do, the years would
            never reach the last one, or the game would be won before it begins.
    """
    from alexmagnum.campaign import first_position  # loads the judge

    names = ", ".join(f"{house_rules.RULES}{name} = {value}" for name, value in changed.items())
    try:
        position = game.find_position(phase, rules)
    except BadPosition as error:
        raise BadSwitches("setting-breaks-game", names, error.faults) from None
    board = position.board
    at_start = position == canonical(first_position(board))
    if faults := tuple(start_faults(board) if at_start else calendar_faults(board)):
        raise BadSwitches("setting-breaks-game", names, faults)
