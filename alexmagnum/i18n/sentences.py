"""The catalogues: every sentence that people read, by code, in each language.

The sentences live in ``words/<topic>.<language>.toml``; a further language is a further set of
files.  Codes are looked up in all topics, so they differ from each other.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources

from alexmagnum.errors import AlexMagnumError

LANGUAGES = ("en", "it")


class Sentences:
    """The sentences of one language."""

    def __init__(self, lang: str, templates: Mapping[str, str]) -> None:
        self.lang = lang
        self.templates = templates

    def format(self, code: str, **data: object) -> str:
        """The sentence of a code, filled in; with ``near`` in the data, what may be meant follows.

        Raises:
            KeyError: no catalogue has that code, or the sentence wants data that is not given.
        """
        sentence = self.templates[code].format(**data).rstrip()
        if data.get("near"):
            sentence += " " if sentence.endswith("?") else ". "
            sentence += self.templates["did-you-mean"].format(near=data["near"])
        return sentence

    def error(self, error: AlexMagnumError) -> str:
        """What an error says to a person; faults follow, one to a line.

        It may quote what anybody wrote, and is printable.
        """
        lines = [self.format(error.code, **error.data)]
        lines += [
            f"  {fault.where}: {self.format(fault.code, **fault.data)}"
            for fault in getattr(error, "faults", ())
        ]
        return replace_unprintable("\n".join(lines))


def replace_unprintable(text: str) -> str:
    """Lines that a terminal shows and does not obey, whoever wrote them.

    >>> printable("A PAR\\x1b[2J H")
    'A PAR�[2J H'
    """
    return "".join(c if c.isprintable() or c == "\n" else "\N{REPLACEMENT CHARACTER}" for c in text)


@cache
def load_sentences(lang: str) -> Sentences:
    """The catalogues of a language, read once.

    Raises:
        KeyError: there are none for it.
    """
    sentences: dict[str, str] = {}
    for entry in sorted(
        resources.files("alexmagnum.i18n").joinpath("catalogues").iterdir(), key=str
    ):
        if entry.name.endswith(f".{lang}.toml"):
            sentences |= tomllib.loads(entry.read_text(encoding="utf-8"))
    if not sentences:
        raise KeyError(lang)
    return Sentences(lang, sentences)
