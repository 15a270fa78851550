"""The number of centres of each power, from the beginning of a game until now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from alexmagnum.board.model import Board
from alexmagnum.draw.palette import assign_liveries
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.position import PICKS, Phase, Position
from alexmagnum.report.document import Curve, Curves, Moment
from alexmagnum.report.names import phase_name, power_name, year_name


class CentreCount(NamedTuple):
    """The number of centres by power after a phase that may change it.

    Such a phase is a period of picks, or an autumn with its retreats.  ``after`` is None for the
    beginning of the game.
    """

    after: Phase | None
    centres: Mapping[str, int]


def count_centres(after: Phase | None, board: Board, owners: Mapping[str, str]) -> CentreCount:
    """Count the centres of each power by their owners."""
    owned = [owners.get(centre) for centre in board.centres]
    return CentreCount(after, {power: owned.count(power) for power in board.powers})


def plot_centre_counts(
    counts: Sequence[CentreCount], position: Position, sentences: Sentences
) -> Curves | None:
    """Return the curves of a report's chart; None if there are fewer than two moments."""
    board = position.board
    moments = tuple(_moments(counts, board, sentences))
    if len(moments) < 2:
        return None
    values = {p: tuple(count.centres.get(p, 0) for count in counts) for p in board.powers}
    return Curves(
        moments,
        list_curves(board, sentences, values),
        board.rules.victory_centres,
    )


def list_curves(
    board: Board, sentences: Sentences, values: Mapping[str, Sequence[int]]
) -> tuple[Curve, ...]:
    """Return a curve for each power, in its colour; ``values``: by power, its height over time."""
    liveries = assign_liveries(board)
    return tuple(
        Curve(
            power, power_name(board, power, sentences), liveries[power].color, tuple(values[power])
        )
        for power in board.powers
    )


def _moments(counts: Sequence[CentreCount], board: Board, sentences: Sentences) -> list[Moment]:
    """Return the moments; the beginning of the game is one step before the first phase."""
    counted = [count.after for count in counts if count.after is not None]
    if not counted:
        return []
    moments = [_moment(phase, counted[0].year, board, sentences) for phase in counted]
    if len(counted) < len(counts):
        step = 1 / board.rules.picks if counted[0].season == PICKS else 1.0
        moments.insert(0, Moment(moments[0].time - step, sentences.format("chart-start")))
    return moments


def _moment(phase: Phase, first: int, board: Board, sentences: Sentences) -> Moment:
    """Return the moment after a phase.

    The last period of picks ends its year: no centre changes hands after it.
    """
    years, picks = abs(phase.year - first), board.rules.picks
    if phase.season != PICKS:
        return Moment(years + 1.0, year_name(phase, board, sentences), str(phase.year))
    year = str(phase.year) if phase.period == picks else ""
    return Moment(years + phase.period / picks, phase_name(phase, board, sentences), year)
