"""The command ``status``: the phase, the deadline, missing orders, and what to do next.

The game master does not see orders: only their numbers are shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

import click

from alexmagnum.cli.game_lines import (
    deadline_words,
    format_agreement,
    phase_words,
    print_end,
    process_command,
)
from alexmagnum.cli.game_options import desk_command, json_option
from alexmagnum.cli.output import print_json, style, table_lines
from alexmagnum.game.desk import Desk
from alexmagnum.game.inbox_store import WAITING, InboxStore
from alexmagnum.game.values import Player, PowerStatus, Status
from alexmagnum.i18n.date_text import format_distance
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.i18n.zones import parse_iso
from alexmagnum.report.bot_faults import describe_bot_faults
from alexmagnum.report.names import name_player, power_name


@click.command()
@json_option
@desk_command
def status(desk: Desk, sentences: Sentences, as_json: bool) -> None:
    """Show the phase, the deadline, whose orders are in or doubtful, and what blocks the phase.

    Only counts are shown, so that the game master can stay impartial.

    \b
    Example:
      alexmagnum status
    """
    now_ = desk.status()
    waiting = len(InboxStore(desk.game.file).find_all((WAITING,)))
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
    for line in table_lines([_row(desk, power, sentences) for power in now_.powers]):
        click.echo(f"  {line}".rstrip())
    click.echo("")
    if now_.tally:
        votes = _count_votes(desk, now_, sentences)
        click.echo(sentences.format("desk-tally-of", count=len(now_.voters), votes=votes))
    if waiting:
        click.echo(style(sentences.format("desk-mail-waits", count=waiting), "yellow"))
    if now_.agreed:
        click.echo(style(format_agreement(desk, now_, sentences), "yellow"))
    for line in describe_bot_faults(now_.powers, board, sentences):
        click.echo(style(line, "yellow"))
    click.echo("\n".join(_advice_lines(now_, sentences)))


def _count_votes(desk: Desk, status: Status, sentences: Sentences) -> str:
    """Return the number of votes for each ending; the voters stay secret."""
    counts = []
    for vote, count in status.tally.items():
        kind, *powers = vote.split()
        named = ", ".join(power_name(desk.board, power, sentences) for power in powers)
        code = f"desk-vote-{kind}" + ("-among" if kind == "draw" and powers else "")
        counts.append(f"{sentences.format(code, powers=named)}: {count}")
    return "; ".join(counts)


def _advice_lines(status: Status, sentences: Sentences) -> Iterator[str]:
    """Yield what blocks the phase, and the next command."""
    for code in status.blocks:
        yield style(sentences.format("desk-blocked", why=sentences.format(code)), "yellow")
    if not status.agreed:
        yield sentences.format("desk-next", command=process_command(status))


def _row(desk: Desk, power: PowerStatus, sentences: Sentences) -> list[str]:
    doubtful = sentences.format("desk-doubtful", count=power.doubtful) if power.doubtful else ""
    return [
        power_name(desk.board, power.power, sentences),
        name_player(Player("", power.player, bot=power.bot), sentences) or "–",
        _share(power, sentences),
        doubtful,
        _last_mail(desk, power, sentences),
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
    code = "desk-not-in" if power.is_lacking else "desk-in"
    return sentences.format(code, given=power.given, wanted=power.wanted)


def _last_mail(desk: Desk, power: PowerStatus, sentences: Sentences) -> str:
    if not power.last or power.bot_has_ordered:
        return ""
    ago = format_distance(parse_iso(power.last), desk.game.now(), sentences)
    return sentences.format("desk-mails", count=power.submissions, ago=ago)
