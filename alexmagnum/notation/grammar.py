"""One order out of a run of tokens.

An order is read from left to right: a unit or a command, a verb, and what the verb asks for.
What a word means depends on where it stands and on the phase: ``a`` is an army before a place
and "to" after one.
"""

from __future__ import annotations

from alexmagnum.board.model import Board
from alexmagnum.errors import Ambiguous, Impossible, Unreadable
from alexmagnum.notation.lexicon import Lexicon, match
from alexmagnum.notation.model import REFUSE, NotationSettings, Notice
from alexmagnum.notation.places import places
from alexmagnum.notation.text import DASH, fold, tokens
from alexmagnum.notation.units import UnitText, find_unit, unit_name
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
from alexmagnum.position import Position

COMMANDS = {
    "movement": (),
    "retreats": ("disband", "retreat"),
    "winter": ("build", "remove", "waive"),
    "deployment": ("build", "waive"),
    "picks": ("pick",),
}
"""The verbs that may stand before the unit, by phase."""


class OrderParser:
    """Reads one order from a line; make one for each line.

    ``notices`` collects what had to be assumed.
    """

    def __init__(
        self,
        source: str,
        position: Position,
        power: str | None,
        lexicon: Lexicon,
        settings: NotationSettings,
    ) -> None:
        self.source = source
        self.line = tokens(source)
        self.at = 0
        self.position = position
        self.board: Board = position.board
        self.phase = position.phase.kind
        self.power = power
        self.lexicon = lexicon
        self.settings = settings
        self.places = places(position.board, lexicon)
        self.notices: list[Notice] = []

    # -- orders ----------------------------------------------------------------------------------

    def parse(self) -> Order:
        """The order on the line.

        Raises:
            Unreadable, Ambiguous, Impossible: with the fragment at fault.
        """
        self.skip("fillers", "articles")
        if not self.more():
            raise Unreadable("empty", self.source.strip())
        order = self._command() or self._bare() or self._unit_order()
        self._end()
        return order

    def _command(self) -> Order | None:
        """An order that begins with its verb: ``Build A MEN``, ``Disband A MEN``, ``Waive``."""
        for command in COMMANDS[self.phase]:
            at = self.at
            meaning, end = match(self.lexicon.commands[command], self.line, at)
            if not meaning or (self._is_unit(at) and not self._is_unit(end)):
                continue
            if command in ("build", "remove") and self.line[at].text == "a":
                continue
            self.at = end
            if command == "waive":
                return Waive()
            self.skip("articles", ":")
            if command == "pick":
                return Pick(self._place())
            if command == "build":
                return Build(self._new_unit())
            if command == "retreat":
                return None
            name, _ = self._unit()
            return Remove(name) if command == "remove" else Disband(name)
        return self._minus()

    def _minus(self) -> Order | None:
        """``-A Boh`` in winter takes a unit off the board."""
        if self.phase == "winter" and self.line[self.at].text == DASH:
            self.at += 1
            return Remove(self._unit()[0])
        return None

    def _bare(self) -> Order | None:
        """A centre alone is a pick, a unit alone a deployment."""
        if self.phase == "picks":
            return Pick(self._place())
        if self.phase in ("deployment", "winter") and self._is_unit(self.at):
            return Build(self._new_unit()) if self.phase == "deployment" else None
        return None

    def _unit_order(self) -> Order:
        unit, _ = self._unit()
        verb = self._verb()
        if self.phase == "retreats" and verb in ("move", "retreat"):
            return Retreat(unit, self._destination())
        if verb == "disband" or (verb == "remove" and self.phase == "retreats"):
            return Remove(unit) if self.phase == "winter" else Disband(unit)
        if verb == "remove":
            return Remove(unit)
        if verb == "hold":
            return Hold(unit)
        if verb == "support":
            return self._support(unit)
        if verb == "convoy":
            return self._convoy(unit)
        if verb in ("move", "retreat"):
            return self._move(unit)
        raise Unreadable("no-verb", self.source.strip(), (f"{unit} H", f"{unit} - ..."))

    def _move(self, unit: str) -> Move:
        to = self._destination()
        by_way = False
        while self._sign() and self.more():
            # A route written out: the last place is the destination, those before it seas.
            self.at += 1
            by_way = self.board.province_of(to).is_sea
            to = self._destination()
        via = self._via()
        return Move(unit, to, by_way if via is None else via)

    def _support(self, unit: str) -> Support:
        self._helped()
        other, _ = self._unit(any_power=True)
        if not self.more() or self._phrase("to_hold"):
            return Support(unit, other)
        if self._verb_is("hold"):
            return Support(unit, other)
        if self._verb_is("move"):
            to = self._destination()
            self._via()
            return Support(unit, other, to)
        return Support(unit, other)

    def _convoy(self, unit: str) -> Convoy:
        self._helped()
        army, _ = self._unit(any_power=True)
        if not self._verb_is("move"):
            raise Unreadable("convoy-where", self.source.strip(), (f"{unit} C {army} - ...",))
        to = self._destination()
        while self._sign() and self.more():
            self.at += 1
            to = self._destination()
        return Convoy(unit, army, to)

    # -- parts -----------------------------------------------------------------------------------

    def more(self) -> bool:
        return self.at < len(self.line)

    def skip(self, *groups: str) -> None:
        """Pass over words of some groups of phrases, or over a sign."""
        while self.more():
            text = self.line[self.at].text
            ahead = self.at + 1 < len(self.line)
            if text in groups or (
                ahead
                and any(g in self.lexicon.phrases and self.lexicon.is_in(g, text) for g in groups)
                and not self._is_unit(self.at)
            ):
                self.at += 1
            else:
                return

    def _is_unit(self, at: int) -> bool:
        """Does a word for a unit stand here, with a place behind it?"""
        _, end = match(self.lexicon.units, self.line, at)
        if end == at:
            return False
        return end < len(self.line) and self.line[end].kind in ("word", "sign")

    def _verb(self) -> str:
        """The verb at this place, passed over; "" if none is there."""
        self.skip(",", ":")
        if self._sign():
            self.at += 1
            # "- va a" and "-> in" are one move sign to a person
            return "move"
        verb, end = match(self.lexicon.verbs, self.line, self.at)
        self.at = end
        if verb == "move" and self._sign():
            self.at += 1
        if verb == "hold" and self.phase == "movement":
            return verb
        return self._verb_of_phase(verb)

    def _verb_of_phase(self, verb: str) -> str:
        """``r`` is a retreat in a retreat phase; nowhere else does one retreat."""
        return verb

    def _verb_is(self, wanted: str) -> bool:
        """Take a verb if it is the one wanted."""
        at = self.at
        if self._verb() == wanted:
            return True
        self.at = at
        return False

    def _sign(self) -> bool:
        """Does a move sign stand here?"""
        return self.more() and self.line[self.at].kind in ("dash", "arrow")

    def _phrase(self, name: str) -> bool:
        """Take a phrase of one kind if it stands here."""
        meaning, end = match(self.lexicon.phrases[name], self.line, self.at)
        self.at = end
        return bool(meaning)

    def _helped(self) -> None:
        """Pass over "the attack of" between a support and the unit that it helps."""
        while self._phrase("helped"):
            pass

    def _via(self) -> bool | None:
        """A trailing ``via convoy`` (True), ``by land`` (False) or ``via Nilo`` (None)."""
        self.skip("(", ",")
        if self._phrase("via_land"):
            return False
        at = self.at
        if self._phrase("via"):
            if self._waterway():
                return None
            self.at = at
        if self._phrase("via_convoy"):
            return True
        self.at = at
        return None

    def _waterway(self) -> bool:
        """The name of a river or a portage of the map."""
        self.skip("articles")
        if not self.more():
            return False
        word = self.line[self.at].text
        ways = [(river.id, *river.names.values()) for river in self.board.rivers]
        ways += [(portage.id, *portage.names.values()) for portage in self.board.portages]
        if any(word in fold(" ".join(names)).split() for names in ways):
            self.at += 1
            return True
        return False

    def _place(self) -> str:
        """The province named here."""
        found = self.places.find(self.line, self.at, self.source)
        if found.guessed_from:
            if self.settings.fuzzy == REFUSE:
                label = self.places.label(found.province)
                raise Unreadable("unknown-place", found.guessed_from, (label,))
            self.notices.append(
                Notice(
                    "misspelt",
                    {"text": found.guessed_from, "meant": self.places.label(found.province)},
                )
            )
        self.at = found.end
        return found.province

    def _coast(self, province: str) -> str:
        """A coast behind a province: ``/NC``, ``(sc)``, ``costa sud``; "" if there is none."""
        at = self.at
        open_sign = self.more() and self.line[at].text in ("/", "(")
        if open_sign:
            at += 1
        coast, end = match(self.lexicon.coasts, self.line, at)
        slot = open_sign or bool(self.board.provinces[province].coasts)
        single = end == at + 1 and at < len(self.line) and len(self.line[at].text) == 1
        if not coast or not slot or (single and not open_sign):
            return ""
        if end < len(self.line) and self.line[end].text == ")":
            end += 1
        self.at = end
        return coast

    def _number(self, province: str) -> tuple[int, str]:
        """Which of several units: ``#2``, `` 2`` or ``(TOL)``; (0, "") if it is not said."""
        if not self.more() or self.board.provinces[province].capacity == 1:
            return 0, ""
        at = self.at
        if self.line[at].text == "#":
            at += 1
        if at < len(self.line) and self.line[at].kind == "number":
            self.at = at + 1
            return int(self.line[at].text), ""
        return 0, self._owner()

    def _owner(self) -> str:
        """A power in brackets or after "of" behind a sea."""
        at = self.at
        while at < len(self.line) and (
            self.line[at].text == "(" or self.lexicon.is_in("articles", self.line[at].text)
        ):
            at += 1
        if at < len(self.line):
            owner = power_named(self.board, self.line[at].text)
            if owner:
                self.at = at + 1
                if self.more() and self.line[self.at].text == ")":
                    self.at += 1
                return owner
        return ""

    def _kind(self) -> str:
        """The letter or word for a unit, where a place follows it."""
        kind, end = match(self.lexicon.units, self.line, self.at)
        if kind and end < len(self.line):
            self.at = end
            if self.more() and self.line[self.at].text == ".":
                self.at += 1
            self.skip("articles")
            return kind
        return ""

    def _kind_unless_place(self) -> str:
        """A unit word that is itself a province (``ARM``) is one only if a place follows."""
        found = self.places.exact(self.line, self.at)
        kind, end = match(self.lexicon.units, self.line, self.at)
        if found and kind and end < len(self.line) and self.line[end].kind != "word":
            return ""
        return self._kind()

    def _unit_text(self) -> UnitText:
        self.skip("articles")
        start = self.at
        kind = self._kind_unless_place()
        owner = self._owner() if kind and self.more() else ""
        province = self._place()
        coast = self._coast(province)
        number, later = self._number(province)
        if not coast:
            coast = self._coast(province)
        fragment = self.source[self.line[start].start : self.line[self.at - 1].end]
        return UnitText(kind, province, coast, number, owner or later, fragment)

    def _unit(self, *, any_power: bool = False) -> tuple[str, UnitText]:
        """The canonical name of the unit named here.

        Raises:
            Impossible: there is none, or it takes orders from another power.
        """
        text = self._unit_text()
        unit, notices = find_unit(self.position, text, None if any_power else self.power)
        if not any_power and self.power and unit.power != self.power:
            mine = tuple(self.position.name(u) for u in self.position.units_of(self.power))
            raise Impossible("not-your-unit", text.fragment, mine)
        self.notices += notices
        return unit_name(self.position, unit, text), text

    def _new_unit(self) -> str:
        """A unit to be built: kind and place."""
        text = self._unit_text()
        at = f"{text.province}/{text.coast}" if text.coast else text.province
        if text.kind:
            return f"{text.kind} {at}"
        province = self.board.provinces[text.province]
        if province.coastal or province.rivers:
            choices = (f"Build A {at}", f"Build F {at}")
            raise Ambiguous("kind-needed", text.fragment, choices, choices=", ".join(choices))
        return f"A {at}"

    def _destination(self) -> str:
        """Where a move goes: a province, a coast, or the place of a fleet to be attacked."""
        start = self.at
        province = self._place()
        coast = self._coast(province)
        if coast:
            return f"{province}/{coast}"
        number, owner = self._number(province)
        if not (number or owner):
            return province
        fragment = self.source[self.line[start].start : self.line[self.at - 1].end]
        there = [u for u in self.position.units if u.province == province]
        fits = [u for u in there if u.number == number or (owner and u.power == owner)]
        if len(fits) > 1:
            names = tuple(unit.place for unit in fits)
            raise Ambiguous("several-units", fragment, names, choices=", ".join(names))
        if not fits:
            # R8: a number that nobody bears is read as plain entry.
            self.notices.append(Notice("no-such-number", {"text": fragment, "province": province}))
            return province
        return fits[0].place

    def _end(self) -> None:
        """Whatever follows a whole order is decoration, unless it reads like more of an order."""
        rest = self.line[self.at :]
        while rest and (rest[0].kind == "sign" or self.lexicon.is_in("fillers", rest[0].text)):
            rest = rest[1:]
        if not rest:
            return
        text = self.source[rest[0].start :].strip()
        if any(token.kind in ("dash", "arrow") for token in rest):
            raise Unreadable("unexpected", text)
        self.notices.append(Notice("ignored", {"text": text}))


def power_named(board: Board, word: str) -> str:
    """The power of an id, name or alias, folded; "" if there is none."""
    for power in board.powers.values():
        if word in (fold(t) for t in (power.id, *power.names.values(), *power.aliases)):
            return power.id
    return ""
