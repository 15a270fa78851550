"""Hypothetical orders in words: their report, the assumptions behind it, orders for a mail."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from alexmagnum.game.required_orders import find_missing_orders, find_required_orders
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge.outcome import ILLEGAL, STANDS, Outcome
from alexmagnum.notation import Line, order_in, write_order
from alexmagnum.orders import Order
from alexmagnum.report.names import power_name
from alexmagnum.report.turn_report import ReportLine, TurnReport, compose_turn_report
from alexmagnum.whatif.position_finder import FoundPosition, PositionSearch


def compose_hypothetical_report(
    outcome: Outcome, lines: Sequence[Line], sentences: Sentences, *, chains: bool = False
) -> TurnReport:
    """Compose the report of a hypothetical turn.

    It leaves out units that hold because they have no order: :func:`describe_assumptions` names
    those.  Of a power without orders it shows only what happened to its units.
    """
    report = compose_turn_report(outcome, lines, sentences, chains=chains, for_writer=True)
    board = outcome.position.board
    ordering = {power_name(board, line.power, sentences) for line in lines if line.power}
    sections = [
        replace(section, lines=tuple(x for x in section.lines if not _is_idle(x, sentences)))
        for section in report.powers
    ]
    return replace(report, powers=tuple(s for s in sections if s.lines or s.power in ordering))


def _is_idle(line: ReportLine, sentences: Sentences) -> bool:
    """Return whether a line is about a unit that holds because it has no order."""
    return line.result == STANDS and line.order == f"{line.unit} {sentences.format('no-order')}"


def describe_position_source(
    search: PositionSearch, path: str, sentences: Sentences
) -> Iterator[str]:
    """Yield where the position was found, and which other positions are ignored."""
    yield sentences.format("whatif-found", path=path, line=search.taken.line)
    if search.others:
        phases = ", ".join(_format_found(found, sentences) for found in search.others)
        yield sentences.format("whatif-others", phases=phases)


def _format_found(found: FoundPosition, sentences: Sentences) -> str:
    """Return the phase of a found position, or the line at which it is broken."""
    if found.position is None:
        return sentences.format("whatif-broken", line=found.line)
    return str(found.position.phase)


# -- what is assumed -------------------------------------------------------------------------------


def describe_assumptions(outcome: Outcome, sentences: Sentences) -> Iterator[str]:
    """Yield what the rules assume for missing orders.

    Powers with valid orders have a line each with their units; all others share one line.
    """
    kind = outcome.position.phase.kind
    orders = group_valid_orders(outcome)
    left = list_unordered_units(outcome)
    board = outcome.position.board
    for power, things in left.items():
        if orders.get(power):
            removes = kind == "winter" and "Remove" in things
            gone = [outcome.position.name(u) for u in outcome.removed if u.power == power]
            yield sentences.format(
                "whatif-left-removals" if removes else f"whatif-left-{kind}",
                power=power_name(board, power, sentences),
                units=", ".join(gone if removes else things),
                count=len(things),
            )
    silent = [power_name(board, power, sentences) for power in left if not orders.get(power)]
    if silent:
        yield sentences.format(f"whatif-silent-{kind}", powers=", ".join(silent))


def group_valid_orders(outcome: Outcome) -> Mapping[str, Sequence[Order]]:
    """Return the legal orders by power, in the map's order."""
    orders: dict[str, list[Order]] = {power: [] for power in outcome.position.board.powers}
    for entry in outcome.results:
        if entry.result != ILLEGAL and entry.power in orders:
            orders[entry.power].append(entry.order)
    return {power: listed for power, listed in orders.items() if listed}


def list_unordered_units(outcome: Outcome) -> Mapping[str, Sequence[str]]:
    """Return what each power left without an order, by power.

    It is units by name, or ``Build``, ``Remove``, ``Pick`` or a centre as in
    :func:`alexmagnum.game.required_orders.find_required_orders`.
    """
    position = outcome.position
    if position.phase.kind not in ("movement", "retreats"):
        return find_missing_orders(position, group_valid_orders(outcome))
    ordered = {position.name(e.unit) for e in outcome.results if e.unit and e.result != ILLEGAL}
    left = {
        p: [n for n in units if n not in ordered]
        for p, units in find_required_orders(position).items()
    }
    return {power: units for power, units in left.items() if units}


# -- to paste --------------------------------------------------------------------------------------


def format_orders_to_paste(
    outcome: Outcome, sentences: Sentences, powers: Sequence[str] = ()
) -> Iterator[str]:
    """Yield the legal orders as lines to send: each power's name, then its orders.

    ``powers`` limits them to some powers, in that order; a note marks a power without orders.
    """
    orders = group_valid_orders(outcome)
    for power in powers or orders:
        yield ""
        yield power_name(outcome.position.board, power, sentences)
        listed = [order_in(write_order(order), sentences.lang) for order in orders.get(power, ())]
        yield from listed or [f"({sentences.format('whatif-nothing-ordered')})"]
