"""Passages: what a player says in a mail to the game master.

:func:`find_parts` is the one place that decides what of a mail is for the game master: all that is
neither an order, nor a command, nor press to others, nor mere courtesy.  It never shows an order:
a sentence that may be one is left out, and the game master has to open the mail to read it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from alexmagnum.game.game import PROSE, UNTAKEN, Understood
from alexmagnum.game.people import LEFT_OUT
from alexmagnum.mail.parsing.commands import STRAY_END, UNREADABLE, Requests
from alexmagnum.mail.parsing.mime import Note, Vocabulary, fold_phrase, load_vocabulary
from alexmagnum.notation import read_orders
from alexmagnum.notation.names import find_mention, province_names, split_sentences
from alexmagnum.notation.words import lexicon, tokens
from alexmagnum.position import Position

TEXT, PRESS, COMMAND, FILE, AUTOMATIC = "text", "press", "command", "file", "automatic"
"""The kinds of parts: sentences, press to the game master, a line that is or looks like a command,
a document that cannot be read, an automatic reply."""

_FOR_MASTER = frozenset({"wait", UNREADABLE, STRAY_END})  # commands that the game master reads too

NOTES_FOR_MASTER = frozenset({"attachment-ignored", "encrypted", "only-picture", "undecodable"})
"""The notes on mails of which something could not be read."""

_TOKEN = re.compile(r"\w+|[^\w\s]+")
_UNITS = frozenset(("a", "f", "g", "army", "fleet", "general", "armata", "flotta", "generale"))
_VERBS = "to h hold holds s support supports c convoy convoys move moves va tiene via"
_DASHES = "- -- -> --> => > \u2013 \u2014 \u2192"
_SIGNS = frozenset(f"{_VERBS} {_DASHES}".split())
_LONGEST_ORDER = 16  # words and signs

_UNIT = re.compile(rf"\b(?:{'|'.join(sorted(_UNITS))})\b", re.IGNORECASE)
_BUILT = re.compile(r"\b[AFG] (\w+)")
_LONGEST_SENTENCE = 1000  # characters that are looked at
_WORD = re.compile(r"[^\W_]+")
_CONTACT = re.compile(r"@|https?:|www\.|\d{5}")
_MOST_WORDS_OF_GREETING = 3
_MOST_WORDS_OF_SIGNATURE = 6


class Part(NamedTuple):
    """A part of what a mail says to the game master: its kind, and its words."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Words:
    """The words of courtesy, and the names that may sign a mail.

    ``position`` is that of the open phase, in which a sentence may be an order.
    """

    known: frozenset[str]
    vocabulary: Vocabulary
    position: Position
    power: str

    @classmethod
    def of(cls, names: Iterable[str], position: Position, power: str) -> Words:
        """Make them of the names of the game and of the writer, who plays a power, "" for none."""
        vocabulary = load_vocabulary()
        named = {word for name in names for word in _split(name)}
        every = ("words", "greetings", "closings", "usual")
        known = named.union(*(vocabulary.get("courtesy", key) for key in every))
        return cls(frozenset(known), vocabulary, position, power)

    def is_courtesy(self, sentence: str) -> bool:
        """Tell whether a sentence is only polite: a greeting, thanks, ``ecco gli ordini``."""
        said = _split(sentence)
        if "?" in sentence:
            greetings = self.vocabulary.get("courtesy", "greetings")
            asked = " ".join(word for word in said if word not in greetings)
            return asked in self.vocabulary.get("courtesy", "questions")
        if all(word in self.known or word.isdigit() or len(word) == 1 for word in said):
            return True
        begins = said[0] in self.vocabulary.get("courtesy", "greetings")
        return begins and len(said) <= _MOST_WORDS_OF_GREETING and not is_urgent(sentence)

    def is_remark(self, subject: str) -> bool:
        """Tell whether a subject says something to the game master; what may be an order is left
        out, as everywhere."""
        unknown = [word for word in _split(subject) if word not in self.known and len(word) > 1]
        says = len(unknown) > 1 or "?" in subject or is_urgent(subject)
        return says and not self.is_courtesy(subject) and not self.may_be_order(subject)

    def is_closing(self, line: str, *, is_first: bool) -> bool:
        """Tell whether a line ends a mail, so that a signature may follow."""
        closings = self.vocabulary.get("courtesy", "closings")
        if is_first:
            closings -= self.vocabulary.get("courtesy", "greetings")
        return self.is_courtesy(line) and not closings.isdisjoint(_split(line))

    def may_be_order(self, sentence: str) -> bool:
        """Tell whether a sentence that names a unit or a place may be meant as an order."""
        if looks_like_order(sentence):
            return True
        if (mention := find_mention(sentence, self.position.board)) is None:
            return False
        is_named = len(mention.places) > 1 or self.position.phase.kind != "movement"
        return bool(mention.verbs) or is_named

    def show(self, sentence: str) -> str:
        """Return a sentence, or what stands for it if it has an order, also one that counts."""
        said, board = sentence[:_LONGEST_SENTENCE], self.position.board
        if not (self.power and _UNIT.search(said)):
            return sentence
        if self.position.phase.kind in ("winter", "deployment"):
            places = province_names(board, lexicon())
            has_order = any(places.find_exact(tokens(name), 0) for name in _BUILT.findall(said))
        else:
            read = read_orders(said, self.position, self.power).lines
            codes = (one.error.code if one.error else one.order and "in-sentence" for one in read)
            has_order = "in-sentence" in codes
        return _mark_left_out(sentence) if has_order else sentence


def looks_like_order(line: str) -> bool:
    """Tell whether a line has the form of an order, though of another map or another phase: a unit,
    then nothing but verbs and what may be places, as in ``A Ven - Tri``."""
    unit, *rest = (*_TOKEN.findall(line.lstrip("*-\u2022.) 0123456789"))[: _LONGEST_ORDER + 1], "")
    is_long, has_verb = len(rest) > _LONGEST_ORDER, not _SIGNS.isdisjoint(map(str.lower, rest))
    said = [one for one in rest if one[:1].isalpha() and one.lower() not in _SIGNS | _UNITS]
    may_be_places = bool(said) and all(one[0].isupper() and len(one) > 2 for one in said)
    return unit.lower() in _UNITS and has_verb and may_be_places and not is_long


def _split(text: str) -> list[str]:
    return _WORD.findall(fold_phrase(text))


def is_urgent(text: str) -> bool:
    """Tell whether somebody should read a text soon: its words only sort, and do nothing."""
    return _urgent_words().search(fold_phrase(text)) is not None


@cache
def _urgent_words() -> re.Pattern[str]:
    phrases = sorted(load_vocabulary().get("urgent", "phrases"), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, phrases))})(?!\w)")


def find_parts(
    asked: Requests,
    lines: Sequence[Understood],
    press: Iterable[str],
    notes: Iterable[Note],
    words: Words,
) -> Iterator[Part]:
    """Yield what a mail says to the game master.

    ``lines`` are those that are neither commands nor press, ``press`` the texts to the game master
    that were taken, ``notes`` those on what could not be read.  What stands above a line that ends
    press, but was never begun, may be for other players: it is left out.
    """
    said = list(_list_sentences(lines, words))
    if any(command.kind == STRAY_END for command in asked.commands):
        said = [LEFT_OUT] * bool(said)
    is_alone = not (asked.commands or asked.press or any(line.order for line in lines))
    if any(sentence != LEFT_OUT for sentence in said) or (said and is_alone):
        yield Part(TEXT, "\n".join(said))
    yield from (Part(PRESS, text.strip()) for text in press)
    for command in asked.commands:
        if command.kind in _FOR_MASTER:
            yield Part(COMMAND, command.line)
    for note in notes:
        yield Part(FILE, note.data.get("name", ""))


def _list_sentences(lines: Sequence[Understood], words: Words) -> Iterator[str]:
    """Yield the lines of prose, without courtesy, signature, and what may be an order; a question
    that may be one leaves a mark, for the game master to look at."""
    hidden = {line.text: _mark_left_out(line.text) for line in lines if _is_hidden(line, words)}
    shown = [line.text for line in lines if line.verdict == PROSE]
    is_signed = False
    for at, line in enumerate(lines):
        if line.verdict == PROSE and line.text not in hidden and not _is_within(line.text, hidden):
            if is_signed and _is_signature(line.text):
                continue
            is_signed = is_signed or words.is_closing(line.text, is_first=at == 0)
            text = line.text
            for each, mark in hidden.items():
                text = text.replace(each, mark)
            said = [s for s in split_sentences(text) if not words.is_courtesy(s)]
            if said:
                yield " ".join(map(words.show, said))
        elif line.text in hidden and not _is_within(line.text, shown):
            mark = hidden[line.text]
            if line.verdict in (PROSE, UNTAKEN) or line.code == "in-sentence" or mark != LEFT_OUT:
                yield mark
        elif line.verdict == UNTAKEN and not _is_within(line.text, shown):
            yield line.text


def _is_hidden(line: Understood, words: Words) -> bool:
    """Tell whether a line may be an order, or part of one, that was not understood."""
    if line.verdict == UNTAKEN:
        return _mark_left_out(line.text) == LEFT_OUT or words.may_be_order(line.text)
    return not line.order and (line.verdict != PROSE or looks_like_order(line.text))


def _mark_left_out(sentence: str) -> str:
    """Return what stands for a sentence that is left out: whether it asks, or is urgent."""
    return LEFT_OUT + ("?" if "?" in sentence else "!" if is_urgent(sentence) else "")


def _is_within(text: str, others: Iterable[str]) -> bool:
    return any(text != other and text in other for other in others)


def _is_signature(line: str) -> bool:
    """Tell whether a line below a closing is a name, a place or an address."""
    said = _WORD.findall(line)
    is_titled = all(word[0].isupper() or word[0].isdigit() for word in said)
    return (is_titled and len(said) <= _MOST_WORDS_OF_SIGNATURE) or bool(_CONTACT.search(line))
