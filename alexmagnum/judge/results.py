"""The outcome of a movement phase: results and units, read off the decisions of the judge."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from alexmagnum.board.tables import (
    NO_PLACE,
    NO_PROVINCE,
    OFF_THE_BOARD,
    LegNo,
    LocationNo,
    PlaceNo,
    ProvinceNo,
    UnitNo,
)
from alexmagnum.frozen import FrozenDict
from alexmagnum.judge import reasons
from alexmagnum.judge.decisions import NO, YES
from alexmagnum.judge.knots import decide_everything
from alexmagnum.judge.legality import INVALID_CODES, OTHER_COAST
from alexmagnum.judge.movement import (
    Resolver,
    count_open_sea_places,
    find_stop,
    is_caught,
    list_as_strong,
    other_entrants,
)
from alexmagnum.judge.outcome import (
    AVAILABLE,
    CUT,
    DESTROYED,
    DISLODGED,
    DISRUPTED,
    FAILS,
    GIVEN,
    ILLEGAL,
    INVALID,
    STANDS,
    STOPPED,
    SUCCEEDS,
    Fate,
    OrderOutcome,
    Reason,
    find_order_result,
    nobility_after,
)
from alexmagnum.judge.sheet import CAUGHT, CONVOY, FOR_CITY, FOR_PLACE, FROM_INSIDE, MOVE, SUPPORT
from alexmagnum.orders import Order
from alexmagnum.position import Dislodged, Position, Unit
from alexmagnum.values import draw_svg

# The numbers that units get in a province of several places (R8).


def number_units(
    movement: Resolver, units: Sequence[UnitNo], destinations: list[LocationNo]
) -> dict[UnitNo, int]:
    """Return the numbers of those of the units that moved into provinces of several places.

    ``destinations``: by unit, as of :meth:`alexmagnum.judge.results.MovementOutcome`.  A unit that
    won the place it named takes that number.  Then the others take the lowest free numbers, by
    power and origin.
    """
    board = movement.board
    numbers: dict[UnitNo, int] = {}
    if not board.crowded:
        return numbers
    taken: set[PlaceNo] = set()
    waiting: list[tuple[str, str, int, UnitNo, ProvinceNo]] = []
    for u in units:
        location = destinations[u]
        if location < 0:
            if location == NO_PROVINCE:
                taken.add(movement.place[u])
            continue
        province = board.province_of[location]
        if board.capacity[province] == 1:
            continue
        place = _find_place_won(movement, u)
        if place >= 0:
            taken.add(place)
            numbers[u] = place - board.first_place[province] + 1
        else:
            unit = movement.units.units[u]
            waiting.append((unit.power, unit.province, unit.number, u, province))
    waiting.sort()
    for _, _, _, u, province in waiting:
        free = [place for place in board.places_of[province] if place not in taken]
        taken.add(free[0])
        numbers[u] = free[0] - board.first_place[province] + 1
    return numbers


def _find_place_won(movement: Resolver, u: UnitNo) -> PlaceNo:
    """Return the place that a move won by naming it; none if it won none."""
    place = movement.to_place[u]
    if not movement.moved[u] or place < 0:
        return NO_PLACE
    if movement.goal[u] == FOR_CITY and movement.dislodges(u) != YES:
        return NO_PLACE
    return place


# The places that a movement phase leaves open to dislodged units (R17, R22).


class Openings:
    """The retreats that one decided movement phase leaves open.

    ``after``: by unit, the province where it stands then, or none; ``held``: by province, how many
    units hold it then; ``barred``: the provinces that somebody was kept out of.
    """

    __slots__ = ("after", "barred", "board", "held", "movement")

    def __init__(self, movement: Resolver, after: list[ProvinceNo]) -> None:
        self.movement = movement
        self.board = movement.board
        self.after = after
        held: list[int] = [0] * self.board.n
        for province in after:
            if province >= 0:
                held[province] += 1
        self.held: list[int] = held
        self.barred: set[ProvinceNo] = set()
        self._bar_bounces()
        if self.board.crowded:
            self._bar_closed_provinces()

    def list_retreats(self, u: UnitNo, attackers: Sequence[UnitNo]) -> tuple[str, ...]:
        """Return every location open to a unit that these attackers dislodged."""
        board, units = self.board, self.movement.units
        closed = {self._origin(attacker) for attacker in attackers}
        neighbours: Sequence[LocationNo] = (
            board.army_to[units.province[u]] if units.army[u] else board.fleet_to[units.location[u]]
        )
        open_to: list[str] = []
        for location in neighbours:
            province = board.province_of[location]
            if (
                self.held[province] < board.capacity[province]
                and province not in closed
                and province not in self.barred
                and self._is_shared_with_own(u, province)
            ):
                open_to.append(board.location_names[location])
        open_to.sort()
        return tuple(open_to)

    def _origin(self, attacker: UnitNo) -> ProvinceNo:
        """Return the province that is closed because the attacker came from it: none after a convoy
        (DATC 4.A.5, 6.H.11), after an express the territory before its destination (R22)."""
        movement = self.movement
        if movement.by_convoy[attacker]:
            return NO_PROVINCE
        course = movement.expresses.get(attacker)
        return course.path[-2] if course else movement.province[attacker]

    def _is_shared_with_own(self, u: UnitNo, province: ProvinceNo) -> bool:
        """Tell whether all units in a city of two places after the moves are of its power (R26)."""
        if self.board.capacity[province] == 1 or self.board.is_sea[province]:
            return True
        power = self.movement.power
        return all(power[v] == power[u] for v, at in enumerate(self.after) if at == province)

    def _bar_bounces(self) -> None:
        """Bar every province that a unit failed to enter, if its attempt had an effect there."""
        movement = self.movement
        moved = movement.moved
        legs: list[LegNo] = [u for u in movement.moving if not moved[u]]
        if movement.expresses:
            legs += movement.legs[len(movement.numbers) :]
        for leg in legs:
            # A unit that lost a head-to-head battle had no effect there.
            if self._failed_at(leg) and movement.loses_head_to_head(leg) != YES:
                self.barred.add(self.board.province_at[movement.leg_place[leg]])

    def _failed_at(self, leg: LegNo) -> bool:
        """Tell whether a unit tried this leg and failed; an express failed where it was stopped,
        and got no farther (R22).  Seas and cities have their own rules."""
        movement = self.movement
        u = movement.mover[leg]
        if movement.action[u] != MOVE or movement.passage[leg] != YES or movement.moved[u]:
            return False
        if leg == u:
            return movement.goal[u] == FOR_PLACE
        return movement.passage[movement.next_leg(leg)] != YES

    def _bar_closed_provinces(self) -> None:
        """Bar seas and cities of several places that are full or closed (R17, R26)."""
        for province in self.board.index.values():
            if self.board.capacity[province] > 1:
                self.barred.discard(province)
                sea = self.board.is_sea[province]
                if self._is_sea_closed(province) if sea else self._is_city_closed(province):
                    self.barred.add(province)

    def _is_sea_closed(self, sea: ProvinceNo) -> bool:
        """Tell whether equals kept anybody out of a sea (R17)."""
        movement = self.movement
        for u in movement.entrants.get(sea, ()):
            if not movement.moved[u] and movement.passage[u] == YES:
                stronger = list_as_strong(movement, u, other_entrants(movement, u), more=1)
                if len(stronger) < count_open_sea_places(movement, u)[0]:
                    return True
        return any(self._stays_empty(place) for place in self.board.places_of[sea])

    def _stays_empty(self, place: PlaceNo) -> bool:
        """Tell whether a place that its fleet left or lost was fought for and won by no unit."""
        movement = self.movement
        occupant = movement.occupant[place]
        if occupant < 0 or movement.is_gone(occupant) != YES:
            return False
        # A move that lost a head-to-head battle counts nowhere.
        fighting = [
            u
            for u in movement.attackers[place]
            if movement.goal[u] != FROM_INSIDE
            and movement.arrives(u) == YES
            and movement.loses_head_to_head(u) != YES
        ]
        return bool(fighting) and not any(movement.moved[u] for u in fighting)

    def _is_city_closed(self, city: ProvinceNo) -> bool:
        """Tell whether a rival kept anybody out of a city (R17, R26)."""
        movement = self.movement
        for leg in movement.contenders[self.board.first_place[city]]:
            u = movement.mover[leg]
            if (
                leg == u
                and movement.goal[u] == FOR_CITY
                and not movement.moved[u]
                and movement.passage[u] == YES
                and movement.loses_head_to_head(u) != YES
                and not any(
                    movement.power[other] != movement.power[u] and movement.is_gone(other) == NO
                    for other in movement.units.units_in[city]
                )
            ):
                return True
        return False


# The outcome of a movement phase: results and units, read off the resolver's decisions.


_NO_POINTS: Final[FrozenDict[str, int]] = FrozenDict()


class MovementOutcome:
    """The outcome of one movement phase; every part is worked out when it is first read.

    See :class:`alexmagnum.judge.outcome.Outcome` for what the parts hold.  An outcome that was made
    of its results and units alone decides the movement for all other parts.
    """

    __slots__ = (
        "_decided",
        "_destinations",
        "_dislodged",
        "_dislodged_by",
        "_explainer",
        "_position",
        "_reasons",
        "_results",
        "_units",
    )

    def __init__(
        self,
        position: Position,
        movement: Resolver | None,
        results: tuple[OrderOutcome, ...] | None = None,
        units: tuple[Unit, ...] | None = None,
        dislodged: tuple[Dislodged, ...] | None = None,
    ) -> None:
        self._position: Final = position
        self._decided: Resolver | None = movement
        self._results: tuple[OrderOutcome, ...] | None = results
        self._units: tuple[Unit, ...] | None = units
        self._dislodged: tuple[Dislodged, ...] | None = dislodged
        # Known once they have been read.
        self._dislodged_by: dict[UnitNo, tuple[UnitNo, ...]] | None = None
        self._destinations: list[LocationNo] | None = None
        self._explainer: reasons.Explainer | None = None
        self._reasons: tuple[Reason, ...] | None = None

    @property
    def position(self) -> Position:
        """The position before the phase."""
        return self._position

    @property
    def _movement(self) -> Resolver:
        movement = self._decided
        if movement is None:
            movement = Resolver(self._position, list_given_orders(self))
            self._decided = decide_everything(movement)
        return movement

    @property
    def _dislodgers(self) -> dict[UnitNo, tuple[UnitNo, ...]]:
        found = self._dislodged_by
        if found is None:
            found = self._dislodged_by = _find_dislodgers(self._movement)
        return found

    @property
    def disbanded(self) -> tuple[Unit, ...]:
        """No units: only retreat phases disband any."""
        return ()

    @property
    def removed(self) -> tuple[Unit, ...]:
        """No units: only winters remove any."""
        return ()

    @property
    def picks(self) -> None:
        """None: only periods of picks have any."""
        return

    @property
    def adjust(self) -> Mapping[str, int]:
        """No builds or removals: only winters have any."""
        return _NO_POINTS

    def __eq__(self, other: object) -> bool:
        """Two outcomes are equal if the position and all results are the same."""
        if not isinstance(other, MovementOutcome):
            return NotImplemented
        return (
            self.position == other.position
            and self.results == other.results
            and self.units == other.units
            and self.dislodged == other.dislodged
        )

    def __hash__(self) -> int:
        return hash((self.position, self.results))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.position.board.id} {self.position.phase}>"

    def _repr_svg_(self) -> str | None:
        return draw_svg(self)

    # -- who was dislodged -----------------------------------------------------------------------

    def attackers(self, unit: Unit) -> tuple[Unit, ...]:
        """Return every unit that dislodged a unit: in a sea there may be several (R11a)."""
        tables = self._movement.units
        return tuple(tables.units[u] for u in self._dislodgers.get(tables.number_of(unit), ()))

    @property
    def dislodged(self) -> tuple[Dislodged, ...]:
        """The units that have to retreat: not garrisons (R27), nor units in revolt (R3)."""
        if self._dislodged is None:
            self._dislodged = self._list_dislodged()
        return self._dislodged

    def _list_dislodged(self) -> tuple[Dislodged, ...]:
        if not self._dislodgers:
            return ()
        units = self._movement.units.units
        openings = Openings(self._movement, self._list_provinces())
        return tuple(
            [
                Dislodged(units[u], units[several[0]], openings.list_retreats(u, several))
                for u, several in sorted(self._dislodgers.items())
                if self.position.takes_orders(units[u])
            ]
        )

    @property
    def destroyed(self) -> tuple[Unit, ...]:
        """The units that are gone without a retreat.

        These are garrisons (R27), units in revolt (R3) and fleets caught on a haul (R24).
        """
        movement, units = self._movement, self._movement.units.units
        return tuple(
            units[u]
            for u in movement.numbers
            if is_caught(movement, u)
            or (u in self._dislodgers and not self.position.takes_orders(units[u]))
        )

    # -- results ---------------------------------------------------------------------------------

    @property
    def results(self) -> tuple[OrderOutcome, ...]:
        """The result of every order, as listed."""
        if self._results is not None:
            return self._results
        movement = self._movement
        units, entry_unit, faults = movement.units.units, movement.entry_unit, movement.entry_faults
        dislodgers = self._dislodgers
        results: list[OrderOutcome] = []
        for power, listed in movement.listed:
            for order in listed:
                i = len(results)
                u = entry_unit[i]
                result = ILLEGAL if faults and i in faults else name_result(movement, u, dislodgers)
                results.append(OrderOutcome(power, order, units[u] if u >= 0 else None, result))
        self._results = tuple(results)
        return self._results

    def result_of(self, subject: Unit | Order, power: str = "") -> str:
        """Return the result of a unit (of the order that counts) or of an order as listed.

        See :meth:`alexmagnum.judge.outcome.Outcome.result_of`.
        """
        if isinstance(subject, Unit):
            return self.result_by_number(self._movement.units.number_of(subject))
        return find_order_result(self.results, subject, power)

    def result_by_number(self, u: UnitNo) -> str:
        """Return the result of a unit that is given by its number in ``position.tables``."""
        return name_result(self._movement, u, self._dislodgers)

    # -- reasons ---------------------------------------------------------------------------------

    def _explain(self) -> reasons.Explainer:
        if self._explainer is None:
            self._explainer = reasons.Explainer(self._movement, self._dislodgers)
        return self._explainer

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """The reason for the result of every order, in the order of ``results``."""
        if self._reasons is None:
            self._reasons = self.explain_orders(range(len(self._movement.entry_unit)))
        return self._reasons

    def explain_orders(self, numbers: Iterable[int]) -> tuple[Reason, ...]:
        """Return the reasons of some orders, given by their place in ``results``."""
        explainer, movement = self._explain(), self._movement
        faults, unit_of = movement.entry_faults, movement.entry_unit
        return tuple(
            [Reason(faults[i]) if i in faults else explainer.reason_of(unit_of[i]) for i in numbers]
        )

    def fates(self, unit: Unit) -> tuple[Fate, ...]:
        """Return the result of a unit's order, or of a unit without one, and the reason.

        A second fate names the attacker that dislodged the unit, unless the first does.

        Raises:
            ValueError: the position has no such unit.
        """
        u = self._movement.units.number_of(unit)
        order = self._movement.orders[u]
        reason = self._explain().reason_of(u)
        dislodged = self._explain().dislodgement_of(u)
        fates = (Fate(unit, order, self.result_by_number(u), reason),)
        if dislodged is None or reason == dislodged:
            return fates
        return (*fates, Fate(unit, order, dislodged.code, dislodged))

    # -- the board after the moves ---------------------------------------------------------------

    @property
    def units(self) -> tuple[Unit, ...]:
        """The units on the board after the moves, without the dislodged."""
        if self._units is not None:
            return self._units
        movement = self._movement
        units, parts = movement.units.units, movement.board.location_parts
        destinations = self.list_destinations()
        numbers = number_units(movement, movement.numbers, destinations)
        stay: list[Unit] = []
        gone: list[Unit] = []
        for u, location in zip(movement.numbers, destinations):  # noqa: B905
            unit = units[u]
            if location >= 0:
                part = parts[location]
                number = numbers.get(u, 1) if numbers else 1
                gone.append(Unit(unit.power, unit.kind, part[0], part[1], number))
            elif location == NO_PROVINCE:
                stay.append(unit)
        self._units = (*stay, *gone)
        return self._units

    def _list_provinces(self) -> list[ProvinceNo]:
        """Return by unit the province where it stands after the moves; none if it is lost."""
        movement = self._movement
        province_of = movement.board.province_of
        provinces = list(movement.province)
        for u, location in zip(movement.numbers, self.list_destinations()):  # noqa: B905
            if location != NO_PROVINCE:
                provinces[u] = province_of[location] if location >= 0 else NO_PROVINCE
        return provinces

    def list_destinations(self) -> list[LocationNo]:
        """Return by unit the number of the location to which it has moved.

        It is none if the unit has not left its own, and off the board if it was dislodged or
        destroyed.
        """
        if self._destinations is not None:
            return self._destinations
        movement = self._movement
        moved, expresses = movement.moved, movement.expresses
        destinations: list[LocationNo] = [NO_PROVINCE] * len(moved)
        for u in movement.moving:
            if moved[u] or expresses:  # who fails gets nowhere, but for an express
                destinations[u] = find_destination(movement, u)
        for u in self._dislodgers:
            if destinations[u] == NO_PROVINCE:
                destinations[u] = OFF_THE_BOARD
        for u in movement.raider:
            if is_caught(movement, u):
                destinations[u] = OFF_THE_BOARD
        self._destinations = destinations
        return destinations

    @property
    def nobility(self) -> Mapping[str, int]:
        """Points after the phase: a general with no retreat open is lost at once (R2)."""
        lost = tuple(d.unit for d in self.dislodged if not d.retreats)
        return nobility_after(self.position, lost)


def _find_dislodgers(movement: Resolver) -> dict[UnitNo, tuple[UnitNo, ...]]:
    """Return by dislodged unit the units that dislodged it, those from outside first."""
    goal, moved, to_place = movement.goal, movement.moved, movement.to_place
    occupant = movement.occupant
    dislodgers: dict[UnitNo, tuple[UnitNo, ...]] = {}
    for u in movement.moving:
        place = to_place[u]
        beats = movement.dislodges(u) if goal[u] == FOR_CITY else moved[u]
        if beats == YES and place >= 0:
            target = occupant[place]
            if target >= 0 and movement.leaves(target) != YES:
                dislodgers[target] = (*dislodgers.get(target, ()), u)
    for target, several in dislodgers.items():
        if len(several) > 1:
            dislodgers[target] = tuple(sorted(several, key=lambda u: goal[u] == FROM_INSIDE))
    return dislodgers


def list_given_orders(outcome: MovementOutcome) -> dict[str, list[Order]]:
    """Return the orders of an outcome by power, as listed."""
    orders: dict[str, list[Order]] = {}
    for entry in outcome.results:
        orders.setdefault(entry.power, []).append(entry.order)
    return orders


def resolve_movement(position: Position, orders: Mapping[str, Sequence[Order]]) -> MovementOutcome:
    """Resolve a movement phase as :func:`alexmagnum.judge.adjudicate` does."""
    return MovementOutcome(position, decide_everything(Resolver(position, orders)))


# -- of single units, as soon as what they rest on is decided --------------------------------------


def name_result(movement: Resolver, u: UnitNo, dislodgers: dict[UnitNo, tuple[UnitNo, ...]]) -> str:
    """Return the result of a unit's order; a unit without an order holds.

    ``dislodgers``: by dislodged unit, the units that dislodged it.
    """
    fault = movement.fault[u]
    if fault:
        if fault in INVALID_CODES:
            return INVALID
        return FAILS if fault == OTHER_COAST else ILLEGAL
    action = movement.action[u]
    if action == MOVE:
        if movement.moved[u]:
            return SUCCEEDS
        return STOPPED if movement.expresses and find_stop(movement, u) >= 0 else FAILS
    if action == SUPPORT:
        return GIVEN if movement.given[u] else CUT
    if action == CAUGHT:
        return DESTROYED if is_caught(movement, u) else FAILS
    if action == CONVOY:
        return DISRUPTED if movement.broken[u] or u in dislodgers else AVAILABLE
    if u in dislodgers:
        return DISLODGED if movement.units.takes_orders(u) else DESTROYED
    return STANDS


def find_destination(movement: Resolver, u: UnitNo) -> LocationNo:
    """Return the location that a unit reaches by its move; none if it stays."""
    if movement.moved[u] == YES:
        return NO_PROVINCE if movement.goal[u] == FROM_INSIDE else movement.to_location[u]
    if movement.expresses and movement.action[u] == MOVE:
        return find_stop(movement, u)
    return NO_PROVINCE
