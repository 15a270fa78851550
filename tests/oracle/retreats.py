"""Which retreats are open to the dislodged once the moves are known (R17, R22, R26)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tests.oracle.ground import place_of, province
from tests.oracle.legality import EXPRESS, March

if TYPE_CHECKING:
    from collections.abc import Iterable

    from alexmagnum.position import Unit
    from tests.oracle.decisions import Definitions
    from tests.oracle.knots import World


class Refuge:
    """The provinces of a turn that take dislodged units, and those that do not; ``after`` are the
    units on the board after the moves."""

    def __init__(self, definitions: Definitions, world: World, after: Iterable[Unit]) -> None:
        self.definitions, self.answer = definitions, world.__getitem__
        self.sheet, self.ground = definitions.sheet, definitions.sheet.ground
        self.standing = Counter(unit.province for unit in after)
        self.holders = {unit.province: unit.power for unit in after}

    def attackers(self, unit: Unit) -> list[March]:
        """Return the moves that dislodged a unit, in the order of the map's ids."""
        named = self.definitions.naming.get(place_of(unit), ())
        return sorted(
            (m for m in named if self.definitions.dislodges(m, unit, self.answer)),
            key=lambda m: place_of(m.unit),
        )

    def ways(self, unit: Unit) -> tuple[str, ...]:
        """Return the open retreats of a dislodged unit, across a border: not to where an attacker
        that dislodged it came from, on a river by its last step.  Attackers by convoy close
        nothing."""
        barred = {m.last_from for m in self.attackers(unit) if not m.by_convoy}
        near = (
            self.ground.sail[unit.location] if unit.kind == "F" else self.ground.walk[unit.province]
        )
        return tuple(
            sorted(
                way
                for way in near
                if province(way) not in barred and self.is_open(province(way), unit.power)
            )
        )

    def is_open(self, where: str, power: str) -> bool:
        """Tell whether a province takes a dislodged unit of a power."""
        if self.standing[where] >= self.ground.room[where]:
            return False
        if self.ground.room[where] == 1:
            return not self.was_contested(where)
        if where in self.ground.seas:
            return not self.is_sea_closed(where)
        return self.holders.get(where, power) == power and not self.was_city_contested(where)

    def failed(self, where: str) -> list[March]:
        """Return the moves that tried to enter a province and could not."""
        definitions, answer = self.definitions, self.answer
        return [
            m
            for m in definitions.entering.get(where, ())
            if not m.inside
            and definitions.comes_to(m, where, answer)
            and not definitions.is_beaten(m, answer)
            and not self._got_in(m, where)
        ]

    def _got_in(self, march: March, where: str) -> bool:
        if march.way == EXPRESS and where != march.target:
            return self.answer(("passes", march.unit, where))
        return self.answer(("succeeds", march.unit, ""))

    def was_contested(self, where: str) -> bool:
        """Tell whether a place is empty although a unit tried to enter it."""
        return bool(self.failed(where))

    def was_city_contested(self, city: str) -> bool:
        """Tell whether a unit was kept out although only units of its power remained (R26)."""
        return any(
            all(
                self.definitions.is_gone(u, self.answer)
                for u in self.sheet.units_in(city)
                if u.power != m.unit.power
            )
            for m in self.failed(city)
        )

    def is_sea_closed(self, sea: str) -> bool:
        """Tell whether a sea is closed to retreats (R17): if equals kept a plain entrant out, or if
        a place that was left or lost stays empty although it was named."""
        return any(self._met_equals(m) for m in self.failed(sea) if m.place is None) or any(
            self._was_fought_for(unit) for unit in self.sheet.units_in(sea)
        )

    def _met_equals(self, march: March) -> bool:
        """Tell whether a move would have entered but for entrants of exactly its own strength."""
        definitions, answer = self.definitions, self.answer
        places = definitions.places(march.target)
        room = sum(definitions.is_usable(place, march, answer) for place in places)
        return definitions.pressing(march, answer, more=1) < room

    def _was_fought_for(self, unit: Unit) -> bool:
        definitions, answer = self.definitions, self.answer
        fighting = [
            m
            for m in definitions.naming.get(place_of(unit), ())
            if not m.inside and definitions.arrives(m, answer) and not self._lost_battle(m)
        ]
        won = any(answer(("succeeds", m.unit, "")) for m in fighting)
        return bool(fighting) and not won and definitions.is_gone(unit, answer)

    def _lost_battle(self, march: March) -> bool:
        return self.definitions.is_beaten(march, self.answer)
