"""What a player is told about a mail with orders: all that was understood, and all that was not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from alexmagnum.board.model import Board
from alexmagnum.game import deadlines
from alexmagnum.game.clock import from_iso
from alexmagnum.game.reading import read_canonical_orders
from alexmagnum.game.state import Game
from alexmagnum.game.values import Receipt, Understood
from alexmagnum.judge.checking import DOUBTFUL, IMPOSSIBLE, Check, check_orders
from alexmagnum.judge.outcome import Reason
from alexmagnum.notation import describe_order, write_order
from alexmagnum.position import Position, parse_phase
from alexmagnum.report.blocks import power_name
from alexmagnum.report.lines import wrapped
from alexmagnum.report.private import remark
from alexmagnum.report.times import when
from alexmagnum.report.turn import phase_name
from alexmagnum.report.words import Words

_GROUPS = ("unreadable", "ambiguous", "impossible", "replaced")
"""The verdicts of lines that do not count, in order of reading."""


def receipt_lines(game: Game, receipt: Receipt, say: Words) -> Iterator[str]:
    """The receipt of a mail for the open phase, line by line; the longest have 78 columns."""
    position = game.position(game.head()["id"])
    yield from wrapped(receipt_head(position, receipt, say)).splitlines()
    yield from _times(game, receipt, say)
    if receipt.replaces:
        yield say.say("desk-replaces")
    yield ""
    yield from order_lines(position, receipt, say)
    yield from _remarks(position, receipt, say)
    yield from _kept(receipt, say)
    yield ""
    yield from foot_lines(game, receipt, say)


def receipt_head(position: Position, receipt: Receipt, say: Words) -> str:
    """Whose receipt it is, for which phase, and which of several."""
    return say.say(
        "desk-receipt",
        power=power_name(position.board, receipt.power, say),
        phase=phase_in_words(position, receipt.phase, say),
        number=receipt.number,
    )


def phase_in_words(position: Position, phase: str, say: Words) -> str:
    """A phase by name, in words and with its name."""
    board = position.board
    return f"{phase_name(parse_phase(phase, board.rules.picks), board, say)} ({phase})"


def _times(game: Game, receipt: Receipt, say: Words) -> Iterator[str]:
    """When the mail came, and whether that was late."""
    zone = game.settings()["timezone"]
    yield say.say("desk-received", at=when(receipt.received, zone, say))
    until = deadlines.deadline(game)
    if until and from_iso(receipt.received) > from_iso(until):
        yield from wrapped(say.say("receipt-late")).splitlines()


# -- the orders ------------------------------------------------------------------------------------


def order_lines(position: Position, receipt: Receipt, say: Words) -> Iterator[str]:
    """The orders that count, each in words below it, and as it was written if that reads
    otherwise."""
    written = {line.order: line.text for line in receipt.lines if line.order and not line.ahead}
    if not receipt.orders:
        yield f"  {say.say('desk-no-orders')}"
    for order in read_canonical_orders(position, receipt.power, receipt.orders):
        canonical = write_order(order)
        text = " ".join(written.get(canonical, canonical).split())
        yield f"  {canonical}"
        yield from _indented(describe_order(order, position.board, say.lang))
        if text.casefold() != canonical.casefold():
            yield from _indented(say.say("desk-as-written", text=text))


def _indented(text: str, columns: int = 6) -> list[str]:
    return wrapped(text, " " * columns, " " * columns).splitlines()


def _item(text: str) -> list[str]:
    return wrapped(text, "  - ", "    ").splitlines()


# -- what is to be said of them --------------------------------------------------------------------


def _remarks(position: Position, receipt: Receipt, say: Words) -> Iterator[str]:
    """The lines that do not count or were guessed, by verdict; and the orders that count, but
    are probably not meant so."""
    board = position.board
    odd = list(_odd(position, receipt, say))
    told = {code for _, code in odd}
    for verdict in _GROUPS:
        found = [line for line in receipt.lines if line.verdict == verdict]
        yield from _titled(f"receipt-{verdict}", (_remark(line, board, say) for line in found), say)
    guessed = [
        remark(line, board, say)
        for line in receipt.lines
        if line.verdict == DOUBTFUL and line.code not in told
    ]
    yield from _titled("receipt-guessed", guessed, say)
    yield from _titled("receipt-odd", (text for text, _ in odd), say)


def _titled(title: str, items: Iterable[str], say: Words) -> Iterator[str]:
    listed = list(items)
    if listed:
        yield ""
        yield say.say(title)
        for text in listed:
            yield from _item(text)


def _remark(line: Understood, board: Board, say: Words) -> str:
    """A line that does not count: why, and what may have been meant."""
    near = line.data.get("suggestions", "")
    return remark(line, board, say, "" if line.data.get("near") else near)


def doubt_lines(position: Position, receipt: Receipt, say: Words) -> Iterator[str]:
    """What is to be said of the orders that count, whatever was said of each when it came."""
    orders = read_canonical_orders(position, receipt.power, receipt.orders)
    never = [
        say.say("remark", text=write_order(check.order), why=say.reason(check.reason, position))
        for check in check_orders(position, {receipt.power: orders})
        if check.verdict == IMPOSSIBLE and check.reason is not None
    ]
    yield from _titled("receipt-impossible", never, say)
    yield from _titled("receipt-odd", (text for text, _ in _odd(position, receipt, say)), say)


def _odd(position: Position, receipt: Receipt, say: Words) -> Iterator[tuple[str, str]]:
    """Each order that is legal and probably not meant: what is said of it, and its code."""
    orders = read_canonical_orders(position, receipt.power, receipt.orders)
    for check in check_orders(position, {receipt.power: orders}):
        for reason in _reasons(check):
            order, why = write_order(check.order), say.reason(reason, position)
            near = ", ".join(map(write_order, check.suggestions))
            yield say.say("remark", text=order, why=why, near=near), reason.code


def _reasons(check: Check) -> Sequence[Reason]:
    if check.verdict == DOUBTFUL and check.reason is not None:
        return (check.reason,)
    return check.warnings


# -- what is left ----------------------------------------------------------------------------------


def kept_ahead(receipt: Receipt) -> list[Understood]:
    """The orders that were sent ahead and are kept for their phase."""
    return [line for line in receipt.lines if line.ahead and line.order and line.verdict == "good"]


def _kept(receipt: Receipt, say: Words) -> Iterator[str]:
    kept = kept_ahead(receipt)
    if kept:
        yield ""
        yield say.say("desk-ahead")
        yield from (f"  {say.say(f'ahead-{line.ahead}')}: {line.order}" for line in kept)


def foot_lines(game: Game, receipt: Receipt, say: Words) -> Iterator[str]:
    """What has no order, until when one can change one's mind if it is not too late, and the
    seal."""
    if receipt.missing:
        missing = say.say("desk-missing", things=things(receipt.missing, say))
        yield from wrapped(missing, "", "  ").splitlines()
    until = deadlines.deadline(game)
    if until and from_iso(until) > game.now():
        at = when(until, game.settings()["timezone"], say)
        yield from wrapped(say.say("desk-change-until", deadline=at)).splitlines()
    yield say.say("desk-digest", digest=receipt.digest)


def things(missing: Iterable[str], say: Words) -> str:
    """What is missing, in words: units and centres by name, builds and picks counted."""
    counts = Counter(missing)
    said = [say.say("due-pick")] * (counts.pop("Pick", 0) > 0)
    for thing, code in (("Build", "builds-due"), ("Remove", "removals-due")):
        if count := counts.pop(thing, 0):
            said.append(say.say(code, count=count))
    return ", ".join([*counts, *said])
