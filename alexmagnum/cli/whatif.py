"""The command ``whatif``: try orders on the position of a mail, flips and safety."""

import pickle
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import click

from alexmagnum.board.model import list_examples
from alexmagnum.builds import keep_working_folder_out
from alexmagnum.cli import Command, pictures, turns
from alexmagnum.cli import base as cli_base
from alexmagnum.errors import AlexMagnumError, Unreadable
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge import adjudicate
from alexmagnum.notation import find_province, read_order, read_unit, write_order
from alexmagnum.notation.names import power_name
from alexmagnum.orders import MovementOrder
from alexmagnum.position import Position, Unit
from alexmagnum.report import whatif as reports
from alexmagnum.report.document import wrap_lines
from alexmagnum.report.results import TITLE, list_notices, list_wrong_orders, render_turn_report
from alexmagnum.report.words import phase_name
from alexmagnum.whatif import safety
from alexmagnum.whatif.flips import Flip, Flips, flips_as_data
from alexmagnum.whatif.plans import compare
from alexmagnum.whatif.search import given_orders, same_order


@click.command(cls=Command)
@click.argument("turn", type=cli_base.PATH)
@click.argument("orders", nargs=-1, type=cli_base.PATH)
@cli_base.map_option
@click.option("--phase", default="", help="Which of several positions in a mail to use.")
@click.option(
    "--compare",
    "pairs",
    nargs=2,
    multiple=True,
    type=cli_base.PATH,
    metavar="A B",
    help="Compare two plans, each a file of orders.  Repeat it for more plans.",
)
@click.option(
    "--for",
    "own",
    multiple=True,
    metavar="POWER",
    help="The power to print orders for, or to ask for with --against, --take and --hold.",
)
@click.option("--flip", metavar="ORDER", help="What would give this order another result?")
@cli_base.number_option("--most", 12, "With --flip: how many ways to list at most.")
@click.option(
    "--against",
    multiple=True,
    metavar="POWER",
    help="How safe are one's orders against these powers ('all': every other one)?",
)
@click.option(
    "--take",
    multiple=True,
    metavar="PROVINCE",
    help="Search one's own plans for one that takes this province, whatever others order.",
)
@click.option(
    "--hold",
    multiple=True,
    metavar="PROVINCE",
    help="Search for a plan that keeps others out of this province; with --take or alone.",
)
@cli_base.number_option(
    "--sample",
    safety.SAMPLE,
    "With --against or --take: how many order sets to draw where the cases are too many.",
    least=0,
)
@cli_base.number_option("--seed", 0, "With --sample: the same seed draws the same.", least=0)
@cli_base.number_option(
    "--cases", safety.MOST_CASES, "With --sample: in how many cases to work out a question at most."
)
@cli_base.number_option("--jobs", 1, "With --sample: how many processor cores to use.")
@click.option("--explain", is_flag=True, help="Below each order, print the chain of causes.")
@pictures.picture_option("--map-out")
@pictures.crop_options
def whatif(
    call: cli_base.Call,
    turn: Path,
    orders: tuple[Path, ...],
    map_id: str | None,
    phase: str,
    pairs: tuple[tuple[Path, Path], ...],
    own: tuple[str, ...],
    flip: str | None,
    most: int,
    against: tuple[str, ...],
    take: tuple[str, ...],
    hold: tuple[str, ...],
    sample: int,
    seed: int,
    cases: int,
    jobs: int,
    explain: bool,
    map_out: Path | None,
    around: str,
    region: str,
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
    powers.  --take and --hold search your own orders for a plan that no such answer spoils; all
    other powers may answer, or only those of --against.  All of these are for movement phases.

    \b
    Examples:
      alexmagnum whatif report.eml mine.txt guesses.txt
      alexmagnum whatif report.eml mine.txt --explain --map-out turn.png
      alexmagnum whatif report.eml guesses.txt --compare careful.txt bold.txt --map-out two.png
      alexmagnum whatif report.eml mine.txt guesses.txt --flip "A MEN - TEB"
      alexmagnum whatif report.eml mine.txt --against all --jobs 2
      alexmagnum whatif report.eml --for TOL --take ROD --hold CIP
    """
    part = pictures.CropRequest.of({"around": around, "region": region})
    is_survey = bool(against or take or hold)
    is_search = flip is not None or is_survey
    for is_wrong, why in (
        (pairs and (explain or own), "--explain and --for are about one plan: no --compare."),
        (
            part and not map_out,
            "--around and --region are about the picture: name a file with --map-out.",
        ),
        (against and len(own) > 1, "--against is about the orders of one power: one --for."),
        (
            bool(pairs) + (flip is not None) + is_survey > 1,
            "--compare, --flip and --against are questions of their own.",
        ),
        (is_search and map_out, "--map-out draws the results of orders: no --flip, no --against."),
    ):
        if is_wrong:
            raise click.UsageError(why)
    read = turns.read_any_turn(turn, map_id, phase)
    base = turns.read_turn_orders(read.turn, orders)
    powers = cli_base.find_powers(base.position.board, own)
    if pairs:
        _compare(call, read, turn, _read_plans(base, pairs), map_out, part)
        return
    if map_out is not None:
        pictures.write_picture(
            map_out, pictures.turn_picture(base.position, base.orders, call.sentences, part=part)
        )
    if not is_search:
        _print_outcome(call, read, turn, base, powers, explain)
        return
    outcome = adjudicate(base.position, base.orders)
    call.say(_found_lines(read, turn, call.sentences))
    if base.position.phase.kind != "movement":
        phase = phase_name(base.position.phase, base.position.board, call.sentences)
        raise AlexMagnumError("safety-phase", phase=phase)
    if flip is not None:
        finished, data, lines = _search_flips(base, flip, most, call.sentences)
    else:
        who, rivals = _find_sides(base, powers, against or ["all"], call.sentences)
        sides = base.position, base.orders, who, rivals
        board = base.position.board
        places = (tuple(find_province(name, board) for name in names) for names in (take, hold))
        goal = safety.Goal(*places)
        asked = safety.PlanSearch(*sides, goal) if any(goal) else safety.Survey(*sides)
        with share_work(jobs) as share:
            run = asked.run(most_cases=cases, sample=sample, seed=seed, share=share)
            finished = _run_survey(run, call.sentences)
        data, styled = _describe(asked, call.sentences, every=explain)
        data |= {"finished": finished, "seed": seed}
        lines = _wrap(styled)
    if not finished:
        click.echo(call.format("search-stopped"), err=True)
    wrong = list_wrong_orders(outcome, base.lines, call.sentences)
    notices = list_notices(base.lines, base.position.board, call.sentences)
    lines += turns.mistake_lines("title-mistakes", wrong, call.sentences)
    lines += turns.mistake_lines("title-notices", notices, call.sentences)
    mistakes = turns.mistakes_json(outcome, base.lines, call.sentences)
    call.answer({**_found_json(read), **mistakes, **data}, lines, failed=not finished)


# -- one plan, or several side by side ---------------------------------------------------------


def _found_lines(read: turns.ReadTurn, path: Path, sentences: Sentences) -> Iterator[str]:
    if read.search is not None:
        yield from reports.describe_position_source(read.search, str(path), sentences)
        yield ""


def _found_json(read: turns.ReadTurn) -> dict[str, object]:
    """Return where in a mail the position was, and the phases of the others in it."""
    if read.search is None:
        return {}
    others = [str(o.position.phase) for o in read.search.others if o.position]
    return {"found": {"line": read.search.taken.line, "others": others}}


def _print_outcome(
    call: cli_base.Call,
    read: turns.ReadTurn,
    path: Path,
    base: turns.TurnOrders,
    powers: Sequence[str],
    explain: bool,
) -> None:
    outcome = adjudicate(base.position, base.orders)
    unordered, valid = reports.list_unordered_units(outcome), reports.group_valid_orders(outcome)
    data = {
        **_found_json(read),
        **turns.outcome_json(outcome, base.lines, call.sentences),
        "unordered": {power: list(units) for power, units in unordered.items()},
        "paste": {power: list(map(write_order, given)) for power, given in valid.items()},
    }
    report = reports.compose_hypothetical_report(
        outcome, base.lines, call.sentences, chains=explain
    )
    assumed = reports.describe_assumptions(outcome, call.sentences)
    lines = [line for text in assumed for line in wrap_lines(text, cli_base.terminal_width())]
    pasted = list(reports.format_orders_to_paste(outcome, call.sentences, powers))
    said = (
        *_found_lines(read, path, call.sentences),
        render_turn_report(report, turns.color_line).removesuffix("\n"),
        *_below_title("title-assumed", lines, call.sentences),
        *_below_title("title-paste", pasted, call.sentences),
    )
    call.answer(data, said)


def _read_plans(
    base: turns.TurnOrders, pairs: Iterable[Iterable[Path]]
) -> Mapping[str, turns.TurnOrders]:
    """Return the plan of each file by its name, or by its path if two files share a name."""
    paths = list(dict.fromkeys(path for pair in pairs for path in pair))
    names = [path.name for path in paths]
    return {
        path.name if names.count(path.name) == 1 else str(path): turns.add_order_files(base, [path])
        for path in paths
    }


def _compare(
    call: cli_base.Call,
    read: turns.ReadTurn,
    path: Path,
    plans: Mapping[str, turns.TurnOrders],
    map_out: Path | None,
    part: pictures.CropRequest | None,
) -> None:
    position = next(iter(plans.values())).position
    comparison = compare(position, {name: plan.orders for name, plan in plans.items()})
    if map_out is not None:
        pictures.write_comparison(
            map_out, pictures.comparison_pictures(comparison, call.sentences, part)
        )
    said = [*_found_lines(read, path, call.sentences)]
    said += reports.format_plans(
        comparison, call.sentences, width=cli_base.terminal_width(), mark=turns.color_line
    )
    for name, plan in plans.items():
        wrong = list_wrong_orders(comparison.outcomes[name], plan.lines, call.sentences)
        guessed = list_notices(plan.lines, position.board, call.sentences)
        for title, entries in (("title-mistakes", wrong), ("title-notices", guessed)):
            lines = [f"  {name}, {each.power}: {each.text}\n      {each.why}" for each in entries]
            said += _below_title(title, lines, call.sentences)
    data = turns.comparison_json(comparison, {n: p.lines for n, p in plans.items()}, call.sentences)
    call.answer({**_found_json(read), **data}, said)


def _below_title(title: str, lines: Sequence[str], sentences: Sentences) -> list[str]:
    return ["\n" + turns.color_line(sentences.format(title), TITLE), *lines] if lines else []


# -- flips: the smallest changes that give an order another result ------------------------------


_PART_OF_OTHERS = 0.8  # of a search for flips, for the orders of others, if one's own follow


def _search_flips(
    base: turns.TurnOrders, text: str, most: int, sentences: Sentences
) -> tuple[bool, dict[str, object], list[str]]:
    """Search changes by other powers, and by its own if the order fails, that flip an order
    (``text``, or just its unit); return whether it was finished, data and lines."""
    position, orders = base.position, base.orders
    unit, order = _read_question(position, text)
    unasked = False
    if order is not None:
        unasked = not same_order(position, order, given_orders(position, orders).get(unit))
        orders = {**orders, unit.power: [*orders.get(unit.power, ()), order]}
    flips = Flips(position, orders, unit)
    others = [power for power in position.board.powers if power != unit.power]
    fails = flips.result not in safety.GOOD
    share = _PART_OF_OTHERS if fails else 1
    by_others: list[Flip] = []
    own: list[Flip] = []
    finished = False
    bar = cli_base.ProgressBar("flip-progress", sentences)
    try:
        flips.watch = lambda part: bar.show(part * share)
        by_others.extend(flips.search(others))
        if fails:
            flips.watch = lambda part: bar.show(share + part * (1 - share))
            own.extend(flips.search([unit.power], wanted=safety.GOOD))
        finished = True
    except KeyboardInterrupt:
        pass
    finally:
        bar.end()
    data: dict[str, object] = {
        "phase": str(position.phase),
        "order": write_order(flips.order) if flips.order else None,
        "result": flips.result,
        "tried": flips.tried,
        "judged": flips.judged,
        "others": flips_as_data(flips, by_others, sentences),
        "own": flips_as_data(flips, own, sentences),
        "finished": finished,
    }
    listed = {"flip-others": by_others, **({"flip-own": own} if fails else {})}
    counts = {"tried": flips.tried, "judged": flips.judged}
    numbers = {name: reports.format_count(count, sentences) for name, count in counts.items()}
    lines = [
        *reports.format_question(flips, sentences),
        *(
            line
            for title, some in listed.items()
            for line in reports.format_flips(
                flips, some, title, sentences, most=most, whole=finished
            )
        ),
        reports.StyledLine(""),
        reports.StyledLine(sentences.format("flip-tried", **numbers)),
    ]
    return finished, data, [*_wrap(lines), *([sentences.format("flip-unasked")] * unasked)]


def _read_question(position: Position, text: str) -> tuple[Unit, MovementOrder | None]:
    """Return the unit asked about, and the order if one is written."""
    text = _strip_power(text, position)
    unit: Unit | None
    try:
        order = read_order(text, position)
    except Unreadable as error:
        if error.code != "no-verb":
            raise
        order, unit = None, _read_unit_only(text, position, error)
    else:
        unit = position.names.get(order.unit) if isinstance(order, MovementOrder) else None
    if unit is None or unit.power not in position.board.powers:
        raise AlexMagnumError("flip-no-unit", text=text, **list_examples(position.board))
    return unit, order if isinstance(order, MovementOrder) else None


def _strip_power(text: str, position: Position) -> str:
    name, colon, order = text.partition(":")
    if not colon:
        return text
    try:
        cli_base.find_powers(position.board, [name.strip()])
    except AlexMagnumError:
        return text
    return order.strip()


def _read_unit_only(text: str, position: Position, error: Unreadable) -> Unit:
    """Return the unit that a text without a verb names; if it has more, raise ``error`` again."""
    try:
        unit, notices = read_unit(text, position)
    except Unreadable:
        raise error from None
    if any(notice.code == "ignored" for notice in notices):
        raise error
    return unit


def _wrap(lines: Iterable[reports.StyledLine]) -> list[str]:
    return [
        turns.color_line(piece, line.mark)
        for line in lines
        for piece in reports.wrap_styled_line(line, cli_base.terminal_width())
    ]


# -- safety: how orders fare against all that others might order ---------------------------------


def _find_sides(
    base: turns.TurnOrders, asking: Sequence[str], against: Sequence[str], sentences: Sentences
) -> tuple[str, tuple[str, ...]]:
    """Return the power that asks, and the powers that ``--against`` names.

    ``asking`` has that power; without it, it is the only one with orders.

    Raises:
        AlexMagnumError: ``safety-no-power``, ``safety-against-self``, ``no-such-power``.
    """
    board = base.position.board
    if len(ordering := asking or [power for power, listed in base.orders.items() if listed]) != 1:
        raise AlexMagnumError("safety-no-power")
    (who,) = ordering
    if any(name.lower() in ("all", "tutti") for name in against):
        rivals = tuple(power for power in board.powers if power != who)
    else:
        parts = [part.strip() for name in against for part in name.split(",")]
        if who in (rivals := cli_base.find_powers(board, list(filter(None, parts)) or against)):
            raise AlexMagnumError("safety-against-self", power=power_name(board, who, sentences))
    return who, rivals


def _describe(
    asked: safety.Survey | safety.PlanSearch, sentences: Sentences, *, every: bool
) -> tuple[dict[str, object], Iterator[reports.StyledLine]]:
    """Return what a search found as data and as lines."""
    if isinstance(asked, safety.PlanSearch):
        return safety.plan_as_data(asked, sentences), reports.format_sure_plan(asked, sentences)
    return reports.survey_as_data(asked), reports.format_survey(asked, sentences, every=every)


def _run_survey(run: Iterable[safety.Progress], sentences: Sentences) -> bool:
    """Run a search and show its progress; return whether it was finished, not stopped by Ctrl-C."""
    bar = cli_base.ProgressBar("safety-progress", sentences)
    try:
        for progress in run:
            bar.show(progress.part)
    except KeyboardInterrupt:
        return False
    finally:
        bar.end()
    return True


@contextmanager
def share_work(processes: int) -> Iterator[safety.Share | None]:
    """Yield what shares work out to so many processes; None if it is done in this one."""
    if processes == 1:
        yield None
        return
    ignore = signal.SIGINT, signal.SIG_IGN  # Ctrl-C is for the main process alone
    spawn = get_context("spawn")
    with keep_working_folder_out(), spawn.Pool(processes, signal.signal, ignore) as pool:

        def share(work: Callable[..., Any], jobs: Sequence[tuple[Any, ...]]) -> Iterator[Any]:
            packed = pickle.dumps(work)
            return pool.imap(_do_job, [(packed, job) for job in jobs])

        yield share  # leaving the block stops the work that is still running


def _do_job(packed: tuple[bytes, tuple[Any, ...]]) -> Any:
    """Do a job in a worker; its function comes with every job and is unpickled once."""
    work, job = packed
    return _unpickle(work)(*job)


@lru_cache(maxsize=1)
def _unpickle(work: bytes) -> Callable[..., Any]:
    found: Callable[..., Any] = pickle.loads(work)
    return found
