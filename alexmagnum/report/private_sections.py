"""What stands in a report for one reader alone: his own orders that wait, his own mistakes.

Nothing here filters: a view holds what its reader may see, and no more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from alexmagnum.board.model import Board
from alexmagnum.game.values import Receipt, Understood
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge.outcome import Outcome
from alexmagnum.notation import order_in, write_order
from alexmagnum.position import parse_phase
from alexmagnum.report.document import Items, Section
from alexmagnum.report.names import phase_name, power_name
from alexmagnum.report.phase_context import GM
from alexmagnum.report.views import View

REMARKABLE = ("doubtful", "impossible", "unreadable", "ambiguous", "replaced")
"""The verdicts that a reader wants to know of."""

BLANK = dict.fromkeys(("by", "units", "strength", "against", "powers", "place", "room"), "")
"""What a reason's sentence may name."""


def pending_orders_section(view: View, sentences: Sentences) -> Section | None:
    """The orders that wait for the open phase, with what is still missing."""
    lines = [
        _titled(view, power, _listed(orders, sentences), sentences)
        for power, orders in view.content.pending.items()
        if orders
    ]
    if view.content.outcome is None:
        lines += [
            _titled(view, power, _missing(receipt.missing, sentences), sentences)
            for power, receipt in view.content.receipts.items()
            if receipt.missing
        ]
    if not lines:
        return None
    return Section("pending", sentences.format("season-pending"), Items(tuple(lines)))


def _listed(orders: Iterable[str], sentences: Sentences) -> str:
    """Canonical orders in the reader's language."""
    return "; ".join(order_in(order, sentences.lang) for order in orders)


def _missing(missing: tuple[str, ...], sentences: Sentences) -> str:
    """What has no order yet.

    Units and centres stand by name; builds, removals and picks have no name and are counted.
    """
    counted = {
        code: missing.count(thing)
        for thing, code in (("Build", "builds-due"), ("Remove", "removals-due"))
        if thing in missing
    }
    named = [thing for thing in missing if thing not in ("Build", "Remove", "Pick")]
    said = [sentences.format(code, count=count) for code, count in counted.items()]
    said += [sentences.format("due-pick")] if "Pick" in missing else []
    return sentences.format("still-missing", things=", ".join([*named, *said]))


def orders_ahead_section(view: View, sentences: Sentences) -> Section | None:
    """The orders kept for later phases."""
    lines = tuple(
        _titled(
            view,
            power,
            f"{sentences.format(f'ahead-{kind}')}: {_listed(orders, sentences)}",
            sentences,
        )
        for power, kinds in view.content.ahead.items()
        for kind, orders in kinds.items()
        if orders
    )
    if not lines:
        return None
    return Section(
        "ahead", sentences.format("season-ahead"), Items(lines), sentences.format("ahead-note")
    )


def remarks_section(view: View, sentences: Sentences) -> Section | None:
    """The lines of a mail that were no order that counts, or were read with a guess."""
    lines = tuple(
        _titled(view, power, said, sentences)
        for power, receipt in view.content.receipts.items()
        for said in _remarks(_unresolved(receipt, view.content.outcome), view, sentences)
    )
    return Section("remarks", sentences.format("season-remarks"), Items(lines)) if lines else None


def _unresolved(receipt: Receipt, outcome: Outcome | None) -> Iterator[Understood]:
    """The lines of a mail but for those whose result says what was wrong with them."""
    listed = outcome.results if outcome is not None else ()
    told = {write_order(entry.order) for entry in listed if entry.power == receipt.power}
    for line in receipt.lines:
        if not (line.verdict == "impossible" and line.order in told):
            yield line


def _remarks(lines: Iterable[Understood], view: View, sentences: Sentences) -> Iterator[str]:
    for line in lines:
        if line.verdict in REMARKABLE:
            yield format_remark(line, view.content.position.board, sentences)


def format_remark(line: Understood, board: Board, sentences: Sentences, near: str = "") -> str:
    """A line of a mail with what is said of it, and with what may be meant."""
    data = {name: _named(name, value, board, sentences) for name, value in line.data.items()}
    why = sentences.format(line.code, **{**BLANK, **data})
    return sentences.format("remark", text=" ".join(line.text.split()), why=why, near=near)


def _named(key: str, value: str, board: Board, sentences: Sentences) -> str:
    """A value of a sentence: powers, provinces and phases by their names."""
    if key in ("power", "powers"):
        return ", ".join(power_name(board, power, sentences) for power in value.split(", "))
    if key == "place" and value in board.provinces:
        return board.provinces[value].name(sentences.lang)
    if key in ("asked", "current"):
        return _phase(value, board, sentences)
    return value


def _phase(name: str, board: Board, sentences: Sentences) -> str:
    try:
        return phase_name(parse_phase(name, board.rules.picks), board, sentences)
    except ValueError:
        return name


def _titled(view: View, power: str, text: str, sentences: Sentences) -> str:
    """A line with its power's name, for a reader who sees those of several."""
    if view.recipient != GM:
        return text
    return f"{power_name(view.content.position.board, power, sentences)}: {text}"
