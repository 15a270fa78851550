"""Words that people and their mail programs use, from one table per language in ``words/``.

To add a language, add a file: no code knows which languages exist. A section that a file lacks is
empty.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from alexmagnum.i18n.folding import fold
from alexmagnum.notation.spelling import distance
from alexmagnum.toml_tables import load_tables

Phrases = frozenset[str]
"""Phrases as :func:`fold_phrase` returns them."""


_APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼ`´", "'"))


def fold_phrase(text: str) -> str:
    """Return a text as phrases are compared: folded, single blanks, straight apostrophes.

    >>> fold_phrase("  Réponse  automatique")
    'reponse automatique'
    """
    return " ".join(fold(text.translate(_APOSTROPHES)).split())


def is_near_phrase(text: str, phrases: Collection[str], max_slips: int) -> bool:
    """Tell whether a text is one of the phrases, or one with at most ``max_slips`` wrong letters.

    A short text must agree exactly: less than four letters to a slip may be another word.
    """
    if text in phrases or len(text) < 4 * max_slips:
        return text in phrases
    near = (phrase for phrase in phrases if abs(len(phrase) - len(text)) <= max_slips)
    return any(distance(text, phrase, max_slips) <= max_slips for phrase in near)


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Phrases of all languages by section and key, and the marks of mail programs in HTML."""

    phrases: Mapping[tuple[str, str], Phrases]
    clients: Mapping[str, Phrases]

    @classmethod
    def load(cls, tables: Iterable[Path | Traversable], clients: Path | Traversable) -> Vocabulary:
        """Read word tables, one per language, into one vocabulary."""
        merged: dict[tuple[str, str], set[str]] = {}
        *words, marks = load_tables([*tables, clients])
        for table in words:
            for section, keys in table.items():
                if isinstance(keys, dict):
                    for key, spellings in keys.items():
                        phrases = merged.setdefault((section, key), set())
                        phrases.update(map(fold_phrase, spellings))
        return cls(
            phrases={key: frozenset(spellings) for key, spellings in merged.items()},
            clients={name: frozenset(map(str.casefold, listed)) for name, listed in marks.items()},
        )

    def get(self, section: str, key: str) -> Phrases:
        """Return the phrases of a key in a section; empty if no language has it."""
        return self.phrases.get((section, key), frozenset())

    def keys(self, section: str) -> tuple[str, ...]:
        """Return the keys of a section, sorted by name."""
        return tuple(sorted(key for found, key in self.phrases if found == section))


def find_word_tables() -> tuple[Traversable, ...]:
    """Return the word tables of the package, one per language."""
    folder = resources.files("alexmagnum.mail.parsing").joinpath("words")
    return tuple(sorted((p for p in folder.iterdir() if p.name.endswith(".toml")), key=str))


@cache
def load_vocabulary() -> Vocabulary:
    """Return the vocabulary of the package; it is loaded once."""
    return Vocabulary.load(
        find_word_tables(), resources.files("alexmagnum.mail.parsing").joinpath("clients.toml")
    )
