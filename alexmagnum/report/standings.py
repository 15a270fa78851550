"""The standings after a phase: centres, units and how many the centres keep, nobility."""

from __future__ import annotations

from collections.abc import Iterator

from alexmagnum.campaign import eliminated, ending, owners_after, position_after
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge.outcome import Outcome
from alexmagnum.judge.winter import count_adjustments
from alexmagnum.position import AUTUMN, PICKS, WINTER
from alexmagnum.report.document import Cell, Column, Table
from alexmagnum.report.names import power_name


def has_open_retreats(outcome: Outcome) -> bool:
    """Return whether a dislodged unit may still retreat."""
    return any(dislodged.retreats for dislodged in outcome.dislodged)


def tabulate_gains(outcome: Outcome, sentences: Sentences) -> Table | None:
    """Return the centres that changed hands as a table, None if there are none (R29, R30)."""
    board = outcome.position.board
    before, now = outcome.position.owners, owners_after(outcome)
    rows = tuple(
        (
            Cell(f"{centre} {board.provinces[centre].name(sentences.lang)}", centre),
            Cell(_owner_name(outcome, before.get(centre, ""), sentences), before.get(centre, "")),
            Cell(_owner_name(outcome, now.get(centre, ""), sentences), now.get(centre, "")),
        )
        for centre in board.centres
        if before.get(centre) != now.get(centre)
    )
    columns = (
        Column("centre", sentences.format("column-centre")),
        Column("before", sentences.format("column-before")),
        Column("now", sentences.format("column-now")),
    )
    return Table(columns, rows) if rows else None


def _owner_name(outcome: Outcome, power: str, sentences: Sentences) -> str:
    """Return the name of an owner; "" stands for nobody."""
    return (
        power_name(outcome.position.board, power, sentences)
        if power
        else sentences.format("nobody")
    )


def format_holdings(outcome: Outcome, sentences: Sentences) -> Iterator[str]:
    """Yield a line for each power with the names of its centres after the phase."""
    board = outcome.position.board
    after = position_after(outcome)
    for power in board.powers:
        owned = after.centres_of(power)
        if owned:
            centres = ", ".join(f"{c} {board.provinces[c].name(sentences.lang)}" for c in owned)
            yield f"{power_name(board, power, sentences)}: {centres}"


def tabulate_standings(outcome: Outcome, sentences: Sentences) -> Table:
    """Return a table with a row for each power.

    It has the centres before and now, units, how many the centres keep, nobility, and the state if
    any power is eliminated or in revolt.  Builds and removals due are added when an autumn is
    over, unless the game is over too (R29, R32).
    """
    standings = _Standings(outcome, sentences)
    columns = [
        Column("power", sentences.format("column-power")),
        Column("centres", sentences.format("column-centres"), number=True),
        Column("units", sentences.format("column-units"), number=True),
        Column("upkeep", sentences.format("column-upkeep"), number=True),
    ]
    if outcome.nobility:
        columns.append(Column("nobility", sentences.format("column-nobility"), number=True))
    if standings.shows_due:
        columns.append(Column("due", sentences.format("column-due")))
    if any(standings.cell("state", power).text for power in outcome.position.board.powers):
        columns.append(Column("state", sentences.format("column-state")))
    rows = tuple(
        tuple(standings.cell(column.key, power) for column in columns)
        for power in outcome.position.board.powers
    )
    return Table(tuple(columns), rows)


class _Standings:
    """The figures of each power before and after a phase."""

    def __init__(self, outcome: Outcome, sentences: Sentences) -> None:
        self.outcome = outcome
        self.before = outcome.position
        self.after = position_after(outcome)
        self.sentences = sentences
        self.due = count_adjustments(self.after)
        season = outcome.position.phase.season
        self.closes_year = season == AUTUMN and not has_open_retreats(outcome)
        self.shows_due = season == WINTER or (self.closes_year and ending(outcome) is None)
        self.out = () if season == PICKS else eliminated(outcome)

    def cell(self, column: str, power: str) -> Cell:
        """Return the cell of a column for a power."""
        match column:
            case "power":
                return Cell(power_name(self.before.board, power, self.sentences), power)
            case "centres":
                before, now = (len(p.centres_of(power)) for p in (self.before, self.after))
                return _comparison_cell(before, now)
            case "units":
                units = self._count_units(power)
                return Cell(str(units), units)
            case "upkeep":
                upkeep = self._count_upkeep(power)
                return Cell(str(upkeep), upkeep)
            case "nobility":
                start = self.before.board.rules.nobility
                now = self.outcome.nobility.get(power, start)
                return _comparison_cell(self.before.nobility.get(power, start), now)
            case "due":
                return self._due_cell(power)
            case _:
                return self._state_cell(power)

    def _count_units(self, power: str) -> int:
        """Return the number of units on the board and of those that may still retreat."""
        waiting = [d.unit for d in self.outcome.dislodged if d.retreats]
        return sum(unit.power == power for unit in (*self.outcome.units, *waiting))

    def _count_upkeep(self, power: str) -> int:
        """Return how many units the centres keep; a major city counts for more than one (R25)."""
        provinces, rules = self.before.board.provinces, self.before.board.rules
        return sum(
            rules.major_city_upkeep if provinces[centre].major else 1
            for centre in self.after.centres_of(power)
        )

    def _due_cell(self, power: str) -> Cell:
        """Return the builds or removals due from a power."""
        due = self.due.get(power, 0)
        if not due or power in self.out:
            return Cell("–", 0)
        code = "builds-due" if due > 0 else "removals-due"
        if not self.closes_year:
            code = "builds-left"
        return Cell(self.sentences.format(code, count=abs(due)), due)

    def _state_cell(self, power: str) -> Cell:
        """Return whether a power is eliminated, in revolt or playing."""
        if power in self.out:
            return Cell(self.sentences.format("state-out"), "eliminated")
        if self.after.in_revolt(power):
            return Cell(self.sentences.format("state-revolt"), "revolt")
        return Cell("", "playing")


def _comparison_cell(before: int, now: int) -> Cell:
    """Return a figure with its change: ``6 (+1)``."""
    text = str(now) if now == before else f"{now} ({now - before:+d})"
    return Cell(text, {"before": before, "now": now})
