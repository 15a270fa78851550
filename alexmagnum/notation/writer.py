"""Writing orders: the canonical notation, and sentences that say what an order means."""

from __future__ import annotations

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
    """The canonical notation of an order, the same in every language.

    ``read_order`` reads it back to the same order.

    >>> write_order(Support("A TEB", "A MEN", "ALE"))
    'A TEB S A MEN - ALE'
    """
    match order:
        case Hold(unit):
            return f"{unit} H"
        case Move(unit, to, via_convoy):
            return f"{unit} - {to}" + (_BY_CONVOY if via_convoy else "")
        case Support(unit, other, None):
            return f"{unit} S {other}"
        case Support(unit, other, to):
            return f"{unit} S {other} - {to}"
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


def order_in(text: str, lang: str) -> str:
    """A canonical order with its words in one language: ``Costruisce A ECB``.

    Only whole words change, letters and signs stay; the text reads back to the same order.  What
    is no canonical order stays as it is.

    Raises:
        KeyError: the notation has no such language.

    >>> order_in("Build A ECB", "it")
    'Costruisce A ECB'
    """
    said = lexicon().describe[lang]
    verb, blank, rest = text.partition(" ")
    if verb in _VERBS:
        return said[f"word_{verb.lower()}"] + blank + rest
    if text.endswith(_BY_CONVOY):
        return f"{text.removesuffix(_BY_CONVOY)} {said['word_by_convoy']}"
    return text


_VERBS = ("Build", "Remove", "Disband", "Pick", "Waive")
_BY_CONVOY = " via convoy"


def describe_order(order: Order, board: Board, lang: str) -> str:
    """An order in words of one language, with the names of the map.

    Raises:
        KeyError: the notation has no such language.
    """
    return _Describer(board, lang).order(order)


class _Describer:
    def __init__(self, board: Board, lang: str) -> None:
        self.board = board
        self.lang = lang
        self.sentences = lexicon().describe[lang]

    def say(self, name: str, **data: str) -> str:
        return self.sentences[name].format(**data)

    def order(self, order: Order) -> str:
        match order:
            case Move(unit, to, via_convoy):
                name = "attack" if "#" in to else "move_convoy" if via_convoy else "move"
                return self.say(name, unit=self.unit(unit), to=self.place(to))
            case Support(unit, other, None):
                return self.say("support_hold", unit=self.unit(unit), other=self.unit(other))
            case Support(unit, other, to) | Convoy(unit, other, to):
                name = "support_move" if isinstance(order, Support) else "convoy"
                return self.say(
                    name, unit=self.unit(unit), other=self.unit(other), to=self.place(to or "")
                )
            case Retreat(unit, to):
                return self.say("retreat", unit=self.unit(unit), to=self.place(to))
            case Waive():
                return self.say("waive")
            case Pick(centre):
                return self.say("pick", to=self.place(centre))
            case Hold(unit) | Disband(unit) | Build(unit) | Remove(unit):
                return self.say(type(order).__name__.lower(), unit=self.unit(unit))

    def unit(self, name: str) -> str:
        return self.say(name[0], place=self.place(name[2:]))

    def place(self, text: str) -> str:
        province, coast, number = split_location(text)
        place = self.board.provinces[province].name(self.lang)
        if coast:
            names = self.board.coasts[coast].names if coast in self.board.coasts else {}
            place = self.say("place_coast", place=place, coast=names.get(self.lang, coast))
        if number:
            place = self.say("place_number", place=place, number=str(number))
        return place
