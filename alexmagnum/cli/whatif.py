"""The command ``whatif``: try orders on the position of a mail, flips and safety."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.pool import Pool
from pathlib import Path
from typing import Any

import click

from alexmagnum.board.model import list_examples
from alexmagnum.cli.base import (
    RESULT_COLORS,
    Decorated,
    ProgressBar,
    find_powers,
    print_json,
    style,
    terminal_width,
)
from alexmagnum.cli.pictures import (
    CropRequest,
    comparison_pictures,
    crop_options,
    picture_option,
    turn_picture,
    write_comparison,
    write_picture,
)
from alexmagnum.cli.shared import Command
from alexmagnum.cli.turns import (
    ReadTurn,
    TurnOrders,
    add_order_files,
    color_line,
    comparison_json,
    mistakes_json,
    outcome_json,
    print_mistakes,
    read_any_turn,
    read_turn_orders,
)
from alexmagnum.errors import AlexMagnumError, Unreadable
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge import adjudicate
from alexmagnum.notation import read_order, read_unit, write_order
from alexmagnum.notation.names import power_name
from alexmagnum.orders import MovementOrder
from alexmagnum.position import Position, Unit
from alexmagnum.report.document import wrap_lines
from alexmagnum.report.results import TITLE, list_notices, list_wrong_orders, render_turn_report
from alexmagnum.report.whatif import (
    StyledLine,
    compose_hypothetical_report,
    describe_assumptions,
    describe_position_source,
    format_count,
    format_flips,
    format_orders_to_paste,
    format_plans,
    format_question,
    format_survey,
    group_valid_orders,
    list_unordered_units,
    survey_as_data,
    wrap_styled_line,
)
from alexmagnum.report.words import phase_name
from alexmagnum.whatif.candidates import given_orders, same_order
from alexmagnum.whatif.flips import Flip, Flips, flips_as_data
from alexmagnum.whatif.plans import Comparison, compare
from alexmagnum.whatif.safety import GOOD, MOST_CASES, SAMPLE, Survey

ExtraData = Mapping[str, object] | None
"""Data to add to the answer in JSON; None prints the answer as text."""

EVERYBODY = ("all", "tutti")
"""The words that mean all other powers."""

_PART_OF_OTHERS = 0.8
"""The part of a search for flips that the orders of other powers take, if one's own follow."""

_PATH = click.Path(path_type=Path)


def _number_option(
    name: str, least: int, default: int, text: str
) -> Callable[[Decorated], Decorated]:
    """Return an option for a number, ``least`` or more."""
    kind = click.IntRange(least)
    return click.option(name, type=kind, default=default, show_default=True, help=text)


@click.command(cls=Command)
@click.argument("turn", type=_PATH)
@click.argument("orders", nargs=-1, type=_PATH)
@click.option(
    "--map", "map_id", metavar="ID", help="The map, if the position does not name one: id or file."
)
@click.option("--phase", default="", help="Which of several positions in a mail to use.")
@click.option(
    "--compare",
    "pairs",
    nargs=2,
    multiple=True,
    type=_PATH,
    metavar="A B",
    help="Compare two plans, each a file of orders.  Repeat it for more plans.",
)
@click.option(
    "--for",
    "own",
    multiple=True,
    metavar="POWER",
    help="The power to print orders for, or to ask for with --against.  Can be repeated.",
)
@click.option("--flip", metavar="ORDER", help="What would give this order another result?")
@_number_option("--most", 1, 12, "With --flip: how many ways to list at most.")
@click.option(
    "--against",
    multiple=True,
    metavar="POWER",
    help="How safe are one's orders against these powers ('all': every other one)?",
)
@_number_option(
    "--sample",
    0,
    SAMPLE,
    "With --against: how many order sets to draw where the cases are too many.",
)
@_number_option("--seed", 0, 0, "With --sample: the same seed draws the same.")
@_number_option(
    "--cases", 1, MOST_CASES, "With --against: in how many cases to work out a question at most."
)
@_number_option("--jobs", 1, 1, "With --against: how many processor cores to use.")
@click.option("--explain", is_flag=True, help="Below each order, print the chain of causes.")
@picture_option("--map-out")
@crop_options
def whatif(
    turn: Path,
    orders: tuple[Path, ...],
    map_id: str | None,
    phase: str,
    pairs: tuple[tuple[Path, Path], ...],
    own: tuple[str, ...],
    flip: str | None,
    most: int,
    against: tuple[str, ...],
    explain: bool,
    map_out: Path | None,
    as_json: bool,
    sentences: Sentences,
    **more: Any,
) -> None:
    """Try your orders, and guesses at those of others, on the position of a mail.

    TURN is a mailed report (text, web page or .eml, saved or copied, quoted or not; '-' reads
    standard input), or a turn file.  ORDERS are texts as players write them,
    each power's name on a line of its own or as the file's name.  Units without an order hold.
    No game folder is needed.

    With --compare, ORDERS are the orders that all plans share.  If a plan has orders for a power,
    they replace all orders of that power.  --map-out draws the plans side by side, where they
    differ: the units concerned are lit.

    --flip lists the smallest changes of orders, of one or two units, that would give an order
    another result, with reasons: changes by other powers and, if the order fails, your own.
    --against says how your orders, units and centres fare against all sensible orders of other
    powers.  Both work for movement phases only.

    \b
    Examples:
      alexmagnum whatif report.eml mine.txt guesses.txt
      alexmagnum whatif report.eml mine.txt --explain --map-out turn.png
      alexmagnum whatif report.eml guesses.txt --compare careful.txt bold.txt --map-out two.png
      alexmagnum whatif report.eml mine.txt guesses.txt --flip "A MEN - TEB"
      alexmagnum whatif report.eml mine.txt --against all --jobs 2
    """
    part = CropRequest.of(more)
    _refuse_contradictions(pairs, flip, against, own, explain, map_out, part)
    read = read_any_turn(turn, map_id, phase)
    base = read_turn_orders(read.turn, orders)
    powers = find_powers(base.position.board, own)
    found = _found_json(read) if as_json else None
    plans = _read_plans(base, [path for pair in pairs for path in pair])
    comparison = compare(base.position, {name: plan.orders for name, plan in plans.items()})
    if map_out is not None and pairs:
        write_comparison(map_out, comparison_pictures(comparison, sentences, part))
    elif map_out is not None:
        scene = turn_picture(base.position, base.orders, sentences, part=part)
        write_picture(map_out, scene)
    if found is None and read.search is not None:
        for line in describe_position_source(read.search, str(turn), sentences):
            click.echo(line)
        click.echo()
    if pairs:
        _show_comparison(comparison, plans, sentences, found)
    elif flip is not None or against:
        asking = own[0] if own else None
        _search(base, flip, asking, against, sentences, found, explain, most, more)
    else:
        _show_outcome(base, powers, sentences, found, explain)


def _refuse_contradictions(
    pairs: Sequence[object],
    flip: str | None,
    against: Sequence[str],
    own: Sequence[str],
    explain: bool,
    map_out: Path | None,
    part: CropRequest | None,
) -> None:
    """Refuse two questions at once, or an option that is not about the question."""
    if pairs and (explain or own):
        raise click.UsageError("--explain and --for are about one plan: no --compare.")
    if part and not map_out:
        raise click.UsageError(
            "--around and --region are about the picture: name a file with --map-out."
        )
    if against and len(own) > 1:
        raise click.UsageError("--against is about the orders of one power: one --for.")
    if sum((bool(pairs), flip is not None, bool(against))) > 1:
        raise click.UsageError("--compare, --flip and --against are questions of their own.")
    if (flip is not None or against) and map_out:
        raise click.UsageError("--map-out draws the results of orders: no --flip, no --against.")


def _search(
    base: TurnOrders,
    flip: str | None,
    asking: str | None,
    against: Sequence[str],
    sentences: Sentences,
    found: ExtraData,
    explain: bool,
    most: int,
    more: Mapping[str, Any],
) -> None:
    """Answer ``--flip`` or ``--against``; exit with 1 if the search was stopped."""
    outcome = adjudicate(base.position, base.orders)
    if found is not None:
        found = {**found, **mistakes_json(outcome, base.lines, sentences)}
    if flip is not None:
        finished = _show_flips(base, flip, sentences, found, most)
    else:
        finished = _show_safety(base, asking, against, sentences, found, explain, **more)
    if found is None:
        wrong = list(list_wrong_orders(outcome, base.lines, sentences))
        print_mistakes("title-mistakes", wrong, sentences)
        guessed = list(list_notices(base.lines, base.position.board, sentences))
        print_mistakes("title-notices", guessed, sentences)
    if not finished:
        sys.exit(1)


def _show_outcome(
    base: TurnOrders, powers: Sequence[str], sentences: Sentences, found: ExtraData, chains: bool
) -> None:
    """Print the outcome of the orders, what was assumed, and orders to paste for some powers."""
    outcome = adjudicate(base.position, base.orders)
    if found is not None:
        data = outcome_json(outcome, base.lines, sentences)
        unordered = {power: list(units) for power, units in list_unordered_units(outcome).items()}
        paste = {
            power: [write_order(order) for order in listed]
            for power, listed in group_valid_orders(outcome).items()
        }
        print_json({**found, **data, "unordered": unordered, "paste": paste})
        return
    report = compose_hypothetical_report(outcome, base.lines, sentences, chains=chains)
    click.echo(render_turn_report(report, color_line), nl=False)
    assumed = describe_assumptions(outcome, sentences)
    lines = [line for text in assumed for line in wrap_lines(text, terminal_width())]
    _print_titled("title-assumed", lines, sentences)
    pasted = list(format_orders_to_paste(outcome, sentences, tuple(powers)))
    _print_titled("title-paste", pasted, sentences)


def _found_json(read: ReadTurn) -> dict[str, object]:
    """Return where in a mail the position was, and the phases of the others in it."""
    if read.search is None:
        return {}
    others = [str(o.position.phase) for o in read.search.others if o.position]
    return {"found": {"line": read.search.taken.line, "others": others}}


# -- plans side by side ----------------------------------------------------------------------------


def _read_plans(base: TurnOrders, files: Sequence[Path]) -> Mapping[str, TurnOrders]:
    """Return the plan of each file by its name, or by its path if two files share a name."""
    paths = list(dict.fromkeys(files))
    names = [path.name for path in paths]
    return {
        path.name if names.count(path.name) == 1 else str(path): add_order_files(base, [path])
        for path in paths
    }


def _show_comparison(
    comparison: Comparison, plans: Mapping[str, TurnOrders], sentences: Sentences, found: ExtraData
) -> None:
    """Print how plans differ."""
    if found is not None:
        lines = {name: plan.lines for name, plan in plans.items()}
        print_json({**found, **comparison_json(comparison, lines, sentences)})
        return
    for line in format_plans(comparison, sentences, width=terminal_width(), mark=color_line):
        click.echo(line)
    for name, plan in plans.items():
        wrong = list_wrong_orders(comparison.outcomes[name], plan.lines, sentences)
        guessed = list_notices(plan.lines, plan.position.board, sentences)
        for title, entries in (("title-mistakes", wrong), ("title-notices", guessed)):
            texts = [f"  {name}, {e.power}: {e.text}\n      {e.why}" for e in entries]
            _print_titled(title, texts, sentences)


# -- flips -----------------------------------------------------------------------------------------


def _show_flips(
    base: TurnOrders, text: str, sentences: Sentences, found: ExtraData, most: int
) -> bool:
    """Print the smallest changes that flip an order: changes by others first, then by its power.

    ``text`` is the order, or just its unit.  An order that differs from the given one replaces it.
    Ctrl-C ends the search and prints the changes found so far.  Return whether it was finished.

    Raises:
        AlexMagnumError: the phase is not one of movement, or no power's unit is named.
    """
    position, orders = base.position, base.orders
    _require_movement(position, sentences)
    unit, order = _read_question(position, text)
    unasked = False
    if order is not None:
        unasked = not same_order(position, order, given_orders(position, orders).get(unit))
        orders = {**orders, unit.power: [*orders.get(unit.power, ()), order]}
    flips = Flips(position, orders, unit)
    fails = flips.result not in GOOD
    others: list[Flip] = []
    own: list[Flip] = []
    with _Search("flip-progress", sentences) as search:
        share = _PART_OF_OTHERS if fails else 1
        flips.watch = lambda done: search.bar.show(done * share)
        others.extend(flips.search([p for p in position.board.powers if p != unit.power]))
        if fails:
            flips.watch = lambda done: search.bar.show(share + done * (1 - share))
            own.extend(flips.search([unit.power], wanted=GOOD))
    if found is not None:
        data = {
            "phase": str(position.phase),
            "order": write_order(flips.order) if flips.order else None,
            "result": flips.result,
            "tried": flips.tried,
            "judged": flips.judged,
            "others": flips_as_data(flips, others, sentences),
            "own": flips_as_data(flips, own, sentences),
            "finished": search.finished,
        }
        print_json({**found, **data})
        return search.finished
    _print(format_question(flips, sentences))
    for title, listed in (("flip-others", others), ("flip-own", own)):
        if fails or title == "flip-others":
            _print(format_flips(flips, listed, title, sentences, most=most, whole=search.finished))
    tried, judged = (format_count(n, sentences) for n in (flips.tried, flips.judged))
    text = sentences.format("flip-tried", tried=tried, judged=judged)
    _print([StyledLine(""), StyledLine(text)])
    if unasked:
        click.echo(sentences.format("flip-unasked"))
    return search.finished


def _read_question(position: Position, text: str) -> tuple[Unit, MovementOrder | None]:
    """Return the unit asked about, and the order if one is written."""
    text = _strip_power(text, position)
    order = None
    try:
        order = read_order(text, position)
    except Unreadable as error:
        if error.code != "no-verb":
            raise
        try:
            unit, notices = read_unit(text, position)
        except Unreadable:
            raise error from None
        if any(notice.code == "ignored" for notice in notices):  # the text has more than a unit
            raise
    else:
        found = position.names.get(order.unit) if isinstance(order, MovementOrder) else None
        if found is None:
            raise AlexMagnumError("flip-no-unit", text=text, **list_examples(position.board))
        unit = found
    if unit.power not in position.board.powers:
        raise AlexMagnumError("flip-no-unit", text=text, **list_examples(position.board))
    return unit, order if isinstance(order, MovementOrder) else None


def _strip_power(text: str, position: Position) -> str:
    """Return an order without the name of a power before it, as lists of orders have it."""
    name, colon, order = text.partition(":")
    if not colon:
        return text
    try:
        find_powers(position.board, [name.strip()])
    except AlexMagnumError:
        return text
    return order.strip()


# -- safety ----------------------------------------------------------------------------------------


def _show_safety(
    base: TurnOrders,
    asking: str | None,
    against: Sequence[str],
    sentences: Sentences,
    found: ExtraData,
    every: bool,
    *,
    sample: int,
    seed: int,
    cases: int,
    jobs: int,
    **_: Any,
) -> bool:
    """Print how one power's orders fare against all orders that others might give.

    ``asking`` is the power, None for the only one with orders; ``every`` lists all reasons.
    Ctrl-C prints the results so far.  Return whether the search was finished.

    Raises:
        AlexMagnumError: the phase is not one of movement, or it is not clear who asks.
    """
    _require_movement(base.position, sentences)
    who = _find_asking_power(base, asking)
    survey = Survey(
        base.position, base.orders, who, _find_rivals(base.position, who, against, sentences)
    )
    with _worker_pool(jobs) as workers, _Search("safety-progress", sentences) as search:
        for p in survey.run(most_cases=cases, sample=sample, seed=seed, workers=workers):
            # Drawing sets, if that is needed, is the other half.
            search.bar.show((p.done / max(p.all, 1) + (p.drawn / p.sample if p.sample else 0)) / 2)
    if found is not None:
        data = {**survey_as_data(survey), "finished": search.finished, "seed": seed}
        print_json({**found, **data})
    else:
        _print(format_survey(survey, sentences, every=every))
    return search.finished


def _find_asking_power(base: TurnOrders, asking: str | None) -> str:
    if asking is not None:
        return find_powers(base.position.board, [asking])[0]
    ordering = [power for power, listed in base.orders.items() if listed]
    if len(ordering) != 1:
        raise AlexMagnumError("safety-no-power")
    return ordering[0]


def _find_rivals(
    position: Position, asking: str, names: Sequence[str], sentences: Sentences
) -> tuple[str, ...]:
    """Return the powers that ``--against`` names, alone or separated by commas.

    Raises:
        AlexMagnumError: ``safety-against-self`` or ``no-such-power``.
    """
    board = position.board
    if any(name.lower() in EVERYBODY for name in names):
        return tuple(power for power in board.powers if power != asking)
    parts = [part.strip() for name in names for part in name.split(",")]
    named = find_powers(board, [part for part in parts if part] or names)
    if asking in named:
        raise AlexMagnumError("safety-against-self", power=power_name(board, asking, sentences))
    return named


@contextmanager
def _worker_pool(jobs: int) -> Iterator[Pool | None]:
    """Yield a pool of so many processes; None if the work is done in this one."""
    if jobs == 1:
        yield None
        return
    with get_context("spawn").Pool(jobs, _ignore_interrupts) as pool:
        yield pool  # leaving the block stops the work that is still running


def _ignore_interrupts() -> None:
    """Ignore Ctrl-C in a worker: the main process handles it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


# -- shared ----------------------------------------------------------------------------------------


class _Search:
    """A search with a bar; Ctrl-C stops it, and what was found so far is printed."""

    def __init__(self, label: str, sentences: Sentences) -> None:
        self.bar = ProgressBar(label, sentences)
        self.finished = False
        self._sentences = sentences

    def __enter__(self) -> _Search:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> bool:
        self.bar.end()
        self.finished = kind is None
        if kind is KeyboardInterrupt:
            click.echo(self._sentences.format("search-stopped"), err=True)
        return kind is KeyboardInterrupt


def _require_movement(position: Position, sentences: Sentences) -> None:
    """Refuse any other phase.

    Raises:
        AlexMagnumError: ``safety-phase``.
    """
    if position.phase.kind != "movement":
        phase = phase_name(position.phase, position.board, sentences)
        raise AlexMagnumError("safety-phase", phase=phase)


def _print(lines: Iterable[StyledLine]) -> None:
    for line in lines:
        for piece in wrap_styled_line(line, terminal_width()):
            click.echo(style(piece, RESULT_COLORS.get(line.mark), bold=line.mark == TITLE))


def _print_titled(title: str, lines: Sequence[str], sentences: Sentences) -> None:
    if lines:
        click.echo("\n" + color_line(sentences.format(title), TITLE))
        for line in lines:
            click.echo(line)
