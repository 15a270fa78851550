"""``status``, ``submit`` and ``orders``: who is in with what, without looking at it.

The game master stays blind: figures are shown, orders only with ``--open``, and the journal keeps
that they were opened.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path

import click

from alexmagnum.cli.game_options import (
    PATH,
    deadline_words,
    desk_command,
    json_option,
    now,
    phase_words,
    power_id,
    print_end,
    reason_option,
    text_of,
)
from alexmagnum.cli.output import print_json, style
from alexmagnum.errors import GameError
from alexmagnum.game.desk import Desk
from alexmagnum.game.values import PowerStatus, Receipt, Status
from alexmagnum.i18n.date_text import format_distance
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.i18n.zones import parse_iso, to_local
from alexmagnum.mail.identity import WAITING
from alexmagnum.mail.inbox import Inbox
from alexmagnum.mail.letters.receipts import foot_lines, kept_ahead, receipt_head, receipt_lines
from alexmagnum.report.names import power_name
from alexmagnum.workflow.receipts import write_receipt

VERDICTS = ("good", "doubtful", "impossible", "unreadable", "ambiguous", "replaced")
"""What a line of a mail may be, but for prose."""


# -- status ------------------------------------------------------------------------------------


@click.command()
@json_option
@desk_command
def status(desk: Desk, sentences: Sentences, as_json: bool) -> None:
    """Show the desk: the phase, the deadline, who is in, what is doubtful, what blocks.

    Counts alone are shown, so that the game master can stay impartial.

    \b
    Example:
      alexmagnum status
    """
    now_ = desk.status()
    waiting = len(Inbox(desk.game).listed(WAITING))
    if as_json:
        print_json({**asdict(now_), "waiting": waiting})
        return
    board = desk.board
    click.echo(style(f"{now_.game} — {board.name(sentences.lang)}", bold=True))
    if now_.over:
        print_end(desk, sentences)
        return
    click.echo(sentences.format("desk-open-phase", phase=phase_words(now_.phase, board, sentences)))
    click.echo(sentences.format("desk-deadline", deadline=deadline_words(desk, sentences)) + "\n")
    for line in _table([_row(desk, power, sentences) for power in now_.powers]):
        click.echo(f"  {line}".rstrip())
    click.echo("")
    if now_.tally:
        click.echo(sentences.format("desk-tally", votes=_tally(desk, now_, sentences)))
    if waiting:
        click.echo(style(sentences.format("desk-mail-waits", count=waiting), "yellow"))
    click.echo("\n".join(_advice(now_, sentences)))


def _tally(desk: Desk, status: Status, sentences: Sentences) -> str:
    """The votes for each end of the game, counted; who cast them is not told."""
    said = []
    for vote, count in status.tally.items():
        kind, *powers = vote.split()
        named = ", ".join(power_name(desk.board, power, sentences) for power in powers)
        code = f"desk-vote-{kind}" + ("-among" if kind == "draw" and powers else "")
        said.append(f"{sentences.format(code, powers=named)}: {count}")
    return "; ".join(said)


def _advice(status: Status, sentences: Sentences) -> Iterator[str]:
    """What blocks the phase, and what to do next."""
    for code in status.blocks:
        yield style(sentences.format("desk-blocked", why=sentences.format(code)), "yellow")
    more = " --allow-missing" if "block-orders-missing" in status.blocks else ""
    yield sentences.format("desk-next", command=f"alexmagnum process {status.phase}{more}")


def _row(desk: Desk, power: PowerStatus, sentences: Sentences) -> list[str]:
    doubtful = sentences.format("desk-doubtful", count=power.doubtful) if power.doubtful else ""
    return [
        power_name(desk.board, power.power, sentences),
        power.player or "–",
        _share(power, sentences),
        doubtful,
        _last(desk, power, sentences),
        sentences.format("desk-absent") if power.absent else "",
        sentences.format(f"desk-pace-{power.pace}") if power.pace else "",
    ]


def _share(power: PowerStatus, sentences: Sentences) -> str:
    if power.state != "playing":
        return sentences.format(
            {"eliminated": "state-out"}.get(power.state, f"state-{power.state}")
        )
    if not power.wanted:
        return sentences.format("desk-owes-nothing")
    code = "desk-in" if power.given >= power.wanted else "desk-not-in"
    return sentences.format(code, given=power.given, wanted=power.wanted)


def _last(desk: Desk, power: PowerStatus, sentences: Sentences) -> str:
    if not power.last:
        return ""
    ago = format_distance(parse_iso(power.last), now(), sentences)
    return sentences.format("desk-mails", count=power.submissions, ago=ago)


def _table(rows: list[list[str]]) -> Iterator[str]:
    """Rows in columns; a column with nothing in it is left out."""
    columns = [column for column in zip(*rows, strict=True) if any(column)]
    widths = [max(map(len, column)) for column in columns]
    for cells in zip(*columns, strict=True):
        yield "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True))


# -- submit ------------------------------------------------------------------------------------


@click.command()
@click.argument("power")
@click.argument("file", required=False, type=PATH)
@click.option("--open", "opened", is_flag=True, help="Show every line as it was read (journaled).")
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
    """Enter or replace a power's orders for the open phase, as the player wrote them.

    FILE is a text; without it, or with '-', standard input is read.  What is printed are figures,
    what still has no order, and the digest that seals the orders; the receipt with every line is
    written for the player into the folder drafts.  Orders for the phases after may stand under a
    heading of their own (Retreats:, Builds:, Ritirate:, Costruzioni:).

    \b
    Example:
      alexmagnum submit TOL tolomeo.txt
    """
    asked = power_id(power, desk.board)
    text = text_of(file, sentences.lang)
    receipt = desk.submit(asked, text, source=file.name if file else "-", reason=reason)
    path = write_receipt(desk, receipt)
    if opened:
        desk.pending(asked, reason=reason)
    if as_json:
        print_json(_receipt_json(receipt, opened))
        return
    if opened:
        click.echo("\n".join(receipt_lines(desk.game, receipt, sentences)))
    else:
        _print_figures(desk, receipt, sentences)
    click.echo(sentences.format("desk-draft", path=path))


def _print_figures(desk: Desk, receipt: Receipt, sentences: Sentences) -> None:
    """The receipt without its orders."""
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
    ahead = len(kept_ahead(receipt))
    if ahead:
        click.echo(f"  {sentences.format('desk-lines-ahead', count=ahead)}")
    for line in _odd(desk, receipt, sentences):
        click.echo(style(f"  {line}", "yellow"))
    for line in foot_lines(desk.game, receipt, sentences):
        click.echo(line)


def _odd(desk: Desk, receipt: Receipt, sentences: Sentences) -> Iterator[str]:
    """What looks as if this were not the mail for this phase of this power, without its orders."""
    second_hand = [line for line in receipt.lines if line.code == "second-hand"]
    if second_hand:
        powers = {str(line.data.get("power", "?")) for line in second_hand}
        named = ", ".join(power_name(desk.board, power, sentences) for power in sorted(powers))
        yield sentences.format("desk-second-hand", count=len(second_hand), powers=named)
    late = sum(line.code == "other-season" for line in receipt.lines)
    if late:
        yield sentences.format("desk-other-season", count=late)
    if receipt.orders and not any(line.verdict in ("good", "doubtful") for line in receipt.lines):
        yield sentences.format("desk-nothing-new")


def _receipt_json(receipt: Receipt, opened: bool) -> dict[str, object]:
    """The receipt; its lines and orders only if they are opened."""
    data = asdict(receipt)
    lines = [{**line._asdict(), "data": dict(line.data)} for line in receipt.lines]
    data["lines"] = lines if opened else dict(Counter(line.verdict for line in receipt.lines))
    data["orders"] = list(receipt.orders) if opened else len(receipt.orders)
    return data


# -- orders ------------------------------------------------------------------------------------


@click.command()
@click.argument("power", required=False)
@click.option("--open", "opened", is_flag=True, help="Yes, show them: the journal keeps it.")
@click.option("--ahead", is_flag=True, help="Those sent ahead for the phases after, instead.")
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
    """Show the orders that wait, of one power or of all, as they were understood.

    They are closed: without --open nothing is shown.  The journal keeps who was looked at.

    \b
    Example:
      alexmagnum orders TOL --open --reason "the player asked what I have"
    """
    if not opened:
        raise GameError("orders-closed")
    asked = power_id(power, desk.board) if power else None
    if ahead:
        _show_ahead(desk, sentences, asked, as_json, reason)
        return
    pending = desk.pending(asked, reason=reason)
    if as_json:
        print_json({name: list(listed) for name, listed in pending.items()})
        return
    for name, listed in pending.items():
        _show(power_name(desk.board, name, sentences), listed, sentences)


def _show_ahead(
    desk: Desk, sentences: Sentences, power: str | None, as_json: bool, reason: str
) -> None:
    kept = desk.ahead(power, reason=reason)
    if as_json:
        print_json({p: {kind: list(o) for kind, o in k.items()} for p, k in kept.items()})
        return
    for name, kinds in kept.items():
        for kind, listed in kinds.items():
            title = power_name(desk.board, name, sentences)
            _show(f"{title}, {sentences.format(f'ahead-{kind}')}", listed, sentences)


def _show(title: str, orders: Iterable[str], sentences: Sentences) -> None:
    click.echo(style(title, bold=True))
    for order in list(orders) or [sentences.format("no-order")]:
        click.echo(f"  {order}")


def local_stamp(desk: Desk, at: str) -> str:
    """An instant on the game's clocks, short: for lists."""
    return to_local(parse_iso(at), desk.settings["timezone"]).strftime("%Y-%m-%d %H:%M")
