"""Where everything stands: units with identity, who owns what, nobility, and the phase."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from alexmagnum.board.geography import split_location
from alexmagnum.board.model import INDEPENDENT, Board, Rules, near
from alexmagnum.board.tables import (
    BoardTables,
    LocationNo,
    PlaceNo,
    Post,
    PowerNo,
    ProvinceNo,
    UnitNo,
)
from alexmagnum.compiler_hints import mypyc_attr
from alexmagnum.errors import AlexMagnumError, BadPosition, Fault
from alexmagnum.frozen import FrozenDict, freeze
from alexmagnum.position_text import DislodgedText, PowerText, UnitText, read_text, write_text
from alexmagnum.values import Value, draw_svg, seal

# Units as values: what stands where, what is dislodged, and what units are called.


KINDS: Final = ("A", "F", "G")
"""Army, fleet, general's army (R1)."""


@mypyc_attr(acyclic=True)
@dataclass(init=False, eq=False, slots=True)
class Unit(Value):
    """One unit: its power, its kind, and where it stands.

    ``number``: the place it holds in its province, from 1 (R8); ``coast``: set only for a fleet in
    a province with several coasts.
    """

    power: Final[str]
    kind: Final[str]
    province: Final[str]
    coast: Final[str]
    number: Final[int]

    def __init__(
        self, power: str, kind: str, province: str, coast: str = "", number: int = 1
    ) -> None:
        self.power = power
        self.kind = kind
        self.province = province
        self.coast = coast
        self.number = number

    def content(self) -> tuple[str, str, str, str, int]:
        return self.power, self.kind, self.province, self.coast, self.number

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Unit):
            return NotImplemented
        return self.content() < other.content()

    def __le__(self, other: object) -> bool:
        if not isinstance(other, Unit):
            return NotImplemented
        return self.content() <= other.content()

    @property
    def location(self) -> str:
        return f"{self.province}/{self.coast}" if self.coast else self.province

    @property
    def place(self) -> str:
        """The place that only this unit holds: ``EGE#2``."""
        return f"{self.province}#{self.number}"

    def __str__(self) -> str:
        return f"{self.kind} {self.location}"


@mypyc_attr(acyclic=True)
@dataclass(init=False, eq=False, slots=True)
class Dislodged(Value):
    """One unit that has to retreat, the unit that dislodged it, and the locations open to it.

    ``by`` stands where it came from.
    """

    unit: Final[Unit]
    by: Final[Unit]
    retreats: Final[tuple[str, ...]]

    def __init__(self, unit: Unit, by: Unit, retreats: Iterable[str]) -> None:
        self.unit = unit
        self.by = by
        self.retreats = list_texts(retreats)

    def content(self) -> tuple[Unit, Unit, tuple[str, ...]]:
        return self.unit, self.by, self.retreats


seal(Unit)
seal(Dislodged, converts=True)


def list_texts(given: Any) -> Any:
    """Return what is listed in any way as a tuple.

    A text, or what cannot be listed, stays as it is: the checks of positions name it as a fault.
    """
    if isinstance(given, (tuple, str)) or not isinstance(given, Iterable):
        return given
    return tuple(given)


def names_of(units: Iterable[Unit]) -> dict[Unit, str]:
    """Return the canonical names of units.

    A unit shows its number if it is not alone in its province.  It also shows a number above 1,
    because it keeps that number when the others leave (R8).
    """
    listed = tuple(units)
    crowded = find_crowded(listed)
    return {unit: name_unit(unit, crowded) for unit in listed}


def find_crowded(units: Iterable[Unit]) -> frozenset[str]:
    """Return the provinces in which several of these units stand."""
    seen: set[str] = set()
    crowded: set[str] = set()
    for unit in units:
        (crowded if unit.province in seen else seen).add(unit.province)
    return frozenset(crowded)


def name_unit(unit: Unit, crowded: frozenset[str]) -> str:
    """Return the canonical name of a unit; several stand in the ``crowded`` provinces."""
    numbered = unit.number > 1 or unit.province in crowded
    return f"{unit.kind} {unit.place if numbered else unit.location}"


# The units of a position as integer tables, for the judge.


@mypyc_attr(acyclic=True)
class UnitTables:
    """The units of one position as integer tables, sorted so that listing order cannot matter.

    ``board``: the tables of the board; ``revolting``: the powers in revolt (R3).

    By unit: ``units``: the unit; ``posts``: its post; ``numbers``: its number, to walk through;
    ``province``, ``location``, ``place``: where it stands, as numbers of the board's tables;
    ``power``: the number of its power; ``army``: 1 for armies and generals; ``base_strength``
    (R1, R3); ``support_strength``: what its support counts (R1).

    The other way: ``by_name``: unit by canonical name; ``units_in``: units by province;
    ``occupant``: unit by place, or none.

    ``stand_apart``: whether no two stand in one place, as in every sound position.
    """

    __slots__ = (
        "_by_name",
        "_units_in",
        "army",
        "base_strength",
        "board",
        "location",
        "numbers",
        "occupant",
        "place",
        "posts",
        "power",
        "province",
        "revolting",
        "stand_apart",
        "support_strength",
        "units",
    )

    def __init__(self, board: Board, listed: tuple[Unit, ...], revolting: Collection[str]) -> None:
        """Lay units out in whatever order they are ``listed``.

        Raises:
            KeyError: a unit cannot stand where it does.
        """
        tables = board.tables
        self.board: BoardTables = tables
        self.revolting = tuple(revolting)
        at: list[int] = [-1] * tables.places
        posts, power_of = _find_posts(tables, listed)
        for i, post in enumerate(posts):
            at[post.place] = i
        in_order = [i for i in at if i >= 0]
        n = len(posts)
        self.stand_apart: bool = len(in_order) == n
        if not self.stand_apart:  # no sound position
            in_order = sorted(range(n), key=lambda i: (posts[i].place, listed[i]))
        posts = [posts[i] for i in in_order]
        self.units: tuple[Unit, ...] = tuple([listed[i] for i in in_order])
        self.posts: tuple[Post, ...] = tuple(posts)
        self.place: tuple[PlaceNo, ...] = tuple([post.place for post in posts])
        self.location: tuple[LocationNo, ...] = tuple([post.location for post in posts])
        self.province: tuple[ProvinceNo, ...] = tuple([post.province for post in posts])
        self.army = bytes([post.army for post in posts])
        self.power: tuple[PowerNo, ...] = tuple([power_of[i] for i in in_order])
        if n <= tables.places:  # the same for all positions with so many units
            numbers, ones = tables.counted[n], tables.ones[n]
        else:
            numbers, ones = tuple(range(n)), (1,) * n
        self.numbers = cast("tuple[UnitNo, ...]", numbers)
        self.base_strength: tuple[int, ...] = ones
        self.support_strength: tuple[int, ...] = ones
        if 1 in [post.general for post in posts]:
            self._strengthen_generals(board.rules, revolting)
        for u, post in enumerate(posts):
            at[post.place] = u
        self.occupant = cast("tuple[UnitNo, ...]", tuple(at))
        self._by_name: dict[str, UnitNo] = {}
        self._units_in: tuple[tuple[UnitNo, ...], ...] = ()

    def _strengthen_generals(self, rules: Rules, revolting: Collection[str]) -> None:
        """Enter what generals count by themselves, unless in revolt, and in support (R1, R3)."""
        base, support = list(self.base_strength), list(self.support_strength)
        for u, unit in enumerate(self.units):
            if unit.kind == "G":
                support[u] = rules.general_support
                if unit.power not in revolting:
                    base[u] = rules.general_strength
        self.base_strength, self.support_strength = tuple(base), tuple(support)

    @property
    def by_name(self) -> dict[str, UnitNo]:
        """The units by canonical name."""
        if not self._by_name:
            # Set when it is complete: several threads may judge one position.
            self._by_name = dict(zip(self.list_names(), self.numbers, strict=True))
        return self._by_name

    def list_names(self) -> list[str]:
        """Return the canonical name of every unit."""
        names = [post.name for post in self.posts]
        if self.board.crowded and len(set(self.province)) < len(names):
            for u, post in zip(self.numbers, self.posts, strict=True):
                if len(self.units_in[post.province]) > 1:
                    names[u] = post.numbered
        return names

    @property
    def units_in(self) -> tuple[tuple[UnitNo, ...], ...]:
        """The units by province."""
        if not self._units_in:
            units_in: list[tuple[UnitNo, ...]] = [()] * self.board.n
            for u, province in zip(self.numbers, self.province, strict=True):
                units_in[province] += (u,)
            self._units_in = tuple(units_in)
        return self._units_in

    def number_of(self, unit: Unit) -> UnitNo:
        """Return the number of a unit of the position.

        Raises:
            ValueError: the position has no such unit.
        """
        try:
            return self.numbers[self.units.index(unit)]
        except ValueError:
            raise ValueError(f"there is no such unit in this position: {unit}") from None


def find_post(board: BoardTables, unit: Unit) -> Post:
    """Return the post of a unit."""
    return board.posts[unit.kind, unit.province, unit.coast, unit.number]


def _find_posts(board: BoardTables, units: Sequence[Unit]) -> tuple[list[Post], list[PowerNo]]:
    armies, fleets = board.first_posts["A"], board.first_posts["F"]
    posts: list[Post] = []
    power_of: list[PowerNo] = []
    name, power = "", board.independents
    for unit in units:
        if unit.number != 1 or unit.coast:
            posts.append(find_post(board, unit))
        elif unit.kind == "A":
            posts.append(armies[unit.province])
        elif unit.kind == "F":
            posts.append(fleets[unit.province])
        else:
            posts.append(find_post(board, unit))
        if unit.power != name:  # units of one power mostly follow each other
            name = unit.power
            power = board.power.get(name, board.independents)
        power_of.append(power)
    return posts, power_of


# Where everything stands: units with identity, who owns what, nobility, and the phase.


PICKS: Final = "picks"
DEPLOYMENT: Final = "deployment"
SPRING: Final = "spring"
AUTUMN: Final = "autumn"
WINTER: Final = "winter"

SEASONS: Final = (PICKS, DEPLOYMENT, SPRING, AUTUMN, WINTER)
"""The seasons that a phase may have."""

MOVEMENT: Final = (SPRING, AUTUMN)
"""The seasons in which units move and retreat."""

_NOTHING: Final[FrozenDict[str, Any]] = FrozenDict()


@mypyc_attr(acyclic=True)
@dataclass(init=False, eq=False, slots=True)
class Phase(Value):
    """One phase of the calendar, written ``322-spring-retreats`` or ``323-4`` (the fourth picks).

    ``year`` is as the map counts (BC on alexmagnum), 0 if a case does not say.
    """

    year: Final[int]
    season: Final[str]
    retreats: Final[bool]
    period: Final[int]

    def __init__(self, year: int, season: str, retreats: bool = False, period: int = 0) -> None:
        self.year = year
        self.season = season
        self.retreats = retreats
        self.period = period

    def content(self) -> tuple[int, str, bool, int]:
        return self.year, self.season, self.retreats, self.period

    def __str__(self) -> str:
        if self.season in (PICKS, DEPLOYMENT):
            return f"{self.year}-{self.period}"
        return f"{self.year}-{self.season}" + ("-retreats" if self.retreats else "")

    @property
    def kind(self) -> str:
        """``picks``, ``deployment``, ``movement``, ``retreats`` or ``winter``."""
        if self.retreats:
            return "retreats"
        return "movement" if self.season in MOVEMENT else self.season


_PHASE = re.compile(r"(\d+)-(?:(\d)|(spring|autumn)(-retreats)?|winter)", re.ASCII)


def parse_phase(text: str, picks: int = 5) -> Phase:
    """Parse a phase such as ``322-autumn-retreats``; the map has ``picks`` periods of picks.

    >>> parse_phase("322-autumn-retreats")
    Phase(year=322, season='autumn', retreats=True, period=0)

    Raises:
        ValueError: the text is no phase.
    """
    match = _PHASE.fullmatch(text.strip().lower())
    if not match:
        raise ValueError(f"{text!r} is no phase; write it as 1901-spring or 322-autumn-retreats")
    year = int(match[1])
    if match[2]:
        period = int(match[2])
        return Phase(year, PICKS if period <= picks else DEPLOYMENT, period=period)
    if match[3]:
        return Phase(year, match[3], bool(match[4]))
    return Phase(year, WINTER)


seal(Phase)


@mypyc_attr(acyclic=True)
class _Derived:
    """What a position works out when it is first asked for it; None until then."""

    __slots__ = ("crowded", "fits_board", "names", "tables")

    def __init__(self) -> None:
        self.crowded: frozenset[str] | None = None
        self.fits_board: bool | None = None
        self.names: FrozenDict[str, Unit] | None = None
        self.tables: UnitTables | None = None


@mypyc_attr(acyclic=True)
class _WithDerived(Value):
    """The base of a position, with the attribute that is no field of it."""

    __slots__ = ("_derived",)

    def __init__(self) -> None:
        self._derived: Final = _Derived()


@mypyc_attr(acyclic=True)
@dataclass(init=False, eq=False, slots=True)
class Position(_WithDerived):
    """The state before a phase.  Two are equal in whatever order their units are listed.

    ``units`` are those on the board, in no particular order (in a retreat phase without the
    ``dislodged``); ``owners`` maps centre to power; ``homes`` maps a power to the building
    centres it has beyond the map's own (won in the Cyprus year); ``nobility`` maps a power to
    its points, those not named have the map's start value.
    """

    board: Final[Board]
    phase: Final[Phase]
    units: Final[tuple[Unit, ...]]
    owners: Final[Mapping[str, str]]
    homes: Final[Mapping[str, tuple[str, ...]]]
    nobility: Final[Mapping[str, int]]
    dislodged: Final[tuple[Dislodged, ...]]

    def __init__(
        self,
        board: Board,
        phase: Phase,
        units: Iterable[Unit],
        owners: Mapping[str, str] = _NOTHING,
        homes: Mapping[str, Iterable[str]] = _NOTHING,
        nobility: Mapping[str, int] = _NOTHING,
        dislodged: Iterable[Dislodged] = (),
    ) -> None:
        _WithDerived.__init__(self)
        self.board = board
        self.phase = phase
        self.units = tuple(units)
        self.owners = freeze(owners)
        self.homes = _freeze_homes(homes)
        self.nobility = freeze(nobility)
        self.dislodged = tuple(dislodged)

    def content(self) -> tuple[Any, ...]:
        return (
            self.board,
            self.phase,
            self.units,
            self.owners,
            self.homes,
            self.nobility,
            self.dislodged,
        )

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Position):
            return NotImplemented
        return (
            self.phase == other.phase
            and self.owners == other.owners
            and self.nobility == other.nobility
            and _list_the_same(self.units, other.units)
            and _list_the_same(self.dislodged, other.dislodged)
            and self.homes.keys() == other.homes.keys()
            and all(_list_the_same(homes, other.homes[p]) for p, homes in self.homes.items())
            and self.board == other.board
        )

    def __hash__(self) -> int:
        units = frozenset(self.units), frozenset(self.dislodged)
        return hash((self.board, self.phase, self.owners, self.nobility, *units))

    @property
    def names(self) -> Mapping[str, Unit]:
        """The units that can be ordered, by canonical name.

        ``"F STP/SC"`` shows the coast.  A fleet in a sea shows its number (``"F EGE#2"``) if it is
        not alone there or the number is above 1.  In a retreat phase these are the dislodged
        units.
        """
        known = self._derived.names
        if known is None:
            known = freeze({self.name(unit): unit for unit in self.orderable})
            self._derived.names = known
        return known

    @property
    def orderable(self) -> tuple[Unit, ...]:
        """The units that take orders in this phase."""
        if self.phase.kind == "retreats":
            return tuple(d.unit for d in self.dislodged)
        return self.units

    def name(self, unit: Unit) -> str:
        """Return the canonical name of a unit of this position."""
        known = self._derived.crowded
        if known is None:
            known = self._derived.crowded = find_crowded(self.orderable)
        return name_unit(unit, known)

    def units_of(self, power: str) -> tuple[Unit, ...]:
        """Return the orderable units of one power.

        Raises:
            AlexMagnumError: no-such-power, with the power that was probably meant.
        """
        found = tuple(unit for unit in self.orderable if unit.power == power)
        if not found:
            self._check_power(power)
        return found

    def centres_of(self, power: str) -> tuple[str, ...]:
        """Return the centres that a power owns, in the map's order.

        Raises:
            AlexMagnumError: no-such-power, with the power that was probably meant.
        """
        found = tuple(c for c in self.board.centres if self.owners.get(c) == power)
        if not found:
            self._check_power(power)
        return found

    def _check_power(self, power: str) -> None:
        """Refuse a word that names no power."""
        powers = self.board.powers
        if power not in powers and power != INDEPENDENT:
            known, meant = ", ".join(powers), near(power, powers)
            raise AlexMagnumError("no-such-power", text=power, powers=known, near=meant)

    def points_of(self, power: str) -> int:
        """Return a power's nobility, 0 on a board without nobility (R2)."""
        return self.nobility.get(power, self.board.rules.nobility)

    def in_revolt(self, power: str) -> bool:
        """Tell whether a power has lost all its nobility, so that it orders nothing more (R3)."""
        return bool(self.board.rules.nobility) and self.points_of(power) <= 0

    def _list_revolting(self) -> list[str]:
        if not self.board.rules.nobility:
            return []
        return [power for power in self.board.powers if self.in_revolt(power)]

    def takes_orders(self, unit: Unit) -> bool:
        """Tell whether a unit is neither a garrison (R27) nor in revolt (R3)."""
        return unit.power in self.board.powers and not self.in_revolt(unit.power)

    def _repr_svg_(self) -> str | None:
        return draw_svg(self)

    # -- one line of text --------------------------------------------------------------------------

    def to_text(self) -> str:
        """Return the position as one line of text, short enough to paste into a chat.

        It has the map, the switches that are changed, the phase, and everything of each power;
        ``docs/library.md`` has the grammar.  The text does not depend on the order of the units.

        >>> from alexmagnum.board import load_board
        >>> units = (Unit("Austria", "A", "VIE"), Unit("Russia", "F", "STP", "SC"))
        >>> position = Position(load_board("standard"), Phase(1901, "spring"), units)
        >>> position.to_text()
        'standard 1901-spring Austria:AVIE Russia:FSTP/SC'
        """
        self._refuse_problems()
        entries = []
        for power in (*self.board.powers, INDEPENDENT):
            entry = PowerText(
                power,
                tuple(_unit_text(unit) for unit in self.units if unit.power == power),
                tuple(
                    DislodgedText(_unit_text(d.unit), _unit_text(d.by), d.retreats)
                    for d in self.dislodged
                    if d.unit.power == power
                ),
                self.centres_of(power),
                tuple(sorted(self.homes.get(power, ()), key=self.board.centres.index)),
                self.nobility.get(power),
            )
            if entry != PowerText(power):
                entries.append(entry)
        return write_text(self.board, str(self.phase), entries)

    @classmethod
    def from_text(cls, text: str, board: Board | None = None) -> Position:
        """Return the position of a text that :meth:`to_text` wrote.

        ``board``: needed for a map that does not come with the package; it gets the switches of the
        text.

        >>> Position.from_text("standard 1901-spring Austria:AVIE,FTRI:VIE,TRI").units[1].place
        'TRI#1'

        Raises:
            BadPositionText: the text is no position; with the part at fault and its column.
            BadPosition: the text can be read, but the position is impossible, with every fault.
        """
        board, phase_word, entries = read_text(text, board)
        try:
            phase = parse_phase(phase_word.text, board.rules.picks)
        except ValueError:
            raise phase_word.fault("position-text-phase") from None
        position = cls(
            board,
            phase,
            tuple(Unit(*unit) for entry in entries for unit in entry.units),
            {centre: entry.power for entry in entries for centre in entry.centres},
            {entry.power: entry.homes for entry in entries if entry.homes},
            {entry.power: entry.points for entry in entries if entry.points is not None},
            tuple(
                Dislodged(Unit(*lost.unit), Unit(*lost.by), lost.retreats)
                for entry in entries
                for lost in entry.dislodged
            ),
        )
        position._refuse_problems()
        return position

    def _refuse_problems(self) -> None:
        """Check that the position is possible."""
        problems = self.problems()
        if problems:
            raise BadPosition("bad-position", str(self.phase), problems)

    # -- what is wrong -----------------------------------------------------------------------------

    @property
    def fits_board(self) -> bool:
        """True if the judge can work with the position; :meth:`problems` says why it cannot.

        Powers, provinces and places are of the map, each unit can stand where it does, and no two
        hold one place.  Problems beyond that, such as a second general, do not hinder the judge.
        """
        known = self._derived.fits_board
        if known is None:
            known = self._derived.fits_board = self._fits_board()
        return known

    def _fits_board(self) -> bool:
        try:
            units = self.tables
            return (
                self.phase.season in SEASONS
                and units.stand_apart
                and (
                    units.board.independents not in units.power
                    or _have_known_powers(self.board, self.units)
                )
                and self._has_known_owners()
                and (not self.dislodged or self._has_known_retreats())
            )
        except (AttributeError, KeyError, TypeError):
            return False  # a unit cannot stand where it does, or is no unit at all

    def _has_known_owners(self) -> bool:
        """Tell whether owners, nobility and homes are of the map's provinces and powers."""
        if not self.owners and not self.nobility and not self.homes:
            return True
        provinces, powers = self.board.provinces.keys(), self.board.powers.keys()
        points: Mapping[str, Any] = self.nobility  # a compiled loop over numbers takes True as 1
        return (
            self.owners.keys() <= provinces
            and powers >= set(self.owners.values())
            and self.homes.keys() <= powers
            and self.nobility.keys() <= powers
            and not (self.nobility and any(type(n) is not int for n in points.values()))
            and not (self.homes and any(not provinces >= set(h) for h in self.homes.values()))
        )

    def _has_known_retreats(self) -> bool:
        """Tell whether the dislodged units could stand, and what each has to do with the map."""
        known = self.board.tables.location
        units = [d.unit for d in self.dislodged]
        return (
            len({find_post(self.board.tables, unit).place for unit in units}) == len(units)
            and _have_known_powers(self.board, units)
            and all(
                d.by.location in known and known.keys() >= {*d.retreats} for d in self.dislodged
            )
        )

    def problems(self) -> tuple[Fault, ...]:
        """Return everything that is wrong with this position; empty if it is sound."""
        return (
            *self._phase_problems(),
            *self._place_problems(self.units),
            *self._kind_problems(),
            *self._owner_problems(),
            *self._home_problems(),
            *self._retreat_problems(),
        )

    def _phase_problems(self) -> Iterator[Fault]:
        phase, picks = self.phase, self.board.rules.picks
        if phase.year < 0:
            yield Fault("year", "year-negative", {"year": str(phase.year)})
        if phase.season not in SEASONS or (phase.retreats and phase.season not in MOVEMENT):
            data = {"season": phase.season, "known": ", ".join(SEASONS)}
            yield Fault("season", "unknown-season", data)
        if phase.season not in (PICKS, DEPLOYMENT):
            return
        first, last = (1, picks) if phase.season == PICKS else (picks + 1, picks + 1)
        if not picks:
            yield Fault("phase", "no-cyprus-year", {"phase": phase.season})
        elif not first <= phase.period <= last:
            periods = str(first) if first == last else f"{first}-{last}"
            data = {"phase": phase.season, "period": str(phase.period), "periods": periods}
            yield Fault("period", "no-such-period", data)

    def _place_problems(self, units: Iterable[Unit], where: str = "") -> Iterator[Fault]:
        taken: dict[tuple[str, int], Unit] = {}
        first_in: dict[str, Unit] = {}
        for unit in units:
            here = where or f"units.{unit.power}"
            if unit.power not in self.board.powers and unit.power != INDEPENDENT:
                yield Fault(here, "unknown-power", {"power": unit.power})
            yield from self._standing_problems(unit, here)
            other = taken.get((unit.province, unit.number))
            taken.setdefault((unit.province, unit.number), unit)
            if other is not None:
                data = {"unit": self._full_name(unit), "other": self._full_name(other)}
                yield Fault(here, "place-taken", {**data, "power": other.power})
            first = first_in.setdefault(unit.province, unit)
            province = self.board.provinces.get(unit.province)
            if province and not province.is_sea and first.power != unit.power and other is None:
                data = {"unit": self._full_name(unit), "province": unit.province}
                yield Fault(here, "city-of-two", {**data, "power": first.power})

    def _full_name(self, unit: Unit) -> str:
        province = self.board.provinces.get(unit.province)
        several = unit.number > 1 or (province is not None and province.capacity > 1)
        return f"{unit.kind} {unit.place}" if several else str(unit)

    def _owner_problems(self) -> Iterator[Fault]:
        board = self.board
        for centre, power in self.owners.items():
            if centre not in board.provinces or not board.provinces[centre].centre:
                yield Fault(f"centers.{power}", "not-a-centre", {"province": centre})
            if power not in board.powers:
                yield Fault(f"centers.{power}", "unknown-power", {"power": power})
        most = board.rules.nobility
        for power, points in self.nobility.items():
            if power not in board.powers:
                yield Fault(f"nobility.{power}", "unknown-power", {"power": power})
            if not 0 <= points <= most:
                data = {"points": str(points), "most": str(most)}
                yield Fault(f"nobility.{power}", "points-out-of-range", data)

    def _home_problems(self) -> Iterator[Fault]:
        """Yield impossible building centres: of two powers, or of a garrison (R27)."""
        board = self.board
        theirs = {home: power.id for power in board.powers.values() for home in power.homes}
        for power, homes in self.homes.items():
            where = f"homes.{power}"
            if power not in board.powers:
                yield Fault(where, "unknown-power", {"power": power})
            for centre in homes:
                if centre not in board.centres:
                    yield Fault(where, "not-a-centre", {"province": centre})
                elif board.provinces[centre].centre == "independent":
                    yield Fault(where, "home-independent", {"province": centre})
                elif theirs.setdefault(centre, power) != power:
                    data = {"province": centre, "power": theirs[centre]}
                    yield Fault(where, "home-twice", data)

    def _retreat_problems(self) -> Iterator[Fault]:
        """Yield dislodged units that cannot have stood there, and retreats that cannot be open."""
        yield from self._place_problems([d.unit for d in self.dislodged], "dislodged")
        standing = Counter(unit.province for unit in self.units)
        for dislodged in self.dislodged:
            by = replace(dislodged.by, number=dislodged.by.number or 1)
            # The coast that an attacker came from makes no difference.
            yield from (
                f for f in self._standing_problems(by, "dislodged") if f.code != "coast-unsaid"
            )
            unit = self._full_name(dislodged.unit)
            closed = frozenset(self._list_out_of_reach(dislodged))
            for way in dislodged.retreats:
                data = {"unit": unit, "province": way}
                if way in closed:
                    yield Fault("dislodged", "retreat-out-of-reach", data)
                elif standing[split_location(way)[0]] >= self.board.province_of(way).capacity:
                    yield Fault("dislodged", "retreat-into-full", data)

    def _standing_problems(self, unit: Unit, where: str) -> Iterator[Fault]:
        named = {"unit": self._full_name(unit)}
        province = self.board.provinces.get(unit.province)
        if unit.kind not in KINDS:
            yield Fault(where, "unknown-kind", {**named, "known": ", ".join(KINDS)})
        if province is None:
            yield Fault(where, "unknown-province", named)
            return
        if unit.coast and unit.coast not in province.coasts:
            yield Fault(where, "unknown-coast", named)
        if unit.kind == "F" and province.coasts and not unit.coast:
            yield Fault(where, "coast-unsaid", named)
        if unit.kind == "F" and not (province.is_sea or province.coastal or province.rivers):
            yield Fault(where, "fleet-inland", named)
        if unit.kind != "F" and province.is_sea:
            yield Fault(where, "army-afloat", named)
        if not 1 <= unit.number <= province.capacity:
            data = {**named, "province": province.id, "places": str(province.capacity)}
            yield Fault(where, "no-such-place", data)

    def _list_out_of_reach(self, dislodged: Dislodged) -> Iterator[str]:
        tables, unit = self.board.tables, dislodged.unit
        here = tables.location.get(unit.location)
        for way in dislodged.retreats:
            there = tables.location.get(way)
            if (
                here is None
                or there is None
                or there not in (tables.fleet_to if unit.kind == "F" else tables.army_to)[here]
            ):
                yield way

    def _kind_problems(self) -> Iterator[Fault]:
        """Yield units that the rules do not allow: a second general (R1), odd garrisons (R27)."""
        generals: set[str] = set()
        for unit in (*self.units, *(d.unit for d in self.dislodged)):
            where = f"units.{unit.power}"
            if unit.kind == "G":
                if not self.board.rules.nobility:
                    yield Fault(where, "general-unknown", {"unit": str(unit)})
                if unit.power in generals:
                    yield Fault(where, "general-second", {"unit": str(unit)})
                generals.add(unit.power)
            if unit.power == INDEPENDENT and unit.kind != "A":
                yield Fault(where, "garrison-kind", {"unit": str(unit)})

    @property
    def tables(self) -> UnitTables:
        """The units on the board as integer tables, for the judge."""
        known = self._derived.tables
        if known is None:
            known = self._derived.tables = UnitTables(
                self.board, self.units, self._list_revolting()
            )
        return known


seal(Position, converts=True)


def _freeze_homes(homes: Mapping[str, Iterable[str]]) -> FrozenDict[str, tuple[str, ...]]:
    """Return building centres by power that cannot change, without the powers that have none."""
    if not all(listed and isinstance(listed, tuple) for listed in homes.values()):
        as_tuples = {power: list_texts(listed) for power, listed in homes.items()}
        homes = {power: listed for power, listed in as_tuples.items() if listed}
    return freeze(cast("Mapping[str, tuple[str, ...]]", homes))


def _list_the_same(one: Sequence[object], other: Sequence[object]) -> bool:
    return one == other or (len(one) == len(other) and Counter(one) == Counter(other))


def _have_known_powers(board: Board, units: Iterable[Unit]) -> bool:
    others = {unit.power for unit in units} - board.powers.keys()
    return not others or others == {INDEPENDENT}


def _unit_text(unit: Unit) -> UnitText:
    return UnitText(unit.power, unit.kind, unit.province, unit.coast, unit.number)


def list_fallen(position: Position) -> tuple[str, ...]:
    """Return the powers with neither centre nor unit, on the board or still to retreat (R35)."""
    alive = {
        *position.owners.values(),
        *(unit.power for unit in position.units),
        *(d.unit.power for d in position.dislodged if d.retreats),
    }
    return tuple(power for power in position.board.powers if power not in alive)
