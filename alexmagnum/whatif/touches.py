"""What a change of orders touches, as keys of the log of what a judgement read.

Open this file for why a change cannot matter: if the judgement of an order set read nothing that
the change touches, the judgement with the change reads the same and comes to the same result
(:mod:`alexmagnum.judge.read_log`).  What an order touches is found from the order alone, whatever
the other units do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from alexmagnum.judge.read_log import ReadKeys, to_mask
from alexmagnum.whatif.influence import NOWHERE, Act, Influence


class Touches:
    """The keys that the orders of one position touch, as masks.

    ``masks``: by unit, the mask of each of its orders.  A change touches what the order before and
    the order after touch.
    """

    def __init__(self, influence: Influence) -> None:
        self.tables = influence.tables
        self.units = influence.units
        self.keys = ReadKeys(self.tables, self.units)
        self.masks: list[list[int]] = [
            [to_mask(self._list_keys(u, act)) for act in acts]
            for u, acts in enumerate(influence.acts)
        ]

    def of_change(self, u: int, before: int, after: int) -> int:
        """Return what it touches to give a unit another of its orders."""
        return self.masks[u][before] | self.masks[u][after]

    def of_orders(self, u: int, orders: Sequence[int]) -> int:
        """Return what some orders of a unit touch together."""
        mask = 0
        for i in orders:
            mask |= self.masks[u][i]
        return mask

    def _list_keys(self, u: int, act: Act) -> Iterator[int]:
        keys = self.keys
        if act.enters:
            yield keys.row(u)
            yield keys.help_for(u)
            yield from self._list_entry_keys(act)
            if self.units.army[u]:
                yield from self._list_raid_keys(act.enters[-1])
        elif act.convoys:
            # Without it the army may be stuck, or walk.
            yield keys.row(act.helps)
            yield from keys.all_entries(act.to)
            yield from self._list_raid_keys(act.to)
        elif act.helps != NOWHERE:
            yield keys.help_for(act.helps)

    def _list_entry_keys(self, act: Act) -> Iterator[int]:
        """Yield the keys of the places that a move goes for."""
        keys, to = self.keys, act.enters[-1]
        for province in act.enters[:-1]:
            yield from keys.all_entries(province)
        if self.tables.is_sea[to] and act.names != NOWHERE:
            yield keys.attack_on(self.units.place[act.names])
        elif self.tables.is_sea[to] and self.tables.capacity[to] > 1:
            yield keys.entry_into(to)
        else:
            yield from keys.all_entries(to)

    def _list_raid_keys(self, to: int) -> Iterator[int]:
        """Yield the keys of fleets that an army ordered to a land catches on a haul (R24)."""
        for (start, end), over in self.tables.haul.items():
            if over == to:
                yield from self.units.units_in[start]
                yield from self.keys.all_entries(end)
