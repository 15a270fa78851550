"""The figures of a game over its years: units, nobility, and the fights between powers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from alexmagnum.board.model import INDEPENDENT, Board
from alexmagnum.campaign import owners_after, position_after
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge.outcome import ILLEGAL, Outcome
from alexmagnum.orders import Move, Support
from alexmagnum.position import PICKS, Position
from alexmagnum.report.centre_counts import list_curves, plot_centre_counts
from alexmagnum.report.document import Curves, Moment
from alexmagnum.report.names import year_name
from alexmagnum.site.published_game import PublishedGame

Count = Callable[[Position, str], int]


def count_units(position: Position, power: str) -> int:
    """Return the number of a power's units, those that may still retreat included."""
    standing = (*position.units, *(d.unit for d in position.dislodged))
    return sum(unit.power == power for unit in standing)


def plot_centres(game: PublishedGame, sentences: Sentences) -> Curves | None:
    """Return the curves of the centres, None while there is nothing to compare."""
    content = game.newest.content
    return plot_centre_counts(content.centre_counts, content.position, sentences)


def plot_years(game: PublishedGame, count: Count, sentences: Sentences) -> Curves | None:
    """Return the curves of a figure at the end of every year; None with fewer than two years."""
    ends = list(_year_ends(game))
    if len(ends) < 2:
        return None
    board = game.board
    first = ends[0].phase.year
    moments = tuple(
        Moment(
            abs(position.phase.year - first) + 1.0,
            year_name(position.phase, board, sentences),
            str(position.phase.year),
        )
        for position in ends
    )
    values = {p: tuple(count(position, p) for position in ends) for p in board.powers}
    return Curves(
        moments,
        list_curves(board, sentences, values),
        0,
    )


def _year_ends(game: PublishedGame) -> Iterator[Position]:
    """Yield the position after the last phase of each year that has units."""
    last: dict[int, Outcome] = {}
    for outcome in game.outcomes:
        if outcome.position.phase.season != PICKS:
            last[outcome.position.phase.year] = outcome
    for outcome in last.values():
        yield position_after(outcome)


# -- fights between powers ------------------------------------------------------------------------

Pairs = Counter[tuple[str, str]]
"""The number of times that the first power did something to the second."""


@dataclass(slots=True)
class Dealings:
    """The acts of powers on each other: attacks, dislodgements, centres taken, supports given."""

    attacks: Pairs = field(default_factory=Counter)
    dislodged: Pairs = field(default_factory=Counter)
    centres: Pairs = field(default_factory=Counter)
    supports: Pairs = field(default_factory=Counter)


def count_dealings(game: PublishedGame) -> Dealings:
    """Count what the powers of a game did to each other."""
    dealings = Dealings()
    for outcome in game.outcomes:
        _count_orders(outcome, dealings)
        if not outcome.position.phase.retreats:
            for dislodged in outcome.dislodged:
                dealings.dislodged[dislodged.by.power, dislodged.unit.power] += 1
            garrisons = (unit for unit in outcome.destroyed if unit.power == INDEPENDENT)
            for unit in garrisons:
                winner = next((u.power for u in outcome.units if u.province == unit.province), "")
                dealings.dislodged[winner, INDEPENDENT] += 1
        before, now = outcome.position.owners, owners_after(outcome)
        for centre, owner in now.items():
            loser = before.get(centre, "")
            if loser and loser != owner:
                dealings.centres[owner, loser] += 1
    return dealings


def _count_orders(outcome: Outcome, dealings: Dealings) -> None:
    """Count the attacks and the supports among the orders of a movement phase."""
    position, board = outcome.position, outcome.position.board
    if position.phase.kind != "movement":
        return
    by_name = position.names
    for entry in outcome.results:
        if entry.result == ILLEGAL:
            continue
        if isinstance(entry.order, Move):
            for other in _attacked(position, entry.order.to, board):
                if other != entry.power:
                    dealings.attacks[entry.power, other] += 1
        elif isinstance(entry.order, Support):
            helped = by_name.get(entry.order.supported)
            if helped is not None and helped.power != entry.power:
                dealings.supports[entry.power, helped.power] += 1


def _attacked(position: Position, goal: str, board: Board) -> Iterator[str]:
    """Yield the powers whose units a move goes against; plain entry into a sea attacks nobody."""
    location, _, number = goal.partition("#")
    province = board.province_of(location)
    if province.capacity > 1 and not number:
        return
    for unit in position.units:
        if unit.province == province.id and (not number or str(unit.number) == number):
            yield unit.power
