"""Orders in the game file: which ones count, what is still missing, receipts and seals."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from alexmagnum.errors import GameError
from alexmagnum.game import records
from alexmagnum.game.file import to_json
from alexmagnum.game.game import Game, Receipt, Seal, Understood
from alexmagnum.game.records import Entry, OrderRow, OutcomeRow, PhaseRow, SubmissionRow, read_texts
from alexmagnum.notation import read_order, write_order
from alexmagnum.notation.sections import PHASE
from alexmagnum.orders import Build, Order, Pick, Remove, Retreat, Waive
from alexmagnum.position import PICKS, Position, list_fallen

Takeovers = Mapping[str, Entry]

# Reading the orders that players sent: which ones count, and the receipts they were given.
#
# Taking orders is in :mod:`alexmagnum.game.submissions`.


MAIL, AHEAD, AMEND, CLEAR, BOT = "mail", "ahead", "amend", "clear", "bot"
"""The kinds of submission: a mail for the phase, orders sent before it, a correction after it,
a withdrawal of what was sent, and the orders of a bot."""

BOT_SOURCE = "bot:"
"""The beginning of the source of a bot's orders; the name of the bot follows."""


def require_open_phase(game: Game) -> PhaseRow:
    """Return the phase for which orders are taken.

    Raises:
        GameError: game-is-over.
    """
    if (phase := game.head()).is_over:
        raise GameError("game-is-over")
    return phase


def read_inputs(
    game: Game, phase: int, last: Mapping[str, SubmissionRow] | None = None
) -> dict[str, Seal]:
    """Return the orders that count in an open phase, by power in the map's order.

    ``last`` are the last submissions of the phase if the caller has read them.
    """
    last = find_last_submissions(game, phase) if last is None else last
    listed = ((power, last[power]) for power in game.base.powers if power in last)
    return {power: Seal(power, row.digest, row.salt, row.orders) for power, row in listed}


def find_last_submissions(game: Game, phase: int) -> dict[str, SubmissionRow]:
    """Return the last submission of each power in a phase, without amendments."""
    rest = f"""WHERE id IN (
                   SELECT MAX(id) FROM submissions WHERE phase = ? AND kind != '{AMEND}'
                   GROUP BY power
               ) ORDER BY id"""
    return {row.power: row for row in game.file.select(SubmissionRow, rest, phase)}


def find_last_submission(
    game: Game, phase: int, power: str, before: int | None = None
) -> SubmissionRow | None:
    """Return the last submission of one power in a phase, or the last ``before`` another one.

    Amendments are left out.
    """
    rest = f"""WHERE phase = ? AND power = ? AND (?3 IS NULL OR id < ?3) AND kind != '{AMEND}'
               ORDER BY id DESC LIMIT 1"""
    return game.file.find(SubmissionRow, rest, phase, power, before)


def read_effective_orders(game: Game, phase: int, power: str) -> tuple[Order, ...]:
    """Return the orders of one power that count so far in an open phase."""
    row = find_last_submission(game, phase, power)
    return read_canonical_orders(game.find_position(phase), power, row.orders if row else ())


def parse_inputs(position: Position, inputs: Mapping[str, Seal]) -> dict[str, tuple[Order, ...]]:
    """Return the orders of all powers, read in a position."""
    return {
        power: read_canonical_orders(position, power, each.orders) for power, each in inputs.items()
    }


def read_canonical_orders(
    position: Position, power: str, texts: Iterable[str]
) -> tuple[Order, ...]:
    """Return orders from their canonical notation."""
    return tuple(read_order(text, position, power) for text in texts)


# -- receipts -------------------------------------------------------------------------------------


def read_receipt(game: Game, phase: PhaseRow, power: str) -> Receipt | None:
    """Return the last receipt of a power in a phase, None if it sent nothing."""
    if (row := find_last_submission(game, phase.id, power)) is None:
        return None
    return make_receipt(game, phase.name, row, read_lines(game, row.id), read_takeovers(game))


def read_receipts(game: Game, phase: PhaseRow) -> dict[str, Receipt]:
    """Return the last receipt of every power in a phase, in the map's order of powers."""
    return _make_receipts(game, phase.name, find_last_submissions(game, phase.id))


def read_sealed_receipts(game: Game, outcome: OutcomeRow) -> dict[str, Receipt]:
    """Return the receipts of the orders that an outcome was resolved with, found by their salts."""
    rest = """JOIN seals ON seals.power = submissions.power AND seals.salt = submissions.salt
              WHERE seals.outcome = ? ORDER BY submissions.id"""
    rows = game.file.select(SubmissionRow, rest, outcome.id)
    return _make_receipts(game, outcome.name, {row.power: row for row in rows})


def _make_receipts(game: Game, phase: str, last: Mapping[str, SubmissionRow]) -> dict[str, Receipt]:
    """Return the receipts of one submission of each power, in the map's order of powers."""
    lines = read_all_lines(game, [row.id for row in last.values()])
    took = read_takeovers(game) if last else {}
    return {
        power: make_receipt(game, phase, last[power], lines[last[power].id], took)
        for power in game.base.powers
        if power in last
    }


def _find_earlier(game: Game, row: SubmissionRow) -> SubmissionRow | None:
    if row.number == 1 or row.kind == AMEND:
        return None
    return find_last_submission(game, row.phase, row.power, row.id)


def find_bot_submission(game: Game, row: SubmissionRow | None) -> SubmissionRow | None:
    """Return the submission in which a bot gave the orders of another one, None if a person did.

    It is an earlier one if a mail of the player, with no order for the phase, left them in force.
    """
    while row is not None and row.kind == MAIL and not row.fresh:
        earlier = _find_earlier(game, row)
        row = earlier if earlier is not None and earlier.orders == row.orders else None
    return row if row is not None and row.kind == BOT else None


def read_own_orders(game: Game, phase: int, power: str) -> tuple[Order, ...]:
    """Return what a person sent in an open phase, without the orders that a bot has added."""
    row = find_last_submission(game, phase, power)
    while (given := find_bot_submission(game, row)) is not None:
        row = _find_earlier(game, given)
    return read_canonical_orders(game.find_position(phase), power, row.orders if row else ())


def read_bot_name(game: Game, row: SubmissionRow | None) -> str:
    """Return the name of the bot that gave the orders of a submission, "" if a person did."""
    by_bot = find_bot_submission(game, row)
    given = game.file.find(records.MailRow, "WHERE id = ?", by_bot.mail) if by_bot else None
    return given.source.removeprefix(BOT_SOURCE) if given else ""


def make_receipt(
    game: Game, phase: str, row: SubmissionRow, lines: tuple[Understood, ...], took: Takeovers
) -> Receipt:
    """Return the receipt of a submission, with its lines as they were understood."""
    earlier = _find_earlier(game, row)
    return Receipt(
        power=row.power,
        phase=phase,
        number=row.number,
        received=row.received,
        lines=lines,
        orders=row.orders,
        missing=read_texts(row.missing),
        digest=row.digest,
        replaces=bool(row.replaces),
        earlier=earlier.orders if earlier else (),
        fresh=row.fresh,
        bot=read_bot_name(game, row),
        earlier_bot=read_bot_name(game, earlier),
        is_of_former=row.power in took and _was_sent_before(game, row, took[row.power]),
    )


def read_takeovers(game: Game) -> Takeovers:
    """Return the acts by which powers last went to other players, by power."""
    taken = game.file.select(Entry, "WHERE players = ? ORDER BY id", records.TAKEN_OVER)
    return {entry.power: entry for entry in taken}


def _was_sent_before(game: Game, row: SubmissionRow, took: Entry) -> bool:
    sql = "SELECT MAX(id) FROM journal WHERE power = ? AND json_extract(detail, '$.digest') = ?"
    return came_before(took, game.file.count(sql, row.power, row.digest), row.received)


def came_before(took: Entry, entry: int, received: str) -> bool:
    """Tell whether something came before a takeover, by its entry in the journal if it has one."""
    return entry < took.id if entry else received < took.at


def read_lines(game: Game, submission: int) -> tuple[Understood, ...]:
    """Return the lines of a submission as they were understood."""
    return read_all_lines(game, [submission])[submission]


def read_all_lines(game: Game, submissions: Sequence[int]) -> Mapping[int, tuple[Understood, ...]]:
    """Return the lines of some submissions as they were understood, by submission."""
    if not submissions:
        return {}
    marks = ", ".join("?" * len(submissions))
    rows = game.file.select(OrderRow, f"WHERE submission IN ({marks}) ORDER BY id", *submissions)
    lines: dict[int, list[Understood]] = {submission: [] for submission in submissions}
    for row in rows:
        data = json.loads(row.data)
        lines[row.submission].append(
            Understood(row.text, row.canonical, row.verdict, row.code, data, row.ahead)
        )
    return {submission: tuple(found) for submission, found in lines.items()}


# Required orders: what each power must send in a phase, and what of it is still missing.
#
# The judge is imported for retreats, in winter and in the Cyprus year alone, where counting needs
# it: ``status`` answers without it otherwise.


Orders = Mapping[str, Sequence[Order]]


def find_active_powers(position: Position) -> tuple[str, ...]:
    """Return the powers that give orders: neither in revolt (R3) nor eliminated (R35)."""
    out = list_fallen(position) if position.phase.season != PICKS else ()
    return tuple(
        power
        for power in position.board.powers
        if power not in out and not position.in_revolt(power)
    )


def find_required_orders(position: Position) -> dict[str, tuple[str, ...]]:
    """Return what each power must send; powers that need send nothing are left out.

    These are names of units (movement, and retreats that are possible), ``Build`` or ``Remove`` as
    often as needed (winter), ``Pick``, or the centres to place units in (deployment).
    """
    required = {power: _find_required(position, power) for power in find_active_powers(position)}
    return {power: things for power, things in required.items() if things}


def _find_required(position: Position, power: str) -> tuple[str, ...]:
    if (kind := position.phase.kind) == "movement":
        return tuple(position.name(unit) for unit in position.units_of(power))
    if kind == "retreats":
        own = (d for d in position.dislodged if d.unit.power == power and d.retreats)
        return tuple(position.name(d.unit) for d in own)
    if kind == "picks":
        return ("Pick",) if find_possible_pick(position, power) else ()

    from alexmagnum.judge.other_phases import count_adjustments, list_building_rooms

    count = count_adjustments(position).get(power, 0)
    if kind == "deployment":  # centres without a unit, no more of them than there are units for
        taken = {unit.province for unit in position.units}
        free = [centre for centre in position.centres_of(power) if centre not in taken]
        return tuple(free[: max(count, 0)])
    if count < 0:
        return ("Remove",) * -count
    return ("Build",) * min(count, len(list_building_rooms(position, power)))


def find_possible_pick(position: Position, power: str) -> str:
    """Return the first centre, in the map's order, that a power may still pick, "" if none."""
    from alexmagnum.judge.other_phases import list_legal_picks

    picks = list_legal_picks(position, power, map(Pick, position.board.centres))
    return next((pick.centre for pick in picks), "")


# -- missing --------------------------------------------------------------------------------------


def find_missing_orders(position: Position, orders: Orders) -> dict[str, tuple[str, ...]]:
    """Return what each power must send and has not sent; powers that miss nothing are left out."""
    lacking = {
        power: _find_missing_things(position, power, things, orders.get(power, ()))
        for power, things in find_required_orders(position).items()
    }
    return {power: things for power, things in lacking.items() if things}


def count_given_orders(
    position: Position, power: str, things: Sequence[str], orders: Sequence[Order]
) -> int:
    """Return how many of the things that a power must send have an order."""
    return len(things) - len(_find_missing_things(position, power, things, orders))


def _find_missing_things(
    position: Position, power: str, things: Sequence[str], orders: Sequence[Order]
) -> tuple[str, ...]:
    if (kind := position.phase.kind) == "retreats" and orders:
        from alexmagnum.judge.other_phases import list_legal_retreats

        orders = list_legal_retreats(position, power, orders)
    if kind in ("movement", "retreats"):
        ordered = {getattr(order, "unit", "") for order in orders}
        return tuple(thing for thing in things if thing not in ordered)
    if kind == "picks":
        from alexmagnum.judge.other_phases import list_legal_picks

        picks = [order for order in orders if isinstance(order, Pick)]
        return () if list_legal_picks(position, power, picks) else tuple(things)
    done = _list_successes(position, power, orders)
    if kind == "winter":
        return tuple(things[len(done) :])
    if any(isinstance(order, Waive) for order in orders):  # no more are wanted
        return ()
    placed = {order.unit[2:].partition("/")[0] for order in done if isinstance(order, Build)}
    return tuple([centre for centre in things if centre not in placed][: len(things) - len(done)])


def _list_successes(position: Position, power: str, orders: Sequence[Order]) -> list[Order]:
    """Return those of a power's own orders that are carried out if nobody else orders anything."""
    from alexmagnum.judge import adjudicate
    from alexmagnum.judge.outcome import SUCCEEDS

    return [
        entry.order
        for entry in adjudicate(position, {power: orders}).results
        if entry.result == SUCCEEDS and isinstance(entry.order, (Build, Remove, Waive))
    ]


# -- nothing to decide ----------------------------------------------------------------------------


def find_automatic_orders(
    position: Position, settings: Mapping[str, str], orders: Orders
) -> dict[str, tuple[Order, ...]]:
    """Return the retreats that a house rule adds: units without an order take the only way open."""
    if position.phase.kind != "retreats" or settings["single_retreat"] != "auto":
        return {}
    added: dict[str, tuple[Order, ...]] = {}
    lacking = find_missing_orders(position, orders)
    for dislodged in position.dislodged:
        power, name = dislodged.unit.power, position.name(dislodged.unit)
        if name in lacking.get(power, ()) and len(dislodged.retreats) == 1:
            added[power] = (*added.get(power, ()), Retreat(name, dislodged.retreats[0]))
    return added


def join_orders(orders: Orders, added: Orders) -> dict[str, tuple[Order, ...]]:
    """Return orders by power with others added to them."""
    return {
        power: (*orders.get(power, ()), *added.get(power, ()))
        for power in dict.fromkeys((*orders, *added))
    }


def find_missing_after_house_rules(
    position: Position, settings: Mapping[str, str], orders: Orders
) -> dict[str, tuple[str, ...]]:
    """Return what is still missing after the house rules added their orders."""
    return find_missing_orders(
        position, join_orders(orders, find_automatic_orders(position, settings, orders))
    )


def is_idle(position: Position, settings: Mapping[str, str]) -> bool:
    """Return whether nobody has anything to decide, so that the phase is passed over.

    A movement phase is never passed over.
    """
    if position.phase.kind == "movement":
        return False
    return not find_missing_after_house_rules(position, settings, {})


# The open phase: the orders that count now, and what is still missing.


def read_counting_orders(
    game: Game, last: Mapping[str, SubmissionRow] | None = None
) -> dict[str, tuple[Order, ...]]:
    """Return the orders that would count in the open phase now, those of house rules included."""
    head = require_open_phase(game)
    position = game.find_position(head.id)
    orders = parse_inputs(position, read_inputs(game, head.id, last))
    return join_orders(orders, find_automatic_orders(position, game.settings, orders))


def find_lacking_orders(game: Game) -> dict[str, tuple[str, ...]]:
    """Return what is still missing in the open phase, by power; nothing is where a bot has given
    orders."""
    last = find_last_submissions(game, game.head().id)
    missing = find_missing_orders(game.position, read_counting_orders(game, last))
    return {
        power: things
        for power, things in missing.items()
        if find_bot_submission(game, last.get(power)) is None
    }


# Seals: a short digest by which players can check that their own orders were resolved.
#
# The digest is the beginning of the SHA-256 of these lines, each ended by a newline: the salt,
# the phase, the power, and every order in canonical notation. The salt is secret until the phase
# is processed, so that nobody finds the orders by trying.


def digest_orders(salt: str, phase: str, power: str, orders: Sequence[str]) -> str:
    """Return the digest of some orders: 64 bits, so that nobody finds others with the same one.

    >>> digest_orders("00", "322-spring", "TOL", ["A MEN H"])
    'F464-82D9-9F82-188D'
    """
    lines = (salt, phase, power, *orders)
    digest = sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest().upper()
    return "-".join(digest[at : at + 4] for at in range(0, 16, 4))


# Storing what a mail amounted to, and that a power has no orders any more.


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail that was read: its lines, and the ``orders`` that count after it, earlier ones
    included.  ``replaces``: orders that counted before count no more; ``fresh`` says that all of
    them were replaced on purpose, and how far: see :mod:`alexmagnum.notation.sections`."""

    lines: tuple[Understood, ...]
    orders: tuple[Order, ...]
    replaces: bool
    fresh: str = ""


def store_submission(
    game: Game,
    phase: PhaseRow,
    power: str,
    read: Mail,
    kind: str,
    mail: int | None = None,
    *,
    received: str = "",
    position: Position | None = None,
) -> SubmissionRow:
    """Store and seal what a mail amounted to, and return the submission.

    ``received`` is now unless it is given.  ``position`` is given where the mail is not read under
    the switches now in force.
    """
    position = game.find_position(phase.id) if position is None else position
    missing = find_missing_after_house_rules(position, game.settings, {power: read.orders})
    texts = tuple(write_order(order) for order in read.orders)
    salt = game.entropy(16).hex()
    sql = "SELECT COUNT(*) FROM submissions WHERE phase = ? AND power = ?"
    key = game.file.insert(
        "submissions",
        phase=phase.id,
        power=power,
        number=game.file.count(sql, phase.id, power) + 1,
        kind=kind,
        mail=mail,
        received=received or game.stamp(),
        effective=to_json(texts),
        missing=to_json(missing.get(power, ())),
        replaces=int(read.replaces),
        fresh=read.fresh,
        salt=salt,
        digest=digest_orders(salt, phase.name, power, texts),
    )
    for line in read.lines:
        game.file.insert(
            "orders",
            submission=key,
            text=line.text,
            canonical=line.order,
            verdict=line.verdict,
            code=line.code,
            data=to_json(dict(line.data)),
            ahead=line.ahead,
        )
    (row,) = game.file.select(SubmissionRow, "WHERE id = ?", key)
    return row


def store_withdrawal(
    game: Game, phase: PhaseRow, power: str, received: str, scope: str = PHASE
) -> SubmissionRow:
    """Store that a power has no orders any more, sealed like orders."""
    read = Mail((), (), replaces=bool(read_effective_orders(game, phase.id, power)), fresh=scope)
    return store_submission(game, phase, power, read, CLEAR, received=received)
