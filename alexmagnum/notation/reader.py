"""Reading orders from text as people write it, line by line.

Open this file to change which lines of a text count; one order is read in ``order_parser``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from alexmagnum.board.model import INDEPENDENT
from alexmagnum.errors import Ambiguous, NotationError, Unreadable
from alexmagnum.notation import order_detection as detection
from alexmagnum.notation.names import map_names, split_sentences
from alexmagnum.notation.order_parser import OrderParser
from alexmagnum.notation.picks import PickSentence
from alexmagnum.notation.words import (
    Lexicon,
    Line,
    NotationSettings,
    Notice,
    Reading,
    is_condition,
    is_unmeant,
    lexicon,
    match,
    skip_correction,
    tokens,
)
from alexmagnum.notation.writer import CanonicalReader
from alexmagnum.orders import Build, Disband, Hold, Move, Order, Pick, Remove, Support, Waive
from alexmagnum.position import Position, Unit

COMMENT = re.compile(r"(?<!:)//.*|(?:^|\s)#(?!\d).*")
"""Text that is passed over; the address of a page on the web is none."""

_QUOTE = re.compile(r"\s*>[\s>]*")
_DASHES = " -‐‑‒–—―−"
_LONGEST = 400  # the most characters of a line that are read as one order

BARE_UNIT_CODES = frozenset({"no-verb", "no-unit-there", "not-your-unit"})
"""The error codes of a unit that stands alone where an order is expected."""

_REPEATED_VERBS: Mapping[type | None, str] = {Build: "Build", Remove: "Remove", Disband: "Disband"}
"""The verbs that a list of units repeats: ``Build A MEN, F TEB``."""

DEFAULT = NotationSettings()

Subject = tuple[str | None, str]
"""A power and the unit that an order is for; the unit of a pick is ""."""


def read_order(
    text: str,
    position: Position,
    power: str | None = None,
    *,
    settings: NotationSettings = DEFAULT,
    words: Lexicon | None = None,
) -> Order:
    """Read one order of a power; without ``power``, of any.

    Raises:
        Unreadable, Ambiguous, Impossible: with the fragment at fault and suggestions.
        ValueError: the map has no such power.
    """
    _check_power(power, position)
    if position.phase.kind == "movement":
        order = CanonicalReader(position).read(text, power)
        if order is not None:
            return order
    return OrderParser(text[:_LONGEST], position, power, words or lexicon(), settings).parse()


def read_unit(
    text: str, position: Position, power: str | None = None
) -> tuple[Unit, tuple[Notice, ...]]:
    """Read a unit by itself (``A MEN``, ``Menfi``, ``EGE#2``).

    Of several fleets in a sea the one of ``power`` is meant; in a retreat phase a dislodged unit
    is meant rather than the one that took its place.  Returns the unit and what had to be assumed.

    Raises:
        Unreadable, Ambiguous, Impossible: with the fragment at fault and suggestions.
        ValueError: the map has no such power.
    """
    _check_power(power, position)
    parser = OrderParser(text[:_LONGEST], position, power, lexicon(), DEFAULT)
    return parser.parse_unit(), tuple(parser.notices)


def read_canonical(
    lines: Mapping[str, Sequence[str]], position: Position
) -> dict[str, tuple[Order, ...]]:
    """Read the movement orders of a position by power, one order to a line.

    Lines in canonical notation are read the fast way.

    Raises:
        Unreadable, Ambiguous, Impossible: for the first line that is no order.
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
    writers: Sequence[str] = (),
    kept: Sequence[Order] = (),
) -> Reading:
    """Read all orders of a text, passing over prose, headings and bullets.

    The orders are those of ``power`` until a heading such as ``Ordini per Tolomeo:`` names another
    power.  One bad line never blocks the others; of two orders for one unit the last counts.
    Several different picks are ambiguous, and none counts.  ``writers`` are names of the person who
    wrote the text: they are never read as a place.  ``kept`` are orders in force, which "the rest
    stays" leaves as they are; without any it is "the rest holds".
    No text makes this raise: what is wrong with a line is its ``error``.

    Raises:
        ValueError: the map has no such power.
    """
    _check_power(power, position)
    vocabulary, raws = words or lexicon(), text.splitlines()
    signature = detection.find_signature(raws, vocabulary, writers)
    reader = _TextReader(position, power, settings, vocabulary)
    reader.signed = signature.own
    read, kind = list(reader.read_all(raws)), position.phase.kind
    read = list(detection.refuse_taken_back(read, raws, vocabulary, kind))
    lines: Iterable[Line] = _give_holds_to_rest(read, position, kept)
    if kind in detection.NAMES_ALONE:
        lines = detection.settle_names(list(lines), signature, position)
    signed = (replace(line, signed=line.prose and line.number in signature.lines) for line in lines)
    read = list(_drop_mentions(signed))
    if kind not in detection.NAMES_ALONE:
        in_force = {(power, find_subject(order)) for order in kept}
        read = list(_refuse_remarks(read, vocabulary, in_force))
    return Reading(_mark_superseded(read, position))


def _check_power(power: str | None, position: Position) -> None:
    if power is not None and power != INDEPENDENT and power not in position.board.powers:
        raise ValueError(f"there is no such power on this map: {power}")


class _TextReader:
    """A text that is being read; ``power`` is the power whose orders come next."""

    def __init__(
        self, position: Position, power: str | None, settings: NotationSettings, words: Lexicon
    ) -> None:
        self.position = position
        self.power = power
        self.settings = settings
        self.words = words
        self.names = map_names(position.board, words)
        self.signed: set[int] = set()
        """The lines with the writer's own name: no power's heading, even if a power has it."""

    def read_all(self, raws: Sequence[str]) -> Iterator[Line]:
        """Read the lines of a text, joining orders that were broken over two lines."""
        is_joined = False
        for number, (raw, below) in enumerate(pairwise([*raws, ""]), 1):
            if is_joined:
                is_joined = False
                yield Line(number, "", self.power, prose=True)
                continue
            power = self.power
            lines = tuple(self.read(number, raw))
            if detection.BAR not in raw + below and detection.may_go_on(raw, below):
                after, self.power = self.power, power
                joined = tuple(self.read(number, f"{raw.rstrip()} {below.strip()}"))
                alone = self._read_alone(number, below)
                is_joined = detection.is_one_order(lines, alone, joined)
                is_joined = is_joined or detection.is_one_pick(lines, joined)
                is_joined = is_joined or detection.is_one_remark(lines, alone, joined)
                lines = joined if is_joined else lines
                self.power = after
            yield from lines

    def _read_alone(self, number: int, raw: str) -> tuple[Line, ...]:
        """Read a line; a heading in it does not change whose orders come next."""
        power = self.power
        lines = tuple(self.read(number, raw))
        self.power = power
        return lines

    def read(self, number: int, raw: str) -> Iterator[Line]:
        """Read a line: usually one :class:`Line` comes of it, several where orders share it."""
        if _QUOTE.match(raw):
            yield self._read_quoted(number, raw)
        else:
            yield from (self._read_row if detection.BAR in raw else self._read_text)(number, raw)

    def _read_row(self, number: int, raw: str) -> Sequence[Line]:
        """Read a row of a table: as the first order that its columns give."""
        if detection.is_rule(raw):
            return [Line(number, raw.strip(), self.power, prose=True)]
        power = self.power
        for text, left in detection.list_readings(raw[:_LONGEST], self.position.phase.kind):
            self.power = power
            lines = list(self._read_text(number, text))
            has_order = any(line.order for line in lines) and not any(line.error for line in lines)
            if has_order and not self._is_order_without_unit(left):
                # The only order of a row is shown as the row was written.
                whole = raw.strip().strip(detection.BAR).strip()
                return [replace(lines[0], text=whole)] if len(lines) == 1 else lines
        self.power = power
        apart = [
            line for cell in detection.split_cells(raw) for line in self._read_text(number, cell)
        ]
        if all(line.order for line in apart):
            return apart  # a page in two columns
        self.power = power
        lines = list(self._read_text(number, raw))
        parser = self._parser(raw)
        if any(parser.provinces.match(parser.line, at) for at in range(len(parser.line))):
            return lines
        return [replace(line, error=None, order=None, prose=True) for line in lines]

    def _is_order_without_unit(self, text: str) -> bool:
        """Tell whether a column is an order too: a place, or what a unit does."""
        parser = self._parser(text)
        found = parser.provinces.find_exact(parser.line, 0)
        end = max(found.end if found else 0, match(parser.verbs, parser.line, 0)[1])
        return 0 < end == len(parser.line)

    def _read_text(self, number: int, raw: str) -> Iterator[Line]:
        for part in COMMENT.sub("", raw).split(";"):
            listed = self._read_list(number, part)
            rest = "" if listed else part if number in self.signed else self._read_heading(part)
            listed = listed or self._read_list(number, rest)
            if listed:
                yield from listed
                continue
            if not rest.strip():
                yield Line(number, part.strip(), self.power, prose=True)
                continue
            if self.position.phase.kind == "picks":
                yield from self._read_picks(number, rest.strip())
                continue
            yield from self._read_sentences(number, part, rest)

    def _read_sentences(self, number: int, part: str, rest: str) -> list[Line]:
        """Read a line at once, and each of its sentences if that leaves anything aside.

        Abbreviations have dots as well (``Gen. Sardi``), so a line that is read whole stays whole.
        """
        lines = self._read_pieces(number, part, rest)
        sentences = [text for text in split_sentences(rest) if any(map(str.isalpha, text))]
        is_whole = all(line.order is not None and not _list_ignored(line) for line in lines)
        if is_whole or len(sentences) < 2 or self._is_hedged(part.removesuffix(rest)):
            return lines
        apart = [line for text in sentences for line in self._read_pieces(number, text, text)]
        return apart if _is_better(apart, lines) else lines

    def _read_pieces(self, number: int, part: str, rest: str) -> list[Line]:
        """Read the orders of a sentence; ``rest`` is the sentence without its heading."""
        lines = list(self._read_each_piece(number, part, rest))
        if not any(line.prose for line in lines):
            return lines
        # "Ciao, Palmira": a name beside other words is no order.
        return [
            Line(number, line.text, line.power, prose=True)
            if line.bare and detection.is_name_alone(self._parser(line.text))
            else line
            for line in lines
        ]

    def _read_each_piece(self, number: int, part: str, rest: str) -> Iterator[Line]:
        before, said, verb = part.removesuffix(rest), "", ""
        for piece in self._split(rest):
            line = self._repeat_verb(self._read_piece(number, piece), verb)
            for each in self._read_helpers(line):
                yield self._refuse_mention(each, before, part, said)
            said = piece if line.prose else ""
            before += piece if line.prose else " ".join(_list_ignored(line))
            verb = _REPEATED_VERBS.get(type(line.order), "")

    def _read_helpers(self, line: Line) -> list[Line]:
        """Read the supports behind an order: ``A VIE - TRI con l'appoggio di A BUD``.

        All units there have to be read, else the line stays as it is.
        """
        order, ignored = line.order, _list_ignored(line)
        if not ignored or not isinstance(order, (Hold, Move)):
            return [line]
        parser = self._parser(ignored[0])
        start = self.words.end_of("helped_by", parser.line, 0)
        if not start:
            return [line]
        helped = order.unit if isinstance(order, Hold) else f"{order.unit} - {order.to}"
        supports: list[Line] = []
        for name in self._split_names(parser, start):
            read = self._read_piece(line.number, f"{name} S {helped}")
            if not isinstance(read.order, Support) or _list_ignored(read):
                return [line]
            supports.append(replace(read, text=ignored[0]))
        notices = tuple(notice for notice in line.notices if notice.code != "ignored")
        return [replace(line, notices=notices), *supports]

    def _split_names(self, parser: OrderParser, start: int) -> Iterator[str]:
        """Yield the units from a token on, which stand between commas and "and"."""
        first = start
        for at in range(start, len(parser.line) + 1):
            is_end = at == len(parser.line)
            text = "" if is_end else parser.line[at].text
            if is_end or text in (",", ")", ".") or self.words.is_in("and", text):
                if at > first:
                    yield parser.source[parser.line[first].start : parser.line[at - 1].end]
                first = at + 1

    def _read_list(self, number: int, text: str) -> list[Line]:
        """Read units in another form: ``Armate: Sardi, Tebe``, ``Sardi: generale``."""
        if self.position.phase.kind not in ("winter", "deployment"):
            return []
        return [
            replace(self._repeat_verb(self._read_piece(number, order), ""), text=item)
            for item, order in detection.find_listed_units(self._parser(text))
        ]

    def _read_picks(self, number: int, text: str) -> Iterator[Line]:
        sentences = [
            (part, list(PickSentence(self._parser(part)).find_announced()))
            for part in split_sentences(text)
        ]
        if not any(found for _, found in sentences):
            yield from self._read_name_alone(number, text)
            return
        for part, found in sentences:
            line = Line(number, part.strip(), self.power)
            for pick in found:
                power = pick.power or self.power
                read = replace(line, power=power, order=pick.pick, error=pick.error)
                read = replace(read, bare=pick.is_word)
                yield self._assign(replace(read, notices=pick.notices))
            if not found:
                yield self._read_further_name(line)

    def _read_further_name(self, line: Line) -> Line:
        """Read a sentence beside that of a pick: another centre, the writer's name, or prose."""
        sentence = PickSentence(self._parser(self._skip_correction(line.text)))
        for centre in () if sentence.is_first_name() else sentence.find_bare_centres():
            return self._assign(replace(line, order=Pick(centre), bare=True))
        return replace(line, prose=True)

    def _read_name_alone(self, number: int, text: str) -> Iterator[Line]:
        """Read a line without the verb of a pick: a centre alone, an order of a unit, or prose."""
        sentence = PickSentence(self._parser(self._skip_correction(text)))
        line = Line(number, text, self.power)
        centres = sentence.find_bare_centres()
        if centres and "?" in text:
            picks = tuple(f"Pick {centre}" for centre in centres)
            yield replace(line, error=Unreadable("in-sentence", text, picks))
            return
        for centre in centres:
            yield self._assign(replace(line, order=Pick(centre), bare=True))
        if centres:
            return
        for piece in self._split(text):
            read = self._read_piece(number, piece)
            if read.error is not None and read.error.code == "not-now":
                yield read
                return
        near = sentence.find_near_centre()
        error = Unreadable("needs-verb", text, (f"Pick {near}",)) if near else None
        yield replace(line, error=error, prose=error is None, bare=error is not None)

    def _repeat_verb(self, line: Line, verb: str) -> Line:
        """Give a bare unit the verb of the order before it: ``Build A MEN, F TEB``.

        In winter a unit that is not on the board can only be meant to be built.
        """
        if line.error is None or line.error.code not in BARE_UNIT_CODES:
            return line
        is_implied = (
            not verb
            and self.position.phase.kind == "winter"
            and detection.names_new_unit(self._parser(line.text))
        )
        verb = "Build" if is_implied else verb
        if not verb:
            return line
        meant = self._read_piece(line.number, f"{verb} {line.text.lstrip(_DASHES)}")
        is_bare = detection.begins_with_initial(self._parser(line.text))
        if meant.order is None or (is_implied and _list_ignored(meant)):
            return line  # "A Tiro fa freddo" is no build
        return replace(meant, text=line.text, bare=is_bare, corrects=line.corrects)

    def _refuse_mention(self, line: Line, before: str, part: str, said: str) -> Line:
        """Refuse an order that is only mentioned in a sentence; return any other line as it is.

        "If you attack me, A MEN - TEB" is a threat and not an order.  ``said`` is the prose before.
        """
        hedged = (
            self._is_hedged(before)
            or "?" in part
            or is_unmeant(tokens(part[:_LONGEST]), self.words)
            or any(is_condition(rest, self.words) for rest in _list_ignored(line))
            or self._is_remark(line, said)
        )
        if line.rest and hedged:
            return replace(line, rest="")
        if line.order is not None and hedged:
            unit, sentence = _subject(line)[1], part.strip()
        elif line.prose and (unit := detection.find_mentioned_unit(self._parser(line.text))):
            sentence = line.text
        else:
            return line
        error = Unreadable("in-sentence", sentence, unit=unit)
        return Line(line.number, sentence, line.power, error=error)

    def _is_remark(self, line: Line, said: str) -> bool:
        """Return whether a sentence goes on behind an order: ``A MEN H was cut``, or any words
        where some stood before it as well."""
        groups = ("old_labels", "forfeits") if isinstance(line.order, Waive) else ("old_labels",)
        return any(
            any(self.words.end_of(group, tokens(one), 0) for group in groups)
            or min(len(said.split()), len(one.split())) > 2
            for one in detection.find_words_behind(line)
        )

    def _is_hedged(self, before: str) -> bool:
        if not before or detection.is_hedged(tokens(before), self.words):
            return bool(before)
        is_short = len(before) <= _LONGEST  # else every order of a long line would cost more
        return is_short and detection.is_taken_back(self._parser(before, len(before)))

    def _read_quoted(self, number: int, raw: str) -> Line:
        """Read a line quoted from an earlier mail: it never counts, but an order is reported."""
        text = _QUOTE.sub("", raw, count=1)
        read = [self._read_piece(number, text)]
        if self.position.phase.kind == "picks":
            read = [*self._read_picks(number, text)]
        line = next((line for line in read if line.order is not None), read[0])
        if line.order is None:
            return Line(number, raw.strip(), self.power, prose=True)
        error = Unreadable("quoted", raw.strip(), (line.text,))
        return Line(number, raw.strip(), self.power, error=error)

    def _read_heading(self, part: str) -> str:
        head, colon, rest = part.partition(":")
        if skip_correction(tokens(head[:_LONGEST]), self.words):
            return part
        for text, behind in ((part, ""), (head, rest if colon else "")):
            power = detection.find_heading_power(tokens(text[:_LONGEST]), self.words, self.names)
            if power:
                self.power = power
                return behind
        if (
            colon
            and not detection.is_attempt(self._parser(part))
            and (
                detection.is_attempt(self._parser(rest))
                or detection.find_verb_of_rest(self._parser(rest))
            )
        ):
            return rest
        return part

    def _split(self, text: str) -> Iterator[str]:
        parser = self._parser(text, len(text))
        start = first = 0
        for i, token in enumerate(parser.line):
            if skip_correction(parser.line, self.words, first) > i:
                continue
            corrected = skip_correction(parser.line, self.words, i)
            if corrected > i and detection.is_attempt(parser, corrected):
                yield text[start : token.start]
                start, first = token.start, i
                continue
            joins, comma = self.words.is_in("and", token.text), token.text == ","
            if not (joins or comma):
                continue
            behind = skip_correction(parser.line, self.words, i + 1)
            is_next = comma or parser.is_unit(behind)
            is_next = is_next or (
                detection.is_attempt(parser, first) and self._is_unit_named(parser, behind)
            )
            is_order = is_next and (
                detection.is_attempt(parser, behind) or detection.begins_shortened(parser, behind)
            )
            is_order = is_order and not self._is_helper(parser, first, i)
            if is_order or (
                detection.find_verb_of_rest(parser, i + 1) and detection.is_attempt(parser, first)
            ):
                yield text[start : token.start]
                start, first = token.end, i + 1
        yield text[start:]

    def _is_helper(self, parser: OrderParser, first: int, at: int) -> bool:
        """Return whether a unit behind "and" is one more that supports the order before it."""
        helped = any(self.words.end_of("helped_by", parser.line, i) > i for i in range(first, at))
        error = self._read_piece(0, parser.source[parser.line[at].end :]).error if helped else None
        return error is not None and error.code in BARE_UNIT_CODES

    def _is_unit_named(self, parser: OrderParser, at: int) -> bool:
        """Return whether a word for a unit comes next, with or without articles."""
        while at < len(parser.line) and not parser.is_unit(at):
            if not self.words.is_in("articles", parser.line[at].text):
                return False
            at += 1
        return at < len(parser.line)

    def _skip_correction(self, text: str) -> str:
        line = tokens(text[:_LONGEST])
        end = skip_correction(line, self.words)
        return text[line[end].start :] if 0 < end < len(line) else text

    def _parser(self, text: str, longest: int = _LONGEST) -> OrderParser:
        return OrderParser(text[:longest], self.position, self.power, self.words, self.settings)

    def _read_piece(self, number: int, text: str) -> Line:
        """Read a piece of a line as one order, an error, or prose."""
        meant = self._skip_correction(text)
        line = self._read_plain(number, meant)
        if meant == text:
            return line
        if line.prose:
            return replace(line, text=text.strip())
        return replace(line, corrects=True)

    def _read_plain(self, number: int, text: str) -> Line:
        parser = self._parser(text)
        parser.skip_bullet()
        begins = parser.line[parser.at].start if parser.has_more() else 0
        line = Line(number, text[begins:].strip(), self.power)
        if verb := detection.find_verb_of_rest(parser):
            return replace(line, prose=True, rest=verb)
        prose = Line(number, text.strip(), self.power, prose=True)
        if not detection.is_likely(parser):
            return prose
        parser.at = 0
        try:
            order = parser.parse()
        except NotationError as error:
            if not detection.is_attempt(parser):
                return prose
            return replace(line, error=error, bare=detection.is_name_alone(parser))
        notices = tuple(parser.notices)
        if notices and detection.begins_shortened(parser) and not detection.is_attempt(parser):
            return replace(line, prose=True)  # "Mare in tempesta" is no order
        if detection.is_accidental(parser, order, notices):
            near = detection.find_unlikely_guess(parser, notices)
            refusal = Unreadable("unknown-place", near[0], near[1:]) if near else None
            return replace(line, error=refusal, prose=not near, bare=bool(near))
        is_bare = self.position.phase.kind == "deployment" and (
            detection.is_name_alone(parser) or detection.begins_with_initial(parser)
        )
        return self._assign(replace(line, order=order, notices=notices, bare=is_bare))

    def _assign(self, line: Line) -> Line:
        """Give an order to the power of its unit or centre, where no heading named a power."""
        if self.power is not None or line.order is None:
            return line
        power = self._owner(line.order)
        if power is None:
            return Line(line.number, line.text, error=Ambiguous("whose-order", line.text))
        notice = Notice("whose-unit", {"text": line.text, "power": power})
        return replace(line, power=power, notices=(*line.notices, notice))

    def _owner(self, order: Order) -> str | None:
        if isinstance(order, (Waive, Pick)):
            return None
        if isinstance(order, Build):
            return self.position.owners.get(order.unit[2:].partition("/")[0])
        unit = self.position.names.get(order.unit)
        return unit.power if unit else None


def _give_holds_to_rest(
    lines: Sequence[Line], position: Position, kept: Sequence[Order]
) -> Iterator[Line]:
    """Replace "all others hold", and "the others stay" with nothing to keep, by a hold for every
    unit of the power that has no order."""
    ordered = {_subject(line) for line in lines if line.order is not None}
    for line in lines:
        is_order = line.rest == "hold" or (line.rest and not kept)
        units = position.units_of(line.power) if is_order and line.power else ()
        holds = [replace(line, order=Hold(position.name(u)), prose=False) for u in units]
        missing = [hold for hold in holds if _subject(hold) not in ordered]
        ordered.update(map(_subject, missing))
        if line.rest == "unclear" and kept:
            yield replace(line, error=Unreadable("rest-unclear", line.text), prose=False)
        else:
            yield from missing or [line]


def _drop_mentions(lines: Iterable[Line]) -> Iterator[Line]:
    """Turn the error of a mentioned order into prose where its unit has an order as well."""
    listed = list(lines)
    ordered = {_subject(line)[1] for line in listed if line.order is not None}
    for line in listed:
        unit = line.error.data.get("unit", "") if line.error else ""
        is_ordered = bool(unit) and unit.partition("/")[0] in ordered
        yield replace(line, error=None, prose=True) if is_ordered else line


def _mark_superseded(lines: Sequence[Line], position: Position) -> tuple[Line, ...]:
    """Mark the orders whose unit has a later order.

    Not in winter and deployment, where what counts depends on what is legal (R31, R32).
    """
    if position.phase.kind in ("winter", "deployment"):
        return tuple(_mark_corrected(lines))
    last = {_subject(line): line for line in lines if line.order is not None and not line.replaced}
    return tuple(
        line
        if line.order is None or line.replaced or last[_subject(line)] is line
        else _supersede(line, last[_subject(line)])
        for line in lines
    )


def _refuse_remarks(
    lines: Sequence[Line], words: Lexicon, in_force: Collection[Subject]
) -> Iterator[Line]:
    """Refuse an order with a sentence behind it whose unit has a plain one above, or one in force
    that the sentence is about: it may be no more than words about it.  A correction may not be."""
    plain = set[Subject]()
    for line in lines:
        behind, subject = list(detection.find_words_behind(line)), _subject(line)
        has_words = any(
            len(one.split()) > 2 and not words.end_of("reasons", tokens(one), 0) for one in behind
        )
        is_about = any(words.end_of("predicates", tokens(one), 0) for one in behind)
        is_remark = (has_words and subject in plain) or (is_about and subject in in_force)
        said = tokens(line.text[:_LONGEST]) if line.prose else ()
        if 0 < skip_correction(said, words) >= len(said) - 2:  # "Ho cambiato idea, ecco:"
            plain.clear()
        if line.order is None or line.corrects or not is_remark:
            plain.update([subject] if line.order is not None and not has_words else ())
            yield line
        else:
            error = Unreadable("in-sentence", line.text, unit=subject[1])
            yield Line(line.number, line.text, line.power, error=error)


def _mark_corrected(lines: Sequence[Line]) -> Iterator[Line]:
    ordering = [line for line in lines if line.order is not None]
    corrected = {id(line): later for line, later in pairwise(ordering) if later.corrects}
    for line in lines:
        later = corrected.get(id(line))
        yield _supersede(line, later) if later else line


def _is_better(apart: list[Line], lines: list[Line]) -> bool:
    """Return whether sentences read apart say more than the line they make up."""
    if any(line.order for line in apart):
        return True
    return not (all(line.prose for line in lines) or all(line.prose for line in apart))


def _list_ignored(line: Line) -> list[str]:
    return [notice.data["text"] for notice in line.notices if notice.code == "ignored"]


def _supersede(line: Line, later: Line) -> Line:
    unit = _subject(line)[1]
    notice = Notice("superseded" if unit else "second-pick", {"unit": unit, "later": later.text})
    return replace(line, notices=(*line.notices, notice), replaced=True)


def _subject(line: Line) -> Subject:
    """Return what there can be one order for: a power's unit, on whichever coast, or its pick."""
    return line.power, find_subject(line.order) if line.order else ""


def find_subject(order: Order) -> str:
    """Return what an order is about: the unit, on whichever coast, or "" for a pick."""
    return "" if isinstance(order, (Waive, Pick)) else order.unit.partition("/")[0]
