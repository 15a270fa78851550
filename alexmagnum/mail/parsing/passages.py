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
from itertools import islice, pairwise
from typing import NamedTuple

from alexmagnum.game.game import PROSE, UNTAKEN, Understood
from alexmagnum.game.mail_orders import KEPT
from alexmagnum.game.people import LEFT_OUT
from alexmagnum.mail.parsing.commands import STRAY_END, UNREADABLE, Requests
from alexmagnum.mail.parsing.mime import Note, Vocabulary, fold_phrase, load_vocabulary
from alexmagnum.notation import Line, read_orders
from alexmagnum.notation.names import find_mention, may_order, province_names, split_sentences
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
_LONGEST_SENTENCE = 1000  # characters that are looked at
_LONGEST_UNIT = 60  # characters of a unit with its place
_WORD = re.compile(r"[^\W_]+")
_CLAUSE = re.compile(r"[,;]")
_CONTACT = re.compile(r"@|https?:|www\.|\d{5}")
_MOST_WORDS_OF_GREETING = 3
_MOST_WORDS_OF_SIGNATURE = 6
_MOST_WORDS_OF_CONTACT = 1  # before what is one
_MOST_BEFORE_TIME = 3  # words of a wish: "buona fine di settimana"


class Part(NamedTuple):
    """A part of what a mail says to the game master: its kind, and its words."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Words:
    """The words of courtesy, and the names that may sign a mail.

    ``position`` is that of the open phase, in which a sentence may be an order, as it may be in
    those ``beside`` of the writer's other games.
    """

    known: frozenset[str]
    vocabulary: Vocabulary
    position: Position
    powers: tuple[str, ...]
    beside: tuple[Position, ...]

    @classmethod
    def of(
        cls,
        names: Iterable[str],
        position: Position,
        powers: Iterable[str],
        beside: Iterable[Position] = (),
    ) -> Words:
        """Make them of the names of the game and of the writer, who plays some powers."""
        vocabulary = load_vocabulary()
        named = {word for name in names for word in _split(name)}
        every = ("words", "greetings", "closings", "usual")
        known = named.union(*(vocabulary.get("courtesy", key) for key in every))
        return cls(frozenset(known), vocabulary, position, tuple(powers), tuple(beside))

    def is_courtesy(self, sentence: str) -> bool:
        """Tell whether a sentence is only polite: a greeting, thanks, ``ecco gli ordini``."""
        said = _split(sentence)
        if "?" in sentence:
            greetings = self.vocabulary.get("courtesy", "greetings")
            asked = " ".join(word for word in said if word not in greetings)
            return asked in self.vocabulary.get("courtesy", "questions")
        if all(word in self.known or word.isdigit() or len(word) == 1 for word in said):
            clauses = [] if sentence.rstrip().endswith(":") else _CLAUSE.split(sentence)
            return not any(self._announces(_split(clause)) for clause in clauses)
        if self.position.phase.kind != "movement" and self.may_be_order(sentence):
            return False  # "Ciao, Babilonia"
        begins = said[0] in self.vocabulary.get("courtesy", "greetings")
        others = [word for word in _WORD.findall(sentence) if fold_phrase(word) not in self.known]
        is_short = len(said) <= _MOST_WORDS_OF_GREETING and not is_urgent(sentence)
        is_address = len(said) == 2 and sentence.rstrip().endswith(",")  # "ciao marco,"
        return begins and is_short and (is_address or all(word[0].isupper() for word in others))

    def _announces(self, said: list[str]) -> bool:
        """Tell whether words of courtesy say when something comes, or that it is late: they have a
        time that nobody is wished, a delay without an excuse, or orders that are to follow."""
        keys = ("times", "wishes", "delays", "apologies", "orders", "later")
        times, wishes, delays, apologies, orders, later = (
            self.vocabulary.get("courtesy", key) for key in keys
        )
        at_times = (at for at, word in enumerate(said) if word in times)
        is_late = not delays.isdisjoint(said) and apologies.isdisjoint(said)
        follow = any(f" {phrase} " in f" {' '.join(said)} " for phrase in later)
        return (
            any(wishes.isdisjoint(said[max(at - _MOST_BEFORE_TIME, 0) : at]) for at in at_times)
            or is_late
            or (follow and not orders.isdisjoint(said))
        )

    def is_remark(self, subject: str) -> bool:
        """Tell whether a subject says something to the game master, and is no order."""
        unknown = [word for word in _split(subject) if word not in self.known and len(word) > 1]
        says = len(unknown) > 1 or "?" in subject or is_urgent(subject)
        is_order = looks_like_order(subject) or any(line.order for line in self.read(subject))
        return says and not self.is_courtesy(subject) and not is_order

    def is_closing(self, line: str, *, is_first: bool) -> bool:
        """Tell whether a line ends a mail, so that a signature may follow."""
        closings = self.vocabulary.get("courtesy", "closings")
        if is_first:
            closings -= self.vocabulary.get("courtesy", "greetings")
        return self.is_courtesy(line) and not closings.isdisjoint(_split(line))

    def may_be_order(self, sentence: str) -> bool:
        """Tell whether a sentence that names a unit or a place may be meant as an order."""
        board, phase = self.position.board, self.position.phase.kind
        if looks_like_order(sentence) or may_order(sentence, board, phase):
            return True
        if (mention := find_mention(sentence, board)) is None:
            return False
        return bool(mention.verbs) or len(mention.places) > 1 or phase != "movement"

    def show(self, sentence: str) -> str:
        """Return a sentence, or what stands for it if it may be or has an order."""
        return _mark_left_out(sentence) if self.is_hidden(sentence) else sentence

    def is_hidden(self, sentence: str) -> bool:
        """Tell whether a sentence may be an order, or has one of the writer's."""
        elsewhere = (may_order(sentence, at.board, at.phase.kind) for at in self.beside)
        return self.may_be_order(sentence) or any(elsewhere) or self.has_order(sentence)

    def has_order(self, sentence: str) -> bool:
        """Tell whether a sentence has an order of the writer's, be it one that counts already."""
        said = sentence[:_LONGEST_SENTENCE]
        return self.places_unit(said) or any(
            line.error.code == "in-sentence" if line.error else line.order
            for line in self.read(said)
        )

    def read(self, said: str) -> Iterator[Line]:
        """Yield the lines of a text as orders of each of the writer's powers."""
        return (one for own in self.powers for one in read_orders(said, self.position, own).lines)

    def places_unit(self, said: str) -> bool:
        """Tell whether a text names a unit and its place, in a phase in which that may be all."""
        is_looked_for = self.powers and self.position.phase.kind != "movement"
        units = _UNIT.finditer(said[:_LONGEST_SENTENCE]) if is_looked_for else ()
        return any(self._is_placed(said[unit.start() :]) for unit in units)

    def _is_placed(self, said: str) -> bool:
        """Tell whether a place stands behind the unit that begins a text: one of the writer's, if
        the unit is a small letter, which may be a word (``a war``)."""
        line = tuple(token for token in tokens(said[:_LONGEST_UNIT]) if token.kind == "word")
        places = province_names(self.position.board, lexicon())
        found, is_capital = places.find_exact(line, 1), said[0].isupper()
        if found is None:
            return is_capital and len(line) > 1 and bool(places.guess(line, 1))
        owners = {unit.power for unit in self.position.units if unit.province == found.province}
        owners.add(self.position.owners.get(found.province, ""))
        return is_capital or not owners.isdisjoint(self.powers)


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
    return f"{LEFT_OUT}!" in text or _urgent_words().search(fold_phrase(text)) is not None


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
    listed = [*_list_sentences(lines, words)]
    said, is_stray = list(_show(listed, words)), STRAY_END in (one.kind for one in asked.commands)
    is_alone = not (asked.commands or asked.press or any(line.order for line in lines))
    # Beside orders the receipt alone quotes a sentence that names places, and tells what to write.
    is_said = any(set(line) - {LEFT_OUT} for line in listed)
    named = (one for one in lines if one.verdict == UNTAKEN or one.code == "in-sentence")
    is_said |= any(words.has_order(one.text) for one in named)
    if said and (is_alone or (is_said and not is_stray)):
        yield Part(TEXT, LEFT_OUT if is_stray else "\n".join(said))
    yield from (Part(PRESS, text.strip()) for text in press)
    for command in asked.commands:
        if command.kind in _FOR_MASTER:
            yield Part(COMMAND, words.show(command.line))
    for note in notes:
        yield Part(FILE, words.show(note.data.get("name", "")))


def _show(lines: Sequence[Sequence[str]], words: Words) -> Iterator[str]:
    """Yield lines of sentences, with marks for those that have an order, or end it in the next."""
    said = [sentence for line in lines for sentence in line]
    alone, has_order = [*map(cache(words.is_hidden), said)], cache(words.has_order)
    goes_on = [
        not (alone[at] or alone[at + 1]) and has_order(" ".join(pair))
        for at, pair in enumerate(pairwise(said))
    ]
    hidden = zip(alone, [False, *goes_on], [*goes_on, False], strict=False)
    shown = (_mark_left_out(s) if any(is_so) else s for s, is_so in zip(said, hidden, strict=False))
    for line in filter(None, lines):
        yield " ".join(islice(shown, len(line)))


def _list_sentences(lines: Sequence[Understood], words: Words) -> Iterator[list[str]]:
    """Yield the sentences of each line of prose, without courtesy and signature; one that may be an
    order leaves a mark, for the game master to look at."""
    hidden = {line.text: _mark_left_out(line.text) for line in lines if _is_hidden(line, words)}
    shown = [line.text for line in lines if line.verdict == PROSE]
    is_signed = False
    for at, line in enumerate(line for line in lines if line.code != KEPT):
        if line.verdict == PROSE and line.text not in hidden and not _is_within(line.text, hidden):
            if is_signed and _is_signature(line.text):
                continue
            is_signed = is_signed or words.is_closing(line.text, is_first=at == 0)
            text = line.text
            for each, mark in hidden.items():
                text = text.replace(each, mark)
            yield [s for s in split_sentences(text) if LEFT_OUT in s or not words.is_courtesy(s)]
        elif line.text in hidden and not _is_within(line.text, shown):
            mark = hidden[line.text]
            if line.verdict in (PROSE, UNTAKEN) or line.code == "in-sentence" or mark != LEFT_OUT:
                yield [mark]
        elif line.verdict == UNTAKEN and not _is_within(line.text, shown):
            yield [line.text]


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
    is_name = is_titled and len(said) <= _MOST_WORDS_OF_SIGNATURE
    label = [word for word in line.split() if not (_CONTACT.search(word) or word.isdigit())]
    is_contact = bool(_CONTACT.search(line)) and len(label) <= _MOST_WORDS_OF_CONTACT
    return (is_name or is_contact) and "?" not in line and not is_urgent(line)
