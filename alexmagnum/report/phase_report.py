"""The report of a phase of a game, for one reader: everything worded, nothing laid out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from alexmagnum.board.model import INDEPENDENT
from alexmagnum.draw.palette import assign_liveries
from alexmagnum.i18n.date_text import format_instant
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge.outcome import Outcome
from alexmagnum.position import PICKS, Position, names_of, parse_phase
from alexmagnum.report import game_sections, press_section, private_sections
from alexmagnum.report.centre_counts import plot_centre_counts
from alexmagnum.report.changes_table import tabulate_changes
from alexmagnum.report.document import (
    Code,
    Fact,
    Items,
    OrderGroup,
    Orders,
    PhaseReport,
    Prose,
    Section,
)
from alexmagnum.report.names import phase_name, power_name
from alexmagnum.report.outcome_blocks import Block, describe_outcome
from alexmagnum.report.paste_block import format_turn_file
from alexmagnum.report.phase_context import GM, PhaseContext
from alexmagnum.report.required_orders_text import describe_required_orders
from alexmagnum.report.standings import (
    format_holdings,
    has_open_retreats,
    tabulate_gains,
    tabulate_standings,
)
from alexmagnum.report.turn_report import format_order_lines
from alexmagnum.report.views import View


def compose_phase_report(view: View, sentences: Sentences) -> PhaseReport:
    """What the report of a phase says to one reader."""
    shown = view.content
    board, phase = shown.position.board, shown.position.phase
    return PhaseReport(
        title=board.name(sentences.lang),
        game=shown.game,
        phase=phase_name(phase, board, sentences),
        code=str(phase),
        version=shown.version,
        lang=sentences.lang,
        recipient=view.recipient,
        facts=tuple(_facts(view, sentences)),
        sections=tuple(
            section for write in _SECTIONS if (section := write(view, sentences)) is not None
        ),
        curves=plot_centre_counts(shown.centre_counts, shown.position, sentences),
        liveries=assign_liveries(board),
    )


# -- the head -----------------------------------------------------------------------------------


def _facts(view: View, sentences: Sentences) -> Iterator[Fact]:
    shown = view.content
    board = shown.position.board
    if shown.version > 1:
        text = sentences.format("version-number", number=shown.version)
        yield Fact("version", sentences.format("fact-version"), text, shown.version)
    yield Fact(
        "recipient", sentences.format("fact-recipient"), _reader(view, sentences), view.recipient
    )
    if shown.outcome is None:
        yield Fact("state", sentences.format("fact-state"), sentences.format("state-open"), "open")
    elif shown.following is None:
        yield Fact("next", sentences.format("fact-next"), sentences.format("no-next-phase"), None)
    else:
        phase = shown.following.phase
        yield Fact(
            "next", sentences.format("fact-next"), phase_name(phase, board, sentences), str(phase)
        )
    if shown.outcome is None or shown.following is not None:
        yield Fact(
            "deadline",
            sentences.format("fact-deadline"),
            _deadline(shown, sentences),
            shown.deadline,
        )


def _reader(view: View, sentences: Sentences) -> str:
    if view.recipient is None:
        return sentences.format("for-everybody")
    if view.recipient == GM:
        return sentences.format("for-gm")
    return power_name(view.content.position.board, view.recipient, sentences)


def _deadline(shown: PhaseContext, sentences: Sentences) -> str:
    if shown.paused:
        return sentences.format("clock-stopped")
    if not shown.deadline:
        return sentences.format("no-deadline")
    return format_instant(shown.deadline, shown.timezone, sentences)


# -- the sections -------------------------------------------------------------------------------

Writer = Callable[[View, Sentences], Section | None]


def _changes(view: View, sentences: Sentences) -> Section | None:
    shown = view.content
    if shown.version < 2 or shown.outcome is None:
        return None
    title = sentences.format("season-changes", number=shown.version - 1)
    if not shown.changes:
        return Section("changes", title, Prose((sentences.format("no-changes"),)))
    table = tabulate_changes(shown.changes, shown.position.board, sentences)
    return Section("changes", title, table, sentences.format("changes-note", number=shown.version))


def _before(view: View, sentences: Sentences) -> Section | None:
    return _prose("commentary", "season-commentary", view.content.before, sentences)


def _block(code: str, key: str) -> Writer:
    """A section that is one of the blocks below a turn's orders."""

    def write(view: View, sentences: Sentences) -> Section | None:
        found = _found(view.content.outcome, code, sentences)
        if found is None:
            return None
        return Section(key, sentences.format(f"season-{key}"), Items(found.lines))

    return write


def _found(outcome: Outcome | None, code: str, sentences: Sentences) -> Block | None:
    if outcome is None:
        return None
    return next(
        (block for block in describe_outcome(outcome, sentences) if block.code == code), None
    )


def _orders(view: View, sentences: Sentences) -> Section | None:
    outcome = view.content.outcome
    if outcome is None:
        return None
    groups = tuple(_groups(outcome, sentences))
    if not groups:
        return None
    return Section(
        "orders", sentences.format("season-orders"), Orders(groups, sentences.format("units-now"))
    )


def _groups(outcome: Outcome, sentences: Sentences) -> Iterator[OrderGroup]:
    """Power by power, the independents last; who has nothing to show is left out.

    Of retreats only those are shown who had to.
    """
    board, kind = outcome.position.board, outcome.position.phase.kind
    names = names_of(outcome.units)
    for power in (*board.powers, INDEPENDENT):
        lines = tuple(format_order_lines(outcome, power, sentences))
        idle = kind == PICKS or power == INDEPENDENT or (kind == "retreats" and not lines)
        after = () if idle else [u for u in outcome.units if u.power == power]
        if lines or after:
            units = tuple(names[unit] for unit in after)
            yield OrderGroup(power, power_name(board, power, sentences), lines, units)


def _gains(view: View, sentences: Sentences) -> Section | None:
    outcome = view.content.outcome
    table = tabulate_gains(outcome, sentences) if outcome is not None else None
    return None if table is None else Section("gains", sentences.format("season-gains"), table)


def _standings(view: View, sentences: Sentences) -> Section | None:
    outcome = view.content.outcome
    if outcome is None:
        return None
    waiting = sentences.format("units-retreating") if has_open_retreats(outcome) else ""
    title = sentences.format("season-standings")
    return Section("standings", title, tabulate_standings(outcome, sentences), waiting)


def _holdings(view: View, sentences: Sentences) -> Section | None:
    outcome = view.content.outcome
    lines = tuple(format_holdings(outcome, sentences)) if outcome is not None else ()
    return Section("centres", sentences.format("season-centres"), Items(lines)) if lines else None


def _passed(view: View, sentences: Sentences) -> Section | None:
    """The phases after this one in which nothing was to decide, retreats among them."""
    shown = view.content
    board = shown.position.board
    phases = [parse_phase(name, board.rules.picks) for name in shown.passed]
    retreats = replace(shown.position.phase, retreats=True)
    if _passes_retreats(shown) and retreats not in phases:
        phases.insert(0, retreats)
    return _items(
        "passed", "season-passed", [phase_name(p, board, sentences) for p in phases], sentences
    )


def _passes_retreats(shown: PhaseContext) -> bool:
    """Whether a movement phase left nobody who could retreat, and the game goes on."""
    outcome = shown.outcome
    if outcome is None or shown.following is None or shown.position.phase.kind != "movement":
        return False
    return not has_open_retreats(outcome)


def _due(view: View, sentences: Sentences) -> Section | None:
    """What each power must send next, and by when."""
    asked = _asked(view.content)
    if asked is None:
        return None
    board = asked.board
    auto = view.content.house_rules.get("single_retreat") == "auto"
    lines = [
        f"{power_name(board, power, sentences)}: {text}"
        for power, text in describe_required_orders(asked, sentences, auto=auto)
    ]
    if not lines:
        return None
    if len(lines) < len(board.powers):
        lines.append(sentences.format("others-nothing"))
    name = phase_name(asked.phase, board, sentences)
    note = sentences.format("due-by", phase=name, deadline=_deadline(view.content, sentences))
    return Section("due", sentences.format("season-due"), Items(tuple(lines)), note)


def _asked(shown: PhaseContext) -> Position | None:
    """The position for which orders are wanted: this one until it is processed."""
    return shown.position if shown.outcome is None else shown.following


def _after(view: View, sentences: Sentences) -> Section | None:
    return _prose("notes", "season-notes", view.content.after, sentences)


def _gm_notes(view: View, sentences: Sentences) -> Section | None:
    return _prose("private", "season-private", view.content.gm_notes, sentences)


def _turn(view: View, sentences: Sentences) -> Section | None:
    """The position for which orders are wanted, as a turn file."""
    asked = _asked(view.content)
    if asked is None:
        return None
    text = format_turn_file(asked, sentences)
    return Section(
        "turn", sentences.format("season-turn"), Code(text), sentences.format("turn-note")
    )


def _prose(key: str, title: str, texts: Iterable[str], sentences: Sentences) -> Section | None:
    """The game master's words: an empty line parts paragraphs."""
    paragraphs = tuple(
        part.strip() for text in texts for part in text.replace("\r\n", "\n").split("\n\n")
    )
    kept = tuple(filter(None, paragraphs))
    return Section(key, sentences.format(title), Prose(kept)) if kept else None


def _items(key: str, title: str, lines: Iterable[str], sentences: Sentences) -> Section | None:
    listed = tuple(lines)
    return Section(key, sentences.format(title), Items(listed)) if listed else None


_SECTIONS: tuple[Writer, ...] = (
    _changes,
    _before,
    _block("title-end", "end"),
    _block("title-picks", "awards"),
    _orders,
    _block("title-dislodged", "dislodged"),
    _block("title-lost", "lost"),
    _block("title-out", "eliminated"),
    _gains,
    _standings,
    _holdings,
    _passed,
    _due,
    private_sections.pending_orders_section,
    private_sections.orders_ahead_section,
    private_sections.remarks_section,
    _after,
    press_section.press_section,
    _gm_notes,
    game_sections.house_rules_section,
    game_sections.players_section,
    game_sections.seals_section,
    _turn,
)
"""The parts of a report in order of reading; one that has nothing to say is left out."""
