"""Reading one order from a line: its unit, its places and what it is ordered to do."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from alexmagnum import orders as order_types
from alexmagnum.board.geography import split_location
from alexmagnum.errors import Ambiguous, Impossible, Unreadable
from alexmagnum.notation import words
from alexmagnum.notation.names import ListProvinces, map_names, province_names
from alexmagnum.position import Position, Unit

# Deciding which unit a text means, once its kind and province are read.


_MOST = 3  # the most suggestions for a line


class UnitText(NamedTuple):
    """A unit as it is written: any part but the province may be missing.

    ``number`` is its place in a sea (0: none is given), ``owner`` the power named with it.
    """

    kind: str
    province: str
    coast: str = ""
    number: int = 0
    owner: str = ""
    fragment: str = ""


def find_unit(
    position: Position, text: UnitText, power: str | None
) -> tuple[Unit, tuple[words.Notice, ...]]:
    """Return the one unit that a text means, and notices of what had to be assumed.

    ``power`` gives the order: of several fleets in a sea its own is meant.

    Raises:
        Impossible: no unit is there.
        Ambiguous: several units are meant.
    """
    fits = _units_in(position, text.province)
    if not fits:
        near = (*_possible_build(position, text, power), *_other_units(position, text, power))
        raise Impossible("no-unit-there", text.fragment, near)
    # A number that no unit bears is left out, with a notice (R8).
    fits = _narrow(fits, lambda unit: text.number in (0, unit.number))
    owned = [unit for unit in fits if text.owner in ("", unit.power)]
    if not owned and position.board.provinces[text.province].capacity > 1:
        raise Impossible("no-unit-there", text.fragment, _other_units(position, text, power))
    fits = owned or fits
    if len(fits) > 1:
        fits = _narrow(fits, lambda unit: unit.power == power)
    if len(fits) > 1:
        fits = _narrow(fits, lambda unit: unit.kind == text.kind)
    if len(fits) > 1:
        names = tuple(position.name(unit) for unit in fits)
        raise Ambiguous("several-units", text.fragment, names, choices=", ".join(names))
    return fits[0], tuple(_notices(position, text, fits[0]))


def _narrow(units: list[Unit], is_meant: Callable[[Unit], bool]) -> list[Unit]:
    return [unit for unit in units if is_meant(unit)] or units


def _notices(position: Position, text: UnitText, unit: Unit) -> list[words.Notice]:
    """Return a notice for each part of the text that is wrong about the unit."""
    data = {"text": text.fragment, "unit": position.name(unit), "province": unit.province}
    several = position.board.provinces[unit.province].capacity > 1
    wrong = {
        "wrong-letter": text.kind not in ("", unit.kind),
        "no-such-number" if several else "one-place": text.number not in (0, unit.number),
        "wrong-owner": text.owner not in ("", unit.power),
    }
    return [words.Notice(code, data) for code, is_wrong in wrong.items() if is_wrong]


def _units_in(position: Position, province: str) -> list[Unit]:
    """Return the units in a province that take orders in this phase, or else all units in it."""
    for units in (position.orderable, position.units):
        fits = [unit for unit in units if unit.province == province]
        if fits:
            return fits
    return []


def _possible_build(position: Position, text: UnitText, power: str | None) -> tuple[str, ...]:
    is_own = power is not None and position.owners.get(text.province) == power
    if position.phase.kind == "winter" and is_own and text.kind:
        return (f"Build {text.kind} {text.province}",)
    return ()


def _other_units(position: Position, text: UnitText, power: str | None) -> tuple[str, ...]:
    """Return up to three units that the power could have meant, neighbours of the place first."""
    tables = position.board.tables
    neighbours = {tables.ids[p] for p in tables.near[tables.index[text.province]]}
    mine = [unit for unit in position.orderable if power in (None, unit.power)]
    mine.sort(key=lambda unit: unit.province not in neighbours)
    return tuple(position.name(unit) for unit in mine)[:3]


def unit_name(position: Position, unit: Unit, text: UnitText) -> str:
    """Return the unit's canonical name, but with the coast as it was written, right or wrong.

    Whether a wrong coast matters is for the judge (DATC 6.B.10, 6.B.11).
    """
    if text.coast and unit.kind == "F" and text.coast != unit.coast:
        return f"{unit.kind} {unit.province}/{text.coast}"
    return position.name(unit)


# Reading the parts of an order from a line: places, coasts, numbers, units and destinations.


class OrderParts(words.Cursor):
    """A line that is being read part by part; ``notices`` collects what had to be assumed.

    Every method that reads a part passes over it, and stays where it was if the part is missing.
    """

    def __init__(
        self,
        source: str,
        position: Position,
        power: str | None,
        lexicon: words.Lexicon,
        settings: words.NotationSettings,
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
        self.notices: list[words.Notice] = []
        self._ends_of_runs: dict[int, int] = {}

    def skip(self, *groups: str) -> None:
        """Pass over phrases of these groups, stopping where a unit or a place begins."""
        while not self.is_unit(self.at) and not self.provinces.match(self.line, self.at):
            if not self.take_first(*groups):
                return

    def take_first(self, *groups: str) -> bool:
        """Pass over one phrase of these groups; return whether there was one."""
        return any(self.take(self.lexicon.phrases[group]) for group in groups)

    # -- places ----------------------------------------------------------------------------------

    def place(self, list_likely: ListProvinces = frozenset) -> str:
        """Read the name of a province and return its id.

        ``list_likely`` lists the provinces of which the beginning of a name may be enough there.
        """
        found = self.provinces.find(self.line, self.at, self.source, list_likely)
        if found.guessed_from:
            if self.settings.fuzzy == words.REFUSE:
                raise self.provinces.refuse(found.guessed_from, [found.province], several=False)
            meant = self.provinces.label(found.province)
            self.notices.append(
                words.Notice("misspelt", {"text": found.guessed_from, "meant": meant})
            )
        self.at = found.end
        return found.province

    def own_places(self) -> frozenset[str]:
        """Return the provinces with a unit of the power that takes orders now."""
        units = self.position.orderable
        return frozenset(u.province for u in units if self.power in (None, u.power))

    def _list_occupied(self) -> frozenset[str]:
        return frozenset(unit.province for unit in self.position.units)

    def _list_own_centres(self) -> frozenset[str]:
        return frozenset(at for at, power in self.position.owners.items() if power == self.power)

    def _list_reachable(self, unit: str) -> frozenset[str]:
        """Return the provinces beside a unit that it could enter by its kind."""
        tables = self.board.tables
        near = [tables.ids[p] for p in tables.near[tables.index[split_location(unit[2:])[0]]]]
        beside = [self.board.provinces[p] for p in near]
        if unit[0] == "F":
            return frozenset(p.id for p in beside if p.is_sea or p.coastal or p.rivers)
        return frozenset(p.id for p in beside if not p.is_sea)

    def location(self, list_likely: ListProvinces) -> tuple[str, str]:
        """Read a province with the coast named behind it or before it (``south coast of Spain``).

        Returns the ids of the province and of the coast; the coast is "" if none is named.
        """
        coast, end = words.match(self.names.coasts, self.line, self.at)
        if end > self.at + 1:
            self.at = end
        else:
            coast = ""
        province = self.place(list_likely)
        return province, self.coast(province) or coast

    @words.backtrack
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

    @words.backtrack
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

    @words.backtrack
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

    def destination(self, unit: str) -> str:
        """Read where a unit goes: a province, a coast, or the place of a fleet to be attacked."""
        start = self.at
        self.skip("articles")
        if not self.provinces.match(self.line, self.at):
            self._kind()  # the kind of the attacked unit adds nothing to its place
        province, coast = self.location(lambda: self._list_reachable(unit))
        if coast:
            return f"{province}/{coast}"
        number = self.place_number(province)
        if self.board.provinces[province].capacity > 1:
            return self._attacked_place(province, number, "" if number else self.owner(), start)
        if number:
            data = {"text": self.fragment(start), "province": province}
            self.notices.append(words.Notice("one-place", data))
        return province

    def _attacked_place(self, province: str, number: int, owner: str, start: int) -> str:
        """Return the place of the unit with a number or owner, or the province if none is named."""
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
        self.notices.append(words.Notice("no-such-number", data))
        return province

    # -- units -----------------------------------------------------------------------------------

    def is_unit(self, at: int) -> bool:
        """Return whether a word for a unit stands at a token, followed by a place or a power."""
        _, end = words.match(self.lexicon.units, self.line, at)
        dot = end < len(self.line) and self.line[end].text == "."
        return end > at and self.is_word(end + dot)

    def unit(self, *, any_power: bool = False) -> str:
        """Read a unit and return its canonical name."""
        text = self.unit_text(self._list_occupied if any_power else self.own_places)
        power = None if any_power else self.power
        unit, notices = find_unit(self.position, text, power)
        if power and unit.power != power:
            mine = tuple(self.position.name(u) for u in self.position.units_of(power))
            raise Impossible("not-your-unit", text.fragment, mine)
        self.notices += notices
        return unit_name(self.position, unit, text)

    def new_unit(self) -> str:
        """Read a unit to be built and return its kind and place."""
        return self.built_unit(self.unit_text(self._list_own_centres))

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

    def unit_text(self, list_likely: ListProvinces = frozenset) -> UnitText:
        """Read a unit as it is written, whether or not it is on the board."""
        self.skip("articles")
        start = self.at
        owner = self.adjective()
        kind = self._kind()
        owner = self.adjective() or owner
        province, coast = self.location(list_likely)
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

    @words.backtrack
    def _kind(self, *, is_second: bool = False) -> str:
        """Read the letter or word for a unit before a place; "" if there is none."""
        start = self.at
        kind = self.take(self.lexicon.units)
        self.take_any(".")
        if not kind or not self.has_more() or self._is_place_rather(start):
            return ""
        self.skip("articles")
        if not is_second and self.is_unit(self.at) and len(self.text()) > 1:  # "a fleet in Naples"
            return self._kind(is_second=True) or kind
        return kind

    @words.look_ahead
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


# Reading one order from a line.
#
# An order is read from left to right: a unit or a command, a verb, and what the verb needs. The
# meaning of a word depends on its place in the line and on the phase: ``a`` is an army before a
# place and "to" after one.


COMMANDS = {
    "movement": (),
    "retreats": ("disband", "retreat"),
    "winter": ("waive", "build", "remove"),
    "deployment": ("waive", "build"),
    "picks": ("pick",),
}
"""The verbs that may stand before the unit, by phase."""

VERBS = {
    "movement": ("hold", "move", "support", "convoy"),
    "retreats": ("move", "retreat", "disband", "remove"),
    "winter": ("disband", "remove"),
    "deployment": (),
    "picks": (),
}
"""The verbs that may stand after the unit, by phase."""

_SIGNS = ("dash", "arrow")


class OrderParser(OrderParts):
    """A line that is read as one order; make a new parser for each line."""

    def parse(self) -> order_types.Order:
        """Read the order on the line.

        Raises:
            Unreadable, Ambiguous, Impossible: with the fragment at fault.
        """
        self._begin()
        if self.is_foreign_command():
            raise Impossible("not-now", self.source.strip())
        order = self._command() or self._order_without_verb() or self._unit_order()
        self._end()
        return order

    def parse_unit(self) -> Unit:
        """Read a line that holds nothing but a unit."""
        self._begin()
        unit, notices = find_unit(self.position, self.unit_text(self.own_places), self.power)
        self.notices += notices
        self._end()
        return unit

    def _begin(self) -> None:
        self.skip_to_order()
        if not self.has_more():
            raise Unreadable("empty", self.source.strip())

    def skip_bullet(self) -> None:
        """Pass over a number or mark of a list; in winter ``-`` and ``+`` are orders."""
        marks = [".", ")", "(", ":"]
        if self.phase != "winter":
            marks += [words.DASH, "+"]
        while self.text() in marks or self.is_number():
            self.at += 1

    def skip_to_order(self) -> None:
        """Pass over everything before the order itself.

        The ends of runs are kept: in ``e e e e`` an order is looked for from every word.
        """
        self.skip_bullet()
        passed = list[int]()
        while self.at not in self._ends_of_runs:
            passed.append(self.at)
            is_order = self.is_command() or self.is_unit(self.at)
            is_order = is_order or self.provinces.match(self.line, self.at) is not None
            if is_order or not self.take_first("fillers", "articles"):
                self._ends_of_runs[self.at] = self.at
        self.at = self._ends_of_runs[self.at]
        self._ends_of_runs |= dict.fromkeys(passed, self.at)

    # -- which kind of order ---------------------------------------------------------------------

    def is_command(self) -> bool:
        """Return whether a verb comes next that stands before a unit in this phase."""
        commands = self.lexicon.commands
        return any(self.look_for(commands[command]) for command in COMMANDS[self.phase])

    def is_foreign_command(self) -> bool:
        """Return whether a whole order of another phase comes next (``Build A MEN`` in spring).

        Single letters are left to this phase.
        """
        if len(self.text()) == 1:
            return False
        return any(
            self._is_order_with(command)
            for command in self.lexicon.commands
            if command not in COMMANDS[self.phase]
        )

    def _is_order_with(self, command: str) -> bool:
        """Return whether a whole order with a command of another phase comes next."""
        _, end = words.match(self.lexicon.commands[command], self.line, self.at)
        if end == self.at or self.is_command() or self.provinces.match(self.line, self.at):
            return False
        if command == "waive":
            return end == len(self.line) or self.is_unit(end)
        return self.is_unit(end) or (command != "retreat" and self._is_only_place(end))

    @words.look_ahead
    def _is_only_place(self, at: int) -> bool:
        """Return whether nothing but a place stands between a token and the end or a comma."""
        found = self.provinces.find_exact(self.line, at)
        if not found:
            return at + 1 == len(self.line) and self.provinces.is_like_name(self.line, at)
        self.at = found.end
        while self.take_any(".", ":", ")", "(") or self.take_first("fillers"):
            pass
        return not self.has_more() or self.text() in (",", ";")

    # -- orders without a unit on the board ------------------------------------------------------

    def _command(self) -> order_types.Order | None:
        """Read an order that begins with its verb: ``Build A MEN``, ``Disband A MEN``, ``Waive``.

        Of a retreat only the verb is passed over; :meth:`_unit_order` reads on from the unit.
        """
        match self._command_verb():
            case "waive":
                return order_types.Waive()
            case "pick":
                return order_types.Pick(self.place())
            case "build":
                return order_types.Build(self.new_unit())
            case "remove":
                return order_types.Remove(self.unit())
            case "disband":
                return order_types.Disband(self.unit())
        return None

    @words.backtrack
    def _command_verb(self) -> str:
        minus = self.phase == "winter" and self.take_any(words.DASH)
        for command in COMMANDS[self.phase]:
            if self._take_command(command):
                self.skip("articles")
                self.take_any(":")
                return command
        return "remove" if minus and self.is_unit(self.at) else ""

    @words.backtrack
    def _take_command(self, command: str) -> bool:
        """Pass over the words of a command, unless they are the word for a unit; say if so."""
        start = self.at
        taken = self.take(self.lexicon.commands[command])
        return bool(taken) and (not self.is_unit(start) or self.is_unit(self.at))

    def _order_without_verb(self) -> order_types.Order | None:
        """Read a centre alone as a pick and a unit alone as a deployment."""
        if self.phase == "picks":
            return self._pick()
        if self.phase == "deployment":
            text = self.unit_text()
            self._refuse_board_order(has_unit_word=bool(text.kind))
            self._refuse_guess(text.province, is_bare=not text.kind)
            return order_types.Build(self.built_unit(text))
        return None

    def _pick(self) -> order_types.Pick:
        start, has_unit_word = self.at, self.is_unit(self.at)
        if not has_unit_word:
            centre = self.place()
            self._refuse_guess(centre, is_bare=True)
        else:
            text = self.unit_text()
            centre = text.province
            # A letter may be the Italian for "to"; a fleet or an army in words is a unit.
            if text.kind and not (text.kind == "A" and len(self.line[start].text) == 1):
                raise Impossible("not-now", self.source.strip())
        self._refuse_board_order(has_unit_word=has_unit_word)
        return order_types.Pick(centre)

    def _refuse_guess(self, centre: str, *, is_bare: bool) -> None:
        """Refuse a name alone that is misspelt or shortened: it may be a signature."""
        found = self.provinces.find_exact(self.line, self._at_name()) if is_bare else None
        if is_bare and (found is None or found.province != centre):
            order = f"Pick {centre}" if self.phase == "picks" else f"Build A {centre}"
            raise Unreadable("needs-verb", self.source.strip(), (order,))

    @words.look_ahead
    def _at_name(self) -> int:
        """Return the token at which the name in a line without a verb begins."""
        self.at = 0
        self.skip_to_order()
        return self.at

    def _refuse_board_order(self, *, has_unit_word: bool) -> None:
        """Refuse a line that goes on, behind a place, like the order of a unit on the board.

        ``has_unit_word``: a word for a unit stood before the place.
        """
        if self._is_board_order(has_unit_word):
            raise Impossible("not-now", self.source.strip())

    @words.look_ahead
    def _is_board_order(self, has_unit_word: bool) -> bool:
        """Return whether a verb follows with what it needs.

        A verb may be an everyday word ("in", "per"); only behind a unit may it stand alone.
        """
        if self.take_first("fillers"):
            return False
        sign = self.take_signs()
        verb = "move" if sign else self.take(self.lexicon.verbs["movement"])
        self.take_any(".")
        is_last = not self.has_more()
        if verb in ("hold", "disband", "remove"):
            return has_unit_word or is_last
        if not verb:
            return False
        self.skip("articles")
        if self._names_unit_or_place(guess=sign or has_unit_word):
            return True
        return is_last and has_unit_word and verb in ("support", "convoy", "retreat")

    def _names_unit_or_place(self, *, guess: bool) -> bool:
        if self.is_unit(self.at) or self.provinces.match(self.line, self.at):
            return True
        return guess and self.provinces.is_like_name(self.line, self.at)

    # -- orders of a unit on the board -----------------------------------------------------------

    def _unit_order(self) -> order_types.Order:
        """Read a unit, its verb and what the verb needs."""
        unit = self.unit()
        start = self.at
        verb = self._verb()
        if not verb:
            raise self._missing_verb(unit)
        if verb not in VERBS[self.phase]:
            raise Impossible("not-now", self.fragment(start))
        match verb:
            case "hold":
                self._skip_own_place(unit)
                return order_types.Hold(unit)
            case "support":
                return self._support(unit)
            case "convoy":
                return self._convoy(unit)
            case "disband" | "remove":
                return (
                    order_types.Remove(unit)
                    if self.phase == "winter"
                    else order_types.Disband(unit)
                )
        try:
            return self._retreat_or_move(unit)
        except Unreadable as error:
            moves = self._suggest_moves(unit, start)
            raise Unreadable(error.code, error.fragment, moves or error.suggestions) from None

    def _retreat_or_move(self, unit: str) -> order_types.Order:
        if self.phase == "retreats":
            return order_types.Retreat(unit, self.destination(unit))
        return self._move(unit)

    def _missing_verb(self, unit: str) -> Unreadable:
        self.skip("articles")
        first, winter = self.at, self.phase == "winter"
        orders = {"winter": f"Remove {unit}", "retreats": f"Disband {unit}"}
        default = orders.get(self.phase, f"{unit} H")
        moves = () if winter else self._suggest_moves(unit, first)
        if not self.is_word(first) or self.provinces.find_exact(self.line, first):
            return Unreadable("no-verb", self.source.strip(), (*moves, default))
        self.at += 1
        suggestions = moves if not winter and self._list_named_places(first) else (default,)
        return Unreadable("unknown-verb", self.fragment(first), suggestions)

    def _suggest_moves(self, unit: str, start: int) -> tuple[str, ...]:
        """Return possible moves of a unit to the places that a line names from a token on.

        Behind them are the convoys of these moves by one's own fleets in the seas that it names.
        """
        tables, named = self.board.tables, self._list_named_places(start)
        near, ports = self._list_reachable(unit), tables.port
        by_sea = unit[0] != "F" and ports[tables.index[split_location(unit[2:])[0]]]
        goals = [p for p in named if p in near or (by_sea and ports[tables.index[p]])]
        moves = [f"{unit} - {goal}" for goal in goals if f"{unit[0]} {goal}" != unit]
        words_of_way, rest = self.lexicon.phrases["via_convoy"], range(start, len(self.line))
        says_way = any(words.match(words_of_way, self.line, at)[1] > at for at in rest)
        way = " via convoy" if by_sea and says_way else ""
        convoys = [
            f"{self.position.name(fleet)} C {move}"
            for fleet in self.position.units
            if fleet.power == self.power and fleet.province in named and by_sea
            if fleet.kind == "F" and self.board.provinces[fleet.province].is_sea
            for move in moves
        ]
        return (*(move + way for move in moves), *convoys)[:_MOST]

    def _list_named_places(self, start: int) -> list[str]:
        """Return the provinces that a line names from a token on, all spelt right."""
        named, at = [], start
        while at < len(self.line):
            _, verb_end = words.match(self.verbs, self.line, at)  # "per" is no place
            found = None if verb_end > at else self.provinces.match(self.line, at)
            named += [found.province] if found else []
            at = found.end if found else max(verb_end, at + 1)
        return list(dict.fromkeys(named))

    def _move(self, unit: str) -> order_types.Move:
        # "by boat to Rhodes"; of "va in nave a Rodi" the verb has the first word.
        _, end = words.match(self.lexicon.phrases["via_convoy"], self.line, self.at - 1)
        says_way = end > self.at or self._take_by_convoy(bare=False)
        self.at = max(end, self.at)
        to, by_sea = self._route(unit)
        via = self._via(unit, to)
        return order_types.Move(unit, to, (says_way or by_sea) if via is None else via)

    def _route(self, unit: str) -> tuple[str, bool]:
        to, by_sea = self.destination(unit), False
        while self.is_sign() and (unit[0] == "F" or self.board.province_of(to).is_sea):
            self.at += 1
            by_sea = unit[0] != "F"
            to = self.destination(unit)
        return to, by_sea

    def _skip_own_place(self, unit: str) -> None:
        found = self.provinces.find_exact(self.line, self.at)
        if found and found.province == split_location(unit[2:])[0]:
            self.at = found.end

    def _support(self, unit: str) -> order_types.Support:
        self._skip_helped_words()
        other = self.unit(any_power=True)
        if self.take_first("to_hold") or self._supported_verb() != "move":
            return order_types.Support(unit, other)
        to, _ = self._route(other)
        self._via(other, to)
        return order_types.Support(unit, other, to)

    @words.backtrack
    def _supported_verb(self) -> str:
        """Read the verb of a supported unit, move or hold; "" if no such verb follows."""
        verb = self._verb()
        return verb if verb in ("move", "hold") else ""

    def _convoy(self, unit: str) -> order_types.Convoy:
        self._skip_helped_words()
        army = self.unit(any_power=True)
        if self._verb() != "move":
            raise Unreadable("convoy-where", self.source.strip())
        to, _ = self._route(army)
        self._via(army, to)
        return order_types.Convoy(unit, army, to)

    # -- verbs -----------------------------------------------------------------------------------

    def _verb(self) -> str:
        self.take_any(",", ":", ".")
        if self.take_signs():
            if self._is_move_word():
                self.take(self.verbs)
            return "move"
        verb = self.take(self.verbs)
        self.take_any(".")
        if verb == "move":
            self.take_signs()
        return verb

    def _is_move_word(self) -> bool:
        """Return whether a word for moving follows the sign ("-> in").

        The name of a place (``PER``) and the beginning of one (``M. Egiziano``) are no such words.
        """
        if self.look_for(self.verbs) != "move" or self.provinces.match(self.line, self.at):
            return False
        dotted = self.line[self.at + 1 : self.at + 2]
        return not (dotted and dotted[0].text == "." and len(self.line[self.at].text) == 1)

    def _skip_helped_words(self) -> None:
        """Pass over "the attack of" between a support and the unit that it helps."""
        while self.take_first("helped"):
            pass

    # -- the way that a move takes ---------------------------------------------------------------

    def _via(self, unit: str, to: str) -> bool | None:
        """Read a trailing ``via convoy`` (True), ``by land`` (False) or ``via Nilo`` (None).

        ``via`` alone means by convoy for an army; a fleet goes on a river or over a portage.
        """
        if self._take_by_land():
            return False
        if self._take_named_way(unit, to):
            return None
        return True if self._take_by_convoy(bare=unit[0] != "F") else None

    @words.backtrack
    def _take_by_land(self) -> bool:
        self.take_any("(", ",")
        return self.take_first("via_land")

    @words.backtrack
    def _take_by_convoy(self, *, bare: bool) -> bool:
        """Pass over ``by convoy`` or ``by boat``; with ``bare``, over ``via`` alone too."""
        self.take_any("(", ",")
        _, via_end = words.match(self.lexicon.phrases["via"], self.line, self.at)
        _, convoy_end = words.match(self.lexicon.phrases["via_convoy"], self.line, self.at)
        if convoy_end == self.at or (convoy_end == via_end and not bare):
            return False
        self.at = convoy_end
        return True

    @words.backtrack
    def _take_named_way(self, unit: str, to: str) -> bool:
        """Pass over ``via`` and the name of a river or portage; return whether there is one.

        The name changes nothing: a wrong one is reported in a notice.
        """
        self.take_any("(", ",")
        start = self.at
        _, via_end = words.match(self.lexicon.phrases["via"], self.line, start)
        _, convoy_end = words.match(self.lexicon.phrases["via_convoy"], self.line, start)
        if via_end == start or convoy_end > via_end:
            return False
        self.at = via_end
        self.skip("articles")
        way = self._way_name()
        if way:
            ends = (split_location(place)[0] for place in (unit[2:], to))
            if not self.names.leads(way, *ends):
                self.notices.append(words.Notice("other-way", {"text": self.fragment(start)}))
        return bool(way)

    def _way_name(self) -> str:
        """Read the name of a river or portage, misspelt or not, and return its id; "" if none."""
        start = self.at
        way = self.take(self.names.ways)
        if way or self.provinces.match(self.line, self.at):
            return way
        way, meant = self.names.nearest_way(self.text())
        if way:
            self.at += 1
            if self.settings.fuzzy == words.REFUSE:
                raise Unreadable("unknown-place", self.fragment(start), (meant,))
            data = {"text": self.fragment(start), "meant": meant}
            self.notices.append(words.Notice("misspelt", data))
        return way

    # -- the end of the line ---------------------------------------------------------------------

    def _end(self) -> None:
        """Leave aside what follows a whole order, with a notice."""
        while self.take_any(*".,:;)(+/#") or self.take_first("fillers"):
            pass
        if not self.has_more():
            return
        rest = self.source[self.line[self.at].start :].strip()
        is_bracket = self.source[: self.line[self.at].start].rstrip().endswith("(")
        if not is_bracket and self._is_more_of_order():
            raise Unreadable("unexpected", rest)
        self.notices.append(words.Notice("ignored", {"text": rest}))

    def _is_more_of_order(self) -> bool:
        at = self.at + self.is_unit(self.at)
        groups = ("articles", "reasons")  # "per prendere il centro" is not Persia
        while at < len(self.line) and any(
            self.lexicon.is_in(group, self.line[at].text) for group in groups
        ):
            at += 1
        if self.provinces.match(self.line, at) is not None:
            return True
        return any(token.kind in _SIGNS for token in self.line[self.at :])
