"""Adjudicating a turn as written: its outcome, and the result of each line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from alexmagnum.campaign import retreat_position
from alexmagnum.cases.model import Turn
from alexmagnum.errors import NotationError
from alexmagnum.judge import Outcome, adjudicate
from alexmagnum.judge.outcome import ILLEGAL
from alexmagnum.notation import read_order
from alexmagnum.orders import Order
from alexmagnum.position import Position


class Resolution:
    """An adjudicated turn: the outcome, and the result of each line of the file.

    ``refused`` holds the lines that are no orders, by (power, number in its list).
    """

    def __init__(self, position: Position, orders: Mapping[str, Sequence[str]]) -> None:
        self.position = position
        self.written = orders
        self.refused: dict[tuple[str, int], NotationError] = {}
        self.orders: dict[str, list[Order]] = {power: [] for power in orders}
        for power, lines in orders.items():
            for i, line in enumerate(lines):
                try:
                    self.orders[power].append(read_order(line, position, power))
                except NotationError as error:
                    self.refused[power, i] = error

    @cached_property
    def outcome(self) -> Outcome:
        """The outcome of the phase."""
        return adjudicate(self.position, self.orders)

    def results(self) -> dict[str, list[tuple[str, str]]]:
        """Return every line as written with its result, by power; a refused line is illegal."""
        judged = {power: iter(_results_of(self.outcome, power)) for power in self.written}
        return {
            power: [
                (line, ILLEGAL if (power, i) in self.refused else next(judged[power]))
                for i, line in enumerate(lines)
            ]
            for power, lines in self.written.items()
        }


def _results_of(outcome: Outcome, power: str) -> list[str]:
    """Return the results of a power's orders."""
    return [entry.result for entry in outcome.results if entry.power == power]


def resolve_turn(turn: Turn) -> Resolution:
    """Adjudicate a turn, after the movement phase before it if the turn has one."""
    if turn.position is not None:
        return Resolution(turn.position, turn.orders)
    assert turn.previous is not None, "a turn has a position or a previous phase"
    before = resolve_turn(turn.previous.turn).outcome
    return Resolution(retreat_position(before), turn.orders)
