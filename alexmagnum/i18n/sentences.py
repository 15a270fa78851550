"""The sentences that people read, by code, in each language; text folded for comparison."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from string import Formatter
from tomllib import loads as parse_toml
from typing import Any

from alexmagnum.errors import AlexMagnumError, NotationError

# The sentences that people read, by code, in each language.
#
# They stand in ``catalogues/<topic>.<language>.toml``; another language is another set of files.
# A code is unique across all topics.


LANGUAGES = ("en", "it")


class Sentences:
    """All the sentences of one language."""

    def __init__(self, lang: str, templates: Mapping[str, str]) -> None:
        self.lang = lang
        self.templates = templates

    def format(self, code: str, **data: object) -> str:
        """Return the sentence of a code, filled in with data.

        If the data has ``near``, the suggestions in it follow as "did you mean".

        Raises:
            KeyError: no catalogue has that code, or the sentence needs data that is missing.
        """
        template = self.templates[code]
        if ".." in (sentence := template.format(**data).rstrip()):
            sentence = _format_without_second_dots(template, data).rstrip()
        if data.get("near"):
            sentence += " " if sentence.endswith(("?", ".")) else ". "
            sentence += self.templates["did-you-mean"].format(near=data["near"])
        return sentence

    def error(self, error: AlexMagnumError) -> str:
        """Return an error as a sentence, followed by its faults, one on each line.

        It may quote what anybody wrote, so unprintable characters are replaced.
        """
        lines = [self.format(error.code, **error.data)]
        lines += [
            f"  {fault.where}: {self.format(fault.code, **fault.data)}"
            for fault in getattr(error, "faults", ())
        ]
        text = "\n".join(lines)
        if isinstance(error, NotationError):
            text = self._localize(text, error)
        return replace_unprintable(text)

    def suggestions(self, error: NotationError) -> list[str]:
        """Return the suggestions of an error, with the names of places in this language."""
        return [self._localize(text, error) for text in error.suggestions]

    def _localize(self, text: str, error: NotationError) -> str:
        for label, by_language in error.labels.items():
            text = text.replace(label, by_language.get(self.lang, label))
        return text


def _format_without_second_dots(template: str, data: Mapping[str, object]) -> str:
    """Fill in a template; a value that ends in a dot, such as "322 a.C.", also ends its sentence.

    >>> _format_without_second_dots("Open: {phase}. Go on...", {"phase": "Schieramento 323 a.C."})
    'Open: Schieramento 323 a.C. Go on...'
    """
    text = ""
    for literal, field, spec, conversion in Formatter().parse(template):
        ends_twice = text.endswith(".") and re.match(r"\.(?!\.)", literal)
        text += literal[1:] if ends_twice else literal
        if field is not None:
            shape = f"{{{field}{f'!{conversion}' if conversion else ''}:{spec or ''}}}"
            text += shape.format(**data)
    return text


def replace_unprintable(text: str) -> str:
    """Spell out the characters of a text that a terminal would obey instead of showing.

    >>> print(replace_unprintable("A PAR\\x1b[2J H\\u202e"))
    A PAR\\x1b[2J H\\u202e
    """
    return "".join(c if c.isprintable() or c in "\n\t" else repr(c)[1:-1] for c in text)


@cache
def load_sentences(lang: str) -> Sentences:
    """Return the sentences of a language, read once.

    Raises:
        ValueError: there is no catalogue in that language.
    """
    sentences: dict[str, str] = {}
    catalogues = resources.files("alexmagnum.i18n").joinpath("catalogues").iterdir()
    spoken = (entry for entry in catalogues if entry.name.endswith(f".{lang}.toml"))
    for table in load_tables(sorted(spoken, key=str)):
        sentences |= table
    if not sentences:
        raise ValueError(f"there are no sentences in {lang!r}, only in {', '.join(LANGUAGES)}")
    return Sentences(lang, sentences)


def load_tables(paths: Iterable[Path | Traversable]) -> list[dict[str, Any]]:
    """Return the TOML tables of some files: sentences, words of orders, words of mail programs.

    Raises:
        ValueError: one of them is not TOML.
    """
    return [_load_table(path) for path in paths]  # type: ignore[arg-type]  # places are hashable


@cache
def _load_table(path: Path | Traversable) -> dict[str, Any]:
    return parse_toml(path.read_text(encoding="utf-8"))


@cache
def load_words(package: str) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Return the words of all languages in the folder ``words`` of a package, by section and key.

    To add a language, add a file: no code knows which languages exist.
    """
    files = sorted(resources.files(package).joinpath("words").iterdir(), key=str)
    merged: dict[str, dict[str, tuple[str, ...]]] = {}
    for table in load_tables(file for file in files if file.name.endswith(".toml")):
        for section, keys in table.items():
            for key, found in keys.items() if isinstance(keys, dict) else ():
                if isinstance(found, list):
                    words = merged.setdefault(section, {})
                    words[key] = (*words.get(key, ()), *found)
    return merged


# Fold text so that case and accents do not matter when it is compared.


def fold(text: str) -> str:
    """Return a text in lower case without accents: ``Selèuco`` becomes ``seleuco``."""
    if text.isascii():
        return text.lower()
    spelt = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in spelt if not unicodedata.combining(letter))
