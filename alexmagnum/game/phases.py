"""Phases in the game file: their rows and positions, versions, the line that is in force."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import groupby

from alexmagnum.board.model import INDEPENDENT
from alexmagnum.campaign import ending, next_position, owners_after, position_after
from alexmagnum.cases.schema import canonical, position_data
from alexmagnum.errors import GameError
from alexmagnum.game import game as games
from alexmagnum.game import orders, records, submissions
from alexmagnum.game.deadlines import start_clock
from alexmagnum.game.file import to_json
from alexmagnum.game.records import MailRow, OrderRow, OutcomeRow, PhaseRow, SealRow, SubmissionRow
from alexmagnum.i18n.sentences import LANGUAGES, load_sentences
from alexmagnum.judge import adjudicate
from alexmagnum.judge.explanation import format_reason
from alexmagnum.judge.outcome import REPLACED, Fate, Outcome, Reason
from alexmagnum.notation import write_order
from alexmagnum.notation.sections import PHASE
from alexmagnum.position import WINTER, Position, Unit

# The row of a phase with its position, stored when the phase begins.


def create_phase(
    game: games.Game,
    position: Position,
    parent: int | None,
    *,
    rules: str | None = None,
    over: bool = False,
    previous_deadline: str = "",
) -> PhaseRow:
    """Store a phase with its position, and return it.

    ``rules`` are the switches of the position's board, if that board is one of the game's own: then
    the position is known as it will be read, with its units in the sequence of the file.  The
    previous deadline stands in for the phase's own until its clock is started.
    """
    phase = position.phase
    key = game.file.insert(
        "phases",
        parent=parent,
        name="" if over else str(phase),
        kind=records.OVER if over else phase.kind,
        year=phase.year,
        season=phase.season,
        opened=game.stamp(),
        deadline=previous_deadline,
    )
    text = games.position_json(position)
    game.file.insert("positions", phase=key, data=text, digest=games.digest(text))
    if rules is not None:
        game.known.positions[key, rules] = game.read_position(text, rules)
    return game.phase_row(key)


# Submissions for a phase that count again when the same phase is opened again.
#
# An undo or an amendment gives a phase a second row in the file. Open this to see which
# submissions go over as they are, and which mails are read again.


def carry_over_mails(game: games.Game, new: PhaseRow) -> None:
    """Take over to a phase that opens what was sent for another row of it, where the position may
    differ, and apply advance orders if nothing was sent for the phase yet.

    Where the position is the same, receipts stay as they were, unless other advance orders were
    sent meanwhile.  Otherwise all that a power sent, advance orders too, counts again in the order
    in which it came.
    """
    old = find_earlier_row(game, new)
    is_new = not game.file.count("SELECT COUNT(*) FROM submissions WHERE phase = ?", new.id)
    later = find_later_submissions(game, old, new.id) if old else {}
    ahead: dict[SubmissionRow, int] = {}
    if is_new and new.kind in ("retreats", WINTER) and game.settings["ahead"] != "no":
        ahead = submissions.find_advance_mails(game, new.id, new.kind)
    alike = _find_powers_alike(game, old, new, ahead) if old else frozenset()
    for row in later:
        if row.power in alike and (is_new or row.kind != orders.BOT):
            copy_submission(game, row, new.id)
    came = {row: at for row, at in (later | ahead).items() if row.power not in alike}
    ordered = sorted(came, key=lambda row: (row.power, came[row]))
    for (power, is_ahead), sent in groupby(ordered, lambda row: (row.power, row in ahead)):
        if is_ahead:
            submissions.apply_advance_orders(game, new, power, tuple(sent))
        else:
            for row in sent:
                _take_again(game, new, row)


def find_later_submissions(game: games.Game, old: int, new: int) -> dict[SubmissionRow, int]:
    """Return the submissions for a row of a phase that another row of it lacks, without
    corrections, each with the number under which it came; a mail that was read again is the same
    one."""
    rest = f"WHERE phase = ? AND kind != '{orders.AMEND}' ORDER BY id"
    there, held = (
        {row: submissions.find_first_number(game, row) for row in rows}
        for rows in (game.file.select(SubmissionRow, rest, phase) for phase in (old, new))
    )
    return {row: number for row, number in there.items() if number not in held.values()}


def _find_powers_alike(
    game: games.Game, old: int, new: PhaseRow, ahead: Mapping[SubmissionRow, int]
) -> frozenset[str]:
    """Return the powers for which both rows of a phase have the same advance orders, none of which
    came since the old row was opened.

    If the positions differ, there are none.
    """
    positions = "SELECT COUNT(DISTINCT data) FROM positions WHERE phase IN (?, ?)"
    if game.file.count(positions, old, new.id) > 1:
        return frozenset()
    opened = game.file.count("SELECT MIN(id) FROM submissions WHERE phase = ?", old)
    later = {row.power for row, number in ahead.items() if number > opened}
    before = submissions.find_advance_orders(game, old, new.kind)
    after = submissions.find_advance_orders(game, new.id, new.kind)
    return frozenset(p for p in game.base.powers if before.get(p) == after.get(p)) - later


def _take_again(game: games.Game, phase: PhaseRow, row: SubmissionRow) -> None:
    """Take a mail or withdrawal again for another row of its phase; its time of arrival stays."""
    mail = game.file.find(MailRow, "WHERE id = ?", row.mail) if row.kind == orders.MAIL else None
    if mail is not None:
        read = submissions.read_mail_for_phase(game, phase, row.power, mail.text, row.fresh)
        orders.store_submission(
            game, phase, row.power, read, orders.MAIL, row.mail, received=mail.received
        )
    elif row.kind == orders.CLEAR:
        orders.store_withdrawal(game, phase, row.power, row.received, row.fresh or PHASE)


def copy_submission(game: games.Game, row: SubmissionRow, phase: int) -> None:
    """Copy a submission to another row of its phase, where it counts as it is."""
    key = game.file.insert("submissions", **asdict(row) | {"id": None, "phase": phase})
    for line in game.file.select(OrderRow, "WHERE submission = ? ORDER BY id", row.id):
        game.file.insert("orders", **asdict(line) | {"id": None, "submission": key})


# Outcomes in the file: writing one down with its seals and results, and reading it again.


def list_results(outcome: Outcome) -> list[dict[str, object]]:
    """Return a row for each order with its result and the sentences that explain it, then for the
    units that had none."""
    position = outcome.position
    catalogues = [load_sentences(lang) for lang in LANGUAGES]

    def row(power: str, unit: str, order: str, result: str, reason: Reason) -> dict[str, object]:
        return {
            "power": power,
            "unit": unit,
            "canonical": order,
            "result": result,
            "code": reason.code,
            "strength": reason.strength,
            "against": reason.against,
            **{
                f"sentence_{each.lang}": format_reason(reason, position, each)
                for each in catalogues
            },
        }

    standing = set(position.orderable)
    rows = []
    for entry, reason in zip(outcome.results, outcome.reasons, strict=True):
        # A new unit has the name under which the order builds it.
        name = getattr(entry.order, "unit", "")
        if entry.unit is not None and entry.unit in standing:
            name = position.name(entry.unit)
        rows.append(row(entry.power, name, write_order(entry.order), entry.result, reason))
    for unit, fate in _list_other_fates(outcome):
        rows.append(row(unit.power, position.name(unit), "", fate.result, fate.reason))
    for unit in outcome.removed:
        reason = Reason("civil-disorder")
        rows.append(row(unit.power, position.name(unit), "", "removed", reason))
    return rows


def _list_other_fates(outcome: Outcome) -> Iterator[tuple[Unit, Fate]]:
    """Yield what happened to units without an order, and what else happened to those with one."""
    if outcome.position.phase.kind not in ("movement", "retreats"):
        return
    ordered = {
        entry.unit
        for entry, reason in zip(outcome.results, outcome.reasons, strict=True)
        if reason.code != REPLACED
    }
    for unit in outcome.position.orderable:
        fates = outcome.fates(unit)
        for fate in fates[1:] if unit in ordered else fates:
            is_quiet = fate.unit.power == INDEPENDENT and fate.reason.code == "unattacked"
            if unit in ordered or not is_quiet:
                yield unit, fate


def resolve_phase(
    game: games.Game,
    phase: PhaseRow,
    inputs: Mapping[str, games.Seal],
    rules: str,
    settings: Mapping[str, str],
    *,
    amends: int | None = None,
    passed: bool = False,
) -> PhaseRow:
    """Adjudicate a phase with the orders of all powers and what the house rules among some settings
    add, and store the outcome; return the phase that follows, stored as well.

    ``amends`` is the outcome whose place it takes; ``passed``: nobody had anything to decide.
    """
    position = game.find_position(phase.id, rules)
    given = orders.parse_inputs(position, inputs)
    added = orders.find_automatic_orders(position, settings, given)
    outcome = adjudicate(position, orders.join_orders(given, added))
    after, is_over = find_next_position(outcome)
    key = game.file.insert(
        "outcomes",
        phase=phase.id,
        version=len(_list_outcomes(game, phase.name)) + 1,
        passed=int(passed),
        processed=game.stamp(),
        rules=rules,
        amends=amends,
        digest=digest_outcome(outcome, after),
    )
    game.file.insert_all(
        "seals",
        [
            {
                "outcome": key,
                "power": power,
                "salt": seal.salt,
                "digest": seal.digest,
                "orders": to_json(seal.orders),
                "added": to_json([write_order(order) for order in added.get(power, ())]),
            }
            for power in dict.fromkeys((*inputs, *added))
            for seal in (inputs.get(power, games.Seal(power)),)
        ],
    )
    game.file.insert_all("resolved", [{"outcome": key, **row} for row in list_results(outcome)])
    game.known.outcomes[key] = outcome
    return create_phase(
        game, after, key, rules=rules, over=is_over, previous_deadline=phase.deadline
    )


def digest_outcome(outcome: Outcome, after: Position) -> str:
    """Return the digest of the results of a phase, their figures, and the position ``after`` it."""
    results = [[e.power, write_order(e.order), e.result] for e in outcome.results]
    reasons = [[r.code, r.strength, r.against] for r in outcome.reasons]
    return games.digest(to_json([results, reasons, position_data(after)]))


def read_seals(game: games.Game, outcome: int) -> dict[str, SealRow]:
    """Return the seals of an outcome, by power in the map's order."""
    rows = {row.power: row for row in game.file.select(SealRow, "WHERE seals.outcome = ?", outcome)}
    return {power: rows[power] for power in game.base.powers if power in rows}


def read_sealed_inputs(game: games.Game, outcome: int) -> dict[str, games.Seal]:
    """Return the sealed orders of an outcome, by power, without those that house rules added."""
    return {
        power: games.Seal(power, row.digest, row.salt, records.read_texts(row.orders))
        for power, row in read_seals(game, outcome).items()
    }


def find_outcome_of(game: games.Game, row: OutcomeRow) -> Outcome:
    """Return the outcome of a phase; it is adjudicated only if it is not known yet."""
    if row.id not in (known := game.known.outcomes):
        known[row.id] = replay_outcome(game, row)
    return known[row.id]


def replay_outcome(game: games.Game, row: OutcomeRow) -> Outcome:
    """Adjudicate a phase again, from its stored position and orders."""
    position = game.find_position(row.phase, row.rules)
    seals = read_seals(game, row.id).items()
    inputs = {power: games.Seal(power, orders=seal.counted) for power, seal in seals}
    return adjudicate(position, orders.parse_inputs(position, inputs))


def find_next_position(outcome: Outcome) -> tuple[Position, bool]:
    """Return the position before the next phase, as it is stored, and whether the game is over.

    At the end of the game the position is the last one.
    """
    after = next_position(outcome)
    last = replace(position_after(outcome), dislodged=())
    return canonical(last if after is None else after), after is None


# The line of phases: which one is open, what state each is in, and how the next one begins.


def pass_idle_phases(
    game: games.Game, phase: PhaseRow, rules: str, settings: Mapping[str, str]
) -> tuple[PhaseRow, tuple[str, ...]]:
    """Resolve the phases in which nobody has anything to decide.

    Returns the first phase in which somebody has, and the names of those passed over.
    """
    passed: list[str] = []
    while not phase.is_over:
        if not orders.is_idle(game.find_position(phase.id, rules), settings):
            break
        passed.append(phase.name)
        phase = resolve_phase(game, phase, {}, rules, settings, passed=True)
    return phase, tuple(passed)


def begin_phase(game: games.Game, phase: PhaseRow, previous: PhaseRow | None) -> None:
    """Open a phase for the players: set its deadline, and apply the orders that wait for it.

    ``previous`` is the phase that was open before.
    """
    game.file.update("games", 1, head=phase.id)
    start_clock(game, phase, previous)
    drop_votes(game, phase)
    carry_over_mails(game, phase)


def drop_votes(game: games.Game, phase: PhaseRow) -> None:
    """Drop the votes of a phase if it has ever had another position, which they may be for; that
    a player asks to wait stays.  The game master is warned, and letters tell the voters."""
    fallen = """FROM votes WHERE phase = ?1 AND vote != 'wait' AND 1 < (
                  SELECT COUNT(DISTINCT data) FROM positions
                  JOIN phases ON phases.id = positions.phase WHERE phases.name = ?1
                )"""
    powers = [row["power"] for row in game.file.rows(f"SELECT DISTINCT power {fallen}", phase.name)]
    for power in powers:
        with game.act("votes-fall", power):
            pass
    if powers:
        game.warnings.append(GameError("votes-fell", count=str(len(powers))))
    game.file.change(f"DELETE {fallen}", phase.name)


def find_earlier_row(game: games.Game, phase: PhaseRow) -> int:
    """Return the other row of a phase for which something was sent last, 0 if there is none."""
    sql = f"""SELECT phases.id FROM submissions JOIN phases ON phases.id = submissions.phase
              WHERE submissions.kind != '{orders.AMEND}' AND name = ? AND phases.id != ?
              ORDER BY submissions.id DESC LIMIT 1"""
    return game.file.count(sql, phase.name, phase.id)


# The differences between two lines of a game, or two versions of a phase.


NOTHING_OPEN = "—"
"""Written for the retreats of a dislodged unit that has none."""


def compare_lines(
    game: games.Game, old: Sequence[OutcomeRow], new: Sequence[OutcomeRow]
) -> tuple[games.Change, ...]:
    """Return the differences between two runs of outcomes, in the order of the calendar.

    A phase that only one of them has, such as retreats, counts in the other as a phase in which
    nothing happened.
    """
    before = {row.name: row for row in old}
    after = {row.name: row for row in new}
    changes: list[games.Change] = []
    for name in _merge_names(old, new):
        changes += compare_outcomes(game, name, before.get(name), after.get(name))
    return tuple(changes)


def _merge_names(old: Sequence[OutcomeRow], new: Sequence[OutcomeRow]) -> list[str]:
    """Return the names of the phases of two runs, merged; each run keeps its order."""
    longer, other = [row.name for row in old], [row.name for row in new]
    merged: list[str] = []
    for name in longer:
        while other and other[0] not in longer:
            merged.append(other.pop(0))
        if other and other[0] == name:
            other.pop(0)
        merged.append(name)
    return [*merged, *(name for name in other if name not in merged)]


def compare_outcomes(
    game: games.Game, name: str, old: OutcomeRow | None, new: OutcomeRow | None
) -> Iterator[games.Change]:
    """Return the differences between two outcomes of a phase; None is a phase that was not."""
    before, after = (_list_facts(game, row) if row else {} for row in (old, new))
    for what in ("result", "unit", "dislodged", "owner", "nobility", "winner"):
        then, now = before.get(what, {}), after.get(what, {})
        if (not old or not new) and what not in ("result", "winner"):
            continue  # the phase before it has those differences already
        for subject in dict.fromkeys((*then, *now)):
            if then.get(subject, "") != now.get(subject, ""):
                yield games.Change(name, what, subject, then.get(subject, ""), now.get(subject, ""))


def _list_facts(game: games.Game, row: OutcomeRow) -> Mapping[str, dict[str, str]]:
    """Return what can be compared of an outcome, by kind and subject."""
    outcome = find_outcome_of(game, row)
    end = ending(outcome)
    return {
        "result": _read_results(game, row.id),
        "unit": {_name_place(unit, outcome): unit.power for unit in outcome.units},
        "dislodged": {
            _name_place(d.unit, outcome): ", ".join(d.retreats) or NOTHING_OPEN
            for d in outcome.dislodged
        },
        "owner": dict(owners_after(outcome)),
        "nobility": {power: str(points) for power, points in outcome.nobility.items()},
        "winner": {power: power for power in end.winners} if end else {},
    }


def _name_place(unit: Unit, outcome: Outcome) -> str:
    """Return a unit by its place; in a sea always with its number, whoever else is there."""
    crowded = outcome.position.board.provinces[unit.province].capacity > 1
    return f"{unit}#{unit.number}" if crowded else str(unit)


def _read_results(game: games.Game, outcome: int) -> dict[str, str]:
    """Return the result by order; picks and waivers, which name no unit, have their power."""
    results: dict[str, str] = {}
    for row in game.file.select(records.ResultRow, "WHERE outcome = ? ORDER BY id", outcome):
        subject = row.canonical or row.unit
        subject = subject if row.unit else f"{row.power} {subject}"
        results.setdefault(subject, row.result)
    return results


# Phases that were processed, read from the file: outcomes, versions, and their differences.
#
# An undone phase has no outcome: its orders wait again, and nobody reads what they once led to.


@games.in_one_view
def read_processed(game: games.Game, asked: str, version: int | None = None) -> games.Processed:
    """Return a phase as it was resolved, in a version, or in the one that stands now."""
    return make_processed(game, find_outcome(game, asked, version), unchanged=False)


def make_processed(game: games.Game, row: OutcomeRow, *, unchanged: bool) -> games.Processed:
    """Return an outcome with all that belongs to it."""
    passed, following = _find_following(game, row)
    return games.Processed(
        phase=row.name,
        version=row.version,
        outcome=find_outcome_of(game, row),
        orders={power: seal.counted for power, seal in read_seals(game, row.id).items()},
        passed=passed,
        next=following.name,
        seals=tuple(seal for seal in read_sealed_inputs(game, row.id).values() if seal.salt),
        unchanged=unchanged,
        after=game.find_position(following.id, row.rules),
        settings=game.settings,
    )


def _find_following(game: games.Game, row: OutcomeRow) -> tuple[tuple[str, ...], PhaseRow]:
    """Return the phases passed over after an outcome, and the phase that was open then: if the game
    was ended there, the row of its end."""
    phases = {phase.parent: phase for phase in (*reversed(game.phase_rows()), game.head())}
    passed_over = {
        outcome.phase: outcome for outcome in reversed(game.outcomes()) if outcome.passed
    }
    passed: list[str] = []
    phase = phases[row.id]
    while phase.id in passed_over:
        passed.append(phase.name)
        phase = phases[passed_over[phase.id].id]
    return tuple(passed), phase


def find_outcome(game: games.Game, asked: str, version: int | None) -> OutcomeRow:
    """Return the outcome of a phase, in a version, or in the one that stands now.

    An undone phase has no outcome.

    Raises:
        GameError: unknown-version.
    """
    current = find_current_outcome(game, asked)
    if version is None:
        return current
    for row in _list_outcomes(game, current.name):
        if row.version == version:
            return row
    raise GameError("unknown-version", phase=current.name, version=str(version))


def find_current_outcome(game: games.Game, asked: str) -> OutcomeRow:
    """Return the outcome of a processed phase that stands now.

    Raises:
        GameError: not-past.
    """
    name = game.phase_name(asked)
    for outcome in game.line():
        if outcome.name == name:
            return outcome
    raise GameError("not-past", asked=name, current=game.head().name)


def _list_outcomes(game: games.Game, name: str) -> tuple[OutcomeRow, ...]:
    """Return the outcomes of a phase in all versions, oldest first."""
    return tuple(row for row in game.outcomes() if row.name == name)


@games.in_one_view
def read_past_receipts(
    game: games.Game, asked: str, version: int | None = None
) -> Mapping[str, games.Receipt]:
    """Return the receipts of the orders that a phase was resolved with, by power."""
    return orders.read_sealed_receipts(game, find_outcome(game, asked, version))


@games.in_one_view
def find_position_before(game: games.Game, asked: str, version: int | None = None) -> Position:
    """Return the position before a phase: the open one, or one that was processed."""
    head = game.head()
    if version is None and head.name == game.phase_name(asked):
        return game.find_position(head.id)
    row = find_outcome(game, asked, version)
    return game.find_position(row.phase, row.rules)


# -- lists ----------------------------------------------------------------------------------------


@games.in_one_view
def list_phases(game: games.Game) -> tuple[games.PhaseRecord, ...]:
    """Return the phases of the game as it stands, oldest first, the open one last."""
    return _make_records(game, game.line(), None)


@games.in_one_view
def list_versions(game: games.Game, asked: str) -> tuple[games.PhaseRecord, ...]:
    """Return all versions of a phase, oldest first, the open one last."""
    name = game.phase_name(asked)
    return _make_records(game, _list_outcomes(game, name), name)


def list_processed_phases(game: games.Game, among: Collection[str] | None = None) -> list[str]:
    """Return the names of the processed phases in their order, or of those ``among`` some.

    Phases in which nobody had anything to decide are not among them.
    """
    return [
        row.name for row in game.line() if not row.passed and (among is None or row.name in among)
    ]


def _make_records(
    game: games.Game, rows: Sequence[OutcomeRow], name: str | None
) -> tuple[games.PhaseRecord, ...]:
    """Return outcomes as records, and behind them the open phase, if it has a name or any."""
    undone = game.file.select(records.UndoRow, "WHERE state = 'undone'")
    states = dict.fromkeys((o.id for row in undone for o in game.line_to(row.target)), "undone")
    states |= {row.id: "passed" if row.passed else "processed" for row in game.line()}
    found = [
        games.PhaseRecord(
            row.id,
            row.name,
            row.version,
            states.get(row.id, "superseded"),
            row.deadline,
            row.opened,
            row.processed,
        )
        for row in rows
    ]
    if not (head := game.head()).is_over and name in (None, head.name):
        version = len(_list_outcomes(game, head.name)) + 1
        found.append(
            games.PhaseRecord(head.id, head.name, version, "open", head.deadline, head.opened, "")
        )
    return tuple(found)


@games.in_one_view
def list_differences(
    game: games.Game, asked: str, version: int | None = None, *, since: int | None = None
) -> tuple[games.Change, ...]:
    """Return how a version of a phase differs from the version ``since``.

    Without ``since`` it is compared with the version whose place it took, otherwise with the one
    before it; the first version has no differences.
    """
    row = find_outcome(game, asked, version)
    if since is not None:
        old = find_outcome(game, asked, since)
    else:
        earlier = [other for other in _list_outcomes(game, row.name) if other.id < row.id]
        if not earlier:
            return ()
        old = ([other for other in earlier if other.id == row.amends] or earlier)[-1]
    return tuple(compare_outcomes(game, row.name, old, row))
