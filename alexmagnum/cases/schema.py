"""The keys of turn and case files: reading them, every fault named by its key, and writing them."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from alexmagnum import position as positions
from alexmagnum.board.geography import split_location
from alexmagnum.board.map_file import known_board, known_maps
from alexmagnum.board.model import INDEPENDENT, Board, Rules, list_examples
from alexmagnum.errors import BadFile, BadPosition, Fault, fault
from alexmagnum.files import LONGEST_NAME, parse_yaml, read_json, read_text
from alexmagnum.notation import write_order
from alexmagnum.notation.names import list_powers
from alexmagnum.orders import Order
from alexmagnum.units import KINDS

# Reading the data of turn and case files; every fault is named by file and key.


PHASES = {
    "spring_moves": (positions.SPRING, False),
    "autumn_moves": (positions.AUTUMN, False),
    "retreats": (positions.SPRING, True),
    "autumn_retreats": (positions.AUTUMN, True),
    "winter_adjustments": (positions.WINTER, False),
    "picks": (positions.PICKS, False),
    "deployment": (positions.DEPLOYMENT, False),
}


def read_file(path: Path) -> Any:
    """Return the data of a file: JSON if its name ends in ``.json``, otherwise YAML."""
    if path.suffix.lower() == ".json":
        return read_json(path)
    return parse_yaml(read_text(path), str(path))


class MappingReader:
    """A mapping in a file, with its place in the file for messages."""

    def __init__(self, path: str, where: str, data: Any) -> None:
        self.path = path
        self.where = where
        self.data: dict[str, Any] = data

    def at(self, key: str) -> str:
        """Return the place of a key in the file."""
        return f"{self.where}.{key}" if self.where else key

    def bad(self, key: str, code: str, **data: str) -> BadFile:
        """Return the refusal of the value of a key."""
        return BadFile(self.path, code, where=self.at(key), **data)

    def unknown(self, key: str, word: str, known: Iterable[str]) -> BadFile:
        """Return the refusal of an unknown word, with the nearest known one."""
        word = word[:LONGEST_NAME]
        near = get_close_matches(word, sorted(known), 1)
        hint = near[0] if near else ", ".join(sorted(known))
        return self.bad(key, "unknown-word", word=word, hint=hint)

    def refuse(self, faults: Iterable[Fault]) -> None:
        """Raise all faults of the position at once, if there are any.

        Raises:
            BadPosition: with the faults.
        """
        if named := tuple(replace(fault, where=self.at(fault.where)) for fault in faults):
            raise BadPosition("bad-position", self.path, named)

    def mapping(self, known: Iterable[str]) -> None:
        """Check that this is a mapping, and has known keys only.

        Raises:
            BadFile: with the key at fault.
        """
        if not isinstance(self.data, dict):
            raise BadFile(self.path, "not-a-mapping", where=self.where or "file")
        for key in self.data:
            if key not in known:
                raise self.unknown(str(key), str(key), known)

    def get(self, key: str, kind: type, default: Any) -> Any:
        """Return the value of a key, which must be of a type; the default if there is none."""
        if (value := self.data.get(key)) is None:
            return default
        if not isinstance(value, kind) or isinstance(value, bool):
            raise self.bad(key, "wrong-type", wanted=kind.__name__, got=type(value).__name__)
        return value

    def flag(self, key: str) -> bool:
        """Return the value of a key that is ``true`` or ``false``; false if it is missing."""
        value = self.data.get(key)
        if value is not None and not isinstance(value, bool):
            raise self.bad(key, "wrong-type", wanted="true", got=type(value).__name__)
        return bool(value)

    def phase_name(self) -> str:
        """Return the name of the phase."""
        if (phase := str(self.data.get("phase", "spring_moves"))) not in PHASES:
            raise self.unknown("phase", phase, PHASES)
        return phase

    def by_power(self, board: Board, key: str) -> dict[str, tuple[str, ...]]:
        """Return lists of texts by power; powers may be given by name."""
        listed: dict[str, tuple[str, ...]] = {}
        for name, texts in self.get(key, dict, {}).items():
            power = self.known_power(board, f"{key}.{name}", str(name))
            if not isinstance(texts, list) or not all(isinstance(t, str) for t in texts):
                raise self.bad(f"{key}.{name}", "not-a-list")
            listed[power] = (*listed.get(power, ()), *texts)
        return listed

    def numbers(self, board: Board, key: str) -> dict[str, int]:
        """Return numbers by power."""
        numbers = {}
        for name, value in self.get(key, dict, {}).items():
            power = self.known_power(board, f"{key}.{name}", str(name))
            if not isinstance(value, int) or isinstance(value, bool):
                raise self.bad(f"{key}.{name}", "not-a-number")
            numbers[power] = value
        return numbers

    def owners(self, board: Board) -> dict[str, str]:
        """Return the owner of each centre from the lists by power; ``NEU`` lists some without."""
        owners: dict[str, str] = {}
        for power, centres in self.by_power(board, "centers").items():
            for centre in centres:
                if (other := owners.setdefault(centre, power)) != power:
                    data = {"province": centre, "power": power, "other": other}
                    self.refuse([Fault(f"centers.{power}", "two-owners", data)])
        return {centre: power for centre, power in owners.items() if power != INDEPENDENT}

    def known_power(self, board: Board, key: str, name: str) -> str:
        """Return the id of the power that a key names."""
        found = list_powers(board, name)
        if len(found) > 1:
            raise self.bad(key, "several-powers-in-file", word=name, choices=", ".join(found))
        if not found:
            raise self.unknown(key, name, [*board.powers, INDEPENDENT])
        return found[0]

    def texts(self, key: str) -> list[str]:
        """Return a list of texts."""
        texts = self.get(key, list, [])
        if not all(isinstance(text, str) for text in texts):
            raise self.bad(key, "not-a-list")
        return list(texts)

    def require(self, *keys: str) -> None:
        """Check that each of these keys has a text."""
        for key in keys:
            if not isinstance(self.data.get(key), str):
                raise self.bad(key, "wrong-type", wanted="str", got="nothing")

    def number_fleets(
        self, board: Board, key: str, units: Sequence[positions.Unit]
    ) -> list[positions.Unit]:
        """Return units; those without a number get the lowest free ones as they are listed.

        Raises:
            BadPosition: fleets of several powers in one sea have no number, because then their
                numbers would depend on the order of the powers.
        """
        taken = {(unit.province, unit.number) for unit in units if unit.number}
        self.refuse(_find_unnumbered(board, key, units, taken))
        return _give_numbers(board, units, taken)

    def unit(self, board: Board, key: str, power: str, text: str) -> positions.Unit:
        """Return a unit as written, ``F STP/SC`` or ``F EGE#2``; without a number it has 0."""
        kind, _, at = text.strip().partition(" ")
        try:
            province, coast, number = split_location(at.strip().upper())
        except ValueError:
            example = list_examples(board, power)["example_army"]
            raise self.bad(key, "not-a-unit", unit=text, example=example) from None
        if kind.upper() not in KINDS or province not in board.provinces:
            near = get_close_matches(province[:LONGEST_NAME], board.provinces, 1)
            letter = kind.upper() if kind.upper() in KINDS else "A"
            example = f"{letter} {near[0]}" if near else list_examples(board, power)["example_army"]
            raise self.bad(key, "not-a-unit", unit=text, example=example)
        if "#" in at and not number:
            places = str(board.provinces[province].capacity)
            data = {"unit": text.strip(), "province": province, "places": places}
            self.refuse([Fault(key, "no-such-place", data)])
        return positions.Unit(power, kind.upper(), province, coast, number)

    def position(self, board: Board, phase: positions.Phase) -> positions.Position:
        """Return the position before a phase.

        Raises:
            BadPosition: it cannot stand.
        """
        written = [
            self.unit(board, f"units.{power}", power, text)
            for power, texts in self.by_power(board, "units").items()
            for text in texts
        ]
        units = self.number_fleets(board, "units", written)
        owners, homes = self.owners(board), self.by_power(board, "homes")
        points = self.numbers(board, "nobility")
        lost = list(self._dislodged(board, units)) if phase.retreats else []
        numbered = self.number_fleets(board, "dislodged", [entry.unit for entry in lost])
        dislodged = [replace(e, unit=unit) for e, unit in zip(lost, numbered, strict=True)]
        position = positions.Position(board, phase, units, owners, homes, points, dislodged)
        self.refuse(position.problems())
        return position

    def _dislodged(
        self, board: Board, units: Sequence[positions.Unit]
    ) -> Iterator[positions.Dislodged]:
        """Yield the dislodged units as they are written; ``units`` stand on the board."""
        for i, entry in enumerate(self.get("dislodged", list, [])):
            inner = MappingReader(self.path, self.at(f"dislodged[{i}]"), entry)
            inner.mapping({"power", "unit", "by", "by_power", "retreats"})
            power = inner.known_power(board, "power", str(entry.get("power", "")))
            unit = inner.unit(board, "unit", power, str(entry.get("unit", "")))
            by = inner._find_attacker(board, unit, units)
            retreats = inner.texts("retreats")
            for way in retreats:
                if way not in board.tables.location:
                    raise inner.unknown("retreats", str(way), board.tables.location)
            yield positions.Dislodged(unit, by, tuple(retreats))

    def _find_attacker(
        self, board: Board, lost: positions.Unit, units: Iterable[positions.Unit]
    ) -> positions.Unit:
        """Return the unit that dislodged another: as written, or the one that stands there now."""
        if self.data.get("by") is None and "by_power" not in self.data:
            if not (there := [unit for unit in units if unit.province == lost.province]):
                name = f"{lost.kind} {lost.province}"
                raise self.bad("by", "dislodged-by-nobody", unit=name, province=lost.province)
            return next((unit for unit in there if unit.number == lost.number), there[0])
        by = self.unit(board, "by", "", str(self.data.get("by", "")))
        if "by_power" in self.data:
            attacker = self.known_power(board, "by_power", str(self.data["by_power"]))
            by = replace(by, power=attacker, number=by.number or 1)
        return by


def _find_unnumbered(
    board: Board, key: str, units: Sequence[positions.Unit], taken: Collection[tuple[str, int]]
) -> Iterator[Fault]:
    """Yield the seas where fleets of several powers have no number, with one way to number them."""
    open_ = [
        unit
        for unit in units
        if not unit.number
        and board.provinces[unit.province].is_sea
        and board.provinces[unit.province].capacity > 1
    ]
    for province in dict.fromkeys(unit.province for unit in open_):
        fleets = [unit for unit in open_ if unit.province == province]
        if len({unit.power for unit in fleets}) > 1:
            numbered = _give_numbers(board, fleets, taken)
            fix = ", ".join(f"{unit.power}: {unit.kind} {unit.place}" for unit in numbered)
            yield fault(key, "fleets-without-number", province=province, fix=fix)


def _give_numbers(
    board: Board, units: Iterable[positions.Unit], taken: Collection[tuple[str, int]]
) -> list[positions.Unit]:
    """Give units without a number the lowest free one of their province; if none is free,
    :meth:`Position.problems` reports that it is too high or taken."""
    used, numbered = set(taken), []
    for unit in units:
        if not unit.number:
            capacity = board.provinces[unit.province].capacity
            last = capacity + 1 if capacity > 1 else 1
            number = next((n for n in range(1, last) if (unit.province, n) not in used), last)
            used.add((unit.province, number))
            numbered.append(replace(unit, number=number))
        else:
            numbered.append(unit)
    return numbered


# Writing turn files: the mirror of :mod:`alexmagnum.cases.files`.
#
# The same position always gives the same bytes, however its units happen to be listed.


_NAMES = {season: name for name, season in PHASES.items()}


def position_data(position: positions.Position) -> dict[str, Any]:
    """Return a position as the data of a turn file, without map, rules and orders."""
    phase = position.phase
    data: dict[str, Any] = {"phase": _NAMES[phase.season, phase.retreats]}
    if phase.year:
        data["year"] = phase.year
    if phase.period:
        data["period"] = phase.period
    powers = position.board.powers
    by_power = {
        power: [unit for unit in position.units if unit.power == power]
        for power in (*powers, INDEPENDENT)
    }
    data["units"] = {
        power: [
            unit_text(unit) for unit in sorted(units, key=lambda u: (u.province, u.number, u.kind))
        ]
        for power, units in by_power.items()
        if units
    }
    centres = {power: list(position.centres_of(power)) for power in powers}
    data["centers"] = {power: owned for power, owned in centres.items() if owned}
    if position.homes:
        data["homes"] = {p: list(position.homes[p]) for p in powers if p in position.homes}
    if position.nobility:
        data["nobility"] = {p: position.nobility[p] for p in powers if p in position.nobility}
    if phase.retreats:
        listed = sorted(
            position.dislodged, key=lambda d: (d.unit.power, d.unit.province, d.unit.number)
        )
        data["dislodged"] = [
            {
                "power": entry.unit.power,
                "unit": unit_text(entry.unit),
                "by": unit_text(entry.by),
                **({"by_power": entry.by.power} if entry.by.power else {}),
                "retreats": list(entry.retreats),
            }
            for entry in listed
        ]
    return data


def unit_text(unit: positions.Unit) -> str:
    """Return a unit as a turn file lists it: with its number unless that is 1 (R8)."""
    return str(unit) + (f"#{unit.number}" if unit.number > 1 else "")


def read_position(data: Mapping[str, Any], board: Board, source: str = "") -> positions.Position:
    """Return the position of such data: the mirror of :func:`position_data`."""
    reader = MappingReader(source, "", dict(data))
    season, retreats = PHASES[reader.phase_name()]
    year, period = reader.get("year", int, 0), reader.get("period", int, 0)
    return reader.position(board, positions.Phase(year, season, retreats, period))


def canonical(position: positions.Position) -> positions.Position:
    """Return the same position with everything listed in the sequence in which it is written."""
    return read_position(position_data(position), position.board)


def turn_text(
    position: positions.Position,
    orders: Mapping[str, Sequence[Order | str]] | None = None,
    *,
    map_name: str = "",
) -> str:
    """Return a position, with orders by power if given, as the YAML text of a turn file.

    ``map_name`` is the id or path of the map; by default it is the id of the board.  Switches are
    listed if they differ from those of the map.
    """
    board = position.board
    name = map_name or board.id
    top: dict[str, Any] = {"map": name}
    # For a map of somebody's own every switch is listed that the standard game has otherwise.
    own = asdict(known_board(name).rules if name in known_maps() else Rules())
    switches = {rule: value for rule, value in asdict(board.rules).items() if value != own[rule]}
    if switches:
        top["rules"] = switches
    top |= position_data(position)
    if orders is not None:
        top["orders"] = {
            power: [order if isinstance(order, str) else write_order(order) for order in listed]
            for power, listed in orders.items()
        }
    return "".join(_lines(top))


# -- YAML ------------------------------------------------------------------------------------------


def _lines(data: Mapping[str, Any]) -> Iterable[str]:
    """Yield YAML in the style of the case files: one line per power, texts quoted as in JSON."""
    for key, value in data.items():
        if isinstance(value, dict) and value and key != "rules":
            yield f"{key}:\n"
            for name, inner in value.items():
                if key == "orders" and inner:
                    yield f"  {_flow(name)}:\n"
                    yield from (f"    - {_flow(line)}\n" for line in inner)
                else:
                    yield f"  {_flow(name)}: {_flow(inner)}\n"
        elif isinstance(value, list) and value:
            yield f"{key}:\n"
            yield from (f"  - {_flow(entry)}\n" for entry in value)
        else:
            yield f"{key}: {_flow(value)}\n"


def _flow(value: Any) -> str:
    """Return a value on one line; a text is plain if YAML cannot take it for anything else."""
    if isinstance(value, str):
        return value if _is_plain(value) else json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return f"[{', '.join(map(_flow, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_flow(k)}: {_flow(v)}" for k, v in value.items()) + "}"
    return json.dumps(value)


_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})


def _is_plain(text: str) -> bool:
    plain = all(c.isascii() and (c.isalnum() or c in " -/_.#") for c in text)
    comment = " #" in text or text.endswith(" ") or "  " in text
    return plain and not comment and text[:1].isalpha() and text.lower() not in _WORDS
