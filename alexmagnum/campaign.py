"""The calendar: how a game begins, what comes after a phase, who wins, and how it ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from alexmagnum import position as positions
from alexmagnum.board.geography import split_location
from alexmagnum.board.model import INDEPENDENT, Board
from alexmagnum.judge.outcome import Outcome
from alexmagnum.values import Value, seal

# Victory by centres (R33) and victory at the end of the last year (R34).
#
# Every function takes a position after an autumn's change of ownership.


@dataclass(init=False, eq=False, slots=True)
class Ending(Value):
    """The end of one game: its winner, or several that share the win, or nobody (R34).

    ``by_centres``: whether it is a victory by centres (R33) or the end of the last year (R34).
    """

    winners: Final[tuple[str, ...]]
    by_centres: Final[bool]

    def __init__(self, winners: tuple[str, ...], by_centres: bool) -> None:
        self.winners = winners
        self.by_centres = by_centres

    def content(self) -> tuple[tuple[str, ...], bool]:
        return self.winners, self.by_centres


seal(Ending)


def find_ending(position: positions.Position, *, last: bool) -> Ending | None:
    """Return how the game ends with this autumn, or None; ``last``: whether it was the last one."""
    if winner := _winner_by_centres(position):
        return Ending((winner,), by_centres=True)
    return Ending(_winners_by_nobility(position), by_centres=False) if last else None


def _winner_by_centres(position: positions.Position) -> str:
    """Return the power that has enough centres, "" if none has or the best are equal (R33)."""
    enough = position.board.rules.victory_centres
    scores = {
        power: (len(position.centres_of(power)), position.points_of(power))
        for power in position.board.powers
        if not position.in_revolt(power) and len(position.centres_of(power)) >= enough
    }
    best = _best(scores)
    return best[0] if len(best) == 1 else ""


def _winners_by_nobility(position: positions.Position) -> tuple[str, ...]:
    """Return the noblest powers that still own a centre; equals are told apart by centres (R34)."""
    scores = {
        power: (position.points_of(power), len(position.centres_of(power)))
        for power in position.board.powers
        if not position.in_revolt(power) and position.centres_of(power)
    }
    return _best(scores)


def _best(scores: Mapping[str, tuple[int, int]]) -> tuple[str, ...]:
    """Return the powers with the highest score; the first of its two figures counts first."""
    top = max(scores.values(), default=None)
    return tuple(power for power, score in scores.items() if score == top)


# The calendar: the first position, the position after each phase, and the end of the game.


def first_position(board: Board) -> positions.Position:
    """Return the position in which a game on this board begins.

    It begins with the Cyprus year, if the map has one.  Powers start with the units and centres
    that the map gives them; every independent centre is garrisoned (R27).
    """
    rules = board.rules
    garrisons = [p.id for p in board.provinces.values() if p.centre == "independent"]
    units = [_unit(power.id, text) for power in board.powers.values() for text in power.units]
    return positions.Position(
        board,
        positions.Phase(rules.first_year, positions.PICKS, period=1)
        if rules.picks
        else positions.Phase(rules.first_year, positions.SPRING),
        (*units, *(positions.Unit(INDEPENDENT, "A", centre) for centre in garrisons)),
        {home: power.id for power in board.powers.values() for home in power.homes},
    )


def next_position(outcome: Outcome) -> positions.Position | None:
    """Return the position before the next phase, None if the game is over (R33, R34).

    A retreat phase is skipped if no retreat is open.
    """
    if ending(outcome) is not None:
        return None
    position = outcome.position
    return _after(outcome, _next_phase(position.phase, has_open_retreats(outcome), position.board))


def retreat_position(outcome: Outcome) -> positions.Position:
    """Return the position before the retreats of a movement phase, whether or not one is open."""
    return _after(outcome, replace(outcome.position.phase, retreats=True))


def ending(outcome: Outcome) -> Ending | None:
    """Return how the game ends with this phase, None if it goes on.

    It can end only after an autumn's retreats, when the centres have changed hands.
    """
    if not centres_change(outcome):
        return None
    position = outcome.position
    after = _after(outcome, replace(position.phase, retreats=False))
    return find_ending(after, last=is_last(position.phase, position.board))


def eliminated(outcome: Outcome) -> tuple[str, ...]:
    """Return the powers without centre and unit after the phase (R35); none in periods of picks."""
    if outcome.position.phase.season == positions.PICKS:
        return ()
    phase = replace(outcome.position.phase, retreats=has_open_retreats(outcome))
    return positions.list_fallen(_after(outcome, phase))


def newly_eliminated(outcome: Outcome) -> tuple[str, ...]:
    """Return the powers that this phase eliminated.

    They had something before the phase, or leave the Cyprus year with nothing.
    """
    if outcome.position.phase.season == positions.DEPLOYMENT:
        return eliminated(outcome)
    before = positions.list_fallen(outcome.position)
    return tuple(power for power in eliminated(outcome) if power not in before)


def centres_change(outcome: Outcome) -> bool:
    """Tell whether centres go to the units that stand in them after the phase (R29).

    They do when an autumn's retreats are over, or when no retreat is open.
    """
    return outcome.position.phase.season == positions.AUTUMN and not has_open_retreats(outcome)


def owners_after(outcome: Outcome) -> Mapping[str, str]:
    """Return the owner of each centre after the phase.

    Owners change with the awards of a period of picks (R30).  When :func:`centres_change`, a
    centre goes to the unit that stands in it, unless that is a garrison or in revolt (R29).
    """
    position = outcome.position
    owners = dict(position.owners)
    if outcome.picks is not None:
        owners.update({centre: power for power, centre in outcome.picks.awards.items()})
    if centres_change(outcome):
        after = replace(position, nobility=outcome.nobility)
        for unit in outcome.units:
            holds = unit.power != INDEPENDENT and not after.in_revolt(unit.power)
            if holds and position.board.provinces[unit.province].centre:
                owners[unit.province] = unit.power
    return owners


def position_after(outcome: Outcome) -> positions.Position:
    """Return the position with the same phase, and everything else as it is after the phase."""
    return replace(
        outcome.position,
        units=outcome.units,
        owners=owners_after(outcome),
        homes=homes_after(outcome),
        nobility=outcome.nobility,
        dislodged=outcome.dislodged,
    )


def homes_after(outcome: Outcome) -> Mapping[str, tuple[str, ...]]:
    """Return by power the building centres beyond the map's own: those it picked (R30)."""
    homes = dict(outcome.position.homes)
    if outcome.picks is not None:
        for power, centre in outcome.picks.awards.items():
            homes[power] = (*homes.get(power, ()), centre)
    return homes


def is_last(phase: positions.Phase, board: Board) -> bool:
    """Tell whether a phase is in the last year or after it (R34); some maps have no last year."""
    last_year = board.rules.last_year
    if not last_year or not phase.year:
        return False
    return (phase.year - last_year) * _step(board) >= 0


def coming_phases(phase: positions.Phase, board: Board) -> Iterator[positions.Phase]:
    """Yield every phase that may come after a phase, until the game's last year is over.

    After each movement come its retreats, which are played only if a unit is dislodged that can
    retreat.
    """
    while True:
        if phase.kind == "movement":
            yield replace(phase, retreats=True)
        if phase.season == positions.AUTUMN and is_last(phase, board):
            return
        phase = _next_phase(phase, False, board)
        yield phase


def has_open_retreats(outcome: Outcome) -> bool:
    """Return whether a dislodged unit may still retreat."""
    return any(dislodged.retreats for dislodged in outcome.dislodged)


def _after(outcome: Outcome, phase: positions.Phase) -> positions.Position:
    return positions.Position(
        outcome.position.board,
        phase,
        outcome.units,
        owners_after(outcome),
        homes_after(outcome),
        outcome.nobility,
        outcome.dislodged if phase.retreats else (),
    )


def _next_phase(phase: positions.Phase, retreats: bool, board: Board) -> positions.Phase:
    """Return the next phase, as if the game went on."""
    if retreats:
        return replace(phase, retreats=True)
    if phase.season == positions.PICKS:
        season = positions.PICKS if phase.period < board.rules.picks else positions.DEPLOYMENT
        return positions.Phase(phase.year, season, period=phase.period + 1)
    if phase.season == positions.SPRING:
        return positions.Phase(phase.year, positions.AUTUMN)
    if phase.season == positions.AUTUMN:
        return positions.Phase(phase.year, positions.WINTER)
    return positions.Phase(phase.year + _step(board), positions.SPRING)


def _step(board: Board) -> int:
    """Return the step from year to year: years BC count down."""
    return -1 if board.years_bc else 1


def _unit(power: str, text: str) -> positions.Unit:
    """Return a first unit as the map writes it: ``F STP/SC``."""
    province, coast, _ = split_location(text[2:])
    return positions.Unit(power, text[0], province, coast)
