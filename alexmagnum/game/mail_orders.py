"""Reading a power's mail: every line as understood, and the orders that count from then on.

Open this for the verdict that a receipt gives on a line, and for what a second mail changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from alexmagnum.errors import NotationError
from alexmagnum.game.fresh_start import FreshText, split_fresh_start
from alexmagnum.game.mail_sections import NOW, OTHER, RETREATS, Part, split_sections
from alexmagnum.game.second_mail import combine_orders, find_subject
from alexmagnum.game.untaken_lines import HEADING, find_proposals, names_something, quote_untaken
from alexmagnum.game.values import DOUBTFUL, PROSE, UNTAKEN, Understood
from alexmagnum.judge.checking import GOOD, IMPOSSIBLE, Check, check_orders, list_reachable
from alexmagnum.judge.outcome import REPLACED, Reason
from alexmagnum.notation import Line, NotationSettings, read_order, read_orders, write_order
from alexmagnum.notation.reader import BARE_UNIT_CODES
from alexmagnum.orders import Order
from alexmagnum.position import PICKS, WINTER, Dislodged, Phase, Position

_IN_SENTENCE = frozenset({"in-sentence", "unknown-verb"})
"""The error codes of lines that may be sentences: orders are proposed for all that they name."""

_NumberedLines = Iterator[tuple[int, Understood]]


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail that was read: its lines, and the ``orders`` that count after it, earlier ones
    included.  ``replaces``: orders that counted before count no more; ``fresh`` says that all of
    them were replaced on purpose, and how far: see :mod:`alexmagnum.game.fresh_start`."""

    lines: tuple[Understood, ...]
    orders: tuple[Order, ...]
    replaces: bool
    fresh: str = ""


def read_mail(
    position: Position,
    power: str,
    text: str,
    settings: Mapping[str, str],
    before: Sequence[Order] = (),
    fresh: str = "",
    *,
    writers: Sequence[str] = (),
) -> Mail:
    """Read a power's mail in a phase; ``before`` are the orders that counted so far.

    ``fresh``: the mail replaces what was sent before, whatever its text says.  ``writers`` are
    names of the person who wrote it, so that their signature is no order.
    """
    reader = _Reader(position, power, settings, tuple(writers))
    start = split_fresh_start(text, position.board)
    parts = list(split_sections(start.text, position.phase, position.board))
    lines = reader.read_parts([part for part in parts if part.target == NOW])
    sent = reader.select_counting(lines)
    fresh = fresh or _find_scope(start, lines)
    earlier = () if fresh else before
    orders = reader.merge(earlier, [order for _, order in sent])
    understood = [
        *reader.explain_lines(lines, sent, orders),
        *reader.explain_other_season([part for part in parts if part.target == OTHER]),
    ]
    for kind in (RETREATS, WINTER):
        section = [part for part in parts if part.target == kind]
        understood += reader.explain_advance_orders(section, kind)
    understood.sort(key=lambda pair: pair[0])
    understood = list(quote_untaken(understood, position.board, power, reader.suppose))
    remaining = {write_order(order) for order in orders}
    replaces = any(write_order(order) not in remaining for order in before)
    return Mail(tuple(line for _, line in understood), tuple(orders), replaces, fresh)


def _find_scope(start: FreshText, lines: Sequence[Line]) -> str:
    """Return how far a mail replaces what was sent before, "" if it adds to it.

    ``All orders`` means the orders below it: it counts above the first order alone, and only if
    there is one.  ``Annulla`` counts wherever it stands.
    """
    if not start.scope or start.cancels:
        return start.scope
    first = min((line.number for line in lines if line.order is not None), default=0)
    return start.scope if first >= start.number else ""


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads the lines of one power in a position, under some house rules."""

    position: Position
    power: str
    settings: Mapping[str, str]
    writers: tuple[str, ...] = ()

    def suppose(self, kind: str) -> Position:
        """Return the position in which orders for a kind of later phase are read, or for now."""
        return _suppose_phase(self.position, self.power, kind) if kind else self.position

    # -- reading lines ---------------------------------------------------------------------------

    def read_parts(self, parts: Sequence[Part]) -> list[Line]:
        """Return the lines of some parts, numbered as in the mail."""
        if not parts:
            return []
        texts = [""] * parts[-1].number
        for part in parts:
            texts[part.number - 1] = part.text
        fuzzy = NotationSettings("refuse" if self.settings["fuzzy"] == "refuse" else "accept")
        reading = read_orders(
            "\n".join(texts), self.position, self.power, settings=fuzzy, writers=self.writers
        )
        verbs = {part.number: part.verb for part in parts if part.verb}
        return [self._add_verb(line, verbs.get(line.number, "")) for line in reading.lines]

    def _add_verb(self, line: Line, verb: str) -> Line:
        """Read a unit without a verb, below ``Costruzioni:``, as one to build."""
        is_bare = line.error is not None and line.error.code in BARE_UNIT_CODES
        if not verb or not (is_bare or (line.prose and line.text)):
            return line
        try:
            order = read_order(f"{verb} {line.text}", self.position, self.power)
        except NotationError:
            return line
        return replace(line, power=self.power, order=order, error=None, prose=False)

    def select_counting(self, lines: Sequence[Line]) -> list[tuple[Line, Order]]:
        """Return the orders of a mail that count: the power's own, and one for each unit."""
        own = [
            (line, line.order)
            for line in lines
            if line.order is not None and line.power == self.power
        ]
        if self.settings["two_orders"] == "last":
            return [(line, order) for line, order in own if not line.replaced]
        if self.position.phase.kind in ("winter", "deployment"):
            return own  # the judge decides which of them count
        first: dict[str, tuple[Line, Order]] = {}
        for line, order in own:
            first.setdefault(find_subject(order), (line, order))
        return list(first.values())

    def _check(self, order: Order) -> Check:
        """Return the check of an order by itself."""
        return check_orders(self.position, {self.power: [order]})[0]

    def merge(self, before: Sequence[Order], sent: Sequence[Order]) -> list[Order]:
        """Return the orders that count after a mail; a mail without orders changes nothing."""
        if not sent:
            return list(before)
        # The judge takes the first builds that are legal (R32), so the last ones come first here.
        kind = self.position.phase.kind
        step = -1 if kind == WINTER and self.settings["too_many_builds"] == "last" else 1
        if self.settings["second_mail"] != "merge" and kind != PICKS:
            return list(sent)[::step]
        return combine_orders(self.position, self.power, before, sent[::step])

    # -- lines for this phase --------------------------------------------------------------------

    def explain_lines(
        self,
        lines: Sequence[Line],
        sent: Sequence[tuple[Line, Order]],
        orders: Sequence[Order],
    ) -> _NumberedLines:
        """Return the lines for this phase as understood, without blank ones.

        ``sent`` are the lines whose orders count in this mail, ``orders`` all that count now: an
        impossible order that leaves a good earlier one in force is not among these.
        """
        in_force = {id(order) for order in orders}
        void = [order for _, order in sent if id(order) not in in_force]
        found = [
            *check_orders(self.position, {self.power: orders}),
            *check_orders(self.position, {self.power: void}),
        ]
        checks = {id(check.order): check for check in found}
        counting = {id(line) for line, _ in sent}
        for line in lines:
            if line.text:
                check = checks[id(line.order)] if id(line) in counting else None
                yield line.number, self._explain_line(line, check)
                yield from self._list_left_aside(line)

    def _list_left_aside(self, line: Line) -> _NumberedLines:
        """Return what was left aside behind an order, if it names a unit or a place."""
        for notice in line.notices:
            rest = notice.data.get("text", "") if notice.code == "ignored" else ""
            if names_something(rest, self.position.board):
                yield line.number, Understood(rest, "", PROSE, "", {})

    def _explain_line(self, line: Line, check: Check | None) -> Understood:
        """Return a line with its verdict; ``check`` is None for an order that does not count."""
        refused = self._refuse(line)
        if refused is not None:
            return refused
        assert line.order is not None, "a line without an order was refused"
        text = write_order(line.order)
        if check is None and self.position.phase.kind == "picks":
            alone = self._check(line.order)
            check = alone if alone.verdict == IMPOSSIBLE else None
        if check is None:
            return Understood(line.text, text, REPLACED, "order-replaced", {"unit": line.text})
        return self._explain_check(line, text, check)

    def _explain_check(self, line: Line, text: str, check: Check) -> Understood:
        """Return a line that counts, with the verdict of its check and of its notices."""
        reason = check.reason if check.verdict != GOOD else next(iter(check.warnings), None)
        if check.verdict == IMPOSSIBLE and reason is not None:
            return Understood(line.text, text, IMPOSSIBLE, reason.code, self._list_data(reason))
        for notice in line.notices:
            if notice.code not in ("superseded", "second-pick"):
                data = {name: str(value) for name, value in notice.data.items()}
                return Understood(line.text, text, DOUBTFUL, notice.code, data)
        if reason is not None:
            return Understood(line.text, text, DOUBTFUL, reason.code, self._list_data(reason))
        return Understood(line.text, text, GOOD, "", {})

    def _refuse(self, line: Line) -> Understood | None:
        """Return a line that is no order of this power, None if it is one."""
        if line.error is not None:
            near = ", ".join(line.error.suggestions)
            if line.error.code in _IN_SENTENCE:
                near = find_proposals(self.position, self.power, line.text) or near
            data = {**line.error.data, "suggestions": near}
            return Understood(line.text, "", line.error.kind, line.error.code, data)
        if line.order is None:
            return Understood(line.text, "", PROSE, HEADING if line.signed else "", {})
        if line.power != self.power:
            text, data = write_order(line.order), {"power": line.power or "?"}
            return Understood(line.text, text, IMPOSSIBLE, "second-hand", data)
        return None

    def _list_data(self, reason: Reason) -> dict[str, str]:
        return list_reason_data(self.position, reason)

    # -- lines for another phase -----------------------------------------------------------------

    def explain_other_season(self, parts: Sequence[Part]) -> _NumberedLines:
        """Return orders for a season that it is not now: none counts, and each says so."""
        seasons = {part.number: part.season for part in parts}
        for line in self.read_parts([part for part in parts if not part.heading]):
            if not line.text:
                continue
            data = {"asked": seasons[line.number], "current": str(self.position.phase)}
            if line.prose and names_something(line.text, self.position.board):
                yield line.number, Understood(line.text, "", UNTAKEN, "other-season", data)
            elif line.prose:
                yield line.number, Understood(line.text, "", PROSE, "", {})
            else:
                yield line.number, Understood(line.text, "", IMPOSSIBLE, "other-season", data)
        for part in parts:
            if part.heading:
                yield part.number, Understood(part.text.strip(), "", PROSE, HEADING, {})

    def explain_advance_orders(self, parts: Sequence[Part], kind: str) -> _NumberedLines:
        """Return orders for a phase to come, read as if it were now; later it shows if they fit."""
        later = replace(self, position=_suppose_phase(self.position, self.power, kind))
        for is_heading, group in groupby(parts, lambda part: part.heading):
            section = list(group)
            if is_heading:
                for part in section:
                    yield part.number, Understood(part.text.strip(), "", PROSE, HEADING, {}, kind)
                continue
            for line in later.read_parts(section):
                if line.text:
                    yield line.number, later._explain_advance_line(line)._replace(ahead=kind)
                    for number, rest in later._list_left_aside(line):
                        yield number, rest._replace(ahead=kind)

    def _explain_advance_line(self, line: Line) -> Understood:
        refused = self._refuse(line)
        if refused is not None:
            return refused
        assert line.order is not None, "a line without an order was refused"
        text = write_order(line.order)
        if self.settings["ahead"] == "no":
            return Understood(line.text, text, IMPOSSIBLE, "ahead-not-taken", {})
        if line.replaced:
            return Understood(line.text, text, REPLACED, "order-replaced", {"unit": line.text})
        return Understood(line.text, text, GOOD, "", {})


def list_reason_data(position: Position, reason: Reason) -> dict[str, str]:
    """Return what the sentence of a reason may need, as texts."""
    units = [position.name(unit) for unit in reason.units]
    return {
        "by": next(iter(units), ""),
        "units": ", ".join(units),
        "strength": str(reason.strength),
        "against": str(reason.against),
        "powers": ", ".join(reason.powers),
        "place": reason.place,
        "room": str(reason.room),
    }


def _suppose_phase(position: Position, power: str, kind: str) -> Position:
    """Return a position in which orders for a later phase can be read.

    For retreats every unit of the power is dislodged, with all its neighbours open.
    """
    phase = position.phase
    if kind == WINTER:
        units = (*position.units, *(d.unit for d in position.dislodged))
        return replace(position, phase=Phase(phase.year, WINTER), units=units, dislodged=())
    own = [unit for unit in position.units if unit.power == power]
    dislodged = tuple(Dislodged(unit, unit, list_reachable(position, unit)) for unit in own)
    others = tuple(unit for unit in position.units if unit.power != power)
    return replace(position, phase=replace(phase, retreats=True), units=others, dislodged=dislodged)


# -- when the phase has come ----------------------------------------------------------------------


def select_fitting_orders(
    position: Position, power: str, texts: Iterable[str], settings: Mapping[str, str]
) -> Mail:
    """Return the advance orders that fit now that their phase has come; drop the others."""
    reader = _Reader(position, power, settings)
    found = [
        (line.text, line.order)
        for text in texts
        for line in reader.read_parts([Part(1, text)])
        if line.order is not None and line.power == power
    ]
    fitting = _select_legal(position, power, [order for _, order in found])
    chosen = {id(order) for order in fitting}
    lines = tuple(
        Understood(text, write_order(order), GOOD, "", {})
        for text, order in found
        if id(order) in chosen
    )
    return Mail(lines, fitting, replaces=False)


def _select_legal(position: Position, power: str, orders: Sequence[Order]) -> tuple[Order, ...]:
    """Return the legal orders; in retreats the last one for each unit."""
    checks = check_orders(position, {power: orders})
    # Two lines may give equal orders, so orders are compared by identity.
    legal_ids = {id(check.order) for check in checks if check.verdict == GOOD}
    legal = [order for order in orders if id(order) in legal_ids]
    if position.phase.kind == "retreats":
        return tuple({find_subject(order): order for order in legal}.values())
    return tuple(legal)
