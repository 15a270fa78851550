"""The command ``options``: the legal orders of a unit or power, and counts of them (perft)."""

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
"""The kinds of order in each phase, in the order of the table's columns."""

BY_UNIT = ("movement", "retreats")
"""The phases in which units get orders; in the others powers order as a whole."""

LIMIT = 100_000
"""The default limit of joint order sets to count: a few seconds of work."""

LEAST_WITH_PROGRESS = 10_000
"""Progress is shown from this many joint order sets on: about a second of work."""


@click.command()
@click.argument("turn", type=click.Path(path_type=Path))
@click.argument("unit", required=False)
@click.option(
    "--power", "powers", multiple=True, metavar="POWER", help="Only the orders of this power."
)
@click.option(
    "--outcomes", is_flag=True, help="Adjudicate all joint order sets and count the outcomes."
)
@click.option(
    "--limit",
    type=click.IntRange(1),
    default=LIMIT,
    show_default=True,
    help="With --outcomes: the largest number of joint order sets.",
)
@click.option("--map", "map_id", metavar="ID", help="The map, if the turn file does not name one.")
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

    TURN is a turn file; its orders are ignored.  With UNIT, written as in an order ('A MEN',
    'Menfi', 'EGE#2'), all its legal orders are listed; with --power all legal orders of the
    power; with neither, the number of orders of each kind for every unit or power.

    --outcomes adjudicates every joint order set (one legal order for every unit; in winter, picks
    and deployment one order list for every power) and counts the different positions that result.
    With --power, only these powers give orders.  If there are more sets than --limit, nothing is
    counted; Ctrl-C stops the count and prints the figures so far.  In both cases it exits with 1.

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
        _print_counts(position, asked, limit if outcomes else 0, as_json, sentences)


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
    """Return the unit that an order is for; None for builds, waives and picks."""
    return None if isinstance(order, (Build, Waive, Pick)) else order.unit


def _print_orders(heading: str, orders: Sequence[Order], sentences: Sentences) -> None:
    """Print the orders as players write them, below a heading with their number."""
    count_text = (
        sentences.format("options-orders", count=len(orders))
        if orders
        else sentences.format("options-no-orders")
    )
    click.echo(style(f"{heading}: {count_text}", bold=True))
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


def _print_counts(
    position: Position, powers: Sequence[str], limit: int, as_json: bool, sentences: Sentences
) -> None:
    """Print the number of orders, and with a limit the outcomes of all joint order sets."""
    found = choices(position, powers)
    sets = joint_sets(found)
    if limit and sets > limit:
        data = {"sets": _format_number(sets), "limit": _format_number(limit)}
        raise AlexMagnumError("too-many-sets", **data)
    tally = _tally_outcomes(position, found, sets) if limit else None
    if as_json:
        print_json(_counts_json(position, found, tally))
    else:
        click.echo(_title(position, sentences))
        _print_table(position, found, sentences)
        _print_sums(found, tally, sentences)
    if tally and tally.sets < sets:
        sys.exit(1)


def _tally_outcomes(position: Position, found: Sequence[Choice], sets: int) -> Tally:
    """Count the outcomes of all joint order sets; after Ctrl-C return the counts so far."""
    tally = Tally()
    try:
        for outcome in _with_progress_bar(joint_outcomes(position, found), sets):
            tally.add(outcome)
    except KeyboardInterrupt:
        click.echo(err=True)
    return tally


def _with_progress_bar(outcomes: Iterator[Outcome], sets: int) -> Iterator[Outcome]:
    """Yield the outcomes, with a progress bar on a terminal if there are many."""
    if sets < LEAST_WITH_PROGRESS or not sys.stderr.isatty():
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
    """Return the number of orders of each kind, of all orders, and for a power of order sets."""
    counts = choice.kinds
    cells = [_format_number(counts[kind]) if counts[kind] else "-" for kind in kinds]
    sets = [] if choice.unit else [_format_number(choice.count)]
    return [*cells, _format_number(len(choice.orders)), *sets]


def _row(label: str, cells: Sequence[str], heads: Sequence[str]) -> str:
    pairs = zip(cells, heads, strict=True)
    return f"  {label:<14}" + "  ".join(f"{cell:>{max(len(head), 6)}}" for cell, head in pairs)


def _print_sums(found: Sequence[Choice], tally: Tally | None, sentences: Sentences) -> None:
    orders = sum(len(choice.orders) for choice in found)
    sets = joint_sets(found)
    if not found:
        click.echo(sentences.format("options-nothing-due"))
    click.echo(
        "\n"
        + sentences.format("options-sums", orders=_format_number(orders), sets=_format_number(sets))
    )
    if tally is None:
        return
    if tally.sets < sets:
        click.echo(sentences.format("options-stopped", sets=_format_number(tally.sets)))
    click.echo(sentences.format("options-outcomes", outcomes=_format_number(len(tally.states))))
    for code, counts in (("options-results", tally.results), ("options-losses", tally.losses)):
        figures = ", ".join(
            f"{sentences.format('result-' + word)} {_format_number(count)}"
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


def _format_number(count: int) -> str:
    """Return a number for people: ``12 345``, or ``3.1 x 10^21`` from a million million on."""
    if count < 10**12:
        return f"{count:,}".replace(",", " ")
    mantissa, exponent = f"{count:.1e}".split("e")
    return f"{mantissa} x 10^{int(exponent)}"


def _title(position: Position, sentences: Sentences) -> str:
    board = position.board
    name = phase_name(position.phase, board, sentences)
    return style(f"{board.name(sentences.lang)} — {name}", bold=True)
