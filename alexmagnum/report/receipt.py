"""The receipt of orders: what was understood of them and what was not, with its seal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from alexmagnum.board.model import Board
from alexmagnum.game.deadlines import STOPPED, read_clock
from alexmagnum.game.game import UNTAKEN, Game, Receipt, Understood
from alexmagnum.game.orders import read_canonical_orders
from alexmagnum.game.settings import DISORDER
from alexmagnum.game.submissions import read_advance_orders
from alexmagnum.i18n.dates import format_instant, parse_iso
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge.checking import DOUBTFUL, IMPOSSIBLE, Check, check_orders
from alexmagnum.judge.explanation import format_reason
from alexmagnum.notation import describe_order, write_order
from alexmagnum.notation.names import power_name
from alexmagnum.position import DEPLOYMENT, Position
from alexmagnum.report.document import wrap_text
from alexmagnum.report.phase_report import format_remark
from alexmagnum.report.words import describe_missing, format_clock, localize_suggestions, phase_name


@dataclass(frozen=True, slots=True)
class ClockReading:
    """A deadline as it was at an instant.

    ``clock`` is the deadline, "" if there is none, or :data:`STOPPED`; ``zone`` is where the game
    master lives.
    """

    clock: str
    at: datetime
    zone: str

    @classmethod
    def of(cls, game: Game) -> ClockReading:
        """Return the deadline of a game as it is now."""
        return cls(read_clock(game), game.now(), game.settings["timezone"])

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


class ReceiptText:
    """The text of the receipt of a mail for the open phase, in lines of 78 columns at most."""

    def __init__(self, game: Game, receipt: Receipt, sentences: Sentences) -> None:
        self.game, self.receipt, self.sentences = game, receipt, sentences
        self.position, self.say = game.position, sentences.format
        self.board = self.position.board
        self.orders = read_canonical_orders(self.position, receipt.power, receipt.orders)

    def lines(self) -> Iterator[str]:
        """Return the receipt of a mail that has just come."""
        game, receipt, say = self.game, self.receipt, self.say
        yield from wrap_text(self.head()).splitlines()
        at = format_instant(receipt.received, game.settings["timezone"], self.sentences)
        yield say("desk-received", at=at)
        if game.deadline and parse_iso(receipt.received) > parse_iso(game.deadline):
            yield from wrap_text(say("receipt-late")).splitlines()
        if receipt.earlier:
            yield from wrap_text(say(self._find_change(), bot=receipt.earlier_bot)).splitlines()
        yield ""
        yield from self._list_orders(marks=bool(receipt.earlier))
        lost = Counter(receipt.earlier) - Counter(receipt.orders)
        yield from _list_below(say("receipt-no-longer"), (f"«{order}»" for order in lost))
        yield from self._remarks()
        yield from self._advance_orders()
        yield ""
        yield from self.foot()

    def lines_now(self) -> Iterator[str]:
        """Return the orders that count now, whatever was said of each when it came."""
        yield from self._list_orders()
        never = [
            self.say(
                "remark",
                text=write_order(check.order),
                why=format_reason(check.reason, self.position, self.sentences),
            )
            for check in self._checks
            if check.verdict == IMPOSSIBLE and check.reason is not None
        ]
        yield from _list_below(self.say("receipt-impossible"), never)
        yield from _list_below(self.say("receipt-odd"), (text for text, _ in self._odd_orders()))
        kept = read_advance_orders(self.game, self.receipt.power).get(self.receipt.power, {})
        for kind, orders in kept.items():
            yield from (f"  {self.say(f'ahead-{kind}')}: {order}" for order in orders)
        yield ""
        yield from self.foot()

    def head(self) -> str:
        """Return the heading: the power, the phase, and which of several receipts this is."""
        return self.say(
            "desk-receipt",
            power=power_name(self.board, self.receipt.power, self.sentences),
            phase=phase_in_words(self.position, self.receipt.phase, self.sentences),
            number=self.receipt.number,
        )

    def foot(self) -> Iterator[str]:
        """Return the last lines: units without an order, until when changes count, and the seal."""
        if self.receipt.missing:
            missing = describe_missing(self.receipt.missing, self.sentences)
            code = "receipt-to-place" if self.position.phase.kind == DEPLOYMENT else "desk-missing"
            said = self.say(code, things=missing, count=len(self.receipt.missing))
            yield from wrap_text(said, "", "  ").splitlines()
        yield from ClockReading.of(self.game).format_change_until(self.sentences).splitlines()
        yield self.say("desk-digest", digest=self.receipt.digest)

    def _find_change(self) -> str:
        """Return the code of the sentence on what a mail changes of the orders sent before."""
        if (receipt := self.receipt).earlier_bot and receipt.earlier_bot != DISORDER:
            return "receipt-bot-stays" if receipt.bot else "receipt-after-bot"
        if receipt.orders == receipt.earlier and not find_kept_ahead(receipt):
            return "receipt-changes-nothing"
        begins_anew = receipt.fresh or self.game.settings["second_mail"] == "replace"
        keeps_some = not begins_anew and set(receipt.orders) & set(receipt.earlier)
        return "desk-replaces" if receipt.replaces and not keeps_some else "receipt-adds"

    def _list_orders(self, *, marks: bool = False) -> Iterator[str]:
        """Yield the orders that count in words and as written; ``marks``: mark the new ones."""
        lines = self.receipt.lines
        written = {line.order: line.text for line in lines if line.order and not line.ahead}
        if not self.receipt.orders:
            yield f"  {self.say('desk-no-orders')}"
        for order in self.orders:
            canonical = write_order(order)
            text = " ".join(written.get(canonical, canonical).split())
            yield f"  {canonical}"
            yield from _indent(describe_order(order, self.board, self.sentences.lang))
            if text.casefold() != canonical.casefold():
                yield from _indent(self.say("desk-as-written", text=text))
            if marks and canonical not in self.receipt.earlier:
                yield from _indent(self.say("receipt-new"))

    def _remarks(self) -> Iterator[str]:
        lines, odd = self.receipt.lines, list(self._odd_orders())
        told = {code for _, code in odd}
        for verdict in ("unreadable", "ambiguous", "impossible", "replaced"):
            yield from _list_refused(lines, verdict, self.board, self.sentences)
        guessed = [
            format_remark(line, self.board, self.sentences)
            for line in lines
            if line.verdict == DOUBTFUL and line.code not in told
        ]
        yield from _list_below(self.say("receipt-guessed"), guessed)
        yield from _list_below(self.say("receipt-odd"), (text for text, _ in odd))
        yield from untaken_lines(lines, self.board, self.sentences)

    @cached_property
    def _checks(self) -> Sequence[Check]:
        return check_orders(self.position, {self.receipt.power: self.orders})

    def _odd_orders(self) -> Iterator[tuple[str, str]]:
        """Yield a remark on each doubtful order that counts, and the code of its reason."""
        for check in self._checks:
            reasons = check.warnings
            if check.verdict == DOUBTFUL and check.reason is not None:
                reasons = (check.reason,)
            near = ", ".join(map(write_order, check.suggestions))
            for reason in reasons:
                why = format_reason(reason, self.position, self.sentences)
                text = self.say("remark", text=write_order(check.order), why=why, near=near)
                yield text, reason.code

    def _advance_orders(self) -> Iterator[str]:
        kept = read_advance_orders(self.game, self.receipt.power).get(self.receipt.power, {})
        new = {line.order for line in find_kept_ahead(self.receipt)}
        marks = any(new.symmetric_difference(orders) for orders in kept.values())
        if kept:
            yield ""
            yield self.say("desk-ahead")
        for kind, orders in kept.items():
            for order in orders:
                yield f"  {self.say(f'ahead-{kind}')}: {order}"
                if marks and order in new:
                    yield from _indent(self.say("receipt-new"))


def phase_in_words(position: Position, phase: str, sentences: Sentences) -> str:
    """Return a phase in words, with its name in brackets."""
    return f"{phase_name(phase, position.board, sentences)} ({phase})"


def find_kept_ahead(receipt: Receipt) -> list[Understood]:
    """Return the lines with advance orders that are kept for their phase."""
    return [line for line in receipt.lines if line.ahead and line.order and line.verdict == "good"]


def untaken_lines(lines: Iterable[Understood], board: Board, sentences: Sentences) -> Iterator[str]:
    """Return the sentences that name units or places and are no orders, with what to write."""
    yield from _list_refused(lines, UNTAKEN, board, sentences)


def _list_refused(
    lines: Iterable[Understood], verdict: str, board: Board, sentences: Sentences
) -> Iterator[str]:
    def remark(line: Understood) -> str:
        """Return the remark on a line that does not count: why, and what may have been meant."""
        near = localize_suggestions(line.data.get("suggestions", ""), board, sentences.lang)
        return format_remark(line, board, sentences, "" if line.data.get("near") else near)

    found = (remark(line) for line in lines if line.verdict == verdict)
    yield from _list_below(sentences.format(f"receipt-{verdict}"), found)


def _list_below(title: str, items: Iterable[str]) -> Iterator[str]:
    if listed := list(items):
        yield from ("", title)
        for text in listed:
            yield from wrap_text(text, "  - ", "    ").splitlines()


def _indent(text: str) -> list[str]:
    return wrap_text(text, " " * 6, " " * 6).splitlines()
