"""Orders that a sentence may have meant: what its writer can send instead.

A proposal is a guess from the units and places that the sentence names, and counts for nothing.
Open this file when a receipt proposes a wrong order for a sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from alexmagnum.errors import NotationError
from alexmagnum.judge.checking import IMPOSSIBLE, check_orders, list_reachable
from alexmagnum.judge.winter import count_adjustments, list_building_places
from alexmagnum.notation import read_order, write_order
from alexmagnum.notation.mentions import Mention, Named
from alexmagnum.orders import Order
from alexmagnum.position import Position, Unit

MOST = 4
"""The most orders that are proposed for a sentence."""


def propose_orders(position: Position, power: str, mention: Mention) -> tuple[str, ...]:
    """Return the orders that a sentence of a power may have meant, in canonical notation.

    They are legal, unless no order that the sentence may mean is; () if there is nothing to guess.
    """
    guesses = _Proposals(position, power, mention).list_guesses()
    read: dict[str, Order] = {}
    for text in guesses:
        with suppress(NotationError):
            order = read_order(text, position, power)
            read.setdefault(write_order(order), order)
    legal = [text for text, order in read.items() if _is_legal(position, power, order)]
    return tuple(legal or read)[:MOST]


def find_example(position: Position, power: str) -> str:
    """Return an order that a power could give now, "" if it has none to give."""
    for text in _list_examples(position, power):
        with suppress(NotationError):
            order = read_order(text, position, power)
            if _is_legal(position, power, order):
                return write_order(order)
    return ""


def _is_legal(position: Position, power: str, order: Order) -> bool:
    (check,) = check_orders(position, {power: [order]})
    return check.verdict != IMPOSSIBLE


def _list_examples(position: Position, power: str) -> Iterator[str]:
    """Yield texts that may be orders of a power in this phase."""
    match position.phase.kind:
        case "picks":
            yield from (f"Pick {centre}" for centre in _list_free_centres(position))
        case "deployment":
            yield from (f"A {centre}" for centre in position.centres_of(power))
        case "winter":
            if count_adjustments(position)[power] > 0:
                yield from (f"Build A {at}" for at in list_building_places(position, power))
            yield from (f"Remove {position.name(unit)}" for unit in position.units_of(power))
        case "retreats":
            for each in position.dislodged:
                if each.unit.power == power:
                    name = position.name(each.unit)
                    yield from (f"{name} - {to}" for to in each.retreats)
                    yield f"Disband {name}"
        case _:
            for unit in position.units_of(power):
                name = position.name(unit)
                yield from (f"{name} - {to}" for to in list_reachable(position, unit)[:1])


def _list_free_centres(position: Position) -> list[str]:
    """Return the centres that somebody could pick."""
    return [
        province.id
        for province in position.board.provinces.values()
        if province.centre == "start" and province.id not in position.owners
    ]


@dataclass(frozen=True, slots=True)
class _Proposals:
    """Guesses at the orders in one sentence of a power."""

    position: Position
    power: str
    mention: Mention

    def list_guesses(self) -> list[str]:
        """Return orders as texts, the likeliest first; some may be impossible or unreadable."""
        places = self.mention.places
        match self.position.phase.kind:
            case "picks":
                board = self.position.board
                named = [place.province for place in places]
                return [f"Pick {place}" for place in named if board.provinces[place].centre]
            case "deployment":
                return [self._build(place) for place in places]
            case "winter":
                return [self._adjust(place) for place in places]
            case "retreats":
                own = [d.unit for d in self.position.dislodged if d.unit.power == self.power]
                return list(self._pair(own, {"disband", "remove"}, "Disband {unit}"))
        own = list(self.position.units_of(self.power))
        return list(self._help(own)) or list(self._pair(own, {"hold"}, "{unit} H"))

    def _build(self, place: Named) -> str:
        return f"Build {place.kind or 'A'} {place.province}"

    def _adjust(self, place: Named) -> str:
        """Return a build or a removal: what the verb says, else what the power has to do."""
        own = self._find_unit(place, self.position.units_of(self.power))
        removes = bool(self.mention.verbs & {"remove", "disband"})
        due = count_adjustments(self.position)[self.power]
        if own and (removes or ("build" not in self.mention.verbs and due < 0)):
            return f"Remove {self.position.name(own)}"
        return self._build(place)

    def _find_unit(self, place: Named, among: Sequence[Unit]) -> Unit | None:
        """Return the unit at a place, rather one of the kind named with it."""
        there = [unit for unit in among if unit.province == place.province]
        return next((u for u in there if u.kind == place.kind), there[0] if there else None)

    def _pair(self, own: Sequence[Unit], alone: set[str], single: str) -> Iterator[str]:
        """Yield an order for each unit named, with the place named behind it as destination.

        ``alone`` are the verbs of an order without a destination, ``single`` is that order.
        """
        places, at = self.mention.places, 0
        while at < len(places):
            unit = self._find_unit(places[at], own)
            target = places[at + 1] if at + 1 < len(places) else None
            at += 1
            if unit is None:
                yield from self._go_there(places[at - 1], own)
            elif target is None or (self.mention.verbs & alone and self._find_unit(target, own)):
                yield single.format(unit=self.position.name(unit))
            else:
                yield f"{self.position.name(unit)} - {target.province}"
                at += 1

    def _go_there(self, place: Named, own: Sequence[Unit]) -> Iterator[str]:
        """Yield a move to a place for each unit that could go there, if no unit is named."""
        if any(self._find_unit(named, own) for named in self.mention.places):
            return
        for unit in own:
            if place.kind in ("", unit.kind) and any(
                to.partition("/")[0] == place.province for to in list_reachable(self.position, unit)
            ):
                yield f"{self.position.name(unit)} - {place.province}"

    def _help(self, own: Sequence[Unit]) -> Iterator[str]:
        """Yield a support or a convoy, if the sentence speaks of one."""
        verbs, places = self.mention.verbs, self.mention.places
        helper = self._find_unit(places[0], own) if places else None
        if helper is None or len(places) < 2 or not verbs & {"support", "convoy"}:
            return
        helped = self._find_unit(places[1], self.position.units)
        other = self.position.name(helped) if helped else places[1].province
        to = f" - {places[2].province}" if len(places) > 2 else ""
        letter = "C" if "convoy" in verbs else "S"
        yield f"{self.position.name(helper)} {letter} {other}{to}"
