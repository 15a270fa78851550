"""Reading the JSON value of a map file into a board and the faults of its shape.

This file knows the keys of a map and the values they may have; :mod:`alexmagnum.board.soundness`
checks whether provinces, borders and rivers fit together.  A faulty value is reported and replaced
by its default, so that one pass finds all faults.  ``tools/json_schemas.py`` makes the published
JSON Schema from the tables here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from alexmagnum.board.geography import (
    ARMY,
    BOTH,
    FLEET,
    ISLAND,
    LAND,
    SEA,
    Border,
    Coast,
    Portage,
    Province,
    River,
    Strait,
)
from alexmagnum.board.model import Board, Power, Rules, places
from alexmagnum.board.switches import near, show, switch_faults
from alexmagnum.errors import Fault

ERAS = (BC, AD) = ("bc", "ad")
"""The directions in which the years of a calendar count: down, up."""

FORMAT = 1
"""The version of the map file's format that this package reads."""

_REQUIRED: Any = object()
ID = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,31}")
PROVINCE_ID = re.compile(r"[A-Z][A-Z0-9]{1,7}")
CODE = re.compile(r"[A-Z]{1,4}")
COLOR = re.compile(r"#[0-9A-Fa-f]{6}")


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip()) and value.isprintable()


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
    """One key of an object: the type of its value, its default and the words allowed."""

    type: str
    default: Any = _REQUIRED
    words: tuple[str, ...] = ()

    @property
    def is_required(self) -> bool:
        """True if a file without the key is faulty."""
        return self.default is _REQUIRED


_NAMED = {"name": Key("names"), "aliases": Key("texts", [])}

MAP = {
    "$schema": Key("text", ""),
    "format": Key("number"),
    "id": Key("id"),
    "name": Key("names"),
    "description": Key("names", {}),
    "geometry": Key("text", ""),
    "coasts": Key("object", {}),
    "powers": Key("list"),
    "provinces": Key("list"),
    "borders": Key("list"),
    "rivers": Key("list", []),
    "portages": Key("list", []),
    "straits": Key("list", []),
    "impassable": Key("texts", []),
    "rules": Key("object", {}),
    "rulings": Key("texts", []),
    "era": Key("text", "", ERAS),
}
POWER = {
    "id": Key("id"),
    **_NAMED,
    "color": Key("color", ""),
    "start_centres": Key("texts", []),
    "units": Key("texts", []),
}
PROVINCE = {
    "id": Key("province-id"),
    **_NAMED,
    "terrain": Key("text", LAND, (LAND, SEA, ISLAND)),
    "coastal": Key("flag", False),
    "coasts": Key("texts", []),
    "river": Key("texts", []),
    "centre": Key("text", "", ("start", "fixed", "neutral", "independent")),
    "major": Key("flag", False),
    "area": Key("text", ""),
    "capacity": Key("number", 0),
    "attested": Key("flag", True),
    "region": Key("text", ""),
}
RIVER = {"id": Key("id"), **_NAMED, "mouth": Key("text"), "course": Key("texts")}
PORTAGE = {
    "id": Key("id"),
    "name": Key("names"),
    "over": Key("text"),
    "ends": Key("ends"),
    "raiders": Key("texts", []),
}
STRAIT = {
    "between": Key("pair"),
    "over": Key("text"),
    "type": Key("text", words=(ARMY, FLEET, BOTH)),
    "attested": Key("flag", True),
}
COAST = {**_NAMED}


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
    return _Reader().map(raw)


class _Reader:
    """Reads one map and collects its faults."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def fault(self, where: str, code: str, severity: str = "error", **data: str) -> None:
        """Report a fault."""
        self.faults.append(Fault(where or "map", code, data, severity))

    def map(self, raw: object) -> Draft:
        """Return the board of a map's value, with the faults of its shape."""
        top = self.entry("", raw, MAP)
        if top.get("format", FORMAT) != FORMAT:
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
        at = f"{where}." if where else ""
        for name, value in raw.items():
            key = keys.get(name)
            if key is None:
                self.unknown_key(at, name, keys)
            elif self.is_usable(at + name, value, key):
                got[name] = value
        for name, key in keys.items():
            if key.is_required and name not in raw:
                self.fault(where, "missing-key", key=name)
        return got

    def is_usable(self, where: str, value: object, key: Key) -> bool:
        """Return whether a value may stand under a key; report it if it may not."""
        if not _TYPES[key.type](value):
            self.fault(where, f"not-{key.type}", found=show(value))
            return False
        if key.words and value not in key.words:
            self.fault(where, "bad-value", found=show(value), allowed=", ".join(key.words))
            return False
        return True

    def unknown_key(self, at: str, name: str, keys: Mapping[str, Key]) -> None:
        """Report a key that means nothing."""
        shown = show(name).strip('"')
        self.fault(at + shown, "unknown-key", "warning", key=shown, near=near(shown, keys))

    def entries(
        self, section: str, raw: list[object], keys: Mapping[str, Key]
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the entries of a list of objects, each with its place; every id comes once."""
        seen: set[str] = set()
        for i, item in enumerate(raw):
            found = item.get("id") if isinstance(item, dict) else None
            usable = isinstance(found, str) and ID.fullmatch(found)
            where = f"{section}.{found}" if usable else f"{section}[{i}]"
            got = self.entry(where, item, keys)
            if "id" not in got:
                continue
            if got["id"] in seen:
                self.fault(f"{section}[{i}].id", "duplicate-id", id=got["id"])
                continue
            seen.add(got["id"])
            yield where, got

    def rules(self, raw: dict[str, Any]) -> Rules:
        """Return the switches of a map; a faulty one keeps its default."""
        faults = list(switch_faults(raw))
        self.faults += faults
        bad = {fault.where.removeprefix("rules.") for fault in faults}
        return Rules().changed({name: value for name, value in raw.items() if name not in bad})

    def provinces(self, raw: list[object] | None, rules: Rules) -> dict[str, Province]:
        """Return the provinces by id."""
        provinces: dict[str, Province] = {}
        for where, got in self.entries("provinces", raw or [], PROVINCE):
            province = Province(
                id=got["id"],
                names=got.get("name", {"en": got["id"]}),
                aliases=tuple(got["aliases"]),
                terrain=got["terrain"],
                coastal=got["coastal"],
                coasts=tuple(got["coasts"]),
                rivers=tuple(got["river"]),
                centre=got["centre"],
                major=got["major"],
                area=got["area"],
                attested=got["attested"],
                region=got["region"],
            )
            provinces[province.id] = self.with_capacity(where, province, got["capacity"], rules)
        if raw == []:
            self.fault("provinces", "none-listed")
        return provinces

    def with_capacity(self, where: str, province: Province, given: int, rules: Rules) -> Province:
        """Return the province with the capacity that the rules give it, whatever the file says."""
        right = places(province, rules)
        if given not in (0, right):
            data = {"given": str(given), "right": str(right)}
            self.fault(f"{where}.capacity", "capacity-mismatch", "warning", **data)
        return province if right == 1 else province.with_capacity(right)

    def powers(self, raw: list[object] | None) -> dict[str, Power]:
        """Return the powers by id."""
        powers = {
            got["id"]: Power(
                id=got["id"],
                names=got.get("name", {"en": got["id"]}),
                aliases=tuple(got["aliases"]),
                color=got["color"],
                homes=tuple(got["start_centres"]),
                units=tuple(got["units"]),
            )
            for _, got in self.entries("powers", raw or [], POWER)
        }
        if raw == []:
            self.fault("powers", "none-listed")
        return powers

    def borders(self, raw: list[object]) -> tuple[list[Border], list[int]]:
        """Return the usable borders, and their places in the file."""
        borders, at = [], []
        for i, item in enumerate(raw):
            if not (isinstance(item, list) and _is_texts(item) and len(item) == 3):
                self.fault(f"borders[{i}]", "not-border", found=show(item))
            elif item[2] not in (ARMY, FLEET, BOTH):
                words = ", ".join((ARMY, FLEET, BOTH))
                self.fault(f"borders[{i}]", "bad-value", found=show(item[2]), allowed=words)
            else:
                borders.append(Border(*item))
                at.append(i)
        return borders, at

    def rivers(self, raw: list[object]) -> Iterator[River]:
        """Yield the rivers."""
        for where, got in self.entries("rivers", raw, RIVER):
            if "course" not in got:
                continue
            course = tuple(got["course"])
            if len(course) < 2 or len(set(course)) < len(course):
                self.fault(f"{where}.course", "not-course")
            elif got.get("mouth", course[0]) != course[0]:
                data = {"mouth": got["mouth"], "first": course[0]}
                self.fault(f"{where}.mouth", "mouth-not-first", **data)
            if course:
                names = got.get("name", {"en": got["id"]})
                yield River(got["id"], names, course, tuple(got["aliases"]))

    def portages(self, raw: list[object]) -> Iterator[Portage]:
        """Yield the portages."""
        for _, got in self.entries("portages", raw, PORTAGE):
            if "over" in got and "ends" in got:
                one, two = got["ends"]
                names = got.get("name", {"en": got["id"]})
                ends = (tuple(one), tuple(two))
                yield Portage(got["id"], names, got["over"], ends, tuple(got["raiders"]))

    def straits(self, raw: list[object]) -> tuple[list[Strait], list[int]]:
        """Return the usable straits, and their places in the file."""
        straits, at = [], []
        for i, item in enumerate(raw):
            got = self.entry(f"straits[{i}]", item, STRAIT)
            if {"between", "over", "type"} <= got.keys():
                a, b = got["between"]
                straits.append(Strait((a, b), got["over"], got["type"]))
                at.append(i)
        return straits, at

    def coasts(self, raw: dict[str, object]) -> dict[str, Coast]:
        """Return the coasts by code."""
        coasts = {}
        for code, item in raw.items():
            shown = show(code).strip('"')
            if not CODE.fullmatch(code):
                self.fault(f"coasts.{shown}", "not-coast-code", found=shown)
                continue
            got = self.entry(f"coasts.{code}", item, COAST)
            coasts[code] = Coast(code, got.get("name", {"en": code}), tuple(got["aliases"]))
        return coasts
