"""Who press is to, and whom a vote is for: powers by id, name or alias in any language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from alexmagnum.board.model import Board
from alexmagnum.mail.parsing.vocabulary import Vocabulary
from alexmagnum.notation.lexicon import lexicon
from alexmagnum.notation.map_names import map_names

_LONGEST = 3
"""Words of a name."""


class Readers(NamedTuple):
    """Powers by id, each once, in the order written; whether everybody and the game master are
    meant; whether the writer wants no name told; and words that say none of these."""

    powers: tuple[str, ...] = ()
    everybody: bool = False
    master: bool = False
    anonymous: bool = False
    unknown: tuple[str, ...] = ()


def read_readers(words: Sequence[str], board: Board, known: Vocabulary) -> Readers:
    """The readers that some folded words name.

    A name that is nobody's is kept as unknown and never taken letter by letter.
    """
    names = map_names(board, lexicon())
    powers: dict[str, None] = {}
    found: dict[str, bool] = {}
    unknown: list[str] = []
    at = 0
    while at < len(words):
        for length in range(min(_LONGEST, len(words) - at), 0, -1):
            spelt = " ".join(words[at : at + length])
            power = names.power(spelt) if len(spelt) > 1 else ""
            key = _key(spelt, known)
            if power or key:
                break
        if power:
            powers[power] = None
        elif key:
            found[key] = True
        else:
            unknown.append(spelt)
        at += length
    return Readers(
        tuple(powers), "all" in found, "master" in found, "anonymous" in found, tuple(unknown)
    )


def _key(spelt: str, known: Vocabulary) -> str:
    """Which of the words of a press heading it is; "" if none."""
    if spelt.endswith("'"):
        return "links"  # an article: "all'arbitro"
    for key in ("all", "master", "anonymous", "signed", "links"):
        if spelt in known.of("press", key):
            return key
    return ""
