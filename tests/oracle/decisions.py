"""The definitions of DATC chapter 5 and of the rulings, as pure functions of a full assignment.

A *decision* is a question with the answer yes or no:

- ``succeeds``: does the unit's move get to its goal (from inside a sea: dislodge, R11a)?
- ``beats``: does a move into a city with foreign units dislodge the one it goes for (R26)?
- ``cut``: is the unit's support cut?
- ``passes``: is a convoyed army's path whole (the territory is ""), a hauled fleet's Sinai free
  (R23), a territory on the way of an express open to it (R19)?
- ``halts``: may an express stop in this territory on its way (R19)?
- ``dislodged``: is a convoying fleet dislodged?

The answers that a definition needs it asks of ``answer``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Literal, TypeAlias

from tests.oracle.ground import Place, place_of
from tests.oracle.legality import EXPRESS, HAUL, March, Sheet

if TYPE_CHECKING:
    from alexmagnum.board.model import Rules
    from alexmagnum.position import Unit

Question = Literal["succeeds", "beats", "cut", "passes", "halts", "dislodged"]
Decision: TypeAlias = "tuple[Question, Unit, str]"
Answer = Callable[[Decision], bool]


class Definitions:
    """What each decision of a sheet of orders means.

    ``rules`` tell the base strength of a general and what its support counts (R1); all other
    units have 1 of each, and what an express does (R18).  The units in ``broken`` hung with their
    way in a paradox (R22a, and for armies Szykman's rule): they do not set out.
    """

    def __init__(self, sheet: Sheet, rules: Rules, broken: frozenset[Unit]) -> None:
        self.sheet, self.rules, self.broken = sheet, rules, broken
        self.railway = rules.express == "railway"
        self.at: dict[Place, Unit] = {place_of(unit): unit for unit in sheet.units}
        self.entering: dict[str, list[March]] = {}  # whose path the province is on
        self.naming: dict[Place, list[March]] = {}  # that go for the place
        self.helpers: dict[Unit, list[Unit]] = {}
        for march in sheet.marches.values():
            for province in march.path:
                self.entering.setdefault(province, []).append(march)
            if march.place is not None:
                self.naming.setdefault(march.place, []).append(march)
        for unit, help_ in sheet.helps.items():
            self.helpers.setdefault(help_.helped, []).append(unit)

    def decisions(self) -> list[Decision]:
        """Return every question that the orders raise."""
        marches = self.sheet.marches.values()
        found: list[Decision] = [("succeeds", m.unit, "") for m in marches]
        found += [("beats", m.unit, "") for m in marches if self.fights_in_city(m)]
        found += [("cut", u, "") for u in self.sheet.helps]
        found += [("passes", m.unit, t) for m in marches for t in self.passages(m)]
        found += [("halts", m.unit, t) for m in marches for t in self.stops(m)]
        found += [("dislodged", f, "") for m in marches for f in m.fleets]
        return found

    def passages(self, march: March) -> tuple[str, ...]:
        """Return what may stop a unit on its way, in order (R22a)."""
        if march.by_convoy or march.way == HAUL:
            return ("",)
        return march.path[:-1]

    def stops(self, march: March) -> tuple[str, ...]:
        """Return the territories on its way in which a unit on the railway may end, in order."""
        return march.path[:-1] if self.railway and march.way == EXPRESS else ()

    def holds_true(self, decision: Decision, answer: Answer) -> bool:
        """Return the value of a decision, given the answers to the others."""
        question, unit, where = decision
        match question:
            case "succeeds":
                return self._succeeds(self.sheet.marches[unit], answer)
            case "beats":
                return self._beats(self.sheet.marches[unit], answer)
            case "cut":
                return self._is_cut(unit, answer)
            case "passes":
                return self._passes(self.sheet.marches[unit], where, answer)
            case "halts":
                return self._halts(self.sheet.marches[unit], where, answer)
        return self.is_dislodged(unit, answer)

    # Where a unit is, and what it gets to.

    def leaves(self, unit: Unit, answer: Answer) -> bool:
        """Tell whether a unit moves out, advances on a river, or is caught."""
        march = self.sheet.marches.get(unit)
        if march is None or march.inside or not march.valid or unit in self.broken:
            return False
        if march.way == EXPRESS and not self.railway:
            return answer(("passes", unit, march.path[0]))
        if any(answer(("halts", unit, t)) for t in self.stops(march)):
            return True
        if march.way == HAUL and not answer(("passes", unit, "")):
            return False
        return march.chased or answer(("succeeds", unit, ""))

    def comes_to(self, march: March, province: str, answer: Answer) -> bool:
        """Tell whether a move gets so far that it tries to enter a province of its path."""
        if march.unit in self.broken or march.chased:
            return False
        if march.way == EXPRESS:
            before = march.path.index(province) - 1
            return before < 0 or answer(("passes", march.unit, march.path[before]))
        if march.by_convoy or march.way == HAUL:
            return answer(("passes", march.unit, ""))
        return True

    def arrives(self, march: March, answer: Answer) -> bool:
        """Tell whether a move gets so far that it tries to enter its destination."""
        return self.comes_to(march, march.target, answer)

    def ends_in(self, march: March, province: str, answer: Answer) -> bool:
        """Tell whether a unit that moves along a river gets to this territory and no farther."""
        if province == march.target:
            return answer(("succeeds", march.unit, ""))
        if self.railway:
            if province not in march.path or answer(("succeeds", march.unit, "")):
                return False
            beyond = march.path[march.path.index(province) + 1 : -1]
            return answer(("halts", march.unit, province)) and not any(
                answer(("halts", march.unit, t)) for t in beyond
            )
        if province not in march.path or not self._enters(march, province, answer):
            return False
        return not self._enters(march, march.path[march.path.index(province) + 1], answer)

    def _enters(self, march: March, province: str, answer: Answer) -> bool:
        if province == march.target:
            return answer(("succeeds", march.unit, ""))
        return answer(("passes", march.unit, province))

    def is_dislodged(self, unit: Unit, answer: Answer) -> bool:
        """Tell whether a move wins the place of a unit that does not leave."""
        return bool(self.naming.get(place_of(unit))) and (
            any(self.dislodges(m, unit, answer) for m in self.naming[place_of(unit)])
            and not self.leaves(unit, answer)
        )

    def dislodges(self, march: March, unit: Unit, answer: Answer) -> bool:
        """Tell whether a move dislodges its target, if that does not leave."""
        if self.attacks_nobody(march):
            return False
        if self.fights_in_city(march):
            return answer(("beats", march.unit, ""))
        return march.place == place_of(unit) and answer(("succeeds", march.unit, ""))

    def attacks_nobody(self, march: March) -> bool:
        """Tell whether a move dislodges nobody and cuts no support: a haul ashore (R23) and, on the
        railway, an express (R19a) do neither."""
        if march.way == HAUL:
            return march.target not in self.sheet.ground.seas
        return self.railway and march.way == EXPRESS

    def is_gone(self, unit: Unit, answer: Answer) -> bool:
        """Tell whether a unit no longer stands where it stood."""
        return self.leaves(unit, answer) or self.would_fall(unit, answer)

    def would_fall(self, unit: Unit, answer: Answer, *, inside: bool = False) -> bool:
        """Tell whether a move (from ``inside`` its sea) would dislodge a unit if it stayed, as a
        haul asks of the Sinai (R22a): an attack that cannot dislodge is no part of it."""

        def staying(decision: Decision) -> bool:
            return decision not in ways_out and answer(decision)

        path = self._path(unit)
        ways_out = [("succeeds", unit, ""), *(("halts", unit, p) for p in path)]
        if not self.railway:
            ways_out += [("passes", unit, p) for p in path[:1]]
        return any(
            self.holds_true(
                ("beats" if self.fights_in_city(m) else "succeeds", m.unit, ""), staying
            )
            for m in self.naming.get(place_of(unit), ())
            if (m.inside or not inside) and not self.attacks_nobody(m)
        )

    def _path(self, unit: Unit) -> tuple[str, ...]:
        march = self.sheet.marches.get(unit)
        return march.path if march is not None else ()

    # Strengths.

    def base(self, unit: Unit) -> int:
        """Return the base strength of a unit (R1); in a revolt that of a general is 1 (R3)."""
        general = unit.kind == "G" and unit.power not in self.sheet.defeated
        return self.rules.general_strength if general else 1

    def strength(self, unit: Unit, answer: Answer, against: str | None = None) -> int:
        """Return base strength and supports, without supports of the power ``against``; for a
        moving unit this is its defend strength."""
        return self.base(unit) + sum(
            self.rules.general_support if helper.kind == "G" else 1
            for helper in self.helpers.get(unit, ())
            if helper.power != against and not answer(("cut", helper, ""))
        )

    def attack(self, march: March, answer: Answer) -> int:
        """Return the attack strength; 0 against a unit of its own power that stays."""
        assert march.place is not None
        if (unit := self.at.get(march.place)) is None:
            return self.strength(march.unit, answer)
        if self.opponent(march, answer) is None and self.leaves(unit, answer):
            return self.strength(march.unit, answer)
        if unit.power == march.unit.power:
            return 0
        return self.strength(march.unit, answer, against=unit.power)

    def resistance(self, march: March, answer: Answer) -> int:
        """Return the defend strength of the opponent, the hold strength of any other unit."""
        assert march.place is not None
        if (opponent := self.opponent(march, answer)) is not None:
            return self.strength(opponent.unit, answer)
        if (unit := self.at.get(march.place)) is None or self.leaves(unit, answer):
            return 0
        return self.base(unit) if unit in self.sheet.marches else self.strength(unit, answer)

    def opponent(self, march: March, answer: Answer) -> March | None:
        """Return the move that this one meets head to head, if any: each goes for the other, over a
        step that is the last of this move and the first of the other (R21a).  On the railway an
        express goes for nobody, and units of one power pass."""
        unit = self.at.get(march.place) if march.place is not None else None
        other = self.sheet.marches.get(unit) if unit is not None else None
        if other is None or march.by_convoy or other.by_convoy or other.unit in self.broken:
            return None
        if HAUL in (march.way, other.way):
            both = march.way == other.way and other.place == place_of(march.unit)
            return other if both and self.arrives(other, answer) else None
        if other.place is None:
            return None  # R15: a plain entrant is in no head-to-head battle
        if EXPRESS in (march.way, other.way):
            if self.railway and (march.way == EXPRESS or march.unit.power == other.unit.power):
                return None
            return other if other.path[0] == march.last_from else None
        meets = other.place == place_of(march.unit) and march.inside == other.inside
        return other if meets else None

    def is_beaten(self, march: March, answer: Answer) -> bool:
        """Tell whether a move loses a head-to-head battle."""
        return any(
            self.dislodges(m, march.unit, answer)
            for m in self.naming.get(place_of(march.unit), ())
            if self.opponent(m, answer) is march
        )

    def prevent(self, march: March, other: March, province: str, answer: Answer) -> int:
        """Return the strength with which a move keeps another out of a province on its path.  Of
        two expresses in opposite directions each does so, however far they would come (R21a); who
        lost a head-to-head battle does not, in the first province it was to enter."""
        if march.unit in self.broken or march.inside:
            return 0
        if self.railway and march.way == EXPRESS and province != march.target:
            own = march.unit.power == other.unit.power
            if (own and other.way != EXPRESS) or self.remaining(march, province, answer):
                return 0
        comes = self.collide(march, other) or self.comes_to(march, province, answer)
        if not comes or (province == march.path[0] and self.is_beaten(march, answer)):
            return 0
        return self.strength(march.unit, answer)

    # Along a river.

    def is_ahead(self, march: March, other: March) -> bool:
        """Tell whether a unit stands on an express's path and goes the same way (R21)."""
        return (
            other.way == EXPRESS
            and march.stream == other.stream
            and march.unit.province in other.path
            and march.unit not in self.broken
        )

    def in_line(self, march: March, other: March) -> bool:
        """Tell whether one of the two is ahead of the other (R21)."""
        return self.is_ahead(march, other) or self.is_ahead(other, march)

    def collide(self, march: March, other: March) -> bool:
        """Tell whether these are two expresses in opposite directions (R21a)."""
        return march.way == other.way == EXPRESS and self.opposite(march, other)

    def opposite(self, march: March, other: March) -> bool:
        """Tell whether both move along one river, against each other."""
        if march.stream is None or other.stream is None:
            return False
        return march.stream[0] == other.stream[0] and march.stream[1] != other.stream[1]

    def is_blocked_ahead(self, march: March, province: str, answer: Answer) -> bool:
        """Tell whether a unit ahead ends there (R21)."""
        return march.way == EXPRESS and any(
            self.is_ahead(m, march) and self.ends_in(m, province, answer)
            for m in self.entering[province]
        )

    def remaining(self, march: March, province: str, answer: Answer) -> list[Unit]:
        """Return the units of an express's own power that do not leave a territory (R19)."""
        return [
            u
            for u in self.sheet.units_in(province)
            if u != march.unit and u.power == march.unit.power and not self.leaves(u, answer)
        ]

    def rivals(self, march: March, province: str) -> Iterator[March]:
        """Return the other moves with this province on their path, which may keep the move out."""
        for other in self.entering[province]:
            if other is not march and not other.inside and not self.in_line(march, other):
                yield other

    # The decisions.

    def _passes(self, march: March, where: str, answer: Answer) -> bool:
        unit = march.unit
        if not march.valid or unit in self.broken:
            return False
        if march.by_convoy:
            whole = [f.province for f in march.fleets if not answer(("dislodged", f, ""))]
            return self.sheet.ground.carries(whole, unit.province, march.target)
        if march.way == HAUL:
            portage = self.sheet.ground.hauled_over(unit.province, march.target)
            assert portage is not None
            others = (u for u in self.sheet.units_in(portage.over) if u != unit)
            return all(self.is_gone(u, answer) for u in others)
        if self.railway:
            return self._passes_on_railway(march, where, answer)
        return (
            self.comes_to(march, where, answer)
            and not any(self._is_in_the_way(u, march, answer) for u in self.sheet.units_in(where))
            and not self.is_blocked_ahead(march, where, answer)
            and self._outmatches(march, where, answer)
        )

    def _passes_on_railway(self, march: March, where: str, answer: Answer) -> bool:
        """Tell whether an express goes into a territory on its way (R19, R21, R21a)."""
        power = march.unit.power
        strangers = [u for u in self.sheet.units_in(where) if u.power != power]
        ahead = [
            m
            for m in self.entering[where]
            if self.is_ahead(m, march) and self.ends_in(m, where, answer)
        ]
        if (
            not self.comes_to(march, where, answer)
            or any(self._is_in_the_way(u, march, answer) for u in strangers)
            or any(m.unit.power != power for m in ahead)
        ):
            return False
        if (own := self.remaining(march, where, answer)) or ahead:
            return not any(self.is_dislodged(u, answer) for u in own)
        return self._outmatches(march, where, answer)

    def _halts(self, march: March, where: str, answer: Answer) -> bool:
        """Tell whether an express went into a territory that is free (R19)."""
        return answer(("passes", march.unit, where)) and self._is_free(march, where, answer)

    def _is_free(self, march: March, where: str, answer: Answer) -> bool:
        """Tell whether no unit remains in a territory and none ends there; those behind the express
        are no matter to it (R21)."""
        return all(
            self.leaves(u, answer) for u in self.sheet.units_in(where) if u != march.unit
        ) and not any(
            self.ends_in(m, where, answer)
            for m in self.entering[where]
            if m is not march and not self.is_ahead(march, m)
        )

    def _is_in_the_way(self, unit: Unit, march: March, answer: Answer) -> bool:
        """Tell whether a unit stays, or comes against the express (R19, R21a)."""
        if (other := self.sheet.marches.get(unit)) is not None and self.opposite(other, march):
            return True
        return not self.leaves(unit, answer)

    def _outmatches(self, march: March, province: str, answer: Answer) -> bool:
        rivals = [
            m
            for m in self.rivals(march, province)
            if not self.railway or m.unit.power != march.unit.power or m.way == EXPRESS
        ]
        if not rivals:
            return True
        own = self.strength(march.unit, answer)
        return all(own > self.prevent(other, march, province, answer) for other in rivals)

    def _succeeds(self, march: March, answer: Answer) -> bool:
        if not self.arrives(march, answer):
            return False
        if self.railway and march.way == EXPRESS:
            return self._comes_in(march, answer)
        if self.sheet.ground.is_city(march.target):
            return self._enters_city(march, answer)
        if march.place is None:
            return self._finds_room(march, answer)
        if not (attack := self.attack(march, answer)) > self.resistance(march, answer):
            return False
        if march.inside:  # R11a: it contests with nobody, and does nothing to one who leaves
            return not self.leaves(self.at[march.place], answer)
        return not self.is_blocked_ahead(march, march.target, answer) and all(
            attack > self.prevent(other, march, march.target, answer)
            for other in self.rivals(march, march.target)
            if other.place == march.place or other.target != march.target
        )

    def _comes_in(self, march: March, answer: Answer) -> bool:
        """Tell whether an express gets into its destination, which all have to leave (R19)."""
        for unit in self.sheet.units_in(march.target):
            if not self.leaves(unit, answer) or (
                unit.power != march.unit.power and self._is_in_the_way(unit, march, answer)
            ):
                return False
        if self.sheet.ground.is_city(march.target):
            room = sum(self._is_vacant(p, march, answer) for p in self.places(march.target))
            return self._fits_in(march, room, list(self._own_rivals(march)), answer)
        own = self.strength(march.unit, answer)
        return not self.is_blocked_ahead(march, march.target, answer) and all(
            own > self.prevent(other, march, march.target, answer)
            for other in self.rivals(march, march.target)
        )

    def _finds_room(self, march: March, answer: Answer) -> bool:
        """Tell whether fewer plain entrants are as strong as there are open places (R9, R10)."""
        room = sum(self.is_usable(place, march, answer) for place in self.places(march.target))
        return room > 0 and room > self.pressing(march, answer)

    def pressing(self, march: March, answer: Answer, more: int = 0) -> int:
        """Return how many other plain entrants have at least its strength plus ``more``."""
        own = self.strength(march.unit, answer) + more
        return sum(
            self.arrives(m, answer) and self.strength(m.unit, answer) >= own
            for m in self.entering[march.target]
            if m is not march and m.place is None
        )

    def places(self, province: str) -> list[Place]:
        """Return all places of a province."""
        return [(province, n + 1) for n in range(self.sheet.ground.room[province])]

    def is_usable(self, place: Place, march: March, answer: Answer) -> bool:
        """Tell whether a place is open, and open to this plain entrant (R9, R15)."""
        if (unit := self.at.get(place)) is None:
            return True
        return (
            not self._is_exchange(unit, march)
            and not self.is_named(place, answer)
            and (self.leaves(unit, answer) or self._is_struck(unit, answer))
        )

    def _is_exchange(self, unit: Unit, march: March) -> bool:
        """Tell whether the unit is ordered to where the entrant comes from (R15)."""
        goes = self.sheet.marches.get(unit)
        return goes is not None and goes.valid and goes.target == march.unit.province

    def is_named(self, place: Place, answer: Answer) -> bool:
        """Tell whether a move from outside names the place, whatever becomes of the move (R9); one
        over the portage counts only if it gets across."""
        return any(
            m.way != HAUL or self.arrives(m, answer)
            for m in self.naming.get(place, ())
            if not m.inside
        )

    def _is_struck(self, unit: Unit, answer: Answer) -> bool:
        """Tell whether a fleet is dislodged from inside its sea (R11a)."""
        return self.would_fall(unit, answer, inside=True)

    def _is_cut(self, unit: Unit, answer: Answer) -> bool:
        """Tell whether a support is cut (R13): by moves for the supporter's place, by those from
        the place against which it is directed only if they dislodge the supporter."""
        attackers = [m for m in self.naming.get(place_of(unit), ()) if m.unit.power != unit.power]
        against = self.sheet.helps[unit].against
        return any(
            self.dislodges(m, unit, answer)
            if place_of(m.unit) == against
            else self.arrives(m, answer)
            for m in attackers
            if not self.attacks_nobody(m)
        )

    # A city with two places (R26).

    def fights_in_city(self, march: March) -> bool:
        """Tell whether a move goes into a city in which foreign units stand."""
        return (
            march.place is not None
            and self.sheet.ground.is_city(march.target)
            and not self.attacks_nobody(march)
        )

    def _beats(self, march: March, answer: Answer) -> bool:
        """Tell whether a move dislodges its target, against all others that want the place."""
        assert march.place is not None
        if not self.arrives(march, answer):
            return False
        stays = not self.leaves(self.at[march.place], answer)
        if self.opponent(march, answer) is None and not stays:
            return False
        attack = self.attack(march, answer)
        return (
            attack > self.resistance(march, answer)
            and not self.is_blocked_ahead(march, march.target, answer)
            and self._repels_foreign(march, attack, answer)
            and all(
                attack > self.prevent(m, march, march.target, answer)
                for m in self._own_rivals(march)
                if m.place == march.place
            )
        )

    def _enters_city(self, march: March, answer: Answer) -> bool:
        city = march.target
        if march.place is None:
            room = sum(self._is_vacant(place, march, answer) for place in self.places(city))
            return self._fits_in(march, room, list(self._own_rivals(march)), answer)
        target = self.at[march.place]
        second = next((u for u in self.sheet.units_in(city) if u != target), None)
        if second is not None and not self.is_gone(second, answer):
            return False
        if self.opponent(march, answer) is not None or not self.leaves(target, answer):
            return answer(("beats", march.unit, ""))
        others = list(self._own_rivals(march))
        if second is not None and not self.leaves(second, answer):
            # Its place is for whoever beats it: those who want the first one's have only that.
            mates = [m for m in others if m.place == march.place]
            if not self._fits_in(march, 1, mates, answer):
                return False
        return self._fits_in(march, 2, others, answer)

    def _is_vacant(self, place: Place, march: March, answer: Answer) -> bool:
        """Tell whether a place of a city of one's own is free for a move into it."""
        if (unit := self.at.get(place)) is None:
            return True
        return not self._is_exchange(unit, march) and self.leaves(unit, answer)

    def _fits_in(self, march: March, room: int, others: list[March], answer: Answer) -> bool:
        """Tell whether a city has room for a move: fewer moves of its own power are as strong than
        there are places, and none of another power is."""
        own = self.strength(march.unit, answer)
        pressing = sum(
            self.comes_to(m, march.target, answer) and self.strength(m.unit, answer) >= own
            for m in others
        )
        return (
            pressing < room
            and not self.is_blocked_ahead(march, march.target, answer)
            and self._repels_foreign(march, own, answer)
        )

    def _own_rivals(self, march: March) -> Iterator[March]:
        return (m for m in self.rivals(march, march.target) if m.unit.power == march.unit.power)

    def _repels_foreign(self, march: March, strength: int, answer: Answer) -> bool:
        return all(
            strength > self.prevent(m, march, march.target, answer)
            for m in self.rivals(march, march.target)
            if m.unit.power != march.unit.power
        )
