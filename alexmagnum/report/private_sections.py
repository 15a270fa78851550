"""The sections of a report for one reader alone: their waiting orders and their mistakes.

Nothing here filters: a view holds what its reader may see, and no more.
"""

from __future__ import annotations

import re
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
"""The verdicts on a line that its writer should know about."""

BLANK = dict.fromkeys(("by", "units", "strength", "against", "powers", "place", "room"), "")
"""Empty values for everything that a reason's sentence may mention."""


def pending_orders_section(view: View, sentences: Sentences) -> Section | None:
    """Return the waiting orders for the open phase and what is still missing."""
    lines = [
        _with_power(view, power, _format_orders(orders, sentences), sentences)
        for power, orders in view.content.pending.items()
        if orders
    ]
    if view.content.outcome is None:
        lines += [
            _with_power(view, power, _format_missing(receipt.missing, sentences), sentences)
            for power, receipt in view.content.receipts.items()
            if receipt.missing
        ]
    if not lines:
        return None
    return Section("pending", sentences.format("section-pending"), Items(tuple(lines)))


def _format_orders(orders: Iterable[str], sentences: Sentences) -> str:
    """Return canonical orders in the reader's language, on one line."""
    return "; ".join(order_in(order, sentences.lang) for order in orders)


def _format_missing(missing: tuple[str, ...], sentences: Sentences) -> str:
    """Return in words what has no order yet.

    Units and centres are named; builds, removals and picks have no names and are counted.
    """
    counted = {
        code: missing.count(thing)
        for thing, code in (("Build", "builds-due"), ("Remove", "removals-due"))
        if thing in missing
    }
    named = [thing for thing in missing if thing not in ("Build", "Remove", "Pick")]
    unnamed = [sentences.format(code, count=count) for code, count in counted.items()]
    unnamed += [sentences.format("due-pick")] if "Pick" in missing else []
    return sentences.format("still-missing", things=", ".join([*named, *unnamed]))


def orders_ahead_section(view: View, sentences: Sentences) -> Section | None:
    """Return the orders kept for later phases."""
    lines = tuple(
        _with_power(
            view,
            power,
            f"{sentences.format(f'ahead-{kind}')}: {_format_orders(orders, sentences)}",
            sentences,
        )
        for power, kinds in view.content.ahead.items()
        for kind, orders in kinds.items()
        if orders
    )
    if not lines:
        return None
    return Section(
        "ahead", sentences.format("section-ahead"), Items(lines), sentences.format("ahead-note")
    )


def remarks_section(view: View, sentences: Sentences) -> Section | None:
    """Return the lines of a mail that do not count as orders or were read with a guess."""
    lines = tuple(
        _with_power(view, power, remark, sentences)
        for power, receipt in view.content.receipts.items()
        for remark in _remarks(receipt, view, sentences)
    )
    return Section("remarks", sentences.format("section-remarks"), Items(lines)) if lines else None


def _lines_without_result(receipt: Receipt, outcome: Outcome | None) -> Iterator[Understood]:
    """Yield the lines of a mail, except illegal orders that the report lists with their reason."""
    listed = outcome.results if outcome is not None else ()
    resolved = {write_order(entry.order) for entry in listed if entry.power == receipt.power}
    for line in receipt.lines:
        if not (line.verdict == "impossible" and line.order in resolved):
            yield line


def _remarks(receipt: Receipt, view: View, sentences: Sentences) -> Iterator[str]:
    """Yield a remark for each line of a mail that its writer should know about."""
    for line in _lines_without_result(receipt, view.content.outcome):
        if line.verdict in REMARKABLE:
            yield format_remark(line, view.content.position.board, sentences)


def format_remark(line: Understood, board: Board, sentences: Sentences, near: str = "") -> str:
    """Return a line of a mail with a remark on it; ``near`` are suggestions."""
    data = {name: _format_value(name, value, board, sentences) for name, value in line.data.items()}
    why = sentences.format(line.code, **{**BLANK, **data})
    return sentences.format("remark", text=" ".join(line.text.split()), why=why, near=near)


def localize_suggestions(text: str, board: Board, lang: str) -> str:
    """Return suggestions as stored, with the verbs of orders and the names of places in a language.

    >>> from alexmagnum.board import load_board
    >>> localize_suggestions("Build A TIR, BAB (Babilonia)", load_board("alexmagnum"), "en")
    'Build A TIR, BAB (Babylon)'
    """
    parts = re.split(r"(, |; )", text)
    orders = "".join(part if i % 2 else order_in(part, lang) for i, part in enumerate(parts))
    return re.sub(
        r"\b([^\W_]{2,}) \(([^()]+)\)", lambda label: _localize_label(label, board, lang), orders
    )


def _localize_label(label: re.Match[str], board: Board, lang: str) -> str:
    """Return the id and name of a place with the name in a language; other text stays."""
    province = board.provinces.get(label[1])
    if province is None or label[2] not in province.names.values():
        return label[0]
    return f"{province.id} ({province.name(lang)})"


def _format_value(key: str, value: str, board: Board, sentences: Sentences) -> str:
    """Return a value for a sentence: powers, provinces and phases by their names."""
    if key in ("power", "powers"):
        return ", ".join(power_name(board, power, sentences) for power in value.split(", "))
    if key == "place" and value in board.provinces:
        return board.provinces[value].name(sentences.lang)
    if key in ("orders", "choices"):
        return localize_suggestions(value, board, sentences.lang)
    if key in ("asked", "current"):
        return _format_phase(value, board, sentences)
    return value


def _format_phase(name: str, board: Board, sentences: Sentences) -> str:
    """Return a phase in words by its name, or the name itself if it is not a phase."""
    try:
        return phase_name(parse_phase(name, board.rules.picks), board, sentences)
    except ValueError:
        return name


def _with_power(view: View, power: str, text: str, sentences: Sentences) -> str:
    """Return a line, with the name of its power if the reader sees several powers' lines."""
    if view.recipient != GM:
        return text
    return f"{power_name(view.content.position.board, power, sentences)}: {text}"
