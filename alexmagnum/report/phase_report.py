"""Compose the report of a phase of a game for one reader, in words and without a layout."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from alexmagnum.board.model import INDEPENDENT
from alexmagnum.campaign import position_after
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
from alexmagnum.report.mentions import AFTER, Mention, mention_required_orders
from alexmagnum.report.names import name_bot, phase_name, power_name
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
    """Return the report of a phase for the reader of a view."""
    content = view.content
    board, phase = content.position.board, content.position.phase
    return PhaseReport(
        title=board.name(sentences.lang),
        game=content.game,
        phase=phase_name(phase, board, sentences),
        code=str(phase),
        version=content.version,
        lang=sentences.lang,
        recipient=view.recipient,
        facts=tuple(_facts(view, sentences)),
        sections=tuple(
            section for write in _SECTIONS if (section := write(view, sentences)) is not None
        ),
        curves=plot_centre_counts(content.centre_counts, content.position, sentences),
        liveries=assign_liveries(board),
    )


# -- the head -----------------------------------------------------------------------------------


def _facts(view: View, sentences: Sentences) -> Iterator[Fact]:
    """Yield the lines of the head: version, reader, state or next phase, deadline."""
    content = view.content
    board = content.position.board
    if content.version > 1:
        text = sentences.format("version-number", number=content.version)
        yield Fact("version", sentences.format("fact-version"), text, content.version)
    yield Fact(
        "recipient",
        sentences.format("fact-recipient"),
        _reader_name(view, sentences),
        view.recipient,
    )
    if content.outcome is None:
        yield Fact("state", sentences.format("fact-state"), sentences.format("state-open"), "open")
    elif content.following is None:
        yield Fact("next", sentences.format("fact-next"), sentences.format("no-next-phase"), None)
    else:
        phase = content.following.phase
        yield Fact(
            "next", sentences.format("fact-next"), phase_name(phase, board, sentences), str(phase)
        )
    if content.outcome is None or content.following is not None:
        yield Fact(
            "deadline",
            sentences.format("fact-deadline"),
            _format_deadline(content, sentences),
            content.deadline,
        )


def _reader_name(view: View, sentences: Sentences) -> str:
    """Return who the report is for."""
    if view.recipient is None:
        return sentences.format("for-everybody")
    if view.recipient == GM:
        return sentences.format("for-gm")
    return power_name(view.content.position.board, view.recipient, sentences)


def _format_deadline(content: PhaseContext, sentences: Sentences) -> str:
    """Return the deadline in words, or that the clock is stopped or that there is none."""
    if content.paused:
        return sentences.format("clock-stopped")
    if not content.deadline:
        return sentences.format("no-deadline")
    return format_instant(content.deadline, content.timezone, sentences)


# -- the sections -------------------------------------------------------------------------------

Writer = Callable[[View, Sentences], Section | None]
"""A function that writes a section, None if the section has nothing to say."""


def _changes_section(view: View, sentences: Sentences) -> Section | None:
    """Return what a correction changed in the version before."""
    content = view.content
    if content.version < 2 or content.outcome is None:
        return None
    title = sentences.format("section-changes", number=content.version - 1)
    if not content.changes:
        return Section("changes", title, Prose((sentences.format("no-changes"),)))
    table = tabulate_changes(content.changes, content.position.board, sentences)
    return Section(
        "changes", title, table, sentences.format("changes-note", number=content.version)
    )


def _commentary_section(view: View, sentences: Sentences) -> Section | None:
    """Return the game master's words above the results."""
    return _prose_section("commentary", "section-commentary", view.content.before, sentences)


def _block_section(code: str, key: str) -> Writer:
    """Return the writer of a section that consists of one block of the outcome."""

    def write(view: View, sentences: Sentences) -> Section | None:
        block = _find_block(view.content.outcome, code, sentences)
        if block is None:
            return None
        title = sentences.format(f"section-{key}")
        return Section(key, title, Items(block.lines), mentions=block.mentions)

    return write


def _find_block(outcome: Outcome | None, code: str, sentences: Sentences) -> Block | None:
    """Return the block of an outcome with a code, None if it has none."""
    if outcome is None:
        return None
    return next(
        (block for block in describe_outcome(outcome, sentences) if block.code == code), None
    )


def _orders_section(view: View, sentences: Sentences) -> Section | None:
    """Return the orders with their results."""
    outcome = view.content.outcome
    if outcome is None:
        return None
    groups = tuple(group_orders(outcome, sentences, view.content.bots))
    if not groups:
        return None
    return Section(
        "orders", sentences.format("section-orders"), Orders(groups, sentences.format("units-now"))
    )


def group_orders(
    outcome: Outcome, sentences: Sentences, bots: Mapping[str, str]
) -> Iterator[OrderGroup]:
    """Yield the orders of each power, the independents last; ``bots`` gave those of their powers.

    A power without anything to show is left out: in a retreat phase, all that had no retreats.
    """
    board, kind = outcome.position.board, outcome.position.phase.kind
    names = names_of(outcome.units)
    for power in (*board.powers, INDEPENDENT):
        lines = tuple(format_order_lines(outcome, power, sentences))
        idle = kind == PICKS or power == INDEPENDENT or (kind == "retreats" and not lines)
        after = () if idle else [u for u in outcome.units if u.power == power]
        if lines or after:
            units = tuple(names[unit] for unit in after)
            bot = bots.get(power, "")
            mark = sentences.format("orders-of-bot", bot=name_bot(bot, sentences)) if bot else ""
            yield OrderGroup(power, power_name(board, power, sentences), lines, units, bot, mark)


def _gains_section(view: View, sentences: Sentences) -> Section | None:
    """Return the centres that changed hands."""
    outcome = view.content.outcome
    table = tabulate_gains(outcome, sentences) if outcome is not None else None
    if table is None:
        return None
    mentions = tuple(Mention(places=(str(row[0].value),)) for row in table.rows)
    return Section("gains", sentences.format("section-gains"), table, mentions=mentions)


def _standings_section(view: View, sentences: Sentences) -> Section | None:
    """Return the standings of the powers."""
    outcome = view.content.outcome
    if outcome is None:
        return None
    waiting = sentences.format("units-retreating") if has_open_retreats(outcome) else ""
    title = sentences.format("section-standings")
    mentions = tuple(Mention(power, picture=AFTER) for power in outcome.position.board.powers)
    table = tabulate_standings(outcome, sentences)
    return Section("standings", title, table, waiting, mentions=mentions)


def _holdings_section(view: View, sentences: Sentences) -> Section | None:
    """Return the centres of each power."""
    outcome = view.content.outcome
    if outcome is None:
        return None
    after = position_after(outcome)
    owners = [power for power in after.board.powers if after.centres_of(power)]
    if not owners:
        return None
    mentions = tuple(Mention(power, places=tuple(after.centres_of(power))) for power in owners)
    lines = tuple(format_holdings(outcome, sentences))
    return Section("centres", sentences.format("section-centres"), Items(lines), mentions=mentions)


def _skipped_section(view: View, sentences: Sentences) -> Section | None:
    """Return the phases after this one that were skipped because nothing was to be decided."""
    content = view.content
    board = content.position.board
    phases = [parse_phase(name, board.rules.picks) for name in content.passed]
    retreats = replace(content.position.phase, retreats=True)
    if _skips_retreats(content) and retreats not in phases:
        phases.insert(0, retreats)
    return _items_section(
        "passed", "section-passed", [phase_name(p, board, sentences) for p in phases], sentences
    )


def _skips_retreats(content: PhaseContext) -> bool:
    """Return whether a movement phase left no retreats in a game that goes on."""
    outcome = content.outcome
    if outcome is None or content.following is None or content.position.phase.kind != "movement":
        return False
    return not has_open_retreats(outcome)


def _due_section(view: View, sentences: Sentences) -> Section | None:
    """Return what each power must send next, the reader's own first, and the deadline."""
    position = _open_position(view.content)
    if position is None:
        return None
    auto = view.content.house_rules.get("single_retreat") == "auto"
    owed = dict(describe_required_orders(position, sentences, auto=auto))
    if not owed:
        return None
    picture = "" if view.content.outcome is None else AFTER
    reader = view.recipient if view.recipient in position.board.powers else None
    bots = _name_bots(view.content, position, sentences)
    lines, mentions = [], []
    for power in sorted(owed, key=lambda power: power != reader):
        line = _format_due(position, power, owed[power], reader, sentences)
        if power in bots:
            line = sentences.format("due-from-bot", due=line, bot=bots[power])
        lines.append(line)
        mentions.append(mention_required_orders(position, power)._replace(picture=picture))
    if reader is not None and reader not in owed:
        lines.insert(0, sentences.format("due-none-from-you"))
        mentions.insert(0, Mention())
    if len(lines) < len(position.board.powers):
        lines.append(sentences.format("others-nothing"))
        mentions.append(Mention())
    name = phase_name(position.phase, position.board, sentences)
    deadline = _format_deadline(view.content, sentences)
    note = sentences.format("due-by", phase=name, deadline=deadline)
    title = sentences.format("section-due")
    return Section("due", title, Items(tuple(lines)), note, mentions=tuple(mentions))


def _name_bots(
    content: PhaseContext, position: Position, sentences: Sentences
) -> Mapping[str, str]:
    """Return the bots that give the orders for a position, in words, by power."""
    return {
        player.power: name_bot(player.bot, sentences)
        for player in content.players
        if player.has_bot_in(str(position.phase))
    }


def _format_due(
    position: Position, power: str, orders: str, reader: str | None, sentences: Sentences
) -> str:
    """Return what a power must send; the reader is addressed."""
    if power == reader:
        return sentences.format("due-from-you", orders=orders)
    return f"{power_name(position.board, power, sentences)}: {orders}"


def _open_position(content: PhaseContext) -> Position | None:
    """Return the position that needs orders: this one until it is processed, then the next."""
    return content.position if content.outcome is None else content.following


def _notes_section(view: View, sentences: Sentences) -> Section | None:
    """Return the game master's words below the results."""
    return _prose_section("notes", "section-notes", view.content.after, sentences)


def _gm_notes_section(view: View, sentences: Sentences) -> Section | None:
    """Return the notes that only the game master reads."""
    return _prose_section("private", "section-private", view.content.gm_notes, sentences)


def _turn_section(view: View, sentences: Sentences) -> Section | None:
    """Return the position that needs orders as a turn file."""
    position = _open_position(view.content)
    if position is None:
        return None
    text = format_turn_file(position, sentences)
    return Section(
        "turn",
        sentences.format("section-turn"),
        Code(text),
        sentences.format("turn-note"),
        folded=True,
    )


def _prose_section(
    key: str, title: str, texts: Iterable[str], sentences: Sentences
) -> Section | None:
    """Return a section of paragraphs, which empty lines separate; None if there are none."""
    paragraphs = tuple(
        part.strip() for text in texts for part in text.replace("\r\n", "\n").split("\n\n")
    )
    filled = tuple(filter(None, paragraphs))
    return Section(key, sentences.format(title), Prose(filled)) if filled else None


def _items_section(
    key: str, title: str, lines: Iterable[str], sentences: Sentences
) -> Section | None:
    """Return a section of lines, None if there are none."""
    items = tuple(lines)
    return Section(key, sentences.format(title), Items(items)) if items else None


_SECTIONS: tuple[Writer, ...] = (
    _changes_section,
    _block_section("title-end", "end"),
    _block_section("title-picks", "awards"),
    _gains_section,
    _block_section("title-dislodged", "dislodged"),
    _block_section("title-lost", "lost"),
    _block_section("title-out", "eliminated"),
    _due_section,
    game_sections.changed_house_rules_section,
    private_sections.pending_orders_section,
    private_sections.orders_ahead_section,
    private_sections.remarks_section,
    _commentary_section,
    _orders_section,
    _standings_section,
    _holdings_section,
    _skipped_section,
    _notes_section,
    press_section.press_section,
    _gm_notes_section,
    game_sections.house_rules_section,
    game_sections.players_section,
    game_sections.seals_section,
    _turn_section,
)
"""The sections of a report in the order of reading, news first; those with nothing to say are left
out."""
