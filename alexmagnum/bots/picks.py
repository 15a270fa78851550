"""The picks of the Cyprus year (R30): what each power wants, and how it avoids the others' wishes.

Whoever picks what another picks gets nothing.  So each power mixes its picks, as in an equilibrium
of fictitious play (Brown 1951): again and again each power picks what is worth most to it after the
picks of the others so far, and how often it picked a centre is the chance with which it does.
"""

from __future__ import annotations

from random import Random
from typing import Final

from alexmagnum.bots.map_weights import MapWeights
from alexmagnum.judge.cyprus import list_legal_picks
from alexmagnum.orders import Order, Pick
from alexmagnum.position import Position

_ROUNDS: Final = 30

_NEAR: Final = 1 << 15
"""The worth of a centre where the power has one; four fifths remain with each step away."""
_REMOTE: Final = 1 << 8
"""The worth of a centre far from the others'; half of what is missing is missing with each step."""
_MAJOR: Final = 3
_PLAIN: Final = 2


class PickDraft:
    """One period of picks as all its bots see it: how often each power picks each centre.

    ``picks``: by power, the centres that it may pick; ``counts``: how often it picks each of them.
    """

    def __init__(self, position: Position, weights: MapWeights) -> None:
        self.position = position
        board = position.board
        number = {centre: c for c, centre in enumerate(board.centres)}
        self.picks: dict[str, list[str]] = {}
        open_to: list[list[int]] = []
        worths: list[list[int]] = []
        for power in board.powers:
            legal = [p.centre for p in list_legal_picks(position, power, map(Pick, board.centres))]
            self.picks[power] = legal
            open_to.append([number[centre] for centre in legal])
            worths.append(_list_worths(position, weights, power, open_to[-1]))
        counts = _mix_picks(open_to, worths, len(board.centres))
        self.counts: dict[str, list[int]] = dict(zip(board.powers, counts, strict=True))

    def pick(self, power: str, rng: Random) -> list[Order]:
        """Return the pick of a power; nothing if there is none."""
        legal = self.picks[power]
        return [Pick(rng.choices(legal, self.counts[power])[0])] if legal else []


def _list_worths(
    position: Position, weights: MapWeights, power: str, centres: list[int]
) -> list[int]:
    """Return what some centres are worth to a power.

    They are worth more near the power's own, and far from the others'.
    """
    board = position.board
    owners = [position.owners.get(centre, "") for centre in board.centres]
    own = [c for c, owner in enumerate(owners) if owner == power]
    others = [c for c, owner in enumerate(owners) if owner and owner != power]
    worths: list[int] = []
    for c in centres:
        distances = weights.distances[c]
        worth = _MAJOR if board.provinces[board.centres[c]].major else _PLAIN
        if own:
            steps = min([distances[other] for other in own])
            worth = worth * _NEAR * 4**steps // 5**steps
        if others:
            steps = min([distances[other] for other in others])
            worth *= _REMOTE - (_REMOTE >> steps)
        worths.append(worth)
    return worths


def _mix_picks(open_to: list[list[int]], worths: list[list[int]], centres: int) -> list[list[int]]:
    """Return how often each power picks each centre that is open to it.

    All pick at once in each round, so that no power is better off for its place in the list.
    """
    powers = len(open_to)
    counts = [[0] * len(listed) for listed in open_to]
    free = [[0] * centres for _ in open_to]  # by power and centre: the rounds without that pick
    for _ in range(_ROUNDS):
        chosen = [_find_best(power, open_to[power], worths[power], free) for power in range(powers)]
        for power in range(powers):
            row, best = free[power], chosen[power]
            for c in range(centres):
                row[c] += 1
            if best >= 0:
                counts[power][best] += 1
                row[open_to[power][best]] -= 1
    return counts


def _find_best(power: int, listed: list[int], worths: list[int], free: list[list[int]]) -> int:
    """Return the number of the pick that is worth most after the others' picks, or -1.

    ``free``: by power and centre, how often it left the centre to others.
    """
    best, most = -1, -1
    for i in range(len(listed)):
        c, worth = listed[i], worths[i]
        for other in range(len(free)):
            if other != power:
                worth *= free[other][c] + 1
        if worth > most:
            best, most = i, worth
    return best
