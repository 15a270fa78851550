"""Reading orders out of text as people write it, line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from alexmagnum.errors import Ambiguous, NotationError, Unreadable
from alexmagnum.notation.canonical import CanonicalReader
from alexmagnum.notation.lexicon import Lexicon, lexicon
from alexmagnum.notation.map_names import map_names
from alexmagnum.notation.model import Line, NotationSettings, Notice, Reading
from alexmagnum.notation.order_detection import (
    find_heading_power,
    find_mentioned_unit,
    is_accidental,
    is_attempt,
    is_hedged,
    is_likely,
    orders_rest_to_hold,
)
from alexmagnum.notation.order_parser import OrderParser
from alexmagnum.notation.tokens import tokens
from alexmagnum.notation.wrapped_lines import is_one_order, may_go_on
from alexmagnum.orders import Build, Disband, Hold, Order, Pick, Remove, Waive
from alexmagnum.position import Position, Unit

_COMMENT = re.compile(r"//.*|(?:^|\s)#(?!\d).*")
_QUOTE = re.compile(r"\s*>[\s>]*")
_LONGEST = 400
"""Characters of an order beyond which whatever follows is left aside."""

BARE_UNIT_CODES = frozenset({"no-verb", "no-unit-there", "not-your-unit"})
"""What is said of a unit that stands alone where the notation asks for an order."""

_VERBS: Mapping[type | None, str] = {Build: "Build", Remove: "Remove", Disband: "Disband"}

DEFAULT = NotationSettings()


def read_order(
    text: str,
    position: Position,
    power: str | None = None,
    *,
    settings: NotationSettings = DEFAULT,
    words: Lexicon | None = None,
) -> Order:
    """Read one order; ``power`` is whose it is (None: anybody's).

    Raises:
        Unreadable, Ambiguous, Impossible: with the fragment at fault and suggestions.
    """
    order = CanonicalReader(position).read(text, power) if _may_be_canonical(position) else None
    if order is not None:
        return order
    return OrderParser(text[:_LONGEST], position, power, words or lexicon(), settings).parse()


def read_unit(
    text: str, position: Position, power: str | None = None
) -> tuple[Unit, tuple[Notice, ...]]:
    """Read a unit by itself (``A MEN``, ``Menfi``, ``EGE#2``), and what had to be assumed for it;
    of several fleets in a sea that of ``power`` is meant.

    In a retreat phase a dislodged unit comes before one that stands in its place.

    Raises:
        Unreadable, Ambiguous, Impossible: with the fragment at fault and suggestions.
    """
    parser = OrderParser(text[:_LONGEST], position, power, lexicon(), DEFAULT)
    return parser.parse_unit(), tuple(parser.notices)


def read_canonical(
    lines: Mapping[str, Sequence[str]], position: Position
) -> dict[str, tuple[Order, ...]]:
    """Read the movement orders of a position by power, each a line of its own.

    They are read the fast way where they are canonical.

    Raises:
        Unreadable, Ambiguous, Impossible: the first line that is no order.
    """
    read = CanonicalReader(position).read
    return {
        power: tuple(
            [
                read(line, power) or OrderParser(line, position, power, lexicon(), DEFAULT).parse()
                for line in written
            ]
        )
        for power, written in lines.items()
    }


def read_orders(
    text: str,
    position: Position,
    power: str | None = None,
    *,
    settings: NotationSettings = DEFAULT,
    words: Lexicon | None = None,
) -> Reading:
    """Read all orders of a text: prose, headings and bullets are passed over.

    ``power`` is whose orders they are, until a line such as ``Ordini per Tolomeo:`` says
    otherwise.  One bad line never blocks the others; of two orders for one unit the last counts.
    Nothing is raised, whatever the text: what is wrong with a line is its ``error``.
    """
    reader = _Reader(position, power, settings, words or lexicon())
    lines = list(_with_the_rest(list(reader.read_all(text.splitlines())), position))
    return Reading(_superseded(list(_without_asides(lines)), position))


def _may_be_canonical(position: Position) -> bool:
    return position.phase.kind == "movement"


class _Reader:
    """Reads the lines of one text; remembers whose orders they are."""

    def __init__(
        self, position: Position, power: str | None, settings: NotationSettings, words: Lexicon
    ) -> None:
        self.position = position
        self.power = power
        self.settings = settings
        self.words = words
        self.names = map_names(position.board, words)

    def read_all(self, raws: Sequence[str]) -> Iterator[Line]:
        """What the lines of a text come to; an order that was broken in two is one again."""
        taken = False
        for number, (raw, below) in enumerate(pairwise([*raws, ""]), 1):
            if taken:
                taken = False
                yield Line(number, "", self.power, prose=True)
                continue
            power = self.power
            lines = tuple(self.read(number, raw))
            if may_go_on(raw, below):
                after, self.power = self.power, power
                joined = tuple(self.read(number, f"{raw.rstrip()} {below.strip()}"))
                taken = is_one_order(lines, self._alone(number, below), joined)
                lines = joined if taken else lines
                self.power = after
            yield from lines

    def _alone(self, number: int, raw: str) -> tuple[Line, ...]:
        """What a line comes to by itself, without what a heading in it would change."""
        power = self.power
        lines = tuple(self.read(number, raw))
        self.power = power
        return lines

    def read(self, number: int, raw: str) -> Iterator[Line]:
        """What a line comes to: usually one :class:`Line`, several where orders share it."""
        if _QUOTE.match(raw):
            yield self._quoted(number, raw)
            return
        for part in _COMMENT.sub("", raw).split(";"):
            rest = self._headed(part)
            if not rest.strip():
                yield Line(number, part.strip(), self.power, prose=True)
                continue
            before, verb = part.removesuffix(rest), ""
            for piece in self._pieces(rest):
                line = self._commanded(self._one(number, piece), verb)
                yield self._in_sentence(line, before, part)
                before += piece if line.prose else ""
                verb = _VERBS.get(type(line.order), "")

    def _commanded(self, line: Line, verb: str) -> Line:
        """A bare unit takes the verb of the order before it: ``Build A MEN, F TEB``."""
        if not verb or line.error is None or line.error.code not in BARE_UNIT_CODES:
            return line
        meant = self._one(line.number, f"{verb} {line.text}")
        return replace(meant, text=line.text) if meant.order is not None else line

    def _in_sentence(self, line: Line, before: str, part: str) -> Line:
        """A line as it came, but where it says the order of a unit within a sentence.

        "If you attack me, A MEN - TEB" is a threat and not an order.
        """
        hedged = bool(before) and is_hedged(tokens(before), self.words)
        if line.rest and hedged:
            return replace(line, rest=False)
        if line.order is not None and hedged:
            unit, said = _subject(line)[1], part.strip()
        elif line.prose and (unit := find_mentioned_unit(self._parser(line.text))):
            said = line.text
        else:
            return line
        error = Unreadable("in-sentence", said, unit=unit)
        return Line(line.number, said, line.power, error=error)

    def _quoted(self, number: int, raw: str) -> Line:
        """A line of somebody's earlier mail never counts; if it is an order, that is said."""
        line = self._one(number, _QUOTE.sub("", raw, count=1))
        if line.order is None:
            return Line(number, raw.strip(), self.power, prose=True)
        error = Unreadable("quoted", raw.strip(), (line.text,))
        return Line(number, raw.strip(), self.power, error=error)

    def _headed(self, part: str) -> str:
        """What follows a heading; one that names a power tells whose orders come from now on."""
        head, colon, rest = part.partition(":")
        for text, behind in ((part, ""), (head, rest if colon else "")):
            power = find_heading_power(tokens(text[:_LONGEST]), self.words, self.names)
            if power:
                self.power = power
                return behind
        if colon and not is_attempt(self._parser(part)) and is_attempt(self._parser(rest)):
            return rest
        return part

    def _pieces(self, text: str) -> Iterator[str]:
        """A text cut at those commas behind which an order begins, where "and" and a unit stand,
        and where after an order all others are to hold."""
        parser = self._parser(text, len(text))
        start = first = 0
        for i, token in enumerate(parser.line):
            joins, comma = self.words.is_in("and", token.text), token.text == ","
            if not (joins or comma):
                continue
            order = (comma or parser.is_unit(i + 1)) and is_attempt(parser, i + 1)
            if order or (orders_rest_to_hold(parser, i + 1) and is_attempt(parser, first)):
                yield text[start : token.start]
                start, first = token.end, i + 1
        yield text[start:]

    def _parser(self, text: str, longest: int = _LONGEST) -> OrderParser:
        return OrderParser(text[:longest], self.position, self.power, self.words, self.settings)

    def _one(self, number: int, text: str) -> Line:
        """A piece as one order, an error, or prose."""
        parser = self._parser(text)
        parser.bullet()
        begins = parser.line[parser.at].start if parser.more() else 0
        line = Line(number, text[begins:].strip(), self.power)
        if self.power and orders_rest_to_hold(parser):
            return replace(line, prose=True, rest=True)
        if not is_likely(parser):
            return replace(line, prose=True)
        parser.at = 0
        try:
            order = parser.parse()
        except NotationError as error:
            return replace(line, error=error) if is_attempt(parser) else replace(line, prose=True)
        if is_accidental(parser, order, parser.notices):
            return replace(line, prose=True)
        power = self.power or self._owner(order)
        if power is None:
            return replace(line, error=Ambiguous("whose-order", line.text))
        notices = tuple(parser.notices)
        if self.power is None:
            notices = (*notices, Notice("whose-unit", {"text": line.text, "power": power}))
        return replace(line, power=power, order=order, notices=notices)

    def _owner(self, order: Order) -> str | None:
        """Whose order it is, by its unit or centre, where nobody said so."""
        if isinstance(order, (Waive, Pick)):
            return None
        if isinstance(order, Build):
            return self.position.owners.get(order.unit[2:].partition("/")[0])
        unit = self.position.names.get(order.unit)
        return unit.power if unit else None


def _superseded(lines: Sequence[Line], position: Position) -> tuple[Line, ...]:
    """The lines with those marked whose unit has a later order.

    Not in winter and deployment, where what counts depends on what is legal (R31, R32).
    """
    if position.phase.kind in ("winter", "deployment"):
        return tuple(lines)
    last = {_subject(line): line for line in lines if line.order is not None}
    return tuple(
        line if line.order is None or last[_subject(line)] is line else _replaced(line, last)
        for line in lines
    )


def _with_the_rest(lines: Sequence[Line], position: Position) -> Iterator[Line]:
    """The lines; one that orders the rest to hold is an order for every unit without one."""
    ordered = {_subject(line) for line in lines if line.order is not None}
    for line in lines:
        holds = [
            hold
            for hold in (Hold(position.name(unit)) for unit in position.units_of(line.power or ""))
            if line.rest and (line.power, hold.unit.partition("/")[0]) not in ordered
        ]
        ordered |= {(line.power, hold.unit.partition("/")[0]) for hold in holds}
        yield from (replace(line, order=hold, prose=False) for hold in holds)
        if not holds:
            yield line


def _without_asides(lines: Sequence[Line]) -> Iterator[Line]:
    """The lines; those that speak of a unit in a sentence are mere words if it has an order."""
    ordered = {_subject(line)[1] for line in lines if line.order is not None}
    for line in lines:
        told = line.error.data.get("unit", "") if line.error else ""
        aside = told.partition("/")[0] in ordered
        yield replace(line, error=None, prose=True) if told and aside else line


def _subject(line: Line) -> tuple[str | None, str]:
    """What there is one order for: a power's unit, on whichever coast, or its pick."""
    unit = "" if isinstance(line.order, (Waive, Pick)) or not line.order else line.order.unit
    return line.power, unit.partition("/")[0]


def _replaced(line: Line, last: Mapping[tuple[str | None, str], Line]) -> Line:
    unit, later = _subject(line)[1], last[_subject(line)].text
    notice = Notice("superseded" if unit else "second-pick", {"unit": unit, "later": later})
    return replace(line, notices=(*line.notices, notice), replaced=True)
