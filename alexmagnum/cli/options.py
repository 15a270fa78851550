"""``options``: the legal orders of a unit or a power, and counts of them for testers (perft)."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

import click

from alexmagnum.cases.case_files import read_turn
from alexmagnum.cases.resolution import resolve_turn
from alexmagnum.cli.output import find_powers, lang_option, print_json, style
from alexmagnum.errors import AlexMagnumError
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge import Outcome
from alexmagnum.judge.options import legal_orders, legal_orders_of
from alexmagnum.notation import order_in, read_unit, write_order
from alexmagnum.orders import Build, Order, Pick, Waive
from alexmagnum.position import Position
from alexmagnum.report.names import phase_name, power_name
from alexmagnum.whatif.perft import Choice, Tally, choices, joint_outcomes, joint_sets, kind_of

KINDS = {
    "movement": ("hold", "move", "support", "convoy"),
    "retreats": ("retreat", "disband"),
    "winter": ("build", "remove", "waive"),
    "deployment": ("build", "waive"),
    "picks": ("pick",),
}
"""The kinds of order of each phase, as they are tabled."""

BY_UNIT = ("movement", "retreats")
"""The phases in which units get orders; in the others powers do."""

LIMIT = 100_000
"""Joint order sets that are counted by default: they take some seconds."""

LEAST_SHOWN = 10_000
"""Joint order sets from which on a progress bar is shown: they take about a second."""


@click.command()
@click.argument("turn", type=click.Path(path_type=Path))
@click.argument("unit", required=False)
@click.option("--power", "powers", multiple=True, metavar="POWER", help="Only of this power.")
@click.option(
    "--outcomes", is_flag=True, help="Go through all joint order sets, and count what comes out."
)
@click.option(
    "--limit",
    type=click.IntRange(1),
    default=LIMIT,
    show_default=True,
    help="With --outcomes: how many joint order sets at most.",
)
@click.option("--map", "map_id", metavar="ID", help="Map, if the turn file names none.")
@click.option("--json", "as_json", is_flag=True, help="For machines: see docs/options.md.")
@lang_option
def options(
    turn: Path,
    unit: str | None,
    powers: tuple[str, ...],
    outcomes: bool,
    limit: int,
    map_id: str | None,
    as_json: bool,
    sentences: Sentences,
) -> None:
    """List the legal orders of a unit or a power, or count those of a position.

    TURN is a turn file; orders in it are left aside.  With UNIT, written as in an order ('A MEN',
    'Menfi', 'EGE#2'), all its legal orders are listed; with --power those of the power; with
    neither, how many orders of each kind everybody has.

    --outcomes goes through every joint order set (one legal order for every unit; in winter, picks
    and deployment all that each power may order) and counts the different positions that come
    out.  With --power too, only these powers order anything.  More sets than --limit are not begun
    with; Ctrl-C stops it and prints what is known so far.  In both cases it exits with 1.

    \b
    Example:
      alexmagnum options orders/turn.yaml "F EGE#2"
      alexmagnum options orders/turn.yaml --power TOL
      alexmagnum options orders/turn.yaml
      alexmagnum options small.yaml --outcomes --limit 500000
    """
    position = resolve_turn(read_turn(turn, map_id)).position
    asked = find_powers(position.board, powers)
    if unit is not None:
        if outcomes or len(asked) > 1:
            raise click.UsageError("UNIT goes with one --power at most, and without --outcomes.")
        _list_unit(position, unit, asked[0] if asked else None, as_json, sentences)
    elif asked and not outcomes:
        _list_powers(position, asked, as_json, sentences)
    else:
        _count(position, asked, limit if outcomes else 0, as_json, sentences)


# -- lists -------------------------------------------------------------------------------------


def _list_unit(
    position: Position, text: str, power: str | None, as_json: bool, sentences: Sentences
) -> None:
    unit, notices = read_unit(text, position, power)
    for notice in notices:
        click.echo(sentences.format(notice.code, **notice.data), err=True)
    orders = legal_orders(position, unit) if unit in position.orderable else ()
    if as_json:
        _print_list_json(position, {unit.power: orders})
        return
    name = power_name(position.board, unit.power, sentences)
    _print_orders(f"{position.name(unit)} ({name})", orders, sentences)


def _list_powers(
    position: Position, powers: Sequence[str], as_json: bool, sentences: Sentences
) -> None:
    listed = {power: legal_orders_of(position, power) for power in powers}
    if as_json:
        _print_list_json(position, listed)
        return
    click.echo(_title(position, sentences))
    for power, orders in listed.items():
        name = power_name(position.board, power, sentences)
        if not orders or position.phase.kind not in BY_UNIT:
            click.echo()
            _print_orders(name, orders, sentences)
            continue
        for unit, found in groupby(orders, _unit_of):
            click.echo()
            _print_orders(f"{unit} ({name})", list(found), sentences)


def _unit_of(order: Order) -> str | None:
    """Return the unit on the board that an order is for; None for builds, waives and picks."""
    return None if isinstance(order, (Build, Waive, Pick)) else order.unit


def _print_orders(whose: str, orders: Sequence[Order], sentences: Sentences) -> None:
    """Print a heading with the owner and the number of orders, then the orders."""
    told = (
        sentences.format("options-orders", count=len(orders))
        if orders
        else sentences.format("options-no-orders")
    )
    click.echo(style(f"{whose}: {told}", bold=True))
    for order in orders:
        click.echo("  " + order_in(write_order(order), sentences.lang))


def _print_list_json(position: Position, listed: Mapping[str, Sequence[Order]]) -> None:
    entries = [
        {
            "power": power,
            "unit": _unit_of(order),
            "kind": kind_of(order),
            "order": write_order(order),
        }
        for power, orders in listed.items()
        for order in orders
    ]
    print_json({"phase": str(position.phase), "orders": entries})


# -- figures -----------------------------------------------------------------------------------


def _count(
    position: Position, powers: Sequence[str], limit: int, as_json: bool, sentences: Sentences
) -> None:
    """Print how many orders there are, and with a limit the outcomes of all joint order sets."""
    found = choices(position, powers)
    sets = joint_sets(found)
    if limit and sets > limit:
        data = {"sets": _figure(sets), "limit": _figure(limit)}
        raise AlexMagnumError("too-many-sets", **data)
    tally = _count_outcomes(position, found, sets) if limit else None
    if as_json:
        print_json(_counts_json(position, found, tally))
    else:
        click.echo(_title(position, sentences))
        _print_table(position, found, sentences)
        _print_sums(found, tally, sentences)
    if tally and tally.sets < sets:
        sys.exit(1)


def _count_outcomes(position: Position, found: Sequence[Choice], sets: int) -> Tally:
    """Count the outcomes of all joint order sets; Ctrl-C returns what has been counted so far."""
    tally = Tally()
    try:
        for outcome in _show_progress(joint_outcomes(position, found), sets):
            tally.add(outcome)
    except KeyboardInterrupt:
        click.echo(err=True)
    return tally


def _show_progress(outcomes: Iterator[Outcome], sets: int) -> Iterator[Outcome]:
    """Yield the outcomes; show a progress bar on a terminal if there are many."""
    if sets < LEAST_SHOWN or not sys.stderr.isatty():
        yield from outcomes
        return
    with click.progressbar(outcomes, length=sets, file=sys.stderr, update_min_steps=500) as bar:
        yield from bar


def _print_table(position: Position, found: Sequence[Choice], sentences: Sentences) -> None:
    """Print a row for each unit, or for each power with the number of its order sets."""
    kinds = KINDS[position.phase.kind]
    by_unit = position.phase.kind in BY_UNIT
    heads = [
        sentences.format(f"options-{name}")
        for name in (*kinds, "all", *([] if by_unit else ["sets"]))
    ]
    if not by_unit:
        click.echo("\n" + _row("", heads, heads))
    for power, theirs in groupby(found, lambda choice: choice.power):
        name = power_name(position.board, power, sentences)
        if by_unit:
            click.echo("\n" + style(_row(name.upper(), heads, heads), bold=True))
        for choice in theirs:
            label = position.name(choice.unit) if choice.unit else name
            click.echo(_row(label, _cells(choice, kinds), heads))


def _cells(choice: Choice, kinds: Sequence[str]) -> list[str]:
    """Return the counts of orders by kind and in all, and for a power that of order sets."""
    counts = choice.kinds
    cells = [_figure(counts[kind]) if counts[kind] else "-" for kind in kinds]
    sets = [] if choice.unit else [_figure(choice.count)]
    return [*cells, _figure(len(choice.orders)), *sets]


def _row(label: str, cells: Sequence[str], heads: Sequence[str]) -> str:
    pairs = zip(cells, heads, strict=True)
    return f"  {label:<14}" + "  ".join(f"{cell:>{max(len(head), 6)}}" for cell, head in pairs)


def _print_sums(found: Sequence[Choice], tally: Tally | None, sentences: Sentences) -> None:
    orders = sum(len(choice.orders) for choice in found)
    sets = joint_sets(found)
    if not found:
        click.echo(sentences.format("options-nothing-due"))
    click.echo("\n" + sentences.format("options-sums", orders=_figure(orders), sets=_figure(sets)))
    if tally is None:
        return
    if tally.sets < sets:
        click.echo(sentences.format("options-stopped", sets=_figure(tally.sets)))
    click.echo(sentences.format("options-outcomes", outcomes=_figure(len(tally.states))))
    for code, counts in (("options-results", tally.results), ("options-losses", tally.losses)):
        figures = ", ".join(
            f"{sentences.format('result-' + word)} {_figure(count)}"
            for word, count in counts.most_common()
            if count
        )
        if figures:
            click.echo(sentences.format(code, figures=figures))


def _counts_json(
    position: Position, found: Sequence[Choice], tally: Tally | None
) -> dict[str, object]:
    data: dict[str, object] = {
        "phase": str(position.phase),
        "choices": [
            {
                "power": choice.power,
                "unit": position.name(choice.unit) if choice.unit else None,
                "orders": dict(choice.kinds),
                "alternatives": choice.count,
            }
            for choice in found
        ],
        "orders": sum(len(choice.orders) for choice in found),
        "sets": joint_sets(found),
    }
    if tally is not None:
        data["counted"] = tally.sets
        data["outcomes"] = len(tally.states)
        data["results"] = dict(sorted(tally.results.items()))
        data["losses"] = dict(sorted(tally.losses.items()))
    return data


def _figure(count: int) -> str:
    """Return a number for people to read: 12 345, or 3.1 x 10^21 if it is very large."""
    if count < 10**12:
        return f"{count:,}".replace(",", " ")
    mantissa, exponent = f"{count:.1e}".split("e")
    return f"{mantissa} x 10^{int(exponent)}"


def _title(position: Position, sentences: Sentences) -> str:
    board = position.board
    name = phase_name(position.phase, board, sentences)
    return style(f"{board.name(sentences.lang)} — {name}", bold=True)
