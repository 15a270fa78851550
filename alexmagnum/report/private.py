"""What stands in a report for one reader alone: his own orders that wait, his own mistakes.

Nothing here filters: a view holds what its reader may see, and no more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from alexmagnum.board.model import Board
from alexmagnum.game.values import Receipt, Understood
from alexmagnum.judge.outcome import Outcome
from alexmagnum.notation import order_in, write_order
from alexmagnum.position import parse_phase
from alexmagnum.report.blocks import power_name
from alexmagnum.report.document import Items, Section
from alexmagnum.report.turn import phase_name
from alexmagnum.report.views import GM, View
from alexmagnum.report.words import Words

REMARKABLE = ("doubtful", "impossible", "unreadable", "ambiguous", "replaced")
"""The verdicts that a reader wants to know of."""

BLANK = dict.fromkeys(("by", "units", "strength", "against", "powers", "place", "room"), "")
"""What a reason's sentence may name."""


def pending_orders(view: View, words: Words) -> Section | None:
    """The orders that wait for the open phase, with what is still missing."""
    lines = [
        _titled(view, power, _listed(orders, words), words)
        for power, orders in view.shown.pending.items()
        if orders
    ]
    if view.shown.outcome is None:
        lines += [
            _titled(view, power, _missing(receipt.missing, words), words)
            for power, receipt in view.shown.receipts.items()
            if receipt.missing
        ]
    if not lines:
        return None
    return Section("pending", words.say("season-pending"), Items(tuple(lines)))


def _listed(orders: Iterable[str], words: Words) -> str:
    """Canonical orders in the reader's language."""
    return "; ".join(order_in(order, words.lang) for order in orders)


def _missing(missing: tuple[str, ...], words: Words) -> str:
    """What has no order yet.

    Units and centres stand by name; builds, removals and picks have no name and are counted.
    """
    counted = {
        code: missing.count(thing)
        for thing, code in (("Build", "builds-due"), ("Remove", "removals-due"))
        if thing in missing
    }
    named = [thing for thing in missing if thing not in ("Build", "Remove", "Pick")]
    said = [words.say(code, count=count) for code, count in counted.items()]
    said += [words.say("due-pick")] if "Pick" in missing else []
    return words.say("still-missing", things=", ".join([*named, *said]))


def orders_ahead(view: View, words: Words) -> Section | None:
    """The orders kept for later phases."""
    lines = tuple(
        _titled(view, power, f"{words.say(f'ahead-{kind}')}: {_listed(orders, words)}", words)
        for power, kinds in view.shown.ahead.items()
        for kind, orders in kinds.items()
        if orders
    )
    if not lines:
        return None
    return Section("ahead", words.say("season-ahead"), Items(lines), words.say("ahead-note"))


def remarks(view: View, words: Words) -> Section | None:
    """The lines of a mail that were no order that counts, or were read with a guess."""
    lines = tuple(
        _titled(view, power, said, words)
        for power, receipt in view.shown.receipts.items()
        for said in _remarks(_unresolved(receipt, view.shown.outcome), view, words)
    )
    return Section("remarks", words.say("season-remarks"), Items(lines)) if lines else None


def _unresolved(receipt: Receipt, outcome: Outcome | None) -> Iterator[Understood]:
    """The lines of a mail but for those whose result says what was wrong with them."""
    listed = outcome.results if outcome is not None else ()
    told = {write_order(entry.order) for entry in listed if entry.power == receipt.power}
    for line in receipt.lines:
        if not (line.verdict == "impossible" and line.order in told):
            yield line


def _remarks(lines: Iterable[Understood], view: View, words: Words) -> Iterator[str]:
    for line in lines:
        if line.verdict in REMARKABLE:
            yield remark(line, view.shown.position.board, words)


def remark(line: Understood, board: Board, words: Words, near: str = "") -> str:
    """A line of a mail with what is said of it, and with what may be meant."""
    data = {name: _named(name, value, board, words) for name, value in line.data.items()}
    why = words.say(line.code, **{**BLANK, **data})
    return words.say("remark", text=" ".join(line.text.split()), why=why, near=near)


def _named(key: str, value: str, board: Board, words: Words) -> str:
    """A value of a sentence: powers, provinces and phases by their names."""
    if key in ("power", "powers"):
        return ", ".join(power_name(board, power, words) for power in value.split(", "))
    if key == "place" and value in board.provinces:
        return board.provinces[value].name(words.lang)
    if key in ("asked", "current"):
        return _phase(value, board, words)
    return value


def _phase(name: str, board: Board, words: Words) -> str:
    try:
        return phase_name(parse_phase(name, board.rules.picks), board, words)
    except ValueError:
        return name


def _titled(view: View, power: str, text: str, words: Words) -> str:
    """A line with its power's name, for a reader who sees those of several."""
    if view.recipient != GM:
        return text
    return f"{power_name(view.shown.position.board, power, words)}: {text}"
