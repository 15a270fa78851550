"""The words of the notation, read from one table per language; all languages mix freely.

Add a language by adding a file to ``words/``: nothing here knows which languages there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from alexmagnum.notation.tokens import Token, tokens
from alexmagnum.toml_tables import load_tables

Phrases = Mapping[tuple[str, ...], str]
"""The meaning of each phrase; a phrase is a tuple of folded tokens."""

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
    "wishes",
    "picking",
    "pick_links",
    "picked",
    "polite",
    "alternatives",
    "instead",
    "doubts",
    "conditions",
    "corrections",
    "correction_links",
    "unmeant",
    "remarks",
    "whereabouts",
    "third_person",
    "everyday_waive",
    "closings",
    "greetings",
    "first_names",
)
"""The groups of phrases that a table may have; a missing group is empty."""

_LONGEST = 6
"""The most tokens in a phrase."""


@dataclass(frozen=True, eq=False)
class Lexicon:
    """The meaning of every word and phrase, by the place in an order where it may stand.

    - ``units``: the letter ``A``, ``F`` or ``G`` of a word for a unit;
    - ``verbs``: by phase, the verb after a unit;
    - ``commands``: the verb before a unit;
    - ``phrases``: by group, what may stand between and behind, or means nothing there;
    - ``coasts``: the code of a coast;
    - ``stems``: the verb that a word in a sentence means, by the beginning of the word;
    - ``describe``: by language, the sentences that put an order into words.
    """

    units: Phrases
    verbs: Mapping[str, Phrases]
    commands: Mapping[str, Phrases]
    phrases: Mapping[str, Phrases]
    coasts: Phrases
    stems: Mapping[str, str]
    describe: Mapping[str, Mapping[str, str]]

    @classmethod
    def load(cls, paths: Iterable[Path | Traversable]) -> Lexicon:
        """Read word tables, one per language, into one lexicon; see :func:`word_tables`."""
        tables = load_tables(paths)
        return cls(
            units=_merge(tables, "units"),
            verbs={
                phase: {**_merge(tables, "verbs"), **_merge(tables, "verbs_in", phase)}
                for phase in PHASES
            },
            commands={name: _merge(tables, "commands", only=name) for name in COMMANDS},
            phrases={name: _merge(tables, "phrases", only=name) for name in GROUPS},
            coasts=_merge(tables, "coasts"),
            stems={spelt[0]: verb for spelt, verb in _merge(tables, "stems").items()},
            describe={t["lang"]: t["describe"] for t in tables if "describe" in t},
        )

    def is_in(self, group: str, word: str) -> bool:
        """Return whether a word by itself is in a group of phrases."""
        return (word,) in self.phrases[group]


def word_tables() -> tuple[Traversable, ...]:
    """Return the word tables that come with the package, one per language."""
    folder = resources.files("alexmagnum.notation").joinpath("words")
    return tuple(sorted((p for p in folder.iterdir() if p.name.endswith(".toml")), key=str))


@cache
def lexicon() -> Lexicon:
    """Return the lexicon of all languages that come with the package."""
    return Lexicon.load(word_tables())


def match(phrases: Phrases, line: Sequence[Token], at: int) -> tuple[str, int]:
    """Return the meaning of the longest phrase at a token, and the number of the token behind it.

    Returns ``("", at)`` if no phrase begins there.
    """
    spelt = tuple(token.text for token in line[at : at + _LONGEST])
    for length in range(len(spelt), 0, -1):
        meaning = phrases.get(spelt[:length])
        if meaning is not None:
            return meaning, at + length
    return "", at


def phrase(text: str) -> tuple[str, ...]:
    """Return the folded tokens of a phrase: ``dell'attacco`` has two."""
    return tuple(token.text for token in tokens(text))


def _merge(tables: Iterable[Mapping[str, Any]], *sections: str, only: str | None = None) -> Phrases:
    """Return the phrases of one section in all languages, or only those with one meaning."""
    merged: dict[tuple[str, ...], str] = {}
    for table in tables:
        section: Mapping[str, Any] = table
        for name in sections:
            section = section.get(name, {})
        for meaning, spellings in section.items():
            if only in (None, meaning):
                merged |= {phrase(spelt): meaning for spelt in spellings}
    return merged
