"""Reading orders out of text as people write it, line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from alexmagnum.board.model import Board
from alexmagnum.errors import NotationError
from alexmagnum.notation.canonical import CanonicalReader
from alexmagnum.notation.grammar import COMMANDS, OrderParser, power_named
from alexmagnum.notation.lexicon import Lexicon, lexicon, match
from alexmagnum.notation.model import Line, NotationSettings, Notice, Reading
from alexmagnum.notation.places import places
from alexmagnum.notation.text import Token, tokens
from alexmagnum.orders import Order, Pick, Waive
from alexmagnum.position import Position

_COMMENT = re.compile(r"//.*|(?:^|\s)#(?!\d).*")
_BULLET = re.compile(r"\s*(?:[*•·▪‣◦>]+\s*|[-–—]\s+|\(?\d{1,2}[.)]\s*)+")
_BRACKETS = re.compile(r"\(([^()]*)\)")
_LONGEST = 400
"""Characters of a line beyond which it cannot be an order."""

DEFAULT = NotationSettings()


def read_order(
    text: str,
    position: Position,
    power: str | None = None,
    *,
    settings: NotationSettings = DEFAULT,
) -> Order:
    """Read one order; ``power`` is whose it is (None: anybody's).

    Raises:
        Unreadable, Ambiguous, Impossible: with the fragment at fault and suggestions.
    """
    order = CanonicalReader(position).read(text, power) if _may_be_canonical(position) else None
    if order is not None:
        return order
    return OrderParser(text, position, power, lexicon(), settings).parse()


def read_canonical(
    lines: Mapping[str, Sequence[str]], position: Position
) -> dict[str, tuple[Order, ...]]:
    """Read orders by power, each a line of its own, the fast way where they are canonical.

    Raises:
        Unreadable, Ambiguous, Impossible: the first line that is no order.
    """
    read = CanonicalReader(position).read
    return {
        power: tuple(
            read(line, power) or OrderParser(line, position, power, lexicon(), DEFAULT).parse()
            for line in written
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
    """
    reader = _Reader(position, power, settings, words or lexicon())
    lines = [
        line for number, raw in enumerate(text.splitlines(), 1) for line in reader.read(number, raw)
    ]
    return Reading(_superseded(lines, position))


def _may_be_canonical(position: Position) -> bool:
    return position.phase.kind == "movement"


class _Reader:
    """Reads the lines of one text; remembers whose orders they are."""

    def __init__(
        self, position: Position, power: str | None, settings: NotationSettings, words: Lexicon
    ) -> None:
        self.position = position
        self.board: Board = position.board
        self.power = power
        self.settings = settings
        self.words = words
        self.places = places(position.board, words)

    def read(self, number: int, raw: str) -> Iterator[Line]:
        """What a line comes to: usually one :class:`Line`, several where orders share it."""
        text = _COMMENT.sub("", raw[:_LONGEST])
        for part in text.split(";"):
            yield from self._part(number, part)

    def _part(self, number: int, part: str) -> Iterator[Line]:
        rest = self._headed(self._unbulleted(part))
        if not rest.strip():
            yield Line(number, part, self.power, prose=True)
            return
        line = self._one(number, rest)
        if line.order is None:
            several = self._several(number, rest)
            if several:
                yield from several
                return
        yield line

    def _unbulleted(self, part: str) -> str:
        """A part without its bullet; ``-A Boh`` in winter keeps its minus, which removes."""
        found = _BULLET.match(part)
        return part[found.end() :] if found else part

    def _headed(self, part: str) -> str:
        """What follows a heading that names a power, which from now on these orders are of."""
        head, colon, rest = part.partition(":")
        for text, behind in ((part, ""), (head, rest if colon else "")):
            power = self._heading(tokens(text))
            if power:
                self.power = power
                return behind
        return part

    def _heading(self, line: Sequence[Token]) -> str:
        """The power that a heading names; "" if the line is none."""
        named = ""
        for token in line:
            if token.kind == "word" and not named:
                named = power_named(self.board, token.text) if len(token.text) > 1 else ""
                if named:
                    continue
            known = self.words.is_in("header", token.text) or token.text == named.casefold()
            if token.kind == "word" and not known:
                return ""
            if token.kind == "arrow":
                return ""
        return named

    def _one(self, number: int, text: str) -> Line:
        """A whole part as one order, an error, or prose."""
        parser = OrderParser(text, self.position, self.power, self.words, self.settings)
        try:
            order = parser.parse()
        except NotationError as error:
            if self._is_attempt(text):
                return Line(number, text.strip(), self.power, error=error)
            return Line(number, text.strip(), self.power, prose=True)
        power = self.power or self._owner(order)
        return Line(number, text.strip(), power, order, notices=tuple(parser.notices))

    def _owner(self, order: Order) -> str | None:
        """Whose unit an order is for, where nobody said whose orders these are."""
        if isinstance(order, (Waive, Pick)):
            return None
        unit = self.position.names.get(order.unit)
        return unit.power if unit else None

    def _several(self, number: int, text: str) -> list[Line]:
        """Orders with commas between them, if every piece is one."""
        pieces = [piece for piece in text.split(",") if piece.strip()]
        if len(pieces) < 2:
            return []
        lines = [self._one(number, piece) for piece in pieces]
        return lines if all(line.order is not None for line in lines) else []

    def _is_attempt(self, text: str) -> bool:
        """Does a line that is no order look as if it was meant to be one?"""
        line = tokens(_BRACKETS.sub(" ", text))
        if not line:
            return False
        commands = COMMANDS[self.position.phase.kind]
        if any(match(self.words.commands[name], line, 0)[0] for name in commands):
            return len(line) < 12
        start = 0
        while start < len(line) - 1 and self.words.is_in("articles", line[start].text):
            if match(self.words.units, line, start)[0] and line[start + 1].kind == "word":
                break
            start += 1
        unit, end = match(self.words.units, line, start)
        signs = any(token.kind in ("dash", "arrow") for token in line)
        if unit and end < len(line):
            if self.places.exact(line, end) or signs:
                return True
            return len(line[start].text) > 2 and self._has_verb(line, end + 1)
        return bool(self.places.exact(line, start)) and (signs or self._has_verb(line, start + 1))

    def _has_verb(self, line: tuple[Token, ...], start: int) -> bool:
        """Does a verb of more than a letter stand somewhere behind a token?"""
        return any(
            match(self.words.verbs, line, at)[0] and len(line[at].text) > 1
            for at in range(start, len(line))
        )


def _superseded(lines: Sequence[Line], position: Position) -> tuple[Line, ...]:
    """The lines with those marked whose unit has a later order; not in winter, where the
    listing decides what is too much."""
    if position.phase.kind not in ("movement", "retreats"):
        return tuple(lines)
    last: dict[tuple[str | None, str], int] = {}
    for i, line in enumerate(lines):
        if line.order is not None and not isinstance(line.order, (Waive, Pick)):
            last[line.power, line.order.unit] = i
    marked = []
    for i, line in enumerate(lines):
        order = line.order
        if order is None or isinstance(order, (Waive, Pick)) or last[line.power, order.unit] == i:
            marked.append(line)
            continue
        later = lines[last[line.power, order.unit]]
        notice = Notice("superseded", {"unit": order.unit, "later": later.text})
        marked.append(replace(line, notices=(*line.notices, notice), replaced=True))
    return tuple(marked)
