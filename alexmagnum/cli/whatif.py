"""The command ``whatif``: try orders on the position of a mail, flips and safety."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
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
from alexmagnum.judge.outcome import Outcome
from alexmagnum.notation import read_order, read_unit, write_order
from alexmagnum.notation.names import power_name
from alexmagnum.orders import MovementOrder, Order
from alexmagnum.position import Position, Unit
from alexmagnum.report.document import wrap_lines
from alexmagnum.report.results import (
    TITLE,
    Mistake,
    list_notices,
    list_wrong_orders,
    render_turn_report,
)
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
from alexmagnum.whatif.plans import compare
from alexmagnum.whatif.safety import GOOD, MOST_CASES, SAMPLE, Progress, Survey

# The searches of ``whatif``: changes that flip an order, and the safety of orders.


Orders = Mapping[str, Sequence[Order]]

ExtraData = Mapping[str, object] | None
"""Data to add to the answer in JSON; None prints the answer as text."""

EVERYBODY = ("all", "tutti")
"""The words that mean all other powers."""

_PART_OF_OTHERS = 0.8
"""The part of a search for flips that the orders of other powers take, if one's own follow."""

SHOWN = 12
"""The number of flips listed by default."""


def _number_option(
    name: str, least: int, default: int, text: str
) -> Callable[[Decorated], Decorated]:
    """Return an option for a number, ``least`` or more."""
    kind = click.IntRange(least)
    return click.option(name, type=kind, default=default, show_default=True, help=text)


def flip_options(command: Decorated) -> Decorated:
    """Add the options of ``--flip``."""
    flip = click.option(
        "--flip", metavar="ORDER", help="What would give this order another result?"
    )
    most = _number_option("--most", 1, SHOWN, "With --flip: how many ways to list at most.")
    return flip(most(command))


def against_options(command: Decorated) -> Decorated:
    """Add the options of ``--against``."""
    against = click.option(
        "--against",
        multiple=True,
        metavar="POWER",
        help="How safe are one's orders against these powers ('all': every other one)?",
    )
    drawn = "With --against: how many order sets to draw where the cases are too many."
    cases = "With --against: in how many cases to work out a question at most."
    sample = _number_option("--sample", 0, SAMPLE, drawn)
    seed = _number_option("--seed", 0, 0, "With --sample: the same seed draws the same.")
    most = _number_option("--cases", 1, MOST_CASES, cases)
    jobs = _number_option("--jobs", 1, 1, "With --against: how many processor cores to use.")
    return against(sample(seed(most(jobs(command)))))


# -- flips ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _FoundFlips:
    """The flips found by a search: by others' orders, by one's own, and whether it was finished."""

    others: Sequence[Flip]
    own: Sequence[Flip]
    finished: bool


def show_flips(
    position: Position,
    orders: Orders,
    text: str,
    sentences: Sentences,
    *,
    most: int,
    extra: ExtraData,
) -> bool:
    """Print the smallest changes that flip an order: changes by others first, then by its power.

    ``text`` is the order, or just its unit.  An order that differs from the given one replaces it.
    Ctrl-C ends the search and prints the changes found so far.  Return whether it was finished.

    Raises:
        AlexMagnumError: the phase is not one of movement, or no power's unit is named.
    """
    _require_movement(position, sentences)
    unit, order = _read_question(position, text)
    unasked = False
    if order is not None:
        unasked = not same_order(position, order, given_orders(position, orders).get(unit))
        orders = {**orders, unit.power: [*orders.get(unit.power, ()), order]}
    flips = Flips(position, orders, unit)
    found = _search_flips(flips, position, unit, sentences)
    if not found.finished:
        click.echo(sentences.format("search-stopped"), err=True)
    if extra is not None:
        print_json({**extra, **_flips_json(flips, found, position, sentences)})
        return found.finished
    _print(format_question(flips, sentences))
    listed = {"flip-others": found.others}
    if flips.result not in GOOD:
        listed["flip-own"] = found.own
    for title, some in listed.items():
        _print(format_flips(flips, some, title, sentences, most=most, whole=found.finished))
    _print([StyledLine(""), StyledLine(_count_line(flips, sentences))])
    if unasked:
        click.echo(sentences.format("flip-unasked"))
    return found.finished


def _search_flips(
    flips: Flips, position: Position, unit: Unit, sentences: Sentences
) -> _FoundFlips:
    """Search changes by other powers and, if the order fails, by its own power."""
    others = [power for power in position.board.powers if power != unit.power]
    fails = flips.result not in GOOD
    share = _PART_OF_OTHERS if fails else 1
    bar = ProgressBar("flip-progress", sentences)
    try:
        flips.watch = lambda part: bar.show(part * share)
        by_others, finished = _collect_until_interrupted(flips.search(others))
        own: list[Flip] = []
        if fails and finished:
            flips.watch = lambda part: bar.show(share + part * (1 - share))
            own, finished = _collect_until_interrupted(flips.search([unit.power], wanted=GOOD))
    finally:
        bar.end()
    return _FoundFlips(by_others, own, finished)


def _flips_json(
    flips: Flips, found: _FoundFlips, position: Position, sentences: Sentences
) -> dict[str, object]:
    return {
        "phase": str(position.phase),
        "order": write_order(flips.order) if flips.order else None,
        "result": flips.result,
        "tried": flips.tried,
        "judged": flips.judged,
        "others": flips_as_data(flips, found.others, sentences),
        "own": flips_as_data(flips, found.own, sentences),
        "finished": found.finished,
    }


def _count_line(flips: Flips, sentences: Sentences) -> str:
    """Return how many order sets a search tried, and how many of them it had to judge."""
    judged = format_count(flips.judged, sentences)
    return sentences.format("flip-tried", tried=format_count(flips.tried, sentences), judged=judged)


def _collect_until_interrupted(search: Iterable[Flip]) -> tuple[list[Flip], bool]:
    """Return the flips found, and whether the search was finished: Ctrl-C stops it."""
    found: list[Flip] = []
    try:
        found.extend(search)
    except KeyboardInterrupt:
        return found, False
    return found, True


def _read_question(position: Position, text: str) -> tuple[Unit, MovementOrder | None]:
    """Return the unit asked about, and the order if one is written."""
    text = _strip_power(text, position)
    order: Order | None = None
    try:
        order = read_order(text, position)
    except Unreadable as error:
        if error.code != "no-verb":
            raise
        unit = _read_unit_only(text, position, error)
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


def _read_unit_only(text: str, position: Position, error: Unreadable) -> Unit:
    """Return the unit that a text without a verb names.

    Raises:
        Unreadable: the text has more than a unit; ``error`` is raised again.
    """
    try:
        unit, notices = read_unit(text, position)
    except Unreadable:
        raise error from None
    if any(notice.code == "ignored" for notice in notices):
        raise error
    return unit


# -- safety ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SafetyQuestion:
    """The question how safe a power's orders are ``against`` others, and how much to search.

    ``asking`` is the power, None for the only one with orders; ``sample``, ``seed``,
    ``cases`` and ``jobs`` are the options of those names; ``every`` lists all reasons.
    """

    against: Sequence[str]
    asking: str | None
    sample: int
    seed: int
    cases: int
    jobs: int
    every: bool


def show_safety(
    position: Position,
    orders: Orders,
    question: SafetyQuestion,
    sentences: Sentences,
    *,
    extra: ExtraData,
) -> bool:
    """Print how one power's orders fare against all orders that others might give.

    Ctrl-C prints the results so far.  Return whether the search was finished.

    Raises:
        AlexMagnumError: the phase is not one of movement, or it is not clear who asks.
    """
    _require_movement(position, sentences)
    who = _find_asking_power(position, orders, question.asking)
    rivals = _opposing_powers(position, who, question.against, sentences)
    survey = Survey(position, orders, who, rivals)
    with _worker_pool(question.jobs) as workers:
        run = survey.run(
            most_cases=question.cases, sample=question.sample, seed=question.seed, workers=workers
        )
        finished = _run_survey(run, sentences)
    if not finished:
        click.echo(sentences.format("search-stopped"), err=True)
    if extra is not None:
        data = {**extra, **survey_as_data(survey), "finished": finished, "seed": question.seed}
        print_json(data)
    else:
        _print(format_survey(survey, sentences, every=question.every))
    return finished


def _find_asking_power(position: Position, orders: Orders, asking: str | None) -> str:
    """Return the power named, or the only one that has orders."""
    if asking is not None:
        return find_powers(position.board, [asking])[0]
    ordering = [power for power, listed in orders.items() if listed]
    if len(ordering) != 1:
        raise AlexMagnumError("safety-no-power")
    return ordering[0]


def _opposing_powers(
    position: Position, asking: str, names: Sequence[str], sentences: Sentences
) -> tuple[str, ...]:
    """Return the powers that ``--against`` names, alone or separated by commas.

    Raises:
        AlexMagnumError: ``safety-against-self`` or ``no-such-power``.
    """
    board = position.board
    if any(name.lower() in EVERYBODY for name in names):
        return tuple(power for power in board.powers if power != asking)
    named = find_powers(board, _split_at_commas(names) or names)
    if asking in named:
        raise AlexMagnumError("safety-against-self", power=power_name(board, asking, sentences))
    return named


def _split_at_commas(names: Sequence[str]) -> list[str]:
    parts = (part.strip() for name in names for part in name.split(","))
    return [part for part in parts if part]


def _run_survey(run: Iterable[Progress], sentences: Sentences) -> bool:
    """Run a survey and show its progress; return whether it was finished."""
    bar = ProgressBar("safety-progress", sentences)
    try:
        for progress in run:
            bar.show(_part_done(progress))
    except KeyboardInterrupt:
        return False
    finally:
        bar.end()
    return True


def _part_done(progress: Progress) -> float:
    """Return what part of a survey is done; drawing sets, if that is needed, is the other half."""
    worked_out = progress.done / max(progress.all, 1)
    return (
        (worked_out + progress.drawn / progress.sample) / 2 if progress.sample else worked_out / 2
    )


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


# -- shared ---------------------------------------------------------------------------------------


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


# The command ``whatif``: try orders on the position of a mail, one plan or several.


_PATH = click.Path(path_type=Path)


@dataclass(frozen=True, slots=True)
class WhatIf:
    """The arguments and options of ``whatif``, named as click has them."""

    turn: Path
    orders: tuple[Path, ...]
    map_id: str | None
    phase: str
    pairs: tuple[tuple[Path, Path], ...]
    own: tuple[str, ...]
    flip: str | None
    most: int
    against: tuple[str, ...]
    sample: int
    seed: int
    cases: int
    jobs: int
    explain: bool
    map_out: Path | None
    around: str
    region: str
    as_json: bool

    @property
    def part(self) -> CropRequest | None:
        """Return the part of the map that the picture shows, if one is asked for.

        Raises:
            click.UsageError: there are several.
        """
        return CropRequest.of({"around": self.around, "region": self.region})

    @property
    def is_search(self) -> bool:
        """Tell whether a search is asked for: ``--flip`` or ``--against``."""
        return self.flip is not None or bool(self.against)

    @property
    def safety(self) -> SafetyQuestion:
        """Return the question that ``--against`` asks."""
        return SafetyQuestion(
            against=self.against,
            asking=self.own[0] if self.own else None,
            sample=self.sample,
            seed=self.seed,
            cases=self.cases,
            jobs=self.jobs,
            every=self.explain,
        )

    def check(self) -> None:
        """Refuse options that do not go together.

        Raises:
            click.UsageError: two questions at once, or an option that is not about the question.
        """
        if self.pairs and (self.explain or self.own):
            raise click.UsageError("--explain and --for are about one plan: no --compare.")
        if self.part and not self.map_out:
            raise click.UsageError(
                "--around and --region are about the picture: name a file with --map-out."
            )
        if self.against and len(self.own) > 1:
            raise click.UsageError("--against is about the orders of one power: one --for.")
        questions = (bool(self.pairs), self.flip is not None, bool(self.against))
        if sum(questions) > 1:
            raise click.UsageError("--compare, --flip and --against are questions of their own.")
        if self.is_search and self.map_out:
            raise click.UsageError(
                "--map-out draws the results of orders: no --flip, no --against."
            )


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
@flip_options
@against_options
@click.option("--explain", is_flag=True, help="Below each order, print the chain of causes.")
@picture_option("--map-out")
@crop_options
def whatif(sentences: Sentences, as_json: bool, **options: Any) -> None:
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
    wanted = WhatIf(**options, as_json=as_json)
    wanted.check()
    read = read_any_turn(wanted.turn, wanted.map_id, wanted.phase)
    base = read_turn_orders(read.turn, wanted.orders)
    find_powers(base.position.board, wanted.own)
    if wanted.pairs:
        plans = _read_plans(base, [path for pair in wanted.pairs for path in pair])
        _compare(read, wanted, plans, sentences)
    elif wanted.is_search:
        _search(read, base, wanted, sentences)
    else:
        _show_outcome(read, base, wanted, sentences)


def _search(read: ReadTurn, base: TurnOrders, wanted: WhatIf, sentences: Sentences) -> None:
    """Answer ``--flip`` or ``--against``; exit with 1 if the search was stopped."""
    outcome = adjudicate(base.position, base.orders)
    extra = None
    if wanted.as_json:
        extra = {**_found_json(read), **mistakes_json(outcome, base.lines, sentences)}
    else:
        _print_found(read, wanted.turn, sentences)
    if wanted.flip is not None:
        finished = show_flips(
            base.position, base.orders, wanted.flip, sentences, most=wanted.most, extra=extra
        )
    else:
        finished = show_safety(base.position, base.orders, wanted.safety, sentences, extra=extra)
    if not wanted.as_json:
        wrong = list(list_wrong_orders(outcome, base.lines, sentences))
        print_mistakes("title-mistakes", wrong, sentences)
        guessed = list(list_notices(base.lines, base.position.board, sentences))
        print_mistakes("title-notices", guessed, sentences)
    if not finished:
        sys.exit(1)


def _show_outcome(read: ReadTurn, base: TurnOrders, wanted: WhatIf, sentences: Sentences) -> None:
    """Print the outcome of the orders, and draw it if a file for the map is given."""
    if wanted.map_out is not None:
        scene = turn_picture(base.position, base.orders, sentences, part=wanted.part)
        write_picture(wanted.map_out, scene)
    outcome = adjudicate(base.position, base.orders)
    if wanted.as_json:
        data = outcome_json(outcome, base.lines, sentences)
        print_json({**_found_json(read), **data, **_assumptions_json(outcome)})
        return
    _print_found(read, wanted.turn, sentences)
    report = compose_hypothetical_report(outcome, base.lines, sentences, chains=wanted.explain)
    click.echo(render_turn_report(report, color_line), nl=False)
    assumed = describe_assumptions(outcome, sentences)
    lines = [line for text in assumed for line in wrap_lines(text, terminal_width())]
    _print_titled("title-assumed", lines, sentences)
    powers = find_powers(base.position.board, wanted.own)
    pasted = list(format_orders_to_paste(outcome, sentences, powers))
    _print_titled("title-paste", pasted, sentences)


def _found_json(read: ReadTurn) -> dict[str, object]:
    """Return where in a mail the position was, and the phases of the others in it."""
    if read.search is None:
        return {}
    others = [str(o.position.phase) for o in read.search.others if o.position]
    return {"found": {"line": read.search.taken.line, "others": others}}


def _assumptions_json(outcome: Outcome) -> dict[str, object]:
    """Return the units left to the rules and the orders that count, by power."""
    return {
        "unordered": {power: list(units) for power, units in list_unordered_units(outcome).items()},
        "paste": {
            power: [write_order(order) for order in orders]
            for power, orders in group_valid_orders(outcome).items()
        },
    }


def _read_plans(base: TurnOrders, files: Sequence[Path]) -> Mapping[str, TurnOrders]:
    """Return the plan of each file by its name, or by its path if two files share a name."""
    paths = list(dict.fromkeys(files))
    names = [path.name for path in paths]
    return {
        path.name if names.count(path.name) == 1 else str(path): add_order_files(base, [path])
        for path in paths
    }


def _compare(
    read: ReadTurn, wanted: WhatIf, plans: Mapping[str, TurnOrders], sentences: Sentences
) -> None:
    """Print how plans differ, and draw them side by side if a file for the maps is given."""
    position = next(iter(plans.values())).position
    comparison = compare(position, {name: plan.orders for name, plan in plans.items()})
    if wanted.map_out is not None:
        write_comparison(wanted.map_out, comparison_pictures(comparison, sentences, wanted.part))
    if wanted.as_json:
        data = comparison_json(comparison, {n: p.lines for n, p in plans.items()}, sentences)
        print_json({**_found_json(read), **data})
        return
    _print_found(read, wanted.turn, sentences)
    for line in format_plans(comparison, sentences, width=terminal_width(), mark=color_line):
        click.echo(line)
    for name, plan in plans.items():
        wrong = list(list_wrong_orders(comparison.outcomes[name], plan.lines, sentences))
        guessed = list(list_notices(plan.lines, position.board, sentences))
        for title, entries in (("title-mistakes", wrong), ("title-notices", guessed)):
            _print_titled(title, [_plan_mistake(name, entry) for entry in entries], sentences)


def _plan_mistake(plan: str, entry: Mistake) -> str:
    return f"  {plan}, {entry.power}: {entry.text}\n      {entry.why}"


def _print_found(read: ReadTurn, path: Path, sentences: Sentences) -> None:
    if read.search is not None:
        for line in describe_position_source(read.search, str(path), sentences):
            click.echo(line)
        click.echo()


def _print_titled(title: str, lines: Sequence[str], sentences: Sentences) -> None:
    if lines:
        click.echo("\n" + color_line(sentences.format(title), TITLE))
        for line in lines:
            click.echo(line)
