"""The searches of ``whatif``: changes that flip an order, and the safety of orders."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.pool import Pool

import click

from alexmagnum.board.examples import list_examples
from alexmagnum.cli.output import (
    RESULT_COLORS,
    Command,
    find_powers,
    print_json,
    style,
    terminal_width,
)
from alexmagnum.cli.progress import ProgressBar
from alexmagnum.errors import AlexMagnumError, Unreadable
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.notation import read_order, read_unit, write_order
from alexmagnum.orders import MovementOrder, Order
from alexmagnum.position import Position, Unit
from alexmagnum.report.names import phase_name, power_name
from alexmagnum.report.safety_text import format_survey, survey_as_data
from alexmagnum.report.shares import format_count
from alexmagnum.report.turn_report import TITLE
from alexmagnum.report.whatif_text import (
    StyledLine,
    format_flips,
    format_question,
    wrap_styled_line,
)
from alexmagnum.whatif.candidates import given_orders, same_order
from alexmagnum.whatif.flip_text import flips_as_data
from alexmagnum.whatif.flips import Flip, Flips
from alexmagnum.whatif.safety import GOOD, MOST_CASES, SAMPLE, Progress, Survey

Orders = Mapping[str, Sequence[Order]]

ExtraData = Mapping[str, object] | None
"""Data to add to the answer in JSON; None prints the answer as text."""

EVERYBODY = ("all", "tutti")
"""The words that mean all other powers."""

_PART_OF_OTHERS = 0.8
"""The part of a search for flips that the orders of other powers take, if one's own follow."""

SHOWN = 12
"""The number of flips listed by default."""


def _number_option(name: str, least: int, default: int, text: str) -> Callable[[Command], Command]:
    """Return an option for a number, ``least`` or more."""
    kind = click.IntRange(least)
    return click.option(name, type=kind, default=default, show_default=True, help=text)


def flip_options(command: Command) -> Command:
    """Add the options of ``--flip``."""
    flip = click.option(
        "--flip", metavar="ORDER", help="What would give this order another result?"
    )
    most = _number_option("--most", 1, SHOWN, "With --flip: how many ways to list at most.")
    return flip(most(command))


def against_options(command: Command) -> Command:
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
