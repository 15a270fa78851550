"""The words of the notation, from one table per language; all languages mix freely.

A further language is a further file in ``words/``: nothing here knows which languages there are.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from alexmagnum.notation.tokens import Token, tokens

Phrases = Mapping[tuple[str, ...], str]
"""Folded tokens of a phrase to what it means."""

PHASES = ("movement", "retreats", "winter", "deployment", "picks")
COMMANDS = ("build", "remove", "disband", "retreat", "waive", "pick")
GROUPS = (
    "via_convoy",
    "via_land",
    "via",
    "helped",
    "to_hold",
    "articles",
    "fillers",
    "header",
    "links",
    "hedges",
    "and",
    "rest",
)
"""The groups of phrases that a table may have; one that it has not is empty."""

_LONGEST = 6


@dataclass(frozen=True, eq=False)
class Lexicon:
    """What every word and phrase means, by the place in an order where it may stand.

    ``units``: to ``A``, ``F``, ``G``; ``verbs``: by phase, to the verb after a unit;
    ``commands``: to the verb before one; ``phrases``: what may follow or stand between, or
    means nothing there, by group; ``coasts``: to the code; ``describe``: by language, the
    sentences that put an order into words.
    """

    units: Phrases
    verbs: Mapping[str, Phrases]
    commands: Mapping[str, Phrases]
    phrases: Mapping[str, Phrases]
    coasts: Phrases
    describe: Mapping[str, Mapping[str, str]]

    @classmethod
    def load(cls, paths: Iterable[Path | Traversable]) -> Lexicon:
        """Read word tables, one per language, into one lexicon; see :func:`word_tables`."""
        tables = [tomllib.loads(path.read_text(encoding="utf-8")) for path in paths]
        return cls(
            units=_merge(tables, "units"),
            verbs={
                phase: {**_merge(tables, "verbs"), **_merge(tables, "verbs_in", phase)}
                for phase in PHASES
            },
            commands={name: _merge(tables, "commands", only=name) for name in COMMANDS},
            phrases={name: _merge(tables, "phrases", only=name) for name in GROUPS},
            coasts=_merge(tables, "coasts"),
            describe={t["lang"]: t["describe"] for t in tables if "describe" in t},
        )

    def is_in(self, group: str, word: str) -> bool:
        """Is a word by itself one of a group of phrases?"""
        return (word,) in self.phrases[group]


def word_tables() -> tuple[Traversable, ...]:
    """The word tables that come with the package, one per language."""
    folder = resources.files("alexmagnum.notation").joinpath("words")
    return tuple(sorted((p for p in folder.iterdir() if p.name.endswith(".toml")), key=str))


@cache
def lexicon() -> Lexicon:
    """The lexicon of the languages that come with the package."""
    return Lexicon.load(word_tables())


def match(phrases: Phrases, line: Sequence[Token], at: int) -> tuple[str, int]:
    """The meaning of the longest phrase that starts at a token, and the token behind it.

    ("", at) if none does.
    """
    spelt = tuple(token.text for token in line[at : at + _LONGEST])
    for length in range(len(spelt), 0, -1):
        meaning = phrases.get(spelt[:length])
        if meaning is not None:
            return meaning, at + length
    return "", at


def phrase(text: str) -> tuple[str, ...]:
    """A phrase as the tokens that it is found by: ``dell'attacco`` is two."""
    return tuple(token.text for token in tokens(text))


def _merge(tables: Iterable[Mapping[str, Any]], *sections: str, only: str | None = None) -> Phrases:
    """The phrases of one section over all languages, or only those of one meaning."""
    merged: dict[tuple[str, ...], str] = {}
    for table in tables:
        section: Mapping[str, Any] = table
        for name in sections:
            section = section.get(name, {})
        for meaning, spellings in section.items():
            if only in (None, meaning):
                merged |= {phrase(spelt): meaning for spelt in spellings}
    return merged
