"""The parts of an order: places, units and destinations, as a line names them."""

from __future__ import annotations

from alexmagnum.errors import Ambiguous, Impossible, Unreadable
from alexmagnum.notation.cursor import Cursor
from alexmagnum.notation.lexicon import Lexicon, match
from alexmagnum.notation.map_names import map_names
from alexmagnum.notation.model import REFUSE, NotationSettings, Notice
from alexmagnum.notation.province_names import province_names
from alexmagnum.notation.unit_references import UnitText, find_unit, unit_name
from alexmagnum.position import Position


class OrderParts(Cursor):
    """Reads the parts of an order; ``notices`` collects what had to be assumed.

    Every method that reads a part passes over it, and stays where it was if there is none.
    """

    def __init__(
        self,
        source: str,
        position: Position,
        power: str | None,
        lexicon: Lexicon,
        settings: NotationSettings,
    ) -> None:
        super().__init__(source)
        self.position = position
        self.board = position.board
        self.phase = position.phase.kind
        self.power = power
        self.words = lexicon
        self.verbs = lexicon.verbs[self.phase]
        self.settings = settings
        self.places = province_names(self.board, lexicon)
        self.names = map_names(self.board, lexicon)
        self.notices: list[Notice] = []

    def skip(self, *groups: str) -> None:
        """Pass over phrases that mean nothing here, but not what begins a unit or a place."""
        while not self.is_unit(self.at) and not self.places.here(self.line, self.at):
            if not self.take_first(*groups):
                return

    def take_first(self, *groups: str) -> bool:
        """Pass over one phrase of these groups; was there one?"""
        return any(self.take(self.words.phrases[group]) for group in groups)

    # -- places ----------------------------------------------------------------------------------

    def place(self) -> str:
        """The province named here.

        Raises:
            Unreadable, Ambiguous: there is none, or it is not clear which.
        """
        found = self.places.find(self.line, self.at, self.source)
        if found.guessed_from:
            label = self.places.label(found.province)
            if self.settings.fuzzy == REFUSE:
                raise Unreadable("unknown-place", found.guessed_from, (label,))
            self.notices.append(Notice("misspelt", {"text": found.guessed_from, "meant": label}))
        self.at = found.end
        return found.province

    def location(self) -> tuple[str, str]:
        """A province and the coast named behind it, or before it (``south coast of Spain``)."""
        coast, end = match(self.names.coasts, self.line, self.at)
        if end > self.at + 1:
            self.at = end
        else:
            coast = ""
        province = self.place()
        return province, self.coast(province) or coast

    def coast(self, province: str) -> str:
        """A coast behind a province: ``/NC``, ``(sc)``, ``costa sud``; "" if there is none."""
        start = self.at
        marked = self.take_any("/", "(")
        first = self.at
        coast = self.take(self.names.coasts)
        # A letter by itself is a coast only where a sign says so: ``SPA S F MAR`` is a support.
        bare = not marked and (
            not self.board.provinces[province].coasts
            or (self.at == first + 1 and len(self.line[first].text) == 1)
        )
        if not coast or bare:
            self.at = start
            return ""
        self.take_any(".", ")")
        return coast

    def number(self) -> int:
        """A number behind a sea: ``#2``, `` 2``, ``(2)``; 0 if there is none."""
        start = self.at
        self.take_any("(", "#", "/")
        if not self.is_number():
            self.at = start
            return 0
        number = int(self.text())
        self.at += 1
        self.take_any(")")
        return number

    def place_number(self, province: str) -> int:
        """A number behind a province that may have several places: a sea or a city; 0 if there
        is none.  Behind any other it is one only after ``#``."""
        several = self.board.provinces[province].is_sea or self.text() == "#"
        return self.number() if several or self.board.provinces[province].capacity > 1 else 0

    def owner(self) -> str:
        """A power behind a place, in brackets or after "of"; "" if there is none.

        A letter by itself is one only in brackets: ``F TYS T A NAP - TUN`` is a convoy.
        """
        start = self.at
        bracket = self.take_any("(")
        while self.words.is_in("articles", self.text()):
            self.at += 1
        owner = self.names.power(self.text())
        letter = len(self.text()) == 1 and not bracket
        if not owner or letter or self.places.here(self.line, self.at):
            self.at = start
            return ""
        self.at += 1
        self.take_any(")")
        return owner

    def destination(self) -> str:
        """Where a move goes: a province, a coast, or the place of a fleet to be attacked."""
        start = self.at
        self.skip("articles")
        if not self.places.here(self.line, self.at):
            self._kind()  # of the unit that is attacked there
        province, coast = self.location()
        if coast:
            return f"{province}/{coast}"
        number = self.place_number(province)
        if self.board.provinces[province].capacity == 1:
            if number:
                data = {"text": self.fragment(start), "province": province}
                self.notices.append(Notice("one-place", data))
            return province
        owner = "" if number else self.owner()
        if not (number or owner):
            return province
        fits = [
            unit
            for unit in self.position.units
            if unit.province == province and owner in ("", unit.power)
            if number in (0, unit.number)
        ]
        if len(fits) > 1:
            choices = tuple(unit.place for unit in fits)
            raise Ambiguous(
                "several-units", self.fragment(start), choices, choices=", ".join(choices)
            )
        if not fits:
            # R8: a number that nobody bears is read as plain entry.
            data = {"text": self.fragment(start), "province": province}
            self.notices.append(Notice("no-such-number", data))
            return province
        return fits[0].place

    # -- units -----------------------------------------------------------------------------------

    def is_unit(self, at: int) -> bool:
        """Does a word for a unit stand here, with a place or a power behind it?"""
        _, end = match(self.words.units, self.line, at)
        dot = end < len(self.line) and self.line[end].text == "."
        return end > at and self.is_word(end + dot)

    def unit(self, *, any_power: bool = False) -> str:
        """The canonical name of the unit named here.

        Raises:
            Impossible: there is none, or it takes orders from another power.
        """
        text = self.unit_text()
        power = None if any_power else self.power
        unit, notices = find_unit(self.position, text, power)
        if power and unit.power != power:
            mine = tuple(self.position.name(u) for u in self.position.units_of(power))
            raise Impossible("not-your-unit", text.fragment, mine)
        self.notices += notices
        return unit_name(self.position, unit, text)

    def new_unit(self) -> str:
        """A unit to be built: kind and place."""
        return self.built(self.unit_text())

    def built(self, text: UnitText) -> str:
        """The name of a unit to be built.

        Raises:
            Ambiguous: army or fleet could be meant.
        """
        at = f"{text.province}/{text.coast}" if text.coast else text.province
        if text.kind:
            return f"{text.kind} {at}"
        province = self.board.provinces[text.province]
        if province.coastal or province.rivers:
            choices = (f"Build A {at}", f"Build F {at}")
            raise Ambiguous("kind-needed", text.fragment, choices, choices=", ".join(choices))
        return f"A {at}"

    def unit_text(self) -> UnitText:
        """A unit as it is written, whether or not there is one."""
        self.skip("articles")
        start = self.at
        owner = self.adjective()
        kind = self._kind()
        owner = self.adjective() or owner
        province, coast = self.location()
        number = self.place_number(province)
        owner = owner or self.owner()
        coast = coast or self.coast(province)
        return UnitText(kind, province, coast, number, owner, self.fragment(start))

    def adjective(self) -> str:
        """A power before a unit or a place: ``the Austrian A TRI``, ``A austriaca TRI``."""
        owner = self.names.power(self.text()) if self.is_word(self.at + 1) else ""
        if not owner or len(self.text()) == 1 or self.places.here(self.line, self.at):
            return ""
        self.at += 1
        return owner

    def _kind(self) -> str:
        """The letter or word for a unit, where a place follows it."""
        start = self.at
        kind = self.take(self.words.units)
        self.take_any(".")
        if not kind or not self.more() or self._is_place_rather(start):
            self.at = start
            return ""
        self.skip("articles")
        if self.is_unit(self.at) and len(self.text()) > 1:  # "a fleet in Naples"
            return self._kind() or kind
        return kind

    def _is_place_rather(self, start: int) -> bool:
        """Is the word for a unit just read a province instead, as ``ARM`` is?

        It is, unless a place stands right behind it that is not in turn a verb.
        """
        if not self.places.here(self.line, start):
            return False
        behind = self.places.exact(self.line, self.at)
        if behind is None:
            return True
        if not match(self.verbs, self.line, self.at)[0]:
            return False
        self.at, here = behind.end, self.at
        told = self.is_sign() or self.sees(self.verbs)
        self.at = here
        return not told
