"""Reading one order from a line.

An order is read from left to right: a unit or a command, a verb, and what the verb needs.
The meaning of a word depends on its place in the line and on the phase: ``a`` is an army before a
place and "to" after one.  Open this file to change what counts as an order.
"""

from __future__ import annotations

from alexmagnum.board.geography import split_location
from alexmagnum.errors import Impossible, Unreadable
from alexmagnum.notation.cursor import backtrack, look_ahead
from alexmagnum.notation.lexicon import match
from alexmagnum.notation.model import REFUSE, Notice
from alexmagnum.notation.order_parts import OrderParts
from alexmagnum.notation.tokens import DASH
from alexmagnum.notation.unit_references import find_unit
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
from alexmagnum.position import Unit

COMMANDS = {
    "movement": (),
    "retreats": ("disband", "retreat"),
    "winter": ("build", "remove", "waive"),
    "deployment": ("build", "waive"),
    "picks": ("pick",),
}
"""The verbs that may stand before the unit, by phase."""

VERBS = {
    "movement": ("hold", "move", "retreat", "support", "convoy"),
    "retreats": ("move", "retreat", "disband", "remove"),
    "winter": ("disband", "remove"),
    "deployment": (),
    "picks": (),
}
"""The verbs that may stand after the unit, by phase."""

_SIGNS = ("dash", "arrow")


class OrderParser(OrderParts):
    """A line that is read as one order; make a new parser for each line."""

    def parse(self) -> Order:
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
        """Read a line that holds nothing but a unit.

        Raises:
            Unreadable, Ambiguous, Impossible: with the fragment at fault.
        """
        self._begin()
        unit, notices = find_unit(self.position, self.unit_text(), self.power)
        self.notices += notices
        self._end()
        return unit

    def _begin(self) -> None:
        """Pass over what stands before the order, and check that something follows."""
        self.skip_to_order()
        if not self.has_more():
            raise Unreadable("empty", self.source.strip())

    def skip_bullet(self) -> None:
        """Pass over a number or mark of a list; in winter ``-`` and ``+`` are orders."""
        marks = [".", ")", "(", ":"]
        if self.phase != "winter":
            marks += [DASH, "+"]
        while self.text() in marks or self.is_number():
            self.at += 1

    def skip_to_order(self) -> None:
        """Pass over everything before the order itself."""
        self.skip_bullet()
        while not (self.is_command() or self.is_unit(self.at)):
            is_place = self.provinces.match(self.line, self.at)
            if is_place or not self.take_first("fillers", "articles"):
                return

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
        _, end = match(self.lexicon.commands[command], self.line, self.at)
        if end == self.at or self.is_command() or self.provinces.match(self.line, self.at):
            return False
        if command == "waive":
            return end == len(self.line) or self.is_unit(end)
        return self.is_unit(end) or (command != "retreat" and self._is_only_place(end))

    @look_ahead
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

    def _command(self) -> Order | None:
        """Read an order that begins with its verb: ``Build A MEN``, ``Disband A MEN``, ``Waive``.

        Of a retreat only the verb is passed over; :meth:`_unit_order` reads on from the unit.
        """
        match self._command_verb():
            case "waive":
                return Waive()
            case "pick":
                return Pick(self.place())
            case "build":
                return Build(self.new_unit())
            case "remove":
                return Remove(self.unit())
            case "disband":
                return Disband(self.unit())
        return None

    @backtrack
    def _command_verb(self) -> str:
        """Pass over the verb before a unit and return its command; "" if there is none.

        In winter a minus before a unit removes it.
        """
        minus = self.phase == "winter" and self.take_any(DASH)
        for command in COMMANDS[self.phase]:
            if self._take_command(command):
                self.skip("articles")
                self.take_any(":")
                return command
        return "remove" if minus and self.is_unit(self.at) else ""

    @backtrack
    def _take_command(self, command: str) -> bool:
        """Pass over the words of a command, unless they are the word for a unit; say if so."""
        start = self.at
        taken = self.take(self.lexicon.commands[command])
        is_unit_word = self.is_unit(start) and not self.is_unit(self.at)
        return bool(taken) and not is_unit_word

    def _order_without_verb(self) -> Order | None:
        """Read a centre alone as a pick and a unit alone as a deployment.

        Raises:
            Impossible: a verb follows, as in the order of a unit on the board (``A ALE H``).
        """
        if self.phase == "picks":
            return self._pick()
        if self.phase == "deployment":
            text = self.unit_text()
            self._refuse_board_order(has_unit_word=bool(text.kind))
            self._refuse_guess(text.province, is_bare=not text.kind)
            return Build(self.built_unit(text))
        return None

    def _pick(self) -> Pick:
        """Read the centre of a pick that has no verb.

        Raises:
            Impossible: a fleet or an army in words stands before it, or a verb behind it.
        """
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
        return Pick(centre)

    def _refuse_guess(self, centre: str, *, is_bare: bool) -> None:
        """Refuse a name alone that is misspelt or shortened: it may be anything, a signature too.

        Raises:
            Unreadable: it is, with the order that may have been meant.
        """
        found = self.provinces.find_exact(self.line, self._at_name()) if is_bare else None
        if is_bare and (found is None or found.province != centre):
            raise Unreadable("needs-verb", self.source.strip(), (self._full_order(centre),))

    @look_ahead
    def _at_name(self) -> int:
        """Return the token at which the name in a line without a verb begins."""
        self.at = 0
        self.skip_to_order()
        return self.at

    def _full_order(self, centre: str) -> str:
        """Return the order that a centre alone may mean."""
        return f"Pick {centre}" if self.phase == "picks" else f"Build A {centre}"

    def _refuse_board_order(self, *, has_unit_word: bool) -> None:
        """Refuse a line that goes on, behind a place, like the order of a unit on the board.

        ``has_unit_word``: a word for a unit stood before the place.

        Raises:
            Impossible: it does.
        """
        if self._is_board_order(has_unit_word):
            raise Impossible("not-now", self.source.strip())

    @look_ahead
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
        """Return whether a unit or a place comes next; with ``guess``, a misspelt one too."""
        if self.is_unit(self.at) or self.provinces.match(self.line, self.at):
            return True
        return guess and self.provinces.is_like_name(self.line, self.at)

    # -- orders of a unit on the board -----------------------------------------------------------

    def _unit_order(self) -> Order:
        """Read a unit, its verb and what the verb needs.

        Raises:
            Unreadable, Ambiguous, Impossible: with the fragment at fault.
        """
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
                return Hold(unit)
            case "support":
                return self._support(unit)
            case "convoy":
                return self._convoy(unit)
            case "disband" | "remove":
                return Remove(unit) if self.phase == "winter" else Disband(unit)
        if self.phase == "retreats":
            return Retreat(unit, self.destination())
        return self._move(unit)

    def _missing_verb(self, unit: str) -> Unreadable:
        """Return the refusal of a unit without a verb, with orders it could have been given."""
        self.skip("articles")
        found = self.provinces.find_exact(self.line, self.at)
        orders = {"winter": f"Remove {unit}", "retreats": f"Disband {unit}"}
        suggestions: tuple[str, ...] = (orders.get(self.phase, f"{unit} H"),)
        if found and self.phase != "winter":
            suggestions = (f"{unit} - {found.province}", *suggestions)
        if self.is_word(self.at) and not found:
            self.at += 1
            return Unreadable("unknown-verb", self.fragment(self.at - 1), suggestions)
        return Unreadable("no-verb", self.source.strip(), suggestions)

    def _move(self, unit: str) -> Move:
        to, by_sea = self._route(unit)
        via = self._via(unit, to)
        return Move(unit, to, by_sea if via is None else via)

    def _route(self, unit: str) -> tuple[str, bool]:
        """Read a destination; return it and whether an army's route over seas is written out.

        Of a route the last place counts: the places before it are seas or, for a fleet, the
        stretches of a river.
        """
        to, by_sea = self.destination(), False
        while self.is_sign() and (unit[0] == "F" or self.board.province_of(to).is_sea):
            self.at += 1
            by_sea = unit[0] != "F"
            to = self.destination()
        return to, by_sea

    def _skip_own_place(self, unit: str) -> None:
        """Pass over the place where the unit stands: "stays in Tyre"."""
        found = self.provinces.find_exact(self.line, self.at)
        if found and found.province == split_location(unit[2:])[0]:
            self.at = found.end

    def _support(self, unit: str) -> Support:
        self._skip_helped_words()
        other = self.unit(any_power=True)
        if self.take_first("to_hold") or self._supported_verb() != "move":
            return Support(unit, other)
        to, _ = self._route(other)
        self._via(other, to)
        return Support(unit, other, to)

    @backtrack
    def _supported_verb(self) -> str:
        """Read the verb of a supported unit, move or hold; "" if no such verb follows."""
        verb = self._verb()
        return verb if verb in ("move", "hold") else ""

    def _convoy(self, unit: str) -> Convoy:
        self._skip_helped_words()
        army = self.unit(any_power=True)
        if self._verb() != "move":
            raise Unreadable("convoy-where", self.source.strip())
        to, _ = self._route(army)
        self._via(army, to)
        return Convoy(unit, army, to)

    # -- verbs -----------------------------------------------------------------------------------

    def _verb(self) -> str:
        """Read a verb and return its meaning; "" if there is none."""
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
        return True if self._take_by_convoy(unit) else None

    @backtrack
    def _take_by_land(self) -> bool:
        """Pass over words for going by land; return whether there were any."""
        self.take_any("(", ",")
        return self.take_first("via_land")

    @backtrack
    def _take_by_convoy(self, unit: str) -> bool:
        """Pass over words for going by convoy; return whether there were any."""
        self.take_any("(", ",")
        _, via_end = match(self.lexicon.phrases["via"], self.line, self.at)
        _, convoy_end = match(self.lexicon.phrases["via_convoy"], self.line, self.at)
        if convoy_end == self.at or (unit[0] == "F" and convoy_end == via_end):
            return False
        self.at = convoy_end
        return True

    @backtrack
    def _take_named_way(self, unit: str, to: str) -> bool:
        """Pass over ``via`` and the name of a river or portage; return whether there is one.

        The name changes nothing: a wrong one is reported in a notice.
        """
        self.take_any("(", ",")
        start = self.at
        _, via_end = match(self.lexicon.phrases["via"], self.line, start)
        _, convoy_end = match(self.lexicon.phrases["via_convoy"], self.line, start)
        if via_end == start or convoy_end > via_end:
            return False
        self.at = via_end
        self.skip("articles")
        way = self._way_name()
        if way:
            ends = (split_location(place)[0] for place in (unit[2:], to))
            if not self.names.leads(way, *ends):
                self.notices.append(Notice("other-way", {"text": self.fragment(start)}))
        return bool(way)

    def _way_name(self) -> str:
        """Read the name of a river or portage, misspelt or not, and return its id; "" if none.

        Raises:
            Unreadable: it is misspelt, and the settings refuse that.
        """
        start = self.at
        way = self.take(self.names.ways)
        if way or self.provinces.match(self.line, self.at):
            return way
        way, meant = self.names.nearest_way(self.text())
        if way:
            self.at += 1
            if self.settings.fuzzy == REFUSE:
                raise Unreadable("unknown-place", self.fragment(start), (meant,))
            data = {"text": self.fragment(start), "meant": meant}
            self.notices.append(Notice("misspelt", data))
        return way

    # -- the end of the line ---------------------------------------------------------------------

    def _end(self) -> None:
        """Leave aside what follows a whole order, with a notice.

        Raises:
            Unreadable: it reads like more of an order.
        """
        while self.take_any(*".,:;)(+/#") or self.take_first("fillers"):
            pass
        if not self.has_more():
            return
        rest = self.source[self.line[self.at].start :].strip()
        is_bracket = self.source[: self.line[self.at].start].rstrip().endswith("(")
        if not is_bracket and self._is_more_of_order():
            raise Unreadable("unexpected", rest)
        self.notices.append(Notice("ignored", {"text": rest}))

    def _is_more_of_order(self) -> bool:
        """Return whether a unit or a place comes next, or a move sign follows anywhere."""
        at = self.at + self.is_unit(self.at)
        while at < len(self.line) and self.lexicon.is_in("articles", self.line[at].text):
            at += 1
        if self.provinces.match(self.line, at) is not None:
            return True
        return any(token.kind in _SIGNS for token in self.line[self.at :])
