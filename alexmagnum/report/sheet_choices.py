"""The legal orders of a power as choices, step by step: a unit, its kind of order, its goal.

A player taps through them on an order sheet.  They are in the player's language and have no
layout yet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from alexmagnum.board.geography import split_location
from alexmagnum.i18n.sentences import Sentences
from alexmagnum.judge.options import legal_orders_of
from alexmagnum.judge.winter import count_adjustments, list_building_rooms
from alexmagnum.notation import describe_order, order_in, write_order
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
from alexmagnum.position import Position, Unit
from alexmagnum.report.names import power_name

Going = Move | Retreat | Support | Convoy
"""The kinds of order that may have a destination."""

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Choice:
    """A step towards an order.

    Attributes:
        label: the text of the choice.
        at: the province that stands for it on the map, "" for none.
        unit: the unit that stands for it on the map, "" for none.
        order: the order to which the choice leads, in the reader's notation; "" if others follow.
        code: the same order in canonical notation.
        meaning: the order in words.
        once: True if a sheet may have this order only once (a general).
        then: the choices that follow.
    """

    label: str
    at: str = ""
    unit: str = ""
    order: str = ""
    code: str = ""
    meaning: str = ""
    once: bool = False
    then: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True)
class Subject:
    """Something that takes one order: a unit, a place for a new unit, the pick of a period.

    Subjects with the same ``label`` are interchangeable.
    """

    id: str
    label: str
    at: str
    unit: str
    then: tuple[Choice, ...]


def list_subjects(
    position: Position, power: str, sentences: Sentences, orders: Sequence[Order] | None = None
) -> tuple[Subject, ...]:
    """Return everything that a power can order in the open phase.

    ``orders`` are its legal orders, if they are already known.
    """
    if orders is None:
        orders = legal_orders_of(position, power)
    return tuple(_Chooser(position, power, sentences, orders).subjects())


def count_orders_due(position: Position, power: str) -> int:
    """Return the largest number of orders of a power that can count."""
    kind = position.phase.kind
    if kind == "picks":
        return 1
    if kind in ("movement", "retreats"):
        return len(position.units_of(power))
    return abs(count_adjustments(position).get(power, 0))


class _Chooser:
    """Makes the choices of one power in one language."""

    def __init__(
        self, position: Position, power: str, sentences: Sentences, orders: Sequence[Order]
    ) -> None:
        self.position = position
        self.board = position.board
        self.power = power
        self.sentences = sentences
        self.orders = orders

    def subjects(self) -> Iterator[Subject]:
        """Yield the pick, the units, then the places for new units."""
        if any(isinstance(order, Pick) for order in self.orders):
            picks = [self.leaf(o, self.place(o.centre), o.centre) for o in self.orders_of(Pick)]
            yield Subject("pick", self.sentences.format("sheet-pick"), "", "", _by_label(picks))
        unit_orders = self.orders_of(Hold, *_UNIT_ORDERS)
        for name, orders in _group(unit_orders, lambda order: order.unit).items():
            unit = self.position.names[name]
            yield Subject(name, self.unit(unit), unit.province, name, self.kinds_of_order(orders))
        yield from self.new_units()

    def orders_of(self, *kinds: type[Item]) -> list[Item]:
        """Return the orders of some kinds."""
        return [order for order in self.orders if isinstance(order, kinds)]

    def leaf(self, order: Order, label: str, at: str = "") -> Choice:
        """Return the choice that ends in an order."""
        lang = self.sentences.lang
        code = write_order(order)
        meaning = describe_order(order, self.board, lang)
        return Choice(label, at, order=order_in(code, lang), code=code, meaning=meaning)

    # -- units --------------------------------------------------------------------------------

    def kinds_of_order(self, orders: Sequence[Order]) -> tuple[Choice, ...]:
        """Return the kinds of order that a unit can get, each once."""
        choices = []
        for kind, code in _UNIT_ORDERS.items():
            alike = [order for order in orders if isinstance(order, kind)]
            label = self.sentences.format(code)
            if alike and issubclass(kind, (Move, Retreat)):
                choices.append(Choice(label, then=self.goals(alike)))
            elif alike and issubclass(kind, (Support, Convoy)):
                choices.append(Choice(label, then=self.helped_units(alike)))
            else:
                choices += [self.leaf(order, label) for order in alike]
        return tuple(choices)

    def goals(self, orders: Sequence[Order]) -> tuple[Choice, ...]:
        """Return the goals of some orders, each followed by the ways there if it has several."""
        going = [order for order in orders if isinstance(order, Going) and order.to]
        choices = []
        for province, ways in _group(going, _destination).items():
            then = [self.leaf(order, self.describe_way(order, ways), province) for order in ways]
            choice = Choice(self.place(province), province, then=tuple(then))
            choices.append(_skip_single(choice))
        return _by_label(choices)

    def helped_units(self, orders: Sequence[Order]) -> tuple[Choice, ...]:
        """Return the units that some orders help, own units first, each followed by its goals."""
        own: list[Choice] = []
        foreign: list[Choice] = []
        helping = [order for order in orders if isinstance(order, Support | Convoy)]
        for name, alike in _group(helping, _helped_unit).items():
            unit = self.position.names[name]
            stay = self.sentences.format("sheet-in-place")
            then = [self.leaf(o, stay, unit.province) for o in alike if o.to is None]
            choice = Choice(self.unit(unit), unit.province, name, then=(*then, *self.goals(alike)))
            (own if unit.power == self.power else foreign).append(_join_single(choice))
        return (*_by_label(own), *_by_label(foreign))

    def describe_way(self, order: Going, ways: Sequence[Going]) -> str:
        """Return what distinguishes an order from others with the same destination."""
        texts = [way.to or "" for way in ways]
        parts = []
        if any("#" in text for text in texts):
            parts.append(self.target(order.to or ""))
        if any("/" in text for text in texts):
            coast = split_location(order.to or "")[1]
            parts.append(self.coast(coast) if coast else self.sentences.format("sheet-any-coast"))
        if any(isinstance(way, Move) and way.via_convoy for way in ways):
            by_sea = isinstance(order, Move) and order.via_convoy
            parts.append(self.sentences.format("sheet-by-convoy" if by_sea else "sheet-on-foot"))
        return ", ".join(parts)

    # -- what is built ------------------------------------------------------------------------

    def new_units(self) -> Iterator[Subject]:
        """Yield the places for new units, a city with room for two twice (R26), and the waivers."""
        builds = _group(self.orders_of(Build), lambda order: split_location(order.unit[2:])[0])
        winter = self.position.phase.kind == "winter"
        rooms = list_building_rooms(self.position, self.power) if winter else tuple(builds)
        for number, centre in enumerate(room for room in rooms if room in builds):
            kinds = tuple(self.new_unit(order) for order in builds[centre])
            yield Subject(f"{centre} {number}", self.place(centre), centre, "", kinds)
        for waive in self.orders_of(Waive):
            label = self.sentences.format("sheet-waive" if winter else "sheet-place-nothing")
            for number in range(count_orders_due(self.position, self.power)):
                yield Subject(f"waive {number}", label, "", "", (self.leaf(waive, label),))

    def new_unit(self, order: Build) -> Choice:
        """Return the choice of a new unit by its kind and coast."""
        kind, coast = order.unit[0], split_location(order.unit[2:])[1]
        label = self.sentences.format(_KINDS[kind])
        leaf = self.leaf(order, f"{label}, {self.coast(coast)}" if coast else label)
        return replace(leaf, once=kind == "G")

    # -- in words -----------------------------------------------------------------------------

    def place(self, province: str) -> str:
        """Return the name of a province."""
        return self.board.provinces[province].name(self.sentences.lang)

    def coast(self, code: str) -> str:
        """Return the name of a coast."""
        names = self.board.coasts[code].names if code in self.board.coasts else {}
        return names.get(self.sentences.lang, code)

    def unit(self, unit: Unit) -> str:
        """Return a unit with its place and, if it is foreign, its power."""
        label = f"{self.position.name(unit)} {self.place(unit.province)}"
        if unit.power == self.power:
            return label
        return f"{label} ({power_name(self.board, unit.power, self.sentences)})"

    def target(self, to: str) -> str:
        """Return the unit that a destination names, or that it names none."""
        for unit in self.position.units:
            if unit.place == to:
                return self.sentences.format("sheet-against", unit=self.unit(unit))
        return self.sentences.format("sheet-unnamed")


_UNIT_ORDERS: Mapping[type[Move | Retreat | Hold | Support | Convoy | Disband | Remove], str] = {
    Move: "sheet-move",
    Retreat: "sheet-retreat",
    Hold: "sheet-hold",
    Support: "sheet-support",
    Convoy: "sheet-convoy",
    Disband: "sheet-disband",
    Remove: "sheet-remove",
}
"""The kinds of order for units, in the order in which a sheet offers them."""

_KINDS = {"A": "sheet-army", "F": "sheet-fleet", "G": "sheet-general"}


def _group(items: Iterable[Item], key: Callable[[Item], str]) -> dict[str, list[Item]]:
    """Return items by key, in their order."""
    groups: dict[str, list[Item]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def _destination(order: Going) -> str:
    """Return the province to which an order goes, "" for none."""
    return split_location(order.to or "")[0]


def _helped_unit(order: Support | Convoy) -> str:
    """Return the name of the unit that an order helps."""
    return order.supported if isinstance(order, Support) else order.army


def _skip_single(choice: Choice) -> Choice:
    """Return the one choice that follows in place of a choice; others stay as they are."""
    if len(choice.then) != 1:
        return choice
    return replace(choice.then[0], label=choice.label, at=choice.at, unit=choice.unit)


def _join_single(choice: Choice) -> Choice:
    """Return the one choice that follows, with both labels; other choices stay as they are."""
    if len(choice.then) != 1:
        return choice
    only = choice.then[0]
    return replace(_skip_single(choice), label=f"{choice.label}: {only.label}")


def _by_label(choices: Iterable[Choice]) -> tuple[Choice, ...]:
    """Return choices in the order of their labels."""
    return tuple(sorted(choices, key=lambda choice: choice.label))
