"""How many centres each power had, from the beginning of a game until now."""

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
    """The centres by power after a phase in which they may change: a period of picks, an autumn
    with its retreats; ``after`` is None for what there was at the beginning."""

    after: Phase | None
    centres: Mapping[str, int]


def count_centres(after: Phase | None, board: Board, owners: Mapping[str, str]) -> CentreCount:
    """The centres counted as ``owners`` has them."""
    owned = [owners.get(centre) for centre in board.centres]
    return CentreCount(after, {power: owned.count(power) for power in board.powers})


def plot_centre_counts(
    tallies: Sequence[CentreCount], position: Position, sentences: Sentences
) -> Curves | None:
    """What was counted, in words; None if there are not two moments."""
    board = position.board
    moments = tuple(_moments(tallies, board, sentences))
    if len(moments) < 2:
        return None
    colors = assign_liveries(board)
    return Curves(
        moments,
        tuple(
            Curve(
                power,
                power_name(board, power, sentences),
                colors[power].color,
                tuple(tally.centres.get(power, 0) for tally in tallies),
            )
            for power in board.powers
        ),
        board.rules.victory_centres,
    )


def _moments(tallies: Sequence[CentreCount], board: Board, sentences: Sentences) -> list[Moment]:
    """The moments; the beginning lies one step before the first phase counted."""
    counted = [tally.after for tally in tallies if tally.after is not None]
    if not counted:
        return []
    found = [_moment(phase, counted[0].year, board, sentences) for phase in counted]
    if len(counted) < len(tallies):
        step = 1 / board.rules.picks if counted[0].season == PICKS else 1.0
        found.insert(0, Moment(found[0].time - step, sentences.format("chart-start")))
    return found


def _moment(phase: Phase, first: int, board: Board, sentences: Sentences) -> Moment:
    """Nothing changes hands between the last period of picks and the end of its year."""
    years, picks = abs(phase.year - first), board.rules.picks
    if phase.season != PICKS:
        return Moment(years + 1.0, year_name(phase, board, sentences), str(phase.year))
    year = str(phase.year) if phase.period == picks else ""
    return Moment(years + phase.period / picks, phase_name(phase, board, sentences), year)
