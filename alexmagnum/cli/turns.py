"""The commands ``adjudicate`` and ``check``: turn files read, results printed."""

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

from alexmagnum.campaign import eliminated, ending, owners_after
from alexmagnum.cases.files import SUFFIXES, Turn, resolve_turn, turn_of
from alexmagnum.cases.json_values import list_reasoned_results, name_units, write_part, write_value
from alexmagnum.cli import Command, pictures
from alexmagnum.cli.base import PATH, RESULT_COLORS, Call, Decorated, map_option, print_json, style
from alexmagnum.errors import BadFile
from alexmagnum.files import bound_orders, decode_text, parse_yaml, read_bytes, read_stream
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge import Outcome
from alexmagnum.judge import adjudicate as judge
from alexmagnum.judge.checking import Check, check_orders, list_reachable
from alexmagnum.judge.explanation import format_reason
from alexmagnum.judge.outcome import ILLEGAL, REPLACED, Picks, Reason
from alexmagnum.notation import Line, NotationSettings, describe_order, read_orders, write_order
from alexmagnum.notation.names import find_power, power_name
from alexmagnum.orders import Move, Order
from alexmagnum.position import Position
from alexmagnum.report import results
from alexmagnum.report.words import phase_name
from alexmagnum.units import names_of
from alexmagnum.whatif.plans import Comparison, PositionSearch, find_position

# Reading the files given to ``adjudicate``, ``check`` and ``whatif``: turns and orders.


class TurnOrders(NamedTuple):
    """The position of a turn, every line of orders, and the orders read from them by power."""

    position: Position
    lines: Sequence[Line]
    orders: Mapping[str, Sequence[Order]]


class ReadTurn(NamedTuple):
    """A turn; ``search`` says where in a mail its position was found, None for a turn file."""

    turn: Turn
    search: PositionSearch | None = None


def read_any_turn(path: Path, map_id: str | None, phase: str = "") -> ReadTurn:
    """Return the turn of a turn file, or the position in a mailed report.

    If a mail has several positions, return the one of ``phase``, or the newest.

    Raises:
        BadFile, BadPosition, BadMap: the file is neither, or it is faulty.
    """
    raw, fault = _read_raw(path), None
    try:
        text = decode_text(raw, str(path))
        data = parse_yaml(text, str(path))
    except BadFile as error:
        data, text, fault = None, "", error
    if text and isinstance(data, dict) and not data.keys().isdisjoint(_TURN_KEYS):
        if re.search(r"^# map: ", text, re.MULTILINE) and "map" not in data and not map_id:
            raise BadFile(str(path), "turn-no-map", line="1")
        turn = turn_of(data, str(path), map_id)
        if phase and (turn.position is None or str(turn.position.phase) != phase.lower()):
            known = str(turn.position.phase) if turn.position else str(data["phase"])
            raise BadFile(str(path), "turn-not-there", phase=phase, known=known)
        return ReadTurn(turn)
    # Imported late: a turn file is read without the parser of mail.
    from alexmagnum.mail.parsing.message import read_saved_texts

    texts = read_saved_texts(raw)
    try:
        search = find_position(texts, source=str(path), map_id=map_id, phase=phase)
    except BadFile as error:
        is_named = str(path) != "-" and path.suffix.lower() in SUFFIXES
        if error.code == "no-turn" and is_named and fault:
            raise fault from None  # that it is not YAML, with its line
        raise
    return ReadTurn(Turn(search.taken.sound, {}), search)


_TURN_KEYS = frozenset({"units", "previous", "cases", "phase"})  # a turn file has one at least


def read_turn_orders(
    turn: Turn, files: Sequence[Path] = (), settings: NotationSettings | None = None
) -> TurnOrders:
    """Return a turn with its own orders, replaced by the orders of files where they have any."""
    settings = settings or NotationSettings()
    position = turn.position or resolve_turn(turn).position
    lines: list[Line] = []
    understood: dict[str, Sequence[Order]] = {}
    for power, written in turn.orders.items():
        reading = read_orders("\n".join(written), position, power, settings=settings)
        lines += reading.lines
        understood.update(reading.orders)
    return add_order_files(TurnOrders(position, lines, understood), files, settings)


def add_order_files(
    before: TurnOrders, files: Sequence[Path], settings: NotationSettings | None = None
) -> TurnOrders:
    """Return a turn in which the orders of files replace those of the same powers.

    A second file of the same power adds to its first.

    Raises:
        BadFile: as for :func:`read_turn_orders`.
    """
    position, lines, understood = before.position, list(before.lines), dict(before.orders)
    replaced: set[str] = set()
    for path in files:
        power = find_power(position.board, path.stem)
        text = bound_orders(decode_text(_read_raw(path), str(path)), str(path))
        reading = read_orders(
            text, position, power or None, settings=settings or NotationSettings()
        )
        if any(line.power is None and not line.prose for line in reading.lines):
            raise BadFile(str(path), "no-power")
        writers = {line.power for line in reading.lines if line.power and not line.prose}
        new = writers - replaced
        lines = [line for line in lines if line.power not in new] + list(reading.lines)
        for name in writers:
            earlier = () if name in new else understood.get(name, ())
            understood[name] = _merge_orders(earlier, reading.orders.get(name, ()))
        replaced |= writers
    return TurnOrders(position, lines, understood)


def _merge_orders(before: Sequence[Order], later: Sequence[Order]) -> tuple[Order, ...]:
    units = {getattr(order, "unit", None) for order in later} - {None}
    return (*(o for o in before if getattr(o, "unit", None) not in units), *later)


def _read_raw(path: Path) -> bytes:
    """Return the bytes of a file, or of standard input for ``-``."""
    return read_stream(sys.stdin.buffer, "-") if str(path) == "-" else read_bytes(path)


# JSON output of ``adjudicate``, ``check`` and ``whatif``; ``docs/cases.md`` has the schema.


def outcome_json(
    outcome: Outcome, lines: Sequence[Line], sentences: Sentences
) -> dict[str, object]:
    """Return the outcome in the vocabulary of the case files."""
    position = outcome.position
    reasoned = list_reasoned_results(outcome, sentences)
    gone = ("dislodged", "destroyed", "disbanded", "removed", "adjust")
    end = ending(outcome)
    return {
        "phase": str(position.phase),
        "orders": [
            {**entry, "strengths": _strengths(position, reason)}
            for entry, reason in zip(reasoned, outcome.reasons, strict=True)
        ],
        "refused": _refused_json(lines, sentences),
        **{part: write_part(outcome, part) for part in gone},
        "units_after": _by_power((u.power, name) for u, name in names_of(outcome.units).items()),
        "owners_after": _by_power((p, c) for c, p in owners_after(outcome).items()),
        "nobility": write_part(outcome, "nobility"),
        **write_value(outcome.picks or Picks({}, (), ())),
        "eliminated": list(eliminated(outcome)),
        "game_over": end is not None,
        "winners": list(end.winners) if end else [],
    }


def _strengths(position: Position, reason: Reason) -> dict[str, object] | None:
    """Return the two strengths that a reason compares, and the opposing unit; None without any."""
    if reason.strength < 0:
        return None
    by = position.name(reason.units[0]) if reason.units else None
    return {"own": reason.strength, "against": reason.against, "by": by}


def _by_power(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    listed: dict[str, list[str]] = {}
    for power, text in pairs:
        listed.setdefault(power, []).append(text)
    return listed


def _refused_json(lines: Sequence[Line], sentences: Sentences) -> list[dict[str, object]]:
    return [
        {
            "power": line.power,
            "line": line.text.strip(),
            "kind": line.error.kind,
            "fragment": line.error.fragment,
            "why": sentences.error(line.error),
            "suggestions": sentences.suggestions(line.error),
        }
        for line in lines
        if line.error is not None
    ]


def mistakes_json(
    outcome: Outcome, lines: Sequence[Line], sentences: Sentences
) -> dict[str, object]:
    """Return the lines that are no order, and the orders that are illegal."""
    illegal = [
        {key: entry[key] for key in ("power", "order", "reason", "why")}
        for entry in list_reasoned_results(outcome, sentences)
        if entry["result"] == ILLEGAL and entry["reason"] != REPLACED
    ]
    return {"refused": _refused_json(lines, sentences), "illegal": illegal}


def comparison_json(
    comparison: Comparison, lines: Mapping[str, Sequence[Line]], sentences: Sentences
) -> dict[str, object]:
    """Return plans side by side: the outcome of each, and where they differ."""
    position = comparison.position
    board = position.board
    return {
        "phase": str(position.phase),
        "plans": {
            name: {
                **outcome_json(outcome, lines[name], sentences),
                "lost": name_units(comparison.dislodged(name), position),
                "centres": dict(comparison.centres(name)),
                "units": {power: list(comparison.units(name, power)) for power in board.powers},
            }
            for name, outcome in comparison.outcomes.items()
        },
        "differences": [
            {
                "power": row.power,
                "unit": row.unit,
                "plans": {
                    name: {
                        "order": side.order,
                        "results": list(side.results),
                        "why": [
                            format_reason(reason, position, sentences) for reason in side.reasons
                        ],
                    }
                    for name, side in zip(comparison.outcomes, row.sides, strict=True)
                },
            }
            for row in comparison.differences
        ],
    }


def _suggestions(position: Position, check: Check) -> list[str]:
    if check.suggestions:
        return [write_order(order) for order in check.suggestions]
    if check.verdict != "impossible" or check.unit is None or not isinstance(check.order, Move):
        return []
    return [f"{check.order.unit} - {to}" for to in list_reachable(position, check.unit)]


def check_json(
    position: Position, checks: Sequence[Check], lines: Sequence[Line], sentences: Sentences
) -> dict[str, object]:
    """Return every order's verdict, and the lines that are no order."""
    return {
        "phase": str(position.phase),
        "orders": [
            {
                "power": check.power,
                "order": write_order(check.order),
                "verdict": check.verdict,
                "reason": check.reason.code if check.reason else None,
                "warnings": [
                    {"code": warning.code, "why": format_reason(warning, position, sentences)}
                    for warning in check.warnings
                ],
                "suggestions": _suggestions(position, check),
            }
            for check in checks
        ],
        "refused": _refused_json(lines, sentences),
        "notices": [
            {"power": line.power, "line": line.text.strip(), "code": notice.code}
            for line in lines
            for notice in line.notices
        ],
    }


# The commands ``adjudicate`` and ``check``: resolve or check the orders of one phase.


def _turn_arguments(command: Decorated) -> Decorated:
    for parameter in (
        click.option(
            "--strict", is_flag=True, help="Exit with 1 if a line is not a possible order."
        ),
        map_option,
        click.argument("orders", nargs=-1, type=PATH),
        click.argument("turn", type=PATH),
    ):
        command = parameter(command)
    return command


@click.command(cls=Command)
@_turn_arguments
@click.option("--explain", is_flag=True, help="Below each order, print the chain of causes.")
@pictures.picture_option("--map-out")
@pictures.crop_options
@pictures.front_option
@pictures.orders_of_option
def adjudicate(
    call: Call,
    turn: Path,
    orders: tuple[Path, ...],
    map_id: str | None,
    strict: bool,
    explain: bool,
    **picture: Any,
) -> None:
    """Resolve one phase and print the report.

    TURN is a turn file (YAML or JSON) with the position and perhaps orders, or a mail with a
    position.  ORDERS are texts as players write them, with each power's name on a line of its own
    or as the file's name ('-' reads standard input).  They replace the orders that the turn file
    has for that power; a second file of the same power adds to the first.  Lines that cannot be
    read as an order are listed with suggestions, and the other lines count.  --map-out draws the
    turn; --orders-of leaves the other powers' orders, and all results, out of the picture (never
    out of the report).  --around, --for and --region draw a part of the map.

    \b
    Example:
      alexmagnum adjudicate orders/turn.yaml orders/*.txt --explain --lang it
      alexmagnum adjudicate orders/turn.yaml orders/*.txt --map-out turn.png
      alexmagnum adjudicate orders/turn.yaml orders/*.txt --map-out front.png --for LIS
    """
    part, map_out, orders_of = (
        pictures.CropRequest.of(picture),
        picture["map_out"],
        picture["orders_of"],
    )
    if map_out is None and (orders_of or part):
        option = "--orders-of is" if orders_of else "--around, --for and --region are"
        raise click.UsageError(f"{option} about the picture: name a file with --map-out.")
    position, lines, understood = read_turn_orders(read_any_turn(turn, map_id).turn, orders)
    outcome = judge(position, understood)
    if map_out is not None:
        scene = pictures.turn_picture(
            position, understood, call.sentences, orders_of=orders_of, part=part
        )
        pictures.write_picture(map_out, scene, private=bool(orders_of))
    if call.as_json:
        print_json(outcome_json(outcome, lines, call.sentences))
    else:
        report = results.compose_turn_report(outcome, lines, call.sentences, chains=explain)
        click.echo(results.render_turn_report(report, color_line), nl=False)
    void = any(entry.result == ILLEGAL for entry in outcome.results)
    if strict and (void or any(line.error for line in lines)):
        sys.exit(1)


class CheckCommand(Command):
    """``check`` for orders; with ``--integrity`` it is the command for a game's file."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        if "--integrity" not in args:
            return super().make_context(info_name, args, parent, **extra)
        # Imported late: orders are checked without the desk.
        from alexmagnum.cli.games import integrity

        return integrity.make_context(info_name, args, parent, **extra)


@click.command(cls=CheckCommand)
@_turn_arguments
@click.option("--exact", is_flag=True, help="Refuse misspelt names instead of reading them.")
@click.option(
    "--integrity",
    is_flag=True,
    expose_value=False,
    help="Check the file of a game instead; see 'check --integrity --help'.",
)
def check(
    call: Call, turn: Path, orders: tuple[Path, ...], map_id: str | None, strict: bool, exact: bool
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
    position, lines, understood = read_turn_orders(
        read_any_turn(turn, map_id).turn, orders, settings
    )
    checks = check_orders(position, understood)
    wrong = list(results.list_mistakes(lines, position.board, call.sentences))
    notices = results.list_notices(lines, position.board, call.sentences)
    said = (
        *_check_lines(position, checks, call.sentences),
        *mistake_lines("title-mistakes", wrong, call.sentences),
        *mistake_lines("title-notices", notices, call.sentences),
        *_summary_lines(position, checks, lines, call.sentences),
    )
    call.answer(check_json(position, checks, lines, call.sentences), said)
    if strict and (wrong or any(check.verdict != "good" for check in checks)):
        sys.exit(1)


# -- printing ----------------------------------------------------------------------------------


def color_line(line: str, mark: str) -> str:
    """Return a report line with terminal colours: titles bold, failures in the result's colour."""
    return style(line, RESULT_COLORS.get(mark), bold=mark == results.TITLE)


def _check_lines(
    position: Position, checks: Sequence[Check], sentences: Sentences
) -> Iterator[str]:
    yield position_title(position, sentences)
    power = None
    for check in checks:
        if check.power != power:
            power = check.power
            yield style("\n" + power_name(position.board, power, sentences).upper(), bold=True)
        yield from _verdict_lines(position, check, sentences)


def position_title(position: Position, sentences: Sentences) -> str:
    """Return the names of the map and of the phase, as a title."""
    board = position.board
    name = phase_name(position.phase, board, sentences)
    return style(f"{board.name(sentences.lang)} — {name}", bold=True)


def _verdict_lines(position: Position, check: Check, sentences: Sentences) -> Iterator[str]:
    if (is_good := check.verdict == "good") or not check.reason:
        text = describe_order(check.order, position.board, sentences.lang)
    else:
        text = format_reason(check.reason, position, sentences)
    yield f"  {write_order(check.order):<34} " + style(text, None if is_good else "yellow")
    for warning in check.warnings:
        yield f"{'':<37}" + style("! " + format_reason(warning, position, sentences), "yellow")
    if check.suggestions:
        yield f"{'':<39}" + "; ".join(map(write_order, check.suggestions))
    if check.verdict == "impossible" and position.phase.kind == "movement":
        hint = results.list_possible_moves(position, check.order, check.unit, sentences)
        if hint:
            yield f"{'':<37} {hint}"


def mistake_lines(
    title: str, entries: Iterable[results.Mistake], sentences: Sentences
) -> Iterator[str]:
    """Yield lines that are wrong or were guessed, below a title, if there are any."""
    for number, entry in enumerate(entries):
        if not number:
            yield style("\n" + sentences.format(title), bold=True)
        yield f"  {entry.power}: {entry.text}\n      {entry.why}"
        if entry.hint:
            yield f"      {entry.hint}"


def _summary_lines(
    position: Position, checks: Sequence[Check], lines: Sequence[Line], sentences: Sentences
) -> Iterator[str]:
    good = sum(check.verdict == "good" for check in checks)
    bad = len(checks) - good + sum(line.error is not None for line in lines)
    missing = []
    if position.phase.kind in ("movement", "retreats"):
        # Of the powers that wrote orders or have to retreat.
        powers = {line.power for line in lines} | {d.unit.power for d in position.dislodged}
        ordered = {check.unit for check in checks}
        missing = [u for u in position.orderable if u.power in powers and u not in ordered]
    yield "\n" + sentences.format("summary-orders", good=good, bad=bad, missing=len(missing))
    if missing and position.phase.kind == "movement":
        units = ", ".join(position.name(unit) for unit in missing)
        yield sentences.format("units-without-order", units=units)
