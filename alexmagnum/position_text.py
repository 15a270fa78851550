"""The line of text that stands for a position: its grammar, read and written.

Open this file to change what :meth:`alexmagnum.position.Position.to_text` writes; the grammar is in
``docs/library.md``.  This module knows maps and texts, and hands over plain values: a position is
made from them by the room below.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import NamedTuple

from alexmagnum.board.map_file import known_board, known_maps
from alexmagnum.board.model import INDEPENDENT, SWITCHES, Board, list_examples, near
from alexmagnum.errors import BadPositionText

_WORD = re.compile(r"\S+")
_MAP = re.compile(r"([^\[\]]+)(?:\[(.*)\])?")
_UNIT = re.compile(r"([AFG])([A-Z][A-Z0-9]*)(?:/([A-Z]+))?(?:#([0-9]{1,3}))?", re.ASCII)
_POINTS = re.compile(r"[0-9]{1,4}", re.ASCII)
_MOST_PARTS = 5


class UnitText(NamedTuple):
    """One unit as written: ``FSTP/SC``, ``FEGE#2``."""

    power: str
    kind: str
    province: str
    coast: str = ""
    number: int = 1


class DislodgedText(NamedTuple):
    """One dislodged unit as written: ``AMEN!SEL.ATEB>SIW+ALE``."""

    unit: UnitText
    by: UnitText
    retreats: tuple[str, ...]


class PowerText(NamedTuple):
    """Everything of one power: units, centres, building centres won, and nobility if written."""

    power: str
    units: tuple[UnitText, ...] = ()
    dislodged: tuple[DislodgedText, ...] = ()
    centres: tuple[str, ...] = ()
    homes: tuple[str, ...] = ()
    points: int | None = None


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


# -- writing ---------------------------------------------------------------------------------------


def write_text(board: Board, phase: str, powers: Iterable[PowerText]) -> str:
    """Return the line of a position; it is the same however units and powers are listed."""
    sequence = [*board.powers, INDEPENDENT]
    listed = sorted(powers, key=lambda entry: sequence.index(entry.power))
    words = [_write_map(board), phase, *map(_write_power, listed)]
    return " ".join(words)


def _write_map(board: Board) -> str:
    own = own_switches(board)
    changed = {name: value for name, value in asdict(board.rules).items() if own.get(name) != value}
    switches = ",".join(f"{name}={value}" for name, value in changed.items())
    return f"{board.id}[{switches}]" if switches else board.id


def own_switches(board: Board) -> Mapping[str, int | str]:
    """Return the switches that a map of the package has by itself; none for any other map."""
    if board.id not in known_maps():
        return {}
    known = known_board(board.id)
    return asdict(known.rules) if board == known.with_rules(asdict(board.rules)) else {}


def _write_power(entry: PowerText) -> str:
    units = [*map(_write_unit, sorted(entry.units, key=_sort_key))]
    units += map(_write_dislodged, sorted(entry.dislodged, key=lambda d: _sort_key(d.unit)))
    points = "" if entry.points is None else str(entry.points)
    parts = [entry.power, *map(",".join, (units, entry.centres, entry.homes)), points]
    return ":".join(parts).rstrip(":")


def _sort_key(unit: UnitText) -> tuple[str, int, str]:
    return unit.province, unit.number, unit.kind


def _write_unit(unit: UnitText) -> str:
    coast = f"/{unit.coast}" if unit.coast else ""
    number = f"#{unit.number}" if unit.number != 1 else ""
    return f"{unit.kind}{unit.province}{coast}{number}"


def _write_dislodged(entry: DislodgedText) -> str:
    attacker = f"{entry.by.power}.{_write_unit(entry.by)}"
    retreats = ">" + "+".join(entry.retreats) if entry.retreats else ""
    return f"{_write_unit(entry.unit)}!{attacker}{retreats}"


# -- reading ---------------------------------------------------------------------------------------


def read_text(text: str, board: Board | None) -> tuple[Board, Word, tuple[PowerText, ...]]:
    """Return the board of a line, its phase as written, and what it says of each power.

    Raises:
        BadPositionText: with the part at fault and its column.
    """
    words = [Word(found[0], found.start() + 1) for found in _WORD.finditer(text)]
    if len(words) < 2:
        raise Word(text.strip(), 1).fault("position-text-short")
    board = _read_board(words[0], board)
    entries: dict[str, PowerText] = {}
    for word in words[2:]:
        entry = _read_power(word, board)
        if entry.power in entries:
            raise word.fault("position-text-power-twice", power=entry.power)
        entries[entry.power] = entry
    _refuse_two_owners(words[2:])
    return board, words[1], tuple(entries.values())


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


def _read_power(word: Word, board: Board) -> PowerText:
    parts = word.split(":")
    power = parts[0].text
    if power not in board.powers and power != INDEPENDENT:
        raise parts[0].fault("position-text-power", near=near(power, board.powers))
    if len(parts) > _MOST_PARTS:
        raise parts[_MOST_PARTS].fault("position-text-parts")
    units, centres, homes, points = [*parts[1:], *[Word("", 0)] * 4][:4]
    if points.text and not _POINTS.fullmatch(points.text):
        raise points.fault("position-text-points")
    listed = [*_read_list(units)]
    return PowerText(
        power,
        tuple(_read_unit(unit, power, board) for unit in listed if "!" not in unit.text),
        tuple(_read_dislodged(unit, power, board) for unit in listed if "!" in unit.text),
        tuple(_read_province(centre, board) for centre in _read_list(centres)),
        tuple(_read_province(home, board) for home in _read_list(homes)),
        int(points.text) if points.text else None,
    )


def _read_list(word: Word) -> Iterator[Word]:
    if word.text:
        yield from word.split(",")


def _read_unit(word: Word, power: str, board: Board) -> UnitText:
    match = _UNIT.fullmatch(word.text)
    if not match:
        raise word.fault("position-text-unit")
    kind, province, coast, number = match.groups()
    if province not in board.provinces:
        raise word.fault("position-text-province", near=near(province, board.provinces))
    if coast and coast not in board.provinces[province].coasts:
        raise word.fault("position-text-coast", province=province)
    return UnitText(power, kind, province, coast or "", 1 if number is None else int(number))


def _write_example(board: Board) -> str:
    """Return how a dislodged unit is written on the board: ``ABER!Austria.AKIE>PRU``."""
    examples = list_examples(board)
    army, to = examples["example_army"].replace(" ", ""), examples["example_to"]
    return f"{army}!{examples['example_other']}.A{to}>{army[1:]}"


def _read_dislodged(word: Word, power: str, board: Board) -> DislodgedText:
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
    return DislodgedText(
        _read_unit(unit, power, board),
        _read_unit(by, by_power, board),
        tuple(way.text for way in retreats),
    )


def _read_province(word: Word, board: Board) -> str:
    if word.text not in board.provinces:
        raise word.fault("position-text-province", near=near(word.text, board.provinces))
    return word.text


def _refuse_two_owners(words: Iterable[Word]) -> None:
    """Refuse a centre that is listed twice."""
    owned: set[str] = set()
    for word in words:
        parts = word.split(":")
        for centre in _read_list(parts[2]) if len(parts) > 2 else ():
            if centre.text in owned:
                raise centre.fault("position-text-centre-twice")
            owned.add(centre.text)
