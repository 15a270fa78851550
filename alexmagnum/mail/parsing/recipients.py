"""Recipients of press and powers in a vote: powers by id, name or alias in any language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from alexmagnum.board.model import Board
from alexmagnum.mail.parsing.vocabulary import Vocabulary
from alexmagnum.notation.lexicon import lexicon
from alexmagnum.notation.map_names import map_names
from alexmagnum.notation.power_names import power_names

_MAX_WORDS = 3
"""Words of a name."""

_SHORTEST_NAME, _SHORTEST_MISSPELT = 3, 6
"""Letters of the shortest abbreviation of a power, and of the shortest misspelt name."""


class Recipients(NamedTuple):
    """The recipients that a heading names.

    ``powers`` are ids in the order written, each once; ``everybody`` and ``master`` say whether
    all players and the game master are meant; ``anonymous``: the writer's name stays secret;
    ``unknown`` are words that mean none of these.
    """

    powers: tuple[str, ...] = ()
    everybody: bool = False
    master: bool = False
    anonymous: bool = False
    unknown: tuple[str, ...] = ()

    @property
    def is_known(self) -> bool:
        """True if the heading names anybody."""
        return bool(self.powers or self.everybody or self.master)


def read_recipients(words: Sequence[str], board: Board, vocabulary: Vocabulary) -> Recipients:
    """Return the recipients that some folded words name.

    A word that names nobody is kept as unknown; it is never read as a list of letters.
    """
    powers: dict[str, None] = {}
    keys: set[str] = set()
    unknown: list[str] = []
    at = 0
    while at < len(words):
        for length in range(min(_MAX_WORDS, len(words) - at), 0, -1):
            phrase = " ".join(words[at : at + length])
            key = _find_key(phrase, vocabulary)
            power = "" if key else _find_power(phrase, board)
            if power or key:
                break
        if power:
            powers[power] = None
        elif key:
            keys.add(key)
        else:
            unknown.append(phrase)
        at += length
    return Recipients(
        powers=tuple(powers),
        everybody="all" in keys,
        master="master" in keys,
        anonymous="anonymous" in keys,
        unknown=tuple(unknown),
    )


def _find_power(phrase: str, board: Board) -> str:
    """Return the one power that a phrase names: three letters or more of a name, or a near one."""
    power = map_names(board, lexicon()).power(phrase) if len(phrase) > 1 else ""
    if power or len(phrase) < _SHORTEST_NAME:
        return power
    found = power_names(board).find(phrase, fuzzy=len(phrase) >= _SHORTEST_MISSPELT)
    return found[0] if len(found) == 1 else ""


def _find_key(phrase: str, vocabulary: Vocabulary) -> str:
    """Return the key of a phrase among the words of press headings; "" if it is none of them."""
    if phrase.endswith("'"):
        return "links"  # an article: "all'arbitro"
    for key in ("all", "master", "anonymous", "signed", "links"):
        if phrase in vocabulary.get("press", key):
            return key
    return ""
