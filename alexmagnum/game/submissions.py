"""Taking orders for the open phase, and orders sent in advance."""

import hmac
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from random import Random
from types import MappingProxyType

from alexmagnum.errors import GameError
from alexmagnum.files import tell_who_thinks
from alexmagnum.game import game as games
from alexmagnum.game import orders
from alexmagnum.game.mail_orders import fill_gaps, read_mail, select_fitting_orders
from alexmagnum.game.people import end_stand_in, read_players
from alexmagnum.game.records import MailRow, PhaseRow, SubmissionRow
from alexmagnum.game.settings import DISORDER
from alexmagnum.i18n.sentences import load_sentences
from alexmagnum.notation import write_order
from alexmagnum.notation.sections import EVERYTHING, PHASE
from alexmagnum.position import WINTER, Position

# Taking the orders that players send for the open phase: storing, sealing and withdrawing them.
#
# A submission is what one mail amounted to: its lines as understood, the orders that count from
# then on, and their seal. :mod:`alexmagnum.game.orders` reads them back.


def submit_orders(
    game: games.Game,
    power: str,
    text: str,
    source: str = "",
    reason: str = "",
    received: str = "",
    read: orders.Mail | None = None,
) -> games.Receipt:
    """Take a power's mail, and return its receipt, which says what is wrong with each line.

    The mail came now, unless ``received`` says when (ISO, UTC); ``read`` is the mail if the caller
    has read it already.
    """
    power = game.power(power)
    with game.act("submit", power, reason) as note:
        phase = orders.require_open_phase(game)
        read = read or read_mail_for_phase(game, phase, power, text)
        mail = store_mail(game, phase.id, power, text, source, received)
        row = orders.store_submission(
            game, phase, power, read, orders.MAIL, mail, received=received
        )
        receipt = orders.make_receipt(game, phase.name, row, read.lines, {})
        note.detail |= {**_describe_submission(row), "source": source}
        if receipt.fresh or (receipt.orders and not receipt.bot):
            end_stand_in(game, power, note)
    return receipt


def _describe_submission(row: SubmissionRow) -> dict[str, object]:
    """Return what the journal says of a submission: no order."""
    return {
        "number": row.number,
        "orders": len(row.orders),
        "missing": len(json.loads(row.missing)),
        "digest": row.digest,
    }


def clear_orders(
    game: games.Game, power: str, reason: str = "", received: str = "", scope: str = PHASE
) -> games.Receipt:
    """Withdraw what a power sent for the open phase, and return the receipt.

    Its advance orders for later phases stay, unless ``scope`` is ``all``.
    """
    power = game.power(power)
    with game.act("clear", power, reason) as note:
        phase = orders.require_open_phase(game)
        row = orders.store_withdrawal(game, phase, power, received, scope)
        receipt = orders.make_receipt(game, phase.name, row, (), {})
        note.detail |= {"number": receipt.number, "digest": receipt.digest}
        end_stand_in(game, power, note)
    return receipt


def store_mail(
    game: games.Game, phase: int, power: str, text: str, source: str, received: str = ""
) -> int:
    """Store a mail as it came, before anything in it is read, and return its id."""
    at = received or game.stamp()
    return game.file.insert("mail", phase=phase, power=power, source=source, received=at, text=text)


def read_mail_for_phase(
    game: games.Game, phase: PhaseRow, power: str, text: str, fresh: str = "", *, writer: str = ""
) -> orders.Mail:
    """Return what a mail for a phase amounts to; nothing is stored.

    ``fresh``: it replaces what was sent before, whatever its text says.  A mail with orders for the
    phase replaces all that a bot gave, and adds to what the player sent before that.  ``writer`` is
    the name that the mail itself gives its writer.
    """
    before = orders.read_effective_orders(game, phase.id, power)
    names = [player.name for player in read_players(game) if player.power == power]
    writers = [name for name in (*names, writer) if name]
    position, settings = game.find_position(phase.id), game.settings
    last = orders.find_last_submission(game, phase.id, power)
    if not fresh and orders.find_bot_submission(game, last) is not None:
        own = orders.read_own_orders(game, phase.id, power)
        begins = "" if own else PHASE
        read = read_mail(position, power, text, settings, own, begins, writers=writers)
        if any(line.order and not line.ahead for line in read.lines) and read.orders:
            kept = {write_order(order) for order in read.orders}
            return replace(read, replaces=not kept.issuperset(map(write_order, before)))
    return read_mail(position, power, text, settings, before, fresh, writers=writers)


# -- opening orders ------------------------------------------------------------------------------


def open_orders(
    game: games.Game, power: str | None = None, *, reason: str
) -> Mapping[str, tuple[str, ...]]:
    """Return the orders that count now, of one power or all, and enter that in the journal."""
    only = game.power(power) if power else ""
    with game.act("open-orders", only, reason):
        inputs = orders.read_inputs(game, game.head().id)
        return {name: each.orders for name, each in inputs.items() if only in ("", name)}


# Orders sent before their phase: retreats with the moves, builds during the year.


_UNIT = re.compile(r"(?:Disband )?([AFG] [A-Z]\S*)(?: - |$)")  # at the beginning of a retreat


def find_advance_orders(
    game: games.Game,
    phase: int,
    kind: str,
    mails: Sequence[SubmissionRow] = (),
    before: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> dict[str, tuple[str, ...]]:
    """Return the orders that stand for a kind of phase to come, by power, sent up to a phase.

    Orders for retreats were sent with the moves before them, orders for a winter in its year.  A
    later mail adds to an earlier one or replaces it, as the setting ``second_mail`` says.  A
    correction replaces all mails of its phase.  If some ``mails`` are given, these alone count, on
    top of what stood ``before`` them.
    """
    adds = game.settings["second_mail"] == "merge"
    sent = {power: list(texts) for power, texts in before.items()}
    came = {} if mails else find_advance_mails(game, phase, kind)
    for row in mails or sorted(came, key=came.__getitem__):
        lines = [line for line in orders.read_lines(game, row.id) if line.ahead == kind]
        if row.fresh != EVERYTHING and not lines:
            continue
        texts = [line.order for line in lines if line.verdict == "good"]
        # A heading with nothing below it takes back what was sent.
        is_empty = all(line.verdict == games.PROSE for line in lines)
        if adds and row.kind == orders.MAIL and not (row.fresh or is_empty):
            # Those of the later mail come first, because the first builds for which there is room
            # count; of two for a unit the later one counts.
            subjects = set(map(_find_subject, texts))
            earlier = sent.get(row.power, [])
            texts += [text for text in earlier if _find_subject(text) not in subjects]
        sent[row.power] = texts
    return {power: tuple(sent[power]) for power in game.base.powers if sent.get(power)}


def _find_subject(text: str) -> str:
    """Return the unit of a retreat, or the whole of another order."""
    unit = _UNIT.match(text)
    return unit[1] if unit else text


def find_advance_mails(game: games.Game, phase: int, kind: str) -> dict[SubmissionRow, int]:
    """Return the submissions with orders for a kind of phase, or that replace all orders, of the
    phases whose mails may hold them, each with the number under which it came.

    After an undo an earlier phase may have later mails.  A correction comes right after the mails
    of its phase.
    """
    row = game.phase_row(phase)
    before = game.line_to(phase)
    if kind == WINTER:
        keys = [entry.phase for entry in before if entry.year == row.year]
    else:
        keys = [entry.phase for entry in before[-1:] if row.kind == "retreats"]
    sources = [*keys, phase]
    rows = game.file.select(
        SubmissionRow,
        f"""WHERE (id IN (SELECT submission FROM orders WHERE ahead = ?) OR fresh = '{EVERYTHING}')
                AND kind IN ('{orders.MAIL}', '{orders.AMEND}', '{orders.CLEAR}')
                AND phase IN ({", ".join(map(str, sources))})
            ORDER BY id""",
        kind,
    )
    corrections = _find_valid_corrections(game, phase)
    came: dict[SubmissionRow, int] = {}
    for sent in sorted(rows, key=lambda row: sources.index(row.phase)):
        if sent.kind != orders.AMEND:
            came[sent] = find_first_number(game, sent)
        elif sent.salt in corrections:
            earlier = (number for row, number in came.items() if row.power == sent.power)
            came[sent] = max(earlier, default=0)
    return came


def find_first_number(game: games.Game, row: SubmissionRow) -> int:
    """Return the number that a mail or withdrawal had when it came; where it counts for another row
    of its phase it has a later one."""
    sql = """SELECT MIN(id) FROM submissions
             WHERE power = ? AND kind = ? AND COALESCE(mail, received) = ?"""
    return game.file.count(sql, row.power, row.kind, row.mail or row.received)


def _find_valid_corrections(game: games.Game, phase: int) -> set[str]:
    """Return the salts of the corrections that led to a phase, without those that were undone."""
    outcomes = ", ".join(str(entry.id) for entry in game.line_to(phase))
    rows = game.file.rows(
        f"""WITH RECURSIVE lineage(id) AS (
                SELECT id FROM outcomes WHERE id IN ({outcomes})
                UNION
                SELECT outcomes.amends FROM lineage JOIN outcomes ON outcomes.id = lineage.id
                WHERE outcomes.amends IS NOT NULL
            )
            SELECT salt FROM seals WHERE outcome IN (SELECT id FROM lineage)"""
    )
    return {row["salt"] for row in rows}


def apply_advance_orders(
    game: games.Game, phase: PhaseRow, power: str, mails: Sequence[SubmissionRow]
) -> None:
    """Apply the valid advance orders of some mails of a power to a new phase, on top of what stands
    for it there."""
    before = [write_order(each) for each in orders.read_effective_orders(game, phase.id, power)]
    found = find_advance_orders(game, phase.id, phase.kind, mails, {power: before})
    position, texts = game.find_position(phase.id), found.get(power, ())
    if (read := select_fitting_orders(position, power, texts, game.settings)).orders or before:
        kept = {write_order(order) for order in read.orders}
        read = replace(read, replaces=not kept.issuperset(before), fresh="" if kept else PHASE)
        orders.store_submission(game, phase, power, read, orders.AHEAD)


def read_advance_orders(game: games.Game, only: str = "") -> dict[str, dict[str, tuple[str, ...]]]:
    """Return the orders sent for phases that are still to come, by power and kind of phase."""
    head = game.head()
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for kind in {"movement": ("retreats", WINTER), "retreats": (WINTER,)}.get(head.kind, ()):
        for name, texts in find_advance_orders(game, head.id, kind).items():
            if only in ("", name):
                found.setdefault(name, {})[kind] = texts
    return found


def open_advance_orders(
    game: games.Game, power: str | None = None, *, reason: str
) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Return the advance orders of one power or all, and enter that in the journal."""
    only = game.power(power) if power else ""
    with game.act("open-ahead", only, reason):
        return read_advance_orders(game, only)


# Asking the bots that play powers for their orders, and storing what they answer.
#
# A bot sees the position alone. It is asked outside of transactions, because it may think for a
# second: whatever interrupts it, the game stands, and the next command asks again.


DIFFERENT_BOT = "verify-bot"
"""The code of orders that a bot would not give now, as one of another version may not."""

_LONGEST = 200  # the letters of a bot's error that are kept


@dataclass(frozen=True, slots=True)
class _Answer:
    """The answer of a bot: its orders in canonical notation, and what it gave in their place."""

    texts: tuple[str, ...] = ()
    faults: tuple[games.Understood, ...] = ()

    @property
    def text(self) -> str:
        """The answer as it is stored, a line for each order."""
        return "\n".join((*self.texts, *(fault.text for fault in self.faults)))


def ask_bots(game: games.Game, *, again: bool = False) -> tuple[str, ...]:
    """Let bots give the orders that are missing in the open phase, and return their powers.

    The acts that open a phase or change who plays do so themselves.  Orders that somebody sent for
    the phase stay: a bot gives what is missing beside them.  Those of another bot than the one
    that plays now are replaced; with ``again`` those of every bot are, because the rules have
    changed.
    """
    with game.file.reading():
        head = game.head()
        asked = _find_bots_to_ask(game, head, again=again)
        position = game.find_position(head.id) if asked else None
    if position is None:
        return ()
    answers = [(player, _think(game, position, player)) for player in asked]
    with say_act_is_stored(game):
        return tuple(
            player.power
            for player, answer in answers
            if _store_answer(game, (head, position), player, answer, again=again)
        )


@contextmanager
def say_act_is_stored(game: games.Game) -> Iterator[None]:
    """Say, if what follows an act cannot be written, that the act is stored all the same, and that
    the next command writes what is missing.

    Raises:
        GameError: ``act-unwritten`` (``why``).
    """
    try:
        yield
    except OSError as error:
        why = f"{error.filename}: {error.strerror}" if error.filename else str(error)
    except GameError as error:
        if error.code == "game-replaced":  # so is the act
            raise
        why = load_sentences(game.settings["lang"]).error(error)
    else:
        return
    raise GameError("act-unwritten", why=why)


def _find_bots_to_ask(game: games.Game, head: PhaseRow, *, again: bool) -> list[games.Player]:
    bots = [player for player in read_players(game) if player.has_bot_in(head.name)]
    if not bots or head.is_over:
        return []
    owing, lacking = orders.find_required_orders(game.position), orders.find_lacking_orders(game)
    last = orders.find_last_submissions(game, head.id)
    asked = []
    for player in bots:
        row = last.get(player.power)
        by_bot = orders.find_bot_submission(game, row) is not None
        differs = by_bot and (again or orders.read_bot_name(game, row) != player.bot)
        if player.power in owing and (differs or (not by_bot and player.power in lacking)):
            asked.append(player)
    return asked


def derive_seed(secret: str, phase: str, power: str, bot: str) -> int:
    """Return the seed of a bot's chance in a phase.

    It is always the same in a game, and nobody finds it who does not know the secret of the game.

    >>> phases = ("322-spring", "322-autumn")
    >>> spring, autumn = (derive_seed("00", phase, "TOL", "dumb") for phase in phases)
    >>> spring == autumn
    False
    """
    text = f"{phase}\n{power}\n{bot}\n".encode()
    return int.from_bytes(hmac.digest(bytes.fromhex(secret), text, "sha256")[:8])


def _think(game: games.Game, position: Position, player: games.Player) -> _Answer:
    """Return what a bot answers; whatever it raises is a fault of its own."""
    if player.bot == DISORDER:
        return _Answer()
    from alexmagnum.bots import load_bot

    phase, power, bot = str(position.phase), player.power, player.bot
    rng = Random(derive_seed(game.info.secret, phase, power, bot))
    try:
        if bot not in game.bots:
            game.bots[bot] = load_bot(bot)
        with tell_who_thinks(bot, power):
            given = list(game.bots[bot].orders(position, power, rng))
    except Exception as error:  # broad: whatever a bot raises, the game goes on without it
        why = " ".join(f"{type(error).__name__}: {error}".split())[:_LONGEST]
        fault = games.Understood(why, "", "unreadable", games.BOT_FAILED, {"bot": bot, "why": why})
        return _Answer(faults=(fault,))
    return _write_orders(given, bot)


def _write_orders(given: Sequence[object], bot: str) -> _Answer:
    texts, faults = [], []
    for order in given:
        try:
            texts.append(write_order(order))  # type: ignore[arg-type]
        except Exception:  # broad: the answer can be any object
            text = " ".join(repr(order).split())[:_LONGEST]
            faults.append(
                games.Understood(text, "", "unreadable", games.BOT_NONSENSE, {"bot": bot})
            )
    return _Answer(tuple(texts), tuple(faults))


def _store_answer(
    game: games.Game,
    asked: tuple[PhaseRow, Position],
    player: games.Player,
    answer: _Answer,
    *,
    again: bool,
) -> bool:
    """Store the orders of a bot with their seal; tell whether they were still wanted."""
    head, position = asked
    with game.file.writing("bot-orders"):
        if game.head().id != head.id or player not in _find_bots_to_ask(game, head, again=again):
            return False  # another command was quicker
        with game.act("bot-orders", player.power) as note:
            power, own = player.power, orders.read_own_orders(game, head.id, player.power)
            before = set(map(write_order, orders.read_effective_orders(game, head.id, power)))
            read = read_mail(position, power, "\n".join(answer.texts), game.settings)
            counting = tuple(fill_gaps(position, power, own, read.orders))
            kept, mine = set(map(write_order, counting)), set(map(write_order, own))
            lines = [line for line in read.lines if not own or line.order in {"", *kept} - mine]
            read = replace(
                read,
                lines=(*lines, *answer.faults),
                orders=counting,
                replaces=bool(before - kept),
                fresh=PHASE if before and not own else "",
            )
            mail = store_mail(game, head.id, power, answer.text, orders.BOT_SOURCE + player.bot)
            row = orders.store_submission(game, head, power, read, orders.BOT, mail)
            note.detail |= {"bot": player.bot, **_describe_submission(row)}
            for fault in answer.faults[:1]:  # the journal has no orders
                note.detail["fault"] = fault.text if fault.code == games.BOT_FAILED else fault.code
    return True


@games.in_one_view
def check_bots(game: games.Game) -> tuple[games.Finding, ...]:
    """Ask the bots again, and return the phases in which they would order otherwise now."""
    found = []
    for outcome in game.line():
        rows = game.file.select(
            SubmissionRow,
            """JOIN seals ON seals.power = submissions.power AND seals.salt = submissions.salt
               WHERE seals.outcome = ? ORDER BY submissions.id""",
            outcome.id,
        )
        for power, sealed in {row.power: row for row in rows}.items():
            if (row := orders.find_bot_submission(game, sealed)) is None:
                continue
            given = game.file.find(MailRow, "WHERE id = ?", row.mail)
            player = games.Player(power, "", bot=orders.read_bot_name(game, row))
            answer = _think(game, game.find_position(outcome.phase, outcome.rules), player)
            if given is None or answer.text != given.text:
                data = {"power": power, "bot": player.bot}
                found.append(games.Finding(outcome.name, "bot", DIFFERENT_BOT, data))
    return tuple(found)
