"""Conversion of the stored positions' order lines to order values and back.

The engines that start from orders get orders made here, so that their figures do not depend
on the order reader, whose speed is measured separately.
"""

from __future__ import annotations

from alexmagnum.orders import Convoy, Hold, Move, MovementOrder, Support

VIA_CONVOY = " via convoy"


def read(line: str) -> MovementOrder:
    """Return the order of a canonical line.

    >>> read("A MUN S A BER - KIE")
    Support(unit='A MUN', supported='A BER', to='KIE')
    """
    head, _, to = line.removesuffix(VIA_CONVOY).partition(" - ")
    letter, place, *rest = head.split()
    unit = f"{letter} {place}"
    match rest:
        case []:
            return Move(unit, to, line.endswith(VIA_CONVOY))
        case ["H"]:
            return Hold(unit)
        case ["S", kind, location]:
            return Support(unit, f"{kind} {location}", to or None)
        case ["C", kind, location]:
            return Convoy(unit, f"{kind} {location}", to)
    raise ValueError(line)


def write(order: MovementOrder) -> str:
    """Return the canonical line of an order."""
    match order:
        case Hold(unit):
            return f"{unit} H"
        case Move(unit, to, via):
            return f"{unit} - {to}{VIA_CONVOY if via else ''}"
        case Support(unit, supported, to):
            return f"{unit} S {supported}" + (f" - {to}" if to else "")
        case Convoy(unit, army, to):
            return f"{unit} C {army} - {to}"
