"""The commands ``options``, ``bot`` and ``engine``."""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from random import Random
from typing import BinaryIO

import click

from alexmagnum.board.model import INDEPENDENT, Board
from alexmagnum.bots import BOTS, load_bot
from alexmagnum.bots.outlook import Advice, give_reasons
from alexmagnum.cases.engine import LONGEST, Engine
from alexmagnum.cases.files import Resolution, resolve_turn
from alexmagnum.cli import Command, base
from alexmagnum.cli.turns import position_title, read_any_turn, read_turn_orders
from alexmagnum.errors import AlexMagnumError
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge.options import legal_orders, legal_orders_of, put_fitting_first
from alexmagnum.notation import order_in, read_unit, write_order
from alexmagnum.notation.names import localize_labels, power_name
from alexmagnum.orders import Build, Disband, Order, Pick, Remove, Waive
from alexmagnum.position import Position
from alexmagnum.report.words import phase_name
from alexmagnum.whatif.perft import Choice, Tally, choices, joint_outcomes, joint_sets, kind_of

# The command ``options``: the legal orders of a unit or power, and counts of them (perft).


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


@click.command(cls=Command)
@click.argument("turn", type=base.PATH)
@click.argument("unit", required=False)
@click.option(
    "--power", "powers", multiple=True, metavar="POWER", help="Only the orders of this power."
)
@click.option(
    "--outcomes", is_flag=True, help="Adjudicate all joint order sets and count the outcomes."
)
# The usual limit takes a few seconds of work.
@base.number_option("--limit", 100_000, "With --outcomes: the largest number of joint order sets.")
@base.map_option
def options(
    call: base.Call,
    turn: Path,
    unit: str | None,
    powers: tuple[str, ...],
    outcomes: bool,
    limit: int,
    map_id: str | None,
) -> None:
    """List the legal orders of a unit or a power, or count those of a position.

    TURN is a turn file or a mail with a position.  With UNIT, written as in an order ('A MEN',
    'Menfi', 'EGE#2'), all its legal orders are listed; with --power all legal orders of the power;
    with neither, the number of orders of each kind for every unit or power.  Orders in TURN matter
    only for this: supports and convoys that fit them are listed first.

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
    resolution = resolve_turn(read_any_turn(turn, map_id).turn)
    position = resolution.position
    asked = base.find_powers(position.board, powers)
    if unit is not None:
        if outcomes or len(asked) > 1:
            raise click.UsageError("UNIT goes with one --power at most, and without --outcomes.")
        _list_unit(call, resolution, unit, asked[0] if asked else None)
    elif asked and not outcomes:
        _list_powers(call, resolution, asked)
    else:
        _print_counts(call, position, asked, limit if outcomes else 0)


# -- lists -------------------------------------------------------------------------------------


def _list_unit(call: base.Call, turn: Resolution, text: str, power: str | None) -> None:
    position = turn.position
    unit, notices = read_unit(text, position, power)
    for notice in notices:
        said = call.format(notice.code, **notice.data)
        click.echo(localize_labels(said, position.board, call.sentences.lang), err=True)
    orders = legal_orders(position, unit) if unit in position.orderable else ()
    orders = put_fitting_first(orders, turn.orders.get(unit.power, ()))
    name = power_name(position.board, unit.power, call.sentences)
    lines = _order_lines(f"{position.name(unit)} ({name})", orders, call.sentences)
    call.answer(_list_json(position, {unit.power: orders}), lines)


def _list_powers(call: base.Call, turn: Resolution, powers: Sequence[str]) -> None:
    position = turn.position
    listed = {
        power: put_fitting_first(legal_orders_of(position, power), turn.orders.get(power, ()))
        for power in powers
    }
    lines = [position_title(position, call.sentences)]
    for power, orders in listed.items():
        name = power_name(position.board, power, call.sentences)
        by_unit = {name: orders}
        if orders and position.phase.kind in BY_UNIT:
            by_unit = {f"{u} ({name})": tuple(found) for u, found in groupby(orders, _unit_of)}
        for heading, found in by_unit.items():
            lines += ["", *_order_lines(heading, found, call.sentences)]
    call.answer(_list_json(position, listed), lines)


def _unit_of(order: Order) -> str | None:
    return None if isinstance(order, (Build, Waive, Pick)) else order.unit


def _order_lines(heading: str, orders: Sequence[Order], sentences: Sentences) -> Iterator[str]:
    """Yield the orders as players write them, below a heading with their number."""
    count = sentences.format("options-orders" if orders else "options-no-orders", count=len(orders))
    yield base.style(f"{heading}: {count}", bold=True)
    for order in orders:
        yield "  " + order_in(write_order(order), sentences.lang)


def _list_json(position: Position, listed: Mapping[str, Sequence[Order]]) -> dict[str, object]:
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
    return {"phase": str(position.phase), "orders": entries}


# -- figures -----------------------------------------------------------------------------------


def _print_counts(call: base.Call, position: Position, powers: Sequence[str], limit: int) -> None:
    found = choices(position, powers)
    sets = joint_sets(found)
    if limit and sets > limit:
        data = {"sets": _format_number(sets), "limit": _format_number(limit)}
        raise AlexMagnumError("too-many-sets", **data)
    tally = _tally_outcomes(position, found, sets) if limit else None
    lines = (
        position_title(position, call.sentences),
        *_table_lines(position, found, call.sentences),
        *_sum_lines(found, tally, call.sentences),
    )
    stopped = tally is not None and tally.sets < sets
    call.answer(_counts_json(position, found, tally), lines, failed=stopped)


def _tally_outcomes(position: Position, found: Sequence[Choice], sets: int) -> Tally:
    tally = Tally()
    try:
        # Ten thousand take more than about a second.
        for outcome in base.show_bar(joint_outcomes(position, found), sets, 10_000):
            tally.add(outcome)
    except KeyboardInterrupt:
        click.echo(err=True)
    return tally


def _table_lines(
    position: Position, found: Sequence[Choice], sentences: Sentences
) -> Iterator[str]:
    """Yield a row for each unit, or for each power with the number of its order sets."""
    kinds = KINDS[position.phase.kind]
    by_unit = position.phase.kind in BY_UNIT
    heads = [
        sentences.format(f"options-{name}")
        for name in (*kinds, "all", *([] if by_unit else ["sets"]))
    ]
    if not by_unit:
        yield "\n" + _row("", heads, heads)
    for power, theirs in groupby(found, lambda choice: choice.power):
        name = power_name(position.board, power, sentences)
        if by_unit:
            yield "\n" + base.style(_row(name.upper(), heads, heads), bold=True)
        for choice in theirs:
            counts = [choice.kinds[kind] for kind in kinds]
            cells = [_format_number(count) if count else "-" for count in counts]
            cells.append(_format_number(len(choice.orders)))
            if choice.unit is None:
                cells.append(_format_number(choice.count))
            yield _row(position.name(choice.unit) if choice.unit else name, cells, heads)


def _row(label: str, cells: Sequence[str], heads: Sequence[str]) -> str:
    pairs = zip(cells, heads, strict=True)
    return f"  {label:<14}" + "  ".join(f"{cell:>{max(len(head), 6)}}" for cell, head in pairs)


def _sum_lines(found: Sequence[Choice], tally: Tally | None, sentences: Sentences) -> Iterator[str]:
    sets = joint_sets(found)
    if not found:
        yield sentences.format("options-nothing-due")
    counts = {"orders": sum(len(choice.orders) for choice in found), "sets": sets}
    numbers = {name: _format_number(count) for name, count in counts.items()}
    yield "\n" + sentences.format("options-sums", **numbers)
    if tally is None:
        return
    if tally.sets < sets:
        yield sentences.format("options-stopped", sets=_format_number(tally.sets))
    yield sentences.format("options-outcomes", outcomes=_format_number(len(tally.states)))
    for code, counts in (("options-results", tally.results), ("options-losses", tally.losses)):
        figures = ", ".join(
            f"{sentences.format('result-' + word)} {_format_number(count)}"
            for word, count in counts.most_common()
            if count
        )
        if figures:
            yield sentences.format(code, figures=figures)


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


# The command ``bot``: the orders that a bot would give, with its reasons.


@click.command(cls=Command)
@click.argument("turn", type=base.PATH)
@click.argument("power")
@click.option(
    "--level",
    type=click.Choice(list(BOTS)),
    default="search",
    show_default=True,
    help="The bot: random decides by chance, dumb goes for near centres, blend looks a phase ahead,"
    " search a year.",
)
@base.number_option("--seed", 1, "A whole number; another one may give other orders.", least=0)
@base.map_option
def bot(call: base.Call, turn: Path, power: str, level: str, seed: int, map_id: str | None) -> None:
    """Advise a power: the orders that a bot would give, with the reason for each.

    TURN is a turn file or a mail with a position; its orders are ignored, because a bot sees the
    position alone.  The reason names the centre that an order is for, and the strongest rival who
    can be there.  The same seed gives the same orders.

    \b
    Example:
      alexmagnum bot orders/turn.yaml Ptolemy
      alexmagnum bot orders/turn.yaml TOL --level blend --seed 3
    """
    position = read_turn_orders(read_any_turn(turn, map_id).turn).position
    (asked,) = base.find_powers(position.board, [power])
    advice = give_reasons(position, asked, load_bot(level).orders(position, asked, Random(seed)))
    name = power_name(position.board, asked, call.sentences)
    phase = phase_name(position.phase, position.board, call.sentences)
    lines = [base.style(call.format("bot-title", bot=level, power=name, phase=phase), bold=True)]
    if not advice:
        lines.append(f"  {call.format('bot-no-orders')}")
    texts = [order_in(write_order(entry.order), call.sentences.lang) for entry in advice]
    width = max(map(len, texts), default=0)
    for text, entry in zip(texts, advice, strict=True):
        reason = _format_reason(position.board, entry, asked, call.sentences)
        lines.append(f"  {text:<{width}}  {reason}".rstrip())
    advised = [
        {"order": write_order(entry.order), **base.pick(entry, "aim", "owner", "rival", "strength")}
        for entry in advice
    ]
    data = {"phase": str(position.phase), "power": asked, "bot": level, "orders": advised}
    call.answer(data, lines)


def _format_reason(board: Board, entry: Advice, power: str, sentences: Sentences) -> str:
    """Return the reason for an order as a sentence, "" if there is none."""
    parts = []
    if entry.aim:
        is_leaving = isinstance(entry.order, Disband | Remove)  # its unit goes for nothing any more
        if entry.owner == power:
            code = "bot-defends-no-more" if is_leaving else "bot-defends"
        else:
            code = "bot-wants-no-more" if is_leaving else "bot-wants"
        centre = board.provinces[entry.aim].name(sentences.lang)
        owner = _name_owner(board, entry, sentences)
        parts.append(sentences.format(code, centre=centre, owner=owner))
    if entry.rival:
        code = "bot-garrison" if entry.rival == INDEPENDENT else "bot-rival"
        rival = power_name(board, entry.rival, sentences)
        parts.append(sentences.format(code, rival=rival, strength=entry.strength))
    return "; ".join(parts)


def _name_owner(board: Board, entry: Advice, sentences: Sentences) -> str:
    if entry.owner:
        return power_name(board, entry.owner, sentences)
    independent = board.provinces[entry.aim].centre == "independent"
    return sentences.format("bot-independent" if independent else "bot-nobody")


# The command ``engine``: the judge for programs in any language, a line of JSON at a time.


@click.command(cls=Command, json=False)
def engine(call: base.Call) -> None:
    """Answer requests of a program: one JSON request a line in, one JSON answer a line out.

    A request gives a position, or orders for it, singly or many sets at once.  Every line gets an
    answer; a bad request gets one with "ok": false, a code and a sentence.  The command ends when
    its input ends.  docs/engine.md explains requests and answers; {"op": "help"} lists them.

    \b
    Example:
      echo '{"op": "position", "map": "standard"}' | alexmagnum engine
      alexmagnum engine < requests.txt > answers.txt
    """
    conversation = Engine(call.sentences.lang)
    output = sys.stdout.buffer
    for line in _read_lines(sys.stdin.buffer):
        try:
            output.write(conversation.answer(line).encode("ascii") + b"\n")
            output.flush()
        except OSError:  # nobody reads on
            _drop_output()
            return


def _read_lines(source: BinaryIO) -> Iterator[bytes | None]:
    """Yield the lines that are not blank; None for one that is too long, which is not kept."""
    while line := source.readline(LONGEST + 2):
        if len(line.rstrip(b"\r\n")) > LONGEST:
            while not line.endswith(b"\n"):
                if not (line := source.readline(LONGEST)):
                    break
            yield None
        elif line.strip():
            yield line


def _drop_output() -> None:
    """Send what is left to write nowhere, so that the interpreter ends without a complaint."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
