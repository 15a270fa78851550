"""The differences between two lines of a game, or two versions of a phase."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from alexmagnum.campaign import ending, owners_after
from alexmagnum.game.outcome_store import find_outcome_of
from alexmagnum.game.records import OutcomeRow, ResultRow
from alexmagnum.game.state import Game
from alexmagnum.game.values import Change
from alexmagnum.judge.outcome import Outcome
from alexmagnum.position import Unit

NOTHING_OPEN = "—"
"""Written for the retreats of a dislodged unit that has none."""


def compare_lines(
    game: Game, old: Sequence[OutcomeRow], new: Sequence[OutcomeRow]
) -> tuple[Change, ...]:
    """Return the differences between two runs of outcomes, in the order of the calendar.

    A phase that only one of them has, such as retreats, counts in the other as a phase in which
    nothing happened.
    """
    before = {row.name: row for row in old}
    after = {row.name: row for row in new}
    changes: list[Change] = []
    for name in _merge_names(old, new):
        changes += compare_outcomes(game, name, before.get(name), after.get(name))
    return tuple(changes)


def _merge_names(old: Sequence[OutcomeRow], new: Sequence[OutcomeRow]) -> list[str]:
    """Return the names of the phases of two runs, merged; each run keeps its order."""
    longer, other = [row.name for row in old], [row.name for row in new]
    merged: list[str] = []
    for name in longer:
        while other and other[0] not in longer:
            merged.append(other.pop(0))
        if other and other[0] == name:
            other.pop(0)
        merged.append(name)
    return [*merged, *(name for name in other if name not in merged)]


def compare_outcomes(
    game: Game, name: str, old: OutcomeRow | None, new: OutcomeRow | None
) -> Iterator[Change]:
    """Return the differences between two outcomes of a phase; None is a phase that was not."""
    before, after = (_list_facts(game, row) if row else {} for row in (old, new))
    for what in ("result", "unit", "dislodged", "owner", "nobility", "winner"):
        then, now = before.get(what, {}), after.get(what, {})
        if (not old or not new) and what not in ("result", "winner"):
            continue  # the phase before it has those differences already
        for subject in dict.fromkeys((*then, *now)):
            if then.get(subject, "") != now.get(subject, ""):
                yield Change(name, what, subject, then.get(subject, ""), now.get(subject, ""))


def _list_facts(game: Game, row: OutcomeRow) -> Mapping[str, dict[str, str]]:
    """Return what can be compared of an outcome, by kind and subject."""
    outcome = find_outcome_of(game, row)
    return {
        "result": _read_results(game, row.id),
        "unit": {_name_place(unit, outcome): unit.power for unit in outcome.units},
        "dislodged": {
            _name_place(d.unit, outcome): ", ".join(d.retreats) or NOTHING_OPEN
            for d in outcome.dislodged
        },
        "owner": dict(owners_after(outcome)),
        "nobility": {power: str(points) for power, points in outcome.nobility.items()},
        "winner": _list_winners(outcome),
    }


def _name_place(unit: Unit, outcome: Outcome) -> str:
    """Return a unit by its place; in a sea always with its number, whoever else is there."""
    crowded = outcome.position.board.provinces[unit.province].capacity > 1
    return f"{unit}#{unit.number}" if crowded else str(unit)


def _read_results(game: Game, outcome: int) -> dict[str, str]:
    """Return the result by order; picks and waivers, which name no unit, have their power."""
    rows = game.file.select(ResultRow, "WHERE outcome = ? ORDER BY id", outcome)
    results: dict[str, str] = {}
    for row in rows:
        subject = row.canonical or row.unit
        subject = subject if row.unit else f"{row.power} {subject}"
        results.setdefault(subject, row.result)
    return results


def _list_winners(outcome: Outcome) -> dict[str, str]:
    end = ending(outcome)
    return dict(zip(end.winners, end.winners, strict=True)) if end else {}
