"""Reading the parts of an order from a line: places, coasts, numbers, units and destinations."""

from __future__ import annotations

from alexmagnum.errors import Ambiguous, Impossible, Unreadable
from alexmagnum.notation.cursor import Cursor, backtrack, look_ahead
from alexmagnum.notation.lexicon import Lexicon, match
from alexmagnum.notation.map_names import map_names
from alexmagnum.notation.model import REFUSE, NotationSettings, Notice
from alexmagnum.notation.province_names import province_names
from alexmagnum.notation.unit_references import UnitText, find_unit, unit_name
from alexmagnum.position import Position


class OrderParts(Cursor):
    """A line that is being read part by part; ``notices`` collects what had to be assumed.

    Every method that reads a part passes over it, and stays where it was if the part is missing.
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
        self.lexicon = lexicon
        self.verbs = lexicon.verbs[self.phase]
        self.settings = settings
        self.provinces = province_names(self.board, lexicon)
        self.names = map_names(self.board, lexicon)
        self.notices: list[Notice] = []

    def skip(self, *groups: str) -> None:
        """Pass over phrases of these groups, stopping where a unit or a place begins."""
        while not self.is_unit(self.at) and not self.provinces.match(self.line, self.at):
            if not self.take_first(*groups):
                return

    def take_first(self, *groups: str) -> bool:
        """Pass over one phrase of these groups; return whether there was one."""
        return any(self.take(self.lexicon.phrases[group]) for group in groups)

    # -- places ----------------------------------------------------------------------------------

    def place(self) -> str:
        """Read the name of a province and return its id.

        Raises:
            Unreadable, Ambiguous: there is no such name, or several provinces fit it.
        """
        found = self.provinces.find(self.line, self.at, self.source)
        if found.guessed_from:
            label = self.provinces.label(found.province)
            if self.settings.fuzzy == REFUSE:
                raise Unreadable("unknown-place", found.guessed_from, (label,))
            self.notices.append(Notice("misspelt", {"text": found.guessed_from, "meant": label}))
        self.at = found.end
        return found.province

    def location(self) -> tuple[str, str]:
        """Read a province with the coast named behind it or before it (``south coast of Spain``).

        Returns the ids of the province and of the coast; the coast is "" if none is named.
        """
        coast, end = match(self.names.coasts, self.line, self.at)
        if end > self.at + 1:
            self.at = end
        else:
            coast = ""
        province = self.place()
        return province, self.coast(province) or coast

    @backtrack
    def coast(self, province: str) -> str:
        """Read a coast behind a province: ``/NC``, ``(sc)``, ``costa sud``; "" if none is named."""
        marked = self.take_any("/", "(")
        first = self.at
        coast = self.take(self.names.coasts)
        if not coast or not (marked or self._can_be_bare_coast(province, first)):
            return ""
        self.take_any(".", ")")
        return coast

    def _can_be_bare_coast(self, province: str, first: int) -> bool:
        """Return whether the word just read can be a coast without a sign before it.

        A single letter cannot: ``SPA S F MAR`` is a support.
        """
        letter = self.at == first + 1 and len(self.line[first].text) == 1
        return bool(self.board.provinces[province].coasts) and not letter

    @backtrack
    def number(self) -> int:
        """Read a number behind a sea: ``#2``, `` 2``, ``(2)``; 0 if there is none."""
        self.take_any("(", "#", "/")
        if not self.is_number():
            return 0
        number = int(self.text())
        self.at += 1
        self.take_any(")")
        return number

    def place_number(self, province: str) -> int:
        """Read the number of a place behind a province; 0 if there is none.

        Only seas and cities have several places; behind any other province a number is read as
        one only after ``#``.
        """
        several = self.board.provinces[province].is_sea or self.text() == "#"
        return self.number() if several or self.board.provinces[province].capacity > 1 else 0

    @backtrack
    def owner(self) -> str:
        """Read a power behind a place, in brackets or after "of"; "" if there is none.

        A single letter is a power only in brackets: ``F TYS T A NAP - TUN`` is a convoy.
        """
        bracket = self.take_any("(")
        while self.lexicon.is_in("articles", self.text()):
            self.at += 1
        owner = self.names.power(self.text())
        letter = len(self.text()) == 1 and not bracket
        if not owner or letter or self.provinces.match(self.line, self.at):
            return ""
        self.at += 1
        self.take_any(")")
        return owner

    def destination(self) -> str:
        """Read where a move goes: a province, a coast, or the place of a fleet to be attacked."""
        start = self.at
        self.skip("articles")
        if not self.provinces.match(self.line, self.at):
            self._kind()  # the kind of the attacked unit adds nothing to its place
        province, coast = self.location()
        if coast:
            return f"{province}/{coast}"
        number = self.place_number(province)
        if self.board.provinces[province].capacity > 1:
            owner = "" if number else self.owner()
            return self._attacked_place(province, number, owner, start)
        if number:
            data = {"text": self.fragment(start), "province": province}
            self.notices.append(Notice("one-place", data))
        return province

    def _attacked_place(self, province: str, number: int, owner: str, start: int) -> str:
        """Return the place of the unit with a number or owner, or the province if none is named.

        Raises:
            Ambiguous: several units fit.
        """
        if not (number or owner):
            return province
        fits = [
            unit.place
            for unit in self.position.units
            if unit.province == province
            and owner in ("", unit.power)
            and number in (0, unit.number)
        ]
        if len(fits) > 1:
            fragment, choices = self.fragment(start), ", ".join(fits)
            raise Ambiguous("several-units", fragment, tuple(fits), choices=choices)
        if fits:
            return fits[0]
        # R8: a number that no unit bears is read as plain entry.
        data = {"text": self.fragment(start), "province": province}
        self.notices.append(Notice("no-such-number", data))
        return province

    # -- units -----------------------------------------------------------------------------------

    def is_unit(self, at: int) -> bool:
        """Return whether a word for a unit stands at a token, followed by a place or a power."""
        _, end = match(self.lexicon.units, self.line, at)
        dot = end < len(self.line) and self.line[end].text == "."
        return end > at and self.is_word(end + dot)

    def unit(self, *, any_power: bool = False) -> str:
        """Read a unit and return its canonical name.

        Raises:
            Impossible: there is no such unit, or it takes orders from another power.
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
        """Read a unit to be built and return its kind and place."""
        return self.built_unit(self.unit_text())

    def built_unit(self, text: UnitText) -> str:
        """Return the name of a unit to be built.

        Raises:
            Ambiguous: it can be an army or a fleet.
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
        """Read a unit as it is written, whether or not it is on the board."""
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
        """Read a power before a unit or a place: ``the Austrian A TRI``, ``A austriaca TRI``."""
        owner = self.names.power(self.text()) if self.is_word(self.at + 1) else ""
        if not owner or len(self.text()) == 1 or self.provinces.match(self.line, self.at):
            return ""
        self.at += 1
        return owner

    @backtrack
    def _kind(self) -> str:
        """Read the letter or word for a unit before a place; "" if there is none."""
        start = self.at
        kind = self.take(self.lexicon.units)
        self.take_any(".")
        if not kind or not self.has_more() or self._is_place_rather(start):
            return ""
        self.skip("articles")
        if self.is_unit(self.at) and len(self.text()) > 1:  # "a fleet in Naples"
            return self._kind() or kind
        return kind

    @look_ahead
    def _is_place_rather(self, start: int) -> bool:
        """Return whether the word for a unit just read is a province instead, as ``ARM`` is.

        It is, unless a place follows directly that is not a verb as well.
        """
        if not self.provinces.match(self.line, start):
            return False
        behind = self.provinces.find_exact(self.line, self.at)
        if behind is None:
            return True
        if not self.look_for(self.verbs):
            return False
        self.at = behind.end
        return not (self.is_sign() or self.look_for(self.verbs))
