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
from alexmagnum.judge.outcome import Reason
from alexmagnum.position import Position

LANGUAGES = ("en", "it")


class Words:
    """The sentences of one language."""

    def __init__(self, lang: str, sentences: Mapping[str, str]) -> None:
        self.lang = lang
        self.sentences = sentences

    def say(self, code: str, **data: object) -> str:
        """The sentence of a code, filled in; with ``near`` in the data, what may be meant follows.

        Raises:
            KeyError: no catalogue has that code, or the sentence wants data that is not given.
        """
        sentence = self.sentences[code].format(**data).rstrip()
        if data.get("near"):
            sentence += " " if sentence.endswith("?") else ". "
            sentence += self.sentences["did-you-mean"].format(near=data["near"])
        return sentence

    def reason(self, reason: Reason, position: Position) -> str:
        """A reason as a sentence; units and provinces are named as in the position."""
        units = [position.name(unit) for unit in reason.units]
        sentence = self.say(
            reason.code,
            by=next(iter(units), ""),
            units=", ".join(units),
            strength=reason.strength,
            against=reason.against,
            powers=", ".join(position.board.powers[p].name(self.lang) for p in reason.powers),
            place=self._province(position, reason.place),
            room=reason.room,
        )
        if not reason.stop:
            return sentence
        return self.say("stopped-in", place=self._province(position, reason.stop), why=sentence)

    def _province(self, position: Position, province: str) -> str:
        return position.board.provinces[province].name(self.lang) if province else ""

    def error(self, error: AlexMagnumError) -> str:
        """What an error says to a person; faults follow, one to a line.

        It may quote what anybody wrote, and is printable.
        """
        lines = [self.say(error.code, **error.data)]
        lines += [
            f"  {fault.where}: {self.say(fault.code, **fault.data)}"
            for fault in getattr(error, "faults", ())
        ]
        return printable("\n".join(lines))


def printable(text: str) -> str:
    """Lines that a terminal shows and does not obey, whoever wrote them.

    >>> printable("A PAR\\x1b[2J H")
    'A PAR�[2J H'
    """
    return "".join(c if c.isprintable() or c == "\n" else "\N{REPLACEMENT CHARACTER}" for c in text)


@cache
def words(lang: str) -> Words:
    """The catalogues of a language, read once.

    Raises:
        KeyError: there are none for it.
    """
    sentences: dict[str, str] = {}
    for entry in sorted(resources.files("alexmagnum.report").joinpath("words").iterdir(), key=str):
        if entry.name.endswith(f".{lang}.toml"):
            sentences |= tomllib.loads(entry.read_text(encoding="utf-8"))
    if not sentences:
        raise KeyError(lang)
    return Words(lang, sentences)
