"""Telling orders from everything else that people write around them: greetings, headings, letters.

Open this file when a line of a letter is taken for an order, or an order for a line of a letter.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from alexmagnum.board.geography import split_location
from alexmagnum.errors import NotationError
from alexmagnum.notation.cursor import look_ahead
from alexmagnum.notation.lexicon import Lexicon, match
from alexmagnum.notation.map_names import MapNames
from alexmagnum.notation.model import Notice
from alexmagnum.notation.order_parser import COMMANDS, OrderParser
from alexmagnum.notation.tokens import ARROW, Token
from alexmagnum.orders import Build, Order, Pick, Waive

_LONGEST_HEADING = 8
"""The most tokens that a heading has."""

_HEADING_GROUPS = ("header", "articles", "links")
"""The groups of words that may stand in a heading beside the name of a power."""

_REACH = 8
"""The most tokens between the beginning of an order and its sign or verb."""

_SHORTEST_GUESS = 5
"""The letters of a misspelt name that may stand behind the letter of a unit alone."""

_LONGEST_NAME = 4
"""The most tokens of a line that names a centre and nothing else."""


def find_heading_power(line: tuple[Token, ...], words: Lexicon, names: MapNames) -> str:
    """Return the power whose orders a line announces; "" if the line is no heading.

    ``Tolomeo``, ``TOL:``, ``Ordini per Tolomeo`` and ``Ptolemy - Spring 318`` are headings;
    ``Ciao, Tolomeo`` and ``Per Tolomeo`` are words of a letter.
    """
    if len(line) > _LONGEST_HEADING or any(token.text in (",", ARROW) for token in line):
        return ""
    spelt = [token.text for token in line if token.kind == "word"]
    powers = [names.power(word) if len(word) > 1 else "" for word in spelt]
    named = {*powers} - {""}
    if len(named) != 1:
        return ""
    others = [word for word, power in zip(spelt, powers, strict=True) if not power]
    # A name that comes first, as in "Tolomeo, primavera", needs no noun.
    has_noun = bool(powers[0]) or any(words.is_in("header", word) for word in others)
    return named.pop() if has_noun and _are_heading_words(others, words) else ""


def _are_heading_words(spelt: Sequence[str], words: Lexicon) -> bool:
    """Return whether all words may stand in a heading beside the name of a power."""
    return all(any(words.is_in(group, word) for group in _HEADING_GROUPS) for word in spelt)


def is_likely(text: OrderParser) -> bool:
    """Return whether a line is worth trying to read, if only to find that it is no order."""
    if text.phase in ("picks", "deployment") and len(text.line) <= _LONGEST_NAME:
        return True
    return is_attempt(text) or any(token.kind in ("dash", "arrow") for token in text.line)


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
        return False
    is_alone = len(text.line) - found.end <= _LONGEST_NAME
    if text.phase in ("picks", "deployment") and is_alone:
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
        return "ignored" in codes and _begins_with_everyday_word(text)
    if not isinstance(order, (Pick, Build)) or text.phase not in ("picks", "deployment"):
        return False
    text.at = 0
    text.skip_to_order()
    if begins_with_initial(text) and not text.provinces.find_exact(text.line, text.at + 2):
        return True
    text.at = 0
    text.skip_to_order()
    is_wild_guess = "misspelt" in codes and not (
        _is_likely_choice(text, order) and _has_unit_typed(text)
    )
    return not text.is_command() and ("ignored" in codes or is_wild_guess)


def _begins_with_everyday_word(text: OrderParser) -> bool:
    """Return whether the verb of a waive means other things as well: ``W. Rossi``, ``passo``."""
    text.at = 0
    text.skip_to_order()
    return text.take_first("everyday_waive")


def find_unlikely_guess(text: OrderParser, notices: Sequence[Notice]) -> tuple[str, ...]:
    """Return the misspelt name of a unit that a line places, and what it is near to.

    The power has nothing there, so that the name cannot be guessed; "" if there is no such unit.
    """
    text.at = 0
    text.skip_to_order()
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
    text.at = 0
    text.skip_to_order()
    return text.has_more() and not (text.is_command() or text.is_unit(text.at))


def begins_with_initial(text: OrderParser) -> bool:
    """Return whether a unit begins with a letter and a dot, as a name may: ``G. Sardi``."""
    text.at = 0
    text.skip_to_order()
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
    command = _skip_command(text)
    first = text.at
    _, end = match(text.lexicon.units, text.line, first)
    if end > first and end < len(text.line) and text.line[end].text == ":":
        before = text.source[text.line[start].start : text.line[end - 1].end]
        return _list_places(text, end + 1, before)
    found = text.provinces.match(text.line, first)
    if command or not found or found.end >= len(text.line):
        return []
    return _read_reversed(text, first, found.end)


def _skip_command(text: OrderParser) -> bool:
    """Pass over the verb of a build or removal; return whether there was one."""
    for command in COMMANDS[text.phase]:
        if command != "waive" and text.take(text.lexicon.commands[command]):
            text.skip("articles")
            return True
    return False


def _list_places(text: OrderParser, at: int, unit: str) -> list[tuple[str, str]]:
    """Return an order for each place of a list, with a unit before it."""
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


def orders_rest_to_hold(text: OrderParser, at: int = 0) -> bool:
    """Return whether a line, from a token on, says "All others hold" and nothing else.

    "All others" are the units that have no order of their own.
    """
    text.at = at
    text.skip_bullet()
    while text.take_first("fillers", "and"):
        pass
    if text.phase != "movement" or not text.take_first("rest") or text.take(text.verbs) != "hold":
        return False
    while text.take_any(".", ",", ")") or text.take_first("fillers"):
        pass
    return not text.has_more()


def is_hedged(line: tuple[Token, ...], words: Lexicon) -> bool:
    """Return whether a word makes what follows it a condition or a denial."""
    hedges, fillers = words.phrases["hedges"], words.phrases["fillers"]
    return any(
        match(hedges, line, i)[1] > i and match(fillers, line, i)[1] == i for i in range(len(line))
    )


def find_mentioned_unit(text: OrderParser) -> str:
    """Return the unit to which a sentence seems to give an order; "" if there is none.

    It does with a move sign and a place behind any unit, or with a verb behind a unit of the power
    itself.  "Perhaps A MEN - TEB" is no order, and a player who meant it as one must be told.
    """
    for i, token in enumerate(text.line):
        typed = text.source[token.start : token.end]
        if not (text.is_unit(i) and (len(typed) > 1 or typed.isupper())):
            continue
        text.at = i
        with suppress(NotationError):
            unit = text.unit()
            if text.is_sign() and text.provinces.find_exact(text.line, text.at + 1):
                return unit
            found = text.position.names.get(unit)
            if found and found.power == text.power and _has_verb(text, text.at, 1):
                return unit
    return ""


def _is_likely_choice(text: OrderParser, order: Pick | Build) -> bool:
    """Return whether the power may pick the centre, or build in it because it owns it."""
    position = text.position
    if isinstance(order, Build):
        return position.owners.get(split_location(order.unit[2:])[0]) == text.power
    is_free = order.centre not in position.owners
    return is_free and position.board.provinces[order.centre].centre == "start"


def _begins_with_command(text: OrderParser) -> bool:
    """Return whether a verb that stands before the unit comes next, with what it needs."""
    at = text.at
    if text.phase == "winter" and text.line[at].kind == "dash":
        at += 1
        if text.is_unit(at):
            return True
    return any(_is_command_at(text, at, command) for command in COMMANDS[text.phase])


@look_ahead
def _is_command_at(text: OrderParser, at: int, command: str) -> bool:
    """Return whether a command stands at a token, with what it needs."""
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
