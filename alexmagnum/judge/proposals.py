"""Orders that a sentence may have meant: what its writer can send instead.

A proposal is a guess from the units and places that the sentence names, and counts for nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import zip_longest

from alexmagnum import orders as order_types
from alexmagnum.board.geography import split_location
from alexmagnum.errors import NotationError
from alexmagnum.judge.checking import IMPOSSIBLE, check_orders, list_reachable
from alexmagnum.judge.other_phases import count_adjustments
from alexmagnum.notation import read_order, write_order
from alexmagnum.notation.names import Mention, Named, find_mention
from alexmagnum.position import DEPLOYMENT, PICKS, Position, Unit

_MOST = 4  # the most orders that are proposed for a sentence

_KINDS: Mapping[str, tuple[type[order_types.Order], ...]] = {
    "build": (order_types.Build,),
    "remove": (order_types.Remove, order_types.Disband),
    "disband": (order_types.Remove, order_types.Disband),
    "retreat": (order_types.Retreat, order_types.Move),
    "move": (order_types.Move, order_types.Retreat),
    "pick": (order_types.Pick, order_types.Move),
    "support": (order_types.Support,),
    "convoy": (order_types.Convoy,),
    "hold": (order_types.Hold,),
}
"""The kinds of order that a verb in a sentence may mean."""


_BETWEEN = "; "  # stands between orders that belong together


def find_proposals(
    position: Position, power: str, text: str, suggestions: Sequence[str] = ()
) -> str:
    """Return the orders that a sentence may have meant, in canonical notation; "" if none.

    ``suggestions`` are those of its error: they are taken if the sentence names nothing, or too
    little to say what it lacks.
    """
    mention = find_mention(text, position.board)
    proposed = _propose_orders(position, power, mention) if mention else ()
    is_short = mention is None or len(mention.places) < 2
    legal = [s for s in suggestions if is_short and any(_try_order(position, power, s))]
    return _BETWEEN.join(proposed) or ", ".join(legal)


def describe_proposals(
    position: Position, power: str, mention: Mention
) -> tuple[str, dict[str, str]]:
    """Return the code and the data of what to write instead, or of what is not understood."""
    proposed = _propose_orders(position, power, mention)
    data = {"orders": _BETWEEN.join(proposed)}
    if proposed:
        is_choice = len(proposed) > 1 and position.phase.season == PICKS
        return "untaken-choose" if is_choice else "untaken-write", data
    alone = _Proposals(position, power, mention).find_named_alone()
    if alone and position.phase.kind == "movement":
        return "untaken-where", {**data, "unit": position.name(alone[0])}
    return "untaken-unclear", data


def _propose_orders(position: Position, power: str, mention: Mention) -> tuple[str, ...]:
    """Return the legal orders that a sentence of a power may have meant, in canonical notation:
    they do what its verbs say, and name its units and places; () if nothing can be guessed."""
    meant = {kind for verb in mention.verbs for kind in _KINDS.get(verb, ())}
    if mention.helped:
        meant |= {order_types.Hold, order_types.Move, order_types.Support}
    legal: dict[str, None] = {}
    for text in _Proposals(position, power, mention).list_guesses():
        for order in _try_order(position, power, text):
            is_kept = not mention.verbs or type(order) in meant
            if is_kept or position.phase.kind in (PICKS, DEPLOYMENT):
                legal[write_order(order)] = None
    proposed = tuple(legal)[:_MOST]
    if position.phase.kind in ("movement", "retreats"):
        said = {split_location(word)[0] for order in proposed for word in order.split()}
        return proposed if all(place.province in said for place in mention.places) else ()
    return proposed


def _try_order(position: Position, power: str, text: str) -> Iterator[order_types.Order]:
    """Yield the order that a text is, if it is legal."""
    with suppress(NotationError):
        order = read_order(text, position, power)
        if all(check.verdict != IMPOSSIBLE for check in check_orders(position, {power: [order]})):
            yield order


class _Proposals:
    """Guesses at the orders in one sentence of a power."""

    def __init__(self, position: Position, power: str, mention: Mention) -> None:
        self.position, self.power = position, power
        self.mention, self.places, self.verbs = mention, mention.places, mention.verbs

    def list_guesses(self) -> list[str]:
        """Return orders as texts, the likeliest first; some may be impossible or unreadable."""
        match self.position.phase.kind:
            case "picks":
                provinces = self.position.board.provinces
                named = [place.province for place in self.places]
                return [f"Pick {place}" for place in named if provinces[place].centre]
            case "deployment":
                return [self._build(place) for place in self.places]
            case "winter":
                return [self._adjust(place) for place in self.places]
            case "retreats":
                own = [d.unit for d in self.position.dislodged if d.unit.power == self.power]
                return list(self._pair(own, {"disband", "remove"}, "Disband {unit}"))
        own = list(self.position.units_of(self.power))
        if self.mention.helped or self.verbs & {"support", "convoy"}:
            return list(self._help(own))
        if not self.places:
            alone = self.find_named_alone() if "hold" in self.verbs else []
            return [f"{self.position.name(unit)} H" for unit in alone]
        return list(self._pair(own, {"hold"}, "{unit} H"))

    def find_named_alone(self) -> list[Unit]:
        """Return the only unit that the sentence names, be it only by its kind."""
        kinds, units = self.mention.kinds, self.position.units_of(self.power)
        if self.places:
            named = self._find_unit(self.places[0], units)
            return [named] if named and len(self.places) == 1 else []
        alike = [unit for unit in units if unit.kind in kinds]
        return alike if len(kinds) == len(alike) == 1 else []

    def _build(self, place: Named) -> str:
        return f"Build {place.kind or 'A'} {place.province}"

    def _adjust(self, place: Named) -> str:
        """Return a build or a removal: what the verb says, else what the power has to do."""
        own = self._find_unit(place, self.position.units_of(self.power))
        removes = bool(self.verbs & {"remove", "disband"})
        due = count_adjustments(self.position)[self.power]
        if own and (removes or ("build" not in self.verbs and due < 0)):
            return f"Remove {self.position.name(own)}"
        return self._build(place)

    def _find_unit(self, place: Named, among: Sequence[Unit]) -> Unit | None:
        """Return the unit at a place: one of the kind named with it, if there are any such."""
        there = [unit for unit in among if unit.province == place.province]
        alike = [unit for unit in there if unit.kind == place.kind]
        has_kind = any(unit.kind == place.kind for unit in among)
        return next(iter(alike if has_kind else there), None)

    def _pair(self, own: Sequence[Unit], alone: set[str], single: str) -> Iterator[str]:
        """Yield an order for each unit named, with the place named behind it as destination.
        ``alone`` are the verbs of an order without a destination, ``single`` is that order."""
        places = zip_longest(self.places, self.places[1:])
        for place, target in places:
            if (unit := self._find_unit(place, own)) is None:
                yield from self._go_there(place, own)
            elif target is None or (self.verbs & alone and self._find_unit(target, own)):
                yield single.format(unit=self.position.name(unit))
            else:
                yield f"{self.position.name(unit)} - {target.province}"
                next(places)

    def _go_there(self, place: Named, own: Sequence[Unit]) -> Iterator[str]:
        """Yield a move to a place for the only unit that could go there, if no unit is named."""
        if any(self._find_unit(named, own) for named in self.places):
            return
        alike = [unit for unit in own if place.kind in ("", unit.kind)]
        able = [unit for unit in alike if self._reaches(unit, place)]
        if len(able) == 1:
            yield f"{self.position.name(able[0])} - {place.province}"

    def _reaches(self, unit: Unit, place: Named) -> bool:
        reachable = list_reachable(self.position, unit)
        return any(to.partition("/")[0] == place.province for to in reachable)

    def _help(self, own: Sequence[Unit]) -> Iterator[str]:
        """Yield the support or convoy of which the sentence speaks; of a passive (``Vienna in
        Trieste, appoggiata da Budapest``) also the order that is helped."""
        names = [self._name_unit(place, own) for place in self.places]
        before = self.mention.before
        if self.mention.helped and (before == 2 or (before == 1 and "hold" in self.verbs)):
            to = f" - {self.places[1].province}" if before == 2 else ""
            yield f"{names[0]}{to or ' H'}"
            yield from (f"{helper} S {names[0]}{to}" for helper in names[before:])
        elif before == 1 and len(names) > 1 and not self.mention.helped:
            other = self._name_unit(self.places[1], self.position.units)
            to = f" - {self.places[2].province}" if len(names) > 2 else ""
            yield f"{names[0]} {'C' if 'convoy' in self.verbs else 'S'} {other}{to}"

    def _name_unit(self, place: Named, among: Sequence[Unit]) -> str:
        unit = self._find_unit(place, among)
        return self.position.name(unit) if unit else place.province
