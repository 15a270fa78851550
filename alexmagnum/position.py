"""Where everything stands: units, who owns what, nobility, the phase; and its line of text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, NamedTuple, cast

from alexmagnum.board.geography import split_location
from alexmagnum.board.map_file import known_board, known_maps
from alexmagnum.board.model import INDEPENDENT, SWITCHES, Board, list_examples, near
from alexmagnum.builds import mypyc_attr
from alexmagnum.errors import AlexMagnumError, BadPosition, BadPositionText, Fault
from alexmagnum.frozen import FrozenDict, freeze
from alexmagnum.units import KINDS, UnitTables, find_crowded, find_post, list_texts, name_unit
from alexmagnum.units import Dislodged as Dislodged  # noqa: PLC0414 - a part of any position
from alexmagnum.units import Unit as Unit  # noqa: PLC0414
from alexmagnum.values import Value, draw_svg, seal

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
        return unit.takes_orders(self.in_revolt(unit.power))

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
        own = own_switches(self.board)
        rules = asdict(self.board.rules)
        changed = [f"{name}={rules[name]}" for name in rules if own.get(name) != rules[name]]
        switches = f"[{','.join(changed)}]" if changed else ""
        words = [_write_power(self, power) for power in (*self.board.powers, INDEPENDENT)]
        told = [word for word in words if ":" in word]
        return " ".join([self.board.id + switches, str(self.phase), *told])

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
        position = _read_text(text, board)
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
                    yield Fault(where, "home-twice", {"province": centre, "power": theirs[centre]})

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


def list_fallen(position: Position) -> tuple[str, ...]:
    """Return the powers with neither centre nor unit, on the board or still to retreat (R35)."""
    alive = {
        *position.owners.values(),
        *(unit.power for unit in position.units),
        *(d.unit.power for d in position.dislodged if d.retreats),
    }
    return tuple(power for power in position.board.powers if power not in alive)


# The line of text that stands for a position; its grammar is in ``docs/library.md``.


_WORD = re.compile(r"\S+")
_MAP = re.compile(r"([^\[\]]+)(?:\[(.*)\])?")
_UNIT = re.compile(r"([AFG])([A-Z][A-Z0-9]*)(?:/([A-Z]+))?(?:#([0-9]{1,3}))?", re.ASCII)
_POINTS = re.compile(r"[0-9]{1,4}", re.ASCII)
_MOST_PARTS = 5
MOST_TEXT: Final = 200_000
"""Characters of the longest text that is read as a position."""


class Word(NamedTuple):
    """A part of the text, and the column at which it starts, from 1."""

    text: str
    column: int

    def split(self, separator: str) -> list[Word]:
        """Return the parts between separators, each with its own column."""
        parts, at = [], self.column
        for text in self.text.split(separator):
            parts.append(Word(text, at))
            at += len(text) + len(separator)
        return parts

    def fault(self, code: str, **data: str) -> BadPositionText:
        """Return the error that this part is wrong."""
        return BadPositionText(code, self.text, self.column, **data)


def own_switches(board: Board) -> Mapping[str, int | str]:
    """Return the switches that a map of the package has by itself; none for any other map."""
    if board.id not in known_maps():
        return {}
    known = known_board(board.id)
    return asdict(known.rules) if board == known.with_rules(asdict(board.rules)) else {}


def _write_power(position: Position, power: str) -> str:
    """Return everything of one power: units, centres, building centres won, and nobility."""
    units = [unit for unit in position.units if unit.power == power]
    lost = [entry for entry in position.dislodged if entry.unit.power == power]
    listed = [_write_unit(unit) for unit in sorted(units, key=_sort_key)]
    listed += map(_write_dislodged, sorted(lost, key=lambda entry: _sort_key(entry.unit)))
    homes = sorted(position.homes.get(power, ()), key=position.board.centres.index)
    points = str(position.nobility.get(power, ""))
    parts = [power, *map(",".join, (listed, position.centres_of(power), homes)), points]
    return ":".join(parts).rstrip(":")


def _sort_key(unit: Unit) -> tuple[str, int, str]:
    return unit.province, unit.number, unit.kind


def _write_unit(unit: Unit) -> str:
    number = f"#{unit.number}" if unit.number != 1 else ""
    return f"{unit.kind}{unit.location}{number}"


def _write_dislodged(entry: Dislodged) -> str:
    attacker = f"{entry.by.power}.{_write_unit(entry.by)}"
    retreats = ">" + "+".join(entry.retreats) if entry.retreats else ""
    return f"{_write_unit(entry.unit)}!{attacker}{retreats}"


def _read_text(text: str, board: Board | None) -> Position:
    """Return the position of a line, whether it is possible or not.

    Raises:
        BadPositionText: with the part at fault and its column.
    """
    if len(text) > MOST_TEXT:
        raise Word(text[:40], 1).fault("position-text-long", most=str(MOST_TEXT))
    words = [Word(found[0], found.start() + 1) for found in _WORD.finditer(text)]
    if len(words) < 2:
        raise Word(text.strip(), 1).fault("position-text-short")
    board = _read_board(words[0], board)
    entries: dict[str, _OfPower] = {}
    for word in words[2:]:
        entry = _OfPower(word, board)
        if entry.power in entries:
            raise word.fault("position-text-power-twice", power=entry.power)
        entries[entry.power] = entry
    owners: dict[str, str] = {}
    for entry in entries.values():
        for centre in entry.centres:
            if centre.text in owners:
                raise centre.fault("position-text-centre-twice")
            owners[centre.text] = entry.power
    try:
        phase = parse_phase(words[1].text, board.rules.picks)
    except ValueError:
        raise words[1].fault("position-text-phase") from None
    return Position(
        board,
        phase,
        [unit for entry in entries.values() for unit in entry.units],
        owners,
        {power: entry.homes for power, entry in entries.items() if entry.homes},
        {p: int(entry.points) for p, entry in entries.items() if entry.points},
        [lost for entry in entries.values() for lost in entry.dislodged],
    )


def _read_board(word: Word, board: Board | None) -> Board:
    match = _MAP.fullmatch(word.text)
    if not match:
        raise word.fault("position-text-map", near="")
    map_id = match[1]
    if board is None:
        if map_id not in known_maps():
            raise word.fault("position-text-map", near=near(map_id, known_maps()))
        board = known_board(map_id)
    elif board.id != map_id:
        raise word.fault("position-text-other-map", map=board.id)
    switches: dict[str, int | str] = dict(own_switches(board))
    if match[2] is not None:
        for part in Word(match[2], word.column + match.start(2)).split(","):
            name, value = _read_switch(part)
            switches[name] = value
    return board.with_rules(switches)


def _read_switch(word: Word) -> tuple[str, int | str]:
    name, _, text = word.text.partition("=")
    switch = SWITCHES.get(name)
    if switch is None:
        raise word.fault("position-text-switch", near=near(name, SWITCHES))
    value = int(text) if _POINTS.fullmatch(text) else text
    if not switch.allows(value):
        raise word.fault("position-text-switch-value", rule=name, allowed=switch.allowed)
    return name, value


class _OfPower:
    """Everything that a word says of one power; ``points`` is "" if it says nothing of nobility."""

    def __init__(self, word: Word, board: Board) -> None:
        parts = word.split(":")
        power = parts[0].text
        if power not in board.powers and power != INDEPENDENT:
            raise parts[0].fault("position-text-power", near=near(power, board.powers))
        if len(parts) > _MOST_PARTS:
            raise parts[_MOST_PARTS].fault("position-text-parts")
        units, centres, homes, points = [*parts[1:], *[Word("", 0)] * 4][:4]
        if points.text and not _POINTS.fullmatch(points.text):
            raise points.fault("position-text-points")
        listed = _split_list(units)
        self.power = power
        self.units = [_read_unit(u, power, board) for u in listed if "!" not in u.text]
        self.dislodged = [_read_dislodged(u, power, board) for u in listed if "!" in u.text]
        self.centres = [_known_province(centre, board) for centre in _split_list(centres)]
        self.homes = [_known_province(home, board).text for home in _split_list(homes)]
        self.points = points.text


def _split_list(word: Word) -> list[Word]:
    return word.split(",") if word.text else []


def _read_unit(word: Word, power: str, board: Board) -> Unit:
    match = _UNIT.fullmatch(word.text)
    if not match:
        raise word.fault("position-text-unit")
    kind, province, coast, number = match.groups()
    if province not in board.provinces:
        raise word.fault("position-text-province", near=near(province, board.provinces))
    if coast and coast not in board.provinces[province].coasts:
        raise word.fault("position-text-coast", province=province)
    return Unit(power, kind, province, coast or "", 1 if number is None else int(number))


def _write_example(board: Board) -> str:
    """Return how a dislodged unit is written on the board: ``ABER!Austria.AKIE>PRU``."""
    examples = list_examples(board)
    army, to = examples["example_army"].replace(" ", ""), examples["example_to"]
    return f"{army}!{examples['example_other']}.A{to}>{army[1:]}"


def _read_dislodged(word: Word, power: str, board: Board) -> Dislodged:
    unit, attack, *more = word.split("!")
    attacker, *ways = attack.split(">")
    by_power, dot, _ = attacker.text.partition(".")
    if more or len(ways) > 1 or not dot:
        raise word.fault("position-text-dislodged", example=_write_example(board))
    if by_power and by_power not in board.powers and by_power != INDEPENDENT:
        where = Word(by_power, attacker.column)
        raise where.fault("position-text-power", near=near(by_power, board.powers))
    by = Word(attacker.text[len(by_power) + 1 :], attacker.column + len(by_power) + 1)
    retreats = [way for word in ways for way in word.split("+")]
    for way in retreats:
        if way.text not in board.tables.location:
            raise way.fault("position-text-province", near=near(way.text, board.provinces))
    lost, attacking = _read_unit(unit, power, board), _read_unit(by, by_power, board)
    return Dislodged(lost, attacking, [way.text for way in retreats])


def _known_province(word: Word, board: Board) -> Word:
    if word.text not in board.provinces:
        raise word.fault("position-text-province", near=near(word.text, board.provinces))
    return word
