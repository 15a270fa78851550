"""Hypothetical orders in words: results, plans side by side, flips and safety."""

import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

from alexmagnum.board.model import INDEPENDENT
from alexmagnum.campaign import centres_change
from alexmagnum.game.orders import find_missing_orders, find_required_orders
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge.explanation import format_chain, format_reason
from alexmagnum.judge.outcome import ILLEGAL, STANDS, Outcome
from alexmagnum.notation import Line, order_in, write_order
from alexmagnum.notation.names import power_name
from alexmagnum.orders import Order
from alexmagnum.position import Position, Unit
from alexmagnum.report import results
from alexmagnum.report.document import wrap_lines
from alexmagnum.report.results import TITLE, TurnReport, compose_turn_report, leave_unmarked
from alexmagnum.report.words import phase_name
from alexmagnum.whatif import safety
from alexmagnum.whatif.flips import Flip, Flips, format_change, format_result, write_in_language
from alexmagnum.whatif.plans import Comparison, PositionSearch, Row, Side


def compose_hypothetical_report(
    outcome: Outcome, lines: Sequence[Line], sentences: Sentences, *, chains: bool = False
) -> TurnReport:
    """Compose the report of a hypothetical turn.

    It leaves out units that hold because they have no order: :func:`describe_assumptions` names
    those.  Of a power without orders it shows only what happened to its units.
    """
    report = compose_turn_report(outcome, lines, sentences, chains=chains, for_writer=True)
    board = outcome.position.board
    ordering = {power_name(board, line.power, sentences) for line in lines if line.power}

    def is_idle(line: results.ReportLine) -> bool:
        return line.result == STANDS and line.order == f"{line.unit} {sentences.format('no-order')}"

    sections = [
        replace(section, lines=tuple(line for line in section.lines if not is_idle(line)))
        for section in report.powers
    ]
    return replace(report, powers=tuple(s for s in sections if s.lines or s.power in ordering))


def describe_position_source(
    search: PositionSearch, path: str, sentences: Sentences
) -> Iterator[str]:
    """Yield where the position was found, and which other positions are ignored."""
    yield sentences.format("whatif-found", path=path, line=search.taken.line)
    if search.others:
        phases = (
            str(found.position.phase)
            if found.position is not None
            else sentences.format("whatif-broken", line=found.line)
            for found in search.others
        )
        yield sentences.format("whatif-others", phases=", ".join(phases))


# -- what is assumed -------------------------------------------------------------------------------


def describe_assumptions(outcome: Outcome, sentences: Sentences) -> Iterator[str]:
    """Yield what the rules assume for missing orders.

    Powers with valid orders have a line each with their units; all others share one line.
    """
    kind = outcome.position.phase.kind
    orders = group_valid_orders(outcome)
    left = list_unordered_units(outcome)
    board = outcome.position.board
    for power, things in left.items():
        if orders.get(power):
            removes = kind == "winter" and "Remove" in things
            gone = [outcome.position.name(u) for u in outcome.removed if u.power == power]
            yield sentences.format(
                "whatif-left-removals" if removes else f"whatif-left-{kind}",
                power=power_name(board, power, sentences),
                units=", ".join(gone if removes else things),
                count=len(things),
            )
    if silent := [power_name(board, power, sentences) for power in left if not orders.get(power)]:
        yield sentences.format(f"whatif-silent-{kind}", powers=", ".join(silent))


def group_valid_orders(outcome: Outcome) -> Mapping[str, Sequence[Order]]:
    """Return the legal orders by power, in the map's order."""
    orders: dict[str, list[Order]] = {power: [] for power in outcome.position.board.powers}
    for entry in outcome.results:
        if entry.result != ILLEGAL and entry.power in orders:
            orders[entry.power].append(entry.order)
    return {power: listed for power, listed in orders.items() if listed}


def list_unordered_units(outcome: Outcome) -> Mapping[str, Sequence[str]]:
    """Return what each power left without an order, by power.

    It is units by name, or ``Build``, ``Remove``, ``Pick`` or a centre as in
    :func:`alexmagnum.game.orders.find_required_orders`.
    """
    if (position := outcome.position).phase.kind not in ("movement", "retreats"):
        return find_missing_orders(position, group_valid_orders(outcome))
    ordered = {position.name(e.unit) for e in outcome.results if e.unit and e.result != ILLEGAL}
    left = {
        p: [n for n in units if n not in ordered]
        for p, units in find_required_orders(position).items()
    }
    return {power: units for power, units in left.items() if units}


# -- to paste --------------------------------------------------------------------------------------


def format_orders_to_paste(
    outcome: Outcome, sentences: Sentences, powers: Sequence[str] = ()
) -> Iterator[str]:
    """Yield the legal orders as lines to send: each power's name, then its orders.

    ``powers`` limits them to some powers, in that order; a note marks a power without orders.
    """
    orders = group_valid_orders(outcome)
    for power in powers or orders:
        yield ""
        yield power_name(outcome.position.board, power, sentences)
        listed = [order_in(write_order(order), sentences.lang) for order in orders.get(power, ())]
        yield from listed or [f"({sentences.format('whatif-nothing-ordered')})"]


# The changes that flip an order in words, and what all answers of ``whatif`` searches share.


class StyledLine(NamedTuple):
    """A line and what it is marked as: a result, ``TITLE``, or "".

    ``parts`` end the line, with a separator between them: the orders of an answer, or the shares of
    several.  :func:`wrap_styled_line` keeps them together, or gives each a line of its own.
    """

    line: str
    mark: str = ""
    parts: tuple[str, ...] = ()
    separator: str = "; "


def wrap_styled_line(line: StyledLine, width: int) -> list[str]:
    """Return a line as lines of a width, all but the first indented further.

    Parts that do not fit beside the text stand below it: all in one line, or else one on each line.
    """
    lead = len(line.line) - len(line.line.lstrip())
    indent = " " * (lead and lead + 4)
    if not line.parts:
        return wrap_lines(line.line, width, indent) or [""]
    whole = line.separator.join(line.parts)
    beside = f"{line.line} {whole}"
    if len(beside) <= width:
        return wrap_lines(beside, width, indent)
    above = wrap_lines(line.line.rstrip(), width, indent)
    if len(above[-1]) + 1 + len(whole) <= width and len(above) > 1:
        return [*above[:-1], *wrap_lines(f"{above[-1]} {whole}", width, indent)]
    if len(below := " " * (lead + 4)) + len(whole) <= width:
        return [*above, *wrap_lines(below + whole, width)]
    if max(map(len, line.parts)) + len(below) > width:
        below = " " * (lead + 2)
    return above + [x for part in line.parts for x in wrap_lines(below + part, width, below + "  ")]


def format_title(position: Position, sentences: Sentences) -> StyledLine:
    board = position.board
    return StyledLine(
        f"{board.name(sentences.lang)} — {phase_name(position.phase, board, sentences)}", TITLE
    )


# -- flips ----------------------------------------------------------------------------------------


def format_question(flips: Flips, sentences: Sentences) -> Iterator[StyledLine]:
    """Yield the order in question, with its present result and the reasons."""
    yield format_title(flips.position, sentences)
    unit = flips.unit
    name = (
        flips.position.name(unit)
        if flips.order is None
        else write_in_language(flips.order, sentences)
    )
    yield StyledLine(f"{name}: {format_result(flips.outcome, unit, sentences)}", flips.result)
    yield from (StyledLine(f"  {line}") for line in format_chain(flips.outcome, unit, sentences))


def format_flips(
    flips: Flips, found: Sequence[Flip], title: str, sentences: Sentences, *, most: int, whole: bool
) -> Iterator[StyledLine]:
    """Flips below a title (its code), ``most`` of them, those of one unit first; ``whole``: all
    were looked for."""
    yield StyledLine("")
    yield StyledLine(sentences.format(title), TITLE)
    if whole and not found:
        yield StyledLine("  " + sentences.format("flip-none"))
    count = 0
    for flip in found[:most]:
        if len(flip.changes) != count:
            count = len(flip.changes)
            yield StyledLine("  " + sentences.format("flip-one" if count == 1 else "flip-two"))
        for change in flip.changes:
            yield StyledLine("    " + format_change(change, flips.position, sentences))
        yield StyledLine(f"      {format_result(flip.outcome, flips.unit, sentences)}", flip.result)
        yield from (
            StyledLine(f"        {x}") for x in format_chain(flip.outcome, flips.unit, sentences)
        )
    if len(found) > most:
        yield StyledLine("  " + sentences.format("flip-more", count=len(found) - most))
    if not whole:
        yield StyledLine("  " + sentences.format("flip-stopped"))


# Compare plans side by side, in lines of a width.


NARROWEST = 18
"""The least width of a plan, even on a narrower terminal."""

Mark = Callable[[str, str], str]


class _Columns:
    """Lays out rows: a label in front, then a column for each plan."""

    def __init__(
        self, comparison: Comparison, sentences: Sentences, width: int, mark: Mark
    ) -> None:
        self.comparison = comparison
        self.sentences = sentences
        self.mark = mark
        self.board = comparison.position.board
        labels = [row.unit for row in comparison.rows]
        labels += [self.power(p) for p in (*self.board.powers, INDEPENDENT)]
        self.label = min(max(map(len, labels), default=8), 14)
        self.column = max((width - self.label) // len(comparison.outcomes) - 2, NARROWEST)

    def power(self, power: str) -> str:
        return power_name(self.board, power, self.sentences)

    def row(self, label: str, cells: Sequence[Sequence[StyledLine]]) -> Iterator[str]:
        """Yield the lines of a row, as many as its longest cell needs."""
        heads = textwrap.wrap(label, self.label) or [""]
        columns = [
            [
                (line, piece.mark)
                for piece in cell
                for line in wrap_lines(
                    piece.line, self.column, "    " if piece.line.startswith("  ") else "  "
                )
            ]
            for cell in cells
        ]
        for i in range(max(len(heads), *map(len, columns))):
            line = (heads[i] if i < len(heads) else "").ljust(self.label)
            for cell in columns:
                text, mark = cell[i] if i < len(cell) else ("", "")
                blanks = " " * (self.column - len(text))
                line += "  " + (self.mark(text, mark) if mark and text else text) + blanks
            yield line.rstrip()

    def paragraph(self, text: str) -> list[str]:
        """Return running text, as wide as all columns together."""
        return wrap_lines(text, self.label + len(self.comparison.outcomes) * (self.column + 2))

    def title(self, code: str) -> Iterator[str]:
        yield ""
        yield self.mark(self.sentences.format(code), TITLE)


def format_plans(
    comparison: Comparison, sentences: Sentences, *, width: int = 80, mark: Mark = leave_unmarked
) -> Iterator[str]:
    """Yield the lines of a comparison.

    They show the orders that differ, with their results; equal orders with different results;
    dislodged units, centres that change hands, units after the phase and assumptions.  ``width`` is
    that of the terminal; ``mark`` gets every piece with its result.
    """
    columns = _Columns(comparison, sentences, width, mark)
    position = comparison.position
    phase = phase_name(position.phase, position.board, sentences)
    yield mark(f"{position.board.name(sentences.lang)} — {phase}", TITLE)
    yield from columns.row("", [[StyledLine(name, TITLE)] for name in comparison.outcomes])
    differences = comparison.differences
    for code, other in (("title-plan-orders", True), ("title-plan-ends", False)):
        if rows := [row for row in differences if row.differs_in_order is other]:
            yield from columns.title(code)
            yield from _order_rows(columns, rows)
    yield ""
    if not differences:
        yield sentences.format("whatif-all-alike")
    else:
        yield sentences.format("whatif-alike", count=len(comparison.rows) - len(differences))
    yield from _loss_lines(columns)
    yield from _centre_lines(columns)
    yield from _unit_lines(columns)
    yield from _assumption_lines(columns)


def _order_rows(columns: _Columns, rows: Sequence[Row]) -> Iterator[str]:
    power = ""
    for row in rows:
        if row.power != power:
            power = row.power
            yield columns.power(power)
        label = row.unit or columns.sentences.format("whatif-pick")
        yield from columns.row(label, [list(_order_cell(columns, side)) for side in row.sides])


def _order_cell(columns: _Columns, side: Side) -> Iterator[StyledLine]:
    sentences, position = columns.sentences, columns.comparison.position
    if not side.results:
        yield StyledLine("–")
        return
    text = order_in(side.order, sentences.lang) if side.order else sentences.format("no-order")
    yield StyledLine(text)
    for result, reason in zip(side.results, side.reasons, strict=True):
        yield StyledLine("  " + format_reason(reason, position, sentences), result)


def _loss_lines(columns: _Columns) -> Iterator[str]:
    comparison, sentences = columns.comparison, columns.sentences
    name = comparison.position.name
    cells = [
        [
            StyledLine(
                sentences.format("whatif-gone", unit=name(unit), power=columns.power(unit.power))
            )
            for unit in comparison.dislodged(plan)
        ]
        for plan in comparison.outcomes
    ]
    if any(cells):
        yield from columns.title("title-plan-lost")
        yield from columns.row(
            "", [cell or [StyledLine(sentences.format("whatif-none"))] for cell in cells]
        )


def _centre_lines(columns: _Columns) -> Iterator[str]:
    comparison, sentences = columns.comparison, columns.sentences
    changed = [comparison.centres(plan) for plan in comparison.outcomes]
    rows = [centre for centre in columns.board.centres if any(centre in c for c in changed)]
    if not rows:
        return
    settled = all(
        centres_change(outcome) or outcome.picks is not None
        for outcome in comparison.outcomes.values()
    )
    yield from columns.title("title-plan-owners" if settled else "title-plan-standing")
    unchanged = sentences.format("whatif-unchanged")
    for centre in rows:
        cells = [
            [StyledLine(columns.power(owners[centre]) if centre in owners else unchanged)]
            for owners in changed
        ]
        owner = comparison.position.owners.get(centre, "")
        yield from columns.row(f"{centre} ({owner})" if owner else centre, cells)


def _unit_lines(columns: _Columns) -> Iterator[str]:
    comparison = columns.comparison
    yield from columns.title("title-plan-units")
    alike = []
    for power in columns.board.powers:
        lists = [comparison.units(plan, power) for plan in comparison.outcomes]
        if len(set(lists)) == 1:
            alike.append(f"{columns.power(power)} {len(lists[0])}")
            continue
        shared = set.intersection(*map(set, lists))
        cells = []
        for units in lists:
            own = ", ".join(unit for unit in units if unit not in shared)
            text = f"{len(units)}: … {own}" if own else f"{len(units)}: …"
            cells.append([StyledLine(text)])
        yield from columns.row(columns.power(power), cells)
    if alike:
        text = columns.sentences.format("whatif-alike-units", powers=", ".join(alike))
        yield from columns.paragraph(text)


def _assumption_lines(columns: _Columns) -> Iterator[str]:
    lists = {
        n: list(describe_assumptions(o, columns.sentences))
        for n, o in columns.comparison.outcomes.items()
    }
    shared = [line for line in next(iter(lists.values())) if all(line in x for x in lists.values())]
    lines = [f"{name}: {line}" for name, x in lists.items() for line in x if line not in shared]
    if shared or lines:
        yield from columns.title("title-assumed")
        for line in (*lines, *shared):
            yield from columns.paragraph(line)


# Shares and counts in words: never rounded to what they are not.


_UNSEEN = 3  # a thing not met in n draws has, with a certainty of 95 %, a share of less than 3/n


def format_share(share: Fraction, sentences: Sentences) -> str:
    """Return a share in per cent; only 0 and 1 themselves are written as 0 and 100.

    >>> from alexmagnum.i18n.sentences import load_sentences
    >>> say = load_sentences("en")
    >>> [format_share(Fraction(n, 10**6), say).replace("\\xa0", " ") for n in (1, 5_000, 999_999)]
    ['<0.1 %', '0.5 %', '>99.9 %']

    A whole number of per cent is exact; a rounded one keeps its decimal.

    >>> [format_share(Fraction(n, 10_000), say).replace("\\xa0", " ") for n in (300, 301)]
    ['3 %', '3.0 %']
    """
    if (tenths := round(share * 1000)) == 0 < share:
        return "<" + format_tenths(1, sentences)
    if tenths == 1000 and share < 1:
        return ">" + format_tenths(999, sentences)
    return format_tenths(tenths, sentences, rounded=tenths != share * 1000)


def format_count_share(count: safety.Count, sentences: Sentences) -> str:
    """Return the share of a count in per cent; of a sample, what is certain to 95 %.

    A thing met in none of n draws has, with a certainty of 95 %, a share of less than 3/n.
    """
    if count.exact or 0 < count.hits < count.of:
        return format_share(Fraction(count.hits, count.of), sentences)
    unseen = min(ceil(Fraction(1000 * _UNSEEN, count.of)), 1000)
    if count.hits:
        return ">" + format_tenths(1000 - unseen, sentences)
    return "<" + format_tenths(unseen, sentences)


def format_tenths(tenths: int, sentences: Sentences, *, rounded: bool = False) -> str:
    """Return tenths of a per cent as a percentage; a rounded one always has its decimal."""
    return write_decimal(f"{tenths / 10:.1f}", sentences, rounded=rounded) + "\N{NO-BREAK SPACE}%"


def write_decimal(figure: str, sentences: Sentences, *, rounded: bool = False) -> str:
    """Return a figure as a language writes it; one that is not ``rounded`` without a zero."""
    text = figure if rounded else figure.removesuffix(".0")
    return text.replace(".", ",") if sentences.lang == "it" else text


def format_count(number: int, sentences: Sentences) -> str:
    """Return a number in groups of three digits, or as a power of ten if it is long."""
    if number >= 10**9:
        digits = str(number)
        figure = write_decimal(f"{int(digits[:2]) / 10:.1f}", sentences)
        return f"{figure}·10^{len(digits) - 1}"
    return f"{number:,}".replace(",", "." if sentences.lang == "it" else ",")


# The verdict on the safety of a power: what is safe, what can be lost, and how at the worst.


SAFE, LOST, AT_RISK, UNPROVEN = "safe", "lost", "at_risk", "unproven"
"""The verdicts on a unit or a centre: never lost, always lost, sometimes, or not known."""

_MANY = 10**6  # of more joint order sets only the share of those with a loss is written


def judge_safety(verdict: safety.Verdict) -> str:
    """Return what can be said about the loss of a unit or a centre."""
    if not verdict.losses:
        return SAFE if verdict.is_exact else UNPROVEN
    return LOST if verdict.is_exact and len(verdict.losses) == len(verdict.answers) else AT_RISK


def danger_key(verdict: safety.Verdict) -> tuple[bool, Fraction, bool, Fraction]:
    """Return a key that sorts verdicts from the most to the least dangerous."""
    bad = [answer for answer in verdict.answers if answer.result not in safety.GOOD]
    falling, failing = verdict.count(verdict.losses), verdict.count(bad)
    return (
        not verdict.losses,
        -Fraction(falling.hits, falling.of or 1),
        not bad,
        -Fraction(failing.hits, failing.of or 1),
    )


def find_worst_loss(verdict: safety.Verdict) -> safety.Answer | None:
    """Return the loss of which the fewest orders are known that lead to it."""
    return min(
        verdict.losses,
        key=lambda answer: (len(verdict.examples.get(answer, ())), answer),
        default=None,
    )


# -- in words --------------------------------------------------------------------------------------


def format_survey(
    survey: safety.Survey, sentences: Sentences, *, every: bool = False
) -> Iterator[StyledLine]:
    """Yield what a survey found about all orders and centres of the asking power.

    With ``every`` each answer has an example, not only the worst.
    """
    return _SurveyWriter(survey, sentences).lines(every=every)


class _SurveyWriter:
    """Writes the verdict of a survey, then what it found about each unit and centre."""

    def __init__(self, survey: safety.Survey, sentences: Sentences) -> None:
        self.survey = survey
        self.position = survey.position
        self.sentences = sentences
        self.say = sentences.format
        self.units = [v for v in survey.verdicts if isinstance(v.subject, Unit)]
        self.centres = [v for v in survey.verdicts if isinstance(v.subject, str)]

    def lines(self, *, every: bool) -> Iterator[StyledLine]:
        orders = (_unbroken(self._describe_subject(verdict)) for verdict in self.units)
        yield StyledLine(self.say("safety-asked", orders="; ".join(orders)))
        yield from _format_heading(self.survey, self.sentences)
        yield StyledLine(self.say("safety-verdict"), TITLE)
        yield from self._verdict()
        for title, verdicts in (("safety-orders", self.units), ("safety-centres", self.centres)):
            if verdicts:
                yield StyledLine("")
                yield StyledLine(self.say(title), TITLE)
            for verdict in sorted(verdicts, key=danger_key):
                yield from self._list_answers(verdict, every=every)
        yield StyledLine("")
        yield from map(StyledLine, self.footnotes())

    # -- the verdict: what is safe, what can be lost, the worst first, the rest ------------------

    def _verdict(self) -> Iterator[StyledLine]:
        kinds = (("centres", self.centres), ("units", self.units))
        for kind, verdicts in kinds:
            safe = [verdict for verdict in verdicts if judge_safety(verdict) == SAFE]
            if verdicts and len(safe) == len(verdicts):
                yield StyledLine("  " + self.say(f"verdict-all-{kind}"))
            elif safe:
                yield StyledLine("  " + self.say(f"verdict-safe-{kind}", names=self._names(safe)))
        for verdict in sorted((*self.centres, *self.units), key=danger_key):
            if verdict.losses:
                yield self._loss(verdict)
        for kind, verdicts in kinds:
            if unproven := [verdict for verdict in verdicts if judge_safety(verdict) == UNPROVEN]:
                drawn = min(verdict.drawn.total() for verdict in unproven)
                code = f"verdict-unproven-{kind}" if drawn else f"verdict-unknown-{kind}"
                count = format_count(drawn, self.sentences)
                yield StyledLine("  " + self.say(code, names=self._names(unproven), drawn=count))
        if self.units:
            yield StyledLine("  " + self._count_orders())

    def _loss(self, verdict: safety.Verdict) -> StyledLine:
        """Return the sentence about a unit or centre that can be lost, and the worst orders."""
        loss = find_worst_loss(verdict)
        assert loss is not None
        kind, name = self._name_loss(loss), self._names([verdict])
        if judge_safety(verdict) == LOST:
            return StyledLine(f"  {self.say(f'verdict-always-{kind}', name=name)}", "dislodged")
        count = verdict.count(verdict.losses)
        text = self.say(f"verdict-{'' if count.hits else 'can-'}{kind}", name=name)
        if count.of:
            text += " " + self.format_frequency(count)
        example = verdict.examples.get(loss, ())
        text = self.say("verdict-worst" if example else "verdict-worst-hold", text=text)
        orders = (order_in(write_order(order), self.sentences.lang) for order in example)
        return StyledLine(f"  {text}", "dislodged", tuple(map(_unbroken, orders)))

    def format_frequency(self, count: safety.Count) -> str:
        """Return the share of answers, and what was counted unless the numbers are too long."""
        share = format_count_share(count, self.sentences)
        if count.exact and count.of >= _MANY:
            return self.say("verdict-share", share=share)
        code = "verdict-share-exact" if count.exact else "verdict-share-drawn"
        hits, of = (format_count(number, self.sentences) for number in (count.hits, count.of))
        return self.say(code, share=share, count=hits, of=of)

    def _name_loss(self, loss: safety.Answer) -> str:
        """Return the word for a loss: a centre that is entered falls in the autumn only."""
        if loss.result == safety.ENTERED:
            return "falls" if self.position.phase.season == "autumn" else "entered"
        return "destroyed" if loss.result == "destroyed" else "dislodged"

    def _count_orders(self) -> str:
        """Return how many orders always succeed, never do, or depend on the others."""
        good, bad = ([v for v in self.units if v.is_good is wanted] for wanted in (True, False))
        counts = [
            f"{len(some)}{'' if all(v.is_exact for v in some) else '*'}" for some in (good, bad)
        ]
        count, rest = len(self.units), len(self.units) - len(good) - len(bad)
        return self.say("verdict-orders", all=count, good=counts[0], bad=counts[1], rest=rest)

    def _names(self, verdicts: Sequence[safety.Verdict]) -> str:
        return ", ".join(_unbroken(_plain_name(self.survey, verdict)) for verdict in verdicts)

    # -- each unit and centre --------------------------------------------------------------------

    def _list_answers(self, verdict: safety.Verdict, *, every: bool) -> Iterator[StyledLine]:
        worst = verdict.worst
        is_bad = worst is not None and worst.badness > (False, False)
        shares = [_unbroken(self._format_answer(verdict, x)) for x in reversed(verdict.answers)]
        if worst is None:
            shares = [_unbroken(self.say("safety-unknown"))]
        if not verdict.is_exact:
            shares[-1] += "\N{NO-BREAK SPACE}*"
        mark = worst.result if worst is not None and is_bad else ""
        subject = _unbroken(self._describe_subject(verdict))
        yield StyledLine(f"  {subject:<34}", mark, tuple(shares), ", ")
        for answer in reversed(verdict.answers):
            example = verdict.examples.get(answer, ())
            if (every or (answer is worst and is_bad)) and (example or len(verdict.answers) > 1):
                yield from self._show_example(verdict.subject, answer, example)

    def _show_example(
        self, subject: safety.Subject, answer: safety.Answer, example: safety.Example
    ) -> Iterator[StyledLine]:
        """Yield the orders that bring an answer about, and the reason for a unit's result."""
        listed = tuple(_unbroken(write_in_language(order, self.sentences)) for order in example)
        result = self._format_result(answer)
        text = self.say("safety-if" if example else "safety-if-none", result=result)
        yield StyledLine(f"      {text}", "", listed)
        if isinstance(subject, Unit):
            fate = self.survey.adjudicate_example(example).fates(subject)[-1]
            yield StyledLine(f"        {format_reason(fate.reason, self.position, self.sentences)}")

    def _describe_subject(self, verdict: safety.Verdict) -> str:
        if not isinstance((subject := verdict.subject), Unit):
            return _name_place(self.position, str(subject), self.sentences)
        if verdict.order is None:
            return f"{self.position.name(subject)} {self.say('no-order')}"
        return write_in_language(verdict.order, self.sentences)

    def _format_answer(self, verdict: safety.Verdict, answer: safety.Answer) -> str:
        result = self._format_result(answer)
        if verdict.is_exact and len(verdict.answers) == 1:
            return self.say("safety-always", result=result)
        if (count := verdict.count([answer])).of:
            return f"{result} {format_count_share(count, self.sentences)}"
        tenths = floor(1000 * Fraction(verdict.weights[answer], verdict.total))
        code = "safety-at-least" if tenths else "safety-possible"
        return self.say(code, result=result, share=format_tenths(tenths, self.sentences))

    def _format_result(self, answer: safety.Answer) -> str:
        result = self.say(f"result-{answer.result}")
        if answer.lost and answer.result not in ("dislodged", "destroyed", "entered"):
            return self.say("safety-and-lost", result=result)
        return result

    def footnotes(self) -> Iterator[str]:
        survey = self.survey
        sizes = [len(row) for row in survey.trials.orders if len(row) > 1]
        sets = format_count(survey.trials.size, self.sentences)
        yield self.say("safety-size", units=len(sizes), orders=sum(sizes), sets=sets)
        cases = sum(verdict.cases for verdict in survey.verdicts)
        yield self.say("safety-counted", cases=format_count(cases, self.sentences))
        left = [verdict for verdict in survey.verdicts if not verdict.is_exact]
        if drawn := max((verdict.drawn.total() for verdict in left), default=0):
            yield self.say("safety-drawn", count=format_count(drawn, self.sentences))
        elif left:
            yield self.say("safety-cut-short")
        yield self.say("safety-how")


# Whether one can be sure of places, and the plan for it.


def format_sure_plan(search: safety.PlanSearch, sentences: Sentences) -> Iterator[StyledLine]:
    """Yield whether a goal can be reached for sure, the best plan, and what spoils it."""
    say, survey = sentences.format, search.survey
    (verdict,) = survey.verdicts
    writer = _SurveyWriter(survey, sentences)
    asking = power_name(survey.position.board, search.asking, sentences)
    take, hold = (
        ", ".join(_name_place(survey.position, place, sentences) for place in places)
        for places in search.goal
    )
    asked = "take-ask-both" if take and hold else "take-ask" if take else "take-ask-hold"
    yield StyledLine(say(asked, power=asking, take=take, hold=hold), TITLE)
    yield from _format_heading(survey, sentences)
    said = {True: "take-sure", False: "take-none", None: "take-open"}[search.sure]
    yield StyledLine(say(said), "succeeds" if search.sure else "fails")
    count = verdict.count([answer for answer in verdict.answers if not answer.lost])
    if count.of and not search.sure:
        yield StyledLine(say("take-best", share=writer.format_frequency(count)))
    plan = [write_in_language(order, sentences) for order in survey.list_own()]
    sections = {"take-plan": [asking, *plan], "take-spoiled": survey.describe_spoiler(sentences)}
    for title, lines in sections.items():
        if lines:
            yield from (StyledLine(""), StyledLine(say(title), TITLE), *map(StyledLine, lines))
    counts = {"plans": search.tried, "judged": search.judged}
    numbers = {name: format_count(number, sentences) for name, number in counts.items()}
    yield from (StyledLine(""), StyledLine(say("take-tried", **numbers)))
    yield from map(StyledLine, writer.footnotes())


def _format_heading(survey: safety.Survey, sentences: Sentences) -> Iterator[StyledLine]:
    yield format_title(survey.position, sentences)
    asking, *against = (
        power_name(survey.position.board, power, sentences)
        for power in (survey.asking, *survey.against)
    )
    yield StyledLine(sentences.format("safety-title", power=asking, against=", ".join(against)))
    yield StyledLine("")


def _name_place(position: Position, place: str, sentences: Sentences) -> str:
    return f"{place} ({position.board.provinces[place].name(sentences.lang)})"


def _unbroken(text: str) -> str:
    return text.replace(" ", "\N{NO-BREAK SPACE}")


# -- for machines ----------------------------------------------------------------------------------


def _describe_losses(survey: safety.Survey) -> dict[str, object]:
    found: dict[str, object] = {}
    for kind, wanted in (("centres", str), ("units", Unit)):
        verdicts = [v for v in survey.verdicts if isinstance(v.subject, wanted)]
        rows = {
            state: [v for v in sorted(verdicts, key=danger_key) if judge_safety(v) == state]
            for state in (SAFE, LOST, AT_RISK, UNPROVEN)
        }
        found[kind] = {
            state: [_loss_as_data(survey, v) for v in listed]
            if state in (LOST, AT_RISK)
            else [_plain_name(survey, v) for v in listed]
            for state, listed in rows.items()
        }
    return found


def _loss_as_data(survey: safety.Survey, verdict: safety.Verdict) -> dict[str, object]:
    loss = find_worst_loss(verdict)
    assert loss is not None
    count = verdict.count(verdict.losses)
    return {
        "name": _plain_name(survey, verdict),
        "result": loss.result,
        "count": count.hits,
        "of": count.of,
        "exact": count.exact,
        "worst": [write_order(order) for order in verdict.examples.get(loss, ())],
    }


def _plain_name(survey: safety.Survey, verdict: safety.Verdict) -> str:
    subject = verdict.subject
    return survey.position.name(subject) if isinstance(subject, Unit) else str(subject)


def survey_as_data(survey: safety.Survey) -> dict[str, object]:
    """Return a survey for a program; ``docs/whatif.md`` has the schema."""
    name = survey.position.name
    return {
        "phase": str(survey.position.phase),
        "power": survey.asking,
        "against": list(survey.against),
        "varied": {
            name(unit): list(map(write_order, survey.trials.orders[survey.numbers[unit]]))
            for unit in survey.varied
        },
        "joint_order_sets": survey.trials.size,
        "verdict": _describe_losses(survey),
        **safety.verdicts_as_data(survey),
    }
