"""Telling orders from everything else that people write around them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from alexmagnum.board.geography import split_location
from alexmagnum.errors import NotationError
from alexmagnum.notation.lexicon import Lexicon, match
from alexmagnum.notation.map_names import MapNames
from alexmagnum.notation.model import Notice
from alexmagnum.notation.order_parser import COMMANDS, OrderParser
from alexmagnum.notation.tokens import ARROW, Token
from alexmagnum.orders import Build, Order, Pick

_HEADING = 8
_REACH = 8
_NAMED = 4
"""A heading is no longer than so many tokens; the sign or verb of an order is no farther from
its beginning; a centre alone is named in no more."""


def find_heading_power(line: tuple[Token, ...], words: Lexicon, names: MapNames) -> str:
    """The power whose orders a line announces; "" if it is no heading.

    ``Tolomeo``, ``TOL:``, ``Ordini per Tolomeo``, ``Ptolemy - Spring 318``; not
    ``Ciao, Tolomeo`` nor ``Per Tolomeo``, which are the words of a letter.
    """
    if len(line) > _HEADING or any(token.text in (",", ARROW) for token in line):
        return ""
    named, nouns = [], 0
    for i, spelt in enumerate(token.text for token in line if token.kind == "word"):
        power = names.power(spelt) if len(spelt) > 1 else ""
        if power:
            named.append(power)
            nouns += i == 0  # the name first, as in "Tolomeo, primavera", needs no noun
        elif words.is_in("header", spelt):
            nouns += 1
        elif not (words.is_in("articles", spelt) or words.is_in("links", spelt)):
            return ""
    return named[0] if nouns and len(set(named)) == 1 else ""


def is_likely(text: OrderParser) -> bool:
    """Is a line worth trying to read, if only to find that it is no order?"""
    if text.phase in ("picks", "deployment") and len(text.line) <= _NAMED:
        return True
    return is_attempt(text) or any(token.kind in ("dash", "arrow") for token in text.line)


def is_attempt(text: OrderParser, at: int = 0) -> bool:
    """Does a line look as if it was meant to be an order, from a token on?"""
    text.at = at
    text.start()
    if not text.more():
        return False
    text.adjective()
    if text.is_foreign_command() or _is_commanded(text) or _names_unit(text):
        return True
    found = text.places.here(text.line, text.at)
    if not found:
        return False
    alone = text.phase in ("picks", "deployment") and len(text.line) - found.end <= _NAMED
    if alone or _is_signed(text, found.end) or _is_told(text, found.end, 3):
        return True
    return _has_letter(text, found.end)


def is_accidental(text: OrderParser, order: Order, notices: Sequence[Notice]) -> bool:
    """Is it by chance alone that a line of a letter reads as a pick or a deployment?

    Without a verb a name has to be all there is in the line; one that is only nearly right
    has to be something that could be meant: ``Caro arbitro`` and ``inviato da iPhone`` are not.
    """
    if not isinstance(order, (Pick, Build)) or text.phase not in ("picks", "deployment"):
        return False
    text.at = 0
    text.start()
    codes = {notice.code for notice in notices}
    guessed = "misspelt" in codes and not _could_be_meant(text, order)
    return not text.is_command() and ("ignored" in codes or guessed)


def orders_rest_to_hold(text: OrderParser, at: int = 0) -> bool:
    """Does a line, from a token on, order all units that have no order to hold (``All others
    hold``), and no more?"""
    text.at = at
    text.bullet()
    while text.take_first("fillers", "and"):
        pass
    if text.phase != "movement" or not text.take_first("rest") or text.take(text.verbs) != "hold":
        return False
    while text.take_any(".", ",", ")") or text.take_first("fillers"):
        pass
    return not text.more()


def is_hedged(line: tuple[Token, ...], words: Lexicon) -> bool:
    """Is there a word in it that makes a condition or a denial of what follows it?"""
    hedges, fillers = words.phrases["hedges"], words.phrases["fillers"]
    return any(
        match(hedges, line, i)[1] > i and match(fillers, line, i)[1] == i for i in range(len(line))
    )


def find_mentioned_unit(text: OrderParser) -> str:
    """The unit that a sentence tells an order of: with a sign and a place, or with a verb if it is
    the power's own.

    "Perhaps A MEN - TEB" is no order; who meant it as one has to hear that it counts for none.
    """
    for i, token in enumerate(text.line):
        typed = text.source[token.start : token.end]
        if not (text.is_unit(i) and (len(typed) > 1 or typed.isupper())):
            continue
        text.at = i
        with suppress(NotationError):
            unit = text.unit()
            if text.is_sign() and text.places.exact(text.line, text.at + 1):
                return unit
            owned = text.position.names.get(unit)
            if owned and owned.power == text.power and _is_told(text, text.at, 1):
                return unit
    return ""


def _could_be_meant(text: OrderParser, order: Pick | Build) -> bool:
    """Can the centre be picked, or has the power it, so that a misspelling of it is likely?"""
    position = text.position
    if isinstance(order, Build):
        return position.owners.get(split_location(order.unit[2:])[0]) == text.power
    free = order.centre not in position.owners
    return free and position.board.provinces[order.centre].centre == "start"


def _is_commanded(text: OrderParser) -> bool:
    """Does a verb stand here that stands before the unit, with something that it asks for?"""
    at = text.at
    minus = text.phase == "winter" and text.line[at].kind == "dash"
    at += minus
    if minus and text.is_unit(at):
        return True
    for command in COMMANDS[text.phase]:
        _, end = match(text.words.commands[command], text.line, at)
        behind = len(text.line) - end
        if end == at or (text.is_unit(at) and not text.is_unit(end)):
            continue
        if behind <= _NAMED if command == "waive" else command == "pick" and behind <= _REACH:
            return True
        text.at = end
        text.take_any(":")
        text.skip("articles")
        named = text.is_unit(text.at) or text.places.here(text.line, text.at)
        text.at = at
        if named:
            return True
    return False


def _names_unit(text: OrderParser) -> bool:
    """Does a word for a unit stand here with a place, a sign or a verb behind it?"""
    if not text.is_unit(text.at):
        return False
    _, end = match(text.words.units, text.line, text.at)
    end += text.line[end].text == "."
    if text.places.exact(text.line, end) or _is_signed(text, end):
        return True
    # A letter is also a word of every day ("A presto"): what follows has to look like a place.
    whole_word = len(text.line[text.at].text) > 1
    token = text.line[end]
    typed = text.source[token.start : token.end]
    if not (whole_word or typed.isupper() or text.places.nearly(text.line, end)):
        return False
    return _is_told(text, end + 1, _REACH) or _has_letter(text, end + 1)


def _is_signed(text: OrderParser, at: int) -> bool:
    """Does a move sign stand a little farther on?  One before a signature does not count."""
    for i in range(at, min(at + _REACH, len(text.line))):
        if text.line[i].kind in ("dash", "arrow"):
            return i + 1 == len(text.line) or not text.names.power(text.line[i + 1].text)
    return False


def _is_told(text: OrderParser, at: int, reach: int) -> bool:
    """Does a verb of more than one letter stand a little farther on?"""
    return any(
        end > i + 1 or (end > i and len(text.line[i].text) > 1)
        for i in range(at, min(at + reach, len(text.line)))
        for end in [match(text.verbs, text.line, i)[1]]
    )


def _has_letter(text: OrderParser, at: int) -> bool:
    """Does a verb of whatever length stand just here, in a short line (``EGE H``)?"""
    return match(text.verbs, text.line, at)[1] > at and len(text.line) <= _REACH
