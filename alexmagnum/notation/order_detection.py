"""Telling orders from everything else that people write around them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from alexmagnum.board.geography import split_location
from alexmagnum.errors import NotationError, Unreadable
from alexmagnum.notation.names import MapNames, split_sentences
from alexmagnum.notation.order_parser import COMMANDS, OrderParser
from alexmagnum.notation.picks import is_pickable, refuse_several
from alexmagnum.notation.words import (
    ARROW,
    LONGEST_RUN,
    Lexicon,
    Line,
    Notice,
    Phrases,
    Token,
    look_ahead,
    match,
    tokens,
    words,
)
from alexmagnum.notation.writer import write_order
from alexmagnum.orders import Build, Order, Pick, Waive
from alexmagnum.position import Position

_REACH = 8  # the most tokens between the beginning of an order and its sign or verb

_SHORTEST_GUESS = 5  # letters of a misspelt name behind the letter of a unit alone

_LONGEST_NAME = 4  # the most tokens of a line that names a centre and nothing else


def find_heading_power(line: tuple[Token, ...], words: Lexicon, names: MapNames) -> str:
    """Return the power whose orders a line announces; "" if the line is no heading.

    ``Tolomeo``, ``TOL:``, ``Ordini per Tolomeo`` and ``Ptolemy - Spring 318`` are headings;
    ``Ciao, Tolomeo`` and ``Per Tolomeo`` are words of a letter.
    """
    if len(line) > 8 or any(token.text in (",", ARROW) for token in line):
        return ""
    spelt = [token.text for token in line if token.kind == "word"]
    powers = [names.power(word) if len(word) > 1 else "" for word in spelt]
    named = {*powers} - {""}
    if len(named) != 1:
        return ""
    others = [word for word, power in zip(spelt, powers, strict=True) if not power]
    # A name that comes first, as in "Tolomeo, primavera", needs no noun.
    has_noun = bool(powers[0]) or any(words.is_in("header", word) for word in others)
    groups = ("header", "articles", "links")
    may_stand = all(any(words.is_in(group, word) for group in groups) for word in others)
    return named.pop() if has_noun and may_stand else ""


def is_likely(text: OrderParser) -> bool:
    """Return whether a line is worth trying to read, if only to find that it is no order."""
    if text.phase in ("picks", "deployment") and len(text.line) <= _LONGEST_NAME:
        return True
    has_sign = any(token.kind in ("dash", "arrow") for token in text.line)
    return has_sign or is_attempt(text) or begins_shortened(text)


def _has_shortened_ends(text: OrderParser) -> bool:
    """Return whether only a move sign stands between the beginning of a name and another name."""
    near = text.line[text.at : text.at + _LONGEST_NAME]
    if not any(token.kind in ("dash", "arrow") for token in near):
        return False
    found = text.provinces.find_beginning(text.line, text.at, frozenset(text.board.provinces))
    if found is None or found.end + 1 >= len(text.line):
        return False
    is_sign = text.line[found.end].kind in ("dash", "arrow")
    return is_sign and text.provinces.match(text.line, found.end + 1) is not None


def begins_shortened(text: OrderParser, at: int = 0) -> bool:
    """Return whether a verb stands behind the beginning of the name of a place with an own unit.

    ``Vene in Tri`` is an order where the power has a unit in Venice.
    """
    text.at = at
    text.skip_to_order()
    found = text.provinces.find_beginning(text.line, text.at, text.own_places())
    return found is not None and match(text.verbs, text.line, found.end)[1] > found.end


def is_attempt(text: OrderParser, at: int = 0) -> bool:
    """Return whether a line looks from a token on as if it was meant to be an order.

    The parser is left where the order itself begins.
    """
    text.at = at
    text.skip_to_order()
    if not text.has_more():
        return False
    text.adjective()
    if text.is_foreign_command() or _begins_with_command(text) or _names_unit(text):
        return True
    found = text.provinces.match(text.line, text.at)
    if not found:
        return _has_shortened_ends(text)
    if text.phase in ("picks", "deployment") and len(text.line) - found.end <= _LONGEST_NAME:
        return True
    return (
        _has_sign(text, found.end)
        or _has_verb(text, found.end, 3)
        or _has_verb_letter(text, found.end)
    )


def is_accidental(text: OrderParser, order: Order, notices: Sequence[Notice]) -> bool:
    """Return whether a line of a letter reads as a pick or a deployment by chance alone.

    Without a verb a name has to be all there is in the line, and a misspelt name has to be one
    that the power could mean: ``Caro arbitro`` and ``inviato da iPhone`` are no orders.
    """
    codes = {notice.code for notice in notices}
    if isinstance(order, Waive):
        _start_again(text)  # its verb may mean other things as well: ``W. Rossi``, ``passo``
        return "ignored" in codes and text.take_first("everyday_waive")
    if not isinstance(order, (Pick, Build)) or text.phase not in ("picks", "deployment"):
        return False
    _start_again(text)
    if begins_with_initial(text) and not text.provinces.find_exact(text.line, text.at + 2):
        return True
    _start_again(text)
    if isinstance(order, Build):
        is_likely_choice = text.position.owners.get(split_location(order.unit[2:])[0]) == text.power
    else:
        is_likely_choice = is_pickable(text.position, order.centre)
    is_wild_guess = "misspelt" in codes and not (is_likely_choice and _has_unit_typed(text))
    return not text.is_command() and ("ignored" in codes or is_wild_guess)


def _start_again(text: OrderParser) -> None:
    text.at = 0
    text.skip_to_order()


def find_unlikely_guess(text: OrderParser, notices: Sequence[Notice]) -> tuple[str, ...]:
    """Return the misspelt name of a unit that a line places, and what it is near to.

    The power has nothing there, so that the name cannot be guessed; "" if there is no such unit.
    """
    _start_again(text)
    if not _has_unit_typed(text):
        return ()
    near = [notice.data for notice in notices if notice.code == "misspelt"]
    return (near[0]["text"], near[0]["meant"]) if near else ()


def _has_unit_typed(text: OrderParser) -> bool:
    """Return whether a word for a unit, or its letter, stands next as in an order.

    ``G. Sarti`` and ``a Simone`` are a name and the beginning of a letter.
    """
    _, end = match(text.lexicon.units, text.line, text.at)
    if end == text.at or end >= len(text.line) or text.line[end].text == ".":
        return False
    token = text.line[text.at]
    is_letter = len(token.text) == 1
    typed = text.source[token.start : token.end]
    return not is_letter or (typed.isupper() and len(text.line[end].text) >= _SHORTEST_GUESS)


def is_name_alone(text: OrderParser) -> bool:
    """Return whether a line has neither a verb nor a word for a unit before its place."""
    _start_again(text)
    return text.has_more() and not (text.is_command() or text.is_unit(text.at))


def begins_with_initial(text: OrderParser) -> bool:
    """Return whether a unit begins with a letter and a dot, as a name may: ``G. Sardi``."""
    _start_again(text)
    return text.is_unit(text.at) and len(text.text()) == 1 and text.line[text.at + 1].text == "."


def names_new_unit(text: OrderParser) -> bool:
    """Return whether a unit is named, spelt right, that its power could build where it says.

    ``A MUN`` in a winter is a build where the power owns MUN and no unit is there.
    """
    text.at = 0
    text.take_signs()
    text.skip_to_order()
    if not text.is_unit(text.at):
        return False
    _, end = match(text.lexicon.units, text.line, text.at)
    found = text.provinces.find_exact(text.line, end + (text.line[end].text == "."))
    if found is None or text.power is None:
        return False
    is_vacant = all(unit.province != found.province for unit in text.position.units)
    return is_vacant and text.position.owners.get(found.province) == text.power


def find_listed_units(text: OrderParser) -> list[tuple[str, str]]:
    """Return the units of ``Armate: Sardi, Tebe`` or ``Sardi: generale``, as written and as orders.

    The list is empty if the line has another form, or a word in it is no place.
    """
    text.at = 0
    text.skip_bullet()
    start = text.at
    commands = [name for name in COMMANDS[text.phase] if name != "waive"]
    command = any(text.take(text.lexicon.commands[name]) for name in commands)
    if command:
        text.skip("articles")
    first = text.at
    _, end = match(text.lexicon.units, text.line, first)
    if end > first and end < len(text.line) and text.line[end].text == ":":
        before = text.source[text.line[start].start : text.line[end - 1].end]
        return _list_places(text, end + 1, before)
    found = text.provinces.match(text.line, first)
    if command or not found or found.end >= len(text.line):
        return []
    return _read_reversed(text, first, found.end)


def _list_places(text: OrderParser, at: int, unit: str) -> list[tuple[str, str]]:
    orders: list[tuple[str, str]] = []
    while at < len(text.line):
        found = text.provinces.find_exact(text.line, at)
        if not found:
            return []
        place = text.source[text.line[at].start : text.line[found.end - 1].end]
        orders.append((place, f"{unit} {place}"))
        at = found.end
        while at < len(text.line) and (
            text.line[at].text in (",", ".") or text.lexicon.is_in("and", text.line[at].text)
        ):
            at += 1
    return [(text.source.strip(), orders[0][1])] if len(orders) == 1 else orders


def _read_reversed(text: OrderParser, first: int, behind: int) -> list[tuple[str, str]]:
    """Return the unit of a line that has the place before the word for the unit."""
    at = behind
    while at < len(text.line) and (
        text.line[at].text in (":", "(") or text.line[at].kind == "dash"
    ):
        at += 1
    _, end = match(text.lexicon.units, text.line, at)
    if end == at or text.skip_signs(end) < len(text.line):
        return []
    if at == behind and len(text.line[at].text) == 1 and text.phase == "winter":
        return []  # "SAR A": the letter may begin something else
    unit = text.source[text.line[at].start : text.line[end - 1].end]
    place = text.source[text.line[first].start : text.line[behind - 1].end]
    return [(text.source.strip(), f"{unit} {place}")]


def find_verb_of_rest(text: OrderParser, at: int = 0) -> str:
    """Return what a line, from a token on, says of all units without an order of their own.

    ``All others hold`` is "hold"; ``The rest stays`` is "kept": their earlier orders stay in force.
    ``Hold everything`` is "unclear": it may mean either.  A line that says more is "".
    """
    text.at = at
    text.skip_bullet()
    end = text.at + LONGEST_RUN
    while text.at < end and text.take_first("fillers", "and"):
        pass
    end_of, line = text.lexicon.end_of, text.line
    verb, end = match(text.verbs, line, text.at)
    start = max(end_of("keeping", line, text.at), end if verb == "hold" else text.at)
    units, rest = end_of("rest_units", line, start), end_of("rest", line, start)
    last = max(units, rest)
    verb, end = match(text.verbs, line, last)
    kept = end_of("kept", line, last) if rest > units else last
    if last < kept >= end:
        verb, end = "kept", kept
    elif start > text.at and end == last:
        verb = "unclear"
    if text.phase != "movement" or last == start or verb not in ("hold", "kept", "unclear"):
        return ""
    text.at = end
    while text.take_any(".", ",", ")") or text.take_first("fillers"):
        pass
    return "" if text.has_more() else verb


def is_hedged(line: tuple[Token, ...], words: Lexicon, group: str = "hedges") -> bool:
    """Return whether a word makes what follows it a condition or a denial."""
    return any(
        words.end_of(group, line, i) > i == words.end_of("fillers", line, i)
        for i in range(len(line))
    )


def is_taken_back(text: OrderParser) -> bool:
    """Return whether a verb takes back an order, and what follows it in the sentence with it.

    That ends where something new is named: "Cancel A MEN - TEB, new order: ...".
    """
    line, words = text.line, text.lexicon
    ends = any(
        token.text == ":" or words.end_of("takeback_ends", line, i) > i
        for i, token in enumerate(line)
    )
    is_verb = text.phase != "retreats" and not ends and is_hedged(line, words, "takebacks")
    return is_verb and bool(find_mentioned_unit(text))


def find_mentioned_unit(text: OrderParser) -> str:
    """Return the unit to which a sentence seems to give an order; "" if there is none.

    It does with a move sign and a place behind any unit; behind a unit of the power itself with a
    verb, or a sign and a capital, and behind its place (``MEN S TEB``) as behind a small letter.
    "Perhaps A MEN - TEB" is no order, and a player who meant it as one must be told.
    """
    for i, token in enumerate(text.line):
        is_place = not text.is_unit(i) and text.provinces.match(text.line, i) is not None
        if not (is_place or text.is_unit(i)):
            continue
        is_small = is_place or (len(token.text) == 1 and text.source[token.start].islower())
        text.at, sign, unit = i, i + 2, ""
        with suppress(NotationError):
            unit = text.unit()
            sign = text.at
            found = text.position.names.get(unit)
            if found and found.power == text.power and _goes_on_as_order(text, is_small, is_place):
                return unit
        if is_small:  # an everyday word
            continue
        if not unit and not text.provinces.find_exact(text.line, i + 1):
            unit = text.source[token.start : text.line[i + 1].end]  # misspelt
        has_sign = sign < len(text.line) and text.line[sign].kind in ("dash", "arrow")
        if unit and has_sign and text.provinces.find_exact(text.line, sign + 1):
            return unit
    return ""


def _goes_on_as_order(text: OrderParser, is_small: bool, is_place: bool) -> bool:
    """Return whether a verb comes next, or a sign and a capital; stricter with small letters.

    Behind a place alone ``a`` and ``s`` are words: the proposals tell what to write.
    """
    at = text.at
    typed = [text.source[each.start : each.end] for each in text.line[at : at + 2]]
    behind = len(typed) > 1 and text.provinces.find_exact(text.line, at + 1) is not None
    if text.is_sign():
        return behind or (not is_small and typed[-1][:1].isupper())
    is_letter = bool(typed) and len(typed[0]) == 1 and match(text.verbs, text.line, at)[1] > at
    if is_place and is_letter and typed[0].islower():
        return False
    if is_letter and (behind or text.is_unit(at + 1)):
        return True
    return not is_small and ((is_letter and typed[0].isupper()) or _has_verb(text, at, 1))


def _begins_with_command(text: OrderParser) -> bool:
    at = text.at
    if text.phase == "winter" and text.line[at].kind == "dash":
        at += 1
        if text.is_unit(at):
            return True
    return any(_is_command_at(text, at, command) for command in COMMANDS[text.phase])


@look_ahead
def _is_command_at(text: OrderParser, at: int, command: str) -> bool:
    _, end = match(text.lexicon.commands[command], text.line, at)
    if end == at or (text.is_unit(at) and not text.is_unit(end)):
        return False
    behind = len(text.line) - end
    if command == "waive" and behind <= _LONGEST_NAME:
        return True
    if command == "pick" and behind <= _REACH:
        return True
    text.at = end
    text.take_any(":")
    text.skip("articles")
    return text.is_unit(text.at) or text.provinces.match(text.line, text.at) is not None


def _names_unit(text: OrderParser) -> bool:
    """Return whether a word for a unit comes next, with a place, a sign or a verb behind it."""
    if not text.is_unit(text.at):
        return False
    _, end = match(text.lexicon.units, text.line, text.at)
    end += text.line[end].text == "."
    if text.provinces.find_exact(text.line, end) or _has_sign(text, end):
        return True
    # A letter is also an everyday word ("A presto"): what follows has to look like a place.
    is_letter = len(text.line[text.at].text) == 1
    token = text.line[end]
    typed = text.source[token.start : token.end]
    if is_letter and not typed.isupper() and not text.provinces.is_like_name(text.line, end):
        return False
    return _has_verb(text, end + 1, _REACH) or _has_verb_letter(text, end + 1)


def _has_sign(text: OrderParser, at: int) -> bool:
    """Return whether a move sign follows soon; one before a signature does not count."""
    for i in range(at, min(at + _REACH, len(text.line))):
        if text.line[i].kind in ("dash", "arrow"):
            return i + 1 == len(text.line) or not text.names.power(text.line[i + 1].text)
    return False


def _has_verb(text: OrderParser, at: int, reach: int) -> bool:
    """Return whether a verb of more than one letter begins within so many tokens."""
    for i in range(at, min(at + reach, len(text.line))):
        _, end = match(text.verbs, text.line, i)
        if end > i + 1 or (end > i and len(text.line[i].text) > 1):
            return True
    return False


def _has_verb_letter(text: OrderParser, at: int) -> bool:
    """Return whether a verb, be it a letter, comes next in a short line (``EGE H``)."""
    return match(text.verbs, text.line, at)[1] > at and len(text.line) <= _REACH


# Joining orders that a mail program broke over two lines because the line was long.


def may_go_on(line: str, following: str) -> bool:
    """Return whether a line had no room left for the first word of the next line.

    No mail program breaks lines of fewer than 60 characters.
    """
    first = following.split(maxsplit=1)
    return bool(first) and len(line.rstrip()) + len(first[0]) >= 60


def is_one_order(apart: Sequence[Line], below: Sequence[Line], joined: Sequence[Line]) -> bool:
    """Return whether two lines make an order only together.

    ``apart`` is the upper line read by itself, ``below`` the lower line, ``joined`` both as one
    line.  The joined order has to use the lower line: an order that leaves its end aside is read
    as well without it.  If the upper line is an order by itself, the lower line must not be one;
    if the upper line is a part of an order, the lower one may look like an order: ``A MEN supports
    the army of`` and ``Thebes to Nubia``.
    """
    last = joined[-1]
    if len(apart) != len(joined) or last.order is None or last.order == apart[-1].order:
        return False
    if any(notice.code == "ignored" for notice in last.notices):
        return False
    return apart[-1].error is not None or all(line.order is None for line in below)


def is_one_pick(apart: Sequence[Line], joined: Sequence[Line]) -> bool:
    """Return whether two lines make a pick with a verb only together: ``scelgo``, ``Babilonia``."""

    has_pick = any(isinstance(line.order, Pick) and not line.bare for line in joined)
    return has_pick and not any(line.order or line.error for line in apart)


def is_one_remark(apart: Sequence[Line], below: Sequence[Line], joined: Sequence[Line]) -> bool:
    """Return whether the lower of two lines is an order only without the sentence it ends."""
    is_sentence = all(line.prose for line in apart) and not any(line.order for line in joined)
    behind = (said for line in below for said in find_words_behind(line))
    return is_sentence and any(len(said.split()) > 2 for said in behind)


_SET_OFF = ".,:;!?()[]{}/\"'*-\u2013\u2014"  # signs before a note on an order


def find_words_behind(line: Line) -> Iterator[str]:
    """Yield the words that go on directly behind an order; a note is set off by a sign."""
    for notice in line.notices:
        said = notice.data["text"] if notice.code == "ignored" else ""
        if said and line.text[: line.text.find(said)].rstrip()[-1:] not in _SET_OFF:
            yield said


# Rows of tables in which players write their orders, one order to a row, in several columns.
# Mail programs make such a row a line with bars: ``A MEN | TEB``.


BAR = "|"


def split_cells(line: str) -> list[str]:
    """Return the cells of a row that have text.

    >>> split_cells("| A MEN | - | TEB |  |")
    ['A MEN', '-', 'TEB']
    """
    return [cell.strip() for cell in line.split(BAR) if cell.strip()]


def is_rule(line: str) -> bool:
    """Return whether a line only separates the rows of a table: ``|---|:--|``."""
    return BAR in line and all(re.fullmatch(r"[-:=+_ ]*", cell) for cell in split_cells(line))


def list_readings(line: str, phase: str) -> Iterator[tuple[str, str]]:
    """Return a row as orders that it may mean in a kind of phase, the likeliest first, each with
    the last column if it leaves that out.

    The columns may be unit and order, unit and destination (with or without the kind of the unit in
    a column of its own), or order and unit.  One column more, before or behind, may say anything.

    >>> list(list_readings("A MEN | TEB", "movement"))
    [('A MEN TEB', ''), ('A MEN - TEB', ''), ('TEB A MEN', '')]
    """
    cells = split_cells(line)
    yield " ".join(cells), ""
    if phase == "picks":
        return  # "Period 2 | Thebes" is no pick of another period
    for columns, left in ((cells, ""), (cells[1:], ""), (cells[:-1], cells[-1])):
        if len(columns) < 2:
            return
        if columns is not cells:
            yield " ".join(columns), left
        if phase in ("movement", "retreats"):
            yield f"{' '.join(columns[:-1])} - {columns[-1]}", left
        yield " ".join([columns[-1], *columns[:-1]]), left


# Telling the name of a writer below a letter from the name of a place: people sign with a first
# name, and places have such names too. Lidia is Sardi, Ale is Alessandria.


_NAMES_BEHIND = 3  # the most words behind a closing on its line: ``Un saluto, Anna Maria``


@dataclass(frozen=True, slots=True)
class Signature:
    """The lines of a text that may be a signature, by number.

    ``below``: lines below a closing, and the last one below the writer's name.  ``own``: lines with
    the writer's own name and nothing else.  ``names``: lines that hold only a first name, or a
    short form of the writer's.  ``last``: lines that stand last, below something other than a line
    that ends in a colon.  ``trailing``: the last line of all, if there is one above it.
    ``closings``: closings, and short lines below them.
    """

    below: set[int]
    own: set[int]
    names: set[int]
    last: set[int]
    trailing: set[int]
    closings: set[int]

    @property
    def lines(self) -> set[int]:
        """The lines that are a closing or a signature, whatever places they name."""
        return self.closings | self.own | self.names

    def is_name(self, number: int, *, has_other: bool) -> bool:
        """Return whether a place that stands alone on a line is rather the name of the writer.

        ``has_other``: the text has another order of the same kind, so that a name is more likely.
        """
        if number in self.below or number in self.own:
            return True
        return number in self.names and (has_other or number in self.last)


def find_signature(raws: Sequence[str], vocabulary: Lexicon, writers: Sequence[str]) -> Signature:
    """Return what may be a signature in the lines of a text.

    ``writers`` are names of the person who wrote it, as far as they are known.
    """
    known = frozenset(word for name in writers for word in words(name))
    lines = [(number, tokens(raw)) for number, raw in enumerate(raws, 1) if raw.strip()]
    written = {number: raws[number - 1].strip() for number, _ in lines}
    greetings = int(bool(lines) and _has_phrase_alone(lines[0][1], vocabulary.phrases["greetings"]))
    below, closings = _find_closings(lines, greetings, vocabulary)
    apart = {number for number, _ in lines[greetings + 1 :] if not raws[number - 2].strip()}
    initials = _select(lines, _is_initial_and_name)
    names = _select(lines, lambda line: _is_first_name(line, vocabulary, known))
    for number in names - apart:
        word = written[number].strip(" .,!-()*_")
        if len(word) <= 3 and word.isupper():  # an id: ``ALE``
            names.remove(number)
    if len(initials) == 1:
        names |= initials & apart
    own = _select(lines, lambda line: _is_own_name(line, known))
    trailing = {number for number, _ in lines[1:][-1:]}
    above = [number for number, _ in lines[greetings:-1]]
    if len(above) > 1 and above[-1] in own and not written[above[-2]].endswith(":"):
        below |= trailing  # the place where somebody lives who signed above it
    return Signature(below, own, names, _find_last(lines, written, names), trailing, closings)


def _select(
    lines: Sequence[tuple[int, Sequence[Token]]], is_wanted: Callable[[Sequence[Token]], bool]
) -> set[int]:
    return {number for number, line in lines if is_wanted(line)}


def _find_closings(
    lines: Sequence[tuple[int, Sequence[Token]]], greetings: int, vocabulary: Lexicon
) -> tuple[set[int], set[int]]:
    """Return the lines below the first closing, and the closings with short lines below them.

    A greeting may also be a closing (``Ciao!``), but nothing is below it.
    """
    below: set[int] = set()
    closings: set[int] = set()
    closed = False
    for at, (number, line) in enumerate(lines):
        if closed:
            below.add(number)
        is_closing = _has_phrase_alone(line, vocabulary.phrases["closings"])
        if is_closing or (closed and len(line) <= _NAMES_BEHIND):
            closings.add(number)
            closed = closed or at >= greetings
    return below, closings


def _has_phrase_alone(line: Sequence[Token], phrases: Phrases) -> bool:
    """Return whether a line begins with a phrase, and has only a short name behind it."""
    _, end = match(phrases, line, 0)
    if end == 0:
        return False
    behind = [token for token in line[end:] if token.kind == "word"]
    is_set_off = end < len(line) and line[end].text == ","
    if any(token.kind != "word" and token.text not in ",.()" for token in line[end:]):
        return False
    return len(behind) <= (_NAMES_BEHIND if is_set_off else _NAMES_BEHIND - 1)


def _find_last(
    lines: Sequence[tuple[int, Sequence[Token]]], written: dict[int, str], names: Collection[int]
) -> set[int]:
    """Return the lines of names with text above them and nothing but names behind them."""
    found: set[int] = set()
    for at in range(len(lines) - 1, 0, -1):
        number = lines[at][0]
        if number not in names:
            break
        if not written[lines[at - 1][0]].endswith(":"):
            found.add(number)
    return found


def _is_own_name(line: Sequence[Token], known: frozenset[str]) -> bool:
    spelt = [token.text for token in line if token.kind == "word"]
    if any(token.kind in ("number", "arrow") for token in line):
        return False
    whole = [word for word in spelt if word in known]
    initials = [word for word in spelt if len(word) == 1 and _begins_any(word, known)]
    return bool(whole) and len(whole) + len(initials) == len(spelt)


def _is_initial_and_name(line: Sequence[Token]) -> bool:
    """Return whether a line is an initial with its dot and a name: ``G. Sardi``."""
    return (
        [token.kind for token in line[:3]] == ["word", "sign", "word"]
        and len(line[0].text) == 1
        and line[1].text == "."
        and all(token.text in ".,!" for token in line[3:])
    )


def _is_first_name(line: Sequence[Token], vocabulary: Lexicon, known: frozenset[str]) -> bool:
    """Return whether a line is a first name that places bear too, or short for the writer's."""
    spelt = [token.text for token in line if token.kind == "word"]
    while len(spelt) > 1 and vocabulary.is_in("articles", spelt[0]):
        spelt = spelt[1:]
    if len(spelt) != 1 or any(token.kind in ("number", "arrow") for token in line):
        return False
    (word,) = spelt
    return (len(word) >= 3 and _begins_any(word, known)) or vocabulary.is_in("first_names", word)


def _begins_any(word: str, known: Collection[str]) -> bool:
    return any(name.startswith(word) for name in known)


def refuse_taken_back(
    lines: Sequence[Line], raws: Sequence[str], words: Lexicon, phase: str
) -> Iterator[Line]:
    """Refuse orders below ``Cancel these orders:``, behind ``was:`` and above ``Forget all this.``.

    Words that may mean other orders, as most words about earlier ones do, take nothing back.
    """
    ordering = {line.number for line in lines if not line.prose or line.rest}
    found, is_open, last, above = set[int](), False, max(ordering, default=0), 0
    is_read = phase not in ("picks", "retreats") and any(line.order or line.rest for line in lines)
    for number, raw in enumerate(raws if is_read else (), 1):
        head, colon, rest = raw.strip().partition(":")
        if number in ordering:
            label = [token for token in tokens(head) if token.kind != "sign"]
            is_old = bool(colon) and words.end_of("old_labels", label, 0) == len(label)
            is_open = is_open and not _has_heading(raw, words)
            if is_open or (is_old and not re.search("[:;]", rest)):
                found.add(number)
        elif head:
            said = _read_groups(head, words) - {"label_links"}
            is_open = bool(colon) and not rest and said in ({"takebacks"}, {"takebacks", "below"})
            if above == last < number and not colon:
                said = {it for one in split_sentences(raw) for it in _read_groups(one, words)}
                is_back = "takebacks" in said and not said.isdisjoint({"above", "below"})
                is_back |= "ignored_mail" in _read_groups(raw, words)
                found.update(range(number) if is_back else ())
        elif above in ordering:
            is_open = False
        above = number if head else above
    for line in lines:
        error = Unreadable("taken-back", line.text)
        refused = Line(line.number, line.text, line.power, error=error)
        yield refused if line.number in found and (line.order or line.rest) else line


def _has_heading(text: str, words: Lexicon) -> bool:
    """Tell whether an order's line begins with words of other orders: ``New: A VEN H``."""
    line = tokens(text)
    for at, token in enumerate(line):
        is_typed = len(token.text) > 1 or text[token.start].isupper()
        if token.text == ":" or (is_typed and match(words.units, line, at)[1] > at):
            return any(words.end_of("takeback_ends", line, i) > i for i in range(at))
    return False


def _read_groups(text: str, words: Lexicon) -> set[str]:
    """Return the groups of the words of a text about taking back, none if it says anything else."""
    line, said, at = tokens(text), set[str](), 0
    groups = ("takebacks", "ignored_mail", "below", "above", "label_links")
    while at < len(line):
        end, group = max((words.end_of(group, line, at), group) for group in groups)
        if end == at and line[at].kind != "sign":
            return set()
        said |= {group} if end > at else set()
        at = max(end, at + 1)
    return said


# Deciding, once a whole text is read, which names of centres that stand alone are orders in it: a
# centre alone on a line is a pick or a deployment, unless it is the signature of the letter.


NAMES_ALONE = ("picks", "deployment", "winter")
"""The kinds of phase in which the name of a centre, or a letter before it, is an order."""


def settle_names(
    lines: Sequence[Line], signature: Signature, position: Position
) -> tuple[Line, ...]:
    """Return the lines of a text with signatures as prose, and with one pick at the most."""
    one_order = position.phase.kind == "picks"
    settled = tuple(_settle_signatures(lines, signature, one_order=one_order))
    return tuple(_settle_picks(settled, position)) if one_order else settled


def _settle_signatures(
    lines: Sequence[Line], signature: Signature, *, one_order: bool
) -> Iterator[Line]:
    """Turn names that are rather a signature into prose; ask where there is no other order."""
    ordering = [line for line in lines if line.order is not None]
    sure = [
        line
        for line in ordering
        if not line.bare or not signature.is_name(line.number, has_other=True)
    ]
    for line in lines:
        has_other = any(other is not line for other in sure)
        is_name = signature.is_name(line.number, has_other=has_other)
        code = line.error.code if line.error else ""
        # A word that is no name of a place stands beside an order: where there is one order in
        # the phase, or on the last line, it is not meant as one.
        is_beside = has_other and (one_order or line.number in signature.trailing)
        is_refused_for_name = code in ("kind-needed", "several-places") and is_name
        is_refused_for_word = code in ("needs-verb", "unknown-place") and (is_name or is_beside)
        if line.bare and line.order is not None and is_name and has_other:
            yield replace(line, order=None, prose=True, bare=False, notices=())
        elif line.bare and line.order is not None and is_name:
            full = write_order(line.order) if isinstance(line.order, (Pick, Build)) else ""
            error = Unreadable("name-or-centre", line.text, (full,))
            yield replace(line, order=None, error=error, bare=False, notices=())
        elif line.bare and (is_refused_for_name or is_refused_for_word):
            yield replace(line, error=None, prose=True, bare=False)
        else:
            yield line


# -- one pick at the most (R30) -------------------------------------------------------------------


def _settle_picks(lines: Sequence[Line], position: Position) -> Iterator[Line]:
    """Refuse different picks of one power as ambiguous; of equal ones the last counts.

    A pick that is void does not stand against one that is not.
    """
    refused: set[tuple[int, str]] = set()
    picks = [(line.power, line.order.centre) for line in lines if isinstance(line.order, Pick)]
    for line in lines:
        if not isinstance(line.order, Pick):
            yield line
            continue
        named = dict.fromkeys(centre for power, centre in picks if power == line.power)
        rivals = [centre for centre in named if is_pickable(position, centre)]
        if len(rivals) > 1 and line.order.centre in rivals:
            if (line.number, line.text) not in refused:
                yield replace(line, order=None, error=refuse_several(line.text, rivals), notices=())
            refused.add((line.number, line.text))
        elif rivals and line.order.centre not in rivals:
            yield replace(line, replaced=True)
        else:
            yield line
