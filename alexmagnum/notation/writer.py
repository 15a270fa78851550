"""Writing orders: in canonical notation, and as sentences in one language."""

from __future__ import annotations

from collections.abc import Mapping

from alexmagnum.board.geography import split_location
from alexmagnum.board.model import Board
from alexmagnum.notation.lexicon import lexicon
from alexmagnum.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Pick,
    Remove,
    Retreat,
    Support,
    Waive,
)


def write_order(order: Order) -> str:
    """Return the canonical notation of an order, which is the same in every language.

    ``read_order`` reads it back to the same order.

    >>> write_order(Support("A TEB", "A MEN", "ALE"))
    'A TEB S A MEN - ALE'

    Raises:
        TypeError: the value is no order.
    """
    match order:
        case Hold(unit):
            return f"{unit} H"
        case Move(unit, to, via_convoy):
            return f"{unit} - {to}" + (_BY_CONVOY if via_convoy else "")
        case Support(unit, other, to):
            return f"{unit} S {other}" + (f" - {to}" if to else "")
        case Convoy(unit, army, to):
            return f"{unit} C {army} - {to}"
        case Retreat(unit, to):
            return f"{unit} - {to}"
        case Disband(unit):
            return f"Disband {unit}"
        case Build(unit):
            return f"Build {unit}"
        case Remove(unit):
            return f"Remove {unit}"
        case Waive():
            return "Waive"
        case Pick(centre):
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
    """Return the words and sentences in which orders are written in a language, by name.

    Raises:
        KeyError: the notation has no such language.
    """
    return lexicon().describe[lang]


_VERBS = ("Build", "Remove", "Disband", "Pick", "Waive")
_BY_CONVOY = " via convoy"


def describe_order(order: Order, board: Board, lang: str) -> str:
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
        """Return a sentence of the language, filled with data."""
        return self.sentences[name].format(**data)

    def order(self, order: Order) -> str:
        """Return the sentence of an order."""
        match order:
            case Move(unit, to):
                return self.format(_move_sentence(order), unit=self.unit(unit), to=self.place(to))
            case Support(unit, other, None):
                return self.format("support_hold", unit=self.unit(unit), other=self.unit(other))
            case Support(unit, other, str(to)):
                return self._format_help("support_move", unit, other, to)
            case Convoy(unit, army, to):
                return self._format_help("convoy", unit, army, to)
            case Retreat(unit, to):
                return self.format("retreat", unit=self.unit(unit), to=self.place(to))
            case Pick(centre):
                return self.format("pick", to=self.place(centre))
            case Hold(unit) | Disband(unit) | Build(unit) | Remove(unit):
                return self.format(type(order).__name__.lower(), unit=self.unit(unit))
        return self.format("waive")

    def _format_help(self, name: str, unit: str, other: str, to: str) -> str:
        """Return the sentence of a unit that helps another one to move."""
        return self.format(name, unit=self.unit(unit), other=self.unit(other), to=self.place(to))

    def unit(self, name: str) -> str:
        """Return a unit in words."""
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


def _move_sentence(order: Move) -> str:
    """Return the name of the sentence for a move."""
    if "#" in order.to:
        return "attack"
    return "move_convoy" if order.via_convoy else "move"
