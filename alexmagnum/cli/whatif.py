"""The command ``whatif``: try orders on the position of a mail, one plan or several."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from alexmagnum.cli.crops import CropRequest, crop_options
from alexmagnum.cli.output import find_powers, lang_option, print_json, terminal_width
from alexmagnum.cli.pictures import (
    comparison_pictures,
    picture_option,
    turn_picture,
    write_comparison,
    write_picture,
)
from alexmagnum.cli.turn_files import (
    ReadTurn,
    TurnOrders,
    add_order_files,
    read_any_turn,
    read_turn_orders,
)
from alexmagnum.cli.turn_json import comparison_json, mistakes_json, outcome_json
from alexmagnum.cli.turns import color_line, print_mistakes
from alexmagnum.cli.whatif_search import (
    SafetyQuestion,
    against_options,
    flip_options,
    show_flips,
    show_safety,
)
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge import adjudicate
from alexmagnum.judge.outcome import Outcome
from alexmagnum.notation import write_order
from alexmagnum.report.plans_text import format_plans
from alexmagnum.report.turn_report import (
    TITLE,
    Mistake,
    list_notices,
    list_wrong_orders,
    render_turn_report,
)
from alexmagnum.report.whatif_report import (
    compose_hypothetical_report,
    describe_assumptions,
    describe_position_source,
    format_orders_to_paste,
    group_valid_orders,
    list_unordered_units,
)
from alexmagnum.report.wrapping import wrap_lines
from alexmagnum.whatif.plans import compare

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


@click.command()
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
@click.option("--json", "as_json", is_flag=True, help="For machines: see docs/whatif.md.")
@lang_option
def whatif(sentences: Sentences, **options: Any) -> None:
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
    wanted = WhatIf(**options)
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
