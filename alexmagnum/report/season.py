"""The report of a phase of a game, for one reader: everything worded, nothing laid out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from alexmagnum.board.model import INDEPENDENT
from alexmagnum.draw.palette import liveries
from alexmagnum.judge.outcome import Outcome
from alexmagnum.position import PICKS, Position, names_of, parse_phase
from alexmagnum.report import closing, gazette, private
from alexmagnum.report.blocks import Block, blocks, power_name
from alexmagnum.report.document import (
    Code,
    Fact,
    Items,
    OrderGroup,
    Orders,
    Prose,
    Season,
    Section,
)
from alexmagnum.report.due import demands
from alexmagnum.report.pasting import pasted_turn
from alexmagnum.report.revision import changes_table
from alexmagnum.report.standings import gains, holdings, retreat_open, standings
from alexmagnum.report.tallies import curves
from alexmagnum.report.times import when
from alexmagnum.report.turn import order_lines, phase_name
from alexmagnum.report.views import GM, SeasonContext, View, view
from alexmagnum.report.words import Words

__all__ = ["GM", "SeasonContext", "View", "season_report", "view"]


def season_report(view: View, words: Words) -> Season:
    """What the report of a phase says to one reader."""
    shown = view.shown
    board, phase = shown.position.board, shown.position.phase
    return Season(
        title=board.name(words.lang),
        game=shown.game,
        phase=phase_name(phase, board, words),
        code=str(phase),
        version=shown.version,
        lang=words.lang,
        recipient=view.recipient,
        facts=tuple(_facts(view, words)),
        sections=tuple(
            section for write in _SECTIONS if (section := write(view, words)) is not None
        ),
        curves=curves(shown.tallies, shown.position, words),
        liveries=liveries(board),
    )


# -- the head -----------------------------------------------------------------------------------


def _facts(view: View, words: Words) -> Iterator[Fact]:
    shown = view.shown
    board = shown.position.board
    if shown.version > 1:
        text = words.say("version-number", number=shown.version)
        yield Fact("version", words.say("fact-version"), text, shown.version)
    yield Fact("recipient", words.say("fact-recipient"), _reader(view, words), view.recipient)
    if shown.outcome is None:
        yield Fact("state", words.say("fact-state"), words.say("state-open"), "open")
    elif shown.following is None:
        yield Fact("next", words.say("fact-next"), words.say("no-next-phase"), None)
    else:
        phase = shown.following.phase
        yield Fact("next", words.say("fact-next"), phase_name(phase, board, words), str(phase))
    if shown.outcome is None or shown.following is not None:
        yield Fact("deadline", words.say("fact-deadline"), _deadline(shown, words), shown.deadline)


def _reader(view: View, words: Words) -> str:
    if view.recipient is None:
        return words.say("for-everybody")
    if view.recipient == GM:
        return words.say("for-gm")
    return power_name(view.shown.position.board, view.recipient, words)


def _deadline(shown: SeasonContext, words: Words) -> str:
    if shown.paused:
        return words.say("clock-stopped")
    if not shown.deadline:
        return words.say("no-deadline")
    return when(shown.deadline, shown.timezone, words)


# -- the sections -------------------------------------------------------------------------------

Writer = Callable[[View, Words], Section | None]


def _changes(view: View, words: Words) -> Section | None:
    shown = view.shown
    if shown.version < 2 or shown.outcome is None:
        return None
    title = words.say("season-changes", number=shown.version - 1)
    if not shown.changes:
        return Section("changes", title, Prose((words.say("no-changes"),)))
    table = changes_table(shown.changes, shown.position.board, words)
    return Section("changes", title, table, words.say("changes-note", number=shown.version))


def _before(view: View, words: Words) -> Section | None:
    return _prose("commentary", "season-commentary", view.shown.before, words)


def _block(code: str, key: str) -> Writer:
    """A section that is one of the blocks below a turn's orders."""

    def write(view: View, words: Words) -> Section | None:
        found = _found(view.shown.outcome, code, words)
        if found is None:
            return None
        return Section(key, words.say(f"season-{key}"), Items(found.lines))

    return write


def _found(outcome: Outcome | None, code: str, words: Words) -> Block | None:
    if outcome is None:
        return None
    return next((block for block in blocks(outcome, words) if block.code == code), None)


def _orders(view: View, words: Words) -> Section | None:
    outcome = view.shown.outcome
    if outcome is None:
        return None
    groups = tuple(_groups(outcome, words))
    if not groups:
        return None
    return Section("orders", words.say("season-orders"), Orders(groups, words.say("units-now")))


def _groups(outcome: Outcome, words: Words) -> Iterator[OrderGroup]:
    """Power by power, the independents last; who has nothing to show is left out.

    Of retreats only those are shown who had to.
    """
    board, kind = outcome.position.board, outcome.position.phase.kind
    names = names_of(outcome.units)
    for power in (*board.powers, INDEPENDENT):
        lines = tuple(order_lines(outcome, power, words))
        idle = kind == PICKS or power == INDEPENDENT or (kind == "retreats" and not lines)
        after = () if idle else [u for u in outcome.units if u.power == power]
        if lines or after:
            units = tuple(names[unit] for unit in after)
            yield OrderGroup(power, power_name(board, power, words), lines, units)


def _gains(view: View, words: Words) -> Section | None:
    outcome = view.shown.outcome
    table = gains(outcome, words) if outcome is not None else None
    return None if table is None else Section("gains", words.say("season-gains"), table)


def _standings(view: View, words: Words) -> Section | None:
    outcome = view.shown.outcome
    if outcome is None:
        return None
    waiting = words.say("units-retreating") if retreat_open(outcome) else ""
    title = words.say("season-standings")
    return Section("standings", title, standings(outcome, words), waiting)


def _holdings(view: View, words: Words) -> Section | None:
    outcome = view.shown.outcome
    lines = tuple(holdings(outcome, words)) if outcome is not None else ()
    return Section("centres", words.say("season-centres"), Items(lines)) if lines else None


def _passed(view: View, words: Words) -> Section | None:
    """The phases after this one in which nothing was to decide, retreats among them."""
    shown = view.shown
    board = shown.position.board
    phases = [parse_phase(name, board.rules.picks) for name in shown.passed]
    retreats = replace(shown.position.phase, retreats=True)
    if _passes_retreats(shown) and retreats not in phases:
        phases.insert(0, retreats)
    return _items("passed", "season-passed", [phase_name(p, board, words) for p in phases], words)


def _passes_retreats(shown: SeasonContext) -> bool:
    """Whether a movement phase left nobody who could retreat, and the game goes on."""
    outcome = shown.outcome
    if outcome is None or shown.following is None or shown.position.phase.kind != "movement":
        return False
    return not retreat_open(outcome)


def _due(view: View, words: Words) -> Section | None:
    """What each power must send next, and by when."""
    asked = _asked(view.shown)
    if asked is None:
        return None
    board = asked.board
    auto = view.shown.house_rules.get("single_retreat") == "auto"
    lines = [
        f"{power_name(board, power, words)}: {text}"
        for power, text in demands(asked, words, auto=auto)
    ]
    if not lines:
        return None
    if len(lines) < len(board.powers):
        lines.append(words.say("others-nothing"))
    name = phase_name(asked.phase, board, words)
    note = words.say("due-by", phase=name, deadline=_deadline(view.shown, words))
    return Section("due", words.say("season-due"), Items(tuple(lines)), note)


def _asked(shown: SeasonContext) -> Position | None:
    """The position for which orders are wanted: this one until it is processed."""
    return shown.position if shown.outcome is None else shown.following


def _after(view: View, words: Words) -> Section | None:
    return _prose("notes", "season-notes", view.shown.after, words)


def _gm_notes(view: View, words: Words) -> Section | None:
    return _prose("private", "season-private", view.shown.gm_notes, words)


def _turn(view: View, words: Words) -> Section | None:
    """The position for which orders are wanted, as a turn file."""
    asked = _asked(view.shown)
    if asked is None:
        return None
    text = pasted_turn(asked, words)
    return Section("turn", words.say("season-turn"), Code(text), words.say("turn-note"))


def _prose(key: str, title: str, texts: Iterable[str], words: Words) -> Section | None:
    """The game master's words: an empty line parts paragraphs."""
    paragraphs = tuple(
        part.strip() for text in texts for part in text.replace("\r\n", "\n").split("\n\n")
    )
    kept = tuple(filter(None, paragraphs))
    return Section(key, words.say(title), Prose(kept)) if kept else None


def _items(key: str, title: str, lines: Iterable[str], words: Words) -> Section | None:
    listed = tuple(lines)
    return Section(key, words.say(title), Items(listed)) if listed else None


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
    private.pending_orders,
    private.orders_ahead,
    private.remarks,
    _after,
    gazette.press,
    _gm_notes,
    closing.house_rules,
    closing.players,
    closing.seals,
    _turn,
)
"""The parts of a report in order of reading; one that has nothing to say is left out."""
