"""Finding and loading maps, with all faults at once."""

from __future__ import annotations

import copyreg
import pickle
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from alexmagnum.board import geography
from alexmagnum.board.model import SWITCHES, Board, Power, Rules, near, places, show, switch_faults
from alexmagnum.errors import BadFile, BadMap, Fault, fault
from alexmagnum.files import LONGEST_NAME, find_below, is_file, is_line, parse_json, read_text
from alexmagnum.i18n.sentences import load_tables

# Reading the JSON value of a map file into a board and the faults of its shape; ``map_keys.toml``
# lists the keys. A faulty value is reported and replaced by its default, so that one pass finds all
# faults.


BC, AD = "bc", "ad"
"""The directions in which the years of a calendar count: down, up."""

FORMAT = 1
"""The version of the map file's format that this package reads."""

MOST, _MOST_ERRORS = 40, 500
"""The most entries of a list, keys of an object and neighbours of a province, unless the table of
keys says otherwise; after so many errors no more are looked for."""

_REQUIRED: Any = object()
RESERVED = re.compile(r"neu|gm|all|public|index|standby\d*", re.IGNORECASE)
"""Ids that no power may have: readers, owners and files that are none have these names."""
ID = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,31}")
PROVINCE_ID = re.compile(r"[A-Z][A-Z0-9]{1,7}")
CODE = re.compile(r"[A-Z]{1,4}")
COLOR = re.compile(r"#[0-9A-Fa-f]{6}")


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip()) and is_line(value)


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_names(value: object) -> bool:
    if not isinstance(value, dict) or not value:
        return False
    return all(map(_is_text, value)) and all(map(_is_text, value.values()))


def _is_ends(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(e and _is_texts(e) for e in value)


_TYPES: Mapping[str, Callable[[Any], bool]] = {
    "text": _is_text,
    "texts": _is_texts,
    "names": _is_names,
    "number": lambda value: type(value) is int,
    "flag": lambda value: isinstance(value, bool),
    "list": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
    "pair": lambda value: _is_texts(value) and len(value) == 2,
    "ends": _is_ends,
    "id": lambda value: isinstance(value, str) and bool(ID.fullmatch(value)),
    "color": lambda value: isinstance(value, str) and bool(COLOR.fullmatch(value)),
    "province-id": lambda value: isinstance(value, str) and bool(PROVINCE_ID.fullmatch(value)),
}
"""The test of each type of value; the code of a fault is ``not-`` and the name of the type."""


@dataclass(frozen=True, slots=True)
class Key:
    """One key of an object: the type of its value, its default, the words allowed and the most
    entries."""

    type: str
    default: Any = _REQUIRED
    words: Sequence[str] = ()
    most: int = MOST

    @property
    def is_required(self) -> bool:
        """True if a file without the key is faulty."""
        return self.default is _REQUIRED


(_TABLES,) = load_tables([Path(__file__).with_name("map_keys.toml")])
_KEYS = {
    thing: {key: Key(**about) for key, about in keys.items()} for thing, keys in _TABLES.items()
}
MAP, POWER, PROVINCE, RIVER, PORTAGE, STRAIT, COAST = _KEYS.values()
"""The keys of a map file and of the objects in it."""


@dataclass(slots=True)
class Draft:
    """A board made of all usable values of a file, and the faults of the file's shape.

    ``border_at`` and ``strait_at`` have the place in the file of each border and strait of the
    board, since entries of an unusable shape are left out.  ``has_era``: whether the file says
    which way its years count.
    """

    board: Board
    faults: list[Fault]
    border_at: list[int] = field(default_factory=list)
    strait_at: list[int] = field(default_factory=list)
    has_era: bool = False


def read_map(raw: object) -> Draft:
    """Make a board of the JSON value of a map file; this never raises, whatever the value."""
    return _MapReader().map(raw)


class _MapReader:
    """Reads one map and collects its faults."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def fault(self, where: str, code: str, severity: str = "error", **data: str) -> None:
        self.faults.append(Fault(where or "map", code, data, severity))

    def too_many(self, where: str, most: int) -> None:
        self.fault(where, "too-many", most=str(most))

    def map(self, raw: object) -> Draft:
        if (top := self.entry("", raw, MAP)).get("format", FORMAT) != FORMAT:
            self.fault("format", "unknown-format", found=show(top["format"]), known=str(FORMAT))
        rules = self.rules(top["rules"])
        # Games that began with an earlier version have copies of maps that do not tell their era.
        era = top["era"] or (BC if 0 < rules.last_year < rules.first_year else AD)
        borders, border_at = self.borders(top.get("borders", []))
        straits, strait_at = self.straits(top["straits"])
        map_id = top.get("id", "map")
        board = Board(
            id=map_id,
            names=top.get("name", {"en": map_id}),
            provinces=self.provinces(top.get("provinces"), rules),
            powers=self.powers(top.get("powers")),
            borders=tuple(borders),
            rules=rules,
            rivers=tuple(self.rivers(top["rivers"])),
            portages=tuple(self.portages(top["portages"])),
            straits=tuple(straits),
            impassable=tuple(top["impassable"]),
            rulings=tuple(top["rulings"]),
            coasts=self.coasts(top["coasts"]),
            geometry=top["geometry"],
            years_bc=era == BC,
        )
        return Draft(board, self.faults, border_at, strait_at, bool(top["era"]))

    def entry(self, where: str, raw: object, keys: Mapping[str, Key]) -> dict[str, Any]:
        """Return the usable values of an object, with defaults for missing and faulty ones.

        A required key without a usable value is not in the result.
        """
        got = {name: key.default for name, key in keys.items() if not key.is_required}
        if not isinstance(raw, dict):
            self.fault(where, "not-object", found=show(raw))
            return got
        if len(raw) > MOST:
            self.too_many(where, MOST)
            return got
        at = f"{where}." if where else ""
        for name, value in raw.items():
            if (key := keys.get(name)) is None:
                shown = show(name).strip('"')
                self.fault(at + shown, "unknown-key", "warning", key=shown, near=near(shown, keys))
            elif self.is_usable(at + name, value, key):
                got[name] = value
        for name, key in keys.items():
            if key.is_required and name not in raw:
                self.fault(where, "missing-key", key=name)
        return got

    def is_usable(self, where: str, value: Any, key: Key) -> bool:
        if not _TYPES[key.type](value):
            self.fault(where, f"not-{key.type}", found=show(value))
            return False
        entries = [x for end in value for x in end] if key.type == "ends" else value
        if isinstance(entries, (list, dict)) and len(entries) > key.most:
            self.too_many(where, key.most)
            return False
        if key.words and value not in key.words:
            self.fault(where, "bad-value", found=show(value), allowed=", ".join(key.words))
            return False
        return True

    def entries(
        self, section: str, raw: list[object], keys: Mapping[str, Key]
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the entries of a list of objects, each with its place; every id comes once."""
        seen: set[str] = set()
        for i, item in enumerate(raw):
            found = item.get("id") if isinstance(item, dict) else None
            usable = isinstance(found, str) and ID.fullmatch(found)
            where = f"{section}.{found}" if usable else f"{section}[{i}]"
            if "id" not in (got := self.entry(where, item, keys)):
                continue
            if got["id"] in seen:
                self.fault(f"{section}[{i}].id", "duplicate-id", id=got["id"])
                continue
            seen.add(got["id"])
            yield where, got

    def rules(self, raw: dict[str, Any]) -> Rules:
        self.faults += switch_faults(raw)
        return Rules().changed(
            {
                name: raw[name]
                for name, switch in SWITCHES.items()
                if name in raw and switch.allows(raw[name])
            }
        )

    def provinces(self, raw: list[object] | None, rules: Rules) -> dict[str, geography.Province]:
        provinces: dict[str, geography.Province] = {}
        for where, got in self.entries("provinces", raw or [], PROVINCE):
            given = got.pop("capacity")
            province = geography.Province(**_values(got, river="rivers"))
            right = places(province, rules)
            if given not in (0, right):  # the rules decide, whatever the file says
                data = {"given": str(given), "right": str(right)}
                self.fault(f"{where}.capacity", "capacity-mismatch", "warning", **data)
            provinces[province.id] = province if right == 1 else province.with_capacity(right)
        if raw == []:
            self.fault("provinces", "none-listed")
        return provinces

    def powers(self, raw: list[object] | None) -> dict[str, Power]:
        if raw == []:
            self.fault("powers", "none-listed")
        return {
            got["id"]: Power(**_values(got, start_centres="homes"))
            for _, got in self.entries("powers", raw or [], POWER)
        }

    def borders(self, raw: list[object]) -> tuple[list[geography.Border], list[int]]:
        borders, at = [], []
        near: dict[str, set[str]] = defaultdict(set)
        for i, item in enumerate(raw):
            if not (isinstance(item, list) and _is_texts(item) and len(item) == 3):
                self.fault(f"borders[{i}]", "not-border", found=show(item))
            elif item[2] not in (geography.ARMY, geography.FLEET, geography.BOTH):
                words = ", ".join((geography.ARMY, geography.FLEET, geography.BOTH))
                self.fault(f"borders[{i}]", "bad-value", found=show(item[2]), allowed=words)
            else:
                borders.append(geography.Border(*item))
                at.append(i)
                a, b = (geography.split_location(end)[0] for end in item[:2])
                near[a].add(b)
                near[b].add(a)
        for id_, others in near.items():
            if len(others) > MOST:
                self.too_many(f"provinces.{id_}.borders", MOST)
        return borders, at

    def rivers(self, raw: list[object]) -> Iterator[geography.River]:
        for where, got in self.entries("rivers", raw, RIVER):
            if "course" not in got:
                continue
            course = tuple(got["course"])
            if len(course) < 2 or len(set(course)) < len(course):
                self.fault(f"{where}.course", "not-course")
            elif got.get("mouth", course[0]) != course[0]:
                data = {"mouth": got["mouth"], "first": course[0]}
                self.fault(f"{where}.mouth", "mouth-not-first", **data)
            got.pop("mouth", "")
            if course:
                yield geography.River(**_values(got))

    def portages(self, raw: list[object]) -> Iterator[geography.Portage]:
        for _, got in self.entries("portages", raw, PORTAGE):
            if "over" in got and "ends" in got:
                yield geography.Portage(**_values(got))

    def straits(self, raw: list[object]) -> tuple[list[geography.Strait], list[int]]:
        straits, at = [], []
        for i, item in enumerate(raw):
            got = self.entry(f"straits[{i}]", item, STRAIT)
            if {"between", "over", "type"} <= got.keys():
                a, b = got["between"]
                straits.append(geography.Strait((a, b), got["over"], got["type"]))
                at.append(i)
        return straits, at

    def coasts(self, raw: dict[str, object]) -> dict[str, geography.Coast]:
        coasts = {}
        for code, item in raw.items():
            shown = show(code).strip('"')
            if not CODE.fullmatch(code):
                self.fault(f"coasts.{shown}", "not-coast-code", found=shown)
                continue
            got = self.entry(f"coasts.{code}", item, COAST)
            coasts[code] = geography.Coast(
                code, got.get("name", {"en": code}), tuple(got["aliases"])
            )
        return coasts


def _values(got: Mapping[str, Any], **renamed: str) -> dict[str, Any]:
    """Return the fields of a value from the keys of its entry; the id stands in for a name."""
    given = {"name": {"en": got["id"]}, **got}
    return {{"name": "names", **renamed}.get(key, key): _freeze(v) for key, v in given.items()}


def _freeze(value: Any) -> Any:
    return tuple(map(_freeze, value)) if isinstance(value, list) else value


# Checks that a map holds together: everything that play relies on, checked at loading.
#
# Each check takes the board as read and yields its faults; no check stops at the first fault.


_UNIT = re.compile(r"([AFG]) ([A-Z][A-Z0-9]*)(?:/([A-Z]+))?")


def draft_faults(draft: Draft) -> Iterator[Fault]:
    """Yield everything in a well-formed map that would make play impossible or undefined."""
    board = draft.board
    for province in board.provinces.values():
        yield from _check_province(board, province)
    yield from _check_borders(draft)
    for river in board.rivers:
        yield from _check_river(board, river)
    yield from _check_portages(board)
    yield from _check_straits(draft)
    for power in board.powers.values():
        yield from _check_power(board, power)
    yield from _check_ownership(board)
    if not draft.has_era and _years_count_down(board):
        yield Fault("era", "era-missing", _first_and_last(board))
        board = replace(board, years_bc=True)
    yield from start_faults(board)
    yield from _check_colors(board)


def start_faults(board: Board) -> Iterator[Fault]:
    """Yield what makes the start impossible to play with the switches of a board.

    A new game that changes switches checks this again.
    """
    rules, powers = board.rules, board.powers.values()
    for power in powers:
        if not rules.nobility and any(text.startswith("G ") for text in power.units):
            yield fault(f"powers.{power.id}.units", "general-without-nobility", power=power.id)
    yield from calendar_faults(board)
    needed = rules.victory_centres
    for power in powers:
        if len(set(power.homes)) >= needed:  # won before the game begins (R33)
            yield fault("rules.victory_centres", "won-at-start", power=power.id, needed=str(needed))


def calendar_faults(board: Board) -> Iterator[Fault]:
    """Yield a fault unless the years count from the first to the last."""
    rules = board.rules
    if not rules.last_year or rules.first_year == rules.last_year:
        return
    if (counts_down := _years_count_down(board)) != board.years_bc:
        yield Fault("era", "years-down" if counts_down else "years-up", _first_and_last(board))


def kinds_of_border(board: Board) -> dict[tuple[str, str], str]:
    """Return the border kind by pair of locations as the map gives them, both ways round."""
    kinds = {(b.a, b.b): b.kind for b in board.borders}
    return {(b, a): kind for (a, b), kind in kinds.items()} | kinds


def unknown_province(board: Board, where: str, text: str) -> Fault:
    """Return the fault of a text that should be a province id."""
    return Fault(where, "no-such-province", {"province": text, "near": near(text, board.provinces)})


def _check_province(board: Board, province: geography.Province) -> Iterator[Fault]:
    where = f"provinces.{province.id}"
    rivers = {river.id: river for river in board.rivers}
    for river in province.rivers:
        if river not in rivers:
            yield fault(f"{where}.river", "unknown-river", river=river, near=near(river, rivers))
        elif province.id not in rivers[river].course:
            yield fault(f"{where}.river", "river-not-on-course", river=river, province=province.id)
    for coast in province.coasts:
        if coast not in board.coasts:
            data = {"coast": coast, "near": near(coast, board.coasts)}
            yield Fault(f"{where}.coasts", "coast-not-listed", data)
    if len(province.coasts) == 1 or len(set(province.coasts)) < len(province.coasts):
        yield fault(f"{where}.coasts", "not-several-coasts", province=province.id)
    if province.is_sea and (province.coastal or province.coasts or province.centre):
        yield fault(where, "land-keys-at-sea", province=province.id)
    if province.coasts and not province.coastal:
        yield fault(f"{where}.coasts", "coasts-inland", province=province.id)
    if province.major and not province.centre:
        yield fault(f"{where}.major", "major-without-centre", province=province.id)


def _check_borders(draft: Draft) -> Iterator[Fault]:
    board = draft.board
    seen: dict[frozenset[str], tuple[str, str]] = {}
    for i, border in zip(draft.border_at, board.borders, strict=True):
        where = f"borders[{i}]"
        data = {"a": border.a, "b": border.b}
        problems = [
            f for end in (border.a, border.b) for f in _check_end(board, where, border, end)
        ]
        yield from problems
        if problems:
            continue
        if geography.split_location(border.a)[0] == geography.split_location(border.b)[0]:
            yield Fault(where, "border-with-itself", data)
            continue
        first, kind = seen.setdefault(frozenset((border.a, border.b)), (where, border.kind))
        if kind != border.kind:
            yield fault(where, "border-conflict", **data, first=first)
        elif first != where:
            yield fault(where, "border-twice", "warning", **data, first=first)


def _check_end(board: Board, where: str, border: geography.Border, end: str) -> Iterator[Fault]:
    name, slash, coast = end.partition("/")
    province = board.provinces.get(name)
    data = {"a": border.a, "b": border.b, "province": name}
    if province is None:
        yield unknown_province(board, where, name)
        return
    if slash and coast not in province.coasts:
        yield fault(where, "no-such-coast", location=end)
    elif slash and border.kind != geography.FLEET:
        yield Fault(where, "army-border-with-coast", data)
    elif province.coasts and not slash and border.kind != geography.ARMY:
        yield fault(where, "coast-missing", **data, known=", ".join(province.coasts))
    if province.is_sea and border.kind != geography.FLEET:
        yield Fault(where, "army-border-at-sea", data)
    if border.kind != geography.ARMY and not _takes_fleets(province):
        yield Fault(where, "fleet-border-inland", data)


def _takes_fleets(province: geography.Province) -> bool:
    return province.is_sea or province.coastal or bool(province.rivers)


def _check_river(board: Board, river: geography.River) -> Iterator[Fault]:
    where = f"rivers.{river.id}.course"
    for name in river.course:
        if (province := board.provinces.get(name)) is None:
            yield unknown_province(board, where, name)
        elif province.is_sea:
            yield fault(where, "river-at-sea", river=river.id, province=name)
        elif river.id not in province.rivers:
            data = {"river": river.id, "province": name}
            yield Fault(f"provinces.{name}.river", "river-not-listed", data)
    kinds = kinds_of_border(board)
    for a, b in zip(river.course, river.course[1:], strict=False):
        if a in board.provinces and b in board.provinces and kinds.get((a, b)) != geography.BOTH:
            yield fault(where, "river-step", river=river.id, a=a, b=b)


def _check_portages(board: Board) -> Iterator[Fault]:
    for portage in board.portages:
        where = f"portages.{portage.id}"
        if (over := board.provinces.get(portage.over)) is None:
            yield unknown_province(board, f"{where}.over", portage.over)
        elif over.is_sea:
            yield fault(f"{where}.over", "portage-over-sea", province=portage.over)
        for end in (*portage.ends[0], *portage.ends[1]):
            if end not in board.provinces:
                yield unknown_province(board, f"{where}.ends", end)
            elif not board.provinces[end].is_sea:
                yield fault(f"{where}.ends", "portage-end-on-land", province=end)
        for end in set(portage.ends[0]) & set(portage.ends[1]):
            yield fault(f"{where}.ends", "portage-ends-meet", province=end)
        for raider in portage.raiders:
            if raider not in board.provinces:
                yield unknown_province(board, f"{where}.raiders", raider)
            elif board.provinces[raider].is_sea:
                yield fault(f"{where}.raiders", "raider-at-sea", province=raider)


def _check_straits(draft: Draft) -> Iterator[Fault]:
    board = draft.board
    kinds = kinds_of_border(board)
    for i, strait in zip(draft.strait_at, board.straits, strict=True):
        where = f"straits[{i}]"
        a, b = strait.between
        unknown = [name for name in (a, b, strait.over) if name not in board.provinces]
        yield from (unknown_province(board, where, name) for name in unknown)
        if unknown:
            continue
        if kinds.get((a, b)) != strait.kind:
            yield fault(where, "strait-without-border", a=a, b=b, kind=strait.kind)
        if not board.provinces[strait.over].is_sea:
            yield fault(where, "strait-over-land", province=strait.over)


def _check_power(board: Board, power: Power) -> Iterator[Fault]:
    where = f"powers.{power.id}"
    if RESERVED.fullmatch(power.id):
        yield fault(f"{where}.id", "reserved-id", id=power.id)
    for home in power.homes:
        if home not in board.provinces:
            yield unknown_province(board, f"{where}.start_centres", home)
        elif board.provinces[home].centre != "fixed":
            yield fault(f"{where}.start_centres", "home-not-fixed", province=home)
    for text in power.units:
        yield from _check_unit(board, f"{where}.units", text)
    if sum(text.startswith("G ") for text in power.units) > 1:
        yield fault(f"{where}.units", "two-generals", power=power.id)


def _check_unit(board: Board, where: str, text: str) -> Iterator[Fault]:
    if not (match := _UNIT.fullmatch(text)):
        yield fault(where, "not-unit", found=text)
        return
    kind, name, coast = match.groups(default="")
    if (province := board.provinces.get(name)) is None:
        yield unknown_province(board, where, name)
    elif coast and coast not in province.coasts:
        yield fault(where, "no-such-coast", location=f"{name}/{coast}")
    elif kind != "F" and province.is_sea:
        yield fault(where, "army-afloat", unit=text)
    elif kind == "F" and not _takes_fleets(province):
        yield fault(where, "fleet-inland", unit=text)
    elif (kind == "F") != bool(coast) and province.coasts:
        yield fault(where, "coast-unsaid" if kind == "F" else "army-on-coast", unit=text)


def _check_ownership(board: Board) -> Iterator[Fault]:
    """Check that starting units fit in their provinces and each fixed centre has one owner."""
    standing: Counter[str] = Counter()
    owner: dict[str, str] = {}
    for power in board.powers.values():
        for text in power.units:
            match = _UNIT.fullmatch(text)
            if match and match[2] in board.provinces:
                standing[match[2]] += 1
                if standing[match[2]] == board.provinces[match[2]].capacity + 1:
                    yield fault(f"powers.{power.id}.units", "over-capacity", unit=text)
        for home in power.homes:
            if owner.setdefault(home, power.id) != power.id:
                data = {"province": home, "other": owner[home]}
                yield Fault(f"powers.{power.id}.start_centres", "home-of-two", data)
    for province in board.provinces.values():
        if province.centre == "fixed" and province.id not in owner:
            data = {"province": province.id}
            yield Fault(f"provinces.{province.id}.centre", "fixed-without-power", data)


def _years_count_down(board: Board) -> bool:
    return bool(board.rules.last_year) and board.rules.last_year < board.rules.first_year


def _first_and_last(board: Board) -> dict[str, str]:
    return {"first": str(board.rules.first_year), "last": str(board.rules.last_year)}


def _check_colors(board: Board) -> Iterator[Fault]:
    owner: dict[str, str] = {}
    for power in board.powers.values():
        first = owner.setdefault(power.color.casefold(), power.id) if power.color else power.id
        if first != power.id:
            data = {"power": power.id, "other": first, "color": power.color}
            yield Fault(f"powers.{power.id}.color", "same-color", data)


# Finding and loading maps: those that come with the package, or files of the game master.


def load_board(id_or_path: str | Path, rules: Mapping[str, Any] | None = None) -> Board:
    """Load a map by id (``"alexmagnum"``, ``"standard"``) or by the path of a file.

    ``rules`` sets switches differently from the map.

    >>> load_board("standard").rules.victory_centres
    18

    Raises:
        BadFile: there is no such map, or the file is not JSON.
        BadMap: it cannot be played on; ``faults`` lists everything that is wrong with it.
    """
    board, faults = read_map_file(find_map(id_or_path))
    faults += tuple(switch_faults(rules or {}))
    if any(fault.severity == "error" for fault in faults):
        raise BadMap("bad-map", str(id_or_path), faults)
    return board.with_rules(rules or {})


def read_map_file(path: Path) -> tuple[Board, tuple[Fault, ...]]:
    """Read a map file; return the board made of its usable values, and all faults and warnings."""
    draft = read_map_text(read_text(path), str(path))
    faults = tuple(draft.faults)
    if all(fault.code != "too-many" for fault in faults):
        faults += tuple(_find_first(draft_faults(draft)))
    shapes = path.parent / Path(draft.board.geometry).name  # they lie beside the map
    has_shapes = bool(draft.board.geometry) and is_file(shapes)
    return replace(draft.board, geometry=str(shapes) if has_shapes else ""), faults


def _find_first(faults: Iterator[Fault]) -> Iterator[Fault]:
    """Yield faults until there are very many errors: to guess what was meant takes time."""
    errors = 0
    for each in faults:
        yield each
        errors += each.severity == "error"
        if errors == _MOST_ERRORS:
            return


@lru_cache(maxsize=4)
def read_map_text(text: str, name: str) -> Draft:
    """Read the text of a map; ``name`` says in errors which file it is from.

    A text that was just read is not read again: a game has a copy of the map that its reports ask
    for too.
    """
    return read_map(parse_json(text, name))


def maps_folder() -> Path:
    """Return the folder of the maps: in the package when installed, beside it in a checkout."""
    here = Path(__file__).resolve()
    installed = here.parents[1] / "maps"
    return installed if installed.is_dir() else here.parents[2] / "maps"


def known_maps() -> tuple[str, ...]:
    """Return the ids of the maps that come with the package."""
    return tuple(sorted(path.stem for path in maps_folder().glob("*.json")))


def find_map(id_or_path: str | Path) -> Path:
    """Return the file of a map given by id or by path.

    Raises:
        BadFile: there is no such map; ``near`` in the data is the id that was probably meant.
    """
    text = str(id_or_path)
    path = Path(id_or_path)
    if isinstance(id_or_path, Path) or "/" in text or "\\" in text or path.suffix:
        return path
    known = known_maps()
    if not is_line(text):
        raise BadFile(text[:LONGEST_NAME], "unknown-map", near="", known=", ".join(known))
    shipped = maps_folder() / f"{text.lower()}.json"
    if text and is_file(shipped):
        return shipped
    if is_file(path):
        return path
    raise BadFile(text, "unknown-map", near=near(text, known), known=", ".join(known))


def locate_map(name: str, folder: Path) -> str | Path:
    """Return the map that a file in a folder names: the id of one that comes with the package, or a
    file below that folder or the working one.

    Raises:
        BadFile: ``unknown-map``, ``map-elsewhere``.
    """
    if name.lower() in (known := known_maps()):
        return name
    if (path := find_below(name, folder, Path())) is None:
        shown, data = name[:LONGEST_NAME], {"near": near(name, known), "known": ", ".join(known)}
        raise BadFile(shown, "unknown-map" if ID.fullmatch(name) else "map-elsewhere", **data)
    return path


# -- boards in pickles: a map of the package travels as its id and digest --------------------------


def _reduce_board(board: Board) -> tuple[Any, ...]:
    rules = asdict(board.rules)
    if board.id in known_maps() and board == known_board(board.id).with_rules(rules):
        return _restore_board, (board.id, board.digest, rules)
    return Board, tuple(getattr(board, field.name) for field in fields(board))


def _restore_board(map_id: str, digest: str, rules: Mapping[str, Any]) -> Board:
    if (board := known_board(map_id).with_rules(rules)).digest != digest:
        raise pickle.UnpicklingError(f"the map {map_id} has changed since this was stored")
    return board


@cache
def known_board(map_id: str) -> Board:
    """Return a map of the package, loaded once in a process."""
    return load_board(map_id)


copyreg.pickle(Board, _reduce_board)
