"""The words of the notation, from one table per language; all languages mix freely.

A further language is a further file in ``words/``: nothing here knows which languages there are.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from alexmagnum.notation.text import Token, fold

Phrases = Mapping[tuple[str, ...], str]
"""Folded words of a phrase to what it means."""


@dataclass(frozen=True, eq=False)
class Lexicon:
    """What every word and phrase means, by the place in an order where it may stand.

    ``units``: to ``A``, ``F``, ``G``; ``verbs``: to the verb after a unit; ``commands``: to the
    verb before one; ``phrases``: to what may follow or stand between; ``coasts``: to the code;
    ``articles``, ``fillers``, ``header``: words that mean nothing there; ``describe``: by
    language, the sentences that put an order into words.
    """

    units: Phrases
    verbs: Phrases
    commands: Mapping[str, Phrases]
    phrases: Mapping[str, Phrases]
    coasts: Phrases
    describe: Mapping[str, Mapping[str, str]]

    @classmethod
    def load(cls, paths: Iterable[Path | Traversable]) -> Lexicon:
        """Read word tables, one per language, into one lexicon."""
        tables = [tomllib.loads(path.read_text(encoding="utf-8")) for path in paths]
        return cls(
            units=_merge(tables, "units"),
            verbs=_merge(tables, "verbs"),
            commands={name: _merge(tables, "commands", name) for name in _keys(tables, "commands")},
            phrases={name: _merge(tables, "phrases", name) for name in _keys(tables, "phrases")},
            coasts=_merge(tables, "coasts"),
            describe={table["lang"]: table["describe"] for table in tables},
        )

    def is_in(self, phrases: str, word: str) -> bool:
        """Is a word one of those that mean nothing there?"""
        return (word,) in self.phrases[phrases]


@cache
def lexicon() -> Lexicon:
    """The lexicon of the languages that come with the package."""
    folder = resources.files("alexmagnum.notation").joinpath("words")
    return Lexicon.load(sorted((p for p in folder.iterdir() if p.name.endswith(".toml")), key=str))


def match(phrases: Phrases, line: tuple[Token, ...], at: int) -> tuple[str, int]:
    """The meaning of the longest phrase that starts at a token, and the token behind it.

    ("", at) if none does.
    """
    for end in range(min(len(line), at + _LONGEST), at, -1):
        meaning = phrases.get(tuple(token.text for token in line[at:end]))
        if meaning is not None:
            return meaning, end
    return "", at


_LONGEST = 4


def _keys(tables: list[dict[str, Any]], section: str) -> list[str]:
    return sorted({name for table in tables for name in table[section]})


def _merge(tables: list[dict[str, Any]], section: str, name: str | None = None) -> Phrases:
    """The phrases of one section over all languages."""
    merged: dict[tuple[str, ...], str] = {}
    for table in tables:
        for meaning, phrases in table[section].items():
            if name in (None, meaning):
                for phrase in phrases:
                    merged[tuple(fold(phrase).replace("'", " ").split())] = meaning
    return merged
