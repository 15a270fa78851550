"""Writing orders: in canonical notation, and as sentences in one language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from alexmagnum import orders as order_types
from alexmagnum.board.geography import split_location
from alexmagnum.board.model import Board
from alexmagnum.board.tables import NO_PROVINCE, NO_UNIT, BoardTables, LocationNo, UnitNo
from alexmagnum.notation.words import lexicon
from alexmagnum.position import Position
from alexmagnum.units import UnitTables

# Writing orders: in canonical notation, and as sentences in one language.


def write_order(order: order_types.Order) -> str:
    """Return the canonical notation of an order, which is the same in every language.

    ``read_order`` reads it back to the same order.

    >>> write_order(order_types.Support("A TEB", "A MEN", "ALE"))
    'A TEB S A MEN - ALE'

    Raises:
        TypeError: the value is no order.
    """
    match order:
        case order_types.Hold(unit):
            return f"{unit} H"
        case order_types.Move(unit, to, via_convoy):
            return f"{unit} - {to}" + (_BY_CONVOY if via_convoy else "")
        case order_types.Support(unit, other, to):
            return f"{unit} S {other}" + (f" - {to}" if to else "")
        case order_types.Convoy(unit, army, to):
            return f"{unit} C {army} - {to}"
        case order_types.Retreat(unit, to):
            return f"{unit} - {to}"
        case order_types.Disband(unit):
            return f"Disband {unit}"
        case order_types.Build(unit):
            return f"Build {unit}"
        case order_types.Remove(unit):
            return f"Remove {unit}"
        case order_types.Waive():
            return "Waive"
        case order_types.Pick(centre):
            return f"Pick {centre}"
        case _:
            raise TypeError(f"write_order takes an order, not {order!r}")


def order_in(text: str, lang: str) -> str:
    """Return a canonical order with its words in one language: ``Costruisce A ECB``.

    Only whole words change, letters and signs stay; the text reads back to the same order.  Any
    other text is returned as it is.

    Raises:
        KeyError: the notation has no such language.

    >>> order_in("Build A ECB", "it")
    'Costruisce A ECB'
    """
    phrases = lexicon().describe[lang]
    verb, blank, rest = text.partition(" ")
    if verb in _VERBS:
        return phrases[f"word_{verb.lower()}"] + blank + rest
    if text.endswith(_BY_CONVOY):
        return f"{text.removesuffix(_BY_CONVOY)} {phrases['word_by_convoy']}"
    return text


def order_words(lang: str) -> Mapping[str, str]:
    """Return the words and sentences in which orders are written in a language, by name."""
    return lexicon().describe[lang]


_VERBS = ("Build", "Remove", "Disband", "Pick", "Waive")
_BY_CONVOY = " via convoy"


def describe_order(order: order_types.Order, board: Board, lang: str) -> str:
    """Return a sentence that says what an order does, with the names of the map.

    Raises:
        KeyError: the notation has no such language.
    """
    return _Describer(board, lang).order(order)


class _Describer:
    """Puts orders on one board into words of one language."""

    def __init__(self, board: Board, lang: str) -> None:
        self.board = board
        self.lang = lang
        self.sentences = lexicon().describe[lang]

    def format(self, name: str, **data: str) -> str:
        return self.sentences[name].format(**data)

    def order(self, order: order_types.Order) -> str:
        match order:
            case order_types.Move(unit, to):
                return self.format(_move_sentence(order), unit=self.unit(unit), to=self.place(to))
            case order_types.Support(unit, other, None):
                return self.format("support_hold", unit=self.unit(unit), other=self.unit(other))
            case order_types.Support(unit, other, str(to)):
                return self._format_help("support_move", unit, other, to)
            case order_types.Convoy(unit, army, to):
                return self._format_help("convoy", unit, army, to)
            case order_types.Retreat(unit, to):
                return self.format("retreat", unit=self.unit(unit), to=self.place(to))
            case order_types.Pick(centre):
                return self.format("pick", to=self.place(centre))
            case (
                order_types.Hold(unit)
                | order_types.Disband(unit)
                | order_types.Build(unit)
                | order_types.Remove(unit)
            ):
                return self.format(type(order).__name__.lower(), unit=self.unit(unit))
        return self.format("waive")

    def _format_help(self, name: str, unit: str, other: str, to: str) -> str:
        """Return the sentence of a unit that helps another one to move."""
        return self.format(name, unit=self.unit(unit), other=self.unit(other), to=self.place(to))

    def unit(self, name: str) -> str:
        return self.format(name[0], place=self.place(name[2:]))

    def place(self, text: str) -> str:
        """Return a place in words: the name of its province, with its coast or number."""
        province, coast, number = split_location(text)
        place = self.board.provinces[province].name(self.lang)
        if coast:
            names = self.board.coasts[coast].names if coast in self.board.coasts else {}
            place = self.format("place_coast", place=place, coast=names.get(self.lang, coast))
        if number:
            place = self.format("place_number", place=place, number=str(number))
        return place


def _move_sentence(order: order_types.Move) -> str:
    if "#" in order.to:
        return "attack"
    return "move_convoy" if order.via_convoy else "move"


# The fast reader for movement orders that are in canonical notation already.
#
# Case files, benchmarks and programs write thousands of such lines; a split and a few look-ups
# read them. Any other line is left to the tolerant reader, so that the two can only agree.


_VIA_CONVOY: Final = " via convoy"


class CanonicalReader:
    """A reader of canonical movement orders for one position.

    The names in the orders are texts of the board's tables, not of the lines, so that a thousand
    orders share them.
    """

    __slots__ = ("board", "locations", "named", "names", "tables")

    def __init__(self, position: Position) -> None:
        self.tables: UnitTables = position.tables
        self.board: BoardTables = position.board.tables
        self.locations: dict[str, LocationNo] = self.board.location
        self.named: dict[str, UnitNo] = self.tables.by_name
        self.names: list[str] = self.tables.list_names()

    def read(self, line: str, power: str | None) -> order_types.Order | None:
        """Return the order of a canonical line; None if the line is not canonical."""
        end = line.find(" ", 2)
        if end < 0:
            return None
        u = self.named.get(line[:end], NO_UNIT)
        if u < 0 or (power is not None and self.tables.units[u].power != power):
            return None
        verb = line[end : end + 3]
        if verb == " - ":
            return self._move(self.names[u], line[end + 3 :])
        if verb == " H":
            return order_types.Hold(self.names[u])
        if verb in (" S ", " C "):
            return self._help(self.names[u], verb, line[end + 3 :])
        return None

    def _move(self, unit: str, to: str) -> order_types.Order | None:
        known = self._find_destination(to)
        if known:
            return order_types.Move(unit, known)
        if to.endswith(_VIA_CONVOY):
            known = self._find_destination(to[: -len(_VIA_CONVOY)])
            if known:
                return order_types.Move(unit, known, via_convoy=True)
        return None

    def _help(self, unit: str, verb: str, rest: str) -> order_types.Order | None:
        end = rest.find(" - ")
        u = self.named.get(rest if end < 0 else rest[:end], NO_UNIT)
        if u < 0:
            return None
        other = self.names[u]
        if end < 0:
            return order_types.Support(unit, other) if verb == " S " else None
        to = self._find_destination(rest[end + 3 :])
        if not to:
            return None
        if verb == " S ":
            return order_types.Support(unit, other, to)
        return order_types.Convoy(unit, other, to)

    def _find_destination(self, text: str) -> str:
        """Return a location, or the place of a fleet that can be attacked (R11); "" if neither."""
        location = self.locations.get(text, NO_PROVINCE)
        if location >= 0:
            return self.board.location_names[location]
        if "#" in text:
            for unit in self.tables.units:
                if unit.place == text and self.board.is_sea[self.board.index[unit.province]]:
                    return text
        return ""
