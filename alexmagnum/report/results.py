"""The report of an adjudicated turn file, in words, and its layout as plain text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from alexmagnum.board.model import INDEPENDENT, Board
from alexmagnum.campaign import centres_change, ending, newly_eliminated, owners_after
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge.checking import list_reachable
from alexmagnum.judge.explanation import format_chain, format_need, format_reason
from alexmagnum.judge.outcome import ILLEGAL, REPLACED, Outcome
from alexmagnum.notation import Line, order_in, write_order
from alexmagnum.notation.names import localize_labels, power_name
from alexmagnum.orders import Move, Order, Pick
from alexmagnum.position import DEPLOYMENT, PICKS, Position, Unit
from alexmagnum.report import words
from alexmagnum.units import names_of

if TYPE_CHECKING:
    from jinja2 import Environment


@dataclass(frozen=True, slots=True)
class Block:
    """Lines below a title, each with what it is about; ``code`` is the title's code in the
    catalogues."""

    title: str
    lines: tuple[str, ...]
    code: str
    mentions: tuple[words.Mention, ...] = ()


BlockLine = tuple[str, words.Mention]
"""A line of a block and what it is about."""


def describe_outcome(outcome: Outcome, sentences: Sentences) -> tuple[Block, ...]:
    """Return the blocks of an outcome that have lines, in the order of reading."""
    found = (
        (title, tuple(lines(outcome, sentences)))
        for title, lines in (
            ("title-picks", _award_lines),
            ("title-dislodged", _dislodged_lines),
            ("title-lost", _loss_lines),
            ("title-adjust", _adjustment_lines),
            ("title-nobility", _nobility_lines),
            ("title-centres", _centre_lines),
            ("title-out", _elimination_lines),
            ("title-end", _ending_lines),
        )
    )
    return tuple(
        Block(sentences.format(title), texts, title, mentions)
        for title, lines in found
        if lines
        for texts, mentions in (zip(*lines, strict=True),)
    )


def publishes_awards_alone(outcome: Outcome) -> bool:
    """Return whether the picks of an outcome stay secret (R30, ``publish_picks: own``)."""
    position = outcome.position
    return position.phase.season == PICKS and position.board.rules.publish_picks == "own"


def _award_lines(outcome: Outcome, sentences: Sentences) -> Iterator[BlockLine]:
    """Yield the centre that each power got and, if picks are public, the contested ones (R30)."""
    if outcome.picks is None:
        return
    board, picks = outcome.position.board, outcome.picks

    def centre_name(centre: str) -> str:
        return f"{centre} ({board.provinces[centre].name(sentences.lang)})"

    for power in (power for power in board.powers if power in picks.awards):
        centre, name = picks.awards[power], power_name(board, power, sentences)
        text = sentences.format("award", power=name, centre=centre_name(centre))
        yield text, words.Mention(power, (centre,), (centre,))
    if not picks.awards:
        yield sentences.format("no-awards"), words.Mention()
    for centre in () if publishes_awards_alone(outcome) else picks.contested:
        yield (
            sentences.format("contested", centre=centre_name(centre)),
            words.Mention(places=(centre,)),
        )


def _dislodged_lines(outcome: Outcome, sentences: Sentences) -> Iterator[BlockLine]:
    position = outcome.position
    for dislodged in outcome.dislodged:
        who = power_name(position.board, dislodged.unit.power, sentences)
        name = position.name(dislodged.unit)
        text = sentences.format(
            "open-retreats" if dislodged.retreats else "no-retreats",
            unit=f"{name} ({who})",
            by=position.name(dislodged.by),
            retreats=", ".join(dislodged.retreats),
        )
        open_places = words.name_provinces(position.board, dislodged.retreats)
        yield text, words.Mention(dislodged.unit.power, (name,), open_places)


def _loss_lines(outcome: Outcome, sentences: Sentences) -> Iterator[BlockLine]:
    position = outcome.position
    for code, unit in [
        *((_destruction_code(outcome, unit), unit) for unit in outcome.destroyed),
        *(("disbanded", unit) for unit in outcome.disbanded),
        *(("removed", unit) for unit in outcome.removed),
    ]:
        who = power_name(position.board, unit.power, sentences)
        name = position.name(unit)
        yield sentences.format(code, unit=f"{name} ({who})"), words.Mention(unit.power, (name,))


def _destruction_code(outcome: Outcome, unit: Unit) -> str:
    """Return why a unit is destroyed: a garrison (R27), in revolt (R3), or a hauled fleet (R24)."""
    if unit.power == INDEPENDENT:
        return "garrison-lost"
    return "revolt-lost" if outcome.position.in_revolt(unit.power) else "haul-lost"


def _adjustment_lines(outcome: Outcome, sentences: Sentences) -> Iterator[BlockLine]:
    for power, due in outcome.adjust.items():
        if due:
            code = "builds-due" if due > 0 else "removals-due"
            name = power_name(outcome.position.board, power, sentences)
            text = f"{name}: {sentences.format(code, count=abs(due))}"
            yield text, words.Mention(power, picture=words.AFTER)


def _nobility_lines(outcome: Outcome, sentences: Sentences) -> Iterator[BlockLine]:
    """Yield the powers that lost nobility in the phase or are now in revolt (R2, R3)."""
    position = outcome.position
    for power, points in outcome.nobility.items():
        if change := points - position.points_of(power):
            name = power_name(position.board, power, sentences)
            code = "nobility-now" if points > 0 else "nobility-spent"
            text = sentences.format(code, power=name, points=points, change=f"{change:+d}")
            yield text, words.Mention(power, picture=words.AFTER)


def _centre_lines(outcome: Outcome, sentences: Sentences) -> Iterator[BlockLine]:
    """Yield the centres of each power after a pick (R30) or an autumn with its retreats (R29)."""
    position = outcome.position
    if not centres_change(outcome) and position.phase.season not in (PICKS, DEPLOYMENT):
        return
    owners = owners_after(outcome)
    for power in position.board.powers:
        if owned := [centre for centre in position.board.centres if owners.get(centre) == power]:
            name = power_name(position.board, power, sentences)
            text = f"{name}: {len(owned)} ({', '.join(owned)})"
            yield text, words.Mention(power, places=tuple(owned))


def _elimination_lines(outcome: Outcome, sentences: Sentences) -> Iterator[BlockLine]:
    """Yield the powers that this phase eliminated (R35)."""
    for power in newly_eliminated(outcome):
        yield power_name(outcome.position.board, power, sentences), words.Mention(power)


def _ending_lines(outcome: Outcome, sentences: Sentences) -> Iterator[BlockLine]:
    """Yield who won, and by what, if the game is over (R33, R34)."""
    if (end := ending(outcome)) is None:
        return
    if not end.winners:
        yield sentences.format("nobody-wins"), words.Mention()
        return
    names = [power_name(outcome.position.board, power, sentences) for power in end.winners]
    code = "shared-win" if len(names) > 1 else "won-by-nobility"
    text = sentences.format(
        "won-by-centres" if end.by_centres else code,
        power=names[0],
        powers=", ".join(names),
        points=outcome.nobility.get(end.winners[0], 0),
        count=list(owners_after(outcome).values()).count(end.winners[0]),
    )
    yield text, words.Mention(end.winners[0], picture=words.AFTER)


# The report of an adjudicated turn file, in words, and its layout as plain text.


TITLE = "title"
"""The mark of a title; the mark of an order's line is its result."""


@dataclass(frozen=True, slots=True)
class ReportLine:
    """An order with its result.

    Attributes:
        order: the order in canonical notation.
        text: the order in the reader's language.
        result: the result in the vocabulary of the case files.
        why: the result and its reason in words.
        chain: the causes behind the result, indented.
        unit: the unit, or the centre of a pick, by its name in pictures; "" for none.
    """

    order: str
    text: str
    result: str
    why: str
    chain: tuple[str, ...] = ()
    unit: str = ""


@dataclass(frozen=True, slots=True)
class PowerSection:
    """The orders of a power and, in ``after``, the units it has after the phase."""

    power: str
    lines: tuple[ReportLine, ...]
    after: str


@dataclass(frozen=True, slots=True)
class Mistake:
    """A line that does not count as an order, or one that was read with a guess."""

    power: str
    text: str
    why: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class TurnReport:
    """The report of a turn in words, not laid out yet."""

    title: str
    phase: str
    powers: tuple[PowerSection, ...]
    blocks: tuple[Block, ...]
    mistakes: tuple[Mistake, ...]
    notices: tuple[Mistake, ...]
    sentences: Sentences


def compose_turn_report(
    outcome: Outcome,
    lines: Sequence[Line],
    sentences: Sentences,
    *,
    chains: bool = False,
    for_writer: bool = False,
) -> TurnReport:
    """Compose the report of an outcome.

    ``lines`` are the orders as they were read.  ``chains`` adds to every order the chain of causes
    behind its result.  ``for_writer`` marks a report for the person who wrote all the orders, who
    may therefore see all of them (R30).
    """
    position = outcome.position
    board = position.board
    secret = publishes_awards_alone(outcome) and not for_writer
    return TurnReport(
        title=board.name(sentences.lang),
        phase=words.phase_name(position.phase, board, sentences),
        powers=() if secret else tuple(_power_sections(outcome, sentences, chains)),
        blocks=describe_outcome(outcome, sentences),
        mistakes=() if secret else tuple(list_wrong_orders(outcome, lines, sentences)),
        notices=() if secret else tuple(list_notices(lines, board, sentences)),
        sentences=sentences,
    )


def leave_unmarked(line: str, mark: str) -> str:
    """Return a line as it is, whatever its mark."""
    return line


def render_turn_report(report: TurnReport, mark: Callable[[str, str], str] = leave_unmarked) -> str:
    """Return a report as plain text.

    ``mark`` gets every line of an order with its result, and every title with ``TITLE``; the text
    contains what it returns.
    """
    template = _load_templates().get_template("turn_report.txt.j2")
    return template.render(report=report, sentence=report.sentences.format, mark=mark, title=TITLE)


@cache
def _load_templates() -> Environment:
    from alexmagnum.files import make_environment

    return make_environment("alexmagnum.report", escape=False)  # plain text, never a page


def _power_sections(outcome: Outcome, sentences: Sentences, chains: bool) -> Iterator[PowerSection]:
    position = outcome.position
    names = names_of(outcome.units)
    for power in (*position.board.powers, INDEPENDENT):
        lines = tuple(format_order_lines(outcome, power, sentences, chains=chains))
        after = [unit for unit in outcome.units if unit.power == power]
        if lines or after:
            name = power_name(position.board, power, sentences)
            yield PowerSection(name, lines, ", ".join(names[unit] for unit in after))


def format_order_lines(
    outcome: Outcome, power: str, sentences: Sentences, *, chains: bool = False
) -> Iterator[ReportLine]:
    """Yield the orders of a power with their results, then its units without orders."""
    ordered: set[Unit] = set()
    position = outcome.position
    for entry, reason in zip(outcome.results, outcome.reasons, strict=True):
        if entry.power == power:
            if entry.unit is not None:
                ordered.add(entry.unit)
            order = write_order(entry.order)
            yield ReportLine(
                order,
                order_in(order, sentences.lang),
                entry.result,
                format_reason(reason, position, sentences),
                _list_causes(outcome, entry.unit, sentences) if chains and entry.unit else (),
                position.name(entry.unit) if entry.unit else order.partition(" ")[2],
            )
    has_picked = any(isinstance(e.order, Pick) and e.power == power for e in outcome.results)
    if outcome.picks is not None and power in outcome.picks.void and not has_picked:
        none = sentences.format("no-order")
        yield ReportLine(none, none, ILLEGAL, sentences.format("pick-missing"))
    if position.phase.kind in ("movement", "retreats"):
        yield from _unordered_lines(outcome, power, ordered, sentences, chains=chains)


def _unordered_lines(
    outcome: Outcome, power: str, ordered: Collection[Unit], sentences: Sentences, *, chains: bool
) -> Iterator[ReportLine]:
    """Yield the units of a power that had no order; garrisons only if somebody attacked them."""
    position = outcome.position
    for unit in position.orderable:
        if unit.power == power and unit not in ordered:
            fate = outcome.fates(unit)[0]
            text = name = position.name(unit)
            if power != INDEPENDENT:
                text += f" {sentences.format('no-order')}"
            elif fate.reason.code == "unattacked":
                continue
            chain = _list_causes(outcome, unit, sentences) if chains else ()
            why = format_reason(fate.reason, position, sentences)
            yield ReportLine(text, text, fate.result, why, chain, name)


def _list_causes(outcome: Outcome, unit: Unit, sentences: Sentences) -> tuple[str, ...]:
    """Return what a unit's result rests on, after what would have won."""
    need = format_need(outcome.fates(unit)[0].reason, outcome.position, sentences)
    return (*([need] if need else ()), *format_chain(outcome, unit, sentences))


def list_mistakes(lines: Iterable[Line], board: Board, sentences: Sentences) -> Iterator[Mistake]:
    """Yield the lines that could not be read as an order, each with suggestions."""
    for line in lines:
        if line.error is not None:
            lang, near = sentences.lang, ", ".join(line.error.suggestions)
            close = words.localize_suggestions(near, board, lang)
            why = sentences.error(line.error)
            has_choices = "choices" in line.error.data  # the error names them itself
            hint = ""
            if close and not has_choices:
                hint = sentences.format("suggestion", suggestions=close)
            name = power_name(board, line.power or "", sentences)
            yield Mistake(name, line.text.strip(), why, hint)


def list_wrong_orders(
    outcome: Outcome, lines: Iterable[Line], sentences: Sentences
) -> Iterator[Mistake]:
    """Yield the unreadable lines, then the illegal orders, each with what could be ordered."""
    position = outcome.position
    yield from list_mistakes(lines, position.board, sentences)
    for entry, reason in zip(outcome.results, outcome.reasons, strict=True):
        if entry.result != ILLEGAL or reason.code == REPLACED:
            continue
        name = power_name(position.board, entry.power, sentences)
        hint = list_possible_moves(position, entry.order, entry.unit, sentences)
        text = order_in(write_order(entry.order), sentences.lang)
        yield Mistake(name, text, format_reason(reason, position, sentences), hint)


def list_possible_moves(
    position: Position, order: Order, unit: Unit | None, sentences: Sentences
) -> str:
    """Return the places where the unit of an illegal move could go; "" for other orders."""
    if unit is None or not isinstance(order, Move):
        return ""
    places = ", ".join(list_reachable(position, unit))
    return sentences.format("could-move", places=places) if places else ""


def list_notices(lines: Iterable[Line], board: Board, sentences: Sentences) -> Iterator[Mistake]:
    """Yield the lines that were read with a guess, each with the guess."""
    for line in lines:
        for notice in line.notices:
            said = sentences.format(notice.code, **notice.data)
            said = localize_labels(said, board, sentences.lang)
            yield Mistake(power_name(board, line.power or "", sentences), line.text.strip(), said)
