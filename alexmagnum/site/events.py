"""The events of a game in order, of which the story of a power or of a province has some."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from alexmagnum.board.model import INDEPENDENT
from alexmagnum.campaign import newly_eliminated, owners_after
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge.outcome import SUCCEEDS, Outcome
from alexmagnum.orders import Move
from alexmagnum.position import DEPLOYMENT, PICKS, Unit, names_of
from alexmagnum.report.game_story import find_unit_changes
from alexmagnum.report.names import power_name


class Event(NamedTuple):
    """One thing that happened.

    Attributes:
        code: what happened; the sentence is ``event-<code>``.
        powers: the powers that it concerns.
        places: the provinces that it concerns.
        data: what the sentence names.
    """

    code: str
    powers: tuple[str, ...]
    places: tuple[str, ...]
    data: Mapping[str, object]

    def tell(self, sentences: Sentences) -> str:
        """Return the event in words."""
        return sentences.format(f"event-{self.code}", **self.data)


MOVING = ("arrives", "repelled")
"""The events that only the story of a province tells."""


def list_events(outcome: Outcome, sentences: Sentences) -> Iterator[Event]:
    """Yield what happened in a phase: centres, units and nobility, then the moves."""
    teller = _Teller(outcome, sentences)
    yield from teller.gains()
    yield from teller.dislodgements()
    yield from teller.unit_changes()
    yield from teller.nobility()
    yield from teller.eliminations()
    yield from teller.moves()


class _Teller:
    """Finds the events of one phase."""

    def __init__(self, outcome: Outcome, sentences: Sentences) -> None:
        self.outcome = outcome
        self.position = outcome.position
        self.board = outcome.position.board
        self.sentences = sentences
        after = names_of(outcome.units)
        before = {**names_of(self.position.units), **names_of(self.position.orderable)}
        self._names = {**after, **before}

    def gains(self) -> Iterator[Event]:
        """Yield the centres that changed hands."""
        before, now = self.position.owners, owners_after(self.outcome)
        for centre in self.board.centres:
            old, new = before.get(centre, ""), now.get(centre, "")
            if old == new or not new:
                continue
            data: dict[str, object] = {"power": self._power(new), "place": self._place(centre)}
            if not old:
                yield Event("takes", (new,), (centre,), data)
            else:
                data["other"] = self._power(old)
                yield Event("takes-from", (new, old), (centre,), data)

    def dislodgements(self) -> Iterator[Event]:
        """Yield the units that were dislodged, except in the retreats that follow."""
        if self.position.phase.retreats:
            return
        for dislodged in self.outcome.dislodged:
            unit, by = dislodged.unit, dislodged.by
            data = {**self._named(unit), "by": self._unit(by), "other": self._power(by.power)}
            yield Event("dislodged", (unit.power, by.power), (unit.province,), data)

    def unit_changes(self) -> Iterator[Event]:
        """Yield the units that were built, placed, removed or lost."""
        changes = find_unit_changes(self.outcome)
        deployed = self.position.phase.season == DEPLOYMENT
        for code, units in (
            ("deploys" if deployed else "builds", changes.built),
            ("removes", changes.removed),
            ("loses", changes.lost),
        ):
            for unit in units:
                yield Event(code, (unit.power,), (unit.province,), self._named(unit))

    def nobility(self) -> Iterator[Event]:
        """Yield the powers whose nobility fell."""
        for power, points in self.outcome.nobility.items():
            before = self.position.nobility.get(power, self.board.rules.nobility)
            if points < before:
                data = {"power": self._power(power), "points": points}
                yield Event("nobility" if points else "revolt", (power,), (), data)

    def eliminations(self) -> Iterator[Event]:
        """Yield the powers that lost their last centre and unit."""
        if self.position.phase.season == PICKS:
            return
        for power in newly_eliminated(self.outcome):
            yield Event("out", (power,), (), {"power": self._power(power)})

    def moves(self) -> Iterator[Event]:
        """Yield the moves that were carried out, and those that failed."""
        for entry in self.outcome.results:
            if not isinstance(entry.order, Move) or entry.unit is None:
                continue
            goal = self.board.province_of(entry.order.to.partition("#")[0]).id
            if entry.result == SUCCEEDS:
                places = (goal, entry.unit.province)
                data = {**self._named(entry.unit), "place": self._place(goal)}
                yield Event("arrives", (entry.power,), places, data)
            elif entry.result in ("fails", "stopped", "destroyed"):
                data = {**self._named(entry.unit), "place": self._place(goal)}
                yield Event("repelled", (entry.power,), (goal,), data)

    def _named(self, unit: Unit) -> dict[str, object]:
        return {"unit": self._unit(unit), "power": self._power(unit.power)}

    def _unit(self, unit: Unit) -> str:
        return self._names.get(unit, str(unit))

    def _power(self, power: str) -> str:
        return power_name(self.board, power, self.sentences)

    def _place(self, province: str) -> str:
        return self.board.provinces[province].name(self.sentences.lang)


def is_of_power(event: Event, power: str) -> bool:
    """Return whether an event belongs to the story of a power."""
    return power in event.powers and event.code not in MOVING


def is_of_province(event: Event, province: str) -> bool:
    """Return whether an event belongs to the story of a province."""
    return province in event.places and not (
        event.code == "loses" and event.powers == (INDEPENDENT,)
    )
