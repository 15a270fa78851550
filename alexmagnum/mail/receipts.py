"""Receipts: the answer to a mail with orders, with all that was understood and all that was not."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from alexmagnum.board.model import Board
from alexmagnum.game.deadlines import STOPPED, read_clock
from alexmagnum.game.game import UNTAKEN, Game, Receipt, Understood
from alexmagnum.game.orders import read_canonical_orders
from alexmagnum.game.submissions import read_advance_orders
from alexmagnum.i18n.dates import format_instant, parse_iso
from alexmagnum.i18n.sentences import LANGUAGES, Sentences, load_sentences
from alexmagnum.judge.checking import DOUBTFUL, IMPOSSIBLE, Check, check_orders
from alexmagnum.judge.explanation import format_reason
from alexmagnum.judge.outcome import Reason
from alexmagnum.notation import describe_order, write_order
from alexmagnum.notation.names import power_name
from alexmagnum.position import Position, parse_phase
from alexmagnum.report.document import wrap_text
from alexmagnum.report.phase_report import format_remark, localize_suggestions
from alexmagnum.report.words import phase_name

# The sentences of answers that name the deadline, and how a draft gets those of a new deadline.


@dataclass(frozen=True, slots=True)
class ClockReading:
    """A deadline as it was at an instant.

    ``clock`` is the deadline, "" if there is none, or :data:`STOPPED`; ``zone`` is where the game
    master lives.
    """

    clock: str
    at: datetime
    zone: str

    @property
    def runs(self) -> bool:
        """Tell whether there is a deadline that is still to come."""
        return self.clock not in ("", STOPPED) and parse_iso(self.clock) > self.at

    def format_change_until(self, sentences: Sentences) -> str:
        """Return until when orders can be changed, "" if there is no such deadline."""
        if not self.runs:
            return ""
        at = format_instant(self.clock, self.zone, sentences)
        return wrap_text(sentences.format("desk-change-until", deadline=at))

    def format_deadline(self, sentences: Sentences) -> str:
        """Return the deadline and how far away it is."""
        said = format_clock(self.clock, self.zone, sentences, self.at)
        return wrap_text(sentences.format("desk-deadline", deadline=said))


def format_clock(clock: str, zone: str, sentences: Sentences, now: datetime | None = None) -> str:
    """Return a deadline in words, or the words for a stopped clock or no deadline."""
    if clock == STOPPED:
        return sentences.format("clock-stopped")
    return format_instant(clock, zone, sentences, now) if clock else sentences.format("no-deadline")


def reword_deadline(text: str, *, before: ClockReading, now: ClockReading, seal: str) -> str:
    """Return the text of an answer with the deadline in force instead of an earlier one.

    ``seal`` is the seal of the orders in force, which the answer may show.  The text is in any
    language: only the sentences of its own are found in it.
    """
    for sentences in map(load_sentences, LANGUAGES):
        seals = sentences.format("desk-digest", digest=seal)
        until = (each.format_change_until(sentences) for each in (before, now))
        old, new = (f"{said}\n{seals}".strip() for said in until)
        text = _replace(text, before.format_deadline(sentences), now.format_deadline(sentences))
        text = _replace(text, old, new)
        if now.runs:
            text = _replace(text, f"{sentences.format('receipt-late')}\n", "")
    return text


def _replace(text: str, old: str, new: str) -> str:
    """Replace a passage however its lines are broken; CRLF stays CRLF."""
    passage = r"\s+".join(map(re.escape, old.split())) + (r"\s*\n" if old.endswith("\n") else "")
    lines = new.replace("\n", "\r\n") if "\r\n" in text else new
    return re.sub(passage, lambda _: lines, text)


_GROUPS = ("unreadable", "ambiguous", "impossible", "replaced")
"""The verdicts of lines that do not count, in order of reading."""


def receipt_lines(game: Game, receipt: Receipt, sentences: Sentences) -> Iterator[str]:
    """Return the lines of the receipt of a mail for the open phase, of 78 columns at most."""
    position = game.position
    yield from wrap_text(receipt_head(position, receipt, sentences)).splitlines()
    yield from _times(game, receipt, sentences)
    yield from _change_lines(game, receipt, sentences)
    yield ""
    yield from order_lines(position, receipt, sentences, marks=bool(receipt.earlier))
    yield from _lines_no_longer_in_force(receipt, sentences)
    yield from _remarks(position, receipt, sentences)
    yield from _advance_order_lines(game, receipt, sentences)
    yield ""
    yield from foot_lines(game, receipt, sentences)


def receipt_head(position: Position, receipt: Receipt, sentences: Sentences) -> str:
    """Return the heading: the power, the phase, and which of several receipts this is."""
    return sentences.format(
        "desk-receipt",
        power=power_name(position.board, receipt.power, sentences),
        phase=phase_in_words(position, receipt.phase, sentences),
        number=receipt.number,
    )


def phase_in_words(position: Position, phase: str, sentences: Sentences) -> str:
    """Return a phase in words, with its name in brackets."""
    board = position.board
    return f"{phase_name(parse_phase(phase, board.rules.picks), board, sentences)} ({phase})"


def _times(game: Game, receipt: Receipt, sentences: Sentences) -> Iterator[str]:
    zone = game.settings["timezone"]
    yield sentences.format("desk-received", at=format_instant(receipt.received, zone, sentences))
    until = game.deadline
    if until and parse_iso(receipt.received) > parse_iso(until):
        yield from wrap_text(sentences.format("receipt-late")).splitlines()


# -- the orders ------------------------------------------------------------------------------------


def _change_lines(game: Game, receipt: Receipt, sentences: Sentences) -> Iterator[str]:
    if not receipt.earlier:
        return
    if receipt.orders == receipt.earlier and not find_kept_ahead(receipt):
        code = "receipt-changes-nothing"
    else:
        begins_anew = receipt.fresh or game.settings["second_mail"] == "replace"
        keeps_some = not begins_anew and set(receipt.orders) & set(receipt.earlier)
        code = "desk-replaces" if receipt.replaces and not keeps_some else "receipt-adds"
    if receipt.earlier_bot:
        code = "receipt-bot-stays" if receipt.bot else "receipt-after-bot"
    yield from wrap_text(sentences.format(code, bot=receipt.earlier_bot)).splitlines()


def _lines_no_longer_in_force(receipt: Receipt, sentences: Sentences) -> Iterator[str]:
    lost = Counter(receipt.earlier) - Counter(receipt.orders)
    yield from _add_title("receipt-no-longer", (f"«{order}»" for order in lost), sentences)


def order_lines(
    position: Position, receipt: Receipt, sentences: Sentences, *, marks: bool = False
) -> Iterator[str]:
    """Return the orders that count, each with its words below, and as written if that differs.

    ``marks``: those that were not in force before the mail are marked.
    """
    written = {line.order: line.text for line in receipt.lines if line.order and not line.ahead}
    if not receipt.orders:
        yield f"  {sentences.format('desk-no-orders')}"
    for order in read_canonical_orders(position, receipt.power, receipt.orders):
        canonical = write_order(order)
        text = " ".join(written.get(canonical, canonical).split())
        yield f"  {canonical}"
        yield from _indent(describe_order(order, position.board, sentences.lang))
        if text.casefold() != canonical.casefold():
            yield from _indent(sentences.format("desk-as-written", text=text))
        if marks and canonical not in receipt.earlier:
            yield from _indent(sentences.format("receipt-new"))


def _indent(text: str, columns: int = 6) -> list[str]:
    return wrap_text(text, " " * columns, " " * columns).splitlines()


def _item(text: str) -> list[str]:
    return wrap_text(text, "  - ", "    ").splitlines()


# -- what is to be said of them --------------------------------------------------------------------


def _remarks(position: Position, receipt: Receipt, sentences: Sentences) -> Iterator[str]:
    board = position.board
    odd = list(_doubtful_orders(position, receipt, sentences))
    told = {code for _, code in odd}
    for verdict in _GROUPS:
        yield from _list_refused(receipt.lines, verdict, board, sentences)
    guessed = [
        format_remark(line, board, sentences)
        for line in receipt.lines
        if line.verdict == DOUBTFUL and line.code not in told
    ]
    yield from _add_title("receipt-guessed", guessed, sentences)
    yield from _add_title("receipt-odd", (text for text, _ in odd), sentences)
    yield from untaken_lines(receipt.lines, board, sentences)


def untaken_lines(lines: Iterable[Understood], board: Board, sentences: Sentences) -> Iterator[str]:
    """Return the sentences that name units or places and are no orders, with what to write."""
    yield from _list_refused(lines, UNTAKEN, board, sentences)


def _list_refused(
    lines: Iterable[Understood], verdict: str, board: Board, sentences: Sentences
) -> Iterator[str]:
    found = (_remark(line, board, sentences) for line in lines if line.verdict == verdict)
    yield from _add_title(f"receipt-{verdict}", found, sentences)


def _add_title(title: str, items: Iterable[str], sentences: Sentences) -> Iterator[str]:
    listed = list(items)
    if listed:
        yield ""
        yield sentences.format(title)
        for text in listed:
            yield from _item(text)


def _remark(line: Understood, board: Board, sentences: Sentences) -> str:
    """Return the remark on a line that does not count: why, and what may have been meant."""
    near = localize_suggestions(line.data.get("suggestions", ""), board, sentences.lang)
    return format_remark(line, board, sentences, "" if line.data.get("near") else near)


def doubt_lines(position: Position, receipt: Receipt, sentences: Sentences) -> Iterator[str]:
    """Return remarks on the orders that count now, whatever was said of each when it came."""
    orders = read_canonical_orders(position, receipt.power, receipt.orders)
    never = [
        sentences.format(
            "remark",
            text=write_order(check.order),
            why=format_reason(check.reason, position, sentences),
        )
        for check in check_orders(position, {receipt.power: orders})
        if check.verdict == IMPOSSIBLE and check.reason is not None
    ]
    yield from _add_title("receipt-impossible", never, sentences)
    yield from _add_title(
        "receipt-odd",
        (text for text, _ in _doubtful_orders(position, receipt, sentences)),
        sentences,
    )


def _doubtful_orders(
    position: Position, receipt: Receipt, sentences: Sentences
) -> Iterator[tuple[str, str]]:
    orders = read_canonical_orders(position, receipt.power, receipt.orders)
    for check in check_orders(position, {receipt.power: orders}):
        for reason in _reasons(check):
            order, why = write_order(check.order), format_reason(reason, position, sentences)
            near = ", ".join(map(write_order, check.suggestions))
            yield sentences.format("remark", text=order, why=why, near=near), reason.code


def _reasons(check: Check) -> Sequence[Reason]:
    if check.verdict == DOUBTFUL and check.reason is not None:
        return (check.reason,)
    return check.warnings


# -- what is left ----------------------------------------------------------------------------------


def find_kept_ahead(receipt: Receipt) -> list[Understood]:
    """Return the lines with advance orders that are kept for their phase."""
    return [line for line in receipt.lines if line.ahead and line.order and line.verdict == "good"]


def _advance_order_lines(game: Game, receipt: Receipt, sentences: Sentences) -> Iterator[str]:
    kept = read_advance_orders(game, receipt.power).get(receipt.power, {})
    new = {line.order for line in find_kept_ahead(receipt)}
    marks = any(new.symmetric_difference(orders) for orders in kept.values())
    if kept:
        yield ""
        yield sentences.format("desk-ahead")
    for kind, orders in kept.items():
        for order in orders:
            yield f"  {sentences.format(f'ahead-{kind}')}: {order}"
            if marks and order in new:
                yield from _indent(sentences.format("receipt-new"))


def foot_lines(game: Game, receipt: Receipt, sentences: Sentences) -> Iterator[str]:
    """Return the last lines: units without an order, until when changes count, and the seal."""
    if receipt.missing:
        missing = sentences.format(
            "desk-missing", things=describe_missing(receipt.missing, sentences)
        )
        yield from wrap_text(missing, "", "  ").splitlines()
    reading = ClockReading(read_clock(game), game.now(), game.settings["timezone"])
    yield from reading.format_change_until(sentences).splitlines()
    yield sentences.format("desk-digest", digest=receipt.digest)


def describe_missing(missing: Iterable[str], sentences: Sentences) -> str:
    """Describe missing orders: units and centres by name, builds and picks counted."""
    counts = Counter(missing)
    said = [sentences.format("due-pick")] * (counts.pop("Pick", 0) > 0)
    for thing, code in (("Build", "builds-due"), ("Remove", "removals-due")):
        if count := counts.pop(thing, 0):
            said.append(sentences.format(code, count=count))
    return ", ".join([*counts, *said])
