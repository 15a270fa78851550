"""What is different between two lines of a game, phase by phase."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from alexmagnum.campaign import ending, owners_after
from alexmagnum.game.file import Row
from alexmagnum.game.phases import replay_outcome
from alexmagnum.game.state import Game
from alexmagnum.game.values import Change
from alexmagnum.judge.outcome import Outcome
from alexmagnum.position import Unit

NOTHING_OPEN = "—"
"""What stands for the retreats of a dislodged unit that has none."""


def compare_lines(game: Game, old: Sequence[Row], new: Sequence[Row]) -> tuple[Change, ...]:
    """The differences between two runs of outcomes, in the order of the calendar.

    A phase that only one of them has, because there was something to retreat, counts as one in
    which nothing happened in the other.
    """
    before = {row["name"]: row for row in old}
    after = {row["name"]: row for row in new}
    changes: list[Change] = []
    for name in _calendar(old, new):
        changes += compare_outcomes(game, name, before.get(name), after.get(name))
    return tuple(changes)


def _calendar(old: Sequence[Row], new: Sequence[Row]) -> list[str]:
    """The names of two runs, merged: each run keeps its order."""
    longer, other = [row["name"] for row in old], [row["name"] for row in new]
    merged: list[str] = []
    for name in longer:
        while other and other[0] not in longer:
            merged.append(other.pop(0))
        if other and other[0] == name:
            other.pop(0)
        merged.append(name)
    return [*merged, *(name for name in other if name not in merged)]


def compare_outcomes(game: Game, name: str, old: Row | None, new: Row | None) -> Iterator[Change]:
    """The differences between two outcomes of a phase; None: there was no such phase."""
    before, after = (_facts(game, row) if row else {} for row in (old, new))
    for what in ("result", "unit", "dislodged", "owner", "nobility", "winner"):
        then, now = before.get(what, {}), after.get(what, {})
        if (not old or not new) and what not in ("result", "winner"):
            continue  # what stood there is told by the phase before it
        for subject in dict.fromkeys((*then, *now)):
            if then.get(subject, "") != now.get(subject, ""):
                yield Change(name, what, subject, then.get(subject, ""), now.get(subject, ""))


def _facts(game: Game, row: Row) -> Mapping[str, dict[str, str]]:
    """What can be compared of an outcome, by kind and subject."""
    outcome = replay_outcome(game, row)
    return {
        "result": _results(game, row["id"]),
        "unit": {_standing(unit, outcome): unit.power for unit in outcome.units},
        "dislodged": {
            _standing(d.unit, outcome): ", ".join(d.retreats) or NOTHING_OPEN
            for d in outcome.dislodged
        },
        "owner": dict(owners_after(outcome)),
        "nobility": {power: str(points) for power, points in outcome.nobility.items()},
        "winner": _winners(outcome),
    }


def _standing(unit: Unit, outcome: Outcome) -> str:
    """A unit by where it stands; in a sea always with its number, whoever else is there."""
    crowded = outcome.position.board.provinces[unit.province].capacity > 1
    return f"{unit}#{unit.number}" if crowded else str(unit)


def _results(game: Game, outcome: int) -> dict[str, str]:
    """The result by order; picks and waivers, which name no unit, with their power."""
    rows = game.file.rows("SELECT * FROM resolved WHERE outcome = ? ORDER BY id", outcome)
    results: dict[str, str] = {}
    for row in rows:
        subject = row["canonical"] or row["unit"]
        subject = subject if row["unit"] else f"{row['power']} {subject}"
        results.setdefault(subject, row["result"])
    return results


def _winners(outcome: Outcome) -> dict[str, str]:
    end = ending(outcome)
    return dict(zip(end.winners, end.winners, strict=True)) if end else {}
