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
from alexmagnum.orders import Build, Order, Pick

_LONGEST_HEADING = 8
"""The most tokens that a heading has."""

_HEADING_GROUPS = ("header", "articles", "links")
"""The groups of words that may stand in a heading beside the name of a power."""

_REACH = 8
"""The most tokens between the beginning of an order and its sign or verb."""

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
    if not isinstance(order, (Pick, Build)) or text.phase not in ("picks", "deployment"):
        return False
    text.at = 0
    text.skip_to_order()
    codes = {notice.code for notice in notices}
    is_wild_guess = "misspelt" in codes and not _is_likely_choice(text, order)
    return not text.is_command() and ("ignored" in codes or is_wild_guess)


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
