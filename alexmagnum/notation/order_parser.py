"""One order out of a line.

An order is read from left to right: a unit or a command, a verb, and what the verb asks for.
What a word means depends on where it stands and on the phase: ``a`` is an army before a place
and "to" after one.
"""

from __future__ import annotations

from alexmagnum.board.geography import split_location
from alexmagnum.errors import Impossible, Unreadable
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


class OrderParser(OrderParts):
    """Reads one order from a line; make one for each line."""

    def parse(self) -> Order:
        """The order on the line.

        Raises:
            Unreadable, Ambiguous, Impossible: with the fragment at fault.
        """
        self._begin()
        if self.is_foreign_command():
            raise Impossible("not-now", self.source.strip())
        order = self._command() or self._bare() or self._unit_order()
        self._end()
        return order

    def parse_unit(self) -> Unit:
        """The unit that is all there is on the line.

        Raises:
            Unreadable, Ambiguous, Impossible: with the fragment at fault.
        """
        self._begin()
        unit, notices = find_unit(self.position, self.unit_text(), self.power)
        self.notices += notices
        self._end()
        return unit

    def _begin(self) -> None:
        """Pass over what stands before, and see that something follows."""
        self.start()
        if not self.more():
            raise Unreadable("empty", self.source.strip())

    def bullet(self) -> None:
        """Pass over what numbers or marks a line; in winter ``-`` and ``+`` are orders."""
        marks = (".", ")", "(", ":", *(() if self.phase == "winter" else (DASH, "+")))
        while self.text() in marks or self.is_number():
            self.at += 1

    def start(self) -> None:
        """Pass over everything before the order itself."""
        self.bullet()
        while not (self.is_command() or self.is_unit(self.at)):
            if self.places.here(self.line, self.at) or not self.take_first("fillers", "articles"):
                return

    def is_command(self) -> str:
        """The verb that stands before a unit in this phase, if one does here."""
        for command in COMMANDS[self.phase]:
            if self.sees(self.words.commands[command]):
                return command
        return ""

    def is_foreign_command(self) -> bool:
        """Does a whole order of another phase stand here (``Build A MEN`` in spring)?

        Single letters are left to this phase.
        """
        for command, phrases in self.words.commands.items():
            _, end = match(phrases, self.line, self.at)
            letter = len(self.text()) == 1
            if end == self.at or letter or command in COMMANDS[self.phase]:
                continue
            if self.is_command() or self.places.here(self.line, self.at):
                continue
            if (command == "waive" and end == len(self.line)) or self.is_unit(end):
                return True
            if command not in ("waive", "retreat") and self._is_all(end):
                return True
        return False

    def _is_all(self, at: int) -> bool:
        """Is a place all that stands between a token and the end, or a comma?"""
        found = self.places.exact(self.line, at)
        if not found:
            return at + 1 == len(self.line) and self.places.nearly(self.line, at)
        start, self.at = self.at, found.end
        while self.take_any(".", ":", ")", "(") or self.take_first("fillers"):
            pass
        whole = not self.more() or self.text() in (",", ";")
        self.at = start
        return whole

    # -- orders ----------------------------------------------------------------------------------

    def _command(self) -> Order | None:
        """An order that begins with its verb: ``Build A MEN``, ``Disband A MEN``, ``Waive``."""
        start = self.at
        minus = self.phase == "winter" and self.take_any(DASH)
        for command in COMMANDS[self.phase]:
            at = self.at
            if not self.take(self.words.commands[command]):
                continue
            if self.is_unit(at) and not self.is_unit(self.at):
                self.at = at
                continue
            self.skip("articles")
            self.take_any(":")
            return self._commanded(command)
        if minus and self.is_unit(self.at):
            return Remove(self.unit())
        self.at = start
        return None

    def _commanded(self, command: str) -> Order | None:
        match command:
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
        return None  # a retreat is read on from its unit

    def _bare(self) -> Order | None:
        """A centre alone is a pick, a unit alone a deployment.

        Raises:
            Impossible: a verb follows, as in the order of a unit on the board (``A ALE H``).
        """
        if self.phase == "picks":
            start, lettered = self.at, self.is_unit(self.at)
            if not lettered:
                centre = self.place()
            else:
                text = self.unit_text()
                centre = text.province
                # A letter may be the Italian for "to"; a fleet or an army in words is a unit.
                if text.kind and not (text.kind == "A" and len(self.line[start].text) == 1):
                    raise Impossible("not-now", self.source.strip())
            self._no_order(lettered)
            return Pick(centre)
        if self.phase == "deployment":
            text = self.unit_text()
            self._no_order(bool(text.kind))
            return Build(self.built(text))
        return None

    def _no_order(self, lettered: bool) -> None:
        """Refuse what goes on as the order of a unit on the board does, behind a place.

        ``lettered``: a word for a unit stood before the place.  Without one a verb may be a
        word of every day ("in", "per"), and needs what it asks for.
        """
        start = self.at
        if self.take_first("fillers"):
            self.at = start
            return
        sign = self._signs()
        verb = "move" if sign else self.take(self.words.verbs["movement"])
        self.take_any(".")
        last = not self.more()
        if verb in ("hold", "disband", "remove"):
            found = lettered or last
        elif verb:
            self.skip("articles")
            found = self.is_unit(self.at) or self.places.here(self.line, self.at) is not None
            if sign or lettered:
                found = found or self.places.nearly(self.line, self.at)
            found = found or (last and lettered and verb in ("support", "convoy", "retreat"))
        else:
            found = False
        if found:
            raise Impossible("not-now", self.source.strip())
        self.at = start

    def _unit_order(self) -> Order:
        unit = self.unit()
        start = self.at
        verb = self._verb()
        if not verb:
            raise self._no_verb(unit)
        if verb not in VERBS[self.phase]:
            raise Impossible("not-now", self.fragment(start))
        match verb:
            case "hold":
                self._where_it_is(unit)
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

    def _no_verb(self, unit: str) -> Unreadable:
        """What to say where no verb follows the unit."""
        self.skip("articles")
        found = self.places.exact(self.line, self.at)
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
        """A destination, and whether an army's route to it is written out over seas.

        Of a route the last place counts: what may lie before it are seas, and for a fleet the
        stretches of a river.
        """
        to, by_sea = self.destination(), False
        while self.is_sign() and (unit[0] == "F" or self.board.province_of(to).is_sea):
            self.at += 1
            by_sea = unit[0] != "F"
            to = self.destination()
        return to, by_sea

    def _where_it_is(self, unit: str) -> None:
        """Pass over the unit's own place: "stays in Tyre"."""
        found = self.places.exact(self.line, self.at)
        if found and found.province == split_location(unit[2:])[0]:
            self.at = found.end

    def _support(self, unit: str) -> Support:
        self._helped()
        other = self.unit(any_power=True)
        if self.take_first("to_hold"):
            return Support(unit, other)
        start = self.at
        verb = self._verb()
        if verb == "move":
            to, _ = self._route(other)
            self._via(other, to)
            return Support(unit, other, to)
        if verb != "hold":
            self.at = start
        return Support(unit, other)

    def _convoy(self, unit: str) -> Convoy:
        self._helped()
        army = self.unit(any_power=True)
        if self._verb() != "move":
            raise Unreadable("convoy-where", self.source.strip())
        to, _ = self._route(army)
        self._via(army, to)
        return Convoy(unit, army, to)

    # -- what stands between and behind ----------------------------------------------------------

    def _verb(self) -> str:
        """The verb here, passed over; "" if none is there."""
        self.take_any(",", ":", ".")
        if self._signs():
            if self._move_word():
                self.take(self.verbs)
            return "move"
        verb = self.take(self.verbs)
        self.take_any(".")
        if verb == "move":
            self._signs()
        return verb

    def _move_word(self) -> bool:
        """Does a word for moving follow the sign ("-> in"), rather than a place (``PER``) or
        the beginning of one (``M. Egiziano``)?"""
        if self.sees(self.verbs) != "move" or self.places.here(self.line, self.at):
            return False
        dotted = self.line[self.at + 1 : self.at + 2]
        return not (dotted and dotted[0].text == "." and len(self.line[self.at].text) == 1)

    def _signs(self) -> bool:
        """Pass over move signs; were there any?"""
        start = self.at
        while self.is_sign():
            self.at += 1
        return self.at > start

    def _helped(self) -> None:
        """Pass over "the attack of" between a support and the unit that it helps."""
        while self.take_first("helped"):
            pass

    def _via(self, unit: str, to: str) -> bool | None:
        """A trailing ``via convoy`` (True), ``by land`` (False) or ``via Nilo`` (None).

        ``via`` alone is by convoy for an army; a fleet goes on a river or over a portage.
        """
        start = self.at
        self.take_any("(", ",")
        if self.take_first("via_land"):
            return False
        at = self.at
        _, end = match(self.words.phrases["via"], self.line, at)
        _, convoy = match(self.words.phrases["via_convoy"], self.line, at)
        if end > at and convoy <= end:
            self.at = end
            self.skip("articles")
            if self._way(unit, to, at):
                return None
            self.at = at
        if convoy > at and not (unit[0] == "F" and convoy == end):
            self.at = convoy
            return True
        self.at = start
        return None

    def _way(self, unit: str, to: str, start: int) -> bool:
        """Pass over the name of a river or portage, misspelt or not; is it one?

        Its name changes nothing: a wrong one is said and left aside.
        """
        name = self.at
        way = self.take(self.names.ways)
        if not way and not self.places.here(self.line, self.at):
            way, meant = self.names.nearest_way(self.text())
            self.at += bool(way)
            if way and self.settings.fuzzy == REFUSE:
                raise Unreadable("unknown-place", self.fragment(name), (meant,))
            if way:
                data = {"text": self.fragment(name), "meant": meant}
                self.notices.append(Notice("misspelt", data))
        if not way:
            return False
        ends = (split_location(place)[0] for place in (unit[2:], to))
        if not self.names.leads(way, *ends):
            self.notices.append(Notice("other-way", {"text": self.fragment(start)}))
        return True

    def _end(self) -> None:
        """Whatever follows a whole order is left aside, unless it reads like more of an order."""
        while self.take_any(*".,:;)(+/#") or self.take_first("fillers"):
            pass
        if not self.more():
            return
        rest = self.source[self.line[self.at].start :].strip()
        bracket = self.source[: self.line[self.at].start].rstrip().endswith("(")
        if not bracket and (self._is_more() or any(t.kind in _SIGNS for t in self.line[self.at :])):
            raise Unreadable("unexpected", rest)
        self.notices.append(Notice("ignored", {"text": rest}))

    def _is_more(self) -> bool:
        """Does the name of a place stand here, or a unit?"""
        at = self.at + self.is_unit(self.at)
        while at < len(self.line) and self.words.is_in("articles", self.line[at].text):
            at += 1
        return self.places.here(self.line, at) is not None


_SIGNS = ("dash", "arrow")
