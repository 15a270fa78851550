"""The commands ``adjudicate`` and ``check``: resolve or check the orders of one phase."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from alexmagnum.cases.case_files import read_turn
from alexmagnum.cli.crops import CropRequest, crop_options, front_option
from alexmagnum.cli.output import RESULT_COLORS, Command, lang_option, print_json, style
from alexmagnum.cli.pictures import (
    orders_of_option,
    picture_option,
    turn_picture,
    write_picture,
)
from alexmagnum.cli.turn_files import read_turn_orders
from alexmagnum.cli.turn_json import check_json, outcome_json
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge import adjudicate as judge
from alexmagnum.judge.checking import Check, check_orders
from alexmagnum.judge.outcome import ILLEGAL
from alexmagnum.judge.reason_text import format_reason
from alexmagnum.notation import Line, NotationSettings, describe_order, write_order
from alexmagnum.position import Position, Unit
from alexmagnum.report.names import phase_name, power_name
from alexmagnum.report.turn_report import (
    TITLE,
    Mistake,
    compose_turn_report,
    list_mistakes,
    list_notices,
    list_possible_moves,
    render_turn_report,
)

_PATH = click.Path(path_type=Path)

INTEGRITY = "--integrity"


def _turn_arguments(command: Command) -> Command:
    """Add the arguments and options that ``adjudicate`` and ``check`` share."""
    for parameter in (
        lang_option,
        click.option("--json", "as_json", is_flag=True, help="For machines: see docs/cases.md."),
        click.option(
            "--strict", is_flag=True, help="Exit with 1 if a line is not a possible order."
        ),
        click.option(
            "--map", "map_id", metavar="ID", help="The map, if the turn file does not name one."
        ),
        click.argument("orders", nargs=-1, type=_PATH),
        click.argument("turn", type=_PATH),
    ):
        command = parameter(command)
    return command


@click.command()
@_turn_arguments
@click.option("--explain", is_flag=True, help="Below each order, print the chain of causes.")
@picture_option("--map-out")
@crop_options
@front_option
@orders_of_option
def adjudicate(
    turn: Path,
    orders: tuple[Path, ...],
    map_id: str | None,
    strict: bool,
    explain: bool,
    as_json: bool,
    sentences: Sentences,
    **picture: Any,
) -> None:
    """Resolve one phase and print the report.

    TURN is a turn file (YAML or JSON) with the position and perhaps orders.  ORDERS are texts
    as players write them, with each power's name on a line of its own or as the file's name
    ('-' reads standard input).  They replace the orders that the turn file has for that power;
    a second file of the same power adds to the first.  Lines that cannot be read as an order
    are listed with suggestions, and the other lines count.  --map-out draws the turn;
    --orders-of leaves the other powers' orders, and all results, out of the picture (never
    out of the report).  --around, --for and --region draw a part of the map.

    \b
    Example:
      alexmagnum adjudicate orders/turn.yaml orders/*.txt --explain --lang it
      alexmagnum adjudicate orders/turn.yaml orders/*.txt --map-out turn.png
      alexmagnum adjudicate orders/turn.yaml orders/*.txt --map-out front.png --for LIS
    """
    part, map_out, orders_of = CropRequest.of(picture), picture["map_out"], picture["orders_of"]
    if map_out is None and (orders_of or part):
        option = "--orders-of is" if orders_of else "--around, --for and --region are"
        raise click.UsageError(f"{option} about the picture: name a file with --map-out.")
    position, lines, understood = read_turn_orders(read_turn(turn, map_id), orders)
    outcome = judge(position, understood)
    if map_out is not None:
        scene = turn_picture(position, understood, sentences, orders_of=orders_of, part=part)
        write_picture(map_out, scene, private=bool(orders_of))
    if as_json:
        print_json(outcome_json(outcome, lines, sentences))
    else:
        report = compose_turn_report(outcome, lines, sentences, chains=explain)
        click.echo(render_turn_report(report, color_line), nl=False)
    void = any(entry.result == ILLEGAL for entry in outcome.results)
    if strict and (void or any(line.error for line in lines)):
        sys.exit(1)


class CheckCommand(click.Command):
    """``check`` for orders; with ``--integrity`` it is the command for a game's file."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        if INTEGRITY not in args:
            return super().make_context(info_name, args, parent, **extra)
        # Imported late: orders are checked without the desk.
        from alexmagnum.cli.integrity import integrity

        return integrity.make_context(info_name, args, parent, **extra)


@click.command(cls=CheckCommand)
@_turn_arguments
@click.option("--exact", is_flag=True, help="Refuse misspelt names instead of reading them.")
@click.option(
    INTEGRITY,
    is_flag=True,
    expose_value=False,
    help="Check the file of a game instead; see 'check --integrity --help'.",
)
def check(
    turn: Path,
    orders: tuple[Path, ...],
    map_id: str | None,
    strict: bool,
    exact: bool,
    as_json: bool,
    sentences: Sentences,
) -> None:
    """Say what each order means and what is wrong with it.

    Each power's orders are checked against the position only: the answer does not depend on
    what other powers ordered.  'alexmagnum check --integrity', without TURN,
    checks the file of a game.

    \b
    Example:
      alexmagnum check orders/turn.yaml orders/tolomeo.txt --lang it
    """
    settings = NotationSettings(fuzzy="refuse") if exact else NotationSettings()
    position, lines, understood = read_turn_orders(read_turn(turn, map_id), orders, settings)
    checks = check_orders(position, understood)
    wrong = list(list_mistakes(lines, position.board, sentences))
    bad = bool(wrong) or any(c.verdict != "good" for c in checks)
    if as_json:
        print_json(check_json(position, checks, lines, sentences))
    else:
        _print_checks(position, checks, sentences)
        print_mistakes("title-mistakes", wrong, sentences)
        print_mistakes(
            "title-notices", list(list_notices(lines, position.board, sentences)), sentences
        )
        _print_summary(position, checks, lines, sentences)
    if strict and bad:
        sys.exit(1)


# -- printing ----------------------------------------------------------------------------------


def color_line(line: str, mark: str) -> str:
    """Return a report line with terminal colours: titles bold, failures in the result's colour."""
    return style(line, RESULT_COLORS.get(mark), bold=mark == TITLE)


def _print_checks(position: Position, checks: Sequence[Check], sentences: Sentences) -> None:
    board = position.board
    click.echo(
        style(
            f"{board.name(sentences.lang)} — {phase_name(position.phase, board, sentences)}",
            bold=True,
        )
    )
    power = None
    for check in checks:
        if check.power != power:
            power = check.power
            click.echo(style("\n" + power_name(board, power, sentences).upper(), bold=True))
        for line in _check_lines(position, check, sentences):
            click.echo(line)


def _check_lines(position: Position, check: Check, sentences: Sentences) -> Iterator[str]:
    """Yield an order with its meaning or what is wrong with it, then warnings and suggestions."""
    is_good = check.verdict == "good"
    if is_good or not check.reason:
        text = describe_order(check.order, position.board, sentences.lang)
    else:
        text = format_reason(check.reason, position, sentences)
    yield f"  {write_order(check.order):<34} " + style(text, None if is_good else "yellow")
    for warning in check.warnings:
        yield f"{'':<37}" + style("! " + format_reason(warning, position, sentences), "yellow")
    if check.suggestions:
        yield f"{'':<39}" + "; ".join(map(write_order, check.suggestions))
    if check.verdict == "impossible" and position.phase.kind == "movement":
        hint = list_possible_moves(position, check.order, check.unit, sentences)
        if hint:
            yield f"{'':<37} {hint}"


def print_mistakes(title: str, entries: Sequence[Mistake], sentences: Sentences) -> None:
    """Print lines that are wrong or were guessed, below a title, if there are any."""
    if entries:
        click.echo(style("\n" + sentences.format(title), bold=True))
    for entry in entries:
        click.echo(f"  {entry.power}: {entry.text}\n      {entry.why}")
        if entry.hint:
            click.echo(f"      {entry.hint}")


def _print_summary(
    position: Position, checks: Sequence[Check], lines: Sequence[Line], sentences: Sentences
) -> None:
    """Print how many orders are good, and which units have none."""
    good = sum(check.verdict == "good" for check in checks)
    bad = len(checks) - good + sum(line.error is not None for line in lines)
    missing = _units_without_order(position, checks, lines)
    click.echo("\n" + sentences.format("summary-orders", good=good, bad=bad, missing=len(missing)))
    if missing and position.phase.kind == "movement":
        units = ", ".join(position.name(unit) for unit in missing)
        click.echo(sentences.format("units-without-order", units=units))


def _units_without_order(
    position: Position, checks: Sequence[Check], lines: Sequence[Line]
) -> list[Unit]:
    """Return the units without an order, of the powers that wrote orders or have to retreat."""
    if position.phase.kind not in ("movement", "retreats"):
        return []
    powers = {line.power for line in lines} | {d.unit.power for d in position.dislodged}
    ordered = {check.unit for check in checks}
    return [u for u in position.orderable if u.power in powers and u not in ordered]
