"""The words that people and their mail programs use, from one table per language.

A further language is a further file in ``words/``: nothing here knows which languages there are,
and a section that a file has not is empty.
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

from alexmagnum.i18n.folding import fold

Phrases = frozenset[str]
"""Phrases as :func:`plain` leaves them."""


_APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼ`´", "'"))


def plain(text: str) -> str:
    """Folded, with single blanks and straight apostrophes: as phrases are compared.

    >>> plain("  Réponse  automatique")
    'reponse automatique'
    """
    return " ".join(fold(text.translate(_APOSTROPHES)).split())


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Phrases by section and key, over all languages; and the marks of mail programs' pages."""

    phrases: Mapping[tuple[str, str], Phrases]
    clients: Mapping[str, Phrases]

    @classmethod
    def load(cls, tables: Iterable[Path | Traversable], clients: Path | Traversable) -> Vocabulary:
        """Read word tables, one per language, into one vocabulary."""
        merged: dict[tuple[str, str], set[str]] = {}
        for path in tables:
            table: Mapping[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
            for section, keys in table.items():
                if isinstance(keys, dict):
                    for key, spellings in keys.items():
                        merged.setdefault((section, key), set()).update(map(plain, spellings))
        marks = tomllib.loads(clients.read_text(encoding="utf-8"))
        return cls(
            {key: frozenset(spellings) for key, spellings in merged.items()},
            {name: frozenset(map(str.casefold, listed)) for name, listed in marks.items()},
        )

    def of(self, section: str, key: str) -> Phrases:
        """The phrases of one key of a section; none if no language has it."""
        return self.phrases.get((section, key), frozenset())

    def keys(self, section: str) -> tuple[str, ...]:
        """The keys of a section, in order of name."""
        return tuple(sorted(key for found, key in self.phrases if found == section))


def word_tables() -> tuple[Traversable, ...]:
    """The tables that come with the package, one per language."""
    folder = resources.files("alexmagnum.mail.parsing").joinpath("words")
    return tuple(sorted((p for p in folder.iterdir() if p.name.endswith(".toml")), key=str))


@cache
def vocabulary() -> Vocabulary:
    """The words of the languages that come with the package."""
    return Vocabulary.load(
        word_tables(), resources.files("alexmagnum.mail.parsing").joinpath("clients.toml")
    )
