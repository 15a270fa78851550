"""The commands ``submit`` and ``orders``: enter orders, and show pending orders.

The game master does not see orders: they are shown only with ``--open``, and the journal records
that they were opened.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path

import click

from alexmagnum.cli.arguments import read_power, read_text_of
from alexmagnum.cli.game_options import PATH, desk_command, json_option, reason_option
from alexmagnum.cli.output import print_json, style
from alexmagnum.errors import GameError
from alexmagnum.game.desk import Desk
from alexmagnum.game.values import Receipt
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.mail.letters.receipts import (
    find_kept_ahead,
    foot_lines,
    receipt_head,
    receipt_lines,
)
from alexmagnum.report.names import power_name
from alexmagnum.workflow.receipts import submit_orders

VERDICTS = ("good", "doubtful", "impossible", "unreadable", "ambiguous", "replaced", "untaken")
"""The verdicts on a line of a mail, except prose."""


@click.command()
@click.argument("power")
@click.argument("file", required=False, type=PATH)
@click.option("--open", "opened", is_flag=True, help="Show how every line was read (journaled).")
@json_option
@reason_option
@desk_command
def submit(
    desk: Desk,
    sentences: Sentences,
    power: str,
    file: Path | None,
    opened: bool,
    as_json: bool,
    reason: str,
) -> None:
    """Enter a power's orders for the open phase, as the player wrote them.

    They add to the orders that are in force, unit by unit, and the later order counts.  Begun with
    "all orders" or "annulla tutto" they replace them (see the setting second_mail).

    FILE is a text file; without it, or with '-', standard input is read.  The command prints
    figures, the units without an order, and the digest that seals the orders.  The receipt with
    every line is written for the player into the folder drafts.  Orders for later phases can
    follow under a heading (Retreats:, Builds:, Ritirate:, Costruzioni:).

    \b
    Example:
      alexmagnum submit TOL tolomeo.txt
    """
    asked = read_power(power, desk.board)
    text = read_text_of(file, sentences.lang)
    source = file.name if file else "-"
    submitted = submit_orders(desk, asked, text, source=source, reason=reason)
    receipt = submitted.receipt
    if opened:
        desk.pending(asked, reason=reason)
    if as_json:
        print_json(_receipt_json(receipt, opened))
        return
    if opened:
        click.echo("\n".join(receipt_lines(desk.game, receipt, sentences)))
    else:
        _print_figures(desk, receipt, sentences)
    click.echo(sentences.format("desk-draft", path=submitted.draft))


def _print_figures(desk: Desk, receipt: Receipt, sentences: Sentences) -> None:
    """Print the receipt without its orders."""
    click.echo(style(receipt_head(desk.position, receipt, sentences), bold=True))
    counts = Counter(line.verdict for line in receipt.lines if not line.ahead)
    for verdict in VERDICTS:
        if counts[verdict]:
            color = None if verdict == "good" else "yellow"
            click.echo(
                style(
                    f"  {sentences.format(f'desk-lines-{verdict}', count=counts[verdict])}", color
                )
            )
    ahead = len(find_kept_ahead(receipt))
    if ahead:
        click.echo(f"  {sentences.format('desk-lines-ahead', count=ahead)}")
    for line in _warning_lines(desk, receipt, sentences):
        click.echo(style(f"  {line}", "yellow"))
    for line in foot_lines(desk.game, receipt, sentences):
        click.echo(line)


def _warning_lines(desk: Desk, receipt: Receipt, sentences: Sentences) -> Iterator[str]:
    """Yield warnings that the mail may be for another phase or from another power."""
    second_hand = [line for line in receipt.lines if line.code == "second-hand"]
    if second_hand:
        powers = {str(line.data.get("power", "?")) for line in second_hand}
        named = ", ".join(power_name(desk.board, power, sentences) for power in sorted(powers))
        yield sentences.format("desk-second-hand", count=len(second_hand), powers=named)
    late = sum(line.code == "other-season" for line in receipt.lines)
    if late:
        yield sentences.format("desk-other-season", count=late)
    has_new_orders = any(line.verdict in ("good", "doubtful") for line in receipt.lines)
    if receipt.orders and not has_new_orders:
        yield sentences.format("desk-nothing-new")


def _receipt_json(receipt: Receipt, opened: bool) -> dict[str, object]:
    """Return the receipt as JSON data; its lines and orders only if they are opened."""
    data = asdict(receipt)
    lines = [{**line._asdict(), "data": dict(line.data)} for line in receipt.lines]
    data["lines"] = lines if opened else dict(Counter(line.verdict for line in receipt.lines))
    data["orders"] = list(receipt.orders) if opened else len(receipt.orders)
    data["earlier"] = list(receipt.earlier) if opened else len(receipt.earlier)
    return data


# -- orders ------------------------------------------------------------------------------------


@click.command()
@click.argument("power", required=False)
@click.option("--open", "opened", is_flag=True, help="Show the orders (journaled).")
@click.option("--ahead", is_flag=True, help="Show the advance orders for later phases instead.")
@json_option
@reason_option
@desk_command
def orders(
    desk: Desk,
    sentences: Sentences,
    power: str | None,
    opened: bool,
    ahead: bool,
    as_json: bool,
    reason: str,
) -> None:
    """Show the pending orders of one power or of all, as they were read.

    Without --open nothing is shown.  The journal records whose orders were opened.

    \b
    Example:
      alexmagnum orders TOL --open --reason "the player asked what I have"
    """
    if not opened:
        raise GameError("orders-closed")
    asked = read_power(power, desk.board) if power else None
    if ahead:
        _print_advance_orders(desk, sentences, asked, as_json, reason)
        return
    pending = desk.pending(asked, reason=reason)
    if as_json:
        print_json({name: list(listed) for name, listed in pending.items()})
        return
    for name, listed in pending.items():
        _print_orders(power_name(desk.board, name, sentences), listed, sentences)


def _print_advance_orders(
    desk: Desk, sentences: Sentences, power: str | None, as_json: bool, reason: str
) -> None:
    kept = desk.ahead(power, reason=reason)
    if as_json:
        print_json({p: {kind: list(o) for kind, o in k.items()} for p, k in kept.items()})
        return
    for name, kinds in kept.items():
        for kind, listed in kinds.items():
            title = power_name(desk.board, name, sentences)
            _print_orders(f"{title}, {sentences.format(f'ahead-{kind}')}", listed, sentences)


def _print_orders(title: str, orders: Iterable[str], sentences: Sentences) -> None:
    click.echo(style(title, bold=True))
    for order in list(orders) or [sentences.format("no-order")]:
        click.echo(f"  {order}")
