"""Telling the name of a writer below a letter from the name of a place.

People sign with a first name, and places have such names too: Lidia is Sardi, Ale is Alessandria.
Open this file when a signature is taken for an order, or a centre for a signature.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from alexmagnum.notation.lexicon import Lexicon, Phrases, match
from alexmagnum.notation.tokens import Token, tokens, words

_NAMES_BEHIND = 3
"""The most words behind a closing on its line: ``Un saluto, Anna Maria``."""

_SHORTEST_NICKNAME = 3
"""Letters of a writer's name from which on a beginning of it is a nickname: ``Ale``."""

_LONGEST_ID = 3


@dataclass(frozen=True, slots=True)
class Signature:
    """The lines of a text that may be a signature, by number.

    ``below``: lines below a closing.  ``own``: lines with the writer's own name and nothing else.
    ``names``: lines that hold only a first name, or a short form of the writer's.  ``last``: lines
    that stand last, below something other than a line that ends in a colon.  ``trailing``: the last
    line of all, if there is one above it.  ``closings``: closings, and short lines below them.
    """

    below: frozenset[int]
    own: frozenset[int]
    names: frozenset[int]
    last: frozenset[int]
    trailing: frozenset[int]
    closings: frozenset[int]

    @property
    def lines(self) -> frozenset[int]:
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
    greetings = _count_greetings([line for _, line in lines], vocabulary)
    below, closings = _find_closings(lines, greetings, vocabulary)
    apart = _find_apart(raws, lines[greetings + 1 :])
    initials = _select(lines, _is_initial_and_name)
    names = _select(lines, lambda line: _is_first_name(line, vocabulary, known))
    names -= {number for number in names - apart if _is_typed_as_id(written[number])}
    if len(initials) == 1:
        names |= initials & apart
    return Signature(
        frozenset(below),
        frozenset(_select(lines, lambda line: _is_own_name(line, known))),
        frozenset(names),
        frozenset(_find_last(lines, written, names)),
        frozenset(number for number, _ in lines[1:][-1:]),
        frozenset(closings),
    )


def _find_apart(raws: Sequence[str], lines: Sequence[tuple[int, Sequence[Token]]]) -> set[int]:
    """Return the numbers of the lines below an empty line."""
    return {number for number, _ in lines if not raws[number - 2].strip()}


def _select(
    lines: Sequence[tuple[int, Sequence[Token]]], is_wanted: Callable[[Sequence[Token]], bool]
) -> set[int]:
    """Return the numbers of the lines that pass a test."""
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
        if is_closing(line, vocabulary) or (closed and len(line) <= _NAMES_BEHIND):
            closings.add(number)
            closed = closed or at >= greetings
    return below, closings


def is_closing(line: Sequence[Token], vocabulary: Lexicon) -> bool:
    """Return whether a line is a closing, with or without a name behind it."""
    return _has_phrase_alone(line, vocabulary.phrases["closings"])


def _has_phrase_alone(line: Sequence[Token], phrases: Phrases) -> bool:
    """Return whether a line begins with a phrase, and has only a short name behind it."""
    _, end = match(phrases, line, 0)
    if end == 0:
        return False
    behind = [token for token in line[end:] if token.kind == "word"]
    is_set_off = end < len(line) and line[end].text == ","
    signs = [token for token in line[end:] if token.kind != "word" and token.text not in ",.()"]
    if signs:
        return False
    return len(behind) <= (_NAMES_BEHIND if is_set_off else _NAMES_BEHIND - 1)


def _count_greetings(lines: Sequence[Sequence[Token]], vocabulary: Lexicon) -> int:
    """Return 1 if the first line greets (``Ciao!``), else 0."""
    greets = bool(lines) and _has_phrase_alone(lines[0], vocabulary.phrases["greetings"])
    return int(greets)


def _find_last(
    lines: Sequence[tuple[int, Sequence[Token]]],
    written: dict[int, str],
    names: Collection[int],
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
    """Return whether a line holds the writer's name, or a part of it, and nothing else."""
    spelt = [token.text for token in line if token.kind == "word"]
    if any(token.kind in ("number", "arrow") for token in line):
        return False
    whole = [word for word in spelt if word in known]
    initials = [word for word in spelt if len(word) == 1 and _begins_any(word, known)]
    return bool(whole) and len(whole) + len(initials) == len(spelt)


def _is_initial_and_name(line: Sequence[Token]) -> bool:
    """Return whether a line is an initial with its dot and a name: ``G. Sardi``."""
    kinds = [token.kind for token in line[:3]]
    return (
        kinds == ["word", "sign", "word"]
        and len(line[0].text) == 1
        and line[1].text == "."
        and all(token.text in ".,!" for token in line[3:])
    )


def _is_typed_as_id(typed: str) -> bool:
    """Return whether a line is in capitals and as short as an id: ``ALE``."""
    word = typed.strip(" .,!-()*_")
    return len(word) <= _LONGEST_ID and word.isupper()


def _is_first_name(line: Sequence[Token], vocabulary: Lexicon, known: frozenset[str]) -> bool:
    """Return whether a line is a first name that places bear too, or short for the writer's."""
    spelt = [token.text for token in line if token.kind == "word"]
    while len(spelt) > 1 and vocabulary.is_in("articles", spelt[0]):
        spelt = spelt[1:]
    if len(spelt) != 1 or any(token.kind in ("number", "arrow") for token in line):
        return False
    (word,) = spelt
    is_short = len(word) >= _SHORTEST_NICKNAME and _begins_any(word, known)
    return is_short or vocabulary.is_in("first_names", word)


def _begins_any(word: str, known: Collection[str]) -> bool:
    return any(name.startswith(word) for name in known)
