"""Compose the final report: the whole story of a game that is over, for everybody."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from alexmagnum.board.model import INDEPENDENT, Board
from alexmagnum.draw.palette import assign_liveries
from alexmagnum.game.values import Seal
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.position import PICKS, Unit, names_of
from alexmagnum.report.centre_counts import CentreCount, plot_centre_counts
from alexmagnum.report.document import (
    Cell,
    Code,
    Column,
    Fact,
    Items,
    Orders,
    PhaseReport,
    Prose,
    Section,
    Table,
)
from alexmagnum.report.ending_text import format_end
from alexmagnum.report.game_sections import list_house_rules, players_section
from alexmagnum.report.game_story import (
    GameStory,
    Holding,
    UnitChanges,
    count_nobility,
    find_unit_changes,
    is_year_end,
    list_eliminations,
    list_holdings,
)
from alexmagnum.report.mentions import Mention
from alexmagnum.report.names import phase_name, power_name, year_name
from alexmagnum.report.phase_report import group_orders

CODE = "final"
"""The name of the final report, where others have the name of their phase."""

BRIEF = ("end", "standings", "centre-years", "holders", "nobility-years", "units")
"""The sections that a mail repeats; the others are in the files that go with it."""


CHECK_PROGRAM = """\
import hashlib, json, sys
report = json.load(open(sys.argv[1], encoding="utf-8"))
for seal in report["sections"]["seals"]["content"]:
    if seal["salt"]:
        lines = [seal["salt"], seal["phase"], seal["power"], *seal["orders"]]
        text = "".join(line + "\\n" for line in lines)
        digits = hashlib.sha256(text.encode("utf-8")).hexdigest().upper()
        digest = "-".join(digits[i:i + 4] for i in (0, 4, 8, 12))
        good = digest.startswith(seal["digest"])
        print(seal["phase"], seal["power"], seal["digest"], "ok" if good else "WRONG")
"""
"""A program with which anybody can check the seals in the final report as JSON."""


def compose_final_report(story: GameStory, sentences: Sentences) -> PhaseReport:
    """Return the final report of a game, for everybody."""
    board = story.position.board
    sections = [write(story, sentences) for write in _WRITERS]
    return PhaseReport(
        title=board.name(sentences.lang),
        game=story.game,
        phase=sentences.format("final-title"),
        code=CODE,
        version=1,
        lang=sentences.lang,
        recipient=None,
        facts=tuple(_facts(story, sentences)),
        sections=tuple(section for found in sections for section in found if section is not None),
        curves=plot_centre_counts(story.centre_counts, story.position, sentences),
        liveries=assign_liveries(board),
    )


def _facts(story: GameStory, sentences: Sentences) -> Iterator[Fact]:
    yield Fact(
        "recipient", sentences.format("fact-recipient"), sentences.format("for-everybody"), None
    )
    first = next(iter(story.phases), None)
    if first is not None:
        board = story.position.board
        phases = [
            phase_name(view.content.position.phase, board, sentences)
            for view in (first, story.phases[-1])
        ]
        text = sentences.format("final-from-to", first=phases[0], last=phases[1])
        yield Fact("played", sentences.format("final-played"), text, None)


Sections = Iterable[Section | None]


# -- the end and the powers -----------------------------------------------------------------------


def _end_section(story: GameStory, sentences: Sentences) -> Sections:
    """Return how the game ended, why, and which phase was never resolved."""
    lines = [format_end(story.end, story.position, sentences)]
    if story.end.reason:
        lines.append(sentences.format("final-reason", reason=story.end.reason))
    if story.stopped:
        phase = phase_name(story.position.phase, story.position.board, sentences)
        lines.append(sentences.format("final-stopped", phase=phase))
    return [Section("end", sentences.format("section-end"), Prose(tuple(lines)))]


def _standings_section(story: GameStory, sentences: Sentences) -> Sections:
    """Return a row for each power: centres, units, nobility, and how it ended."""
    position = story.position
    board, gone = position.board, list_eliminations(story)
    columns = [
        Column("power", sentences.format("column-power")),
        Column("centres", sentences.format("column-centres"), number=True),
        Column("units", sentences.format("column-units"), number=True),
    ]
    if board.rules.nobility:
        columns.append(Column("nobility", sentences.format("column-nobility"), number=True))
    columns.append(Column("state", sentences.format("column-state")))
    standing = (*position.units, *(d.unit for d in position.dislodged))
    rows = []
    for power in board.powers:
        figures = [len(position.centres_of(power)), sum(u.power == power for u in standing)]
        figures += [position.points_of(power)] if board.rules.nobility else []
        rows.append(
            (
                Cell(power_name(board, power, sentences), power),
                *(Cell(str(figure), figure) for figure in figures),
                _state_cell(story, power, gone, sentences),
            )
        )
    mentions = tuple(map(Mention, board.powers))
    table = Table(tuple(columns), tuple(rows))
    return [Section("standings", sentences.format("section-standings"), table, mentions=mentions)]


def _state_cell(
    story: GameStory, power: str, gone: Mapping[str, int], sentences: Sentences
) -> Cell:
    """Return whether a power won, shared the game, was eliminated or is in revolt."""
    if power in story.end.winners:
        shares = story.end.kind == "draw" or len(story.end.winners) > 1
        state = "shares" if shares else "wins"
        return Cell(sentences.format(f"final-{state}"), state)
    if power in gone:
        return Cell(sentences.format("final-out", year=gone[power]), "eliminated")
    if story.position.phase.season != PICKS and story.position.in_revolt(power):
        return Cell(sentences.format("state-revolt"), "revolt")
    return Cell("", "playing")


# -- year by year ---------------------------------------------------------------------------------


def _centres_section(story: GameStory, sentences: Sentences) -> Sections:
    """Return how many centres each power had at the end of each year."""
    board = story.position.board
    counts = [c for c in story.centre_counts if is_year_end(c, board.rules.picks)]
    rows = [(_year_label(count, story, sentences), dict(count.centres)) for count in counts]
    return [_year_table("centre-years", rows, story, sentences)] if len(rows) > 1 else []


def _year_label(count: CentreCount, story: GameStory, sentences: Sentences) -> str:
    if count.after is None:
        return sentences.format("chart-start")
    return year_name(count.after, story.position.board, sentences)


def _nobility_section(story: GameStory, sentences: Sentences) -> Sections:
    """Return the nobility of each power at the end of each year."""
    board = story.position.board
    rows = [
        (year_name(position.phase, board, sentences), points)
        for position, points in count_nobility(story)
    ]
    return [_year_table("nobility-years", rows, story, sentences)] if rows else []


def _year_table(
    key: str, rows: list[tuple[str, dict[str, int]]], story: GameStory, sentences: Sentences
) -> Section:
    """Return a table with a row for each year and a column for each power."""
    board = story.position.board
    powers = tuple(board.powers)
    columns = (
        Column("year", sentences.format("final-year")),
        *(Column(power, _short_name(board, power, sentences), number=True) for power in powers),
    )
    cells = tuple(
        (
            Cell(label, label),
            *(Cell(str(figures.get(power, 0)), figures.get(power, 0)) for power in powers),
        )
        for label, figures in rows
    )
    return Section(key, sentences.format(f"final-{key}"), Table(columns, cells))


def _short_name(board: Board, power: str, sentences: Sentences) -> str:
    """Return a power's id if that is short, else the beginning of its name."""
    return power if len(power) <= 3 else power_name(board, power, sentences)[:3]


def _holders_section(story: GameStory, sentences: Sentences) -> Sections:
    """Return who owned each centre, and in which years."""
    board, rows = story.position.board, []
    for centre, holdings in list_holdings(board, story.outcomes).items():
        name = f"{centre} {board.provinces[centre].name(sentences.lang)}"
        text = ", ".join(_format_holding(holding, board, sentences) for holding in holdings)
        value = [{"power": h.power, "from": h.since, "until": h.until or None} for h in holdings]
        rows.append((Cell(name, centre), Cell(text, value)))
    columns = (
        Column("centre", sentences.format("column-centre")),
        Column("owners", sentences.format("final-owners")),
    )
    note = sentences.format("final-holders-note")
    table = Table(columns, tuple(rows))
    mentions = tuple(Mention(places=(str(row[0].value),)) for row in rows)
    title = sentences.format("final-holders")
    return [Section("holders", title, table, note, mentions=mentions)] if rows else []


def _format_holding(holding: Holding, board: Board, sentences: Sentences) -> str:
    code = "final-held" if holding.until else "final-holds"
    name = power_name(board, holding.power, sentences)
    return sentences.format(code, power=name, since=holding.since, until=holding.until)


# -- units ----------------------------------------------------------------------------------------


def _units_section(story: GameStory, sentences: Sentences) -> Sections:
    """Return how many units each power built, removed and lost."""
    board = story.position.board
    changes = [find_unit_changes(outcome) for outcome in story.outcomes]
    columns = (
        Column("power", sentences.format("column-power")),
        *(
            Column(what, sentences.format(f"final-{what}"), number=True)
            for what in ("built", "removed", "lost")
        ),
    )
    rows = []
    for power in board.powers:
        figures = [
            sum(unit.power == power for change in changes for unit in units(change))
            for units in _UNITS.values()
        ]
        rows.append(
            (
                Cell(power_name(board, power, sentences), power),
                *(Cell(str(figure), figure) for figure in figures),
            )
        )
    title = sentences.format("final-units")
    return [
        Section("units", title, Table(columns, tuple(rows))),
        _unit_history(story, changes, sentences),
    ]


_UNITS: Mapping[str, Callable[[UnitChanges], tuple[Unit, ...]]] = {
    "built": lambda change: change.built,
    "removed": lambda change: change.removed,
    "lost": lambda change: change.lost,
}


def _unit_history(
    story: GameStory, changes: list[UnitChanges], sentences: Sentences
) -> Section | None:
    """Return phase by phase which units were built, removed and lost."""
    board, lines = story.position.board, []
    for outcome, change in zip(story.outcomes, changes, strict=True):
        parts = [
            sentences.format(f"final-{what}-units", units=_name_units(units(change)))
            for what, units in _UNITS.items()
            if any(unit.power in board.powers for unit in units(change))
        ]
        if parts:
            phase = phase_name(outcome.position.phase, board, sentences)
            lines.append(f"{phase}: {'; '.join(parts)}")
    title = sentences.format("final-unit-history")
    return Section("unit-history", title, Items(tuple(lines)), folded=True) if lines else None


def _name_units(units: Iterable[Unit]) -> str:
    """Return units with their powers, garrisons left out: ``A MEN (TOL), F EGE (SEL)``."""
    named = names_of(unit for unit in units if unit.power != INDEPENDENT)
    return ", ".join(f"{name} ({unit.power})" for unit, name in named.items())


# -- orders and seals -----------------------------------------------------------------------------


def _orders_sections(story: GameStory, sentences: Sentences) -> Sections:
    """Yield the orders of every phase with their results."""
    board = story.position.board
    if story.phases:
        text = sentences.format("final-orders-note")
        yield Section("orders", sentences.format("final-orders"), Prose((text,)))
    for view in story.phases:
        assert view.content.outcome is not None, "every phase of the story was resolved"
        groups = tuple(group_orders(view.content.outcome, sentences, view.content.bots))
        if any(group.lines for group in groups):
            phase = view.content.position.phase
            title = phase_name(phase, board, sentences)
            body = Orders(groups, sentences.format("units-now"))
            yield Section(f"orders-{phase}", title, body, folded=True)


def _seals_sections(story: GameStory, sentences: Sentences) -> Sections:
    """Return the seals of all orders, and how anybody can check them."""
    seals = [
        (str(view.content.position.phase), seal)
        for view in story.phases
        for seal in view.content.seals
    ]
    if not seals:
        return
    columns = tuple(
        Column(key, sentences.format(f"column-{key}"))
        for key in ("phase", "power", "digest", "salt", "orders")
    )
    rows = tuple(_seal_row(phase, seal) for phase, seal in seals)
    yield Section(
        "seals",
        sentences.format("final-seals"),
        Table(columns, rows),
        sentences.format("final-seals-note"),
        folded=True,
    )
    note = sentences.format("final-check-note", digest=story.closing_seal)
    title = sentences.format("final-check")
    yield Section("check", title, Code(CHECK_PROGRAM), note, folded=True)


def _seal_row(phase: str, seal: Seal) -> tuple[Cell, ...]:
    return (
        Cell(phase, phase),
        Cell(seal.power, seal.power),
        Cell(seal.digest, seal.digest),
        Cell(seal.salt, seal.salt),
        Cell("; ".join(seal.orders), list(seal.orders)),
    )


def _table_sections(story: GameStory, sentences: Sentences) -> Sections:
    """Return who played, and by which house rules."""
    if story.last is None:
        return []
    return [players_section(story.last, sentences), list_house_rules(story.last, sentences)]


_WRITERS: tuple[Callable[[GameStory, Sentences], Sections], ...] = (
    _end_section,
    _standings_section,
    _centres_section,
    _nobility_section,
    _holders_section,
    _units_section,
    _orders_sections,
    _table_sections,
    _seals_sections,
)
"""The writers of the sections in the order of reading."""
