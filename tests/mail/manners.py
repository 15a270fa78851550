"""Manners of writing orders: as the program does, in lower case, in prose, on one line."""

import re

from alexmagnum.notation import write_order
from alexmagnum.orders import Hold, Move, Order, Support
from alexmagnum.position import Position


def write_canonical(position: Position, lang: str, orders: tuple[Order, ...]) -> str:
    return "\n".join(map(write_order, orders))


def write_in_lower_case(position: Position, lang: str, orders: tuple[Order, ...]) -> str:
    return write_canonical(position, lang, orders).lower()


KINDS = {
    "it": {"A": "l'armata di", "F": "la flotta di", "G": "il generale di"},
    "en": {"A": "the army in", "F": "the fleet in", "G": "the general in"},
}


def write_prose(position: Position, lang: str, orders: tuple[Order, ...]) -> str:
    """Write orders as people say them, with the names of places; others as they are."""
    board = position.board
    to_hold, in_move, goes, helps = (
        ("tiene", "in", "va in", "appoggia")
        if lang == "it"
        else ("holds", "to", "goes to", "supports")
    )

    def name(place: str) -> str:
        return board.provinces[re.split("[/#]", place)[0]].name(lang)

    def unit(text: str) -> str:
        kind, _, place = text.partition(" ")
        return f"{KINDS[lang][kind]} {name(place)}"

    def write(order: Order) -> str:
        match order:
            case Hold():
                return f"{unit(order.unit)} {to_hold}"
            case Move(via_convoy=False):
                return f"{unit(order.unit)} {goes} {name(order.to)}"
            case Support(to=None):
                return f"{unit(order.unit)} {helps} {unit(order.supported)}"
            case Support(to=str(to)):
                return f"{unit(order.unit)} {helps} {unit(order.supported)} {in_move} {name(to)}"
        return write_order(order)

    return "\n".join(map(write, orders))


def write_on_one_line(position: Position, lang: str, orders: tuple[Order, ...]) -> str:
    return "; ".join(map(write_order, orders)).lower()
