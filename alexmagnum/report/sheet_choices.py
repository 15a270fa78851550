"""The legal orders of a power as choices, step by step: a unit, what it does, where to.

What a player clicks through on an order sheet; worded in his language, laid out by nobody yet.
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
"""The orders with a destination; of supports those of a move."""

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Choice:
    """A step towards an order: what it is called, and the province or unit that stands for it on
    the map (``""``: none).

    It ends in an ``order``, in the reader's notation, with its meaning in ``meaning``; or further
    choices follow (``then``).  ``once``: no second order of the sheet may be so (a general).
    """

    label: str
    at: str = ""
    unit: str = ""
    order: str = ""
    meaning: str = ""
    once: bool = False
    then: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True)
class Subject:
    """What takes one order: a unit, a place to build in, the pick of a period.

    Those with the same ``label`` are alike: any one of them will do.
    """

    id: str
    label: str
    at: str
    unit: str
    then: tuple[Choice, ...]


def list_subjects(position: Position, power: str, sentences: Sentences) -> tuple[Subject, ...]:
    """All that a power can order in the open phase; nothing if it has nothing to order."""
    return tuple(_Chooser(position, power, sentences).subjects())


def count_orders_due(position: Position, power: str) -> int:
    """How many orders of a power can count at most."""
    kind = position.phase.kind
    if kind == "picks":
        return 1
    if kind in ("movement", "retreats"):
        return len(position.units_of(power))
    return abs(count_adjustments(position).get(power, 0))


class _Chooser:
    """The choices of one power, in one language."""

    def __init__(self, position: Position, power: str, sentences: Sentences) -> None:
        self.position = position
        self.board = position.board
        self.power = power
        self.sentences = sentences
        self.orders = legal_orders_of(position, power)

    def subjects(self) -> Iterator[Subject]:
        if any(isinstance(order, Pick) for order in self.orders):
            picks = [self.leaf(o, self.place(o.centre), o.centre) for o in self.of(Pick)]
            yield Subject("pick", self.sentences.format("sheet-pick"), "", "", _sorted(picks))
        for name, orders in _grouped(self.of(Hold, *_SAID), lambda order: order.unit).items():
            unit = self.position.names[name]
            yield Subject(name, self.unit(unit), unit.province, name, self.deeds(orders))
        yield from self.new_units()

    def of(self, *kinds: type[Item]) -> list[Item]:
        """The orders of some kinds."""
        return [order for order in self.orders if isinstance(order, kinds)]

    def leaf(self, order: Order, label: str, at: str = "") -> Choice:
        lang = self.sentences.lang
        text = order_in(write_order(order), lang)
        return Choice(label, at, order=text, meaning=describe_order(order, self.board, lang))

    # -- units --------------------------------------------------------------------------------

    def deeds(self, orders: Sequence[Order]) -> tuple[Choice, ...]:
        """What a unit can do: each kind of order once."""
        said = []
        for kind, code in _SAID.items():
            those = [order for order in orders if isinstance(order, kind)]
            label = self.sentences.format(code)
            if those and issubclass(kind, (Move, Retreat)):
                said.append(Choice(label, then=self.goals(those)))
            elif those and issubclass(kind, (Support, Convoy)):
                said.append(Choice(label, then=self.helped(those)))
            else:
                said += [self.leaf(order, label) for order in those]
        return tuple(said)

    def goals(self, orders: Sequence[Order]) -> tuple[Choice, ...]:
        """Where to; and then how, where there are several ways."""
        going = [order for order in orders if isinstance(order, Going) and order.to]
        return _sorted(
            _folded(
                Choice(
                    self.place(province),
                    province,
                    then=tuple(self.leaf(order, self.how(order, ways), province) for order in ways),
                )
            )
            for province, ways in _grouped(going, _province).items()
        )

    def helped(self, orders: Sequence[Order]) -> tuple[Choice, ...]:
        """Whom a unit helps, its own side first; and then to do what."""
        own: list[Choice] = []
        foreign: list[Choice] = []
        helping = [order for order in orders if isinstance(order, Support | Convoy)]
        for name, those in _grouped(helping, _whom).items():
            unit = self.position.names[name]
            stay = self.sentences.format("sheet-in-place")
            then = [self.leaf(o, stay, unit.province) for o in those if o.to is None]
            choice = Choice(self.unit(unit), unit.province, name, then=(*then, *self.goals(those)))
            (own if unit.power == self.power else foreign).append(_named(choice))
        return (*_sorted(own), *_sorted(foreign))

    def how(self, order: Going, ways: Sequence[Going]) -> str:
        """What tells an order from the others with the same destination."""
        texts = [way.to or "" for way in ways]
        said = []
        if any("#" in text for text in texts):
            said.append(self.target(order.to or ""))
        if any("/" in text for text in texts):
            coast = split_location(order.to or "")[1]
            said.append(self.coast(coast) if coast else self.sentences.format("sheet-any-coast"))
        if any(isinstance(way, Move) and way.via_convoy for way in ways):
            by_sea = isinstance(order, Move) and order.via_convoy
            said.append(self.sentences.format("sheet-by-convoy" if by_sea else "sheet-on-foot"))
        return ", ".join(said)

    # -- what is built ------------------------------------------------------------------------

    def new_units(self) -> Iterator[Subject]:
        """The places for new units, a city with room for two twice (R26), and what is waived."""
        builds = _grouped(self.of(Build), lambda order: split_location(order.unit[2:])[0])
        winter = self.position.phase.kind == "winter"
        rooms = list_building_rooms(self.position, self.power) if winter else tuple(builds)
        for number, centre in enumerate(room for room in rooms if room in builds):
            kinds = tuple(self.new_unit(order) for order in builds[centre])
            yield Subject(f"{centre} {number}", self.place(centre), centre, "", kinds)
        for waive in self.of(Waive):
            label = self.sentences.format("sheet-waive" if winter else "sheet-place-nothing")
            for number in range(count_orders_due(self.position, self.power)):
                yield Subject(f"waive {number}", label, "", "", (self.leaf(waive, label),))

    def new_unit(self, order: Build) -> Choice:
        kind, coast = order.unit[0], split_location(order.unit[2:])[1]
        label = self.sentences.format(_KINDS[kind])
        leaf = self.leaf(order, f"{label}, {self.coast(coast)}" if coast else label)
        return replace(leaf, once=kind == "G")

    # -- in words -----------------------------------------------------------------------------

    def place(self, province: str) -> str:
        return self.board.provinces[province].name(self.sentences.lang)

    def coast(self, code: str) -> str:
        names = self.board.coasts[code].names if code in self.board.coasts else {}
        return names.get(self.sentences.lang, code)

    def unit(self, unit: Unit) -> str:
        """A unit with its place, and whose it is where it is another's."""
        label = f"{self.position.name(unit)} {self.place(unit.province)}"
        if unit.power == self.power:
            return label
        return f"{label} ({power_name(self.board, unit.power, self.sentences)})"

    def target(self, to: str) -> str:
        """The unit that a destination names, or that it names none."""
        for unit in self.position.units:
            if unit.place == to:
                return self.sentences.format("sheet-against", unit=self.unit(unit))
        return self.sentences.format("sheet-unnamed")


_SAID: Mapping[type[Move | Retreat | Hold | Support | Convoy | Disband | Remove], str] = {
    Move: "sheet-move",
    Retreat: "sheet-retreat",
    Hold: "sheet-hold",
    Support: "sheet-support",
    Convoy: "sheet-convoy",
    Disband: "sheet-disband",
    Remove: "sheet-remove",
}
"""The orders that units are given, in the order in which they are offered."""

_KINDS = {"A": "sheet-army", "F": "sheet-fleet", "G": "sheet-general"}


def _grouped(items: Iterable[Item], key: Callable[[Item], str]) -> dict[str, list[Item]]:
    groups: dict[str, list[Item]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def _province(order: Going) -> str:
    return split_location(order.to or "")[0]


def _whom(order: Support | Convoy) -> str:
    return order.supported if isinstance(order, Support) else order.army


def _folded(choice: Choice) -> Choice:
    """The one choice that would follow, at once."""
    if len(choice.then) != 1:
        return choice
    return replace(choice.then[0], label=choice.label, at=choice.at, unit=choice.unit)


def _named(choice: Choice) -> Choice:
    """The same, with what it comes to in its name."""
    if len(choice.then) != 1:
        return choice
    only = choice.then[0]
    return replace(_folded(choice), label=f"{choice.label}: {only.label}")


def _sorted(choices: Iterable[Choice]) -> tuple[Choice, ...]:
    return tuple(sorted(choices, key=lambda choice: choice.label))
