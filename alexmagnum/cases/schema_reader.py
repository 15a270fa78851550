"""Reading the data of turn and case files; every fault is named by file and key."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from alexmagnum.board.examples import list_examples
from alexmagnum.board.geography import split_location
from alexmagnum.board.load import read_json, read_text
from alexmagnum.board.model import INDEPENDENT, Board
from alexmagnum.errors import BadFile, BadPosition, Fault
from alexmagnum.notation.power_names import list_powers
from alexmagnum.position import (
    AUTUMN,
    DEPLOYMENT,
    KINDS,
    PICKS,
    SPRING,
    WINTER,
    Dislodged,
    Unit,
)

PHASES = {
    "spring_moves": (SPRING, False),
    "autumn_moves": (AUTUMN, False),
    "retreats": (SPRING, True),
    "autumn_retreats": (AUTUMN, True),
    "winter_adjustments": (WINTER, False),
    "picks": (PICKS, False),
    "deployment": (DEPLOYMENT, False),
}


def read_file(path: Path) -> Any:
    """Return the data of a file: JSON if its name ends in ``.json``, otherwise YAML.

    Raises:
        BadFile: it cannot be read, or is neither.
    """
    if path.suffix.lower() == ".json":
        return read_json(path)
    from alexmagnum.cases.yaml_reader import parse_yaml  # few commands read YAML

    return parse_yaml(read_text(path), str(path))


class Reader:
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
        near = get_close_matches(word, sorted(known), 1)
        hint = near[0] if near else ", ".join(sorted(known))
        return self.bad(key, "unknown-word", word=word, hint=hint)

    def refuse(self, faults: Iterable[Fault]) -> None:
        """Raise all faults of the position at once, if there are any.

        Raises:
            BadPosition: with the faults.
        """
        named = tuple(replace(fault, where=self.at(fault.where)) for fault in faults)
        if named:
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
        value = self.data.get(key)
        if value is None:
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
        phase = str(self.data.get("phase", "spring_moves"))
        if phase not in PHASES:
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
                other = owners.setdefault(centre, power)
                if other != power:
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

    def units(self, board: Board, key: str) -> Iterator[Unit]:
        """Yield the units; fleets without a number get the lowest free ones as they are listed.

        Raises:
            BadPosition: fleets of several powers in one sea have no number, because then their
                numbers would depend on the order of the powers.
        """
        listed = [
            (power, self.unit(board, f"{key}.{power}", power, text))
            for power, texts in self.by_power(board, key).items()
            for text in texts
        ]
        taken = {(unit.province, unit.number) for _, unit in listed if unit.number}
        self.refuse(_find_unnumbered(board, key, [unit for _, unit in listed], taken))
        for _, unit in listed:
            if unit.number:
                yield unit
                continue
            number = _free_number(board, unit.province, taken)
            taken.add((unit.province, number))
            yield replace(unit, number=number)

    def unit(self, board: Board, key: str, power: str, text: str) -> Unit:
        """Return a unit as written, ``F STP/SC`` or ``F EGE#2``; without a number it has 0."""
        kind, _, at = text.strip().partition(" ")
        try:
            province, coast, number = split_location(at.strip().upper())
        except ValueError:
            example = list_examples(board, power)["example_army"]
            raise self.bad(key, "not-a-unit", unit=text, example=example) from None
        if kind.upper() not in KINDS or province not in board.provinces:
            near = get_close_matches(province, board.provinces, 1)
            letter = kind.upper() if kind.upper() in KINDS else "A"
            example = f"{letter} {near[0]}" if near else list_examples(board, power)["example_army"]
            raise self.bad(key, "not-a-unit", unit=text, example=example)
        if "#" in at and not number:
            places = str(board.provinces[province].capacity)
            data = {"unit": text.strip(), "province": province, "places": places}
            self.refuse([Fault(key, "no-such-place", data)])
        return Unit(power, kind.upper(), province, coast, number)

    def dislodged(self, board: Board, units: Sequence[Unit]) -> Iterator[Dislodged]:
        """Yield the dislodged units of a turn in a retreat phase; ``units`` stand on the board.

        Raises:
            BadPosition: fleets of several powers that were dislodged from one sea have no number.
        """
        found = list(self._dislodged_as_written(board, units))
        taken = {(d.unit.province, d.unit.number) for d in found if d.unit.number}
        self.refuse(_find_unnumbered(board, "dislodged", [d.unit for d in found], taken))
        for entry in found:
            unit = entry.unit
            if not unit.number:
                unit = replace(unit, number=_free_number(board, unit.province, taken))
                taken.add((unit.province, unit.number))
            yield replace(entry, unit=unit)

    def _dislodged_as_written(self, board: Board, units: Sequence[Unit]) -> Iterator[Dislodged]:
        """Yield the dislodged units as written; their number is 0 if none is given."""
        for i, entry in enumerate(self.get("dislodged", list, [])):
            inner = Reader(self.path, self.at(f"dislodged[{i}]"), entry)
            inner.mapping({"power", "unit", "by", "by_power", "retreats"})
            power = inner.known_power(board, "power", str(entry.get("power", "")))
            unit = inner.unit(board, "unit", power, str(entry.get("unit", "")))
            by = inner._find_attacker(board, unit, units)
            retreats = inner.texts("retreats")
            for way in retreats:
                if way not in board.tables.location:
                    raise inner.unknown("retreats", str(way), board.tables.location)
            yield Dislodged(unit, by, tuple(retreats))

    def _find_attacker(self, board: Board, lost: Unit, units: Iterable[Unit]) -> Unit:
        """Return the unit that dislodged another: as written, else the one that stands there now.

        Raises:
            BadFile: it is not said, and nobody stands there.
        """
        if self.data.get("by") is None and "by_power" not in self.data:
            there = [unit for unit in units if unit.province == lost.province]
            if not there:
                name = f"{lost.kind} {lost.province}"
                raise self.bad("by", "dislodged-by-nobody", unit=name, province=lost.province)
            return next((unit for unit in there if unit.number == lost.number), there[0])
        by = self.unit(board, "by", "", str(self.data.get("by", "")))
        if "by_power" in self.data:
            attacker = self.known_power(board, "by_power", str(self.data["by_power"]))
            by = replace(by, power=attacker, number=by.number or 1)
        return by


def _find_unnumbered(
    board: Board, key: str, units: Sequence[Unit], taken: Collection[tuple[str, int]]
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
            used = set(taken)
            named = []
            for unit in fleets:
                number = _free_number(board, province, used)
                used.add((province, number))
                named.append(f"{unit.power}: {unit.kind} {province}#{number}")
            yield Fault(
                key, "fleets-without-number", {"province": province, "fix": ", ".join(named)}
            )


def _free_number(board: Board, province: str, taken: Container[tuple[str, int]]) -> int:
    """Return the lowest free number in a province.

    If none is free, the number is too high or taken, and :meth:`Position.problems` reports it.
    """
    capacity = board.provinces[province].capacity
    last = capacity + 1 if capacity > 1 else 1
    return next((n for n in range(1, last) if (province, n) not in taken), last)
